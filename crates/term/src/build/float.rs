//! Floats: SMT-LIB's floating-point operators, and exchange with encodings.

use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use vergo_num::{Float, FloatFormat, FormatKind};

macro_rules! float_operators {
    ($($(#[$doc:meta])* $name:ident($($mode:ident)?; $first:ident $(, $rest:ident)*) => $op:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, $($mode: TermId,)? $first: TermId $(, $rest: TermId)*) -> TermId {
                $(self.expect_mode($mode);)?
                let sort = self.expect_float($first);
                $(self.expect_same_sort($first, $rest);)*
                self.app(Op::$op, sort, &[$($mode,)? $first $(, $rest)*])
            }
        )*
    };
}

macro_rules! float_predicates {
    ($($(#[$doc:meta])* $name:ident($first:ident $(, $rest:ident)*) => $op:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, $first: TermId $(, $rest: TermId)*) -> TermId {
                self.expect_float($first);
                $(self.expect_same_sort($first, $rest);)*
                self.app(Op::$op, Sort::Bool, &[$first $(, $rest)*])
            }
        )*
    };
}

/// Kernel operators.
impl TermStore {
    float_operators! {
        /// `(fp.abs x)`.
        fp_abs(; x) => FpAbs;
        /// `(fp.neg x)`.
        fp_neg(; x) => FpNeg;
        /// `(fp.add mode x y)`.
        fp_add(mode; x, y) => FpAdd;
        /// `(fp.mul mode x y)`.
        fp_mul(mode; x, y) => FpMul;
        /// `(fp.div mode x y)`.
        fp_div(mode; x, y) => FpDiv;
        /// `(fp.fma mode x y z)`.
        fp_fma(mode; x, y, z) => FpFma;
        /// `(fp.sqrt mode x)`.
        fp_sqrt(mode; x) => FpSqrt;
        /// `(fp.rem x y)`: the IEEE remainder.
        fp_rem(; x, y) => FpRem;
        /// C's `fmod`.
        fp_fmod(; x, y) => FpFmod;
        /// `(fp.roundToIntegral mode x)`.
        fp_round_to_integral(mode; x) => FpRoundToIntegral;
        /// `(fp.min x y)`; of zeros with different signs, the second.
        fp_min(; x, y) => FpMin;
        /// `(fp.max x y)`; of zeros with different signs, the second.
        fp_max(; x, y) => FpMax;
    }

    float_predicates! {
        /// `(fp.leq x y)`.
        fp_le(x, y) => FpLe;
        /// `(fp.lt x y)`.
        fp_lt(x, y) => FpLt;
        /// `(fp.eq x y)`.
        fp_eq(x, y) => FpEq;
        /// `(fp.isNormal x)`.
        fp_is_normal(x) => FpIsNormal;
        /// `(fp.isSubnormal x)`.
        fp_is_subnormal(x) => FpIsSubnormal;
        /// `(fp.isZero x)`.
        fp_is_zero(x) => FpIsZero;
        /// `(fp.isInfinite x)`.
        fp_is_infinite(x) => FpIsInfinite;
        /// `(fp.isNaN x)`.
        fp_is_nan(x) => FpIsNan;
        /// `(fp.isNegative x)`.
        fp_is_negative(x) => FpIsNegative;
    }

    /// `((_ to_fp eb sb) mode x)` of a float: the number in another format.
    pub fn fp_convert(&mut self, format: FloatFormat, mode: TermId, x: TermId) -> TermId {
        self.expect_mode(mode);
        self.expect_float(x);
        self.app(Op::FpConvert, Sort::float(format), &[mode, x])
    }

    /// `((_ to_fp eb sb) mode word)`: the signed number.
    pub fn fp_from_sbv(&mut self, format: FloatFormat, mode: TermId, word: TermId) -> TermId {
        self.expect_mode(mode);
        self.width(word);
        self.app(Op::FpFromSbv, Sort::float(format), &[mode, word])
    }

    /// `((_ to_fp_unsigned eb sb) mode word)`.
    pub fn fp_from_ubv(&mut self, format: FloatFormat, mode: TermId, word: TermId) -> TermId {
        self.expect_mode(mode);
        self.width(word);
        self.app(Op::FpFromUbv, Sort::float(format), &[mode, word])
    }

    /// `((_ fp.to_sbv width) mode x)`; zero where SMT-LIB leaves it open.
    pub fn fp_to_sbv(&mut self, width: u32, mode: TermId, x: TermId) -> TermId {
        self.expect_mode(mode);
        self.expect_float(x);
        self.app(Op::FpToSbv, Sort::BitVec(width), &[mode, x])
    }

