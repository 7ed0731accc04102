//! `cargo xtask study transformations`: every transformation of GOTO programs alone and all together, against checks without
//! any, as in chapter 5 of the thesis. The options are those of `cargo xtask study`; the page goes to `docs/studies`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Options;
use super::record::{Record, Task};

/// A way to run `vergo check`: name, options, what it is.
pub(super) const VARIANTS: &[(&str, &[&str], &str)] = &[
    ("baseline", &[], "no transformation"),
    ("slice", &["--slice"], "engines get what the claims depend on (4.2.2)"),
    ("unwind", &["--pass", "unwind"], "loops with a known number of rounds are unfolded (4.1)"),
    ("gcse", &["--pass", "gcse"], "common expressions are computed once (4.4)"),
    ("intervals", &["--pass", "intervals"], "what has one value is replaced by it (4.3.2)"),
    ("facts-loops", &["--pass", "interval-facts"], "intervals as proved facts at loops (4.3.3)"),
    ("facts-guards", &["--pass", "interval-facts-guards"], "the same at guards"),
    ("facts-all", &["--pass", "interval-facts-all"], "the same everywhere"),
    (
        "facts-wrapped",
        &["--pass", "interval-facts", "--facts", "wrapped"],
        "wrapped intervals at loops",
    ),
    (
        "facts-comparisons",
        &["--pass", "interval-facts", "--no-arithmetic"],
        "intervals at loops, from constants and comparisons only",
    ),
    (
        "all",
        &["--slice", "--pass", "intervals", "--pass", "unwind", "--pass", "gcse"],
        "slice, intervals, unwind and gcse",
    ),
];

/// The options of a variant; none if it is an engine.
pub(super) fn arguments(name: &str) -> Option<&'static [&'static str]> {
    VARIANTS.iter().find(|(other, ..)| *other == name).map(|&(_, arguments, _)| arguments)
}

/// The page.
pub(super) fn page(options: &Options, tasks: &[Task], records: &[Record]) -> String {
    let mut by_task: BTreeMap<&str, BTreeMap<&str, &Record>> = BTreeMap::new();
    for record in records {
        by_task.entry(&record.task).or_default().insert(&record.engine, record);
    }
    let solved = |task: &str, variant: &str| {
        by_task.get(task).and_then(|all| all.get(variant)).is_some_and(|record| record.is_correct())
    };
    let names: Vec<&str> = options.engines.iter().map(String::as_str).collect();
    let common: Vec<&Task> =
        tasks.iter().filter(|task| names.iter().all(|name| solved(&task.name, name))).collect();
    let mut out = format!(
        "# Transformations\n\nEach transformation of GOTO programs alone, and together, against checks without any: {} tasks, {} s and {} MB for \
         each. Made by `cargo xtask study transformations`; a task is solved if the verdict is the expected one. Times are CPU \
         seconds on the {} tasks that all of them solve.\n\n| variant | true | false | wrong | unknown | only here | not in baseline | lost from baseline | time |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        tasks.len(),
        options.timeout,
        options.memory,
        common.len()
    );
    for name in &names {
        let own: Vec<&Record> = records.iter().filter(|record| record.engine == *name).collect();
        let count = |f: &dyn Fn(&Record) -> bool| own.iter().filter(|record| f(record)).count();
        let tasks_where =
            |f: &dyn Fn(&str) -> bool| tasks.iter().filter(|task| f(&task.name)).count();
        let alone = tasks_where(&|task| {
            solved(task, name) && names.iter().all(|other| other == name || !solved(task, other))
        });
        let gained = tasks_where(&|task| solved(task, name) && !solved(task, "baseline"));
        let lost = tasks_where(&|task| !solved(task, name) && solved(task, "baseline"));
        let time: f64 = common
            .iter()
            .filter_map(|task| by_task.get(task.name.as_str())?.get(name))
            .map(|record| record.cpu)
            .sum();
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {alone} | {gained} | {lost} | {time:.1} |",
            count(&|record| record.is_correct() && record.expected),
            count(&|record| record.is_correct() && !record.expected),
            count(&Record::is_wrong),
            count(&|record| !record.is_correct() && !record.is_wrong()),
        );
    }
    out.push_str("\n| variant | what |\n|---|---|\n");
    for (name, _, what) in VARIANTS {
        let _ = writeln!(out, "| {name} | {what} |");
    }
    let differ: Vec<&str> = tasks
        .iter()
        .map(|task| task.name.as_str())
        .filter(|task| names.iter().any(|name| solved(task, name) != solved(task, names[0])))
        .collect();
    out.push_str("\n## Tasks that not all of them solve, or none\n\n");
    for task in differ {
        let by: Vec<&str> = names.iter().copied().filter(|name| solved(task, name)).collect();
        let _ = writeln!(out, "- `{task}`: {}", by.join(", "));
    }
    out
}
