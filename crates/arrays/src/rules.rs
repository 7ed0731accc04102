//! The rules of figure 3 of the paper, one function each.
//!
//! `x_a` is what is declared in place of an array `a`: memory for its elements at the witness indices. Accesses go
//! through two small functions for each element type: one gives the value of the element at an index, which is arbitrary
//! unless the index is a witness; the other gives the place to write to, which is nobody's unless it is. They evaluate
//! the index once and where it stands, so that rules 3.E2 and 3.S1 hold in any expression.
//! Those for loops are in [`crate::loop_rules`].

use crate::nondet::Nondet;
use crate::places::{Access, Places, access, callee};
use crate::plan::Plans;
use crate::rewrite::Rewrites;
use std::fmt::Write;
use vergo_cfront::hir::{ExprId, ExprKind, InitKind, StmtId, StmtKind, Storage, Unit, VarId};
use vergo_cfront::walk::{Node, children};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::{SourceMap, Span};

pub(crate) struct Rules<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) map: &'a SourceMap,
    pub(crate) places: &'a Places,
    pub(crate) plans: &'a Plans<'a>,
    pub(crate) nondet: Nondet<'a>,
    pub(crate) text: Rewrites,
    /// The greatest length in each dimension, where all are known.
    pub(crate) lengths: Vec<Option<u64>>,
    /// The number of variables for single places.
    pub(crate) sites: usize,
    /// The code at the beginning of `main`.
    pub(crate) start: String,
}

