//! The order of the steps of a counterexample's threads, as real threads can be made to follow it.
//!
//! An execution is a sequence of accesses of memory and calls that synchronise. Listed are the accesses that the user's own
//! functions make outside of the stack of the thread that makes them, each by whether it writes and its size, and the
//! calls of [`CALLS`] when they return: what they wait for has happened then. A thread is started before the call that does
//! it returns. A compiler's instrumentation sees the same accesses in each thread.

use crate::counterexample::Counterexample;
use crate::execution::StepKind;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_goto::program::{Function, FunctionId, Instr, InstrKind, Program};
use vergo_interp::{Access, AccessKind, Event, Machine, Options, Outcome, Tracer, What};
use vergo_smt::Budget;

/// Calls that are steps. The test driver has a function for each of these.
pub const CALLS: [&str; 18] = [
    CREATE,
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "pthread_cond_wait",
    "pthread_barrier_wait",
    "free",
];

/// The call that starts a thread.
const CREATE: &str = "pthread_create";

/// Steps that are listed at most.
const MOST_STEPS: usize = 20_000;

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForcedStep {
    /// The thread, by number.
    pub thread: usize,
    /// The kind of step.
    pub kind: ForcedKind,
}

/// The kind of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedKind {
    /// A read of so many bytes.
    Read(u64),
    /// A write of so many bytes.
    Write(u64),
    /// One of the [`CALLS`].
    Call(usize),
    /// An atomic section, whatever is accessed in it.
    Section,
}

/// An order of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forced {
    /// The steps.
    pub steps: Vec<ForcedStep>,
    /// The thread that fails.
    pub failing: usize,
    /// The step that is the earlier access of the race, if it is one.
    pub racing: Option<usize>,
    /// For each input of the counterexample, the thread that asks for it; empty if that is not known.
    pub inputs: Vec<usize>,
}

struct Watch<'a> {
    program: &'a Program,
    seen: Rc<RefCell<Record>>,
}

#[derive(Default)]
struct Record {
    /// Steps, with the addresses of accesses.
    steps: Vec<(ForcedStep, u64)>,
    /// The number of steps before each access that is claimed to be in no race.
    begun: Vec<usize>,
    /// The threads that have started another in the call that they are in.
    starting: BTreeSet<usize>,
    /// The reads of each thread for the assumption that it waits at: the function, the instruction, and addresses.
    assuming: BTreeMap<usize, (FunctionId, usize, Vec<u64>)>,
    /// The section that each thread is in.
    sections: BTreeMap<usize, Section>,
}

/// An atomic section: where it begins, how many calls are active, and the last instruction in it that was seen.
#[derive(Clone, Copy)]
struct Section {
    function: FunctionId,
    begin: usize,
    depth: usize,
    instr: usize,
}

impl Record {
    /// A thread for which an assumption is false tries again later: what it has read before does not count.
    fn look(&mut self, access: &Access, is_assumption: bool) {
        if !is_assumption {
            self.assuming.remove(&access.thread);
            return;
        }
        let at = (access.function, access.instr);
        let known = self.assuming.entry(access.thread).or_insert((at.0, at.1, Vec::new()));
        if (known.0, known.1) != at {
            *known = (at.0, at.1, Vec::new());
        }
        if known.2.contains(&access.address) {
            for _ in 0..std::mem::take(&mut known.2).len() {
                let of_thread = |(step, _): &(ForcedStep, u64)| step.thread == access.thread;
                if let Some(last) = self.steps.iter().rposition(of_thread) {
                    self.steps.remove(last);
                }
            }
        }
        known.2.push(access.address);
    }
}

impl Watch<'_> {
    /// Returns whether an access is in an atomic section, which begins with that instruction of its function, or in a function
    /// that is called there. The section is a step.
    fn is_in_section(&mut self, access: &Access, begin: Option<usize>) -> bool {
        let last = self.seen.borrow().sections.get(&access.thread).copied();
        if last.is_some_and(|last| last.depth < access.depth) {
            return true;
        }
        let Some(begin) = begin else {
            self.seen.borrow_mut().sections.remove(&access.thread);
            return false;
        };
        let Access { function, depth, instr, .. } = *access;
        let goes_on = last.is_some_and(|last| {
            (last.function, last.begin, last.depth) == (function, begin, depth)
                && last.instr <= instr
        });
        let section = Section { function, begin, depth, instr };
        self.seen.borrow_mut().sections.insert(access.thread, section);
        if !goes_on {
            self.push(access.thread, ForcedKind::Section, 0);
        }
        true
    }

    /// A thread starts another.
    fn start(&mut self, thread: usize) {
        if self.seen.borrow_mut().starting.insert(thread) {
            let call = CALLS.iter().position(|name| *name == CREATE).unwrap_or(0);
            self.push(thread, ForcedKind::Call(call), 0);
        }
    }

    fn push(&mut self, thread: usize, kind: ForcedKind, address: u64) {
        let mut seen = self.seen.borrow_mut();
        if seen.steps.len() <= MOST_STEPS {
            seen.steps.push((ForcedStep { thread, kind }, address));
        }
    }
}

