//! Arrays watched at a few indices: a system without arrays whose safety is that of one with arrays.
//!
//! **Idea.** A violation reads arrays at a few indices only. Choose these indices, the *watched* ones, at the very
//! beginning and keep them for ever; then only the elements there, the *cells*, need to be part of the state. A read at
//! another index gives any value. Violations count only if they read at the watched indices: whatever is violated, it is
//! violated for some choice of them. What an engine proves with cells holds for all choices, so it is an invariant
//! with a universal quantifier about the arrays.
//!
//! **Source.** Jana, Khedker, Datar, Venkatesh, Niyas, "Scaling Bounded Model Checking by Transforming Programs with Arrays",
//! LOPSTR 2016, doi 10.1007/978-3-319-63139-4_16 (a witness index for programs with loops); Monniaux, Gonnord, "Cell Morphing:
//! From Array Programs to Array-Free Horn Clauses", SAS 2016, doi 10.1007/978-3-662-53413-7_18.
//!
//! **Indices.** Those of one violation that differ by constants, or are functions of one variable, share a watched index, so
//! that neighbours and mirror images are watched together. An index that is an extended or shortened word is watched as the word.
//!
//! If no violation reads an array, what steps read is watched: facts about all indices may decide where they go.
//!
//! **Helps.** What is known for all indices is known for those at which a step reads, too. Such a read is an input, but one
//! that satisfies every fact about cells: see [`Watched::known_of_reads`].
//!
//! **Soundness.** Every execution of the system with arrays, with any watched indices, is one of the system of cells: a read
//! away from them is an input. A violation has watched indices for which it counts, see [`Watch::instances`]. A proof is
//! taken back to the system with arrays and checked there.

mod reader;

use crate::functional::Functional;
use crate::proof::Proof;
use crate::reduction::Watch;
use crate::system::{StateVar, TransitionSystem};
use reader::Reader;
use rustc_hash::{FxHashMap, FxHashSet};
use std::iter::once;
use vergo_term::{Op, Sort, TermId, TermStore};

/// Watched indices beyond this number are not made.
const MAX_WATCHED: usize = 3;
/// Cells beyond this number are not made.
const MAX_CELLS: usize = 24;
/// Indices of reads for which facts are said beyond this number are not looked at.
const MAX_HELPS: usize = 6;
/// Where there are more steps at watched positions, what they do to cells is not looked at.
const MAX_EFFECTS: usize = 200;
/// Constants that a flag is set to.
const MAX_SETTINGS: usize = 3;

/// A system of cells.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The system: no arrays, with the watched indices and the cells in the state.
    pub system: TransitionSystem,
    /// The variables of the watched indices.
    pub indices: Vec<TermId>,
    /// The places in arrays that are watched, as words over these.
    pub positions: Vec<TermId>,
    /// The variables of the cells.
    pub cells: Vec<TermId>,
    /// Words over the state that indices are made of, or that these are compared with: what watched indices should be
    /// compared with.
    pub bounds: Vec<TermId>,
    /// Constants and words of the state that are written to arrays or compared with what is read: what cells should be
    /// compared with.
    pub elements: Vec<TermId>,
    /// The updates of the element at a variable's index, restated for the watched indices: facts about cells.
    pub patterns: Vec<TermId>,
    /// For each variable that is only ever set to a few constants, the fact that it has one of them.
    pub settings: Vec<TermId>,
    /// The claims of violations, restated for the watched indices where possible: candidates for invariants.
    pub claims: Vec<TermId>,
    /// The parts of these that are about cells, whatever else holds where violations are.
    pub goals: Vec<TermId>,
    /// Changes of cells by steps at watched positions: what cells become, over the state before and inputs.
    pub effects: Vec<FxHashMap<TermId, TermId>>,
    /// Parts of indices that are sums.
    pub parts: Vec<TermId>,
    watch: Watch,
    /// The meaning of cells in the system with arrays.
    meaning: FxHashMap<TermId, TermId>,
    /// For each help, what it puts in place of watched indices and cells.
    reads: Vec<FxHashMap<TermId, TermId>>,
}

