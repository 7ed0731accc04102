//! Operators: arithmetic, comparison, assignment, increment, condition (C17 6.5.3 to 6.5.17).

use super::{Sema, codes};
use crate::ast::{self, BinaryOp as AstOp, Quals, UnaryOp as AstUnary};
use crate::consteval::Value;
use crate::hir::{BinaryOp, CastKind, ExprId, ExprKind, IncDec, PtrOffsetOp, Storage, UnaryOp};
use crate::types::{QualType, TypeKind};
use vergo_source::{Diagnostic, Span};

/// The operator as C writes it.
pub(super) fn op_text(op: AstOp) -> &'static str {
    match op {
        AstOp::Mul => "*",
        AstOp::Div => "/",
        AstOp::Rem => "%",
        AstOp::Add => "+",
        AstOp::Sub => "-",
        AstOp::Shl => "<<",
        AstOp::Shr => ">>",
        AstOp::Lt => "<",
        AstOp::Gt => ">",
        AstOp::Le => "<=",
        AstOp::Ge => ">=",
        AstOp::Eq => "==",
        AstOp::Ne => "!=",
        AstOp::BitAnd => "&",
        AstOp::BitXor => "^",
        AstOp::BitOr => "|",
        AstOp::LogAnd => "&&",
        AstOp::LogOr => "||",
        AstOp::Comma => ",",
    }
}

pub(super) fn hir_op(op: AstOp) -> Option<BinaryOp> {
    Some(match op {
        AstOp::Mul => BinaryOp::Mul,
        AstOp::Div => BinaryOp::Div,
        AstOp::Rem => BinaryOp::Rem,
        AstOp::Add => BinaryOp::Add,
        AstOp::Sub => BinaryOp::Sub,
        AstOp::Shl => BinaryOp::Shl,
        AstOp::Shr => BinaryOp::Shr,
        AstOp::Lt => BinaryOp::Lt,
        AstOp::Gt => BinaryOp::Gt,
        AstOp::Le => BinaryOp::Le,
        AstOp::Ge => BinaryOp::Ge,
        AstOp::Eq => BinaryOp::Eq,
        AstOp::Ne => BinaryOp::Ne,
        AstOp::BitAnd => BinaryOp::BitAnd,
        AstOp::BitXor => BinaryOp::BitXor,
        AstOp::BitOr => BinaryOp::BitOr,
        AstOp::LogAnd | AstOp::LogOr | AstOp::Comma => return None,
    })
}

