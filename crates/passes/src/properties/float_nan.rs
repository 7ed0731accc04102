//! A floating operation that yields NaN although no operand is one. Off by default.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::{ExprId, UnaryOp};

pub(super) const SITES: Sites = Sites::Operation(find);

fn find(checker: &mut Checker<'_>, expr: ExprId) {
    super::float_overflow::claim_unless_inherited(checker, expr, UnaryOp::IsNan, "yields NaN");
}
