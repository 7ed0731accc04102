//! Attributes that change meaning; all others are ignored without a word.

use super::{Sema, codes};
use crate::ast::{Attr, ExprKind};
use crate::hir::NonNull;
use crate::intern::Symbol;
use crate::layout;
use crate::pool::List;
use crate::types::{ArrayLen, FloatKind, IntKind, QualType, TypeKind};
use vergo_source::Span;

/// The attributes of a declaration or type that Vergo knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Attrs {
    pub(super) packed: bool,
    /// The greatest alignment that was asked for.
    pub(super) aligned: Option<u64>,
    pub(super) vector_size: Option<(u64, Span)>,
    pub(super) mode: Option<(Symbol, Span)>,
    pub(super) cleanup: Option<(Symbol, Span)>,
    pub(super) constructor: Option<u32>,
    pub(super) destructor: Option<u32>,
    pub(super) weak: bool,
    pub(super) alias: Option<Symbol>,
    pub(super) noreturn: bool,
    pub(super) nonnull: NonNull,
    pub(super) transparent: bool,
    pub(super) gnu_inline: bool,
}

impl Attrs {
    /// Both together; the attributes of the declarator go before those of the specifiers.
    pub(super) fn merged(&self, own: &Attrs) -> Attrs {
        Attrs {
            packed: self.packed || own.packed,
            aligned: self.aligned.max(own.aligned),
            vector_size: own.vector_size.or(self.vector_size),
            mode: own.mode.or(self.mode),
            cleanup: own.cleanup.or(self.cleanup),
            constructor: own.constructor.or(self.constructor),
            destructor: own.destructor.or(self.destructor),
            weak: self.weak || own.weak,
            alias: own.alias.or(self.alias),
            noreturn: self.noreturn || own.noreturn,
            nonnull: self.nonnull.and(own.nonnull),
            transparent: self.transparent || own.transparent,
            gnu_inline: self.gnu_inline || own.gnu_inline,
        }
    }
}

/// The priority of constructors without one: after all that have one.
const DEFAULT_PRIORITY: u32 = 65535;

