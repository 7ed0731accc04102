//! Floats as circuits: the unpacked form, packing, classification, comparison and rounding.
//!
//! **Idea.**  Between operations a float stays unpacked: flags for NaN, infinity and zero, a sign, a
//! signed exponent and a significand whose leading bit is set, subnormal numbers included.  The
//! exponent is wide enough for normalised subnormals, so that no operation has to treat them
//! specially; their reduced precision is the rounder's business alone.  The idea of an unpacked
//! form with one rounder is that of Brain, Schanda and Sun ("Building Better Bit-Blasting for
//! Floating-Point Problems", TACAS 2019); the circuits are our own.
//!
//! **Rounding** happens at a variable place: a number below the normal range loses as many extra
//! bits as it is short of it.  Instead of shifting right, rounding and shifting back, a
//! thermometer code of that number masks the bits to drop and marks the place to increment
//! ([`round_at`]).  Rounding to an integral value is the same circuit with another place.
//!
//! **Equality** of SMT-LIB is that of values with one NaN, hence compares unpacked forms, not bits.

use super::arith;
use super::compare;
use super::shift;
use super::word::{self, Word};
use vergo_num::{Float, FloatFormat, FormatKind, RoundingMode};
use vergo_sat::{Aig, Lit};

/// A float in unpacked form. Exponent and significand mean nothing while a flag is set.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// The format.
    pub format: FloatFormat,
    /// Not a number.
    pub nan: Lit,
    /// Plus or minus infinity.
    pub infinite: Lit,
    /// Plus or minus zero.
    pub zero: Lit,
    /// The sign.
    pub sign: Lit,
    /// The exponent of the leading bit, signed, of [`exponent_width`] bits.
    pub exponent: Word,
    /// The significand with its leading bit set, as wide as the precision.
    pub significand: Word,
}

/// A rounding mode, possibly unknown: exactly one literal holds.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Nearest, ties to even.
    pub nearest_even: Lit,
    /// Nearest, ties away.
    pub nearest_away: Lit,
    /// Up.
    pub toward_positive: Lit,
    /// Down.
    pub toward_negative: Lit,
}

impl Mode {
    /// A known mode.
    pub fn constant(mode: RoundingMode) -> Mode {
        let is = |m| Lit::constant(mode == m);
        Mode {
            nearest_even: is(RoundingMode::NearestEven),
            nearest_away: is(RoundingMode::NearestAway),
            toward_positive: is(RoundingMode::TowardPositive),
            toward_negative: is(RoundingMode::TowardNegative),
        }
    }

    /// The mode with the given number in the order of [`RoundingMode::ALL`]; numbers beyond the
    /// last one mean the last one.
    pub fn numbered(aig: &mut Aig, bits: &[Lit]) -> Mode {
        let mut is = |value: u64| {
            let number = word::small(bits.len(), value);
            aig.equal_words(bits, &number)
        };
        Mode {
            nearest_even: is(0),
            nearest_away: is(1),
            toward_positive: is(2),
            toward_negative: is(3),
        }
    }

    /// Builds the condition that a magnitude of the given sign is rounded up.
    fn increments(&self, aig: &mut Aig, sign: Lit, odd: Lit, half: Lit, rest: Lit) -> Lit {
        let tie_up = aig.or(rest, odd);
        let even = aig.and_all(&[self.nearest_even, half, tie_up]);
        let away = aig.and(self.nearest_away, half);
        let inexact = aig.or(half, rest);
        let up = aig.and_all(&[self.toward_positive, !sign, inexact]);
        let down = aig.and_all(&[self.toward_negative, sign, inexact]);
        aig.or_all(&[even, away, up, down])
    }
}

/// The width of an unpacked exponent: room from one below the least subnormal number to one above
/// the largest number.
pub fn exponent_width(format: FloatFormat) -> usize {
    signed_width(format.quantum_exponent() - 1).max(signed_width(format.max_exponent() + 1))
}

/// The bits that a signed number needs.
pub fn signed_width(value: i64) -> usize {
    let magnitude = if value < 0 { !value } else { value };
    (65 - magnitude.leading_zeros()) as usize
}

impl Unpacked {
    /// A known value.
    pub fn constant(value: &Float) -> Unpacked {
        let mut aig = Aig::new();
        // All gates fold: the graph stays empty and its literals are the two constants.
        Unpacked::from_bits(&mut aig, value.format(), &word::constant(value.bits()))
    }

