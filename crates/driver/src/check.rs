//! The check request: a C file or GOTO text in, a report with a verdict for every claim and its evidence out.

mod abstraction;
mod arguments;
mod assumptions;
mod baseline;
mod cache;
mod canonical;
mod choices;
mod claims;
mod condition;
mod graphml;
mod groups;
mod harness;
mod html;
mod json;
mod junit;
mod lasso;
mod report;
mod sarif;
mod slice;
mod specification;
mod store;
mod suggest;
mod task;
mod text;
mod trace;
mod watched;
mod witness;

pub use abstraction::refine_arrays;
pub use assumptions::Assumption;
pub use baseline::Baseline;
pub use cache::{Cache, CacheUse};
pub(crate) use claims::Status;
pub use harness::HarnessFile;
pub(crate) use junit::escape_xml;
pub use lasso::Lasso;
pub use report::{
    Answer, CheckReport, ClaimReport, ClaimStatus, SourceFile, Statistics, Violation,
};
pub use slice::{SliceSize, Slicing};
pub use specification::{Properties, Specification};
pub use store::Store as CacheStore;
pub use suggest::Suggestion;
pub use task::{TaskDefinition, TaskProperty};
pub use trace::{TraceDetail, TraceLine};
pub(crate) use watched::unwatched_loop;

use std::time::{Duration, Instant};

use vergo_engines::{EngineId, Goal, OnViolation, Order, Progress, Recurrence, Unrolling};
use vergo_evidence::sha256::sha256_hex;
use vergo_evidence::{Certify, ClaimTable, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_passes::interval_facts::Standing;
use vergo_passes::manager::{Event, Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_passes::properties::unchecked::unchecked;
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_smt::{Budget, CancelToken, work_in};
use vergo_source::{Diagnostic, SourceMap, Span};

use crate::chosen_passes::ChosenPasses;
use crate::codes::{BROKEN_PASS, NO_SUCH_LOOP};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::proof::ProofOptions;
use crate::recurrence::{RECURRENCES, recurrence};

/// A request to check a program.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The properties.
    pub specification: Specification,
    /// The engine.
    pub engine: EngineId,
    /// The function in which the program begins; `main` if it is not given.
    pub entry: Option<String>,
    /// A bound on the rounds of loops.
    pub unwind: Option<u32>,
    /// Bounds for some loops: `main.0:10,search.1:3`.
    pub unwindset: String,
    /// True if claims are first tried without the assumptions that share no variable with them.
    pub slice_assumptions: bool,
    /// Says when engines are given only what the claims depend on.
    pub slicing: Slicing,
    /// Passes that are run on the program when its claims are in it.
    pub passes: ChosenPasses,
    /// True if engines on transition systems get no auxiliary invariants.
    pub without_auxiliary: bool,
    /// The order in which engines that run at once are heard.
    pub order: Order,
    /// The time limit.
    pub timeout: Option<Duration>,
    /// The memory limit in bytes.
    pub memory: Option<u64>,
    /// Says whether the first violation is the answer, or every claim gets its own.
    pub on_violation: OnViolation,
    /// The number of parts of the claims that are checked at the same time.
    pub jobs: usize,
    /// Says whether a proof is written down for others to check.
    pub certify: Certify,
    /// True if a verdict needs a second look by code that shares nothing with engines and checkers.
    pub paranoid: bool,
    /// True if `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// The changes that a proof makes to the program.
    pub proof: ProofOptions,
    /// The amount of a counterexample's execution that is recorded.
    pub trace: TraceDetail,
    /// Assumptions, by their ids, on which `true` may rest though they are not benign.
    pub allow: Vec<String>,
    /// The proofs of earlier runs, if they are to be used.
    pub cache: Option<Cache>,
    /// Raised when nobody waits for the answer any more.
    pub cancel: Option<CancelToken>,
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            specification: Specification::standard(),
            engine: EngineId::default(),
            entry: None,
            unwind: None,
            unwindset: String::new(),
            slice_assumptions: false,
            slicing: Slicing::default(),
            passes: ChosenPasses::default(),
            without_auxiliary: false,
            order: Order::default(),
            timeout: None,
            memory: None,
            on_violation: OnViolation::GoOn,
            jobs: 1,
            certify: Certify::Off,
            paranoid: false,
            malloc_may_fail: false,
            proof: ProofOptions::default(),
            trace: TraceDetail::Compact,
            allow: Vec::new(),
            cache: None,
            cancel: None,
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
        reason = Some(Reason::incomplete(format!("{name} is not checked yet")));
        if RECURRENCES.contains(&name.as_str()) {
            match recurrence(job, inputs, name, request, progress)? {
                Ok(mut report) => {
                    if request.paranoid
                        && !report.answer.is_unknown()
                        && report.second_look.is_none()
                    {
                        let reason = format!("paranoid: {name} is not looked at a second time");
                        report.answer = Answer::unknown(reason);
                    }
                    return Ok(report);
                }
                Err(unsupported) => reason = Some(unsupported),
            }
        }
    }
    check_changed(job, inputs, request, &Change::default(), reason, progress)
}

