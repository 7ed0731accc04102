//! Unsigned `+`, `-` and `*` that wrap around: defined in C (6.2.5p9), but often a mistake. Off by default.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &Type::Int { signed: false, .. } = checker.ty(expr) else { return };
    let &ExprKind::Binary(op, left, right) = checker.program.exprs.kind(expr) else { return };
    let (overflows, name) = match op {
        BinaryOp::Add => (BinaryOp::AddOverflows, "addition"),
        BinaryOp::Sub => (BinaryOp::SubOverflows, "subtraction"),
        BinaryOp::Mul => (BinaryOp::MulOverflows, "multiplication"),
        _ => return,
    };
    let overflow = checker.program.binary(overflows, left, right);
    let fits = checker.program.not(overflow);
    let what = checker.text(expr);
    checker.claim(fits, Some(expr), format!("unsigned {name} wraps around in {what}"));
}
