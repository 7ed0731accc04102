//! Rules for the order of words and for the overflow of products.

use super::Rule;
use crate::op::{Op, TermId};
use crate::store::TermStore;
use vergo_num::BitVec;

impl TermStore {
    pub(super) fn simplify_ult(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (truth, falsity) = (self.true_term(), self.false_term());
        if a == b {
            return self.fired(Rule::UltSame, falsity);
        }
        let width = self.width(a);
        if let Some(bound) = self.bv_value(b).cloned() {
            if bound.is_zero() {
                return self.fired(Rule::UltZero, falsity);
            }
            if bound.is_one() {
                let zero = self.bv_u64(width, 0);
                let term = self.eq(a, zero);
                return self.fired(Rule::UltOne, term);
            }
            if bound.is_ones() {
                let term = self.ne(a, b);
                return self.fired(Rule::UltOnes, term);
            }
        }
        if let Some(bound) = self.bv_value(a).cloned() {
            if bound.is_ones() {
                return self.fired(Rule::OnesUlt, falsity);
            }
            if bound.is_zero() {
                let term = self.ne(b, a);
                return self.fired(Rule::ZeroUlt, term);
            }
            let next = bound.add(&BitVec::one(width));
            if next.is_ones() {
                let ones = self.bv_const(next);
                let term = self.eq(b, ones);
                return self.fired(Rule::AlmostOnesUlt, term);
            }
        }
        if let Some(bound) = self.bv_value(b)
            && self.upper_bound(a).is_some_and(|most| most.ult(bound))
        {
            return self.fired(Rule::UltBelowBound, truth);
        }
        if let Some(bound) = self.bv_value(a)
            && self.upper_bound(b).is_some_and(|most| most.ule(bound))
        {
            return self.fired(Rule::UltAboveBound, falsity);
        }
        if self.op(a) == Op::BvUrem && self.arg(a, 1) == b {
            let zero = self.bv_u64(width, 0);
            let term = self.ne(b, zero);
            return self.fired(Rule::UltUrem, term);
        }
        if self.op(b) == Op::BvUrem && self.arg(b, 0) == a {
            return self.fired(Rule::UltUrem, falsity);
        }
        if self.op(b) == Op::BvUdiv && self.arg(b, 0) == a {
            let (divisor, zero) = (self.arg(b, 1), self.bv_u64(width, 0));
            let ones = self.bv_const(BitVec::ones(width));
            let (by_zero, more) = (self.eq(divisor, zero), self.ne(a, ones));
            let term = self.and(by_zero, more);
            return self.fired(Rule::UltUdiv, term);
        }
        match (self.under(a, Op::BvNot), self.under(b, Op::BvNot)) {
            (Some(x), Some(y)) => {
                let term = self.bv_ult(y, x);
                return self.fired(Rule::UltNotNot, term);
            }
            (Some(x), None) if self.is_value(b) => {
                let bound = self.bv_not(b);
                let term = self.bv_ult(bound, x);
                return self.fired(Rule::UltNotConstant, term);
            }
            (None, Some(y)) if self.is_value(a) => {
                let bound = self.bv_not(a);
                let term = self.bv_ult(y, bound);
                return self.fired(Rule::UltConstantNot, term);
            }
            _ => {}
        }
        if let (Some(x), Some(y)) =
            (self.under(a, Op::BvSignExtend), self.under(b, Op::BvSignExtend))
            && self.width(x) == self.width(y)
        {
            let term = self.bv_ult(x, y);
            return self.fired(Rule::UltSignExtend, term);
        }
        let ((a_high, a_low), (b_high, b_low)) = self.split_both(a, b)?;
        if a_high == b_high {
            let term = self.bv_ult(a_low, b_low);
            return self.fired(Rule::UltConcatSameHigh, term);
        }
        if let (Some(x), Some(y)) = (self.bv_value(a_high), self.bv_value(b_high)) {
            let term = if x.ult(y) { truth } else { falsity };
            return self.fired(Rule::UltConcatHighs, term);
        }
        if a_low == b_low {
            let term = self.bv_ult(a_high, b_high);
            return self.fired(Rule::UltConcatSameLow, term);
        }
        if let (Some(x), Some(y)) = (self.bv_value(a_low), self.bv_value(b_low)) {
            let term =
                if x.ult(y) { self.bv_ule(a_high, b_high) } else { self.bv_ult(a_high, b_high) };
            return self.fired(Rule::UltConcatLows, term);
        }
        None
    }

