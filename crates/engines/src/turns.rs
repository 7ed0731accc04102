//! Computations that run at once and are heard in an order that does not depend on the machine.
//!
//! **Idea.** Each computation has a clock that counts its work ([`vergo_smt::Meter`]), not time. What it tells carries the
//! reading of its clock, and is heard in the order of these readings, the number of the computation deciding between equal
//! ones. A message is heard when no other computation can send an earlier one: when all others have come that far on
//! their own clocks, or have ended. Who is far ahead of the slowest waits for it, so that nobody works in vain and little has to be
//! waited for at the end. This is a conservative simulation of discrete events (Chandy and Misra, "Distributed
//! simulation: a case study in design and verification of distributed programs", 1979, doi 10.1109/TSE.1979.230182) in
//! which the processes are real.
//!
//! **Determinism.** The messages that are heard, and their order, are those of a machine on which all computations run at
//! the same speed by their clocks. A real machine only decides how long that takes. When the time is over or somebody
//! cancels, what has been told is heard as it comes: that is the one thing that the machine decides. With [`Order::ByClock`] it
//! always is, and nobody waits for anybody, which is faster.
//!
//! **Precedence.** Where there are more computations than cores, those whose result would be in vain slow down the one that is about
//! to have it: a proof has been found and is being checked, say. With [`Order::ByClock`] the others then wait, but not for long: what
//! looked like the end may not be it.

use crate::Order;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vergo_smt::{Budget, Meter, Pace};

/// The greatest lead of a computation over the slowest, in units of work.
const LEAD: u64 = 30_000_000;

/// The time between looks at the budget while no message arrives.
const PATIENCE: Duration = Duration::from_millis(20);

/// The time that others wait for a computation that is about to end.
const DEFERENCE: Duration = Duration::from_secs(2);

/// The clock of a computation that has ended.
const ENDED: u64 = u64::MAX;

/// Several computations, by number.
pub(crate) struct Turns<M> {
    state: Mutex<State<M>>,
    changed: Condvar,
    /// When nobody waits any more.
    budget: Budget,
    order: Order,
    start: Instant,
    n_cores: usize,
}

struct State<M> {
    clocks: Vec<u64>,
    /// The messages that have not been heard, by clock, computation and number.
    told: BTreeMap<(u64, usize, u64), M>,
    n_told: u64,
    /// The computations that are about to end, and since when.
    ending: Option<(Vec<usize>, Instant)>,
}

/// A result of listening.
pub(crate) enum Heard<M> {
    /// A message and the clock of who sent it.
    Message(u64, M),
    /// Nothing yet; nothing will come from before this reading.
    Nothing(u64),
    /// Everybody has ended.
    Silence,
}

