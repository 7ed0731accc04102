//! The text format of instrumentation automata (`.ia`).
//!
//! ```text
//! automaton = ("automaton" | "monitor") NAME [STRING] ["per" ("program" | "loop")] "{" item* "}"
//! item      = ["shared"] "var" C-DECLARATION ";"
//!           | "reads" NAME ("," NAME)* ";"
//!           | "prop" NAME "=" C-CONDITION ";"
//!           | "state" NAME [":" annotation] ";"
//!           | "start" NAME ("," NAME)* ";"
//!           | NAME "->" NAME "on" pattern ["before" | "after" | "replace"] "{" C-TEXT "}"
//! annotation = "true" | "loop_head" | "init" | "end" | "function" [NAME]
//! pattern   = "any" | "change" | "cond" | "!" "cond" | "-" HOLE [class] | HOLE operator HOLE [class] | "*" HOLE
//!           | [HOLE "="] ["extern"] NAME "(" [argument ("," argument)*] ")"
//! argument  = HOLE | "_" | "..."
//! class     = ":" ("arithmetic" | "integer" | "signed" | "unsigned" | "float") [[NUMBER] ".." [NUMBER]]
//! ```
//!
//! A `HOLE` is a placeholder such as `$x`. Comments are those of C. The parser stops at the first mistake: an automaton
//! is short, and what follows a mistake is guesswork.

