//! Propositions of an automaton: conditions in C over variables at file scope.
//!
//! A proposition becomes a function at the end of the program, where everything at file scope is visible and nothing
//! hides it: `static int vergo_is_req(void) { return (x == 1) ? 1 : 0; }`. The front end reads it with the program and
//! finds its mistakes, which are then reported where the proposition is written. What it may do beyond that is checked
//! here: it reads variables by name, and does nothing that C could leave undefined.

use crate::automaton::Automaton;
use crate::codes;
use crate::uses::Uses;
use std::collections::BTreeSet;
use std::ops::Range;
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{
    BinaryOp, CastKind, ExprId, ExprKind, FuncId, StmtKind, Storage, Unit, VarId,
};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::{Diagnostic, Diagnostics, SourceMap, Span};

/// A program with the propositions of an automaton at its end.
#[derive(Clone, Debug)]
pub(crate) struct Appended {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// The prefix of the functions' names; no name in the program has it.
    pub(crate) prefix: String,
    /// Where the text of each proposition is in it.
    ranges: Vec<Range<usize>>,
}

/// The name of the function of a proposition.
pub(crate) fn function_name(prefix: &str, name: &str) -> String {
    format!("{prefix}is_{name}")
}

/// Adds the propositions of an automaton to a program.
pub(crate) fn append(automaton: &Automaton, program: &[u8]) -> Appended {
    let contains = |what: &str| program.windows(what.len()).any(|part| part == what.as_bytes());
    let mut prefix = "vergo_".to_owned();
    let mut number = 1;
    while contains(&prefix) {
        number += 1;
        prefix = format!("vergo{number}_");
    }
    let mut text = program.to_vec();
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text.extend_from_slice(b"# 1 \"<conditions>\"\n");
    let mut ranges = Vec::new();
    for proposition in &automaton.propositions {
        let name = function_name(&prefix, &proposition.name);
        text.extend_from_slice(format!("static int {name}(void) {{ return (").as_bytes());
        let start = text.len();
        text.extend_from_slice(proposition.text.as_bytes());
        ranges.push(start..text.len());
        text.extend_from_slice(b") ? 1 : 0; }\n");
    }
    Appended { text, prefix, ranges }
}

impl Appended {
    /// Reports what the front end says about the text: what it says about a proposition is reported where that is
    /// written. `base` is where the text is in the map.
    pub(crate) fn report(
        &self,
        automaton: &Automaton,
        unit: &Unit,
        map: &SourceMap,
        base: u32,
        said: &Diagnostics,
        diags: &mut Diagnostics,
    ) {
        let start = self.ranges.first().map_or(self.text.len(), |range| range.start);
        for diagnostic in said {
            let offset = diagnostic.primary.lo.saturating_sub(base) as usize;
            if offset < start || diagnostic.primary.lo < base {
                diags.push(diagnostic.clone());
                continue;
            }
            let number = self.ranges.iter().position(|range| offset <= range.end).unwrap_or(0);
            let at = |span: Span| self.original(automaton, map, base, number, span);
            let mut diagnostic = diagnostic.clone();
            diagnostic.primary = at(diagnostic.primary);
            if diagnostic.code == vergo_cfront::sema::codes::UNDECLARED {
                diagnostic = unknown_name(unit, map, &diagnostic);
            }
            for (span, _) in &mut diagnostic.labels {
                if span.lo >= base + start as u32 {
                    *span = at(*span);
                }
            }
            diags.push(diagnostic);
        }
    }

    /// Where a span of the added text is written.
    fn original(
        &self,
        automaton: &Automaton,
        map: &SourceMap,
        base: u32,
        number: usize,
        span: Span,
    ) -> Span {
        let proposition = &automaton.propositions[number];
        let written = proposition.text_span;
        let range = &self.ranges[number];
        let inside = |at: u32| (at.saturating_sub(base) as usize).clamp(range.start, range.end);
        let (lo, hi) = (inside(span.lo), inside(span.hi));
        // Text that was put on one line has no positions of its own.
        if map.span_text(written) != proposition.text.as_bytes() || lo >= hi {
            return written;
        }
        let shift = |at: usize| written.lo + (at - range.start) as u32;
        Span::new(shift(lo), shift(hi))
    }

    /// The functions of the propositions, after a check of what they do; `None` if there are errors.
    pub(crate) fn check(
        &self,
        automaton: &Automaton,
        unit: &Unit,
        map: &SourceMap,
        base: u32,
        diags: &mut Diagnostics,
    ) -> Option<BTreeSet<VarId>> {
        let mut vars = BTreeSet::new();
        let errors = diags.error_count();
        for (number, proposition) in automaton.propositions.iter().enumerate() {
            let function = self.function(unit, &proposition.name)?;
            let body = unit.functions[function].body?;
            let mut expr = None;
            crate::site::each_stmt(unit, body, &mut |stmt| {
                if let StmtKind::Return(Some(value)) = unit.stmts[stmt].kind {
                    expr = Some(value);
                }
            });
            let expr = expr?;
            for (span, message) in complaints(unit, expr) {
                let span = self.original(automaton, map, base, number, span);
                diags.push(Diagnostic::error(codes::CONDITION, span, message));
            }
            vars.extend(Uses::of_expr(unit, expr).vars);
        }
        (diags.error_count() == errors).then_some(vars)
    }

