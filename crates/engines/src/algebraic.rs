//! Polynomial relations between words, guessed from executions.
//!
//! **Idea.** As in [`affine`](crate::affine), with products of words beside the words: the equations of small coefficients
//! that hold in all states that were seen at a place. Monomials are in the order of their degree, and elimination
//! goes through them from the first, so that each equation says what a monomial is in terms of smaller ones. An
//! equation for a multiple of such a monomial says nothing new and is left out.
//!
//! **Source.** Möller, Buchberger, "The construction of multivariate polynomials with preassigned zeros",
//! EUROCAM 1982, doi 10.1007/3-540-11607-9_3; for programs: Sharma, Gupta, Hariharan, Aiken, Liang, Nori, "A Data Driven Approach
//! for Algebraic Loop Invariants", ESOP 2013, doi 10.1007/978-3-642-37036-6_31.
//!
//! **Widths.** Equations are between words of one width. Narrower words take part extended as the program extends them.
//!
//! **Soundness.** Guesses only: which of them are invariants is for [`auxiliary`](crate::auxiliary) to find out, whose
//! solver reasons about products algebraically.

use crate::affine::null_space;
use crate::auxiliary::Place;
use crate::executions::{Executions, words};
use vergo_smt::Budget;
use vergo_term::{Op, TermId, TermStore};
use vergo_ts::TransitionSystem;

/// Words that are multiplied with each other, by the degree of the products.
const MAX_WORDS: [(usize, usize); 2] = [(3, 5), (2, 11)];
/// Terms of an equation: those with more are coincidences.
const MAX_TERMS: usize = 9;
/// States beyond the number of monomials without which equations mean nothing.
const MORE_STATES: usize = 4;

/// Checks whether the system multiplies words with each other: only then are its invariants likely to.
pub(crate) fn multiplies(store: &TermStore, system: &TransitionSystem) -> bool {
    let is_product = |&term: &TermId| {
        store.op(term) == Op::BvMul
            && store.width(term) >= 16
            && store.args(term).iter().all(|&arg| !store.is_value(arg))
    };
    store.reachable(&[system.init, system.trans, system.bad]).iter().any(is_product)
}

/// The equations with products that hold in some states: a list for each place.
pub(crate) fn candidates(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
    executions: &Executions,
    budget: &Budget,
) -> Vec<Vec<TermId>> {
    let mut all = Vec::new();
    for (place_idx, place) in places.iter().enumerate() {
        let mut candidates = Vec::new();
        for width in [32, 64] {
            if budget.interrupted().is_some() {
                break;
            }
            let words = words(store, system, place, width);
            let Some(&(degree, _)) = MAX_WORDS.iter().find(|(_, most)| words.len() <= *most) else {
                continue;
            };
            let rows = executions.rows(store, &words, place_idx);
            for equation in equations(&rows, words.len(), degree) {
                let fact = equation.term(store, &words, width);
                candidates.push(store.implies(place.here, fact));
            }
        }
        candidates.retain(|&candidate| !store.is_value(candidate));
        all.push(candidates);
    }
    all
}

/// A sum of monomials with coefficients that is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Equation {
    /// Coefficients, and the positions of the words that are multiplied.
    pub(crate) terms: Vec<(i64, Vec<usize>)>,
}

impl Equation {
    /// As a term, both sides without minus.
    pub(crate) fn term(&self, store: &mut TermStore, words: &[TermId], width: u32) -> TermId {
        let zero = store.bv_u64(width, 0);
        let mut sides = [zero, zero];
        for (coefficient, monomial) in &self.terms {
            let mut part = store.bv_u64(width, coefficient.unsigned_abs());
            for &word in monomial.iter().rev() {
                part = store.bv_mul(words[word], part);
            }
            let side = &mut sides[usize::from(*coefficient < 0)];
            *side = store.bv_add(*side, part);
        }
        store.eq(sides[0], sides[1])
    }
}

/// The equations of more than the first degree that all rows satisfy, without those that follow from others by
/// multiplication with a word.
fn equations(rows: &[Vec<i128>], n_words: usize, degree: usize) -> Vec<Equation> {
    let monomials = monomials(n_words, degree);
    if rows.len() < monomials.len() / 2 + MORE_STATES {
        return Vec::new();
    }
    let mut leading: Vec<Vec<usize>> = Vec::new();
    let mut found = Vec::new();
    for equation in relations(rows, &monomials) {
        let Some((_, monomial)) = equation.terms.last() else { continue };
        let is_multiple = leading.iter().any(|smaller| divides(smaller, monomial));
        leading.push(monomial.clone());
        if !is_multiple && monomial.len() > 1 && equation.terms.len() <= MAX_TERMS {
            found.push(equation);
        }
    }
    found
}

