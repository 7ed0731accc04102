//! The steps of a counterexample as lines that people read.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use vergo_evidence::execution::{Step, StepKind};
use vergo_evidence::race::RaceAccess;
use vergo_goto::describe::Words;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{FunctionId, InstrKind, Program};
use vergo_goto::types::Type;
use vergo_lower::models::of_function;
use vergo_source::{SourceMap, Span};

use super::arguments::{ARGUMENT, START};
use super::report::{CheckReport, Violation};

/// The amount of an execution that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TraceDetail {
    /// Nothing but the violation and the inputs.
    None,
    /// The steps that the violation depends on.
    #[default]
    Compact,
    /// Every step of the user's own code.
    Full,
}

/// A step as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    /// The number of the step in its execution.
    pub step: usize,
    /// The thread, by number.
    pub thread: usize,
    /// Where.
    pub span: Span,
    /// The function.
    pub function: String,
    /// The number of active calls of the user's functions, from zero.
    pub depth: usize,
    /// `input`, `assign`, `branch`, `call`, `free`, or `access` for the two of a race.
    pub kind: &'static str,
    /// The event.
    pub text: String,
    /// True if the violation depends on it.
    pub matters: bool,
}

/// The width of a thread's column.
const COLUMN: usize = 28;
/// Lines of a compact trace that are shown: the first and the last.
const SHOWN: usize = 24;

impl CheckReport {
    /// The steps of a violation.
    pub fn trace_lines(&self, violation: &Violation, detail: TraceDetail) -> Vec<TraceLine> {
        let mut lines = Vec::new();
        let mut teller = Teller::new(&self.program);
        let has_threads = violation.execution.steps.iter().any(|step| step.thread > 0);
        let race = violation.execution.race.as_ref();
        let last_call = self.last_call(violation);
        for (number, step) in violation.execution.steps.iter().enumerate() {
            let earlier = race.map(|race| &race.accesses[0]).filter(|access| access.step == number);
            lines.extend(
                earlier
                    .filter(|_| detail != TraceDetail::None)
                    .map(|access| self.access_line(access, violation)),
            );
            let shown = match detail {
                TraceDetail::None => false,
                // Who waits for whom is what readers look for first.
                TraceDetail::Compact => {
                    step.matters
                        || last_call == Some(number)
                        || self.is_pointer_to_lost(violation, step)
                        || has_threads && teller.is_about_threads(step)
                }
                TraceDetail::Full => true,
            };
            teller.follow(step);
            teller.is_last_call = last_call == Some(number);
            if shown && let Some((kind, text)) = teller.describe(step) {
                // What happens in the library does so where the user's code calls it.
                let at = teller.at(step);
                let function = self.program.functions[at.function].display.clone();
                lines.push(TraceLine {
                    step: number,
                    thread: step.thread,
                    span: at.span,
                    function,
                    depth: at.depth,
                    kind,
                    text,
                    matters: step.matters,
                });
            }
        }
        let later = race.map(|race| &race.accesses[1]).filter(|_| detail != TraceDetail::None);
        lines.extend(later.map(|access| self.access_line(access, violation)));
        let outermost = lines.iter().map(|line| line.depth).min().unwrap_or(0);
        for line in &mut lines {
            line.depth -= outermost;
        }
        lines
    }

    /// The call of the library in which a violation happens.
    fn last_call(&self, violation: &Violation) -> Option<usize> {
        let functions = &self.program.functions;
        let innermost = violation.counterexample.position().stack.first();
        let is_call = |step: &Step| {
            !functions[step.function].library
                && matches!(step.what, StepKind::Called { callee, .. }
                    if of_function(&functions[callee].display).is_some())
        };
        // At the end of the program nobody calls anything.
        let is_called = violation.counterexample.position().stack.iter().any(|call| !call.library);
        let is_inside = is_called && innermost.is_some_and(|call| call.library);
        is_inside.then(|| violation.execution.steps.iter().rposition(is_call))?
    }

    /// Returns whether a step writes a pointer to the object that is lost in the end.
    fn is_pointer_to_lost(&self, violation: &Violation, step: &Step) -> bool {
        let lost = &violation.execution.explanation.object;
        let property = violation.counterexample.claim().property.as_str();
        matches!(property, "memory.leak" | "memory.cleanup")
            && matches!(&step.what, StepKind::Assigned { value, .. } if value == lost)
    }

    /// An access of a race as a step.
    fn access_line(&self, access: &RaceAccess, violation: &Violation) -> TraceLine {
        let of_thread =
            |step: &&Step| step.thread == access.thread && step.function == access.function;
        let before = violation.execution.steps.iter().take(access.step).rev().find(of_thread);
        let depth = before.map_or(1, |step| step.depth);
        TraceLine {
            step: access.step,
            thread: access.thread,
            span: access.span,
            function: self.program.functions[access.function].display.clone(),
            depth,
            kind: "access",
            text: access.text(),
            matters: true,
        }
    }

