//! Termination and liveness by recurrence: an automaton, an engine, and what its answer says about the program.
//!
//! **Idea.** The automaton makes a program in which `reach_error` is called exactly if a loop is in one state twice, for
//! liveness: without all conditions of `assert_live` having held in between (`vergo_automata::instrument`). If an engine finds such an execution, the interpreter has replayed it, so that the
//! state did recur: the execution up to where the state was saved is the stem, and the rest is a loop that can be
//! repeated for ever. That no state recurs proves termination if there are finitely many states.
//!
//! **Soundness.** A recurrence counts only if all of the loop's state was compared. A proof counts only if all loops and
//! recursions have finitely many states, or if the program was unrolled completely, which bounds every execution.

use vergo_automata::LoopInfo;
use vergo_automata::codes::UNSUPPORTED_PROGRAM;
use vergo_engines::{OnViolation, Progress};
use vergo_evidence::Counterexample;
use vergo_source::{Diagnostic, Span};

use crate::check::{
    Answer, CheckReport, CheckRequest, ClaimStatus, Properties, Specification, check, source_file,
};
use crate::codes::NO_TERMINATION;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transform::{Spec, weave};

/// The specifications that are decided so.
pub(crate) const RECURRENCES: &[&str] = &["liveness", "termination"];

/// Decides whether every execution of a program ends, or every infinite one is live. A
/// program that cannot be instrumented gives the reason.
pub(crate) fn recurrence(
    job: &mut Job,
    inputs: &[Input],
    specification: &str,
    request: &CheckRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Result<CheckReport, String>, Failed> {
    let [input] = inputs else {
        return Ok(Err(format!("{specification} is checked for programs of one file")));
    };
    let Some(claims) = Specification::from_name("unreach-call") else {
        return Err(Failed::Internal);
    };
    // What the transformation says about incomplete states matters only if the answer depends on it.
    let said = std::mem::take(&mut job.diagnostics);
    let woven = weave(job, input, &Spec::Builtin(specification.to_owned()));
    let new = std::mem::replace(&mut job.diagnostics, said);
    let woven = match woven {
        Ok(woven) => woven,
        Err(failed) => {
            let reason = new.iter().find(|diagnostic| diagnostic.code == UNSUPPORTED_PROGRAM);
            if let Some(reason) = reason {
                return Ok(Err(reason.message.clone()));
            }
            job.diagnostics.extend(new);
            return Err(failed);
        }
    };
    let transformed = Input::Text { name: input.name(), text: woven.text };
    let reach =
        CheckRequest { specification: claims, on_violation: OnViolation::Stop, ..request.clone() };
    // The front end has said about the original what it says about the result.
    let said = std::mem::take(&mut job.diagnostics);
    let report = check(job, &[transformed], &reach, progress);
    let new = std::mem::replace(&mut job.diagnostics, said);
    let mut report = match report {
        Ok(report) => report,
        Err(failed) => {
            job.diagnostics.extend(new);
            return Err(failed);
        }
    };
    match &report.answer {
        Answer::Unknown(_) => {}
        Answer::True => {
            let bounds = report.certificate.as_ref().and_then(|certificate| certificate.bounds());
            if let Some(of) = woven.loops.iter().find(|of| !of.bounded)
                && bounds.is_none()
            {
                let place = job.map.presumed(of.span.lo);
                report.answer = Answer::Unknown(format!(
                    "no state recurs, but the loop at {place} may have infinitely many"
                ));
            }
        }
        Answer::False(_) => {
            let violation = report.claims.iter().find_map(|claim| match &claim.status {
                ClaimStatus::Violated(violation) => Some(&violation.counterexample),
                _ => None,
            });
            report.answer = match violation.map(|found| lasso(job, &woven.loops, found)) {
                Some(Ok(diagnostic)) => {
                    job.diagnostics.push(*diagnostic);
                    Answer::False(specification.to_owned())
                }
                Some(Err(reason)) => Answer::Unknown(reason),
                None => Answer::Unknown("a state recurs at an unknown place".to_owned()),
            };
        }
    }
    // The claims are those of the instrumented program, in whose text nobody is interested.
    report.claims.clear();
    report.files = vec![source_file(job, input)?];
    report.properties = Properties { names: Vec::new(), text: None };
    Ok(Ok(report))
}

/// The recurrence of a state as a diagnostic, or why it does not count.
fn lasso(
    job: &Job,
    loops: &[LoopInfo],
    counterexample: &Counterexample,
) -> Result<Box<Diagnostic>, String> {
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
    let Some(first) = here.first().filter(|_| here.iter().all(|of| of.complete)) else {
        return Err(format!("a state recurs at {place}, but not all of it is compared"));
    };
    let message = "the loop can run forever: a state of it recurs";
    let mut diagnostic = Diagnostic::error(NO_TERMINATION, first.span, message);
    let (stem, back) = inputs(job, counterexample);
    for (what, values) in [("stem", stem), ("loop", back)] {
        let text = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        diagnostic = diagnostic.note(format!("inputs of the {what}: {text}"));
    }
    Ok(Box::new(diagnostic))
}

/// The inputs that lead to the state, and those that lead back to it.
fn inputs(job: &Job, counterexample: &Counterexample) -> (Vec<String>, Vec<String>) {
    let (mut stem, mut back) = (Vec::new(), Vec::new());
    let mut saved = false;
    for input in counterexample.inputs() {
        let line = input.value.to_line(input.ty);
        if is_choice(job, input.span) {
            // The one choice that is not zero is to save the state.
            saved |= !line.ends_with(" 0");
        } else if saved {
            back.push(line);
        } else {
            stem.push(line);
        }
    }
    (stem, back)
}

/// Whether an input is the automaton's own: the choice to save the state.
fn is_choice(job: &Job, span: Span) -> bool {
    let text = String::from_utf8_lossy(job.map.span_text(span)).into_owned();
    text.contains("busy && __VERIFIER_nondet_")
}
