//! Why no violation is reachable. Data that an engine claims; a checker of its own decides whether it
//! is true.

use crate::sums::Series;
use crate::system::{StateVar, TransitionSystem};
use vergo_term::{TermId, TermStore};

/// A claimed proof.
#[derive(Clone, Debug)]
pub enum Proof {
    /// A k-inductive invariant. With `P(s, i)` for `invariant(s) ∧ ¬bad(s, i)`:
    ///
    /// - `P` holds in the first `k` states of every execution;
    /// - a state that follows `k` states with `P` has `P` under all inputs.
    ///
    /// For `k = 1` this is an inductive invariant, where `bad` may be excluded one step later than by the
    /// invariant itself.
    Inductive {
        /// Over current-state variables; true if `¬bad` needs no help.
        invariant: TermId,
        /// At least one.
        k: u32,
        /// True if the second condition considers paths of different states only. A shortest violation
        /// has no state twice, so nothing is lost.
        simple_paths: bool,
    },
    /// No execution has so many steps, and those with fewer have no violation.
    Exhausted {
        /// The number of steps.
        steps: u32,
    },
    /// A proof for all values of watched indices.
    Watched {
        /// The indices, and which violations count.
        watch: Watch,
        /// Why none of these is reachable, whatever the indices are.
        proof: Box<Proof>,
    },
    /// A proof about the system with sums over arrays in its state.
    Summed {
        /// The sums.
        series: Vec<Series>,
        /// Why no violation is reachable there.
        proof: Box<Proof>,
    },
}

/// A system is *watched* if its state has further variables, which have any values in the beginning and keep them, and only
/// those violations count that are `bad` with them. If each violation counts for some values, and none that counts is
/// reachable, then none is reachable at all.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The further variables.
    pub indices: Vec<StateVar>,
    /// The violations that count, over current state, further variables and inputs.
    pub bad: TermId,
    /// Terms over current state and inputs, in the order of the variables: each violation counts for one of these.
    pub instances: Vec<Vec<TermId>>,
    /// Terms over current state, further variables and inputs, in the order of the variables. What holds whatever the
    /// variables are holds for these too, so that a step may rely on it.
    pub helps: Vec<Vec<TermId>>,
}

impl Watch {
    /// The watched system.
    pub fn system(&self, store: &mut TermStore, system: &TransitionSystem) -> TransitionSystem {
        let mut state = system.state.clone();
        state.extend(self.indices.iter().cloned());
        let mut trans = system.trans;
        for index in &self.indices {
            let same = store.eq(index.next, index.current);
            trans = store.and(trans, same);
        }
        TransitionSystem { state, trans, bad: self.bad, ..system.clone() }
    }

    /// What an invariant says of the helps.
    pub fn help(&self, store: &mut TermStore, invariant: TermId) -> TermId {
        let mut said = store.true_term();
        for terms in &self.helps {
            let map = self.indices.iter().map(|index| index.current).zip(terms.iter().copied());
            let instance = store.substitute(invariant, &map.collect());
            said = store.and(said, instance);
        }
        said
    }

    /// A violation that counts for none of the instances; there must be none.
    pub fn missed(&self, store: &mut TermStore, system: &TransitionSystem) -> TermId {
        let mut missed = system.bad;
        for instance in &self.instances {
            let map = self.indices.iter().map(|index| index.current).zip(instance.iter().copied());
            let counted = store.substitute(self.bad, &map.collect());
            let other = store.not(counted);
            missed = store.and(missed, other);
        }
        missed
    }
}
