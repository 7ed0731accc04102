//! `memcpy`, `memmove` and `memset` of a constant number of bytes: one assignment instead of a loop.
//!
//! Where the pointers were converted from pointers to an object of just that size, the object is assigned at its own
//! type, so that later analysis need not take it apart into bytes; else an array of bytes is assigned. Copying an
//! aggregate copies its bytes, padding and uninitialised ones included, which is what these functions do.

use crate::function::Fx;
use crate::known::Known;
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr, ExprKind};
use vergo_goto::expr::{self, ExprId, MemoryOp};
use vergo_goto::program::SymbolId;
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
            [to, from, size] => {
                if name == "memcpy" {
                    self.claim_apart(to, from, size);
                }
                self.inline_memory(known, args, to, from, size)
            }
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

    /// Claims of a copy that is inlined that its blocks do not overlap (C17 7.24.2.1p2). A copy of a block to itself is
    /// harmless and common.
    fn claim_apart(&mut self, to: ExprId, from: ExprId, size: ExprId) {
        let expr::ExprKind::Int(bits) = self.cx.p.exprs.kind(size) else { return };
        let Some(n) = bits.to_u64().filter(|n| (1..=LARGEST).contains(n)) else { return };
        if let (Some(a), Some(b)) = (self.variable_at(to), self.variable_at(from))
            && a != b
        {
            return;
        }
        let void_ptr = self.cx.void_ptr();
        let (to, from) = (self.coerce(to, void_ptr), self.coerce(from, void_ptr));
        let same = self.cx.p.memory(MemoryOp::SameObject, [to, from]);
        let [a, b] = [to, from].map(|p| self.cx.p.memory(MemoryOp::Offset, [p]));
        let equal = self.cx.p.eq(a, b);
        let word = self.cx.p.size_type();
        let (ab, ba) = (self.cx.p.sub(a, b), self.cx.p.sub(b, a));
        let (ab, ba) = (self.cx.p.cast(word, ab), self.cx.p.cast(word, ba));
        let n = self.cx.p.size(n);
        // One of the differences is enormous as an unsigned number.
        let (far, away) = (self.cx.p.le(n, ab), self.cx.p.le(n, ba));
        let apart = self.cx.p.and(far, away);
        let fine = self.cx.p.or(equal, apart);
        let fine = self.cx.p.implies(same, fine);
        let description = "the blocks that are copied overlap".to_owned();
        self.claim(fine, "call.argument", description);
    }

    /// The variable that a pointer is surely into.
    fn variable_at(&self, mut pointer: ExprId) -> Option<SymbolId> {
        loop {
            match *self.cx.p.exprs.kind(pointer) {
                expr::ExprKind::Cast(_, inner)
                | expr::ExprKind::AddressOf(inner)
                | expr::ExprKind::Member(inner, _)
                | expr::ExprKind::Index(inner, _)
                    if !matches!(self.cx.p.exprs.kind(inner), expr::ExprKind::Deref(_)) =>
                {
                    pointer = inner;
                }
                expr::ExprKind::Symbol(symbol)
                    if !matches!(self.cx.p.type_of(pointer), Type::Ptr(_)) =>
                {
                    return Some(symbol);
                }
                _ => return None,
            }
        }
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
        // The library's function knows what holds of no bytes: null is no block.
        let Some(n) = bits.to_u64().filter(|n| (1..=LARGEST).contains(n)) else { return false };
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

    /// Returns whether every byte of a scalar type belongs to its value.
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
