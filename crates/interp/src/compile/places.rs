//! Places: where a value is read or written.

use super::{Compiler, scalar_of};
use crate::code::{BitField, Loc, Op, Reg, Rep, Slow};
use crate::memory::{Handle, index};
use crate::trace::AccessKind;
use crate::values::field_bytes;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::SymbolId;
use vergo_goto::types::Type;

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// A variable in registers.
    Register(Loc),
    /// In a local variable's object, at an offset.
    Local(u32, u64),
    /// In a static object, at an offset.
    Static(Handle, u64),
    /// At a pointer plus an offset.
    Pointer(Reg, i64),
}

impl Compiler<'_> {
    /// Where a place is, and its bits if it is a bit-field.
    pub(super) fn place(&mut self, e: ExprId) -> (Place, Option<BitField>) {
        let program = self.program;
        match *program.exprs.kind(e) {
            ExprKind::Symbol(symbol) => (self.symbol(symbol), None),
            ExprKind::Deref(pointer) => (Place::Pointer(self.value(pointer).reg, 0), None),
            ExprKind::Member(base, member) => {
                let (place, _) = stacker::maybe_grow(64 << 10, 1 << 20, || self.place(base));
                let Type::Struct(id) = *program.type_of(base) else {
                    self.fail("a member of something else than a structure");
                    return (place, None);
                };
                let field = &program.types.structs[id].fields[member as usize];
                let bits = field.first_bit.map(|first| self.bit_field(field.ty, first));
                (self.offset(place, field.offset as i64), bits)
            }
            ExprKind::Index(base, at) => {
                let (place, _) = stacker::maybe_grow(64 << 10, 1 << 20, || self.place(base));
                let stride = program.size_of(program.exprs.ty(e)).unwrap_or(0);
                if let Some(constant) = self.constant_index(at)
                    && let Some(offset) =
                        i64::try_from(stride).ok().and_then(|s| s.checked_mul(constant))
                {
                    return (self.offset(place, offset), None);
                }
                let pointer = self.pointer(place);
                let moved = self.scaled(pointer, at, stride);
                (Place::Pointer(moved, 0), None)
            }
            _ => {
                self.fail("something is used as a place that is none");
                (Place::Pointer(0, 0), None)
            }
        }
    }

    fn constant_index(&self, e: ExprId) -> Option<i64> {
        match (self.program.exprs.kind(e), self.program.type_of(e)) {
            (ExprKind::Int(bits), Type::Int { signed: true, .. }) => bits.to_i64(),
            (ExprKind::Int(bits), _) => bits.to_u64().and_then(|n| i64::try_from(n).ok()),
            _ => None,
        }
    }

    fn symbol(&mut self, symbol: SymbolId) -> Place {
        if let Some(&loc) = self.registers.get(&symbol) {
            return Place::Register(loc);
        }
        if let Some(&slot) = self.slots.get(&symbol) {
            return Place::Local(slot, 0);
        }
        let handle = self.environment.statics[symbol];
        if handle != 0 {
            return Place::Static(handle, 0);
        }
        let number = self.environment.thread_locals[symbol];
        if number == 0 {
            self.fail("a variable of another function");
        }
        let d = self.temp(Rep::Pointer).reg;
        self.slow(Slow::Tls { d, number: number.wrapping_sub(1) });
        Place::Pointer(d, 0)
    }

    fn offset(&mut self, place: Place, offset: i64) -> Place {
        if offset == 0 {
            return place;
        }
        match place {
            Place::Local(slot, at) => match at.checked_add_signed(offset) {
                Some(at) => Place::Local(slot, at),
                None => {
                    let pointer = self.pointer(Place::Local(slot, at));
                    self.offset(Place::Pointer(pointer, 0), offset)
                }
            },
            Place::Static(handle, at) => match at.checked_add_signed(offset) {
                Some(at) => Place::Static(handle, at),
                None => {
                    let pointer = self.pointer(Place::Static(handle, at));
                    self.offset(Place::Pointer(pointer, 0), offset)
                }
            },
            Place::Pointer(reg, at) => match at.checked_add(offset) {
                Some(at) => Place::Pointer(reg, at),
                None => {
                    let pointer = self.pointer(place);
                    Place::Pointer(pointer, offset)
                }
            },
            Place::Register(_) => {
                self.fail("a part of a variable in registers");
                place
            }
        }
    }

    /// The address of a place in a pair of registers.
    pub(super) fn pointer(&mut self, place: Place) -> Reg {
        match place {
            Place::Pointer(reg, 0) => reg,
            Place::Pointer(reg, offset) => {
                let by = self.word(offset as u64);
                let d = self.temp(Rep::Pointer).reg;
                self.emit(Op::PtrAdd { sh: 0, d, a: reg, b: by });
                d
            }
            Place::Local(slot, offset) => {
                let d = self.temp(Rep::Pointer).reg;
                match u32::try_from(offset) {
                    Ok(off) => {
                        self.emit(Op::AddrLocal { d, slot, off });
                        d
                    }
                    Err(_) => {
                        self.emit(Op::AddrLocal { d, slot, off: 0 });
                        self.pointer(Place::Pointer(d, offset as i64))
                    }
                }
            }
            Place::Static(handle, offset) => {
                let base = self.memory.base(handle).unwrap_or(0);
                self.word_pair(base.wrapping_add(offset) & self.memory.mask, handle)
            }
            Place::Register(_) => {
                self.fail("the address of a variable in registers");
                0
            }
        }
    }

    /// A pointer moved by an index in units of a stride.
    pub(super) fn scaled(&mut self, pointer: Reg, at: ExprId, stride: u64) -> Reg {
        let index = self.index_word(at);
        let d = self.temp(Rep::Pointer).reg;
        if stride.is_power_of_two() {
            self.emit(Op::PtrAdd { sh: stride.trailing_zeros() as u8, d, a: pointer, b: index });
        } else {
            let stride = self.word(stride);
            let by = self.temp(Rep::Bool).reg;
            self.emit(Op::MulU { sh: 0, d: by, a: index, b: stride });
            self.emit(Op::PtrAdd { sh: 0, d, a: pointer, b: by });
        }
        d
    }

    /// An integer as a word, extended by its sign.
    pub(super) fn index_word(&mut self, at: ExprId) -> Reg {
        let loc = self.value(at);
        match loc.rep {
            Rep::Int(..) => loc.reg,
            _ => {
                // A wide index counts modulo the address space.
                let d = self.temp(Rep::Int(false, 64));
                self.slow(Slow::Cast { mode: vergo_num::RoundingMode::TowardZero, d, a: loc });
                d.reg
            }
        }
    }

    /// Returns the offset if an access at a constant offset of an object is inside of it.
    pub(super) fn inside(offset: u64, size: u64, object: u64) -> Option<u32> {
        let end = offset.checked_add(size)?;
        (end <= object).then(|| u32::try_from(offset).ok()).flatten()
    }

    /// The value at a place.
    pub(super) fn load(
        &mut self,
        place: Place,
        bits: Option<BitField>,
        rep: Rep,
        hint: Option<Loc>,
    ) -> Loc {
        if let Place::Register(loc) = place {
            return loc;
        }
        let d = match hint {
            Some(d) => d,
            None => self.temp(rep),
        };
        self.watch(AccessKind::Read, place, bits, rep);
        if let Some(field) = bits {
            let p = self.pointer(place);
            self.slow(Slow::LoadBits { d, p, field, missing: self.eager });
            return d;
        }
        if let Some(s) = scalar_of(rep)
            && !self.eager
        {
            let size = self.size_of_rep(rep);
            match place {
                Place::Local(slot, offset) => {
                    if let Some(off) =
                        Self::inside(offset, size, self.code.slots[slot as usize].size)
                    {
                        self.emit(Op::LoadLocal { s, d: d.reg, slot, off });
                        return d;
                    }
                }
                Place::Static(handle, offset) => {
                    let object = self.memory.object(handle).map_or(0, |o| o.size);
                    if let Some(off) = Self::inside(offset, size, object) {
                        self.emit(Op::LoadStatic {
                            s,
                            d: d.reg,
                            object: index(handle) as u32,
                            off,
                        });
                        return d;
                    }
                }
                Place::Pointer(p, offset) => {
                    if let Ok(off) = i32::try_from(offset) {
                        self.emit(Op::LoadPtr { s, d: d.reg, p, off });
                        return d;
                    }
                }
                Place::Register(_) => {}
            }
            let p = self.pointer(place);
            self.emit(Op::LoadPtr { s, d: d.reg, p, off: 0 });
            return d;
        }
        let p = self.pointer(place);
        self.slow(Slow::Load { d, p, missing: self.eager });
        d
    }

    /// Writes a value to a place.
    pub(super) fn store(&mut self, place: Place, bits: Option<BitField>, a: Loc) {
        if let Place::Register(loc) = place {
            self.assign(loc, a);
            return self.mark(loc);
        }
        self.watch(AccessKind::Write, place, bits, a.rep);
        if let Some(field) = bits {
            let p = self.pointer(place);
            return self.slow(Slow::StoreBits { a, p, field });
        }
        if let Some(s) = scalar_of(a.rep) {
            let size = self.size_of_rep(a.rep);
            match place {
                Place::Local(slot, offset) => {
                    if let Some(off) =
                        Self::inside(offset, size, self.code.slots[slot as usize].size)
                    {
                        return self.emit(Op::StoreLocal { s, a: a.reg, slot, off });
                    }
                }
                Place::Static(handle, offset) => {
                    let object = self.memory.object(handle);
                    let writable = object.is_some_and(|o| o.writable);
                    let object = object.map_or(0, |o| o.size);
                    if let Some(off) = Self::inside(offset, size, object)
                        && writable
                    {
                        return self.emit(Op::StoreStatic {
                            s,
                            a: a.reg,
                            object: index(handle) as u32,
                            off,
                        });
                    }
                }
                Place::Pointer(p, offset) => {
                    if let Ok(off) = i32::try_from(offset) {
                        return self.emit(Op::StorePtr { s, a: a.reg, p, off });
                    }
                }
                Place::Register(_) => {}
            }
            let p = self.pointer(place);
            return self.emit(Op::StorePtr { s, a: a.reg, p, off: 0 });
        }
        let p = self.pointer(place);
        self.slow(Slow::Store { a, p });
    }

    /// Lets those who watch know of an access.
    fn watch(&mut self, kind: AccessKind, place: Place, bits: Option<BitField>, rep: Rep) {
        if self.environment.accesses {
            let size = match (bits, rep) {
                (Some(field), _) => field_bytes(field) as u64,
                (None, Rep::Bytes(size)) => size,
                (None, Rep::BigInt(_, width)) => width.div_ceil(8).into(),
                (None, Rep::BigFloat(format) | Rep::Soft(format)) => {
                    format.width().div_ceil(8).into()
                }
                (None, Rep::Bool) => 1,
                _ => self.size_of_rep(rep),
            };
            let p = self.pointer(place);
            self.slow(Slow::TraceAccess { kind, p, size });
        }
    }

    /// Bytes that a scalar takes in memory.
    fn size_of_rep(&self, rep: Rep) -> u64 {
        match rep {
            Rep::Int(_, width) => u64::from(width.div_ceil(8)),
            Rep::Single => 4,
            Rep::Double => 8,
            _ => self.memory.pointer_size,
        }
    }
}
