//! The rules of figure 3 of the paper, one function each.
//!
//! `x_a` is what is declared in place of an array `a`: memory for its elements at the witness indices. Accesses go
//! through two small functions for each element type: one gives the value of the element at an index, which is arbitrary
//! unless the index is a witness; the other gives the place to write to, which is nobody's unless it is. They evaluate
//! the index once and where it stands, so that rules 3.E2 and 3.S1 hold in any expression.
//!
//! Rule 3.S4 is more general than the paper's, which executes one iteration: here all iterations are executed that can
//! access a witness, in their order, and the state in between is arbitrary within what [`crate::induction`] knows. That
//! is what makes several witnesses, indices at a distance (`a[i - 1]`), strides, loops over a part of an array, and
//! `break` and `return` exact where the paper's rule is not. Section 7's special cases are not needed then.

use crate::induction::Shape;
use crate::nondet::Nondet;
use crate::places::{Access, Places, access, callee};
use crate::plan::{Plan, Plans, Touch, shape_of};
use crate::rewrite::Rewrites;
use std::fmt::Write;
use vergo_cfront::hir::{ExprId, ExprKind, InitKind, StmtId, StmtKind, Storage, Unit, VarId};
use vergo_cfront::walk::{Node, any, children, stmt_kind};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::{SourceMap, Span};

/// An iteration number that no loop reaches.
const NEVER: &str = "4611686018427387904LL";

