//! The value of each operator on constants: the meaning of `docs/ir.md` in terms of [`vergo_num`].
//!
//! One function per shape of operator, total on operands of the right kinds and `None` on others. The builder folds
//! with it, constant propagation uses it, and the interpreter's fast paths are tested against it.

use crate::expr::{BinaryOp, UnaryOp};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};

/// A constant scalar that is not a pointer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// A truth value.
    Bool(bool),
    /// An integer: whether its type is signed, and its bits.
    Int(bool, BitVec),
    /// A float.
    Float(Float),
}

/// The type of a [`Const`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstType {
    /// `bool`
    Bool,
    /// Signedness and width.
    Int(bool, u32),
    /// A floating format.
    Float(FloatFormat),
}

/// Arithmetic rounds to nearest even.
const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The value of an operation on one constant.
pub fn unary(op: UnaryOp, operand: &Const) -> Option<Const> {
    use Const::{Bool, Float as F, Int};
    let count =
        |signed: bool, x: &BitVec, n: u32| Some(Int(signed, BitVec::from_u64(x.width(), n.into())));
    match (op, operand) {
        (UnaryOp::Not, Bool(x)) => Some(Bool(!x)),
        (UnaryOp::Neg, Int(s, x)) => Some(Int(*s, x.neg())),
        (UnaryOp::BitNot, Int(s, x)) => Some(Int(*s, x.not())),
        (UnaryOp::LeadingZeros, Int(s, x)) => count(*s, x, x.leading_zeros()),
        (UnaryOp::TrailingZeros, Int(s, x)) => count(*s, x, x.trailing_zeros()),
        (UnaryOp::PopCount, Int(s, x)) => count(*s, x, x.count_ones()),
        (UnaryOp::ByteSwap, Int(s, x)) if x.width() % 8 == 0 => {
            let mut bytes = x.to_le_bytes();
            bytes.truncate(x.width() as usize / 8);
            bytes.reverse();
            Some(Int(*s, BitVec::from_le_bytes(x.width(), &bytes)))
        }
        (UnaryOp::Neg, F(x)) => Some(F(x.neg())),
        (UnaryOp::Abs, F(x)) => Some(F(x.abs())),
        (UnaryOp::Sqrt, F(x)) => Some(F(x.sqrt(NEAREST))),
        (UnaryOp::Library(function), F(x)) => Some(F(x.apply(function))),
        (UnaryOp::RoundToIntegral(mode), F(x)) => Some(F(x.round_to_integral(mode))),
        (UnaryOp::IsNan, F(x)) => Some(Bool(x.is_nan())),
        (UnaryOp::IsInf, F(x)) => Some(Bool(x.is_infinite())),
        (UnaryOp::IsNormal, F(x)) => Some(Bool(x.is_normal())),
        (UnaryOp::IsSubnormal, F(x)) => Some(Bool(x.is_subnormal())),
        (UnaryOp::SignBit, F(x)) => Some(Bool(x.is_sign_negative())),
        _ => None,
    }
}

/// The value of an operation on two constants.
pub fn binary(op: BinaryOp, left: &Const, right: &Const) -> Option<Const> {
    match (left, right) {
        (Const::Bool(a), Const::Bool(b)) => bools(op, *a, *b).map(Const::Bool),
        (Const::Int(signed, a), Const::Int(_, b)) => ints(op, *signed, a, b),
        (Const::Float(a), Const::Float(b)) if a.format() == b.format() => floats(op, a, b),
        _ => None,
    }
}

fn bools(op: BinaryOp, a: bool, b: bool) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::And => a && b,
        BinaryOp::Or => a || b,
        BinaryOp::Implies => !a || b,
        _ => return None,
    })
}

