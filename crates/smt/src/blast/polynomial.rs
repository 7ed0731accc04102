//! Words as polynomials: equations that hold, or fail, by the laws of rings alone.
//!
//! Sums, products, negations and shifts by constants are multiplied out, modulo two to the width,
//! over whatever other terms they contain.  If the difference of two sides is a constant, their
//! equation is decided without any circuit; multipliers that only differ in the order or grouping of their
//! operands are hopeless for a SAT solver otherwise.

use crate::polynomial::Polynomial;
use rustc_hash::FxHashMap;
use vergo_num::BitVec;
use vergo_term::{Op, TermId, TermStore};

/// Terms nested more deeply are not followed; what is below counts as an unknown.
const MAX_DEPTH: usize = 40;

/// Terms looked at for one equation.
const MAX_TERMS: usize = 1000;

/// The difference of the sides of an equation of words, if there are products in it and it is not too large; variables
/// stand for their definitions. If it is a constant, the equation holds or fails whatever its parts are.
pub(crate) fn difference(
    store: &TermStore,
    definitions: &FxHashMap<TermId, TermId>,
    equation: TermId,
) -> Option<Polynomial<TermId>> {
    let (a, b) = (store.arg(equation, 0), store.arg(equation, 1));
    if !has_product(store, a) && !has_product(store, b) {
        return None;
    }
    let mut reader = Reader { store, definitions, memo: FxHashMap::default() };
    let x = reader.polynomial(a, MAX_DEPTH)?;
    let y = reader.polynomial(b, MAX_DEPTH)?;
    x.sub(&y)
}

/// Returns whether a term has a product of unknowns near its root: only then is multiplying out worthwhile.
fn has_product(store: &TermStore, term: TermId) -> bool {
    let mut pending = vec![(term, 6)];
    while let Some((term, depth)) = pending.pop() {
        match store.op(term) {
            Op::BvMul => return true,
            Op::BvAdd | Op::BvNeg | Op::BvNot | Op::BvShl if depth > 0 => {
                pending.extend(store.args(term).iter().map(|&arg| (arg, depth - 1)));
            }
            _ => {}
        }
    }
    false
}

struct Reader<'a> {
    store: &'a TermStore,
    definitions: &'a FxHashMap<TermId, TermId>,
    memo: FxHashMap<TermId, Polynomial<TermId>>,
}

impl Reader<'_> {
    /// The polynomial of a word; none if it grows too large. Recursion is bounded by `depth`.
    fn polynomial(&mut self, term: TermId, depth: usize) -> Option<Polynomial<TermId>> {
        if let Some(known) = self.memo.get(&term) {
            return Some(known.clone());
        }
        if self.memo.len() > MAX_TERMS {
            return None;
        }
        let result = self.step(term, depth)?;
        self.memo.insert(term, result.clone());
        Some(result)
    }

    fn step(&mut self, term: TermId, depth: usize) -> Option<Polynomial<TermId>> {
        let store = self.store;
        let width = store.width(term);
        let unknown = Polynomial::unknown(width, term);
        if let Some(value) = store.bv_value(term) {
            return Some(Polynomial::constant(value.clone()));
        }
        if depth == 0 {
            return Some(unknown);
        }
        let args = store.args(term);
        match store.op(term) {
            Op::Var(_) => match self.definitions.get(&term) {
                Some(&definition) => self.polynomial(definition, depth - 1),
                None => Some(unknown),
            },
            Op::BvAdd => {
                let x = self.polynomial(args[0], depth - 1)?;
                let y = self.polynomial(args[1], depth - 1)?;
                x.add(&y)
            }
            Op::BvMul => {
                let x = self.polynomial(args[0], depth - 1)?;
                let y = self.polynomial(args[1], depth - 1)?;
                x.mul(&y)
            }
            Op::BvNeg => Some(self.polynomial(args[0], depth - 1)?.negated()),
            Op::BvNot => {
                // The complement is minus the word minus one.
                let negated = self.polynomial(args[0], depth - 1)?.negated();
                negated.add(&Polynomial::constant(BitVec::ones(width)))
            }
            Op::BvShl => match store.bv_value(args[1]) {
                Some(amount) => {
                    let factor = BitVec::one(width).shl(amount);
                    Some(self.polynomial(args[0], depth - 1)?.scale(&factor))
                }
                None => Some(unknown),
            },
            Op::BvConcat => match self.shifted(term, depth) {
                Some(shifted) => Some(shifted),
                None => Some(unknown),
            },
            _ => Some(unknown),
        }
    }

    /// The polynomial of a word above zeros.  What is above counts modulo a smaller power of two than
    /// the whole, so low parts of whole words in it may be replaced by those words.
    fn shifted(&mut self, term: TermId, depth: usize) -> Option<Polynomial<TermId>> {
        let store = self.store;
        let (high, low) = (store.arg(term, 0), store.arg(term, 1));
        if !store.bv_value(low)?.is_zero() {
            return None;
        }
        let (width, amount) = (store.width(term), store.width(low));
        let mut total = Polynomial::zero(width);
        for (factors, coefficient) in self.polynomial(high, depth - 1)?.terms() {
            let coefficient = BitVec::zero(amount).concat(coefficient).shl_by(amount);
            let mut part = Polynomial::constant(coefficient);
            for &factor in factors {
                if store.op(factor) != Op::BvExtract(0)
                    || store.width(store.arg(factor, 0)) != width
                {
                    return None;
                }
                let word = self.polynomial(store.arg(factor, 0), depth - 1)?;
                part = part.mul(&word)?;
            }
            total = total.add(&part)?;
        }
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::{Rewriting, Sort};

    fn decide(s: &mut TermStore, a: TermId, b: TermId) -> Option<bool> {
        let equation = s.eq(a, b);
        let difference = difference(s, &FxHashMap::default(), equation)?;
        difference.as_constant().map(|difference| difference.is_zero())
    }

    #[test]
    fn laws_of_rings_decide() {
        let mut s = TermStore::with_rewriting(Rewriting::Off);
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::BitVec(8)));
        let xy = s.bv_mul(x, y);
        let xz = s.bv_mul(x, z);
        let left = s.bv_add(xy, xz);
        let yz = s.bv_add(z, y);
        let right = s.bv_mul(yz, x);
        assert_eq!(decide(&mut s, left, right), Some(true));
        let one = s.bv_u64(8, 1);
        let more = s.bv_add(right, one);
        assert_eq!(decide(&mut s, left, more), Some(false));
        assert_eq!(decide(&mut s, left, xy), None);
        let complement = s.bv_not(left);
        let negated = s.bv_neg(more);
        assert_eq!(decide(&mut s, complement, negated), Some(true));
        // Twice a product, as a narrower product above a zero.
        let low = [x, y].map(|word| s.bv_extract(6, 0, word));
        let narrow = s.bv_mul(low[0], low[1]);
        let zero_bit = s.bv_u64(1, 0);
        let above = s.bv_concat(narrow, zero_bit);
        let twice = s.bv_add(xy, xy);
        assert_eq!(decide(&mut s, above, twice), Some(true));
        let shift = s.bv_u64(8, 9);
        let gone = s.bv_shl(xy, shift);
        let zero = s.bv_u64(8, 0);
        assert_eq!(decide(&mut s, gone, zero), Some(true));
    }
}
