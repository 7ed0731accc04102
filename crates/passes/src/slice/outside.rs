//! Programs in which pointers from outside meet addresses that the program has given away.
//!
//! A pointer that the program did not make (of a choice, a number, memory that nobody has written) may point to an object whose
//! address was seen as a number before, and to no other (section 5 of `semantics.md`). So what gives an address away matters to every
//! use of such a pointer, though neither reads what the other writes. Where both are there, nothing is left out.

use vergo_analysis::callgraph::CallGraph;
use vergo_analysis::points_to::{ObjectId, Origin, PointsTo};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{FunctionId, InstrKind, Program};
use vergo_goto::types::Type;

/// Returns whether a pointer from outside is used in a program that gives addresses away.
pub(super) fn meets_addresses(program: &Program, points_to: &PointsTo, graph: &CallGraph) -> bool {
    let is_outside = |object: ObjectId| points_to.origin(object) == Origin::Outside;
    let mut own = points_to.objects().filter(|&object| !is_outside(object));
    if !own.any(|object| points_to.is_exposed(object)) {
        return false;
    }
    let is_loose = |pointer: ExprId| points_to.targets(pointer).into_iter().any(is_outside);
    let is_pointer = |expr: ExprId| matches!(program.type_of(expr), Type::Ptr(_));
    let is_null =
        |expr: ExprId| matches!(program.exprs.kind(expr), ExprKind::Int(_) | ExprKind::Zero);
    let uses = |expr: ExprId| match *program.exprs.kind(expr) {
        ExprKind::Deref(pointer) => is_loose(pointer),
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le, a, b) => {
            is_pointer(a) && !is_null(a) && !is_null(b) && (is_loose(a) || is_loose(b))
        }
        ExprKind::Memory(_, ref operands) => {
            operands.iter().any(|&operand| is_pointer(operand) && is_loose(operand))
        }
        _ => false,
    };
    let any_use = |kind: &InstrKind| {
        let mut found = match kind {
            InstrKind::Free(pointer, _) => is_loose(*pointer),
            InstrKind::Call { callee, .. } | InstrKind::Spawn { callee, .. } => {
                callee.pointer().is_some_and(is_loose)
            }
            InstrKind::Intrinsic { op, args, .. } => {
                let mut blocks = op.blocks().iter().filter_map(|block| args.get(block.pointer));
                blocks.any(|&pointer| is_loose(pointer))
            }
            _ => false,
        };
        kind.for_each_expr(|expr, _| program.for_each_subexpr(expr, |part| found |= uses(part)));
        found
    };
    let functions = graph.bottom_up().iter().flatten().copied();
    let mut instrs =
        functions.flat_map(|function: FunctionId| program.functions[function].body.iter().flatten());
    instrs.any(|instr| any_use(&instr.kind))
}
