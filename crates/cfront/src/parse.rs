//! The parser: tokens to the syntax tree.
//!
//! Recursive descent, with precedence climbing for binary operators and one token of lookahead, two where C needs
//! them. C's grammar depends on which names are types, so the parser keeps a table of what each name is in the current
//! scope ([`scope`]) and decides as gcc does.
//!
//! **Depth.** Everything that nests goes through [`Parser::nested`], which counts levels, moves to a fresh piece of
//! stack when the current one runs out, and gives up with a diagnostic at [`Options::nesting_limit`]. What is long
//! rather than deep is read by loops: operators of equal precedence, prefix operators, pointers, `else if`, `?:`,
//! assignments and stacked labels; so that a chain takes no stack at all. Chains that make the tree deep end at
//! [`Options::chain_limit`].
//!
//! **Recovery.** A syntax error is reported where it is found and travels up as [`Reported`] to the next statement,
//! member, external declaration or list of arguments, which skips to where it can go on ([`recover`]). The partners of
//! all brackets are found in one pass when the first error needs them, so that skipping takes constant time a bracket
//! and parsing stays linear whatever the input. Mistakes that would bring a hundred others (C++ given for C, nesting
//! too deep) end the parse.

mod asm;
mod attr;
mod contract;
mod decl;
mod declarator;
mod expr;
mod init;
mod quantifier;
mod record;
mod recover;
mod scope;
mod spec;
mod stmt;
mod suggest;

use crate::ast::{
    Ast, Chunk, Decl, DeclId, DeclKind, Expr, ExprId, ExprKind, InitDeclarator, InitEntry, Member,
    Param, Stmt, StmtId, StmtKind,
};
use crate::codes;
use crate::intern::Symbol;
use crate::lex;
use crate::options::Options;
use crate::token::{Token, TokenKind};
use recover::Brackets;
use scope::Scopes;
use std::cell::OnceCell;
use vergo_source::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span};

/// Parses a file of preprocessed C. Never fails: mistakes are in `diags`, and the tree holds what could be understood.
pub fn parse(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    diags: &mut Diagnostics,
) -> Ast {
    let mut ast = Ast { names: crate::token::seeded_interner(), ..Ast::default() };
    let lexed = lex::lex(sources, file, options, &mut ast.names, diags);
    ast.pragmas = lexed.pragmas;
    let scopes = Scopes::new(ast.names.len());
    let mut parser = Parser {
        tokens: &lexed.tokens,
        damaged: &lexed.damaged,
        pos: 0,
        prev_hi: sources.file_span(file).lo,
        ast,
        scopes,
        diags,
        options,
        depth: 0,
        // A text that has not been preprocessed is full of what looks like mistakes; the one message says it all.
        quiet: lexed.needs_preprocessing,
        halted: false,
        last_error: usize::MAX,
        brackets: OnceCell::new(),
        n_suggestions: 0,
        scratch: Scratch::default(),
        annotations: contract::Annotations::default(),
    };
    if !parser.interrupted() {
        parser.unit();
    }
    parser.ast
}

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
struct Reported;

type PResult<T> = Result<T, Reported>;

struct Parser<'a> {
    tokens: &'a [Token],
    /// The positions of tokens after which something is missing that has been reported.
    damaged: &'a [u32],
    /// The index of the current token; the last token is the end of the file and is never passed.
    pos: usize,
    /// The end of the last consumed token.
    prev_hi: u32,
    ast: Ast,
    scopes: Scopes,
    diags: &'a mut Diagnostics,
    options: &'a Options,
    depth: u32,
    /// Nothing is reported any more.
    quiet: bool,
    /// The parse has ended early; the current token is the end of the file.
    halted: bool,
    /// The token at which an error was reported last.
    last_error: usize,
    /// The partners of brackets, found when they are first needed.
    brackets: OnceCell<Brackets>,
    n_suggestions: u32,
    scratch: Scratch,
    annotations: contract::Annotations,
}

/// Stacks on which lists are gathered before they move into the tree, so that no list allocates.
#[derive(Default)]
struct Scratch {
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
    chunks: Vec<Chunk>,
    pointers: Vec<Chunk>,
    params: Vec<Param>,
    members: Vec<Member>,
    declarators: Vec<InitDeclarator>,
    entries: Vec<InitEntry>,
    prefixes: Vec<expr::Prefix>,
    pending: Vec<expr::Pending>,
}

