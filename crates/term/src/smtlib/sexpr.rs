//! Lexical structure: tokens, and the S-expressions of one command in a flat arena.

use super::{SmtError, SmtErrorKind};
use std::fmt;

/// A place in a text. Lines and columns count from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The kind of an S-expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Symbol,
    /// A symbol that was written in quotes and so is never a reserved word.
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    Hex,
    Binary,
    /// A string.
    Text,
    List,
}

/// Index of an S-expression in its [`Form`].
pub(super) type ExprId = u32;

#[derive(Clone, Copy, Debug)]
struct Expr {
    kind: Kind,
    position: Position,
    /// Byte range in the text.
    start: u32,
    end: u32,
    /// Range of `Form::children`.
    first: u32,
    count: u32,
}

/// One top-level S-expression. Its root is the last expression. Atoms are slices of the text.
pub(super) struct Form<'t> {
    text: &'t str,
    exprs: Vec<Expr>,
    children: Vec<ExprId>,
}

impl<'t> Form<'t> {
    pub(super) fn root(&self) -> ExprId {
        self.exprs.len() as u32 - 1
    }

    pub(super) fn kind(&self, id: ExprId) -> Kind {
        self.exprs[id as usize].kind
    }

    pub(super) fn position(&self, id: ExprId) -> Position {
        self.exprs[id as usize].position
    }

    /// The expression as it is written.
    pub(super) fn source(&self, id: ExprId) -> &'t str {
        let expr = &self.exprs[id as usize];
        &self.text[expr.start as usize..expr.end as usize]
    }

    /// The characters of an atom that matter: without quotes, colon, `#x` or `#b`.
    pub(super) fn atom(&self, id: ExprId) -> &'t str {
        let source = self.source(id);
        match self.kind(id) {
            Kind::Quoted | Kind::Text => &source[1..source.len() - 1],
            Kind::Keyword => &source[1..],
            Kind::Hex | Kind::Binary => &source[2..],
            Kind::Symbol | Kind::Numeral | Kind::Decimal | Kind::List => source,
        }
    }

    /// The text that a string stands for.
    pub(super) fn string(&self, id: ExprId) -> String {
        self.atom(id).replace("\"\"", "\"")
    }

    /// The elements of a list; empty for atoms.
    pub(super) fn list(&self, id: ExprId) -> &[ExprId] {
        let expr = &self.exprs[id as usize];
        &self.children[expr.first as usize..(expr.first + expr.count) as usize]
    }

    pub(super) fn is_list(&self, id: ExprId) -> bool {
        self.kind(id) == Kind::List
    }

    /// The name of a symbol, quoted or not.
    pub(super) fn symbol(&self, id: ExprId) -> Option<&'t str> {
        matches!(self.kind(id), Kind::Symbol | Kind::Quoted).then(|| self.atom(id))
    }

    /// Returns whether the expression is the reserved word.
    pub(super) fn is_word(&self, id: ExprId, word: &str) -> bool {
        self.kind(id) == Kind::Symbol && self.source(id) == word
    }

    pub(super) fn error(
        &self,
        id: ExprId,
        kind: SmtErrorKind,
        message: impl Into<String>,
    ) -> SmtError {
        SmtError { position: self.position(id), kind, message: message.into() }
    }

    pub(super) fn syntax(&self, id: ExprId, message: impl Into<String>) -> SmtError {
        self.error(id, SmtErrorKind::Syntax, message)
    }

    /// A numeral that fits 32 bits.
    pub(super) fn numeral(&self, id: ExprId) -> Result<u32, SmtError> {
        if self.kind(id) != Kind::Numeral {
            return Err(self.syntax(id, "expected a numeral"));
        }
        let too_large = |_| self.error(id, SmtErrorKind::Unsupported, "number is too large");
        self.source(id).parse().map_err(too_large)
    }
}

/// Splits a text into top-level S-expressions.
pub(super) struct Lexer<'t> {
    text: &'t str,
    /// Byte offset of the next character.
    offset: usize,
    line: u32,
    column: u32,
}

