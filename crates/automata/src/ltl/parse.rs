//! The text of formulas.
//!
//! ```text
//! file      = ("prop" NAME "=" C-CONDITION ";")* (formula | "CHECK" "(" "init" "(" NAME "(" ")" ")" "," "LTL" "(" formula ")" ")")
//! formula   = implies ("<->" implies)*
//! implies   = or ["->" implies]
//! or        = and ("||" and)*
//! and       = until ("&&" until)*
//! until     = unary [("U" | "W" | "R" | "M") until]
//! unary     = ("!" | "F" | "G" | "<>" | "[]") unary | "(" formula ")" | atom
//! atom      = "true" | "false" | NAME | C-CONDITION | '"' C-CONDITION '"' | "AP" "(" C-CONDITION ")"
//!           | "call" "(" NAME ")" | "return" "(" NAME ")"
//! ```
//!
//! A condition that is not in quotes ends where an operator of the logic begins, so that `x > 0 -> F y == 1` needs no
//! parentheses. Words such as `GF` are the operators that their letters are. Other spellings of tools of the field are
//! understood: `=>`, `==>`, `<=>`, `<==>`, `/\`, `\/`. The parser stops at the first mistake: a formula is short.

use super::formula::{Atom, AtomId, Formula, Meaning, Node, NodeId};
use crate::codes;
use cranelift_entity::PrimaryMap;
use std::collections::BTreeMap;
use std::ops::Range;
use vergo_cfront::words::on_one_line;
use vergo_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// Formulas that are nested deeper are rejected.
const MAX_DEPTH: usize = 200;

/// Formulas with more atoms are rejected.
const MAX_ATOMS: usize = 64;

/// Parses a formula, or a file with named conditions and a formula. Each definition is a file with the text
/// `NAME=C-CONDITION`. Mistakes are in `diags`.
pub fn parse(
    map: &SourceMap,
    file: FileId,
    definitions: &[FileId],
    diags: &mut Diagnostics,
) -> Option<Formula> {
    let parsed = (|| {
        let mut names = BTreeMap::new();
        for &definition in definitions {
            let text = map.text(definition).clone();
            let mut parser = Parser::new(&text, map.file_span(definition).lo, BTreeMap::new())?;
            let (name, condition) = parser.definition()?;
            declare(&mut names, name, condition)?;
        }
        let text = map.text(file).clone();
        let mut parser = Parser::new(&text, map.file_span(file).lo, names)?;
        parser.file()
    })();
    match parsed {
        Ok(formula) => Some(formula),
        Err(diagnostic) => {
            diags.push(*diagnostic);
            None
        }
    }
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// A named condition: its text, and where it and its name are.
#[derive(Clone, Debug)]
struct Named {
    text: String,
    span: Span,
    name: Span,
}

type Names = BTreeMap<String, Named>;

fn declare(names: &mut Names, name: String, named: Named) -> Result<()> {
    if let Some(other) = names.get(&name) {
        let message = format!("the condition `{name}` is defined twice");
        let diagnostic = Diagnostic::error(codes::TWICE, named.name, message);
        return Err(Box::new(diagnostic.label(other.name, "the first definition")));
    }
    names.insert(name, named);
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Word,
    Number,
    Text,
    Mark,
}

struct Token {
    kind: Kind,
    range: Range<usize>,
}

/// Marks of several bytes, longer ones first.
const MARKS: &[&str] = &[
    "<==>", "==>", "<=>", "<->", "&&", "||", "->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "[]",
    "<>", "/\\", "\\/",
];

const AND: &[&str] = &["&&", "/\\"];
const OR: &[&str] = &["||", "\\/"];
const IMPLIES: &[&str] = &["->", "=>", "==>"];
const IFF: &[&str] = &["<->", "<=>", "<==>"];

/// Words that stand between formulas.
const BETWEEN: &[&str] = &["U", "W", "R", "M"];

/// Marks that continue a condition in C.
const C_OPERATORS: &[&str] = &[
    "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "[", ".",
    "?", "(",
];

fn tokens(text: &[u8], base: u32) -> Result<Vec<Token>> {
    let mut out = Vec::new();
    let mut at = 0;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let starts = |at: usize, what: &str| text[at..].starts_with(what.as_bytes());
    let line = |at: usize| text[at..].iter().take_while(|&&byte| byte != b'\n').count();
    while let Some(&byte) = text.get(at) {
        let start = at;
        let kind = match byte {
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' => {
                at += line(at);
                continue;
            }
            b'/' if starts(at, "//") => {
                at += line(at);
                continue;
            }
            b'/' if starts(at, "/*") => {
                let rest = text[at + 2..].windows(2).position(|two| two == b"*/");
                at = rest.map_or(text.len(), |length| at + 2 + length + 2);
                continue;
            }
            b'"' | b'\'' => {
                at += 1;
                while text.get(at).is_some_and(|&c| c != byte) {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                if at >= text.len() {
                    let span = Span::new(base + start as u32, base + start as u32 + 1);
                    return Err(error(span, "this quote is not closed"));
                }
                at += 1;
                Kind::Text
            }
            _ if byte.is_ascii_digit() => {
                while text.get(at).is_some_and(|&c| is_word(c) || c == b'.') {
                    at += 1;
                }
                Kind::Number
            }
            _ if is_word(byte) => {
                while text.get(at).is_some_and(|&c| is_word(c)) {
                    at += 1;
                }
                Kind::Word
            }
            _ if byte.is_ascii_graphic() => {
                at += MARKS.iter().find(|mark| starts(at, mark)).map_or(1, |mark| mark.len());
                Kind::Mark
            }
            _ => {
                let length = text[at..].iter().skip(1).take_while(|&&c| c & 0xc0 == 0x80).count();
                let span = Span::new(base + at as u32, base + (at + 1 + length) as u32);
                return Err(error(span, "this character has no meaning in a formula"));
            }
        };
        out.push(Token { kind, range: start..at });
    }
    Ok(out)
}

fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::FORMULA, span, message))
}