impl Watched {
    /// Watches the arrays of a system whose violations are for these reasons; `None` if it has no arrays, or nothing
    /// reads one. `control` is the program counter.
    pub fn of(
        store: &mut TermStore,
        system: &TransitionSystem,
        causes: &[TermId],
        control: Option<TermId>,
    ) -> Option<Watched> {
        let is_array = |store: &TermStore, x: TermId| matches!(store.sort(x), Sort::Array(_));
        let arrays: Vec<StateVar> =
            system.state.iter().filter(|var| is_array(store, var.current)).cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        let mut reader = Reader::new(&arrays);
        // Which indices violations read at.
        let mut choices = Vec::new();
        let mut positions = Positions::default();
        for &cause in causes {
            reader.asked.clear();
            reader.translate(store, &[cause])?;
            let asked = std::mem::take(&mut reader.asked);
            let asked = reader.with_reads(store, &asked);
            choices.push(positions.choose(store, &asked));
        }
        let functional = Functional::of(store, system);
        if positions.indices.is_empty() {
            reader.asked.clear();
            let updates: Vec<TermId> = functional.updates.iter().flatten().copied().collect();
            reader.translate(store, &updates)?;
            reader.translate(store, &functional.constraints)?;
            let asked = std::mem::take(&mut reader.asked);
            for group in neighbours(store, &asked) {
                positions.choose(store, &group);
            }
        }
        if positions.indices.is_empty() {
            return None;
        }

        // The cells.
        let mut cells = Vec::new();
        let mut meaning = FxHashMap::default();
        let mut state: Vec<StateVar> =
            system.state.iter().filter(|var| !is_array(store, var.current)).cloned().collect();
        state.extend(positions.indices.iter().cloned());
        let mut cell_of: FxHashMap<TermId, Vec<(TermId, StateVar)>> = FxHashMap::default();
        for array in &arrays {
            for &position in &positions.terms {
                let (index, element) = match store.sort(array.current) {
                    Sort::Array(sort) => store.array_parts(sort),
                    _ => continue,
                };
                if store.sort(position) != index || cells.len() >= MAX_CELLS {
                    continue;
                }
                let name = format!("{}@{}", array.name, cells.len());
                let current = store.fresh_var(&name, element);
                let next = store.fresh_var(&format!("{name}'"), element);
                let cell = StateVar { current, next, name };
                let whole = store.select(array.current, position);
                meaning.insert(current, whole);
                cells.push(current);
                state.push(cell.clone());
                cell_of.entry(array.current).or_default().push((position, cell));
            }
        }
        let mut reader = Reader::new(&arrays);
        reader.cells = cell_of;

        // Violations.
        let mut bad = Vec::new();
        let mut watched_bad = Vec::new();
        let mut instances = Vec::new();
        let mut claims = Vec::new();
        let mut goals = Vec::new();
        let about: FxHashSet<TermId> = cells
            .iter()
            .chain(positions.indices.iter().map(|index| &index.current))
            .copied()
            .collect();
        for (&cause, choice) in causes.iter().zip(&choices) {
            let read = reader.translate(store, &[cause])?[0];
            let mut conditions = vec![read];
            let mut concrete = vec![cause];
            let mut instance = Vec::new();
            for (index, &base) in positions.indices.iter().zip(choice) {
                let Some(base) = base else {
                    let width = store.width(index.current);
                    instance.push(store.bv_u64(width, 0));
                    continue;
                };
                instance.push(base);
                concrete.push(store.eq(index.current, base));
                let base = reader.translate(store, &[base])?[0];
                conditions.push(store.eq(index.current, base));
            }
            claims.extend(claim(store, read, &positions.indices, choice, control));
            goals.extend(goal(store, read, &positions.indices, choice, &about));
            bad.push(store.and_all(&conditions));
            watched_bad.push(store.and_all(&concrete));
            if !instances.contains(&instance) {
                instances.push(instance);
            }
        }

        // Steps and initial states.
        let mut trans = Vec::new();
        let mut updates = Vec::new();
        reader.asked.clear();
        for (var, &update) in system.state.iter().zip(&functional.updates) {
            let Some(update) = update else { continue };
            let update = reader.translate(store, &[update])?[0];
            match reader.cells.get(&var.current).cloned() {
                Some(cells) => {
                    for (position, cell) in cells {
                        let value = reader.read(store, update, position)?;
                        trans.push(store.eq(cell.next, value));
                        updates.push((cell.current, value));
                    }
                }
                None if is_array(store, var.current) => {}
                None => trans.push(store.eq(var.next, update)),
            }
        }
        trans.extend(reader.translate(store, &functional.constraints)?);
        for index in &positions.indices {
            trans.push(store.eq(index.next, index.current));
        }
        let asked = std::mem::take(&mut reader.asked);
        let init = reader.initial(store, system.init, &arrays)?;
        let reads = reader.helps(store, &positions, &asked)?;
        let (bad, trans) = (store.or_all(&bad), store.and_all(&trans));
        let bounds = reader.bounds(store, &state, &[trans, bad], &positions.indices);

        let state_terms: FxHashSet<TermId> =
            state.iter().flat_map(|var| [var.current, var.next]).collect();
        let mut free = vec![trans, bad];
        free.extend(reads.iter().flat_map(|read| read.values()));
        free.sort_unstable();
        let free = store.free_vars(&free).into_iter().map(|var| store.var_info(var).term);
        let inputs = free.filter(|term| !state_terms.contains(term)).collect();
        let indices: Vec<TermId> = positions.indices.iter().map(|index| index.current).collect();
        let mut words: Vec<TermId> = indices.clone();
        for &term in &positions.terms {
            let word = core(store, term);
            if !words.contains(&word) && !store.is_value(word) {
                words.push(word);
            }
        }
        let current: FxHashSet<TermId> = state.iter().map(|var| var.current).collect();
        let elements = reader.elements(store, &current, &[trans, bad]);
        let controls = system.state.iter().zip(&functional.updates);
        let controls = controls.filter(|(var, _)| Some(var.current) == control);
        let controls = controls.filter_map(|(_, &update)| update);
        let mut places: Vec<TermId> = controls.flat_map(|x| alternatives(store, x)).collect();
        places.retain(|&place| store.is_value(place));
        let at_places: Vec<FxHashMap<TermId, TermId>> = match control {
            Some(control) => places.iter().map(|&x| once((control, x)).collect()).collect(),
            None => vec![FxHashMap::default()],
        };
        let written_at = reader.written_at(store, &current);
        let variables: Vec<TermId> =
            written_at.iter().copied().filter(|&word| store.as_var(word).is_some()).collect();
        let patterns = Reader::effects(store, &updates, &variables, &indices, &at_places);
        let patterns: Vec<TermId> = patterns
            .into_iter()
            .flat_map(|(_, changes)| changes)
            .map(|(cell, value)| store.eq(cell, value))
            .collect();
        let mut effects = Vec::new();
        let n_steps = written_at.len() * words.len() * at_places.len();
        let all = match n_steps <= MAX_EFFECTS {
            true => Reader::effects(store, &updates, &written_at, &words, &at_places),
            false => Vec::new(),
        };
        for (_, changes) in all.into_iter().filter(|(met, _)| *met) {
            let (changed, values): (Vec<TermId>, Vec<TermId>) = changes.into_iter().unzip();
            let chosen = within_bounds(store, &values, &current);
            effects.push(changed.iter().copied().zip(values).collect());
            effects.push(changed.into_iter().zip(chosen).collect());
        }
        let parts = reader.parts(store, &current, &indices);
        let settings = settings(store, system, &functional, control);
        let claims = expressible(store, &claims, &current);
        let goals = expressible(store, &goals, &current);
        let patterns = expressible(store, &patterns, &current);
        let watched_bad = store.or_all(&watched_bad);
        let help = |read: &FxHashMap<TermId, TermId>| {
            indices.iter().map(|index| *read.get(index).unwrap_or(index)).collect()
        };
        let helps = reads.iter().map(help).collect();
        let watch = Watch { indices: positions.indices, bad: watched_bad, instances, helps };
        let system = TransitionSystem { state, inputs, init, trans, bad };
        Some(Watched {
            system,
            indices,
            positions: words,
            cells,
            bounds,
            elements,
            patterns,
            settings,
            claims,
            goals,
            effects,
            parts,
            watch,
            meaning,
            reads,
        })
    }