impl<M: Send + 'static> Turns<M> {
    /// Computations that begin when the others have come to these readings.
    pub(crate) fn new(begin: Vec<u64>, budget: Budget, order: Order) -> Turns<M> {
        let state = State { clocks: begin, told: BTreeMap::new(), n_told: 0, ending: None };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
        Turns { state, changed, budget, order, start: Instant::now(), n_cores }
    }

    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.budget.interrupted().is_some()
    }

    /// Returns whether no computation waits for another.
    fn is_free(&self) -> bool {
        self.order == Order::ByClock || self.is_over()
    }

    /// A meter for computations that begins at the latest of their clocks. Several have one if they begin together.
    pub(crate) fn meter(self: &Arc<Self>, computations: Vec<usize>, begin: u64) -> Meter {
        Meter::paced(begin, Arc::new(Clock { turns: Arc::clone(self), computations }))
    }

    /// The clock of a computation.
    pub(crate) fn clock(&self, computation: usize) -> u64 {
        self.lock().clocks[computation]
    }

    /// Waits until a computation may begin; false if it is all over by then.
    pub(crate) fn may_begin(&self, computation: usize) -> bool {
        let begin = self.clock(computation);
        match self.order {
            Order::ByWork => self.wait(&[computation], begin, 0),
            Order::ByClock => self.wait_for(computation, Duration::from_nanos(begin)),
        }
        !self.is_over()
    }

    /// Tells something at a reading of a computation's clock.
    pub(crate) fn tell(&self, computation: usize, at: u64, message: M) {
        let mut state = self.lock();
        let at = at.max(state.clocks[computation].min(ENDED - 1));
        state.n_told += 1;
        let key = (at, computation, state.n_told);
        state.told.insert(key, message);
        drop(state);
        self.changed.notify_all();
    }

    /// A computation tells nothing more.
    pub(crate) fn end(&self, computation: usize) {
        let mut state = self.lock();
        state.clocks[computation] = ENDED;
        // One that has panicked has not said that its last part is over.
        state.ending.take_if(|(by, _)| by.contains(&computation));
        drop(state);
        self.changed.notify_all();
    }

    /// Returns the next message.
    pub(crate) fn hear(&self) -> Heard<M> {
        let mut state = self.lock();
        if let Some(heard) = self.next(&mut state) {
            return heard;
        }
        (state, _) =
            self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
        let told = state.told.first_key_value().map_or(ENDED, |(&(at, ..), _)| at);
        let floor = state.floor(&[]).min(told);
        self.next(&mut state).unwrap_or(Heard::Nothing(floor))
    }

    fn next(&self, state: &mut State<M>) -> Option<Heard<M>> {
        let Some((&(at, by, number), _)) = state.told.first_key_value() else {
            let is_silent = state.clocks.iter().all(|&clock| clock == ENDED);
            return is_silent.then_some(Heard::Silence);
        };
        let may_be_earlier =
            |(other, &clock): (usize, &u64)| other != by && (clock, other) < (at, by);
        if state.clocks.iter().enumerate().any(may_be_earlier) && !self.is_free() {
            return None;
        }
        let message = state.told.remove(&(at, by, number))?;
        Some(Heard::Message(at, message))
    }

    /// Waits for a moment, unless all others end before.
    fn wait_for(&self, computation: usize, moment: Duration) {
        let mut state = self.lock();
        while self.start.elapsed() < moment
            && state.floor(&[computation]) != ENDED
            && !self.is_over()
        {
            let left = moment.saturating_sub(self.start.elapsed()).min(PATIENCE);
            (state, _) =
                self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits while others are about to end and the machine has no core to spare.
    fn defer(&self, computations: &[usize]) {
        if self.order != Order::ByClock {
            return;
        }
        let mut state = self.lock();
        while state.others_are_ending(computations)
            && state.n_left() > self.n_cores
            && !self.is_over()
        {
            (state, _) =
                self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits while others are behind some by more than a lead.
    fn wait(&self, computations: &[usize], reading: u64, lead: u64) {
        let mut state = self.lock();
        while reading > state.floor(computations).saturating_add(lead) && !self.is_free() {
            (state, _) =
                self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<M> State<M> {
    /// The least clock of all but some.
    fn floor(&self, but: &[usize]) -> u64 {
        let others = self.clocks.iter().enumerate().filter(|(i, _)| !but.contains(i));
        others.map(|(_, &clock)| clock).min().unwrap_or(ENDED)
    }

    /// The number of computations that have not ended.
    fn n_left(&self) -> usize {
        self.clocks.iter().filter(|&&clock| clock != ENDED).count()
    }

    /// Returns whether others than these are about to end, and have not been so for long.
    fn others_are_ending(&self, computations: &[usize]) -> bool {
        let ending = self.ending.as_ref();
        ending.is_some_and(|(by, since)| by != computations && since.elapsed() < DEFERENCE)
    }
}

/// Puts the clocks of computations forward.
struct Clock<M> {
    turns: Arc<Turns<M>>,
    computations: Vec<usize>,
}

impl<M: Send + 'static> Pace for Clock<M> {
    fn reached(&self, spent: u64) {
        let mut state = self.turns.lock();
        for &computation in &self.computations {
            let clock = &mut state.clocks[computation];
            *clock = spent.max(*clock);
        }
        drop(state);
        self.turns.changed.notify_all();
        self.turns.wait(&self.computations, spent, LEAD);
        self.turns.defer(&self.computations);
    }

    fn is_about_to_end(&self, is: bool) {
        let mut state = self.turns.lock();
        if is && !state.others_are_ending(&self.computations) {
            state.ending = Some((self.computations.clone(), Instant::now()));
        } else if !is && state.ending.as_ref().is_some_and(|(by, _)| *by == self.computations) {
            state.ending = None;
        }
        drop(state);
        self.turns.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which computations are heard that tell something after so much work, some of them slowly.
    fn order(slow: usize) -> Vec<(u64, usize)> {
        const TELLS: [&[u64]; 3] = [&[7, 30, 31], &[7, 8, 90], &[1, 2, 200]];
        const MILLION: u64 = 1_000_000;
        let turns =
            Arc::new(Turns::new(vec![0, 0, 50 * MILLION], Budget::unlimited(), Order::ByWork));
        for (number, tells) in TELLS.iter().enumerate() {
            let turns = Arc::clone(&turns);
            thread::spawn(move || {
                assert!(turns.may_begin(number));
                let meter = turns.meter(vec![number], turns.clock(number));
                let budget = Budget { meter, ..Budget::default() };
                let mut last = 0;
                for &at in *tells {
                    if number == slow {
                        thread::sleep(Duration::from_millis(15));
                    }
                    (last..at).for_each(|_| budget.spend(MILLION));
                    last = at;
                    turns.tell(number, budget.meter.spent(), number);
                }
                turns.end(number);
            });
        }
        let mut heard = Vec::new();
        loop {
            match turns.hear() {
                Heard::Message(at, number) => heard.push((at / MILLION, number)),
                Heard::Nothing(_) => {}
                Heard::Silence => return heard,
            }
        }
    }

    #[test]
    fn the_order_does_not_depend_on_speed() {
        let expected =
            [(7, 0), (7, 1), (8, 1), (30, 0), (31, 0), (51, 2), (52, 2), (90, 1), (250, 2)];
        for slow in 0..4 {
            assert_eq!(order(slow), expected, "{slow}");
        }
    }

    #[test]
    fn nobody_waits_when_all_is_over() {
        let budget = Budget::within(Duration::from_millis(30));
        let turns = Arc::new(Turns::new(vec![0, 0], budget, Order::ByWork));
        turns.tell(0, 5, "late");
        let heard = loop {
            match turns.hear() {
                Heard::Message(_, message) => break message,
                Heard::Nothing(_) | Heard::Silence => {}
            }
        };
        assert_eq!(heard, "late");
        assert!(!turns.may_begin(1));
    }

    #[test]
    fn who_is_about_to_end_goes_first() {
        let n = thread::available_parallelism().map_or(1, NonZero::get) + 1;
        let turns = Arc::new(Turns::<()>::new(vec![0; n], Budget::unlimited(), Order::ByClock));
        let meter =
            |number: usize| Budget { meter: turns.meter(vec![number], 0), ..Budget::default() };
        let (first, second) = (meter(0), meter(1));
        let other = first.at_the_end(|| {
            let other = thread::spawn(move || second.spend(LEAD));
            thread::sleep(4 * PATIENCE);
            assert!(!other.is_finished(), "it waits");
            first.spend(LEAD);
            other
        });
        assert!(other.join().is_ok(), "it goes on when the first has ended");
    }
}
