//! Arguments of `main` that it looks at one by one.
//!
//! Where `argv` only stands in `argv[i]` and `*argv`, and only the value of these is taken, the vector need not be there: each
//! such expression is a call of a model that makes the argument when it is first looked at. Everywhere else all arguments are
//! made before `main` is called, in a loop that analyses have to get through.

use crate::function::Fx;
use rustc_hash::FxHashSet;
use vergo_cfront::hir::{CastKind, ExprId as HirExpr, ExprKind, Unit, VarId};
use vergo_cfront::types::TypeKind;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, InstrKind};

/// Returns whether a parameter is only used to look at elements of the vector that it points to.
pub(crate) fn is_looked_at(unit: &Unit, parameter: VarId) -> bool {
    let mut fine: FxHashSet<HirExpr> = FxHashSet::default();
    for (_, expr) in &unit.exprs {
        if let ExprKind::Cast(CastKind::Load, element) = expr.kind
            && let Some((variable, _)) = element_of(unit, parameter, element)
            && matches!(unit.types.kind(expr.ty), TypeKind::Pointer(_))
        {
            fine.insert(variable);
        }
    }
    unit.exprs.iter().all(|(id, expr)| match expr.kind {
        ExprKind::Var(var) => var != parameter || fine.contains(&id),
        _ => true,
    })
}

/// The variable in an element of the vector that a parameter points to, and the index (the first, if there is none).
fn element_of(
    unit: &Unit,
    parameter: VarId,
    element: HirExpr,
) -> Option<(HirExpr, Option<HirExpr>)> {
    let (pointer, index) = match unit.exprs[element].kind {
        ExprKind::Index(pointer, index) => (pointer, Some(index)),
        ExprKind::Deref(pointer) => (pointer, None),
        _ => return None,
    };
    let ExprKind::Cast(CastKind::Load, variable) = unit.exprs[pointer].kind else { return None };
    match unit.exprs[variable].kind {
        ExprKind::Var(var) if var == parameter => Some((variable, index)),
        _ => None,
    }
}

impl Fx<'_, '_> {
    /// Returns whether the value of a place is an argument of `main` that is made when it is looked at.
    pub(crate) fn is_main_argument(&self, place: HirExpr) -> bool {
        self.u == 0
            && self
                .cx
                .looked_at
                .is_some_and(|vector| element_of(&self.unit, vector, place).is_some())
    }

    /// The argument of `main` that an element of its vector is.
    pub(crate) fn main_argument(&mut self, place: HirExpr) -> Option<ExprId> {
        let vector = self.cx.looked_at?;
        let (_, index) = element_of(&self.unit, vector, place)?;
        let offset = self.cx.p.offset_type();
        let index = match index {
            Some(index) => self.value(index),
            None => self.cx.p.int(offset, 0),
        };
        let index = self.coerce(index, offset);
        let function = self.cx.model_function("__vergo_argument")?;
        let vector = self.unit.vars[vector].name.map_or("argv", |name| self.unit.names.name(name));
        self.cx.p.functions[function].display = format!("{vector}[]");
        let ty = self.cx.char_ptr();
        let result = self.temp(ty);
        let result = self.cx.p.symbol(result);
        let callee = Callee::Direct(function);
        self.emit(InstrKind::Call { dest: Some(result), callee, args: vec![index].into() });
        Some(result)
    }
}
