//! The cost of deciding programs with arrays by the witness index: it does not depend on how large the arrays are.
//!
//! Programs are transformed and the results checked by bounded model checking, with arrays of ten to a million elements. Each
//! measurement is a process of its own, whose time on the processor counts; of several runs the best. The largest time is at most
//! 1.5 times the smallest.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::process::{Command, ExitCode};
use std::time::Duration;

use vergo_driver::{
    Answer, ArraysRequest, CheckRequest, EngineId, Input, Job, Specification, check,
    transform_arrays,
};
use vergo_testkit::process::run;

/// Elements of each array.
const SIZES: &[u32] = &[10, 1000, 100_000, 1_000_000];

/// The greatest ratio of times.
const LIMIT: f64 = 1.5;

/// Runs, of which the best counts.
const N_RUNS: usize = 7;

/// Programs that hold, with `N` for the number of elements.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "structures",
        "struct S { unsigned p, q; } a[N];
        int main(void) { unsigned i, k;
          for (i = 0; i < N; i++) { k = i & 7; a[i].p = k; a[i].q = k + k; }
          for (i = 0; i < N; i++) { if (a[i].q != 2 * a[i].p) reach_error(); }
          return 0; }",
    ),
    (
        "copies",
        "int a[N], b[N], c[N];
        int main(void) { int i;
          for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
          for (i = 0; i < N; i++) b[i] = a[i];
          for (i = N - 1; i >= 0; i--) c[i] = b[i];
          for (i = 0; i < N; i++) if (c[i] != a[i]) reach_error();
          return 0; }",
    ),
    (
        "greatest",
        "int a[N];
        int main(void) { int i, m = -1;
          for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int() & 255;
          for (i = 0; i < N; i++) if (a[i] > m) m = a[i];
          for (i = 0; i < N; i++) if (a[i] > m) reach_error();
          return 0; }",
    ),
    (
        "heap",
        "extern void *malloc(unsigned long);
        int main(void) { int i, *a = malloc(N * sizeof(int));
          for (i = 0; i < N; i++) a[i] = i;
          for (i = 0; i < N; i++) if (a[i] != i) reach_error();
          return 0; }",
    ),
];

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, program, size] = &arguments[..]
        && flag == "--measure"
    {
        return measure(program, size);
    }
    match table() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Transforms a program and checks the result, in the child process, and prints the time that it took.
fn measure(program: &str, size: &str) -> ExitCode {
    let Some((_, text)) = PROGRAMS.iter().find(|(name, _)| *name == program) else {
        return ExitCode::FAILURE;
    };
    let text = format!("{HEAD}{}", text.replace('N', size));
    let input = Input::Text { name: "program.c".to_owned(), text: text.into_bytes() };
    let Ok(result) = transform_arrays(&mut Job::default(), &input, ArraysRequest::default()) else {
        return ExitCode::FAILURE;
    };
    let input = Input::Text { name: "transformed.c".to_owned(), text: result.text };
    let Some(specification) = Specification::from_name("unreach-call") else {
        return ExitCode::FAILURE;
    };
    let request = CheckRequest { specification, engine: EngineId::Bmc, ..CheckRequest::default() };
    match check(&mut Job::default(), &[input], &request, &|_| {}) {
        Ok(report) if report.answer == Answer::True => {
            println!("{}", cpu_time().unwrap_or(0.0));
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

/// The seconds that this thread has been on a processor.
fn cpu_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The best time for a program and a size.
fn cost(program: &str, size: u32) -> Result<f64, String> {
    let mut best = f64::MAX;
    for _ in 0..N_RUNS {
        let itself = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(itself);
        command.arg("--measure").arg(program).arg(size.to_string());
        let finished = run(&mut command, b"", Duration::from_secs(600));
        let finished = finished.map_err(|error| error.to_string())?;
        let seconds = finished.stdout_text().trim().parse::<f64>();
        best = best.min(seconds.map_err(|_| format!("`{program}` with {size} is not proved"))?);
    }
    Ok(best)
}

/// The times of all programs and sizes.
fn table() -> Result<bool, String> {
    let mut fine = true;
    print!("{:<12}", "elements");
    for size in SIZES {
        print!("{size:>10}");
    }
    println!("{:>8}", "ratio");
    for (program, _) in PROGRAMS {
        print!("{program:<12}");
        let (mut least, mut most) = (f64::MAX, 0.0_f64);
        for &size in SIZES {
            let seconds = cost(program, size)?;
            print!("{:>8.1}ms", seconds * 1e3);
            (least, most) = (least.min(seconds), most.max(seconds));
        }
        println!("{:>8.2}", most / least);
        fine &= most <= least * LIMIT;
    }
    Ok(fine)
}
