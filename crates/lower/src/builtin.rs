//! GNU builtins that are not ordinary functions.

use crate::function::Fx;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{Expr, ExprId as HirExpr};
use vergo_goto::expr::{ExprId, UnaryOp};
use vergo_goto::program::{Exit, InstrKind, Region};
use vergo_goto::types::{Type, TypeId};
use vergo_num::{FloatFormat, MemoryOrder};

impl Fx<'_, '_> {
    /// A call of a builtin.
    pub(crate) fn builtin(
        &mut self,
        node: Expr,
        builtin: Builtin,
        args: &[HirExpr],
    ) -> Option<ExprId> {
        let ty = self.ty(node.ty);
        let value = match builtin {
            Builtin::VaStart => {
                let cursor = self.cursor(*args.first()?);
                let ptr = self.cx.void_ptr();
                let start = match self.va {
                    Some(symbol) => {
                        let start = self.cx.p.symbol(symbol);
                        self.cx.p.cast(ptr, start)
                    }
                    None => self.cx.p.null(ptr),
                };
                self.assign(cursor, start);
                return None;
            }
            Builtin::VaEnd => {
                // An access through the list is then one through a null pointer.
                let cursor = self.cursor(*args.first()?);
                let null = self.cx.p.null(self.cx.p.exprs.ty(cursor));
                self.assign(cursor, null);
                return None;
            }
            Builtin::VaCopy => {
                let [to, from] = args else { return None };
                let to = self.cursor(*to);
                let to = self.freeze_place(to);
                let from = self.cursor(*from);
                self.assign(to, from);
                return None;
            }
            Builtin::Setjmp => {
                let values = self.arguments(args);
                let value = self.set_jump(*values.first()?);
                self.coerce(value, ty)
            }
            Builtin::Longjmp => {
                let values = self.arguments(args);
                let [buffer, value, ..] = values[..] else { return None };
                self.long_jump(buffer, value);
                return None;
            }
            Builtin::Unreachable => {
                self.claim_false("reach.unreachable", "`__builtin_unreachable` is reached".into());
                let no = self.cx.p.bool(false);
                self.emit(InstrKind::Assume(no));
                return None;
            }
            Builtin::Trap => {
                self.b.end(Exit::Abort);
                return None;
            }
            Builtin::FrameAddress => {
                for &arg in args {
                    self.effect(arg);
                }
                let char = self.cx.p.types.int(true, 8);
                let temp = self.temp(char);
                let place = self.cx.p.symbol(temp);
                let address = self.cx.p.address_of(place);
                self.coerce(address, ty)
            }
            Builtin::ReturnAddress => {
                for &arg in args {
                    self.effect(arg);
                }
                self.nondet(ty)
            }
            Builtin::Prefetch | Builtin::Fence => {
                for &arg in args {
                    self.effect(arg);
                }
                if builtin == Builtin::Fence {
                    self.order(MemoryOrder::Sequential);
                }
                return None;
            }
            Builtin::Alloca | Builtin::AllocaAligned => {
                let size_type = self.cx.p.size_type();
                let size = self.value(*args.first()?);
                let size = self.coerce(size, size_type);
                let align = match args.get(1).map(|&arg| self.unit.exprs[arg].kind) {
                    Some(vergo_cfront::hir::ExprKind::Int(bits)) => {
                        (bits / 8).max(1).next_power_of_two()
                    }
                    _ => self.cx.target.max_align,
                };
                let ptr = self.cx.void_ptr();
                let temp = self.temp(ptr);
                let dest = self.cx.p.symbol(temp);
                self.emit(InstrKind::Alloc {
                    dest,
                    size,
                    align,
                    region: Region::Stack,
                    zeroed: false,
                });
                self.coerce(dest, ty)
            }
            Builtin::Expect | Builtin::AssumeAligned => {
                let values = self.arguments(args);
                let (&value, others) = values.split_first()?;
                others.iter().for_each(|&other| self.discard(other));
                self.coerce(value, ty)
            }
            Builtin::AddOverflow
            | Builtin::SubOverflow
            | Builtin::MulOverflow
            | Builtin::AddOverflowP
            | Builtin::SubOverflowP
            | Builtin::MulOverflowP => self.overflow_builtin(builtin, args, ty)?,
            Builtin::Clz
            | Builtin::Ctz
            | Builtin::Popcount
            | Builtin::Parity
            | Builtin::Ffs
            | Builtin::Clrsb => {
                let mut value = self.value(*args.first()?);
                if matches!(builtin, Builtin::Clz | Builtin::Ctz) && !self.cx.units[self.u].library
                {
                    value = self.freeze(value);
                    let zero = self.cx.p.zero(self.cx.p.exprs.ty(value));
                    let holds = self.cx.p.ne(value, zero);
                    if self.constant_truth(holds) != Some(true) {
                        let description = "the zeros of zero are counted".to_owned();
                        self.claim(holds, "arith.zero-count", description);
                    }
                }
                self.bit_count(builtin, value, ty)
            }
            Builtin::Bswap => {
                let value = self.value(*args.first()?);
                let value = self.unsigned(value);
                let value = self.cx.p.unary(UnaryOp::ByteSwap, value);
                self.coerce(value, ty)
            }
            Builtin::IsNan
            | Builtin::IsInf
            | Builtin::IsInfSign
            | Builtin::IsFinite
            | Builtin::IsNormal
            | Builtin::SignBit => {
                let value = self.value(*args.first()?);
                self.classify(builtin, value, ty)
            }
            Builtin::FpClassify => {
                let values = self.frozen_arguments(args);
                let [nan, infinite, normal, subnormal, zero, x] = values[..] else { return None };
                let parts = [nan, infinite, normal, subnormal, zero].map(|v| self.coerce(v, ty));
                let is_normal = self.cx.p.unary(UnaryOp::IsNormal, x);
                let is_subnormal = self.cx.p.unary(UnaryOp::IsSubnormal, x);
                let is_infinite = self.cx.p.unary(UnaryOp::IsInf, x);
                let is_nan = self.cx.p.unary(UnaryOp::IsNan, x);
                let value = self.cx.p.ite(is_subnormal, parts[3], parts[4]);
                let value = self.cx.p.ite(is_normal, parts[2], value);
                let value = self.cx.p.ite(is_infinite, parts[1], value);
                self.cx.p.ite(is_nan, parts[0], value)
            }
            Builtin::IsGreater
            | Builtin::IsGreaterEqual
            | Builtin::IsLess
            | Builtin::IsLessEqual
            | Builtin::IsLessGreater
            | Builtin::IsUnordered => {
                let values = self.frozen_arguments(args);
                let [a, b] = values[..] else { return None };
                let (a, b) = self.common_float(a, b);
                let p = &mut self.cx.p;
                let truth = match builtin {
                    Builtin::IsGreater => p.gt(a, b),
                    Builtin::IsGreaterEqual => p.ge(a, b),
                    Builtin::IsLess => p.lt(a, b),
                    Builtin::IsLessEqual => p.le(a, b),
                    Builtin::IsLessGreater => {
                        let (less, greater) = (p.lt(a, b), p.gt(a, b));
                        p.or(less, greater)
                    }
                    _ => {
                        let (x, y) = (p.unary(UnaryOp::IsNan, a), p.unary(UnaryOp::IsNan, b));
                        p.or(x, y)
                    }
                };
                self.coerce(truth, ty)
            }
            Builtin::Shuffle => {
                let values = self.arguments(args);
                match values[..] {
                    [v, mask] => self.vector_shuffle(&[v], mask, ty),
                    [v, w, mask] => self.vector_shuffle(&[v, w], mask, ty),
                    _ => return None,
                }
            }
            Builtin::ShuffleVector => {
                let [v, w, indices @ ..] = args else { return None };
                let values = self.arguments(&[*v, *w]);
                let mut lanes = self.lanes(values[0]);
                lanes.extend(self.lanes(values[1]));
                let Type::Array(element, _) = *self.cx.p.types.get(ty) else { return None };
                let mut chosen = Vec::new();
                for &index in indices {
                    let index = self.value(index);
                    let index = match self.cx.p.exprs.kind(index) {
                        vergo_goto::expr::ExprKind::Int(bits) => bits.to_i64(),
                        _ => None,
                    };
                    let lane = index
                        .and_then(|i| usize::try_from(i).ok())
                        .and_then(|i| lanes.get(i).copied());
                    chosen.push(match lane {
                        Some(lane) => lane,
                        None => self.cx.p.zero(element),
                    });
                }
                self.cx.p.array(ty, chosen)
            }
            Builtin::Complex => {
                let values = self.arguments(args);
                let [re, im] = values[..] else { return None };
                let Type::Struct(id) = *self.cx.p.types.get(ty) else { return None };
                let part = self.cx.p.types.structs[id].fields[0].ty;
                let (re, im) = (self.coerce(re, part), self.coerce(im, part));
                self.cx.p.structure(ty, [re, im])
            }
            Builtin::FetchOp(_)
            | Builtin::OpFetch(_)
            | Builtin::SyncBoolCas
            | Builtin::SyncValCas
            | Builtin::Exchange
            | Builtin::LockRelease
            | Builtin::AtomicLoad
            | Builtin::AtomicLoadInto
            | Builtin::AtomicStore
            | Builtin::AtomicStoreFrom
            | Builtin::AtomicExchangeInto
            | Builtin::AtomicCas
            | Builtin::AtomicCasFrom
            | Builtin::AtomicTestAndSet
            | Builtin::AtomicClear => return self.atomic_builtin(builtin, args, ty),
        };
        Some(value)
    }

