//! The triage request: the warnings of another analyser and the program in; which of them are real out.
//!
//! **Idea.** A warning names a place and what may go wrong there. That is a claim, which engines decide as they decide
//! all others: *confirmed* is a violation that the interpreter has replayed, *refuted* a proof that a checker has
//! accepted, and everything else is *open* with a reason (section 9.3 of the paper on the witness index, where four
//! out of five warnings were refuted in this way).
//!
//! **Two ways to begin.** If the program has an entry, warnings are about its executions, and what else can go wrong is
//! assumed not to go wrong before: behind undefined behaviour, nothing is right or wrong. Else a warning is looked at in
//! its own file and from the function that it is in, with any arguments and any values of static variables. What is
//! proved then holds whoever calls; a violation may be one that no caller makes, so that it confirms nothing. Nothing
//! is assumed there: an argument that is any pointer is seldom a good one, and behind the assumption that it is would be
//! no execution at all. Nor does any pointer point to variables of the program, as a caller's may; so what is proved where
//! pointers come from outside refutes nothing.
//!
//! **Before that**, a warning is looked at by what nobody else can change ([`private`]), which holds whoever calls ([`local`]).
//!
//! Memory can run out: warnings about results of `malloc` are right.

mod callees;
mod local;
mod private;
mod warnings;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;
use vergo_cfront::hir::{ExprKind, Storage, Unit, VarId};
use vergo_cfront::types::{QualType, TypeKind};
use vergo_engines::Progress;
use vergo_evidence::claims::Site;
use vergo_evidence::{ClaimKey, ClaimTable};
use vergo_goto::program::{InstrKind, Program};
use vergo_passes::properties::PropertyId;
use vergo_source::{Diagnostic, SourceMap, Span};

pub use warnings::{Kind, Warning};
use warnings::{Warnings, same_file};

use crate::check::{
    Answer, Change, CheckReport, CheckRequest, ClaimReport, ClaimStatus, Properties, Slicing,
    Specification, check_changed,
};
use crate::codes::REPORT_MALFORMED;
use crate::input::Input;
use crate::job::{Failed, Job};
use local::Local;

/// A request to decide warnings.
#[derive(Clone, Debug)]
pub struct TriageRequest {
    /// The options of each claim's check; time is for each warning.
    pub check: CheckRequest,
    /// True if each warning is looked at in its own file, from the function that it is in.
    pub local: bool,
}

/// The outcome for a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// An execution goes wrong there.
    Confirmed(String),
    /// None does.
    Refuted(String),
    /// Nothing is known; why.
    Open(String),
}

impl Fate {
    /// A word for the table and for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Fate::Confirmed(_) => "confirmed",
            Fate::Refuted(_) => "refuted",
            Fate::Open(_) => "open",
        }
    }

    /// Why.
    pub fn why(&self) -> &str {
        match self {
            Fate::Confirmed(why) | Fate::Refuted(why) | Fate::Open(why) => why,
        }
    }
}

/// Everything that triage has found out.
#[derive(Debug)]
pub struct Triage {
    /// Every warning in the order of the report.
    pub warnings: Vec<(Warning, Fate)>,
    /// The report with what became of each warning.
    pub sarif: String,
}

/// The properties that are undefined in C wherever they are violated: violations before a warning's place are assumed
/// not to have happened.
const UNDEFINED: &[PropertyId] = &[
    PropertyId::ArithDivisionByZero,
    PropertyId::ArithShift,
    PropertyId::ArithSignedOverflow,
    PropertyId::MemoryBounds,
    PropertyId::MemoryIndex,
    PropertyId::MemoryLifetime,
    PropertyId::MemoryNull,
];

