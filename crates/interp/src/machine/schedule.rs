//! Whose turn it is.
//!
//! Threads take turns at *points*: before instructions that access what others may reach, and where a thread waits or ends. At
//! each, a decision says which thread makes the next step, up to its next point. A schedule is the sequence of these
//! decisions ([`Turns`]). Given the inputs, it determines the execution, whoever made the decisions: a seed, priorities, or a
//! schedule that was recorded before.
//!
//! **Priorities** are probabilistic concurrency testing (S. Burckhardt et al., *A randomized scheduler with probabilistic
//! guarantees of finding bugs*, ASPLOS 2010): the thread of the highest priority goes on; priorities are random, and at a few
//! random decisions the current one becomes the lowest. With `d - 1` such changes among `k` decisions of `n` threads, a bug that
//! needs `d` orderings is met with a probability of at least `1 / (n k^(d-1))`. A thread that goes on for very long loses
//! its priority, since it may wait for others in a loop.
//!
//! **Few of many.** Where thousands of threads are started, few of them are needed for a bug, and priorities that change among all
//! decisions change while threads are being started. So only some threads take part, the first ones and others by chance, and the
//! decisions right after a start do not count; the others go on when nobody else can.

use super::{CLOCK_AFTER_LEAP, Machine, State, Stop, Thread};
use crate::code::{Op, Slow};
use crate::outcome::{Limit, Outcome};
use std::fmt;
use std::time::Instant;
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::program::{FunctionId, InstrKind, Program};

/// The way in which threads take turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// In order, each for a fixed number of decisions.
    RoundRobin,
    /// By a seed: at each decision another thread goes on with a probability that depends on the seed.
    Seed(u64),
    /// By priorities, of which so many change among so many decisions.
    Priorities {
        /// Where they come from.
        seed: u64,
        /// The number of changes.
        changes: u32,
        /// The number of decisions among which they do.
        among: u64,
    },
    /// By priorities among few of the threads, of which so many change among so many decisions.
    Few {
        /// Where they come from.
        seed: u64,
        /// The number of changes.
        changes: u32,
        /// The number of decisions among which they do.
        among: u64,
    },
    /// As recorded; after its end the current thread goes on as long as it can.
    Recorded(Turns),
    /// By an order of some steps: a thread goes on until it comes to one of its steps in the list that is not the next of all;
    /// then the thread of that one does. After the end of the list the thread of the last step goes on as long as it can.
    Guided(Vec<Guide>),
    /// Whoever executes stops the machine at each point and says who goes on ([`super::explore`]).
    Each,
}

/// A step in an order of steps: the thread, the function and the instruction with which it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guide {
    /// The thread, by number.
    pub thread: u32,
    /// The function and the instruction; none if the thread is to go on to a point that no other step of it names.
    pub at: Option<(FunctionId, u32)>,
}

/// A schedule: which thread makes how many steps in a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turns(pub Vec<(u32, u32)>);

impl Turns {
    /// Reads a schedule: on each line the number of a thread and, unless it is one, how many steps it makes. `#` begins a
    /// comment.
    ///
    /// # Errors
    /// If a line is something else; the message names it.
    pub fn parse(text: &str) -> Result<Turns, String> {
        let mut turns = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> =
                line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let number_of = |word: &str| word.parse::<u32>().ok();
            match &words[..] {
                [] => continue,
                [thread] => turns.push(number_of(thread).map(|thread| (thread, 1))),
                [thread, steps] => turns.push(number_of(thread).zip(number_of(steps))),
                _ => turns.push(None),
            }
            if turns.last() == Some(&None) {
                return Err(format!(
                    "line {}: `{}` is not the number of a thread and of its steps",
                    number + 1,
                    line.trim()
                ));
            }
        }
        Ok(Turns(turns.into_iter().flatten().collect()))
    }
}

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(thread, steps)| writeln!(f, "{thread} {steps}"))
    }
}

/// Turns that are remembered at most.
const MAX_TURNS: usize = 1 << 20;
/// Decisions in a row that a thread may go on for, taking turns in order.
const TURN: u32 = 100;
/// The same by priority.
const LONG_TURN: u32 = 1000;
/// The first threads take part in a schedule of few, and one in so many of the others.
const FIRST: usize = 4;
const ONE_IN: u64 = 128;
/// Decisions after a start that do not count.
const AFTER_START: u32 = 8;

/// The maker of decisions, and the decisions so far.
pub(super) struct Scheduler {
    policy: Policy,
    random: u64,
    turns: Vec<(u32, u32)>,
    n_decisions: u64,
    /// Steps that were made: what was false before one may be true after it.
    n_steps: u64,
}

