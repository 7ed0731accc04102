//! An access that is not inside one object: undefined (C17 6.5.6p8, 6.5.3.2p4).
//!
//! The whole object counts, as for SV-COMP's `valid-deref`: an index that leaves an inner array but stays in the object
//! is the business of `memory.index`. A pointer without an object (made from an integer) is out of bounds too.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Access(Presumes::Alive, find);

fn find(checker: &mut Checker<'_>, target: Target, _: Access) {
    if checker.is_inside_variable(target) {
        return;
    }
    let description = match target {
        Target::Place(place) => format!("{} is outside of its object", checker.text(place)),
        Target::Block { pointer, size } => {
            let what = checker.block_text(pointer, size);
            match checker.program.exprs.kind(size) {
                ExprKind::Memory(MemoryOp::TextSize, _) => {
                    format!("{what} does not end inside of its object")
                }
                _ => format!("{what} are not inside of one object"),
            }
        }
    };
    if let Target::Place(place) = target
        && let ExprKind::Index(base, index) = *checker.program.exprs.kind(place)
        && let ExprKind::Symbol(_) = checker.program.exprs.kind(base)
        && let &Type::Array(_, len) = checker.ty(base)
    {
        let in_range = checker.in_range(index, len);
        return checker.claim(in_range, Some(place), description);
    }
    let Some((address, size)) = checker.extent(target) else { return };
    let offset = checker.program.memory(MemoryOp::Offset, vec![address]);
    let object_size = checker.program.memory(MemoryOp::ObjectSize, vec![address]);
    let has_object = checker.program.memory(MemoryOp::HasObject, vec![address]);
    // offset >= 0 and offset <= object_size - size and size <= object_size, in which nothing wraps around.
    let size_type = checker.program.size_type();
    let offset_type = checker.program.offset_type();
    let zero = checker.program.int(offset_type, 0);
    let not_before = checker.program.le(zero, offset);
    let fits = checker.program.le(size, object_size);
    let last = checker.program.sub(object_size, size);
    let offset = checker.program.cast(size_type, offset);
    let not_behind = checker.program.le(offset, last);
    let inside = checker.program.all([has_object, not_before, fits, not_behind]);
    let about = checker.about(target);
    checker.claim(inside, Some(about), description);
}
