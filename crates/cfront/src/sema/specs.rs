//! Declaration specifiers and type names to types.

use super::attributes::Attrs;
use super::scope::Entity;
use super::{Sema, codes};
use crate::ast::{self, Basic, FloatName, Quals, Storage, TypeSpec};
use crate::hir::ExprId;
use crate::types::{FloatKind, IntKind, QualType, TypeKind};
use vergo_source::{Diagnostic, Span};

/// The meaning of specifiers.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub(super) ty: QualType,
    pub(super) storage: Storage,
    pub(super) attrs: Attrs,
    /// `__auto_type`: the initialiser decides.
    pub(super) auto: bool,
    /// No type was written.
    pub(super) implicit: bool,
}

/// The widest `_BitInt`.
const MAX_BIT_INT: u64 = 65535;

impl Sema<'_> {
    /// The meaning of specifiers. `alone` says that no declarator follows, so that `struct s;` declares a new tag.
    pub(super) fn specifiers(&mut self, id: ast::SpecsId, alone: bool) -> Specifiers {
        let specs = self.ast.specs[id];
        let mut attrs = Attrs::default();
        self.attributes(specs.attrs, &mut attrs);
        let mut auto = false;
        let mut implicit = false;
        let ty = match specs.ty {
            TypeSpec::None => {
                implicit = true;
                self.basics.int
            }
            TypeSpec::Basic(basic) => self.basic_type(basic, specs.span),
            TypeSpec::Record { kind, tag, members, attrs } => {
                let lone = alone && members.is_none();
                stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                    self.record_type(kind, tag, members, attrs, specs.span, lone)
                })
            }
            TypeSpec::Enum { tag, underlying, enumerators, attrs } => {
                let lone = alone && enumerators.is_none();
                self.enum_type(tag, underlying, enumerators, attrs, specs.span, lone)
            }
            TypeSpec::Typedef(symbol) => {
                match self.scopes.get(symbol).map(|binding| (binding.entity, binding.depth)) {
                    Some((Entity::Typedef(ty), depth)) => {
                        if depth > 0 && depth <= self.outer_depth {
                            self.capture_lengths(ty);
                        }
                        ty
                    }
                    Some((Entity::Error, _)) => self.basics.error,
                    _ => self.builtin_typedef(symbol, specs.span),
                }
            }
            TypeSpec::TypeofExpr { expr, unqual } => {
                let ty = self.typeof_expr(expr);
                if unqual { self.without_qualifiers(ty) } else { ty }
            }
            TypeSpec::TypeofType { ty, unqual } => {
                let ty = self.type_name(ty);
                if unqual { self.without_qualifiers(ty) } else { ty }
            }
            TypeSpec::Auto => {
                auto = true;
                self.basics.error
            }
            TypeSpec::Atomic(ty) => {
                let inner = self.type_name(ty);
                if self.unit.types.is_array(inner) || self.unit.types.is_function(inner) {
                    let shown = self.show(inner);
                    self.error(codes::BAD_TYPE, specs.span, format!("{shown} cannot be atomic"));
                    inner
                } else {
                    inner.with(Quals::ATOMIC)
                }
            }
            TypeSpec::BitInt { width, unsigned } => self.bit_int(width, unsigned),
            TypeSpec::Error => self.basics.error,
        };
        let mut quals = specs.quals;
        if quals.has(Quals::RESTRICT)
            && !matches!(self.kind(ty), TypeKind::Pointer(_) | TypeKind::Error)
        {
            let shown = self.show(ty);
            self.error(
                codes::BAD_TYPE,
                specs.span,
                format!("`restrict` needs a pointer type, not {shown}"),
            );
            quals = quals.without(Quals::RESTRICT);
        }
        let ty = self.unit.types.qualify(ty, quals);
        let ty = self.attributed_type(ty, &attrs);
        Specifiers { ty, storage: specs.storage, attrs, auto, implicit }
    }

    fn without_qualifiers(&mut self, ty: QualType) -> QualType {
        match *self.kind(ty) {
            TypeKind::Array(element, len) => {
                let element = self.without_qualifiers(element);
                self.array_of(element, len)
            }
            _ => ty.unqualified(),
        }
    }

    /// Types that gcc declares by itself.
    fn builtin_typedef(&mut self, symbol: crate::intern::Symbol, span: Span) -> QualType {
        match self.unit.names.name(symbol) {
            "__builtin_va_list" | "__gnuc_va_list" => self.basics.va_list,
            "__int128_t" => self.intern(TypeKind::Int(IntKind::Int128)),
            "__uint128_t" => self.intern(TypeKind::Int(IntKind::UInt128)),
            name => {
                let message = format!("unknown type name `{name}`");
                self.error(crate::codes::UNKNOWN_TYPE, span, message);
                self.basics.error
            }
        }
    }

    pub(super) fn float_kind(&mut self, name: FloatName, span: Span) -> Option<FloatKind> {
        Some(match name {
            FloatName::Float => FloatKind::Float,
            FloatName::Double => FloatKind::Double,
            FloatName::LongDouble => FloatKind::LongDouble,
            FloatName::Float16 => FloatKind::Float16,
            FloatName::BFloat16 => FloatKind::BFloat16,
            FloatName::Float32 => FloatKind::Float32,
            FloatName::Float64 => FloatKind::Float64,
            FloatName::Float128 => FloatKind::Float128,
            FloatName::Float32x => FloatKind::Float32x,
            FloatName::Float64x => FloatKind::Float64x,
            FloatName::Decimal => {
                self.error(codes::UNSUPPORTED, span, "decimal floating types are not supported");
                return None;
            }
        })
    }

    fn basic_type(&mut self, basic: Basic, span: Span) -> QualType {
        let kind = match basic {
            Basic::Void => return self.basics.void,
            Basic::Bool => TypeKind::Bool,
            Basic::Float(name) => match self.float_kind(name, span) {
                Some(kind) => TypeKind::Float(kind),
                None => return self.basics.error,
            },
            Basic::Complex(name) => match self.float_kind(name, span) {
                Some(kind) => TypeKind::Complex(kind),
                None => return self.basics.error,
            },
            Basic::ComplexInt(kind) => TypeKind::ComplexInt(kind),
            Basic::VaList => return self.basics.va_list,
            _ => match basic.int_kind() {
                Some(kind) => TypeKind::Int(kind),
                None => return self.basics.error,
            },
        };
        self.intern(kind)
    }

    fn bit_int(&mut self, width: ast::ExprId, unsigned: bool) -> QualType {
        let expr = self.rvalue(width);
        let span = self.span(expr);
        let Some(value) = self.constant_int(expr, "the width of `_BitInt`") else {
            return self.basics.error;
        };
        let least = if unsigned { 1 } else { 2 };
        match value.to_u64() {
            Some(width) if (least..=MAX_BIT_INT).contains(&width) => {
                let width = width as u32;
                self.intern(TypeKind::Int(if unsigned {
                    IntKind::UBitInt(width)
                } else {
                    IntKind::BitInt(width)
                }))
            }
            _ => {
                self.error(
                    codes::BAD_TYPE,
                    span,
                    format!(
                        "the width of this `_BitInt` must be between {least} and {MAX_BIT_INT}"
                    ),
                );
                self.basics.error
            }
        }
    }

    /// The type of an expression that is not evaluated.
    fn typeof_expr(&mut self, expr: ast::ExprId) -> QualType {
        // A variably modified operand is evaluated; only its lengths matter, and they are variables already.
        let operand = self.unevaluated_expr(expr);
        let ty = self.ty(operand);
        if self.bit_field(operand).is_some() {
            let span = self.span(operand);
            self.error(codes::BAD_BIT_FIELD, span, "`typeof` applied to a bit-field");
        }
        if self.is_lvalue(operand) { QualType::new(ty.ty(), ty.quals()) } else { ty }
    }

    /// The type of a type name.
    pub(super) fn type_name(&mut self, id: ast::TypeNameId) -> QualType {
        let name = self.ast.type_names[id];
        let specs = self.specifiers(name.specs, false);
        if specs.implicit {
            self.warn_implicit_int(name.span, "a type name");
        }
        if specs.auto {
            self.error(codes::BAD_TYPE, name.span, "`__auto_type` needs an initialiser");
        }
        let (ty, attrs) = self.abstract_declarator(specs.ty, name.declarator);
        let align = specs.attrs.aligned.max(attrs.aligned);
        self.aligned_type(ty, align)
    }

    pub(super) fn warn_implicit_int(&mut self, span: Span, what: &str) {
        self.report(
            Diagnostic::warning(
                codes::IMPLICIT_INT,
                span,
                format!("the type of {what} defaults to `int`"),
            )
            .help("write the type"),
        );
    }

    /// The hidden variable that holds the length of a variable-length array, and its assignment.
    pub(super) fn length_variable(&mut self, length: ExprId) -> crate::hir::VarId {
        let span = self.span(length);
        // A negative length stays one.
        let shape = self.unit.types.int_shape(self.unit.exprs[length].ty, &self.unit.target);
        let size = match shape {
            Some(shape) if shape.signed => self.basics.ptrdiff,
            _ => self.basics.size,
        };
        let var = self.unit.vars.push(crate::hir::Var {
            name: None,
            ty: size,
            span,
            storage: crate::hir::Storage::Auto,
            init: None,
            explicit_align: None,
            cleanup: None,
            asm_name: None,
            alias: None,
            weak: false,
        });
        let stmt = self.push_stmt(span, crate::hir::StmtKind::Decl(var));
        if let Some(function) = &mut self.function {
            function.hidden.push(stmt);
        } else {
            self.definition_hidden.push(stmt);
        }
        let place = self.push(span, size, crate::hir::ExprKind::Var(var));
        let value = self.convert(length, size);
        let assign = self.push(span, size, crate::hir::ExprKind::Assign(place, value));
        self.vla_lengths.push(assign);
        var
    }
}
