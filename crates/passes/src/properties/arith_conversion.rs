//! A conversion to an integer type that cannot represent the value: implementation-defined or modulo for integers
//! (C17 6.3.1.3), undefined from floats (6.3.1.4). Off by default.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &ExprKind::Cast(mode, operand) = checker.program.exprs.kind(expr) else { return };
    if !matches!(checker.ty(expr), Type::Int { .. }) {
        return;
    }
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
        Type::Float(_) => {
            let ty = checker.program.exprs.ty(expr);
            let Some(fits) = checker.program.float_fits(mode, ty, operand) else { return };
            fits
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
