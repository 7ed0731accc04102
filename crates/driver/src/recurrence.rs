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
use vergo_engines::Progress;
use vergo_evidence::{Counterexample, Verdict};
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_source::{Diagnostic, Span};

use crate::check::{Answer, CheckRequest, decide};
use crate::codes::NO_TERMINATION;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transform::{Spec, weave};

/// The specifications that are decided so.
pub(crate) const RECURRENCES: &[&str] = &["liveness", "termination"];

/// Decides whether every execution of a program ends, or every infinite one is live.
pub(crate) fn recurrence(
    job: &mut Job,
    inputs: &[Input],
    specification: &str,
    request: &CheckRequest,
    progress: &dyn Fn(Progress),
) -> Result<Answer, Failed> {
    let [input] = inputs else {
        return Ok(Answer::Unknown(format!("{specification} is checked for programs of one file")));
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
                return Ok(Answer::Unknown(reason.message.clone()));
            }
            job.diagnostics.extend(new);
            return Err(failed);
        }
    };
    // Nothing is known of loops that no automaton saw, and there are none: every loop has an instance.
    let name = input.name();
    let transformed = Input::Text { name, text: woven.text };
    let properties: PropertySet = [PropertyId::ReachError].into_iter().collect();
    let warnings = std::mem::take(&mut job.diagnostics);
    let verdict = decide(job, &[transformed], properties, request, progress);
    let new = std::mem::replace(&mut job.diagnostics, warnings);
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(failed) => {
            job.diagnostics.extend(new);
            return Err(failed);
        }
    };
    Ok(match verdict {
        Verdict::Unknown(reason) => Answer::Unknown(reason),
        Verdict::True(certificate) => {
            let unbounded = woven.loops.iter().find(|of| !of.bounded);
            match unbounded {
                Some(of) if certificate.bounds().is_none() => Answer::Unknown(format!(
                    "no state recurs, but the loop at {} may have infinitely many",
                    job.map.presumed(of.span.lo)
                )),
                _ => Answer::True(format!("no loop goes back to a state: {certificate}")),
            }
        }
        Verdict::False(counterexample) => lasso(job, specification, &woven.loops, &counterexample),
    })
}

/// The answer to an execution in which a state recurs.
fn lasso(
    job: &Job,
    specification: &str,
    loops: &[LoopInfo],
    counterexample: &Counterexample,
) -> Answer {
    // The innermost call is that of `reach_error`; the one around it is made where the state is looked at.
    let stack = &counterexample.position().stack;
    let Some(call) = stack.iter().filter(|call| !call.library).nth(1) else {
        return Answer::Unknown("a state recurs at an unknown place".to_owned());
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
        return Answer::Unknown(format!(
            "a state recurs at {place}, but not all of it is compared"
        ));
    };
    let message = "the loop can run forever: a state of it recurs";
    let mut diagnostic = Diagnostic::error(NO_TERMINATION, first.span, message);
    let (stem, back) = inputs(job, counterexample);
    for (what, values) in [("stem", stem), ("loop", back)] {
        let text = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        diagnostic = diagnostic.note(format!("inputs of the {what}: {text}"));
    }
    Answer::False(specification.to_owned(), Box::new(diagnostic))
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
