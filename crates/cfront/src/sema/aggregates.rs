//! `a == b` and `a != b` of structures, as verifiers' C has them: all members are compared, padding is not.
//!
//! Operands are places that are named without effects, since each is looked at once for every member. Unions, of which nobody
//! knows the member, and long arrays are no operands.

use super::Sema;
use crate::ast::BinaryOp as AstOp;
use crate::hir::{CastKind, ExprId, ExprKind};
use crate::types::{ArrayLen, QualType, RecordKind, TypeKind};
use vergo_source::Span;

/// The most scalars that are compared.
const MOST: usize = 256;

impl Sema<'_> {
    /// The comparison of two structures; `None` if the operands are none.
    pub(super) fn compare_structures(
        &mut self,
        op: AstOp,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        if !self.lenient || !matches!(op, AstOp::Eq | AstOp::Ne) {
            return None;
        }
        let (ta, tb) = (self.ty(a), self.ty(b));
        if !matches!(self.kind(ta), TypeKind::Record(_))
            || self.canonical(ta.unqualified()) != self.canonical(tb.unqualified())
        {
            return None;
        }
        let (a, b) = (self.place_of(a)?, self.place_of(b)?);
        let mut scalars = Vec::new();
        self.scalars_of(a, b, span, &mut scalars)?;
        let mut result = self.int_expr(span, self.basics.int, u64::from(op == AstOp::Eq));
        for (a, b) in scalars {
            let (a, b) = (self.decay(a), self.decay(b));
            let one = self.binary_values(op, a, b, span);
            let kind = match op {
                AstOp::Eq => ExprKind::LogAnd(result, one),
                _ => ExprKind::LogOr(result, one),
            };
            result = self.push(span, self.basics.int, kind);
        }
        Some(result)
    }

    /// The place that a structure was read from, if it can be looked at again.
    fn place_of(&self, value: ExprId) -> Option<ExprId> {
        match self.unit.exprs[value].kind {
            ExprKind::Cast(CastKind::Load | CastKind::NoOp, inner) => self.place_of(inner),
            ref kind if kind.is_place() && self.is_plain(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether an expression has no effects and means the same when it is evaluated again.
    fn is_plain(&self, expr: ExprId) -> bool {
        match self.unit.exprs[expr].kind {
            ExprKind::Int(_) | ExprKind::Var(_) => true,
            ExprKind::Deref(inner)
            | ExprKind::Member(inner, ..)
            | ExprKind::AddrOf(inner)
            | ExprKind::Cast(_, inner) => self.is_plain(inner),
            ExprKind::Index(a, b) | ExprKind::PtrOffset(_, a, b) | ExprKind::Binary(_, a, b) => {
                self.is_plain(a) && self.is_plain(b)
            }
            _ => false,
        }
    }

    /// The scalars of two places of one type, in pairs.
    fn scalars_of(
        &mut self,
        a: ExprId,
        b: ExprId,
        span: Span,
        into: &mut Vec<(ExprId, ExprId)>,
    ) -> Option<()> {
        if into.len() >= MOST {
            return None;
        }
        match *self.kind(self.ty(a)) {
            TypeKind::Record(record) => {
                let of = &self.unit.types.records[record];
                if of.kind == RecordKind::Union {
                    return None;
                }
                let is_value: Vec<bool> = of
                    .fields
                    .as_ref()?
                    .iter()
                    .map(|field| {
                        field.bits.is_none_or(|bits| field.name.is_some() && bits.width > 0)
                    })
                    .collect();
                for (index, _) in is_value.into_iter().enumerate().filter(|(_, is_value)| *is_value)
                {
                    let index = u32::try_from(index).ok()?;
                    let a = self.field_access(a, record, index, span);
                    let b = self.field_access(b, record, index, span);
                    self.scalars_of(a, b, span, into)?;
                }
            }
            TypeKind::Array(_, ArrayLen::Fixed(n)) => {
                for index in 0..n {
                    let element = |this: &mut Self, array: ExprId| -> Option<ExprId> {
                        let pointer = this.decay(array);
                        let to: QualType = this.unit.types.pointee(this.ty(pointer))?;
                        let index = this.int_expr(span, this.basics.size, index);
                        Some(this.push(span, to, ExprKind::Index(pointer, index)))
                    };
                    let (a, b) = (element(self, a)?, element(self, b)?);
                    self.scalars_of(a, b, span, into)?;
                }
            }
            TypeKind::Array(..) | TypeKind::Vector(..) => return None,
            _ => into.push((a, b)),
        }
        Some(())
    }
}
