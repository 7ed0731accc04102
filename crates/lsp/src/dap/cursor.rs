//! A place in an execution, and the values there.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value as Json, json};
use vergo_driver::{Change, Job, RecordedStep, Recording};

use super::values::{Before, Row, Values};
use crate::reading::path_of_location;

/// The reason why the cursor stands where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The beginning.
    Entry,
    /// It was moved there.
    Step,
    /// A breakpoint.
    Breakpoint,
    /// The end of the execution.
    End,
}

/// Where a step is in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    path: PathBuf,
    line: u32,
    column: u32,
}

/// A step that the user can stop at.
struct Point {
    thread: usize,
    depth: usize,
    function: String,
    /// None in library models and where there is no source.
    place: Option<Place>,
    change: Change,
}

/// An active call.
#[derive(Clone, Debug, Default)]
struct Frame {
    function: String,
    place: Option<Place>,
    values: Values,
}

/// The change of a step, to be undone.
enum Undo {
    /// The frames of a thread were these; only where calls begin or end that nobody heard of.
    Frames(usize, Vec<Frame>),
    /// A call began; its caller stood here before.
    Began(usize, Option<Place>),
    /// A call ended.
    Ended(usize, Frame),
    /// A variable of a call, by thread and depth, was written.
    Local((usize, usize), Before),
    /// A global variable was written.
    Global(Before),
    /// A heap object was written.
    Object(String, Before),
    /// A heap object was alive.
    Alive(String),
}

/// A place in an execution.
pub(super) struct Cursor {
    points: Vec<Point>,
    /// The number of steps that have been made; the next one is not yet.
    at: usize,
    threads: Vec<Vec<Frame>>,
    globals: Values,
    /// The contents of heap objects, by their names.
    heap: BTreeMap<String, Values>,
    freed: BTreeSet<String>,
    undo: Vec<Vec<Undo>>,
    /// Variables that the editor may open here: where they are, and their names.
    opened: RefCell<Vec<(u64, String)>>,
}

impl Cursor {
    pub(super) fn new(job: &Job, recording: &Recording) -> Cursor {
        let point = |step: &RecordedStep| {
            let at = job.map.presumed(step.span.lo);
            let path = path_of_location(&at).filter(|_| !step.library && !at.in_system_header);
            Point {
                thread: step.thread,
                depth: step.depth,
                function: step.function.to_string(),
                place: path.map(|path| Place { path, line: at.line, column: at.column }),
                change: step.change.clone(),
            }
        };
        let points = recording.steps.iter().map(point).collect();
        Cursor {
            points,
            at: 0,
            threads: Vec::new(),
            globals: Values::of(&recording.initial),
            heap: BTreeMap::new(),
            freed: BTreeSet::new(),
            undo: Vec::new(),
            opened: RefCell::default(),
        }
    }

    /// Goes to the first step that has a place.
    pub(super) fn skip_to_first(&mut self) {
        while self.place().is_none() && self.forward() {}
    }

    fn point(&self) -> Option<&Point> {
        self.points.get(self.at)
    }

    fn place(&self) -> Option<&Place> {
        self.point()?.place.as_ref()
    }

    /// The thread of the next step, from 1.
    pub(super) fn thread(&self) -> usize {
        self.point().map_or(0, |point| point.thread) + 1
    }

