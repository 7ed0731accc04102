//! Control-flow automata: a program as a graph with one operation on each edge.
//!
//! This is the form in which the paper defines its operators. Expressions are taken apart with temporaries, so that each
//! edge holds an assignment of one operation, a call, or a condition that has to hold. It serves as the executable
//! specification of the instrumentation operator: it can be printed as C and run, but neither keeps the layout of the
//! program nor covers all of C. What it does not cover is an error with a place, never left out.

use crate::automaton::ArithmeticOp;
use crate::ctype::{Arithmetic, CTypes};
use crate::site::named_function;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use vergo_cfront::hir::{
    BinaryOp, CastKind, CompoundOp, ExprId, ExprKind, FuncId, IncDec, InitKind, PtrOffsetOp,
    StmtId, StmtKind, Storage, UnaryOp, Unit, VarId,
};
use vergo_cfront::types::{QualType, TypeKind};
use vergo_source::Span;

/// A location of a control-flow automaton.
pub type Location = usize;

/// An operation on an edge. Operands are C text without effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Nothing.
    Skip,
    /// `target = value`, the value being at most a cast, a comparison or the like.
    Assign(String, String),
    /// `target = left op right`; the left operand is absent for negation.
    Arithmetic {
        /// The variable that is assigned.
        target: String,
        /// The operation.
        op: ArithmeticOp,
        /// The type of the result.
        ty: Arithmetic,
        /// The operands.
        operands: Vec<String>,
    },
    /// `[condition]`: goes on only if the condition holds, or does not hold.
    Assume(String, bool),
    /// `target = function(arguments)`
    Call {
        /// The variable that is assigned.
        target: Option<String>,
        /// The function.
        function: String,
        /// The arguments.
        arguments: Vec<String>,
    },
    /// `return value`
    Return(Option<String>),
    /// An operation of an automaton.
    Added(String),
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: Location,
    /// The operation.
    pub operation: Operation,
    /// Where it ends.
    pub to: Location,
    /// The direction, into the body of a loop or out of it, if the loop's condition decides.
    pub enters: Option<bool>,
}

/// The automaton of one function.
#[derive(Clone, Debug)]
pub struct FunctionCfa {
    /// The function's name.
    pub name: String,
    /// Its declaration in C, without a semicolon.
    pub header: String,
    /// Declarations of its variables.
    pub variables: Vec<String>,
    /// The number of locations; location 0 is the first one.
    pub n_locations: usize,
    /// The edges in the order in which they were made.
    pub edges: Vec<Edge>,
    /// Locations at which loops begin.
    pub loop_heads: Vec<Location>,
}

/// The automata of a program.
#[derive(Clone, Debug)]
pub struct Cfa {
    /// Declarations at file scope.
    pub globals: Vec<String>,
    /// The functions.
    pub functions: Vec<FunctionCfa>,
}

/// A construct that is not covered, and its place.
#[derive(Clone, Debug)]
pub struct Uncovered {
    /// The construct.
    pub what: &'static str,
    /// Where it is.
    pub span: Span,
}

type Result<T> = std::result::Result<T, Uncovered>;

/// The control-flow automata of a unit.
///
/// # Errors
/// If something is not covered.
pub fn build(unit: &Unit) -> Result<Cfa> {
    let types = CTypes { unit };
    let mut globals = Vec::new();
    for var in unit.vars.values() {
        let Storage::Static { function, .. } = var.storage else { continue };
        let (Some(name), None) = (var.name, function) else {
            return Err(Uncovered { what: "a static variable of a function", span: var.span });
        };
        let declared = types.declare(var.ty, unit.names.name(name));
        let Some(declared) = declared else {
            return Err(Uncovered { what: "a type without a name", span: var.span });
        };
        match var.init.map(|init| unit.inits[init].kind) {
            None => globals.push(format!("{declared};")),
            Some(InitKind::Expr(expr)) => match unit.exprs[expr].kind {
                ExprKind::Int(_) => {
                    globals.push(format!(
                        "{declared} = {};",
                        constant(unit, expr).unwrap_or_default()
                    ));
                }
                _ => return Err(Uncovered { what: "an initialiser", span: var.span }),
            },
            Some(_) => return Err(Uncovered { what: "an initialiser", span: var.span }),
        }
    }
    let mut functions = Vec::new();
    for (id, function) in unit.functions.iter() {
        let name = unit.names.name(function.name);
        let declared = types.declare(function.ty, name);
        let Some(declared) = declared else {
            return Err(Uncovered { what: "a type without a name", span: function.span });
        };
        globals.push(format!("{declared};"));
        if let Some(body) = function.body {
            functions.push(Builder::function(unit, id, body)?);
        }
    }
    Ok(Cfa { globals, functions })
}

