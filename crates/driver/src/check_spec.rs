//! A program checked against a formula, or against an automaton of the user's own.
//!
//! **Idea.** The specification becomes assertions of the program (`vergo_automata`), and engines decide these. The
//! conjuncts of a formula that are safety come first: a violation of them is an execution that ends in one, and a proof
//! of them is one like every other. What remains is decided by recurrence: a violation is an execution that ends and
//! whose last state violates the formula, or a lasso, whose loop can be repeated for ever.
//!
//! **Soundness.** As in [`crate::recurrence`]: a recurrence counts only if all of the loop's state was compared, and that
//! there is none only if there are finitely many states, or if all executions were unrolled to their ends. A program of
//! which every execution ends (`termination`) is looked at where it ends, however many states it has.

use std::time::{Duration, Instant};

use vergo_automata::automaton::{Annotation, Instances};
use vergo_automata::codes::{CONDITION_NAME, UNSUPPORTED_PROGRAM};
use vergo_automata::ltl::Part;
use vergo_automata::{Automaton, Instrumented};
use vergo_engines::Progress;
use vergo_evidence::Counterexample;
use vergo_goto::program::Program;
use vergo_source::{Diagnostic, SourceMap, Span};

use crate::assertions::Assertions;
use crate::check::{Answer, CheckReport, CheckRequest, Specification, check};
use crate::codes::{FORMULA_VIOLATED, SPECIFICATION_VIOLATED};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::recurrence::{inputs as inputs_of, is_added, original, recurring_loop, unproved};
use crate::transform::{Spec, weave_automaton};

/// Checks a program against a specification.
///
/// # Errors
/// If the specification or the program is not what it should be; the job's diagnostics say why.
pub fn check_spec(
    job: &mut Job,
    inputs: &[Input],
    spec: &Spec,
    request: &CheckRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<CheckReport, Failed> {
    let start = Instant::now();
    match spec {
        Spec::Formula { .. } => job.need_c(inputs, "formulas")?,
        Spec::Automaton(_) => job.need_c(inputs, "automata")?,
        Spec::Builtin(_) => {}
    }
    let mut parts = Vec::new();
    let mut ends = None;
    let name = match spec {
        Spec::Formula { formula, definitions } => {
            let formula = job.load_formula(formula, definitions)?;
            for part in [Part::Safety, Part::Liveness] {
                parts.extend(job.encode(&formula, part)?);
            }
            if parts.is_empty() {
                parts.extend(job.encode(&formula, Part::Whole)?);
            }
            ends = job.encode(&formula, Part::Ends)?;
            "ltl".to_owned()
        }
        Spec::Builtin(name) => {
            // What Vergo knows it checks without a detour.
            let name = match name.as_str() {
                "memcleanup" | "memsafety" => format!("valid-{name}"),
                "reach" => "unreach-call".to_owned(),
                _ => name.clone(),
            };
            let specification = Specification::from_name(&name).ok_or(Failed::Internal)?;
            return check(
                job,
                inputs,
                &CheckRequest { specification, ..request.clone() },
                progress,
            );
        }
        Spec::Automaton(_) => {
            let automaton = job.load_automaton(spec)?;
            let name = automaton.name.clone();
            parts.push(automaton);
            name
        }
    };
    let [input] = inputs else {
        let message = "a specification is checked for programs of one file";
        let diagnostic = Diagnostic::error(UNSUPPORTED_PROGRAM, Span::DUMMY, message);
        return Err(job.fail(diagnostic.help("join the files with `#include`")));
    };
    if let Some(entry) = request.entry.as_deref().filter(|entry| *entry != "main") {
        let message = format!("a specification is checked from `main` on, not from `{entry}`");
        return Err(job.fail(Diagnostic::error(UNSUPPORTED_PROGRAM, Span::DUMMY, message)));
    }
    let is_formula = matches!(spec, Spec::Formula { .. });
    let mut task = Task { input, name: &name, is_formula, request, start, progress };
    let mut answers = Vec::new();
    for (number, automaton) in parts.iter().enumerate() {
        // Whoever comes first leaves time for the others.
        let share = u32::try_from(parts.len() - number).unwrap_or(1);
        let report = match &ends {
            Some(ends) if automaton.instances == Instances::Loop => {
                task.liveness(job, automaton, ends)?
            }
            _ => task.run(job, automaton, None, task.left().map(|left| left / share))?,
        };
        let done = matches!(report.answer, Answer::False(_));
        answers.push(report);
        if done {
            break;
        }
    }
    // A violation of one part is one of the whole, and a proof needs all of them.
    let decisive = answers
        .iter()
        .position(|report| matches!(report.answer, Answer::False(_)))
        .or_else(|| answers.iter().position(|report| matches!(report.answer, Answer::Unknown(_))));
    let mut report = answers.swap_remove(decisive.unwrap_or(answers.len() - 1));
    report.statistics.total = start.elapsed();
    Ok(report)
}

/// A program and what it is checked against.
struct Task<'a> {
    input: &'a Input,
    name: &'a str,
    is_formula: bool,
    request: &'a CheckRequest,
    start: Instant,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl Task<'_> {
    /// The time that is left, if there is a limit.
    fn left(&self) -> Option<Duration> {
        let left = self.request.timeout.map(|all| all.saturating_sub(self.start.elapsed()));
        left.map(|left| left.max(Duration::from_millis(1)))
    }

    /// Decides what may be violated by executions that never end. If it turns out that every execution ends, only their
    /// ends are looked at.
    fn liveness(
        &mut self,
        job: &mut Job,
        automaton: &Automaton,
        ends: &Automaton,
    ) -> Result<CheckReport, Failed> {
        let original = original(job, std::slice::from_ref(self.input), self.request)?;
        let report = self.run(job, automaton, Some(&original), self.left())?;
        let Some(proof) = report.certificate.as_ref().filter(|proof| proof.is_of_termination())
        else {
            return Ok(report);
        };
        let premise = format!("every execution ends ({proof})");
        let mut report = self.run(job, ends, None, self.left())?;
        report.premise = Some(premise);
        Ok(report)
    }

    /// Decides whether the assertions of an automaton can fail.
    fn run(
        &mut self,
        job: &mut Job,
        automaton: &Automaton,
        original: Option<&Program>,
        timeout: Option<Duration>,
    ) -> Result<CheckReport, Failed> {
        let &mut Task { input, name, is_formula, progress, .. } = self;
        let request = &CheckRequest { timeout, ..self.request.clone() };
        // What the transformation says about incomplete states matters only if the answer depends on it.
        let woven = &job.quietly(|job| weave_automaton(job, input, automaton))?;
        if is_formula && let Some((function, span)) = woven.unknown_functions.first() {
            let message = format!("the program has no function `{function}`");
            return Err(job.fail(Diagnostic::error(CONDITION_NAME, *span, message)));
        }
        let at_heads = is_formula
            && automaton.states.iter().any(|state| state.annotation == Annotation::LoopHead);
        let subject = Subject { automaton, woven, is_formula };
        Assertions { input, woven, name, request, original, progress }.decide(
            job,
            |map, program, certificate| unproved(map, program, certificate, woven, at_heads),
            |map, found| subject.violation(map, found),
        )
    }
}

