//! Concrete executions of programs with threads: schedules by chance and by priority, with simple inputs.
//!
//! **Idea.** Most bugs of threads need few things to happen in an unlucky order. Random schedules meet such orders often enough
//! when there are few places at which a thread can be interrupted; priorities (probabilistic concurrency testing, see
//! `vergo_interp::Schedule`) meet them with a known probability when there are many. Both are tried in turn, with switches
//! that are frequent and rare, and executions get longer from round to round. Some executions let few of the threads take part, for programs that
//! start thousands.
//!
//! **Soundness.** `false` is an execution of the interpreter, which is made a second time from what was recorded of it: its
//! inputs and its schedule. Nothing is proved here.

use crate::features::Features;
use crate::sampling::Source;
use crate::{Environment, Progress, Task};
use std::rc::Rc;
use vergo_evidence::{Certify, Counterexample, Reason, Verdict};
use vergo_interp::Schedule;

/// The elementary steps of each execution in the first round, and at most; they double from round to round.
const FIRST_STEPS: u64 = 100_000;
const MAX_STEPS: u64 = 100_000_000;
/// Executions of a round.
const EXECUTIONS: u64 = 48;
/// Rounds after which an engine that has all the time of the world gives up.
const ROUNDS: u64 = 40;
/// Among how many decisions priorities change.
const AMONG: [u64; 4] = [20, 100, 600, 4000];
/// The same where few of many threads take part, and how many times as long these executions are.
const AMONG_FEW: [u64; 4] = [12, 25, 50, 200];
const LONGER: u64 = 16;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("executions have no proofs for others to check"));
    }
    let features = Features::of(task.program);
    if !features.threads {
        return Verdict::Unknown(Reason::Withdrawn("the program has no threads"));
    }
    let mut steps = FIRST_STEPS;
    let mut seed = 0;
    loop {
        for _ in 0..EXECUTIONS {
            if let Some(reason) = env.budget.exhausted() {
                return Verdict::Unknown(reason.into());
            }
            let source = if features.choices { source(seed) } else { ZERO };
            let stream = source.stream(Rc::default());
            let schedule = schedule(seed);
            let steps = match schedule {
                Schedule::Few { .. } => steps * LONGER,
                _ => steps,
            };
            let found =
                Counterexample::search(task.program, stream, schedule, steps, &env.budget);
            if let Ok(counterexample) = found {
                let choices = counterexample.choices().clone();
                match Counterexample::replay(task.program, choices, &env.replay_budget()) {
                    Ok(again) if again.key() == counterexample.key() => {
                        return Verdict::False(Box::new(again));
                    }
                    _ => {
                        let what = "an execution could not be repeated from its schedule";
                        (env.progress)(Progress::Fault(what.to_owned()));
                    }
                }
            }
            seed += 1;
        }
        steps = (steps * 2).min(MAX_STEPS);
        if env.budget.deadline.is_none() && seed >= ROUNDS * EXECUTIONS {
            return Verdict::Unknown(Reason::incomplete("no schedule that was tried violates a claim"));
        }
    }
}

/// The schedule of an execution by its number.
fn schedule(number: u64) -> Schedule {
    match number {
        0 => Schedule::RoundRobin,
        _ if number % 2 == 1 => Schedule::Seed(number / 2),
        _ if number % 8 == 4 => {
            let number = number / 8;
            let among = AMONG_FEW[(number % 4) as usize];
            Schedule::Few { seed: number, changes: 1 + (number / 4 % 3) as u32, among }
        }
        _ => {
            let number = number / 2;
            let among = AMONG[(number % 4) as usize];
            Schedule::Priorities { seed: number, changes: (number / 4 % 5) as u32, among }
        }
    }
}

const ZERO: Source = Source::Steps { first: 0, step: 0 };

/// The inputs of an execution by its number.
fn source(number: u64) -> Source {
    match number / 2 % 4 {
        0 => ZERO,
        1 => Source::Steps { first: 1, step: 0 },
        _ => Source::Small { seed: number },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnViolation;
    use std::time::Duration;
    use vergo_smt::Budget;

    fn verdict(worker: &str, claim: &str) -> Verdict {
        let source = format!(
            "entry main;
             static n: i32 align 4 = {{}};
             function worker: fn(void*) -> void* labels 1 {{
                 param arg: void* align 8; local t: i32 align 4;
                 decl t; {worker} return arg;
             }}
             function main: fn() -> void {{
                 local a: u64 align 8; local b: u64 align 8;
                 decl a; decl b;
                 a := spawn worker(#null<void*>); b := spawn worker(#null<void*>);
                 join a; join b;
                 assert {claim} \"p\" \"sum\"; end 0i32;
             }}"
        );
        let program = vergo_goto::text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let (on_violation, certify) = (OnViolation::Stop, Certify::Off);
        let unrolling = crate::Unrolling::default();
        let task = Task { program: &program, unrolling: &unrolling, on_violation, certify, goal: crate::Goal::Safety, abstraction: None };
        let budget = Budget::within(Duration::from_millis(500));
        run(&task, &Environment { budget, progress: &|_| {} })
    }

    #[test]
    fn lost_updates_are_found_and_others_are_not() {
        let update = "t := n; n := t + 1i32;";
        let lost = verdict(update, "n == 2i32");
        let Verdict::False(counterexample) = &lost else { panic!("{lost:?}") };
        assert!(counterexample.choices().schedule.0.len() > 2);
        let atomic = format!("atomic_begin; {update} atomic_end;");
        assert!(matches!(verdict(&atomic, "n == 2i32"), Verdict::Unknown(_)));
    }

    #[test]
    fn a_race_is_a_matter_of_order_and_not_of_values() {
        let claimed = |section: bool| {
            let access = "assert #unraced_write(&n, 4u64) \"race\" \"n\"; n := 1i32;";
            if section { format!("atomic_begin; {access} atomic_end;") } else { access.to_owned() }
        };
        assert!(matches!(verdict(&claimed(false), "true"), Verdict::False(_)));
        assert!(matches!(verdict(&claimed(true), "true"), Verdict::Unknown(_)));
    }
}