struct Builder<'a> {
    unit: &'a Unit,
    types: CTypes<'a>,
    cfa: FunctionCfa,
    /// The location at which the next edge begins; `None` after a jump.
    at: Option<Location>,
    names: FxHashMap<VarId, String>,
    labels: FxHashMap<vergo_cfront::hir::LabelId, Location>,
    /// Where `break` and `continue` of a statement lead.
    exits: FxHashMap<StmtId, [Location; 2]>,
    cases: FxHashMap<StmtId, Location>,
}

impl<'a> Builder<'a> {
    fn function(unit: &'a Unit, id: FuncId, body: StmtId) -> Result<FunctionCfa> {
        let function = &unit.functions[id];
        let mut builder = Builder {
            unit,
            types: CTypes { unit },
            cfa: FunctionCfa {
                name: unit.names.name(function.name).to_owned(),
                header: String::new(),
                variables: Vec::new(),
                n_locations: 1,
                edges: Vec::new(),
                loop_heads: Vec::new(),
            },
            at: Some(0),
            names: FxHashMap::default(),
            labels: FxHashMap::default(),
            exits: FxHashMap::default(),
            cases: FxHashMap::default(),
        };
        let mut parameters = Vec::new();
        for &param in &function.params {
            let name = format!("p{}", builder.names.len());
            let declared = builder.declare(unit.vars[param].ty, &name, function.span)?;
            parameters.push(declared);
            builder.names.insert(param, name);
        }
        let ret = unit.types.function(function.ty).map(|ty| ty.ret);
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let ret = ret.ok_or(Uncovered { what: "a function type", span: function.span })?;
        builder.cfa.header =
            builder.declare(ret, &format!("{}({list})", builder.cfa.name), function.span)?;
        builder.stmt(body)?;
        if builder.at.is_some() {
            let is_main = builder.cfa.name == "main" && !unit.types.is_void(ret);
            let value = is_main.then(|| "0".to_owned());
            builder.edge(Operation::Return(value));
        }
        Ok(builder.cfa)
    }

    fn declare(&self, ty: QualType, name: &str, span: Span) -> Result<String> {
        self.types.declare(ty, name).ok_or(Uncovered { what: "a type without a name", span })
    }

    fn location(&mut self) -> Location {
        self.cfa.n_locations += 1;
        self.cfa.n_locations - 1
    }

    /// An edge from here to a new location, where the next one begins.
    fn edge(&mut self, operation: Operation) {
        let ends = matches!(operation, Operation::Return(_));
        if let Some(from) = self.at {
            let to = self.location();
            self.cfa.edges.push(Edge { from, operation, to, enters: None });
            self.at = (!ends).then_some(to);
        }
    }

    fn jump(&mut self, to: Location) {
        if let Some(from) = self.at.take() {
            self.cfa.edges.push(Edge { from, operation: Operation::Skip, to, enters: None });
        }
    }

    fn temporary(&mut self, ty: QualType, span: Span) -> Result<String> {
        let name = format!("t{}", self.cfa.variables.len());
        let declared = self.declare(ty, &name, span)?;
        self.cfa.variables.push(format!("{declared};"));
        Ok(name)
    }

