//! The programs below `tests/corpus/check`, each with the verdict that its header expects.
//!
//! A header names the property, the verdict and the engines that decide the program. Each program with an engine is a test
//! of its own. No engine may give another verdict: with `VERGO_SLOW=1` all engines of the registry are run, otherwise one
//! per program.

use std::path::{Path, PathBuf};
use std::process::Command;
use vergo_driver::EngineId;
use vergo_testkit::environment::slow;
use vergo_testkit::trials::{Trial, run};

/// The content of a header.
#[derive(Clone)]
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

/// The engine of a program in the fast tier: always the same one, whatever other programs there are.
fn turn(name: &str, engines: &[String]) -> String {
    let number = name.bytes().fold(7usize, |number, byte| number * 31 % 10_007 + usize::from(byte));
    engines[number % engines.len()].clone()
}

/// One engine on one program; `timeout` is short where nothing is expected of it.
fn trial(name: &str, engine: &str, program: &Path, header: Header, is_named: bool) -> Trial {
    let (engine, program) = (engine.to_owned(), program.to_owned());
    let title = match is_named {
        true => format!("{name} by {engine}"),
        false => format!("{name} not wrong by {engine}"),
    };
    Trial::new(title, move || {
        let given = verdict(&engine, &header, &program, if is_named { 120 } else { 3 });
        let is_right = given == header.verdict || !is_named && given == "unknown";
        if is_right { Ok(()) } else { Err(format!("{given} instead of {}", header.verdict)) }
    })
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/check");
    let programs = programs(&folder);
    assert!(programs.len() >= 50, "{} programs", programs.len());
    let mut trials = Vec::new();
    for program in &programs {
        let header = Header::of(&std::fs::read_to_string(program).expect("a program"));
        let name = program.strip_prefix(&folder).unwrap_or(program).to_string_lossy();
        let named = match slow() {
            true => header.engines.clone(),
            false => vec![turn(&name, &header.engines)],
        };
        for engine in &named {
            let known = EngineId::from_name(engine);
            assert!(known.is_some(), "{name}: there is no engine `{engine}`");
            trials.push(trial(&name, engine, program, header.clone(), true));
        }
        for engine in EngineId::ALL.iter().map(|engine| engine.info().name).filter(|_| slow()) {
            if !named.iter().any(|own| own == engine) {
                trials.push(trial(&name, engine, program, header.clone(), false));
            }
        }
    }
    run(trials)
}