    /// The steps of a violation as text, each line with its place; empty if there are none.
    pub fn trace_text(
        &self,
        map: &SourceMap,
        violation: &Violation,
        detail: TraceDetail,
    ) -> String {
        let lines = self.trace_lines(violation, detail);
        let mut rows: Vec<(String, String)> = Vec::new();
        let parts = match detail {
            TraceDetail::Compact => fold(&lines),
            _ => vec![Part::Lines(0..lines.len())],
        };
        // Threads stand side by side.
        let mut threads: Vec<usize> = lines.iter().map(|line| line.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let column = |thread: usize| match threads.len() {
            0 | 1 => 0,
            _ => COLUMN * threads.iter().position(|&other| other == thread).unwrap_or(0),
        };
        if threads.len() > 1 {
            let heads =
                threads.iter().map(|thread| format!("{:COLUMN$}", format!("thread {thread}")));
            rows.push((String::new(), heads.collect::<String>().trim_end().to_owned()));
        }
        for part in parts {
            match part {
                Part::Lines(range) => rows.extend(lines[range].iter().map(|line| {
                    let indent = " ".repeat(2 * line.depth.min(20) + column(line.thread));
                    (map.presumed(line.span.lo).to_string(), format!("{indent}{}", line.text))
                })),
                Part::LeftOut(text) => rows.push((String::new(), text)),
            }
        }
        let n_left_out = match detail {
            TraceDetail::Compact => rows.len().saturating_sub(2 * SHOWN),
            _ => 0,
        };
        if n_left_out > 0 {
            let text = format!("... {n_left_out} lines, shown by --trace full ...");
            rows.splice(SHOWN..SHOWN + n_left_out, [(String::new(), text)]);
        }
        let width = rows.iter().map(|(place, _)| place.chars().count()).max().unwrap_or(0);
        rows.iter().map(|(place, text)| format!("  {place:width$}  {text}\n")).collect()
    }
}

/// A part of a trace as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Lines(Range<usize>),
    LeftOut(String),
}

/// Folds rounds of loops: where the same places follow one another at least [`ROUNDS`] times, the first and the last round
/// are shown.
fn fold(lines: &[TraceLine]) -> Vec<Part> {
    /// Rounds that are folded at least, and their greatest length in lines.
    const ROUNDS: usize = 4;
    const LONGEST: usize = 32;
    let same =
        |a: &TraceLine, b: &TraceLine| (a.span, a.depth, a.thread) == (b.span, b.depth, b.thread);
    let mut parts = Vec::new();
    let (mut at, mut shown) = (0, 0);
    while at < lines.len() {
        // How many rounds of each length begin here.
        let rounds = |length: usize| {
            let n_same = (at..lines.len().saturating_sub(length))
                .take_while(|&i| same(&lines[i], &lines[i + length]))
                .count();
            n_same / length + 1
        };
        let longest = LONGEST.min((lines.len() - at) / ROUNDS);
        let found =
            (1..=longest).map(|length| (length, rounds(length))).find(|(_, n)| *n >= ROUNDS);
        let Some((length, n)) = found else {
            at += 1;
            continue;
        };
        parts.push(Part::Lines(shown..at + length));
        // An initialiser writes many things at one place, a loop the same one again and again.
        let name = |line: &TraceLine| line.text.split(" = ").next().map(str::to_owned);
        let is_initialiser =
            length == 1 && lines[at].kind == "assign" && name(&lines[at]) != name(&lines[at + 1]);
        parts.push(Part::LeftOut(match is_initialiser {
            true => format!("... {} more parts ...", n - 2),
            false => format!("... rounds 2 to {} likewise ...", n - 1),
        }));
        shown = at + (n - 1) * length;
        at = shown + length;
    }
    parts.push(Part::Lines(shown..lines.len()));
    parts
}

/// Says steps in the user's words.
struct Teller<'a> {
    program: &'a Program,
    words: BTreeMap<FunctionId, Rc<Words>>,
    /// The last call of a library function by the user's code, and whom it calls.
    call: Option<(At, FunctionId)>,
    /// True if the present step is the call in which the violation happens.
    is_last_call: bool,
}

/// Where a step is, to a reader of the program.
#[derive(Clone, Copy)]
struct At {
    span: Span,
    function: FunctionId,
    depth: usize,
}

