//! The programs of the external collection that have loops, as transition systems: how many there are, what stands in
//! the way of the others, how long it takes, and whether violations within a few steps are executions of the program.

#![allow(clippy::print_stdout, reason = "measurements of tests are shown when asked for")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job, Specification};
use vergo_evidence::{Choices, Counterexample};
use vergo_goto::program::Program;
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_smt::{Answer, Budget, SolverOptions};
use vergo_term::TermStore;
use vergo_testkit::environment::{shared_or_skip, skip, slow};
use vergo_ts::encode::CauseKind;
use vergo_ts::{Encoded, Options, Start, Unrolling, encode};

/// A task of the collection.
struct Task {
    name: String,
    program: Program,
    expected: bool,
}

/// The tasks with loops whose programs are accepted.
fn tasks(folder: &Path) -> impl Iterator<Item = Task> {
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).unwrap();
    let lines: Vec<String> = manifest.lines().skip(1).map(str::to_owned).collect();
    lines.into_iter().filter_map(move |line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [file, property, expected, model, _, features] = fields[..] else { return None };
        if !features.split('|').any(|feature| feature == "loops") {
            return None;
        }
        let Some(Specification::Claims(names)) = Specification::from_name(property) else {
            return None;
        };
        let model = if model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut job = Job::new(model, CppOptions::default());
        let mut program = job.load_program(&[Input::File(folder.join(file))], None).ok()?;
        let properties = names.set();
        let options = vergo_passes::Options { properties, ..Default::default() };
        run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {}).unwrap();
        Some(Task { name: format!("{file} {property}"), program, expected: expected == "true" })
    })
}

/// The result of unrolling a system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shown {
    /// Nothing.
    Nothing,
    /// A violation that the interpreter replays.
    Replayed,
    /// A violation that is none of the program, although nothing was given up.
    Spurious,
    /// A violation that is none of the program, which had approximations.
    Approximate,
    /// A way into what the encoding does not cover.
    Beyond,
}

fn unroll(program: &Program, store: &mut TermStore, encoded: &Encoded) -> Shown {
    let system = &encoded.system;
    let options = SolverOptions::default();
    let mut unrolling = Unrolling::new(store, system, Start::Initial, options);
    let deadline = Some(Instant::now() + Duration::from_secs(1));
    let budget = Budget { deadline, ..Budget::default() };
    for steps in 0..5 {
        match unrolling.violation(store, steps, &budget) {
            Answer::Unsat => continue,
            Answer::Unknown(_) => return Shown::Nothing,
            Answer::Sat => {}
        }
        let path = unrolling.path(store, steps);
        assert!(path.verify(store, system), "a path is one of the system");
        let inputs = Choices::of_path(program, encoded, store, &path);
        let causes = encoded.causes_of(store, &path);
        let claim = causes.iter().any(|cause| matches!(cause.kind, CauseKind::Claim(_)));
        return match Counterexample::replay(
            program,
            inputs,
            &Budget::within(Duration::from_secs(5)),
        ) {
            Ok(_) => Shown::Replayed,
            Err(_) if !claim => Shown::Beyond,
            Err(_) if !encoded.approximations.is_empty() => Shown::Approximate,
            Err(_) => Shown::Spurious,
        };
    }
    Shown::Nothing
}

