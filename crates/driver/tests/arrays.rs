//! The witness index on random programs: what goes wrong in a program goes wrong in the transformed one.

use std::time::Duration;
use vergo_driver::{
    Answer, ArraysRequest, CheckRequest, Ended, EngineId, Input, Job, NondetInputs, PropertyId,
    RunRequest, Specification, check, run, transform_arrays,
};
use vergo_interp::Buffers;
use vergo_testkit::array_programs::array_program;
use vergo_testkit::environment::slow;

fn source(text: &str) -> Input {
    Input::Text { name: "program.c".to_owned(), text: text.as_bytes().to_vec() }
}

/// Whether the interpreter finds a violation with some inputs.
fn goes_wrong(text: &str, n_seeds: u64) -> bool {
    (0..n_seeds).any(|seed| {
        let inputs = if seed == 0 { NondetInputs::Zero } else { NondetInputs::Seed(seed) };
        let request = RunRequest {
            inputs,
            properties: Some(
                [PropertyId::ReachError, PropertyId::UserAssert].into_iter().collect(),
            ),
            steps: Some(100_000),
            ..RunRequest::default()
        };
        let mut job = Job::default();
        let ended =
            run(&mut job, &[source(text)], &request, Box::new(Buffers::default()), &mut |_| {});
        ended.unwrap_or_else(|_| panic!("not a program:\n{text}")) == Ended::Violation
    })
}

/// The verdict on the transformed program, and whether it is said to be exact.
fn transformed(text: &str) -> (Answer, bool) {
    let mut job = Job::default();
    let result = transform_arrays(&mut job, &source(text), ArraysRequest::default());
    let Ok(result) = result else {
        let said: Vec<String> = job.diagnostics.iter().map(|d| d.message.clone()).collect();
        panic!("not transformed: {said:?}\n{text}");
    };
    let new = String::from_utf8(result.text).expect("text");
    let request = CheckRequest {
        specification: Specification::from_name("unreach-call").expect("a property"),
        engine: EngineId::Bmc,
        timeout: Some(Duration::from_secs(60)),
        ..CheckRequest::default()
    };
    let mut job = Job::default();
    let report = check(&mut job, &[source(&new)], &request, &|_| {});
    let report = report.unwrap_or_else(|_| panic!("the result is not a program:\n{text}\n{new}"));
    (report.answer, result.report.is_exact())
}

#[test]
fn no_violation_is_lost() {
    let n_programs = if slow() { 5000 } else { 200 };
    let (mut n_wrong, mut n_safe, mut n_unknown) = (0, 0, 0);
    for seed in 0..n_programs {
        let text = array_program(seed);
        let wrong = goes_wrong(&text, 8);
        let (answer, exact) = transformed(&text);
        match answer {
            Answer::True if wrong => panic!("seed {seed}: a violation is lost\n{text}"),
            Answer::True => n_safe += 1,
            Answer::False(_) => n_wrong += usize::from(wrong),
            Answer::Unknown(_) => n_unknown += 1,
        }
        if exact && !wrong {
            assert!(
                !matches!(answer, Answer::False(_)) || goes_wrong(&text, 200),
                "seed {seed}: said to be exact\n{text}"
            );
        }
    }
    // The generator makes both kinds, and most are decided.
    assert!(n_wrong > n_programs as usize / 10 && n_safe > 0, "{n_wrong} {n_safe}");
    assert!(n_unknown < n_programs as usize / 10, "{n_unknown} of {n_programs} unknown");
}
