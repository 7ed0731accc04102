//! Operators on GNU vectors: lane by lane, scalars in every lane.

use super::Sema;
use super::operators::hir_op;
use crate::ast::BinaryOp as AstOp;
use crate::hir::{CastKind, ExprId, ExprKind};
use crate::types::{QualType, TypeKind};
use vergo_source::Span;

impl Sema<'_> {
    /// The vector of signed integers that a comparison of vectors yields.
    pub(super) fn comparison_vector(&mut self, ty: QualType) -> QualType {
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
    pub(super) fn vector_operands(
        &mut self,
        a: ExprId,
        b: ExprId,
    ) -> Option<(ExprId, ExprId, QualType)> {
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

    pub(super) fn vector_binary(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
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
}