    /// The value that bits encode.
    pub fn from_bits(aig: &mut Aig, format: FloatFormat, bits: &[Lit]) -> Unpacked {
        let precision = format.significand_bits() as usize;
        let stored = format.stored_significand_bits() as usize;
        let exponent_bits = format.exponent_bits() as usize;
        let fraction = &bits[..stored];
        let field = &bits[stored..stored + exponent_bits];
        let sign = bits[stored + exponent_bits];
        let field_zero = word::is_zero(aig, field);
        let field_ones = word::is_ones(aig, field);
        let (nan, infinite, raw) = match format.kind() {
            FormatKind::Ieee => {
                let fraction_zero = word::is_zero(aig, fraction);
                let nan = aig.and(field_ones, !fraction_zero);
                let infinite = aig.and(field_ones, fraction_zero);
                let mut raw = fraction.to_vec();
                raw.push(!field_zero);
                (nan, infinite, raw)
            }
            FormatKind::X87 => {
                let leading = fraction[precision - 1];
                let rest_zero = word::is_zero(aig, &fraction[..precision - 1]);
                let infinite = aig.and_all(&[field_ones, leading, rest_zero]);
                let unnormal = aig.and(!field_zero, !leading);
                let payload = aig.and(field_ones, !infinite);
                (aig.or(unnormal, payload), infinite, fraction.to_vec())
            }
        };
        let width = exponent_width(format);
        let raw_zero = word::is_zero(aig, &raw);
        let zero = aig.and(raw_zero, field_zero);
        // A zero field has the exponent of the field one.
        let mut biased = word::resize(field, width, Lit::FALSE);
        biased[0] = aig.or(biased[0], field_zero);
        let bias = word::signed(width, format.bias());
        let unbiased = arith::sub(aig, &biased, &bias);
        let (significand, count) = arith::normalize(aig, &raw);
        let count = word::resize(&count, width, Lit::FALSE);
        let exponent = arith::sub(aig, &unbiased, &count);
        Unpacked { format, nan, infinite, zero, sign, exponent, significand }
    }

    /// The canonical encoding.
    pub fn to_bits(&self, aig: &mut Aig) -> Word {
        let format = self.format;
        let precision = format.significand_bits() as usize;
        let stored = format.stored_significand_bits() as usize;
        let exponent_bits = format.exponent_bits() as usize;
        let width = exponent_width(format);
        let least = word::signed(width, format.min_exponent());
        let subnormal = compare::slt(aig, &self.exponent, &least);
        let missing = arith::sub(aig, &least, &self.exponent);
        let missing = word::mask(aig, &missing, subnormal);
        let fraction = shift::lshr(aig, &self.significand, &missing);
        let bias = word::signed(width, format.bias());
        let biased = arith::add(aig, &self.exponent, &bias);
        let field = word::mask(aig, &biased[..exponent_bits], !subnormal);
        let special = aig.or(self.nan, self.infinite);
        let ordinary = !aig.or(special, self.zero);
        let mut bits = word::mask(aig, &fraction[..stored], ordinary);
        match format.kind() {
            FormatKind::Ieee => {
                bits[stored - 1] = aig.or(bits[stored - 1], self.nan);
            }
            FormatKind::X87 => {
                bits[precision - 1] = aig.or(bits[precision - 1], special);
                bits[precision - 2] = aig.or(bits[precision - 2], self.nan);
            }
        }
        for &bit in &field {
            let bit = aig.and(bit, ordinary);
            bits.push(aig.or(bit, special));
        }
        bits.push(aig.and(self.sign, !self.nan));
        bits
    }

    /// Plus or minus zero, infinity, or NaN of a format.
    fn special(format: FloatFormat, nan: Lit, infinite: Lit, zero: Lit, sign: Lit) -> Unpacked {
        Unpacked {
            format,
            nan,
            infinite,
            zero,
            sign,
            exponent: vec![Lit::FALSE; exponent_width(format)],
            significand: vec![Lit::FALSE; format.significand_bits() as usize],
        }
    }

    /// NaN.
    pub fn nan(format: FloatFormat) -> Unpacked {
        Unpacked::special(format, Lit::TRUE, Lit::FALSE, Lit::FALSE, Lit::FALSE)
    }

