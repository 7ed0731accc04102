//! Violation witnesses: a counter that goes on with the waypoints, and claims that count where it has come to the target.
//!
//! An execution follows a witness if it can be divided so that each part passes the waypoint of its segment without passing
//! those that the segment avoids. The counter takes each waypoint at the first opportunity. Where a segment avoids
//! nothing this finds a division if there is one; where it does, an execution could follow the witness only if a waypoint
//! is passed by at first, and such executions are not found: the answer is then that nothing is known, or a rejection of
//! a witness that says too little.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use vergo_engines::{OnViolation, Progress};
use vergo_evidence::witness::{Action, Waypoint, WaypointKind};
use vergo_evidence::{Choices, ClaimTable, Counterexample};
use vergo_goto::program::{InstrKind, Program, SymbolId};
use vergo_interp::{Addresses, Birth};
use vergo_smt::Budget;
use vergo_source::{SourceMap, Span};

use super::weave::{Weaver, no_place};
use super::{Fate, Validation};
use crate::check::{
    Answer, Change, CheckReport, CheckRequest, Properties, Status, TraceDetail, check,
    check_changed, load, make_claims, source_file,
};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::landmarks::{Branching, Landmarks, Statement, base_name};

/// The counter of the segments.
const COUNTER: &str = "__vergo_segment";

/// Properties whose violations are found out at the end of the program, wherever they were made.
const AT_THE_END: &[&str] = &["memory.leak", "memory.cleanup"];

/// The time limit of the replay on the original program.
const REPLAY: Duration = Duration::from_secs(10);