    pub(super) fn simplify_slt(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let falsity = self.false_term();
        if a == b {
            return self.fired(Rule::SltSame, falsity);
        }
        let width = self.width(a);
        let one = BitVec::one(width);
        if let Some(bound) = self.bv_value(b).cloned() {
            if bound.is_min_signed() {
                return self.fired(Rule::SltMin, falsity);
            }
            if bound.is_zero() {
                let term = self.bv_sign(a);
                return self.fired(Rule::SltZero, term);
            }
            if bound.sub(&one).is_min_signed() {
                let min = self.bv_const(BitVec::min_signed(width));
                let term = self.eq(a, min);
                return self.fired(Rule::SltAlmostMin, term);
            }
            if bound.is_max_signed() {
                let term = self.ne(a, b);
                return self.fired(Rule::SltMax, term);
            }
        }
        if let Some(bound) = self.bv_value(a).cloned() {
            if bound.is_max_signed() {
                return self.fired(Rule::MaxSlt, falsity);
            }
            if bound.is_ones() {
                let sign = self.bv_sign(b);
                let term = self.not(sign);
                return self.fired(Rule::MinusOneSlt, term);
            }
            if bound.add(&one).is_max_signed() {
                let max = self.bv_const(BitVec::max_signed(width));
                let term = self.eq(b, max);
                return self.fired(Rule::AlmostMaxSlt, term);
            }
            if bound.is_min_signed() {
                let term = self.ne(b, a);
                return self.fired(Rule::MinSlt, term);
            }
        }
        match (self.under(a, Op::BvSignExtend), self.under(b, Op::BvSignExtend)) {
            (Some(x), Some(y)) if self.width(x) == self.width(y) => {
                let term = self.bv_slt(x, y);
                return self.fired(Rule::SltSignExtend, term);
            }
            (Some(x), None) => {
                if let Some(bound) = self.bv_value(b).cloned() {
                    let low = bound.truncate(self.width(x));
                    let term = if low.sign_extend(width) == bound {
                        let low = self.bv_const(low);
                        self.bv_slt(x, low)
                    } else {
                        self.bool_const(!bound.sign_bit())
                    };
                    return self.fired(Rule::SltSignExtendConstant, term);
                }
            }
            (None, Some(y)) => {
                if let Some(bound) = self.bv_value(a).cloned() {
                    let low = bound.truncate(self.width(y));
                    let term = if low.sign_extend(width) == bound {
                        let low = self.bv_const(low);
                        self.bv_slt(low, y)
                    } else {
                        self.bool_const(bound.sign_bit())
                    };
                    return self.fired(Rule::SltConstantSignExtend, term);
                }
            }
            _ => {}
        }
        match (self.known_sign(a)?, self.known_sign(b)?) {
            (left, right) if left == right => {
                let term = self.bv_ult(a, b);
                self.fired(Rule::SltSameSigns, term)
            }
            (left, _) => {
                let term = self.bool_const(left);
                self.fired(Rule::SltDifferentSigns, term)
            }
        }
    }

    /// The sign bit of a constant, of a concatenation with a constant on top, or of a word that is
    /// bounded below the sign bit.
    fn known_sign(&self, term: TermId) -> Option<bool> {
        let top = self.pair(term, Op::BvConcat).map_or(term, |(high, _)| high);
        if let Some(value) = self.bv_value(top) {
            return Some(value.sign_bit());
        }
        self.upper_bound(term).filter(|most| !most.sign_bit()).map(|_| false)
    }

    /// A number that the word never exceeds in the unsigned reading, as far as its top operator
    /// tells.
    pub(super) fn upper_bound(&self, term: TermId) -> Option<BitVec> {
        let width = self.width(term);
        match self.op(term) {
            Op::BvConcat => {
                let (high, low) = self.pair(term, Op::BvConcat)?;
                Some(self.bv_value(high)?.concat(&BitVec::ones(self.width(low))))
            }
            Op::BvAnd => Some(self.with_constant(term, Op::BvAnd)?.1),
            Op::BvUrem => {
                let (_, divisor) = self.with_constant(term, Op::BvUrem)?;
                (!divisor.is_zero()).then(|| divisor.sub(&BitVec::one(width)))
            }
            Op::BvUdiv => {
                let (_, divisor) = self.with_constant(term, Op::BvUdiv)?;
                (!divisor.is_zero()).then(|| BitVec::ones(width).udiv(&divisor))
            }
            Op::Ite => {
                let (_, a, b) = self.constant_choice(term)?;
                let (a, b) = (self.bv_value(a)?, self.bv_value(b)?);
                Some(a.max(b).clone())
            }
            _ => None,
        }
    }

    pub(super) fn simplify_umulo(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let falsity = self.false_term();
        let width = self.width(a);
        if self.unsigned_bits(a) + self.unsigned_bits(b) <= width {
            return self.fired(Rule::UmuloNarrow, falsity);
        }
        let factor = self.bv_value(b)?;
        if factor.is_one() {
            return self.fired(Rule::UmuloOne, falsity);
        }
        let shift = factor.log2_exact()?;
        let lost = self.bv_extract(width - 1, width - shift, a);
        let zero = self.bv_u64(shift, 0);
        let term = self.ne(lost, zero);
        self.fired(Rule::UmuloPowerOfTwo, term)
    }

    pub(super) fn simplify_smulo(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let falsity = self.false_term();
        let width = self.width(a);
        if self.signed_bits(a) + self.signed_bits(b) <= width {
            return self.fired(Rule::SmuloNarrow, falsity);
        }
        let factor = self.bv_value(b)?;
        if factor.is_zero() || (factor.is_one() && width > 1) {
            return self.fired(Rule::SmuloTrivial, falsity);
        }
        if factor.is_ones() {
            let term = self.bv_nego(a);
            return self.fired(Rule::SmuloMinusOne, term);
        }
        None
    }

    /// A number of low bits that hold the word's unsigned value, as far as its top operator tells.
    fn unsigned_bits(&self, term: TermId) -> u32 {
        let top = |value: &BitVec| value.bit_len();
        match (self.bv_value(term), self.pair(term, Op::BvConcat)) {
            (Some(value), _) => top(value),
            (_, Some((high, low))) => match self.bv_value(high) {
                Some(value) => top(value) + self.width(low),
                None => self.width(term),
            },
            _ => self.width(term),
        }
    }

    /// A number of low bits whose sign-extension is the word, as far as its top operator tells.
    fn signed_bits(&self, term: TermId) -> u32 {
        let of_value = |value: &BitVec| {
            if value.sign_bit() { value.not().bit_len() + 1 } else { value.bit_len() + 1 }
        };
        if let Some(value) = self.bv_value(term) {
            return of_value(value);
        }
        if let Some((high, low)) = self.pair(term, Op::BvConcat)
            && let Some(value) = self.bv_value(high)
        {
            return of_value(value) + self.width(low);
        }
        match self.under(term, Op::BvSignExtend) {
            Some(inner) => self.width(inner),
            None => self.width(term),
        }
    }
}
