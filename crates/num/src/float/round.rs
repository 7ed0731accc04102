//! Unpacking to exact numbers, and the one place where numbers are rounded.
//!
//! A finite value is `sig * 2^exp` with a sign. [`round`] takes such a number with an unbounded
//! significand, plus a *sticky* flag that says that the true magnitude lies strictly between `sig`
//! and `sig + 1` units, and gives the format's neighbour that the rounding mode selects. Sticky
//! results must carry at least two bits more than the precision, so that the flag stands below the
//! rounding position; callers see to it.

use super::Float;
use crate::bitvec::BitVec;
use crate::format::{FloatFormat, RoundingMode};
use crate::natural::Natural;

/// A value taken apart.
pub(super) enum Unpacked {
    Nan,
    /// Infinity with its sign.
    Infinite(bool),
    /// Zero with its sign.
    Zero(bool),
    Finite(Exact),
}

/// A number other than zero: `sig * 2^exp`, negated if `negative`.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) sig: Natural,
    pub(super) exp: i64,
}

impl Float {
    pub(super) fn unpack(&self) -> Unpacked {
        use super::FloatClass::*;
        let negative = self.is_sign_negative();
        let format = self.format;
        match self.classify() {
            Nan => Unpacked::Nan,
            Infinite => Unpacked::Infinite(negative),
            Zero => Unpacked::Zero(negative),
            Subnormal => Unpacked::Finite(Exact {
                negative,
                sig: self.significand_field().to_natural(),
                exp: format.quantum_exponent(),
            }),
            Normal => {
                let precision = format.significand_bits();
                let fraction = self.bits.truncate(precision - 1).to_natural();
                let biased = self.exponent_field().to_u64().expect("exponent fields are narrow");
                Unpacked::Finite(Exact {
                    negative,
                    sig: fraction.add(&Natural::power_of_two(precision as usize - 1)),
                    exp: biased as i64 - format.bias() - (i64::from(precision) - 1),
                })
            }
        }
    }
}

/// The value of `format` that `mode` selects for the given magnitude and sign.
pub(super) fn round(format: FloatFormat, mode: RoundingMode, number: Exact, sticky: bool) -> Float {
    let Exact { negative, sig, exp } = number;
    let precision = i64::from(format.significand_bits());
    let len = sig.bit_len() as i64;
    if len == 0 {
        assert!(!sticky, "a sticky result carries bits beyond the precision");
        return Float::zero(format, negative);
    }
    // The exponent of the last bit that the format can keep.
    let unit = (exp + len - precision).max(format.quantum_exponent());
    let drop = unit - exp;
    let mut kept;
    if drop <= 0 {
        assert!(!sticky, "a sticky result carries bits beyond the precision");
        kept = sig.shl((-drop) as usize);
    } else {
        // Beyond one more than the length, all dropped positions look alike.
        let drop = drop.min(len + 1) as usize;
        kept = sig.shr(drop);
        let half = sig.bit(drop - 1);
        let rest = sticky || sig.any_low_bit(drop - 1);
        if mode.increments(negative, kept.is_odd(), half, rest) {
            kept = kept.add(&Natural::from(1u64));
        }
    }
    // An increment may carry into one more bit; the number is then a power of two and the packing
    // below, which only looks at the value `kept * 2^unit`, takes care of it.
    let kept_len = kept.bit_len() as i64;
    if kept_len > precision {
        return pack(format, mode, negative, &kept.shr(1), unit + 1);
    }
    pack(format, mode, negative, &kept, unit)
}

/// A number that the format represents exactly (or overflows to infinity).
pub(super) fn exact(format: FloatFormat, negative: bool, sig: Natural, exp: i64) -> Float {
    round(format, RoundingMode::NearestEven, Exact { negative, sig, exp }, false)
}

/// Encodes `kept * 2^unit`, where `kept` has at most the precision's bits, and exactly so many
/// unless `unit` is the format's least.
fn pack(
    format: FloatFormat,
    mode: RoundingMode,
    negative: bool,
    kept: &Natural,
    unit: i64,
) -> Float {
    let precision = i64::from(format.significand_bits());
    let subnormal = (kept.bit_len() as i64) < precision;
    let exponent = unit + precision - 1;
    if !subnormal && exponent > format.max_exponent() {
        let to_infinity = mode.increments(negative, true, true, true);
        return if to_infinity {
            Float::infinity(format, negative)
        } else {
            Float::largest(format, negative)
        };
    }
    let biased = if subnormal { 0 } else { exponent + format.bias() };
    let exponent_field = BitVec::from_i64(format.exponent_bits(), biased);
    // Cutting to the stored width drops the leading bit where it is hidden.
    let significand_field = BitVec::from_natural(format.stored_significand_bits(), kept);
    Float::assemble(format, negative, &exponent_field, &significand_field)
}
