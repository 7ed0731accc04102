//! The lexer: bytes to tokens.
//!
//! Bytes are classified by a table; identifiers go through the interner, which knows the keywords. Nothing here needs
//! UTF-8: bytes that are none are reported once per run and left out. A line splice is removed before anything else is
//! looked at, as the standard's translation phase 2 demands, and positions are mapped back; texts without a splice,
//! nearly all, are read in place. Trigraphs are not replaced, as in gcc's default mode.
//!
//! Line markers go to the source map, pragmas to a list beside the tokens, since they may stand anywhere. Any other
//! directive means that the text has not been preprocessed; that is reported once, at the first.

mod directive;
mod identifier;
pub(crate) mod splice;

use crate::ast::Pragma;
use crate::codes;
use crate::intern::{Interner, Symbol};
use crate::literal;
use crate::options::Options;
use crate::token::{KEYWORDS, PRAGMA_SYMBOL, Place, Token, TokenKind};
use splice::Joined;
use vergo_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// The tokens of a file.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens, ended by [`TokenKind::Eof`].
    pub tokens: Vec<Token>,
    /// The pragmas in order.
    pub pragmas: Vec<Pragma>,
    /// The positions of literals without an end and of tokens before stray characters, in order: what the parser
    /// misses after them has been reported.
    pub damaged: Vec<u32>,
    /// True if a directive was met that only a preprocessor can carry out.
    pub needs_preprocessing: bool,
}

/// Splits a file into tokens; `names` must be an interner that knows the keywords.
pub(crate) fn lex(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    names: &mut Interner,
    diags: &mut Diagnostics,
) -> Lexed {
    let original = sources.text(file).clone();
    let joined = splice::join(&original);
    let text: &[u8] = joined.as_ref().map_or(&original[..], |joined| &joined.text);
    let base = sources.file_span(file).lo;
    let mut lexer = Lexer {
        text,
        joined: joined.as_ref(),
        base,
        pos: 0,
        line_start: true,
        names,
        diags,
        sources,
        file,
        pragma_operators: false,
        string_prefix: b"",
        out: Lexed::default(),
    };
    lexer.out.tokens.reserve(text.len() / 5 + 8);
    lexer.run(options);
    lexer.out
}

struct Lexer<'a> {
    text: &'a [u8],
    joined: Option<&'a Joined>,
    /// The position of the first byte of the file.
    base: u32,
    /// The offset of the next byte.
    pos: usize,
    /// True if no token has been met on this line.
    line_start: bool,
    names: &'a mut Interner,
    diags: &'a mut Diagnostics,
    sources: &'a mut SourceMap,
    file: FileId,
    /// True if a `_Pragma` has been met.
    pragma_operators: bool,
    /// The prefix of the adjacent string literals before this place.
    string_prefix: &'a [u8],
    out: Lexed,
}

/// Classes of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    /// Begins a punctuator, a literal or nothing.
    Other,
    /// Blank other than a newline.
    Blank,
    Newline,
    Letter,
    Digit,
    /// Part of a character beyond ASCII.
    High,
}

const BYTES: [Byte; 256] = {
    let mut table = [Byte::Other; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Byte::Blank,
            b'\n' => Byte::Newline,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Byte::Letter,
            b'0'..=b'9' => Byte::Digit,
            0x80..=0xff => Byte::High,
            _ => Byte::Other,
        };
        i += 1;
    }
    table
};

fn is_word_byte(byte: u8) -> bool {
    matches!(BYTES[byte as usize], Byte::Letter | Byte::Digit)
}

