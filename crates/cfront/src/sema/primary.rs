//! Primary expressions: names and literals (C17 6.5.1, 6.4.4, 6.4.5).

use super::scope::Entity;
use super::{Sema, codes};
use crate::ast::Quals;
use crate::hir::{
    Definition, ExprId, ExprKind, InitKind, Item, Linkage, Storage, StringLit, StringUnits, Var,
};
use crate::intern::Symbol;
use crate::literal::{self, IntLength, IntLiteral, Number, Prefix};
use crate::types::{ArrayLen, IntKind, QualType, TypeKind};
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    // Names.

    pub(super) fn name_expr(&mut self, symbol: Symbol, span: Span) -> ExprId {
        let (entity, depth) = match self.scopes.get(symbol) {
            Some(binding) => (Some(binding.entity), binding.depth),
            None => (None, 0),
        };
        match entity {
            Some(Entity::Var(var)) => {
                let ty = self.unit.vars[var].ty;
                if depth > 0 && depth <= self.outer_depth {
                    self.capture(var);
                }
                if self.is_error(ty) {
                    return self.error_expr(span);
                }
                self.push(span, ty, ExprKind::Var(var))
            }
            Some(Entity::Function(function)) => self.function_expr(function, span),
            Some(Entity::Enumerator(index)) => {
                let (value, ty) = self.enumerators[index as usize].clone();
                self.word_expr(span, ty, &value)
            }
            Some(Entity::Typedef(_)) => {
                let message = format!("the type `{}` is used as a value", self.name(symbol));
                self.error(codes::UNDECLARED, span, message);
                self.error_expr(span)
            }
            Some(Entity::Error) => self.error_expr(span),
            None => self.undeclared(symbol, span),
        }
    }

    pub(super) fn function_expr(&mut self, function: crate::hir::FuncId, span: Span) -> ExprId {
        let of = &self.unit.functions[function];
        let ty = of.ty;
        if of.linkage == Linkage::Internal
            && of.body.is_none()
            && self.unevaluated == 0
            && self.used_internal.last().is_none_or(|&(last, _)| last != function)
        {
            self.used_internal.push((function, span));
        }
        self.push(span, ty, ExprKind::Function(function))
    }

    pub(super) fn undeclared(&mut self, symbol: Symbol, span: Span) -> ExprId {
        match self.name(symbol) {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => return self.function_name(span),
            _ => {}
        }
        if let Some(value) = self.verifier_constant(symbol, span) {
            return value;
        }
        if let Some(function) = self.builtin_function(symbol, span) {
            return self.function_expr(function, span);
        }
        if self.reported.insert(symbol, ()).is_none() {
            let name = self.name(symbol).to_owned();
            let similar = self.similar_name(symbol, self.scopes.visible_names());
            let code = if name.starts_with("__builtin_") {
                codes::UNKNOWN_BUILTIN
            } else {
                codes::UNDECLARED
            };
            let mut diagnostic = Diagnostic::error(code, span, format!("`{name}` is not declared"));
            if let Some(header) = super::library::header_of_macro(&name) {
                diagnostic = diagnostic.help(format!("`{name}` is defined in `<{header}>`"));
            } else if let Some(similar) = similar {
                diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
            }
            self.report(diagnostic);
        }
        self.error_expr(span)
    }

    /// `__func__`: a static array with the name of the function (C17 6.4.2.2).
    pub(super) fn function_name(&mut self, span: Span) -> ExprId {
        let Some(function) = &self.function else {
            self.warning(codes::UNDECLARED, span, "`__func__` is used outside of a function");
            let empty = self.push_string(StringUnits::Bytes(vec![0]), self.basics.char, 1, span);
            let ty = self.unit.strings[empty].ty;
            return self.push(span, ty, ExprKind::String(empty));
        };
        let var = match function.name_var {
            Some(var) => var,
            None => {
                let id = function.id;
                let mut bytes = self.name(self.unit.functions[id].name).as_bytes().to_vec();
                bytes.push(0);
                let length = bytes.len() as u64;
                let string =
                    self.push_string(StringUnits::Bytes(bytes), self.basics.char, length, span);
                let element = self.basics.char.with(Quals::CONST);
                let ty = self.array_of(element, ArrayLen::Fixed(length));
                let init = self.unit.inits.push(crate::hir::Init {
                    span,
                    ty,
                    kind: InitKind::String(string),
                });
                let name = self.unit.names.intern("__func__");
                let var = self.unit.vars.push(Var {
                    name: Some(name),
                    ty,
                    span,
                    storage: Storage::Static {
                        linkage: Linkage::None,
                        definition: Definition::Defined,
                        thread_local: false,
                        function: Some(id),
                    },
                    init: Some(init),
                    explicit_align: None,
                    cleanup: None,
                    asm_name: None,
                    alias: None,
                    weak: false,
                });
                self.unit.items.push(Item::Var(var));
                if let Some(function) = &mut self.function {
                    function.name_var = Some(var);
                }
                var
            }
        };
        let ty = self.unit.vars[var].ty;
        self.push(span, ty, ExprKind::Var(var))
    }

    // Literals.

    pub(super) fn number(&mut self, span: Span) -> ExprId {
        match literal::number(self.text(span)) {
            Ok(Number::Int(int)) => self.integer(&int, span),
            Ok(Number::Float(float)) => {
                let Some(kind) = self.float_kind(float.ty, span) else {
                    return self.error_expr(span);
                };
                let Some(value) =
                    Float::parse(kind.format(), RoundingMode::NearestEven, &float.digits)
                else {
                    self.error(codes::BAD_LITERAL, span, "the number has no value");
                    return self.error_expr(span);
                };
                if value.is_infinite() {
                    self.warning(
                        codes::BAD_LITERAL,
                        span,
                        "the number is too large and becomes infinite",
                    );
                }
                let ty = self.intern(TypeKind::Float(kind));
                let zero = float.imaginary.then(|| Float::zero(kind.format(), false));
                let id = self.unit.floats.push(value.into());
                let value = self.push(span, ty, ExprKind::Float(id));
                match zero {
                    Some(zero) => self.imaginary(zero, value, kind, span),
                    None => value,
                }
            }
            // Reported by the lexer.
            Err(_) => self.error_expr(span),
        }
    }

    pub(super) fn imaginary(
        &mut self,
        zero: Float,
        value: ExprId,
        kind: crate::types::FloatKind,
        span: Span,
    ) -> ExprId {
        let real_ty = self.intern(TypeKind::Float(kind));
        let ty = self.intern(TypeKind::Complex(kind));
        let zero = self.unit.floats.push(zero.into());
        let re = self.push(span, real_ty, ExprKind::Float(zero));
        let list = self.unit.expr_lists.push([re, value]);
        self.push(span, ty, ExprKind::Builtin(crate::builtins::Builtin::Complex, list))
    }

    /// The type of an integer constant is the first of its list that holds the value (C17 6.4.4.1).
    pub(super) fn integer(&mut self, int: &IntLiteral, span: Span) -> ExprId {
        if int.imaginary {
            let im = self.integer(&IntLiteral { imaginary: false, ..*int }, span);
            let ty = self.ty(im);
            let Some(kind) = self.unit.types.int_kind(ty) else { return im };
            let complex = self.intern(TypeKind::ComplexInt(kind));
            let re = self.int_expr(span, self.basics.int, 0);
            let re = self.convert(re, ty);
            let list = self.unit.expr_lists.push([re, im]);
            let builtin = crate::builtins::Builtin::Complex;
            return self.push(span, complex, ExprKind::Builtin(builtin, list));
        }
        if int.length == IntLength::BitPrecise {
            let bits = 128 - int.value.leading_zeros();
            let kind = if int.unsigned {
                IntKind::UBitInt(bits.max(1))
            } else {
                IntKind::BitInt((bits + 1).max(2))
            };
            if int.overflow {
                self.error(codes::BAD_LITERAL, span, "the number is too large");
                return self.error_expr(span);
            }
            let width = kind.width(&self.unit.target);
            let ty = self.intern(TypeKind::Int(kind));
            return self.word_expr(
                span,
                ty,
                &BitVec::from_u128(128, int.value).resize_unsigned(width),
            );
        }
        let value = int.value;
        if value <= i32::MAX as u128 && int.length == IntLength::Int && !int.unsigned {
            return self.int_expr(span, self.basics.int, value as u64);
        }
        let ranks: &[[IntKind; 2]] = &[
            [IntKind::Int, IntKind::UInt],
            [IntKind::Long, IntKind::ULong],
            [IntKind::LongLong, IntKind::ULongLong],
            [IntKind::Int128, IntKind::UInt128],
        ];
        let first = match int.length {
            IntLength::Int | IntLength::BitPrecise => 0,
            IntLength::Long => 1,
            IntLength::LongLong => 2,
        };
        let target = self.unit.target;
        let mut chosen = None;
        for [signed, unsigned] in &ranks[first..] {
            let width = signed.width(&target);
            let fits = |bits: u32| !int.overflow && (bits >= 128 || value < 1u128 << bits);
            if matches!(signed, IntKind::Int128) && target.word == 4 {
                break;
            }
            if !int.unsigned && fits(width - 1) {
                chosen = Some(*signed);
                break;
            }
            // gcc takes the unsigned 64-bit type for a decimal constant that fits nothing else of that size.
            if (int.unsigned || !int.decimal) && fits(width) && !matches!(signed, IntKind::Int128) {
                chosen = Some(*unsigned);
                break;
            }
        }
        let kind = match chosen {
            Some(kind) => kind,
            None => {
                self.warning(codes::BAD_LITERAL, span, "the number is too large for its type");
                IntKind::ULongLong
            }
        };
        let width = kind.width(&target);
        let ty = self.intern(TypeKind::Int(kind));
        let word = BitVec::from_u128(128, value).resize_unsigned(width);
        self.word_expr(span, ty, &word)
    }

    pub(super) fn character(&mut self, span: Span) -> ExprId {
        match literal::character(self.text(span)) {
            Ok(literal) => {
                let ty = match literal.prefix {
                    Prefix::None => self.basics.int,
                    Prefix::Utf8 => self.intern(TypeKind::Int(IntKind::UChar)),
                    Prefix::Utf16 => self.char16,
                    Prefix::Utf32 => self.char32,
                    Prefix::Wide => self.wchar,
                };
                let width = self
                    .unit
                    .types
                    .int_shape(ty, &self.unit.target)
                    .map_or(32, |shape| shape.width);
                let value = super::convert::mask(literal.value as u64, width);
                self.int_expr(span, ty, value)
            }
            Err(_) => self.error_expr(span),
        }
    }

    pub(super) fn string(&mut self, pieces: &[Span], span: Span) -> ExprId {
        match self.string_id(pieces, span) {
            Some(id) => {
                let ty = self.unit.strings[id].ty;
                self.push(span, ty, ExprKind::String(id))
            }
            None => self.error_expr(span),
        }
    }

    /// The string literal of adjacent pieces.
    pub(super) fn string_id(
        &mut self,
        pieces: &[Span],
        span: Span,
    ) -> Option<crate::hir::StringId> {
        let sources = self.sources;
        let literal = literal::string(pieces.iter().map(|&piece| sources.span_text(piece))).ok()?;
        let mut units = literal.units;
        units.push(0);
        let length = units.len() as u64;
        let (units, element) = match literal.prefix {
            Prefix::None | Prefix::Utf8 => (
                StringUnits::Bytes(units.into_iter().map(|unit| unit as u8).collect()),
                self.basics.char,
            ),
            Prefix::Utf16 => (
                StringUnits::Units16(units.into_iter().map(|unit| unit as u16).collect()),
                self.char16,
            ),
            Prefix::Utf32 => (StringUnits::Units32(units), self.char32),
            Prefix::Wide => (StringUnits::Units32(units), self.wchar),
        };
        Some(self.push_string(units, element, length, span))
    }

    pub(super) fn push_string(
        &mut self,
        units: StringUnits,
        element: QualType,
        length: u64,
        span: Span,
    ) -> crate::hir::StringId {
        let ty = self.array_of(element, ArrayLen::Fixed(length));
        self.unit.strings.push(StringLit { units, ty, span })
    }

    /// The bytes of string pieces, as attributes, assertions and assembly need them.
    pub(super) fn pieces_bytes(&self, pieces: &[Span]) -> Option<Vec<u8>> {
        let sources = self.sources;
        let literal = literal::string(pieces.iter().map(|&piece| sources.span_text(piece))).ok()?;
        Some(literal.units.into_iter().map(|unit| unit as u8).collect())
    }

    pub(super) fn pieces_symbol(&mut self, pieces: &[Span]) -> Option<Symbol> {
        let bytes = self.pieces_bytes(pieces)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(self.unit.names.intern(&text))
    }
}
