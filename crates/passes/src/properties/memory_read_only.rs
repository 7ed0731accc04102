//! A write to a string literal or to an object defined `const`: undefined (C17 6.4.5p7, 6.7.3p6).

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker};
use vergo_goto::expr::{ExprId, MemoryOp};

pub(super) const SITES: Sites = Sites::Access(Presumes::Alive, find);

fn find(checker: &mut Checker<'_>, place: ExprId, access: Access) {
    if access == Access::Read {
        return;
    }
    let Some(pointer) = checker.pointer_of(place) else { return };
    let has_object = checker.program.memory(MemoryOp::HasObject, vec![pointer]);
    let writable = checker.program.memory(MemoryOp::IsWritable, vec![pointer]);
    let allowed = checker.program.implies(has_object, writable);
    let what = checker.text(pointer);
    checker.claim(
        allowed,
        Some(place),
        format!("{what} points to a constant object that is written"),
    );
}
