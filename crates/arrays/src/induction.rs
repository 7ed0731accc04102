//! The motion of variables in a loop: the range analysis of section 7 of the paper.
//!
//! A variable that a loop changes has, in an arbitrary iteration, an arbitrary value; this file decides how much less
//! than arbitrary. A variable that moves by a constant in every iteration has a known value in each ([`Linear`]): it is
//! what loops count by, and what indices are made of. Others are bounded by what they were before ([`Shape`]): flags,
//! counters that sometimes count, least and greatest elements.
//!
//! The abstract interpretation of `vergo-analysis` works on GOTO, which this layer does not know; and its intervals speak
//! of one point of the program, where relations between two points of an execution are needed here.

use crate::effects::{Effects, is_pure};
use std::collections::{BTreeMap, BTreeSet};
use vergo_cfront::hir::{
    BinaryOp, CastKind, CompoundOp, ExprId, ExprKind, IncDec, StmtId, StmtKind, UnaryOp, Unit,
    VarId,
};
use vergo_cfront::types::TypeKind;
use vergo_cfront::walk::{Node, any, children, visit};
use vergo_source::Span;

/// The parts of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopParts {
    pub(crate) stmt: StmtId,
    pub(crate) cond: Option<ExprId>,
    pub(crate) step: Option<ExprId>,
    pub(crate) body: StmtId,
    pub(crate) is_do: bool,
}

impl LoopParts {
    /// The parts of a statement that is a loop.
    pub(crate) fn of(unit: &Unit, stmt: StmtId) -> Option<LoopParts> {
        Some(match unit.stmts[stmt].kind {
            StmtKind::While(cond, body) => {
                LoopParts { stmt, cond: Some(cond), step: None, body, is_do: false }
            }
            StmtKind::DoWhile(body, cond) => {
                LoopParts { stmt, cond: Some(cond), step: None, body, is_do: true }
            }
            StmtKind::For { cond, step, body, .. } => {
                LoopParts { stmt, cond, step, body, is_do: false }
            }
            _ => return None,
        })
    }

    /// Returns the parts that are executed repeatedly.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = self.cond.map(Node::Expr).into_iter().collect();
        nodes.extend(self.step.map(Node::Expr));
        nodes.push(Node::Stmt(self.body));
        nodes
    }
}

/// A variable that moves by the same constant in every iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    pub(crate) step: i64,
    /// True if it cannot wrap around.
    pub(crate) safe: bool,
    /// Where it moves.
    site: Span,
    in_body: bool,
}

/// The value of a variable after some iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Nothing.
    Any,
    /// Its old value, or one of some constants.
    Constants(BTreeSet<i64>),
    /// At least what it was, and not above that by more than so much in each iteration.
    Up(Option<i64>),
    /// At most what it was, and not below that by more than so much in each iteration.
    Down(Option<i64>),
}

/// An index that moves with the iterations: constant, or by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Affine {
    /// The distance by which it moves from one iteration to the next.
    pub(crate) slope: i64,
    /// The distance from its value at the beginning of the iteration.
    pub(crate) shift: i64,
}

/// The motion of variables in one loop.
#[derive(Debug)]
pub(crate) struct Motion<'a> {
    unit: &'a Unit,
    parts: LoopParts,
    changed: BTreeSet<VarId>,
    pub(crate) linear: BTreeMap<VarId, Linear>,
    pub(crate) shapes: BTreeMap<VarId, Shape>,
}

