//! The instrumentation operator: an automaton woven into the text of a program.
//!
//! **Idea.** The operator of the paper puts whole statements before or after whole statements, so that an expression
//! with several operations has to be decomposed first. Here, an operation inside of an expression becomes a call of a
//! small function that does what the automaton wants and then what the program wants: `a + b` becomes `add(a, b)`.
//! Operands of an operator and arguments of a call are evaluated in the same unspecified order, so that short circuits,
//! conditional operators, commas, loop conditions, steps, returns and initialisers keep their meaning where they stand.
//! Assignments that read their place (`a += b`, `a++`) become plain assignments; a place with effects, and an operand
//! with effects, go through temporaries of the function. Statements get operations in front of them, or behind, and
//! braces where one statement becomes several.
//!
//! **Source.** Beyer, Jankola, Lingsch-Rosenfeld, Xia, Zheng: A Modular Program-Transformation Framework for Reducing
//! Specifications to Reachability. *Deviations*: matching is on typed operations of the program's text instead of the
//! edges of a control-flow automaton (`sequentialize` has that form, and is tested to agree); whether a state of a
//! static automaton is reachable is decided for the program as a whole, not for each location.
//!
//! **Soundness.** All edits are insertions and replacements of operator tokens and of names of called functions; what no
//! edit touches is byte for byte the same, on the same line. Added code writes nothing that the program reads. The
//! functions `reach_error` and `__VERIFIER_error` of the program get other names, so that the one of the result is
//! called by assertions of the automaton alone.

use crate::automaton::{Annotation, Automaton, Instances, Pattern, Place};
use crate::codes;
use crate::ctype::CTypes;
use crate::operation::Operations;
use crate::propositions::{append, function_name};
use crate::site::{Scope, Site, SiteKind, Sites, sites};
use crate::syntax::Syntax;
use crate::uses::UnitUses;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_cfront::edit::Edits;
use vergo_cfront::hir::{ExprId, FuncId, Storage, Unit, VarId};
use vergo_cfront::intern::Symbol;
use vergo_cfront::{Options, analyze, parse};
use vergo_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

mod arithmetic;
mod branches;
mod calls;
mod changes;
mod ends;
mod loops;
mod recurrence;

/// A program with an automaton in it.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// Its text.
    pub text: Vec<u8>,
    /// Functions whose calls the automaton looks for and that the program does not declare, with their patterns.
    pub unknown_functions: Vec<(String, Span)>,
    /// The loops for which an automaton `per loop` was instantiated.
    pub loops: Vec<LoopInfo>,
    /// The prefix of every added name; no name of the program itself has it.
    pub prefix: String,
}

impl Instrumented {
    /// Checks whether a name was added by the instrumentation.
    pub fn is_added(&self, name: &str) -> bool {
        name.starts_with(&self.prefix)
    }

    /// Checks whether a variable is one that only heads of loops use: the flag of a saved state, or the counter of a
    /// comparison.
    pub fn is_of_head(&self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix(&self.prefix) else { return false };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let kinds = ["saved_", recurrence::COMPARED, recurrence::SAVED].into_iter();
        kinds.filter_map(|kind| rest.strip_prefix(kind)).any(is_number)
    }
}

/// The state of a loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopInfo {
    /// The loop, label or function.
    pub span: Span,
    /// Where its state is looked at.
    pub head: u32,
    /// True if all of its state is compared.
    pub complete: bool,
    /// True if it has finitely many states.
    pub bounded: bool,
}

/// The instrumented program of a file in the map: parsed, analysed, with the automaton in it. `None` if there are errors,
/// which are in `diags`.
pub fn weave(
    automaton: &Automaton,
    map: &mut SourceMap,
    file: FileId,
    options: &Options,
    diags: &mut Diagnostics,
) -> Option<Instrumented> {
    let errors = diags.error_count();
    if automaton.propositions.is_empty() {
        let ast = parse(map, file, options, diags);
        let syntax = Syntax::new(&ast);
        let unit = analyze(ast, map, options, diags);
        if diags.error_count() > errors {
            return None;
        }
        return instrument(automaton, &unit, &syntax, map, file, diags);
    }
    let appended = append(automaton, map.text(file));
    let name = map.name(file).clone();
    let Ok(file) = map.add(&name, appended.text.clone()) else {
        let span = map.file_span(file).shrink_to_lo();
        diags.push(Diagnostic::error(codes::UNSUPPORTED_PROGRAM, span, "the program is too large"));
        return None;
    };
    let base = map.file_span(file).lo;
    let mut said = Diagnostics::new();
    let ast = parse(map, file, options, &mut said);
    let syntax = Syntax::new(&ast);
    let unit = analyze(ast, map, options, &mut said);
    appended.report(automaton, &unit, map, base, &said, diags);
    if diags.error_count() > errors {
        return None;
    }
    let watched = appended.check(automaton, &unit, map, base, diags)?;
    let mut operations = Operations::new(automaton, &unit);
    operations.prefix.clone_from(&appended.prefix);
    run(automaton, operations, watched, &unit, &syntax, map, file, diags)
}

