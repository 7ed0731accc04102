//! GOTO types: shared, laid out, independent of any global.

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_num::FloatFormat;

/// A type in a [`TypeTable`]; equal types are equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "t");

/// A structure or union in a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(u32);
entity_impl!(StructId, "struct");

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value: the return type of procedures and the target of untyped pointers.
    Void,
    /// A truth value. It has no representation in memory; C's `_Bool` is an unsigned 8-bit integer that holds 0 or 1.
    Bool,
    /// A two's-complement integer.
    Int {
        /// True if comparison, division, right shift and widening read it as signed.
        signed: bool,
        /// Width in bits, at least one. In memory it takes the next whole number of bytes (powers of two up to 16).
        width: u32,
    },
    /// A floating-point number.
    Float(FloatFormat),
    /// A pointer to objects or functions of a type.
    Ptr(TypeId),
    /// An array of a constant number of elements.
    Array(TypeId, u64),
    /// A structure or union.
    Struct(StructId),
    /// A function: result and parameters. (A variadic C function has a last parameter of pointer type, see
    /// `docs/semantics.md`.)
    Func(TypeId, Box<[TypeId]>),
}

/// A structure or union with its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructType {
    /// Its name, unique in the program.
    pub name: String,
    /// True if the members overlap.
    pub union: bool,
    /// Members in order. Padding is what no member covers.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// True if it is defined; an undefined one can only be pointed to.
    pub complete: bool,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, unique in the structure.
    pub name: String,
    /// Its type: for a bit-field, an integer type of exactly the field's width.
    pub ty: TypeId,
    /// Offset in bytes; for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    /// For a bit-field, the first bit within that byte (below 8).
    pub first_bit: Option<u32>,
}

/// Sizes that depend on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Machine {
    /// Width of pointers in bits: 32 or 64.
    pub pointer_width: u32,
    /// Size in bytes of an x87 extended number in memory: 12 or 16.
    pub x87_size: u64,
    /// Alignment that 8-byte integers and doubles have as members (4 on i386, 8 on x86-64).
    pub wide_align: u64,
}

impl Machine {
    /// 32-bit `int`, `long` and pointers: i386.
    pub const ILP32: Machine = Machine { pointer_width: 32, x87_size: 12, wide_align: 4 };
    /// 64-bit `long` and pointers: x86-64.
    pub const LP64: Machine = Machine { pointer_width: 64, x87_size: 16, wide_align: 8 };
}

/// All types of a program.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: PrimaryMap<TypeId, Type>,
    map: FxHashMap<Type, TypeId>,
    /// Structures and unions.
    pub structs: PrimaryMap<StructId, StructType>,
}

impl TypeTable {
    /// A table without types.
    pub fn new() -> TypeTable {
        TypeTable::default()
    }

    /// The id of a type, made if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.map.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.map.insert(ty, id);
        id
    }

    /// Returns the type with this id.
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty]
    }

    /// The types in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter()
    }

    /// `void`
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// `bool`
    pub fn bool(&mut self) -> TypeId {
        self.intern(Type::Bool)
    }

    /// An integer type.
    pub fn int(&mut self, signed: bool, width: u32) -> TypeId {
        self.intern(Type::Int { signed, width })
    }

    /// A floating type.
    pub fn float(&mut self, format: FloatFormat) -> TypeId {
        self.intern(Type::Float(format))
    }

    /// A pointer type.
    pub fn ptr(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Ptr(to))
    }

    /// An array type.
    pub fn array(&mut self, element: TypeId, len: u64) -> TypeId {
        self.intern(Type::Array(element, len))
    }

    /// A function type.
    pub fn func(&mut self, ret: TypeId, params: impl Into<Box<[TypeId]>>) -> TypeId {
        self.intern(Type::Func(ret, params.into()))
    }

    /// Size in bytes of an object of the type; `None` for `void`, `bool`, functions and incomplete structures, and
    /// where the size does not fit 64 bits.
    pub fn size_of(&self, mut ty: TypeId, machine: &Machine) -> Option<u64> {
        let mut count = 1u64;
        loop {
            let size = match self.get(ty) {
                Type::Void | Type::Bool | Type::Func(..) => None,
                Type::Int { width, .. } => Some(int_size(*width)),
                Type::Float(format) if *format == FloatFormat::X87_EXTENDED => {
                    Some(machine.x87_size)
                }
                Type::Float(format) => Some(u64::from(format.width()).div_ceil(8)),
                Type::Ptr(_) => Some(u64::from(machine.pointer_width) / 8),
                Type::Array(element, len) => {
                    count = count.checked_mul(*len)?;
                    ty = *element;
                    continue;
                }
                Type::Struct(id) => {
                    let structure = &self.structs[*id];
                    structure.complete.then_some(structure.size)
                }
            };
            return size?.checked_mul(count);
        }
    }

    /// Returns whether objects of the type have pointers in them.
    pub fn has_pointers(&self, ty: TypeId) -> bool {
        let mut pending = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(ty) = pending.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match self.get(ty) {
                Type::Ptr(_) => return true,
                Type::Array(element, _) => pending.push(*element),
                Type::Struct(id) => {
                    pending.extend(self.structs[*id].fields.iter().map(|field| field.ty));
                }
                _ => {}
            }
        }
        false
    }

    /// Alignment in bytes of objects of the type where nothing else is demanded; one for types without objects.
    pub fn align_of(&self, ty: TypeId, machine: &Machine) -> u64 {
        match self.get(ty) {
            Type::Void | Type::Bool | Type::Func(..) => 1,
            Type::Array(element, _) => self.align_of(*element, machine),
            Type::Struct(id) => self.structs[*id].align.max(1),
            Type::Float(format) if *format == FloatFormat::X87_EXTENDED => {
                if machine.x87_size == 16 { 16 } else { 4 }
            }
            Type::Int { .. } | Type::Float(_) | Type::Ptr(_) => {
                let size = self.size_of(ty, machine).unwrap_or(1);
                let natural =
                    if size.is_power_of_two() { size } else { size & size.wrapping_neg() };
                if size == 8 { natural.min(machine.wide_align) } else { natural }
            }
        }
    }
}

/// Bytes that an integer of this width takes in memory.
fn int_size(width: u32) -> u64 {
    let bytes = u64::from(width).div_ceil(8);
    if bytes <= 16 { bytes.next_power_of_two() } else { bytes.next_multiple_of(8) }
}
