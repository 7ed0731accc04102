//! Values of expressions in a state.
//!
//! Each evaluation covers all values that the expression has in the memories of the state. Where it has to look into a chain
//! it stops and says so ([`Stop::Look`]): then the chain is taken apart, and the evaluation begins again.

use super::execute::Executor;
use super::graph::{Cell, Class, End, Known, ObjectId, Origin, Pointer, State, Value, class_of};
use super::linear::Linear;
use super::split::Operation;
use super::sums::compared;
use vergo_analysis::interval::{Interval, Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::types::{Type, TypeId};

/// The reason why an evaluation does not go on.
#[derive(Debug)]
pub(super) enum Stop {
    /// It depends on the node at this end of a chain, or whether there is one.
    Look(ObjectId, End),
    /// It depends on the value of this expression, of which there are few.
    Cases(ExprId),
    /// It depends on how far something is behind a scalar of so many bytes.
    Distance(Linear, u64),
    /// The operation that is not followed.
    GiveUp(String),
}

pub(super) fn give_up<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::GiveUp(what.into()))
}

/// Offsets in an object.
#[derive(Clone, Debug)]
pub(super) struct Offsets {
    pub(super) range: Interval,
    /// Which one is meant.
    pub(super) sum: Option<Linear>,
}

impl Offsets {
    fn moved(self, by: i128) -> Option<Offsets> {
        let range = self.range.add(Interval::constant(by))?;
        Some(Offsets { range, sum: self.sum.and_then(|sum| sum.more(by)) })
    }
}

/// Part of an object.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// At this offset.
    At(ObjectId, i64),
    /// Somewhere in an object: at one of these offsets, if they are known. Nothing outside of the object is meant.
    Within(ObjectId, Option<Offsets>),
    /// A bit-field among these bytes.
    Bits(ObjectId, i64, u64),
    /// At this address, where there is no object.
    Address(u64),
    /// Nobody knows where.
    Nowhere,
}

/// The value of an expression of any type.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Scalars at offsets; nothing is known of the other bytes.
    Cells(Vec<(u64, Cell)>),
    /// All bytes are zero.
    Zero,
}

/// More scalars than this in a value are not followed one by one.
const MOST_LEAVES: usize = 256;