impl Lexer<'_> {
    /// The byte at an offset, zero past the end.
    #[inline]
    fn at(&self, offset: usize) -> u8 {
        self.text.get(offset).copied().unwrap_or(0)
    }

    /// The span of the bytes `lo..hi` of the joined text.
    fn span(&self, lo: usize, hi: usize) -> Span {
        match self.joined {
            None => Span { lo: self.base + lo as u32, hi: self.base + hi as u32 },
            Some(joined) => {
                let start = joined.original(lo);
                let end = if hi > lo { joined.original(hi - 1) + 1 } else { start };
                Span { lo: self.base + start, hi: self.base + end }
            }
        }
    }

    fn place(&self, lo: usize) -> Place {
        if !self.line_start {
            Place::Inside
        } else if lo == 0 || self.text[lo - 1] == b'\n' {
            Place::Margin
        } else {
            Place::First
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    fn push(&mut self, kind: TokenKind, lo: usize, hi: usize) {
        let token = Token::other(kind, self.span(lo, hi), self.place(lo));
        self.out.tokens.push(token);
        self.line_start = false;
        self.pos = hi;
    }

    fn run(&mut self, options: &Options) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.pos = 3;
        }
        let mut next_check = 1 << 16;
        loop {
            let lo = self.pos;
            let Some(&byte) = self.text.get(lo) else { break };
            match BYTES[byte as usize] {
                Byte::Blank => self.pos += 1,
                Byte::Newline => {
                    self.pos += 1;
                    self.line_start = true;
                    if self.pos >= next_check {
                        next_check = self.pos + (1 << 16);
                        if options.interrupted() {
                            break;
                        }
                    }
                }
                Byte::Letter => self.word(lo),
                Byte::Digit => self.number(lo),
                Byte::High => self.word_beyond_ascii(lo),
                Byte::Other => self.other(byte, lo),
            }
        }
        let end = self.text.len();
        self.push(TokenKind::Eof, end, end);
    }

    fn word(&mut self, lo: usize) {
        let mut hi = lo + 1;
        while hi < self.text.len() && is_word_byte(self.text[hi]) {
            hi += 1;
        }
        match self.at(hi) {
            b'\\' | 0x80..=0xff => return self.word_beyond_ascii(lo),
            quote @ (b'"' | b'\'') => {
                let prefix = &self.text[lo..hi];
                if quote == b'"' && matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") {
                    return self.raw_string(lo, hi);
                }
                if matches!(prefix, b"L" | b"u" | b"U" | b"u8") {
                    return self.quoted(lo, hi);
                }
            }
            _ => {}
        }
        // Word bytes are ASCII, so that this cannot fail.
        let Ok(name) = std::str::from_utf8(&self.text[lo..hi]) else { return };
        let symbol = self.names.intern(name);
        self.push_word(lo, hi, symbol);
    }

    fn push_word(&mut self, lo: usize, hi: usize, symbol: Symbol) {
        let kind = KEYWORDS.get(symbol.index()).map_or(TokenKind::Ident, |keyword| keyword.1);
        let span = self.span(lo, hi);
        if span.len() as usize > Token::MAX_IDENTIFIER {
            let shown = Span { lo: span.lo, hi: span.lo + 32 };
            self.report(
                Diagnostic::error(codes::LONG_IDENTIFIER, shown, "this identifier is too long")
                    .note(format!("it has {} bytes", span.len())),
            );
        }
        self.pragma_operators |= symbol.index() == PRAGMA_SYMBOL;
        self.out.tokens.push(Token::word(kind, span, symbol, self.place(lo)));
        self.line_start = false;
        self.pos = hi;
    }

    /// A preprocessing number: everything that could belong to a number, right or wrong.
    fn number(&mut self, lo: usize) {
        let mut hi = lo + 1;
        let mut plain = self.text[lo] != b'0' || !self.at(hi).is_ascii_digit();
        loop {
            match self.at(hi) {
                b'0'..=b'9' => hi += 1,
                b'e' | b'E' | b'p' | b'P' if matches!(self.at(hi + 1), b'+' | b'-') => {
                    plain = false;
                    hi += 2;
                }
                b'\'' if is_word_byte(self.at(hi + 1)) => {
                    plain = false;
                    hi += 2;
                }
                b'.' => {
                    plain = false;
                    hi += 1;
                }
                byte if is_word_byte(byte) => {
                    plain = false;
                    hi += 1;
                }
                _ => break,
            }
        }
        if !plain && let Err(error) = literal::number(&self.text[lo..hi]) {
            self.report_literal(lo, &error);
        }
        self.push(TokenKind::Number, lo, hi);
    }

    fn report_literal(&mut self, lo: usize, error: &literal::LiteralError) {
        let span = self.span(lo + error.range.start, lo + error.range.end);
        let mut diagnostic =
            Diagnostic::new(error.severity, error.code, span, error.message.clone());
        if let Some(help) = &error.help {
            diagnostic = diagnostic.help(help.clone());
        }
        self.report(diagnostic);
    }

    /// A string literal or a character constant whose quote is at `open`.
    fn quoted(&mut self, lo: usize, open: usize) {
        let quote = self.text[open];
        let mut hi = open + 1;
        let mut escapes = open > lo;
        let closed = loop {
            match self.text.get(hi) {
                None | Some(b'\n') => break false,
                Some(b'\\') => {
                    escapes = true;
                    // A backslash never hides the end of the line.
                    hi += if matches!(self.at(hi + 1), b'\n' | 0) { 1 } else { 2 };
                }
                Some(&byte) => {
                    hi += 1;
                    if byte == quote {
                        break true;
                    }
                }
            }
        };
        let hi = hi.min(self.text.len());
        let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Char };
        if !closed {
            let start = self.span(lo, lo + 1).lo;
            self.out.damaged.push(start);
            let span = self.span(open, open + 1);
            let diagnostic = if kind == TokenKind::String {
                Diagnostic::error(codes::OPEN_STRING, span, "this string literal has no end")
                    .primary_label("begins here")
                    .help("write `\"` where it ends; a literal may not go on over the end of the line")
            } else {
                Diagnostic::error(codes::OPEN_CHARACTER, span, "this character constant has no end")
                    .primary_label("begins here")
                    .help("write `'` where it ends, or `\"` around text of several characters")
            };
            self.report(diagnostic);
        } else if kind == TokenKind::Char {
            if hi == open + 2 {
                let span = self.span(lo, hi);
                self.report(
                    Diagnostic::error(
                        codes::EMPTY_CHARACTER,
                        span,
                        "this character constant is empty",
                    )
                    .help("the null character is written `'\\0'`"),
                );
            } else if escapes {
                self.check_escapes(lo, hi);
            }
        } else if escapes {
            self.check_escapes(lo, hi);
        }
        if kind == TokenKind::String {
            self.push_string(lo, open, hi);
        } else {
            self.push(kind, lo, hi);
        }
    }

    fn check_escapes(&mut self, lo: usize, hi: usize) {
        for problem in literal::problems(&self.text[lo..hi]) {
            self.report_literal(lo, &problem);
        }
    }

    /// A string literal joins those before it, if they are of one kind.
    fn push_string(&mut self, lo: usize, open: usize, hi: usize) {
        if self.out.tokens.last().is_none_or(|token| token.kind != TokenKind::String) {
            self.string_prefix = b"";
        }
        let text = self.text;
        let prefix = text[lo..open].strip_suffix(b"R").unwrap_or(&text[lo..open]);
        if !prefix.is_empty() {
            if !self.string_prefix.is_empty() && self.string_prefix != prefix {
                let span = self.span(lo, hi);
                let [before, here] = [self.string_prefix, prefix]
                    .map(|prefix| String::from_utf8_lossy(prefix).into_owned());
                self.report(Diagnostic::error(
                    codes::MIXED_STRINGS,
                    span,
                    format!(
                        "a string with prefix `{here}` cannot continue one with prefix `{before}`"
                    ),
                ));
            }
            self.string_prefix = prefix;
        }
        self.push(TokenKind::String, lo, hi);
    }

    /// `R"delimiter( ... )delimiter"`, which GNU C has from C99 on.
    fn raw_string(&mut self, lo: usize, open: usize) {
        let rest = &self.text[open + 1..];
        let paren = rest.iter().take(17).position(|&b| b == b'(');
        let delimiter = paren
            .map(|paren| &rest[..paren])
            .filter(|d| !d.iter().any(|b| matches!(b, b' ' | b')' | b'\\' | b'\t' | b'\n' | b'"')));
        let end = delimiter.and_then(|delimiter| {
            let body = open + 2 + delimiter.len();
            let mut from = body;
            while let Some(close) = self.text[from..].iter().position(|&b| b == b')') {
                let after = from + close + 1;
                if self.text[after..].starts_with(delimiter)
                    && self.at(after + delimiter.len()) == b'"'
                {
                    return Some(after + delimiter.len() + 1);
                }
                from = after;
            }
            None
        });
        let hi = match end {
            Some(hi) => hi,
            None => {
                let span = self.span(lo, open + 1);
                self.report(
                    Diagnostic::error(
                        codes::OPEN_STRING,
                        span,
                        "this raw string literal has no end",
                    )
                    .help("a raw string is written `R\"delimiter(text)delimiter\"`"),
                );
                let line = self.text[open..].iter().position(|&b| b == b'\n');
                line.map_or(self.text.len(), |n| open + n)
            }
        };
        self.push_string(lo, open, hi);
    }

    fn other(&mut self, byte: u8, lo: usize) {
        use TokenKind::*;
        let next = self.at(lo + 1);
        let (kind, len) = match byte {
            b'(' => (LParen, 1),
            b')' => {
                self.push(RParen, lo, lo + 1);
                if self.pragma_operators {
                    self.take_pragma_operator();
                }
                return;
            }
            b';' => (Semi, 1),
            b',' => (Comma, 1),
            b'{' => (LBrace, 1),
            b'}' => (RBrace, 1),
            b'[' => (LBracket, 1),
            b']' => (RBracket, 1),
            b'~' => (Tilde, 1),
            b'?' => (Question, 1),
            b'"' | b'\'' => return self.quoted(lo, lo),
            b'=' => match next {
                b'=' => (EqEq, 2),
                _ => (Eq, 1),
            },
            b'*' => match next {
                b'=' => (StarEq, 2),
                _ => (Star, 1),
            },
            b'-' => match next {
                b'>' => (Arrow, 2),
                b'-' => (MinusMinus, 2),
                b'=' => (MinusEq, 2),
                _ => (Minus, 1),
            },
            b'+' => match next {
                b'+' => (PlusPlus, 2),
                b'=' => (PlusEq, 2),
                _ => (Plus, 1),
            },
            b'&' => match next {
                b'&' => (AmpAmp, 2),
                b'=' => (AmpEq, 2),
                _ => (Amp, 1),
            },
            b'|' => match next {
                b'|' => (PipePipe, 2),
                b'=' => (PipeEq, 2),
                _ => (Pipe, 1),
            },
            b'!' => match next {
                b'=' => (Ne, 2),
                _ => (Bang, 1),
            },
            b'^' => match next {
                b'=' => (CaretEq, 2),
                _ => (Caret, 1),
            },
            b':' => match next {
                b'>' => (RBracket, 2),
                _ => (Colon, 1),
            },
            b'.' => match next {
                b'0'..=b'9' => return self.number(lo),
                b'.' if self.at(lo + 2) == b'.' => (Ellipsis, 3),
                _ => (Dot, 1),
            },
            b'<' => match (next, self.at(lo + 2)) {
                (b'<', b'=') => (ShlEq, 3),
                (b'<', _) => (Shl, 2),
                (b'=', _) => (Le, 2),
                (b':', _) => (LBracket, 2),
                (b'%', _) => (LBrace, 2),
                _ => (Lt, 1),
            },
            b'>' => match (next, self.at(lo + 2)) {
                (b'>', b'=') => (ShrEq, 3),
                (b'>', _) => (Shr, 2),
                (b'=', _) => (Ge, 2),
                _ => (Gt, 1),
            },
            b'/' => match next {
                b'*' => return self.block_comment(lo),
                b'/' => return self.line_comment(lo),
                b'=' => (SlashEq, 2),
                _ => (Slash, 1),
            },
            b'%' => match next {
                b'=' => (PercentEq, 2),
                b'>' => (RBrace, 2),
                b':' => return self.hash(lo, 2),
                _ => (Percent, 1),
            },
            b'#' => return self.hash(lo, 1),
            b'\\' if matches!(next, b'u' | b'U') => return self.word_beyond_ascii(lo),
            // gcc ignores null characters, too.
            0 => {
                self.pos += 1;
                return;
            }
            _ => return self.stray(lo),
        };
        self.push(kind, lo, lo + len);
    }

    /// A `#` (or its digraph, `len` bytes long): a directive if it is the first on its line.
    fn hash(&mut self, lo: usize, len: usize) {
        if self.line_start { self.directive(lo, lo + len) } else { self.stray(lo) }
    }

    fn block_comment(&mut self, lo: usize) {
        let mut from = lo + 2;
        loop {
            match self.text[from.min(self.text.len())..].iter().position(|&b| b == b'*') {
                Some(star) if self.at(from + star + 1) == b'/' => {
                    let hi = from + star + 2;
                    if !self.line_start {
                        self.line_start = self.text[lo..hi].contains(&b'\n');
                    }
                    self.pos = hi;
                    return;
                }
                Some(star) => from += star + 1,
                None => {
                    let span = self.span(lo, lo + 2);
                    self.report(
                        Diagnostic::error(codes::OPEN_COMMENT, span, "this comment has no end")
                            .primary_label("begins here and takes in the rest of the file")
                            .help("write `*/` where it ends"),
                    );
                    self.pos = self.text.len();
                    return;
                }
            }
        }
    }

    fn line_comment(&mut self, lo: usize) {
        let end = self.text[lo..].iter().position(|&b| b == b'\n');
        self.pos = end.map_or(self.text.len(), |n| lo + n);
    }

    /// `_Pragma ( "..." )` has just been completed, or this is another parenthesis.
    fn take_pragma_operator(&mut self) {
        let tokens = &self.out.tokens;
        if let [.., word, open, string, _] = tokens[..]
            && word.kind == TokenKind::Ident
            && word.symbol_index() as usize == PRAGMA_SYMBOL
            && open.kind == TokenKind::LParen
            && string.kind == TokenKind::String
        {
            self.out.pragmas.push(Pragma { span: string.span(), operator: true });
            self.out.tokens.truncate(tokens.len() - 4);
            self.line_start = word.first_on_line();
        }
    }

    /// Reports a character that no token begins with, once for a run of them.
    fn stray(&mut self, lo: usize) {
        let (first, mut hi) = identifier::decode(self.text, lo);
        // What follows belongs to the same mistake if it is stray as well.
        while hi < self.text.len() && hi - lo < 64 {
            let (next, end) = identifier::decode(self.text, hi);
            let stray = match next {
                Some(c) if c.is_ascii() => {
                    matches!(c, '@' | '`' | '\u{1}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}')
                }
                Some(c) => !identifier::continues(c),
                None => true,
            };
            if !stray {
                break;
            }
            hi = end;
        }
        let span = self.span(lo, hi);
        let diagnostic = match first {
            None => Diagnostic::error(
                codes::STRAY_CHARACTER,
                span,
                format!("stray byte 0x{:02x} that is not UTF-8 text", self.at(lo)),
            ),
            Some('#') => {
                Diagnostic::error(codes::STRAY_CHARACTER, span, "stray `#` in the program").note(
                    "a directive is alone on its line, and only a preprocessor knows `#` elsewhere",
                )
            }
            Some('\\') => {
                Diagnostic::error(codes::STRAY_CHARACTER, span, "stray backslash in the program")
                    .note("a backslash continues a line only if it is the line's last character")
            }
            Some(c) if c.is_control() => Diagnostic::error(
                codes::STRAY_CHARACTER,
                span,
                format!("stray control character U+{:04X} in the program", c as u32),
            ),
            Some(c) => {
                let diagnostic = Diagnostic::error(
                    codes::STRAY_CHARACTER,
                    span,
                    format!("stray character `{c}` in the program"),
                );
                match identifier::ascii_relative(c) {
                    Some(ascii) => {
                        let code = c as u32;
                        diagnostic
                            .help(format!("U+{code:04X} looks like {ascii}; write that instead"))
                    }
                    None => diagnostic,
                }
            }
        };
        self.report(diagnostic);
        if let Some(before) = self.out.tokens.last().map(|token| token.lo)
            && self.out.damaged.last() != Some(&before)
        {
            self.out.damaged.push(before);
        }
        self.pos = hi;
    }
}