/// Decides the warnings of a report; `heard` is told of each when it is decided.
///
/// # Errors
/// If the report is none; the job's diagnostics say why. A program that is none leaves its warnings open.
pub fn triage(
    job: &mut Job,
    report: &Input,
    files: &[Input],
    request: &TriageRequest,
    heard: &dyn Fn(&Warning, &Fate),
) -> Result<Triage, Failed> {
    let text = job.read(report)?;
    let parsed = Warnings::parse(&text).map_err(|what| {
        let message = format!("`{}` is not a report of warnings: {what}", report.name());
        let diagnostic = Diagnostic::error(REPORT_MALFORMED, Span::DUMMY, message);
        job.fail(diagnostic.help("give SARIF 2.1.0, or lines `file:line:column: message [rule]`"))
    })?;
    let mains: Vec<bool> = files.iter().map(|file| defines_main(job, file)).collect();
    let mut decided = Vec::new();
    let mut written = Vec::new();
    for warning in &parsed.all {
        let program = if request.local { files.to_vec() } else { program(warning, files, &mains) };
        let (fate, flows) = decide(job, warning, program, request);
        heard(warning, &fate);
        written.push((fate.word(), fate.why().to_owned(), flows));
        decided.push((warning.clone(), fate));
    }
    Ok(Triage { warnings: decided, sarif: parsed.write(&written) })
}

/// Returns whether a file defines the function `main`.
fn defines_main(job: &Job, file: &Input) -> bool {
    let mut own = Job::new(job.model, job.cpp.clone());
    own.analyze(file).is_ok_and(|unit| {
        unit.functions.values().any(|f| f.body.is_some() && unit.names.name(f.name) == "main")
    })
}

/// The files of the program that a warning is about: of several that define `main`, the one that the warning is in, or
/// else the first.
fn program(warning: &Warning, files: &[Input], mains: &[bool]) -> Vec<Input> {
    let all: Vec<(&Input, bool)> = files.iter().zip(mains.iter().copied()).collect();
    let own = all.iter().position(|(f, main)| *main && same_file(&f.name(), &warning.file));
    let chosen = own.or_else(|| all.iter().position(|(_, main)| *main));
    let mut inputs = Vec::new();
    for (at, (file, main)) in all.into_iter().enumerate() {
        if !main || Some(at) == chosen {
            inputs.push(file.clone());
        }
    }
    inputs
}

/// Decides a warning; returns the steps of its execution too, if there is one.
fn decide(
    job: &Job,
    warning: &Warning,
    mut inputs: Vec<Input>,
    request: &TriageRequest,
) -> (Fate, Option<Value>) {
    let open = |why: &str| (Fate::Open(why.to_owned()), None);
    let Some(kind) = warning.kind else {
        return open("warnings of this kind are not decided");
    };
    let start = Instant::now();
    let until = |share: u32| {
        let time = request.check.timeout.unwrap_or(LONGEST);
        start.checked_add(time / share).unwrap_or_else(|| start + LONGEST)
    };
    let in_file = Local::new(job, &inputs, warning, kind, request);
    if let Some(proof) = in_file.as_ref().and_then(|local| local.refute(until(2))) {
        return (
            Fate::Refuted(format!(
                "proved, whoever calls, if nothing before it is undefined: {proof}"
            )),
            None,
        );
    }
    // Each warning has a job of its own: what is said about one program does not matter to the next.
    let mut own = Job::new(job.model, job.cpp.clone());
    let mut check = request.check.clone();
    check.malloc_may_fail = true;
    check.slicing = Slicing::Always;
    check.specification = specification(kind, true);
    // Another function than `main` has callers that are not looked at.
    let is_main = check.entry.as_deref().is_none_or(|entry| entry == "main");
    let (mut local, mut gets_pointers) = (false, !is_main);
    if request.local {
        inputs.retain(|input| same_file(&input.name(), &warning.file));
        inputs.truncate(1);
        let Some(input) = inputs.first() else {
            return open("its file is not among those that were given");
        };
        let Some((function, takes_pointers)) = enclosing(&mut own, input, warning) else {
            return open("it is not in a function of its file");
        };
        own = Job::new(job.model, job.cpp.clone());
        // Nobody calls `main` but the system, so that its executions are those of a program.
        if function != "main" {
            local = true;
            gets_pointers = takes_pointers;
            check.proof.nondet_static = true;
            check.specification = specification(kind, false);
        }
        check.entry = Some(function);
    }
    if request.local
        && let Some(found) = in_file.and_then(|file| file.confirm(until(1)))
    {
        return found;
    }
    check.timeout = request.check.timeout.map(|time| time.saturating_sub(start.elapsed()));
    let act = |map: &SourceMap, program: &mut Program| {
        if !local {
            let meant = meant(map, program, kind, warning);
            assume_others(program, |key| meant.contains(key));
        }
    };
    let change = Change { act: Some(&act), ..Change::default() };
    let quiet = |_: Progress| {};
    let Ok(report) = check_changed(&mut own, &inputs, &check, &change, None, &quiet) else {
        let said = own.diagnostics.iter().find(|d| d.severity == vergo_source::Severity::Error);
        let what = said.map_or("the program cannot be read", |d| d.message.as_str());
        return open(what);
    };
    let meant = meant(&own.map, &report.program, kind, warning);
    let judged = judge(&own.map, &report, local, &|claim| {
        meant.contains(&ClaimKey::new(&claim.site.claim, claim.site.span))
    });
    match judged {
        (Fate::Refuted(_), _) if gets_pointers => open(
            "it is proved for pointers from outside that do not point to variables of this file",
        ),
        judged => judged,
    }
}

