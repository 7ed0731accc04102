//! The programs below `tests/regress`: what was wrong once, each with its verdicts.
//!
//! The first lines of a program say how it is checked and what the answer is:
//!
//! ```c
//! //@ check --property unreach-call
//! //@ verdict false(unreach-call)
//! //@ assumed memory.bounds
//! ```
//!
//! A verdict `unknown` or `false` stands for one with any reason or property. `assumed` names an assumption that the report must show, `not-assumed`
//! one that it must not. Further lines of this kind are further checks of the same program.
//!
//! Each program is a test of its own. A check that expects a violation is over with the first one, unless its arguments say otherwise.

use std::path::{Path, PathBuf};
use std::process::Command;
use vergo_testkit::environment::slow;
use vergo_testkit::trials::{Trial, run};

/// Engines that are asked alone about a program that is not safe.
const PROVERS: [&str; 4] = ["kind", "shapes", "localisation", "imc"];

#[derive(Clone)]
struct Check {
    arguments: Vec<String>,
    verdict: String,
    assumed: Vec<String>,
    not_assumed: Vec<String>,
}

fn checks(text: &str) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//@ ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "check" {
            checks.push(Check {
                arguments: rest.split_whitespace().map(str::to_owned).collect(),
                verdict: String::new(),
                assumed: Vec::new(),
                not_assumed: Vec::new(),
            });
            continue;
        }
        let check = checks.last_mut().expect("a check comes first");
        match word {
            "verdict" => check.verdict = rest.trim().to_owned(),
            "assumed" => check.assumed.push(rest.trim().to_owned()),
            "not-assumed" => check.not_assumed.push(rest.trim().to_owned()),
            _ => panic!("`{word}` means nothing in a header"),
        }
    }
    checks
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regress");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    found.sort();
    found
}

/// The report about a program, with the verdict in its last line.
fn report(program: &Path, check: &Check, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vergo"))
        .args(["check", "--json", "-"])
        .args(&check.arguments)
        .args(more)
        .arg(program)
        .output()
        .expect("the command runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn verdict(report: &str) -> &str {
    let last = report.lines().last().unwrap_or_default();
    last.strip_prefix("RESULT: ").unwrap_or(last)
}

/// Says what is wrong with the answer to a check.
fn failure(program: &Path, check: &Check) -> Option<String> {
    // An engine that gives up only when its time is over would take all of it each time.
    let is_short = check.verdict.starts_with("unknown") && !slow();
    let limit = if is_short { "10" } else { "120" };
    let mut more = vec!["--timeout", limit];
    if check.verdict.starts_with("false") && !check.arguments.iter().any(|a| a == "--violations") {
        more.extend(["--violations", "first"]);
    }
    let text = report(program, check, &more);
    let given = verdict(&text);
    let stands_for_all = ["false", "unknown"].contains(&check.verdict.as_str());
    let right = given == check.verdict
        || stands_for_all && given.starts_with(&format!("{}(", check.verdict));
    let shows = |id: &String| text.contains(&format!("\"id\": \"{id}\""));
    let missing = check.assumed.iter().find(|&id| !shows(id));
    let superfluous = check.not_assumed.iter().find(|&id| shows(id));
    let problem = match (right, missing, superfluous) {
        (false, ..) => format!("{given} instead of {}", check.verdict),
        (true, Some(id), _) => format!("{id} is not among what is assumed"),
        (true, None, Some(id)) => format!("{id} is among what is assumed"),
        (true, None, None) => return None,
    };
    Some(format!("with {}: {problem}", check.arguments.join(" ")))
}

/// Asks a prover alone about a program that is not safe, and about its slice. In a portfolio whoever finds the violation first
/// hides what the provers would have said.
fn is_called_safe(program: &Path, check: &Check, prover: &str) -> bool {
    ["--slice=never", "--slice=always"].into_iter().any(|slice| {
        let text = report(program, check, &["--timeout", "5", "--engine", prover, slice]);
        verdict(&text) == "true"
    })
}

fn main() {
    let mut trials = Vec::new();
    for (number, program) in programs().into_iter().enumerate() {
        let name = program.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&program).expect("a program can be read");
        let checks = checks(&text);
        assert!(!checks.is_empty(), "{} has no header", program.display());
        let is_asked = |check: &&Check| {
            check.verdict.starts_with("false") && !check.arguments.iter().any(|a| a == "--engine")
        };
        if let Some(check) = checks.iter().find(is_asked).cloned() {
            // Only one of them says anything of threads.
            let prover = match text.contains("<pthread.h>") {
                true => "thread-modular",
                false => PROVERS[number % PROVERS.len()],
            };
            let program = program.clone();
            trials.push(Trial::new(format!("{name}::{prover}"), move || {
                match is_called_safe(&program, &check, prover) {
                    true => Err(format!("{prover} calls it safe")),
                    false => Ok(()),
                }
            }));
        }
        trials.push(Trial::new(name, move || {
            let failures: Vec<String> =
                checks.iter().filter_map(|check| failure(&program, check)).collect();
            if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
        }));
    }
    assert!(!trials.is_empty(), "there are programs");
    run(trials);
}
