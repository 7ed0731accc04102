//! The facts that a reader of a violation wants to know besides its steps: the values that make the claim false, where
//! a lost object was allocated, and where the last pointer to it was lost.
//!
//! Everything is looked up in the replayed execution where it stands at the violation. When an object was made or lost is
//! found by bisection: the execution is run again for fewer and fewer steps, and asked whether the object is there.

use crate::counterexample::Counterexample;
use crate::execution::{Execution, Step, StepKind};
use vergo_goto::describe::Words;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use vergo_goto::program::{Claim, FunctionId, InstrKind, Program, Symbol};
use vergo_goto::types::Type;
use vergo_interp::{HeapObject, Machine, Outcome, Position};
use vergo_smt::Budget;
use vergo_source::Span;

/// The facts about a violation besides its steps.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The numbers that make the claim false, in a few words: `index 8, size 4`. Empty if there are none.
    pub here: String,
    /// The places that the claim reads and their values: names and texts.
    pub values: Vec<(String, String)>,
    /// Other places that matter, and why.
    pub places: Vec<(Span, String)>,
    /// The reason why it is so, where values do not say it; empty otherwise.
    pub reason: String,
    /// The heap object that they are about, as texts about pointers name it.
    pub object: String,
}

/// Values that are shown at most.
const MOST_VALUES: usize = 8;

impl Counterexample {
    /// The condition of the violated claim, in the function that makes it.
    pub(crate) fn condition(
        &self,
        program: &Program,
        function: FunctionId,
        position: &Position,
    ) -> Option<ExprId> {
        let body = program.functions[function].body.as_deref()?;
        body.iter().find_map(|instr| match &instr.kind {
            InstrKind::Assert(condition, claim)
                if instr.span == position.span && **claim == *self.claim() =>
            {
                Some(*condition)
            }
            _ => None,
        })
    }

    /// Where the objects that are lost at the end of the execution were allocated, and where the last pointer to the
    /// first of them went; for what is merely not freed, only the former.
    pub(crate) fn explain_heap(
        &self,
        program: &Program,
        budget: &Budget,
        explanation: &mut Explanation,
    ) {
        let run = |steps: Option<u64>| {
            let mut options = self.choices().options(budget);
            options.limits.steps = steps.unwrap_or(options.limits.steps);
            let mut machine = Machine::new(program, options);
            let outcome = machine.run();
            (machine.heap(), machine.steps(), outcome)
        };
        let (heap, total, Outcome::Violation(_)) = run(None) else { return };
        let mut objects: Vec<HeapObject> =
            heap.iter().copied().filter(|object| object.lost).collect();
        if objects.is_empty() {
            objects = heap;
        }
        let Some(first) = objects.first().copied() else { return };
        explanation.object = format!("heap object {}", first.number);
        // Where something becomes true that stays true.
        let since = |holds: &dyn Fn(&[HeapObject]) -> bool| {
            let (mut low, mut high) = (1, total);
            while low < high {
                if budget.interrupted().is_some() {
                    return None;
                }
                let middle = low + (high - low) / 2;
                if holds(&run(Some(middle)).0) { high = middle } else { low = middle + 1 }
            }
            // An execution that is stopped stands before its next step.
            match run(Some(high - 1)).2 {
                Outcome::LimitReached { position, .. } => users_place(&position),
                _ => None,
            }
        };
        let find = |heap: &[HeapObject]| heap.iter().find(|object| object.id == first.id).copied();
        let places = &mut explanation.places;
        if let Some(span) = since(&|heap| find(heap).is_some()) {
            let others = match objects.len() - 1 {
                0 => String::new(),
                1 => "; one more object is concerned".to_owned(),
                n => format!("; {n} more objects are concerned"),
            };
            let size = bytes(first.size);
            let object = &explanation.object;
            places.push((span, format!("{object} ({size}) is allocated here{others}")));
        }
        if first.lost
            && let Some(span) = since(&|heap| find(heap).is_some_and(|object| object.lost))
        {
            places.push((span, "the last pointer to it is lost here".to_owned()));
        }
    }
}

