//! `setjmp` and `longjmp`: unwinding by ordinary returns.
//!
//! **Idea.** Each execution of `setjmp` draws a new number, keeps it in a hidden local of its activation, one per place, and
//! stores it in the buffer. `longjmp` puts the buffer's number and the value into hidden variables of the thread, sets a flag and
//! leaves its function. After every call the flag is tested: a function that is left this way looks whether one of its
//! own places holds the number; if so, control goes on there and `setjmp` returns the value; if not, the function is left
//! too. Scalars of the activation that are not `volatile` and have been changed since by name have any value then (7.13.2.1p3);
//! other locals keep theirs.
//!
//! The tests are written only in programs that mention `longjmp`. A number that no activation holds any more, which is
//! undefined (7.13.2.1p2), arrives in the entry function, where it is unsupported.

use crate::function::Fx;
use crate::link::Cx;
use vergo_cfront::ast::Quals;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{self, ExprKind, FuncId};
use vergo_cfront::types::TypeKind;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    InstrKind, Intrinsic, LabelId, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// The hidden variables of a program that jumps.
#[derive(Clone, Copy)]
pub(crate) struct Jumps {
    /// The number of executions of `setjmp` so far.
    count: SymbolId,
    /// True while a jump is under way.
    flag: SymbolId,
    /// Where it goes.
    token: SymbolId,
    /// The value that `setjmp` is to return.
    value: SymbolId,
}

/// A place where `setjmp` stands in a function.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    token: SymbolId,
    resume: LabelId,
}

/// The names of functions that jump.
const JUMPING: &[&str] = &["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

impl Cx<'_> {
    /// Makes the hidden variables if the user's unit mentions `longjmp`.
    pub(crate) fn find_jumps(&mut self) {
        let unit = self.units[0].unit.clone();
        let jumps = unit.exprs.values().any(|expr| match expr.kind {
            ExprKind::Builtin(Builtin::Longjmp, _) => true,
            ExprKind::Function(func) => {
                let function = &unit.functions[func];
                function.body.is_none() && JUMPING.contains(&unit.names.name(function.name))
            }
            _ => false,
        });
        let leaves = self.nests.as_ref().is_some_and(|nests| !nests.labels.is_empty());
        if !jumps && !leaves {
            return;
        }
        let size = self.p.size_type();
        let int = self.int_type();
        let mut hidden = |name: &str, ty: TypeId, thread_local: bool| {
            let align = self.align_of(ty);
            let init = StaticInit::Data(Vec::new());
            let kind = SymbolKind::Static { init, thread_local };
            let symbol = Symbol {
                name: String::new(),
                display: String::new(),
                ty,
                kind,
                span: Span::DUMMY,
                align,
                writable: true,
            };
            self.add_symbol(name, symbol)
        };
        self.jumps = Some(Jumps {
            count: hidden("__vergo_jump_count", size, false),
            flag: hidden("__vergo_jumping", int, true),
            token: hidden("__vergo_jump_token", size, true),
            value: hidden("__vergo_jump_value", int, true),
        });
    }
}

impl Fx<'_, '_> {
    /// `setjmp(buffer)`: its value.
    pub(crate) fn set_jump(&mut self, buffer: ExprId) -> ExprId {
        let int = self.cx.int_type();
        let buffer = self.freeze(buffer);
        self.access_buffer(Intrinsic::Writes, buffer);
        let Some(jumps) = self.cx.jumps else {
            // Nobody jumps: the only return is the first.
            return self.cx.p.int(int, 0);
        };
        let size = self.cx.p.size_type();
        let token = self.local("", size, Span::DUMMY, 1);
        self.zero_at_entry.push(token);
        let (resume, after) = (self.b.new_label(), self.b.new_label());
        self.sites.push(Site { token, resume });
        let watched = self.watch_changes();
        let token = self.cx.p.symbol(token);
        self.draw_number(token);
        let place = self.deref_as(buffer, size);
        self.assign(place, token);
        let result = self.temp(int);
        let place = self.cx.p.symbol(result);
        let zero = self.cx.p.int(int, 0);
        self.assign(place, zero);
        self.b.goto(after);
        self.b.label(resume);
        self.b.decl(result);
        let flag = self.cx.p.symbol(jumps.flag);
        self.assign(flag, zero);
        let value = self.cx.p.symbol(jumps.value);
        self.assign(place, value);
        self.forget_changed(&watched);
        self.b.label(after);
        place
    }

