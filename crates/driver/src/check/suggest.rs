//! Contracts of loops that a report suggests, as clauses that can be pasted into the source.
//!
//! A clause has to be inductive on its own, since loop contracts leave nothing of a loop but one round. So an invariant of a
//! proof by plain induction is best; where the proof is another one, property-directed reachability is asked for such an
//! invariant, and where it finds none, what is known of loops otherwise is suggested, which may be too little.

use std::time::Duration;

use vergo_engines::{EngineId, Environment, Goal, OnViolation, Task, Unrolling, loop_facts};
use vergo_evidence::certificate::Invariant;
use vergo_evidence::witness::InvariantKind;
use vergo_evidence::{Certificate, Certify, LoopInvariant, Verdict};
use vergo_smt::Budget;

use super::report::{Answer, CheckReport};
use crate::job::Job;

/// The time limit of the search for an inductive invariant.
const MOST_TIME: Duration = Duration::from_secs(10);

/// A clause for a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// Where the loop is: `FILE:LINE:COLUMN`.
    pub place: String,
    /// The function that it is in.
    pub function: Option<String>,
    /// The clause.
    pub clause: String,
}

impl CheckReport {
    /// Contracts for the loops of the program's files, in the order of the source.
    pub fn suggestions(&self, job: &Job) -> Vec<Suggestion> {
        let mut loops = inductive(self.invariant());
        if loops.is_empty() && self.answer == Answer::True {
            let certificate = self.search();
            loops = inductive(certificate.as_ref().and_then(|proof| proof.invariant()));
        }
        if loops.iter().all(|at| at.text.is_none()) {
            loops = loop_facts(&self.program, &Budget::about(MOST_TIME));
        }
        let invariants = self.at_loops(job, &loops);
        let loops = invariants.into_iter().filter(|at| at.kind == InvariantKind::Loop);
        loops
            .map(|at| Suggestion {
                place: format!("{}:{}:{}", at.place.file, at.place.line, at.place.column),
                function: at.place.function,
                clause: format!("__CPROVER_loop_invariant({})", at.value),
            })
            .collect()
    }

    /// A proof by an inductive invariant.
    fn search(&self) -> Option<Certificate> {
        let task = Task {
            program: &self.program,
            unrolling: &Unrolling::default(),
            on_violation: OnViolation::Stop,
            certify: Certify::Off,
            goal: Goal::Safety,
            abstraction: None,
        };
        let env = Environment { budget: Budget::within(MOST_TIME), progress: &|_| {} };
        match EngineId::Pdr.run(&task, &env).verdict {
            Verdict::True(certificate) => Some(certificate),
            _ => None,
        }
    }
}

/// Returns the invariants at loops of a proof by plain induction.
fn inductive(invariant: Option<&Invariant>) -> Vec<LoopInvariant> {
    let plain = invariant.filter(|invariant| invariant.k <= 1 && !invariant.simple_paths);
    plain.map(|invariant| invariant.loops.clone()).unwrap_or_default()
}