/// Where the user's code stands.
fn users_place(position: &Position) -> Option<Span> {
    position.stack.iter().find(|call| !call.library).map(|call| call.span)
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

/// Checks whether a claim is about the heap as a whole.
pub(crate) fn is_about_heap(program: &Program, condition: ExprId) -> bool {
    let op = match program.exprs.kind(condition) {
        ExprKind::Memory(op, _) => *op,
        ExprKind::Unary(UnaryOp::Not, inner) => return is_about_heap(program, *inner),
        ExprKind::Binary(BinaryOp::Or | BinaryOp::And | BinaryOp::Implies, left, right) => {
            return is_about_heap(program, *left) || is_about_heap(program, *right);
        }
        _ => return false,
    };
    matches!(op, MemoryOp::HeapEmpty | MemoryOp::HeapReachable)
}

/// Explains a false condition by the values of what it reads, where a machine stands.
pub(crate) fn values(
    program: &Program,
    function: FunctionId,
    machine: &Machine<'_>,
    condition: ExprId,
    claim: &Claim,
) -> Explanation {
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let is_library = program.functions[function].library;
    let property = claim.property.as_str();
    let look = Look { program, machine, words: Words::of(program, body), is_library, property };
    let mut explanation = Explanation { here: look.here(condition), ..Explanation::default() };
    let mut reads = Vec::new();
    look.reads(condition, &mut reads);
    let pointers = reads.iter().filter(|expr| matches!(program.type_of(**expr), Type::Ptr(_)));
    let heap = pointers.filter_map(|expr| machine.inspect(*expr)).find_map(|text| {
        let object = text.split(" + ").next().filter(|text| text.starts_with("heap object"))?;
        Some(object.to_owned())
    });
    explanation.object = heap.unwrap_or_default();
    // The variables of a model are nobody's but ours.
    reads.retain(|_| !is_library);
    for expr in reads {
        if explanation.values.len() == MOST_VALUES {
            break;
        }
        if look.words.can_describe(program, expr)
            && let Some(value) = machine.inspect(expr)
        {
            let name = look.words.describe(program, expr);
            if !explanation.values.iter().any(|(other, _)| *other == name) {
                explanation.values.push((name, value));
            }
        }
    }
    explanation
}

struct Look<'a> {
    program: &'a Program,
    machine: &'a Machine<'a>,
    words: Words,
    is_library: bool,
    property: &'a str,
}

