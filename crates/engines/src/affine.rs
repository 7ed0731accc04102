//! Affine relations between words, guessed from executions.
//!
//! **Idea.** A program is executed a few times with small random inputs ([`executions`](crate::executions)). Whatever linear equation with small coefficients
//! holds of the words in all states that were seen at a place is a candidate for an invariant there: the solutions of a
//! system of linear equations, found by elimination. Which of them are invariants is for
//! [`auxiliary`](crate::auxiliary) to find out.
//!
//! **Source.** Karr, "Affine relationships among variables of a program", Acta Informatica 6, 1976, doi 10.1007/BF00268497; from
//! executions: Ernst et al., "The Daikon system for dynamic detection of likely invariants", Science of Computer
//! Programming 69, 2007, doi 10.1016/j.scico.2007.01.015.
//!
//! **Numbers.** Elimination is modulo a large prime, and its results are read as fractions of small numbers. An equation
//! between integers is one modulo any power of two, so wrap-around does no harm to it.

use crate::auxiliary::{Place, at_place};
use crate::executions::{Executions, WIDTHS, words, words_and_extensions};
use rustc_hash::FxHashSet;
use vergo_term::{TermId, TermStore};
use vergo_ts::{Series, TransitionSystem};

/// Words of a width that are related with each other.
const MAX_WORDS: usize = 24;
/// Equations at a place that hold under conditions.
const MAX_CONDITIONAL: usize = 100;
/// Coefficients and common denominators of equations.
const MAX_COEFFICIENT: i64 = 64;
const MAX_DENOMINATOR: i64 = 12;

/// A prime near 2^61.
pub(crate) const PRIME: i128 = (1 << 61) - 1;

/// The equations that hold in some executions: a list for each place.
pub(crate) fn candidates(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
    executions: &Executions,
) -> Vec<Vec<TermId>> {
    let mut all = Vec::new();
    for (place_idx, place) in places.iter().enumerate() {
        let mut candidates = Vec::new();
        for width in WIDTHS {
            let words = words_and_extensions(store, system, place, width);
            let rows = executions.rows(store, &words, place_idx);
            for equation in equations(&rows, words.len()) {
                let fact = equation_term(store, &words, width, &equation);
                candidates.push(store.implies(place.here, fact));
            }
        }
        candidates.retain(|&candidate| !store.is_value(candidate));
        all.push(candidates);
    }
    all
}

/// The equations that hold in those states of executions in which a condition holds, and not in all: at each place for
/// each of its conditions and their opposites.
pub(crate) fn candidates_under_conditions(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
    executions: &Executions,
    conditions: &[Vec<TermId>],
) -> Vec<Vec<TermId>> {
    let mut all = Vec::new();
    for (place_idx, (place, conditions)) in places.iter().zip(conditions).enumerate() {
        let mut facts = Vec::new();
        for width in WIDTHS {
            let words = words(store, system, place, width);
            let every_row = executions.rows(store, &words, place_idx);
            for &condition in conditions {
                let divided = executions.divided_rows(store, &words, place_idx, condition);
                for (condition, rows) in [condition, store.not(condition)].into_iter().zip(divided)
                {
                    for equation in equations(&rows, words.len()) {
                        if !every_row.iter().all(|row| satisfies(row, &equation)) {
                            let fact = equation_term(store, &words, width, &equation);
                            facts.push(store.implies(condition, fact));
                        }
                    }
                }
            }
        }
        all.push(at_place(store, place, facts, MAX_CONDITIONAL));
    }
    all
}

/// The equations that rows of values of so many words satisfy, the first of them if there are many. Fewer rows than
/// unknowns have equations in common that mean nothing.
fn equations(rows: &[Vec<i128>], n_words: usize) -> Vec<Vec<i64>> {
    let n_words = n_words.min(MAX_WORDS);
    if n_words == 0 || rows.len() < n_words + 3 {
        return Vec::new();
    }
    let with_one = |row: &Vec<i128>| row[..n_words].iter().copied().chain([1]).collect();
    null_space(rows.iter().map(with_one).collect())
}

