//! Every program of the external collection is accepted and lowered; the result is well formed, and its text is the same
//! program.

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job};
use vergo_goto::text;
use vergo_goto::verify::verify;
use vergo_source::Renderer;
use vergo_testkit::environment::shared_or_skip;

/// Returns the flaw in the GOTO program of a file, if there is one.
fn fault(job: &mut Job, input: Input) -> Option<String> {
    let Ok(program) = job.load_program(&[input], None) else {
        job.prepare_diagnostics();
        return Some(Renderer::plain().render_all(&job.map, &job.diagnostics));
    };
    if let Err(errors) = verify(&program) {
        return Some(errors.iter().map(|error| format!("ill-formed: {error}\n")).collect());
    }
    let printed = text::print(&program);
    match text::parse(&printed) {
        Err(error) => Some(format!("its text is not read: {error}")),
        Ok(again) if text::print(&again) != printed => {
            Some("its text is another program".to_owned())
        }
        Ok(again) => verify(&again).is_err().then(|| "its text is ill-formed".to_owned()),
    }
}

#[test]
fn every_program_lowers_and_prints_to_itself() {
    let Some(shared) = shared_or_skip("every_program_lowers_and_prints_to_itself") else { return };
    let folder = shared.join("bench");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).unwrap();
    let mut lines = manifest.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let (file, model) = (column("file"), column("model"));
    let mut n_programs = 0;
    let mut faults = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let model = if fields[model] == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut job = Job::new(model, CppOptions::default());
        n_programs += 1;
        if let Some(fault) = fault(&mut job, Input::File(folder.join(fields[file]))) {
            faults.push(format!("{}: {fault}", fields[file]));
        }
    }
    assert!(n_programs > 0, "the manifest names no programs");
    let n = faults.len();
    faults.truncate(20);
    assert!(n == 0, "{n} of {n_programs} are wrong\n{}", faults.join("\n"));
}
