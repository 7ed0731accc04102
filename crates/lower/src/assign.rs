//! Assignments and increments.
//!
//! The order is gcc's (see `docs/semantics.md`): an effect in the value happens before the place is computed, but for a
//! value that is a call itself, which is called last.

use crate::function::Fx;
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{
    BinaryOp, CompoundOp, Expr, ExprId as HirExpr, ExprKind, IncDec, PtrOffsetOp,
};
use vergo_cfront::types::{QualType, TypeKind};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::program::InstrKind;
use vergo_goto::types::Type;

impl Fx<'_, '_> {
    /// `place = value`
    pub(crate) fn assignment(
        &mut self,
        node: Expr,
        place: HirExpr,
        value: HirExpr,
        want: bool,
    ) -> ExprId {
        let mut value = value;
        while let ExprKind::Comma(first, second) = self.unit.exprs[value].kind {
            self.effect(first);
            value = second;
        }
        if self.order_matters(&[place, value]) {
            if self.has_address(place) {
                let (target, right) = self.place_and_value(place, value);
                return self.store(node, target, right, want);
            }
            self.report_order(node.span);
        }
        let is_call = matches!(self.unit.exprs[value].kind, ExprKind::Call(..));
        if !is_call && self.has_effects(value) {
            let value = self.unconverted(place, value);
            let mut right = self.value(value);
            if self.has_effects(place) {
                right = self.freeze(right);
            }
            let target = self.place(place);
            return self.store_in(node, place, target, right, want);
        }
        let mut target = self.place(place);
        if is_call {
            target = self.freeze_place(target);
        }
        if let ExprKind::Call(callee, args) = self.unit.exprs[value].kind
            && matches!(self.cx.p.exprs.kind(target), expr::ExprKind::Symbol(_))
            && !self.is_atomic(place)
        {
            let call = self.unit.exprs[value];
            return match self.call(call, callee, args, Some(target), true) {
                Some(result) if result != target => self.store(node, target, result, want),
                _ => self.result_of(node, target, want),
            };
        }
        let value = self.unconverted(place, value);
        let value = self.value(value);
        self.store_in(node, place, target, value, want)
    }

    /// Stores a value in a place that may be atomic.
    fn store_in(
        &mut self,
        node: Expr,
        place: HirExpr,
        target: ExprId,
        value: ExprId,
        want: bool,
    ) -> ExprId {
        if !self.is_atomic(place) {
            return self.store(node, target, value, want);
        }
        let value = self.freeze(value);
        self.b.push(InstrKind::AtomicBegin);
        let result = self.store(node, target, value, want);
        let result = if want { self.freeze(result) } else { result };
        self.b.push(InstrKind::AtomicEnd);
        result
    }

    /// The place of a compound assignment, its right operand and the value that the place had, which is read before or
    /// after the operand is evaluated.
    fn old_and_value(
        &mut self,
        place: HirExpr,
        value: HirExpr,
        ty: vergo_goto::types::TypeId,
    ) -> (ExprId, ExprId, ExprId) {
        let value_ty = self.ty(self.unit.exprs[value].ty);
        let (old, right) = (self.temp(ty), self.temp(value_ty));
        let (old, right) = (self.cx.p.symbol(old), self.cx.p.symbol(right));
        // A variable stands where it stands; another place may be found before the value or after it.
        let mut root = place;
        while let ExprKind::Member(base, ..) = self.unit.exprs[root].kind {
            root = base;
        }
        let is_fixed = matches!(self.unit.exprs[root].kind, ExprKind::Var(_));
        let (target, address) = if is_fixed {
            (self.place(place), None)
        } else {
            let pointer = self.cx.p.types.ptr(ty);
            let address = self.temp(pointer);
            let address = self.cx.p.symbol(address);
            (self.cx.p.deref(address), Some(address))
        };
        let read = |fx: &mut Self| {
            if let Some(address) = address {
                let found = fx.address(place);
                fx.assign(address, found);
            }
            fx.assign(old, target);
        };
        let evaluate = |fx: &mut Self| {
            let value = fx.value(value);
            fx.assign(right, value);
        };
        self.either(
            |fx| {
                evaluate(fx);
                read(fx);
            },
            |fx| {
                read(fx);
                evaluate(fx);
            },
        );
        (target, right, old)
    }

    /// Returns whether a place has an address: all but bit-fields have.
    pub(crate) fn has_address(&self, place: HirExpr) -> bool {
        let ExprKind::Member(_, record, field) = self.unit.exprs[place].kind else { return true };
        let fields = self.unit.types.records[record].fields.as_deref().unwrap_or_default();
        fields.get(field as usize).is_none_or(|field| field.bits.is_none())
    }

