//! A tight integer loop against the same loop compiled by `gcc -O0`.
//!
//! The loop has the claims that instrumentation adds to the C program beside it. Both run in turns and the best run of
//! each counts.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use vergo_interp::{Machine, Options, Outcome};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::run;

/// Rounds of the interpreted loop; the compiled one does ten times as many, so that its start does not count.
const ROUNDS: u64 = 5_000_000;

/// The greatest ratio of the interpreted loop's time to the compiled one's.
const LIMIT: f64 = 60.0;

const LOOP: &str = r#"entry main;
function main: fn() -> void labels 3 {
    local s: u32 align 4;
    local i: i32 align 4;
    decl s;
    s := 0u32;
    decl i;
    i := 0i32;
  L0:
    assert #is_initialized(&i, 4u64) "memory.uninitialized" "i is used before it has a value" cwe 457;
    if ROUNDSi32 <= i goto L2;
    assert #is_initialized(&s, 4u64) "memory.uninitialized" "s is used before it has a value" cwe 457;
    assert #is_initialized(&i, 4u64) "memory.uninitialized" "i is used before it has a value" cwe 457;
    s := s + ((u32)i ^ s >> 3i32);
  L1:
    assert #is_initialized(&i, 4u64) "memory.uninitialized" "i is used before it has a value" cwe 457;
    assert !#add_overflows(i, 1i32) "arith.signed-overflow" "overflow on signed addition in i + 1" cwe 190;
    i := i + 1i32;
    goto L0;
  L2:
    end (i32)(s & 127u32);
}
"#;

const COMPILED: &str = "int main(void) { unsigned s = 0; for (int i = 0; i < ROUNDS; i++) s += i ^ (s >> 3); return s & 127; }";

fn main() -> ExitCode {
    let Some(gcc) = HostC::find() else {
        println!("there is no C compiler to compare with");
        return ExitCode::SUCCESS;
    };
    let Ok(folder) = Scratch::new("integer-loop") else { return ExitCode::FAILURE };
    let (source, binary) = (folder.path("loop.c"), folder.path("loop"));
    let compiled_rounds = 10 * ROUNDS;
    let text = COMPILED.replace("ROUNDS", &compiled_rounds.to_string());
    let compiled =
        std::fs::write(&source, text).and_then(|()| gcc.compile(&source, &binary, &["-O0"]));
    if !compiled.is_ok_and(|finished| finished.success()) {
        println!("the C compiler fails");
        return ExitCode::FAILURE;
    }
    let program = match vergo_goto::text::parse(&LOOP.replace("ROUNDS", &ROUNDS.to_string())) {
        Ok(program) => program,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let (mut native, mut interpreted) = (Duration::MAX, Duration::MAX);
    for _ in 0..7 {
        let start = Instant::now();
        if run(&mut Command::new(&binary), b"", Duration::from_secs(60)).is_err() {
            return ExitCode::FAILURE;
        }
        native = native.min(start.elapsed());
        let start = Instant::now();
        let outcome = Machine::new(&program, Options::default()).run();
        interpreted = interpreted.min(start.elapsed());
        if !matches!(outcome, Outcome::Exited(_)) {
            println!("{outcome:?}");
            return ExitCode::FAILURE;
        }
    }
    let per_round = |time: Duration, rounds: u64| time.as_secs_f64() * 1e9 / rounds as f64;
    let (native, interpreted) =
        (per_round(native, compiled_rounds), per_round(interpreted, ROUNDS));
    let ratio = interpreted / native;
    println!("gcc -O0      {native:8.2} ns per round");
    println!("interpreted  {interpreted:8.2} ns per round");
    println!("ratio        {ratio:8.1} (at most {LIMIT})");
    if ratio <= LIMIT { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
