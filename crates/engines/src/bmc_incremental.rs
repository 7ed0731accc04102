//! Bounded model checking with growing bounds: the shortest counterexamples first, a proof as soon as the bound covers
//! every execution.
//!
//! **Idea.** [`bmc`](crate::bmc) at bounds 1, 2, 3, 4, 6, 9, 13, ... until one decides. Terms and the solver's clauses
//! stay: an input has the same variable at each bound, so what two bounds share is built once.
//!
//! **Why this sequence.** The cost of a bound is at least linear in it; growing by half keeps the sum of all costs
//! within a constant factor of the last.

use crate::bmc::{Bounded, Session};
use crate::{Environment, Task};
use vergo_evidence::Verdict;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let mut session = Session::new(task);
    let mut unwind = 1;
    loop {
        if let Bounded::Decided(verdict) = session.at_bound(task, env, unwind) {
            return verdict;
        }
        if let Some(reason) = env.budget.exhausted() {
            return Verdict::Unknown(reason.name().to_owned());
        }
        if task.unwind.is_some_and(|limit| unwind >= limit) {
            return Verdict::Unknown("the bound is too small".to_owned());
        }
        unwind = next_bound(unwind);
        if let Some(limit) = task.unwind {
            unwind = unwind.min(limit);
        }
    }
}

fn next_bound(unwind: u32) -> u32 {
    unwind.saturating_add((unwind / 2).max(1))
}

#[cfg(test)]
mod tests {
    use super::next_bound;

    #[test]
    fn bounds_grow_by_about_half() {
        let mut bounds = vec![1];
        while bounds.len() < 9 {
            bounds.push(next_bound(bounds[bounds.len() - 1]));
        }
        assert_eq!(bounds, [1, 2, 3, 4, 6, 9, 13, 19, 28]);
    }
}
