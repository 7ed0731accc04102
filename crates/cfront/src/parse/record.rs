//! Structures, unions and enumerations.

use super::declarator::Naming;
use super::scope::Meaning;
use super::spec::SpecPlace;
use super::{PResult, Parser, Reported, gather};
use crate::ast::{Attr, Enumerator, Member, RecordKind, TypeSpec};
use crate::codes;
use crate::intern::Symbol;
use crate::pool::List;
use crate::token::{Token, TokenKind};
use vergo_source::{Diagnostic, Span};

impl Parser<'_> {
    fn tag(&mut self) -> Option<(Symbol, Span)> {
        self.at(TokenKind::Ident).then(|| {
            let token = self.bump();
            (self.symbol(token), token.span())
        })
    }

    /// `struct tag { members }`
    pub(super) fn record(&mut self) -> PResult<TypeSpec> {
        let kind = if self.at(TokenKind::Struct) { RecordKind::Struct } else { RecordKind::Union };
        let word = if kind == RecordKind::Struct { "struct" } else { "union" };
        self.bump();
        let mut attrs: Vec<Attr> = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        if tag.is_some() && self.at(TokenKind::Colon) && self.kind_ahead(1) == TokenKind::Ident {
            return Err(self.cplusplus(self.token().span(), "a base class"));
        }
        let mut members = None;
        if self.at(TokenKind::LBrace) {
            let open = self.bump();
            let (list, ()) = gather!(self, members, member_lists, self.members(open))?;
            members = Some(list);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.unexpected(&format!("a tag or `{{` after `{word}`")));
        }
        let attrs = self.ast.attr_lists.push(attrs);
        Ok(TypeSpec::Record { kind, tag, members, attrs })
    }

    /// Members up to the closing brace.
    fn members(&mut self, open: Token) -> PResult<()> {
        loop {
            match self.effective(self.pos) {
                TokenKind::RBrace => {
                    self.bump();
                    return Ok(());
                }
                TokenKind::Eof => {
                    return self.expect_close(TokenKind::RBrace, open, "after the members");
                }
                TokenKind::Semi => {
                    self.bump();
                }
                TokenKind::StaticAssert => {
                    let start = self.pos;
                    match self.static_assert() {
                        Ok(decl) => self.scratch.members.push(Member::StaticAssert(decl)),
                        Err(Reported) => self.sync_member(start),
                    }
                }
                _ => {
                    let start = self.pos;
                    if self.member_declaration().is_err() {
                        self.sync_member(start);
                    }
                }
            }
        }
    }

    fn member_declaration(&mut self) -> PResult<()> {
        let lo = self.lo();
        while self.eat(TokenKind::Extension) {}
        let start = self.pos;
        let specs = self.specifiers(SpecPlace::Member)?;
        if self.pos == start {
            return Err(self.unexpected("a member or `}`"));
        }
        if self.at(TokenKind::Semi) {
            let span = self.span_from(lo);
            self.bump();
            self.scratch.members.push(Member::Field { specs, declarator: None, width: None, span });
            return Ok(());
        }
        loop {
            let mut prefix: Vec<Attr> = Vec::new();
            self.attributes(&mut prefix)?;
            let mut declarator = None;
            if !self.at(TokenKind::Colon) {
                declarator = Some(self.declarator(Naming::Named)?);
            }
            let mut width = None;
            if self.eat(TokenKind::Colon) {
                width = Some(self.conditional()?);
            }
            self.attributes(&mut prefix)?;
            if !prefix.is_empty() {
                let id = match declarator {
                    Some(id) => id,
                    None => self.empty_declarator(),
                };
                self.add_declarator_attributes(id, prefix);
                declarator = Some(id);
            }
            let span = self.span_from(lo);
            self.scratch.members.push(Member::Field { specs, declarator, width, span });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if matches!(self.kind(), TokenKind::Eq | TokenKind::LBrace) {
            let span = self.token().span();
            self.report(
                Diagnostic::error(codes::MISPLACED, span, "a member cannot be given a value here")
                    .help("initialise the variable whose type this is"),
            );
            return Err(Reported);
        }
        if self.at(TokenKind::RBrace) {
            // As in gcc, the last semicolon may be missing.
            let place = Span::at(self.prev_hi);
            self.report(
                Diagnostic::warning(
                    codes::MISSING_SEMICOLON,
                    place,
                    "the last member has no semicolon",
                )
                .primary_label("add `;` here"),
            );
            return Ok(());
        }
        self.expect_semi("the member")
    }

    /// `enum tag : type { enumerators }`
    pub(super) fn enumeration(&mut self) -> PResult<TypeSpec> {
        self.bump();
        let mut attrs: Vec<Attr> = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        if tag.is_none() && self.at(TokenKind::Struct) {
            return Err(self.cplusplus(self.token().span(), "a scoped enumeration"));
        }
        if let Some((symbol, _)) = tag
            && self.at(TokenKind::Ident)
            && self.ast.names.name(symbol) == "class"
        {
            let span = self.token().span();
            return Err(self.cplusplus(span, "a scoped enumeration"));
        }
        let mut underlying = None;
        // After a colon, a type is the underlying one and anything else the width of a bit-field.
        if self.at(TokenKind::Colon) && self.starts_type(self.pos + 1) {
            self.bump();
            underlying = Some(self.type_name()?);
        }
        let mut enumerators = None;
        if self.at(TokenKind::LBrace) {
            let open = self.bump();
            enumerators = Some(self.enumerators(open)?);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{` after `enum`"));
        }
        let attrs = self.ast.attr_lists.push(attrs);
        Ok(TypeSpec::Enum { tag, underlying, enumerators, attrs })
    }

    fn enumerators(&mut self, open: Token) -> PResult<List<Enumerator>> {
        let mut enumerators = Vec::new();
        while !self.at(TokenKind::RBrace) {
            let (name, span) = self.ident("an enumerator")?;
            self.skip_attributes()?;
            let mut value = None;
            if self.eat(TokenKind::Eq) {
                value = Some(self.conditional()?);
            }
            self.scopes.declare(name, Meaning::Object);
            enumerators.push(Enumerator { name, span, value });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_close(TokenKind::RBrace, open, "after the enumerators")?;
        Ok(self.ast.enumerator_lists.push(enumerators))
    }
}