impl Look<'_> {
    /// The numbers that make a condition false.
    fn here(&self, condition: ExprId) -> String {
        let found = match self.property {
            "arith.conversion" => self.conversion(condition),
            _ => self.failing(condition).and_then(|part| self.numbers(part)),
        };
        found.unwrap_or_default()
    }

    /// A value that another type cannot hold: there and back it is another one, or has another sign.
    fn conversion(&self, condition: ExprId) -> Option<String> {
        let kind = |expr| self.program.exprs.kind(expr);
        let &ExprKind::Binary(BinaryOp::And, same, _) = kind(condition) else { return None };
        let &ExprKind::Binary(BinaryOp::Eq, back, value) = kind(same) else { return None };
        let &ExprKind::Cast(_, converted) = kind(back) else { return None };
        let misfit = misfit(self.program.type_of(converted))?;
        Some(format!("{} {misfit}", self.machine.inspect(value)?))
    }

    /// The innermost part of a conjunction (or implication) that is false.
    fn failing(&self, condition: ExprId) -> Option<ExprId> {
        match *self.program.exprs.kind(condition) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                match self.machine.inspect_truth(left)? {
                    false => self.failing(left),
                    true => self.failing(right),
                }
            }
            ExprKind::Binary(BinaryOp::Implies, _, right) => self.failing(right),
            _ => Some(condition),
        }
    }

    fn numbers(&self, part: ExprId) -> Option<String> {
        let program = self.program;
        let value = |expr| self.machine.inspect(expr);
        let operand = |expr| value(expr).map(|text| in_parentheses(&text));
        match *program.exprs.kind(part) {
            ExprKind::Unary(UnaryOp::Not, inner) => match *program.exprs.kind(inner) {
                ExprKind::Binary(op, left, right) => {
                    let symbol = match op {
                        BinaryOp::AddOverflows => "+",
                        BinaryOp::SubOverflows => "-",
                        BinaryOp::MulOverflows => "*",
                        BinaryOp::ShlOverflows => "<<",
                        _ => return None,
                    };
                    let misfit = misfit(program.type_of(left))?;
                    Some(format!("{} {symbol} {} {misfit}", value(left)?, operand(right)?))
                }
                _ => None,
            },
            ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le), left, right) => {
                match self.property.split('.').next() {
                    Some("memory") => self.bounds(op, left, right),
                    _ if self.property == "arith.shift" => self.shift(left, right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A false comparison of a shift amount with zero or with the last bit.
    fn shift(&self, left: ExprId, right: ExprId) -> Option<String> {
        let value = |expr| self.machine.inspect(expr);
        let is_constant = |expr| matches!(self.program.exprs.kind(expr), ExprKind::Int(_));
        match is_constant(left) {
            true => Some(format!("a shift by {}", value(right)?)),
            false => {
                let n_bits = value(right)?.parse::<u64>().ok()?.checked_add(1)?;
                Some(format!("a shift by {} of {n_bits} bits", value(left)?))
            }
        }
    }

    /// A false comparison that keeps an access inside of something.
    fn bounds(&self, op: BinaryOp, left: ExprId, right: ExprId) -> Option<String> {
        let program = self.program;
        let value = |expr| self.machine.inspect(expr);
        let is_constant = |expr| matches!(program.exprs.kind(expr), ExprKind::Int(_));
        let (mut question, mut size) = (None, None);
        for side in [left, right] {
            let mut pending = vec![side];
            while let Some(expr) = pending.pop() {
                match program.exprs.kind(expr) {
                    ExprKind::Memory(MemoryOp::Offset | MemoryOp::ObjectSize, args) => {
                        question = args.first().copied();
                    }
                    ExprKind::Cast(_, inner) => pending.push(*inner),
                    ExprKind::Binary(BinaryOp::Sub | BinaryOp::Add, a, b) => {
                        pending.extend([*a, *b])
                    }
                    _ => size = Some(expr),
                }
            }
        }
        if let Some(pointer) = question {
            return self.extent(pointer, size.and_then(value));
        }
        if self.is_library {
            return None;
        }
        if self.program.type_of(left) != self.program.type_of(right) {
            return None;
        }
        // `0 <= i` and `i < n`.
        match op {
            BinaryOp::Le if is_constant(left) && value(left)? == "0" => {
                Some(format!("index {}", value(right)?))
            }
            BinaryOp::Lt if is_constant(right) => {
                Some(format!("index {}, size {}", value(left)?, value(right)?))
            }
            _ => None,
        }
    }

    /// Where the bytes of an access are in their object: by index if they are an element from its beginning.
    fn extent(&self, pointer: ExprId, size: Option<String>) -> Option<String> {
        if let Some((index, n_elements)) = self.element(pointer) {
            return Some(format!("index {index}, size {n_elements}"));
        }
        let (offset, object) = self.machine.extent(pointer)?;
        let object = bytes(object);
        let place = format!("offset {offset} in an object of {object}");
        Some(match size.and_then(|size| size.parse().ok()) {
            Some(n @ 2_u64..) => format!("{n} bytes at {place}"),
            _ => place,
        })
    }

    /// The index of the element that a pointer leads to, or into, and how many its object has, if the object begins where
    /// indices are counted from.
    fn element(&self, mut pointer: ExprId) -> Option<(String, u64)> {
        let program = self.program;
        if let ExprKind::AddressOf(mut place) = *program.exprs.kind(pointer) {
            while let ExprKind::Member(base, _) = *program.exprs.kind(place) {
                place = base;
            }
            let ExprKind::Deref(inner) = *program.exprs.kind(place) else { return None };
            pointer = inner;
        }
        let ExprKind::Binary(BinaryOp::PtrAdd, base, index) = *program.exprs.kind(pointer) else {
            return None;
        };
        let &Type::Ptr(element) = program.type_of(base) else { return None };
        let element = program.size_of(element).filter(|size| *size > 0)?;
        let (0, object) = self.machine.extent(base)? else { return None };
        let is_array = !self.is_library && object % element == 0;
        is_array.then(|| Some((self.machine.inspect(index)?, object / element)))?
    }

    /// Collects the places that a condition reads: scalars in memory, and the indices on the way to them.
    fn reads(&self, expr: ExprId, out: &mut Vec<ExprId>) {
        let program = self.program;
        match program.exprs.kind(expr) {
            ExprKind::AddressOf(place) => self.reads_of_place(*place, out),
            kind if program.is_place(expr) => {
                if !matches!(program.type_of(expr), Type::Array(..) | Type::Struct(_))
                    && !out.contains(&expr)
                {
                    out.push(expr);
                }
                if !matches!(kind, ExprKind::Symbol(_)) {
                    self.reads_of_place(expr, out);
                }
            }
            kind => {
                let mut children = Vec::new();
                kind.for_each_child(|child| children.push(child));
                children.into_iter().for_each(|child| self.reads(child, out));
            }
        }
    }

    fn reads_of_place(&self, mut place: ExprId, out: &mut Vec<ExprId>) {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    self.reads(index, out);
                    place = base;
                }
                ExprKind::Deref(pointer) => return self.reads(pointer, out),
                _ => return,
            }
        }
    }
}

