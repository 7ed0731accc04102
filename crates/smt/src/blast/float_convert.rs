//! Conversions between floats of different formats, integers and integral floats.

use super::arith;
use super::compare;
use super::float::{Mode, Unpacked, exponent_width, round, round_at, signed_width};
use super::shift;
use super::word::{self, Word};
use vergo_num::FloatFormat;
use vergo_sat::{Aig, Lit};

/// The value rounded to another format.
pub fn convert(aig: &mut Aig, mode: &Mode, a: &Unpacked, format: FloatFormat) -> Unpacked {
    if a.format == format {
        return a.clone();
    }
    let needed = format.significand_bits() as usize + 2;
    let mut significand = vec![Lit::FALSE; needed.saturating_sub(a.significand.len())];
    significand.extend_from_slice(&a.significand);
    let finite = round(aig, format, mode, a.sign, &a.exponent, &significand);
    let result = Unpacked::mux(aig, a.zero, &Unpacked::zero(format, a.sign), &finite);
    let result = Unpacked::mux(aig, a.infinite, &Unpacked::infinity(format, a.sign), &result);
    Unpacked::mux(aig, a.nan, &Unpacked::nan(format), &result)
}

/// An unsigned integer rounded to a format.
pub fn from_unsigned(aig: &mut Aig, mode: &Mode, word: &[Lit], format: FloatFormat) -> Unpacked {
    from_magnitude(aig, mode, Lit::FALSE, word, format)
}

/// A signed integer rounded to a format.
pub fn from_signed(aig: &mut Aig, mode: &Mode, word: &[Lit], format: FloatFormat) -> Unpacked {
    let sign = word.last().copied().unwrap_or(Lit::FALSE);
    let magnitude = arith::abs(aig, word);
    from_magnitude(aig, mode, sign, &magnitude, format)
}

fn from_magnitude(
    aig: &mut Aig,
    mode: &Mode,
    sign: Lit,
    magnitude: &[Lit],
    format: FloatFormat,
) -> Unpacked {
    let zero = word::is_zero(aig, magnitude);
    let (normalized, count) = arith::normalize(aig, magnitude);
    let top = magnitude.len() as i64 - 1;
    let width = signed_width(top).max(count.len() + 1);
    let top = word::signed(width, top);
    let count = word::resize(&count, width, Lit::FALSE);
    let exponent = arith::sub(aig, &top, &count);
    let needed = format.significand_bits() as usize + 2;
    let mut significand = vec![Lit::FALSE; needed.saturating_sub(normalized.len())];
    significand.extend_from_slice(&normalized);
    let finite = round(aig, format, mode, sign, &exponent, &significand);
    Unpacked::mux(aig, zero, &Unpacked::zero(format, Lit::FALSE), &finite)
}

/// The nearest integral value in the mode's sense; zero keeps the operand's sign.
pub fn round_to_integral(aig: &mut Aig, mode: &Mode, a: &Unpacked) -> Unpacked {
    let rounded = integral(aig, mode, a);
    // Only formats with more precision than range can overflow here.
    let most = word::signed(rounded.exponent.len(), a.format.max_exponent());
    let infinite = compare::slt(aig, &most, &rounded.exponent);
    let finite = Unpacked {
        format: a.format,
        nan: Lit::FALSE,
        infinite,
        zero: rounded.zero,
        sign: a.sign,
        exponent: word::resize(&rounded.exponent, exponent_width(a.format), Lit::FALSE),
        significand: rounded.significand,
    };
    let special = aig.or_all(&[a.nan, a.infinite, a.zero]);
    Unpacked::mux(aig, special, a, &finite)
}

/// The magnitude of an ordinary number rounded to an integer.
struct Integral {
    zero: Lit,
    exponent: Word,
    significand: Word,
}

fn integral(aig: &mut Aig, mode: &Mode, a: &Unpacked) -> Integral {
    let precision = a.significand.len();
    // Room for the precision as well as for the exponent, and for their difference.
    let width = exponent_width(a.format).max(signed_width(precision as i64)) + 1;
    let exponent = word::sign_extend(&a.exponent, width);
    // A number with its leading bit at precision - 1 or above is integral.
    let last = word::signed(width, precision as i64 - 1);
    let fractional = compare::slt(aig, &exponent, &last);
    let places = arith::sub(aig, &last, &exponent);
    let places = word::mask(aig, &places, fractional);
    let limit = precision as u64 + 1;
    let drop_width = (u64::BITS - limit.leading_zeros()) as usize;
    let drop = arith::clamp_unsigned(aig, &places, limit, drop_width);
    let rounded = round_at(aig, mode, a.sign, &a.significand, Lit::FALSE, Lit::FALSE, &drop);
    let below = word::signed(width, -1);
    let base = aig.mux_words(rounded.beyond, &below, &exponent);
    let (exponent, _) = arith::increment(aig, &base, rounded.carry);
    Integral { zero: rounded.zero, exponent, significand: rounded.significand }
}

/// An integer from a float: the word, and whether the value is representable in it.
pub fn to_integer(
    aig: &mut Aig,
    mode: &Mode,
    a: &Unpacked,
    width: usize,
    signed: bool,
) -> (Word, Lit) {
    let integral = integral(aig, mode, a);
    let precision = a.significand.len();
    // Fixed point with all fraction bits, then the integer part after shifting by the exponent.
    let mut fixed = word::resize(&integral.significand, precision + width, Lit::FALSE);
    let exponent_bits = integral.exponent.len();
    let negative_exponent = integral.exponent[exponent_bits - 1];
    let limit = width as u64 + 1;
    let amount_width = (u64::BITS - limit.leading_zeros()) as usize;
    let amount =
        arith::clamp_unsigned(aig, &integral.exponent[..exponent_bits - 1], limit, amount_width);
    let too_large = {
        let bound = word::small(amount_width, width as u64);
        compare::ule(aig, &bound, &amount)
    };
    let too_large = aig.and(too_large, !negative_exponent);
    fixed = shift::shl(aig, &fixed, &amount);
    let magnitude = fixed[precision - 1..precision - 1 + width].to_vec();
    let empty = aig.or_all(&[a.zero, integral.zero, negative_exponent]);
    let magnitude = word::mask(aig, &magnitude, !empty);
    let special = aig.or(a.nan, a.infinite);
    let too_large = aig.and_all(&[too_large, !integral.zero, !a.zero]);
    let top = magnitude[width - 1];
    let value = arith::negate_if(aig, &magnitude, a.sign);
    let fits = if signed {
        // The one negative value with the top bit set is the smallest.
        let rest_zero = word::is_zero(aig, &magnitude[..width - 1]);
        let smallest = aig.and(a.sign, rest_zero);
        aig.or(!top, smallest)
    } else {
        let zero = word::is_zero(aig, &magnitude);
        aig.or(!a.sign, zero)
    };
    let valid = aig.and_all(&[fits, !special, !too_large]);
    (value, valid)
}