    /// The elements of arrays that cells are, as terms over the state of the system with arrays and the watched indices.
    pub fn elements_of_cells(&self) -> Vec<TermId> {
        self.cells.iter().map(|cell| *self.meaning.get(cell).unwrap_or(cell)).collect()
    }

    /// Returns the consequences of facts about all watched indices for the reads of a step.
    pub fn known_of_reads(&self, store: &mut TermStore, facts: &[TermId]) -> Vec<TermId> {
        let mut known = vec![store.true_term(); facts.len()];
        for read in &self.reads {
            for (known, said) in known.iter_mut().zip(store.substitute_all(facts, read)) {
                *known = store.and(*known, said);
            }
        }
        known
    }

    /// A proof about the system of cells as one about the system with arrays.
    pub fn concrete(&self, store: &mut TermStore, proof: Proof) -> Proof {
        let proof = proof.map_invariant(|invariant| store.substitute(invariant, &self.meaning));
        proof.lifted(self.watch.clone())
    }
}

/// Returns the claim of a violation, about watched indices in place of the terms at which it reads. If these are no variables, it
/// is what the violation says of elements alone: nothing that it says of the variables in them holds for other indices.
fn claim(
    store: &mut TermStore,
    violation: TermId,
    indices: &[StateVar],
    choice: &[Option<TermId>],
    control: Option<TermId>,
) -> Option<TermId> {
    let mut map = FxHashMap::default();
    for (index, &base) in indices.iter().zip(choice) {
        if let Some(base) = base {
            map.insert(base, index.current);
        }
    }
    if map.is_empty() {
        return None;
    }
    let of_variables = map.keys().all(|&base| store.as_var(base).is_some());
    let is_control = |store: &TermStore, part: TermId| {
        store.op(part) == Op::Eq && store.args(part).iter().any(|&arg| Some(arg) == control)
    };
    let parts = store.conjuncts(violation);
    let parts: Vec<TermId> = parts.into_iter().filter(|&part| !is_control(store, part)).collect();
    let moved = store.transform(&parts, |store, term, args| match map.get(&term) {
        Some(&index) => index,
        None if store.args(term) == args => term,
        None => store.with_args(term, args),
    });
    let said = parts.iter().zip(moved).filter(|(part, moved)| of_variables || *part != moved);
    let said: Vec<TermId> = said.map(|(_, moved)| moved).collect();
    let violation = store.and_all(&said);
    Some(store.not(violation))
}

