//! Which elements are read for an assertion, and where it is looked at.
//!
//! The region of an assertion is the iteration of the loop that it stands in, or the assertion itself outside of loops:
//! what is read there before it is noted when it misses the witnesses, and the assertion is looked at only if nothing
//! missed. How many different elements one instance reads is how many witnesses there have to be.

use crate::effects::{Library, library};
use crate::induction::{LoopParts, key};
use crate::places::{Access, access, callee};
use crate::plan::{Assertion, Plan, Planner, Plans};
use std::collections::BTreeSet;
use vergo_cfront::hir::{ExprId, ExprKind, StmtId, StmtKind, Unit, VarId};
use vergo_cfront::walk::{Node, any, children, stmt_kind, visit};
use vergo_source::Span;

impl Planner<'_, '_> {
    /// Finds assertions and the reads for them; fixes the number of witnesses.
    pub(crate) fn regions(&mut self, most: usize) {
        let unit = self.unit;
        for function in unit.functions.values() {
            if let Some(body) = function.body {
                let own = self.is_assertion_body(function.body);
                if !own {
                    self.region(Node::Stmt(body), None, most);
                }
            }
        }
        let regions: Vec<StmtId> = self.plans.loops.keys().copied().collect();
        for stmt in regions {
            self.loop_region(stmt, most);
        }
    }

    /// Returns whether a body is that of an assertion function, whose callers are looked at instead.
    fn is_assertion_body(&self, body: Option<StmtId>) -> bool {
        let mut functions = self.unit.functions.iter();
        functions.any(|(id, f)| f.body == body && self.functions.is_assertion(id))
    }

    /// The assertion that a call is.
    fn assertion(&self, expr: ExprId) -> bool {
        let ExprKind::Call(called, args) = self.unit.exprs[expr].kind else { return false };
        let Some(function) = callee(self.unit, called) else { return false };
        let name = self.unit.names.name(self.unit.functions[function].name);
        if library(name) == Library::Error {
            return true;
        }
        let ty = self.unit.types.function(self.unit.functions[function].ty);
        let void = ty.is_some_and(|ty| self.unit.types.is_void(ty.ret));
        // The argument goes through a variable, so it is one integer or Boolean.
        let scalar = match self.unit.expr_lists.get(args) {
            [arg] => self.unit.types.is_integer(self.unit.exprs[*arg].ty),
            _ => false,
        };
        scalar && void && self.functions.is_assertion(function)
    }

    /// Assertions outside of abstracted loops: what is read in their arguments is noted.
    fn region(&mut self, node: Node, _outer: Option<StmtId>, most: usize) {
        let unit = self.unit;
        match node {
            Node::Stmt(stmt) if self.plans.loops.contains_key(&stmt) => return,
            Node::Expr(expr) if self.assertion(expr) => {
                let ExprKind::Call(_, args) = unit.exprs[expr].kind else { return };
                let reads: Vec<(ExprId, Option<String>)> = unit
                    .expr_lists
                    .get(args)
                    .iter()
                    .flat_map(|&arg| self.reads(Node::Expr(arg)))
                    .map(|(read, access)| (read, self.read_key(&access, &|_, _| 0)))
                    .collect();
                let calls = unit.expr_lists.get(args).iter().any(|&arg| {
                    any(unit, Node::Expr(arg), &|node| {
                        matches!(
                            vergo_cfront::walk::expr_kind(unit, node),
                            Some(ExprKind::Call(..) | ExprKind::StmtExpr(_) | ExprKind::Assign(..))
                        )
                    })
                });
                if calls || reads.is_empty() {
                    let other_reads = reads.len();
                    self.plans.assertions.push(Assertion {
                        call: expr,
                        region: None,
                        guarded: false,
                        other_reads,
                    });
                    return;
                }
                let (noted, n_keys) = choose(&reads, most);
                self.plans.witnesses = self.plans.witnesses.max(n_keys);
                let other_reads = reads.len() - noted.len();
                let guarded = !noted.is_empty();
                self.plans.noted.extend(noted.into_iter().map(|read| (read, None)));
                let assertion = Assertion { call: expr, region: None, guarded, other_reads };
                self.plans.assertions.push(assertion);
                return;
            }
            _ => {}
        }
        for child in children(unit, node) {
            self.region(child, _outer, most);
        }
    }

