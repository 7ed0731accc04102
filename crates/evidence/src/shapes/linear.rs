//! Linear sums of unknown numbers, and what follows from facts about them.
//!
//! A fact says that a sum is not negative. Whether facts have a common solution is found by elimination (Fourier and Motzkin),
//! with the bounds of integers: coefficients without a common divisor. What becomes too large is left out, so that less follows
//! from the facts, never more.

use super::graph::UnknownId;
use std::collections::{BTreeMap, BTreeSet};

/// Constants and coefficients are smaller than this.
const LARGEST: i128 = 1 << 96;

/// More facts than this are not kept while unknowns are eliminated.
const MOST_FACTS: usize = 160;

/// A sum of unknowns, each with a coefficient, and a constant. Unknowns are integers, read with or without a sign as
/// [`Known::signed`](super::graph::Known) says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Linear {
    /// Sorted by unknown, without zeros.
    terms: Vec<(UnknownId, i128)>,
    constant: i128,
}

impl Linear {
    /// A number.
    pub fn constant(constant: i128) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    /// An unknown.
    pub fn unknown(id: UnknownId) -> Linear {
        Linear { terms: vec![(id, 1)], constant: 0 }
    }

    /// The unknowns with their coefficients.
    pub fn terms(&self) -> &[(UnknownId, i128)] {
        &self.terms
    }

    /// The constant.
    pub fn offset(&self) -> i128 {
        self.constant
    }

    /// The number that it is; `None` if it depends on unknowns.
    pub fn number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The unknown that it is.
    pub fn only(&self) -> Option<UnknownId> {
        match self.terms[..] {
            [(id, 1)] if self.constant == 0 => Some(id),
            _ => None,
        }
    }

    /// The coefficient of an unknown.
    pub fn coefficient(&self, id: UnknownId) -> i128 {
        let found = self.terms.binary_search_by_key(&id, |term| term.0);
        found.map_or(0, |i| self.terms[i].1)
    }

    /// Adds a multiple of another sum; `None` if numbers become too large.
    pub fn plus(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut mine, mut others) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (mine.peek(), others.peek()) {
                (None, None) => break,
                (Some(&&(id, _)), None) => id,
                (None, Some(&&(id, _))) => id,
                (Some(&&(a, _)), Some(&&(b, _))) => a.min(b),
            };
            let mut coefficient = mine.next_if(|term| term.0 == next).map_or(0, |term| term.1);
            if let Some(&(_, more)) = others.next_if(|term| term.0 == next) {
                coefficient = small(coefficient.checked_add(more.checked_mul(factor)?)?)?;
            }
            if coefficient != 0 {
                terms.push((next, coefficient));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(Linear { terms, constant: small(constant)? })
    }

    /// A multiple.
    pub fn times(&self, factor: i128) -> Option<Linear> {
        Linear::default().plus(self, factor)
    }

    /// Adds a number.
    pub fn more(&self, by: i128) -> Option<Linear> {
        self.plus(&Linear::constant(by), 1)
    }

    /// The quotient, if a division leaves no remainder whatever the unknowns are.
    pub fn divided(&self, by: i128) -> Option<Linear> {
        let is_exact = |x: i128| x % by == 0;
        if by == 0 || !is_exact(self.constant) || !self.terms.iter().all(|term| is_exact(term.1)) {
            return None;
        }
        let terms = self.terms.iter().map(|&(id, coefficient)| (id, coefficient / by)).collect();
        Some(Linear { terms, constant: self.constant / by })
    }

    /// The sum with another one in the place of an unknown.
    pub fn with(&self, id: UnknownId, value: &Linear) -> Option<Linear> {
        match self.coefficient(id) {
            0 => Some(self.clone()),
            factor => self.plus(&Linear::unknown(id), -factor)?.plus(value, factor),
        }
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub fn divisor(&self) -> i128 {
        self.terms.iter().fold(0, |divisor, term| gcd(divisor, term.1))
    }

    /// The fact that it is not negative, as strong as integers allow.
    fn tightened(mut self) -> Linear {
        let divisor = self.divisor();
        if divisor > 1 {
            self.terms.iter_mut().for_each(|term| term.1 /= divisor);
            self.constant = self.constant.div_euclid(divisor);
        }
        self
    }
}

fn small(x: i128) -> Option<i128> {
    (x.abs() < LARGEST).then_some(x)
}

/// The greatest common divisor.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Facts, each the strongest of those with the same unknowns.
struct Facts {
    of: BTreeMap<Vec<(UnknownId, i128)>, i128>,
    /// True if they contradict each other.
    refuted: bool,
}

impl Facts {
    fn new(facts: impl IntoIterator<Item = Linear>) -> Facts {
        let mut all = Facts { of: BTreeMap::new(), refuted: false };
        facts.into_iter().for_each(|fact| all.add(fact));
        all
    }

