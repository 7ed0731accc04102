//! Engines on transition systems, run on programs: encoding, the engine, and evidence for what it says.

use crate::auxiliary::{candidates, inductive_subset, strengthened, weakened};
use crate::safety::{Outcome, Prover, Search};
use crate::{Environment, Progress, Task};
use std::time::{Duration, Instant};
use vergo_evidence::counterexample::inputs_on_path;
use vergo_evidence::induction::ProofFlaw;
use vergo_evidence::{Certificate, Counterexample, Verdict};
use vergo_goto::program::Program;
use vergo_smt::Budget;
use vergo_term::{TermId, TermStore};
use vergo_ts::encode::CauseKind;
use vergo_ts::{Encoded, Path, Proof, TransitionSystem};

/// The transition system of a program, and what is known of it before any engine begins.
#[derive(Debug)]
pub(crate) struct Prepared {
    encoded: Encoded,
    /// The auxiliary invariant.
    auxiliary: TermId,
    /// The system with it.
    strengthened: TransitionSystem,
}

impl Prepared {
    /// Whether the system makes more than one step.
    pub(crate) fn has_loops(&self) -> bool {
        self.encoded.points.iter().any(|point| point.position.is_some())
    }
}

/// The part of the time for auxiliary invariants.
const AUXILIARY_SHARE: u32 = 10;
/// The most that they may take.
const AUXILIARY_TIME: Duration = Duration::from_secs(20);

/// Runs an engine on the transition system of a program.
pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>, prove: Prover) -> Verdict {
    let mut store = TermStore::new();
    match prepare(task.program, env, &mut store) {
        Ok(prepared) => decide(task.program, env, &mut store, &prepared, prove),
        Err(reason) => Verdict::Unknown(reason),
    }
}

/// Encodes a program and finds auxiliary invariants.
pub(crate) fn prepare(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
) -> Result<Prepared, String> {
    let stop = || env.budget.exhausted().is_some();
    let options = vergo_ts::Options { stop: &stop, ..vergo_ts::Options::default() };
    let encoded = vergo_ts::encode(program, store, &options).map_err(|unsupported| {
        match env.budget.exhausted() {
            Some(reason) => reason.name().to_owned(),
            None => format!("no transition system: {unsupported}"),
        }
    })?;
    let now = Instant::now();
    let left = env.budget.deadline.map(|deadline| deadline.saturating_duration_since(now));
    let time = left.map_or(AUXILIARY_TIME, |left| AUXILIARY_TIME.min(left / AUXILIARY_SHARE));
    let budget = Budget { deadline: now.checked_add(time), ..env.budget.clone() };
    let auxiliary = auxiliary_invariant(store, &encoded, &budget);
    let strengthened = strengthened(store, &encoded.system, auxiliary);
    Ok(Prepared { encoded, auxiliary, strengthened })
}

fn auxiliary_invariant(store: &mut TermStore, encoded: &Encoded, budget: &Budget) -> TermId {
    let intervals = encoded.interval_invariants(store);
    let mut locations = Vec::new();
    let mut proposed = Vec::new();
    for (point, interval) in intervals.into_iter().enumerate() {
        let here = encoded.is_at(store, point);
        locations.push(here);
        for fact in store.conjuncts(interval) {
            proposed.push(store.implies(here, fact));
        }
    }
    // Bounds alone are found in any case; relations if there is time.
    let bounds = inductive_subset(store, &encoded.system, proposed, budget);
    let mut all = bounds.clone();
    all.extend(candidates(store, &encoded.system, &locations));
    all.sort();
    all.dedup();
    let with_relations = inductive_subset(store, &encoded.system, all, budget);
    let kept = if with_relations.is_empty() { bounds } else { with_relations };
    store.and_all(&kept)
}

/// Runs an engine on an encoded program, and turns what it says into a verdict with evidence.
pub(crate) fn decide(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
    prepared: &Prepared,
    prove: Prover,
) -> Verdict {
    let Prepared { encoded, auxiliary, strengthened } = prepared;
    let obligations = encoded.causes.len();
    let terms = store.len();
    let progress = |unwind: u32| (env.progress)(Progress::Bound { unwind, terms, obligations });
    let mut search = Search::new(store, strengthened, &env.budget, &progress);
    search.plain = &encoded.system;
    search.control = encoded.counter;
    let outcome = match prove(&mut search) {
        Ok(outcome) => outcome,
        Err(reason) => return Verdict::Unknown(reason),
    };
    match outcome {
        Outcome::Safe(proof) => {
            let proof = weakened(store, proof, *auxiliary);
            believe_proof(program, env, store, &proof)
        }
        Outcome::Unsafe(path) => believe_path(program, env, store, encoded, &path),
    }
}

fn believe_proof(
    program: &Program,
    env: &Environment<'_>,
    store: &TermStore,
    proof: &Proof,
) -> Verdict {
    match Certificate::transition_system(program, store, proof, &env.budget) {
        Ok(certificate) => Verdict::True(certificate),
        Err(ProofFlaw::Unknown(reason)) => {
            Verdict::Unknown(format!("a proof could not be checked: {reason}"))
        }
        Err(flaw) => Verdict::Unknown(format!("internal error: a proof was rejected: {flaw}")),
    }
}

fn believe_path(
    program: &Program,
    env: &Environment<'_>,
    store: &TermStore,
    encoded: &Encoded,
    path: &Path,
) -> Verdict {
    if !path.verify(store, &encoded.system) {
        return Verdict::Unknown("internal error: a path is no execution".to_owned());
    }
    let inputs = inputs_on_path(encoded, store, path);
    if let Ok(counterexample) = Counterexample::replay(program, inputs, env.replay_time()) {
        return Verdict::False(Box::new(counterexample));
    }
    let causes = encoded.causes_of(store, path);
    let beyond = causes.iter().find_map(|cause| match &cause.kind {
        CauseKind::Beyond(what) => Some(what),
        CauseKind::Claim(_) => None,
    });
    Verdict::Unknown(match (beyond, encoded.approximations.first()) {
        (Some(what), _) => format!("unsupported: {what}"),
        (None, Some((_, what))) => {
            format!("a counterexample could not be replayed because of {what}")
        }
        (None, None) => "a counterexample could not be replayed".to_owned(),
    })
}
