//! Inline assembly.

use super::{PResult, Parser};
use crate::ast::{Asm, AsmId, AsmOperand};
use crate::codes;
use crate::pool::List;
use crate::token::TokenKind;
use vergo_source::Span;

impl Parser<'_> {
    /// `asm qualifiers ( template : outputs : inputs : clobbers : labels )`, without the semicolon.
    pub(super) fn asm(&mut self) -> PResult<AsmId> {
        let lo = self.lo();
        self.bump();
        let (mut volatile, mut goto) = (false, false);
        loop {
            match self.kind() {
                TokenKind::Volatile => volatile = true,
                TokenKind::Goto => goto = true,
                TokenKind::Inline | TokenKind::Const => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(TokenKind::LParen, "after `asm`")?;
        let template = self.asm_string("a string literal with the instructions")?;
        let mut asm = Asm {
            span: Span::DUMMY,
            volatile,
            goto,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: List::EMPTY,
        };
        if self.eat(TokenKind::Colon) {
            asm.outputs = self.asm_operands()?;
            if self.eat(TokenKind::Colon) {
                asm.inputs = self.asm_operands()?;
                if self.eat(TokenKind::Colon) {
                    while self.at(TokenKind::String) {
                        let clobber = self.string_pieces();
                        asm.clobbers.push(clobber);
                        if !self.eat(TokenKind::Comma) {
                            break;
                        }
                    }
                    if self.eat(TokenKind::Colon) {
                        asm.labels = self.asm_labels()?;
                    }
                }
            }
        }
        self.expect_close(TokenKind::RParen, open, "after the assembly")?;
        asm.span = self.span_from(lo);
        Ok(self.ast.asms.push(asm))
    }

    fn asm_string(&mut self, what: &str) -> PResult<List<Span>> {
        if self.at(TokenKind::String) {
            Ok(self.string_pieces())
        } else {
            Err(self.unexpected_as(codes::BAD_ASM, what))
        }
    }

    /// `[name] "constraint" (expression), ...`
    fn asm_operands(&mut self) -> PResult<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        if !matches!(self.kind(), TokenKind::String | TokenKind::LBracket) {
            return Ok(operands);
        }
        loop {
            let mut name = None;
            if self.at(TokenKind::LBracket) {
                let open = self.bump();
                name = Some(self.ident("the name of an operand")?.0);
                self.expect_close(TokenKind::RBracket, open, "after the name of the operand")?;
            }
            let constraint = self.asm_string("the constraint of an operand, a string literal")?;
            let open = self.expect(TokenKind::LParen, "before the operand")?;
            let expr = self.nested(|parser| parser.expr())?;
            self.expect_close(TokenKind::RParen, open, "after the operand")?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(TokenKind::Comma) {
                return Ok(operands);
            }
        }
    }

    fn asm_labels(&mut self) -> PResult<List<(crate::intern::Symbol, Span)>> {
        let mut labels = Vec::new();
        while self.at(TokenKind::Ident) {
            labels.push(self.ident("a label")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(self.ast.name_lists.push(labels))
    }

    /// `asm("name")` after a declarator.
    pub(super) fn asm_name(&mut self) -> PResult<List<Span>> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "after `asm`")?;
        let name = self.asm_string("the name of the symbol, a string literal")?;
        self.expect_close(TokenKind::RParen, open, "after the name")?;
        Ok(name)
    }
}
