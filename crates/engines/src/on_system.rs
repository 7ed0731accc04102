//! Engines on transition systems, run on programs: encoding, the engine, and evidence for what it says.

use crate::affine::candidates_for_sums;
use crate::auxiliary::{Consequences, Place, no_consequences, strengthened, weakened};
use crate::cells::{About, candidates_for_cells};
use crate::executions::Executions;
use crate::gathered::Gathered;
use crate::goals::{candidates_for_counters, candidates_for_goals};
use crate::safety::{Conclusion, Prover, Search, Statistics};
use crate::sources::{Proposals, SAMPLING_SHARE};
use crate::{Effort, Environment, Progress, Task, no_replay};
use vergo_evidence::induction::ProofFlaw;
use vergo_evidence::{Certificate, Choices, Counterexample, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_smt::Budget;
use vergo_symex::WORK_BETWEEN_LOOKS;
use vergo_term::{TermId, TermStore};
use vergo_ts::encode::CauseKind;
use vergo_ts::{
    Encoded, Path, Proof, RecursiveCalls, Reduction as _, Series, Sums, TransitionSystem, Watched,
};

/// The transition system of a program, and what is known of it before any engine begins.
#[derive(Debug)]
pub(crate) struct Prepared {
    encoded: Encoded,
    known: Known,
    /// The same with arrays watched, if it has arrays.
    watched: Option<WatchedSystem>,
    /// True if what is known excludes all violations: every engine ends at once, with the same proof.
    suffices: bool,
}

/// A system with arrays watched.
#[derive(Debug)]
struct WatchedSystem {
    /// Sums over arrays that are part of its state.
    sums: Option<Sums>,
    watched: Watched,
    known: Known,
}

impl WatchedSystem {
    /// A proof about it as one about the system itself.
    fn concrete(&self, store: &mut TermStore, proof: Proof) -> Proof {
        let proof = weakened(store, proof, self.known.auxiliary);
        let proof = self.watched.concrete(store, proof);
        match &self.sums {
            Some(sums) => proof.lifted(sums.clone()),
            None => proof,
        }
    }
}

/// The facts about a system.
#[derive(Debug)]
struct Known {
    /// The auxiliary invariant.
    auxiliary: TermId,
    /// The system with it.
    strengthened: TransitionSystem,
}

impl Known {
    fn new(
        store: &mut TermStore,
        system: &TransitionSystem,
        auxiliary: TermId,
        consequences: Consequences<'_>,
    ) -> Known {
        Known { auxiliary, strengthened: strengthened(store, system, auxiliary, consequences) }
    }
}

impl Prepared {
    /// Returns whether what is known excludes all violations.
    pub(crate) fn suffices(&self) -> bool {
        self.suffices
    }

    /// Checks whether the system makes more than one step.
    pub(crate) fn has_loops(&self) -> bool {
        has_loops(&self.encoded)
    }
}

pub(crate) fn has_loops(encoded: &Encoded) -> bool {
    encoded.points.iter().any(|point| point.position.is_some())
}

/// The part of the time for auxiliary invariants of each kind.
const AUXILIARY_SHARE: u32 = 10;
/// The part of the time for those that may be expensive.
const EXPENSIVE_SHARE: u32 = 4;
/// The most that they may take.
const AUXILIARY_WORK: u64 = 20_000_000_000;
/// The part of the time for equations with sums, which are few and to the point.
const SUMS_SHARE: u32 = 3;
/// The part of the time for what violations need of arrays.
const GOALS_SHARE: u32 = 2;
/// The part of the time after which an engine looks at arrays as they are, if watching them does not suffice.
const WATCHED_SHARE: u32 = 2;

/// Runs an engine on the transition system of a program.
pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>, prove: Prover) -> Verdict {
    let mut store = TermStore::new();
    match prepare(task, env, &mut store) {
        Ok(prepared) => decide(task.program, env, &mut store, &prepared, prove),
        Err(reason) => Verdict::Unknown(reason),
    }
}