/// The changes of a check's program before it is decided.
#[derive(Default)]
pub(crate) struct Change<'a> {
    /// Claims that are made besides those that are asked for.
    pub(crate) also: Option<PropertyId>,
    /// The change of the program once its claims are in it.
    pub(crate) act: Option<&'a Act<'a>>,
    /// The question about infinite executions of another program that its claims answer.
    pub(crate) recurrence: Option<Question<'a>>,
}

/// A question about infinite executions: the program that it is about, and what judges verdicts on the instrumented one.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) original: &'a Program,
    pub(crate) counts: &'a Counts<'a>,
}

/// Returns the reason why a verdict on an instrumented program does not carry over to the original.
pub(crate) type Counts<'a> =
    dyn Fn(&SourceMap, &Program, &Verdict) -> Result<(), Reason> + Sync + 'a;

/// Something that is done to a program.
pub(crate) type Act<'a> = dyn Fn(&SourceMap, &mut Program) + 'a;

/// Checks a program that is changed before; `reason` is why a specification that is none of claims is not decided.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub(crate) fn check_changed(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
    change: &Change<'_>,
    reason: Option<Reason>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<CheckReport, Failed> {
    let start = Instant::now();
    let deadline = request.timeout.and_then(|timeout| start.checked_add(timeout));
    let mut program = load(job, inputs, request)?;
    let mut statistics = Statistics { stages: job.stages, ..Statistics::default() };
    let files = inputs.iter().map(|input| source_file(job, input)).collect::<Result<_, _>>()?;
    let properties = match &request.specification {
        Specification::Claims(properties) => properties.clone(),
        Specification::Other(_) => {
            let names = Vec::new();
            let answer = reason.map_or_else(|| Answer::unknown(""), Answer::Unknown);
            let properties = Properties { names, text: None };
            let assumptions = assumptions::of(job, &program, request, &[]);
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
    let claims = change.also.map_or(properties.set(), |also| properties.set().with(also));
    let unchecked = unchecked(&program, claims, &job.exempt);
    make_claims(job, &mut program, claims)?;
    if let Some(act) = change.act {
        act(&job.map, &mut program);
    }
    let silent = &mut |_: Event<'_>| {};
    request.passes.run(job, &mut program, Standing::Claimed, Verify::InDebug, silent)?;
    // What is assumed of code that is not there any more does not matter.
    let assumptions = assumptions::of(job, &program, request, &unchecked);
    statistics.passes = before_passes.elapsed();
    let cancel = request.cancel.clone();
    let share = request.timeout.map(work_in);
    let budget = Budget { deadline, share, cancel, memory: request.memory, ..Budget::default() };
    let table = ClaimTable::of(&program);
    let unrolling = unrolling(&program, request).map_err(|message| {
        let diagnostic = Diagnostic::error(NO_SUCH_LOOP, Span::DUMMY, message);
        job.fail(diagnostic.help("`vergo check --show-loops` lists the loops by name"))
    })?;
    let abstraction = match (change.act, change.recurrence) {
        (None, None) => abstraction::of(job, inputs, request, &program, claims),
        _ => None,
    };
    let (map, question) = (&job.map, change.recurrence);
    let counts = |verdict: &Verdict| {
        question.map_or(Ok(()), |question| (question.counts)(map, &program, verdict))
    };
    let goal = question.map_or(Goal::Safety, |question| {
        Goal::Recurrence(Recurrence { original: question.original, counts: &counts })
    });
    let aim = claims::Aim { goal, abstraction: abstraction.as_ref() };
    let decided = claims::decide(&program, &table, request, aim, &unrolling, &budget, progress);
    statistics.effort = decided.effort;
    statistics.work = budget.meter.spent();
    statistics.slice = decided.slice;
    let withheld = assumptions.iter().find(|assumption| assumption.withholds());
    let mut answer =
        decided.answer(&properties, withheld.map(|assumption| assumption.text.as_str()));
    let second_look = match request.paranoid {
        true => decided.second_look(&program, &answer, &budget),
        false => None,
    };
    if let Some(Err(objection)) = &second_look {
        answer = Answer::unknown(format!("paranoid: {objection}"));
    }
    let mut report = CheckReport::new(answer, program, properties, files, assumptions, job.model);
    report.engine = request.engine.info().name;
    report.entry = request.entry.clone().unwrap_or_else(|| "main".to_owned());
    let mut certificates = decided.certificates;
    match certificates.len() {
        1 => report.certificate = certificates.pop(),
        _ => report.by_groups = certificates,
    }
    report.of_slice = decided.of_slice;
    report.cache = decided.cache;
    report.second_look = second_look.and_then(Result::ok);
    report.faults = decided.faults;
    let before_traces = Instant::now();
    // What was found is told, even if nothing more can be looked for.
    let latest = before_traces + TRACES;
    let budget = Budget { deadline: budget.deadline.map(|at| at.max(latest)), ..budget };
    for (id, status) in decided.statuses {
        let site = table.site(id).clone();
        report.push(site, status, request.trace, &budget);
    }
    statistics.traces = before_traces.elapsed();
    statistics.total = start.elapsed();
    report.statistics = statistics;
    Ok(report)
}

/// The time that executions may take to be watched when all other time is over.
const TRACES: Duration = Duration::from_secs(1);

/// Returns the bounds and options of unrolling.
fn unrolling(program: &Program, request: &CheckRequest) -> Result<Unrolling, String> {
    Ok(Unrolling {
        unwind: request.unwind,
        loop_bounds: vergo_symex::parse_loop_bounds(program, &request.unwindset)?,
        slice_assumptions: request.slice_assumptions,
        without_auxiliary: request.without_auxiliary,
        order: request.order,
    })
}

/// The loops of a program, each with its name and where it is, as a check with the same request sees them; those of
/// library models last.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub fn show_loops(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
) -> Result<String, Failed> {
    let mut program = load(job, inputs, request)?;
    if let Specification::Claims(properties) = &request.specification {
        make_claims(job, &mut program, properties.set())?;
    }
    let mut loops = vergo_symex::loops(&program);
    loops.sort_by_key(|of| program.functions[of.function].library);
    let line = |of: &vergo_symex::Loop| {
        let place = match program.functions[of.function].library {
            true => "library".to_owned(),
            false => job.map.presumed(of.span.lo).to_string(),
        };
        format!("{} {place}\n", of.name(&program))
    };
    Ok(loops.iter().map(line).collect())
}

/// The program of the inputs, which begins somewhere.
pub(crate) fn load(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
) -> Result<Program, Failed> {
    let options = vergo_lower::Options {
        entry: request.entry.clone().unwrap_or_else(|| "main".to_owned()),
        malloc_may_fail: request.malloc_may_fail,
        contracts: request.proof.contracts(),
        pointers: request.proof.pointers,
        removed_bodies: request.proof.removed_bodies.clone(),
        // A function is to keep its contract whatever ran before it.
        nondet_static: request.proof.nondet_static || !request.proof.enforced.is_empty(),
        properties: match &request.specification {
            Specification::Claims(properties) => properties.set(),
            Specification::Other(_) => PropertySet::EMPTY,
        },
        ..vergo_lower::Options::default()
    };
    job.proof = request.proof.clone();
    job.entry = options.entry.clone();
    // Readers of SV-COMP's properties, and of proofs for CBMC, take for granted that what they leave open points elsewhere.
    let outside_pointers = match &request.specification {
        Specification::Claims(Properties { text: None, .. }) if !job.is_proof() => {
            vergo_lower::OutsidePointers::Followed
        }
        _ => vergo_lower::OutsidePointers::Assumed,
    };
    let undeclared_as_defined = job.is_proof();
    let options = vergo_lower::Options { undeclared_as_defined, outside_pointers, ..options };
    let mut program = job.load_program_with(inputs, &options)?;
    vergo_passes::annotated::apply(&mut program);
    job.need_entry(&program, &options.entry)?;
    Ok(program)
}

/// Puts the claims of properties into a program, and no others.
pub(crate) fn make_claims(
    job: &mut Job,
    program: &mut Program,
    properties: PropertySet,
) -> Result<(), Failed> {
    let exempt = job.exempt.clone();
    let options = vergo_passes::Options { properties, exempt, ..vergo_passes::Options::default() };
    run_passes(program, CHECK.passes, &options, Verify::InDebug, &mut |_| {}).map_err(|broken| {
        job.diagnostics.push(Diagnostic::error(BROKEN_PASS, Span::DUMMY, broken.to_string()));
        Failed::Internal
    })
}

/// A file of the task with its hash.
pub(crate) fn source_file(job: &mut Job, input: &Input) -> Result<SourceFile, Failed> {
    let text = job.read(input)?;
    Ok(SourceFile { name: input.name(), sha256: sha256_hex(&text), text })
}
