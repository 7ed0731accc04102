//! Implications and quantifiers of verifiers' C: `a ==> b`, `__CPROVER_forall { T i; body }`, `__CPROVER_exists`.
//!
//! **Idea.** They become plain C while they are parsed, so that every later stage has its meaning for nothing. A
//! quantifier is a statement expression with a loop over the range that its body names: the bounds are read off the
//! comparisons of the variable in `range ==> claim` (of `exists`, in `range && claim`), all of which stay conditions of
//! the round. A variable without both bounds is reported.
//!
//! **Polarity.** Where a quantifier stands in an assumption or a claim, no value is needed: an assumed `forall` assumes
//! each instance, a claimed one is a claim about one instance that is chosen anyhow (skolemisation); for `exists` it is
//! the other way round. `&&` and `==>` are split on the way there. Everything else keeps the loop and its value.

use super::contract::Claim;
use super::{PResult, Parser};
use crate::ast::{
    BinaryOp, DeclId, DeclKind, ExprId, ExprKind, KeywordConst, StmtId, StmtKind, UnaryOp,
};
use crate::codes;
use crate::intern::Symbol;
use crate::token::TokenKind;
use vergo_source::{Diagnostic, Precedence};

/// A quantifier as it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantifier {
    exists: bool,
    /// The declaration of the variable.
    decl: DeclId,
    var: Symbol,
    /// The bounds with which the variable is compared from below, without which it begins with the least value of its type, and
    /// above; whether the upper bound is among the values.
    low: Option<ExprId>,
    high: ExprId,
    closed: bool,
    /// The condition of a round, and what is said of it.
    range: ExprId,
    claim: ExprId,
}