struct Parser<'a> {
    text: &'a [u8],
    base: u32,
    tokens: Vec<Token>,
    pos: usize,
    depth: usize,
    names: Names,
    nodes: PrimaryMap<NodeId, Node>,
    atoms: PrimaryMap<AtomId, Atom>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8], base: u32, names: Names) -> Result<Parser<'a>> {
        Ok(Parser {
            text,
            base,
            tokens: tokens(text, base)?,
            pos: 0,
            depth: 0,
            names,
            nodes: PrimaryMap::new(),
            atoms: PrimaryMap::new(),
        })
    }

    /// `NAME = C-CONDITION`, up to a semicolon or the end.
    fn definition(&mut self) -> Result<(String, Named)> {
        if self.kind(self.pos) != Some(Kind::Word) {
            let expected = self.expected("the name of a condition, as in `req=x == 1`");
            return Err(expected);
        }
        let (name, name_span) = (self.word(self.pos).to_owned(), self.span(self.pos));
        let reserved = ["true", "false", "AP", "call", "return"];
        if is_operator(&name) || reserved.contains(&&*name) || !is_plain_name(&name) {
            return Err(error(name_span, format!("`{name}` cannot be the name of a condition")));
        }
        self.pos += 1;
        self.expect("=")?;
        let first = self.pos;
        while self.pos < self.tokens.len() && self.word(self.pos) != ";" {
            self.pos += 1;
        }
        if self.pos == first {
            return Err(self.expected("a condition in C"));
        }
        let range = self.tokens[first].range.start..self.tokens[self.pos - 1].range.end;
        let span = self.at(&range);
        let text = String::from_utf8_lossy(&self.text[range]).into_owned();
        Ok((name, Named { text, span, name: name_span }))
    }

    fn file(&mut self) -> Result<Formula> {
        while self.word(self.pos) == "prop" {
            self.pos += 1;
            let (name, named) = self.definition()?;
            self.expect(";")?;
            declare(&mut self.names, name, named)?;
        }
        let wrapped = self.word(self.pos) == "CHECK" && self.word(self.pos + 1) == "(";
        if wrapped {
            self.pos += 1;
            for word in ["(", "init", "("] {
                self.expect(word)?;
            }
            if self.word(self.pos) != "main" {
                return Err(self.expected("`main`, in which every execution begins"));
            }
            self.pos += 1;
            for word in ["(", ")", ")", ",", "LTL", "("] {
                self.expect(word)?;
            }
        }
        let first = self.pos;
        let root = self.formula()?;
        let range = self.tokens[first].range.start..self.tokens[self.pos - 1].range.end;
        if wrapped {
            self.expect(")")?;
            self.expect(")")?;
        }
        if self.pos < self.tokens.len() {
            let what = if wrapped { "the end" } else { "an operator such as `&&`, `->` or `U`" };
            return Err(self.expected(what));
        }
        Ok(Formula {
            text: on_one_line(&String::from_utf8_lossy(&self.text[range.clone()])),
            span: self.at(&range),
            nodes: std::mem::take(&mut self.nodes),
            root,
            atoms: std::mem::take(&mut self.atoms),
        })
    }

    fn formula(&mut self) -> Result<NodeId> {
        self.deeper(Parser::iff)
    }

    /// Every nesting goes through here.
    fn deeper(&mut self, parse: fn(&mut Self) -> Result<NodeId>) -> Result<NodeId> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(error(self.here(), "the formula is nested too deeply"));
        }
        let node = parse(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn iff(&mut self) -> Result<NodeId> {
        let mut left = self.implies()?;
        while self.accept(IFF) {
            let right = self.implies()?;
            left = self.nodes.push(Node::Iff(left, right));
        }
        Ok(left)
    }

    fn implies(&mut self) -> Result<NodeId> {
        let left = self.or()?;
        if self.accept(IMPLIES) {
            let right = self.deeper(Parser::implies)?;
            return Ok(self.nodes.push(Node::Implies(left, right)));
        }
        Ok(left)
    }

    fn or(&mut self) -> Result<NodeId> {
        let mut left = self.and()?;
        while self.accept(OR) {
            let right = self.and()?;
            left = self.nodes.push(Node::Or(left, right));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<NodeId> {
        let mut left = self.until()?;
        while self.accept(AND) {
            let right = self.until()?;
            left = self.nodes.push(Node::And(left, right));
        }
        Ok(left)
    }

    fn until(&mut self) -> Result<NodeId> {
        let left = self.unary()?;
        let make = match self.word(self.pos) {
            "U" => Node::Until,
            "W" => Node::WeakUntil,
            "R" => Node::Release,
            "M" => Node::StrongRelease,
            _ => return Ok(left),
        };
        self.pos += 1;
        let right = self.deeper(Parser::until)?;
        Ok(self.nodes.push(make(left, right)))
    }

    fn unary(&mut self) -> Result<NodeId> {
        let word = self.word(self.pos).to_owned();
        match word.as_str() {
            "!" => {
                self.pos += 1;
                let first = self.pos;
                let inner = self.deeper(Parser::unary)?;
                self.reject_negated_comparison(first, inner)?;
                return Ok(self.nodes.push(Node::Not(inner)));
            }
            "[]" | "<>" => {
                self.pos += 1;
                let inner = self.deeper(Parser::unary)?;
                let make = if word == "[]" { Node::Globally } else { Node::Finally };
                return Ok(self.nodes.push(make(inner)));
            }
            "(" if !self.is_condition(self.pos) => {
                let open = self.span(self.pos);
                self.pos += 1;
                let inner = self.formula()?;
                if self.word(self.pos) != ")" {
                    let mut expected = self.expected("an operator or `)`");
                    expected.labels.push((open, "this parenthesis is open".to_owned()));
                    return Err(expected);
                }
                self.pos += 1;
                return Ok(inner);
            }
            _ => {}
        }
        let letters = word.bytes().all(|letter| matches!(letter, b'G' | b'F' | b'X'));
        if letters && !word.is_empty() && self.begins_formula(self.pos + 1) {
            if let Some(at) = word.find('X') {
                let span = self.span(self.pos);
                let span = Span::new(span.lo + at as u32, span.lo + at as u32 + 1);
                return Err(next_is_rejected(span));
            }
            self.pos += 1;
            let mut inner = self.deeper(Parser::unary)?;
            for letter in word.bytes().rev() {
                let make = if letter == b'G' { Node::Globally } else { Node::Finally };
                inner = self.nodes.push(make(inner));
            }
            return Ok(inner);
        }
        self.atom()
    }

    /// `!x == 1` is `(!x) == 1` in C, and means `!(x == 1)` to whoever wrote it here.
    fn reject_negated_comparison(&self, first: usize, inner: NodeId) -> Result<()> {
        let alone = self.pos == first + 1 || self.word(self.pos - 1) == ")";
        let Node::Atom(atom) = self.nodes[inner] else { return Ok(()) };
        if alone || self.word(first) == "AP" || self.kind(first) == Some(Kind::Text) {
            return Ok(());
        }
        let Meaning::Condition(text) = &self.atoms[atom].meaning else { return Ok(()) };
        let range = self.tokens[first].range.start..self.tokens[self.pos - 1].range.end;
        let span = self.span(first - 1).to(self.at(&range));
        let mut diagnostic = error(span, format!("it is not clear what is negated in `!{text}`"));
        diagnostic.help = Some(format!("write `!({text})`, or `\"!{text}\"` for what it is in C"));
        Err(diagnostic)
    }

    /// Returns whether a formula can begin at a token.
    fn begins_formula(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Word) => !BETWEEN.contains(&self.word(at)),
            Some(Kind::Number | Kind::Text) => true,
            Some(Kind::Mark) => {
                matches!(self.word(at), "(" | "!" | "[]" | "<>" | "-" | "~" | "+" | "*")
            }
            None => false,
        }
    }

    /// Returns whether the parenthesis at a token is a part of a condition in C: a cast, or an operand.
    fn is_condition(&self, open: usize) -> bool {
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let next = self.word(at + 1);
                return match self.kind(at + 1) {
                    Some(Kind::Mark) => next != "(" && C_OPERATORS.contains(&next),
                    Some(Kind::Word) => !BETWEEN.contains(&next),
                    Some(Kind::Number) => true,
                    _ => false,
                };
            }
        }
        false
    }

    fn atom(&mut self) -> Result<NodeId> {
        let word = self.word(self.pos);
        let value = match (word, self.kind(self.pos)) {
            (_, None) => return Err(self.expected("a formula")),
            ("true", _) => Some(true),
            ("false", _) => Some(false),
            ("1" | "0", _) if !C_OPERATORS.contains(&self.word(self.pos + 1)) => Some(word == "1"),
            _ => None,
        };
        if let Some(value) = value {
            self.pos += 1;
            return Ok(self.nodes.push(Node::Constant(value)));
        }
        if self.kind(self.pos) == Some(Kind::Text) && word.starts_with('"') {
            let range = self.tokens[self.pos].range.start + 1..self.tokens[self.pos].range.end - 1;
            self.pos += 1;
            return self.condition(range);
        }
        if self.word(self.pos + 1) == "(" && matches!(word, "AP" | "call" | "return") {
            return self.marked();
        }
        let first = self.pos;
        let mut depth = 0usize;
        while self.pos < self.tokens.len() {
            let word = self.word(self.pos);
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => break,
                ")" | "]" => depth -= 1,
                _ if depth > 0 => {}
                "[]" | "<>" | "!" | ";" | "," | "=" => break,
                _ if [AND, OR, IMPLIES, IFF, BETWEEN].iter().any(|set| set.contains(&word)) => {
                    break;
                }
                _ if self.pos > first
                    && self.ends_operand(self.pos - 1)
                    && self.is_operand(self.pos) =>
                {
                    break;
                }
                _ => {}
            }
            self.pos += 1;
        }
        if depth > 0 {
            let open = (first..self.pos).find(|&at| matches!(self.word(at), "(" | "["));
            return Err(error(self.span(open.unwrap_or(first)), "this is not closed"));
        }
        if self.pos == first {
            return Err(self.expected("a formula"));
        }
        if self.word(self.pos) == "=" {
            let mut diagnostic = error(self.span(self.pos), "a condition does not assign");
            diagnostic.help = Some("compare with `==`".to_owned());
            return Err(diagnostic);
        }
        if self.pos == first + 1 {
            let word = self.word(first);
            if is_operator(word) || BETWEEN.contains(&word) {
                let message = format!("`{word}` is an operator, and needs a formula behind it");
                let mut diagnostic = error(self.span(first), message);
                diagnostic.help = Some(format!("a variable of this name is written `\"{word}\"`"));
                return Err(diagnostic);
            }
            if let Some(named) = self.names.get(word).cloned() {
                let name = word.to_owned();
                let meaning = Meaning::Condition(on_one_line(&named.text));
                return self.push_atom(Some(name), meaning, named.span);
            }
        }
        let range = self.tokens[first].range.start..self.tokens[self.pos - 1].range.end;
        self.condition(range)
    }

    /// `AP(x > 0)`, `call(f)`, `return(f)`.
    fn marked(&mut self) -> Result<NodeId> {
        let (word, open) = (self.word(self.pos).to_owned(), self.pos + 1);
        let mut depth = 0usize;
        let close = (open..self.tokens.len()).find(|&at| {
            match self.word(at) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(close) = close else {
            return Err(error(self.span(open), "this parenthesis is not closed"));
        };
        self.pos = close + 1;
        if close == open + 1 {
            self.pos = close;
            return Err(self.expected("a condition or the name of a function"));
        }
        let range = self.tokens[open + 1].range.start..self.tokens[close - 1].range.end;
        if word == "AP" {
            return self.condition(range);
        }
        let name = self.word(open + 1).to_owned();
        // SV-COMP writes `call(f())`.
        let plain = close == open + 2
            || (close == open + 4 && self.word(open + 2) == "(" && self.word(open + 3) == ")");
        if self.kind(open + 1) != Some(Kind::Word) || !plain {
            return Err(error(self.at(&range), format!("`{word}` takes the name of a function")));
        }
        let span = self.span(open + 1);
        let meaning = if word == "call" { Meaning::Call(name) } else { Meaning::Return(name) };
        self.push_atom(None, meaning, span)
    }

    fn condition(&mut self, range: Range<usize>) -> Result<NodeId> {
        let span = self.at(&range);
        let text = on_one_line(&String::from_utf8_lossy(&self.text[range]));
        if text.trim().is_empty() {
            return Err(error(span, "the condition is empty"));
        }
        self.push_atom(None, Meaning::Condition(text), span)
    }

    fn push_atom(&mut self, name: Option<String>, meaning: Meaning, span: Span) -> Result<NodeId> {
        let known = self.atoms.iter().find(|(_, atom)| atom.meaning == meaning);
        if let Some((atom, _)) = known {
            return Ok(self.nodes.push(Node::Atom(atom)));
        }
        if self.atoms.len() >= MAX_ATOMS {
            return Err(error(span, format!("the formula has more than {MAX_ATOMS} conditions")));
        }
        let name = name.unwrap_or_else(|| {
            let taken = |name: &str| {
                self.names.contains_key(name) || self.atoms.values().any(|atom| atom.name == name)
            };
            let wanted = match &meaning {
                Meaning::Call(function) => format!("call_{function}"),
                Meaning::Return(function) => format!("return_{function}"),
                // A variable gives its name to the condition that it holds.
                Meaning::Condition(text) if is_plain_name(text) => text.clone(),
                Meaning::Condition(_) => format!("p{}", self.atoms.len() + 1),
            };
            let mut name = wanted.clone();
            let mut number = 1;
            while taken(&name) {
                number += 1;
                name = format!("{wanted}_{number}");
            }
            name
        });
        let atom = self.atoms.push(Atom { name, meaning, span });
        Ok(self.nodes.push(Node::Atom(atom)))
    }

    /// Returns whether an operand of C can end at a token.
    fn ends_operand(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Word | Kind::Number | Kind::Text) => true,
            // What follows a parenthesis may be the operand of a cast.
            _ => self.word(at) == "]",
        }
    }

    fn is_operand(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Word | Kind::Number | Kind::Text))
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn word(&self, at: usize) -> &str {
        let range = self.tokens.get(at).map_or(0..0, |token| token.range.clone());
        std::str::from_utf8(&self.text[range]).unwrap_or_default()
    }

    fn at(&self, range: &Range<usize>) -> Span {
        Span::new(self.base + range.start as u32, self.base + range.end as u32)
    }

    fn span(&self, at: usize) -> Span {
        self.tokens.get(at).map_or_else(|| self.here(), |token| self.at(&token.range))
    }

    /// The token in work, or the end of the text.
    fn here(&self) -> Span {
        match self.tokens.get(self.pos) {
            Some(token) => self.at(&token.range),
            None => {
                let end = self.tokens.last().map_or(0, |token| token.range.end);
                self.at(&(end..end))
            }
        }
    }

    fn accept(&mut self, words: &[&str]) -> bool {
        let found = words.contains(&self.word(self.pos));
        self.pos += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.word(self.pos) != word {
            return Err(self.expected(&format!("`{word}`")));
        }
        self.pos += 1;
        Ok(())
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.word(self.pos) {
            "" => "the end".to_owned(),
            word => format!("`{word}`"),
        };
        error(self.here(), format!("expected {what}, found {found}"))
    }
}

/// Returns whether a text is a name that an automaton can give to a condition.
fn is_plain_name(text: &str) -> bool {
    const KEYWORDS: &[&str] = &["sizeof", "_Alignof", "assert", "assume", "nondet"];
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    first && word && !KEYWORDS.contains(&text) && !super::encode::VARIABLES.contains(&text)
}

fn is_operator(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|letter| matches!(letter, b'G' | b'F' | b'X'))
        || BETWEEN.contains(&word)
}

fn next_is_rejected(span: Span) -> Box<Diagnostic> {
    let message = "`X` has no meaning for programs: how many steps they take is not fixed";
    let diagnostic = Diagnostic::error(codes::NEXT, span, message);
    Box::new(diagnostic.help("say what happens in between with `U` or `W`, or use `F`"))
}
