//! Sequentialization: a program with threads as one without, from C to C.
//!
//! **Idea.** Every function in which a thread can be interrupted becomes one that makes some steps and returns: its local variables are
//! arrays with an element for each thread, and so is the place at which it goes on when it is called again. Before each access of what
//! other threads can reach, it may return by chance. The new `main` calls what the threads start with in turn, until
//! the old `main` has returned. Locks, conditions, semaphores and joins are tests, after which a thread that has to wait returns
//! as well.
//!
//! **Source.** The round-robin schedules are those of A. Lal, T. Reps, "Reducing concurrent analysis under a context bound to sequential
//! analysis", FMSD 35(1), 2009, doi 10.1007/s10703-009-0078-9; that values are not guessed but computed in the order of
//! execution is due to S. La Torre, P. Madhusudan, G. Parlato, "Reducing context-bounded concurrent reachability to sequential
//! reachability", CAV 2009, doi 10.1007/978-3-642-02658-4_36.
//!
//! **Deviations.** Functions are neither inlined nor unrolled, so that the result is as long as the program, and threads that are started
//! in loops have as many numbers as there is room for. Without a bound on rounds no schedule is left out.
//!
//! **Soundness.** Each execution of the result is one of the program, in which threads take turns where it says so. Which
//! executions are left out stands in [`Sequentialized::left_out`]. A construct that is not followed is an error with its place.
//!
//! **Steps.** An expression that accesses what others can reach once is a step; others are taken apart, so that `x++` is
//! a read and a write ([`visible`]).

mod calls;
mod copies;
mod library;
mod starts;
mod steps;
mod tree;
mod values;
mod visible;

use crate::codes;
use rustc_hash::{FxHashMap, FxHashSet};
use starts::{function_named, reached, threads_of};
use vergo_cfront::hir::{
    Case, Definition, ExprId, ExprKind, FuncId, Function, Init, InitEntry, InitKind, Item, LabelId,
    Linkage, NonNull, StmtId, StmtKind, Storage, Unit, VarId,
};
use vergo_cfront::print_c::print_c;
use vergo_cfront::types::{FunctionType, QualType, TypeKind};
use vergo_cfront::walk::{Node, visit};
use vergo_cfront::{Options, analyze, parse};
use vergo_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use visible::Visible;

/// The schedule of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The number of turns of each thread; any number if it is not given.
    pub rounds: Option<u32>,
    /// The number of threads besides the first, where the program does not show it.
    pub threads: u32,
}

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds { rounds: None, threads: 4 }
    }
}

/// A program without threads.
#[derive(Clone, Debug)]
pub struct Sequentialized {
    /// Its text.
    pub text: String,
    /// Which executions of the program it does not have, in words; if none, it reaches what the program reaches.
    pub left_out: Vec<String>,
}

const RUNTIME: &str = include_str!("threads/runtime.c");

