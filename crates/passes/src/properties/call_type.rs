//! A call through a pointer that is not the address of a function of that type: undefined (C17 6.3.2.3p8, 6.5.2.2p9).

use super::Sites;
use crate::instrument::Checker;
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::{Callee, InstrKind};

pub(super) const SITES: Sites = Sites::Instruction(find);

fn find(checker: &mut Checker<'_>, instr: &InstrKind) {
    let (InstrKind::Call { callee: Callee::Indirect(pointer), .. }
    | InstrKind::Spawn { callee: Callee::Indirect(pointer), .. }) = instr
    else {
        return;
    };
    let is_function = checker.program.memory(MemoryOp::IsFunction, vec![*pointer]);
    let what = checker.text(*pointer);
    checker.claim(
        is_function,
        Some(*pointer),
        format!("{what} does not point to a function of the type called"),
    );
}