/// Encodes a program and finds auxiliary invariants.
pub(crate) fn prepare(
    task: &Task<'_>,
    env: &Environment<'_>,
    store: &mut TermStore,
) -> Result<Prepared, Reason> {
    let encoded = encoded(task.program, RecursiveCalls::Bad, env, store)?;
    // Invariants are of loops.
    if !has_loops(&encoded) {
        let nothing = store.true_term();
        let known = Known::new(store, &encoded.system, nothing, &no_consequences);
        return Ok(Prepared { encoded, known, watched: None, suffices: false });
    }
    let causes: Vec<TermId> = encoded.causes.iter().map(|cause| cause.condition).collect();
    let watched = Watched::of(store, &encoded.system, &causes, encoded.counter);
    if task.unrolling.without_auxiliary {
        let nothing = store.true_term();
        let known = Known::new(store, &encoded.system, nothing, &no_consequences);
        let watched = watched.map(|watched| {
            let known = Known::new(store, &watched.system, nothing, &no_consequences);
            WatchedSystem { sums: None, watched, known }
        });
        return Ok(Prepared { encoded, known, watched, suffices: false });
    }
    // A watched system has more executions, so its invariants about words are those of the system too.
    let system = watched.as_ref().map_or(&encoded.system, |watched| &watched.system);
    let places = places(store, &encoded);
    let executions = executions(store, &encoded, &auxiliary_budget(env));
    let budget = auxiliary_budget(env);
    let proposals = Proposals::new(store, &encoded, system, &places, &executions, &budget);
    let mut gathered = Gathered::new(store, &encoded, system, &no_consequences);
    gathered.about_words(store, &proposals, &auxiliary_budget(env));
    let mut suffices = false;
    if watched.is_none() {
        suffices = more_about_words(store, env, &mut gathered, &proposals);
    }
    let auxiliary = gathered.all;
    let known = Known::new(store, &encoded.system, auxiliary, &no_consequences);
    let about_words = proposals.only(&gathered.facts);
    let watched = watched.map(|watched| {
        let known;
        let seen = (&encoded.system, &places[..], &executions);
        (known, suffices) = about_cells(store, env, &watched, gathered, &proposals, seen);
        let without_sums = WatchedSystem { sums: None, watched, known };
        if suffices {
            return without_sums;
        }
        let with_sums = with_sums(store, env, &encoded, &about_words, &places, &executions);
        let Some((with_sums, is_enough)) = with_sums else { return without_sums };
        suffices = is_enough;
        with_sums
    });
    Ok(Prepared { encoded, known, watched, suffices })
}

/// Runs an engine on the transition system of a program with arrays watched, where nothing is known of arrays but what violations
/// need. `None` if that does not exclude them.
pub(crate) fn run_for_goals(
    task: &Task<'_>,
    env: &Environment<'_>,
    prove: Prover,
) -> Option<Verdict> {
    let store = &mut TermStore::new();
    let encoded = encoded(task.program, RecursiveCalls::Bad, env, store).ok()?;
    let causes: Vec<TermId> = encoded.causes.iter().map(|cause| cause.condition).collect();
    let watched = Watched::of(store, &encoded.system, &causes, encoded.counter)?;
    let places = places(store, &encoded);
    let executions = executions(store, &encoded, &auxiliary_budget(env));
    let budget = auxiliary_budget(env);
    let proposals = Proposals::new(store, &encoded, &watched.system, &places, &executions, &budget);
    let mut gathered = Gathered::new(store, &encoded, &watched.system, &no_consequences);
    gathered.about_words(store, &proposals, &env.budget.part(EXPENSIVE_SHARE));
    let of_reads: Consequences<'_> =
        &|store: &mut TermStore, facts: &[TermId]| watched.known_of_reads(store, facts);
    let known = Known::new(store, &encoded.system, gathered.all, &no_consequences);
    let mut gathered = gathered.relying_on(of_reads);
    let mut suffices = false;
    // What is known of arrays may say more of words, and that more of arrays.
    for again in [true, false] {
        let counters = candidates_for_counters(store, &encoded, &places);
        gathered.gather(store, &counters, &auxiliary_budget(env));
        let goals = candidates_for_goals(store, &watched, &places);
        gathered.gather(store, &goals, &env.budget.part(GOALS_SHARE));
        suffices = gathered.suffices(store, &auxiliary_budget(env));
        if suffices {
            break;
        }
        if again {
            gathered.about_words(store, &proposals, &auxiliary_budget(env));
        }
    }
    if !suffices {
        return None;
    }
    let needed = gathered.essential(store, &auxiliary_budget(env));
    let of_cells = Known::new(store, &watched.system, needed, of_reads);
    let watched = Some(WatchedSystem { sums: None, watched, known: of_cells });
    let prepared = Prepared { encoded, known, watched, suffices: true };
    Some(decide(task.program, env, store, &prepared, prove))
}

