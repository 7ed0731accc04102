//! Declarators and parameter lists.

use super::scope::Meaning;
use super::spec::SpecPlace;
use super::{PResult, Parser, gather};
use crate::ast::{ArraySize, Attr, Chunk, Declarator, DeclaratorId, Param, Params, Quals};
use crate::intern::Symbol;
use crate::pool::List;
use crate::token::TokenKind;
use vergo_source::Span;

/// The need of a declarator for a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// It must have one.
    Named,
    /// It must not have one: type names.
    Abstract,
    /// It may have one: parameters.
    Either,
}

impl Parser<'_> {
    /// A declarator with the `asm` name and the attributes after it.
    pub(super) fn declarator(&mut self, naming: Naming) -> PResult<DeclaratorId> {
        let lo = self.lo();
        let start = self.pos;
        let mut attrs: Vec<Attr> = Vec::new();
        let (chunks, name) =
            gather!(self, chunks, chunk_lists, self.derivations(naming, &mut attrs))?;
        let span = if self.pos == start { Span::at(lo) } else { self.span_from(lo) };
        let mut asm_name = List::EMPTY;
        if naming != Naming::Abstract {
            if self.at(TokenKind::Asm) {
                asm_name = self.asm_name()?;
            }
            self.attributes(&mut attrs)?;
        }
        let attrs = if attrs.is_empty() { List::EMPTY } else { self.ast.attr_lists.push(attrs) };
        Ok(self.ast.declarators.push(Declarator { span, name, chunks, attrs, asm_name }))
    }

    /// A declarator of nothing, before the current token.
    pub(super) fn empty_declarator(&mut self) -> DeclaratorId {
        let span = Span::at(self.lo());
        self.ast.declarators.push(Declarator {
            span,
            name: None,
            chunks: List::EMPTY,
            attrs: List::EMPTY,
            asm_name: List::EMPTY,
        })
    }

    /// Adds attributes that stood elsewhere than directly after the declarator.
    pub(super) fn add_declarator_attributes(&mut self, id: DeclaratorId, more: Vec<Attr>) {
        let old = self.ast.attr_lists.get(self.ast.declarators[id].attrs).to_vec();
        self.ast.declarators[id].attrs = self.ast.attr_lists.push(old.into_iter().chain(more));
    }

    /// Pushes the derivations of a declarator, nearest the name first, and yields the name.
    fn derivations(
        &mut self,
        naming: Naming,
        attrs: &mut Vec<Attr>,
    ) -> PResult<Option<(Symbol, Span)>> {
        let mark = self.scratch.pointers.len();
        let result = self.pointers_and_rest(naming, attrs, mark);
        self.scratch.pointers.truncate(mark);
        result
    }

    fn pointers_and_rest(
        &mut self,
        naming: Naming,
        attrs: &mut Vec<Attr>,
        mark: usize,
    ) -> PResult<Option<(Symbol, Span)>> {
        while self.at(TokenKind::Star) {
            self.bump();
            let mut quals = Quals::NONE;
            let mut pointer_attrs: Vec<Attr> = Vec::new();
            loop {
                quals = quals.with(match self.kind() {
                    TokenKind::Const => Quals::CONST,
                    TokenKind::Volatile => Quals::VOLATILE,
                    TokenKind::Restrict => Quals::RESTRICT,
                    TokenKind::Atomic => Quals::ATOMIC,
                    TokenKind::Attribute | TokenKind::Declspec => {
                        self.attributes(&mut pointer_attrs)?;
                        continue;
                    }
                    TokenKind::LBracket if self.kind_ahead(1) == TokenKind::LBracket => {
                        self.attributes(&mut pointer_attrs)?;
                        continue;
                    }
                    _ => break,
                });
                self.bump();
            }
            let list = if pointer_attrs.is_empty() {
                List::EMPTY
            } else {
                self.ast.attr_lists.push(pointer_attrs)
            };
            self.scratch.pointers.push(Chunk::Pointer { quals, attrs: list });
            self.check_chain(self.scratch.pointers.len() - mark)?;
        }
        let name = self.direct(naming, attrs)?;
        while self.scratch.pointers.len() > mark
            && let Some(pointer) = self.scratch.pointers.pop()
        {
            self.scratch.chunks.push(pointer);
        }
        Ok(name)
    }

    /// Returns whether a parenthesis where a declarator may be abstract opens parameters rather than a nested
    /// declarator.
    fn parameters_ahead(&self) -> bool {
        let next = self.kind_ahead(1);
        if self.starts_attribute(self.pos + 1) {
            // `(__attribute__((stdcall)) *)` is nested; `(__attribute__((unused)) int x)` has parameters.
            let mut index = self.pos + 1;
            while self.starts_attribute(index) {
                let Some(after) = self.after_attribute(index) else { return false };
                index = after;
            }
            return self.starts_type(index);
        }
        matches!(next, TokenKind::RParen | TokenKind::Ellipsis) || self.starts_type(self.pos + 1)
    }

    fn direct(&mut self, naming: Naming, attrs: &mut Vec<Attr>) -> PResult<Option<(Symbol, Span)>> {
        let mut name = None;
        match self.kind() {
            TokenKind::Ident if naming != Naming::Abstract => {
                let token = self.bump();
                name = Some((self.symbol(token), token.span()));
            }
            TokenKind::LParen if naming == Naming::Named || !self.parameters_ahead() => {
                let open = self.bump();
                name = self.nested(|parser| {
                    parser.attributes(attrs)?;
                    parser.derivations(naming, attrs)
                })?;
                self.expect_close(TokenKind::RParen, open, "after the declarator")?;
            }
            TokenKind::Amp | TokenKind::AmpAmp
                if naming != Naming::Abstract || self.kind_ahead(1) == TokenKind::RParen =>
            {
                return Err(self.cplusplus(self.token().span(), "a reference"));
            }
            _ if naming == Naming::Named => return Err(self.expected_declarator()),
            _ => {}
        }
        let mut length = 0;
        loop {
            match self.kind() {
                TokenKind::LBracket if self.kind_ahead(1) == TokenKind::LBracket => {
                    self.attributes(attrs)?
                }
                TokenKind::LBracket => {
                    let chunk = self.array()?;
                    self.scratch.chunks.push(chunk);
                }
                TokenKind::LParen => {
                    let chunk = self.function()?;
                    self.scratch.chunks.push(chunk);
                }
                _ => return Ok(name),
            }
            length += 1;
            self.check_chain(length)?;
        }
    }

    /// `[static const n]`
    fn array(&mut self) -> PResult<Chunk> {
        let open = self.bump();
        let mut quals = Quals::NONE;
        let mut is_static = false;
        loop {
            match self.kind() {
                TokenKind::Static => is_static = true,
                TokenKind::Const => quals = quals.with(Quals::CONST),
                TokenKind::Volatile => quals = quals.with(Quals::VOLATILE),
                TokenKind::Restrict => quals = quals.with(Quals::RESTRICT),
                TokenKind::Atomic if self.kind_ahead(1) != TokenKind::LParen => {
                    quals = quals.with(Quals::ATOMIC)
                }
                TokenKind::Attribute => {
                    self.skip_attributes()?;
                    continue;
                }
                _ => break,
            }
            self.bump();
        }
        let size = match self.kind() {
            TokenKind::RBracket => ArraySize::None,
            TokenKind::Star if self.kind_ahead(1) == TokenKind::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.nested(|parser| parser.assign())?),
        };
        self.expect_close(TokenKind::RBracket, open, "after the array size")?;
        Ok(Chunk::Array { size, quals, is_static, span: self.span_from(open.lo) })
    }

    /// `(parameters)`
    fn function(&mut self) -> PResult<Chunk> {
        let open = self.bump();
        self.scopes.enter();
        let params = self.nested(|parser| parser.parameters());
        self.scopes.leave();
        let params = params?;
        self.expect_close(TokenKind::RParen, open, "after the parameters")?;
        Ok(Chunk::Function { params, span: self.span_from(open.lo) })
    }

    fn parameters(&mut self) -> PResult<Params> {
        match self.kind() {
            TokenKind::RParen => return Ok(Params::Empty),
            TokenKind::Void if self.kind_ahead(1) == TokenKind::RParen => {
                self.bump();
                return Ok(Params::Prototype { params: List::EMPTY, variadic: false });
            }
            // Names of K&R parameters: nothing else begins with a name that is no type and goes on like this.
            TokenKind::Ident
                if !self.starts_type(self.pos)
                    && matches!(self.kind_ahead(1), TokenKind::Comma | TokenKind::RParen) =>
            {
                return self.kr_names();
            }
            _ => {}
        }
        let (params, variadic) = gather!(self, params, param_lists, self.prototype())?;
        Ok(Params::Prototype { params, variadic })
    }

    fn kr_names(&mut self) -> PResult<Params> {
        let mut names = Vec::new();
        loop {
            names.push(self.ident("the name of a parameter")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(Params::Names(self.ast.name_lists.push(names)))
    }

    /// The parameters of a prototype; yields whether `...` ends it.
    fn prototype(&mut self) -> PResult<bool> {
        let first = self.scratch.params.len();
        loop {
            if self.eat(TokenKind::Ellipsis) {
                return Ok(true);
            }
            let lo = self.lo();
            let start = self.pos;
            let specs = self.specifiers(SpecPlace::Parameter)?;
            if self.pos == start {
                return Err(self.expected_parameter());
            }
            let declarator = self.declarator(Naming::Either)?;
            if let Some((name, _)) = self.ast.declarators[declarator].name {
                self.scopes.declare(name, Meaning::Object);
            }
            let span = self.span_from(lo);
            self.scratch.params.push(Param { span, specs, declarator });
            match self.kind() {
                TokenKind::Comma => {
                    self.bump();
                }
                // GNU C: what stands before the semicolon only announces names for the sizes that follow.
                TokenKind::Semi => {
                    self.bump();
                    self.scratch.params.truncate(first);
                }
                TokenKind::Eq => {
                    return Err(self.cplusplus(self.token().span(), "a default argument"));
                }
                _ => return Ok(false),
            }
        }
    }
}
