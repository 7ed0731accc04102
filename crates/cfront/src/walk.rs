//! Walks over the typed tree, in the order of the text.

use crate::hir::{ExprId, ExprKind, InitId, InitKind, StmtId, StmtKind, Unit};

/// An expression or a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// An expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
}

/// The expressions of an initialiser.
pub fn init_exprs(unit: &Unit, init: InitId) -> Vec<ExprId> {
    let mut out = Vec::new();
    let mut work = vec![init];
    while let Some(init) = work.pop() {
        match unit.inits[init].kind {
            InitKind::Expr(expr) => out.push(expr),
            InitKind::String(_) => {}
            InitKind::List(list) => {
                work.extend(unit.init_lists.get(list).iter().rev().map(|entry| entry.init));
            }
        }
    }
    out
}

/// Returns the children of a node.
pub fn children(unit: &Unit, node: Node) -> Vec<Node> {
    let exprs = |list: &[ExprId]| list.iter().map(|&e| Node::Expr(e)).collect::<Vec<_>>();
    match node {
        Node::Expr(expr) => match unit.exprs[expr].kind {
            ExprKind::Unary(_, a)
            | ExprKind::Deref(a)
            | ExprKind::Member(a, ..)
            | ExprKind::AddrOf(a)
            | ExprKind::Cast(_, a)
            | ExprKind::VaArg(a)
            | ExprKind::IncDec(_, a)
            | ExprKind::ComplexPart(a, _) => exprs(&[a]),
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::PtrOffset(_, a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::CondOmitted(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::CompoundAssign { place: a, value: b, .. }
            | ExprKind::VectorElement(a, b) => exprs(&[a, b]),
            ExprKind::Cond(a, b, c) => exprs(&[a, b, c]),
            ExprKind::Call(callee, args) => {
                let mut out = exprs(&[callee]);
                out.extend(exprs(unit.expr_lists.get(args)));
                out
            }
            ExprKind::Builtin(_, args) => exprs(unit.expr_lists.get(args)),
            ExprKind::CompoundLiteral(var) => {
                unit.vars[var].init.map(|init| exprs(&init_exprs(unit, init))).unwrap_or_default()
            }
            ExprKind::StmtExpr(stmt) => vec![Node::Stmt(stmt)],
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::WideInt(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofVla(_) => Vec::new(),
        },
        Node::Stmt(stmt) => match unit.stmts[stmt].kind {
            StmtKind::Expr(expr) | StmtKind::GotoIndirect(expr) => exprs(&[expr]),
            StmtKind::Decl(var) => {
                unit.vars[var].init.map(|init| exprs(&init_exprs(unit, init))).unwrap_or_default()
            }
            StmtKind::Compound(list) => {
                unit.stmt_lists.get(list).iter().map(|&s| Node::Stmt(s)).collect()
            }
            StmtKind::If(cond, then, other) => {
                let mut out = vec![Node::Expr(cond), Node::Stmt(then)];
                out.extend(other.map(Node::Stmt));
                out
            }
            StmtKind::Switch { cond, body, .. } | StmtKind::While(cond, body) => {
                vec![Node::Expr(cond), Node::Stmt(body)]
            }
            StmtKind::DoWhile(body, cond) => vec![Node::Stmt(body), Node::Expr(cond)],
            StmtKind::For { init, cond, step, body } => {
                let mut out: Vec<Node> =
                    unit.stmt_lists.get(init).iter().map(|&s| Node::Stmt(s)).collect();
                out.extend(cond.map(Node::Expr));
                out.extend(step.map(Node::Expr));
                out.push(Node::Stmt(body));
                out
            }
            StmtKind::Label(_, inner) | StmtKind::Case(inner) | StmtKind::Default(inner) => {
                vec![Node::Stmt(inner)]
            }
            StmtKind::Return(value) => value.map(Node::Expr).into_iter().collect(),
            StmtKind::Asm(asm) => {
                let asm = &unit.asms[asm];
                asm.outputs.iter().chain(&asm.inputs).map(|o| Node::Expr(o.expr)).collect()
            }
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Nested(_) => Vec::new(),
        },
    }
}

/// Visits a node and what is in it; the visitor says whether to go deeper.
pub fn visit(unit: &Unit, root: Node, see: &mut dyn FnMut(Node) -> bool) {
    let mut work = vec![root];
    while let Some(node) = work.pop() {
        if see(node) {
            work.extend(children(unit, node).into_iter().rev());
        }
    }
}

/// Returns whether a node or one inside of it satisfies the test.
pub fn any(unit: &Unit, root: Node, test: &dyn Fn(Node) -> bool) -> bool {
    let mut found = false;
    visit(unit, root, &mut |node| {
        found |= test(node);
        !found
    });
    found
}

/// The kind of an expression node.
pub fn expr_kind(unit: &Unit, node: Node) -> Option<ExprKind> {
    match node {
        Node::Expr(expr) => Some(unit.exprs[expr].kind),
        Node::Stmt(_) => None,
    }
}

/// The kind of a statement node.
pub fn stmt_kind(unit: &Unit, node: Node) -> Option<StmtKind> {
    match node {
        Node::Expr(_) => None,
        Node::Stmt(stmt) => Some(unit.stmts[stmt].kind),
    }
}

/// Returns whether evaluating an expression has an effect, or is not repeatable.
pub fn has_effects(unit: &Unit, expr: ExprId) -> bool {
    any(unit, Node::Expr(expr), &|node| {
        matches!(
            expr_kind(unit, node),
            Some(
                ExprKind::Assign(..)
                    | ExprKind::CompoundAssign { .. }
                    | ExprKind::IncDec(..)
                    | ExprKind::Call(..)
                    | ExprKind::Builtin(..)
                    | ExprKind::StmtExpr(_)
                    | ExprKind::VaArg(_)
                    | ExprKind::CompoundLiteral(_)
            )
        )
    })
}
