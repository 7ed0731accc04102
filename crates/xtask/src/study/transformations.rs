//! `cargo xtask study transformations`: every transformation of GOTO programs alone and all together, against checks without
//! any, as in chapter 5 of the thesis. The options are those of `cargo xtask study`; the page goes to `docs/studies`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::Options;
use super::canvas::{Canvas, Mark};
use super::page::{Study, write_page};
use super::plot::{Axis, COLORS, Join, Scale, Series, plot};
use super::record::{Record, Task};

/// The variant that others are compared with.
const BASELINE: &str = "baseline";

/// A way to run `vergo check`: name, options, what it is.
pub(super) const VARIANTS: &[(&str, &[&str], &str)] = &[
    (BASELINE, &["--slice=never"], "no transformation"),
    ("slice", &["--slice=always"], "engines get what the claims depend on (4.2.2)"),
    (
        "unwind",
        &["--slice=never", "--pass", "unwind"],
        "loops with a known number of rounds are unfolded (4.1)",
    ),
    ("gcse", &["--slice=never", "--pass", "gcse"], "common expressions are computed once (4.4)"),
    (
        "intervals",
        &["--slice=never", "--pass", "intervals"],
        "what has one value is replaced by it (4.3.2)",
    ),
    (
        "facts-loops",
        &["--slice=never", "--pass", "interval-facts"],
        "intervals as proved facts at loops (4.3.3)",
    ),
    ("facts-guards", &["--slice=never", "--pass", "interval-facts-guards"], "the same at guards"),
    ("facts-all", &["--slice=never", "--pass", "interval-facts-all"], "the same everywhere"),
    (
        "facts-wrapped",
        &["--slice=never", "--pass", "interval-facts", "--facts", "wrapped"],
        "wrapped intervals at loops",
    ),
    (
        "facts-comparisons",
        &["--slice=never", "--pass", "interval-facts", "--no-arithmetic"],
        "intervals at loops, from constants and comparisons only",
    ),
    (
        "all",
        &["--slice=always", "--pass", "intervals", "--pass", "unwind", "--pass", "gcse"],
        "slice, intervals, unwind and gcse",
    ),
];

/// The options of a variant; none if it is an engine.
pub(super) fn arguments(name: &str) -> Option<&'static [&'static str]> {
    VARIANTS.iter().find(|(other, ..)| *other == name).map(|&(_, arguments, _)| arguments)
}

/// Writes the page and its figures into a folder.
pub(super) fn write(
    options: &Options,
    study: &Study<'_>,
    version: &str,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let comparison = Comparison::new(options, study, version);
    let mut page = comparison.head();
    for (name, title, canvas) in comparison.figures() {
        let file = format!("{}-{name}.svg", options.page);
        std::fs::write(folder.join(&file), canvas.svg())?;
        let _ = writeln!(page, "![{title}]({file})\n");
    }
    page.push_str(&comparison.differences());
    write_page(folder, &options.page, &page)
}

/// The results of all variants, side by side.
struct Comparison<'a> {
    options: &'a Options,
    study: &'a Study<'a>,
    version: &'a str,
    names: Vec<&'a str>,
    by_task: BTreeMap<&'a str, BTreeMap<&'a str, &'a Record>>,
    /// The tasks that all variants solve.
    common: Vec<&'a Task>,
}