    /// A place and a value, one evaluated before the other. Like gcc, the place comes first if the value is a call.
    fn place_and_value(&mut self, place: HirExpr, value: HirExpr) -> (ExprId, ExprId) {
        let ty = self.ty(self.unit.exprs[place].ty);
        let pointer = self.cx.p.types.ptr(ty);
        let value_ty = self.ty(self.unit.exprs[value].ty);
        let (address, right) = (self.temp(pointer), self.temp(value_ty));
        let (address, right) = (self.cx.p.symbol(address), self.cx.p.symbol(right));
        let find = |fx: &mut Self| {
            let target = fx.address(place);
            fx.assign(address, target);
        };
        let evaluate = |fx: &mut Self| {
            let value = fx.value(value);
            fx.assign(right, value);
        };
        let both = |fx: &mut Self, place_first: bool| {
            if place_first {
                find(fx);
            }
            evaluate(fx);
            if !place_first {
                find(fx);
            }
        };
        let is_call = matches!(self.unit.exprs[value].kind, ExprKind::Call(..));
        self.either(|fx| both(fx, is_call), |fx| both(fx, !is_call));
        (self.cx.p.deref(address), right)
    }

    /// Returns the value to be stored in a place: the float itself where the place is a bit-field, which has a type of its
    /// own width to which the float is converted at once.
    fn unconverted(&self, place: HirExpr, value: HirExpr) -> HirExpr {
        let ExprKind::Member(_, record, field) = self.unit.exprs[place].kind else { return value };
        let fields = self.unit.types.records[record].fields.as_deref().unwrap_or_default();
        if fields.get(field as usize).is_none_or(|field| field.bits.is_none()) {
            return value;
        }
        self.unit.converted_float(value).unwrap_or(value)
    }

    fn result_of(&mut self, node: Expr, value: ExprId, want: bool) -> ExprId {
        if !want {
            return value;
        }
        let ty = self.ty(node.ty);
        self.coerce(value, ty)
    }

    /// Stores a value and gives what was stored, at the type of the assignment.
    pub(crate) fn store(&mut self, node: Expr, place: ExprId, value: ExprId, want: bool) -> ExprId {
        let mut value = value;
        if matches!(self.cx.p.type_of(value), Type::Float(_)) && !self.cx.units[self.u].library {
            let ty = self.cx.p.exprs.ty(place);
            if matches!(self.cx.p.types.get(ty), Type::Int { .. }) {
                value = self.freeze(value);
                self.claim_converts(value, ty);
            }
        }
        if !want {
            self.assign(place, value);
            return value;
        }
        let ty = self.cx.p.exprs.ty(place);
        let value = self.coerce(value, ty);
        let result = if self.is_stable(value) {
            self.assign(place, value);
            value
        } else if matches!(self.cx.p.exprs.kind(place), expr::ExprKind::Symbol(_)) {
            self.assign(place, value);
            place
        } else {
            let saved = self.save(value);
            self.assign(place, saved);
            saved
        };
        self.result_of(node, result, want)
    }

    pub(crate) fn is_atomic(&self, place: HirExpr) -> bool {
        self.unit.exprs[place].ty.quals().has(Quals::ATOMIC)
    }

    /// `place op= value`
    pub(crate) fn compound_assignment(
        &mut self,
        node: Expr,
        op: CompoundOp,
        compute: QualType,
        place: HirExpr,
        value: HirExpr,
        want: bool,
    ) -> ExprId {
        let declared = self.unit.exprs[place].ty;
        let atomic = self.is_atomic(place);
        let ty = self.ty(declared);
        let is_open = !atomic
            && self.has_effects(value)
            && self.has_address(place)
            && self.compound_order_matters(place, value);
        let finds =
            !is_open && !atomic && self.has_effects(place) && self.order_matters(&[place, value]);
        if finds && (self.has_effects(value) || !self.has_address(place)) {
            // Reading the old value before the right operand is evaluated would be a third order.
            self.report_order(node.span);
        }
        let (target, right, old) = if is_open {
            self.old_and_value(place, value, ty)
        } else if finds && self.has_address(place) {
            let (target, right) = self.place_and_value(place, value);
            let old = self.coerce(target, ty);
            (target, right, old)
        } else {
            let mut right = self.value(value);
            if self.has_effects(place) {
                right = self.freeze(right);
            }
            let target = self.place(place);
            if atomic {
                self.b.push(InstrKind::AtomicBegin);
            }
            let old = self.coerce(target, ty);
            (target, right, old)
        };
        let new = match op {
            CompoundOp::Ptr(op) => {
                let element = self.unit.types.pointee(declared);
                let value = self.pointer_offset(op, old, right, element);
                self.note(value, node.span)
            }
            CompoundOp::Arith(op) => {
                let left = self.convert(old, declared, compute);
                let unit = self.unit.clone();
                let computed = match unit.types.kind(compute) {
                    TypeKind::Complex(_) | TypeKind::ComplexInt(_) => {
                        let ty = self.ty(compute);
                        let right = self.convert(right, unit.exprs[value].ty, compute);
                        let part = self.complex_part(left, false);
                        let part = self.cx.p.exprs.ty(part);
                        self.complex_operation(op, left, right, part, ty)
                    }
                    TypeKind::Vector(..) => {
                        let ty = self.ty(compute);
                        self.vector_binary(op, left, right, ty)
                    }
                    _ => {
                        let value = self.arith(op, left, right);
                        self.note(value, node.span)
                    }
                };
                match self.cx.p.type_of(computed) {
                    // Converted where it is stored, at the width of a bit-field.
                    Type::Float(_) if !matches!(unit.types.kind(declared), TypeKind::Bool) => {
                        computed
                    }
                    _ => self.convert(computed, compute, declared),
                }
            }
        };
        let result = self.store(node, target, new, want);
        if atomic {
            let result = if want { self.freeze(result) } else { result };
            self.b.push(InstrKind::AtomicEnd);
            return result;
        }
        result
    }

