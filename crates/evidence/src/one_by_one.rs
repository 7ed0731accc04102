//! One question about many failures, asked in parts where it is hard.
//!
//! **Idea.** Whether any of many obligations fails is one question, and mostly an easy one. Where it is not, a solver that
//! looks for a failure anywhere learns about all of them at once and finishes none: each alone may take a second where all together
//! take minutes. So the question is asked as a whole with little effort first. Then each failure is asked about in the
//! order of the program, with an effort that is bounded too, and what is excluded stays excluded: the solver has learned
//! it, and later failures presume mostly what earlier ones are about. At the end the whole is asked again.
//!
//! **Soundness.** The answer is always that to the whole question; the parts only teach the solver. (A model of a part is one of the
//! whole, so that `Sat` may come early.) Nothing is asserted, so that one proof at the end covers everything.

use vergo_smt::{Answer, Budget, Reason, Solver, StopReason};
use vergo_term::{TermId, TermStore};

/// Conflicts that the whole may take at first, and that each part may take.
struct Effort {
    first: u64,
    each: u64,
}

const EFFORT: Effort = Effort { first: 1_000, each: 20_000 };

/// A question to a solver: [`Solver::check`] for a model, [`Solver::decide`] for an answer alone.
pub type Ask = fn(&mut Solver, &TermStore, &[TermId], &Budget) -> Answer;

/// Asks whether any of some failures is possible; `whole` is their disjunction.
pub fn any_failure(
    ask: Ask,
    solver: &mut Solver,
    store: &TermStore,
    whole: TermId,
    parts: &[TermId],
    budget: &Budget,
) -> Answer {
    ask_in_parts(&EFFORT, ask, solver, store, whole, parts, budget)
}

#[allow(clippy::too_many_arguments, reason = "a question has that many parts")]
fn ask_in_parts(
    effort: &Effort,
    ask: Ask,
    solver: &mut Solver,
    store: &TermStore,
    whole: TermId,
    parts: &[TermId],
    budget: &Budget,
) -> Answer {
    let is_limited = budget.conflicts.is_some_and(|limit| limit <= effort.first);
    if parts.len() < 2 || is_limited {
        return ask(solver, store, &[whole], budget);
    }
    let start = solver.stats().sat.conflicts;
    // The limit is one for all questions together.
    let within = |solver: &Solver, conflicts: u64| {
        let spent = solver.stats().sat.conflicts - start;
        let left = budget.conflicts.map(|limit| limit.saturating_sub(spent));
        let conflicts = left.map_or(conflicts, |left| left.min(conflicts));
        Budget { conflicts: Some(conflicts), ..budget.clone() }
    };
    let first = within(solver, effort.first);
    let answer = ask(solver, store, &[whole], &first);
    if !is_conflicts(&answer) {
        return answer;
    }
    for &part in parts {
        let each = within(solver, effort.each);
        if each.conflicts == Some(0) {
            return answer;
        }
        match ask(solver, store, &[part], &each) {
            Answer::Unsat => {}
            answer if is_conflicts(&answer) => {}
            answer => return answer,
        }
    }
    let last = match budget.conflicts {
        Some(limit) => within(solver, limit),
        None => budget.clone(),
    };
    ask(solver, store, &[whole], &last)
}

/// Returns whether there is no answer because the conflicts are used up.
fn is_conflicts(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Stopped(StopReason::Conflicts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_smt::SolverOptions;
    use vergo_term::Sort;

    /// Sums do not depend on the order of their terms; one of the claims may be wrong.
    fn ask(effort: &Effort, wrong: Option<usize>) -> (Answer, bool) {
        let mut store = TermStore::new();
        let mut solver = Solver::new(SolverOptions { proofs: true, ..SolverOptions::default() });
        let mut parts = Vec::new();
        for i in 0..4 {
            let [a, b, c, d] =
                ["a", "b", "c", "d"].map(|name| store.var(&format!("{name}{i}"), Sort::BitVec(9)));
            let (ab, cd, db, ca) =
                (store.bv_xor(a, b), store.bv_and(c, d), store.bv_and(d, b), store.bv_xor(c, a));
            let (first, second) = (store.bv_mul(ab, cd), store.bv_mul(db, ca));
            let (one, other) = (store.bv_add(first, second), store.bv_add(second, first));
            let mut expected = store.bv_sub(other, second);
            if wrong == Some(i) {
                let bit = store.bv_u64(9, 1);
                expected = store.bv_xor(expected, bit);
            }
            let difference = store.bv_sub(one, second);
            let same = store.eq(difference, expected);
            parts.push(store.not(same));
        }
        let whole = store.or_all(&parts);
        let budget = Budget::unlimited();
        let answer =
            ask_in_parts(effort, Solver::check, &mut solver, &store, whole, &parts, &budget);
        (answer, solver.check_proof().is_ok())
    }

    #[test]
    fn the_answer_is_that_to_the_whole() {
        for (first, each) in [(1, 1), (1, 20_000), (1_000, 20_000)] {
            let effort = Effort { first, each };
            assert_eq!(ask(&effort, None), (Answer::Unsat, true));
            for wrong in 0..4 {
                assert_eq!(ask(&effort, Some(wrong)).0, Answer::Sat);
            }
        }
    }
}
