//! Orders of evaluation that C leaves open.
//!
//! Functions that the operands of one operator or the arguments of one call call are executed one after the other, in an order
//! that nobody fixes (C17 6.5p3, 6.5.2.2p10), and so are such a call and what the other operand reads. Where that
//! makes a difference, because one writes what the other uses, lowering lets a nondeterministic choice decide between gcc's order
//! and the opposite one. Everywhere else gcc's order stands for all. The expressions of an initialiser have no fixed order either,
//! and that holds for all of their effects (6.7.9p23).
//!
//! Functions of the library that share a state (`srand` and `rand`) use it. What functions use is found once for the whole program: static variables by name, everything else as memory. A variable
//! whose address is taken is memory too. To interpret a program, gcc's order is enough.
//!
//! The choice of zero is gcc's order, so that whoever runs the program with zeros for what nobody fixes sees what gcc's does.
//!
//! A choice doubles the operands' instructions. Where choices nest deeper than [`DEEPEST`], or an operand cannot be written
//! twice, the order is gcc's and the report says so.

use crate::Arguments;
use crate::codes;
use crate::function::Fx;
use crate::link::{Cx, UnitIndex};
use crate::models;
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_cfront::ast::Quals;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{
    CastKind, ExprId as HirExpr, ExprKind, FuncId, InitId, InitKind, Storage, Unit, VarId,
};
use vergo_cfront::types::TypeKind;
use vergo_goto::expr::ExprId;
use vergo_source::Diagnostic;

/// The greatest nesting of choices.
const DEEPEST: u32 = 2;

/// The pairs of an expression with effects and another one in an initialiser beyond which they are not compared.
const MOST_PAIRS: usize = 1 << 14;

/// The visible memory that an expression or function uses.
#[derive(Clone, Default)]
struct Uses {
    reads: EntitySet<VarId>,
    writes: EntitySet<VarId>,
    reads_memory: bool,
    writes_memory: bool,
    /// The models of the library that have a state and are used.
    states: Vec<&'static str>,
}

impl Uses {
    /// Adds what another uses; whether that is new.
    fn add(&mut self, other: &Uses) -> bool {
        let mut is_new =
            !self.reads_memory & other.reads_memory || !self.writes_memory & other.writes_memory;
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        for (own, other) in [(&mut self.reads, &other.reads), (&mut self.writes, &other.writes)] {
            for var in other.keys() {
                is_new |= own.insert(var);
            }
        }
        for state in &other.states {
            if !self.states.contains(state) {
                self.states.push(state);
                is_new = true;
            }
        }
        is_new
    }

    fn conflicts(&self, other: &Uses) -> bool {
        let one = |a: &Uses, b: &Uses| {
            a.writes_memory && (b.reads_memory || b.writes_memory)
                || a.writes.keys().any(|var| b.reads.contains(var) || b.writes.contains(var))
        };
        one(self, other)
            || one(other, self)
            || self.states.iter().any(|state| other.states.contains(state))
    }
}

/// The memory that the functions of a program use.
pub(crate) struct Summaries {
    functions: FxHashMap<FuncId, Uses>,
    /// Whatever a call through a pointer can use.
    indirect: Uses,
}

