//! The condition of a claim as C, where C can say it: what has to be assumed for the claim to hold.

use vergo_evidence::claims::Site;
use vergo_goto::describe::is_c_operator;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{InstrKind, Program};

use super::report::CheckReport;
use super::trace::mentions_temporaries;

impl CheckReport {
    /// The condition under which a claim holds, as an expression over the variables that the program has at its place.
    /// None if it is about memory, or depends on what has been computed on the way.
    pub fn condition(&self, site: &Site) -> Option<String> {
        let program = &self.program;
        let named = |function: &&vergo_goto::program::Function| {
            !function.library && function.display == site.function
        };
        let bodies = program.functions.values().filter(named).filter_map(|f| f.body.as_deref());
        let condition = bodies.flatten().find_map(|instr| match &instr.kind {
            InstrKind::Assert(condition, claim)
                if instr.span == site.span && **claim == site.claim =>
            {
                Some(*condition)
            }
            _ => None,
        })?;
        express(program, condition)
    }
}

fn express(program: &Program, condition: ExprId) -> Option<String> {
    if mentions_temporaries(program, condition) {
        return None;
    }
    if let ExprKind::Unary(UnaryOp::Not, inner) = *program.exprs.kind(condition)
        && let ExprKind::Binary(op, left, right) = *program.exprs.kind(inner)
        && let Some((name, symbol)) = overflow(op)
    {
        let parts = is_plain(program, left) && is_plain(program, right);
        let (left, right) = (program.describe(left), program.describe(right));
        let ty = format!("(__typeof__(({left}) {symbol} ({right})))0");
        return parts.then(|| format!("!__builtin_{name}_overflow_p({left}, {right}, {ty})"));
    }
    is_plain(program, condition).then(|| program.describe(condition))
}

fn overflow(op: BinaryOp) -> Option<(&'static str, char)> {
    match op {
        BinaryOp::AddOverflows => Some(("add", '+')),
        BinaryOp::SubOverflows => Some(("sub", '-')),
        BinaryOp::MulOverflows => Some(("mul", '*')),
        _ => None,
    }
}

/// Checks whether an expression is made of what C has operators for.
fn is_plain(program: &Program, expr: ExprId) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        let kind = program.exprs.kind(expr);
        let is_operator = match kind {
            ExprKind::Binary(op, ..) => is_c_operator(*op),
            ExprKind::Unary(op, _) => matches!(op, UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not),
            ExprKind::Memory(..)
            | ExprKind::Nondet(_)
            | ExprKind::Struct(_)
            | ExprKind::Array(_)
            | ExprKind::Union(..)
            | ExprKind::ArrayOf(_)
            | ExprKind::Fma(..)
            | ExprKind::Bits(_) => false,
            _ => true,
        };
        if !is_operator {
            return false;
        }
        kind.for_each_child(|child| pending.push(child));
    }
    true
}
