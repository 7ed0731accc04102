//! Parses programs: names first, then declarations, then expressions and instructions.
//!
//! Items refer to each other in any order, so the parser walks the items three times: it collects the names of
//! structures, statics and functions; then it reads the types, members, parameters and local variables; then it reads
//! initialisers, shared expressions and bodies, where every name is known.

use super::lex::{Token, TokenKind, lex, unquote};
use super::names;
use crate::expr::ExprId;
use crate::program::{
    Function, FunctionId, InitPart, LabelId, Program, StaticInit, Symbol, SymbolId, SymbolKind,
};
use crate::types::{Field, Machine, StructId, StructType, Type, TypeId};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::fmt;
use vergo_num::{BitVec, FloatFormat};
use vergo_source::Span;

/// The reason why a text is not a GOTO program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where, in bytes from the start.
    pub offset: usize,
    /// The line, from one.
    pub line: usize,
    /// The column in bytes, from one.
    pub column: usize,
    /// The mistake in the text.
    pub message: String,
}

impl ParseError {
    pub(super) fn at(text: &str, offset: usize, message: impl Into<String>) -> ParseError {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        ParseError { offset, line, column: before.len() - line_start + 1, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The entity that a name in the text of a program denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A structure or union.
    Struct(StructId),
    /// A member of one, by number.
    Field(StructId, u32),
    /// A variable.
    Symbol(SymbolId),
    /// A function.
    Function(FunctionId),
    /// A label of a function.
    Label(FunctionId, LabelId),
}

/// A name in the text of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamePlace {
    /// Where it is.
    pub span: Span,
    /// The entity that it denotes.
    pub named: Named,
    /// True if the entity is declared here.
    pub declares: bool,
}

/// Parses a program. What it says may still be ill-formed: that is for [`verify`](crate::verify::verify).
pub fn parse(text: &str) -> Result<Program, ParseError> {
    Ok(parse_from(text, None)?.0)
}

/// Parses a program that is itself the source: functions, variables and instructions have the spans of their text, which
/// begins at `base`, and not those that are written there. All names are told, in no particular order.
pub fn parse_as_source(text: &str, base: u32) -> Result<(Program, Vec<NamePlace>), ParseError> {
    parse_from(text, Some(base))
}

fn parse_from(text: &str, base: Option<u32>) -> Result<(Program, Vec<NamePlace>), ParseError> {
    let tokens = lex(text)?;
    let mut parser = Parser {
        text,
        tokens,
        next: 0,
        program: Program::new(Machine::LP64),
        structs: FxHashMap::default(),
        symbols: FxHashMap::default(),
        functions: FxHashMap::default(),
        lets: Vec::new(),
        base,
        function: None,
        places: Vec::new(),
    };
    let items = parser.names()?;
    for item in &items {
        parser.next = item.start;
        parser.declaration(item)?;
    }
    for item in &items {
        if let Some(start) = item.body {
            parser.next = start;
            parser.definition(item)?;
        }
    }
    Ok((parser.program, parser.places))
}

pub(super) type Parsed<T> = Result<T, ParseError>;

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    pub(super) program: Program,
    structs: FxHashMap<String, StructId>,
    pub(super) symbols: FxHashMap<String, SymbolId>,
    pub(super) functions: FxHashMap<String, FunctionId>,
    pub(super) lets: Vec<ExprId>,
    /// The position at which the text begins, if it is the source.
    base: Option<u32>,
    /// The function whose body is read.
    function: Option<FunctionId>,
    places: Vec<NamePlace>,
}

/// A structure, static, function or shared expression.
struct Item {
    kind: ItemKind,
    /// The token behind its name.
    start: usize,
    /// Where the third round goes on: the initialiser, the expression, the first instruction.
    body: Option<usize>,
}

enum ItemKind {
    Struct(StructId),
    Static { symbol: String, writable: bool, thread_local: bool },
    Function(FunctionId),
    Let,
}