/// The subject of a violation.
struct Subject<'a> {
    automaton: &'a Automaton,
    woven: &'a Instrumented,
    is_formula: bool,
}

impl Subject<'_> {
    /// The violation as a diagnostic, or why it does not count.
    fn violation(
        &self,
        map: &SourceMap,
        found: &Counterexample,
    ) -> Result<Box<Diagnostic>, String> {
        let what = match self.is_formula {
            true => format!("the formula `{}` is violated", self.automaton.description),
            false => format!("`{}` is violated", self.automaton.name),
        };
        let code = if self.is_formula { FORMULA_VIOLATED } else { SPECIFICATION_VIOLATED };
        let (stem, back) = inputs_of(map, self.woven, found);
        let list = |values: &[String]| match values {
            [] => "none".to_owned(),
            values => values.join(", "),
        };
        // The innermost call is that of `reach_error`. Heads of loops are where the program is; what else is observed, is
        // observed by functions that were added.
        let stack = &found.position().stack;
        let around = stack.iter().filter(|call| !call.library).nth(1);
        let at_head = around.is_some_and(|call| !is_added(map, call.span));
        if at_head && !self.woven.loops.is_empty() {
            let of = recurring_loop(map, &self.woven.loops, found)?;
            let message = format!("{what} by an execution that never ends");
            let mut diagnostic = Diagnostic::error(code, of.span, message)
                .primary_label("a state of this loop recurs, so that it can go on for ever");
            for (part, values) in [("stem", stem), ("loop", back)] {
                diagnostic = diagnostic.note(format!("inputs of the {part}: {}", list(&values)));
            }
            return Ok(Box::new(diagnostic));
        }
        let users = |call: &&vergo_interp::Activation| {
            !call.library && call.function != "reach_error" && !is_added(map, call.span)
        };
        let call = stack.iter().find(users);
        let span = call.map_or(Span::DUMMY, |call| call.span);
        let at_end = around.is_some_and(|call| call.function.ends_with("_end"));
        let message = match at_end && self.is_formula {
            true => format!("{what} by an execution that ends"),
            false => what,
        };
        let mut diagnostic = Diagnostic::error(code, span, message);
        if at_end && self.is_formula {
            diagnostic = diagnostic.note("after the end, the last values hold for ever");
        }
        let mut values = stem;
        values.extend(back);
        if !values.is_empty() {
            diagnostic = diagnostic.note(format!("inputs: {}", list(&values)));
        }
        Ok(Box::new(diagnostic))
    }
}
