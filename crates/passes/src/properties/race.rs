//! A data race: two conflicting accesses of different threads that nothing orders, at least one of which is not atomic
//! (C17 5.1.2.4p25, p35).
//!
//! Accesses conflict if they share a byte and one of them writes; members of a structure are different places, and bit-fields
//! that lie next to each other are one (3.14p3). Each access of memory that another thread may reach is claimed to be in no race with
//! those before; what *before* and *ordered* mean stands in `docs/ir.md`. Memory of the library's own is not
//! looked at: its functions may be called by several threads at once (7.1.4p5), which is their business.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::property::AccessText;
use vergo_goto::types::{StructType, Type};

pub(super) const SITES: Sites = Sites::Access(Presumes::Inside, find);

fn find(checker: &mut Checker<'_>, target: Target, access: Access) {
    let found = match target {
        Target::Place(place) if checker.is_shared(place) && !is_library_memory(checker, place) => {
            memory_location(checker, place)
        }
        // What only the library has is named by it.
        Target::Block { .. } if !checker.in_library() || checker.variable_of(target).is_none() => {
            checker.extent(target)
        }
        _ => None,
    };
    let Some((address, size)) = found else { return };
    let (op, writes) = match access {
        Access::Read | Access::Copy => (MemoryOp::UnracedRead, false),
        Access::Write => (MemoryOp::UnracedWrite, true),
    };
    let unraced = checker.program.memory(op, vec![address, size]);
    let what = match target {
        Target::Place(place) => checker.text(place),
        Target::Block { pointer, size } => checker.block_text(pointer, size),
    };
    let about = Some(checker.about(target));
    checker.claim(unraced, about, AccessText { writes, what: &what }.claim());
}

/// Returns whether a function of the library accesses an object that only the library has: a variable of its own, or a
/// stream.
fn is_library_memory(checker: &Checker<'_>, place: ExprId) -> bool {
    if !checker.in_library() {
        return false;
    }
    if checker.program.root_variable(place).is_some() {
        return true;
    }
    let mut part = place;
    loop {
        part = match *checker.program.exprs.kind(part) {
            ExprKind::Member(base, _) => {
                if let &Type::Struct(id) = checker.ty(base)
                    && checker.program.types.structs[id].name.contains("__vergo_")
                {
                    return true;
                }
                base
            }
            ExprKind::Index(base, _) => base,
            _ => return false,
        };
    }
}

/// The address and size of the memory location that a place is: its own bytes, or those of all bit-fields next to it.
fn memory_location(checker: &mut Checker<'_>, place: ExprId) -> Option<(ExprId, ExprId)> {
    if let ExprKind::Member(base, member) = *checker.program.exprs.kind(place)
        && let &Type::Struct(id) = checker.ty(base)
        && let Some((first, end)) =
            bit_fields(&checker.program.types.structs[id], member as usize, checker)
    {
        let byte = checker.program.types.int(false, 8);
        let byte = checker.program.types.ptr(byte);
        let start = checker.program.address_of(base);
        let start = checker.program.cast(byte, start);
        let offset = checker.program.size(first);
        let address =
            checker.program.binary(vergo_goto::expr::BinaryOp::PtrAdd, start, offset);
        let size = checker.program.size(end - first);
        return Some((address, size));
    }
    checker.extent(Target::Place(place))
}

/// The bytes of the bit-fields around a member, if it is one.
fn bit_fields(structure: &StructType, member: usize, checker: &Checker<'_>) -> Option<(u64, u64)> {
    structure.fields.get(member)?.first_bit?;
    let is_bit_field = |i: usize| structure.fields.get(i).is_some_and(|f| f.first_bit.is_some());
    let mut first = member;
    while first > 0 && is_bit_field(first - 1) {
        first -= 1;
    }
    let mut range = (u64::MAX, 0);
    for field in structure.fields[first..].iter().take_while(|field| field.first_bit.is_some()) {
        let &Type::Int { width, .. } = checker.program.types.get(field.ty) else { continue };
        let end = u64::from(field.first_bit.unwrap_or(0) + width).div_ceil(8);
        range = (range.0.min(field.offset), range.1.max(field.offset + end));
    }
    Some(range)
}
