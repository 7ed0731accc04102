//! Threads: each is executed once, into events whose order is left open.
//!
//! **Idea.** Where a thread is started, it is executed on the spot, from the state of whoever starts it. What several threads
//! access and one of them writes is *shared*: a read of it has any value, and is an event; a write is one too. A read gets
//! its value from a write, which one is a choice ([`Choice`]); that there is an order of all steps in which each read sees the
//! last write before it is left to a theory of orders. So the cost grows with events, and no schedule is enumerated.
//!
//! **What is shared** is found out by executing: an object that two threads access is shared in the next execution, until none is left. In
//! the execution that counts, every object that threads other than its own access, and somebody writes, is shared. Before the
//! first thread is started nothing is: the values at that point are writes of their own.
//!
//! **Steps.** Events of one atomic section, or of one instruction outside of sections, are one [`Node`]: nothing comes in between.
//! Nodes of a thread are in order; a node that starts a thread is before its nodes, and all of these before a join.
//! An execution that is blocked or cut does not enable what would follow, and others go on.
//!
//! **What is not followed** is an obligation: shared floats and bit-fields, places that are accessed as different scalars, offsets among
//! too many, pointers in shared memory to what was made after the first start of a thread, questions whether something lives
//! that some thread ends, joins with threads that others start.

mod encode;
mod joins;
mod pointers;
mod refused;

use crate::eval::{Evaluator, Value};
use crate::execute::{Executor, Options};
use crate::memory::ObjectId;
use crate::place::Place;
use crate::pointer::Target;
use crate::scalar::Scalar;
use crate::state::State;
use crate::trace::Trace;
use refused::refused;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, FunctionId, Program, SymbolId, SymbolKind};
use vergo_goto::types::TypeId;
use vergo_num::BitVec;
use vergo_source::Span;
use vergo_term::{TermId, TermStore};

/// A place at an unknown offset is one of at most so many.
const MAX_CELLS: usize = 64;
/// Executions until it is known what is shared.
const MAX_RUNS: usize = 12;
/// Threads that are started at most.
const MAX_THREADS: usize = 256;

/// A symbolic execution of all threads.
pub struct Threaded {
    /// The obligations of each thread, and the steps of its inputs. The constraints contain the choices of writes, but
    /// not that their order is possible.
    pub trace: Trace,
    /// The events.
    pub events: Events,
}

/// Events and what orders them.
#[derive(Default, Debug)]
pub struct Events {
    /// Steps, each behind those before it.
    pub nodes: Vec<Node>,
    /// Accesses of what is shared.
    pub accesses: Vec<Access>,
    /// From which write each read may read.
    pub choices: Vec<Choice>,
    /// By what each thread was started.
    pub started_by: Vec<Option<u32>>,
    /// Where each obligation of the trace belongs.
    pub obligations: Vec<Moment>,
    /// Where each step of the trace belongs.
    pub steps: Vec<Moment>,
}

/// A step that a thread makes at once.
#[derive(Clone, Debug)]
pub struct Node {
    /// The thread, by number.
    pub thread: u32,
    /// The function and instruction with which it begins; none if it is no step of the program.
    pub at: Option<(FunctionId, usize)>,
    /// Satisfied by the executions that come there.
    pub guard: TermId,
    /// Steps that come before it in every execution that has both; the others follow from these.
    pub before: Vec<u32>,
}

/// A read or write.
#[derive(Clone, Debug)]
pub struct Access {
    /// The step.
    pub node: u32,
    /// The position in it.
    pub position: u32,
    /// The place.
    pub place: u32,
    /// True if it writes.
    pub is_write: bool,
    /// Satisfied by the executions that do it.
    pub guard: TermId,
    /// The value.
    pub value: TermId,
}

/// A read may get its value from a write.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The access that reads.
    pub read: u32,
    /// The access that writes.
    pub write: u32,
    /// Says whether it does.
    pub term: TermId,
}

/// A moment in a thread: behind all of its steps up to one.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The thread.
    pub thread: u32,
    /// The last step that may come before; none if there is none.
    pub node: Option<u32>,
}

/// The key by which other executions recognise an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Variable(SymbolId),
    Allocation(FunctionId, usize),
}

/// The target of a pointer in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Pointee {
    Address(u64),
    Object(ObjectId),
    Function(FunctionId),
}

