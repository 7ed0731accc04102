//! Syntax errors: how they are told, and where parsing goes on after them.
//!
//! An error is reported once, at the token where it shows, and whoever can go on skips to a point where the grammar
//! holds again: the end of the statement, member or external declaration that holds the error. Brackets that were open
//! at the error are skipped with everything in them. The partner of each bracket is found in one pass over the file
//! when it is first needed. A closing brace is taken to close the innermost open brace, whatever parentheses are open
//! in between, since braces are the more reliable structure.

use super::{PResult, Parser, Reported};
use crate::codes;
use crate::token::{Class, Place, Token, TokenKind};
use vergo_source::{Code, Diagnostic, Span};

/// For each bracket the index of its partner, zero without one (the partner of a bracket at index zero is never zero).
pub(super) struct Brackets {
    partners: Vec<u32>,
}

impl Brackets {
    fn new(tokens: &[Token]) -> Brackets {
        let mut partners = vec![0; tokens.len()];
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let opener = match token.kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => {
                    open.push(index);
                    continue;
                }
                TokenKind::RParen => TokenKind::LParen,
                TokenKind::RBracket => TokenKind::LBracket,
                TokenKind::RBrace => TokenKind::LBrace,
                _ => continue,
            };
            if opener == TokenKind::LBrace {
                // Each bracket is popped once, so that this is linear; without any brace all stay.
                while let Some(&top) = open.last()
                    && tokens[top].kind != TokenKind::LBrace
                {
                    open.pop();
                }
            }
            if let Some(&top) = open.last()
                && tokens[top].kind == opener
            {
                open.pop();
                partners[top] = index as u32;
                partners[index] = top as u32;
            }
        }
        Brackets { partners }
    }
}