/// Makes a program without threads of one with threads. `None` if that cannot be; `diags` has the reasons.
pub fn sequentialize(
    map: &mut SourceMap,
    file: FileId,
    options: &Options,
    turns: Rounds,
    diags: &mut Diagnostics,
) -> Option<Sequentialized> {
    let errors = diags.error_count();
    let start = map.file_span(file).shrink_to_lo();
    let refuse = |diags: &mut Diagnostics, span, message: &str| {
        diags.push(Diagnostic::error(codes::NOT_SEQUENTIALIZED, span, message));
    };
    let ast = parse(map, file, options, diags);
    let unit = analyze(ast, map, options, diags);
    if diags.error_count() > errors {
        return None;
    }
    let Some(main) = function_named(&unit, "main").filter(|&f| unit.functions[f].body.is_some())
    else {
        refuse(diags, start, "the program has no function `main`");
        return None;
    };
    let taken = unit.names.iter().find(|(_, name)| name.starts_with("seq_"));
    if let Some((_, name)) = taken {
        refuse(
            diags,
            start,
            &format!("names that begin with `seq_` are needed, and there is `{name}`"),
        );
        return None;
    }
    let (known, starts) = threads_of(&unit, main);
    let n_threads = u64::from(known.unwrap_or(turns.threads)) + 1;
    let mut text = map.text(file).to_vec();
    text.extend_from_slice(b"\n# 1 \"<threads>\"\n");
    let (goes_on, counts) = match turns.rounds {
        Some(rounds) => (format!("seq_round < {rounds}"), "seq_round++"),
        None => (String::new(), ""),
    };
    let runtime = RUNTIME
        .replace("SEQ_THREADS", &n_threads.to_string())
        .replace("SEQ_GOES_ON", &goes_on)
        .replace("SEQ_COUNTS", counts);
    text.extend_from_slice(runtime.as_bytes());
    let name = map.name(file).to_string();
    let Ok(file) = map.add(&name, text) else {
        refuse(diags, start, "the program is too large");
        return None;
    };
    let ast = parse(map, file, options, diags);
    let unit = analyze(ast, map, options, diags);
    if diags.error_count() > errors {
        return None;
    }
    if let Some(record) = unit.types.records.values().find(|record| record.variable) {
        refuse(diags, record.span, "a structure whose size is known only at run time");
        return None;
    }
    let mut sequencer = Sequencer::new(unit, n_threads, starts, diags)?;
    sequencer.run();
    let mut left_out = Vec::new();
    if let Some(rounds) = turns.rounds {
        left_out.push(format!("those in which a thread has more than {rounds} turns"));
    }
    if known.is_none() {
        left_out.push(format!("those with more than {} threads besides the first", turns.threads));
    }
    if sequencer.kept_old {
        left_out.push(
            "those in which a variable without a value has another than zero or its last"
                .to_owned(),
        );
    }
    let unit = sequencer.unit;
    if diags.error_count() > errors {
        return None;
    }
    let text = format!("{}{}", heading(&left_out), print_c(&unit));
    Some(Sequentialized { text, left_out })
}

/// Returns the heading of the result.
fn heading(left_out: &[String]) -> String {
    let mut text = "/* A program without threads that does what one with threads does, in every order of their steps".to_owned();
    for (i, one) in left_out.iter().enumerate() {
        text.push_str(if i == 0 { " but for\n   " } else { ",\n   " });
        text.push_str(one);
    }
    text.push_str(". */\n\n");
    text
}

/// A function in which others may run.
#[derive(Clone, Debug)]
struct Stepped {
    /// The function that makes its steps.
    step: FuncId,
    /// Where it goes on, its result and its parameters, for each thread.
    at: VarId,
    result: Option<VarId>,
    params: Vec<VarId>,
    /// Its number, if threads start with it; that of `main` is zero.
    number: Option<u64>,
    /// True if it is also called.
    is_called: bool,
}

/// The function under work.
#[derive(Debug)]
struct Frame {
    name: String,
    at: VarId,
    result: Option<VarId>,
    number: Option<u64>,
    is_called: bool,
    n_points: u64,
    n_labels: u32,
    points: Vec<(u64, LabelId)>,
    labels: FxHashMap<LabelId, LabelId>,
    /// Loops and `switch` statements in their new form, with where rounds end if that has a label.
    around: FxHashMap<StmtId, (StmtId, Option<LabelId>)>,
    cases: FxHashMap<StmtId, StmtId>,
}

impl Frame {
    /// A function without a result that nobody calls, before its first statement.
    fn new(name: String, at: VarId) -> Frame {
        Frame {
            name,
            at,
            result: None,
            number: None,
            is_called: false,
            n_points: 0,
            n_labels: 0,
            points: Vec::new(),
            labels: FxHashMap::default(),
            around: FxHashMap::default(),
            cases: FxHashMap::default(),
        }
    }
}

/// Variables of the runtime.
#[derive(Clone, Copy, Debug)]
struct RuntimeVariables {
    current: VarId,
    start: VarId,
    result: VarId,
    left: VarId,
}

struct Sequencer<'d> {
    unit: Unit,
    diags: &'d mut Diagnostics,
    n_threads: u64,
    main: FuncId,
    visible: Visible,
    functions: FxHashMap<FuncId, Stepped>,
    /// Variables that each thread has its own of.
    owned: FxHashMap<VarId, VarId>,
    /// The new variables of the function under work.
    variables: Vec<VarId>,
    runtime_variables: RuntimeVariables,
    runtime_functions: FxHashMap<&'static str, FuncId>,
    frame: Frame,
    /// Where new nodes are said to be, and new variables.
    span: Span,
    place: Span,
    n_temporaries: u32,
    /// Variables that hold values which are kept while others run.
    temporaries: FxHashSet<VarId>,
    /// Nobody interrupts.
    quiet: bool,
    /// True if a variable without a first value keeps its old value.
    kept_old: bool,
}