    fn branch(&mut self, condition: &str, then: Location, otherwise: Location) {
        if let Some(from) = self.at.take() {
            for (holds, to) in [(true, then), (false, otherwise)] {
                let operation = Operation::Assume(condition.to_owned(), holds);
                self.cfa.edges.push(Edge { from, operation, to, enters: None });
            }
        }
    }

    fn stmt(&mut self, stmt: StmtId) -> Result<()> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_node(stmt))
    }

    fn stmt_node(&mut self, stmt: StmtId) -> Result<()> {
        let unit = self.unit;
        let node = unit.stmts[stmt];
        match node.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                self.effect(expr)?;
            }
            StmtKind::Decl(var) => {
                let name = format!("v{}", self.names.len());
                let declared = self.declare(unit.vars[var].ty, &name, node.span)?;
                self.cfa.variables.push(format!("{declared};"));
                self.names.insert(var, name.clone());
                match unit.vars[var].init.map(|init| unit.inits[init].kind) {
                    None => {}
                    Some(InitKind::Expr(expr)) => {
                        let value = self.value(expr)?;
                        self.edge(Operation::Assign(name, value));
                    }
                    Some(_) => {
                        return Err(Uncovered { what: "an initialiser", span: node.span });
                    }
                }
            }
            StmtKind::Compound(list) => {
                for &stmt in unit.stmt_lists.get(list) {
                    self.stmt(stmt)?;
                }
            }
            StmtKind::If(cond, then, otherwise) => {
                let [yes, no, end] = [self.location(), self.location(), self.location()];
                self.condition(cond, yes, no)?;
                self.at = Some(yes);
                self.stmt(then)?;
                self.jump(end);
                self.at = Some(no);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise)?;
                }
                self.jump(end);
                self.at = Some(end);
            }
            StmtKind::While(cond, body) => self.loop_(stmt, Some(cond), None, body, false)?,
            StmtKind::DoWhile(body, cond) => self.loop_(stmt, Some(cond), None, body, true)?,
            StmtKind::For { init, cond, step, body } => {
                for &stmt in unit.stmt_lists.get(init) {
                    self.stmt(stmt)?;
                }
                self.loop_(stmt, cond, step, body, false)?;
            }
            StmtKind::Switch { cond, body, cases, default } => {
                let value = self.value(cond)?;
                let kept = self.temporary(unit.exprs[cond].ty, node.span)?;
                self.edge(Operation::Assign(kept.clone(), value));
                let end = self.location();
                for case in unit.case_lists.get(cases) {
                    if case.low != case.high {
                        return Err(Uncovered { what: "a range of cases", span: node.span });
                    }
                    let [target, next] = [self.location(), self.location()];
                    let low = case.low as i64 as i32;
                    self.branch(&format!("{kept} == {low}"), target, next);
                    self.cases.insert(case.stmt, target);
                    self.at = Some(next);
                }
                match default {
                    Some(stmt) => {
                        let target = self.location();
                        self.cases.insert(stmt, target);
                        self.jump(target);
                    }
                    None => self.jump(end),
                }
                self.exits.insert(stmt, [end, end]);
                self.stmt(body)?;
                self.jump(end);
                self.at = Some(end);
            }
            StmtKind::Goto(label) => {
                let target = self.label(label);
                self.jump(target);
            }
            StmtKind::Label(label, inner) => {
                let target = self.label(label);
                self.jump(target);
                self.at = Some(target);
                self.stmt(inner)?;
            }
            StmtKind::Case(inner) | StmtKind::Default(inner) => {
                if let Some(&target) = self.cases.get(&stmt) {
                    self.jump(target);
                    self.at = Some(target);
                }
                self.stmt(inner)?;
            }
            StmtKind::Break(of) | StmtKind::Continue(of) => {
                let which = usize::from(matches!(node.kind, StmtKind::Continue(_)));
                let Some(exits) = self.exits.get(&of) else {
                    return Err(Uncovered { what: "a jump", span: node.span });
                };
                self.jump(exits[which]);
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.value(value)?),
                    None => None,
                };
                self.edge(Operation::Return(value));
            }
            StmtKind::GotoOuter(..) | StmtKind::Nested(_) => {
                return Err(Uncovered { what: "a nested function", span: node.span });
            }
            StmtKind::GotoIndirect(_) | StmtKind::Asm(_) => {
                return Err(Uncovered { what: "a computed jump or assembly", span: node.span });
            }
        }
        Ok(())
    }

    fn label(&mut self, label: vergo_cfront::hir::LabelId) -> Location {
        if let Some(&location) = self.labels.get(&label) {
            return location;
        }
        let location = self.location();
        self.labels.insert(label, location);
        location
    }

    fn loop_(
        &mut self,
        stmt: StmtId,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        body_first: bool,
    ) -> Result<()> {
        let [head, inside, next, end] =
            [self.location(), self.location(), self.location(), self.location()];
        self.exits.insert(stmt, [end, next]);
        self.jump(if body_first { inside } else { head });
        self.cfa.loop_heads.push(head);
        self.at = Some(head);
        // What is done at the head comes before whichever way the condition goes.
        self.edge(Operation::Skip);
        let first = self.cfa.edges.len();
        match cond {
            Some(cond) => self.condition(cond, inside, end)?,
            None => self.jump(inside),
        }
        for edge in &mut self.cfa.edges[first..] {
            if edge.to == inside || edge.to == end {
                edge.enters = Some(edge.to == inside);
            }
        }
        self.at = Some(inside);
        self.stmt(body)?;
        self.jump(next);
        self.at = Some(next);
        if let Some(step) = step {
            self.effect(step)?;
        }
        self.jump(head);
        self.at = Some(end);
        Ok(())
    }

    /// Branches on a condition; short circuits are branches of their own.
    fn condition(&mut self, cond: ExprId, yes: Location, no: Location) -> Result<()> {
        match self.unit.exprs[cond].kind {
            ExprKind::LogAnd(a, b) => {
                let middle = self.location();
                self.condition(a, middle, no)?;
                self.at = Some(middle);
                self.condition(b, yes, no)
            }
            ExprKind::LogOr(a, b) => {
                let middle = self.location();
                self.condition(a, yes, middle)?;
                self.at = Some(middle);
                self.condition(b, yes, no)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner, no, yes),
            _ => {
                let value = self.value(cond)?;
                self.branch(&value, yes, no);
                Ok(())
            }
        }
    }

    fn effect(&mut self, expr: ExprId) -> Result<()> {
        match self.unit.exprs[expr].kind {
            ExprKind::Call(callee, args) => self.call(expr, callee, args, false).map(|_| ()),
            ExprKind::Cast(CastKind::ToVoid, inner) => self.effect(inner),
            _ => self.value(expr).map(|_| ()),
        }
    }

    /// The value of an expression as text without effects that stays valid.
    fn value(&mut self, expr: ExprId) -> Result<String> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.value_node(expr))
    }

    fn value_node(&mut self, expr: ExprId) -> Result<String> {
        let unit = self.unit;
        let node = unit.exprs[expr];
        let uncovered = |what| Err(Uncovered { what, span: node.span });
        match node.kind {
            ExprKind::Int(_) => {
                constant(unit, expr).ok_or(Uncovered { what: "a constant", span: node.span })
            }
            ExprKind::Cast(CastKind::Load, place) => {
                let place = self.place(place)?;
                self.keep(place, node.ty, node.span)
            }
            ExprKind::Cast(CastKind::ArrayDecay, place) => match unit.exprs[place].kind {
                ExprKind::String(_) => {
                    let literal = &unit.strings[match unit.exprs[place].kind {
                        ExprKind::String(id) => id,
                        _ => return uncovered("a string"),
                    }];
                    match &literal.units {
                        vergo_cfront::hir::StringUnits::Bytes(bytes) => {
                            let mut text = String::from("\"");
                            for byte in bytes.iter().take(bytes.len().saturating_sub(1)) {
                                let _ = write!(text, "\\{byte:03o}");
                            }
                            text.push('"');
                            Ok(text)
                        }
                        _ => uncovered("a wide string"),
                    }
                }
                _ => self.place(place),
            },
            ExprKind::Cast(kind, operand) => {
                let value = self.value(operand)?;
                if matches!(kind, CastKind::NoOp | CastKind::FunctionDecay) {
                    return Ok(value);
                }
                let name = self.declare(node.ty, "", node.span)?;
                self.keep(format!("({name}){value}"), node.ty, node.span)
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let value = self.value(operand)?;
                self.arithmetic(ArithmeticOp::Neg, node.ty, vec![value], node.span)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.value(operand)?;
                let sign = if op == UnaryOp::Not { "!" } else { "~" };
                self.keep(format!("{sign}{value}"), node.ty, node.span)
            }
            ExprKind::Binary(op, a, b) => {
                let operands = vec![self.value(a)?, self.value(b)?];
                match symbol(op) {
                    Symbol::Arithmetic(op) => self.arithmetic(op, node.ty, operands, node.span),
                    Symbol::Other(sign) => {
                        let text = format!("{} {sign} {}", operands[0], operands[1]);
                        self.keep(text, node.ty, node.span)
                    }
                }
            }
            ExprKind::PtrOffset(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let sign = if op == PtrOffsetOp::Add { "+" } else { "-" };
                self.keep(format!("{a} {sign} {b}"), node.ty, node.span)
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let result = self.temporary(node.ty, node.span)?;
                let [yes, no, end] = [self.location(), self.location(), self.location()];
                self.condition(expr, yes, no)?;
                for (location, value) in [(yes, "1"), (no, "0")] {
                    self.at = Some(location);
                    self.edge(Operation::Assign(result.clone(), value.to_owned()));
                    self.jump(end);
                }
                self.at = Some(end);
                Ok(result)
            }
            ExprKind::Cond(cond, a, b) => {
                let result = self.temporary(node.ty, node.span)?;
                let [yes, no, end] = [self.location(), self.location(), self.location()];
                self.condition(cond, yes, no)?;
                for (location, branch) in [(yes, a), (no, b)] {
                    self.at = Some(location);
                    let value = self.value(branch)?;
                    self.edge(Operation::Assign(result.clone(), value));
                    self.jump(end);
                }
                self.at = Some(end);
                Ok(result)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value(b)
            }
            ExprKind::Assign(place, value) => {
                let value = self.value(value)?;
                let place = self.place(place)?;
                self.edge(Operation::Assign(place.clone(), value));
                self.keep(place, node.ty, node.span)
            }
            ExprKind::CompoundAssign { op, compute, place, value } => {
                let right = self.value(value)?;
                let place = self.place(place)?;
                let left = self.keep(place.clone(), node.ty, node.span)?;
                let result = match op {
                    CompoundOp::Ptr(op) => {
                        let sign = if op == PtrOffsetOp::Add { "+" } else { "-" };
                        format!("{left} {sign} {right}")
                    }
                    CompoundOp::Arith(op) => match symbol(op) {
                        Symbol::Arithmetic(op) => {
                            let left = self.keep(left, compute, node.span)?;
                            self.arithmetic(op, compute, vec![left, right], node.span)?
                        }
                        Symbol::Other(sign) => format!("{left} {sign} {right}"),
                    },
                };
                self.edge(Operation::Assign(place.clone(), result));
                self.keep(place, node.ty, node.span)
            }
            ExprKind::IncDec(kind, place) => {
                let place = self.place(place)?;
                let old = self.keep(place.clone(), node.ty, node.span)?;
                let add = matches!(kind, IncDec::PreInc | IncDec::PostInc);
                let new = if unit.types.is_real(node.ty) {
                    let ty = Arithmetic::of(unit, node.ty).promoted(&unit.target);
                    let op = if add { ArithmeticOp::Add } else { ArithmeticOp::Sub };
                    let target = self.temporary(node.ty, node.span)?;
                    let operands = vec![old.clone(), "1".to_owned()];
                    self.edge(Operation::Arithmetic { target: target.clone(), op, ty, operands });
                    target
                } else {
                    format!("{old} {} 1", if add { "+" } else { "-" })
                };
                self.edge(Operation::Assign(place.clone(), new));
                if matches!(kind, IncDec::PreInc | IncDec::PreDec) {
                    self.keep(place, node.ty, node.span)
                } else {
                    Ok(old)
                }
            }
            ExprKind::Call(callee, args) => self.call(expr, callee, args, true),
            ExprKind::AddrOf(place) => {
                let place = self.place(place)?;
                self.keep(format!("&{place}"), node.ty, node.span)
            }
            _ => uncovered("this expression"),
        }
    }

    fn call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: vergo_cfront::pool::List<ExprId>,
        used: bool,
    ) -> Result<String> {
        let node = self.unit.exprs[expr];
        let Some((_, function)) = named_function(self.unit, callee) else {
            return Err(Uncovered { what: "a call through a pointer", span: node.span });
        };
        let mut arguments = Vec::new();
        for &arg in self.unit.expr_lists.get(args) {
            arguments.push(self.value(arg)?);
        }
        let target = if used && !self.unit.types.is_void(node.ty) {
            Some(self.temporary(node.ty, node.span)?)
        } else {
            None
        };
        let function = self.unit.names.name(self.unit.functions[function].name).to_owned();
        self.edge(Operation::Call { target: target.clone(), function, arguments });
        Ok(target.unwrap_or_default())
    }

    /// Keeps a value in a temporary, so that later effects do not change it.
    fn keep(&mut self, value: String, ty: QualType, span: Span) -> Result<String> {
        if matches!(self.unit.types.kind(ty), TypeKind::Void) {
            return Ok(value);
        }
        let target = self.temporary(ty, span)?;
        self.edge(Operation::Assign(target.clone(), value));
        Ok(target)
    }

    fn arithmetic(
        &mut self,
        op: ArithmeticOp,
        ty: QualType,
        operands: Vec<String>,
        span: Span,
    ) -> Result<String> {
        let target = self.temporary(ty, span)?;
        let ty = Arithmetic::of(self.unit, ty);
        self.edge(Operation::Arithmetic { target: target.clone(), op, ty, operands });
        Ok(target)
    }

    /// An lvalue as text without effects.
    fn place(&mut self, expr: ExprId) -> Result<String> {
        let unit = self.unit;
        let node = unit.exprs[expr];
        Ok(match node.kind {
            ExprKind::Var(var) => match (self.names.get(&var), unit.vars[var].name) {
                (Some(name), _) => name.clone(),
                (None, Some(name)) => unit.names.name(name).to_owned(),
                _ => return Err(Uncovered { what: "a hidden variable", span: node.span }),
            },
            ExprKind::Deref(inner) => format!("(*{})", self.value(inner)?),
            ExprKind::Index(base, index) => {
                format!("{}[{}]", self.value(base)?, self.value(index)?)
            }
            ExprKind::Member(base, record, field) => {
                let field =
                    unit.types.records[record].fields.as_ref().and_then(|f| f.get(field as usize));
                let Some(name) = field.and_then(|field| field.name) else {
                    return Err(Uncovered { what: "an anonymous member", span: node.span });
                };
                format!("{}.{}", self.place(base)?, unit.names.name(name))
            }
            _ => return Err(Uncovered { what: "this lvalue", span: node.span }),
        })
    }
}

