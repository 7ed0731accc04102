//! Allocated memory that nothing points to when the program ends: SV-COMP's `valid-memtrack`.
//!
//! Variables of functions that have not returned count as roots: memory that `main` holds when it calls `exit` can be
//! reached, memory that it held when it returned cannot.

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::InstrKind;

pub(super) const SITES: Sites = Sites::Instruction(find);

fn find(checker: &mut Checker<'_>, instr: &InstrKind) {
    let InstrKind::End(_) = instr else { return };
    let reachable = checker.program.memory(MemoryOp::HeapReachable, vec![]);
    checker.claim(
        reachable,
        None,
        "allocated memory can no longer be reached at the end of the program".to_owned(),
    );
}
