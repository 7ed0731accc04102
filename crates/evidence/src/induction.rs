//! The checker of proofs about transition systems.
//!
//! It shares nothing with the engine that claims the proof but the system: the formulas are made anew
//! in a store that does not simplify, and each condition is decided by a fresh solver. What it accepts
//! is a proof in the sense of [`Proof`], whose conditions it checks one by one.

use std::fmt;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_term::{Rewriting, TermId, TermStore};
use vergo_ts::{Proof, Start, StateVar, TransitionSystem, Unroller, Unrolling};

/// What is wrong with a claimed proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofFlaw {
    /// The system is not well-formed, or the invariant is no formula over its state.
    Malformed(String),
    /// The claim does not hold in an execution with so many steps from an initial state.
    Initiation(u32),
    /// The claim is left by a step.
    Consecution,
    /// There are executions with more steps.
    NotExhausted,
    /// The check did not finish.
    Unknown(String),
}

impl fmt::Display for ProofFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofFlaw::Malformed(what) => write!(f, "{what}"),
            ProofFlaw::Initiation(steps) => {
                write!(f, "the invariant does not hold after {steps} steps from an initial state")
            }
            ProofFlaw::Consecution => write!(f, "the invariant is not inductive"),
            ProofFlaw::NotExhausted => write!(f, "there are longer executions"),
            ProofFlaw::Unknown(reason) => write!(f, "the check did not finish: {reason}"),
        }
    }
}

impl std::error::Error for ProofFlaw {}

/// Checks a claimed proof.
///
/// # Errors
/// The condition that does not hold.
pub fn check_proof(
    store: &TermStore,
    system: &TransitionSystem,
    proof: &Proof,
    budget: &Budget,
) -> Result<(), ProofFlaw> {
    let mut own = TermStore::with_rewriting(Rewriting::Off);
    let invariant = match *proof {
        Proof::Inductive { invariant, .. } => invariant,
        Proof::Exhausted { .. } => store.true_term(),
    };
    let (system, invariant) = import(&mut own, store, system, invariant);
    system.verify(&own).map_err(|flaw| ProofFlaw::Malformed(flaw.to_string()))?;
    // An invariant is like an initial condition: a formula over the current state.
    let as_init = TransitionSystem { init: invariant, ..system.clone() };
    as_init.verify(&own).map_err(|_| {
        ProofFlaw::Malformed("the invariant is no formula over the state".to_owned())
    })?;
    let mut check = Check { store: own, system: &system, invariant, budget };
    match *proof {
        Proof::Inductive { k: 0, .. } => {
            Err(ProofFlaw::Malformed("an induction needs a hypothesis".to_owned()))
        }
        Proof::Inductive { k, simple_paths, .. } => {
            check.initiation(k)?;
            check.consecution(k, simple_paths)
        }
        Proof::Exhausted { steps } => {
            check.initiation(steps)?;
            check.exhaustion(steps)
        }
    }
}

struct Check<'a> {
    store: TermStore,
    system: &'a TransitionSystem,
    invariant: TermId,
    budget: &'a Budget,
}

impl Check<'_> {
    /// No execution leaves the claim within fewer than `k` steps.
    fn initiation(&mut self, k: u32) -> Result<(), ProofFlaw> {
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(&mut self.store, self.system, Start::Initial, options);
        for steps in 0..k {
            unrolling.extend_to(&mut self.store, steps);
            let wrong = self.violation(&mut unrolling.unroller, steps);
            let flaw = ProofFlaw::Initiation(steps);
            refute(&mut unrolling.solver, &self.store, &[wrong], self.budget, flaw)?;
        }
        Ok(())
    }

    /// No step leaves the claim after `k` states in it.
    fn consecution(&mut self, k: u32, simple_paths: bool) -> Result<(), ProofFlaw> {
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(&mut self.store, self.system, Start::Anywhere, options);
        unrolling.extend_to(&mut self.store, k);
        for time in 0..k {
            let wrong = self.violation(&mut unrolling.unroller, time);
            let right = self.store.not(wrong);
            unrolling.solver.assert(right);
        }
        if simple_paths {
            for later in 1..=k {
                for earlier in 0..later {
                    let differ = unrolling.unroller.differ(&mut self.store, earlier, later);
                    unrolling.solver.assert(differ);
                }
            }
        }
        let wrong = self.violation(&mut unrolling.unroller, k);
        let flaw = ProofFlaw::Consecution;
        refute(&mut unrolling.solver, &self.store, &[wrong], self.budget, flaw)
    }

    /// No execution has so many steps.
    fn exhaustion(&mut self, steps: u32) -> Result<(), ProofFlaw> {
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(&mut self.store, self.system, Start::Initial, options);
        unrolling.extend_to(&mut self.store, steps);
        refute(&mut unrolling.solver, &self.store, &[], self.budget, ProofFlaw::NotExhausted)
    }

    /// That the claim does not hold at a time.
    fn violation(&mut self, unroller: &mut Unroller<'_>, time: u32) -> TermId {
        let bad = unroller.bad(&mut self.store, time);
        let inside = unroller.at(&mut self.store, self.invariant, time);
        let outside = self.store.not(inside);
        self.store.or(bad, outside)
    }
}

fn refute(
    solver: &mut Solver,
    store: &TermStore,
    assumptions: &[TermId],
    budget: &Budget,
    flaw: ProofFlaw,
) -> Result<(), ProofFlaw> {
    match solver.check(store, assumptions, budget) {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(flaw),
        Answer::Unknown(reason) => Err(ProofFlaw::Unknown(reason.text())),
    }
}

/// The system and a formula in another store.
fn import(
    into: &mut TermStore,
    from: &TermStore,
    system: &TransitionSystem,
    formula: TermId,
) -> (TransitionSystem, TermId) {
    let mut one = |term: TermId| into.import(from, &[term])[0];
    let state = system.state.iter().map(|var| StateVar {
        current: one(var.current),
        next: one(var.next),
        name: var.name.clone(),
    });
    let state = state.collect();
    let inputs = system.inputs.iter().map(|&input| one(input)).collect();
    let (init, trans, bad) = (one(system.init), one(system.trans), one(system.bad));
    (TransitionSystem { state, inputs, init, trans, bad }, one(formula))
}
