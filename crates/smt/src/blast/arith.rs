//! Integer arithmetic circuits.
//!
//! Addition ripples: its carries become majority gates with six short clauses each.  A product
//! with a constant is a sum over the non-zero digits of its canonical signed-digit form, so that a
//! run of ones costs one addition and one subtraction; other products are added row by row,
//! which solvers handle better than carry-save trees.  Division is restoring, most
//! significant bit first; the caller shares quotient and remainder of the same operands.

use super::compare;
use super::word::{self, Word};
use vergo_num::BitVec;
use vergo_sat::{Aig, Lit};

/// `a + b`.
pub fn add(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    aig.add_words(a, b, Lit::FALSE).0
}

/// `a - b`.
pub fn sub(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let b = word::not(b);
    aig.add_words(a, &b, Lit::TRUE).0
}

/// `-a`.
pub fn neg(aig: &mut Aig, a: &[Lit]) -> Word {
    let flipped = word::not(a);
    increment(aig, &flipped, Lit::TRUE).0
}

/// `a` plus one bit, and the carry out.
pub fn increment(aig: &mut Aig, a: &[Lit], by: Lit) -> (Word, Lit) {
    let mut carry = by;
    let mut sum = Vec::with_capacity(a.len());
    for &bit in a {
        let (s, c) = aig.half_adder(bit, carry);
        sum.push(s);
        carry = c;
    }
    (sum, carry)
}

/// `a` or `-a`.
pub fn negate_if(aig: &mut Aig, a: &[Lit], negate: Lit) -> Word {
    let flipped: Word = a.iter().map(|&l| aig.xor(l, negate)).collect();
    increment(aig, &flipped, negate).0
}

/// The magnitude of a signed word (which wraps for the smallest value).
pub fn abs(aig: &mut Aig, a: &[Lit]) -> Word {
    match a.last() {
        Some(&sign) => negate_if(aig, a, sign),
        None => Vec::new(),
    }
}

/// The product modulo the width.
pub fn mul(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    match (word::as_constant(a), word::as_constant(b)) {
        (Some(x), Some(y)) => word::constant(&x.mul(&y)),
        (Some(x), None) => mul_constant(aig, b, &x),
        (None, Some(y)) => mul_constant(aig, a, &y),
        (None, None) => {
            // One order for both ways of writing a product; the one with fewer rows chooses them.
            let swap = (n_rows(a), a) < (n_rows(b), b);
            let (a, b) = if swap { (b, a) } else { (a, b) };
            mul_rows(aig, a, b)
        }
    }
}

/// The position from which on all bits are the same literal.
fn sign_position(word: &[Lit]) -> usize {
    let top = word[word.len() - 1];
    let rest = word.iter().rposition(|&l| l != top);
    rest.map_or(0, |i| i + 1)
}

/// Returns the number of rows of a product when this word chooses them.
fn n_rows(word: &[Lit]) -> usize {
    word[..=sign_position(word)].iter().filter(|&&l| l != Lit::FALSE).count()
}

/// `a * b` as a sum of rows that the bits of `b` choose. A run of equal bits at the top, as sign
/// extension makes it, is one negative row.
fn mul_rows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let width = a.len();
    let sign = sign_position(b);
    let mut sum = vec![Lit::FALSE; width];
    for (shift, &bit) in b.iter().enumerate().take(sign + 1) {
        if bit == Lit::FALSE || aig.is_stopped() {
            continue;
        }
        let row = word::mask(aig, &a[..width - shift], bit);
        // The bit at the very top counts the same with either sign.
        let high = if shift == sign && shift + 1 < width {
            sub(aig, &sum[shift..], &row)
        } else {
            add(aig, &sum[shift..], &row)
        };
        sum.truncate(shift);
        sum.extend(high);
    }
    sum
}

/// The product with a constant, by its canonical signed digits.
fn mul_constant(aig: &mut Aig, a: &[Lit], constant: &BitVec) -> Word {
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (shift, positive) in signed_digits(constant) {
        if shift >= width {
            continue;
        }
        let row = &a[..width - shift];
        let high =
            if positive { add(aig, &sum[shift..], row) } else { sub(aig, &sum[shift..], row) };
        sum.truncate(shift);
        sum.extend(high);
    }
    sum
}

/// The non-zero digits (position, whether it is plus one) of the non-adjacent form modulo the
/// width, least significant first.
fn signed_digits(constant: &BitVec) -> Vec<(usize, bool)> {
    let width = constant.width();
    let mut digits = Vec::new();
    let mut carry = false;
    for i in 0..width {
        let bit = constant.bit(i) ^ carry;
        if !bit {
            // Zero digit; a carry passes on only through a one.
            carry = carry && constant.bit(i);
            continue;
        }
        let next = i + 1 < width && constant.bit(i + 1);
        digits.push((i as usize, !next));
        carry = next;
    }
    digits
}

/// The full product of two unsigned words: as wide as both together.
pub fn mul_wide(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let width = a.len() + b.len();
    let (a, b) = (word::resize(a, width, Lit::FALSE), word::resize(b, width, Lit::FALSE));
    mul(aig, &a, &b)
}