enum Policy {
    RoundRobin,
    /// Nobody decides: the machine stops.
    Each,
    /// Another thread goes on once in so many decisions.
    Random(u64),
    Priorities {
        of: Vec<u64>,
        changes: Vec<u64>,
        lowest: u64,
    },
    Few(Few),
    Recorded(std::vec::IntoIter<(u32, u32)>, (u32, u32)),
    Guided {
        steps: Vec<Guide>,
        /// The next of all.
        next: usize,
        /// The instructions before which threads have been stopped.
        stopped: Vec<Option<(FunctionId, u32)>>,
    },
}

/// Few of the threads, by priority.
struct Few {
    /// The threads that take part, with their priorities.
    of: Vec<(usize, u64)>,
    changes: Vec<u64>,
    lowest: u64,
    /// Decisions that count.
    n_counted: u64,
    /// The number of threads that were there, and of decisions since.
    n_threads: usize,
    since: u32,
}

impl Few {
    /// Who of the candidates goes on.
    fn decide(&mut self, current: usize, candidates: &[usize], in_a_row: u32) -> Option<usize> {
        let goes_on = candidates.contains(&current);
        self.since += 1;
        if self.since > AFTER_START {
            self.n_counted += 1;
        }
        let changes = self.changes.last().is_some_and(|&at| at <= self.n_counted);
        if changes || goes_on && self.since > AFTER_START && in_a_row >= LONG_TURN {
            self.changes.pop_if(|at| *at <= self.n_counted);
            self.lowest -= 1;
            let own = self.of.iter_mut().find(|(thread, _)| *thread == current);
            if let Some((_, priority)) = own {
                *priority = self.lowest;
            }
        }
        let priority = |thread: usize| self.of.iter().find(|(i, _)| *i == thread).map(|(_, p)| *p);
        candidates.iter().copied().max_by_key(|&i| priority(i))
    }
}

impl Scheduler {
    pub(super) fn new(schedule: &Schedule) -> Scheduler {
        let mut scheduler = Scheduler {
            policy: Policy::RoundRobin,
            random: 1,
            turns: Vec::new(),
            n_decisions: 0,
            n_steps: 0,
        };
        match *schedule {
            Schedule::RoundRobin => {}
            Schedule::Each => scheduler.policy = Policy::Each,
            Schedule::Seed(seed) => {
                scheduler.seed(seed);
                scheduler.policy = Policy::Random([2, 5, 20, 100][(seed % 4) as usize]);
            }
            Schedule::Priorities { seed, changes, among } => {
                scheduler.seed(seed);
                let mut at: Vec<u64> =
                    (0..changes).map(|_| scheduler.random() % among.max(1)).collect();
                at.sort_unstable_by(|a, b| b.cmp(a));
                scheduler.policy =
                    Policy::Priorities { of: Vec::new(), changes: at, lowest: 1 << 40 };
            }
            Schedule::Few { seed, changes, among } => {
                scheduler.seed(seed);
                let mut at: Vec<u64> =
                    (0..changes).map(|_| scheduler.random() % among.max(1)).collect();
                at.sort_unstable_by(|a, b| b.cmp(a));
                scheduler.policy = Policy::Few(Few {
                    of: Vec::new(),
                    changes: at,
                    lowest: 1 << 40,
                    n_counted: 0,
                    n_threads: 0,
                    since: 0,
                });
            }
            Schedule::Recorded(ref turns) => {
                scheduler.policy = Policy::Recorded(turns.0.clone().into_iter(), (0, 0));
            }
            Schedule::Guided(ref steps) => {
                let (steps, stopped) = (steps.clone(), Vec::new());
                scheduler.policy = Policy::Guided { steps, next: 0, stopped };
            }
        }
        scheduler
    }

    /// The decisions that were made.
    pub(super) fn recorded(&self) -> Option<Turns> {
        (self.turns.len() < MAX_TURNS).then(|| Turns(self.turns.clone()))
    }

