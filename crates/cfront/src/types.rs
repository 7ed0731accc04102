//! C types: interned, qualified, laid out.
//!
//! A type is a number in a [`TypeTable`]; equal types are equal numbers, so compatibility of everything but
//! incomplete arrays and functions without prototype is equality. Typedef names do not survive into types, except that
//! alignment which a typedef adds is kept as [`TypeKind::Aligned`].

use crate::ast::Quals;
pub use crate::ast::RecordKind;
use crate::hir::VarId;
use crate::intern::Symbol;
use crate::target::{DataModel, Target};
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::fmt;
use vergo_num::FloatFormat;
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

/// A type.
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
    /// GNU C's `_Complex` of an integer type.
    ComplexInt(IntKind),
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

impl IntKind {
    /// Width in bits.
    pub fn width(self, target: &Target) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => target.word as u32 * 8,
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
            IntKind::BitInt(width) | IntKind::UBitInt(width) => width,
        }
    }

    /// Returns whether values can be negative; plain `char` is signed on x86.
    pub fn is_signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128
            | IntKind::BitInt(_) => true,
            IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128
            | IntKind::UBitInt(_) => false,
        }
    }

    /// The type of the same rank with the given signedness (`char` counts as its signed variant).
    #[must_use]
    pub fn with_sign(self, signed: bool) -> IntKind {
        match (self, signed) {
            (IntKind::Char | IntKind::SChar | IntKind::UChar, true) => IntKind::SChar,
            (IntKind::Char | IntKind::SChar | IntKind::UChar, false) => IntKind::UChar,
            (IntKind::Short | IntKind::UShort, true) => IntKind::Short,
            (IntKind::Short | IntKind::UShort, false) => IntKind::UShort,
            (IntKind::Int | IntKind::UInt, true) => IntKind::Int,
            (IntKind::Int | IntKind::UInt, false) => IntKind::UInt,
            (IntKind::Long | IntKind::ULong, true) => IntKind::Long,
            (IntKind::Long | IntKind::ULong, false) => IntKind::ULong,
            (IntKind::LongLong | IntKind::ULongLong, true) => IntKind::LongLong,
            (IntKind::LongLong | IntKind::ULongLong, false) => IntKind::ULongLong,
            (IntKind::Int128 | IntKind::UInt128, true) => IntKind::Int128,
            (IntKind::Int128 | IntKind::UInt128, false) => IntKind::UInt128,
            (IntKind::BitInt(n) | IntKind::UBitInt(n), true) => IntKind::BitInt(n),
            (IntKind::BitInt(n) | IntKind::UBitInt(n), false) => IntKind::UBitInt(n),
        }
    }

    /// The conversion rank (C23 6.3.1.1) as a number to compare: width first, then a standard type above a `_BitInt`
    /// of its width, then the order of the standard types.
    pub fn rank(self, target: &Target) -> (u32, u8) {
        let order = match self {
            IntKind::BitInt(_) | IntKind::UBitInt(_) => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        };
        (self.width(target), order)
    }
}

impl FloatKind {
    /// The format of the values.
    pub fn format(self) -> FloatFormat {
        match self {
            FloatKind::Float16 => FloatFormat::HALF,
            FloatKind::BFloat16 => FloatFormat::BFLOAT,
            FloatKind::Float | FloatKind::Float32 => FloatFormat::SINGLE,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => FloatFormat::DOUBLE,
            FloatKind::LongDouble | FloatKind::Float64x => FloatFormat::X87_EXTENDED,
            FloatKind::Float128 => FloatFormat::QUAD,
        }
    }

    /// Size of an object in bytes.
    pub fn size(self, target: &Target) -> u64 {
        match self {
            FloatKind::Float16 | FloatKind::BFloat16 => 2,
            FloatKind::Float | FloatKind::Float32 => 4,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => 8,
            FloatKind::LongDouble | FloatKind::Float64x => target.long_double_size,
            FloatKind::Float128 => 16,
        }
    }

