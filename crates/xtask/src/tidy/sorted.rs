//! The rule on tables: lines between `tidy: sorted` and `tidy: end` are in order.
//!
//! `tidy: sorted-sections` compares only lines that open a section, as in a TOML file. Lines
//! that are empty or comments stand outside of the order.

use super::{Problem, TextFile};

pub(super) fn check(files: &[TextFile]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        let mut start = None;
        let mut sections = false;
        let mut last = "";
        for (number, line) in (1..).zip(file.text.lines()) {
            let line = line.trim();
            let comment = line.strip_prefix("//").or_else(|| line.strip_prefix('#')).map(str::trim);
            match comment {
                Some("tidy: sorted") => (start, sections, last) = (Some(number), false, ""),
                Some("tidy: sorted-sections") => (start, sections, last) = (Some(number), true, ""),
                Some("tidy: end") => start = None,
                Some(_) => {}
                None if start.is_none() || line.is_empty() => {}
                None if sections && !line.starts_with('[') => {}
                None => {
                    if key(line) < key(last) {
                        let message = format!("`{line}` should come before `{last}`");
                        problems.push(Problem::new(&file.path, number, "sorted", message));
                    }
                    last = line;
                }
            }
        }
        if let Some(start) = start {
            let message = "the sorted lines have no end";
            problems.push(Problem::new(&file.path, start, "sorted", message));
        }
    }
    problems
}

/// Returns the key by which a line is ordered: its text without the quotes and commas of a list.
fn key(line: &str) -> &str {
    line.trim_end_matches(['"', ','])
}