enum Token {
    Open,
    Close,
    Atom(Kind),
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, offset: 0, line: 1, column: 1 }
    }

    /// The next top-level S-expression, `None` at the end. After an error, nothing more is read.
    pub(super) fn next_form(&mut self) -> Option<Result<Form<'t>, SmtError>> {
        let result = self.read_form().transpose();
        if matches!(result, Some(Err(_))) {
            self.offset = self.text.len();
        }
        result
    }

    fn read_form(&mut self) -> Result<Option<Form<'t>>, SmtError> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(self.error(self.position(), "text is longer than 4 GiB"));
        }
        let mut form = Form { text: self.text, exprs: Vec::new(), children: Vec::new() };
        // Each open list: its start, and where its elements begin among the pending ones.
        let mut open: Vec<(Position, u32, usize)> = Vec::new();
        let mut pending: Vec<ExprId> = Vec::new();
        loop {
            self.skip_blank();
            let (position, start) = (self.position(), self.offset as u32);
            let Some(token) = self.next_token()? else {
                return match open.pop() {
                    None => Ok(None),
                    Some((position, ..)) => {
                        Err(self.error(position, "this parenthesis is never closed"))
                    }
                };
            };
            let end = self.offset as u32;
            let expr = match token {
                Token::Open => {
                    open.push((position, start, pending.len()));
                    continue;
                }
                Token::Atom(kind) => Expr { kind, position, start, end, first: 0, count: 0 },
                Token::Close => {
                    let Some((position, start, n_before)) = open.pop() else {
                        return Err(self.error(position, "there is no open parenthesis to close"));
                    };
                    let first = form.children.len() as u32;
                    let count = (pending.len() - n_before) as u32;
                    form.children.extend(pending.drain(n_before..));
                    Expr { kind: Kind::List, position, start, end, first, count }
                }
            };
            pending.push(form.exprs.len() as u32);
            form.exprs.push(expr);
            if open.is_empty() {
                return Ok(Some(form));
            }
        }
    }

    fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }

    fn error(&self, position: Position, message: &str) -> SmtError {
        SmtError { position, kind: SmtErrorKind::Syntax, message: message.to_owned() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Goes on by one byte; characters are counted at their first one.
    fn advance(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.offset += 1;
        if byte == b'\n' {
            self.line += 1;
            self.column = 1;
        } else if byte & 0xc0 != 0x80 {
            self.column += 1;
        }
        Some(byte)
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b';' {
                while self.peek().is_some_and(|byte| byte != b'\n') {
                    self.advance();
                }
            } else if byte.is_ascii_whitespace() {
                self.advance();
            } else {
                return;
            }
        }
    }

    /// The longest run of bytes of symbols.
    fn word(&mut self) -> &'t str {
        let start = self.offset;
        while self.peek().is_some_and(is_symbol_byte) {
            self.advance();
        }
        &self.text[start..self.offset]
    }

    fn next_token(&mut self) -> Result<Option<Token>, SmtError> {
        let position = self.position();
        let Some(byte) = self.peek() else { return Ok(None) };
        let kind = match byte {
            b'(' => {
                self.advance();
                return Ok(Some(Token::Open));
            }
            b')' => {
                self.advance();
                return Ok(Some(Token::Close));
            }
            b'|' => {
                self.advance();
                loop {
                    match self.advance() {
                        Some(b'|') => break Kind::Quoted,
                        None | Some(b'\\') => {
                            return Err(self.error(position, "quoted symbol is not closed"));
                        }
                        Some(_) => {}
                    }
                }
            }
            b'"' => {
                self.advance();
                loop {
                    match self.advance() {
                        None => return Err(self.error(position, "string is not closed")),
                        Some(b'"') if self.peek() == Some(b'"') => {
                            self.advance();
                        }
                        Some(b'"') => break Kind::Text,
                        Some(_) => {}
                    }
                }
            }
            b':' => {
                self.advance();
                self.word();
                Kind::Keyword
            }
            b'#' => {
                self.advance();
                match self.word().split_at_checked(1) {
                    Some(("x", digits)) if is_all(digits, 16) => Kind::Hex,
                    Some(("b", digits)) if is_all(digits, 2) => Kind::Binary,
                    _ => return Err(self.error(position, "malformed literal")),
                }
            }
            _ if is_symbol_byte(byte) => {
                let word = self.word();
                if !byte.is_ascii_digit() {
                    Kind::Symbol
                } else if is_all(word, 10) {
                    Kind::Numeral
                } else {
                    match word.split_once('.') {
                        Some((whole, fraction)) if is_all(whole, 10) && is_all(fraction, 10) => {
                            Kind::Decimal
                        }
                        _ => return Err(self.error(position, "malformed number")),
                    }
                }
            }
            _ => return Err(self.error(position, "character is not allowed here")),
        };
        Ok(Some(Token::Atom(kind)))
    }
}

/// Bytes of symbols that need no quoting.
pub(super) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'~' | b'!'
                | b'@'
                | b'$'
                | b'%'
                | b'^'
                | b'&'
                | b'*'
                | b'_'
                | b'-'
                | b'+'
                | b'='
                | b'<'
                | b'>'
                | b'.'
                | b'?'
                | b'/'
        )
}

fn is_all(digits: &str, radix: u32) -> bool {
    !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix))
}
