//! The programs below `tests/corpus/check`, each with the verdict that its header expects.
//!
//! A header names the property, the verdict and the engines that decide the program. No engine may give another
//! verdict. With `VERGO_SLOW=1` all engines are run, otherwise one per program.

use std::path::{Path, PathBuf};
use std::process::Command;
use vergo_testkit::environment::slow;

const ENGINES: &[&str] =
    &["bmc", "bmc-incremental", "dar", "imc", "impact", "ismc", "kind", "pdr", "predabs"];

/// What a header says.
struct Header {
    property: String,
    verdict: String,
    engines: Vec<String>,
}

impl Header {
    fn of(text: &str) -> Header {
        let field = |name: &str| {
            let prefix = format!("//@ {name}: ");
            let line = text.lines().find_map(|line| line.strip_prefix(&prefix));
            line.unwrap_or_else(|| panic!("no {name} in the header")).trim().to_owned()
        };
        let engines = field("engines").split_whitespace().map(str::to_owned).collect();
        Header { property: field("property"), verdict: field("verdict"), engines }
    }
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The word after `RESULT:` in the last line of the output.
fn verdict(engine: &str, header: &Header, program: &Path, timeout: u32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vergo"))
        .args(["check", "--engine", engine, "--property", &header.property])
        .args(["--timeout", &timeout.to_string()])
        .arg(program)
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    let result = last.strip_prefix("RESULT: ").unwrap_or_else(|| panic!("no result: {last}"));
    result.split('(').next().unwrap_or_default().to_owned()
}

#[test]
fn engines_decide_what_headers_say() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let programs = programs(&tests.join("corpus/check"));
    assert!(programs.len() >= 50, "{} programs", programs.len());
    for (number, program) in programs.iter().enumerate() {
        let header = Header::of(&std::fs::read_to_string(program).expect("a program"));
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // One engine per program, each in its turn, or all of them.
        let turn = number % header.engines.len();
        let named = if slow() { &header.engines[..] } else { &header.engines[turn..=turn] };
        for engine in named {
            let given = verdict(engine, &header, program, 120);
            assert_eq!(given, header.verdict, "{engine} on {name}");
        }
        if slow() {
            for engine in ENGINES.iter().filter(|&&e| !header.engines.iter().any(|own| own == e)) {
                let given = verdict(engine, &header, program, 3);
                let is_right = given == header.verdict || given == "unknown";
                assert!(is_right, "{engine} on {name}: {given}");
            }
        }
    }
}