/// Returns what a violation claims of cells: the parts that are about them, with watched indices in place of the words at which it
/// reads.
fn goal(
    store: &mut TermStore,
    violation: TermId,
    indices: &[StateVar],
    choice: &[Option<TermId>],
    about: &FxHashSet<TermId>,
) -> Option<TermId> {
    let bases = indices.iter().zip(choice);
    let map: FxHashMap<TermId, TermId> =
        bases.filter_map(|(index, base)| Some(((*base)?, index.current))).collect();
    if map.is_empty() {
        return None;
    }
    let violation = store.substitute(violation, &map);
    let mut parts = store.conjuncts(violation);
    parts.retain(|&part| store.reachable(&[part]).iter().any(|term| about.contains(term)));
    let violation = store.and_all(&parts);
    Some(store.not(violation))
}

/// Indices in groups: those that differ by constants are in one.
fn neighbours(store: &mut TermStore, indices: &[TermId]) -> Vec<Vec<TermId>> {
    let mut groups: Vec<Vec<TermId>> = Vec::new();
    for &index in indices {
        let word = word_of(store, index);
        let near = groups.iter_mut().find(|group| {
            let first = word_of(store, group[0]);
            store.sort(first) == store.sort(word) && {
                let offset = store.bv_sub(word, first);
                store.is_value(offset)
            }
        });
        match near {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}

/// Returns conditions that a variable has a value, for variables that are only ever set to a few constants.
fn settings(
    store: &mut TermStore,
    system: &TransitionSystem,
    functional: &Functional,
    control: Option<TermId>,
) -> Vec<TermId> {
    let mut settings = Vec::new();
    for (var, &update) in system.state.iter().zip(&functional.updates) {
        let Some(update) = update else { continue };
        if Some(var.current) == control || matches!(store.sort(var.current), Sort::Array(_)) {
            continue;
        }
        let mut values = alternatives(store, update);
        values.retain(|&value| value != var.current);
        if values.len() <= MAX_SETTINGS && values.iter().all(|&value| store.is_value(value)) {
            for value in values {
                settings.push(store.eq(var.current, value));
            }
        }
    }
    settings
}

/// Returns the alternatives that a term chooses from.
pub fn alternatives(store: &TermStore, term: TermId) -> Vec<TermId> {
    let mut choices = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::Ite => stack.extend([store.arg(term, 2), store.arg(term, 1)]),
            _ => choices.push(term),
        }
    }
    choices
}

