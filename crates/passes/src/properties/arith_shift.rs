//! A shift by a negative amount, or by the width or more: undefined (C17 6.5.7p3).

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, _, amount) =
        checker.program.exprs.kind(expr)
    else {
        return;
    };
    let &Type::Int { width, .. } = checker.ty(expr) else { return };
    let &Type::Int { signed, width: amount_width } = checker.ty(amount) else { return };
    // The greatest amount may exceed what the amount's own type can hold; then only its sign matters.
    let ty = checker.program.exprs.ty(amount);
    let greatest_fits = amount_width - u32::from(signed) >= 32 - (width - 1).leading_zeros();
    let below = if greatest_fits {
        let greatest = checker.program.int(ty, i128::from(width - 1));
        checker.program.le(amount, greatest)
    } else {
        checker.program.bool(true)
    };
    let in_range = if signed {
        let zero = checker.program.int(ty, 0);
        let not_negative = checker.program.le(zero, amount);
        checker.program.and(not_negative, below)
    } else {
        below
    };
    let what = checker.text(expr);
    checker.claim(in_range, Some(expr), format!("shift amount out of range in {what}"));
}
