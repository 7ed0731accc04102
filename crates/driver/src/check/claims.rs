//! A verdict for every claim: the engine is run until each has one, in as many parts as are wanted.
//!
//! An engine that can goes on after a violation by itself; one that cannot is run again on a program in which the violated
//! claim is an assumption (algorithm 8 of the thesis, claim by claim). Parts of the claims are checked at the same time on
//! programs in which the claims of the other parts are assumptions: an execution ends at its first violation, so that
//! what another part's claim stops is that part's business.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::time::Duration;

use vergo_engines::{
    Abstraction, Effort, Environment, Finding, Goal, OnViolation, Outcome, Progress, Task,
    Unrolling,
};
use vergo_evidence::{Certificate, ClaimId, ClaimKey, ClaimTable, Counterexample, Reason, Verdict};
use vergo_goto::program::{InstrKind, Program};
use vergo_smt::Budget;

use super::cache::{self, CacheUse};
use super::slice::{Slice, SliceSize};
use super::specification::Properties;
use super::{Answer, CheckRequest};

/// The status of a claim.
#[derive(Clone, Debug)]
pub(crate) enum Status {
    Holds,
    Violated(Box<Counterexample>),
    Unknown(Reason),
    NotChecked,
}

/// The results for all claims.
pub(super) struct Decided {
    /// In the order of the table.
    pub(super) statuses: Vec<(ClaimId, Status)>,
    /// The proof of the claims that hold, or of everything if none is left.
    pub(super) certificate: Option<Certificate>,
    /// The use of the cache, if there is one.
    pub(super) cache: Option<CacheUse>,
    /// The reason why nothing more is known, if no claim is there to say so.
    unknown: Option<Reason>,
    pub(super) effort: Effort,
    /// The part of the program that the claims need, if it was sliced.
    pub(super) slice: Option<SliceSize>,
    /// Bugs of ours that engines met.
    pub(super) faults: Vec<String>,
}

impl Decided {
    /// The verdict on all claims together; `withheld` is why `true` cannot be said.
    pub(super) fn answer(&self, properties: &Properties, withheld: Option<&str>) -> Answer {
        let mut unknown = self.unknown.clone();
        for (_, status) in &self.statuses {
            match status {
                Status::Violated(counterexample) => {
                    let property = &counterexample.claim().property;
                    return Answer::False(properties.verdict_name(property).to_owned());
                }
                Status::Unknown(reason) => unknown = unknown.or_else(|| Some(reason.clone())),
                Status::Holds | Status::NotChecked => {}
            }
        }
        let holds = self.certificate.is_some() || self.cache == Some(CacheUse::Trusted);
        match (unknown, holds, withheld) {
            (Some(reason), ..) => Answer::Unknown(reason),
            (None, true, None) => Answer::True,
            (None, true, Some(assumed)) => {
                Answer::unknown(format!("it would be true if this holds: {assumed}"))
            }
            (None, false, _) => Answer::unknown("no claim was decided"),
        }
    }
}

impl Decided {
    /// Looks at what an answer rests on a second time, by other code; none if nothing is known anyway.
    pub(super) fn second_look(
        &self,
        program: &Program,
        answer: &Answer,
        budget: &Budget,
    ) -> Option<Result<String, String>> {
        /// The time limit for finding the steps of a counterexample.
        const LONGEST_REPLAY: Duration = Duration::from_secs(60);
        match answer {
            Answer::Unknown(_) => None,
            Answer::True => {
                let certificate = self.certificate.as_ref()?;
                let look = certificate.second_look(program, budget);
                Some(look.map_err(|objection| objection.to_string()))
            }
            Answer::False(_) => {
                let counterexamples = self.statuses.iter().filter_map(|(_, status)| match status {
                    Status::Violated(counterexample) => Some(counterexample),
                    _ => None,
                });
                for counterexample in counterexamples {
                    if !counterexample.stands_step_by_step(program, &Budget::about(LONGEST_REPLAY))
                    {
                        return Some(Err("a violation was not met step by step".to_owned()));
                    }
                }
                Some(Ok("replayed step by step".to_owned()))
            }
        }
    }
}

/// The goal that the claims serve, and the abstraction that shows where to look.
#[derive(Clone, Copy, Default)]
pub(super) struct Aim<'a> {
    pub(super) goal: Goal<'a>,
    pub(super) abstraction: Option<&'a Abstraction>,
}

