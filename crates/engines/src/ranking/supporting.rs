//! Invariants that measures need where bounds and simple relations do not suffice.
//!
//! The candidates are conditions of the program and their negations at each loop head, that sums and differences of
//! words do not overflow, strict relations, facts that hold at least when the loop goes on, and cells of arrays that are
//! known by a word, such as the last character of a string. The largest inductive subset is kept.

use super::candidates::words;
use crate::auxiliary;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_smt::Budget;
use vergo_term::{Op, Sort, TermId, TermStore};
use vergo_ts::{Encoded, Functional};

/// Candidates beyond this number are not considered.
const MAX_FACTS: usize = 4000;
/// Words that take part in relations.
const MAX_WORDS: usize = 10;
/// Constants that cells are compared with.
const MAX_CONSTANTS: usize = 4;

/// The width of an `int`.
const INT_WIDTH: u32 = 32;

/// An invariant that implies the known one, which must be inductive.
pub(super) fn supporting(
    store: &mut TermStore,
    encoded: &Encoded,
    known: TermId,
    conditions: &[TermId],
    budget: &Budget,
) -> TermId {
    let system = &encoded.system;
    let mut facts: Vec<TermId> = Vec::new();
    for &condition in conditions {
        facts.extend([condition, store.not(condition)]);
    }
    facts.extend(cells(store, encoded));
    facts.extend(relations(store, encoded));
    let mut candidates = store.conjuncts(known);
    let mut going_on = Vec::new();
    for point in 0..encoded.points.len() {
        let here = encoded.is_at(store, point);
        candidates.extend(facts.iter().map(|&fact| store.implies(here, fact)));
        let on = goes_on(store, encoded, point);
        going_on.push(store.and(here, on));
    }
    for (point, &on) in going_on.iter().enumerate() {
        if on != encoded.is_at(store, point) {
            let variables = system.current().collect();
            let place = auxiliary::Place { here: on, variables };
            candidates.extend(auxiliary::candidates(store, system, &[place]).concat());
            candidates.extend(facts.iter().map(|&fact| store.implies(on, fact)));
        }
    }
    let mut seen = FxHashSet::default();
    candidates.retain(|&candidate| seen.insert(candidate));
    candidates.truncate(MAX_FACTS);
    let nothing = &auxiliary::no_consequences;
    let kept = auxiliary::inductive_subset(store, system, vec![candidates], nothing, budget);
    let found = store.and_all(&kept);
    store.and(known, found)
}

/// Builds the condition on the state at a point for there to be a step from it.
fn goes_on(store: &mut TermStore, encoded: &Encoded, point: usize) -> TermId {
    let state: FxHashSet<TermId> = encoded.system.current().collect();
    let mut map = FxHashMap::default();
    if let Some(counter) = encoded.counter {
        let number = store.bv_u64(store.width(counter), point as u64);
        map.insert(counter, number);
    }
    let constraints = Functional::of(store, &encoded.system).constraints;
    let mut all = store.true_term();
    for constraint in constraints {
        let constraint = store.substitute(constraint, &map);
        if store.is_over(&[constraint], &state) {
            all = store.and(all, constraint);
        }
    }
    all
}

/// Strict order between words, and that they can be added and subtracted.
fn relations(store: &mut TermStore, encoded: &Encoded) -> Vec<TermId> {
    let mut words = words(store, encoded);
    words.truncate(MAX_WORDS);
    let mut facts = Vec::new();
    for (i, &x) in words.iter().enumerate() {
        // Sizes and offsets that come from an `int`.
        if store.width(x) > INT_WIDTH {
            let low = store.bv_extract(INT_WIDTH - 1, 0, x);
            let same = store.bv_resize_signed(store.width(x), low);
            facts.push(store.eq(x, same));
        }
        for &y in &words[i + 1..] {
            if store.sort(x) == store.sort(y) {
                let wraps = [store.bv_ssubo(x, y), store.bv_ssubo(y, x), store.bv_saddo(x, y)];
                facts.extend(wraps.map(|wraps| store.not(wraps)));
                facts.extend([store.bv_slt(x, y), store.bv_slt(y, x)]);
                facts.extend([store.bv_ult(x, y), store.bv_ult(y, x)]);
            } else {
                let (small, large) = if store.width(x) < store.width(y) { (x, y) } else { (y, x) };
                let small = store.bv_resize_signed(store.width(large), small);
                facts.extend([store.eq(small, large), store.bv_slt(small, large)]);
                facts.extend([store.bv_slt(large, small), store.bv_sle(large, small)]);
            }
        }
    }
    facts
}

/// Proposes that cells of arrays, whose index is a word or the one before it, have values that the program compares
/// with.
fn cells(store: &mut TermStore, encoded: &Encoded) -> Vec<TermId> {
    let arrays: Vec<(TermId, u32, u32)> = encoded
        .system
        .current()
        .filter_map(|array| match store.sort(array) {
            Sort::Array(parts) => match store.array_parts(parts) {
                (Sort::BitVec(index), Sort::BitVec(element)) => Some((array, index, element)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let mut words = words(store, encoded);
    words.truncate(MAX_WORDS);
    let mut facts = Vec::new();
    for (array, index_width, width) in arrays {
        let constants = constants(store, encoded, width);
        for &x in &words {
            if store.width(x) > index_width {
                continue;
            }
            let one = store.bv_u64(store.width(x), 1);
            for index in [x, store.bv_sub(x, one)] {
                let index = store.bv_resize_signed(index_width, index);
                let cell = store.select(array, index);
                facts.extend(constants.iter().map(|&constant| store.eq(cell, constant)));
            }
        }
    }
    facts
}

/// Zero, and the constants that words are compared with, cut to a width.
fn constants(store: &mut TermStore, encoded: &Encoded, width: u32) -> Vec<TermId> {
    let mut found = vec![store.bv_u64(width, 0)];
    for term in store.reachable(&[encoded.system.trans]) {
        if store.op(term) != Op::Eq {
            continue;
        }
        for arg in [store.arg(term, 0), store.arg(term, 1)] {
            if store.is_value(arg)
                && matches!(store.sort(arg), Sort::BitVec(other) if other >= width)
            {
                let constant = store.bv_extract(width - 1, 0, arg);
                if !found.contains(&constant) {
                    found.push(constant);
                }
            }
        }
    }
    found.truncate(MAX_CONSTANTS);
    found
}