    fn seed(&mut self, seed: u64) {
        // Neighbouring seeds begin far from each other.
        let mixed = (seed ^ seed >> 31).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.random = (mixed ^ mixed >> 27) | 1;
    }

    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 11
    }

    /// The only thread makes a step.
    fn pass(&mut self, at: Option<(FunctionId, u32)>) {
        if let Policy::Guided { steps, next, .. } = &mut self.policy
            && steps.get(*next).is_some_and(|step| at.is_some() && step.at == at)
        {
            *next += 1;
        }
    }

    /// New threads may take part in a schedule of few.
    fn welcome(&mut self, n_threads: usize) {
        let known = match &self.policy {
            Policy::Few(few) => few.n_threads,
            _ => return,
        };
        for thread in known..n_threads {
            let (chance, priority) = (self.random(), self.random());
            let Policy::Few(few) = &mut self.policy else { return };
            (few.n_threads, few.since) = (n_threads, 0);
            if thread < FIRST || chance.is_multiple_of(ONE_IN) {
                few.of.push((thread, (1 << 41) + (priority >> 24)));
            }
        }
    }

    /// The thread that a recorded schedule names, if it has one left.
    fn named(&self) -> Option<usize> {
        match &self.policy {
            Policy::Recorded(_, (thread, left)) if *left > 0 => Some(*thread as usize),
            Policy::Recorded(turns, _) => {
                let next = turns.as_slice().iter().find(|(_, steps)| *steps > 0);
                next.map(|(thread, _)| *thread as usize)
            }
            _ => None,
        }
    }

    /// Who of the candidates, which are in order, goes on. The current thread is before an instruction, unless it cannot go on.
    fn decide(
        &mut self,
        current: usize,
        candidates: &[usize],
        at: Option<(FunctionId, u32)>,
    ) -> Option<usize> {
        let first = *candidates.first()?;
        let goes_on = candidates.contains(&current);
        let after = || candidates.iter().copied().find(|&i| i > current).unwrap_or(first);
        let in_a_row = match self.turns.last() {
            Some(&(thread, steps)) if thread as usize == current => steps,
            _ => 0,
        };
        let random = self.random();
        let chosen = match &mut self.policy {
            Policy::RoundRobin if goes_on && in_a_row < TURN => current,
            Policy::RoundRobin | Policy::Each => after(),
            Policy::Random(once_in) => {
                let stays = goes_on && !random.is_multiple_of(*once_in);
                let any = candidates[(random >> 20) as usize % candidates.len()];
                if stays { current } else { any }
            }
            Policy::Priorities { of, changes, lowest } => {
                let mut fresh = random;
                while of.len() <= candidates.last().copied().unwrap_or(0).max(current) {
                    fresh = fresh.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e);
                    of.push((1 << 41) + (fresh >> 24));
                }
                if changes.last().is_some_and(|&at| at <= self.n_decisions)
                    || goes_on && in_a_row >= LONG_TURN
                {
                    changes.pop_if(|at| *at <= self.n_decisions);
                    *lowest -= 1;
                    of[current] = *lowest;
                }
                candidates.iter().copied().max_by_key(|&i| of[i]).unwrap_or(first)
            }
            Policy::Few(few) => few.decide(current, candidates, in_a_row).unwrap_or(first),
            Policy::Recorded(turns, (thread, left)) => {
                while *left == 0
                    && let Some(next) = turns.next()
                {
                    (*thread, *left) = next;
                }
                match *left {
                    0 if goes_on => current,
                    0 => first,
                    _ => {
                        *left -= 1;
                        let wanted = *thread as usize;
                        if candidates.contains(&wanted) { wanted } else { first }
                    }
                }
            }
            Policy::Guided { steps, next, stopped } => {
                let left = &steps[*next..];
                let next_of = |thread: usize| left.iter().find(|s| s.thread as usize == thread);
                // Whoever waits for its step may not make it before the next of all.
                let waits = |thread: usize| {
                    let at = stopped.get(thread).copied().flatten();
                    at.is_some() && next_of(thread).is_some_and(|step| step.at == at)
                };
                let other = candidates.iter().copied().find(|&i| i != current && !waits(i));
                let own = next_of(current);
                let is_own = at.is_some() && own.is_some_and(|step| step.at == at);
                let head = steps.get(*next).or(steps.last());
                match head.map(|head| head.thread as usize) {
                    Some(thread) if is_own && thread == current => {
                        *next += 1;
                        current
                    }
                    // It is at no step of the list.
                    _ if goes_on && at.is_some() && !is_own && own.is_some() => current,
                    Some(thread) if candidates.contains(&thread) => thread,
                    // The thread of the next step is not there yet, or waits.
                    _ if goes_on && !is_own => current,
                    _ => other.unwrap_or(first),
                }
            }
        };
        if let Policy::Guided { next, steps, stopped } = &mut self.policy
            && chosen != current
        {
            stopped.resize(stopped.len().max(current + 1).max(chosen + 1), None);
            stopped[current] = at;
            // Who has been stopped before its step makes it now.
            let waits_there = stopped[chosen].take();
            if let Some(step) = steps.get(*next)
                && step.thread as usize == chosen
                && step.at.is_some()
                && step.at == waits_there
            {
                *next += 1;
            }
        }
        self.n_decisions += 1;
        let n_turns = self.turns.len();
        match self.turns.last_mut() {
            Some((thread, steps)) if *thread as usize == chosen && *steps < u32::MAX => *steps += 1,
            _ if n_turns < MAX_TURNS => self.turns.push((chosen as u32, 1)),
            _ => {}
        }
        Some(chosen)
    }
}

