//! Rules for words: bitwise operators, arithmetic, shifts, and moving bits.

use super::Rule;
use super::core::ConjunctionRules;
use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use vergo_num::BitVec;

const WORD_CONJUNCTION: ConjunctionRules = ConjunctionRules {
    and: Op::BvAnd,
    not: Op::BvNot,
    same: Rule::BvAndSame,
    complement: Rule::BvAndComplement,
    absorb: Rule::BvAndAbsorb,
    conflict: Rule::BvAndConflict,
    absorb_or: Rule::BvAndAbsorbOr,
    resolve: Rule::BvAndResolve,
};

impl TermStore {
    pub(super) fn simplify_unary_word(&mut self, op: Op, sort: Sort, a: TermId) -> Option<TermId> {
        let width = sort.width()?;
        match op {
            Op::BvNot => self.simplify_bv_not(a),
            Op::BvNeg => self.simplify_bv_neg(a),
            Op::BvExtract(low) => self.simplify_extract(low, width, a),
            Op::BvSignExtend => self.simplify_sign_extend(width, a),
            _ => None,
        }
    }

    /// `x` and `y` if a term is `x / y * y`.
    fn floor(&self, term: TermId) -> Option<(TermId, TermId)> {
        let (p, q) = self.pair(term, Op::BvMul)?;
        for (quotient, divisor) in [(p, q), (q, p)] {
            if let Some((x, y)) = self.pair(quotient, Op::BvUdiv)
                && y == divisor
            {
                return Some((x, y));
            }
        }
        None
    }

    pub(super) fn simplify_binary_word(
        &mut self,
        op: Op,
        sort: Sort,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        let width = sort.width()?;
        match op {
            Op::BvAnd => self.simplify_bv_and(width, a, b),
            Op::BvXor => self.simplify_bv_xor(width, a, b),
            Op::BvAdd => self.simplify_bv_add(width, a, b),
            Op::BvMul => self.simplify_bv_mul(width, a, b),
            Op::BvUdiv => self.simplify_udiv(width, a, b),
            Op::BvUrem => self.simplify_urem(width, a, b),
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.simplify_shift(op, width, a, b),
            Op::BvConcat => self.simplify_concat(a, b),
            _ => None,
        }
    }

    fn simplify_bv_not(&mut self, a: TermId) -> Option<TermId> {
        if let Some(inner) = self.under(a, Op::BvNot) {
            return self.fired(Rule::BvNotNot, inner);
        }
        if let Some(inner) = self.under(a, Op::BvNeg) {
            let minus_one = self.bv_const(BitVec::ones(self.width(a)));
            let term = self.bv_add(inner, minus_one);
            return self.fired(Rule::BvNotNeg, term);
        }
        if let Some((high, low)) = self.pair(a, Op::BvConcat) {
            let (high, low) = (self.bv_not(high), self.bv_not(low));
            let term = self.bv_concat(high, low);
            return self.fired(Rule::BvNotConcat, term);
        }
        None
    }

    fn simplify_bv_neg(&mut self, a: TermId) -> Option<TermId> {
        if let Some(inner) = self.under(a, Op::BvNeg) {
            return self.fired(Rule::BvNegNeg, inner);
        }
        if let Some(inner) = self.under(a, Op::BvNot) {
            let one = self.bv_u64(self.width(a), 1);
            let term = self.bv_add(inner, one);
            return self.fired(Rule::BvNegNot, term);
        }
        if let Some((x, c)) = self.with_constant(a, Op::BvAdd) {
            let x = self.bv_neg(x);
            let c = self.bv_const(c.neg());
            let term = self.bv_add(x, c);
            return self.fired(Rule::BvNegAddConstant, term);
        }
        if let Some((x, c)) = self.with_constant(a, Op::BvMul) {
            let c = self.bv_const(c.neg());
            let term = self.bv_mul(x, c);
            return self.fired(Rule::BvNegMulConstant, term);
        }
        None
    }

