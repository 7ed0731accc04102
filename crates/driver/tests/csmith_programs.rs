//! Programs from csmith, printed back to C and compiled, print what the originals print.

use std::time::Duration;

use vergo_driver::preprocess::{CppFlag, CppOptions};
use vergo_driver::{DataModel, Input, Job, Stage, dump};
use vergo_source::Renderer;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};

/// Options that give each part of the language its turn.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["--float", "--strict-float"],
    &["--no-safe-math", "--max-funcs", "4"],
    &["--packed-struct", "--max-struct-fields", "12"],
    &["--unions", "--bitfields", "--max-pointer-depth", "4"],
    &["--volatiles", "--inline-function"],
];

#[test]
fn printed_programs_behave_the_same() {
    let name = "printed_programs_behave_the_same";
    let Some(csmith) = Csmith::find() else { return skip(name, "there is no csmith") };
    let Some(gcc) = HostC::find() else { return skip(name, "there is no gcc") };
    let n_programs = if slow() { 300 } else { 4 };
    let folder = Scratch::new("csmith").unwrap();
    let include = csmith.include_option();
    let options = [include.as_str(), "-w", "-O1"];
    let mut n_compared = 0;
    let mut seed = 0;
    while n_compared < n_programs {
        seed += 1;
        assert!(seed < 10 * n_programs + 100, "csmith's programs do not end in time");
        let Some(text) = csmith.generate(seed, OPTIONS[seed as usize % OPTIONS.len()]) else {
            continue;
        };
        let limit = Duration::from_secs(5);
        let original = gcc.run_text(&folder, &text, &options, limit).unwrap();
        // A program that does not end in time, or uses what this gcc lacks, is no oracle.
        if !original.success() {
            continue;
        }
        let cpp = CppOptions {
            command: vec!["gcc".into(), "-E".into()],
            flags: vec![CppFlag::IncludeDir(include.trim_start_matches("-I").into())],
            ..CppOptions::default()
        };
        let mut job = Job::new(DataModel::Lp64, cpp);
        let input = Input::File(folder.write("original.c", &text).unwrap());
        let Ok(printed) = dump(&mut job, &[input], Stage::C) else {
            job.prepare_diagnostics();
            let messages = Renderer::plain().render_all(&job.map, &job.diagnostics);
            panic!("seed {seed} is rejected:\n{messages}");
        };
        let printed = String::from_utf8(printed).unwrap();
        let answer = gcc.run_text(&folder, &printed, &options, limit).unwrap();
        assert!(answer.success(), "seed {seed}: {}", answer.stderr_text());
        assert_eq!(answer.stdout_text(), original.stdout_text(), "seed {seed}");
        n_compared += 1;
    }
}
