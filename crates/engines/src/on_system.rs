//! Engines on transition systems, run on programs: encoding, the engine, and evidence for what it says.

use crate::safety::{Outcome, Prover, Search};
use crate::{Environment, Progress, Task};
use vergo_evidence::counterexample::inputs_on_path;
use vergo_evidence::induction::ProofFlaw;
use vergo_evidence::{Certificate, Counterexample, Verdict};
use vergo_goto::program::Program;
use vergo_term::TermStore;
use vergo_ts::encode::CauseKind;
use vergo_ts::{Encoded, Path, Proof};

/// Runs an engine on the transition system of a program.
pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>, prove: Prover) -> Verdict {
    let mut store = TermStore::new();
    match encode(task.program, env, &mut store) {
        Ok(encoded) => decide(task.program, env, &mut store, &encoded, prove),
        Err(reason) => Verdict::Unknown(reason),
    }
}

/// The transition system of a program.
pub(crate) fn encode(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
) -> Result<Encoded, String> {
    let stop = || env.budget.exhausted().is_some();
    let options = vergo_ts::Options { stop: &stop, ..vergo_ts::Options::default() };
    vergo_ts::encode(program, store, &options).map_err(|unsupported| match env.budget.exhausted() {
        Some(reason) => reason.name().to_owned(),
        None => format!("no transition system: {unsupported}"),
    })
}

/// Runs an engine on an encoded program, and turns what it says into a verdict with evidence.
pub(crate) fn decide(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
    encoded: &Encoded,
    prove: Prover,
) -> Verdict {
    let obligations = encoded.causes.len();
    let terms = store.len();
    let progress = |unwind: u32| (env.progress)(Progress::Bound { unwind, terms, obligations });
    let mut search = Search::new(store, &encoded.system, &env.budget, &progress);
    search.control = encoded.counter;
    let outcome = match prove(&mut search) {
        Ok(outcome) => outcome,
        Err(reason) => return Verdict::Unknown(reason),
    };
    match outcome {
        Outcome::Safe(proof) => believe_proof(program, env, store, &proof),
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
