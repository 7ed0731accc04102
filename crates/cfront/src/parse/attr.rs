//! Attributes: `__attribute__((...))`, `[[...]]` and `_Alignas(...)`.

use super::{PResult, Parser};
use crate::ast::{Attr, ExprId, ExprKind, TypeNameId};
use crate::codes;
use crate::pool::List;
use crate::token::TokenKind;
use vergo_source::{Diagnostic, Span};

impl Parser<'_> {
    /// Returns whether a token begins an attribute.
    pub(super) fn starts_attribute(&self, index: usize) -> bool {
        match self.tokens.get(index).map(|token| token.kind) {
            Some(TokenKind::Attribute) => true,
            // No index or array bound begins with a bracket.
            Some(TokenKind::LBracket) => {
                self.tokens.get(index + 1).is_some_and(|token| token.kind == TokenKind::LBracket)
            }
            _ => false,
        }
    }

    /// Any number of attributes, added to `attrs`.
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attr>) -> PResult<()> {
        loop {
            match self.kind() {
                TokenKind::Attribute => self.nested(|parser| parser.gnu_attribute(attrs))?,
                TokenKind::LBracket if self.kind_ahead(1) == TokenKind::LBracket => {
                    self.nested(|parser| parser.standard_attribute(attrs))?;
                }
                TokenKind::Declspec => {
                    let span = self.token().span();
                    self.report(
                        Diagnostic::error(
                            codes::NOT_C,
                            span,
                            "`__declspec` belongs to Microsoft's C",
                        )
                        .help("GNU C says the same with `__attribute__((...))`"),
                    );
                    self.bump();
                    if self.at(TokenKind::LParen) {
                        self.skip_group();
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Attributes at a place where the tree has no room for them because nothing follows from them.
    pub(super) fn skip_attributes(&mut self) -> PResult<()> {
        if self.starts_attribute(self.pos) || self.at(TokenKind::Declspec) {
            self.attributes(&mut Vec::new())?;
        }
        Ok(())
    }

    /// `__attribute__((list))`
    fn gnu_attribute(&mut self, attrs: &mut Vec<Attr>) -> PResult<()> {
        self.bump();
        let outer = self.expect(TokenKind::LParen, "after `__attribute__`")?;
        let inner = self.expect(TokenKind::LParen, "after `__attribute__(`")?;
        loop {
            // Empty attributes are allowed anywhere in the list.
            if self.eat(TokenKind::Comma) {
                continue;
            }
            if self.at(TokenKind::RParen) {
                break;
            }
            let lo = self.lo();
            let name = self.attribute_word()?;
            let name = self.ast.names.intern(&name);
            self.attribute_arguments(lo, name, attrs)?;
            if !self.at(TokenKind::Comma) {
                break;
            }
        }
        self.expect_close(TokenKind::RParen, inner, "after the attributes")?;
        self.expect_close(TokenKind::RParen, outer, "after the attributes")
    }

    /// `[[list]]`
    fn standard_attribute(&mut self, attrs: &mut Vec<Attr>) -> PResult<()> {
        let outer = self.bump();
        let inner = self.bump();
        loop {
            if self.eat(TokenKind::Comma) {
                continue;
            }
            if self.at(TokenKind::RBracket) {
                break;
            }
            let lo = self.lo();
            let mut name = self.attribute_word()?;
            let mut known = true;
            if self.at(TokenKind::Colon) && self.kind_ahead(1) == TokenKind::Colon {
                self.bump();
                self.bump();
                let word = self.attribute_word()?;
                if name == "gnu" {
                    name = word;
                } else {
                    known = false;
                    name = format!("{name}::{word}");
                }
            }
            let name = self.ast.names.intern(&name);
            if known {
                self.attribute_arguments(lo, name, attrs)?;
            } else {
                // The arguments of another compiler's attributes are any balanced tokens.
                if self.at(TokenKind::LParen) {
                    self.skip_group();
                }
                let span = self.span_from(lo);
                attrs.push(Attr { span, name, args: List::EMPTY, ty: None });
            }
            if !self.at(TokenKind::Comma) {
                break;
            }
        }
        self.expect_close(TokenKind::RBracket, inner, "after the attributes")?;
        self.expect_close(TokenKind::RBracket, outer, "after the attributes")
    }

    /// The name of an attribute without the underscores around it; keywords are allowed.
    fn attribute_word(&mut self) -> PResult<String> {
        if !self.kind().is_word() {
            return Err(self.unexpected_as(codes::BAD_ATTRIBUTE, "the name of an attribute"));
        }
        let token = self.bump();
        let name = self.ast.names.name(self.symbol(token));
        let bare = name
            .strip_prefix("__")
            .and_then(|name| name.strip_suffix("__"))
            .filter(|name| !name.is_empty());
        Ok(bare.unwrap_or(name).to_owned())
    }

    /// The arguments of an attribute, if there are some; adds the attribute.
    fn attribute_arguments(
        &mut self,
        lo: u32,
        name: crate::intern::Symbol,
        attrs: &mut Vec<Attr>,
    ) -> PResult<()> {
        let mut args: Vec<ExprId> = Vec::new();
        let mut ty: Option<TypeNameId> = None;
        if self.at(TokenKind::LParen) {
            let open = self.bump();
            while !self.at(TokenKind::RParen) {
                if self.kind().is_word()
                    && matches!(self.kind_ahead(1), TokenKind::Comma | TokenKind::RParen)
                    && !(self.kind() != TokenKind::Ident && self.starts_type(self.pos))
                {
                    // A name by itself is no expression: `format(printf, 1, 2)`, `mode(SI)`.
                    let lo = self.lo();
                    let token = self.bump();
                    let word = self.symbol(token);
                    args.push(self.expr_node(lo, ExprKind::Name(word)));
                } else if self.starts_type(self.pos) {
                    ty = Some(self.type_name()?);
                } else {
                    args.push(self.assign()?);
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect_close(TokenKind::RParen, open, "after the arguments of the attribute")?;
        }
        let args = self.ast.expr_lists.push(args);
        let span = self.span_from(lo);
        attrs.push(Attr { span, name, args, ty });
        Ok(())
    }

    /// `_Alignas(type)` or `_Alignas(expression)`
    pub(super) fn alignas(&mut self, attrs: &mut Vec<Attr>) -> PResult<()> {
        let lo = self.lo();
        self.bump();
        let open = self.expect(TokenKind::LParen, "after `_Alignas`")?;
        let (args, ty) = if self.starts_type(self.pos) {
            (List::EMPTY, Some(self.type_name()?))
        } else {
            let expr = self.nested(|parser| parser.conditional())?;
            (self.ast.expr_lists.push([expr]), None)
        };
        self.expect_close(TokenKind::RParen, open, "after the alignment")?;
        let name = self.ast.names.intern("_Alignas");
        let span: Span = self.span_from(lo);
        attrs.push(Attr { span, name, args, ty });
        Ok(())
    }
}
