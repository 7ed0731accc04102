//! Conversions of floats to integers, step by step as gcc's code does them without optimisation.
//!
//! C leaves the value open where the integer type cannot represent it (6.3.1.4p1). Programs convert such values all the
//! same and print what comes out, so lowering writes down what the machine computes: GOTO's own conversion (which
//! gives 100…0 for what does not fit, like the instructions of x86) to the type that the instruction has, and from there
//! to the type that C asks for. Narrow types go through wider ones, unsigned ones through signed ones, and what no
//! instruction does is done as by gcc's support library.
//!
//! Whatever the steps are, the claim of each of them that the value stays the same holds for all values that fit the type
//! of the conversion, and one of them fails for every other value. Where the result does not depend on
//! the value any more, it is written so that it still contains the conversion that fails.

use crate::function::Fx;
use vergo_cfront::hir::ExprId as HirExpr;
use vergo_cfront::types::TypeKind;
use vergo_goto::expr::ExprId;
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};

/// The converter of numbers of a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// SSE: to signed words of 32 and 64 bits.
    Sse,
    /// x87: to signed words of 16, 32 and 64 bits.
    X87,
    /// Software: the nearest bound of 32, 64 and 128 bits, signed or not.
    Soft,
}

impl Fx<'_, '_> {
    /// Returns whether the conversion of an operand to an integer is one of the user's program that could go wrong.
    pub(crate) fn claims_conversion(&self, operand: HirExpr) -> bool {
        !self.cx.units[self.u].library
            && matches!(self.unit.types.kind(self.unit.exprs[operand].ty), TypeKind::Float(_))
    }

    /// Claims that a float, truncated, is a value of an integer type (C17 6.3.1.4p1).
    pub(crate) fn claim_converts(&mut self, value: ExprId, to: TypeId) {
        let Some(fits) = self.cx.p.float_fits(RoundingMode::TowardZero, to, value) else { return };
        if self.constant_truth(fits) != Some(true) {
            let description =
                "a floating number is converted to an integer type that cannot hold it".to_owned();
            self.claim(fits, "arith.float-conversion", description);
        }
    }

    /// A float as an integer of a type, truncated; what does not fit as on the machine.
    pub(crate) fn float_to_int(&mut self, value: ExprId, to: TypeId) -> ExprId {
        let Type::Int { signed, width } = *self.cx.p.types.get(to) else { return value };
        let Type::Float(format) = *self.cx.p.type_of(value) else { return value };
        let unit = match format {
            FloatFormat::QUAD => Unit::Soft,
            FloatFormat::HALF if width > 64 => Unit::Soft,
            FloatFormat::X87_EXTENDED => Unit::X87,
            _ if self.cx.p.machine.pointer_width == 32 => Unit::X87,
            _ => Unit::Sse,
        };
        let converted = match (unit, signed, width) {
            (Unit::Soft, _, 0..=32) => self.saturated(value, format, signed, 32),
            (Unit::Soft, _, 33..=64) => self.saturated(value, format, signed, 64),
            (Unit::Soft, ..) => self.saturated(value, format, signed, 128),
            (Unit::X87, true, 0..=16) | (Unit::X87, false, 0..=8) => self.signed(value, 16),
            (_, true, 0..=32) | (_, false, 0..=16) => self.signed(value, 32),
            (_, true, 33..=64) | (_, false, 17..=32) => self.signed(value, 64),
            (_, false, 33..=64) => {
                // The upper half of the range goes through a difference, of which 65 bits are seen: none from 2^64 on.
                let bound = self.power_of_two(format, 63);
                let is_upper = self.cx.p.ge(value, bound);
                let upper = self.signed(value, 65);
                let lower = self.signed(value, 64);
                let word = self.cx.p.types.int(false, 64);
                let (upper, lower) = (self.cx.p.cast(word, upper), self.cx.p.cast(word, lower));
                self.cx.p.ite(is_upper, upper, lower)
            }
            (_, false, _) => self.halves(value, format),
            (_, true, _) => self.signed_halves(value, format),
        };
        self.cx.p.cast(to, converted)
    }

    fn signed(&mut self, value: ExprId, width: u32) -> ExprId {
        let ty = self.cx.p.types.int(true, width);
        self.cx.p.cast(ty, value)
    }