/// Checks whether values satisfy an equation, which has a constant as its last coefficient.
fn satisfies(row: &[i128], equation: &[i64]) -> bool {
    let Some((&constant, coefficients)) = equation.split_last() else { return true };
    let terms = row.iter().zip(coefficients).map(|(x, &c)| x * i128::from(c));
    terms.sum::<i128>() + i128::from(constant) == 0
}

/// Equations between words and sums that hold in some executions, as facts about words and combinations of sums, which are
/// added to the series: a list for each place.
pub(crate) fn candidates_for_sums(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
    executions: &Executions,
    all: &mut [Series],
) -> Vec<Vec<TermId>> {
    let mut candidates = vec![Vec::new(); places.len()];
    for (place_idx, place) in places.iter().enumerate() {
        let known: FxHashSet<TermId> = place.variables.iter().copied().collect();
        for series in all.iter_mut() {
            let has_meaning = |bound: &usize| {
                store.is_over(&[series.bounds[*bound]], &known)
                    && series.arrays.iter().all(|array| known.contains(array))
            };
            let bounds: Vec<usize> = (0..series.bounds.len()).filter(has_meaning).collect();
            // Narrower words are related with the lower parts of sums.
            for width in WIDTHS {
                if bounds.is_empty() || width > store.width(series.summand) {
                    continue;
                }
                let mut words = words(store, system, place, width);
                words.truncate(MAX_WORDS);
                let mut rows =
                    executions.rows_with_sums(store, &words, (series, &bounds), place_idx);
                if rows.len() < words.len() + bounds.len() + 3 {
                    continue;
                }
                // Elimination solves for what comes last: words in terms of sums.
                rows.iter_mut().for_each(|row| {
                    row.push(1);
                    row.reverse();
                });
                for mut equation in null_space(rows) {
                    equation.reverse();
                    let of_sums = equation.drain(words.len()..words.len() + bounds.len());
                    let of_sums = of_sums.zip(&bounds).filter(|(c, _)| *c != 0);
                    let of_sums: Vec<(i64, usize)> = of_sums.map(|(c, &b)| (c, b)).collect();
                    if let Some(fact) = fact_of_sums(store, series, &words, equation, of_sums) {
                        candidates[place_idx].push(store.implies(place.here, fact));
                    }
                }
            }
        }
    }
    candidates
}

/// Builds the fact that words with coefficients (the last is a constant) and sums with coefficients are zero together; `None`
/// if there are no words or no sums.
fn fact_of_sums(
    store: &mut TermStore,
    series: &mut Series,
    words: &[TermId],
    mut equation: Vec<i64>,
    mut of_sums: Vec<(i64, usize)>,
) -> Option<TermId> {
    let width = store.width(*words.first()?);
    let first = *equation[..words.len()].iter().find(|c| **c != 0)?;
    if of_sums.is_empty() {
        return None;
    }
    // The sums are on the other side, and the first word is positive.
    let sign = first.signum();
    equation.iter_mut().for_each(|c| *c *= sign);
    of_sums.iter_mut().for_each(|(c, _)| *c *= -sign);
    let combination = series.combine(store, of_sums);
    let combination = store.bv_extract(width - 1, 0, combination);
    let words: Vec<TermId> = words.iter().copied().chain([combination]).collect();
    equation.insert(words.len() - 1, -1);
    Some(equation_term(store, &words, width, &equation))
}

