//! The steps of an expression that other threads can see: how many its evaluation takes.
//!
//! A step accesses memory that another thread may reach: static variables, what lies behind pointers, and local variables whose
//! address is taken. What makes no such access, or one, is a step as it is written; all else is taken apart.

use super::library::{Becomes, becomes, is_atomic, is_named_by_specifications};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_cfront::ast::Quals;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{CastKind, ExprId, ExprKind, FuncId, Storage, Unit, VarId};
use vergo_cfront::types::TypeKind;
use vergo_cfront::walk::{Node, any, children, visit};

/// As many steps as force an expression to be taken apart.
const APART: u32 = 1000;

/// The facts about a unit before it is changed.
pub(super) struct Visible {
    /// Local variables whose address is taken.
    addressed: FxHashSet<VarId>,
    /// Functions in which a thread can be interrupted.
    pub(super) stepped: FxHashSet<FuncId>,
    /// Functions that are used other than by calls, each with a place where.
    pub(super) used: FxHashMap<FuncId, ExprId>,
    /// Which functions call which, by name.
    pub(super) calls: Vec<(FuncId, FuncId)>,
}

/// The function that is called by its name.
pub(super) fn direct(unit: &Unit, callee: ExprId) -> Option<FuncId> {
    match unit.exprs[designator(unit, callee)?].kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    }
}

/// The name of a function behind conversions.
fn designator(unit: &Unit, mut callee: ExprId) -> Option<ExprId> {
    loop {
        match unit.exprs[callee].kind {
            ExprKind::Function(_) => return Some(callee),
            ExprKind::Cast(CastKind::FunctionDecay | CastKind::NoOp | CastKind::Ptr, inner)
            | ExprKind::AddrOf(inner)
            | ExprKind::Deref(inner) => callee = inner,
            _ => return None,
        }
    }
}

/// Returns the replacement for a call of a function about threads.
pub(super) fn thread_call(unit: &Unit, expr: ExprId) -> Option<Becomes> {
    let ExprKind::Call(callee, _) = unit.exprs[expr].kind else { return None };
    let function = &unit.functions[direct(unit, callee)?];
    function.body.is_none().then(|| becomes(unit.names.name(function.name))).flatten()
}

impl Visible {
    /// Looks at the functions that can be reached from the first ones.
    pub(super) fn of(unit: &Unit, reached: &[FuncId]) -> Visible {
        let mut visible = Visible {
            addressed: FxHashSet::default(),
            stepped: FxHashSet::default(),
            used: FxHashMap::default(),
            calls: Vec::new(),
        };
        let indexed: FxHashSet<ExprId> = unit
            .exprs
            .values()
            .filter_map(|node| match node.kind {
                ExprKind::Index(base, _) => Some(base),
                _ => None,
            })
            .collect();
        for (expr, node) in unit.exprs.iter() {
            match node.kind {
                ExprKind::AddrOf(place) => visible.address(unit, place),
                // An array is found by its address unless it is indexed at once.
                ExprKind::Cast(CastKind::ArrayDecay, place) if !indexed.contains(&expr) => {
                    visible.address(unit, place);
                }
                _ => {}
            }
        }
        (visible.used, visible.calls) = uses(unit, reached);
        // Who makes a step by itself, and then who calls those.
        for &function in reached.iter().filter(|&&function| may_step(unit, function)) {
            let Some(body) = unit.functions[function].body else { continue };
            let steps = |node| matches!(node, Node::Expr(e) if visible.own_steps(unit, e) > 0);
            if any(unit, Node::Stmt(body), &steps) {
                visible.stepped.insert(function);
            }
        }
        let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        for &(caller, callee) in &visible.calls {
            callers.entry(callee).or_default().push(caller);
        }
        let mut work: Vec<FuncId> = visible.stepped.iter().copied().collect();
        while let Some(callee) = work.pop() {
            for &caller in callers.get(&callee).into_iter().flatten() {
                if may_step(unit, caller) && visible.stepped.insert(caller) {
                    work.push(caller);
                }
            }
        }
        visible
    }

    fn address(&mut self, unit: &Unit, mut place: ExprId) {
        loop {
            match unit.exprs[place].kind {
                ExprKind::Member(base, ..) | ExprKind::ComplexPart(base, _) => place = base,
                ExprKind::Index(base, _) => match unit.exprs[base].kind {
                    ExprKind::Cast(CastKind::ArrayDecay, array) => place = array,
                    _ => return,
                },
                ExprKind::Var(var) => {
                    self.addressed.insert(var);
                    return;
                }
                _ => return,
            }
        }
    }