/// The threads that have accessed an object since threads were started.
#[derive(Clone, Copy, Debug)]
struct Accessed {
    first: u32,
    by_others: bool,
    written: bool,
}

/// A change of a whole object: it gets the values of a state, or any.
struct Whole {
    /// The object; none for all that there are.
    object: Option<ObjectId>,
    node: u32,
    position: u32,
    guard: TermId,
    state: Option<State>,
}

/// The record of the execution of threads.
pub(crate) struct Recorder {
    shared: BTreeSet<Key>,
    pointees: BTreeSet<Pointee>,
    new_pointees: BTreeSet<Pointee>,
    keys: FxHashMap<ObjectId, Key>,
    accessed: BTreeMap<ObjectId, Accessed>,
    wholes: Vec<Whole>,
    /// Objects that some thread ends, and questions whether objects live.
    ended: BTreeSet<ObjectId>,
    asked: Vec<(ObjectId, TermId)>,
    places: BTreeMap<(ObjectId, u64), (u32, Scalar)>,
    events: Events,
    n_positions: u32,
    thread: u32,
    n_threads: u32,
    here: Option<(FunctionId, usize)>,
    /// The step of the instruction that is executed.
    step: Option<u32>,
    /// The last step of each thread.
    last: Vec<Option<u32>>,
    /// For each thread that was executed to its end: the last step, when it ends, and its result.
    ends: Vec<Option<(u32, TermId, Option<Value>)>>,
    /// Objects up to this one are the same in every execution.
    n_stable: Option<u64>,
    /// Thread-local variables and the contents with which they begin.
    own: Vec<(SymbolId, ObjectId, crate::state::ObjectState)>,
}

/// Executes a program with threads from its entry.
///
/// # Errors
/// If it claims something that this does not follow, or what is shared is not found out.
pub fn execute_threads(
    program: &Program,
    store: &mut TermStore,
    options: &Options<'_>,
) -> Result<Threaded, String> {
    if let Some(what) = refused(program) {
        return Err(what.to_owned());
    }
    let Some(entry) = program.entry else { return Err("there is no entry".to_owned()) };
    let (mut shared, mut pointees) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..MAX_RUNS {
        let mut executor = Executor::new(program, store, options);
        executor.eval.objects.has_lives = false;
        let recorder = Recorder::new(shared.clone(), pointees.clone());
        executor.eval.recorder = Some(Box::new(recorder));
        let state = executor.initial_state();
        executor.keep_thread_locals(&state);
        executor.call(state, entry, &[], false, Span::DUMMY);
        executor.note_moments();
        let threaded = executor.threaded();
        let Some(recorder) = executor.eval.recorder.take() else { break };
        if let Some(reason) = &executor.execution.trace.cut_short {
            return Err(reason.clone());
        }
        let more = recorder.found_shared()?;
        if more.is_subset(&shared) && recorder.new_pointees.is_subset(&pointees) {
            return Ok(threaded);
        }
        shared.extend(more);
        pointees.extend(recorder.new_pointees);
    }
    Err("what threads share is not found out".to_owned())
}

impl Recorder {
    fn new(shared: BTreeSet<Key>, pointees: BTreeSet<Pointee>) -> Recorder {
        Recorder {
            shared,
            pointees,
            new_pointees: BTreeSet::new(),
            keys: FxHashMap::default(),
            accessed: BTreeMap::new(),
            wholes: Vec::new(),
            ended: BTreeSet::new(),
            asked: Vec::new(),
            places: BTreeMap::new(),
            events: Events { started_by: vec![None], ..Events::default() },
            n_positions: 0,
            thread: 0,
            n_threads: 1,
            here: None,
            step: None,
            last: vec![None],
            ends: vec![None],
            n_stable: None,
            own: Vec::new(),
        }
    }

    /// The objects that turned out to be shared.
    fn found_shared(&self) -> Result<BTreeSet<Key>, String> {
        let shared = self.accessed.iter().filter(|(_, by)| by.by_others && by.written);
        shared
            .map(|(object, _)| {
                let key = self.keys.get(object).copied();
                key.ok_or_else(|| "an object without a name is shared".to_owned())
            })
            .collect()
    }

    /// The number of the thread that is executed.
    pub(crate) fn thread(&self) -> u32 {
        self.thread
    }

    fn position(&mut self) -> u32 {
        self.n_positions += 1;
        self.n_positions
    }

