//! `docs/trust.md` says in how many lines stands what a verdict rests on; the numbers must be near the truth.
//!
//! A row of its table is `| part | paths between backquotes | lines | ... |`, where a path is a file or a folder. Counted are
//! lines of Rust with code in them: no blank ones, no comments, no unit tests. A number may be off by a tenth before it has
//! to be corrected, so that not every change touches the page.

use super::{Problem, TextFile};

const PAGE: &str = "docs/trust.md";

/// The greatest deviation of a number: one part in so many.
const TOLERANCE: usize = 10;

pub(super) fn check(files: &[TextFile]) -> Vec<Problem> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else { return Vec::new() };
    let mut problems = Vec::new();
    let mut total = 0;
    for (index, line) in page.text.lines().enumerate() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[_, part, paths, said, ..] = &cells[..] else { continue };
        let Ok(said) = said.replace(',', "").parse::<usize>() else { continue };
        let mut problem =
            |message: String| problems.push(Problem::new(PAGE, index + 1, "trust", message));
        let is_sum = part == "**all**";
        let mut lines = if is_sum { total } else { 0 };
        for path in paths.split('`').skip(1).step_by(2) {
            let found = count(files, path);
            if found == 0 {
                problem(format!("there is no code in `{path}`"));
            }
            lines += found;
        }
        if !is_sum {
            total += lines;
        }
        if lines.abs_diff(said) * TOLERANCE > lines {
            problem(format!("{part} has {lines} lines, not {said}"));
        }
    }
    problems
}

/// The lines of code in a file or folder.
fn count(files: &[TextFile], path: &str) -> usize {
    let folder = format!("{}/", path.trim_end_matches('/'));
    let is_meant = |file: &&TextFile| file.path == path || file.path.starts_with(&folder);
    let is_code = |file: &&TextFile| {
        let is_test = file.path.contains("/tests/") || file.path.ends_with("/tests.rs");
        file.path.ends_with(".rs") && !is_test
    };
    files.iter().filter(is_meant).filter(is_code).map(|file| code_lines(&file.text)).sum()
}

/// Lines with code before the unit tests, which stand at the end.
fn code_lines(text: &str) -> usize {
    let tests = concat!("#[cfg(", "test)]\nmod ");
    let code = match text.find(tests) {
        // A module of tests in a file of its own is declared at the top.
        Some(at) if text[at + tests.len()..].lines().next().is_some_and(|l| l.ends_with('{')) => {
            &text[..at]
        }
        _ => text,
    };
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    code.lines().filter(is_code).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_must_be_near_the_truth() {
        let code =
            format!("//! Doc.\n\n{}#[cfg(test)]\nmod tests {{\n x\n}}\n", "f();\n".repeat(20));
        let file = |path: &str, text: &str| TextFile { path: path.into(), text: text.into() };
        let problems = |row: &str| {
            let page = format!("| part | where | lines |\n|---|---|---|\n{row}\n");
            let files = [file(PAGE, &page), file("crates/a/src/b.rs", &code)];
            check(&files).into_iter().map(|problem| problem.message).collect::<Vec<_>>()
        };
        assert_eq!(problems("| a | `crates/a/src` | 20 | tests |"), [""; 0]);
        assert_eq!(problems("| a | `crates/a/src/b.rs` | 22 |"), [""; 0]);
        assert_eq!(problems("| a | `crates/a/src` | 23 |"), ["a has 20 lines, not 23"]);
        assert_eq!(problems("| a | `crates/c` | 0 |"), ["there is no code in `crates/c`"]);
        assert_eq!(problems("| a | `crates/a` | 20 |\n| **all** | | 20 |"), [""; 0]);
        assert_eq!(
            problems("| a | `crates/a` | 20 |\n| **all** | | 40 |"),
            ["**all** has 20 lines, not 40"]
        );
    }
}
