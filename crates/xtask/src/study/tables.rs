//! The tables of the study, in Markdown.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::page::Study;
use super::record::Record;

/// The test for the runs that are counted.
type Count = fn(&Record) -> bool;

const ROWS: &[(&str, Count)] = &[
    ("correct results", |r| r.is_correct()),
    ("- proofs", |r| r.is_correct() && r.expected),
    ("- of them by a fixed point", |r| r.is_fixed_point()),
    ("- alarms", |r| r.is_correct() && !r.expected),
    ("wrong proofs", |r| r.is_wrong() && !r.expected),
    ("wrong alarms", |r| r.is_wrong() && r.expected),
    ("timeouts", |r| r.verdict == "timeout"),
    ("out of memory", |r| r.verdict == "memout"),
    ("other inconclusive", |r| matches!(r.verdict.as_str(), "unknown" | "error")),
];

impl Study<'_> {
    /// Returns the number of each engine's runs of a kind, for some tasks.
    pub(crate) fn summary(&self, engines: &[&str], wanted: &dyn Fn(&Record) -> bool) -> String {
        let mut text = head(engines);
        for (name, count) in ROWS {
            let _ = write!(text, "| {name} |");
            for engine in engines {
                let n = self.of(engine).filter(|r| wanted(r) && count(r)).count();
                let _ = write!(text, " {n} |");
            }
            text.push('\n');
        }
        text
    }

    /// Proofs and alarms of each engine, category by category, for some tasks.
    pub(crate) fn categories(&self, engines: &[&str], wanted: &dyn Fn(&Record) -> bool) -> String {
        let categories: BTreeSet<&str> =
            self.tasks.iter().map(|task| task.category.as_str()).collect();
        let mut text = head(engines);
        for category in categories {
            let names: BTreeSet<&str> = self
                .tasks
                .iter()
                .filter(|task| task.category == category)
                .map(|task| task.name.as_str())
                .collect();
            let inside = |r: &Record| names.contains(r.task.as_str()) && wanted(r);
            if !self.records.iter().any(inside) {
                continue;
            }
            for (what, safe) in [("proofs", true), ("alarms", false)] {
                let tasks = self
                    .tasks
                    .iter()
                    .filter(|task| names.contains(task.name.as_str()) && task.expected == safe);
                let n_tasks = tasks.count();
                if n_tasks == 0 {
                    continue;
                }
                let _ = write!(text, "| {category}: {what} (of {n_tasks}) |");
                for engine in engines {
                    let runs = self.of(engine).filter(|r| inside(r) && r.expected == safe);
                    let _ = write!(text, " {} |", runs.filter(|r| r.is_correct()).count());
                }
                text.push('\n');
            }
        }
        text
    }

    /// The processor time of two engines on tasks that both have solved: with the tasks, safe or not.
    pub(crate) fn both(&self, a: &str, b: &str, safe: Option<bool>) -> (usize, f64, f64) {
        let pairs = self.pairs(a, b).filter(|(a, b)| {
            a.is_correct() && b.is_correct() && safe.is_none_or(|safe| a.expected == safe)
        });
        pairs.fold((0, 0.0, 0.0), |(n, x, y), (a, b)| (n + 1, x + a.cpu, y + b.cpu))
    }

    /// The processor time of one engine against others, on tasks that both have solved.
    pub(crate) fn times(&self, one: &str, others: &[&str]) -> String {
        let mut text = String::from("| tasks solved by both | count |");
        let mut line = String::from("|---|---:|");
        for name in ["first", "second", "second / first"] {
            let _ = write!(text, " {name} |");
            line.push_str("---:|");
        }
        let _ = write!(text, "\n{line}\n");
        for other in others {
            for (what, safe) in [("alarms", Some(false)), ("proofs", Some(true)), ("all", None)] {
                let (n, first, second) = self.both(one, other, safe);
                let ratio =
                    if first > 0.0 { format!("{:.2}", second / first) } else { "-".to_owned() };
                let _ = writeln!(
                    text,
                    "| {one} and {other}: {what} | {n} | {first:.1} s | {second:.1} s | {ratio} |"
                );
            }
        }
        text
    }
}

fn head(engines: &[&str]) -> String {
    let mut text = String::from("| |");
    let mut line = String::from("|---|");
    for engine in engines {
        let _ = write!(text, " {engine} |");
        line.push_str("---:|");
    }
    format!("{text}\n{line}\n")
}
