//! CBMC and ESBMC accept the goto binaries that we write, and say of them what they say of their own.
//!
//! Where a tool is not installed, a line says that nothing was compared.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use vergo_driver::{BinaryDialect, BinaryFormat, GotoRequest, Input, Job, goto_binary, transcode};
use vergo_testkit::environment::{shared_or_skip, skip};
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process;

/// A tool, its dialect, and how it is called.
struct Tool {
    name: &'static str,
    arguments: &'static [&'static str],
    dialect: BinaryDialect,
    /// The folder of its own files, and their ending.
    own: (&'static str, &'static str),
    other: (&'static str, &'static str),
}

const CBMC: Tool = Tool {
    name: "cbmc",
    arguments: &["--no-standard-checks", "--unwind", "10", "--no-unwinding-assertions"],
    dialect: BinaryDialect::Cbmc,
    own: ("cbmc", "gb"),
    other: ("esbmc", "goto"),
};

const ESBMC: Tool = Tool {
    name: "esbmc",
    arguments: &["--unwind", "10", "--no-unwinding-assertions", "--binary"],
    dialect: BinaryDialect::Esbmc,
    own: ("esbmc", "goto"),
    other: ("cbmc", "gb"),
};

/// Returns whether a program is on the path.
fn is_installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn format(dialect: BinaryDialect) -> BinaryFormat {
    match dialect {
        BinaryDialect::Cbmc => BinaryFormat::Cbmc,
        BinaryDialect::Esbmc => BinaryFormat::Esbmc,
    }
}

/// Returns a tool's verdict on a file: whether it holds, or how it ended without a verdict.
fn verdict(tool: &Tool, file: &Path) -> Result<bool, String> {
    let mut command = Command::new(tool.name);
    command.args(tool.arguments).arg(file);
    let finished = process::run(&mut command, b"", Duration::from_secs(60)).unwrap();
    let said = finished.stdout_text() + &finished.stderr_text();
    match (said.contains("VERIFICATION SUCCESSFUL"), said.contains("VERIFICATION FAILED")) {
        (true, false) => Ok(true),
        (false, true) => Ok(false),
        _ => Err(said),
    }
}

/// The binaries that we make for a tool of one program: its own file through the other dialect and back, the other tool's
/// file, and its C source.
fn made(
    folder: &Path,
    tool: &Tool,
    own: &Path,
    other: BinaryDialect,
) -> Vec<(&'static str, Vec<u8>)> {
    let translated = |input: &Input, to| transcode(&mut Job::default(), input, to, false).unwrap();
    let there = translated(&Input::File(own.to_owned()), format(other));
    let there = Input::Text { name: "there".to_owned(), text: there };
    let mut all = vec![("there and back", translated(&there, format(tool.dialect)))];
    let name = own.file_stem().unwrap_or_default();
    let file = |(kind, ending): (&str, &str)| folder.join(kind).join(name).with_extension(ending);
    let theirs = file(tool.other);
    if theirs.is_file() {
        all.push(("of the other tool", translated(&Input::File(theirs), format(tool.dialect))));
    }
    let source = [Input::File(file(("cbmc", "c")))];
    let request = GotoRequest::default();
    if let Ok(text) = goto_binary(&mut Job::default(), &source, &request, tool.dialect) {
        all.push(("of C", text));
    }
    all
}

fn own_files(folder: &Path, tool: &Tool) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder.join(tool.own.0)).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == tool.own.1)).collect();
    files.sort();
    files
}

fn agrees_on_what_we_write(tool: &Tool, other: BinaryDialect) {
    let test = format!("{} on what we write", tool.name);
    let Some(shared) = shared_or_skip(&test) else { return };
    if !is_installed(tool.name) {
        return skip(&test, &format!("`{}` is not on the path", tool.name));
    }
    let folder = shared.join("gbf");
    let scratch = Scratch::new("other-tools").unwrap();
    let files = own_files(&folder, tool);
    assert!(files.len() >= 38, "{} files", files.len());
    for own in files {
        let Ok(expected) = verdict(tool, &own) else { continue };
        for (how, bytes) in made(&folder, tool, &own, other) {
            let file = scratch.path("written.goto");
            std::fs::write(&file, bytes).unwrap();
            let said = verdict(tool, &file);
            assert_eq!(said, Ok(expected), "{}, {how}: {said:?}", own.display());
        }
    }
}

#[test]
fn cbmc_accepts_what_we_write() {
    agrees_on_what_we_write(&CBMC, BinaryDialect::Esbmc);
}

#[test]
fn esbmc_accepts_what_we_write() {
    agrees_on_what_we_write(&ESBMC, BinaryDialect::Cbmc);
}

/// `goto-instrument` checks that a file is well formed.
#[test]
fn goto_instrument_accepts_what_we_write() {
    let test = "goto-instrument on what we write";
    let Some(shared) = shared_or_skip(test) else { return };
    if !is_installed("goto-instrument") {
        return skip(test, "`goto-instrument` is not on the path");
    }
    let folder = shared.join("gbf");
    let scratch = Scratch::new("goto-instrument").unwrap();
    for own in own_files(&folder, &CBMC) {
        for (how, bytes) in made(&folder, &CBMC, &own, BinaryDialect::Esbmc) {
            let file = scratch.path("written.gb");
            std::fs::write(&file, bytes).unwrap();
            let mut command = Command::new("goto-instrument");
            command.args(["--validate-goto-model", "--show-goto-functions"]).arg(&file);
            let finished = process::run(&mut command, b"", Duration::from_secs(60)).unwrap();
            let said = finished.stderr_text();
            assert!(finished.success(), "{}, {how}: {said}", own.display());
        }
    }
}
