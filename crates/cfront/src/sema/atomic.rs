//! The `__sync` and `__atomic` builtins.

use super::Sema;
use super::builtin::Call;
use super::convert::Target;
use crate::builtins::{AtomicOp, Builtin};
use crate::hir::ExprId;
use crate::types::QualType;
use vergo_num::MemoryOrder;

impl Sema<'_> {
    /// The pointer of an atomic operation and the type behind it.
    pub(super) fn atomic_pointer(
        &mut self,
        call: &Call<'_>,
        index: usize,
    ) -> Option<(ExprId, QualType)> {
        let pointer = self.rvalue(call.args[index]);
        match self.unit.types.pointee(self.ty(pointer)) {
            Some(to) if self.unit.types.is_complete(to) => {
                let value = self.value_type(to);
                Some((pointer, value))
            }
            _ => {
                self.bad_argument(call, pointer, "a pointer to an object");
                None
            }
        }
    }

    pub(super) fn sync_builtin(&mut self, name: &str, call: &Call<'_>) -> Option<ExprId> {
        // The variants with a size in bytes as suffix are the same operations.
        let name = ["_1", "_2", "_4", "_8", "_16"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(name);
        let span = call.span;
        if name == "synchronize" {
            return Some(self.nullary(call, self.basics.void, Builtin::Fence));
        }
        let (builtin, n_values) = if let Some(op) = name.strip_prefix("fetch_and_") {
            (Builtin::FetchOp(atomic_op(op)?), 1)
        } else if let Some(op) = name.strip_suffix("_and_fetch") {
            (Builtin::OpFetch(atomic_op(op)?), 1)
        } else {
            match name {
                "bool_compare_and_swap" => (Builtin::SyncBoolCas, 2),
                "val_compare_and_swap" => (Builtin::SyncValCas, 2),
                "lock_test_and_set" => (Builtin::Exchange, 1),
                "lock_release" => (Builtin::LockRelease, 0),
                _ => return None,
            }
        };
        if !self.count(call, n_values + 1, usize::MAX) {
            return Some(self.error_expr(span));
        }
        let Some((pointer, ty)) = self.atomic_pointer(call, 0) else {
            return Some(self.error_expr(span));
        };
        let mut args = vec![pointer];
        for index in 1..=n_values {
            args.push(self.atomic_value(call, index, ty));
        }
        // Further arguments name protected variables and mean nothing.
        let result = match builtin {
            Builtin::SyncBoolCas => self.basics.bool_,
            Builtin::LockRelease => self.basics.void,
            _ => ty,
        };
        Some(self.builtin_expr(call, result, builtin, args))
    }

    /// A value operand of an atomic operation on a type; integers mix with pointers without a warning.
    pub(super) fn atomic_value(&mut self, call: &Call<'_>, index: usize, ty: QualType) -> ExprId {
        let value = self.rvalue(call.args[index]);
        let from = self.ty(value);
        let mixes = (self.unit.types.is_integer(from) && self.unit.types.pointee(ty).is_some())
            || (self.unit.types.pointee(from).is_some() && self.unit.types.is_integer(ty))
            || (self.unit.types.pointee(from).is_some() && self.unit.types.pointee(ty).is_some());
        if mixes {
            self.convert(value, ty)
        } else {
            self.assign_convert(value, ty, Target::Argument(index, None))
        }
    }

    pub(super) fn atomic_builtin(&mut self, name: &str, call: &Call<'_>) -> Option<ExprId> {
        let span = call.span;
        let b = self.basics;
        let (builtin, n_args) = if let Some(op) = name.strip_prefix("fetch_") {
            (Builtin::FetchOp(atomic_op(op)?), 3)
        } else if let Some(op) = name.strip_suffix("_fetch") {
            (Builtin::OpFetch(atomic_op(op)?), 3)
        } else {
            match name {
                "load_n" => (Builtin::AtomicLoad, 2),
                "load" => (Builtin::AtomicLoadInto, 3),
                "store_n" => (Builtin::AtomicStore, 3),
                "store" => (Builtin::AtomicStoreFrom, 3),
                "exchange_n" => (Builtin::Exchange, 3),
                "exchange" => (Builtin::AtomicExchangeInto, 4),
                "compare_exchange_n" => (Builtin::AtomicCas, 6),
                "compare_exchange" => (Builtin::AtomicCasFrom, 6),
                "test_and_set" => (Builtin::AtomicTestAndSet, 2),
                "clear" => (Builtin::AtomicClear, 2),
                "thread_fence" | "signal_fence" => (Builtin::Fence, 1),
                "always_lock_free" | "is_lock_free" => {
                    if !self.count(call, 2, 2) {
                        return Some(self.error_expr(span));
                    }
                    let size = self.rvalue(call.args[0]);
                    self.rvalue(call.args[1]);
                    let free = match self.try_fold(size) {
                        Some(crate::consteval::Value::Int(size)) => {
                            matches!(size.to_u64(), Some(1 | 2 | 4)) || size.to_u64() == Some(8)
                        }
                        _ => false,
                    };
                    return Some(self.int_expr(span, b.bool_, u64::from(free)));
                }
                _ => return None,
            }
        };
        if !self.count(call, n_args, n_args) {
            return Some(self.error_expr(span));
        }
        if builtin == Builtin::Fence {
            self.rvalue(call.args[0]);
            return Some(self.builtin_expr(call, b.void, builtin, []));
        }
        let Some((pointer, ty)) = self.atomic_pointer(call, 0) else {
            return Some(self.error_expr(span));
        };
        let mut args = vec![pointer];
        let place = self.pointer_to(ty);
        let (result, n_used) = match builtin {
            Builtin::AtomicLoad => (ty, 1),
            Builtin::AtomicStore => {
                args.push(self.atomic_value(call, 1, ty));
                (b.void, 2)
            }
            Builtin::FetchOp(_) | Builtin::OpFetch(_) | Builtin::Exchange => {
                args.push(self.atomic_value(call, 1, ty));
                (ty, 2)
            }
            Builtin::AtomicLoadInto | Builtin::AtomicStoreFrom => {
                args.push(self.atomic_place(call, 1, place));
                (b.void, 2)
            }
            Builtin::AtomicExchangeInto => {
                args.push(self.atomic_place(call, 1, place));
                args.push(self.atomic_place(call, 2, place));
                (b.void, 3)
            }
            Builtin::AtomicCas => {
                args.push(self.atomic_place(call, 1, place));
                args.push(self.atomic_value(call, 2, ty));
                (b.bool_, 3)
            }
            Builtin::AtomicCasFrom => {
                args.push(self.atomic_place(call, 1, place));
                args.push(self.atomic_place(call, 2, place));
                (b.bool_, 3)
            }
            Builtin::AtomicTestAndSet => (b.bool_, 1),
            _ => (b.void, 1),
        };
        // Memory orders come last: one, or those of success and failure behind another operand.
        let n_before = if n_args == 6 { n_used + 1 } else { n_used };
        let mut range = [MemoryOrder::Sequential, MemoryOrder::Relaxed];
        for (i, &order) in call.args.iter().enumerate().skip(n_used) {
            let order = self.rvalue(order);
            if i >= n_before {
                let known = match self.try_fold(order) {
                    Some(crate::consteval::Value::Int(order)) => order.to_u64(),
                    _ => None,
                };
                range = with_order(range, known.and_then(MemoryOrder::from_number));
            }
        }
        if range[0] < MemoryOrder::Sequential {
            self.unit.orders.insert(pointer, range);
        }
        Some(self.builtin_expr(call, result, builtin, args))
    }

    /// A pointer operand to a plain object of the type.
    pub(super) fn atomic_place(
        &mut self,
        call: &Call<'_>,
        index: usize,
        place: QualType,
    ) -> ExprId {
        let pointer = self.rvalue(call.args[index]);
        if self.unit.types.pointee(self.ty(pointer)).is_none() {
            return self.bad_argument(call, pointer, "a pointer");
        }
        self.convert(pointer, place)
    }
}

/// The least and the most of an order and others; one that is no constant may be any.
fn with_order([least, most]: [MemoryOrder; 2], order: Option<MemoryOrder>) -> [MemoryOrder; 2] {
    match order {
        Some(order) => [least.min(order), most.join(order)],
        None => [MemoryOrder::Relaxed, MemoryOrder::Sequential],
    }
}

fn atomic_op(name: &str) -> Option<AtomicOp> {
    Some(match name {
        "add" => AtomicOp::Add,
        "sub" => AtomicOp::Sub,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "nand" => AtomicOp::Nand,
        _ => return None,
    })
}
