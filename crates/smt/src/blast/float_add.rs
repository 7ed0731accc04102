//! Addition, subtraction and fused multiply-add of floats.
//!
//! The operand of larger magnitude is put first, the other one is aligned with three extra places of
//! which the last is sticky, and the exact sum is normalised and rounded once.  Three places
//! suffice: with exponents more than one apart at most one leading bit cancels, and with closer
//! ones nothing is lost in the alignment.

use super::arith;
use super::compare;
use super::float::{Mode, Unpacked, exponent_width, round};
use super::shift;
use super::word::{self, Word};
use vergo_num::FloatFormat;
use vergo_sat::{Aig, Lit};

/// A number that need not fit a format: zero, or a sign, a signed exponent and a significand with its
/// leading bit set.
struct Exact {
    zero: Lit,
    sign: Lit,
    exponent: Word,
    significand: Word,
}

/// `a + b`.
pub fn add(aig: &mut Aig, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Unpacked {
    let format = a.format;
    let exact = |x: &Unpacked| Exact {
        zero: x.zero,
        sign: x.sign,
        exponent: x.exponent.clone(),
        significand: x.significand.clone(),
    };
    let (x, y) = (exact(a), exact(b));
    let finite = add_exact(aig, format, mode, &x, &y);
    // An operand beside zero is the sum as it stands: no rounding can change it.
    let result = Unpacked::mux(aig, b.zero, a, &finite);
    let result = Unpacked::mux(aig, a.zero, b, &result);
    let both_zero = aig.and(a.zero, b.zero);
    let zero = zero_sum(aig, format, mode, a.sign, b.sign);
    let result = Unpacked::mux(aig, both_zero, &zero, &result);
    infinite_sum(aig, a.nan, b.nan, (a.infinite, a.sign), (b.infinite, b.sign), &result)
}

/// `a * b + c` with one rounding.
pub fn fma(aig: &mut Aig, mode: &Mode, a: &Unpacked, b: &Unpacked, c: &Unpacked) -> Unpacked {
    let format = a.format;
    let sign = aig.xor(a.sign, b.sign);
    let product_zero = aig.or(a.zero, b.zero);
    let product_infinite = aig.or(a.infinite, b.infinite);
    let (exponent, significand) = product(aig, a, b);
    let precision = significand.len();
    let mut widened = vec![Lit::FALSE; precision - c.significand.len()];
    widened.extend_from_slice(&c.significand);
    let x = Exact { zero: product_zero, sign, exponent: exponent.clone(), significand };
    let y = Exact {
        zero: c.zero,
        sign: c.sign,
        exponent: word::sign_extend(&c.exponent, exponent.len()),
        significand: widened,
    };
    let finite = add_exact(aig, format, mode, &x, &y);
    let result = Unpacked::mux(aig, product_zero, c, &finite);
    let both_zero = aig.and(product_zero, c.zero);
    let zero = zero_sum(aig, format, mode, sign, c.sign);
    let result = Unpacked::mux(aig, both_zero, &zero, &result);
    let invalid = aig.and(product_zero, product_infinite);
    let product_nan = aig.or_all(&[a.nan, b.nan, invalid]);
    infinite_sum(aig, product_nan, c.nan, (product_infinite, sign), (c.infinite, c.sign), &result)
}

/// The exact product of two ordinary numbers: its exponent and its significand, leading bit set.
pub fn product(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> (Word, Word) {
    let width = exponent_width(a.format) + 2;
    let wide = arith::mul_wide(aig, &a.significand, &b.significand);
    let top = wide[wide.len() - 1];
    let mut shifted = vec![Lit::FALSE];
    shifted.extend_from_slice(&wide[..wide.len() - 1]);
    let significand = aig.mux_words(top, &wide, &shifted);
    let x = word::sign_extend(&a.exponent, width);
    let y = word::sign_extend(&b.exponent, width);
    let (exponent, _) = aig.add_words(&x, &y, top);
    (exponent, significand)
}

/// The sign of an exact zero sum of operands with the given signs.
fn zero_sum(aig: &mut Aig, format: FloatFormat, mode: &Mode, a: Lit, b: Lit) -> Unpacked {
    let both = aig.and(a, b);
    let either = aig.or(a, b);
    let sign = aig.mux(mode.toward_negative, either, both);
    Unpacked::zero(format, sign)
}

/// The sum of two numbers of equal precision that are not both zero.
fn add_exact(aig: &mut Aig, format: FloatFormat, mode: &Mode, a: &Exact, b: &Exact) -> Unpacked {
    let precision = a.significand.len();
    // Order by magnitude; zero is below everything.
    let key = |x: &Exact| {
        let mut key = x.significand.clone();
        key.extend(&x.exponent);
        if let Some(top) = key.last_mut() {
            *top = !*top;
        }
        key
    };
    let (key_a, key_b) = (key(a), key(b));
    let less = compare::ult(aig, &key_a, &key_b);
    let less = aig.and(less, !b.zero);
    let swap = aig.or(less, a.zero);
    let sign = aig.mux(swap, b.sign, a.sign);
    let large = aig.mux_words(swap, &b.significand, &a.significand);
    let small = aig.mux_words(swap, &a.significand, &b.significand);
    let small_zero = aig.mux(swap, a.zero, b.zero);
    let small = word::mask(aig, &small, !small_zero);
    let exponent = aig.mux_words(swap, &b.exponent, &a.exponent);
    let lower = aig.mux_words(swap, &a.exponent, &b.exponent);
    let width = exponent.len() + 1;
    let (wide, lower) = (word::sign_extend(&exponent, width), word::sign_extend(&lower, width));
    let distance = arith::sub(aig, &wide, &lower);
    let limit = precision as u64 + 3;
    let distance_width = (u64::BITS - limit.leading_zeros()) as usize;
    // A zero operand has no meaningful exponent, but then there is nothing to align.
    let distance = arith::clamp_unsigned(aig, &distance, limit, distance_width);
    let extend = |x: &[Lit]| {
        let mut extended = vec![Lit::FALSE; 3];
        extended.extend_from_slice(x);
        extended
    };
    let (large, small) = (extend(&large), extend(&small));
    let aligned = shift::sticky_right(aig, &small, &distance);
    let subtract = aig.xor(a.sign, b.sign);
    let addend = shift::flip_if(aig, &aligned, subtract);
    let (mut sum, carry) = aig.add_words(&large, &addend, subtract);
    // A difference is not negative, so its carry only says that nothing was borrowed.
    sum.push(aig.and(carry, !subtract));
    let zero = word::is_zero(aig, &sum);
    let (normalized, count) = arith::normalize(aig, &sum);
    let width = exponent.len().max(count.len()) + 2;
    let exponent = word::sign_extend(&exponent, width);
    let (exponent, _) = arith::increment(aig, &exponent, Lit::TRUE);
    let count = word::resize(&count, width, Lit::FALSE);
    let exponent = arith::sub(aig, &exponent, &count);
    let target = (format.significand_bits() as usize + 2).max(4);
    let squeezed = shift::squeeze(aig, &normalized, target.min(normalized.len()));
    let rounded = round(aig, format, mode, sign, &exponent, &squeezed);
    // Exact cancellation.
    let cancelled = Unpacked::zero(format, mode.toward_negative);
    Unpacked::mux(aig, zero, &cancelled, &rounded)
}

/// Puts the cases of NaN and infinite operands around a finite sum.
fn infinite_sum(
    aig: &mut Aig,
    a_nan: Lit,
    b_nan: Lit,
    (a_infinite, a_sign): (Lit, Lit),
    (b_infinite, b_sign): (Lit, Lit),
    finite: &Unpacked,
) -> Unpacked {
    let format = finite.format;
    let differ = aig.xor(a_sign, b_sign);
    let clash = aig.and_all(&[a_infinite, b_infinite, differ]);
    let nan = aig.or_all(&[a_nan, b_nan, clash]);
    let sign = aig.mux(a_infinite, a_sign, b_sign);
    let infinite = aig.or(a_infinite, b_infinite);
    let result = Unpacked::mux(aig, infinite, &Unpacked::infinity(format, sign), finite);
    Unpacked::mux(aig, nan, &Unpacked::nan(format), &result)
}
