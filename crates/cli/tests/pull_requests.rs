//! Pull requests: baselines, annotations, JUnit, and the steps of the action as a script.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::{Finished, run};

const OLD: &str = "\
extern int nondet_int(void);
static int old(int i)
{
    int table[2] = { 0, 1 };
    return table[i];
}
int main(void)
{
    int i = nondet_int();
    if (i < 0 || i > 2)
        return 0;
    return old(i);
}
";

/// The same program with lines above, and a new mistake.
fn new() -> String {
    let with_new = OLD.replace("return old(i);", "return old(i) + 10 / i;");
    format!("/* A comment\n   of two lines. */\n{with_new}")
}

fn check(folder: &Path, arguments: &[&str]) -> Finished {
    tool::vergo(folder, &[&["check", "a.c"], arguments].concat(), b"")
}

#[test]
fn accepted_findings_do_not_fail_and_new_ones_do() {
    let folder = Scratch::new("baseline").unwrap();
    folder.write("a.c", OLD).unwrap();
    assert_eq!(check(folder.folder(), &["--write-baseline", "b.json"]).code(), Some(10));
    let done = check(folder.folder(), &["--baseline", "b.json", "--annotate", "github"]);
    assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
    // The verdict stays what it is.
    assert!(done.stdout_text().lines().last().unwrap().starts_with("RESULT: false("));
    assert!(!done.stdout_text().contains("::error"));
    // Lines above change nothing; a new finding fails and is the only one that is annotated.
    folder.write("a.c", new()).unwrap();
    let done = check(
        folder.folder(),
        &["--baseline", "b.json", "--annotate", "github", "--sarif", "s.json"],
    );
    assert_eq!(done.code(), Some(10), "{}", done.stderr_text());
    let text = done.stdout_text();
    let annotations: Vec<&str> = text.lines().filter(|line| line.starts_with("::error")).collect();
    assert_eq!(annotations.len(), 1, "{annotations:?}");
    assert!(annotations[0].starts_with("::error file=a.c,line=14,col="), "{annotations:?}");
    assert!(
        annotations[0].contains("title=arith.div-by-zero") || annotations[0].contains("zero"),
        "{annotations:?}"
    );
    let sarif = std::fs::read_to_string(folder.path("s.json")).unwrap();
    assert!(
        sarif.contains("\"baselineState\": \"unchanged\"")
            && sarif.contains("\"baselineState\": \"new\"")
    );
    // A file that is not a baseline is reported as such.
    for text in ["", "{}", "{\"format\": \"vergo-baseline\", \"accepted\": [{}]}"] {
        folder.write("bad.json", text).unwrap();
        assert_eq!(check(folder.folder(), &["--baseline", "bad.json"]).code(), Some(2), "{text}");
    }
    assert_eq!(check(folder.folder(), &["--baseline", "missing.json"]).code(), Some(2));
}

#[test]
fn two_runs_are_compared() {
    let folder = Scratch::new("compare").unwrap();
    let write = |name: &str, text: &str| {
        folder.write("a.c", text).unwrap();
        check(folder.folder(), &["--json", name]);
    };
    write("old.json", OLD);
    write("new.json", &new());
    let report = |old: &str, new: &str| {
        let done = tool::vergo(folder.folder(), &["report", old, new, "--json", "c.json"], b"");
        (done.code(), done.stdout_text())
    };
    // The old finding is three lines further down and still the same.
    let (code, text) = report("old.json", "new.json");
    assert_eq!(code, Some(10), "{text}");
    assert!(text.starts_with("new:\n  a.c:14:"), "{text}");
    assert!(text.contains("[arith.division-by-zero]\nstill there:\n  a.c:7:"), "{text}");
    assert!(text.contains("1 new, 0 fixed, 0 no longer decided, 1 still there; "), "{text}");
    let json = std::fs::read_to_string(folder.path("c.json")).unwrap();
    assert!(json.contains("\"format\": \"vergo-comparison\""), "{json}");
    // The other way round it is fixed; and nothing is new against oneself.
    let (code, text) = report("new.json", "old.json");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("0 new, 1 fixed, "), "{text}");
    assert!(text.contains("(the claim is gone)"), "{text}");
    let (code, text) = report("new.json", "new.json");
    assert_eq!((code, text.lines().count()), (Some(0), 4), "{text}");
    for bad in ["missing.json", "a.c"] {
        assert_eq!(report("old.json", bad).0, Some(2));
    }
}