/// Finds facts about a watched system, beginning with those about its words; returns whether they suffice, too.
fn about_cells(
    store: &mut TermStore,
    env: &Environment<'_>,
    watched: &Watched,
    gathered: Gathered<'_>,
    proposals: &Proposals,
    seen: (&TransitionSystem, &[Place], &Executions),
) -> (Known, bool) {
    let of_reads: Consequences<'_> =
        &|store: &mut TermStore, facts: &[TermId]| watched.known_of_reads(store, facts);
    let mut gathered = gathered.relying_on(of_reads);
    let mut suffices = gathered.suffices(store, &auxiliary_budget(env));
    // What is known of arrays may say more of words that are made of their elements, and that more of arrays.
    let kinds = [About::Equalities, About::Equalities, About::Equations, About::Inequalities];
    for about in kinds {
        if suffices {
            break;
        }
        let (budget, known) = (auxiliary_budget(env), gathered.all);
        let proposed = candidates_for_cells(store, watched, about, seen, known, &budget);
        gathered.gather(store, &proposed, &budget);
        suffices = gathered.suffices(store, &budget);
        if !suffices && gathered.all != known {
            gathered.about_words(store, proposals, &auxiliary_budget(env));
        }
    }
    if !suffices {
        suffices = more_about_words(store, env, &mut gathered, proposals);
    }
    let needed = match suffices {
        true => gathered.essential(store, &auxiliary_budget(env)),
        false => gathered.all,
    };
    (Known::new(store, &watched.system, needed, of_reads), suffices)
}

/// Adds facts about words that may be expensive to find out; gives whether what is known suffices then.
fn more_about_words(
    store: &mut TermStore,
    env: &Environment<'_>,
    gathered: &mut Gathered<'_>,
    proposals: &Proposals,
) -> bool {
    let known = gathered.all;
    gathered.more_about_words(store, proposals, &env.budget.part(EXPENSIVE_SHARE));
    let suffices = gathered.suffices(store, &auxiliary_budget(env));
    // What is in range now may have more to be said of it.
    if !suffices && gathered.all != known {
        gathered.about_words(store, proposals, &auxiliary_budget(env));
    }
    suffices
}

/// The watched system with the sums that the program computes in its state, and whether what is known of it suffices; `None` if
/// it computes none.
fn with_sums(
    store: &mut TermStore,
    env: &Environment<'_>,
    encoded: &Encoded,
    proposals: &Proposals,
    places: &[Place],
    executions: &Executions,
) -> Option<(WatchedSystem, bool)> {
    let mut series = Series::of(store, &encoded.system);
    if series.is_empty() {
        return None;
    }
    let system = &encoded.system;
    let equations = candidates_for_sums(store, system, places, executions, &mut series);
    if equations.iter().all(Vec::is_empty) {
        return None;
    }
    let sums = Sums(series);
    let summed = sums.apply(store, system);
    let mut agreement = Vec::new();
    for series in &sums.0 {
        agreement.extend(series.agreement(store));
    }
    let agreement = store.and_all(&agreement);
    let causes = encoded.causes.iter().map(|cause| store.and(cause.condition, agreement));
    let causes: Vec<TermId> = causes.collect();
    let watched = Watched::of(store, &summed, &causes, encoded.counter)?;
    let of_reads: Consequences<'_> =
        &|store: &mut TermStore, facts: &[TermId]| watched.known_of_reads(store, facts);
    let mut gathered = Gathered::new(store, encoded, &watched.system, of_reads);
    gathered.about_words(store, proposals, &auxiliary_budget(env));
    gathered.gather(store, &equations, &env.budget.part(SUMS_SHARE));
    let seen = (system, places, executions);
    let (known, suffices) = about_cells(store, env, &watched, gathered, proposals, seen);
    Some((WatchedSystem { sums: Some(sums), watched, known }, suffices))
}

/// Executions of a program, for a part of the time.
fn executions(store: &TermStore, encoded: &Encoded, budget: &Budget) -> Executions {
    Executions::of(store, encoded, encoded.points.len(), &budget.part(SAMPLING_SHARE))
}

