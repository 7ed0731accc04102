//! Compatibility of types (C17 6.2.7), over one table of types.

use crate::types::{ArrayLen, FloatKind, FunctionType, IntKind, QualType, TypeKind, TypeTable};

/// Returns whether two types are compatible.
pub fn compatible(types: &TypeTable, a: QualType, b: QualType) -> bool {
    a == b || (a.quals() == b.quals() && compatible_unqualified(types, a, b))
}

/// Returns whether two types are compatible, their own qualifiers aside.
pub fn compatible_unqualified(types: &TypeTable, a: QualType, b: QualType) -> bool {
    if a.ty() == b.ty() {
        return true;
    }
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Error, _) | (_, TypeKind::Error) => true,
        (TypeKind::Pointer(x), TypeKind::Pointer(y)) => deep(types, *x, *y),
        (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
            let lengths = match (n, m) {
                (ArrayLen::Fixed(n), ArrayLen::Fixed(m)) => n == m,
                _ => true,
            };
            lengths && deep(types, *x, *y)
        }
        (TypeKind::Function(f), TypeKind::Function(g)) => functions(types, f, g),
        (TypeKind::Enum(id), TypeKind::Int(_)) => {
            types.enums[*id].underlying == types.canonical(b.ty())
        }
        (TypeKind::Int(_), TypeKind::Enum(id)) => {
            types.enums[*id].underlying == types.canonical(a.ty())
        }
        (TypeKind::Vector(x, n), TypeKind::Vector(y, m)) => {
            n == m && deep(types, (*x).into(), (*y).into())
        }
        (x, y) => x == y,
    }
}

fn deep(types: &TypeTable, a: QualType, b: QualType) -> bool {
    a == b || stacker::maybe_grow(64 * 1024, 1024 * 1024, || compatible(types, a, b))
}

fn functions(types: &TypeTable, f: &FunctionType, g: &FunctionType) -> bool {
    if !deep(types, f.ret, g.ret) {
        return false;
    }
    match (f.prototype, g.prototype) {
        (true, true) => {
            f.variadic == g.variadic
                && f.params.len() == g.params.len()
                && f.params.iter().zip(&g.params).all(|(&x, &y)| {
                    deep(types, x.unqualified(), y.unqualified())
                        || transparent(types, x, y)
                        || transparent(types, y, x)
                })
        }
        (true, false) => fits_without_prototype(types, f, g),
        (false, true) => fits_without_prototype(types, g, f),
        (false, false) => true,
    }
}

/// A transparent union stands for the type of any of its members.
fn transparent(types: &TypeTable, union: QualType, ty: QualType) -> bool {
    types.record(union).is_some_and(|record| {
        let record = &types.records[record];
        record.transparent
            && record
                .fields
                .iter()
                .flatten()
                .any(|field| deep(types, field.ty.unqualified(), ty.unqualified()))
    })
}

/// A prototype against a declaration without one (C17 6.7.6.3p15): the default promotions must change no parameter.
fn fits_without_prototype(types: &TypeTable, with: &FunctionType, without: &FunctionType) -> bool {
    if with.variadic {
        return false;
    }
    if without.params.is_empty() {
        return with.params.iter().all(|&param| {
            !matches!(
                types.kind(param),
                TypeKind::Bool
                    | TypeKind::Float(FloatKind::Float)
                    | TypeKind::Int(
                        IntKind::Char
                            | IntKind::SChar
                            | IntKind::UChar
                            | IntKind::Short
                            | IntKind::UShort
                    )
            )
        });
    }
    with.params.len() == without.params.len()
        && with.params.iter().zip(&without.params).all(|(&x, &y)| {
            deep(types, x.unqualified(), y) || matches!(types.kind(x), TypeKind::Enum(_))
        })
}
