//! Computes expressions once that would be computed again with the same result.
//!
//! **Source.** Section 4.4 of the thesis: available expressions by a forward analysis (definitions 4.4 and 4.5), then
//! temporaries for the largest ones that are available, set where they are first computed.
//!
//! **Changed.** What a write invalidates comes from points-to analysis, cell by cell, so that loads through pointers and of
//! members and elements are expressions as others are (figure 4.4). Only parts that are surely evaluated are made
//! available: of `c ? a : b`, of `&&`, `||` and `==>` the first operand. (GOTO expressions are total, so that this is not for
//! soundness, but keeps the interpreter from reading where the program does not.)
//!
//! **Soundness.** At every place where the temporary is used, the expression was computed on every way there, and nothing has
//! been written since that it reads. Programs with threads are left alone.

use crate::Options;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::fixpoint::{Domain, fixpoint};
use vergo_analysis::numeric::walk_blocks;
use vergo_analysis::points_to::{CellId, Origin, PointsTo};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program, Symbol, SymbolKind};
use vergo_goto::rewrite::Role;
use vergo_goto::types::Type;
use vergo_source::Span;

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    let mut bodies = program.functions.values().flat_map(|function| function.body.iter().flatten());
    if bodies.any(|instr| matches!(instr.kind, InstrKind::Spawn { .. })) {
        return;
    }
    let points_to = PointsTo::of(program);
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        eliminate(program, function, &points_to);
    }
}

/// Expressions whose value is known to be what it was when they were computed.
struct Available<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// The places that each expression reads, and whether it asks about memory or reads what calls can write.
    reads: FxHashMap<ExprId, Rc<Reads>>,
    parts: FxHashMap<ExprId, Rc<Vec<ExprId>>>,
}

#[derive(Default)]
struct Reads {
    cells: FxHashSet<CellId>,
    /// It reads something that other functions can write.
    shared: bool,
}

type State = Rc<BTreeSet<ExprId>>;

impl Available<'_> {
    /// The parts of an expression that are worth a variable and surely evaluated with it.
    fn parts(&mut self, expr: ExprId) -> Rc<Vec<ExprId>> {
        if let Some(known) = self.parts.get(&expr) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if !seen.insert(expr) {
                continue;
            }
            if is_worth(self.program, expr) {
                found.push(expr);
            }
            match *self.program.exprs.kind(expr) {
                ExprKind::Ite(first, ..)
                | ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, first, _) => {
                    pending.push(first);
                }
                ExprKind::AddressOf(place) => finders(self.program, place, &mut pending),
                ref kind if kind.is_place() && self.program.is_place(expr) => {
                    finders(self.program, expr, &mut pending);
                }
                ref kind => kind.for_each_child(|child| pending.push(child)),
            }
        }
        found.sort_unstable();
        let found = Rc::new(found);
        self.parts.insert(expr, Rc::clone(&found));
        found
    }

    /// Returns the expressions that an instruction evaluates: its operands, and those in the address that it writes to.
    fn computed(&mut self, instr: &InstrKind) -> Vec<ExprId> {
        let mut roots = Vec::new();
        instr.for_each_expr(|expr, role| match role {
            Role::Read => roots.push(expr),
            Role::Write => finders(self.program, expr, &mut roots),
        });
        let mut all: Vec<ExprId> = roots.into_iter().flat_map(|root| self.parts(root).to_vec()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn reads(&mut self, expr: ExprId) -> Rc<Reads> {
        if let Some(known) = self.reads.get(&expr) {
            return Rc::clone(known);
        }
        let mut reads = Reads::default();
        let mut seen = FxHashSet::default();
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match self.program.exprs.kind(expr) {
                ExprKind::AddressOf(place) => finders(self.program, *place, &mut pending),
                kind if kind.is_place() && self.program.is_place(expr) => {
                    let cells = self.points_to.cells(expr);
                    reads.cells.extend(cells);
                    reads.shared |= cells.iter().any(|&cell| {
                        match self.points_to.origin(self.points_to.object(cell)) {
                            Origin::Variable(symbol) => {
                                let kind = &self.program.symbols[symbol].kind;
                                matches!(kind, SymbolKind::Static { .. })
                                    || !matches!(self.program.exprs.kind(expr), ExprKind::Symbol(_))
                            }
                            _ => true,
                        }
                    });
                    finders(self.program, expr, &mut pending);
                }
                ExprKind::Memory(..) => {
                    reads.shared = true;
                    self.program.exprs.kind(expr).for_each_child(|child| pending.push(child));
                }
                kind => kind.for_each_child(|child| pending.push(child)),
            }
        }
        let reads = Rc::new(reads);
        self.reads.insert(expr, Rc::clone(&reads));
        reads
    }

    fn kill(&mut self, state: &mut State, killed: impl Fn(&Reads) -> bool) {
        let all: Vec<ExprId> = state.iter().copied().collect();
        for expr in all {
            if killed(&self.reads(expr)) {
                Rc::make_mut(state).remove(&expr);
            }
        }
    }
}

