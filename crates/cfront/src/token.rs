//! Tokens: twelve bytes each, and the table of everything that the lexer tells apart.
//!
//! Keywords are recognised through the interner. It is seeded with [`KEYWORDS`] in their order, so that the symbol of
//! an identifier says at once whether it is a keyword and which. The words that C23 made keywords, and the types that
//! gcc declares by itself, are *soft*: they keep their meaning until a declaration hides them, so that a program that
//! says `typedef int bool;` and one that relies on C23 are both read as they were meant.

use crate::intern::{Interner, Symbol};
use vergo_source::Span;

/// A token.
///
/// The length is kept in sixteen bits; `u16::MAX` says that the token is longer and that `data` holds its end.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The position of the first byte.
    pub lo: u32,
    data: u32,
    len: u16,
    /// Its kind.
    pub kind: TokenKind,
    place: Place,
}

/// Where on its line a token stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Place {
    /// Behind other tokens.
    Inside,
    /// The first token of the line, indented.
    First,
    /// The first token of the line, at its very beginning.
    Margin,
}

impl Token {
    /// The longest identifier that a token can hold.
    pub const MAX_IDENTIFIER: usize = u16::MAX as usize - 1;

    /// An identifier or a keyword.
    pub(crate) fn word(kind: TokenKind, span: Span, symbol: Symbol, place: Place) -> Token {
        let len = span.len().min(Token::MAX_IDENTIFIER as u32) as u16;
        Token { lo: span.lo, data: symbol.index() as u32, len, kind, place }
    }

    /// A token that is no word.
    pub(crate) fn other(kind: TokenKind, span: Span, place: Place) -> Token {
        let len = span.len().min(u32::from(u16::MAX)) as u16;
        Token { lo: span.lo, data: span.hi, len, kind, place }
    }

    /// Where on its line it stands.
    pub fn place(self) -> Place {
        self.place
    }

    /// Returns whether it is the first token of its line.
    pub fn first_on_line(self) -> bool {
        self.place != Place::Inside
    }

    /// One past the last byte.
    pub fn hi(self) -> u32 {
        if self.len == u16::MAX { self.data } else { self.lo + u32::from(self.len) }
    }

    /// The bytes of the token.
    pub fn span(self) -> Span {
        Span { lo: self.lo, hi: self.hi() }
    }

    /// The number of the symbol of an identifier or keyword; meaningless for other tokens.
    pub(crate) fn symbol_index(self) -> u32 {
        self.data
    }
}

macro_rules! token_kinds {
    ($(($name:ident, $text:literal, $class:ident),)*) => {
        /// The kinds of tokens.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs, reason = "each is the C token of its name")]
        #[repr(u8)]
        pub enum TokenKind { $($name),* }

        impl TokenKind {
            /// Returns the name of the token for messages.
            pub fn text(self) -> &'static str {
                match self { $(TokenKind::$name => $text),* }
            }
        }

        /// The class of each kind.
        pub(crate) const CLASSES: &[Class] = &[$(Class::$class),*];
    };
}

/// The construct that a token can begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Nothing of interest.
    Other,
    /// An identifier: what it begins depends on its declaration.
    Word,
    /// Declaration specifiers.
    Specifier,
    /// A statement.
    Statement,
    /// An expression, and nothing else.
    Expression,
    /// Attributes.
    Attribute,
}