    /// The conversion rank as a number to compare: precision first; of types with the same values the interchange
    /// types come first, then the extended ones, then the standard ones.
    pub fn rank(self) -> (u32, u8) {
        let order = match self {
            FloatKind::Float | FloatKind::Double | FloatKind::LongDouble => 0,
            FloatKind::Float32x | FloatKind::Float64x => 1,
            _ => 2,
        };
        (self.format().significand_bits(), order)
    }
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
    /// The type of its result.
    pub ret: QualType,
    /// Its parameters after adjustment (arrays and functions are pointers), unqualified. Without a prototype, those of a
    /// K&R definition as they are passed: promoted, while the parameter variables have their declared types.
    pub params: Vec<QualType>,
    /// True if `...` ends the list.
    pub variadic: bool,
    /// True if there is a prototype; without one, arguments undergo default promotions only.
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
    /// True if `packed` applies to it.
    pub packed: bool,
    /// The alignment, if an attribute raised it (the printer must repeat it).
    pub explicit_align: Option<u64>,
    /// True if `transparent_union` applies to it.
    pub transparent: bool,
    /// True if a member has a length that is known only at run time (GNU C): then this holds for offsets and the size as
    /// well, and those here mean nothing.
    pub variable: bool,
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
    /// True if `packed` applies to the member itself.
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
    /// True if the underlying type was written (C23).
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

    /// The number of a type, if it has one.
    pub fn find(&self, kind: &TypeKind) -> Option<TypeId> {
        self.map.get(kind).copied()
    }

