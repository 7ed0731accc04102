//! `vergo transform`: statuses and files, and what `vergo run` and `vergo check` say about what it makes.

mod tool;

use std::path::{Path, PathBuf};
use std::time::Instant;

use vergo_testkit::environment::{shared_or_skip, slow_or_skip};
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
        Files { folder: Scratch::new("transform").expect("a folder") }
    }

    fn write(&self, name: &str, contents: &str) -> PathBuf {
        self.folder.write(name, contents).expect("written")
    }

    /// The verdict on a program after its transformation.
    fn verdict(&self, spec: &str, program: &str) -> String {
        let input = self.write("in.c", program);
        let output = self.folder.path("out.c");
        let done = vergo(&["transform", "--spec", spec, text(&input), "-o", text(&output)]);
        assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
        let done =
            vergo(&["check", "--property", "unreach-call", "--timeout", "60", text(&output)]);
        done.stdout_text().lines().last().unwrap_or_default().to_owned()
    }
}

#[test]
fn errors_have_status_2_and_leave_no_file() {
    let files = Files::new();
    let good = files.write("good.c", "int main(void) { return 0; }\n");
    let bad = files.write("bad.c", "int main(void) { return x; }\n");
    let unsupported = files
        .write("bits.c", "struct s { int b : 3; } *g(void);\nint f(void) { return g()->b++; }\n");
    let automaton = files.write("bad.ia", "automaton a {\n  state q0\n}\n");
    let output = files.folder.path("out.c");
    let cases: [(&str, &Path, &str); 5] = [
        ("no-overflow", &bad, "bad.c:1:25"),
        ("no-overflow", &unsupported, "bits.c:2:22"),
        (text(&automaton), &good, "bad.ia:3:1"),
        ("nonsense", &good, "there is no specification `nonsense`"),
        ("no-overflow", Path::new("no-such-file.c"), "cannot read"),
    ];
    for (spec, input, expected) in cases {
        let done = vergo(&["transform", "--spec", spec, text(input), "-o", text(&output)]);
        assert_eq!(done.code(), Some(2), "{expected}");
        assert!(done.stderr_text().contains(expected), "{}", done.stderr_text());
        assert!(!output.exists());
    }
    let nowhere = files.folder.path("no/such/folder/out.c");
    let done = vergo(&["transform", "--spec", "no-overflow", text(&good), "-o", text(&nowhere)]);
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("cannot write"), "{}", done.stderr_text());
    let left: Vec<_> = std::fs::read_dir(files.folder.folder()).expect("a folder").collect();
    assert_eq!(left.len(), 4);
}

#[test]
fn standard_output_is_the_default() {
    let files = Files::new();
    let input = files.write("in.c", "int main(void) { return 0; }\n");
    let done = vergo(&["transform", "--spec", "no-overflow", text(&input)]);
    assert_eq!(done.code(), Some(0));
    assert!(done.stdout_text().ends_with("int main(void) { return 0; }\n"));
}

#[test]
fn the_reduction_is_exact_on_twins() {
    let files = Files::new();
    let header = "extern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned long);\n\
                  extern void free(void *);\nextern void abort(void);\n";
    let twins = [
        (
            "no-overflow",
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 100) x = x + 1; return 0; }",
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 100) x = x + 1; return 0; }",
        ),
        (
            "memcleanup",
            "int main(void) { char *p = malloc(3); if (__VERIFIER_nondet_int()) { free(p); return 1; } free(p); }",
            "int main(void) { char *p = malloc(3); if (__VERIFIER_nondet_int()) abort(); free(p); }",
        ),
        (
            "termination",
            "int main(void) { unsigned char x = __VERIFIER_nondet_int(); while (x > 250) x++; }",
            "int main(void) { unsigned char x = __VERIFIER_nondet_int(); while (x > 250) x ^= 1; }",
        ),
        (
            "termination",
            "int f(int n) { return n > 3 || n < 0 ? 1 : f(n + 1); } int main(void) { return f(__VERIFIER_nondet_int()); }",
            "int f(int n) { return n > 3 || n < 0 ? 1 : f(n ^ 1); } int main(void) { return f(__VERIFIER_nondet_int()); }",
        ),
        (
            "termination",
            "int main(void) { int i = 0; again: i++; if (i < 5) goto again; }",
            "int main(void) { int i = 0; again: i ^= 1; if (i < 5) goto again; }",
        ),
    ];
    for (spec, holds, fails) in twins {
        assert_eq!(files.verdict(spec, &format!("{header}{holds}\n")), "RESULT: true", "{holds}");
        assert_eq!(
            files.verdict(spec, &format!("{header}{fails}\n")),
            "RESULT: false(unreach-call)",
            "{fails}"
        );
    }
}

