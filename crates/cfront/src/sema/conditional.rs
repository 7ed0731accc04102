//! The conditional operator and the common type of its branches (C17 6.5.15).

use super::{Sema, codes};
use crate::ast::{self, Quals};
use crate::hir::{ExprId, ExprKind};
use crate::types::{QualType, TypeKind};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn conditional(
        &mut self,
        cond: ast::ExprId,
        then: Option<ast::ExprId>,
        other: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let cond = self.rvalue(cond);
        let scalar = self.require_scalar(cond);
        let Some(then) = then else {
            let other = self.rvalue(other);
            if !scalar {
                return self.error_expr(span);
            }
            let Some((ty, _, other)) = self.common_of_branches(cond, other, span) else {
                return self.error_expr(span);
            };
            // The first operand is converted where it is used; its own node stays as it is evaluated once.
            return self.push(span, ty, ExprKind::CondOmitted(cond, other));
        };
        let then = self.rvalue(then);
        let other = self.rvalue(other);
        if !scalar {
            return self.error_expr(span);
        }
        let Some((ty, then, other)) = self.common_of_branches(then, other, span) else {
            return self.error_expr(span);
        };
        self.push(span, ty, ExprKind::Cond(cond, then, other))
    }

    /// The type of a conditional expression and its operands in that type (C17 6.5.15).
    pub(super) fn common_of_branches(
        &mut self,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Option<(QualType, ExprId, ExprId)> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_error(ta) || self.is_error(tb) {
            return None;
        }
        let types = &self.unit.types;
        if types.is_arithmetic(ta) && types.is_arithmetic(tb) {
            if ta == tb && !types.is_integer(ta) {
                return Some((ta, a, b));
            }
            let (a, b, ty) = self.usual_conversions(a, b);
            return Some((ty, a, b));
        }
        if types.is_void(ta) || types.is_void(tb) {
            let (a, b) = (self.convert_to_void(a), self.convert_to_void(b));
            return Some((self.basics.void, a, b));
        }
        let is_pointer =
            |this: &Self, ty| matches!(this.kind(ty), TypeKind::Pointer(_) | TypeKind::Nullptr);
        match (is_pointer(self, ta), is_pointer(self, tb)) {
            (true, true) => {
                let ty = self.common_pointer(a, b, span);
                Some((ty, self.convert(a, ty), self.convert(b, ty)))
            }
            (true, false) if self.unit.types.is_integer(tb) => {
                if !self.is_null_constant(b) {
                    self.warning(
                        codes::INT_CONVERSION,
                        span,
                        "a conditional mixes a pointer and an integer",
                    );
                }
                Some((ta, a, self.convert(b, ta)))
            }
            (false, true) if self.unit.types.is_integer(ta) => {
                if !self.is_null_constant(a) {
                    self.warning(
                        codes::INT_CONVERSION,
                        span,
                        "a conditional mixes a pointer and an integer",
                    );
                }
                Some((tb, self.convert(a, tb), b))
            }
            _ if self.compatible_unqualified(ta, tb) => Some((ta, a, self.convert(b, ta))),
            _ => {
                let (sa, sb) = (self.show(ta), self.show(tb));
                self.report(
                    Diagnostic::error(
                        codes::INCOMPATIBLE_TYPES,
                        span,
                        format!("the branches of `?:` have the incompatible types {sa} and {sb}"),
                    )
                    .label(self.span(a), format!("this has type {sa}"))
                    .label(self.span(b), format!("this has type {sb}")),
                );
                None
            }
        }
    }

    pub(super) fn common_pointer(&mut self, a: ExprId, b: ExprId, span: Span) -> QualType {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let (Some(x), Some(y)) = (self.unit.types.pointee(ta), self.unit.types.pointee(tb)) else {
            return if self.unit.types.pointee(ta).is_some() { ta } else { tb };
        };
        if self.canonical(ta) == self.canonical(tb) {
            return ta;
        }
        if self.is_null_constant(a) && self.unit.types.is_void(x) {
            return tb;
        }
        if self.is_null_constant(b) && self.unit.types.is_void(y) {
            return ta;
        }
        let quals = self
            .unit
            .types
            .qualifiers(x)
            .with(self.unit.types.qualifiers(y))
            .without(Quals::RESTRICT);
        if self.compatible_unqualified(x, y) {
            let to = self.composite(x.unqualified(), y.unqualified()).unwrap_or(x);
            let to = self.unit.types.qualify(to, quals);
            return self.pointer_to(to);
        }
        if !self.unit.types.is_void(x)
            && !self.unit.types.is_void(y)
            && !self.compatible_quals_aside(x, y)
        {
            let (sa, sb) = (self.show(ta), self.show(tb));
            self.warning(
                codes::INCOMPATIBLE_POINTERS,
                span,
                format!("the branches of `?:` have the incompatible pointer types {sa} and {sb}"),
            );
        }
        self.pointer_to(self.basics.void.with(quals))
    }
}
