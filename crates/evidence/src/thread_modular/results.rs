//! Which numbers a function of the library can return, whatever it is called with.
//!
//! The behaviour of a model where a resource is missing stands behind a condition that options of the run decide. Its
//! body is followed with everything unknown but constants.

use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::fold::{self, Const};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program, SymbolId, SymbolKind};

/// Steps, and calls inside of each other, that are followed.
const MAX_STEPS: usize = 2000;
const MAX_DEPTH: usize = 4;

/// The known values of variables.
type Known = BTreeMap<SymbolId, Const>;

/// The numbers that a function can return; none if that is not known.
pub(super) fn results(program: &Program, function: FunctionId) -> Option<Vec<Const>> {
    let mut addressed = BTreeSet::new();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind {
            addressed.extend(program.root_variable(place));
        }
    }
    let mut follower = Follower { program, addressed, steps: 0 };
    follower.function(function, 0)
}

struct Follower<'a> {
    program: &'a Program,
    addressed: BTreeSet<SymbolId>,
    steps: usize,
}

impl Follower<'_> {
    fn function(&mut self, function: FunctionId, depth: usize) -> Option<Vec<Const>> {
        let body = self.program.functions[function].body.as_deref()?;
        let position =
            |label| body.iter().position(|i| matches!(i.kind, InstrKind::Label(at) if at == label));
        let mut found: Vec<Const> = Vec::new();
        let mut pending: Vec<(usize, Known)> = vec![(0, Known::new())];
        while let Some((i, mut known)) = pending.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            match &body.get(i)?.kind {
                InstrKind::Return(value) => {
                    let value = self.value((*value)?, &known)?;
                    if !found.contains(&value) {
                        found.push(value);
                    }
                    continue;
                }
                InstrKind::End(_) | InstrKind::Unsupported(_) => continue,
                InstrKind::Goto(condition, label) => {
                    let holds = match condition {
                        None => Some(true),
                        Some(condition) => match self.value(*condition, &known) {
                            Some(Const::Bool(holds)) => Some(holds),
                            _ => None,
                        },
                    };
                    if holds != Some(false) {
                        pending.push((position(*label)?, known.clone()));
                    }
                    if holds == Some(true) {
                        continue;
                    }
                }
                InstrKind::Assign(place, value) => {
                    let value = self.value(*value, &known);
                    self.set(*place, value, &mut known);
                }
                InstrKind::Call { dest: Some(dest), callee, .. } => {
                    let all = match callee {
                        Callee::Direct(called) if depth < MAX_DEPTH => {
                            self.function(*called, depth + 1)
                        }
                        _ => None,
                    };
                    let value = all.filter(|all| all.len() == 1).map(|mut all| all.remove(0));
                    self.set(*dest, value, &mut known);
                }
                kind => {
                    kind.for_each_expr(|expr, role| {
                        if role == vergo_goto::rewrite::Role::Write {
                            self.set(expr, None, &mut known);
                        }
                    });
                }
            }
            pending.push((i + 1, known));
        }
        Some(found)
    }

    fn set(&self, place: ExprId, value: Option<Const>, known: &mut Known) {
        let Some(symbol) = self.program.root_variable(place) else { return };
        let is_own = matches!(self.program.symbols[symbol].kind, SymbolKind::Local(_))
            && !self.addressed.contains(&symbol);
        let is_whole = matches!(self.program.exprs.kind(place), ExprKind::Symbol(_));
        match value {
            Some(value) if is_own && is_whole => drop(known.insert(symbol, value)),
            _ => drop(known.remove(&symbol)),
        }
    }

    fn value(&self, expr: ExprId, known: &Known) -> Option<Const> {
        if let Some(constant) = self.program.const_of(expr) {
            return Some(constant);
        }
        match *self.program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => known.get(&symbol).cloned(),
            ExprKind::Unary(op, a) => fold::unary(op, &self.value(a, known)?),
            ExprKind::Binary(op, a, b) => {
                fold::binary(op, &self.value(a, known)?, &self.value(b, known)?)
            }
            ExprKind::Cast(mode, a) => {
                let to = self.program.const_type(self.program.exprs.ty(expr))?;
                Some(fold::cast(mode, &self.value(a, known)?, to))
            }
            _ => None,
        }
    }
}