#[test]
fn liveness_is_violated_by_a_run_without_it() {
    let files = Files::new();
    let program = |condition: &str| {
        format!(
            "extern void assert_live(int);\nint main(void) {{ int x = 0; for (;;) {{ x = x == 3 ? 0 : x + 1; assert_live({condition}); }} }}\n"
        )
    };
    let verdict = files.verdict("liveness", &program("x == 7"));
    assert_eq!(verdict, "RESULT: false(unreach-call)");
    // An endless loop cannot be unrolled completely; what matters is that nothing wrong is said.
    let input = files.write("in.c", &program("x == 2"));
    let output = files.folder.path("out.c");
    vergo(&["transform", "--spec", "liveness", text(&input), "-o", text(&output)]);
    let done = vergo(&["check", "--property", "unreach-call", "--unwind", "12", text(&output)]);
    assert!(!done.stdout_text().contains("false"), "{}", done.stdout_text());
}

#[test]
fn examples_find_what_they_are_for() {
    let files = Files::new();
    let example = |name: &str| format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let locks =
        "void lock(void) { }\nvoid unlock(void) { }\nextern int __VERIFIER_nondet_int(void);\n";
    let good =
        format!("{locks}int main(void) {{ int n = 3; while (n-- > 0) {{ lock(); unlock(); }} }}\n");
    let bad = format!(
        "{locks}int main(void) {{ lock(); if (__VERIFIER_nondet_int()) unlock(); unlock(); }}\n"
    );
    assert_eq!(files.verdict(&example("locks.ia"), &good), "RESULT: true");
    assert_eq!(files.verdict(&example("locks.ia"), &bad), "RESULT: false(unreach-call)");
    let opens = "#include <stdio.h>\n";
    let good = format!(
        "{opens}int main(void) {{ FILE *f = fopen(\"a\", \"r\"); if (!f) return 1; fclose(f); return 0; }}\n"
    );
    let bad =
        format!("{opens}int main(void) {{ FILE *f = fopen(\"a\", \"r\"); return f == 0; }}\n");
    assert!(!files.verdict(&example("files.ia"), &good).contains("false"));
    assert!(!files.verdict(&example("files.ia"), &bad).contains("true"));
}

/// Every task whose property has a reduction: it is transformed or refused with a reason, gcc has nothing new to say, both
/// programs do the same when they are run, and the verdict on the result is not wrong.
#[test]
fn tasks_of_the_collection() {
    if !slow_or_skip("tasks_of_the_collection") {
        return;
    }
    let Some(shared) = shared_or_skip("tasks_of_the_collection") else { return };
    let host = HostC::find().expect("gcc");
    let files = Files::new();
    let manifest = std::fs::read_to_string(shared.join("bench/manifest.csv")).expect("a manifest");
    let (mut n_tasks, mut refused) = (0, Vec::new());
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [file, property, expected, model, ..] = fields.as_slice() else { continue };
        let spec = match *property {
            "no-overflow" | "termination" => *property,
            "valid-memcleanup" => "memcleanup",
            _ => continue,
        };
        n_tasks += 1;
        let input = shared.join("bench").join(file);
        let output = files.folder.path("out.i");
        let width = if *model == "ILP32" { "-m32" } else { "-m64" };
        let done = vergo(&["transform", "--spec", spec, width, text(&input), "-o", text(&output)]);
        match done.code() {
            Some(0) => {}
            Some(2) => {
                assert!(done.stderr_text().contains("error["), "{file}: {}", done.stderr_text());
                refused.push(file.to_string());
                continue;
            }
            other => panic!("{file}: {other:?}\n{}", done.stderr_text()),
        }
        let warnings = |path: &Path| {
            let text = std::fs::read(path).expect("read");
            let done = host.clone().option(width).check(&text, &[]).expect("gcc");
            (done.success(), done.stderr_text().matches("warning:").count())
        };
        let (before, after) = (warnings(&input), warnings(&output));
        assert!(before.0 == after.0 && after.1 <= before.1, "{file}: {before:?} {after:?}");
        let execute = |path: &Path| {
            let done = vergo(&["run", "--timeout", "2", "--steps", "200000", width, text(path)]);
            (done.code(), done.stdout_text())
        };
        let (original, result) = (execute(&input), execute(&output));
        // Ends that are no exits (limits, violations) come at different times.
        if original.0 == Some(0) && result.0 == Some(0) {
            assert_eq!(original, result, "{file}");
        }
        let start = Instant::now();
        let done =
            vergo(&["check", "--property", "unreach-call", "--timeout", "5", width, text(&output)]);
        let verdict = done.stdout_text();
        let said = if verdict.contains("RESULT: true") {
            "true"
        } else if verdict.contains("RESULT: false") {
            "false"
        } else {
            continue;
        };
        // A recurrence of a state that is not completely compared has to be confirmed.
        if spec != "termination" {
            assert_eq!(said, *expected, "{file} after {:?}", start.elapsed());
        }
    }
    assert!(refused.len() * 20 < n_tasks, "{} of {n_tasks} refused: {refused:?}", refused.len());
}

