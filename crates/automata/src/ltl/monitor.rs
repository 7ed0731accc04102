//! The deterministic monitor of a safety formula.
//!
//! **Idea.** A word that violates a safety formula has a beginning that shows it. The automaton of the negation
//! ([`super::buchi`]) then reaches the state without obligations on that beginning: what `U` postpones it need not
//! postpone for ever. The subset construction makes it deterministic: a state of the monitor is the set of states in
//! which the automaton can be, and the monitor fails when the one without obligations is among them. Of two sets of
//! obligations of which one contains the other, the smaller one is enough.
//!
//! **Positions that stand still.** In an execution, the same values may come several times, and are looked at once. That
//! must not matter; [`Monitor::of`] makes sure that reading the last position again never fails a monitor that reading it
//! once did not, and makes no monitor otherwise.

use super::buchi::{Buchi, StateId as BuchiState};
use super::formula::AtomId;
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A state of a monitor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);
entity_impl!(StateId, "m");

/// More states than this are not made.
const MAX_STATES: usize = 256;

/// With more atoms than this there is no monitor: their values are looked at one by one.
const MAX_ATOMS: usize = 10;

/// The best order in which atoms are asked is looked for among so many.
const MAX_ORDERED: usize = 4;

/// Where a monitor goes, by the values of atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// To a state.
    To(StateId),
    /// The formula is violated.
    Fail,
    /// It depends on an atom: if it holds, and if it does not.
    On(AtomId, Box<[Decision; 2]>),
}

/// A deterministic automaton that fails when a formula is violated.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Where each state leads.
    pub states: PrimaryMap<StateId, Decision>,
    /// The state at the beginning.
    pub start: StateId,
}

impl Monitor {
    /// The monitor that fails where the automaton of a formula's negation reaches the state that accepts everything;
    /// `None` if it gets too large, or depends on how often a position is read.
    pub fn of(negation: &Buchi, n_atoms: usize) -> Option<Monitor> {
        if n_atoms > MAX_ATOMS {
            return None;
        }
        let mut builder = Builder {
            negation,
            states: PrimaryMap::new(),
            numbers: FxHashMap::default(),
            work: Vec::new(),
        };
        let start = builder.number(vec![negation.start])?;
        while let Some((state, set)) = builder.work.pop() {
            let decision = builder.decide(&set, &mut Vec::new())?;
            builder.states[state] = decision;
        }
        let mut monitor = Monitor { states: builder.states, start };
        monitor.merge_equal();
        monitor.stands_still(n_atoms).then_some(monitor)
    }

    /// Where a state leads with the values of all atoms; `None` is failure.
    pub fn step(&self, state: StateId, holds: impl Fn(AtomId) -> bool) -> Option<StateId> {
        let mut decision = &self.states[state];
        loop {
            match decision {
                Decision::To(to) => return Some(*to),
                Decision::Fail => return None,
                Decision::On(atom, branches) => {
                    decision = &branches[usize::from(!holds(*atom))];
                }
            }
        }
    }

    /// Returns whether reading a position again never fails.
    fn stands_still(&self, n_atoms: usize) -> bool {
        (0..1u32 << n_atoms).all(|letter| {
            let holds = |atom: AtomId| letter >> atom.as_u32() & 1 == 1;
            self.states.keys().all(|state| {
                let Some(mut now) = self.step(state, holds) else { return true };
                // After as many steps as there are states, states repeat.
                (0..self.states.len()).all(|_| match self.step(now, holds) {
                    Some(next) => {
                        now = next;
                        true
                    }
                    None => false,
                })
            })
        })
    }

    /// Makes one state of those that lead to the same ones.
    fn merge_equal(&mut self) {
        loop {
            let mut first: FxHashMap<Decision, StateId> = FxHashMap::default();
            let mut same: FxHashMap<StateId, StateId> = FxHashMap::default();
            for (state, decision) in self.states.iter() {
                same.insert(state, *first.entry(decision.own(state)).or_insert(state));
            }
            let kept: Vec<StateId> =
                self.states.keys().filter(|state| same[state] == *state).collect();
            if kept.len() == self.states.len() {
                return;
            }
            let number: FxHashMap<StateId, StateId> = kept
                .iter()
                .enumerate()
                .map(|(new, &old)| (old, StateId::from_u32(new as u32)))
                .collect();
            let renamed = |state: StateId| number[&same[&state]];
            let states = kept.iter().map(|&old| self.states[old].renamed(&renamed)).collect();
            self.start = renamed(self.start);
            self.states = states;
        }
    }
}

