//! Static objects: their first values, as the symbols' values and as the function that assigns them.
//!
//! A first value is a list of parts at offsets. Where these are the members and elements of the object's type, the value
//! is written as one constant; a part of a union is one by its bytes. Where they are not (bytes in a pointer), the object is
//! zero first and its parts are assigned through pointers to its bytes.

use super::instructions::Code;
use super::{Expressed, Expresser};
use crate::irep::IrepId;
use crate::view::Kind;
use std::collections::VecDeque;
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{FunctionId, InitPart, StaticInit, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;

/// The longest array whose elements are written out.
const MOST_ELEMENTS: u64 = 1 << 20;

/// The parts of a first value that lie in an object or a part of it.
type Parts<'a> = &'a [InitPart];

impl Expresser<'_> {
    /// Writes the symbols of static objects and the function that gives them their first values.
    pub(super) fn initialize(&mut self, written: &[FunctionId]) {
        let used = self.used_statics(written);
        let mut code = Code::new("__CPROVER_initialize");
        self.hide(&mut code);
        self.books(&mut code);
        for symbol in used {
            let span = self.p.symbols[symbol].span;
            if let Err(what) = self.static_object(symbol, &mut code) {
                let what = format!("{what} (in `{}`)", self.p.symbols[symbol].display);
                self.fail(what, span);
            }
        }
        self.end_function(&mut code, vergo_source::Span::DUMMY);
        self.own_function(code);
    }

    fn static_object(&mut self, symbol: SymbolId, code: &mut Code) -> Expressed<()> {
        let info = &self.p.symbols[symbol];
        let SymbolKind::Static { init, .. } = &info.kind else { return Ok(()) };
        let StaticInit::Data(parts) = init else {
            let nil = self.b.leaf("nil");
            return self.static_symbol(symbol, nil, true);
        };
        let whole = self.first_value(info.ty, 0, parts)?;
        let value = match whole {
            Some(value) => value,
            None if !info.writable => {
                return Err("the first value of a constant object".to_owned());
            }
            None => self.zero(info.ty)?,
        };
        self.static_symbol(symbol, value, false)?;
        let location = self.location(info.span, "");
        let place = self.static_place(symbol)?;
        self.assignment(code, location, place, value);
        if whole.is_none() {
            for part in parts {
                self.assign_part(code, location, place, part)?;
            }
        }
        Ok(())
    }

    /// The constant that parts make at a type, if it has one.
    fn first_value(
        &mut self,
        ty: TypeId,
        offset: u64,
        parts: Parts<'_>,
    ) -> Expressed<Option<IrepId>> {
        if parts.is_empty() {
            return self.zero(ty).map(Some);
        }
        let p = self.p;
        match p.types.get(ty).clone() {
            Type::Array(element, len) => {
                let size = p.size_of(element).unwrap_or(0);
                if len > MOST_ELEMENTS || size == 0 {
                    return Ok(None);
                }
                let mut list = Vec::with_capacity(len as usize);
                let mut rest: VecDeque<InitPart> = parts.iter().cloned().collect();
                for i in 0..len {
                    let at = offset + i * size;
                    let own = take_until(&mut rest, at + size);
                    match self.first_value(element, at, &own)? {
                        Some(value) => list.push(value),
                        None => return Ok(None),
                    }
                }
                let ty = self.ty(ty)?;
                Ok(rest.is_empty().then(|| self.typed("array", &list, ty)))
            }
            Type::Struct(id) if !p.types.structs[id].union => {
                self.first_structure(ty, offset, parts)
            }
            Type::Struct(id) => {
                for field in &p.types.structs[id].fields {
                    let whole = p.size_of(field.ty) == p.size_of(ty) && field.first_bit.is_none();
                    if whole && let Some(value) = self.first_value(field.ty, offset, parts)? {
                        let (ty, name) = (self.ty(ty)?, self.b.leaf(&field.name));
                        let named = [("type", ty), ("component_name", name)];
                        return Ok(Some(self.b.irep("union", &[value], &named)));
                    }
                }
                self.first_bytes(ty, offset, parts)
            }
            _ => self.first_scalar(ty, offset, parts),
        }
    }

    fn first_structure(
        &mut self,
        ty: TypeId,
        offset: u64,
        parts: Parts<'_>,
    ) -> Expressed<Option<IrepId>> {
        let p = self.p;
        let &Type::Struct(id) = p.types.get(ty) else { return Ok(None) };
        let fields = &p.types.structs[id].fields;
        let mut values: Vec<Option<IrepId>> = vec![None; fields.len()];
        let mut rest: VecDeque<InitPart> = parts.iter().cloned().collect();
        // Bytes that bit-fields share.
        let mut bytes: Vec<(u64, u8)> = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            let at = offset + field.offset;
            if field.first_bit.is_some() {
                // The bytes up to the next member that is none.
                let next = fields.iter().skip(i).find(|f| f.first_bit.is_none());
                let end = next.map_or(u64::MAX, |next| offset + next.offset);
                for part in take_until(&mut rest, end) {
                    let InitPart::Bytes { offset, bytes: own } = part else { return Ok(None) };
                    bytes.extend(own.iter().enumerate().map(|(k, &b)| (offset + k as u64, b)));
                }
                continue;
            }
            if !take_until(&mut rest, at).iter().all(is_zero) {
                return Ok(None);
            }
            let size = p.size_of(field.ty).unwrap_or(0);
            let own = take_until(&mut rest, at + size);
            match self.first_value(field.ty, at, &own)? {
                Some(value) => values[i] = Some(value),
                None => return Ok(None),
            }
        }
        if !rest.iter().all(is_zero) {
            return Ok(None);
        }
        let irep = self.ty(ty)?;
        let mut covered = vec![0u8; bytes.len()];
        let value = self.structure_of(id, irep, |e, i| {
            if let Some(value) = values[i] {
                return Ok(value);
            }
            let field = &fields[i];
            let ty = e.field_type(field)?;
            let &Type::Int { width, .. } = p.types.get(field.ty) else {
                return Err("a bit-field that is not an integer".to_owned());
            };
            let first = (offset + field.offset) * 8 + u64::from(field.first_bit.unwrap_or(0));
            let mut bits = BitVec::zero(width);
            for (k, (at, byte)) in bytes.iter().enumerate() {
                for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
                    let place = at * 8 + bit;
                    if place >= first && place < first + u64::from(width) {
                        covered[k] |= 1 << bit;
                        let one = BitVec::one(width);
                        let amount = BitVec::from_u64(width, place - first);
                        bits =
                            if place == first { bits.or(&one) } else { bits.or(&one.shl(&amount)) };
                    }
                }
            }
            Ok(e.constant(ty, &super::values::hex(&bits)))
        })?;
        let all = bytes.iter().zip(&covered).all(|((_, byte), covered)| byte == covered);
        Ok(all.then_some(value))
    }

    /// A value by its bytes, where they are all known: for a union of which no member has its size.
    fn first_bytes(
        &mut self,
        ty: TypeId,
        offset: u64,
        parts: Parts<'_>,
    ) -> Expressed<Option<IrepId>> {
        let size = self.p.size_of(ty).unwrap_or(0);
        if size > MOST_ELEMENTS {
            return Ok(None);
        }
        let mut bytes = vec![0u8; size as usize];
        for part in parts {
            let own = match part {
                InitPart::Bytes { bytes, .. } => bytes.to_vec(),
                InitPart::Value { value, .. } => match self.p.exprs.kind(*value) {
                    ExprKind::Int(bits) => bits.to_le_bytes(),
                    ExprKind::Float(value) => value.bits().to_le_bytes(),
                    _ => return Ok(None),
                },
            };
            let at = part_offset(part).checked_sub(offset).map(|at| at as usize);
            match at.and_then(|at| bytes.get_mut(at..at + own.len())) {
                Some(place) => place.copy_from_slice(&own),
                None => return Ok(None),
            }
        }
        let byte = self.int_type(false, 8);
        let elements: Vec<IrepId> =
            bytes.iter().map(|value| self.constant(byte, &format!("{value:X}"))).collect();
        let array = self.array_type(byte, size);
        let array = self.typed("array", &elements, array);
        self.bytes_of(array, ty).map(Some)
    }

    fn first_scalar(
        &mut self,
        ty: TypeId,
        offset: u64,
        parts: Parts<'_>,
    ) -> Expressed<Option<IrepId>> {
        match parts {
            [InitPart::Value { offset: at, value }] if *at == offset => {
                if self.p.exprs.ty(*value) == ty {
                    return self.value(*value).map(Some);
                }
                Ok(None)
            }
            [InitPart::Value { .. }, ..] => Ok(None),
            _ => {
                let width = match *self.p.types.get(ty) {
                    Type::Int { width, .. } => width,
                    Type::Float(format) => format.width(),
                    _ if parts.iter().all(is_zero) => return self.zero(ty).map(Some),
                    _ => return Ok(None),
                };
                let size = self.p.size_of(ty).unwrap_or(0);
                let mut bytes = vec![0u8; size as usize];
                for part in parts {
                    let InitPart::Bytes { offset: at, bytes: own } = part else { return Ok(None) };
                    for (k, byte) in own.iter().enumerate() {
                        let slot = (at + k as u64).checked_sub(offset);
                        match slot.and_then(|slot| bytes.get_mut(slot as usize)) {
                            Some(slot) => *slot = *byte,
                            None => return Ok(None),
                        }
                    }
                }
                let bits = BitVec::from_le_bytes(width, &bytes);
                let ty = self.ty(ty)?;
                Ok(Some(self.constant(ty, &super::values::hex(&bits))))
            }
        }
    }

    /// Assigns a part through a pointer.
    fn assign_part(
        &mut self,
        code: &mut Code,
        location: IrepId,
        object: IrepId,
        part: &InitPart,
    ) -> Expressed<()> {
        let byte = self.int_type(false, 8);
        match part {
            InitPart::Value { offset, value } => {
                let ty = self.ty(self.p.exprs.ty(*value))?;
                let value = self.value(*value)?;
                let place = self.at_offset(object, *offset, ty);
                self.assignment(code, location, place, value);
            }
            InitPart::Bytes { offset, bytes } => {
                for (k, value) in bytes.iter().enumerate().filter(|(_, value)| **value != 0) {
                    let place = self.at_offset(object, offset + k as u64, byte);
                    let value = self.constant(byte, &format!("{value:X}"));
                    self.assignment(code, location, place, value);
                }
            }
        }
        Ok(())
    }

    /// The place of a type at an offset in an object.
    fn at_offset(&mut self, object: IrepId, offset: u64, ty: IrepId) -> IrepId {
        let byte = self.int_type(false, 8);
        let to_byte = self.pointer_to(byte);
        let address = self.typed("address_of", &[object], to_byte);
        let offset = self.offset(offset);
        let at = self.typed("+", &[address, offset], to_byte);
        let to = self.pointer_to(ty);
        let at = self.typed("typecast", &[at], to);
        self.typed("dereference", &[at], ty)
    }

    /// Declares the variables in which CBMC's library keeps its records.
    fn books(&mut self, code: &mut Code) {
        let nil = self.b.leaf("nil");
        let empty = self.b.leaf("empty");
        let pointer = self.pointer_to(empty);
        let null = self.constant(pointer, "NULL");
        for name in ["__CPROVER_dead_object", "__CPROVER_deallocated", "__CPROVER_memory_leak"] {
            let place = self.book(name, pointer, null);
            self.assignment(code, nil, place, null);
        }
        let int = self.int_type(true, 32);
        let zero = self.constant(int, "0");
        let place = self.book("__CPROVER_rounding_mode", int, zero);
        self.assignment(code, nil, place, zero);
        let word = self.int_type(false, self.p.machine.pointer_width);
        let digits = self.p.machine.pointer_width as usize / 4 - 3;
        let most = self.constant(word, &format!("8{}", "0".repeat(digits)));
        let place = self.book("__CPROVER_max_malloc_size", word, most);
        self.assignment(code, nil, place, most);
    }

    /// An assignment of two ireps.
    pub(super) fn assignment(&mut self, code: &mut Code, at: IrepId, place: IrepId, value: IrepId) {
        let statement = self.statement("assign", &[place, value]);
        self.push(code, Kind::Assign, statement, at, None);
    }
}

/// Returns whether a part of an initialiser only says what holds anyway.
fn is_zero(part: &InitPart) -> bool {
    matches!(part, InitPart::Bytes { bytes, .. } if bytes.iter().all(|&byte| byte == 0))
}

fn part_offset(part: &InitPart) -> u64 {
    match part {
        InitPart::Value { offset, .. } | InitPart::Bytes { offset, .. } => *offset,
    }
}

/// Takes the parts before an offset; bytes that go beyond it are cut.
fn take_until(rest: &mut VecDeque<InitPart>, end: u64) -> Vec<InitPart> {
    let mut own = Vec::new();
    while rest.front().is_some_and(|part| part_offset(part) < end) {
        own.extend(rest.pop_front());
    }
    if let Some(InitPart::Bytes { offset, bytes }) = own.last_mut()
        && *offset + bytes.len() as u64 > end
    {
        let (keep, beyond) = bytes.split_at((end - *offset) as usize);
        let (keep, beyond) = (keep.into(), beyond.into());
        *bytes = keep;
        rest.push_front(InitPart::Bytes { offset: end, bytes: beyond });
    }
    own
}
