//! What a part of a program uses: variables, functions, memory behind pointers. Transitive over calls.

use crate::site::named_function;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vergo_cfront::hir::{
    CastKind, ExprId, ExprKind, FuncId, InitId, InitKind, StmtId, StmtKind, Unit, VarId,
};
use vergo_cfront::types::ArrayLen;
use vergo_cfront::types::TypeKind;

/// What a statement, an expression or a function uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Variables that are read or written.
    pub(crate) vars: BTreeSet<VarId>,
    /// Variables that are assigned by name.
    pub(crate) assigned: BTreeSet<VarId>,
    /// Variables whose address goes somewhere.
    pub(crate) address_taken: BTreeSet<VarId>,
    /// Functions that are called by name.
    pub(crate) callees: BTreeSet<FuncId>,
    /// Functions that are used as values.
    pub(crate) values: BTreeSet<FuncId>,
    /// Accesses through pointers.
    pub(crate) accesses: Vec<ExprId>,
    /// Whether a function is called through a pointer.
    pub(crate) indirect: bool,
    /// Whether memory is allocated.
    pub(crate) allocates: bool,
    /// Whether control leaves by `longjmp` or enters by `setjmp`.
    pub(crate) jumps: bool,
}

/// Functions of the C library that allocate.
const ALLOCATES: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "strdup",
    "strndup",
    "reallocarray",
    "alloca",
    "__builtin_alloca",
    "__builtin_malloc",
    "__builtin_calloc",
    "__VERIFIER_nondet_memory",
    "kmalloc",
    "kzalloc",
    "ldv_malloc",
];

impl Uses {
    /// What a statement uses itself, without its callees.
    pub(crate) fn of_stmt(unit: &Unit, stmt: StmtId) -> Uses {
        let mut uses = Uses::default();
        uses.stmt(unit, stmt);
        uses
    }

    /// Adds what another one uses.
    pub(crate) fn add(&mut self, other: &Uses) {
        self.vars.extend(&other.vars);
        self.assigned.extend(&other.assigned);
        self.address_taken.extend(&other.address_taken);
        self.callees.extend(&other.callees);
        self.values.extend(&other.values);
        self.accesses.extend(&other.accesses);
        self.indirect |= other.indirect;
        self.allocates |= other.allocates;
        self.jumps |= other.jumps;
    }

