//! Words of a fixed width with the total operations of SMT-LIB's bit-vector theory.
//!
//! A word is a width (at least one) and that many bits; the bits above the width are always zero, so
//! equal words are equal structurally. Widths up to 128 live inline, wider ones in a boxed slice.
//! Arithmetic wraps around and is defined for every operand: division by zero gives all ones,
//! the remainder by zero gives the dividend, shifting by the width or more gives what shifting one
//! bit at a time would. Operands of one operation must have the same width; a mismatch is a bug in
//! the caller and panics.

use crate::natural::Natural;
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector value: a width and an unsigned number below two to the width.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Widths up to 128; little-endian limbs, bits above the width are zero.
    Small { width: u32, limbs: [u64; 2] },
    /// Wider words; exactly as many little-endian limbs as the width needs.
    Large { width: u32, limbs: Box<[u64]> },
}

const SMALL_WIDTH: u32 = 128;

/// Construction.
impl BitVec {
    /// The word of `width` bits that are all zero. Panics if `width` is zero, as all constructors do.
    pub fn zero(width: u32) -> BitVec {
        BitVec::from_u128(width, 0)
    }

    /// The number one.
    pub fn one(width: u32) -> BitVec {
        BitVec::from_u128(width, 1)
    }

    /// The word of `width` bits that are all one.
    pub fn ones(width: u32) -> BitVec {
        BitVec::from_i128(width, -1)
    }

    /// The least number in the signed reading: only the sign bit is set.
    pub fn min_signed(width: u32) -> BitVec {
        BitVec::one(width).shl_by(width - 1)
    }

    /// The greatest number in the signed reading: only the sign bit is clear.
    pub fn max_signed(width: u32) -> BitVec {
        BitVec::min_signed(width).not()
    }

    /// `value` modulo two to the `width`.
    pub fn from_u64(width: u32, value: u64) -> BitVec {
        BitVec::from_u128(width, value.into())
    }

    /// `value` modulo two to the `width`.
    pub fn from_u128(width: u32, value: u128) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= SMALL_WIDTH {
            BitVec::small(width, value)
        } else {
            BitVec::from_limbs(width, vec![value as u64, (value >> 64) as u64])
        }
    }

    /// `value` modulo two to the `width`, sign-extended first where the width is larger.
    pub fn from_i64(width: u32, value: i64) -> BitVec {
        BitVec::from_i128(width, value.into())
    }

    /// `value` modulo two to the `width`, sign-extended first where the width is larger.
    pub fn from_i128(width: u32, value: i128) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= SMALL_WIDTH {
            BitVec::small(width, value as u128)
        } else {
            let mut limbs = vec![if value < 0 { u64::MAX } else { 0 }; limb_count(width)];
            limbs[0] = value as u64;
            limbs[1] = (value >> 64) as u64;
            BitVec::from_limbs(width, limbs)
        }
    }

    /// One bit: one for `true`.
    pub fn from_bool(value: bool) -> BitVec {
        BitVec::from_u128(1, value.into())
    }

    /// `value` modulo two to the `width`.
    pub fn from_natural(width: u32, value: &Natural) -> BitVec {
        BitVec::from_limbs(width, value.limbs().to_vec())
    }

    /// The word whose little-endian 64-bit limbs are `limbs`, cut or zero-extended to `width`.
    pub fn from_limbs(width: u32, mut limbs: Vec<u64>) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= SMALL_WIDTH {
            let limb = |i: usize| u128::from(limbs.get(i).copied().unwrap_or(0));
            return BitVec::small(width, limb(1) << 64 | limb(0));
        }
        limbs.resize(limb_count(width), 0);
        if !width.is_multiple_of(64) {
            let top = limbs.len() - 1;
            limbs[top] &= (1 << (width % 64)) - 1;
        }
        BitVec(Repr::Large { width, limbs: limbs.into() })
    }

    /// The word whose bytes, least significant first, are `bytes`, cut or zero-extended to `width`.
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> BitVec {
        let limb = |chunk: &[u8]| chunk.iter().rev().fold(0, |acc, &b| acc << 8 | u64::from(b));
        BitVec::from_limbs(width, bytes.chunks(8).map(limb).collect())
    }

    /// The word written in decimal, with an optional sign. `None` if the text is not a number, or if
    /// the number does not fit (negative ones must fit the signed reading, others the unsigned one).
    pub fn parse_decimal(width: u32, text: &str) -> Option<BitVec> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let magnitude = Natural::parse(digits, 10)?;
        if negative {
            let limit = Natural::power_of_two(width as usize - 1);
            (magnitude <= limit).then(|| BitVec::from_natural(width, &magnitude).neg())
        } else {
            BitVec::fitting(width, &magnitude)
        }
    }

    /// The word written in binary digits; `None` if the text is not a number or does not fit.
    pub fn parse_binary(width: u32, digits: &str) -> Option<BitVec> {
        BitVec::fitting(width, &Natural::parse(digits, 2)?)
    }

    /// The word written in hexadecimal digits; `None` if the text is not a number or does not fit.
    pub fn parse_hex(width: u32, digits: &str) -> Option<BitVec> {
        BitVec::fitting(width, &Natural::parse(digits, 16)?)
    }

    fn fitting(width: u32, value: &Natural) -> Option<BitVec> {
        (value.bit_len() <= width as usize).then(|| BitVec::from_natural(width, value))
    }

    fn small(width: u32, value: u128) -> BitVec {
        let value = value & (u128::MAX >> (SMALL_WIDTH - width));
        BitVec(Repr::Small { width, limbs: [value as u64, (value >> 64) as u64] })
    }
}

