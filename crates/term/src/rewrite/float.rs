//! Rules for floats.

use super::Rule;
use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::Value;
use vergo_num::{Float, RoundingMode};

impl TermStore {
    pub(super) fn simplify_float(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        match (op, args) {
            (Op::FpNeg, &[x]) => {
                let inner = self.under(x, Op::FpNeg)?;
                self.fired(Rule::FpNegNeg, inner)
            }
            (Op::FpAbs, &[x]) => {
                if self.op(x) == Op::FpAbs {
                    return self.fired(Rule::FpAbsAbs, x);
                }
                let inner = self.under(x, Op::FpNeg)?;
                let term = self.fp_abs(inner);
                self.fired(Rule::FpAbsNeg, term)
            }
            (Op::FpFromBits, &[bits]) => {
                let inner = self.under(bits, Op::FpToBits)?;
                self.fired(Rule::FpFromToBits, inner)
            }
            (Op::FpConvert, &[_, x]) if self.sort(x) == sort => self.fired(Rule::FpConvertSame, x),
            (Op::FpConvert, &[_, x])
                if self.op(x) == Op::FpConvert
                    && self.sort(self.arg(x, 1)) == sort
                    && self.is_widening(x) =>
            {
                let inner = self.arg(x, 1);
                self.fired(Rule::FpConvertBack, inner)
            }
            (Op::FpToSbv | Op::FpToUbv, &[_, x]) => self.simplify_fp_to_word(op, sort, x),
            (Op::FpMul, &[_, x, y]) if self.is_float_one(y) => self.fired(Rule::FpMulOne, x),
            (Op::FpDiv, &[_, x, y]) if self.is_float_one(y) => self.fired(Rule::FpDivOne, x),
            (Op::FpAdd, &[mode, x, y]) => self.simplify_fp_add(mode, x, y),
            (Op::FpMin, &[x, y]) if x == y => self.fired(Rule::FpMinSame, x),
            (Op::FpMax, &[x, y]) if x == y => self.fired(Rule::FpMaxSame, x),
            (Op::FpLt | Op::FpLe | Op::FpEq, &[x, y]) => self.simplify_fp_order(op, x, y),
            (
                Op::FpIsNan
                | Op::FpIsInfinite
                | Op::FpIsZero
                | Op::FpIsNormal
                | Op::FpIsSubnormal
                | Op::FpIsNegative,
                &[x],
            ) => self.simplify_fp_class(op, x),
            _ => None,
        }
    }

    /// Returns whether a conversion between formats is exact for all numbers.
    fn is_widening(&self, convert: TermId) -> bool {
        match (self.sort(self.arg(convert, 1)), self.sort(convert)) {
            (Sort::Float(from), Sort::Float(to)) => {
                from.exponent_bits() <= to.exponent_bits()
                    && from.significand_bits() <= to.significand_bits()
            }
            _ => false,
        }
    }

    /// A word that was converted to a float exactly comes back as it was.
    fn simplify_fp_to_word(&mut self, op: Op, sort: Sort, x: TermId) -> Option<TermId> {
        let is_signed = op == Op::FpToSbv;
        if self.op(x) != if is_signed { Op::FpFromSbv } else { Op::FpFromUbv } {
            return None;
        }
        let (word, format, width) = (self.arg(x, 1), self.sort(x).format()?, sort.width()?);
        // The magnitudes of the word's numbers have so many bits, or are a power of two.
        let n_bits = self.width(word) - u32::from(is_signed);
        let is_exact = n_bits <= format.significand_bits()
            && i64::from(n_bits) <= format.max_exponent()
            && self.width(word) <= width;
        if !is_exact {
            return None;
        }
        let term = if is_signed {
            self.bv_sign_extend(width, word)
        } else {
            self.bv_zero_extend(width, word)
        };
        self.fired(if is_signed { Rule::FpToSbvBack } else { Rule::FpToUbvBack }, term)
    }

    fn is_float_one(&self, term: TermId) -> bool {
        self.float_value(term).is_some_and(|value| *value == Float::one(value.format()))
    }

    /// Adding minus zero changes nothing, except plus zero when rounding downwards.
    fn simplify_fp_add(&mut self, mode: TermId, x: TermId, y: TermId) -> Option<TermId> {
        let value = self.float_value(y)?;
        if value.is_nan() {
            return self.fired(Rule::FpAddNan, y);
        }
        let is_minus_zero = value.is_zero() && value.is_negative();
        match self.value(mode) {
            Some(Value::RoundingMode(mode))
                if is_minus_zero && *mode != RoundingMode::TowardNegative =>
            {
                self.fired(Rule::FpAddMinusZero, x)
            }
            _ => None,
        }
    }

    fn simplify_fp_order(&mut self, op: Op, x: TermId, y: TermId) -> Option<TermId> {
        if [x, y].iter().any(|&t| self.float_value(t).is_some_and(Float::is_nan)) {
            let term = self.false_term();
            return self.fired(Rule::FpOrderNan, term);
        }
        if x == y {
            if op == Op::FpLt {
                let term = self.false_term();
                return self.fired(Rule::FpLtSame, term);
            }
            let nan = self.fp_is_nan(x);
            let term = self.not(nan);
            return self.fired(Rule::FpEqSame, term);
        }
        if let (Some(x), Some(y)) = (self.under(x, Op::FpNeg), self.under(y, Op::FpNeg)) {
            let term = self.app(op, Sort::Bool, &[y, x]);
            return self.fired(Rule::FpOrderNegNeg, term);
        }
        let ((_, inner_x), (_, inner_y)) =
            (self.pair(x, Op::FpConvert)?, self.pair(y, Op::FpConvert)?);
        if self.sort(inner_x) != self.sort(inner_y) || !self.is_widening(x) {
            return None;
        }
        let term = self.app(op, Sort::Bool, &[inner_x, inner_y]);
        self.fired(Rule::FpOrderWiden, term)
    }

    fn simplify_fp_class(&mut self, op: Op, x: TermId) -> Option<TermId> {
        let falsity = self.false_term();
        match self.op(x) {
            Op::FpNeg if op == Op::FpIsNegative => {
                let inner = self.arg(x, 0);
                let term = self.fp_is_positive(inner);
                self.fired(Rule::FpNegativeNeg, term)
            }
            Op::FpAbs if op == Op::FpIsNegative => self.fired(Rule::FpNegativeAbs, falsity),
            Op::FpNeg | Op::FpAbs => {
                let inner = self.arg(x, 0);
                let term = self.app(op, Sort::Bool, &[inner]);
                self.fired(Rule::FpClassOfSigned, term)
            }
            Op::FpFromSbv | Op::FpFromUbv if op == Op::FpIsNan => {
                self.fired(Rule::FpNanOfInteger, falsity)
            }
            Op::FpFromUbv if op == Op::FpIsNegative => {
                self.fired(Rule::FpNegativeOfUnsigned, falsity)
            }
            Op::FpConvert
                if self.is_widening(x)
                    && matches!(op, Op::FpIsInfinite | Op::FpIsZero | Op::FpIsNegative) =>
            {
                let inner = self.arg(x, 1);
                let term = self.app(op, Sort::Bool, &[inner]);
                self.fired(Rule::FpClassOfWiden, term)
            }
            Op::FpConvert | Op::FpRoundToIntegral if op == Op::FpIsNan => {
                let inner = self.arg(x, 1);
                let term = self.fp_is_nan(inner);
                self.fired(Rule::FpNanOfConvert, term)
            }
            _ => None,
        }
    }
}
