//! Which variables a loop may read before it writes them, from where its body begins.
//!
//! A variable that every round writes before it reads it carries nothing from one round to the next, and is no part of the
//! loop's state. The analysis walks the body in the order of execution with the set of variables that are certainly
//! written; what is read outside of that set is live. Branches are joined by intersection; within one expression, reads
//! come first, and only what is certainly evaluated writes. A loop with labels is not analysed.

use crate::uses::Uses;
use std::collections::BTreeSet;
use vergo_cfront::hir::{ExprId, ExprKind, InitId, InitKind, StmtId, StmtKind, Unit, VarId};

/// The parts of a loop in the order of execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) stmt: StmtId,
    pub(crate) body: StmtId,
    pub(crate) step: Option<ExprId>,
    pub(crate) cond: Option<ExprId>,
}

/// The variables that may be read before they are written, or `None` if that is not known.
pub(crate) fn live(unit: &Unit, round: Round) -> Option<BTreeSet<VarId>> {
    let mut jumps = false;
    crate::site::each_stmt(unit, round.body, &mut |stmt| {
        jumps |= matches!(
            unit.stmts[stmt].kind,
            StmtKind::Label(..)
                | StmtKind::Goto(_)
                | StmtKind::GotoOuter(..)
                | StmtKind::GotoIndirect(_)
                | StmtKind::Nested(_)
                | StmtKind::Asm(_)
        );
    });
    if jumps {
        return None;
    }
    let mut walk = Live {
        unit,
        round,
        written: Some(BTreeSet::new()),
        live: BTreeSet::new(),
        continued: None,
    };
    walk.stmt(round.body);
    walk.written = join(walk.written.take(), walk.continued.take());
    if let Some(step) = round.step {
        walk.expr(step);
    }
    if let Some(cond) = round.cond {
        walk.expr(cond);
    }
    Some(walk.live)
}

/// The variables that are certainly written; `None` where control does not come.
type Written = Option<BTreeSet<VarId>>;

fn join(a: Written, b: Written) -> Written {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

struct Live<'a> {
    unit: &'a Unit,
    round: Round,
    written: Written,
    live: BTreeSet<VarId>,
    /// The variables that are written where the loop is continued.
    continued: Written,
}

impl Live<'_> {
    fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_node(stmt));
    }

    fn stmt_node(&mut self, stmt: StmtId) {
        let unit = self.unit;
        match unit.stmts[stmt].kind {
            StmtKind::Expr(expr) | StmtKind::GotoIndirect(expr) => self.expr(expr),
            StmtKind::Decl(var) => {
                if let Some(init) = unit.vars[var].init {
                    self.init(init);
                }
            }
            StmtKind::Compound(list) => {
                for &stmt in unit.stmt_lists.get(list) {
                    self.stmt(stmt);
                }
            }
            StmtKind::If(cond, then, otherwise) => {
                self.expr(cond);
                let before = self.written.clone();
                self.stmt(then);
                let after = std::mem::replace(&mut self.written, before);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
                self.written = join(self.written.take(), after);
            }
            StmtKind::Switch { cond, body, .. } => {
                self.expr(cond);
                self.inner(&[], Some(body), None);
            }
            // Each label may be jumped to from the head of the statement around it, where less was written.
            StmtKind::Case(inner) | StmtKind::Default(inner) => {
                self.written = Some(BTreeSet::new());
                self.stmt(inner);
            }
            StmtKind::While(cond, body) => self.inner(&[cond], Some(body), None),
            StmtKind::DoWhile(body, cond) => self.inner(&[], Some(body), Some(cond)),
            StmtKind::For { init, cond, step, body } => {
                for &stmt in unit.stmt_lists.get(init) {
                    self.stmt(stmt);
                }
                let first: Vec<ExprId> = cond.into_iter().collect();
                self.inner(&first, Some(body), step);
            }
            StmtKind::Continue(of) => {
                if of == self.round.stmt {
                    self.continued = match self.continued.take() {
                        None => self.written.clone(),
                        some => join(some, self.written.clone()),
                    };
                }
                self.written = None;
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
                self.written = None;
            }
            StmtKind::Break(_) => self.written = None,
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::Nested(_)
            | StmtKind::Label(..)
            | StmtKind::Asm(_) => {}
        }
    }

    /// A statement that may be left early: what is written in it counts inside of it alone.
    fn inner(&mut self, first: &[ExprId], body: Option<StmtId>, last: Option<ExprId>) {
        for &expr in first {
            self.expr(expr);
        }
        let before = self.written.clone();
        if let Some(body) = body {
            self.stmt(body);
        }
        // The last expression is also reached by `continue`.
        self.written = before;
        if let Some(last) = last {
            let before = self.written.clone();
            self.expr(last);
            self.written = before;
        }
    }

    fn init(&mut self, init: InitId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self.unit.inits[init].kind {
            InitKind::Expr(expr) => self.expr(expr),
            InitKind::String(_) => {}
            InitKind::List(list) => {
                for entry in self.unit.init_lists.get(list) {
                    self.init(entry.init);
                }
            }
        });
    }

    fn expr(&mut self, expr: ExprId) {
        self.reads(expr);
        self.writes(expr);
    }

    fn read(&mut self, var: VarId) {
        if self.written.as_ref().is_some_and(|written| !written.contains(&var)) {
            self.live.insert(var);
        }
    }

    /// Everything that an expression mentions is read, but for the targets of plain assignments.
    fn reads(&mut self, expr: ExprId) {
        let unit = self.unit;
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            match unit.exprs[expr].kind {
                ExprKind::Assign(place, value) => {
                    work.push(value);
                    if !matches!(unit.exprs[place].kind, ExprKind::Var(_)) {
                        work.push(place);
                    }
                }
                ExprKind::Comma(a, b) => work.extend([a, b]),
                ExprKind::Cast(_, inner) => work.push(inner),
                ExprKind::Call(_, args) => {
                    work.extend_from_slice(unit.expr_lists.get(args));
                }
                _ => {
                    for var in Uses::of_expr(unit, expr).vars {
                        self.read(var);
                    }
                }
            }
        }
    }

    /// Adds the variables that an expression certainly writes.
    fn writes(&mut self, expr: ExprId) {
        let unit = self.unit;
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            match unit.exprs[expr].kind {
                ExprKind::Assign(place, value) => {
                    work.push(value);
                    if let (ExprKind::Var(var), Some(written)) =
                        (unit.exprs[place].kind, &mut self.written)
                    {
                        written.insert(var);
                    }
                }
                ExprKind::Comma(a, b) => work.extend([a, b]),
                ExprKind::Cast(_, inner) => work.push(inner),
                _ => {}
            }
        }
    }
}