impl<'a> Comparison<'a> {
    fn new(options: &'a Options, study: &'a Study<'a>, version: &'a str) -> Comparison<'a> {
        let mut by_task: BTreeMap<&str, BTreeMap<&str, &Record>> = BTreeMap::new();
        for record in study.records {
            by_task.entry(&record.task).or_default().insert(&record.engine, record);
        }
        let names = options.engines.iter().map(String::as_str).collect();
        let mut comparison =
            Comparison { options, study, version, names, by_task, common: Vec::new() };
        let all =
            |task: &&Task| comparison.names.iter().all(|name| comparison.solves(&task.name, name));
        comparison.common = study.tasks.iter().filter(all).collect();
        comparison
    }

    fn solves(&self, task: &str, variant: &str) -> bool {
        let record = self.by_task.get(task).and_then(|all| all.get(variant));
        record.is_some_and(|record| record.is_correct())
    }

    /// The sum of a figure over the tasks that all variants solve.
    fn sum(&self, variant: &str, figure: impl Fn(&Record) -> f64) -> f64 {
        let records = self
            .common
            .iter()
            .filter_map(|task| self.by_task.get(task.name.as_str())?.get(variant));
        records.map(|record| figure(record)).sum()
    }

    /// The tables.
    fn head(&self) -> String {
        let (options, tasks) = (self.options, self.study.tasks);
        let engine = options.base.as_deref().unwrap_or("the default engine");
        let mut out = format!(
            "# {}\n\nTransformations of GOTO programs against checks without any, by {engine}: {} tasks, {} s and \
             {} MB for each.\nMade by `cargo xtask study transformations` with {}. A task is solved if the verdict is the \
             expected one; time is that of processors\nin seconds, and with terms and clauses it is counted on the {} tasks that \
             all variants solve.\n\n\
             | variant | true | false | wrong | unknown | only here | not in baseline | lost from baseline | time | terms | clauses |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
            title(&options.page),
            tasks.len(),
            options.timeout,
            options.memory,
            self.version,
            self.common.len()
        );
        for &name in &self.names {
            let own: Vec<&Record> = self.study.of(name).collect();
            let count = |f: &dyn Fn(&Record) -> bool| own.iter().filter(|record| f(record)).count();
            let tasks_where =
                |f: &dyn Fn(&str) -> bool| tasks.iter().filter(|task| f(&task.name)).count();
            let others = |task: &str| {
                self.names.iter().any(|other| *other != name && self.solves(task, other))
            };
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.0} | {:.0} |",
                count(&|record| record.is_correct() && record.expected),
                count(&|record| record.is_correct() && !record.expected),
                count(&Record::is_wrong),
                count(&|record| !record.is_correct() && !record.is_wrong()),
                tasks_where(&|task| self.solves(task, name) && !others(task)),
                tasks_where(&|task| self.solves(task, name) && !self.solves(task, BASELINE)),
                tasks_where(&|task| !self.solves(task, name) && self.solves(task, BASELINE)),
                self.sum(name, |record| record.cpu),
                self.sum(name, |record| record.terms as f64),
                self.sum(name, |record| record.clauses as f64),
            );
        }
        out.push_str("\n| variant | what |\n|---|---|\n");
        for (name, _, what) in VARIANTS.iter().filter(|(name, ..)| self.names.contains(name)) {
            let _ = writeln!(out, "| {name} | {what} |");
        }
        out.push_str(&self.properties());
        out
    }

    /// The tasks solved, by property.
    fn properties(&self) -> String {
        let mut by_property: BTreeMap<&str, Vec<&Task>> = BTreeMap::new();
        for task in self.study.tasks {
            by_property.entry(&task.property).or_default().push(task);
        }
        let names = self.names.join(" | ");
        let mut out = format!("\n| solved of | tasks | {names} |\n|---|---:|");
        out.push_str(&"---:|".repeat(self.names.len()));
        out.push('\n');
        for (property, tasks) in by_property {
            let _ = write!(out, "| {property} | {} |", tasks.len());
            for name in &self.names {
                let n_solved = tasks.iter().filter(|task| self.solves(&task.name, name)).count();
                let _ = write!(out, " {n_solved} |");
            }
            out.push('\n');
        }
        out.push('\n');
        out
    }

    /// The time of each variant against the baseline's, and how many tasks are solved within a time.
    fn figures(&self) -> Vec<(String, String, Canvas)> {
        let mut found = Vec::new();
        for (what, safe) in [("violations", false), ("proofs", true)] {
            let title = format!("Correct {what} within a time");
            let canvas = self.study.quantile(&title, &self.names, safe, &|_| true);
            found.push((what.to_owned(), title, canvas));
        }
        for &name in self.names.iter().filter(|name| **name != BASELINE) {
            let point = |(a, b): (&Record, &Record)| (self.study.shown(a), self.study.shown(b));
            let pairs = self.study.pairs(BASELINE, name);
            let points: Vec<(f64, f64)> =
                pairs.filter(|(a, b)| a.is_correct() || b.is_correct()).map(point).collect();
            let values =
                || points.iter().flat_map(|&(x, y)| [x, y]).collect::<Vec<_>>().into_iter();
            let x = Axis::over("baseline: CPU s", Scale::Logarithmic, values());
            let y = Axis::over(&format!("{name}: CPU s"), Scale::Logarithmic, values());
            let title = format!("{name} and baseline; the limit is where there is no answer");
            let series = [Series {
                name: "tasks".to_owned(),
                mark: Mark::Circle,
                color: COLORS[0],
                points: points.clone(),
            }];
            found.push((
                name.to_owned(),
                title.clone(),
                plot(&title, &x, &y, &series, Join::Diagonal),
            ));
        }
        found
    }

    /// The tasks that some variants solve and others do not.
    fn differences(&self) -> String {
        let mut out = String::from("## Tasks that not all of them solve, or none\n\n");
        for task in self.study.tasks {
            let by: Vec<&str> =
                self.names.iter().copied().filter(|name| self.solves(&task.name, name)).collect();
            if !by.is_empty() && by.len() < self.names.len() {
                let _ = writeln!(out, "- `{}`: {}", task.name, by.join(", "));
            }
        }
        out
    }
}

/// The title of a page.
fn title(page: &str) -> String {
    let words = page.replace('-', " ");
    let first: String = words.chars().take(1).flat_map(char::to_uppercase).collect();
    words.chars().skip(1).fold(first, |mut title, next| {
        title.push(next);
        title
    })
}
