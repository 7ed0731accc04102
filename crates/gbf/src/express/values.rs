//! Values and places: typed GOTO expressions to ireps.
//!
//! A bit-field has a type of its own in the format: reading one is followed by a conversion to the integer that it is in
//! GOTO, and what is assigned to one is converted before.

use super::types::Component;
use super::{Expressed, Expresser};
use crate::irep::IrepId;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{FunctionId, InitPart, StaticInit, SymbolId, SymbolKind};
use vergo_goto::types::{StructId, Type, TypeId};
use vergo_num::{BitVec, RoundingMode};

impl Expresser<'_> {
    /// The irep of a value.
    pub(super) fn value(&mut self, expr: ExprId) -> Expressed<IrepId> {
        if let Some(&irep) = self.values.get(&expr) {
            return Ok(irep);
        }
        let irep = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.new_value(expr))?;
        self.values.insert(expr, irep);
        Ok(irep)
    }

    fn new_value(&mut self, expr: ExprId) -> Expressed<IrepId> {
        let p = self.p;
        let ty = p.exprs.ty(expr);
        match p.exprs.kind(expr) {
            ExprKind::Bool(value) => Ok(self.truth(*value)),
            ExprKind::Int(bits) => self.integer(ty, bits),
            ExprKind::Float(value) => {
                let irep = self.ty(ty)?;
                Ok(self.constant(irep, &hex(value.bits())))
            }
            ExprKind::Zero => self.zero(ty),
            ExprKind::Function(f) => self.function_address(*f, ty),
            ExprKind::Nondet(_) => {
                let ty = self.ty(ty)?;
                Ok(self.nondet(ty))
            }
            ExprKind::Struct(members) => self.struct_value(ty, members),
            ExprKind::Union(member, value) => self.union_value(ty, *member, *value),
            ExprKind::Array(elements) => {
                let mut list = Vec::with_capacity(elements.len());
                for &element in elements {
                    list.push(self.value(element)?);
                }
                let ty = self.ty(ty)?;
                Ok(self.b.irep("array", &list, &[("type", ty)]))
            }
            ExprKind::ArrayOf(element) => {
                let element = self.value(*element)?;
                let ty = self.ty(ty)?;
                Ok(self.b.irep("array_of", &[element], &[("type", ty)]))
            }
            ExprKind::Symbol(_) | ExprKind::Deref(_) | ExprKind::Index(..) => self.place(expr),
            ExprKind::Member(..) => {
                let place = self.place(expr)?;
                match self.bit_field_of(expr)? {
                    None => Ok(place),
                    Some(_) => {
                        let ty = self.ty(ty)?;
                        Ok(self.typed("typecast", &[place], ty))
                    }
                }
            }
            ExprKind::AddressOf(place) => {
                if self.is_trampoline(*place) {
                    return Err("the address of a nested function".to_owned());
                }
                let place = self.place(*place)?;
                let ty = self.ty(ty)?;
                Ok(self.typed("address_of", &[place], ty))
            }
            ExprKind::Unary(op, x) => self.unary(*op, *x, ty, expr),
            ExprKind::Binary(op, x, y) => self.binary(*op, *x, *y, ty, expr),
            ExprKind::Fma(..) => Err("a fused multiplication and addition".to_owned()),
            ExprKind::Cast(mode, x) => self.cast(*mode, *x, ty, expr),
            ExprKind::Bits(x) => {
                if self.is_extended(ty) || self.is_extended(p.exprs.ty(*x)) {
                    return Err("the bytes of a `long double`".to_owned());
                }
                let x = self.value(*x)?;
                self.bytes_of(x, ty)
            }
            ExprKind::Ite(c, x, y) => {
                let operands = [self.value(*c)?, self.value(*x)?, self.value(*y)?];
                self.operation("if", &operands, ty, expr)
            }
            ExprKind::Memory(op, operands) => self.question(*op, operands, ty),
        }
    }

    /// The irep of a place, or of a part of a value.
    pub(super) fn place(&mut self, expr: ExprId) -> Expressed<IrepId> {
        let p = self.p;
        let ty = p.exprs.ty(expr);
        match p.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => self.variable(*symbol),
            ExprKind::Deref(pointer) => {
                let pointer = self.value(*pointer)?;
                self.operation("dereference", &[pointer], ty, expr)
            }
            ExprKind::Index(base, index) => {
                let operands = [self.place(*base)?, self.value(*index)?];
                self.operation("index", &operands, ty, expr)
            }
            &ExprKind::Member(base, member) => {
                let Type::Struct(id) = *p.type_of(base) else {
                    return Err("a member of something that is not a structure".to_owned());
                };
                let inner = self.place(base)?;
                let field = &p.types.structs[id].fields[member as usize];
                let ty = self.field_type(field)?;
                let name = self.b.leaf(&field.name);
                let named = [("type", ty), ("component_name", name)];
                Ok(self.b.irep("member", &[inner], &named))
            }
            _ => self.value(expr),
        }
    }

    /// The type that a place has in the file, if it is a bit-field.
    pub(super) fn bit_field_of(&mut self, place: ExprId) -> Expressed<Option<IrepId>> {
        let &ExprKind::Member(base, member) = self.p.exprs.kind(place) else { return Ok(None) };
        let &Type::Struct(id) = self.p.type_of(base) else { return Ok(None) };
        let field = &self.p.types.structs[id].fields[member as usize];
        match field.first_bit {
            Some(_) => self.field_type(field).map(Some),
            None => Ok(None),
        }
    }

    /// Returns whether a place is the address that lowering gives to a nested function. Only code that was lowered with it
    /// calls it in the right way, which a library is not.
    fn is_trampoline(&self, place: ExprId) -> bool {
        let &ExprKind::Member(base, member) = self.p.exprs.kind(place) else { return false };
        let &Type::Struct(id) = self.p.type_of(base) else { return false };
        let structure = &self.p.types.structs[id];
        let own = self.p.root_variable(place).is_some_and(|s| self.p.symbols[s].display.is_empty());
        own && structure.name.starts_with("frame_")
            && structure.fields[member as usize].name.starts_with("trampoline")
    }

    /// A variable, or the string literal that it is.
    fn variable(&mut self, symbol: SymbolId) -> Expressed<IrepId> {
        let p = self.p;
        if let Some(bytes) = self.string_bytes(symbol) {
            let ty = self.ty(p.symbols[symbol].ty)?;
            let value = self.b.leaf(bytes);
            return Ok(self.b.irep("string_constant", &[], &[("type", ty), ("value", value)]));
        }
        let ty = self.variable_type(symbol)?;
        let name = self.b.leaf(&self.names[&symbol]);
        Ok(self.b.irep("symbol", &[], &[("type", ty), ("identifier", name)]))
    }

    /// The text of a string literal without the zeros at its end.
    pub(super) fn string_bytes(&self, symbol: SymbolId) -> Option<Vec<u8>> {
        let info = &self.p.symbols[symbol];
        let SymbolKind::Static { init: StaticInit::Data(parts), thread_local: false } = &info.kind
        else {
            return None;
        };
        let &Type::Array(element, _) = self.p.types.get(info.ty) else { return None };
        let of_bytes = matches!(self.p.types.get(element), Type::Int { width: 8, .. });
        if info.writable || !info.display.is_empty() || !of_bytes {
            return None;
        }
        let mut bytes = match &parts[..] {
            [] => Vec::new(),
            [InitPart::Bytes { offset: 0, bytes }] => bytes.to_vec(),
            _ => return None,
        };
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        Some(bytes)
    }

    /// The address of a function.
    fn function_address(&mut self, function: FunctionId, ty: TypeId) -> Expressed<IrepId> {
        if self.is_variadic(function) {
            let name = &self.p.functions[function].display;
            return Err(format!("the address of `{name}`, which takes variable arguments"));
        }
        let symbol = self.function_symbol(function)?;
        let ty = self.ty(ty)?;
        Ok(self.typed("address_of", &[symbol], ty))
    }

    /// An irep with operands and a type.
    pub(super) fn typed(&mut self, id: &str, operands: &[IrepId], ty: IrepId) -> IrepId {
        self.b.irep(id, operands, &[("type", ty)])
    }

    /// The irep of an operation, with where it stands if that is known.
    pub(super) fn operation(
        &mut self,
        id: &str,
        operands: &[IrepId],
        ty: TypeId,
        expr: ExprId,
    ) -> Expressed<IrepId> {
        let ty = self.ty(ty)?;
        Ok(match self.parts.get(&expr) {
            None => self.typed(id, operands, ty),
            Some(&at) => self.b.irep(id, operands, &[("type", ty), ("#source_location", at)]),
        })
    }

    /// A constant of a type that is written already.
    pub(super) fn constant(&mut self, ty: IrepId, value: &str) -> IrepId {
        let value = self.b.leaf(value);
        self.b.irep("constant", &[], &[("type", ty), ("value", value)])
    }

    pub(super) fn truth(&mut self, value: bool) -> IrepId {
        let ty = self.b.leaf("bool");
        self.constant(ty, if value { "true" } else { "false" })
    }

    pub(super) fn nondet(&mut self, ty: IrepId) -> IrepId {
        let (statement, one) = (self.b.leaf("nondet"), self.b.leaf("1"));
        let named = [("type", ty), ("statement", statement), ("is_nondet_nullable", one)];
        self.b.irep("side_effect", &[], &named)
    }

    fn integer(&mut self, ty: TypeId, bits: &BitVec) -> Expressed<IrepId> {
        let irep = self.ty(ty)?;
        match self.p.types.get(ty) {
            Type::Ptr(_) if bits.is_zero() => Ok(self.constant(irep, "NULL")),
            Type::Ptr(_) => {
                let word = self.int_type(false, self.p.machine.pointer_width);
                let address = self.constant(word, &hex(bits));
                Ok(self.typed("typecast", &[address], irep))
            }
            _ => Ok(self.constant(irep, &hex(bits))),
        }
    }

    /// All bytes zero.
    pub(super) fn zero(&mut self, ty: TypeId) -> Expressed<IrepId> {
        let p = self.p;
        let irep = self.ty(ty)?;
        Ok(match p.types.get(ty) {
            Type::Bool => self.truth(false),
            Type::Ptr(_) => self.constant(irep, "NULL"),
            &Type::Array(element, _) => {
                let element = self.zero(element)?;
                self.typed("array_of", &[element], irep)
            }
            &Type::Struct(id) if !p.types.structs[id].union => {
                let fields = &p.types.structs[id].fields;
                self.structure_of(id, irep, |e, i| match fields[i].first_bit {
                    None => e.zero(fields[i].ty),
                    Some(_) => {
                        let ty = e.field_type(&fields[i])?;
                        Ok(e.constant(ty, "0"))
                    }
                })?
            }
            Type::Struct(_) => {
                let size = p.size_of(ty).unwrap_or(0);
                let byte = self.int_type(false, 8);
                let bytes = self.array_type(byte, size);
                let zero = self.constant(byte, "0");
                let zeros = self.typed("array_of", &[zero], bytes);
                self.bytes_of(zeros, ty)?
            }
            Type::Int { .. } | Type::Float(_) => self.constant(irep, "0"),
            Type::Void | Type::Func(..) => return Err("a value without a type".to_owned()),
        })
    }

    /// A structure from what a function gives for its members.
    pub(super) fn structure_of(
        &mut self,
        id: StructId,
        ty: IrepId,
        mut member: impl FnMut(&mut Self, usize) -> Expressed<IrepId>,
    ) -> Expressed<IrepId> {
        let mut list = Vec::new();
        for component in self.components(id)? {
            list.push(match component {
                Component::Field(i) => member(self, i)?,
                Component::Padding(bits) => {
                    let ty = self.padding_type(bits);
                    self.constant(ty, "0")
                }
            });
        }
        Ok(self.typed("struct", &list, ty))
    }

    fn struct_value(&mut self, ty: TypeId, members: &[ExprId]) -> Expressed<IrepId> {
        let &Type::Struct(id) = self.p.types.get(ty) else {
            return Err("a structure of another type".to_owned());
        };
        let fields = &self.p.types.structs[id].fields;
        let ty = self.ty(ty)?;
        self.structure_of(id, ty, |e, i| {
            let value = e.value(members[i])?;
            match fields[i].first_bit {
                None => Ok(value),
                Some(_) => {
                    let ty = e.field_type(&fields[i])?;
                    Ok(e.typed("typecast", &[value], ty))
                }
            }
        })
    }

    /// A union from one member; its other bytes are zero, of which the format's union values say nothing.
    fn union_value(&mut self, ty: TypeId, member: u32, value: ExprId) -> Expressed<IrepId> {
        let &Type::Struct(id) = self.p.types.get(ty) else {
            return Err("a union of another type".to_owned());
        };
        let field = &self.p.types.structs[id].fields[member as usize];
        let irep = self.ty(ty)?;
        let inner = self.value(value)?;
        if field.first_bit.is_none() && self.p.size_of(field.ty) == self.p.size_of(ty) {
            let name = self.b.leaf(&field.name);
            let named = [("type", irep), ("component_name", name)];
            return Ok(self.b.irep("union", &[inner], &named));
        }
        if field.first_bit.is_some() {
            return Err("a union made from a bit-field".to_owned());
        }
        let zero = self.zero(ty)?;
        let (offset, eight) = (self.offset(0), self.b.leaf("8"));
        let named = [("type", irep), ("bits_per_byte", eight)];
        Ok(self.b.irep("byte_update_little_endian", &[zero, offset, inner], &named))
    }

    /// An offset in bytes.
    pub(super) fn offset(&mut self, bytes: u64) -> IrepId {
        let index = self.int_type(true, self.p.machine.pointer_width);
        self.constant(index, &format!("{bytes:X}"))
    }

    /// The bytes of a value at another type.
    pub(super) fn bytes_of(&mut self, value: IrepId, ty: TypeId) -> Expressed<IrepId> {
        let ty = self.ty(ty)?;
        let (offset, eight) = (self.offset(0), self.b.leaf("8"));
        let named = [("type", ty), ("bits_per_byte", eight)];
        Ok(self.b.irep("byte_extract_little_endian", &[value, offset], &named))
    }

    /// The number that the format has for a rounding mode.
    pub(super) fn rounding(&mut self, mode: RoundingMode) -> IrepId {
        let int = self.int_type(true, 32);
        self.constant(int, &rounding_number(mode).to_string())
    }
}

/// The numbers of rounding modes, as `<fenv.h>` of x87 and CBMC have them.
pub(crate) fn rounding_number(mode: RoundingMode) -> u32 {
    match mode {
        RoundingMode::NearestEven => 0,
        RoundingMode::TowardNegative => 1,
        RoundingMode::TowardPositive => 2,
        RoundingMode::TowardZero => 3,
        RoundingMode::NearestAway => 4,
    }
}

/// Bits as the format writes them.
pub(super) fn hex(bits: &BitVec) -> String {
    let text = bits.to_hex().to_ascii_uppercase();
    let text = text.trim_start_matches('0');
    if text.is_empty() { "0".to_owned() } else { text.to_owned() }
}