/// The tokens.
impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    pub(super) fn kind_after(&self, n: usize) -> TokenKind {
        self.tokens[(self.next + n).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn text_after(&self, n: usize) -> &'a str {
        let token = self.tokens[(self.next + n).min(self.tokens.len() - 1)];
        &self.text[token.start as usize..token.end as usize]
    }

    pub(super) fn here(&self) -> &'a str {
        self.text_after(0)
    }

    pub(super) fn advance(&mut self) -> &'a str {
        let text = self.here();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        text
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::at(self.text, self.token().start as usize, message))
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.kind(), TokenKind::Sign(s) if s == sign)
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { self.fail(format!("`{sign}` should stand here")) }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind() == TokenKind::Word && self.here() == word
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.fail(format!("`{word}` should stand here")) }
    }

    /// The span of the text from one token to another, if the text is the source.
    pub(super) fn span_of(&self, first: usize, last: usize) -> Option<Span> {
        let (first, last) = (self.tokens.get(first)?, self.tokens.get(last)?);
        let base = self.base?;
        Some(Span::new(base.saturating_add(first.start), base.saturating_add(last.end)))
    }

    /// The number of the next token.
    pub(super) fn position(&self) -> usize {
        self.next
    }

    /// Takes note of what a name stands for.
    pub(super) fn note(&mut self, token: usize, named: Named, declares: bool) {
        if let Some(span) = self.span_of(token, token) {
            self.places.push(NamePlace { span, named, declares });
        }
    }

    /// A failure at an earlier token.
    pub(super) fn fail_at<T>(&mut self, token: usize, message: impl Into<String>) -> Parsed<T> {
        self.next = token;
        self.fail(message)
    }

    /// The name of a variable.
    pub(super) fn variable(&mut self) -> Parsed<SymbolId> {
        let at = self.next;
        let name = self.name()?;
        let Some(&symbol) = self.symbols.get(&name) else {
            return self.fail_at(at, format!("there is no variable `{name}`"));
        };
        self.note(at, Named::Symbol(symbol), false);
        Ok(symbol)
    }

    /// The name of a function.
    pub(super) fn function(&mut self) -> Parsed<FunctionId> {
        let at = self.next;
        let name = self.name()?;
        let Some(&function) = self.functions.get(&name) else {
            return self.fail_at(at, format!("there is no function `{name}`"));
        };
        self.note(at, Named::Function(function), false);
        Ok(function)
    }

    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.kind() {
            TokenKind::Word if names::is_plain(self.here()) => Ok(self.advance().to_owned()),
            TokenKind::QuotedName => {
                match unquote(self.here()).and_then(|b| String::from_utf8(b).ok()) {
                    Some(name) => {
                        self.advance();
                        Ok(name)
                    }
                    None => self.fail("the quoted name is malformed"),
                }
            }
            _ => self.fail("a name should stand here"),
        }
    }

    pub(super) fn bytes(&mut self) -> Parsed<Vec<u8>> {
        if self.kind() != TokenKind::String {
            return self.fail("quoted text should stand here");
        }
        match unquote(self.here()) {
            Some(bytes) => {
                self.advance();
                Ok(bytes)
            }
            None => self.fail("an escape in the quoted text is malformed"),
        }
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        let at = self.next;
        String::from_utf8(self.bytes()?).or_else(|_| {
            self.next = at;
            self.fail("the quoted text is not UTF-8")
        })
    }

    /// A number without a type.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        match self.here().parse() {
            Ok(value) if self.kind() == TokenKind::Number => {
                self.advance();
                Ok(value)
            }
            _ => self.fail("a whole number should stand here"),
        }
    }

    /// A span, if one stands here.
    pub(super) fn span(&mut self) -> Parsed<Option<Span>> {
        if !self.is_sign("@") || self.kind_after(1) != TokenKind::Number {
            return Ok(None);
        }
        self.advance();
        let lo = self.number()?;
        self.expect("..")?;
        let hi = self.number()?;
        Ok(Some(Span::new(lo, hi)))
    }

    /// A label, which is declared or jumped to.
    pub(super) fn label(&mut self, declares: bool) -> Parsed<LabelId> {
        match (self.kind(), names::label(self.here())) {
            // One less than the greatest number is reserved by the maps of ids.
            (TokenKind::Word, Some(number)) if number < u32::MAX - 1 => {
                let label = LabelId::new(number as usize);
                if let Some(function) = self.function {
                    self.note(self.next, Named::Label(function, label), declares);
                }
                self.advance();
                Ok(label)
            }
            _ => self.fail("a label should stand here"),
        }
    }
}

