//! The cover request: a program and criteria in, a verdict for every goal and a small set of tests out.
//!
//! Goals are claims (`passes::coverage`), and are decided as claims are: a goal is *covered* by an execution that the
//! interpreter has replayed, *unreachable* by a proof that a checker has accepted, and *unknown* otherwise. Of the
//! executions a few are kept that together reach every covered goal.

mod output;

pub use output::TestFile;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use vergo_engines::{OnViolation, Progress};
use vergo_evidence::{Choices, Counterexample};
use vergo_goto::program::Program;
use vergo_passes::coverage::{self, PROPERTY, add_goals};
use vergo_smt::Budget;
use vergo_source::SourceMap;

use crate::check::{
    Change, CheckReport, CheckRequest, ClaimStatus, Properties, Specification, TraceDetail,
    check_changed,
};
use crate::input::Input;
use crate::job::{Failed, Job};

pub use vergo_passes::coverage::Criterion;

/// Executions that are tried to find out what a test reaches.
const MAX_REPLAYS: usize = 20_000;

/// A request for coverage.
#[derive(Clone, Debug)]
pub struct CoverRequest {
    /// The criteria.
    pub criteria: Vec<Criterion>,
    /// The options of the decision about goals.
    pub check: CheckRequest,
}

/// The status of a goal.
#[derive(Clone, Debug)]
pub enum GoalStatus {
    /// Reached by the tests of these numbers.
    Covered(Vec<usize>),
    /// No execution reaches it.
    Unreachable,
    /// Nothing is known, and why.
    Unknown(String),
}

/// A goal with what is known of it.
#[derive(Clone, Debug)]
pub struct GoalReport {
    /// The criterion that the goal belongs to.
    pub criterion: Criterion,
    /// The function, in the user's words.
    pub function: String,
    /// The file and line, as the user knows them.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The event that covers the goal.
    pub what: String,
    /// Its status.
    pub status: GoalStatus,
}

/// The results for all goals.
#[derive(Debug)]
pub struct CoverReport {
    /// The goals, in the order of the source.
    pub goals: Vec<GoalReport>,
    /// The tests, by the number of a goal that each was found for.
    pub(crate) tests: Vec<Test>,
    pub(crate) check: CheckReport,
}

/// An execution that is kept.
#[derive(Debug)]
pub(crate) struct Test {
    /// The claim of the check that it violates.
    pub(crate) claim: usize,
    /// The goals that it reaches.
    pub(crate) reaches: BTreeSet<usize>,
    /// Its choices, as far as the last goal that it reaches; the first is the goal.
    pub(crate) inputs: Vec<vergo_evidence::Input>,
}

/// Decides which goals can be reached.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub fn cover(
    job: &mut Job,
    inputs: &[Input],
    request: &CoverRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<CoverReport, Failed> {
    let start = Instant::now();
    let goals = std::cell::RefCell::new(Vec::new());
    let act = |_: &SourceMap, program: &mut Program| {
        *goals.borrow_mut() = add_goals(program, &request.criteria);
    };
    let none = Properties { names: Vec::new(), text: None };
    let check = CheckRequest {
        specification: Specification::Claims(none),
        on_violation: OnViolation::GoOn,
        trace: TraceDetail::None,
        ..request.check.clone()
    };
    let change = Change { act: Some(&act), ..Change::default() };
    let report = check_changed(job, inputs, &check, &change, None, progress)?;
    let goals = goals.take();
    let withheld = report.assumptions.iter().find(|assumption| assumption.withholds());
    let withheld = withheld.map(|assumption| assumption.text.clone());
    let mut statuses: Vec<GoalStatus> =
        vec![GoalStatus::Unknown("the program has no claim for it".to_owned()); goals.len()];
    // By goal, the claim whose violation reaches it.
    let mut found: Vec<Option<usize>> = vec![None; goals.len()];
    for (number, claim) in report.claims.iter().enumerate() {
        let Some(goal) = goal_of(&claim.site.claim) else { continue };
        let Some(status) = statuses.get_mut(goal) else { continue };
        *status = match &claim.status {
            ClaimStatus::Holds => match &withheld {
                None => GoalStatus::Unreachable,
                Some(assumed) => {
                    GoalStatus::Unknown(format!("it is unreachable if this holds: {assumed}"))
                }
            },
            ClaimStatus::Violated(_) => {
                found[goal] = Some(number);
                GoalStatus::Covered(Vec::new())
            }
            ClaimStatus::Unknown(reason) => GoalStatus::Unknown(reason.to_string()),
            ClaimStatus::NotChecked => GoalStatus::Unknown("it was not checked".to_owned()),
        };
    }
    let deadline = request.check.timeout.map(|timeout| start + timeout + timeout / 2);
    let tests = choose_tests(&report, &found, deadline);
    for (number, test) in tests.iter().enumerate() {
        for &goal in &test.reaches {
            if let GoalStatus::Covered(by) = &mut statuses[goal] {
                by.push(number);
            }
        }
    }
    let mut reports: Vec<GoalReport> = Vec::new();
    for (goal, status) in goals.iter().zip(statuses) {
        let place = job.map.presumed(goal.span.lo);
        reports.push(GoalReport {
            criterion: goal.criterion,
            function: report.program.functions[goal.function].display.clone(),
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
            what: goal.what.clone(),
            status,
        });
    }
    Ok(CoverReport { goals: reports, tests, check: report })
}

