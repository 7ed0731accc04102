//! Contracts of recursive functions, guessed and kept as far as they are inductive.
//!
//! **Idea.** Recursion without a bound is not unfolded: each recursive function gets a contract, and what is verified is a
//! program without recursion, the modular program ([`vergo_passes::contracts`]). Contracts begin with many clauses, most of
//! which are wrong ([`guesses`]). As long as the modular program violates clauses, these are dropped; what is left holds,
//! for the clauses that hold are claimed under the assumption of clauses that hold. Then the claims of the program are
//! decided in the modular program, as those of any other.
//!
//! **Source.** Flanagan, Leino, "Houdini, an Annotation Assistant for ESC/Java", FME 2001, doi 10.1007/3-540-45251-6_29.
//!
//! **Loops** in the modular program have auxiliary invariants, as for other engines; a clause that these do not show is
//! dropped, though it may hold.
//!
//! **Soundness.** `evidence` makes the modular program anew and checks the proof against it. A violation in the modular
//! program says only that contracts are too weak; nothing is ever `false` here.

mod calls;
mod guesses;
mod implied;

use crate::auxiliary::algebraic_solver;
use crate::on_system::{
    auxiliary_budget, certified, encoded, facts_about_words, has_loops, prepare, search,
};
use crate::safety::Conclusion;
use crate::{Environment, Task, kind};
use implied::drop_implied;
use std::collections::BTreeSet;
use vergo_evidence::{Certificate, Certify, Reason, Verdict};
use vergo_passes::contracts::{ClauseId, Contract, Formula, Recursion};
use vergo_smt::{Answer, Solver};
use vergo_term::{TermId, TermStore};
use vergo_ts::RecursiveCalls;
use vergo_ts::encode::CauseKind;

/// The part of the time for leaving out clauses that are not needed, and the most that it may take.
const SHORTENING_SHARE: u32 = 12;
const SHORTENING_WORK: u64 = 1_000_000_000;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("contracts have no proofs for others to check"));
    }
    prove(task, env).unwrap_or_else(Verdict::Unknown)
}

fn prove(task: &Task<'_>, env: &Environment<'_>) -> Result<Verdict, Reason> {
    let recursion = Recursion::of(task.program).map_err(Reason::Unsupported)?;
    let recursion = recursion.ok_or(Reason::Withdrawn("no recursion"))?;
    let mut contracts = guesses::contracts(&recursion, &env.budget);
    let verdict = with_guesses(task, env, &recursion, contracts.clone())?;
    match verdict {
        Ok(verdict) => Ok(verdict),
        // What is seldom needed is tried when the rest does not suffice.
        Err(weak) => {
            guesses::add_bounds(&recursion, &mut contracts, &weak);
            let verdict = with_guesses(task, env, &recursion, contracts)?;
            verdict.map_err(|_| Reason::incomplete("no contracts were found that exclude all violations"))
        }
    }
}

/// The verdict that guessed contracts are good for, or what is left of them if that does not suffice.
fn with_guesses(
    task: &Task<'_>,
    env: &Environment<'_>,
    recursion: &Recursion,
    mut contracts: Vec<Contract>,
) -> Result<Result<Verdict, Vec<Contract>>, Reason> {
    drop_violated(recursion, &mut contracts, env)?;
    drop_implied(&mut contracts);
    shorten(recursion, &mut contracts, env);
    let modular = recursion.modular(&contracts).map_err(Reason::Incomplete)?;
    let mut store = TermStore::new();
    let prepared = prepare(&Task { program: &modular, ..*task }, env, &mut store)?;
    Ok(match search(env, &mut store, &prepared, kind::prove)? {
        Conclusion::Unsafe(_) => Err(contracts),
        Conclusion::Safe(proof) => {
            let (program, budget) = (task.program, &env.budget);
            let check =
                || Certificate::contracts(program, &contracts, &store, &proof, budget);
            Ok(certified(budget.at_the_end(check)))
        }
    })
}

/// Drops clauses until none is violated.
fn drop_violated(
    recursion: &Recursion,
    contracts: &mut [Contract],
    env: &Environment<'_>,
) -> Result<(), Reason> {
    loop {
        let violated = Round::of(recursion, contracts, env)?.violated_clauses(env)?;
        if violated.is_empty() {
            return Ok(());
        }
        retain(contracts, |clause| !violated.contains(&clause));
    }
}

