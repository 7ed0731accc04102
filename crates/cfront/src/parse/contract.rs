//! Contracts of functions and loops: `__CPROVER_requires`, `ensures`, `assigns`, `frees`, `loop_invariant`, `decreases`.
//!
//! **Idea.** They become plain C while they are parsed. The contract of a function `f` is a function `__vergo_contract_f`
//! with the parameters of `f`, which lowering puts in the place of `f` where it is asked to:
//!
//! ```text
//! preconditions; values that `old` names; what may be written; the call of `f`, or any effect; postconditions
//! ```
//!
//! Preconditions are assumed and postconditions claimed where `f` is checked against its contract
//! (`__vergo_is_enforced()`), the other way round where the contract stands for `f`. A loop with an invariant becomes,
//! where `Options::loop_contracts` says so, a claim of the invariant, any state that satisfies it, and one round:
//!
//! ```text
//! claim I; __vergo_loop_begin_k(); assume I; for (; __vergo_loop_head_k(), c; step, claim I, assume 0) body
//! ```
//!
//! A pass over the GOTO program replaces the markers: it finds what the loop writes and gives it any value. A clause
//! `assigns` of the loop becomes a marker too, with its targets, and a pass claims that the loop writes nothing else.

use super::quantifier::Quantifier;
use super::{PResult, Parser};
use crate::ast::{
    Basic, BinaryOp, Chunk, DeclKind, Declarator, DeclaratorId, ExprId, ExprKind, FunctionDef,
    Init, InitDeclarator, InitKind, KeywordConst, Param, Params, Quals, Specs, SpecsId, StmtId,
    StmtKind, Storage, TypeSpec, UnaryOp,
};
use crate::codes;
use crate::intern::Symbol;
use crate::pool::List;
use crate::token::TokenKind;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_source::{Diagnostic, Span};

/// The annotations that the parser remembers.
#[derive(Default)]
pub(super) struct Annotations {
    /// Implications with their premises.
    pub(super) implications: FxHashMap<ExprId, ExprId>,
    /// Quantifiers by their values.
    pub(super) quantifiers: FxHashMap<ExprId, Quantifier>,
    /// Contracts that are complete, as functions.
    pub(super) functions: Vec<FunctionDef>,
    /// The functions that have a contract: of several, the first counts.
    contracted: FxHashSet<Symbol>,
    /// In a clause: values from before that it names, under the names that they get.
    earlier: Option<Vec<(Symbol, ExprId)>>,
    n_names: u32,
    n_loops: u32,
}

/// The form of an assumption or a claim: the function and its further arguments.
pub(super) struct Claim {
    pub(super) assumes: bool,
    pub(super) callee: ExprId,
    pub(super) more: Vec<ExprId>,
}

/// A target that may be written: a place, or memory at a pointer.
#[derive(Clone, Copy)]
enum Target {
    Place(ExprId),
    Whole(ExprId),
    From(ExprId),
    Upto(ExprId, ExprId),
}

/// The clauses of a contract.
#[derive(Default)]
pub(super) struct Contract {
    requires: Vec<ExprId>,
    ensures: Vec<ExprId>,
    invariants: Vec<ExprId>,
    decreases: Vec<ExprId>,
    assigns: Vec<(Option<ExprId>, Target)>,
    frees: Vec<(Option<ExprId>, Target)>,
    earlier: Vec<(Symbol, ExprId)>,
    any: bool,
    /// There is a clause `assigns`, even if it names nothing.
    says_what_it_writes: bool,
}

