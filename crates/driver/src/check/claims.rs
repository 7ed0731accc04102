//! A verdict for every claim: the engine is run until each has one.
//!
//! An engine that can goes on after a violation by itself; one that cannot is run again on a program in which the violated
//! claim is an assumption. First all claims are asked about at once; what is open after a part of the work is asked about
//! in groups ([`super::groups`]).

use std::collections::{BTreeMap, BTreeSet};
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
use super::groups;
use super::slice::{Slice, SliceSize, Slicing};
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
#[derive(Default)]
pub(super) struct Decided {
    /// In the order of the table.
    pub(super) statuses: Vec<(ClaimId, Status)>,
    /// The proofs of the claims that hold: one of everything, or one for each group.
    pub(super) certificates: Vec<Certificate>,
    /// The use of the cache, if there is one.
    pub(super) cache: Option<CacheUse>,
    /// The reason why nothing more is known, if no claim is there to say so.
    pub(super) unknown: Option<Reason>,
    pub(super) effort: Effort,
    /// The part of the program that the claims need, if it was sliced.
    pub(super) slice: Option<SliceSize>,
    /// True if a proof is about a slice.
    pub(super) of_slice: bool,
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
        let holds = !self.certificates.is_empty() || self.cache == Some(CacheUse::Trusted);
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
                let certificate = self.certificates.first()?;
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
        return Decided { certificates: vec![certificate], ..Decided::default() };
    }
    if let Some(cache) = request.cache.as_ref().filter(|_| !request.paranoid) {
        let task = task(program, request, aim, unrolling);
        if cache::keeps(&task) && cache.is_trusted(&task) {
            let statuses = table.iter().map(|(id, _)| (id, Status::Holds)).collect();
            return Decided { statuses, cache: Some(CacheUse::Trusted), ..Decided::default() };
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
    let checker = Checker { request, aim, unrolling, engine: &engine, progress: &told };
    let in_groups = is_safety && groups::are_wanted(request, table);
    let together = if in_groups { groups::together(budget) } else { budget.clone() };
    let part = checker.decide(program, None, &together);
    let mut decided = Decided::of(table, part);
    // Of groups the cache may know some.
    decided.cache = cache_use.lock().map_or(None, |mut used| used.take());
    if in_groups {
        groups::decide_open(&checker, program, table, &mut decided, budget);
    }
    decided
}

impl Decided {
    /// The results of a part that is all of the claims.
    fn of(table: &ClaimTable, mut part: Part) -> Decided {
        let mut by_id: BTreeMap<ClaimId, Status> = BTreeMap::new();
        for (key, status) in std::mem::take(&mut part.statuses) {
            by_id.extend(table.find(&key).map(|id| (id, status)));
        }
        let rest = || match &part.rest {
            Rest::Holds(_) => Status::Holds,
            Rest::Unknown(reason) => Status::Unknown(reason.clone()),
            Rest::NotChecked => Status::NotChecked,
        };
        let ids = table.iter().map(|(id, _)| id);
        let statuses = ids.map(|id| (id, by_id.remove(&id).unwrap_or_else(rest))).collect();
        let (certificates, unknown) = match part.rest {
            Rest::Holds(certificate) => (vec![certificate], None),
            Rest::Unknown(reason) => (Vec::new(), Some(reason)),
            Rest::NotChecked => (Vec::new(), None),
        };
        let Part { effort, faults, slice, of_slice, .. } = part;
        Decided { statuses, certificates, cache: None, unknown, effort, slice, of_slice, faults }
    }
}

/// The results of an engine for its claims.
#[derive(Default)]
pub(super) struct Part {
    pub(super) statuses: BTreeMap<ClaimKey, Status>,
    pub(super) rest: Rest,
    pub(super) effort: Effort,
    pub(super) faults: Vec<String>,
    /// The part of the program that the claims need, if it was sliced.
    slice: Option<SliceSize>,
    /// True if the proof is about it.
    pub(super) of_slice: bool,
}

/// The result for the claims that have no status of their own.
#[derive(Default)]
pub(super) enum Rest {
    Holds(Certificate),
    Unknown(Reason),
    #[default]
    NotChecked,
}

/// An engine and the question that it is asked about programs.
pub(super) struct Checker<'a> {
    pub(super) request: &'a CheckRequest,
    aim: Aim<'a>,
    unrolling: &'a Unrolling,
    engine: &'a (dyn Fn(&Task<'_>, &Environment<'_>) -> Outcome + Sync),
    pub(super) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Checker<'_> {
    /// Decides the claims of a program. `needed` has those of its claims that a slice is to be made for.
    pub(super) fn decide(
        &self,
        program: &Program,
        needed: Option<&Program>,
        budget: &Budget,
    ) -> Part {
        let (request, progress) = (self.request, self.progress);
        let mut part = Part::default();
        let mut changed = None;
        // Loops of a slice have other numbers than those of the program, and what never ends is no claim.
        let mut slicing = match request.slicing {
            _ if !request.unwindset.is_empty() => Slicing::Never,
            _ if !matches!(self.aim.goal, Goal::Safety) => Slicing::Never,
            _ if needed.is_some() => Slicing::Always,
            // A second look is at the whole program anyway.
            Slicing::WhereSmall if request.paranoid => Slicing::Never,
            asked => asked,
        };
        let mut sliced = Slice::of(needed.unwrap_or(program), slicing);
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
            let task = task(looked_at, request, self.aim, self.unrolling);
            let mut outcome = (self.engine)(&task, &environment);
            part.effort = before + outcome.effort;
            part.faults.append(&mut outcome.faults);
            if let Some(doubt) = doubt(&outcome) {
                if let Reason::Fault(fault) = &doubt {
                    part.faults.push(fault.clone());
                }
                part.rest = Rest::Unknown(doubt);
                return part;
            }
            if let Some(slice) = &sliced {
                let in_program = slice.transfer(whole, &mut outcome, &environment);
                // What a slice leaves open is left to the program itself.
                let is_open =
                    matches!(outcome.verdict, Verdict::Unknown(_)) && budget.exhausted().is_none();
                if !in_program || is_open {
                    (slicing, sliced) = (Slicing::Never, None);
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
                Verdict::True(certificate) => {
                    part.of_slice = sliced.is_some();
                    Rest::Holds(certificate)
                }
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
                        sliced = Slice::of(&whole, slicing);
                        changed = Some(whole);
                        continue;
                    }
                    Rest::NotChecked
                }
            };
            return part;
        }
    }
}