/// Formulas as far as they can be said of a state, each once.
fn expressible(
    store: &mut TermStore,
    formulas: &[TermId],
    current: &FxHashSet<TermId>,
) -> Vec<TermId> {
    let mut formulas = within_bounds(store, formulas, current);
    formulas.retain(|&formula| !store.is_value(formula) && store.is_over(&[formula], current));
    formulas.sort_unstable();
    formulas.dedup();
    formulas
}

/// Terms as they are where nothing is read out of bounds: what has no meaning for the state is not chosen.
pub(crate) fn within_bounds(
    store: &mut TermStore,
    terms: &[TermId],
    current: &FxHashSet<TermId>,
) -> Vec<TermId> {
    store.transform(terms, |store, term, args| {
        let foreign = |x: TermId| store.as_var(x).is_some() && !current.contains(&x);
        match store.op(term) {
            Op::Ite if foreign(args[1]) => args[2],
            Op::Ite if foreign(args[2]) => args[1],
            _ if store.args(term) == args => term,
            _ => store.with_args(term, args),
        }
    })
}

/// The watched indices, and the places in arrays that they are.
#[derive(Default)]
struct Positions {
    indices: Vec<StateVar>,
    /// Over the watched indices.
    terms: Vec<TermId>,
}

impl Positions {
    /// The watched indices for reads at some indices: for each watched index the term that it equals, if it is used.
    fn choose(&mut self, store: &mut TermStore, asked: &[TermId]) -> Vec<Option<TermId>> {
        let mut bases: Vec<Option<TermId>> = vec![None; MAX_WATCHED];
        // Variables first: others are offsets from them.
        let mut asked: Vec<TermId> = asked.to_vec();
        asked.sort_by_key(|&index| (store.as_var(core(store, index)).is_none(), index));
        for index in asked {
            if store.is_value(index) {
                // A constant index is a place of its own.
                if !self.terms.contains(&index) {
                    self.terms.push(index);
                }
                continue;
            }
            let word = word_of(store, index);
            let sort = store.sort(word);
            let mut known = None;
            for (number, base) in bases.iter().enumerate() {
                let Some(base) = *base else { continue };
                if store.sort(base) == sort
                    && let Some(moved) =
                        as_function_of(store, word, base, self.indices[number].current)
                {
                    known = Some(moved);
                    break;
                }
            }
            let moved = match known {
                Some(moved) => moved,
                None => {
                    let fits = |number: &usize| {
                        bases[*number].is_none()
                            && self
                                .indices
                                .get(*number)
                                .is_none_or(|i| store.sort(i.current) == sort)
                    };
                    let Some(number) = (0..MAX_WATCHED).find(fits) else { continue };
                    while self.indices.len() <= number {
                        let name = format!("index{}", self.indices.len());
                        let current = store.fresh_var(&name, sort);
                        let next = store.fresh_var(&format!("{name}'"), sort);
                        self.indices.push(StateVar { current, next, name });
                    }
                    if store.sort(self.indices[number].current) != sort {
                        continue;
                    }
                    bases[number] = Some(word);
                    self.indices[number].current
                }
            };
            let term = extended_like(store, index, moved);
            if !self.terms.contains(&term) {
                self.terms.push(term);
            }
        }
        bases
    }
}