/// Encodes a program for questions about infinite executions, and finds an auxiliary invariant if it has loops.
pub(crate) fn prepare_for_termination(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
) -> Result<(Encoded, Option<TermId>), Reason> {
    let encoded = encoded(program, RecursiveCalls::Jumps, env, store)?;
    let auxiliary =
        has_loops(&encoded).then(|| facts_about_words(store, &encoded, &auxiliary_budget(env)));
    Ok((encoded, auxiliary))
}

/// Finds facts about the words of a program's state before any engine begins; `None` if it has no loops here.
pub(crate) fn known_facts(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
) -> Option<TermId> {
    let encoded = encoded(program, RecursiveCalls::Bad, env, store).ok()?;
    if !has_loops(&encoded) {
        return None;
    }
    Some(facts_about_words(store, &encoded, &env.budget.part(2)))
}

/// Finds facts about the words of a program's state.
pub(crate) fn facts_about_words(
    store: &mut TermStore,
    encoded: &Encoded,
    budget: &Budget,
) -> TermId {
    let (system, places) = (&encoded.system, places(store, encoded));
    let executions = executions(store, encoded, budget);
    let proposals = Proposals::new(store, encoded, system, &places, &executions, budget);
    let mut gathered = Gathered::new(store, encoded, system, &no_consequences);
    gathered.about_words(store, &proposals, budget);
    gathered.more_about_words(store, &proposals, budget);
    gathered.all
}

/// Encodes a program.
pub(crate) fn encoded(
    program: &Program,
    recursive_calls: RecursiveCalls,
    env: &Environment<'_>,
    store: &mut TermStore,
) -> Result<Encoded, Reason> {
    let stop = || env.budget.stops_after(WORK_BETWEEN_LOOKS);
    let options =
        vergo_ts::Options { stop: &stop, recursive_calls, ..vergo_ts::Options::default() };
    vergo_ts::encode(program, store, &options).map_err(|unsupported| match env.budget.exhausted() {
        Some(reason) => reason.into(),
        None => Reason::Unsupported(unsupported.to_string()),
    })
}

pub(crate) fn auxiliary_budget(env: &Environment<'_>) -> Budget {
    env.budget.part(AUXILIARY_SHARE).at_most(AUXILIARY_WORK)
}

/// The cut points of a program, each with the variables that all steps to it set.
fn places(store: &mut TermStore, encoded: &Encoded) -> Vec<Place> {
    let mut places = Vec::new();
    for point in 0..encoded.points.len() {
        let set = encoded.set_at(point);
        let variables = encoded.system.current().filter(|var| set.contains(var)).collect();
        places.push(Place { here: encoded.is_at(store, point), variables });
    }
    places
}

/// Runs an engine on an encoded program, and turns what it says into a verdict with evidence.
pub(crate) fn decide(
    program: &Program,
    env: &Environment<'_>,
    store: &mut TermStore,
    prepared: &Prepared,
    prove: Prover,
) -> Verdict {
    match search(env, store, prepared, prove) {
        Err(reason) => Verdict::Unknown(reason),
        Ok(Conclusion::Safe(proof)) => {
            let check = || Certificate::transition_system(program, store, &proof, &env.budget);
            certified(env.budget.at_the_end(check))
        }
        Ok(Conclusion::Unsafe(path)) => replayed(program, env, store, &prepared.encoded, &path),
    }
}