/// The claims that a warning is about: of its kind, on its line; those about what it names if there are such, and of these those
/// around its column if there are such.
fn meant(map: &SourceMap, program: &Program, kind: Kind, warning: &Warning) -> BTreeSet<ClaimKey> {
    let table = ClaimTable::of(program);
    let is_kind = |property: &str| kind.properties.iter().any(|id| id.info().id == property);
    let on_line: Vec<&Site> = table
        .iter()
        .map(|(_, site)| site)
        .filter(|site| is_kind(&site.claim.property) && covers(map, site.span, warning))
        .collect();
    let around = |site: &&Site| {
        let (start, end) = (map.presumed(site.span.lo), map.presumed(site.span.hi));
        let at = (warning.line, warning.column.unwrap_or_default());
        (start.line, start.column) <= at && at <= (end.line, end.column)
    };
    let is_named = |site: &&Site| {
        let about = site.claim.description.split(" is ").next().unwrap_or_default();
        warning.names().contains(&about)
    };
    let named: Vec<&Site> = on_line.iter().copied().filter(is_named).collect();
    let on_line = if named.is_empty() { on_line } else { named };
    let narrow: Vec<&Site> = on_line.iter().copied().filter(around).collect();
    let chosen = if narrow.is_empty() { on_line } else { narrow };
    chosen.into_iter().map(|site| ClaimKey::new(&site.claim, site.span)).collect()
}

/// The claims that are made for a warning: those that it is about; and calls of what is not there, of which nothing is
/// known.
fn specification(kind: Kind, with_others: bool) -> Specification {
    let mut ids: Vec<PropertyId> = kind.properties.to_vec();
    ids.push(PropertyId::CallNoBody);
    if with_others {
        ids.extend(UNDEFINED);
    }
    ids.sort_unstable();
    ids.dedup();
    let names = ids.into_iter().map(|id| (id, id.to_string())).collect();
    Specification::Claims(Properties { names, text: None })
}

/// Returns whether a place of the program is on the line that a warning names.
fn covers(map: &SourceMap, span: Span, warning: &Warning) -> bool {
    let (start, end) = (map.presumed(span.lo), map.presumed(span.hi));
    start.line <= warning.line
        && (start.line == warning.line || warning.line <= end.line && end.file == start.file)
        && same_file(&start.file, &warning.file)
}