/// Returns the remark about a value that an integer type cannot hold.
fn misfit(ty: &Type) -> Option<String> {
    let &Type::Int { signed, width } = ty else { return None };
    let sign = if signed { "a signed" } else { "an unsigned" };
    Some(format!("does not fit {sign} {width}-bit integer"))
}

fn in_parentheses(text: &str) -> String {
    if text.starts_with('-') { format!("({text})") } else { text.to_owned() }
}

/// Where a null pointer comes from: the last assignment that matters and writes one.
pub(crate) fn origin_of_null(program: &Program, execution: &Execution) -> Option<Span> {
    let violation = execution.steps.last()?.span;
    let step = execution.steps.iter().rev().find(|step| {
        let is_null = matches!(&step.what, StepKind::Assigned { value, .. } if value == "NULL");
        is_null && step.matters && is_users_assignment(program, step)
    })?;
    (step.span != violation).then_some(step.span)
}

/// Where the heap object was freed that an explanation is about, in the user's own code.
pub(crate) fn end_of_life(program: &Program, execution: &Execution) -> Option<(Span, String)> {
    let object = &execution.explanation.object;
    let frees = |step: &&Step| {
        step.what == StepKind::Freed(object.clone()) && !program.functions[step.function].library
    };
    let step = execution.steps.iter().rev().find(frees)?;
    Some((step.span, format!("{object} is freed here")))
}

/// Checks whether a step writes something that the user's own code names.
pub(crate) fn is_users_assignment(program: &Program, step: &Step) -> bool {
    let StepKind::Assigned { place, .. } = step.what else { return false };
    let symbol = root(program, place);
    !program.functions[step.function].library
        && symbol.is_none_or(|symbol| !symbol.display.is_empty())
}

/// The variable whose value is asked for before it has one.
pub(crate) fn uninitialized(program: &Program, condition: ExprId) -> Option<&Symbol> {
    let ExprKind::Memory(MemoryOp::IsInitialized, args) = program.exprs.kind(condition) else {
        return None;
    };
    let ExprKind::AddressOf(place) = *program.exprs.kind(*args.first()?) else { return None };
    root(program, place).filter(|symbol| !symbol.display.is_empty())
}

/// The variable that a place is part of, if no pointer leads to it.
fn root(program: &Program, mut place: ExprId) -> Option<&Symbol> {
    loop {
        match *program.exprs.kind(place) {
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
            ExprKind::Symbol(symbol) => return Some(&program.symbols[symbol]),
            _ => return None,
        }
    }
}
