//! Changes of propositions: where the program begins, and after each write that may change one. The head of a loop whose
//! state is looked at is such a place too, so that an infinite run has infinitely many of them.
//!
//! An assignment `x = 1` becomes `(x = 1, changed())`; if its value is used, it goes through a temporary. A write through
//! a pointer counts if the address of a variable that a proposition reads is taken somewhere, and so does a call of a
//! function without a body to which a pointer is given.

use super::Weaver;
use crate::automaton::{Annotation, Pattern, Place};
use crate::codes;
use crate::site::{Site, named_function};
use crate::uses::{READS, base_variable, has_pointer};
use vergo_cfront::hir::{ExprId, ExprKind};
use vergo_source::{Diagnostic, Span};

impl Weaver<'_> {
    fn change_transitions(&self) -> Vec<usize> {
        self.transitions(|a| *a == Annotation::True, |pattern| *pattern == Pattern::Change)
    }

    /// The function that does what is to be done when a proposition may have changed.
    pub(super) fn change_helper(&mut self) -> Option<String> {
        let matched = self.change_transitions();
        if matched.is_empty() {
            return None;
        }
        let text = self.operations.chain(&matched, Place::After, &|_| None, None);
        let linkage = self.linkage();
        Some(self.helper("change".to_owned(), "change", |name| {
            format!("{linkage}void {name}(void) {{ {text} }}")
        }))
    }

    /// Prepares to watch variables from the beginning, and reports those that cannot be watched.
    pub(super) fn begin_watching(&mut self) {
        if self.change_transitions().is_empty() {
            return;
        }
        let Some(main) = self.main() else {
            let message = "the automaton observes the program's beginning, and there is no `main`";
            self.diags.push(Diagnostic::error(codes::NO_ENTRY, Span::DUMMY, message));
            return;
        };
        let mut functions = self.unit.functions.values();
        let early = functions.find(|f| f.constructor.is_some() && f.body.is_some());
        if let Some(span) = early.map(|f| f.span) {
            self.unsupported(span, "this function runs before `main`, where nothing is watched");
        }
        if self.unit_uses().threads {
            let span = self.unit.functions[main].span;
            self.unsupported(span, "other threads may change what the conditions read");
        }
        let aliased = self.watched_behind_pointers();
        for asm in self.unit.asms.values() {
            for output in &asm.outputs {
                let written = base_variable(self.unit, output.expr);
                if written.map_or(aliased, |var| self.watched.contains(&var)) {
                    let span = self.span(output.expr);
                    self.unsupported(span, "assembly may change what a condition reads");
                }
            }
        }
        if let Some(helper) = self.change_helper() {
            let start = self.starts.entry(main).or_default();
            let gap = if start.operations.is_empty() { "" } else { " " };
            start.operations.insert_str(0, &format!("{helper}();{gap}"));
        }
    }

    /// Returns whether a variable that a proposition reads can be written through a pointer.
    fn watched_behind_pointers(&mut self) -> bool {
        let all = self.unit_uses();
        self.watched.iter().any(|var| all.address_taken.contains(var))
    }

    /// A write: an assignment, an increment, or a call that may write through a pointer.
    pub(super) fn write(&mut self, site: &Site, expr: ExprId, used: bool) {
        if self.watched.is_empty() || self.change_transitions().is_empty() {
            return;
        }
        let unit = self.unit;
        let relevant = match unit.exprs[expr].kind {
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::IncDec(_, place) => match base_variable(unit, place) {
                Some(var) => self.watched.contains(&var),
                None => self.watched_behind_pointers(),
            },
            ExprKind::Call(callee, args) => {
                let unknown = match named_function(unit, callee) {
                    // What a function of the program writes is observed there.
                    Some((_, function)) => {
                        let name = unit.names.name(unit.functions[function].name);
                        unit.functions[function].body.is_none()
                            && !READS.contains(&name)
                            && has_pointer(unit, unit.expr_lists.get(args))
                    }
                    None => true,
                };
                unknown && self.watched_behind_pointers()
            }
            ExprKind::Builtin(_, args) => {
                has_pointer(unit, unit.expr_lists.get(args)) && self.watched_behind_pointers()
            }
            _ => false,
        };
        if !relevant {
            return;
        }
        let Some(helper) = self.change_helper() else { return };
        let (span, ty) = (self.span(expr), unit.exprs[expr].ty);
        if !used || unit.types.is_void(ty) {
            self.edits.wrap(span, "(", format!(", {helper}())"));
            return;
        }
        match self.types.declare(ty, "") {
            Some(ty) => {
                let value = self.temporary(site.function, &ty);
                self.edits.wrap(span, format!("({value} = ("), format!("), {helper}(), {value})"));
            }
            None => self.unsupported(span, "the type of this value cannot be named"),
        }
    }
}
