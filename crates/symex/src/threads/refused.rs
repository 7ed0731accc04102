//! The questions that executions of threads cannot answer.

use rustc_hash::FxHashSet;
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::program::Program;

/// Checks whether a program asks something of which executions of threads know nothing; what.
pub(super) fn refused(program: &Program) -> Option<&'static str> {
    // Questions of claims that nobody asks about are still among the expressions, but in no instruction.
    let bodies = program.functions.values().filter_map(|function| function.body.as_deref());
    let mut pending = Vec::new();
    for instr in bodies.flatten() {
        instr.kind.for_each_expr(|expr, _| pending.push(expr));
    }
    let mut seen = FxHashSet::default();
    let mut reachable = std::iter::from_fn(|| {
        let expr = pending.pop()?;
        if seen.insert(expr) {
            program.exprs.kind(expr).for_each_child(|child| pending.push(child));
        }
        Some(expr)
    });
    reachable.find_map(|expr| match *program.exprs.kind(expr) {
        ExprKind::Memory(MemoryOp::UnracedRead | MemoryOp::UnracedWrite, _) => {
            Some("data races are not a matter of values")
        }
        ExprKind::Memory(MemoryOp::HeapEmpty | MemoryOp::HeapReachable, _) => {
            Some("what is left of the heap of threads")
        }
        ExprKind::Memory(MemoryOp::IsInitialized, _) => Some("what threads have initialised"),
        ExprKind::Memory(MemoryOp::OthersGoOn, _) => {
            Some("whether threads wait for ever is not a matter of values")
        }
        _ => None,
    })
}
