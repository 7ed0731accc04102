//! Operators whose result is a float.
//!
//! Products, quotients and roots are circuits where that is easy and free where it is not; see [`crate::rounded`] for what
//! constrains those.

use super::float::{Mode, Unpacked, exponent_width};
use super::word::Word;
use super::{Blaster, Origin, float_add, float_convert, float_mul};
use crate::rounded::{Kind, MODE};
use vergo_num::{FloatFormat, FormatKind, RoundingMode};
use vergo_sat::{Aig, Lit};
use vergo_term::{Op, TermId};

/// Floats wider than that have circuits.
const MAX_WIDTH: u32 = 64;

impl Blaster {
    /// Operators whose result is a float.
    pub(super) fn float_step(
        &mut self,
        term: TermId,
        op: Op,
        format: FloatFormat,
        args: &[TermId],
    ) -> Unpacked {
        let mode = match op {
            Op::FpAdd
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRoundToIntegral
            | Op::FpConvert
            | Op::FpFromSbv
            | Op::FpFromUbv => self.mode(args[0]),
            // The others do not round.
            _ => Mode::constant(RoundingMode::TowardZero),
        };
        let kind = match op {
            Op::FpMul => Some(Kind::Product),
            Op::FpDiv => Some(Kind::Quotient),
            Op::FpSqrt => Some(Kind::Root),
            _ => None,
        };
        if let Some(kind) = kind {
            let operands: Vec<Unpacked> =
                args[1..].iter().map(|arg| self.floats[arg].clone()).collect();
            let is_free =
                mode.nearest_even == Lit::TRUE && self.is_hard_float(kind, format, &operands);
            if is_free {
                let free = self.free_float(term, format);
                return self.operations.add(&mut self.aig, term, kind, operands, free);
            }
            return circuit(&mut self.aig, kind, &mode, &operands);
        }
        let get = |i: usize| &self.floats[&args[i]];
        let g = &mut self.aig;
        match op {
            Op::FpAdd => float_add::add(g, &mode, get(1), get(2)),
            Op::FpAbs => get(0).abs(),
            Op::FpNeg => get(0).neg(),
            Op::FpFma => float_add::fma(g, &mode, get(1), get(2), get(3)),
            Op::FpRem => float_mul::rem(g, get(0), get(1)),
            Op::FpFmod => float_mul::fmod(g, get(0), get(1)),
            Op::FpRoundToIntegral => float_convert::round_to_integral(g, &mode, get(1)),
            Op::FpMin => Unpacked::min(g, get(0), get(1)),
            Op::FpMax => Unpacked::max(g, get(0), get(1)),
            Op::FpConvert => float_convert::convert(g, &mode, get(1), format),
            Op::FpFromBits => {
                let bits = self.word(args[0]);
                Unpacked::from_bits(&mut self.aig, format, &bits)
            }
            Op::FpFromSbv => {
                let bits = self.word(args[1]);
                float_convert::from_signed(&mut self.aig, &mode, &bits, format)
            }
            Op::FpFromUbv => {
                let bits = self.word(args[1]);
                float_convert::from_unsigned(&mut self.aig, &mode, &bits, format)
            }
            _ => unreachable!("{op:?} has no float"),
        }
    }

    /// Returns whether the result of an operation is better left free: a third of the digits of each operand is unknown, or of
    /// the divisor.
    fn is_hard_float(&self, kind: Kind, format: FloatFormat, operands: &[Unpacked]) -> bool {
        let is_unknown = |operand: &Unpacked| {
            let unknown = operand.significand.iter().filter(|lit| lit.as_constant().is_none());
            3 * unknown.count() >= operand.significand.len()
        };
        let decisive = if kind == Kind::Quotient { &operands[1..] } else { operands };
        format.kind() == FormatKind::Ieee
            && (self.options.float_bits..=MAX_WIDTH).contains(&format.width())
            && decisive.iter().all(is_unknown)
    }

    /// A float of which nothing is known, not even that it is one.
    fn free_float(&mut self, term: TermId, format: FloatFormat) -> Unpacked {
        let (n_digits, n_exponent) = (format.significand_bits() as usize, exponent_width(format));
        let mut bits = self.fresh(n_digits - 1 + n_exponent + 2, |bit| Origin::Bit(term, bit));
        let flags: Word = bits.split_off(n_digits - 1 + n_exponent);
        let exponent = bits.split_off(n_digits - 1);
        let mut significand = bits;
        significand.push(Lit::TRUE);
        let (infinite, zero, sign) = (flags[0], flags[1], Lit::FALSE);
        Unpacked { format, nan: Lit::FALSE, infinite, zero, sign, exponent, significand }
    }

    /// Builds the condition that the result of a free operation is the result of its operands.
    pub(crate) fn operation_is_right(&mut self, number: usize) -> Lit {
        let (kind, operands, result) = self.operations.parts(number);
        let exact = circuit(&mut self.aig, kind, &Mode::constant(MODE), &operands);
        Unpacked::same(&mut self.aig, &result, &exact)
    }
}

/// The circuit of an operation.
fn circuit(aig: &mut Aig, kind: Kind, mode: &Mode, operands: &[Unpacked]) -> Unpacked {
    match kind {
        Kind::Product => float_mul::mul(aig, mode, &operands[0], &operands[1]),
        Kind::Quotient => float_mul::div(aig, mode, &operands[0], &operands[1]),
        Kind::Root => float_mul::sqrt(aig, mode, &operands[0]),
    }
}
