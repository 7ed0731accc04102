//! Inequalities between sums of words, guessed from executions.
//!
//! **Idea.** Sums and differences of a few words, some of them twice, are looked at in all states that executions with
//! small inputs were in at a place ([`executions`](crate::executions)). Where one has never been below zero, or a number
//! next to zero, or on one side of a constant of the program, that may be so always. What follows from shorter ones of
//! them, or is an equation, is left out.
//!
//! **Numbers.** The words are extended before they are added, so that a candidate speaks of numbers, not of words that
//! wrap around: what it says of large words is what executions with small ones suggest.
//!
//! **Source.** Mine, "The octagon abstract domain", Higher-Order and Symbolic Computation 19, 2006,
//! doi 10.1007/s10990-006-8609-1; Clariso, Cortadella, "The octahedron abstract domain", SAS 2004,
//! doi 10.1007/978-3-540-27864-1_23.

use crate::affine::sides;
use crate::auxiliary::{Place, at_place};
use crate::executions::{Executions, WIDTHS, words_and_extensions};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vergo_num::BitVec;
use vergo_term::{Op, TermId, TermStore};
use vergo_ts::TransitionSystem;

/// Words of a width that are related with each other, and those of one sum.
const MAX_WORDS: usize = 8;
const MAX_SUMMANDS: usize = 4;
/// Words of a short sum.
const SHORT: usize = 3;
/// States without which nothing is guessed.
const MIN_STATES: usize = 8;
/// Numbers next to zero.
const NEXT_TO_ZERO: i128 = 2;
/// By so many bits words are extended.
const HEADROOM: u32 = 4;
/// Factors of one word that bound another one, and the bits by which words are extended for them.
const MAX_SCALES: usize = 4;
const SCALED_HEADROOM: u32 = 20;
/// Inequalities at a place.
const MAX_CANDIDATES: usize = 150;

/// Kinds of inequalities, those that keep words in range first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Differences with constants of the program.
    Differences,
    /// Two or three words.
    Short,
    /// More words.
    Long,
}

const N_KINDS: usize = 3;

/// The inequalities that hold in some executions: for each kind a list for each place.
pub(crate) fn candidates(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
    executions: &Executions,
    constants: &[TermId],
) -> [Vec<Vec<TermId>>; N_KINDS] {
    let mut all = [const { Vec::new() }; N_KINDS];
    for (place_idx, place) in places.iter().enumerate() {
        let mut facts = [const { Vec::new() }; N_KINDS];
        for width in WIDTHS {
            let mut words = words_and_extensions(store, system, place, width);
            words.truncate(MAX_WORDS);
            let rows = executions.rows(store, &words, place_idx);
            if rows.len() < MIN_STATES {
                continue;
            }
            let of_width = |&constant: &TermId| {
                let value = store.bv_value(constant).filter(|value| value.width() == width);
                value.and_then(BitVec::to_i64)
            };
            let constants: Vec<i64> = constants.iter().filter_map(of_width).collect();
            let extended: Vec<TermId> =
                words.iter().map(|&word| store.bv_resize_signed(width + HEADROOM, word)).collect();
            for (coefficients, least, kind) in inequalities(&rows, words.len(), &constants) {
                let [left, right] =
                    sides(store, &extended, width + HEADROOM, &coefficients, -least);
                facts[kind as usize].push(store.bv_sle(right, left));
            }
            let scales = scales(store, system, &constants);
            for (x, scale, y) in multiples(&rows, words.len(), &scales) {
                let width = width + SCALED_HEADROOM;
                let [x, y] = [x, y].map(|word| store.bv_sign_extend(width, words[word]));
                let scale = store.bv_u64(width, scale);
                let multiple = store.bv_mul(y, scale);
                facts[Kind::Short as usize].push(store.bv_sle(x, multiple));
            }
        }
        for (all, facts) in all.iter_mut().zip(facts) {
            all.push(at_place(store, place, facts, MAX_CANDIDATES));
        }
    }
    all
}

/// Numbers that a word may be bounded by multiples of: constants of the program, and the greatest numbers of the narrower words that
/// it extends.
fn scales(store: &TermStore, system: &TransitionSystem, constants: &[i64]) -> Vec<u64> {
    let mut scales = BTreeSet::new();
    for term in store.reachable(&[system.init, system.trans, system.bad]) {
        if let (Op::BvConcat, &[zeros, x]) = (store.op(term), store.args(term))
            && store.bv_value(zeros).is_some_and(BitVec::is_zero)
            && (2..SCALED_HEADROOM).contains(&store.width(x))
        {
            scales.insert((1 << store.width(x)) - 1);
        }
    }
    let fitting =
        |&c: &i64| u64::try_from(c).ok().filter(|&c| c > 2 && c < 1 << (SCALED_HEADROOM - 1));
    scales.extend(constants.iter().filter_map(fitting));
    scales.into_iter().take(MAX_SCALES).collect()
}

/// Pairs of words of which one was never more than a multiple of the other, but more than that itself.
fn multiples(rows: &[Vec<i128>], n_words: usize, scales: &[u64]) -> Vec<(usize, u64, usize)> {
    let mut found = Vec::new();
    for x in 0..n_words {
        for y in (0..n_words).filter(|&y| y != x) {
            if rows.iter().all(|row| row[x] <= row[y]) {
                continue;
            }
            let is_bound =
                |&&scale: &&u64| rows.iter().all(|row| row[x] <= i128::from(scale) * row[y]);
            found.extend(scales.iter().filter(is_bound).map(|&scale| (x, scale, y)));
        }
    }
    found
}

