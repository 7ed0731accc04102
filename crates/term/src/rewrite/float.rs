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
        let (x, y) = (self.under(x, Op::FpNeg)?, self.under(y, Op::FpNeg)?);
        let term = self.app(op, Sort::Bool, &[y, x]);
        self.fired(Rule::FpOrderNegNeg, term)
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
            Op::FpConvert | Op::FpRoundToIntegral if op == Op::FpIsNan => {
                let inner = self.arg(x, 1);
                let term = self.fp_is_nan(inner);
                self.fired(Rule::FpNanOfConvert, term)
            }
            _ => None,
        }
    }
}
