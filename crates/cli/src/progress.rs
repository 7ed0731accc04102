//! The line that says how far a check is: the engine, its bound, what is left, and the time.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use vergo_driver::{Effort, EngineId, Progress, Statistics};

use crate::output;

/// Where progress goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// Nowhere.
    Nowhere,
    /// Into a line of a terminal that the next one replaces.
    Transient,
    /// Into lines of standard error.
    Lines,
}

impl Shown {
    /// As a user wants it: everything, nothing but the verdict, or what suits a terminal.
    pub(crate) fn of(everything: bool, quiet: bool) -> Shown {
        match everything {
            true => Shown::Lines,
            false if !quiet && std::io::stderr().is_terminal() => Shown::Transient,
            false => Shown::Nowhere,
        }
    }
}

/// Follows a check.
pub(crate) struct Follower {
    shown: Shown,
    start: Instant,
    /// What is known when the work is stopped.
    known: Arc<Mutex<Statistics>>,
}

impl Follower {
    pub(crate) fn new(shown: Shown, start: Instant, known: Arc<Mutex<Statistics>>) -> Follower {
        Follower { shown, start, known }
    }

    pub(crate) fn follow(&self, step: &Progress) {
        match step {
            Progress::Spent(effort) => {
                if let Ok(mut known) = self.known.lock() {
                    known.effort = **effort;
                }
            }
            &Progress::Bound { engine, unwind, terms, obligations } => {
                if let Ok(mut known) = self.known.lock() {
                    known.effort = Effort { unwind, terms, obligations, ..known.effort };
                }
                self.show(engine, unwind, terms, obligations);
            }
            Progress::Found(_) | Progress::Fault(_) => {}
        }
    }

    fn show(&self, engine: Option<EngineId>, unwind: u32, terms: usize, obligations: usize) {
        if self.shown == Shown::Nowhere {
            return;
        }
        let memory = output::resident_megabytes();
        let seconds = self.start.elapsed().as_secs();
        let left = if obligations == 1 { "obligation" } else { "obligations" };
        let engine = engine.map_or(String::new(), |engine| format!("{}, ", engine.info().name));
        let text = format!(
            "{engine}bound {unwind}: {obligations} {left} left, {terms} terms, {memory} MB, {seconds} s"
        );
        match self.shown {
            Shown::Transient => output::transient(&text),
            _ => output::note(&text),
        }
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        if self.shown == Shown::Transient {
            output::transient("");
        }
    }
}
