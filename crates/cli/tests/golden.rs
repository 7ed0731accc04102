//! The golden files below `tests/golden`: what the command prints, file by file.
//!
//! `//@ test dump --at ast` runs `vergo dump --at ast FILE` in the file's folder. The output is
//! what goes to standard output, then standard error and the exit status if there are any.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::golden::{self, Case};
use vergo_testkit::process::run;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    golden::main(
        &folder,
        &[
            ("check", vergo),
            ("dump", vergo),
            ("goto", vergo),
            ("run", vergo),
            ("smt2", vergo),
            ("transform", vergo),
        ],
    );
}

fn vergo(case: &Case) -> Result<String, String> {
    let folder = case.path.parent().ok_or("the file has no folder")?;
    let name = case.path.file_name().ok_or("the file has no name")?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
    command.current_dir(folder).arg(&case.command).args(&case.options).arg(name);
    // The answer must not depend on who runs the test.
    command.env_remove("CC").env("NO_COLOR", "1");
    let finished =
        run(&mut command, b"", Duration::from_secs(60)).map_err(|error| error.to_string())?;
    let status = finished.status.ok_or("ran out of time")?;
    let mut text = without_time(&finished.stdout_text());
    if !finished.stderr.is_empty() {
        text.push_str("--- standard error\n");
        text.push_str(&finished.stderr_text());
    }
    if !status.success() {
        text.push_str(&format!("--- {status}\n"));
    }
    Ok(text)
}

/// The moment at which a witness was made is the one thing that differs from run to run.
fn without_time(text: &str) -> String {
    let line = |line: &str| match line.split_once("creation_time: ") {
        Some((indent, _)) => format!("{indent}creation_time: (a moment)\n"),
        None => format!("{line}\n"),
    };
    if text.contains("creation_time: ") {
        text.lines().map(line).collect()
    } else {
        text.to_owned()
    }
}
