//! Transition systems for others' tools, from outside: z3 decides Horn clauses as `vergo check` decides the program.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::{Finished, run};

/// Small programs with a condition, which makes each of them safe or not.
const PROGRAMS: [(&str, &str, &str); 4] = [
    (
        "unsigned char x = 0; while (__VERIFIER_nondet_int()) { x += 2; if (COND) reach_error(); } return 0;",
        "x == 7",
        "x == 6",
    ),
    (
        "unsigned char i = 0; while (i < 10) i++; if (COND) reach_error(); return 0;",
        "i != 10",
        "i == 10",
    ),
    (
        "_Bool taken = 0; while (1) { if (!taken && __VERIFIER_nondet_int()) taken = 1; \
         else if (COND) { if (!taken) reach_error(); taken = 0; } }",
        "taken",
        "__VERIFIER_nondet_int()",
    ),
    (
        "unsigned char row = 0; while (row < 4) { unsigned char column = 0; \
         while (column < 4) { if (COND) reach_error(); column++; } row++; } return 0;",
        "row > 3 || column > 3",
        "row == 3 && column == 3",
    ),
];

fn program(body: &str, condition: &str) -> String {
    let head = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    format!("{head}int main(void) {{ {} }}\n", body.replace("COND", condition))
}

fn exported(folder: &Path, format: &str) -> Finished {
    let arguments =
        ["goto", "--property", "unreach-call", "--to", format, "-o", "out", "program.c"];
    tool::vergo(folder, &arguments, b"")
}

#[test]
fn z3_agrees_on_horn_clauses() {
    let name = "z3_agrees_on_horn_clauses";
    let z3 = |arguments: &[&str], folder: &Path| {
        let mut command = Command::new("z3");
        command.args(arguments).current_dir(folder);
        run(&mut command, b"", Duration::from_secs(60)).ok()
    };
    let folder = Scratch::new("export").unwrap();
    if z3(&["--version"], folder.folder()).is_none() {
        return skip(name, "there is no z3");
    }
    let mut n_decided = 0;
    for (body, safe, not_safe) in PROGRAMS {
        for (condition, verdict, answer) in
            [(safe, "RESULT: true", "sat"), (not_safe, "RESULT: false(unreach-call)", "unsat")]
        {
            folder.write("program.c", program(body, condition)).unwrap();
            let check = ["check", "--property", "unreach-call", "program.c"];
            let checked = tool::vergo(folder.folder(), &check, b"").stdout_text();
            assert_eq!(checked.lines().last(), Some(verdict), "{body} {condition}");
            let finished = exported(folder.folder(), "chc");
            assert_eq!(finished.code(), Some(0), "{finished:?}");
            let Some(said) = z3(&["fp.engine=spacer", "-T:20", "out"], folder.folder()) else {
                continue;
            };
            let said = said.stdout_text();
            match said.trim() {
                "sat" | "unsat" => {
                    assert_eq!(said.trim(), answer, "{body} {condition}");
                    n_decided += 1;
                }
                other => assert!(matches!(other, "unknown" | "timeout"), "{other}"),
            }
        }
    }
    assert!(n_decided >= PROGRAMS.len(), "z3 has decided only {n_decided}");
}

#[test]
fn systems_are_written_in_btor2_or_it_is_said_why_not() {
    let folder = Scratch::new("export").unwrap();
    let (body, condition, _) = PROGRAMS[0];
    folder.write("program.c", program(body, condition)).unwrap();
    let finished = exported(folder.folder(), "btor2");
    assert_eq!(finished.code(), Some(0), "{finished:?}");
    let text = std::fs::read_to_string(folder.path("out")).unwrap();
    assert!(text.lines().any(|line| line.contains(" state ") && line.contains(" x!")), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.contains(" bad ")), "{text}");
    // Floating-point numbers have no counterpart.
    let body = "double x = 0; while (x < 10) x += 0.5; if (x > 11) reach_error(); return 0;";
    folder.write("program.c", program(body, "")).unwrap();
    let finished = exported(folder.folder(), "btor2");
    assert_eq!(finished.code(), Some(2), "{finished:?}");
    assert!(finished.stderr_text().contains("D0038"), "{finished:?}");
}
