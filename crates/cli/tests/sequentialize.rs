//! `vergo transform --sequentialize`: the result compiles, and `vergo check` says of it what it says of the program.

mod tool;

use std::path::Path;

use vergo_testkit::environment::{shared_or_skip, skip, slow_or_skip};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::Finished;

fn vergo(arguments: &[&str]) -> Finished {
    tool::vergo(Path::new("."), arguments, b"")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

fn verdict(path: &Path, seconds: &str, more: &[&str]) -> String {
    let mut arguments = vec!["check", "--property", "unreach-call", "--timeout", seconds];
    arguments.extend_from_slice(more);
    arguments.push(text(path));
    vergo(&arguments).stdout_text().lines().last().unwrap_or_default().to_owned()
}

/// A program whose threads run `worker`, with what comes before it and what is claimed at the end.
fn program(before: &str, worker: &str, claim: &str) -> String {
    format!(
        "#include <pthread.h>
#include <semaphore.h>
extern void reach_error(void);
{before}
static void *worker(void *argument)
{{
{worker}
    return argument;
}}
int main(void)
{{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (!({claim}))
        reach_error();
    return 0;
}}
"
    )
}

/// Programs with what is true of them.
fn programs() -> Vec<(&'static str, String, &'static str)> {
    let lock = "static int n; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let step = "static int next(int old) { int now = n; now = now + 1 + old - old; return now; }";
    vec![
        ("lost update", program("static int n;", "n++;", "n == 2"), "false(unreach-call)"),
        ("or gained", program("static int n;", "n++;", "n >= 1 && n <= 2"), "true"),
        (
            "lock",
            program(lock, "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);", "n == 2"),
            "true",
        ),
        (
            "lock too late",
            program(
                lock,
                "int old = n; pthread_mutex_lock(&m); n = old + 1; pthread_mutex_unlock(&m);",
                "n == 2",
            ),
            "false(unreach-call)",
        ),
        (
            "a function in between",
            program(&format!("static int n; {step}"), "n = next(3);", "n == 2"),
            "false(unreach-call)",
        ),
        (
            "atomic",
            program(
                "static int n; extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);",
                "__VERIFIER_atomic_begin(); n = n + 1; __VERIFIER_atomic_end();",
                "n == 2",
            ),
            "true",
        ),
        (
            "atomic function",
            program(
                "static int n; static void __VERIFIER_atomic_add(int *p) { *p = *p + 1; }",
                "__VERIFIER_atomic_add(&n);",
                "n == 2",
            ),
            "true",
        ),
        (
            "thread-local",
            program(
                "static int n, m; static _Thread_local int own = 4;",
                "own++; if (own != 5) m = 1; n = own;",
                "n == 5 && m == 0 && own == 4",
            ),
            "true",
        ),
        (
            "loops and choices",
            program(
                "static int n, x, y;",
                "int i; for (i = 0; i < 2; i++) { if (i == 1) continue; x = x || y ? x : 1; do n = n + x; while (n < 0); }
                 switch (x) { case 1: y = 2; break; default: y = 3; }",
                "n >= 1 && y == 2",
            ),
            "true",
        ),
    ]
}

#[test]
fn the_result_is_judged_as_the_program() {
    let Some(host) = HostC::find() else {
        return skip("the_result_is_judged_as_the_program", "there is no gcc to preprocess with");
    };
    let folder = Scratch::new("sequentialize").expect("a folder");
    for (name, source, expected) in programs() {
        let input = folder.write("in.c", &source).expect("written");
        let output = folder.path("out.c");
        let done = vergo(&["transform", "--sequentialize", text(&input), "-o", text(&output)]);
        assert_eq!(done.code(), Some(0), "{name}: {}", done.stderr_text());
        assert!(!done.stderr_text().contains("left out"), "{name}: {}", done.stderr_text());
        assert_compiles(&host, &output, name);
        // A violation has to be found; that there is none is a matter of time, which tests do not have.
        match expected {
            "true" => {
                let found = verdict(&output, "5", &[]);
                assert!(!found.contains("false"), "{name}: {found}");
            }
            _ => {
                let found = verdict(&output, "120", &["--engine", "bmc-incremental"]);
                assert_eq!(found, format!("RESULT: {expected}"), "{name}");
            }
        }
    }
}

fn assert_compiles(host: &HostC, path: &Path, name: &str) {
    let done = host.compile(path, &path.with_extension("o"), &["-c", "-w"]).expect("gcc runs");
    assert!(done.success(), "{name}: {}", done.stderr_text());
}

#[test]
fn bounds_are_said_to_leave_executions_out() {
    let folder = Scratch::new("sequentialize-bounds").expect("a folder");
    let source = "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
static int n;
static void *worker(void *argument) { n = n + 1; return argument; }
int main(void) { unsigned long t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0); if (n == 2) reach_error(); return 0; }
";
    let input = folder.write("in.c", source).expect("written");
    let output = folder.path("out.c");
    let transform = |more: &[&str]| {
        let mut arguments = vec!["transform", "--sequentialize", text(&input), "-o", text(&output)];
        arguments.extend_from_slice(more);
        let done = vergo(&arguments);
        assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
        done.stderr_text().to_string()
    };
    let said = transform(&["--rounds", "2", "--threads", "2"]);
    assert!(said.contains("more than 2 turns") && said.contains("more than 2 threads"), "{said}");
    let bounded = ["--engine", "bmc-incremental"];
    assert_eq!(verdict(&output, "120", &bounded), "RESULT: false(unreach-call)");
    transform(&["--threads", "1"]);
    assert_ne!(verdict(&output, "5", &bounded), "RESULT: false(unreach-call)");
}

