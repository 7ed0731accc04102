//! Rules 3.S3 and 3.S4: what becomes of loops.
//!
//! Rule 3.S4 is more general than the paper's, which executes one iteration: here all iterations are executed that can
//! access a witness, in their order, and the state in between is arbitrary within what [`crate::induction`] knows. That
//! is what makes several witnesses, indices at a distance (`a[i - 1]`), strides, loops over a part of an array, and
//! `break` and `return` exact where the paper's rule is not. Section 7's special cases are not needed then.
//!
//! In which iteration an index meets a witness is a quotient: how far they are apart, divided by how far the index moves.
//! Where it moves by more than one, quotient and remainder are chosen and it is assumed that they are that: a product
//! with a constant is a small circuit, and a division of 64 bits is not.

use crate::induction::Shape;
use crate::plan::{Plan, Touch, shape_of};
use crate::rules::Rules;
use std::fmt::Write;
use vergo_cfront::hir::{StmtId, StmtKind, VarId};
use vergo_cfront::walk::{Node, any, stmt_kind};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::Span;

/// An iteration number that no loop reaches.
const NEVER: &str = "4611686018427387904LL";

/// A distance that no two indices of 32 bits and short arrays have.
const FAR: &str = "4398046511104LL";

impl Rules<'_> {
    /// Returns whether a loop accesses all elements of all arrays that the witness index can be one of.
    pub(crate) fn is_full(&self, plan: &Plan<'_>) -> bool {
        plan.full.is_some()
            && plan.full == self.lengths[0]
            && self.nondet.witnesses == 1
            && !plan.free_slot
            && !plan.ends
    }

    /// Rule 3.S3: a loop over all elements is its iteration for the witness.
    pub(crate) fn rule_3_s3(&mut self, plan: &Plan<'_>) {
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
    pub(crate) fn rule_3_s4(&mut self, plan: &Plan<'_>) {
        let slots = plan.slots(self.nondet.witnesses);
        let p = self.nondet.prefix.clone();
        let mut text = self.head(plan, "3.S4: iterations that can access a witness");
        let (n, k) = self.counters(plan);
        let _ = writeln!(text, "long long {n} = 0, {k} = 0; (void){n}; (void){k};");
        if plan.ends {
            let (last, number) = (self.last(plan), self.nondet.number());
            let range = self.nondet.assume(&format!("{last} >= -1 && {last} < {NEVER}"));
            let _ = writeln!(text, "long long {last} = {number}; {range}");
        }
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
            let mut meets = self.meets(plan);
            if !plan.settled.is_empty() {
                // Nor is one for the last change of a flag that reads something else.
                meets = format!("!{} || {meets}", self.flag(plan.parts.stmt));
            }
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
            if plan.ends {
                let assume = self.nondet.assume(&format!("{k} - 1 == {}", self.last(plan)));
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

    /// The number of the last iteration.
    fn last(&self, plan: &Plan<'_>) -> String {
        format!("{}last{}", self.nondet.prefix, plan.number)
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

    /// Returns the declarations of values to be remembered from before the iterations.
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
                if self.is_divided(touch) {
                    for witness in 0..self.nondet.witnesses {
                        text.push_str(&self.division(plan, number, witness));
                    }
                }
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
        if plan.ends {
            for end in ["0", &self.last(plan)] {
                let assume = self.nondet.assume(&format!("!({end} >= {n} && {end} < {k})"));
                let _ = writeln!(text, "{assume}");
            }
        }
        for place in 0..plan.touches.len() {
            for witness in 0..self.nondet.witnesses {
                let (quotient, divides) = self.meeting(plan, place, witness);
                let assume = self
                    .nondet
                    .assume(&format!("!({divides}{quotient} >= {n} && {quotient} < {k})"));
                let _ = writeln!(text, "{assume}");
            }
        }
    }

    /// The iteration in which an index meets a witness, and when there is one, if not always.
    fn meeting(&self, plan: &Plan<'_>, place: usize, witness: usize) -> (String, String) {
        let touch = &plan.touches[place];
        let entry = self.touch_name(plan, place);
        let w = self.nondet.witness(witness, touch.dimension);
        match touch.motion.slope {
            1 => (format!("{w} - {entry}"), String::new()),
            -1 => (format!("{entry} - {w}"), String::new()),
            _ if self.is_divided(touch) => {
                let (quotient, remainder) = self.quotient_names(plan, place, witness);
                (quotient, format!("{remainder} == 0 && "))
            }
            slope => (
                format!("({w} - {entry}) / ({slope})"),
                format!("({w} - {entry}) % ({slope}) == 0 && "),
            ),
        }
    }

    /// Returns whether quotients are chosen: the distance of two indices is far from overflow.
    fn is_divided(&self, touch: &Touch) -> bool {
        let ty = self.unit.exprs[touch.index].ty;
        let shape = self.unit.types.int_shape(ty, &self.unit.target);
        shape.is_some_and(|shape| shape.width <= 32)
            && self.lengths[touch.dimension].is_some_and(|length| length < 1 << 40)
            && touch.motion.shift.unsigned_abs() < 1 << 40
            && (2..1 << 16).contains(&touch.motion.slope.unsigned_abs())
    }

    fn quotient_names(&self, plan: &Plan<'_>, place: usize, witness: usize) -> (String, String) {
        let (p, loop_number) = (&self.nondet.prefix, plan.number);
        let (place, witness) = (place + 1, witness + 1);
        (
            format!("{p}q{loop_number}_{place}_{witness}"),
            format!("{p}r{loop_number}_{place}_{witness}"),
        )
    }

    /// Chooses the quotient and the remainder of the distance between an index and a witness.
    fn division(&mut self, plan: &Plan<'_>, place: usize, witness: usize) -> String {
        let touch = &plan.touches[place];
        let (quotient, remainder) = self.quotient_names(plan, place, witness);
        let (entry, w) =
            (self.touch_name(plan, place), self.nondet.witness(witness, touch.dimension));
        let (number, slope) = (self.nondet.number(), touch.motion.slope);
        let assume = self.nondet.assume(&format!(
            "{quotient} > -{FAR} && {quotient} < {FAR} && {remainder} >= 0 && {remainder} < {} && {quotient} * ({slope}) + {remainder} == {w} - {entry}",
            slope.unsigned_abs()
        ));
        format!("long long {quotient} = {number}, {remainder} = {number}; {assume}\n")
    }

    /// Returns the condition that an index meets a witness in the iteration that is looked at.
    fn meets(&self, plan: &Plan<'_>) -> String {
        let (_, k) = self.counters(plan);
        let mut all = Vec::new();
        if plan.ends {
            all.push(format!("{k} == 0 || {k} == {}", self.last(plan)));
        }
        for place in 0..plan.touches.len() {
            for witness in 0..self.nondet.witnesses {
                let (quotient, divides) = self.meeting(plan, place, witness);
                let meets = format!("{divides}{quotient} == {k}");
                all.push(if divides.is_empty() { meets } else { format!("({meets})") });
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