impl Parser<'_> {
    /// Returns whether `==>` is here: nothing else can begin with these tokens.
    pub(super) fn at_implication(&self) -> bool {
        self.at(TokenKind::EqEq)
            && self.kind_ahead(1) == TokenKind::Gt
            && self.tokens[self.pos].hi() == self.tokens[self.pos + 1].lo
    }

    /// Binary operators and, weaker than all of them, implications, which associate to the right.
    pub(super) fn implication(&mut self) -> PResult<ExprId> {
        let mut operands = vec![self.binary(Precedence::LogicalOr)?];
        while self.at_implication() {
            self.check_chain(operands.len())?;
            self.bump();
            self.bump();
            operands.push(self.binary(Precedence::LogicalOr)?);
        }
        let mut last = operands.pop().expect("there is one");
        while let Some(premise) = operands.pop() {
            let lo = self.ast.exprs[premise].span.lo;
            let not = self.expr_node(lo, ExprKind::Unary(UnaryOp::Not, premise));
            last = self.expr_node(lo, ExprKind::Binary(BinaryOp::LogOr, not, last));
            self.annotations.implications.insert(last, premise);
        }
        Ok(last)
    }

    /// `__CPROVER_forall { T i; body }` and `__CPROVER_exists { T i; body }`.
    pub(super) fn quantifier(&mut self) -> PResult<ExprId> {
        let lo = self.lo();
        let exists = self.effective(self.pos) == TokenKind::Exists;
        self.bump();
        let open = self.expect(TokenKind::LBrace, "after the quantifier")?;
        self.scopes.enter();
        let parts = self.nested(|parser| {
            let decl = parser.declaration(super::decl::DeclPlace::Block)?;
            let body = parser.expr()?;
            parser.eat(TokenKind::Semi);
            Ok((decl, body))
        });
        self.scopes.leave();
        let (decl, body) = parts?;
        self.expect_close(TokenKind::RBrace, open, "at the end of the quantifier")?;
        let span = self.span_from(lo);
        let Some(quantifier) = self.bounded(exists, decl, body) else {
            self.report(
                Diagnostic::error(
                    codes::UNBOUNDED_QUANTIFIER,
                    span,
                    "the variable of this quantifier has no plain range",
                )
                .help("write `low <= i && i < high ==> claim`, for `exists` with `&&`"),
            );
            return Ok(self.expr_node(lo, ExprKind::Error));
        };
        let value = self.quantifier_value(lo, &quantifier);
        self.annotations.quantifiers.insert(value, quantifier);
        Ok(value)
    }

    /// A quantifier whose body names the range of its one variable.
    fn bounded(&self, exists: bool, decl: DeclId, body: ExprId) -> Option<Quantifier> {
        let DeclKind::Vars { declarators, .. } = self.ast.decls[decl].kind else { return None };
        let &[one] = self.ast.init_declarator_lists.get(declarators) else { return None };
        let (var, _) = self.ast.declarators[one.declarator].name?;
        let (range, claim) = if exists {
            (body, body)
        } else {
            let body = self.without_parens(body);
            match self.ast.exprs[body].kind {
                ExprKind::Binary(BinaryOp::LogOr, not, claim) => {
                    match self.ast.exprs[self.without_parens(not)].kind {
                        ExprKind::Unary(UnaryOp::Not, range) => (range, claim),
                        _ => return None,
                    }
                }
                _ => return None,
            }
        };
        let (mut low, mut high, mut closed) = (None, None, false);
        let mut conjuncts = vec![range];
        while let Some(conjunct) = conjuncts.pop() {
            let conjunct = self.without_parens(conjunct);
            let ExprKind::Binary(op, a, b) = self.ast.exprs[conjunct].kind else { continue };
            if op == BinaryOp::LogAnd {
                conjuncts.extend([b, a]);
                continue;
            }
            let is_var = |expr| {
                let expr = self.without_parens(expr);
                matches!(self.ast.exprs[expr].kind, ExprKind::Name(name) if name == var)
            };
            // The comparison with the variable on its left.
            let (op, bound) = match (is_var(a), is_var(b)) {
                (true, false) => (op, b),
                (false, true) => match op {
                    BinaryOp::Lt => (BinaryOp::Gt, a),
                    BinaryOp::Le => (BinaryOp::Ge, a),
                    BinaryOp::Gt => (BinaryOp::Lt, a),
                    BinaryOp::Ge => (BinaryOp::Le, a),
                    _ => continue,
                },
                _ => continue,
            };
            if self.may_mention(bound, var) {
                continue;
            }
            match op {
                BinaryOp::Ge | BinaryOp::Gt => low = low.or(Some(bound)),
                BinaryOp::Lt if high.is_none() => (high, closed) = (Some(bound), false),
                BinaryOp::Le if high.is_none() => (high, closed) = (Some(bound), true),
                _ => {}
            }
        }
        Some(Quantifier { exists, decl, var, low, high: high?, closed, range, claim })
    }

    pub(super) fn without_parens(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.ast.exprs[expr].kind {
            expr = inner;
        }
        expr
    }

    /// Returns whether a name can occur in an expression; parts that are not looked into may mention anything.
    fn may_mention(&self, expr: ExprId, name: Symbol) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match self.ast.exprs[expr].kind {
                ExprKind::Name(other) if other == name => return true,
                ExprKind::Name(_)
                | ExprKind::Number
                | ExprKind::Char
                | ExprKind::Keyword(_)
                | ExprKind::SizeofType(_)
                | ExprKind::AlignofType(_) => {}
                ExprKind::Paren(a)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a)
                | ExprKind::SizeofExpr(a)
                | ExprKind::Member(a, _)
                | ExprKind::Arrow(a, _) => pending.push(a),
                ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => pending.extend([a, b]),
                ExprKind::Cond(a, b, c) => {
                    pending.extend([Some(a), b, Some(c)].into_iter().flatten())
                }
                ExprKind::Call(callee, args) => {
                    pending.push(callee);
                    pending.extend(self.ast.expr_lists.get(args));
                }
                _ => return true,
            }
        }
        false
    }

    /// A loop over the range; `round` is done for each value in it.
    fn range_loop(&mut self, lo: u32, of: &Quantifier, round: StmtId) -> Vec<StmtId> {
        let decl = self.stmt_node(lo, StmtKind::Decl(of.decl));
        let var = self.expr_node(lo, ExprKind::Name(of.var));
        let start = match of.low {
            Some(low) => self.expr_node(lo, ExprKind::Assign(None, var, low)),
            None => {
                let address = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, var));
                self.call_node(lo, "__vergo_least", vec![address])
            }
        };
        let start = self.stmt_node(lo, StmtKind::Expr(start));
        let op = if of.closed { BinaryOp::Le } else { BinaryOp::Lt };
        let cond = self.expr_node(lo, ExprKind::Binary(op, var, of.high));
        // By this variable, symbolic execution knows what kind of a loop it is.
        let is_range = self.fresh_name("range");
        let yes = self.expr_node(lo, ExprKind::Keyword(KeywordConst::True));
        let marked = self.bool_declaration(lo, is_range, yes);
        let is_range = self.expr_node(lo, ExprKind::Name(is_range));
        let cond = self.expr_node(lo, ExprKind::Binary(BinaryOp::LogAnd, is_range, cond));
        let round = self.stmt_node(lo, StmtKind::If(of.range, round, None));
        // The last value of the type has no successor.
        let one = self.expr_node(lo, ExprKind::Keyword(KeywordConst::True));
        let address = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, var));
        let beyond = self.call_node(lo, "__builtin_add_overflow", vec![var, one, address]);
        let leave = self.stmt_node(lo, StmtKind::Break);
        let next = self.stmt_node(lo, StmtKind::If(beyond, leave, None));
        let body = self.block(lo, vec![round, next]);
        let all = StmtKind::For { init: None, cond: Some(cond), step: None, body };
        vec![decl, start, marked, self.stmt_node(lo, all)]
    }

    /// The value of a quantifier: what all rounds say.
    fn quantifier_value(&mut self, lo: u32, of: &Quantifier) -> ExprId {
        let (before, after) = match of.exists {
            true => (KeywordConst::False, KeywordConst::True),
            false => (KeywordConst::True, KeywordConst::False),
        };
        let result = self.fresh_name("quantified");
        let first = self.expr_node(lo, ExprKind::Keyword(before));
        let mut stmts = vec![self.bool_declaration(lo, result, first)];
        let name = self.expr_node(lo, ExprKind::Name(result));
        let decides = match of.exists {
            true => of.claim,
            false => self.expr_node(lo, ExprKind::Unary(UnaryOp::Not, of.claim)),
        };
        let value = self.expr_node(lo, ExprKind::Keyword(after));
        let set = self.expr_node(lo, ExprKind::Assign(None, name, value));
        let set = self.stmt_node(lo, StmtKind::Expr(set));
        let round = self.stmt_node(lo, StmtKind::If(decides, set, None));
        stmts.extend(self.range_loop(lo, of, round));
        stmts.push(self.stmt_node(lo, StmtKind::Expr(name)));
        let block = self.block(lo, stmts);
        self.expr_node(lo, ExprKind::StmtExpr(block))
    }

    /// Returns whether a quantifier stands where it can be split off.
    fn has_quantifier(&self, expr: ExprId) -> bool {
        if self.annotations.quantifiers.is_empty() {
            return false;
        }
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if self.annotations.quantifiers.contains_key(&expr) {
                return true;
            }
            match self.ast.exprs[expr].kind {
                ExprKind::Paren(a) => pending.push(a),
                ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, a, b) => {
                    pending.extend([a, b])
                }
                _ => {}
            }
        }
        false
    }

    /// `assume(e)`, `assert(e)` and their like as statements, if there is a quantifier to split off.
    pub(super) fn split_claim(&mut self, expr: ExprId) -> Option<StmtId> {
        let ExprKind::Call(callee, args) = self.ast.exprs[expr].kind else { return None };
        let ExprKind::Name(name) = self.ast.exprs[self.without_parens(callee)].kind else {
            return None;
        };
        let assumes = match self.ast.names.name(name) {
            "__CPROVER_assume" | "__VERIFIER_assume" => true,
            "__CPROVER_assert"
            | "__CPROVER_precondition"
            | "__CPROVER_postcondition"
            | "__VERIFIER_assert" => false,
            _ => return None,
        };
        let args = self.ast.expr_lists.get(args).to_vec();
        let &condition = args.first()?;
        if !self.has_quantifier(condition) {
            return None;
        }
        let claim = Claim { assumes, callee, more: args[1..].to_vec() };
        Some(self.claim_statement(condition, &claim))
    }

    /// An assumption or a claim, with quantifiers as polarity allows.
    pub(super) fn claim_statement(&mut self, expr: ExprId, claim: &Claim) -> StmtId {
        let lo = self.ast.exprs[expr].span.lo;
        if let Some(&of) = self.annotations.quantifiers.get(&expr) {
            match (of.exists, claim.assumes) {
                (false, true) => {
                    let round = self.claim_statement(of.claim, claim);
                    let stmts = self.range_loop(lo, &of, round);
                    return self.block(lo, stmts);
                }
                (true, true) | (false, false) => return self.one_instance(lo, &of, claim),
                // One of many: only the value says whether there is one.
                (true, false) => {}
            }
        } else if self.has_quantifier(expr) {
            match self.ast.exprs[expr].kind {
                ExprKind::Paren(inner) => return self.claim_statement(inner, claim),
                ExprKind::Binary(BinaryOp::LogAnd, a, b) => {
                    let stmts =
                        vec![self.claim_statement(a, claim), self.claim_statement(b, claim)];
                    return self.block(lo, stmts);
                }
                ExprKind::Binary(BinaryOp::LogOr, _, then) => {
                    if let Some(&premise) = self.annotations.implications.get(&expr)
                        && !self.has_quantifier(premise)
                    {
                        let then = self.claim_statement(then, claim);
                        return self.stmt_node(lo, StmtKind::If(premise, then, None));
                    }
                }
                _ => {}
            }
        }
        let span = self.ast.exprs[expr].span;
        let mut args = vec![expr];
        args.extend(&claim.more);
        let args = self.ast.expr_lists.push(args);
        let kind = ExprKind::Call(claim.callee, args);
        let call = self.ast.exprs.push(crate::ast::Expr { span, kind });
        self.ast.stmts.push(crate::ast::Stmt { span, kind: StmtKind::Expr(call) })
    }

    /// One instance, chosen anyhow: a claimed `forall`, an assumed `exists`.
    fn one_instance(&mut self, lo: u32, of: &Quantifier, claim: &Claim) -> StmtId {
        let decl = self.stmt_node(lo, StmtKind::Decl(of.decl));
        let var = self.expr_node(lo, ExprKind::Name(of.var));
        let address = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, var));
        let any = self.call_node(lo, "__vergo_any", vec![address]);
        let any = self.stmt_node(lo, StmtKind::Expr(any));
        let instance = self.claim_statement(of.claim, claim);
        let instance = match of.exists {
            true => instance,
            false => self.stmt_node(lo, StmtKind::If(of.range, instance, None)),
        };
        self.block(lo, vec![decl, any, instance])
    }
}
