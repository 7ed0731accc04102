//! Multi-property checking: every claim gets its own verdict, with one trace and one solver.
//!
//! **Idea.** All open claims are asked about at once: can any of them be violated? If so, the counterexample is replayed,
//! the claim that it violates is closed, and the question is asked again without it, until the answer is no. The rest
//! then holds together, for the price of the one question that checking all claims at once costs anyway.
//!
//! **Source.** R. S. Menezes, thesis 2025, algorithm 8 (per-assertion splitting).
//!
//! **Deviations.** The thesis makes a copy of the trace for each assertion, in which all others are assumptions. Here
//! nothing is copied, and a claim is only assumed *before* the violation that is looked for: an execution ends at its
//! first violation, so what it would violate later does not count against it. Claims that are open need not be assumed,
//! since any of them will do as an answer.
//!
//! **Soundness.** A claim is violated if some execution violates it first, which a replay shows. When no execution
//! violates an open claim before a closed one, every open claim holds in all executions up to their first violation.
//! Each round closes a claim, so it ends.

use vergo_evidence::Counterexample;
use vergo_evidence::claims::ClaimKey;
use vergo_evidence::unrolling::ClosedClaims;
use vergo_symex::{Obligation, ObligationKind, Trace};
use vergo_term::{TermId, TermStore};

/// Which claims need no further question.
#[derive(Default)]
pub(crate) struct OpenClaims {
    /// Violated, or given up because their counterexamples could not be replayed.
    closed: ClosedClaims,
}

impl OpenClaims {
    /// The claims that need no further question.
    pub(crate) fn closed(&self) -> &ClosedClaims {
        &self.closed
    }

    /// Takes note of a violation; false if the claim was closed before.
    pub(crate) fn violate(&mut self, counterexample: &Counterexample) -> bool {
        self.closed.violated.insert(counterexample.key())
    }

    /// Gives a claim up.
    pub(crate) fn give_up(&mut self, key: ClaimKey) {
        self.closed.given_up.insert(key);
    }

    /// Checks whether a claim needs further questions.
    pub(crate) fn is_open(&self, key: &ClaimKey) -> bool {
        !self.closed.violated.contains(key) && !self.closed.given_up.contains(key)
    }

    /// Satisfied by executions that fail a wanted obligation before they violate a closed claim; `which` says when it
    /// fails: whether all executions count, or only those that can be replayed, or even more than there are.
    pub(crate) fn failure(
        &self,
        store: &mut TermStore,
        trace: &Trace,
        wanted: impl Fn(&ObligationKind) -> bool,
        which: impl Fn(usize, &Obligation) -> TermId,
    ) -> TermId {
        let failures = self.failures(store, trace, wanted, which);
        store.or_all(&failures)
    }

    /// As [`failure`](OpenClaims::failure), one by one.
    pub(crate) fn failures(
        &self,
        store: &mut TermStore,
        trace: &Trace,
        wanted: impl Fn(&ObligationKind) -> bool,
        which: impl Fn(usize, &Obligation) -> TermId,
    ) -> Vec<TermId> {
        let mut failures = Vec::new();
        // Satisfied by executions that have violated a closed claim so far.
        let mut ended = store.false_term();
        for (i, obligation) in trace.obligations.iter().enumerate() {
            let key = self.closed_key(obligation);
            if key.as_ref().is_some_and(|key| self.closed.violated.contains(key)) {
                ended = store.or(ended, obligation.violation);
            } else if key.is_none() && wanted(&obligation.kind) {
                let running = store.not(ended);
                failures.push(store.and(running, which(i, obligation)));
            }
        }
        failures
    }

    /// The key of an obligation that is a closed claim.
    fn closed_key(&self, obligation: &Obligation) -> Option<ClaimKey> {
        if self.closed.violated.is_empty() && self.closed.given_up.is_empty() {
            return None;
        }
        let ObligationKind::Claim(claim) = &obligation.kind else { return None };
        let key = ClaimKey::new(claim, obligation.span);
        (!self.is_open(&key)).then_some(key)
    }
}
