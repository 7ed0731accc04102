//! Claims in groups, where not everything can be said at once: one hard claim must not hide what is easy to say of the others.
//!
//! **Source.** Section 4.5 and algorithm 8 of the thesis: a program for each assertion, in which the others are assumptions.
//!
//! **Changed.** The thesis splits at once, which makes a solver do the same work for each claim. Here all claims are asked about
//! together first. What is open then is asked about by function, if it is much, since claims of a function share guards and
//! data, and what is open after that claim by claim, each time with an equal part of the work that is left. A group is given the slice
//! for its own claims ([`super::slice`]), so that code that only other claims need costs nothing; where that leaves it open,
//! the program in which the other claims are assumptions. Groups are decided at the same time by as many workers as `--jobs`
//! says.
//!
//! **Soundness.** An execution ends at the first claim that it violates (decision 6), so that what another group's claim stops
//! is that group's business, and a violation counts if it is the first one of its execution in the program. If all groups
//! are proved, no execution violates anything first. A slice for fewer claims has more executions, not fewer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use vergo_engines::{OnViolation, Progress};
use vergo_evidence::{Certify, ClaimId, ClaimKey, ClaimTable, Reason};
use vergo_goto::program::{InstrKind, Program};
use vergo_smt::{Budget, StopReason, work_in};

use super::CheckRequest;
use super::claims::{Checker, Decided, Part, Rest, Status, assume};

/// The part of the work for all claims at once, in hundredths.
const TOGETHER: u64 = 50;
/// So few claims are asked about one by one at once.
const FEW: usize = 24;
/// The part of the time after which that ends even if the machine was too slow for the work.
const LATEST: f64 = 0.6;
/// The work for all claims at once, and the work for a group in the first round, where no limit is given.
const UNLIMITED_TOGETHER: Duration = Duration::from_secs(60);
const UNLIMITED_GROUP: Duration = Duration::from_secs(5);

/// Returns whether claims that stay open are asked about in groups.
pub(super) fn are_wanted(request: &CheckRequest, table: &ClaimTable) -> bool {
    // A second look, and the clauses that are written, are those of a proof of everything.
    let is_for_all = request.paranoid || request.certify != Certify::Off;
    request.on_violation == OnViolation::GoOn && !is_for_all && table.len() > 1
}

/// The budget for all claims at once.
pub(super) fn together(budget: &Budget) -> Budget {
    let work = budget.share.map_or(work_in(UNLIMITED_TOGETHER), |share| share / 100 * TOGETHER);
    until(budget.at_most(work), LATEST)
}

/// The budget with a part of the time that is left: the clock stops it on a machine that is too slow for its work, so that
/// others have their turn.
fn until(budget: Budget, part: f64) -> Budget {
    let time = budget.time_left().map(|left| left.mul_f64(part.min(1.0)));
    let deadline = time.map(|time| Instant::now() + time);
    Budget { deadline, ..budget }
}

/// Decides open claims in groups, in rounds, until none is open or the budget is spent.
pub(super) fn decide_open(
    checker: &Checker<'_>,
    program: &Program,
    table: &ClaimTable,
    decided: &mut Decided,
    budget: &Budget,
) {
    for round in 0.. {
        let open: Vec<ClaimId> = decided.open().collect();
        if let Some(stop) = budget.exhausted() {
            decided.stopped_by(stop);
            return;
        }
        if open.is_empty() {
            return;
        }
        let mut groups = by_function(table, &open);
        let is_first = round == 0 && open.len() > FEW && groups.len() > 1;
        if !is_first {
            groups = open.iter().map(|&id| vec![id]).collect();
        }
        let round_budget = match budget.share {
            Some(_) if is_first => until(budget.part(2), 0.5),
            Some(_) => budget.part(1),
            None => budget.at_most(
                work_in(UNLIMITED_GROUP)
                    .saturating_mul(groups.len() as u64)
                    .saturating_mul(1 << round.min(30)),
            ),
        };
        let is_stopped = decide_round(checker, program, table, decided, groups, &round_budget);
        // With more work the groups would say the same again.
        if !is_stopped && !is_first {
            return;
        }
    }
}