/// Functions of the runtime that are called.
const CALLED: &[&str] = &[
    "seq_atomic_begin",
    "seq_atomic_end",
    "seq_blocks",
    "seq_clear",
    "seq_create",
    "seq_equal",
    "seq_give",
    "seq_joins",
    "seq_lock",
    "seq_number",
    "seq_post",
    "seq_post_init",
    "seq_read_lock",
    "seq_switches",
    "seq_take",
    "seq_try_lock",
    "seq_try_read_lock",
    "seq_try_write_lock",
    "seq_unlock_either",
    "seq_write_lock",
];

impl<'d> Sequencer<'d> {
    fn new(
        unit: Unit,
        n_threads: u64,
        starts: Vec<String>,
        diags: &'d mut Diagnostics,
    ) -> Option<Sequencer<'d>> {
        let main = function_named(&unit, "main")?;
        let variable = |name: &str| {
            let named =
                |var: &vergo_cfront::hir::Var| var.name.is_some_and(|n| unit.names.name(n) == name);
            unit.vars.iter().find(|(_, var)| named(var)).map(|(id, _)| id)
        };
        let runtime_variables = RuntimeVariables {
            current: variable("seq_self")?,
            start: variable("seq_start")?,
            result: variable("seq_result")?,
            left: variable("seq_left")?,
        };
        let runtime_functions = CALLED
            .iter()
            .map(|&name| Some((name, function_named(&unit, name)?)))
            .collect::<Option<_>>()?;
        let first: Vec<FuncId> = std::iter::once(main)
            .chain(starts.iter().filter_map(|name| function_named(&unit, name)))
            .collect();
        let reached = reached(&unit, &first);
        let mut visible = Visible::of(&unit, &reached);
        visible.stepped.extend(&first);
        let frame = Frame::new(String::new(), runtime_variables.current);
        let mut sequencer = Sequencer {
            unit,
            diags,
            n_threads,
            main,
            visible,
            functions: FxHashMap::default(),
            owned: FxHashMap::default(),
            variables: Vec::new(),
            runtime_variables,
            runtime_functions,
            frame,
            span: Span::DUMMY,
            place: Span::DUMMY,
            n_temporaries: 0,
            temporaries: FxHashSet::default(),
            quiet: false,
            kept_old: false,
        };
        sequencer.prepare(&first, &reached);
        Some(sequencer)
    }

    fn refuse(&mut self, span: Span, what: &str) {
        let message = format!("{what} cannot be followed without threads");
        self.diags.push(Diagnostic::error(codes::NOT_SEQUENTIALIZED, span, message));
    }

    fn runtime(&self, name: &'static str) -> FuncId {
        self.runtime_functions[name]
    }

    fn steps(&self, expr: ExprId) -> u32 {
        match self.quiet {
            true => 0,
            false => self.visible.steps(&self.unit, expr),
        }
    }

    fn is_shared(&self, place: ExprId) -> bool {
        self.visible.is_shared(&self.unit, place)
    }

    fn expr_of_variable(&mut self, var: VarId) -> ExprId {
        let ty = self.unit.vars[var].ty;
        self.expr(ExprKind::Var(var), ty)
    }

    /// Makes the variables and the names of the functions that make steps.
    fn prepare(&mut self, first: &[FuncId], reached: &[FuncId]) {
        let stepped: Vec<FuncId> =
            reached.iter().copied().filter(|f| self.visible.stepped.contains(f)).collect();
        self.find_recursion(&stepped);
        let called: FxHashSet<FuncId> =
            self.visible.calls.iter().map(|&(_, callee)| callee).collect();
        for &function in &stepped {
            if let Some(&place) = self.visible.used.get(&function) {
                let span = self.unit.exprs[place].span;
                self.refuse(span, "a pointer to a function in which threads can be interrupted");
            }
            self.place = beginning(&self.unit, function);
            let node = self.unit.functions[function].clone();
            let name = self.unit.names.name(node.name).to_owned();
            let int = self.int();
            let at = self.per_thread(&format!("{name}_at"), int);
            let ret = self.unit.types.function(node.ty).map(|f| (f.ret, f.variadic));
            if ret.is_none_or(|(_, variadic)| variadic) {
                self.refuse(node.span, "a function with any number of arguments");
            }
            let ret = ret.map(|(ret, _)| ret).filter(|&ret| !self.unit.types.is_void(ret));
            let result = ret.map(|ret| self.per_thread(&format!("{name}_result"), ret));
            let params: Vec<VarId> =
                node.params.iter().map(|&p| self.own_variable(&name, p)).collect();
            let step = self.step_function(&node, &name);
            let number = first.iter().position(|&f| f == function).map(|i| i as u64);
            let is_called = called.contains(&function);
            let one = Stepped { step, at, result, params, number, is_called };
            self.functions.insert(function, one);
        }
        let threads_own: Vec<VarId> = self.unit.vars.keys().collect();
        for var in threads_own {
            if let Storage::Static { thread_local: true, .. } = self.unit.vars[var].storage {
                self.own_static(var);
            }
        }
    }

    /// Recursion needs as many local variables as it is deep. Who calls a function that makes steps makes steps.
    fn find_recursion(&mut self, stepped: &[FuncId]) {
        // Functions that call none of those that are left are taken away; then those that none of them calls.
        let mut left = stepped.to_vec();
        let calls = self.visible.calls.clone();
        loop {
            let before = left.len();
            let among: FxHashSet<FuncId> = left.iter().copied().collect();
            let inner: Vec<(FuncId, FuncId)> = calls
                .iter()
                .copied()
                .filter(|(caller, callee)| among.contains(caller) && among.contains(callee))
                .collect();
            let callers: FxHashSet<FuncId> = inner.iter().map(|&(caller, _)| caller).collect();
            let callees: FxHashSet<FuncId> = inner.iter().map(|&(_, callee)| callee).collect();
            left.retain(|function| callers.contains(function) && callees.contains(function));
            if left.len() == before {
                break;
            }
        }
        if let Some(&function) = left.first() {
            let span = self.unit.functions[function].span;
            self.refuse(span, "recursion in a function in which threads can be interrupted");
        }
    }

    /// A local variable, of which each thread has its own.
    fn own_variable(&mut self, function: &str, var: VarId) -> VarId {
        if let Some(&own) = self.owned.get(&var) {
            return own;
        }
        let node = self.unit.vars[var].clone();
        let ty = node.ty;
        if self.unit.types.is_variably_modified(ty) || node.cleanup.is_some() || node.name.is_none()
        {
            self.refuse(node.span, "a variable of variable length, or with a function for its end");
        }
        let name = node.name.map_or("hidden", |name| self.unit.names.name(name)).to_owned();
        let own = self.per_thread(&format!("{function}_{name}"), ty);
        self.owned.insert(var, own);
        own
    }

    /// A thread-local variable becomes an array with equal first values.
    fn own_static(&mut self, var: VarId) {
        let node = self.unit.vars[var].clone();
        self.place = node.span;
        let name = node.name.map_or("hidden", |name| self.unit.names.name(name)).to_owned();
        let own = self.per_thread(&name, node.ty);
        if let Some(init) = node.init {
            let entry = InitEntry { first: 0, last: self.n_threads - 1, init };
            let list = self.unit.init_lists.push([entry]);
            let ty = self.unit.vars[own].ty;
            let init = Init { span: node.span, ty, kind: InitKind::List(list) };
            self.unit.vars[own].init = Some(self.unit.inits.push(init));
            if let Storage::Static { definition, .. } = &mut self.unit.vars[own].storage {
                *definition = Definition::Defined;
            }
        }
        self.owned.insert(var, own);
    }

    /// The function that makes the steps of another; its body comes later.
    fn step_function(&mut self, node: &Function, name: &str) -> FuncId {
        let ret = self.int();
        let ty = FunctionType { ret, params: Vec::new(), variadic: false, prototype: true };
        let ty: QualType = self.unit.types.intern(TypeKind::Function(Box::new(ty))).into();
        let name = self.unit.names.intern(&format!("{name}_steps"));
        self.unit.functions.push(Function {
            name,
            ty,
            linkage: Linkage::Internal,
            inline: false,
            inline_only: false,
            noreturn: false,
            nonnull: NonNull::default(),
            params: Vec::new(),
            body: None,
            constructor: None,
            destructor: None,
            asm_name: None,
            alias: None,
            weak: false,
            nested: None,
            ..node.clone()
        })
    }

    /// A function that is defined elsewhere.
    fn outside(&mut self, name: &str, ret: QualType) -> FuncId {
        if let Some(function) = function_named(&self.unit, name) {
            return function;
        }
        let node = self.unit.functions[self.main].clone();
        let function = self.step_function(&node, name);
        let ty = FunctionType { ret, params: Vec::new(), variadic: false, prototype: true };
        let ty = self.unit.types.intern(TypeKind::Function(Box::new(ty))).into();
        let name = self.unit.names.intern(name);
        let node = &mut self.unit.functions[function];
        (node.name, node.ty, node.linkage, node.definition_span) =
            (name, ty, Linkage::External, None);
        self.unit.items.push(Item::Function(function));
        function
    }

    fn run(&mut self) {
        let mut stepped: Vec<FuncId> = self.functions.keys().copied().collect();
        stepped.sort();
        for &function in &stepped {
            self.function(function);
        }
        self.dispatch(&stepped);
        self.items();
    }

    /// Writes the steps of a function.
    fn function(&mut self, function: FuncId) {
        let stepped = self.functions[&function].clone();
        let node = self.unit.functions[function].clone();
        let Some(body) = node.body else { return };
        let name = self.unit.names.name(node.name).to_owned();
        (self.span, self.place) = (node.span, beginning(&self.unit, function));
        self.n_temporaries = 0;
        let mut locals = Vec::new();
        visit(&self.unit, Node::Stmt(body), &mut |inner| {
            if let Node::Stmt(stmt) = inner
                && let StmtKind::Decl(var) = self.unit.stmts[stmt].kind
            {
                locals.push(var);
            }
            true
        });
        for var in locals {
            self.own_variable(&name, var);
        }
        // The compiler itself declares the name of the function, whatever that is now.
        let its_name = self.unit.names.lookup("__func__");
        for var in self.unit.vars.values_mut() {
            if let Storage::Static { function: of, linkage, .. } = &mut var.storage
                && *of == Some(function)
            {
                match var.name == its_name {
                    true => *of = Some(stepped.step),
                    false => (*of, *linkage) = (None, Linkage::Internal),
                }
            }
        }
        self.frame = Frame {
            result: stepped.result,
            number: stepped.number,
            is_called: stepped.is_called,
            ..Frame::new(name, stepped.at)
        };
        let mut out = Vec::new();
        self.stmt(body, &mut out);
        let returns = |stmt: &StmtId| matches!(self.unit.stmts[*stmt].kind, StmtKind::Return(_));
        let has_returned = out.last().is_some_and(returns);
        if function == self.main
            && !has_returned
            && let Some(result) = stepped.result
        {
            // The end of `main` is a return of zero (C17 5.1.2.2.3p1).
            let place = self.own(result);
            let zero = self.number(0);
            self.assign(place, zero, &mut out);
        }
        if !has_returned {
            self.finish(&mut out);
        }
        if !self.frame.points.is_empty() {
            out.insert(0, self.go_on());
        }
        self.unit.functions[stepped.step].body = Some(self.block_of(out));
    }

    /// Goes on where the function was left.
    fn go_on(&mut self) -> StmtId {
        let (mut stmts, mut cases) = (Vec::new(), Vec::new());
        for (number, label) in std::mem::take(&mut self.frame.points) {
            let goto = self.stmt_of(StmtKind::Goto(label));
            let stmt = self.stmt_of(StmtKind::Case(goto));
            cases.push(Case { low: number, high: number, stmt });
            stmts.push(stmt);
        }
        let place = self.own(self.frame.at);
        let cond = self.load(place);
        let body = self.block_of(stmts);
        let cases = self.unit.case_lists.push(cases);
        self.stmt_of(StmtKind::Switch { cond, body, cases, default: None })
    }

    /// Writes the dispatch of the new `main`: the steps of the current thread's start function, and the status of the
    /// old one.
    fn dispatch(&mut self, stepped: &[FuncId]) {
        let mut out = Vec::new();
        let mut starts: Vec<Stepped> = stepped
            .iter()
            .map(|f| self.functions[f].clone())
            .filter(|s| s.number.is_some())
            .collect();
        starts.sort_by_key(|start| start.number);
        for start in starts {
            let which = self.own(self.runtime_variables.start);
            let which = self.load(which);
            let number = self.number(start.number.unwrap_or(0));
            let is_this = self.equal(which, number);
            let mut inner = Vec::new();
            let call = self.call_of(start.step, Vec::new());
            let not = self.not(call);
            let unfinished = self.number(0);
            let unfinished = self.stmt_of(StmtKind::Return(Some(unfinished)));
            let unfinished = self.block_of(vec![unfinished]);
            inner.push(self.stmt_of(StmtKind::If(not, unfinished, None)));
            if start.number != Some(0)
                && let Some(result) = start.result
            {
                let value = self.own(result);
                let value = self.load(value);
                let place = self.own(self.runtime_variables.result);
                let ty = self.unit.exprs[place].ty.unqualified();
                let value = self.convert(value, ty);
                self.assign(place, value, &mut inner);
            }
            let inner = self.block_of(inner);
            out.push(self.stmt_of(StmtKind::If(is_this, inner, None)));
        }
        let done = self.number(1);
        out.push(self.stmt_of(StmtKind::Return(Some(done))));
        let body = self.block_of(out);
        let status = match self.functions[&self.main].result {
            Some(result) => {
                let zero = self.number(0);
                let place = self.element(result, zero);
                self.load(place)
            }
            None => self.number(0),
        };
        let status = self.stmt_of(StmtKind::Return(Some(status)));
        let status = self.block_of(vec![status]);
        for (name, body) in [("seq_step", body), ("seq_status", status)] {
            if let Some(function) = function_named(&self.unit, name) {
                self.unit.functions[function].body = Some(body);
            }
        }
    }

    /// The new `main` has the arguments of the old one, and hands them on.
    fn pass_arguments(&mut self, old: FuncId, new: FuncId) {
        let (ty, params) = (self.unit.functions[old].ty, self.unit.functions[old].params.clone());
        let Some(body) = self.unit.functions[new].body.filter(|_| !params.is_empty()) else {
            return;
        };
        let mut out = Vec::new();
        for &param in &params {
            let value = self.value_of(param);
            let zero = self.number(0);
            let place = self.element(self.owned[&param], zero);
            self.assign(place, value, &mut out);
        }
        out.push(body);
        let body = self.block_of(out);
        let node = &mut self.unit.functions[new];
        (node.ty, node.params, node.body) = (ty, params, Some(body));
    }

    /// The items of the result: new variables and functions where the old ones were, and what is still used of the others.
    fn items(&mut self) {
        let old_main = self.main;
        let main = self.unit.functions[old_main].name;
        let retired = self.unit.names.intern("main_with_threads");
        self.unit.functions[old_main].name = retired;
        let Some(new_main) = function_named(&self.unit, "seq_main") else { return };
        self.unit.functions[new_main].name = main;
        self.unit.functions[new_main].linkage = Linkage::External;
        self.pass_arguments(old_main, new_main);
        let mut first = vec![new_main];
        first.extend(self.unit.functions.iter().filter_map(|(id, f)| {
            (id != old_main && (f.constructor.is_some() || f.destructor.is_some())).then_some(id)
        }));
        let owned: FxHashSet<VarId> = self.owned.keys().copied().collect();
        let mut items: Vec<Item> = self.variables.iter().map(|&var| Item::Var(var)).collect();
        let kept: FxHashSet<FuncId> = reached(&self.unit, &first).into_iter().collect();
        items.extend(self.functions.values().map(|stepped| Item::Function(stepped.step)));
        items.sort_by_key(|item| match item {
            Item::Var(var) => (0, var.as_u32()),
            Item::Function(function) => (1, function.as_u32()),
            Item::Asm(_) => (2, 0),
        });
        for &item in &self.unit.items {
            match item {
                Item::Var(var) if owned.contains(&var) => {}
                Item::Function(function) if !kept.contains(&function) => {}
                item => items.push(item),
            }
        }
        self.unit.items = items;
    }
}

/// Where the text of a function begins.
fn beginning(unit: &Unit, function: FuncId) -> Span {
    let node = &unit.functions[function];
    node.definition_span.unwrap_or(node.span).shrink_to_lo()
}

#[cfg(test)]
mod tests;