/// A word as a function of another one, of which it is a constant away or the only variable: with something else in the
/// other's place.
fn as_function_of(
    store: &mut TermStore,
    word: TermId,
    base: TermId,
    instead: TermId,
) -> Option<TermId> {
    let offset = store.bv_sub(word, base);
    if store.is_value(offset) {
        return Some(store.bv_add(instead, offset));
    }
    // Multiples of a power of two, each with a constant.
    if let (Op::BvConcat, &[high, low], Op::BvConcat, &[same, other]) =
        (store.op(word), store.args(word), store.op(base), store.args(base))
        && high == same
        && store.is_value(low)
        && store.is_value(other)
    {
        let width = store.width(word);
        let [low, other] = [low, other].map(|part| store.bv_zero_extend(width, part));
        let offset = store.bv_sub(low, other);
        return Some(store.bv_add(instead, offset));
    }
    let var = store.as_var(base)?;
    let map = once((base, instead)).collect();
    (store.free_vars(&[word]) == [var]).then(|| store.substitute(word, &map))
}

/// The word of which a term is an extension or the lower part, or the term itself.
pub(crate) fn core(store: &TermStore, term: TermId) -> TermId {
    match store.op(term) {
        Op::BvSignExtend | Op::BvExtract(0) => store.arg(term, 0),
        Op::BvConcat if store.bv_value(store.arg(term, 0)).is_some_and(|top| top.is_zero()) => {
            store.arg(term, 1)
        }
        _ => term,
    }
}

/// The word of an index: its [`core`], or if it is a sum of the lower parts of words, the sum of these words. Facts about words are
/// seldom about parts of them.
pub(crate) fn word_of(store: &mut TermStore, index: TermId) -> TermId {
    let word = core(store, index);
    if word != index || !matches!(store.op(index), Op::BvAdd | Op::BvMul | Op::BvConcat) {
        return word;
    }
    let is_part = |store: &TermStore, x: TermId| store.op(x) == Op::BvExtract(0);
    let parts = store.reachable(&[index]).into_iter().filter(|&x| is_part(store, x));
    let wider = parts.map(|part| store.width(store.arg(part, 0)));
    let Some(width) = wider.min().filter(|&width| width > store.width(index)) else { return word };
    widened(store, index, width).unwrap_or(word)
}