    /// A new step of the current thread.
    fn add_node(&mut self, at: Option<(FunctionId, usize)>, guard: TermId) -> u32 {
        let number = self.events.nodes.len() as u32;
        let thread = self.thread as usize;
        let mut before: Vec<u32> = self.last[thread].into_iter().collect();
        if before.is_empty() {
            before.extend(self.events.started_by[thread]);
        }
        self.events.nodes.push(Node { thread: self.thread, at, guard, before });
        self.last[thread] = Some(number);
        number
    }

    /// The step that executions of a state are in.
    fn node(&mut self, state: &State) -> u32 {
        if let Some((node, _)) = state.section {
            return node;
        }
        match self.step {
            Some(node) => node,
            None => {
                let node = self.add_node(self.here, state.guard);
                self.step = Some(node);
                node
            }
        }
    }

    /// The step of a state, or one that is none of the program.
    fn silent_node(&mut self, state: &State) -> u32 {
        match state.section {
            Some((node, _)) => node,
            None => self.add_node(None, state.guard),
        }
    }

    /// Notes an access; whether the object is shared.
    fn note(&mut self, object: ObjectId, writes: bool) -> bool {
        let thread = self.thread;
        let accessed = self.accessed.entry(object).or_insert(Accessed {
            first: thread,
            by_others: false,
            written: false,
        });
        accessed.by_others |= accessed.first != thread;
        accessed.written |= writes;
        self.is_shared(object)
    }

    fn is_shared(&self, object: ObjectId) -> bool {
        self.keys.get(&object).is_some_and(|key| self.shared.contains(key))
    }

    fn add_access(&mut self, access: Access) {
        self.events.accesses.push(access);
    }
}

impl Evaluator<'_> {
    /// The cells of a place at a target, each with the condition under which it is meant; `None` if they are not followed.
    fn cells(&mut self, place: &Place, target: &Target) -> Option<Vec<(u64, u64, Scalar, TermId)>> {
        if place.bits().is_some() {
            return None;
        }
        let truth = self.store.true_term();
        let units = match self.scalar(place.ty()) {
            Some(scalar) => vec![(0, scalar)],
            None => self.units(place.ty())?,
        };
        if units.iter().any(|(_, scalar)| matches!(scalar, Scalar::Float(_))) {
            return None;
        }
        if let Some(offset) = self.store.bv_value(target.offset).and_then(BitVec::to_u64) {
            let cell = |(by, scalar)| (offset + by, by, scalar, truth);
            return Some(units.into_iter().map(cell).collect());
        }
        let [(0, scalar)] = units[..] else { return None };
        let object = self.objects.get(target.object);
        let size = self.store.bv_value(object.size).and_then(BitVec::to_u64)?;
        let width = self.scalar_size(scalar);
        let offsets: Vec<u64> = match object.ty {
            Some(ty) => {
                let all = self.units(ty)?.into_iter();
                all.filter(|(_, other)| *other == scalar).map(|(offset, _)| offset).collect()
            }
            None => (0..size / width).take(MAX_CELLS + 1).map(|i| i * width).collect(),
        };
        if offsets.len() > MAX_CELLS {
            return None;
        }
        let mut cells = Vec::new();
        let mut others = truth;
        for offset in offsets {
            let here = self.size(offset);
            let is_here = self.store.eq(target.offset, here);
            if is_here != self.store.false_term() {
                cells.push((offset, 0, scalar, is_here));
                let not = self.store.not(is_here);
                others = self.store.and(others, not);
            }
        }
        let outside = self.store.and(target.guard, others);
        let inside = self.in_bounds(target, width);
        let outside = self.store.and(outside, inside);
        self.objects.leave_out(outside, "shared memory at an offset between its scalars");
        Some(cells)
    }

    /// To be called before something is read: what is shared gets a new value.
    pub(crate) fn before_read(
        &mut self,
        state: &mut State,
        place: &Place,
        target: &Target,
        fine: TermId,
    ) {
        let Some(recorder) = self.recorder.as_mut().filter(|_| state.published) else { return };
        if !recorder.note(target.object, false) {
            return;
        }
        let guard = self.store.and(target.guard, fine);
        let guard = self.store.and(self.reached, guard);
        let Some(cells) = self.cells(place, target) else {
            self.objects.leave_out(guard, "shared memory that is not read as one scalar");
            return;
        };
        for (offset, _, scalar, here) in cells {
            let guard = self.store.and(guard, here);
            if guard == self.store.false_term() {
                continue;
            }
            let value = self.shared_value(scalar);
            self.event(state, (target.object, offset, scalar), guard, value, false);
            if let Some(object) = state.object_mut(target.object) {
                object.content.write(&mut self.ctx(), offset, scalar, value, guard);
            }
        }
    }

    /// To be called after a value was written.
    pub(crate) fn after_write(
        &mut self,
        state: &State,
        place: &Place,
        target: &Target,
        value: &Value,
        guard: TermId,
    ) {
        let Some(recorder) = self.recorder.as_mut().filter(|_| state.published) else { return };
        if !recorder.note(target.object, true) {
            return;
        }
        let guard = self.store.and(self.reached, guard);
        let Some(cells) = self.cells(place, target) else {
            self.objects.leave_out(guard, "shared memory that is not written as one scalar");
            return;
        };
        for (offset, by, scalar, here) in cells {
            let guard = self.store.and(guard, here);
            if guard == self.store.false_term() {
                continue;
            }
            let value = match value {
                Value::Term(term) => *term,
                Value::Block(block) => block.read(&mut self.ctx(), by, scalar),
            };
            self.event(state, (target.object, offset, scalar), guard, value, true);
        }
    }

    /// Notes an access in another way than by places.
    pub(crate) fn touches(&mut self, state: &State, object: ObjectId, writes: bool) {
        let Some(recorder) = self.recorder.as_mut().filter(|_| state.published) else { return };
        if recorder.note(object, writes) {
            let truth = self.store.true_term();
            self.objects.leave_out(truth, "a block of shared memory");
        }
    }

    /// Notes the question whether an object lives.
    pub(crate) fn asks_for_life(&mut self, state: &State, object: ObjectId) {
        let guard = self.store.and(state.guard, self.reached);
        if let Some(recorder) = self.recorder.as_mut().filter(|_| state.published) {
            recorder.note(object, false);
            recorder.asked.push((object, guard));
        }
    }

    fn event(
        &mut self,
        state: &State,
        (object, offset, scalar): (ObjectId, u64, Scalar),
        guard: TermId,
        value: TermId,
        is_write: bool,
    ) {
        if is_write && scalar == Scalar::Pointer {
            self.note_pointees(guard, value);
        }
        let Some(recorder) = self.recorder.as_mut() else { return };
        let n_places = recorder.places.len() as u32;
        let (place, known) = *recorder.places.entry((object, offset)).or_insert((n_places, scalar));
        if known != scalar {
            self.objects.leave_out(guard, "shared memory that is accessed as different scalars");
            return;
        }
        let (node, position) = (recorder.node(state), recorder.position());
        let guard = self.store.and(state.guard, guard);
        recorder.add_access(Access { node, position, place, is_write, guard, value });
    }
}