    /// Begins to watch what is changed after this place of `setjmp`: the scalars of this activation that are not volatile.
    /// After `longjmp` their values are indeterminate (C17 7.13.2.1p3). A program that is run keeps them in memory.
    fn watch_changes(&mut self) -> Vec<(SymbolId, SymbolId)> {
        if matches!(self.cx.options.arguments, crate::Arguments::Given(_)) || self.frame.is_some() {
            return Vec::new();
        }
        let mut visible: Vec<SymbolId> = self.cx.p.functions[self.id].params.clone();
        let mut block = Some(self.block);
        while let Some(at) = block {
            visible.extend(&self.blocks[at].placed);
            visible.extend(&self.blocks[at].hoisted);
            block = self.blocks[at].parent;
        }
        let int = self.cx.int_type();
        let unit = self.unit.clone();
        let mut watched = Vec::new();
        for (var, variable) in &unit.vars {
            let Some(symbol) = self.cx.units[self.u].vars.get(var).copied().flatten() else {
                continue;
            };
            let quals = unit.types.qualifiers(variable.ty);
            let ty = self.cx.p.symbols[symbol].ty;
            let is_scalar = match self.cx.p.types.get(ty) {
                Type::Int { .. } => !matches!(unit.types.kind(variable.ty), TypeKind::Bool),
                Type::Float(_) | Type::Ptr(_) => true,
                _ => false,
            };
            if !is_scalar
                || quals.has(Quals::VOLATILE)
                || quals.has(Quals::CONST)
                || unit.types.is_vla(variable.ty)
                || !visible.contains(&symbol)
            {
                continue;
            }
            let changed = self.local("", int, Span::DUMMY, 1);
            self.zero_at_entry.push(changed);
            let place = self.cx.p.symbol(changed);
            let zero = self.cx.p.int(int, 0);
            self.assign(place, zero);
            watched.push((symbol, changed));
        }
        self.watched.extend(&watched);
        watched
    }

    /// Notes that an instruction changes variables that are watched.
    pub(crate) fn note_changes(&mut self, kind: &InstrKind) {
        let mut changed = Vec::new();
        kind.for_each_expr(|expr, role| {
            if role == Role::Write
                && let Some(symbol) = self.cx.p.root_variable(expr)
            {
                changed.extend(
                    self.watched.iter().filter(|(of, _)| *of == symbol).map(|&(_, note)| note),
                );
            }
        });
        for note in changed {
            let place = self.cx.p.symbol(note);
            let one = self.cx.p.int(self.cx.p.exprs.ty(place), 1);
            self.b.assign(place, one);
        }
    }

    /// Gives any values to what has been changed since a place of `setjmp`.
    fn forget_changed(&mut self, watched: &[(SymbolId, SymbolId)]) {
        for &(symbol, note) in watched {
            let skip = self.b.new_label();
            let note = self.cx.p.symbol(note);
            let changed = self.truth(note);
            let same = self.cx.p.not(changed);
            self.b.goto_if(same, skip);
            let place = self.cx.p.symbol(symbol);
            let any = self.cx.p.nondet(self.cx.p.exprs.ty(place));
            self.b.assign(place, any);
            self.b.label(skip);
        }
    }

    /// Says that a buffer is accessed, as large as its type says.
    fn access_buffer(&mut self, op: Intrinsic, buffer: ExprId) {
        let Some(target) = self.cx.p.pointee(self.cx.p.exprs.ty(buffer)) else { return };
        let word = self.cx.target.word;
        let size = self.cx.p.size_of(target).unwrap_or(word);
        let size = self.cx.p.size(size);
        self.access_block(op, buffer, size);
    }

    /// Draws a number that no other place or activation has.
    pub(crate) fn draw_number(&mut self, place: ExprId) {
        let Some(jumps) = self.cx.jumps else { return };
        let count = self.cx.p.symbol(jumps.count);
        let one = self.cx.p.size(1);
        let next = self.cx.p.add(count, one);
        self.b.push(InstrKind::AtomicBegin);
        self.assign(count, next);
        self.assign(place, count);
        self.b.push(InstrKind::AtomicEnd);
    }

