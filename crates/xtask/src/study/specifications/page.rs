//! The page of the study: the tables, a figure, and the part that is written by hand, which stays.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tools::{TOOLS, Tool, tool};
use super::{PROPERTIES, TRANSFORMED, base};
use crate::shell::root;
use crate::study::canvas::Mark;
use crate::study::plot::{Axis, COLORS, Join, Scale, Series, plot};
use crate::study::record::{Record, Task};

/// What the page is made of.
pub(super) struct Study<'a> {
    pub(super) tasks: &'a [Task],
    pub(super) records: &'a [Record],
    pub(super) engines: &'a [String],
    pub(super) limit: u64,
    pub(super) most: Option<usize>,
    /// The programs of tools that are not on this machine.
    pub(super) missing: Vec<&'static str>,
}

/// The lines around what is written by hand.
const BEGIN: &str = "<!-- by hand: begin -->";
const END: &str = "<!-- by hand: end -->";

/// The numbers of the tables in the paper, in the order of the properties.
const NUMBERS: [u32; 3] = [3, 4, 5];

impl<'a> Study<'a> {
    /// Writes the page and its figure into a folder.
    pub(super) fn write(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let path = folder.join("specifications.md");
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, self.page(by_hand(&old)))?;
        std::fs::write(folder.join("specifications-times.svg"), self.figure())?;
        Ok(path)
    }

    fn page(&self, by_hand: &str) -> String {
        let mut page = self.head();
        let _ = write!(page, "## What it says\n\n{BEGIN}\n{by_hand}\n{END}\n\n");
        for ((property, _), number) in PROPERTIES.iter().zip(NUMBERS) {
            let _ = write!(page, "## Table {number}: {property}\n\n{}\n", self.results(property));
        }
        let _ = write!(
            page,
            "## Research question 1: properties that a tool does not know\n\nCorrect answers on transformed programs, and those of \
             `vergo check` on the originals.\n\n{}\n",
            self.new_properties()
        );
        let _ = write!(
            page,
            "## Research questions 2 to 4: the original and the transformed program\n\nTasks that a tool solves in both forms or in one, \
             and CPU seconds on those that it solves in both. The last research question asks this of the verifier that the \
             transformation belongs to: the rows of vergo.\n\n{}\n![CPU time of vergo](specifications-times.svg)\n\n",
            self.both_forms()
        );
        let _ = write!(page, "## Why there is no answer\n\n{}\n", self.reasons());
        let _ = write!(page, "## Wrong answers\n\n{}\n", self.wrong());
        let _ = write!(
            page,
            "## Answers that `vergo check` does not have on the original\n\n{}",
            self.gained()
        );
        page
    }

    fn head(&self) -> String {
        let most = self.most.map(|most| format!(" --most {most}")).unwrap_or_default();
        let mut text = format!(
            "# Specifications as reachability\n\nThe evaluation of Beyer, Jankola, Lingsch-Rosenfeld, Xia and Zheng, *A Modular \
             Program-Transformation Framework for Reducing Specifications to Reachability* (TransVer), on our tasks and with tools that \
             are not ours: each gets the original program, if it knows the property, and what `vergo transform` makes of it (`{TRANSFORMED}`). \
             {} tasks, {} seconds for each run. To make it again:\n\n```text\ncargo xtask study specifications --manifest FILE.csv --timeout {}{most}\n```\n\n\
             The numbers are those of commit `{}`; `results.csv` in the output folder has every run. Times are those of the processor, compilers \
             included. So is the limit, but the fuzzers have theirs by the clock and get less of a machine that others use: {}.\n\n",
            self.tasks.len(),
            self.limit,
            self.limit,
            commit(),
            self.searches()
        );
        text.push_str("| tool | version | how it is run | knows by itself | its answer |\n|---|---|---|---|---|\n");
        for tool in TOOLS {
            let version =
                if tool.version.is_empty() { "this commit".to_owned() } else { version(tool) };
            let native =
                if tool.native.is_empty() { "-".to_owned() } else { tool.native.join(", ") };
            let _ = writeln!(
                text,
                "| {} | {version} | {} | {native} | {} |",
                tool.name, tool.how, tool.means
            );
        }
        if !self.missing.is_empty() {
            let _ =
                write!(text, "\nNot on this machine, and left out: {}.\n", self.missing.join(", "));
        }
        text.push('\n');
        text
    }

    /// The processor time that fuzzers had where they have found nothing.
    fn searches(&self) -> String {
        let mean = |engine: &String| {
            let is_one = |run: &&Record| run.engine == *engine && run.proof == "nothing found";
            let times: Vec<f64> = self.records.iter().filter(is_one).map(|run| run.cpu).collect();
            let mean = times.iter().sum::<f64>() / times.len() as f64;
            (!times.is_empty()).then(|| format!("{engine} {mean:.1} s"))
        };
        let means: Vec<String> = self.engines.iter().filter_map(mean).collect();
        format!("in the mean, where they have found nothing, {}", means.join(", "))
    }

    /// The tasks of a property, by name.
    fn of_property(&self, property: &str) -> BTreeMap<&'a str, &'a Task> {
        let own = self.tasks.iter().filter(|task| task.property == property);
        own.map(|task| (task.name.as_str(), task)).collect()
    }

    /// The runs of a tool on the tasks of a property, by task; none where it does not know the property.
    fn runs(&self, property: &str, engine: &str) -> BTreeMap<&'a str, &'a Record> {
        let own = self.of_property(property);
        self.records
            .iter()
            .filter(|record| record.engine == engine && record.verdict != "unsupported")
            .filter(|record| own.contains_key(record.task.as_str()))
            .map(|record| (record.task.as_str(), record))
            .collect()
    }

    fn results(&self, property: &str) -> String {
        let tasks = self.of_property(property);
        let n_true = tasks.values().filter(|task| task.expected).count();
        let mut text = format!(
            "| tool | correct true (of {n_true}) | correct false (of {}) | wrong true | wrong false | timeout | unknown | CPU s, correct | CPU s, all |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
            tasks.len() - n_true
        );
        for engine in self.engines {
            let runs = self.runs(property, engine);
            if runs.is_empty() {
                let _ = writeln!(text, "| {engine} | - | - | - | - | - | - | - | - |");
                continue;
            }
            let count = |f: &dyn Fn(&Record) -> bool| runs.values().filter(|run| f(run)).count();
            let time = |f: &dyn Fn(&Record) -> bool| -> f64 {
                runs.values().filter(|run| f(run)).fold(0.0, |sum, run| sum + run.cpu)
            };
            let is_late = |run: &Record| run.verdict == "timeout";
            let is_open = |run: &Record| !run.is_correct() && !run.is_wrong() && !is_late(run);
            let _ = writeln!(
                text,
                "| {engine} | {} | {} | {} | {} | {} | {} | {:.1} | {:.1} |",
                count(&|run| run.is_correct() && run.expected),
                count(&|run| run.is_correct() && !run.expected),
                count(&|run| run.is_wrong() && !run.expected),
                count(&|run| run.is_wrong() && run.expected),
                count(&is_late),
                count(&is_open),
                time(&Record::is_correct),
                time(&|_| true),
            );
        }
        text
    }

    /// The tools with both forms among those that were run.
    fn names(&self) -> impl Iterator<Item = (&'static Tool, String)> {
        let transformed = self.engines.iter().filter(|name| name.ends_with(TRANSFORMED));
        transformed.filter_map(|name| Some((tool(base(name))?, name.clone())))
    }

    fn new_properties(&self) -> String {
        let mut text = String::from(
            "| property | tool | correct true | correct false | wrong | vergo, original: correct true | correct false |\n\
             |---|---|---:|---:|---:|---:|---:|\n",
        );
        for (property, _) in PROPERTIES {
            let own = self.runs(property, "vergo");
            for (tool, name) in self.names().filter(|(tool, _)| !tool.native.contains(property)) {
                let runs = self.runs(property, &name);
                let correct = |runs: &BTreeMap<&str, &Record>, expected: bool| {
                    let is_one = |run: &&&Record| run.is_correct() && run.expected == expected;
                    runs.values().filter(is_one).count()
                };
                let _ = writeln!(
                    text,
                    "| {property} | {}{TRANSFORMED} | {} | {} | {} | {} | {} |",
                    tool.name,
                    correct(&runs, true),
                    correct(&runs, false),
                    runs.values().filter(|run| run.is_wrong()).count(),
                    correct(&own, true),
                    correct(&own, false)
                );
            }
        }
        text
    }

    fn both_forms(&self) -> String {
        let mut text = String::from(
            "| property | tool | both | only original | only transformed | CPU s, original | CPU s, transformed | ratio | median ratio |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        for (property, _) in PROPERTIES {
            for (tool, name) in self.names().filter(|(tool, _)| tool.native.contains(property)) {
                let original = self.runs(property, tool.name);
                let transformed = self.runs(property, &name);
                let solves = |runs: &BTreeMap<&str, &Record>, task: &str| {
                    runs.get(task).is_some_and(|run| run.is_correct())
                };
                let only = |a: &BTreeMap<&str, &Record>, b: &BTreeMap<&str, &Record>| {
                    a.keys().filter(|task| solves(a, task) && !solves(b, task)).count()
                };
                let pairs = pairs(&original, &transformed);
                let first = pairs.iter().fold(0.0, |sum, pair| sum + pair.0);
                let second = pairs.iter().fold(0.0, |sum, pair| sum + pair.1);
                // The clock of the processor has steps of 10 ms.
                let ratio = |(a, b): &(f64, f64)| b.max(0.01) / a.max(0.01);
                let mut ratios: Vec<f64> = pairs.iter().map(ratio).collect();
                ratios.sort_by(f64::total_cmp);
                let ratio = match first > 0.0 {
                    true => format!("{:.2} | {:.2}", second / first, ratios[ratios.len() / 2]),
                    false => "- | -".to_owned(),
                };
                let _ = writeln!(
                    text,
                    "| {property} | {} | {} | {} | {} | {first:.1} | {second:.1} | {ratio} |",
                    tool.name,
                    pairs.len(),
                    only(&original, &transformed),
                    only(&transformed, &original),
                );
            }
        }
        text
    }

    /// The time of Vergo on originals and on transformed programs that it both solves, as figure 12 of the paper.
    fn figure(&self) -> String {
        let mut series = Vec::new();
        for (number, (property, _)) in PROPERTIES.iter().enumerate() {
            let original = self.runs(property, "vergo");
            let transformed = self.runs(property, &format!("vergo{TRANSFORMED}"));
            let mark = [Mark::Cross, Mark::Circle, Mark::Triangle][number];
            let points = pairs(&original, &transformed);
            let points = points.iter().map(|(a, b)| (a.max(0.01), b.max(0.01))).collect();
            let name = (*property).to_owned();
            series.push(Series { name, mark, color: COLORS[number], points });
        }
        let values = || series.iter().flat_map(|one| &one.points).flat_map(|&(x, y)| [x, y]);
        let x = Axis::over("original: CPU s", Scale::Logarithmic, values());
        let y = Axis::over("transformed: CPU s", Scale::Logarithmic, values());
        let title = "CPU time of vergo on tasks that it solves in both forms";
        plot(title, &x, &y, &series, Join::Diagonal).svg()
    }

    fn reasons(&self) -> String {
        let mut counts: BTreeMap<(&str, &str), BTreeMap<&str, usize>> = BTreeMap::new();
        for engine in self.engines {
            for (property, _) in PROPERTIES {
                for run in self.runs(property, engine).values() {
                    if matches!(run.verdict.as_str(), "unknown" | "error") {
                        let key = (engine.as_str(), run.proof.as_str());
                        *counts.entry(key).or_default().entry(property).or_default() += 1;
                    }
                }
            }
        }
        let mut text = String::from("| tool | reason |");
        let mut line = String::from("|---|---|");
        for (property, _) in PROPERTIES {
            let _ = write!(text, " {property} |");
            line.push_str("---:|");
        }
        let _ = write!(text, "\n{line}\n");
        for ((engine, reason), by_property) in counts {
            let _ = write!(text, "| {engine} | {reason} |");
            for (property, _) in PROPERTIES {
                let _ = write!(text, " {} |", by_property.get(property).unwrap_or(&0));
            }
            text.push('\n');
        }
        text
    }

    fn wrong(&self) -> String {
        let mut by_tool: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
        for record in self.records.iter().filter(|record| record.is_wrong()) {
            by_tool.entry(&record.engine).or_default().push(record);
        }
        if by_tool.is_empty() {
            return "There are none.\n".to_owned();
        }
        let mut text = String::new();
        for (engine, records) in by_tool {
            let names: Vec<String> =
                records.iter().map(|record| format!("`{}`", record.task)).collect();
            let _ = writeln!(text, "- {engine} ({}): {}", names.len(), names.join(", "));
        }
        text
    }

    /// The tasks that a tool has the right answer for, and Vergo has none of its own for.
    fn gained(&self) -> String {
        let mut text = String::new();
        for (property, _) in PROPERTIES {
            let own = self.runs(property, "vergo");
            for name in self.of_property(property).keys() {
                if own.get(name).is_some_and(|run| run.is_correct()) {
                    continue;
                }
                let is_right = |engine: &&String| {
                    self.runs(property, engine).get(name).is_some_and(|run| run.is_correct())
                };
                let others: Vec<&str> =
                    self.engines.iter().filter(is_right).map(String::as_str).collect();
                if !others.is_empty() {
                    let _ = writeln!(text, "- `{name}` ({property}): {}", others.join(", "));
                }
            }
        }
        if text.is_empty() { "There are none.\n".to_owned() } else { text }
    }
}

