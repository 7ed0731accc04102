//! From formulas with arrays to formulas with cells.

use super::{MAX_HELPS, Positions, alternatives, core, word_of};
use crate::system::StateVar;
use rustc_hash::{FxHashMap, FxHashSet};
use std::iter::once;
use vergo_term::{Op, Sort, TermId, TermStore};

/// Translates formulas with arrays to formulas with cells.
pub(super) struct Reader {
    arrays: FxHashSet<TermId>,
    pub(super) cells: FxHashMap<TermId, Vec<(TermId, StateVar)>>,
    /// The variables for the results of reads about which nothing is known.
    unknown: FxHashMap<(TermId, TermId), TermId>,
    /// Indices that state arrays are read at.
    pub(super) asked: Vec<TermId>,
    /// All indices of reads and writes.
    used: Vec<TermId>,
    /// All elements that are written, each with its index if it has one.
    written: Vec<(Option<TermId>, TermId)>,
    /// The results of reads.
    given: FxHashSet<TermId>,
}

impl Reader {
    pub(super) fn new(arrays: &[StateVar]) -> Reader {
        Reader {
            arrays: arrays.iter().map(|array| array.current).collect(),
            cells: FxHashMap::default(),
            unknown: FxHashMap::default(),
            asked: Vec::new(),
            used: Vec::new(),
            written: Vec::new(),
            given: FxHashSet::default(),
        }
    }

    /// Formulas and words without arrays; arrays with words that have none. `None` for arrays of arrays.
    pub(super) fn translate(
        &mut self,
        store: &mut TermStore,
        roots: &[TermId],
    ) -> Option<Vec<TermId>> {
        let mut is_supported = true;
        let new = store.transform(roots, |store, term, args| match store.op(term) {
            Op::Select => self.read(store, args[0], args[1]).unwrap_or_else(|| {
                is_supported = false;
                term
            }),
            Op::Eq if matches!(store.sort(args[0]), Sort::Array(_)) => {
                self.unknown(store, args[0], args[1], Sort::Bool)
            }
            _ if store.args(term) == args => term,
            _ => store.with_args(term, args),
        });
        is_supported.then_some(new)
    }

