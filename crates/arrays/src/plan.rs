//! The treatment of each loop and each assertion, decided before any text is written.
//!
//! A loop is left out but for a few iterations: those in which an element at a witness index can be accessed, and one
//! more where an assertion may fail or the loop be left. Which those are follows from how indices move ([`Motion`]): an
//! index that moves evenly meets a witness in one iteration at most.
//!
//! An assertion speaks of the elements that are read on the way to it. Any violation is one of some elements, and the
//! witness indices are chosen before the program begins, so that some choice is just those elements: an assertion needs
//! to be looked at only when all that is read for it are witnesses, as long as there are as many witnesses as elements
//! that one instance of it can read ([`crate::regions`]).

use crate::Settings;
use crate::effects::{CellWrite, Effects, Functions};
use crate::induction::{Affine, LoopParts, Motion, Shape, key};
use crate::nondet::Nondet;
use crate::places::{Access, Places, Root, access, base, root};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use vergo_cfront::hir::{ExprId, ExprKind, FuncId, StmtId, StmtKind, Storage, Unit, VarId};
use vergo_cfront::types::{ArrayLen, TypeKind};
use vergo_cfront::walk::{Node, any, stmt_kind, visit};
use vergo_source::Span;

/// The most iterations of a loop that are kept.
const MOST_SLOTS: usize = 8;

/// An index that meets each witness in at most one iteration.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// The index; its value at the beginning of the loop is taken from its text.
    pub(crate) index: ExprId,
    pub(crate) dimension: usize,
    pub(crate) motion: Affine,
    key: String,
}

/// Elements that iterations which are left out may have changed.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    pub(crate) var: VarId,
    /// The index, if it does not change in the loop.
    pub(crate) index: Option<(ExprId, i64)>,
}

/// The treatment of a loop.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) number: usize,
    pub(crate) parts: LoopParts,
    pub(crate) motion: Motion<'a>,
    /// Variables that are set to arbitrary values, in order.
    pub(crate) havoc: Vec<VarId>,
    pub(crate) touches: Vec<Touch>,
    /// Those of all accesses, whether iterations are kept for them or not.
    pub(crate) touches_all: Vec<Touch>,
    pub(crate) lost: Vec<Lost>,
    /// True if an assertion can fail, or the loop be left, in an iteration that touches no witness.
    pub(crate) free_slot: bool,
    /// True if there are assertions that can fail only where a witness is read, and no iterations are kept for reads.
    pub(crate) covered_only: bool,
    /// True if reads that miss the witnesses are noted for an assertion.
    pub(crate) has_flag: bool,
    /// The number of elements, if all elements of all arrays are accessed, each in its iteration (`fullarrayaccess`).
    pub(crate) full: Option<u64>,
    /// True if the condition has effects, so that it is a part of the iterations.
    pub(crate) impure_condition: bool,
    /// Flags whose last change is an iteration that is kept ([`crate::refine`]), in place of an arbitrary value.
    pub(crate) settled: Vec<VarId>,
    /// True if the first and the last iteration are kept ([`crate::refine`]).
    pub(crate) ends: bool,
}

impl Plan<'_> {
    /// Returns the number of iterations that are kept.
    pub(crate) fn slots(&self, witnesses: usize) -> usize {
        self.touches.len() * witnesses
            + usize::from(self.free_slot || self.covered_only)
            + usize::from(!self.settled.is_empty())
            + if self.ends { 2 } else { 0 }
    }
}

/// The reason why a loop stays as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptLoop {
    pub(crate) stmt: StmtId,
    pub(crate) span: Span,
    pub(crate) why: &'static str,
    /// True if it accesses abstracted arrays.
    pub(crate) over_arrays: bool,
}

/// An assertion, and the elements that are read for it.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    pub(crate) call: ExprId,
    /// The loop whose iteration it stands in.
    pub(crate) region: Option<StmtId>,
    /// True if it is checked only when all elements that are read for it are witnesses.
    pub(crate) guarded: bool,
    /// The number of reads for it that are not of that kind.
    pub(crate) other_reads: usize,
}

