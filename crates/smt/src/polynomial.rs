//! Polynomials modulo two to a width, over unknowns of any kind.
//!
//! A polynomial is the list of its monomials with their coefficients, in order and without zeros, so that equal lists
//! are equal polynomials. (Different polynomials may still be the same function of words: `128 x (x + 1)` vanishes on
//! all words of eight bits. Nothing here is claimed about that.) Operations that would make one too large give none.

use std::collections::BTreeMap;
use vergo_num::BitVec;

/// Polynomials with more monomials than this are not followed.
const MAX_MONOMIALS: usize = 64;
/// Nor monomials of a higher degree.
const MAX_DEGREE: usize = 8;

/// A product of unknowns, in order; one is the empty product.
pub(crate) type Monomial<U> = Vec<U>;

/// A sum of monomials with coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Polynomial<U> {
    width: u32,
    /// By degree, then by unknowns; none has the coefficient zero.
    terms: Vec<(Monomial<U>, BitVec)>,
}

impl<U: Ord + Copy> Polynomial<U> {
    /// Zero.
    pub(crate) fn zero(width: u32) -> Polynomial<U> {
        Polynomial { width, terms: Vec::new() }
    }

    /// A number.
    pub(crate) fn constant(value: BitVec) -> Polynomial<U> {
        let width = value.width();
        let is_zero = value.is_zero();
        Polynomial { width, terms: if is_zero { vec![] } else { vec![(vec![], value)] } }
    }

    /// An unknown.
    pub(crate) fn unknown(width: u32, unknown: U) -> Polynomial<U> {
        Polynomial { width, terms: vec![(vec![unknown], BitVec::one(width))] }
    }

    /// The width of its values.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// The monomials with their coefficients, least first.
    pub(crate) fn terms(&self) -> &[(Monomial<U>, BitVec)] {
        &self.terms
    }

    /// Returns whether it is zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number that it is.
    pub(crate) fn as_constant(&self) -> Option<BitVec> {
        match &self.terms[..] {
            [] => Some(BitVec::zero(self.width)),
            [(monomial, value)] if monomial.is_empty() => Some(value.clone()),
            _ => None,
        }
    }

    /// The greatest number of factors of a monomial.
    pub(crate) fn degree(&self) -> usize {
        self.terms.last().map_or(0, |(monomial, _)| monomial.len())
    }

    /// The greatest monomial with its coefficient.
    pub(crate) fn leading(&self) -> Option<&(Monomial<U>, BitVec)> {
        self.terms.last()
    }

    /// Returns whether no values of the unknowns make it zero, for a simple reason: all other coefficients are multiples of
    /// a power of two that the constant is none of.
    pub(crate) fn has_no_zero(&self) -> bool {
        match self.terms.split_first() {
            Some(((monomial, constant), others)) if monomial.is_empty() => {
                others.iter().all(|(_, c)| c.trailing_zeros() > constant.trailing_zeros())
            }
            _ => false,
        }
    }

    /// The product with a number.
    pub(crate) fn scale(&self, factor: &BitVec) -> Polynomial<U> {
        let scaled = self.terms.iter().map(|(m, c)| (m.clone(), c.mul(factor)));
        Polynomial { width: self.width, terms: scaled.filter(|(_, c)| !c.is_zero()).collect() }
    }

    /// The opposite.
    pub(crate) fn negated(&self) -> Polynomial<U> {
        self.scale(&BitVec::ones(self.width))
    }

    /// The same multiple for polynomials that are odd multiples of each other, if they have an odd coefficient: they are
    /// zero for the same values.
    pub(crate) fn normalised(&self) -> Polynomial<U> {
        let odd = self.terms.iter().rev().find(|(_, c)| c.bit(0));
        match odd.or(self.terms.last()) {
            Some((_, c)) if c.bit(0) => self.scale(&inverse(c)),
            Some((_, c)) if c.sign_bit() => self.negated(),
            _ => self.clone(),
        }
    }

    /// The sum.
    pub(crate) fn add(&self, other: &Polynomial<U>) -> Option<Polynomial<U>> {
        collect(self.width, self.terms.iter().chain(&other.terms).cloned())
    }

    /// The difference.
    pub(crate) fn sub(&self, other: &Polynomial<U>) -> Option<Polynomial<U>> {
        self.add(&other.negated())
    }

