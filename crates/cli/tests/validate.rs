//! `vergo validate` from outside: witnesses that are right and their wrong twins, witnesses that are none, and that
//! every witness that `vergo check` writes is confirmed.

mod tool;

use std::path::{Path, PathBuf};

use vergo_testkit::environment::slow;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::Finished;

fn vergo(arguments: &[&str], folder: &Path) -> Finished {
    tool::vergo(folder, arguments, b"")
}

/// The last two lines: what became of the witness, and the verdict.
fn answer(finished: &Finished) -> (String, String) {
    let out = finished.stdout_text();
    let mut lines = out.lines().rev();
    let result = lines.next().unwrap_or_default().to_owned();
    (lines.next().unwrap_or_default().to_owned(), result)
}

const LOOP: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned i = 0, twice = 0;
    while (i < 1000000) {
        i++;
        twice += 2;
    }
    if (twice != 2000000)
        reach_error();
    return 0;
}
";

const ERROR: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int choose(int x) { return x > 10 ? x : 0; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = choose(__VERIFIER_nondet_int());
    if (a == 7) {
        switch (b) {
        case 0:
            return 1;
        case 77:
            reach_error();
        }
    }
    if (b == 5)
        reach_error();
    return 0;
}
";

/// A witness for `program.c` with a content.
fn witness(entry_type: &str, content: &str) -> String {
    let hash = "0".repeat(64);
    format!(
        "- entry_type: {entry_type}
  metadata:
    format_version: '2.0'
    uuid: 91023a0f-9f45-4385-88c4-1152ade45537
    creation_time: '2024-05-05T13:18:43Z'
    producer: {{name: somebody, version: '1'}}
    task:
      input_files: [program.c]
      input_file_hashes: {{program.c: '{hash}'}}
      specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )'
      data_model: LP64
      language: C
  content:
{content}"
    )
}

fn invariant(kind: &str, line: u32, value: &str) -> String {
    format!(
        "  - invariant: {{type: {kind}, location: {{file_name: program.c, line: {line}}}, value: \"{value}\", format: \
         c_expression}}\n"
    )
}

fn waypoint(kind: &str, action: &str, (line, column): (u32, u32), value: Option<&str>) -> String {
    let constraint = match (value, kind) {
        (None, _) => String::new(),
        (Some(value), "branching") => format!("constraint: {{value: '{value}'}}, "),
        (Some(value), "function_return") => {
            format!("constraint: {{value: '{value}', format: acsl_expression}}, ")
        }
        (Some(value), _) => format!("constraint: {{value: '{value}', format: c_expression}}, "),
    };
    format!(
        "    - waypoint: {{type: {kind}, action: {action}, {constraint}location: {{file_name: program.c, line: {line}, \
         column: {column}}}}}\n"
    )
}

fn segments(parts: &[&[String]]) -> String {
    parts.iter().map(|part| format!("  - segment:\n{}", part.concat())).collect()
}

fn validated(program: &str, text: &str) -> Finished {
    let folder = Scratch::new("validate").unwrap();
    folder.write("program.c", program).unwrap();
    folder.write("witness.yml", text).unwrap();
    vergo(&["validate", "--timeout", "60", "program.c", "witness.yml"], folder.folder())
}

#[test]
fn invariants_that_hold_prove_the_property() {
    let text = witness(
        "invariant_set",
        &[
            invariant("loop_invariant", 5, "i <= 1000000 && twice == 2 * i"),
            invariant("location_invariant", 9, "i == 1000000u"),
        ]
        .concat(),
    );
    let finished = validated(LOOP, &text);
    let lines = answer(&finished);
    assert_eq!(lines, ("WITNESS: confirmed".to_owned(), "RESULT: true".to_owned()), "{finished:?}");
    assert_eq!(finished.code(), Some(0));
    // The hash is another file's.
    assert!(finished.stderr_text().contains("D0051"), "{finished:?}");
}

#[test]
fn invariants_that_do_not_hold_are_rejected_with_their_place() {
    for (kind, line, value) in [
        ("loop_invariant", 5, "i < 3"),
        ("loop_invariant", 5, "i <= 1000000 && twice == 3 * i"),
        ("location_invariant", 6, "twice != 4"),
    ] {
        let text = witness("invariant_set", &invariant(kind, line, value));
        let finished = validated(LOOP, &text);
        let (fate, result) = answer(&finished);
        assert!(fate.starts_with("WITNESS: rejected"), "{finished:?}");
        assert!(fate.contains(value) && fate.contains(&format!("program.c:{line}")), "{fate}");
        assert!(result.starts_with("RESULT: unknown(the witness is rejected"), "{result}");
        assert_eq!(finished.code(), Some(20));
        assert!(finished.stderr_text().contains("D0054"), "{finished:?}");
    }
}