    /// Makes a step; false at the last one, which is where the execution ended.
    fn forward(&mut self) -> bool {
        if self.at + 1 >= self.points.len() {
            return false;
        }
        self.opened.get_mut().clear();
        let mut undo = Vec::new();
        // Whose call it is shows in its first step.
        let callee = self.callee();
        let Point { thread, depth, function, place, change } = &self.points[self.at];
        let (thread, depth) = (*thread, (*depth).max(1));
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        let frames = &mut self.threads[thread];
        // Calls that have ended are over, and calls that were not heard of have begun.
        let fits =
            frames.len() == depth && frames.last().is_some_and(|frame| frame.function == *function);
        if !fits {
            undo.push(Undo::Frames(thread, frames.clone()));
            frames.truncate(depth);
            let new = || Frame { function: function.clone(), ..Frame::default() };
            while frames.len() < depth {
                frames.push(new());
            }
            if frames[depth - 1].function != *function {
                frames[depth - 1] = new();
            }
        }
        match change {
            Change::Freed(object) => {
                if self.freed.insert(object.clone()) {
                    undo.push(Undo::Alive(object.clone()));
                }
            }
            Change::Wrote(value) => {
                let (thread, depth) = value.owner.unwrap_or((thread, depth));
                if let Some((object, part)) = &value.object {
                    // What a pointer leads to is seen when the pointer is opened.
                    let parts = self.heap.entry(object.clone()).or_default();
                    undo.push(Undo::Object(object.clone(), parts.write(part, value)));
                } else if value.is_global {
                    undo.push(Undo::Global(self.globals.write(&value.name, value)));
                } else if let Some(frames) = self.threads.get_mut(thread)
                    && let Some(frame) = frames.get_mut(depth.max(1) - 1)
                {
                    let before = frame.values.write(&value.name, value);
                    undo.push(Undo::Local((thread, depth), before));
                }
            }
            Change::Called(params) => {
                let before = std::mem::replace(&mut frames[depth - 1].place, place.clone());
                undo.push(Undo::Began(thread, before));
                frames.push(Frame { function: callee, place: None, values: Values::of(params) });
            }
            Change::Returned => undo.extend(frames.pop().map(|frame| Undo::Ended(thread, frame))),
            Change::Nothing => {}
        }
        self.undo.push(undo);
        self.at += 1;
        true
    }

    /// The function of the next step of this thread, which a call leads to.
    fn callee(&self) -> String {
        let Some(point) = self.points.get(self.at) else { return String::new() };
        let later = self.points[self.at + 1..].iter().find(|later| later.thread == point.thread);
        later
            .filter(|later| later.depth > point.depth)
            .map_or_else(String::new, |later| later.function.clone())
    }

    /// Takes a step back; false at the beginning.
    fn backward(&mut self) -> bool {
        let Some(undo) = self.undo.pop() else { return false };
        self.opened.get_mut().clear();
        self.at -= 1;
        for change in undo.into_iter().rev() {
            match change {
                Undo::Frames(thread, frames) => self.threads[thread] = frames,
                Undo::Began(thread, place) => {
                    self.threads[thread].pop();
                    if let Some(caller) = self.threads[thread].last_mut() {
                        caller.place = place;
                    }
                }
                Undo::Ended(thread, frame) => self.threads[thread].push(frame),
                Undo::Local((thread, depth), before) => {
                    if let Some(frame) = self.threads[thread].get_mut(depth.max(1) - 1) {
                        frame.values.restore(before);
                    }
                }
                Undo::Global(before) => self.globals.restore(before),
                Undo::Object(object, before) => {
                    self.heap.entry(object).or_default().restore(before);
                }
                Undo::Alive(object) => {
                    self.freed.remove(&object);
                }
            }
        }
        true
    }

    /// Goes on until a step is wanted.
    fn forward_until(&mut self, is_wanted: impl Fn(&Cursor, &Place) -> bool) -> Stop {
        while self.forward() {
            if self.place().is_some_and(|place| is_wanted(self, place)) {
                return if self.at + 1 >= self.points.len() { Stop::End } else { Stop::Step };
            }
        }
        Stop::End
    }

    /// Where the cursor stands: thread, depth and line.
    fn here(&self) -> (usize, usize, Option<Place>) {
        let point = self.point();
        (point.map_or(0, |p| p.thread), point.map_or(0, |p| p.depth), self.place().cloned())
    }

    fn is_other_line(from: Option<&Place>, to: &Place) -> bool {
        from.is_none_or(|from| from.line != to.line || from.path != to.path)
    }

    /// To the next line of this function or of one around it.
    pub(super) fn next(&mut self) -> Stop {
        let (thread, depth, from) = self.here();
        self.forward_until(|cursor, to| {
            let point = &cursor.points[cursor.at];
            let is_inside = point.thread == thread && point.depth > depth;
            !is_inside
                && (point.depth < depth
                    || point.thread != thread
                    || Cursor::is_other_line(from.as_ref(), to))
        })
    }

    /// To the next line, also of a function that is called.
    pub(super) fn step_in(&mut self) -> Stop {
        let (_, depth, from) = self.here();
        self.forward_until(|cursor, to| {
            cursor.points[cursor.at].depth != depth || Cursor::is_other_line(from.as_ref(), to)
        })
    }

