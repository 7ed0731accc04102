//! Conversions between formats, to and from words, and from rational numbers.

use super::Float;
use super::arith::round_quotient;
use super::round::{Exact, Unpacked, round};
use crate::bitvec::BitVec;
use crate::format::{FloatFormat, RoundingMode};
use crate::natural::Natural;

impl Float {
    /// The value in another format.
    pub fn convert(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        if format == self.format {
            return self.clone();
        }
        match self.unpack() {
            Unpacked::Nan => Float::nan(format),
            Unpacked::Infinite(negative) => Float::infinity(format, negative),
            Unpacked::Zero(negative) => Float::zero(format, negative),
            Unpacked::Finite(number) => round(format, mode, number, false),
        }
    }

    /// The number that the word is in the unsigned reading.
    pub fn from_unsigned(format: FloatFormat, mode: RoundingMode, word: &BitVec) -> Float {
        Float::from_integer(format, mode, false, word.to_natural())
    }

    /// The number that the word is in the signed reading.
    pub fn from_signed(format: FloatFormat, mode: RoundingMode, word: &BitVec) -> Float {
        let magnitude = word.abs_wrapping().to_natural();
        Float::from_integer(format, mode, word.sign_bit(), magnitude)
    }

    /// The integer of the given magnitude and sign; a zero with the sign given.
    pub fn from_integer(
        format: FloatFormat,
        mode: RoundingMode,
        negative: bool,
        magnitude: Natural,
    ) -> Float {
        round(format, mode, Exact { negative, sig: magnitude, exp: 0 }, false)
    }

    /// The quotient of two naturals with a sign; `None` if the denominator is zero.
    pub fn from_rational(
        format: FloatFormat,
        mode: RoundingMode,
        negative: bool,
        numerator: Natural,
        denominator: &Natural,
    ) -> Option<Float> {
        if denominator.is_zero() {
            return None;
        }
        if numerator.is_zero() {
            return Some(Float::zero(format, negative));
        }
        let number = Exact { negative, sig: numerator, exp: 0 };
        Some(round_quotient(format, mode, number, denominator))
    }

    /// `2^exponent`, rounded.
    pub fn power_of_two(format: FloatFormat, mode: RoundingMode, exponent: i64) -> Float {
        round(format, mode, Exact { negative: false, sig: 1u64.into(), exp: exponent }, false)
    }

    /// The value rounded to an integer, as an unsigned word; `None` for NaN and if it does not fit.
    pub fn to_unsigned(&self, mode: RoundingMode, width: u32) -> Option<BitVec> {
        let (negative, magnitude) = self.to_integer(mode, width)?;
        let fits = magnitude.is_zero() || (!negative && magnitude.bit_len() <= width as usize);
        fits.then(|| BitVec::from_natural(width, &magnitude))
    }

    /// The value rounded to an integer, as a signed word; `None` for NaN and if it does not fit.
    pub fn to_signed(&self, mode: RoundingMode, width: u32) -> Option<BitVec> {
        let (negative, magnitude) = self.to_integer(mode, width)?;
        let limit = Natural::power_of_two(width as usize - 1);
        let fits = if negative { magnitude <= limit } else { magnitude < limit };
        let word = || BitVec::from_natural(width, &magnitude);
        fits.then(|| if negative { word().neg() } else { word() })
    }

    /// The value as an exact fraction: its sign, numerator and denominator (a power of two);
    /// `None` for NaN, infinities, and numbers so far from one that the fraction would not fit
    /// memory.
    pub fn to_rational(&self) -> Option<(bool, Natural, Natural)> {
        const LIMIT: i64 = 1 << 26;
        match self.unpack() {
            Unpacked::Nan | Unpacked::Infinite(_) => None,
            Unpacked::Zero(negative) => Some((negative, Natural::ZERO, Natural::from(1u64))),
            Unpacked::Finite(Exact { negative, sig, exp }) => {
                if exp.abs() > LIMIT {
                    None
                } else if exp >= 0 {
                    Some((negative, sig.shl(exp as usize), Natural::from(1u64)))
                } else {
                    Some((negative, sig, Natural::power_of_two((-exp) as usize)))
                }
            }
        }
    }

    /// Sign and magnitude of the value rounded to an integer; `None` for NaN, infinities, and if
    /// the magnitude is beyond any word of `width` bits.
    fn to_integer(&self, mode: RoundingMode, width: u32) -> Option<(bool, Natural)> {
        match self.unpack() {
            Unpacked::Nan | Unpacked::Infinite(_) => None,
            Unpacked::Zero(negative) => Some((negative, Natural::ZERO)),
            Unpacked::Finite(number) if number.exp > i64::from(width) => None,
            Unpacked::Finite(number) => Some((number.negative, number.to_integer(mode))),
        }
    }
}
