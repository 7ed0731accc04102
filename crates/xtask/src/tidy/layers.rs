//! Rules on dependencies: layers between our crates, a reason for each crate of others, and no
//! litter at the root.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use toml::{Table, Value};

use super::{Problem, TextFile};

const LAYERS: &str = "layers.toml";

/// A crate's section of `layers.toml`.
struct Layer {
    /// The layer, or `None` for development crates.
    layer: Option<i64>,
    uses: Vec<String>,
    tests: Vec<String>,
}

pub(super) fn check(files: &[TextFile]) -> anyhow::Result<Vec<Problem>> {
    let table = read(files)?;
    let layers = layers(&table)?;
    let reasons = section(&table, "third-party")?;
    let mut problems = Vec::new();
    for (name, reason) in reasons {
        if reason.as_str().is_none_or(|reason| reason.trim().is_empty()) {
            let message = format!("`{name}` needs a reason");
            problems.push(Problem::new(LAYERS, 0, "third-party", message));
        }
    }
    for (name, layer) in &layers {
        for used in &layer.uses {
            let lower = match (layer.layer, layers.get(used).and_then(|other| other.layer)) {
                (Some(own), Some(other)) => other < own,
                // A development crate may use any crate, and no shipped crate may use it.
                (None, _) => layers.contains_key(used),
                (Some(_), None) => false,
            };
            if !lower {
                let message = format!("`{name}` uses `{used}`, which is not of a lower layer");
                problems.push(Problem::new(LAYERS, 0, "layers", message));
            }
        }
    }
    let mut seen = BTreeSet::new();
    for file in files {
        let Some(folder) = file.path.strip_prefix("crates/") else { continue };
        let Some(name) = folder.strip_suffix("/Cargo.toml").filter(|name| !name.contains('/'))
        else {
            continue;
        };
        seen.insert(name);
        let Some(layer) = layers.get(name) else {
            let message = "the crate has no section in layers.toml";
            problems.push(Problem::new(&file.path, 0, "layers", message));
            continue;
        };
        let manifest: Table = file.text.parse().with_context(|| file.path.clone())?;
        for kind in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let Some(dependencies) = manifest.get(kind).and_then(Value::as_table) else { continue };
            for dependency in dependencies.keys() {
                if let Some(used) = dependency.strip_prefix("vergo-") {
                    let dev = kind == "dev-dependencies";
                    let listed = |list: &[String]| list.iter().any(|name| name == used);
                    if !(listed(&layer.uses) || dev && listed(&layer.tests)) {
                        let message = format!("may not use `{used}`");
                        problems.push(Problem::new(&file.path, 0, "layers", message));
                    }
                } else if !reasons.contains_key(dependency) {
                    let message = format!("there is no reason for `{dependency}` in layers.toml");
                    problems.push(Problem::new(&file.path, 0, "third-party", message));
                }
            }
        }
    }
    for name in layers.keys().filter(|name| !seen.contains(name.as_str())) {
        let message = format!("there is no crate `{name}`");
        problems.push(Problem::new(LAYERS, 0, "layers", message));
    }
    Ok(problems)
}

/// Files at the root that nobody expects there.
pub(super) fn litter(root: &Path, files: &[TextFile]) -> anyhow::Result<Vec<Problem>> {
    let table = read(files)?;
    let allowed = strings(section(&table, "root")?, "allow")?;
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !allowed.contains(&name) {
            let message = "not in the list of root files in layers.toml";
            problems.push(Problem::new(&name, 0, "litter", message));
        }
    }
    Ok(problems)
}

/// The licences that `layers.toml` allows.
pub(super) fn allowed_licences(text: &str) -> anyhow::Result<Vec<String>> {
    let table: Table = text.parse().context(LAYERS)?;
    strings(section(&table, "licences")?, "allow")
}

fn read(files: &[TextFile]) -> anyhow::Result<Table> {
    let file = files.iter().find(|file| file.path == LAYERS).context("there is no layers.toml")?;
    file.text.parse().context(LAYERS)
}

fn layers(table: &Table) -> anyhow::Result<BTreeMap<String, Layer>> {
    let mut layers = BTreeMap::new();
    for (name, value) in section(table, "crates")? {
        let crate_table = value.as_table().with_context(|| format!("crates.{name}"))?;
        let layer = crate_table.get("layer").and_then(Value::as_integer);
        let uses = strings(crate_table, "uses")?;
        let tests = strings(crate_table, "tests")?;
        layers.insert(name.clone(), Layer { layer, uses, tests });
    }
    Ok(layers)
}

fn section<'a>(table: &'a Table, name: &str) -> anyhow::Result<&'a Table> {
    table
        .get(name)
        .and_then(Value::as_table)
        .with_context(|| format!("{LAYERS}: there is no section [{name}]"))
}

fn strings(table: &Table, key: &str) -> anyhow::Result<Vec<String>> {
    let list = table
        .get(key)
        .and_then(Value::as_array)
        .with_context(|| format!("{LAYERS}: there is no list `{key}`"))?;
    list.iter()
        .map(|value| {
            let text = value.as_str().with_context(|| format!("{LAYERS}: `{key}` of strings"))?;
            Ok(text.to_owned())
        })
        .collect()
}
