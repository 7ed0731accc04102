//! A conversion to an integer type that cannot represent the value: implementation-defined or modulo for integers
//! (C17 6.3.1.3), undefined from floats (6.3.1.4). Off by default.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{ExprId, ExprKind, UnaryOp};
use vergo_goto::types::Type;
use vergo_num::{BitVec, Float, RoundingMode};

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &ExprKind::Cast(mode, operand) = checker.program.exprs.kind(expr) else { return };
    let &Type::Int { signed, width } = checker.ty(expr) else { return };
    let fits = match *checker.ty(operand) {
        Type::Int { .. } => {
            // Without loss: there and back is the same value, and both or neither are negative.
            let from = checker.program.exprs.ty(operand);
            let back = checker.program.cast(from, expr);
            let same = checker.program.eq(back, operand);
            let was_negative = is_negative(checker, operand);
            let negative = is_negative(checker, expr);
            let same_sign = checker.program.eq(was_negative, negative);
            checker.program.and(same, same_sign)
        }
        Type::Float(format) => {
            // Compare with the least and greatest values in the source format, after the rounding of the conversion.
            let rounded = checker.program.unary(UnaryOp::RoundToIntegral(mode), operand);
            let (least, greatest) = if signed {
                (BitVec::min_signed(width), BitVec::max_signed(width))
            } else {
                (BitVec::zero(width), BitVec::ones(width))
            };
            let bound = |bits: &BitVec, mode| {
                if signed {
                    Float::from_signed(format, mode, bits)
                } else {
                    Float::from_unsigned(format, mode, bits)
                }
            };
            let least = checker.program.float(bound(&least, RoundingMode::TowardPositive));
            let greatest = checker.program.float(bound(&greatest, RoundingMode::TowardNegative));
            let above = checker.program.le(least, rounded);
            let below = checker.program.le(rounded, greatest);
            checker.program.and(above, below)
        }
        _ => return,
    };
    let what = checker.text(expr);
    checker.claim(fits, Some(expr), format!("conversion changes the value in {what}"));
}

fn is_negative(checker: &mut Checker<'_>, expr: ExprId) -> ExprId {
    if matches!(checker.ty(expr), Type::Int { signed: false, .. }) {
        return checker.program.bool(false);
    }
    let ty = checker.program.exprs.ty(expr);
    let zero = checker.program.int(ty, 0);
    checker.program.lt(expr, zero)
}
