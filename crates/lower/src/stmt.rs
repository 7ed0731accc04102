//! Statements: control flow becomes labels and jumps.

use crate::codes;
use crate::function::{Exits, Fx};
use crate::scope::Position;
use vergo_cfront::hir::{self, Case, StmtId, StmtKind, VarId};
use vergo_cfront::pool::List;
use vergo_goto::expr::ExprId;
use vergo_goto::fold::Const;
use vergo_goto::program::InstrKind;
use vergo_goto::types::Type;
use vergo_num::BitVec;
use vergo_source::{Diagnostic, Span};

impl Fx<'_, '_> {
    /// Lowers a statement.
    pub(crate) fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.stmt_node(stmt));
    }

    fn stmt_node(&mut self, stmt: StmtId) {
        let node = self.unit.stmts[stmt];
        match node.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                self.b.set_span(node.span);
                self.full_expression(|fx| fx.effect(expr));
            }
            StmtKind::Decl(var) => {
                self.b.set_span(node.span);
                self.full_expression(|fx| fx.declare(var));
            }
            StmtKind::Compound(list) => {
                self.b.set_span(node.span);
                let outer = self.enter(stmt);
                for i in 0..list.len() {
                    let child = self.unit.stmt_lists.get(list)[i];
                    self.stmt(child);
                }
                self.b.set_span(closing(node.span));
                self.leave(outer);
            }
            StmtKind::If(cond, then, otherwise) => self.if_stmt(node.span, cond, then, otherwise),
            StmtKind::Switch { cond, body, cases, default } => {
                self.switch(stmt, cond, body, cases, default)
            }
            StmtKind::While(cond, body) => {
                let (head, leave) = (self.b.new_label(), self.b.new_label());
                self.b.set_span(node.span);
                self.b.label(head);
                self.exits.insert(stmt, Exits { leave, next: Some(head), block: self.block });
                self.branch(cond, leave, false);
                self.stmt(body);
                self.b.set_span(node.span);
                self.b.goto(head);
                self.b.label(leave);
            }
            StmtKind::DoWhile(body, cond) => {
                self.b.set_span(node.span);
                let (head, next, leave) =
                    (self.b.label_here(), self.b.new_label(), self.b.new_label());
                self.exits.insert(stmt, Exits { leave, next: Some(next), block: self.block });
                self.stmt(body);
                self.b.label(next);
                self.branch(cond, head, true);
                self.b.label(leave);
            }
            StmtKind::For { init, cond, step, body } => {
                self.b.set_span(node.span);
                let outer = self.enter(stmt);
                for i in 0..init.len() {
                    let child = self.unit.stmt_lists.get(init)[i];
                    self.stmt(child);
                }
                let (head, next, leave) =
                    (self.b.new_label(), self.b.new_label(), self.b.new_label());
                self.exits.insert(stmt, Exits { leave, next: Some(next), block: self.block });
                self.b.set_span(node.span);
                self.b.label(head);
                if let Some(cond) = cond {
                    self.branch(cond, leave, false);
                }
                self.stmt(body);
                self.b.label(next);
                if let Some(step) = step {
                    self.b.set_span(self.unit.exprs[step].span);
                    self.full_expression(|fx| fx.effect(step));
                }
                self.b.set_span(node.span);
                self.b.goto(head);
                self.b.label(leave);
                self.leave(outer);
            }
            StmtKind::Goto(label) => {
                self.b.set_span(node.span);
                let position = self.position(label);
                self.jump_to(position);
            }
            StmtKind::GotoOuter(label, function) => {
                self.b.set_span(node.span);
                self.goto_outer(label, function);
            }
            // Its body is lowered when it is called or its address taken.
            StmtKind::Nested(_) => {}
            StmtKind::GotoIndirect(target) => {
                self.b.set_span(node.span);
                self.goto_indirect(target);
            }
            StmtKind::Label(label, inner) => {
                self.b.set_span(node.span);
                let position = self.position(label);
                self.b.label(position.label);
                self.stmt(inner);
            }
            StmtKind::Case(inner) | StmtKind::Default(inner) => {
                self.b.set_span(node.span);
                if let Some(position) = self.cases.get(&stmt) {
                    self.b.label(position.label);
                }
                self.stmt(inner);
            }
            StmtKind::Break(of) => {
                self.b.set_span(node.span);
                if let Some(&Exits { leave, block, .. }) = self.exits.get(&of) {
                    self.jump_to(Position { label: leave, block });
                }
            }
            StmtKind::Continue(of) => {
                self.b.set_span(node.span);
                if let Some(&Exits { next: Some(next), block, .. }) = self.exits.get(&of) {
                    self.jump_to(Position { label: next, block });
                }
            }
            StmtKind::Return(value) => {
                self.b.set_span(node.span);
                self.full_expression(|fx| fx.return_stmt(value));
            }
            StmtKind::Asm(asm) => {
                self.b.set_span(node.span);
                self.full_expression(|fx| fx.asm(asm));
            }
        }
    }

    fn if_stmt(&mut self, span: Span, cond: hir::ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let skip = self.b.new_label();
        let start = self.b.len();
        self.branch(cond, skip, false);
        let is_certain = self.goes_on(start);
        // Models ask what they are lowered for; the other case is not even linked.
        if !(self.cx.units[self.u].library && self.b.is_terminated()) {
            self.stmt(then);
        }
        if let Some(otherwise) = otherwise {
            let end = self.b.new_label();
            self.b.set_span(span);
            if !self.b.is_terminated() {
                self.b.goto(end);
            }
            self.b.label(skip);
            let never = self.b.len();
            self.stmt(otherwise);
            self.b.set_span(span);
            self.b.label(end);
            if is_certain {
                self.claim_certain(never);
            }
        } else {
            self.b.set_span(span);
            self.b.label(skip);
        }
    }

    /// Jumps to a label if a full expression is true (or false).
    fn branch(&mut self, cond: hir::ExprId, label: vergo_goto::program::LabelId, when: bool) {
        self.b.set_span(self.unit.exprs[cond].span);
        self.condition_expression(|fx| fx.jump(cond, label, when));
    }

    fn return_stmt(&mut self, value: Option<hir::ExprId>) {
        let is_void = matches!(self.cx.p.types.get(self.ret), Type::Void);
        let mut lowered = match value {
            Some(value) if is_void => {
                self.effect(value);
                None
            }
            Some(value) => {
                let value = self.value(value);
                let ret = self.ret;
                let value = self.coerce(value, ret);
                Some(self.claim_nonnull_result(value))
            }
            None if is_void => None,
            None => {
                let ret = self.ret;
                Some(self.nondet(ret))
            }
        };
        self.note_value(value.is_some());
        if self.has_cleanups() {
            lowered = lowered.map(|value| self.freeze(value));
            self.run_all_cleanups();
        }
        self.ret(lowered);
    }

    /// A result that must not be null, where attributes say so.
    fn claim_nonnull_result(&mut self, value: ExprId) -> ExprId {
        let declared = self.func.is_some_and(|func| self.unit.functions[func].nonnull.result);
        if !declared
            || self.cx.units[self.u].library
            || !matches!(self.cx.p.type_of(value), Type::Ptr(_))
        {
            return value;
        }
        let value = self.freeze(value);
        let null = self.cx.p.null(self.cx.p.exprs.ty(value));
        let holds = self.cx.p.ne(value, null);
        let what = self.cx.p.functions[self.id].display.clone();
        let description = format!("`{what}` returns null, which was declared not to");
        self.claim(holds, "call.nonnull", description);
        value
    }

    /// Declares a variable and initialises it.
    fn declare(&mut self, var: VarId) {
        let unit = self.unit.clone();
        let variable = &unit.vars[var];
        if let hir::Storage::Static { .. } = variable.storage {
            return;
        }
        let display = variable.name.map_or("", |name| unit.names.name(name));
        if unit.types.is_vla(variable.ty) {
            self.declare_vla(var, display, variable.ty, variable.span);
            return;
        }
        let ty = self.ty(variable.ty);
        let align = variable.explicit_align.unwrap_or(1).max(self.cx.c_align(self.u, variable.ty));
        let symbol = match self.cx.units[self.u].vars[var] {
            // It was used before it was reached, by a jump or in its own type.
            Some(symbol) => symbol,
            None => {
                let symbol = self.local(display, ty, variable.span, align);
                self.cx.p.symbols[symbol].writable = self.cx.is_writable(self.u, variable.ty);
                self.cx.units[self.u].vars[var] = Some(symbol);
                let block = self.block;
                if self.blocks[block].is_hoisted() {
                    self.blocks[block].hoisted.push(symbol);
                } else {
                    self.blocks[block].placed.push(symbol);
                    self.b.decl(symbol);
                }
                self.capture(var, symbol);
                symbol
            }
        };
        if let Some(init) = variable.init {
            let place = self.cx.p.symbol(symbol);
            self.initialise(place, init);
        }
        if let Some(cleanup) = variable.cleanup {
            let block = self.block;
            self.blocks[block].cleanups.push((var, cleanup));
        }
    }

    fn switch(
        &mut self,
        stmt: StmtId,
        cond: hir::ExprId,
        body: StmtId,
        cases: List<Case>,
        default: Option<StmtId>,
    ) {
        let span = self.unit.exprs[cond].span;
        let leave = self.b.new_label();
        self.exits.insert(stmt, Exits { leave, next: None, block: self.block });
        self.b.set_span(span);
        let outer = self.block;
        let block = match self.unit.stmts[body].kind {
            StmtKind::Compound(list) => Some(list),
            _ => None,
        };
        self.condition_expression(|fx| {
            let value = fx.value(cond);
            let value = fx.freeze_if_shared(value, cases.len());
            // The block is entered before the choice, so that most cases need no declarations of their own.
            if block.is_some() {
                fx.enter(body);
            }
            let (signed, width) = match *fx.cx.p.type_of(value) {
                Type::Int { signed, width } => (signed, width),
                _ => (true, 32),
            };
            let ty = fx.cx.p.exprs.ty(value);
            let mut entries = Vec::new();
            let mut is_used = false;
            for i in 0..cases.len() {
                let case = fx.unit.case_lists.get(cases)[i];
                let Some(&position) = fx.cases.get(&case.stmt) else { continue };
                let low = fx.cx.p.int_bits(ty, BitVec::from_u64(width, case.low));
                let test = if case.low == case.high {
                    fx.cx.p.eq(value, low)
                } else {
                    let empty = if signed {
                        BitVec::from_u64(width, case.high).slt(&BitVec::from_u64(width, case.low))
                    } else {
                        case.high < case.low
                    };
                    if empty {
                        continue;
                    }
                    let high = fx.cx.p.int_bits(ty, BitVec::from_u64(width, case.high));
                    let above = fx.cx.p.le(low, value);
                    let below = fx.cx.p.le(value, high);
                    fx.cx.p.and(above, below)
                };
                is_used = true;
                if position.block == fx.block {
                    fx.emit(InstrKind::Goto(Some(test), position.label));
                } else {
                    let entry = fx.b.new_label();
                    fx.emit(InstrKind::Goto(Some(test), entry));
                    entries.push((entry, position));
                }
            }
            if !is_used {
                fx.discard(value);
            }
            let other = match default.and_then(|default| fx.cases.get(&default).copied()) {
                Some(position) => position,
                None => Position { label: leave, block: outer },
            };
            fx.jump_to(other);
            for (entry, position) in entries {
                fx.b.label(entry);
                fx.jump_to(position);
            }
        });
        match block {
            Some(list) => {
                for i in 0..list.len() {
                    let child = self.unit.stmt_lists.get(list)[i];
                    self.stmt(child);
                }
                self.b.set_span(closing(self.unit.stmts[body].span));
                self.leave(outer);
            }
            None => self.stmt(body),
        }
        self.b.set_span(span);
        self.b.label(leave);
    }

    /// A value that is used several times: saved if it is more than a variable.
    fn freeze_if_shared(&mut self, value: ExprId, uses: usize) -> ExprId {
        use vergo_goto::expr::ExprKind;
        match self.cx.p.exprs.kind(value) {
            ExprKind::Symbol(_) | ExprKind::Int(_) => value,
            ExprKind::Cast(_, inner)
                if matches!(self.cx.p.exprs.kind(*inner), ExprKind::Symbol(_)) =>
            {
                value
            }
            _ if uses <= 1 => value,
            _ => self.save(value),
        }
    }

    fn goto_indirect(&mut self, target: hir::ExprId) {
        let mut taken: Vec<hir::LabelId> = self
            .labels
            .keys()
            .copied()
            .filter(|&label| self.unit.labels[label].address_taken)
            .collect();
        taken.sort_unstable();
        self.condition_expression(|fx| {
            let value = fx.value(target);
            let ptr = fx.cx.void_ptr();
            let value = fx.coerce(value, ptr);
            let value = fx.freeze(value);
            let mut entries = Vec::new();
            for label in taken {
                let address = fx.cx.label_address(fx.u, label);
                let address = fx.cx.p.int(ptr, i128::from(address));
                let test = fx.cx.p.eq(value, address);
                let position = fx.position(label);
                let entry = fx.b.new_label();
                fx.emit(InstrKind::Goto(Some(test), entry));
                entries.push((entry, position));
            }
            fx.b.unsupported("a computed goto to an address that is not a label of its function");
            for (entry, position) in entries {
                fx.b.label(entry);
                fx.jump_to(position);
            }
        });
    }

    /// A construct that is not handled: reaching it makes the verdict unknown.
    pub(crate) fn unsupported(&mut self, what: &str, span: Span) {
        let message = format!("{what} is not supported");
        self.cx.report(Diagnostic::warning(codes::UNSUPPORTED, span, message));
        self.b.unsupported(what);
    }

    /// The truth value of a constant condition.
    pub(crate) fn constant_truth(&self, cond: ExprId) -> Option<bool> {
        match self.cx.p.const_of(cond) {
            Some(Const::Bool(value)) => Some(value),
            _ => None,
        }
    }
}

/// The last character of a span: the closing brace of a block.
fn closing(span: Span) -> Span {
    Span::new(span.hi.saturating_sub(1).max(span.lo), span.hi)
}
