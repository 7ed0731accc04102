//! Types whose size is known only at run time: arrays whose length is an expression, structures with such a member, and arrays of
//! these.
//!
//! Such an object is memory of the stack behind a pointer to *units*: the innermost elements of an array, the bytes of a
//! structure. A row of an array, and a structure, are named by their first unit, so that elements and members are at offsets that
//! are computed where they are used, from the lengths that the type names.

use super::{Mapper, Mapping, unsupported};
use crate::irep::IrepId;
use vergo_goto::expr::ExprId;
use vergo_goto::program::Claim;
use vergo_goto::types::{Type, TypeId};

impl Mapper<'_> {
    /// Returns whether the size of a type is known only at run time.
    pub(super) fn is_variable(&mut self, irep: IrepId) -> bool {
        let b = self.b;
        if !matches!(b.ireps.id(irep), "array" | "struct_tag" | "struct" | "symbol") {
            return false;
        }
        if let Some(&known) = self.variable.get(&irep) {
            return known;
        }
        // A structure that contains itself behind a pointer is not asked again.
        self.variable.insert(irep, false);
        let variable = stacker::maybe_grow(64 * 1024, 1024 * 1024, || match b.ireps.id(irep) {
            "array" => {
                let size = b.ireps.get(irep, "size");
                let open = size.is_some_and(|s| {
                    self.constant_size(s).is_none() && !matches!(b.ireps.id(s), "infinity" | "nil")
                });
                open || b.subtype(irep).is_some_and(|element| self.is_variable(element))
            }
            _ => self.members_of(irep).into_iter().any(|(_, ty)| self.is_variable(ty)),
        });
        self.variable.insert(irep, variable);
        variable
    }

    /// The names and types of a structure's members, padding included.
    fn members_of(&self, irep: IrepId) -> Vec<(IrepId, IrepId)> {
        let b = self.b;
        let definition = match b.ireps.id(irep) {
            "struct_tag" | "symbol" => {
                let name = b.ireps.get_id(irep, "identifier");
                self.symbol_by_name.get(name).map(|&i| self.symbols[i].ty)
            }
            _ => Some(irep),
        };
        let Some(definition) = definition.filter(|&d| b.ireps.id(d) == "struct") else {
            return Vec::new();
        };
        let members = self.components(definition).into_iter();
        members.filter_map(|m| Some((b.ireps.get(m, "name")?, b.ireps.get(m, "type")?))).collect()
    }

    /// The type of an object's units; of one whose size is constant, its own.
    pub(super) fn unit(&mut self, irep: IrepId) -> Mapping<TypeId> {
        match (self.is_variable(irep), self.b.ireps.id(irep)) {
            (true, "array") => match self.b.subtype(irep) {
                Some(element) => self.unit(element),
                None => unsupported("an array of nothing"),
            },
            (true, _) => Ok(self.p.types.int(false, 8)),
            (false, _) => self.ty(irep),
        }
    }

    /// Returns the number of units in an object of a type.
    pub(super) fn n_units(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        if !self.is_variable(irep) {
            return Ok(self.p.size(1));
        }
        match (b.ireps.id(irep), b.ireps.get(irep, "size"), b.subtype(irep)) {
            ("array", Some(size), Some(element)) => {
                let word = self.p.size_type();
                let (len, inner) = (self.value_at(size, word)?, self.n_units(element)?);
                Ok(self.p.mul(len, inner))
            }
            _ => self.offset_behind(irep, None),
        }
    }

    /// Its size in bytes.
    pub(super) fn n_bytes(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let unit = self.unit(irep)?;
        let Some(size) = self.p.size_of(unit) else {
            return unsupported("an object whose parts have no size");
        };
        let (size, n) = (self.p.size(size), self.n_units(irep)?);
        Ok(self.p.mul(n, size))
    }

    /// Its alignment. Padding aligns the members of a structure, wherever they are, if its beginning is aligned.
    pub(super) fn alignment(&mut self, mut irep: IrepId) -> Mapping<u64> {
        while let ("array", Some(element)) = (self.b.ireps.id(irep), self.b.subtype(irep)) {
            irep = element;
        }
        if self.is_variable(irep) {
            return Ok(16);
        }
        let ty = self.ty(irep)?;
        Ok(self.p.types.align_of(ty, &self.p.machine))
    }

    /// The bytes before a member of a structure; before its end, if none is named.
    fn offset_behind(&mut self, irep: IrepId, member: Option<&str>) -> Mapping<ExprId> {
        let mut offset = self.p.size(0);
        for (name, ty) in self.members_of(irep) {
            if member == Some(self.b.ireps.id(name)) {
                return Ok(offset);
            }
            if self.b.ireps.id(ty) == "c_bit_field" {
                return unsupported("a bit-field in a structure of variable size");
            }
            let size = self.n_bytes(ty)?;
            offset = self.p.add(offset, size);
        }
        match member {
            Some(member) => unsupported(format!("the member `{member}`")),
            None => Ok(offset),
        }
    }

    /// A member of a structure of variable size, which its first byte names.
    pub(super) fn variable_member(
        &mut self,
        base: ExprId,
        irep: IrepId,
        name: &str,
    ) -> Mapping<ExprId> {
        if !self.p.is_place(base) {
            return unsupported("a value of variable size");
        }
        let ty = self.members_of(irep).into_iter().find(|&(n, _)| self.b.ireps.id(n) == name);
        let Some((_, ty)) = ty else { return unsupported(format!("the member `{name}`")) };
        let (offset, unit) = (self.offset_behind(irep, Some(name))?, self.unit(ty)?);
        let first = self.p.address_of(base);
        let at = self.p.ptr_add(first, offset);
        self.deref_at(at, unit)
    }

    /// A pointer, so many objects of a type further.
    pub(super) fn step(&mut self, pointer: ExprId, index: ExprId, to: IrepId) -> Mapping<ExprId> {
        if !self.is_variable(to) {
            return Ok(self.p.ptr_add(pointer, index));
        }
        let offset = self.p.offset_type();
        let (index, units) = (self.coerce(index, offset)?, self.n_units(to)?);
        let units = self.p.cast(offset, units);
        let index = self.p.mul(index, units);
        Ok(self.p.ptr_add(pointer, index))
    }

    /// Claims that the lengths of an array that is declared are positive (C17 6.7.6.2p5).
    pub(super) fn claim_lengths(&mut self, mut irep: IrepId) -> Mapping<()> {
        let b = self.b;
        let library = self.current.is_none_or(|f| self.p.functions[f].library);
        while !library && b.ireps.id(irep) == "array" && self.is_variable(irep) {
            let (Some(size), Some(element)) = (b.ireps.get(irep, "size"), b.subtype(irep)) else {
                break;
            };
            let length = self.value(size)?;
            if matches!(self.p.type_of(length), Type::Int { .. }) {
                let zero = self.p.zero(self.p.exprs.ty(length));
                let positive = self.p.gt(length, zero);
                if self.constant_size(size).is_none() {
                    let description = "a variable-length array has no element".to_owned();
                    self.builder.assert(positive, Claim::new("memory.vla-length", description));
                }
            }
            irep = element;
        }
        Ok(())
    }
}
