//! Random programs with threads: no race that ThreadSanitizer sees in some execution is denied, and programs that follow their locks
//! have none.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::{skip, slow, slow_or_skip};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::run;
use vergo_testkit::racing::program;

/// The exit status of a program in which ThreadSanitizer has seen a race.
const RACE: i32 = 66;

/// Compares programs by their seeds, each executed so often.
fn compare(test: &str, seeds: std::ops::Range<u64>, executions: usize) {
    let Some(host) = HostC::find() else { return skip(test, "there is no gcc") };
    let folder = Scratch::new(test).expect("a folder");
    let (mut n_races, mut n_seen, mut n_decided, total) = (0, 0, 0, seeds.end - seeds.start);
    for seed in seeds {
        let racing = program(seed);
        let source = folder.write("racing.c", &racing.text).expect("written");
        let binary = folder.path("racing");
        let options = ["-fsanitize=thread", "-O1", "-g", "-pthread"];
        let compiled = host.compile(&source, &binary, &options).expect("gcc runs");
        if !compiled.success() {
            return skip(test, "gcc has no ThreadSanitizer");
        }
        let seen = (0..executions).any(|_| {
            let done = run(&mut Command::new(&binary), b"", Duration::from_secs(20));
            done.is_ok_and(|done| done.code() == Some(RACE))
        });
        let arguments = [
            "check",
            "--property",
            "no-data-race",
            "--timeout",
            "20",
            source.to_str().expect("text"),
        ];
        let done = tool::vergo(Path::new("."), &arguments, b"");
        let verdict = done.stdout_text().lines().last().unwrap_or_default().to_owned();
        n_seen += u64::from(seen);
        n_races += u64::from(verdict.contains("false"));
        n_decided += u64::from(!verdict.contains("unknown"));
        assert!(!(seen && verdict == "RESULT: true"), "seed {seed}: {}", racing.text);
        assert!(
            !(racing.careful && (seen || verdict.contains("false"))),
            "seed {seed}: {}",
            racing.text
        );
    }
    assert!(n_races >= n_seen, "{n_races} races, ThreadSanitizer sees {n_seen}");
    assert!(n_decided * 10 >= total * 9, "{n_decided} of {total} are decided");
}

#[test]
fn no_race_is_denied_that_thread_sanitizer_sees() {
    if !slow() {
        compare("races", 0..6, 5);
    }
}

#[test]
fn no_race_is_denied_that_thread_sanitizer_sees_in_many_programs() {
    if slow_or_skip("no_race_is_denied_that_thread_sanitizer_sees_in_many_programs") {
        compare("races-many", 0..300, 50);
    }
}
