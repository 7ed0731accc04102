//! The steps of a counterexample as lines that people read.

use vergo_evidence::execution::{Step, StepKind};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{InstrKind, Program};
use vergo_goto::types::Type;
use vergo_source::{SourceMap, Span};

use super::report::{CheckReport, Violation};

/// How much of an execution is shown.
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
    /// Where.
    pub span: Span,
    /// The function.
    pub function: String,
    /// How many calls of the user's functions are active, from zero.
    pub depth: usize,
    /// `input`, `assign`, `branch`, `call` or `free`.
    pub kind: &'static str,
    /// What happened.
    pub text: String,
}

/// Lines of a compact trace that are shown: the first and the last.
const SHOWN: usize = 24;

impl CheckReport {
    /// The steps of a violation.
    pub fn trace_lines(&self, violation: &Violation, detail: TraceDetail) -> Vec<TraceLine> {
        let mut lines = Vec::new();
        for step in &violation.execution.steps {
            let shown = match detail {
                TraceDetail::None => false,
                TraceDetail::Compact => step.matters,
                TraceDetail::Full => true,
            };
            if shown && let Some((kind, text)) = describe(&self.program, step) {
                let function = self.program.functions[step.function].display.clone();
                lines.push(TraceLine { span: step.span, function, depth: step.depth, kind, text });
            }
        }
        let outermost = lines.iter().map(|line| line.depth).min().unwrap_or(0);
        for line in &mut lines {
            line.depth -= outermost;
        }
        lines
    }

    /// The steps of a violation as text, each line with its place; empty if there are none.
    pub fn trace_text(
        &self,
        map: &SourceMap,
        violation: &Violation,
        detail: TraceDetail,
    ) -> String {
        let lines = self.trace_lines(violation, detail);
        let n_left_out = match detail {
            TraceDetail::Compact => lines.len().saturating_sub(2 * SHOWN),
            _ => 0,
        };
        let mut rows: Vec<(String, String)> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            if n_left_out > 0 && (SHOWN..SHOWN + n_left_out).contains(&i) {
                if i == SHOWN {
                    let text = format!("... {n_left_out} steps, shown by --trace full ...");
                    rows.push((String::new(), text));
                }
                continue;
            }
            let indent = "  ".repeat(line.depth.min(20));
            let place = map.presumed(line.span.lo);
            rows.push((format!("{place}"), format!("{indent}{}", line.text)));
        }
        let width = rows.iter().map(|(place, _)| place.chars().count()).max().unwrap_or(0);
        rows.iter().map(|(place, text)| format!("  {place:width$}  {text}\n")).collect()
    }
}

/// What a step did, if a reader of the program would call it a step.
fn describe(program: &Program, step: &Step) -> Option<(&'static str, String)> {
    let function = &program.functions[step.function];
    match &step.what {
        StepKind::Input { place, value } if function.library => {
            let _ = place;
            Some(("input", format!("input {value}")))
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
            if mentions_temporaries(program, condition) {
                return None;
            }
            Some(("branch", fact(program, condition, *taken)))
        }
        StepKind::Called { callee, args } => {
            let callee = &program.functions[*callee];
            if callee.library {
                return None;
            }
            Some(("call", format!("{}({})", callee.display, args.join(", "))))
        }
        StepKind::Freed(pointer) => Some(("free", format!("{pointer} is freed"))),
        StepKind::Returned | StepKind::Checked | StepKind::Violated => None,
    }
}

/// What is known after a test, as something that is true where that can be said: jumps test the opposite of what the
/// source says.
fn fact(program: &Program, mut condition: ExprId, mut holds: bool) -> String {
    while let ExprKind::Unary(UnaryOp::Not, inner) = *program.exprs.kind(condition) {
        (condition, holds) = (inner, !holds);
    }
    if !holds && let ExprKind::Binary(op, left, right) = *program.exprs.kind(condition) {
        let text = |expr| program.describe(expr);
        match op {
            // A comparison of floats and its opposite can both be false.
            _ if matches!(program.type_of(left), Type::Float(_)) => {}
            BinaryOp::Lt => return format!("{} <= {} is true", text(right), text(left)),
            BinaryOp::Le => return format!("{} < {} is true", text(right), text(left)),
            BinaryOp::Eq => return format!("{} != {} is true", text(left), text(right)),
            BinaryOp::Ne => return format!("{} == {} is true", text(left), text(right)),
            _ => {}
        }
    }
    format!("{} is {holds}", program.describe(condition))
}

/// A place as the user would write it, unless it is a temporary.
fn named(program: &Program, place: ExprId) -> Option<String> {
    (!mentions_temporaries(program, place)).then(|| program.describe(place))
}

/// Whether an expression mentions a variable that the source does not have.
fn mentions_temporaries(program: &Program, expr: ExprId) -> bool {
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
