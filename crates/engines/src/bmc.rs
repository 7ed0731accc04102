//! Bounded model checking at a fixed bound.
//!
//! **Idea.** All executions in which no loop makes more than `k` undecided rounds are one formula; a model of it that
//! violates a claim is a counterexample. If no execution wants more than `k` rounds, the formula covers them all, and
//! its unsatisfiability proves the claims.
//!
//! **Source.** Biere, Cimatti, Clarke, Zhu, "Symbolic Model Checking without BDDs", TACAS 1999,
//! doi 10.1007/3-540-49059-0_14; for C: Clarke, Kroening, Lerda, "A Tool for Checking ANSI-C Programs", TACAS 2004,
//! doi 10.1007/978-3-540-24730-2_15.
//!
//! **Soundness.** `true` only if the cut loops and recursive calls, and whatever is unsupported, are refuted together
//! with the claims. `false` only after a replay: symbolic execution may have given up values, so a model need not be an
//! execution.

use crate::{Environment, Progress, REPLAY_TIME, Task};
use vergo_evidence::counterexample::inputs_of;
use vergo_evidence::{Certificate, Counterexample, Verdict};
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_symex::{ObligationKind, Options, Trace, execute};
use vergo_term::{TermId, TermStore};

/// The bound when none is given.
const DEFAULT_UNWIND: u32 = 10;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let mut session = Session::new();
    match session.at_bound(task, env, task.unwind.unwrap_or(DEFAULT_UNWIND)) {
        Bounded::Decided(verdict) => verdict,
        Bounded::NeedsMore => Verdict::Unknown("the bound is too small".to_owned()),
    }
}

/// Terms and solver, kept from bound to bound: what the executions have in common is built and learned once.
pub(crate) struct Session {
    store: TermStore,
    solver: Solver,
}

/// What a bound has shown.
pub(crate) enum Bounded {
    /// Everything.
    Decided(Verdict),
    /// That executions within it are fine, but there are more.
    NeedsMore,
}

impl Session {
    pub(crate) fn new() -> Session {
        Session { store: TermStore::new(), solver: Solver::new(SolverOptions::default()) }
    }

    /// Looks at all executions within a bound.
    pub(crate) fn at_bound(&mut self, task: &Task<'_>, env: &Environment<'_>, unwind: u32) -> Bounded {
        let stop = || env.budget.exhausted().is_some();
        let options = Options { unwind, recursion: unwind, max_steps: u64::MAX, stop: &stop };
        let trace = execute(task.program, &mut self.store, &options);
        let (terms, obligations) = (self.store.len(), trace.obligations.len());
        (env.progress)(Progress::Bound { unwind, terms, obligations });
        self.solver.push();
        for &constraint in &trace.constraints {
            self.solver.assert(constraint);
        }
        let result = self.decide(task, env, &trace, unwind);
        self.solver.pop();
        result
    }

    fn decide(&mut self, task: &Task<'_>, env: &Environment<'_>, trace: &Trace, unwind: u32) -> Bounded {
        let claims = violations(trace, |kind| matches!(kind, ObligationKind::Claim(_)));
        match self.check(&claims, &env.budget) {
            Answer::Unsat => {}
            Answer::Unknown(reason) => return unknown(reason.text()),
            Answer::Sat => {
                let model = self.solver.model(&self.store);
                let inputs = inputs_of(task.program, &self.store, trace, &model);
                return Bounded::Decided(match Counterexample::replay(task.program, inputs, REPLAY_TIME) {
                    Ok(counterexample) => Verdict::False(Box::new(counterexample)),
                    Err(_) => Verdict::Unknown(match trace.approximations.first() {
                        Some((_, what)) => format!("a counterexample could not be replayed because of {what}"),
                        None => "a counterexample could not be replayed".to_owned(),
                    }),
                });
            }
        }
        if let Some(reason) = &trace.cut_short {
            return unknown(reason.clone());
        }
        if let Some(certificate) = Certificate::complete_unrolling(
            &mut self.store,
            &mut self.solver,
            trace,
            (unwind, unwind),
            &env.budget,
        ) {
            return Bounded::Decided(Verdict::True(certificate));
        }
        if let Some(reason) = env.budget.exhausted() {
            return unknown(reason.name().to_owned());
        }
        let cut = violations(trace, |kind| matches!(kind, ObligationKind::Unwinding | ObligationKind::Recursion));
        if self.check(&cut, &env.budget) == Answer::Unsat {
            // All executions are covered; what is left is unsupported.
            let what = trace.obligations.iter().find_map(|obligation| match &obligation.kind {
                ObligationKind::Unsupported(what) => Some(what.clone()),
                _ => None,
            });
            return unknown(format!("unsupported: {}", what.unwrap_or_default()));
        }
        Bounded::NeedsMore
    }

    fn check(&mut self, violations: &[TermId], budget: &Budget) -> Answer {
        let any = self.store.or_all(violations);
        self.solver.check(&self.store, &[any], budget)
    }
}

fn unknown(reason: String) -> Bounded {
    Bounded::Decided(Verdict::Unknown(reason))
}

fn violations(trace: &Trace, wanted: impl Fn(&ObligationKind) -> bool) -> Vec<TermId> {
    trace.obligations.iter().filter(|obligation| wanted(&obligation.kind)).map(|o| o.violation).collect()
}
