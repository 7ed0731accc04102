//! Memory by the book: objects of bytes, each byte eight bits, and the pointer that it is a part of, if it is one.

use super::circuit::{Bit, Circuits, ONE, Word, ZERO, constant, extend, known};
use super::{Path, Plain, Stop};
use std::rc::Rc;
use vergo_goto::program::FunctionId;
use vergo_goto::types::{Type, TypeId};

/// Bits of an object's number; number zero is no object.
pub(super) const OBJECT_BITS: usize = 16;

/// The largest object that is followed, and the most places that one access may be to.
const MAX_SIZE: u64 = 1 << 14;
const MAX_PLACES: usize = 1 << 11;

/// An object's number and an offset in it, or zero and an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    pub(super) object: Word,
    pub(super) offset: Word,
}

/// A byte of an object.
#[derive(Clone, Debug)]
pub(super) struct Byte {
    pub(super) bits: [Bit; 8],
    pub(super) init: Bit,
    part: Part,
}

/// The pointer that a byte is a part of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Of none.
    None,
    /// Its byte of this number.
    Of(Rc<Pointer>, u8),
    /// Of several, or of one or none.
    Mixed,
}

/// A value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Bool(Bit),
    Word(Word),
    Pointer(Pointer),
    /// A structure, union or array.
    Bytes(Vec<Byte>),
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) bytes: Vec<Byte>,
    pub(super) live: bool,
    pub(super) heap: bool,
    pub(super) writable: bool,
    /// True if it is an automatic object that only its variable may write.
    pub(super) protected: bool,
    pub(super) function: Option<FunctionId>,
    pub(super) align: u64,
    pub(super) base: Option<Word>,
}

impl Object {
    pub(super) fn new(bytes: Vec<Byte>, align: u64) -> Object {
        let (heap, writable, function) = (false, true, None);
        Object { bytes, live: true, heap, writable, protected: false, function, align, base: None }
    }
}

impl Byte {
    pub(super) fn known(value: u8) -> Byte {
        let bits = std::array::from_fn(|i| Bit::Const(value >> i & 1 == 1));
        Byte { bits, init: ONE, part: Part::None }
    }

    pub(super) fn any(circuits: &mut Circuits, init: Bit) -> Byte {
        Byte { bits: std::array::from_fn(|_| circuits.fresh()), init, part: Part::None }
    }

    fn is_zero(&self) -> bool {
        self.bits.iter().all(|&bit| bit == ZERO)
    }
}

/// Part of an object: where it begins, and if it is a bit-field, with which bit.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) pointer: Pointer,
    pub(super) first_bit: Option<u32>,
    pub(super) ty: TypeId,
}

/// A place that an access may be to.
struct Access {
    guard: Bit,
    object: usize,
    offset: usize,
}

