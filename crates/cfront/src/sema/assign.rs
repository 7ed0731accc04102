//! Assignment, increment, and what they require of their operands (C17 6.5.16, 6.5.2.4, 6.3.2.1).

use super::convert::Target;
use super::operators::hir_op;
use super::{Sema, codes};
use crate::ast::{self, BinaryOp as AstOp, Quals};
use crate::hir::{CompoundOp, ExprId, ExprKind, IncDec, PtrOffsetOp};
use crate::types::{QualType, RecordId, TypeKind};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn assign(
        &mut self,
        op: Option<AstOp>,
        place: ast::ExprId,
        value: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let place = self.expr(place);
        let value = self.rvalue(value);
        let place_ty = self.ty(place);
        if self.is_error(place_ty) || self.is_error(self.ty(value)) {
            return self.error_expr(span);
        }
        if !self.require_modifiable(place, span) {
            return self.error_expr(span);
        }
        let ty = self.value_type(place_ty);
        match op {
            None => {
                let value = self.assign_convert(value, place_ty, Target::Assign);
                if self.is_error(self.ty(value)) {
                    return self.error_expr(span);
                }
                self.push(span, ty, ExprKind::Assign(place, value))
            }
            Some(op) => self.compound_assign(op, place, value, ty, span),
        }
    }

    pub(super) fn compound_assign(
        &mut self,
        op: AstOp,
        place: ExprId,
        value: ExprId,
        ty: QualType,
        span: Span,
    ) -> ExprId {
        let value_ty = self.ty(value);
        let Some(hir) = hir_op(op) else { return self.error_expr(span) };
        if let Some(to) = self.unit.types.pointee(ty) {
            let direction = match op {
                AstOp::Add => PtrOffsetOp::Add,
                AstOp::Sub => PtrOffsetOp::Sub,
                _ => return self.invalid_operands(op, place, value, span),
            };
            if !self.unit.types.is_integer(value_ty) {
                return self.invalid_operands(op, place, value, span);
            }
            if !self.require_element(to, span) {
                return self.error_expr(span);
            }
            let value = self.promote(value);
            let op = CompoundOp::Ptr(direction);
            return self.push(span, ty, ExprKind::CompoundAssign { op, compute: ty, place, value });
        }
        let read = self.decay(place);
        if matches!(self.kind(ty), TypeKind::Vector(..)) {
            let Some((_, value, compute)) = self.vector_operands(read, value) else {
                return self.invalid_operands(op, place, value, span);
            };
            let op = CompoundOp::Arith(hir);
            return self.push(span, ty, ExprKind::CompoundAssign { op, compute, place, value });
        }
        let types = &self.unit.types;
        let fits = match op {
            AstOp::Add | AstOp::Sub | AstOp::Mul | AstOp::Div => {
                types.is_arithmetic(ty) && types.is_arithmetic(value_ty)
            }
            _ => types.is_integer(ty) && types.is_integer(value_ty),
        };
        if !fits {
            return self.invalid_operands(op, place, value, span);
        }
        let (compute, value) = if matches!(op, AstOp::Shl | AstOp::Shr) {
            let promoted = self.promote(read);
            let value = self.promote(value);
            self.check_shift(promoted, value);
            (self.ty(promoted), value)
        } else {
            let (_, value, common) = self.usual_conversions(read, value);
            if matches!(op, AstOp::Div | AstOp::Rem) {
                self.check_divisor(value, span);
            }
            (common, value)
        };
        let op = CompoundOp::Arith(hir);
        self.push(span, ty, ExprKind::CompoundAssign { op, compute, place, value })
    }

    pub(super) fn increment(&mut self, op: IncDec, operand: ast::ExprId, span: Span) -> ExprId {
        let place = self.expr(operand);
        let ty = self.ty(place);
        if self.is_error(ty) {
            return place;
        }
        if !self.unit.types.is_scalar(ty) {
            let shown = self.show(ty);
            self.error(
                codes::INVALID_OPERANDS,
                span,
                format!("{shown} can be neither increased nor decreased"),
            );
            return self.error_expr(span);
        }
        if !self.require_modifiable(place, span) {
            return self.error_expr(span);
        }
        if let Some(to) = self.unit.types.pointee(ty)
            && !self.require_element(to, span)
        {
            return self.error_expr(span);
        }
        let ty = self.value_type(ty);
        self.push(span, ty, ExprKind::IncDec(op, place))
    }

    /// Reports an operand that is neither a number nor a pointer.
    pub(super) fn require_scalar(&mut self, expr: ExprId) -> bool {
        let ty = self.ty(expr);
        if self.is_error(ty) {
            return false;
        }
        if self.unit.types.is_scalar(ty) {
            return true;
        }
        let (span, shown) = (self.span(expr), self.show(ty));
        if self.unit.types.is_void(ty) {
            self.error(codes::VOID_VALUE, span, "a `void` value is used");
        } else {
            self.error(
                codes::NOT_SCALAR,
                span,
                format!("a number or pointer is needed here, not {shown}"),
            );
        }
        false
    }

    /// Reports a pointer whose target has no size; `void` and functions have size 1 in GNU C.
    pub(super) fn require_element(&mut self, to: QualType, span: Span) -> bool {
        if self.unit.types.is_complete(to)
            || self.unit.types.is_void(to)
            || self.unit.types.is_function(to)
        {
            return true;
        }
        let shown = self.show(to);
        self.error(
            codes::INCOMPLETE_TYPE,
            span,
            format!("arithmetic on a pointer to the incomplete type {shown}"),
        );
        false
    }

    /// Reports a place that cannot be assigned to.
    pub(super) fn require_modifiable(&mut self, place: ExprId, span: Span) -> bool {
        let ty = self.ty(place);
        if self.is_error(ty) {
            return false;
        }
        if !self.is_lvalue(place) {
            let mut diagnostic = Diagnostic::error(
                codes::NOT_AN_LVALUE,
                span,
                "an object is needed to assign to, this is a value",
            );
            diagnostic = diagnostic.label(self.span(place), "not an object");
            self.report(diagnostic);
            return false;
        }
        if self.unit.types.is_array(ty) {
            let shown = self.show(ty);
            self.error(
                codes::NOT_AN_LVALUE,
                span,
                format!("an array cannot be assigned to: it has type {shown}"),
            );
            return false;
        }
        let read_only = ty.quals().has(Quals::CONST)
            || self.unit.types.record(ty).is_some_and(|record| self.has_const_member(record));
        if read_only {
            let direct = ty.quals().has(Quals::CONST);
            let var = self.base_variable(place).map(|var| &self.unit.vars[var]);
            let name = var.and_then(|var| var.name).map(|name| self.name(name).to_owned());
            let message = match (&name, direct) {
                (Some(name), true) => format!("`{name}` is `const` and cannot be changed"),
                (_, true) => "this is `const` and cannot be changed".to_owned(),
                (_, false) => {
                    format!("{} has a `const` member and cannot be assigned to", self.show(ty))
                }
            };
            // Proofs write whole structures whose members are constant, as CBMC lets them.
            if self.lenient && !direct {
                self.report(Diagnostic::warning(codes::READ_ONLY, span, message));
                return true;
            }
            let mut diagnostic = Diagnostic::error(codes::READ_ONLY, span, message);
            if let (Some(name), Some(var)) = (name, var)
                && direct
                && !var.span.is_dummy()
            {
                diagnostic = diagnostic.label(var.span, format!("`{name}` is declared here"));
            }
            self.report(diagnostic);
            return false;
        }
        if self.unit.types.is_void(ty) || !self.unit.types.is_complete(ty) {
            let shown = self.show(ty);
            self.error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("an object of the incomplete type {shown} is assigned to"),
            );
            return false;
        }
        true
    }

    pub(super) fn has_const_member(&self, record: RecordId) -> bool {
        let mut work = vec![record];
        let mut seen = 0;
        while let Some(record) = work.pop() {
            seen += 1;
            if seen > 100_000 {
                break;
            }
            for field in self.unit.types.records[record].fields.iter().flatten() {
                let element = self.unit.types.innermost_element(field.ty);
                if element.quals().has(Quals::CONST) {
                    return true;
                }
                if let Some(inner) = self.unit.types.record(element) {
                    work.push(inner);
                }
            }
        }
        false
    }
}