use crate::automaton::{
    Annotation, ArithmeticOp, Automaton, ClassKind, Instances, Mode, Operation, Pattern, Place,
    Proposition, State, Transition, TypeClass, Variable,
};
use crate::codes;
use std::ops::Range;
use vergo_cfront::words::{Piece, on_one_line, pieces};
use vergo_source::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// Parses an automaton; mistakes are in `diags`.
pub fn parse(map: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Option<Automaton> {
    let text = map.text(file).clone();
    let base = map.file_span(file).lo;
    let tokens = pieces(&text).into_iter().filter(|(piece, _)| *piece != Piece::Blank).collect();
    let mut parser = Parser { text: &text, base, tokens, pos: 0 };
    match parser.automaton() {
        Ok(automaton) => Some(automaton),
        Err(diagnostic) => {
            diags.push(*diagnostic);
            None
        }
    }
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

struct Parser<'a> {
    text: &'a [u8],
    base: u32,
    tokens: Vec<(Piece, Range<usize>)>,
    pos: usize,
}

/// Names of states before they are resolved.
struct Names {
    start: Vec<(String, Span)>,
    ends: Vec<[(String, Span); 2]>,
}

impl Parser<'_> {
    fn automaton(&mut self) -> Result<Automaton> {
        let mode = match self.word() {
            "automaton" => Mode::Static,
            "monitor" => Mode::Monitor,
            _ => return Err(self.expected("`automaton` or `monitor`")),
        };
        self.pos += 1;
        let name = self.dashed_name()?;
        let mut description = String::new();
        if self.kind() == Some(Piece::Literal) {
            let literal = self.word();
            description = literal.trim_matches('"').to_owned();
            self.pos += 1;
        }
        let mut instances = Instances::Program;
        if self.accept("per") {
            instances = match self.word() {
                "program" => Instances::Program,
                "loop" => Instances::Loop,
                _ => return Err(self.expected("`program` or `loop`")),
            };
            self.pos += 1;
        }
        self.expect("{")?;
        let mut automaton = Automaton {
            name,
            description,
            mode,
            instances,
            variables: Vec::new(),
            reads: Vec::new(),
            propositions: Vec::new(),
            states: Vec::new(),
            start: Vec::new(),
            transitions: Vec::new(),
        };
        let mut names = Names { start: Vec::new(), ends: Vec::new() };
        while !self.accept("}") {
            self.item(&mut automaton, &mut names)?;
        }
        if self.pos < self.tokens.len() {
            return Err(self.expected("the end of the file after the automaton"));
        }
        resolve(&mut automaton, &names)?;
        if automaton.states.is_empty() {
            let message = format!("automaton `{}` has no state", automaton.name);
            return Err(error(codes::NO_STATE, self.span(self.pos.saturating_sub(1)), message));
        }
        Ok(automaton)
    }

    fn item(&mut self, automaton: &mut Automaton, names: &mut Names) -> Result<()> {
        match self.word() {
            "shared" | "var" => {
                let shared = self.accept("shared");
                self.expect("var")?;
                let variable = self.variable(shared)?;
                if automaton.variables.iter().any(|other| other.name == variable.name) {
                    let message = format!("variable `{}` is declared twice", variable.name);
                    return Err(error(codes::TWICE, variable.span, message));
                }
                automaton.variables.push(variable);
            }
            "reads" => {
                self.pos += 1;
                automaton.reads.append(&mut self.name_list()?);
            }
            "prop" if self.word_at(self.pos + 1) != "-" => {
                self.pos += 1;
                let proposition = self.proposition()?;
                let taken = automaton.variables.iter().map(|variable| &variable.name);
                let mut taken = taken.chain(automaton.propositions.iter().map(|other| &other.name));
                if taken.any(|name| *name == proposition.name) {
                    let message = format!("`{}` is declared twice", proposition.name);
                    return Err(error(codes::TWICE, proposition.span, message));
                }
                automaton.propositions.push(proposition);
            }
            "start" if self.word_at(self.pos + 1) != "-" => {
                self.pos += 1;
                names.start.append(&mut self.name_list()?);
            }
            "state" if self.word_at(self.pos + 1) != "-" => {
                self.pos += 1;
                let (name, span) = self.name("the name of a state")?;
                if automaton.states.iter().any(|state| state.name == name) {
                    let message = format!("state `{name}` is declared twice");
                    return Err(error(codes::TWICE, span, message));
                }
                let annotation =
                    if self.accept(":") { self.annotation()? } else { Annotation::True };
                self.expect(";")?;
                automaton.states.push(State { name, span, annotation });
            }
            _ => {
                let (transition, ends) = self.transition()?;
                automaton.transitions.push(transition);
                names.ends.push(ends);
            }
        }
        Ok(())
    }

    fn annotation(&mut self) -> Result<Annotation> {
        let annotation = match self.word() {
            "true" => Annotation::True,
            "loop_head" => Annotation::LoopHead,
            "init" => Annotation::Init,
            "end" => Annotation::End,
            "function" => {
                self.pos += 1;
                let name = (self.kind() == Some(Piece::Name)).then(|| self.word().to_owned());
                self.pos += usize::from(name.is_some());
                return Ok(Annotation::Function(name));
            }
            _ => {
                return Err(self.expected("`true`, `loop_head`, `init`, `end` or `function`"));
            }
        };
        self.pos += 1;
        Ok(annotation)
    }

    /// A declaration of C: the name is the last one before an initialiser, a bracket or the end.
    fn variable(&mut self, shared: bool) -> Result<Variable> {
        let first = self.pos;
        let mut name = None;
        let mut depth = 0usize;
        let mut initialiser = false;
        loop {
            match self.word() {
                "" => return Err(self.expected("`;` after the declaration of a variable")),
                ";" if depth == 0 => break,
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => {
                    depth = depth.checked_sub(1).ok_or_else(|| self.expected("`;`"))?;
                }
                "=" => initialiser = true,
                _ if self.kind() == Some(Piece::Name) && depth == 0 && !initialiser => {
                    name = Some(self.pos);
                }
                _ => {}
            }
            self.pos += 1;
        }
        let last = self.pos;
        self.pos += 1;
        match name {
            Some(at) if at > first => {
                let text = |from: usize, to: usize| -> String {
                    let range = from..to.max(from);
                    String::from_utf8_lossy(&self.text[range]).trim().to_owned()
                };
                let token = self.tokens[at].1.clone();
                Ok(Variable {
                    name: self.word_at(at).to_owned(),
                    span: self.span(at),
                    before: text(self.tokens[first].1.start, token.start),
                    after: text(token.end, self.tokens[last].1.start),
                    shared,
                })
            }
            _ => {
                self.pos = first;
                Err(self.expected("a type and the name of a variable"))
            }
        }
    }

    /// `NAME = C-CONDITION ;`, after `prop`.
    fn proposition(&mut self) -> Result<Proposition> {
        let (name, span) = self.name("the name of a condition")?;
        self.expect("=")?;
        let first = self.pos;
        while !matches!(self.word(), "" | ";") {
            self.pos += 1;
        }
        if self.pos == first {
            return Err(self.expected("a condition in C"));
        }
        let range = self.tokens[first].1.start..self.tokens[self.pos - 1].1.end;
        self.expect(";")?;
        let text = on_one_line(&String::from_utf8_lossy(&self.text[range.clone()]));
        Ok(Proposition { name, span, text, text_span: self.at(range) })
    }

    fn transition(&mut self) -> Result<(Transition, [(String, Span); 2])> {
        let start = self.span(self.pos);
        let from = self.name("`var`, `reads`, `prop`, `state`, `start`, a transition or `}`")?;
        self.expect("-")?;
        self.expect(">")?;
        let to = self.name("the state that the transition enters")?;
        self.expect("on")?;
        let pattern_start = self.span(self.pos);
        let pattern = self.pattern()?;
        let pattern_span = pattern_start.to(self.span(self.pos.saturating_sub(1)));
        let place = match self.word() {
            "before" => Some(Place::Before),
            "after" => Some(Place::After),
            "replace" => Some(Place::Replace),
            "{" => None,
            _ => return Err(self.expected("`before`, `after`, `replace` or `{`")),
        };
        self.pos += usize::from(place.is_some());
        let open = self.pos;
        self.expect("{")?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.word() {
                "" => {
                    let message = "the operation has no closing brace";
                    return Err(error(codes::SYNTAX, self.span(open), message));
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            self.pos += 1;
        }
        let inner = self.tokens[open].1.end..self.tokens[self.pos - 1].1.start;
        let operation = Operation {
            text: String::from_utf8_lossy(&self.text[inner.clone()]).into_owned(),
            span: self.at(inner),
        };
        let transition = Transition {
            span: start.to(self.span(self.pos - 1)),
            from: 0,
            to: 0,
            pattern,
            pattern_span,
            place: place.unwrap_or(Place::Before),
            operation,
        };
        Ok((transition, [from, to]))
    }

    fn pattern(&mut self) -> Result<Pattern> {
        match self.word() {
            "any" => {
                self.pos += 1;
                return Ok(Pattern::Any);
            }
            "change" if self.word_at(self.pos + 1) != "(" => {
                self.pos += 1;
                return Ok(Pattern::Change);
            }
            "cond" => {
                self.pos += 1;
                return Ok(Pattern::Cond);
            }
            "!" => {
                self.pos += 1;
                self.expect("cond")?;
                return Ok(Pattern::NotCond);
            }
            "-" => {
                self.pos += 1;
                let operands = vec![self.hole()?];
                let class = self.class()?;
                return Ok(Pattern::Arithmetic { op: ArithmeticOp::Neg, operands, class });
            }
            "*" => {
                self.pos += 1;
                return Ok(Pattern::Access { pointer: self.hole()? });
            }
            word if word.starts_with('$') => {}
            _ if self.kind() == Some(Piece::Name) => return self.call(None),
            _ => return Err(self.expected("a pattern")),
        }
        let left = self.hole()?;
        if self.accept("=") {
            return self.call(Some(left));
        }
        let op = match (self.word(), self.word_at(self.pos + 1)) {
            ("+", _) => ArithmeticOp::Add,
            ("-", _) => ArithmeticOp::Sub,
            ("*", _) => ArithmeticOp::Mul,
            ("/", _) => ArithmeticOp::Div,
            ("%", _) => ArithmeticOp::Rem,
            ("<", "<") => ArithmeticOp::Shl,
            (">", ">") => ArithmeticOp::Shr,
            _ => return Err(self.expected("an operator or `=`")),
        };
        self.pos += op.symbol().len();
        let operands = vec![left, self.hole()?];
        let class = self.class()?;
        Ok(Pattern::Arithmetic { op, operands, class })
    }

    fn call(&mut self, result: Option<String>) -> Result<Pattern> {
        let external = self.accept("extern");
        let (function, _) = self.name("the name of a function")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        let mut open = false;
        if !self.accept(")") {
            loop {
                match self.word() {
                    "." => {
                        for _ in 0..3 {
                            self.expect(".")?;
                        }
                        open = true;
                    }
                    "_" => {
                        self.pos += 1;
                        arguments.push(None);
                    }
                    _ => arguments.push(Some(self.hole()?)),
                }
                if open || !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(Pattern::Call { result, function, external, arguments, open })
    }

    fn class(&mut self) -> Result<TypeClass> {
        let mut class = TypeClass { kind: ClassKind::Arithmetic, least: 0, greatest: u32::MAX };
        if !self.accept(":") {
            return Ok(class);
        }
        class.kind = match self.word() {
            "arithmetic" => ClassKind::Arithmetic,
            "integer" => ClassKind::Integer,
            "signed" => ClassKind::Signed,
            "unsigned" => ClassKind::Unsigned,
            "float" => ClassKind::Float,
            _ => {
                let what = "`arithmetic`, `integer`, `signed`, `unsigned` or `float`";
                return Err(self.expected(what));
            }
        };
        self.pos += 1;
        // `1..32` is one piece, since numbers may have dots.
        if self.kind() == Some(Piece::Number) || self.word() == "." {
            let start = self.tokens[self.pos].1.start;
            while matches!(self.kind(), Some(Piece::Number)) || self.word() == "." {
                self.pos += 1;
            }
            let end = self.tokens[self.pos - 1].1.end;
            let text = String::from_utf8_lossy(&self.text[start..end]).into_owned();
            let bounds = text.split_once("..").and_then(|(least, greatest)| {
                let bound = |text: &str, missing: u32| {
                    let text = text.trim();
                    if text.is_empty() { Some(missing) } else { text.parse().ok() }
                };
                Some((bound(least, 0)?, bound(greatest, u32::MAX)?))
            });
            let Some((least, greatest)) = bounds else {
                let message = format!("`{text}` is not a range of widths");
                let span = self.at(start..end);
                let mut diagnostic = error(codes::SYNTAX, span, message);
                diagnostic.help = Some("write it as in `signed 1..32` or `signed 33..`".to_owned());
                return Err(diagnostic);
            };
            (class.least, class.greatest) = (least, greatest);
        }
        Ok(class)
    }

    fn hole(&mut self) -> Result<String> {
        match self.word().strip_prefix('$') {
            Some(name) if !name.is_empty() => {
                let name = name.to_owned();
                self.pos += 1;
                Ok(name)
            }
            _ => Err(self.expected("a placeholder such as `$x`")),
        }
    }

    fn name_list(&mut self) -> Result<Vec<(String, Span)>> {
        let mut names = vec![self.name("a name")?];
        while self.accept(",") {
            names.push(self.name("a name")?);
        }
        self.expect(";")?;
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Result<(String, Span)> {
        if self.kind() == Some(Piece::Name) && !self.word().starts_with('$') {
            let name = (self.word().to_owned(), self.span(self.pos));
            self.pos += 1;
            Ok(name)
        } else {
            Err(self.expected(what))
        }
    }

    /// A name that may have dashes, as in `no-overflow`.
    fn dashed_name(&mut self) -> Result<String> {
        let (mut name, _) = self.name("the name of the automaton")?;
        while self.word() == "-" {
            self.pos += 1;
            if !matches!(self.kind(), Some(Piece::Name | Piece::Number)) {
                return Err(self.expected("the rest of the name"));
            }
            name.push('-');
            name.push_str(self.word());
            self.pos += 1;
        }
        Ok(name)
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.pos += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.accept(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.word() {
            "" => "the end of the file".to_owned(),
            word => format!("`{word}`"),
        };
        error(codes::SYNTAX, self.span(self.pos), format!("expected {what}, found {found}"))
    }

    fn kind(&self) -> Option<Piece> {
        self.tokens.get(self.pos).map(|(piece, _)| *piece)
    }

    fn word(&self) -> &str {
        self.word_at(self.pos)
    }

    fn word_at(&self, index: usize) -> &str {
        let range = self.tokens.get(index).map_or(0..0, |(_, range)| range.clone());
        std::str::from_utf8(&self.text[range]).unwrap_or("?")
    }

    fn span(&self, index: usize) -> Span {
        let end = self.text.len()..self.text.len();
        self.at(self.tokens.get(index).map_or(end, |(_, range)| range.clone()))
    }

    fn at(&self, range: Range<usize>) -> Span {
        // The text is in a source map, so that its offsets have 32 bits.
        Span::new(self.base + range.start as u32, self.base + range.end as u32)
    }
}

fn error(code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, span, message))
}

/// Gives states their numbers.
fn resolve(automaton: &mut Automaton, names: &Names) -> Result<()> {
    let find = |(name, span): &(String, Span)| {
        automaton.states.iter().position(|state| state.name == *name).ok_or_else(|| {
            error(codes::UNKNOWN_STATE, *span, format!("there is no state `{name}`"))
        })
    };
    let start: Vec<usize> = names.start.iter().map(find).collect::<Result<_>>()?;
    let ends: Vec<[usize; 2]> =
        names.ends.iter().map(|[from, to]| Ok([find(from)?, find(to)?])).collect::<Result<_>>()?;
    automaton.start = if start.is_empty() { vec![0] } else { start };
    for (transition, [from, to]) in automaton.transitions.iter_mut().zip(ends) {
        transition.from = from;
        transition.to = to;
    }
    Ok(())
}