impl Machine<'_> {
    /// Lets one thread go on for a turn.
    pub(super) fn turn(&mut self) -> Option<Outcome> {
        let current = self.current;
        let mut t = std::mem::take(&mut self.threads[current]);
        let length = match self.alone.has_leapt {
            false => self.alone.turn,
            true => self.alone.turn.min(CLOCK_AFTER_LEAP),
        };
        let fuel = length.min(self.steps_left);
        let (used, stop) = self.execute(&mut t, fuel);
        self.steps_left -= used.min(self.steps_left);
        if self.alone.leaps && self.threads.len() == 1 && matches!(stop, Stop::Turn) {
            self.alone.has_leapt = t.state == State::Ready && self.leap(&mut t);
        }
        let is_ready = t.state == State::Ready && !matches!(stop, Stop::Excluded);
        if !is_ready && matches!(stop, Stop::Turn) {
            self.scheduler.n_steps += 1;
        }
        self.threads[current] = t;
        let outcome = match stop {
            Stop::Turn => self.between_turns(),
            Stop::Excluded => self.excluded(),
            stop => Some(self.outcome(stop)),
        };
        if outcome.is_some() {
            return outcome;
        }
        match self.next.take() {
            Some(next) => self.current = next,
            None if is_ready => {}
            None => {
                let candidates = self.candidates(None);
                match self.scheduler.decide(current, &candidates, None) {
                    Some(next) => self.current = next,
                    None => return Some(self.stuck()),
                }
            }
        }
        self.threads[self.current].state = State::Ready;
        None
    }

    /// Decides whether the current thread, which is at a point, continues.
    pub(crate) fn goes_on(&mut self, t: &Thread) -> bool {
        if t.atomic > 0 {
            return true;
        }
        let at = t.frames.last().map(|frame| {
            let instr = frame.code.instr_of[frame.pc.saturating_sub(1) as usize];
            (frame.function, instr)
        });
        if self.threads.len() == 1 {
            self.scheduler.pass(at);
            return true;
        }
        if matches!(self.scheduler.policy, Policy::Each) {
            self.at_point = true;
            return false;
        }
        self.scheduler.n_steps += 1;
        let candidates = self.candidates(Some(self.current));
        match self.scheduler.decide(self.current, &candidates, at) {
            Some(next) if next != self.current => {
                self.next = Some(next);
                false
            }
            _ => true,
        }
    }

    /// The threads that can make a step, as far as the schedule asks for them. The current one is not in its place while it runs.
    fn candidates(&mut self, running: Option<usize>) -> Vec<usize> {
        self.scheduler.welcome(self.threads.len());
        let can =
            |i: usize| Some(i) == running || self.threads.get(i).is_some_and(|t| self.can_go_on(t));
        if let Some(named) = self.scheduler.named().filter(|&i| can(i)) {
            return vec![named];
        }
        if let Policy::Few(few) = &self.scheduler.policy {
            let those = few.of.iter().map(|&(i, _)| i);
            let candidates: Vec<usize> = those.filter(|&i| can(i)).collect();
            if !candidates.is_empty() {
                return candidates;
            }
        }
        let mut candidates = Vec::new();
        for (i, t) in self.threads.iter().enumerate() {
            if Some(i) == running || self.can_go_on(t) {
                candidates.push(i);
            }
        }
        candidates
    }

    pub(super) fn between_turns(&mut self) -> Option<Outcome> {
        let is_stopped = self.tell();
        let limit = if self.steps_left == 0 {
            Limit::Steps
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Limit::Time
        } else if is_stopped {
            Limit::Cancelled
        } else {
            return None;
        };
        // A position is that of the operation before the counter; the one that comes next is where this ends.
        if let Some(frame) = self.threads[self.current].frames.last_mut() {
            frame.pc += 1;
        }
        Some(self.outcome(Stop::Limit(limit)))
    }

    /// Tells how many steps were made since the last time; true if that is enough. A call takes as long as many steps.
    pub(super) fn tell(&mut self) -> bool {
        const STEPS_OF_CALL: u64 = 30;
        let steps = self.told_left - self.steps_left + self.n_calls.take() * STEPS_OF_CALL;
        self.told_left = self.steps_left;
        self.options.stop.as_mut().is_some_and(|stop| stop(steps))
    }

    /// An assumption is false: if other threads can go on, it waits; the atomic section that it stands in begins again
    /// if nothing has happened in it.
    fn excluded(&mut self) -> Option<Outcome> {
        if !self.threads.iter().enumerate().any(|(i, t)| i != self.current && self.can_go_on(t)) {
            return Some(Outcome::AssumptionFailed(self.position()));
        }
        self.wait_for_assumption()
    }

    /// Takes the current thread, for which an assumption is false, back to where it can try again.
    pub(super) fn wait_for_assumption(&mut self) -> Option<Outcome> {
        let t = &mut self.threads[self.current];
        let depth = t.frames.len();
        let frame = t.frames.last_mut()?;
        let instr = frame.code.instr_of[frame.pc as usize - 1];
        let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
        t.awaits = false;
        let mut first = frame.code.instr_of.partition_point(|&i| i < instr) as u32;
        // A new attempt is no new step.
        if let Some(Op::Slow { slow }) = frame.code.ops.get(first as usize)
            && matches!(frame.code.slow[*slow as usize], Slow::Point)
        {
            first += 1;
        }
        if t.atomic > 0 {
            let (start_depth, start) = t.atomic_start;
            let from = frame.code.instr_of[start as usize];
            let quiet = |kind: &InstrKind| {
                matches!(
                    kind,
                    InstrKind::Skip
                        | InstrKind::Label(_)
                        | InstrKind::Assume(_)
                        | InstrKind::Assert(..)
                        | InstrKind::Goto(..)
                )
            };
            let between = body.get(from as usize + 1..=instr as usize);
            t.awaits =
                between.is_some_and(|all| all.iter().any(|i| is_wait(self.program, &i.kind)));
            if start_depth != depth
                || !between.is_some_and(|all| all.iter().all(|i| quiet(&i.kind)))
            {
                return Some(Outcome::AssumptionFailed(self.position()));
            }
            first = start;
            t.atomic = 0;
            if let Some(races) = &mut self.races {
                races.abandon_section(self.current);
            }
        }
        frame.pc = first;
        t.state = State::Excluded(self.scheduler.n_steps);
        None
    }

    /// Returns whether a thread could make a step now.
    fn can_go_on(&self, t: &Thread) -> bool {
        match t.state {
            State::Ready => true,
            State::Joining(other) => other.is_some_and(|i| self.threads[i].state == State::Ended),
            // Those that waited for an assumption try again after another has made a step.
            State::Excluded(since) => self.scheduler.n_steps > since,
            State::Ended => false,
        }
    }

    /// Returns whether a thread other than the current one can make a step, or the given thread has ended. A thread that
    /// waits for an assumption which nobody claims to become true counts as one that can.
    pub(crate) fn others_go_on(&self, thread: Option<u64>) -> bool {
        let ended = thread.and_then(|n| self.threads.get(usize::try_from(n).ok()?));
        if ended.is_some_and(|t| t.state == State::Ended) {
            return true;
        }
        let tries_each = matches!(self.scheduler.policy, Policy::Each);
        self.threads.iter().enumerate().any(|(i, t)| {
            let is_excluded = matches!(t.state, State::Excluded(_));
            i != self.current && (is_excluded && (tries_each || !t.awaits) || self.can_go_on(t))
        })
    }

    /// No thread can go on.
    fn stuck(&self) -> Outcome {
        if self.threads.iter().any(|t| matches!(t.state, State::Excluded(_))) {
            return Outcome::AssumptionFailed(self.position());
        }
        Outcome::Deadlock(self.position())
    }
}

/// Returns whether an instruction claims that the wait behind it is not for ever.
fn is_wait(program: &Program, instr: &InstrKind) -> bool {
    let InstrKind::Assert(condition, _) = *instr else { return false };
    let mut pending = vec![condition];
    while let Some(expr) = pending.pop() {
        if let ExprKind::Memory(MemoryOp::OthersGoOn, _) = program.exprs.kind(expr) {
            return true;
        }
        program.exprs.kind(expr).for_each_child(|child| pending.push(child));
    }
    false
}
