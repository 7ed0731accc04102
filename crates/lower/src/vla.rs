//! Objects whose size is known only at run time: variable-length arrays (C17 6.7.6.2), and structures with such members, which
//! GNU C has.
//!
//! Lengths are hidden variables that are assigned where the declaration is reached. An array is a pointer to its elements on
//! the stack; a structure is a pointer to its bytes, and its members are at offsets that are computed where they are used.

use crate::function::Fx;
use vergo_cfront::hir::{CastKind, ExprId as HirExpr, ExprKind, VarId};
use vergo_cfront::layout;
use vergo_cfront::types::{ArrayLen, QualType, RecordId, TypeKind};
use vergo_goto::expr::{BinaryOp, ExprId};
use vergo_goto::program::{InstrKind, Region};
use vergo_goto::types::Type;
use vergo_source::Span;

impl Fx<'_, '_> {
    pub(crate) fn declare_vla(&mut self, var: VarId, display: &str, ty: QualType, span: Span) {
        let element = self.ty(ty);
        let pointer = self.cx.p.types.ptr(element);
        let block = self.block;
        let symbol = self.local(display, pointer, span, 1);
        self.cx.units[self.u].vars[var] = Some(symbol);
        let place = self.cx.p.symbol(symbol);
        if self.blocks[block].is_hoisted() {
            // One can jump back over the declaration, which ends the array's life.
            self.zero_at_entry.push(symbol);
            self.b.free(place, Region::Stack);
        } else {
            self.blocks[block].placed.push(symbol);
            self.b.decl(symbol);
        }
        self.capture(var, symbol);
        self.blocks[block].arrays.push(symbol);
        self.assume_room(ty, false);
        let size = self.vla_size(ty);
        let align = self.cx.c_align(self.u, ty);
        self.emit(InstrKind::Alloc {
            dest: place,
            size,
            align,
            region: Region::Stack,
            zeroed: false,
        });
    }

    /// Lets an execution end at a variable-length array that no stack has room for, one of half the address space or
    /// more. A negative length is none of this: it is undefined, and the array null. GNU C's members may have no element.
    fn assume_room(&mut self, ty: QualType, in_record: bool) {
        let unit = self.unit.clone();
        let (element, len) = match unit.types.kind(ty) {
            TypeKind::Array(element, len) => (element, len),
            TypeKind::Record(record) if unit.types.records[*record].variable => {
                let fields = unit.types.records[*record].fields.iter().flatten();
                return fields.for_each(|field| self.assume_room(field.ty, true));
            }
            _ => return,
        };
        self.assume_room(*element, in_record);
        let ArrayLen::Variable(var) = len else { return };
        let place = self.var_place(*var);
        if !in_record {
            self.claim_length(place);
            self.declared_lengths.insert(*var);
        }
        let size = self.cx.p.size_type();
        let inner = self.vla_size(*element);
        let limit = self.cx.p.size((1 << (self.cx.target.word * 8 - 1)) - 1);
        // Of rows that are themselves of variable length, one at least has room.
        let most = match self.cx.p.const_of(inner) {
            Some(_) => self.cx.p.binary(BinaryOp::Div, limit, inner),
            None => limit,
        };
        let len = self.cx.p.cast(size, place);
        let mut holds = self.cx.p.le(len, most);
        let ty = self.cx.p.exprs.ty(place);
        if matches!(self.cx.p.types.get(ty), Type::Int { signed: true, .. }) {
            let zero = self.cx.p.zero(ty);
            let is_negative = self.cx.p.lt(place, zero);
            holds = self.cx.p.or(is_negative, holds);
        }
        self.b.assume(holds);
    }

    /// Claims that a variable-length array has elements (C17 6.7.6.2p5).
    fn claim_length(&mut self, length: ExprId) {
        if !self.cx.units[self.u].library {
            let zero = self.cx.p.zero(self.cx.p.exprs.ty(length));
            let positive = self.cx.p.gt(length, zero);
            let description = "a variable-length array has no element".to_owned();
            self.claim(positive, "memory.vla-length", description);
        }
    }

    /// The same of a type that is only named; the lengths of variables have been claimed where these are declared.
    pub(crate) fn claim_lengths(&mut self, mut ty: QualType) {
        let unit = self.unit.clone();
        while let TypeKind::Array(element, len) = *unit.types.kind(ty) {
            if let ArrayLen::Variable(var) = len
                && !self.declared_lengths.contains(&var)
            {
                let length = self.var_place(var);
                self.claim_length(length);
            }
            ty = element;
        }
    }

