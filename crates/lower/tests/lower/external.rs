//! Programs of others, where the machine has some.

use crate::{check, lower};
use vergo_cfront::target::DataModel;
use vergo_lower::Options;
use vergo_testkit::environment;

#[test]
fn verification_tasks_lower_to_well_formed_programs() {
    let Some(shared) =
        environment::shared_or_skip("verification_tasks_lower_to_well_formed_programs")
    else {
        return;
    };
    let folder = shared.join("bench");
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.csv")) else {
        environment::skip("verification_tasks_lower_to_well_formed_programs", "no manifest");
        return;
    };
    let mut failures = Vec::new();
    let mut n = 0;
    for row in manifest.lines().skip(1) {
        let columns: Vec<&str> = row.split(',').collect();
        let [file, _, _, model, ..] = columns[..] else { continue };
        let Ok(text) = std::fs::read(folder.join(file)) else { continue };
        // What is not preprocessed needs the host's headers, which other tests see to.
        if text.windows(8).any(|w| w == b"#include") {
            continue;
        }
        let model = if model == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        n += 1;
        let result =
            lower(file, &text, model, &Options::default()).and_then(|program| check(&program));
        if let Err(error) = result {
            failures.push(format!("{file}: {error}"));
        }
    }
    assert!(n > 0, "the manifest names no program");
    assert!(failures.is_empty(), "{} of {n}:\n{}", failures.len(), failures.join("\n"));
}