    /// An infinity of the given sign.
    pub fn infinity(format: FloatFormat, sign: Lit) -> Unpacked {
        Unpacked::special(format, Lit::FALSE, Lit::TRUE, Lit::FALSE, sign)
    }

    /// A zero of the given sign.
    pub fn zero(format: FloatFormat, sign: Lit) -> Unpacked {
        Unpacked::special(format, Lit::FALSE, Lit::FALSE, Lit::TRUE, sign)
    }

    /// One value or another.
    pub fn mux(aig: &mut Aig, condition: Lit, then: &Unpacked, other: &Unpacked) -> Unpacked {
        Unpacked {
            format: then.format,
            nan: aig.mux(condition, then.nan, other.nan),
            infinite: aig.mux(condition, then.infinite, other.infinite),
            zero: aig.mux(condition, then.zero, other.zero),
            sign: aig.mux(condition, then.sign, other.sign),
            exponent: aig.mux_words(condition, &then.exponent, &other.exponent),
            significand: aig.mux_words(condition, &then.significand, &other.significand),
        }
    }

    /// The value with its sign reversed.
    pub fn neg(&self) -> Unpacked {
        Unpacked { sign: !self.sign, ..self.clone() }
    }

    /// The value without its sign.
    pub fn abs(&self) -> Unpacked {
        Unpacked { sign: Lit::FALSE, ..self.clone() }
    }

    /// The value in a model.
    pub fn value(&self, model: &dyn Fn(Lit) -> bool) -> Float {
        let known = |lit: Lit| Lit::constant(model(lit));
        let known_word = |word: &[Lit]| word.iter().map(|&lit| known(lit)).collect();
        let value = Unpacked {
            format: self.format,
            nan: known(self.nan),
            infinite: known(self.infinite),
            zero: known(self.zero),
            sign: known(self.sign),
            exponent: known_word(&self.exponent),
            significand: known_word(&self.significand),
        };
        // All gates fold, as they do for constants.
        let bits = word::as_constant(&value.to_bits(&mut Aig::new()));
        Float::from_bits(self.format, bits.expect("all literals are constants"))
    }

    /// Builds the condition that exponent and significand are those of a number of the format.
    pub fn fits(&self, aig: &mut Aig) -> Lit {
        let (width, precision) = (self.exponent.len(), self.significand.len());
        let [least, quantum, most] = [
            self.format.min_exponent(),
            self.format.quantum_exponent(),
            self.format.max_exponent(),
        ]
        .map(|exponent| word::signed(width, exponent));
        let too_small = compare::slt(aig, &self.exponent, &quantum);
        let too_large = compare::slt(aig, &most, &self.exponent);
        let subnormal = compare::slt(aig, &self.exponent, &least);
        let missing = arith::sub(aig, &least, &self.exponent);
        let missing = word::mask(aig, &missing, subnormal);
        // A subnormal number has as many digits less as it is short of the normal range.
        let lost = shift::thermometer(aig, &missing, precision);
        let extra: Word = lost
            .iter()
            .zip(&self.significand)
            .map(|(&lost, &digit)| aig.and(lost, digit))
            .collect();
        let extra = aig.or_all(&extra);
        !aig.or_all(&[too_small, too_large, extra])
    }

    /// Neither NaN nor infinite nor zero.
    pub fn ordinary(&self, aig: &mut Aig) -> Lit {
        !aig.or_all(&[self.nan, self.infinite, self.zero])
    }

    /// A normal number.
    pub fn is_normal(&self, aig: &mut Aig) -> Lit {
        let below = self.below_normal(aig);
        let ordinary = self.ordinary(aig);
        aig.and(ordinary, !below)
    }

    /// A subnormal number.
    pub fn is_subnormal(&self, aig: &mut Aig) -> Lit {
        let below = self.below_normal(aig);
        let ordinary = self.ordinary(aig);
        aig.and(ordinary, below)
    }

    fn below_normal(&self, aig: &mut Aig) -> Lit {
        let least = word::signed(self.exponent.len(), self.format.min_exponent());
        compare::slt(aig, &self.exponent, &least)
    }

    /// Negative and not NaN.
    pub fn is_negative(&self, aig: &mut Aig) -> Lit {
        aig.and(self.sign, !self.nan)
    }