fn ints(op: BinaryOp, signed: bool, a: &BitVec, b: &BitVec) -> Option<Const> {
    let int = |x| Some(Const::Int(signed, x));
    let bool = |x| Some(Const::Bool(x));
    // Shifts take an amount of any width; all others want operands of one width.
    match op {
        BinaryOp::Shl => return int(a.shl_by(shift_amount(b))),
        BinaryOp::Shr if signed => return int(a.ashr_by(shift_amount(b))),
        BinaryOp::Shr => return int(a.lshr_by(shift_amount(b))),
        BinaryOp::ShlOverflows => return bool(shl_overflows(signed, a, b)),
        _ if a.width() != b.width() => return None,
        _ => {}
    }
    match op {
        BinaryOp::Add => int(a.add(b)),
        BinaryOp::Sub => int(a.sub(b)),
        BinaryOp::Mul => int(a.mul(b)),
        BinaryOp::Div => int(if signed { a.sdiv(b) } else { a.udiv(b) }),
        BinaryOp::Rem => int(if signed { a.srem(b) } else { a.urem(b) }),
        BinaryOp::BitAnd => int(a.and(b)),
        BinaryOp::BitOr => int(a.or(b)),
        BinaryOp::BitXor => int(a.xor(b)),
        BinaryOp::Eq => bool(a == b),
        BinaryOp::Ne => bool(a != b),
        BinaryOp::Lt => bool(if signed { a.slt(b) } else { a.ult(b) }),
        BinaryOp::Le => bool(if signed { a.sle(b) } else { a.ule(b) }),
        BinaryOp::AddOverflows => {
            bool(if signed { a.sadd_overflow(b) } else { a.uadd_overflow(b) })
        }
        BinaryOp::SubOverflows => {
            bool(if signed { a.ssub_overflow(b) } else { a.usub_overflow(b) })
        }
        BinaryOp::MulOverflows => {
            bool(if signed { a.smul_overflow(b) } else { a.umul_overflow(b) })
        }
        _ => None,
    }
}

/// The unsigned reading of an amount; what does not fit is beyond every width.
fn shift_amount(amount: &BitVec) -> u32 {
    amount.to_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX)
}

/// C17 6.5.7p3-4: the amount must be below the width; a signed value must not be negative, and its product with the
/// power of two must fit.
fn shl_overflows(signed: bool, a: &BitVec, amount: &BitVec) -> bool {
    let width = a.width();
    match amount.to_u64() {
        Some(n) if n < u64::from(width) => {
            let needed = u64::from(a.bit_len()) + if a.is_zero() { 0 } else { n };
            signed && (a.sign_bit() || needed > u64::from(width) - 1)
        }
        _ => true,
    }
}

fn floats(op: BinaryOp, a: &Float, b: &Float) -> Option<Const> {
    let float = |x| Some(Const::Float(x));
    let bool = |x| Some(Const::Bool(x));
    match op {
        BinaryOp::Add => float(a.add(NEAREST, b)),
        BinaryOp::Sub => float(a.sub(NEAREST, b)),
        BinaryOp::Mul => float(a.mul(NEAREST, b)),
        BinaryOp::Div => float(a.div(NEAREST, b)),
        BinaryOp::Rem => float(a.fmod(b)),
        BinaryOp::IeeeRem => float(a.rem(b)),
        BinaryOp::Min => float(a.c_fmin(b)),
        BinaryOp::Max => float(a.c_fmax(b)),
        BinaryOp::Library(function) => float(a.apply2(function, b)),
        BinaryOp::Eq => bool(a.ieee_eq(b)),
        BinaryOp::Ne => bool(!a.ieee_eq(b)),
        BinaryOp::Lt => bool(a.lt(b)),
        BinaryOp::Le => bool(a.le(b)),
        _ => None,
    }
}

/// Returns whether C or a property calls an operation on this constant wrong.
pub fn unary_goes_wrong(op: UnaryOp, operand: &Const) -> bool {
    if loses_nan(op == UnaryOp::SignBit, &[operand], unary(op, operand).as_ref()) {
        return true;
    }
    matches!((op, operand), (UnaryOp::Neg, Const::Int(true, x)) if *x == BitVec::min_signed(x.width()))
}

/// Returns whether the constant result of an operation would lose which NaN it is, or which NaN an operand was.
pub fn loses_nan(asks_sign: bool, operands: &[&Const], result: Option<&Const>) -> bool {
    let is_nan = |value: &Const| matches!(value, Const::Float(float) if float.is_nan());
    result.is_some_and(is_nan) || asks_sign && operands.iter().any(|operand| is_nan(operand))
}

