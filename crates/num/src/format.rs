//! Floating-point formats and rounding modes.

use std::fmt;

/// The layout of a format's bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FormatKind {
    /// IEEE-754 interchange layout: sign, exponent, trailing significand with a hidden leading bit.
    Ieee,
    /// The x87 layout: as IEEE, but the leading bit of the significand is stored.
    X87,
}

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FloatFormat {
    exponent_bits: u32,
    significand_bits: u32,
    kind: FormatKind,
}

impl FloatFormat {
    /// IEEE binary16 (`_Float16`).
    pub const HALF: FloatFormat = FloatFormat::ieee(5, 11);
    /// bfloat16 (`__bf16`): the upper half of a single.
    pub const BFLOAT: FloatFormat = FloatFormat::ieee(8, 8);
    /// IEEE binary32 (`float`).
    pub const SINGLE: FloatFormat = FloatFormat::ieee(8, 24);
    /// IEEE binary64 (`double`).
    pub const DOUBLE: FloatFormat = FloatFormat::ieee(11, 53);
    /// The 80-bit format of the x87 (`long double` on x86).
    pub const X87_EXTENDED: FloatFormat =
        FloatFormat { exponent_bits: 15, significand_bits: 64, kind: FormatKind::X87 };
    /// IEEE binary128 (`__float128`).
    pub const QUAD: FloatFormat = FloatFormat::ieee(15, 113);

    /// The widest exponent a format may have; it keeps every exponent sum within 64 bits.
    pub const MAX_EXPONENT_BITS: u32 = 30;
    /// The widest significand a format may have.
    pub const MAX_SIGNIFICAND_BITS: u32 = 1 << 20;

    /// The IEEE format with the given field widths; the significand's counts the hidden bit. Panics
    /// where [`FloatFormat::try_ieee`] gives `None`.
    pub const fn ieee(exponent_bits: u32, significand_bits: u32) -> FloatFormat {
        match FloatFormat::try_ieee(exponent_bits, significand_bits) {
            Some(format) => format,
            None => panic!("field widths outside the supported range"),
        }
    }

    /// The IEEE format with the given field widths, each of which must be at least two and at most
    /// the stated maximum; the significand's counts the hidden bit.
    pub const fn try_ieee(exponent_bits: u32, significand_bits: u32) -> Option<FloatFormat> {
        if exponent_bits < 2
            || exponent_bits > FloatFormat::MAX_EXPONENT_BITS
            || significand_bits < 2
            || significand_bits > FloatFormat::MAX_SIGNIFICAND_BITS
        {
            return None;
        }
        Some(FloatFormat { exponent_bits, significand_bits, kind: FormatKind::Ieee })
    }

    /// Width of the exponent field.
    pub const fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// Precision: the significand's bits, counting the leading one whether stored or hidden.
    pub const fn significand_bits(self) -> u32 {
        self.significand_bits
    }

    /// Layout.
    pub const fn kind(self) -> FormatKind {
        self.kind
    }

    /// Width of a value's encoding.
    pub const fn width(self) -> u32 {
        1 + self.exponent_bits + self.stored_significand_bits()
    }

    /// Width of the significand field as stored.
    pub const fn stored_significand_bits(self) -> u32 {
        match self.kind {
            FormatKind::Ieee => self.significand_bits - 1,
            FormatKind::X87 => self.significand_bits,
        }
    }

    /// The exponent bias, which is also the largest exponent.
    pub const fn bias(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The largest exponent `e` of a finite number `1.x * 2^e`.
    pub const fn max_exponent(self) -> i64 {
        self.bias()
    }

    /// The smallest exponent `e` of a normal number `1.x * 2^e`.
    pub const fn min_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent of the least subnormal number, which divides every finite number.
    pub const fn quantum_exponent(self) -> i64 {
        self.min_exponent() - (self.significand_bits as i64 - 1)
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FormatKind::Ieee => {
                write!(f, "ieee({}, {})", self.exponent_bits, self.significand_bits)
            }
            FormatKind::X87 => f.write_str("x87"),
        }
    }
}

impl fmt::Debug for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The direction in which an inexact result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundingMode {
    /// To the nearest, ties to the even significand (C's default, SMT-LIB's `RNE`).
    NearestEven,
    /// To the nearest, ties away from zero (`RNA`).
    NearestAway,
    /// Towards plus infinity (`RTP`).
    TowardPositive,
    /// Towards minus infinity (`RTN`).
    TowardNegative,
    /// Towards zero (`RTZ`).
    TowardZero,
}

impl RoundingMode {
    /// All modes, in the order of SMT-LIB's theory.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// SMT-LIB's short name.
    pub const fn smt_name(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }

    /// Returns whether a magnitude is incremented, given its sign, its last kept bit, the first
    /// dropped bit and whether any later dropped bit is set.
    pub(crate) fn increments(self, negative: bool, odd: bool, half: bool, rest: bool) -> bool {
        match self {
            RoundingMode::NearestEven => half && (rest || odd),
            RoundingMode::NearestAway => half,
            RoundingMode::TowardPositive => !negative && (half || rest),
            RoundingMode::TowardNegative => negative && (half || rest),
            RoundingMode::TowardZero => false,
        }
    }
}

impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.smt_name())
    }
}
