//! The cost of symbolic execution: per round of a loop, per cell of an array, and per claim.
//!
//! Each measurement is a process of its own, whose time on the processor and peak of memory count; of several runs the
//! best. Three things are to be seen. Time and memory grow linearly with the unwinding bound of a loop with a body of
//! constant size, which is also drawn as a plot. Writing 100,000 cells of an array costs at most ten times as much per cell
//! as writing 1,000. A verdict for every claim costs at most 1.3 times what it costs to check all claims at once.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use vergo_driver::{CheckRequest, EngineId, Input, Job, OnViolation, check};
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::{peak_memory, run};

/// Unwinding bounds.
const BOUNDS: &[u32] = &[250, 500, 1000, 2000, 4000];

/// The greatest ratio of a round's cost at the largest bound to that at the smallest.
const ROUND_LIMIT: f64 = 2.0;

/// Cells of an array that are written.
const CELLS: &[u32] = &[1_000, 10_000, 100_000];

/// The greatest ratio of a cell's cost among the most to that among the fewest.
const CELL_LIMIT: f64 = 10.0;

/// Claims of a program.
const N_CLAIMS: u32 = 400;

/// The greatest ratio of the time of a verdict for every claim to that of one for all together.
const CLAIM_LIMIT: f64 = 1.3;

/// Runs, of which the best counts.
const N_RUNS: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, path, unwind, violations] = &arguments[..]
        && flag == "--measure"
    {
        return measure(Path::new(path), unwind.parse().unwrap_or(1), violations);
    }
    match rounds().and_then(|fine| Ok(fine & cells()? & claims()?)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Checks a program, in the child process, and prints the time and the memory that it took.
fn measure(path: &Path, unwind: u32, violations: &str) -> ExitCode {
    let on_violation = if violations == "first" { OnViolation::Stop } else { OnViolation::GoOn };
    let request = CheckRequest {
        engine: EngineId::Bmc,
        unwind: Some(unwind),
        on_violation,
        ..CheckRequest::default()
    };
    let mut job = Job::default();
    match check(&mut job, &[Input::File(path.to_owned())], &request, &|_| {}) {
        Ok(report) => {
            let time = cpu_time().unwrap_or(0.0);
            println!("{time} {} {}", peak_memory().unwrap_or(0), report.answer.line());
            ExitCode::SUCCESS
        }
        Err(_) => ExitCode::FAILURE,
    }
}

/// The seconds that this thread has been on a processor.
fn cpu_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The cost of a check.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    bytes: f64,
}

/// Checks a program and expects an answer.
fn cost(program: &str, unwind: u32, violations: &str, expected: &str) -> Result<Cost, String> {
    let scratch = Scratch::new("unwinding").map_err(text)?;
    let path = scratch.write("program.c", program).map_err(text)?;
    let mut best = Cost { seconds: f64::MAX, bytes: f64::MAX };
    for _ in 0..N_RUNS {
        let mut command = Command::new(std::env::current_exe().map_err(text)?);
        command.arg("--measure").arg(&path).arg(unwind.to_string()).arg(violations);
        let finished = run(&mut command, b"", Duration::from_secs(600)).map_err(text)?;
        let answer = finished.stdout_text();
        let words: Vec<&str> = answer.splitn(3, ' ').map(str::trim).collect();
        let [seconds, bytes, line] = words[..] else { return Err(finished.stderr_text()) };
        if !line.starts_with(expected) {
            return Err(format!("the answer is {line}, not {expected}"));
        }
        let number = |word: &str| word.parse::<f64>().map_err(|error| error.to_string());
        best.seconds = best.seconds.min(number(seconds)?);
        best.bytes = best.bytes.min(number(bytes)?);
    }
    Ok(best)
}

/// A loop whose rounds are alike and depend on each other only through whether they happen.
fn loop_of_rounds() -> String {
    "unsigned char nondet_uchar(void); void __VERIFIER_assert(int);
     int main(void) {
         unsigned char total = 0;
         while (nondet_uchar()) {
             unsigned char x = nondet_uchar();
             if (x < 100) { x = x * 2; __VERIFIER_assert(x % 2 == 0); }
             total ^= x;
         }
         return total;
     }"
    .to_owned()
}

/// Time and memory by bound.
fn rounds() -> Result<bool, String> {
    let program = loop_of_rounds();
    let start = cost(&program, 1, "first", "unknown")?;
    println!(
        "{:<8} {:>10} {:>10} {:>14} {:>14}",
        "bound", "time", "memory", "us/round", "bytes/round"
    );
    let mut points = Vec::new();
    for &bound in BOUNDS {
        let Cost { seconds, bytes } = cost(&program, bound, "first", "unknown")?;
        let per_round = Cost {
            seconds: (seconds - start.seconds) / f64::from(bound),
            bytes: (bytes - start.bytes) / f64::from(bound),
        };
        println!(
            "{bound:<8} {:>7.0} ms {:>7.1} MB {:>14.1} {:>14.0}",
            seconds * 1e3,
            bytes / 1e6,
            per_round.seconds * 1e6,
            per_round.bytes
        );
        points.push((bound, seconds, bytes, per_round));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(folder).map_err(text)?;
    let plot = folder.join("unwinding.svg");
    let drawn: Vec<(f64, f64, f64)> = points
        .iter()
        .map(|&(bound, seconds, bytes, _)| (f64::from(bound), seconds, bytes / 1e6))
        .collect();
    std::fs::write(&plot, svg(&drawn)).map_err(text)?;
    println!("plot: {}", plot.display());
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(false) };
    let time = within("time per round", last.3.seconds / first.3.seconds, ROUND_LIMIT);
    let memory = within("memory per round", last.3.bytes / first.3.bytes, ROUND_LIMIT);
    println!();
    Ok(time & memory)
}

