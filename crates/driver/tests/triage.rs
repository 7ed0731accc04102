//! Triage on random libraries: what an execution of some caller shows is not refuted.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;
use vergo_driver::{
    CheckRequest, Ended, Input, Job, NondetInputs, OnViolation, RunRequest, TriageFate,
    TriageRequest, run, triage,
};
use vergo_interp::Buffers;
use vergo_testkit::environment::slow;
use vergo_testkit::pointer_programs::{Library, Suspicion, library};

fn text(name: &str, text: &str) -> Input {
    Input::Text { name: name.to_owned(), text: text.as_bytes().to_vec() }
}

/// The line of the library in which an execution goes wrong, and in which way, if it goes wrong there.
fn violation(library: &Library, seed: u64) -> Option<(u32, Suspicion)> {
    let inputs = [text("library.c", &library.text), text("caller.c", &library.caller)];
    let request = RunRequest {
        inputs: NondetInputs::Seed(seed),
        steps: Some(20_000),
        ..RunRequest::default()
    };
    let mut job = Job::default();
    let ended = run(&mut job, &inputs, &request, Box::new(Buffers::default()), &mut |_| {});
    let ended = ended.unwrap_or_else(|_| panic!("not a program:\n{}", library.text));
    if ended != Ended::Violation {
        return None;
    }
    let properties = [
        ("[memory.null", Suspicion::Null),
        ("[arith.division-by-zero", Suspicion::Division),
        ("[memory.uninitialized", Suspicion::Unset),
    ];
    let said = job.diagnostics.iter().find_map(|said| {
        let is = |(property, _): &&(&str, _)| said.message.contains(property);
        Some((said.primary, properties.iter().find(is)?.1))
    });
    let (span, suspicion) = said?;
    let at = job.map.presumed(span.lo);
    (&*at.file == "library.c").then_some((at.line, suspicion))
}

/// The warnings of an analyser that has these suspicions.
fn report(suspicions: &[&(u32, Suspicion, String)]) -> String {
    let mut lines = String::new();
    for (line, suspicion, about) in suspicions {
        let what = match suspicion {
            Suspicion::Null => format!("dereference of NULL '{about}' [CWE-476]"),
            Suspicion::Division => "Division by zero. [zerodiv]".to_owned(),
            Suspicion::Unset => format!("use of uninitialized value '{about}' [CWE-457]"),
        };
        let _ = writeln!(lines, "library.c:{line}:1: warning: {what}");
    }
    lines
}

#[test]
fn what_executions_show_is_not_refuted() {
    let (n_libraries, n_seeds) = if slow() { (500, 60) } else { (5, 40) };
    let (mut n_refuted, mut n_shown, mut n_all) = (0, 0, 0);
    for seed in 0..n_libraries {
        let library = library(seed);
        let shown: BTreeSet<(u32, Suspicion)> =
            (0..n_seeds).filter_map(|seed| violation(&library, seed)).collect();
        let request = TriageRequest {
            check: CheckRequest {
                timeout: Some(Duration::from_secs(2)),
                on_violation: OnViolation::GoOn,
                ..CheckRequest::default()
            },
            local: true,
        };
        // All that go wrong, and some others.
        let is_asked = |(at, suspicion): &(usize, &(u32, Suspicion, String))| {
            shown.contains(&(suspicion.0, suspicion.1)) || at % 3 == 0
        };
        let asked = library.suspicions.iter().enumerate().filter(is_asked);
        let asked: Vec<&(u32, Suspicion, String)> = asked.map(|(_, suspicion)| suspicion).collect();
        let mut job = Job::default();
        let report = text("report.txt", &report(&asked));
        let files = [text("library.c", &library.text)];
        let decided = triage(&mut job, &report, &files, &request, &|_, _| {});
        let decided = decided.unwrap_or_else(|_| panic!("not a report"));
        assert_eq!(decided.warnings.len(), asked.len());
        for ((line, suspicion, _), (_, fate)) in asked.iter().zip(&decided.warnings) {
            let is_refuted = matches!(fate, TriageFate::Refuted(_));
            let is_shown = shown.contains(&(*line, *suspicion));
            assert!(
                !(is_refuted && is_shown),
                "seed {seed}: line {line} goes wrong: {}\n{}",
                fate.why(),
                library.text
            );
            n_all += 1;
            n_refuted += usize::from(is_refuted);
            n_shown += usize::from(is_shown);
        }
    }
    assert!(n_refuted * 10 > n_all && n_shown * 10 > n_all, "{n_refuted} {n_shown} of {n_all}");
}
