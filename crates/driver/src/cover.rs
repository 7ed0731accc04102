//! The cover request: a program and criteria in, a verdict for every goal and a small set of tests out.
//!
//! Goals are claims (`passes::coverage`), and are decided as claims are: a goal is *covered* by an execution that the
//! interpreter has made, *unreachable* by a proof that a checker has accepted, and *unknown* otherwise. Inputs tried at
//! random reach most goals at no cost (`executions`), so that engines only look for the rest. Of the executions a few are
//! kept that together reach every covered goal, each with as few inputs as that takes.

mod executions;
mod output;
mod page;

pub use output::TestFile;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use vergo_engines::{OnViolation, Progress};
use vergo_goto::program::Program;
use vergo_passes::coverage::{self, Goal, add_goals, goal_of};
use vergo_smt::Budget;
use vergo_source::SourceMap;

use crate::check::{
    Change, CheckReport, CheckRequest, ClaimStatus, Properties, Specification, TraceDetail,
    check_changed,
};
use crate::input::Input;
use crate::job::{Failed, Job};
use executions::{Execution, Recorder};

pub use vergo_passes::coverage::Criterion;

/// The part of the time that inputs tried at random may take.
const SEARCH_SHARE: u32 = 4;
/// The time limit of a repeated execution.
const REPLAY_TIME: Duration = Duration::from_secs(2);

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
    /// The tests; the first choice of each is no choice of the program's.
    tests: Vec<Execution>,
    check: CheckReport,
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
    let search_time = request.check.timeout.map(|timeout| timeout / SEARCH_SHARE);
    let found = RefCell::new(Found::default());
    let act = |_: &SourceMap, program: &mut Program| {
        let goals = add_goals(program, &request.criteria);
        let recorder = Recorder::new(program, &goals);
        let budget = search_time.map_or_else(Budget::default, Budget::about);
        let search = |recorder: &Recorder| recorder.search(goals.list.len(), &budget);
        let executions = recorder.as_ref().map(search).unwrap_or_default();
        let reached: BTreeSet<usize> =
            executions.iter().flat_map(|execution| &execution.reaches).copied().collect();
        coverage::drop_claims(program, |goal| reached.contains(&goal));
        *found.borrow_mut() = Found { goals: goals.list, recorder, executions };
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
    let Found { goals, recorder, mut executions } = found.take();
    let mut statuses = statuses(&report, goals.len());
    if let Some(recorder) = &recorder {
        executions.extend(of_violations(&report, recorder));
        executions = few(executions);
        for execution in &mut executions {
            *execution = recorder.shortened(execution, &Budget::about(REPLAY_TIME));
        }
    }
    for (number, execution) in executions.iter().enumerate() {
        for &goal in &execution.reaches {
            match &mut statuses[goal] {
                GoalStatus::Covered(by) => by.push(number),
                status => *status = GoalStatus::Covered(vec![number]),
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
    Ok(CoverReport { goals: reports, tests: executions, check: report })
}

/// The goals of a program, and the executions that inputs tried at random have shown.
#[derive(Default)]
struct Found {
    goals: Vec<Goal>,
    recorder: Option<Recorder>,
    executions: Vec<Execution>,
}

/// The engines' verdicts about goals that no execution is known for yet.
fn statuses(report: &CheckReport, n_goals: usize) -> Vec<GoalStatus> {
    let withheld = report.assumptions.iter().find(|assumption| assumption.withholds());
    let mut statuses =
        vec![GoalStatus::Unknown("the program has no claim for it".to_owned()); n_goals];
    for claim in &report.claims {
        let Some(goal) = goal_of(&claim.site.claim) else { continue };
        let Some(status) = statuses.get_mut(goal) else { continue };
        *status = match (&claim.status, withheld) {
            (ClaimStatus::Holds, None) => GoalStatus::Unreachable,
            (ClaimStatus::Holds, Some(assumed)) => {
                GoalStatus::Unknown(format!("it is unreachable if this holds: {}", assumed.text))
            }
            (ClaimStatus::Violated(_), _) => GoalStatus::Covered(Vec::new()),
            (ClaimStatus::Unknown(reason), _) => GoalStatus::Unknown(reason.to_string()),
            (ClaimStatus::NotChecked, _) => GoalStatus::Unknown("it was not checked".to_owned()),
        };
    }
    statuses
}

/// The executions that engines found, with all that they reach.
fn of_violations(report: &CheckReport, recorder: &Recorder) -> Vec<Execution> {
    let mut executions = Vec::new();
    for claim in &report.claims {
        if let (ClaimStatus::Violated(violation), Some(goal)) =
            (&claim.status, goal_of(&claim.site.claim))
        {
            let choices = violation.counterexample.choices();
            executions.push(recorder.execute(choices, goal, &Budget::about(REPLAY_TIME)));
        }
    }
    executions
}

/// Few executions that reach all that these reach: the one that reaches most of what is left, again and again.
fn few(mut candidates: Vec<Execution>) -> Vec<Execution> {
    let mut left: BTreeSet<usize> =
        candidates.iter().flat_map(|execution| &execution.reaches).copied().collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |execution: &Execution| execution.reaches.intersection(&left).count();
        let best = (0..candidates.len()).rev().max_by_key(|&i| gain(&candidates[i]));
        let Some(best) = best else { break };
        let execution = candidates.swap_remove(best);
        left.retain(|goal| !execution.reaches.contains(goal));
        chosen.push(execution);
    }
    chosen
}

/// The names of the criteria.
pub fn criteria() -> impl Iterator<Item = &'static str> {
    coverage::Criterion::ALL.iter().map(|&(name, _)| name)
}