/// Gathers a list on one of the scratch stacks: runs the body, then moves what it has pushed into the pool. Also moves
/// when the body fails, so that the stack is clean.
macro_rules! gather {
    ($self:ident, $stack:ident, $pool:ident, $body:expr) => {{
        let mark = $self.scratch.$stack.len();
        let result = $body;
        let list = $self.ast.$pool.push($self.scratch.$stack.drain(mark..));
        result.map(|value| (list, value))
    }};
}
use gather;

/// The stack that must be left before a level of nesting, and the amount that is added if it is not.
const RED_ZONE: usize = 96 * 1024;
const STACK_PIECE: usize = 2 * 1024 * 1024;

impl Parser<'_> {
    // Tokens.

    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    #[inline]
    fn kind(&self) -> TokenKind {
        self.tokens[self.pos].kind
    }

    /// The kind of the token `n` places ahead.
    fn kind_ahead(&self, n: usize) -> TokenKind {
        self.tokens.get(self.pos + n).map_or(TokenKind::Eof, |token| token.kind)
    }

    fn lo(&self) -> u32 {
        self.tokens[self.pos].lo
    }

    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.kind != TokenKind::Eof {
            self.prev_hi = token.hi();
            self.pos += 1;
        }
        token
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Consumes the token if it is of that kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// From a position to the end of the last token.
    fn span_from(&self, lo: u32) -> Span {
        Span { lo, hi: self.prev_hi.max(lo) }
    }

    fn symbol(&self, token: Token) -> Symbol {
        debug_assert!(token.kind.is_word());
        Symbol::from_index(token.symbol_index())
    }

    /// The kind of a token, where soft keywords that no declaration hides are keywords.
    fn effective(&self, index: usize) -> TokenKind {
        let Some(&token) = self.tokens.get(index) else { return TokenKind::Eof };
        if token.kind == TokenKind::Ident {
            self.scopes.soft_keyword(self.symbol(token)).unwrap_or(TokenKind::Ident)
        } else {
            token.kind
        }
    }

    /// An identifier, whatever it is declared as.
    fn ident(&mut self, what: &str) -> PResult<(Symbol, Span)> {
        if self.at(TokenKind::Ident) {
            let token = self.bump();
            Ok((self.symbol(token), token.span()))
        } else {
            Err(self.unexpected(what))
        }
    }

    // Nodes.

    fn expr_node(&mut self, lo: u32, kind: ExprKind) -> ExprId {
        let span = self.span_from(lo);
        self.ast.exprs.push(Expr { span, kind })
    }

    fn stmt_node(&mut self, lo: u32, kind: StmtKind) -> StmtId {
        let span = self.span_from(lo);
        self.ast.stmts.push(Stmt { span, kind })
    }

    fn decl_node(&mut self, lo: u32, kind: DeclKind) -> DeclId {
        let span = self.span_from(lo);
        self.ast.decls.push(Decl { span, kind })
    }

    // Depth.

    /// Runs `f` one level deeper, with enough stack.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> PResult<T>) -> PResult<T> {
        if self.depth >= self.options.nesting_limit {
            return Err(self.too_deep("the nesting is too deep here", self.options.nesting_limit));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || f(self));
        self.depth -= 1;
        result
    }

    /// Reports if a chain has become too long.
    fn check_chain(&mut self, length: usize) -> PResult<()> {
        if length > self.options.chain_limit as usize {
            return Err(self.too_deep("the chain is too long here", self.options.chain_limit));
        }
        Ok(())
    }

    fn too_deep(&mut self, message: &str, limit: u32) -> Reported {
        let span = self.token().span();
        self.report(
            Diagnostic::error(codes::TOO_DEEP, span, message)
                .note(format!("the limit is {limit} levels"))
                .help("split the construct into smaller ones"),
        );
        self.halt();
        Reported
    }

    /// Returns whether the caller wants to stop; then the parse has ended.
    fn interrupted(&mut self) -> bool {
        if !self.options.interrupted() {
            return false;
        }
        let span = self.token().span();
        self.report(Diagnostic::error(codes::STOPPED, span, "parsing was interrupted here"));
        self.halt();
        true
    }

    // Errors.

    /// Ends the parse: what follows is neither looked at nor reported.
    fn halt(&mut self) {
        self.halted = true;
        self.quiet = true;
        self.pos = self.tokens.len() - 1;
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.quiet || self.last_error == self.pos {
            return;
        }
        // What is missing here has been lost already in the lexer.
        if self.pos > 0 && self.damaged.binary_search(&self.tokens[self.pos - 1].lo).is_ok() {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.last_error = self.pos;
        }
        self.diags.push(diagnostic);
        if self.diags.is_flooded() {
            self.halt();
        }
    }
}
