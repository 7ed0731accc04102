//! States that a program is in at each of its places, from executions with small random inputs.
//!
//! Relations that hold in all of them are worth a guess ([`affine`](crate::affine), [`algebraic`](crate::algebraic)).
//! Relations with inputs need different inputs rather than long executions, so each execution gives only a few
//! states.

use crate::auxiliary::Place;
use rustc_hash::FxHashSet;
use vergo_num::BitVec;
use vergo_smt::Budget;
use vergo_term::{Assignment, Evaluator, Op, Sort, TermId, TermStore, Value};
use vergo_ts::{Encoded, Series, TransitionSystem};

/// Executions if each gives states, and otherwise; and the steps of each.
const RUNS: u64 = 60;
const MAX_RUNS: u64 = 1000;
const STEPS: usize = 40;
/// Work per state of an execution, and per term there is; see [`Budget::spend`].
const STATE_WORK: u64 = 20_000;
const TERM_WORK: u64 = 40;
/// With so many states at each place there are enough.
const ENOUGH_STATES: usize = 40;
/// States at a place that are looked at, of one execution and of all.
const MAX_STATES_OF_RUN: usize = 12;
const MAX_STATES: usize = 320;
/// Combinations of states and indices that are looked at.
const MAX_ROWS: usize = 1000;
/// Work per value that is looked at.
const VALUE_WORK: u64 = 300;

/// The widths of the words that are related with each other.
pub(crate) const WIDTHS: [u32; 2] = [32, 64];

/// Narrower variables that take part extended.
const MAX_EXTENSIONS: usize = 4;

/// The states at each place.
pub(crate) struct Executions {
    /// The variables of states.
    variables: Vec<TermId>,
    /// For each place its states, each with a value for every variable.
    at_places: Vec<Vec<Vec<Value>>>,
}

impl Executions {
    /// Executes a program.
    pub(crate) fn of(
        store: &TermStore,
        encoded: &Encoded,
        n_places: usize,
        budget: &Budget,
    ) -> Executions {
        let mut at_places: Vec<Vec<Vec<Value>>> = vec![Vec::new(); n_places];
        let mut random = 1u64;
        for run in 0..MAX_RUNS {
            let enough = || at_places.iter().all(|seen| seen.len() >= ENOUGH_STATES);
            if budget.interrupted().is_some() || run >= RUNS && enough() {
                break;
            }
            // Small inputs, so that loops end, and smaller ones, so that many loops do. What has not come far with any
            // numbers may do so with more zeros.
            let range = [32, 8, 4][run as usize % 3];
            let zeros = if run < RUNS { 0 } else { run % 4 };
            let mut choose = |_, sort: Sort| {
                if budget.interrupted().is_some() {
                    return None;
                }
                random =
                    random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let bits = random >> 33;
                Some(match sort {
                    Sort::Bool => Value::Bool(bits & 1 == 1),
                    Sort::BitVec(width) if (bits >> 12) % 8 < zeros => BitVec::zero(width).into(),
                    Sort::BitVec(width) => {
                        let opposite = if bits & 7 == 0 { range / 2 } else { 0 };
                        let small = (bits >> 4) as i64 % range - opposite;
                        BitVec::from_i64(width, small).into()
                    }
                    other => vergo_term::default_value(store, other),
                })
            };
            let (path, _) = encoded.follow(store, &mut choose, STEPS);
            let per_state = STATE_WORK + store.len() as u64 * TERM_WORK;
            budget.spend(path.states.len() as u64 * per_state);
            let mut n_of_run = vec![0; n_places];
            for (time, state) in path.states.iter().enumerate() {
                if time > 0 && has_grown(&path.states[time - 1], state) {
                    break;
                }
                let point = encoded.point(&path, time);
                if let Some(seen) = at_places.get_mut(point)
                    && seen.len() < MAX_STATES
                    && n_of_run[point] < MAX_STATES_OF_RUN
                    && !seen.contains(state)
                {
                    n_of_run[point] += 1;
                    seen.push(state.clone());
                }
            }
        }
        Executions { variables: encoded.system.current().collect(), at_places }
    }

    /// The values of words, and of the sums of a series below some of its bounds, in the states at a place, as far as they
    /// are known.
    pub(crate) fn rows_with_sums(
        &self,
        store: &TermStore,
        words: &[TermId],
        (series, bounds): (&Series, &[usize]),
        place_idx: usize,
    ) -> Vec<Vec<i128>> {
        let of_state = |state: &Vec<Value>| {
            let assignment = assignment(store, &self.variables, state);
            let mut evaluator = Evaluator::new(store, &assignment);
            let sums = series.values(store, &mut evaluator)?;
            let words = words.iter().map(|&word| number(evaluator.value(word)));
            Some(words.chain(bounds.iter().map(|&bound| number(&sums[bound]))).collect())
        };
        sorted(self.states(place_idx).filter_map(of_state).collect())
    }

    /// The values of words in the states at a place.
    pub(crate) fn rows(
        &self,
        store: &TermStore,
        words: &[TermId],
        place_idx: usize,
    ) -> Vec<Vec<i128>> {
        let of_state = |state: &Vec<Value>| {
            let assignment = assignment(store, &self.variables, state);
            let mut evaluator = Evaluator::new(store, &assignment);
            words.iter().map(|&word| number(evaluator.value(word))).collect()
        };
        sorted(self.states(place_idx).map(of_state).collect())
    }

