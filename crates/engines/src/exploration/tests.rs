//! Verdicts on random programs, and on programs that other engines do not decide.

use super::*;
use crate::thread_programs::compare;
use crate::{Goal, OnViolation, Unrolling};
use std::time::Duration;
use vergo_smt::Budget;
use vergo_testkit::environment::slow_or_skip;

#[test]
fn verdicts_are_those_of_a_search_over_schedules() {
    let (n_true, n_unknown) = compare(run, 3, 150);
    assert!((20..130).contains(&n_true), "{n_true}");
    assert_eq!(n_unknown, 0);
}

#[test]
fn five_thousand_verdicts_are_those_of_a_search_over_schedules() {
    if slow_or_skip("five thousand programs with threads") {
        assert_eq!(compare(run, 4, 5000).1, 0);
    }
}

fn verdict(worker: &str, main: &str) -> Verdict {
    let source = format!(
        "sites 1; entry main;
         static n: i32 align 4 = {{}}; static go: i32 align 4 = {{}};
         function worker: fn(void*) -> void* labels 2 {{
             param arg: void* align 8; local t: i32 align 4;
             decl t; {worker} return arg;
         }}
         function main: fn() -> void labels 2 {{
             local a: u64 align 8; local u: i32 align 4; local c: bool align 1;
             decl a; decl u; decl c; a := spawn worker(#null<void*>); {main} end 0i32;
         }}"
    );
    let program = vergo_goto::text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let unrolling = Unrolling::default();
    let task = Task {
        program: &program,
        unrolling: &unrolling,
        on_violation: OnViolation::Stop,
        certify: Certify::Off,
        goal: Goal::Safety,
        abstraction: None,
    };
    let budget = Budget::within(Duration::from_secs(60));
    run(&task, &Environment { budget, progress: &|_| {} })
}

#[test]
fn loops_that_wait_come_back_to_where_they_were() {
    let wait = "L0: t := go; if t == 0i32 goto L0; t := n;";
    let signal = "n := 7i32; go := 1i32;";
    let safe = verdict(&format!("{wait} assert t == 7i32 \"p\" \"seen\";"), signal);
    assert!(matches!(safe, Verdict::True(_)), "{safe:?}");
    let early = "go := 1i32; n := 7i32;";
    let bad = verdict(&format!("{wait} assert t == 7i32 \"p\" \"seen\";"), early);
    assert!(matches!(bad, Verdict::False(_)), "{bad:?}");
}

#[test]
fn races_are_steps_from_one_state() {
    let write = "assert #unraced_write(&n, 4u64) \"race\" \"n\"; n := 1i32;";
    let read = "assert #unraced_read(&n, 4u64) \"race\" \"n\"; u := n;";
    let race = verdict(write, read);
    assert!(matches!(race, Verdict::False(_)), "{race:?}");
    let joined = verdict(write, &format!("join a; {read}"));
    assert!(matches!(joined, Verdict::True(_)), "{joined:?}");
    let [own, other] = [write, read].map(|access| format!("atomic_begin; {access} atomic_end;"));
    let sections = verdict(&own, &other);
    assert!(matches!(sections, Verdict::True(_)), "{sections:?}");
    let mixed = verdict(&own, read);
    assert!(matches!(mixed, Verdict::False(_)), "{mixed:?}");
}

#[test]
fn choices_are_tried_if_they_are_few() {
    let chosen = "c := #nondet<bool>(0); if c goto L0; n := 3i32; L0: u := n;";
    let found = verdict("", &format!("{chosen} assert u == 0i32 \"p\" \"chosen\";"));
    assert!(matches!(found, Verdict::False(_)), "{found:?}");
    let safe = verdict("", &format!("{chosen} assert u != 2i32 \"p\" \"chosen\";"));
    assert!(matches!(safe, Verdict::True(_)), "{safe:?}");
    let many = verdict("", "u := #nondet<i32>(0); assert u != 2i32 \"p\" \"chosen\";");
    assert!(matches!(many, Verdict::Unknown(_)), "{many:?}");
}
