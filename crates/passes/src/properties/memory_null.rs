//! An access through a null pointer: undefined (C17 6.5.3.2p4).

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};

pub(super) const SITES: Sites = Sites::Access(Presumes::Nothing, find);

fn find(checker: &mut Checker<'_>, target: Target, _: Access) {
    let Some(pointer) = checker.pointer_to(target) else { return };
    let ty = checker.program.exprs.ty(pointer);
    let null = checker.program.null(ty);
    let not_null = checker.program.ne(pointer, null);
    let what = checker.text(pointer);
    let about = checker.about(target);
    checker.claim(not_null, Some(about), format!("{what} is null where it is dereferenced"));
}
