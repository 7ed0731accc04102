//! External declarations, declarations and function definitions.

use super::declarator::Naming;
use super::scope::Meaning;
use super::spec::SpecPlace;
use super::{PResult, Parser, Reported, gather};
use crate::ast::{
    Attr, Chunk, Decl, DeclId, DeclKind, DeclaratorId, FunctionDef, InitDeclarator, Item, Params,
    SpecsId, Storage, TypeSpec,
};
use crate::codes;
use crate::pool::List;
use crate::token::{Class, TokenKind};
use vergo_source::Diagnostic;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DeclPlace {
    /// Outside of functions.
    File,
    /// In a block.
    Block,
    /// The first part of `for (...)`.
    For,
    /// Between a K&R declarator and the body.
    Parameters,
}

impl Parser<'_> {
    /// The whole translation unit.
    pub(super) fn unit(&mut self) {
        while !self.at(TokenKind::Eof) {
            let start = self.pos;
            match self.external() {
                Ok(item) => {
                    self.ast.items.push(item);
                    // Contracts come after what they are about.
                    let contracts = std::mem::take(&mut self.annotations.functions);
                    self.ast.items.extend(contracts.into_iter().map(Item::Function));
                }
                Err(Reported) => self.sync_external(start),
            }
            self.interrupted();
        }
    }

    fn external(&mut self) -> PResult<Item> {
        let lo = self.lo();
        match self.kind() {
            TokenKind::Semi => {
                self.bump();
                Ok(Item::Decl(self.decl_node(lo, DeclKind::Empty)))
            }
            TokenKind::Asm => {
                let asm = self.asm()?;
                self.expect_semi("`asm`")?;
                Ok(Item::Asm(asm))
            }
            TokenKind::RBrace => {
                let span = self.token().span();
                self.report(
                    Diagnostic::error(codes::UNBALANCED, span, "this `}` closes nothing")
                        .help("remove it, or look for a `{` that is missing above"),
                );
                Err(Reported)
            }
            _ => {
                let decl = self.declaration(DeclPlace::File)?;
                // Functions of the file are items of their own.
                Ok(match self.ast.decls[decl].kind {
                    DeclKind::Function(function) => Item::Function(function),
                    _ => Item::Decl(decl),
                })
            }
        }
    }

    /// Returns whether a declaration begins here, in a block.
    pub(super) fn starts_declaration(&self) -> bool {
        let mut index = self.pos;
        loop {
            let Some(&token) = self.tokens.get(index) else { return false };
            match token.kind.class() {
                Class::Specifier => return true,
                Class::Word => return self.word_starts_declaration(index),
                _ if token.kind == TokenKind::Extension => index += 1,
                _ if token.kind == TokenKind::StaticAssert => return true,
                _ if token.kind == TokenKind::Declspec => return true,
                _ if self.starts_attribute(index) => {
                    let Some(after) = self.after_attribute(index) else { return false };
                    index = after;
                    if self.tokens.get(index).is_some_and(|token| token.kind == TokenKind::Semi) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    fn word_starts_declaration(&self, index: usize) -> bool {
        let kind_at =
            |index: usize| self.tokens.get(index).map_or(TokenKind::Eof, |token| token.kind);
        let symbol = self.symbol(self.tokens[index]);
        match self.scopes.meaning(symbol) {
            Meaning::Typedef | Meaning::Poison => true,
            Meaning::Soft => match self.effective(index) {
                TokenKind::StaticAssert => kind_at(index + 1) == TokenKind::LParen,
                kind => kind.class() == Class::Specifier,
            },
            Meaning::Object => false,
            // Two names in a row, or what would be a product of something undeclared, is meant as a declaration.
            Meaning::Unknown => {
                let mut next = index + 1;
                while kind_at(next) == TokenKind::Star {
                    next += 1;
                }
                kind_at(next) == TokenKind::Ident
                    && (next == index + 1
                        || matches!(
                            kind_at(next + 1),
                            TokenKind::Semi
                                | TokenKind::Eq
                                | TokenKind::Comma
                                | TokenKind::LBracket
                        ))
            }
        }
    }

    /// Returns whether the name here, which is not that of a type, stands where only a type can.
    pub(super) fn is_unknown_type(&self, place: SpecPlace, after_specifiers: bool) -> bool {
        if place != SpecPlace::Declaration {
            return true;
        }
        let next = self.kind_ahead(1);
        match next {
            TokenKind::Ident => true,
            TokenKind::Star => {
                let mut n = 1;
                while matches!(
                    self.kind_ahead(n),
                    TokenKind::Star | TokenKind::Const | TokenKind::Restrict | TokenKind::Volatile
                ) {
                    n += 1;
                }
                matches!(self.kind_ahead(n), TokenKind::Ident | TokenKind::LParen)
                    || after_specifiers
            }
            _ => next.class() == Class::Specifier,
        }
    }

    /// A declaration or a function definition, with its semicolon or body.
    pub(super) fn declaration(&mut self, place: DeclPlace) -> PResult<DeclId> {
        let lo = self.lo();
        while self.eat(TokenKind::Extension) {}
        if self.effective(self.pos) == TokenKind::StaticAssert
            && self.kind_ahead(1) == TokenKind::LParen
        {
            return self.static_assert();
        }
        let start = self.pos;
        let specs = self.specifiers(SpecPlace::Declaration)?;
        if self.at(TokenKind::Semi) {
            self.bump();
            let only_attributes = matches!(self.ast.specs[specs].ty, TypeSpec::None)
                && self.ast.specs[specs].storage == Storage::NONE
                && self.ast.specs[specs].quals == crate::ast::Quals::NONE;
            let kind = if only_attributes {
                DeclKind::Empty
            } else {
                DeclKind::Vars { specs, declarators: List::EMPTY }
            };
            return Ok(self.decl_node(lo, kind));
        }
        if self.pos == start
            && !matches!(self.kind(), TokenKind::Ident | TokenKind::Star | TokenKind::LParen)
        {
            return Err(self.expected_declaration());
        }
        let (declarators, function) = gather!(
            self,
            declarators,
            init_declarator_lists,
            self.init_declarators(place, lo, specs)
        )?;
        if let Some(function) = function {
            return Ok(self
                .ast
                .decls
                .push(Decl { span: function.span, kind: DeclKind::Function(function) }));
        }
        if matches!(self.ast.specs[specs].ty, TypeSpec::Error) && !self.at(TokenKind::Semi) {
            // The type was the mistake; what follows from it is not reported again.
            return Err(Reported);
        }
        self.expect_semi("the declaration")?;
        Ok(self.decl_node(lo, DeclKind::Vars { specs, declarators }))
    }

    /// Declarators with their initialisers; or, if the first one begins a function definition, that.
    fn init_declarators(
        &mut self,
        place: DeclPlace,
        lo: u32,
        specs: SpecsId,
    ) -> PResult<Option<FunctionDef>> {
        let meaning = if self.ast.specs[specs].storage.has(Storage::TYPEDEF) {
            Meaning::Typedef
        } else {
            Meaning::Object
        };
        let mut first = true;
        loop {
            let mut prefix: Vec<Attr> = Vec::new();
            self.attributes(&mut prefix)?;
            let declarator = self.declarator(Naming::Named)?;
            if !prefix.is_empty() {
                self.add_declarator_attributes(declarator, prefix);
            }
            if place == DeclPlace::File && self.function_params(declarator).is_some() {
                self.function_contract(specs, declarator)?;
            }
            if first && place != DeclPlace::For && place != DeclPlace::Parameters {
                match self.function_params(declarator) {
                    Some(params) if self.body_follows(params) => {
                        return self.function_definition(lo, specs, declarator, params).map(Some);
                    }
                    _ => {}
                }
            }
            first = false;
            if let Some((name, _)) = self.ast.declarators[declarator].name {
                self.scopes.declare(name, meaning);
            }
            let mut init = None;
            if self.eat(TokenKind::Eq) {
                init = Some(self.initialiser()?);
            }
            self.scratch.declarators.push(InitDeclarator { declarator, init });
            if !self.eat(TokenKind::Comma) {
                return Ok(None);
            }
        }
    }

    /// The parameters if the declarator is that of a function.
    pub(super) fn function_params(&self, declarator: DeclaratorId) -> Option<Params> {
        match self.ast.chunk_lists.get(self.ast.declarators[declarator].chunks).first() {
            Some(Chunk::Function { params, .. }) => Some(*params),
            _ => None,
        }
    }

    /// Returns whether the body of a function, or the declarations of K&R parameters, follow its declarator.
    fn body_follows(&self, params: Params) -> bool {
        match self.kind() {
            TokenKind::LBrace => true,
            TokenKind::Semi | TokenKind::Comma | TokenKind::Eq => false,
            _ => {
                matches!(params, Params::Names(_))
                    && (self.starts_type(self.pos) || self.word_type_follows())
            }
        }
    }

    /// `type name` where the type is unknown.
    fn word_type_follows(&self) -> bool {
        self.at(TokenKind::Ident)
            && matches!(self.kind_ahead(1), TokenKind::Ident | TokenKind::Star)
    }

    fn function_definition(
        &mut self,
        lo: u32,
        specs: SpecsId,
        declarator: DeclaratorId,
        params: Params,
    ) -> PResult<FunctionDef> {
        if let Some((name, _)) = self.ast.declarators[declarator].name {
            self.scopes.declare(name, Meaning::Object);
        }
        self.scopes.enter();
        match params {
            Params::Empty => {}
            Params::Prototype { params, .. } => {
                for index in 0..params.len() {
                    let param = self.ast.param_lists.get(params)[index];
                    if let Some((name, _)) = self.ast.declarators[param.declarator].name {
                        self.scopes.declare(name, Meaning::Object);
                    }
                    // `int f(enum { A, B } x)` declares enumerators for the body, too.
                    if let TypeSpec::Enum { enumerators: Some(list), .. } =
                        self.ast.specs[param.specs].ty
                    {
                        for enumerator in self.ast.enumerator_lists.get(list) {
                            self.scopes.declare(enumerator.name, Meaning::Object);
                        }
                    }
                }
            }
            Params::Names(names) => {
                for index in 0..names.len() {
                    let (name, _) = self.ast.name_lists.get(names)[index];
                    self.scopes.declare(name, Meaning::Object);
                }
            }
        }
        let definition = self.function_rest(lo, specs, declarator);
        self.scopes.leave();
        definition
    }

    fn function_rest(
        &mut self,
        lo: u32,
        specs: SpecsId,
        declarator: DeclaratorId,
    ) -> PResult<FunctionDef> {
        let mut kr_decls = Vec::new();
        while !self.at(TokenKind::LBrace) {
            if !self.starts_type(self.pos) && !self.word_type_follows() {
                return Err(self.unexpected("the body of the function"));
            }
            kr_decls.push(self.declaration(DeclPlace::Parameters)?);
        }
        let kr_decls = self.ast.decl_lists.push(kr_decls);
        let body = self.nested(|parser| parser.compound())?;
        Ok(FunctionDef { span: self.span_from(lo), specs, declarator, kr_decls, body })
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> PResult<DeclId> {
        let lo = self.lo();
        self.bump();
        let open = self.expect(TokenKind::LParen, "after `_Static_assert`")?;
        let cond = self.nested(|parser| parser.conditional())?;
        let mut message = List::EMPTY;
        if self.eat(TokenKind::Comma) {
            if !self.at(TokenKind::String) {
                return Err(self.unexpected("the message, a string literal"));
            }
            message = self.string_pieces();
        }
        self.expect_close(TokenKind::RParen, open, "after the assertion")?;
        self.expect_semi("the assertion")?;
        Ok(self.decl_node(lo, DeclKind::StaticAssert { cond, message }))
    }
}