/// The equations between monomials that all rows satisfy, each of which says what its last monomial is in terms of those before.
pub(crate) fn relations(rows: &[Vec<i128>], monomials: &[Vec<usize>]) -> Vec<Equation> {
    let value = |row: &Vec<i128>, monomial: &Vec<usize>| {
        // Modulo the prime of elimination, for which products of three words are too large.
        monomial.iter().fold(1, |product, &word| product * row[word] % crate::affine::PRIME)
    };
    let matrix = rows.iter().map(|row| monomials.iter().map(|m| value(row, m)).collect());
    let of_solution = |solution: Vec<i64>| {
        let terms = solution.into_iter().zip(monomials).filter(|(c, _)| *c != 0);
        Equation { terms: terms.map(|(c, m)| (c, m.clone())).collect() }
    };
    null_space(matrix.collect()).into_iter().map(of_solution).collect()
}

/// Checks whether all factors of a monomial are in another.
fn divides(smaller: &[usize], larger: &[usize]) -> bool {
    let mut rest = larger.to_vec();
    smaller.iter().all(|factor| {
        let found = rest.iter().position(|other| other == factor);
        found.map(|at| rest.remove(at)).is_some()
    })
}

/// The monomials up to a degree, in the order of degrees.
fn monomials(n_words: usize, degree: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..degree {
        let end = all.len();
        for i in first..end {
            let least: usize = all[i].last().copied().unwrap_or(0);
            for word in least..n_words {
                let mut longer: Vec<usize> = all[i].clone();
                longer.push(word);
                all.push(longer);
            }
        }
        first = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_are_found_by_differences() {
        // n, n^3, and the differences of cubes.
        let row = |n: i128| vec![n, n * n * n, 3 * n * n + 3 * n + 1];
        let rows: Vec<Vec<i128>> = (0..30).map(row).collect();
        let found = equations(&rows, 3, 2);
        let square =
            Equation { terms: vec![(1, vec![]), (3, vec![0]), (-1, vec![2]), (3, vec![0, 0])] };
        let opposite =
            Equation { terms: square.terms.iter().map(|(c, m)| (-c, m.clone())).collect() };
        assert!(found.contains(&square) || found.contains(&opposite), "{found:?}");
        // Everything found is true of others, too.
        for equation in &found {
            let row = row(1000);
            let sum: i128 = equation
                .terms
                .iter()
                .map(|(c, m)| i128::from(*c) * m.iter().map(|&w| row[w]).product::<i128>())
                .sum();
            assert_eq!(sum, 0, "{equation:?}");
        }
    }

    #[test]
    fn multiples_are_left_out() {
        // Two words with x y = 12 and nothing else.
        let divisors = [1, 2, 3, 4, 6, 12];
        let both = divisors.into_iter().chain(divisors.map(|x| -x));
        let rows: Vec<Vec<i128>> = both.map(|x: i128| vec![x, 12 / x]).collect();
        let found = equations(&rows, 2, 3);
        let constant = |e: &Equation| e.terms.iter().find(|(_, m)| m.is_empty()).map(|(c, _)| *c);
        let is_product = |e: &&Equation| {
            e.terms.len() == 2 && e.terms.iter().any(|(c, m)| *m == [0, 1] && c.abs() == 1)
        };
        let products: Vec<&Equation> = found.iter().filter(is_product).collect();
        assert_eq!(products.len(), 1, "{found:?}");
        assert_eq!(constant(products[0]).map(i64::abs), Some(12));
        let multiple = |e: &Equation| e.terms.last().is_some_and(|(_, m)| *m == [0, 0, 1]);
        assert!(!found.iter().any(multiple), "{found:?}");
    }

    #[test]
    fn monomials_come_once() {
        assert_eq!(monomials(2, 2), [vec![], vec![0], vec![1], vec![0, 0], vec![0, 1], vec![1, 1]]);
        assert_eq!(monomials(5, 3).len(), 56);
        assert!(divides(&[0, 1], &[0, 0, 1]) && !divides(&[0, 0], &[0, 1]));
    }
}