impl Executor<'_> {
    /// The part of memory that an expression denotes.
    pub(super) fn place(&self, state: &mut State, place: ExprId) -> Result<Place, Stop> {
        let program = self.program;
        match *program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => {
                let frame = state.frames.last();
                let local = frame.and_then(|frame| frame.locals.get(&symbol));
                match local.or_else(|| state.statics.get(&symbol)) {
                    Some(&object) => Ok(Place::At(object, 0)),
                    None => give_up(format!("{} is not alive", program.symbols[symbol].display)),
                }
            }
            ExprKind::Deref(pointer) => match self.scalar(state, pointer)? {
                Value::Ptr(pointer) => {
                    if state.object(pointer.object).chain.is_some() {
                        return Err(Stop::Look(pointer.object, pointer.end));
                    }
                    self.see(state, pointer, program.exprs.ty(place));
                    Ok(Place::At(pointer.object, pointer.offset))
                }
                value @ Value::Inside(_, at) => {
                    let offsets = state.offsets(program, value);
                    Ok(offsets.map_or(Place::Nowhere, |(object, range)| {
                        let sum = Some(state.sum(at));
                        Place::Within(object, Some(Offsets { range, sum }))
                    }))
                }
                Value::Word(address) => Ok(Place::Address(address)),
                _ => Ok(Place::Nowhere),
            },
            ExprKind::Member(base, number) => {
                let Type::Struct(id) = *program.types.get(program.exprs.ty(base)) else {
                    return give_up("a member of what is no structure");
                };
                let field = &program.types.structs[id].fields[number as usize];
                let (offset, size) =
                    (field.offset, program.types.size_of(field.ty, &program.machine));
                let bits = field.first_bit;
                Ok(match (self.place(state, base)?, bits) {
                    (Place::At(object, at), None) => Place::At(object, at + offset as i64),
                    (Place::At(object, at), Some(_)) => {
                        // It may begin in the middle of a byte, and end in the next.
                        Place::Bits(object, at + offset as i64, size.unwrap_or(8) + 1)
                    }
                    (Place::Address(at), None) => {
                        at.checked_add(offset).map_or(Place::Nowhere, Place::Address)
                    }
                    (Place::Address(_), Some(_)) => Place::Nowhere,
                    (Place::Within(object, Some(at)), None) => {
                        Place::Within(object, at.moved(offset.into()))
                    }
                    (Place::Bits(object, ..) | Place::Within(object, _), _) => {
                        Place::Within(object, None)
                    }
                    (other, _) => other,
                })
            }
            ExprKind::Index(base, index) => {
                let place = self.place(state, base)?;
                let (object, at) = match place {
                    Place::At(object, at) => {
                        let range = Interval::constant(at.into());
                        (object, Offsets { range, sum: Some(Linear::constant(at.into())) })
                    }
                    Place::Within(object, Some(at)) => (object, at),
                    Place::Address(_) => return Ok(Place::Nowhere),
                    _ => return Ok(place),
                };
                self.element(state, object, at, base, index)
            }
            _ => Ok(Place::Nowhere),
        }
    }

    /// An object of the heap is looked at as a structure.
    fn see(&self, state: &mut State, pointer: Pointer, ty: TypeId) {
        let object = state.object(pointer.object);
        let is_whole =
            || self.program.types.size_of(ty, &self.program.machine) == Some(object.size);
        if object.seen_as.is_none()
            && object.length.is_none()
            && object.origin == Origin::Heap
            && pointer.offset == 0
            && matches!(self.program.types.get(ty), Type::Struct(_))
            && is_whole()
        {
            state.object_mut(pointer.object).seen_as = Some(ty);
        }
    }

    fn element(
        &self,
        state: &mut State,
        object: ObjectId,
        at: Offsets,
        base: ExprId,
        index: ExprId,
    ) -> Result<Place, Stop> {
        let program = self.program;
        let Type::Array(element, _) = *program.types.get(program.exprs.ty(base)) else {
            return give_up("an element of what is no array");
        };
        let size = program.types.size_of(element, &program.machine);
        self.pick(state, index, Some(element))?;
        let value = self.scalar(state, index)?;
        let operand = self.operand_of(state, index, value);
        let indices = operand.map(|(word, range)| range.hull(word));
        let range = indices.zip(size).and_then(|(indices, size)| scaled(indices, size, at.range));
        let sum = operand.and_then(|(word, _)| state.form(value, word)).zip(size);
        let sum = sum.zip(at.sum).and_then(|((index, size), at)| at.plus(&index, size.into()));
        let only = range.filter(|range| range.low == range.high).map(|range| range.low);
        let only = only.or_else(|| sum.as_ref().and_then(Linear::number));
        Ok(match only.and_then(|only| i64::try_from(only).ok()) {
            Some(offset) => Place::At(object, offset),
            None => Place::Within(object, range.map(|range| Offsets { range, sum })),
        })
    }

    /// The integers of a type.
    pub(super) fn word(&self, ty: TypeId) -> Option<Word> {
        match *self.program.types.get(ty) {
            Type::Bool => Some(Word::BOOL),
            Type::Int { signed, width } if width <= 64 => Some(Word { signed, width }),
            Type::Ptr(_) => Some(Word { signed: false, width: self.program.machine.pointer_width }),
            _ => None,
        }
    }

    /// Returns whether a number is a possible address.
    fn is_address(&self, at: u64) -> bool {
        let width = self.program.machine.pointer_width;
        width >= 64 || at >> width == 0
    }

    /// Returns whether constants of a type are followed.
    fn is_number(&self, ty: TypeId) -> bool {
        !matches!(class_of(self.program, ty), None | Some((Class::Other, _)))
    }

    /// Returns whether a type is one of integers that are too wide for ranges.
    fn is_wide(&self, ty: TypeId) -> bool {
        matches!(*self.program.types.get(ty), Type::Int { width, .. } if width > 64)
    }

    /// An operation on wide integers, of which constants below 2^64 are followed.
    fn wide(op: BinaryOp, x: Value, y: Value) -> Option<Value> {
        let (Value::Word(x), Value::Word(y)) = (x, y) else { return None };
        let exact = match op {
            BinaryOp::Add => u128::from(x) + u128::from(y),
            BinaryOp::Mul => u128::from(x) * u128::from(y),
            BinaryOp::Sub => u128::from(x).checked_sub(y.into())?,
            BinaryOp::Eq => (x == y).into(),
            BinaryOp::Ne => (x != y).into(),
            BinaryOp::Lt => (x < y).into(),
            BinaryOp::Le => (x <= y).into(),
            _ => return None,
        };
        u64::try_from(exact).ok().map(Value::Word)
    }

    /// Any value of a scalar type.
    pub(super) fn any(&self, state: &mut State, ty: TypeId) -> Value {
        let class = class_of(self.program, ty).map_or(Class::Other, |(class, _)| class);
        let signed = self.word(ty).is_none_or(|word| word.signed);
        state.unknown(Known { class, range: class.all(self.program), signed })
    }

    /// Reads a scalar in memory.
    pub(super) fn read(&self, state: &mut State, place: Place, ty: TypeId) -> Result<Value, Stop> {
        let Some((class, size)) = class_of(self.program, ty) else {
            return Ok(self.any(state, ty));
        };
        let known = match &place {
            Place::At(id, offset) => {
                let object = state.object(*id);
                let at = object.has(*offset, size);
                let known = at.and_then(|at| object.scalar(at, size, class));
                match known {
                    None => {
                        self.marked(state, *id, &Linear::constant((*offset).into()), size, class)?
                    }
                    known => known,
                }
            }
            Place::Within(id, Some(Offsets { sum: Some(sum), .. })) => {
                self.marked(state, *id, sum, size, class)?
            }
            _ => None,
        };
        Ok(match known {
            Some(Value::Each(range)) => {
                let signed = self.word(ty).is_none_or(|word| word.signed);
                state.unknown(Known { class, range, signed })
            }
            Some(value) => value,
            None => {
                let value = self.any(state, ty);
                self.remember(state, place, Cell { size, class, value });
                value
            }
        })
    }

    /// Remembers a byte that was read: it may be the end of a text.
    fn remember(&self, state: &mut State, place: Place, cell: Cell) {
        let (id, at) = match place {
            Place::At(id, at) => (id, Linear::constant(at.into())),
            Place::Within(id, Some(Offsets { sum: Some(sum), .. })) => (id, sum),
            _ => return,
        };
        if cell.class == Class::Int(8) && cell.size == 1 {
            state.mark(id, &at, cell, self.program.machine.pointer_width);
        }
    }

    /// Reads an integer at an offset that is no number, or one that is where such an integer may be.
    fn marked(
        &self,
        state: &State,
        id: ObjectId,
        at: &Linear,
        size: u64,
        class: Class,
    ) -> Result<Option<Value>, Stop> {
        let object = state.object(id);
        if object.zero
            && object.cells.is_empty()
            && object.marks.is_empty()
            && class != Class::Other
            && state.is_inside(id, at, &Linear::constant(size.into()))
        {
            return Ok(Some(Value::Word(0)));
        }
        match state.marked(id, at, size, class) {
            Ok(value) => Ok(value),
            Err(_) if state.is_whole() => Ok(None),
            Err((distance, size)) => Err(Stop::Distance(distance, size)),
        }
    }

    /// The value of an expression of scalar type.
    pub(super) fn scalar(&self, state: &mut State, expr: ExprId) -> Result<Value, Stop> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.scalar_here(state, expr))
    }

    fn scalar_here(&self, state: &mut State, expr: ExprId) -> Result<Value, Stop> {
        if let Some(value) = state.decided(expr) {
            return Ok(Value::Word(value));
        }
        let program = self.program;
        let ty = program.exprs.ty(expr);
        Ok(match program.exprs.kind(expr) {
            ExprKind::Bool(value) => Value::Word((*value).into()),
            ExprKind::Int(bits) => match bits.to_u64() {
                Some(bits) if self.is_number(ty) => Value::Word(bits),
                _ => self.any(state, ty),
            },
            ExprKind::Zero if self.is_number(ty) => Value::Word(0),
            ExprKind::Function(function) => Value::Function(*function),
            ExprKind::Symbol(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..) => {
                let place = self.place(state, expr)?;
                self.read(state, place, ty)?
            }
            ExprKind::AddressOf(place) => match self.place(state, *place)? {
                Place::At(object, offset) => {
                    Value::Ptr(Pointer { object, end: End::First, offset })
                }
                Place::Within(object, Some(at)) => self.pointing(state, object, at, ty),
                Place::Address(at) if self.is_address(at) => Value::Word(at),
                _ => self.any(state, ty),
            },
            ExprKind::Unary(op, operand) => self.unary(state, *op, *operand, ty)?,
            ExprKind::Binary(op, left, right) => self.binary(state, *op, *left, *right, ty)?,
            ExprKind::Cast(_, operand) => self.cast(state, *operand, ty)?,
            ExprKind::Ite(cond, then, other) => match self.truth(state, *cond)? {
                Truth::True => self.scalar(state, *then)?,
                Truth::False => self.scalar(state, *other)?,
                Truth::Maybe => {
                    let (x, y) = (self.scalar(state, *then)?, self.scalar(state, *other)?);
                    if x != y && [x, y].iter().any(|value| value.target().is_some()) {
                        self.decide(state, *cond)?;
                    }
                    self.either(state, ty, x, y)
                }
            },
            ExprKind::Memory(op, operands) => self.question(state, *op, operands, ty)?,
            _ => self.any(state, ty),
        })
    }

    /// One of two values.
    fn either(&self, state: &mut State, ty: TypeId, x: Value, y: Value) -> Value {
        if x == y {
            return x;
        }
        let Some((class, _)) = class_of(self.program, ty) else { return self.any(state, ty) };
        let ranges = [x, y].map(|value| state.range(self.program, class, value));
        match (class.word(self.program), ranges) {
            (Some(word), [Some(x), Some(y)]) => state.ranged(class, word, x.join(word, y)),
            _ => self.any(state, ty),
        }
    }

    /// The range of an operand that is an integer.
    pub(super) fn operand(
        &self,
        state: &mut State,
        expr: ExprId,
    ) -> Result<Option<(Word, Wrapped)>, Stop> {
        let value = self.scalar(state, expr)?;
        Ok(self.operand_of(state, expr, value))
    }

    /// The range of an operand that is an integer, of which the value is known.
    pub(super) fn operand_of(
        &self,
        state: &State,
        expr: ExprId,
        value: Value,
    ) -> Option<(Word, Wrapped)> {
        let ty = self.program.exprs.ty(expr);
        let word = match *self.program.types.get(ty) {
            Type::Ptr(_) => None,
            _ => self.word(ty),
        };
        let class = class_of(self.program, ty).map_or(Class::Other, |(class, _)| class);
        let range = state.range(self.program, class, value);
        word.zip(range)
    }

    fn unary(
        &self,
        state: &mut State,
        op: UnaryOp,
        operand: ExprId,
        ty: TypeId,
    ) -> Result<Value, Stop> {
        let value = self.scalar(state, operand)?;
        let operand = self.operand_of(state, operand, value);
        Ok(match (operand, self.word(ty), class_of(self.program, ty)) {
            (Some((from, x)), Some(word), Some((class, _))) if from == word => {
                let range = Wrapped::unary(op, word, x);
                state.result(Operation::Unary(op, ty, value), class, word, range)
            }
            _ => self.any(state, ty),
        })
    }

    fn binary(
        &self,
        state: &mut State,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
    ) -> Result<Value, Stop> {
        let program = self.program;
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let first = self.truth(state, left)?;
                // What is not needed is not looked at.
                let known = match (op, first) {
                    (BinaryOp::And, Truth::False) => Some(false),
                    (BinaryOp::Or, Truth::True) | (BinaryOp::Implies, Truth::False) => Some(true),
                    _ => None,
                };
                if let Some(known) = known {
                    return Ok(Value::Word(known.into()));
                }
                let second = self.truth(state, right)?;
                let value = match (op, first, second) {
                    (BinaryOp::And, Truth::True, second) => second,
                    (BinaryOp::Or, Truth::False, second) => second,
                    (BinaryOp::Implies, Truth::True, second) => second,
                    (BinaryOp::And, _, Truth::False) => Truth::False,
                    (BinaryOp::Or | BinaryOp::Implies, _, Truth::True) => Truth::True,
                    _ => Truth::Maybe,
                };
                return Ok(self.of_truth(state, value));
            }
            BinaryOp::PtrAdd => return self.moved(state, left, right, ty),
            BinaryOp::PtrDiff => return self.distance(state, left, right, ty),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le
                if matches!(program.types.get(program.exprs.ty(left)), Type::Ptr(_)) =>
            {
                let (x, y) = (self.scalar(state, left)?, self.scalar(state, right)?);
                let truth = self.compare(state, op, x, y)?;
                return Ok(self.of_truth(state, truth));
            }
            _ => {}
        }
        let (x, y) = (self.scalar(state, left)?, self.scalar(state, right)?);
        let same = x == y && matches!(x, Value::Unknown(_));
        if self.is_wide(program.exprs.ty(left)) {
            let known = Self::wide(op, x, y).or_else(|| self.related_wide(state, op, [x, y], ty));
            return Ok(known.unwrap_or_else(|| self.any(state, ty)));
        }
        let is_word = self.word(program.exprs.ty(left)).is_some();
        match op {
            BinaryOp::Eq | BinaryOp::Le if same && is_word => return Ok(Value::Word(1)),
            BinaryOp::Ne | BinaryOp::Lt if same && is_word => return Ok(Value::Word(0)),
            _ => {}
        }
        let types = [program.exprs.ty(left), program.exprs.ty(right), ty];
        let operation = Operation::Binary(op, types, [x, y]);
        let operands = [(left, x), (right, y)];
        let (x, y) = (self.operand_of(state, left, x), self.operand_of(state, right, y));
        Ok(match (x, y, self.word(ty), class_of(program, ty)) {
            (Some((lw, x)), Some((rw, y)), Some(word), Some((class, _))) => {
                let range = Wrapped::binary(op, word, lw, rw, x, y);
                if let Some(value) = self.related(state, op, operands, word, range) {
                    return Ok(value);
                }
                let value = state.result(operation, class, word, range);
                self.relate(state, op, operands, value, word);
                value
            }
            _ => self.any(state, ty),
        })
    }

    pub(super) fn of_truth(&self, state: &mut State, truth: Truth) -> Value {
        match truth {
            Truth::True => Value::Word(1),
            Truth::False => Value::Word(0),
            Truth::Maybe => state.any(self.program, Class::Int(1)),
        }
    }

    /// Decides whether a condition holds.
    pub(super) fn truth(&self, state: &mut State, cond: ExprId) -> Result<Truth, Stop> {
        let value = self.scalar(state, cond)?;
        let range = state.range(self.program, Class::Int(1), value);
        Ok(range.map_or(Truth::Maybe, Number::truth))
    }

    /// Compares addresses.
    pub(super) fn compare(
        &self,
        state: &State,
        op: BinaryOp,
        x: Value,
        y: Value,
    ) -> Result<Truth, Stop> {
        for value in [x, y] {
            if let Value::Ptr(pointer) = value {
                let chain = state.object(pointer.object).chain;
                if chain.is_some_and(|chain| chain.least == 0) {
                    return Err(Stop::Look(pointer.object, pointer.end));
                }
            }
        }
        if let (Value::Ptr(p), Value::Ptr(q)) = (x, y) {
            if p.object == q.object && p.end != q.end {
                return Err(Stop::Look(p.object, p.end));
            }
            let truth = |value| if value { Truth::True } else { Truth::False };
            if p.object == q.object {
                return Ok(truth(match op {
                    BinaryOp::Eq => p.offset == q.offset,
                    BinaryOp::Ne => p.offset != q.offset,
                    BinaryOp::Lt => p.offset < q.offset,
                    _ => p.offset <= q.offset,
                }));
            }
            // An address in an object is in no other, unless constants share their bytes; directly behind one there may
            // be another.
            let [a, b] = [p, q].map(|p| state.object(p.object));
            let are_inside = a.has(p.offset, 1).is_some() && b.has(q.offset, 1).is_some();
            let are_apart = are_inside && (a.writable || b.writable);
            return Ok(match op {
                BinaryOp::Eq if are_apart => Truth::False,
                BinaryOp::Ne if are_apart => Truth::True,
                _ => Truth::Maybe,
            });
        }
        let offsets = [x, y].map(|value| state.offset(value));
        if let [Some((a, p)), Some((b, q))] = offsets {
            let is_up_to =
                |id, at: &Linear, more: i128| state.is_inside(id, at, &Linear::constant(1 - more));
            let are_inside = || is_up_to(a, &p, 0) && is_up_to(b, &q, 0);
            let are_apart = |are_inside: &dyn Fn() -> bool| {
                a != b && (state.object(a).writable || state.object(b).writable) && are_inside()
            };
            // In an object and directly behind it addresses are ordered as offsets are.
            let are_ordered = || a == b && is_up_to(a, &p, 1) && is_up_to(b, &q, 1);
            return Ok(match op {
                BinaryOp::Eq if are_apart(&are_inside) => Truth::False,
                BinaryOp::Ne if are_apart(&are_inside) => Truth::True,
                BinaryOp::Eq | BinaryOp::Le if x == y => Truth::True,
                BinaryOp::Ne | BinaryOp::Lt if x == y => Truth::False,
                BinaryOp::Eq | BinaryOp::Ne if a == b => compared(state, op, &p, &q),
                BinaryOp::Lt | BinaryOp::Le if are_ordered() => compared(state, op, &p, &q),
                _ => Truth::Maybe,
            });
        }
        if let (Value::Function(f), Value::Function(g)) = (x, y) {
            return Ok(match op {
                BinaryOp::Eq if f == g => Truth::True,
                BinaryOp::Ne if f == g => Truth::False,
                _ => Truth::Maybe,
            });
        }
        if x == y && matches!(x, Value::Unknown(_)) {
            return Ok(match op {
                BinaryOp::Eq | BinaryOp::Le => Truth::True,
                _ => Truth::False,
            });
        }
        let word = Class::Ptr.word(self.program).expect("pointers are words");
        let ranges = [x, y].map(|value| state.range(self.program, Class::Ptr, value));
        let [Some(x), Some(y)] = ranges else { return Ok(Truth::Maybe) };
        Ok(Wrapped::binary(op, Word::BOOL, word, word, x, y).truth())
    }

    fn cast(&self, state: &mut State, operand: ExprId, ty: TypeId) -> Result<Value, Stop> {
        let program = self.program;
        let from = program.exprs.ty(operand);
        let value = self.scalar(state, operand)?;
        let is_pointer = |ty| matches!(program.types.get(ty), Type::Ptr(_));
        if is_pointer(from) && is_pointer(ty) {
            return Ok(value);
        }
        if matches!(program.types.get(ty), Type::Bool) {
            if is_pointer(from) {
                let truth = self.compare(state, BinaryOp::Ne, value, Value::Word(0))?;
                return Ok(self.of_truth(state, truth));
            }
            let Some((word, x)) = self.operand_of(state, operand, value) else {
                return Ok(self.any(state, ty));
            };
            let zero = Wrapped::constant(word, 0);
            let range = Wrapped::binary(BinaryOp::Ne, Word::BOOL, word, word, x, zero);
            let operation = Operation::Cast([from, ty], value);
            return Ok(state.result(operation, Class::Int(1), Word::BOOL, range));
        }
        if is_pointer(ty) {
            return Ok(if value == Value::Word(0) { value } else { self.any(state, ty) });
        }
        if is_pointer(from) {
            return Ok(match (value, self.word(ty)) {
                (Value::Word(0), _) => value,
                // Numbers that are the same with and without a sign.
                (Value::Word(bits), Some(word))
                    if bits >> (program.machine.pointer_width - 1) == 0 =>
                {
                    Value::Word(bits & (u64::MAX >> (64 - word.width)))
                }
                _ => self.any(state, ty),
            });
        }
        let class = class_of(program, ty);
        if let Value::Word(bits) = value
            && (self.is_wide(from) || self.is_wide(ty))
        {
            // Below 2^64, and not negative where it is made wider.
            let small = match self.word(from) {
                Some(word) => signed(word, bits) >= 0,
                None => self.is_wide(from),
            };
            return Ok(match self.word(ty) {
                _ if !small => self.any(state, ty),
                Some(to) => Value::Word(bits & (u64::MAX >> (64 - to.width))),
                None if self.is_wide(ty) => Value::Word(bits),
                None => self.any(state, ty),
            });
        }
        if self.is_wide(from) || self.is_wide(ty) {
            let known = self.cast_wide(state, from, value, ty);
            return Ok(known.unwrap_or_else(|| self.any(state, ty)));
        }
        Ok(match (self.operand_of(state, operand, value), self.word(ty), class) {
            (Some((word, x)), Some(to), Some((class, _))) => {
                if word.width == to.width {
                    // The same bits, so the same value.
                    return Ok(value);
                }
                let range = x.convert(word, to);
                let sum = state.form(value, word).filter(|_| to.width >= 8 && word.width >= 8);
                if range.single(to).is_none()
                    && let Some(sum) = sum.filter(|sum| state.fits(sum, to))
                {
                    return Ok(state.of_sum(to, &sum, range));
                }
                state.result(Operation::Cast([from, ty], value), class, to, range)
            }
            _ => self.any(state, ty),
        })
    }

    /// The value of an expression of any type, for a copy.
    pub(super) fn content(&self, state: &mut State, expr: ExprId) -> Result<Content, Stop> {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        if let Some((class, size)) = class_of(program, ty) {
            let value = self.scalar(state, expr)?;
            return Ok(Content::Cells(vec![(0, Cell { size, class, value })]));
        }
        match program.exprs.kind(expr) {
            ExprKind::Zero => Ok(Content::Zero),
            kind if kind.is_place() => {
                let place = self.place(state, expr)?;
                let Some(leaves) = self.leaves(ty) else { return Ok(Content::Cells(Vec::new())) };
                let Place::At(object, at) = place else { return Ok(Content::Cells(Vec::new())) };
                let mut cells = Vec::new();
                for (offset, class, size) in leaves {
                    let object = state.object(object);
                    let known = object.has(at.saturating_add(offset as i64), size);
                    // What has no value does not get one by being copied.
                    if let Some(value) = known.and_then(|at| object.scalar(at, size, class)) {
                        cells.push((offset, Cell { size, class, value }));
                    }
                }
                Ok(Content::Cells(cells))
            }
            ExprKind::Struct(members) => {
                let Type::Struct(id) = *program.types.get(ty) else {
                    return Ok(Content::Cells(Vec::new()));
                };
                let fields = &program.types.structs[id].fields;
                let mut cells = Vec::new();
                for (field, &member) in fields.iter().zip(members) {
                    if field.first_bit.is_some() {
                        continue;
                    }
                    if let Content::Cells(inner) = self.content(state, member)? {
                        cells.extend(inner.into_iter().map(|(at, cell)| (field.offset + at, cell)));
                    }
                }
                Ok(Content::Cells(cells))
            }
            _ => Ok(Content::Cells(Vec::new())),
        }
    }

    /// The scalars of a type; `None` if it has parts that are not followed, or too many.
    pub(super) fn leaves(&self, ty: TypeId) -> Option<Vec<(u64, Class, u64)>> {
        let program = self.program;
        let (mut leaves, mut pending) = (Vec::new(), vec![(0u64, ty)]);
        while let Some((at, ty)) = pending.pop() {
            if let Some((class, size)) = class_of(program, ty) {
                leaves.push((at, class, size));
            }
            match *program.types.get(ty) {
                Type::Array(element, n) => {
                    let size = program.types.size_of(element, &program.machine)?;
                    if n > MOST_LEAVES as u64 {
                        return None;
                    }
                    pending.extend((0..n).map(|i| (at + i * size, element)));
                }
                Type::Struct(id) if !program.types.structs[id].union => {
                    let fields = &program.types.structs[id].fields;
                    let whole = fields.iter().filter(|field| field.first_bit.is_none());
                    pending.extend(whole.map(|field| (at + field.offset, field.ty)));
                }
                _ => {}
            }
            if leaves.len() + pending.len() > MOST_LEAVES {
                return None;
            }
        }
        Some(leaves)
    }
}

/// Offsets by so many units from some offsets.
pub(super) fn scaled(by: Interval, unit: u64, from: Interval) -> Option<Interval> {
    by.mul(Interval::constant(unit.into()))?.add(from)
}

/// The integer that bits are.
pub(super) fn signed(word: Word, bits: u64) -> i128 {
    let value = i128::from(bits);
    if word.signed && value > word.all().high { value - (1 << word.width) } else { value }
}
