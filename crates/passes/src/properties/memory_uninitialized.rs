//! The use of an object's value before it has one: indeterminate, undefined for most types (C17 6.2.4p6, 6.7.9p10).
//!
//! Copies are not uses: a structure or union may be copied while parts of it have no value, and so may a byte (that is
//! how memory is copied); library models copy them so too. What is given to the world outside is used. Of a bit-field its own
//! bits count, not the others of its bytes.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::MemoryOp;
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Access(Presumes::Inside, find);

fn find(checker: &mut Checker<'_>, target: Target, access: Access) {
    if access != Access::Read || !is_use(checker, target) {
        return;
    }
    let operands = match checker.bits_of(target) {
        Some((base, first, width)) => {
            let (first, width) = (checker.program.size(first), checker.program.size(width));
            vec![base, first, width]
        }
        None => {
            let Some((address, size)) = checker.extent(target) else { return };
            vec![address, size]
        }
    };
    let initialized = checker.program.memory(MemoryOp::IsInitialized, operands);
    let about = checker.about(target);
    let description = match target {
        Target::Place(place) => format!("{} is used before it has a value", checker.text(place)),
        Target::Block { pointer, size } => {
            format!("{}: used before there is a value", checker.block_text(pointer, size))
        }
    };
    checker.claim(initialized, Some(about), description);
}

/// Returns whether reading the target uses its value.
fn is_use(checker: &Checker<'_>, target: Target) -> bool {
    // What the world outside gets is used.
    let Target::Place(place) = target else { return true };
    let is_use = match checker.ty(place) {
        Type::Int { width, .. } => *width > 8 || !checker.is_copied(place),
        Type::Float(_) | Type::Ptr(_) => true,
        _ => false,
    };
    is_use && !checker.is_static_or_param(place)
}
