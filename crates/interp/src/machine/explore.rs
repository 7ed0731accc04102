//! All executions of a program: every schedule, and every choice among few values, state by state.
//!
//! **Idea.** The machine stops at each point at which another thread may go on. There the state is looked up among those that
//! were met before; if it is new, each thread that can go on makes a step from it. When no state is left, every execution has been
//! seen, however long it is: loops that wait come back to states that are known.
//!
//! **States** are compared by a fingerprint of 128 bits of all that the machine goes on from: threads with their calls, live objects with
//! their bytes. A handle counts as the address of its object, since handles differ with the history of an execution and
//! addresses on stacks do not. What an instruction has computed and the next one does not see is cleared before.
//!
//! **Races.** Two threads are in a race where both can make a step from one state and the steps access the same bytes, one of
//! them to write, and not both in an atomic section. Under sequential consistency a program has a race if and only if it has such a state.
//! So nothing needs to be remembered of earlier accesses, and states that differ in these alone are one.
//!
//! **Deadlocks.** A thread that waits tries again from each state. Where none that tries gets on, all wait for ever.

use super::{Machine, Options, Schedule, State, Stop, Thread, Turns};
use crate::inputs::{InputType, InputValue, Inputs, Request};
use crate::memory::Memory;
use crate::outcome::Outcome;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::rc::Rc;
use vergo_goto::program::Program;
use vergo_num::BitVec;

/// The end of an exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explored {
    /// All executions were seen, and none violates a claim.
    Safe {
        /// The states that were met.
        states: u64,
    },
    /// This execution does.
    Violated {
        /// Its schedule.
        schedule: Turns,
        /// Its inputs.
        inputs: Vec<InputValue>,
    },
    /// Not all executions were seen, and why.
    Unknown(String),
}

/// Values of a choice that are all tried, at most.
const MAX_VALUES: u64 = 256;
/// States are not remembered beyond this many.
const MAX_STATES: usize = 40_000_000;
/// Bytes of states from which other threads go on.
const MAX_BYTES: usize = 1 << 30;

/// Bytes of a state that are copied and looked at in the time of an elementary step.
const BYTES_PER_STEP: u64 = 8;

/// An access of memory, where races are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touched {
    pub(crate) address: u64,
    pub(crate) len: u64,
    pub(crate) writes: bool,
    pub(crate) in_section: bool,
}

impl Touched {
    fn races_with(&self, other: &Touched) -> bool {
        (self.writes || other.writes)
            && !(self.in_section && other.in_section)
            && self.address < other.address.saturating_add(other.len)
            && other.address < self.address.saturating_add(self.len)
    }
}

/// The choices of one step, tried one after the other.
#[derive(Default)]
struct Script {
    /// The number of the value that is tried, and of how many.
    chosen: Vec<(u64, u64)>,
    /// The choices that the step has made so far.
    made: usize,
    values: Vec<InputValue>,
}

impl Script {
    fn rewind(&mut self) {
        self.made = 0;
        self.values.clear();
    }

    /// Goes on to the next combination of values, if there is one.
    fn advance(&mut self) -> bool {
        self.chosen.truncate(self.made);
        while let Some((number, of)) = self.chosen.last_mut() {
            *number += 1;
            if *number < *of {
                return true;
            }
            self.chosen.pop();
        }
        false
    }
}

struct Scripted(Rc<RefCell<Script>>);

impl Inputs for Scripted {
    fn choose(&mut self, request: &Request<'_>) -> Result<InputValue, String> {
        let of = match request.ty {
            InputType::Bool => 2,
            InputType::Int(_, width) if width < 63 => 1u64 << width,
            _ => u64::MAX,
        };
        if of > MAX_VALUES {
            return Err("a choice among many values".to_owned());
        }
        let mut script = self.0.borrow_mut();
        if script.made == script.chosen.len() {
            script.chosen.push((0, of));
        }
        let (number, _) = script.chosen[script.made];
        script.made += 1;
        let value = match request.ty {
            InputType::Int(_, width) => InputValue::Int(BitVec::from_u64(width, number)),
            _ => InputValue::Bool(number == 1),
        };
        script.values.push(value.clone());
        Ok(value)
    }
}

