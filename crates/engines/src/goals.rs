//! Facts about elements of arrays that claims need, found backwards.
//!
//! **Idea.** Where arrays are watched, a loop over an array changes the cells in one step, the one at the watched position. So what
//! has to hold before a loop for a claim about cells behind it is known without any iteration: the claim itself, and what has to hold
//! before that step, for all inputs. Through all loops that gives a few facts, each to be guarded by where the watched position is:
//! the loop has passed it or not. Which of them hold is for [`auxiliary`](crate::auxiliary) to find out, much sooner than
//! of the many that [`cells`](crate::cells) proposes. It is the proof that the abstraction by witness indices has, as an
//! invariant of the program itself.
//!
//! **Counters** that move together are related whether or not an execution has been seen to come to their loop.

use crate::auxiliary::{Place, at_place, is_word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::iter::once;
use vergo_term::{Sort, TermId, TermStore};
use vergo_ts::{Encoded, Functional, Watched, alternatives};

/// Facts from which claims follow, and conditions on inputs in one of them.
const MAX_GOALS: usize = 24;
const MAX_INPUTS: usize = 4;
/// Conditions on watched positions, and words that these are compared with.
const MAX_GUARDS: usize = 64;
const MAX_BOUNDS: usize = 16;
/// Flags' values.
const MAX_SETTINGS: usize = 3;
/// Values that a counter may begin with, and counters of a loop.
const MAX_FIRST: usize = 3;
const MAX_COUNTERS: usize = 6;

/// The facts about cells from which the claims of violations follow: a list for each place.
pub(crate) fn candidates_for_goals(
    store: &mut TermStore,
    watched: &Watched,
    places: &[Place],
) -> Vec<Vec<TermId>> {
    let goals = goals(store, watched);
    let mut candidates = Vec::new();
    for place in places {
        let variables: FxHashSet<TermId> =
            place.variables.iter().chain(&watched.indices).chain(&watched.cells).copied().collect();
        let known = |store: &TermStore, terms: &[TermId]| -> Vec<TermId> {
            terms.iter().copied().filter(|&term| store.is_over(&[term], &variables)).collect()
        };
        let mut bounds = known(store, &watched.bounds);
        bounds.extend(known(store, &watched.parts));
        // Rather simple ones.
        bounds.sort_by_key(|&bound| (store.size(bound).dag, bound));
        bounds.dedup();
        bounds.truncate(MAX_BOUNDS);
        let guards = guards(store, watched, &bounds);
        let mut settings = known(store, &watched.settings);
        settings.truncate(MAX_SETTINGS);
        settings.insert(0, store.true_term());
        let goals = known(store, &goals);
        let mut facts = Vec::new();
        for &setting in &settings {
            for &guard in &guards {
                let guard = store.and(setting, guard);
                facts.extend(goals.iter().map(|&goal| store.implies(guard, goal)));
            }
        }
        facts.extend(at_words(store, watched, &bounds, &known(store, &watched.elements)));
        candidates.push(at_place(store, place, facts, usize::MAX));
    }
    candidates
}

/// Cells at words of the state equal to something: what was written outside of loops.
fn at_words(
    store: &mut TermStore,
    watched: &Watched,
    bounds: &[TermId],
    elements: &[TermId],
) -> Vec<TermId> {
    let mut facts = Vec::new();
    for &bound in bounds {
        for &index in &watched.indices {
            if store.sort(index) != store.sort(bound) || store.is_value(bound) {
                continue;
            }
            let here = store.eq(index, bound);
            for &cell in &watched.cells {
                for &element in elements {
                    if store.sort(cell) == store.sort(element) {
                        let equal = store.eq(cell, element);
                        facts.push(store.implies(here, equal));
                    }
                }
            }
        }
    }
    facts
}

/// The claims of violations, and what has to hold before steps at watched positions for these.
fn goals(store: &mut TermStore, watched: &Watched) -> Vec<TermId> {
    let state: FxHashSet<TermId> = watched.system.current().collect();
    let cells: FxHashSet<TermId> = watched.cells.iter().copied().collect();
    let mut goals: Vec<TermId> = watched.goals.iter().chain(&watched.claims).copied().collect();
    goals.dedup();
    let mut next = 0;
    while next < goals.len() && goals.len() < MAX_GOALS {
        for effect in &watched.effects {
            let before = store.substitute(goals[next], effect);
            let before = for_all_inputs(store, before, &state, MAX_INPUTS);
            let about_cells =
                |&goal: &TermId| store.reachable(&[goal]).iter().any(|term| cells.contains(term));
            if let Some(before) = before.filter(about_cells)
                && !goals.contains(&before)
            {
                goals.push(before);
            }
        }
        next += 1;
    }
    goals
}

/// A formula over the state that implies another one whatever the inputs in it are, which stand in no more than so many
/// conditions.
fn for_all_inputs(
    store: &mut TermStore,
    formula: TermId,
    state: &FxHashSet<TermId>,
    n_conditions: usize,
) -> Option<TermId> {
    let terms = store.reachable(&[formula]);
    let is_condition = |&&term: &&TermId| {
        store.sort(term) == Sort::Bool && !store.is_value(term) && !store.is_over(&[term], state)
    };
    // The first has no other one in it.
    let Some(&condition) = terms.iter().find(is_condition) else {
        return store.is_over(&[formula], state).then_some(formula);
    };
    if n_conditions == 0 {
        return None;
    }
    let mut all = store.true_term();
    for value in [store.true_term(), store.false_term()] {
        let chosen = store.substitute(formula, &once((condition, value)).collect());
        let chosen = for_all_inputs(store, chosen, state, n_conditions - 1)?;
        all = store.and(all, chosen);
    }
    Some(all)
}

/// Where watched positions may be: anywhere, all below a word, or one of them below, above or at a word.
fn guards(store: &mut TermStore, watched: &Watched, bounds: &[TermId]) -> Vec<TermId> {
    let mut guards = vec![store.true_term()];
    let mut more = Vec::new();
    for &bound in bounds {
        let mut positions = watched.positions.clone();
        positions.retain(|&position| store.sort(position) == store.sort(bound));
        let below: Vec<TermId> = positions.iter().map(|&x| store.bv_ult(x, bound)).collect();
        guards.push(store.and_all(&below));
        for (&position, &below) in positions.iter().zip(&below) {
            guards.extend([below, store.not(below)]);
            if store.is_value(bound) {
                guards.push(store.bv_ule(position, bound));
            } else if watched.indices.contains(&position) {
                more.extend([store.bv_slt(position, bound), store.eq(position, bound)]);
            }
            for &other in bounds.iter().filter(|&&other| other != bound) {
                if store.sort(other) == store.sort(bound) {
                    let above = store.bv_ule(other, position);
                    more.push(store.and(above, below));
                }
            }
        }
    }
    guards.extend(more);
    let mut seen = FxHashSet::default();
    guards.retain(|&guard| seen.insert(guard));
    guards.truncate(MAX_GUARDS);
    guards
}

/// Relations of counters of a loop that move by constants and begin with constants: a list for each place.
pub(crate) fn candidates_for_counters(
    store: &mut TermStore,
    encoded: &Encoded,
    places: &[Place],
) -> Vec<Vec<TermId>> {
    let system = &encoded.system;
    let functional = Functional::of(store, system);
    let words: Vec<(TermId, TermId)> = system
        .current()
        .zip(functional.updates)
        .filter_map(|(var, update)| Some((var, update.filter(|_| is_word(store, var))?)))
        .collect();
    // What each place makes of each word.
    let mut made = Vec::new();
    for point in 0..places.len() {
        let mut map = FxHashMap::default();
        if let Some(counter) = encoded.counter {
            map.insert(counter, store.bv_u64(store.width(counter), point as u64));
        }
        let here: Vec<TermId> = words.iter().map(|&(_, update)| update).collect();
        let here = store.substitute_all(&here, &map);
        made.push(here.iter().map(|&term| alternatives(store, term)).collect::<Vec<_>>());
    }
    let mut candidates = Vec::new();
    for (point, place) in places.iter().enumerate() {
        let mut counters = Vec::new();
        for (number, &(var, _)) in words.iter().enumerate() {
            let mut steps: Vec<TermId> =
                made[point][number].iter().filter_map(|&term| step(store, var, term)).collect();
            steps.sort_unstable();
            steps.dedup();
            let all = made.iter().flat_map(|made| made[number].iter().copied());
            let mut first: Vec<TermId> = all.filter(|&term| store.is_value(term)).collect();
            first.sort_unstable();
            first.dedup();
            first.truncate(MAX_FIRST);
            if let &[step] = steps.as_slice()
                && place.variables.contains(&var)
                && counters.len() < MAX_COUNTERS
            {
                counters.push((var, step, first));
            }
        }
        let mut facts = Vec::new();
        for (number, (x, x_step, x_first)) in counters.iter().enumerate() {
            for (y, y_step, y_first) in &counters[number + 1..] {
                if store.sort(*x) != store.sort(*y) {
                    continue;
                }
                for &from_x in x_first {
                    for &from_y in y_first {
                        let (moved_x, moved_y) =
                            (store.bv_sub(*x, from_x), store.bv_sub(*y, from_y));
                        let left = store.bv_mul(moved_x, *y_step);
                        let right = store.bv_mul(moved_y, *x_step);
                        facts.push(store.eq(left, right));
                    }
                }
            }
        }
        candidates.push(at_place(store, place, facts, usize::MAX));
    }
    candidates
}

/// The constant that a variable grows by if it becomes a term.
fn step(store: &mut TermStore, var: TermId, term: TermId) -> Option<TermId> {
    let difference = store.bv_sub(term, var);
    (term != var && store.is_value(difference)).then_some(difference)
}
