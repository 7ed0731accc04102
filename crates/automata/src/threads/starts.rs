//! The threads that a program starts, and the functions that can be reached from their start functions.

use super::library::Becomes;
use super::visible::{direct, thread_call};
use rustc_hash::FxHashSet;
use vergo_cfront::hir::{ExprId, ExprKind, FuncId, StmtKind, Storage, Unit};
use vergo_cfront::walk::{Node, any, visit};

/// The function of a name.
pub(super) fn function_named(unit: &Unit, name: &str) -> Option<FuncId> {
    unit.functions.iter().find(|(_, f)| unit.names.name(f.name) == name).map(|(id, _)| id)
}

/// Returns the number of threads that a program starts besides the first, if each call that starts one is made at most once, and the
/// names of their start functions.
pub(super) fn threads_of(unit: &Unit, main: FuncId) -> (Option<u32>, Vec<String>) {
    let (mut n, mut all_once) = (0, true);
    let mut starts = Vec::new();
    let once = once_in(unit, main);
    for function in unit.functions.values() {
        let Some(body) = function.body else { continue };
        visit(unit, Node::Stmt(body), &mut |node| {
            if let Node::Expr(expr) = node
                && thread_call(unit, expr) == Some(Becomes::Create)
                && let ExprKind::Call(_, args) = unit.exprs[expr].kind
            {
                n += 1;
                all_once &= once.contains(&expr);
                let start = unit.expr_lists.get(args).get(2).and_then(|&start| direct(unit, start));
                if let Some(start) = start {
                    let name = unit.names.name(unit.functions[start].name).to_owned();
                    if !starts.contains(&name) {
                        starts.push(name);
                    }
                }
            }
            true
        });
    }
    (all_once.then_some(n), starts)
}

/// The expressions of `main` that are evaluated at most once.
fn once_in(unit: &Unit, main: FuncId) -> FxHashSet<ExprId> {
    let mut once = FxHashSet::default();
    let Some(body) = unit.functions[main].body else { return once };
    let jumps = any(
        unit,
        Node::Stmt(body),
        &|node| matches!(node, Node::Stmt(s) if matches!(unit.stmts[s].kind, StmtKind::Goto(_) | StmtKind::GotoIndirect(_))),
    );
    let is_called =
        unit.exprs.values().any(|e| matches!(e.kind, ExprKind::Function(f) if f == main));
    if jumps || is_called {
        return once;
    }
    visit(unit, Node::Stmt(body), &mut |node| match node {
        Node::Expr(expr) => {
            once.insert(expr);
            true
        }
        Node::Stmt(stmt) => !matches!(
            unit.stmts[stmt].kind,
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. }
        ),
    });
    once
}

/// The functions that can be reached from some, these first: by calls, by pointers in them, and by first values of variables.
pub(super) fn reached(unit: &Unit, first: &[FuncId]) -> Vec<FuncId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut seen_vars = FxHashSet::default();
    let mut work: Vec<FuncId> = first.iter().rev().copied().collect();
    while let Some(function) = work.pop() {
        if !seen.insert(function) {
            continue;
        }
        found.push(function);
        let mut roots: Vec<Node> =
            unit.functions[function].body.map(Node::Stmt).into_iter().collect();
        while let Some(root) = roots.pop() {
            visit(unit, root, &mut |node| {
                let Node::Expr(expr) = node else { return true };
                match unit.exprs[expr].kind {
                    ExprKind::Function(callee) => work.push(callee),
                    ExprKind::Var(var) if seen_vars.insert(var) => {
                        let is_static = matches!(unit.vars[var].storage, Storage::Static { .. });
                        if let Some(init) = unit.vars[var].init.filter(|_| is_static) {
                            let exprs = vergo_cfront::walk::init_exprs(unit, init);
                            roots.extend(exprs.into_iter().map(Node::Expr));
                        }
                    }
                    _ => {}
                }
                true
            });
        }
    }
    found
}