/// Where the atomic section begins that an instruction of the user's function stands in. That functions of certain names are atomic
/// is nothing that a compiled program knows.
fn section(function: &Function, instr: usize) -> Option<usize> {
    if function.display.starts_with("__VERIFIER_atomic_") {
        return None;
    }
    let body = function.body.as_deref()?.get(..instr)?;
    let of_section = |i: &Instr| matches!(i.kind, InstrKind::AtomicBegin | InstrKind::AtomicEnd);
    let last = body.iter().rposition(of_section)?;
    matches!(body[last].kind, InstrKind::AtomicBegin).then_some(last)
}

impl Tracer for Watch<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let function = &self.program.functions[event.function];
        if let What::Called { .. } = event.what
            && section(function, event.instr).is_none()
        {
            // Whoever is called is in a section only if the call is.
            let sections = &mut self.seen.borrow_mut().sections;
            if sections.get(&event.thread).is_some_and(|last| last.depth >= event.depth) {
                sections.remove(&event.thread);
            }
        }
        if let InstrKind::Spawn { .. } = event.kind {
            self.start(event.thread);
        }
        if event.what == What::Returned
            && function.library
            && let Some(call) = CALLS.iter().position(|name| *name == function.display)
        {
            let was_starting = self.seen.borrow_mut().starting.remove(&event.thread);
            if CALLS[call] != CREATE || !was_starting {
                self.push(event.thread, ForcedKind::Call(call), 0);
            }
        }
    }

    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, access: &Access) {
        let function = &self.program.functions[access.function];
        let instr = function.body.as_deref().and_then(|body| body.get(access.instr));
        // What only a claim looks at is not accessed by the program.
        let is_claim = matches!(instr.map(|instr| &instr.kind),
            Some(InstrKind::Assert(_, claim)) if !claim.property.starts_with("user."));
        if let Some(InstrKind::Spawn { .. }) = instr.map(|instr| &instr.kind) {
            self.start(access.thread);
        }
        if function.library || is_claim {
            return;
        }
        let begin = section(function, access.instr);
        if self.is_in_section(access, begin) {
            return;
        }
        let is_assumption = matches!(instr.map(|i| &i.kind), Some(InstrKind::Assume(_)));
        self.seen.borrow_mut().look(access, is_assumption);
        let kind = match access.kind {
            AccessKind::Read => ForcedKind::Read(access.size),
            AccessKind::Write => ForcedKind::Write(access.size),
        };
        self.push(access.thread, kind, access.address);
    }

    fn claimed(&mut self, _: u64) {
        let mut seen = self.seen.borrow_mut();
        let n_steps = seen.steps.len();
        seen.begun.push(n_steps);
    }
}

impl Counterexample {
    /// The order of its steps; none if it has one thread, is too long, or cannot be watched.
    pub fn forced(&self, program: &Program, budget: &Budget) -> Option<Forced> {
        if self.choices().schedule.0.iter().all(|(thread, _)| *thread == 0) {
            return None;
        }
        let seen = Rc::new(RefCell::new(Record::default()));
        let watch = Watch { program, seen: Rc::clone(&seen) };
        let options = Options { trace: Some(Box::new(watch)), ..self.choices().options(budget) };
        let mut machine = Machine::new(program, options);
        let Outcome::Violation(violation) = machine.run() else { return None };
        if violation.claim != *self.claim() {
            return None;
        }
        let seen = seen.take();
        if seen.steps.len() > MOST_STEPS {
            return None;
        }
        let racing = machine.race().filter(|_| violation.claim.property == "race");
        let (mut at, mut racing_step) = (None, None);
        if let Some([earlier, _]) = racing {
            at = usize::try_from(earlier.number).ok().and_then(|n| seen.begun.get(n).copied());
        }
        let mut steps = Vec::new();
        for (i, &(step, address)) in seen.steps.iter().enumerate() {
            let is_call = matches!(step.kind, ForcedKind::Call(_) | ForcedKind::Section);
            if !is_call && machine.stack_at(address) == Some(step.thread) {
                continue;
            }
            // The access is the first of its kind behind its claim.
            if let (Some(from), Some([earlier, _]), None) = (at, racing, racing_step)
                && i >= from
                && step.thread == earlier.thread
                && !is_call
                && matches!(step.kind, ForcedKind::Write(_)) == earlier.writes
            {
                racing_step = Some(steps.len());
            }
            steps.push(step);
        }
        let failing = machine.thread();
        drop(machine);
        let inputs: Vec<usize> = self
            .execution(program, budget)
            .steps
            .iter()
            .filter(|step| matches!(step.what, StepKind::Input { .. }))
            .map(|step| step.thread)
            .collect();
        let inputs = if inputs.len() == self.inputs().len() { inputs } else { Vec::new() };
        Some(Forced { steps, failing, racing: racing_step, inputs })
    }
}
