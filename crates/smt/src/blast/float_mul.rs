//! Multiplication, division, square root and remainder of floats.
//!
//! A product is exact before it is rounded.  Quotient and root are computed digit by digit, two
//! more digits than the precision, with a sticky bit that says whether a remainder is left. The
//! IEEE remainder runs the same long division over the whole distance of the exponents: its circuit
//! is linear in that distance, hence large for wide exponents, but exact.

use super::arith;
use super::compare;
use super::float::{Mode, Unpacked, exponent_width, round};
use super::float_add::product;
use super::shift;
use super::word::{self, Word};
use vergo_sat::{Aig, Lit};

/// `a * b`.
pub fn mul(aig: &mut Aig, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Unpacked {
    let format = a.format;
    let sign = aig.xor(a.sign, b.sign);
    let (exponent, significand) = product(aig, a, b);
    let squeezed = shift::squeeze(aig, &significand, format.significand_bits() as usize + 2);
    let finite = round(aig, format, mode, sign, &exponent, &squeezed);
    let zero = aig.or(a.zero, b.zero);
    let infinite = aig.or(a.infinite, b.infinite);
    let invalid = aig.and(zero, infinite);
    let nan = aig.or_all(&[a.nan, b.nan, invalid]);
    with_specials(aig, sign, nan, infinite, zero, &finite)
}

/// `a / b`.
pub fn div(aig: &mut Aig, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Unpacked {
    let format = a.format;
    let precision = format.significand_bits() as usize;
    let sign = aig.xor(a.sign, b.sign);
    // Digits of a quotient between one half and two: the first is its integer part.
    let n_digits = precision + 3;
    let mut digits: Word = Vec::with_capacity(n_digits);
    let divisor = word::resize(&b.significand, precision + 1, Lit::FALSE);
    let mut remainder = word::resize(&a.significand, precision + 1, Lit::FALSE);
    for digit in 0..n_digits {
        if digit > 0 {
            remainder = doubled(&remainder);
        }
        let (difference, fits) = subtract(aig, &remainder, &divisor);
        remainder = aig.mux_words(fits, &difference, &remainder);
        digits.push(fits);
    }
    digits.reverse();
    let inexact = aig.or_all(&remainder);
    let top = digits[n_digits - 1];
    let shifted = doubled(&digits);
    let quotient = aig.mux_words(top, &digits, &shifted);
    let quotient = shift::with_sticky(aig, &quotient, inexact);
    let width = exponent_width(format) + 2;
    let x = word::sign_extend(&a.exponent, width);
    let y = word::not(&word::sign_extend(&b.exponent, width));
    // a - b, less one if the first digit is zero: the complement already subtracts one more.
    let (exponent, _) = aig.add_words(&x, &y, top);
    let finite = round(aig, format, mode, sign, &exponent, &quotient);
    let zero = aig.or(a.zero, b.infinite);
    let infinite = aig.or(a.infinite, b.zero);
    let zeros = aig.and(a.zero, b.zero);
    let infinities = aig.and(a.infinite, b.infinite);
    let nan = aig.or_all(&[a.nan, b.nan, zeros, infinities]);
    with_specials(aig, sign, nan, infinite, zero, &finite)
}

/// The square root.
pub fn sqrt(aig: &mut Aig, mode: &Mode, a: &Unpacked) -> Unpacked {
    let format = a.format;
    let precision = format.significand_bits() as usize;
    let n_digits = precision + 2;
    // The radicand lies between one and four: an odd exponent gives its last bit to it.
    let odd = a.exponent[0];
    let mut radicand = vec![Lit::FALSE; 2 * n_digits];
    let top = 2 * n_digits - 1;
    let even_place: Word = {
        let mut place = radicand.clone();
        place[top - precision..top].copy_from_slice(&a.significand);
        place
    };
    let odd_place: Word = {
        let mut place = radicand.clone();
        place[top + 1 - precision..=top].copy_from_slice(&a.significand);
        place
    };
    radicand = aig.mux_words(odd, &odd_place, &even_place);
    let mut root: Word = Vec::new();
    let mut remainder: Word = Vec::new();
    for digit in 0..n_digits {
        // Bring down two bits and try to subtract 4 root + 1.
        let low = 2 * (n_digits - 1 - digit);
        let mut next = vec![radicand[low], radicand[low + 1]];
        next.extend_from_slice(&remainder);
        let mut trial = vec![Lit::TRUE, Lit::FALSE];
        trial.extend_from_slice(&root);
        let width = next.len().max(trial.len()) + 1;
        let next = word::resize(&next, width, Lit::FALSE);
        let trial = word::resize(&trial, width, Lit::FALSE);
        let (difference, fits) = subtract(aig, &next, &trial);
        let value = aig.mux_words(fits, &difference, &next);
        // The remainder is at most twice the root.
        remainder = word::resize(&value, digit + 2, Lit::FALSE);
        root.insert(0, fits);
    }
    let inexact = aig.or_all(&remainder);
    let mut significand = vec![Lit::FALSE];
    significand.extend_from_slice(&root);
    let significand = shift::with_sticky(aig, &significand, inexact);
    // Halving rounds down, which is right since the odd bit went to the radicand.
    let exponent = word::sign_extend(&a.exponent[1..], a.exponent.len());
    let finite = round(aig, format, mode, Lit::FALSE, &exponent, &significand);
    let negative = aig.and(a.sign, !a.zero);
    let nan = aig.or(a.nan, negative);
    with_specials(aig, a.sign, nan, a.infinite, a.zero, &finite)
}

/// IEEE's remainder: the quotient is rounded to the nearest integer, ties to even.
pub fn rem(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Unpacked {
    remainder(aig, a, b, true)
}

/// C's `fmod`: the quotient is rounded towards zero.
pub fn fmod(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Unpacked {
    remainder(aig, a, b, false)
}

fn remainder(aig: &mut Aig, a: &Unpacked, b: &Unpacked, nearest: bool) -> Unpacked {
    let format = a.format;
    let precision = format.significand_bits() as usize;
    let width = exponent_width(format) + 2;
    let most = (format.max_exponent() - format.quantum_exponent()) as usize;
    let x = word::sign_extend(&a.exponent, width);
    let y = word::sign_extend(&b.exponent, width);
    let distance = arith::sub(aig, &x, &y);
    let negative = distance[width - 1];
    // starts[k]: the dividend's leading bit is k places above the divisor's.
    let reached = shift::thermometer(aig, &distance[..width - 1], most + 1);
    let divisor = word::resize(&b.significand, precision + 1, Lit::FALSE);
    let dividend = word::resize(&a.significand, precision + 1, Lit::FALSE);
    let mut value: Word = vec![Lit::FALSE; precision + 1];
    let mut odd = Lit::FALSE;
    for k in (0..=most).rev() {
        let at_least = if k == 0 { Lit::TRUE } else { reached[k - 1] };
        let here = aig.and_all(&[at_least, !reached[k], !negative]);
        let twice = doubled(&value);
        let next = aig.mux_words(here, &dividend, &twice);
        let (difference, fits) = subtract(aig, &next, &divisor);
        value = aig.mux_words(fits, &difference, &next);
        odd = fits;
    }
    // From here on in units of half the divisor's last place.
    let minus_one = is_minus_one(aig, &distance);
    let half_units = word::resize(&doubled_wide(&value), precision + 2, Lit::FALSE);
    let small = word::resize(&dividend, precision + 2, Lit::FALSE);
    let units = aig.mux_words(negative, &small, &half_units);
    let odd = aig.and(odd, !negative);
    let (units, sign) = if nearest {
        let half = word::resize(&divisor, precision + 2, Lit::FALSE);
        let above = compare::ult(aig, &half, &units);
        let tie = aig.equal_words(&half, &units);
        let tie_up = aig.and(tie, odd);
        let over = aig.or(above, tie_up);
        let whole = word::resize(&doubled_wide(&divisor), precision + 2, Lit::FALSE);
        let difference = arith::sub(aig, &whole, &units);
        (aig.mux_words(over, &difference, &units), aig.xor(a.sign, over))
    } else {
        (units, a.sign)
    };
    let nothing = word::is_zero(aig, &units);
    let (normalized, count) = arith::normalize(aig, &units);
    let exponent_bits = width.max(count.len() + 1);
    // A unit is half of the divisor's last place, and there are two more bits at the top.
    let base = word::sign_extend(&b.exponent, exponent_bits);
    let (base, _) = arith::increment(aig, &base, Lit::TRUE);
    let count = word::resize(&count, exponent_bits, Lit::FALSE);
    let exponent = arith::sub(aig, &base, &count);
    // The result is exact, so the lowest two of the normalised bits are zero.
    let finite = Unpacked {
        format,
        nan: Lit::FALSE,
        infinite: Lit::FALSE,
        zero: nothing,
        sign: aig.mux(nothing, a.sign, sign),
        exponent: word::resize(&exponent, exponent_width(format), Lit::FALSE),
        significand: normalized[2..].to_vec(),
    };
    let far = aig.and(negative, !minus_one);
    let unchanged = aig.or_all(&[far, a.zero, b.infinite]);
    let result = Unpacked::mux(aig, unchanged, a, &finite);
    let nan = aig.or_all(&[a.nan, b.nan, a.infinite, b.zero]);
    Unpacked::mux(aig, nan, &Unpacked::nan(format), &result)
}

fn is_minus_one(aig: &mut Aig, word: &[Lit]) -> Lit {
    aig.and_all(word)
}

/// `2 a` within the width, whose top bit is known to be clear.
fn doubled(a: &[Lit]) -> Word {
    let mut result = vec![Lit::FALSE];
    result.extend_from_slice(&a[..a.len() - 1]);
    result
}

/// `2 a`, one bit wider.
fn doubled_wide(a: &[Lit]) -> Word {
    let mut result = vec![Lit::FALSE];
    result.extend_from_slice(a);
    result
}

/// `a - b` and whether it is not negative.
fn subtract(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
    let flipped = word::not(b);
    aig.add_words(a, &flipped, Lit::TRUE)
}

fn with_specials(
    aig: &mut Aig,
    sign: Lit,
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    finite: &Unpacked,
) -> Unpacked {
    let format = finite.format;
    let result = Unpacked::mux(aig, zero, &Unpacked::zero(format, sign), finite);
    let result = Unpacked::mux(aig, infinite, &Unpacked::infinity(format, sign), &result);
    Unpacked::mux(aig, nan, &Unpacked::nan(format), &result)
}
