//! Termination and liveness by recurrence: a program with claims that fail where a state comes twice, an engine, and what
//! its answer says about the program.
//!
//! **Idea.** For termination, claims are put into the GOTO program (`vergo_passes::recurrence`), so that it does not matter
//! what it was written in. For liveness, an automaton is woven into the C text that calls `reach_error` if a loop is in one
//! state twice without all conditions of `assert_live` having held in between (`vergo_automata::instrument`). If an engine
//! finds such an execution, the interpreter has replayed it, so that the state did recur: the execution up to where the
//! state was saved is the stem, and the rest is a loop that can be repeated for ever. At the same time a measure is looked
//! for that decreases in every loop of the program itself (`vergo_engines::ranking`): then it has no infinite executions,
//! live or not.
//!
//! **Soundness.** A recurrence counts only if all of the loop's state was compared. That none is there counts for liveness
//! if all loops and recursions have finitely many states. Termination is not concluded from it, for not all loops are
//! watched; it takes a measure, or a complete unrolling, which bounds every execution.

use std::cell::RefCell;
use std::time::Instant;

use vergo_automata::codes::UNSUPPORTED_PROGRAM;
use vergo_automata::{Instrumented, LoopInfo};
use vergo_engines::{EngineId, Environment, OnViolation, Progress, prove_termination};
use vergo_evidence::{Certificate, Counterexample, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_interp::{InputType, InputValue};
use vergo_passes::properties::PropertySet;
use vergo_passes::recurrence::{Watched, watch};
use vergo_smt::{Budget, work_in};
use vergo_source::{Diagnostic, SourceMap, Span};

use crate::assertions::Assertions;
use crate::check::{
    Answer, Change, CheckReport, CheckRequest, Properties, Question, Specification, check_changed,
    load, make_claims, unwatched_loop,
};
use crate::codes::NO_TERMINATION;
use crate::front_ends::FrontEnd;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transform::{Spec, weave};

/// The specifications that are decided so.
pub(crate) const RECURRENCES: &[&str] = &["liveness", "termination"];

/// Decides whether every execution of a program ends, or every infinite one is live. A
/// program of which nothing is known gives the reason.
pub(crate) fn recurrence(
    job: &mut Job,
    inputs: &[Input],
    specification: &str,
    request: &CheckRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Result<CheckReport, Reason>, Failed> {
    let deadline = request.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let original = original(job, inputs, request)?;
    let timeout = deadline.map(|end| end.saturating_duration_since(Instant::now()));
    let rest = CheckRequest { timeout, ..request.clone() };
    let mut found = match specification {
        "termination" => Ok(watch_loops(job, inputs, &rest, &original, progress)?),
        _ => look_for_recurrence(job, inputs, specification, &rest, &original, progress)?,
    };
    let measure = match &mut found {
        Ok(report) => report.certificate.take_if(|certificate| certificate.is_of_termination()),
        Err(reason) if MEASURING.contains(&request.engine) => {
            let (cancel, memory) = (request.cancel.clone(), request.memory);
            let budget = Budget {
                deadline,
                share: request.timeout.map(work_in),
                cancel,
                memory,
                ..Budget::default()
            };
            match prove_termination(&original, &Environment { budget, progress: &|_| {} }) {
                Ok(certificate) => Some(certificate),
                Err(no_measure) => {
                    reason.add("recurrence", "ranking", no_measure);
                    None
                }
            }
        }
        Err(_) => None,
    };
    let Some(certificate) = measure else { return Ok(found) };
    // A report on the program itself, about none of its claims.
    let mut report = check_changed(job, inputs, request, &Change::default(), None, progress)?;
    let withheld = report.assumptions.iter().find(|assumption| assumption.withholds());
    report.answer = match withheld {
        None => Answer::True,
        Some(assumption) => {
            Answer::unknown(format!("it would be true if this holds: {}", assumption.text))
        }
    };
    report.engine = request.engine.info().name;
    report.certificate = Some(certificate);
    Ok(Ok(report))
}

/// A program without claims. Whatever there is to say about it is said when its report is made.
pub(crate) fn original(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
) -> Result<Program, Failed> {
    job.quietly(|job| {
        let mut program = load(job, inputs, request)?;
        make_claims(job, &mut program, PropertySet::EMPTY)?;
        Ok(program)
    })
}

/// The engines that look for measures.
const MEASURING: &[EngineId] = &[EngineId::Portfolio, EngineId::Ranking];

/// Looks for a state of a loop that recurs, in any program.
fn watch_loops(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
    original: &Program,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<CheckReport, Failed> {
    let watched = RefCell::new(Watched::default());
    let act = |_: &SourceMap, program: &mut Program| *watched.borrow_mut() = watch(program);
    let counts = |_: &SourceMap, _: &Program, verdict: &Verdict| match verdict {
        Verdict::True(certificate) if !certificate.follows_to_the_end() => Err(nothing_recurs()),
        _ => Ok(()),
    };
    let recurrence = Some(Question { original, counts: &counts });
    let change = Change { act: Some(&act), recurrence, ..Change::default() };
    // No claim of the program itself.
    let text = Some("CHECK( init(main()), LTL(F end) )".to_owned());
    let specification = Specification::Claims(Properties { names: Vec::new(), text });
    let on_violation = OnViolation::Stop;
    let request = CheckRequest { specification, on_violation, ..request.clone() };
    let mut report =
        job.quietly(|job| check_changed(job, inputs, &request, &change, None, progress))?;
    let watched = watched.into_inner();
    match &mut report.answer {
        Answer::Unknown(reason) => {
            if let Some((span, why)) = watched.unwatched.first() {
                let why =
                    format!("the loop at {} is not watched: {why}", job.map.presumed(span.lo));
                reason.add("recurrence", "states", Reason::Incomplete(why));
            }
        }
        Answer::True => {
            let certificate = report.certificate.as_ref().ok_or(Failed::Internal)?;
            if !certificate.is_of_termination() && !certificate.follows_to_the_end() {
                report.answer = Answer::Unknown(nothing_recurs());
            }
        }
        Answer::False(_) => {
            let found = report.violations().next().ok_or(Failed::Internal)?;
            let inputs = inputs_around(&found.counterexample, &watched);
            job.diagnostics.push(recurs(found.counterexample.position().span, &inputs));
            report.lasso = Some(report.course_around(found, &watched));
        }
    }
    // The claims are none of the program's own.
    report.claims.clear();
    report.properties = Properties { names: Vec::new(), text: None };
    Ok(report)
}

fn nothing_recurs() -> Reason {
    Reason::Incomplete("no state recurs".to_owned())
}

/// The inputs of an execution before and after a state is saved.
fn inputs_around(found: &Counterexample, watched: &Watched) -> (Vec<String>, Vec<String>) {
    let (mut stem, mut back) = (Vec::new(), Vec::new());
    let mut saved = false;
    for input in found.inputs() {
        // Only the choices of the pass are truth values at the head of a loop.
        if input.ty == InputType::Bool && watched.heads.contains(&input.span) {
            saved |= input.value == InputValue::Bool(true);
            continue;
        }
        let line = input.value.to_line(input.ty);
        if saved { back.push(line) } else { stem.push(line) }
    }
    (stem, back)
}

/// The diagnostic of a state that recurs.
fn recurs(span: Span, (stem, back): &(Vec<String>, Vec<String>)) -> Diagnostic {
    let message = "the loop can run forever: a state of it recurs";
    let mut diagnostic = Diagnostic::error(NO_TERMINATION, span, message);
    for (what, values) in [("stem", stem), ("loop", back)] {
        let text = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        diagnostic = diagnostic.note(format!("inputs of the {what}: {text}"));
    }
    diagnostic
}

/// Looks for a state that recurs. A program that cannot be instrumented gives the reason.
fn look_for_recurrence(
    job: &mut Job,
    inputs: &[Input],
    specification: &str,
    request: &CheckRequest,
    original: &Program,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Result<CheckReport, Reason>, Failed> {
    let front_end = FrontEnd::of(inputs);
    if !front_end.has_c {
        let name = front_end.name;
        let what = format!("states are compared in C source, which a {name} does not have");
        return Ok(Err(Reason::Unsupported(what)));
    }
    let [input] = inputs else {
        let what = format!("{specification} is checked for programs of one file");
        return Ok(Err(Reason::Incomplete(what)));
    };
    // What the transformation says about incomplete states matters only if the answer depends on it.
    let spec = Spec::Builtin(specification.to_owned());
    let woven = match job.apart(|job| weave(job, input, &spec)) {
        (Ok(woven), _) => woven,
        (Err(failed), said) => {
            let reason = said.iter().find(|diagnostic| diagnostic.code == UNSUPPORTED_PROGRAM);
            if let Some(reason) = reason {
                return Ok(Err(Reason::Unsupported(reason.message.clone())));
            }
            job.diagnostics.extend(said);
            return Err(failed);
        }
    };
    let original = Some(original);
    let assertions =
        Assertions { input, woven: &woven, name: specification, request, original, progress };
    let unproved = |map: &SourceMap, program: &Program, certificate: &Certificate| {
        unproved(map, program, certificate, &woven, true)
    };
    let report = assertions.decide(job, unproved, |map, found| lasso(map, &woven, found))?;
    Ok(Ok(report))
}

/// Why there may be infinite executions although no state recurs, unless all executions were followed to their ends. If
/// the automaton looks at heads of loops, it has to look at all of them.
pub(crate) fn unproved(
    map: &SourceMap,
    program: &Program,
    certificate: &Certificate,
    woven: &Instrumented,
    at_heads: bool,
) -> Option<String> {
    if certificate.follows_to_the_end() {
        return None;
    }
    let (span, why) = match woven.loops.iter().find(|of| !of.bounded) {
        Some(unbounded) => (unbounded.span, "may have infinitely many"),
        None if at_heads => (unwatched_loop(program, woven)?, "is not watched"),
        None => return None,
    };
    Some(format!("no state recurs, but the loop at {} {why}", map.presumed(span.lo)))
}

/// The loop of which a state recurs, or why that does not count.
pub(crate) fn recurring_loop<'a>(
    map: &SourceMap,
    loops: &'a [LoopInfo],
    counterexample: &Counterexample,
) -> Result<&'a LoopInfo, String> {
    // The innermost call is that of `reach_error`; the one around it is made where the state is looked at.
    let stack = &counterexample.position().stack;
    let Some(call) = stack.iter().filter(|call| !call.library).nth(1) else {
        return Err("a state recurs at an unknown place".to_owned());
    };
    let place = map.presumed(call.span.lo);
    let here: Vec<&LoopInfo> = loops
        .iter()
        .filter(|of| {
            let head = map.presumed(of.head);
            head.file == place.file && head.line == place.line
        })
        .collect();
    here.first()
        .filter(|_| here.iter().all(|of| of.complete))
        .copied()
        .ok_or_else(|| format!("a state recurs at {place}, but not all of it is compared"))
}

/// The recurrence of a state as a diagnostic, or why it does not count.
fn lasso(
    map: &SourceMap,
    woven: &Instrumented,
    counterexample: &Counterexample,
) -> Result<Box<Diagnostic>, String> {
    let first = recurring_loop(map, &woven.loops, counterexample)?;
    Ok(Box::new(recurs(first.span, &inputs(map, woven, counterexample))))
}

/// The inputs that lead to the state, and those that lead back to it.
pub(crate) fn inputs(
    map: &SourceMap,
    woven: &Instrumented,
    counterexample: &Counterexample,
) -> (Vec<String>, Vec<String>) {
    let (mut stem, mut back) = (Vec::new(), Vec::new());
    let mut saved = false;
    for input in counterexample.inputs() {
        let line = input.value.to_line(input.ty);
        if is_choice(map, woven, input.span) {
            // The one choice that is not zero is to save the state.
            saved |= !line.ends_with(" 0");
        } else if is_added(map, input.span) {
            // A guess of the automaton.
        } else if saved {
            back.push(line);
        } else {
            stem.push(line);
        }
    }
    (stem, back)
}

/// Checks whether an input is the automaton's own: the choice to save the state.
fn is_choice(map: &SourceMap, woven: &Instrumented, span: Span) -> bool {
    let text = String::from_utf8_lossy(map.span_text(span));
    text.contains(&format!("{}busy && ", woven.prefix))
}

/// Checks whether a place is in the functions that the automaton adds in front of the program.
pub(crate) fn is_added(map: &SourceMap, span: Span) -> bool {
    let Some((file, offset)) = map.lookup(span.lo) else { return false };
    let text = map.text(file);
    let marker = text.windows(5).position(|part| part == b"\n# 1 ");
    marker.is_some_and(|at| (offset as usize) < at)
}