    /// `++` and `--`
    pub(crate) fn increment(
        &mut self,
        node: Expr,
        op: IncDec,
        place: HirExpr,
        want: bool,
    ) -> ExprId {
        let declared = self.unit.exprs[place].ty;
        let ty = self.ty(declared);
        let target = self.place(place);
        let atomic = self.is_atomic(place);
        if atomic {
            self.b.push(InstrKind::AtomicBegin);
        }
        let mut old = self.coerce(target, ty);
        let post = want && matches!(op, IncDec::PostInc | IncDec::PostDec);
        if post {
            old = self.save(old);
        }
        let new = self.stepped(node, op, old, declared);
        let result = if post {
            self.assign(target, new);
            self.result_of(node, old, true)
        } else {
            self.store(node, target, new, want)
        };
        if atomic {
            let result = if want { self.freeze(result) } else { result };
            self.b.push(InstrKind::AtomicEnd);
            return result;
        }
        result
    }

    /// A value plus or minus one, at the declared type.
    fn stepped(&mut self, node: Expr, op: IncDec, old: ExprId, declared: QualType) -> ExprId {
        let up = matches!(op, IncDec::PreInc | IncDec::PostInc);
        let arith = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let ty = self.ty(declared);
        let unit = self.unit.clone();
        match unit.types.kind(declared) {
            TypeKind::Pointer(element) => {
                let signed = self.cx.p.offset_type();
                let one = self.cx.p.int(signed, 1);
                let op = if up { PtrOffsetOp::Add } else { PtrOffsetOp::Sub };
                let value = self.pointer_offset(op, old, one, Some(*element));
                self.note(value, node.span)
            }
            TypeKind::Bool => {
                if up {
                    return self.cx.p.int(ty, 1);
                }
                let truth = self.truth(old);
                let not = self.cx.p.not(truth);
                self.coerce(not, ty)
            }
            TypeKind::Complex(_) | TypeKind::ComplexInt(_) => {
                let re = self.complex_part(old, false);
                let im = self.complex_part(old, true);
                let part = self.cx.p.exprs.ty(re);
                // The parts of complex integers are promoted like other integers, as gcc does it.
                let compute = match self.cx.p.types.get(part) {
                    Type::Int { .. } => self.cx.promoted(part),
                    _ => part,
                };
                let left = self.coerce(re, compute);
                let one = self.cx.p.int(compute, 1);
                let re = self.arith(arith, left, one);
                let re = self.coerce(re, part);
                self.cx.p.structure(ty, [re, im])
            }
            TypeKind::Vector(..) => {
                let Type::Array(element, _) = *self.cx.p.types.get(ty) else { return old };
                let one = self.cx.p.int(element, 1);
                let ones = self.cx.p.array_of(ty, one);
                self.vector_binary(arith, old, ones, ty)
            }
            _ => {
                // Narrow integers are promoted, so that the sum fits (C17 6.5.3.1p2, 6.3.1.1p2).
                let compute = match self.cx.p.types.get(ty) {
                    Type::Int { width, .. }
                        if *width < 32 && unit.types.int_kind(declared).is_none_or(is_promoted) =>
                    {
                        self.cx.int_type()
                    }
                    _ => ty,
                };
                let left = self.coerce(old, compute);
                let one = self.cx.p.int(compute, 1);
                let value = self.arith(arith, left, one);
                self.note(value, node.span);
                self.coerce(value, ty)
            }
        }
    }
}

/// Returns whether values of the kind are promoted to `int` (`_BitInt`s are not).
fn is_promoted(kind: vergo_cfront::types::IntKind) -> bool {
    use vergo_cfront::types::IntKind;
    !matches!(kind, IntKind::BitInt(_) | IntKind::UBitInt(_))
}
