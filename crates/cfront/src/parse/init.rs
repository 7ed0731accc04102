//! Initialisers.

use super::{PResult, Parser, Reported, gather};
use crate::ast::{Designator, Init, InitEntry, InitId, InitKind};
use crate::pool::List;
use crate::token::TokenKind;

impl Parser<'_> {
    /// An expression or a braced list.
    pub(super) fn initialiser(&mut self) -> PResult<InitId> {
        if self.at(TokenKind::LBrace) {
            return self.braced_init();
        }
        let expr = self.assign()?;
        let span = self.ast.exprs[expr].span;
        Ok(self.ast.inits.push(Init { span, kind: InitKind::Expr(expr) }))
    }

    /// `{ entries }`
    pub(super) fn braced_init(&mut self) -> PResult<InitId> {
        let lo = self.lo();
        let open = self.expect(TokenKind::LBrace, "before the initialiser")?;
        let (entries, ()) = gather!(
            self,
            entries,
            init_entry_lists,
            self.nested(|parser| {
                while !parser.at(TokenKind::RBrace) {
                    let designators = parser.designation()?;
                    let init = parser.initialiser()?;
                    parser.scratch.entries.push(InitEntry { designators, init });
                    if parser.interrupted() {
                        return Err(Reported);
                    }
                    if !parser.eat(TokenKind::Comma) {
                        break;
                    }
                }
                Ok(())
            })
        )?;
        self.expect_close(TokenKind::RBrace, open, "after the initialisers")?;
        let span = self.span_from(lo);
        Ok(self.ast.inits.push(Init { span, kind: InitKind::List(entries) }))
    }

    /// The designators before a value, with their `=`; or the old `name:`.
    fn designation(&mut self) -> PResult<List<Designator>> {
        match self.kind() {
            TokenKind::Dot | TokenKind::LBracket => {}
            TokenKind::Ident if self.kind_ahead(1) == TokenKind::Colon => {
                let (name, span) = self.ident("a member name")?;
                self.bump();
                return Ok(self.ast.designator_lists.push([Designator::Field(name, span)]));
            }
            _ => return Ok(List::EMPTY),
        }
        let mut designators = Vec::new();
        loop {
            self.check_chain(designators.len())?;
            match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    let (name, span) = self.ident("a member name after `.`")?;
                    designators.push(Designator::Field(name, span));
                }
                TokenKind::LBracket => {
                    let open = self.bump();
                    let designator = self.nested(|parser| {
                        let low = parser.conditional()?;
                        if !parser.eat(TokenKind::Ellipsis) {
                            return Ok(Designator::Index(low));
                        }
                        let high = parser.conditional()?;
                        Ok(Designator::Range(low, high))
                    })?;
                    self.expect_close(TokenKind::RBracket, open, "after the index")?;
                    designators.push(designator);
                }
                _ => break,
            }
        }
        // Old GNU C let the `=` after an index be left out.
        if !self.eat(TokenKind::Eq)
            && !matches!(designators[..], [Designator::Index(_) | Designator::Range(..)])
        {
            return Err(self.unexpected("`=` after the designator"));
        }
        Ok(self.ast.designator_lists.push(designators))
    }
}