pub(super) fn decide(
    program: &Program,
    table: &ClaimTable,
    request: &CheckRequest,
    aim: Aim<'_>,
    unrolling: &Unrolling,
    budget: &Budget,
    progress: &(dyn Fn(Progress) + Sync),
) -> Decided {
    let is_safety = matches!(aim.goal, Goal::Safety);
    if let Some(certificate) = Certificate::no_claims(program).filter(|_| is_safety) {
        let effort = Effort::default();
        let certificate = Some(certificate);
        let (statuses, faults) = (Vec::new(), Vec::new());
        let (cache, unknown, slice) = (None, None, None);
        return Decided { statuses, certificate, cache, unknown, effort, slice, faults };
    }
    if let Some(cache) = request.cache.as_ref().filter(|_| !request.paranoid) {
        let task = task(program, request, aim, unrolling);
        if cache::keeps(&task) && cache.is_trusted(&task) {
            let statuses = table.iter().map(|(id, _)| (id, Status::Holds)).collect();
            let cache = Some(CacheUse::Trusted);
            let (certificate, unknown, slice) = (None, None, None);
            let (effort, faults) = (Effort::default(), Vec::new());
            return Decided { statuses, certificate, cache, unknown, effort, slice, faults };
        }
    }
    let done: Mutex<BTreeSet<ClaimKey>> = Mutex::new(BTreeSet::new());
    let told = |step: Progress| {
        if let Progress::Found(finding) = &step
            && let Ok(mut done) = done.lock()
            && done.insert(finding.key())
        {
            progress(Progress::Left(table.len().saturating_sub(done.len())));
        }
        progress(step);
    };
    progress(Progress::Left(table.len()));
    let n_parts = match request.on_violation {
        OnViolation::Stop => 1,
        OnViolation::GoOn => request.jobs.clamp(1, table.len().max(1)),
    };
    let cache_use: Mutex<Option<CacheUse>> = Mutex::new(None);
    let engine = |task: &Task<'_>, env: &Environment<'_>| match &request.cache {
        Some(cache) if cache::keeps(task) => {
            let (outcome, used) = cache.run(task, env, || request.engine.run(task, env));
            if let Ok(mut cache_use) = cache_use.lock() {
                *cache_use = Some(used);
            }
            outcome
        }
        _ => request.engine.run(task, env),
    };
    let part_of = |id: ClaimId| id.as_u32() as usize % n_parts;
    let run = |part: usize| {
        let foreign = |key: &ClaimKey| table.find(key).is_some_and(|id| part_of(id) != part);
        if n_parts == 1 {
            return decide_part(program, request, aim, unrolling, budget, engine, &told);
        }
        decide_part(&assume(program, foreign), request, aim, unrolling, budget, engine, &told)
    };
    let parts: Vec<Part> = if n_parts == 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..n_parts).map(|part| scope.spawn(move || run(part))).collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, Part>| {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            workers.into_iter().map(join).collect()
        })
    };
    let mut decided = merge(table, parts, part_of);
    decided.cache = cache_use.into_inner().unwrap_or_default();
    decided
}

fn merge(table: &ClaimTable, mut parts: Vec<Part>, part_of: impl Fn(ClaimId) -> usize) -> Decided {
    let mut statuses = Vec::new();
    let mut by_id: BTreeMap<ClaimId, Status> = BTreeMap::new();
    for part in &mut parts {
        for (key, status) in std::mem::take(&mut part.statuses) {
            by_id.extend(table.find(&key).map(|id| (id, status)));
        }
    }
    for (id, _) in table.iter() {
        let rest = || match &parts[part_of(id)].rest {
            Rest::Holds(_) => Status::Holds,
            Rest::Unknown(reason) => Status::Unknown(reason.clone()),
            Rest::NotChecked => Status::NotChecked,
        };
        let status = by_id.remove(&id).unwrap_or_else(rest);
        statuses.push((id, status));
    }
    let mut decided = Decided {
        statuses,
        certificate: None,
        cache: None,
        unknown: None,
        effort: Effort::default(),
        slice: None,
        faults: Vec::new(),
    };
    for part in parts {
        decided.slice = decided.slice.or(part.slice);
        decided.effort = decided.effort + part.effort;
        decided.faults.extend(part.faults);
        match part.rest {
            Rest::Holds(certificate) => decided.certificate = Some(certificate),
            Rest::Unknown(reason) => decided.unknown = Some(reason),
            Rest::NotChecked => {}
        }
    }
    decided
}

/// The results of an engine for its claims.
#[derive(Default)]
struct Part {
    statuses: BTreeMap<ClaimKey, Status>,
    rest: Rest,
    effort: Effort,
    faults: Vec<String>,
    /// The part of the program that the claims need, if it was sliced.
    slice: Option<SliceSize>,
}

/// The result for the claims that have no status of their own.
#[derive(Default)]
enum Rest {
    Holds(Certificate),
    Unknown(Reason),
    #[default]
    NotChecked,
}

