//! `cargo xtask study specifications`: tools that were not made by us, on programs and on what `vergo transform` makes of them.
//!
//! It repeats the evaluation of Beyer, Jankola, Lingsch-Rosenfeld, Xia, Zheng, "A Modular Program-Transformation Framework for
//! Reducing Specifications to Reachability" (TransVer): a tool that can find out whether `reach_error` is called becomes one
//! for overflows, termination and memory that is not freed. The paper's tools are verifiers; these here are what a Debian
//! system has: an abstract interpreter, two fuzzers, and two programs that warn. Each gets the original program, if it knows
//! the property by itself, and the transformed one (its name then ends in `-R`, as in the paper). What a tool says is
//! compared with the label, so a tool that has no proofs can be wrong in one direction only.

mod page;
mod run;
mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::record::{Record, Task, read_manifest};
use super::{Options, built_vergo, measure, sample};
use crate::shell::root;
use run::execute;
use tools::{Job, MEMCLEANUP, NO_OVERFLOW, TERMINATION, TOOLS, Tool, tool};

/// The properties, and the specification that `vergo transform` has for each.
const PROPERTIES: &[(&str, &str)] =
    &[(NO_OVERFLOW, "no-overflow"), (TERMINATION, "termination"), (MEMCLEANUP, "memcleanup")];

/// The ending of a tool's name when it gets transformed programs.
const TRANSFORMED: &str = "-R";

/// A task's transformed program.
struct Transformed {
    file: PathBuf,
    /// True if it compares less than the whole state, so that what it finds need not be a violation.
    is_coarse: bool,
    /// True if states may be without bound, so that finding nothing is no proof.
    is_unbounded: bool,
}

pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut options = Options::parse(arguments)?;
    let is_chosen = |name: &String| tool(base(name)).is_some();
    if !options.engines.iter().all(is_chosen) {
        let both = |tool: &Tool| [tool.name.to_owned(), format!("{}{TRANSFORMED}", tool.name)];
        options.engines = TOOLS.iter().flat_map(both).collect();
    }
    let missing = missing_programs();
    options.engines.retain(|name| {
        tool(base(name))
            .is_some_and(|tool| tool.programs.iter().all(|name| !missing.contains(name)))
    });
    std::fs::create_dir_all(&options.output)?;
    let vergo = match &options.vergo {
        Some(path) => std::fs::canonicalize(path)?,
        None => built_vergo()?,
    };
    let manifest = options.manifest.as_ref().context("name the tasks with --manifest FILE.csv")?;
    let mut tasks = chosen_tasks(read_manifest(manifest)?, &options);
    ensure!(!tasks.is_empty(), "there are no tasks");
    for task in &mut tasks {
        task.file = std::fs::canonicalize(&task.file)
            .with_context(|| format!("cannot find `{}`", task.file.display()))?;
    }
    let transformed = transform(&options, &vergo, &tasks)?;
    let records = measure(&options, &tasks, &|task, name, worker| {
        run_one(&options, &vergo, &transformed, task, name, worker)
    })?;
    let folder = root().join("docs/studies");
    std::fs::create_dir_all(&folder)?;
    let study = page::Study {
        tasks: &tasks,
        records: &records,
        engines: &options.engines,
        limit: options.timeout,
        most: (options.most < usize::MAX).then_some(options.most),
        missing: missing.into_iter().collect(),
    };
    println!("{}", study.write(&folder)?.display());
    Ok(())
}

/// The tool's name, without the ending for transformed programs.
fn base(name: &str) -> &str {
    name.strip_suffix(TRANSFORMED).unwrap_or(name)
}

/// The programs of tools that are not on this machine.
fn missing_programs() -> BTreeSet<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let is_there = |name: &str| folders.iter().any(|folder| folder.join(name).is_file());
    TOOLS.iter().flat_map(|tool| tool.programs).copied().filter(|name| !is_there(name)).collect()
}

/// The tasks of the three properties, as many of each as of the others if there are too many.
fn chosen_tasks(tasks: Vec<Task>, options: &Options) -> Vec<Task> {
    let mut chosen = Vec::new();
    for (property, _) in PROPERTIES {
        let mut own: Vec<Task> =
            tasks.iter().filter(|task| task.property == *property).cloned().collect();
        if let Some(text) = &options.filter {
            own.retain(|task| task.name.contains(text.as_str()));
        }
        chosen.extend(sample(own, options.most.div_ceil(PROPERTIES.len())));
    }
    chosen
}

/// Transforms all tasks.
fn transform(
    options: &Options,
    vergo: &Path,
    tasks: &[Task],
) -> anyhow::Result<BTreeMap<String, Transformed>> {
    let folder = std::path::absolute(options.output.join("programs"))?;
    let mut found = BTreeMap::new();
    for task in tasks {
        let Some((_, specification)) = PROPERTIES.iter().find(|(name, _)| *name == task.property)
        else {
            continue;
        };
        let folder = folder.join(specification);
        std::fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{}.c", task.name.replace(['/', '.', ':'], "_")));
        let _ = std::fs::remove_file(&file);
        let paths = [vergo, &task.file, &file].map(|path| path.to_string_lossy().into_owned());
        let [vergo, original, result] = paths;
        let words = [
            &vergo,
            "transform",
            "--spec",
            specification,
            "--data-model",
            &task.model,
            &original,
            "-o",
            &result,
        ];
        let ran = execute(&folder, 60, None, &[], &words.map(str::to_owned))?;
        if ran.code == 0 {
            let is_coarse = ran.output.contains("A0023");
            let is_unbounded = ran.output.contains("A0024");
            found.insert(task.name.clone(), Transformed { file, is_coarse, is_unbounded });
        }
    }
    Ok(found)
}

/// Runs a tool on a task.
fn run_one(
    options: &Options,
    vergo: &Path,
    transformed: &BTreeMap<String, Transformed>,
    task: &Task,
    name: &str,
    worker: usize,
) -> anyhow::Result<Record> {
    let mut record = Record {
        task: task.name.clone(),
        engine: name.to_owned(),
        expected: task.expected,
        verdict: "unsupported".to_owned(),
        ..Record::default()
    };
    let tool = tool(base(name)).with_context(|| format!("there is no tool `{name}`"))?;
    let is_transformed = name.ends_with(TRANSFORMED);
    let result = transformed.get(&task.name);
    let file = match (is_transformed, result) {
        (true, Some(result)) => &result.file,
        (true, None) => return Ok(record),
        (false, _) if tool.native.contains(&task.property.as_str()) => &task.file,
        (false, _) => return Ok(record),
    };
    let folder = std::path::absolute(options.output.join(format!("run-{worker}")))?;
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
    let job = Job {
        property: &task.property,
        model: &task.model,
        file,
        text,
        is_transformed,
        folder: &folder,
        limit: options.timeout,
        vergo,
    };
    let answer = (tool.run)(&job)?;
    record.verdict = answer.verdict.to_owned();
    record.proof = answer.reason.replace(',', ";");
    record.cpu = answer.cpu;
    // The transformation has said what a result about its program does not say about the original.
    let is_beyond = is_transformed
        && result.is_some_and(|result| match answer.verdict {
            "true" => result.is_unbounded,
            "false" => result.is_coarse,
            _ => false,
        });
    if is_beyond {
        record.proof = format!("{} of the transformed program only", answer.verdict);
        record.verdict = "unknown".to_owned();
    }
    Ok(record)
}
