//! Tests of one word for one constant after another, as a `switch` makes them.
//!
//! Who comes to the thousandth test has failed all tests before, and a condition that says so is a thousand terms long. But
//! who passes a test for one constant has failed those for others anyway, so that the condition of a case is that it
//! was met, and no more.

use rustc_hash::FxHashSet;
use vergo_term::{Op, TermId, TermStore};

/// The tests that the executions under a guard have failed one after the other.
#[derive(Clone, Default)]
pub(crate) struct Dispatch {
    failed: Option<Failed>,
}

#[derive(Clone)]
struct Failed {
    /// The condition of the executions that have failed all tests.
    guard: TermId,
    /// Their condition before the first test.
    before: TermId,
    /// The condition that they have failed the tests.
    none: TermId,
    word: TermId,
    constants: FxHashSet<TermId>,
}

/// The word and the constant that a term compares.
pub(crate) fn equation(store: &TermStore, term: TermId) -> Option<(TermId, TermId)> {
    if store.op(term) != Op::Eq {
        return None;
    }
    let (word, constant) = (store.arg(term, 0), store.arg(term, 1));
    store.bv_value(constant).map(|_| (word, constant))
}

impl Dispatch {
    /// The executions under a guard that satisfy a condition, and those that do not.
    pub(crate) fn split(
        &mut self,
        store: &mut TermStore,
        guard: TermId,
        cond: TermId,
    ) -> (TermId, TermId) {
        let negated = store.not(cond);
        if let Some((word, constant)) = equation(store, cond) {
            return self.test(store, guard, word, constant, cond);
        }
        if let Some((word, constant)) = equation(store, negated) {
            let (not_taken, taken) = self.test(store, guard, word, constant, negated);
            return (taken, not_taken);
        }
        (store.and(guard, cond), store.and(guard, negated))
    }

    /// The executions that pass a test of a word for a constant, and those that fail.
    fn test(
        &mut self,
        store: &mut TermStore,
        guard: TermId,
        word: TermId,
        constant: TermId,
        test: TermId,
    ) -> (TermId, TermId) {
        let earlier = self.failed.take().filter(|f| f.guard == guard && f.word == word);
        let none = store.true_term();
        let mut failed = earlier.unwrap_or_else(|| Failed {
            guard,
            before: guard,
            none,
            word,
            constants: FxHashSet::default(),
        });
        if !failed.constants.insert(constant) {
            // Who comes here has failed the same test before.
            self.failed = Some(failed);
            return (store.false_term(), guard);
        }
        let not = store.not(test);
        failed.none = store.and(failed.none, not);
        failed.guard = store.and(failed.before, failed.none);
        let guards = (store.and(failed.before, test), failed.guard);
        self.failed = Some(failed);
        guards
    }
}

/// Returns the condition that tells the executions under the second guard from those under the first, where the
/// guards exclude each other: one of them has passed a test for a constant.
pub(crate) fn passed_test(store: &TermStore, guard: TermId, other: TermId) -> Option<TermId> {
    if equation(store, other).is_some() {
        return Some(other);
    }
    if store.op(other) != Op::And {
        return None;
    }
    let has = |part: TermId| {
        guard == part || store.op(guard) == Op::And && store.args(guard).contains(&part)
    };
    let (a, b) = (store.arg(other, 0), store.arg(other, 1));
    [(a, b), (b, a)]
        .into_iter()
        .find(|&(common, test)| equation(store, test).is_some() && has(common))
        .map(|(_, test)| test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::Sort;

    #[test]
    fn the_condition_of_a_case_does_not_grow() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::BitVec(32));
        let start = store.var("g", Sort::Bool);
        let mut dispatch = Dispatch::default();
        let mut guard = start;
        for i in 0..100 {
            let constant = store.bv_u64(32, i);
            let test = store.eq(x, constant);
            // Tests for inequality are the same.
            let taken = if i % 2 == 0 {
                let (taken, rest) = dispatch.split(&mut store, guard, test);
                guard = rest;
                taken
            } else {
                let not = store.not(test);
                let (rest, taken) = dispatch.split(&mut store, guard, not);
                guard = rest;
                taken
            };
            assert_eq!(taken, store.and(start, test));
            assert_eq!(passed_test(&store, start, taken), Some(test));
        }
        let again = store.bv_u64(32, 7);
        let again = store.eq(x, again);
        assert_eq!(dispatch.split(&mut store, guard, again), (store.false_term(), guard));
    }

    #[test]
    fn another_word_begins_anew() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::BitVec(8)), store.var("y", Sort::BitVec(8)));
        let one = store.bv_u64(8, 1);
        let (first, second) = (store.eq(x, one), store.eq(y, one));
        let mut dispatch = Dispatch::default();
        let truth = store.true_term();
        let (_, guard) = dispatch.split(&mut store, truth, first);
        let (taken, _) = dispatch.split(&mut store, guard, second);
        assert_eq!(taken, store.and(guard, second));
    }
}
