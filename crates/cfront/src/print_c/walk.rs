//! One walk over an item before it is printed: what it refers to, in which scopes, and what happens to the hidden
//! lengths of its arrays.

use super::lengths::{assigned_length, is_hidden};
use crate::builtins::Builtin;
use crate::hir::{
    AsmId, CastKind, ExprId, ExprKind, FuncId, InitId, InitKind, LabelId, StmtId, StmtKind,
    Storage, Unit, VarId,
};
use crate::types::{QualType, TypeId, TypeKind};
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};

/// An event for names, in the order of the text.
#[derive(Clone, Copy)]
pub(super) enum Event {
    Enter,
    Exit,
    Declare(VarId),
    UseVar(VarId),
    UseFunction(FuncId),
}

/// The results of the walk.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) events: Vec<Event>,
    /// Types that will be written, each once.
    pub(super) types: Vec<QualType>,
    pub(super) labels: Vec<LabelId>,
    /// Hidden variables, in order of appearance.
    pub(super) hidden: Vec<VarId>,
    /// The values assigned to hidden variables.
    pub(super) assigned: FxHashMap<VarId, Vec<ExprId>>,
    /// The number of writes of a variable after its declaration; taking its address counts as more than one.
    pub(super) writes: FxHashMap<VarId, u32>,
    /// Hidden variables that a statement of its own assigns.
    pub(super) statement_writes: FxHashSet<VarId>,
    /// The number of occurrences of a hidden variable in types that are written.
    pub(super) mentions: FxHashMap<VarId, u32>,
    /// True if the C library's `setjmp` and `longjmp` are called through builtins.
    pub(super) setjmp: bool,
    pub(super) longjmp: bool,
}

enum Task {
    Stmt(StmtId),
    Expr(ExprId),
    Init(InitId),
    Event(Event),
    Type(QualType),
}

struct Walk<'u> {
    unit: &'u Unit,
    facts: Facts,
    stack: Vec<Task>,
    /// Tasks of the node in hand, in order; they go to the stack in reverse.
    next: Vec<Task>,
    seen_types: EntitySet<TypeId>,
    seen_hidden: FxHashSet<VarId>,
    seen_labels: FxHashSet<LabelId>,
}

/// Walks a function with its static locals.
pub(super) fn function(unit: &Unit, id: FuncId, statics: &[VarId]) -> Facts {
    let mut walk = Walk::new(unit);
    let function = &unit.functions[id];
    walk.next.push(Task::Type(function.ty));
    for &var in statics.iter().chain(&function.params) {
        walk.next.push(Task::Event(Event::Declare(var)));
    }
    for &param in &function.params {
        walk.next.push(Task::Type(unit.vars[param].ty));
    }
    for &var in statics {
        walk.variable(var);
    }
    walk.next.extend(function.body.map(Task::Stmt));
    walk.run()
}

/// The labels of each function to which nested functions jump.
pub(super) fn outer_labels(unit: &Unit) -> FxHashMap<FuncId, Vec<LabelId>> {
    let mut found: FxHashMap<FuncId, Vec<LabelId>> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    for stmt in unit.stmts.values() {
        if let StmtKind::GotoOuter(label, function) = stmt.kind
            && seen.insert(label)
        {
            found.entry(function).or_default().push(label);
        }
    }
    found
}

/// Walks a variable at file scope.
pub(super) fn variable(unit: &Unit, var: VarId) -> Facts {
    let mut walk = Walk::new(unit);
    walk.variable(var);
    walk.run()
}

