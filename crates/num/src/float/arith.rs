//! Arithmetic and comparison, each exact before one rounding.

use super::round::{Exact, Unpacked, round};
use super::{Float, native};
use crate::format::{FloatFormat, RoundingMode};
use crate::natural::Natural;
use std::cmp::Ordering;

/// Arithmetic. Operands must have the same format; a mismatch is a bug in the caller and panics.
impl Float {
    /// `self + other`.
    pub fn add(&self, mode: RoundingMode, other: &Float) -> Float {
        native::add(mode, self, other).unwrap_or_else(|| self.add_generic(mode, other))
    }

    /// `self - other`.
    pub fn sub(&self, mode: RoundingMode, other: &Float) -> Float {
        self.add(mode, &other.neg())
    }

    /// `self * other`.
    pub fn mul(&self, mode: RoundingMode, other: &Float) -> Float {
        native::mul(mode, self, other).unwrap_or_else(|| self.mul_generic(mode, other))
    }

    /// `self / other`.
    pub fn div(&self, mode: RoundingMode, other: &Float) -> Float {
        native::div(mode, self, other).unwrap_or_else(|| self.div_generic(mode, other))
    }

    /// `self * factor + addend` with a single rounding.
    pub fn fma(&self, mode: RoundingMode, factor: &Float, addend: &Float) -> Float {
        native::fma(mode, self, factor, addend)
            .unwrap_or_else(|| self.fma_generic(mode, factor, addend))
    }