/// Inspection.
impl BitVec {
    /// The number of bits.
    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Small { width, .. } | Repr::Large { width, .. } => width,
        }
    }

    /// The bit at position `i`, counted from the least significant. Panics beyond the width.
    pub fn bit(&self, i: u32) -> bool {
        assert!(i < self.width(), "bit {i} of a word of {} bits", self.width());
        self.limbs()[i as usize / 64] >> (i % 64) & 1 == 1
    }

    /// Little-endian 64-bit limbs, as many as the width needs.
    pub fn limbs(&self) -> &[u64] {
        match &self.0 {
            Repr::Small { width, limbs } => &limbs[..limb_count(*width)],
            Repr::Large { limbs, .. } => limbs,
        }
    }

    /// The unsigned reading as a natural number.
    pub fn to_natural(&self) -> Natural {
        Natural::from_limbs(self.limbs().to_vec())
    }

    /// The bytes, least significant first; the last one is zero-padded.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
        bytes.truncate(self.width().div_ceil(8) as usize);
        bytes
    }

    /// The unsigned reading, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }

    /// The unsigned reading, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Small { limbs: [low, high], .. } => {
                Some(u128::from(*high) << 64 | u128::from(*low))
            }
            Repr::Large { limbs, .. } if limbs[2..].iter().all(|&limb| limb == 0) => {
                Some(u128::from(limbs[1]) << 64 | u128::from(limbs[0]))
            }
            Repr::Large { .. } => None,
        }
    }

    /// The signed reading, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128()?.try_into().ok()
    }

    /// The signed reading, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        if self.width() <= SMALL_WIDTH {
            let unused = SMALL_WIDTH - self.width();
            return self.to_u128().map(|bits| ((bits << unused) as i128) >> unused);
        }
        let low = self.truncate(SMALL_WIDTH);
        (low.sign_extend(self.width()) == *self).then(|| low.to_i128())?
    }

    /// Returns whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.limbs().iter().all(|&limb| limb == 0)
    }

    /// Returns whether the word is the number one.
    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }

    /// Returns whether all bits are one.
    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width()
    }

    /// Returns whether the word is the least number in the signed reading.
    pub fn is_min_signed(&self) -> bool {
        self.sign_bit() && self.trailing_zeros() == self.width() - 1
    }

    /// Returns whether the word is the greatest number in the signed reading.
    pub fn is_max_signed(&self) -> bool {
        !self.sign_bit() && self.count_ones() == self.width() - 1
    }

    /// The position of the only one bit, if exactly one is set.
    pub fn log2_exact(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// The most significant bit.
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width() - 1)
    }

    /// The number of one bits.
    pub fn count_ones(&self) -> u32 {
        self.limbs().iter().map(|limb| limb.count_ones()).sum()
    }

    /// The number of zero bits above the highest one bit; the width if there is none.
    pub fn leading_zeros(&self) -> u32 {
        self.width() - self.bit_len()
    }

    /// The number of zero bits below the lowest one bit; the width if there is none.
    pub fn trailing_zeros(&self) -> u32 {
        for (i, limb) in self.limbs().iter().enumerate() {
            if *limb != 0 {
                return i as u32 * 64 + limb.trailing_zeros();
            }
        }
        self.width()
    }

    /// The number of bits up to and including the highest one bit.
    pub fn bit_len(&self) -> u32 {
        for (i, limb) in self.limbs().iter().enumerate().rev() {
            if *limb != 0 {
                return (i as u32 + 1) * 64 - limb.leading_zeros();
            }
        }
        0
    }

    /// The unsigned reading in decimal.
    pub fn to_unsigned_decimal(&self) -> String {
        match self.to_u128() {
            Some(value) => value.to_string(),
            None => self.to_natural().to_decimal(),
        }
    }

    /// The signed reading in decimal.
    pub fn to_signed_decimal(&self) -> String {
        if self.sign_bit() {
            format!("-{}", self.neg().to_unsigned_decimal())
        } else {
            self.to_unsigned_decimal()
        }
    }

    /// All binary digits, most significant first.
    pub fn to_binary(&self) -> String {
        (0..self.width()).rev().map(|i| if self.bit(i) { '1' } else { '0' }).collect()
    }

    /// All hexadecimal digits in lower case, most significant first.
    pub fn to_hex(&self) -> String {
        let limbs = self.limbs();
        let n_digits = self.width().div_ceil(4) as usize;
        let digit = |i: usize| (limbs[i / 16] >> (i % 16 * 4) & 0xf) as u32;
        (0..n_digits).rev().filter_map(|i| char::from_digit(digit(i), 16)).collect()
    }
}

