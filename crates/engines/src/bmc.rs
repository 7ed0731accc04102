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
//! with the claims, here and once more by a checker that begins with the program ([`Unrolled`]). `false` only after a replay: symbolic execution may have given up values, so a model need not be an
//! execution.

use crate::open_claims::OpenClaims;
use crate::{Effort, Environment, Finding, OnViolation, Progress, Task, no_replay};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use vergo_evidence::one_by_one::any_failure;
use vergo_evidence::pruning::Pruning;
use vergo_evidence::unrolling::{Flaw, Unrolled};
use vergo_evidence::{
    Certificate, Certify, Choices, ClaimKey, ClauseProof, Counterexample, Reason, Verdict,
};
use vergo_smt::{Answer, Budget, Solver, SolverOptions, StopReason};
use vergo_symex::{
    ObligationKind, Options, Paused, Site, Trace, WORK_BETWEEN_LOOKS, execute_on, relevant_constraints,
    without_unrelated_assumptions,
};
use vergo_term::{Assignment, Evaluator, TermId, TermStore};

/// The bound when none is given.
const DEFAULT_UNWIND: u32 = 10;

/// The first limit for rounds without a decision when bounds grow, and its growth from bound to bound. Nothing that has
/// an end within reach should need a second bound for it, and what has none must not keep other paths from being seen.
const FIRST_DECIDED: u64 = 2000;
const DECIDED_GROWTH: u64 = 8;

/// The number of times that symbolic execution asks whether to stop for each look at the memory.
const LOOKS_AT_MEMORY: u32 = 16;

/// Conflicts and work of a question that is an easy one.
const EASY: u64 = 1_000;
const EASY_WORK: u64 = 1_500_000_000;

/// The number of searches for a proof, and their work, before the engine has an answer of its own.
const MAX_IN_VAIN: u32 = 2;
const AT_ONCE_WORK: u64 = 30_000_000_000;

/// The size of an object that an execution has room for, in any number.
const SMALL_OBJECT: u64 = 1 << 12;

/// At how many bounds in a row a hard question is put off.
const MAX_PUT_OFF: u32 = 2;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let mut session = Session::new(task);
    match session.at_bound(task, env, task.unrolling.unwind.unwrap_or(DEFAULT_UNWIND)) {
        Bounded::Decided(verdict) => verdict,
        Bounded::NeedsMore => Verdict::Unknown(Reason::bound()),
    }
}

/// Terms and solver, kept from bound to bound: what the executions have in common is built and learned once.
pub(crate) struct Session {
    store: TermStore,
    solver: Solver,
    open: OpenClaims,
    pruning: Pruning,
    effort: Effort,
    /// The limit for loops that go on without a decision, which may be for ever.
    decided: u64,
    /// The same limit in the last execution.
    last_decided: u64,
    /// Where the last execution goes on with a larger bound.
    paused: Option<Paused>,
    /// The number of times that the checker was asked in vain before the engine had an answer of its own.
    n_in_vain: u32,
    /// True if the bound is known to be too small.
    is_too_small: bool,
    /// At how many bounds in a row a hard question was put off.
    n_put_off: u32,
}

/// The result of a bound.
pub(crate) enum Bounded {
    /// Everything.
    Decided(Verdict),
    /// Executions within the bound are fine, but there are longer ones.
    NeedsMore,
}

impl Session {
    pub(crate) fn new(task: &Task<'_>) -> Session {
        // Guessing a model by simple phases goes through all clauses at each query, of which there are many.
        let options = SolverOptions {
            proofs: task.certify == Certify::Clauses,
            sat_options: vec![("lucky", 0)],
            ..SolverOptions::default()
        };
        Session {
            store: TermStore::new(),
            solver: Solver::new(options),
            open: OpenClaims::default(),
            pruning: Pruning::default(),
            effort: Effort::default(),
            decided: if task.unrolling.unwind.is_some() { u64::MAX } else { FIRST_DECIDED },
            last_decided: 0,
            paused: None,
            n_in_vain: 0,
            is_too_small: false,
            n_put_off: 0,
        }
    }