/// Quotient and remainder; by zero the quotient is all ones and the remainder the dividend.
pub fn udivrem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    if let Some(divisor) = word::as_constant(b) {
        if let Some(dividend) = word::as_constant(a) {
            return (
                word::constant(&dividend.udiv(&divisor)),
                word::constant(&dividend.urem(&divisor)),
            );
        }
        if let Some(shift) = divisor.log2_exact() {
            let shift = shift as usize;
            return (
                word::resize(&a[shift..], width, Lit::FALSE),
                word::resize(&a[..shift], width, Lit::FALSE),
            );
        }
    }
    let mut quotient = vec![Lit::FALSE; width];
    // The remainder is smaller than the divisor, so one bit beyond the width is enough. Only as
    // many low bits as were shifted in can be set, which the gates fold away.
    let mut remainder: Word = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        if aig.is_stopped() {
            break;
        }
        let mut shifted = Vec::with_capacity(width + 1);
        shifted.push(a[i]);
        shifted.extend_from_slice(&remainder);
        let wide = word::resize(b, width + 1, Lit::FALSE);
        let (difference, no_borrow) = {
            let flipped = word::not(&wide);
            aig.add_words(&shifted, &flipped, Lit::TRUE)
        };
        quotient[i] = no_borrow;
        remainder = aig.mux_words(no_borrow, &difference[..width], &shifted[..width]);
    }
    (quotient, remainder)
}

/// The circuit of a signed division: magnitudes in, signs of the results out.
pub struct SignedOperands {
    /// Magnitude of the dividend.
    pub dividend: Word,
    /// Magnitude of the divisor.
    pub divisor: Word,
    /// Sign of the dividend.
    pub dividend_sign: Lit,
    /// Sign of the divisor.
    pub divisor_sign: Lit,
}

/// Splits signed operands into magnitudes and signs.
pub fn signed_operands(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> SignedOperands {
    SignedOperands {
        dividend: abs(aig, a),
        divisor: abs(aig, b),
        dividend_sign: a.last().copied().unwrap_or(Lit::FALSE),
        divisor_sign: b.last().copied().unwrap_or(Lit::FALSE),
    }
}

/// `bvsdiv` from the quotient of the magnitudes.
pub fn sdiv(aig: &mut Aig, operands: &SignedOperands, quotient: &[Lit]) -> Word {
    let negate = aig.xor(operands.dividend_sign, operands.divisor_sign);
    negate_if(aig, quotient, negate)
}

/// `bvsrem` from the remainder of the magnitudes.
pub fn srem(aig: &mut Aig, operands: &SignedOperands, remainder: &[Lit]) -> Word {
    negate_if(aig, remainder, operands.dividend_sign)
}

/// `bvsmod` from the remainder of the magnitudes.
pub fn smod(aig: &mut Aig, operands: &SignedOperands, b: &[Lit], remainder: &[Lit]) -> Word {
    let signed = negate_if(aig, remainder, operands.dividend_sign);
    let differ = aig.xor(operands.dividend_sign, operands.divisor_sign);
    let zero = word::is_zero(aig, remainder);
    let adjust = aig.and(differ, !zero);
    let addend = word::mask(aig, b, adjust);
    add(aig, &signed, &addend)
}

/// Builds the condition that the unsigned product does not fit.
pub fn umul_overflow(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    // Two leading positions whose sum reaches the width overflow for sure; otherwise one more bit
    // of product decides.
    let width = a.len();
    let mut sure = Vec::new();
    let mut above = Lit::FALSE;
    // `above` says that b has a bit at position width - i or higher when a's bit i is looked at.
    for i in 1..width {
        above = aig.or(above, b[width - i]);
        sure.push(aig.and(a[i], above));
    }
    let wide_a = word::resize(a, width + 1, Lit::FALSE);
    let wide_b = word::resize(b, width + 1, Lit::FALSE);
    let product = mul(aig, &wide_a, &wide_b);
    sure.push(product[width]);
    aig.or_all(&sure)
}

/// Builds the condition that the signed product does not fit.
pub fn smul_overflow(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len();
    let wide_a = word::sign_extend(a, 2 * width);
    let wide_b = word::sign_extend(b, 2 * width);
    let product = mul(aig, &wide_a, &wide_b);
    let sign = product[width - 1];
    let differ: Vec<Lit> = product[width..].iter().map(|&l| aig.xor(l, sign)).collect();
    aig.or_all(&differ)
}

/// Leading zeros moved out: the word shifted left until its top bit is set, and the count (as a
/// word wide enough); a zero word stays zero with an unspecified count.
pub fn normalize(aig: &mut Aig, a: &[Lit]) -> (Word, Word) {
    let width = a.len();
    let stages = (usize::BITS - (width.max(2) - 1).leading_zeros()) as usize;
    let mut value = a.to_vec();
    let mut count = vec![Lit::FALSE; stages];
    for stage in (0..stages).rev() {
        let shift = 1usize << stage;
        if shift >= width {
            continue;
        }
        let empty = word::is_zero(aig, &value[width - shift..]);
        let mut shifted = vec![Lit::FALSE; shift];
        shifted.extend_from_slice(&value[..width - shift]);
        value = aig.mux_words(empty, &shifted, &value);
        count[stage] = empty;
    }
    (value, count)
}

/// The smaller of an unsigned word and a constant.
pub fn clamp_unsigned(aig: &mut Aig, a: &[Lit], limit: u64, width: usize) -> Word {
    if a.len() < 64 && limit >> a.len() != 0 {
        return word::resize(a, width, Lit::FALSE);
    }
    let bound = word::small(a.len(), limit);
    let above = compare::ult(aig, &bound, a);
    let limit = word::small(width, limit);
    let low = word::resize(a, width, Lit::FALSE);
    aig.mux_words(above, &limit, &low)
}
