//! Floating-point values of any binary format: the type, its encoding and its classification.
//!
//! A value is a format and the bits that encode it. There is one NaN per format: every constructor
//! maps all NaN encodings to the positive quiet one without payload, as SMT-LIB's theory does, so
//! structural equality is SMT-LIB's `=` (which differs from IEEE equality on NaN and on the signs of
//! zero).
//! There is deliberately no `Ord`: order is asked for by name.
//!
//! The x87 format stores the leading bit of the significand, hence has encodings without an IEEE
//! meaning. They are read as the 80387 and its successors do: a pseudo-denormal (exponent field
//! zero, leading bit one) is the normal number that it spells; unnormals (exponent field neither
//! zero nor all ones, leading bit zero), pseudo-infinities and pseudo-NaNs (exponent field all ones,
//! leading bit zero) are invalid operands and read as NaN.
//!
//! Every operation unpacks its operands to an integer times a power of two, computes exactly (or
//! exactly up to a sticky bit), and rounds once through [`round`](round::round).

use crate::bitvec::BitVec;
use crate::format::{FloatFormat, FormatKind};
use std::fmt;

mod arith;
mod convert;
mod functions;
mod native;
mod round;
mod scale;
mod text;

pub use functions::{Function, Function2};

/// A floating-point value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Float {
    format: FloatFormat,
    /// The encoding, of the format's width; canonical as the module says.
    bits: BitVec,
}

/// The class of a [`Float`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatClass {
    /// Not a number.
    Nan,
    /// Plus or minus infinity.
    Infinite,
    /// Plus or minus zero.
    Zero,
    /// A number too small for a full significand.
    Subnormal,
    /// Any other number.
    Normal,
}

/// Construction.
impl Float {
    /// The value that `bits` encode; panics if they are not as wide as the format.
    pub fn from_bits(format: FloatFormat, bits: BitVec) -> Float {
        assert!(bits.width() == format.width(), "{} bits for {format}", bits.width());
        let raw = Float { format, bits };
        match format.kind() {
            FormatKind::Ieee => {
                if raw.exponent_field().is_ones() && !raw.significand_field().is_zero() {
                    return Float::nan(format);
                }
            }
            FormatKind::X87 => {
                let exponent = raw.exponent_field();
                let significand = raw.significand_field();
                let leading = significand.sign_bit();
                if exponent.is_zero() {
                    if leading {
                        let one = BitVec::one(format.exponent_bits());
                        return Float::assemble(format, raw.is_sign_negative(), &one, &significand);
                    }
                } else if !leading || (exponent.is_ones() && !significand.is_min_signed()) {
                    return Float::nan(format);
                }
            }
        }
        raw
    }

    /// The value of three IEEE fields, whose widths give the format; the significand is without the
    /// hidden bit. Panics if there is no such format.
    pub fn from_fields(negative: bool, exponent: &BitVec, significand: &BitVec) -> Float {
        let format = FloatFormat::ieee(exponent.width(), significand.width() + 1);
        let bits = BitVec::from_bool(negative).concat(exponent).concat(significand);
        Float::from_bits(format, bits)
    }

    /// The NaN.
    pub fn nan(format: FloatFormat) -> Float {
        let width = format.stored_significand_bits();
        let quiet = match format.kind() {
            FormatKind::Ieee => BitVec::min_signed(width),
            FormatKind::X87 => BitVec::from_u64(width, 3).shl_by(width - 2),
        };
        Float::assemble(format, false, &BitVec::ones(format.exponent_bits()), &quiet)
    }

    /// Plus or minus infinity.
    pub fn infinity(format: FloatFormat, negative: bool) -> Float {
        let width = format.stored_significand_bits();
        let significand = match format.kind() {
            FormatKind::Ieee => BitVec::zero(width),
            FormatKind::X87 => BitVec::min_signed(width),
        };
        Float::assemble(format, negative, &BitVec::ones(format.exponent_bits()), &significand)
    }

    /// Plus or minus zero.
    pub fn zero(format: FloatFormat, negative: bool) -> Float {
        let exponent = BitVec::zero(format.exponent_bits());
        Float::assemble(
            format,
            negative,
            &exponent,
            &BitVec::zero(format.stored_significand_bits()),
        )
    }

    /// The number one.
    pub fn one(format: FloatFormat) -> Float {
        round::exact(format, false, 1u64.into(), 0)
    }

