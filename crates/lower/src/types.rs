//! C types as GOTO types.
//!
//! A type is mapped once per unit. A structure gets its number before its members are mapped, so that it can contain
//! pointers to itself. Unnamed bit-fields are padding and have no member in GOTO, hence the table of member numbers.
//!
//! A variable-length array has no GOTO type of its own: `int[n][m]` is known to GOTO by its innermost element of
//! constant size, `int`; a pointer to it is a pointer to that element, and arithmetic on it multiplies by the hidden
//! lengths (see [`crate::vla`]).

use crate::link::{Cx, UnitIndex};
use std::rc::Rc;
use vergo_cfront::layout;
use vergo_cfront::target::DataModel;
use vergo_cfront::types::{ArrayLen, QualType, RecordId, RecordKind, TypeKind};
use vergo_goto::types::{Field, StructId, StructType, Type, TypeId};

/// A structure or union of a unit in GOTO.
#[derive(Clone)]
pub(crate) struct RecordInfo {
    /// The type.
    pub(crate) ty: TypeId,
    /// Its number.
    pub(crate) id: StructId,
    /// The GOTO member of each C member; unnamed bit-fields have none.
    pub(crate) fields: Rc<[Option<u32>]>,
}

impl Cx<'_> {
    /// The GOTO type of a C type of a unit.
    pub(crate) fn ty(&mut self, unit: UnitIndex, ty: impl Into<QualType>) -> TypeId {
        let id = ty.into().ty();
        if let Some(&Some(ty)) = self.units[unit].types.get(id) {
            return ty;
        }
        let made = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.make_type(unit, id));
        self.units[unit].types[id] = Some(made);
        made
    }

    fn make_type(&mut self, unit: UnitIndex, id: vergo_cfront::types::TypeId) -> TypeId {
        let handle = self.units[unit].unit.clone();
        match handle.types.kind(id) {
            TypeKind::Error => self.p.types.int(true, 32),
            TypeKind::Void => self.p.types.void(),
            TypeKind::Bool => self.p.types.int(false, 8),
            TypeKind::Int(kind) => {
                self.p.types.int(kind.is_signed(), kind.width(&handle.target).max(1))
            }
            TypeKind::Float(kind) => self.p.types.float(kind.format()),
            TypeKind::Complex(kind) => {
                let part = self.p.types.float(kind.format());
                self.complex_type(part, kind.size(&self.target))
            }
            TypeKind::ComplexInt(kind) => {
                let width = kind.width(&self.target);
                let part = self.p.types.int(kind.is_signed(), width);
                self.complex_type(part, u64::from(width.div_ceil(8)))
            }
            TypeKind::Pointer(to) => {
                let to = self.ty(unit, *to);
                self.p.types.ptr(to)
            }
            TypeKind::Array(element, _) if handle.types.is_vla(id) => self.ty(unit, *element),
            TypeKind::Array(element, len) => {
                let element = self.ty(unit, *element);
                match len {
                    ArrayLen::Fixed(len) => self.p.types.array(element, *len),
                    _ => self.p.types.array(element, 0),
                }
            }
            TypeKind::Vector(element, lanes) => {
                let element = self.ty(unit, *element);
                self.p.types.array(element, u64::from(*lanes))
            }
            TypeKind::Function(function) => {
                let mut params: Vec<TypeId> =
                    function.params.iter().map(|&param| self.ty(unit, param)).collect();
                if function.variadic {
                    params.push(self.variable_arguments());
                }
                let ret = self.ty(unit, function.ret);
                self.p.types.func(ret, params)
            }
            // Its size is known only at run time: it is bytes, at offsets that are computed.
            TypeKind::Record(id) if handle.types.records[*id].variable => {
                self.p.types.int(false, 8)
            }
            TypeKind::Record(id) => self.record(unit, *id).ty,
            TypeKind::Enum(id) => self.ty(unit, handle.types.enums[*id].underlying),
            TypeKind::VaList => self.va_list_type(),
            TypeKind::Nullptr => self.void_ptr(),
            TypeKind::Aligned(inner, _) => self.ty(unit, *inner),
        }
    }

    /// `void *`
    pub(crate) fn void_ptr(&mut self) -> TypeId {
        let void = self.p.types.void();
        self.p.types.ptr(void)
    }

    /// The type of the last parameter of a variadic function.
    pub(crate) fn variable_arguments(&mut self) -> TypeId {
        *self.variable_arguments.get_or_insert_with(|| self.p.variable_arguments())
    }

    /// `char *`
    pub(crate) fn char_ptr(&mut self) -> TypeId {
        let char = self.p.types.int(true, 8);
        self.p.types.ptr(char)
    }

    /// `int`
    pub(crate) fn int_type(&mut self) -> TypeId {
        self.p.types.int(true, 32)
    }

    /// The structure that stands for `va_list`: of the target's size, with the address of the next argument first.
    pub(crate) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let cursor = self.void_ptr();
        let size = match self.target.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 24,
        };
        let name = self.unique_struct_name("va_list");
        let id = self.p.add_struct(StructType {
            name,
            union: false,
            fields: vec![Field { name: "cursor".into(), ty: cursor, offset: 0, first_bit: None }],
            size,
            align: self.target.word,
            complete: true,
        });
        let ty = self.p.types.intern(Type::Struct(id));
        self.va_list = Some(ty);
        ty
    }

    /// The structure of a complex number: real part, imaginary part.
    pub(crate) fn complex_type(&mut self, part: TypeId, size: u64) -> TypeId {
        if let Some(&ty) = self.complex_types.get(&part) {
            return ty;
        }
        let base = match *self.p.types.get(part) {
            Type::Float(format) => format!("complex{}", format.width()),
            Type::Int { signed, width } => {
                format!("complex_{}{width}", if signed { 'i' } else { 'u' })
            }
            _ => "complex".to_string(),
        };
        let name = self.unique_struct_name(&base);
        let id = self.p.add_struct(StructType {
            name,
            union: false,
            fields: vec![
                Field { name: "re".into(), ty: part, offset: 0, first_bit: None },
                Field { name: "im".into(), ty: part, offset: size, first_bit: None },
            ],
            size: 2 * size,
            align: size.next_power_of_two().min(self.target.max_align),
            complete: true,
        });
        let ty = self.p.types.intern(Type::Struct(id));
        self.complex_types.insert(part, ty);
        ty
    }

    /// A structure or union of a unit, with its members if it is complete.
    pub(crate) fn record(&mut self, unit: UnitIndex, record: RecordId) -> RecordInfo {
        if let Some(Some(info)) = self.units[unit].records.get(record) {
            return info.clone();
        }
        let handle = self.units[unit].unit.clone();
        let source = &handle.types.records[record];
        let base = source.tag.map_or("anon", |tag| handle.names.name(tag));
        let name = self.unique_struct_name(base);
        let id = self.p.add_struct(StructType {
            name,
            union: source.kind == RecordKind::Union,
            fields: Vec::new(),
            size: source.size,
            align: source.align.max(1),
            complete: false,
        });
        let ty = self.p.types.intern(Type::Struct(id));
        let numbers: Rc<[Option<u32>]> = source.fields.as_deref().map_or_else(
            || Rc::from([]),
            |fields| {
                let mut next = 0;
                fields
                    .iter()
                    .map(|field| {
                        if field.name.is_none() && field.bits.is_some()
                            || field.bits.is_some_and(|bits| bits.width == 0)
                        {
                            return None;
                        }
                        next += 1;
                        Some(next - 1)
                    })
                    .collect()
            },
        );
        let info = RecordInfo { ty, id, fields: numbers.clone() };
        self.units[unit].records[record] = Some(info.clone());
        if let Some(fields) = &source.fields {
            let mut members = Vec::with_capacity(fields.len());
            for (field, number) in fields.iter().zip(numbers.iter()) {
                if number.is_none() {
                    continue;
                }
                let declared = self.ty(unit, field.ty);
                let (ty, first_bit) = match field.bits {
                    Some(bits) => {
                        let signed =
                            matches!(self.p.types.get(declared), Type::Int { signed: true, .. });
                        (self.p.types.int(signed, bits.width), Some(bits.first_bit))
                    }
                    None => (declared, None),
                };
                let name = match field.name {
                    Some(name) => handle.names.name(name).to_string(),
                    None => format!("__anon{}", members.len()),
                };
                members.push(Field { name, ty, offset: field.offset, first_bit });
            }
            let structure = &mut self.p.types.structs[id];
            structure.fields = members;
            structure.complete = true;
        }
        info
    }

    /// Size in bytes of a C type; zero where C knows none.
    pub(crate) fn c_size(&self, unit: UnitIndex, ty: QualType) -> u64 {
        let unit = &self.units[unit].unit;
        layout::size_of(&unit.types, &unit.target, ty).unwrap_or(0)
    }

    /// Alignment in bytes of a variable of a C type.
    pub(crate) fn c_align(&self, unit: UnitIndex, ty: QualType) -> u64 {
        let unit = &self.units[unit].unit;
        layout::align_of(&unit.types, &unit.target, ty).max(1)
    }

    /// The natural alignment of a GOTO type.
    pub(crate) fn align_of(&self, ty: TypeId) -> u64 {
        match self.p.types.get(ty) {
            Type::Array(element, _) => self.align_of(*element),
            Type::Struct(id) => self.p.types.structs[*id].align,
            _ => {
                self.p.size_of(ty).unwrap_or(1).next_power_of_two().clamp(1, self.target.max_align)
            }
        }
    }
}
