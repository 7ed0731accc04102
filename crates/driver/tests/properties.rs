//! Every property of the registry has a safe and an unsafe program below `tests/corpus/properties`, and running tells
//! them apart.
//!
//! `ID.safe.c` and `ID.unsafe.c` belong to the property `ID`, and so do further pairs or single programs
//! `ID.CASE.safe.c` and `ID.CASE.unsafe.c`. A safe program ends with status 0 while the property is checked beside those
//! that are checked by default. An unsafe one violates it on the line that ends in `//~ ID`, or at the end of the
//! program if no line does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use vergo_driver::{Ended, Input, Job, PropertyId, PropertySet, RunRequest, run};
use vergo_interp::Buffers;
use vergo_source::{Renderer, Severity};
use vergo_testkit::environment::skip;
use vergo_testkit::host_c::HostC;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/properties")
}

/// The files of the folder in order of name.
fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the end of a run with a property, and its diagnostics: the message and line of the error, and all as text.
fn ends(path: &Path, property: PropertyId) -> (Ended, Option<(String, usize)>, String) {
    let mut job = Job::default();
    let request = RunRequest {
        properties: Some(PropertySet::default_on().with(property)),
        ..RunRequest::default()
    };
    let input = Input::File(path.to_owned());
    let ended = run(&mut job, &[input], &request, Box::new(Buffers::default()), &mut |_| {});
    job.prepare_diagnostics();
    let text = Renderer::plain().render_all(&job.map, &job.diagnostics);
    let error = job.diagnostics.iter().find(|d| d.severity == Severity::Error).map(|diagnostic| {
        (diagnostic.message.clone(), job.map.presumed(diagnostic.primary.lo).line as usize)
    });
    match ended {
        Ok(ended) => (ended, error, text),
        Err(_) => panic!("{} is no program:\n{text}", path.display()),
    }
}

/// The line that is marked with the property.
fn marked_line(path: &Path, property: PropertyId) -> Option<usize> {
    let text = std::fs::read_to_string(path).expect("a program can be read");
    let mark = format!("//~ {property}");
    let lines: Vec<usize> =
        (1..).zip(text.lines()).filter(|(_, line)| line.ends_with(&mark)).map(|(n, _)| n).collect();
    assert!(lines.len() <= 1, "{}: several marks", path.display());
    lines.first().copied()
}

#[test]
fn every_property_has_examples() {
    let names: BTreeSet<String> = files().iter().map(|path| name(path)).collect();
    let missing: Vec<String> = PropertyId::ALL
        .iter()
        .flat_map(|property| [format!("{property}.safe.c"), format!("{property}.unsafe.c")])
        .filter(|name| !names.contains(name))
        .collect();
    assert!(missing.is_empty(), "below tests/corpus/properties there is no {}", missing.join(", "));
}

#[test]
fn running_tells_safe_from_unsafe() {
    if HostC::find().is_none() {
        return skip("running_tells_safe_from_unsafe", "there is no gcc to preprocess with");
    }
    let mut failures = Vec::new();
    for path in files() {
        let name = name(&path);
        let parts: Vec<&str> = name.split('.').collect();
        // A file is named by the property, then, if there are several, by what it shows.
        let named = [2, 1].map(|n| parts[..n].join("."));
        let found = named.iter().find_map(|id| Some((id, PropertyId::from_id(id)?)));
        let (id, property) = found.unwrap_or_else(|| panic!("{name} names no property"));
        let (ended, error, text) = ends(&path, property);
        let good = match parts[..] {
            [.., "safe", "c"] => ended == Ended::Exited(0) && error.is_none(),
            [.., "unsafe", "c"] => {
                let line = marked_line(&path, property);
                let right = |(message, at): &(String, usize)| {
                    (message.contains(&format!("[{id},")) || message.contains(&format!("[{id}]")))
                        && line.is_none_or(|line| *at == line)
                };
                ended == Ended::Violation && error.as_ref().is_some_and(right)
            }
            _ => panic!("{name} is neither safe nor unsafe"),
        };
        if !good {
            failures.push(format!("{name}: {ended:?}\n{text}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