/// First round: names.
impl Parser<'_> {
    fn names(&mut self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        let mut entry = None;
        while self.kind() != TokenKind::End {
            let word = if self.kind() == TokenKind::Word { self.advance() } else { "" };
            match word {
                "machine" => {
                    let pointer_width = self.number()?;
                    if pointer_width != 32 && pointer_width != 64 {
                        return self.fail("pointers are 32 or 64 bits wide");
                    }
                    self.expect_word("x87")?;
                    let x87_size = self.number()?;
                    if x87_size != 12 && x87_size != 16 {
                        return self.fail("x87 numbers take 12 or 16 bytes");
                    }
                    self.expect_word("wide")?;
                    let wide_align: u64 = self.number()?;
                    if !wide_align.is_power_of_two() || wide_align > 16 {
                        return self.fail("the alignment is no power of two up to 16");
                    }
                    self.expect(";")?;
                    self.program.machine = Machine { pointer_width, x87_size, wide_align };
                }
                "sites" => {
                    self.program.nondet_sites = self.number()?;
                    self.expect(";")?;
                }
                "entry" => {
                    let at = self.next;
                    entry = Some((at, self.name()?));
                    self.expect(";")?;
                }
                "struct" | "union" => {
                    let at = self.next;
                    let name = self.name()?;
                    let id = self.program.types.structs.push(StructType {
                        name: name.clone(),
                        union: word == "union",
                        fields: Vec::new(),
                        size: 0,
                        align: 1,
                        complete: false,
                    });
                    if self.structs.insert(name, id).is_some() {
                        return self.fail_at(at, "this structure is there twice");
                    }
                    self.note(at, Named::Struct(id), true);
                    items.push(Item { kind: ItemKind::Struct(id), start: self.next, body: None });
                    self.skip_item()?;
                }
                "static" => {
                    let writable = !self.eat_word("const");
                    let thread_local = self.eat_word("thread_local");
                    let symbol = self.name()?;
                    let start = self.next;
                    // The initialiser begins behind the sign.
                    while !self.is_sign("=") && !self.is_sign(";") && self.kind() != TokenKind::End
                    {
                        self.advance();
                    }
                    let body = self.eat("=").then_some(self.next);
                    items.push(Item {
                        kind: ItemKind::Static { symbol, writable, thread_local },
                        start,
                        body,
                    });
                    self.skip_item()?;
                }
                "let" => {
                    let start = self.next;
                    items.push(Item { kind: ItemKind::Let, start, body: Some(start) });
                    self.skip_item()?;
                }
                "extern" | "function" => {
                    if word == "extern" {
                        self.expect_word("function")?;
                    }
                    let at = self.next;
                    let name = self.name()?;
                    let ty = self.program.types.void();
                    let id = self.program.functions.push(Function {
                        body: (word == "function").then(Vec::new),
                        ..Function::declaration(name.clone(), name.clone(), ty)
                    });
                    if self.functions.insert(name, id).is_some() {
                        return self.fail_at(at, "this function is there twice");
                    }
                    self.note(at, Named::Function(id), true);
                    let start = self.next;
                    let body = self.function_body();
                    items.push(Item { kind: ItemKind::Function(id), start, body });
                    self.skip_item()?;
                }
                _ => {
                    self.next = self.next.saturating_sub(usize::from(!word.is_empty()));
                    return self.fail("an item should stand here: machine, sites, entry, struct, union, static, let or function");
                }
            }
        }
        if let Some((at, name)) = entry {
            let Some(&function) = self.functions.get(&name) else {
                return self.fail_at(at, "the entry function is not there");
            };
            self.program.entry = Some(function);
            self.note(at, Named::Function(function), false);
        }
        Ok(items)
    }

    /// The first instruction of the function whose name was just read, if it has a block.
    fn function_body(&self) -> Option<usize> {
        let mut i = self.next;
        loop {
            match self.tokens[i].kind {
                TokenKind::Sign("{") => break,
                TokenKind::Sign(";") | TokenKind::End => return None,
                _ => i += 1,
            }
        }
        i += 1;
        // Parameters and local variables come first, each up to a semicolon.
        loop {
            let token = self.tokens[i];
            let word = &self.text[token.start as usize..token.end as usize];
            if token.kind != TokenKind::Word || !matches!(word, "param" | "local") {
                return Some(i);
            }
            while !matches!(self.tokens[i].kind, TokenKind::Sign(";") | TokenKind::End) {
                i += 1;
            }
            if self.tokens[i].kind == TokenKind::End {
                return Some(i);
            }
            i += 1;
        }
    }

    /// Skips to the end of an item: a semicolon outside of braces, or the brace that closes the first one (and a
    /// semicolon behind it).
    fn skip_item(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => return self.fail("the item does not end"),
                TokenKind::Sign("{") => depth += 1,
                TokenKind::Sign("}") => {
                    depth = match depth.checked_sub(1) {
                        Some(depth) => depth,
                        None => return self.fail("no brace is open here"),
                    };
                    // An aggregate inside of a shared expression or initialiser is followed by more.
                    let more = matches!(self.kind_after(1), TokenKind::Sign(_));
                    if depth == 0 && !more {
                        self.advance();
                        return Ok(());
                    }
                }
                TokenKind::Sign(";") if depth == 0 => {
                    self.advance();
                    return Ok(());
                }
                _ => {}
            }
            self.advance();
        }
    }
}

