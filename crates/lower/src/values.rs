//! Functions that may end without the value that their type promises.
//!
//! Such a function notes, in a hidden variable of its thread, on each return whether there is a value; a caller that uses the
//! value claims that there is one. Functions whose text cannot be left at its end have nothing to note.

use crate::expr::{MORE_STACK, RED_ZONE};
use crate::function::Fx;
use crate::link::{Cx, UnitIndex};
use vergo_cfront::hir::{ExprKind, FuncId, StmtId, StmtKind, Unit};
use vergo_goto::program::{StaticInit, Symbol, SymbolId, SymbolKind};
use vergo_goto::types::Type;
use vergo_source::Span;

impl Cx<'_> {
    /// Returns whether a function of the user has a result and may end without one.
    pub(crate) fn may_lack_value(&self, unit: UnitIndex, func: FuncId) -> bool {
        let handle = &self.units[unit].unit;
        let function = &handle.functions[func];
        let Some(body) = function.body else { return false };
        let returns = handle.types.function(function.ty).map(|signature| signature.ret);
        !self.units[unit].library
            && returns.is_some_and(|ty| !handle.types.is_void(ty))
            && handle.names.name(function.name) != self.options.entry
            && (completes(handle, body) || returns_nothing(handle, body))
    }

    /// The hidden variable that says whether the last function to return had no value.
    fn lacks_value(&mut self) -> SymbolId {
        if let Some(symbol) = self.lacks_value {
            return symbol;
        }
        let ty = self.int_type();
        let symbol = Symbol {
            name: String::new(),
            display: String::new(),
            ty,
            kind: SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: true },
            span: Span::DUMMY,
            align: self.align_of(ty),
            writable: true,
        };
        let symbol = self.add_symbol("__vergo_lacks_value", symbol);
        self.lacks_value = Some(symbol);
        symbol
    }
}

impl Fx<'_, '_> {
    /// Notes whether the function returns a value, if its callers ask.
    pub(crate) fn note_value(&mut self, is_there: bool) {
        if !self.notes_value || matches!(self.cx.p.types.get(self.ret), Type::Void) {
            return;
        }
        let symbol = self.cx.lacks_value();
        let place = self.cx.p.symbol(symbol);
        let int = self.cx.int_type();
        let value = self.cx.p.int(int, i128::from(!is_there));
        self.assign(place, value);
    }

    /// Claims that a function, which has returned just now, had a value.
    pub(crate) fn claim_value(&mut self, func: FuncId) {
        if !self.cx.may_lack_value(self.u, func) {
            return;
        }
        let symbol = self.cx.lacks_value();
        let place = self.cx.p.symbol(symbol);
        let lacks = self.truth(place);
        let holds = self.cx.p.not(lacks);
        let handle = self.unit.clone();
        let name = handle.names.name(handle.functions[func].name);
        let description = format!("the value of `{name}` is used, which ended without one");
        self.claim(holds, "call.no-value", description);
    }
}

/// Returns whether control may get behind a statement.
fn completes(unit: &Unit, stmt: StmtId) -> bool {
    stacker::maybe_grow(RED_ZONE, MORE_STACK, || match unit.stmts[stmt].kind {
        StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoOuter(..)
        | StmtKind::GotoIndirect(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_) => false,
        StmtKind::Compound(list) => {
            unit.stmt_lists.get(list).last().is_none_or(|&last| completes(unit, last))
        }
        StmtKind::If(_, then, Some(otherwise)) => {
            completes(unit, then) || completes(unit, otherwise)
        }
        StmtKind::Switch { body, default: Some(_), .. } => {
            completes(unit, body) || breaks(unit, body, stmt)
        }
        StmtKind::For { cond: None, body, .. } => breaks(unit, body, stmt),
        StmtKind::While(cond, body) if matches!(unit.exprs[cond].kind, ExprKind::Int(1..)) => {
            breaks(unit, body, stmt)
        }
        StmtKind::Label(_, inner) | StmtKind::Case(inner) | StmtKind::Default(inner) => {
            completes(unit, inner)
        }
        StmtKind::Expr(expr) => match unit.exprs[expr].kind {
            ExprKind::Call(callee, _) => match unit.exprs[callee].kind {
                ExprKind::Function(func) => !unit.functions[func].noreturn,
                _ => true,
            },
            _ => true,
        },
        _ => true,
    })
}

/// Returns whether a statement has a `break` out of another.
fn breaks(unit: &Unit, stmt: StmtId, out_of: StmtId) -> bool {
    any(unit, stmt, &|kind| matches!(kind, StmtKind::Break(of) if *of == out_of))
}

/// Returns whether a statement has a `return` without a value.
fn returns_nothing(unit: &Unit, stmt: StmtId) -> bool {
    any(unit, stmt, &|kind| matches!(kind, StmtKind::Return(None)))
}

/// Returns whether a statement or one inside of it satisfies the test.
fn any(unit: &Unit, stmt: StmtId, is: &dyn Fn(&StmtKind) -> bool) -> bool {
    let mut work = vec![stmt];
    while let Some(stmt) = work.pop() {
        let kind = &unit.stmts[stmt].kind;
        if is(kind) {
            return true;
        }
        match *kind {
            StmtKind::Compound(list) => work.extend(unit.stmt_lists.get(list)),
            StmtKind::If(_, then, otherwise) => work.extend([then].into_iter().chain(otherwise)),
            StmtKind::Switch { body, .. }
            | StmtKind::While(_, body)
            | StmtKind::DoWhile(body, _)
            | StmtKind::For { body, .. }
            | StmtKind::Label(_, body)
            | StmtKind::Case(body)
            | StmtKind::Default(body) => work.push(body),
            _ => {}
        }
    }
    false
}