/// Coefficients of sums with numbers that they are not below.
fn inequalities(
    rows: &[Vec<i128>],
    n_words: usize,
    constants: &[i64],
) -> Vec<(Vec<i64>, i64, Kind)> {
    // The least value of each sum that is not constant, shorter sums first.
    let mut leasts: FxHashMap<Vec<i64>, i128> = FxHashMap::default();
    let mut found = Vec::new();
    for coefficients in sums(n_words) {
        let values = rows.iter().map(|row| {
            row.iter().zip(&coefficients).map(|(x, &c)| x * i128::from(c)).sum::<i128>()
        });
        let (least, most) = values.fold((i128::MAX, i128::MIN), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        if least == most {
            continue;
        }
        leasts.insert(coefficients.clone(), least);
        let n_summands = coefficients.iter().filter(|&&c| c != 0).count();
        if least >= -NEXT_TO_ZERO && n_summands > 1 {
            // That it was never as low as zero may be for want of executions.
            if !follows(&coefficients, least, &leasts) {
                let kind = if n_summands <= SHORT { Kind::Short } else { Kind::Long };
                let fact = |n: i128| (coefficients.clone(), n as i64, kind);
                found.extend((least <= NEXT_TO_ZERO).then(|| fact(least)));
                found.extend((least > 0).then(|| fact(0)));
            }
        } else if n_summands == 2 && coefficients.iter().sum::<i64>() == 0 {
            // A difference is at most a constant, or less.
            let below =
                constants.iter().flat_map(|&c| [c.saturating_neg(), (1i64).saturating_sub(c)]);
            let below = below.filter(|&c| i128::from(c) <= least);
            let fact = |constant| (coefficients.clone(), constant, Kind::Differences);
            found.extend(below.map(fact));
        }
    }
    found
}

/// Checks whether a sum's least value is that of two parts of it together.
fn follows(coefficients: &[i64], least: i128, leasts: &FxHashMap<Vec<i64>, i128>) -> bool {
    let summands: Vec<usize> = (0..coefficients.len()).filter(|&i| coefficients[i] != 0).collect();
    // Each way to take some but not all; the rest is the other part.
    (1..(1usize << summands.len()) - 1).any(|chosen| {
        let mut parts = [vec![0; coefficients.len()], vec![0; coefficients.len()]];
        for (position, &i) in summands.iter().enumerate() {
            parts[chosen >> position & 1][i] = coefficients[i];
        }
        let [a, b] = parts.map(|part| leasts.get(&part).copied());
        matches!((a, b), (Some(a), Some(b)) if a + b >= least)
    })
}

/// The coefficients of sums of some words, shorter sums first: each word once, added or taken away, or one of two words
/// twice.
fn sums(n_words: usize) -> Vec<Vec<i64>> {
    let mut sums: Vec<Vec<i64>> = vec![vec![0; n_words]];
    let mut all = Vec::new();
    for n_summands in 1..=MAX_SUMMANDS {
        let mut longer = Vec::new();
        for sum in &sums {
            let first = sum.iter().rposition(|&c| c != 0).map_or(0, |last| last + 1);
            for i in first..n_words {
                for coefficient in [1, -1] {
                    let mut sum = sum.clone();
                    sum[i] = coefficient;
                    longer.push(sum);
                }
            }
        }
        all.extend(longer.iter().cloned());
        if n_summands == 2 {
            let twice = |sum: &Vec<i64>| {
                let summands: Vec<usize> = (0..n_words).filter(|&i| sum[i] != 0).collect();
                let doubled = |i: usize| {
                    let mut sum = sum.clone();
                    sum[i] *= 2;
                    sum
                };
                summands.into_iter().map(doubled).collect::<Vec<_>>()
            };
            let doubled: Vec<Vec<i64>> = longer.iter().flat_map(twice).collect();
            all.extend(doubled);
        }
        sums = longer;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_made_once() {
        let all = sums(3);
        let mut sorted = all.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), all.len());
        // Three words alone, three pairs, with one of them twice, all three; with both signs.
        assert_eq!(all.len(), 3 * 2 + 3 * 4 + 3 * 4 * 2 + 8);
    }

    #[test]
    fn inequalities_are_found() {
        // Of a, b, n: a + b >= n, a difference of at most 100, and nothing else but what follows.
        let rows = [
            (5, 0, 5),
            (4, 1, 5),
            (9, 2, 3),
            (60, 0, 55),
            (0, 0, 0),
            (99, 3, 7),
            (7, 7, 9),
            (8, 50, 50),
        ];
        let rows: Vec<Vec<i128>> = rows.iter().map(|&(a, b, n)| vec![a, b, n]).collect();
        let found = inequalities(&rows, 3, &[100]);
        assert!(found.contains(&(vec![1, 1, -1], 0, Kind::Short)), "{found:?}");
        assert!(found.contains(&(vec![-1, 1, 0], -100, Kind::Differences)), "{found:?}");
        assert!(!found.iter().any(|(sum, ..)| sum[..] == [1, 1, 1]), "{found:?}");
    }
}