    /// An integer as the unsigned type of its width.
    pub(crate) fn unsigned(&mut self, value: ExprId) -> ExprId {
        match *self.cx.p.type_of(value) {
            Type::Int { width, .. } => {
                let ty = self.cx.p.types.int(false, width);
                self.cx.p.cast(ty, value)
            }
            _ => value,
        }
    }

    fn bit_count(&mut self, builtin: Builtin, value: ExprId, ty: TypeId) -> ExprId {
        let Type::Int { width, .. } = *self.cx.p.type_of(value) else { return self.cx.p.zero(ty) };
        let x = self.unsigned(value);
        let unsigned = self.cx.p.exprs.ty(x);
        let p = &mut self.cx.p;
        let count = match builtin {
            Builtin::Clz => p.unary(UnaryOp::LeadingZeros, x),
            Builtin::Ctz => p.unary(UnaryOp::TrailingZeros, x),
            Builtin::Popcount => p.unary(UnaryOp::PopCount, x),
            Builtin::Parity => {
                let ones = p.unary(UnaryOp::PopCount, x);
                let one = p.int(unsigned, 1);
                p.bit_and(ones, one)
            }
            Builtin::Ffs => {
                let zeros = p.unary(UnaryOp::TrailingZeros, x);
                let (one, zero) = (p.int(unsigned, 1), p.int(unsigned, 0));
                let place = p.add(zeros, one);
                let is_zero = p.eq(x, zero);
                p.ite(is_zero, zero, place)
            }
            _ => {
                let signed = p.types.int(true, width);
                let s = p.cast(signed, x);
                let amount = p.int(unsigned, i128::from(width - 1));
                let sign = p.shr(s, amount);
                let sign = p.cast(unsigned, sign);
                let differing = p.bit_xor(x, sign);
                let zeros = p.unary(UnaryOp::LeadingZeros, differing);
                let one = p.int(unsigned, 1);
                p.sub(zeros, one)
            }
        };
        self.coerce(count, ty)
    }

