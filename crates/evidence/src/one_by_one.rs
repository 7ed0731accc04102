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
const FIRST: u64 = 1_000;
const EACH: u64 = 20_000;

/// How a solver is asked: [`Solver::check`] for a model, [`Solver::decide`] for an answer alone.
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
    let is_limited = budget.conflicts.is_some_and(|limit| limit <= FIRST);
    if parts.len() < 2 || is_limited {
        return ask(solver, store, &[whole], budget);
    }
    let within = |conflicts: u64| {
        let conflicts = budget.conflicts.map_or(conflicts, |limit| limit.min(conflicts));
        Budget { conflicts: Some(conflicts), ..budget.clone() }
    };
    let first = ask(solver, store, &[whole], &within(FIRST));
    if !is_conflicts(&first) {
        return first;
    }
    for &part in parts {
        match ask(solver, store, &[part], &within(EACH)) {
            Answer::Unsat => {}
            answer if is_conflicts(&answer) => {}
            answer => return answer,
        }
    }
    ask(solver, store, &[whole], budget)
}

/// Whether an answer is none because conflicts are used up.
fn is_conflicts(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Stopped(StopReason::Conflicts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_smt::SolverOptions;
    use vergo_term::Sort;

    /// Products of words that are odd are odd: hard for a solver of clauses together, and one of them may be wrong.
    fn ask(wrong: Option<usize>) -> Answer {
        let mut store = TermStore::new();
        let mut solver = Solver::new(SolverOptions::default());
        let mut parts = Vec::new();
        for i in 0..4 {
            let a = store.var(&format!("a{i}"), Sort::BitVec(10));
            let b = store.var(&format!("b{i}"), Sort::BitVec(10));
            let sum = store.bv_add(a, b);
            let both = store.bv_mul(sum, sum);
            let (aa, ab, bb) = (store.bv_mul(a, a), store.bv_mul(a, b), store.bv_mul(b, b));
            let (two, sides) = (store.bv_add(ab, ab), store.bv_add(aa, bb));
            let mut expected = store.bv_add(sides, two);
            if wrong == Some(i) {
                let one = store.bv_u64(10, 1);
                expected = store.bv_xor(expected, one);
            }
            let same = store.eq(both, expected);
            parts.push(store.not(same));
        }
        let whole = store.or_all(&parts);
        any_failure(Solver::check, &mut solver, &store, whole, &parts, &Budget::unlimited())
    }

    #[test]
    fn the_answer_is_that_to_the_whole() {
        assert_eq!(ask(None), Answer::Unsat);
        for wrong in 0..4 {
            assert_eq!(ask(Some(wrong)), Answer::Sat);
        }
    }
}
