//! Threads that take turns in one loop, for the engines that prove things about loops.
//!
//! **Idea.** A program with a fixed number of threads is made a program without, in which they take turns
//! (`vergo_evidence::product`). Where threads share nothing while they run, they go hand in hand from loop head to loop head, so that what
//! relates their variables is an invariant of one loop; otherwise any thread goes on, up to its next step that others see.
//!
//! **Soundness.** `true` with a certificate of the program without threads, which is made again for it. Nothing is said about violations.

use crate::features::Features;
use crate::portfolio::{Entrant, entrant, race};
use crate::{EngineId, Environment, Goal, OnViolation, Task, Unrolling};
use std::cell::RefCell;
use vergo_evidence::product::Order;
use vergo_evidence::{Certificate, Certify, Reason, Verdict};
use vergo_goto::program::Program;

/// The engines that look at the program without threads.
static ENTRANTS: &[Entrant] = &[
    entrant(EngineId::Kind, 0),
    entrant(EngineId::BmcIncremental, 0),
    entrant(EngineId::Pdr, 500),
];

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("threads have no proof for others to check"));
    }
    if !matches!(task.goal, Goal::Safety) {
        return Verdict::Unknown(Reason::Withdrawn("this is about infinite executions"));
    }
    if !Features::of(task.program).threads {
        return Verdict::Unknown(Reason::Withdrawn("the program has no threads"));
    }
    let mut last = Reason::incomplete("no order of turns can be followed");
    for (order, parts) in [(Order::Loops, 2), (Order::Writes, 2), (Order::Any, 4)] {
        if let Some(end) = env.budget.exhausted() {
            return Verdict::Unknown(end.into());
        }
        let budget = env.budget.part(parts);
        match attempt(task, &Environment { budget, progress: env.progress }, order) {
            Ok(certificate) => return Verdict::True(certificate),
            Err(reason) => last = reason,
        }
    }
    Verdict::Unknown(last)
}

/// A proof by the program of an order.
fn attempt(task: &Task<'_>, env: &Environment<'_>, order: Order) -> Result<Certificate, Reason> {
    let answer: RefCell<Option<Verdict>> = RefCell::new(None);
    let safety = |built: &Program| {
        let unrolling = Unrolling::default();
        let on_violation = OnViolation::Stop;
        let task = Task { program: built, unrolling: &unrolling, on_violation, ..*task };
        let quiet = Environment { budget: env.budget.clone(), progress: &|_| {} };
        match race(&task, &quiet, ENTRANTS) {
            Verdict::True(certificate) => Some(certificate),
            other => {
                answer.replace(Some(other));
                None
            }
        }
    };
    match Certificate::product(task.program, order, safety) {
        Ok(Some(certificate)) => Ok(certificate),
        Ok(None) => Err(match answer.take() {
            Some(Verdict::False(found)) => {
                let what = &found.claim().description;
                Reason::Incomplete(format!("it cannot be excluded when threads take turns: {what}"))
            }
            Some(Verdict::Unknown(reason)) => reason,
            _ => Reason::incomplete("nobody has an answer"),
        }),
        Err(what) => Err(Reason::Incomplete(what)),
    }
}
