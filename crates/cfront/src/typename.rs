//! The text of types, as C would write them: for diagnostics and dumps.

use crate::ast::Quals;
use crate::intern::Interner;
use crate::types::{ArrayLen, FloatKind, IntKind, QualType, RecordKind, TypeKind, TypeTable};

/// Derivations written out before the rest is cut; real types have a handful.
const DEEPEST: usize = 60;

/// The type as a type name: `int (*)[3]`.
pub fn type_name(types: &TypeTable, names: &Interner, ty: QualType) -> String {
    declaration(types, names, ty, "")
}

/// A declaration of `name` with the type, without a semicolon: `int (*name)[3]`.
pub fn declaration(types: &TypeTable, names: &Interner, ty: QualType, name: &str) -> String {
    declare(types, names, ty, name.to_owned(), 0)
}

fn declare(
    types: &TypeTable,
    names: &Interner,
    ty: QualType,
    name: String,
    depth: usize,
) -> String {
    let mut ty = ty;
    let mut text = name;
    for _ in depth..DEEPEST {
        match types.kind(ty) {
            TypeKind::Pointer(to) => {
                let quals = qualifiers(ty.quals());
                let space = if quals.is_empty() || text.is_empty() || text.starts_with(['(', '[']) {
                    ""
                } else {
                    " "
                };
                text = format!("*{quals}{space}{text}");
                if matches!(types.kind(*to), TypeKind::Array(..) | TypeKind::Function(_)) {
                    text = format!("({text})");
                }
                ty = *to;
            }
            TypeKind::Array(element, len) => {
                text = match len {
                    ArrayLen::Fixed(len) => format!("{text}[{len}]"),
                    ArrayLen::Incomplete => format!("{text}[]"),
                    ArrayLen::Variable(_) | ArrayLen::Star => format!("{text}[*]"),
                };
                ty = *element;
            }
            TypeKind::Function(function) => {
                let mut params: Vec<String> = function
                    .params
                    .iter()
                    .map(|&param| declare(types, names, param, String::new(), depth + 10))
                    .collect();
                if function.variadic {
                    params.push("...".to_owned());
                }
                if params.is_empty() && function.prototype {
                    params.push("void".to_owned());
                }
                text = format!("{text}({})", params.join(", "));
                ty = function.ret;
            }
            _ => {
                let base = base_name(types, names, ty, depth);
                let quals = qualifiers(ty.quals());
                let mut out = if quals.is_empty() { base } else { format!("{quals} {base}") };
                if !text.is_empty() {
                    out.push(' ');
                    out.push_str(&text);
                }
                return out;
            }
        }
    }
    format!("... {text}").trim_end().to_owned()
}

fn base_name(types: &TypeTable, names: &Interner, ty: QualType, depth: usize) -> String {
    match types.kind(ty) {
        TypeKind::Error => "<error>".to_owned(),
        TypeKind::Void => "void".to_owned(),
        TypeKind::Bool => "_Bool".to_owned(),
        TypeKind::Int(kind) => int_name(*kind),
        TypeKind::Float(kind) => float_name(*kind).to_owned(),
        TypeKind::Complex(kind) => format!("_Complex {}", float_name(*kind)),
        TypeKind::ComplexInt(kind) => format!("_Complex {}", int_name(*kind)),
        TypeKind::Vector(element, lanes) => {
            let element = declare(types, names, (*element).into(), String::new(), depth + 1);
            format!("{element} __attribute__((vector({lanes})))")
        }
        TypeKind::Record(id) => {
            let record = &types.records[*id];
            let kind = match record.kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            format!("{kind} {}", record.tag.map_or("<anonymous>", |tag| names.name(tag)))
        }
        TypeKind::Enum(id) => {
            format!("enum {}", types.enums[*id].tag.map_or("<anonymous>", |tag| names.name(tag)))
        }
        TypeKind::VaList => "__builtin_va_list".to_owned(),
        TypeKind::Nullptr => "nullptr_t".to_owned(),
        TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Function(_)
        | TypeKind::Aligned(..) => {
            unreachable!("derived types are handled by the caller")
        }
    }
}

/// The keywords of an integer type.
pub fn int_name(kind: IntKind) -> String {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
        IntKind::BitInt(width) => return format!("_BitInt({width})"),
        IntKind::UBitInt(width) => return format!("unsigned _BitInt({width})"),
    }
    .to_owned()
}

/// The keywords of a floating type.
pub fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "_Float16",
        FloatKind::BFloat16 => "__bf16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float32 => "_Float32",
        FloatKind::Float64 => "_Float64",
        FloatKind::Float128 => "_Float128",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64x => "_Float64x",
    }
}

/// The qualifiers in the order in which they are usually written.
pub fn qualifiers(quals: Quals) -> String {
    let mut words = Vec::new();
    for (qual, word) in [
        (Quals::CONST, "const"),
        (Quals::VOLATILE, "volatile"),
        (Quals::RESTRICT, "restrict"),
        (Quals::ATOMIC, "_Atomic"),
    ] {
        if quals.has(qual) {
            words.push(word);
        }
    }
    words.join(" ")
}
