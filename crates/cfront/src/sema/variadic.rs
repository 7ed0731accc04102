//! Variable arguments: `va_list` operands and `va_arg`.

use super::{Sema, codes};
use crate::ast;
use crate::hir::{CastKind, ExprId, ExprKind};
use crate::target::DataModel;
use crate::types::{ArrayLen, TypeKind};
use vergo_source::Span;

impl Sema<'_> {
    /// An operand of type `va_list`, as an lvalue where it is one.
    pub(super) fn va_list_operand(&mut self, list: ast::ExprId) -> Option<ExprId> {
        let list = self.expr(list);
        let ty = self.ty(list);
        match self.kind(ty) {
            TypeKind::VaList => Some(list),
            TypeKind::Error => None,
            _ => {
                if let Some(list) = self.va_list_behind(list) {
                    return Some(list);
                }
                let span = self.span(list);
                let shown = self.show(ty);
                self.error(
                    codes::BAD_VARIADIC,
                    span,
                    format!("a `va_list` is needed here, not {shown}"),
                );
                None
            }
        }
    }

    /// The `va_list` that a pointer such as `(struct __va_list_tag *)&list` is the address of, where the type is an array of
    /// one such structure: as an array it is passed by just this pointer. Arrays of one such array are no different.
    pub(super) fn va_list_behind(&mut self, pointer: ExprId) -> Option<ExprId> {
        let mut expr = pointer;
        while let ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, inner) = self.unit.exprs[expr].kind
        {
            expr = inner;
        }
        let ExprKind::AddrOf(mut list) = self.unit.exprs[expr].kind else { return None };
        let innermost = self.unit.types.innermost_element(self.ty(list));
        if self.unit.target.model != DataModel::Lp64
            || !matches!(self.kind(innermost), TypeKind::VaList)
        {
            return None;
        }
        while let TypeKind::Array(element, ArrayLen::Fixed(1)) = *self.kind(self.ty(list)) {
            let (first, span) = (self.decay(list), self.span(list));
            list = self.push(span, element, ExprKind::Deref(first));
        }
        matches!(self.kind(self.ty(list)), TypeKind::VaList).then_some(list)
    }

    pub(super) fn va_arg(&mut self, list: ast::ExprId, ty: ast::TypeNameId, span: Span) -> ExprId {
        let list = self.va_list_operand(list);
        let mark = self.vla_lengths.len();
        let ty = self.type_name(ty);
        let Some(list) = list else {
            self.vla_lengths.truncate(mark);
            return self.error_expr(span);
        };
        if self.is_error(ty) {
            return self.error_expr(span);
        }
        if !self.unit.types.is_complete(ty) {
            let shown = self.show(ty);
            self.error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("an argument cannot have the type {shown}"),
            );
            return self.error_expr(span);
        }
        let ty = self.value_type(ty);
        let promoted = self.promoted_parameter(ty);
        if self.unit.types.is_arithmetic(ty)
            && promoted != ty
            && !matches!(self.kind(ty), TypeKind::Enum(_))
        {
            let (shown, passed) = (self.show(ty), self.show(promoted));
            self.warning(
                codes::BAD_VARIADIC,
                span,
                format!("{shown} is promoted to {passed} when passed through `...`"),
            );
        }
        let arg = self.push(span, ty, ExprKind::VaArg(list));
        self.with_lengths(mark, arg)
    }
}
