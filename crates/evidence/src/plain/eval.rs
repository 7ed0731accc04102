//! Expressions by the book: section 2 of `docs/ir.md`, operator by operator.

use super::circuit::{Bit, ONE, Word, ZERO, complement, constant, extend, known};
use super::memory::{Byte, OBJECT_BITS, Place, Pointer, Value};
use super::{Path, Plain, Stop};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;

/// The greatest nesting of expressions.
const MAX_DEPTH: u32 = 200;

/// Where a part of a value lies: the offset in bytes, the first bit if it is a bit-field, and its type.
type PartAt = (u64, Option<u32>, TypeId);

impl Plain<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, path: &mut Path, expr: ExprId) -> Result<Value, Stop> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth = 0;
            return Err(Stop::unsupported("a deep expression"));
        }
        let value = self.eval_here(path, expr);
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn eval_here(&mut self, path: &mut Path, expr: ExprId) -> Result<Value, Stop> {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        match program.exprs.kind(expr) {
            ExprKind::Bool(value) => Ok(Value::Bool(Bit::Const(*value))),
            ExprKind::Int(value) => {
                let word = word_of(value);
                Ok(match program.types.get(ty) {
                    Type::Ptr(_) => {
                        let offset = extend(&word, self.width(), false);
                        Value::Pointer(Pointer { object: constant(OBJECT_BITS, 0), offset })
                    }
                    _ => Value::Word(word),
                })
            }
            ExprKind::Zero => {
                let bytes = vec![Byte::known(0); self.size(ty)?];
                self.decode(&bytes, ty)
            }
            ExprKind::Function(function) => {
                let object = self.function_object(path, *function)?;
                Ok(Value::Pointer(self.pointer_to(object)))
            }
            ExprKind::Nondet(_) => self.any_value(ty),
            ExprKind::Struct(members) => {
                let fields = self.fields(ty)?;
                let parts = members.iter().zip(fields).map(|(&member, field)| (member, field));
                self.put_together(path, ty, parts.collect())
            }
            ExprKind::Union(number, member) => {
                let field = self.fields(ty)?.into_iter().nth(*number as usize);
                let field = field.ok_or_else(|| Stop::unsupported("a union without member"))?;
                self.put_together(path, ty, vec![(*member, field)])
            }
            ExprKind::Array(elements) => {
                let &Type::Array(element, _) = program.types.get(ty) else {
                    return Err(Stop::unsupported("an array that is none"));
                };
                let size = self.size(element)? as u64;
                let parts = elements.iter().enumerate();
                let parts = parts.map(|(i, &part)| (part, (i as u64 * size, None, element)));
                self.put_together(path, ty, parts.collect())
            }
            ExprKind::ArrayOf(element) => {
                let value = self.eval(path, *element)?;
                let bytes = self.encode(path, &value, program.exprs.ty(*element))?;
                let n = self.size(ty)?.checked_div(bytes.len()).unwrap_or(0);
                Ok(Value::Bytes(vec![bytes; n].concat()))
            }
            ExprKind::Symbol(_) | ExprKind::Deref(_) => {
                let place = self.place(path, expr)?;
                self.load(path, &place)
            }
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => {
                if self.is_place(*base) {
                    let place = self.place(path, expr)?;
                    return self.load(path, &place);
                }
                self.part_of_value(path, expr)
            }
            ExprKind::AddressOf(place) => {
                let place = self.place(path, *place)?;
                Ok(Value::Pointer(place.pointer))
            }
            ExprKind::Unary(op, a) => {
                let value = self.eval(path, *a)?;
                self.unary(*op, value)
            }
            ExprKind::Binary(op, a, b) => self.binary(path, *op, *a, *b),
            ExprKind::Cast(_, from) => {
                let value = self.eval(path, *from)?;
                self.cast(path, value, program.exprs.ty(*from), ty)
            }
            ExprKind::Bits(from) => {
                let value = self.eval(path, *from)?;
                let bytes = self.encode(path, &value, program.exprs.ty(*from))?;
                self.decode(&bytes, ty)
            }
            ExprKind::Ite(c, a, b) => {
                let c = self.eval_bool(path, *c)?;
                match c {
                    Bit::Const(true) => self.eval(path, *a),
                    Bit::Const(false) => self.eval(path, *b),
                    Bit::Lit(_) => {
                        let a = self.eval_under(path, c, *a)?;
                        let b = self.eval_under(path, !c, *b)?;
                        match (a, b) {
                            (Some(a), Some(b)) => self.choose(c, &a, &b),
                            (Some(value), None) | (None, Some(value)) => Ok(value),
                            (None, None) => Err(Stop::unsupported("a choice that nobody makes")),
                        }
                    }
                }
            }
            ExprKind::Memory(op, operands) => self.question(path, *op, operands),
            ExprKind::Float(_) | ExprKind::Fma(..) => Err(Stop::unsupported("floating numbers")),
        }
    }

    pub(super) fn eval_bool(&mut self, path: &mut Path, expr: ExprId) -> Result<Bit, Stop> {
        match self.eval(path, expr)? {
            Value::Bool(bit) => Ok(bit),
            _ => Err(Stop::unsupported("a condition that is no truth value")),
        }
    }

    fn eval_word(&mut self, path: &mut Path, expr: ExprId) -> Result<Word, Stop> {
        match self.eval(path, expr)? {
            Value::Word(word) => Ok(word),
            _ => Err(Stop::unsupported("a number that is none")),
        }
    }

    pub(super) fn eval_pointer(&mut self, path: &mut Path, expr: ExprId) -> Result<Pointer, Stop> {
        match self.eval(path, expr)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Err(Stop::unsupported("a pointer that is none")),
        }
    }

    /// Evaluates an expression only where a condition holds; `None` if that is nowhere.
    fn eval_under(
        &mut self,
        path: &mut Path,
        condition: Bit,
        expr: ExprId,
    ) -> Result<Option<Value>, Stop> {
        if !self.possible(path, condition)? {
            return Ok(None);
        }
        let n_conditions = path.conditions.len();
        path.conditions.push(condition);
        let value = self.eval(path, expr)?;
        // What was said of new objects' addresses meanwhile holds anyway.
        path.conditions.remove(n_conditions);
        Ok(Some(value))
    }

    /// Any value of a type.
    pub(super) fn any_value(&mut self, ty: TypeId) -> Result<Value, Stop> {
        Ok(match self.program.types.get(ty) {
            Type::Bool => Value::Bool(self.circuits.fresh()),
            &Type::Int { width, .. } => Value::Word(self.circuits.fresh_word(width)),
            Type::Ptr(_) => {
                let offset = self.circuits.fresh_word(self.width() as u32);
                Value::Pointer(Pointer { object: constant(OBJECT_BITS, 0), offset })
            }
            Type::Array(..) | Type::Struct(_) => {
                let size = self.size(ty)?;
                Value::Bytes((0..size).map(|_| Byte::any(&mut self.circuits, ONE)).collect())
            }
            Type::Float(_) => return Err(Stop::unsupported("floating numbers")),
            Type::Void | Type::Func(..) => return Err(Stop::unsupported("a value without type")),
        })
    }

    fn fields(&self, ty: TypeId) -> Result<Vec<(u64, Option<u32>, TypeId)>, Stop> {
        let &Type::Struct(id) = self.program.types.get(ty) else {
            return Err(Stop::unsupported("a structure that is none"));
        };
        let fields = &self.program.types.structs[id].fields;
        Ok(fields.iter().map(|field| (field.offset, field.first_bit, field.ty)).collect())
    }

    /// Zero bytes into which values are written, each at its offset.
    fn put_together(
        &mut self,
        path: &mut Path,
        ty: TypeId,
        parts: Vec<(ExprId, PartAt)>,
    ) -> Result<Value, Stop> {
        let mut bytes = vec![Byte::known(0); self.size(ty)?];
        for (part, (offset, first_bit, part_ty)) in parts {
            let value = self.eval(path, part)?;
            let offset = offset as usize;
            if let (Some(first), Value::Word(word)) = (first_bit, &value) {
                for (i, &bit) in word.iter().enumerate() {
                    let at = offset * 8 + first as usize + i;
                    bytes[at / 8].bits[at % 8] = bit;
                }
                continue;
            }
            let new = self.encode(path, &value, part_ty)?;
            bytes.splice(offset..offset + new.len(), new);
        }
        Ok(Value::Bytes(bytes))
    }

    /// A member or element of an aggregate that is no place.
    fn part_of_value(&mut self, path: &mut Path, expr: ExprId) -> Result<Value, Stop> {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        match *program.exprs.kind(expr) {
            ExprKind::Member(base, number) => {
                let Value::Bytes(bytes) = self.eval(path, base)? else {
                    return Err(Stop::unsupported("a member of something else"));
                };
                let field = self.fields(program.exprs.ty(base))?.into_iter().nth(number as usize);
                match field {
                    Some((offset, None, ty)) => {
                        let (offset, size) = (offset as usize, self.size(ty)?);
                        self.decode(&bytes[offset..offset + size], ty)
                    }
                    _ => Err(Stop::unsupported("a bit-field of a value")),
                }
            }
            ExprKind::Index(base, index) => {
                let Value::Bytes(bytes) = self.eval(path, base)? else {
                    return Err(Stop::unsupported("an element of something else"));
                };
                let signed = self.is_signed(program.exprs.ty(index));
                let index = self.eval_word(path, index)?;
                let index = extend(&index, 65.max(index.len()), signed);
                let size = self.size(ty)?;
                let zeros = vec![Byte::known(0); size];
                let mut value = self.decode(&zeros, ty)?;
                for (i, element) in bytes.chunks_exact(size.max(1)).enumerate() {
                    let here = constant(index.len(), i as u64);
                    let here = self.circuits.equal(&index, &here);
                    let element = self.decode(element, ty)?;
                    value = self.choose(here, &element, &value)?;
                }
                Ok(value)
            }
            _ => Err(Stop::unsupported("a part of a value")),
        }
    }

    fn is_place(&self, mut expr: ExprId) -> bool {
        loop {
            match *self.program.exprs.kind(expr) {
                ExprKind::Symbol(_) | ExprKind::Deref(_) => return true,
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => expr = base,
                _ => return false,
            }
        }
    }

    /// Where a place is.
    pub(super) fn place(&mut self, path: &mut Path, expr: ExprId) -> Result<Place, Stop> {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        match *program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => {
                let object = self.variable(path, symbol)?;
                Ok(Place { pointer: self.pointer_to(object), first_bit: None, ty })
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.eval_pointer(path, pointer)?;
                Ok(Place { pointer, first_bit: None, ty })
            }
            ExprKind::Member(base, number) => {
                let field = self.fields(program.exprs.ty(base))?.into_iter().nth(number as usize);
                let (offset, first_bit, ty) =
                    field.ok_or_else(|| Stop::unsupported("a member that is not there"))?;
                let mut pointer = self.place(path, base)?.pointer;
                let offset = constant(self.width(), offset);
                pointer.offset = self.circuits.add(&pointer.offset, &offset);
                Ok(Place { pointer, first_bit, ty })
            }
            ExprKind::Index(base, index) => {
                let mut pointer = self.place(path, base)?.pointer;
                let signed = self.is_signed(program.exprs.ty(index));
                let index = self.eval_word(path, index)?;
                let size = self.size(ty)? as u64;
                pointer = self.moved(&pointer, &index, signed, size);
                Ok(Place { pointer, first_bit: None, ty })
            }
            _ => Err(Stop::unsupported("a place that is none")),
        }
    }

    /// A pointer moved by a number of units.
    fn moved(&mut self, pointer: &Pointer, by: &[Bit], signed: bool, unit: u64) -> Pointer {
        let width = self.width();
        let by = extend(by, width, signed);
        let by = self.circuits.multiply(&by, &constant(width, unit));
        let offset = self.circuits.add(&pointer.offset, &by);
        Pointer { object: pointer.object.clone(), offset }
    }

    /// The size in bytes of what a pointer's arithmetic counts.
    fn unit(&self, pointer: TypeId) -> Result<u64, Stop> {
        let &Type::Ptr(to) = self.program.types.get(pointer) else {
            return Err(Stop::unsupported("arithmetic on something else"));
        };
        match self.program.types.get(to) {
            Type::Void | Type::Func(..) => Ok(1),
            _ => {
                let size = self.program.types.size_of(to, &self.program.machine);
                size.ok_or_else(|| Stop::unsupported("arithmetic without size"))
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, value: Value) -> Result<Value, Stop> {
        Ok(match (op, value) {
            (UnaryOp::Not, Value::Bool(bit)) => Value::Bool(!bit),
            (UnaryOp::Neg, Value::Word(word)) => Value::Word(self.circuits.negate(&word)),
            (UnaryOp::BitNot, Value::Word(word)) => Value::Word(complement(&word)),
            (UnaryOp::ByteSwap, Value::Word(word)) => {
                Value::Word(word.chunks(8).rev().flatten().copied().collect())
            }
            (UnaryOp::PopCount, Value::Word(word)) => Value::Word(self.count(&word)),
            (UnaryOp::LeadingZeros, Value::Word(word)) => {
                let reversed: Word = word.into_iter().rev().collect();
                Value::Word(self.zeros(&reversed))
            }
            (UnaryOp::TrailingZeros, Value::Word(word)) => Value::Word(self.zeros(&word)),
            _ => return Err(Stop::unsupported("floating numbers")),
        })
    }

    /// Counts the bits that are set.
    fn count(&mut self, bits: &[Bit]) -> Word {
        let width = bits.len();
        let mut sum = constant(width, 0);
        for &bit in bits {
            sum = self.circuits.add(&sum, &extend(&[bit], width, false));
        }
        sum
    }

    /// Counts the bits before the first that is set.
    fn zeros(&mut self, bits: &[Bit]) -> Word {
        let mut still = ONE;
        let mut zeros = Vec::new();
        for &bit in bits {
            still = self.circuits.and(still, !bit);
            zeros.push(still);
        }
        self.count(&zeros)
    }

    fn binary(
        &mut self,
        path: &mut Path,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> Result<Value, Stop> {
        // The second operand is evaluated only where it matters.
        if let BinaryOp::And | BinaryOp::Or | BinaryOp::Implies = op {
            let first = self.eval_bool(path, a)?;
            let (needed, otherwise) = match op {
                BinaryOp::And => (first, ZERO),
                BinaryOp::Or => (!first, ONE),
                _ => (first, ONE),
            };
            if needed == ZERO {
                return Ok(Value::Bool(otherwise));
            }
            let second = match self.eval_under(path, needed, b)? {
                Some(Value::Bool(second)) => second,
                Some(_) => return Err(Stop::unsupported("a condition that is no truth value")),
                None => return Ok(Value::Bool(otherwise)),
            };
            return Ok(Value::Bool(self.circuits.ite(needed, second, otherwise)));
        }
        let (ty_a, ty_b) = (self.program.exprs.ty(a), self.program.exprs.ty(b));
        let (a, b) = (self.eval(path, a)?, self.eval(path, b)?);
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => {
                let differ = self.circuits.xor(a, b);
                match op {
                    BinaryOp::Eq => Ok(Value::Bool(!differ)),
                    BinaryOp::Ne => Ok(Value::Bool(differ)),
                    _ => Err(Stop::unsupported("arithmetic on truth values")),
                }
            }
            (Value::Word(a), Value::Word(b)) => self.on_words(op, ty_a, &a, &b),
            (Value::Pointer(a), Value::Pointer(b)) => self.on_pointers(path, op, ty_a, &a, &b),
            (Value::Pointer(a), Value::Word(b)) if op == BinaryOp::PtrAdd => {
                let (signed, unit) = (self.is_signed(ty_b), self.unit(ty_a)?);
                Ok(Value::Pointer(self.moved(&a, &b, signed, unit)))
            }
            _ => Err(Stop::unsupported("an operator on such values")),
        }
    }

    fn on_words(&mut self, op: BinaryOp, ty: TypeId, a: &[Bit], b: &[Bit]) -> Result<Value, Stop> {
        let signed = self.is_signed(ty);
        let width = a.len();
        let circuits = &mut self.circuits;
        // Twice the width holds every exact result.
        let wide = |word: &[Bit]| extend(word, 2 * width + 1, signed);
        let word = match op {
            BinaryOp::Add => circuits.add(a, b),
            BinaryOp::Sub => circuits.sub(a, b),
            BinaryOp::Mul => circuits.multiply(a, b),
            BinaryOp::Div => circuits.divide(a, b, signed).0,
            BinaryOp::Rem => circuits.divide(a, b, signed).1,
            BinaryOp::BitAnd => a.iter().zip(b).map(|(&a, &b)| circuits.and(a, b)).collect(),
            BinaryOp::BitOr => a.iter().zip(b).map(|(&a, &b)| circuits.or(a, b)).collect(),
            BinaryOp::BitXor => a.iter().zip(b).map(|(&a, &b)| circuits.xor(a, b)).collect(),
            BinaryOp::Shl => circuits.shift(a, b, true, ZERO),
            BinaryOp::Shr => {
                let fill = if signed { a.last().copied().unwrap_or(ZERO) } else { ZERO };
                circuits.shift(a, b, false, fill)
            }
            BinaryOp::Eq => return Ok(Value::Bool(circuits.equal(a, b))),
            BinaryOp::Ne => return Ok(Value::Bool(!circuits.equal(a, b))),
            BinaryOp::Lt => return Ok(Value::Bool(circuits.less(a, b, signed))),
            BinaryOp::Le => return Ok(Value::Bool(!circuits.less(b, a, signed))),
            BinaryOp::AddOverflows | BinaryOp::SubOverflows | BinaryOp::MulOverflows => {
                let (a, b) = (wide(a), wide(b));
                let exact = match op {
                    BinaryOp::AddOverflows => circuits.add(&a, &b),
                    BinaryOp::SubOverflows => circuits.sub(&a, &b),
                    _ => circuits.multiply(&a, &b),
                };
                let kept = extend(&exact[..width], exact.len(), signed);
                return Ok(Value::Bool(!circuits.equal(&exact, &kept)));
            }
            BinaryOp::ShlOverflows => {
                let limit = constant(b.len().max(32), width as u64);
                let amount = extend(b, limit.len(), false);
                let too_far = !circuits.less(&amount, &limit, false);
                if !signed {
                    return Ok(Value::Bool(too_far));
                }
                let negative = a.last().copied().unwrap_or(ZERO);
                let exact = circuits.shift(&wide(a), b, true, ZERO);
                let kept = extend(&exact[..width], exact.len(), true);
                let lost = !circuits.equal(&exact, &kept);
                return Ok(Value::Bool(circuits.any(&[too_far, negative, lost])));
            }
            _ => return Err(Stop::unsupported("an operator on numbers")),
        };
        Ok(Value::Word(word))
    }

    fn on_pointers(
        &mut self,
        path: &mut Path,
        op: BinaryOp,
        ty: TypeId,
        a: &Pointer,
        b: &Pointer,
    ) -> Result<Value, Stop> {
        // In one object, addresses differ as offsets do.
        let same = known(&a.object).is_some() && a.object == b.object;
        let is_order = matches!(op, BinaryOp::Lt | BinaryOp::Le);
        let (x, y) = if same && !is_order {
            (a.offset.clone(), b.offset.clone())
        } else {
            (self.address(path, a), self.address(path, b))
        };
        let circuits = &mut self.circuits;
        Ok(match op {
            BinaryOp::Eq => Value::Bool(circuits.equal(&x, &y)),
            BinaryOp::Ne => Value::Bool(!circuits.equal(&x, &y)),
            BinaryOp::Lt => Value::Bool(circuits.less(&x, &y, false)),
            BinaryOp::Le => Value::Bool(!circuits.less(&y, &x, false)),
            BinaryOp::PtrDiff => {
                let distance = circuits.sub(&x, &y);
                let unit = self.unit(ty)?;
                if unit == 0 {
                    return Ok(Value::Word(constant(distance.len(), 0)));
                }
                let unit = constant(distance.len(), unit);
                Value::Word(self.circuits.divide(&distance, &unit, true).0)
            }
            _ => return Err(Stop::unsupported("an operator on pointers")),
        })
    }

    fn cast(
        &mut self,
        path: &mut Path,
        value: Value,
        from: TypeId,
        to: TypeId,
    ) -> Result<Value, Stop> {
        let signed = self.is_signed(from);
        Ok(match (value, self.program.types.get(to)) {
            (Value::Bool(bit), Type::Bool) => Value::Bool(bit),
            (Value::Bool(bit), &Type::Int { width, .. }) => {
                Value::Word(extend(&[bit], width as usize, false))
            }
            (Value::Word(word), Type::Bool) => Value::Bool(self.circuits.any(&word)),
            (Value::Word(word), &Type::Int { width, .. }) => {
                Value::Word(extend(&word, width as usize, signed))
            }
            (Value::Word(word), Type::Ptr(_)) => {
                let offset = extend(&word, self.width(), signed);
                match known(&offset) {
                    // Nothing is at address zero; another may be that of an object.
                    Some(0) => Value::Pointer(self.null()),
                    _ => return Err(Stop::unsupported("a number that becomes a pointer")),
                }
            }
            (Value::Pointer(pointer), Type::Ptr(_)) => Value::Pointer(pointer),
            (Value::Pointer(pointer), Type::Bool) => {
                let address = self.address(path, &pointer);
                Value::Bool(self.circuits.any(&address))
            }
            (Value::Pointer(pointer), &Type::Int { width, .. }) => {
                let address = self.address(path, &pointer);
                Value::Word(extend(&address, width as usize, false))
            }
            (_, Type::Float(_)) => return Err(Stop::unsupported("floating numbers")),
            _ => return Err(Stop::unsupported("such a conversion")),
        })
    }

    fn question(
        &mut self,
        path: &mut Path,
        op: MemoryOp,
        operands: &[ExprId],
    ) -> Result<Value, Stop> {
        if let MemoryOp::HeapEmpty = op {
            let any = path.objects.iter().any(|object| object.heap && object.live);
            return Ok(Value::Bool(Bit::Const(!any)));
        }
        if let MemoryOp::HeapReachable = op {
            return match self.is_heap_reached(path) {
                true => Ok(Value::Bool(ONE)),
                // What is not seen may yet be there, at a place that depends on choices.
                false => Err(Stop::unsupported("what can be reached in the heap")),
            };
        }
        if let MemoryOp::OthersGoOn = op {
            // Where a thread is started, this look at the program ends.
            return Ok(Value::Bool(Bit::Const(false)));
        }
        let &[first, ..] = operands else {
            return Err(Stop::unsupported("such a question about memory"));
        };
        let ty = self.program.exprs.ty(first);
        let pointer = self.eval_pointer(path, first)?;
        let objects = self.objects_of(path, &pointer);
        let width = self.width();
        if let MemoryOp::Offset = op {
            return Ok(Value::Word(pointer.offset));
        }
        if let MemoryOp::SameObject = op {
            let other = self.eval_pointer(path, operands[1])?;
            let same = self.circuits.equal(&pointer.object, &other.object);
            let attached = self.circuits.any(&pointer.object);
            return Ok(Value::Bool(self.circuits.and(same, attached)));
        }
        if let MemoryOp::ObjectSize = op {
            let mut size = constant(width, 0);
            for (number, guard) in objects {
                let object = path.objects[number].clone();
                let here = match (object.live, object.function) {
                    (true, _) | (_, Some(_)) => constant(width, object.bytes.len() as u64),
                    // The storage of a dead object may be used again.
                    (false, None) => self.circuits.fresh_word(width as u32),
                };
                size = self.circuits.ite_word(guard, &here, &size);
            }
            return Ok(Value::Word(size));
        }
        if let MemoryOp::TextEnds = op {
            let mut ends = ONE;
            for (number, guard) in objects {
                let object = path.objects[number].clone();
                if object.live {
                    let here = self.text_ends(&object.bytes, &pointer.offset);
                    ends = self.circuits.ite(guard, here, ends);
                }
            }
            return Ok(Value::Bool(ends));
        }
        let length = match (op, operands) {
            (MemoryOp::IsInitialized, &[_, _, _]) => {
                return Err(Stop::unsupported("the question whether bits are initialised"));
            }
            (MemoryOp::IsInitialized, &[_, length]) => {
                let length = self.eval_word(path, length)?;
                known(&length).ok_or_else(|| Stop::unsupported("an unknown number of bytes"))?
            }
            _ => 0,
        };
        let mut answer = ZERO;
        for (number, guard) in objects {
            let object = path.objects[number].clone();
            let holds = match op {
                MemoryOp::HasObject => ONE,
                MemoryOp::IsLive => Bit::Const(object.live || object.function.is_some()),
                MemoryOp::IsHeap => Bit::Const(object.heap),
                MemoryOp::IsWritable => Bit::Const(object.writable && !object.protected),
                MemoryOp::IsFunction => {
                    let &Type::Ptr(to) = self.program.types.get(ty) else {
                        return Err(Stop::unsupported("a pointer that is none"));
                    };
                    let of = object.function.map(|function| self.program.functions[function].ty);
                    Bit::Const(of == Some(to))
                }
                MemoryOp::IsInitialized => {
                    self.is_initialized(&object.bytes, object.live, &pointer.offset, length)
                }
                _ => return Err(Stop::unsupported("such a question about memory")),
            };
            let here = self.circuits.and(guard, holds);
            answer = self.circuits.or(answer, here);
        }
        Ok(Value::Bool(answer))
    }

    /// Checks whether a byte from an offset on is zero, or there is none at the offset.
    fn text_ends(&mut self, bytes: &[Byte], offset: &[Bit]) -> Bit {
        let size = constant(offset.len(), bytes.len() as u64);
        let mut answer = !self.circuits.less(offset, &size, false);
        for (at, byte) in bytes.iter().enumerate() {
            let before = constant(offset.len(), at as u64);
            let is_before = self.circuits.less(&before, offset, false);
            let not_zero = self.circuits.any(&byte.bits);
            let here = self.circuits.and(!is_before, !not_zero);
            answer = self.circuits.or(answer, here);
        }
        answer
    }

    fn is_initialized(&mut self, bytes: &[Byte], live: bool, offset: &[Bit], length: u64) -> Bit {
        let length = length as usize;
        if !live || bytes.len() < length {
            return ZERO;
        }
        let mut answer = ZERO;
        for start in 0..=bytes.len() - length {
            let here = constant(offset.len(), start as u64);
            let mut all = self.circuits.equal(offset, &here);
            for byte in &bytes[start..start + length] {
                all = self.circuits.and(all, byte.init);
            }
            answer = self.circuits.or(answer, all);
        }
        answer
    }
}

pub(super) fn word_of(value: &BitVec) -> Word {
    (0..value.width()).map(|i| Bit::Const(value.bit(i))).collect()
}