/// The number of the goal that a claim is of.
fn goal_of(claim: &vergo_goto::program::Claim) -> Option<usize> {
    (claim.property == PROPERTY).then(|| claim.description.parse().ok()).flatten()
}

/// Few executions that reach all goals which executions were found for: the one that reaches most of what is left, again
/// and again.
fn choose_tests(
    report: &CheckReport,
    found: &[Option<usize>],
    deadline: Option<Instant>,
) -> Vec<Test> {
    let covered: Vec<usize> = (0..found.len()).filter(|&goal| found[goal].is_some()).collect();
    let mut n_replays = 0;
    let mut candidates: Vec<Test> = Vec::new();
    for &goal in &covered {
        let Some(claim) = found[goal] else { continue };
        let mut reaches = BTreeSet::from([goal]);
        let mut choices = Vec::new();
        if let ClaimStatus::Violated(violation) = &report.claims[claim].status {
            choices = violation.counterexample.inputs().to_vec();
            for &other in covered.iter().filter(|&&other| other != goal) {
                let late = deadline.is_some_and(|deadline| Instant::now() > deadline);
                if n_replays >= MAX_REPLAYS || late {
                    break;
                }
                n_replays += 1;
                let found = violation.counterexample.choices();
                if let Some(there) = reaching(&report.program, found, other) {
                    reaches.insert(other);
                    if there.inputs().len() > choices.len() {
                        choices = there.inputs().to_vec();
                    }
                }
            }
        }
        candidates.push(Test { claim, reaches, inputs: choices });
    }
    let mut left: BTreeSet<usize> = covered.into_iter().collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |test: &Test| test.reaches.intersection(&left).count();
        let best = (0..candidates.len()).rev().max_by_key(|&i| gain(&candidates[i]));
        let Some(best) = best.filter(|&best| gain(&candidates[best]) > 0) else { break };
        let test = candidates.swap_remove(best);
        left.retain(|goal| !test.reaches.contains(goal));
        chosen.push(test);
    }
    chosen
}

/// The same execution as far as a goal, if it reaches it: it is repeated with that goal as its first choice.
fn reaching(program: &Program, choices: &Choices, goal: usize) -> Option<Counterexample> {
    const TIME: Duration = Duration::from_millis(500);
    let choices = choices.with_first(goal as u64)?;
    let replayed = Counterexample::replay(program, choices, &Budget::about(TIME)).ok()?;
    (goal_of(replayed.claim()) == Some(goal)).then_some(replayed)
}

/// The names of the criteria.
pub fn criteria() -> impl Iterator<Item = &'static str> {
    coverage::Criterion::ALL.iter().map(|&(name, _)| name)
}
