//! Signed arithmetic whose exact result does not fit its type: undefined (C17 6.5p5).
//!
//! Covers `+`, `-`, `*`, negation, `/` and `%` of the least value by -1, and left shifts that lose bits or shift a
//! negative value (6.5.7p4). Increments and compound assignments are these operations after lowering, at the type in
//! which C computes them. Division by zero is a property of its own. Nothing is claimed of operands that are too narrow to
//! overflow, such as bit-fields and characters after their promotion.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &Type::Int { signed: true, width } = checker.ty(expr) else { return };
    let ty = checker.program.exprs.ty(expr);
    let least = checker.program.int_bits(ty, BitVec::min_signed(width));
    match *checker.program.exprs.kind(expr) {
        ExprKind::Unary(UnaryOp::Neg, operand) => {
            let fits = checker.program.ne(operand, least);
            let what = checker.text(expr);
            checker.claim(fits, Some(expr), format!("overflow on signed negation in {what}"));
        }
        ExprKind::Binary(op, left, right) => {
            let (overflows, name) = match op {
                BinaryOp::Add => (BinaryOp::AddOverflows, "addition"),
                BinaryOp::Sub => (BinaryOp::SubOverflows, "subtraction"),
                BinaryOp::Mul => (BinaryOp::MulOverflows, "multiplication"),
                BinaryOp::Shl => (BinaryOp::ShlOverflows, "left shift"),
                BinaryOp::Div | BinaryOp::Rem => {
                    let minus_one = checker.program.int(ty, -1);
                    let is_least = checker.program.eq(left, least);
                    let by_minus_one = checker.program.eq(right, minus_one);
                    let both = checker.program.and(is_least, by_minus_one);
                    let fits = checker.program.not(both);
                    let what = checker.text(expr);
                    checker.claim(
                        fits,
                        Some(expr),
                        format!("overflow on signed division in {what}"),
                    );
                    return;
                }
                _ => return,
            };
            if always_fits(checker.program, ty, op, left, right) {
                return;
            }
            let overflow = checker.program.binary(overflows, left, right);
            let fits = checker.program.not(overflow);
            let what = checker.text(expr);
            checker.claim(fits, Some(expr), format!("overflow on signed {name} in {what}"));
        }
        _ => {}
    }
}

/// Returns whether a sum, difference or product is in the type's range for all values that the operands can have.
fn always_fits(program: &Program, ty: TypeId, op: BinaryOp, left: ExprId, right: ExprId) -> bool {
    let operate = |x: i128, y: i128| match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        _ => None,
    };
    let (Some((least, greatest)), Some((a, b)), Some((c, d))) =
        (range_of_type(program, ty), range(program, left), range(program, right))
    else {
        return false;
    };
    // Each is monotone in either operand, so the corners bound it.
    let corners = [operate(a, c), operate(a, d), operate(b, c), operate(b, d)];
    corners.iter().all(|corner| corner.is_some_and(|x| least <= x && x <= greatest))
}

/// The least and the greatest value of an integer type of at most 64 bits.
fn range_of_type(program: &Program, ty: TypeId) -> Option<(i128, i128)> {
    match *program.types.get(ty) {
        Type::Int { signed: true, width: width @ 1..=64 } => {
            Some((-(1 << (width - 1)), (1 << (width - 1)) - 1))
        }
        Type::Int { signed: false, width: width @ 1..=64 } => Some((0, (1 << width) - 1)),
        _ => None,
    }
}

/// The least and the greatest value of an expression by the types that it is converted from.
fn range(program: &Program, mut expr: ExprId) -> Option<(i128, i128)> {
    let mut casts = Vec::new();
    while let ExprKind::Cast(_, inner) = *program.exprs.kind(expr)
        && matches!(program.type_of(inner), Type::Int { .. })
    {
        casts.push(program.exprs.ty(expr));
        expr = inner;
    }
    let whole = range_of_type(program, program.exprs.ty(expr))?;
    let mut range = match program.exprs.kind(expr) {
        ExprKind::Int(bits) if whole.0 < 0 => bits.to_i64().map_or(whole, |n| (n.into(), n.into())),
        ExprKind::Int(bits) => bits.to_u64().map_or(whole, |n| (n.into(), n.into())),
        _ => whole,
    };
    for ty in casts.into_iter().rev() {
        let whole = range_of_type(program, ty)?;
        if range.0 < whole.0 || whole.1 < range.1 {
            range = whole;
        }
    }
    Some(range)
}
