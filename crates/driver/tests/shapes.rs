//! Lists of any length and buffers of unknown length on random programs: what goes wrong in an execution is never proved.

use std::time::Duration;
use vergo_driver::{
    Answer, CheckRequest, Ended, EngineId, Input, Job, NondetInputs, PropertyId, PropertySet,
    RunRequest, Specification, check, run,
};
use vergo_interp::Buffers;
use vergo_testkit::buffer_programs::buffer_program;
use vergo_testkit::environment::slow;
use vergo_testkit::list_programs::list_program;

fn source(text: &str) -> Input {
    Input::Text { name: "program.c".to_owned(), text: text.as_bytes().to_vec() }
}

fn properties(specification: &Specification) -> PropertySet {
    match specification {
        Specification::Claims(properties) => properties.set(),
        Specification::Other(what) => panic!("{what} is no claim"),
    }
}

/// Returns whether the interpreter finds a violation with some inputs.
fn goes_wrong(text: &str, properties: PropertySet, n_seeds: u64) -> bool {
    (0..n_seeds).any(|seed| {
        let inputs = if seed == 0 { NondetInputs::Zero } else { NondetInputs::Seed(seed) };
        let steps = Some(20_000);
        let request =
            RunRequest { inputs, properties: Some(properties), steps, ..RunRequest::default() };
        let mut job = Job::default();
        let ended =
            run(&mut job, &[source(text)], &request, Box::new(Buffers::default()), &mut |_| {});
        ended.unwrap_or_else(|_| panic!("not a program:\n{text}")) == Ended::Violation
    })
}

fn answer(text: &str, specification: Specification, seconds: u64) -> Answer {
    let request = CheckRequest {
        specification,
        engine: EngineId::Shapes,
        timeout: Some(Duration::from_secs(seconds)),
        ..CheckRequest::default()
    };
    let mut job = Job::default();
    let report = check(&mut job, &[source(text)], &request, &|_| {});
    report.unwrap_or_else(|_| panic!("not a program:\n{text}")).answer
}

/// Counts the questions about programs: those that go wrong, those that do not, and those that are proved.
fn counts(
    n_programs: u64,
    program: impl Fn(u64) -> String,
    names: &[&str],
    seconds: u64,
) -> [usize; 3] {
    let (mut n_wrong, mut n_safe, mut n_proved) = (0, 0, 0);
    for seed in 0..n_programs {
        let text = program(seed);
        let safety = Specification::from_name("valid-memsafety").expect("a property");
        // Where that happens, what else happens has no meaning.
        let undefined = properties(&safety).without(PropertyId::MemoryLeak);
        let is_undefined = goes_wrong(&text, undefined, 12);
        for &name in names {
            let specification = Specification::from_name(name).expect("a property");
            if is_undefined && name != "valid-memsafety" {
                continue;
            }
            let wrong = goes_wrong(&text, properties(&specification), 12);
            (n_wrong, n_safe) = (n_wrong + usize::from(wrong), n_safe + usize::from(!wrong));
            match answer(&text, specification, seconds) {
                Answer::True if wrong => {
                    panic!("seed {seed}: {name} is violated and proved\n{text}")
                }
                Answer::True => n_proved += 1,
                Answer::False(_) => {
                    panic!("seed {seed}: {name}: shapes find no violations\n{text}")
                }
                Answer::Unknown(why) => {
                    let why = why.to_string();
                    let is_fault = why.contains("internal error") || why.contains("be checked");
                    assert!(!is_fault, "seed {seed}: {name}: {why}\n{text}");
                }
            }
        }
    }
    [n_wrong, n_safe, n_proved]
}

#[test]
fn what_goes_wrong_with_lists_is_not_proved() {
    let n_programs = if slow() { 5000 } else { 150 };
    let names = ["valid-memsafety", "unreach-call", "valid-memcleanup"];
    let [n_wrong, n_safe, n_proved] = counts(n_programs, list_program, &names, 20);
    assert!(n_wrong * 20 > n_safe, "{n_wrong} of {} go wrong", n_wrong + n_safe);
    assert!(n_proved * 2 > n_safe, "{n_proved} of {n_safe} are proved");
}

#[test]
fn what_goes_wrong_with_buffers_is_not_proved() {
    let n_programs = if slow() { 5000 } else { 50 };
    let names = ["valid-memsafety", "unreach-call"];
    let [n_wrong, n_safe, n_proved] = counts(n_programs, buffer_program, &names, 3);
    // Few inputs at random get to where a buffer ends, and a busy machine proves less in the time.
    assert!(n_wrong * 50 > n_safe, "{n_wrong} of {} go wrong", n_wrong + n_safe);
    assert!(n_proved * 10 > n_safe, "{n_proved} of {n_safe} are proved");
}
