//! Conditions of branches, and accesses through pointers.

use super::Weaver;
use crate::automaton::{Annotation, Pattern, Place};
use crate::site::Site;
use vergo_cfront::hir::{ExprId, ExprKind};
use vergo_cfront::layout;

impl Weaver<'_> {
    /// A condition becomes a call that hears which way it went: `if (branch((c) != 0))`.
    pub(super) fn condition(&mut self, site: &Site, expr: ExprId) {
        let everywhere = |annotation: &Annotation| *annotation == Annotation::True;
        let holds = self.transitions(everywhere, |pattern| *pattern == Pattern::Cond);
        let fails = self.transitions(everywhere, |pattern| *pattern == Pattern::NotCond);
        self.observe_condition(site, expr, &holds, &fails, "branch");
    }

    /// Wraps a condition in a call that does operations depending on it.
    pub(super) fn observe_condition(
        &mut self,
        site: &Site,
        expr: ExprId,
        holds: &[usize],
        fails: &[usize],
        word: &str,
    ) {
        if holds.is_empty() && fails.is_empty() {
            return;
        }
        let span = self.span(expr);
        let all: Vec<usize> = holds.iter().chain(fails).copied().collect();
        let Some(reads) = self.reads(&all, site.scope, span) else { return };
        let chain = |transitions: &[usize]| {
            let chain = |place| self.operations.chain(transitions, place, &|_| None, None);
            [chain(Place::Before), chain(Place::After)].join(" ").trim().to_owned()
        };
        let (then, otherwise) = (chain(holds), chain(fails));
        let condition = self.fresh_names(&all).swap_remove(0);
        let mut parameters = format!("int {condition}");
        let mut arguments = String::new();
        for (name, var) in &reads {
            let Some(declared) = self.types.declare(self.unit.vars[*var].ty, name) else {
                return self.unsupported(span, format!("the type of `{name}` cannot be named"));
            };
            parameters.push_str(&format!(", {declared}"));
            arguments.push_str(&format!(", {name}"));
        }
        let linkage = self.linkage();
        let key = format!("{word} {holds:?} {fails:?} {parameters}");
        let helper = self.helper(key, word, |name| {
            format!(
                "{linkage}int {name}({parameters}) {{ if ({condition}) {{ {then} }} else {{ {otherwise} }} return {condition}; }}"
            )
        });
        self.edits.wrap(span, format!("{helper}(("), format!(") != 0{arguments})"));
    }

    /// An access through a pointer: `*p` becomes `*(T *)access(p, size)`.
    pub(super) fn access(&mut self, site: &Site, expr: ExprId) {
        let matched = self.transitions(
            |annotation| *annotation == Annotation::True,
            |pattern| matches!(pattern, Pattern::Access { .. }),
        );
        if matched.is_empty() {
            return;
        }
        let node = self.unit.exprs[expr];
        let Some(reads) = self.reads(&matched, site.scope, node.span) else { return };
        if !reads.is_empty() {
            return self.unsupported(node.span, "an access cannot read variables by name");
        }
        let fresh = self.fresh_names(&matched);
        let (pointer, size_name) = (fresh[0].clone(), fresh[1].clone());
        let bind = |name: &str| match name.strip_prefix('$')? {
            "size" => Some(size_name.clone()),
            "count" => Some("0".to_owned()),
            hole => matched.iter().find_map(|&t| match &self.automaton.transitions[t].pattern {
                Pattern::Access { pointer: wanted } if wanted == hole => Some(pointer.clone()),
                _ => None,
            }),
        };
        let (before, ..) = self.around(&matched, &bind);
        let linkage = self.linkage();
        let helper = self.helper(format!("access {matched:?}"), "access", |name| {
            format!(
                "{linkage}void *{name}(const volatile void *{pointer}, unsigned long {size_name}) {{ {before} return (void *){pointer}; }}"
            )
        });
        let size = layout::size_of(&self.unit.types, &self.unit.target, node.ty);
        let Some(size) = size else {
            return self.unsupported(node.span, "the size of this access is not known");
        };
        match node.kind {
            ExprKind::Index(..) => {
                let raw = self.raw(node.span);
                self.edits.wrap(
                    node.span,
                    format!("(*(__typeof__(&({raw}))){helper}(&("),
                    format!("), {size}))"),
                );
            }
            _ => {
                // The base of `p->m` is a dereference that is not written as one.
                let operand = match node.kind {
                    ExprKind::Deref(inner) if self.span(inner) == node.span => Some(node.span),
                    _ => self.syntax.operand(node.span),
                };
                let Some(operand) = operand else {
                    return self.unsupported(
                        node.span,
                        "this access cannot be instrumented where it stands",
                    );
                };
                let raw = self.raw(operand);
                self.edits.wrap(
                    operand,
                    format!("((__typeof__(&*({raw}))){helper}("),
                    format!(", {size}))"),
                );
            }
        }
    }
}