#[test]
fn programs_with_loops_are_encoded() {
    let name = "programs_with_loops_are_encoded";
    let Some(shared) = shared_or_skip(name) else { return };
    if !slow() {
        return skip(name, "it is slow");
    }
    let mut n_programs = 0;
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut interval_times: Vec<(Duration, String)> = Vec::new();
    let mut shown: BTreeMap<(Shown, bool), Vec<String>> = BTreeMap::new();
    for task in tasks(&shared.join("bench")) {
        n_programs += 1;
        let start = Instant::now();
        let stop = || start.elapsed() > Duration::from_secs(10);
        let mut store = TermStore::new();
        let options = Options { stop: &stop, ..Options::default() };
        let answer = encode(&task.program, &mut store, &options);
        let time = start.elapsed();
        match answer {
            Ok(encoded) => {
                assert_eq!(encoded.system.verify(&store), Ok(()), "{}", task.name);
                let (n_terms, figures) = (store.len(), encoded.statistics);
                times.push((time, format!("{} {n_terms} terms {figures:?}", task.name)));
                let start = Instant::now();
                let _ = encoded.interval_invariant(&mut store);
                interval_times.push((start.elapsed(), task.name.clone()));
                let found = unroll(&task.program, &mut store, &encoded);
                shown.entry((found, task.expected)).or_default().push(task.name);
            }
            Err(reason) => {
                let entry = reasons.entry(reason.reason).or_default();
                entry.push(format!("{} ({time:.1?})", task.name));
            }
        }
    }
    times.sort();
    let n_encoded = times.len();
    let quantile = |q: usize| times.get(n_encoded * q / 100).map(|(time, _)| *time);
    println!("{n_encoded} of {n_programs} encoded");
    println!("median {:?}, 90 % within {:?}", quantile(50), quantile(90));
    for (time, what) in times.iter().rev().take(12) {
        println!("  {time:.1?} {what}");
    }
    interval_times.sort();
    println!("interval analysis:");
    for (time, what) in interval_times.iter().rev().take(5) {
        println!("  {time:.1?} {what}");
    }
    for (reason, names) in &reasons {
        println!("{:4} {reason}", names.len());
        names.iter().take(6).for_each(|name| println!("       {name}"));
    }
    for ((what, expected), names) in &shown {
        println!("{:4} {what:?}, expected {expected}", names.len());
        if *what != Shown::Nothing {
            names.iter().take(30).for_each(|name| println!("       {name}"));
        }
    }
    assert!(n_encoded * 2 > n_programs, "only {n_encoded} of {n_programs}");
    assert_eq!(shown.get(&(Shown::Replayed, true)), None, "violations of what is safe");
}

#[test]
fn invariants_are_said_in_the_variables_of_the_source() {
    let text = "
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static unsigned count;
int twice(int limit) {
    int i = 0;
    while (i < limit)
        i = i + 2;
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 100);
    for (int i = 0; i < n; i++)
        count++;
    if (twice(n) > 101 || count > 100) reach_error();
    return 0;
}
";
    let mut job = Job::new(DataModel::Lp64, CppOptions::default());
    let input = Input::Text { name: "loops.c".to_owned(), text: text.as_bytes().to_vec() };
    let Ok(mut program) = job.load_program(&[input], None) else { panic!("it is C") };
    let Some(Specification::Claims(names)) = Specification::from_name("unreach-call") else {
        panic!("it is a property")
    };
    let properties = names.set();
    let options = vergo_passes::Options { properties, ..Default::default() };
    run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {}).unwrap();
    let mut store = TermStore::new();
    let encoded = encode(&program, &mut store, &Options::default()).unwrap();
    let invariants = encoded.interval_invariants(&mut store);
    let mut lines = String::new();
    for (number, (point, &invariant)) in encoded.points.iter().zip(&invariants).enumerate() {
        let line = job.map.presumed(point.span.lo).line;
        let names = encoded.c_names(number);
        let facts = encoded.conjuncts_at(&mut store, invariant, number);
        let texts: Vec<String> = facts
            .iter()
            .filter_map(|&fact| names.print(&store, fact).map(|text| text.text().to_owned()))
            .collect();
        lines.push_str(&format!("line {line}: {}\n", texts.join(" && ")));
    }
    let state: Vec<&str> = encoded.system.state.iter().map(|var| var.name.as_str()).collect();
    lines.push_str(&format!("state: {}\n", state.join(", ")));
    expect_test::expect![[r#"
        line 15: n >= 0 && n <= 100 && i >= 0 && i <= 100
        line 8: limit >= 0 && limit <= 100 && i <= 101 && i >= 0
        state: pc, n, count, i, limit, i
    "#]]
    .assert_eq(&lines);
}
