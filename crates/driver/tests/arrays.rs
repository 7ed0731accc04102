//! The witness index on random programs: what goes wrong in a program goes wrong in the transformed one.

#![allow(clippy::print_stderr, reason = "long tests say how far they are")]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use vergo_driver::{
    Answer, ArraysRefinement, ArraysRequest, ArraysSettings, CheckRequest, DataModel, Ended,
    EngineId, Input, Job, NondetInputs, PropertyId, Refined, RunRequest, Specification, check,
    refine_arrays, run, transform_arrays,
};
use vergo_interp::Buffers;
use vergo_testkit::array_programs::{array_program, full_array_program};
use vergo_testkit::environment::{shared_or_skip, slow};
use vergo_testkit::host_c::HostC;

fn source(text: &str) -> Input {
    Input::Text { name: "program.c".to_owned(), text: text.as_bytes().to_vec() }
}

/// Returns whether the interpreter finds a violation with some inputs.
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
fn transformed(text: &str, refined: bool) -> (Answer, bool) {
    let mut job = Job::default();
    let refinement = if refined { ArraysRefinement::Ends } else { ArraysRefinement::None };
    let settings = ArraysSettings { refinement, ..ArraysSettings::default() };
    let result = transform_arrays(&mut job, &source(text), ArraysRequest { settings });
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
    let n_programs = if slow() { 5000 } else { 40 };
    let (mut n_exact, mut n_true) = (0, 0);
    for seed in 0..n_programs {
        let text = full_array_program(seed);
        let (answer, exact) = transformed(&text, false);
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
        let (answer, _) = transformed(&program(""), false);
        assert_eq!(answer, Answer::True, "{name}");
        let (answer, _) = transformed(&program(mistake), false);
        assert!(matches!(answer, Answer::False(_)), "{name} with a mistake: {answer:?}");
    }
}

/// The verdict of the engine that follows the abstraction and decides the program.
fn by_witness_index(text: &str) -> Answer {
    let request = CheckRequest {
        specification: Specification::from_name("unreach-call").expect("a property"),
        engine: EngineId::WitnessIndex,
        timeout: Some(Duration::from_secs(240)),
        ..CheckRequest::default()
    };
    let report = check(&mut Job::default(), &[source(text)], &request, &|_| {});
    report.unwrap_or_else(|_| panic!("not a program:\n{text}")).answer
}

#[test]
fn engine_decides_the_program_itself() {
    let program = |claim: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
             int a[10000], b[10000];
             int main(void) {{
               int i;
               for (i = 0; i < 10000; i++) {{ a[i] = __VERIFIER_nondet_int(); }}
               for (i = 0; i < 10000; i++) {{ b[i] = a[i]; }}
               for (i = 0; i < 10000; i++) {{ if ({claim}) reach_error(); }}
               return 0;
             }}"
        )
    };
    // The value is one that no simple input has.
    let answer = by_witness_index(&program("b[i] == 123456789"));
    assert!(matches!(answer, Answer::False(_)), "{answer:?}");
    assert_eq!(by_witness_index(&program("b[i] != a[i]")), Answer::True);
    // An alarm of the abstraction that is none of the program: the sum of all elements is not followed there.
    let sum = "extern void reach_error(void); int a[1000];
        int main(void) { int i, s = 0; for (i = 0; i < 1000; i++) { a[i] = 2; s = s + a[i]; }
        if (s != 2000) reach_error(); return 0; }";
    let answer = by_witness_index(sum);
    assert!(!matches!(answer, Answer::False(_)), "{answer:?}");
    let nothing = "int main(void) { return 0; }";
    assert_eq!(by_witness_index(nothing), Answer::True, "there is nothing to show");
}

/// The arrays of a program by name.
fn arrays_of(job: &mut Job, input: &Input) -> BTreeSet<String> {
    let unit = job.analyze(input).unwrap_or_else(|_| panic!("{} is no program", input.name()));
    let arrays = unit.vars.values().filter(|var| unit.types.is_array(var.ty));
    arrays.filter_map(|var| Some(unit.names.name(var.name?).to_owned())).collect()
}

/// What the host's compiler warns of, each once.
fn warnings(text: &[u8]) -> Option<BTreeSet<String>> {
    let said = HostC::find()?.check(text, &["-Wall", "-Wextra"]).expect("the compiler starts");
    let said = said.stderr_text();
    let messages = ["warning: ", "error: "].into_iter().flat_map(|kind| {
        said.lines().filter_map(move |line| Some(line[line.find(kind)?..].to_owned()))
    });
    Some(messages.collect())
}

