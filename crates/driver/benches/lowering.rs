//! Lowering C to GOTO against `gcc -O0 -c`: time on every program of the external collection, and memory on programs of
//! growing size.
//!
//! Each lowering is a process of its own, as gcc's compilation is, and so is its start part of the time. A program that
//! seems slow is measured again, and its best run counts. The large programs are generated; if lowering is linear, the
//! memory per instruction does not grow with them.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job};
use vergo_testkit::environment::shared;
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::large;
use vergo_testkit::process::{Finished, peak_memory, run};

/// A lowering may take this many times as long as gcc …
const TIME_FACTOR: f64 = 2.0;

/// … and this many milliseconds more.
const TIME_EXTRA: f64 = 50.0;

/// Runs before a program counts as slow.
const N_RUNS: usize = 4;

/// Programs that are listed.
const N_LISTED: usize = 10;

/// Lines of the generated programs; the last gives more than a million instructions.
const N_LINES: &[usize] = &[110_000, 220_000, 440_000, 880_000];

/// The greatest ratio of the memory for an instruction of the largest program to that of the smallest.
const GROWTH_LIMIT: f64 = 1.2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, path, model] = &arguments[..]
        && flag == "--measure"
    {
        return measure(Path::new(path), model);
    }
    let answer = programs().and_then(|fast| Ok(fast & growth()?));
    match answer {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Lowers C to GOTO, in the child process, and prints the number of instructions and the peak of memory.
fn measure(path: &Path, model: &str) -> ExitCode {
    let model = if model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut job = Job::new(model, CppOptions::default());
    match job.load_program(&[Input::File(path.to_owned())], None) {
        Ok(program) => {
            let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
            let n_instructions: usize = bodies.map(Vec::len).sum();
            println!("{n_instructions} {}", peak_memory().unwrap_or(0));
            // Freeing the program is not part of the work: a process just ends.
            std::mem::forget(program);
            ExitCode::SUCCESS
        }
        Err(_) => {
            let text = vergo_source::Renderer::plain().render_all(&job.map, &job.diagnostics);
            println!("{text}");
            ExitCode::FAILURE
        }
    }
}

/// A program's times in milliseconds.
struct Row {
    name: String,
    ours: f64,
    theirs: f64,
}

impl Row {
    /// The part of the allowed time that is used.
    fn share(&self) -> f64 {
        self.ours / (TIME_FACTOR * self.theirs + TIME_EXTRA)
    }
}

/// The time of each external program.
fn programs() -> Result<bool, String> {
    let Some(shared) = shared() else {
        println!("skipped: external programs: VERGO_SHARED names no folder");
        return Ok(true);
    };
    let gcc = HostC::find().ok_or("skipped: lowering: there is no gcc to compare with")?;
    let folder = shared.join("bench");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).map_err(text)?;
    let scratch = Scratch::new("lowering").map_err(text)?;
    let object = scratch.path("program.o");
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for line in manifest.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [file, _, _, model, ..] = columns[..] else { continue };
        let path = folder.join(file);
        let mut row = Row { name: file.to_owned(), ours: f64::MAX, theirs: f64::MAX };
        for _ in 0..N_RUNS {
            let ours = lowering(&path, model)?;
            let theirs = compilation(&gcc, &path, model, &object)?;
            let (Some(ours), Some(theirs)) = (ours, theirs) else {
                failed.push(file.to_owned());
                break;
            };
            row.ours = row.ours.min(ours);
            row.theirs = row.theirs.min(theirs);
            if row.share() < 0.5 {
                break;
            }
        }
        if failed.last().is_none_or(|name| name != file) {
            rows.push(row);
        }
    }
    rows.sort_by(|a, b| b.share().total_cmp(&a.share()));
    let slow = rows.iter().filter(|row| row.share() > 1.0).count();
    println!(
        "{} programs, {slow} over the limit of {TIME_FACTOR} gcc + {TIME_EXTRA} ms",
        rows.len()
    );
    for name in &failed {
        println!("not measured: {name}");
    }
    println!();
    println!("{:<58} {:>10} {:>10} {:>8}", "the slowest", "vergo", "gcc -O0", "of limit");
    for row in rows.iter().take(N_LISTED) {
        let share = 100.0 * row.share();
        println!("{:<58} {:>7.1} ms {:>7.1} ms {share:>7.0}%", row.name, row.ours, row.theirs);
    }
    println!();
    Ok(slow == 0)
}

fn lowering(path: &Path, model: &str) -> Result<Option<f64>, String> {
    let exe = std::env::current_exe().map_err(text)?;
    let mut command = Command::new(exe);
    command.arg("--measure").arg(path).arg(model);
    timed(&mut command)
}

fn compilation(
    gcc: &HostC,
    path: &Path,
    model: &str,
    object: &PathBuf,
) -> Result<Option<f64>, String> {
    let mut command = gcc.command();
    let width = if model == "ILP32" { "-m32" } else { "-m64" };
    command.args(["-O0", "-w", "-c", width, "-o"]).arg(object).arg(path);
    let time = timed(&mut command)?;
    if time.is_some() || width == "-m64" {
        return Ok(time);
    }
    // The headers of the other model may be missing.
    compilation(gcc, path, "LP64", object)
}

/// The milliseconds of a process; `None` if it fails.
fn timed(command: &mut Command) -> Result<Option<f64>, String> {
    let finished = run(command, b"", Duration::from_secs(300)).map_err(text)?;
    Ok(finished.success().then_some(finished.time.as_secs_f64() * 1e3))
}

/// The memory of programs of growing size.
fn growth() -> Result<bool, String> {
    let scratch = Scratch::new("growth").map_err(text)?;
    println!("{:<20} {:>14} {:>12} {:>18}", "lines", "instructions", "memory", "bytes/instruction");
    let mut first = None;
    let mut last = 0.0;
    for &n_lines in N_LINES {
        let path = scratch.write("large.c", large::program(1, n_lines)).map_err(text)?;
        let exe = std::env::current_exe().map_err(text)?;
        let mut command = Command::new(exe);
        command.arg("--measure").arg(&path).arg("LP64");
        let finished: Finished = run(&mut command, b"", Duration::from_secs(300)).map_err(text)?;
        let answer = finished.stdout_text();
        let numbers: Vec<f64> =
            answer.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [n_instructions, memory] = numbers[..] else { return Err(answer) };
        last = memory / n_instructions;
        first.get_or_insert(last);
        println!("{n_lines:<20} {n_instructions:>14} {:>9.1} MB {last:>18.0}", memory / 1e6);
    }
    let ratio = last / first.unwrap_or(last);
    let verdict = if ratio <= GROWTH_LIMIT { "" } else { "  over the limit" };
    println!("growth of memory per instruction: {ratio:.2}, limit {GROWTH_LIMIT:.2}{verdict}");
    Ok(ratio <= GROWTH_LIMIT)
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}