    /// Looks at all executions within a bound.
    pub(crate) fn at_bound(&mut self, task: &Task<'_>, env: &Environment<'_>, unwind: u32) -> Bounded {
        // The clock is looked at each time, the memory, which costs more, now and then.
        let looks = Cell::new(0u32);
        let stop = || {
            looks.set(looks.get().wrapping_add(1));
            let all = looks.get().is_multiple_of(LOOKS_AT_MEMORY);
            let budget = &env.budget;
            budget.spend(WORK_BETWEEN_LOOKS);
            if all { budget.exhausted() } else { budget.interrupted() }.is_some()
        };
        let start = Instant::now();
        let asking = RefCell::new((&mut self.pruning, &mut self.solver, Duration::ZERO));
        let feasible = |store: &TermStore, site: Site, condition: TermId| {
            let (pruning, solver, time) = &mut *asking.borrow_mut();
            let start = Instant::now();
            let answer = pruning.is_feasible(solver, store, site, condition, &env.budget);
            *time += start.elapsed();
            answer
        };
        let mut options = Options {
            stop: &stop,
            decided: self.decided,
            loop_bounds: &task.unrolling.loop_bounds,
            ..Options::bounded(unwind, unwind)
        };
        // A proof that is written down has no place for what was refuted on the way.
        if task.certify == Certify::Off {
            options.feasible = &feasible;
        }
        let trace;
        (trace, self.paused) = execute_on(task.program, &mut self.store, &options, self.paused.take());
        let (_, _, asking_time) = asking.into_inner();
        self.effort.symex_time += start.elapsed().saturating_sub(asking_time);
        self.last_decided = self.decided;
        self.decided = self.decided.saturating_mul(DECIDED_GROWTH);
        let (terms, obligations) = (self.store.len(), trace.obligations.len());
        (env.progress)(Progress::Bound { engine: None, unwind, terms, obligations });
        self.solver.push();
        for constraint in relevant_constraints(&self.store, &trace) {
            self.solver.assert(constraint);
        }
        let result = self.decide(task, env, &trace, unwind);
        self.solver.pop();
        self.effort = Effort {
            unwind,
            obligations,
            terms: self.store.len(),
            prune_queries: self.pruning.n_asked,
            pruned: self.pruning.n_pruned,
            solver: self.solver.stats(),
            ..self.effort
        };
        (env.progress)(Progress::Spent(Box::new(self.effort)));
        if env.budget.interrupted().is_some() {
            // To take a large trace apart takes longer than whoever waits for the answer has left.
            std::mem::forget(trace);
        }
        result
    }