impl Cx<'_> {
    /// Returns whether a variable's address is taken somewhere.
    pub(crate) fn is_exposed(&mut self, unit: UnitIndex, var: VarId) -> bool {
        if unit != 0 {
            return true;
        }
        if self.exposed.is_none() {
            let unit = self.units[0].unit.clone();
            let mut exposed = FxHashSet::default();
            for expr in unit.exprs.values() {
                if let ExprKind::AddrOf(place) | ExprKind::Cast(CastKind::ArrayDecay, place) =
                    expr.kind
                {
                    exposed.extend(root(&unit, place));
                }
            }
            self.exposed = Some(exposed);
        }
        self.exposed.as_ref().is_some_and(|exposed| exposed.contains(&var))
    }

    fn make_summaries(&mut self) -> Summaries {
        let unit = self.units[0].unit.clone();
        let mut bodies: Vec<(u32, u32, FuncId)> = Vec::new();
        for (id, function) in unit.functions.iter() {
            if let (Some(span), Some(_)) = (function.definition_span, function.body) {
                bodies.push((span.lo, span.hi, id));
            }
        }
        bodies.sort_unstable();
        // The innermost of nested functions is the last that begins before.
        let owner = |at: u32| {
            let end = bodies.partition_point(|&(lo, ..)| lo <= at);
            bodies[..end].iter().rev().take(8).find(|&&(_, hi, _)| at < hi).map(|&(.., id)| id)
        };
        let mut functions: FxHashMap<FuncId, Uses> = FxHashMap::default();
        let mut calls: Vec<(FuncId, FuncId)> = Vec::new();
        let mut through_pointers: FxHashSet<FuncId> = FxHashSet::default();
        let mut callees: FxHashSet<HirExpr> = FxHashSet::default();
        for expr in unit.exprs.values() {
            if let ExprKind::Call(callee, _) = expr.kind {
                callees.insert(callee);
            }
        }
        let mut referred: Vec<FuncId> = Vec::new();
        for (id, expr) in unit.exprs.iter() {
            if let ExprKind::Cast(CastKind::FunctionDecay, inner) | ExprKind::AddrOf(inner) =
                expr.kind
                && let ExprKind::Function(function) = unit.exprs[inner].kind
                && !callees.contains(&id)
            {
                referred.push(function);
            }
            let Some(function) = owner(expr.span.lo) else { continue };
            let uses = functions.entry(function).or_default();
            self.add_own(&unit, expr.kind, uses, false);
            if let ExprKind::Call(callee, _) = expr.kind {
                match direct(&unit, callee) {
                    Some(called) if unit.functions[called].body.is_some() => {
                        calls.push((function, called))
                    }
                    Some(called) => {
                        uses.add(&outside(&unit, called));
                    }
                    None => {
                        through_pointers.insert(function);
                    }
                }
            }
        }
        let mut indirect = Uses::default();
        loop {
            let mut changed = false;
            for &(caller, called) in calls.iter().rev() {
                let Some(uses) = functions.get(&called).cloned() else { continue };
                changed |= functions.entry(caller).or_default().add(&uses);
            }
            for function in &referred {
                match functions.get(function) {
                    Some(uses) => changed |= indirect.add(uses),
                    None => changed |= indirect.add(&outside(&unit, *function)),
                }
            }
            for &function in
                bodies.iter().map(|(.., id)| id).filter(|id| through_pointers.contains(id))
            {
                changed |= functions.entry(function).or_default().add(&indirect);
            }
            if !changed {
                return Summaries { functions, indirect };
            }
        }
    }

    /// Adds what an expression uses itself, without its operands; variables of the function by name only if that is asked for.
    fn add_own(&mut self, unit: &Unit, kind: ExprKind, uses: &mut Uses, locals: bool) {
        let (place, write) = match kind {
            ExprKind::Cast(CastKind::Load, place) => (place, false),
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::IncDec(_, place) => (place, true),
            ExprKind::Builtin(builtin, _) => {
                let pure = matches!(
                    builtin,
                    Builtin::Expect
                        | Builtin::AssumeAligned
                        | Builtin::Clz
                        | Builtin::Ctz
                        | Builtin::Popcount
                        | Builtin::Parity
                        | Builtin::Ffs
                        | Builtin::Clrsb
                        | Builtin::Bswap
                        | Builtin::IsNan
                        | Builtin::IsInf
                        | Builtin::IsFinite
                        | Builtin::SignBit
                        | Builtin::Unreachable
                        | Builtin::Trap
                );
                uses.reads_memory |= !pure;
                uses.writes_memory |= !pure;
                return;
            }
            _ => return,
        };
        match root(unit, place) {
            Some(var) => {
                let is_static = matches!(unit.vars[var].storage, Storage::Static { .. });
                let is_exposed = self.is_exposed(0, var);
                if write {
                    uses.writes_memory |= is_exposed;
                } else {
                    uses.reads_memory |= is_exposed;
                }
                if is_static || locals {
                    let set = if write { &mut uses.writes } else { &mut uses.reads };
                    set.insert(var);
                }
            }
            None if write => uses.writes_memory = true,
            None => uses.reads_memory = true,
        }
    }
}

/// The variable that a place is part of; none if it is reached through a pointer.
fn root(unit: &Unit, mut place: HirExpr) -> Option<VarId> {
    loop {
        match unit.exprs[place].kind {
            ExprKind::Var(var) => return Some(var),
            ExprKind::Member(base, ..)
            | ExprKind::ComplexPart(base, _)
            | ExprKind::VectorElement(base, _) => {
                place = base;
            }
            ExprKind::Index(base, _) => match unit.exprs[base].kind {
                ExprKind::Cast(CastKind::ArrayDecay, array) => place = array,
                _ => return None,
            },
            ExprKind::Cast(CastKind::NoOp, inner) => place = inner,
            _ => return None,
        }
    }
}

/// The expressions of an initialiser, in the order in which they are written.
fn leaves(unit: &Unit, init: InitId) -> Vec<HirExpr> {
    let mut found = Vec::new();
    let mut work = vec![init];
    while let Some(init) = work.pop() {
        match unit.inits[init].kind {
            InitKind::Expr(expr) => found.push(expr),
            InitKind::String(_) => {}
            InitKind::List(list) => {
                work.extend(unit.init_lists.get(list).iter().rev().map(|entry| entry.init));
            }
        }
    }
    found
}

