//! Expressions to operations.

use super::places::Place;
use super::{Compiler, Label, rep_of, shift_of};
use crate::code::{BitField, Loc, Op, Part, Reg, Rep, Slow};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float, RoundingMode};

impl Compiler<'_> {
    pub(super) fn rep(&mut self, e: ExprId) -> Rep {
        let ty = self.program.exprs.ty(e);
        self.rep_of_type(ty)
    }

    pub(super) fn rep_of_type(&mut self, ty: TypeId) -> Rep {
        rep_of(self.program, ty).unwrap_or_else(|| {
            self.fail("an expression of a type without values");
            Rep::Bool
        })
    }

    /// The value of an expression in registers.
    pub(super) fn value(&mut self, e: ExprId) -> Loc {
        self.value_hint(e, None)
    }

    /// The value of an expression in the registers given.
    pub(super) fn value_to(&mut self, e: ExprId, d: Loc) {
        let loc = self.value_hint(e, Some(d));
        self.assign(d, loc);
    }

    /// The value of an expression, preferably in the registers given.
    fn value_hint(&mut self, e: ExprId, hint: Option<Loc>) -> Loc {
        if let Some(&loc) = self.memo.get(&e) {
            return loc;
        }
        if self.overflow || self.trouble.is_some() {
            return Loc { reg: 0, rep: Rep::Bool };
        }
        let loc = stacker::maybe_grow(64 << 10, 1 << 20, || self.compute(e, hint));
        // What is in a variable's registers changes with the variable.
        if hint.is_none() {
            self.memo.insert(e, loc);
            self.memo_log.push(e);
        }
        loc
    }

    fn dest(&mut self, hint: Option<Loc>, rep: Rep) -> Loc {
        match hint {
            Some(loc) => loc,
            None => self.temp(rep),
        }
    }

    fn compute(&mut self, e: ExprId, hint: Option<Loc>) -> Loc {
        let program = self.program;
        let rep = self.rep(e);
        match program.exprs.kind(e) {
            ExprKind::Bool(value) => Loc { reg: self.word((*value).into()), rep },
            ExprKind::Int(bits) => self.int_constant(rep, bits),
            ExprKind::Float(value) => self.float_constant(rep, value),
            ExprKind::Zero => self.zero(rep, hint),
            ExprKind::Function(function) => {
                let (address, handle) = self.memory.function(function.as_u32());
                Loc { reg: self.word_pair(address, handle), rep }
            }
            ExprKind::Nondet(_) => {
                self.fail("a choice inside of an expression");
                Loc { reg: 0, rep }
            }
            ExprKind::Struct(members) => {
                let Type::Struct(id) = *program.type_of(e) else { return Loc { reg: 0, rep } };
                let fields = &program.types.structs[id].fields;
                let parts = members.iter().zip(fields).map(|(&m, f)| {
                    let value = self.value(m);
                    let bits = f.first_bit.map(|first| self.bit_field(f.ty, first));
                    Part { offset: f.offset, bits, value }
                });
                let parts = parts.collect();
                self.make(rep, hint, parts)
            }
            ExprKind::Union(member, value) => {
                let Type::Struct(id) = *program.type_of(e) else { return Loc { reg: 0, rep } };
                let field = &program.types.structs[id].fields[*member as usize];
                let value = self.value(*value);
                let bits = field.first_bit.map(|first| self.bit_field(field.ty, first));
                self.make(rep, hint, Box::new([Part { offset: field.offset, bits, value }]))
            }
            ExprKind::Array(elements) => {
                let stride = self.stride(e);
                let mut parts = Vec::with_capacity(elements.len());
                for (i, &element) in elements.iter().enumerate() {
                    let value = self.value(element);
                    parts.push(Part { offset: i as u64 * stride, bits: None, value });
                }
                self.make(rep, hint, parts.into())
            }
            ExprKind::ArrayOf(element) => {
                let stride = self.stride(e);
                let a = self.value(*element);
                let Type::Array(_, count) = *program.type_of(e) else { return a };
                let d = self.dest(hint, rep);
                self.slow(Slow::Fill { d: d.reg, a, stride, count });
                d
            }
            ExprKind::Symbol(_) | ExprKind::Deref(_) => {
                let (place, bits) = self.place(e);
                self.load(place, bits, rep, hint)
            }
            ExprKind::Member(base, member) => {
                if program.is_place(e) {
                    let (place, bits) = self.place(e);
                    return self.load(place, bits, rep, hint);
                }
                let a = self.value(*base).reg;
                let Type::Struct(id) = *program.type_of(*base) else { return Loc { reg: 0, rep } };
                let field = &program.types.structs[id].fields[*member as usize];
                let bits = field.first_bit.map(|first| self.bit_field(field.ty, first));
                let d = self.dest(hint, rep);
                self.slow(Slow::Select { d, a, offset: field.offset, bits });
                d
            }
            ExprKind::Index(base, index) => {
                if program.is_place(e) {
                    let (place, bits) = self.place(e);
                    return self.load(place, bits, rep, hint);
                }
                let a = self.value(*base).reg;
                let index = self.value(*index);
                let Type::Array(_, count) = *program.type_of(*base) else {
                    return Loc { reg: 0, rep };
                };
                let stride = self.stride(*base);
                let d = self.dest(hint, rep);
                self.slow(Slow::SelectIndex { d, a, index, stride, count });
                d
            }
            ExprKind::AddressOf(place) => {
                let (place, _) = self.place(*place);
                Loc { reg: self.pointer(place), rep }
            }
            ExprKind::Unary(op, a) => self.unary(*op, *a, rep, hint),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, rep, hint),
            ExprKind::Fma(a, b, c) => {
                let (a, b, c) = (self.value(*a), self.value(*b), self.value(*c));
                let d = self.dest(hint, rep);
                self.slow(Slow::Fma { d, a, b, c });
                d
            }
            ExprKind::Cast(mode, a) => self.cast(*mode, *a, rep, hint),
            ExprKind::Bits(a) => {
                let a = self.value(*a);
                let d = self.dest(hint, rep);
                self.slow(Slow::Bits { d, a });
                d
            }
            ExprKind::Ite(c, a, b) => {
                if self.eager {
                    let (c, a, b) = (self.value(*c), self.value(*a), self.value(*b));
                    let d = self.dest(hint, rep);
                    self.slow(Slow::Choose { d, c: c.reg, a, b });
                    return d;
                }
                let d = self.dest(hint, rep);
                let (other, end) = (self.new_label(), self.new_label());
                self.jump_if(*c, false, other);
                let known = self.memo_log.len();
                self.value_to(*a, d);
                self.forget(known);
                self.jump(Op::Jump { t: end });
                self.place_label(other);
                self.value_to(*b, d);
                self.forget(known);
                self.place_label(end);
                d
            }
            ExprKind::Memory(op, operands) => self.memory_question(*op, operands, rep, hint),
        }
    }

    pub(super) fn bit_field(&self, ty: TypeId, first: u32) -> BitField {
        match *self.program.types.get(ty) {
            Type::Int { width, .. } => BitField { first, width },
            _ => BitField { first, width: 1 },
        }
    }

    /// The size of an array's elements.
    fn stride(&self, array: ExprId) -> u64 {
        match *self.program.type_of(array) {
            Type::Array(element, _) => self.program.size_of(element).unwrap_or(0),
            _ => 0,
        }
    }

    fn make(&mut self, rep: Rep, hint: Option<Loc>, parts: Box<[Part]>) -> Loc {
        let Rep::Bytes(size) = rep else { return Loc { reg: 0, rep } };
        let d = self.dest(hint, rep);
        self.slow(Slow::Make { d: d.reg, size, parts });
        d
    }

    fn int_constant(&mut self, rep: Rep, bits: &BitVec) -> Loc {
        match rep {
            Rep::Int(signed, width) => {
                let wide = if signed && bits.sign_bit() {
                    bits.resize_signed(128)
                } else {
                    bits.resize_unsigned(128)
                };
                let limbs = wide.limbs();
                let (low, high) = (limbs[0], limbs[1]);
                let reg = if width <= 64 { self.word(low) } else { self.word_pair(low, high) };
                Loc { reg, rep }
            }
            Rep::Pointer => Loc { reg: self.word_pair(bits.to_u64().unwrap_or(0), 0), rep },
            _ => self.big_constant(rep, bits),
        }
    }

    fn float_constant(&mut self, rep: Rep, value: &Float) -> Loc {
        match rep {
            Rep::Single | Rep::Double => {
                let bits = value.bits().to_u64().unwrap_or(0);
                Loc { reg: self.word(bits), rep }
            }
            Rep::Soft(_) => {
                let bits = value.bits().to_u128().unwrap_or(0);
                Loc { reg: self.word_pair(bits as u64, (bits >> 64) as u64), rep }
            }
            _ => self.big_constant(rep, value.bits()),
        }
    }

    fn big_constant(&mut self, rep: Rep, bits: &BitVec) -> Loc {
        let d = self.temp(rep);
        self.slow(Slow::ConstBig { d: d.reg, bytes: bits.to_le_bytes().into() });
        d
    }

    fn zero(&mut self, rep: Rep, hint: Option<Loc>) -> Loc {
        match rep {
            Rep::Bytes(size) => {
                let d = self.dest(hint, rep);
                self.slow(Slow::Zero { d: d.reg, size });
                d
            }
            Rep::BigInt(_, width) => self.big_constant(rep, &BitVec::zero(width)),
            Rep::BigFloat(format) => self.big_constant(rep, &BitVec::zero(format.width())),
            _ if rep.words() == 1 => Loc { reg: self.word(0), rep },
            _ => Loc { reg: self.word_pair(0, 0), rep },
        }
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId, rep: Rep, hint: Option<Loc>) -> Loc {
        let a = self.value(a);
        let d = self.dest(hint, rep);
        let (to, from) = (d.reg, a.reg);
        let fast = match (op, a.rep) {
            (UnaryOp::Not, _) => Some(Op::NotB { d: to, a: from }),
            (UnaryOp::Neg, Rep::Int(true, w)) if w <= 64 => {
                Some(Op::NegS { sh: shift_of(w), d: to, a: from })
            }
            (UnaryOp::Neg, Rep::Int(false, w)) if w <= 64 => {
                Some(Op::NegU { sh: shift_of(w), d: to, a: from })
            }
            (UnaryOp::BitNot, Rep::Int(true, w)) if w <= 64 => Some(Op::NotS { d: to, a: from }),
            (UnaryOp::BitNot, Rep::Int(false, w)) if w <= 64 => {
                Some(Op::NotU { sh: shift_of(w), d: to, a: from })
            }
            (UnaryOp::Neg, Rep::Double) => Some(Op::DNeg { d: to, a: from }),
            (UnaryOp::Neg, Rep::Single) => Some(Op::FNeg { d: to, a: from }),
            _ => None,
        };
        match fast {
            Some(op) => self.emit(op),
            None => self.slow(Slow::Unary { op, d, a }),
        }
        d
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, rep: Rep, hint: Option<Loc>) -> Loc {
        use BinaryOp as B;
        if matches!(op, B::And | B::Or | B::Implies) {
            return self.connective(op, a, b, rep, hint);
        }
        let pointee = match *self.program.type_of(a) {
            Type::Ptr(to) => Some(self.program.size_of(to).unwrap_or(1)),
            _ => None,
        };
        match (op, pointee) {
            (B::PtrAdd, Some(stride)) => {
                let pointer = self.value(a).reg;
                return Loc { reg: self.scaled(pointer, b, stride), rep };
            }
            (B::PtrDiff, Some(stride)) => {
                let (p, q) = (self.value(a).reg, self.value(b).reg);
                self.hide_order(op, p, q);
                let d = self.dest(hint, rep);
                if stride == 0 {
                    let zero = self.word(0);
                    self.emit(Op::Mov { d: d.reg, a: zero });
                    return d;
                }
                self.emit(Op::PtrSub { d: d.reg, a: p, b: q });
                if stride > 1 {
                    let unit = self.word(stride);
                    self.emit(Op::DivS { sh: 0, d: d.reg, a: d.reg, b: unit });
                }
                return d;
            }
            _ => {}
        }
        let (x, mut y) = (self.value(a), self.value(b));
        if matches!(op, B::Shl | B::Shr)
            && let (Rep::Int(_, wide), Rep::Int(true, w)) = (x.rep, y.rep)
            && w < 64
            && wide <= 64
        {
            // The amount is read unsigned.
            let amount = self.temp(Rep::Int(false, w));
            self.emit(Op::NormU { sh: shift_of(w), d: amount.reg, a: y.reg });
            y = amount;
        }
        if x.rep == Rep::Pointer && y.rep == Rep::Pointer {
            self.hide_order(op, x.reg, y.reg);
        }
        let d = self.dest(hint, rep);
        match fast_binary(op, x, y, d.reg) {
            Some(op) => self.emit(op),
            None => self.slow(Slow::Binary { op, d, a: x, b: y }),
        }
        d
    }

    /// `&&`, `||`, `==>`: the right operand only if it is needed.
    fn connective(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        rep: Rep,
        hint: Option<Loc>,
    ) -> Loc {
        let mut budget = 6;
        if self.eager || self.is_cheap(b, &mut budget) {
            let (x, y) = (self.value(a).reg, self.value(b).reg);
            let d = self.dest(hint, rep);
            match op {
                BinaryOp::And => self.emit(Op::And { d: d.reg, a: x, b: y }),
                BinaryOp::Or => self.emit(Op::Or { d: d.reg, a: x, b: y }),
                _ => {
                    let not = self.temp(Rep::Bool).reg;
                    self.emit(Op::NotB { d: not, a: x });
                    self.emit(Op::Or { d: d.reg, a: not, b: y });
                }
            }
            return d;
        }
        // The destination may be a variable that the right operand reads, so the value is made elsewhere.
        let d = self.temp(rep);
        let end = self.new_label();
        let x = self.value(a).reg;
        match op {
            BinaryOp::And => {
                self.emit(Op::Mov { d: d.reg, a: x });
                self.jump(Op::JumpIfNot { a: x, t: end });
            }
            BinaryOp::Or => {
                self.emit(Op::Mov { d: d.reg, a: x });
                self.jump(Op::JumpIf { a: x, t: end });
            }
            _ => {
                self.emit(Op::NotB { d: d.reg, a: x });
                self.jump(Op::JumpIfNot { a: x, t: end });
            }
        }
        let known = self.memo_log.len();
        self.value_to(b, d);
        self.forget(known);
        self.place_label(end);
        d
    }

    /// Returns whether an expression takes a few operations and reads no memory.
    fn is_cheap(&self, e: ExprId, budget: &mut u32) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match self.program.exprs.kind(e) {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Symbol(symbol) => self.registers.contains_key(symbol),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.is_cheap(*a, budget),
            ExprKind::Binary(_, a, b) => self.is_cheap(*a, budget) && self.is_cheap(*b, budget),
            _ => false,
        }
    }

    /// Where addresses are not to be seen, comparisons of pointers are looked at.
    fn hide_order(&mut self, op: BinaryOp, a: Reg, b: Reg) {
        if self.environment.opaque {
            let only_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
            self.slow(Slow::HiddenOrder { a, b, only_equality });
        }
    }

    fn cast(&mut self, mode: RoundingMode, a: ExprId, rep: Rep, hint: Option<Loc>) -> Loc {
        let a = self.value(a);
        let hides = self.environment.opaque && rep != Rep::Bool;
        if hides && a.rep == Rep::Pointer && rep != Rep::Pointer {
            self.slow(Slow::HiddenNumber { pointer: a.reg });
        }
        let d = self.converted(mode, a, rep, hint);
        if hides && a.rep != Rep::Pointer && rep == Rep::Pointer {
            self.slow(Slow::HiddenNumber { pointer: d.reg });
        }
        d
    }

    fn converted(&mut self, mode: RoundingMode, a: Loc, rep: Rep, hint: Option<Loc>) -> Loc {
        let nearest = mode == RoundingMode::NearestEven;
        let zero = mode == RoundingMode::TowardZero;
        let one_word = |rep: Rep| matches!(rep, Rep::Int(_, w) if w <= 64);
        // What needs no operation at all.
        match (a.rep, rep) {
            (Rep::Pointer, Rep::Pointer) => return Loc { reg: a.reg, rep },
            (Rep::Bool, Rep::Int(_, w)) if (2..=64).contains(&w) => return Loc { reg: a.reg, rep },
            // A value of the smaller type has the same word in the larger one, but for a signed one in an unsigned type.
            (Rep::Int(from, v), Rep::Int(to, w))
                if w <= 64 && (v < w && (to || !from) || v == w && from == to) =>
            {
                return Loc { reg: a.reg, rep };
            }
            _ => {}
        }
        let d = self.dest(hint, rep);
        let (to, from) = (d.reg, a.reg);
        let norm = |signed: bool, w: u32| {
            if signed {
                Op::NormS { sh: shift_of(w), d: to, a: from }
            } else {
                Op::NormU { sh: shift_of(w), d: to, a: from }
            }
        };
        let fast = match (a.rep, rep) {
            (Rep::Int(..), Rep::Int(signed, w)) if one_word(a.rep) && w <= 64 => {
                Some(norm(signed, w))
            }
            (Rep::Int(_, _), Rep::Int(signed, w)) if w <= 64 => Some(norm(signed, w)),
            (Rep::Bool, Rep::Int(true, 1)) => Some(Op::NegS { sh: 0, d: to, a: from }),
            (Rep::Bool, Rep::Int(false, 1)) => Some(Op::Mov { d: to, a: from }),
            (Rep::Bool, Rep::Bool) => Some(Op::Mov { d: to, a: from }),
            (Rep::Int(..), Rep::Bool) if one_word(a.rep) => Some(Op::IsSet { d: to, a: from }),
            (Rep::Pointer, Rep::Bool) => Some(Op::IsSet { d: to, a: from }),
            (Rep::Pointer, Rep::Int(signed, w)) if w <= 64 => Some(norm(signed, w)),
            (Rep::Int(true, _), Rep::Double) if one_word(a.rep) && nearest => {
                Some(Op::SToD { d: to, a: from })
            }
            (Rep::Int(false, _), Rep::Double) if one_word(a.rep) && nearest => {
                Some(Op::UToD { d: to, a: from })
            }
            (Rep::Int(true, _), Rep::Single) if one_word(a.rep) && nearest => {
                Some(Op::SToF { d: to, a: from })
            }
            (Rep::Int(false, _), Rep::Single) if one_word(a.rep) && nearest => {
                Some(Op::UToF { d: to, a: from })
            }
            (Rep::Double, Rep::Single) if nearest => Some(Op::DToF { d: to, a: from }),
            (Rep::Single, Rep::Double) => Some(Op::FToD { d: to, a: from }),
            (Rep::Double, Rep::Int(true, w)) if w <= 64 && zero => {
                Some(Op::DToS { sh: shift_of(w), d: to, a: from })
            }
            (Rep::Double, Rep::Int(false, w)) if w <= 64 && zero => {
                Some(Op::DToU { sh: shift_of(w), d: to, a: from })
            }
            (Rep::Single, Rep::Int(true, w)) if w <= 64 && zero => {
                Some(Op::FToS { sh: shift_of(w), d: to, a: from })
            }
            (Rep::Single, Rep::Int(false, w)) if w <= 64 && zero => {
                Some(Op::FToU { sh: shift_of(w), d: to, a: from })
            }
            (Rep::Int(..), Rep::Pointer) => Some(Op::Attach { d: to, a: from }),
            _ => None,
        };
        match fast {
            Some(op) => self.emit(op),
            None => self.slow(Slow::Cast { mode, d, a }),
        }
        d
    }

    fn memory_question(
        &mut self,
        op: MemoryOp,
        operands: &[ExprId],
        rep: Rep,
        hint: Option<Loc>,
    ) -> Loc {
        if let (MemoryOp::IsInitialized, &[p, _]) = (op, operands)
            && let ExprKind::AddressOf(place) = *self.program.exprs.kind(p)
            && let ExprKind::Symbol(symbol) = self.program.exprs.kind(place)
            && let Some(&loc) = self.registers.get(symbol)
        {
            // A variable in registers has a flag if it can be without a value: parameters cannot.
            let reg = match self.flags.get(&loc.reg) {
                Some(&flag) => flag,
                None => self.word(1),
            };
            return Loc { reg, rep };
        }
        if let Some((p, n)) = self.simple_question(op, operands) {
            if op == MemoryOp::IsInitialized
                && let Ok(small) = u8::try_from(n)
                && let ExprKind::AddressOf(place) = *self.program.exprs.kind(p)
                && let (Place::Local(slot, offset), _) = self.place(place)
                && let Some(off) =
                    Self::inside(offset, n.into(), self.code.slots[slot as usize].size)
            {
                let d = self.dest(hint, rep);
                self.emit(Op::InitLocal { n: small, d: d.reg, slot, off });
                return d;
            }
            let p = self.value(p).reg;
            let d = self.dest(hint, rep);
            self.emit(Op::Ask { op, d: d.reg, p, n });
            return d;
        }
        let args: Box<[Loc]> = operands.iter().map(|&e| self.value(e)).collect();
        let function_ty = match (op, operands) {
            (MemoryOp::IsFunction, [p]) => match *self.program.type_of(*p) {
                Type::Ptr(to) => Some(to.as_u32()),
                _ => None,
            },
            _ => None,
        };
        let d = self.dest(hint, rep);
        self.slow(Slow::Memory { op, d: d.reg, args, function_ty });
        d
    }

    /// The operand of a question about one pointer, and the number of bytes in it.
    fn simple_question(&self, op: MemoryOp, operands: &[ExprId]) -> Option<(ExprId, u32)> {
        match (op, operands) {
            (
                MemoryOp::HasObject
                | MemoryOp::IsLive
                | MemoryOp::ObjectSize
                | MemoryOp::Offset
                | MemoryOp::IsHeap
                | MemoryOp::IsWritable,
                &[p],
            ) => Some((p, 0)),
            (MemoryOp::IsInitialized, &[p, n]) => match self.program.exprs.kind(n) {
                ExprKind::Int(bits) => Some((p, u32::try_from(bits.to_u64()?).ok()?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Jumps if a condition has the truth value given.
    pub(super) fn jump_if(&mut self, e: ExprId, sense: bool, target: Label) {
        if self.overflow || self.trouble.is_some() {
            return;
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || self.jump_if_inner(e, sense, target));
    }

    fn jump_if_inner(&mut self, e: ExprId, sense: bool, target: Label) {
        let program = self.program;
        if self.memo.contains_key(&e) || self.eager {
            let a = self.value(e).reg;
            return self.jump_on(a, sense, target);
        }
        match *program.exprs.kind(e) {
            ExprKind::Bool(value) => {
                if value == sense {
                    self.jump(Op::Jump { t: target });
                }
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.jump_if(a, !sense, target),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                // In terms of `or`: which value of the left operand decides, and to what.
                let (left_sense, decided) = match op {
                    BinaryOp::And => (false, false),
                    BinaryOp::Or => (true, true),
                    _ => (false, true),
                };
                if decided == sense {
                    self.jump_if(a, left_sense, target);
                    let known = self.memo_log.len();
                    self.jump_if(b, sense, target);
                    self.forget(known);
                } else {
                    let skip = self.new_label();
                    self.jump_if(a, left_sense, skip);
                    let known = self.memo_log.len();
                    self.jump_if(b, sense, target);
                    self.forget(known);
                    self.place_label(skip);
                }
            }
            ExprKind::Binary(
                op @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le),
                a,
                b,
            ) => {
                let rep = self.rep(a);
                let unsigned = match rep {
                    Rep::Int(signed, w) if w <= 64 => Some(!signed),
                    Rep::Pointer | Rep::Bool => Some(true),
                    _ => None,
                };
                let Some(unsigned) = unsigned else {
                    let a = self.value(e).reg;
                    return self.jump_on(a, sense, target);
                };
                let (x, y) = (self.value(a).reg, self.value(b).reg);
                if rep == Rep::Pointer {
                    self.hide_order(op, x, y);
                }
                let t = target;
                self.jump(match (op, sense, unsigned) {
                    (BinaryOp::Eq, true, _) | (BinaryOp::Ne, false, _) => {
                        Op::JumpEq { a: x, b: y, t }
                    }
                    (BinaryOp::Ne, true, _) | (BinaryOp::Eq, false, _) => {
                        Op::JumpNe { a: x, b: y, t }
                    }
                    (BinaryOp::Lt, true, false) => Op::JumpLtS { a: x, b: y, t },
                    (BinaryOp::Lt, true, true) => Op::JumpLtU { a: x, b: y, t },
                    (BinaryOp::Lt, false, false) => Op::JumpLeS { a: y, b: x, t },
                    (BinaryOp::Lt, false, true) => Op::JumpLeU { a: y, b: x, t },
                    (_, true, false) => Op::JumpLeS { a: x, b: y, t },
                    (_, true, true) => Op::JumpLeU { a: x, b: y, t },
                    (_, false, false) => Op::JumpLtS { a: y, b: x, t },
                    (_, false, true) => Op::JumpLtU { a: y, b: x, t },
                });
            }
            ExprKind::Binary(
                op @ (BinaryOp::AddOverflows | BinaryOp::SubOverflows | BinaryOp::MulOverflows),
                a,
                b,
            ) if !sense
                && matches!(self.rep(a), Rep::Int(true, ..=64))
                && self.rep(b) == self.rep(a) =>
            {
                let Rep::Int(_, width) = self.rep(a) else { return };
                let (sh, t) = (shift_of(width), target);
                let (a, b) = (self.value(a).reg, self.value(b).reg);
                self.jump(match op {
                    BinaryOp::AddOverflows => Op::JumpAddFits { sh, a, b, t },
                    BinaryOp::SubOverflows => Op::JumpSubFits { sh, a, b, t },
                    _ => Op::JumpMulFits { sh, a, b, t },
                });
            }
            _ => {
                let a = self.value(e).reg;
                self.jump_on(a, sense, target);
            }
        }
    }

    fn jump_on(&mut self, a: Reg, sense: bool, t: Label) {
        self.jump(if sense { Op::JumpIf { a, t } } else { Op::JumpIfNot { a, t } });
    }

    /// The place of an expression that an instruction writes.
    pub(super) fn written(&mut self, e: ExprId) -> (Place, Option<BitField>) {
        self.place(e)
    }
}

/// The operation for two values in words, if there is one.
fn fast_binary(op: BinaryOp, x: Loc, y: Loc, d: Reg) -> Option<Op> {
    use BinaryOp as B;
    let (a, b) = (x.reg, y.reg);
    Some(match x.rep {
        Rep::Int(signed, w) if w <= 64 && matches!(y.rep, Rep::Int(_, v) if v <= 64) => {
            let sh = shift_of(w);
            match (op, signed) {
                (B::Add, true) => Op::AddS { sh, d, a, b },
                (B::Add, false) => Op::AddU { sh, d, a, b },
                (B::Sub, true) => Op::SubS { sh, d, a, b },
                (B::Sub, false) => Op::SubU { sh, d, a, b },
                (B::Mul, true) => Op::MulS { sh, d, a, b },
                (B::Mul, false) => Op::MulU { sh, d, a, b },
                (B::Div, true) => Op::DivS { sh, d, a, b },
                (B::Div, false) => Op::DivU { sh, d, a, b },
                (B::Rem, true) => Op::RemS { sh, d, a, b },
                (B::Rem, false) => Op::RemU { d, a, b },
                (B::BitAnd, _) => Op::And { d, a, b },
                (B::BitOr, _) => Op::Or { d, a, b },
                (B::BitXor, _) => Op::Xor { d, a, b },
                (B::Shl, true) => Op::ShlS { sh, d, a, b },
                (B::Shl, false) => Op::ShlU { sh, d, a, b },
                (B::Shr, true) => Op::ShrS { d, a, b },
                (B::Shr, false) => Op::ShrU { d, a, b },
                (B::Eq, _) => Op::Eq { d, a, b },
                (B::Ne, _) => Op::Ne { d, a, b },
                (B::Lt, true) => Op::LtS { d, a, b },
                (B::Lt, false) => Op::LtU { d, a, b },
                (B::Le, true) => Op::LeS { d, a, b },
                (B::Le, false) => Op::LeU { d, a, b },
                (B::AddOverflows, true) => Op::AddOverS { sh, d, a, b },
                (B::AddOverflows, false) => Op::AddOverU { sh, d, a, b },
                (B::SubOverflows, true) => Op::SubOverS { sh, d, a, b },
                (B::SubOverflows, false) => Op::SubOverU { d, a, b },
                (B::MulOverflows, true) => Op::MulOverS { sh, d, a, b },
                (B::MulOverflows, false) => Op::MulOverU { sh, d, a, b },
                _ => return None,
            }
        }
        Rep::Bool | Rep::Pointer => match op {
            B::Eq => Op::Eq { d, a, b },
            B::Ne => Op::Ne { d, a, b },
            B::Lt => Op::LtU { d, a, b },
            B::Le => Op::LeU { d, a, b },
            _ => return None,
        },
        Rep::Double => match op {
            B::Add => Op::DAdd { d, a, b },
            B::Sub => Op::DSub { d, a, b },
            B::Mul => Op::DMul { d, a, b },
            B::Div => Op::DDiv { d, a, b },
            B::Eq => Op::DEq { d, a, b },
            B::Ne => Op::DNe { d, a, b },
            B::Lt => Op::DLt { d, a, b },
            B::Le => Op::DLe { d, a, b },
            _ => return None,
        },
        Rep::Single => match op {
            B::Add => Op::FAdd { d, a, b },
            B::Sub => Op::FSub { d, a, b },
            B::Mul => Op::FMul { d, a, b },
            B::Div => Op::FDiv { d, a, b },
            B::Eq => Op::FEq { d, a, b },
            B::Ne => Op::FNe { d, a, b },
            B::Lt => Op::FLt { d, a, b },
            B::Le => Op::FLe { d, a, b },
            _ => return None,
        },
        _ => return None,
    })
}