/// Equations of small coefficients that all rows satisfy: a basis, by elimination.
pub(crate) fn null_space(mut rows: Vec<Vec<i128>>) -> Vec<Vec<i64>> {
    let Some(n_columns) = rows.first().map(Vec::len) else { return Vec::new() };
    for row in &mut rows {
        row.iter_mut().for_each(|x| *x = x.rem_euclid(PRIME));
    }
    // Reduced echelon form; `pivots[i]` is the column of row `i`.
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..n_columns {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&i| rows[i][column] != 0) else { continue };
        rows.swap(rank, found);
        let inverse = power(rows[rank][column], PRIME - 2);
        rows[rank].iter_mut().for_each(|x| *x = *x * inverse % PRIME);
        let pivot = rows[rank].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if i != rank && factor != 0 {
                for (x, y) in row.iter_mut().zip(&pivot) {
                    *x = (*x - factor * y).rem_euclid(PRIME);
                }
            }
        }
        pivots.push(column);
    }
    let free = (0..n_columns).filter(|column| !pivots.contains(column));
    free.filter_map(|column| {
        let mut solution = vec![0; n_columns];
        solution[column] = 1;
        for (row, &pivot) in rows.iter().zip(&pivots) {
            solution[pivot] = (-row[column]).rem_euclid(PRIME);
        }
        small(&solution)
    })
    .collect()
}

fn power(base: i128, mut exponent: i128) -> i128 {
    let (mut result, mut square) = (1, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        exponent >>= 1;
    }
    result
}

/// Numbers modulo the prime as multiples of a fraction, if they are of small integers.
fn small(solution: &[i128]) -> Option<Vec<i64>> {
    (1..=MAX_DENOMINATOR).find_map(|denominator| {
        solution
            .iter()
            .map(|&x| {
                let x = x * i128::from(denominator) % PRIME;
                let x = if x > PRIME / 2 { x - PRIME } else { x };
                let x = i64::try_from(x).ok()?;
                (x.abs() <= MAX_COEFFICIENT).then_some(x)
            })
            .collect()
    })
}

/// The equation of words with coefficients, the last of which is a constant.
fn equation_term(store: &mut TermStore, words: &[TermId], width: u32, equation: &[i64]) -> TermId {
    let Some((&constant, coefficients)) = equation.split_last() else { return store.true_term() };
    let words = &words[..coefficients.len()];
    let [left, right] = sides(store, words, width, coefficients, constant);
    store.eq(left, right)
}

/// The two sides of a relation of words with coefficients and a constant to zero, both without minus.
pub(crate) fn sides(
    store: &mut TermStore,
    words: &[TermId],
    width: u32,
    coefficients: &[i64],
    constant: i64,
) -> [TermId; 2] {
    let zero = store.bv_u64(width, 0);
    let mut sides = [zero, zero];
    for (i, &coefficient) in coefficients.iter().chain([&constant]).enumerate() {
        let factor = store.bv_u64(width, coefficient.unsigned_abs());
        let part = match words.get(i) {
            Some(&word) => store.bv_mul(word, factor),
            None => factor,
        };
        let side = &mut sides[usize::from(coefficient < 0)];
        *side = store.bv_add(*side, part);
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_found() {
        // a + b = 3 i, and nothing else.
        let rows = [(0, 0, 0), (1, 2, 1), (2, 1, 1), (3, 3, 2), (5, 4, 3), (4, 2, 2)];
        let rows = rows.map(|(a, b, i)| vec![a, b, i, 1]).to_vec();
        let found = null_space(rows);
        assert_eq!(found.len(), 1);
        let [a, b, i, one] = found[0][..] else { panic!("{found:?}") };
        assert_eq!((a, b, -i, one), (a, a, 3 * a, 0));
        assert!(a != 0);
    }

    #[test]
    fn fractions_become_integers() {
        // 2 x + 3 y = 6.
        let rows = vec![vec![3, 0, 1], vec![0, 2, 1], vec![-3, 4, 1]];
        let found = null_space(rows);
        assert_eq!(found.len(), 1);
        let [x, y, one] = found[0][..] else { panic!("{found:?}") };
        assert_eq!((3 * x, one), (2 * y, -3 * x));
        assert_eq!(null_space(vec![vec![1, 0], vec![0, 1]]), Vec::<Vec<i64>>::new());
    }
}