    fn power_of_two(&mut self, format: FloatFormat, exponent: i64) -> ExprId {
        let power = Float::power_of_two(format, RoundingMode::NearestEven, exponent);
        self.cx.p.float(power)
    }

    fn is_negative(&mut self, value: ExprId) -> ExprId {
        let ty = self.cx.p.exprs.ty(value);
        let zero = self.cx.p.zero(ty);
        self.cx.p.lt(value, zero)
    }

    /// Zero for negative values: 100…0 of one more bit, cut.
    fn unsigned_of_negative(&mut self, value: ExprId, width: u32) -> ExprId {
        let wider = self.cx.p.types.int(false, width + 1);
        let ty = self.cx.p.types.int(false, width);
        let wide = self.cx.p.cast(wider, value);
        self.cx.p.cast(ty, wide)
    }

    /// To the nearest bound where it does not fit; the NaN to the upper one.
    fn saturated(
        &mut self,
        value: ExprId,
        format: FloatFormat,
        signed: bool,
        width: u32,
    ) -> ExprId {
        let ty = self.cx.p.types.int(signed, width);
        let converted = self.cx.p.cast(ty, value);
        let is_negative = self.is_negative(value);
        if signed {
            // What does not fit is the lower bound already.
            let is_low = self.is_negative(converted);
            let is_not_negative = self.cx.p.not(is_negative);
            let is_above = self.cx.p.and(is_low, is_not_negative);
            let greatest = self.cx.p.int_bits(ty, BitVec::max_signed(width));
            return self.cx.p.ite(is_above, greatest, converted);
        }
        let bound = self.power_of_two(format, width.into());
        let is_below = self.cx.p.lt(value, bound);
        let rest = self.cx.p.int_bits(ty, BitVec::max_signed(width));
        let ones = self.cx.p.bit_or(converted, rest);
        let above = self.cx.p.ite(is_below, converted, ones);
        let below = self.unsigned_of_negative(value, width);
        self.cx.p.ite(is_negative, below, above)
    }

    /// To an unsigned type of 128 bits: the upper half, and the lower one from what that leaves.
    fn halves(&mut self, value: ExprId, format: FloatFormat) -> ExprId {
        let format = if format == FloatFormat::X87_EXTENDED { format } else { FloatFormat::DOUBLE };
        let float = self.cx.p.types.float(format);
        let value = self.cx.p.cast(float, value);
        let half = self.cx.p.types.int(false, 64);
        let whole = self.cx.p.types.int(false, 128);
        let shrink = self.power_of_two(format, -64);
        let grow = self.power_of_two(format, 64);
        let scaled = self.cx.p.mul(value, shrink);
        let upper = self.float_to_int(scaled, half);
        let taken = self.cx.p.cast(float, upper);
        let taken = self.cx.p.mul(taken, grow);
        let rest = self.cx.p.sub(value, taken);
        let lower = self.float_to_int(rest, half);
        let (upper, lower) = (self.cx.p.cast(whole, upper), self.cx.p.cast(whole, lower));
        let amount = self.cx.p.int(whole, 64);
        let upper = self.cx.p.shl(upper, amount);
        let joined = self.cx.p.bit_or(upper, lower);
        if format != FloatFormat::X87_EXTENDED {
            return joined;
        }
        let is_negative = self.is_negative(value);
        let below = self.unsigned_of_negative(value, 128);
        self.cx.p.ite(is_negative, below, joined)
    }

    /// To a signed type of 128 bits: where it does not fit, the magnitude as if unsigned, and its sign.
    fn signed_halves(&mut self, value: ExprId, format: FloatFormat) -> ExprId {
        let ty = self.cx.p.types.int(true, 128);
        let negated = self.cx.p.neg(value);
        let plain = self.halves(value, format);
        let plain = self.cx.p.cast(ty, plain);
        let magnitude = self.halves(negated, format);
        let magnitude = self.cx.p.cast(ty, magnitude);
        let minus = self.cx.p.neg(magnitude);
        let is_negative = self.is_negative(value);
        let outside = self.cx.p.ite(is_negative, minus, plain);
        let bound = self.power_of_two(format, 127);
        let opposite = self.cx.p.neg(bound);
        let (above, below) = (self.cx.p.le(opposite, value), self.cx.p.lt(value, bound));
        let fits = self.cx.p.and(above, below);
        let inside = self.cx.p.cast(ty, value);
        self.cx.p.ite(fits, inside, outside)
    }
}