token_kinds! {
    (Eof, "end of file", Other),
    (Ident, "identifier", Word),
    (Number, "number", Expression),
    (Char, "character constant", Expression),
    (String, "string literal", Expression),
    // Punctuators.
    (LParen, "(", Other),
    (RParen, ")", Other),
    (LBracket, "[", Other),
    (RBracket, "]", Other),
    (LBrace, "{", Other),
    (RBrace, "}", Other),
    (Semi, ";", Other),
    (Comma, ",", Other),
    (Dot, ".", Other),
    (Arrow, "->", Other),
    (Ellipsis, "...", Other),
    (Colon, ":", Other),
    (Question, "?", Other),
    (PlusPlus, "++", Other),
    (MinusMinus, "--", Other),
    (Amp, "&", Other),
    (Star, "*", Other),
    (Plus, "+", Other),
    (Minus, "-", Other),
    (Tilde, "~", Other),
    (Bang, "!", Other),
    (Slash, "/", Other),
    (Percent, "%", Other),
    (Shl, "<<", Other),
    (Shr, ">>", Other),
    (Lt, "<", Other),
    (Gt, ">", Other),
    (Le, "<=", Other),
    (Ge, ">=", Other),
    (EqEq, "==", Other),
    (Ne, "!=", Other),
    (Caret, "^", Other),
    (Pipe, "|", Other),
    (AmpAmp, "&&", Other),
    (PipePipe, "||", Other),
    (Eq, "=", Other),
    (StarEq, "*=", Other),
    (SlashEq, "/=", Other),
    (PercentEq, "%=", Other),
    (PlusEq, "+=", Other),
    (MinusEq, "-=", Other),
    (ShlEq, "<<=", Other),
    (ShrEq, ">>=", Other),
    (AmpEq, "&=", Other),
    (CaretEq, "^=", Other),
    (PipeEq, "|=", Other),
    (Hash, "#", Other),
    (HashHash, "##", Other),
    // Keywords: storage classes and function specifiers.
    (Typedef, "typedef", Specifier),
    (Extern, "extern", Specifier),
    (Static, "static", Specifier),
    (Auto, "auto", Specifier),
    (Register, "register", Specifier),
    (ThreadLocal, "_Thread_local", Specifier),
    (Inline, "inline", Specifier),
    (Noreturn, "_Noreturn", Specifier),
    (Constexpr, "constexpr", Specifier),
    (Alignas, "_Alignas", Specifier),
    // Keywords: qualifiers.
    (Const, "const", Specifier),
    (Volatile, "volatile", Specifier),
    (Restrict, "restrict", Specifier),
    (Atomic, "_Atomic", Specifier),
    // Keywords: types.
    (Void, "void", Specifier),
    (Bool, "_Bool", Specifier),
    (CharType, "char", Specifier),
    (Short, "short", Specifier),
    (Int, "int", Specifier),
    (Long, "long", Specifier),
    (Signed, "signed", Specifier),
    (Unsigned, "unsigned", Specifier),
    (Float, "float", Specifier),
    (Double, "double", Specifier),
    (Complex, "_Complex", Specifier),
    (Imaginary, "_Imaginary", Specifier),
    (Int128, "__int128", Specifier),
    (Float16, "_Float16", Specifier),
    (BFloat16, "__bf16", Specifier),
    (Float32, "_Float32", Specifier),
    (Float64, "_Float64", Specifier),
    (Float128, "_Float128", Specifier),
    (Float32x, "_Float32x", Specifier),
    (Float64x, "_Float64x", Specifier),
    (Float80, "__float80", Specifier),
    (Decimal, "_Decimal64", Specifier),
    (BitInt, "_BitInt", Specifier),
    (Struct, "struct", Specifier),
    (Union, "union", Specifier),
    (Enum, "enum", Specifier),
    (Typeof, "typeof", Specifier),
    (TypeofUnqual, "typeof_unqual", Specifier),
    (AutoType, "__auto_type", Specifier),
    (VaList, "__builtin_va_list", Specifier),
    (Int128Name, "__int128_t", Specifier),
    (UInt128Name, "__uint128_t", Specifier),
    (VerifierSize, "__CPROVER_size_t", Specifier),
    (VerifierBits, "__CPROVER_bitvector", Specifier),
    // Keywords: statements.
    (If, "if", Statement),
    (Else, "else", Statement),
    (Switch, "switch", Statement),
    (Case, "case", Statement),
    (Default, "default", Statement),
    (While, "while", Statement),
    (Do, "do", Statement),
    (For, "for", Statement),
    (Goto, "goto", Statement),
    (Break, "break", Statement),
    (Continue, "continue", Statement),
    (Return, "return", Statement),
    (Label, "__label__", Statement),
    (Asm, "asm", Statement),
    // Keywords: expressions.
    (Sizeof, "sizeof", Expression),
    (Alignof, "_Alignof", Expression),
    (Real, "__real__", Expression),
    (Imag, "__imag__", Expression),
    (Generic, "_Generic", Expression),
    (VaArg, "__builtin_va_arg", Expression),
    (Offsetof, "__builtin_offsetof", Expression),
    (TypesCompatible, "__builtin_types_compatible_p", Expression),
    (ChooseExpr, "__builtin_choose_expr", Expression),
    (ConvertVector, "__builtin_convertvector", Expression),
    (Forall, "__CPROVER_forall", Expression),
    (Exists, "__CPROVER_exists", Expression),
    (True, "true", Expression),
    (False, "false", Expression),
    (Nullptr, "nullptr", Expression),
    // Keywords: the rest.
    (StaticAssert, "_Static_assert", Other),
    (Attribute, "__attribute__", Attribute),
    (Extension, "__extension__", Other),
    (Declspec, "__declspec", Other),
}

