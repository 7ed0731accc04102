//! `vergo check --spec` and `vergo transform --spec` with formulas: programs and twins of them that differ in little.

mod tool;

use std::path::{Path, PathBuf};

use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::Finished;

fn vergo(arguments: &[&str]) -> Finished {
    tool::vergo(Path::new("."), arguments, b"")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

struct Files {
    folder: Scratch,
}

impl Files {
    fn new() -> Files {
        Files { folder: Scratch::new("ltl").expect("a folder") }
    }

    fn write(&self, name: &str, contents: &str) -> PathBuf {
        self.folder.write(name, contents).expect("written")
    }

    fn check(&self, arguments: &[&str], program: &str) -> Finished {
        self.check_within("60", arguments, program)
    }

    fn check_within(&self, seconds: &str, arguments: &[&str], program: &str) -> Finished {
        let input = self.write("in.c", program);
        let mut all = vec!["check", "--timeout", seconds];
        all.extend(arguments);
        all.push(text(&input));
        vergo(&all)
    }
}

fn verdict(done: &Finished) -> String {
    done.stdout_text().lines().last().unwrap_or_default().to_owned()
}

/// Each row: a formula, a program that satisfies it, and what is replaced by what to get one that does not.
const TWINS: &[(&str, &str, &str, &str)] = &[
    // Always.
    (
        "G(0 <= x && x < 4)",
        "int x; int main(void) { while (1) { x++; if (x == 3) x = 0; } }",
        "x == 3",
        "x == 4",
    ),
    // Weak until: nothing is sent before the line is open.
    (
        "!sent W open",
        "int nondet_int(void); int open, sent;\n\
         int main(void) { while (nondet_int()) { if (nondet_int()) open = 1; if (open) sent = 1; } return 0; }",
        "if (open) sent",
        "sent",
    ),
    // Release: the alarm stays until it is acknowledged.
    (
        "G(alarm -> acknowledged R alarm)",
        "int nondet_int(void); int alarm, acknowledged;\n\
         int main(void) { while (1) { alarm = 1; if (nondet_int()) { acknowledged = 1; alarm = 0; acknowledged = 0; } } }",
        "acknowledged = 1; alarm = 0;",
        "alarm = 0;",
    ),
    // Response, in a program that never ends.
    (
        "G(req -> F ack)",
        "int nondet_int(void); int req, ack;\n\
         int main(void) { while (1) { if (nondet_int()) req = 1; if (req) { ack = 1; req = 0; ack = 0; } } }",
        "if (req) {",
        "if (req && nondet_int()) {",
    ),
    // Response, in a program that ends.
    (
        "G(x == 1 -> F x == 2)",
        "int nondet_int(void); int x; int main(void) { if (nondet_int()) { x = 1; x = 2; } return 0; }",
        "x = 2;",
        "x = 3;",
    ),
    // Until, which has to come.
    ("x < 3 U x == 3", "int x; int main(void) { while (x < 3) x++; return 0; }", "x < 3", "x < 2"),
    // Infinitely often.
    (
        "G F tick",
        "int tick; int main(void) { while (1) { tick = 1; tick = 0; } }",
        "tick = 0; }",
        "tick = 0; while (1); }",
    ),
    // Infinitely often, two of them: accepting sets.
    (
        "GF a && GF b",
        "int nondet_int(void); int a, b;\n\
         int main(void) { int t = 0; while (1) { t = !t; if (t) { a = 1; a = 0; } else { b = 1; b = 0; } } }",
        "t = !t;",
        "t = nondet_int();",
    ),
    // Stability.
    (
        "F G done",
        "int nondet_int(void); int done, n; int main(void) { while (n < 3) { n++; done = !done; } done = 1; while (1) n = n; }",
        "done = 1; while (1) n = n;",
        "while (1) done = !done;",
    ),
    // Writes through pointers and by the library are seen.
    (
        "G(x == 0)",
        "void *memset(void *, int, unsigned long); int x;\n\
         static void set(int *p, int v) { *p = v; }\n\
         int main(void) { int y; set(&y, 1); set(&x, 0); memset(&x, 0, sizeof x); return 0; }",
        "set(&x, 0)",
        "set(&x, 1)",
    ),
    (
        "G(x == 0)",
        "void *memset(void *, int, unsigned long); int x;\n\
         int main(void) { int *p = &x; memset(p, 0, sizeof x); x = 0; return 0; }",
        "memset(p, 0, sizeof x); x = 0;",
        "memset(p, 1, sizeof x); x = 0;",
    ),
    // Values of assignments are kept.
    (
        "G(x <= 2)",
        "int x, y; int main(void) { y = x++ + 5; if (y != 5) x = 9; y = (x += 1); if (y != 2) x = 9; return 0; }",
        "y != 2",
        "y != 1",
    ),
    // Calls and returns.
    (
        "G(call(lock) -> call(lock) W (!call(lock) W return(unlock)))",
        "int nondet_int(void); int held; static void lock(void) { held = 1; } static void unlock(void) { held = 0; }\n\
         int main(void) { for (int i = 0; i < 3; i++) { lock(); unlock(); } return 0; }",
        "lock(); unlock();",
        "lock(); if (i != 1) unlock();",
    ),
    // A conjunction whose parts are decided apart.
    (
        "G(req -> F ack) && G !err",
        "int nondet_int(void); int req, ack, err;\n\
         int main(void) { while (1) { req = nondet_int() != 0; if (req) { ack = 1; req = 0; ack = 0; } err = 0; } }",
        "err = 0;",
        "err = ack + req;  if (nondet_int()) err = 1;",
    ),
];

#[test]
fn programs_and_their_twins() {
    let files = Files::new();
    for (spec, program, from, to) in TWINS {
        let done = files.check(&["--spec", spec], program);
        assert_eq!(verdict(&done), "RESULT: true", "{spec}\n{program}\n{}", done.stderr_text());
        assert_eq!(done.code(), Some(0));
        assert_eq!(program.matches(from).count(), 1, "{spec}: {from}");
        let twin = program.replace(from, to);
        let done = files.check(&["--spec", spec], &twin);
        assert_eq!(verdict(&done), "RESULT: false(ltl)", "{spec}\n{twin}\n{}", done.stderr_text());
        assert_eq!(done.code(), Some(10));
        assert!(done.stderr_text().contains("is violated"), "{}", done.stderr_text());
    }
}

/// The transformed program is C without new warnings, and does what the original does.
#[test]
fn transformed_programs_are_c() {
    let host = HostC::find().expect("gcc");
    let files = Files::new();
    for (spec, program, ..) in TWINS {
        let input = files.write("in.c", program);
        let output = files.folder.path("out.c");
        let done = vergo(&["transform", "--spec", spec, text(&input), "-o", text(&output)]);
        assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
        let result = std::fs::read(&output).expect("the result");
        let done = host.check(&result, &["-Wall", "-Wextra", "-std=gnu17"]).expect("gcc");
        assert_eq!((done.code(), &*done.stderr_text()), (Some(0), ""), "{spec}");
    }
}

#[test]
fn a_violation_for_ever_is_a_stem_and_a_loop() {
    let files = Files::new();
    let program = "int nondet_int(void);\nint req, ack;\nint main(void) {\n    while (1) {\n        req = 1;\n        \
                   if (nondet_int())\n            ack = !ack;\n    }\n}\n";
    let done = files.check(&["--spec", "G(req -> F ack)"], program);
    let shown = done.stderr_text();
    assert!(shown.contains("is violated by an execution that never ends"), "{shown}");
    assert!(shown.contains("in.c:4:5") && shown.contains("inputs of the loop: i32 0"), "{shown}");
    let shown = done.stdout_text();
    assert!(shown.contains("Steps to the violation:"), "{shown}");
    assert!(shown.contains("And then, again and again:"), "{shown}");
    assert!(shown.contains("in.c:5:9") && !shown.contains("vergo_"), "{shown}");
}

#[test]
fn an_end_without_what_has_to_come() {
    let files = Files::new();
    let done = files
        .check(&["--spec", "F x == 1"], "int x;\nint main(void) {\n    x = 2;\n    return 0;\n}\n");
    assert_eq!(verdict(&done), "RESULT: false(ltl)");
    let shown = done.stderr_text();
    assert!(shown.contains("by an execution that ends") && shown.contains("in.c:4"), "{shown}");
}

#[test]
fn infinitely_many_states_and_incomplete_ones_are_said() {
    let files = Files::new();
    let program = "void *malloc(unsigned long); int x;\n\
                   int main(void) { int **p = 0; while (1) { int **q = malloc(8); *q = (int *)p; p = q; x = 0; } }";
    let done = files.check_within("3", &["--spec", "G F x == 1"], program);
    assert!(verdict(&done).starts_with("RESULT: unknown("), "{}", verdict(&done));
    assert_eq!(done.code(), Some(20));
}

/// A program whose every execution ends is looked at where it ends, however many states it has.
#[test]
fn executions_that_end_need_no_recurrence() {
    let files = Files::new();
    let program = "int nondet_int(void); int done;\n\
                   int main(void) { int n = nondet_int(); for (int i = 0; i < n; i++) done = 0; done = 1; return 0; }";
    let done = files.check(&["--spec", "F done"], program);
    assert_eq!(verdict(&done), "RESULT: true", "{}", done.stderr_text());
    let done =
        files.check(&["--spec", "F done"], &program.replace("done = 1", "if (n != 77) done = 1"));
    assert_eq!(verdict(&done), "RESULT: false(ltl)", "{}", done.stderr_text());
}

/// A loop that is hidden in an expression is found, or is said not to be watched.
#[test]
fn no_loop_goes_unwatched() {
    let files = Files::new();
    let program = "int a, b; int main(void) { int y = ({ again: a = !a; goto again; 1; }); b = 1; return y; }";
    let done = files.check_within("10", &["--spec", "F b"], program);
    assert_ne!(verdict(&done), "RESULT: true", "{}", done.stderr_text());
}

#[test]
fn files_and_definitions() {
    let files = Files::new();
    let program = "int x; int main(void) { x = 1; x = 2; return 0; }";
    let ltl = files.write("a.ltl", "prop one = x == 1;\nprop two = x == 2;\nG(one -> F two)\n");
    let prp = files.write("a.prp", "CHECK( init(main()), LTL(G(\"x == 1\" -> F AP(x == 2))) )\n");
    for arguments in [
        ["--spec", text(&ltl)].as_slice(),
        &["--spec", text(&prp)],
        &["--property", text(&prp)],
        &["--spec", "G(one -> F two)", "--define", "one=x == 1", "--define", "two=x == 2"],
    ] {
        let done = files.check(arguments, program);
        assert_eq!(verdict(&done), "RESULT: true", "{arguments:?}\n{}", done.stderr_text());
    }
}

/// A specification that Vergo knows is the property of its name.
#[test]
fn names_of_specifications_are_properties() {
    let files = Files::new();
    let program = "int main(void) { int x = 2147483647; while (x) ; return x + 1; }";
    for (spec, expected) in [
        ("termination", "RESULT: false(termination)"),
        ("no-overflow", "RESULT: true"),
        ("reach", "RESULT: true"),
        ("memsafety", "RESULT: true"),
    ] {
        let done = files.check(&["--spec", spec], program);
        assert_eq!(verdict(&done), expected, "{spec}\n{}", done.stderr_text());
    }
}

/// An automaton of the user's own is checked without the detour by a file.
#[test]
fn automata_are_checked_directly() {
    let files = Files::new();
    let locks = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/locks.ia");
    let good = "void lock(int *m) { *m = 1; } void unlock(int *m) { *m = 0; } int m; int main(void) { lock(&m); unlock(&m); return 0; }";
    let done = files.check(&["--spec", locks], good);
    assert_eq!(verdict(&done), "RESULT: true", "{}", done.stderr_text());
    let done = files.check(&["--spec", locks], &good.replace("unlock(&m);", "lock(&m);"));
    assert!(verdict(&done).starts_with("RESULT: false("), "{}", done.stdout_text());
    assert!(done.stderr_text().contains("is violated"), "{}", done.stderr_text());
}

#[test]
fn mistakes_have_status_2_and_a_position() {
    let files = Files::new();
    let program = "int x, y; int main(void) { return 0; }";
    for (arguments, expected) in [
        (&["--spec", "G(x ->"][..], "expected a formula, found the end"),
        (&["--spec", "X x"], "error[A0013]"),
        (&["--spec", "G zz > 0"], "<spec>:1:3"),
        (&["--spec", "G call(f)"], "the program has no function `f`"),
        (&["--spec", "nonsense"], "there is no specification `nonsense`"),
        (&["--spec", "missing.ltl"], "cannot read `missing.ltl`"),
        (&["--define", "a=x"], "there is no --spec"),
        (&["--spec", "G a", "--define", "a"], "expected `=`, found the end"),
        (&["--spec", "G a", "--define", "a=x++"], "<define>:1:3"),
        (&["--spec", "G x", "--property", "termination"], "cannot be used with"),
        (&["--spec", "G(x == 0)", "--function", "f"], "from `main` on"),
    ] {
        let done = files.check(arguments, program);
        assert_eq!(done.code(), Some(2), "{arguments:?}");
        assert!(done.stderr_text().contains(expected), "{arguments:?}\n{}", done.stderr_text());
    }
}

#[test]
fn the_example_is_proved_and_its_twin_is_not() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (spec, program) = (format!("{folder}/arbiter.ltl"), format!("{folder}/arbiter.c"));
    let done = vergo(&["check", "--timeout", "100", "--spec", &spec, &program]);
    assert_eq!(verdict(&done), "RESULT: true", "{}", done.stderr_text());
    let files = Files::new();
    let source = std::fs::read_to_string(&program).expect("the example");
    let twin = source.replace("        turn = 1 - turn;\n", "");
    assert_ne!(source, twin);
    let done = files.check(&["--spec", &spec], &twin);
    assert_eq!(verdict(&done), "RESULT: false(ltl)", "{}", done.stderr_text());
}
