//! Decimal and hexadecimal text, in and out.
//!
//! Reading is exact for any number of digits: the digits become one integer, scaled by a power of
//! ten that is an integer factor or divisor, and the quotient is rounded once. Exponents beyond
//! everything the format can express are cut before any large number is built.
//!
//! Writing decimal finds the shortest digits that read back, the closest to the value among those,
//! by the free-format algorithm of Steele and White ("How to print floating-point numbers
//! accurately", 1990) on exact integers: the digits of the value are generated until the rest lies
//! within half the gap to a neighbour.

use super::Float;
use super::arith::round_quotient;
use super::round::{Exact, Unpacked, round};
use crate::format::{FloatFormat, RoundingMode};
use crate::natural::Natural;

/// The binary exponents up to which numbers are written in decimal.
const DECIMAL_EXPONENTS: i64 = 1 << 17;

impl Float {
    /// Reads a number: an optional sign, then decimal digits with an optional point and exponent
    /// (`12.5e-3`), or C's hexadecimal form (`0x1.8p+3`; the exponent may be missing), or `inf`,
    /// `infinity` or `nan` in any case. `None` if the text is none of these.
    pub fn parse(format: FloatFormat, mode: RoundingMode, text: &str) -> Option<Float> {
        let (negative, body) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if body.eq_ignore_ascii_case("nan") {
            return Some(Float::nan(format));
        }
        if body.eq_ignore_ascii_case("inf") || body.eq_ignore_ascii_case("infinity") {
            return Some(Float::infinity(format, negative));
        }
        match body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
            Some(digits) => parse_hex(format, mode, negative, digits),
            None => parse_decimal(format, mode, negative, body),
        }
    }

    /// The shortest decimal text that [`Float::parse`] reads back to the nearest value: `0.1`,
    /// `-2.0`, `1e+300`, `inf`, `nan`. There is always a point or an exponent. Numbers of formats
    /// beyond C's whose decimal digits would fill memory are written in hexadecimal.
    pub fn to_decimal(&self) -> String {
        let sign = if self.is_sign_negative() { "-" } else { "" };
        match self.unpack() {
            Unpacked::Nan => "nan".to_owned(),
            Unpacked::Infinite(_) => format!("{sign}inf"),
            Unpacked::Zero(_) => format!("{sign}0.0"),
            Unpacked::Finite(number) if number.exp.abs() > DECIMAL_EXPONENTS => self.to_hex(),
            Unpacked::Finite(number) => {
                let (digits, point) = shortest_digits(self.format, &number);
                format!("{sign}{}", place_point(&digits, point))
            }
        }
    }

    /// The exact value in C's hexadecimal form: `0x1.8p+3`, `-0x0p+0`, `inf`, `nan`.
    pub fn to_hex(&self) -> String {
        let sign = if self.is_sign_negative() { "-" } else { "" };
        match self.unpack() {
            Unpacked::Nan => "nan".to_owned(),
            Unpacked::Infinite(_) => format!("{sign}inf"),
            Unpacked::Zero(_) => format!("{sign}0x0p+0"),
            Unpacked::Finite(Exact { sig, exp, .. }) => {
                let len = sig.bit_len();
                let exponent = exp + len as i64 - 1;
                // Shift so that the bits after the leading one fill whole hexadecimal digits.
                let n_digits = (len - 1).div_ceil(4);
                let shifted = sig.shl(n_digits * 4 + 1 - len);
                let digit = |i: usize| (0..4).map(|j| u32::from(shifted.bit(i * 4 + j)) << j).sum();
                let fraction: String =
                    (0..n_digits).rev().filter_map(|i| char::from_digit(digit(i), 16)).collect();
                let fraction = fraction.trim_end_matches('0');
                let point = if fraction.is_empty() { "" } else { "." };
                format!("{sign}0x1{point}{fraction}p{exponent:+}")
            }
        }
    }
}

/// Splits `whole.fraction` into its digits and the count of those after the point. At least one
/// digit must be there, and nothing but digits of the radix.
fn split_digits(text: &str, radix: u32) -> Option<(String, i64)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    valid.then_some((digits, fraction.len() as i64))
}

/// Reads an optionally signed decimal integer, cut to a range that no format's exponents leave.
fn parse_exponent(text: &str) -> Option<i64> {
    const LIMIT: i64 = 1 << 44;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for c in digits.chars() {
        value = (value * 10 + i64::from(c.to_digit(10)?)).min(LIMIT);
    }
    Some(if negative { -value } else { value })
}

fn parse_hex(format: FloatFormat, mode: RoundingMode, negative: bool, text: &str) -> Option<Float> {
    let (digits, exponent) = match text.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let (digits, n_fraction) = split_digits(digits, 16)?;
    let sig = Natural::parse(&digits, 16)?;
    Some(round(format, mode, Exact { negative, sig, exp: exponent - 4 * n_fraction }, false))
}