#[test]
fn a_wrong_program_is_not_proved_by_any_invariant() {
    let text = witness("invariant_set", &invariant("location_invariant", 7, "1"));
    let finished = validated(ERROR, &text);
    let (fate, result) = answer(&finished);
    assert!(fate.starts_with("WITNESS: rejected"), "{finished:?}");
    assert_eq!(result, "RESULT: false(unreach-call)");
    assert_eq!(finished.code(), Some(10));
}

#[test]
fn evaluating_an_invariant_is_no_claim_about_the_program() {
    let program = LOOP.replace("unsigned i", "int i").replace("unsigned", "int");
    let program = program.replace("twice != 2000000", "0");
    let text = |value: &str| {
        witness("invariant_set", &invariant("loop_invariant", 5, value))
            .replace("G ! call(reach_error())", "G ! overflow")
    };
    let finished = validated(&program, &text("i <= 1000000 && i >= 0 && twice == 2 * i"));
    assert_eq!(answer(&finished).1, "RESULT: true", "{finished:?}");
    let finished = validated(&program, &text("i * 1000000 >= i || 1"));
    assert!(answer(&finished).0.starts_with("WITNESS: rejected"), "{finished:?}");
}

#[test]
fn violations_are_followed_to_their_target() {
    let follow = |kind, place, value| waypoint(kind, "follow", place, value);
    let a = follow("function_return", (5, 35), Some("\\result == 7"));
    let target = follow("target", (12, 13), None);
    let good: &[&[&[String]]] = &[
        &[std::slice::from_ref(&target)],
        &[
            std::slice::from_ref(&a),
            &[follow("function_return", (6, 42), Some("\\result == 77"))],
            std::slice::from_ref(&target),
        ],
        &[
            &[follow("assumption", (7, 5), Some("b > 70"))],
            &[follow("branching", (7, 5), Some("true"))],
            &[follow("branching", (8, 9), Some("77"))],
            std::slice::from_ref(&target),
        ],
        &[
            &[follow("function_enter", (6, 43), None)],
            &[
                waypoint("assumption", "avoid", (7, 5), Some("a != 7")),
                follow("branching", (7, 5), Some("true")),
            ],
            std::slice::from_ref(&target),
        ],
    ];
    for parts in good {
        let text = witness("violation_sequence", &segments(parts));
        let finished = validated(ERROR, &text);
        let lines = answer(&finished);
        let expected = ("WITNESS: confirmed".to_owned(), "RESULT: false(unreach-call)".to_owned());
        assert_eq!(lines, expected, "{text}\n{finished:?}");
        assert_eq!(finished.code(), Some(10));
    }
    // The same with something that no execution does.
    let bad: &[&[&[String]]] = &[
        &[
            &[follow("function_return", (5, 35), Some("\\result == 8"))],
            std::slice::from_ref(&target),
        ],
        &[&[follow("branching", (7, 5), Some("false"))], std::slice::from_ref(&target)],
        &[&[follow("branching", (8, 9), Some("0"))], std::slice::from_ref(&target)],
        &[&[waypoint("assumption", "avoid", (7, 5), Some("a == 7")), target.clone()]],
        // Another call, which is not reached.
        &[&[follow("target", (16, 9), None)]],
    ];
    for parts in bad {
        let text = witness("violation_sequence", &segments(parts));
        let finished = validated(ERROR, &text);
        let (fate, result) = answer(&finished);
        assert!(fate.starts_with("WITNESS: rejected"), "{text}\n{finished:?}");
        assert!(result.starts_with("RESULT: unknown"), "{result}");
        assert_eq!(finished.code(), Some(20));
    }
}

#[test]
fn a_violation_of_a_safe_program_is_refuted() {
    let target = waypoint("target", "follow", (10, 9), None);
    let safe =
        LOOP.replace("1000000", "10").replace("2000000", "20").replace("!= 20000000", "!= 20");
    let text = witness("violation_sequence", &segments(&[&[target]]));
    let finished = validated(&safe, &text);
    let (fate, result) = answer(&finished);
    assert!(fate.starts_with("WITNESS: rejected"), "{finished:?}");
    assert_eq!(result, "RESULT: true");
}

