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

/// What an S-expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A symbol; quotes are removed.
    Symbol(String),
    /// A symbol that was written in quotes and so is never a reserved word.
    Quoted(String),
    /// A keyword, without its colon.
    Keyword(String),
    Numeral(String),
    Decimal(String),
    Hex(String),
    Binary(String),
    /// A string, with doubled quotes undone.
    Text(String),
    List,
}

/// Index of an S-expression in its [`Form`].
pub(super) type ExprId = u32;

#[derive(Clone, Debug)]
struct Expr {
    kind: Kind,
    position: Position,
    /// Byte range in the text.
    start: usize,
    end: usize,
    /// Range of `Form::children`.
    first: u32,
    count: u32,
}

/// One top-level S-expression. Its root is the last expression.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    exprs: Vec<Expr>,
    children: Vec<ExprId>,
}

impl Form {
    pub(super) fn root(&self) -> ExprId {
        self.exprs.len() as u32 - 1
    }

    pub(super) fn kind(&self, id: ExprId) -> &Kind {
        &self.exprs[id as usize].kind
    }

    pub(super) fn position(&self, id: ExprId) -> Position {
        self.exprs[id as usize].position
    }

    /// The byte range of the expression in the text.
    pub(super) fn range(&self, id: ExprId) -> std::ops::Range<usize> {
        let expr = &self.exprs[id as usize];
        expr.start..expr.end
    }

    /// The elements of a list; empty for atoms.
    pub(super) fn list(&self, id: ExprId) -> &[ExprId] {
        let expr = &self.exprs[id as usize];
        &self.children[expr.first as usize..(expr.first + expr.count) as usize]
    }

    pub(super) fn is_list(&self, id: ExprId) -> bool {
        *self.kind(id) == Kind::List
    }

    /// The name of a symbol, quoted or not.
    pub(super) fn symbol(&self, id: ExprId) -> Option<&str> {
        match self.kind(id) {
            Kind::Symbol(name) | Kind::Quoted(name) => Some(name),
            _ => None,
        }
    }

    /// Whether the expression is the reserved word.
    pub(super) fn is_word(&self, id: ExprId, word: &str) -> bool {
        matches!(self.kind(id), Kind::Symbol(name) if name == word)
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
        match self.kind(id) {
            Kind::Numeral(digits) => digits
                .parse()
                .map_err(|_| self.error(id, SmtErrorKind::Unsupported, "number is too large")),
            _ => Err(self.syntax(id, "expected a numeral")),
        }
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

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The next top-level S-expression, `None` at the end. After an error, nothing more is read.
    pub(super) fn next_form(&mut self) -> Option<Result<Form, SmtError>> {
        let result = self.read_form().transpose();
        if matches!(result, Some(Err(_))) {
            self.offset = self.text.len();
        }
        result
    }

    fn read_form(&mut self) -> Result<Option<Form>, SmtError> {
        let mut form = Form::default();
        // Each open list: its start, and the elements that were complete.
        let mut open: Vec<(Position, usize, Vec<ExprId>)> = Vec::new();
        loop {
            self.skip_blank();
            let (position, start) = (self.position(), self.offset);
            let Some(token) = self.next_token()? else {
                return match open.pop() {
                    None => Ok(None),
                    Some((position, ..)) => Err(SmtError {
                        position,
                        kind: SmtErrorKind::Syntax,
                        message: "this parenthesis is never closed".to_owned(),
                    }),
                };
            };
            let (expr, elements) = match token {
                Token::Open => {
                    open.push((position, start, Vec::new()));
                    continue;
                }
                Token::Atom(kind) => (
                    Expr { kind, position, start, end: self.offset, first: 0, count: 0 },
                    Vec::new(),
                ),
                Token::Close => {
                    let Some((position, start, elements)) = open.pop() else {
                        return Err(self.error(position, "there is no open parenthesis to close"));
                    };
                    let first = form.children.len() as u32;
                    let count = elements.len() as u32;
                    let kind = Kind::List;
                    (Expr { kind, position, start, end: self.offset, first, count }, elements)
                }
            };
            form.children.extend(elements);
            let id = form.exprs.len() as u32;
            form.exprs.push(expr);
            match open.last_mut() {
                None => return Ok(Some(form)),
                Some((.., elements)) => elements.push(id),
            }
        }
    }

    fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }

    fn error(&self, position: Position, message: &str) -> SmtError {
        SmtError { position, kind: SmtErrorKind::Syntax, message: message.to_owned() }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == ';' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.advance();
                }
            } else if c.is_whitespace() {
                self.advance();
            } else {
                return;
            }
        }
    }

    /// The longest run of characters that satisfy the predicate.
    fn run(&mut self, accept: impl Fn(char) -> bool) -> &'t str {
        let start = self.offset;
        while self.peek().is_some_and(&accept) {
            self.advance();
        }
        &self.text[start..self.offset]
    }

    fn next_token(&mut self) -> Result<Option<Token>, SmtError> {
        let position = self.position();
        let Some(c) = self.peek() else { return Ok(None) };
        let kind = match c {
            '(' => {
                self.advance();
                return Ok(Some(Token::Open));
            }
            ')' => {
                self.advance();
                return Ok(Some(Token::Close));
            }
            '|' => {
                self.advance();
                let name = self.run(|c| c != '|' && c != '\\').to_owned();
                if self.advance() != Some('|') {
                    return Err(self.error(position, "quoted symbol is not closed"));
                }
                Kind::Quoted(name)
            }
            '"' => Kind::Text(self.string(position)?),
            ':' => {
                self.advance();
                Kind::Keyword(self.run(is_symbol_char).to_owned())
            }
            '#' => {
                self.advance();
                let body = self.run(is_symbol_char);
                match body.split_at_checked(1) {
                    Some(("x", digits)) if is_all(digits, 16) => Kind::Hex(digits.to_owned()),
                    Some(("b", digits)) if is_all(digits, 2) => Kind::Binary(digits.to_owned()),
                    _ => return Err(self.error(position, "malformed literal")),
                }
            }
            _ if is_symbol_char(c) => {
                let word = self.run(is_symbol_char);
                if !c.is_ascii_digit() {
                    Kind::Symbol(word.to_owned())
                } else if is_all(word, 10) {
                    Kind::Numeral(word.to_owned())
                } else {
                    match word.split_once('.') {
                        Some((whole, fraction)) if is_all(whole, 10) && is_all(fraction, 10) => {
                            Kind::Decimal(word.to_owned())
                        }
                        _ => return Err(self.error(position, "malformed number")),
                    }
                }
            }
            _ => return Err(self.error(position, "character is not allowed here")),
        };
        Ok(Some(Token::Atom(kind)))
    }

    fn string(&mut self, position: Position) -> Result<String, SmtError> {
        self.advance();
        let mut value = String::new();
        loop {
            match self.advance() {
                None => return Err(self.error(position, "string is not closed")),
                Some('"') if self.peek() == Some('"') => {
                    self.advance();
                    value.push('"');
                }
                Some('"') => return Ok(value),
                Some(c) => value.push(c),
            }
        }
    }
}

/// Characters of symbols that need no quoting.
pub(super) fn is_symbol_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

fn is_all(digits: &str, radix: u32) -> bool {
    !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix))
}