/// All public programs with loops over arrays are transformed in a second, without an abstracted array or a loop over one, and
/// compile without new warnings; and none that goes wrong is proved.
#[test]
fn public_programs() {
    let Some(shared) = shared_or_skip("public programs with arrays") else { return };
    let folder = shared.join("arrays");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).expect("a manifest");
    let mut n_programs = 0;
    for line in manifest.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [file, _, expected, ..] = cells.as_slice() else { continue };
        let input = Input::File(folder.join(file));
        let new_job = || Job::new(DataModel::Ilp32, Default::default());
        let start = Instant::now();
        let result = transform_arrays(&mut new_job(), &input, ArraysRequest::default());
        let result = result.unwrap_or_else(|_| panic!("{file} is not transformed"));
        // What others do on the machine takes time, too.
        assert!(start.elapsed() < Duration::from_secs(5), "{file} takes {:?}", start.elapsed());
        let before = std::fs::read(folder.join(file)).expect("a program");
        if let (Some(before), Some(after)) = (warnings(&before), warnings(&result.text)) {
            let new: Vec<&String> = after.difference(&before).collect();
            assert!(new.is_empty(), "{file}: {new:?}");
        }
        let text = String::from_utf8(result.text.clone()).expect("text");
        let left = arrays_of(&mut new_job(), &source(&text));
        for (_, name, why_kept) in &result.report.arrays {
            let is_kept = result.report.arrays.iter().any(|(_, n, why)| n == name && why.is_some());
            assert!(
                is_kept || why_kept.is_some() || !left.contains(name),
                "{file}: `{name}` is left"
            );
        }
        let kept = result.report.loops.iter().any(|l| l.rule == "kept" && l.over_arrays);
        assert!(!kept, "{file} keeps a loop over an abstracted array");
        n_programs += 1;
        if *expected == "false" {
            let request = CheckRequest {
                specification: Specification::from_name("unreach-call").expect("a property"),
                engine: EngineId::Bmc,
                timeout: Some(Duration::from_secs(10)),
                ..CheckRequest::default()
            };
            let report = check(&mut new_job(), &[source(&text)], &request, &|_| {});
            let report = report.unwrap_or_else(|_| panic!("{file}: the result is no program"));
            assert_ne!(report.answer, Answer::True, "{file}: a violation is lost");
        }
    }
    assert!(n_programs > 0, "the manifest is empty");
}

/// The size of an array is a number in the result and nothing else; `cargo xtask bench arrays` measures the time.
#[test]
fn results_are_as_large_for_large_arrays() {
    let program = |size: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
             int a[{size}], b[{size}];
             int main(void) {{
               int i;
               for (i = 0; i < {size}; i++) {{ a[i] = __VERIFIER_nondet_int(); }}
               for (i = 0; i < {size}; i++) {{ b[i] = a[i]; }}
               for (i = 0; i < {size}; i++) {{ if (b[i] != a[i]) reach_error(); }}
               return 0;
             }}"
        )
    };
    let results: Vec<String> = ["10", "1000", "100000", "1000000"]
        .into_iter()
        .map(|size| {
            let text = program(size);
            assert_eq!(transformed(&text, false).0, Answer::True, "{size} elements");
            let input = source(&text);
            let result = transform_arrays(&mut Job::default(), &input, ArraysRequest::default());
            let result = result.unwrap_or_else(|_| panic!("{text} is not transformed"));
            String::from_utf8(result.text).expect("text").replace(size, "SIZE")
        })
        .collect();
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
}