    /// The length of a variable-length array that is a part of an object, if a pointer is one to its first element. What is the
    /// whole object is looked at by `memory.bounds`.
    pub(crate) fn inner_length(&mut self, pointer: HirExpr) -> Option<VarId> {
        let ExprKind::Cast(CastKind::ArrayDecay, array) = self.unit.exprs[pointer].kind else {
            return None;
        };
        let is_whole = matches!(self.unit.exprs[array].kind, ExprKind::Var(_));
        match *self.unit.types.kind(self.unit.exprs[array].ty) {
            TypeKind::Array(_, ArrayLen::Variable(length)) if !is_whole => Some(length),
            _ => None,
        }
    }

    /// Claims that an index is one of an array of so many elements (C17 6.5.6p8), of which `memory.index` claims where the
    /// length is constant.
    pub(crate) fn claim_index(&mut self, index: ExprId, length: VarId) {
        let length = self.var_place(length);
        let wide = self.cx.p.types.int(true, 64);
        let [index, length] = [index, length].map(|word| self.cx.p.cast(wide, word));
        let zero = self.cx.p.zero(wide);
        let (from, below) = (self.cx.p.le(zero, index), self.cx.p.lt(index, length));
        let is_inside = self.cx.p.and(from, below);
        let description = "index out of range in a variable-length array".to_owned();
        self.claim(is_inside, "memory.index", description);
    }

    /// The size in bytes of a type, also of one whose size is known only at run time.
    pub(crate) fn vla_size(&mut self, ty: QualType) -> ExprId {
        let unit = self.unit.clone();
        let size = self.cx.p.size_type();
        match unit.types.kind(ty) {
            TypeKind::Array(element, len) => {
                let inner = self.vla_size(*element);
                let len = match len {
                    ArrayLen::Variable(var) => {
                        let place = self.var_place(*var);
                        self.cx.p.cast(size, place)
                    }
                    ArrayLen::Fixed(len) => self.cx.p.int(size, i128::from(*len)),
                    ArrayLen::Incomplete | ArrayLen::Star => self.cx.p.int(size, 0),
                };
                let one = self.cx.p.int(size, 1);
                if inner == one { len } else { self.cx.p.mul(len, inner) }
            }
            TypeKind::Record(record) if unit.types.records[*record].variable => {
                let n_fields = unit.types.records[*record].fields.as_ref().map_or(0, Vec::len);
                let end = self.variable_offset(*record, n_fields);
                self.aligned(end, unit.types.records[*record].align)
            }
            _ => {
                let bytes = self.cx.c_size(self.u, ty);
                self.cx.p.int(size, i128::from(bytes))
            }
        }
    }

    /// Where a member begins in a structure whose size is known only at run time; for the number behind the last one, where
    /// that ends.
    fn variable_offset(&mut self, record: RecordId, field: usize) -> ExprId {
        let unit = self.unit.clone();
        let record = &unit.types.records[record];
        let fields = record.fields.as_deref().unwrap_or_default();
        let mut offset = self.cx.p.size(0);
        for (i, member) in fields.iter().enumerate() {
            let natural = match (record.packed || member.packed, member.explicit_align) {
                (true, align) => align.unwrap_or(1),
                (false, align) => {
                    let natural = layout::member_align(&unit.types, &unit.target, member.ty);
                    align.unwrap_or(1).max(natural)
                }
            };
            offset = self.aligned(offset, natural);
            if i == field {
                break;
            }
            let size = self.vla_size(member.ty);
            offset = self.cx.p.add(offset, size);
        }
        offset
    }

    /// The next multiple of a power of two.
    fn aligned(&mut self, offset: ExprId, align: u64) -> ExprId {
        let (before, mask) = (self.cx.p.size(align - 1), self.cx.p.size(align - 1));
        let mask = self.cx.p.bit_not(mask);
        let last = self.cx.p.add(offset, before);
        self.cx.p.bit_and(last, mask)
    }

    /// A member of a structure whose size is known only at run time.
    pub(crate) fn variable_member(&mut self, base: ExprId, record: RecordId, field: u32) -> ExprId {
        let unit = self.unit.clone();
        let fields = unit.types.records[record].fields.as_deref().unwrap_or_default();
        let offset = self.variable_offset(record, field as usize);
        let address = self.cx.p.address_of(base);
        let at = self.cx.p.ptr_add(address, offset);
        let ty = self.ty(fields[field as usize].ty);
        self.deref_as(at, ty)
    }
}
