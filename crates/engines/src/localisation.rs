//! Proofs about the program with few of its variables; with more where few do not suffice.
//!
//! **Idea.** What a claim of a large program depends on is often a handful of variables: a lock's state, a counter of
//! references. [`vergo_passes::localise`] leaves out everything else, which makes a program of thousands of lines one of
//! hundreds without memory. If that is safe, so is the program; if not, more variables are kept, in the order in which
//! they can matter.
//!
//! **Source.** Localisation reduction (Kurshan 1994) with refinement as in Clarke, Grumberg, Jha, Lu, Veith,
//! "Counterexample-guided abstraction refinement", CAV 2000, doi 10.1007/10722167_15. Changed: what is kept next follows
//! from dependences in the program, not from the counterexample, so that there are few rounds.
//!
//! **Soundness.** The checker of evidence compares the two programs instruction by instruction, and then wants a
//! certificate of the smaller one. A violation of the smaller one shows nothing; one of the program is replayed.
//!
//! All choices are first tabulated ([`crate::tabulation`]), which takes little time. Where that finds violations with all
//! variables that can be kept, the ways to them lead symbolic execution of the program ([`crate::guided`]); then other engines
//! look at the localised programs.
//!
//! **Effort.** A round has at most a third of the time that is left, so that one whose system does not come to an end
//! leaves time for the next.

use crate::guided::search;
use crate::portfolio::{Entrant, entrant, race};
use crate::tabulation::{Blocked, Tabulated, tabulate};
use crate::{EngineId, Environment, Goal, OnViolation, Task};
use vergo_evidence::{Certificate, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_passes::localise::Localiser;

/// The engines that look at a localised program.
static ENTRANTS: &[Entrant] = &[
    // A violation, soon, means that variables are missing.
    entrant(EngineId::BmcIncremental, 0),
    entrant(EngineId::Kind, 0),
    entrant(EngineId::Pdr, 300),
];

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if !matches!(task.goal, Goal::Safety) {
        return Verdict::Unknown(Reason::Withdrawn("this is about infinite executions"));
    }
    let Some(localiser) = Localiser::new(task.program) else {
        return Verdict::Unknown(Reason::Unsupported("threads".to_owned()));
    };
    let size = |program: &Program| -> usize {
        program.functions.values().flat_map(|function| &function.body).map(Vec::len).sum()
    };
    let choices = localiser.choices();
    let mut violated = None;
    for kept in &choices {
        if let Some(end) = env.budget.exhausted() {
            return Verdict::Unknown(Reason::Stopped(end));
        }
        let (weaker, origins) = localiser.localise_with_origins(kept);
        if size(&weaker) >= size(task.program) {
            break;
        }
        let tabulated = tabulate(&weaker, &Blocked::default(), &env.budget.part(3));
        let table = match tabulated {
            Tabulated::Safe(table) => table,
            Tabulated::Violated(_) => {
                violated = Some((weaker, origins));
                continue;
            }
            Tabulated::GivenUp => continue,
        };
        let safety = |weaker: &Program| Certificate::tabulated(weaker, &table, &env.budget).ok();
        match Certificate::localised(task.program, &weaker, kept, safety) {
            Ok(Some(certificate)) => return Verdict::True(certificate),
            Ok(None) => {}
            Err(what) => return Verdict::Unknown(Reason::Fault(what)),
        }
    }
    if let (Some((weaker, origins)), OnViolation::Stop) = (&violated, task.on_violation) {
        let env = Environment { budget: env.budget.part(2), progress: &|_| {} };
        if let Some(found) = search(task, &env, weaker, origins) {
            return Verdict::False(Box::new(found));
        }
    }
    for kept in &choices {
        if let Some(end) = env.budget.exhausted() {
            return Verdict::Unknown(Reason::Stopped(end));
        }
        let weaker = localiser.localise(kept);
        if size(&weaker) >= size(task.program) {
            return Verdict::Unknown(Reason::Withdrawn("nothing can be left out"));
        }
        let safety = |weaker: &Program| {
            let on_violation = OnViolation::Stop;
            let task = Task { program: weaker, abstraction: None, on_violation, ..*task };
            let env = Environment { budget: env.budget.part(3), progress: &|_| {} };
            match race(&task, &env, ENTRANTS) {
                Verdict::True(certificate) => Some(certificate),
                // It violates a claim that the program may not, or nobody can tell.
                _ => None,
            }
        };
        match Certificate::localised(task.program, &weaker, kept, safety) {
            Ok(Some(certificate)) => return Verdict::True(certificate),
            Ok(None) => {}
            Err(what) => return Verdict::Unknown(Reason::Fault(what)),
        }
    }
    Verdict::Unknown(Reason::incomplete("memory matters, or variables whose address is taken"))
}
