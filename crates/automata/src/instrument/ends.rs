//! The beginning and the ends of a program.
//!
//! A program ends when `main` returns or falls off its end, when a function such as `exit` or `abort` is called, or when
//! an assertion fails. If the program registers functions that run at exit, or has destructors, what is observed at the
//! end is registered first of all, and so comes last.

use super::Weaver;
use crate::automaton::{Annotation, Pattern, Place};
use crate::codes;
use crate::site::{Site, SiteKind};
use vergo_cfront::hir::{ExprId, ExprKind, FuncId, StmtId, StmtKind, Unit};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::{Diagnostic, FileId, Span};

/// Functions that end the program; the flag says whether functions registered by `atexit` run.
const ENDS: &[(&str, bool)] = &[
    ("_Exit", false),
    ("__VERIFIER_error", false),
    ("__assert", false),
    ("__assert_fail", false),
    ("__assert_func", false),
    ("__assert_perror_fail", false),
    ("__assert_rtn", false),
    ("_exit", false),
    ("abort", false),
    ("exit", true),
    ("exit_group", false),
    ("quick_exit", false),
];

/// Functions of the program whose names the result needs for itself.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Returns whether a call of a function ends the program: a library function that does, not one that the program
/// defines.
pub(super) fn ends_program(unit: &Unit, function: FuncId) -> bool {
    let function = &unit.functions[function];
    let name = unit.names.name(function.name);
    function.body.is_none() && ENDS.iter().any(|(end, _)| *end == name)
}

