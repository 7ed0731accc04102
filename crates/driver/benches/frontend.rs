//! The C front end against `gcc -fsyntax-only`: time and memory on one large preprocessed file.
//!
//! Both run as processes of their own on the same file, in turns, and the best run of each
//! counts; so does the start of the process. The file is generated: 100,000 lines of types,
//! tables and functions, with the host's headers in front.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::large;
use vergo_testkit::process::{Finished, peak_memory, run};

/// Lines of the program before preprocessing, which adds a third.
const N_LINES: usize = 75_000;

/// Runs of each program.
const N_RUNS: usize = 7;

/// The greatest ratio of the front end's time to gcc's.
const TIME_LIMIT: f64 = 1.0;

/// Bytes of memory that the front end may take per byte of source.
const MEMORY_LIMIT: f64 = 60.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, path] = &arguments[..]
        && flag == "--measure"
    {
        return measure(Path::new(path));
    }
    match compare() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the whole front end on a file, in the child process, and prints its peak of memory.
fn measure(path: &Path) -> ExitCode {
    let mut job = Job::new(DataModel::Lp64, CppOptions::default());
    match job.analyze(&Input::File(path.to_owned())) {
        Ok(unit) => {
            println!("{}", peak_memory().unwrap_or(0));
            // Freeing the tree is not part of the work: a process just ends.
            std::mem::forget(unit);
            ExitCode::SUCCESS
        }
        Err(_) => {
            let text = vergo_source::Renderer::plain().render_all(&job.map, &job.diagnostics);
            println!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<bool, String> {
    let text = |error: std::io::Error| error.to_string();
    let gcc = HostC::find().ok_or("skipped: frontend: there is no gcc to compare with")?;
    let folder = Scratch::new("bench").map_err(text)?;
    let program = large::program(1, N_LINES);
    let source = gcc.preprocess(program.as_bytes(), &[]).map_err(text)?.stdout;
    let n_lines = source.iter().filter(|&&byte| byte == b'\n').count();
    let path = folder.write("large.i", &source).map_err(text)?;

    let exe = std::env::current_exe().map_err(text)?;
    let mut ours: Option<Duration> = None;
    let mut theirs: Option<Duration> = None;
    let mut memory = 0;
    for _ in 0..N_RUNS {
        let mut command = Command::new(&exe);
        command.arg("--measure").arg(&path);
        let finished = timed(&mut command)?;
        memory = finished.stdout_text().trim().parse().map_err(|_| finished.stdout_text())?;
        ours = Some(ours.map_or(finished.time, |best| best.min(finished.time)));
        let mut command = gcc.command();
        command.args(["-fsyntax-only", "-w"]).arg(&path);
        let finished = timed(&mut command)?;
        theirs = Some(theirs.map_or(finished.time, |best| best.min(finished.time)));
    }
    let milliseconds = |time: Option<Duration>| time.unwrap_or_default().as_secs_f64() * 1e3;
    let (ours, theirs) = (milliseconds(ours), milliseconds(theirs));
    let bytes = source.len();
    println!("file: {n_lines} lines, {bytes} bytes; best of {N_RUNS} runs each");
    println!();
    println!("{:<34} {:>12} {:>12} {:>8} {:>8}", "measurement", "vergo", "gcc", "ratio", "limit");
    let mut good = true;
    let mut row = |name: &str, value: String, other: String, ratio: f64, limit: f64| {
        let verdict = if ratio <= limit { "" } else { "  over the limit" };
        good &= ratio <= limit;
        println!("{name:<34} {value:>12} {other:>12} {ratio:>8.2} {limit:>8.2}{verdict}");
    };
    let time = |value: f64| format!("{value:.1} ms");
    row("cfront time / gcc -fsyntax-only", time(ours), time(theirs), ours / theirs, TIME_LIMIT);
    let per_byte = memory as f64 / bytes as f64;
    let megabytes = format!("{:.1} MB", memory as f64 / 1e6);
    row("peak memory / source byte", megabytes, "-".into(), per_byte, MEMORY_LIMIT);
    Ok(good)
}

fn timed(command: &mut Command) -> Result<Finished, String> {
    let finished =
        run(command, b"", Duration::from_secs(300)).map_err(|error| error.to_string())?;
    if finished.success() {
        Ok(finished)
    } else {
        Err(format!("{command:?} failed:\n{}{}", finished.stdout_text(), finished.stderr_text()))
    }
}
