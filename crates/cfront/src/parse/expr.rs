//! Expressions.

use super::scope::Meaning;
use super::{PResult, Parser, gather};
use crate::ast::{
    BinaryOp, Designator, ExprId, ExprKind, GenericAssoc, KeywordConst, TypeNameId, UnaryOp,
};
use crate::codes;
use crate::pool::List;
use crate::token::{Class, TokenKind};
use vergo_source::{Diagnostic, Precedence, Span};

/// A prefix operator whose operand is still to come.
#[derive(Clone, Copy)]
pub(super) struct Prefix {
    lo: u32,
    kind: PrefixKind,
}

#[derive(Clone, Copy)]
enum PrefixKind {
    Op(UnaryOp),
    Cast(TypeNameId),
    Sizeof,
    Alignof,
}

/// An assignment or a conditional whose last operand is still to come.
#[derive(Clone, Copy)]
pub(super) enum Pending {
    Assign(Option<BinaryOp>, ExprId),
    Cond(ExprId, Option<ExprId>),
}

/// Binary operators with their precedence; the comma and assignments are not among them.
fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, Precedence)> {
    use TokenKind as T;
    let op = match kind {
        T::PipePipe => BinaryOp::LogOr,
        T::AmpAmp => BinaryOp::LogAnd,
        T::Pipe => BinaryOp::BitOr,
        T::Caret => BinaryOp::BitXor,
        T::Amp => BinaryOp::BitAnd,
        T::EqEq => BinaryOp::Eq,
        T::Ne => BinaryOp::Ne,
        T::Lt => BinaryOp::Lt,
        T::Gt => BinaryOp::Gt,
        T::Le => BinaryOp::Le,
        T::Ge => BinaryOp::Ge,
        T::Shl => BinaryOp::Shl,
        T::Shr => BinaryOp::Shr,
        T::Plus => BinaryOp::Add,
        T::Minus => BinaryOp::Sub,
        T::Star => BinaryOp::Mul,
        T::Slash => BinaryOp::Div,
        T::Percent => BinaryOp::Rem,
        _ => return None,
    };
    Some((op, Precedence::of_binary(kind.text())?))
}

