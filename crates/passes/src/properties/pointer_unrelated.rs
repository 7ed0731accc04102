//! Pointers to different objects that are ordered or subtracted: undefined (C17 6.5.6p9, 6.5.8p5).
//!
//! Equal pointers are related, whatever they point to, and a comparison with a constant such as null is one with a number.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    let &ExprKind::Binary(BinaryOp::PtrDiff | BinaryOp::Lt | BinaryOp::Le, left, right) =
        checker.program.exprs.kind(expr)
    else {
        return;
    };
    if !matches!(checker.ty(left), Type::Ptr(_)) || checker.in_library() {
        return;
    }
    let is_constant =
        |operand| matches!(checker.program.exprs.kind(operand), ExprKind::Int(_) | ExprKind::Zero);
    if is_constant(left) || is_constant(right) {
        return;
    }
    let same_object = checker.program.memory(MemoryOp::SameObject, vec![left, right]);
    let equal = checker.program.eq(left, right);
    let related = checker.program.or(same_object, equal);
    let what = checker.text(expr);
    checker.claim(related, Some(expr), format!("pointers to different objects in {what}"));
}
