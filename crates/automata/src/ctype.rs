//! Types of the program as C text for added declarations.

use crate::automaton::{ClassKind, TypeClass};
use vergo_cfront::hir::Unit;
use vergo_cfront::target::Target;
use vergo_cfront::typename::{declaration, float_name, int_name};
use vergo_cfront::types::{ArrayLen, FloatKind, IntKind, QualType, TypeKind};

/// Writes types of a unit.
#[derive(Clone, Copy, Debug)]
pub struct CTypes<'a> {
    /// The unit.
    pub unit: &'a Unit,
}

impl CTypes<'_> {
    /// A declaration of a name with a type, if the type can be written at file scope. A pointer to something that has
    /// no name there is written as `void *`, to and from which it converts.
    pub fn declare(&self, ty: QualType, name: &str) -> Option<String> {
        let unit = self.unit;
        let ty = ty.unqualified();
        if self.has_name(ty, 0) {
            return Some(declaration(&unit.types, &unit.names, ty, name));
        }
        match unit.types.kind(ty) {
            TypeKind::Pointer(_) => {
                Some(if name.is_empty() { "void *".to_owned() } else { format!("void *{name}") })
            }
            // An enumeration without a name has the values of its integer type.
            TypeKind::Enum(_) => unit.types.int_kind(ty).map(|kind| {
                if name.is_empty() { int_name(kind) } else { format!("{} {name}", int_name(kind)) }
            }),
            _ => None,
        }
    }

    /// Returns whether a type can be written at file scope.
    fn has_name(&self, ty: QualType, depth: u32) -> bool {
        if depth > 20 {
            return false;
        }
        let types = &self.unit.types;
        let is_global = |span: vergo_source::Span| {
            !self
                .unit
                .functions
                .values()
                .any(|f| f.definition_span.is_some_and(|d| d.contains(span)))
        };
        match types.kind(ty) {
            TypeKind::Pointer(to) => self.has_name(*to, depth + 1),
            TypeKind::Array(element, ArrayLen::Fixed(_)) => self.has_name(*element, depth + 1),
            TypeKind::Array(..) | TypeKind::Vector(..) | TypeKind::Error => false,
            TypeKind::Function(function) => {
                self.has_name(function.ret, depth + 1)
                    && function.params.iter().all(|&param| self.has_name(param, depth + 1))
            }
            TypeKind::Record(id) => {
                let record = &types.records[*id];
                record.tag.is_some() && is_global(record.span)
            }
            TypeKind::Enum(id) => {
                types.enums[*id].tag.is_some() && is_global(types.enums[*id].span)
            }
            _ => true,
        }
    }
}

/// The type in which an arithmetic operation is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// An integer type.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// A complex number or a vector.
    Other,
}

impl Arithmetic {
    /// The arithmetic type of an operand.
    pub fn of(unit: &Unit, ty: QualType) -> Arithmetic {
        match unit.types.kind(ty) {
            TypeKind::Bool => Arithmetic::Int(IntKind::UChar),
            TypeKind::Float(kind) => Arithmetic::Float(*kind),
            _ => unit.types.int_kind(ty).map_or(Arithmetic::Other, Arithmetic::Int),
        }
    }

    /// The type after integer promotion (C17 6.3.1.1p2).
    #[must_use]
    pub fn promoted(self, target: &Target) -> Arithmetic {
        match self {
            Arithmetic::Int(IntKind::BitInt(_) | IntKind::UBitInt(_)) => self,
            Arithmetic::Int(kind) if kind.width(target) < 32 => Arithmetic::Int(IntKind::Int),
            _ => self,
        }
    }

    /// The type in C.
    pub fn name(self) -> Option<String> {
        match self {
            Arithmetic::Int(kind) => Some(int_name(kind)),
            Arithmetic::Float(kind) => Some(float_name(kind).to_owned()),
            Arithmetic::Other => None,
        }
    }

    /// The type in the name of a function.
    pub fn word(self) -> String {
        let name = self.name().unwrap_or_default();
        let word: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        word.trim_matches('_').replace("unsigned_", "u").replace("long_long", "llong")
    }

    /// Returns whether it belongs to a class of types.
    pub fn is_in(self, class: TypeClass, target: &Target) -> bool {
        match self {
            Arithmetic::Int(kind) => {
                let width = kind.width(target);
                let fits = match class.kind {
                    ClassKind::Arithmetic | ClassKind::Integer => true,
                    ClassKind::Signed => kind.is_signed(),
                    ClassKind::Unsigned => !kind.is_signed(),
                    ClassKind::Float => false,
                };
                fits && (class.least..=class.greatest).contains(&width)
            }
            Arithmetic::Float(_) => {
                matches!(class.kind, ClassKind::Arithmetic | ClassKind::Float)
            }
            Arithmetic::Other => false,
        }
    }

    /// The width of an integer type in bits.
    pub fn width(self, target: &Target) -> Option<u32> {
        match self {
            Arithmetic::Int(kind) => Some(kind.width(target)),
            _ => None,
        }
    }

    /// The least and greatest value of an integer type, as expressions of that type.
    pub fn limits(self, target: &Target) -> Option<(String, String)> {
        let Arithmetic::Int(kind) = self else { return None };
        let (width, signed) = (kind.width(target), kind.is_signed());
        let suffix = match kind {
            IntKind::Long => "L",
            IntKind::LongLong => "LL",
            IntKind::ULong => "UL",
            IntKind::ULongLong => "ULL",
            IntKind::UInt => "U",
            _ => "",
        };
        let max = if width > 64 || matches!(kind, IntKind::BitInt(_) | IntKind::UBitInt(_)) {
            let (name, unsigned) = (int_name(kind), int_name(kind.with_sign(false)));
            if signed {
                format!("(({name})((({unsigned})1 << {}) - 1))", width - 1)
            } else {
                format!("(~({unsigned})0)")
            }
        } else if signed {
            format!("{}{suffix}", u64::MAX >> (65 - width))
        } else {
            format!("{}{suffix}", u64::MAX >> (64 - width))
        };
        let min = if signed { format!("(-{max} - 1)") } else { "0".to_owned() };
        Some((min, max))
    }
}
