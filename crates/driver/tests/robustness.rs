//! Damaged inputs: no panic, no stack overflow, no hang; the answer is a tree or diagnostics.

use std::path::Path;
use std::time::{Duration, Instant};

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Job};
use vergo_source::Renderer;
use vergo_testkit::environment::slow;
use vergo_testkit::large;
use vergo_testkit::mutate::Mutator;

/// The time limit of one input, in a build without optimisation on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// Well-formed inputs to damage: the golden files, and pieces of a large program.
fn seeds() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut seeds = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> =
            std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i")
            {
                seeds.extend(std::fs::read(path));
            }
        }
    }
    let program = large::program(3, 1_000);
    let text: Vec<&str> = program.lines().filter(|line| !line.starts_with('#')).collect();
    seeds.extend(text.chunks(120).map(|lines| lines.join("\n").into_bytes()));
    seeds
}

/// The front end on a text; true if it was accepted.
fn survives(text: Vec<u8>) -> bool {
    let mut job = Job::new(DataModel::Lp64, CppOptions::default());
    let name = "input.i".to_owned();
    let Ok(file) = job.add(&name, text) else { return false };
    let accepted = job.analyze_file(file).is_ok();
    if !accepted {
        let all = job.map.file_span(file);
        assert!(job.diagnostics.has_errors(), "rejected without a diagnostic");
        for diagnostic in &job.diagnostics {
            let span = diagnostic.primary;
            assert!(all.contains(span), "a diagnostic without a place: {diagnostic:?}");
        }
        let text = Renderer::plain().render_all(&job.map, &job.diagnostics);
        assert!(text.contains("error["));
    }
    accepted
}

/// Runs mutants of a seed; a failure names the mutant's number and keeps its text.
fn run(seed: u64, n_inputs: usize, nested: bool) {
    let seeds = seeds();
    let seeds: Vec<&[u8]> = seeds.iter().map(Vec::as_slice).collect();
    let mut mutator = Mutator::new(seed);
    mutator.longest = 8 * 1024;
    for number in 0..n_inputs {
        let text = if nested { mutator.nested() } else { mutator.next(&seeds) };
        let copy = text.clone();
        let start = Instant::now();
        let answer = std::panic::catch_unwind(|| survives(text));
        let time = start.elapsed();
        if answer.is_err() || time > LONGEST {
            let path = std::env::temp_dir().join(format!("vergo-mutant-{seed}-{number}.c"));
            let _ = std::fs::write(&path, &copy);
            panic!("mutant {number} of seed {seed} took {time:?}; it is in {}", path.display());
        }
    }
}

#[test]
fn mutants_are_survived() {
    if slow() {
        // Two threads: the machine of the slow tier has at least two cores.
        std::thread::scope(|scope| {
            for seed in [11, 12] {
                scope.spawn(move || run(seed, 95_000, false));
            }
        });
    } else {
        run(1, 2_000, false);
    }
}

#[test]
fn deep_nesting_is_survived() {
    if slow() { run(13, 10_000, true) } else { run(2, 150, true) }
}
