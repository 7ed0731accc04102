//! Rules on the text of files.

use super::{Problem, TextFile};

/// File names that say nothing about what is inside.
const DRAWERS: &[&str] = &["common", "helper", "helpers", "misc", "util", "utils"];

/// Beginnings of paths that exist on one machine only, split so that this file passes.
const MACHINE_PATHS: &[[&str; 2]] =
    &[["/", "home/"], ["/", "root/"], ["/", "tmp/"], ["/", "work/"], ["/", "Users/"]];

/// Words for things left to do, split for the same reason.
const NOTES: &[[&str; 2]] = &[["TO", "DO"], ["FIX", "ME"], ["XX", "X"]];

pub(super) fn check(files: &[TextFile]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        // Inputs of tests may be as odd as they like.
        if file.path == "Cargo.lock" || file.path == "LICENSE" || is_test_data(&file.path) {
            continue;
        }
        let mut problem = |line, rule, message: &str| {
            problems.push(Problem::new(&file.path, line, rule, message));
        };
        let rust = file.path.ends_with(".rs");
        if rust {
            if !file.text.starts_with("//!") {
                problem(1, "module-doc", "a Rust file begins with a `//!` line");
            }
            let name = file.path.rsplit('/').next().unwrap_or_default();
            if DRAWERS.contains(&name.trim_end_matches(".rs")) {
                problem(0, "file-name", "name the file after the concept in it");
            }
        }
        if !file.text.is_empty() && !file.text.ends_with('\n') {
            problem(0, "newline", "the file does not end with a newline");
        }
        for (number, line) in (1..).zip(file.text.split('\n')) {
            if line.ends_with('\r') {
                problem(number, "blanks", "the line has a carriage return");
            } else if line.ends_with([' ', '\t']) {
                problem(number, "blanks", "there are blanks at the end of the line");
            }
            if rust && line.contains('\t') {
                problem(number, "tab", "there is a tab in a Rust file");
            }
            if MACHINE_PATHS.iter().any(|parts| line.contains(&parts.concat())) {
                problem(number, "machine-path", "a path of one machine has no place here");
            }
            if NOTES.iter().any(|parts| has_bare_note(line, &parts.concat())) {
                problem(number, "to-do", "a note for later needs a reference in parentheses");
            }
            if rust && line.trim_start().starts_with(&["#[", "ignore"].concat()) {
                problem(number, "ignored-test", "a test that is not run tests nothing");
            }
        }
    }
    problems
}

/// Returns whether a line contains a note as a whole word that no parenthesis follows.
fn has_bare_note(line: &str, note: &str) -> bool {
    line.match_indices(note).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + note.len()..].chars().next();
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !word(before) && !word(after) && after != Some('(')
    })
}

/// Returns whether a file is the input or the expected output of a test.
fn is_test_data(path: &str) -> bool {
    path.starts_with("tests/") && !path.ends_with(".rs")
        || path.starts_with("fuzz/seeds/")
        || (path.starts_with("crates/") && path.contains("/tests/") && !path.ends_with(".rs"))
}
