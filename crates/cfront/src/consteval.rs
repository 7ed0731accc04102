//! Constant evaluation of typed expressions: integer constant expressions, static initialisers, address constants.
//!
//! **Idea.** A value is a word, a floating number, a pair of them, or an address: an object with an offset in bytes.
//! Arithmetic is that of `vergo-num`, in the width and format of the expression's type, so that a folded value is the
//! value that the program would have computed. What gcc folds beyond the letter of C17 6.6 is folded here too: address
//! arithmetic inside one object, the unevaluated operands of `&&`, `||` and `?:`, and (where [`Evaluator::read_constants`]
//! says so, as for static initialisers) `const` variables with a constant initialiser.
//!
//! **Soundness.** Overflow of a signed operation wraps and is remembered in [`Evaluator::overflow`]; a caller that needs
//! a strictly conforming constant looks there. Division by zero has no value.

mod builtins;
mod convert;

use crate::ast::Quals;
use crate::floating::Floating;
use crate::hir::{
    BinaryOp, CastKind, Definition, ExprId, ExprKind, FuncId, InitKind, LabelId, PtrOffsetOp,
    Storage, StringId, StringUnits, UnaryOp, Unit, VarId,
};
use crate::layout;
use crate::types::{IntShape, QualType};
use std::cmp::Ordering;
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_source::Span;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// A constant value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An integer, of the width of its type (`_Bool` has one bit).
    Int(BitVec),
    /// A floating number.
    Float(Floating),
    /// A complex number.
    Complex(Float, Float),
    /// A complex number of integers.
    ComplexInt(BitVec, BitVec),
    /// A pointer, or an integer of the pointers' width that was made from one.
    Address(Address),
}

/// A constant address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The object.
    pub base: Base,
    /// Bytes from its start, modulo the size of the address space.
    pub offset: u64,
}

/// The base of an address constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// Address zero: a null pointer or an integer made a pointer.
    Absolute,
    /// A variable with static storage duration.
    Var(VarId),
    /// A function.
    Function(FuncId),
    /// A string literal.
    String(StringId),
    /// A label.
    Label(LabelId),
}

/// The reason why an expression has no constant value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotConstant {
    /// The subexpression to blame.
    pub span: Span,
    /// The reason why it is none.
    pub reason: Reason,
}

/// The reasons for which an expression has no constant value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It depends on what happens at run time.
    Runtime,
    /// It divides by zero.
    DivisionByZero,
    /// It contains an error that has been reported.
    Error,
}

/// Evaluates expressions of a unit.
#[derive(Debug)]
pub struct Evaluator<'a> {
    unit: &'a Unit,
    /// True if `const` variables with static storage and a constant initialiser may be read.
    pub read_constants: bool,
    /// The first operation whose signed result did not fit.
    pub overflow: Option<Span>,
    fuel: u32,
}

type Result<T> = std::result::Result<T, NotConstant>;