    /// Out of this function.
    pub(super) fn step_out(&mut self) -> Stop {
        let (thread, depth, _) = self.here();
        self.forward_until(|cursor, _| {
            let point = &cursor.points[cursor.at];
            point.thread == thread && point.depth < depth
        })
    }

    /// To the beginning of the line before, in whatever function it is.
    pub(super) fn step_back(&mut self) -> Stop {
        let (_, depth, from) = self.here();
        let is_other = |cursor: &Cursor| {
            let point = &cursor.points[cursor.at];
            let place = point.place.as_ref();
            place.is_some_and(|to| point.depth != depth || Cursor::is_other_line(from.as_ref(), to))
        };
        while self.backward() {
            if is_other(self) {
                self.back_to_start_of_line();
                return Stop::Step;
            }
        }
        self.skip_to_first();
        Stop::Entry
    }

    /// To the first of the steps of this line that follow each other.
    fn back_to_start_of_line(&mut self) {
        let (thread, depth, here) = self.here();
        loop {
            // Steps without a place between two of this line belong to it.
            let mut before = self.at;
            while before > 0 && self.points[before - 1].place.is_none() {
                before -= 1;
            }
            let Some(point) = before.checked_sub(1).map(|at| &self.points[at]) else { return };
            let same = point.thread == thread && point.depth == depth;
            let is_here = |to: &Place| !Cursor::is_other_line(here.as_ref(), to);
            if !same || !point.place.as_ref().is_some_and(is_here) {
                return;
            }
            while self.at >= before && self.backward() {}
        }
    }

    fn is_breakpoint(&self, breakpoints: &BTreeMap<PathBuf, BTreeSet<u32>>) -> bool {
        let at = |place: &Place| {
            breakpoints.get(&place.path).is_some_and(|lines| lines.contains(&place.line))
        };
        self.place().is_some_and(at)
    }

    /// To the next breakpoint, or to the end.
    pub(super) fn run(&mut self, breakpoints: &BTreeMap<PathBuf, BTreeSet<u32>>) -> Stop {
        let (_, depth, mut from) = self.here();
        let mut last_depth = depth;
        loop {
            if !self.forward() {
                return Stop::End;
            }
            let (_, depth, here) = self.here();
            let Some(here) = here else { continue };
            let is_new = depth != last_depth || Cursor::is_other_line(from.as_ref(), &here);
            if is_new && self.is_breakpoint(breakpoints) {
                return Stop::Breakpoint;
            }
            (from, last_depth) = (Some(here), depth);
        }
    }

    /// Back to the last breakpoint, or to the beginning.
    pub(super) fn reverse_continue(
        &mut self,
        breakpoints: &BTreeMap<PathBuf, BTreeSet<u32>>,
    ) -> Stop {
        loop {
            if self.step_back() == Stop::Entry {
                return Stop::Entry;
            }
            if self.is_breakpoint(breakpoints) {
                return Stop::Breakpoint;
            }
        }
    }

    pub(super) fn threads(&self) -> Vec<Json> {
        let all: BTreeSet<usize> = self.points[..=self.at.min(self.points.len().saturating_sub(1))]
            .iter()
            .map(|point| point.thread)
            .collect();
        all.into_iter()
            .map(|id| json!({ "id": id + 1, "name": format!("thread {}", id + 1) }))
            .collect()
    }

    /// The frames of a thread, innermost first, with the place of the step that comes next.
    fn frames(&self, thread: usize) -> Vec<(usize, String, Option<Place>)> {
        let frames = self.threads.get(thread).map(Vec::as_slice).unwrap_or_default();
        let mut shown: Vec<(usize, String, Option<Place>)> = frames
            .iter()
            .enumerate()
            .map(|(at, frame)| (at, frame.function.clone(), frame.place.clone()))
            .collect();
        if let Some(point) = self.point().filter(|point| point.thread == thread) {
            let depth = point.depth.max(1);
            shown.truncate(depth);
            let own = (depth - 1, point.function.clone(), point.place.clone());
            match shown.len() == depth {
                true => shown[depth - 1] = own,
                false => shown.push(own),
            }
        }
        shown.retain(|(_, _, place)| place.is_some());
        shown.reverse();
        shown
    }