    /// The product.
    pub(crate) fn mul(&self, other: &Polynomial<U>) -> Option<Polynomial<U>> {
        if self.terms.len() * other.terms.len() > MAX_MONOMIALS * 4
            || self.degree() + other.degree() > MAX_DEGREE
        {
            return None;
        }
        let mut all = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut factors = m.clone();
                factors.extend(n);
                factors.sort_unstable();
                all.push((factors, c.mul(d)));
            }
        }
        collect(self.width, all)
    }

    /// The product with a monomial.
    pub(crate) fn times(&self, monomial: &[U]) -> Option<Polynomial<U>> {
        let factor = vec![(monomial.to_vec(), BitVec::one(self.width))];
        self.mul(&Polynomial { width: self.width, terms: factor })
    }

    /// The polynomial with another one in the place of an unknown.
    pub(crate) fn substitute(&self, unknown: U, by: &Polynomial<U>) -> Option<Polynomial<U>> {
        if !self.mentions(unknown) {
            return Some(self.clone());
        }
        let mut result = Polynomial::zero(self.width);
        for (monomial, coefficient) in &self.terms {
            let kept: Monomial<U> = monomial.iter().copied().filter(|&x| x != unknown).collect();
            let n_replaced = monomial.len() - kept.len();
            let mut part =
                Polynomial { width: self.width, terms: vec![(kept, coefficient.clone())] };
            for _ in 0..n_replaced {
                part = part.mul(by)?;
            }
            result = result.add(&part)?;
        }
        Some(result)
    }

    /// Returns whether an unknown is in it.
    pub(crate) fn mentions(&self, unknown: U) -> bool {
        self.terms.iter().any(|(monomial, _)| monomial.contains(&unknown))
    }

    /// An unknown that the polynomial is zero for one value of only, whatever the others are, and that value: it stands
    /// alone in a monomial with an odd coefficient, and nowhere else.
    pub(crate) fn solved(&self) -> Option<(U, Polynomial<U>)> {
        let (position, unknown) =
            self.terms.iter().enumerate().find_map(|(i, (monomial, c))| {
                let &[unknown] = &monomial[..] else { return None };
                let alone = self.terms.iter().filter(|(m, _)| m.contains(&unknown)).count() == 1;
                (c.bit(0) && alone).then_some((i, unknown))
            })?;
        let mut rest = self.clone();
        let (_, coefficient) = rest.terms.remove(position);
        Some((unknown, rest.scale(&inverse(&coefficient).neg())))
    }
}

/// Adds up equal monomials.
fn collect<U: Ord>(
    width: u32,
    all: impl IntoIterator<Item = (Monomial<U>, BitVec)>,
) -> Option<Polynomial<U>> {
    let mut sums: BTreeMap<(usize, Monomial<U>), BitVec> = BTreeMap::new();
    for (monomial, coefficient) in all {
        let sum = sums.entry((monomial.len(), monomial)).or_insert_with(|| BitVec::zero(width));
        *sum = sum.add(&coefficient);
    }
    let terms: Vec<(Monomial<U>, BitVec)> =
        sums.into_iter().filter(|(_, c)| !c.is_zero()).map(|((_, m), c)| (m, c)).collect();
    (terms.len() <= MAX_MONOMIALS).then_some(Polynomial { width, terms })
}

/// The inverse of an odd number modulo two to the width, by Newton's iteration: every round doubles the bits that are
/// right.
pub(crate) fn inverse(odd: &BitVec) -> BitVec {
    let two = BitVec::one(odd.width()).add(&BitVec::one(odd.width()));
    let mut result = odd.clone();
    let mut right_bits = 3;
    while right_bits < odd.width() {
        result = result.mul(&two.sub(&odd.mul(&result)));
        right_bits *= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A polynomial by its terms: coefficients with at most two unknowns each.
    fn polynomial(terms: &[(u64, Vec<u8>)]) -> Polynomial<u8> {
        let term = |(c, m): &(u64, Vec<u8>)| {
            let mut m = m.clone();
            m.sort_unstable();
            (m, BitVec::from_u64(8, *c))
        };
        collect(8, terms.iter().map(term)).expect("few terms")
    }

    fn value(p: &Polynomial<u8>, values: &[u64; 4]) -> u64 {
        let product = |(m, c): &(Vec<u8>, BitVec)| {
            let factors = m.iter().map(|&x| values[usize::from(x)]);
            factors.fold(c.to_u64().unwrap_or(0), u64::wrapping_mul)
        };
        p.terms().iter().map(product).fold(0, u64::wrapping_add) & 255
    }

    fn terms() -> impl Strategy<Value = Vec<(u64, Vec<u8>)>> {
        prop::collection::vec((0..256u64, prop::collection::vec(0..4u8, 0..3)), 0..5)
    }

    proptest! {
        #[test]
        fn operations_agree_with_evaluation(a in terms(), b in terms(), values in any::<[u64; 4]>()) {
            let (p, q) = (polynomial(&a), polynomial(&b));
            let (x, y) = (value(&p, &values), value(&q, &values));
            let of = |r: Option<Polynomial<u8>>| value(&r.expect("small"), &values);
            prop_assert_eq!(of(p.add(&q)), (x + y) & 255);
            prop_assert_eq!(of(p.sub(&q)), x.wrapping_sub(y) & 255);
            prop_assert_eq!(of(p.mul(&q)), (x * y) & 255);
            prop_assert_eq!(of(p.times(&[1, 2])), x.wrapping_mul(values[1]).wrapping_mul(values[2]) & 255);
            let mut other = values;
            other[3] = y;
            prop_assert_eq!(of(p.substitute(3, &q)), value(&p, &other));
            prop_assert_eq!(value(&p.normalised(), &values) == 0, x == 0);
            prop_assert_eq!(p.negated().normalised().is_zero(), p.is_zero());
            if p.has_no_zero() {
                prop_assert_ne!(x, 0);
            }
            if let Some((unknown, solution)) = p.solved() {
                prop_assert!(!solution.mentions(unknown));
                let mut root = values;
                root[usize::from(unknown)] = value(&solution, &values);
                prop_assert_eq!(value(&p, &root), 0);
            }
        }

        #[test]
        fn odd_numbers_have_inverses(n in any::<u64>(), width in 1..80u32) {
            let odd = BitVec::from_u64(width, n | 1);
            prop_assert!(odd.mul(&inverse(&odd)).is_one());
        }
    }
}