fn parse_decimal(
    format: FloatFormat,
    mode: RoundingMode,
    negative: bool,
    text: &str,
) -> Option<Float> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let (digits, n_fraction) = split_digits(digits, 10)?;
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Float::zero(format, negative));
    }
    let trimmed = digits.trim_end_matches('0');
    let exponent = exponent - n_fraction + (digits.len() - trimmed.len()) as i64;
    // The value lies in [10^(magnitude-1), 10^magnitude), and 10 lies between 2^3.3219 and 2^3.3220.
    let magnitude = exponent + trimmed.len() as i64;
    if (magnitude - 1) * 33219 > (format.max_exponent() + 2) * 10000 {
        let number = Exact { negative, sig: 1u64.into(), exp: format.max_exponent() + 2 };
        return Some(round(format, mode, number, false));
    }
    if magnitude * 33219 < (format.quantum_exponent() - 3) * 10000 {
        let number = Exact { negative, sig: 1u64.into(), exp: format.quantum_exponent() - 3 };
        return Some(round(format, mode, number, false));
    }
    let sig = Natural::parse(trimmed, 10)?;
    Some(if exponent >= 0 {
        let sig = sig.mul(&Natural::power(5, exponent as u64));
        round(format, mode, Exact { negative, sig, exp: exponent }, false)
    } else {
        let divisor = Natural::power(5, exponent.unsigned_abs());
        round_quotient(format, mode, Exact { negative, sig, exp: exponent }, &divisor)
    })
}

/// The shortest digits `d1 d2 …` and the `point` such that `0.d1d2… * 10^point` reads back as the
/// number.
fn shortest_digits(format: FloatFormat, number: &Exact) -> (Vec<u8>, i64) {
    // The value is `value / scale`, the gaps to the midpoints below and above it `below / scale` and
    // `above / scale`. The gap below a power of two is half as wide, unless it is the least normal.
    let precision = format.significand_bits() as usize;
    let is_binade_start = number.sig.bit_len() == precision
        && number.sig.trailing_zeros() == precision - 1
        && number.exp > format.quantum_exponent();
    let extra = if is_binade_start { 2 } else { 1 };
    let up = number.exp.max(0) as usize;
    let down = (-number.exp).max(0) as usize;
    let mut value = number.sig.shl(up + extra);
    let mut scale = Natural::power_of_two(down + extra);
    let mut below = Natural::power_of_two(up);
    let mut above = below.shl(extra - 1);
    // Reading rounds to even, so the midpoints themselves belong to an even significand.
    let inclusive = !number.sig.is_odd();
    let reaches_top = |value: &Natural, above: &Natural, scale: &Natural| {
        let sum = value.add(above);
        if inclusive { sum >= *scale } else { sum > *scale }
    };

    // Estimate the decimal magnitude from the binary one, too low rather than too high, and correct.
    let binary = number.exp + number.sig.bit_len() as i64 - 1;
    let mut point = (binary * 30103).div_euclid(100_000) - 1;
    if point >= 0 {
        scale = scale.mul(&Natural::power(10, point as u64));
    } else {
        let factor = Natural::power(10, point.unsigned_abs());
        value = value.mul(&factor);
        below = below.mul(&factor);
        above = above.mul(&factor);
    }
    while reaches_top(&value, &above, &scale) {
        scale.mul_add_small(10, 0);
        point += 1;
    }

    let mut digits = Vec::new();
    loop {
        value.mul_add_small(10, 0);
        below.mul_add_small(10, 0);
        above.mul_add_small(10, 0);
        let (digit, rest) = value.div_rem(&scale);
        let digit = digit.to_u64().expect("a digit is below ten") as u8;
        value = rest;
        let low_enough = if inclusive { value <= below } else { value < below };
        let high_enough = reaches_top(&value, &above, &scale);
        let round_up = match (low_enough, high_enough) {
            (false, false) => {
                digits.push(digit);
                continue;
            }
            (true, false) => false,
            (false, true) => true,
            // Both neighbours read back: the closer one, of equally close ones the upper.
            (true, true) => value.shl(1) >= scale,
        };
        digits.push(digit + u8::from(round_up));
        break;
    }
    // The top was excluded above, so that rounding the last digit up never carries.
    debug_assert!(digits.iter().all(|&d| d < 10));
    (digits, point)
}

/// Writes `0.d1d2… * 10^point`, positionally where that is short.
fn place_point(digits: &[u8], point: i64) -> String {
    let text: String = digits.iter().map(|&d| char::from(b'0' + d)).collect();
    let n = text.len() as i64;
    if (-4..=0).contains(&point) {
        format!("0.{}{text}", "0".repeat(-point as usize))
    } else if (1..=17).contains(&point) {
        if n <= point {
            format!("{text}{}.0", "0".repeat((point - n) as usize))
        } else {
            format!("{}.{}", &text[..point as usize], &text[point as usize..])
        }
    } else {
        let (first, rest) = text.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{:+}", point - 1)
    }
}
