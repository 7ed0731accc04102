//! Sizes, alignments and the layout of structures and unions.
//!
//! **Idea.** The System V ABIs of i386 and x86-64 as gcc applies them. Members are placed one after the other at the
//! next multiple of their alignment; a bit-field of type `T` is placed at the next bit unless it would then occupy more
//! storage units of `T` than one, in which case it moves to the next boundary of `T`; a bit-field of width zero moves
//! the position to a boundary of its type. A named bit-field aligns the structure as its type would.
//!
//! **What `packed` and `aligned` change.** A packed member is aligned to a byte (a packed bit-field to a bit) unless
//! the member itself says `aligned`; alignment that comes with the member's type gives way. `#pragma pack(n)` caps every
//! alignment at `n` and lets bit-fields straddle their units. A zero-width bit-field heeds neither.
//!
//! **i386.** `double`, `long long` and their like are aligned to eight bytes as variables but to four as members, unless
//! an attribute says otherwise. [`align_of`] is the former (`__alignof__`), [`member_align`] the latter (`_Alignof`).
//!
//! Checked against gcc, by generated definitions, in `tests/layout.rs`.

use crate::ast::Quals;
use crate::target::{DataModel, Target};
use crate::types::{
    ArrayLen, BitField, Field, FloatKind, IntKind, QualType, RecordKind, TypeKind, TypeTable,
};

/// The largest object, in bytes, on either target: `PTRDIFF_MAX`.
pub fn largest_object(target: &Target) -> u64 {
    match target.model {
        DataModel::Ilp32 => i32::MAX as u64,
        DataModel::Lp64 => i64::MAX as u64,
    }
}

/// The size of a complete type in bytes. `void` and functions have size 1, as GNU C has it; incomplete and
/// variable-length types have none. Sizes that exceed the address space are cut at `u64::MAX`.
pub fn size_of(types: &TypeTable, target: &Target, ty: QualType) -> Option<u64> {
    let mut ty = ty;
    let mut count: u64 = 1;
    loop {
        let size = match types.kind(ty) {
            TypeKind::Array(element, ArrayLen::Fixed(len)) => {
                count = count.saturating_mul(*len);
                ty = *element;
                continue;
            }
            TypeKind::Array(..) => return None,
            TypeKind::Error => 4,
            TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => 1,
            TypeKind::Int(kind) => int_size(*kind, target),
            TypeKind::Float(kind) => kind.size(target),
            TypeKind::Complex(kind) => 2 * kind.size(target),
            TypeKind::ComplexInt(kind) => 2 * int_size(*kind, target),
            TypeKind::Pointer(_) | TypeKind::Nullptr => target.word,
            TypeKind::Vector(element, lanes) => {
                count = count.saturating_mul(u64::from(*lanes));
                ty = QualType::from(*element);
                continue;
            }
            TypeKind::Record(id) => {
                let record = &types.records[*id];
                if record.fields.is_none() || record.variable {
                    return None;
                }
                record.size
            }
            TypeKind::Enum(id) => {
                let of = &types.enums[*id];
                if of.enumerators.is_none() && !of.fixed {
                    return None;
                }
                ty = of.underlying.into();
                continue;
            }
            TypeKind::VaList => match target.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
            TypeKind::Aligned(..) => unreachable!("kind sees through alignment"),
        };
        return Some(size.saturating_mul(count));
    }
}

fn int_size(kind: IntKind, target: &Target) -> u64 {
    match kind {
        IntKind::BitInt(width) | IntKind::UBitInt(width) => {
            let bytes = u64::from(width).div_ceil(8);
            match bytes {
                0..=1 => 1,
                2 => 2,
                3..=4 => 4,
                5..=8 => 8,
                _ => bytes.next_multiple_of(target.word),
            }
        }
        _ => u64::from(kind.width(target) / 8),
    }
}

/// Returns whether an attribute, on the type or on something inside of it, fixed the alignment; such alignment is not
/// lowered for members on i386.
fn has_explicit_align(types: &TypeTable, ty: QualType) -> bool {
    let mut ty = ty;
    loop {
        match types.kind_with_alignment(ty.ty()) {
            TypeKind::Aligned(..) => return true,
            TypeKind::Array(element, _) => ty = *element,
            _ => return false,
        }
    }
}

/// The alignment of a type as a variable has it: `__alignof__`.
pub fn align_of(types: &TypeTable, target: &Target, ty: QualType) -> u64 {
    let mut ty = ty;
    loop {
        let natural = match types.kind_with_alignment(ty.ty()) {
            TypeKind::Aligned(_, align) => return u64::from(*align),
            TypeKind::Array(element, _) => {
                ty = *element;
                continue;
            }
            TypeKind::Error | TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => 1,
            TypeKind::Int(kind @ (IntKind::BitInt(_) | IntKind::UBitInt(_))) => {
                int_size(*kind, target).min(target.word)
            }
            TypeKind::Int(kind) | TypeKind::ComplexInt(kind) => int_size(*kind, target),
            TypeKind::Float(kind) | TypeKind::Complex(kind) => float_align(*kind, target),
            TypeKind::Pointer(_) | TypeKind::Nullptr => target.word,
            TypeKind::Vector(..) => {
                size_of(types, target, ty).unwrap_or(1).checked_next_power_of_two().unwrap_or(1)
            }
            TypeKind::Record(id) => types.records[*id].align.max(1),
            TypeKind::Enum(id) => align_of(types, target, types.enums[*id].underlying.into()),
            TypeKind::VaList => target.word,
        };
        return natural.max(atomic_align(types, target, ty));
    }
}

