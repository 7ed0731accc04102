//! The use of an object's value before it has one: indeterminate, undefined for most types (C17 6.2.4p6, 6.7.9p10).
//!
//! Copies are not uses: a structure or union may be copied while parts of it have no value, and so may a byte (that is
//! how memory is copied). Library models copy bytes for their callers and are not looked at. Bit-fields share their bytes
//! with others, whose values say nothing of theirs, and are not looked at either.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker};
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Access(Presumes::Inside, find);

fn find(checker: &mut Checker<'_>, place: ExprId, access: Access) {
    let is_use = match checker.ty(place) {
        Type::Int { width, .. } => *width > 8 || !checker.is_copied(place),
        Type::Float(_) | Type::Ptr(_) => true,
        _ => false,
    };
    let exempt =
        checker.in_library() || checker.is_static_or_param(place) || checker.is_bit_field(place);
    if access == Access::Write || !is_use || exempt {
        return;
    }
    let Some((address, size)) = checker.extent(place) else { return };
    let size = checker.program.size(size);
    let initialized = checker.program.memory(MemoryOp::IsInitialized, vec![address, size]);
    let what = checker.text(place);
    checker.claim(initialized, Some(place), format!("{what} is used before it has a value"));
}