/// The pointers and indices that it takes to find a place.
fn finders(program: &Program, mut place: ExprId, out: &mut Vec<ExprId>) {
    loop {
        match *program.exprs.kind(place) {
            ExprKind::Member(base, _) => place = base,
            ExprKind::Index(base, index) => {
                out.push(index);
                place = base;
            }
            ExprKind::Deref(pointer) => return out.push(pointer),
            ExprKind::Symbol(_) => return,
            _ => return out.push(place),
        }
    }
}

/// Returns whether an expression is worth a variable of its own: a scalar that is loaded or computed.
fn is_worth(program: &Program, expr: ExprId) -> bool {
    let scalar = matches!(program.type_of(expr), Type::Int { .. } | Type::Ptr(_));
    let kind = program.exprs.kind(expr);
    let computed = match kind {
        ExprKind::Binary(..) | ExprKind::Unary(..) => true,
        _ => kind.is_place() && program.is_place(expr) && !matches!(kind, ExprKind::Symbol(_)),
    };
    scalar && computed
}

impl Domain for Available<'_> {
    type State = State;

    fn initial(&mut self) -> State {
        State::default()
    }

    fn transfer(&mut self, mut state: State, instr: &InstrKind) -> Option<State> {
        let computed = self.computed(instr);
        if computed.iter().any(|expr| !state.contains(expr)) {
            Rc::make_mut(&mut state).extend(computed);
        }
        let mut written = Vec::new();
        instr.for_each_expr(|expr, role| {
            if role == Role::Write {
                written.extend(self.points_to.cells(expr).iter().copied());
            }
        });
        let mut touched: FxHashSet<CellId> = FxHashSet::default();
        for cell in written {
            touched.extend(self.points_to.overlapping(cell));
        }
        if !touched.is_empty() {
            self.kill(&mut state, |reads| reads.cells.iter().any(|cell| touched.contains(cell)));
        }
        match instr {
            InstrKind::Call { callee, .. } => {
                let has_body = match callee {
                    Callee::Direct(callee) => self.program.functions[*callee].body.is_some(),
                    Callee::Indirect(_) => true,
                };
                if has_body {
                    self.kill(&mut state, |reads| reads.shared);
                }
            }
            InstrKind::Alloc { .. } | InstrKind::Free(..) | InstrKind::Intrinsic { .. } => {
                self.kill(&mut state, |reads| reads.shared);
            }
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                if let Some(object) = self.points_to.variable(*symbol) {
                    let cells = self.points_to.cells_of(object);
                    self.kill(&mut state, |reads| {
                        reads.shared || cells.iter().any(|cell| reads.cells.contains(cell))
                    });
                }
            }
            InstrKind::Return(_) | InstrKind::End(_) | InstrKind::Unsupported(_) => return None,
            _ => {}
        }
        Some(state)
    }

    fn join(&mut self, a: &State, b: &State) -> State {
        if Rc::ptr_eq(a, b) {
            return Rc::clone(a);
        }
        Rc::new(a.intersection(b).copied().collect())
    }
}

