//! Further choices of witness indices besides the elements that an assertion reads.
//!
//! **Pinned.** An access outside of loops that is executed once at most has one index in an execution: a witness may be
//! just that. Then it is assumed where the access is, and loops keep the iteration that meets it. So `a[pos] = marker;
//! while (a[i] != marker) i++;` leaves the loop at `pos` at the latest.
//!
//! **Settled.** A flag that a loop sets to constants, and does not read, has after the loop the value from before or that of
//! its last change. Witnesses may be what the iteration of the last change reads: then that iteration is kept, and those that
//! are left out change nothing. So `if (a[i] != b[i]) equal = 0;` is believed only of an iteration whose elements are known.
//!
//! **Soundness.** An execution that violates an assertion has elements that the assertion reads, one index at each pinned
//! place, and one last change of each flag. Witnesses for all of these are chosen apart, so that some choice is right for
//! all of them. All this holds of loops and places that an execution comes to once: those of `main` outside of loops, if it
//! has no labels.
//!
//! Witnesses that assertions need come first. If none needs any, the one that there is anyway is used; more if it is asked for
//! ([`Refinement`]), for each one more makes the result larger.
//!
//! **Ends.** Last of all, the range of each loop is split: its first and its last iteration are kept, too. Whatever an iteration does, to
//! keep it in its place is as sound as to leave it out; the last one has a number that is chosen before the loop, and a loop
//! that goes on after it, or ends before, is not looked at.

use crate::effects::{Library, library};
use crate::induction::{LoopParts, Shape};
use crate::places::{access, callee};
use crate::plan::{Plan, Planner, shape_of};
use crate::regions::choose;
use crate::{Refinement, Settings, effects};
use std::collections::BTreeSet;
use vergo_cfront::hir::{ExprId, ExprKind, StmtId, StmtKind, VarId};
use vergo_cfront::walk::{Node, any, children, expr_kind, stmt_kind};
use vergo_source::Span;

impl Planner<'_, '_> {
    /// Uses the witnesses that assertions do not need.
    pub(crate) fn refine(&mut self, settings: Settings) {
        let mut needed = self.plans.witnesses;
        let most = match settings.refinement {
            Refinement::None => 1,
            Refinement::Witnesses(most) => most.min(settings.most_witnesses),
            Refinement::Ends => settings.most_witnesses,
        };
        let unit = self.unit;
        let is_main = |f: &&vergo_cfront::hir::Function| unit.names.name(f.name) == "main";
        let main = unit.functions.values().find(is_main).and_then(|f| f.body);
        let has_labels = |body| {
            any(unit, Node::Stmt(body), &|node| {
                matches!(stmt_kind(unit, node), Some(StmtKind::Label(..)))
            })
        };
        if let Some(main) = main.filter(|&body| !has_labels(body)) {
            let (mut loops, mut accesses) = (Vec::new(), Vec::new());
            self.once(Node::Stmt(main), &mut loops, &mut accesses);
            for stmt in loops {
                needed += self.settle(stmt, most.saturating_sub(needed));
            }
            let mut seen = BTreeSet::new();
            for expr in accesses {
                if needed < most
                    && let Some(access) = access(unit, expr)
                    && let [index] = access.indices.as_slice()
                    && effects::is_pure(unit, *index)
                    && let Some(key) = crate::induction::key(unit, *index, &|_| 0)
                    && seen.insert(key)
                {
                    self.plans.pins.insert(expr, needed);
                    needed += 1;
                }
            }
        }
        self.plans.witnesses = needed.max(1);
        for plan in self.plans.loops.values_mut() {
            // A flag that is settled is believed of fewer iterations, and nothing more is known of a loop that changes no variable.
            let is_worth = plan.settled.is_empty() && !plan.havoc.is_empty();
            plan.ends = settings.refinement == Refinement::Ends && is_worth;
        }
    }