    /// `((_ fp.to_ubv width) mode x)`; zero where SMT-LIB leaves it open.
    pub fn fp_to_ubv(&mut self, width: u32, mode: TermId, x: TermId) -> TermId {
        self.expect_mode(mode);
        self.expect_float(x);
        self.app(Op::FpToUbv, Sort::BitVec(width), &[mode, x])
    }
}

/// Encodings.
impl TermStore {
    /// The number that a word encodes in `format`: `((_ to_fp eb sb) word)`. For the x87 format the
    /// word has the stored leading bit, and encodings without IEEE meaning are read as
    /// [`Float`] reads them.
    pub fn fp_from_bits(&mut self, format: FloatFormat, word: TermId) -> TermId {
        assert!(self.width(word) == format.width(), "{word} is not as wide as {format}");
        let sort = Sort::float(format);
        if format.kind() == FormatKind::Ieee {
            return self.app(Op::FpFromBits, sort, &[word]);
        }
        let stored = format.stored_significand_bits();
        let (eb, width) = (format.exponent_bits(), format.width());
        let sign = self.bv_extract(width - 1, width - 1, word);
        let exponent = self.bv_extract(stored + eb - 1, stored, word);
        let leading = self.bv_bit(stored - 1, word);
        let fraction = self.bv_extract(stored - 2, 0, word);
        let zero = self.bv_u64(eb, 0);
        let one = self.bv_u64(eb, 1);
        // A pseudo-denormal is the number with the least normal exponent.
        let low = self.eq(exponent, zero);
        let pseudo = self.and(low, leading);
        let exponent = self.ite(pseudo, one, exponent);
        let bits = self.bv_concat(sign, exponent);
        let bits = self.bv_concat(bits, fraction);
        let number = self.app(Op::FpFromBits, sort, &[bits]);
        // Other encodings whose leading bit contradicts the exponent are invalid.
        let valid = self.or(low, leading);
        let nan = self.fp_const(Float::nan(format));
        self.ite(valid, number, nan)
    }

    /// The encoding of a number in `format`, which must have the numbers of the term's sort; NaN has
    /// the canonical one. (SMT-LIB has no such function; solvers call it `fp.to_ieee_bv`.)
    pub fn fp_to_bits(&mut self, format: FloatFormat, x: TermId) -> TermId {
        let sort = self.expect_float(x);
        assert!(sort == Sort::float(format), "{x} is not of format {format}");
        let ieee = sort.format().expect("a float sort");
        let bits = self.app(Op::FpToBits, Sort::BitVec(ieee.width()), &[x]);
        if format.kind() == FormatKind::Ieee {
            return bits;
        }
        let fraction_bits = ieee.stored_significand_bits();
        let upper = self.bv_extract(ieee.width() - 1, fraction_bits, bits);
        let exponent = self.bv_extract(ieee.width() - 2, fraction_bits, bits);
        let fraction = self.bv_extract(fraction_bits - 1, 0, bits);
        let leading = self.bv_redor(exponent);
        let upper = self.bv_concat(upper, leading);
        self.bv_concat(upper, fraction)
    }

    /// `(fp sign exponent significand)`: three words.
    pub fn fp_from_parts(&mut self, sign: TermId, exponent: TermId, significand: TermId) -> TermId {
        let format = FloatFormat::ieee(self.width(exponent), self.width(significand) + 1);
        let bits = self.bv_concat(sign, exponent);
        let bits = self.bv_concat(bits, significand);
        self.fp_from_bits(format, bits)
    }
}

/// Operators made of kernel operators.
impl TermStore {
    /// `(fp.sub mode x y)`.
    pub fn fp_sub(&mut self, mode: TermId, x: TermId, y: TermId) -> TermId {
        let y = self.fp_neg(y);
        self.fp_add(mode, x, y)
    }

    /// `(fp.isPositive x)`.
    pub fn fp_is_positive(&mut self, x: TermId) -> TermId {
        let (nan, negative) = (self.fp_is_nan(x), self.fp_is_negative(x));
        let either = self.or(nan, negative);
        self.not(either)
    }

    fn expect_mode(&self, mode: TermId) {
        assert!(self.sort(mode) == Sort::RoundingMode, "{mode} is not a rounding mode");
    }

    fn expect_float(&self, x: TermId) -> Sort {
        match self.sort(x) {
            Sort::Float(format) => Sort::Float(format),
            sort => panic!("{x} has sort {sort:?}, not a float's"),
        }
    }
}