    fn simplify_bv_and(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(mask) = self.bv_value(b).cloned() {
            if mask.is_zero() {
                return self.fired(Rule::BvAndZero, b);
            }
            if mask.is_ones() {
                return self.fired(Rule::BvAndOnes, a);
            }
            if let Some((x, c)) = self.with_constant(a, Op::BvAnd) {
                let mask = self.bv_const(c.and(&mask));
                let term = self.bv_and(x, mask);
                return self.fired(Rule::BvAndConstants, term);
            }
            // One run of ones: the bits it keeps, between zeros.
            let low = mask.trailing_zeros();
            let high = mask.bit_len() - 1;
            if mask.count_ones() == high - low + 1 {
                let kept = self.bv_extract(high, low, a);
                let term = self.between_zeros(width, low, kept);
                return self.fired(Rule::BvAndMask, term);
            }
        }
        let zero = self.bv_u64(width, 0);
        let sort = Sort::BitVec(width);
        if let Some(term) = self.simplify_conjunction(&WORD_CONJUNCTION, sort, zero, a, b) {
            return Some(term);
        }
        if let (Some((p, a1, a0)), Some((q, b1, b0))) =
            (self.constant_choice(a), self.constant_choice(b))
            && a0 == b0
            && a1 == b1
            && self.bv_value(a0)?.is_zero()
        {
            let both = self.and(p, q);
            let term = self.ite(both, a1, a0);
            return self.fired(Rule::BvAndItes, term);
        }
        let ((a_high, a_low), (b_high, b_low)) = self.split_both(a, b)?;
        let (high, low) = (self.bv_and(a_high, b_high), self.bv_and(a_low, b_low));
        let term = self.bv_concat(high, low);
        self.fired(Rule::BvAndConcat, term)
    }

    /// The word with zeros above it up to `width` bits, and `low` zeros below.
    fn between_zeros(&mut self, width: u32, low: u32, kept: TermId) -> TermId {
        let mut term = kept;
        if low > 0 {
            let zeros = self.bv_u64(low, 0);
            term = self.bv_concat(term, zeros);
        }
        self.bv_zero_extend(width, term)
    }

    fn simplify_bv_xor(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(value) = self.bv_value(b).cloned() {
            if value.is_zero() {
                return self.fired(Rule::BvXorZero, a);
            }
            if value.is_ones() {
                let term = self.bv_not(a);
                return self.fired(Rule::BvXorOnes, term);
            }
            if let Some((x, c)) = self.with_constant(a, Op::BvXor) {
                let c = self.bv_const(c.xor(&value));
                let term = self.bv_xor(x, c);
                return self.fired(Rule::BvXorConstants, term);
            }
        }
        if a == b {
            let zero = self.bv_u64(width, 0);
            return self.fired(Rule::BvXorSame, zero);
        }
        if self.complementary(Op::BvNot, a, b) {
            let ones = self.bv_const(BitVec::ones(width));
            return self.fired(Rule::BvXorComplement, ones);
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(x) = self.under(a, Op::BvNot) {
                let inner = self.bv_xor(x, b);
                let term = self.bv_not(inner);
                return self.fired(Rule::BvXorNot, term);
            }
            if let Some((x, y)) = self.pair(a, Op::BvXor)
                && (x == b || y == b)
            {
                return self.fired(Rule::BvXorCancel, if x == b { y } else { x });
            }
        }
        let ((a_high, a_low), (b_high, b_low)) = self.split_both(a, b)?;
        let (high, low) = (self.bv_xor(a_high, b_high), self.bv_xor(a_low, b_low));
        let term = self.bv_concat(high, low);
        self.fired(Rule::BvXorConcat, term)
    }

