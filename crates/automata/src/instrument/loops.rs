//! Loops: what is done at their heads, when their conditions hold, and when they do not.

use super::Weaver;
use super::recurrence::Head;
use crate::automaton::{Annotation, Pattern, Place};
use crate::site::{Site, each_stmt};
use vergo_cfront::hir::{ExprId, StmtId, StmtKind};
use vergo_source::Span;

/// The parts of a loop statement.
#[derive(Clone, Copy)]
pub(super) struct Loop {
    pub(super) stmt: StmtId,
    pub(super) cond: Option<ExprId>,
    pub(super) body: StmtId,
    /// True if the body comes before the condition.
    pub(super) body_first: bool,
}

impl Weaver<'_> {
    pub(super) fn head_transitions(&self, pattern: &Pattern) -> Vec<usize> {
        self.transitions(|a| *a == Annotation::LoopHead, |other| other == pattern)
    }

    pub(super) fn loop_parts(&self, stmt: StmtId) -> Option<Loop> {
        let (cond, body, body_first) = match self.unit.stmts[stmt].kind {
            StmtKind::While(cond, body) => (Some(cond), body, false),
            StmtKind::DoWhile(body, cond) => (Some(cond), body, true),
            StmtKind::For { cond, body, .. } => (cond, body, false),
            _ => return None,
        };
        Some(Loop { stmt, cond, body, body_first })
    }

    pub(super) fn loop_statement(&mut self, site: &Site, stmt: StmtId) {
        let Some(parts) = self.loop_parts(stmt) else { return };
        let head = self.head_transitions(&Pattern::Any);
        if self.per_loop() {
            if !head.is_empty() {
                self.recurrence_of_loop(site, parts, &head);
            }
        } else if !head.is_empty() {
            self.loop_head(site, parts, &head);
        }
        let holds = self.head_transitions(&Pattern::Cond);
        let fails = self.head_transitions(&Pattern::NotCond);
        let breaks = self.has_break(parts);
        if parts.body_first || (breaks && !fails.is_empty()) {
            // After a `break` the condition has not failed, so that what follows the loop is no place for this.
            if let Some(cond) = parts.cond {
                self.observe_condition(site, cond, &holds, &fails, "loop");
            } else {
                self.at_body_start(site, parts, &holds);
            }
            return;
        }
        self.at_body_start(site, parts, &holds);
        if !fails.is_empty() && parts.cond.is_some() {
            self.after_loop(site, parts, &fails);
        }
    }

    fn has_break(&self, parts: Loop) -> bool {
        let mut found = false;
        each_stmt(self.unit, parts.body, &mut |stmt| {
            found |= matches!(self.unit.stmts[stmt].kind, StmtKind::Break(of) if of == parts.stmt);
        });
        found
    }

    fn at_body_start(&mut self, site: &Site, parts: Loop, transitions: &[usize]) {
        if transitions.is_empty() {
            return;
        }
        let span = self.unit.stmts[parts.body].span;
        if self.reads(transitions, site.scope, span).is_none() {
            return;
        }
        let text = self.operations.chain(transitions, Place::After, &|_| None, None);
        self.begin_body(parts.body, &text);
    }

    /// Puts statements at the beginning of a loop's body, with braces if it has none.
    pub(super) fn begin_body(&mut self, body: StmtId, text: &str) {
        let span = self.unit.stmts[body].span;
        if matches!(self.unit.stmts[body].kind, StmtKind::Compound(_)) {
            self.edits.insert_at(span.lo + 1, format!(" {text}"));
        } else {
            self.edits.wrap(span, format!("{{ {text} "), " }");
        }
    }

    fn after_loop(&mut self, site: &Site, parts: Loop, transitions: &[usize]) {
        let span = self.unit.stmts[parts.stmt].span;
        let Some(reads) = self.reads(transitions, site.scope, span) else { return };
        if let Some((name, _)) =
            reads.iter().find(|(_, var)| span.contains(self.unit.vars[*var].span))
        {
            let message = format!("`{name}` is not visible after its loop");
            return self.unsupported(span, message);
        }
        let text = self.operations.chain(transitions, Place::After, &|_| None, None);
        self.edits.wrap(span, "{ ", format!(" {text} }}"));
    }

    /// Operations at the head of a loop, before its condition is evaluated.
    fn loop_head(&mut self, site: &Site, parts: Loop, transitions: &[usize]) {
        let span = self.unit.stmts[parts.stmt].span;
        let Some(reads) = self.reads(transitions, site.scope, span) else { return };
        match parts.cond {
            Some(cond) if !parts.body_first => {
                let mut parameters = Vec::new();
                for (name, var) in &reads {
                    let Some(declared) = self.types.declare(self.unit.vars[*var].ty, name) else {
                        return self
                            .unsupported(span, format!("the type of `{name}` cannot be named"));
                    };
                    parameters.push(declared);
                }
                let list =
                    if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
                let text = self.operations.chain(transitions, Place::Before, &|_| None, None);
                let linkage = self.linkage();
                let helper =
                    self.helper(format!("head {transitions:?} {list}"), "loop_head", |name| {
                        format!("{linkage}void {name}({list}) {{ {text} }}")
                    });
                let names: Vec<&str> = reads.iter().map(|(name, _)| name.as_str()).collect();
                let call = format!("{helper}({})", names.join(", "));
                self.edits.wrap(self.span(cond), format!("({call}, "), ")");
            }
            _ => {
                let text = self.operations.chain(transitions, Place::Before, &|_| None, None);
                self.begin_body(parts.body, &text);
            }
        }
    }

    pub(super) fn loop_label(&mut self, site: &Site, stmt: StmtId) {
        let head = self.head_transitions(&Pattern::Any);
        if head.is_empty() {
            return;
        }
        let StmtKind::Label(_, inner) = self.unit.stmts[stmt].kind else { return };
        let span = self.unit.stmts[stmt].span;
        let inner_span = self.unit.stmts[inner].span;
        let in_block = !matches!(self.unit.stmts[inner].kind, StmtKind::Decl(_));
        if !in_block || inner_span.is_empty() || !span.contains(inner_span) {
            return self.unsupported(span, "nothing can be put behind this label");
        }
        if self.per_loop() {
            return self.recurrence_in_frame(site, Head::Label(inner), &head);
        }
        if self.reads(&head, site.scope, span).is_none() {
            return;
        }
        let text = self.operations.chain(&head, Place::Before, &|_| None, None);
        self.before_statement(inner_span, &text);
    }

    /// Puts statements before a statement, with braces.
    pub(super) fn before_statement(&mut self, span: Span, text: &str) {
        self.edits.wrap(span, format!("{{ {text} "), " }");
    }
}
