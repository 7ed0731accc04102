//! Every program of the external collection is parsed, typed and accepted.

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job};
use vergo_source::Renderer;
use vergo_testkit::environment::shared_or_skip;

#[test]
fn every_program_is_accepted() {
    let Some(shared) = shared_or_skip("every_program_is_accepted") else { return };
    let folder = shared.join("bench");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).unwrap();
    let mut lines = manifest.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let (file, model) = (column("file"), column("model"));
    let mut n_programs = 0;
    let mut rejected = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let model = if fields[model] == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut job = Job::new(model, CppOptions::default());
        let answer = job.analyze(&Input::File(folder.join(fields[file])));
        n_programs += 1;
        if answer.is_err() {
            job.prepare_diagnostics();
            let text = Renderer::plain().render_all(&job.map, &job.diagnostics);
            rejected.push(format!("{}:\n{text}", fields[file]));
        }
    }
    assert!(n_programs > 0, "the manifest names no programs");
    let n = rejected.len();
    rejected.truncate(20);
    assert!(n == 0, "{n} of {n_programs} rejected\n{}", rejected.join("\n"));
}