/// The function that a callee names.
fn direct(unit: &Unit, mut callee: HirExpr) -> Option<FuncId> {
    loop {
        match unit.exprs[callee].kind {
            ExprKind::Function(function) => return Some(function),
            ExprKind::Cast(CastKind::FunctionDecay | CastKind::NoOp, inner)
            | ExprKind::AddrOf(inner)
            | ExprKind::Deref(inner) => callee = inner,
            _ => return None,
        }
    }
}

/// Returns the memory that a function without a body can use: the objects behind its parameters, and the state of its
/// model.
fn outside(unit: &Unit, function: FuncId) -> Uses {
    let mut uses = Uses::default();
    let function = &unit.functions[function];
    if let Some((model, _)) = models::of_function(unit.names.name(function.name))
        && let Some(state) = model.state()
    {
        uses.states.push(state);
    }
    let TypeKind::Function(signature) = unit.types.kind(function.ty) else { return uses };
    for &param in &signature.params {
        if let Some(to) = unit.types.pointee(param) {
            uses.reads_memory = true;
            uses.writes_memory |= !to.quals().has(Quals::CONST);
        }
    }
    uses.reads_memory |= signature.variadic;
    uses
}

impl Fx<'_, '_> {
    /// Returns whether it is visible when the place of a compound assignment is read: its value calls a function that
    /// writes it.
    pub(crate) fn compound_order_matters(&mut self, place: HirExpr, value: HirExpr) -> bool {
        if self.u != 0
            || !matches!(self.cx.options.arguments, Arguments::Any)
            || self.has_effects(place)
            || !self.calls(value)
        {
            return false;
        }
        let mut left = self.uses(place, false);
        let unit = self.unit.clone();
        self.cx.add_own(&unit, ExprKind::Cast(CastKind::Load, place), &mut left, false);
        if !left.conflicts(&self.uses(value, false)) {
            return false;
        }
        if self.choices >= DEEPEST || !self.can_be_twice(value) {
            self.report_order(self.unit.exprs[value].span);
            return false;
        }
        true
    }

    /// Returns whether the order in which operands are evaluated is visible: one of them calls a function, and one
    /// uses memory that the other writes.
    pub(crate) fn order_matters(&mut self, operands: &[HirExpr]) -> bool {
        operands.iter().any(|&operand| self.calls(operand)) && self.order_shows(operands, false)
    }

    /// The expressions of an initialiser if the order in which they are evaluated can be seen: one uses what another writes.
    pub(crate) fn open_list(&mut self, init: InitId) -> Option<Vec<HirExpr>> {
        let leaves = leaves(&self.unit, init);
        if leaves.len() < 2 {
            return None;
        }
        let n_acting = leaves.iter().filter(|&&leaf| self.has_effects(leaf)).count();
        if n_acting * leaves.len() > MOST_PAIRS {
            self.report_order(self.unit.inits[init].span);
            return None;
        }
        (n_acting > 0 && self.order_shows(&leaves, true)).then_some(leaves)
    }

    /// Returns whether the order is visible. The operands of an operator conflict only with functions that another one
    /// calls, as everything else is a claim of [`crate::sequence`]; the expressions of a list conflict with all of each
    /// other.
    fn order_shows(&mut self, operands: &[HirExpr], is_list: bool) -> bool {
        if self.u != 0 || !matches!(self.cx.options.arguments, Arguments::Any) {
            return false;
        }
        let uses: Vec<(Uses, bool)> = operands
            .iter()
            .map(|&operand| (self.uses(operand, is_list), is_list || self.calls(operand)))
            .collect();
        let mut in_conflict = EntryCount::default();
        for (i, (a, a_calls)) in uses.iter().enumerate() {
            for (j, (b, b_calls)) in uses.iter().enumerate().skip(i + 1) {
                if (*a_calls || *b_calls) && a.conflicts(b) {
                    in_conflict.add(i);
                    in_conflict.add(j);
                }
            }
        }
        if in_conflict.0.is_empty() {
            return false;
        }
        let at = self.unit.exprs[operands[0]].span;
        let twice = operands.iter().all(|&operand| self.can_be_twice(operand));
        if self.choices >= DEEPEST || !twice {
            self.report_order(at);
            return false;
        }
        if in_conflict.0.len() > 2 {
            self.report_order(at);
        }
        true
    }

    /// Says that only gcc's order is looked at.
    pub(crate) fn report_order(&mut self, at: vergo_source::Span) {
        let message = "the order of evaluation makes a difference here";
        let warning = Diagnostic::warning(codes::EVALUATION_ORDER, at, message);
        self.cx
            .report(warning.assuming("evaluation-order", "the order is the one that gcc chooses"));
    }

