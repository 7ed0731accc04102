//! `memcpy`, `memmove` and `memset` of a constant number of bytes: one assignment instead of a loop.
//!
//! Where the pointers were converted from pointers to an object of just that size, the object is assigned at its own
//! type, so that later analysis need not take it apart into bytes; else an array of bytes is assigned. Copying an
//! aggregate copies its bytes, padding and uninitialised ones included, which is what these functions do.

use crate::function::Fx;
use crate::known::Known;
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr, ExprKind};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::types::{Type, TypeId};

/// Beyond this many bytes the library's loop is called.
const LARGEST: u64 = 1 << 20;

impl Fx<'_, '_> {
    /// A call of one of the functions.
    pub(crate) fn memory_function(
        &mut self,
        node: Expr,
        known: Known,
        name: &str,
        args: &[HirExpr],
        want: bool,
    ) -> Option<ExprId> {
        let ty = self.ty(node.ty);
        let values = self.arguments(args);
        let inlined = match values[..] {
            [to, from, size] => self.inline_memory(known, args, to, from, size),
            _ => false,
        };
        if inlined {
            let result = values[0];
            return want.then(|| self.coerce(result, ty));
        }
        let Some(callee) = self.cx.model_function(name) else {
            self.cx.report_missing(name, node.span);
            self.claim_no_body(name);
            return want.then(|| self.nondet(ty));
        };
        self.call_function(callee, values, ty, want)
    }

    fn inline_memory(
        &mut self,
        known: Known,
        args: &[HirExpr],
        to: ExprId,
        from: ExprId,
        size: ExprId,
    ) -> bool {
        let expr::ExprKind::Int(bits) = self.cx.p.exprs.kind(size) else { return false };
        let Some(n) = bits.to_u64().filter(|&n| n <= LARGEST) else { return false };
        if n == 0 {
            return true;
        }
        let byte = self.cx.p.types.int(false, 8);
        let bytes = self.cx.p.types.array(byte, n);
        let target = self.object_at(args[0], to, n);
        if known == Known::Set {
            let expr::ExprKind::Int(fill) = self.cx.p.exprs.kind(from) else { return false };
            let fill = fill.truncate(8);
            if fill.is_zero() {
                let place = match target {
                    Some(place) => place,
                    None => self.deref_as(to, bytes),
                };
                self.note(place, self.unit.exprs[args[0]].span);
                let place_ty = self.cx.p.exprs.ty(place);
                let zero = self.cx.p.zero(place_ty);
                self.assign(place, zero);
            } else {
                let place = self.deref_as(to, bytes);
                self.note(place, self.unit.exprs[args[0]].span);
                let fill = self.cx.p.int_bits(byte, fill);
                let value = self.cx.p.array_of(bytes, fill);
                self.assign(place, value);
            }
            return true;
        }
        let source = self.object_at(args[1], from, n);
        let common = match (target, source) {
            (Some(a), Some(b)) if self.cx.p.exprs.ty(a) == self.cx.p.exprs.ty(b) => {
                Some(self.cx.p.exprs.ty(a))
            }
            _ => None,
        };
        // A scalar is read as a value, which forgets bytes that are not its own; only aggregates are copied as such.
        let ty: TypeId = match common {
            Some(ty) if !self.is_scalar(ty) || self.is_exact(ty) => ty,
            _ => bytes,
        };
        let (to, from) = (self.deref_as(to, ty), self.deref_as(from, ty));
        self.note(to, self.unit.exprs[args[0]].span);
        self.note(from, self.unit.exprs[args[1]].span);
        self.assign(to, from);
        true
    }

    /// Whether a value of a scalar type is all of its bytes.
    fn is_exact(&self, ty: TypeId) -> bool {
        match self.cx.p.types.get(ty) {
            Type::Int { width, .. } => self.cx.p.size_of(ty) == Some(u64::from(*width) / 8),
            Type::Ptr(_) => true,
            _ => false,
        }
    }

    /// The object of a type of just this size that a pointer was converted from.
    fn object_at(&mut self, arg: HirExpr, pointer: ExprId, size: u64) -> Option<ExprId> {
        let mut inner = arg;
        while let ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, operand) =
            self.unit.exprs[inner].kind
        {
            inner = operand;
        }
        let pointee = self.unit.types.pointee(self.unit.exprs[inner].ty)?;
        let pointee = self.ty(pointee);
        if self.cx.p.size_of(pointee) == Some(size) {
            return Some(self.deref_as(pointer, pointee));
        }
        // The first element of an array stands for the array.
        let mut place = pointer;
        while let expr::ExprKind::Cast(_, operand) = *self.cx.p.exprs.kind(place) {
            place = operand;
        }
        if let expr::ExprKind::AddressOf(element) = *self.cx.p.exprs.kind(place)
            && let expr::ExprKind::Index(array, index) = *self.cx.p.exprs.kind(element)
            && let expr::ExprKind::Int(index) = self.cx.p.exprs.kind(index)
            && index.is_zero()
        {
            let ty = self.cx.p.exprs.ty(array);
            if self.cx.p.size_of(ty) == Some(size) {
                return Some(array);
            }
        }
        None
    }
}