impl Rules<'_> {
    /// Rule 3.P: the witness indices are chosen once, before all else.
    pub(crate) fn rule_3_p(&mut self, main: StmtId) {
        let mut text = String::new();
        for number in 0..self.nondet.witnesses {
            for (dimension, length) in self.lengths.clone().into_iter().enumerate() {
                let name = self.nondet.witness(number, dimension);
                let value = self.nondet.number();
                let range = match length {
                    Some(length) => format!("{name} >= 0 && {name} < {length}"),
                    None => format!("{name} >= 0"),
                };
                let assume = self.nondet.assume(&range);
                let _ = write!(text, " {name} = {value}; {assume}");
            }
        }
        text.push_str(&std::mem::take(&mut self.start));
        self.text.insert(self.unit.stmts[main].span.lo + 1, &text);
    }

    /// The name of the memory for an abstracted array.
    pub(crate) fn name(&self, var: VarId) -> String {
        let name = self.unit.vars[var].name.map_or("", |name| self.unit.names.name(name));
        if self.is_array(var) { format!("{}{name}", self.nondet.prefix) } else { name.to_owned() }
    }

    pub(crate) fn is_array(&self, var: VarId) -> bool {
        self.unit.types.is_array(self.unit.vars[var].ty)
    }

    /// A pointer to the witness elements.
    fn cells(&self, var: VarId) -> String {
        let name = self.name(var);
        if self.is_array(var) && self.nondet.witnesses == 1 { format!("&{name}") } else { name }
    }

    /// One witness element.
    pub(crate) fn cell(&self, var: VarId, number: usize) -> String {
        let name = self.name(var);
        if self.is_array(var) && self.nondet.witnesses == 1 {
            name
        } else {
            format!("{name}[{number}]")
        }
    }

    /// Declares the witness elements of an array in place of it.
    pub(crate) fn declare(&mut self, var: VarId) {
        let declared = &self.unit.vars[var];
        let (element, _) = self.places.all[&var];
        let Some((_, end)) = brackets(self.map, declared.span) else { return };
        let witnesses = self.nondet.witnesses;
        let mut text = self.name(var);
        if witnesses > 1 {
            let _ = write!(text, "[{witnesses}]");
        }
        let mut span = Span::new(declared.span.lo, end);
        if let Some(init) = declared.init {
            span.hi = self.unit.inits[init].span.hi;
        }
        let values: Option<Vec<String>> = match declared.init {
            Some(init) => (0..witnesses).map(|number| self.initial(init, number)).collect(),
            None => Some((0..witnesses).map(|_| self.nondet.any(element)).collect()),
        };
        let values = values.unwrap_or_default();
        match declared.storage {
            Storage::Static { .. } => {
                if declared.init.is_some() {
                    for (number, value) in values.iter().enumerate() {
                        let cell = self.cell(var, number);
                        let _ = write!(self.start, " {cell} = {value};");
                    }
                }
            }
            _ if witnesses == 1 => {
                let _ = write!(text, " = {}", values.join(", "));
            }
            _ => {
                let _ = write!(text, " = {{ {} }}", values.join(", "));
            }
        }
        self.text.replace(span, text);
    }

    /// The value that an initialiser gives to the element at a witness index.
    fn initial(&self, init: vergo_cfront::hir::InitId, number: usize) -> Option<String> {
        let InitKind::List(list) = self.unit.inits[init].kind else { return None };
        let witness = self.nondet.witness(number, 0);
        let mut text = String::new();
        for entry in self.unit.init_lists.get(list) {
            let InitKind::Expr(expr) = self.unit.inits[entry.init].kind else { return None };
            let value = self.text.render(self.unit.exprs[expr].span);
            let _ = write!(text, "{witness} == {} ? ({value}) : ", entry.first);
        }
        text.push('0');
        Some(text)
    }

    /// Transforms an expression.
    pub(crate) fn expr(&mut self, expr: ExprId) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            match access(self.unit, expr).filter(|access| self.places.has(access)) {
                Some(access) => {
                    for &index in &access.indices {
                        self.expr(index);
                    }
                    match self.plans.written.get(&expr) {
                        None => self.rule_3_e2(expr, &access),
                        Some(&also_read) => self.rule_3_s1(expr, &access, also_read),
                    }
                }
                None => match self.unit.exprs[expr].kind {
                    // The array itself, which is handed on.
                    ExprKind::Var(var)
                        if self.places.all.contains_key(&var) && self.is_array(var) =>
                    {
                        let cells = self.cells(var);
                        self.text.replace(self.unit.exprs[expr].span, cells);
                    }
                    _ => self.rule_3_e1(expr),
                },
            }
        });
    }

    /// Rules 3.E1 and 3.E3: an operation is one on the transformed operands; what has no operands stays.
    fn rule_3_e1(&mut self, expr: ExprId) {
        for child in children(self.unit, Node::Expr(expr)) {
            match child {
                Node::Expr(child) => self.expr(child),
                Node::Stmt(child) => self.stmt(child),
            }
        }
        if self.places.allocations.contains_key(&expr) {
            self.allocation(expr);
        }
        let assertion = self.plans.assertions.iter().find(|a| a.call == expr && a.guarded);
        if let Some(assertion) = assertion {
            self.rule_3_s8(expr, assertion.region);
        }
    }

    /// Rule 3.E2: an element is the witness, if its index is the witness index, or else anything.
    fn rule_3_e2(&mut self, expr: ExprId, access: &Access) {
        let (element, dimensions) = self.places.all[&access.var];
        let function = self.nondet.read(element, dimensions);
        let flag = match self.plans.noted.get(&expr) {
            Some(&Some(stmt)) => self.flag(stmt),
            Some(None) => self.nondet.variable("missed", self.int()),
            None => self.nondet.variable("ignored", self.int()),
        };
        let arguments = self.indices(expr, access);
        let cells = self.cells(access.var);
        let text = format!("{function}({cells}, {arguments}, &{flag})");
        self.text.replace(self.unit.exprs[expr].span, text);
    }

    /// Rule 3.S1: what is assigned to an element goes to the witness, if its index is the witness index.
    fn rule_3_s1(&mut self, expr: ExprId, access: &Access, also_read: bool) {
        let (element, dimensions) = self.places.all[&access.var];
        let function = self.nondet.place(element, dimensions);
        // What is read before it is written needs a place of its own: two of them may stand in one expression.
        let other = if also_read {
            self.sites += 1;
            self.nondet.variable(&format!("other_{}", self.sites), element)
        } else {
            let name = format!("other{}", element_word(&function));
            self.nondet.variable(&name, element)
        };
        let arguments = self.indices(expr, access);
        let cells = self.cells(access.var);
        let text = format!("(*{function}({cells}, {arguments}, &{other}))");
        self.text.replace(self.unit.exprs[expr].span, text);
    }

    fn indices(&self, expr: ExprId, access: &Access) -> String {
        if let (Some(&number), [index]) = (self.plans.pins.get(&expr), access.indices.as_slice()) {
            let index = self.text.render(self.unit.exprs[*index].span);
            let witness = self.nondet.witness(number, 0);
            return format!("{}pin({index}, {witness})", self.nondet.prefix);
        }
        if access.indices.is_empty() {
            return "0".to_owned();
        }
        let index = |&index: &ExprId| self.text.render(self.unit.exprs[index].span);
        let texts: Vec<String> = access.indices.iter().map(index).collect();
        match texts.as_slice() {
            [alone] if alone.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
                alone.clone()
            }
            _ => texts.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(", "),
        }
    }

    fn int(&self) -> vergo_cfront::types::QualType {
        let kind = vergo_cfront::types::TypeKind::Int(vergo_cfront::types::IntKind::Int);
        self.unit.types.find(&kind).map_or_else(
            || unreachable!("`int` is the type of every constant and of `main`"),
            Into::into,
        )
    }

    /// Memory for the witness elements instead of for all.
    fn allocation(&mut self, call: ExprId) {
        let ExprKind::Call(called, _) = self.unit.exprs[call].kind else { return };
        let Some(&var) = self.places.allocations.get(&call) else { return };
        let (element, _) = self.places.all[&var];
        let ty = self.nondet.declare(element, "");
        let count = self.nondet.witnesses;
        let callee_text = self.text.render(self.unit.exprs[called].span);
        let is_calloc = callee(self.unit, called).is_some_and(|function| {
            self.unit.names.name(self.unit.functions[function].name) == "calloc"
        });
        let size = format!("sizeof({})", ty.trim_end());
        let text = if is_calloc {
            format!("{callee_text}({count}, {size})")
        } else {
            format!("{callee_text}({count} * {size})")
        };
        self.text.replace(self.unit.exprs[call].span, text);
    }

    /// Rule 3.S8: an assertion is one over the witnesses; one over other elements is some other choice's.
    fn rule_3_s8(&mut self, call: ExprId, region: Option<StmtId>) {
        let ExprKind::Call(called, args) = self.unit.exprs[call].kind else { return };
        let span = self.unit.exprs[call].span;
        let flag = match region {
            Some(stmt) => self.flag(stmt),
            None => self.nondet.variable("missed", self.int()),
        };
        let name = callee(self.unit, called)
            .map_or("", |f| self.unit.names.name(self.unit.functions[f].name));
        let text = match self.unit.expr_lists.get(args) {
            [arg] if crate::effects::library(name) != crate::effects::Library::Error => {
                self.sites += 1;
                let value = self.unit.exprs[*arg];
                let kept = self.nondet.variable(&format!("claim_{}", self.sites), value.ty);
                let callee_text = self.text.render(self.unit.exprs[called].span);
                let arg = self.text.render(value.span);
                let reset = if region.is_none() { format!("{flag} = 0, ") } else { String::new() };
                format!("({reset}{kept} = ({arg}), {flag} ? (void)0 : {callee_text}({kept}))")
            }
            _ => format!("({flag} ? (void)0 : (void){})", self.text.render(span)),
        };
        self.text.replace(span, text);
    }

    /// The variable that notes reads which miss the witnesses in an iteration.
    pub(crate) fn flag(&self, stmt: StmtId) -> String {
        format!("{}missed{}", self.nondet.prefix, self.plans.loops[&stmt].number)
    }

    /// Transforms a statement.
    pub(crate) fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let unit = self.unit;
            match unit.stmts[stmt].kind {
                StmtKind::Decl(var) => {
                    self.parts(stmt);
                    if self.places.all.contains_key(&var) && self.is_array(var) {
                        self.declare(var);
                    }
                }
                StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                    self.parts(stmt);
                    let plans = self.plans;
                    match plans.loops.get(&stmt) {
                        Some(plan) if self.is_full(plan) => self.rule_3_s3(plan),
                        Some(plan) => self.rule_3_s4(plan),
                        None => {}
                    }
                }
                StmtKind::If(..) => self.rule_3_s5(stmt),
                StmtKind::Compound(_) => self.rule_3_s7(stmt),
                _ => self.parts(stmt),
            }
        });
    }

    /// Rules 3.S5 and 3.S6: both branches, and what decides between them.
    fn rule_3_s5(&mut self, stmt: StmtId) {
        self.parts(stmt);
    }

    /// Rule 3.S7: one statement after the other.
    fn rule_3_s7(&mut self, stmt: StmtId) {
        self.parts(stmt);
    }

    /// Rules 3.S2 and 3.S9, and the inside of the others: what a statement is made of.
    fn parts(&mut self, stmt: StmtId) {
        for child in children(self.unit, Node::Stmt(stmt)) {
            match child {
                Node::Expr(child) => self.expr(child),
                Node::Stmt(child) => self.stmt(child),
            }
        }
    }
}

/// The part of a helper's name that says its type.
fn element_word(function: &str) -> &str {
    function.find("place").map_or("", |at| &function[at + "place".len()..])
}

/// The pairs of brackets that follow a name, and where the last one ends.
pub(crate) fn brackets(map: &SourceMap, name: Span) -> Option<(usize, u32)> {
    let file = map.lookup(name.lo)?.0;
    let rest = Span::new(name.hi, map.file_span(file).hi);
    let text = map.span_text(rest);
    let (mut depth, mut count, mut end) = (0, 0, name.hi);
    for (piece, range) in pieces(text) {
        match piece {
            Piece::Blank => continue,
            Piece::Punctuator => match text[range.start] {
                b'[' => depth += 1,
                b']' if depth == 1 => {
                    depth = 0;
                    count += 1;
                    end = rest.lo + range.end as u32;
                }
                b']' => depth -= 1,
                _ if depth == 0 => break,
                _ => {}
            },
            _ if depth == 0 => break,
            _ => {}
        }
    }
    Some((count, end))
}