    /// The loops that are abstracted, and the accesses, to which an execution comes once at most.
    fn once(&self, node: Node, loops: &mut Vec<StmtId>, accesses: &mut Vec<ExprId>) {
        let unit = self.unit;
        match node {
            Node::Stmt(stmt) if LoopParts::of(unit, stmt).is_some() => {
                if self.plans.loops.contains_key(&stmt) {
                    loops.push(stmt);
                }
                return;
            }
            Node::Expr(expr) if access(unit, expr).is_some_and(|a| self.places.has(&a)) => {
                accesses.push(expr);
            }
            _ => {}
        }
        for child in children(unit, node) {
            self.once(child, loops, accesses);
        }
    }

    /// Settles the flags of a loop if that needs no more witnesses than these; says how many it needs.
    fn settle(&mut self, stmt: StmtId, spare: usize) -> usize {
        let plan = &self.plans.loops[&stmt];
        let flags: Vec<VarId> =
            plan.havoc.iter().copied().filter(|&var| self.is_settled(plan, var)).collect();
        if flags.is_empty() || !self.is_quiet(plan) {
            return 0;
        }
        let (noted, n_keys) = self.keys_of_reads(stmt);
        if n_keys == 0 || n_keys > spare {
            return 0;
        }
        self.plans.noted.extend(noted.into_iter().map(|read| (read, Some(stmt))));
        if let Some(plan) = self.plans.loops.get_mut(&stmt) {
            plan.has_flag = true;
            plan.havoc.retain(|var| !flags.contains(var));
            plan.settled = flags;
        }
        n_keys
    }

    /// Returns whether nothing can go wrong in the iterations of a loop, which are not noted for anything yet.
    fn is_quiet(&self, plan: &Plan<'_>) -> bool {
        !plan.free_slot
            && !plan.covered_only
            && !plan.has_flag
            && !plan.impure_condition
            && self.is_plain(plan)
    }

    /// What an iteration of a loop reads, and how many different elements that are.
    fn keys_of_reads(&self, stmt: StmtId) -> (Vec<ExprId>, usize) {
        let plan = &self.plans.loops[&stmt];
        let nodes = plan.parts.nodes();
        let changes: Vec<(VarId, Span)> =
            nodes.iter().flat_map(|&node| self.functions.effects(node).vars).collect();
        // A variable that changes in an iteration is another index before and after.
        let version = |var: VarId, at: Span| {
            changes.iter().filter(|(changed, span)| *changed == var && span.hi <= at.lo).count()
        };
        let mut reads = Vec::new();
        for &node in &nodes {
            for (read, access) in self.reads(node) {
                reads.push((read, self.read_key(&access, &version)));
            }
        }
        choose(&reads, usize::MAX)
    }

    /// Returns whether a loop has neither loops nor calls in it, those of the library excepted that do nothing.
    fn is_plain(&self, plan: &Plan<'_>) -> bool {
        let unit = self.unit;
        plan.parts.nodes().into_iter().all(|node| {
            !any(unit, node, &|node| match node {
                Node::Stmt(stmt) => LoopParts::of(unit, stmt).is_some(),
                Node::Expr(expr) => match unit.exprs[expr].kind {
                    ExprKind::Call(called, _) => callee(unit, called).is_none_or(|function| {
                        let declared = &unit.functions[function];
                        declared.body.is_some()
                            || library(unit.names.name(declared.name)) != Library::Harmless
                    }),
                    ExprKind::Builtin(..) | ExprKind::StmtExpr(_) => true,
                    _ => false,
                },
            })
        })
    }

    /// Returns whether a variable is set to constants in a loop and not read there, and nobody has its address.
    fn is_settled(&self, plan: &Plan<'_>, var: VarId) -> bool {
        let unit = self.unit;
        let is_var = |expr: ExprId| matches!(unit.exprs[expr].kind, ExprKind::Var(v) if v == var);
        let is_read = |node: Node| match expr_kind(unit, node) {
            Some(ExprKind::Cast(_, inner)) => is_var(inner),
            _ => false,
        };
        let has_address = unit
            .exprs
            .values()
            .any(|expr| matches!(expr.kind, ExprKind::AddrOf(place) if is_var(place)));
        matches!(shape_of(plan, var), Shape::Constants(_))
            && !has_address
            && !plan.parts.nodes().into_iter().any(|node| any(unit, node, &is_read))
    }
}