/// Second round: declarations.
impl Parser<'_> {
    fn declaration(&mut self, item: &Item) -> Parsed<()> {
        match &item.kind {
            ItemKind::Struct(id) => self.structure(*id),
            ItemKind::Static { symbol, writable, thread_local } => {
                let init = StaticInit::Data(Vec::new());
                let kind = SymbolKind::Static { init, thread_local: *thread_local };
                self.symbol(symbol.clone(), kind, *writable)?;
                if !self.is_sign("=") {
                    self.expect(";")?;
                }
                Ok(())
            }
            ItemKind::Function(id) => self.signature(*id),
            ItemKind::Let => Ok(()),
        }
    }

    fn structure(&mut self, id: StructId) -> Parsed<()> {
        let complete = self.eat_word("size");
        let size = if complete { self.number()? } else { 0 };
        let align = if self.eat_word("align") { self.number()? } else { 1 };
        let mut fields = Vec::new();
        if complete {
            self.expect("{")?;
            while !self.eat("}") {
                let field = u32::try_from(fields.len()).unwrap_or(u32::MAX);
                self.note(self.next, Named::Field(id, field), true);
                let name = self.name()?;
                self.expect(":")?;
                let ty = self.ty()?;
                self.expect("@")?;
                let offset = self.number()?;
                let first_bit = if self.eat(":") { Some(self.number()?) } else { None };
                self.expect(";")?;
                fields.push(Field { name, ty, offset, first_bit });
            }
        } else {
            self.expect(";")?;
        }
        let structure = &mut self.program.types.structs[id];
        (structure.size, structure.align, structure.complete) = (size, align, complete);
        structure.fields = fields;
        Ok(())
    }

    /// Parses the part of a declaration that follows the symbol's name.
    fn symbol(&mut self, name: String, kind: SymbolKind, writable: bool) -> Parsed<SymbolId> {
        let at = self.next.saturating_sub(1);
        let display = if self.kind() == TokenKind::String { self.string()? } else { name.clone() };
        self.expect(":")?;
        let ty = self.ty()?;
        let align = if self.eat_word("align") { self.number()? } else { 1 };
        let written = self.span()?.unwrap_or_default();
        let span = self.span_of(at, at).unwrap_or(written);
        let symbol = Symbol { name: name.clone(), display, ty, kind, span, align, writable };
        let id = self.program.add_symbol(symbol);
        if self.symbols.insert(name, id).is_some() {
            return self.fail_at(at, "a variable of this name is there twice");
        }
        self.note(at, Named::Symbol(id), true);
        Ok(id)
    }

    fn signature(&mut self, id: FunctionId) -> Parsed<()> {
        let at = self.next.saturating_sub(1);
        if self.kind() == TokenKind::String {
            self.program.functions[id].display = self.string()?;
        }
        self.expect(":")?;
        self.program.functions[id].ty = self.ty()?;
        self.program.functions[id].library = self.eat_word("library");
        if self.eat_word("labels") {
            self.program.functions[id].n_labels = self.number()?;
        }
        let written = self.span()?.unwrap_or_default();
        self.program.functions[id].span = self.span_of(at, at).unwrap_or(written);
        if self.program.functions[id].body.is_none() && self.eat(";") {
            return Ok(());
        }
        self.expect("{")?;
        while self.is_word("param") || self.is_word("local") {
            let param = self.advance() == "param";
            let writable = !self.eat_word("const");
            let name = self.name()?;
            let kind = if param { SymbolKind::Param(id) } else { SymbolKind::Local(id) };
            let symbol = self.symbol(name, kind, writable)?;
            if param {
                self.program.functions[id].params.push(symbol);
            }
            self.expect(";")?;
        }
        Ok(())
    }

    /// A type: an atom and what is attached to it.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        let mut ty = stacker::maybe_grow(64 << 10, 1 << 20, || self.type_atom())?;
        loop {
            if self.eat("*") {
                ty = self.program.types.ptr(ty);
            } else if self.is_sign("[") {
                self.advance();
                let len = self.number()?;
                self.expect("]")?;
                ty = self.program.types.array(ty, len);
            } else {
                return Ok(ty);
            }
        }
    }

    /// Returns whether a type begins at the token `n` ahead.
    pub(super) fn is_type_after(&self, n: usize) -> bool {
        match self.kind_after(n) {
            TokenKind::Sign(sign) => sign == "[",
            TokenKind::Word => {
                let word = self.text_after(n);
                matches!(word, "void" | "bool" | "struct" | "fn" | "float")
                    || names::scalar_type(word).is_some()
            }
            _ => false,
        }
    }

    fn type_atom(&mut self) -> Parsed<TypeId> {
        if self.eat("[") {
            let ty = self.ty()?;
            self.expect("]")?;
            return Ok(ty);
        }
        if self.kind() != TokenKind::Word {
            return self.fail("a type should stand here");
        }
        let word = self.here();
        let ty = match word {
            "void" => Type::Void,
            "bool" => Type::Bool,
            "struct" => {
                self.advance();
                let at = self.next;
                let name = self.name()?;
                let Some(&id) = self.structs.get(&name) else {
                    return self.fail_at(at, "this structure is not there");
                };
                self.note(at, Named::Struct(id), false);
                return Ok(self.program.types.intern(Type::Struct(id)));
            }
            "float" => {
                self.advance();
                self.expect("(")?;
                let exponent = self.number()?;
                self.expect(",")?;
                let significand = self.number()?;
                let Some(format) = FloatFormat::try_ieee(exponent, significand) else {
                    return self.fail("there is no such floating format");
                };
                self.expect(")")?;
                return Ok(self.program.types.float(format));
            }
            "fn" => {
                self.advance();
                self.expect("(")?;
                let mut params = Vec::new();
                while !self.eat(")") {
                    if !params.is_empty() {
                        self.expect(",")?;
                    }
                    params.push(self.ty()?);
                }
                self.expect("->")?;
                let ret = self.ty()?;
                return Ok(self.program.types.func(ret, params));
            }
            _ => match (float_format(word), names::scalar_type(word)) {
                (Some(format), _) => Type::Float(format),
                (None, Some((signed, width))) if width > 0 => Type::Int { signed, width },
                _ => return self.fail("a type should stand here"),
            },
        };
        self.advance();
        Ok(self.program.types.intern(ty))
    }
}