/// Atomic objects of a size that a lock-free instruction handles are aligned to their size.
fn atomic_align(types: &TypeTable, target: &Target, ty: QualType) -> u64 {
    if !ty.quals().has(Quals::ATOMIC) {
        return 1;
    }
    match size_of(types, target, ty) {
        Some(size @ (1 | 2 | 4 | 8)) => size,
        Some(16) if target.model == DataModel::Lp64 => 16,
        _ => 1,
    }
}

fn float_align(kind: FloatKind, target: &Target) -> u64 {
    match kind {
        FloatKind::Float16 | FloatKind::BFloat16 => 2,
        FloatKind::Float | FloatKind::Float32 => 4,
        FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => 8,
        FloatKind::LongDouble | FloatKind::Float64x => target.long_double_align,
        FloatKind::Float128 => 16,
    }
}

/// The alignment of a type as a member has it: `_Alignof`.
pub fn member_align(types: &TypeTable, target: &Target, ty: QualType) -> u64 {
    let align = align_of(types, target, ty);
    if target.model == DataModel::Lp64 || has_explicit_align(types, ty) {
        return align;
    }
    let element = types.innermost_element(ty);
    if element.quals().has(Quals::ATOMIC) {
        return align;
    }
    match types.kind(element) {
        TypeKind::Bool
        | TypeKind::Int(_)
        | TypeKind::ComplexInt(_)
        | TypeKind::Enum(_)
        | TypeKind::Float(FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x)
        | TypeKind::Complex(FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x) => {
            align.min(target.wide_align)
        }
        _ => align,
    }
}

/// The attributes that determine the layout of a structure or union besides its members.
#[derive(Clone, Copy, Debug)]
pub struct RecordShape {
    /// Structure or union.
    pub kind: RecordKind,
    /// True if `packed` applies to all members.
    pub packed: bool,
    /// Alignment that an attribute demands at least.
    pub explicit_align: Option<u64>,
    /// The cap of `#pragma pack(n)`.
    pub pack: Option<u64>,
}

/// Places the members; gives size and alignment in bytes. A size beyond the address space is `None`.
pub fn lay_out(
    types: &TypeTable,
    target: &Target,
    shape: RecordShape,
    fields: &mut [Field],
) -> Option<(u64, u64)> {
    // Positions are in bits.
    let mut position: u128 = 0;
    let mut largest: u128 = 0;
    let mut record_align: u64 = 1;
    for field in fields.iter_mut() {
        let packed = shape.packed || field.packed;
        if shape.kind == RecordKind::Union {
            position = 0;
        }
        let size_bits = match field.bits {
            Some(bits) => {
                let type_align = member_align(types, target, field.ty);
                let type_bits = u128::from(size_of(types, target, field.ty).unwrap_or(1)) * 8;
                if bits.width == 0 {
                    let align = type_align.max(field.explicit_align.unwrap_or(1));
                    position = position.next_multiple_of(u128::from(align) * 8);
                } else {
                    if let Some(align) = field.explicit_align {
                        let align = cap(align, shape.pack);
                        position = position.next_multiple_of(u128::from(align) * 8);
                    }
                    if !packed && shape.pack.is_none() {
                        let unit = u128::from(type_align) * 8;
                        let within = position % unit;
                        if (within + u128::from(bits.width)).div_ceil(unit) > type_bits / unit {
                            position = position.next_multiple_of(unit);
                        }
                    }
                    if field.name.is_some() {
                        let mut align = type_align;
                        if shape.pack.is_some() {
                            align = cap(align, shape.pack);
                        } else if packed {
                            align = 1;
                        }
                        record_align = record_align.max(align);
                        if let Some(align) = field.explicit_align {
                            record_align = record_align.max(cap(align, shape.pack));
                        }
                    }
                }
                field.offset = (position / 8) as u64;
                field.bits = Some(BitField { first_bit: (position % 8) as u32, width: bits.width });
                u128::from(bits.width)
            }
            None => {
                let natural = match (packed, field.explicit_align) {
                    (true, Some(align)) => align,
                    (true, None) => 1,
                    (false, Some(align)) if align >= align_of(types, target, field.ty) => align,
                    (false, _) => member_align(types, target, field.ty),
                };
                let align = cap(natural, shape.pack);
                record_align = record_align.max(align);
                position = position.next_multiple_of(u128::from(align) * 8);
                field.offset = u64::try_from(position / 8).ok()?;
                // A flexible member takes no room.
                u128::from(size_of(types, target, field.ty).unwrap_or(0)) * 8
            }
        };
        position += size_bits;
        largest = largest.max(position);
        if largest.div_ceil(8) > u128::from(largest_object(target)) {
            return None;
        }
    }
    let align = record_align.max(shape.explicit_align.unwrap_or(1));
    let size = largest.div_ceil(8).next_multiple_of(u128::from(align));
    let size = u64::try_from(size).ok().filter(|&size| size <= largest_object(target))?;
    Some((size, align))
}

fn cap(align: u64, pack: Option<u64>) -> u64 {
    pack.map_or(align, |pack| align.min(pack))
}
