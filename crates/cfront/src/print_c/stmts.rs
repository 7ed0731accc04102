//! Statements. Bodies of control statements are always braced, so no `else` can go astray.

use super::types::attribute_list;
use super::{Printer, constants, with_stack};
use crate::hir::{Asm, AsmOperand, Case, ExprId, StmtId, StmtKind, Storage, VarId};
use crate::pool::List;
use crate::types::IntKind;
use vergo_source::Precedence;

/// The values of a `case` label at the type of the controlling expression.
#[derive(Clone, Copy)]
pub(super) struct CaseLabel {
    low: u64,
    high: u64,
    kind: IntKind,
}

impl<'u> Printer<'u> {
    /// Prints a statement on lines of its own. If `is_value`, it is the value of a statement expression.
    pub(super) fn stmt(&mut self, stmt: StmtId, is_value: bool) {
        with_stack(|| self.stmt_inner(stmt, is_value));
    }

    fn stmt_inner(&mut self, stmt: StmtId, is_value: bool) {
        let unit = self.unit;
        let node = unit.stmts[stmt];
        self.mark(node.span);
        match node.kind {
            StmtKind::Empty => self.line(";"),
            StmtKind::Expr(e) => {
                if self.lengths.is_dropped(unit, e) {
                    return;
                }
                self.indent();
                if is_value {
                    self.expr(e, Precedence::Comma);
                } else {
                    self.discarded(e, Precedence::Comma);
                }
                self.text(";");
                self.newline();
            }
            StmtKind::Decl(var) => {
                self.indent();
                self.local(var);
                self.text(";");
                self.newline();
            }
            StmtKind::Compound(list) => {
                self.line("{");
                self.block(unit.stmt_lists.get(list));
                self.line("}");
            }
            StmtKind::If(cond, then, other) => self.if_chain(cond, then, other),
            StmtKind::Switch { cond, body, cases, .. } => self.switch(cond, body, cases),
            StmtKind::While(cond, body) => {
                self.indent();
                self.text("while (");
                self.condition(cond, Precedence::Comma);
                self.text(") ");
                self.body(body);
                self.newline();
            }
            StmtKind::DoWhile(body, cond) => {
                self.indent();
                self.text("do ");
                self.body(body);
                self.text(" while (");
                self.condition(cond, Precedence::Comma);
                self.text(");");
                self.newline();
            }
            StmtKind::For { init, cond, step, body } => {
                self.for_loop(unit.stmt_lists.get(init), cond, step, body)
            }
            StmtKind::Goto(label) => {
                let name = self.label_name(label);
                self.line(&format!("goto {name};"));
            }
            StmtKind::GotoOuter(label, _) => {
                let name = self.label_name(label);
                self.line(&format!("goto {name};"));
            }
            StmtKind::Nested(function) => self.nested_function(function),
            StmtKind::GotoIndirect(e) => {
                self.indent();
                self.text("goto *");
                self.expr(e, Precedence::Unary);
                self.text(";");
                self.newline();
            }
            StmtKind::Label(..) | StmtKind::Case(_) | StmtKind::Default(_) => {
                self.labelled(stmt, is_value);
            }
            StmtKind::Break(_) => self.line("break;"),
            StmtKind::Continue(_) => self.line("continue;"),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(e)) => {
                self.indent();
                self.text("return ");
                self.assigned(e);
                self.text(";");
                self.newline();
            }
            StmtKind::Asm(asm) => {
                self.indent();
                self.asm(&unit.asms[asm]);
                self.newline();
            }
        }
    }

    fn line(&mut self, text: &str) {
        self.indent();
        self.text(text);
        self.newline();
    }

    /// Labels with their statement, however many there are; a declaration or nothing needs an empty statement before
    /// C23.
    fn labelled(&mut self, stmt: StmtId, is_value: bool) {
        let unit = self.unit;
        let mut stmt = stmt;
        let mut pending: Option<String> = None;
        loop {
            let body = match unit.stmts[stmt].kind {
                StmtKind::Label(label, body) => {
                    self.flush_label(&mut pending, ":");
                    pending = Some(self.label_name(label));
                    body
                }
                StmtKind::Case(body) => {
                    // Whether a case has any value is the business of its `switch`.
                    for label in self.cases.remove(&stmt).unwrap_or_default() {
                        self.flush_label(&mut pending, ":");
                        pending = Some(self.case_text(label));
                    }
                    body
                }
                StmtKind::Default(body) => {
                    self.flush_label(&mut pending, ":");
                    pending = Some("default".to_owned());
                    body
                }
                StmtKind::Empty if pending.is_some() => {
                    return self.flush_label(&mut pending, ":;");
                }
                StmtKind::Decl(_) => {
                    self.flush_label(&mut pending, ":;");
                    return self.stmt(stmt, is_value);
                }
                _ => {
                    self.flush_label(&mut pending, ":");
                    return self.stmt(stmt, is_value);
                }
            };
            stmt = body;
        }
    }

    fn flush_label(&mut self, pending: &mut Option<String>, end: &str) {
        if let Some(label) = pending.take() {
            self.line(&format!("{label}{end}"));
        }
    }

    /// The statements of a block, one level deeper.
    fn block(&mut self, stmts: &[StmtId]) {
        self.depth += 1;
        self.stmts(stmts, false);
        self.depth -= 1;
    }

    /// Statements of a block. If `is_value`, the last is the value of a statement expression.
    pub(super) fn stmts(&mut self, stmts: &[StmtId], is_value: bool) {
        for &stmt in stmts {
            if let StmtKind::Nested(function) = self.unit.stmts[stmt].kind {
                self.declare_nested(function);
            }
        }
        let mut i = 0;
        while i < stmts.len() {
            i += self.length_statements(&stmts[i..]);
            if let Some(&stmt) = stmts.get(i) {
                i += 1;
                self.stmt(stmt, is_value && i == stmts.len());
            }
        }
    }

    /// The body of a control statement, in braces; ends after the closing one.
    fn body(&mut self, stmt: StmtId) {
        self.text("{");
        self.newline();
        match self.unit.stmts[stmt].kind {
            StmtKind::Compound(list) => {
                let unit = self.unit;
                self.block(unit.stmt_lists.get(list));
            }
            StmtKind::Empty => {}
            _ => self.block(&[stmt]),
        }
        self.indent();
        self.text("}");
    }

    fn if_chain(&mut self, cond: ExprId, then: StmtId, other: Option<StmtId>) {
        self.indent();
        let (mut cond, mut then, mut other) = (cond, then, other);
        loop {
            self.text("if (");
            self.condition(cond, Precedence::Comma);
            self.text(") ");
            self.body(then);
            match other.map(|other| (other, self.unit.stmts[other].kind)) {
                None => break,
                Some((_, StmtKind::If(next_cond, next_then, next_other))) => {
                    self.text(" else ");
                    (cond, then, other) = (next_cond, next_then, next_other);
                }
                Some((last, _)) => {
                    self.text(" else ");
                    self.body(last);
                    break;
                }
            }
        }
        self.newline();
    }

    fn switch(&mut self, cond: ExprId, body: StmtId, cases: List<Case>) {
        let unit = self.unit;
        let kind = unit.types.int_kind(self.ty(cond)).unwrap_or(IntKind::Int);
        for case in unit.case_lists.get(cases) {
            let label = CaseLabel { low: case.low, high: case.high, kind };
            self.cases.entry(case.stmt).or_default().push(label);
        }
        self.indent();
        self.text("switch (");
        let cond = self.promoted_operand(cond);
        self.expr(cond, Precedence::Comma);
        self.text(") ");
        self.body(body);
        self.newline();
    }

    fn case_text(&self, label: CaseLabel) -> String {
        let target = &self.unit.target;
        let spell = |bits| {
            constants::plain_int(label.kind, bits, target)
                .unwrap_or_else(|| constants::int(label.kind, bits, target))
                .text
        };
        if label.low == label.high {
            format!("case {}", spell(label.low))
        } else {
            format!("case {} ... {}", spell(label.low), spell(label.high))
        }
    }

    fn for_loop(
        &mut self,
        init: &[StmtId],
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        let head = self.capture(|printer| printer.for_head(init));
        // What does not fit between the parentheses goes before the loop, into a block of its own.
        let hoisted = head.is_empty();
        if hoisted {
            self.line("{");
            self.depth += 1;
            self.stmts(init, false);
        }
        self.indent();
        self.text("for (");
        self.text(if hoisted { ";" } else { &head });
        if let Some(cond) = cond {
            self.text(" ");
            self.condition(cond, Precedence::Comma);
        }
        self.text(";");
        if let Some(step) = step {
            self.text(" ");
            self.discarded(step, Precedence::Comma);
        }
        self.text(") ");
        self.body(body);
        self.newline();
        if hoisted {
            self.depth -= 1;
            self.line("}");
        }
    }

    /// Prints the text up to the first semicolon, with it; nothing if it cannot stand there.
    fn for_head(&mut self, init: &[StmtId]) {
        let unit = self.unit;
        match init {
            [] => return self.text(";"),
            &[stmt] => {
                if let StmtKind::Expr(e) = unit.stmts[stmt].kind {
                    self.discarded(e, Precedence::Comma);
                    return self.text(";");
                }
            }
            _ => {}
        }
        let mut shared: Option<String> = None;
        for (i, &stmt) in init.iter().enumerate() {
            let StmtKind::Decl(var) = unit.stmts[stmt].kind else { return self.out.clear() };
            let declared = &unit.vars[var];
            let name = self.var_name(var);
            let (base, declarator) = self.declaration_parts(declared.ty, &name, None);
            let base = if declared.storage == Storage::Register {
                format!("register {base}")
            } else {
                base
            };
            match &shared {
                None => self.text(&format!("{base} {declarator}")),
                Some(first) if *first == base => self.text(&format!(", {declarator}")),
                Some(_) => return self.out.clear(),
            }
            if i == 0 {
                shared = Some(base);
            }
            self.after_declarator(var);
        }
        self.text(";");
    }

    /// A declaration of a local variable, without the semicolon.
    fn local(&mut self, var: VarId) {
        let declared = &self.unit.vars[var];
        if declared.storage == Storage::Register {
            self.text("register ");
        }
        let name = self.var_name(var);
        let text = self.declaration(declared.ty, &name);
        self.text(&text);
        self.after_declarator(var);
    }

    /// Prints the text behind a declarator: the name for the assembler, attributes, the initialiser.
    pub(super) fn after_declarator(&mut self, var: VarId) {
        let unit = self.unit;
        let declared = &unit.vars[var];
        self.symbol_attributes(var);
        if let Some(init) = declared.init {
            self.text(" = ");
            self.init(init);
        }
    }

    /// The name for the assembler and the attributes of a variable.
    pub(super) fn symbol_attributes(&mut self, var: VarId) {
        let unit = self.unit;
        let declared = &unit.vars[var];
        if let Some(name) = declared.asm_name {
            let quoted = constants::quote_bytes(unit.names.name(name).as_bytes());
            self.text(&format!(" __asm__({quoted})"));
        }
        let mut attributes = Vec::new();
        if let Some(align) = declared.explicit_align {
            attributes.push(format!("aligned({align})"));
        }
        if let Some(cleanup) = declared.cleanup {
            attributes.push(format!("cleanup({})", self.function_name(cleanup)));
        }
        if declared.weak {
            attributes.push("weak".to_owned());
        }
        if let Some(alias) = declared.alias {
            attributes.push(format!(
                "alias({})",
                constants::quote_bytes(unit.names.name(alias).as_bytes())
            ));
        }
        self.text(&attribute_list(&attributes));
    }

    /// `({ ... })`
    pub(super) fn stmt_expr(&mut self, stmt: StmtId) {
        let unit = self.unit;
        self.text("({");
        self.newline();
        self.depth += 1;
        match unit.stmts[stmt].kind {
            StmtKind::Compound(list) => self.stmts(unit.stmt_lists.get(list), true),
            _ => self.stmt(stmt, true),
        }
        self.depth -= 1;
        self.indent();
        self.text("})");
    }

    /// Inline assembly with its semicolon.
    pub(super) fn asm(&mut self, asm: &'u Asm) {
        let goto = !asm.labels.is_empty();
        self.text("__asm__");
        if asm.volatile {
            self.text(" volatile");
        }
        if goto {
            self.text(" goto");
        }
        self.text(" (");
        self.text(&constants::quote_bytes(asm.template.as_bytes()));
        // Without operands a `%` stands for itself, so the colons matter as soon as the template has an escaped one.
        let extended = !asm.outputs.is_empty()
            || !asm.inputs.is_empty()
            || !asm.clobbers.is_empty()
            || goto
            || asm.template.contains("%%");
        if extended {
            self.text(" :");
            self.asm_operands(&asm.outputs);
            self.text(" :");
            self.asm_operands(&asm.inputs);
            if !asm.clobbers.is_empty() || goto {
                let clobbers: Vec<String> = asm
                    .clobbers
                    .iter()
                    .map(|clobber| constants::quote_bytes(clobber.as_bytes()))
                    .collect();
                self.text(&format!(" : {}", clobbers.join(", ")));
            }
            if goto {
                let labels: Vec<String> =
                    asm.labels.iter().map(|&label| self.label_name(label)).collect();
                self.text(&format!(" : {}", labels.join(", ")));
            }
        }
        self.text(");");
    }

    fn asm_operands(&mut self, operands: &[AsmOperand]) {
        let unit = self.unit;
        for (i, operand) in operands.iter().enumerate() {
            self.text(if i > 0 { ", " } else { " " });
            if let Some(name) = operand.name {
                self.text(&format!("[{}] ", unit.names.name(name)));
            }
            let constraint = constants::quote_bytes(operand.constraint.as_bytes());
            self.text(&format!("{constraint} ("));
            self.expr(operand.expr, Precedence::Comma);
            self.text(")");
        }
    }
}
