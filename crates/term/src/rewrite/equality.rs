//! Rules for equality.

use super::Rule;
use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use vergo_num::BitVec;

impl TermStore {
    pub(super) fn simplify_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            let term = self.true_term();
            return self.fired(Rule::EqSame, term);
        }
        if let Some(term) = self.simplify_eq_ite(a, b) {
            return Some(term);
        }
        match self.sort(a) {
            Sort::Bool => self.simplify_eq_bool(a, b),
            Sort::BitVec(width) => match self.bv_value(b) {
                Some(value) => {
                    let value = value.clone();
                    self.simplify_eq_constant(width, a, b, &value)
                }
                None => self.simplify_eq_words(width, a, b),
            },
            Sort::Float(format) => {
                let value = self.float_value(b)?.clone();
                if value.is_nan() {
                    let term = self.fp_is_nan(a);
                    return self.fired(Rule::EqFpNan, term);
                }
                let bits = self.under(a, Op::FpFromBits)?;
                debug_assert_eq!(self.width(bits), format.width());
                let value = self.bv_const(value.into_bits());
                let term = self.eq(bits, value);
                self.fired(Rule::EqFpFromBits, term)
            }
            Sort::Array(_) => self.simplify_eq_arrays(a, b),
            Sort::RoundingMode => None,
        }
    }

    /// An `ite` against one of its branches or a constant.
    fn simplify_eq_ite(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let (Some((p, a1, a0)), Some((q, b1, b0))) =
            (self.constant_choice(a), self.constant_choice(b))
        {
            // The branches differ, or the choice would have been one of them.
            if (a1, a0) == (b1, b0) {
                let term = self.eq(p, q);
                return self.fired(Rule::EqItes, term);
            }
            if (a1, a0) == (b0, b1) {
                let term = self.xor(p, q);
                return self.fired(Rule::EqItesSwapped, term);
            }
        }
        for (choice, other) in [(a, b), (b, a)] {
            let Some((c, then, otherwise)) = self.choice(choice) else { continue };
            let differs = |store: &TermStore, branch: TermId| {
                store.is_value(branch) && store.is_value(other) && branch != other
            };
            if then == other {
                let rest = self.eq(otherwise, other);
                let term = self.or(c, rest);
                return self.fired(Rule::EqIteThen, term);
            }
            if otherwise == other {
                let rest = self.eq(then, other);
                let not_c = self.not(c);
                let term = self.or(not_c, rest);
                return self.fired(Rule::EqIteElse, term);
            }
            if differs(self, then) {
                let rest = self.eq(otherwise, other);
                let not_c = self.not(c);
                let term = self.and(not_c, rest);
                return self.fired(Rule::EqIteNotThen, term);
            }
            if differs(self, otherwise) {
                let rest = self.eq(then, other);
                let term = self.and(c, rest);
                return self.fired(Rule::EqIteNotElse, term);
            }
        }
        None
    }

    fn simplify_eq_bool(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.bool_value(b) {
            Some(true) => return self.fired(Rule::EqTrue, a),
            Some(false) => {
                let term = self.not(a);
                return self.fired(Rule::EqFalse, term);
            }
            None => {}
        }
        if self.complementary(Op::Not, a, b) {
            let term = self.false_term();
            return self.fired(Rule::EqComplement, term);
        }
        match (self.under(a, Op::Not), self.under(b, Op::Not)) {
            (Some(x), Some(y)) => {
                let term = self.eq(x, y);
                self.fired(Rule::EqNotNot, term)
            }
            (Some(x), None) => {
                let term = self.ne(x, b);
                self.fired(Rule::EqNot, term)
            }
            (None, Some(y)) => {
                let term = self.ne(a, y);
                self.fired(Rule::EqNot, term)
            }
            (None, None) => None,
        }
    }

    /// `(= a k)` with a constant `k`, of which `b` is the term.
    fn simplify_eq_constant(
        &mut self,
        width: u32,
        a: TermId,
        b: TermId,
        k: &BitVec,
    ) -> Option<TermId> {
        if width == 1 && k.is_zero() {
            let one = self.bv_u64(1, 1);
            let term = self.ne(a, one);
            return self.fired(Rule::EqBitZero, term);
        }
        if self.upper_bound(a).is_some_and(|most| most.ult(k)) {
            let term = self.false_term();
            return self.fired(Rule::EqAboveBound, term);
        }
        let solved = |store: &mut TermStore, x: TermId, value: BitVec, rule: Rule| {
            let value = store.bv_const(value);
            let term = store.eq(x, value);
            store.fired(rule, term)
        };
        match self.op(a) {
            Op::BvNot => solved(self, self.arg(a, 0), k.not(), Rule::EqBvNotConstant),
            Op::BvNeg => solved(self, self.arg(a, 0), k.neg(), Rule::EqBvNegConstant),
            Op::BvAdd => {
                let (x, c) = self.with_constant(a, Op::BvAdd)?;
                solved(self, x, k.sub(&c), Rule::EqAddConstant)
            }
            Op::BvXor => {
                let (x, c) = self.with_constant(a, Op::BvXor)?;
                solved(self, x, k.xor(&c), Rule::EqXorConstant)
            }
            Op::BvMul => {
                let (x, c) = self.with_constant(a, Op::BvMul)?;
                if c.bit(0) {
                    return solved(self, x, k.mul(&odd_inverse(&c)), Rule::EqMulOdd);
                }
                if k.trailing_zeros() < c.trailing_zeros() {
                    let term = self.false_term();
                    return self.fired(Rule::EqMulEven, term);
                }
                None
            }
            Op::BvAnd => {
                let (x, y) = self.pair(a, Op::BvAnd)?;
                if k.is_ones() {
                    let (left, right) = (self.eq(x, b), self.eq(y, b));
                    let term = self.and(left, right);
                    return self.fired(Rule::EqAndOnes, term);
                }
                let mask = self.bv_value(y)?;
                if !k.and(&mask.not()).is_zero() {
                    let term = self.false_term();
                    return self.fired(Rule::EqAndConflict, term);
                }
                None
            }
            Op::BvConcat => {
                let ((high, low), (k_high, k_low)) = self.split_both(a, b)?;
                let (left, right) = (self.eq(high, k_high), self.eq(low, k_low));
                let term = self.and(left, right);
                self.fired(Rule::EqConcatConstant, term)
            }
            Op::BvSignExtend => {
                let x = self.arg(a, 0);
                let low = k.truncate(self.width(x));
                if low.sign_extend(width) == *k {
                    return solved(self, x, low, Rule::EqSignExtendConstant);
                }
                let term = self.false_term();
                self.fired(Rule::EqSignExtendConflict, term)
            }
            _ => None,
        }
    }

    fn simplify_eq_words(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if self.complementary(Op::BvNot, a, b) {
            let term = self.false_term();
            return self.fired(Rule::EqBvComplement, term);
        }
        for (op, rule) in [
            (Op::BvNot, Rule::EqBvNotNot),
            (Op::BvNeg, Rule::EqBvNegNeg),
            (Op::BvSignExtend, Rule::EqSignExtend),
        ] {
            if let (Some(x), Some(y)) = (self.under(a, op), self.under(b, op))
                && self.width(x) == self.width(y)
            {
                let term = self.eq(x, y);
                return self.fired(rule, term);
            }
        }
        for (op, cancel, cancel_one) in [
            (Op::BvAdd, Rule::EqAddCancel, Rule::EqAddSelf),
            (Op::BvXor, Rule::EqXorCancel, Rule::EqXorSelf),
        ] {
            if let (Some((x, y)), Some((u, v))) = (self.pair(a, op), self.pair(b, op)) {
                let rest = if x == u {
                    Some((y, v))
                } else if x == v {
                    Some((y, u))
                } else if y == u {
                    Some((x, v))
                } else if y == v {
                    Some((x, u))
                } else {
                    None
                };
                if let Some((left, right)) = rest {
                    let term = self.eq(left, right);
                    return self.fired(cancel, term);
                }
            }
            for (sum, other) in [(a, b), (b, a)] {
                if let Some((x, y)) = self.pair(sum, op)
                    && (x == other || y == other)
                {
                    let rest = if x == other { y } else { x };
                    let zero = self.bv_u64(width, 0);
                    let term = self.eq(rest, zero);
                    return self.fired(cancel_one, term);
                }
            }
        }
        if let (Some((x, c)), Some((y, d))) =
            (self.with_constant(a, Op::BvAdd), self.with_constant(b, Op::BvAdd))
        {
            let difference = self.bv_const(c.sub(&d));
            let sum = self.bv_add(x, difference);
            let term = self.eq(sum, y);
            return self.fired(Rule::EqAddConstants, term);
        }
        if self.op(a) == Op::BvConcat && self.op(b) == Op::BvConcat {
            let ((a_high, a_low), (b_high, b_low)) = self.split_both(a, b)?;
            let (left, right) = (self.eq(a_high, b_high), self.eq(a_low, b_low));
            let term = self.and(left, right);
            return self.fired(Rule::EqConcat, term);
        }
        None
    }

    fn simplify_eq_arrays(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        for (stored, other) in [(a, b), (b, a)] {
            if self.op(stored) == Op::Store && self.arg(stored, 0) == other {
                let (index, element) = (self.arg(stored, 1), self.arg(stored, 2));
                let old = self.select(other, index);
                let term = self.eq(old, element);
                return self.fired(Rule::EqStoreSelf, term);
            }
        }
        if self.op(a) == Op::Store
            && self.op(b) == Op::Store
            && self.args(a)[..2] == self.args(b)[..2]
        {
            let term = self.eq(self.arg(a, 2), self.arg(b, 2));
            return self.fired(Rule::EqStoreStore, term);
        }
        if let (Some(x), Some(y)) = (self.under(a, Op::ConstArray), self.under(b, Op::ConstArray)) {
            let term = self.eq(x, y);
            return self.fired(Rule::EqConstArrays, term);
        }
        None
    }
}

/// The inverse of an odd number modulo two to the width, by Newton's iteration, which doubles the
/// number of right bits each time.
fn odd_inverse(odd: &BitVec) -> BitVec {
    let width = odd.width();
    let two = BitVec::from_u64(width, 2);
    let mut inverse = odd.clone();
    let mut n_right = 3;
    while n_right < width {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        n_right *= 2;
    }
    inverse
}
