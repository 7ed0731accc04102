//! Atomic builtins: the plain operations between `atomic begin` and `atomic end`. Arithmetic wraps silently, as the
//! builtins' does. Memory is sequentially consistent whatever order is asked for, but an order that is less is said, for those
//! who ask what comes before what.

use crate::function::Fx;
use vergo_cfront::builtins::{AtomicOp, Builtin};
use vergo_cfront::hir::ExprId as HirExpr;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{InstrKind, Intrinsic};
use vergo_goto::types::{Type, TypeId};
use vergo_num::MemoryOrder;

impl Fx<'_, '_> {
    pub(crate) fn atomic_builtin(
        &mut self,
        builtin: Builtin,
        args: &[HirExpr],
        ty: TypeId,
    ) -> Option<ExprId> {
        let values = self.arguments(args);
        let values: Vec<ExprId> = values.into_iter().map(|value| self.freeze(value)).collect();
        let pointer = *values.first()?;
        let char = self.cx.p.types.int(false, 8);
        let element = match self.cx.p.pointee(self.cx.p.exprs.ty(pointer)) {
            Some(element)
                if !matches!(self.cx.p.types.get(element), Type::Void | Type::Func(..)) =>
            {
                element
            }
            _ => char,
        };
        let element = match builtin {
            Builtin::AtomicTestAndSet | Builtin::AtomicClear => char,
            _ => element,
        };
        let place = self.deref_as(pointer, element);
        self.note(place, self.unit.exprs[args[0]].span);
        self.b.push(InstrKind::AtomicBegin);
        if let Some(&[least, most]) = self.unit.orders.get(&args[0]) {
            self.order(least);
            self.order(most);
        }
        let result = self.atomic_operation(builtin, &values, place, element);
        self.b.push(InstrKind::AtomicEnd);
        if matches!(self.cx.p.types.get(ty), Type::Void) {
            return None;
        }
        result.map(|value| self.coerce(value, ty))
    }

    /// Says that less than sequential consistency is asked for, or that there is a fence.
    pub(crate) fn order(&mut self, order: MemoryOrder) {
        let int = self.cx.int_type();
        let order = self.cx.p.int(int, i128::from(order.number()));
        self.b.intrinsic(Intrinsic::Order, None, [order]);
    }

    fn atomic_operation(
        &mut self,
        builtin: Builtin,
        values: &[ExprId],
        place: ExprId,
        element: TypeId,
    ) -> Option<ExprId> {
        let second = values.get(1).copied();
        let third = values.get(2).copied();
        match builtin {
            Builtin::FetchOp(op) | Builtin::OpFetch(op) => {
                let old = self.save(place);
                let new = self.atomic_update(op, old, second?, element);
                let new = self.save(new);
                self.assign(place, new);
                Some(if matches!(builtin, Builtin::FetchOp(_)) { old } else { new })
            }
            Builtin::SyncBoolCas | Builtin::SyncValCas => {
                let expected = self.coerce(second?, element);
                let desired = self.coerce(third?, element);
                let old = self.save(place);
                let same = self.same_bits(old, expected);
                let int = self.cx.int_type();
                let flag = self.cx.p.cast(int, same);
                let flag = self.save(flag);
                let same = self.truth(flag);
                let skip = self.b.new_label();
                let differs = self.cx.p.not(same);
                self.emit(InstrKind::Goto(Some(differs), skip));
                self.assign(place, desired);
                self.b.label(skip);
                Some(if builtin == Builtin::SyncBoolCas { flag } else { old })
            }
            Builtin::AtomicCas | Builtin::AtomicCasFrom => {
                let expected = self.deref_as(second?, element);
                let desired = if builtin == Builtin::AtomicCas {
                    self.coerce(third?, element)
                } else {
                    self.deref_as(third?, element)
                };
                let old = self.save(place);
                let same = self.same_bits(old, expected);
                let int = self.cx.int_type();
                let flag = self.cx.p.cast(int, same);
                let flag = self.save(flag);
                let same = self.truth(flag);
                let (store, end) = (self.b.new_label(), self.b.new_label());
                self.emit(InstrKind::Goto(Some(same), store));
                self.assign(expected, old);
                self.b.goto(end);
                self.b.label(store);
                self.assign(place, desired);
                self.b.label(end);
                Some(flag)
            }
            Builtin::Exchange => {
                let old = self.save(place);
                let new = self.coerce(second?, element);
                self.assign(place, new);
                Some(old)
            }
            Builtin::AtomicExchangeInto => {
                let old = self.save(place);
                let new = self.deref_as(second?, element);
                self.assign(place, new);
                let result = self.deref_as(third?, element);
                self.assign(result, old);
                None
            }
            Builtin::LockRelease | Builtin::AtomicClear => {
                let zero = self.cx.p.zero(element);
                self.assign(place, zero);
                None
            }
            Builtin::AtomicLoad => Some(self.save(place)),
            Builtin::AtomicLoadInto => {
                let result = self.deref_as(second?, element);
                self.assign(result, place);
                None
            }
            Builtin::AtomicStore => {
                let new = self.coerce(second?, element);
                self.assign(place, new);
                None
            }
            Builtin::AtomicStoreFrom => {
                let new = self.deref_as(second?, element);
                self.assign(place, new);
                None
            }
            Builtin::AtomicTestAndSet => {
                let old = self.save(place);
                let one = self.cx.p.int(element, 1);
                self.assign(place, one);
                let truth = self.truth(old);
                let int = self.cx.int_type();
                Some(self.cx.p.cast(int, truth))
            }
            _ => None,
        }
    }

    fn atomic_update(
        &mut self,
        op: AtomicOp,
        old: ExprId,
        operand: ExprId,
        element: TypeId,
    ) -> ExprId {
        if let Type::Ptr(_) = self.cx.p.types.get(element) {
            // The operand counts bytes.
            let char_ptr = self.cx.char_ptr();
            let base = self.cx.p.cast(char_ptr, old);
            let signed = self.cx.p.offset_type();
            let size = self.cx.p.size_type();
            let delta = self.coerce(operand, size);
            let delta = if op == AtomicOp::Sub { self.cx.p.neg(delta) } else { delta };
            let delta = self.cx.p.cast(signed, delta);
            let moved = self.cx.p.ptr_add(base, delta);
            return self.cx.p.cast(element, moved);
        }
        let operand = self.coerce(operand, element);
        let (a, b) = (self.unsigned(old), self.unsigned(operand));
        let p = &mut self.cx.p;
        let value = match op {
            AtomicOp::Add => p.add(a, b),
            AtomicOp::Sub => p.sub(a, b),
            AtomicOp::And => p.bit_and(a, b),
            AtomicOp::Or => p.bit_or(a, b),
            AtomicOp::Xor => p.bit_xor(a, b),
            AtomicOp::Nand => {
                let both = p.bit_and(a, b);
                p.bit_not(both)
            }
        };
        self.coerce(value, element)
    }

    /// Builds the condition that two values of a type have the same bits.
    fn same_bits(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.cx.p.exprs.ty(a);
        match self.cx.p.types.get(ty) {
            Type::Int { .. } | Type::Ptr(_) | Type::Bool => self.cx.p.eq(a, b),
            _ => {
                let bytes = self.cx.p.size_of(ty).unwrap_or(1).max(1);
                let bits = self.cx.p.types.int(false, (bytes * 8) as u32);
                let (a, b) = (self.cx.p.bits(bits, a), self.cx.p.bits(bits, b));
                self.cx.p.eq(a, b)
            }
        }
    }
}