/// The times of two forms on tasks that are solved in both.
fn pairs(a: &BTreeMap<&str, &Record>, b: &BTreeMap<&str, &Record>) -> Vec<(f64, f64)> {
    let solved = |runs: &BTreeMap<&str, &Record>, task: &str| {
        runs.get(task).filter(|run| run.is_correct()).map(|run| run.cpu)
    };
    a.keys().filter_map(|task| Some((solved(a, task)?, solved(b, task)?))).collect()
}

/// The part of an earlier page that is written by hand.
fn by_hand(page: &str) -> &str {
    let part = page.split_once(BEGIN).and_then(|(_, rest)| Some(rest.split_once(END)?.0));
    part.unwrap_or_default().trim_matches('\n')
}

/// The commit that is checked out.
fn commit() -> String {
    let arguments = ["rev-parse", "--short=12", "HEAD"];
    let output = Command::new("git").args(arguments).current_dir(root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}

/// The first line that a tool's version command prints.
fn version(tool: &Tool) -> String {
    let Some((program, arguments)) = tool.version.split_first() else { return String::new() };
    let Ok(output) = Command::new(program).args(arguments).output() else { return "-".to_owned() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    without_colours(text.lines().next().unwrap_or("-")).trim().to_owned()
}

/// A line without the sequences that colour it on a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').map_or("", |(_, text)| text));
    rest.fold(first, |line, part| line + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study_of(tasks: &[Task], records: &[Record], by_hand: &str) -> String {
        let engines: Vec<String> = ["vergo", "vergo-R", "eva", "eva-R"].map(str::to_owned).to_vec();
        let study = Study {
            tasks,
            records,
            engines: &engines,
            limit: 5,
            most: Some(2),
            missing: Vec::new(),
        };
        study.page(by_hand)
    }

    #[test]
    fn versions_have_no_colours() {
        assert_eq!(without_colours("\u{1b}[0;36mtool\u{1b}[0m 1.0"), "tool 1.0");
    }

    #[test]
    fn tables_count_what_was_said() {
        let task = |name: &str, expected: bool| Task {
            name: name.to_owned(),
            file: name.into(),
            property: "termination".to_owned(),
            expected,
            model: "LP64".to_owned(),
            category: String::new(),
            size: None,
        };
        let tasks = [task("a.c", true), task("b.c", false)];
        let run = |task: &Task, engine: &str, verdict: &str| Record {
            task: task.name.clone(),
            engine: engine.to_owned(),
            expected: task.expected,
            verdict: verdict.to_owned(),
            cpu: 1.0,
            ..Record::default()
        };
        let records = [
            run(&tasks[0], "vergo", "true"),
            run(&tasks[1], "vergo", "timeout"),
            run(&tasks[0], "vergo-R", "true"),
            run(&tasks[1], "vergo-R", "false"),
            run(&tasks[0], "eva", "unsupported"),
            run(&tasks[0], "eva-R", "true"),
            run(&tasks[1], "eva-R", "true"),
        ];
        let page = study_of(&tasks, &records, "My words.");
        for line in [
            "| vergo | 1 | 0 | 0 | 0 | 1 | 0 | 1.0 | 2.0 |",
            "| vergo-R | 1 | 1 | 0 | 0 | 0 | 0 | 2.0 | 2.0 |",
            "| eva | - | - | - | - | - | - | - | - |",
            "| eva-R | 1 | 0 | 1 | 0 | 0 | 0 | 1.0 | 2.0 |",
            "| termination | eva-R | 1 | 0 | 1 | 1 | 0 |",
            "| termination | vergo | 1 | 0 | 1 | 1.0 | 1.0 | 1.00 | 1.00 |",
            "- eva-R (1): `b.c`",
            "- `b.c` (termination): vergo-R",
        ] {
            assert!(page.contains(line), "{line}\n{page}");
        }
        // What is written by hand is in the next page as well.
        assert_eq!(by_hand(&page), "My words.");
    }
}