#[test]
fn what_cannot_be_followed_has_a_place() {
    let folder = Scratch::new("sequentialize-errors").expect("a folder");
    let declarations =
        "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_barrier_wait(void *);
static int n;
static void *worker(void *argument) { n++; return argument; }
";
    let cases = [
        (
            "static int f(int i) { n++; return i ? f(i - 1) : 0; }\nint main(void) { return f(3); }",
            ":5:12",
        ),
        (
            "int main(void) { void *(*f)(void *) = worker; unsigned long t;\nreturn pthread_create(&t, 0, f, 0); }",
            ":5:39",
        ),
        ("int main(void) { return\npthread_barrier_wait(&n); }", ":6:1"),
        ("int main(void) { n = 1; int k = n;\nint a[k]; return a[0]; }", ":6:5"),
    ];
    for (source, place) in cases {
        let input = folder.write("in.c", format!("{declarations}{source}\n")).expect("written");
        let done = vergo(&["transform", "--sequentialize", text(&input)]);
        assert_eq!(done.code(), Some(2), "{source}");
        let said = done.stderr_text().to_string();
        assert!(said.contains("A0025") && said.contains(place), "{source}: {said}");
    }
}

/// Of every eighth task about reachability.
#[test]
fn programs_of_others_are_never_contradicted() {
    const TEST: &str = "programs_of_others_are_never_contradicted";
    if !slow_or_skip(TEST) {
        return;
    }
    let Some(shared) = shared_or_skip(TEST) else { return };
    let folder = shared.join("threads");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).expect("a list");
    let tasks: Vec<Vec<&str>> = manifest
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|task| task.len() > 3 && task[1] == "unreach-call")
        .collect();
    assert!(tasks.len() > 100);
    let scratch = Scratch::new("sequentialize-others").expect("a folder");
    let output = scratch.path("out.c");
    for task in tasks.iter().step_by(8) {
        let (file, expected, model) = (folder.join(task[0]), task[2], task[3]);
        let model = ["--data-model", model];
        let mut arguments = vec!["transform", "--sequentialize", text(&file), "-o", text(&output)];
        arguments.extend_from_slice(&model);
        let done = vergo(&arguments);
        if done.code() != Some(0) {
            assert!(done.stderr_text().contains("A0025"), "{}", file.display());
            continue;
        }
        let found = verdict(&output, "10", &model);
        let left_out = done.stderr_text().contains("left out");
        assert!(!(found.contains("false") && expected == "true"), "{}", file.display());
        assert!(left_out || found != "RESULT: true" || expected == "true", "{}", file.display());
    }
}