impl Decision {
    /// Returns the number of cases that it distinguishes.
    fn size(&self) -> usize {
        match self {
            Decision::To(_) | Decision::Fail => 1,
            Decision::On(_, branches) => branches[0].size() + branches[1].size(),
        }
    }

    /// The decision with the state itself under a name that is the same for all states.
    fn own(&self, state: StateId) -> Decision {
        let itself = StateId(u32::MAX);
        self.renamed(&|to| if to == state { itself } else { to })
    }

    fn renamed(&self, new: &impl Fn(StateId) -> StateId) -> Decision {
        match self {
            Decision::To(to) => Decision::To(new(*to)),
            Decision::Fail => Decision::Fail,
            Decision::On(atom, branches) => {
                let [then, otherwise] = &**branches;
                let (then, otherwise) = (then.renamed(new), otherwise.renamed(new));
                if then == otherwise {
                    return then;
                }
                Decision::On(*atom, Box::new([then, otherwise]))
            }
        }
    }
}

struct Builder<'a> {
    negation: &'a Buchi,
    states: PrimaryMap<StateId, Decision>,
    numbers: FxHashMap<Vec<BuchiState>, StateId>,
    work: Vec<(StateId, Vec<BuchiState>)>,
}

impl Builder<'_> {
    fn number(&mut self, set: Vec<BuchiState>) -> Option<StateId> {
        if let Some(&state) = self.numbers.get(&set) {
            return Some(state);
        }
        if self.states.len() >= MAX_STATES {
            return None;
        }
        let state = self.states.push(Decision::Fail);
        self.numbers.insert(set.clone(), state);
        self.work.push((state, set));
        Some(state)
    }

    /// Where a set of states leads, given the values of some atoms.
    fn decide(&mut self, set: &[BuchiState], values: &mut Vec<(AtomId, bool)>) -> Option<Decision> {
        let mut open = BTreeSet::new();
        let mut targets = BTreeSet::new();
        for &state in set {
            for edge in &self.negation.states[state] {
                let contradicts =
                    |(atom, value): &(AtomId, bool)| values.contains(&(*atom, !*value));
                if edge.cube.iter().any(contradicts) {
                    continue;
                }
                let unknown = edge.cube.iter().find(|literal| !values.contains(literal));
                match unknown {
                    Some((atom, _)) => {
                        open.insert(*atom);
                    }
                    None if self.negation.accepts_all(edge.to) => return Some(Decision::Fail),
                    None => {
                        targets.insert(edge.to);
                    }
                }
            }
        }
        // Of few atoms the one is asked first that leads to the smallest decision.
        let tried = if open.len() <= MAX_ORDERED { open.len() } else { 1 };
        let mut best: Option<Decision> = None;
        for &atom in open.iter().take(tried) {
            let mut branch = |value| {
                values.push((atom, value));
                let decision = self.decide(set, values);
                values.pop();
                decision
            };
            let (then, otherwise) = (branch(true)?, branch(false)?);
            let decision = match then == otherwise {
                true => then,
                false => Decision::On(atom, Box::new([then, otherwise])),
            };
            if best.as_ref().is_none_or(|best| decision.size() < best.size()) {
                best = Some(decision);
            }
        }
        if best.is_some() {
            return best;
        }
        let needed = |state: &BuchiState| {
            let own: BTreeSet<_> = self.negation.obligations[*state].iter().collect();
            !targets.iter().any(|other| {
                let others = &self.negation.obligations[*other];
                others.len() < own.len() && others.iter().all(|id| own.contains(id))
            })
        };
        let set = targets.iter().copied().filter(needed).collect();
        self.number(set).map(Decision::To)
    }
}
