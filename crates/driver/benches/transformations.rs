//! The effect of each transformation on the thesis's own example of it, scaled until a check without it takes long.
//!
//! Each check is a process of its own, with a limit of time; its time counts if it decides. The table has the time of the check
//! without the transformation and with it. A row has the factor that the transformation must save; where ours saves nothing because
//! the engine does without it, the row says so by a factor of zero, and only the answer counts.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use vergo_driver::{
    Answer, CheckRequest, ChosenPasses, EngineId, Input, Job, Slicing, Specification, check,
};
use vergo_testkit::process::run;

/// The limit of a check.
const LIMIT: Duration = Duration::from_secs(25);

/// An example: where it is in the thesis, the engine, the passes, whether the program is sliced, the factor of time that this must
/// save, and the program.
struct Example {
    name: &'static str,
    engine: EngineId,
    passes: &'static [&'static str],
    slice: bool,
    saves: f64,
    text: &'static str,
}

const EXAMPLES: &[Example] = &[
    // An induction cannot see through thirty rounds; thirty statements it executes.
    Example {
        name: "4.2 unwind",
        engine: EngineId::Kind,
        passes: &["unwind"],
        slice: false,
        saves: 20.0,
        text: "int main(void) { int arr[30]; for (int i = 0; i < 30; i++) arr[i] = i;
          __CPROVER_assert(arr[0] < arr[1], \"order\"); return 0; }",
    },
    Example {
        name: "4.4 slice",
        engine: EngineId::BmcIncremental,
        passes: &[],
        slice: true,
        saves: 20.0,
        text: "extern unsigned __VERIFIER_nondet_uint(void);
        int main(void) { unsigned a = 2, b = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
          for (unsigned i = 0; i < n; i++) b = b * b + a;
          __CPROVER_assert(a == 2, \"a\"); return 0; }",
    },
    Example {
        name: "4.5 slice",
        engine: EngineId::BmcIncremental,
        passes: &[],
        slice: true,
        saves: 20.0,
        text: "extern unsigned __VERIFIER_nondet_uint(void);
        int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = __VERIFIER_nondet_uint() & 1;
          while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2;
          __CPROVER_assert(x < 2, \"x\"); return 0; }",
    },
    Example {
        name: "4.1 intervals",
        engine: EngineId::BmcIncremental,
        passes: &["intervals"],
        slice: true,
        saves: 20.0,
        text: "int main(void) { int x = 0; while (x < 3000000) x++;
          __CPROVER_assert(x > 50, \"x\"); return 0; }",
    },
    // Terms that are equal are the same term here, so that nothing is computed twice anyway.
    Example {
        name: "4.4 gcse",
        engine: EngineId::BmcIncremental,
        passes: &["gcse"],
        slice: false,
        saves: 0.0,
        text: "typedef struct { unsigned F; } Aux;
        typedef struct { Aux Aux; unsigned Wc, V; } RegEntry;
        typedef struct { RegEntry *Map; } table;
        void write(table *tbl, unsigned i) { tbl->Map[i].Aux.F &= 1; tbl->Map[i].Wc++; tbl->Map[i].V = 42; }
        int main(void) { RegEntry e[10000]; table M; M.Map = e;
          for (int i = 0; i < 10000; i++) write(&M, i);
          __CPROVER_assert(e[5].V == 42, \"V\"); return 0; }",
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, name, how] = &arguments[..]
        && flag == "--measure"
    {
        return measure(name, how == "with");
    }
    println!("{:<16}{:>10}{:>10}{:>10}{:>10}", "example", "without", "with", "saves", "at least");
    let mut fine = true;
    for example in EXAMPLES {
        let (without, with) = (cost(example, "without"), cost(example, "with"));
        let saves = without.unwrap_or(LIMIT.as_secs_f64()) / with.unwrap_or(f64::MAX);
        let shown = |seconds: Option<f64>| {
            seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.3} s"))
        };
        let (name, least) = (example.name, example.saves);
        println!("{name:<16}{:>10}{:>10}{saves:>10.1}{least:>10.0}", shown(without), shown(with));
        fine &= with.is_some() && saves >= least;
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks an example, in the child process, and prints the time that it took to prove it.
fn measure(name: &str, with: bool) -> ExitCode {
    let Some(example) = EXAMPLES.iter().find(|example| example.name == name) else {
        return ExitCode::FAILURE;
    };
    let Some(specification) = Specification::from_name("user.assert") else {
        return ExitCode::FAILURE;
    };
    let names = example.passes.iter().filter(|_| with).map(|&name| name.to_owned()).collect();
    let request = CheckRequest {
        specification,
        engine: example.engine,
        passes: ChosenPasses { names, ..ChosenPasses::default() },
        slicing: if with && example.slice { Slicing::Always } else { Slicing::Never },
        without_auxiliary: true,
        timeout: Some(LIMIT),
        ..CheckRequest::default()
    };
    let input = Input::Text { name: "example.c".to_owned(), text: example.text.into() };
    let start = Instant::now();
    match check(&mut Job::default(), &[input], &request, &|_| {}) {
        Ok(report) if report.answer == Answer::True => {
            println!("{}", start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

/// The seconds of a check, if it proves the example.
fn cost(example: &Example, how: &str) -> Option<f64> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.arg("--measure").arg(example.name).arg(how);
    let finished = run(&mut command, b"", LIMIT * 4).ok()?;
    finished.stdout_text().trim().parse().ok()
}
