//! The interpreter executes Lua: its source package, all files of it but the compiler's `main`, on a script that prints the same as
//! natively.
//!
//! The package is not here. `VERGO_LUA` names the folder with its C files; without it, or without a C compiler, the test is skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Ended, Input, Job, RunRequest, run};
use vergo_interp::Buffers;
use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process;

/// Tables, closures, metatables, coroutines, errors, patterns, numbers, sorting, garbage collection.
const SCRIPT: &str = include_str!("lua/script.lua");

fn sources(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| path.file_stem().is_some_and(|stem| stem != "luac"))
        .collect();
    all.sort();
    Ok(all)
}

/// Returns the output of the same sources when they are compiled.
fn native(sources: &[PathBuf]) -> Option<Vec<u8>> {
    let folder = Scratch::new("lua").ok()?;
    let program = folder.path("lua");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-w", "-o"]).arg(&program).args(sources).arg("-lm");
    if !compiler.output().ok()?.status.success() {
        return None;
    }
    let limit = std::time::Duration::from_secs(60);
    let finished = process::run(Command::new(&program).arg("-"), SCRIPT.as_bytes(), limit).ok()?;
    Some(finished.stdout_text().into_bytes())
}

#[test]
fn lua_runs_a_script() {
    let Some(folder) = std::env::var_os("VERGO_LUA") else {
        return skip("lua_runs_a_script", "VERGO_LUA does not name the sources of Lua 5.4");
    };
    let sources = sources(Path::new(&folder)).unwrap();
    let Some(expected) = native(&sources) else {
        return skip("lua_runs_a_script", "the sources of Lua are not compiled here");
    };
    let inputs: Vec<Input> = sources.into_iter().map(Input::File).collect();
    let mut job = Job::new(DataModel::Lp64, CppOptions::default());
    let request = RunRequest { arguments: vec![b"-".to_vec()], ..RunRequest::default() };
    let world = Buffers::new(SCRIPT.as_bytes());
    let ended = run(&mut job, &inputs, &request, Box::new(world.clone()), &mut |_| {});
    let errors: Vec<String> = job.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert_eq!(ended.ok(), Some(Ended::Exited(0)), "{}", errors.join("\n"));
    assert_eq!(
        String::from_utf8_lossy(&world.output()),
        String::from_utf8_lossy(&expected),
        "{}",
        errors.join("\n")
    );
}
