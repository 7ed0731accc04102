//! Every schedule of a program's threads, executed state by state.
//!
//! **Idea.** A program with threads that takes no inputs often has few states, although it has many schedules: loops that wait come
//! back to where they were, and threads that do not touch the same things arrive at the same state in any order. The
//! interpreter makes every step from every state (`vergo_interp::explore`); so each violation, each race and their absence is seen,
//! also where threads wait in loops without a bound.
//!
//! **Soundness.** `true` is a certificate of `evidence`, which says of which programs the interpreter sees all executions;
//! `false` is replayed by its schedule.

use crate::features::Features;
use crate::{Environment, Task};
use vergo_evidence::{Certificate, Certify, Counterexample, Reason, Verdict};
use vergo_interp::{Explored, Request, Schedule};

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("executions have no proofs for others to check"));
    }
    if !Features::of(task.program).threads {
        return Verdict::Unknown(Reason::Withdrawn("the program has no threads"));
    }
    match Certificate::all_executions(task.program, &env.budget) {
        Ok(certificate) => Verdict::True(certificate),
        Err(Explored::Violated { schedule, inputs }) => {
            let mut inputs = inputs.into_iter();
            let values = move |_: &Request<'_>| inputs.next().ok_or_else(|| "no input".to_owned());
            let schedule = Schedule::Recorded(schedule);
            let budget = env.replay_budget();
            let found = Counterexample::search(task.program, values, schedule, u64::MAX, &budget);
            match found.and_then(|found| {
                Counterexample::replay(task.program, found.choices().clone(), &env.replay_budget())
            }) {
                Ok(counterexample) => Verdict::False(Box::new(counterexample)),
                Err(mismatch) => Verdict::Unknown(crate::no_replay(None, Some(mismatch))),
            }
        }
        Err(Explored::Unknown(why)) => Verdict::Unknown(match env.budget.exhausted() {
            Some(reason) => reason.into(),
            None => Reason::Unsupported(why),
        }),
        Err(Explored::Safe { .. }) => {
            Verdict::Unknown(Reason::Fault("all executions are safe, and are not".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests;
