//! Statements: control flow, labels, `switch`, inline assembly (C17 6.8).

use super::convert::{Target, sign_extend};
use super::{JumpTarget, LabelEntry, Sema, SwitchContext, codes};
use crate::ast::{self, StmtKind as Ast};
use crate::hir::{
    Asm, AsmId, AsmOperand, Case, ExprId, ExprKind, Label, LabelId, StmtId, StmtKind,
};
use crate::intern::Symbol;
use crate::pool::List;
use crate::types::{QualType, TypeKind};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    /// Analyses a statement; declarations become the statements that they leave.
    fn block_item(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) {
        let first_new = out.len();
        match self.ast.stmts[id].kind {
            Ast::Decl(decl) => {
                self.declaration(decl, out);
                self.flush_lengths(out);
            }
            _ => {
                let stmt = self.stmt(id);
                out.push(stmt);
            }
        }
        self.flush_hidden(first_new, out);
    }

    /// Puts the declarations of hidden variables before the statements that need them.
    fn flush_hidden(&mut self, at: usize, out: &mut Vec<StmtId>) {
        let hidden = match &mut self.function {
            Some(function) if !function.hidden.is_empty() => std::mem::take(&mut function.hidden),
            _ => return,
        };
        out.splice(at..at, hidden);
    }

    /// The body of a function, in the scope of its parameters.
    pub(super) fn function_body(&mut self, id: ast::StmtId, first: Vec<StmtId>) -> StmtId {
        let ast::Stmt { span, kind } = self.ast.stmts[id];
        let mut out = first;
        match kind {
            Ast::Compound(list) => {
                let ast = self.ast;
                let locals = self.compound_items(ast.stmt_lists.get(list), &mut out);
                self.restore_labels(locals);
            }
            _ => self.block_item(id, &mut out),
        }
        let list = self.unit.stmt_lists.push(out);
        self.push_stmt(span, StmtKind::Compound(list))
    }

    /// The statements of a block; local labels are returned, to be restored at its end.
    fn compound_items(
        &mut self,
        items: &[ast::StmtId],
        out: &mut Vec<StmtId>,
    ) -> Vec<(Symbol, Option<LabelEntry>)> {
        let mut locals = Vec::new();
        for &item in items {
            if let Ast::LocalLabels(names) = self.ast.stmts[item].kind {
                let names = self.ast.name_lists.get(names);
                for &(name, span) in names {
                    let id = self.unit.labels.push(Label { name, span, address_taken: false });
                    if let Some(function) = &mut self.function {
                        locals.push((
                            name,
                            function
                                .labels
                                .insert(name, LabelEntry { id, first_use: span, local: true }),
                        ));
                    }
                }
                continue;
            }
            self.block_item(item, out);
        }
        locals
    }

    fn restore_labels(&mut self, locals: Vec<(Symbol, Option<LabelEntry>)>) {
        for (name, before) in locals.into_iter().rev() {
            let Some(function) = &mut self.function else { return };
            let local = match before {
                Some(before) => function.labels.insert(name, before),
                None => function.labels.remove(&name),
            };
            if let Some(local) = local {
                self.check_defined(name, local);
            }
        }
    }

    /// Analyses a statement.
    pub(super) fn stmt(&mut self, id: ast::StmtId) -> StmtId {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.stmt_node(id))
    }

    fn stmt_node(&mut self, id: ast::StmtId) -> StmtId {
        let ast::Stmt { span, kind } = self.ast.stmts[id];
        match kind {
            Ast::Error | Ast::Empty | Ast::LocalLabels(_) => self.push_stmt(span, StmtKind::Empty),
            Ast::Expr(expr) => {
                let expr = self.expr(expr);
                let expr = self.discard(expr);
                self.push_stmt(span, StmtKind::Expr(expr))
            }
            Ast::Decl(decl) => {
                // A declaration that is no item of a block: the parser has reported what is wrong.
                let mut out = Vec::new();
                self.declaration(decl, &mut out);
                self.flush_lengths(&mut out);
                let list = self.unit.stmt_lists.push(out);
                self.push_stmt(span, StmtKind::Compound(list))
            }
            Ast::Compound(list) => {
                let ast = self.ast;
                self.open_scope();
                let guard = self.function.as_ref().map(|function| function.guard);
                let mut out = Vec::new();
                let locals = self.compound_items(ast.stmt_lists.get(list), &mut out);
                self.restore_labels(locals);
                self.leave_guards(guard);
                self.close_scope();
                let list = self.unit.stmt_lists.push(out);
                self.push_stmt(span, StmtKind::Compound(list))
            }
            Ast::If(cond, then, other) => {
                let cond = self.condition(cond);
                let then = self.scoped_stmt(then);
                let other = other.map(|other| self.scoped_stmt(other));
                self.push_stmt(span, StmtKind::If(cond, then, other))
            }
            Ast::Switch(cond, body) => self.switch(cond, body, span),
            Ast::While(cond, body) => {
                let stmt = self.push_stmt(span, StmtKind::Empty);
                let cond = self.condition(cond);
                let body = self.loop_body(stmt, body);
                self.unit.stmts[stmt].kind = StmtKind::While(cond, body);
                stmt
            }
            Ast::DoWhile(body, cond) => {
                let stmt = self.push_stmt(span, StmtKind::Empty);
                let body = self.loop_body(stmt, body);
                let cond = self.condition(cond);
                self.unit.stmts[stmt].kind = StmtKind::DoWhile(body, cond);
                stmt
            }
            Ast::For { init, cond, step, body } => {
                let stmt = self.push_stmt(span, StmtKind::Empty);
                self.open_scope();
                let guard = self.function.as_ref().map(|function| function.guard);
                let mut first = Vec::new();
                if let Some(init) = init {
                    match self.ast.stmts[init].kind {
                        Ast::Decl(decl) => {
                            self.declaration(decl, &mut first);
                            self.flush_lengths(&mut first);
                            self.flush_hidden(0, &mut first);
                        }
                        _ => first.push(self.stmt(init)),
                    }
                }
                let cond = cond.map(|cond| self.condition(cond));
                let step = step.map(|step| {
                    let step = self.expr(step);
                    self.discard(step)
                });
                let body = self.loop_body(stmt, body);
                self.leave_guards(guard);
                self.close_scope();
                let init = self.unit.stmt_lists.push(first);
                self.unit.stmts[stmt].kind = StmtKind::For { init, cond, step, body };
                stmt
            }
            Ast::Goto(name) => self.goto_stmt(name, span),
            Ast::GotoIndirect(target) => {
                let target = self.rvalue(target);
                let void_ptr = self.basics.void_ptr;
                // The target may be a `const void *`, as tables of labels are.
                let target = match self.unit.types.pointee(self.unit.exprs[target].ty) {
                    Some(_) => self.convert(target, void_ptr),
                    None => self.assign_convert(target, void_ptr, Target::Assign),
                };
                self.push_stmt(span, StmtKind::GotoIndirect(target))
            }
            Ast::Label(name, body) => {
                let label = self.define_label(name, span);
                let body = self.labelled_body(body);
                self.push_stmt(span, StmtKind::Label(label, body))
            }
            Ast::Case { low, high, body } => self.case(low, high, body, span),
            Ast::Default(body) => {
                let stmt = self.push_stmt(span, StmtKind::Empty);
                let switch =
                    self.function.as_mut().and_then(|function| function.switches.last_mut());
                match switch {
                    None => self.error(
                        codes::MISPLACED_CASE,
                        span.shrink_to_lo(),
                        "`default` outside of a `switch`",
                    ),
                    Some(switch) => match switch.default {
                        Some(first) => {
                            let first = self.unit.stmts[first].span;
                            self.report(
                                Diagnostic::error(
                                    codes::DUPLICATE_CASE,
                                    head(span, 7),
                                    "a second `default`",
                                )
                                .label(head(first, 7), "the first one"),
                            );
                        }
                        None => switch.default = Some(stmt),
                    },
                }
                self.check_switch_guard(span);
                let body = self.labelled_body(body);
                self.unit.stmts[stmt].kind = StmtKind::Default(body);
                stmt
            }
            Ast::Break => {
                let target =
                    self.function.as_ref().and_then(|function| function.targets.last().copied());
                match target {
                    Some(target) => self.push_stmt(span, StmtKind::Break(target.stmt)),
                    None => {
                        self.error(
                            codes::MISPLACED_JUMP,
                            span,
                            "`break` outside of a loop or `switch`",
                        );
                        self.push_stmt(span, StmtKind::Empty)
                    }
                }
            }
            Ast::Continue => {
                let target = self.function.as_ref().and_then(|function| {
                    function.targets.iter().rev().find(|target| target.is_loop).copied()
                });
                match target {
                    Some(target) => self.push_stmt(span, StmtKind::Continue(target.stmt)),
                    None => {
                        self.error(codes::MISPLACED_JUMP, span, "`continue` outside of a loop");
                        self.push_stmt(span, StmtKind::Empty)
                    }
                }
            }
            Ast::Return(value) => self.return_stmt(value, span),
            Ast::Asm(asm) => {
                let asm = self.asm(asm);
                self.push_stmt(span, StmtKind::Asm(asm))
            }
        }
    }

    /// A statement that is a scope of its own.
    fn scoped_stmt(&mut self, id: ast::StmtId) -> StmtId {
        self.open_scope();
        let guard = self.function.as_ref().map(|function| function.guard);
        let stmt = self.stmt(id);
        self.leave_guards(guard);
        self.close_scope();
        stmt
    }

    /// The statement after a label. A declaration there (C23) goes into the surrounding scope.
    fn labelled_body(&mut self, id: ast::StmtId) -> StmtId {
        self.stmt(id)
    }

    fn loop_body(&mut self, stmt: StmtId, body: ast::StmtId) -> StmtId {
        if let Some(function) = &mut self.function {
            function.targets.push(JumpTarget { stmt, is_loop: true });
        }
        let body = self.scoped_stmt(body);
        if let Some(function) = &mut self.function {
            function.targets.pop();
        }
        body
    }

    /// A controlling expression: any scalar.
    fn condition(&mut self, cond: ast::ExprId) -> ExprId {
        let cond = self.rvalue(cond);
        if self.require_scalar(cond) {
            cond
        } else {
            let span = self.span(cond);
            self.error_expr(span)
        }
    }

    // Switch.

    fn switch(&mut self, cond: ast::ExprId, body: ast::StmtId, span: Span) -> StmtId {
        let stmt = self.push_stmt(span, StmtKind::Empty);
        let mut cond = self.rvalue(cond);
        let ty = self.ty(cond);
        if !self.is_error(ty) && !self.unit.types.is_integer(ty) {
            let (at, shown) = (self.span(cond), self.show(ty));
            self.error(
                codes::INVALID_OPERANDS,
                at,
                format!("`switch` needs an integer, not {shown}"),
            );
            cond = self.error_expr(at);
        }
        let cond = self.promote(cond);
        let ty = self.ty(cond);
        let wide =
            self.unit.types.int_shape(ty, &self.unit.target).is_some_and(|shape| shape.width > 64);
        if wide {
            let at = self.span(cond);
            self.error(
                codes::UNSUPPORTED,
                at,
                "a `switch` over more than 64 bits is not supported",
            );
        }
        if let Some(function) = &mut self.function {
            let guard = function.guard;
            function.switches.push(SwitchContext { ty, cases: Vec::new(), default: None, guard });
            function.targets.push(JumpTarget { stmt, is_loop: false });
        }
        let body = self.scoped_stmt(body);
        let mut cases = Vec::new();
        let mut default = None;
        if let Some(function) = &mut self.function {
            function.targets.pop();
            if let Some(context) = function.switches.pop() {
                cases = context.cases;
                default = context.default;
            }
        }
        self.check_duplicates(ty, &cases);
        let cases = self.unit.case_lists.push(cases);
        self.unit.stmts[stmt].kind = StmtKind::Switch { cond, body, cases, default };
        stmt
    }

    fn check_duplicates(&mut self, ty: QualType, cases: &[Case]) {
        let Some(shape) = self.unit.types.int_shape(ty, &self.unit.target) else { return };
        let number = |bits: u64| sign_extend(bits, shape.width.min(64), shape.signed);
        let mut order: Vec<usize> = (0..cases.len()).collect();
        order.sort_by_key(|&index| (number(cases[index].low), index));
        let mut greatest: Option<usize> = None;
        for index in order {
            if let Some(previous) = greatest
                && number(cases[previous].high) >= number(cases[index].low)
            {
                let (a, b) = (previous.min(index), previous.max(index));
                let (first, second) =
                    (self.unit.stmts[cases[a].stmt].span, self.unit.stmts[cases[b].stmt].span);
                let value = number(cases[index].low);
                self.report(
                    Diagnostic::error(
                        codes::DUPLICATE_CASE,
                        head(second, 4),
                        format!("duplicate case value {value}"),
                    )
                    .label(head(first, 4), "the first one"),
                );
            }
            if greatest
                .is_none_or(|previous| number(cases[index].high) > number(cases[previous].high))
            {
                greatest = Some(index);
            }
        }
    }

    fn case(
        &mut self,
        low: ast::ExprId,
        high: Option<ast::ExprId>,
        body: ast::StmtId,
        span: Span,
    ) -> StmtId {
        let stmt = self.push_stmt(span, StmtKind::Empty);
        let ty = self
            .function
            .as_ref()
            .and_then(|function| function.switches.last())
            .map(|switch| switch.ty);
        match ty {
            None => {
                self.rvalue(low);
                self.error(codes::MISPLACED_CASE, head(span, 4), "`case` outside of a `switch`");
            }
            Some(ty) => {
                let low = self.case_value(low, ty);
                let high = match high {
                    Some(high) => self.case_value(high, ty),
                    None => low,
                };
                if let (Some(low), Some(high)) = (low, high) {
                    let shape = self.unit.types.int_shape(ty, &self.unit.target);
                    let number = |bits: u64| match shape {
                        Some(shape) => sign_extend(bits, shape.width.min(64), shape.signed),
                        None => i128::from(bits),
                    };
                    if number(low) > number(high) {
                        self.warning(
                            codes::DUPLICATE_CASE,
                            head(span, 4),
                            "the range of this case is empty",
                        );
                    } else if let Some(switch) =
                        self.function.as_mut().and_then(|function| function.switches.last_mut())
                    {
                        switch.cases.push(Case { low, high, stmt });
                    }
                }
                self.check_switch_guard(span);
            }
        }
        let body = self.labelled_body(body);
        self.unit.stmts[stmt].kind = StmtKind::Case(body);
        stmt
    }

    fn case_value(&mut self, expr: ast::ExprId, ty: QualType) -> Option<u64> {
        let value = self.rvalue(expr);
        if self.is_error(ty) || self.is_error(self.ty(value)) {
            return None;
        }
        if !self.unit.types.is_integer(self.ty(value)) {
            // gcc rejects floating and pointer constants here.
            let (span, shown) = (self.span(value), self.show(self.ty(value)));
            self.error(
                codes::NOT_CONSTANT,
                span,
                format!("the value of a case is an integer constant, not {shown}"),
            );
            return None;
        }
        let value = self.convert(value, ty);
        self.constant_int(value, "the value of a case")?.to_u64()
    }

    fn check_switch_guard(&mut self, span: Span) {
        let Some(function) = &self.function else { return };
        let Some(switch) = function.switches.last() else { return };
        if !reaches(&function.guards, switch.guard, function.guard) {
            self.error(
                codes::JUMP_INTO_SCOPE,
                head(span, 4),
                "the `switch` jumps into the scope of a variable-length array or a statement expression",
            );
        }
    }

    // Guarded scopes.

    /// From here to the end of the block, the scope cannot be jumped into.
    pub(super) fn enter_guard(&mut self) {
        if let Some(function) = &mut self.function {
            let parent = function.guard;
            function.guard = function.guards.len() as u32;
            function.guards.push(parent);
        }
    }

    fn leave_guards(&mut self, guard: Option<u32>) {
        if let (Some(function), Some(guard)) = (&mut self.function, guard) {
            function.guard = guard;
        }
    }

    // Labels.

    /// The label of a name, wherever it is defined.
    pub(super) fn label(&mut self, name: Symbol, span: Span) -> LabelId {
        if let Some(entry) = self.function.as_ref().and_then(|function| function.labels.get(&name))
        {
            return entry.id;
        }
        let id = self.unit.labels.push(Label { name, span, address_taken: false });
        if let Some(function) = &mut self.function {
            function.labels.insert(name, LabelEntry { id, first_use: span, local: false });
        }
        id
    }

    fn define_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let id = self.label(name, span);
        let at = head(span, self.name(name).len() as u32);
        if let Some(function) = &mut self.function {
            let guard = function.guard;
            if let Some(&(first, _)) = function.defined.get(&id) {
                let message = format!("duplicate label `{}`", self.name(name));
                self.report(
                    Diagnostic::error(codes::DUPLICATE_LABEL, at, message)
                        .label(first, "the first one"),
                );
            } else {
                function.defined.insert(id, (at, guard));
                self.unit.labels[id].span = at;
            }
        }
        id
    }

    fn check_defined(&mut self, name: Symbol, entry: LabelEntry) {
        let Some(function) = &self.function else { return };
        let used = function.gotos.iter().any(|&(label, ..)| label == entry.id)
            || self.unit.labels[entry.id].address_taken;
        if used && !function.defined.contains_key(&entry.id) {
            let message = format!("the label `{}` is used but not defined", self.name(name));
            self.error(codes::UNDEFINED_LABEL, entry.first_use, message);
        }
    }

    /// At the end of a function: all labels are defined, and no jump enters a guarded scope.
    pub(super) fn finish_labels(&mut self) {
        let Some(function) = &mut self.function else { return };
        let mut labels: Vec<(Symbol, LabelEntry)> = function.labels.drain().collect();
        labels.sort_by_key(|(_, entry)| entry.id);
        let gotos = std::mem::take(&mut function.gotos);
        let defined = std::mem::take(&mut function.defined);
        let guards = std::mem::take(&mut function.guards);
        for (name, entry) in labels {
            if !defined.contains_key(&entry.id) {
                let message = format!("the label `{}` is used but not defined", self.name(name));
                self.error(codes::UNDEFINED_LABEL, entry.first_use, message);
            }
        }
        for (label, span, guard) in gotos {
            if let Some(&(at, target)) = defined.get(&label)
                && !reaches(&guards, guard, target)
            {
                self.report(
                    Diagnostic::error(
                        codes::JUMP_INTO_SCOPE,
                        span,
                        "the jump leads into the scope of a variable-length array or a statement expression",
                    )
                    .label(at, "the label is here"),
                );
            }
        }
    }

    // Return.

    fn return_stmt(&mut self, value: Option<ast::ExprId>, span: Span) -> StmtId {
        let ret = self.function.as_ref().map_or(self.basics.void, |function| function.ret);
        let is_void = self.unit.types.is_void(ret);
        let Some(value) = value else {
            if !is_void && !self.is_error(ret) {
                self.warning(
                    codes::BAD_RETURN,
                    span,
                    "`return` without a value in a function that returns one",
                );
            }
            return self.push_stmt(span, StmtKind::Return(None));
        };
        let value = self.rvalue(value);
        if is_void {
            let ty = self.ty(value);
            if !self.unit.types.is_void(ty) && !self.is_error(ty) {
                self.warning(
                    codes::BAD_RETURN,
                    span,
                    "`return` with a value in a function that returns `void`",
                );
            }
            // The value is evaluated and dropped.
            let value = self.convert_to_void(value);
            let evaluated = self.push_stmt(span, StmtKind::Expr(value));
            let leave = self.push_stmt(span, StmtKind::Return(None));
            let list = self.unit.stmt_lists.push([evaluated, leave]);
            return self.push_stmt(span, StmtKind::Compound(list));
        }
        let value = self.assign_convert(value, ret, Target::Return);
        self.push_stmt(span, StmtKind::Return(Some(value)))
    }

    // Statement expressions.

    pub(super) fn stmt_expr(&mut self, body: ast::StmtId, span: Span) -> ExprId {
        if self.function.is_none() {
            self.error(codes::UNSUPPORTED, span, "a statement expression outside of a function");
            return self.error_expr(span);
        }
        let Ast::Compound(list) = self.ast.stmts[body].kind else { return self.error_expr(span) };
        let ast = self.ast;
        self.open_scope();
        let guard = self.function.as_ref().map(|function| function.guard);
        self.enter_guard();
        let saved_lengths = std::mem::take(&mut self.vla_lengths);
        let saved_hidden = self
            .function
            .as_mut()
            .map(|function| std::mem::take(&mut function.hidden))
            .unwrap_or_default();
        let mut out = Vec::new();
        let locals = self.compound_items(ast.stmt_lists.get(list), &mut out);
        self.restore_labels(locals);
        self.leave_guards(guard);
        self.close_scope();
        self.vla_lengths = saved_lengths;
        if let Some(function) = &mut self.function {
            function.hidden = saved_hidden;
        }
        let ty = out.last().map_or(self.basics.void, |&last| self.last_value(last));
        let list = self.unit.stmt_lists.push(out);
        let stmt_span = ast.stmts[body].span;
        let stmt = self.push_stmt(stmt_span, StmtKind::Compound(list));
        self.push(span, ty, ExprKind::StmtExpr(stmt))
    }

    /// The type of the value of a last statement: that of an expression statement, labelled or not.
    fn last_value(&self, stmt: StmtId) -> QualType {
        let mut stmt = stmt;
        loop {
            match self.unit.stmts[stmt].kind {
                StmtKind::Expr(expr) => return self.ty(expr),
                StmtKind::Label(_, body) => stmt = body,
                _ => return self.basics.void,
            }
        }
    }

    // Inline assembly.

    fn asm_text(&self, pieces: List<Span>) -> String {
        let pieces = self.ast.span_lists.get(pieces);
        self.pieces_bytes(pieces)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    pub(super) fn asm(&mut self, id: ast::AsmId) -> AsmId {
        let ast = self.ast;
        let asm = &ast.asms[id];
        let template = self.asm_text(asm.template);
        let mut outputs = Vec::new();
        for operand in &asm.outputs {
            let constraint = self.asm_text(operand.constraint);
            let expr = self.expr(operand.expr);
            let span = self.span(expr);
            if !constraint.starts_with(['=', '+']) && !self.is_error(self.ty(expr)) {
                self.error(
                    codes::BAD_ASM,
                    span,
                    "the constraint of an output begins with `=` or `+`",
                );
            }
            // An array can be an operand in memory, though nothing can be assigned to it.
            if !(self.unit.types.is_array(self.ty(expr)) && self.is_lvalue(expr)) {
                self.require_modifiable(expr, span);
            }
            outputs.push(AsmOperand { name: operand.name, constraint, expr });
        }
        let mut inputs = Vec::new();
        for operand in &asm.inputs {
            let constraint = self.asm_text(operand.constraint);
            let expr = self.expr(operand.expr);
            let memory_only = !constraint.is_empty()
                && constraint
                    .chars()
                    .all(|c| matches!(c, 'm' | 'o' | 'V' | '<' | '>' | '%' | '&' | '*'));
            let expr = if memory_only && self.is_lvalue(expr) { expr } else { self.decay(expr) };
            if matches!(self.kind(self.ty(expr)), TypeKind::Void) {
                let span = self.span(expr);
                self.error(codes::VOID_VALUE, span, "a `void` value is used");
            }
            inputs.push(AsmOperand { name: operand.name, constraint, expr });
        }
        let clobbers = asm.clobbers.iter().map(|&pieces| self.asm_text(pieces)).collect();
        let mut labels = Vec::new();
        for &(name, span) in ast.name_lists.get(asm.labels) {
            let label = self.label(name, span);
            if let Some(function) = &mut self.function {
                let guard = function.guard;
                function.gotos.push((label, span, guard));
            }
            labels.push(label);
        }
        let volatile = asm.volatile || asm.goto || asm.outputs.is_empty();
        self.unit.asms.push(Asm {
            span: asm.span,
            volatile,
            template,
            outputs,
            inputs,
            clobbers,
            labels,
        })
    }
}

/// Returns whether a jump from one guarded scope to another enters none: the target must be around the source.
fn reaches(guards: &[u32], from: u32, to: u32) -> bool {
    let mut at = from;
    loop {
        if at == to {
            return true;
        }
        if at == 0 {
            return false;
        }
        at = guards.get(at as usize).copied().unwrap_or(0);
    }
}

/// The first characters of a span.
fn head(span: Span, length: u32) -> Span {
    Span::new(span.lo, span.hi.min(span.lo.saturating_add(length)))
}