fn decide_part(
    program: &Program,
    request: &CheckRequest,
    aim: Aim<'_>,
    unrolling: &Unrolling,
    budget: &Budget,
    engine: impl Fn(&Task<'_>, &Environment<'_>) -> Outcome,
    progress: &(dyn Fn(Progress) + Sync),
) -> Part {
    let mut part = Part::default();
    let mut changed = None;
    // Loops of a slice have other numbers than those of the program.
    let mut slices = request.slice && request.unwindset.is_empty();
    let mut sliced = slices.then(|| Slice::of(program)).flatten();
    part.slice = sliced.as_ref().map(|slice| slice.size);
    let mut assumed = BTreeSet::new();
    loop {
        let before = part.effort;
        let report = |step: Progress| {
            progress(match step {
                Progress::Spent(spent) => Progress::Spent(Box::new(before + *spent)),
                other => other,
            });
        };
        let environment = Environment { budget: budget.clone(), progress: &report };
        let whole: &Program = changed.as_ref().unwrap_or(program);
        let looked_at = sliced.as_ref().map_or(whole, |slice| &slice.program);
        let task = task(looked_at, request, aim, unrolling);
        let mut outcome = engine(&task, &environment);
        part.effort = before + outcome.effort;
        part.faults.append(&mut outcome.faults);
        if let Some(slice) = &sliced {
            let in_program = slice.transfer(whole, &mut outcome, &environment);
            // What a slice leaves open is left to the program itself.
            let is_open =
                matches!(outcome.verdict, Verdict::Unknown(_)) && budget.exhausted().is_none();
            if !in_program || is_open {
                (slices, sliced) = (false, None);
                for finding in outcome.findings {
                    if let Finding::Violated(found) = finding {
                        assumed.insert(found.key());
                        part.statuses.insert(found.key(), Status::Violated(found));
                    }
                }
                if !assumed.is_empty() {
                    changed = Some(assume(program, |other| assumed.contains(other)));
                }
                continue;
            }
        }
        for finding in outcome.findings {
            let (key, status) = match finding {
                Finding::Violated(found) => (found.key(), Status::Violated(found)),
                Finding::GivenUp(key, reason) => (key, Status::Unknown(reason)),
            };
            part.statuses.insert(key, status);
        }
        part.rest = match outcome.verdict {
            Verdict::True(certificate) => Rest::Holds(certificate),
            Verdict::Unknown(reason) => Rest::Unknown(reason),
            Verdict::False(counterexample) => {
                let key = counterexample.key();
                part.statuses.insert(key.clone(), Status::Violated(counterexample));
                // An engine that is right cannot violate what it was told to assume.
                let is_new = assumed.insert(key);
                if request.on_violation == OnViolation::GoOn && is_new {
                    let statuses = part.statuses.iter();
                    let violated =
                        statuses.filter(|(_, status)| matches!(status, Status::Violated(_)));
                    assumed.extend(violated.map(|(key, _)| key.clone()));
                    let whole = assume(program, |other| assumed.contains(other));
                    sliced = slices.then(|| Slice::of(&whole)).flatten();
                    changed = Some(whole);
                    continue;
                }
                Rest::NotChecked
            }
        };
        return part;
    }
}

/// The task of an engine.
fn task<'a>(
    program: &'a Program,
    request: &CheckRequest,
    aim: Aim<'a>,
    unrolling: &'a Unrolling,
) -> Task<'a> {
    Task {
        program,
        unrolling,
        on_violation: request.on_violation,
        certify: request.certify,
        goal: aim.goal,
        abstraction: aim.abstraction,
    }
}

/// The program with some claims as assumptions.
fn assume(program: &Program, which: impl Fn(&ClaimKey) -> bool) -> Program {
    let mut program = program.clone();
    for function in program.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(condition, claim) = &instr.kind
                && which(&ClaimKey::new(claim, instr.span))
            {
                instr.kind = InstrKind::Assume(*condition);
            }
        }
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_in_the_report_and_the_answer() {
        let text = "entry main; function main: fn() -> void labels 0 {
                        assert false \"reach.error\" \"never\"; end 0i32; }";
        let program = vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let fault = || Reason::Fault("a proof was rejected".to_owned());
        let faulty = |_: &Task<'_>, _: &Environment<'_>| Outcome {
            verdict: Verdict::Unknown(fault()),
            findings: Vec::new(),
            effort: Effort::default(),
            faults: vec!["a proof was rejected".to_owned()],
        };
        let (request, unrolling) = (CheckRequest::default(), Unrolling::default());
        let budget = Budget::unlimited();
        let part =
            decide_part(&program, &request, Aim::default(), &unrolling, &budget, faulty, &|_| {});
        let decided = merge(&ClaimTable::of(&program), vec![part], |_| 0);
        assert_eq!(decided.faults, ["a proof was rejected"]);
        let properties = Properties { names: Vec::new(), text: None };
        assert_eq!(decided.answer(&properties, None), Answer::Unknown(fault()));
    }
}
