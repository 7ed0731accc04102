//! Verdicts on random programs, and proofs with mistakes.

use super::{Proof, prove, run};
use crate::thread_programs::compare;
use crate::{EngineId, Environment, Goal, OnViolation, Task, Unrolling};
use std::time::Duration;
use vergo_evidence::thread_modular::{Fact, Linear};
use vergo_evidence::{Certificate, Certify, Verdict};
use vergo_goto::program::Program;
use vergo_smt::Budget;

#[test]
fn verdicts_are_those_of_a_search_over_schedules() {
    let (n_true, n_unknown) = compare(run, 3, 60);
    // What fails is unknown here, and some of what does not.
    assert!(n_unknown >= 60 - n_true && n_unknown < 60, "{n_true} {n_unknown}");
}

const SUM: &str = "entry main; static x: i32 align 4 = {};
    function f: fn(void*) -> void* labels 2 { param arg: void* align 8; local i: i32 align 4; decl i; i := 0i32;
        L0: if 5i32 <= i goto L1;
        atomic_begin; x := x + 2i32; assert 0i32 < x \"p\" \"own\"; atomic_end; i := i + 1i32; goto L0;
        L1: return arg; }
    function main: fn() -> void { local s: u64 align 8; local t: u64 align 8; decl s; decl t;
        s := spawn f(#null<void*>); t := spawn f(#null<void*>); join s; join t;
        assert x == 20i32 \"p\" \"end\"; end 0i32; }";

fn with_task<T>(program: &Program, act: impl FnOnce(&Task<'_>, &Environment<'_>) -> T) -> T {
    let unrolling = Unrolling::default();
    let task = Task {
        program,
        goal: Goal::Safety,
        unrolling: &unrolling,
        on_violation: OnViolation::Stop,
        certify: Certify::Off,
        abstraction: None,
    };
    let budget = Budget::within(Duration::from_secs(100));
    act(&task, &Environment { budget, progress: &|_| {} })
}

/// Has a proof checked.
fn certify(program: &Program, proof: &Proof) -> Result<bool, String> {
    let safety = |built: &Program| {
        let verdict = with_task(built, |task, env| EngineId::BmcIncremental.run(task, env).verdict);
        match verdict {
            Verdict::True(certificate) => Some(certificate),
            _ => None,
        }
    };
    Ok(Certificate::thread_modular(program, proof, safety)?.is_some())
}

#[test]
fn proofs_with_mistakes_are_refused() {
    let program = vergo_goto::text::parse(SUM).unwrap_or_else(|error| panic!("{error}"));
    let (certificate, proof) = with_task(&program, prove).unwrap_or_else(|why| panic!("{why:?}"));
    assert_eq!(certificate.kind(), "thread-modular");
    assert!(certificate.to_string().contains("each thread adds 10 to x"), "{certificate}");
    assert_eq!(certify(&program, &proof), Ok(true));
    // Shares that threads do not keep to.
    for change in [-2, 2] {
        let mut wrong = proof.clone();
        for share in wrong.shares.iter_mut().filter(|share| share.class == 1) {
            share.ended = (share.ended.0 + change, share.ended.1 + change);
        }
        assert_eq!(certify(&program, &wrong), Ok(false));
    }
    let mut narrow = proof.clone();
    narrow.shares.iter_mut().for_each(|share| share.running = (0, 0));
    assert_eq!(certify(&program, &narrow), Ok(false));
    // Shares that say too little, none at all, or not everybody's.
    let mut wide = proof.clone();
    wide.shares.iter_mut().for_each(|share| share.ended = (0, 10));
    assert_eq!(certify(&program, &wide), Ok(false));
    let none = Proof { shares: Vec::new(), ..proof.clone() };
    assert_eq!(certify(&program, &none), Ok(false));
    let mut missing = proof.clone();
    missing.shares.retain(|share| share.class != 2);
    assert!(certify(&program, &missing).is_err());
    // Facts that do not hold, at the beginning or later, and one about nothing.
    let cell = proof.shares[0].cell;
    for (sign, at_least) in [(1, 1), (-1, 0)] {
        let linear = Linear { terms: vec![(sign, cell)], at_least };
        let mut wrong = proof.clone();
        wrong.invariants.push(Fact { any_of: vec![linear] });
        assert_eq!(certify(&program, &wrong), Ok(false));
    }
    let mut nothing = proof.clone();
    nothing.invariants.push(Fact { any_of: vec![Linear { terms: vec![(1, 99)], at_least: 0 }] });
    assert!(certify(&program, &nothing).is_err());
    // A thread that is said to have been waited for.
    let mut early = proof;
    for state in early.facts.states.values_mut() {
        state.joined.extend([1, 2]);
    }
    assert!(certify(&program, &early).is_err());
}