impl Executor<'_> {
    /// Remembers with what thread-local variables begin.
    fn keep_thread_locals(&mut self, state: &State) {
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        let statics = self.eval.objects.statics.iter().map(|(&symbol, &object)| (symbol, object));
        for (symbol, object) in statics.collect::<BTreeMap<_, _>>() {
            recorder.keys.insert(object, Key::Variable(symbol));
            if let SymbolKind::Static { thread_local: true, .. } = self.program.symbols[symbol].kind
            {
                recorder.own.extend(state.object(object).map(|o| (symbol, object, o.clone())));
            }
        }
        recorder.own.sort_by_key(|&(_, object, _)| object);
    }

    /// Takes note of where the instruction that comes is.
    pub(crate) fn note_place(&mut self) {
        if self.eval.recorder.is_none() {
            return;
        }
        self.note_moments();
        let frame = self.frame();
        let here = Some((frame.function, frame.at));
        if let Some(recorder) = self.eval.recorder.as_mut() {
            recorder.here = here;
            recorder.step = None;
        }
    }

    /// Says of new obligations and steps where they belong.
    fn note_moments(&mut self) {
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        let node = recorder.last[recorder.thread as usize];
        let moment = Moment { thread: recorder.thread, node };
        recorder.events.obligations.resize(self.execution.trace.obligations.len(), moment);
        recorder.events.steps.resize(self.execution.trace.steps.len(), moment);
    }

    /// A section begins or ends.
    pub(crate) fn section(&mut self, state: &mut State, begins: bool) {
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        state.section = match (state.section, begins) {
            (None, true) => Some((recorder.add_node(recorder.here, state.guard), 1)),
            (Some((node, depth)), true) => Some((node, depth + 1)),
            (None, false) | (Some((_, 0 | 1)), false) => None,
            (Some((node, depth)), false) => Some((node, depth - 1)),
        };
    }

    /// To be called before two states become one.
    pub(crate) fn align(&mut self, a: &mut State, b: &mut State) {
        if self.eval.recorder.is_none() {
            return;
        }
        if a.published != b.published {
            self.publish(if a.published { b } else { a });
        }
        if a.section != b.section {
            self.cut_short("an atomic section that begins or ends on some paths only");
        }
    }

    /// From here on there are other threads.
    fn publish(&mut self, state: &mut State) {
        let n_objects = self.eval.objects.ids().count() as u64;
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        if std::mem::replace(&mut state.published, true) {
            return;
        }
        recorder.n_stable.get_or_insert(n_objects);
        let (node, position) = (recorder.silent_node(state), recorder.position());
        let whole =
            Whole { object: None, node, position, guard: state.guard, state: Some(state.clone()) };
        recorder.wholes.push(whole);
    }

    /// Takes note of an object's birth.
    pub(crate) fn note_object(
        &mut self,
        state: &State,
        object: ObjectId,
        symbol: Option<SymbolId>,
    ) {
        if self.eval.recorder.is_none() {
            return;
        }
        let frame = self.frame();
        let key = match symbol {
            Some(symbol) => Key::Variable(symbol),
            None => Key::Allocation(frame.function, frame.at),
        };
        self.note_named_object(state, object, key);
    }

    fn note_named_object(&mut self, state: &State, object: ObjectId, key: Key) {
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        recorder.keys.insert(object, key);
        if state.published && recorder.shared.contains(&key) {
            recorder.note(object, true);
            let (node, position) = (recorder.silent_node(state), recorder.position());
            let (object, guard) = (Some(object), state.guard);
            recorder.wholes.push(Whole {
                object,
                node,
                position,
                guard,
                state: Some(state.clone()),
            });
        }
    }

    /// Takes note of an object's death under a condition.
    pub(crate) fn note_end(&mut self, state: &State, object: ObjectId, dies: TermId) {
        let Some(recorder) = self.eval.recorder.as_mut().filter(|_| state.published) else {
            return;
        };
        if recorder.keys.contains_key(&object) && recorder.note(object, true) {
            let (node, position) = (recorder.silent_node(state), recorder.position());
            recorder.ended.insert(object);
            let guard = self.eval.store.and(state.guard, dies);
            recorder.wholes.push(Whole {
                object: Some(object),
                node,
                position,
                guard,
                state: None,
            });
        }
    }

    /// Starts a thread, and executes it.
    pub(crate) fn spawn(
        &mut self,
        mut state: State,
        dest: Option<ExprId>,
        callee: &Callee,
        arg: ExprId,
        span: Span,
    ) -> Option<State> {
        let value = self.eval.value(&mut state, arg);
        let function = match callee {
            Callee::Direct(function) => Some(*function),
            Callee::Indirect(pointer) => {
                let types: [TypeId; 1] = [self.program.exprs.ty(arg)];
                let pointer = self.eval.term(&mut state, *pointer);
                // A function with no parameter is called with none: only one of the two fits.
                let n_left_out = self.eval.objects.left_out.len();
                let (with, _) = self.callees(&state, pointer, &types, None);
                let (without, _) = self.callees(&state, pointer, &[], None);
                self.eval.objects.left_out.truncate(n_left_out);
                self.eval.faults.clear();
                match (&with[..], &without[..]) {
                    ([(_, function)], []) | ([], [(_, function)]) => Some(*function),
                    _ => None,
                }
            }
        };
        self.settle(state.guard, span);
        let Some(function) = function.filter(|&f| self.program.functions[f].body.is_some()) else {
            return self.unsupported(state, "a thread that is one of several functions", span);
        };
        let args = match self.program.functions[function].params.len() {
            0 => Vec::new(),
            _ => vec![value],
        };
        self.publish(&mut state);
        let recorder = self.eval.recorder.as_mut()?;
        let number = recorder.n_threads;
        if number as usize >= MAX_THREADS {
            return self.unsupported(state, "so many threads", span);
        }
        recorder.n_threads += 1;
        let node = recorder.silent_node(&state);
        recorder.events.started_by.push(Some(node));
        recorder.last.push(None);
        recorder.ends.push(None);
        self.note_moments();
        self.run_thread(&state, number, function, &args, span);
        if let Some(dest) = dest {
            let ty = self.program.exprs.ty(dest);
            let width = match self.eval.scalar(ty) {
                Some(Scalar::Int(width)) => width,
                _ => return self.unsupported(state, "a thread number that is no integer", span),
            };
            let value = self.eval.store.bv_u64(width, number.into());
            self.give(&mut state, dest, &Value::Term(value), span);
        }
        Some(state)
    }

    /// Gives a new thread its own thread-local variables; those of whoever starts it.
    fn make_thread_locals(&mut self, state: &mut State) -> Vec<(SymbolId, ObjectId)> {
        let Some(recorder) = self.eval.recorder.as_ref() else { return Vec::new() };
        let own = recorder.own.clone();
        let mut outer = Vec::new();
        for (symbol, first, content) in own {
            outer.extend(self.eval.objects.static_object(symbol).map(|object| (symbol, object)));
            let info = self.eval.objects.get(first);
            let (origin, ty, size, align) = (info.origin, info.ty, info.size, info.align);
            let object = self.eval.objects.add(origin, ty, size, align);
            state.set_object(object, content);
            self.eval.objects.set_static(symbol, object);
            self.note_named_object(state, object, Key::Variable(symbol));
        }
        outer
    }

    /// Executes a thread from the state of whoever starts it.
    fn run_thread(
        &mut self,
        state: &State,
        number: u32,
        function: FunctionId,
        args: &[Value],
        span: Span,
    ) {
        let mut own = state.clone();
        own.section = None;
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        let (thread, here, step) = (recorder.thread, recorder.here, recorder.step.take());
        recorder.thread = number;
        let outer = self.make_thread_locals(&mut own);
        let frames = std::mem::take(&mut self.execution.frames);
        let activations = std::mem::take(&mut self.execution.activations);
        let returned = self.call(own, function, args, false, span);
        self.note_moments();
        let end = returned.map(|(state, result)| {
            let content = result.and_then(|result| state.object(result)).map(|o| o.content.clone());
            let value = content.map(|content| {
                let scalar = Scalar::Pointer;
                Value::Term(content.read(&mut self.eval.ctx(), 0, scalar))
            });
            (state.guard, value)
        });
        for (symbol, object) in outer {
            self.eval.objects.set_static(symbol, object);
        }
        self.execution.frames = frames;
        self.execution.activations = activations;
        self.eval.depth = self.execution.frames.len();
        self.eval.next_instruction();
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        let never = self.eval.store.false_term();
        let (guard, value) = end.unwrap_or((never, None));
        let node = recorder.add_node(None, guard);
        recorder.ends[number as usize] = Some((node, guard, value));
        self.note_thread_end(number, node, guard);
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        (recorder.thread, recorder.here, recorder.step) = (thread, here, step);
    }

    /// Waits for a thread.
    pub(crate) fn join(
        &mut self,
        mut state: State,
        thread: ExprId,
        dest: Option<ExprId>,
        span: Span,
    ) -> Option<State> {
        let number = self.eval.term(&mut state, thread);
        self.settle(state.guard, span);
        let Some(number) = self.eval.store.bv_value(number).and_then(BitVec::to_u64) else {
            return self.join_one_of(state, number, dest, span);
        };
        if number == 0 {
            // The first thread ends with the program.
            return None;
        }
        let node = self.eval.recorder.as_mut().map(|recorder| recorder.silent_node(&state))?;
        let recorder = self.eval.recorder.as_mut()?;
        let end = usize::try_from(number).ok().and_then(|n| recorder.ends.get(n).cloned());
        let Some((last, ended, value)) = end.flatten() else {
            // A thread waits for itself, or for one that is started elsewhere.
            return self.unsupported(state, "a join with a thread that is under way", span);
        };
        if last >= node {
            return self.unsupported(
                state,
                "a thread that starts and ends in an atomic section",
                span,
            );
        }
        recorder.events.nodes[node as usize].before.push(last);
        state.guard = self.eval.store.and(state.guard, ended);
        if state.guard == self.eval.store.false_term() {
            return None;
        }
        if let Some(dest) = dest {
            let value = value.unwrap_or_else(|| Value::Term(self.eval.zero_pointer()));
            self.give(&mut state, dest, &value, span);
        }
        Some(state)
    }
}
