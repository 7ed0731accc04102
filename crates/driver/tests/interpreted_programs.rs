//! Programs from csmith, interpreted with their properties checked, print what gcc's programs print.

use std::time::Duration;

use vergo_driver::preprocess::{CppFlag, CppOptions};
use vergo_driver::{DataModel, Ended, Input, Job, RunRequest, run};
use vergo_interp::Buffers;
use vergo_source::Renderer;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};

/// Options that give each part of the language its turn. Pointers into packed structures are not aligned as C demands,
/// which the interpreter reports, so there are none.
const OPTIONS: &[&[&str]] = &[
    &["--no-packed-struct"],
    &["--no-packed-struct", "--float", "--strict-float"],
    &["--no-packed-struct", "--max-struct-fields", "12"],
    &["--no-packed-struct", "--unions", "--bitfields", "--max-pointer-depth", "4"],
    &["--no-packed-struct", "--volatiles", "--inline-function"],
];

#[test]
fn interpreted_programs_print_what_compiled_ones_print() {
    let name = "interpreted_programs_print_what_compiled_ones_print";
    let Some(csmith) = Csmith::find() else { return skip(name, "there is no csmith") };
    let Some(gcc) = HostC::find() else { return skip(name, "there is no gcc") };
    let n_programs = if slow() { 500 } else { 12 };
    let folder = Scratch::new("interpreted").unwrap();
    let include = csmith.include_option();
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    let mut seed = 1000;
    while n_compared < n_programs {
        seed += 1;
        assert!(seed < 1000 + 10 * n_programs + 100, "csmith's programs do not end in time");
        let Some(text) = csmith.generate(seed, OPTIONS[seed as usize % OPTIONS.len()]) else {
            continue;
        };
        // What takes gcc's program longer takes the interpreter too long for a test.
        let limit = Duration::from_millis(if slow() { 1000 } else { 30 });
        let options = [include.as_str(), "-w", "-O0"];
        let Ok(compiled) = gcc.run_text(&folder, &text, &options, limit) else { continue };
        if !compiled.success() {
            continue;
        }
        let cpp = CppOptions {
            command: vec!["gcc".into(), "-E".into()],
            flags: vec![CppFlag::IncludeDir(include.trim_start_matches("-I").into())],
            ..CppOptions::default()
        };
        let mut job = Job::new(DataModel::Lp64, cpp);
        let input = Input::File(folder.write("original.c", &text).unwrap());
        let request =
            RunRequest { timeout: Some(Duration::from_secs(600)), ..RunRequest::default() };
        let output = Buffers::default();
        let world = Box::new(output.clone());
        let ended = run(&mut job, &[input], &request, world, &mut |_| {});
        job.prepare_diagnostics();
        let messages = Renderer::plain().render_all(&job.map, &job.diagnostics);
        let printed = String::from_utf8_lossy(&output.output()).into_owned();
        let theirs = compiled.stdout_text();
        if ended != Ok(Ended::Exited(0)) {
            wrong.push(format!("seed {seed}: {ended:?}: {messages}"));
        } else if printed != theirs {
            wrong.push(format!("seed {seed}: {printed} instead of {theirs}"));
        }
        n_compared += 1;
    }
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
