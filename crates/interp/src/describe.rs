//! Values as people read them: pointers by what they point to, structures and arrays by their parts.

use crate::code::{BitField, Loc, Rep};
use crate::machine::{Machine, Thread};
use crate::memory::{Big, Handle, Origin, index, origin};
use crate::trace::Variable;
use crate::values::{Registers, extract};
use std::fmt::Write as _;
use vergo_goto::fold::Const;
use vergo_goto::program::SymbolId;
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float};

/// Parts of an aggregate that are shown.
const PARTS: usize = 8;
/// Depth of aggregates that is shown.
const DEPTH: u32 = 4;

impl Machine<'_> {
    /// A value in registers; its type says how the bytes of an aggregate are to be read.
    pub(crate) fn value_text(&self, r: &Registers<'_>, loc: Loc, ty: Option<TypeId>) -> String {
        match loc.rep {
            Rep::Pointer => {
                let (address, handle) = r.pair(loc.reg);
                self.pointer_text(r.thread, address, handle, ty)
            }
            Rep::Bytes(_) => {
                let value = r.big(loc.reg);
                match ty {
                    Some(ty) => self.bytes_as(r.thread, value, ty),
                    None => {
                        let mut text = String::new();
                        bytes_text(&value.bytes, &mut text);
                        text
                    }
                }
            }
            _ => match r.constant(loc) {
                Const::Bool(value) => value.to_string(),
                Const::Int(true, bits) => bits.to_signed_decimal(),
                Const::Int(false, bits) => bits.to_unsigned_decimal(),
                Const::Float(value) => value.to_decimal(),
            },
        }
    }

    /// Bytes as a value of a type.
    pub(crate) fn bytes_as(&self, t: &Thread, value: &Big, ty: TypeId) -> String {
        let mut text = String::new();
        self.aggregate_text(t, value, 0, ty, DEPTH, &mut text);
        text
    }

    /// A pointer, of a type if that is known, by its object: the variable's name, or the number of the allocation.
    pub(crate) fn pointer_text(
        &self,
        t: &Thread,
        address: u64,
        handle: Handle,
        ty: Option<TypeId>,
    ) -> String {
        if handle == 0 {
            return if address == 0 { "NULL".to_owned() } else { format!("{address:#x}") };
        }
        let (name, object) = match origin(handle) {
            Some(Origin::Function) => {
                let function = self.program.functions.values().nth(index(handle));
                (function.map(|function| function.display.clone()), None)
            }
            Some(Origin::Heap) => {
                (Some(format!("heap object {}", self.memory.heap_number(handle))), None)
            }
            Some(Origin::Static) => self.static_name(handle),
            Some(Origin::Local) => {
                let found = self.local(t, handle).map(|(symbol, _)| &self.program.symbols[symbol]);
                let symbol = found.filter(|symbol| !symbol.display.is_empty());
                let name = symbol.map(|symbol| format!("&{}", symbol.display));
                (name, symbol.map(|symbol| symbol.ty))
            }
            Some(Origin::Stack) | None => (None, None),
        };
        let mut text = name.unwrap_or_else(|| "an unnamed object".to_owned());
        match self.memory.base(handle) {
            Some(base) => {
                let offset = self.memory.signed(address.wrapping_sub(base));
                if origin(handle) != Some(Origin::Function) {
                    let wanted = ty.and_then(|ty| match *self.program.types.get(ty) {
                        Type::Ptr(target) => Some(target),
                        _ => None,
                    });
                    self.push_offset(offset, object, wanted, &mut text);
                }
            }
            None => text.push_str(" (no longer alive)"),
        }
        text
    }

    /// Appends the part of an object at an offset: by name where its type has one there, and bytes.
    fn push_offset(
        &self,
        offset: i64,
        ty: Option<TypeId>,
        wanted: Option<TypeId>,
        out: &mut String,
    ) {
        let mut rest = offset.unsigned_abs();
        let size = ty.and_then(|ty| self.program.size_of(ty)).unwrap_or(0);
        if let Some(ty) = ty.filter(|_| (1..=size as i128).contains(&offset.into())) {
            let (path, left) = self.program.part_at(ty, rest, wanted);
            out.push_str(&path);
            rest = left;
        }
        let sign = if offset < 0 { '-' } else { '+' };
        match rest {
            0 => {}
            1 => {
                let _ = write!(out, " {sign} 1 byte");
            }
            n => {
                let _ = write!(out, " {sign} {n} bytes");
            }
        }
    }

    /// The variable that a pointer leads into.
    pub(crate) fn variable_at(&self, t: &Thread, address: u64, handle: Handle) -> Option<Variable> {
        let (symbol, call) = match origin(handle)? {
            Origin::Static => (self.static_at(handle)?, None),
            Origin::Local => self.local(t, handle).map(|(symbol, call)| (symbol, Some(call)))?,
            _ => return None,
        };
        let offset = address.checked_sub(self.memory.base(handle)?)?;
        Some(Variable { symbol, call, offset })
    }

    fn static_at(&self, handle: Handle) -> Option<SymbolId> {
        let mut known = self.statics_by_handle.borrow_mut();
        if let Some(symbol) = known.get(&handle) {
            return Some(*symbol);
        }
        let mut ids = self.program.symbols.keys();
        let found = ids.find(|id| self.environment.statics[*id] == handle)?;
        known.insert(handle, found);
        Some(found)
    }

    /// The address of a static variable, with its type; a string literal is itself.
    fn static_name(&self, handle: Handle) -> (Option<String>, Option<TypeId>) {
        let Some(symbol) = self.static_at(handle) else { return (None, None) };
        let symbol = &self.program.symbols[symbol];
        if !symbol.display.is_empty() {
            return (Some(format!("&{}", symbol.display)), Some(symbol.ty));
        }
        (self.literal(handle, symbol.ty), None)
    }

    /// The text of a string literal; other objects without a name have nothing to be called by.
    fn literal(&self, handle: Handle, ty: TypeId) -> Option<String> {
        const LONGEST: u64 = 4096;
        let &Type::Array(element, _) = self.program.types.get(ty) else { return None };
        let size = self.program.size_of(ty).filter(|&size| size <= LONGEST)?;
        let base = self.memory.base(handle)?;
        let bytes = self.memory.load_big(base, handle, size as usize).ok()?.bytes;
        is_text(self.program.types.get(element), &bytes).then(|| {
            let mut text = String::new();
            string_text(&bytes, &mut text);
            text
        })
    }

    /// The variable of an active call whose object this is: the thread, and how many calls are active with that one.
    /// Threads give each other pointers to their variables.
    fn local(&self, t: &Thread, handle: Handle) -> Option<(SymbolId, (usize, usize))> {
        let inside = |t: &Thread| {
            let mut frames = t.frames.iter().enumerate().rev();
            frames.find_map(|(depth, frame)| {
                let slots = &t.slots[frame.slot_base..][..frame.code.slots.len()];
                let i = slots.iter().position(|slot| slot.handle == handle)?;
                Some((frame.code.slots[i].symbol, depth + 1))
            })
        };
        let own = inside(t).map(|(symbol, depth)| (symbol, (self.current, depth)));
        own.or_else(|| {
            let mut others = self.threads.iter().enumerate();
            others.find_map(|(n, other)| inside(other).map(|(symbol, depth)| (symbol, (n, depth))))
        })
    }

    fn aggregate_text(
        &self,
        t: &Thread,
        value: &Big,
        offset: u64,
        ty: TypeId,
        depth: u32,
        out: &mut String,
    ) {
        let program = self.program;
        let size = program.size_of(ty).unwrap_or(0);
        let range = offset as usize..offset.saturating_add(size) as usize;
        let Some(bytes) = value.bytes.get(range).filter(|_| depth > 0) else {
            return out.push_str("...");
        };
        match *program.types.get(ty) {
            Type::Int { signed, width } => {
                let bits = bits_of(bytes).resize_unsigned(width);
                let text =
                    if signed { bits.to_signed_decimal() } else { bits.to_unsigned_decimal() };
                out.push_str(&text);
            }
            Type::Float(format) => {
                let bits = bits_of(bytes).resize_unsigned(format.width());
                out.push_str(&Float::from_bits(format, bits).to_decimal());
            }
            Type::Ptr(_) => {
                let address = bits_of(bytes).to_u64().unwrap_or(0);
                let noted = value.notes.iter().find(|note| note.0 == offset && note.1 == address);
                let handle = noted.map_or_else(|| self.memory.attach(address), |note| note.2);
                out.push_str(&self.pointer_text(t, address, handle, Some(ty)));
            }
            Type::Array(element, n) => {
                let stride = program.size_of(element).unwrap_or(0);
                if is_text(program.types.get(element), bytes) {
                    return string_text(bytes, out);
                }
                out.push('{');
                for i in 0..n.min(PARTS as u64) {
                    out.push_str(if i > 0 { ", " } else { "" });
                    self.aggregate_text(t, value, offset + i * stride, element, depth - 1, out);
                }
                out.push_str(if n > PARTS as u64 { ", ...}" } else { "}" });
            }
            Type::Struct(id) => {
                out.push('{');
                for (i, field) in program.types.structs[id].fields.iter().take(PARTS).enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    let _ = write!(out, ".{} = ", field.name);
                    let at = offset + field.offset;
                    match (field.first_bit, program.types.get(field.ty)) {
                        (Some(first), &Type::Int { signed, width }) => {
                            let part = BitField { first, width };
                            let from = value.bytes.get(at as usize..).unwrap_or_default();
                            if from.len() < crate::values::field_bytes(part) {
                                out.push_str("...");
                                continue;
                            }
                            let bits = extract(from, part);
                            let text = if signed {
                                bits.to_signed_decimal()
                            } else {
                                bits.to_unsigned_decimal()
                            };
                            out.push_str(&text);
                        }
                        _ => self.aggregate_text(t, value, at, field.ty, depth - 1, out),
                    }
                }
                let more = program.types.structs[id].fields.len() > PARTS;
                out.push_str(if more { ", ...}" } else { "}" });
            }
            _ => bytes_text(bytes, out),
        }
    }
}

fn bits_of(bytes: &[u8]) -> BitVec {
    BitVec::from_le_bytes((bytes.len() as u32).saturating_mul(8), bytes)
}

/// Returns whether an array of characters reads as a string: printable up to a NUL.
fn is_text(element: &Type, bytes: &[u8]) -> bool {
    let printable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    matches!(element, Type::Int { width: 8, .. })
        && bytes
            .iter()
            .position(|&byte| byte == 0)
            .is_some_and(|end| end > 0 && bytes[..end].iter().all(printable))
}

fn string_text(bytes: &[u8], out: &mut String) {
    const SHOWN: usize = 40;
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    out.push('"');
    for &byte in &bytes[..end.min(SHOWN)] {
        let _ = write!(out, "{}", byte.escape_ascii());
    }
    out.push_str(if end > SHOWN { "...\"" } else { "\"" });
}

fn bytes_text(bytes: &[u8], out: &mut String) {
    const SHOWN: usize = 32;
    let shown: Vec<String> = bytes.iter().take(SHOWN).map(|b| format!("{b:02x}")).collect();
    let more = if bytes.len() > SHOWN { " ..." } else { "" };
    let _ = write!(out, "{{{}{more}}}", shown.join(" "));
}