    /// The finite number of greatest magnitude.
    pub fn largest(format: FloatFormat, negative: bool) -> Float {
        let exponent =
            BitVec::ones(format.exponent_bits()).sub(&BitVec::one(format.exponent_bits()));
        Float::assemble(
            format,
            negative,
            &exponent,
            &BitVec::ones(format.stored_significand_bits()),
        )
    }

    /// The number of least magnitude other than zero.
    pub fn smallest(format: FloatFormat, negative: bool) -> Float {
        let exponent = BitVec::zero(format.exponent_bits());
        Float::assemble(format, negative, &exponent, &BitVec::one(format.stored_significand_bits()))
    }

    /// The normal number of least magnitude.
    pub fn smallest_normal(format: FloatFormat, negative: bool) -> Float {
        let value = round::exact(format, false, 1u64.into(), format.min_exponent());
        if negative { value.neg() } else { value }
    }

    fn assemble(
        format: FloatFormat,
        negative: bool,
        exponent: &BitVec,
        significand: &BitVec,
    ) -> Float {
        let bits = BitVec::from_bool(negative).concat(exponent).concat(significand);
        debug_assert_eq!(bits.width(), format.width());
        Float { format, bits }
    }
}

/// Encoding and classification.
impl Float {
    /// The format.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// The encoding, of the format's width.
    pub fn bits(&self) -> &BitVec {
        &self.bits
    }

    /// The encoding, of the format's width.
    pub fn into_bits(self) -> BitVec {
        self.bits
    }

    /// The biased exponent as stored.
    pub fn exponent_field(&self) -> BitVec {
        let low = self.format.stored_significand_bits();
        self.bits.extract(low + self.format.exponent_bits() - 1, low)
    }

    /// The significand as stored.
    pub fn significand_field(&self) -> BitVec {
        self.bits.truncate(self.format.stored_significand_bits())
    }

    /// Which kind of value this is.
    pub fn classify(&self) -> FloatClass {
        let exponent = self.exponent_field();
        let fraction = self.bits.truncate(self.format.significand_bits() - 1);
        if exponent.is_ones() {
            if fraction.is_zero() { FloatClass::Infinite } else { FloatClass::Nan }
        } else if !exponent.is_zero() {
            FloatClass::Normal
        } else if fraction.is_zero() {
            FloatClass::Zero
        } else {
            FloatClass::Subnormal
        }
    }

    /// Returns whether this is the NaN.
    pub fn is_nan(&self) -> bool {
        self.classify() == FloatClass::Nan
    }

    /// Returns whether this is plus or minus infinity.
    pub fn is_infinite(&self) -> bool {
        self.classify() == FloatClass::Infinite
    }

    /// Returns whether this is a number other than infinity.
    pub fn is_finite(&self) -> bool {
        !matches!(self.classify(), FloatClass::Infinite | FloatClass::Nan)
    }

    /// Returns whether this is plus or minus zero.
    pub fn is_zero(&self) -> bool {
        self.classify() == FloatClass::Zero
    }

    /// Returns whether this is a normal number.
    pub fn is_normal(&self) -> bool {
        self.classify() == FloatClass::Normal
    }

    /// Returns whether this is a subnormal number.
    pub fn is_subnormal(&self) -> bool {
        self.classify() == FloatClass::Subnormal
    }

    /// Returns whether the sign bit is set; never for NaN, whose canonical sign is plus.
    pub fn is_sign_negative(&self) -> bool {
        self.bits.sign_bit()
    }

    /// SMT-LIB's `fp.isNegative`: a value other than NaN with the sign bit set.
    pub fn is_negative(&self) -> bool {
        self.is_sign_negative() && !self.is_nan()
    }

    /// SMT-LIB's `fp.isPositive`: a value other than NaN with the sign bit clear.
    pub fn is_positive(&self) -> bool {
        !self.is_sign_negative() && !self.is_nan()
    }

    /// The value with the opposite sign; NaN stays NaN.
    pub fn neg(&self) -> Float {
        if self.is_nan() {
            return self.clone();
        }
        let sign = BitVec::min_signed(self.bits.width());
        Float { format: self.format, bits: self.bits.xor(&sign) }
    }

    /// The value with a positive sign.
    pub fn abs(&self) -> Float {
        if self.is_sign_negative() { self.neg() } else { self.clone() }
    }

    /// The magnitude of `self` with the sign bit of `sign` (plus for NaN); NaN stays NaN.
    pub fn copy_sign(&self, sign: &Float) -> Float {
        if self.is_sign_negative() == sign.is_sign_negative() { self.clone() } else { self.neg() }
    }
}

/// The shortest decimal text that reads back as the value.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_decimal())
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.format, self.to_hex(), self.bits)
    }
}
