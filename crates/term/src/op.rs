//! The kernel: the few operators that terms are made of.
//!
//! SMT-LIB's theories of core, bit-vectors, arrays and floats have about a hundred and twenty
//! operators. The constructors of [`TermStore`](crate::TermStore) express all of them with the ones
//! below, so that rewriting, evaluation and bit-blasting see few cases:
//!
//! | SMT-LIB | kernel |
//! |---|---|
//! | `or`, `=>`, `xor`, `distinct` | `not`, `and`, `=` |
//! | `bvor`, `bvnand`, `bvnor`, `bvxnor` | `bvnot`, `bvand`, `bvxor` |
//! | `bvsub` | `bvadd`, `bvneg` |
//! | `bvsdiv`, `bvsrem`, `bvsmod` | `bvudiv`, `bvurem` on magnitudes, with `ite` |
//! | `bvule`, `bvugt`, `bvuge`, and the signed ones | `bvult`, `bvslt` |
//! | `zero_extend`, `repeat`, `rotate_left`, `rotate_right` | `concat`, `extract` |
//! | `bvcomp`, `bvredor`, `bvredand`, `bvredxor` | `=`, `ite`, `bvxor` |
//! | `bvnego`, `bvuaddo`, `bvsaddo`, `bvusubo`, `bvssubo`, `bvsdivo` | comparisons and sign bits |
//! | `fp.sub`, `fp.gt`, `fp.geq`, `fp.isPositive`, `fp` | `fp.add`, `fp.lt`, `fp.leq`, …, `to_fp` of bits |
//!
//! Operators that a circuit does better than their definition stay: `bvumulo` and `bvsmulo` (an
//! overflow test needs no product of twice the width), `sign_extend`, and the float operations.
//!
//! The kernel is total and deterministic. Where SMT-LIB leaves a result open, a choice is made here
//! (and the SMT-LIB reader puts the freedom back, see its `operators` module): `fp.min` and `fp.max`
//! of zeros with different signs are the second operand; `fp.to_ubv` and `fp.to_sbv` of NaN,
//! infinities and numbers out of range are zero.
//!
//! Arguments of the symmetric operators (`and`, `=`, `bvand`, `bvxor`, `bvadd`, `bvmul`, `bvumulo`,
//! `bvsmulo`, `fp.add`, `fp.mul`, `fp.fma`'s factors, `fp.eq`) are ordered: a constant comes last,
//! else by id.

use crate::lookup::LookupTableId;
use cranelift_entity::entity_impl;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);
entity_impl!(TermId, "t");

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u32);
entity_impl!(ConstId, "k");

/// A kernel operator. Widths and formats of results are in the term's sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A constant of a scalar sort.
    Const(ConstId),
    /// A variable.
    Var(VarId),
    /// Negation.
    Not,
    /// Conjunction of two.
    And,
    /// Equality of two terms of any sort; on floats the equality of values, where NaN equals NaN and
    /// zeros differ.
    Eq,
    /// `(ite condition then else)` of any sort.
    Ite,
    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise conjunction.
    BvAnd,
    /// Bitwise exclusive disjunction.
    BvXor,
    /// Sum.
    BvAdd,
    /// Product.
    BvMul,
    /// Unsigned quotient; all ones by zero.
    BvUdiv,
    /// Unsigned remainder; the dividend by zero.
    BvUrem,
    /// Shift left.
    BvShl,
    /// Shift right with zeros.
    BvLshr,
    /// Shift right with the sign.
    BvAshr,
    /// The first operand on top of the second.
    BvConcat,
    /// The bits from the given lowest position on, as many as the sort has.
    BvExtract(u32),
    /// Copies of the sign bit on top, up to the sort's width.
    BvSignExtend,
    /// Unsigned less-than.
    BvUlt,
    /// Signed less-than.
    BvSlt,
    /// True if the unsigned product overflows.
    BvUmulo,
    /// True if the signed product overflows.
    BvSmulo,
    /// `(select array index)`.
    Select,
    /// `(store array index element)`.
    Store,
    /// The array, of the term's sort, whose elements are all the operand.
    ConstArray,
    /// The word of a constant table at an index, which is a word; zero behind the table's end.
    Lookup(LookupTableId),
    /// The number that the word encodes, in the sort's format.
    FpFromBits,
    /// The encoding; the positive quiet NaN without payload for NaN.
    FpToBits,
    /// Magnitude.
    FpAbs,
    /// Opposite sign.
    FpNeg,
    /// `(fp.add mode x y)`.
    FpAdd,
    /// `(fp.mul mode x y)`.
    FpMul,
    /// `(fp.div mode x y)`.
    FpDiv,
    /// `(fp.fma mode x y z)`.
    FpFma,
    /// `(fp.sqrt mode x)`.
    FpSqrt,
    /// IEEE remainder.
    FpRem,
    /// C's `fmod`.
    FpFmod,
    /// `(fp.roundToIntegral mode x)`.
    FpRoundToIntegral,
    /// Minimum.
    FpMin,
    /// Maximum.
    FpMax,
    /// IEEE less-or-equal.
    FpLe,
    /// IEEE less-than.
    FpLt,
    /// IEEE equality.
    FpEq,
    /// Normal numbers.
    FpIsNormal,
    /// Subnormal numbers.
    FpIsSubnormal,
    /// Zeros.
    FpIsZero,
    /// Infinities.
    FpIsInfinite,
    /// NaN.
    FpIsNan,
    /// Values other than NaN with the sign bit set.
    FpIsNegative,
    /// `(convert mode x)`: the number in the sort's format.
    FpConvert,
    /// `(from_signed mode word)`.
    FpFromSbv,
    /// `(from_unsigned mode word)`.
    FpFromUbv,
    /// `(to_signed mode x)`: zero if NaN or out of range.
    FpToSbv,
    /// `(to_unsigned mode x)`: zero if NaN or out of range.
    FpToUbv,
}

impl Op {
    /// The number of arguments.
    pub fn arity(self) -> usize {
        use Op::*;
        match self {
            Const(_) | Var(_) => 0,
            Not | BvNot | BvNeg | BvExtract(_) | BvSignExtend | ConstArray | Lookup(_)
            | FpFromBits | FpToBits | FpAbs | FpNeg | FpIsNormal | FpIsSubnormal | FpIsZero
            | FpIsInfinite | FpIsNan | FpIsNegative => 1,
            And | Eq | BvAnd | BvXor | BvAdd | BvMul | BvUdiv | BvUrem | BvShl | BvLshr
            | BvAshr | BvConcat | BvUlt | BvSlt | BvUmulo | BvSmulo | Select | FpSqrt | FpRem
            | FpFmod | FpRoundToIntegral | FpMin | FpMax | FpLe | FpLt | FpEq | FpConvert
            | FpFromSbv | FpFromUbv | FpToSbv | FpToUbv => 2,
            Ite | Store | FpAdd | FpMul | FpDiv => 3,
            FpFma => 4,
        }
    }

    /// The positions of two arguments that may be exchanged.
    pub fn symmetric(self) -> Option<(usize, usize)> {
        use Op::*;
        match self {
            And | Eq | BvAnd | BvXor | BvAdd | BvMul | BvUmulo | BvSmulo | FpEq => Some((0, 1)),
            FpAdd | FpMul | FpFma => Some((1, 2)),
            _ => None,
        }
    }
}
