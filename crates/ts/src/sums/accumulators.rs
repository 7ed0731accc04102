//! Which sums a program computes: words to which a step adds something that it has read from arrays.

use super::{Combination, Series, simpler};
use crate::functional::Functional;
use crate::system::{StateVar, TransitionSystem};
use crate::watch::{alternatives, core, extended_like, within_bounds};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_term::{Op, Sort, TermId, TermStore};

/// Series beyond this number are not looked at, nor bounds of each.
const MAX_SERIES: usize = 3;
const MAX_BOUNDS: usize = 4;

impl Series {
    /// The variable of a combination of sums below the bounds of some numbers, which is added if it is new, with those that
    /// it becomes when bounds are equal.
    pub fn combine(&mut self, store: &mut TermStore, mut parts: Vec<(i64, usize)>) -> TermId {
        parts.sort_unstable_by_key(|&(_, number)| number);
        let mut pending = vec![parts.clone()];
        while let Some(parts) = pending.pop() {
            if parts.is_empty() || self.sums.iter().any(|other| other.parts == parts) {
                continue;
            }
            pending.extend(simpler(&parts, self.bounds.len()).into_iter().map(|(_, rest)| rest));
            let sort = store.sort(self.summand);
            let [current, next] = ["sum", "sum'"].map(|name| store.fresh_var(name, sort));
            let sum = StateVar { current, next, name: "sum".to_owned() };
            self.sums.push(Combination { parts, sum });
        }
        let zero = store.bv_u64(store.width(self.summand), 0);
        self.value(store, &parts).unwrap_or(zero)
    }

    /// The series that steps of a system add up, below the indices that they read at and what these are compared with.
    pub fn of(store: &mut TermStore, system: &TransitionSystem) -> Vec<Series> {
        let current: FxHashSet<TermId> = system.current().collect();
        let functional = Functional::of(store, system);
        let mut found: Vec<Series> = Vec::new();
        let mut indices: Vec<Vec<TermId>> = Vec::new();
        for (var, &update) in system.state.iter().zip(&functional.updates) {
            let Some(update) = update else { continue };
            if !matches!(store.sort(var.current), Sort::BitVec(width) if width > 1) {
                continue;
            }
            for value in alternatives(store, update) {
                let added = store.bv_sub(value, var.current);
                let Some((series, index)) = series(store, added, &current) else { continue };
                match found.iter().position(|other| is_same(store, other, &series)) {
                    Some(known) if !indices[known].contains(&index) => indices[known].push(index),
                    Some(_) => {}
                    None if found.len() < MAX_SERIES => {
                        found.push(series);
                        indices.push(vec![index]);
                    }
                    None => {}
                }
            }
        }
        for (series, indices) in found.iter_mut().zip(indices) {
            series.bounds = bounds(store, system, indices, &current);
        }
        found
    }
}

/// The series of a summand, if it depends only on elements at one index and on that index, with the index.
fn series(
    store: &mut TermStore,
    added: TermId,
    current: &FxHashSet<TermId>,
) -> Option<(Series, TermId)> {
    let added = within_bounds(store, &[added], current)[0];
    let mut reads: Vec<(TermId, TermId)> = Vec::new();
    let mut index = None;
    for term in store.reachable(&[added]) {
        if let (Op::Select, &[array, at]) = (store.op(term), store.args(term)) {
            if !current.contains(&array) || index.is_some_and(|index| index != at) {
                return None;
            }
            index = Some(at);
            reads.push((array, term));
        }
    }
    let index = index.filter(|&index| store.is_over(&[index], current))?;
    let position = store.fresh_var("position", store.sort(index));
    let mut map = FxHashMap::default();
    let (mut arrays, mut elements) = (Vec::new(), Vec::new());
    for (array, read) in reads {
        let element = store.fresh_var("element", store.sort(read));
        map.insert(read, element);
        arrays.push(array);
        elements.push(element);
    }
    let word = core(store, index);
    let (narrow, wide) = (store.width(word), store.width(position));
    if narrow <= wide && !store.is_value(word) {
        map.insert(word, store.bv_extract(narrow - 1, 0, position));
    }
    let summand = store.substitute(added, &map);
    // What is taken away is added with a negative coefficient.
    let summand = match (store.op(summand), store.args(summand)) {
        (Op::BvNeg, &[opposite]) => opposite,
        _ => summand,
    };
    let own: FxHashSet<TermId> = elements.iter().copied().chain([position]).collect();
    let is_one = store.is_over(&[summand], &own) && !store.is_value(summand);
    let (bounds, sums) = (Vec::new(), Vec::new());
    let series = Series { arrays, position, elements, summand, bounds, sums };
    is_one.then_some((series, index))
}

/// Checks whether two series are the same, or each the other's opposite.
fn is_same(store: &mut TermStore, a: &Series, b: &Series) -> bool {
    if a.arrays != b.arrays || store.sort(a.position) != store.sort(b.position) {
        return false;
    }
    let as_b = b.summand_at(store, a.position, &a.elements);
    let opposite = store.bv_neg(as_b);
    a.summand == as_b || a.summand == opposite
}

/// The indices, and what they are compared with.
fn bounds(
    store: &mut TermStore,
    system: &TransitionSystem,
    indices: Vec<TermId>,
    current: &FxHashSet<TermId>,
) -> Vec<TermId> {
    let mut bounds = indices.clone();
    for term in store.reachable(&[system.trans, system.bad]) {
        let (Op::BvUlt | Op::BvSlt, &[a, b]) = (store.op(term), store.args(term)) else {
            continue;
        };
        if !store.is_over(&[term], current) {
            continue;
        }
        for &index in &indices {
            let word = core(store, index);
            let bound = match () {
                // Up to the bound, and without it.
                () if word == a => b,
                // Unless the index is more than it.
                () if word == b => {
                    let one = store.bv_u64(store.width(a), 1);
                    store.bv_add(a, one)
                }
                () => continue,
            };
            let bound = extended_like(store, index, bound);
            if !bounds.contains(&bound) {
                bounds.push(bound);
            }
        }
    }
    bounds.truncate(MAX_BOUNDS);
    bounds
}
