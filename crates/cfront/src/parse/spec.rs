//! Declaration specifiers and type names.

use super::scope::Meaning;
use super::{PResult, Parser};
use crate::ast::{
    Attr, Basic, ExprKind, FloatName, KeywordConst, Quals, Specs, SpecsId, Storage, TypeName,
    TypeNameId, TypeSpec,
};
use crate::codes;
use crate::pool::List;
use crate::token::{Class, TokenKind};
use crate::types::IntKind;
use vergo_source::{Diagnostic, Span};

/// Where specifiers stand, which decides what may be among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SpecPlace {
    /// In a declaration.
    Declaration,
    /// In a parameter.
    Parameter,
    /// In the declaration of a member.
    Member,
    /// In a type name.
    TypeName,
}

/// The basic type keywords seen so far, as a set.
#[derive(Clone, Copy, Default)]
struct Words {
    bits: u16,
    float: Option<FloatName>,
}

impl Basic {
    /// The integer type, `_Bool` apart.
    pub(crate) fn int_kind(self) -> Option<IntKind> {
        Some(match self {
            Basic::Char => IntKind::Char,
            Basic::SChar => IntKind::SChar,
            Basic::UChar => IntKind::UChar,
            Basic::Short => IntKind::Short,
            Basic::UShort => IntKind::UShort,
            Basic::Int => IntKind::Int,
            Basic::UInt => IntKind::UInt,
            Basic::Long => IntKind::Long,
            Basic::ULong => IntKind::ULong,
            Basic::LongLong => IntKind::LongLong,
            Basic::ULongLong => IntKind::ULongLong,
            Basic::Int128 => IntKind::Int128,
            Basic::UInt128 => IntKind::UInt128,
            _ => return None,
        })
    }
}

impl Words {
    const VOID: u16 = 1;
    const BOOL: u16 = 2;
    const CHAR: u16 = 4;
    const SHORT: u16 = 8;
    const INT: u16 = 16;
    const LONG: u16 = 32;
    const LONG_LONG: u16 = 64;
    const SIGNED: u16 = 128;
    const UNSIGNED: u16 = 256;
    const FLOAT: u16 = 512;
    const COMPLEX: u16 = 1024;
    const INT128: u16 = 2048;

    /// Adds a keyword; false if it was there already.
    fn add(&mut self, kind: TokenKind) -> bool {
        use TokenKind as T;
        let bit = match kind {
            T::Void => Words::VOID,
            T::Bool => Words::BOOL,
            T::CharType => Words::CHAR,
            T::Short => Words::SHORT,
            T::Int => Words::INT,
            T::Long if self.bits & Words::LONG != 0 => Words::LONG_LONG,
            T::Long => Words::LONG,
            T::Signed => Words::SIGNED,
            T::Unsigned => Words::UNSIGNED,
            T::Complex => Words::COMPLEX,
            T::Int128 => Words::INT128,
            T::Float => return self.add_float(FloatName::Float),
            T::Double => return self.add_float(FloatName::Double),
            T::Float16 => return self.add_float(FloatName::Float16),
            T::BFloat16 => return self.add_float(FloatName::BFloat16),
            T::Float32 => return self.add_float(FloatName::Float32),
            T::Float64 => return self.add_float(FloatName::Float64),
            T::Float128 => return self.add_float(FloatName::Float128),
            T::Float32x => return self.add_float(FloatName::Float32x),
            T::Float64x => return self.add_float(FloatName::Float64x),
            T::Float80 => return self.add_float(FloatName::LongDouble),
            T::Decimal => return self.add_float(FloatName::Decimal),
            _ => return false,
        };
        let new = self.bits & bit == 0;
        self.bits |= bit;
        new
    }

    fn add_float(&mut self, name: FloatName) -> bool {
        self.bits |= Words::FLOAT;
        self.float.replace(name).is_none()
    }

