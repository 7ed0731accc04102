//! An access through a null pointer: undefined (C17 6.5.3.2p4). An element behind a null pointer (`p[7]`) is one, too, though its address
//! is not zero.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::Program;
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Access(Presumes::Nothing, find);

fn find(checker: &mut Checker<'_>, target: Target, _: Access) {
    let Some(pointer) = checker.pointer_to(target) else { return };
    let pointer = start(checker.program, pointer);
    let ty = checker.program.exprs.ty(pointer);
    let null = checker.program.null(ty);
    let not_null = checker.program.ne(pointer, null);
    let what = checker.text(pointer);
    let about = checker.about(target);
    checker.claim(not_null, Some(about), format!("{what} is null where it is dereferenced"));
}

/// The pointer that elements are counted from.
fn start(program: &Program, mut pointer: ExprId) -> ExprId {
    loop {
        pointer = match *program.exprs.kind(pointer) {
            ExprKind::Binary(BinaryOp::PtrAdd, base, _) => base,
            ExprKind::Cast(_, from) if matches!(program.type_of(from), Type::Ptr(_)) => from,
            _ => return pointer,
        };
    }
}