    fn function(&self, unit: &Unit, name: &str) -> Option<FuncId> {
        let symbol = unit.names.lookup(&function_name(&self.prefix, name))?;
        unit.functions.iter().find(|(_, function)| function.name == symbol).map(|(id, _)| id)
    }
}

/// Returns the mistake in the text of a proposition that shows without looking at a program.
pub(crate) fn text_complaint(text: &str) -> Option<&'static str> {
    let mut depth = 0i64;
    let mut empty = true;
    for (piece, range) in pieces(text.as_bytes()) {
        empty &= piece == Piece::Blank;
        if piece != Piece::Punctuator {
            continue;
        }
        match &text.as_bytes()[range] {
            b"(" | b"[" => depth += 1,
            b")" | b"]" => depth -= 1,
            b"{" | b"}" | b";" => return Some("a condition is an expression of C"),
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    match depth {
        _ if empty => Some("the condition is empty"),
        0 => None,
        _ => Some("the parentheses of the condition do not match"),
    }
}

/// A name that is nothing at file scope: perhaps it is something elsewhere.
fn unknown_name(unit: &Unit, map: &SourceMap, diagnostic: &Diagnostic) -> Diagnostic {
    let name = String::from_utf8_lossy(map.span_text(diagnostic.primary)).into_owned();
    let message = format!("`{name}` is neither a named condition nor a global variable");
    let mut found = Diagnostic::error(codes::CONDITION_NAME, diagnostic.primary, message);
    let local = unit.vars.values().find(|var| {
        let is_static = matches!(var.storage, Storage::Static { function: None, .. });
        !is_static && var.name.is_some_and(|symbol| unit.names.name(symbol) == name)
    });
    if let Some(local) = local {
        found = found.label(local.span, "this variable belongs to a function");
        found.help =
            Some("conditions read variables at file scope; copy its value into one".to_owned());
    } else {
        found.help = diagnostic.help.clone().or_else(|| {
            Some(format!("define it: `--define {name}='x == 1'`, with a condition in C"))
        });
    }
    found
}

/// Returns the operations in a condition that it must not perform, with places.
fn complaints(unit: &Unit, expr: ExprId) -> Vec<(Span, &'static str)> {
    let mut found = Vec::new();
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        let node = unit.exprs[expr];
        match node.kind {
            ExprKind::Int(_)
            | ExprKind::WideInt(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Error => {}
            ExprKind::Var(var) => {
                if unit.types.qualifiers(unit.vars[var].ty).has(Quals::VOLATILE) {
                    found.push((node.span, "a condition cannot watch a volatile variable"));
                }
            }
            ExprKind::Assign(..) | ExprKind::CompoundAssign { .. } | ExprKind::IncDec(..) => {
                found.push((node.span, "a condition must not change anything"));
            }
            ExprKind::Call(..) | ExprKind::Builtin(..) => {
                found.push((node.span, "a condition must not call functions"));
            }
            ExprKind::Deref(_) => {
                found.push((node.span, "a condition must not read through a pointer"));
            }
            ExprKind::Index(base, index) => match unit.exprs[base].kind {
                ExprKind::Cast(CastKind::ArrayDecay, array) => {
                    if vergo_cfront::consteval::Evaluator::new(unit).eval(index).is_err() {
                        let message = "the index in a condition has to be constant";
                        found.push((unit.exprs[index].span, message));
                    }
                    work.push(array);
                }
                _ => found.push((node.span, "a condition must not read through a pointer")),
            },
            ExprKind::Binary(op, a, b) => {
                if matches!(op, BinaryOp::Div | BinaryOp::Rem)
                    && !matches!(constant(unit, b), Some(value) if value != 0)
                {
                    let message = "the divisor in a condition has to be a constant, not zero";
                    found.push((unit.exprs[b].span, message));
                }
                work.extend([a, b]);
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => work.extend([a, b]),
            ExprKind::Cond(a, b, c) => work.extend([a, b, c]),
            ExprKind::Unary(_, a)
            | ExprKind::Member(a, ..)
            | ExprKind::AddrOf(a)
            | ExprKind::Cast(_, a) => work.push(a),
            _ => found.push((node.span, "this kind of expression is not allowed in a condition")),
        }
    }
    found
}

/// The value of a small constant, whatever it is converted to.
fn constant(unit: &Unit, expr: ExprId) -> Option<u64> {
    match unit.exprs[expr].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Cast(_, inner) => constant(unit, inner),
        _ => None,
    }
}
