//! Consequences of polynomials that are zero.
//!
//! A polynomial is zero wherever some others are, if it is a sum of multiples of them. Two ways to see that are tried.
//! An unknown that one of the polynomials determines is replaced by what it is, everywhere. Of what remains
//! the products with monomials are taken, up to the degree of the goal, and the goal is reduced by elimination, monomials
//! being the columns.
//!
//! **Source.** The second is the matrix of Macaulay, "Some formulae in elimination", Proc. London Math. Soc. 35, 1902;
//! it finds less than a Gröbner basis (there for rings with zero divisors: Brickenstein, Dreyer, Greuel, Wedler, Wienand,
//! "New developments in the theory of Gröbner bases and applications to formal verification", JPAA 213, 2009,
//! doi 10.1016/j.jpaa.2008.11.043), but never takes long.
//!
//! **Soundness.** Each result carries the literals that the polynomials which went into it depend on.

use super::reading::{Atom, Reading, union};
use crate::polynomial::{Monomial, Polynomial, inverse};
use std::collections::{BTreeMap, BTreeSet};
use vergo_sat::Lit;

/// Products with monomials that are looked at for one goal.
const MAX_ROWS: usize = 400;

/// An unknown with what it is, and why.
struct Solved {
    unknown: Atom,
    value: Reading,
}

/// Polynomials that are zero.
pub(crate) struct Ideal {
    solved: Vec<Solved>,
    rest: Vec<Reading>,
    /// The reason why not all of them can be zero.
    pub(crate) contradiction: Option<Vec<Lit>>,
}

impl Ideal {
    /// The consequences of polynomials, simple ones first.
    pub(crate) fn of(mut facts: Vec<Reading>) -> Ideal {
        facts.sort_by_key(|fact| {
            let p = &fact.polynomial;
            (p.degree(), p.terms().len(), fact.because.len())
        });
        let mut ideal = Ideal { solved: Vec::new(), rest: facts, contradiction: None };
        while ideal.solve_one() {}
        ideal
    }

    /// Reduces what remains and takes the first polynomial that determines an unknown out of it.
    fn solve_one(&mut self) -> bool {
        let mut found = None;
        for (position, fact) in self.rest.iter().enumerate() {
            if fact.polynomial.has_no_zero() {
                self.contradiction = Some(fact.because.clone());
                return false;
            }
            if let Some((unknown, value)) = fact.polynomial.solved() {
                let value = Reading { polynomial: value, because: fact.because.clone() };
                found = Some((position, Solved { unknown, value }));
                break;
            }
        }
        let Some((position, solved)) = found else { return false };
        self.rest.remove(position);
        let substituted = self.rest.iter().filter_map(|fact| solved.apply(fact));
        self.rest = substituted.filter(|fact| !fact.polynomial.is_zero()).collect();
        self.solved.push(solved);
        true
    }

    /// A polynomial with solved unknowns replaced; none if it grows too large.
    pub(crate) fn substituted(&self, goal: &Reading) -> Option<Reading> {
        // What an unknown is mentions only unknowns that are solved later.
        self.solved.iter().try_fold(goal.clone(), |goal, solved| solved.apply(&goal))
    }

    /// Reduces a polynomial by multiples of the others.
    pub(crate) fn reduced(&self, goal: &Reading) -> Option<Reading> {
        let goal = self.substituted(goal)?;
        if goal.polynomial.as_constant().is_some() || self.rest.is_empty() {
            return Some(goal);
        }
        let unknowns: BTreeSet<Atom> = goal
            .polynomial
            .terms()
            .iter()
            .chain(self.rest.iter().flat_map(|fact| fact.polynomial.terms()))
            .flat_map(|(monomial, _)| monomial.iter().copied())
            .collect();
        let mut rows: Vec<Reading> = self.rest.clone();
        let mut first = 0;
        // Multiples by one more unknown at a time, as far as the goal's degree allows.
        while first < rows.len() && rows.len() < MAX_ROWS {
            let end = rows.len();
            for i in first..end {
                if rows[i].polynomial.degree() < goal.polynomial.degree() {
                    for &unknown in &unknowns {
                        let multiple = rows[i].polynomial.times(&[unknown]);
                        let because = rows[i].because.clone();
                        rows.extend(multiple.map(|polynomial| Reading { polynomial, because }));
                    }
                }
            }
            first = end;
        }
        rows.truncate(MAX_ROWS);
        let mut echelon = Echelon::default();
        for row in rows {
            echelon.insert(row);
        }
        Some(echelon.reduced(goal))
    }
}

impl Solved {
    fn apply(&self, to: &Reading) -> Option<Reading> {
        if !to.polynomial.mentions(self.unknown) {
            return Some(to.clone());
        }
        let polynomial = to.polynomial.substitute(self.unknown, &self.value.polynomial)?;
        Some(Reading { polynomial, because: union(&to.because, &self.value.because) })
    }
}

/// Rows with different leading monomials.
#[derive(Default)]
struct Echelon {
    rows: BTreeMap<(usize, Monomial<Atom>), Reading>,
}

impl Echelon {
    fn insert(&mut self, mut row: Reading) {
        while let Some((monomial, coefficient)) = row.polynomial.leading().cloned() {
            let key = (monomial.len(), monomial);
            match self.rows.get_mut(&key) {
                None => {
                    self.rows.insert(key, row);
                    return;
                }
                Some(pivot) => {
                    // The coefficient that is a multiple of the other is the one to go.
                    let (_, other) = pivot.polynomial.leading().expect("a row is not zero");
                    if coefficient.trailing_zeros() < other.trailing_zeros() {
                        std::mem::swap(pivot, &mut row);
                    }
                    match cancelled(&row, pivot, &key.1) {
                        Some(smaller) => row = smaller,
                        None => return,
                    }
                }
            }
        }
    }

    /// Reduces a polynomial, monomial by monomial where possible.
    fn reduced(&self, mut goal: Reading) -> Reading {
        for ((_, monomial), pivot) in self.rows.iter().rev() {
            if let Some(smaller) = cancelled(&goal, pivot, monomial) {
                goal = smaller;
            }
        }
        goal
    }
}

/// A polynomial without a monomial, by subtraction of a multiple of one that the monomial leads; none if the coefficient
/// is no multiple. The polynomial as it is if it has no such monomial.
fn cancelled(row: &Reading, pivot: &Reading, monomial: &Monomial<Atom>) -> Option<Reading> {
    let Some((_, coefficient)) = row.polynomial.terms().iter().find(|(m, _)| m == monomial) else {
        return Some(row.clone());
    };
    let (_, divisor) = pivot.polynomial.leading()?;
    let shift = divisor.trailing_zeros();
    if coefficient.trailing_zeros() < shift {
        return None;
    }
    let factor = coefficient.lshr_by(shift).mul(&inverse(&divisor.lshr_by(shift)));
    let polynomial: Polynomial<Atom> = row.polynomial.sub(&pivot.polynomial.scale(&factor))?;
    // Only the part of the coefficient below the shift decides: the rest is a multiple of two to the width.
    Some(Reading::of_both(row, pivot, polynomial))
}
