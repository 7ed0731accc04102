//! Goto binaries on the command line: every command takes them as it takes C, or says what it needs C for.

mod tool;

use std::path::Path;

use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::Finished;

/// A loop that ends, and a sum that may overflow.
const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
int total;
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 100)
        x--;
    total = x - 1;
    return 0;
}
";

/// A folder with the program as C and as a binary of both dialects.
fn folder() -> Scratch {
    let folder = Scratch::new("binaries").unwrap();
    folder.write("program.c", PROGRAM).unwrap();
    for (format, name) in [("cbmc", "program.gb"), ("esbmc", "program.goto")] {
        let written =
            vergo(folder.folder(), &["goto", "program.c", "--format", format, "-o", name]);
        assert_eq!(written.code(), Some(0), "{}", written.stderr_text());
    }
    folder
}

fn vergo(folder: &Path, arguments: &[&str]) -> Finished {
    tool::vergo(folder, arguments, b"")
}

/// The last line of what a command prints.
fn last_line(finished: &Finished) -> String {
    finished.stdout_text().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn commands_take_binaries_as_they_take_c() {
    let folder = folder();
    let same: &[&[&str]] = &[
        &["check"],
        &["check", "--property", "no-overflow"],
        &["check", "--property", "unreach-call"],
        &["check", "--property", "valid-memsafety"],
        &["check", "--property", "termination"],
        &["check", "--spec", "no-overflow"],
        &["check", "--spec", "memcleanup"],
        &["check", "--spec", "termination"],
        &["run"],
        &["cover", "--criterion", "statement"],
    ];
    for arguments in same {
        let said = |file: &str| {
            let all: Vec<&str> = arguments.iter().copied().chain([file]).collect();
            let finished = vergo(folder.folder(), &all);
            (finished.code(), last_line(&finished))
        };
        let of_c = said("program.c");
        assert!(matches!(of_c.0, Some(0 | 10)), "{arguments:?}: {of_c:?}");
        for file in ["program.gb", "program.goto"] {
            assert_eq!(said(file), of_c, "{arguments:?} of {file}");
        }
    }
}

#[test]
fn what_needs_c_says_so() {
    let folder = folder();
    folder.write("automaton.ia", "automaton a\n").unwrap();
    folder.write("witness.yml", "- entry_type: \"invariant_set\"\n").unwrap();
    let refused: &[(&[&str], &str)] = &[
        (&["check", "--spec", "G(total < 100)", "program.gb"], "formulas need C source"),
        (&["validate", "program.gb", "witness.yml"], "witnesses need C source"),
        (
            &["transform", "--spec", "no-overflow", "program.gb", "-o", "out.c"],
            "is a GOTO binary, not C source",
        ),
    ];
    for (arguments, why) in refused {
        let finished = vergo(folder.folder(), arguments);
        let said = finished.stderr_text();
        assert_eq!(finished.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert!(said.contains("program.gb"), "{arguments:?}: {said}");
    }
}

/// A state that recurs is found in whatever the program was read from, with its place in the source; a twin that ends is proved to.
#[test]
fn endless_loops_are_found_in_binaries() {
    let folder = Scratch::new("recurrence").unwrap();
    for (step, result) in [("3 - x", "false(termination)"), ("x - 1", "true")] {
        let text = format!(
            "int main(void) {{\n  int x = 1;\n  while (x > 0) x = {step};\n  return 0;\n}}\n"
        );
        folder.write("program.c", &text).unwrap();
        for (format, name) in [("cbmc", "program.gb"), ("esbmc", "program.goto")] {
            let write = ["goto", "program.c", "--format", format, "-o", name];
            assert_eq!(vergo(folder.folder(), &write).code(), Some(0), "{format}");
        }
        for file in ["program.c", "program.gb", "program.goto"] {
            for option in ["--property", "--spec"] {
                let finished = vergo(folder.folder(), &["check", option, "termination", file]);
                assert_eq!(last_line(&finished), format!("RESULT: {result}"), "{file} {step}");
                let place = finished.stderr_text().contains("program.c:3:3");
                assert_eq!(place, step == "3 - x", "{file}: {}", finished.stderr_text());
            }
        }
    }
}

#[test]
fn what_has_no_witness_says_so() {
    let folder = Scratch::new("endless").unwrap();
    folder.write("program.c", "int main(void) { for (;;); }\n").unwrap();
    vergo(folder.folder(), &["goto", "program.c", "--format", "cbmc", "-o", "program.gb"]);
    for file in ["program.c", "program.gb"] {
        let arguments = ["check", "--property", "termination", "--witness", "w.yml", file];
        let finished = vergo(folder.folder(), &arguments);
        assert_eq!(last_line(&finished), "RESULT: false(termination)", "{file}");
        let said = finished.stderr_text();
        assert!(said.contains("the format has none for executions that do not end"), "{said}");
    }
}

/// The loop is in one file, and what it counts in another.
#[test]
fn endless_loops_of_several_files_are_found() {
    let folder = Scratch::new("files").unwrap();
    for (step, result) in [("3 - x", "false(termination)"), ("x - 1", "true")] {
        let one =
            "int x = 1; void step(void);\nint main(void) { while (x > 0) step(); return 0; }\n";
        let two = format!("extern int x;\nvoid step(void) {{ x = {step}; }}\n");
        folder.write("one.c", one).unwrap();
        folder.write("two.c", &two).unwrap();
        let arguments = ["check", "--property", "termination", "one.c", "two.c"];
        let finished = vergo(folder.folder(), &arguments);
        assert_eq!(last_line(&finished), format!("RESULT: {result}"), "{step}");
    }
}

#[test]
fn witnesses_of_binaries_name_places_in_the_source() {
    let folder = folder();
    let arguments = ["check", "--property", "no-overflow", "--witness", "w.yml", "program.gb"];
    let finished = vergo(folder.folder(), &arguments);
    assert_eq!(last_line(&finished), "RESULT: false(no-overflow)");
    let witness = std::fs::read_to_string(folder.path("w.yml")).unwrap();
    assert!(witness.contains("- \"program.gb\""), "{witness}");
    let target = witness.split("target").nth(1).unwrap_or_default();
    assert!(target.contains("program.c\"") && target.contains("line: 7"), "{witness}");
}

/// Two harnesses of which Kani's list says how they are to end, in Kani's words; one fails, and one is to panic and does.
#[test]
fn harnesses_are_reported_as_kani_reports_them() {
    let folder = Scratch::new("kani").unwrap();
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
void __CPROVER_assert(_Bool, const char *);
void small(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __CPROVER_assert(x < 100, \"x is small\");
}
void panics(void) { __CPROVER_assert(0, \"as it should\"); }
int main(void) { small(); panics(); return 0; }
";
    folder.write("crate.c", text).unwrap();
    let write = ["goto", "crate.c", "--format", "cbmc", "-o", "crate.symtab.out"];
    assert_eq!(vergo(folder.folder(), &write).code(), Some(0));
    let list = r#"{"crate_name": "crate", "proof_harnesses": [
        {"pretty_name": "proofs::small", "mangled_name": "small", "goto_file": "crate.symtab.out",
         "contract": null, "has_loop_contracts": false, "attributes": {"kind": "Proof", "should_panic": false}},
        {"pretty_name": "proofs::panics", "mangled_name": "panics", "goto_file": "crate.symtab.out",
         "attributes": {"kind": "Proof", "should_panic": true}}],
        "contracted_functions": [], "test_harnesses": [], "unsupported_features": []}"#;
    folder.write("crate.kani-metadata.json", list).unwrap();
    let finished = vergo(folder.folder(), &["kani", "."]);
    let said = finished.stdout_text();
    assert_eq!(finished.code(), Some(10), "{said}{}", finished.stderr_text());
    for part in [
        "Checking harness proofs::small...\n\nRESULTS:\nCheck 1: ",
        "\t - Status: FAILURE\n\t - Description: \"",
        "crate.c:5:3 in function small\n",
        "SUMMARY:\n ** 1 of 1 failed\nFailed Checks: ",
        "crate.c\", line 5, in small\n\nVERIFICATION:- FAILED\n",
        "VERIFICATION:- SUCCESSFUL (encountered one or more panics as expected)\n",
        "Manual Harness Summary:\nVerification failed for - proofs::small\nComplete - 1 successfully verified \
         harnesses, 1 failures, 2 total.\n",
    ] {
        assert!(said.contains(part), "`{part}` is not in\n{said}");
    }
}

/// A test of a binary is built from the source that the binary names.
#[test]
fn tests_of_binaries_are_built_from_their_source() {
    let folder = folder();
    let arguments = ["check", "--property", "no-overflow", "--harness", "test", "program.gb"];
    assert_eq!(last_line(&vergo(folder.folder(), &arguments)), "RESULT: false(no-overflow)");
    let text = std::fs::read_to_string(folder.path("test").join("harness.c")).unwrap();
    let command = text.lines().find(|line| line.contains("gcc")).unwrap();
    assert!(command.contains("program.c") && !command.contains("program.gb"), "{command}");
}