/// Chains of loops, counters that move together, and arrays of two dimensions: what claims need is found backwards, whatever
/// the size.
#[test]
fn claims_are_proved_backwards() {
    let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }";
    let programs = [
        ("int a[100000], b[100000], c[100000], d[100000];
          int main(void) { int i;
            for (i = 0; i < 100000; i++) { a[i] = __VERIFIER_nondet_int(); }
            for (i = 0; i < 100000; i++) { b[i] = a[i]; }
            for (i = 0; i < 100000; i++) { c[i] = b[i]@; }
            for (i = 0; i < 100000; i++) { d[i] = c[i]; }
            for (i = 0; i < 100000; i++) { __VERIFIER_assert(d[i] == a[i]); }
            return 0; }", " + (i == 3)"),
        ("int a[100000], b[100000];
          int main(void) { int i = 0, j = 0;
            while (i < 100000) { b[i] = __VERIFIER_nondet_int(); i = i + 1; }
            i = 1;
            while (i < 100000) { a[j] = b[i]@; i = i + 4; j = j + 1; }
            i = 1; j = 0;
            while (i < 100000) { __VERIFIER_assert(a[j] == b[4 * j + 1]); i = i + 4; j = j + 1; }
            return 0; }", " + (j == 2)"),
        ("int main(void) { int i, j, n = 1000; int a[n][n], b[n][n];
            for (i = 0; i < n; i++) { for (j = 0; j < n; j++) { a[i][j] = __VERIFIER_nondet_int(); } }
            for (i = 0; i < n; i++) { for (j = 0; j < n; j++) { b[i][j] = a[i][j]@; } }
            for (i = 0; i < n; i++) { for (j = 0; j < n; j++) { __VERIFIER_assert(a[i][j] == b[i][j]); } }
            return 0; }", " + (j == 2)"),
    ];
    for (text, mistake) in programs {
        let program = |insert: &str| format!("{head}\n{}", text.replace('@', insert));
        assert_eq!(by_witness_index(&program("")), Answer::True, "{text}");
        let answer = by_witness_index(&program(mistake));
        assert!(matches!(answer, Answer::False(_)), "{answer:?} with a mistake in {text}");
    }
}

/// Elements outside of loops, and flags, get witnesses of their own.
#[test]
fn refinement() {
    let programs = [
        (false, "int main(void) { int a[100000], i = 0, marker = __VERIFIER_nondet_int(), pos = __VERIFIER_nondet_int();
            if (pos < 0 || pos >= 100000) return 0;
            a[pos] = marker;
            while (a[i] != marker) { i = i + 1; }
            __VERIFIER_assert(i <= pos@);
            return 0; }", " - 1"),
        (false, "int a[100000], b[100000];
            int main(void) { int i, f = 1;
            for (i = 0; i < 100000; i++) { a[i] = __VERIFIER_nondet_int(); if (a[i] >= 0@) b[i] = 1; else b[i] = 0; }
            for (i = 0; i < 100000; i++) { if (a[i] >= 0 && !b[i]) f = 0; if (a[i] < 0 && b[i]) f = 0; }
            __VERIFIER_assert(f);
            return 0; }", " && i != 77"),
        (true, "int a[100000];
            int main(void) { int i = 0, x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), f = 1;
            while (i < 100000) { a[i] = 1; i = i + 1; }
            if (x < 0 || x >= 100000 || y < 0 || y >= 100000) return 0;
            a[x] = 5; i = 0;
            while (i < 100000) { if (a[i] != 1 && i != x) f = 0; i = i + 1; }
            __VERIFIER_assert(a[x] == 5 && f == 1@);
            return 0; }", " && a[y] == 1"),
    ];
    check_twins(&programs);
}

/// The first and the last iteration of a loop are kept in the end.
#[test]
fn ends_of_loops() {
    check_twins(&[
        (
            true,
            "int a[100000];
            int main(void) { int i, first = 0, last = 0;
            for (i = 0; i < 100000; i++) {
                if (i == 0) first = 5; if (i == 99999@) last = 7; a[i] = 1; }
            for (i = 0; i < 100000; i++) { __VERIFIER_assert(a[i] == 1 && first == 5 && last == 7); }
            return 0; }",
            " + 1",
        ),
        (
            true,
            "int a[100000];
            int main(void) { int i = 0, last = 0;
            do { a[i] = 1; if (i == 99999) last = 7; i = i + 1; } while (i < 100000@);
            for (i = 0; i < 99999; i++) { __VERIFIER_assert(a[i] == 1 && last == 7); }
            return 0; }",
            " - 1",
        ),
    ]);
}

/// An alarm that is none of the program is refined until it is gone; one that is real is told.
#[test]
fn refinement_goes_on_until_an_alarm_is_real() {
    let refined = |text: &str| {
        let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }";
        let request = ArraysRequest::default();
        let input = source(&format!("{head}\n{text}"));
        let time = Duration::from_secs(120);
        let result = refine_arrays(&mut Job::default(), &input, request, time);
        let (result, outcome) = result.unwrap_or_else(|_| panic!("not transformed: {text}"));
        (result.report.refinement, outcome)
    };
    let filled = |mistake: &str| {
        format!(
            "int a[100000]; int main(void) {{ int i;
            for (i = 0; i < 100000; i++) {{ a[i] = 1{mistake}; }}
            for (i = 0; i < 100000; i++) {{ __VERIFIER_assert(a[i] == 1); }}
            return 0; }}"
        )
    };
    let (refinement, outcome) = refined(&filled(""));
    assert_eq!(refinement, ArraysRefinement::None);
    assert!(matches!(outcome, Refined::NoAlarm(0)), "{outcome:?}");
    let (refinement, outcome) = refined(&filled(" + (i == 77)"));
    assert_eq!(refinement, ArraysRefinement::None);
    assert!(matches!(outcome, Refined::Real(0, _)), "{outcome:?}");
    let ends = |number: u32| {
        format!(
            "int a[1000]; int main(void) {{ int i, s = 0;
            for (i = 0; i < 1000; i++) {{ if (i == 0) s = 5; a[i] = 1; }}
            for (i = 0; i < 1000; i++) {{ __VERIFIER_assert(a[i] == 1 && s == {number}); }}
            return 0; }}"
        )
    };
    let (refinement, outcome) = refined(&ends(5));
    assert_eq!(refinement, ArraysRefinement::Ends);
    assert!(matches!(outcome, Refined::NoAlarm(_)), "{outcome:?}");
    let (_, outcome) = refined(&ends(4));
    assert!(matches!(outcome, Refined::Real(..)), "{outcome:?}");
    // A sum is followed by no refinement.
    let (refinement, outcome) = refined(
        "int a[1000]; int main(void) { int i, s = 0;
        for (i = 0; i < 1000; i++) { a[i] = 2; s = s + a[i]; }
        __VERIFIER_assert(s == 2000); return 0; }",
    );
    assert_eq!(refinement, ArraysRefinement::None);
    assert!(matches!(outcome, Refined::Open), "{outcome:?}");
}