    fn decide(&mut self, task: &Task<'_>, env: &Environment<'_>, trace: &Trace, unwind: u32) -> Bounded {
        let mut refuted: FxHashSet<TermId> = FxHashSet::default();
        while !self.holds_without_assumptions(task, env, trace) {
            let parts = self.open.failures(&mut self.store, trace, is_claim, |_, o| o.replayable);
            let failure = self.store.or_all(&parts);
            let mut answer = self.solver.check(&self.store, &[failure], &easy(&env.budget));
            if is_hard(&answer) {
                if let Some(proved) = self.proved_at_once(task, env, trace, unwind) {
                    return proved;
                }
                if self.is_put_off(task) {
                    return Bounded::NeedsMore;
                }
                let (solver, store) = (&mut self.solver, &self.store);
                answer = any_failure(Solver::check, solver, store, failure, &parts, &env.budget);
            }
            match answer {
                Answer::Unsat => {
                    refuted = parts.into_iter().collect();
                    break;
                }
                Answer::Unknown(reason) => return unknown(reason),
                Answer::Sat => {}
            }
            let model = self.small_model(env, trace, failure);
            let choices = Choices::of_model(task.program, &self.store, trace, &model);
            let start = Instant::now();
            let replayed = Counterexample::replay(task.program, choices, &env.replay_budget());
            self.effort.replay_time += start.elapsed();
            match (replayed, task.on_violation) {
                (Ok(counterexample), OnViolation::Stop) => {
                    return Bounded::Decided(Verdict::False(Box::new(counterexample)));
                }
                (Ok(counterexample), OnViolation::GoOn) if self.open.violate(&counterexample) => {
                    (env.progress)(Progress::Found(Finding::Violated(Box::new(counterexample))));
                }
                (replayed, on_violation) => {
                    let given_up = trace.approximations.first().map(|(_, what)| what.as_str());
                    let reason = no_replay(given_up, replayed.err());
                    let claim = self.first_violated(trace, &model, failure);
                    let (OnViolation::GoOn, Some(claim)) = (on_violation, claim) else {
                        return unknown(reason);
                    };
                    self.open.give_up(claim.clone());
                    (env.progress)(Progress::Found(Finding::GivenUp(claim, reason)));
                }
            }
        }
        if let Some(reason) = &trace.cut_short {
            return unknown(Reason::Incomplete(reason.clone()));
        }
        let mut parts = self.open.failures(&mut self.store, trace, |_| true, |_, o| o.violation);
        // What is known not to happen is not asked about again, unless the one proof that is written down is to cover it.
        parts.retain(|part| task.certify == Certify::Clauses || !refuted.contains(part));
        let failure = self.store.or_all(&parts);
        let ask = Solver::decide;
        let answer = any_failure(ask, &mut self.solver, &self.store, failure, &parts, &env.budget);
        if answer == Answer::Unsat {
            return self.certified(task, env, trace, unwind);
        }
        if let Some(reason) = env.budget.exhausted() {
            return unknown(reason);
        }
        let cut = self.open.failure(&mut self.store, trace, is_cut, |_, o| o.replayable);
        match self.solver.decide(&self.store, &[cut], &env.budget) {
            Answer::Sat => return Bounded::NeedsMore,
            Answer::Unknown(reason) => return unknown(reason),
            Answer::Unsat => {}
        }
        let is_own = |kind: &ObligationKind| matches!(kind, ObligationKind::OwnBound);
        let own = self.open.failure(&mut self.store, trace, is_own, |_, o| o.replayable);
        match self.solver.decide(&self.store, &[own], &env.budget) {
            Answer::Sat => return unknown(Reason::incomplete("the bound of a loop is too small")),
            Answer::Unknown(reason) => return unknown(reason),
            Answer::Unsat => {}
        }
        // All executions are covered as far as they have a meaning; what is left is unsupported, or undefined.
        let is_unsupported = |kind: &ObligationKind| matches!(kind, ObligationKind::Unsupported(_));
        let left = self.open.failure(&mut self.store, trace, is_unsupported, |_, o| o.replayable);
        match self.solver.check(&self.store, &[left], &env.budget) {
            Answer::Unknown(reason) => unknown(reason),
            Answer::Sat => {
                let model = self.solver.model(&self.store);
                let mut evaluator = Evaluator::new(&self.store, &model);
                let what = trace.obligations.iter().find_map(|obligation| match &obligation.kind {
                    ObligationKind::Unsupported(what) if evaluator.value(obligation.violation).as_bool() => {
                        Some(what.clone())
                    }
                    _ => None,
                });
                unknown(Reason::Unsupported(what.unwrap_or_default()))
            }
            Answer::Unsat => {
                let what = trace.faults.first().map_or("an access", |fault| fault.what);
                unknown(Reason::incomplete(format!("undefined behaviour that is not asked about: {what}")))
            }
        }
    }

    /// After `Sat`: a model, if possible one in which no object is so large that there is no memory for its replay.
    fn small_model(&mut self, env: &Environment<'_>, trace: &Trace, failure: TermId) -> Assignment {
        let model = self.solver.model(&self.store);
        if trace.sizes.is_empty() {
            return model;
        }
        let mut wanted = vec![failure];
        for &size in &trace.sizes {
            let most = self.store.bv_u64(self.store.width(size), SMALL_OBJECT);
            wanted.push(self.store.bv_ule(size, most));
        }
        match self.solver.check(&self.store, &wanted, &easy(&env.budget)) {
            Answer::Sat => self.solver.model(&self.store),
            _ => model,
        }
    }

    /// The verdict where it is hard to say whether anything fails: whoever checks proofs has to find out in any case, so that
    /// it is asked first. Where that comes to nothing, the engine has to go its own way, and nothing is lost but effort, of
    /// which there is a limit.
    fn proved_at_once(
        &mut self,
        task: &Task<'_>,
        env: &Environment<'_>,
        trace: &Trace,
        unwind: u32,
    ) -> Option<Bounded> {
        self.is_too_small = false;
        if task.certify != Certify::Off || trace.cut_short.is_some() {
            return None;
        }
        let cut = self.open.failure(&mut self.store, trace, is_cut, |_, o| o.replayable);
        self.is_too_small = self.solver.decide(&self.store, &[cut], &easy(&env.budget)) == Answer::Sat;
        if self.is_too_small || self.n_in_vain >= MAX_IN_VAIN {
            return None;
        }
        let unrolled = self.unrolled(task, trace, unwind);
        let budget = env.budget.at_most(AT_ONCE_WORK);
        let certificate =
            Certificate::complete_unrolling(&unrolled, trace.obligations.len(), None, &budget);
        if let Err(flaw) = &certificate {
            self.n_in_vain += 1;
            if matches!(flaw, Flaw::Proof(_)) {
                (env.progress)(Progress::Fault(format!("a proof was rejected: {flaw}")));
            }
        }
        Some(Bounded::Decided(Verdict::True(certificate.ok()?)))
    }

