//! The coverage report as a page: one file without scripts, with a table by function and the source line by line.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{CoverReport, GoalReport, GoalStatus};
use crate::check::escape_xml;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

impl CoverReport {
    /// The page.
    pub fn html(&self) -> String {
        let [covered, unreachable, unknown] = self.counts();
        let summary = format!(
            "{covered} of {} goals covered by {} tests, {unreachable} unreachable, {unknown} unknown",
            self.goals.len(),
            self.n_tests()
        );
        PAGE.replace("/*STYLE*/", STYLE)
            .replace("<!--SUMMARY-->", &escape_xml(&summary))
            .replace("<!--FUNCTIONS-->", &self.function_rows())
            .replace("<!--SOURCES-->", &self.sources())
    }

    fn function_rows(&self) -> String {
        let mut out = String::new();
        for ((function, criterion), counts) in self.by_function() {
            let [covered, unreachable, unknown] = counts;
            let all = covered + unreachable + unknown;
            // What no execution reaches needs no test.
            let share = match all - unreachable {
                0 => 100,
                wanted => covered * 100 / wanted,
            };
            let word = match unknown {
                0 => "covered",
                _ => "unknown",
            };
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td class=\"{word}\">{share} %</td><td>{covered}</td><td>{unreachable}</td>\
                 <td>{unknown}</td><td>{all}</td></tr>",
                escape_xml(function),
                criterion.name()
            );
        }
        out
    }

    /// Every file with a mark in front of each line, and below a line its goals that are not covered.
    fn sources(&self) -> String {
        let mut by_line: BTreeMap<(&str, u32), Vec<&GoalReport>> = BTreeMap::new();
        for goal in &self.goals {
            by_line.entry((&goal.file, goal.line)).or_default().push(goal);
        }
        let mut out = String::new();
        for file in &self.check.files {
            let _ = writeln!(out, "<h2>{}</h2>\n<pre>", escape_xml(&file.name));
            let text = String::from_utf8_lossy(&file.text).into_owned();
            for (i, line) in text.lines().enumerate() {
                let number = i as u32 + 1;
                let goals = by_line.get(&(file.name.as_str(), number));
                write_line(&mut out, number, line, goals.map_or(&[], Vec::as_slice));
            }
            out.push_str("</pre>\n");
        }
        out
    }
}

fn write_line(out: &mut String, number: u32, line: &str, goals: &[&GoalReport]) {
    let n_tests = goals
        .iter()
        .filter_map(|goal| match &goal.status {
            GoalStatus::Covered(by) => Some(by.len()),
            _ => None,
        })
        .max();
    let has = |word| goals.iter().any(|goal| goal.status.word() == word);
    let (word, mark) = match n_tests {
        None if goals.is_empty() => ("", String::new()),
        None if has("unknown") => ("unknown", "?".to_owned()),
        None => ("unreachable", "-".to_owned()),
        Some(n) if has("unknown") || has("unreachable") => ("partly", n.to_string()),
        Some(n) => ("covered", n.to_string()),
    };
    let _ = writeln!(
        out,
        "<span class=\"line {word}\" id=\"L{number}\"><b>{number}</b><i>{mark}</i>{}</span>",
        escape_xml(line)
    );
    for goal in goals {
        let why = match &goal.status {
            GoalStatus::Covered(_) => continue,
            GoalStatus::Unreachable => String::new(),
            GoalStatus::Unknown(why) => format!(" ({why})"),
        };
        let text = format!("{} {}: {}{why}", goal.criterion.name(), goal.status.word(), goal.what);
        let word = goal.status.word();
        let _ = writeln!(out, "<span class=\"goal {word}\">{}</span>", escape_xml(&text));
    }
}
