//! The texts of violations: every property of the registry has a golden program below `tests/golden/messages`, and none of
//! them names what only Vergo knows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vergo_driver::PropertyId;
use vergo_testkit::environment::{shared_or_skip, slow_or_skip};
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::run;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts of the golden files of a folder below `tests/golden`, with their names.
fn goldens(folder: &str) -> Vec<(String, String)> {
    let folder = root().join("tests/golden").join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let golden = entries.filter(|path| path.extension().is_some_and(|end| end == "golden"));
    let mut texts: Vec<(String, String)> = golden
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap()))
        .collect();
    texts.sort();
    texts
}

#[test]
fn every_property_has_a_message_that_was_looked_at() {
    let goldens = goldens("messages");
    for property in PropertyId::ALL {
        let violated = format!("= note: violates {property}");
        let has_it = |text: &str| {
            text.lines().any(|line| {
                line.trim()
                    .strip_prefix(&violated)
                    .is_some_and(|rest| !rest.starts_with(['.', '-']))
            })
        };
        assert!(
            goldens.iter().any(|(_, text)| has_it(text)),
            "no program below tests/golden/messages violates {property}"
        );
    }
}

/// Names that no program has: of temporaries, and of our models' own functions and objects.
fn internal_names(text: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$');
    let words = text.split(|letter: char| !is_word(letter));
    let is_temporary = |word: &str| {
        let number = word.strip_prefix("$t").or_else(|| word.strip_prefix("$")).unwrap_or("x");
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    words.filter(|word| is_temporary(word) || word.starts_with("__vergo_")).collect()
}

#[test]
fn messages_name_nothing_that_a_program_does_not_have() {
    assert_eq!(internal_names("$t3 + $ta is __vergo_x"), ["$t3", "__vergo_x"]);
    for (path, text) in goldens("messages") {
        assert_eq!(internal_names(&text), Vec::<&str>::new(), "{path}");
    }
}

/// The same over programs that others wrote: everything that is printed, SARIF, JSON and the page.
#[test]
fn no_output_of_the_public_tasks_names_a_temporary() {
    const TEST: &str = "no_output_of_the_public_tasks_names_a_temporary";
    if !slow_or_skip(TEST) {
        return;
    }
    let Some(shared) = shared_or_skip(TEST) else { return };
    let manifest = std::fs::read_to_string(shared.join("bench/manifest.csv")).unwrap();
    let folder = Scratch::new("public-tasks").unwrap();
    let (json, page) = (folder.path("report.json"), folder.path("page"));
    let mut n_tasks = 0;
    for row in manifest.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [file, property, _, model, ..] = fields[..] else { continue };
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_vergo"));
        command.args(["check", "--timeout", "2", "--memory", "2000", "--sarif", "-"]);
        command.args(["--property", property, "--data-model", model]);
        command.arg("--json").arg(&json).arg("--html").arg(&page);
        command.arg(shared.join("bench").join(file)).env_remove("CC");
        let done = run(&mut command, b"", Duration::from_secs(30)).unwrap();
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        let written = [read(&json), read(&page.join("index.html"))];
        // Positions in our models are no words about the program.
        let written = written.map(|text| text.replace("<vergo>/", ""));
        for text in [done.stdout_text(), done.stderr_text()].into_iter().chain(written) {
            // The path of the task is the user's own.
            let text = text.replace(&*shared.to_string_lossy(), "");
            assert_eq!(internal_names(&text), Vec::<&str>::new(), "{file} {property}");
        }
        n_tasks += 1;
    }
    assert!(n_tasks > 600, "{n_tasks}");
}