impl<'a> Motion<'a> {
    pub(crate) fn new(unit: &'a Unit, parts: LoopParts, effects: &Effects) -> Motion<'a> {
        let changed: BTreeSet<VarId> = effects.vars.iter().map(|&(var, _)| var).collect();
        let mut motion =
            Motion { unit, parts, changed, linear: BTreeMap::new(), shapes: BTreeMap::new() };
        motion.find_linear(effects);
        motion.find_shapes(effects);
        motion
    }

    /// Returns whether the loop's condition can be evaluated at any iteration: it reads only variables that are linear
    /// or do not change.
    pub(crate) fn condition_is_simple(&self) -> bool {
        let unit = self.unit;
        self.parts.cond.is_some_and(|cond| {
            is_pure(unit, cond)
                && !any(unit, Node::Expr(cond), &|node| {
                    let Node::Expr(expr) = node else { return true };
                    match unit.exprs[expr].kind {
                        ExprKind::Var(var) => {
                            self.changed.contains(&var) && !self.linear.contains_key(&var)
                        }
                        ExprKind::Index(..) | ExprKind::Deref(_) => true,
                        _ => false,
                    }
                })
        })
    }

    fn find_linear(&mut self, effects: &Effects) {
        let unit = self.unit;
        let body = Node::Stmt(self.parts.body);
        let is_label = |node: Node| {
            matches!(
                vergo_cfront::walk::stmt_kind(unit, node),
                Some(StmtKind::Label(..) | StmtKind::Switch { .. })
            )
        };
        let stmt = self.parts.stmt;
        let continues = any(
            unit,
            body,
            &|node| matches!(vergo_cfront::walk::stmt_kind(unit, node), Some(StmtKind::Continue(to)) if to == stmt),
        );
        let mut sites: Vec<(ExprId, bool)> = Vec::new();
        if !continues && !any(unit, body, &is_label) {
            for statement in top_statements(unit, self.parts.body) {
                if let StmtKind::Expr(expr) = unit.stmts[statement].kind {
                    sites.push((expr, true));
                }
            }
        }
        if let Some(step) = self.parts.step {
            sites.push((step, false));
        }
        while let Some((expr, in_body)) = sites.pop() {
            let expr = strip_void(unit, expr);
            if let ExprKind::Comma(a, b) = unit.exprs[expr].kind {
                sites.extend([(a, in_body), (b, in_body)]);
                continue;
            }
            let Some((var, step)) = increment(unit, expr) else { continue };
            let n_changes = effects.vars.iter().filter(|(changed, _)| *changed == var).count();
            let is_int = unit.types.int_kind(unit.vars[var].ty).is_some();
            if n_changes == 1 && is_int && step != 0 {
                let safe = self.never_wraps(var, step);
                let site = unit.exprs[expr].span;
                self.linear.insert(var, Linear { step, safe, site, in_body });
            }
        }
    }

    /// Returns whether a variable that moves by a constant stays in its type: overflow is undefined, or the condition
    /// stops it.
    fn never_wraps(&self, var: VarId, step: i64) -> bool {
        let unit = self.unit;
        let Some(shape) = unit.types.int_shape(unit.vars[var].ty, &unit.target) else {
            return false;
        };
        if shape.width < 32 {
            return false;
        }
        if shape.signed {
            return true;
        }
        let Some(cond) = self.parts.cond.filter(|_| !self.parts.is_do) else { return false };
        let mut parts = vec![cond];
        while let Some(part) = parts.pop() {
            match unit.exprs[part].kind {
                ExprKind::LogAnd(a, b) => parts.extend([a, b]),
                ExprKind::Binary(op, a, b) => {
                    let (left, right) =
                        (loaded(unit, a) == Some(var), loaded(unit, b) == Some(var));
                    let below = op == BinaryOp::Lt && left || op == BinaryOp::Gt && right;
                    let above = op == BinaryOp::Gt && left || op == BinaryOp::Lt && right;
                    if below && step == 1 || above && step == -1 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn find_shapes(&mut self, effects: &Effects) {
        let unit = self.unit;
        // Every change of a variable as an expression, with whether it is in an inner loop.
        let mut changes: BTreeMap<VarId, Vec<(ExprId, bool)>> = BTreeMap::new();
        let mut increasing: BTreeSet<ExprId> = BTreeSet::new();
        let mut decreasing: BTreeSet<ExprId> = BTreeSet::new();
        let mut work: Vec<(Node, bool)> =
            self.parts.nodes().into_iter().map(|node| (node, false)).collect();
        let mut has_labels = false;
        while let Some((node, repeated)) = work.pop() {
            let mut inner = repeated;
            match node {
                Node::Stmt(stmt) => {
                    inner |= LoopParts::of(unit, stmt).is_some();
                    has_labels |= matches!(unit.stmts[stmt].kind, StmtKind::Label(..));
                    if let StmtKind::If(cond, then, _) = unit.stmts[stmt].kind
                        && let Some((assignment, up)) = towards(unit, cond, then)
                    {
                        if up { &mut increasing } else { &mut decreasing }.insert(assignment);
                    }
                }
                Node::Expr(expr) => match unit.exprs[expr].kind {
                    ExprKind::Assign(place, _)
                    | ExprKind::CompoundAssign { place, .. }
                    | ExprKind::IncDec(_, place) => {
                        if let ExprKind::Var(var) = unit.exprs[place].kind {
                            changes.entry(var).or_default().push((expr, repeated));
                        }
                    }
                    _ => {}
                },
            }
            work.extend(children(unit, node).into_iter().map(|child| (child, inner)));
        }
        for &var in &self.changed {
            let n_changes = effects.vars.iter().filter(|(changed, _)| *changed == var).count();
            let shape = match changes.get(&var) {
                Some(list) if list.len() == n_changes => {
                    let bounded = !has_labels;
                    self.shape(var, list, &increasing, &decreasing, bounded)
                }
                _ => Shape::Any,
            };
            self.shapes.insert(var, shape);
        }
    }

    fn shape(
        &self,
        var: VarId,
        changes: &[(ExprId, bool)],
        increasing: &BTreeSet<ExprId>,
        decreasing: &BTreeSet<ExprId>,
        bounded: bool,
    ) -> Shape {
        let unit = self.unit;
        let assigned = |expr: ExprId| match unit.exprs[expr].kind {
            ExprKind::Assign(_, value) => constant(unit, value),
            _ => None,
        };
        let is_int = unit.types.int_shape(unit.vars[var].ty, &unit.target);
        let constants: Option<BTreeSet<i64>> =
            changes.iter().map(|&(expr, _)| assigned(expr)).collect();
        if let (Some(constants), Some(_)) = (constants, is_int)
            && constants.len() <= 8
        {
            return Shape::Constants(constants);
        }
        if !is_int.is_some_and(|shape| shape.signed && shape.width >= 32) {
            return Shape::Any;
        }
        for up in [true, false] {
            let (guarded, sign) = if up { (increasing, 1) } else { (decreasing, -1) };
            let mut most = Some(0i64);
            let fits = changes.iter().all(|&(expr, repeated)| {
                if guarded.contains(&expr) {
                    most = None;
                    return true;
                }
                match increment(unit, expr) {
                    Some((_, step)) if step * sign >= 0 => {
                        most = match most {
                            Some(sum) if bounded && !repeated => sum.checked_add(step * sign),
                            _ => None,
                        };
                        true
                    }
                    _ => false,
                }
            });
            if fits {
                return if up { Shape::Up(most) } else { Shape::Down(most) };
            }
        }
        Shape::Any
    }

    /// Returns the motion of an index at a place in the loop, if it moves evenly.
    pub(crate) fn affine(&self, index: ExprId, at: Span) -> Option<Affine> {
        let coefficients = self.coefficients(index)?;
        let (mut slope, mut shift) = (0i64, 0i64);
        for (var, coefficient) in coefficients {
            let linear = &self.linear[&var];
            let product = coefficient.checked_mul(linear.step)?;
            slope = slope.checked_add(product)?;
            if linear.in_body && linear.site.hi <= at.lo {
                shift = shift.checked_add(product)?;
            }
        }
        Some(Affine { slope, shift })
    }

    /// The coefficients of linear variables in an expression that is otherwise constant in the loop.
    fn coefficients(&self, expr: ExprId) -> Option<BTreeMap<VarId, i64>> {
        let unit = self.unit;
        let ty = unit.exprs[expr].ty;
        let signed = unit
            .types
            .int_shape(ty, &unit.target)
            .is_some_and(|shape| shape.signed && shape.width >= 32);
        match unit.exprs[expr].kind {
            ExprKind::Int(_) => Some(BTreeMap::new()),
            ExprKind::Cast(CastKind::Load, inner) => {
                let ExprKind::Var(var) = unit.exprs[inner].kind else { return None };
                if unit.stmts[self.parts.body].span.contains(unit.vars[var].span)
                    || unit.exprs[inner].ty.quals().has(vergo_cfront::ast::Quals::VOLATILE)
                    || !unit.types.is_integer(unit.vars[var].ty)
                {
                    return None;
                }
                match self.linear.get(&var) {
                    Some(linear) if linear.safe => Some(BTreeMap::from([(var, 1)])),
                    Some(_) => None,
                    None => (!self.changed.contains(&var)).then(BTreeMap::new),
                }
            }
            ExprKind::Cast(CastKind::Int, inner) => {
                let coefficients = self.coefficients(inner)?;
                let from = unit.types.int_shape(unit.exprs[inner].ty, &unit.target)?;
                let to = unit.types.int_shape(ty, &unit.target)?;
                let keeps = from.signed == to.signed && to.width >= from.width
                    || !from.signed && to.signed && to.width > from.width;
                (coefficients.is_empty() || keeps).then_some(coefficients)
            }
            ExprKind::Unary(op, inner) => {
                let coefficients = self.coefficients(inner)?;
                match op {
                    _ if coefficients.is_empty() => Some(coefficients),
                    UnaryOp::Neg if signed => negate(&coefficients),
                    _ => None,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.coefficients(a)?, self.coefficients(b)?);
                if left.is_empty() && right.is_empty() {
                    // A division may be undefined where the loop does not come.
                    let defined = !matches!(op, BinaryOp::Div | BinaryOp::Rem)
                        || constant(unit, b).is_some_and(|value| value != 0 && value != -1);
                    return defined.then(BTreeMap::new);
                }
                if !signed {
                    return None;
                }
                match op {
                    BinaryOp::Add => add(left, &right),
                    BinaryOp::Sub => add(left, &negate(&right)?),
                    BinaryOp::Mul => match (constant(unit, a), constant(unit, b)) {
                        (Some(factor), _) => scale(&right, factor),
                        (_, Some(factor)) => scale(&left, factor),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn add(mut a: BTreeMap<VarId, i64>, b: &BTreeMap<VarId, i64>) -> Option<BTreeMap<VarId, i64>> {
    for (&var, &value) in b {
        let sum = a.entry(var).or_default();
        *sum = sum.checked_add(value)?;
    }
    a.retain(|_, value| *value != 0);
    Some(a)
}

fn negate(a: &BTreeMap<VarId, i64>) -> Option<BTreeMap<VarId, i64>> {
    scale(a, -1)
}

fn scale(a: &BTreeMap<VarId, i64>, factor: i64) -> Option<BTreeMap<VarId, i64>> {
    let scaled = a.iter().map(|(&var, value)| Some((var, value.checked_mul(factor)?)));
    let mut scaled = scaled.collect::<Option<BTreeMap<_, _>>>()?;
    scaled.retain(|_, value| *value != 0);
    Some(scaled)
}

/// The statements that every completed iteration executes.
pub(crate) fn top_statements(unit: &Unit, body: StmtId) -> Vec<StmtId> {
    match unit.stmts[body].kind {
        StmtKind::Compound(list) => unit
            .stmt_lists
            .get(list)
            .iter()
            .flat_map(|&stmt| match unit.stmts[stmt].kind {
                StmtKind::Compound(_) => top_statements(unit, stmt),
                _ => vec![stmt],
            })
            .collect(),
        _ => vec![body],
    }
}

pub(crate) fn strip_void(unit: &Unit, expr: ExprId) -> ExprId {
    match unit.exprs[expr].kind {
        ExprKind::Cast(CastKind::ToVoid, inner) => strip_void(unit, inner),
        _ => expr,
    }
}

/// The variable that an expression reads, conversions aside that keep its value.
fn loaded(unit: &Unit, expr: ExprId) -> Option<VarId> {
    match unit.exprs[expr].kind {
        ExprKind::Cast(CastKind::Load, inner) => match unit.exprs[inner].kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        },
        ExprKind::Cast(CastKind::Int, inner) => {
            let from = unit.types.int_shape(unit.exprs[inner].ty, &unit.target)?;
            let to = unit.types.int_shape(unit.exprs[expr].ty, &unit.target)?;
            let keeps = from.signed == to.signed && to.width >= from.width
                || !from.signed && to.signed && to.width > from.width;
            if keeps { loaded(unit, inner) } else { None }
        }
        _ => None,
    }
}

/// The value of a constant.
pub(crate) fn constant(unit: &Unit, expr: ExprId) -> Option<i64> {
    let shape = unit.types.int_shape(unit.exprs[expr].ty, &unit.target)?;
    let value = match unit.exprs[expr].kind {
        ExprKind::Int(bits) if shape.signed && shape.width < 64 => {
            let unused = 64 - shape.width;
            ((bits << unused) as i64) >> unused
        }
        ExprKind::Int(bits) if shape.signed => bits as i64,
        ExprKind::Int(bits) => i64::try_from(bits).ok()?,
        ExprKind::Cast(CastKind::Int, inner) => constant(unit, inner)?,
        ExprKind::Unary(UnaryOp::Neg, inner) if shape.signed => {
            constant(unit, inner)?.checked_neg()?
        }
        _ => return None,
    };
    // A conversion that changes the value is none of ours.
    let (low, high) = match (shape.signed, shape.width) {
        (true, width @ 1..64) => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
        (false, width @ 1..63) => (0, (1i64 << width) - 1),
        (false, _) => (0, i64::MAX),
        _ => (i64::MIN, i64::MAX),
    };
    (low..=high).contains(&value).then_some(value)
}

/// The variable and the constant of `v++`, `v += c`, `v = v + c` and their like.
pub(crate) fn increment(unit: &Unit, expr: ExprId) -> Option<(VarId, i64)> {
    let var = |place: ExprId| match unit.exprs[place].kind {
        ExprKind::Var(var) => Some(var),
        _ => None,
    };
    match unit.exprs[expr].kind {
        ExprKind::IncDec(op, place) => {
            let step = if matches!(op, IncDec::PreInc | IncDec::PostInc) { 1 } else { -1 };
            Some((var(place)?, step))
        }
        ExprKind::CompoundAssign { op: CompoundOp::Arith(op), place, value, .. } => {
            let step = constant(unit, value)?;
            match op {
                BinaryOp::Add => Some((var(place)?, step)),
                BinaryOp::Sub => Some((var(place)?, step.checked_neg()?)),
                _ => None,
            }
        }
        ExprKind::Assign(place, value) => {
            let changed = var(place)?;
            let mut value = value;
            // Modulo the width of the variable, conversions between integers change nothing.
            while let ExprKind::Cast(CastKind::Int, inner) = unit.exprs[value].kind {
                value = inner;
            }
            let ExprKind::Binary(op, a, b) = unit.exprs[value].kind else { return None };
            match op {
                BinaryOp::Add if loaded(unit, a) == Some(changed) => {
                    Some((changed, constant(unit, b)?))
                }
                BinaryOp::Add if loaded(unit, b) == Some(changed) => {
                    Some((changed, constant(unit, a)?))
                }
                BinaryOp::Sub if loaded(unit, a) == Some(changed) => {
                    Some((changed, constant(unit, b)?.checked_neg()?))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The assignment of `if (e > v) v = e;`, and whether it makes the variable greater.
fn towards(unit: &Unit, cond: ExprId, then: StmtId) -> Option<(ExprId, bool)> {
    let first = top_statements(unit, then).into_iter().next()?;
    let StmtKind::Expr(expr) = unit.stmts[first].kind else { return None };
    let assignment = strip_void(unit, expr);
    let ExprKind::Assign(place, value) = unit.exprs[assignment].kind else { return None };
    let ExprKind::Var(var) = unit.exprs[place].kind else { return None };
    let ExprKind::Binary(op, a, b) = unit.exprs[cond].kind else { return None };
    let same_type = |e: ExprId| {
        unit.exprs[e].ty.unqualified() == unit.vars[var].ty.unqualified()
            && !matches!(unit.types.kind(unit.exprs[e].ty), TypeKind::Pointer(_))
    };
    if !same_type(a) || !same_type(b) || !is_pure(unit, cond) {
        return None;
    }
    let other = if loaded(unit, a) == Some(var) {
        b
    } else if loaded(unit, b) == Some(var) {
        a
    } else {
        return None;
    };
    if key(unit, other, &|_| 0) != key(unit, value, &|_| 0) {
        return None;
    }
    let value_is_greater = match op {
        BinaryOp::Gt | BinaryOp::Ge => other == a,
        BinaryOp::Lt | BinaryOp::Le => other == b,
        _ => return None,
    };
    Some((assignment, value_is_greater))
}

/// Text that is the same for expressions of the same structure over the same versions of variables; `None` with effects.
pub(crate) fn key(unit: &Unit, expr: ExprId, version: &dyn Fn(VarId) -> usize) -> Option<String> {
    if !is_pure(unit, expr) {
        return None;
    }
    let mut text = String::new();
    visit(unit, Node::Expr(expr), &mut |node| {
        if let Node::Expr(expr) = node {
            let kind = unit.exprs[expr].kind;
            let item = match kind {
                ExprKind::Var(var) => format!("{var:?}#{} ", version(var)),
                ExprKind::Int(value) => format!("{value} "),
                ExprKind::Unary(op, _) => format!("{op:?} "),
                ExprKind::Binary(op, ..) => format!("{op:?} "),
                ExprKind::Cast(kind, _) => format!("{kind:?}{:?} ", unit.exprs[expr].ty),
                ExprKind::Member(_, record, field) => format!("{record:?}.{field} "),
                ExprKind::Index(..) => "[] ".to_owned(),
                ExprKind::Deref(_) => "* ".to_owned(),
                other => format!("{:?}@{expr:?} ", std::mem::discriminant(&other)),
            };
            text.push_str(&item);
        }
        true
    });
    Some(text)
}
