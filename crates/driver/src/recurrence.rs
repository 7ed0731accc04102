//! Termination and liveness by recurrence: an automaton, an engine, and what its answer says about the program.
//!
//! **Idea.** The automaton makes a program in which `reach_error` is called exactly if a loop is in one state twice, for
//! liveness: without all conditions of `assert_live` having held in between (`vergo_automata::instrument`). If an engine finds such an execution, the interpreter has replayed it, so that the
//! state did recur: the execution up to where the state was saved is the stem, and the rest is a loop that can be
//! repeated for ever. At the same time a measure is looked for that decreases in every loop of the program itself
//! (`vergo_engines::ranking`): then it has no infinite executions, live or not.
//!
//! **Soundness.** A recurrence counts only if all of the loop's state was compared. That none is there counts for liveness
//! if all loops and recursions have finitely many states. Termination is not concluded from it, for the loops that were
//! looked at are those that the C text shows; it takes a measure of the GOTO program, whose loops are all there are, or its
//! complete unrolling, which bounds every execution.

use std::time::Instant;

use vergo_automata::codes::UNSUPPORTED_PROGRAM;
use vergo_automata::{Instrumented, LoopInfo};
use vergo_engines::ranking::prove_termination;
use vergo_engines::{EngineId, Environment, Progress};
use vergo_evidence::{Counterexample, Reason};
use vergo_passes::properties::PropertySet;
use vergo_smt::{Budget, CancelToken};
use vergo_source::{Diagnostic, Span};

use crate::assertions::Assertions;
use crate::check::{Answer, Change, CheckReport, CheckRequest, check_changed, load, make_claims};
use crate::codes::NO_TERMINATION;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transform::{Spec, weave};

/// The stack of a thread; what recurses grows its own beyond that.
const STACK: usize = 16 << 20;

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
    if request.engine != EngineId::Portfolio {
        return look_for_recurrence(job, inputs, specification, request, None, progress);
    }
    let deadline = request.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    // Whatever there is to say about the program is said when its report is made.
    let program = job.quietly(|job| {
        let mut program = load(job, inputs, request)?;
        make_claims(job, &mut program, PropertySet::EMPTY)?;
        Ok(program)
    })?;
    let (stop_ranking, stop_looking) = (CancelToken::new(), CancelToken::new());
    let budget = Budget {
        deadline,
        cancel: Some(stop_ranking.clone()),
        memory: request.memory,
        ..Budget::default()
    };
    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
    let first = CheckRequest { timeout: left, ..request.clone() };
    let (found, ranked) = std::thread::scope(|scope| {
        let (program, stop) = (&program, stop_looking.clone());
        let ranking =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let environment = Environment { budget, progress: &|_| {} };
                let ranked = prove_termination(program, &environment);
                if ranked.is_ok() {
                    stop.cancel();
                }
                ranked
            });
        let cancel = ranking.is_ok().then_some(stop_looking);
        let found = look_for_recurrence(job, inputs, specification, &first, cancel, progress);
        let is_open = |found: &Result<CheckReport, Reason>| {
            found.as_ref().map_or(true, |report| report.answer.is_unknown())
        };
        if !found.as_ref().is_ok_and(is_open) {
            stop_ranking.cancel();
        }
        let ranked = match ranking {
            Ok(ranking) => {
                ranking.join().unwrap_or_else(|_| Err(Reason::Fault("a panic".to_owned())))
            }
            Err(_) => Err(Reason::incomplete("no thread could be made")),
        };
        (found, ranked)
    });
    let mut found = found?;
    if found.as_ref().is_ok_and(|report| !report.answer.is_unknown()) {
        return Ok(found);
    }
    match ranked {
        Ok(certificate) => {
            // A report on the program itself, about none of its claims.
            let (nothing, reason) = (Change::default(), None);
            let mut report = check_changed(job, inputs, request, &nothing, reason, progress)?;
            let withheld = report.assumptions.iter().find(|assumption| assumption.withholds());
            report.answer = match withheld {
                None => Answer::True,
                Some(assumption) => {
                    let what = &assumption.text;
                    Answer::unknown(format!("it would be true if this holds: {what}"))
                }
            };
            report.engine = request.engine.info().name;
            report.certificate = Some(certificate);
            Ok(Ok(report))
        }
        Err(no_measure) => {
            if let Ok(CheckReport { answer: Answer::Unknown(reason), .. }) | Err(reason) =
                &mut found
            {
                reason.add("recurrence", "ranking", no_measure);
            }
            Ok(found)
        }
    }
}