#[test]
fn what_is_no_witness_has_status_2_and_a_message() {
    let good = witness("invariant_set", &invariant("loop_invariant", 5, "1"));
    for (text, said) in [
        ("- entry_type: [\n".to_owned(), "line"),
        (good.replace("uuid: 9", "uuid: x"), "[0].metadata.uuid"),
        (good.replace("line: 5", "line: 1"), "program.c:1"),
        (good.replace("value: \"1\"", "value: \"nowhere > 1\""), "nowhere"),
        (good.replace("value: \"1\"", "value: \"i = 3\""), "assignment"),
        (good.replace("value: \"1\"", "value: \"main()\""), "call"),
        (good.replace("value: \"1\"", "value: \"1); reach_error(); (1\""), "bracket"),
        (good.replace("value: \"1\"", "value: \"i <\""), "i <"),
        (good.replace("G ! call(reach_error())", "G nonsense"), "nonsense"),
        ("<?xml version=\"1.0\"?><graphml/>".to_owned(), "GraphML"),
        (String::new(), "witness"),
    ] {
        let finished = validated(LOOP, &text);
        assert_eq!(finished.code(), Some(2), "{text}\n{finished:?}");
        assert!(finished.stderr_text().contains(said), "{said}: {finished:?}");
        assert!(!finished.stdout_text().contains("RESULT"), "{finished:?}");
    }
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    paths.sort();
    paths
}

/// Every witness that is written is confirmed: of some programs, or of all with `VERGO_SLOW=1`.
#[test]
fn own_witnesses_are_confirmed() {
    let folder = Scratch::new("round-trip").unwrap();
    let mut all = programs("tests/corpus/check/loops");
    all.extend(programs("tests/corpus/invariants"));
    all.extend(programs("examples"));
    all.extend(programs("tests/corpus/properties"));
    // Nothing but races is decided of programs with threads, and there are no witnesses for them.
    all.retain(|path| {
        !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("race."))
    });
    for (number, program) in all.iter().enumerate() {
        if !slow() && number % 3 != 0 {
            continue;
        }
        let path = program.display().to_string();
        // Proofs of these are by invariants; of the others by whatever is first.
        let by_invariant = path.contains("/invariants/");
        let engine = if by_invariant { "kind" } else { "portfolio" };
        let is_loops = path.contains("/loops/") || by_invariant;
        let property = if is_loops { "unreach-call" } else { "default" };
        let finished = vergo(
            &[
                "check",
                "--engine",
                engine,
                "--property",
                property,
                "--timeout",
                "60",
                "--witness",
                "w.yml",
                &path,
            ],
            folder.folder(),
        );
        let out = finished.stdout_text();
        let verdict = out.lines().last().unwrap_or_default().to_owned();
        assert!(!verdict.starts_with("RESULT: unknown"), "{path}: {verdict}");
        let text = std::fs::read_to_string(folder.path("w.yml")).unwrap();
        assert!(!by_invariant || text.contains("loop_invariant"), "{path}: {text}");
        let again = vergo(&["validate", "--timeout", "60", &path, "w.yml"], folder.folder());
        let (fate, result) = answer(&again);
        assert_eq!(fate, "WITNESS: confirmed", "{path}\n{text}\n{again:?}");
        assert_eq!(result.split('(').next(), verdict.split('(').next(), "{path}");
    }
}

/// The invariants in the witness that `vergo check` writes for a program, which is confirmed.
fn written(program: &str) -> Vec<String> {
    let folder = Scratch::new("written").unwrap();
    folder.write("program.c", program).unwrap();
    let check = ["check", "--property", "unreach-call", "--witness", "w.yml", "program.c"];
    let finished = vergo(&check, folder.folder());
    assert_eq!(answer(&finished).1, "RESULT: true", "{finished:?}");
    let finished = vergo(&["validate", "program.c", "w.yml"], folder.folder());
    assert_eq!(answer(&finished).0, "WITNESS: confirmed", "{finished:?}");
    let text = std::fs::read_to_string(folder.path("w.yml")).unwrap();
    let values = text.lines().filter_map(|line| line.trim().strip_prefix("value: "));
    values.map(|value| value.trim_matches(['"', '\'']).to_owned()).collect()
}

#[test]
fn loops_that_are_executed_to_their_end_have_invariants_too() {
    let program = "\
extern void reach_error(void);
int main(void) {
    int i = 0;
    while (i < 10)
        i++;
    if (i != 10)
        reach_error();
    return 0;
}
";
    assert_eq!(written(program), ["i >= 0 && i <= 10"]);
}

#[test]
fn names_that_are_declared_later_are_not_used() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int count(void);
int main(void) {
    int rounds = 0;
    while (__VERIFIER_nondet_int()) {
        rounds = count();
        if (rounds > 5)
            reach_error();
    }
    return 0;
}
int calls;
static int count(void) {
    if (calls < 5)
        calls++;
    return calls;
}
";
    let values = written(program);
    assert!(values.iter().all(|value| !value.contains("calls")), "{values:?}");
}
