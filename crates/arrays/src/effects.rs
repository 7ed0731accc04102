//! The variables and memory that code changes, and whether it can go wrong or leave.

use crate::places::{Access, Places, Root, base, callee, root};
use std::collections::{BTreeMap, BTreeSet};
use vergo_cfront::ast::Quals;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{ExprId, ExprKind, FuncId, StmtKind, Storage, Unit, VarId};
use vergo_cfront::walk::{Node, any, has_effects, visit};
use vergo_source::Span;

/// Returns whether evaluating an expression changes nothing, calls nothing and reads no volatile.
pub(crate) fn is_pure(unit: &Unit, expr: ExprId) -> bool {
    let reads_volatile = |node| match node {
        Node::Stmt(_) => true,
        Node::Expr(e) => unit.exprs[e].ty.quals().has(Quals::VOLATILE),
    };
    !has_effects(unit, expr) && !any(unit, Node::Expr(expr), &reads_volatile)
}

/// The obstacle to knowing what code changes, if there is one.
pub(crate) type Unknown = Option<(Span, &'static str)>;

/// A change of an element.
#[derive(Clone, Debug)]
pub(crate) struct CellWrite {
    pub(crate) access: Access,
    pub(crate) span: Span,
}

/// The effects of a piece of code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// Variables that are changed, and where.
    pub(crate) vars: Vec<(VarId, Span)>,
    /// Elements that are changed.
    pub(crate) cells: Vec<CellWrite>,
    /// Arrays of which elements are changed by calls.
    pub(crate) through_calls: Vec<(VarId, Span)>,
    /// Parameters through which something is changed.
    pub(crate) parameters: BTreeSet<VarId>,
    /// Changes of which nothing is known.
    pub(crate) unknown: Unknown,
    /// True if an assertion can fail, or the program end, in a call.
    pub(crate) observable: bool,
}

/// The effects of calls of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Summary {
    globals: BTreeSet<VarId>,
    cells: BTreeSet<VarId>,
    parameters: BTreeSet<VarId>,
    unknown: Unknown,
    observable: bool,
}

impl Summary {
    /// Returns whether it changes nothing.
    pub(crate) fn changes_nothing(&self) -> bool {
        self.globals.is_empty()
            && self.cells.is_empty()
            && self.parameters.is_empty()
            && self.unknown.is_none()
    }

    pub(crate) fn is_observable(&self) -> bool {
        self.observable
    }
}

/// The effects of a function that is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// Changes nothing that has a name, and returns.
    Harmless,
    /// The violation of an assertion.
    Error,
    /// Fails unless its argument holds.
    Assert,
    /// Ends the program.
    End,
    /// Not known.
    Unknown,
}

/// Returns the effects of a function, by its name.
pub(crate) fn library(name: &str) -> Library {
    match name {
        "__VERIFIER_error" | "reach_error" | "__assert_fail" | "__assert_rtn" | "__assert_func" => {
            Library::Error
        }
        "__VERIFIER_assert" | "assert" | "__CPROVER_assert" | "__ESBMC_assert" => Library::Assert,
        "abort" | "exit" | "_exit" | "_Exit" => Library::End,
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "malloc" | "calloc"
        | "free" | "printf" | "puts" | "putchar" | "rand" => Library::Harmless,
        _ if ["__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet_"]
            .iter()
            .any(|prefix| name.starts_with(prefix) && !name.ends_with("_memory")) =>
        {
            Library::Harmless
        }
        _ => Library::Unknown,
    }
}

/// Effects of the functions of a program.
#[derive(Debug)]
pub(crate) struct Functions<'a> {
    unit: &'a Unit,
    places: &'a Places,
    summaries: BTreeMap<FuncId, Summary>,
}