/// The format of a short name.
pub(super) fn float_format(word: &str) -> Option<FloatFormat> {
    Some(match word {
        "f16" => FloatFormat::HALF,
        "bf16" => FloatFormat::BFLOAT,
        "f32" => FloatFormat::SINGLE,
        "f64" => FloatFormat::DOUBLE,
        "x87" => FloatFormat::X87_EXTENDED,
        "f128" => FloatFormat::QUAD,
        _ => return None,
    })
}

/// Third round: definitions.
impl Parser<'_> {
    fn definition(&mut self, item: &Item) -> Parsed<()> {
        match &item.kind {
            ItemKind::Struct(_) => Ok(()),
            ItemKind::Static { symbol, .. } => {
                let init = self.init()?;
                let id = self.symbols[symbol];
                if let SymbolKind::Static { init: place, .. } = &mut self.program.symbols[id].kind {
                    *place = init;
                }
                Ok(())
            }
            ItemKind::Let => {
                if self.kind() != TokenKind::Hash || self.here()[1..].parse() != Ok(self.lets.len())
                {
                    return self.fail("shared expressions are numbered in order");
                }
                self.advance();
                self.expect("=")?;
                let e = self.expr()?;
                self.lets.push(e);
                self.expect(";")
            }
            ItemKind::Function(id) => {
                self.function = Some(*id);
                let body = self.body()?;
                if let Some(place) = &mut self.program.functions[*id].body {
                    *place = body;
                } else if !body.is_empty() {
                    return self.fail("a function without a body has instructions");
                }
                Ok(())
            }
        }
    }

    fn init(&mut self) -> Parsed<StaticInit> {
        if self.eat_word("nondet") {
            self.expect(";")?;
            return Ok(StaticInit::Nondet);
        }
        self.expect("{")?;
        let mut parts = Vec::new();
        while !self.eat("}") {
            self.expect("@")?;
            let offset = self.number()?;
            self.expect(":")?;
            parts.push(if self.eat_word("bytes") {
                InitPart::Bytes { offset, bytes: self.bytes()?.into() }
            } else {
                InitPart::Value { offset, value: self.expr()? }
            });
            self.expect(";")?;
        }
        self.expect(";")?;
        Ok(StaticInit::Data(parts))
    }

    /// Bits of a decimal number with an optional sign that must fit a width.
    pub(super) fn decimal(&self, width: u32, text: &str) -> Parsed<BitVec> {
        match BitVec::parse_decimal(width, text) {
            Some(bits) => Ok(bits),
            None => self.fail("the number does not fit its type"),
        }
    }
}