/// Pointers that are copied and compared, but nothing else, are elements as numbers are; structures without tags, too.
#[test]
fn pointers_as_elements() {
    check_twins(&[
        (
            false,
            "extern void *malloc(unsigned long); int *a[100000];
            int main(void) { int i;
            for (i = 0; i < 100000; i++) { a[i] = 0; }
            for (i = 0; i < 50000; i++) { a[i] = malloc(sizeof(int)); }
            for (i = 0; i < 50000@; i++) { __VERIFIER_assert(a[i] != 0); }
            return 0; }",
            " + 1",
        ),
        (
            false,
            "typedef struct { int k; int *p; } S; int x, y;
            int main(void) { int i; S a[100000];
            for (i = 0; i < 100000; i++) { a[i].k = i & 1; a[i].p = a[i].k ? &x : &y@; }
            for (i = 0; i < 100000; i++) { __VERIFIER_assert(a[i].p == (a[i].k ? &x : &y)); }
            return 0; }",
            " + (i == 8)",
        ),
    ]);
    // Who writes through such a pointer changes something, so that the elements are kept.
    let written = source(
        "int *a[100], x; int main(void) { int i; for (i = 0; i < 100; i++) a[i] = &x; *a[7] = 1; return x; }",
    );
    let result = transform_arrays(&mut Job::default(), &written, ArraysRequest::default());
    let report = result.unwrap_or_else(|_| panic!("not transformed")).report;
    assert!(report.arrays.iter().all(|(_, _, kept)| kept.is_some()), "{:?}", report.arrays);
}

/// Programs that hold, and go wrong with a mistake in them.
fn check_twins(programs: &[(bool, &str, &str)]) {
    for &(refined, text, mistake) in programs {
        let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }";
        let program = |insert: &str| format!("{head}\n{}", text.replace('@', insert));
        let (answer, _) = transformed(&program(""), refined);
        assert_eq!(answer, Answer::True, "{text}");
        let (answer, _) = transformed(&program(mistake), refined);
        assert!(matches!(answer, Answer::False(_)), "{answer:?} with a mistake in {text}");
    }
}

#[test]
fn no_violation_is_lost() {
    let n_programs = if slow() { 5000 } else { 200 };
    let (mut n_wrong, mut n_safe, mut n_unknown) = (0, 0, 0);
    for seed in 0..n_programs {
        if seed > 0 && seed % 500 == 0 {
            eprintln!(
                "{seed} programs, {n_wrong} go wrong, {n_safe} are proved, {n_unknown} unknown"
            );
        }
        let text = array_program(seed);
        let wrong = goes_wrong(&text, 8);
        let (answer, exact) = transformed(&text, seed % if slow() { 2 } else { 8 } == 1);
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
