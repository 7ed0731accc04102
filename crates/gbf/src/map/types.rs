//! Types: ireps to typed GOTO.
//!
//! A truth value (`bool`) has no object in GOTO, so what is stored is an unsigned byte; expressions are converted where
//! they meet objects. Both dialects write padding as members, so that the layout of a structure is the sequence of its
//! members' bits; padding members are dropped, and their bytes become padding again.

use super::{Mapper, Mapping, unsupported};
use crate::binary::Dialect;
use crate::irep::IrepId;
use vergo_goto::types::{Field, StructId, StructType, Type, TypeId};
use vergo_num::FloatFormat;

impl Mapper<'_> {
    /// The type of an irep, as objects have it.
    pub(super) fn ty(&mut self, irep: IrepId) -> Mapping<TypeId> {
        if let Some(&ty) = self.types.get(&irep) {
            return Ok(ty);
        }
        let ty = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.new_type(irep))?;
        self.types.insert(irep, ty);
        Ok(ty)
    }

    /// The width that a type names.
    pub(super) fn width(&self, irep: IrepId) -> Mapping<u32> {
        let text = self.b.ireps.get_id(irep, "width");
        match text.parse() {
            Ok(width) if (1..=65536).contains(&width) => Ok(width),
            _ => unsupported(format!("the width `{text}` of a type")),
        }
    }

    fn new_type(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let b = self.b;
        match b.ireps.id(irep) {
            "signedbv" => Ok(self.p.types.int(true, self.width(irep)?)),
            "unsignedbv" | "c_bool" | "bv" => {
                let width = self.width(irep)?;
                Ok(self.p.types.int(false, width))
            }
            "bool" => Ok(self.p.types.int(false, 8)),
            // The names of Java's classes, of which only equality matters.
            "string" => Ok(self.p.types.int(false, 32)),
            "floatbv" => {
                let width = self.width(irep)?;
                let fraction: u32 = b.ireps.get_id(irep, "f").parse().unwrap_or(0);
                let format = match (width, fraction) {
                    (80, 63 | 64) => Some(FloatFormat::X87_EXTENDED),
                    _ => fraction.checked_add(1).and_then(|significand| {
                        FloatFormat::try_ieee(width.checked_sub(significand)?, significand)
                    }),
                };
                match format {
                    Some(format) if width % 8 == 0 => Ok(self.p.types.float(format)),
                    _ => unsupported("a floating format"),
                }
            }
            "pointer" => {
                let to = b.subtype(irep);
                let to = match to {
                    Some(to) => self.pointee(to)?,
                    None => self.p.types.void(),
                };
                Ok(self.p.types.ptr(to))
            }
            "empty" => Ok(self.p.types.void()),
            "array" | "vector" => {
                let element = b.subtype(irep);
                let Some(element) = element else { return unsupported("an array of nothing") };
                let Some(size) = b.ireps.get(irep, "size") else {
                    return unsupported("an array without a size");
                };
                let element = self.ty(element)?;
                let Some(len) = self.constant_size(size) else {
                    return unsupported("an array whose size is not constant, as part of a type");
                };
                match self.p.size_of(element).and_then(|size| size.checked_mul(len)) {
                    Some(size) if size < 1 << 62 => Ok(self.p.types.array(element, len)),
                    _ => unsupported("an array whose elements have no size"),
                }
            }
            "struct_tag" | "union_tag" | "symbol" | "c_enum_tag" => self.tagged(irep),
            "struct" | "union" => self.written_structure(irep),
            "c_enum" => match b.subtype(irep) {
                Some(underlying) => self.ty(underlying),
                None => Ok(self.p.types.int(false, 32)),
            },
            "incomplete_c_enum" => Ok(self.p.types.int(false, 32)),
            "incomplete_struct" | "incomplete_union" => self.written_structure(irep),
            "c_bit_field" => {
                let signed = match b.subtype(irep) {
                    Some(underlying) => {
                        let underlying = self.ty(underlying)?;
                        matches!(self.p.types.get(underlying), Type::Int { signed: true, .. })
                    }
                    None => false,
                };
                let width = self.width(irep)?;
                Ok(self.p.types.int(signed, width))
            }
            "complex" => self.complex(irep),
            "code" => self.function_type(irep),
            other => unsupported(format!("the type `{other}`")),
        }
    }

    /// Returns the type that a pointer points to: any, where the type has no objects of a known size.
    fn pointee(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let b = self.b;
        if self.is_variable(irep) {
            return self.unit(irep);
        }
        if b.ireps.id(irep) == "array" {
            let constant = b.ireps.get(irep, "size").and_then(|s| self.constant_size(s));
            if constant.is_none() {
                return match b.subtype(irep) {
                    Some(element) => self.pointee(element),
                    None => Ok(self.p.types.void()),
                };
            }
        }
        self.ty(irep)
    }

    /// A size that is a constant, maybe behind a cast.
    pub(super) fn constant_size(&self, mut size: IrepId) -> Option<u64> {
        let b = self.b;
        while b.ireps.id(size) == "typecast" {
            size = *b.operands(size).first()?;
        }
        if b.ireps.id(size) != "constant" {
            return None;
        }
        let text = b.ireps.get_id(size, "value");
        match b.dialect {
            Dialect::Cbmc => u64::from_str_radix(text, 16).ok(),
            Dialect::Esbmc => u64::from_str_radix(text, 2).ok(),
        }
    }

    pub(super) fn function_type(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let b = self.b;
        let ret = match b.present(b.ireps.get(irep, "return_type")) {
            Some(ret) if b.ireps.id(ret) != "constructor" => self.ty(ret)?,
            _ => self.p.types.void(),
        };
        let mut params = Vec::new();
        for parameter in b.parameters(irep) {
            match b.ireps.get(parameter, "type") {
                Some(ty) => params.push(self.ty(ty)?),
                None => return unsupported("a parameter without a type"),
            }
        }
        if b.is_variadic(irep) {
            params.push(self.p.variable_arguments());
        }
        let valued = |m: &Self, ty: TypeId| m.p.size_of(ty).is_some();
        let void = matches!(self.p.types.get(ret), Type::Void);
        if !void && !valued(self, ret) || params.iter().any(|&ty| !valued(self, ty)) {
            return unsupported("a function with a parameter or result of an incomplete type");
        }
        Ok(self.p.types.func(ret, params))
    }

    /// A type by the name of its symbol.
    fn tagged(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let b = self.b;
        let name = b.ireps.get_id(irep, "identifier").to_owned();
        if let Some(&id) = self.tags.get(&name) {
            return Ok(self.p.types.intern(Type::Struct(id)));
        }
        let definition = self.symbol_by_name.get(&name[..]).map(|&i| self.symbols[i].ty);
        let Some(definition) = definition else {
            // A structure that nobody defines can be pointed to.
            let id = self.declare_structure(&name, b.ireps.id(irep) == "union_tag");
            self.tags.insert(name, id);
            return Ok(self.p.types.intern(Type::Struct(id)));
        };
        match b.ireps.id(definition) {
            "struct" | "union" => {
                let id = self.declare_structure(&name, b.ireps.id(definition) == "union");
                self.tags.insert(name, id);
                let ty = self.p.types.intern(Type::Struct(id));
                self.define_structure(id, definition)?;
                Ok(ty)
            }
            "struct_tag" | "union_tag" | "c_enum_tag" | "symbol" => {
                if self.open_tags.contains(&definition) {
                    return unsupported("a type that is named by itself");
                }
                self.open_tags.push(definition);
                let ty = self.ty(definition);
                self.open_tags.pop();
                ty
            }
            _ => self.ty(definition),
        }
    }

    /// A structure that is written out where it is used: equal ones are one.
    fn written_structure(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let b = self.b;
        let tag = b.ireps.get_id(irep, "tag").to_owned();
        // ESBMC writes structures out, and refers to them by their tags behind pointers.
        for name in [format!("tag-{tag}"), tag.clone()] {
            if b.dialect == Dialect::Esbmc
                && !tag.is_empty()
                && self.symbol_by_name.get(&name[..]).is_some_and(|&i| self.symbols[i].is_type)
            {
                if let Some(&id) = self.tags.get(&name) {
                    return Ok(self.p.types.intern(Type::Struct(id)));
                }
                let id = self.declare_structure(&name, b.ireps.id(irep) == "union");
                self.tags.insert(name, id);
                let ty = self.p.types.intern(Type::Struct(id));
                self.define_structure(id, irep)?;
                return Ok(ty);
            }
        }
        let union = b.ireps.id(irep) == "union";
        let mut key = (tag.clone(), union, Vec::new());
        for component in self.components(irep) {
            let ty = self.component_type(component)?;
            key.2.push((b.ireps.get_id(component, "name").to_owned(), ty));
        }
        if let Some(&id) = self.written.get(&key) {
            return Ok(self.p.types.intern(Type::Struct(id)));
        }
        let name = if tag.is_empty() { "anonymous" } else { &tag };
        let id = self.declare_structure(name, union);
        self.written.insert(key, id);
        let ty = self.p.types.intern(Type::Struct(id));
        self.define_structure(id, irep)?;
        Ok(ty)
    }

    pub(super) fn components(&self, irep: IrepId) -> Vec<IrepId> {
        let list = self.b.ireps.get(irep, "components");
        list.map_or(Vec::new(), |list| self.b.ireps.ordered(list).collect())
    }

    fn component_type(&mut self, component: IrepId) -> Mapping<TypeId> {
        match self.b.ireps.get(component, "type") {
            Some(ty) => self.ty(ty),
            None => unsupported("a member without a type"),
        }
    }

    fn declare_structure(&mut self, name: &str, union: bool) -> StructId {
        let n = self.struct_names.entry(name.to_owned()).or_insert(0);
        *n += 1;
        let name = if *n == 1 { name.to_owned() } else { format!("{name}${n}") };
        self.p.add_struct(StructType {
            name,
            union,
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
        })
    }

    /// Lays a structure out.
    fn define_structure(&mut self, id: StructId, irep: IrepId) -> Mapping<()> {
        let b = self.b;
        if b.ireps.get_id(irep, "incomplete") == "1" || b.ireps.get(irep, "components").is_none() {
            return Ok(());
        }
        let union = self.p.types.structs[id].union;
        let packed = ["#packed", "packed"]
            .iter()
            .any(|key| matches!(b.ireps.get_id(irep, key), "1" | "true"));
        let (mut bits, mut end, mut align) = (0u64, 0u64, 1u64);
        let mut fields: Vec<Field> = Vec::new();
        let mut places = Vec::new();
        for component in self.components(irep) {
            let name = b.ireps.get_id(component, "name").to_owned();
            let written = b.ireps.get(component, "type").unwrap_or(component);
            if b.ireps.id(written) == "code" {
                // A method of a class.
                places.push(None);
                continue;
            }
            let ty = self.component_type(component)?;
            let padding = ["#is_padding", "is_padding"]
                .iter()
                .any(|key| b.ireps.get_id(component, key) == "1")
                || name.starts_with("anon_pad$")
                || name.starts_with("$bit_field_pad")
                || name.starts_with("$pad");
            let bit_field = b.ireps.id(written) == "c_bit_field"
                || b.ireps.get_id(written, "#bitfield") == "1"
                || b.dialect == Dialect::Esbmc && self.is_narrow(ty)
                || padding && self.is_narrow(ty);
            let width = match *self.p.types.get(ty) {
                Type::Int { width, .. } if bit_field => u64::from(width),
                // What x87's numbers have beyond their ten bytes is padding.
                Type::Float(FloatFormat::X87_EXTENDED) => {
                    u64::from(FloatFormat::X87_EXTENDED.width())
                }
                // A trailing array without elements may have no size of its own.
                _ => match self.p.size_of(ty) {
                    Some(size) if size < 1 << 48 => size * 8,
                    _ => return unsupported(format!("the member `{name}`, which has no size")),
                },
            };
            if !bit_field && bits % 8 != 0 {
                bits = bits.next_multiple_of(8);
            }
            let first = if union { 0 } else { bits };
            if !padding {
                places.push(Some(fields.len() as u32));
                let taken = fields.iter().any(|f| f.name == name);
                let name = if taken || name.is_empty() {
                    format!("{name}${}", fields.len())
                } else {
                    name
                };
                fields.push(Field {
                    name,
                    ty,
                    offset: first / 8,
                    first_bit: bit_field.then_some((first % 8) as u32),
                });
                if !packed && !bit_field {
                    align = align.max(self.p.types.align_of(ty, &self.p.machine));
                }
            } else {
                places.push(None);
            }
            bits = first + width;
            end = end.max(bits);
            if end > 1 << 55 {
                return unsupported("a structure of that size");
            }
        }
        let size = end.div_ceil(8);
        // Where the file says nothing of padding, as for Java's classes, there is none: the size decides the alignment.
        while align > 1 && size % align != 0 {
            align /= 2;
        }
        if let Some(wanted) = b.ireps.get(irep, "#alignment").and_then(|a| self.constant_size(a))
            && wanted.is_power_of_two()
            && size % wanted == 0
        {
            align = align.max(wanted);
        }
        let structure = &mut self.p.types.structs[id];
        structure.fields = fields;
        structure.size = size;
        structure.align = align;
        structure.complete = true;
        self.places.insert(id, places);
        Ok(())
    }

    /// Returns whether an integer has fewer bits than its bytes.
    fn is_narrow(&self, ty: TypeId) -> bool {
        matches!(self.p.types.get(ty), Type::Int { width, .. }
            if !matches!(width, 8 | 16 | 32 | 64 | 128))
    }

    /// A complex number: two parts.
    fn complex(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let Some(part) = self.b.subtype(irep) else {
            return unsupported("a complex number of nothing");
        };
        let ty = self.ty(part)?;
        let Some(size) = self.p.size_of(ty) else { return unsupported("a complex number") };
        if let Some(&id) = self.complexes.get(&ty) {
            return Ok(self.p.types.intern(Type::Struct(id)));
        }
        let id = self.declare_structure("complex", false);
        let align = self.p.types.align_of(ty, &self.p.machine);
        let field =
            |name: &str, offset| Field { name: name.to_owned(), ty, offset, first_bit: None };
        let structure = &mut self.p.types.structs[id];
        structure.fields = vec![field("real", 0), field("imag", size)];
        structure.size = 2 * size;
        structure.align = align;
        structure.complete = true;
        self.complexes.insert(ty, id);
        self.places.insert(id, vec![Some(0), Some(1)]);
        Ok(self.p.types.intern(Type::Struct(id)))
    }
}
