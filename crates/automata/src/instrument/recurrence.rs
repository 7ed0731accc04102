//! The state of a loop: saved once, compared afterwards.
//!
//! **Idea.** A loop that is in one state twice can go on forever, since whatever it chose in between it can choose
//! again (Schuppan and Biere, Liveness Checking as Safety Checking for Infinite State Spaces). Its state is what it
//! reads from outside of one round: variables that it or its callees use and that are visible at its head, and objects
//! whose address is known if it goes through pointers.
//!
//! A loop statement is entered anew each time that control comes to it, and then its instance starts anew, so that two
//! states are compared only within one run of the loop: what surrounds the loop does not change meanwhile. A label that
//! is jumped back to has no such entry; there the whole frame is the state. A function that calls itself is a loop as
//! well: its state is its arguments and the globals, while the call that was saved is still active.
//!
//! **Soundness.** What is not compared makes states seem equal that are not: then a recurrence may be spurious, which
//! is said ([`codes::INCOMPLETE_STATE`]); that none is found is never due to it. If memory is allocated, there may be
//! infinitely many states, which is said too ([`codes::UNBOUNDED_STATE`]).

use super::loops::Loop;
use super::{LoopInfo, Weaver};
use crate::automaton::{Pattern, Place};
use crate::codes;
use crate::live::{Round, live};
use crate::site::{Scope, Site};
use crate::uses::{UnitUses, Uses};
use std::collections::BTreeSet;
use std::rc::Rc;
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{
    CastKind, ExprId, ExprKind, FuncId, Linkage, StmtId, StmtKind, Storage, VarId,
};
use vergo_cfront::types::{ArrayLen, QualType, RecordKind, TypeKind};
use vergo_source::{Diagnostic, Span};

/// The prefixes of counters that go over an array: of those that compare, and of those that save.
pub(super) const COMPARED: &str = "i";
pub(super) const SAVED: &str = "k";

/// Arrays of at most this many elements are compared without a loop.
const UNROLLED: u64 = 4;

/// Where the state of a loop is looked at.
#[derive(Clone, Copy)]
pub(super) enum Head {
    /// Before the statement that has a label.
    Label(StmtId),
    /// At the beginning of a body.
    Body(StmtId),
}

/// A part of the state: an expression of the program and its copy.
struct Part {
    value: String,
    copy: String,
    ty: QualType,
    /// The declaration of the copy, without a semicolon.
    declaration: String,
}

/// The text that copies and compares the parts of a state.
#[derive(Default)]
struct Comparison {
    /// Statements that copy.
    save: String,
    /// Statements that compare and clear the flag if something differs.
    statements: String,
    /// Further conditions.
    conditions: Vec<String>,
}

/// The reasons why a comparison is incomplete.
#[derive(Default)]
struct Missing(Vec<String>);

impl Missing {
    fn add(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.0.contains(&what) {
            self.0.push(what);
        }
    }
}