/// Arithmetic modulo two to the width.
impl BitVec {
    /// `self + other`.
    pub fn add(&self, other: &BitVec) -> BitVec {
        self.zip(other, u128::wrapping_add, |a, b| a.add(b))
    }

    /// `self - other`.
    pub fn sub(&self, other: &BitVec) -> BitVec {
        let width = self.width() as usize;
        self.zip(other, u128::wrapping_sub, |a, b| a.add(&Natural::power_of_two(width)).sub(b))
    }

    /// `self * other`.
    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.zip(other, u128::wrapping_mul, |a, b| a.mul(b))
    }

    /// `-self`.
    pub fn neg(&self) -> BitVec {
        BitVec::zero(self.width()).sub(self)
    }

    /// The unsigned quotient; all ones when dividing by zero.
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            self.assert_same_width(other);
            return BitVec::ones(self.width());
        }
        self.zip(other, |a, b| a / b, |a, b| a.div_rem(b).0)
    }

    /// The unsigned remainder; the dividend when dividing by zero.
    pub fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            self.assert_same_width(other);
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a.div_rem(b).1)
    }

    /// The signed quotient, truncated towards zero. By zero: one for a negative dividend, else minus
    /// one. The one overflow, `min / -1`, wraps around to `min`.
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.abs_wrapping().udiv(&other.abs_wrapping());
        if self.sign_bit() == other.sign_bit() { quotient } else { quotient.neg() }
    }

    /// The signed remainder with the sign of the dividend; the dividend when dividing by zero.
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let rem = self.abs_wrapping().urem(&other.abs_wrapping());
        if self.sign_bit() { rem.neg() } else { rem }
    }

    /// The signed remainder with the sign of the divisor; the dividend when dividing by zero.
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let rem = self.srem(other);
        if rem.is_zero() || other.is_zero() || rem.sign_bit() == other.sign_bit() {
            rem
        } else {
            rem.add(other)
        }
    }

    /// The magnitude of the signed reading, in the unsigned reading.
    pub fn abs_wrapping(&self) -> BitVec {
        if self.sign_bit() { self.neg() } else { self.clone() }
    }
}

/// Bitwise operations, shifts and rotations.
impl BitVec {
    /// Bitwise complement.
    pub fn not(&self) -> BitVec {
        match &self.0 {
            Repr::Small { width, limbs: [low, high] } => {
                BitVec::small(*width, u128::from(!high) << 64 | u128::from(!low))
            }
            Repr::Large { width, limbs } => {
                BitVec::from_limbs(*width, limbs.iter().map(|limb| !limb).collect())
            }
        }
    }