impl Parser<'_> {
    /// The index of the closing partner of an opening bracket.
    fn partner(&self, index: usize) -> Option<usize> {
        let partner = self.brackets().partners.get(index).copied().unwrap_or(0) as usize;
        (partner > index).then_some(partner)
    }

    fn brackets(&self) -> &Brackets {
        self.brackets.get_or_init(|| Brackets::new(self.tokens))
    }

    fn jump(&mut self, index: usize) {
        self.pos = index.min(self.tokens.len() - 1);
        if self.pos > 0 {
            self.prev_hi = self.tokens[self.pos - 1].hi();
        }
    }

    /// Skips the bracket here with all that is in it, or only the bracket if it has no partner.
    pub(super) fn skip_group(&mut self) {
        match self.partner(self.pos) {
            Some(partner) => self.jump(partner + 1),
            None => {
                self.bump();
            }
        }
    }

    /// Where the attribute that begins at a token ends, unless its brackets are broken.
    pub(super) fn after_attribute(&self, index: usize) -> Option<usize> {
        let open = index + usize::from(self.tokens[index].kind == TokenKind::Attribute);
        self.partner(open).map(|partner| partner + 1)
    }

    /// After an error inside of the bracket `open`: goes on behind its partner. False if it has none.
    pub(super) fn skip_to_partner(&mut self, open: Token, inside: usize) -> bool {
        let index = inside.saturating_sub(1);
        if self.tokens[index].lo != open.lo {
            return false;
        }
        match self.partner(index) {
            Some(partner) if partner >= self.pos => {
                self.jump(partner + 1);
                true
            }
            _ => false,
        }
    }

    /// Leaves all brackets that were opened since `start` and are still open here.
    fn leave_brackets(&mut self, start: usize) {
        let mut index = start;
        while index < self.pos {
            match self.tokens[index].kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => {
                    match self.partner(index) {
                        Some(partner) => {
                            if partner >= self.pos {
                                self.jump(partner + 1);
                            }
                            index = partner + 1;
                        }
                        None => index += 1,
                    }
                }
                _ => index += 1,
            }
        }
    }

    /// After an error in the statement that began at `start`.
    pub(super) fn sync_statement(&mut self, start: usize) {
        if self.halted {
            return;
        }
        self.leave_brackets(start);
        if self.pos > start && self.tokens[self.pos - 1].kind == TokenKind::RBrace {
            self.eat(TokenKind::Semi);
            return;
        }
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::RBrace => return,
                TokenKind::Semi => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace => {
                    self.skip_group();
                    return;
                }
                TokenKind::LParen | TokenKind::LBracket => self.skip_group(),
                kind if self.pos > start
                    && self.token().first_on_line()
                    && matches!(kind.class(), Class::Statement | Class::Specifier) =>
                {
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// After an error in the member that began at `start`.
    pub(super) fn sync_member(&mut self, start: usize) {
        if self.halted {
            return;
        }
        self.leave_brackets(start);
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::RBrace => return,
                TokenKind::Semi => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace | TokenKind::LParen | TokenKind::LBracket => self.skip_group(),
                kind if self.pos > start
                    && self.token().first_on_line()
                    && kind.class() == Class::Specifier =>
                {
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// After an error in the external declaration that began at `start`.
    pub(super) fn sync_external(&mut self, start: usize) {
        if self.halted {
            return;
        }
        self.leave_brackets(start);
        if self.pos == start {
            if matches!(self.kind(), TokenKind::LBrace | TokenKind::LParen | TokenKind::LBracket) {
                self.skip_group();
            } else {
                self.bump();
            }
        }
        loop {
            if self.tokens[self.pos - 1].kind == TokenKind::RBrace {
                self.eat(TokenKind::Semi);
                return;
            }
            if self.tokens[self.pos - 1].kind == TokenKind::Semi {
                return;
            }
            let token = self.token();
            match token.kind {
                TokenKind::Eof => return,
                TokenKind::LBrace | TokenKind::LParen | TokenKind::LBracket => self.skip_group(),
                _ if token.place() == Place::Margin && self.starts_type(self.pos) => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    // Messages.

    /// Returns the name of a token for messages.
    pub(super) fn describe(&self, index: usize) -> String {
        let token = self.tokens[index.min(self.tokens.len() - 1)];
        match token.kind {
            TokenKind::Eof | TokenKind::Number | TokenKind::Char | TokenKind::String => {
                let article = if token.kind == TokenKind::Eof { "the" } else { "a" };
                format!("{article} {}", token.kind.text())
            }
            kind if kind.is_word() => format!("`{}`", self.ast.names.name(self.symbol(token))),
            kind => format!("`{}`", kind.text()),
        }
    }

    /// Reports that something else should stand here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Reported {
        self.unexpected_as(codes::UNEXPECTED_TOKEN, expected)
    }

    pub(super) fn unexpected_as(&mut self, code: Code, expected: &str) -> Reported {
        if self.halted {
            return Reported;
        }
        if let Some(reported) = self.diagnose_cplusplus() {
            return reported;
        }
        if self.at(TokenKind::Eof) {
            return self.unexpected_end(expected);
        }
        let found = self.describe(self.pos);
        let span = self.token().span();
        self.report(Diagnostic::error(code, span, format!("expected {expected}, found {found}")));
        Reported
    }

    /// The file ends within something: that is what matters, and where it began.
    fn unexpected_end(&mut self, expected: &str) -> Reported {
        let span = self.end_span();
        let mut diagnostic = Diagnostic::error(
            codes::UNEXPECTED_TOKEN,
            span,
            format!("expected {expected}, found the end of the file"),
        );
        if let Some(open) = self.last_unclosed() {
            let bracket = self.tokens[open];
            diagnostic = Diagnostic::error(
                codes::UNBALANCED,
                span,
                format!("the file ends where {expected} was expected"),
            )
            .label(bracket.span(), format!("this `{}` has no partner", bracket.kind.text()));
        }
        self.report(diagnostic);
        self.halt();
        Reported
    }

    /// The end of the last token of the file, where something is missing.
    fn end_span(&self) -> Span {
        match self.tokens.len().checked_sub(2) {
            Some(last) => Span::at(self.tokens[last].hi()),
            None => self.token().span(),
        }
    }

    /// The innermost bracket that is open at the end of the file.
    fn last_unclosed(&self) -> Option<usize> {
        let tokens = self.tokens;
        let brackets = self.brackets();
        (0..tokens.len()).rev().find(|&index| {
            matches!(
                tokens[index].kind,
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace
            ) && brackets.partners[index] == 0
        })
    }

    /// Consumes a token that has to be here.
    pub(super) fn expect(&mut self, kind: TokenKind, context: &str) -> PResult<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        Err(self.unexpected(format!("`{}` {context}", kind.text()).trim_end()))
    }

    /// Consumes the closing bracket of `open`.
    pub(super) fn expect_close(
        &mut self,
        kind: TokenKind,
        open: Token,
        context: &str,
    ) -> PResult<()> {
        if self.at(kind) {
            self.bump();
            return Ok(());
        }
        if self.halted {
            return Err(Reported);
        }
        if let Some(reported) = self.diagnose_cplusplus() {
            return Err(reported);
        }
        let close = kind.text();
        let opener = open.kind.text();
        if self.at(TokenKind::Eof) {
            let span = self.end_span();
            let mut diagnostic = Diagnostic::error(
                codes::UNBALANCED,
                span,
                format!("this file ends before a `{opener}` is closed"),
            )
            .label(open.span(), format!("this `{opener}` has no partner"));
            if kind == TokenKind::RBrace
                && let Some((opened, closed)) = self.suspicious_braces()
            {
                diagnostic = diagnostic
                    .label(opened, "this `{` is the likely culprit...")
                    .label(closed, "...as the indentation of its `}` differs");
            }
            self.report(diagnostic);
            self.halt();
            return Err(Reported);
        }
        let found = self.describe(self.pos);
        let span = self.token().span();
        let expected = format!("`{close}` {context}");
        let diagnostic = Diagnostic::error(
            codes::UNEXPECTED_TOKEN,
            span,
            format!("expected {}, found {found}", expected.trim_end()),
        )
        .label(open.span(), format!("to close this `{opener}`"));
        self.report(diagnostic);
        // `if (x {`: the parenthesis was forgotten, the rest is fine.
        if kind == TokenKind::RParen && self.at(TokenKind::LBrace) && !self.halted {
            return Ok(());
        }
        Err(Reported)
    }

    /// A block whose braces are on lines of different indentation: the place where one is missing is near.
    fn suspicious_braces(&self) -> Option<(Span, Span)> {
        let tokens = self.tokens;
        let brackets = self.brackets();
        // The first token of the line of each opening brace tells the indentation of its block, as far as the tokens
        // can tell: at the margin or not.
        let mut line_place = Place::Margin;
        let mut found = None;
        for (index, token) in tokens.iter().enumerate() {
            if token.first_on_line() {
                line_place = token.place();
            }
            if token.kind == TokenKind::LBrace && line_place == Place::First {
                let partner = brackets.partners[index] as usize;
                if partner > index && tokens[partner].place() == Place::Margin {
                    found = Some((token.span(), tokens[partner].span()));
                }
            }
        }
        found
    }

    /// Consumes the semicolon after something. If it is missing but what follows looks like the next thing, goes on as
    /// if it were there.
    pub(super) fn expect_semi(&mut self, after: &str) -> PResult<()> {
        if self.at(TokenKind::Semi) {
            self.bump();
            return Ok(());
        }
        if self.halted {
            return Err(Reported);
        }
        if let Some(reported) = self.diagnose_cplusplus() {
            return Err(reported);
        }
        let token = self.token();
        let found = self.describe(self.pos);
        if matches!(token.kind, TokenKind::RParen | TokenKind::RBracket) {
            self.report(Diagnostic::error(
                codes::UNBALANCED,
                token.span(),
                format!("this {found} closes nothing"),
            ));
            return Err(Reported);
        }
        // What is missing is best seen where it should stand, not on a line further down.
        let place = Span::at(self.prev_hi);
        let next = matches!(token.kind, TokenKind::RBrace | TokenKind::Eof)
            || token.first_on_line()
            || token.kind.class() == Class::Statement;
        let diagnostic = if next {
            Diagnostic::error(
                codes::MISSING_SEMICOLON,
                place,
                format!("expected `;` after {after}, found {found}"),
            )
            .primary_label("add `;` here")
            .label(token.span(), "unexpected token")
        } else {
            Diagnostic::error(
                codes::UNEXPECTED_TOKEN,
                token.span(),
                format!("expected `;` after {after}, found {found}"),
            )
        };
        self.report(diagnostic);
        if next && !self.halted { Ok(()) } else { Err(Reported) }
    }

    pub(super) fn expected_expression(&mut self) -> Reported {
        if self.halted {
            return Reported;
        }
        if self.at(TokenKind::LBracket) {
            // `[](`, `[=](`, `[&](`, `[x](`
            let close = if self.kind_ahead(1) == TokenKind::RBracket { 1 } else { 2 };
            if self.kind_ahead(close) == TokenKind::RBracket
                && matches!(self.kind_ahead(close + 1), TokenKind::LParen | TokenKind::LBrace)
            {
                return self.cplusplus(self.token().span(), "a lambda expression");
            }
        }
        if let Some(reported) = self.diagnose_cplusplus() {
            return reported;
        }
        if self.at(TokenKind::Eof) {
            return self.unexpected_end("an expression");
        }
        let found = self.describe(self.pos);
        let span = self.token().span();
        let mut diagnostic = Diagnostic::error(
            codes::EXPECTED_EXPRESSION,
            span,
            format!("expected an expression, found {found}"),
        );
        if self.at(TokenKind::LBrace) {
            diagnostic = diagnostic
                .help("a braced list is only an initialiser; write `(type){ ... }` for a value of that type");
        } else if self.kind().class() == Class::Specifier {
            diagnostic = diagnostic.note("this begins a type, not a value");
        }
        self.report(diagnostic);
        Reported
    }

    pub(super) fn expected_declarator(&mut self) -> Reported {
        if self.halted {
            return Reported;
        }
        if let Some(reported) = self.diagnose_cplusplus() {
            return reported;
        }
        let found = self.describe(self.pos);
        if self.at(TokenKind::Eof) {
            return self.unexpected_end("a name to declare");
        }
        let token = self.token();
        // `struct s { ... }` without a semicolon, before the next declaration.
        if self.pos > 0
            && self.tokens[self.pos - 1].kind == TokenKind::RBrace
            && token.kind.class() == Class::Specifier
        {
            let place = Span::at(self.prev_hi);
            self.report(
                Diagnostic::error(
                    codes::MISSING_SEMICOLON,
                    place,
                    format!("expected `;`, found {found}"),
                )
                .primary_label("add `;` here"),
            );
            return Reported;
        }
        let mut diagnostic = Diagnostic::error(
            codes::EXPECTED_DECLARATOR,
            token.span(),
            format!("expected a name to declare, found {found}"),
        );
        if token.kind.is_word() {
            diagnostic = diagnostic.note(format!("{found} is a keyword and cannot be a name"));
        }
        self.report(diagnostic);
        Reported
    }

    pub(super) fn expected_parameter(&mut self) -> Reported {
        if self.halted || self.at(TokenKind::Eof) || self.kind().class() != Class::Expression {
            return self.unexpected_as(codes::EXPECTED_DECLARATION, "a parameter");
        }
        let found = self.describe(self.pos);
        let span = self.token().span();
        self.report(
            Diagnostic::error(
                codes::EXPECTED_DECLARATION,
                span,
                format!("expected a parameter, found {found}"),
            )
            .note("what looks like a call is a declaration here")
            .help("if it is a macro, include the header that defines it and preprocess the file"),
        );
        Reported
    }

    pub(super) fn expected_declaration(&mut self) -> Reported {
        if self.halted {
            return Reported;
        }
        if let Some(reported) = self.diagnose_cplusplus() {
            return reported;
        }
        let found = self.describe(self.pos);
        let span = self.token().span();
        let mut diagnostic = Diagnostic::error(
            codes::EXPECTED_DECLARATION,
            span,
            format!("expected a declaration, found {found}"),
        );
        if self.kind().class() == Class::Statement {
            diagnostic = diagnostic
                .note("statements stand in functions only; a `}` above may close one too early");
        }
        self.report(diagnostic);
        Reported
    }
}