pub(super) fn validate(
    job: &mut Job,
    inputs: &[Input],
    segments: &[Vec<Waypoint>],
    properties: &Properties,
    request: &CheckRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Validation, Failed> {
    let start = Instant::now();
    let mut weaver = Weaver::new(job, inputs)?;
    weaver.declare(job, COUNTER, &format!("int {COUNTER};"));
    weaver.declare(job, "__CPROVER_assume", "void __CPROVER_assume(_Bool);");
    let mut sites = Sites::default();
    for (number, segment) in segments.iter().enumerate() {
        for waypoint in segment {
            sites.add(job, &mut weaver, number, waypoint)?;
        }
    }
    let target = sites.target.clone().ok_or(Failed::Internal)?;
    sites.weave(&mut weaver);
    let woven = weaver.finish(job)?;
    let n_before = segments.len() - 1;
    let act = |map: &SourceMap, program: &mut Program| gate(map, program, n_before, &target);
    let change = Change { act: Some(&act), ..Change::default() };
    let checked = CheckRequest {
        on_violation: OnViolation::Stop,
        trace: TraceDetail::None,
        ..request.clone()
    };
    let mut report =
        job.quietly(|job| check_changed(job, &woven, &checked, &change, None, progress))?;
    if let Answer::False(_) = report.answer {
        let validation = believe(job, inputs, report, properties, request, Fate::Confirmed)?;
        return Ok(at_target(job, validation, &target));
    }
    let fate = match &report.answer {
        Answer::True => {
            let reason =
                "no execution passes its waypoints and violates the property at its target";
            let timeout = request.timeout.map(|all| all.saturating_sub(start.elapsed()));
            let rest = CheckRequest { timeout, ..checked };
            let (whole, _) = job.apart(|job| check(job, inputs, &rest, progress));
            let answer = match whole {
                // The program cannot go wrong at all.
                Ok(whole) if whole.answer == Answer::True => {
                    report = whole;
                    Answer::True
                }
                _ => Answer::unknown(format!("the witness is rejected: {reason}")),
            };
            report.answer = answer;
            Fate::Rejected(reason.to_owned())
        }
        Answer::Unknown(reason) => Fate::Undecided(reason.to_string()),
        Answer::False(_) => return Err(Failed::Internal),
    };
    report.claims.clear();
    report.files = inputs.iter().map(|input| source_file(job, input)).collect::<Result<_, _>>()?;
    report.properties = properties.clone();
    Ok(Validation { fate, report })
}

/// The verdict that a violation in a woven program gives about the original: one with a replay there, or none.
pub(super) fn believe(
    job: &mut Job,
    inputs: &[Input],
    woven: CheckReport,
    properties: &Properties,
    request: &CheckRequest,
    fate: Fate,
) -> Result<Validation, Failed> {
    let mut program = job.quietly(|job| load(job, inputs, request))?;
    make_claims(job, &mut program, properties.set())?;
    let found = woven.violations().next().map(|found| found.counterexample.clone());
    let found = found.ok_or(Failed::Internal)?;
    let choices = in_program(found.choices(), &woven.program, &program);
    let without_memory = Choices { memory: BTreeMap::new(), ..choices.clone() };
    let replayed = Counterexample::replay(&program, choices, &Budget::about(REPLAY))
        .or_else(|_| Counterexample::replay(&program, without_memory, &Budget::about(REPLAY)));
    let files = inputs.iter().map(|input| source_file(job, input)).collect::<Result<_, _>>()?;
    let (answer, fate, violated) = match replayed {
        Ok(violated) => {
            let name = properties.verdict_name(&violated.claim().property).to_owned();
            (Answer::False(name), fate, Some(violated))
        }
        Err(mismatch) => {
            let reason = format!("a counterexample could not be replayed: {mismatch}");
            (Answer::unknown(reason.clone()), Fate::Undecided(reason), None)
        }
    };
    let table = ClaimTable::of(&program);
    let assumptions = woven.assumptions;
    let mut report =
        CheckReport::new(answer, program, properties.clone(), files, assumptions, job.model);
    report.engine = woven.engine;
    report.entry = woven.entry;
    report.statistics = woven.statistics;
    if let Some(violated) = violated
        && let Some(id) = table.find(&violated.key())
    {
        let site = table.site(id).clone();
        report.push(
            site,
            Status::Violated(Box::new(violated)),
            request.trace,
            &Budget::unlimited(),
        );
    }
    Ok(Validation { fate, report })
}

/// Choices of one program as choices of another with the same variables and more.
fn in_program(choices: &Choices, from: &Program, to: &Program) -> Choices {
    let names: BTreeMap<&str, _> =
        to.symbols.iter().map(|(id, symbol)| (symbol.name.as_str(), id)).collect();
    let mut mapped = choices.clone();
    let functions: BTreeMap<&str, _> =
        to.functions.iter().map(|(id, function)| (function.name.as_str(), id)).collect();
    let symbol = |id: SymbolId| names.get(from.symbols[id].name.as_str()).copied();
    let birth_of = |birth| match birth {
        Birth::Variable(id) => symbol(id).map(Birth::Variable),
        Birth::Static(id) => symbol(id).map(Birth::Static),
        Birth::Function(id) => {
            functions.get(from.functions[id].name.as_str()).copied().map(Birth::Function)
        }
        Birth::Allocation | Birth::Outside => Some(birth),
    };
    mapped.memory.clear();
    for (&(birth, count), bytes) in &choices.memory {
        mapped.memory.extend(birth_of(birth).map(|birth| ((birth, count), bytes.clone())));
    }
    mapped.addresses = Addresses::default();
    for (birth, count, address) in choices.addresses.iter() {
        if let Some(birth) = birth_of(birth) {
            mapped.addresses.choose(birth, count, address);
        }
    }
    mapped
}

/// The violation counts if it is where the witness has it.
fn at_target(job: &Job, mut validation: Validation, target: &Target) -> Validation {
    let found = validation.report.violations().next().map(|found| {
        let at_the_end = AT_THE_END.contains(&found.counterexample.claim().property.as_str());
        (found.span(), at_the_end)
    });
    if let Some((span, at_the_end)) = found
        && !at_the_end
        && !target.contains(&job.map, span)
    {
        let reason =
            format!("the violation is at {}, not at the target", job.map.presumed(span.lo));
        validation.report.answer = Answer::unknown(reason.clone());
        validation.report.claims.clear();
        validation.fate = Fate::Undecided(reason);
    }
    validation
}

/// Where the violation is: the lines of a statement.
#[derive(Clone, Debug)]
struct Target {
    file: String,
    lines: (u32, u32),
}

impl Target {
    fn contains(&self, map: &SourceMap, span: Span) -> bool {
        let at = map.presumed(span.lo);
        base_name(&at.file) == self.file && self.lines.0 <= at.line && at.line <= self.lines.1
    }
}

/// Lets claims count only at the target and after all waypoints. Before, an execution must not violate them: it would end.
fn gate(map: &SourceMap, program: &mut Program, n_before: usize, target: &Target) {
    let counter = program.symbols.iter().find(|(_, symbol)| symbol.display == COUNTER);
    let Some((counter, _)) = counter else { return };
    let ids: Vec<_> = program.functions.keys().collect();
    for id in ids {
        let library = program.functions[id].library;
        let Some(body) = program.functions[id].body.take() else { continue };
        let mut gated = Vec::with_capacity(body.len());
        for mut instr in body {
            if let InstrKind::Assert(condition, claim) = &instr.kind {
                let condition = *condition;
                let is_call = claim.property == "reach.error";
                // The target of an error call is passed before the call.
                let goal = n_before + usize::from(is_call);
                let counts = is_call
                    || library
                    || AT_THE_END.contains(&claim.property.as_str())
                    || target.contains(map, instr.span);
                if counts {
                    let value = program.symbol(counter);
                    let ty = program.exprs.ty(value);
                    let goal = program.int(ty, goal as i128);
                    let there = program.ge(value, goal);
                    let fine = program.or(there, condition);
                    let mut before = instr.clone();
                    before.kind = InstrKind::Assume(fine);
                    gated.push(before);
                } else {
                    instr.kind = InstrKind::Assume(condition);
                }
            }
            gated.push(instr);
        }
        program.functions[id].body = Some(gated);
    }
}

/// The effect of passing a place of the program: the segment in which it matters, the condition, the next segment.
struct Step {
    segment: usize,
    condition: String,
    action: Action,
}

/// The places that are watched, each with its steps.
#[derive(Default)]
struct Sites {
    statements: BTreeMap<(usize, Span), (Statement, Vec<Step>)>,
    branchings: BTreeMap<(usize, Span), (Branching, Vec<Step>)>,
    enters: BTreeMap<(usize, Span), Vec<Step>>,
    returns: BTreeMap<(usize, Span), Vec<Step>>,
    target: Option<Target>,
}

impl Sites {
    /// Adds a waypoint of a segment.
    fn add(
        &mut self,
        job: &mut Job,
        weaver: &mut Weaver,
        segment: usize,
        waypoint: &Waypoint,
    ) -> Result<(), Failed> {
        let place = &waypoint.place;
        let action = waypoint.action;
        let step = |condition: String| Step { segment, condition, action };
        let calls = |landmarks: &Landmarks| {
            // A call is known by its closing parenthesis.
            let mut calls: Vec<(u32, Span)> =
                landmarks.calls.iter().map(|&span| (span.hi - 1, span)).collect();
            calls.sort_by_key(|(at, _)| *at);
            calls
        };
        match &waypoint.kind {
            WaypointKind::Assumption(value) => {
                let condition = weaver.expression(job, value, place)?;
                let statements = |landmarks: &Landmarks| {
                    landmarks.statements.iter().map(|of| (of.span.lo, *of)).collect()
                };
                let (file, found) = weaver.find(job, place, "statement", statements)?;
                let key = (file, found.inner);
                let entry = self.statements.entry(key).or_insert_with(|| (found, Vec::new()));
                entry.1.push(step(condition));
            }
            WaypointKind::Branching(value) => {
                let branchings = |landmarks: &Landmarks| {
                    landmarks.branchings.iter().map(|of| (of.span.lo, *of)).collect()
                };
                let (file, found) = weaver.find(job, place, "branching", branchings)?;
                let condition = match (value.trim(), found.is_switch) {
                    ("true", false) => "__vergo_value".to_owned(),
                    ("false", false) => "!__vergo_value".to_owned(),
                    (number, true) if number.parse::<i128>().is_ok() => {
                        format!("__vergo_value == ({number})")
                    }
                    _ => {
                        return Err(no_place(
                            job,
                            place,
                            &format!("branching that goes `{value}`"),
                        ));
                    }
                };
                let key = (file, found.span);
                let entry = self.branchings.entry(key).or_insert_with(|| (found, Vec::new()));
                entry.1.push(step(condition));
            }
            WaypointKind::FunctionEnter => {
                let (file, found) = weaver.find(job, place, "call", calls)?;
                self.enters.entry((file, found)).or_default().push(step("1".to_owned()));
            }
            WaypointKind::FunctionReturn(value) => {
                let value = value.replace("\\result", "__vergo_value");
                let value = value.replace("\\return", "__vergo_value");
                let condition = weaver.expression(job, &value, place)?;
                let (file, found) = weaver.find(job, place, "call", calls)?;
                self.returns.entry((file, found)).or_default().push(step(condition));
            }
            WaypointKind::Target => {
                let file = base_name(&place.file).to_owned();
                let Some((number, found)) = weaver.enclosing(job, place) else {
                    // What is found out at the end of the program is in no statement.
                    self.target = Some(Target { file, lines: (place.line, place.line) });
                    return Ok(());
                };
                let line = |position: u32| job.given_location(position).line;
                let lines = (line(found.span.lo), line(found.span.hi).max(line(found.span.lo)));
                self.target = Some(Target { file, lines });
                let key = (number, found.inner);
                let entry = self.statements.entry(key).or_insert_with(|| (found, Vec::new()));
                entry.1.push(step("1".to_owned()));
            }
        }
        Ok(())
    }

    /// Puts all steps into the text.
    fn weave(&self, weaver: &mut Weaver) {
        // Where a call is all of a condition, it is entered, then returns, and then decides: later ones stand around.
        for ((file, span), steps) in &self.enters {
            let edits = &mut weaver.files[*file].edits;
            edits.wrap(*span, format!("({{ {} ", text(steps)), "; })");
        }
        for ((file, span), steps) in &self.returns {
            let edits = &mut weaver.files[*file].edits;
            let after = format!("; {} __vergo_value; }})", text(steps));
            edits.wrap(*span, "({ __auto_type __vergo_value = ", after);
        }
        for ((file, _), (statement, steps)) in &self.statements {
            weaver.before(*file, *statement, &format!("{{ {} }}", text(steps)));
        }
        for ((file, _), (branching, steps)) in &self.branchings {
            let edits = &mut weaver.files[*file].edits;
            let steps = text(steps);
            match branching.condition {
                Some(span) if branching.is_switch => edits.wrap(
                    span,
                    "({ __auto_type __vergo_value = (",
                    format!("); {steps} __vergo_value; }})"),
                ),
                Some(span) => edits.wrap(
                    span,
                    "({ int __vergo_value = !!(",
                    format!("); {steps} __vergo_value; }})"),
                ),
                // A loop without a condition always goes on.
                None => {
                    if let Some(at) = no_condition(weaver, *file, branching.span) {
                        let edits = &mut weaver.files[*file].edits;
                        let text = format!("({{ int __vergo_value = 1; {steps} __vergo_value; }})");
                        edits.insert_at(at, text);
                    }
                }
            }
        }
    }
}

fn no_condition(weaver: &Weaver, file: usize, span: Span) -> Option<u32> {
    let of = weaver.files[file].landmarks.loops.iter().find(|of| of.span == span)?;
    match of.head {
        crate::landmarks::LoopHead::NoCondition(at) => Some(at),
        _ => None,
    }
}

/// Steps as C: one waypoint at most is passed at a time, and what is avoided comes before what is followed.
fn text(steps: &[Step]) -> String {
    let mut text = format!("int __vergo_now = {COUNTER};");
    for Step { segment, condition, action } in steps {
        let act = match action {
            Action::Follow => format!("{COUNTER} = {}", segment + 1),
            Action::Avoid => "__CPROVER_assume(0)".to_owned(),
        };
        text.push_str(&format!(" if (__vergo_now == {segment} && ({condition})) {act};"));
    }
    text
}