impl TokenKind {
    /// The class of the kind.
    pub(crate) fn class(self) -> Class {
        CLASSES[self as usize]
    }

    /// Returns whether tokens of this kind carry a symbol.
    pub fn is_word(self) -> bool {
        self == TokenKind::Ident || self as u8 >= TokenKind::Typedef as u8
    }

    /// Returns whether the kind is a punctuator.
    pub fn is_punctuator(self) -> bool {
        (TokenKind::LParen as u8..TokenKind::Typedef as u8).contains(&(self as u8))
    }
}

/// The keywords with all their spellings; the symbol of each is its index.
pub(crate) const KEYWORDS: &[(&str, TokenKind)] = {
    use TokenKind::*;
    &[
        ("_Alignas", Alignas),
        ("_Alignof", Alignof),
        ("_Atomic", Atomic),
        ("_BitInt", BitInt),
        ("_Bool", Bool),
        ("_Complex", Complex),
        ("_Decimal128", Decimal),
        ("_Decimal32", Decimal),
        ("_Decimal64", Decimal),
        ("_Float128", Float128),
        ("_Float16", Float16),
        ("_Float32", Float32),
        ("_Float32x", Float32x),
        ("_Float64", Float64),
        ("_Float64x", Float64x),
        ("_Generic", Generic),
        ("_Imaginary", Imaginary),
        ("_Noreturn", Noreturn),
        ("_Static_assert", StaticAssert),
        ("_Thread_local", ThreadLocal),
        ("__CPROVER_bitvector", VerifierBits),
        ("__alignof", Alignof),
        ("__alignof__", Alignof),
        ("__asm", Asm),
        ("__asm__", Asm),
        ("__attribute", Attribute),
        ("__attribute__", Attribute),
        ("__auto_type", AutoType),
        ("__bf16", BFloat16),
        ("__builtin_choose_expr", ChooseExpr),
        ("__builtin_convertvector", ConvertVector),
        ("__builtin_offsetof", Offsetof),
        ("__builtin_types_compatible_p", TypesCompatible),
        ("__builtin_va_arg", VaArg),
        ("__complex", Complex),
        ("__complex__", Complex),
        ("__const", Const),
        ("__const__", Const),
        ("__declspec", Declspec),
        ("__extension__", Extension),
        ("__float128", Float128),
        ("__float80", Float80),
        ("__imag", Imag),
        ("__imag__", Imag),
        ("__inline", Inline),
        ("__inline__", Inline),
        ("__int128", Int128),
        ("__label__", Label),
        ("__real", Real),
        ("__real__", Real),
        ("__restrict", Restrict),
        ("__restrict__", Restrict),
        ("__signed", Signed),
        ("__signed__", Signed),
        ("__thread", ThreadLocal),
        ("__typeof", Typeof),
        ("__typeof__", Typeof),
        ("__typeof_unqual", TypeofUnqual),
        ("__typeof_unqual__", TypeofUnqual),
        ("__volatile", Volatile),
        ("__volatile__", Volatile),
        ("asm", Asm),
        ("auto", Auto),
        ("break", Break),
        ("case", Case),
        ("char", CharType),
        ("const", Const),
        ("continue", Continue),
        ("default", Default),
        ("do", Do),
        ("double", Double),
        ("else", Else),
        ("enum", Enum),
        ("extern", Extern),
        ("float", Float),
        ("for", For),
        ("goto", Goto),
        ("if", If),
        ("inline", Inline),
        ("int", Int),
        ("long", Long),
        ("register", Register),
        ("restrict", Restrict),
        ("return", Return),
        ("short", Short),
        ("signed", Signed),
        ("sizeof", Sizeof),
        ("static", Static),
        ("struct", Struct),
        ("switch", Switch),
        ("typedef", Typedef),
        ("typeof", Typeof),
        ("union", Union),
        ("unsigned", Unsigned),
        ("void", Void),
        ("volatile", Volatile),
        ("while", While),
    ]
};

