//! `free` or `realloc` of a pointer that no allocation returned, or into the middle of an object: undefined
//! (C17 7.22.3.3p2). A second `free` is a property of its own.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::{InstrKind, Region};

pub(super) const SITES: Sites = Sites::Instruction(find);

fn find(checker: &mut Checker<'_>, instr: &InstrKind) {
    let &InstrKind::Free(pointer, Region::Heap) = instr else { return };
    let is_heap = checker.program.memory(MemoryOp::IsHeap, vec![pointer]);
    let offset = checker.program.memory(MemoryOp::Offset, vec![pointer]);
    let offset_type = checker.program.offset_type();
    let zero = checker.program.int(offset_type, 0);
    let at_start = checker.program.eq(offset, zero);
    let ty = checker.program.exprs.ty(pointer);
    let null = checker.program.null(ty);
    let is_null = checker.program.eq(pointer, null);
    let valid = checker.program.and(is_heap, at_start);
    let allowed = checker.program.or(is_null, valid);
    let what = checker.text(pointer);
    checker.claim(allowed, Some(pointer), format!("{what} is freed but was not allocated"));
}
