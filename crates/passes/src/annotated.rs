//! The annotations of the source, applied to the lowered program: loops with contracts lose their rounds, and writes of a
//! function that is checked against its contract become claims.
//!
//! These are no passes: a pass leaves what a program does, and these change it. Names are agreed in
//! [`vergo_goto::contract`].

mod assigned;
mod frames;
mod loops;
mod writes;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;
use vergo_goto::contract::LOOP_ASSIGNS;
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{Program, SymbolId};

/// Does what the annotations of a program ask for. Without annotations nothing changes.
pub fn apply(program: &mut Program) {
    // Frames first: what loops get any value of is more than what they write.
    frames::apply(program);
    // Then what loops say of their writes: what they get any value of is no write of theirs.
    assigned::apply(program);
    loops::apply(program);
}

/// Variables whose addresses the program takes. What clauses of loops name does not count.
fn addressed(program: &Program) -> EntitySet<SymbolId> {
    let mut addressed = EntitySet::new();
    let mut seen = FxHashSet::default();
    let mut pending = Vec::new();
    for instr in program.functions.values().flat_map(|function| function.body.iter().flatten()) {
        if loops::marker(program, instr).is_some_and(|(kind, _)| kind == LOOP_ASSIGNS) {
            continue;
        }
        instr.kind.for_each_expr(|expr, _| pending.push(expr));
        while let Some(expr) = pending.pop() {
            if !seen.insert(expr) {
                continue;
            }
            if let ExprKind::AddressOf(place) = *program.exprs.kind(expr) {
                addressed.extend(program.root_variable(place));
            }
            program.exprs.kind(expr).for_each_child(|child| pending.push(child));
        }
    }
    addressed
}
