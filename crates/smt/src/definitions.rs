//! Which variables assertions define: the conjuncts that equate a variable with a term.
//!
//! Each variable gets at most one definition, in an order such that a definition uses only variables
//! that are defined before it or not at all; where definitions depend on each other in a circle,
//! one of them is left to be an ordinary equation.  Variables without a definition may have a bound, above which all bits
//! are zero.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use vergo_num::BitVec;
use vergo_term::{Op, TermId, TermStore};

/// Variables that are not `known`, with what the terms say they are, in the order to define them.
pub(crate) fn find(
    store: &TermStore,
    terms: &[TermId],
    known: impl Fn(TermId) -> bool,
) -> Vec<(TermId, TermId)> {
    let candidates = candidates(store, terms, known);
    let mut finished = FxHashSet::default();
    let mut open = FxHashSet::default();
    let mut dropped = FxHashSet::default();
    let mut order = Vec::new();
    for (root, _) in &candidates.order {
        // Each entry is a term and how many of its children have been looked at.
        let mut stack = vec![(*root, 0)];
        while let Some((term, n_seen)) = stack.last_mut() {
            let term = *term;
            open.insert(term);
            let child = match candidates.definition.get(&term) {
                Some(&definition) => (*n_seen == 0).then_some(definition),
                None => store.args(term).get(*n_seen).copied(),
            };
            *n_seen += 1;
            match child {
                Some(child) if finished.contains(&child) => {}
                Some(child) if open.contains(&child) => {
                    // Only definitions close circles: the innermost one is given up.
                    let is_candidate = |t: &TermId| candidates.definition.contains_key(t);
                    dropped.extend(stack.iter().rev().map(|s| s.0).find(is_candidate));
                }
                Some(child) => stack.push((child, 0)),
                None => {
                    stack.pop();
                    open.remove(&term);
                    finished.insert(term);
                    if let Some(&definition) = candidates.definition.get(&term)
                        && !dropped.contains(&term)
                    {
                        order.push((term, definition));
                    }
                }
            }
        }
    }
    order
}

/// Words that are not `known` and how many of their low bits are left by bounds in the terms: all others are zero.
pub(crate) fn narrow(
    store: &TermStore,
    terms: &[TermId],
    known: impl Fn(TermId) -> bool,
) -> Vec<(TermId, u32)> {
    let mut result: BTreeMap<TermId, u32> = BTreeMap::new();
    let mut seen = FxHashSet::default();
    let mut pending = terms.to_vec();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let (Op::And, &[a, b]) = (store.op(term), store.args(term)) {
            pending.extend([a, b]);
        } else if let Some((word, most)) = bound(store, term)
            && store.as_var(word).is_some()
            && !known(word)
            && most.leading_zeros() > 0
        {
            let bits = most.width() - most.leading_zeros();
            let left = result.entry(word).or_insert(bits);
            *left = bits.min(*left);
        }
    }
    result.into_iter().collect()
}

/// A word and its greatest value, if a term says nothing else.
fn bound(store: &TermStore, term: TermId) -> Option<(TermId, BitVec)> {
    match (store.op(term), store.args(term)) {
        (Op::BvUlt, &[word, limit]) => {
            let limit = store.bv_value(limit)?;
            let one = BitVec::one(limit.width());
            // Below zero there is nothing, which the assertion itself says.
            (!limit.is_zero()).then(|| (word, limit.sub(&one)))
        }
        (Op::Not, &[inner]) => match (store.op(inner), store.args(inner)) {
            (Op::BvUlt, &[limit, word]) => Some((word, store.bv_value(limit)?.clone())),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Default)]
struct Candidates {
    definition: FxHashMap<TermId, TermId>,
    order: Vec<(TermId, TermId)>,
}

fn candidates(store: &TermStore, terms: &[TermId], known: impl Fn(TermId) -> bool) -> Candidates {
    let mut result = Candidates::default();
    let mut seen = FxHashSet::default();
    let mut pending: Vec<TermId> = terms.iter().rev().copied().collect();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        let mut define = |var: TermId, definition: TermId| {
            let is_new = store.as_var(var).is_some()
                && var != definition
                && !known(var)
                && !result.definition.contains_key(&var);
            if is_new {
                result.definition.insert(var, definition);
                result.order.push((var, definition));
            }
            is_new
        };
        match (store.op(term), store.args(term)) {
            (Op::And, &[a, b]) => pending.extend([b, a]),
            (Op::Eq, &[a, b]) => {
                let _ = define(a, b) || define(b, a);
            }
            (Op::Var(_), _) => {
                define(term, store.true_term());
            }
            (Op::Not, &[p]) => {
                define(p, store.false_term());
            }
            _ => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::Sort;

    #[test]
    fn definitions_come_before_their_uses_and_circles_are_broken() {
        let mut s = TermStore::new();
        let [x, y, z, v] = ["x", "y", "z", "v"].map(|name| s.var(name, Sort::BitVec(8)));
        let p = s.var("p", Sort::Bool);
        let one = s.bv_u64(8, 1);
        let (y1, z1, v1) = (s.bv_mul(y, y), s.bv_add(z, one), s.bv_add(v, v));
        let first = s.eq(x, y1);
        let second = s.eq(y, z1);
        let circle = s.eq(v, v1);
        let not_p = s.not(p);
        let all = s.and(first, not_p);
        let found = find(&s, &[all, second, circle], |_| false);
        let falsity = s.false_term();
        let vars: Vec<TermId> = found.iter().map(|d| d.0).collect();
        let at = |var: TermId| vars.iter().position(|&v| v == var);
        assert!(at(y).is_some() && at(y) < at(x));
        assert!(found.contains(&(p, falsity)));
        assert!(!vars.contains(&v));
        assert!(find(&s, &[second], |var| var == y || var == z).is_empty());
    }

    #[test]
    fn bounds_leave_low_bits() {
        let mut s = TermStore::new();
        let [x, y, z, v] = ["x", "y", "z", "v"].map(|name| s.var(name, Sort::BitVec(8)));
        let [two, five, full] = [2, 5, 255].map(|n| s.bv_u64(8, n));
        let most_two = s.bv_ule(x, two);
        let below_five = s.bv_ult(x, five);
        let below_five_too = s.bv_ult(y, five);
        let any = s.bv_ule(z, full);
        let above = s.bv_ult(five, v);
        let all = s.and(below_five, most_two);
        let found = narrow(&s, &[all, below_five_too, any, above], |_| false);
        assert_eq!(found, [(x, 2), (y, 3)]);
        assert_eq!(narrow(&s, &[all], |var| var == x), []);
    }
}
