//! Operators: arithmetic, comparison, assignment, increment, condition (C17 6.5.3 to 6.5.17).

use super::convert::Target;
use super::{Sema, codes};
use crate::ast::{self, BinaryOp as AstOp, Quals, UnaryOp as AstUnary};
use crate::consteval::Value;
use crate::hir::{
    BinaryOp, CastKind, CompoundOp, ExprId, ExprKind, IncDec, PtrOffsetOp, Storage, UnaryOp,
};
use crate::types::{QualType, RecordId, TypeKind};
use vergo_source::{Diagnostic, Span};

/// The operator as C writes it.
fn op_text(op: AstOp) -> &'static str {
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

fn hir_op(op: AstOp) -> Option<BinaryOp> {
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

    fn arithmetic_unary(&mut self, op: AstUnary, value: ExprId, span: Span) -> ExprId {
        let ty = self.ty(value);
        if self.is_error(ty) {
            return value;
        }
        let fits = match (op, self.kind(ty)) {
            (AstUnary::BitNot, TypeKind::Complex(_)) => true,
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

    fn complex_part(&mut self, imaginary: bool, operand: ast::ExprId, span: Span) -> ExprId {
        let expr = self.expr(operand);
        let ty = self.ty(expr);
        match *self.kind(ty) {
            TypeKind::Error => expr,
            TypeKind::Complex(kind) => {
                let part = self.intern(TypeKind::Float(kind));
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

    fn address_of(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
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
    fn base_variable(&self, expr: ExprId) -> Option<crate::hir::VarId> {
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

    fn dereference(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
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

    fn increment(&mut self, op: IncDec, operand: ast::ExprId, span: Span) -> ExprId {
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

    // Requirements.

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
    fn require_element(&mut self, to: QualType, span: Span) -> bool {
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

    fn has_const_member(&self, record: RecordId) -> bool {
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

    fn invalid_operands(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
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

    fn binary_values(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
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

    fn check_shift(&mut self, a: ExprId, b: ExprId) {
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

    fn check_divisor(&mut self, b: ExprId, span: Span) {
        if let ExprKind::Int(0) = self.unit.exprs[b].kind
            && self.unevaluated == 0
        {
            self.warning(codes::DIVISION_BY_ZERO, span, "division by zero");
        }
    }

    fn add(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
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

    fn pointer_offset(
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

    fn subtract(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
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

    /// Whether two types are compatible once the qualifiers of array elements are ignored.
    fn compatible_quals_aside(&self, x: QualType, y: QualType) -> bool {
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

    fn compare(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
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
            _ => return self.invalid_operands(op, a, b, span),
        };
        let a = self.convert(a, common);
        let b = self.convert(b, common);
        self.push(span, self.basics.int, ExprKind::Binary(hir, a, b))
    }

    fn pointer_integer_comparison(&mut self, span: Span) {
        self.warning(codes::INT_CONVERSION, span, "comparison between a pointer and an integer");
    }

    /// The type in which two pointers are compared.
    fn compared_pointers(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> QualType {
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

    // Vectors.

    /// The vector of signed integers that a comparison of vectors yields.
    fn comparison_vector(&mut self, ty: QualType) -> QualType {
        let TypeKind::Vector(element, lanes) = *self.kind(ty) else { return ty };
        let size = self.size_of(element.into()).unwrap_or(4);
        let kind = match self.unit.types.int_kind(element) {
            Some(kind) => kind.with_sign(true),
            None => match size {
                1 => crate::types::IntKind::SChar,
                2 => crate::types::IntKind::Short,
                4 => crate::types::IntKind::Int,
                8 if self.unit.target.word == 8 => crate::types::IntKind::Long,
                8 => crate::types::IntKind::LongLong,
                _ => crate::types::IntKind::Int128,
            },
        };
        let element = self.unit.types.int(kind);
        self.intern(TypeKind::Vector(element, lanes))
    }

    /// Both operands as vectors of one type: a scalar fills every lane.
    fn vector_operands(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId, QualType)> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        match (self.kind(ta).clone(), self.kind(tb).clone()) {
            (TypeKind::Vector(x, n), TypeKind::Vector(y, m)) => {
                if n != m || self.size_of(x.into()) != self.size_of(y.into()) {
                    return None;
                }
                if self.unit.types.is_integer(x) != self.unit.types.is_integer(y) {
                    return None;
                }
                let b = self.convert(b, ta);
                Some((a, b, ta))
            }
            (TypeKind::Vector(x, _), _) if self.unit.types.is_real(tb) => {
                let scalar = self.convert(b, x.into());
                let span = self.span(b);
                let b = self.push(span, ta, ExprKind::Cast(CastKind::VectorSplat, scalar));
                Some((a, b, ta))
            }
            (_, TypeKind::Vector(y, _)) if self.unit.types.is_real(ta) => {
                let scalar = self.convert(a, y.into());
                let span = self.span(a);
                let a = self.push(span, tb, ExprKind::Cast(CastKind::VectorSplat, scalar));
                Some((a, b, tb))
            }
            _ => None,
        }
    }

    fn vector_binary(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let Some((a, b, ty)) = self.vector_operands(a, b) else {
            return self.invalid_operands(op, a, b, span);
        };
        let TypeKind::Vector(element, _) = *self.kind(ty) else { return self.error_expr(span) };
        let integer = self.unit.types.is_integer(element);
        let Some(hir) = hir_op(op) else { return self.invalid_operands(op, a, b, span) };
        match op {
            AstOp::Rem | AstOp::Shl | AstOp::Shr | AstOp::BitAnd | AstOp::BitOr | AstOp::BitXor
                if !integer =>
            {
                self.invalid_operands(op, a, b, span)
            }
            AstOp::Lt | AstOp::Gt | AstOp::Le | AstOp::Ge | AstOp::Eq | AstOp::Ne => {
                let result = self.comparison_vector(ty);
                self.push(span, result, ExprKind::Binary(hir, a, b))
            }
            _ => self.push(span, ty, ExprKind::Binary(hir, a, b)),
        }
    }

    // Assignment.

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

    fn compound_assign(
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

    // The conditional operator.

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
    fn common_of_branches(
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

    fn common_pointer(&mut self, a: ExprId, b: ExprId, span: Span) -> QualType {
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

    /// Whether an expression folds to a constant (`__builtin_constant_p`).
    pub(super) fn is_constant(&self, expr: ExprId) -> bool {
        match self.try_fold(expr) {
            Some(Value::Int(_) | Value::Float(_) | Value::Complex(..)) => true,
            Some(Value::Address(address)) => {
                matches!(address.base, crate::consteval::Base::Absolute)
                    || (matches!(address.base, crate::consteval::Base::String(_))
                        && address.offset == 0)
            }
            None => false,
        }
    }
}