impl Weaver<'_> {
    /// The name that a function of the program has in the result.
    pub(super) fn new_name(&self, name: &str) -> String {
        if ERRORS.contains(&name) {
            format!("{}original_{name}", self.operations.prefix)
        } else {
            name.to_owned()
        }
    }

    pub(super) fn end_transitions(&self) -> Vec<usize> {
        self.transitions(|a| *a == Annotation::End, |pattern| *pattern == Pattern::Any)
    }

    /// Returns whether the program has functions that run when it exits.
    fn has_exit_handlers(&self) -> bool {
        let unit = self.unit;
        unit.functions.values().any(|f| f.destructor.is_some())
            || self.sites.list.iter().any(|site| {
                let function = match site.kind {
                    SiteKind::Call { callee, .. } => callee,
                    SiteKind::Value { function, .. } => function,
                    _ => return false,
                };
                matches!(unit.names.name(unit.functions[function].name), "atexit" | "on_exit")
            })
    }

    /// The function that does what is to be done at the end.
    fn end_helper(&mut self) -> Option<String> {
        let matched = self.end_transitions();
        if matched.is_empty() {
            return None;
        }
        let text = self.operations.chain(&matched, Place::Before, &|_| None, None);
        let linkage = self.linkage();
        Some(self.helper("end".to_owned(), "end", |name| {
            format!("{linkage}void {name}(void) {{ {text} }}")
        }))
    }

    /// A call of a library function that ends the program.
    pub(super) fn ending_call(&mut self, expr: ExprId, callee: FuncId, name: ExprId) {
        if !ends_program(self.unit, callee) || self.end_transitions().is_empty() {
            return;
        }
        let function_name = self.unit.names.name(self.unit.functions[callee].name);
        if ERRORS.contains(&function_name) {
            // The function that stands for it does it.
            return;
        }
        let by_exit = ENDS.iter().any(|(end, handlers)| *end == function_name && *handlers);
        if by_exit && self.has_exit_handlers() {
            return;
        }
        let Some(helper) = self.end_helper() else { return };
        let ExprKind::Call(_, args) = self.unit.exprs[expr].kind else { return };
        let effects = self
            .unit
            .expr_lists
            .get(args)
            .iter()
            .any(|&arg| vergo_cfront::walk::has_effects(self.unit, arg));
        let span = self.span(expr);
        if !effects {
            self.edits.wrap(span, format!("({helper}(), "), ")");
        } else if args.len() == 1 {
            // The status is computed first.
            let function_name = function_name.to_owned();
            let linkage = self.linkage();
            let wrapper = self.helper(format!("end {function_name}"), &function_name, |name| {
                format!(
                    "extern void {function_name}(int) __attribute__((__noreturn__)); {linkage}__attribute__((__noreturn__)) void {name}(int x) {{ {helper}(); {function_name}(x); }}"
                )
            });
            self.edits.replace(self.span(name), wrapper);
        } else {
            self.unsupported(span, "the arguments of a call that ends the program have effects");
        }
    }

    /// A library function that ends the program, used as a value.
    pub(super) fn ending_value(&mut self, expr: ExprId, function: FuncId) {
        if ends_program(self.unit, function) && !self.end_transitions().is_empty() {
            let name = self.unit.names.name(self.unit.functions[function].name);
            if !ERRORS.contains(&name) {
                let message = format!("the address of `{name}`, which ends the program, is used");
                self.unsupported(self.span(expr), message);
            }
        }
    }

    pub(super) fn return_statement(&mut self, site: &Site, stmt: StmtId) {
        if Some(site.function) != self.main() || self.has_exit_handlers() {
            return;
        }
        let Some(helper) = self.end_helper() else { return };
        match self.unit.stmts[stmt].kind {
            StmtKind::Return(Some(value))
                if !self.unit.types.is_void(self.unit.exprs[value].ty) =>
            {
                let linkage = self.linkage();
                let wrapper = self.helper("return".to_owned(), "return", |name| {
                    format!("{linkage}int {name}(int x) {{ {helper}(); return x; }}")
                });
                self.edits.wrap(self.span(value), format!("{wrapper}(("), "))");
            }
            _ => {
                let span = self.unit.stmts[stmt].span;
                self.edits.wrap(span, format!("{{ {helper}(); "), " }");
            }
        }
    }

    pub(super) fn main(&self) -> Option<FuncId> {
        let unit = self.unit;
        let is_main = |id: &FuncId| unit.names.name(unit.functions[*id].name) == "main";
        unit.functions.keys().find(|id| is_main(id) && unit.functions[*id].body.is_some())
    }

    /// Observes the beginning of the program and of functions, and the place where `main` falls off its end.
    pub(super) fn begin_and_end(&mut self) {
        let init = self.transitions(|a| *a == Annotation::Init, |pattern| *pattern == Pattern::Any);
        let ends = !self.end_transitions().is_empty();
        if !init.is_empty() || ends {
            let Some(main) = self.main() else {
                let message =
                    "the automaton observes the program's beginning or end, and there is no `main`";
                self.diags.push(Diagnostic::error(codes::NO_ENTRY, Span::DUMMY, message));
                return;
            };
            let recursive = self.sites.list.iter().find_map(|site| match site.kind {
                SiteKind::Call { expr, callee, .. } if callee == main => Some(expr),
                SiteKind::Value { expr, function } if function == main => Some(expr),
                _ => None,
            });
            if let Some(expr) = recursive {
                return self.unsupported(self.span(expr), "`main` is called by the program itself");
            }
            if !init.is_empty() {
                self.statement_at_entry(main, &init);
            }
            if ends && self.has_exit_handlers() {
                if let Some(helper) = self.end_helper() {
                    self.prologue.push("extern int atexit(void (*)(void));".to_owned());
                    let start = self.starts.entry(main).or_default();
                    start.operations.push_str(&format!("atexit({helper}); "));
                }
            } else if ends {
                self.fall_off(main);
            }
        }
        let entries: Vec<(FuncId, String)> = self
            .unit
            .functions
            .iter()
            .filter(|(_, f)| f.body.is_some())
            .map(|(id, f)| (id, self.unit.names.name(f.name).to_owned()))
            .collect();
        for (id, name) in entries {
            let matched = self.transitions(
                |a| match a {
                    Annotation::Function(wanted) => wanted.as_ref().is_none_or(|w| *w == name),
                    _ => false,
                },
                |pattern| *pattern == Pattern::Any,
            );
            if !matched.is_empty() {
                self.statement_at_entry(id, &matched);
            }
        }
        if self.per_loop() {
            self.recursions();
        }
    }

    /// Operations as statements at the beginning of a function; they read its parameters and globals.
    fn statement_at_entry(&mut self, function: FuncId, transitions: &[usize]) {
        let Some(body) = self.unit.functions[function].body else { return };
        let span = self.unit.stmts[body].span;
        for name in self.names_read(transitions) {
            let symbol = self.unit.names.lookup(&name);
            let params = &self.unit.functions[function].params;
            let is_param = params.iter().any(|&param| self.unit.vars[param].name == symbol);
            if !is_param && self.lookup(0, &name).is_none() {
                let message =
                    format!("no variable `{name}` is visible at the beginning of this function");
                let at = Span::new(span.lo, span.lo + 1);
                self.diags.push(Diagnostic::error(codes::NOT_VISIBLE, at, message));
                return;
            }
        }
        let text = self.operations.chain(transitions, Place::Before, &|_| None, None);
        self.starts.entry(function).or_default().operations.push_str(&text);
    }

    /// `main` without a `return` at its end.
    fn fall_off(&mut self, main: FuncId) {
        let Some(body) = self.unit.functions[main].body else { return };
        let StmtKind::Compound(list) = self.unit.stmts[body].kind else { return };
        let last = self.unit.stmt_lists.get(list).last();
        let returns =
            last.is_some_and(|&last| matches!(self.unit.stmts[last].kind, StmtKind::Return(_)));
        if !returns && let Some(helper) = self.end_helper() {
            let position = self.unit.stmts[body].span.hi - 1;
            self.edits.insert_at(position, format!(" {helper}(); "));
        }
    }

    /// Gives the program's own error functions other names, and bodies if they have none.
    pub(super) fn rename_errors(&mut self, file: FileId) {
        let text = self.map.text(file).clone();
        let start = self.map.file_span(file).lo;
        let end = self.end_helper();
        let mut added = String::new();
        for name in ERRORS {
            let Some(symbol) = self.unit.names.lookup(name) else { continue };
            let new = self.new_name(name);
            let mut used = false;
            for (piece, range) in pieces(&text) {
                if piece == Piece::Name && &text[range.clone()] == name.as_bytes() {
                    used = true;
                    let span = Span::new(start + range.start as u32, start + range.end as u32);
                    // A name that a wrapper has replaced is gone already.
                    if !self.edits.replaces(span) {
                        self.edits.replace(span, new.clone());
                    }
                }
            }
            let function = self.unit.functions.values().find(|f| f.name == symbol);
            if let Some(function) = function
                && used
                && function.body.is_none()
            {
                // As far as the program is concerned, `reach_error` returns, and `__VERIFIER_error` does not.
                let at_end = end.as_ref().map(|end| format!("{end}(); ")).unwrap_or_default();
                let ends = *name == "__VERIFIER_error" || function.noreturn;
                let body = if ends { format!(" {at_end}abort(); ") } else { " ".to_owned() };
                let ret = self.unit.types.function(function.ty).map(|ty| ty.ret);
                let ret = ret.and_then(|ret| self.types.declare(ret, ""));
                let ret = ret.unwrap_or_else(|| "int".to_owned());
                let parameters = match self.unit.types.function(function.ty) {
                    Some(ty) if ty.prototype => "(void)",
                    _ => "()",
                };
                if ends {
                    added.push_str("extern void abort(void); ");
                }
                added.push_str(&format!("{ret} {new}{parameters} {{{body}}}\n"));
            }
        }
        if !added.is_empty() {
            let last = if text.last() == Some(&b'\n') { "" } else { "\n" };
            self.edits.insert_at(self.map.file_span(file).hi, format!("{last}{added}"));
        }
    }
}
