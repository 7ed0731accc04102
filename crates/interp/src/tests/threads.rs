//! Threads: deterministic, atomic where they say so, waiting where they must.

use super::{parse, run_with};
use crate::{Outcome, Schedule};

const COUNTERS: &str = "entry main;
    static n: i32 align 4;
    static locked: i32 align 4;
    static thread_local own: i32 align 4 = { @0: 5i32; };
    function worker: fn(void*) -> void* labels 2 {
        param arg: void* align 8; local i: i32 align 4; local t: i32 align 4;
        i := 0i32;
      L0:
        if i >= 1000i32 goto L1;
        atomic_begin;
        assume locked == 0i32;
        locked := 1i32;
        atomic_end;
        t := n;
        n := t + 1i32;
        own := own + 1i32;
        locked := 0i32;
        i := i + 1i32;
        goto L0;
      L1:
        assert own == 1005i32 \"t\" \"\";
        return arg;
    }
    function main: fn() -> void {
        local a: i32 align 4; local b: i32 align 4; local r: void* align 8; local x: i32 align 4;
        decl x;
        a := spawn worker((void*)&x);
        b := spawn worker((void*)&x);
        r := join a;
        assert r == (void*)&x \"t\" \"\";
        join b;
        assert n == 2000i32 && own == 5i32 \"t\" \"\";
        end 7i32;
    }";

#[test]
fn locks_exclude_in_every_schedule() {
    let program = parse(COUNTERS);
    for schedule in (0..20).map(Schedule::Seed).chain([Schedule::RoundRobin]) {
        let (outcome, _) = run_with(&program, "", |o| o.schedule = schedule.clone());
        assert_eq!(outcome, Outcome::Exited(7), "{schedule:?}");
    }
}

#[test]
fn races_depend_on_the_schedule_alone() {
    let unlocked = COUNTERS.replace("assume locked == 0i32;", "").replace("n == 2000i32 && ", "");
    let unlocked = unlocked.replace("end 7i32", "end n % 256i32");
    let program = parse(&unlocked);
    let outcome = |seed| run_with(&program, "", |o| o.schedule = Schedule::Seed(seed)).0;
    let all: Vec<Outcome> = (0..10).map(outcome).collect();
    assert_eq!(all, (0..10).map(outcome).collect::<Vec<_>>());
    assert!(all.iter().any(|o| *o != all[0]), "{all:?}");
}

#[test]
fn waiting_for_each_other_is_a_deadlock() {
    let program = parse(
        "entry main;
         function worker: fn(void*) -> void* { param arg: void* align 8; join 0i32; return arg; }
         function main: fn() -> void { local a: i32 align 4; a := spawn worker(#null<void*>); join a; end 0i32; }",
    );
    let (outcome, _) = run_with(&program, "", |_| {});
    assert!(matches!(outcome, Outcome::Deadlock(_)), "{outcome:?}");
}