impl Sema<'_> {
    // Unary operators.

    pub(super) fn unary(&mut self, op: AstUnary, operand: ast::ExprId, span: Span) -> ExprId {
        match op {
            AstUnary::PreInc => self.increment(IncDec::PreInc, operand, span),
            AstUnary::PreDec => self.increment(IncDec::PreDec, operand, span),
            AstUnary::PostInc => self.increment(IncDec::PostInc, operand, span),
            AstUnary::PostDec => self.increment(IncDec::PostDec, operand, span),
            AstUnary::AddrOf => self.address_of(operand, span),
            AstUnary::Deref => self.dereference(operand, span),
            AstUnary::Extension => self.expr(operand),
            AstUnary::Real | AstUnary::Imag => {
                self.complex_part(op == AstUnary::Imag, operand, span)
            }
            AstUnary::Plus | AstUnary::Neg | AstUnary::BitNot => {
                let value = self.rvalue(operand);
                self.arithmetic_unary(op, value, span)
            }
            AstUnary::Not => {
                let value = self.rvalue(operand);
                if let TypeKind::Vector(..) = self.kind(self.ty(value)) {
                    let ty = self.comparison_vector(self.ty(value));
                    return self.push(span, ty, ExprKind::Unary(UnaryOp::Not, value));
                }
                if !self.require_scalar(value) {
                    return self.error_expr(span);
                }
                self.push(span, self.basics.int, ExprKind::Unary(UnaryOp::Not, value))
            }
        }
    }

    pub(super) fn arithmetic_unary(&mut self, op: AstUnary, value: ExprId, span: Span) -> ExprId {
        let ty = self.ty(value);
        if self.is_error(ty) {
            return value;
        }
        let fits = match (op, self.kind(ty)) {
            (AstUnary::BitNot, TypeKind::Complex(_) | TypeKind::ComplexInt(_)) => true,
            (AstUnary::BitNot, TypeKind::Vector(element, _)) => {
                self.unit.types.is_integer(*element)
            }
            (AstUnary::BitNot, _) => self.unit.types.is_integer(ty),
            (_, TypeKind::Vector(..)) => true,
            _ => self.unit.types.is_arithmetic(ty),
        };
        if !fits {
            let text = match op {
                AstUnary::BitNot => "~",
                AstUnary::Neg => "-",
                _ => "+",
            };
            let shown = self.show(ty);
            self.error(
                codes::INVALID_OPERANDS,
                span,
                format!("`{text}` is not defined for {shown}"),
            );
            return self.error_expr(span);
        }
        let value = self.promote(value);
        let ty = self.ty(value);
        match op {
            AstUnary::Plus => self.push(span, ty, ExprKind::Cast(CastKind::NoOp, value)),
            AstUnary::Neg => self.push(span, ty, ExprKind::Unary(UnaryOp::Neg, value)),
            _ => self.push(span, ty, ExprKind::Unary(UnaryOp::BitNot, value)),
        }
    }

    pub(super) fn complex_part(
        &mut self,
        imaginary: bool,
        operand: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let expr = self.expr(operand);
        let ty = self.ty(expr);
        match *self.kind(ty) {
            TypeKind::Error => expr,
            TypeKind::Complex(_) | TypeKind::ComplexInt(_) => {
                let part = self.complex_part_type(ty);
                let part =
                    if self.is_lvalue(expr) { QualType::new(part.ty(), ty.quals()) } else { part };
                self.push(span, part, ExprKind::ComplexPart(expr, imaginary))
            }
            _ if self.unit.types.is_real(ty) => {
                let value = self.decay(expr);
                if !imaginary {
                    return value;
                }
                let ty = self.ty(value);
                let void = self.convert_to_void(value);
                let zero = self.int_expr(span, self.basics.int, 0);
                let zero = self.convert(zero, ty);
                self.push(span, ty, ExprKind::Comma(void, zero))
            }
            _ => {
                let shown = self.show(ty);
                self.error(
                    codes::INVALID_OPERANDS,
                    span,
                    format!("{shown} has no real and imaginary part"),
                );
                self.error_expr(span)
            }
        }
    }

    pub(super) fn address_of(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        let expr = self.expr(operand);
        let node = self.unit.exprs[expr];
        if self.is_error(node.ty) {
            return expr;
        }
        match node.kind {
            // Neither operator is evaluated (C17 6.5.3.2p3).
            ExprKind::Deref(pointer) => return pointer,
            ExprKind::Function(_) => {
                let ty = self.pointer_to(node.ty.unqualified());
                return self.push(span, ty, ExprKind::AddrOf(expr));
            }
            _ => {}
        }
        if self.bit_field(expr).is_some() {
            self.error(codes::BAD_ADDRESS, span, "a bit-field has no address");
            return self.error_expr(span);
        }
        if !self.is_lvalue(expr) {
            // gcc lets the address of an array inside a value be taken only by decay.
            self.error(codes::NOT_AN_LVALUE, span, "the address of a value is taken");
            return self.error_expr(span);
        }
        if let Some(var) = self.base_variable(expr)
            && (self.unit.vars[var].storage == Storage::Register
                || self.register_params.contains_key(&var))
        {
            let name = self.unit.vars[var].name.map_or("", |name| self.name(name)).to_owned();
            self.error(
                codes::BAD_ADDRESS,
                span,
                format!("the address of the `register` variable `{name}` is taken"),
            );
            return self.error_expr(span);
        }
        let ty = self.pointer_to(node.ty);
        self.push(span, ty, ExprKind::AddrOf(expr))
    }

    /// The variable that an lvalue is a part of, without following pointers.
    pub(super) fn base_variable(&self, expr: ExprId) -> Option<crate::hir::VarId> {
        let mut expr = expr;
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Var(var) => return Some(var),
                ExprKind::Member(base, ..)
                | ExprKind::ComplexPart(base, _)
                | ExprKind::VectorElement(base, _) => {
                    expr = base;
                }
                _ => return None,
            }
        }
    }

    pub(super) fn dereference(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        let pointer = self.rvalue(operand);
        let ty = self.ty(pointer);
        if self.is_error(ty) {
            return pointer;
        }
        let Some(to) = self.unit.types.pointee(ty) else {
            let shown = self.show(ty);
            self.error(codes::INVALID_OPERANDS, span, format!("`*` needs a pointer, not {shown}"));
            return self.error_expr(span);
        };
        if self.unit.types.is_void(to) && self.unevaluated == 0 {
            self.warning(codes::INVALID_OPERANDS, span, "a pointer to `void` is dereferenced");
        }
        self.push(span, to, ExprKind::Deref(pointer))
    }

    pub(super) fn invalid_operands(
        &mut self,
        op: AstOp,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if !self.is_error(ta) && !self.is_error(tb) {
            let (sa, sb) = (self.show(ta), self.show(tb));
            let diagnostic = Diagnostic::error(
                codes::INVALID_OPERANDS,
                span,
                format!("`{}` is not defined for {sa} and {sb}", op_text(op)),
            )
            .label(self.span(a), format!("this has type {sa}"))
            .label(self.span(b), format!("this has type {sb}"));
            self.report(diagnostic);
        }
        self.error_expr(span)
    }

    // Binary operators.

    pub(super) fn binary(
        &mut self,
        op: AstOp,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> ExprId {
        if op == AstOp::Comma {
            let left = self.expr(left);
            let left = if self.unit.types.is_array(self.ty(left))
                || self.unit.types.is_function(self.ty(left))
            {
                self.decay(left)
            } else {
                self.discard(left)
            };
            let right = self.rvalue(right);
            let ty = self.ty(right);
            if self.is_error(ty) {
                return right;
            }
            return self.push(span, ty, ExprKind::Comma(left, right));
        }
        let a = self.rvalue(left);
        let b = self.rvalue(right);
        self.binary_values(op, a, b, span)
    }

    /// A value that nobody uses: read only if it is volatile, as a load has no other effect.
    pub(super) fn discard(&mut self, expr: ExprId) -> ExprId {
        self.decay(expr)
    }

    pub(super) fn binary_values(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_error(ta) || self.is_error(tb) {
            return self.error_expr(span);
        }
        if matches!(self.kind(ta), TypeKind::Vector(..))
            || matches!(self.kind(tb), TypeKind::Vector(..))
        {
            return self.vector_binary(op, a, b, span);
        }
        match op {
            AstOp::LogAnd | AstOp::LogOr => {
                // Both, so that both are reported.
                let (fa, fb) = (self.require_scalar(a), self.require_scalar(b));
                if !fa || !fb {
                    return self.error_expr(span);
                }
                let kind = if op == AstOp::LogAnd {
                    ExprKind::LogAnd(a, b)
                } else {
                    ExprKind::LogOr(a, b)
                };
                self.push(span, self.basics.int, kind)
            }
            AstOp::Add => self.add(a, b, span),
            AstOp::Sub => self.subtract(a, b, span),
            AstOp::Lt | AstOp::Gt | AstOp::Le | AstOp::Ge | AstOp::Eq | AstOp::Ne => {
                self.compare(op, a, b, span)
            }
            AstOp::Shl | AstOp::Shr => {
                if !self.unit.types.is_integer(ta) || !self.unit.types.is_integer(tb) {
                    return self.invalid_operands(op, a, b, span);
                }
                let a = self.promote(a);
                let b = self.promote(b);
                self.check_shift(a, b);
                let ty = self.ty(a);
                let op = if op == AstOp::Shl { BinaryOp::Shl } else { BinaryOp::Shr };
                self.push(span, ty, ExprKind::Binary(op, a, b))
            }
            AstOp::Mul | AstOp::Div | AstOp::Rem | AstOp::BitAnd | AstOp::BitXor | AstOp::BitOr => {
                let types = &self.unit.types;
                let fits = match op {
                    AstOp::Mul | AstOp::Div => types.is_arithmetic(ta) && types.is_arithmetic(tb),
                    _ => types.is_integer(ta) && types.is_integer(tb),
                };
                if !fits {
                    return self.invalid_operands(op, a, b, span);
                }
                let (a, b, ty) = self.usual_conversions(a, b);
                if matches!(op, AstOp::Div | AstOp::Rem) {
                    self.check_divisor(b, span);
                }
                match hir_op(op) {
                    Some(op) => self.push(span, ty, ExprKind::Binary(op, a, b)),
                    None => self.error_expr(span),
                }
            }
            AstOp::Comma => self.push(span, tb, ExprKind::Comma(a, b)),
        }
    }

    pub(super) fn check_shift(&mut self, a: ExprId, b: ExprId) {
        let ExprKind::Int(count) = self.unit.exprs[b].kind else { return };
        let Some(width) =
            self.unit.types.int_shape(self.ty(a), &self.unit.target).map(|shape| shape.width)
        else {
            return;
        };
        if count >= u64::from(width) && self.unevaluated == 0 {
            let span = self.span(b);
            self.warning(
                codes::BAD_SHIFT,
                span,
                format!("the shift count {count} is not below the width {width}"),
            );
        }
    }

    pub(super) fn check_divisor(&mut self, b: ExprId, span: Span) {
        if let ExprKind::Int(0) = self.unit.exprs[b].kind
            && self.unevaluated == 0
        {
            self.warning(codes::DIVISION_BY_ZERO, span, "division by zero");
        }
    }

    pub(super) fn add(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let types = &self.unit.types;
        if types.is_arithmetic(ta) && types.is_arithmetic(tb) {
            let (a, b, ty) = self.usual_conversions(a, b);
            return self.push(span, ty, ExprKind::Binary(BinaryOp::Add, a, b));
        }
        match (types.pointee(ta), types.pointee(tb)) {
            (Some(to), None) if types.is_integer(tb) => {
                self.pointer_offset(PtrOffsetOp::Add, a, b, to, span)
            }
            (None, Some(to)) if types.is_integer(ta) => {
                self.pointer_offset(PtrOffsetOp::Add, b, a, to, span)
            }
            _ => self.invalid_operands(AstOp::Add, a, b, span),
        }
    }

    pub(super) fn pointer_offset(
        &mut self,
        op: PtrOffsetOp,
        pointer: ExprId,
        index: ExprId,
        to: QualType,
        span: Span,
    ) -> ExprId {
        if !self.require_element(to, span) {
            return self.error_expr(span);
        }
        let index = self.promote(index);
        let ty = self.ty(pointer);
        self.push(span, ty, ExprKind::PtrOffset(op, pointer, index))
    }

    pub(super) fn subtract(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let types = &self.unit.types;
        if types.is_arithmetic(ta) && types.is_arithmetic(tb) {
            let (a, b, ty) = self.usual_conversions(a, b);
            return self.push(span, ty, ExprKind::Binary(BinaryOp::Sub, a, b));
        }
        match (types.pointee(ta), types.pointee(tb)) {
            (Some(to), None) if types.is_integer(tb) => {
                self.pointer_offset(PtrOffsetOp::Sub, a, b, to, span)
            }
            (Some(x), Some(y)) => {
                if !self.compatible_unqualified(x, y) && !self.compatible_quals_aside(x, y) {
                    return self.invalid_operands(AstOp::Sub, a, b, span);
                }
                if !self.require_element(x, span) {
                    return self.error_expr(span);
                }
                self.push(span, self.basics.ptrdiff, ExprKind::PtrDiff(a, b))
            }
            _ => self.invalid_operands(AstOp::Sub, a, b, span),
        }
    }

    /// Returns whether two types are compatible once the qualifiers of array elements are ignored.
    pub(super) fn compatible_quals_aside(&self, x: QualType, y: QualType) -> bool {
        match (self.kind(x), self.kind(y)) {
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                (n == m
                    || !matches!(
                        (n, m),
                        (crate::types::ArrayLen::Fixed(_), crate::types::ArrayLen::Fixed(_))
                    ))
                    && self.compatible_quals_aside(*x, *y)
            }
            _ => self.compatible_unqualified(x, y),
        }
    }

    pub(super) fn compare(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let equality = matches!(op, AstOp::Eq | AstOp::Ne);
        let Some(hir) = hir_op(op) else { return self.error_expr(span) };
        let types = &self.unit.types;
        let fits = if equality {
            types.is_arithmetic(ta) && types.is_arithmetic(tb)
        } else {
            types.is_real(ta) && types.is_real(tb)
        };
        if fits {
            let (a, b, _) = self.usual_conversions(a, b);
            return self.push(span, self.basics.int, ExprKind::Binary(hir, a, b));
        }
        let is_pointer =
            |this: &Self, ty| matches!(this.kind(ty), TypeKind::Pointer(_) | TypeKind::Nullptr);
        let common = match (is_pointer(self, ta), is_pointer(self, tb)) {
            (true, true) => self.compared_pointers(op, a, b, span),
            (true, false) if self.unit.types.is_integer(tb) => {
                if !(equality || self.is_null_constant(b)) || !self.is_null_constant(b) {
                    self.pointer_integer_comparison(span);
                }
                ta
            }
            (false, true) if self.unit.types.is_integer(ta) => {
                if !self.is_null_constant(a) {
                    self.pointer_integer_comparison(span);
                }
                tb
            }
            _ => {
                let whole = self.compare_structures(op, a, b, span);
                return whole.unwrap_or_else(|| self.invalid_operands(op, a, b, span));
            }
        };
        let a = self.convert(a, common);
        let b = self.convert(b, common);
        self.push(span, self.basics.int, ExprKind::Binary(hir, a, b))
    }

    pub(super) fn pointer_integer_comparison(&mut self, span: Span) {
        self.warning(codes::INT_CONVERSION, span, "comparison between a pointer and an integer");
    }

    /// The type in which two pointers are compared.
    pub(super) fn compared_pointers(
        &mut self,
        op: AstOp,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> QualType {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let (Some(x), Some(y)) = (self.unit.types.pointee(ta), self.unit.types.pointee(tb)) else {
            // A comparison with `nullptr`.
            return if self.unit.types.pointee(ta).is_some() { ta } else { tb };
        };
        if self.canonical(ta) == self.canonical(tb) {
            return ta;
        }
        let equality = matches!(op, AstOp::Eq | AstOp::Ne);
        if equality && self.is_null_constant(a) {
            return tb;
        }
        if equality && self.is_null_constant(b) {
            return ta;
        }
        if self.compatible_unqualified(x, y) {
            let quals = x.quals().with(y.quals());
            let to = self.composite(x.unqualified(), y.unqualified()).unwrap_or(x);
            return self.pointer_to(to.with(quals));
        }
        let void = self.unit.types.is_void(x) || self.unit.types.is_void(y);
        if !void && !self.compatible_quals_aside(x, y) {
            let (sa, sb) = (self.show(ta), self.show(tb));
            self.warning(
                codes::DISTINCT_POINTERS,
                span,
                format!("comparison of the distinct pointer types {sa} and {sb}"),
            );
        }
        let quals = x.quals().with(y.quals()).without(Quals::RESTRICT);
        self.pointer_to(self.basics.void.with(quals))
    }

    /// Returns whether an expression folds to a constant (`__builtin_constant_p`).
    pub(super) fn is_constant(&self, expr: ExprId) -> bool {
        match self.try_fold(expr) {
            Some(Value::Int(_) | Value::Float(_) | Value::Complex(..) | Value::ComplexInt(..)) => {
                true
            }
            Some(Value::Address(address)) => {
                matches!(address.base, crate::consteval::Base::Absolute)
                    || (matches!(address.base, crate::consteval::Base::String(_))
                        && address.offset == 0)
            }
            None => false,
        }
    }
}