/// Assignment operators; the inner option is the operation of a compound assignment.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    use TokenKind as T;
    Some(match kind {
        T::Eq => None,
        T::StarEq => Some(BinaryOp::Mul),
        T::SlashEq => Some(BinaryOp::Div),
        T::PercentEq => Some(BinaryOp::Rem),
        T::PlusEq => Some(BinaryOp::Add),
        T::MinusEq => Some(BinaryOp::Sub),
        T::ShlEq => Some(BinaryOp::Shl),
        T::ShrEq => Some(BinaryOp::Shr),
        T::AmpEq => Some(BinaryOp::BitAnd),
        T::CaretEq => Some(BinaryOp::BitXor),
        T::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, the comma included.
    pub(super) fn expr(&mut self) -> PResult<ExprId> {
        let mut lhs = self.assign()?;
        let mut length = 0;
        while self.at(TokenKind::Comma) {
            length += 1;
            self.check_chain(length)?;
            self.bump();
            let rhs = self.assign()?;
            lhs = self.binary_node(BinaryOp::Comma, lhs, rhs);
        }
        Ok(lhs)
    }

    /// An assignment expression.
    pub(super) fn assign(&mut self) -> PResult<ExprId> {
        let operand = self.implication()?;
        // Most operands stand alone.
        if !self.at(TokenKind::Question) && assignment_operator(self.kind()).is_none() {
            return Ok(operand);
        }
        let mark = self.scratch.pending.len();
        let result = self.assign_chain(operand, mark, true);
        self.scratch.pending.truncate(mark);
        result
    }

    /// A conditional expression: what constant expressions are.
    pub(super) fn conditional(&mut self) -> PResult<ExprId> {
        let operand = self.implication()?;
        if !self.at(TokenKind::Question) {
            return Ok(operand);
        }
        let mark = self.scratch.pending.len();
        let result = self.assign_chain(operand, mark, false);
        self.scratch.pending.truncate(mark);
        result
    }

    /// Assignments and conditionals, which associate to the right, after their first operand.
    fn assign_chain(
        &mut self,
        mut operand: ExprId,
        mark: usize,
        assignments: bool,
    ) -> PResult<ExprId> {
        loop {
            self.check_chain(self.scratch.pending.len() - mark)?;
            if let Some(op) = assignment_operator(self.kind())
                && assignments
            {
                // The last operand of a conditional is no assignment: `c ? a : b = d` assigns to the conditional,
                // which the analysis rejects.
                while self.scratch.pending.len() > mark
                    && let Some(&Pending::Cond(..)) = self.scratch.pending.last()
                {
                    operand = self.fold_pending(operand);
                }
                self.bump();
                self.scratch.pending.push(Pending::Assign(op, operand));
            } else if self.at(TokenKind::Question) {
                self.bump();
                let then = if self.at(TokenKind::Colon) {
                    None
                } else {
                    Some(self.nested(|parser| parser.expr())?)
                };
                self.expect(TokenKind::Colon, "in the conditional expression")?;
                self.scratch.pending.push(Pending::Cond(operand, then));
            } else {
                break;
            }
            operand = self.implication()?;
        }
        while self.scratch.pending.len() > mark {
            operand = self.fold_pending(operand);
        }
        Ok(operand)
    }

    /// Completes the innermost pending assignment or conditional.
    fn fold_pending(&mut self, last: ExprId) -> ExprId {
        let (first, kind) = match self.scratch.pending.pop() {
            Some(Pending::Assign(op, target)) => (target, ExprKind::Assign(op, target, last)),
            Some(Pending::Cond(cond, then)) => (cond, ExprKind::Cond(cond, then, last)),
            None => return last,
        };
        let lo = self.ast.exprs[first].span.lo;
        self.expr_node(lo, kind)
    }

    fn binary_node(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let lo = self.ast.exprs[lhs].span.lo;
        self.expr_node(lo, ExprKind::Binary(op, lhs, rhs))
    }

    /// Binary operators of at least the given precedence. The recursion is bounded by the number of precedences.
    pub(super) fn binary(&mut self, min: Precedence) -> PResult<ExprId> {
        let mut lhs = self.unary()?;
        let mut length = 0;
        while let Some((op, precedence)) = binary_operator(self.kind()) {
            if precedence < min || self.at_implication() {
                break;
            }
            length += 1;
            self.check_chain(length)?;
            self.bump();
            let rhs = self.binary(precedence.tighter())?;
            lhs = self.binary_node(op, lhs, rhs);
        }
        Ok(lhs)
    }

    /// Returns whether the token after an opening parenthesis begins a type name.
    pub(super) fn type_in_parens(&self) -> bool {
        self.at(TokenKind::LParen) && self.starts_type(self.pos + 1)
    }

    /// Prefix operators, casts and `sizeof` with their operand.
    pub(super) fn unary(&mut self) -> PResult<ExprId> {
        match self.kind() {
            TokenKind::Ident if self.scopes.meaning(self.symbol(self.token())) != Meaning::Soft => {
                return self.postfix();
            }
            TokenKind::Number | TokenKind::String | TokenKind::Char => return self.postfix(),
            _ => {}
        }
        let mark = self.scratch.prefixes.len();
        let result = self.unary_chain(mark);
        self.scratch.prefixes.truncate(mark);
        result
    }

    fn unary_chain(&mut self, mark: usize) -> PResult<ExprId> {
        use TokenKind as T;
        let mut operand = loop {
            self.check_chain(self.scratch.prefixes.len() - mark)?;
            let lo = self.lo();
            let op = match self.effective(self.pos) {
                T::PlusPlus => UnaryOp::PreInc,
                T::MinusMinus => UnaryOp::PreDec,
                T::Amp => UnaryOp::AddrOf,
                T::Star => UnaryOp::Deref,
                T::Plus => UnaryOp::Plus,
                T::Minus => UnaryOp::Neg,
                T::Tilde => UnaryOp::BitNot,
                T::Bang => UnaryOp::Not,
                T::Real => UnaryOp::Real,
                T::Imag => UnaryOp::Imag,
                T::Extension => UnaryOp::Extension,
                T::AmpAmp => {
                    self.bump();
                    let (label, _) = self.ident("a label after `&&`")?;
                    break self.expr_node(lo, ExprKind::LabelAddr(label));
                }
                kind @ (T::Sizeof | T::Alignof) => {
                    self.bump();
                    let prefix =
                        if kind == T::Sizeof { PrefixKind::Sizeof } else { PrefixKind::Alignof };
                    if !self.type_in_parens() {
                        self.scratch.prefixes.push(Prefix { lo, kind: prefix });
                        continue;
                    }
                    let open = self.lo();
                    let ty = self.parenthesised_type()?;
                    if self.at(T::LBrace) {
                        self.scratch.prefixes.push(Prefix { lo, kind: prefix });
                        break self.compound_literal(open, ty)?;
                    }
                    let kind = if kind == T::Sizeof {
                        ExprKind::SizeofType(ty)
                    } else {
                        ExprKind::AlignofType(ty)
                    };
                    break self.expr_node(lo, kind);
                }
                T::LParen if self.type_in_parens() => {
                    let ty = self.parenthesised_type()?;
                    if self.at(T::LBrace) {
                        break self.compound_literal(lo, ty)?;
                    }
                    self.scratch.prefixes.push(Prefix { lo, kind: PrefixKind::Cast(ty) });
                    continue;
                }
                _ => break self.postfix()?,
            };
            self.bump();
            self.scratch.prefixes.push(Prefix { lo, kind: PrefixKind::Op(op) });
        };
        while self.scratch.prefixes.len() > mark
            && let Some(prefix) = self.scratch.prefixes.pop()
        {
            let kind = match prefix.kind {
                PrefixKind::Op(op) => ExprKind::Unary(op, operand),
                PrefixKind::Cast(ty) => ExprKind::Cast(ty, operand),
                PrefixKind::Sizeof => ExprKind::SizeofExpr(operand),
                PrefixKind::Alignof => ExprKind::AlignofExpr(operand),
            };
            operand = self.expr_node(prefix.lo, kind);
        }
        Ok(operand)
    }

    /// `( type )`
    pub(super) fn parenthesised_type(&mut self) -> PResult<TypeNameId> {
        let open = self.expect(TokenKind::LParen, "before the type")?;
        let ty = self.type_name()?;
        self.expect_close(TokenKind::RParen, open, "after the type")?;
        Ok(ty)
    }

    /// The braces of a compound literal and what follows it.
    fn compound_literal(&mut self, lo: u32, ty: TypeNameId) -> PResult<ExprId> {
        let init = self.braced_init()?;
        let literal = self.expr_node(lo, ExprKind::CompoundLiteral(ty, init));
        self.postfix_operators(literal)
    }

    fn postfix(&mut self) -> PResult<ExprId> {
        let base = self.primary()?;
        self.postfix_operators(base)
    }

    fn postfix_operators(&mut self, mut base: ExprId) -> PResult<ExprId> {
        let lo = self.ast.exprs[base].span.lo;
        let mut length = 0;
        loop {
            let kind = match self.kind() {
                TokenKind::LBracket => {
                    let open = self.bump();
                    let index = self.nested(|parser| parser.expr())?;
                    self.expect_close(TokenKind::RBracket, open, "after the index")?;
                    ExprKind::Index(base, index)
                }
                TokenKind::LParen => {
                    let args = self.arguments()?;
                    ExprKind::Call(base, args)
                }
                TokenKind::Dot => {
                    self.bump();
                    let (name, _) = self.ident("a member name after `.`")?;
                    ExprKind::Member(base, name)
                }
                TokenKind::Arrow => {
                    self.bump();
                    let (name, _) = self.ident("a member name after `->`")?;
                    ExprKind::Arrow(base, name)
                }
                TokenKind::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostInc, base)
                }
                TokenKind::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDec, base)
                }
                _ => return Ok(base),
            };
            length += 1;
            self.check_chain(length)?;
            base = self.expr_node(lo, kind);
        }
    }

    /// `( arguments )`
    fn arguments(&mut self) -> PResult<List<ExprId>> {
        let open = self.bump();
        if self.eat(TokenKind::RParen) {
            return Ok(List::EMPTY);
        }
        let (args, ()) = gather!(
            self,
            exprs,
            expr_lists,
            self.nested(|parser| loop {
                let arg = parser.assign()?;
                parser.scratch.exprs.push(arg);
                if !parser.eat(TokenKind::Comma) {
                    return Ok(());
                }
            })
        )?;
        self.expect_close(TokenKind::RParen, open, "after the arguments")?;
        Ok(args)
    }

    fn primary(&mut self) -> PResult<ExprId> {
        use TokenKind as T;
        let lo = self.lo();
        let kind = match self.effective(self.pos) {
            T::Ident => {
                let token = self.bump();
                let symbol = self.symbol(token);
                if let Some(earlier) = self.earlier_value(symbol)? {
                    return Ok(earlier);
                }
                ExprKind::Name(symbol)
            }
            T::Forall | T::Exists => return self.quantifier(),
            T::Number => {
                self.bump();
                ExprKind::Number
            }
            T::Char => {
                self.bump();
                ExprKind::Char
            }
            T::String => ExprKind::String(self.string_pieces()),
            T::LParen => return self.parenthesised(),
            T::True => self.keyword(KeywordConst::True),
            T::False => self.keyword(KeywordConst::False),
            T::Nullptr => self.keyword(KeywordConst::Nullptr),
            T::Generic => return self.generic(),
            T::VaArg => {
                self.bump();
                let open = self.expect(T::LParen, "after `__builtin_va_arg`")?;
                let list = self.nested(|parser| parser.assign())?;
                self.expect(T::Comma, "between the arguments of `__builtin_va_arg`")?;
                let ty = self.type_name()?;
                self.expect_close(T::RParen, open, "after the type")?;
                ExprKind::VaArg(list, ty)
            }
            T::Offsetof => return self.offsetof(),
            T::TypesCompatible => {
                self.bump();
                let open = self.expect(T::LParen, "after `__builtin_types_compatible_p`")?;
                let first = self.type_name()?;
                self.expect(T::Comma, "between the types")?;
                let second = self.type_name()?;
                self.expect_close(T::RParen, open, "after the types")?;
                ExprKind::TypesCompatible(first, second)
            }
            T::ChooseExpr => {
                self.bump();
                if !self.at(T::LParen) {
                    return Err(self.unexpected("`(` after `__builtin_choose_expr`"));
                }
                let args = self.arguments()?;
                if args.len() != 3 {
                    let span = self.span_from(lo);
                    self.report(Diagnostic::error(
                        codes::UNEXPECTED_TOKEN,
                        span,
                        format!("`__builtin_choose_expr` takes 3 arguments, not {}", args.len()),
                    ));
                    return Ok(self.expr_node(lo, ExprKind::Error));
                }
                ExprKind::ChooseExpr(args)
            }
            T::ConvertVector => {
                self.bump();
                let open = self.expect(T::LParen, "after `__builtin_convertvector`")?;
                let vector = self.nested(|parser| parser.assign())?;
                self.expect(T::Comma, "between the arguments of `__builtin_convertvector`")?;
                let ty = self.type_name()?;
                self.expect_close(T::RParen, open, "after the type")?;
                ExprKind::ConvertVector(vector, ty)
            }
            _ => return Err(self.expected_expression()),
        };
        Ok(self.expr_node(lo, kind))
    }

    fn keyword(&mut self, constant: KeywordConst) -> ExprKind {
        self.bump();
        ExprKind::Keyword(constant)
    }

    /// Adjacent string literals.
    pub(super) fn string_pieces(&mut self) -> List<Span> {
        let first = self.pos;
        while self.at(TokenKind::String) {
            self.bump();
        }
        let tokens = self.tokens;
        self.ast.span_lists.push(tokens[first..self.pos].iter().map(|token| token.span()))
    }

    /// `( expression )` or `({ ... })`; types have been ruled out.
    fn parenthesised(&mut self) -> PResult<ExprId> {
        let lo = self.lo();
        let open = self.bump();
        if self.at(TokenKind::LBrace) {
            let body = self.nested(|parser| parser.compound())?;
            self.expect_close(TokenKind::RParen, open, "after the statement expression")?;
            return Ok(self.expr_node(lo, ExprKind::StmtExpr(body)));
        }
        let inner = self.nested(|parser| parser.expr())?;
        self.expect_close(TokenKind::RParen, open, "")?;
        self.check_cast_to_unknown(inner)?;
        Ok(self.expr_node(lo, ExprKind::Paren(inner)))
    }

    /// `(name) operand` where the name is no type: what looks like a cast can only be one.
    fn check_cast_to_unknown(&mut self, inner: ExprId) -> PResult<()> {
        if let ExprKind::Name(name) = self.ast.exprs[inner].kind
            && self.scopes.meaning(name) == Meaning::Unknown
            && (matches!(self.kind(), TokenKind::Ident | TokenKind::LBrace)
                || self.kind().class() == Class::Expression)
        {
            let span = self.ast.exprs[inner].span;
            self.unknown_type(name, span);
            return Err(super::Reported);
        }
        Ok(())
    }

    fn generic(&mut self) -> PResult<ExprId> {
        let lo = self.lo();
        self.bump();
        let open = self.expect(TokenKind::LParen, "after `_Generic`")?;
        let (control, associations) = self.nested(|parser| {
            let control = parser.assign()?;
            let mut associations = Vec::new();
            while parser.eat(TokenKind::Comma) {
                let ty = if parser.eat(TokenKind::Default) {
                    None
                } else if parser.starts_type(parser.pos) {
                    Some(parser.type_name()?)
                } else {
                    return Err(parser.unexpected("a type or `default`"));
                };
                parser.expect(TokenKind::Colon, "after the type of an association")?;
                let expr = parser.assign()?;
                associations.push(GenericAssoc { ty, expr });
            }
            Ok((control, associations))
        })?;
        self.expect_close(TokenKind::RParen, open, "after the associations")?;
        let associations = self.ast.generic_lists.push(associations);
        Ok(self.expr_node(lo, ExprKind::Generic(control, associations)))
    }

    fn offsetof(&mut self) -> PResult<ExprId> {
        let lo = self.lo();
        self.bump();
        let open = self.expect(TokenKind::LParen, "after `__builtin_offsetof`")?;
        let ty = self.type_name()?;
        self.expect(TokenKind::Comma, "between the arguments of `__builtin_offsetof`")?;
        let (name, span) = self.ident("a member name")?;
        let mut designators = vec![Designator::Field(name, span)];
        loop {
            self.check_chain(designators.len())?;
            match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    let (name, span) = self.ident("a member name")?;
                    designators.push(Designator::Field(name, span));
                }
                TokenKind::LBracket => {
                    let open = self.bump();
                    let index = self.nested(|parser| parser.expr())?;
                    self.expect_close(TokenKind::RBracket, open, "after the index")?;
                    designators.push(Designator::Index(index));
                }
                _ => break,
            }
        }
        self.expect_close(TokenKind::RParen, open, "after the member")?;
        let designators = self.ast.designator_lists.push(designators);
        Ok(self.expr_node(lo, ExprKind::Offsetof(ty, designators)))
    }
}
