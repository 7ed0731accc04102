//! The solver beside z3 on SMT-LIB files with known answers, and how fast circuits are made.
//!
//! Both solvers run as processes of their own, one file after the other, so that starting up counts
//! for both; the total is over the files that both answer.  Without z3 only our time is shown,
//! without `VERGO_SHARED`, whose folder `smt2` has the files, only the circuits.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use vergo_smt::blast::{BlastOptions, Blaster};
use vergo_smt::{BackendId, Budget, ScriptOptions, run_script};
use vergo_term::{Sort, TermStore};
use vergo_testkit::environment::shared_or_skip;
use vergo_testkit::process::run;

/// Time for each file.
const TIME: Duration = Duration::from_secs(10);

/// The part of z3's time that the solver may take.
const TIME_LIMIT: f64 = 0.7;

/// Gates that must be made in a second.
const RATE_LIMIT: f64 = 1e6;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, path] = &arguments[..]
        && flag == "--solve"
    {
        return solve(Path::new(path));
    }
    let is_fast = throughput();
    let is_right = shared_or_skip("smt2").is_none_or(|folder| compare(&folder.join("smt2")));
    if is_fast && is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Solves a file, in the child process.
fn solve(path: &Path) -> ExitCode {
    let Ok(text) = std::fs::read_to_string(path) else { return ExitCode::FAILURE };
    let options = ScriptOptions { timeout: Some(TIME), ..ScriptOptions::default() };
    run_script(&text, &options, &mut |line| println!("{line}"));
    ExitCode::SUCCESS
}

/// A chain of 64-bit multipliers.
fn throughput() -> bool {
    let mut store = TermStore::new();
    let start = Instant::now();
    let mut product = store.var("x0", Sort::BitVec(64));
    for i in 1..100 {
        let factor = store.var(&format!("x{i}"), Sort::BitVec(64));
        product = store.bv_mul(product, factor);
    }
    let mut blaster = Blaster::new(BlastOptions::default());
    let result = blaster.blast(&store, product, &Budget::unlimited());
    let time = start.elapsed().as_secs_f64();
    let gates = blaster.aig.n_gates() as f64;
    let rate = gates / time;
    let bytes = blaster.aig.memory() as f64 / gates;
    println!(
        "100 multipliers of 64 bits: {gates} gates, {:.2} million a second, {bytes:.1} bytes each",
        rate / 1e6
    );
    result.is_ok() && rate >= RATE_LIMIT
}

/// The answers that a solver printed; none if it did not understand the whole file.
fn answers(text: &str) -> Vec<&str> {
    let is_complaint = |line: &str| line.contains("unknown constant");
    if text.lines().any(is_complaint) {
        return Vec::new();
    }
    text.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).collect()
}

fn is_answered(answers: &[&str]) -> bool {
    !answers.is_empty() && !answers.contains(&"unknown")
}

fn compare(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: smt2: there are no files");
        return true;
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        .collect();
    files.sort();
    let has_z3 = BackendId::Z3.is_available();
    if !has_z3 {
        println!("z3 is not installed: our time only");
    }
    let Ok(exe) = std::env::current_exe() else { return false };
    let (mut own, mut theirs, mut n_own, mut n_theirs, mut n_common) =
        (Duration::ZERO, Duration::ZERO, 0, 0, 0);
    let mut disagreements = Vec::new();
    for path in &files {
        let limit = TIME + Duration::from_secs(5);
        let Ok(ours) = run(Command::new(&exe).arg("--solve").arg(path), b"", limit) else {
            return false;
        };
        let text = ours.stdout_text();
        let our_answers = answers(&text);
        n_own += usize::from(is_answered(&our_answers));
        if !has_z3 {
            own += ours.time;
            continue;
        }
        let mut z3 = Command::new("z3");
        z3.arg(format!("-T:{}", TIME.as_secs())).arg(path);
        let Ok(other) = run(&mut z3, b"", limit) else { return false };
        let text = other.stdout_text();
        let z3_answers = answers(&text);
        n_theirs += usize::from(is_answered(&z3_answers));
        if is_answered(&our_answers) && is_answered(&z3_answers) {
            n_common += 1;
            own += ours.time;
            theirs += other.time;
            if our_answers != z3_answers {
                disagreements.push(path.display().to_string());
            }
        }
    }
    let n = files.len();
    println!("answered within {} s: vergo {n_own} of {n}", TIME.as_secs());
    if !has_z3 {
        println!("time: {:.2} s", own.as_secs_f64());
        return true;
    }
    let ratio = own.as_secs_f64() / theirs.as_secs_f64();
    println!("answered within {} s: z3    {n_theirs} of {n}", TIME.as_secs());
    println!(
        "on the {n_common} files that both answer: vergo {:.2} s, z3 {:.2} s, ratio {ratio:.2} (limit {TIME_LIMIT})",
        own.as_secs_f64(),
        theirs.as_secs_f64()
    );
    println!("different answers: {}", disagreements.len());
    for path in &disagreements {
        println!("  {path}");
    }
    disagreements.is_empty() && ratio <= TIME_LIMIT
}
