//! A write to a string literal or to an object defined `const`: undefined (C17 6.4.5p7, 6.7.3p6).

use super::{Presumes, Sites};
use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::SymbolKind;

pub(super) const SITES: Sites = Sites::Access(Presumes::Alive, find);

fn find(checker: &mut Checker<'_>, target: Target, access: Access) {
    if access != Access::Write {
        return;
    }
    let about = checker.about(target);
    let Some(pointer) = checker.pointer_to(target) else {
        // `*(int *)&x` is the variable itself. Assignments to automatic ones give them their values, or lowering claims that
        // they do not happen.
        if let Some(variable) = checker.variable_of(target)
            && !variable.writable
            && (matches!(variable.kind, SymbolKind::Static { .. })
                || matches!(target, Target::Block { .. }))
        {
            let what = checker.text(about);
            let never = checker.program.bool(false);
            checker.claim(never, Some(about), format!("{what} is constant and is written"));
        }
        return;
    };
    let has_object = checker.program.memory(MemoryOp::HasObject, vec![pointer]);
    let writable = checker.program.memory(MemoryOp::IsWritable, vec![pointer]);
    let allowed = checker.program.implies(has_object, writable);
    let what = checker.text(pointer);
    checker.claim(
        allowed,
        Some(about),
        format!("{what} points to a constant object that is written"),
    );
}
