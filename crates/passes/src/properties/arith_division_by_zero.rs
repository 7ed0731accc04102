//! Integer division or remainder by zero: undefined (C17 6.5.5p5).

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) =
        checker.program.exprs.kind(expr)
    else {
        return;
    };
    if !matches!(checker.ty(expr), Type::Int { .. }) {
        return;
    }
    let ty = checker.program.exprs.ty(divisor);
    let zero = checker.program.int(ty, 0);
    let not_zero = checker.program.ne(divisor, zero);
    let what = checker.text(expr);
    checker.claim(not_zero, Some(expr), format!("division by zero in {what}"));
}
