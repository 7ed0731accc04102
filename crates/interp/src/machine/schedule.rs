//! Whose turn it is.

use super::{CLOCK_AFTER_LEAP, Machine, State, Stop, TURN, Thread};
use crate::outcome::{Limit, Outcome};
use std::sync::atomic::Ordering;
use std::time::Instant;
use vergo_goto::program::InstrKind;

impl Machine<'_> {
    /// Lets one thread go on for a turn.
    pub(super) fn turn(&mut self) -> Option<Outcome> {
        let current = self.current;
        let mut t = std::mem::take(&mut self.threads[current]);
        // A thread that waits alone, or runs alone, has longer turns.
        let alone = self.threads.len() == 1 || t.atomic > 0;
        let length = match (alone, self.alone.has_leapt) {
            (true, false) => self.alone.turn,
            (true, true) => self.alone.turn.min(CLOCK_AFTER_LEAP),
            (false, _) => self.turn_length(),
        };
        let fuel = length.min(self.steps_left);
        let (used, stop) = self.execute(&mut t, fuel);
        self.steps_left -= used.min(self.steps_left);
        if self.alone.leaps && self.threads.len() == 1 && matches!(stop, Stop::Turn) {
            self.alone.has_leapt = t.state == State::Ready && self.leap(&mut t);
        }
        self.threads[current] = t;
        let outcome = match stop {
            Stop::Turn => self.between_turns(),
            Stop::Excluded => self.excluded(),
            stop => Some(self.outcome(stop)),
        };
        if outcome.is_none() {
            self.switch();
            if self.threads[self.current].state != State::Ready {
                return Some(self.stuck());
            }
        }
        outcome
    }

    fn between_turns(&mut self) -> Option<Outcome> {
        let cancelled = self.options.cancelled.as_ref();
        let limit = if self.steps_left == 0 {
            Limit::Steps
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Limit::Time
        } else if cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
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

    /// An assumption is false: if other threads can go on, it waits; the atomic section that it stands in begins again
    /// if nothing has happened in it.
    fn excluded(&mut self) -> Option<Outcome> {
        if !self.threads.iter().enumerate().any(|(i, t)| i != self.current && self.can_go_on(t)) {
            return Some(Outcome::AssumptionFailed(self.position()));
        }
        let t = &mut self.threads[self.current];
        let depth = t.frames.len();
        let frame = t.frames.last_mut()?;
        let instr = frame.code.instr_of[frame.pc as usize - 1];
        let mut first = frame.code.instr_of.partition_point(|&i| i < instr) as u32;
        if t.atomic > 0 {
            let (start_depth, start) = t.atomic_start;
            let from = frame.code.instr_of[start as usize];
            let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
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
            if start_depth != depth
                || !between.is_some_and(|all| all.iter().all(|i| quiet(&i.kind)))
            {
                return Some(Outcome::AssumptionFailed(self.position()));
            }
            first = start;
            t.atomic = 0;
        }
        frame.pc = first;
        t.state = State::Excluded;
        None
    }

    /// Whether a thread could make a step now.
    fn can_go_on(&self, t: &Thread) -> bool {
        match t.state {
            State::Ready => true,
            State::Joining(other) => other.is_some_and(|i| self.threads[i].state == State::Ended),
            State::Excluded | State::Ended => false,
        }
    }

    /// The next thread's turn.
    fn switch(&mut self) {
        if self.threads[self.current].atomic > 0 && self.threads[self.current].state == State::Ready
        {
            return;
        }
        let n = self.threads.len();
        if n == 1 {
            return;
        }
        let mut start = self.current + 1;
        if self.random != 0 {
            start = (self.next_random() as usize) % n;
        }
        // Those that waited for an assumption try again after another has run.
        for i in 0..n {
            let i = (start + i) % n;
            let retry = self.threads[i].state == State::Excluded && i != self.current;
            let joined = matches!(self.threads[i].state, State::Joining(_))
                && self.can_go_on(&self.threads[i]);
            if retry || joined || self.threads[i].state == State::Ready {
                self.threads[i].state = State::Ready;
                self.current = i;
                return;
            }
        }
    }

    /// No thread can go on.
    fn stuck(&self) -> Outcome {
        if self.threads.iter().any(|t| t.state == State::Excluded) {
            return Outcome::AssumptionFailed(self.position());
        }
        Outcome::Deadlock(self.position())
    }

    fn turn_length(&mut self) -> u64 {
        if self.random == 0 { TURN } else { 1 + self.next_random() % (2 * TURN) }
    }

    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}