    /// Returns the type with this id, including alignment from typedefs.
    pub fn kind_with_alignment(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty]
    }

    /// Returns the type with this id, seen through [`TypeKind::Aligned`].
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

    /// Returns the number of types.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there is no type.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The standard type `int`, `size_t` and the like, made if it is new.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(TypeKind::Int(kind))
    }

    /// `size_t`
    pub fn size_type(&mut self, target: &Target) -> TypeId {
        self.int(match target.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        })
    }

    /// `ptrdiff_t`
    pub fn ptrdiff_type(&mut self, target: &Target) -> TypeId {
        self.int(match target.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        })
    }

    /// Width and signedness of an integer type (`_Bool`: the one bit of its value; enumerations included).
    pub fn int_shape(&self, ty: impl Into<QualType>, target: &Target) -> Option<IntShape> {
        match self.kind(ty) {
            TypeKind::Bool => Some(IntShape { width: 1, signed: false }),
            TypeKind::Int(kind) => {
                Some(IntShape { width: kind.width(target), signed: kind.is_signed() })
            }
            TypeKind::Enum(id) => self.int_shape(self.enums[*id].underlying, target),
            _ => None,
        }
    }

    /// The kind of an integer type, seen through enumerations; `None` for `_Bool`.
    pub fn int_kind(&self, ty: impl Into<QualType>) -> Option<IntKind> {
        match self.kind(ty) {
            TypeKind::Int(kind) => Some(*kind),
            TypeKind::Enum(id) => self.int_kind(self.enums[*id].underlying),
            _ => None,
        }
    }

    /// Returns whether the type is an integer type: `_Bool` and enumerations included.
    pub fn is_integer(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_))
    }

    /// Returns whether the type is a real floating type.
    pub fn is_float(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    /// Returns whether the type is an integer, floating or complex type.
    pub fn is_arithmetic(&self, ty: impl Into<QualType>) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Bool
                | TypeKind::Int(_)
                | TypeKind::Enum(_)
                | TypeKind::Float(_)
                | TypeKind::Complex(_)
                | TypeKind::ComplexInt(_)
        )
    }

    /// Returns whether the type is an integer or real floating type.
    pub fn is_real(&self, ty: impl Into<QualType>) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Float(_)
        )
    }

    /// Returns whether the type is arithmetic or a pointer.
    pub fn is_scalar(&self, ty: impl Into<QualType>) -> bool {
        let ty = ty.into();
        self.is_arithmetic(ty) || matches!(self.kind(ty), TypeKind::Pointer(_) | TypeKind::Nullptr)
    }

    /// Returns the type that a pointer points to.
    pub fn pointee(&self, ty: impl Into<QualType>) -> Option<QualType> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// Returns whether the type is a function type.
    pub fn is_function(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    /// Returns whether the type is an array type.
    pub fn is_array(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.kind(ty), TypeKind::Array(..))
    }

    /// Returns whether the type is `void`.
    pub fn is_void(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    /// The structure or union that the type is.
    pub fn record(&self, ty: impl Into<QualType>) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The function type that the type is.
    pub fn function(&self, ty: impl Into<QualType>) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Returns whether the type has a size: neither `void` nor a function, an unfinished structure or an array of
    /// unknown length. Variable-length arrays are complete.
    pub fn is_complete(&self, ty: impl Into<QualType>) -> bool {
        let mut ty = ty.into();
        loop {
            match self.kind(ty) {
                TypeKind::Void | TypeKind::Function(_) => return false,
                TypeKind::Record(id) => return self.records[*id].fields.is_some(),
                TypeKind::Enum(id) => {
                    let of = &self.enums[*id];
                    return of.enumerators.is_some() || of.fixed;
                }
                TypeKind::Array(_, ArrayLen::Incomplete) => return false,
                TypeKind::Array(element, _) => ty = *element,
                _ => return true,
            }
        }
    }

    /// Returns whether the size of the type is known only at run time: a variable-length array, a structure with such a
    /// member, or an array of these.
    pub fn is_vla(&self, ty: impl Into<QualType>) -> bool {
        let mut ty = ty.into();
        loop {
            match self.kind(ty) {
                TypeKind::Array(_, ArrayLen::Variable(_) | ArrayLen::Star) => return true,
                TypeKind::Array(element, _) => ty = *element,
                TypeKind::Record(id) => return self.records[*id].variable,
                _ => return false,
            }
        }
    }

    /// Returns whether the type is built from a variable-length array anywhere in its derivation (C17 6.7.6p3).
    pub fn is_variably_modified(&self, ty: impl Into<QualType>) -> bool {
        let mut ty = ty.into();
        loop {
            match self.kind(ty) {
                TypeKind::Array(_, ArrayLen::Variable(_) | ArrayLen::Star) => return true,
                TypeKind::Array(next, _) | TypeKind::Pointer(next) => ty = *next,
                TypeKind::Function(function) => ty = function.ret,
                TypeKind::Record(id) => return self.records[*id].variable,
                _ => return false,
            }
        }
    }

    /// The element that is no array itself.
    pub fn innermost_element(&self, ty: impl Into<QualType>) -> QualType {
        let mut ty = ty.into();
        while let TypeKind::Array(element, _) = self.kind(ty) {
            ty = *element;
        }
        ty
    }

    /// The type with further qualifiers, which go to the elements of an array.
    pub fn qualify(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::NONE || ty.quals().has(quals) {
            return ty;
        }
        let mut lengths = Vec::new();
        let mut element = ty;
        while let TypeKind::Array(next, len) = *self.kind(element) {
            lengths.push(len);
            element = next;
        }
        let mut ty = element.with(quals);
        for len in lengths.into_iter().rev() {
            ty = self.intern(TypeKind::Array(ty, len)).into();
        }
        ty
    }

    /// The qualifiers of a type, for arrays those of the elements.
    pub fn qualifiers(&self, ty: QualType) -> Quals {
        ty.quals().with(self.innermost_element(ty).quals())
    }
}

/// Width and signedness of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntShape {
    /// Width in bits.
    pub width: u32,
    /// True if values can be negative.
    pub signed: bool,
}