/// Looks for a state that recurs. A program that cannot be instrumented gives the reason.
fn look_for_recurrence(
    job: &mut Job,
    inputs: &[Input],
    specification: &str,
    request: &CheckRequest,
    cancel: Option<CancelToken>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Result<CheckReport, Reason>, Failed> {
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
    let assertions =
        Assertions { input, woven: &woven, name: specification, request, cancel, progress };
    let unproved = |job: &Job, report: &CheckReport| {
        let is_open = specification == "termination" && !has_bounds(report);
        let nothing = is_open.then(|| "no state recurs".to_owned());
        unproved(job, report, &woven, true).or(nothing)
    };
    let report = assertions.decide(job, unproved, |job, found| lasso(job, &woven, found))?;
    Ok(Ok(report))
}

fn has_bounds(report: &CheckReport) -> bool {
    report.certificate.as_ref().is_some_and(|certificate| certificate.bounds().is_some())
}

/// Why there may be infinite executions although no state recurs, unless all executions were unrolled to their ends. If
/// the automaton looks at heads of loops, it has to look at all of them.
pub(crate) fn unproved(
    job: &Job,
    report: &CheckReport,
    woven: &Instrumented,
    at_heads: bool,
) -> Option<String> {
    if has_bounds(report) {
        return None;
    }
    let (span, why) = match woven.loops.iter().find(|of| !of.bounded) {
        Some(unbounded) => (unbounded.span, "may have infinitely many"),
        None if at_heads => (report.unwatched_loop(woven)?, "is not watched"),
        None => return None,
    };
    Some(format!("no state recurs, but the loop at {} {why}", job.map.presumed(span.lo)))
}

/// The loop of which a state recurs, or why that does not count.
pub(crate) fn recurring_loop<'a>(
    job: &Job,
    loops: &'a [LoopInfo],
    counterexample: &Counterexample,
) -> Result<&'a LoopInfo, String> {
    // The innermost call is that of `reach_error`; the one around it is made where the state is looked at.
    let stack = &counterexample.position().stack;
    let Some(call) = stack.iter().filter(|call| !call.library).nth(1) else {
        return Err("a state recurs at an unknown place".to_owned());
    };
    let place = job.map.presumed(call.span.lo);
    let here: Vec<&LoopInfo> = loops
        .iter()
        .filter(|of| {
            let head = job.map.presumed(of.head);
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
    job: &Job,
    woven: &Instrumented,
    counterexample: &Counterexample,
) -> Result<Box<Diagnostic>, String> {
    let first = recurring_loop(job, &woven.loops, counterexample)?;
    let message = "the loop can run forever: a state of it recurs";
    let mut diagnostic = Diagnostic::error(NO_TERMINATION, first.span, message);
    let (stem, back) = inputs(job, woven, counterexample);
    for (what, values) in [("stem", stem), ("loop", back)] {
        let text = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        diagnostic = diagnostic.note(format!("inputs of the {what}: {text}"));
    }
    Ok(Box::new(diagnostic))
}

/// The inputs that lead to the state, and those that lead back to it.
pub(crate) fn inputs(
    job: &Job,
    woven: &Instrumented,
    counterexample: &Counterexample,
) -> (Vec<String>, Vec<String>) {
    let (mut stem, mut back) = (Vec::new(), Vec::new());
    let mut saved = false;
    for input in counterexample.inputs() {
        let line = input.value.to_line(input.ty);
        if is_choice(job, woven, input.span) {
            // The one choice that is not zero is to save the state.
            saved |= !line.ends_with(" 0");
        } else if is_added(job, input.span) {
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
fn is_choice(job: &Job, woven: &Instrumented, span: Span) -> bool {
    let text = String::from_utf8_lossy(job.map.span_text(span));
    text.contains(&format!("{}busy && ", woven.prefix))
}

/// Whether a place is in the functions that the automaton adds in front of the program.
pub(crate) fn is_added(job: &Job, span: Span) -> bool {
    let Some((file, offset)) = job.map.lookup(span.lo) else { return false };
    let text = job.map.text(file);
    let marker = text.windows(5).position(|part| part == b"\n# 1 ");
    marker.is_some_and(|at| (offset as usize) < at)
}
