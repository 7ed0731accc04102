//! Turns a call through a pointer into a choice among the functions that it can be.
//!
//! Candidates are the functions of the call's type whose address the program takes somewhere. If the pointer is none of
//! them, the call has no meaning: the claim of `call.type` before it has failed, and here the execution is given up as
//! unsupported, so that nothing is concluded from it.

use crate::Options;
use cranelift_entity::EntitySet;
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program};

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    let candidates = address_taken(program);
    for function in program.functions.keys() {
        program.rewrite_body(function, |program, out, instr| {
            let (pointer, kind) = match &instr.kind {
                InstrKind::Call { callee: Callee::Indirect(pointer), .. }
                | InstrKind::Spawn { callee: Callee::Indirect(pointer), .. } => (*pointer, instr.kind.clone()),
                _ => return out.push_instr(instr),
            };
            let called = program.pointee(program.exprs.ty(pointer));
            let done = out.new_label();
            for &candidate in &candidates {
                if Some(program.functions[candidate].ty) != called {
                    continue;
                }
                let next = out.new_label();
                let address = program.function(candidate);
                let differs = program.ne(pointer, address);
                out.goto_if(differs, next);
                out.push(with_callee(&kind, candidate));
                out.goto(done);
                out.label(next);
            }
            out.unsupported("call through a pointer to no known function");
            out.label(done);
        });
    }
}

fn with_callee(kind: &InstrKind, function: FunctionId) -> InstrKind {
    let mut kind = kind.clone();
    if let InstrKind::Call { callee, .. } | InstrKind::Spawn { callee, .. } = &mut kind {
        *callee = Callee::Direct(function);
    }
    kind
}

/// The functions whose address is taken by any expression, in order of their ids.
pub fn address_taken(program: &Program) -> Vec<FunctionId> {
    let mut taken: EntitySet<FunctionId> = EntitySet::new();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::Function(function) = expr.kind {
            taken.insert(function);
        }
    }
    program.functions.keys().filter(|&function| taken.contains(function)).collect()
}
