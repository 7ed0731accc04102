//! The witness index on random programs: what goes wrong in a program goes wrong in the transformed one.

use std::time::Duration;
use vergo_driver::{
    Answer, ArraysRequest, CheckRequest, Ended, EngineId, Input, Job, NondetInputs, PropertyId,
    RunRequest, Specification, check, run, transform_arrays,
};
use vergo_interp::Buffers;
use vergo_testkit::array_programs::{array_program, full_array_program};
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

/// Where the report says exact, an alarm is a violation of the program, and no alarm is a proof.
fn exact_answer(seed: u64, text: &str, answer: &Answer, wrong: bool) {
    match answer {
        Answer::True => assert!(!wrong, "seed {seed}: a violation is lost\n{text}"),
        Answer::False(_) => assert!(
            wrong || goes_wrong(text, 2000),
            "seed {seed}: said to be exact, and an alarm is none\n{text}"
        ),
        Answer::Unknown(why) => panic!("seed {seed}: said to be exact, and {why}\n{text}"),
    }
}

#[test]
fn what_is_said_to_be_exact_is() {
    let n_programs = if slow() { 1000 } else { 40 };
    let (mut n_exact, mut n_true) = (0, 0);
    for seed in 0..n_programs {
        let text = full_array_program(seed);
        let (answer, exact) = transformed(&text);
        if exact {
            exact_answer(seed, &text, &answer, goes_wrong(&text, 8));
            n_exact += 1;
            n_true += usize::from(answer == Answer::True);
        }
    }
    assert!(n_exact * 10 > n_programs as usize * 9, "{n_exact} of {n_programs} are exact");
    assert!(n_true > 0 && n_true < n_exact, "{n_true} of {n_exact} hold");
}

/// The programs of table 3, from what the paper says of them, each with a twin that goes wrong.
#[test]
fn table_3() {
    const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
        extern void *malloc(unsigned long);
        extern void reach_error(void);
        void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }";
    let programs = [
        ("motivatingExample", "struct S { unsigned int p, q; } a[100000]; int i, k;
            int main(void) {
              for (i = 0; i < 100000; i++) { k = i; a[i].p = k; a[i].q = k * k; }
              for (i = 0; i < 100000; i++) { __VERIFIER_assert(a[i].q == a[i].p * a[i].p@); }
              return 0; }", " + 1"),
        ("Relation_Mem", "int a[100000], b[100000];
            int main(void) { int i;
              for (i = 0; i < 100000; i++) { a[i] = __VERIFIER_nondet_int() & 255; }
              for (i = 0; i < 100000; i++) { b[i] = a[i] + 1; }
              for (i = 0; i < 100000; i++) { __VERIFIER_assert(b[i] > a[i]@); }
              return 0; }", " + 1"),
        ("break_safe", "int a[100000];
            int main(void) { int i;
              for (i = 0; i < 100000; i++) { a[i] = 1@; }
              for (i = 0; i < 100000; i++) { if (a[i] == 2) break; __VERIFIER_assert(a[i] == 1); }
              return 0; }", " + 2 * (i == 9)"),
        ("Nested_Struct", "struct T { int x, y; }; struct S { struct T t; int n; } a[100000];
            int main(void) { int i;
              for (i = 0; i < 100000; i++) { a[i].n = __VERIFIER_nondet_int() & 15; a[i].t.x = a[i].n; a[i].t.y = 2 * a[i].n; }
              for (i = 0; i < 100000; i++) { __VERIFIER_assert(a[i].t.y == a[i].t.x + a[i].n@); }
              return 0; }", " - 1"),
        ("heap", "int main(void) { int i, n = __VERIFIER_nondet_int() & 65535; int *a = malloc(n * sizeof(int));
              for (i = 0; i < n; i++) { a[i] = i; }
              for (i = 0; i < n; i++) { __VERIFIER_assert(a[i] == i@); }
              return 0; }", " + (i == 7)"),
        ("partial_lesser_bound", "int a[100000];
            int main(void) { int i;
              for (i = 0; i < 50000; i++) { a[i] = 10; }
              for (i = 0; i < 50000@; i++) { __VERIFIER_assert(a[i] == 10); }
              return 0; }", " + 1"),
    ];
    for (name, text, mistake) in programs {
        let program = |insert: &str| format!("{HEAD}\n{}", text.replace('@', insert));
        let (answer, _) = transformed(&program(""));
        assert_eq!(answer, Answer::True, "{name}");
        let (answer, _) = transformed(&program(mistake));
        assert!(matches!(answer, Answer::False(_)), "{name} with a mistake: {answer:?}");
    }
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
        if exact {
            exact_answer(seed, &text, &answer, wrong);
        }
    }
    // The generator makes both kinds, and most are decided.
    assert!(n_wrong > n_programs as usize / 10 && n_safe > 0, "{n_wrong} {n_safe}");
    assert!(n_unknown < n_programs as usize / 10, "{n_unknown} of {n_programs} unknown");
}