    /// The type that the words spell, in whatever order they came.
    fn basic(self) -> Option<Basic> {
        const VOID: u16 = Words::VOID;
        const BOOL: u16 = Words::BOOL;
        const CHAR: u16 = Words::CHAR;
        const SHORT: u16 = Words::SHORT;
        const INT: u16 = Words::INT;
        const LONG: u16 = Words::LONG;
        const LONG_LONG: u16 = Words::LONG_LONG;
        const SIGNED: u16 = Words::SIGNED;
        const UNSIGNED: u16 = Words::UNSIGNED;
        const FLOAT: u16 = Words::FLOAT;
        const COMPLEX: u16 = Words::COMPLEX;
        const INT128: u16 = Words::INT128;
        // `int` adds nothing to a length or a sign, and `signed` nothing but to `char`.
        let mut bits = self.bits;
        if bits & (SHORT | LONG | LONG_LONG | SIGNED | UNSIGNED) != 0 {
            if bits & (CHAR | BOOL | VOID | FLOAT | INT128) == 0 {
                bits &= !INT;
            }
            if bits & (CHAR | BOOL | VOID | FLOAT | UNSIGNED) == 0 {
                bits &= !SIGNED;
            }
        }
        if bits & COMPLEX != 0 {
            return match (bits & !COMPLEX, self.float) {
                (0, _) if self.bits == COMPLEX => Some(Basic::Complex(FloatName::Double)),
                (FLOAT, Some(FloatName::Decimal)) => None,
                (FLOAT, Some(name)) => Some(Basic::Complex(name)),
                (0x220, Some(FloatName::Double)) => Some(Basic::Complex(FloatName::LongDouble)),
                (rest, None) => {
                    let part = Words { bits: rest, float: None }.basic()?;
                    part.int_kind().map(Basic::ComplexInt)
                }
                _ => None,
            };
        }
        const LONG_DOUBLE: u16 = LONG | FLOAT;
        const SIGNED_CHAR: u16 = SIGNED | CHAR;
        const UNSIGNED_CHAR: u16 = UNSIGNED | CHAR;
        const UNSIGNED_SHORT: u16 = UNSIGNED | SHORT;
        const UNSIGNED_LONG: u16 = UNSIGNED | LONG;
        const LONG2: u16 = LONG | LONG_LONG;
        const UNSIGNED_LONG2: u16 = UNSIGNED | LONG | LONG_LONG;
        const UNSIGNED_INT128: u16 = UNSIGNED | INT128;
        Some(match (bits, self.float) {
            (VOID, None) => Basic::Void,
            (BOOL, None) => Basic::Bool,
            (CHAR, None) => Basic::Char,
            (SIGNED_CHAR, None) => Basic::SChar,
            (UNSIGNED_CHAR, None) => Basic::UChar,
            (SHORT, None) => Basic::Short,
            (UNSIGNED_SHORT, None) => Basic::UShort,
            (0 | INT, None) => Basic::Int,
            (UNSIGNED, None) => Basic::UInt,
            (LONG, None) => Basic::Long,
            (UNSIGNED_LONG, None) => Basic::ULong,
            (LONG2, None) => Basic::LongLong,
            (UNSIGNED_LONG2, None) => Basic::ULongLong,
            (INT128, None) => Basic::Int128,
            (UNSIGNED_INT128, None) => Basic::UInt128,
            (FLOAT, Some(name)) => Basic::Float(name),
            (LONG_DOUBLE, Some(FloatName::Double)) => Basic::Float(FloatName::LongDouble),
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// Returns whether a token begins a type name or declaration specifiers.
    pub(super) fn starts_type(&self, mut index: usize) -> bool {
        loop {
            let Some(&token) = self.tokens.get(index) else { return false };
            match token.kind.class() {
                Class::Specifier | Class::Attribute => return true,
                Class::Word => {
                    let symbol = self.symbol(token);
                    return match self.scopes.meaning(symbol) {
                        Meaning::Typedef | Meaning::Poison => true,
                        Meaning::Soft => self
                            .scopes
                            .soft_keyword(symbol)
                            .is_some_and(|kind| kind.class() == Class::Specifier),
                        Meaning::Object | Meaning::Unknown => false,
                    };
                }
                _ if token.kind == TokenKind::Extension => index += 1,
                _ => return false,
            }
        }
    }

    /// Declaration specifiers; none at all is left to the caller to judge.
    pub(super) fn specifiers(&mut self, place: SpecPlace) -> PResult<SpecsId> {
        use TokenKind as T;
        let lo = self.lo();
        let start = self.pos;
        let mut storage = Storage::NONE;
        let mut quals = Quals::NONE;
        let mut words = Words::default();
        let mut ty = TypeSpec::None;
        let mut ty_span = Span::DUMMY;
        let mut attrs: Vec<Attr> = Vec::new();
        let mut bit_int = None;
        loop {
            let token = self.token();
            let typed = !matches!(ty, TypeSpec::None) || words.bits != 0 || bit_int.is_some();
            let kind = match token.kind {
                T::Ident => {
                    if typed {
                        break;
                    }
                    let symbol = self.symbol(token);
                    match self.scopes.meaning(symbol) {
                        Meaning::Typedef => {
                            self.bump();
                            (ty, ty_span) = (TypeSpec::Typedef(symbol), token.span());
                            continue;
                        }
                        Meaning::Poison => {
                            self.bump();
                            (ty, ty_span) = (TypeSpec::Error, token.span());
                            continue;
                        }
                        Meaning::Soft => {
                            let kind = self.effective(self.pos);
                            if kind.class() != Class::Specifier {
                                break;
                            }
                            kind
                        }
                        Meaning::Unknown | Meaning::Object => {
                            if !self.is_unknown_type(place, self.pos > start) {
                                break;
                            }
                            self.unknown_type(symbol, token.span());
                            if self.halted {
                                return Err(super::Reported);
                            }
                            self.bump();
                            (ty, ty_span) = (TypeSpec::Error, token.span());
                            continue;
                        }
                    }
                }
                kind => kind,
            };
            match kind {
                T::Typedef => self.storage_class(&mut storage, Storage::TYPEDEF, place),
                T::Extern => self.storage_class(&mut storage, Storage::EXTERN, place),
                T::Static => self.storage_class(&mut storage, Storage::STATIC, place),
                T::Auto => self.storage_class(&mut storage, Storage::AUTO, place),
                T::Register => self.storage_class(&mut storage, Storage::REGISTER, place),
                T::ThreadLocal => self.storage_class(&mut storage, Storage::THREAD_LOCAL, place),
                T::Constexpr => self.storage_class(&mut storage, Storage::CONSTEXPR, place),
                T::Inline => self.storage_class(&mut storage, Storage::INLINE, place),
                T::Noreturn => self.storage_class(&mut storage, Storage::NORETURN, place),
                T::Const => quals = quals.with(Quals::CONST),
                T::Volatile => quals = quals.with(Quals::VOLATILE),
                T::Restrict => quals = quals.with(Quals::RESTRICT),
                T::Atomic if self.kind_ahead(1) != T::LParen => quals = quals.with(Quals::ATOMIC),
                T::Alignas => {
                    self.alignas(&mut attrs)?;
                    continue;
                }
                T::Attribute | T::Declspec => {
                    self.attributes(&mut attrs)?;
                    continue;
                }
                T::LBracket
                    if self.kind_ahead(1) == T::LBracket && (self.pos == start || typed) =>
                {
                    self.attributes(&mut attrs)?;
                    continue;
                }
                T::Extension => {}
                T::Imaginary => {
                    self.report(
                        Diagnostic::error(
                            codes::NOT_C,
                            token.span(),
                            "`_Imaginary` types are not known to GNU C",
                        )
                        .help("use `_Complex`"),
                    );
                    ty = TypeSpec::Error;
                }
                T::Struct
                | T::Union
                | T::Enum
                | T::Typeof
                | T::TypeofUnqual
                | T::Atomic
                | T::AutoType
                | T::VaList
                | T::Int128Name
                | T::UInt128Name
                | T::VerifierSize => {
                    if typed {
                        // The names that gcc declares are ordinary names after a type.
                        if matches!(kind, T::VaList | T::Int128Name | T::UInt128Name) {
                            break;
                        }
                        let span = if ty_span.is_dummy() { self.span_from(lo) } else { ty_span };
                        return Err(self.two_types(span));
                    }
                    ty = self.type_keyword(kind)?;
                    ty_span = self.span_from(token.lo);
                    continue;
                }
                T::BitInt | T::VerifierBits => {
                    if !matches!(ty, TypeSpec::None)
                        || words.bits & !(Words::SIGNED | Words::UNSIGNED) != 0
                    {
                        return Err(self.two_types(self.span_from(lo)));
                    }
                    self.bump();
                    let (opening, closing) = match kind {
                        T::BitInt => (T::LParen, T::RParen),
                        _ => (T::LBracket, T::RBracket),
                    };
                    let open = self.expect(opening, &format!("after `{}`", kind.text()))?;
                    bit_int = Some(self.nested(|parser| parser.conditional())?);
                    self.expect_close(closing, open, "after the width")?;
                    continue;
                }
                kind if kind.class() == Class::Specifier => {
                    if !matches!(ty, TypeSpec::None) {
                        // `bool` after a type is what the declaration names.
                        if token.kind == T::Ident {
                            break;
                        }
                        if !matches!(ty, TypeSpec::Error) {
                            return Err(self.two_types(ty_span));
                        }
                    } else if token.kind == T::Ident && typed {
                        break;
                    } else if !words.add(kind) {
                        self.bad_words(
                            token.span(),
                            &format!("`{}` is written twice", kind.text()),
                        );
                        ty = TypeSpec::Error;
                        words = Words::default();
                    }
                }
                _ => break,
            }
            self.bump();
        }
        if let Some(width) = bit_int {
            let unsigned = words.bits & Words::UNSIGNED != 0;
            ty = TypeSpec::BitInt { width, unsigned };
            if words.bits & !(Words::SIGNED | Words::UNSIGNED) != 0 {
                let span = self.span_from(lo);
                self.bad_words(span, "these keywords do not form a type");
                ty = TypeSpec::Error;
            }
        } else if words.bits != 0 && matches!(ty, TypeSpec::None) {
            ty = match words.basic() {
                Some(basic) => TypeSpec::Basic(basic),
                None => {
                    let span = self.span_from(lo);
                    self.bad_words(span, "these keywords do not form a type");
                    TypeSpec::Error
                }
            };
        }
        let span = if self.pos == start { Span::at(lo) } else { self.span_from(lo) };
        let attrs = if attrs.is_empty() { List::EMPTY } else { self.ast.attr_lists.push(attrs) };
        Ok(self.ast.specs.push(Specs { span, storage, quals, ty, attrs }))
    }

    fn bad_words(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::error(codes::BAD_SPECIFIERS, span, message));
    }

    fn two_types(&mut self, first: Span) -> super::Reported {
        let span = self.token().span();
        let text = self.describe(self.pos);
        // What was most likely forgotten is the semicolon after the braces of a structure.
        let brace = self.pos > 0 && self.tokens[self.pos - 1].kind == TokenKind::RBrace;
        if brace && self.token().first_on_line() {
            let place = Span::at(self.prev_hi);
            self.report(
                Diagnostic::error(
                    codes::MISSING_SEMICOLON,
                    place,
                    format!("expected `;` after `}}`, found {text}"),
                )
                .primary_label("add `;` here")
                .label(span, "this begins another declaration"),
            );
            return super::Reported;
        }
        self.report(
            Diagnostic::error(
                codes::BAD_SPECIFIERS,
                span,
                format!("a declaration has one type, but {text} begins another"),
            )
            .label(first, "the first type is here"),
        );
        super::Reported
    }

    fn storage_class(&mut self, storage: &mut Storage, class: Storage, place: SpecPlace) {
        let allowed = match place {
            SpecPlace::Declaration => true,
            SpecPlace::Parameter => {
                class == Storage::REGISTER || class == Storage::AUTO || class == Storage::CONSTEXPR
            }
            // C23 lets compound literals have storage classes.
            SpecPlace::TypeName => {
                matches!(
                    class,
                    Storage::STATIC
                        | Storage::REGISTER
                        | Storage::THREAD_LOCAL
                        | Storage::CONSTEXPR
                )
            }
            SpecPlace::Member => false,
        };
        const CLASSES: Storage = Storage(
            Storage::TYPEDEF.0 | Storage::EXTERN.0 | Storage::STATIC.0 | Storage::REGISTER.0,
        );
        let problem = if !allowed {
            match place {
                SpecPlace::Member => "may not be used for a member",
                SpecPlace::Parameter => "may not be used for a parameter",
                _ => "may not be used in a type name",
            }
        } else if CLASSES.has(class) && storage.0 & CLASSES.0 & !class.0 != 0 {
            "does not go with the storage class before it"
        } else if CLASSES.has(class) && storage.has(class) {
            "is written twice"
        } else {
            *storage = storage.with(class);
            return;
        };
        let word = self.describe(self.pos);
        self.bad_words(self.token().span(), &format!("{word} {problem}"));
    }

    /// A type that is a keyword with something after it.
    fn type_keyword(&mut self, kind: TokenKind) -> PResult<TypeSpec> {
        use TokenKind as T;
        match kind {
            T::Struct | T::Union => self.nested(|parser| parser.record()),
            T::Enum => self.nested(|parser| parser.enumeration()),
            T::AutoType => {
                self.bump();
                Ok(TypeSpec::Auto)
            }
            T::VaList => {
                self.bump();
                Ok(TypeSpec::Basic(Basic::VaList))
            }
            T::Int128Name => {
                self.bump();
                Ok(TypeSpec::Basic(Basic::Int128))
            }
            T::UInt128Name => {
                self.bump();
                Ok(TypeSpec::Basic(Basic::UInt128))
            }
            T::VerifierSize => {
                let lo = self.bump().lo;
                let one = self.expr_node(lo, ExprKind::Keyword(KeywordConst::True));
                let expr = self.expr_node(lo, ExprKind::SizeofExpr(one));
                Ok(TypeSpec::TypeofExpr { expr, unqual: true })
            }
            T::Atomic => {
                self.bump();
                let ty = self.parenthesised_type()?;
                Ok(TypeSpec::Atomic(ty))
            }
            _ => {
                let unqual = kind == T::TypeofUnqual;
                self.bump();
                if self.type_in_parens() {
                    let ty = self.parenthesised_type()?;
                    return Ok(TypeSpec::TypeofType { ty, unqual });
                }
                let open = self.expect(T::LParen, "after `typeof`")?;
                let expr = self.nested(|parser| parser.expr())?;
                self.expect_close(T::RParen, open, "after the operand of `typeof`")?;
                Ok(TypeSpec::TypeofExpr { expr, unqual })
            }
        }
    }

    /// A type name: specifiers with an abstract declarator.
    pub(super) fn type_name(&mut self) -> PResult<TypeNameId> {
        self.nested(|parser| {
            let lo = parser.lo();
            if !parser.starts_type(parser.pos) {
                if parser.at(TokenKind::Ident) {
                    let token = parser.token();
                    let symbol = parser.symbol(token);
                    parser.unknown_type(symbol, token.span());
                    return Err(super::Reported);
                }
                return Err(parser.unexpected("a type"));
            }
            let specs = parser.specifiers(SpecPlace::TypeName)?;
            let declarator = parser.declarator(super::declarator::Naming::Abstract)?;
            let span = parser.span_from(lo);
            Ok(parser.ast.type_names.push(TypeName { span, specs, declarator }))
        })
    }
}
