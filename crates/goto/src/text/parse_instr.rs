//! Parses instructions.

use super::lex::TokenKind;
use super::names;
use super::parse::{Parsed, Parser};
use crate::expr::ExprId;
use crate::program::{Callee, Claim, Exit, Instr, InstrKind, Region};

impl Parser<'_> {
    /// Instructions up to the closing brace.
    pub(super) fn body(&mut self) -> Parsed<Vec<Instr>> {
        let mut body = Vec::new();
        while !self.eat("}") {
            body.push(self.instr()?);
        }
        Ok(body)
    }

    fn instr(&mut self) -> Parsed<Instr> {
        let first = self.position();
        if self.kind() == TokenKind::Word && names::label(self.here()).is_some() {
            let label = self.label(true)?;
            self.expect(":")?;
            let written = self.span()?;
            if written.is_some() {
                self.expect(";")?;
            }
            let kind = InstrKind::Label(label);
            let span = self.span_of(first, first).or(written).unwrap_or_default();
            return Ok(Instr { kind, span, parts: Box::default() });
        }
        let kind = self.instr_kind()?;
        let text = self.span_of(first, self.position().saturating_sub(1));
        let written = self.span()?.unwrap_or_default();
        let mut parts = Vec::new();
        if self.eat("{") {
            while !self.eat("}") {
                let e = self.expr()?;
                match self.span()? {
                    Some(span) => parts.push((e, span)),
                    None => return self.fail("a span should stand here"),
                }
                self.expect(";")?;
            }
        }
        self.expect(";")?;
        // Other places than those of the text are no places of it.
        parts.retain(|_| text.is_none());
        Ok(Instr { kind, span: text.unwrap_or(written), parts: parts.into() })
    }

    fn instr_kind(&mut self) -> Parsed<InstrKind> {
        let word = if self.kind() == TokenKind::Word { self.here() } else { "" };
        let simple = match word {
            "skip" => Some(InstrKind::Skip),
            "atomic_begin" => Some(InstrKind::AtomicBegin),
            "atomic_end" => Some(InstrKind::AtomicEnd),
            "abort" => Some(InstrKind::End(Exit::Abort)),
            _ => None,
        };
        if let Some(kind) = simple {
            self.advance();
            return Ok(kind);
        }
        match word {
            "assume" | "assert" | "if" | "goto" | "return" | "decl" | "dead" | "free" | "end"
            | "unsupported" => {
                self.advance();
            }
            "call" | "spawn" | "join" | "intrinsic" => return self.effect(None),
            _ => {
                let place = self.expr()?;
                self.expect(":=")?;
                let effect = self.kind() == TokenKind::Word
                    && matches!(self.here(), "call" | "spawn" | "join" | "intrinsic" | "alloc");
                if effect {
                    return self.effect(Some(place));
                }
                return Ok(InstrKind::Assign(place, self.expr()?));
            }
        }
        Ok(match word {
            "assume" => InstrKind::Assume(self.expr()?),
            "assert" => {
                let condition = self.expr()?;
                let property = self.string()?;
                let description = self.string()?;
                let cwe = if self.eat_word("cwe") { Some(self.number()?) } else { None };
                InstrKind::Assert(condition, Box::new(Claim { property, description, cwe }))
            }
            "if" => {
                let condition = self.expr()?;
                if !self.eat_word("goto") {
                    return self.fail("`goto` should stand here");
                }
                InstrKind::Goto(Some(condition), self.label(false)?)
            }
            "goto" => InstrKind::Goto(None, self.label(false)?),
            "return" => {
                let done = self.is_sign(";")
                    || self.is_sign("{")
                    || self.is_sign("@") && self.kind_after(1) == TokenKind::Number;
                InstrKind::Return(if done { None } else { Some(self.expr()?) })
            }
            "decl" => InstrKind::Decl(self.variable()?),
            "dead" => InstrKind::Dead(self.variable()?),
            "free" => {
                let region = self.region()?;
                InstrKind::Free(self.expr()?, region)
            }
            "end" => InstrKind::End(Exit::Status(self.expr()?)),
            _ => InstrKind::Unsupported(self.string()?.into()),
        })
    }

    /// An instruction whose result may go to a place.
    fn effect(&mut self, dest: Option<ExprId>) -> Parsed<InstrKind> {
        let word = self.advance();
        match (word, dest) {
            ("call", _) => {
                let callee = self.callee()?;
                let args = self.list()?.into();
                Ok(InstrKind::Call { dest, callee, args })
            }
            ("spawn", _) => {
                let callee = self.callee()?;
                match self.list()?[..] {
                    [arg] => Ok(InstrKind::Spawn { dest, callee, arg }),
                    _ => self.fail("a thread's function takes one argument"),
                }
            }
            ("join", _) => Ok(InstrKind::Join { thread: self.expr()?, dest }),
            ("intrinsic", _) => {
                let Some(op) = names::intrinsic_from(self.here()) else {
                    return self.fail("there is no such intrinsic");
                };
                self.advance();
                let args = self.list()?.into();
                Ok(InstrKind::Intrinsic { op, dest, args })
            }
            (_, Some(dest)) => {
                self.expect("(")?;
                let size = self.expr()?;
                self.expect(")")?;
                if !self.eat_word("align") {
                    return self.fail("`align` should stand here");
                }
                let align = self.number()?;
                let region = self.region()?;
                let zeroed = self.eat_word("zeroed");
                Ok(InstrKind::Alloc { dest, size, align, region, zeroed })
            }
            (_, None) => self.fail("`alloc` needs a place for the pointer"),
        }
    }

    fn callee(&mut self) -> Parsed<Callee> {
        if self.eat("*") {
            self.expect("(")?;
            let pointer = self.expr()?;
            self.expect(")")?;
            return Ok(Callee::Indirect(pointer));
        }
        Ok(Callee::Direct(self.function()?))
    }

    fn region(&mut self) -> Parsed<Region> {
        if self.eat_word("heap") {
            Ok(Region::Heap)
        } else if self.eat_word("stack") {
            Ok(Region::Stack)
        } else {
            self.fail("`heap` or `stack` should stand here")
        }
    }
}