/// All plans of a program.
#[derive(Debug, Default)]
pub(crate) struct Plans<'a> {
    pub(crate) loops: BTreeMap<StmtId, Plan<'a>>,
    pub(crate) kept: Vec<KeptLoop>,
    pub(crate) assertions: Vec<Assertion>,
    /// Reads that are noted when they miss, with the loop whose note it is; none for an assertion on its own.
    pub(crate) noted: FxHashMap<ExprId, Option<StmtId>>,
    /// The number of witness indices that are needed.
    pub(crate) witnesses: usize,
    /// Accesses that are written, and whether they are read as well.
    pub(crate) written: FxHashMap<ExprId, bool>,
    /// Accesses whose index is a witness index, by its number ([`crate::refine`]).
    pub(crate) pins: BTreeMap<ExprId, usize>,
}

/// Makes the plans.
pub(crate) fn make<'a>(
    unit: &'a Unit,
    places: &Places,
    functions: &Functions<'_>,
    nondet: &mut Nondet<'a>,
    settings: Settings,
) -> Plans<'a> {
    let mut planner = Planner { unit, places, functions, nondet, plans: Plans::default() };
    for (id, function) in unit.functions.iter() {
        if let Some(body) = function.body {
            planner.find_writes(body);
            planner.function(id, body);
        }
    }
    planner.regions(settings.most_witnesses.max(1));
    planner.refine(settings);
    for plan in planner.plans.loops.values_mut() {
        // Reads give way to writes where there would be too many iterations.
        let witnesses = planner.plans.witnesses;
        debug_assert!(plan.slots(witnesses) <= MOST_SLOTS * witnesses + 2);
    }
    planner.plans
}

pub(crate) struct Planner<'a, 'b> {
    pub(crate) unit: &'a Unit,
    pub(crate) places: &'b Places,
    pub(crate) functions: &'b Functions<'b>,
    nondet: &'b mut Nondet<'a>,
    pub(crate) plans: Plans<'a>,
}