    fn simplify_bv_add(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if width == 1 {
            let term = self.bv_xor(a, b);
            return self.fired(Rule::BvAddBit, term);
        }
        if let Some(value) = self.bv_value(b).cloned() {
            if value.is_zero() {
                return self.fired(Rule::BvAddZero, a);
            }
            if let Some((x, c)) = self.with_constant(a, Op::BvAdd) {
                let c = self.bv_const(c.add(&value));
                let term = self.bv_add(x, c);
                return self.fired(Rule::BvAddConstants, term);
            }
            if let Some(x) = self.under(a, Op::BvNot) {
                let x = self.bv_neg(x);
                let c = self.bv_const(value.sub(&BitVec::one(width)));
                let term = self.bv_add(x, c);
                return self.fired(Rule::BvAddNotConstant, term);
            }
        }
        if a == b {
            let two = self.bv_u64(width, 2);
            let term = self.bv_mul(a, two);
            return self.fired(Rule::BvAddSame, term);
        }
        if self.complementary(Op::BvNot, a, b) {
            let ones = self.bv_const(BitVec::ones(width));
            return self.fired(Rule::BvAddComplement, ones);
        }
        if self.complementary(Op::BvNeg, a, b) {
            let zero = self.bv_u64(width, 0);
            return self.fired(Rule::BvAddNegated, zero);
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.floor(a)
                && self.pair(b, Op::BvUrem) == Some((x, y))
            {
                return self.fired(Rule::BvAddDivided, x);
            }
            if let Some(negated) = self.under(b, Op::BvNeg)
                && let Some((x, y)) = self.floor(negated)
                && x == a
            {
                let term = self.bv_urem(x, y);
                return self.fired(Rule::BvAddDivided, term);
            }
            if let Some((x, y)) = self.pair(a, Op::BvAdd) {
                if self.complementary(Op::BvNeg, y, b) {
                    return self.fired(Rule::BvAddCancel, x);
                }
                if self.complementary(Op::BvNeg, x, b) {
                    return self.fired(Rule::BvAddCancel, y);
                }
                if self.is_value(y) && !self.is_value(b) {
                    let sum = self.bv_add(x, b);
                    let term = self.bv_add(sum, y);
                    return self.fired(Rule::BvAddConstantLast, term);
                }
            }
        }
        if let (Some(x), Some(y)) = (self.under(a, Op::BvNeg), self.under(b, Op::BvNeg)) {
            let sum = self.bv_add(x, y);
            let term = self.bv_neg(sum);
            return self.fired(Rule::BvAddNegNeg, term);
        }
        let ((a_high, a_low), (b_high, b_low)) = self.split_both(a, b)?;
        let is_zero =
            |store: &TermStore, term: TermId| store.bv_value(term).is_some_and(BitVec::is_zero);
        if is_zero(self, a_low) || is_zero(self, b_low) {
            // No carry leaves the low part.
            let low = if is_zero(self, a_low) { b_low } else { a_low };
            let high = self.bv_add(a_high, b_high);
            let term = self.bv_concat(high, low);
            return self.fired(Rule::BvAddConcatLowZero, term);
        }
        None
    }

    fn simplify_bv_mul(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if width == 1 {
            let term = self.bv_and(a, b);
            return self.fired(Rule::BvMulBit, term);
        }
        if let Some(value) = self.bv_value(b).cloned() {
            if value.is_zero() {
                return self.fired(Rule::BvMulZero, b);
            }
            if value.is_one() {
                return self.fired(Rule::BvMulOne, a);
            }
            if value.is_ones() {
                let term = self.bv_neg(a);
                return self.fired(Rule::BvMulMinusOne, term);
            }
            if let Some(shift) = value.log2_exact() {
                let kept = self.bv_extract(width - shift - 1, 0, a);
                let term = self.between_zeros(width, shift, kept);
                return self.fired(Rule::BvMulPowerOfTwo, term);
            }
            if let Some((x, c)) = self.with_constant(a, Op::BvMul) {
                let c = self.bv_const(c.mul(&value));
                let term = self.bv_mul(x, c);
                return self.fired(Rule::BvMulConstants, term);
            }
            if let Some(x) = self.under(a, Op::BvNeg) {
                let c = self.bv_const(value.neg());
                let term = self.bv_mul(x, c);
                return self.fired(Rule::BvMulNegConstant, term);
            }
        }
        if let (Some(x), Some(y)) = (self.under(a, Op::BvNeg), self.under(b, Op::BvNeg)) {
            let term = self.bv_mul(x, y);
            return self.fired(Rule::BvMulNegNeg, term);
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(x) = self.under(a, Op::BvNeg) {
                let product = self.bv_mul(x, b);
                let term = self.bv_neg(product);
                return self.fired(Rule::BvMulNeg, term);
            }
        }
        None
    }

    fn simplify_udiv(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(divisor) = self.bv_value(b).cloned() {
            if divisor.is_zero() {
                let ones = self.bv_const(BitVec::ones(width));
                return self.fired(Rule::UdivZero, ones);
            }
            if divisor.is_one() {
                return self.fired(Rule::UdivOne, a);
            }
            if self.upper_bound(a).is_some_and(|most| most.ult(&divisor)) {
                let zero = self.bv_u64(width, 0);
                return self.fired(Rule::UdivBelow, zero);
            }
            let shift = divisor.log2_exact()?;
            let kept = self.bv_extract(width - 1, shift, a);
            let term = self.bv_zero_extend(width, kept);
            return self.fired(Rule::UdivPowerOfTwo, term);
        }
        let is_zero_dividend = self.bv_value(a).is_some_and(BitVec::is_zero);
        if a == b || is_zero_dividend {
            let zero = self.bv_u64(width, 0);
            let ones = self.bv_const(BitVec::ones(width));
            let quotient = self.bv_u64(width, u64::from(a == b));
            let by_zero = self.eq(b, zero);
            let term = self.ite(by_zero, ones, quotient);
            return self.fired(if a == b { Rule::UdivSame } else { Rule::ZeroUdiv }, term);
        }
        None
    }

