//! Verification in the background: a program in, findings at their places out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location as Place, Range,
};
use serde_json::{Value, json};
use vergo_driver::{
    Answer, CancelToken, CheckReport, CheckRequest, ClaimReport, ClaimStatus, CoverReport,
    CoverRequest, Criterion, GoalStatus, Input, Job, Progress, Project, Specification, TraceDetail,
    Violation, check, cover,
};
use vergo_source::Location;

use crate::analysis::{place, plain};
use crate::reading::{Open, Reading, Texts, files_of, path_of_location};
use crate::server::Event;
use crate::settings::Settings;
use crate::text::{Text, uri_of};

/// A question about a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Question {
    /// Do its claims hold?
    Claims,
    /// Which parts of it can be reached.
    Coverage,
}

/// A verification task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) question: Question,
    /// The document from which it was asked for.
    pub(crate) path: PathBuf,
    /// The function in which the program begins, if not where its project says.
    pub(crate) function: Option<String>,
    /// A bound on the rounds of loops, if not that of the settings.
    pub(crate) unwind: Option<u32>,
    /// True if somebody asked for it and waits, rather than saved a file.
    pub(crate) is_asked: bool,
}

impl Task {
    /// Returns a short title.
    pub(crate) fn title(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.function.as_ref().map_or_else(|| name.to_string(), |f| format!("{f} in {name}"))
    }
}

/// The findings of a verification.
pub(crate) struct Findings {
    pub(crate) task: Task,
    /// The number by which the editor knows it.
    pub(crate) token: i32,
    /// The verdict as `vergo check` says it.
    pub(crate) answer: String,
    /// Texts that it is about, as they were: what is open of the program's files, and what they include as it is on the disk.
    pub(crate) texts: Vec<(PathBuf, Arc<Text>)>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) invariants: Vec<Invariant>,
    /// Contracts that the proof has found, as sentences that begin with the name of the function.
    pub(crate) contracts: Vec<String>,
    /// The files of a test that makes the first violation happen: name and text.
    pub(crate) test: Vec<(String, String)>,
}

/// A claim with its verdict.
pub(crate) struct Claim {
    pub(crate) path: PathBuf,
    pub(crate) diagnostic: Diagnostic,
    pub(crate) status: &'static str,
    pub(crate) property: String,
    pub(crate) function: String,
    /// The steps that lead to the violation: place and text.
    pub(crate) steps: Vec<(PathBuf, Range, String)>,
    /// The assumption under which a violated claim would hold, as C.
    pub(crate) assumption: Option<String>,
}

impl Claim {
    /// Returns whether nobody has to look at it.
    pub(crate) fn is_good(&self) -> bool {
        matches!(self.status, "holds" | "covered")
    }
}

/// An invariant of a proof at a loop.
pub(crate) struct Invariant {
    pub(crate) path: PathBuf,
    pub(crate) range: Range,
    pub(crate) text: String,
}

/// Steps that are shown as related information: the first and the last.
const SHOWN: usize = 20;
/// Steps that are kept for stepping through them.
const MOST_STEPS: usize = 5000;
/// Time between reports of progress.
const PAUSE: Duration = Duration::from_millis(100);

/// Verifies a task and sends what it finds; nobody hears of it if it panics but as an answer.
pub(crate) fn run(
    task: &Task,
    token: i32,
    open: &Open,
    settings: &Settings,
    cancel: CancelToken,
    events: &Sender<Event>,
) {
    let work = AssertUnwindSafe(|| verify(task, token, open, settings, cancel, events));
    let findings = catch_unwind(work).unwrap_or_else(|_| {
        let answer = "unknown(internal error: this is a bug in Vergo)".to_owned();
        none(task, token, answer)
    });
    let _ = events.send(Event::Verified(Box::new(findings)));
}

fn none(task: &Task, token: i32, answer: String) -> Findings {
    Findings {
        task: task.clone(),
        token,
        answer,
        texts: Vec::new(),
        claims: Vec::new(),
        invariants: Vec::new(),
        contracts: Vec::new(),
        test: Vec::new(),
    }
}

fn verify(
    task: &Task,
    token: i32,
    open: &Open,
    settings: &Settings,
    cancel: CancelToken,
    events: &Sender<Event>,
) -> Findings {
    let reading = Reading::of(&task.path, open);
    let (inputs, project) = reading.program(&task.path);
    let mut job = reading.job;
    let request = request(task, settings, &project, cancel);
    let teller = Teller::new(token, events);
    let progress = |step: Progress| teller.tell(&step);
    let names: Vec<PathBuf> = inputs.iter().filter_map(Input::path).map(Path::to_owned).collect();
    let mut findings = match task.question {
        Question::Claims => {
            let report = check(&mut job, &inputs, &request, &progress);
            report.map(|report| claims(task, token, &job, &report, open, &names))
        }
        Question::Coverage => {
            let request = CoverRequest { criteria: CRITERIA.to_vec(), check: request };
            let report = cover(&mut job, &inputs, &request, &progress);
            report.map(|report| goals(task, token, &report, open))
        }
    }
    .unwrap_or_else(|_| {
        let mut messages =
            job.diagnostics.iter().filter(|d| d.severity == vergo_source::Severity::Error);
        let why = messages.next().map_or("the input is no program", |d| d.message.as_str());
        none(task, token, format!("unknown({why})"))
    });
    findings.texts = texts(&job, &names, open);
    findings
}

