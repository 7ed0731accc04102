//! C types: interned, qualified, laid out.
//!
//! A type is a number in a [`TypeTable`]; equal types are equal numbers, so compatibility of everything but
//! incomplete arrays and functions without prototype is equality. Typedef names do not survive into types, except that
//! alignment which a typedef adds is kept as [`TypeKind::Aligned`].

use crate::ast::Quals;
pub use crate::ast::RecordKind;
use crate::hir::VarId;
use crate::intern::Symbol;
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::fmt;
use vergo_source::Span;

/// An unqualified type in a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "ty");

/// A structure or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(u32);
entity_impl!(RecordId, "record");

/// An enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(u32);
entity_impl!(EnumId, "enum");

/// A type with its qualifiers, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QualType(u32);

impl QualType {
    /// The type with these qualifiers.
    pub fn new(ty: TypeId, quals: Quals) -> QualType {
        QualType(ty.0 << 4 | u32::from(quals.0))
    }

    /// The type without qualifiers.
    pub fn ty(self) -> TypeId {
        TypeId(self.0 >> 4)
    }

    /// The qualifiers.
    pub fn quals(self) -> Quals {
        Quals((self.0 & 15) as u8)
    }

    /// The type with further qualifiers.
    #[must_use]
    pub fn with(self, quals: Quals) -> QualType {
        QualType(self.0 | u32::from(quals.0))
    }

    /// The type without any qualifier.
    #[must_use]
    pub fn unqualified(self) -> QualType {
        QualType(self.0 & !15)
    }
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> QualType {
        QualType::new(ty, Quals::NONE)
    }
}

impl fmt::Debug for QualType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}/{}", self.ty(), self.quals().0)
    }
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// The type of an expression that has been reported.
    Error,
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// The integer types apart from `_Bool` and enumerations.
    Int(IntKind),
    /// The real floating types.
    Float(FloatKind),
    /// `_Complex` of a floating type.
    Complex(FloatKind),
    /// A pointer.
    Pointer(QualType),
    /// An array; qualifiers belong to the element.
    Array(QualType, ArrayLen),
    /// A GNU vector: element type and number of lanes.
    Vector(TypeId, u32),
    /// A function.
    Function(Box<FunctionType>),
    /// A structure or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// `__builtin_va_list`: opaque, passed by value.
    VaList,
    /// C23's `nullptr_t`.
    Nullptr,
    /// The first type with another alignment, from `typedef T U __attribute__((aligned(n)))`: matters to layout only.
    Aligned(TypeId, u32),
}

/// The integer types in order of rank within each signedness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the C type of its name")]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// `_BitInt(n)`
    BitInt(u32),
    /// `unsigned _BitInt(n)`
    UBitInt(u32),
}

/// The real floating types. `_Float32` and its like are types of their own in C; they convert as their format does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the C type of its name")]
pub enum FloatKind {
    Float16,
    BFloat16,
    Float,
    Double,
    LongDouble,
    Float32,
    Float64,
    Float128,
    Float32x,
    Float64x,
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// A constant number of elements.
    Fixed(u64),
    /// `[]`: incomplete, or a flexible member.
    Incomplete,
    /// A variable-length array: a hidden variable of type `size_t` holds the number of elements. It is assigned where
    /// the declaration or type name is evaluated.
    Variable(VarId),
    /// `[*]` in a prototype.
    Star,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub ret: QualType,
    /// Its parameters after adjustment (arrays and functions are pointers), unqualified.
    pub params: Vec<QualType>,
    /// Whether `...` ends the list.
    pub variadic: bool,
    /// Whether there is a prototype; without one, arguments undergo default promotions only.
    pub prototype: bool,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which of the two.
    pub kind: RecordKind,
    /// The tag.
    pub tag: Option<Symbol>,
    /// Where it is defined, or first named.
    pub span: Span,
    /// Members in order; `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    /// Size in bytes, zero while incomplete.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether `packed` applies to it.
    pub packed: bool,
    /// Whether the alignment was raised by an attribute (the printer must repeat it).
    pub explicit_align: Option<u64>,
    /// Whether `transparent_union` applies to it.
    pub transparent: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; `None` for anonymous members and unnamed bit-fields.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QualType,
    /// Where it is declared.
    pub span: Span,
    /// Offset in bytes; for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    /// Position and width when it is a bit-field.
    pub bits: Option<BitField>,
    /// Alignment that `_Alignas` or an attribute demands.
    pub explicit_align: Option<u64>,
    /// Whether `packed` applies to the member itself.
    pub packed: bool,
}

/// Where a bit-field is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// First bit (least significant first) counted from bit 0 of the byte at the member's offset; below 8.
    pub first_bit: u32,
    /// Width in bits; zero only for unnamed ones.
    pub width: u32,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag.
    pub tag: Option<Symbol>,
    /// Where it is defined, or first named.
    pub span: Span,
    /// The integer type that represents it.
    pub underlying: TypeId,
    /// Whether the underlying type was written (C23).
    pub fixed: bool,
    /// Names with values, `None` while incomplete.
    pub enumerators: Option<Vec<(Symbol, i128)>>,
}

/// All types of a unit.
#[derive(Clone, Debug)]
pub struct TypeTable {
    kinds: PrimaryMap<TypeId, TypeKind>,
    map: FxHashMap<TypeKind, TypeId>,
    /// Structures and unions.
    pub records: PrimaryMap<RecordId, Record>,
    /// Enumerations.
    pub enums: PrimaryMap<EnumId, Enum>,
}

impl Default for TypeTable {
    fn default() -> Self {
        TypeTable::new()
    }
}

impl TypeTable {
    /// A table without types.
    pub fn new() -> TypeTable {
        TypeTable {
            kinds: PrimaryMap::new(),
            map: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
        }
    }

    /// The number of a type, made if it is new.
    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&ty) = self.map.get(&kind) {
            return ty;
        }
        let ty = self.kinds.push(kind.clone());
        self.map.insert(kind, ty);
        ty
    }

    /// What a type is, alignment from typedefs included.
    pub fn kind_with_alignment(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty]
    }

    /// What a type is, seen through [`TypeKind::Aligned`].
    pub fn kind(&self, ty: impl Into<QualType>) -> &TypeKind {
        let mut kind = &self.kinds[ty.into().ty()];
        while let TypeKind::Aligned(inner, _) = kind {
            kind = &self.kinds[*inner];
        }
        kind
    }

    /// The type without alignment from typedefs.
    pub fn canonical(&self, mut ty: TypeId) -> TypeId {
        while let TypeKind::Aligned(inner, _) = self.kinds[ty] {
            ty = inner;
        }
        ty
    }

    /// A pointer to a type.
    pub fn pointer(&mut self, to: QualType) -> TypeId {
        self.intern(TypeKind::Pointer(to))
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no type.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}
