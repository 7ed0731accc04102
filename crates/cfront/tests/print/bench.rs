//! External verification tasks: accepted, printed, and the print is C.

use crate::round_trip::{gcc_or_skip, print};
use std::path::Path;
use vergo_cfront::target::DataModel;
use vergo_testkit::environment::{shared_or_skip, slow};
use vergo_testkit::host_c::HostC;

/// The tasks of the manifest: a path and a data model.
fn tasks(folder: &Path) -> Vec<(String, DataModel)> {
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).expect("a manifest");
    let mut tasks: Vec<(String, DataModel)> = manifest
        .lines()
        .skip(1)
        .filter_map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let model = if *fields.get(3)? == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
            Some((fields.first()?.to_string(), model))
        })
        .collect();
    tasks.sort_by(|a, b| a.0.cmp(&b.0));
    tasks.dedup_by(|a, b| a.0 == b.0);
    tasks
}

fn check(gcc: &HostC, file: &Path, model: DataModel) -> Result<(), String> {
    let bits = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let text = std::fs::read(file).map_err(|error| error.to_string())?;
    let has_directives = text.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        line.starts_with(b"#include") || line.starts_with(b"#define") || line.starts_with(b"#if")
    });
    let text = if has_directives {
        let preprocessed =
            gcc.preprocess(&text, &[bits, "-w"]).map_err(|error| error.to_string())?;
        if !preprocessed.success() {
            return Err(format!("preprocessing: {}", preprocessed.stderr_text()));
        }
        preprocessed.stdout
    } else {
        text
    };
    let printed = print(&text, model)?;
    let checked =
        gcc.check(printed.as_bytes(), &[bits, "-w"]).map_err(|error| error.to_string())?;
    if checked.success() { Ok(()) } else { Err(checked.stderr_text()) }
}

#[test]
fn tasks_are_accepted_and_printed() {
    let test = "tasks_are_accepted_and_printed";
    let Some(shared) = shared_or_skip(test) else { return };
    let Some(gcc) = gcc_or_skip(test) else { return };
    let folder = shared.join("bench");
    let tasks = tasks(&folder);
    assert!(tasks.len() > 100, "the manifest lists {} tasks", tasks.len());
    let every = if slow() { 1 } else { 40 };
    let mut failures = Vec::new();
    for (file, model) in tasks.into_iter().step_by(every) {
        if let Err(error) = check(&gcc, &folder.join(&file), model) {
            failures.push(format!("{file}: {error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