    /// The square root.
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        native::sqrt(mode, self).unwrap_or_else(|| self.sqrt_generic(mode))
    }

    pub(super) fn add_generic(&self, mode: RoundingMode, other: &Float) -> Float {
        let format = self.same_format(other);
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _) | (_, Unpacked::Nan) => Float::nan(format),
            (Unpacked::Infinite(a), Unpacked::Infinite(b)) if a != b => Float::nan(format),
            (Unpacked::Infinite(_), _) => self.clone(),
            (_, Unpacked::Infinite(_)) => other.clone(),
            (Unpacked::Zero(a), Unpacked::Zero(b)) => zero_sum(format, mode, a, b),
            (Unpacked::Zero(_), _) => other.clone(),
            (_, Unpacked::Zero(_)) => self.clone(),
            (Unpacked::Finite(a), Unpacked::Finite(b)) => round_sum(format, mode, a, b),
        }
    }

    pub(super) fn mul_generic(&self, mode: RoundingMode, other: &Float) -> Float {
        let format = self.same_format(other);
        let negative = self.is_sign_negative() != other.is_sign_negative();
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _) | (_, Unpacked::Nan) => Float::nan(format),
            (Unpacked::Infinite(_), Unpacked::Zero(_))
            | (Unpacked::Zero(_), Unpacked::Infinite(_)) => Float::nan(format),
            (Unpacked::Infinite(_), _) | (_, Unpacked::Infinite(_)) => {
                Float::infinity(format, negative)
            }
            (Unpacked::Zero(_), _) | (_, Unpacked::Zero(_)) => Float::zero(format, negative),
            (Unpacked::Finite(a), Unpacked::Finite(b)) => round(format, mode, a.product(&b), false),
        }
    }

    pub(super) fn div_generic(&self, mode: RoundingMode, other: &Float) -> Float {
        let format = self.same_format(other);
        let negative = self.is_sign_negative() != other.is_sign_negative();
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _) | (_, Unpacked::Nan) => Float::nan(format),
            (Unpacked::Infinite(_), Unpacked::Infinite(_))
            | (Unpacked::Zero(_), Unpacked::Zero(_)) => Float::nan(format),
            (Unpacked::Infinite(_), _) | (_, Unpacked::Zero(_)) => {
                Float::infinity(format, negative)
            }
            (Unpacked::Zero(_), _) | (_, Unpacked::Infinite(_)) => Float::zero(format, negative),
            (Unpacked::Finite(a), Unpacked::Finite(b)) => {
                let number = Exact { negative, sig: a.sig, exp: a.exp - b.exp };
                round_quotient(format, mode, number, &b.sig)
            }
        }
    }

    pub(super) fn fma_generic(&self, mode: RoundingMode, factor: &Float, addend: &Float) -> Float {
        let format = self.same_format(factor);
        self.same_format(addend);
        let negative = self.is_sign_negative() != factor.is_sign_negative();
        let product = match (self.unpack(), factor.unpack()) {
            (Unpacked::Nan, _) | (_, Unpacked::Nan) => return Float::nan(format),
            (Unpacked::Infinite(_), Unpacked::Zero(_))
            | (Unpacked::Zero(_), Unpacked::Infinite(_)) => return Float::nan(format),
            (Unpacked::Infinite(_), _) | (_, Unpacked::Infinite(_)) => {
                return Float::infinity(format, negative).add_generic(mode, addend);
            }
            (Unpacked::Zero(_), _) | (_, Unpacked::Zero(_)) => {
                return Float::zero(format, negative).add_generic(mode, addend);
            }
            (Unpacked::Finite(a), Unpacked::Finite(b)) => a.product(&b),
        };
        match addend.unpack() {
            Unpacked::Nan | Unpacked::Infinite(_) => addend.clone(),
            Unpacked::Zero(_) => round(format, mode, product, false),
            Unpacked::Finite(c) => round_sum(format, mode, product, c),
        }
    }

    pub(super) fn sqrt_generic(&self, mode: RoundingMode) -> Float {
        let format = self.format;
        match self.unpack() {
            Unpacked::Nan | Unpacked::Infinite(true) => Float::nan(format),
            Unpacked::Infinite(false) | Unpacked::Zero(_) => self.clone(),
            Unpacked::Finite(Exact { negative: true, .. }) => Float::nan(format),
            Unpacked::Finite(Exact { sig, exp, .. }) => {
                // Scale so that the integer root has two bits more than the precision and the
                // exponent is even.
                let wanted = 2 * (format.significand_bits() as usize + 2);
                let mut shift = wanted.saturating_sub(sig.bit_len());
                if (exp - shift as i64) % 2 != 0 {
                    shift += 1;
                }
                let (root, inexact) = sig.shl(shift).sqrt();
                let number = Exact { negative: false, sig: root, exp: (exp - shift as i64) / 2 };
                round(format, mode, number, inexact)
            }
        }
    }

    /// IEEE's remainder: `self - other * n` with `n` the integer nearest to the exact quotient, ties
    /// to even. It is always exact. (SMT-LIB's `fp.rem`, C's `remainder`.)
    pub fn rem(&self, other: &Float) -> Float {
        self.remainder_with(other, |remainder, modulus, quotient_odd| {
            // Nearer to the next multiple, or half way with an odd quotient: step over.
            match remainder.shl(1).cmp(modulus) {
                Ordering::Less => false,
                Ordering::Equal => quotient_odd,
                Ordering::Greater => true,
            }
        })
    }

    /// C's `fmod`: `self - other * n` with `n` the exact quotient truncated towards zero. It is
    /// always exact.
    pub fn fmod(&self, other: &Float) -> Float {
        self.remainder_with(other, |_, _, _| false)
    }

    /// The remainder of the truncated division, less one more divisor where `steps_over` (given the
    /// remainder, the divisor and whether the quotient is odd) says so.
    fn remainder_with(
        &self,
        other: &Float,
        steps_over: impl Fn(&Natural, &Natural, bool) -> bool,
    ) -> Float {
        let format = self.same_format(other);
        let (a, b) = match (self.unpack(), other.unpack()) {
            (Unpacked::Nan | Unpacked::Infinite(_), _) | (_, Unpacked::Nan | Unpacked::Zero(_)) => {
                return Float::nan(format);
            }
            (Unpacked::Zero(_), _) | (_, Unpacked::Infinite(_)) => return self.clone(),
            (Unpacked::Finite(a), Unpacked::Finite(b)) => (a, b),
        };
        // Bring both to one unit. The dividend is only needed modulo twice the divisor: the
        // remainder and the parity of the quotient follow from that, however far apart they are.
        let unit;
        let modulus;
        let doubled;
        if a.exp >= b.exp {
            unit = b.exp;
            modulus = b.sig;
            doubled = modulus.shl(1).mul_pow2_mod(&a.sig, (a.exp - b.exp) as u64);
        } else {
            // A divisor more than twice the dividend leaves it alone whatever the rounding.
            let shift = b.exp - a.exp;
            if b.sig.bit_len() as i64 + shift > a.sig.bit_len() as i64 + 1 {
                return self.clone();
            }
            unit = a.exp;
            modulus = b.sig.shl(shift as usize);
            doubled = a.sig.div_rem(&modulus.shl(1)).1;
        }
        let quotient_odd = doubled >= modulus;
        let remainder = if quotient_odd { doubled.sub(&modulus) } else { doubled };
        if remainder.is_zero() {
            return Float::zero(format, a.negative);
        }
        let number = if steps_over(&remainder, &modulus, quotient_odd) {
            Exact { negative: !a.negative, sig: modulus.sub(&remainder), exp: unit }
        } else {
            Exact { negative: a.negative, sig: remainder, exp: unit }
        };
        round(format, RoundingMode::NearestEven, number, false)
    }

    /// The nearest integral value in the mode's sense; zero keeps the operand's sign.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Float {
        match self.unpack() {
            Unpacked::Finite(number) if number.exp < 0 => {
                let negative = number.negative;
                let sig = number.to_integer(mode);
                let number = Exact { negative, sig, exp: 0 };
                round(self.format, RoundingMode::NearestEven, number, false)
            }
            _ => self.clone(),
        }
    }

    /// SMT-LIB's `fp.min`, with the choice it leaves open made: of two zeros of different signs, the
    /// second operand. NaN only if both are.
    pub fn min(&self, other: &Float) -> Float {
        if other.is_nan() || self.lt(other) { self.clone() } else { other.clone() }
    }

    /// SMT-LIB's `fp.max`, with the choice it leaves open made: of two zeros of different signs, the
    /// second operand. NaN only if both are.
    pub fn max(&self, other: &Float) -> Float {
        if other.is_nan() || other.lt(self) { self.clone() } else { other.clone() }
    }

    /// C's `fmin` as the C library computes it: NaN only if both are, and minus zero is below plus
    /// zero.
    pub fn c_fmin(&self, other: &Float) -> Float {
        if self.is_zero() && other.is_zero() && self.is_sign_negative() {
            return self.clone();
        }
        self.min(other)
    }

    /// C's `fmax` as the C library computes it: NaN only if both are, and plus zero is above minus
    /// zero.
    pub fn c_fmax(&self, other: &Float) -> Float {
        if self.is_zero() && other.is_zero() && !self.is_sign_negative() {
            return self.clone();
        }
        self.max(other)
    }

    fn same_format(&self, other: &Float) -> FloatFormat {
        assert!(
            self.format == other.format,
            "operands of formats {} and {}",
            self.format,
            other.format
        );
        self.format
    }
}