impl<'a> Teller<'a> {
    fn new(program: &'a Program) -> Teller<'a> {
        Teller { program, words: BTreeMap::new(), call: None, is_last_call: false }
    }

    /// Takes note of calls that lead into the library.
    fn follow(&mut self, step: &Step) {
        if let StepKind::Called { callee, .. } = step.what
            && !self.program.functions[step.function].library
        {
            let at = At { span: step.span, function: step.function, depth: step.depth };
            self.call = Some((at, callee));
        }
    }

    fn at(&self, step: &Step) -> At {
        let program = self.program;
        let own = At { span: step.span, function: step.function, depth: step.depth };
        match (&step.what, self.call) {
            _ if !program.functions[step.function].library => own,
            // What begins the program is no call of anybody.
            (StepKind::Called { callee, .. }, _) => {
                let span = program.functions[*callee].span;
                At { span, function: *callee, depth: step.depth + 1 }
            }
            (_, Some((at, _))) => at,
            _ => own,
        }
    }

    fn words(&mut self, function: FunctionId) -> Rc<Words> {
        let program = self.program;
        let make = || {
            let body = program.functions[function].body.as_deref().unwrap_or_default();
            Rc::new(Words::of(program, body))
        };
        Rc::clone(self.words.entry(function).or_insert_with(make))
    }

    /// The call that begins the program: of `main` only the number of its arguments.
    fn beginning(&self, callee: FunctionId, args: &[String]) -> Option<(&'static str, String)> {
        let callee = &self.program.functions[callee];
        let first = args.first().filter(|_| !callee.library)?;
        if callee.display != "main" {
            return Some(("call", format!("{}({})", callee.display, args.join(", "))));
        }
        let name = &self.program.symbols[*callee.params.first()?].display;
        Some(("input", format!("{name} = {first}  (input)")))
    }

    /// Returns whether a step is a call of the library about threads.
    fn is_about_threads(&self, step: &Step) -> bool {
        let StepKind::Called { callee, .. } = step.what else { return false };
        let callee = &self.program.functions[callee];
        let names = ["cnd_", "mtx_", "pthread_", "sem_", "thrd_"];
        callee.library
            && !self.program.functions[step.function].library
            && names.iter().any(|name| callee.display.starts_with(name))
    }

    /// Describes a step, if a reader of the program would call it one.
    fn describe(&mut self, step: &Step) -> Option<(&'static str, String)> {
        let program = self.program;
        let is_about_threads = self.is_about_threads(step);
        let function = &program.functions[step.function];
        match &step.what {
            // The arguments of the first function are told when it is called.
            StepKind::Called { callee, args } if function.display == START => {
                self.beginning(*callee, args)
            }
            StepKind::Input { value, .. } if function.library => {
                let callee = self.call.map(|(_, callee)| &program.functions[callee])?;
                let is_own = callee.library && callee.name != ARGUMENT;
                is_own.then(|| ("input", format!("{value}  (input, in {})", callee.display)))
            }
            _ if function.library => None,
            StepKind::Input { place, value } => {
                let name = named(program, *place).map(|name| format!("{name} = "));
                Some(("input", format!("{}{value}  (input)", name.unwrap_or_default())))
            }
            StepKind::Assigned { place, value } => {
                let name = named(program, *place)?;
                Some(("assign", format!("{name} = {value}")))
            }
            StepKind::Branched(taken) => {
                let body = function.body.as_deref()?;
                let InstrKind::Goto(Some(condition), _) = body.get(step.instr)?.kind else {
                    return None;
                };
                let words = self.words(step.function);
                let can_say = words.can_describe(program, condition);
                can_say.then(|| ("branch", fact(program, &words, condition, *taken)))
            }
            StepKind::Called { callee, args } => {
                let callee = &program.functions[*callee];
                if callee.library && !is_about_threads && !self.is_last_call {
                    return None;
                }
                Some(("call", format!("{}({})", callee.display, args.join(", "))))
            }
            StepKind::Freed(pointer) => Some(("free", format!("{pointer} is freed"))),
            StepKind::Returned | StepKind::Checked | StepKind::Violated => None,
        }
    }
}

/// Describes the outcome of a test, as a true statement where possible: jumps test the opposite of the source.
fn fact(program: &Program, words: &Words, mut condition: ExprId, mut holds: bool) -> String {
    while let ExprKind::Unary(UnaryOp::Not, inner) = *program.exprs.kind(condition) {
        (condition, holds) = (inner, !holds);
    }
    // A comparison of floats and its opposite can both be false.
    if !holds
        && let ExprKind::Binary(op, left, right) = *program.exprs.kind(condition)
        && !matches!(program.type_of(left), Type::Float(_))
    {
        let opposite = match op {
            BinaryOp::Lt => Some((BinaryOp::Le, right, left)),
            BinaryOp::Le => Some((BinaryOp::Lt, right, left)),
            BinaryOp::Eq => Some((BinaryOp::Ne, left, right)),
            BinaryOp::Ne => Some((BinaryOp::Eq, left, right)),
            _ => None,
        };
        if let Some((op, left, right)) = opposite {
            return format!("{} is true", words.describe_operation(program, op, left, right));
        }
    }
    format!("{} is {holds}", words.describe(program, condition))
}

/// A place as the user would write it, unless it is a temporary.
fn named(program: &Program, place: ExprId) -> Option<String> {
    (!mentions_temporaries(program, place)).then(|| program.describe(place))
}

/// Checks whether an expression mentions a variable that the source does not have.
pub(super) fn mentions_temporaries(program: &Program, expr: ExprId) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if let ExprKind::Symbol(symbol) = program.exprs.kind(expr)
            && program.symbols[*symbol].display.is_empty()
        {
            return true;
        }
        program.exprs.kind(expr).for_each_child(|child| pending.push(child));
    }
    false
}
