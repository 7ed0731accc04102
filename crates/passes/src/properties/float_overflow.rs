//! A floating operation that yields an infinity although no operand is infinite. Off by default.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    claim_unless_inherited(checker, expr, UnaryOp::IsInf, "overflows to infinity");
}

/// Claims that the result of a floating operation is not `special` unless an operand was.
pub(super) fn claim_unless_inherited(
    checker: &mut Checker<'_>,
    expr: ExprId,
    special: UnaryOp,
    verb: &str,
) {
    if !matches!(checker.ty(expr), Type::Float(_)) {
        return;
    }
    let operands = match *checker.program.exprs.kind(expr) {
        ExprKind::Binary(
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::IeeeRem,
            left,
            right,
        ) => vec![left, right],
        ExprKind::Unary(UnaryOp::Sqrt, operand) => vec![operand],
        ExprKind::Cast(_, operand) if matches!(checker.ty(operand), Type::Float(_)) => {
            vec![operand]
        }
        ExprKind::Fma(a, b, c) => vec![a, b, c],
        _ => return,
    };
    let result = checker.program.unary(special, expr);
    let inherited: Vec<ExprId> =
        operands.into_iter().map(|operand| checker.program.unary(special, operand)).collect();
    let inherited = checker.program.any(inherited);
    let ordinary = checker.program.not(result);
    let fine = checker.program.or(ordinary, inherited);
    let what = checker.text(expr);
    checker.claim(fine, Some(expr), format!("{what} {verb}"));
}
