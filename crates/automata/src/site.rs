//! The sites of a program: every place where an automaton could have something to do.
//!
//! One walk over the typed tree of each function body. What is not evaluated is not in the typed tree (operands of
//! `sizeof`, `case` labels, static initialisers), so that everything that is found can be instrumented. Arithmetic on
//! constants whose result fits is not a site: it does nothing at run time.

use crate::automaton::ArithmeticOp;
use crate::ctype::Arithmetic;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_cfront::consteval::Evaluator;
use vergo_cfront::hir::{
    BinaryOp, CompoundOp, ExprId, ExprKind, FuncId, IncDec, InitId, InitKind, LabelId, StmtId,
    StmtKind, UnaryOp, Unit, VarId,
};
use vergo_cfront::types::QualType;

/// A node of the tree of scopes: the variable that it adds and the scope that it adds it to. Zero is the file.
pub(crate) type Scope = u32;

/// A place where an automaton could have something to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The operation there.
    pub(crate) kind: SiteKind,
    /// Which variables are visible.
    pub(crate) scope: Scope,
    /// The function around it.
    pub(crate) function: FuncId,
}

/// The operation at a site.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SiteKind {
    /// An arithmetic operation.
    Arithmetic {
        /// The expression: unary, binary, compound assignment or increment.
        expr: ExprId,
        /// The operation.
        op: ArithmeticOp,
        /// The type of its result.
        ty: Arithmetic,
        /// The type of its right operand.
        right: Arithmetic,
        /// True if the value of the expression is used.
        used: bool,
    },
    /// A call of a function by its name.
    Call {
        /// The call.
        expr: ExprId,
        /// The function.
        callee: FuncId,
        /// The expression that names it.
        name: ExprId,
    },
    /// A function used as a value.
    Value {
        /// The expression that names it.
        expr: ExprId,
        /// The function.
        function: FuncId,
    },
    /// A condition of a branch: of `if`, `?:`, `&&`, `||` and of loops.
    Condition(ExprId),
    /// A loop statement.
    Loop(StmtId),
    /// A label that a jump from behind leads to.
    Label(StmtId),
    /// A `return` statement.
    Return(StmtId),
    /// An access through a pointer: `*`, `[]` or `->`.
    Access(ExprId),
    /// An assignment, an increment, or a call that may write: its value may be used.
    Write(ExprId, bool),
}

/// The sites of a unit, inner ones before those around them.
#[derive(Debug)]
pub(crate) struct Sites {
    /// The sites.
    pub(crate) list: Vec<Site>,
    /// The tree of scopes: parent and variable.
    pub(crate) scopes: Vec<(Scope, VarId)>,
}

/// Finds all sites.
pub(crate) fn sites(unit: &Unit) -> Sites {
    let mut finder = Finder {
        unit,
        list: Vec::new(),
        scopes: Vec::new(),
        scope: 0,
        function: None,
        seen: FxHashSet::default(),
        backward: backward_labels(unit),
    };
    for (id, function) in unit.functions.iter() {
        let Some(body) = function.body else { continue };
        finder.function = Some(id);
        finder.scope = 0;
        for &param in &function.params {
            finder.declare(param);
        }
        finder.stmt(body);
    }
    Sites { list: finder.list, scopes: finder.scopes }
}

/// The labels that a `goto` behind them or out of a nested function leads to, or whose address is taken. Statement
/// expressions have jumps too.
fn backward_labels(unit: &Unit) -> FxHashSet<LabelId> {
    let mut places = FxHashMap::default();
    let mut backward = FxHashSet::default();
    for stmt in unit.stmts.values() {
        if let StmtKind::Label(label, _) = stmt.kind {
            places.insert(label, stmt.span.lo);
            if unit.labels[label].address_taken {
                backward.insert(label);
            }
        }
    }
    for stmt in unit.stmts.values() {
        let is_behind =
            |label: &LabelId| places.get(label).is_some_and(|&place| place <= stmt.span.lo);
        match stmt.kind {
            StmtKind::GotoOuter(label, _) => backward.extend([label]),
            StmtKind::Goto(label) => backward.extend(Some(label).filter(is_behind)),
            StmtKind::Asm(asm) => {
                backward.extend(unit.asms[asm].labels.iter().copied().filter(is_behind));
            }
            _ => {}
        }
    }
    backward
}

/// Calls `visit` on a statement and all statements in it, in the order of the text. Statement expressions are not
/// entered: no jump leads into them.
pub(crate) fn each_stmt(unit: &Unit, stmt: StmtId, visit: &mut impl FnMut(StmtId)) {
    let mut stack = vec![stmt];
    while let Some(stmt) = stack.pop() {
        visit(stmt);
        let start = stack.len();
        match unit.stmts[stmt].kind {
            StmtKind::Compound(list) => stack.extend_from_slice(unit.stmt_lists.get(list)),
            StmtKind::If(_, then, otherwise) => {
                stack.push(then);
                stack.extend(otherwise);
            }
            StmtKind::For { init, body, .. } => {
                stack.extend_from_slice(unit.stmt_lists.get(init));
                stack.push(body);
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While(_, body)
            | StmtKind::DoWhile(body, _)
            | StmtKind::Label(_, body)
            | StmtKind::Case(body)
            | StmtKind::Default(body) => stack.push(body),
            _ => {}
        }
        stack[start..].reverse();
    }
}

struct Finder<'a> {
    unit: &'a Unit,
    list: Vec<Site>,
    scopes: Vec<(Scope, VarId)>,
    scope: Scope,
    function: Option<FuncId>,
    /// Expressions that have been visited: the typed tree may share nodes.
    seen: FxHashSet<ExprId>,
    backward: FxHashSet<LabelId>,
}

