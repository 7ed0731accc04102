//! The check request: a C file or GOTO text in, a report with a verdict for every claim and its evidence out.

mod assumptions;
mod claims;
mod harness;
mod json;
mod report;
mod sarif;
mod specification;
mod task;
mod text;
mod trace;
mod witness;

pub use assumptions::Assumption;
pub use harness::HarnessFile;
pub use report::{
    Answer, CheckReport, ClaimReport, ClaimStatus, SourceFile, Statistics, Violation,
};
pub use specification::{Properties, Specification};
pub use task::{TaskDefinition, TaskProperty};
pub use trace::{TraceDetail, TraceLine};

use std::time::{Duration, Instant};

use vergo_engines::{EngineId, OnViolation, Progress};
use vergo_evidence::sha256::sha256_hex;
use vergo_evidence::{Certify, ClaimTable};
use vergo_lower::codes::NO_ENTRY;
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_smt::Budget;
use vergo_source::{Diagnostic, Span};

use crate::codes::BROKEN_PASS;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::recurrence::{RECURRENCES, recurrence};

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The properties.
    pub specification: Specification,
    /// The engine's name.
    pub engine: String,
    /// The function in which the program begins; `main` if it is not given.
    pub entry: Option<String>,
    /// A bound on the rounds of loops.
    pub unwind: Option<u32>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How many bytes it may use.
    pub memory: Option<u64>,
    /// Whether the first violation is the answer, or every claim gets its own.
    pub on_violation: OnViolation,
    /// How many parts of the claims are checked at the same time.
    pub jobs: usize,
    /// Whether a proof is written down for others to check.
    pub certify: Certify,
    /// Whether `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// How much of a counterexample's execution is recorded.
    pub trace: TraceDetail,
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            specification: Specification::standard(),
            engine: EngineId::BmcIncremental.info().name.to_owned(),
            entry: None,
            unwind: None,
            timeout: None,
            memory: None,
            on_violation: OnViolation::GoOn,
            jobs: 1,
            certify: Certify::Off,
            malloc_may_fail: false,
            trace: TraceDetail::Compact,
        }
    }
}

/// Checks a program; `progress` hears of each bound.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub fn check(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<CheckReport, Failed> {
    let mut reason = None;
    if let Specification::Other(name) = &request.specification {
        reason = Some(format!("{name} is not checked yet"));
        if RECURRENCES.contains(&name.as_str()) {
            match recurrence(job, inputs, name, request, progress)? {
                Ok(report) => return Ok(report),
                Err(unsupported) => reason = Some(unsupported),
            }
        }
    }
    let start = Instant::now();
    let deadline = request.timeout.and_then(|timeout| start.checked_add(timeout));
    let options = vergo_lower::Options {
        entry: request.entry.clone().unwrap_or_else(|| "main".to_owned()),
        malloc_may_fail: request.malloc_may_fail,
        ..vergo_lower::Options::default()
    };
    let mut program = job.load_program_with(inputs, options)?;
    if program.entry.is_none() {
        let name = request.entry.as_deref().unwrap_or("main");
        let message = format!("there is no function `{name}` in which the program could begin");
        let diagnostic = Diagnostic::error(NO_ENTRY, Span::DUMMY, message);
        return Err(job.fail(diagnostic.help("name another function with --function")));
    }
    let mut statistics = Statistics { stages: job.stages, ..Statistics::default() };
    let files = inputs.iter().map(|input| source_file(job, input)).collect::<Result<_, _>>()?;
    let assumptions = assumptions::of(job, &program, request);
    let properties = match &request.specification {
        Specification::Claims(properties) => properties.clone(),
        Specification::Other(_) => {
            let names = Vec::new();
            let answer = Answer::Unknown(reason.unwrap_or_default());
            let properties = Properties { names, text: None };
            return Ok(CheckReport::new(
                answer,
                program,
                properties,
                files,
                assumptions,
                job.model,
            ));
        }
    };
    let before_passes = Instant::now();
    let options =
        vergo_passes::Options { properties: properties.set(), ..vergo_passes::Options::default() };
    if let Err(broken) =
        run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {})
    {
        job.diagnostics.push(Diagnostic::error(BROKEN_PASS, Span::DUMMY, broken.to_string()));
        return Err(Failed::Internal);
    }
    statistics.passes = before_passes.elapsed();
    // Names come from a list that the registry gives, so that an unknown one is the caller's bug.
    let engine = EngineId::from_name(&request.engine).unwrap_or(EngineId::BmcIncremental);
    let budget = Budget { deadline, memory: request.memory, ..Budget::default() };
    let table = ClaimTable::of(&program);
    let decided = claims::decide(&program, &table, engine, request, &budget, progress);
    statistics.effort = decided.effort;
    let withheld = assumptions.iter().find(|assumption| !assumption.benign);
    let answer = decided.answer(&properties, withheld.map(|assumption| assumption.text.as_str()));
    let mut report = CheckReport::new(answer, program, properties, files, assumptions, job.model);
    report.engine = engine.info().name;
    report.entry = request.entry.clone().unwrap_or_else(|| "main".to_owned());
    report.certificate = decided.certificate;
    let before_traces = Instant::now();
    for (id, status) in decided.statuses {
        let site = table.site(id).clone();
        report.push(site, status, request.trace, deadline);
    }
    statistics.traces = before_traces.elapsed();
    statistics.total = start.elapsed();
    report.statistics = statistics;
    Ok(report)
}

/// A file of the task with its hash.
pub(crate) fn source_file(job: &mut Job, input: &Input) -> Result<SourceFile, Failed> {
    let text = job.read(input)?;
    Ok(SourceFile { name: input.name(), sha256: sha256_hex(&text), text })
}

/// The names of all engines, each with a line on what it does.
pub fn engines() -> impl Iterator<Item = (&'static str, &'static str)> {
    EngineId::ALL.iter().map(|engine| (engine.info().name, engine.info().summary))
}