/// A word whose lower part is a term, made of the same words in full; `None` if these are not as wide.
fn widened(store: &mut TermStore, term: TermId, width: u32) -> Option<TermId> {
    let args = store.args(term).to_vec();
    match store.op(term) {
        _ if store.is_value(term) => Some(store.bv_sign_extend(width, term)),
        Op::BvExtract(0) => (store.width(args[0]) == width).then_some(args[0]),
        op @ (Op::BvAdd | Op::BvMul) => {
            let mut wide = None;
            for arg in args {
                let arg = widened(store, arg, width)?;
                wide = Some(match wide {
                    None => arg,
                    Some(wide) if op == Op::BvAdd => store.bv_add(wide, arg),
                    Some(wide) => store.bv_mul(wide, arg),
                });
            }
            wide
        }
        // A multiple of a power of two, and a constant.
        Op::BvConcat if store.is_value(args[1]) => {
            let shift = store.width(args[1]);
            let high = widened(store, args[0], width)?;
            let zeros = store.bv_u64(shift, 0);
            let high = store.bv_extract(width - shift - 1, 0, high);
            let high = store.bv_concat(high, zeros);
            let low = store.bv_zero_extend(width, args[1]);
            Some(store.bv_add(high, low))
        }
        _ => None,
    }
}

/// The same extension or part of another word.
pub(crate) fn extended_like(store: &mut TermStore, term: TermId, word: TermId) -> TermId {
    let width = store.width(term);
    match store.op(term) {
        _ if store.width(word) > width => store.bv_extract(width - 1, 0, word),
        _ if core(store, term) == term => word,
        Op::BvSignExtend => store.bv_sign_extend(width, word),
        Op::BvExtract(_) => store.bv_extract(width - 1, 0, word),
        _ => store.bv_zero_extend(width, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unroll::{Start, Unrolling};
    use vergo_smt::{Answer, Budget, SolverOptions};

    /// Writes seven at one index after the other, and claims so of all below the counter but for a shift.
    fn filled(store: &mut TermStore, value: u64) -> TransitionSystem {
        let word = Sort::BitVec(8);
        let sort = store.array_sort(word, word);
        let [i, i_next] = ["i", "i'"].map(|name| store.var(name, word));
        let [a, a_next] = ["a", "a'"].map(|name| store.var(name, sort));
        let x = store.var("x", word);
        let [zero, one, seven, value] = [0, 1, 7, value].map(|n| store.bv_u64(8, n));
        let more = store.bv_add(i, one);
        let written = store.store(a, i, seven);
        let moved = store.eq(i_next, more);
        let filled = store.eq(a_next, written);
        let read = store.select(a, x);
        let below = store.bv_ult(x, i);
        let wrong = store.ne(read, value);
        TransitionSystem {
            state: vec![
                StateVar { current: i, next: i_next, name: "i".to_owned() },
                StateVar { current: a, next: a_next, name: "a".to_owned() },
            ],
            inputs: vec![x],
            init: store.eq(i, zero),
            trans: store.and(moved, filled),
            bad: store.and(below, wrong),
        }
    }

    #[test]
    fn violations_stay_and_arrays_go() {
        for (value, violation) in [(7, None), (8, Some(1))] {
            let mut store = TermStore::new();
            let system = filled(&mut store, value);
            let watched =
                Watched::of(&mut store, &system, &[system.bad], None).expect("there is an array");
            assert_eq!(watched.system.verify(&store), Ok(()));
            assert_eq!((watched.indices.len(), watched.cells.len()), (1, 1));
            let arrays = |store: &TermStore, x: TermId| matches!(store.sort(x), Sort::Array(_));
            assert!(!watched.system.current().any(|x| arrays(&store, x)));
            for system in [&system, &watched.system] {
                let options = SolverOptions::default();
                let mut unrolling = Unrolling::new(&mut store, system, Start::Initial, options);
                for steps in 0..4 {
                    let answer = unrolling.violation(&mut store, steps, &Budget::unlimited());
                    let expected = violation.is_some_and(|first| first <= steps);
                    assert_eq!(answer == Answer::Sat, expected, "{value} after {steps}");
                }
            }
        }
    }
}