    pub(super) fn stack(&self, thread: u64) -> Vec<Json> {
        let thread = usize::try_from(thread.saturating_sub(1)).unwrap_or(0);
        let frames = self.frames(thread).into_iter();
        frames
            .filter_map(|(at, function, place)| {
                let place = place?;
                let name = place.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Some(json!({
                    "id": frame_id(thread, at), "name": function, "line": place.line, "column": place.column,
                    "source": { "name": name, "path": place.path },
                }))
            })
            .collect()
    }

    pub(super) fn scopes(&self, frame: u64) -> Json {
        json!([
            { "name": "Locals", "variablesReference": frame, "expensive": false, "presentationHint": "locals" },
            { "name": "Globals", "variablesReference": GLOBALS, "expensive": false },
        ])
    }

    pub(super) fn variables(&self, reference: u64) -> Vec<Json> {
        let opened = reference.checked_sub(OPENED).and_then(|number| {
            let number = usize::try_from(number).ok()?;
            self.opened.borrow().get(number).cloned()
        });
        let (scope, path) = opened.unwrap_or((reference, String::new()));
        let rows = self.values_of(scope).map(|values| values.rows(&path));
        rows.unwrap_or_default().iter().map(|row| self.row(scope, row)).collect()
    }

    /// Returns the contents of a scope or a heap object.
    fn values_of(&self, reference: u64) -> Option<&Values> {
        match reference.checked_sub(OBJECTS) {
            Some(number) => self.heap.get(&object_name(number)),
            None if reference == GLOBALS => Some(&self.globals),
            None => self.locals(reference),
        }
    }

    /// A variable; one that has parts or points to a heap object can be opened.
    fn row(&self, scope: u64, row: &Row) -> Json {
        let object = heap_object(&row.value);
        let is_freed = object.is_some_and(|number| self.freed.contains(&object_name(number)));
        let text = if is_freed { format!("{} (freed)", row.value) } else { row.value.clone() };
        let known = object.filter(|number| self.heap.contains_key(&object_name(*number)));
        let reference = match known {
            Some(number) => OBJECTS + number,
            None if row.has_parts => self.open(scope, &row.path),
            None => 0,
        };
        json!({
            "name": row.name, "value": text, "type": row.ty, "evaluateName": row.path,
            "variablesReference": reference,
        })
    }

    /// A reference by which a variable of a scope is opened.
    fn open(&self, scope: u64, path: &str) -> u64 {
        let mut opened = self.opened.borrow_mut();
        let is_it = |(other, name): &(u64, String)| *other == scope && name == path;
        let number = opened.iter().position(is_it).unwrap_or_else(|| {
            opened.push((scope, path.to_owned()));
            opened.len() - 1
        });
        OPENED + number as u64
    }

    fn locals(&self, frame: u64) -> Option<&Values> {
        let (thread, at) = frame_of(frame)?;
        self.threads.get(thread)?.get(at).map(|frame| &frame.values)
    }

    /// Returns the value of a name in a frame.
    pub(super) fn value(&self, frame: Option<u64>, name: &str) -> Option<Json> {
        let thread = self.thread() - 1;
        let innermost = self.frames(thread).first().map(|(at, _, _)| frame_id(thread, *at));
        let scopes = [frame.or(innermost), Some(GLOBALS)].into_iter().flatten();
        scopes.into_iter().find_map(|scope| {
            let row = self.values_of(scope)?.find(name)?;
            Some(self.row(scope, &row))
        })
    }
}

/// The reference of the scope of globals.
const GLOBALS: u64 = 1;

/// Variables that have parts have references from here on.
const OPENED: u64 = 1 << 51;

/// Heap objects have references from here on, by their numbers.
const OBJECTS: u64 = 1 << 52;

/// The number of the heap object that a pointer points into.
fn heap_object(value: &str) -> Option<u64> {
    let digits = value.strip_prefix("heap object ")?.split(' ').next()?;
    digits.parse().ok().filter(|number| *number < OBJECTS)
}

fn object_name(number: u64) -> String {
    format!("heap object {number}")
}

/// Frames have references from 2.
fn frame_id(thread: usize, at: usize) -> u64 {
    ((thread as u64 & 0xf_ffff) << 32 | at as u64) + 2
}

fn frame_of(id: u64) -> Option<(usize, usize)> {
    let id = id.checked_sub(2)?;
    Some((usize::try_from(id >> 32).ok()?, usize::try_from(id & 0xffff_ffff).ok()?))
}