impl Sema<'_> {
    /// Adds a list of attributes to what is known.
    pub(super) fn attributes(&mut self, list: List<Attr>, out: &mut Attrs) {
        if list.is_empty() {
            return;
        }
        let ast = self.ast;
        for attr in ast.attr_lists.get(list) {
            self.attribute(attr, out);
        }
    }

    fn attribute(&mut self, attr: &Attr, out: &mut Attrs) {
        let ast = self.ast;
        let args = ast.expr_lists.get(attr.args);
        let name_arg = args.first().and_then(|&arg| match ast.exprs[arg].kind {
            ExprKind::Name(symbol) => Some((symbol, ast.exprs[arg].span)),
            _ => None,
        });
        match self.unit.names.name(attr.name) {
            "packed" => out.packed = true,
            "aligned" | "_Alignas" | "alignas" => {
                let is_specifier = !matches!(self.unit.names.name(attr.name), "aligned");
                let align = if let Some(ty) = attr.ty {
                    let ty = self.type_name(ty);
                    Some(layout::align_of(&self.unit.types, &self.unit.target, ty))
                } else if let Some(&arg) = args.first() {
                    self.attribute_number(arg, "the alignment")
                } else {
                    Some(self.unit.target.max_align)
                };
                match align {
                    Some(0) if is_specifier => {}
                    Some(align) if align.is_power_of_two() && align <= 1 << 28 => {
                        out.aligned = Some(out.aligned.map_or(align, |other| other.max(align)));
                    }
                    Some(_) => {
                        self.error(
                            codes::BAD_ATTRIBUTE,
                            attr.span,
                            "an alignment is a power of two",
                        );
                    }
                    None => {}
                }
            }
            "vector_size" => {
                if let Some(&arg) = args.first()
                    && let Some(size) = self.attribute_number(arg, "the size of a vector")
                {
                    out.vector_size = Some((size, attr.span));
                }
            }
            "mode" => out.mode = name_arg,
            "cleanup" => out.cleanup = name_arg,
            "constructor" | "destructor" => {
                let is_constructor = self.unit.names.name(attr.name) == "constructor";
                let priority = match args.first() {
                    Some(&arg) => self
                        .attribute_number(arg, "the priority")
                        .map_or(DEFAULT_PRIORITY, |n| n as u32),
                    None => DEFAULT_PRIORITY,
                };
                *(if is_constructor { &mut out.constructor } else { &mut out.destructor }) =
                    Some(priority);
            }
            "weak" => out.weak = true,
            "weakref" => out.weak = true,
            "alias" => {
                if let Some(&arg) = args.first()
                    && let ExprKind::String(pieces) = ast.exprs[arg].kind
                {
                    let pieces: Vec<Span> = ast.span_lists.get(pieces).to_vec();
                    out.alias = self.pieces_symbol(&pieces);
                }
            }
            "noreturn" | "_Noreturn" => out.noreturn = true,
            "returns_nonnull" => out.nonnull.result = true,
            "nonnull" if args.is_empty() => out.nonnull.params = u64::MAX,
            "nonnull" => {
                for &arg in args {
                    let number = self.attribute_number(arg, "the number of a parameter");
                    if let Some(number @ 1..=64) = number {
                        out.nonnull.params |= 1 << (number - 1);
                    }
                }
            }
            "transparent_union" => out.transparent = true,
            "gnu_inline" => out.gnu_inline = true,
            _ => {}
        }
    }

    fn attribute_number(&mut self, arg: crate::ast::ExprId, what: &str) -> Option<u64> {
        let expr = self.rvalue(arg);
        let span = self.span(expr);
        let signed = self
            .unit
            .types
            .int_shape(self.ty(expr), &self.unit.target)
            .is_some_and(|shape| shape.signed);
        let value = self.constant_int(expr, what)?;
        if signed && value.sign_bit() {
            self.error(codes::BAD_ATTRIBUTE, span, format!("{what} is negative"));
            return None;
        }
        value.to_u64()
    }

    /// The type that `vector_size` and `mode` make of a type.
    pub(super) fn attributed_type(&mut self, ty: QualType, attrs: &Attrs) -> QualType {
        let mut ty = ty;
        if let Some((mode, span)) = attrs.mode {
            ty = self.mode_type(ty, mode, span);
        }
        if let Some((size, span)) = attrs.vector_size {
            ty = self.vector_type(ty, size, span);
        }
        ty
    }

    /// The vector of a scalar type; the attribute applies to the innermost type of a declarator.
    fn vector_type(&mut self, ty: QualType, size: u64, span: Span) -> QualType {
        let kind = self.kind(ty).clone();
        match kind {
            TypeKind::Pointer(to) => {
                let to = self.vector_type(to, size, span);
                QualType::new(self.unit.types.pointer(to), ty.quals())
            }
            TypeKind::Array(element, len) => {
                let element = self.vector_type(element, size, span);
                self.array_of(element, len)
            }
            TypeKind::Function(mut function) => {
                function.ret = self.vector_type(function.ret, size, span);
                self.intern(TypeKind::Function(function))
            }
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Enum(_) => {
                let element = self.canonical(ty);
                let element_size = self.size_of(element.into()).unwrap_or(1);
                if size == 0
                    || !size.is_multiple_of(element_size)
                    || !(size / element_size).is_power_of_two()
                {
                    let shown = self.show(ty.unqualified());
                    self.error(
                        codes::BAD_ATTRIBUTE,
                        span,
                        format!("{size} bytes do not hold a power of two of {shown}"),
                    );
                    return ty;
                }
                let Ok(lanes) = u32::try_from(size / element_size) else {
                    self.error(codes::BAD_ATTRIBUTE, span, "the vector is too large");
                    return ty;
                };
                let vector = self.unit.types.intern(TypeKind::Vector(element, lanes));
                QualType::new(vector, ty.quals())
            }
            TypeKind::Error => ty,
            _ => {
                let shown = self.show(ty);
                self.error(codes::BAD_ATTRIBUTE, span, format!("there are no vectors of {shown}"));
                ty
            }
        }
    }

    fn mode_type(&mut self, ty: QualType, mode: Symbol, span: Span) -> QualType {
        let quals = ty.quals();
        let signed =
            self.unit.types.int_shape(ty, &self.unit.target).is_none_or(|shape| shape.signed);
        let name = self.unit.names.name(mode).trim_matches('_').to_owned();
        let word = self.unit.target.word;
        let int = |bytes: u64| match bytes {
            1 => IntKind::SChar,
            2 => IntKind::Short,
            4 => IntKind::Int,
            8 if word == 8 => IntKind::Long,
            8 => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        let is_complex = matches!(self.kind(ty), TypeKind::Complex(_) | TypeKind::ComplexInt(_));
        let kind = match name.as_str() {
            "QI" | "byte" => TypeKind::Int(int(1).with_sign(signed)),
            "HI" => TypeKind::Int(int(2).with_sign(signed)),
            "SI" => TypeKind::Int(int(4).with_sign(signed)),
            "DI" => TypeKind::Int(int(8).with_sign(signed)),
            "TI" => TypeKind::Int(int(16).with_sign(signed)),
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                if matches!(self.kind(ty), TypeKind::Pointer(_)) {
                    return ty;
                }
                TypeKind::Int(int(word).with_sign(signed))
            }
            "HF" => TypeKind::Float(FloatKind::Float16),
            "SF" => TypeKind::Float(FloatKind::Float),
            "DF" => TypeKind::Float(FloatKind::Double),
            "XF" => TypeKind::Float(FloatKind::LongDouble),
            "TF" => TypeKind::Float(FloatKind::Float128),
            "SC" => TypeKind::Complex(FloatKind::Float),
            "DC" => TypeKind::Complex(FloatKind::Double),
            "XC" => TypeKind::Complex(FloatKind::LongDouble),
            "TC" => TypeKind::Complex(FloatKind::Float128),
            _ => {
                let message = format!("unknown machine mode `{name}`");
                self.error(codes::BAD_ATTRIBUTE, span, message);
                return ty;
            }
        };
        let kind = match kind {
            TypeKind::Float(kind) if is_complex => TypeKind::Complex(kind),
            TypeKind::Int(kind) if is_complex => TypeKind::ComplexInt(kind),
            kind => kind,
        };
        QualType::new(self.unit.types.intern(kind), quals)
    }

    /// The type with the alignment that a typedef adds.
    pub(super) fn aligned_type(&mut self, ty: QualType, align: Option<u64>) -> QualType {
        let Some(align) = align else { return ty };
        let inner = self.canonical(ty);
        if matches!(self.kind(ty), TypeKind::Array(_, ArrayLen::Variable(_))) {
            return ty;
        }
        let aligned = self.unit.types.intern(TypeKind::Aligned(inner, align as u32));
        QualType::new(aligned, ty.quals())
    }
}