impl<'a> Evaluator<'a> {
    /// An evaluator of strict constant expressions.
    pub fn new(unit: &'a Unit) -> Evaluator<'a> {
        Evaluator { unit, read_constants: false, overflow: None, fuel: 10_000_000 }
    }

    /// An evaluator of initialisers, which may read constants.
    pub fn of_initialiser(unit: &'a Unit) -> Evaluator<'a> {
        Evaluator { read_constants: true, ..Evaluator::new(unit) }
    }

    /// The value of an rvalue.
    ///
    /// # Errors
    /// If there is no constant value.
    pub fn eval(&mut self, expr: ExprId) -> Result<Value> {
        let node = self.unit.exprs[expr];
        match node.kind {
            // The common leaves need no stack.
            ExprKind::Int(value) => Ok(self.literal(node.ty, value)),
            ExprKind::Float(id) => Ok(Value::Float(self.unit.floats[id].clone())),
            _ => stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.eval_node(expr)),
        }
    }

    /// The value of an integer expression.
    ///
    /// # Errors
    /// If there is no constant value, or it is an address.
    pub fn eval_int(&mut self, expr: ExprId) -> Result<BitVec> {
        match self.eval(expr)? {
            Value::Int(value) => Ok(value),
            _ => self.runtime(expr),
        }
    }

    fn runtime<T>(&self, expr: ExprId) -> Result<T> {
        Err(NotConstant { span: self.unit.exprs[expr].span, reason: Reason::Runtime })
    }

    fn literal(&self, ty: QualType, value: u64) -> Value {
        match self.unit.types.int_shape(ty, &self.unit.target) {
            Some(shape) => Value::Int(BitVec::from_u64(shape.width, value)),
            None => Value::Address(Address { base: Base::Absolute, offset: value }),
        }
    }

    fn shape(&self, ty: QualType) -> Option<IntShape> {
        self.unit.types.int_shape(ty, &self.unit.target)
    }

    fn word_mask(&self) -> u64 {
        if self.unit.target.word == 4 { u64::from(u32::MAX) } else { u64::MAX }
    }

    fn bool_value(&self, value: bool) -> Value {
        Value::Int(BitVec::from_u64(32, u64::from(value)))
    }

    fn eval_node(&mut self, expr: ExprId) -> Result<Value> {
        let unit = self.unit;
        let node = unit.exprs[expr];
        match self.fuel.checked_sub(1) {
            Some(fuel) => self.fuel = fuel,
            None => return self.runtime(expr),
        }
        match node.kind {
            ExprKind::Error => Err(NotConstant { span: node.span, reason: Reason::Error }),
            ExprKind::Int(value) => Ok(self.literal(node.ty, value)),
            ExprKind::WideInt(index) => Ok(Value::Int(unit.wide_ints[index as usize].clone())),
            ExprKind::Float(id) => Ok(Value::Float(unit.floats[id].clone())),
            ExprKind::AddrOf(place) => Ok(Value::Address(self.place(place)?)),
            ExprKind::LabelAddr(label) => {
                Ok(Value::Address(Address { base: Base::Label(label), offset: 0 }))
            }
            ExprKind::Unary(op, operand) => self.unary(expr, op, operand),
            ExprKind::Binary(op, left, right) => self.binary(expr, op, left, right),
            ExprKind::PtrOffset(op, pointer, index) => {
                let Value::Address(address) = self.eval(pointer)? else {
                    return self.runtime(pointer);
                };
                let Some(element) = unit.types.pointee(unit.exprs[pointer].ty) else {
                    return self.runtime(expr);
                };
                let delta = self.scaled(index, element)?;
                let offset = match op {
                    PtrOffsetOp::Add => address.offset.wrapping_add(delta),
                    PtrOffsetOp::Sub => address.offset.wrapping_sub(delta),
                };
                Ok(Value::Address(Address { offset: offset & self.word_mask(), ..address }))
            }
            ExprKind::PtrDiff(left, right) => {
                let (Value::Address(a), Value::Address(b)) = (self.eval(left)?, self.eval(right)?)
                else {
                    return self.runtime(expr);
                };
                let size = unit
                    .types
                    .pointee(unit.exprs[left].ty)
                    .and_then(|to| layout::size_of(&unit.types, &unit.target, to));
                let (Some(size), Some(shape)) =
                    (size.filter(|&size| size > 0), self.shape(node.ty))
                else {
                    return self.runtime(expr);
                };
                if a.base != b.base {
                    return self.runtime(expr);
                }
                let delta = a.offset.wrapping_sub(b.offset);
                let delta =
                    if shape.width == 32 { i64::from(delta as u32 as i32) } else { delta as i64 };
                Ok(Value::Int(BitVec::from_i64(shape.width, delta.wrapping_div(size as i64))))
            }
            ExprKind::LogAnd(left, right) => {
                let value = self.truth(left)? && self.truth(right)?;
                Ok(self.bool_value(value))
            }
            ExprKind::LogOr(left, right) => {
                let value = self.truth(left)? || self.truth(right)?;
                Ok(self.bool_value(value))
            }
            ExprKind::Cond(cond, then, other) => {
                let chosen = if self.truth(cond)? { then } else { other };
                self.eval(chosen)
            }
            ExprKind::CondOmitted(cond, other) => {
                if self.truth(cond)? {
                    let value = self.eval(cond)?;
                    let from = unit.exprs[cond].ty;
                    self.convert(expr, value, from, node.ty)
                } else {
                    self.eval(other)
                }
            }
            ExprKind::Cast(kind, operand) => self.cast(expr, kind, operand),
            ExprKind::Builtin(builtin, args) => {
                let args: Vec<ExprId> = unit.expr_lists.get(args).to_vec();
                self.builtin(expr, builtin, &args)
            }
            ExprKind::Call(callee, args) => {
                let ExprKind::Function(function) = unit.exprs[callee].kind else {
                    return self.runtime(expr);
                };
                let args: Vec<ExprId> = unit.expr_lists.get(args).to_vec();
                self.library_call(expr, function, &args)
            }
            ExprKind::ComplexPart(operand, imaginary) => match self.eval(operand)? {
                Value::Complex(re, im) => Ok(Value::Float(if imaginary { im } else { re }.into())),
                Value::ComplexInt(re, im) => Ok(Value::Int(if imaginary { im } else { re })),
                _ => self.runtime(expr),
            },
            _ => self.runtime(expr),
        }
    }

    /// The address of an object.
    ///
    /// # Errors
    /// If it is not known before the program runs.
    pub fn place(&mut self, expr: ExprId) -> Result<Address> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.place_node(expr))
    }

    fn place_node(&mut self, expr: ExprId) -> Result<Address> {
        let unit = self.unit;
        let node = unit.exprs[expr];
        let at = |base| Ok(Address { base, offset: 0 });
        match node.kind {
            ExprKind::Error => Err(NotConstant { span: node.span, reason: Reason::Error }),
            ExprKind::Var(var) | ExprKind::CompoundLiteral(var) => match unit.vars[var].storage {
                Storage::Static { thread_local: false, .. } => at(Base::Var(var)),
                _ => self.runtime(expr),
            },
            // The address of a nested function is another one in each activation of the function around it.
            ExprKind::Function(function) if self.unit.functions[function].nested.is_some() => {
                self.runtime(expr)
            }
            ExprKind::Function(function) => at(Base::Function(function)),
            ExprKind::String(string) => at(Base::String(string)),
            ExprKind::Deref(pointer) => match self.eval(pointer)? {
                Value::Address(address) => Ok(address),
                _ => self.runtime(expr),
            },
            ExprKind::Index(pointer, index) => {
                let Value::Address(address) = self.eval(pointer)? else {
                    return self.runtime(pointer);
                };
                let delta = self.scaled(index, node.ty)?;
                Ok(Address {
                    offset: address.offset.wrapping_add(delta) & self.word_mask(),
                    ..address
                })
            }
            ExprKind::Member(base, record, field) => {
                let address = self.place(base)?;
                let record = &unit.types.records[record];
                let Some(fields) = record.fields.as_ref().filter(|_| !record.variable) else {
                    return self.runtime(expr);
                };
                let offset = fields[field as usize].offset;
                Ok(Address {
                    offset: address.offset.wrapping_add(offset) & self.word_mask(),
                    ..address
                })
            }
            ExprKind::ComplexPart(base, imaginary) => {
                let address = self.place(base)?;
                let size = layout::size_of(&unit.types, &unit.target, node.ty).unwrap_or(0);
                let offset = address.offset.wrapping_add(if imaginary { size } else { 0 });
                Ok(Address { offset: offset & self.word_mask(), ..address })
            }
            ExprKind::VectorElement(base, index) => {
                let address = self.place(base)?;
                let delta = self.scaled(index, node.ty)?;
                Ok(Address {
                    offset: address.offset.wrapping_add(delta) & self.word_mask(),
                    ..address
                })
            }
            _ => self.runtime(expr),
        }
    }

    /// The bytes that an index of elements of a type is worth.
    fn scaled(&mut self, index: ExprId, element: QualType) -> Result<u64> {
        let unit = self.unit;
        let Some(size) = layout::size_of(&unit.types, &unit.target, element) else {
            return self.runtime(index);
        };
        let signed = self.shape(unit.exprs[index].ty).is_some_and(|shape| shape.signed);
        let value = self.eval_int(index)?;
        let value = if signed { value.resize_signed(64) } else { value.resize_unsigned(64) };
        Ok(value.limbs()[0].wrapping_mul(size))
    }

    /// Evaluates whether a scalar is not zero.
    ///
    /// # Errors
    /// If that is not known.
    pub fn truth(&mut self, expr: ExprId) -> Result<bool> {
        let value = self.eval(expr)?;
        match self.value_truth(&value) {
            Some(truth) => Ok(truth),
            None => self.runtime(expr),
        }
    }

    fn value_truth(&self, value: &Value) -> Option<bool> {
        match value {
            Value::Int(value) => Some(!value.is_zero()),
            Value::Float(value) => Some(!value.is_zero()),
            Value::Complex(re, im) => Some(!re.is_zero() || !im.is_zero()),
            Value::ComplexInt(re, im) => Some(!re.is_zero() || !im.is_zero()),
            Value::Address(Address { base: Base::Absolute, offset }) => Some(*offset != 0),
            Value::Address(Address { base, .. }) => match base {
                Base::Var(var) if self.unit.vars[*var].weak => None,
                Base::Function(function) if self.unit.functions[*function].weak => None,
                _ => Some(true),
            },
        }
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Result<Value> {
        let value = self.eval(operand)?;
        match (op, value) {
            (UnaryOp::Not, value) => match self.value_truth(&value) {
                Some(truth) => Ok(self.bool_value(!truth)),
                None => self.runtime(expr),
            },
            (UnaryOp::Neg, Value::Int(value)) => {
                let signed = self.shape(self.unit.exprs[expr].ty).is_some_and(|shape| shape.signed);
                if signed && value.neg_overflow() {
                    self.overflowed(expr);
                }
                Ok(Value::Int(value.neg()))
            }
            (UnaryOp::Neg, Value::Float(value)) => Ok(Value::Float(value.neg())),
            (UnaryOp::Neg, Value::Complex(re, im)) => Ok(Value::Complex(re.neg(), im.neg())),
            (UnaryOp::BitNot, Value::Int(value)) => Ok(Value::Int(value.not())),
            (UnaryOp::BitNot, Value::Complex(re, im)) => Ok(Value::Complex(re, im.neg())),
            (UnaryOp::Neg, Value::ComplexInt(re, im)) => Ok(Value::ComplexInt(re.neg(), im.neg())),
            (UnaryOp::BitNot, Value::ComplexInt(re, im)) => Ok(Value::ComplexInt(re, im.neg())),
            _ => self.runtime(expr),
        }
    }

    fn overflowed(&mut self, expr: ExprId) {
        self.overflow.get_or_insert(self.unit.exprs[expr].span);
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Result<Value> {
        let a = self.eval(left)?;
        let b = self.eval(right)?;
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => self.int_binary(expr, op, left, right, &a, &b),
            (Value::Float(a), Value::Float(b)) if a.format() == b.format() => {
                self.float_binary(expr, op, &a, &b)
            }
            (Value::Complex(a, b), Value::Complex(c, d)) => {
                self.complex_binary(expr, op, [&a, &b], [&c, &d])
            }
            (Value::ComplexInt(a, b), Value::ComplexInt(c, d)) if a.width() == c.width() => {
                self.complex_int_binary(expr, op, [&a, &b], [&c, &d])
            }
            (Value::Address(a), Value::Address(b)) => self.address_binary(expr, op, a, b),
            (Value::Address(a), Value::Int(b)) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                let delta = b.resize_signed(64).limbs()[0];
                let offset = match op {
                    BinaryOp::Add => a.offset.wrapping_add(delta),
                    _ => a.offset.wrapping_sub(delta),
                };
                Ok(Value::Address(Address { offset: offset & self.word_mask(), ..a }))
            }
            (Value::Int(a), Value::Address(b)) if op == BinaryOp::Add => {
                let offset = b.offset.wrapping_add(a.resize_signed(64).limbs()[0]);
                Ok(Value::Address(Address { offset: offset & self.word_mask(), ..b }))
            }
            (Value::Address(_), Value::Int(b))
                if b.is_zero() && matches!(op, BinaryOp::Eq | BinaryOp::Ne) =>
            {
                Ok(self.bool_value(op == BinaryOp::Ne))
            }
            _ => self.runtime(expr),
        }
    }

    fn address_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        a: Address,
        b: Address,
    ) -> Result<Value> {
        if a.base == b.base {
            let order = a.offset.cmp(&b.offset);
            if let Some(truth) = compare(op, order) {
                return Ok(self.bool_value(truth));
            }
            if op == BinaryOp::Sub {
                // Integers made from pointers into the same object.
                if let Some(shape) = self.shape(self.unit.exprs[expr].ty) {
                    return Ok(Value::Int(BitVec::from_u64(
                        shape.width,
                        a.offset.wrapping_sub(b.offset),
                    )));
                }
            }
            return self.runtime(expr);
        }
        let null = |x: Address| x.base == Base::Absolute && x.offset == 0;
        let differs = (null(a) && self.value_truth(&Value::Address(b)) == Some(true))
            || (null(b) && self.value_truth(&Value::Address(a)) == Some(true));
        match op {
            BinaryOp::Eq if differs => Ok(self.bool_value(false)),
            BinaryOp::Ne if differs => Ok(self.bool_value(true)),
            _ => self.runtime(expr),
        }
    }

    fn int_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        a: &BitVec,
        b: &BitVec,
    ) -> Result<Value> {
        let span = self.unit.exprs[expr].span;
        let Some(shape) = self.shape(self.unit.exprs[left].ty) else { return self.runtime(expr) };
        let signed = shape.signed;
        if let BinaryOp::Shl | BinaryOp::Shr = op {
            let amount_signed =
                self.shape(self.unit.exprs[right].ty).is_some_and(|shape| shape.signed);
            return Ok(Value::Int(self.shift(op, a, b, signed, amount_signed)));
        }
        if a.width() != b.width() {
            return self.runtime(expr);
        }
        let less = |a: &BitVec, b: &BitVec| if signed { a.slt(b) } else { a.ult(b) };
        let truth = match op {
            BinaryOp::Lt => Some(less(a, b)),
            BinaryOp::Gt => Some(less(b, a)),
            BinaryOp::Le => Some(!less(b, a)),
            BinaryOp::Ge => Some(!less(a, b)),
            BinaryOp::Eq => Some(a == b),
            BinaryOp::Ne => Some(a != b),
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(self.bool_value(truth));
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && b.is_zero() {
            return Err(NotConstant { span, reason: Reason::DivisionByZero });
        }
        let overflow = signed
            && match op {
                BinaryOp::Add => a.sadd_overflow(b),
                BinaryOp::Sub => a.ssub_overflow(b),
                BinaryOp::Mul => a.smul_overflow(b),
                BinaryOp::Div | BinaryOp::Rem => a.sdiv_overflow(b),
                _ => false,
            };
        if overflow {
            self.overflowed(expr);
        }
        Ok(Value::Int(match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.sub(b),
            BinaryOp::Mul => a.mul(b),
            BinaryOp::Div if signed => a.sdiv(b),
            BinaryOp::Div => a.udiv(b),
            BinaryOp::Rem if signed => a.srem(b),
            BinaryOp::Rem => a.urem(b),
            BinaryOp::BitAnd => a.and(b),
            BinaryOp::BitOr => a.or(b),
            BinaryOp::BitXor => a.xor(b),
            _ => return self.runtime(expr),
        }))
    }

    /// A shift; counts outside of the width are undefined and fold as gcc folds them: a negative count shifts the other
    /// way, a large one shifts everything out.
    fn shift(
        &self,
        op: BinaryOp,
        a: &BitVec,
        b: &BitVec,
        signed: bool,
        amount_signed: bool,
    ) -> BitVec {
        let mut left = op == BinaryOp::Shl;
        let negative = amount_signed && b.sign_bit();
        let magnitude = if negative { b.neg() } else { b.clone() };
        if negative {
            left = !left;
        }
        let amount = magnitude
            .to_u64()
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(u32::MAX)
            .min(a.width());
        match (left, signed) {
            (true, _) => a.shl_by(amount),
            (false, true) => a.ashr_by(amount),
            (false, false) => a.lshr_by(amount),
        }
    }

    fn float_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        a: &Floating,
        b: &Floating,
    ) -> Result<Value> {
        let truth = match op {
            BinaryOp::Lt => Some(a.lt(b)),
            BinaryOp::Gt => Some(b.lt(a)),
            BinaryOp::Le => Some(a.le(b)),
            BinaryOp::Ge => Some(b.le(a)),
            BinaryOp::Eq => Some(a.ieee_eq(b)),
            BinaryOp::Ne => Some(!a.ieee_eq(b)),
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(self.bool_value(truth));
        }
        let (result, is_product) = match op {
            BinaryOp::Add => (a.add(NEAREST, b), false),
            BinaryOp::Sub => (a.sub(NEAREST, b), false),
            BinaryOp::Mul => (a.mul(NEAREST, b), true),
            BinaryOp::Div => (a.div(NEAREST, b), true),
            _ => return self.runtime(expr),
        };
        Ok(Value::Float(Floating::of_operation(result, a, b, is_product)))
    }

    fn complex_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        x: [&Float; 2],
        y: [&Float; 2],
    ) -> Result<Value> {
        let [a, b] = x;
        let [c, d] = y;
        match op {
            BinaryOp::Eq => Ok(self.bool_value(a.ieee_eq(c) && b.ieee_eq(d))),
            BinaryOp::Ne => Ok(self.bool_value(!(a.ieee_eq(c) && b.ieee_eq(d)))),
            BinaryOp::Add => Ok(Value::Complex(a.add(NEAREST, c), b.add(NEAREST, d))),
            BinaryOp::Sub => Ok(Value::Complex(a.sub(NEAREST, c), b.sub(NEAREST, d))),
            BinaryOp::Mul if [a, b, c, d].iter().all(|x| x.is_finite()) => {
                let re = a.mul(NEAREST, c).sub(NEAREST, &b.mul(NEAREST, d));
                let im = a.mul(NEAREST, d).add(NEAREST, &b.mul(NEAREST, c));
                Ok(Value::Complex(re, im))
            }
            // Division scales by exponents in a way that the standard leaves open.
            _ => self.runtime(expr),
        }
    }

    fn complex_int_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        x: [&BitVec; 2],
        y: [&BitVec; 2],
    ) -> Result<Value> {
        let [a, b] = x;
        let [c, d] = y;
        match op {
            BinaryOp::Eq => Ok(self.bool_value(a == c && b == d)),
            BinaryOp::Ne => Ok(self.bool_value(a != c || b != d)),
            BinaryOp::Add => Ok(Value::ComplexInt(a.add(c), b.add(d))),
            BinaryOp::Sub => Ok(Value::ComplexInt(a.sub(c), b.sub(d))),
            BinaryOp::Mul => {
                let re = a.mul(c).sub(&b.mul(d));
                let im = a.mul(d).add(&b.mul(c));
                Ok(Value::ComplexInt(re, im))
            }
            _ => self.runtime(expr),
        }
    }

    fn cast(&mut self, expr: ExprId, kind: CastKind, operand: ExprId) -> Result<Value> {
        let unit = self.unit;
        let to = unit.exprs[expr].ty;
        match kind {
            CastKind::Load => self.load(expr, operand),
            CastKind::ArrayDecay | CastKind::FunctionDecay => {
                Ok(Value::Address(self.place(operand)?))
            }
            CastKind::ToVoid
            | CastKind::ToUnion
            | CastKind::VectorBits
            | CastKind::VectorSplat
            | CastKind::VectorConvert => self.runtime(expr),
            _ => {
                let value = self.eval(operand)?;
                self.convert(expr, value, unit.exprs[operand].ty, to)
            }
        }
    }

    /// The value of an object that never changes: a `const` variable with static storage, an element of a string.
    fn load(&mut self, expr: ExprId, place: ExprId) -> Result<Value> {
        let unit = self.unit;
        let place_node = unit.exprs[place];
        match place_node.kind {
            ExprKind::Var(var) if self.read_constants => {
                let var = &unit.vars[var];
                let quals = var.ty.quals();
                let constant = quals.has(Quals::CONST) && !quals.has(Quals::VOLATILE) && !var.weak;
                if let Storage::Static { definition: Definition::Defined, .. } = var.storage
                    && constant
                    && let Some(init) = var.init
                    && let InitKind::Expr(value) = unit.inits[init].kind
                {
                    return self.eval(value);
                }
                self.runtime(expr)
            }
            ExprKind::CompoundLiteral(var) if self.read_constants => match unit.vars[var].init {
                Some(init) => match unit.inits[init].kind {
                    InitKind::Expr(value) => self.eval(value),
                    _ => self.runtime(expr),
                },
                None => self.runtime(expr),
            },
            ExprKind::Index(..) | ExprKind::Deref(_) => {
                let Address { base: Base::String(string), offset } = self.place(place)? else {
                    return self.runtime(expr);
                };
                let Some(shape) = self.shape(place_node.ty) else { return self.runtime(expr) };
                let literal = &unit.strings[string].units;
                let (size, unit_at) = match literal {
                    StringUnits::Bytes(units) => {
                        (1, units.get(offset as usize).map(|&x| u64::from(x)))
                    }
                    StringUnits::Units16(units) => {
                        (2, units.get(offset as usize / 2).map(|&x| u64::from(x)))
                    }
                    StringUnits::Units32(units) => {
                        (4, units.get(offset as usize / 4).map(|&x| u64::from(x)))
                    }
                };
                match unit_at {
                    Some(value) if shape.width == size * 8 && offset % u64::from(size) == 0 => {
                        Ok(Value::Int(BitVec::from_u64(shape.width, value)))
                    }
                    _ => self.runtime(expr),
                }
            }
            ExprKind::ComplexPart(inner, imaginary) => match self.load(expr, inner)? {
                Value::Complex(re, im) => Ok(Value::Float(if imaginary { im } else { re }.into())),
                Value::ComplexInt(re, im) => Ok(Value::Int(if imaginary { im } else { re })),
                _ => self.runtime(expr),
            },
            ExprKind::Error => Err(NotConstant { span: place_node.span, reason: Reason::Error }),
            _ => self.runtime(expr),
        }
    }
}

fn compare(op: BinaryOp, order: Ordering) -> Option<bool> {
    match op {
        BinaryOp::Lt => Some(order.is_lt()),
        BinaryOp::Gt => Some(order.is_gt()),
        BinaryOp::Le => Some(order.is_le()),
        BinaryOp::Ge => Some(order.is_ge()),
        BinaryOp::Eq => Some(order.is_eq()),
        BinaryOp::Ne => Some(order.is_ne()),
        _ => None,
    }
}
