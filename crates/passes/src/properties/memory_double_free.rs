//! `free` or `realloc` of memory that has been freed: undefined (C17 7.22.3.3p2).

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::{InstrKind, Region};

pub(super) const SITES: Sites = Sites::Instruction(find);

fn find(checker: &mut Checker<'_>, instr: &InstrKind) {
    let &InstrKind::Free(pointer, Region::Heap) = instr else { return };
    let is_heap = checker.program.memory(MemoryOp::IsHeap, vec![pointer]);
    let is_live = checker.program.memory(MemoryOp::IsLive, vec![pointer]);
    let alive = checker.program.implies(is_heap, is_live);
    let what = checker.text(pointer);
    checker.claim(alive, Some(pointer), format!("{what} is freed twice"));
}