/// The data from which a machine continues.
#[derive(Clone)]
struct Snapshot {
    memory: Memory,
    threads: Vec<Thread>,
    chosen: rustc_hash::FxHashMap<[i64; 3], i64>,
}

/// A state from which threads go on.
struct Node {
    snapshot: Snapshot,
    bytes: usize,
    /// The threads that have not gone on from here yet, the next last.
    pending: Vec<usize>,
    script: Script,
    /// The step that reached the state: the thread, and its choices.
    by: (usize, Vec<InputValue>),
    /// The accesses in the steps of threads, for races.
    touched: Vec<(usize, Vec<Touched>)>,
    /// True if some thread could continue.
    goes_on: bool,
}

/// Executes a program in every way.
pub fn explore<'a>(program: &'a Program, options: Options<'a>) -> Explored {
    let script = Rc::new(RefCell::new(Script::default()));
    let options = Options {
        inputs: Box::new(Scripted(script.clone())),
        schedule: Schedule::Each,
        step_by_step: true,
        check_uninitialized: true,
        opaque_pointers: true,
        ..options
    };
    let mut machine = Machine::new(program, options);
    if machine.races.take().is_some() {
        machine.touched = Some(Vec::new());
    }
    let Some(entry) = program.entry else {
        return Explored::Unknown("the program has no entry function".to_owned());
    };
    if let Err(stop) = machine.start(entry) {
        return Explored::Unknown(unknown(&machine.outcome(stop)));
    }
    if script.borrow().made > 0 {
        return Explored::Unknown("a choice before the beginning".to_owned());
    }
    Search { machine, script, seen: FxHashSet::default(), nodes: Vec::new(), bytes: 0 }.run()
}

struct Search<'a> {
    machine: Machine<'a>,
    script: Rc<RefCell<Script>>,
    seen: FxHashSet<u128>,
    nodes: Vec<Node>,
    bytes: usize,
}

impl Search<'_> {
    fn run(mut self) -> Explored {
        self.arrive((0, Vec::new()));
        while let Some(node) = self.nodes.last_mut() {
            let Some(&thread) = node.pending.last() else {
                if !node.goes_on && node.snapshot.waits_for_ever() {
                    return self.violated([]);
                }
                self.bytes -= node.bytes;
                self.nodes.pop();
                continue;
            };
            std::mem::swap(&mut *self.script.borrow_mut(), &mut node.script);
            self.script.borrow_mut().rewind();
            self.machine.restore(node.snapshot.clone());
            self.machine.count_steps(node.bytes as u64 / BYTES_PER_STEP);
            let ended = self.machine.step_of(thread);
            let waits = |t: &Thread| matches!(t.state, State::Excluded(_));
            let (before, after) = (&node.snapshot.threads[thread], &self.machine.threads[thread]);
            node.goes_on |= ended.is_some() || !waits(before) || !waits(after);
            let mut by = Vec::new();
            std::mem::swap(&mut by, &mut self.script.borrow_mut().values);
            let more = self.script.borrow_mut().advance();
            std::mem::swap(&mut *self.script.borrow_mut(), &mut node.script);
            if !more {
                node.pending.pop();
                node.script = Script::default();
            }
            if let Some(touched) = &mut self.machine.touched {
                let touched = std::mem::take(touched);
                let raced = node.touched.iter().find(|(other, accesses)| {
                    *other != thread
                        && accesses.iter().any(|a| touched.iter().any(|b| a.races_with(b)))
                });
                if let Some(&(other, _)) = raced {
                    return self.violated([(other, Vec::new()), (thread, by)]);
                }
                node.touched.push((thread, touched));
            }
            match ended {
                None => {
                    self.arrive((thread, by));
                    if self.seen.len() > MAX_STATES || self.bytes > MAX_BYTES {
                        return Explored::Unknown("there are too many states".to_owned());
                    }
                }
                Some(Outcome::Violation(violation)) if !violation.fault => {
                    return self.violated([(thread, by)]);
                }
                Some(
                    Outcome::Exited(_)
                    | Outcome::Aborted(_)
                    | Outcome::AssumptionFailed(_)
                    | Outcome::Deadlock(_),
                ) => {}
                Some(outcome) => return Explored::Unknown(unknown(&outcome)),
            }
        }
        Explored::Safe { states: self.seen.len() as u64 }
    }

    /// A step has ended in a state.
    fn arrive(&mut self, by: (usize, Vec<InputValue>)) {
        let machine = &mut self.machine;
        let pending: Vec<usize> = (0..machine.threads.len())
            .rev()
            .filter(|&i| machine.may_go_on(&machine.threads[i]))
            .collect();
        if pending.is_empty() || !self.seen.insert(machine.fingerprint()) {
            return;
        }
        let snapshot = machine.snapshot();
        let bytes = snapshot.bytes();
        self.bytes += bytes;
        let (script, touched) = (Script::default(), Vec::new());
        self.nodes.push(Node { snapshot, bytes, pending, script, by, touched, goes_on: false });
    }

    /// The execution that leads to the last state, and on.
    fn violated<const N: usize>(&self, last: [(usize, Vec<InputValue>); N]) -> Explored {
        let mut turns: Vec<(u32, u32)> = Vec::new();
        let mut inputs = Vec::new();
        // The first state is the beginning, and up to the first point of two threads nobody decides.
        let steps = self.nodes.iter().skip(1).map(|node| &node.by).chain(&last);
        for (thread, values) in steps {
            let thread = *thread as u32;
            match turns.last_mut() {
                Some((other, steps)) if *other == thread => *steps += 1,
                _ => turns.push((thread, 1)),
            }
            inputs.extend(values.iter().cloned());
        }
        if let Some((_, steps)) = turns.first_mut() {
            *steps -= 1;
        }
        turns.retain(|&(_, steps)| steps > 0);
        Explored::Violated { schedule: Turns(turns), inputs }
    }
}

