//! Values where an execution stands, for messages and debuggers: expressions of the innermost active call, and the heap.
//!
//! A plain evaluation over the memory of a machine that has stopped. It reads and changes nothing else, so it may be
//! asked for anything; what cannot be evaluated (memory that is not there, a variable that lives in registers because
//! nobody watches accesses) has no value.

use crate::code::BitField;
use crate::machine::{Frame, Machine, Thread};
use crate::memory::{Big, Handle};
use crate::values::extract;
use rustc_hash::FxHashMap;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::fold::{self, Const, ConstType};
use vergo_goto::program::{FunctionId, SymbolId};
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float};

/// A live heap object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeapObject {
    /// The same in every execution that makes the same choices.
    pub id: u64,
    /// Its number in texts about pointers.
    pub number: usize,
    /// Its size in bytes.
    pub size: u64,
    /// True if no variable leads to it any more.
    pub lost: bool,
}

enum Value {
    Scalar(Const),
    Pointer(u64, Handle),
    Bytes(Big),
}

impl Machine<'_> {
    /// The value of an expression in the innermost active call, as people read it.
    pub fn inspect(&self, expr: ExprId) -> Option<String> {
        let (t, frame) = self.innermost()?;
        Some(match self.evaluate(t, frame, expr)? {
            Value::Scalar(Const::Bool(value)) => value.to_string(),
            Value::Scalar(Const::Int(true, bits)) => bits.to_signed_decimal(),
            Value::Scalar(Const::Int(false, bits)) => bits.to_unsigned_decimal(),
            Value::Scalar(Const::Float(value)) => value.to_decimal(),
            Value::Pointer(address, handle) => {
                let ty = self.program.exprs.ty(expr);
                self.pointer_text(t, address, handle, Some(ty))
            }
            Value::Bytes(bytes) => self.bytes_as(t, &bytes, self.program.exprs.ty(expr)),
        })
    }

    /// The truth value of an expression in the innermost active call.
    pub fn inspect_truth(&self, expr: ExprId) -> Option<bool> {
        let (t, frame) = self.innermost()?;
        match self.evaluate(t, frame, expr)? {
            Value::Scalar(Const::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// The function of the innermost active call.
    pub fn function(&self) -> Option<FunctionId> {
        self.innermost().map(|(_, frame)| frame.function)
    }

    /// Where a pointer points: its offset in its object and the object's size.
    pub fn extent(&self, pointer: ExprId) -> Option<(i64, u64)> {
        let (t, frame) = self.innermost()?;
        let Value::Pointer(address, handle) = self.evaluate(t, frame, pointer)? else {
            return None;
        };
        let size = self.memory.object(handle)?.size;
        Some((self.memory.ask(MemoryOp::Offset, address, handle, 0) as i64, size))
    }

    /// The live heap objects.
    pub fn heap(&self) -> Vec<HeapObject> {
        let reached = self.reached_heap(None);
        let object = |(number, handle)| HeapObject {
            id: handle,
            number,
            size: self.memory.object(handle).map_or(0, |object| object.size),
            lost: !reached.contains(&handle),
        };
        let live = self.memory.numbered_heap().filter(|&(_, handle)| self.memory.is_live(handle));
        live.map(object).collect()
    }

    /// The bytes of a variable of static storage; none before the execution begins.
    pub fn static_bytes(&self, symbol: SymbolId) -> Option<Vec<u8>> {
        let handle = self.environment.statics[symbol];
        let base = self.memory.base(handle)?;
        let mut bytes = vec![0; usize::try_from(self.memory.object(handle)?.size).ok()?];
        self.memory.read(base, handle, &mut bytes).ok()?;
        Some(bytes)
    }

    /// The heap objects that addresses lie in: their numbers in texts about pointers, and the offsets.
    pub fn heap_objects_at(
        &self,
        addresses: impl IntoIterator<Item = u64>,
    ) -> Vec<Option<(usize, u64)>> {
        let numbers: FxHashMap<Handle, usize> =
            self.memory.numbered_heap().map(|(number, handle)| (handle, number)).collect();
        let find = |address: u64| {
            let handle = self.memory.attach(address);
            Some((*numbers.get(&handle)?, address.wrapping_sub(self.memory.base(handle)?)))
        };
        addresses.into_iter().map(find).collect()
    }

    /// The thread that makes the present step.
    pub fn thread(&self) -> usize {
        self.current
    }

    /// The thread on whose stack an address lies, if it lies on one.
    pub fn stack_at(&self, address: u64) -> Option<usize> {
        self.memory.stack_at(address)
    }

    fn innermost(&self) -> Option<(&Thread, &Frame)> {
        let t = self.threads.get(self.current)?;
        Some((t, t.frames.last()?))
    }

    fn evaluate(&self, t: &Thread, frame: &Frame, expr: ExprId) -> Option<Value> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.evaluate_kind(t, frame, expr))
    }

    fn evaluate_kind(&self, t: &Thread, frame: &Frame, expr: ExprId) -> Option<Value> {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        let scalar = |expr| match self.evaluate(t, frame, expr)? {
            Value::Scalar(value) => Some(value),
            Value::Pointer(address, _) => {
                Some(Const::Int(false, BitVec::from_u64(program.machine.pointer_width, address)))
            }
            Value::Bytes(_) => None,
        };
        let pointer = |expr| match self.evaluate(t, frame, expr)? {
            Value::Pointer(address, handle) => Some((address, handle)),
            _ => None,
        };
        if program.is_place(expr) {
            return self.read_place(t, frame, expr);
        }
        let value = match program.exprs.kind(expr) {
            ExprKind::Bool(value) => Const::Bool(*value),
            ExprKind::Int(bits) => match *program.types.get(ty) {
                Type::Int { signed, .. } => Const::Int(signed, bits.clone()),
                _ => return Some(Value::Pointer(bits.to_u64()?, 0)),
            },
            ExprKind::Float(value) => Const::Float(value.clone()),
            ExprKind::Zero if matches!(program.types.get(ty), Type::Ptr(_)) => {
                return Some(Value::Pointer(0, 0));
            }
            ExprKind::Unary(op, operand) => fold::unary(*op, &scalar(*operand)?)?,
            ExprKind::Binary(BinaryOp::And, left, right) => match scalar(*left)? {
                Const::Bool(true) => scalar(*right)?,
                value => value,
            },
            ExprKind::Binary(BinaryOp::Or, left, right) => match scalar(*left)? {
                Const::Bool(false) => scalar(*right)?,
                value => value,
            },
            ExprKind::Binary(BinaryOp::Implies, left, right) => match scalar(*left)? {
                Const::Bool(true) => scalar(*right)?,
                _ => Const::Bool(true),
            },
            ExprKind::Binary(BinaryOp::PtrAdd, base, index) => {
                let (address, handle) = pointer(*base)?;
                let step = self.offset_of(*base, &scalar(*index)?)?;
                return Some(Value::Pointer(address.wrapping_add(step) & self.memory.mask, handle));
            }
            ExprKind::Binary(BinaryOp::PtrDiff, ..) => return None,
            ExprKind::Binary(op, left, right) => {
                fold::binary(*op, &scalar(*left)?, &scalar(*right)?)?
            }
            ExprKind::Ite(cond, then, other) => {
                let Const::Bool(cond) = scalar(*cond)? else { return None };
                return self.evaluate(t, frame, if cond { *then } else { *other });
            }
            ExprKind::Cast(mode, operand) => match (self.const_type(ty), program.type_of(*operand))
            {
                (Some(to), _) => fold::cast(*mode, &scalar(*operand)?, to),
                (None, Type::Ptr(_)) => {
                    let (address, handle) = pointer(*operand)?;
                    return Some(Value::Pointer(address, handle));
                }
                _ => return None,
            },
            ExprKind::AddressOf(place) => {
                let (address, handle) = self.place_of(t, frame, *place)?;
                return Some(Value::Pointer(address, handle));
            }
            ExprKind::Memory(op, args) => {
                let (address, handle) = pointer(*args.first()?)?;
                match op {
                    MemoryOp::HasObject
                    | MemoryOp::IsLive
                    | MemoryOp::IsHeap
                    | MemoryOp::IsWritable => {
                        Const::Bool(self.memory.ask(*op, address, handle, 0) != 0)
                    }
                    MemoryOp::ObjectSize | MemoryOp::Offset => {
                        let Type::Int { signed, width } = *program.types.get(ty) else {
                            return None;
                        };
                        let answer = self.memory.ask(*op, address, handle, 0);
                        Const::Int(signed, BitVec::from_u64(64, answer).resize_unsigned(width))
                    }
                    MemoryOp::SameObject => {
                        Const::Bool(handle != 0 && handle == pointer(*args.get(1)?)?.1)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Value::Scalar(value))
    }

    fn const_type(&self, ty: TypeId) -> Option<ConstType> {
        match *self.program.types.get(ty) {
            Type::Bool => Some(ConstType::Bool),
            Type::Int { signed, width } => Some(ConstType::Int(signed, width)),
            Type::Float(format) => Some(ConstType::Float(format)),
            _ => None,
        }
    }

    /// Returns the number of bytes by which an index moves a pointer of the type of an expression.
    fn offset_of(&self, pointer: ExprId, index: &Const) -> Option<u64> {
        let Type::Ptr(target) = *self.program.type_of(pointer) else { return None };
        scaled(index, self.program.size_of(target).unwrap_or(1))
    }

    /// Where a place is.
    fn place_of(&self, t: &Thread, frame: &Frame, place: ExprId) -> Option<(u64, Handle)> {
        let program = self.program;
        match *program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => {
                let slots = t.slots.get(frame.slot_base..)?.get(..frame.code.slots.len())?;
                let local = frame.code.slots.iter().position(|slot| slot.symbol == symbol);
                let handle = match local {
                    Some(i) => slots[i].handle,
                    None => self.environment.statics[symbol],
                };
                Some((self.memory.base(handle)?, handle))
            }
            ExprKind::Deref(pointer) => match self.evaluate(t, frame, pointer)? {
                Value::Pointer(address, handle) => Some((address, handle)),
                _ => None,
            },
            ExprKind::Member(base, member) => {
                let (address, handle) = self.place_of(t, frame, base)?;
                let Type::Struct(id) = *program.type_of(base) else { return None };
                let field = program.types.structs[id].fields.get(member as usize)?;
                Some((address.wrapping_add(field.offset), handle))
            }
            ExprKind::Index(base, index) => {
                let (address, handle) = self.place_of(t, frame, base)?;
                let Type::Array(element, _) = *program.type_of(base) else { return None };
                let Value::Scalar(index) = self.evaluate(t, frame, index)? else { return None };
                let step = scaled(&index, program.size_of(element)?)?;
                Some((address.wrapping_add(step) & self.memory.mask, handle))
            }
            _ => None,
        }
    }

    fn read_place(&self, t: &Thread, frame: &Frame, place: ExprId) -> Option<Value> {
        let program = self.program;
        let (address, handle) = self.place_of(t, frame, place)?;
        let ty = program.exprs.ty(place);
        if let &ExprKind::Member(base, member) = program.exprs.kind(place)
            && let &Type::Struct(id) = program.type_of(base)
            && let field = program.types.structs[id].fields.get(member as usize)?
            && let (Some(first), &Type::Int { signed, width }) =
                (field.first_bit, program.types.get(field.ty))
        {
            let part = BitField { first, width };
            let mut bytes = vec![0; crate::values::field_bytes(part)];
            self.memory.read(address, handle, &mut bytes).ok()?;
            return Some(Value::Scalar(Const::Int(signed, extract(&bytes, part))));
        }
        if let Type::Ptr(_) = program.types.get(ty) {
            let (address, handle) = self.memory.load_pointer(address, handle).ok()?;
            return Some(Value::Pointer(address, handle));
        }
        let size = program.size_of(ty)?;
        const LARGEST: u64 = 4096;
        if size > LARGEST {
            return None;
        }
        let big = self.memory.load_big(address, handle, size as usize).ok()?;
        let bits = |width| {
            let n = u32::try_from(big.bytes.len()).unwrap_or(0).saturating_mul(8);
            BitVec::from_le_bytes(n, &big.bytes).resize_unsigned(width)
        };
        Some(match *program.types.get(ty) {
            Type::Bool => Value::Scalar(Const::Bool(big.bytes.first() != Some(&0))),
            Type::Int { signed, width } => Value::Scalar(Const::Int(signed, bits(width))),
            Type::Float(format) => {
                Value::Scalar(Const::Float(Float::from_bits(format, bits(format.width()))))
            }
            _ => Value::Bytes(big),
        })
    }
}

fn scaled(index: &Const, size: u64) -> Option<u64> {
    let Const::Int(signed, bits) = index else { return None };
    let bits = if *signed { bits.resize_signed(64) } else { bits.resize_unsigned(64) };
    Some(bits.to_u64()?.wrapping_mul(size))
}
