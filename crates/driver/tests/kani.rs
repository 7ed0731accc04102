//! Proof harnesses in goto binaries with the claims that Kani writes.

use std::path::PathBuf;

use vergo_driver::{
    BinaryDialect, GotoRequest, HarnessReport, Input, Job, KaniRequest, KaniStatus, goto_binary,
    kani, kani_harnesses,
};
use vergo_testkit::host_c::Scratch;

/// Two harnesses: one whose checks hold, with a goal that is reached, one that is not, and a check that is not
/// reached; and one that fails behind a goal.
const PROGRAM: &str = r#"machine 64 x87 16 wide 8;
sites 2;
entry start;

function start: fn() -> void {
    return;
}

function check_holds: fn() -> void labels 1 {
    local check_holds::x "x": u32 align 4;
    decl check_holds::x;
    check_holds::x := #nondet<u32>(0);
    assume check_holds::x < 10u32;
    assert false "reachability_check" "[KANI_REACHABILITY_CHECK] KANI_CHECK_ID_a.1::lib_0";
    assert check_holds::x + 1u32 < 20u32 "assertion" "[KANI_CHECK_ID_a.1::lib_0] it stays small";
    assert check_holds::x != 7u32 "cover" "seven";
    assert check_holds::x != 12u32 "cover" "twelve";
    if check_holds::x <= 9u32 goto L0;
    assert false "reachability_check" "[KANI_REACHABILITY_CHECK] KANI_CHECK_ID_a.1::lib_1";
    assert false "assertion" "[KANI_CHECK_ID_a.1::lib_1] never here";
  L0:
    return;
}

function check_fails: fn() -> void {
    local check_fails::y "y": i32 align 4;
    decl check_fails::y;
    check_fails::y := #nondet<i32>(1);
    assert false "cover" "reached";
    assert check_fails::y < 100i32 "assertion" "y is small";
    return;
}
"#;

fn folder_with_program() -> (Scratch, PathBuf) {
    let folder = Scratch::new("kani").unwrap();
    let text = folder.write("program.goto", PROGRAM).unwrap();
    let input = Input::File(text.clone());
    let mut job = Job::default();
    let bytes = goto_binary(&mut job, &[input], &GotoRequest::default(), BinaryDialect::Cbmc)
        .unwrap_or_else(|_| panic!("{:?}", job.diagnostics));
    std::fs::remove_file(&text).unwrap();
    let goto = text.with_file_name("program.symtab.out");
    std::fs::write(&goto, bytes).unwrap();
    (folder, goto)
}

fn report(job: &mut Job, paths: &[PathBuf], name: &str) -> HarnessReport {
    let request = KaniRequest { harnesses: vec![name.to_owned()], ..KaniRequest::default() };
    let found = kani_harnesses(job, paths, &request).unwrap_or_else(|_| panic!("{name}"));
    assert_eq!(found.len(), 1, "{found:?}");
    kani(job, &found[0], &request).unwrap_or_else(|_| panic!("{:?}", job.diagnostics))
}

fn statuses(report: &HarnessReport) -> Vec<(&str, KaniStatus)> {
    report.checks.iter().map(|check| (&check.description[..], check.status)).collect()
}

#[test]
fn harnesses_are_found_and_judged_in_kanis_terms() {
    let (_folder, goto) = folder_with_program();
    let paths = [goto];
    let all = kani_harnesses(&mut Job::default(), &paths, &KaniRequest::default()).unwrap();
    let names: Vec<&str> = all.iter().map(|h| &h.name[..]).collect();
    assert_eq!(names, ["check_fails", "check_holds"]);
    let holds = report(&mut Job::default(), &paths, "check_holds");
    assert_eq!(
        statuses(&holds),
        [
            ("it stays small", KaniStatus::Success),
            ("seven", KaniStatus::Satisfied),
            ("twelve", KaniStatus::Unsatisfiable),
            ("never here", KaniStatus::Unreachable),
        ]
    );
    assert_eq!(holds.successful, Some(true));
    let fails = report(&mut Job::default(), &paths, "check_fails");
    let expected = [("reached", KaniStatus::Satisfied), ("y is small", KaniStatus::Failure)];
    assert_eq!(statuses(&fails), expected);
    assert_eq!(fails.successful, Some(false));
    assert_eq!(fails.checks[1].id, "check_fails.assertion.1");
}

#[test]
fn kanis_list_says_what_panics() {
    let (folder, goto) = folder_with_program();
    // The list names the file where it was; here it lies beside the list.
    let list = r#"{"crate_name": "a", "proof_harnesses": [
        {"pretty_name": "proofs::fails", "mangled_name": "check_fails",
         "goto_file": "/nowhere/program.symtab.out",
         "attributes": {"kind": "Proof", "should_panic": true, "unwind_value": 3}}]}"#;
    folder.write("a.kani-metadata.json", list).unwrap();
    let below = [goto.parent().unwrap().to_owned()];
    let panics = report(&mut Job::default(), &below, "proofs::fails");
    assert_eq!(panics.successful, Some(true), "{panics:?}");
    let mut job = Job::default();
    let request = KaniRequest { harnesses: vec!["no such".to_owned()], ..KaniRequest::default() };
    assert!(kani_harnesses(&mut job, &below, &request).is_err());
}