fn unknown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violation(fault) => format!("an execution stops at {}", fault.claim.property),
        Outcome::LimitReached { limit, .. } => format!("the {limit} is met"),
        Outcome::Unsupported { what, .. } => what.clone(),
        Outcome::NoInput { reason, .. } => reason.clone(),
        Outcome::NotExecutable(why) => why.clone(),
        _ => "an execution ends in an unexpected way".to_owned(),
    }
}

impl Snapshot {
    /// Returns whether every thread that has not ended waits, and one of them for an event that is claimed to come. Whether
    /// nobody can go on has been tried.
    fn waits_for_ever(&self) -> bool {
        let awaits = |t: &Thread| matches!(t.state, State::Excluded(_)) && t.awaits;
        self.threads.iter().any(awaits)
            && self
                .threads
                .iter()
                .all(|t| awaits(t) || matches!(t.state, State::Joining(_) | State::Ended))
    }

    fn bytes(&self) -> usize {
        let threads = self.threads.iter().map(|t| 8 * t.regs.len() + 16 * t.slots.len() + 256);
        threads.sum::<usize>() + self.memory.bytes()
    }
}

impl Machine<'_> {
    /// Returns whether a thread could make a step, or try to.
    fn may_go_on(&self, t: &Thread) -> bool {
        match t.state {
            State::Ready | State::Excluded(_) => true,
            State::Joining(other) => other.is_some_and(|i| self.threads[i].state == State::Ended),
            State::Ended => false,
        }
    }

    /// Counts what takes as long as so many steps.
    fn count_steps(&mut self, steps: u64) {
        self.steps_left = self.steps_left.saturating_sub(steps);
    }

    fn snapshot(&mut self) -> Snapshot {
        for t in &mut self.threads {
            let top = t.frames.last().map_or((0, 0), |frame| {
                let code = &frame.code;
                (frame.fp + code.n_regs as usize, frame.big_fp + code.n_bigs as usize)
            });
            t.regs.truncate(top.0);
            t.bigs.truncate(top.1);
        }
        let (memory, threads) = (self.memory.clone(), self.threads.clone());
        Snapshot { memory, threads, chosen: self.chosen.clone() }
    }

    fn restore(&mut self, snapshot: Snapshot) {
        Snapshot { memory: self.memory, threads: self.threads, chosen: self.chosen } = snapshot;
    }

    /// Lets a thread make one step; how the execution ends, if it does.
    fn step_of(&mut self, thread: usize) -> Option<Outcome> {
        self.current = thread;
        self.threads[thread].state = State::Ready;
        loop {
            let mut t = std::mem::take(&mut self.threads[thread]);
            let fuel = self.alone.turn.min(self.steps_left);
            self.at_point = false;
            let (used, stop) = self.execute(&mut t, fuel);
            self.steps_left -= used.min(self.steps_left);
            let rests = self.at_point || t.state != State::Ready;
            if self.at_point {
                clear_temporaries(&mut t);
            }
            self.threads[thread] = t;
            match stop {
                Stop::Turn if rests => return self.between_turns(),
                Stop::Turn => {
                    if let Some(outcome) = self.between_turns() {
                        return Some(outcome);
                    }
                }
                Stop::Excluded => {
                    let outcome = self.wait_for_assumption();
                    clear_temporaries(&mut self.threads[thread]);
                    return outcome;
                }
                stop => return Some(self.outcome(stop)),
            }
        }
    }

    /// Returns a fingerprint of the state without the parts that make no difference from here on.
    fn fingerprint(&self) -> u128 {
        let mut digest = Digest::default();
        for t in &self.threads {
            self.digest_thread(&mut digest, t);
        }
        self.memory.digest(&mut digest);
        let mut chosen: Vec<_> = self.chosen.iter().collect();
        chosen.sort_unstable();
        for (key, value) in chosen {
            key.iter().chain([value]).for_each(|&word| digest.word(word as u64));
        }
        digest.finish()
    }

    fn digest_thread(&self, digest: &mut Digest, t: &Thread) {
        let memory = &self.memory;
        match t.state {
            State::Ready => digest.word(0),
            State::Joining(other) => {
                digest.word(1);
                digest.word(other.map_or(0, |i| i as u64 + 1));
            }
            State::Excluded(_) => digest.word(2),
            State::Ended => {
                digest.word(3);
                digest.word(t.result.0);
                digest.word(memory.canonical(t.result.1));
                return;
            }
        }
        digest.word(u64::from(t.atomic) << 1 | u64::from(t.atomic_library));
        digest.word(t.frames.len() as u64);
        for frame in &t.frames {
            for word in [
                u64::from(frame.function.as_u32()) << 32 | u64::from(frame.pc),
                frame.fp as u64,
                frame.slot_base as u64,
                frame.stack_height as u64,
                frame.stack_top,
            ] {
                digest.word(word);
            }
        }
        let top = t.frames.last().map_or(0, |frame| frame.fp + frame.code.n_regs as usize);
        t.regs[..top.min(t.regs.len())].iter().for_each(|&word| digest.word(word));
        for big in &t.bigs {
            digest.bytes(&big.bytes);
            digest.bytes(big.init.as_deref().unwrap_or_default());
            for &(at, address, handle) in &big.notes {
                digest.word(at);
                digest.word(address);
                digest.word(memory.canonical(handle));
            }
        }
        for slot in &t.slots {
            digest.word(memory.canonical(slot.handle));
            digest.word(u64::from(slot.place));
        }
        t.locals.iter().for_each(|&handle| digest.word(memory.canonical(handle)));
    }
}

/// Clears what the instructions before a point have computed; nothing behind it sees that.
fn clear_temporaries(t: &mut Thread) {
    let Some(frame) = t.frames.last() else { return };
    let code = &frame.code;
    let (first, end) = (code.first_temp as usize, code.n_regs as usize);
    if first < end {
        t.regs[frame.fp + first..frame.fp + end].fill(0);
    }
}

/// A fingerprint of words and bytes.
pub(crate) struct Digest([DefaultHasher; 2]);

impl Default for Digest {
    fn default() -> Digest {
        let mut both = [DefaultHasher::new(), DefaultHasher::new()];
        both[1].write_u64(0x9e37_79b9_7f4a_7c15);
        Digest(both)
    }
}

impl Digest {
    pub(crate) fn word(&mut self, word: u64) {
        self.0.iter_mut().for_each(|hasher| hasher.write_u64(word));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        self.0.iter_mut().for_each(|hasher| hasher.write(bytes));
    }

    fn finish(&self) -> u128 {
        u128::from(self.0[0].finish()) << 64 | u128::from(self.0[1].finish())
    }
}
