//! The reason why no violation is reachable. Data that an engine claims; a checker of its own decides whether it
//! is true.

use crate::reduction::Reduction;
use std::sync::Arc;
use vergo_term::{TermId, TermStore};

/// A claimed proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The reductions from the system to the one that is claimed to be safe, in the order of their application.
    pub reductions: Vec<Arc<dyn Reduction>>,
    /// The reason why no violation is reachable there.
    pub claim: Claim,
}

/// The reason why no violation of a system is reachable.
#[derive(Clone, Copy, Debug)]
pub enum Claim {
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
}

impl From<Claim> for Proof {
    fn from(claim: Claim) -> Proof {
        Proof { reductions: Vec::new(), claim }
    }
}

impl Proof {
    /// A proof by an inductive invariant of the system itself.
    pub fn inductive(invariant: TermId) -> Proof {
        Claim::Inductive { invariant, k: 1, simple_paths: false }.into()
    }

    /// The proof with another invariant, if it has one.
    pub fn map_invariant(mut self, map: impl FnOnce(TermId) -> TermId) -> Proof {
        if let Claim::Inductive { invariant, .. } = &mut self.claim {
            *invariant = map(*invariant);
        }
        self
    }

    /// A proof about a reduced system as one about the system that was reduced.
    pub fn lifted(mut self, reduction: impl Reduction + 'static) -> Proof {
        self.reductions.insert(0, Arc::new(reduction));
        self
    }

    /// The proof in another store.
    pub fn import(&self, into: &mut TermStore, from: &TermStore) -> Proof {
        let reductions = self.reductions.iter().map(|reduction| reduction.import(into, from));
        let proof = Proof { reductions: reductions.collect(), claim: self.claim };
        proof.map_invariant(|invariant| into.import(from, &[invariant])[0])
    }
}