    /// Returns whether a hard question is postponed until the bound is larger. Proofs need a bound that is large enough,
    /// and where this one is not, the same question comes again; now and then it is asked in any case, for violations
    /// may be near.
    fn is_put_off(&mut self, task: &Task<'_>) -> bool {
        let may_grow = task.unrolling.unwind.is_none();
        let is_put_off = self.is_too_small && may_grow && self.n_put_off < MAX_PUT_OFF;
        self.n_put_off = if is_put_off { self.n_put_off + 1 } else { 0 };
        is_put_off
    }

    /// Returns the claim to be checked where nothing fails within a bound.
    fn unrolled<'a>(&'a self, task: &Task<'a>, trace: &Trace, unwind: u32) -> Unrolled<'a> {
        Unrolled {
            program: task.program,
            unwind,
            recursion: unwind,
            decided: self.last_decided,
            loop_bounds: &task.unrolling.loop_bounds,
            closed: self.open.closed(),
            n_steps: trace.n_steps,
            n_conflicts: self.solver.stats().sat.conflicts,
        }
    }

    /// The verdict when nothing fails within the bound, as far as the engine can see.
    fn certified(&mut self, task: &Task<'_>, env: &Environment<'_>, trace: &Trace, unwind: u32) -> Bounded {
        let proof = match task.certify {
            Certify::Off => None,
            Certify::Clauses => match ClauseProof::of(&self.solver) {
                Some(proof) => Some(proof),
                None => return unknown(Reason::Fault("the clause proof is wrong".to_owned())),
            },
        };
        let unrolled = self.unrolled(task, trace, unwind);
        let n_obligations = trace.obligations.len();
        match Certificate::complete_unrolling(&unrolled, n_obligations, proof, &env.budget) {
            Ok(certificate) => Bounded::Decided(Verdict::True(certificate)),
            Err(Flaw::Unknown(reason)) => unknown(Reason::Unchecked(Box::new(reason))),
            Err(flaw) => unknown(Reason::Fault(format!("a proof was rejected: {flaw}"))),
        }
    }

    /// Checks whether the open claims hold already without the assumptions that share no variable with them, if that is to be
    /// tried. Mostly the formula is much smaller then; if it is too small, the whole one is next.
    fn holds_without_assumptions(
        &mut self,
        task: &Task<'_>,
        env: &Environment<'_>,
        trace: &Trace,
    ) -> bool {
        if !task.unrolling.slice_assumptions {
            return false;
        }
        let store = &mut self.store;
        let slice = |obligation| without_unrelated_assumptions(store, obligation);
        let slices: Vec<TermId> = trace.obligations.iter().map(slice).collect();
        let failure = self.open.failure(&mut self.store, trace, is_claim, |i, _| slices[i]);
        self.solver.decide(&self.store, &[failure], &env.budget) == Answer::Unsat
    }

    /// The open claim that a model of `failure` violates first.
    fn first_violated(&self, trace: &Trace, model: &Assignment, failure: TermId) -> Option<ClaimKey> {
        let mut evaluator = Evaluator::new(&self.store, model);
        if !evaluator.value(failure).as_bool() {
            return None;
        }
        trace.obligations.iter().find_map(|obligation| {
            let ObligationKind::Claim(claim) = &obligation.kind else { return None };
            let key = ClaimKey::new(claim, obligation.span);
            let open = self.open.is_open(&key);
            (open && evaluator.value(obligation.violation).as_bool()).then_some(key)
        })
    }
}

fn is_claim(kind: &ObligationKind) -> bool {
    matches!(kind, ObligationKind::Claim(_))
}

/// Returns the budget of an easy question.
fn easy(budget: &Budget) -> Budget {
    Budget { conflicts: Some(EASY), ..budget.at_most(EASY_WORK) }
}

/// Returns whether a question turned out not to be easy.
fn is_hard(answer: &Answer) -> bool {
    let is_effort = |reason: &StopReason| matches!(reason, StopReason::Conflicts | StopReason::Effort);
    matches!(answer, Answer::Unknown(vergo_smt::Reason::Stopped(reason)) if is_effort(reason))
}

fn is_cut(kind: &ObligationKind) -> bool {
    matches!(kind, ObligationKind::Unwinding | ObligationKind::Recursion)
}

fn unknown(reason: impl Into<Reason>) -> Bounded {
    Bounded::Decided(Verdict::Unknown(reason.into()))
}