    fn classify(&mut self, builtin: Builtin, x: ExprId, ty: TypeId) -> ExprId {
        if !matches!(self.cx.p.type_of(x), Type::Float(_)) {
            return self.cx.p.zero(ty);
        }
        let p = &mut self.cx.p;
        let truth = match builtin {
            Builtin::IsNan => p.unary(UnaryOp::IsNan, x),
            Builtin::IsInf => p.unary(UnaryOp::IsInf, x),
            Builtin::IsNormal => p.unary(UnaryOp::IsNormal, x),
            Builtin::SignBit => p.unary(UnaryOp::SignBit, x),
            Builtin::IsFinite => {
                let (nan, inf) = (p.unary(UnaryOp::IsNan, x), p.unary(UnaryOp::IsInf, x));
                let either = p.or(nan, inf);
                p.not(either)
            }
            _ => {
                let inf = p.unary(UnaryOp::IsInf, x);
                let sign = p.unary(UnaryOp::SignBit, x);
                let (minus, plus, zero) = (p.int(ty, -1), p.int(ty, 1), p.int(ty, 0));
                let value = p.ite(sign, minus, plus);
                return p.ite(inf, value, zero);
            }
        };
        self.coerce(truth, ty)
    }

    /// Two numbers at the wider floating type of the two.
    fn common_float(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let format = |fx: &Self, x| match *fx.cx.p.type_of(x) {
            Type::Float(format) => Some(format),
            _ => None,
        };
        let wider = match (format(self, a), format(self, b)) {
            (Some(x), Some(y)) if x.significand_bits() >= y.significand_bits() => x,
            (_, Some(y)) => y,
            (Some(x), None) => x,
            (None, None) => FloatFormat::DOUBLE,
        };
        let ty = self.cx.p.types.float(wider);
        (self.coerce(a, ty), self.coerce(b, ty))
    }