impl Weaver<'_> {
    /// A loop statement: the instance begins before it, and its state is looked at where a round begins.
    pub(super) fn recurrence_of_loop(&mut self, site: &Site, parts: Loop, head: &[usize]) {
        if self.is_jumped_into(parts) {
            return self.recurrence_in_frame(site, Head::Body(parts.body), head);
        }
        let span = self.unit.stmts[parts.stmt].span;
        let all = self.unit_uses();
        let own = Uses::of_stmt(self.unit, parts.stmt);
        let uses = all.closure(&own);
        let number = self.next_instance();
        let mut missing = Missing::default();
        let in_init = |var: VarId| span.contains(self.unit.vars[var].span);
        let visible =
            self.visible_state(site.scope, &own, &uses, &all, parts.cond, span, &mut missing);
        let visible = self.without_dead(parts, visible, &all);
        self.declare_before(site.function, visible.iter().filter_map(|part| part.1));
        let mut state = Vec::new();
        for (value, var, ty) in visible {
            let copy = format!("{}copy{}_{number}", self.operations.prefix, state.len() + 1);
            let declaration = match self.types.declare(ty, &copy) {
                Some(declared) => declared,
                None if var.is_none_or(|var| !in_init(var)) => {
                    format!("__typeof__({value}) {copy}")
                }
                None => {
                    missing.add(format!("`{value}`, whose type cannot be named"));
                    continue;
                }
            };
            state.push(Part { value, copy, ty, declaration });
        }
        let Some((text, copied)) = self.head_text(&state, head, number, &mut missing, None) else {
            return;
        };
        self.begin_body(parts.body, &text);
        let mut before = self.instance_variables(number, "", &copied);
        for part in &state {
            before.push_str(&format!("{}; ", part.declaration));
        }
        self.edits.wrap(span, format!("{{ {before}"), " }");
        let head = self.unit.stmts[parts.body].span.lo;
        self.report_state(span, head, &uses, &missing, true);
    }

    /// A loop that can be entered in several ways: the instance begins with the function, and the state is the whole
    /// frame.
    pub(super) fn recurrence_in_frame(&mut self, site: &Site, place: Head, head: &[usize]) {
        let Some(body) = self.unit.functions[site.function].body else { return };
        let (Head::Label(stmt) | Head::Body(stmt)) = place;
        let span = self.unit.stmts[stmt].span;
        let all = self.unit_uses();
        let own = Uses::of_stmt(self.unit, body);
        let uses = all.closure(&own);
        let number = self.next_instance();
        let mut missing = Missing::default();
        let visible = self.visible_state(site.scope, &own, &uses, &all, None, span, &mut missing);
        self.declare_before(site.function, visible.iter().filter_map(|part| part.1));
        let mut state = Vec::new();
        for (value, _, ty) in visible {
            let copy = format!("{}copy{}_{number}", self.operations.prefix, state.len() + 1);
            match self.types.declare(ty, &copy) {
                Some(declaration) => state.push(Part { value, copy, ty, declaration }),
                None => missing.add(format!("`{value}`, whose type cannot be named")),
            }
        }
        let Some((text, copied)) = self.head_text(&state, head, number, &mut missing, None) else {
            return;
        };
        match place {
            Head::Label(_) => self.before_statement(span, &text),
            Head::Body(body) => self.begin_body(body, &text),
        }
        let mut declarations = format!(" {}", self.instance_variables(number, "", &copied));
        for part in &state {
            declarations.push_str(&format!("{}; ", part.declaration));
        }
        self.starts
            .entry(site.function)
            .or_default()
            .declarations
            .push_str(declarations.trim_end());
        self.report_state(span, span.lo, &uses, &missing, true);
    }

    /// Functions that call themselves: their state is looked at where they begin.
    pub(super) fn recursions(&mut self) {
        let head = self.head_transitions(&Pattern::Any);
        if head.is_empty() {
            return;
        }
        let all = self.unit_uses();
        let jumps = |id: &FuncId| all.function(*id).is_some_and(|uses| uses.jumps);
        if let Some(function) = self.unit.functions.keys().find(jumps) {
            self.unsupported(self.unit.functions[function].span, "`longjmp` may lead back");
        }
        for function in all.recursive(self.unit) {
            let definition = &self.unit.functions[function];
            let (Some(body), Some(span)) = (definition.body, definition.definition_span) else {
                continue;
            };
            if self.outermost_definition(function) != Some(span) {
                self.unsupported(definition.span, "a nested function calls itself");
                continue;
            }
            let Some(own) = all.function(function).cloned() else { continue };
            let uses = all.closure(&own);
            let number = self.next_instance();
            let mut missing = Missing::default();
            let mut parts: Vec<(String, QualType)> = Vec::new();
            for &param in &definition.params {
                if let Some(name) = self.unit.vars[param].name {
                    parts.push((self.unit.names.name(name).to_owned(), self.unit.vars[param].ty));
                }
            }
            let mut globals = uses.clone();
            globals
                .vars
                .retain(|&var| matches!(self.unit.vars[var].storage, Storage::Static { .. }));
            let shadowing: BTreeSet<_> =
                definition.params.iter().map(|&p| self.unit.vars[p].name).collect();
            let visible = self.visible_state(0, &globals, &globals, &all, None, span, &mut missing);
            self.declare_before(function, visible.iter().filter_map(|part| part.1));
            for (value, var, ty) in visible {
                if var.is_some_and(|var| shadowing.contains(&self.unit.vars[var].name)) {
                    missing.add(format!("`{value}`, which a parameter hides"));
                } else {
                    parts.push((value, ty));
                }
            }
            let mut state = Vec::new();
            for (value, ty) in parts {
                let copy = format!("{}copy{}_{number}", self.operations.prefix, state.len() + 1);
                match self.types.declare(ty, &copy) {
                    Some(declaration) => state.push(Part { value, copy, ty, declaration }),
                    None => missing.add(format!("`{value}`, whose type cannot be named")),
                }
            }
            let mine = self.mine(function);
            let Some((text, copied)) =
                self.head_text(&state, &head, number, &mut missing, Some(&mine))
            else {
                return;
            };
            let mut before = self.instance_variables(number, "static ", &copied);
            for part in &state {
                before.push_str(&format!("static {}; ", part.declaration));
            }
            self.edits.insert_before(span, before);
            let start = self.starts.entry(function).or_default();
            start.declarations.push_str(&format!(" int {mine} = 0;"));
            start.operations.push_str(&text);
            let leave = self.leave_text(number, &mine, &copied);
            self.leave_function(function, body, &leave);
            // Each call has objects of its own, so that pointers may never be the same.
            let bounded = state.iter().all(|part| !self.has_pointer(part.ty, 0));
            let name = self.unit.functions[function].span;
            let entry = self.unit.stmts[body].span.lo;
            self.report_state(name, entry, &uses, &missing, bounded);
        }
    }

    /// Leaves out local variables that every round of a loop writes before it reads them.
    fn without_dead(
        &self,
        parts: Loop,
        mut state: Vec<(String, Option<VarId>, QualType)>,
        all: &UnitUses,
    ) -> Vec<(String, Option<VarId>, QualType)> {
        let step = match self.unit.stmts[parts.stmt].kind {
            StmtKind::For { step, .. } => step,
            _ => None,
        };
        let round = Round { stmt: parts.stmt, body: parts.body, step, cond: parts.cond };
        let Some(live) = live(self.unit, round) else { return state };
        state.retain(|(value, var, _)| {
            let Some(var) = *var else { return true };
            let variable = &self.unit.vars[var];
            let own =
                matches!(variable.storage, Storage::Auto | Storage::Register | Storage::Param);
            let named = variable.name.is_some_and(|name| self.unit.names.name(name) == value);
            !(own && named)
                || all.address_taken.contains(&var)
                || self.unit.captured.contains(var)
                || live.contains(&var)
        });
        state
    }

    /// Declares the globals of a state that are declared behind the function in which they are compared.
    fn declare_before(&mut self, function: FuncId, vars: impl IntoIterator<Item = VarId>) {
        let Some(at) = self.outermost_definition(function) else { return };
        for var in vars {
            let variable = &self.unit.vars[var];
            let Storage::Static { linkage, function: None, .. } = variable.storage else {
                continue;
            };
            if variable.span.lo < at.lo || !self.declared.insert((function, var)) {
                continue;
            }
            let Some(name) = variable.name else { continue };
            let name = self.unit.names.name(name);
            let storage = if linkage == Linkage::Internal { "static" } else { "extern" };
            match self.types.declare(variable.ty, name) {
                Some(declared) => self.edits.insert_before(at, format!("{storage} {declared}; ")),
                None => {
                    let message = format!("`{name}` is declared behind this function");
                    self.unsupported(Span::new(at.lo, at.lo + 1), message);
                }
            }
        }
    }

    /// The variable of a call that says whether its state was saved.
    fn mine(&self, function: FuncId) -> String {
        let name = self.unit.names.name(self.unit.functions[function].name);
        format!("{}saved_in_{name}", self.operations.prefix)
    }

    /// Returns the text before a call's return: if its state was saved, the instance begins anew.
    fn leave_text(&self, number: usize, mine: &str, copied: &str) -> String {
        let mut reset = String::new();
        if !copied.is_empty() {
            reset.push_str(&format!("{copied} = 0; "));
        }
        for variable in self.automaton.variables.iter().filter(|v| !v.shared) {
            let name = self.operations.variable(variable, Some(number));
            let value = variable.after.strip_prefix('=').map_or("0", str::trim);
            reset.push_str(&format!("{name} = {value}; "));
        }
        format!("if ({mine}) {{ {reset}}}")
    }

    /// Puts what a call does before it returns in front of all returns and of the end of the body.
    fn leave_function(&mut self, function: FuncId, body: StmtId, leave: &str) {
        let ret = self.unit.types.function(self.unit.functions[function].ty).map(|ty| ty.ret);
        let Some(ret) = ret else { return };
        let returns: Vec<StmtId> = self
            .sites
            .list
            .iter()
            .filter(|site| site.function == function)
            .filter_map(|site| match site.kind {
                crate::site::SiteKind::Return(stmt) => Some(stmt),
                _ => None,
            })
            .collect();
        let name = format!("{}result", self.operations.prefix);
        for stmt in returns {
            let span = self.unit.stmts[stmt].span;
            let keyword = Span::new(span.lo, span.lo + "return".len() as u32);
            match self.unit.stmts[stmt].kind {
                StmtKind::Return(Some(value))
                    if !self.unit.types.is_void(self.unit.exprs[value].ty) =>
                {
                    let Some(declared) = self.types.declare(ret, &name) else {
                        return self.unsupported(span, "the type of this result cannot be named");
                    };
                    self.edits.replace(keyword, format!("{{ {declared} ="));
                    self.edits.wrap(span, "", format!(" {leave} return {name}; }}"));
                }
                StmtKind::Return(Some(_)) => {
                    self.edits.replace(keyword, "{");
                    self.edits.wrap(span, "", format!(" {leave} return; }}"));
                }
                _ => self.edits.wrap(span, format!("{{ {leave} "), " }"),
            }
        }
        let position = self.unit.stmts[body].span.hi - 1;
        self.edits.insert_at(position, format!(" {leave} "));
    }

    /// Returns the uses of all functions, which are computed once.
    pub(super) fn unit_uses(&mut self) -> Rc<UnitUses> {
        let watched = &self.watched;
        let uses = self.uses.get_or_insert_with(|| {
            let mut uses = UnitUses::new(self.unit);
            uses.read_everywhere.clone_from(watched);
            Rc::new(uses)
        });
        uses.clone()
    }

    fn next_instance(&mut self) -> usize {
        self.instances += 1;
        self.instances
    }

    /// Declarations of the variables of an instance.
    fn instance_variables(&self, number: usize, storage: &str, copied: &str) -> String {
        let mut text = String::new();
        if !copied.is_empty() {
            text.push_str(&format!("{storage}int {copied} = 0; "));
        }
        for variable in self.automaton.variables.iter().filter(|v| !v.shared) {
            let name = self.operations.variable(variable, Some(number));
            let gap = if variable.after.starts_with('[') { "" } else { " " };
            text.push_str(&format!("{storage}{} {name}{gap}{}; ", variable.before, variable.after));
        }
        text
    }

    /// The operations at a head, with the state's comparison in them, and the name of the flag that says whether the state
    /// was copied, if one is needed.
    fn head_text(
        &mut self,
        state: &[Part],
        head: &[usize],
        number: usize,
        missing: &mut Missing,
        mine: Option<&str>,
    ) -> Option<(String, String)> {
        let mut comparison = Comparison::default();
        let flag = format!("{}same_{number}", self.operations.prefix);
        for part in state {
            if !self.compare(part, &flag, &mut comparison) {
                missing.add(format!("`{}`, whose type cannot be compared", part.value));
            }
        }
        let mut conditions = comparison.conditions.clone();
        let loops = !comparison.statements.is_empty();
        if loops {
            conditions.push(flag.clone());
        }
        let same = if conditions.is_empty() {
            "1".to_owned()
        } else {
            format!("({})", conditions.join(" && "))
        };
        let mut save = comparison.save.clone();
        let copied = format!("{}copied_{number}", self.operations.prefix);
        if loops {
            save.push_str(&format!("{copied} = 1; "));
        }
        if let Some(mine) = mine {
            save.push_str(&format!("{mine} = 1; "));
        }
        let count = self.n_calls;
        let bind = |name: &str| match name {
            "$same" => Some(same.clone()),
            "$save" => Some(format!("{{ {save}}}")),
            "$count" => Some(count.to_string()),
            _ => None,
        };
        let mut chain = self.operations.chain(head, Place::Before, &bind, Some(number));
        if let Some(helper) = self.change_helper() {
            chain.insert_str(0, &format!("{helper}(); "));
        }
        if !loops {
            return Some((chain, String::new()));
        }
        // Elements are looked at only after they have been copied.
        let statements = comparison.statements.trim_end();
        let text = format!("{{ int {flag} = 1; if ({copied}) {{ {statements} }} {chain} }}");
        Some((text, copied))
    }

    /// Adds the copy and the comparison of a part.
    fn compare(&self, part: &Part, flag: &str, out: &mut Comparison) -> bool {
        let start = out.conditions.len();
        if !self.compare_values(&part.value, &part.copy, part.ty, flag, 0, out) {
            out.conditions.truncate(start);
            return false;
        }
        match self.unit.types.kind(part.ty) {
            TypeKind::Array(..) => {
                let mut index = String::new();
                let mut loops = String::new();
                let mut ty = part.ty;
                let mut depth = 0;
                while let TypeKind::Array(next, ArrayLen::Fixed(n)) = *self.unit.types.kind(ty) {
                    let k = format!("{}{SAVED}{depth}", self.operations.prefix);
                    loops.push_str(&format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) "));
                    index.push_str(&format!("[{k}]"));
                    ty = next;
                    depth += 1;
                }
                out.save
                    .push_str(&format!("{loops}{}{index} = {}{index}; ", part.copy, part.value));
            }
            _ => out.save.push_str(&format!("{} = {}; ", part.copy, part.value)),
        }
        true
    }

    /// Adds the comparison of two values of a type.
    fn compare_values(
        &self,
        a: &str,
        b: &str,
        ty: QualType,
        flag: &str,
        depth: u32,
        out: &mut Comparison,
    ) -> bool {
        if depth > 16 {
            return false;
        }
        let types = &self.unit.types;
        match types.kind(ty) {
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => {
                out.conditions.push(format!("{a} == {b}"));
                true
            }
            TypeKind::Float(_) => {
                // Zeros of both signs are equal but differ in what they do; what is not a number equals nothing.
                out.conditions
                    .push(format!("({a} == {b} ? 1 / {a} == 1 / {b} : {a} != {a} && {b} != {b})"));
                true
            }
            TypeKind::Array(element, ArrayLen::Fixed(n)) if *n <= UNROLLED => (0..*n).all(|i| {
                self.compare_values(
                    &format!("{a}[{i}]"),
                    &format!("{b}[{i}]"),
                    *element,
                    flag,
                    depth + 1,
                    out,
                )
            }),
            TypeKind::Array(element, ArrayLen::Fixed(n)) => {
                let k = format!("{}{COMPARED}{depth}", self.operations.prefix);
                let mut inner = Comparison::default();
                let (ai, bi) = (format!("{a}[{k}]"), format!("{b}[{k}]"));
                if !self.compare_values(&ai, &bi, *element, flag, depth + 1, &mut inner) {
                    return false;
                }
                let mut body = inner.statements;
                if !inner.conditions.is_empty() {
                    body.push_str(&format!(
                        "if (!({})) {flag} = 0;",
                        inner.conditions.join(" && ")
                    ));
                }
                out.statements.push_str(&format!(
                    "for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {body} }} "
                ));
                true
            }
            TypeKind::Record(id) => {
                let record = &types.records[*id];
                let Some(fields) =
                    record.fields.as_ref().filter(|_| record.kind == RecordKind::Struct)
                else {
                    return false;
                };
                fields.iter().all(|field| {
                    if field.ty.quals().has(Quals::CONST) {
                        return false;
                    }
                    match field.name {
                        Some(name) => {
                            let name = self.unit.names.name(name);
                            let (a, b) = (format!("{a}.{name}"), format!("{b}.{name}"));
                            self.compare_values(&a, &b, field.ty, flag, depth + 1, out)
                        }
                        // Members of an anonymous member are members of the structure.
                        None if field.bits.is_none() => {
                            self.compare_values(a, b, field.ty, flag, depth + 1, out)
                        }
                        None => true,
                    }
                })
            }
            _ => false,
        }
    }

    /// The parts of the state that have a name at a place: their text, variable and type.
    #[allow(clippy::too_many_arguments, reason = "what is known about one loop")]
    fn visible_state(
        &self,
        scope: Scope,
        own: &Uses,
        uses: &Uses,
        all: &UnitUses,
        cond: Option<ExprId>,
        span: Span,
        missing: &mut Missing,
    ) -> Vec<(String, Option<VarId>, QualType)> {
        let unit = self.unit;
        // What is not changed is the same in every round.
        let mut vars: BTreeSet<VarId> = uses.vars.intersection(&uses.assigned).copied().collect();
        if uses.writes_memory {
            vars.extend(uses.vars.intersection(&all.address_taken));
        }
        let pointers = self.pointers_in_condition(cond, own);
        let by_pointers = uses
            .accesses
            .iter()
            .all(|&access| simple_pointer(unit, access).is_some_and(|var| pointers.contains(&var)));
        if uses.writes_memory && !uses.accesses.is_empty() && !by_pointers {
            // Whatever has an address may be behind a pointer.
            vars.extend(&all.address_taken);
            if all.allocates {
                missing.add("memory that is allocated at run time");
            }
        }
        let mut state = Vec::new();
        for var in vars {
            let variable = &unit.vars[var];
            let constant = unit.types.qualifiers(variable.ty);
            if constant.has(Quals::CONST) && !all.address_taken.contains(&var) {
                continue;
            }
            let Some(symbol) = variable.name else {
                if matches!(variable.storage, Storage::Literal) {
                    missing.add("a compound literal");
                }
                continue;
            };
            let name = unit.names.name(symbol);
            let seen = self.lookup(scope, name) == Some(var);
            match variable.storage {
                Storage::Static { function: Some(_), .. } => {
                    missing.add(format!("the static variable `{name}` of a function"));
                }
                Storage::Static { .. } if seen && variable.span.lo < span.lo => {
                    if constant.has(Quals::CONST) {
                        continue;
                    }
                    state.push((name.to_owned(), Some(var), variable.ty));
                }
                Storage::Static { .. }
                    if self.lookup(scope, name).is_none_or(|other| other == var) =>
                {
                    // It is declared behind the function.
                    state.push((name.to_owned(), Some(var), variable.ty));
                }
                Storage::Static { .. } => missing.add(format!("`{name}`, which is hidden here")),
                Storage::Auto | Storage::Register | Storage::Param => {
                    if seen {
                        if unit.types.is_vla(variable.ty) {
                            missing.add(format!("the variable-length array `{name}`"));
                        } else if !constant.has(Quals::CONST) {
                            state.push((name.to_owned(), Some(var), variable.ty));
                        }
                    } else if self.in_scope(scope, var) {
                        missing.add(format!("`{name}`, which another variable hides"));
                    } else if all.address_taken.contains(&var)
                        && uses.writes_memory
                        && !uses.accesses.is_empty()
                        && !span.contains(variable.span)
                    {
                        missing.add(format!(
                            "the variable `{name}` of another scope, whose address is used"
                        ));
                    }
                }
                Storage::Literal => missing.add("a compound literal"),
            }
        }
        for var in pointers {
            if let Some(symbol) = unit.vars[var].name
                && let Some(to) = unit.types.pointee(unit.vars[var].ty)
            {
                state.push((format!("(*{})", unit.names.name(symbol)), Some(var), to));
            }
        }
        state
    }

    fn in_scope(&self, scope: Scope, var: VarId) -> bool {
        let mut scope = scope;
        while let Some(index) = scope.checked_sub(1) {
            let (parent, other) = self.sites.scopes[index as usize];
            if other == var {
                return true;
            }
            scope = parent;
        }
        false
    }

    /// Pointers to scalars that the condition of a loop certainly reads through, and that the loop does not change: where
    /// a round begins, what they point to is there.
    fn pointers_in_condition(&self, cond: Option<ExprId>, own: &Uses) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        let mut work: Vec<ExprId> = cond.into_iter().collect();
        while let Some(expr) = work.pop() {
            if vergo_cfront::walk::has_effects(self.unit, expr) {
                continue;
            }
            match self.unit.exprs[expr].kind {
                ExprKind::LogAnd(a, _) | ExprKind::LogOr(a, _) | ExprKind::Cond(a, ..) => {
                    work.push(a)
                }
                ExprKind::Binary(_, a, b) => work.extend([a, b]),
                ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => work.push(a),
                ExprKind::Deref(_) => {
                    if let Some(var) = simple_pointer(self.unit, expr)
                        && !own.assigned.contains(&var)
                        && !own.address_taken.contains(&var)
                        && self.unit.types.is_scalar(self.unit.exprs[expr].ty)
                        && !self.unit.exprs[expr].ty.quals().has(Quals::CONST)
                        && !matches!(self.unit.vars[var].storage, Storage::Static { .. })
                    {
                        found.insert(var);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Says what is not compared, and what may grow.
    fn report_state(
        &mut self,
        span: Span,
        head: u32,
        uses: &Uses,
        missing: &Missing,
        bounded: bool,
    ) {
        let bounded = bounded && !uses.allocates;
        self.loops.push(LoopInfo { span, head, complete: missing.0.is_empty(), bounded });
        let line = Span::new(span.lo, span.lo + 1);
        if !missing.0.is_empty() {
            let message =
                format!("the state of this loop is compared without {}", missing.0.join(", "));
            self.diags.push(Diagnostic::warning(codes::INCOMPLETE_STATE, line, message));
        }
        if !bounded {
            let message = "this loop allocates memory, so that it may have infinitely many states";
            self.diags.push(Diagnostic::warning(codes::UNBOUNDED_STATE, line, message));
        }
        if uses.threads {
            self.unsupported(line, "other threads may change the state of this loop");
        }
        if uses.jumps {
            self.unsupported(line, "`longjmp` may lead out of this loop and back");
        }
    }

    /// Returns whether values of a type hold addresses.
    fn has_pointer(&self, ty: QualType, depth: u32) -> bool {
        match self.unit.types.kind(ty) {
            TypeKind::Pointer(_) => true,
            TypeKind::Array(element, _) => self.has_pointer(*element, depth),
            TypeKind::Record(id) => {
                let fields = self.unit.types.records[*id].fields.as_deref().unwrap_or_default();
                depth > 16 || fields.iter().any(|field| self.has_pointer(field.ty, depth + 1))
            }
            _ => false,
        }
    }

    /// Returns whether a jump leads into the body of a loop, past its beginning.
    fn is_jumped_into(&self, parts: Loop) -> bool {
        let mut labels = BTreeSet::new();
        let inside = self.unit.stmts[parts.body].span;
        let mut entered = false;
        let mut switches = Vec::new();
        crate::site::each_stmt(self.unit, parts.body, &mut |stmt| {
            let node = self.unit.stmts[stmt];
            match node.kind {
                StmtKind::Label(label, _) => {
                    labels.insert(label);
                    entered |= self.unit.labels[label].address_taken;
                }
                StmtKind::Switch { .. } => switches.push(node.span),
                StmtKind::Case(_) | StmtKind::Default(_) => {
                    entered |= !switches.iter().any(|span| span.contains(node.span));
                }
                _ => {}
            }
        });
        entered
            || self.unit.stmts.values().any(|stmt| match stmt.kind {
                StmtKind::Goto(label) => labels.contains(&label) && !inside.contains(stmt.span),
                _ => false,
            })
    }
}

/// The variable `p` of an access `*p`.
fn simple_pointer(unit: &vergo_cfront::hir::Unit, access: ExprId) -> Option<VarId> {
    let ExprKind::Deref(inner) = unit.exprs[access].kind else { return None };
    let ExprKind::Cast(CastKind::Load, place) = unit.exprs[inner].kind else { return None };
    match unit.exprs[place].kind {
        ExprKind::Var(var) => Some(var),
        _ => None,
    }
}