    /// `goto label`, out of a nested function.
    pub(crate) fn goto_outer(&mut self, label: hir::LabelId, function: FuncId) {
        let (Some(jumps), Some(number)) = (self.cx.jumps, self.activation(function)) else {
            self.b.unsupported("a jump out of a nested function".to_string());
            return;
        };
        let token = self.cx.p.symbol(jumps.token);
        self.assign(token, number);
        let int = self.cx.int_type();
        let target = self.cx.label_address(self.u, label);
        let target = self.cx.p.int(int, i128::from(target));
        let value = self.cx.p.symbol(jumps.value);
        self.assign(value, target);
        let flag = self.cx.p.symbol(jumps.flag);
        let one = self.cx.p.int(int, 1);
        self.assign(flag, one);
        let unwind = self.unwind_label();
        self.b.goto(unwind);
    }

    /// `longjmp(buffer, value)`
    pub(crate) fn long_jump(&mut self, buffer: ExprId, value: ExprId) {
        let Some(jumps) = self.cx.jumps else { return };
        let int = self.cx.int_type();
        let size = self.cx.p.size_type();
        self.access_buffer(Intrinsic::Copies, buffer);
        let place = self.deref_as(buffer, size);
        let token = self.cx.p.symbol(jumps.token);
        self.assign(token, place);
        let value = self.coerce(value, int);
        let (zero, one) = (self.cx.p.int(int, 0), self.cx.p.int(int, 1));
        let is_zero = self.cx.p.eq(value, zero);
        let value = self.cx.p.ite(is_zero, one, value);
        let result = self.cx.p.symbol(jumps.value);
        self.assign(result, value);
        let flag = self.cx.p.symbol(jumps.flag);
        self.assign(flag, one);
        let unwind = self.unwind_label();
        self.b.goto(unwind);
    }

    fn unwind_label(&mut self) -> LabelId {
        match self.unwind {
            Some(label) => label,
            None => {
                let label = self.b.new_label();
                self.unwind = Some(label);
                label
            }
        }
    }

    /// After a call: goes on with a jump that is under way.
    pub(crate) fn after_call(&mut self) {
        let Some(jumps) = self.cx.jumps else { return };
        let flag = self.cx.p.symbol(jumps.flag);
        let jumping = self.truth(flag);
        let unwind = self.unwind_label();
        self.emit(InstrKind::Goto(Some(jumping), unwind));
    }

    /// At the end of the body: where a jump finds its place or leaves the function.
    pub(crate) fn finish_unwinding(&mut self) {
        let (Some(jumps), Some(unwind)) = (self.cx.jumps, self.unwind) else { return };
        self.b.label(unwind);
        let wanted = self.cx.p.symbol(jumps.token);
        for site in std::mem::take(&mut self.sites) {
            let token = self.cx.p.symbol(site.token);
            let here = self.cx.p.eq(token, wanted);
            self.b.goto_if(here, site.resume);
        }
        let arrivals = self.arrivals(jumps, wanted);
        let value = match self.cx.p.types.get(self.ret) {
            Type::Void => None,
            _ => {
                let ret = self.ret;
                Some(self.cx.p.zero(ret))
            }
        };
        self.go_back(value);
        let int = self.cx.int_type();
        for (label, resume) in arrivals {
            self.b.label(resume);
            let flag = self.cx.p.symbol(jumps.flag);
            let zero = self.cx.p.int(int, 0);
            self.assign(flag, zero);
            // The blocks around the label are still open.
            let position = self.position(label);
            self.b.goto(position.label);
        }
    }

    /// Tests whether a jump goes to a label of this activation; gives where each goes on.
    fn arrivals(&mut self, jumps: Jumps, wanted: ExprId) -> Vec<(hir::LabelId, LabelId)> {
        let Some(func) = self.func.filter(|_| self.frame.is_some()) else { return Vec::new() };
        let labels = self.cx.nests.as_ref().and_then(|nests| nests.labels.get(&func)).cloned();
        let mut arrivals = Vec::new();
        for label in labels.unwrap_or_default() {
            let Some(number) = self.activation(func) else { break };
            let int = self.cx.int_type();
            let target = self.cx.label_address(self.u, label);
            let target = self.cx.p.int(int, i128::from(target));
            let value = self.cx.p.symbol(jumps.value);
            let (same, there) = (self.cx.p.eq(number, wanted), self.cx.p.eq(value, target));
            let here = self.cx.p.and(same, there);
            let resume = self.b.new_label();
            self.b.goto_if(here, resume);
            arrivals.push((label, resume));
        }
        arrivals
    }
}
