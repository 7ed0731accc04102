//! Signed arithmetic whose exact result does not fit its type: undefined (C17 6.5p5).
//!
//! Covers `+`, `-`, `*`, negation, `/` and `%` of the least value by -1, and left shifts that lose bits or shift a
//! negative value (6.5.7p4). Increments and compound assignments are these operations after lowering, at the type in
//! which C computes them. Division by zero is a property of its own.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::types::Type;
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
            let overflow = checker.program.binary(overflows, left, right);
            let fits = checker.program.not(overflow);
            let what = checker.text(expr);
            checker.claim(fits, Some(expr), format!("overflow on signed {name} in {what}"));
        }
        _ => {}
    }
}