fn eliminate(program: &mut Program, function: FunctionId, points_to: &PointsTo) {
    let info = &program.functions[function];
    let Some(body) = info.body.clone() else { return };
    let cfg = Cfg::of(info);
    let (n_labels, span) = (info.n_labels, info.span);
    // By position, what is available in front of it and what it computes.
    let mut known: Vec<(State, Vec<ExprId>)> = vec![Default::default(); body.len()];
    let mut redundant: BTreeSet<ExprId> = BTreeSet::new();
    {
        let mut domain = Available {
            program,
            points_to,
            reads: FxHashMap::default(),
            parts: FxHashMap::default(),
        };
        let states = fixpoint(&mut domain, &body, &cfg);
        walk_blocks(&cfg, |leader, end| {
            let mut state = states.at(leader).cloned();
            for at in leader..end {
                let Some(here) = state.take() else { break };
                let computed = domain.computed(&body[at].kind);
                redundant.extend(computed.iter().copied().filter(|expr| here.contains(expr)));
                state = domain.transfer(Rc::clone(&here), &body[at].kind);
                known[at] = (here, computed);
            }
        });
    }
    if redundant.is_empty() {
        return;
    }
    let mut temporaries: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    let mut out = FunctionBuilder::continuing(n_labels, body.len());
    out.set_span(span);
    for &expr in &redundant {
        let ty = program.exprs.ty(expr);
        let align = program.types.align_of(ty, &program.machine);
        let name = format!("common@{}", program.symbols.len());
        let kind = SymbolKind::Local(function);
        let symbol = Symbol { name, display: String::new(), ty, kind, span: Span::DUMMY, align, writable: true };
        let symbol = program.add_symbol(symbol);
        out.decl(symbol);
        temporaries.insert(expr, program.symbol(symbol));
    }
    for (instr, (available, computed)) in body.into_iter().zip(known) {
        out.set_span(instr.span);
        let mut instr = instr;
        // Children have smaller numbers: what a temporary is computed of is there before.
        let here: FxHashMap<ExprId, ExprId> = computed
            .iter()
            .filter_map(|expr| Some((*expr, *temporaries.get(expr)?)))
            .collect();
        for &expr in computed.iter().filter(|expr| here.contains_key(expr) && !available.contains(expr)) {
            let value = replaced(program, &here, expr, true);
            out.assign(here[&expr], value);
        }
        if !here.is_empty() {
            instr.kind.map_exprs(|expr, role| match role {
                Role::Read => replaced(program, &here, expr, false),
                Role::Write => replaced_place(program, &here, expr),
            });
        }
        out.push_instr(instr);
    }
    out.finish(program, function);
}

/// An expression in which temporaries stand for the largest parts that they hold; for the whole, only if it may.
fn replaced(program: &mut Program, here: &FxHashMap<ExprId, ExprId>, expr: ExprId, parts_only: bool) -> ExprId {
    if let Some(&temporary) = here.get(&expr).filter(|_| !parts_only) {
        return temporary;
    }
    let ty = program.exprs.ty(expr);
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match program.exprs.kind(expr).clone() {
        ExprKind::AddressOf(place) => {
            let place = replaced_place(program, here, place);
            program.exprs.intern(ExprKind::AddressOf(place), ty)
        }
        kind if kind.is_place() && program.is_place(expr) => replaced_place(program, here, expr),
        kind => {
            let mut children = Vec::new();
            kind.for_each_child(|child| children.push(child));
            let mut mapped: Vec<ExprId> = Vec::with_capacity(children.len());
            for child in children {
                mapped.push(replaced(program, here, child, false));
            }
            let mut mapped = mapped.into_iter();
            let kind = kind.map_children(|child| mapped.next().unwrap_or(child));
            program.exprs.intern(kind, ty)
        }
    })
}

fn replaced_place(program: &mut Program, here: &FxHashMap<ExprId, ExprId>, place: ExprId) -> ExprId {
    let ty = program.exprs.ty(place);
    let new = match *program.exprs.kind(place) {
        ExprKind::Member(base, member) => ExprKind::Member(replaced_place(program, here, base), member),
        ExprKind::Index(base, index) => {
            let base = replaced_place(program, here, base);
            ExprKind::Index(base, replaced(program, here, index, false))
        }
        ExprKind::Deref(pointer) => ExprKind::Deref(replaced(program, here, pointer, false)),
        ExprKind::Symbol(_) => return place,
        _ => return replaced(program, here, place, false),
    };
    program.exprs.intern(new, ty)
}