/// The use of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Value,
    Effect,
}

impl Finder<'_> {
    fn push(&mut self, kind: SiteKind) {
        if let Some(function) = self.function {
            self.list.push(Site { kind, scope: self.scope, function });
        }
    }

    fn declare(&mut self, var: VarId) {
        self.scopes.push((self.scope, var));
        self.scope = self.scopes.len() as Scope;
    }

    fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_node(stmt));
    }

    fn stmt_node(&mut self, stmt: StmtId) {
        let unit = self.unit;
        match unit.stmts[stmt].kind {
            // A nested function has its own turn.
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::Nested(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_) => {}
            StmtKind::Expr(expr) => {
                self.expr(expr, Use::Effect);
            }
            StmtKind::Decl(var) => {
                self.declare(var);
                if let Some(init) = unit.vars[var].init {
                    self.init(init);
                }
            }
            StmtKind::Compound(list) => {
                let scope = self.scope;
                for &stmt in unit.stmt_lists.get(list) {
                    self.stmt(stmt);
                }
                self.scope = scope;
            }
            StmtKind::If(cond, then, otherwise) => {
                self.condition(cond);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::Switch { cond, body, .. } => {
                self.value(cond);
                self.stmt(body);
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.condition(cond);
                self.stmt(body);
                self.push(SiteKind::Loop(stmt));
            }
            StmtKind::For { init, cond, step, body } => {
                let scope = self.scope;
                for &stmt in unit.stmt_lists.get(init) {
                    self.stmt(stmt);
                }
                if let Some(cond) = cond {
                    self.condition(cond);
                }
                if let Some(step) = step {
                    self.expr(step, Use::Effect);
                }
                self.stmt(body);
                self.push(SiteKind::Loop(stmt));
                self.scope = scope;
            }
            StmtKind::GotoIndirect(expr) => {
                self.value(expr);
            }
            StmtKind::Label(label, inner) => {
                self.stmt(inner);
                if self.backward.contains(&label) {
                    self.push(SiteKind::Label(stmt));
                }
            }
            StmtKind::Case(inner) | StmtKind::Default(inner) => self.stmt(inner),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.value(value);
                }
                self.push(SiteKind::Return(stmt));
            }
            StmtKind::Asm(asm) => {
                let asm = &unit.asms[asm];
                for operand in asm.outputs.iter().chain(&asm.inputs) {
                    self.value(operand.expr);
                }
            }
        }
    }

    fn init(&mut self, init: InitId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self.unit.inits[init].kind {
            InitKind::Expr(expr) => {
                self.value(expr);
            }
            InitKind::String(_) => {}
            InitKind::List(list) => {
                for entry in self.unit.init_lists.get(list) {
                    self.init(entry.init);
                }
            }
        });
    }

    fn condition(&mut self, cond: ExprId) {
        if !self.value(cond) {
            self.push(SiteKind::Condition(cond));
        }
    }

    fn value(&mut self, expr: ExprId) -> bool {
        self.expr(expr, Use::Value)
    }

    /// Visits an expression; says whether it is a constant without overflow.
    fn expr(&mut self, expr: ExprId, used: Use) -> bool {
        if let ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::WideInt(_) =
            self.unit.exprs[expr].kind
        {
            return true;
        }
        if !self.seen.insert(expr) {
            return false;
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_node(expr, used))
    }

    fn expr_node(&mut self, expr: ExprId, used: Use) -> bool {
        let unit = self.unit;
        let node = unit.exprs[expr];
        let start = self.list.len();
        match node.kind {
            ExprKind::Unary(op, operand) => {
                let constant = self.value(operand);
                if op == UnaryOp::Neg {
                    self.arithmetic(expr, ArithmeticOp::Neg, node.ty, node.ty, used);
                }
                return constant && self.fits(expr, start);
            }
            ExprKind::Binary(op, a, b) => {
                let constants = [self.value(a), self.value(b)];
                if let Some(op) = arithmetic_op(op) {
                    self.arithmetic(expr, op, node.ty, unit.exprs[b].ty, used);
                }
                return constants == [true; 2] && self.fits(expr, start);
            }
            ExprKind::Cast(_, operand) => {
                return self.expr(operand, used) && self.fits(expr, start);
            }
            ExprKind::CompoundAssign { op, compute, place, value } => {
                self.value(place);
                self.value(value);
                if let CompoundOp::Arith(op) = op
                    && let Some(op) = arithmetic_op(op)
                {
                    self.arithmetic(expr, op, compute, unit.exprs[value].ty, used);
                }
                self.write(expr, used);
            }
            ExprKind::IncDec(op, place) => {
                self.value(place);
                let op = match op {
                    IncDec::PreInc | IncDec::PostInc => ArithmeticOp::Add,
                    IncDec::PreDec | IncDec::PostDec => ArithmeticOp::Sub,
                };
                if unit.types.is_real(node.ty) {
                    let ty = Arithmetic::of(unit, node.ty).promoted(&unit.target);
                    let used = used == Use::Value;
                    self.push(SiteKind::Arithmetic { expr, op, ty, right: ty, used });
                }
                self.write(expr, used);
            }
            ExprKind::Deref(operand) => {
                self.value(operand);
                // A row of an array is not accessed, its elements are.
                if unit.types.is_complete(node.ty) && !unit.types.is_array(node.ty) {
                    self.push(SiteKind::Access(expr));
                }
            }
            ExprKind::Index(base, index) => {
                self.value(base);
                self.value(index);
                if !unit.types.is_array(node.ty) {
                    self.push(SiteKind::Access(expr));
                }
            }
            ExprKind::VectorElement(a, b)
            | ExprKind::PtrOffset(_, a, b)
            | ExprKind::PtrDiff(a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Assign(a, b) => {
                self.value(a);
                self.value(b);
                self.write(expr, used);
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.condition(a);
                self.condition(b);
            }
            ExprKind::Cond(cond, then, otherwise) => {
                self.condition(cond);
                self.expr(then, used);
                self.expr(otherwise, used);
            }
            ExprKind::CondOmitted(cond, otherwise) => {
                self.value(cond);
                self.expr(otherwise, used);
            }
            ExprKind::Comma(first, second) => {
                self.expr(first, Use::Effect);
                self.expr(second, used);
            }
            ExprKind::Call(callee, args) => {
                let name = named_function(unit, callee);
                if name.is_none() {
                    self.value(callee);
                }
                for &arg in unit.expr_lists.get(args) {
                    self.value(arg);
                }
                if let Some((name, function)) = name {
                    self.push(SiteKind::Call { expr, callee: function, name });
                }
                self.write(expr, used);
            }
            ExprKind::Builtin(_, args) => {
                for &arg in unit.expr_lists.get(args) {
                    self.value(arg);
                }
                self.write(expr, used);
            }
            ExprKind::Function(function) => self.push(SiteKind::Value { expr, function }),
            ExprKind::Member(inner, ..)
            | ExprKind::AddrOf(inner)
            | ExprKind::VaArg(inner)
            | ExprKind::ComplexPart(inner, _) => {
                self.value(inner);
            }
            ExprKind::CompoundLiteral(var) => {
                if let Some(init) = unit.vars[var].init
                    && !matches!(unit.vars[var].storage, vergo_cfront::hir::Storage::Static { .. })
                {
                    self.init(init);
                }
            }
            ExprKind::StmtExpr(stmt) => self.stmt(stmt),
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::WideInt(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofVla(_) => {}
        }
        false
    }

    fn write(&mut self, expr: ExprId, used: Use) {
        self.push(SiteKind::Write(expr, used == Use::Value));
    }

    fn arithmetic(
        &mut self,
        expr: ExprId,
        op: ArithmeticOp,
        ty: QualType,
        right: QualType,
        used: Use,
    ) {
        let (ty, right) = (Arithmetic::of(self.unit, ty), Arithmetic::of(self.unit, right));
        let used = used == Use::Value;
        self.push(SiteKind::Arithmetic { expr, op, ty, right, used });
    }

    /// Returns whether an expression of constants has a value without overflow; it then has no sites.
    fn fits(&mut self, expr: ExprId, start: usize) -> bool {
        let mut evaluator = Evaluator::new(self.unit);
        let constant = evaluator.eval(expr).is_ok() && evaluator.overflow.is_none();
        if constant {
            self.list.truncate(start);
        }
        constant
    }
}

/// The function that a callee names.
pub(crate) fn named_function(unit: &Unit, callee: ExprId) -> Option<(ExprId, FuncId)> {
    let mut expr = callee;
    loop {
        match unit.exprs[expr].kind {
            ExprKind::Function(function) => return Some((expr, function)),
            ExprKind::Cast(_, inner) if unit.exprs[inner].span == unit.exprs[expr].span => {
                expr = inner;
            }
            _ => return None,
        }
    }
}

fn arithmetic_op(op: BinaryOp) -> Option<ArithmeticOp> {
    Some(match op {
        BinaryOp::Mul => ArithmeticOp::Mul,
        BinaryOp::Div => ArithmeticOp::Div,
        BinaryOp::Rem => ArithmeticOp::Rem,
        BinaryOp::Add => ArithmeticOp::Add,
        BinaryOp::Sub => ArithmeticOp::Sub,
        BinaryOp::Shl => ArithmeticOp::Shl,
        BinaryOp::Shr => ArithmeticOp::Shr,
        _ => return None,
    })
}
