//! The line that says how far a check is: the engine, its bound, the claims that are left, and the time.

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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

/// The time after which a terminal's line is drawn again even if nothing but the time is new.
const TICK: Duration = Duration::from_secs(1);
/// The least time that a line stays on a terminal.
const PAUSE: Duration = Duration::from_millis(50);

/// Follows a check.
pub(crate) struct Follower {
    shown: Shown,
    /// The statistics so far, for when the work is stopped.
    known: Arc<Mutex<Statistics>>,
    line: Arc<Line>,
    clock: Option<JoinHandle<()>>,
}

/// The line of a terminal.
struct Line {
    start: Instant,
    state: Mutex<State>,
    ended: Condvar,
}

/// The content of the line.
#[derive(Default)]
struct State {
    engine: Option<EngineId>,
    bound: Option<u32>,
    left: Option<usize>,
    drawn: Option<Instant>,
    is_over: bool,
}

impl State {
    fn text(&self, seconds: u64) -> String {
        let mut text = match (self.engine, self.bound) {
            (Some(engine), Some(bound)) => format!("{}, bound {bound}", engine.info().name),
            (None, Some(bound)) => format!("bound {bound}"),
            (_, None) if self.left.is_some() => "begins".to_owned(),
            (_, None) => "reads the program".to_owned(),
        };
        match self.left {
            Some(1) => text.push_str(", 1 claim left"),
            Some(n) => text.push_str(&format!(", {n} claims left")),
            None => {}
        }
        format!("{text}, {seconds} s")
    }
}

impl Line {
    fn draw(&self, state: &mut State) {
        if !state.is_over {
            state.drawn = Some(Instant::now());
            output::transient(&state.text(self.start.elapsed().as_secs()));
        }
    }

    /// Draws the line from time to time until the check is over.
    fn tick(&self) {
        let Ok(mut state) = self.state.lock() else { return };
        while !state.is_over {
            let Ok((guard, waited)) = self.ended.wait_timeout(state, TICK) else { return };
            state = guard;
            if waited.timed_out() {
                self.draw(&mut state);
            }
        }
    }
}

impl Follower {
    pub(crate) fn new(shown: Shown, start: Instant, known: Arc<Mutex<Statistics>>) -> Follower {
        let state = Mutex::new(State::default());
        let line = Arc::new(Line { start, state, ended: Condvar::new() });
        let ticking = Arc::clone(&line);
        let is_drawn = shown == Shown::Transient;
        let clock = is_drawn.then(|| std::thread::spawn(move || ticking.tick()));
        Follower { shown, known, line, clock }
    }

    pub(crate) fn follow(&self, step: &Progress) {
        match *step {
            Progress::Spent(ref effort) => {
                if let Ok(mut known) = self.known.lock() {
                    known.effort = **effort;
                }
            }
            Progress::Left(left) => self.change(|state| state.left = Some(left)),
            Progress::Bound { engine, unwind, terms, obligations } => {
                if let Ok(mut known) = self.known.lock() {
                    known.effort = Effort { unwind, terms, obligations, ..known.effort };
                }
                self.change(|state| (state.engine, state.bound) = (engine, Some(unwind)));
                if self.shown == Shown::Lines {
                    self.tell(terms, obligations);
                }
            }
            Progress::Found(_) | Progress::Fault(_) => {}
        }
    }

    /// Says the same with all numbers, in a line that stays.
    fn tell(&self, terms: usize, obligations: usize) {
        let Ok(state) = self.line.state.lock() else { return };
        let text = state.text(self.line.start.elapsed().as_secs());
        let memory = output::resident_megabytes();
        output::note(&format!("{text}, {obligations} obligations, {terms} terms, {memory} MB"));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let Ok(mut state) = self.line.state.lock() else { return };
        let had_bound = state.bound.is_some();
        change(&mut state);
        let is_first = state.bound.is_some() && !had_bound;
        let is_due = is_first || state.drawn.is_none_or(|drawn| drawn.elapsed() >= PAUSE);
        if self.shown == Shown::Transient && is_due {
            self.line.draw(&mut state);
        }
    }

    /// Takes the line away.
    pub(crate) fn end(self) {
        if let Ok(mut state) = self.line.state.lock() {
            state.is_over = true;
        }
        self.line.ended.notify_all();
        if let Some(clock) = self.clock {
            let _ = clock.join();
            output::transient("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_known() {
        let mut state = State::default();
        assert_eq!(state.text(0), "reads the program, 0 s");
        state.left = Some(12);
        assert_eq!(state.text(1), "begins, 12 claims left, 1 s");
        (state.engine, state.bound, state.left) = (EngineId::from_name("pdr"), Some(3), Some(1));
        assert_eq!(state.text(60), "pdr, bound 3, 1 claim left, 60 s");
    }
}