/// Comparison as IEEE defines it: NaN is unordered, zeros are equal.
impl Float {
    /// Compares the values; `None` if one is NaN.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        self.same_format(other);
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        // Encodings are ordered as sign and magnitude.
        Some(match (self.is_sign_negative(), other.is_sign_negative()) {
            (false, false) => self.bits.cmp(&other.bits),
            (true, true) => other.bits.cmp(&self.bits),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// `self == other`.
    pub fn ieee_eq(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// `self < other`.
    pub fn lt(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// `self <= other`.
    pub fn le(&self, other: &Float) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }
}

impl Exact {
    fn product(&self, other: &Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            sig: self.sig.mul(&other.sig),
            exp: self.exp + other.exp,
        }
    }

    /// The magnitude rounded to an integer.
    pub(super) fn to_integer(&self, mode: RoundingMode) -> Natural {
        if self.exp >= 0 {
            return self.sig.shl(self.exp as usize);
        }
        let drop = (-self.exp).min(self.sig.bit_len() as i64 + 1) as usize;
        let kept = self.sig.shr(drop);
        let half = self.sig.bit(drop - 1);
        let rest = self.sig.any_low_bit(drop - 1);
        if mode.increments(self.negative, kept.is_odd(), half, rest) {
            kept.add(&Natural::from(1u64))
        } else {
            kept
        }
    }
}

/// `number / divisor`, rounded.
pub(super) fn round_quotient(
    format: FloatFormat,
    mode: RoundingMode,
    number: Exact,
    divisor: &Natural,
) -> Float {
    let wanted = divisor.bit_len() + format.significand_bits() as usize + 3;
    let shift = wanted.saturating_sub(number.sig.bit_len());
    let (quotient, remainder) = number.sig.shl(shift).div_rem(divisor);
    let number = Exact { negative: number.negative, sig: quotient, exp: number.exp - shift as i64 };
    round(format, mode, number, !remainder.is_zero())
}

/// The sign of an exact sum of zero: the operands' if they agree, else plus, or minus when rounding
/// downwards.
fn zero_sum(format: FloatFormat, mode: RoundingMode, a: bool, b: bool) -> Float {
    let negative = if a == b { a } else { mode == RoundingMode::TowardNegative };
    Float::zero(format, negative)
}

/// `a + b`, rounded.
fn round_sum(format: FloatFormat, mode: RoundingMode, a: Exact, b: Exact) -> Float {
    let top = |x: &Exact| x.exp + x.sig.bit_len() as i64;
    let (mut high, mut low) = if top(&a) >= top(&b) { (a, b) } else { (b, a) };
    // Give the larger operand more bits than the precision. A smaller operand that ends well below
    // its last bit then only pushes the sum off a multiple of that bit, and any number as small does
    // the same: it is replaced by one of the same sign that is near enough to compute with.
    let widen = (format.significand_bits() as usize + 2).saturating_sub(high.sig.bit_len());
    if top(&low) < high.exp - widen as i64 - 3 {
        high.sig = high.sig.shl(widen);
        high.exp -= widen as i64;
        low.sig = Natural::from(1u64);
        low.exp = high.exp - 3;
    }
    let exp = high.exp.min(low.exp);
    let high_sig = high.sig.shl((high.exp - exp) as usize);
    let low_sig = low.sig.shl((low.exp - exp) as usize);
    let (negative, sig) = if high.negative == low.negative {
        (high.negative, high_sig.add(&low_sig))
    } else {
        match high_sig.cmp(&low_sig) {
            Ordering::Greater => (high.negative, high_sig.sub(&low_sig)),
            Ordering::Less => (low.negative, low_sig.sub(&high_sig)),
            Ordering::Equal => return zero_sum(format, mode, false, true),
        }
    };
    round(format, mode, Exact { negative, sig, exp }, false)
}