    /// Positive and not NaN.
    pub fn is_positive(&self, aig: &mut Aig) -> Lit {
        aig.and(!self.sign, !self.nan)
    }

    /// SMT-LIB's `=`: the same value, all NaNs being one, zeros of different signs different.
    pub fn same(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Lit {
        let signs = aig.iff(a.sign, b.sign);
        let infinite = aig.iff(a.infinite, b.infinite);
        let zero = aig.iff(a.zero, b.zero);
        let exponents = aig.equal_words(&a.exponent, &b.exponent);
        let significands = aig.equal_words(&a.significand, &b.significand);
        let digits = aig.and(exponents, significands);
        let special = aig.or(a.infinite, a.zero);
        let digits = aig.or(special, digits);
        let numbers = aig.and_all(&[!a.nan, !b.nan, signs, infinite, zero, digits]);
        let nans = aig.and(a.nan, b.nan);
        aig.or(numbers, nans)
    }

    /// IEEE equality: NaN is different from everything, zeros are equal.
    pub fn ieee_equal(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Lit {
        let same = Unpacked::same(aig, a, b);
        let zeros = aig.and(a.zero, b.zero);
        let equal = aig.or(same, zeros);
        aig.and(equal, !a.nan)
    }

    /// IEEE `a < b`.
    pub fn less(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Lit {
        let forward = magnitude_less(aig, a, b);
        let backward = magnitude_less(aig, b, a);
        let zeros = aig.and(a.zero, b.zero);
        let mixed = aig.and_all(&[a.sign, !b.sign, !zeros]);
        let positive = aig.and_all(&[!a.sign, !b.sign, forward]);
        let negative = aig.and_all(&[a.sign, b.sign, backward]);
        let less = aig.or_all(&[mixed, positive, negative]);
        aig.and_all(&[less, !a.nan, !b.nan])
    }

    /// IEEE `a <= b`.
    pub fn less_equal(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Lit {
        let greater = Unpacked::less(aig, b, a);
        aig.and_all(&[!greater, !a.nan, !b.nan])
    }

    /// `fp.min` with the choices of [`Float::min`].
    pub fn min(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Unpacked {
        let less = Unpacked::less(aig, a, b);
        let first = aig.or(less, b.nan);
        Unpacked::mux(aig, first, a, b)
    }

    /// `fp.max` with the choices of [`Float::max`].
    pub fn max(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Unpacked {
        let greater = Unpacked::less(aig, b, a);
        let first = aig.or(greater, b.nan);
        Unpacked::mux(aig, first, a, b)
    }
}

/// Builds the condition that the magnitude of `a` is below that of `b`, neither being NaN.
fn magnitude_less(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> Lit {
    let digits = {
        let mut x = a.significand.clone();
        let mut y = b.significand.clone();
        // Signed exponents order as unsigned ones with the top bit flipped.
        x.extend(&a.exponent);
        y.extend(&b.exponent);
        if let (Some(p), Some(q)) = (x.last_mut(), y.last_mut()) {
            (*p, *q) = (!*p, !*q);
        }
        compare::ult(aig, &x, &y)
    };
    let from_zero = aig.and(a.zero, !b.zero);
    let to_infinity = aig.and(!a.infinite, b.infinite);
    let plain = aig.and_all(&[!a.infinite, !b.zero, !a.zero, digits]);
    aig.or_all(&[from_zero, to_infinity, plain])
}

/// The outcome of rounding a significand at a variable place.
pub struct Rounded {
    /// The significand, its leading bit set unless the value is zero.
    pub significand: Word,
    /// True if the increment carried out, so that the exponent is one more.
    pub carry: Lit,
    /// True if nothing is left.
    pub zero: Lit,
    /// True if the place is beyond the guard bit: the exponent is then to be taken as that of the
    /// place minus one.
    pub beyond: Lit,
}

/// Rounds a significand (leading bit set) with a guard bit and a sticky bit below it, after dropping
/// `drop` more of its low bits, where `drop` is at most its width plus one.
pub fn round_at(
    aig: &mut Aig,
    mode: &Mode,
    sign: Lit,
    significand: &[Lit],
    guard: Lit,
    sticky: Lit,
    drop: &[Lit],
) -> Rounded {
    let precision = significand.len();
    // exceeds[i] says that more than i bits are dropped.
    let exceeds = shift::thermometer(aig, drop, precision + 1);
    let exactly = |aig: &mut Aig, i: usize| {
        let at_least = if i == 0 { Lit::TRUE } else { exceeds[i - 1] };
        aig.and(at_least, !exceeds[i])
    };
    let place: Word = (0..=precision).map(|i| exactly(aig, i)).collect();
    let kept: Word = (0..precision).map(|i| aig.and(significand[i], !exceeds[i])).collect();
    let odd_parts: Word = (0..precision).map(|i| aig.and(significand[i], place[i])).collect();
    let odd = aig.or_all(&odd_parts);
    let mut half_parts: Word =
        (1..=precision).map(|i| aig.and(significand[i - 1], place[i])).collect();
    half_parts.push(aig.and(guard, place[0]));
    let half = aig.or_all(&half_parts);
    let mut rest_parts: Word =
        (0..precision).map(|i| aig.and(significand[i], exceeds[i + 1])).collect();
    rest_parts.push(sticky);
    rest_parts.push(aig.and(guard, exceeds[0]));
    let rest = aig.or_all(&rest_parts);
    let up = mode.increments(aig, sign, odd, half, rest);
    let mut carry = Lit::FALSE;
    let mut result = Vec::with_capacity(precision);
    for i in 0..precision {
        // Below the place there is neither a carry nor a kept bit, so the two never meet.
        let here = aig.and(up, place[i]);
        let addend = aig.or(here, carry);
        let (sum, out) = aig.half_adder(kept[i], addend);
        result.push(sum);
        carry = out;
    }
    let nothing_kept = exceeds[precision - 1];
    let from_nothing = aig.and(up, nothing_kept);
    let carry = aig.or(carry, from_nothing);
    let top = precision - 1;
    result[top] = aig.or(result[top], carry);
    Rounded {
        significand: result,
        carry,
        zero: aig.and(nothing_kept, !up),
        beyond: exceeds[precision],
    }
}

/// Rounds a non-zero number to a format: `significand` has its leading bit set, is at least two
/// bits wider than the precision, and its lowest bit may be sticky; `exponent` is signed.
pub fn round(
    aig: &mut Aig,
    format: FloatFormat,
    mode: &Mode,
    sign: Lit,
    exponent: &[Lit],
    significand: &[Lit],
) -> Unpacked {
    let precision = format.significand_bits() as usize;
    let cut = significand.len() - precision;
    let guard = significand[cut - 1];
    let sticky = aig.or_all(&significand[..cut - 1]);
    // One more bit than both the exponent and the format's bounds need makes differences exact.
    let width = exponent.len().max(exponent_width(format)) + 1;
    let exponent = word::sign_extend(exponent, width);
    let least = word::signed(width, format.min_exponent());
    let subnormal = compare::slt(aig, &exponent, &least);
    let missing = arith::sub(aig, &least, &exponent);
    let missing = word::mask(aig, &missing, subnormal);
    let limit = precision as u64 + 1;
    let drop_width = (u64::BITS - limit.leading_zeros()) as usize;
    let drop = arith::clamp_unsigned(aig, &missing, limit, drop_width);
    let rounded = round_at(aig, mode, sign, &significand[cut..], guard, sticky, &drop);
    let below = word::signed(width, format.quantum_exponent() - 1);
    let base = aig.mux_words(rounded.beyond, &below, &exponent);
    let (exponent, _) = arith::increment(aig, &base, rounded.carry);
    let most = word::signed(width, format.max_exponent());
    let overflow = compare::slt(aig, &most, &exponent);
    // Overflow goes to infinity, or to the largest number when rounding towards zero.
    let up = aig.and(mode.toward_positive, !sign);
    let down = aig.and(mode.toward_negative, sign);
    let outward = aig.or_all(&[mode.nearest_even, mode.nearest_away, up, down]);
    let infinite = aig.and(overflow, outward);
    let largest = aig.and(overflow, !outward);
    let exponent = aig.mux_words(largest, &most, &exponent);
    let significand: Word = rounded.significand.iter().map(|&l| aig.or(l, largest)).collect();
    Unpacked {
        format,
        nan: Lit::FALSE,
        infinite,
        zero: rounded.zero,
        sign,
        exponent: word::resize(&exponent, exponent_width(format), Lit::FALSE),
        significand,
    }
}