    fn simplify_urem(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(divisor) = self.bv_value(b).cloned() {
            if divisor.is_zero() {
                return self.fired(Rule::UremZero, a);
            }
            if divisor.is_one() {
                let zero = self.bv_u64(width, 0);
                return self.fired(Rule::UremOne, zero);
            }
            if self.upper_bound(a).is_some_and(|most| most.ult(&divisor)) {
                return self.fired(Rule::UremBelow, a);
            }
            let shift = divisor.log2_exact()?;
            let kept = self.bv_extract(shift - 1, 0, a);
            let term = self.bv_zero_extend(width, kept);
            return self.fired(Rule::UremPowerOfTwo, term);
        }
        if a == b {
            let zero = self.bv_u64(width, 0);
            return self.fired(Rule::UremSame, zero);
        }
        if self.bv_value(a).is_some_and(BitVec::is_zero) {
            return self.fired(Rule::ZeroUrem, a);
        }
        None
    }

    fn simplify_shift(&mut self, op: Op, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if self.bv_value(a).is_some_and(BitVec::is_zero) {
            return self.fired(Rule::ShiftZero, a);
        }
        if op == Op::BvAshr && self.bv_value(a).is_some_and(BitVec::is_ones) {
            return self.fired(Rule::AshrOnes, a);
        }
        let amount = self.bv_value(b)?.to_u64().unwrap_or(u64::MAX);
        if amount == 0 {
            return self.fired(Rule::ShiftByZero, a);
        }
        let all_out = amount >= u64::from(width);
        let amount = amount.min(u64::from(width) - 1) as u32;
        match op {
            Op::BvAshr => {
                // Shifting everything out leaves the sign, as shifting all but one bit does.
                let kept = self.bv_extract(width - 1, amount, a);
                let term = self.bv_sign_extend(width, kept);
                self.fired(Rule::AshrConstant, term)
            }
            _ if all_out => {
                let zero = self.bv_u64(width, 0);
                self.fired(Rule::ShiftAllOut, zero)
            }
            Op::BvShl => {
                let kept = self.bv_extract(width - amount - 1, 0, a);
                let term = self.between_zeros(width, amount, kept);
                self.fired(Rule::ShlConstant, term)
            }
            _ => {
                let kept = self.bv_extract(width - 1, amount, a);
                let term = self.bv_zero_extend(width, kept);
                self.fired(Rule::LshrConstant, term)
            }
        }
    }

    fn simplify_concat(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if self.is_value(high)
            && let Some((k, rest)) = self.pair(low, Op::BvConcat)
            && self.is_value(k)
        {
            let joined = self.bv_concat(high, k);
            let term = self.bv_concat(joined, rest);
            return self.fired(Rule::ConcatConstantsLeft, term);
        }
        if self.is_value(low)
            && let Some((rest, k)) = self.pair(high, Op::BvConcat)
            && self.is_value(k)
        {
            let joined = self.bv_concat(k, low);
            let term = self.bv_concat(rest, joined);
            return self.fired(Rule::ConcatConstantsRight, term);
        }
        if let Some(term) = self.join_extracts(high, low) {
            return self.fired(Rule::ConcatExtracts, term);
        }
        if let Some((middle, rest)) = self.pair(low, Op::BvConcat)
            && let Some(joined) = self.join_extracts(high, middle)
        {
            let term = self.bv_concat(joined, rest);
            return self.fired(Rule::ConcatExtractsLeft, term);
        }
        if let Some((rest, middle)) = self.pair(high, Op::BvConcat)
            && let Some(joined) = self.join_extracts(middle, low)
        {
            let term = self.bv_concat(rest, joined);
            return self.fired(Rule::ConcatExtractsRight, term);
        }
        None
    }

    /// Two extracts of neighbouring bits as one.
    fn join_extracts(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let (Op::BvExtract(high_start), Op::BvExtract(low_start)) = (self.op(high), self.op(low))
        else {
            return None;
        };
        let x = self.arg(high, 0);
        if x != self.arg(low, 0) || high_start != low_start + self.width(low) {
            return None;
        }
        Some(self.bv_extract(high_start + self.width(high) - 1, low_start, x))
    }