/// Returns the answer of `vergo check` about termination.
fn terminates(files: &Files, program: &str) -> Finished {
    let input = files.write("in.c", program);
    vergo(&["check", "--property", "termination", "--timeout", "60", text(&input)])
}

#[test]
fn endless_loops_have_a_lasso() {
    let files = Files::new();
    let done = terminates(
        &files,
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  while (x == 7 || x == 6) {\n    int y = __VERIFIER_nondet_int();\n    x = y == 9 ? x ^ 1 : 0;\n  }\n}\n",
    );
    assert_eq!(done.code(), Some(10), "{}", done.stderr_text());
    assert!(done.stdout_text().ends_with("RESULT: false(termination)\n"));
    let message = done.stderr_text();
    assert!(
        message.contains("in.c:4:3") && message.contains("inputs of the loop: i32 9, i32 9"),
        "{message}"
    );
}

#[test]
fn runs_that_are_not_live_have_a_lasso() {
    let files = Files::new();
    let program = "extern void assert_live(int);\nint main(void) { int x = 0; for (;;) { x = !x; assert_live(x == 2); } }\n";
    let input = files.write("in.c", program);
    let done = vergo(&["check", "--property", "liveness", text(&input)]);
    assert!(done.stdout_text().ends_with("RESULT: false(liveness)\n"), "{}", done.stderr_text());
}

#[test]
fn loops_that_end_are_proved() {
    let files = Files::new();
    let done = terminates(&files, "int main(void) { int x = 9; while (x > 0) x -= 2; }\n");
    assert!(done.stdout_text().ends_with("RESULT: true\n"), "{}", done.stderr_text());
}

#[test]
fn recurrences_of_incomplete_states_are_no_answer() {
    let files = Files::new();
    // The list is reversed and walked; the pointer comes back to the same node while the nodes have changed.
    let program = "extern void *malloc(unsigned long);\nint main(void) {\n  int *a = malloc(4), *b = a;\n  *a = 0;\n  while (*b < 3) { b = a; b[0]++; }\n}\n";
    let done = terminates(&files, program);
    assert!(!done.stdout_text().contains("false"), "{}", done.stdout_text());
}

#[test]
fn loops_without_a_loop_in_the_text_have_a_lasso() {
    let files = Files::new();
    let program = "extern int setjmp(void *);\nextern void longjmp(void *, int);\nint main(void) { long b[32]; int n = 0; if (setjmp(b)) n ^= 1; longjmp(b, 1); }\n";
    let done = terminates(&files, program);
    assert!(done.stdout_text().ends_with("RESULT: false(termination)\n"), "{}", done.stderr_text());
}

#[test]
fn states_that_cannot_be_compared_are_unknown() {
    let files = Files::new();
    // Each round has memory of its own.
    let program = "extern void *malloc(unsigned long);\nextern void free(void *);\nint main(void) { int *p = malloc(4), *q; *p = 1; while (*p) { q = malloc(4); *q = *p; free(p); p = q; } }\n";
    let done = terminates(&files, program);
    let said = done.stdout_text();
    assert!(said.starts_with("RESULT: unknown("), "{said}{}", done.stderr_text());
    assert!(said.contains("is not watched: it "), "{said}");
}