    /// The accesses that are read in a node, inner loops excepted.
    pub(crate) fn reads(&self, node: Node) -> Vec<(ExprId, Access)> {
        let unit = self.unit;
        let mut out = Vec::new();
        visit(unit, node, &mut |node| {
            match node {
                Node::Stmt(stmt) => return LoopParts::of(unit, stmt).is_none(),
                Node::Expr(expr) => {
                    if let Some(access) = access(unit, expr)
                        && self.places.has(&access)
                        && !self.plans.written.contains_key(&expr)
                    {
                        out.push((expr, access));
                    }
                }
            }
            true
        });
        out
    }

    pub(crate) fn read_key(
        &self,
        access: &Access,
        version: &dyn Fn(VarId, Span) -> usize,
    ) -> Option<String> {
        let mut keys = Vec::new();
        for &index in &access.indices {
            let inner = any(self.unit, Node::Expr(index), &|node| {
                matches!(
                    vergo_cfront::walk::expr_kind(self.unit, node),
                    Some(ExprKind::Index(..) | ExprKind::Deref(_))
                )
            });
            if inner {
                return None;
            }
            let at = self.unit.exprs[index].span;
            keys.push(key(self.unit, index, &|var| version(var, at))?);
        }
        Some(keys.join(","))
    }

    /// The assertions in an iteration of a loop, and what is read before them in it.
    fn loop_region(&mut self, stmt: StmtId, most: usize) {
        let unit = self.unit;
        let parts = self.plans.loops[&stmt].parts;
        let mut nodes: Vec<Node> = parts.cond.map(Node::Expr).into_iter().collect();
        nodes.push(Node::Stmt(parts.body));
        let mut calls = Vec::new();
        let mut jumps_back = false;
        for &node in &nodes {
            visit(unit, node, &mut |node| {
                match node {
                    Node::Stmt(inner) => {
                        jumps_back |= matches!(unit.stmts[inner].kind, StmtKind::Label(..));
                        return LoopParts::of(unit, inner).is_none();
                    }
                    Node::Expr(expr) => {
                        if self.assertion(expr) {
                            calls.push(expr);
                        }
                    }
                }
                true
            });
        }
        let Some(last) = calls.iter().map(|&call| unit.exprs[call].span.hi).max() else {
            self.free(stmt, &[]);
            return;
        };
        let changes: Vec<(VarId, Span)> =
            nodes.iter().flat_map(|&node| self.functions.effects(node).vars).collect();
        let version = |var: VarId, at: Span| {
            changes.iter().filter(|(changed, span)| *changed == var && span.hi <= at.lo).count()
        };
        // What stands in the arguments of assertions comes first.
        let mut reads: Vec<(bool, ExprId, Option<String>)> = Vec::new();
        for &node in &nodes {
            for (read, access) in self.reads(node) {
                let span = unit.exprs[read].span;
                if span.hi <= last && !jumps_back {
                    let direct = calls.iter().any(|&call| unit.exprs[call].span.contains(span));
                    reads.push((!direct, read, self.read_key(&access, &version)));
                }
            }
        }
        reads.sort_by_key(|(indirect, read, _)| (*indirect, unit.exprs[*read].span));
        let all: Vec<(ExprId, Option<String>)> =
            reads.into_iter().map(|(_, read, key)| (read, key)).collect();
        let (noted, n_keys) = choose(&all, most);
        self.plans.witnesses = self.plans.witnesses.max(n_keys);
        let other_reads = all.len() - noted.len();
        let guarded = !noted.is_empty();
        for &call in &calls {
            let assertion = Assertion { call, region: Some(stmt), guarded, other_reads };
            self.plans.assertions.push(assertion);
        }
        self.plans.noted.extend(noted.iter().map(|&read| (read, Some(stmt))));
        if let Some(plan) = self.plans.loops.get_mut(&stmt) {
            plan.has_flag = guarded;
        }
        self.free(stmt, &calls);
    }