/// Open claims by the functions that they stand in.
fn by_function(table: &ClaimTable, open: &[ClaimId]) -> VecDeque<Vec<ClaimId>> {
    let mut groups: BTreeMap<&str, Vec<ClaimId>> = BTreeMap::new();
    for &id in open {
        groups.entry(&table.site(id).function).or_default().push(id);
    }
    groups.into_values().collect()
}

/// Decides each of the groups; returns whether the end of its budget stopped one of them.
fn decide_round(
    checker: &Checker<'_>,
    program: &Program,
    table: &ClaimTable,
    decided: &mut Decided,
    groups: VecDeque<Vec<ClaimId>>,
    budget: &Budget,
) -> bool {
    let n_workers = checker.request.jobs.clamp(1, groups.len());
    let queue = Mutex::new(groups);
    let found: Mutex<(&mut Decided, bool)> = Mutex::new((decided, false));
    let worker = || {
        loop {
            let (group, n_left) = {
                let mut queue = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let n_left = queue.len().div_ceil(n_workers) as u32;
                let Some(group) = queue.pop_front() else { return };
                (group, n_left)
            };
            if budget.exhausted().is_some() {
                return;
            }
            let share = until(budget.part(n_left), 1.5 / f64::from(n_left));
            // What analyses say is proved in every group anew.
            let is_own = |key: &ClaimKey| {
                key.is_fact() || table.find(key).is_some_and(|id| group.contains(&id))
            };
            let whole = assume(program, |key| !is_own(key));
            let needed = without(program, |key| !is_own(key));
            let part = checker.decide(&whole, Some(&needed), &share);
            let mut found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            found.1 |= share.interrupted().is_some();
            found.0.add(table, &group, part);
            (checker.progress)(Progress::Left(found.0.open().count()));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).1
}

impl Decided {
    /// The claims about which nothing is known.
    fn open(&self) -> impl Iterator<Item = ClaimId> {
        let is_open = |status: &Status| matches!(status, Status::Unknown(_) | Status::NotChecked);
        self.statuses.iter().filter(move |(_, status)| is_open(status)).map(|(id, _)| *id)
    }

    /// What stopped everything is why claims are open, not the end of a group's part of the work.
    fn stopped_by(&mut self, stop: StopReason) {
        let open = self.statuses.iter_mut().filter_map(|(_, status)| match status {
            Status::Unknown(reason) => Some(reason),
            _ => None,
        });
        for reason in open.chain(&mut self.unknown) {
            *reason = std::mem::replace(reason, Reason::bound()).at_the_end(stop);
        }
    }

    /// Adds what is known of a group.
    fn add(&mut self, table: &ClaimTable, group: &[ClaimId], part: Part) {
        let Part { statuses, rest, effort, mut faults, of_slice, .. } = part;
        self.effort = self.effort + effort;
        self.faults.append(&mut faults);
        let mut own: BTreeMap<ClaimId, Status> = BTreeMap::new();
        for (key, status) in statuses {
            own.extend(table.find(&key).map(|id| (id, status)));
        }
        let holds = matches!(rest, Rest::Holds(_));
        let group: BTreeSet<ClaimId> = group.iter().copied().collect();
        for (id, status) in &mut self.statuses {
            match own.remove(id) {
                Some(Status::Violated(found)) => *status = Status::Violated(found),
                None if holds && group.contains(id) => *status = Status::Holds,
                _ => {}
            }
        }
        if let Rest::Holds(certificate) = rest {
            self.of_slice |= of_slice;
            self.certificates.push(certificate);
        }
        if self.open().next().is_none() {
            self.unknown = None;
        }
    }
}

/// The program without some claims.
fn without(program: &Program, which: impl Fn(&ClaimKey) -> bool) -> Program {
    let mut program = program.clone();
    for function in program.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(_, claim) = &instr.kind
                && which(&ClaimKey::new(claim, instr.span))
            {
                instr.kind = InstrKind::Skip;
            }
        }
    }
    program
}
