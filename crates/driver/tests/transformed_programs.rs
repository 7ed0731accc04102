//! Programs from csmith do the same after each pass of the registry: the interpreter prints what it printed before.

use std::time::Duration;

use vergo_driver::preprocess::{CppFlag, CppOptions};
use vergo_driver::{DataModel, Input, Job};
use vergo_goto::program::Program;
use vergo_interp::{Buffers, Limits, Machine, Options, Outcome};
use vergo_lower::Arguments;
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::{Options as PassOptions, PassId};
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};

/// The way in which a program ends, and what it prints.
fn behaviour(program: &Program) -> (String, String) {
    let output = Buffers::default();
    let options = Options {
        world: Box::new(output.clone()),
        limits: Limits { steps: 50_000_000, ..Limits::default() },
        ..Options::default()
    };
    let end = match Machine::new(program, options).run() {
        Outcome::Exited(status) => format!("exit {status}"),
        Outcome::Violation(_) => "claim".to_owned(),
        _ => "another end".to_owned(),
    };
    (end, String::from_utf8_lossy(&output.output()).into_owned())
}

#[test]
fn passes_keep_what_programs_print() {
    let name = "passes_keep_what_programs_print";
    let Some(csmith) = Csmith::find() else { return skip(name, "there is no csmith") };
    let Some(gcc) = HostC::find() else { return skip(name, "there is no gcc") };
    let n_programs = if slow() { 200 } else { 2 };
    let folder = Scratch::new("transformed").unwrap();
    let include = csmith.include_option();
    let cpp = CppOptions {
        command: vec!["gcc".into(), "-E".into()],
        flags: vec![CppFlag::IncludeDir(include.trim_start_matches("-I").into())],
        ..CppOptions::default()
    };
    let (mut n_compared, mut seed) = (0, 5000);
    while n_compared < n_programs {
        seed += 1;
        assert!(seed < 5000 + 20 * n_programs + 100, "csmith's programs do not end in time");
        let Some(text) = csmith.generate(seed, &["--no-packed-struct"]) else { continue };
        // What takes gcc's program longer takes the interpreter too long for a test.
        let limit = Duration::from_millis(10);
        let compiled = gcc.run_text(&folder, &text, &[include.as_str(), "-w"], limit).unwrap();
        if !compiled.success() {
            continue;
        }
        let arguments = Arguments::Given(vec![b"program".to_vec()]);
        let options = vergo_lower::Options { arguments, ..vergo_lower::Options::default() };
        let input = Input::Text { name: "program.c".to_owned(), text: text.into() };
        let mut job = Job::new(DataModel::Lp64, cpp.clone());
        let program = job.load_program_with(&[input], &options).expect("it is a program");
        let before = behaviour(&program);
        assert_eq!(before, ("exit 0".to_owned(), compiled.stdout_text()), "seed {seed}");
        for &pass in PassId::ALL {
            let mut program = program.clone();
            let options = PassOptions::default();
            // A slice keeps claims and what they need.
            let is_slice = matches!(pass, PassId::Slice | PassId::SliceBase);
            let first = is_slice.then_some(PassId::Instrument);
            let passes: Vec<PassId> = first.into_iter().chain([pass]).collect();
            run_passes(&mut program, &passes, &options, Verify::Always, &mut |_| {}).unwrap();
            let now = behaviour(&program);
            let is_same = if is_slice {
                now.0 != "claim" && before.1.starts_with(&now.1)
            } else {
                now == before
            };
            assert!(is_same, "seed {seed}, {pass:?}: {before:?} became {now:?}");
        }
        n_compared += 1;
    }
}
