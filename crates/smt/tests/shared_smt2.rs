//! SMT-LIB files with known answers, if `VERGO_SHARED` names a folder that has them.
//!
//! In the default run answers and models are checked; with `VERGO_SLOW=1` also every refutation's
//! proof, and the time is compared with z3's if that is installed.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use vergo_smt::{Answer, ScriptOptions, run_script};
use vergo_testkit::environment::{shared_or_skip, slow_or_skip};

fn files(test: &str) -> Vec<PathBuf> {
    let Some(folder) = shared_or_skip(test) else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder.join("smt2")) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        .collect();
    files.sort();
    files
}

#[allow(clippy::print_stderr, reason = "a test reports what it measured")]
fn run(files: &[PathBuf], options: &ScriptOptions) -> Vec<(PathBuf, Duration, bool)> {
    let mut times = Vec::new();
    let mut weak = 0;
    for path in files {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let start = Instant::now();
        let mut output = String::new();
        let outcome = run_script(&text, options, &mut |line| {
            output.push_str(line);
            output.push('\n');
        });
        let time = start.elapsed();
        assert_eq!(outcome.n_contradictions, 0, "{}: wrong answer\n{output}", path.display());
        let answered = !outcome.answers.is_empty()
            && outcome.answers.iter().all(|a| !matches!(a, Answer::Unknown(_)));
        if !answered || outcome.n_errors > 0 || time > Duration::from_secs(1) {
            eprintln!("{:?} {:?} {}", time, path.file_name(), output.lines().next().unwrap_or(""));
        }
        if !answered {
            weak += 1;
        }
        times.push((path.clone(), time, answered));
    }
    assert!(weak * 100 <= files.len() * 3, "{weak} of {} files are not answered", files.len());
    times
}

#[test]
fn answers_are_right() {
    let files = files("answers_are_right");
    let options = ScriptOptions {
        timeout: Some(Duration::from_secs(10)),
        check_models: true,
        ..ScriptOptions::default()
    };
    run(&files, &options);
}

#[test]
fn proofs_check() {
    if !slow_or_skip("proofs_check") {
        return;
    }
    let files = files("proofs_check");
    let options = ScriptOptions {
        timeout: Some(Duration::from_secs(20)),
        check_models: true,
        check_proofs: true,
        ..ScriptOptions::default()
    };
    run(&files, &options);
}

#[test]
#[allow(clippy::print_stderr, reason = "a test reports what it measured")]
fn time_beside_z3() {
    if !slow_or_skip("time_beside_z3") {
        return;
    }
    let files = files("time_beside_z3");
    let options =
        ScriptOptions { timeout: Some(Duration::from_secs(10)), ..ScriptOptions::default() };
    let ours = run(&files, &options);
    let (mut own, mut theirs, mut common) = (Duration::ZERO, Duration::ZERO, 0);
    for (path, time, answered) in ours {
        let start = Instant::now();
        let output = Command::new("z3").arg("-T:10").arg(&path).stderr(Stdio::null()).output();
        let Ok(output) = output else {
            eprintln!("skipped: z3 is not installed");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        if answered && text.lines().any(|l| l == "sat" || l == "unsat") {
            own += time;
            theirs += start.elapsed();
            common += 1;
        }
    }
    eprintln!("{common} files solved by both: {own:?} beside {theirs:?}");
}