enum Symbol {
    Arithmetic(ArithmeticOp),
    Other(&'static str),
}

fn symbol(op: BinaryOp) -> Symbol {
    match op {
        BinaryOp::Mul => Symbol::Arithmetic(ArithmeticOp::Mul),
        BinaryOp::Div => Symbol::Arithmetic(ArithmeticOp::Div),
        BinaryOp::Rem => Symbol::Arithmetic(ArithmeticOp::Rem),
        BinaryOp::Add => Symbol::Arithmetic(ArithmeticOp::Add),
        BinaryOp::Sub => Symbol::Arithmetic(ArithmeticOp::Sub),
        BinaryOp::Shl => Symbol::Arithmetic(ArithmeticOp::Shl),
        BinaryOp::Shr => Symbol::Arithmetic(ArithmeticOp::Shr),
        BinaryOp::Lt => Symbol::Other("<"),
        BinaryOp::Gt => Symbol::Other(">"),
        BinaryOp::Le => Symbol::Other("<="),
        BinaryOp::Ge => Symbol::Other(">="),
        BinaryOp::Eq => Symbol::Other("=="),
        BinaryOp::Ne => Symbol::Other("!="),
        BinaryOp::BitAnd => Symbol::Other("&"),
        BinaryOp::BitXor => Symbol::Other("^"),
        BinaryOp::BitOr => Symbol::Other("|"),
    }
}

/// An integer constant as C text of its type.
fn constant(unit: &Unit, expr: ExprId) -> Option<String> {
    let node = unit.exprs[expr];
    let ExprKind::Int(bits) = node.kind else { return None };
    if unit.types.pointee(node.ty).is_some() {
        return Some(format!("(void *){bits}"));
    }
    let ty = Arithmetic::of(unit, node.ty);
    let (min, max) = ty.limits(&unit.target)?;
    let shape = unit.types.int_shape(node.ty, &unit.target)?;
    let shift = 64 - shape.width.clamp(1, 64);
    let value = ((bits << shift) as i64) >> shift;
    Some(if shape.signed && value < 0 {
        if shape.width <= 64 && value == i64::MIN >> shift { min } else { format!("(-{})", -value) }
    } else {
        let _ = max;
        let suffix = if shape.signed { "" } else { "u" };
        let long = if shape.width > 32 { "ll" } else { "" };
        format!("{bits}{suffix}{long}")
    })
}

impl Cfa {
    /// The program as C, with a label for each location.
    pub fn to_c(&self, declarations: &[String]) -> String {
        let mut out = String::new();
        for line in declarations.iter().chain(&self.globals) {
            let _ = writeln!(out, "{line}");
        }
        for function in &self.functions {
            let _ = writeln!(out, "{} {{", function.header);
            for variable in &function.variables {
                let _ = writeln!(out, "  {variable}");
            }
            for location in 0..function.n_locations {
                let mut leaving =
                    function.edges.iter().filter(|edge| edge.from == location).peekable();
                if leaving.peek().is_none() {
                    continue;
                }
                let _ = writeln!(out, "l{location}:;");
                for edge in leaving {
                    let _ = writeln!(out, "  {}", edge.operation.to_c(edge.to));
                }
            }
            let _ = writeln!(out, "}}");
        }
        out
    }
}

impl Operation {
    fn to_c(&self, to: Location) -> String {
        match self {
            Operation::Skip => format!("goto l{to};"),
            Operation::Assign(target, value) => format!("{target} = {value}; goto l{to};"),
            Operation::Arithmetic { target, op, operands, .. } => match operands.as_slice() {
                [x, y] => format!("{target} = {x} {} {y}; goto l{to};", op.symbol()),
                [x] => format!("{target} = {}{x}; goto l{to};", op.symbol()),
                _ => format!("goto l{to};"),
            },
            Operation::Assume(condition, true) => format!("if ({condition}) goto l{to};"),
            Operation::Assume(condition, false) => format!("if (!({condition})) goto l{to};"),
            Operation::Call { target, function, arguments } => {
                let call = format!("{function}({})", arguments.join(", "));
                match target {
                    Some(target) => format!("{target} = {call}; goto l{to};"),
                    None => format!("{call}; goto l{to};"),
                }
            }
            Operation::Return(Some(value)) => format!("return {value};"),
            Operation::Return(None) => "return;".to_owned(),
            Operation::Added(text) => format!("{text} goto l{to};"),
        }
    }
}