    /// Decides whether an iteration that touches no witness has to be kept: not if all that can go wrong are
    /// assertions that read an element at an index that moves.
    fn free(&mut self, stmt: StmtId, calls: &[ExprId]) {
        let unit = self.unit;
        let plan = &self.plans.loops[&stmt];
        if !plan.free_slot || plan.impure_condition {
            return;
        }
        let body = plan.parts.body;
        let leaves = any(unit, Node::Stmt(body), &|node| match stmt_kind(unit, node) {
            Some(StmtKind::Break(to)) => to == stmt,
            Some(StmtKind::Return(_) | StmtKind::Goto(_)) => true,
            _ => false,
        });
        let covered = |call: ExprId| {
            let ExprKind::Call(_, args) = unit.exprs[call].kind else { return false };
            unit.expr_lists.get(args).iter().any(|&arg| self.always_touches(arg, plan))
        };
        // Other calls that can fail, assertions in inner loops among them.
        let mut other = false;
        for node in plan.parts.nodes() {
            visit(unit, node, &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Call(called, args) = unit.exprs[expr].kind
                {
                    let silent = callee(unit, called).is_some_and(|f| match self.functions.of(f) {
                        Some(summary) => !summary.is_observable(),
                        None => {
                            let name = unit.names.name(unit.functions[f].name);
                            library(name) == Library::Harmless
                        }
                    });
                    if !silent && !calls.contains(&expr) {
                        let inner_assertion = self.assertion(expr)
                            && self.plans.noted_in(unit.expr_lists.get(args), unit)
                            && unit
                                .expr_lists
                                .get(args)
                                .iter()
                                .any(|&arg| self.always_touches(arg, plan));
                        other |= !inner_assertion;
                    }
                }
                if let Node::Expr(expr) = node
                    && let ExprKind::Builtin(..) = unit.exprs[expr].kind
                {
                    other = true;
                }
                true
            });
        }
        let all_covered = calls.iter().all(|&call| covered(call));
        if !leaves
            && !other
            && all_covered
            && let Some(plan) = self.plans.loops.get_mut(&stmt)
        {
            plan.free_slot = false;
            plan.covered_only =
                plan.touches_all.iter().any(|all| !plan.touches.iter().any(|kept| kept.same(all)));
        }
    }

    /// Returns whether evaluating an expression always reads an element, which is noted, at an index that moves in the
    /// loop.
    fn always_touches(&self, expr: ExprId, plan: &Plan<'_>) -> bool {
        let unit = self.unit;
        if let Some(access) = access(unit, expr)
            && self.places.has(&access)
            && self.plans.noted.contains_key(&expr)
            && let Some(touch) = self.touch(&plan.motion, &access)
            && plan.touches_all.iter().any(|other| other.same(&touch))
        {
            return true;
        }
        match unit.exprs[expr].kind {
            ExprKind::LogAnd(first, _)
            | ExprKind::LogOr(first, _)
            | ExprKind::Cond(first, ..)
            | ExprKind::CondOmitted(first, _) => self.always_touches(first, plan),
            ExprKind::StmtExpr(_) | ExprKind::Call(..) => false,
            _ => children(unit, Node::Expr(expr)).into_iter().any(|child| match child {
                Node::Expr(child) => self.always_touches(child, plan),
                Node::Stmt(_) => false,
            }),
        }
    }
}

impl Plans<'_> {
    /// Returns whether something that is read in arguments is noted.
    fn noted_in(&self, args: &[ExprId], unit: &Unit) -> bool {
        args.iter().any(|&arg| {
            any(
                unit,
                Node::Expr(arg),
                &|node| matches!(node, Node::Expr(expr) if self.noted.contains_key(&expr)),
            )
        })
    }
}

/// The reads that can be noted when there are at most so many witnesses, and how many witnesses those need.
pub(crate) fn choose(reads: &[(ExprId, Option<String>)], most: usize) -> (Vec<ExprId>, usize) {
    let mut keys: BTreeSet<String> = BTreeSet::new();
    let mut chosen = Vec::new();
    let mut n_alone = 0;
    for (read, key) in reads {
        let known = key.as_ref().is_some_and(|key| keys.contains(key));
        if !known && keys.len() + n_alone >= most {
            continue;
        }
        match key {
            Some(key) => {
                keys.insert(key.clone());
            }
            None => n_alone += 1,
        }
        chosen.push(*read);
    }
    (chosen, keys.len() + n_alone)
}
