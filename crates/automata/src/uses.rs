//! The uses of a part of a program: variables, functions, memory behind pointers. Transitive over calls.

use crate::site::named_function;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{
    CastKind, ExprId, ExprKind, FuncId, InitId, InitKind, StmtId, StmtKind, Unit, VarId,
};
use vergo_cfront::types::ArrayLen;
use vergo_cfront::types::TypeKind;

/// The uses of a statement, an expression or a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Variables that are read or written.
    pub(crate) vars: BTreeSet<VarId>,
    /// Variables that are assigned by name, or of which a part is.
    pub(crate) assigned: BTreeSet<VarId>,
    /// Variables whose address goes somewhere.
    pub(crate) address_taken: BTreeSet<VarId>,
    /// Functions that are called by name.
    pub(crate) callees: BTreeSet<FuncId>,
    /// Functions that are used as values.
    pub(crate) values: BTreeSet<FuncId>,
    /// Accesses through pointers.
    pub(crate) accesses: Vec<ExprId>,
    /// True if an object is written that has no name where it is written.
    pub(crate) writes_memory: bool,
    /// True if a function is called through a pointer.
    pub(crate) indirect: bool,
    /// True if memory is allocated.
    pub(crate) allocates: bool,
    /// True if control leaves by `longjmp` or enters by `setjmp`.
    pub(crate) jumps: bool,
    /// True if threads are started.
    pub(crate) threads: bool,
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

/// Functions of the C library that read what their arguments point to and write nothing.
pub(crate) const READS: &[&str] = &[
    "__assert_fail",
    "atoi",
    "atol",
    "fprintf",
    "memcmp",
    "printf",
    "puts",
    "strchr",
    "strcmp",
    "strlen",
    "strncmp",
    "strrchr",
];

/// Returns whether an argument of a call is a pointer.
pub(crate) fn has_pointer(unit: &Unit, args: &[ExprId]) -> bool {
    args.iter().any(|&arg| unit.types.pointee(unit.exprs[arg].ty).is_some())
}

impl Uses {
    /// Returns the uses of a statement itself, without its callees.
    pub(crate) fn of_stmt(unit: &Unit, stmt: StmtId) -> Uses {
        let mut uses = Uses::default();
        uses.stmt(unit, stmt);
        uses
    }

    /// Returns the uses of an expression itself.
    pub(crate) fn of_expr(unit: &Unit, expr: ExprId) -> Uses {
        let mut uses = Uses::default();
        uses.expr(unit, expr);
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
        self.writes_memory |= other.writes_memory;
        self.indirect |= other.indirect;
        self.allocates |= other.allocates;
        self.jumps |= other.jumps;
        self.threads |= other.threads;
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
                self.writes_memory = true;
                for operand in &asm.outputs {
                    self.write(unit, operand.expr);
                }
                for operand in &asm.inputs {
                    self.expr(unit, operand.expr);
                }
            }
            _ => {}
        });
    }

    fn write(&mut self, unit: &Unit, place: ExprId) {
        match base_variable(unit, place) {
            Some(var) => {
                self.assigned.insert(var);
            }
            None => self.writes_memory = true,
        }
        self.expr(unit, place);
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
                self.write(unit, place);
                self.expr(unit, value);
            }
            ExprKind::IncDec(_, place) => {
                self.write(unit, place);
            }
            ExprKind::Call(callee, args) => {
                match named_function(unit, callee) {
                    Some((_, function)) => {
                        let name = unit.names.name(unit.functions[function].name);
                        self.callees.insert(function);
                        self.allocates |= ALLOCATES.contains(&name);
                        // What the library does with a pointer is not known, unless it only reads.
                        self.writes_memory |= unit.functions[function].body.is_none()
                            && !READS.contains(&name)
                            && has_pointer(unit, unit.expr_lists.get(args));
                        self.threads |= matches!(name, "pthread_create" | "thrd_create");
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
                self.allocates |= matches!(builtin, Builtin::Alloca | Builtin::AllocaAligned);
                self.writes_memory |= has_pointer(unit, unit.expr_lists.get(args));
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
pub(crate) fn base_variable(unit: &Unit, place: ExprId) -> Option<VarId> {
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

/// The uses of every function of a unit, itself and with its callees.
#[derive(Debug)]
pub(crate) struct UnitUses {
    own: FxHashMap<FuncId, Uses>,
    /// Functions that can be called through a pointer.
    by_pointer: BTreeSet<FuncId>,
    /// Variables whose address goes somewhere, in the whole unit.
    pub(crate) address_taken: BTreeSet<VarId>,
    /// True if the program starts threads.
    pub(crate) threads: bool,
    /// Variables that are read at every place, by the automaton.
    pub(crate) read_everywhere: BTreeSet<VarId>,
    /// True if the program allocates memory.
    pub(crate) allocates: bool,
}

impl UnitUses {
    /// Looks at all functions.
    pub(crate) fn new(unit: &Unit) -> UnitUses {
        let mut own = FxHashMap::default();
        let mut by_pointer = BTreeSet::new();
        let mut address_taken = BTreeSet::new();
        let (mut threads, mut allocates) = (false, false);
        for (id, function) in unit.functions.iter() {
            let Some(body) = function.body else { continue };
            let uses = Uses::of_stmt(unit, body);
            by_pointer.extend(&uses.values);
            address_taken.extend(&uses.address_taken);
            threads |= uses.threads;
            allocates |= uses.allocates;
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
        let read_everywhere = BTreeSet::new();
        UnitUses { own, by_pointer, address_taken, threads, read_everywhere, allocates }
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

    /// Returns the uses of a part with everything that it can call.
    pub(crate) fn closure(&self, from: &Uses) -> Uses {
        let mut all = from.clone();
        all.threads |= self.threads;
        all.vars.extend(&self.read_everywhere);
        for function in self.reachable(from) {
            if let Some(uses) = self.own.get(&function) {
                all.add(uses);
            }
        }
        all
    }

    /// Returns the uses of a function itself.
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