/// Returns whether C or a property calls an operation on these constants wrong: overflow, division by zero, a shift
/// out of range, a float that becomes infinite or not a number.
pub fn binary_goes_wrong(op: BinaryOp, left: &Const, right: &Const) -> bool {
    let holds = |op| matches!(binary(op, left, right), Some(Const::Bool(true)));
    if loses_nan(false, &[], binary(op, left, right).as_ref()) {
        return true;
    }
    match (left, right) {
        (Const::Int(signed, a), Const::Int(_, b)) => match op {
            BinaryOp::Add => holds(BinaryOp::AddOverflows),
            BinaryOp::Sub => holds(BinaryOp::SubOverflows),
            BinaryOp::Mul => holds(BinaryOp::MulOverflows),
            BinaryOp::Div | BinaryOp::Rem => b.is_zero() || *signed && a.sdiv_overflow(b),
            BinaryOp::Shl => holds(BinaryOp::ShlOverflows),
            BinaryOp::Shr => b.to_u64().is_none_or(|n| n >= u64::from(a.width())),
            _ => false,
        },
        (Const::Float(a), Const::Float(b)) => match binary(op, left, right) {
            Some(Const::Float(result)) => {
                !(result.is_finite()
                    || a.is_nan()
                    || b.is_nan()
                    || a.is_infinite()
                    || b.is_infinite())
            }
            _ => false,
        },
        _ => false,
    }
}

/// `fma(a, b, c)`.
pub fn fma(a: &Const, b: &Const, c: &Const) -> Option<Const> {
    match (a, b, c) {
        (Const::Float(a), Const::Float(b), Const::Float(c))
            if a.format() == b.format() && a.format() == c.format() =>
        {
            Some(Const::Float(a.fma(NEAREST, b, c)))
        }
        _ => None,
    }
}

/// A conversion by value.
pub fn cast(mode: RoundingMode, operand: &Const, to: ConstType) -> Const {
    match (operand, to) {
        (Const::Bool(x), ConstType::Bool) => Const::Bool(*x),
        (Const::Bool(x), ConstType::Int(signed, width)) => {
            Const::Int(signed, BitVec::from_u64(width, (*x).into()))
        }
        (Const::Bool(x), ConstType::Float(format)) => {
            Const::Float(if *x { Float::one(format) } else { Float::zero(format, false) })
        }
        (Const::Int(_, x), ConstType::Bool) => Const::Bool(!x.is_zero()),
        (Const::Int(from, x), ConstType::Int(signed, width)) => Const::Int(
            signed,
            if *from { x.resize_signed(width) } else { x.resize_unsigned(width) },
        ),
        (Const::Int(true, x), ConstType::Float(format)) => {
            Const::Float(Float::from_signed(format, mode, x))
        }
        (Const::Int(false, x), ConstType::Float(format)) => {
            Const::Float(Float::from_unsigned(format, mode, x))
        }
        (Const::Float(x), ConstType::Bool) => Const::Bool(!x.is_zero()),
        (Const::Float(x), ConstType::Int(signed, width)) => {
            let fitting =
                if signed { x.to_signed(mode, width) } else { x.to_unsigned(mode, width) };
            Const::Int(signed, fitting.unwrap_or_else(|| BitVec::min_signed(width)))
        }
        (Const::Float(x), ConstType::Float(format)) => Const::Float(x.convert(format, mode)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(signed: bool, width: u32, value: i64) -> Const {
        Const::Int(signed, BitVec::from_i64(width, value))
    }

    #[test]
    fn shl_overflow_is_the_representability_of_the_product() {
        for a in -128i64..128 {
            for n in 0u64..12 {
                let product = i128::from(a) << n;
                let expected = n >= 8 || a < 0 || product > 127;
                let amount = Const::Int(false, BitVec::from_u64(16, n));
                assert_eq!(
                    binary(BinaryOp::ShlOverflows, &int(true, 8, a), &amount),
                    Some(Const::Bool(expected)),
                    "{a} << {n}"
                );
                assert_eq!(
                    binary(BinaryOp::ShlOverflows, &int(false, 8, a & 255), &amount),
                    Some(Const::Bool(n >= 8))
                );
            }
        }
    }

    #[test]
    fn bytes_swap() {
        assert_eq!(
            unary(UnaryOp::ByteSwap, &int(true, 24, 0x12_3456)),
            Some(int(true, 24, 0x56_3412))
        );
        assert_eq!(unary(UnaryOp::ByteSwap, &int(true, 12, 1)), None);
    }

    #[test]
    fn floats_outside_of_the_range_become_the_least_signed_value() {
        let big = Const::Float(Float::from_f64(1e30));
        let mode = RoundingMode::TowardZero;
        assert_eq!(cast(mode, &big, ConstType::Int(true, 32)), int(true, 32, i32::MIN.into()));
        assert_eq!(cast(mode, &big, ConstType::Int(false, 32)), int(false, 32, i32::MIN.into()));
        let nan = Const::Float(Float::nan(FloatFormat::DOUBLE));
        assert_eq!(cast(mode, &nan, ConstType::Bool), Const::Bool(true));
    }
}
