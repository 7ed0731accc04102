//! Allocated memory that is not freed when the program ends: SV-COMP's `valid-memcleanup`. Off by default.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::InstrKind;

pub(super) const SITES: Sites = Sites::Instruction(find);

fn find(checker: &mut Checker<'_>, instr: &InstrKind) {
    let InstrKind::End(_) = instr else { return };
    let empty = checker.program.memory(MemoryOp::HeapEmpty, vec![]);
    checker.claim(
        empty,
        None,
        "allocated memory is not freed at the end of the program".to_owned(),
    );
}