    fn stmt(&mut self, unit: &Unit, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match unit.stmts[stmt].kind {
            StmtKind::Expr(expr) | StmtKind::GotoIndirect(expr) => self.expr(unit, expr),
            StmtKind::Decl(var) => {
                if let Some(init) = unit.vars[var].init {
                    self.init(unit, init);
                }
                if unit.types.is_vla(unit.vars[var].ty) {
                    self.allocates = true;
                }
            }
            StmtKind::Compound(list) => {
                for &stmt in unit.stmt_lists.get(list) {
                    self.stmt(unit, stmt);
                }
            }
            StmtKind::If(cond, then, otherwise) => {
                self.expr(unit, cond);
                self.stmt(unit, then);
                if let Some(otherwise) = otherwise {
                    self.stmt(unit, otherwise);
                }
            }
            StmtKind::Switch { cond, body, .. }
            | StmtKind::While(cond, body)
            | StmtKind::DoWhile(body, cond) => {
                self.expr(unit, cond);
                self.stmt(unit, body);
            }
            StmtKind::For { init, cond, step, body } => {
                for &stmt in unit.stmt_lists.get(init) {
                    self.stmt(unit, stmt);
                }
                for expr in [cond, step].into_iter().flatten() {
                    self.expr(unit, expr);
                }
                self.stmt(unit, body);
            }
            StmtKind::Label(_, inner) | StmtKind::Case(inner) | StmtKind::Default(inner) => {
                self.stmt(unit, inner);
            }
            StmtKind::Return(Some(expr)) => self.expr(unit, expr),
            StmtKind::Asm(asm) => {
                let asm = &unit.asms[asm];
                for operand in asm.outputs.iter().chain(&asm.inputs) {
                    self.expr(unit, operand.expr);
                }
            }
            _ => {}
        });
    }

    fn init(&mut self, unit: &Unit, init: InitId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match unit.inits[init].kind {
            InitKind::Expr(expr) => self.expr(unit, expr),
            InitKind::String(_) => {}
            InitKind::List(list) => {
                for entry in unit.init_lists.get(list) {
                    self.init(unit, entry.init);
                }
            }
        });
    }

    fn expr(&mut self, unit: &Unit, expr: ExprId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_node(unit, expr));
    }

    fn expr_node(&mut self, unit: &Unit, expr: ExprId) {
        match unit.exprs[expr].kind {
            ExprKind::Var(var) => {
                self.vars.insert(var);
            }
            ExprKind::Function(function) => {
                self.values.insert(function);
            }
            ExprKind::Deref(inner) => {
                self.accesses.push(expr);
                self.expr(unit, inner);
            }
            ExprKind::Index(base, index) => {
                // An element of a named array is no access through a pointer.
                match unit.exprs[base].kind {
                    ExprKind::Cast(CastKind::ArrayDecay, array) => self.expr(unit, array),
                    _ => {
                        self.accesses.push(expr);
                        self.expr(unit, base);
                    }
                }
                self.expr(unit, index);
            }
            ExprKind::AddrOf(inner) | ExprKind::Cast(CastKind::ArrayDecay, inner) => {
                if let Some(var) = base_variable(unit, inner) {
                    self.address_taken.insert(var);
                }
                self.expr(unit, inner);
            }
            ExprKind::Assign(place, value) | ExprKind::CompoundAssign { place, value, .. } => {
                if let ExprKind::Var(var) = unit.exprs[place].kind {
                    self.assigned.insert(var);
                }
                self.expr(unit, place);
                self.expr(unit, value);
            }
            ExprKind::IncDec(_, place) => {
                if let ExprKind::Var(var) = unit.exprs[place].kind {
                    self.assigned.insert(var);
                }
                self.expr(unit, place);
            }
            ExprKind::Call(callee, args) => {
                match named_function(unit, callee) {
                    Some((_, function)) => {
                        let name = unit.names.name(unit.functions[function].name);
                        self.callees.insert(function);
                        self.allocates |= ALLOCATES.contains(&name);
                        self.jumps |= name.contains("longjmp") || name.contains("setjmp");
                    }
                    None => {
                        self.indirect = true;
                        self.expr(unit, callee);
                    }
                }
                for &arg in unit.expr_lists.get(args) {
                    self.expr(unit, arg);
                }
            }
            ExprKind::Builtin(builtin, args) => {
                self.allocates |= format!("{builtin:?}").contains("Alloca");
                for &arg in unit.expr_lists.get(args) {
                    self.expr(unit, arg);
                }
            }
            ExprKind::Unary(_, a)
            | ExprKind::Member(a, ..)
            | ExprKind::Cast(_, a)
            | ExprKind::VaArg(a)
            | ExprKind::ComplexPart(a, _) => self.expr(unit, a),
            ExprKind::Binary(_, a, b)
            | ExprKind::PtrOffset(_, a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::CondOmitted(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::VectorElement(a, b) => {
                self.expr(unit, a);
                self.expr(unit, b);
            }
            ExprKind::Cond(a, b, c) => {
                self.expr(unit, a);
                self.expr(unit, b);
                self.expr(unit, c);
            }
            ExprKind::CompoundLiteral(var) => {
                self.vars.insert(var);
                if let Some(init) = unit.vars[var].init {
                    self.init(unit, init);
                }
            }
            ExprKind::StmtExpr(stmt) => self.stmt(unit, stmt),
            ExprKind::SizeofVla(ty) => {
                if let TypeKind::Array(_, ArrayLen::Variable(var)) = unit.types.kind(ty) {
                    self.vars.insert(*var);
                }
            }
            _ => {}
        }
    }
}

/// The variable that an lvalue is a part of.
fn base_variable(unit: &Unit, place: ExprId) -> Option<VarId> {
    let mut place = place;
    loop {
        match unit.exprs[place].kind {
            ExprKind::Var(var) | ExprKind::CompoundLiteral(var) => return Some(var),
            ExprKind::Member(inner, ..) | ExprKind::ComplexPart(inner, _) => place = inner,
            ExprKind::Index(base, _) => match unit.exprs[base].kind {
                ExprKind::Cast(CastKind::ArrayDecay, array) => place = array,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// What every function of a unit uses, itself and with its callees.
#[derive(Debug)]
pub(crate) struct UnitUses {
    own: FxHashMap<FuncId, Uses>,
    /// Functions that can be called through a pointer.
    by_pointer: BTreeSet<FuncId>,
    /// Variables whose address goes somewhere, in the whole unit.
    pub(crate) address_taken: BTreeSet<VarId>,
}

impl UnitUses {
    /// Looks at all functions.
    pub(crate) fn new(unit: &Unit) -> UnitUses {
        let mut own = FxHashMap::default();
        let mut by_pointer = BTreeSet::new();
        let mut address_taken = BTreeSet::new();
        for (id, function) in unit.functions.iter() {
            let Some(body) = function.body else { continue };
            let uses = Uses::of_stmt(unit, body);
            by_pointer.extend(&uses.values);
            address_taken.extend(&uses.address_taken);
            own.insert(id, uses);
        }
        for var in unit.vars.values() {
            if let Some(init) = var.init {
                let mut uses = Uses::default();
                uses.init(unit, init);
                by_pointer.extend(&uses.values);
                address_taken.extend(&uses.address_taken);
            }
        }
        UnitUses { own, by_pointer, address_taken }
    }

    /// The functions that something can call, directly or not.
    pub(crate) fn reachable(&self, from: &Uses) -> BTreeSet<FuncId> {
        let mut seen = BTreeSet::new();
        let mut work: Vec<FuncId> = from.callees.iter().copied().collect();
        if from.indirect {
            work.extend(&self.by_pointer);
        }
        while let Some(function) = work.pop() {
            if seen.insert(function)
                && let Some(uses) = self.own.get(&function)
            {
                work.extend(&uses.callees);
                if uses.indirect {
                    work.extend(&self.by_pointer);
                }
            }
        }
        seen
    }

    /// What something uses with everything that it can call.
    pub(crate) fn closure(&self, from: &Uses) -> Uses {
        let mut all = from.clone();
        for function in self.reachable(from) {
            if let Some(uses) = self.own.get(&function) {
                all.add(uses);
            }
        }
        all
    }

    /// What a function uses itself.
    pub(crate) fn function(&self, function: FuncId) -> Option<&Uses> {
        self.own.get(&function)
    }

    /// The functions that can call themselves, directly or not.
    pub(crate) fn recursive(&self, unit: &Unit) -> BTreeSet<FuncId> {
        let functions = unit.functions.keys();
        functions
            .filter(|id| self.own.get(id).is_some_and(|uses| self.reachable(uses).contains(id)))
            .collect()
    }
}