/// The soft keywords; their symbols follow those of [`KEYWORDS`].
pub(crate) const SOFT_KEYWORDS: &[(&str, TokenKind)] = {
    use TokenKind::*;
    &[
        ("__CPROVER_bool", Bool),
        ("__CPROVER_exists", Exists),
        ("__CPROVER_forall", Forall),
        ("__CPROVER_size_t", VerifierSize),
        ("__CPROVER_ssize_t", Long),
        ("__builtin_va_list", VaList),
        ("__int128_t", Int128Name),
        ("__uint128_t", UInt128Name),
        ("alignas", Alignas),
        ("alignof", Alignof),
        ("bool", Bool),
        ("constexpr", Constexpr),
        ("false", False),
        ("nullptr", Nullptr),
        ("static_assert", StaticAssert),
        ("thread_local", ThreadLocal),
        ("true", True),
        ("typeof_unqual", TypeofUnqual),
    ]
};

/// The symbol of the operator `_Pragma`, which the lexer removes.
pub(crate) const PRAGMA_SYMBOL: usize = KEYWORDS.len() + SOFT_KEYWORDS.len();

/// An interner that knows the keywords.
pub(crate) fn seeded_interner() -> Interner {
    let mut names = Interner::new();
    for (text, _) in KEYWORDS.iter().chain(SOFT_KEYWORDS) {
        names.intern(text);
    }
    names.intern("_Pragma");
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_small_and_exact() {
        assert!(size_of::<Token>() <= 12);
        let long = Token::other(TokenKind::String, Span { lo: 10, hi: 1_000_000 }, Place::First);
        assert_eq!(long.span(), Span { lo: 10, hi: 1_000_000 });
        let edge = Token::other(TokenKind::String, Span { lo: 10, hi: 10 + 65535 }, Place::First);
        assert_eq!(edge.span(), Span { lo: 10, hi: 10 + 65535 });
    }

    #[test]
    fn keyword_symbols_are_their_indices() {
        let names = seeded_interner();
        for (i, (text, _)) in KEYWORDS.iter().chain(SOFT_KEYWORDS).enumerate() {
            assert_eq!(names.lookup(text).map(Symbol::index), Some(i), "{text}");
        }
        assert_eq!(names.lookup("_Pragma").map(Symbol::index), Some(PRAGMA_SYMBOL));
        assert!(KEYWORDS.iter().map(|k| k.0).is_sorted());
    }
}
