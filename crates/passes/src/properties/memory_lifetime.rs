//! An access of an object after its life has ended, by `free` or by leaving its block: undefined (C17 6.2.4p2, 7.22.3).

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::MemoryOp;

pub(super) const SITES: Sites = Sites::Access(Presumes::NotNull, find);

fn find(checker: &mut Checker<'_>, target: Target, _: Access) {
    let Some(pointer) = checker.pointer_to(target) else { return };
    let has_object = checker.program.memory(MemoryOp::HasObject, vec![pointer]);
    let is_live = checker.program.memory(MemoryOp::IsLive, vec![pointer]);
    let alive = checker.program.implies(has_object, is_live);
    let what = checker.text(pointer);
    let about = checker.about(target);
    checker.claim(
        alive,
        Some(about),
        format!("the object that {what} points to is no longer alive"),
    );
}