    /// The values of words in the states at a place in which a condition holds, and in the others.
    pub(crate) fn divided_rows(
        &self,
        store: &TermStore,
        words: &[TermId],
        place_idx: usize,
        condition: TermId,
    ) -> [Vec<Vec<i128>>; 2] {
        let mut rows = [Vec::new(), Vec::new()];
        for state in self.states(place_idx) {
            let assignment = assignment(store, &self.variables, state);
            let mut evaluator = Evaluator::new(store, &assignment);
            let fails = !evaluator.value(condition).as_bool();
            let row = words.iter().map(|&word| number(evaluator.value(word))).collect();
            rows[usize::from(fails)].push(row);
        }
        rows.map(sorted)
    }

    /// The values of words over a state and some indices in the states at a place, for the first so many values of each index, and
    /// which of some conditions hold.
    pub(crate) fn rows_at_indices(
        &self,
        store: &TermStore,
        (words, conditions): (&[TermId], &[TermId]),
        (indices, n_values): (&[TermId], u64),
        place_idx: usize,
        budget: &Budget,
    ) -> Vec<(Vec<i128>, Vec<bool>)> {
        let mut rows = FxHashSet::default();
        let n_chosen = n_values.pow(indices.len() as u32);
        let work = n_chosen * (words.len() + conditions.len()) as u64 * VALUE_WORK;
        for state in self.states(place_idx) {
            let mut assignment = assignment(store, &self.variables, state);
            for chosen in 0..n_chosen {
                let mut rest = chosen;
                for &index in indices {
                    if let Some(var) = store.as_var(index) {
                        let value = BitVec::from_u64(store.width(index), rest % n_values);
                        assignment.set(var, value);
                    }
                    rest /= n_values;
                }
                let mut evaluator = Evaluator::new(store, &assignment);
                let values = words.iter().map(|&word| number(evaluator.value(word))).collect();
                let holds = conditions.iter().map(|&c| evaluator.value(c).as_bool()).collect();
                rows.insert((values, holds));
            }
            budget.spend(work);
            if rows.len() >= MAX_ROWS || budget.interrupted().is_some() {
                break;
            }
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_unstable();
        rows
    }

    fn states(&self, place_idx: usize) -> impl Iterator<Item = &Vec<Value>> {
        self.at_places.get(place_idx).into_iter().flatten()
    }
}

/// Rows in order, each once.
fn sorted(mut rows: Vec<Vec<i128>>) -> Vec<Vec<i128>> {
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn assignment(store: &TermStore, variables: &[TermId], state: &[Value]) -> Assignment {
    let mut assignment = Assignment::new();
    for (&variable, value) in variables.iter().zip(state) {
        if let Some(var) = store.as_var(variable) {
            assignment.set(var, value.clone());
        }
    }
    assignment
}

/// Checks whether a word has become so large that the next ones may have wrapped around: no relation between numbers holds of
/// those.
fn has_grown(before: &[Value], after: &[Value]) -> bool {
    let is_large = |value: &Value| match value {
        Value::BitVec(word) if word.width() >= 32 => {
            let limit = BitVec::one(word.width()).shl_by(word.width() - 2);
            limit.ule(&word.abs_wrapping())
        }
        _ => false,
    };
    before.iter().zip(after).any(|(before, after)| !is_large(before) && is_large(after))
}

/// A word as a signed number.
fn number(value: &Value) -> i128 {
    value.as_bv().to_i64().unwrap_or(0).into()
}

/// The words of a width at a place: variables, and narrower variables as they are extended somewhere.
pub(crate) fn words(
    store: &TermStore,
    system: &TransitionSystem,
    place: &Place,
    width: u32,
) -> Vec<TermId> {
    let of_width = |x: &TermId| store.sort(*x) == Sort::BitVec(width);
    let mut words: Vec<TermId> = place.variables.iter().copied().filter(of_width).collect();
    for term in store.reachable(&[system.init, system.trans, system.bad]) {
        let narrow = match (store.op(term), store.args(term)) {
            (Op::BvSignExtend, &[x]) => x,
            (Op::BvConcat, &[zeros, x]) if store.bv_value(zeros).is_some_and(BitVec::is_zero) => x,
            _ => continue,
        };
        if of_width(&term) && place.variables.contains(&narrow) && store.width(narrow) > 1 {
            words.push(term);
        }
    }
    words
}

/// The same, and the sign extensions of a few narrower variables: programs extend them as they compute with them, but not as
/// they count with them.
pub(crate) fn words_and_extensions(
    store: &mut TermStore,
    system: &TransitionSystem,
    place: &Place,
    width: u32,
) -> Vec<TermId> {
    let mut words = words(store, system, place, width);
    if width != WIDTHS[1] || words.is_empty() {
        return words;
    }
    let narrow = |x: &TermId| store.sort(*x) == Sort::BitVec(WIDTHS[0]);
    let narrow: Vec<TermId> = place.variables.iter().copied().filter(narrow).collect();
    for x in narrow.into_iter().take(MAX_EXTENSIONS) {
        let extension = store.bv_sign_extend(width, x);
        if !words.contains(&extension) {
            words.push(extension);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_seen() {
        let word = |n: i64| Value::from(BitVec::from_i64(32, n));
        assert!(!has_grown(&[word(5), word(-7)], &[word(1 << 29), word(-8)]));
        assert!(has_grown(&[word(5), word(-7)], &[word(6), word(-(1 << 30))]));
        // What was large before has perhaps always been.
        assert!(!has_grown(&[word(1 << 30)], &[word(1 << 30)]));
        assert_eq!(number(&word(-3)), -3);
    }
}
