//! An access at an address that its type's alignment does not divide: undefined (C17 6.3.2.3p7).
//!
//! Only the pointer is looked at: members of packed structures are reached through the structure's own alignment.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};

pub(super) const SITES: Sites = Sites::Access(Presumes::NotNull, find);

fn find(checker: &mut Checker<'_>, target: Target, _: Access) {
    let Target::Place(place) = target else { return };
    let Some(pointer) = checker.pointer_of(place) else { return };
    let Some(target) = checker.program.pointee(checker.program.exprs.ty(pointer)) else { return };
    let align = checker.align_of(target);
    if align <= 1 || checker.in_library() {
        return;
    }
    let size_type = checker.program.size_type();
    let address = checker.program.cast(size_type, pointer);
    let mask = checker.program.size(align - 1);
    let low = checker.program.bit_and(address, mask);
    let zero = checker.program.size(0);
    let aligned = checker.program.eq(low, zero);
    let what = checker.text(pointer);
    checker.claim(
        aligned,
        Some(place),
        format!("{what} is not aligned to {align} bytes where it is dereferenced"),
    );
}