    fn simplify_sign_extend(&mut self, width: u32, a: TermId) -> Option<TermId> {
        if self.width(a) == width {
            return self.fired(Rule::SignExtendNothing, a);
        }
        if let Some(x) = self.under(a, Op::BvSignExtend) {
            let term = self.bv_sign_extend(width, x);
            return self.fired(Rule::SignExtendTwice, term);
        }
        let (high, low) = self.pair(a, Op::BvConcat)?;
        if !self.is_value(high) {
            return None;
        }
        let high = self.bv_sign_extend(width - self.width(low), high);
        let term = self.bv_concat(high, low);
        self.fired(Rule::SignExtendConcat, term)
    }

    fn simplify_extract(&mut self, low: u32, width: u32, a: TermId) -> Option<TermId> {
        let old_width = self.width(a);
        if width == old_width {
            return self.fired(Rule::ExtractWhole, a);
        }
        let top = low + width - 1;
        match self.op(a) {
            Op::BvExtract(start) => {
                let x = self.arg(a, 0);
                let term = self.bv_extract(top + start, low + start, x);
                self.fired(Rule::ExtractExtract, term)
            }
            Op::BvConcat => {
                let (high_part, low_part) = self.pair(a, Op::BvConcat)?;
                let cut = self.width(low_part);
                if low >= cut {
                    let term = self.bv_extract(top - cut, low - cut, high_part);
                    return self.fired(Rule::ExtractConcatHigh, term);
                }
                if top < cut {
                    let term = self.bv_extract(top, low, low_part);
                    return self.fired(Rule::ExtractConcatLow, term);
                }
                let high_part = self.bv_extract(top - cut, 0, high_part);
                let low_part = self.bv_extract(cut - 1, low, low_part);
                let term = self.bv_concat(high_part, low_part);
                self.fired(Rule::ExtractConcatBoth, term)
            }
            Op::BvSignExtend => {
                let x = self.arg(a, 0);
                let inner = self.width(x);
                if top < inner {
                    let term = self.bv_extract(top, low, x);
                    return self.fired(Rule::ExtractSignExtendLow, term);
                }
                // From the sign bit on, all bits are it.
                let kept = self.bv_extract(inner - 1, low.min(inner - 1), x);
                let term = self.bv_sign_extend(width, kept);
                self.fired(Rule::ExtractSignExtendHigh, term)
            }
            Op::BvNot if self.extracts_well(a) || self.is_cut_well(self.arg(a, 0)) => {
                let x = self.bv_extract(top, low, self.arg(a, 0));
                let term = self.bv_not(x);
                self.fired(Rule::ExtractNot, term)
            }
            op @ (Op::BvAnd | Op::BvXor) if self.is_cut_well(a) => {
                let (x, y) = self.pair(a, op)?;
                let (x, y) = (self.bv_extract(top, low, x), self.bv_extract(top, low, y));
                let term = self.app(op, Sort::BitVec(width), &[x, y]);
                self.fired(Rule::ExtractBitwise, term)
            }
            op @ (Op::BvAdd | Op::BvMul) if low == 0 && self.args_extract_well(a) => {
                // Low bits of sums and products depend on low bits alone.
                let (x, y) = self.pair(a, op)?;
                let (x, y) = (self.bv_extract(top, 0, x), self.bv_extract(top, 0, y));
                let term = self.app(op, Sort::BitVec(width), &[x, y]);
                self.fired(Rule::ExtractLowArithmetic, term)
            }
            Op::BvNeg if low == 0 && self.args_extract_well(a) => {
                let x = self.bv_extract(top, 0, self.arg(a, 0));
                let term = self.bv_neg(x);
                self.fired(Rule::ExtractLowNeg, term)
            }
            _ if self.upper_bound(a).is_some_and(|most| most.bit_len() <= low) => {
                let zero = self.bv_u64(width, 0);
                self.fired(Rule::ExtractAboveBound, zero)
            }
            _ => None,
        }
    }

    /// Returns whether some bits of the word are obviously simpler than the word. An operator is cut
    /// only if this holds for its operands; else a copy of all the terms below it would be made for
    /// each range of bits that is asked for.
    fn extracts_well(&self, term: TermId) -> bool {
        match self.op(term) {
            Op::Const(_) | Op::Var(_) => true,
            Op::BvConcat | Op::BvExtract(_) | Op::BvSignExtend => true,
            Op::BvNot => {
                let inner = self.arg(term, 0);
                self.op(inner) != Op::BvNot && self.extracts_well(inner)
            }
            _ => false,
        }
    }

    /// Returns whether the word is a bitwise operator whose operands are worth cutting.
    fn is_cut_well(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::BvAnd | Op::BvXor) && self.args_extract_well(term)
    }

    fn args_extract_well(&self, term: TermId) -> bool {
        self.args(term).iter().all(|&arg| self.extracts_well(arg))
    }
}