/// The function of a file that a warning is in, and whether it gets pointers from outside, as arguments or in static
/// variables.
fn enclosing(job: &mut Job, input: &Input, warning: &Warning) -> Option<(String, bool)> {
    let unit = job.analyze(input).ok()?;
    let map = &job.map;
    let function = unit.functions.values().find(|function| {
        let span = function.definition_span.filter(|_| function.body.is_some());
        span.is_some_and(|span| covers(map, span, warning))
    })?;
    let holds_pointer = |&var: &VarId| has_pointers(&unit, unit.vars[var].ty, 0);
    let statics = unit.exprs.values().filter_map(|expr| match expr.kind {
        ExprKind::Var(var) if matches!(unit.vars[var].storage, Storage::Static { .. }) => Some(var),
        _ => None,
    });
    let gets_pointers =
        function.params.iter().any(holds_pointer) || statics.into_iter().any(|v| holds_pointer(&v));
    Some((unit.names.name(function.name).to_owned(), gets_pointers))
}

/// Returns whether values of a type have pointers in them; this is assumed for types that are not followed.
fn has_pointers(unit: &Unit, ty: QualType, depth: u32) -> bool {
    match unit.types.kind(ty) {
        _ if depth > 20 => true,
        TypeKind::Array(element, _) => has_pointers(unit, *element, depth + 1),
        TypeKind::Record(id) => unit.types.records[*id]
            .fields
            .as_ref()
            .is_none_or(|fields| fields.iter().any(|f| has_pointers(unit, f.ty, depth + 1))),
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Float(_) => false,
        _ => true,
    }
}

/// Makes assumptions of all claims but those that are meant and those about what is not known.
fn assume_others(program: &mut Program, is_meant: impl Fn(&ClaimKey) -> bool) {
    for function in program.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(condition, claim) = &instr.kind
                && UNDEFINED.iter().any(|id| id.info().id == claim.property)
                && !is_meant(&ClaimKey::new(claim, instr.span))
            {
                instr.kind = InstrKind::Assume(*condition);
            }
        }
    }
}

/// Returns the report's result for the claims that are meant.
fn judge(
    map: &SourceMap,
    report: &CheckReport,
    local: bool,
    is_meant: &dyn Fn(&ClaimReport) -> bool,
) -> (Fate, Option<Value>) {
    let meant: Vec<&ClaimReport> = report.claims.iter().filter(|claim| is_meant(claim)).collect();
    if meant.is_empty() {
        let why = "nothing at this place can go wrong in this way, as far as one can see";
        return (Fate::Open(why.to_owned()), None);
    }
    let violated = meant.iter().find(|claim| matches!(claim.status, ClaimStatus::Violated(_)));
    if let Some(claim) = violated {
        let what = format!("{} in `{}`", claim.site.claim.description, claim.site.function);
        let flows = steps(map, report);
        return match local {
            false => (Fate::Confirmed(format!("an execution was replayed: {what}")), flows),
            true => {
                let function = &report.entry;
                let why = format!("{what}, if `{function}` is called with the right arguments");
                (Fate::Open(why), flows)
            }
        };
    }
    let others = report.claims.iter().find_map(|claim| match &claim.status {
        ClaimStatus::Violated(_) => Some(claim.site.claim.description.clone()),
        _ => None,
    });
    let all_hold = meant.iter().all(|claim| matches!(claim.status, ClaimStatus::Holds));
    match (&report.answer, others) {
        (Answer::True, _) => {
            let proof = report.proof().unwrap_or_default();
            (Fate::Refuted(format!("proved: {proof}")), None)
        }
        (_, Some(other)) if all_hold => {
            (Fate::Open(format!("it would be refuted but for this: {other}")), None)
        }
        (Answer::Unknown(reason), _) => (Fate::Open(reason.to_string()), None),
        (_, other) => (Fate::Open(other.unwrap_or_else(|| "it was not decided".to_owned())), None),
    }
}

/// The steps of the first violation, as SARIF has them.
fn steps(map: &SourceMap, report: &CheckReport) -> Option<Value> {
    let log: Value = serde_json::from_str(&report.sarif(map, None)).ok()?;
    let results = log.pointer("/runs/0/results")?.as_array()?;
    results.iter().find_map(|result| result.get("codeFlows").cloned())
}

/// The default time limit of a warning.
pub const LONGEST: Duration = Duration::from_secs(60);
