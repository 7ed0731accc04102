//! Statements.

use super::decl::DeclPlace;
use super::{PResult, Parser, Reported, gather};
use crate::ast::{ExprId, StmtId, StmtKind};
use crate::codes;
use crate::intern::Symbol;
use crate::token::TokenKind;
use vergo_source::Diagnostic;

/// A label whose statement is still to come.
enum Label {
    Named(Symbol),
    Case(ExprId, Option<ExprId>),
    Default,
}

impl Parser<'_> {
    /// `{ ... }` with a scope of its own. Fails only if there is no brace, or no end.
    pub(super) fn compound(&mut self) -> PResult<StmtId> {
        let lo = self.lo();
        let open = self.expect(TokenKind::LBrace, "before the block")?;
        self.scopes.enter();
        let gathered = gather!(self, stmts, stmt_lists, {
            while !matches!(self.kind(), TokenKind::RBrace | TokenKind::Eof) {
                let start = self.pos;
                let stmt = self.block_item();
                self.scratch.stmts.push(stmt);
                self.interrupted();
                if self.pos == start {
                    // Nothing was understood and nothing skipped; going on needs progress.
                    self.bump();
                }
            }
            PResult::Ok(())
        });
        self.scopes.leave();
        let (stmts, ()) = gathered?;
        // The statements that were understood are kept even if the end is missing.
        let closed = self.expect_close(TokenKind::RBrace, open, "at the end of the block");
        if closed.is_err() && !self.at(TokenKind::Eof) {
            return Err(Reported);
        }
        Ok(self.stmt_node(lo, StmtKind::Compound(stmts)))
    }

    /// A declaration or a statement of a block; mistakes have been skipped.
    fn block_item(&mut self) -> StmtId {
        let start = self.pos;
        let lo = self.lo();
        let result = match self.kind() {
            TokenKind::Ident if self.kind_ahead(1) == TokenKind::Colon => {
                self.statement_or_labels(true)
            }
            TokenKind::Case | TokenKind::Default => self.statement_or_labels(true),
            TokenKind::Label => self.local_labels(),
            _ if self.starts_declaration() => self
                .declaration(DeclPlace::Block)
                .map(|decl| self.stmt_node(lo, StmtKind::Decl(decl))),
            _ => return self.statement(),
        };
        result.unwrap_or_else(|Reported| {
            self.sync_statement(start);
            self.stmt_node(lo, StmtKind::Error)
        })
    }

    /// A statement; mistakes have been skipped.
    pub(super) fn statement(&mut self) -> StmtId {
        let start = self.pos;
        let lo = self.lo();
        let result = self.nested(|parser| parser.statement_or_labels(false));
        result.unwrap_or_else(|Reported| {
            self.sync_statement(start);
            self.stmt_node(lo, StmtKind::Error)
        })
    }

    /// A statement with the labels before it. In a block, a label may also stand before a declaration or the closing
    /// brace; its statement is then an empty one.
    fn statement_or_labels(&mut self, in_block: bool) -> PResult<StmtId> {
        let mut labels: Vec<(u32, Label)> = Vec::new();
        loop {
            let lo = self.lo();
            let label = match self.kind() {
                TokenKind::Ident if self.kind_ahead(1) == TokenKind::Colon => {
                    if self.colons_ahead(1) {
                        return Err(self.cplusplus(self.token().span(), "`::`"));
                    }
                    let token = self.bump();
                    self.bump();
                    self.skip_attributes()?;
                    Label::Named(self.symbol(token))
                }
                TokenKind::Case => {
                    self.bump();
                    let low = self.conditional()?;
                    let high = if self.eat(TokenKind::Ellipsis) {
                        Some(self.conditional()?)
                    } else {
                        None
                    };
                    self.expect(TokenKind::Colon, "after the value of `case`")?;
                    self.skip_attributes()?;
                    Label::Case(low, high)
                }
                TokenKind::Default => {
                    self.bump();
                    self.expect(TokenKind::Colon, "after `default`")?;
                    self.skip_attributes()?;
                    Label::Default
                }
                _ => break,
            };
            labels.push((lo, label));
            self.check_chain(labels.len())?;
        }
        let mut stmt = if !labels.is_empty()
            && (self.at(TokenKind::RBrace)
                || (in_block && (self.at(TokenKind::Label) || self.starts_declaration())))
        {
            self.stmt_node(self.prev_hi, StmtKind::Empty)
        } else if in_block && !labels.is_empty() {
            self.statement()
        } else {
            self.unlabelled()?
        };
        while let Some((lo, label)) = labels.pop() {
            let kind = match label {
                Label::Named(name) => StmtKind::Label(name, stmt),
                Label::Case(low, high) => StmtKind::Case { low, high, body: stmt },
                Label::Default => StmtKind::Default(stmt),
            };
            stmt = self.stmt_node(lo, kind);
        }
        Ok(stmt)
    }

    fn unlabelled(&mut self) -> PResult<StmtId> {
        use TokenKind as T;
        let lo = self.lo();
        let kind = match self.kind() {
            T::LBrace => return self.compound(),
            T::Semi => {
                self.bump();
                StmtKind::Empty
            }
            T::If => return self.if_chain(),
            T::Switch => {
                self.bump();
                let cond = self.condition("`switch`")?;
                let body = self.scoped_statement();
                StmtKind::Switch(cond, body)
            }
            T::While => {
                self.bump();
                let cond = self.condition("`while`")?;
                let contract = self.loop_contract()?;
                let body = self.scoped_statement();
                if let Some(contract) = contract {
                    return Ok(self.contracted_loop(lo, contract, None, Some(cond), None, body));
                }
                StmtKind::While(cond, body)
            }
            T::Do => {
                self.bump();
                // Its contract stands here or behind the condition.
                let contract = self.loop_contract()?;
                let body = self.scoped_statement();
                self.expect(T::While, "after the body of `do`")?;
                let cond = self.condition("`while`")?;
                let contract = contract.or(self.loop_contract()?);
                self.expect_semi("`do ... while (...)`")?;
                if let Some(contract) = contract {
                    return Ok(self.contracted_do(lo, contract, body, cond));
                }
                StmtKind::DoWhile(body, cond)
            }
            T::For => {
                self.scopes.enter();
                let result = self.for_statement();
                self.scopes.leave();
                return result;
            }
            T::Goto => {
                self.bump();
                if self.eat(T::Star) {
                    let target = self.expr()?;
                    self.expect_semi("`goto`")?;
                    StmtKind::GotoIndirect(target)
                } else {
                    let (label, _) = self.ident("a label after `goto`")?;
                    self.expect_semi("`goto`")?;
                    StmtKind::Goto(label)
                }
            }
            T::Break => {
                self.bump();
                self.expect_semi("`break`")?;
                StmtKind::Break
            }
            T::Continue => {
                self.bump();
                self.expect_semi("`continue`")?;
                StmtKind::Continue
            }
            T::Return => {
                self.bump();
                let value =
                    if self.at(T::Semi) || self.at(T::RBrace) { None } else { Some(self.expr()?) };
                self.expect_semi("`return`")?;
                StmtKind::Return(value)
            }
            T::Asm => {
                let asm = self.asm()?;
                self.expect_semi("`asm`")?;
                StmtKind::Asm(asm)
            }
            T::Else => {
                let span = self.token().span();
                self.report(
                    Diagnostic::error(codes::MISPLACED, span, "this `else` belongs to no `if`")
                        .help("only one statement may stand between `if (...)` and `else`; put several into braces"),
                );
                self.bump();
                return Ok(self.statement());
            }
            T::Eof => return Err(self.unexpected("a statement")),
            T::RBrace => return Err(self.unexpected("a statement")),
            T::Attribute => {
                self.skip_attributes()?;
                return self.after_statement_attributes();
            }
            _ if self.starts_attribute(self.pos) => {
                self.skip_attributes()?;
                return self.after_statement_attributes();
            }
            _ if self.starts_declaration() => {
                let span = self.token().span();
                self.report(
                    Diagnostic::error(codes::MISPLACED, span, "a declaration is not a statement")
                        .help("put it into braces, or before the statement"),
                );
                let decl = self.declaration(DeclPlace::Block)?;
                StmtKind::Decl(decl)
            }
            _ => {
                let expr = self.expr()?;
                self.expect_semi("the expression")?;
                if let Some(split) = self.split_claim(expr) {
                    return Ok(split);
                }
                StmtKind::Expr(expr)
            }
        };
        Ok(self.stmt_node(lo, kind))
    }

    /// Parses the statement behind attributes: one such as the `;` of `__attribute__((fallthrough));`.
    fn after_statement_attributes(&mut self) -> PResult<StmtId> {
        self.nested(|parser| parser.statement_or_labels(false))
    }

    /// A statement with a scope of its own, as the bodies of `if` and loops have.
    fn scoped_statement(&mut self) -> StmtId {
        self.scopes.enter();
        let stmt = self.statement();
        self.scopes.leave();
        stmt
    }

    /// `( condition )`
    fn condition(&mut self, after: &str) -> PResult<ExprId> {
        if !self.at(TokenKind::LParen) {
            return Err(self.unexpected(&format!("`(` after {after}")));
        }
        let open = self.bump();
        let lo = self.lo();
        let start = self.pos;
        let cond = match self.nested(|parser| parser.expr()) {
            Ok(cond) => cond,
            Err(Reported) => {
                if self.halted || !self.skip_to_partner(open, start) {
                    return Err(Reported);
                }
                return Ok(self.expr_node(lo, crate::ast::ExprKind::Error));
            }
        };
        self.expect_close(TokenKind::RParen, open, "after the condition")?;
        Ok(cond)
    }

    /// `if ... else if ... else`: a loop, so that the length of the chain takes no stack.
    fn if_chain(&mut self) -> PResult<StmtId> {
        let mut links: Vec<(u32, ExprId, StmtId)> = Vec::new();
        let mut last = None;
        loop {
            let lo = self.lo();
            self.bump();
            let cond = self.condition("`if`")?;
            let then = self.scoped_statement();
            links.push((lo, cond, then));
            self.check_chain(links.len())?;
            if !self.eat(TokenKind::Else) {
                break;
            }
            if !self.at(TokenKind::If) {
                last = Some(self.scoped_statement());
                break;
            }
        }
        while let Some((lo, cond, then)) = links.pop() {
            last = Some(self.stmt_node(lo, StmtKind::If(cond, then, last)));
        }
        last.ok_or(Reported)
    }

    fn for_statement(&mut self) -> PResult<StmtId> {
        let lo = self.lo();
        self.bump();
        if !self.at(TokenKind::LParen) {
            return Err(self.unexpected("`(` after `for`"));
        }
        let open = self.bump();
        let start = self.pos;
        let header = self.for_header();
        let (init, cond, step) = match header {
            Ok(header) => {
                self.expect_close(TokenKind::RParen, open, "after the parts of `for`")?;
                header
            }
            Err(Reported) => {
                if self.halted || !self.skip_to_partner(open, start) {
                    return Err(Reported);
                }
                (None, None, None)
            }
        };
        let contract = self.loop_contract()?;
        let body = self.scoped_statement();
        if let Some(contract) = contract {
            return Ok(self.contracted_loop(lo, contract, init, cond, step, body));
        }
        Ok(self.stmt_node(lo, StmtKind::For { init, cond, step, body }))
    }

    #[allow(clippy::type_complexity, reason = "the three parts of `for` as the tree has them")]
    fn for_header(&mut self) -> PResult<(Option<StmtId>, Option<ExprId>, Option<ExprId>)> {
        let lo = self.lo();
        let init = if self.at(TokenKind::Semi) {
            self.bump();
            None
        } else if self.starts_declaration() {
            let decl = self.declaration(DeclPlace::For)?;
            Some(self.stmt_node(lo, StmtKind::Decl(decl)))
        } else {
            let expr = self.expr()?;
            self.expect(TokenKind::Semi, "after the first part of `for`")?;
            Some(self.stmt_node(lo, StmtKind::Expr(expr)))
        };
        let cond = if self.at(TokenKind::Semi) { None } else { Some(self.expr()?) };
        self.expect(TokenKind::Semi, "after the condition of `for`")?;
        let step = if self.at(TokenKind::RParen) { None } else { Some(self.expr()?) };
        Ok((init, cond, step))
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> PResult<StmtId> {
        let lo = self.lo();
        self.bump();
        let mut labels = Vec::new();
        loop {
            labels.push(self.ident("a label")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_semi("the labels")?;
        let labels = self.ast.name_lists.push(labels);
        Ok(self.stmt_node(lo, StmtKind::LocalLabels(labels)))
    }
}
