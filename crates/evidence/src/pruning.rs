//! Pruning by the solver: whether any execution can go another round, or one activation deeper.
//!
//! **Idea.** Where tests do not decide by themselves whether a loop goes on or a function calls itself again, the solver
//! may: it refutes the condition of the next round, and everything behind it is never built. A query that does not
//! refute was for nothing, so what counts is to ask where refutations are likely.
//!
//! **When it is asked.** Each loop has a count of rounds that pass without a question: one at first, twice as many after
//! each question that was for nothing, one again after one that was not. So a loop of `n` undecided rounds without any
//! use for questions sees about `log n` of them. Activations are counted per function and depth: the calls of a
//! recursion form a tree, in which those near the root are possible and those far from it are not, and each depth finds
//! out by itself which it is. A question ends after few conflicts; what it has not refuted by then counts as possible.
//!
//! **Soundness.** A condition that is unsatisfiable without the constraints of the trace is unsatisfiable with them.

use std::collections::BTreeMap;
use vergo_smt::{Answer, Budget, Solver};
use vergo_symex::Site;
use vergo_term::{TermId, TermStore};

/// The greatest number of conflicts for a question.
const MAX_CONFLICTS: u64 = 200;

/// The greatest number of conflicts for a question about a block.
const MAX_BLOCK_CONFLICTS: u64 = 3_000;

/// The first rounds of a loop are built without a question: most loops do go round.
const FIRST_PAUSE: u32 = 2;

/// The longest time without a question. A question costs what all rounds so far have built.
const LONGEST_PAUSE: u32 = 1 << 16;

/// When to ask, and what came of it; kept from bound to bound.
#[derive(Default)]
pub struct Pruning {
    sites: BTreeMap<Site, Pause>,
    /// Questions.
    pub n_asked: u64,
    /// Those that were refuted.
    pub n_pruned: u64,
}

struct Pause {
    /// The number of rounds until the next question.
    left: u32,
    /// The number of rounds to wait after the next question that is in vain.
    next: u32,
}

impl Pruning {
    /// Checks whether executions may satisfy a condition, as far as it was asked.
    pub fn is_feasible(
        &mut self,
        solver: &mut Solver,
        store: &TermStore,
        site: Site,
        condition: TermId,
        budget: &Budget,
    ) -> bool {
        if let Site::Block(_) = site {
            // Otherwise the block is executed byte by byte: that is worth a longer question.
            let budget = Budget { conflicts: Some(MAX_BLOCK_CONFLICTS), ..budget.clone() };
            return solver.decide(store, &[condition], &budget) != Answer::Unsat;
        }
        let pause =
            self.sites.entry(site).or_insert(Pause { left: FIRST_PAUSE, next: FIRST_PAUSE });
        if pause.left > 0 {
            pause.left -= 1;
            return true;
        }
        self.n_asked += 1;
        let budget = Budget { conflicts: Some(MAX_CONFLICTS), ..budget.clone() };
        if solver.decide(store, &[condition], &budget) == Answer::Unsat {
            self.n_pruned += 1;
            (pause.left, pause.next) = (0, 1);
            return false;
        }
        pause.left = pause.next;
        pause.next = pause.next.saturating_mul(2).min(LONGEST_PAUSE);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::program::FunctionId;

    #[test]
    fn questions_that_are_for_nothing_become_rare() {
        let (mut pruning, mut solver, mut store) =
            (Pruning::default(), Solver::default(), TermStore::new());
        let site = Site::Loop(FunctionId::from_u32(0), 7);
        let possible = store.var("p", vergo_term::Sort::Bool);
        for _ in 0..1000 {
            let budget = Budget::unlimited();
            assert!(pruning.is_feasible(&mut solver, &store, site, possible, &budget));
        }
        assert!((5..15).contains(&pruning.n_asked), "{}", pruning.n_asked);
        assert_eq!(pruning.n_pruned, 0);
    }

    #[test]
    fn where_questions_help_they_are_asked_each_time() {
        let (mut pruning, mut solver, mut store) =
            (Pruning::default(), Solver::default(), TermStore::new());
        let site = Site::Recursion(FunctionId::from_u32(0), 3);
        let x = store.var("x", vergo_term::Sort::BitVec(8));
        let y = store.var("y", vergo_term::Sort::BitVec(8));
        let (less, greater) = (store.bv_ult(x, y), store.bv_ult(y, x));
        let one = store.bv_u64(8, 1);
        let next = store.bv_add(x, one);
        let more = store.bv_ult(y, next);
        let impossible = store.and_all(&[less, greater, more]);
        let answers: Vec<bool> = (0..20)
            .map(|_| {
                let budget = Budget::unlimited();
                pruning.is_feasible(&mut solver, &store, site, impossible, &budget)
            })
            .collect();
        assert_eq!(answers.iter().filter(|feasible| **feasible).count(), FIRST_PAUSE as usize);
    }
}