pub(crate) struct Rules<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) map: &'a SourceMap,
    pub(crate) places: &'a Places,
    pub(crate) plans: &'a Plans<'a>,
    pub(crate) nondet: Nondet<'a>,
    pub(crate) text: Rewrites,
    /// The greatest length in each dimension, where all are known.
    pub(crate) lengths: Vec<Option<u64>>,
    /// How many variables for single places there are.
    pub(crate) sites: usize,
    /// What is done first in `main`.
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
    fn name(&self, var: VarId) -> String {
        let name = self.unit.vars[var].name.map_or("", |name| self.unit.names.name(name));
        if self.is_array(var) { format!("{}{name}", self.nondet.prefix) } else { name.to_owned() }
    }

    fn is_array(&self, var: VarId) -> bool {
        self.unit.types.is_array(self.unit.vars[var].ty)
    }

    /// A pointer to the witness elements.
    fn cells(&self, var: VarId) -> String {
        let name = self.name(var);
        if self.is_array(var) && self.nondet.witnesses == 1 { format!("&{name}") } else { name }
    }

    /// One witness element.
    fn cell(&self, var: VarId, number: usize) -> String {
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
        let arguments = self.indices(access);
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
        let arguments = self.indices(access);
        let cells = self.cells(access.var);
        let text = format!("(*{function}({cells}, {arguments}, &{other}))");
        self.text.replace(self.unit.exprs[expr].span, text);
    }

    fn indices(&self, access: &Access) -> String {
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
    fn flag(&self, stmt: StmtId) -> String {
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

    /// Whether a loop accesses all elements of all arrays that the witness index can be one of.
    pub(crate) fn is_full(&self, plan: &Plan<'_>) -> bool {
        plan.full.is_some()
            && plan.full == self.lengths[0]
            && self.nondet.witnesses == 1
            && !plan.free_slot
    }

    /// Rule 3.S3: a loop over all elements is its iteration for the witness.
    fn rule_3_s3(&mut self, plan: &Plan<'_>) {
        let witness = self.nondet.witness(0, 0);
        let length = plan.full.unwrap_or_default();
        let mut text = self.head(plan, "3.S3: the iteration of the witness");
        let (n, k) = self.counters(plan);
        let _ = writeln!(text, "long long {n} = 0, {k} = {witness}; (void){n};");
        text.push_str(&self.entries(plan, false));
        self.iteration(plan, &mut text);
        let _ = writeln!(text, "{n} = {k} + 1; {k} = {length};");
        self.skip(plan, &mut text);
        self.place_loop(plan, text);
    }

    /// Rule 3.S4: a loop is those iterations that can access a witness, in their order, and any other where it matters.
    fn rule_3_s4(&mut self, plan: &Plan<'_>) {
        let slots = plan.slots(self.nondet.witnesses);
        let p = self.nondet.prefix.clone();
        let mut text = self.head(plan, "3.S4: iterations that can access a witness");
        let (n, k) = self.counters(plan);
        let _ = writeln!(text, "long long {n} = 0, {k} = 0; (void){n}; (void){k};");
        text.push_str(&self.entries(plan, true));
        let choice = self.nondet.choice();
        if slots > 0 {
            if slots > 1 {
                let s = format!("{p}s{}", plan.number);
                let _ = writeln!(
                    text,
                    "for (int {s} = 0; {s} < {slots}; {s}++) {{ if ({choice}) continue;"
                );
            } else {
                let _ = writeln!(text, "if ({choice}) {{");
            }
            self.choose_iteration(plan, &mut text);
            self.iteration(plan, &mut text);
            // An iteration that meets no witness is as good as left out once it is over.
            let meets = self.meets(plan);
            let assume = self.nondet.assume(&meets);
            let _ = writeln!(text, "{assume}\n{n} = {k} + 1; }}");
        }
        if plan.impure_condition || plan.parts.cond.is_none() {
            // Such a loop is left from within an iteration.
            let never = self.nondet.assume("0");
            let _ = writeln!(text, "{never}");
        } else {
            self.choose_iteration(plan, &mut text);
            if plan.parts.is_do {
                let assume = self.nondet.assume(&format!("{k} > 0"));
                let _ = writeln!(text, "{assume}");
            }
            self.skip(plan, &mut text);
            let cond = self.condition(plan);
            let assume = self.nondet.assume(&format!("!({cond})"));
            let _ = writeln!(text, "{assume}");
        }
        self.place_loop(plan, text);
    }

    /// The iteration to be executed next, and the one that is looked at.
    fn counters(&self, plan: &Plan<'_>) -> (String, String) {
        let p = &self.nondet.prefix;
        (format!("{p}n{}", plan.number), format!("{p}k{}", plan.number))
    }

    /// The beginning of what stands for a loop: what comes before its iterations.
    fn head(&mut self, plan: &Plan<'_>, rule: &str) -> String {
        let mut text = format!("{{ /* {rule} */\n");
        if let StmtKind::For { .. } = self.unit.stmts[plan.parts.stmt].kind
            && let Some([init, _, _]) = self.header(plan.parts.stmt)
        {
            let init = self.text.render(init);
            if !init.trim().is_empty() {
                let _ = writeln!(text, "{};", init.trim());
            }
        }
        text
    }

    /// What has to be remembered from before the iterations.
    fn entries(&mut self, plan: &Plan<'_>, with_touches: bool) -> String {
        let unit = self.unit;
        let mut text = String::new();
        for &var in plan.motion.linear.keys() {
            if let Some(name) = self.entry_name(plan, var) {
                let declared = self.nondet.declare(unit.vars[var].ty, &name);
                let _ = writeln!(text, "{declared} = {};", self.variable_name(var));
            }
        }
        if with_touches {
            for (number, touch) in plan.touches.iter().enumerate() {
                let name = self.touch_name(plan, number);
                let index = self.text.original(unit.exprs[touch.index].span);
                let shift = match touch.motion.shift {
                    0 => String::new(),
                    shift => format!(" + ({shift})"),
                };
                let _ = writeln!(text, "long long {name} = (long long)({index}){shift};");
            }
            for (number, lost) in plan.lost.iter().enumerate() {
                if let Some((index, shift)) = lost.index {
                    let name = self.lost_name(plan, number);
                    let index = self.text.original(unit.exprs[index].span);
                    let _ = writeln!(text, "long long {name} = (long long)({index}) + ({shift});");
                }
            }
        }
        if plan.has_flag {
            let _ = writeln!(text, "int {} = 0;", self.flag(plan.parts.stmt));
        }
        text
    }

    fn variable_name(&self, var: VarId) -> String {
        self.unit.vars[var].name.map_or_else(String::new, |n| self.unit.names.name(n).to_owned())
    }

    /// Where the value of a variable before the loop is kept, if the variable lives before the loop.
    fn entry_name(&self, plan: &Plan<'_>, var: VarId) -> Option<String> {
        let body = self.unit.stmts[plan.parts.body].span;
        let declared = &self.unit.vars[var];
        (!body.contains(declared.span))
            .then(|| format!("{}{}_{}", self.nondet.prefix, self.variable_name(var), plan.number))
    }

    fn touch_name(&self, plan: &Plan<'_>, number: usize) -> String {
        format!("{}f{}_{}", self.nondet.prefix, plan.number, number + 1)
    }

    fn lost_name(&self, plan: &Plan<'_>, number: usize) -> String {
        format!("{}g{}_{}", self.nondet.prefix, plan.number, number + 1)
    }

    /// Chooses an iteration; none that can access a witness is left out before it.
    fn choose_iteration(&mut self, plan: &Plan<'_>, text: &mut String) {
        let (n, k) = self.counters(plan);
        let number = self.nondet.number();
        let range = self.nondet.assume(&format!("{k} >= {n} && {k} < {NEVER}"));
        let _ = writeln!(text, "{k} = {number}; {range}");
        for (place, touch) in plan.touches.iter().enumerate() {
            let entry = self.touch_name(plan, place);
            for witness in 0..self.nondet.witnesses {
                let w = self.nondet.witness(witness, touch.dimension);
                let left_out = left_out(touch, &w, &entry, &n, &k);
                let assume = self.nondet.assume(&format!("!({left_out})"));
                let _ = writeln!(text, "{assume}");
            }
        }
    }

    /// Whether an index meets a witness in the iteration that is looked at.
    fn meets(&self, plan: &Plan<'_>) -> String {
        let (_, k) = self.counters(plan);
        let mut all = Vec::new();
        for (place, touch) in plan.touches.iter().enumerate() {
            let entry = self.touch_name(plan, place);
            for witness in 0..self.nondet.witnesses {
                let w = self.nondet.witness(witness, touch.dimension);
                all.push(match touch.motion.slope {
                    1 => format!("{w} - {entry} == {k}"),
                    -1 => format!("{entry} - {w} == {k}"),
                    slope => format!("{w} - {entry} == ({slope}) * {k}"),
                });
            }
        }
        if all.is_empty() { "0".to_owned() } else { all.join(" || ") }
    }

    /// The state at the beginning of the iteration that is looked at, when others may be left out before it.
    fn skip(&mut self, plan: &Plan<'_>, text: &mut String) {
        let (n, k) = self.counters(plan);
        let mut havoc = String::new();
        for &var in &plan.havoc {
            havoc.push_str(&self.havoc(plan, var));
        }
        for (number, lost) in plan.lost.iter().enumerate() {
            let (element, _) = self.places.all[&lost.var];
            for witness in 0..self.nondet.witnesses {
                let value = self.nondet.any(element);
                let cell = self.cell(lost.var, witness);
                let mut conditions = Vec::new();
                if !self.is_array(lost.var) {
                    conditions.push(self.name(lost.var));
                }
                if lost.index.is_some() {
                    let w = self.nondet.witness(witness, 0);
                    conditions.push(format!("{} == {w}", self.lost_name(plan, number)));
                }
                // A write that may not happen leaves the old value.
                conditions.push(self.nondet.choice());
                let _ = writeln!(havoc, "if ({}) {cell} = {value};", conditions.join(" && "));
            }
        }
        if !havoc.is_empty() {
            let _ = writeln!(text, "if ({k} != {n}) {{ {havoc}}}");
        }
        let simple = plan.motion.condition_is_simple() && !plan.impure_condition;
        if simple && !self.is_full(plan) {
            let cond = self.condition(plan);
            let last = self.assign_linear(plan, &format!("({k} - 1)"));
            let first = if plan.parts.is_do { format!(" && {k} > 1") } else { String::new() };
            let assume = self.nondet.assume(&cond.to_string());
            let _ = writeln!(text, "if ({k} != {n}{first}) {{ {last}{assume} }}");
        }
        let linear = self.assign_linear(plan, &k);
        if !linear.is_empty() {
            let _ = writeln!(text, "{linear}");
        }
    }

    /// Sets linear variables to their values at the beginning of an iteration.
    fn assign_linear(&mut self, plan: &Plan<'_>, iteration: &str) -> String {
        let mut text = String::new();
        for (&var, linear) in &plan.motion.linear {
            let Some(entry) = self.entry_name(plan, var) else { continue };
            let ty = self.nondet.declare(self.unit.vars[var].ty, "");
            let (ty, name) = (ty.trim_end().to_owned(), self.variable_name(var));
            let shape = self.unit.types.int_shape(self.unit.vars[var].ty, &self.unit.target);
            let wide = shape.is_some_and(|shape| shape.width > 32);
            let (unsigned, step) = if wide {
                ("unsigned long long", format!("{}ULL", linear.step as u64))
            } else {
                ("unsigned int", format!("{}U", linear.step as u32))
            };
            let value = match linear.step {
                1 => format!("{entry} + {iteration}"),
                -1 => format!("{entry} - {iteration}"),
                _ => format!("({unsigned}){entry} + {step} * ({unsigned}){iteration}"),
            };
            let _ = write!(text, "{name} = ({ty})({value}); ");
        }
        text
    }

    /// Gives a variable the values that it can have after some iterations.
    fn havoc(&mut self, plan: &Plan<'_>, var: VarId) -> String {
        let (n, k) = self.counters(plan);
        let name = self.variable_name(var);
        let ty = self.unit.vars[var].ty;
        let any = self.nondet.any(ty);
        let old = format!("{}old", self.nondet.prefix);
        let (more, less, most) = match shape_of(plan, var) {
            Shape::Any => return format!("{name} = {any};\n"),
            Shape::Constants(values) => {
                let choice = self.nondet.choice();
                return values
                    .iter()
                    .map(|value| {
                        let text = if *value == i64::MIN {
                            "(-9223372036854775807LL - 1)".to_owned()
                        } else {
                            value.to_string()
                        };
                        format!("if ({choice}) {name} = {text};\n")
                    })
                    .collect();
            }
            Shape::Up(most) => (name.clone(), old.clone(), *most),
            Shape::Down(most) => (old.clone(), name.clone(), *most),
        };
        let mut bound = format!("{more} >= {less}");
        if let Some(most) = most.filter(|most| *most < 1_000_000_000) {
            let _ = write!(
                bound,
                " && ({k} - {n} > 1000000000LL || (unsigned long long){more} - (unsigned long long){less} <= {most}ULL * (unsigned long long)({k} - {n}))"
            );
        }
        let declared = self.nondet.declare(ty, &old);
        let assume = self.nondet.assume(&bound);
        format!("{{ {declared} = {name}; {name} = {any}; {assume} }}\n")
    }

    /// One iteration: the state before it, the condition, the body and the step.
    fn iteration(&mut self, plan: &Plan<'_>, text: &mut String) {
        let unit = self.unit;
        self.skip(plan, text);
        let (_, k) = self.counters(plan);
        if plan.has_flag {
            let _ = writeln!(text, "{} = 0;", self.flag(plan.parts.stmt));
        }
        let cond = self.condition(plan);
        if plan.impure_condition && !plan.parts.is_do {
            let _ = writeln!(text, "if (!({cond})) goto {};", self.label(plan, "exit"));
        } else if plan.parts.cond.is_some() && !plan.impure_condition && !self.is_full(plan) {
            let holds =
                if plan.parts.is_do { format!("{k} == 0 || ({cond})") } else { cond.clone() };
            let assume = self.nondet.assume(&holds);
            let _ = writeln!(text, "{assume}");
        }
        self.jumps(plan);
        let body = unit.stmts[plan.parts.body].span;
        let rendered = self.text.render(body);
        let _ = writeln!(text, "{}{{ {rendered} }}", self.line(body.lo));
        if self.has_continue(plan) {
            let _ = writeln!(text, "{}: ;", self.label(plan, "next"));
        }
        if let Some(step) = plan.parts.step
            && let Some([_, _, span]) = self.header(plan.parts.stmt)
        {
            let _ = writeln!(
                text,
                "{}{};",
                self.line(unit.exprs[step].span.lo),
                self.text.render(span).trim()
            );
        }
        if plan.impure_condition && plan.parts.is_do {
            let _ = writeln!(text, "if (!({cond})) goto {};", self.label(plan, "exit"));
        }
    }

    fn condition(&self, plan: &Plan<'_>) -> String {
        let Some(cond) = plan.parts.cond else { return "1".to_owned() };
        match self.header(plan.parts.stmt) {
            Some([_, span, _]) => self.text.render(span).trim().to_owned(),
            None => self.text.render(self.unit.exprs[cond].span),
        }
    }

    fn label(&self, plan: &Plan<'_>, word: &str) -> String {
        format!("{}{word}{}", self.nondet.prefix, plan.number)
    }

    fn has_continue(&self, plan: &Plan<'_>) -> bool {
        let stmt = plan.parts.stmt;
        any(
            self.unit,
            Node::Stmt(plan.parts.body),
            &|node| matches!(stmt_kind(self.unit, node), Some(StmtKind::Continue(to)) if to == stmt),
        )
    }

    fn has_exit(&self, plan: &Plan<'_>) -> bool {
        let stmt = plan.parts.stmt;
        plan.impure_condition
            || any(
                self.unit,
                Node::Stmt(plan.parts.body),
                &|node| matches!(stmt_kind(self.unit, node), Some(StmtKind::Break(to)) if to == stmt),
            )
    }

    /// `break` and `continue` of the loop become jumps.
    fn jumps(&mut self, plan: &Plan<'_>) {
        let (unit, stmt) = (self.unit, plan.parts.stmt);
        let mut jumps = Vec::new();
        vergo_cfront::walk::visit(unit, Node::Stmt(plan.parts.body), &mut |node| {
            if let Node::Stmt(inner) = node {
                match unit.stmts[inner].kind {
                    StmtKind::Break(to) if to == stmt => jumps.push((inner, "exit")),
                    StmtKind::Continue(to) if to == stmt => jumps.push((inner, "next")),
                    _ => {}
                }
            }
            true
        });
        for (jump, word) in jumps {
            let span = unit.stmts[jump].span;
            let end = if self.text.original(span).ends_with(';') { ";" } else { "" };
            let text = format!("goto {}{end}", self.label(plan, word));
            self.text.replace(span, text);
        }
    }

    /// Puts the text of a loop in its place.
    fn place_loop(&mut self, plan: &Plan<'_>, mut text: String) {
        if self.has_exit(plan) {
            let _ = writeln!(text, "{}: ;", self.label(plan, "exit"));
        }
        let span = self.unit.stmts[plan.parts.stmt].span;
        let _ = write!(text, "}}\n{}", self.line(span.hi));
        self.text.replace(span, text);
    }

    /// A line marker: what follows stands there in the source.
    fn line(&self, position: u32) -> String {
        let at = self.map.presumed(position);
        let name = at.file.replace('\\', "\\\\").replace('"', "\\\"");
        format!("# {} \"{name}\"\n", at.line)
    }

    /// The three parts in the parentheses of `for`; the condition alone for other loops.
    fn header(&self, stmt: StmtId) -> Option<[Span; 3]> {
        let unit = self.unit;
        let whole = unit.stmts[stmt].span;
        let from = match unit.stmts[stmt].kind {
            StmtKind::DoWhile(body, _) => unit.stmts[body].span.hi,
            _ => whole.lo,
        };
        let rest = Span::new(from, whole.hi);
        let text = self.map.span_text(rest);
        let mut depth = 0;
        let mut marks = Vec::new();
        for (piece, range) in pieces(text) {
            if piece != Piece::Punctuator {
                continue;
            }
            match text[range.start] {
                b'(' | b'[' | b'{' => {
                    depth += 1;
                    if depth == 1 {
                        marks.push(range);
                    }
                }
                b')' | b']' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        marks.push(range);
                        break;
                    }
                }
                b';' if depth == 1 => marks.push(range),
                _ => {}
            }
        }
        let between = |a: usize, b: usize| {
            Some(Span::new(
                rest.lo + marks.get(a)?.end as u32,
                rest.lo + marks.get(b)?.start as u32,
            ))
        };
        match marks.len() {
            2 => between(0, 1).map(|span| [Span::at(span.lo), span, Span::at(span.hi)]),
            4 => Some([between(0, 1)?, between(1, 2)?, between(2, 3)?]),
            _ => None,
        }
    }
}

/// Whether the iteration in which an index meets a witness is among those that are left out.
fn left_out(touch: &Touch, w: &str, entry: &str, n: &str, k: &str) -> String {
    match touch.motion.slope {
        1 => format!("{w} - {entry} >= {n} && {w} - {entry} < {k}"),
        -1 => format!("{entry} - {w} >= {n} && {entry} - {w} < {k}"),
        slope => format!(
            "({w} - {entry}) % ({slope}) == 0 && ({w} - {entry}) / ({slope}) >= {n} && ({w} - {entry}) / ({slope}) < {k}"
        ),
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
