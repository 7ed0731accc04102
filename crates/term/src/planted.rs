//! A wrong rule that a test plants among those that simplify, to see that checkers of what stores make notice it.
//!
//! It holds for all stores of the thread that apply the rules of [`Rule`](crate::Rule). Only builds with assertions can plant: what is
//! shipped has nothing of it, and tests share their build with the binary that they start.

use crate::op::{Op, TermId};
use crate::store::TermStore;
use std::cell::Cell;

/// A rule: the term that takes the place of an operator on arguments, if it knows one.
pub type Planted = fn(&TermStore, Op, &[TermId]) -> Option<TermId>;

thread_local! {
    static RULE: Cell<Option<Planted>> = const { Cell::new(None) };
}

/// Does something while a rule is planted.
pub fn with_planted<R>(rule: Planted, work: impl FnOnce() -> R) -> R {
    let before = RULE.replace(Some(rule));
    let result = work();
    RULE.set(before);
    result
}

pub(crate) fn apply(store: &TermStore, op: Op, args: &[TermId]) -> Option<TermId> {
    RULE.get().and_then(|rule| rule(store, op, args))
}
