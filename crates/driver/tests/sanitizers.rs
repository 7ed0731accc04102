//! Random programs end as under gcc's sanitizers: with a violation of the same kind on the same line, or with the same
//! output and status.
//!
//! Where the two mean different things, the generator keeps away: `vergo run` reports values that were never set, gcc's
//! sanitizers report null pointers that are moved without being followed. What a sanitizer calls a leak has the line of the
//! allocation and ours the end of the program, so that lines of leaks are not compared.

#![allow(clippy::print_stdout, reason = "the mix of programs says what the comparison is worth")]

use std::collections::BTreeMap;
use std::time::Duration;

use vergo_driver::{Ended, Input, Job, PropertySet, RunRequest, run};
use vergo_interp::Buffers;
use vergo_source::{Renderer, Severity};
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::faulty;
use vergo_testkit::sanitizer::{Sanitized, Sanitizer};

/// The properties that a report can stand for: how it begins, and their ids.
const KINDS: &[(&str, &[&str])] = &[
    // Undefined behaviour, by the first words of the message.
    ("division by zero", &["arith.division-by-zero"]),
    ("division of", &["arith.signed-overflow"]),
    ("execution reached an unreachable", &["reach.unreachable"]),
    ("index", &["memory.bounds", "memory.index"]),
    ("left shift of", &["arith.signed-overflow"]),
    ("load of address", &["memory.bounds"]),
    ("load of misaligned", &["memory.alignment"]),
    ("load of null", &["memory.null"]),
    ("member access within misaligned", &["memory.alignment"]),
    ("member access within null", &["memory.null"]),
    ("negation of", &["arith.signed-overflow"]),
    ("shift exponent", &["arith.shift"]),
    ("signed integer overflow", &["arith.signed-overflow"]),
    ("store to address", &["memory.bounds"]),
    ("store to misaligned", &["memory.alignment"]),
    ("store to null", &["memory.null"]),
    // Addresses.
    ("SEGV", &["memory.null", "memory.bounds"]),
    ("bad-free", &["memory.invalid-free"]),
    ("double-free", &["memory.double-free"]),
    ("dynamic-stack-buffer-overflow", &["memory.bounds"]),
    ("global-buffer-overflow", &["memory.bounds"]),
    ("heap-buffer-overflow", &["memory.bounds"]),
    ("heap-use-after-free", &["memory.lifetime"]),
    ("leak", &["memory.leak"]),
    ("stack-buffer-overflow", &["memory.bounds"]),
    ("stack-buffer-underflow", &["memory.bounds"]),
    ("stack-use-after-return", &["memory.lifetime"]),
    ("stack-use-after-scope", &["memory.lifetime"]),
];

/// The end of our run: the outcome, the property and line of a violation, the output, and all messages.
struct Ours {
    ended: Ended,
    property: Option<String>,
    line: usize,
    output: String,
    text: String,
}

fn ours(program: &str) -> Ours {
    let mut job = Job::default();
    job.cpp.command = vec!["gcc".into(), "-E".into()];
    let input = Input::Text { name: "program.c".into(), text: program.into() };
    let request = RunRequest {
        properties: Some(PropertySet::default_on()),
        timeout: Some(Duration::from_secs(60)),
        ..RunRequest::default()
    };
    let output = Buffers::default();
    let world = Box::new(output.clone());
    let ended = run(&mut job, &[input], &request, world, &mut |_| {});
    job.prepare_diagnostics();
    let text = Renderer::plain().render_all(&job.map, &job.diagnostics);
    let ended = ended.unwrap_or_else(|_| panic!("rejected:\n{text}\n{program}"));
    let error = job.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    let line = error.map_or(0, |error| job.map.presumed(error.primary.lo).line as usize);
    // The id stands in the last brackets of the message, before the CWE.
    let property = error.filter(|_| ended == Ended::Violation).and_then(|error| {
        let (_, id) = error.message.rsplit_once('[')?;
        id.split([',', ']']).next().map(str::to_owned)
    });
    let output = String::from_utf8_lossy(&output.output()).into_owned();
    Ours { ended, property, line, output, text }
}

/// Returns the difference of the two, if there is one.
fn difference(theirs: &Sanitized, ours: &Ours) -> Option<String> {
    match theirs {
        Sanitized::Clean(finished) => {
            let aborted = finished.code().is_none();
            let same_end = match ours.ended {
                Ended::Exited(status) => finished.code() == Some(status.into()),
                Ended::Aborted => aborted,
                _ => false,
            };
            if ours.ended == Ended::Violation {
                Some("false alarm".to_owned())
            } else if !same_end {
                Some(format!("gcc's program ended with {:?}", finished.status))
            } else {
                (finished.stdout_text() != ours.output).then(|| "another output".to_owned())
            }
        }
        Sanitized::Reported(report, finished) => {
            let said = format!("gcc says {} on line {:?}", report.kind, report.line);
            let expected = KINDS.iter().find(|(begin, _)| report.kind.starts_with(begin));
            let Some((_, ids)) = expected else { return Some(format!("unknown kind: {said}")) };
            let Some(property) = &ours.property else { return Some(format!("miss: {said}")) };
            if !ids.contains(&property.as_str()) {
                Some(format!("another property: {said}"))
            } else if report.line.is_some_and(|line| line != ours.line) {
                Some(format!("another line: {said}"))
            } else {
                (finished.stdout_text() != ours.output).then(|| format!("another output: {said}"))
            }
        }
        Sanitized::TooSlow => None,
        Sanitized::Refused(messages) => Some(format!("gcc refuses it: {messages}")),
    }
}

#[test]
fn random_programs_end_as_under_sanitizers() {
    let name = "random_programs_end_as_under_sanitizers";
    let Some(sanitizer) = Sanitizer::find() else {
        return skip(name, "there is no gcc with working sanitizers");
    };
    let n_programs = if slow() { 200 } else { 15 };
    let mut differences = Vec::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..n_programs {
        let program = faulty::program(seed);
        let theirs = sanitizer.run(&program, Duration::from_secs(20)).expect("gcc starts");
        let kind = match &theirs {
            Sanitized::Reported(report, _) => KINDS
                .iter()
                .find(|(begin, _)| report.kind.starts_with(begin))
                .map_or("unknown", |(begin, _)| begin),
            Sanitized::TooSlow => "too slow",
            _ => "clean",
        };
        *kinds.entry(kind).or_default() += 1;
        let ours = ours(&program);
        if let Some(difference) = difference(&theirs, &ours) {
            differences.push(format!(
                "seed {seed}: {difference}; we end with {:?}, {:?} on line {}\n{}",
                ours.ended, ours.property, ours.line, ours.text
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {n_programs}:\n{}",
        differences.len(),
        differences.join("\n")
    );
    // The comparison means something only if programs of both sorts are among them.
    assert!(kinds["clean"] >= n_programs as usize / 5, "{kinds:?}");
    assert!(kinds.len() > if slow() { 15 } else { 4 }, "{kinds:?}");
    println!("{kinds:?}");
}