    /// Runs one of two pieces of code, whichever a nondeterministic choice says: the first, which is gcc's order, for zero.
    pub(crate) fn either(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        self.choices += 1;
        let byte = self.cx.p.types.int(false, 8);
        let choice = self.nondet(byte);
        let truth = self.truth(choice);
        let (second, end) = (self.b.new_label(), self.b.new_label());
        self.emit(vergo_goto::program::InstrKind::Goto(Some(truth), second));
        self.full_expression(one);
        self.b.goto(end);
        self.b.label(second);
        self.full_expression(other);
        self.b.label(end);
        self.choices -= 1;
    }

    /// The values of operands, evaluated from the first to the last or from the last to the first, whichever gcc does first.
    pub(crate) fn in_either_order(&mut self, operands: &[HirExpr], backwards: bool) -> Vec<ExprId> {
        let mut places = Vec::with_capacity(operands.len());
        for &operand in operands {
            let ty = self.ty(self.unit.exprs[operand].ty);
            let temp = self.temp(ty);
            places.push(self.cx.p.symbol(temp));
        }
        let pairs: Vec<(HirExpr, ExprId)> =
            operands.iter().copied().zip(places.iter().copied()).collect();
        let evaluate = |fx: &mut Self, (operand, place): (HirExpr, ExprId)| {
            let value = fx.value(operand);
            fx.assign(place, value);
        };
        let all = |fx: &mut Self, backwards: bool| match backwards {
            true => pairs.iter().rev().for_each(|&pair| evaluate(fx, pair)),
            false => pairs.iter().for_each(|&pair| evaluate(fx, pair)),
        };
        self.either(|fx| all(fx, backwards), |fx| all(fx, !backwards));
        places
    }

    /// Returns whether an expression calls a function.
    fn calls(&mut self, expr: HirExpr) -> bool {
        if !self.has_effects(expr) {
            return false;
        }
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            match self.unit.exprs[expr].kind {
                ExprKind::Call(..) | ExprKind::StmtExpr(_) | ExprKind::VaArg(_) => return true,
                ExprKind::CompoundLiteral(var) => self.literal_leaves(var, &mut work),
                _ => self.children(expr, &mut work),
            }
        }
        false
    }

    /// Returns whether an expression can be lowered twice.
    fn can_be_twice(&self, expr: HirExpr) -> bool {
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            match self.unit.exprs[expr].kind {
                ExprKind::StmtExpr(_)
                | ExprKind::CompoundLiteral(_)
                | ExprKind::Builtin(Builtin::Setjmp, _) => {
                    return false;
                }
                _ => self.children(expr, &mut work),
            }
        }
        true
    }

    /// The expressions that a compound literal of this activation evaluates.
    fn literal_leaves(&self, var: VarId, out: &mut Vec<HirExpr>) {
        let var = &self.unit.vars[var];
        if let (false, Some(init)) = (matches!(var.storage, Storage::Static { .. }), var.init) {
            out.extend(leaves(&self.unit, init));
        }
    }

    /// Returns the memory that an expression uses, with the functions that it calls; variables of the function by name only if
    /// that is asked for.
    fn uses(&mut self, expr: HirExpr, locals: bool) -> Uses {
        if self.cx.summaries.is_none() {
            self.cx.summaries = Some(std::rc::Rc::new(self.cx.make_summaries()));
        }
        let Some(summaries) = self.cx.summaries.clone() else { return Uses::default() };
        let unit = self.unit.clone();
        let mut uses = Uses::default();
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            let kind = unit.exprs[expr].kind;
            self.cx.add_own(&unit, kind, &mut uses, locals);
            match kind {
                ExprKind::Call(callee, _) => {
                    match direct(&unit, callee) {
                        Some(function) => match summaries.functions.get(&function) {
                            Some(summary) => uses.add(summary),
                            None => uses.add(&outside(&unit, function)),
                        },
                        None => uses.add(&summaries.indirect),
                    };
                }
                ExprKind::StmtExpr(_) | ExprKind::VaArg(_) => {
                    uses.reads_memory = true;
                    uses.writes_memory = true;
                }
                ExprKind::CompoundLiteral(var) => self.literal_leaves(var, &mut work),
                _ => {}
            }
            self.children(expr, &mut work);
        }
        uses
    }
}

/// Numbers, each once.
#[derive(Default)]
struct EntryCount(Vec<usize>);

impl EntryCount {
    fn add(&mut self, number: usize) {
        if !self.0.contains(&number) {
            self.0.push(number);
        }
    }
}