    fn add(&mut self, fact: Linear) {
        let Linear { terms, constant } = fact.tightened();
        if terms.is_empty() {
            self.refuted |= constant < 0;
            return;
        }
        // A sum and its opposite leave room for nothing if their bounds cross.
        let opposite: Vec<_> = terms.iter().map(|&(id, factor)| (id, -factor)).collect();
        self.refuted |= self.of.get(&opposite).is_some_and(|other| other + constant < 0);
        let known = self.of.entry(terms).or_insert(constant);
        *known = (*known).min(constant);
    }

    /// Leaves out an unknown; keeps what follows for the others.
    fn eliminate(&mut self, id: UnknownId) {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let facts = std::mem::take(&mut self.of);
        for (terms, constant) in facts {
            let fact = Linear { terms, constant };
            match fact.coefficient(id) {
                0 => {
                    self.of.insert(fact.terms, fact.constant);
                }
                1.. => above.push(fact),
                _ => below.push(fact),
            }
        }
        for a in &above {
            for b in &below {
                if self.of.len() > MOST_FACTS || self.refuted {
                    return;
                }
                let (p, q) = (a.coefficient(id), -b.coefficient(id));
                let common = gcd(p, q);
                let sum = a.times(q / common).and_then(|sum| sum.plus(b, p / common));
                if let Some(sum) = sum {
                    self.add(sum);
                }
            }
        }
    }

    /// The unknown that is eliminated with the fewest new facts.
    fn cheapest(&self, but: &BTreeSet<UnknownId>) -> Option<UnknownId> {
        let mut counts: BTreeMap<UnknownId, (usize, usize)> = BTreeMap::new();
        for (id, coefficient) in self.of.keys().flatten() {
            if !but.contains(id) {
                let (above, below) = counts.entry(*id).or_default();
                *(if *coefficient > 0 { above } else { below }) += 1;
            }
        }
        counts.into_iter().min_by_key(|(_, (above, below))| above * below).map(|(id, _)| id)
    }
}

/// Returns whether facts certainly contradict each other.
pub(super) fn contradict(facts: impl IntoIterator<Item = Linear>) -> bool {
    let mut facts = Facts::new(facts);
    let none = BTreeSet::new();
    while !facts.refuted
        && let Some(id) = facts.cheapest(&none)
    {
        facts.eliminate(id);
    }
    facts.refuted
}

/// What facts say of some unknowns.
pub(super) fn projected(
    facts: impl IntoIterator<Item = Linear>,
    onto: &BTreeSet<UnknownId>,
) -> Vec<Linear> {
    let mut facts = Facts::new(facts);
    while !facts.refuted
        && let Some(id) = facts.cheapest(onto)
    {
        facts.eliminate(id);
    }
    if facts.refuted {
        return vec![Linear::constant(-1)];
    }
    facts.of.into_iter().map(|(terms, constant)| Linear { terms, constant }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[i128], constant: i128) -> Linear {
        let terms = terms.iter().enumerate().filter(|(_, c)| **c != 0);
        Linear { terms: terms.map(|(i, &c)| (UnknownId(i as u32), c)).collect(), constant }
    }

    #[test]
    fn what_small_numbers_refute_is_what_is_refuted() {
        // All triples of facts with small coefficients over two unknowns between 0 and 3, against trying all numbers.
        let bounds = [sum(&[1, 0], 0), sum(&[-1, 0], 3), sum(&[0, 1], 0), sum(&[0, -1], 3)];
        let (mut n_refuted, mut n_missed) = (0, 0);
        let range = [-2i128, -1, 1, 2];
        for a in range {
            for b in range {
                for c in [-3, -1, 0, 1, 2] {
                    for (d, e, f) in [(1, -1, 0), (-1, 2, -2), (2, 1, -5), (3, -2, 1)] {
                        let facts = [sum(&[a, b], c), sum(&[d, e], f)];
                        let holds =
                            |x: i128, y: i128| a * x + b * y + c >= 0 && d * x + e * y + f >= 0;
                        let has = (0..4).any(|x| (0..4).any(|y| holds(x, y)));
                        let all = facts.iter().chain(&bounds).cloned();
                        let refuted = contradict(all);
                        assert!(!(refuted && has), "{facts:?}");
                        n_refuted += usize::from(refuted);
                        n_missed += usize::from(!refuted && !has);
                    }
                }
            }
        }
        assert!(n_refuted > 20 && n_missed * 5 < n_refuted, "{n_refuted} and {n_missed} missed");
    }

    #[test]
    fn sums_are_added_and_divided() {
        let x = sum(&[4, 0, -8], 12);
        assert_eq!(x.divided(4), Some(sum(&[1, 0, -2], 3)));
        assert_eq!(x.divided(8), None);
        assert_eq!(x.plus(&sum(&[4, 1], 1), -1), Some(sum(&[0, -1, -8], 11)));
        assert_eq!(x.with(UnknownId(2), &sum(&[1], 1)), Some(sum(&[-4], 4)));
        assert_eq!((x.divisor(), x.number(), sum(&[], 3).number()), (4, None, Some(3)));
        assert_eq!(sum(&[1], 0).times(LARGEST), None);
    }
}