    /// Bitwise conjunction.
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.zip_limbs(other, |a, b| a & b)
    }

    /// Bitwise disjunction.
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.zip_limbs(other, |a, b| a | b)
    }

    /// Bitwise exclusive disjunction.
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.zip_limbs(other, |a, b| a ^ b)
    }

    /// Shift left by the unsigned reading of `amount`.
    pub fn shl(&self, amount: &BitVec) -> BitVec {
        self.shl_by(self.shift_amount(amount))
    }

    /// Shift right by the unsigned reading of `amount`, filling with zeros.
    pub fn lshr(&self, amount: &BitVec) -> BitVec {
        self.lshr_by(self.shift_amount(amount))
    }

    /// Shift right by the unsigned reading of `amount`, filling with the sign bit.
    pub fn ashr(&self, amount: &BitVec) -> BitVec {
        self.ashr_by(self.shift_amount(amount))
    }

    /// Shift left by `amount` bits, which may be any number.
    pub fn shl_by(&self, amount: u32) -> BitVec {
        let width = self.width();
        if amount >= width {
            return BitVec::zero(width);
        }
        match &self.0 {
            Repr::Small { limbs: [low, high], .. } => {
                BitVec::small(width, (u128::from(*high) << 64 | u128::from(*low)) << amount)
            }
            Repr::Large { .. } => {
                BitVec::from_natural(width, &self.to_natural().shl(amount as usize))
            }
        }
    }

    /// Shift right by `amount` bits, which may be any number, filling with zeros.
    pub fn lshr_by(&self, amount: u32) -> BitVec {
        let width = self.width();
        if amount >= width {
            return BitVec::zero(width);
        }
        match &self.0 {
            Repr::Small { limbs: [low, high], .. } => {
                BitVec::small(width, (u128::from(*high) << 64 | u128::from(*low)) >> amount)
            }
            Repr::Large { .. } => {
                BitVec::from_natural(width, &self.to_natural().shr(amount as usize))
            }
        }
    }

    /// Shift right by `amount` bits, which may be any number, filling with the sign bit.
    pub fn ashr_by(&self, amount: u32) -> BitVec {
        if self.sign_bit() { self.not().lshr_by(amount).not() } else { self.lshr_by(amount) }
    }

    /// Rotation towards the most significant bit by `amount` positions.
    pub fn rotate_left(&self, amount: u32) -> BitVec {
        let amount = amount % self.width();
        self.shl_by(amount).or(&self.lshr_by(self.width() - amount))
    }

    /// Rotation towards the least significant bit by `amount` positions.
    pub fn rotate_right(&self, amount: u32) -> BitVec {
        self.rotate_left(self.width() - amount % self.width())
    }

    fn shift_amount(&self, amount: &BitVec) -> u32 {
        self.assert_same_width(amount);
        amount.to_u64().and_then(|n| n.try_into().ok()).unwrap_or(u32::MAX)
    }
}

/// Comparison. (`Ord` orders by width first and then by the unsigned reading.)
impl BitVec {
    /// Unsigned `<`.
    pub fn ult(&self, other: &BitVec) -> bool {
        self.assert_same_width(other);
        self < other
    }

    /// Unsigned `<=`.
    pub fn ule(&self, other: &BitVec) -> bool {
        !other.ult(self)
    }

    /// Signed `<`.
    pub fn slt(&self, other: &BitVec) -> bool {
        if self.sign_bit() == other.sign_bit() { self.ult(other) } else { self.sign_bit() }
    }

    /// Signed `<=`.
    pub fn sle(&self, other: &BitVec) -> bool {
        !other.slt(self)
    }
}

/// Changes of width. Each takes the resulting width, not the difference.
impl BitVec {
    /// Zeros added on top up to `width`, which must not be smaller.
    pub fn zero_extend(&self, width: u32) -> BitVec {
        assert!(width >= self.width(), "extension from {} to {width} bits", self.width());
        BitVec::from_limbs(width, self.limbs().to_vec())
    }

    /// Copies of the sign bit added on top up to `width`, which must not be smaller.
    pub fn sign_extend(&self, width: u32) -> BitVec {
        if self.sign_bit() { self.not().zero_extend(width).not() } else { self.zero_extend(width) }
    }

    /// The low `width` bits; `width` must not be larger.
    pub fn truncate(&self, width: u32) -> BitVec {
        assert!(width <= self.width(), "truncation from {} to {width} bits", self.width());
        BitVec::from_limbs(width, self.limbs().to_vec())
    }

    /// The low bits, or extended by zeros, whichever `width` asks for.
    pub fn resize_unsigned(&self, width: u32) -> BitVec {
        if width <= self.width() { self.truncate(width) } else { self.zero_extend(width) }
    }

    /// The low bits, or extended by the sign, whichever `width` asks for.
    pub fn resize_signed(&self, width: u32) -> BitVec {
        if width <= self.width() { self.truncate(width) } else { self.sign_extend(width) }
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&self, high: u32, low: u32) -> BitVec {
        assert!(low <= high && high < self.width(), "bits {high}..{low} of {}", self.width());
        self.lshr_by(low).truncate(high - low + 1)
    }