/// Runs an engine on an encoded program; a proof is one about the system as it was encoded.
pub(crate) fn search(
    env: &Environment<'_>,
    store: &mut TermStore,
    prepared: &Prepared,
    prove: Prover,
) -> Result<Conclusion, Reason> {
    let Prepared { encoded, known, watched, .. } = prepared;
    let obligations = encoded.causes.len();
    let terms = store.len();
    let progress =
        |unwind: u32| (env.progress)(Progress::Bound { engine: None, unwind, terms, obligations });
    let loops = encoded.points.iter().filter(|point| point.position.is_some()).count();
    let mut all = Statistics::default();
    let mut spent = |stats: Statistics| {
        all = all + stats;
        let unwind = all.bound;
        let effort = Effort { unwind, obligations, terms, search: all, loops, ..Effort::default() };
        (env.progress)(Progress::Spent(Box::new(effort)));
    };
    if let Some(watched) = watched {
        let budget = env.budget.part(WATCHED_SHARE);
        let mut search = Search::new(store, &watched.known.strengthened, &budget, &progress);
        search.plain = &watched.watched.system;
        search.control = encoded.counter;
        let conclusion = prove(&mut search);
        spent(search.stats);
        // A violation here is none if it depends on what is read elsewhere.
        if let Ok(Conclusion::Safe(proof)) = conclusion {
            return Ok(Conclusion::Safe(watched.concrete(store, proof)));
        }
    }
    let mut search = Search::new(store, &known.strengthened, &env.budget, &progress);
    search.plain = &encoded.system;
    search.control = encoded.counter;
    let conclusion = prove(&mut search);
    spent(search.stats);
    Ok(match conclusion? {
        Conclusion::Safe(proof) => Conclusion::Safe(weakened(store, proof, known.auxiliary)),
        violation @ Conclusion::Unsafe(_) => violation,
    })
}

/// The verdict of a proof that was checked.
pub(crate) fn certified(checked: Result<Certificate, ProofFlaw>) -> Verdict {
    match checked {
        Ok(certificate) => Verdict::True(certificate),
        Err(ProofFlaw::Unknown(reason)) => Verdict::Unknown(Reason::Unchecked(Box::new(reason))),
        Err(flaw) => Verdict::Unknown(Reason::Fault(format!("a proof was rejected: {flaw}"))),
    }
}

/// The verdict of a path, which the interpreter replays.
fn replayed(
    program: &Program,
    env: &Environment<'_>,
    store: &TermStore,
    encoded: &Encoded,
    path: &Path,
) -> Verdict {
    if !path.verify(store, &encoded.system) {
        return Verdict::Unknown(Reason::Fault("a path is no execution".to_owned()));
    }
    let choices = Choices::of_path(program, encoded, store, path);
    let mismatch = match Counterexample::replay(program, choices, &env.replay_budget()) {
        Ok(counterexample) => return Verdict::False(Box::new(counterexample)),
        Err(mismatch) => mismatch,
    };
    let causes = encoded.causes_of(store, path);
    let beyond = causes.iter().find_map(|cause| match &cause.kind {
        CauseKind::Beyond(what) => Some(what),
        CauseKind::Claim(_) => None,
    });
    let given_up = encoded.approximations.first().map(|(_, what)| what.as_str());
    Verdict::Unknown(match beyond {
        Some(what) => Reason::Unsupported(what.clone()),
        None => no_replay(given_up, Some(mismatch)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnViolation;
    use vergo_evidence::Certify;
    use vergo_ts::Proof;

    fn lie(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
        let invariant = search.store.true_term();
        Ok(Conclusion::Safe(Proof::inductive(invariant)))
    }

    fn nonsense(_: &mut Search<'_>) -> Result<Conclusion, Reason> {
        Ok(Conclusion::Unsafe(Path { states: Vec::new(), inputs: Vec::new() }))
    }

    #[test]
    fn what_is_not_so_is_a_fault_and_no_verdict() {
        let program = vergo_goto::text::parse(
            "entry main; sites 1;
             function main: fn() -> void labels 1 {
                 local x: u32 align 4;
                 local again: bool align 1;
                 decl x;
                 decl again;
                 x := 0u32;
               L0:
                 assert x != 6u32 \"reach\" \"not there\";
                 x := x + 2u32;
                 again := #nondet<bool>(0);
                 if again goto L0;
                 end 0i32;
             }",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let (on_violation, certify) = (OnViolation::Stop, Certify::Off);
        let task = Task {
            program: &program,
            unrolling: &crate::Unrolling::default(),
            on_violation,
            certify,
            goal: crate::Goal::Safety,
            abstraction: None,
        };
        for (prover, what) in [(lie as Prover, "proof was rejected"), (nonsense, "no execution")] {
            let budget = Budget::within(std::time::Duration::from_secs(60));
            let env = Environment { budget, progress: &|_| {} };
            let outcome = crate::outcome(&env, |env| run(&task, env, prover));
            assert!(matches!(outcome.verdict, Verdict::Unknown(Reason::Fault(_))), "{outcome:?}");
            let [fault] = &outcome.faults[..] else { panic!("{outcome:?}") };
            assert!(fault.contains(what), "{fault}");
        }
    }
}