/// The texts that a job has read and that may be edited: those of the program's files, open or not, and those that they
/// include and that are open, which the preprocessor has read from the disk.
fn texts(job: &Job, names: &[PathBuf], open: &Open) -> Vec<(PathBuf, Arc<Text>)> {
    let mut given = open.clone();
    given.retain(|path, _| names.contains(path));
    let mut texts = Texts::new(&given);
    let files = files_of(job).into_iter();
    files
        .filter(|path| names.contains(path) || open.contains_key(path))
        .map(|path| {
            let text = texts.get(&path);
            (path, text)
        })
        .collect()
}

/// The criteria of coverage.
const CRITERIA: [Criterion; 2] = [Criterion::Statement, Criterion::Branch];

/// Tells the editor how far a verification is, from time to time.
struct Teller<'a> {
    token: i32,
    events: &'a Sender<Event>,
    start: Instant,
    told: Mutex<Told>,
}

impl<'a> Teller<'a> {
    fn new(token: i32, events: &'a Sender<Event>) -> Teller<'a> {
        Teller { token, events, start: Instant::now(), told: Mutex::default() }
    }

    fn tell(&self, step: &Progress) {
        let Ok(mut told) = self.told.lock() else { return };
        let (engine, unwind) = match *step {
            Progress::Left(left) => return told.left = left,
            Progress::Bound { engine, unwind, .. } => (engine, unwind),
            _ => return,
        };
        if told.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            told.last = Some(Instant::now());
            let seconds = self.start.elapsed().as_secs();
            let engine = engine.map_or(String::new(), |engine| format!("{}, ", engine.info().name));
            let left = if told.left == 1 { "claim" } else { "claims" };
            let message = format!("{engine}bound {unwind}, {} {left} left, {seconds} s", told.left);
            let _ = self.events.send(Event::Progress { token: self.token, message });
        }
    }
}

/// The last report.
#[derive(Default)]
struct Told {
    /// When.
    last: Option<Instant>,
    /// The claims that are left.
    left: usize,
}

/// The claims of a report at their places.
fn claims(
    task: &Task,
    token: i32,
    job: &Job,
    report: &CheckReport,
    open: &Open,
    names: &[PathBuf],
) -> Findings {
    let mut texts = Texts::new(open);
    let mut findings = none(task, token, report.answer.line());
    for claim in &report.claims {
        findings.claims.extend(finding(job, report, claim, &mut texts));
    }
    for at in report.loop_invariants() {
        if let (Some(text), Some((path, range))) = (&at.text, place(job, at.span, &mut texts)) {
            findings.invariants.push(Invariant { path, range, text: text.clone() });
        }
    }
    if matches!(report.answer, Answer::False(_)) {
        let paths: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
        let files = report.harness(job, &paths).into_iter();
        findings.test = files.map(|file| (file.name.to_owned(), file.text)).collect();
    }
    let certificate = report.certificate.as_ref();
    findings.contracts =
        certificate.map(|proof| proof.contract_texts().to_vec()).unwrap_or_default();
    findings
}

/// The goals of a report at their places.
fn goals(task: &Task, token: i32, report: &CoverReport, open: &Open) -> Findings {
    let [covered, unreachable, unknown] = report.counts();
    let n_goals = report.goals.len();
    let answer = format!(
        "covered {covered} of {n_goals} by {} tests, {unreachable} unreachable, {unknown} unknown",
        report.n_tests()
    );
    let mut findings = none(task, token, answer);
    let mut texts = Texts::new(open);
    for goal in &report.goals {
        let at = Location {
            file: goal.file.clone().into(),
            line: goal.line,
            column: goal.column,
            in_system_header: false,
        };
        let Some(path) = path_of_location(&at) else { continue };
        let range = texts.get(&path).range(&at, &at);
        let what = &goal.what;
        let (status, severity, message) = match &goal.status {
            GoalStatus::Covered(_) => {
                ("covered", DiagnosticSeverity::Hint, format!("a test reaches this: {what}"))
            }
            GoalStatus::Unreachable => (
                "unreachable",
                DiagnosticSeverity::Hint,
                format!("no execution reaches this: {what}"),
            ),
            GoalStatus::Unknown(reason) => {
                let message = format!("nobody knows whether this is reached: {what} ({reason})");
                ("unknown", DiagnosticSeverity::Information, message)
            }
        };
        let mut diagnostic = plain(range, severity, &message);
        diagnostic.code = Some(Code::String(format!("cover.{}", goal.criterion.name())));
        if status == "unreachable" {
            diagnostic.tags = Some(vec![DiagnosticTag::Unnecessary]);
        }
        findings.claims.push(Claim {
            path,
            diagnostic,
            status,
            property: format!("cover.{}", goal.criterion.name()),
            function: goal.function.clone(),
            steps: Vec::new(),
            assumption: None,
        });
    }
    findings
}