    /// Returns whether other threads may reach a place.
    pub(super) fn is_shared(&self, unit: &Unit, mut place: ExprId) -> bool {
        loop {
            match unit.exprs[place].kind {
                ExprKind::Member(base, ..) | ExprKind::ComplexPart(base, _) => place = base,
                ExprKind::VectorElement(base, _) => place = base,
                ExprKind::Index(base, _) => match unit.exprs[base].kind {
                    ExprKind::Cast(CastKind::ArrayDecay, array) => place = array,
                    _ => return true,
                },
                ExprKind::Var(var) => {
                    return match unit.vars[var].storage {
                        Storage::Static { thread_local: true, .. } => self.addressed.contains(&var),
                        Storage::Static { .. } => {
                            !unit.types.qualifiers(unit.vars[var].ty).has(Quals::CONST)
                        }
                        _ => self.addressed.contains(&var),
                    };
                }
                ExprKind::Deref(_) => return true,
                _ => return false,
            }
        }
    }

    /// Returns the number of steps of an expression, apart from those of its parts.
    fn own_steps(&self, unit: &Unit, expr: ExprId) -> u32 {
        let shared = |place| u32::from(self.is_shared(unit, place));
        match unit.exprs[expr].kind {
            ExprKind::Cast(CastKind::Load, place) | ExprKind::Assign(place, _) => shared(place),
            ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec(_, place) => {
                let atomic = unit.exprs[place].ty.quals().has(Quals::ATOMIC);
                shared(place) * if atomic { 1 } else { 2 }
            }
            ExprKind::Call(callee, args) => {
                if thread_call(unit, expr).is_some() {
                    return APART;
                }
                let function = direct(unit, callee);
                if function.is_some_and(|function| self.stepped.contains(&function)) {
                    return APART;
                }
                let atomic =
                    function.is_none_or(|f| is_atomic(unit.names.name(unit.functions[f].name)));
                let pointers = unit.expr_lists.get(args).iter().any(|&arg| {
                    matches!(unit.types.kind(unit.exprs[arg].ty), TypeKind::Pointer(_))
                        && match unit.exprs[arg].kind {
                            ExprKind::Cast(CastKind::ArrayDecay, place) => {
                                self.is_shared(unit, place)
                            }
                            _ => true,
                        }
                });
                u32::from(
                    atomic
                        || pointers && function.is_some_and(|f| unit.functions[f].body.is_none()),
                )
            }
            ExprKind::Builtin(builtin, args) => {
                let touches = unit.expr_lists.get(args).iter().any(|&arg| {
                    matches!(unit.types.kind(unit.exprs[arg].ty), TypeKind::Pointer(_))
                });
                u32::from(touches && !matches!(builtin, Builtin::Expect | Builtin::AssumeAligned))
            }
            _ => 0,
        }
    }

    /// Returns the number of steps of an expression.
    pub(super) fn steps(&self, unit: &Unit, expr: ExprId) -> u32 {
        let mut steps = 0u32;
        let mut work = vec![Node::Expr(expr)];
        while let Some(node) = work.pop() {
            if let Node::Expr(expr) = node {
                steps = steps.saturating_add(self.own_steps(unit, expr));
            }
            work.extend(children(unit, node));
        }
        steps
    }
}

/// Returns whether a thread may be interrupted in a function that makes steps.
fn may_step(unit: &Unit, function: FuncId) -> bool {
    let name = unit.names.name(unit.functions[function].name);
    !is_atomic(name) && !is_named_by_specifications(name)
}

/// The functions that are used other than by calls and as what threads start with, each with a place; and who calls whom.
fn uses(unit: &Unit, reached: &[FuncId]) -> (FxHashMap<FuncId, ExprId>, Vec<(FuncId, FuncId)>) {
    let mut named = FxHashSet::default();
    let (mut found, mut calls) = (Vec::new(), Vec::new());
    for &caller in reached {
        let Some(body) = unit.functions[caller].body else { continue };
        visit(unit, Node::Stmt(body), &mut |node| {
            let Node::Expr(expr) = node else { return true };
            match unit.exprs[expr].kind {
                ExprKind::Call(callee, args) => {
                    named.extend(designator(unit, callee));
                    calls.extend(direct(unit, callee).map(|callee| (caller, callee)));
                    if thread_call(unit, expr) == Some(Becomes::Create) {
                        let start = unit.expr_lists.get(args).get(2);
                        named.extend(start.and_then(|&start| designator(unit, start)));
                    }
                }
                ExprKind::Function(function) => found.push((function, expr)),
                _ => {}
            }
            true
        });
    }
    let used = found.into_iter().filter(|(_, expr)| !named.contains(expr)).collect();
    (used, calls)
}