    /// An element of an array whose words have been translated.
    pub(super) fn read(
        &mut self,
        store: &mut TermStore,
        array: TermId,
        index: TermId,
    ) -> Option<TermId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || match store.op(array) {
            Op::Store => {
                let (inner, at, element) =
                    (store.arg(array, 0), store.arg(array, 1), store.arg(array, 2));
                self.note(at);
                self.note_written(store, Some(at), element);
                let same = store.eq(index, at);
                if store.bool_value(same) == Some(true) {
                    return Some(element);
                }
                let other = self.read(store, inner, index)?;
                Some(store.ite(same, element, other))
            }
            Op::ConstArray => {
                let element = store.arg(array, 0);
                self.note_written(store, None, element);
                Some(element)
            }
            Op::Ite => {
                let (condition, a, b) =
                    (store.arg(array, 0), store.arg(array, 1), store.arg(array, 2));
                let (a, b) = (self.read(store, a, index)?, self.read(store, b, index)?);
                Some(store.ite(condition, a, b))
            }
            Op::Var(_) => {
                self.note(index);
                if self.arrays.contains(&array) && !self.asked.contains(&index) {
                    self.asked.push(index);
                }
                let Sort::Array(sort) = store.sort(array) else { return None };
                let (_, element) = store.array_parts(sort);
                if matches!(element, Sort::Array(_)) {
                    return None;
                }
                let mut value = None;
                for (position, cell) in self.cells.get(&array).cloned().into_iter().flatten().rev()
                {
                    let here = store.eq(index, position);
                    if store.bool_value(here) == Some(true) {
                        self.given.insert(cell.current);
                        return Some(cell.current);
                    }
                    let other = match value {
                        Some(other) => other,
                        None => self.unknown(store, array, index, element),
                    };
                    value = Some(store.ite(here, cell.current, other));
                }
                let value = value.unwrap_or_else(|| self.unknown(store, array, index, element));
                self.given.insert(value);
                Some(value)
            }
            _ => None,
        })
    }

    fn note(&mut self, index: TermId) {
        if !self.used.contains(&index) {
            self.used.push(index);
        }
    }

    fn note_written(&mut self, store: &TermStore, at: Option<TermId>, element: TermId) {
        for choice in alternatives(store, element) {
            if !self.written.contains(&(at, choice)) {
                self.written.push((at, choice));
            }
        }
    }

    fn unknown(&mut self, store: &mut TermStore, a: TermId, b: TermId, sort: Sort) -> TermId {
        *self.unknown.entry((a, b)).or_insert_with(|| store.fresh_var("read", sort))
    }

    /// Terms without cells in which reads stand again in place of what they give.
    pub(super) fn with_reads(&self, store: &mut TermStore, terms: &[TermId]) -> Vec<TermId> {
        let mut unknown: Vec<_> =
            self.unknown.iter().map(|(&(a, b), &value)| (value, a, b)).collect();
        unknown.sort_unstable();
        let mut reads = FxHashMap::default();
        for (value, a, b) in unknown {
            let is_read = store.sort(a) != store.sort(b);
            reads.insert(value, if is_read { store.select(a, b) } else { store.eq(a, b) });
        }
        let mut terms = terms.to_vec();
        // An index may be what another read gives.
        loop {
            let before = terms.clone();
            terms = store.substitute_all(&terms, &reads);
            if terms == before {
                return terms;
            }
        }
    }

    /// Initial states: what would need inputs is left out.
    pub(super) fn initial(
        &mut self,
        store: &mut TermStore,
        init: TermId,
        arrays: &[StateVar],
    ) -> Option<TermId> {
        let mut conditions = Vec::new();
        for part in store.conjuncts(init) {
            let is_array = |&&x: &&TermId| self.arrays.contains(&x);
            if store.op(part) == Op::Eq
                && let Some(&array) = store.args(part).iter().find(is_array)
            {
                let value = store.args(part).iter().copied().find(|&arg| arg != array)?;
                let value = self.translate(store, &[value])?[0];
                for (position, cell) in self.cells.get(&array).cloned().into_iter().flatten() {
                    let element = self.read(store, value, position)?;
                    conditions.push(store.eq(cell.current, element));
                }
            } else {
                conditions.push(self.translate(store, &[part])?[0]);
            }
        }
        let unknown: FxHashSet<TermId> = self.unknown.values().copied().collect();
        let arrays: FxHashSet<TermId> = arrays.iter().map(|array| array.current).collect();
        conditions.retain(|&condition| {
            let free = store.free_vars(&[condition]);
            free.iter().all(|&var| {
                let var = store.var_info(var).term;
                !unknown.contains(&var) && !arrays.contains(&var)
            })
        });
        Some(store.and_all(&conditions))
    }

    /// Constants and variables that are written, or compared with what is read.
    pub(super) fn elements(
        &self,
        store: &TermStore,
        current: &FxHashSet<TermId>,
        roots: &[TermId],
    ) -> Vec<TermId> {
        let mut elements: Vec<TermId> = Vec::new();
        let mut add = |term: TermId| {
            if (store.is_value(term) || current.contains(&term)) && !elements.contains(&term) {
                elements.push(term);
            }
        };
        self.written.iter().for_each(|&(_, element)| add(element));
        // A read is given, or chosen between that and what is out of bounds.
        let is_read = |term: TermId| {
            let chosen = store.op(term) == Op::Ite
                && store.args(term).iter().any(|arg| self.given.contains(arg));
            chosen || self.given.contains(&term)
        };
        for term in store.reachable(roots) {
            if matches!(store.op(term), Op::Eq | Op::BvUlt | Op::BvSlt) {
                let (a, b) = (store.arg(term, 0), store.arg(term, 1));
                if is_read(a) {
                    add(b);
                }
                if is_read(b) {
                    add(a);
                }
            }
        }
        elements
    }

    /// The indices of reads in place of watched ones, with what is then in place of the cells.
    pub(super) fn helps(
        &mut self,
        store: &mut TermStore,
        positions: &Positions,
        asked: &[TermId],
    ) -> Option<Vec<FxHashMap<TermId, TermId>>> {
        let own: FxHashSet<TermId> = positions.indices.iter().map(|index| index.current).collect();
        let inputs: FxHashSet<TermId> = self.unknown.values().copied().collect();
        let of_array = |(&array, cells): (&TermId, &Vec<(TermId, StateVar)>)| {
            let cells = cells.iter().map(move |(position, cell)| (cell.current, array, *position));
            cells.collect::<Vec<_>>()
        };
        let mut cells: Vec<(TermId, TermId, TermId)> =
            self.cells.iter().flat_map(of_array).collect();
        cells.sort_unstable();
        let mut seen = FxHashSet::default();
        let mut reads = Vec::new();
        for &index in asked {
            let word = word_of(store, index);
            // An index that is itself read, or watched anyway, is no help.
            let mut free = store.free_vars(&[word]).into_iter().map(|var| store.var_info(var).term);
            if free.any(|var| own.contains(&var) || inputs.contains(&var)) || store.is_value(word) {
                continue;
            }
            for watched in &positions.indices {
                let fits = store.sort(word) == store.sort(watched.current);
                if !fits || reads.len() >= MAX_HELPS || !seen.insert((watched.current, word)) {
                    continue;
                }
                let mut read = FxHashMap::default();
                read.insert(watched.current, word);
                for &(cell, array, position) in &cells {
                    let position = store.substitute(position, &read);
                    let value = self.read(store, array, position)?;
                    read.insert(cell, value);
                }
                reads.push(read);
            }
        }
        Some(reads)
    }

    /// The words over the state at which elements are written.
    pub(super) fn written_at(
        &self,
        store: &mut TermStore,
        current: &FxHashSet<TermId>,
    ) -> Vec<TermId> {
        let written: Vec<TermId> = self.written.iter().filter_map(|&(at, _)| at).collect();
        let mut words: Vec<TermId> = written.into_iter().map(|at| word_of(store, at)).collect();
        words.retain(|&word| !store.is_value(word) && store.is_over(&[word], current));
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Returns the changes of cells by a step in which a word is a watched position, as if it were that: for each place, each of
    /// these words and each of these positions, whether an index meets the watched one then, and the cells that change there with
    /// what they become.
    pub(super) fn effects(
        store: &mut TermStore,
        updates: &[(TermId, TermId)],
        words: &[TermId],
        positions: &[TermId],
        places: &[FxHashMap<TermId, TermId>],
    ) -> Vec<(bool, Vec<(TermId, TermId)>)> {
        let mut effects = Vec::new();
        let (cells, values): (Vec<TermId>, Vec<TermId>) = updates.iter().copied().unzip();
        for place in places {
            // What a place leaves as it is has no effect there, so that each block is looked at once.
            let here = cells.iter().copied().zip(store.substitute_all(&values, place));
            let here: Vec<(TermId, TermId)> = here.filter(|(cell, value)| cell != value).collect();
            let (cells, values): (Vec<TermId>, Vec<TermId>) = here.into_iter().unzip();
            for &word in words {
                for &position in positions {
                    if store.sort(position) != store.sort(word) || word == position {
                        continue;
                    }
                    let map = solved(store, word, position);
                    let met = meets(store, &values, &map);
                    let values = store.substitute_all(&values, &map);
                    effects.push((met, cells.iter().copied().zip(values).collect()));
                }
            }
        }
        effects
    }

    /// The parts of indices that are sums, as far as they are over the state.
    pub(super) fn parts(
        &self,
        store: &TermStore,
        current: &FxHashSet<TermId>,
        indices: &[TermId],
    ) -> Vec<TermId> {
        let mut parts = Vec::new();
        for word in self.used.iter().map(|&index| core(store, index)) {
            if store.op(word) == Op::BvAdd {
                parts.extend(store.args(word).iter().copied().filter(|&part| {
                    !store.is_value(part)
                        && store.is_over(&[part], current)
                        && !store.reachable(&[part]).iter().any(|term| indices.contains(term))
                }));
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// The words of indices, and what they are compared with, as far as they are over the state.
    pub(super) fn bounds(
        &self,
        store: &mut TermStore,
        state: &[StateVar],
        roots: &[TermId],
        indices: &[StateVar],
    ) -> Vec<TermId> {
        let watched: FxHashSet<TermId> = indices.iter().map(|index| index.current).collect();
        let current: FxHashSet<TermId> =
            state.iter().map(|var| var.current).filter(|x| !watched.contains(x)).collect();
        let mut bounds: Vec<TermId> = Vec::new();
        let mut add = |store: &TermStore, term: TermId| {
            if store.is_over(&[term], &current) && !bounds.contains(&term) {
                bounds.push(term);
            }
        };
        let mut words: FxHashSet<TermId> = FxHashSet::default();
        for &index in &self.used {
            let word = word_of(store, index);
            words.insert(word);
            words.extend(store.args(word));
            add(store, word);
        }
        for term in store.reachable(roots) {
            if matches!(store.op(term), Op::BvUlt | Op::BvSlt) {
                let (a, b) = (store.arg(term, 0), store.arg(term, 1));
                if words.contains(&a) || words.contains(&b) {
                    add(store, a);
                    add(store, b);
                }
            }
        }
        bounds
    }
}

/// The substitution by which a word has a value: for its only variable if it is a constant away from that, or else for itself.
fn solved(store: &mut TermStore, word: TermId, value: TermId) -> FxHashMap<TermId, TermId> {
    if let &[var] = store.free_vars(&[word]).as_slice() {
        let var = store.var_info(var).term;
        if store.sort(var) == store.sort(word) {
            let offset = store.bv_sub(word, var);
            if store.is_value(offset) {
                return once((var, store.bv_sub(value, offset))).collect();
            }
        }
    }
    once((word, value)).collect()
}

/// Returns whether a comparison in some terms holds with a substitution: whether an index meets a watched one then.
fn meets(store: &mut TermStore, terms: &[TermId], map: &FxHashMap<TermId, TermId>) -> bool {
    let mut comparisons = store.reachable(terms);
    comparisons.retain(|&term| store.op(term) == Op::Eq);
    let after = store.substitute_all(&comparisons, map);
    after.into_iter().any(|term| store.bool_value(term) == Some(true))
}