impl Parser<'_> {
    // Nodes.

    /// A name that the program does not have.
    pub(super) fn fresh_name(&mut self, stem: &str) -> Symbol {
        self.annotations.n_names += 1;
        let name = format!("__vergo_{stem}_{}", self.annotations.n_names);
        self.ast.names.intern(&name)
    }

    pub(super) fn call_node(&mut self, lo: u32, name: &str, args: Vec<ExprId>) -> ExprId {
        let symbol = self.ast.names.intern(name);
        let callee = self.expr_node(lo, ExprKind::Name(symbol));
        let args = self.ast.expr_lists.push(args);
        self.expr_node(lo, ExprKind::Call(callee, args))
    }

    fn call_stmt(&mut self, lo: u32, name: &str, args: Vec<ExprId>) -> StmtId {
        let call = self.call_node(lo, name, args);
        self.stmt_node(lo, StmtKind::Expr(call))
    }

    pub(super) fn block(&mut self, lo: u32, stmts: Vec<StmtId>) -> StmtId {
        let list = self.ast.stmt_lists.push(stmts);
        self.stmt_node(lo, StmtKind::Compound(list))
    }

    fn plain_specs(&mut self, lo: u32, ty: TypeSpec) -> SpecsId {
        let (storage, quals) = (Storage::NONE, Quals::NONE);
        self.ast.specs.push(Specs { span: Span::at(lo), storage, quals, ty, attrs: List::EMPTY })
    }

    fn plain_declarator(&mut self, lo: u32, name: Symbol, chunks: List<Chunk>) -> DeclaratorId {
        let span = Span::at(lo);
        self.ast.declarators.push(Declarator {
            span,
            name: Some((name, span)),
            chunks,
            attrs: List::EMPTY,
            asm_name: List::EMPTY,
        })
    }

    fn variable(
        &mut self,
        lo: u32,
        specs: SpecsId,
        declarator: DeclaratorId,
        init: Option<ExprId>,
    ) -> StmtId {
        let init = init.map(|value| {
            self.ast.inits.push(Init { span: Span::at(lo), kind: InitKind::Expr(value) })
        });
        let declarators =
            self.ast.init_declarator_lists.push([InitDeclarator { declarator, init }]);
        let decl = self.decl_node(lo, DeclKind::Vars { specs, declarators });
        self.stmt_node(lo, StmtKind::Decl(decl))
    }

    pub(super) fn bool_declaration(&mut self, lo: u32, name: Symbol, value: ExprId) -> StmtId {
        let specs = self.plain_specs(lo, TypeSpec::Basic(Basic::Bool));
        let declarator = self.plain_declarator(lo, name, List::EMPTY);
        self.variable(lo, specs, declarator, Some(value))
    }

    /// The value of an expression, kept under a name; arrays too.
    fn snapshot(&mut self, lo: u32, name: Symbol, expr: ExprId) -> [StmtId; 2] {
        let specs = self.plain_specs(lo, TypeSpec::TypeofExpr { expr, unqual: true });
        let declarator = self.plain_declarator(lo, name, List::EMPTY);
        let declared = self.variable(lo, specs, declarator, None);
        let copy = self.expr_node(lo, ExprKind::Name(name));
        let plain = self.without_parens(expr);
        let is_place = matches!(
            self.ast.exprs[plain].kind,
            ExprKind::Unary(UnaryOp::Deref, _)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Arrow(..)
        );
        let set = if is_place {
            let to = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, copy));
            let from = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, expr));
            let size = self.expr_node(lo, ExprKind::SizeofExpr(copy));
            self.call_stmt(lo, "__builtin_memcpy", vec![to, from, size])
        } else {
            let set = self.expr_node(lo, ExprKind::Assign(None, copy, expr));
            self.stmt_node(lo, StmtKind::Expr(set))
        };
        [declared, set]
    }

    // Clauses.

    /// `__CPROVER_old(e)` and `__CPROVER_loop_entry(e)`: a name for the value from before.
    pub(super) fn earlier_value(&mut self, symbol: Symbol) -> PResult<Option<ExprId>> {
        if self.annotations.earlier.is_none() || !self.at(TokenKind::LParen) {
            return Ok(None);
        }
        if !matches!(self.ast.names.name(symbol), "__CPROVER_old" | "__CPROVER_loop_entry") {
            return Ok(None);
        }
        let lo = self.lo();
        let open = self.bump();
        let value = self.nested(|parser| parser.expr())?;
        self.expect_close(TokenKind::RParen, open, "after the value")?;
        let name = self.fresh_name("earlier");
        if let Some(earlier) = &mut self.annotations.earlier {
            earlier.push((name, value));
        }
        Ok(Some(self.expr_node(lo, ExprKind::Name(name))))
    }

    /// The clauses that stand here.
    fn clauses(&mut self) -> PResult<Contract> {
        let mut contract = Contract::default();
        while self.at(TokenKind::Ident) && self.kind_ahead(1) == TokenKind::LParen {
            let symbol = self.symbol(self.token());
            let Some(clause) = self.ast.names.name(symbol).strip_prefix("__CPROVER_") else {
                break;
            };
            let clause = clause.to_owned();
            if !matches!(
                &clause[..],
                "requires" | "ensures" | "assigns" | "frees" | "loop_invariant" | "decreases"
            ) {
                break;
            }
            contract.any = true;
            contract.says_what_it_writes |= clause == "assigns";
            self.bump();
            let open = self.bump();
            let outer = self.annotations.earlier.replace(Vec::new());
            let parsed = self.nested(|parser| parser.clause(&clause, &mut contract));
            let earlier = std::mem::replace(&mut self.annotations.earlier, outer);
            contract.earlier.extend(earlier.into_iter().flatten());
            parsed?;
            self.expect_close(TokenKind::RParen, open, "at the end of the clause")?;
        }
        Ok(contract)
    }

    fn clause(&mut self, clause: &str, contract: &mut Contract) -> PResult<()> {
        if self.at(TokenKind::RParen) {
            return Ok(());
        }
        if matches!(clause, "assigns" | "frees") {
            let list = if clause == "frees" { &mut contract.frees } else { &mut contract.assigns };
            return self.targets(list);
        }
        loop {
            let expr = self.assign()?;
            match clause {
                "requires" => contract.requires.push(expr),
                "ensures" => contract.ensures.push(expr),
                "loop_invariant" => contract.invariants.push(expr),
                _ => contract.decreases.push(expr),
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    /// Groups of targets, separated by semicolons, with or without a condition.
    fn targets(&mut self, out: &mut Vec<(Option<ExprId>, Target)>) -> PResult<()> {
        let mut condition = None;
        loop {
            let expr = self.conditional()?;
            if self.eat(TokenKind::Colon) {
                condition = Some(expr);
                continue;
            }
            out.push((condition, self.target(expr)));
            if self.eat(TokenKind::Semi) {
                condition = None;
                if self.at(TokenKind::RParen) {
                    return Ok(());
                }
            } else if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn target(&self, expr: ExprId) -> Target {
        let plain = self.without_parens(expr);
        if let ExprKind::Call(callee, args) = self.ast.exprs[plain].kind
            && let ExprKind::Name(name) = self.ast.exprs[callee].kind
        {
            let args = self.ast.expr_lists.get(args);
            match (self.ast.names.name(name), args) {
                ("__CPROVER_object_whole", &[pointer]) => return Target::Whole(pointer),
                ("__CPROVER_object_from", &[pointer]) => return Target::From(pointer),
                ("__CPROVER_object_upto", &[pointer, size]) => return Target::Upto(pointer, size),
                ("__CPROVER_typed_target", &[place]) => return Target::Place(place),
                _ => {}
            }
        }
        Target::Place(expr)
    }

    /// Says what may be written, as statements.
    fn target_statements(
        &mut self,
        lo: u32,
        targets: &[(Option<ExprId>, Target)],
        verb: &str,
    ) -> Vec<StmtId> {
        let mut stmts = Vec::new();
        for &(condition, target) in targets {
            let condition = condition
                .unwrap_or_else(|| self.expr_node(lo, ExprKind::Keyword(KeywordConst::True)));
            let stmt = match target {
                Target::Place(place) => {
                    let address = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, place));
                    self.call_stmt(lo, &format!("__vergo_{verb}_place"), vec![condition, address])
                }
                Target::Whole(pointer) => {
                    self.call_stmt(lo, &format!("__vergo_{verb}_whole"), vec![condition, pointer])
                }
                Target::From(pointer) => {
                    self.call_stmt(lo, &format!("__vergo_{verb}_from"), vec![condition, pointer])
                }
                Target::Upto(pointer, size) => {
                    let args = vec![condition, pointer, size];
                    self.call_stmt(lo, &format!("__vergo_{verb}_upto"), args)
                }
            };
            stmts.push(stmt);
        }
        stmts
    }

    fn claims(&mut self, exprs: &[ExprId], function: &str, assumes: bool) -> Vec<StmtId> {
        let mut stmts = Vec::new();
        for &expr in exprs {
            let lo = self.ast.exprs[expr].span.lo;
            let symbol = self.ast.names.intern(function);
            let callee = self.expr_node(lo, ExprKind::Name(symbol));
            let claim = Claim { assumes, callee, more: Vec::new() };
            stmts.push(self.claim_statement(expr, &claim));
        }
        stmts
    }

    fn earlier_statements(&mut self, lo: u32, earlier: &[(Symbol, ExprId)]) -> Vec<StmtId> {
        earlier.iter().flat_map(|&(name, value)| self.snapshot(lo, name, value)).collect()
    }

    // Functions.

    /// The clauses after the declarator of a function: the function that stands for its contract is put aside.
    pub(super) fn function_contract(
        &mut self,
        specs: SpecsId,
        declarator: DeclaratorId,
    ) -> PResult<()> {
        if !self.at(TokenKind::Ident) {
            return Ok(());
        }
        let lo = self.lo();
        let Some((name, _)) = self.ast.declarators[declarator].name else { return Ok(()) };
        let Some(params) = self.function_params(declarator) else { return Ok(()) };
        self.scopes.enter();
        if let Params::Prototype { params, .. } = params {
            for index in 0..params.len() {
                let param = self.ast.param_lists.get(params)[index];
                if let Some((name, _)) = self.ast.declarators[param.declarator].name {
                    self.scopes.declare(name, super::scope::Meaning::Object);
                }
            }
        }
        let contract = self.clauses();
        self.scopes.leave();
        let contract = contract?;
        if !contract.any || !self.annotations.contracted.insert(name) {
            return Ok(());
        }
        let (params, variadic) = match params {
            Params::Prototype { params, variadic } => (params, variadic),
            Params::Empty => (List::EMPTY, false),
            Params::Names(_) => (List::EMPTY, true),
        };
        if variadic || !contract.invariants.is_empty() || !contract.decreases.is_empty() {
            let span = self.span_from(lo);
            self.report(Diagnostic::error(
                codes::BAD_CONTRACT,
                span,
                "a function with variable or unnamed parameters, or a clause of loops, has no contract",
            ));
            return Ok(());
        }
        let function = self.contract_function(lo, specs, declarator, name, params, &contract);
        self.annotations.functions.push(function);
        Ok(())
    }

    fn contract_function(
        &mut self,
        lo: u32,
        specs: SpecsId,
        declarator: DeclaratorId,
        name: Symbol,
        params: List<Param>,
        contract: &Contract,
    ) -> FunctionDef {
        // Every parameter gets a name.
        let mut list = Vec::new();
        let mut args = Vec::new();
        for index in 0..params.len() {
            let mut param = self.ast.param_lists.get(params)[index];
            let name = match self.ast.declarators[param.declarator].name {
                Some((name, _)) => name,
                None => {
                    let name = self.fresh_name("parameter");
                    let chunks = self.ast.declarators[param.declarator].chunks;
                    param.declarator = self.plain_declarator(lo, name, chunks);
                    name
                }
            };
            list.push(param);
            args.push(self.expr_node(lo, ExprKind::Name(name)));
        }
        let params = self.ast.param_lists.push(list);
        let mut chunks = self.ast.chunk_lists.get(self.ast.declarators[declarator].chunks).to_vec();
        chunks[0] = Chunk::Function {
            params: Params::Prototype { params, variadic: false },
            span: Span::at(lo),
        };
        let result_chunks = self.ast.chunk_lists.push(chunks[1..].iter().copied());
        let chunks = self.ast.chunk_lists.push(chunks);
        let of = self.ast.specs[specs];
        let is_void = result_chunks.is_empty() && matches!(of.ty, TypeSpec::Basic(Basic::Void));
        let own = format!("__vergo_contract_{}", self.ast.names.name(name));
        let own = self.ast.names.intern(&own);
        let declarator = self.plain_declarator(lo, own, chunks);
        let attrs = List::EMPTY;
        let specs = self.ast.specs.push(Specs { storage: Storage::STATIC, attrs, ..of });
        let mut stmts = vec![self.call_stmt(lo, "__vergo_contract_begin", Vec::new())];
        stmts.push(self.either(lo, &contract.requires, "__vergo_requires"));
        stmts.extend(self.earlier_statements(lo, &contract.earlier));
        stmts.extend(self.target_statements(lo, &contract.assigns, "assigns"));
        stmts.extend(self.target_statements(lo, &contract.frees, "frees"));
        let call = self.ast.expr_lists.push(args);
        let callee = self.expr_node(lo, ExprKind::Name(name));
        let call = self.expr_node(lo, ExprKind::Call(callee, call));
        let result = self.ast.names.intern("__CPROVER_return_value");
        let result_name = self.expr_node(lo, ExprKind::Name(result));
        let mut enforced = vec![self.call_stmt(lo, "__vergo_frame_begin", Vec::new())];
        let mut replaced = vec![self.call_stmt(lo, "__vergo_havoc_targets", Vec::new())];
        if is_void {
            enforced.push(self.stmt_node(lo, StmtKind::Expr(call)));
        } else {
            let specs = self.ast.specs.push(Specs { storage: Storage::NONE, attrs, ..of });
            let declarator = self.plain_declarator(lo, result, result_chunks);
            stmts.push(self.variable(lo, specs, declarator, None));
            let set = self.expr_node(lo, ExprKind::Assign(None, result_name, call));
            enforced.push(self.stmt_node(lo, StmtKind::Expr(set)));
            let address = self.expr_node(lo, ExprKind::Unary(UnaryOp::AddrOf, result_name));
            replaced.push(self.call_stmt(lo, "__vergo_any", vec![address]));
        }
        enforced.push(self.call_stmt(lo, "__vergo_frame_end", Vec::new()));
        let (enforced, replaced) = (self.block(lo, enforced), self.block(lo, replaced));
        let is_enforced = self.call_node(lo, "__vergo_is_enforced", Vec::new());
        stmts.push(self.stmt_node(lo, StmtKind::If(is_enforced, enforced, Some(replaced))));
        stmts.push(self.either(lo, &contract.ensures, "__vergo_ensures"));
        stmts.push(self.call_stmt(lo, "__vergo_contract_end", Vec::new()));
        if !is_void {
            stmts.push(self.stmt_node(lo, StmtKind::Return(Some(result_name))));
        }
        let body = self.block(lo, stmts);
        FunctionDef { span: self.span_from(lo), specs, declarator, kr_decls: List::EMPTY, body }
    }

    /// Conditions that are assumed on one side of a call and claimed on the other.
    fn either(&mut self, lo: u32, exprs: &[ExprId], clause: &str) -> StmtId {
        let assumed = self.claims(exprs, &format!("{clause}_assumed"), true);
        let claimed = self.claims(exprs, &format!("{clause}_claimed"), false);
        let (assumed, claimed) = (self.block(lo, assumed), self.block(lo, claimed));
        let is_enforced = self.call_node(lo, "__vergo_is_enforced", Vec::new());
        let (then, other) = match clause {
            "__vergo_requires" => (assumed, claimed),
            _ => (claimed, assumed),
        };
        self.stmt_node(lo, StmtKind::If(is_enforced, then, Some(other)))
    }

    // Loops.

    /// The contract between the head of a loop and its body; none if contracts of loops are not asked for.
    pub(super) fn loop_contract(&mut self) -> PResult<Option<Contract>> {
        if !self.at(TokenKind::Ident) {
            return Ok(None);
        }
        let contract = self.clauses()?;
        Ok((self.options.loop_contracts && !contract.invariants.is_empty()).then_some(contract))
    }

    fn loop_number(&mut self) -> u32 {
        self.annotations.n_loops += 1;
        self.annotations.n_loops
    }

    /// Before the loop: the invariant is claimed, the loop's effects happen, the invariant is assumed.
    fn before_loop(&mut self, lo: u32, number: u32, contract: &Contract) -> Vec<StmtId> {
        let mut stmts = self.earlier_statements(lo, &contract.earlier);
        if contract.says_what_it_writes {
            stmts.extend(self.target_statements(lo, &contract.assigns, "assigns"));
            let marker = format!("__vergo_loop_assigns_{number}");
            stmts.push(self.call_stmt(lo, &marker, Vec::new()));
        }
        stmts.extend(self.claims(&contract.invariants, "__vergo_invariant_at_entry", false));
        stmts.push(self.call_stmt(lo, &format!("__vergo_loop_begin_{number}"), Vec::new()));
        stmts.extend(self.claims(&contract.invariants, "__vergo_invariant_assumed", true));
        stmts
    }

    /// After a round: the invariant holds again, and the measure has become smaller.
    fn after_round(
        &mut self,
        lo: u32,
        number: u32,
        contract: &Contract,
        measures: &[Symbol],
    ) -> Vec<StmtId> {
        let mut stmts = self.claims(&contract.invariants, "__vergo_invariant_after_round", false);
        // Lexicographic: the first measure that changes becomes smaller.
        let mut decreases = None;
        for (&expr, &before) in contract.decreases.iter().zip(measures).rev() {
            let before = self.expr_node(lo, ExprKind::Name(before));
            let less = self.expr_node(lo, ExprKind::Binary(BinaryOp::Lt, expr, before));
            decreases = Some(match decreases {
                None => less,
                Some(rest) => {
                    let same = self.expr_node(lo, ExprKind::Binary(BinaryOp::Eq, expr, before));
                    let later = self.expr_node(lo, ExprKind::Binary(BinaryOp::LogAnd, same, rest));
                    self.expr_node(lo, ExprKind::Binary(BinaryOp::LogOr, less, later))
                }
            });
        }
        if let Some(decreases) = decreases {
            stmts.extend(self.claims(&[decreases], "__vergo_measure_decreases", false));
        }
        stmts.push(self.call_stmt(lo, &format!("__vergo_loop_end_{number}"), Vec::new()));
        let no = self.expr_node(lo, ExprKind::Keyword(KeywordConst::False));
        stmts.push(self.call_stmt(lo, "__CPROVER_assume", vec![no]));
        stmts
    }

    fn measures(&mut self, lo: u32, contract: &Contract) -> (Vec<Symbol>, Vec<StmtId>) {
        let names: Vec<Symbol> =
            contract.decreases.iter().map(|_| self.fresh_name("measure")).collect();
        let mut stmts = Vec::new();
        for (&name, &expr) in names.iter().zip(&contract.decreases) {
            stmts.extend(self.snapshot(lo, name, expr));
        }
        (names, stmts)
    }

    /// A `for` or `while` loop as its contract says it is.
    pub(super) fn contracted_loop(
        &mut self,
        lo: u32,
        contract: Contract,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> StmtId {
        let number = self.loop_number();
        let mut stmts: Vec<StmtId> = init.into_iter().collect();
        stmts.extend(self.before_loop(lo, number, &contract));
        let (measures, taken) = self.measures(lo, &contract);
        stmts.extend(taken);
        let cond =
            cond.unwrap_or_else(|| self.expr_node(lo, ExprKind::Keyword(KeywordConst::True)));
        let head = self.call_node(lo, &format!("__vergo_loop_head_{number}"), Vec::new());
        let cond = self.expr_node(lo, ExprKind::Binary(BinaryOp::Comma, head, cond));
        let mut round: Vec<StmtId> = Vec::new();
        if let Some(step) = step {
            round.push(self.stmt_node(lo, StmtKind::Expr(step)));
        }
        round.extend(self.after_round(lo, number, &contract, &measures));
        let round = self.block(lo, round);
        let step = Some(self.expr_node(lo, ExprKind::StmtExpr(round)));
        let kind = StmtKind::For { init: None, cond: Some(cond), step, body };
        stmts.push(self.stmt_node(lo, kind));
        self.block(lo, stmts)
    }

    /// A `do` loop as its contract says it is.
    pub(super) fn contracted_do(
        &mut self,
        lo: u32,
        contract: Contract,
        body: StmtId,
        cond: ExprId,
    ) -> StmtId {
        let number = self.loop_number();
        let mut stmts = self.before_loop(lo, number, &contract);
        let (measures, taken) = self.measures(lo, &contract);
        stmts.extend(taken);
        let head = self.call_stmt(lo, &format!("__vergo_loop_head_{number}"), Vec::new());
        let body = self.block(lo, vec![head, body]);
        let round = self.after_round(lo, number, &contract, &measures);
        let round = self.block(lo, round);
        let again = self.fresh_name("again");
        let declared = self.bool_declaration(lo, again, cond);
        let again = self.expr_node(lo, ExprKind::Name(again));
        let round = self.stmt_node(lo, StmtKind::If(again, round, None));
        let value = self.stmt_node(lo, StmtKind::Expr(again));
        let block = self.block(lo, vec![declared, round, value]);
        let cond = self.expr_node(lo, ExprKind::StmtExpr(block));
        stmts.push(self.stmt_node(lo, StmtKind::DoWhile(body, cond)));
        self.block(lo, stmts)
    }
}
