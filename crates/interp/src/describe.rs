//! Values as people read them: pointers by what they point to, structures and arrays by their parts.

use crate::code::{BitField, Loc, Rep};
use crate::machine::{Machine, Thread};
use crate::memory::{Big, Handle, Origin, index, origin};
use crate::values::{Registers, extract};
use std::fmt::Write as _;
use vergo_goto::fold::Const;
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
                self.pointer_text(r.thread, address, handle)
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

    /// A pointer by its object: the variable's name, or the number of the allocation.
    pub(crate) fn pointer_text(&self, t: &Thread, address: u64, handle: Handle) -> String {
        if handle == 0 {
            return if address == 0 { "NULL".to_owned() } else { format!("{address:#x}") };
        }
        let name = match origin(handle) {
            Some(Origin::Function) => {
                let function = self.program.functions.values().nth(index(handle));
                function.map(|function| function.display.clone())
            }
            Some(Origin::Heap) => Some(format!("heap object {}", self.memory.heap_number(handle))),
            Some(Origin::Static) => self.static_name(handle),
            Some(Origin::Local) => {
                // Threads give each other pointers to their variables.
                let others =
                    || self.threads.iter().find_map(|other| self.local_name(other, handle));
                self.local_name(t, handle).or_else(others).map(|name| format!("&{name}"))
            }
            Some(Origin::Stack) | None => None,
        };
        let mut text = name.unwrap_or_else(|| "an object".to_owned());
        match self.memory.base(handle) {
            Some(base) => {
                let offset = self.memory.signed(address.wrapping_sub(base));
                if offset != 0 && origin(handle) != Some(Origin::Function) {
                    let _ = write!(
                        text,
                        " {} {} bytes",
                        if offset < 0 { '-' } else { '+' },
                        offset.unsigned_abs()
                    );
                }
            }
            None => text.push_str(" (no longer alive)"),
        }
        text
    }

    /// The address of a static variable; a string literal is itself.
    fn static_name(&self, handle: Handle) -> Option<String> {
        let symbols = &self.program.symbols;
        let (_, symbol) = symbols.iter().find(|(id, _)| self.environment.statics[*id] == handle)?;
        if !symbol.display.is_empty() {
            return Some(format!("&{}", symbol.display));
        }
        const LONGEST: u64 = 4096;
        if let Type::Array(element, _) = *self.program.types.get(symbol.ty)
            && let Some(size) = self.program.size_of(symbol.ty).filter(|&size| size <= LONGEST)
        {
            let base = self.memory.base(handle)?;
            let bytes = self.memory.load_big(base, handle, size as usize).ok()?.bytes;
            if is_text(self.program.types.get(element), &bytes) {
                let mut text = String::new();
                string_text(&bytes, &mut text);
                return Some(text);
            }
        }
        Some(format!("&{}", symbol.name))
    }

    fn local_name(&self, t: &Thread, handle: Handle) -> Option<String> {
        for frame in t.frames.iter().rev() {
            let slots = &t.slots[frame.slot_base..][..frame.code.slots.len()];
            let Some(i) = slots.iter().position(|slot| slot.handle == handle) else { continue };
            let symbol = &self.program.symbols[frame.code.slots[i].symbol];
            return (!symbol.display.is_empty()).then(|| symbol.display.clone());
        }
        None
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
                out.push_str(&self.pointer_text(t, address, handle));
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

/// Whether an array of characters reads as a string: printable up to a NUL.
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
