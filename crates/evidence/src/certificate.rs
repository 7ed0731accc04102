//! Certificates: why no claim can be violated.

use std::fmt;
use vergo_smt::{Answer, Budget, Solver};
use vergo_symex::{ObligationKind, Trace};
use vergo_term::TermStore;

/// A reason to believe `true`. There is no way to make one but by a check.
#[derive(Clone, Debug)]
pub struct Certificate {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    CompleteUnrolling { unwind: u32, recursion: u32, claims: usize },
}

impl Certificate {
    /// Every execution fits into these bounds, and none of them violates a claim: the solver refutes that any obligation
    /// of the trace is violated. `None` if it does not, or if the trace does not cover all executions.
    pub fn complete_unrolling(
        store: &mut TermStore,
        solver: &mut Solver,
        trace: &Trace,
        bounds: (u32, u32),
        budget: &Budget,
    ) -> Option<Certificate> {
        if trace.cut_short.is_some() {
            return None;
        }
        let violations: Vec<_> =
            trace.obligations.iter().map(|obligation| obligation.violation).collect();
        let any = store.or_all(&violations);
        if solver.check(store, &[any], budget) != Answer::Unsat {
            return None;
        }
        let is_claim = |kind: &ObligationKind| matches!(kind, ObligationKind::Claim(_));
        let claims =
            trace.obligations.iter().filter(|obligation| is_claim(&obligation.kind)).count();
        let (unwind, recursion) = bounds;
        Some(Certificate { kind: Kind::CompleteUnrolling { unwind, recursion, claims } })
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::CompleteUnrolling { unwind, recursion, claims } => write!(
                f,
                "complete unrolling: {claims} checks hold, no loop needs more than {unwind} undecided rounds and no \
                 function more than {recursion} activations"
            ),
        }
    }
}