    /// `self` on top of `low`.
    pub fn concat(&self, low: &BitVec) -> BitVec {
        let width = self.width() + low.width();
        self.zero_extend(width).shl_by(low.width()).or(&low.zero_extend(width))
    }
}

/// Overflow: whether an operation's exact result differs from the one that wraps around.
impl BitVec {
    /// Returns whether the unsigned sum overflows.
    pub fn uadd_overflow(&self, other: &BitVec) -> bool {
        self.add(other).ult(self)
    }

    /// Returns whether the signed sum overflows.
    pub fn sadd_overflow(&self, other: &BitVec) -> bool {
        self.sign_bit() == other.sign_bit() && self.add(other).sign_bit() != self.sign_bit()
    }

    /// Returns whether the unsigned difference is negative.
    pub fn usub_overflow(&self, other: &BitVec) -> bool {
        self.ult(other)
    }

    /// Returns whether the signed difference overflows.
    pub fn ssub_overflow(&self, other: &BitVec) -> bool {
        self.sign_bit() != other.sign_bit() && self.sub(other).sign_bit() != self.sign_bit()
    }

    /// Returns whether the unsigned product overflows.
    pub fn umul_overflow(&self, other: &BitVec) -> bool {
        self.assert_same_width(other);
        self.to_natural().mul(&other.to_natural()).bit_len() > self.width() as usize
    }

    /// Returns whether the signed product overflows.
    pub fn smul_overflow(&self, other: &BitVec) -> bool {
        self.assert_same_width(other);
        let magnitude = self.abs_wrapping().to_natural().mul(&other.abs_wrapping().to_natural());
        let limit = Natural::power_of_two(self.width() as usize - 1);
        if self.sign_bit() == other.sign_bit() { magnitude >= limit } else { magnitude > limit }
    }

    /// Returns whether the signed quotient overflows: `min / -1`.
    pub fn sdiv_overflow(&self, other: &BitVec) -> bool {
        self.assert_same_width(other);
        self.is_min_signed() && other.is_ones()
    }

    /// Returns whether the signed negation overflows: `-min`.
    pub fn neg_overflow(&self) -> bool {
        self.is_min_signed()
    }
}

impl BitVec {
    fn assert_same_width(&self, other: &BitVec) {
        assert!(
            self.width() == other.width(),
            "operands of {} and {} bits",
            self.width(),
            other.width()
        );
    }

    /// Applies an operation whose low bits depend only on the operands' numbers.
    fn zip(
        &self,
        other: &BitVec,
        small: impl Fn(u128, u128) -> u128,
        large: impl Fn(&Natural, &Natural) -> Natural,
    ) -> BitVec {
        self.assert_same_width(other);
        let width = self.width();
        if width <= SMALL_WIDTH
            && let (Some(a), Some(b)) = (self.to_u128(), other.to_u128())
        {
            return BitVec::small(width, small(a, b));
        }
        BitVec::from_natural(width, &large(&self.to_natural(), &other.to_natural()))
    }

    fn zip_limbs(&self, other: &BitVec, op: impl Fn(u64, u64) -> u64) -> BitVec {
        self.assert_same_width(other);
        match (&self.0, &other.0) {
            (Repr::Small { width, limbs: a }, Repr::Small { limbs: b, .. }) => {
                BitVec(Repr::Small { width: *width, limbs: [op(a[0], b[0]), op(a[1], b[1])] })
            }
            _ => {
                let limbs = self.limbs().iter().zip(other.limbs());
                BitVec::from_limbs(self.width(), limbs.map(|(&a, &b)| op(a, b)).collect())
            }
        }
    }
}

impl Ord for BitVec {
    fn cmp(&self, other: &BitVec) -> Ordering {
        self.width()
            .cmp(&other.width())
            .then_with(|| self.limbs().iter().rev().cmp(other.limbs().iter().rev()))
    }
}

impl PartialOrd for BitVec {
    fn partial_cmp(&self, other: &BitVec) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The SMT-LIB literal, which shows the width: `#x2a`, or `#b101010` if no hexadecimal one has it.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width().is_multiple_of(4) {
            write!(f, "#x{}", self.to_hex())
        } else {
            write!(f, "#b{}", self.to_binary())
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn limb_count(width: u32) -> usize {
    width.div_ceil(64) as usize
}
