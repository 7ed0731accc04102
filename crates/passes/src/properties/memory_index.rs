//! An index that leaves its array although the access may stay inside the object (`m[0][5]` in `int m[2][3]`):
//! undefined (C17 6.5.6p8, J.2).
//!
//! A trailing array member behind a pointer is taken for a flexible one, as compilers do, and an array that is the
//! whole object is checked by `memory.bounds`.

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::types::Type;

pub(super) const SITES: Sites = Sites::Access(Presumes::Alive, find);

fn find(checker: &mut Checker<'_>, target: Target, _: Access) {
    let Target::Place(place) = target else { return };
    let mut step = place;
    loop {
        match *checker.program.exprs.kind(step) {
            ExprKind::Member(base, _) => step = base,
            ExprKind::Index(base, index) => {
                if let &Type::Array(_, len) = checker.ty(base)
                    && !is_whole_object(checker, base)
                    && !is_trailing_member(checker, base)
                {
                    let in_range = checker.in_range(index, len);
                    let what = checker.text(step);
                    checker.claim(in_range, Some(step), format!("index out of range in {what}"));
                }
                step = base;
            }
            _ => return,
        }
    }
}

fn is_whole_object(checker: &Checker<'_>, place: ExprId) -> bool {
    matches!(checker.program.exprs.kind(place), ExprKind::Symbol(_))
}

fn is_trailing_member(checker: &Checker<'_>, place: ExprId) -> bool {
    let &ExprKind::Member(base, member) = checker.program.exprs.kind(place) else { return false };
    let &Type::Struct(id) = checker.ty(base) else { return false };
    let structure = &checker.program.types.structs[id];
    (structure.union || member as usize + 1 == structure.fields.len())
        && checker.pointer_of(base).is_some()
}