impl<'a> Functions<'a> {
    /// Finds the effects of all functions, to a fixed point.
    pub(crate) fn new(unit: &'a Unit, places: &'a Places) -> Functions<'a> {
        let mut functions = Functions { unit, places, summaries: BTreeMap::new() };
        loop {
            let mut changed = false;
            for (id, function) in unit.functions.iter() {
                let Some(body) = function.body else { continue };
                let effects = functions.effects(Node::Stmt(body));
                let old = functions.summaries.get(&id);
                let mut summary = functions.summary(&effects, id);
                if let Some(old) = old {
                    // An unknown effect may move while others are found; the first is kept.
                    summary.unknown = old.unknown.or(summary.unknown);
                }
                if old != Some(&summary) {
                    functions.summaries.insert(id, summary);
                    changed = true;
                }
            }
            if !changed {
                return functions;
            }
        }
    }

    /// Returns the effects of a function that is defined.
    pub(crate) fn of(&self, function: FuncId) -> Option<&Summary> {
        self.summaries.get(&function)
    }

    fn summary(&self, effects: &Effects, id: FuncId) -> Summary {
        let is_static = |var: VarId| matches!(self.unit.vars[var].storage, Storage::Static { .. });
        let mut unknown = effects.unknown;
        let name = self.unit.names.name(self.unit.functions[id].name);
        let mut cells = BTreeSet::new();
        let written = effects.cells.iter().map(|cell| (cell.access.var, cell.span));
        for (var, span) in written.chain(effects.through_calls.iter().copied()) {
            match self.unit.vars[var].storage {
                Storage::Param | Storage::Static { .. } => {
                    // A pointer that a function changes may point elsewhere than what was passed.
                    if effects.vars.iter().any(|&(changed, _)| changed == var) {
                        unknown = unknown.or(Some((span, "a parameter is changed")));
                    }
                    cells.insert(var);
                }
                // A local array is nobody else's; a local pointer may point to what was passed.
                _ if self.unit.types.is_array(self.unit.vars[var].ty) => {}
                _ => unknown = unknown.or(Some((span, "a write through a local pointer"))),
            }
        }
        for &parameter in &effects.parameters {
            if let Some(&(_, span)) = effects.vars.iter().find(|(var, _)| *var == parameter) {
                unknown = unknown.or(Some((span, "a parameter is changed")));
            }
        }
        Summary {
            globals: effects
                .vars
                .iter()
                .map(|&(var, _)| var)
                .filter(|&var| is_static(var))
                .collect(),
            cells,
            parameters: effects.parameters.clone(),
            unknown,
            observable: effects.observable
                || matches!(library(name), Library::Error | Library::Assert),
        }
    }

    /// Returns the effects of a piece of code.
    pub(crate) fn effects(&self, node: Node) -> Effects {
        let mut effects = Effects::default();
        visit(self.unit, node, &mut |node| {
            self.add(node, &mut effects);
            true
        });
        effects
    }

    fn add(&self, node: Node, effects: &mut Effects) {
        let unit = self.unit;
        let unknown = |effects: &mut Effects, span, why| {
            effects.unknown.get_or_insert((span, why));
        };
        let expr = match node {
            Node::Stmt(stmt) => {
                let span = unit.stmts[stmt].span;
                match unit.stmts[stmt].kind {
                    StmtKind::Asm(_) => unknown(effects, span, "assembly"),
                    StmtKind::Nested(_) => unknown(effects, span, "a nested function"),
                    StmtKind::GotoIndirect(_) | StmtKind::GotoOuter(..) => {
                        unknown(effects, span, "a computed goto");
                    }
                    StmtKind::Decl(var) if unit.vars[var].cleanup.is_some() => {
                        unknown(effects, span, "a cleanup function");
                    }
                    _ => {}
                }
                return;
            }
            Node::Expr(expr) => expr,
        };
        let span = unit.exprs[expr].span;
        match unit.exprs[expr].kind {
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::IncDec(_, place) => {
                match root(unit, place, &|access| self.places.has(access)) {
                    Root::Var(var) => effects.vars.push((var, span)),
                    Root::Element(_, access) => effects.cells.push(CellWrite { access, span }),
                    Root::Through(pointer) => match base(unit, pointer) {
                        Some(var) if unit.vars[var].storage == Storage::Param => {
                            effects.parameters.insert(var);
                        }
                        _ => unknown(effects, span, "a write through a pointer"),
                    },
                    Root::Other => unknown(effects, span, "a write to an unusual place"),
                }
                if unit.exprs[place].ty.quals().has(Quals::VOLATILE) {
                    unknown(effects, span, "a volatile object");
                }
            }
            ExprKind::Call(called, args) => {
                self.call(callee(unit, called), unit.expr_lists.get(args), span, effects);
            }
            ExprKind::Builtin(builtin, _) => match builtin {
                Builtin::Expect | Builtin::Bswap | Builtin::Popcount | Builtin::Parity => {}
                Builtin::Unreachable | Builtin::Trap => effects.observable = true,
                _ => unknown(effects, span, "a builtin function"),
            },
            ExprKind::VaArg(_) => unknown(effects, span, "a variable argument"),
            _ => {}
        }
    }

    fn call(&self, function: Option<FuncId>, args: &[ExprId], span: Span, effects: &mut Effects) {
        let unit = self.unit;
        let Some(function) = function else {
            effects.observable = true;
            effects.unknown.get_or_insert((span, "a call through a pointer"));
            return;
        };
        let declared = &unit.functions[function];
        if declared.body.is_none() {
            match library(unit.names.name(declared.name)) {
                Library::Harmless => {}
                Library::Error | Library::Assert | Library::End => effects.observable = true,
                Library::Unknown => {
                    effects.observable = true;
                    effects.unknown.get_or_insert((span, "a function that is not known"));
                }
            }
            return;
        }
        let Some(summary) = self.summaries.get(&function) else { return };
        effects.observable |= summary.observable;
        if let Some((_, why)) = summary.unknown {
            effects.unknown.get_or_insert((span, why));
        }
        effects.vars.extend(summary.globals.iter().map(|&var| (var, span)));
        let argument = |parameter: VarId| {
            let number = declared.params.iter().position(|&p| p == parameter)?;
            args.get(number).copied()
        };
        for &var in &summary.cells {
            let array = if unit.vars[var].storage == Storage::Param {
                argument(var).and_then(|arg| base(unit, arg))
            } else {
                Some(var)
            };
            match array {
                Some(array) => effects.through_calls.push((array, span)),
                None => {
                    effects.unknown.get_or_insert((span, "a write through an argument"));
                }
            }
        }
        for &parameter in &summary.parameters {
            let target = argument(parameter).map(|arg| unit.exprs[arg].kind);
            match target {
                Some(ExprKind::AddrOf(place)) => {
                    match root(unit, place, &|access| self.places.has(access)) {
                        Root::Var(var) => effects.vars.push((var, span)),
                        _ => {
                            effects.unknown.get_or_insert((span, "a write through an argument"));
                        }
                    }
                }
                _ => {
                    effects.unknown.get_or_insert((span, "a write through an argument"));
                }
            }
        }
    }

    /// Returns whether a call can only fail or do nothing: an assertion in a function of its own.
    pub(crate) fn is_assertion(&self, function: FuncId) -> bool {
        let declared = &self.unit.functions[function];
        let known = library(self.unit.names.name(declared.name));
        let Some(body) = declared.body else { return known == Library::Assert };
        let Some(summary) = self.summaries.get(&function) else { return false };
        let repeats = vergo_cfront::walk::any(self.unit, Node::Stmt(body), &|node| match node {
            Node::Stmt(stmt) => matches!(
                self.unit.stmts[stmt].kind,
                StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. }
            ),
            Node::Expr(expr) => match self.unit.exprs[expr].kind {
                ExprKind::Call(called, _) => callee(self.unit, called)
                    .is_none_or(|inner| !self.may_stand_in_assertion(inner)),
                _ => false,
            },
        });
        summary.is_observable() && summary.changes_nothing() && !repeats
    }

    fn may_stand_in_assertion(&self, function: FuncId) -> bool {
        let declared = &self.unit.functions[function];
        match library(self.unit.names.name(declared.name)) {
            Library::Error | Library::Assert | Library::End => true,
            // One level more: functions that print and assert.
            _ => declared.body.is_some_and(|body| {
                !vergo_cfront::walk::any(self.unit, Node::Stmt(body), &|node| {
                    matches!(
                        vergo_cfront::walk::expr_kind(self.unit, node),
                        Some(ExprKind::Call(called, _)) if callee(self.unit, called)
                            .is_none_or(|f| !matches!(
                                library(self.unit.names.name(self.unit.functions[f].name)),
                                Library::Error | Library::Assert | Library::End
                            ))
                    ) || matches!(
                        vergo_cfront::walk::stmt_kind(self.unit, node),
                        Some(StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. })
                    )
                })
            }),
        }
    }
}