    /// `__builtin_add_overflow` and its like: the exact result, computed in a type that holds it, against the result
    /// converted to the type that is asked for.
    fn overflow_builtin(
        &mut self,
        builtin: Builtin,
        args: &[HirExpr],
        ty: TypeId,
    ) -> Option<ExprId> {
        let values = self.arguments(args);
        let [a, b, third] = values[..] else { return None };
        let stores =
            matches!(builtin, Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow);
        let third_ty = self.cx.p.exprs.ty(third);
        let result_ty = if stores { self.cx.p.pointee(third_ty)? } else { third_ty };
        let width = |fx: &Self, ty| match *fx.cx.p.types.get(ty) {
            Type::Int { width, .. } => width,
            _ => 1,
        };
        let (wa, wb, wr) = (
            width(self, self.cx.p.exprs.ty(a)),
            width(self, self.cx.p.exprs.ty(b)),
            width(self, result_ty),
        );
        let exact = (wa + wb).max(wr) + 2;
        let (signed, unsigned) =
            (self.cx.p.types.int(true, exact), self.cx.p.types.int(false, exact));
        let mut wide = |value| {
            let value = self.cx.p.cast(signed, value);
            self.cx.p.cast(unsigned, value)
        };
        let (x, y) = (wide(a), wide(b));
        let full = match builtin {
            Builtin::AddOverflow | Builtin::AddOverflowP => self.cx.p.add(x, y),
            Builtin::SubOverflow | Builtin::SubOverflowP => self.cx.p.sub(x, y),
            _ => self.cx.p.mul(x, y),
        };
        let full = if stores { self.freeze(full) } else { full };
        let cut = self.cx.p.cast(result_ty, full);
        let back = self.cx.p.cast(signed, cut);
        let back = self.cx.p.cast(unsigned, back);
        let overflows = self.cx.p.ne(back, full);
        if stores {
            let place = self.cx.p.deref(third);
            self.note(place, self.unit.exprs[args[2]].span);
            self.assign(place, cut);
        }
        Some(self.coerce(overflows, ty))
    }
}