/// The instrumented text of a file, or `None` with errors in `diags`. Propositions need [`weave`].
pub fn instrument(
    automaton: &Automaton,
    unit: &Unit,
    syntax: &Syntax,
    map: &SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Option<Instrumented> {
    let operations = Operations::new(automaton, unit);
    run(automaton, operations, BTreeSet::new(), unit, syntax, map, file, diags)
}

#[allow(clippy::too_many_arguments, reason = "all that is known about one program")]
fn run(
    automaton: &Automaton,
    operations: Operations<'_>,
    watched: BTreeSet<VarId>,
    unit: &Unit,
    syntax: &Syntax,
    map: &SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Option<Instrumented> {
    let errors = diags.error_count();
    let found = sites(unit);
    let mut weaver = Weaver {
        automaton,
        unit,
        syntax,
        map,
        operations,
        watched,
        types: CTypes { unit },
        edits: Edits::new(map.file_span(file)),
        diags,
        sites: &found,
        active: vec![false; automaton.states.len()],
        helpers: FxHashMap::default(),
        prologue: Vec::new(),
        starts: BTreeMap::new(),
        names: 0,
        call_number: 0,
        n_calls: 0,
        instances: 0,
        loops: Vec::new(),
        declared: BTreeSet::new(),
        uses: None,
        globals: globals(unit),
    };
    weaver.find_active_states();
    weaver.begin_watching();
    for site in &found.list {
        weaver.site(site);
    }
    weaver.begin_and_end();
    weaver.rename_errors(file);
    let loops = std::mem::take(&mut weaver.loops);
    let prefix = weaver.operations.prefix.clone();
    let text = weaver.finish(file);
    let unknown_functions = unknown_functions(automaton, unit);
    (diags.error_count() == errors).then_some(Instrumented {
        text: text?,
        unknown_functions,
        loops,
        prefix,
    })
}

/// The functions that patterns name and the program does not declare.
fn unknown_functions(automaton: &Automaton, unit: &Unit) -> Vec<(String, Span)> {
    let mut unknown = Vec::new();
    for transition in &automaton.transitions {
        if let Pattern::Call { function, .. } = &transition.pattern {
            let declared = unit.functions.values().any(|f| unit.names.name(f.name) == function);
            if !declared {
                unknown.push((function.clone(), transition.pattern_span));
            }
        }
    }
    unknown
}

/// The variables at file scope by name.
fn globals(unit: &Unit) -> FxHashMap<Symbol, VarId> {
    let mut globals = FxHashMap::default();
    for (id, var) in unit.vars.iter() {
        if let (Some(name), Storage::Static { function: None, .. }) = (var.name, var.storage) {
            globals.entry(name).or_insert(id);
        }
    }
    globals
}

/// The text at the beginning of a function's body.
#[derive(Debug, Default)]
struct Start {
    declarations: String,
    operations: String,
}

struct Weaver<'a> {
    automaton: &'a Automaton,
    unit: &'a Unit,
    syntax: &'a Syntax,
    map: &'a SourceMap,
    operations: Operations<'a>,
    /// Variables that propositions read.
    watched: BTreeSet<VarId>,
    types: CTypes<'a>,
    edits: Edits,
    diags: &'a mut Diagnostics,
    sites: &'a Sites,
    /// The states that can be reached.
    active: Vec<bool>,
    /// Functions that have been written, by what they do.
    helpers: FxHashMap<String, String>,
    /// The text of those that stand at the beginning of the file.
    prologue: Vec<String>,
    starts: BTreeMap<FuncId, Start>,
    /// The number of temporaries.
    names: usize,
    /// The number of the matched call in work, and of all.
    call_number: usize,
    n_calls: usize,
    /// The number of instances of an automaton `per loop`.
    instances: usize,
    loops: Vec<LoopInfo>,
    /// Globals that are declared once more, before a function.
    declared: BTreeSet<(FuncId, VarId)>,
    uses: Option<Rc<UnitUses>>,
    /// Variables at file scope by name.
    globals: FxHashMap<Symbol, VarId>,
}

impl Weaver<'_> {
    /// The states that a chain of transitions leads to of which each matches somewhere.
    fn find_active_states(&mut self) {
        let mut work = self.automaton.start.clone();
        while let Some(state) = work.pop() {
            if std::mem::replace(&mut self.active[state], true) {
                continue;
            }
            for (_, transition) in self.automaton.leaving(state) {
                if self.matches_somewhere(&transition.pattern) {
                    work.push(transition.to);
                }
            }
        }
        let calls = |site: &&Site| match site.kind {
            SiteKind::Call { callee, expr, .. } => {
                !self.call_transitions(callee, Some(expr)).is_empty()
            }
            _ => false,
        };
        self.n_calls = self.sites.list.iter().filter(calls).count();
    }

    fn matches_somewhere(&self, pattern: &Pattern) -> bool {
        self.sites.list.iter().any(|site| match (pattern, site.kind) {
            (Pattern::Any | Pattern::Change | Pattern::Cond | Pattern::NotCond, _) => true,
            (Pattern::Arithmetic { op, class, .. }, SiteKind::Arithmetic { op: other, ty, .. }) => {
                *op == other && ty.is_in(*class, &self.unit.target)
            }
            (Pattern::Call { function, .. }, SiteKind::Call { callee, .. }) => {
                self.unit.names.name(self.unit.functions[callee].name) == function
            }
            (Pattern::Call { function: name, .. }, SiteKind::Value { function, .. }) => {
                self.unit.names.name(self.unit.functions[function].name) == name
            }
            (Pattern::Access { .. }, SiteKind::Access(_)) => true,
            _ => false,
        }) || matches!(pattern, Pattern::Any | Pattern::Change)
    }

    /// The transitions of active states with an annotation whose pattern is accepted.
    fn transitions(
        &self,
        annotation: impl Fn(&Annotation) -> bool,
        pattern: impl Fn(&Pattern) -> bool,
    ) -> Vec<usize> {
        let all = self.automaton.transitions.iter().enumerate();
        all.filter(|(_, t)| {
            self.active[t.from]
                && annotation(&self.automaton.states[t.from].annotation)
                && pattern(&t.pattern)
        })
        .map(|(number, _)| number)
        .collect()
    }

    fn site(&mut self, site: &Site) {
        match site.kind {
            SiteKind::Arithmetic { .. } => self.arithmetic(site),
            SiteKind::Call { expr, callee, name } => self.call(site, expr, callee, name),
            SiteKind::Value { expr, function } => self.function_value(site, expr, function),
            SiteKind::Condition(expr) => self.condition(site, expr),
            SiteKind::Loop(stmt) => self.loop_statement(site, stmt),
            SiteKind::Label(stmt) => self.loop_label(site, stmt),
            SiteKind::Return(stmt) => self.return_statement(site, stmt),
            SiteKind::Access(expr) => self.access(site, expr),
            SiteKind::Write(expr, used) => self.write(site, expr, used),
        }
    }

    /// Returns the variable that is visible by a name in a scope.
    fn lookup(&self, scope: Scope, name: &str) -> Option<VarId> {
        let symbol = self.unit.names.lookup(name)?;
        let mut scope = scope;
        while let Some(index) = scope.checked_sub(1) {
            let (parent, var) = self.sites.scopes[index as usize];
            if self.unit.vars[var].name == Some(symbol) {
                return Some(var);
            }
            scope = parent;
        }
        self.globals.get(&symbol).copied()
    }

    /// The variables of the program that transitions read by name.
    fn names_read(&self, transitions: &[usize]) -> Vec<String> {
        let mut names = Vec::new();
        for (name, _) in &self.automaton.reads {
            let used = transitions.iter().any(|&t| {
                let text = &self.automaton.transitions[t].operation.text;
                let mut used = false;
                vergo_cfront::words::replace_names(text, |word| {
                    used |= word == name;
                    None
                });
                used
            });
            if used {
                names.push(name.clone());
            }
        }
        names
    }

    /// The variables that transitions read, each with its type as a declaration of itself; errors are reported.
    fn reads(
        &mut self,
        transitions: &[usize],
        scope: Scope,
        at: Span,
    ) -> Option<Vec<(String, VarId)>> {
        let mut found = Vec::new();
        for name in self.names_read(transitions) {
            let Some(var) = self.lookup(scope, &name) else {
                let message = format!("no variable `{name}` is visible here");
                let declared = self.automaton.reads.iter().find(|(read, _)| *read == name);
                let mut diagnostic = Diagnostic::error(codes::NOT_VISIBLE, at, message);
                if let Some((_, span)) = declared {
                    diagnostic = diagnostic.label(*span, "the automaton reads it");
                }
                self.diags.push(diagnostic);
                return None;
            };
            found.push((name, var));
        }
        Some(found)
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(codes::UNSUPPORTED_PROGRAM, span, message));
    }

    /// A temporary variable of a function.
    fn temporary(&mut self, function: FuncId, ty: &str) -> String {
        self.names += 1;
        let name = format!("{}t{}", self.operations.prefix, self.names);
        let gap = if ty.ends_with('*') { "" } else { " " };
        let start = self.starts.entry(function).or_default();
        start.declarations.push_str(&format!(" {ty}{gap}{name};"));
        name
    }

    /// The name of a function that does what the key says, made by `text` if it is new.
    fn helper(&mut self, key: String, name: &str, text: impl FnOnce(&str) -> String) -> String {
        if let Some(name) = self.helpers.get(&key) {
            return name.clone();
        }
        let word = |text: &str| -> String {
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        };
        let wanted = format!("{}{}_{name}", self.operations.prefix, word(&self.automaton.name));
        let taken = self.helpers.values().filter(|other| other.starts_with(&wanted)).count();
        let name = if taken == 0 { wanted } else { format!("{wanted}_{}", taken + 1) };
        self.prologue.push(text(&name));
        self.helpers.insert(key, name.clone());
        name
    }

    /// The definition at file scope that a function is, or is nested in: what is needed before it is put there.
    fn outermost_definition(&self, function: FuncId) -> Option<Span> {
        let own = self.unit.functions[function].definition_span?;
        let around = self.unit.functions.values().filter_map(|f| f.definition_span);
        around.filter(|span| span.contains(own)).max_by_key(|span| span.len())
    }

    /// Returns the linkage of helpers. A function that other units can inline may not call a static one.
    fn linkage(&self) -> &'static str {
        let inline = |f: &vergo_cfront::hir::Function| {
            f.inline && f.body.is_some() && f.linkage == vergo_cfront::hir::Linkage::External
        };
        if self.unit.functions.values().any(inline) { "" } else { "static " }
    }

    /// The text of a span on one line.
    fn raw(&self, span: Span) -> String {
        vergo_cfront::words::on_one_line(&String::from_utf8_lossy(self.map.span_text(span)))
    }

    fn span(&self, expr: ExprId) -> Span {
        self.unit.exprs[expr].span
    }

    /// Puts what belongs to the beginnings of functions and of the file into place.
    fn finish(mut self, file: FileId) -> Option<Vec<u8>> {
        for (function, start) in std::mem::take(&mut self.starts) {
            let Some(body) = self.unit.functions[function].body else { continue };
            let mut text = start.declarations;
            if !start.operations.is_empty() {
                text.push(' ');
                text.push_str(&start.operations);
            }
            self.edits.insert_at(self.unit.stmts[body].span.lo + 1, text);
        }
        let text = self.map.text(file).clone();
        let edited = match self.edits.apply(&text) {
            Ok(edited) => edited,
            Err(error) => {
                let span = self.map.file_span(file).shrink_to_lo();
                self.unsupported(span, format!("edits contradict each other: {error}"));
                return None;
            }
        };
        let mut lines = vec![format!("/* instrumented for {} */", self.automaton.name)];
        lines.extend(self.operations.declarations(self.unit, self.n_calls));
        for proposition in &self.automaton.propositions {
            let name = function_name(&self.operations.prefix, &proposition.name);
            lines.push(format!("static int {name}(void);"));
        }
        lines.append(&mut self.prologue);
        let name = self.map.name(file).replace('\\', "\\\\").replace('"', "\\\"");
        lines.push(format!("# 1 \"{name}\""));
        let mut out = lines.join("\n").into_bytes();
        out.push(b'\n');
        out.extend_from_slice(&edited);
        Some(out)
    }

    /// Returns whether the automaton is instantiated for each loop.
    fn per_loop(&self) -> bool {
        self.automaton.instances == Instances::Loop
    }

    /// The operations of transitions before, instead of or after something, with the same bindings.
    fn around(
        &self,
        transitions: &[usize],
        bind: &crate::operation::Bind<'_>,
    ) -> (String, Option<String>, String) {
        let chain = |place| self.operations.chain(transitions, place, bind, None);
        let replaced = transitions
            .iter()
            .find(|&&t| self.automaton.transitions[t].place == Place::Replace)
            .map(|&t| self.operations.text(t, bind, None));
        (chain(Place::Before), replaced, chain(Place::After))
    }
}