fn request(
    task: &Task,
    settings: &Settings,
    project: &Project,
    cancel: CancelToken,
) -> CheckRequest {
    let specification = match &settings.property {
        Some(name) if project.property.is_empty() => Specification::from_name(name),
        _ => Some(project.specification()),
    };
    CheckRequest {
        specification: specification.unwrap_or_else(Specification::standard),
        entry: task.function.clone().or_else(|| project.function.clone()),
        unwind: task.unwind.or(settings.unwind).or(project.unwind),
        timeout: Some(project.timeout.unwrap_or(settings.timeout).min(settings.timeout)),
        trace: TraceDetail::Compact,
        cancel: Some(cancel),
        ..CheckRequest::default()
    }
}

/// A claim at its place.
fn finding(
    job: &Job,
    report: &CheckReport,
    claim: &ClaimReport,
    texts: &mut Texts,
) -> Option<Claim> {
    let site = &claim.site;
    let (mut steps, mut assumption) = (Vec::new(), None);
    let (span, severity, message) = match &claim.status {
        ClaimStatus::Violated(violation) => {
            steps = walk(job, report, violation, texts);
            assumption = report.condition(site);
            let mut lines = vec![violation.message()];
            lines.extend(report.input_notes(violation));
            (violation.span(), DiagnosticSeverity::Error, lines.join("\n"))
        }
        ClaimStatus::Unknown(reason) => {
            let message = format!("not decided: {} ({reason})", site.claim.description);
            (site.span, DiagnosticSeverity::Information, message)
        }
        ClaimStatus::Holds => {
            (site.span, DiagnosticSeverity::Hint, format!("safe: {}", site.claim.description))
        }
        ClaimStatus::NotChecked => return None,
    };
    if site.library && !matches!(claim.status, ClaimStatus::Violated(_)) {
        return None;
    }
    let (path, range) = place(job, span, texts)?;
    let mut diagnostic = plain(range, severity, &message);
    diagnostic.code = Some(Code::String(site.claim.property.clone()));
    let related: Vec<DiagnosticRelatedInformation> = steps
        .iter()
        .enumerate()
        .filter(|(at, _)| *at < SHOWN || at + SHOWN >= steps.len())
        .map(|(_, (path, range, text))| DiagnosticRelatedInformation {
            location: Place { uri: uri_of(path), range: *range },
            message: text.clone(),
        })
        .collect();
    diagnostic.related_information = (!related.is_empty()).then_some(related);
    Some(Claim {
        path,
        diagnostic,
        status: claim.status.word(),
        property: site.claim.property.clone(),
        function: report.function_name(&site.function).to_owned(),
        steps,
        assumption,
    })
}

/// The steps that lead to a violation.
fn walk(
    job: &Job,
    report: &CheckReport,
    violation: &Violation,
    texts: &mut Texts,
) -> Vec<(PathBuf, Range, String)> {
    let lines = report.trace_lines(violation, TraceDetail::Compact).into_iter().take(MOST_STEPS);
    lines
        .filter_map(|line| {
            let (path, range) = place(job, line.span, texts)?;
            Some((path, range, line.text))
        })
        .collect()
}

impl Findings {
    /// Returns whether the findings are still about the texts that are open.
    pub(crate) fn is_fresh(&self, open: &Open) -> bool {
        let is_same = |text: &Arc<Text>, now: &Arc<Text>| text.as_str() == now.as_str();
        self.texts.iter().all(|(path, text)| open.get(path).is_none_or(|now| is_same(text, now)))
    }

    /// The claims for views of the editor.
    pub(crate) fn json(&self) -> Value {
        let claims: Vec<Value> = self
            .claims
            .iter()
            .enumerate()
            .map(|(index, claim)| {
                json!({
                    "claim": index,
                    "uri": uri_of(&claim.path),
                    "range": claim.diagnostic.range,
                    "status": claim.status,
                    "property": claim.property,
                    "function": claim.function,
                    "message": claim.diagnostic.message,
                    "steps": claim.steps.iter().map(|(path, range, text)| {
                        json!({ "uri": uri_of(path), "range": range, "text": text })
                    }).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "uri": uri_of(&self.task.path),
            "function": self.task.function,
            "answer": self.answer,
            "claims": claims,
        })
    }
}