/// The reason why nothing can be made of an outcome: passes relied on what an analysis says, and that was not proved.
fn doubt(outcome: &Outcome) -> Option<Reason> {
    let wrong = || Reason::Fault("what an analysis says of numbers does not hold".to_owned());
    let in_findings = outcome.findings.iter().find_map(|finding| match finding {
        Finding::Violated(found) => found.key().is_fact().then(wrong),
        Finding::GivenUp(key, reason) => key.is_fact().then(|| reason.clone()),
    });
    in_findings.or_else(|| match &outcome.verdict {
        Verdict::False(last) => last.key().is_fact().then(wrong),
        _ => None,
    })
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
pub(super) fn assume(program: &Program, which: impl Fn(&ClaimKey) -> bool) -> Program {
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
    use vergo_engines::EngineId;

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
        let (aim, engine, progress) = (Aim::default(), &faulty, &|_| {});
        let checker = Checker { request: &request, aim, unrolling: &unrolling, engine, progress };
        let part = checker.decide(&program, None, &budget);
        let decided = Decided::of(&ClaimTable::of(&program), part);
        assert_eq!(decided.faults, ["a proof was rejected"]);
        let properties = Properties { names: Vec::new(), text: None };
        assert_eq!(decided.answer(&properties, None), Answer::Unknown(fault()));
    }

    #[test]
    fn a_fact_that_does_not_hold_is_a_fault_and_no_answer() {
        let text = "entry main; function main: fn() -> void labels 0 {
                        assert false \"analysis.fact\" \"wrong\";
                        assume false;
                        assert false \"reach.error\" \"never\"; end 0i32; }";
        let program = vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let request = CheckRequest { engine: EngineId::Bmc, ..CheckRequest::default() };
        let (unrolling, budget) = (Unrolling::default(), Budget::unlimited());
        let table = ClaimTable::of(&program);
        assert_eq!(table.len(), 1);
        let (aim, progress) = (Aim::default(), &|_| {});
        let decided = decide(&program, &table, &request, aim, &unrolling, &budget, progress);
        assert_eq!(decided.faults.len(), 1, "{:?}", decided.faults);
        let properties = Properties { names: Vec::new(), text: None };
        let answer = decided.answer(&properties, None);
        assert!(matches!(answer, Answer::Unknown(Reason::Fault(_))), "{answer:?}");
    }
}