impl Plain<'_> {
    pub(super) fn width(&self) -> usize {
        self.program.machine.pointer_width as usize
    }

    pub(super) fn size(&self, ty: TypeId) -> Result<usize, Stop> {
        if *self.program.types.get(ty) == Type::Bool {
            return Ok(1);
        }
        let size = self.program.types.size_of(ty, &self.program.machine);
        match size {
            Some(size) if size <= MAX_SIZE => Ok(size as usize),
            Some(_) => Err(Stop::unsupported("a large object")),
            None => Err(Stop::unsupported("a type without size")),
        }
    }

    pub(super) fn null(&self) -> Pointer {
        Pointer { object: constant(OBJECT_BITS, 0), offset: constant(self.width(), 0) }
    }

    pub(super) fn pointer_to(&self, object: usize) -> Pointer {
        let offset = constant(self.width(), 0);
        Pointer { object: constant(OBJECT_BITS, object as u64), offset }
    }

    /// Adds an object; gives its number.
    pub(super) fn add_object(&self, path: &mut Path, object: Object) -> Result<usize, Stop> {
        path.objects.push(Rc::new(object));
        let number = path.objects.len() - 1;
        match number >> OBJECT_BITS {
            0 => Ok(number),
            _ => Err(Stop::unsupported("many objects")),
        }
    }

    pub(super) fn function_object(
        &self,
        path: &mut Path,
        function: FunctionId,
    ) -> Result<usize, Stop> {
        let is_it = |object: &Rc<Object>| object.function == Some(function);
        if let Some(number) = path.objects.iter().position(is_it) {
            return Ok(number);
        }
        let object = Object { writable: false, function: Some(function), ..Object::new(vec![], 1) };
        self.add_object(path, object)
    }

    /// The address at which an object begins: any that is aligned, not null, and not within another live object.
    fn base(&mut self, path: &mut Path, number: usize) -> Word {
        if let Some(base) = &path.objects[number].base {
            return base.clone();
        }
        let width = self.width();
        let mut base = self.circuits.fresh_word(width as u32);
        let align = path.objects[number].align.max(1);
        for bit in base.iter_mut().take(align.trailing_zeros() as usize) {
            *bit = ZERO;
        }
        let not_null = self.circuits.any(&base);
        path.conditions.push(not_null);
        let range = |circuits: &mut Circuits, base: &Word, object: &Object| {
            let start = extend(base, width + 1, false);
            let size = constant(width + 1, object.bytes.len().max(1) as u64);
            let end = circuits.add(&start, &size);
            (start, end)
        };
        let (start, end) = range(&mut self.circuits, &base, &path.objects[number]);
        path.conditions.push(!end[width]);
        for other in 1..path.objects.len() {
            let object = path.objects[other].clone();
            let both_live = object.live && path.objects[number].live;
            if let (true, Some(base)) = (both_live, &object.base) {
                let (other_start, other_end) = range(&mut self.circuits, base, &object);
                let before = !self.circuits.less(&other_start, &end, false);
                let behind = !self.circuits.less(&start, &other_end, false);
                let apart = self.circuits.or(before, behind);
                path.conditions.push(apart);
            }
        }
        Rc::make_mut(&mut path.objects[number]).base = Some(base.clone());
        base
    }

    pub(super) fn address(&mut self, path: &mut Path, pointer: &Pointer) -> Word {
        let mut start = constant(self.width(), 0);
        for (number, guard) in self.objects_of(path, pointer) {
            let base = self.base(path, number);
            start = self.circuits.ite_word(guard, &base, &start);
        }
        self.circuits.add(&start, &pointer.offset)
    }

    /// The objects that a pointer can be attached to, and when it is.
    pub(super) fn objects_of(&mut self, path: &Path, pointer: &Pointer) -> Vec<(usize, Bit)> {
        match known(&pointer.object) {
            Some(0) => Vec::new(),
            Some(number) => vec![(number as usize, ONE)],
            None => {
                let mut found = Vec::new();
                for number in 1..path.objects.len() {
                    let number_word = constant(OBJECT_BITS, number as u64);
                    match self.circuits.equal(&pointer.object, &number_word) {
                        Bit::Const(false) => {}
                        guard => found.push((number, guard)),
                    }
                }
                found
            }
        }
    }

    /// The places that an access of some bytes can be to. That it can be to none ends the exploration.
    fn accesses(
        &mut self,
        path: &mut Path,
        pointer: &Pointer,
        size: usize,
    ) -> Result<Vec<Access>, Stop> {
        let mut accesses = Vec::new();
        for (object, guard) in self.objects_of(path, pointer) {
            let of = path.objects[object].clone();
            if !of.live || of.function.is_some() || of.bytes.len() < size {
                continue;
            }
            let last = of.bytes.len() - size;
            if let Some(offset) = known(&pointer.offset) {
                if offset <= last as u64 {
                    accesses.push(Access { guard, object, offset: offset as usize });
                }
                continue;
            }
            if accesses.len() + last > MAX_PLACES {
                return Err(Stop::unsupported("an access to one of many places"));
            }
            for offset in 0..=last {
                let here = constant(self.width(), offset as u64);
                let here = self.circuits.equal(&pointer.offset, &here);
                let guard = self.circuits.and(guard, here);
                if guard != ZERO {
                    accesses.push(Access { guard, object, offset });
                }
            }
        }
        let guards: Vec<Bit> = accesses.iter().map(|access| access.guard).collect();
        let meant = self.circuits.any(&guards);
        if self.possible(path, !meant)? {
            return Err(Stop::unsupported("undefined behaviour that is not asked about"));
        }
        Ok(accesses)
    }

    pub(super) fn load(&mut self, path: &mut Path, place: &Place) -> Result<Value, Stop> {
        let size = self.access_size(place)?;
        let mut value: Option<Value> = None;
        for Access { guard, object, offset } in self.accesses(path, &place.pointer, size)? {
            let object = path.objects[object].clone();
            let bytes = &object.bytes[offset..offset + size];
            let read = match place.first_bit {
                Some(first) => self.read_bits(bytes, first as usize, place.ty),
                None => self.decode(bytes, place.ty),
            };
            let read = match read {
                Ok(read) => read,
                // What nobody does need not be understood.
                Err(_) if !self.possible(path, guard)? => continue,
                Err(stop) => return Err(stop),
            };
            value = Some(match value {
                Some(other) => self.choose(guard, &read, &other)?,
                None => read,
            });
        }
        value.ok_or_else(|| Stop::unsupported("an access that nobody makes"))
    }

    pub(super) fn store(
        &mut self,
        path: &mut Path,
        place: &Place,
        value: &Value,
    ) -> Result<(), Stop> {
        let size = self.access_size(place)?;
        let new = match place.first_bit {
            Some(_) => Vec::new(),
            None => self.encode(path, value, place.ty)?,
        };
        for Access { guard, object, offset } in self.accesses(path, &place.pointer, size)? {
            if !path.objects[object].writable {
                if self.possible(path, guard)? {
                    return Err(Stop::unsupported("undefined behaviour that is not asked about"));
                }
                continue;
            }
            let old = path.objects[object].bytes[offset..offset + size].to_vec();
            let new = match (place.first_bit, value) {
                (Some(first), Value::Word(word)) => with_bits(&old, first as usize, word),
                _ => new.clone(),
            };
            let bytes: Vec<Byte> =
                new.iter().zip(&old).map(|(new, old)| self.choose_byte(guard, new, old)).collect();
            let target = Rc::make_mut(&mut path.objects[object]);
            target.bytes.splice(offset..offset + size, bytes);
        }
        Ok(())
    }

    /// Returns the number of bytes that an access to a place touches.
    fn access_size(&self, place: &Place) -> Result<usize, Stop> {
        match (place.first_bit, self.program.types.get(place.ty)) {
            (Some(first), Type::Int { width, .. }) => Ok((first + width).div_ceil(8) as usize),
            _ => self.size(place.ty),
        }
    }

    fn read_bits(&self, bytes: &[Byte], first: usize, ty: TypeId) -> Result<Value, Stop> {
        let &Type::Int { width, .. } = self.program.types.get(ty) else {
            return Err(Stop::unsupported("a bit-field that is no integer"));
        };
        let bits = bytes.iter().flat_map(|byte| byte.bits);
        Ok(Value::Word(bits.skip(first).take(width as usize).collect()))
    }

    /// The value that bytes encode.
    pub(super) fn decode(&mut self, bytes: &[Byte], ty: TypeId) -> Result<Value, Stop> {
        let bits = || bytes.iter().flat_map(|byte| byte.bits);
        match *self.program.types.get(ty) {
            Type::Bool => Ok(Value::Bool(bytes[0].bits[0])),
            Type::Int { width, .. } => Ok(Value::Word(bits().take(width as usize).collect())),
            Type::Ptr(_) => {
                if bytes.iter().all(|byte| byte.is_zero() && byte.part == Part::None) {
                    return Ok(Value::Pointer(self.null()));
                }
                let mut whole: Option<Rc<Pointer>> = None;
                for (i, byte) in bytes.iter().enumerate() {
                    match (&byte.part, &whole) {
                        (Part::Of(pointer, at), None) if usize::from(*at) == i => {
                            whole = Some(pointer.clone());
                        }
                        (Part::Of(pointer, at), Some(whole))
                            if usize::from(*at) == i && pointer == whole => {}
                        _ => return Err(Stop::unsupported("a pointer made of other bytes")),
                    }
                }
                let whole = whole.ok_or_else(|| Stop::unsupported("a pointer without bytes"))?;
                Ok(Value::Pointer((*whole).clone()))
            }
            Type::Array(..) | Type::Struct(_) => Ok(Value::Bytes(bytes.to_vec())),
            Type::Float(_) => Err(Stop::unsupported("floating numbers")),
            Type::Void | Type::Func(..) => Err(Stop::unsupported("a value without type")),
        }
    }

    /// The bytes of a value.
    pub(super) fn encode(
        &mut self,
        path: &mut Path,
        value: &Value,
        ty: TypeId,
    ) -> Result<Vec<Byte>, Stop> {
        let (size, signed) = (self.size(ty)?, self.is_signed(ty));
        let bytes_of = |word: &Word| -> Vec<Byte> {
            let byte = |bits: &[Bit]| Byte {
                bits: std::array::from_fn(|i| bits[i]),
                init: ONE,
                part: Part::None,
            };
            word.chunks_exact(8).map(byte).collect()
        };
        Ok(match value {
            Value::Bool(bit) => bytes_of(&extend(&[*bit], 8, false)),
            Value::Word(word) => bytes_of(&extend(word, size * 8, signed)),
            Value::Pointer(pointer) => {
                let address = self.address(path, pointer);
                let mut bytes = bytes_of(&address);
                let whole = Rc::new(pointer.clone());
                for (i, byte) in bytes.iter_mut().enumerate() {
                    byte.part = Part::Of(whole.clone(), i as u8);
                }
                bytes
            }
            Value::Bytes(bytes) => bytes.clone(),
        })
    }

    /// `if c then a else b` of values of one type.
    pub(super) fn choose(&mut self, c: Bit, a: &Value, b: &Value) -> Result<Value, Stop> {
        Ok(match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.circuits.ite(c, *a, *b)),
            (Value::Word(a), Value::Word(b)) => Value::Word(self.circuits.ite_word(c, a, b)),
            (Value::Pointer(a), Value::Pointer(b)) => {
                Value::Pointer(choose_pointer(&mut self.circuits, c, a, b))
            }
            (Value::Bytes(a), Value::Bytes(b)) => {
                let bytes = a.iter().zip(b).map(|(a, b)| self.choose_byte(c, a, b));
                Value::Bytes(bytes.collect())
            }
            _ => return Err(Stop::unsupported("a choice between values of different types")),
        })
    }

    fn choose_byte(&mut self, c: Bit, a: &Byte, b: &Byte) -> Byte {
        match c {
            Bit::Const(true) => return a.clone(),
            Bit::Const(false) => return b.clone(),
            Bit::Lit(_) => {}
        }
        let bits = std::array::from_fn(|i| self.circuits.ite(c, a.bits[i], b.bits[i]));
        let init = self.circuits.ite(c, a.init, b.init);
        // Zeros may be a part of the null pointer.
        let part = |byte: &Byte, other: &Byte| match (&byte.part, &other.part) {
            (Part::None, Part::Of(_, i)) if byte.is_zero() => Part::Of(Rc::new(self.null()), *i),
            (part, _) => part.clone(),
        };
        let part = match (part(a, b), part(b, a)) {
            (a, b) if a == b => a,
            (Part::Of(a, i), Part::Of(b, j)) if i == j => {
                Part::Of(Rc::new(choose_pointer(&mut self.circuits, c, &a, &b)), i)
            }
            _ => Part::Mixed,
        };
        Byte { bits, init, part }
    }

    /// Checks whether pointers whose objects are known lead from live variables to every live object of the heap.
    pub(super) fn is_heap_reached(&mut self, path: &Path) -> bool {
        let mut reached: Vec<bool> =
            path.objects.iter().map(|object| object.live && !object.heap).collect();
        let mut pending: Vec<usize> =
            (1..reached.len()).filter(|&number| reached[number]).collect();
        while let Some(number) = pending.pop() {
            let bytes = &path.objects[number].bytes;
            for window in bytes.windows(self.width() / 8) {
                let Part::Of(pointer, 0) = &window[0].part else { continue };
                let is_whole = (0u8..).zip(window).all(
                    |(i, byte)| matches!(&byte.part, Part::Of(other, j) if *j == i && other == pointer),
                );
                let (Some(to), Some(at)) = (known(&pointer.object), known(&pointer.offset)) else {
                    continue;
                };
                let to = to as usize;
                let is_inside = at == 0 || at < path.objects[to].bytes.len() as u64;
                if is_whole && is_inside && path.objects[to].live && !reached[to] {
                    reached[to] = true;
                    pending.push(to);
                }
            }
        }
        path.objects
            .iter()
            .zip(reached)
            .all(|(object, reached)| reached || !object.live || !object.heap)
    }

    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Int { signed: true, .. })
    }
}

fn choose_pointer(circuits: &mut Circuits, c: Bit, a: &Pointer, b: &Pointer) -> Pointer {
    Pointer {
        object: circuits.ite_word(c, &a.object, &b.object),
        offset: circuits.ite_word(c, &a.offset, &b.offset),
    }
}

/// Bytes in which some bits are replaced, from a bit of the first byte on.
fn with_bits(old: &[Byte], first: usize, word: &[Bit]) -> Vec<Byte> {
    let mut bytes = old.to_vec();
    for (i, &bit) in word.iter().enumerate() {
        let at = first + i;
        bytes[at / 8].bits[at % 8] = bit;
        bytes[at / 8].init = ONE;
        bytes[at / 8].part = Part::None;
    }
    bytes
}