/// Leaves out clauses that are not needed, and those that hold only with them, as long as there is time. Those that were
/// guessed last go first. Where there are loops that takes too long.
fn shorten(recursion: &Recursion, contracts: &mut Vec<Contract>, env: &Environment<'_>) {
    let budget = env.budget.part(SHORTENING_SHARE).at_most(SHORTENING_WORK);
    let env = Environment { budget, ..*env };
    let suffice = |contracts: &[Contract]| {
        let round = Round::of(recursion, contracts, &env);
        round.is_ok_and(|round| !round.has_loops && round.is_safe(&env))
    };
    if !suffice(contracts) {
        return;
    }
    let mut size = clauses(contracts).count().div_ceil(2);
    while size > 0 {
        let mut end = clauses(contracts).count();
        while end > 0 && env.budget.interrupted().is_none() {
            let all: Vec<ClauseId> = clauses(contracts).collect();
            let begin = end.saturating_sub(size);
            let part: BTreeSet<ClauseId> = all[begin..end].iter().copied().collect();
            let mut fewer = contracts.clone();
            retain(&mut fewer, |clause| !part.contains(&clause));
            if drop_violated(recursion, &mut fewer, &env).is_ok() && suffice(&fewer) {
                *contracts = fewer;
            }
            end = begin.min(clauses(contracts).count());
        }
        size /= 2;
    }
}

/// The clauses of contracts.
fn clauses(contracts: &[Contract]) -> impl Iterator<Item = ClauseId> {
    contracts.iter().flat_map(|contract| {
        let function = contract.function;
        let of = move |ensures: bool, n: usize| {
            (0..n).map(move |index| ClauseId { function, ensures, index })
        };
        of(false, contract.requires.len()).chain(of(true, contract.ensures.len()))
    })
}

/// Keeps some clauses of contracts.
fn retain(contracts: &mut [Contract], keep: impl Fn(ClauseId) -> bool) {
    for Contract { function, requires, ensures } in contracts {
        let retain = |clauses: &mut Vec<Formula>, ensures: bool| {
            let mut index = 0;
            clauses.retain(|_| {
                let clause = ClauseId { function: *function, ensures, index };
                index += 1;
                keep(clause)
            });
        };
        retain(requires, false);
        retain(ensures, true);
    }
}

/// The modular program of contracts, as terms.
struct Round {
    store: TermStore,
    /// The facts about all states.
    known: TermId,
    has_loops: bool,
    /// The violations of clauses.
    clauses: Vec<(ClauseId, TermId)>,
    /// Any violation.
    bad: TermId,
}

impl Round {
    fn of(
        recursion: &Recursion,
        contracts: &[Contract],
        env: &Environment<'_>,
    ) -> Result<Round, Reason> {
        let modular = recursion.modular(contracts).map_err(Reason::Incomplete)?;
        let mut store = TermStore::new();
        let encoded = encoded(&modular, RecursiveCalls::Bad, env, &mut store)?;
        let has_loops = has_loops(&encoded);
        let known = match has_loops {
            true => facts_about_words(&mut store, &encoded, &auxiliary_budget(env)),
            false => encoded.system.init,
        };
        let clause = |kind: &CauseKind| match kind {
            CauseKind::Claim(claim) => ClauseId::of(claim),
            CauseKind::Beyond(_) => None,
        };
        let causes = encoded.causes.iter();
        let clauses = causes.filter_map(|cause| Some((clause(&cause.kind)?, cause.condition)));
        let clauses = clauses.collect();
        Ok(Round { store, known, has_loops, clauses, bad: encoded.system.bad })
    }

    /// Checks whether nothing is violated, as far as one question shows.
    fn is_safe(&self, env: &Environment<'_>) -> bool {
        let assumptions = [self.known, self.bad];
        Solver::default().check(&self.store, &assumptions, &env.budget) == Answer::Unsat
    }

    /// The clauses that are violated, given all of them: they still are without some.
    fn violated_clauses(mut self, env: &Environment<'_>) -> Result<BTreeSet<ClauseId>, Reason> {
        let mut solver = algebraic_solver();
        solver.assert(self.known);
        let mut violated = BTreeSet::new();
        let mut open = self.clauses;
        loop {
            let conditions: Vec<TermId> = open.iter().map(|&(_, condition)| condition).collect();
            let any = self.store.or_all(&conditions);
            match solver.check(&self.store, &[any], &env.budget) {
                Answer::Unsat => return Ok(violated),
                Answer::Unknown(reason) => return Err(reason.into()),
                Answer::Sat => {}
            }
            let truths = solver.truths(&self.store, &conditions, &env.budget);
            let before = violated.len();
            let found = open.iter().zip(truths).filter(|(_, truth)| *truth);
            violated.extend(found.map(|((clause, _), _)| *clause));
            open.retain(|(clause, _)| !violated.contains(clause));
            if violated.len() == before {
                return Err(Reason::incomplete("the solver does not say which clause is violated"));
            }
        }
    }
}