#[test]
fn junit_has_a_test_for_each_claim() {
    let folder = Scratch::new("junit").unwrap();
    folder.write("a.c", new()).unwrap();
    check(folder.folder(), &["--junit", "j.xml", "--json", "r.json"]);
    let xml = std::fs::read_to_string(folder.path("j.xml")).unwrap();
    let json = std::fs::read_to_string(folder.path("r.json")).unwrap();
    assert_eq!(xml.matches("<testcase ").count(), json.matches("\"description\":").count());
    assert_eq!(xml.matches("<failure ").count(), json.matches("\"status\": \"violated\"").count());
    assert!(xml.contains("i = 2") || xml.contains("i = 0"), "{xml}");
    assert_eq!(xml.matches("<testsuite ").count(), xml.matches("</testsuite>").count());
}

#[test]
fn the_steps_of_the_action() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/ci/check.sh");
    let is_there =
        |name: &str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    if !is_there("bash") || !is_there("git") {
        return skip("the_steps_of_the_action", "bash and git are needed");
    }
    let folder = Scratch::new("action").unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(folder.folder()).args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
        ]);
        let done = run(command.args(arguments), b"", Duration::from_secs(60)).unwrap();
        assert!(done.success(), "{arguments:?}: {}", done.stderr_text());
    };
    let act = |more: &[(&str, &str)]| {
        let mut command = Command::new("bash");
        command.arg(&script).current_dir(folder.folder()).env("VERGO", env!("CARGO_BIN_EXE_vergo"));
        command
            .env("VERGO_BASELINE", "b.json")
            .env("VERGO_FILES", "a.c")
            .env("VERGO_SARIF", "s.json");
        command.env("VERGO_ONLY_CHANGED", "true").env("VERGO_BASE", "base").env_remove("CC");
        command.envs(more.iter().copied());
        run(&mut command, b"", Duration::from_secs(120)).unwrap()
    };
    folder.write("a.c", OLD).unwrap();
    check(folder.folder(), &["--write-baseline", "b.json"]);
    git(&["init", "-q", "-b", "base"]);
    git(&["add", "a.c", "b.json"]);
    git(&["commit", "-qm", "base"]);
    git(&["checkout", "-qb", "change"]);
    // Nothing that matters has changed.
    folder.write("notes.txt", "x").unwrap();
    git(&["add", "."]);
    git(&["commit", "-qm", "notes"]);
    let done = act(&[]);
    assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
    assert!(done.stdout_text().contains("no C file differs"), "{}", done.stdout_text());
    // One finding is accepted and one is new: one annotation, and the step fails.
    folder.write("a.c", new()).unwrap();
    git(&["add", "."]);
    git(&["commit", "-qm", "change"]);
    let done = act(&[]);
    assert_eq!(done.code(), Some(1), "{}", done.stderr_text());
    assert_eq!(done.stdout_text().lines().filter(|line| line.starts_with("::")).count(), 1);
    assert!(folder.path("s.json").exists());
    assert_eq!(act(&[("VERGO_FAIL_ON", "never")]).code(), Some(0));
    assert_eq!(act(&[("VERGO_FAIL_ON", "sometimes")]).code(), Some(2));
}

#[test]
fn a_release_archive_has_everything() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/release.sh");
    let folder = Scratch::new("release").unwrap();
    let mut command = Command::new("bash");
    command.arg(&script).arg(folder.folder()).env("VERGO_BINARY", env!("CARGO_BIN_EXE_vergo"));
    let Ok(done) = run(&mut command, b"", Duration::from_secs(120)) else {
        return skip("a_release_archive_has_everything", "bash is needed");
    };
    assert!(done.success(), "{}", done.stderr_text());
    let archive = done.stdout_text().trim().to_owned();
    let listed =
        run(Command::new("tar").args(["-tzf", &archive]), b"", Duration::from_secs(60)).unwrap();
    let listed = listed.stdout_text();
    for file in [
        "bin/vergo",
        "man1/vergo-check.1",
        "completions/vergo",
        "_vergo",
        "vergo.fish",
        "LICENSE",
        "check.sh",
    ] {
        assert!(listed.lines().any(|line| line.ends_with(file)), "{file} is not in\n{listed}");
    }
}