/// Time by cells.
fn cells() -> Result<bool, String> {
    println!("{:<10} {:>10} {:>14}", "cells", "time", "us/cell");
    let mut per_cell = Vec::new();
    for &n in CELLS {
        let program = format!(
            "int nondet_int(void); void __VERIFIER_assert(int); int a[{n}];
             int main(void) {{
                 int x = nondet_int();
                 for (int i = 0; i < {n}; i++) a[i] = i % 7 ? i : x;
                 __VERIFIER_assert(a[0] == x && a[{last}] == {last});
                 return 0;
             }}",
            last = n - n % 7 - 1,
        );
        let Cost { seconds, .. } = cost(&program, 1, "first", "true")?;
        let here = seconds / f64::from(n);
        println!("{n:<10} {:>7.0} ms {:>14.2}", seconds * 1e3, here * 1e6);
        per_cell.push(here);
    }
    let ratio =
        per_cell.last().zip(per_cell.first()).map_or(f64::MAX, |(last, first)| last / first);
    let fine = within("time per cell", ratio, CELL_LIMIT);
    println!();
    Ok(fine)
}

/// Claims that hold, each for a reason of its own, and some that do not.
fn program_of_claims(n_violated: u32) -> String {
    let mut body = String::new();
    for i in 0..N_CLAIMS {
        let limit = if i < n_violated { 150 } else { 200 };
        let _ = writeln!(
            body,
            "x = nondet_uint(); y = nondet_uint(); if (x < 100 && y < 100 + {i} % 2) __VERIFIER_assert(x + y < {limit});"
        );
    }
    format!(
        "unsigned nondet_uint(void); void __VERIFIER_assert(int);
         int main(void) {{ unsigned x, y; {body} return 0; }}"
    )
}

/// Every claim with its own verdict, and all at once.
fn claims() -> Result<bool, String> {
    println!("{:<34} {:>10}", "claims", "time");
    let safe = program_of_claims(0);
    let together = cost(&safe, 1, "first", "true")?;
    let each = cost(&safe, 1, "all", "true")?;
    println!("{:<34} {:>7.0} ms", format!("{N_CLAIMS} at once"), together.seconds * 1e3);
    println!("{:<34} {:>7.0} ms", format!("{N_CLAIMS}, each its own verdict"), each.seconds * 1e3);
    let n_violated = N_CLAIMS / 20;
    let some = cost(&program_of_claims(n_violated), 1, "all", "false")?;
    let title = format!("the same, {n_violated} of them violated");
    println!("{title:<34} {:>7.0} ms", some.seconds * 1e3);
    Ok(within("each to at once", each.seconds / together.seconds, CLAIM_LIMIT))
}

/// Prints a ratio with its limit.
fn within(what: &str, ratio: f64, limit: f64) -> bool {
    let verdict = if ratio <= limit { "" } else { "  over the limit" };
    println!("growth of {what}: {ratio:.2}, limit {limit:.2}{verdict}");
    ratio <= limit
}

/// A plot of two quantities, each on its own scale, over the bound.
fn svg(points: &[(f64, f64, f64)]) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 400.0;
    const MARGIN: f64 = 60.0;
    let most =
        |of: fn(&(f64, f64, f64)) -> f64| points.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let (bound, seconds, megabytes) = (most(|p| p.0), most(|p| p.1), most(|p| p.2));
    let x = |value: f64| MARGIN + value / bound * (WIDTH - 2.0 * MARGIN);
    let y = |share: f64| HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let (left, right, low, high) = (x(0.0), x(bound), y(0.0), y(1.0));
    let _ = writeln!(
        out,
        "<path d=\"M{left} {high}V{low}H{right}V{high}\" fill=\"none\" stroke=\"black\"/>"
    );
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let (at, level) = (x(bound * share), y(share));
        let _ = writeln!(
            out,
            "<text x=\"{at:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{:.0}</text>\
             <text x=\"{:.0}\" y=\"{level:.0}\" text-anchor=\"end\" fill=\"#1f4e9c\">{:.2}</text>\
             <text x=\"{:.0}\" y=\"{level:.0}\" fill=\"#b03a2e\">{:.0}</text>",
            low + 18.0,
            bound * share,
            left - 6.0,
            seconds * share,
            right + 6.0,
            megabytes * share
        );
    }
    for (colour, value) in [("#1f4e9c", 0), ("#b03a2e", 1)] {
        let line: Vec<String> = points
            .iter()
            .map(|&(at, time, memory)| {
                let share = if value == 0 { time / seconds } else { memory / megabytes };
                format!("{:.1},{:.1}", x(at), y(share))
            })
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">unwinding bound</text>\n\
         <text x=\"{left}\" y=\"{:.0}\" fill=\"#1f4e9c\">seconds</text>\n\
         <text x=\"{right}\" y=\"{:.0}\" text-anchor=\"end\" fill=\"#b03a2e\">megabytes</text>\n</svg>",
        WIDTH / 2.0,
        low + 40.0,
        high - 12.0,
        high - 12.0
    );
    out
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}
