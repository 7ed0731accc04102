//! Operators of expressions as terms: the meaning of each is that of `vergo_goto::fold` and `docs/ir.md`.

use crate::eval::{Evaluator, NEAREST};
use crate::state::State;
use vergo_goto::expr::{BinaryOp, UnaryOp};
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_term::TermId;

/// A call is compared with so many earlier ones of the same function; beyond, a difference shows when it is replayed.
pub(crate) const MAX_EARLIER: usize = 32;

/// Returns the model that a counterexample rests on if it cannot be replayed.
fn model_of(name: &'static str) -> String {
    format!("the model of `{name}`")
}

impl Evaluator<'_> {
    pub(crate) fn unary(&mut self, op: UnaryOp, ty: TypeId, x: TermId) -> TermId {
        let float = matches!(self.program.types.get(ty), Type::Float(_));
        let store = &mut *self.store;
        match op {
            UnaryOp::Neg if float => store.fp_neg(x),
            UnaryOp::Neg => store.bv_neg(x),
            UnaryOp::BitNot => store.bv_not(x),
            UnaryOp::Not => store.not(x),
            UnaryOp::Abs => store.fp_abs(x),
            UnaryOp::Sqrt => {
                let mode = store.rm_const(NEAREST);
                store.fp_sqrt(mode, x)
            }
            UnaryOp::RoundToIntegral(mode) => {
                let mode = store.rm_const(mode);
                store.fp_round_to_integral(mode, x)
            }
            UnaryOp::Library(function) => match store.float_value(x).map(|x| x.apply(function)) {
                Some(value) => store.fp_const(value),
                None => self.library(function.name(), &[x]),
            },
            UnaryOp::IsNan => store.fp_is_nan(x),
            UnaryOp::IsInf => store.fp_is_infinite(x),
            UnaryOp::IsNormal => store.fp_is_normal(x),
            UnaryOp::IsSubnormal => store.fp_is_subnormal(x),
            UnaryOp::SignBit => self.objects.float_sign(store, x),
            UnaryOp::LeadingZeros => self.count_zeros(x, false),
            UnaryOp::TrailingZeros => self.count_zeros(x, true),
            UnaryOp::PopCount => {
                let width = store.width(x);
                let mut sum = store.bv_u64(width, 0);
                for i in 0..width {
                    let bit = store.bv_extract(i, i, x);
                    let bit = store.bv_zero_extend(width, bit);
                    sum = store.bv_add(sum, bit);
                }
                sum
            }
            UnaryOp::ByteSwap => {
                let width = store.width(x);
                let mut swapped = store.bv_extract(7.min(width - 1), 0, x);
                for i in 1..width / 8 {
                    let byte = store.bv_extract(i * 8 + 7, i * 8, x);
                    swapped = store.bv_concat(swapped, byte);
                }
                swapped
            }
        }
    }

    /// Returns the result of a library function about which only this is known: it is the same for the same operands.
    fn library(&mut self, name: &'static str, operands: &[TermId]) -> TermId {
        let calls = self.objects.library_calls.get(name).cloned().unwrap_or_default();
        if let Some((_, value)) = calls.iter().find(|(others, _)| others == operands) {
            return *value;
        }
        let sort = self.store.sort(operands[0]);
        let value = self.objects.fresh(self.store, name, sort);
        for (others, other) in calls.iter().rev().take(MAX_EARLIER) {
            let pairs = operands.iter().zip(others);
            let same = pairs.fold(self.store.true_term(), |same, (&a, &b)| {
                let equal = self.store.eq(a, b);
                self.store.and(same, equal)
            });
            let equal = self.store.eq(value, *other);
            let constraint = self.store.implies(same, equal);
            self.objects.library_facts.push(constraint);
        }
        self.objects.library_calls.entry(name).or_default().push((operands.to_vec(), value));
        self.objects.approximate(model_of(name));
        value
    }

    /// The number of zeros from one end; the width for zero.
    fn count_zeros(&mut self, x: TermId, from_low: bool) -> TermId {
        let width = self.store.width(x);
        let mut count = self.store.bv_u64(width, u64::from(width));
        for i in 0..width {
            let position = if from_low { width - 1 - i } else { i };
            let bit = self.store.bv_bit(position, x);
            let zeros = if from_low { position } else { width - 1 - position };
            let zeros = self.store.bv_u64(width, u64::from(zeros));
            count = self.store.ite(bit, zeros, count);
        }
        count
    }

    pub(crate) fn binary(
        &mut self,
        state: &State,
        op: BinaryOp,
        tys: [TypeId; 2],
        x: TermId,
        y: TermId,
    ) -> TermId {
        match *self.program.types.get(tys[0]) {
            Type::Float(_) => self.float_binary(op, x, y),
            Type::Ptr(to) => self.pointer_binary(state, op, to, tys[1], x, y),
            Type::Int { signed, .. } => self.int_binary(op, signed, x, y),
            _ => match op {
                BinaryOp::And => self.store.and(x, y),
                BinaryOp::Or => self.store.or(x, y),
                BinaryOp::Implies => self.store.implies(x, y),
                BinaryOp::Ne => self.store.ne(x, y),
                _ => self.store.eq(x, y),
            },
        }
    }

    fn float_binary(&mut self, op: BinaryOp, x: TermId, y: TermId) -> TermId {
        let store = &mut *self.store;
        let mode = store.rm_const(NEAREST);
        match op {
            BinaryOp::Add => store.fp_add(mode, x, y),
            BinaryOp::Sub => store.fp_sub(mode, x, y),
            BinaryOp::Mul => store.fp_mul(mode, x, y),
            BinaryOp::Div => store.fp_div(mode, x, y),
            BinaryOp::Rem => store.fp_fmod(x, y),
            BinaryOp::IeeeRem => store.fp_rem(x, y),
            BinaryOp::Min => store.fp_min(x, y),
            BinaryOp::Max => store.fp_max(x, y),
            BinaryOp::Library(function) => {
                let constants = store.float_value(x).zip(store.float_value(y));
                match constants.map(|(x, y)| x.apply2(function, y)) {
                    Some(value) => store.fp_const(value),
                    None => self.library(function.name(), &[x, y]),
                }
            }
            BinaryOp::Ne => {
                let equal = store.fp_eq(x, y);
                store.not(equal)
            }
            BinaryOp::Lt => store.fp_lt(x, y),
            BinaryOp::Le => store.fp_le(x, y),
            _ => store.fp_eq(x, y),
        }
    }

    fn int_binary(&mut self, op: BinaryOp, signed: bool, x: TermId, y: TermId) -> TermId {
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShlOverflows) {
            return self.shift(op, signed, x, y);
        }
        let store = &mut *self.store;
        match op {
            BinaryOp::Add => store.bv_add(x, y),
            BinaryOp::Sub => store.bv_sub(x, y),
            BinaryOp::Mul => store.bv_mul(x, y),
            BinaryOp::Div if signed => store.bv_sdiv(x, y),
            BinaryOp::Div => store.bv_udiv(x, y),
            BinaryOp::Rem if signed => store.bv_srem(x, y),
            BinaryOp::Rem => store.bv_urem(x, y),
            BinaryOp::BitAnd => store.bv_and(x, y),
            BinaryOp::BitOr => store.bv_or(x, y),
            BinaryOp::BitXor => store.bv_xor(x, y),
            BinaryOp::Ne => store.ne(x, y),
            BinaryOp::Lt if signed => store.bv_slt(x, y),
            BinaryOp::Lt => store.bv_ult(x, y),
            BinaryOp::Le if signed => store.bv_sle(x, y),
            BinaryOp::Le => store.bv_ule(x, y),
            BinaryOp::AddOverflows if signed => store.bv_saddo(x, y),
            BinaryOp::AddOverflows => store.bv_uaddo(x, y),
            BinaryOp::SubOverflows if signed => store.bv_ssubo(x, y),
            BinaryOp::SubOverflows => store.bv_usubo(x, y),
            BinaryOp::MulOverflows if signed => store.bv_smulo(x, y),
            BinaryOp::MulOverflows => store.bv_umulo(x, y),
            _ => store.eq(x, y),
        }
    }

    fn shift(&mut self, op: BinaryOp, signed: bool, x: TermId, y: TermId) -> TermId {
        let store = &mut *self.store;
        let width = store.width(x);
        let amount_width = store.width(y);
        // The amount at the value's width; an amount that does not fit is too large anyway.
        let limit = width.max(amount_width) + 1;
        let wide = store.bv_zero_extend(limit, y);
        let bound = store.bv_u64(limit, u64::from(width));
        let too_large = store.bv_ule(bound, wide);
        let amount = store.bv_resize_unsigned(width, y);
        match op {
            BinaryOp::Shl => {
                let shifted = store.bv_shl(x, amount);
                let zero = store.bv_u64(width, 0);
                store.ite(too_large, zero, shifted)
            }
            BinaryOp::Shr => {
                let shifted =
                    if signed { store.bv_ashr(x, amount) } else { store.bv_lshr(x, amount) };
                let all = store.bv_u64(width, u64::from(width - 1));
                let rest = if signed { store.bv_ashr(x, all) } else { store.bv_u64(width, 0) };
                store.ite(too_large, rest, shifted)
            }
            _ => {
                if !signed {
                    return too_large;
                }
                // Negative, or shifted back it is not the same, or the result is negative.
                let shifted = store.bv_shl(x, amount);
                let back = store.bv_ashr(shifted, amount);
                let lost = store.ne(back, x);
                let zero = store.bv_u64(width, 0);
                let negative = store.bv_slt(x, zero);
                let negative_after = store.bv_slt(shifted, zero);
                store.or_all(&[too_large, lost, negative, negative_after])
            }
        }
    }

    fn pointer_binary(
        &mut self,
        state: &State,
        op: BinaryOp,
        to: TypeId,
        right: TypeId,
        x: TermId,
        y: TermId,
    ) -> TermId {
        let size = self.program.size_of(to).unwrap_or(1).max(1);
        match op {
            BinaryOp::PtrAdd => {
                let index = self.resized(right, y);
                let size = self.size(size);
                let by = self.store.bv_mul(index, size);
                self.moved(x, by)
            }
            BinaryOp::PtrDiff => {
                let difference = self.distance(x, y);
                let size = self.size(size);
                self.store.bv_sdiv(difference, size)
            }
            BinaryOp::Ne => {
                let equal = self.same_address(state, x, y);
                self.store.not(equal)
            }
            BinaryOp::Lt => self.precedes(x, y, false),
            BinaryOp::Le => self.precedes(x, y, true),
            _ => self.same_address(state, x, y),
        }
    }

    pub(crate) fn cast(
        &mut self,
        mode: RoundingMode,
        from: TypeId,
        to: TypeId,
        x: TermId,
    ) -> TermId {
        let program = self.program;
        match (program.types.get(from), program.types.get(to)) {
            (Type::Bool, Type::Bool) | (Type::Ptr(_), Type::Ptr(_)) => x,
            (Type::Bool, &Type::Int { width, .. }) => {
                let bit = self.store.bool_to_bv(x);
                self.store.bv_resize_unsigned(width, bit)
            }
            (Type::Bool, &Type::Float(format)) => {
                let one = self.store.fp_const(Float::one(format));
                let zero = self.store.fp_const(Float::zero(format, false));
                self.store.ite(x, one, zero)
            }
            (Type::Int { .. }, Type::Bool) => {
                let zero = self.zero(from);
                self.store.ne(x, zero)
            }
            (Type::Ptr(_), Type::Bool) => {
                let zero = self.zero_pointer();
                self.store.ne(x, zero)
            }
            (Type::Float(_), Type::Bool) => {
                let zero = self.store.fp_is_zero(x);
                self.store.not(zero)
            }
            (Type::Int { signed: true, .. }, &Type::Int { width, .. }) => {
                self.store.bv_resize_signed(width, x)
            }
            (Type::Int { .. }, &Type::Int { width, .. }) => self.store.bv_resize_unsigned(width, x),
            (&Type::Int { signed, .. }, &Type::Float(format)) => {
                let mode = self.store.rm_const(mode);
                match signed {
                    true => self.store.fp_from_sbv(format, mode, x),
                    false => self.store.fp_from_ubv(format, mode, x),
                }
            }
            (&Type::Float(format), &Type::Int { signed, width }) => {
                self.float_to_int(mode, format, signed, width, x)
            }
            (Type::Float(_), &Type::Float(format)) => {
                let mode = self.store.rm_const(mode);
                self.store.fp_convert(format, mode, x)
            }
            (Type::Ptr(_), &Type::Int { width, .. }) => {
                let address = self.objects.address(self.store, x);
                self.store.bv_resize_unsigned(width, address)
            }
            (Type::Int { .. }, Type::Ptr(_)) => {
                let address = self.resized(from, x);
                self.objects.pointer_at(self.store, address)
            }
            _ => self.fresh("cast", to),
        }
    }

    /// Where the value does not fit, the least signed value.
    fn float_to_int(
        &mut self,
        mode: RoundingMode,
        format: vergo_num::FloatFormat,
        signed: bool,
        width: u32,
        x: TermId,
    ) -> TermId {
        let (least, greatest) = if signed {
            (BitVec::min_signed(width), BitVec::max_signed(width))
        } else {
            (BitVec::zero(width), BitVec::ones(width))
        };
        let bound = |bits: &BitVec, mode| match signed {
            true => Float::from_signed(format, mode, bits),
            false => Float::from_unsigned(format, mode, bits),
        };
        let least = self.store.fp_const(bound(&least, RoundingMode::TowardPositive));
        let greatest = self.store.fp_const(bound(&greatest, RoundingMode::TowardNegative));
        let mode = self.store.rm_const(mode);
        let rounded = self.store.fp_round_to_integral(mode, x);
        let above = self.store.fp_le(least, rounded);
        let below = self.store.fp_le(rounded, greatest);
        let fits = self.store.and(above, below);
        let value = match signed {
            true => self.store.fp_to_sbv(width, mode, x),
            false => self.store.fp_to_ubv(width, mode, x),
        };
        let otherwise = self.store.bv_const(BitVec::min_signed(width));
        self.store.ite(fits, value, otherwise)
    }

    pub(crate) fn bits(&mut self, from: TypeId, to: TypeId, x: TermId) -> TermId {
        let (from, to) = (self.program.types.get(from), self.program.types.get(to));
        match (from, to) {
            (&Type::Float(format), &Type::Int { width, .. }) => {
                let bits = self.objects.float_bits(self.store, format, x);
                self.store.bv_resize_unsigned(width, bits)
            }
            (Type::Int { .. }, &Type::Float(format)) => {
                let bits = self.store.bv_resize_unsigned(format.width(), x);
                self.store.fp_from_bits(format, bits)
            }
            (Type::Ptr(_), Type::Int { .. }) => self.objects.address(self.store, x),
            (Type::Int { .. }, Type::Ptr(_)) => self.objects.pointer_at(self.store, x),
            (&Type::Float(a), &Type::Float(b)) => {
                let bits = self.objects.float_bits(self.store, a, x);
                let bits = self.store.bv_resize_unsigned(b.width(), bits);
                self.store.fp_from_bits(b, bits)
            }
            _ => x,
        }
    }
}
