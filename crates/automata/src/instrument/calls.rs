//! Calls of functions by name, and functions used as values: both go to a function that observes.

use super::Weaver;
use crate::automaton::{Annotation, Pattern};
use crate::site::Site;
use vergo_cfront::hir::{ExprId, ExprKind, FuncId, VarId};
use vergo_cfront::types::QualType;

impl Weaver<'_> {
    /// The transitions that match calls of a function; of the call, if there is one, by its number of arguments.
    pub(super) fn call_transitions(&self, callee: FuncId, call: Option<ExprId>) -> Vec<usize> {
        let name = self.unit.names.name(self.unit.functions[callee].name);
        let n_args = call.map(|call| match self.unit.exprs[call].kind {
            ExprKind::Call(_, args) => args.len(),
            _ => 0,
        });
        let defined = self.unit.functions[callee].body.is_some();
        self.transitions(
            |annotation| *annotation == Annotation::True,
            |pattern| match pattern {
                Pattern::Call { function, external, arguments, open, .. } => {
                    function == name
                        && !(*external && defined)
                        && n_args
                            .is_none_or(|n| n == arguments.len() || (*open && n >= arguments.len()))
                }
                _ => false,
            },
        )
    }

    pub(super) fn call(&mut self, site: &Site, expr: ExprId, callee: FuncId, name: ExprId) {
        let matched = self.call_transitions(callee, Some(expr));
        if matched.is_empty() {
            self.ending_call(expr, callee, name);
            return;
        }
        let span = self.span(expr);
        let number = self.call_number;
        self.call_number += 1;
        let Some(reads) = self.reads(&matched, site.scope, span) else { return };
        let ExprKind::Call(_, args) = self.unit.exprs[expr].kind else { return };
        let types: Vec<QualType> =
            self.unit.expr_lists.get(args).iter().map(|&arg| self.unit.exprs[arg].ty).collect();
        let ret = self.unit.exprs[expr].ty;
        match self.wrapper(site, callee, &types, ret, &matched, &reads, number) {
            Some(helper) => {
                self.edits.replace(self.span(name), helper);
                if !reads.is_empty() {
                    let list: Vec<&str> = reads.iter().map(|(name, _)| name.as_str()).collect();
                    let comma = if types.is_empty() { "" } else { ", " };
                    let position = span.hi - 1;
                    self.edits.insert_at(position, format!("{comma}{}", list.join(", ")));
                }
            }
            None => {
                let name = self.unit.names.name(self.unit.functions[callee].name);
                let message = format!("the types of this call of `{name}` cannot be named");
                self.unsupported(span, message);
            }
        }
        // What ends the program is observed by the wrapper's callee too.
        if super::ends::ends_program(self.unit, callee) && !self.end_transitions().is_empty() {
            let name = self.unit.names.name(self.unit.functions[callee].name);
            let message =
                format!("`{name}` is matched by a transition and ends the program as well");
            self.unsupported(span, message);
        }
    }

    /// A function whose address is used is replaced by the one that observes it.
    pub(super) fn function_value(&mut self, site: &Site, expr: ExprId, function: FuncId) {
        let matched = self.call_transitions(function, None);
        if matched.is_empty() {
            self.ending_value(expr, function);
            return;
        }
        let span = self.span(expr);
        let ty = self.unit.types.function(self.unit.functions[function].ty).cloned();
        let Some(ty) = ty.filter(|ty| ty.prototype && !ty.variadic) else {
            return self.unsupported(
                span,
                "the address of an observed function without a fixed list of parameters is used",
            );
        };
        if !self.names_read(&matched).is_empty() {
            return self.unsupported(
                span,
                "the address of a function is used whose calls read variables by name",
            );
        }
        match self.wrapper(site, function, &ty.params, ty.ret, &matched, &[], 0) {
            Some(helper) => self.edits.replace(span, helper),
            None => self.unsupported(span, "the types of this function cannot be named"),
        }
    }

    /// A function that observes a call and makes it.
    #[allow(clippy::too_many_arguments, reason = "the parts of one call")]
    fn wrapper(
        &mut self,
        site: &Site,
        callee: FuncId,
        types: &[QualType],
        ret: QualType,
        matched: &[usize],
        reads: &[(String, VarId)],
        number: usize,
    ) -> Option<String> {
        let function = &self.unit.functions[callee];
        let callee_name = self.unit.names.name(function.name).to_owned();
        let names: Vec<String> =
            (0..types.len()).map(|i| format!("{}a{i}", self.operations.prefix)).collect();
        let result = format!("{}r", self.operations.prefix);
        let mut parameters = Vec::new();
        for (ty, name) in types.iter().zip(&names) {
            parameters.push(self.types.declare(*ty, name)?);
        }
        for (name, var) in reads {
            parameters.push(self.types.declare(self.unit.vars[*var].ty, name)?);
        }
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        // Operations that use the number of the call have a function for each call.
        let uses_index = matched
            .iter()
            .any(|&t| self.automaton.transitions[t].operation.text.contains("$index"));
        let mark = if uses_index { number.to_string() } else { String::new() };
        let key = format!("call {callee_name} {list} {matched:?} {mark}");
        if let Some(name) = self.helpers.get(&key) {
            return Some(name.clone());
        }
        let count = self.n_calls;
        let bind = |name: &str| match name.strip_prefix('$')? {
            "index" => Some(number.to_string()),
            "count" => Some(count.to_string()),
            hole => matched.iter().find_map(|&t| {
                let Pattern::Call { result: wanted, arguments, .. } =
                    &self.automaton.transitions[t].pattern
                else {
                    return None;
                };
                if wanted.as_deref() == Some(hole) {
                    return Some(result.clone());
                }
                let at = arguments.iter().position(|argument| argument.as_deref() == Some(hole))?;
                names.get(at).cloned()
            }),
        };
        let (before, replaced, after) = self.around(matched, &bind);
        let call = replaced
            .unwrap_or_else(|| format!("{}({})", self.new_name(&callee_name), names.join(", ")));
        let is_void = self.unit.types.is_void(ret);
        let body = if is_void {
            format!("{before} {call}; {after}")
        } else {
            let declared = self.types.declare(ret, &result)?;
            format!("{before} {declared} = {call}; {after} return {result};")
        };
        let returns = if is_void { "void".to_owned() } else { self.types.declare(ret, "")? };
        let noreturn = if function.noreturn { "__attribute__((__noreturn__)) " } else { "" };
        let linkage = self.linkage();
        let gap = if returns.ends_with('*') { "" } else { " " };
        let text = move |name: &str| {
            format!("{linkage}{noreturn}{returns}{gap}{name}({list}) {{ {} }}", body.trim())
        };
        // The wrapper needs the callee and its types: it stands before the function that calls it first.
        let at = self.outermost_definition(site.function)?;
        let before_prologue = self.prologue.len();
        let name = self.helper(key, &callee_name, text);
        let text = self.prologue.split_off(before_prologue).concat();
        self.edits.insert_before(at, format!("{text} "));
        Some(name)
    }
}