impl<'a> Planner<'a, '_> {
    fn find_writes(&mut self, body: StmtId) {
        let (unit, places) = (self.unit, self.places);
        visit(unit, Node::Stmt(body), &mut |node| {
            if let Node::Expr(expr) = node {
                let (place, also_read) = match unit.exprs[expr].kind {
                    ExprKind::Assign(place, _) => (place, false),
                    ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec(_, place) => {
                        (place, true)
                    }
                    _ => return true,
                };
                if let Root::Element(element, _) = root(unit, place, &|a| places.has(a)) {
                    self.plans.written.insert(element, also_read);
                }
            }
            true
        });
    }

    fn function(&mut self, function: FuncId, body: StmtId) {
        let mut loops = Vec::new();
        visit(self.unit, Node::Stmt(body), &mut |node| {
            if let Node::Stmt(stmt) = node
                && let Some(parts) = LoopParts::of(self.unit, stmt)
            {
                loops.push(parts);
            }
            true
        });
        for parts in loops {
            let number = self.plans.loops.len() + self.plans.kept.len() + 1;
            let over_arrays = self.is_over_arrays(&parts);
            match self.plan(function, body, parts, number, over_arrays) {
                Ok(plan) => {
                    self.plans.loops.insert(parts.stmt, plan);
                }
                Err((span, why)) => {
                    self.plans.kept.push(KeptLoop { stmt: parts.stmt, span, why, over_arrays });
                }
            }
        }
    }

    /// Returns whether a loop accesses abstracted arrays, or hands them to functions.
    fn is_over_arrays(&self, parts: &LoopParts) -> bool {
        let unit = self.unit;
        parts.nodes().into_iter().any(|node| {
            any(unit, node, &|node| match node {
                Node::Expr(expr) => match unit.exprs[expr].kind {
                    ExprKind::Index(..) | ExprKind::Deref(_) => {
                        access(unit, expr).is_some_and(|access| self.places.has(&access))
                    }
                    ExprKind::Call(_, args) => unit.expr_lists.get(args).iter().any(|&arg| {
                        base(unit, arg).is_some_and(|var| self.places.all.contains_key(&var))
                    }),
                    _ => false,
                },
                Node::Stmt(_) => false,
            })
        })
    }

    fn plan(
        &mut self,
        function: FuncId,
        function_body: StmtId,
        parts: LoopParts,
        number: usize,
        over_arrays: bool,
    ) -> Result<Plan<'a>, (Span, &'static str)> {
        let unit = self.unit;
        let span = unit.stmts[parts.stmt].span;
        if !over_arrays {
            return Err((span, "it accesses no abstracted array"));
        }
        self.check_jumps(function_body, &parts)?;
        let mut effects = Effects::default();
        for node in parts.nodes() {
            let part = self.functions.effects(node);
            effects.vars.extend(part.vars);
            effects.cells.extend(part.cells);
            effects.through_calls.extend(part.through_calls);
            effects.parameters.extend(part.parameters);
            effects.unknown = effects.unknown.or(part.unknown);
            effects.observable |= part.observable;
        }
        if let Some(unknown) = effects.unknown {
            return Err(unknown);
        }
        if !effects.parameters.is_empty() {
            return Err((span, "a write through a pointer"));
        }
        let motion = Motion::new(unit, parts, &effects);
        let havoc = self.havocked(function, &parts, &effects, &motion)?;
        let mut plan = Plan {
            number,
            parts,
            motion,
            havoc,
            touches: Vec::new(),
            touches_all: Vec::new(),
            lost: Vec::new(),
            free_slot: false,
            covered_only: false,
            has_flag: false,
            full: None,
            impure_condition: parts.cond.is_some_and(|cond| !crate::effects::is_pure(unit, cond)),
            settled: Vec::new(),
            ends: false,
        };
        let stmt = parts.stmt;
        let leaves = any(unit, Node::Stmt(parts.body), &|node| match stmt_kind(unit, node) {
            Some(StmtKind::Break(to)) => to == stmt,
            Some(StmtKind::Return(_) | StmtKind::Goto(_)) => true,
            _ => false,
        });
        self.touches(function, &mut plan, &effects, leaves)?;
        plan.free_slot = leaves || effects.observable || plan.impure_condition;
        plan.full = self.full(&plan, leaves, &effects);
        Ok(plan)
    }

    /// Jumps into a loop, and labels that `switch` outside of it leads to, keep it as it is.
    fn check_jumps(&self, function: StmtId, parts: &LoopParts) -> Result<(), (Span, &'static str)> {
        let unit = self.unit;
        let body = Node::Stmt(parts.body);
        let mut labels = BTreeSet::new();
        let mut cases = Vec::new();
        let mut switches: FxHashSet<StmtId> = FxHashSet::default();
        visit(unit, body, &mut |node| {
            if let Node::Stmt(stmt) = node {
                match unit.stmts[stmt].kind {
                    StmtKind::Label(label, _) => {
                        labels.insert(label);
                    }
                    StmtKind::Case(_) | StmtKind::Default(_) => cases.push(stmt),
                    StmtKind::Switch { cases, default, .. } => {
                        switches.extend(unit.case_lists.get(cases).iter().map(|case| case.stmt));
                        switches.extend(default);
                    }
                    _ => {}
                }
            }
            true
        });
        if let Some(&case) = cases.iter().find(|case| !switches.contains(*case)) {
            return Err((unit.stmts[case].span, "a `switch` leads into it"));
        }
        let inside = unit.stmts[parts.stmt].span;
        let mut found = Ok(());
        visit(unit, Node::Stmt(function), &mut |node| {
            match stmt_kind(unit, node) {
                Some(StmtKind::Goto(label)) if labels.contains(&label) => {
                    if let Node::Stmt(stmt) = node
                        && !inside.contains(unit.stmts[stmt].span)
                    {
                        found = Err((unit.stmts[stmt].span, "a `goto` leads into it"));
                    }
                }
                Some(StmtKind::GotoIndirect(_)) if !labels.is_empty() => {
                    found = Err((inside, "a computed `goto` may lead into it"));
                }
                _ => {}
            }
            true
        });
        found
    }

    /// The variables that get arbitrary values.
    fn havocked(
        &mut self,
        function: FuncId,
        parts: &LoopParts,
        effects: &Effects,
        motion: &Motion<'_>,
    ) -> Result<Vec<VarId>, (Span, &'static str)> {
        let unit = self.unit;
        let body = unit.stmts[parts.body].span;
        let mut out = BTreeSet::new();
        for &(id, span) in &effects.vars {
            let var = &unit.vars[id];
            let is_static = matches!(var.storage, Storage::Static { .. });
            if var.name.is_none() || motion.linear.contains_key(&id) && !is_static {
                continue;
            }
            if body.contains(var.span) && !is_static {
                continue;
            }
            self.check_visible(function, id, span)?;
            if motion.linear.contains_key(&id) {
                continue;
            }
            let quals = var.ty.quals();
            if quals.has(vergo_cfront::ast::Quals::CONST)
                || quals.has(vergo_cfront::ast::Quals::VOLATILE)
                || !self.nondet.has_any(var.ty)
            {
                return Err((span, "it changes something that has no arbitrary values"));
            }
            out.insert(id);
        }
        Ok(out.into_iter().collect())
    }

    /// Checks that a variable can be named where a loop of a function is.
    fn check_visible(
        &self,
        function: FuncId,
        id: VarId,
        span: Span,
    ) -> Result<(), (Span, &'static str)> {
        let unit = self.unit;
        let var = &unit.vars[id];
        let own = unit.functions[function].definition_span;
        let is_own = |span: Span| own.is_some_and(|whole| whole.contains(span));
        match var.storage {
            Storage::Static { function: Some(home), .. } if home != function => {
                Err((span, "it changes a static variable of another function"))
            }
            Storage::Static { function: Some(_), .. } => {
                Err((span, "it changes a static variable of the function"))
            }
            Storage::Static { .. } => {
                let hidden = unit.vars.values().any(|other| {
                    other.name == var.name && other.span != var.span && is_own(other.span)
                });
                // What is declared after the function cannot be named in it.
                let late = own.is_some_and(|whole| var.span.lo > whole.hi);
                if hidden || late {
                    return Err((span, "it changes a variable that cannot be named there"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Which iterations meet a witness, and which elements are lost otherwise.
    fn touches(
        &mut self,
        function: FuncId,
        plan: &mut Plan<'a>,
        effects: &Effects,
        leaves: bool,
    ) -> Result<(), (Span, &'static str)> {
        let unit = self.unit;
        let body = unit.stmts[plan.parts.body].span;
        let mut writes: Vec<Touch> = Vec::new();
        for CellWrite { access, span } in &effects.cells {
            let declared = &unit.vars[access.var];
            let inner = body.contains(declared.span);
            if inner && !matches!(declared.storage, Storage::Static { .. }) {
                if unit.types.is_array(declared.ty) {
                    continue;
                }
                // A pointer of the body may point to anything that lives longer.
                return Err((*span, "a write through a pointer of the loop's body"));
            }
            self.check_visible(function, access.var, *span)?;
            if effects.vars.iter().any(|(var, _)| *var == access.var) {
                return Err((*span, "a write through a pointer that the loop changes"));
            }
            match self.touch(&plan.motion, access) {
                Some(touch) if touch.motion.slope != 0 => {
                    if !writes.iter().any(|other| other.same(&touch)) {
                        writes.push(touch);
                    }
                }
                Some(touch) if access.indices.len() <= 1 => {
                    let index = Some((touch.index, touch.motion.shift));
                    plan.lost.push(Lost { var: access.var, index });
                }
                _ => plan.lost.push(Lost { var: access.var, index: None }),
            }
        }
        for &(var, span) in &effects.through_calls {
            let declared = &unit.vars[var];
            if body.contains(declared.span) && unit.types.is_array(declared.ty) {
                continue;
            }
            self.check_visible(function, var, span)?;
            if effects.vars.iter().any(|(changed, _)| *changed == var)
                || body.contains(declared.span)
            {
                return Err((span, "a write through a pointer that the loop changes"));
            }
            plan.lost.push(Lost { var, index: None });
        }
        if writes.len() > MOST_SLOTS / 2 {
            for CellWrite { access, .. } in &effects.cells {
                if !body.contains(unit.vars[access.var].span) {
                    plan.lost.push(Lost { var: access.var, index: None });
                }
            }
            writes.clear();
        }
        plan.lost.sort_by_key(|lost| (lost.var, lost.index.is_some(), lost.index));
        plan.lost.dedup_by_key(|lost| (lost.var, lost.index));
        plan.touches = writes;
        // Reads make iterations worth looking at, too, where what is read can be seen in more than other elements.
        let mut reads = Vec::new();
        plan.touches_all = plan.touches.clone();
        for node in plan.parts.nodes() {
            visit(unit, node, &mut |node| {
                if let Node::Expr(expr) = node
                    && let Some(access) = access(unit, expr)
                    && self.places.has(&access)
                    && let Some(touch) = self.touch(&plan.motion, &access)
                    && touch.motion.slope != 0
                {
                    reads.push(touch);
                }
                true
            });
        }
        let matter = leaves || !plan.havoc.is_empty() || !plan.motion.condition_is_simple();
        for touch in reads {
            if !plan.touches_all.iter().any(|other| other.same(&touch)) {
                plan.touches_all.push(touch.clone());
                if matter && plan.touches.len() < MOST_SLOTS / 2 {
                    plan.touches.push(touch);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn touch(&self, motion: &Motion<'_>, access: &Access) -> Option<Touch> {
        let mut constant = None;
        for (dimension, &index) in access.indices.iter().enumerate() {
            let span = self.unit.exprs[index].span;
            if let Some(affine) = motion.affine(index, span)
                && let Some(key) = key(self.unit, index, &|_| 0)
            {
                let touch = Touch { index, dimension, motion: affine, key };
                if affine.slope != 0 {
                    return Some(touch);
                }
                constant.get_or_insert(touch);
            }
        }
        constant
    }

    /// Returns the number of elements if a loop `for (i = 0; i < n; i++)` accesses the elements `a[i]` of arrays of `n`
    /// elements, and no others.
    fn full(&self, plan: &Plan<'_>, leaves: bool, effects: &Effects) -> Option<u64> {
        let unit = self.unit;
        let [touch] = plan.touches_all.as_slice() else { return None };
        if leaves || !plan.lost.is_empty() || plan.parts.is_do || touch.motion.slope != 1 {
            return None;
        }
        if touch.motion.shift != 0 || !effects.through_calls.is_empty() {
            return None;
        }
        let ExprKind::Cast(_, place) = unit.exprs[touch.index].kind else { return None };
        let ExprKind::Var(counter) = unit.exprs[place].kind else { return None };
        // It starts with zero.
        let StmtKind::For { init, .. } = unit.stmts[plan.parts.stmt].kind else { return None };
        let [first] = unit.stmt_lists.get(init) else { return None };
        let zero = |e: ExprId| crate::induction::constant(unit, e) == Some(0);
        let starts = match unit.stmts[*first].kind {
            StmtKind::Decl(var) if var == counter => {
                let init =
                    unit.vars[var].init.map(|init| vergo_cfront::walk::init_exprs(unit, init));
                init.is_some_and(|exprs| exprs.len() == 1 && zero(exprs[0]))
            }
            StmtKind::Expr(expr) => {
                vergo_cfront::walk::any(unit, Node::Expr(expr), &|node| {
                    matches!(
                        vergo_cfront::walk::expr_kind(unit, node),
                        Some(ExprKind::Assign(place, value))
                            if zero(value) && matches!(unit.exprs[place].kind, ExprKind::Var(v) if v == counter)
                    )
                }) && !matches!(unit.exprs[expr].kind, ExprKind::Comma(..))
            }
            _ => false,
        };
        // It ends with the length.
        let ExprKind::Binary(vergo_cfront::hir::BinaryOp::Lt, low, high) =
            unit.exprs[plan.parts.cond?].kind
        else {
            return None;
        };
        let bound = u64::try_from(crate::induction::constant(unit, high)?).ok()?;
        let counts = key(unit, low, &|_| 0) == key(unit, touch.index, &|_| 0);
        if !starts || !counts || bound == 0 {
            return None;
        }
        // All accesses are to that index, of arrays of that length.
        let mut fits = true;
        visit(unit, Node::Stmt(plan.parts.body), &mut |node| {
            match node {
                Node::Stmt(stmt) => fits &= LoopParts::of(unit, stmt).is_none(),
                Node::Expr(expr) => {
                    if let Some(access) = access(unit, expr)
                        && self.places.has(&access)
                    {
                        let length = match *unit.types.kind(unit.vars[access.var].ty) {
                            TypeKind::Array(_, ArrayLen::Fixed(length)) => Some(length),
                            _ => None,
                        };
                        fits &= length == Some(bound)
                            && access.indices.len() == 1
                            && key(unit, access.indices[0], &|_| 0).as_ref() == Some(&touch.key);
                    }
                }
            }
            true
        });
        fits.then_some(bound)
    }
}

impl Touch {
    pub(crate) fn same(&self, other: &Touch) -> bool {
        self.dimension == other.dimension && self.motion == other.motion && self.key == other.key
    }
}

/// Returns the known shape of a variable that gets an arbitrary value.
pub(crate) fn shape_of<'p>(plan: &'p Plan<'_>, var: VarId) -> &'p Shape {
    plan.motion.shapes.get(&var).unwrap_or(&Shape::Any)
}