impl<'u> Walk<'u> {
    fn new(unit: &'u Unit) -> Walk<'u> {
        Walk {
            unit,
            facts: Facts::default(),
            stack: Vec::new(),
            next: Vec::new(),
            seen_types: EntitySet::new(),
            seen_hidden: FxHashSet::default(),
            seen_labels: FxHashSet::default(),
        }
    }

    fn run(mut self) -> Facts {
        self.flush();
        while let Some(task) = self.stack.pop() {
            match task {
                Task::Stmt(stmt) => self.stmt(stmt),
                Task::Expr(e) => self.expr(e),
                Task::Init(init) => self.init(init),
                Task::Event(event) => self.facts.events.push(event),
                Task::Type(ty) => self.ty(ty),
            }
            self.flush();
        }
        self.facts
    }

    fn flush(&mut self) {
        self.stack.extend(self.next.drain(..).rev());
    }

    fn enter(&mut self) {
        self.next.push(Task::Event(Event::Enter));
    }

    fn exit(&mut self) {
        self.next.push(Task::Event(Event::Exit));
    }

    fn variable(&mut self, var: VarId) {
        let var = &self.unit.vars[var];
        self.next.push(Task::Type(var.ty));
        if let Some(cleanup) = var.cleanup {
            self.next.push(Task::Event(Event::UseFunction(cleanup)));
        }
        self.next.extend(var.init.map(Task::Init));
    }

    fn label(&mut self, label: LabelId) {
        if self.seen_labels.insert(label) {
            self.facts.labels.push(label);
        }
    }

    fn hidden(&mut self, var: VarId) {
        if self.seen_hidden.insert(var) {
            self.facts.hidden.push(var);
        }
    }

    fn ty(&mut self, ty: QualType) {
        // Lengths are counted at each mention; the rest of a type is of interest once.
        let variable = self.unit.types.is_variably_modified(ty);
        if !self.seen_types.insert(ty.ty()) && !variable {
            return;
        }
        self.facts.types.push(ty);
        if !variable {
            return;
        }
        for var in super::lengths::mentioned(self.unit, ty) {
            if is_hidden(self.unit, var) {
                self.hidden(var);
                *self.facts.mentions.entry(var).or_default() += 1;
            } else {
                self.facts.events.push(Event::UseVar(var));
            }
        }
    }

    fn written(&mut self, place: ExprId, times: u32) {
        if let ExprKind::Var(var) = self.unit.exprs[place].kind {
            let count = self.facts.writes.entry(var).or_default();
            *count = count.saturating_add(times);
        }
    }

    fn init(&mut self, init: InitId) {
        match self.unit.inits[init].kind {
            InitKind::Expr(e) => self.next.push(Task::Expr(e)),
            InitKind::String(_) => {}
            InitKind::List(list) => {
                let entries = self.unit.init_lists.get(list);
                self.next.extend(entries.iter().map(|entry| Task::Init(entry.init)));
            }
        }
    }

    fn asm(&mut self, asm: AsmId) {
        let asm = &self.unit.asms[asm];
        for output in &asm.outputs {
            self.written(output.expr, 2);
            self.next.push(Task::Expr(output.expr));
        }
        self.next.extend(asm.inputs.iter().map(|input| Task::Expr(input.expr)));
        for &label in &asm.labels {
            self.label(label);
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        let unit = self.unit;
        match unit.stmts[stmt].kind {
            StmtKind::Empty
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(None) => {}
            StmtKind::Expr(e) => {
                if let Some((var, _)) = assigned_length(unit, e) {
                    self.facts.statement_writes.insert(var);
                }
                self.next.push(Task::Expr(e));
            }
            StmtKind::Return(Some(e)) | StmtKind::GotoIndirect(e) => self.next.push(Task::Expr(e)),
            StmtKind::Decl(var) => {
                if is_hidden(unit, var) {
                    self.hidden(var);
                    return;
                }
                self.next.push(Task::Event(Event::Declare(var)));
                self.variable(var);
            }
            StmtKind::Compound(list) => {
                self.enter();
                self.next.extend(unit.stmt_lists.get(list).iter().map(|&stmt| Task::Stmt(stmt)));
                self.exit();
            }
            StmtKind::If(cond, then, other) => {
                self.next.push(Task::Expr(cond));
                self.next.push(Task::Stmt(then));
                self.next.extend(other.map(Task::Stmt));
            }
            StmtKind::Switch { cond, body, .. } | StmtKind::While(cond, body) => {
                self.next.push(Task::Expr(cond));
                self.next.push(Task::Stmt(body));
            }
            StmtKind::DoWhile(body, cond) => {
                self.next.push(Task::Stmt(body));
                self.next.push(Task::Expr(cond));
            }
            StmtKind::For { init, cond, step, body } => {
                self.enter();
                self.next.extend(unit.stmt_lists.get(init).iter().map(|&stmt| Task::Stmt(stmt)));
                self.next.extend(cond.map(Task::Expr));
                self.next.extend(step.map(Task::Expr));
                self.next.push(Task::Stmt(body));
                self.exit();
            }
            StmtKind::Goto(label) | StmtKind::GotoOuter(label, _) => self.label(label),
            StmtKind::Nested(function) => {
                let node = &unit.functions[function];
                self.next.push(Task::Type(node.ty));
                self.enter();
                for &param in &node.params {
                    self.next.push(Task::Event(Event::Declare(param)));
                    self.variable(param);
                }
                self.next.extend(node.body.map(Task::Stmt));
                self.exit();
            }
            StmtKind::Label(label, body) => {
                self.label(label);
                self.next.push(Task::Stmt(body));
            }
            StmtKind::Case(body) | StmtKind::Default(body) => self.next.push(Task::Stmt(body)),
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn expr(&mut self, e: ExprId) {
        let unit = self.unit;
        let expr = unit.exprs[e];
        match expr.kind {
            ExprKind::Error | ExprKind::WideInt(_) | ExprKind::Float(_) | ExprKind::String(_) => {}
            // A constant pointer is written as a cast.
            ExprKind::Int(_) => {
                if matches!(unit.types.kind(expr.ty), TypeKind::Pointer(_)) {
                    self.next.push(Task::Type(expr.ty));
                }
            }
            ExprKind::Var(var) => {
                if is_hidden(unit, var) {
                    self.hidden(var);
                } else {
                    self.facts.events.push(Event::UseVar(var));
                }
            }
            ExprKind::Function(function) => self.facts.events.push(Event::UseFunction(function)),
            ExprKind::LabelAddr(label) => self.label(label),
            ExprKind::Deref(x)
            | ExprKind::Member(x, ..)
            | ExprKind::Unary(_, x)
            | ExprKind::ComplexPart(x, _) => self.next.push(Task::Expr(x)),
            ExprKind::AddrOf(x) => {
                self.written(x, 2);
                self.next.push(Task::Expr(x));
            }
            ExprKind::IncDec(_, x) => {
                self.written(x, 2);
                self.next.push(Task::Expr(x));
            }
            ExprKind::Cast(kind, x) => {
                if !matches!(kind, CastKind::Load | CastKind::ArrayDecay | CastKind::FunctionDecay)
                {
                    self.next.push(Task::Type(expr.ty));
                }
                self.next.push(Task::Expr(x));
            }
            ExprKind::VaArg(x) => {
                self.next.push(Task::Type(expr.ty));
                self.next.push(Task::Expr(x));
            }
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::PtrOffset(_, a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::CondOmitted(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::VectorElement(a, b) => self.next.extend([Task::Expr(a), Task::Expr(b)]),
            ExprKind::Cond(a, b, c) => {
                self.next.extend([Task::Expr(a), Task::Expr(b), Task::Expr(c)])
            }
            ExprKind::Assign(place, value) => {
                self.written(place, 1);
                if let Some((var, value)) = assigned_length(unit, e) {
                    self.facts.assigned.entry(var).or_default().push(value);
                }
                self.next.extend([Task::Expr(place), Task::Expr(value)]);
            }
            ExprKind::CompoundAssign { place, value, .. } => {
                self.written(place, 2);
                self.next.extend([Task::Expr(place), Task::Expr(value)]);
            }
            ExprKind::Call(callee, args) => {
                self.next.push(Task::Expr(callee));
                self.next.extend(unit.expr_lists.get(args).iter().map(|&arg| Task::Expr(arg)));
            }
            ExprKind::Builtin(builtin, args) => {
                let args = unit.expr_lists.get(args);
                match builtin {
                    Builtin::Setjmp => self.facts.setjmp = true,
                    Builtin::Longjmp => self.facts.longjmp = true,
                    _ => {}
                }
                self.next.extend(args.iter().map(|&arg| Task::Expr(arg)));
            }
            ExprKind::CompoundLiteral(var) => self.variable(var),
            ExprKind::StmtExpr(stmt) => self.next.push(Task::Stmt(stmt)),
            ExprKind::SizeofVla(ty) => self.next.push(Task::Type(ty)),
        }
    }
}

/// Returns whether the variable belongs to a block: automatic, a parameter, or a static local.
pub(super) fn is_local(unit: &Unit, var: VarId) -> bool {
    match unit.vars[var].storage {
        Storage::Auto | Storage::Register | Storage::Param | Storage::Literal => true,
        Storage::Static { function, .. } => function.is_some(),
    }
}
