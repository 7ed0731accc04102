//! An abstraction of a program with large arrays, for engines to find out where to look (`engines/src/witness_index.rs`).

use std::collections::BTreeMap;
use std::iter::once;
use std::slice;
use std::time::Duration;

use vergo_arrays::{Dialect, Settings as ArraysSettings, Transformed};
use vergo_engines::{
    Abstraction, EngineId, Environment, Goal, OnViolation, Refined, Task, Unrolling,
    has_large_arrays, refined,
};
use vergo_evidence::Certify;
use vergo_goto::program::Program;
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_smt::Budget;
use vergo_source::{SourceMap, Span};

use super::{CheckRequest, load, make_claims};
use crate::front_ends::FrontEnd;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transform::{ArraysRequest, transform_arrays};

/// The claims that abstractions are about.
const ASSERTIONS: [PropertyId; 2] = [PropertyId::ReachError, PropertyId::UserAssert];

/// The abstraction of a program by witness indices; none if it has no large arrays, claims more than assertions, is no
/// single C file, or cannot be abstracted.
pub(super) fn of(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
    program: &Program,
    claims: PropertySet,
) -> Option<Abstraction> {
    let wanted = match request.engine {
        EngineId::WitnessIndex => true,
        EngineId::Portfolio => has_large_arrays(program) && is_short(job, inputs),
        _ => false,
    };
    let [input] = inputs else { return None };
    if !wanted
        || !FrontEnd::of(inputs).has_c
        || !request.proof.is_empty()
        || !claims.iter().all(|claim| ASSERTIONS.contains(&claim))
    {
        return None;
    }
    let (steps, _) = abstracted(job, input, request, claims, ArraysSettings::default()).ok()?;
    Some(abstraction(job, program, steps))
}

/// An abstraction with the lines of all its programs.
fn abstraction(job: &Job, program: &Program, steps: Vec<Program>) -> Abstraction {
    let mut lines = BTreeMap::new();
    for program in once(program).chain(&steps) {
        add_lines(&job.map, program, &mut lines);
    }
    Abstraction { steps, lines }
}

/// A program abstracted by witness indices as finely as it takes: until the result has no alarm, or one that is a violation of the
/// program, within a time. If neither comes about, it is the coarsest one.
///
/// # Errors
/// If it is not a program, or cannot be transformed; the job's diagnostics say what and where.
pub fn refine_arrays(
    job: &mut Job,
    input: &Input,
    request: ArraysRequest,
    time: Duration,
) -> Result<(Transformed, Refined), Failed> {
    let claims: PropertySet = ASSERTIONS.into_iter().collect();
    let check = CheckRequest::default();
    let (program, _) = job.apart(|job| {
        let mut program = load(job, slice::from_ref(input), &check)?;
        make_claims(job, &mut program, claims)?;
        Ok::<_, Failed>(program)
    });
    // What cannot be checked is not refined.
    let mut outcome = Refined::Open;
    if let Ok(program) = program
        // No check depends on the dialect.
        && let settings = (ArraysSettings { dialect: Dialect::default(), ..request.settings })
        && let Ok((steps, numbers)) = abstracted(job, input, &check, claims, settings)
    {
        let abstraction = abstraction(job, &program, steps);
        let unrolling = Unrolling::default();
        let task = Task {
            program: &program,
            unrolling: &unrolling,
            on_violation: OnViolation::Stop,
            certify: Certify::Off,
            goal: Goal::Safety,
            abstraction: None,
        };
        let env = Environment { budget: Budget::within(time), progress: &|_| {} };
        outcome = match refined(&task, &abstraction, &env) {
            Refined::NoAlarm(step) => Refined::NoAlarm(numbers[step]),
            Refined::Real(step, violation) => Refined::Real(numbers[step], violation),
            Refined::Open => Refined::Open,
        };
    }
    let step = match outcome {
        Refined::NoAlarm(step) | Refined::Real(step, _) => step,
        Refined::Open => 0,
    };
    let settings = request.settings.steps().into_iter().nth(step).unwrap_or(request.settings);
    Ok((transform_arrays(job, input, ArraysRequest { settings })?, outcome))
}

/// Files beyond this size are not transformed unless it is asked for: most of what they do has nothing to do with arrays.
const LONGEST: usize = 256 << 10;

fn is_short(job: &mut Job, inputs: &[Input]) -> bool {
    inputs.iter().all(|input| job.read(input).is_ok_and(|text| text.len() <= LONGEST))
}

/// The abstractions of a program with each refinement, those that are no different from the one before left out, and the number of the
/// refinement of each.
fn abstracted(
    job: &mut Job,
    input: &Input,
    request: &CheckRequest,
    claims: PropertySet,
    settings: ArraysSettings,
) -> Result<(Vec<Program>, Vec<usize>), Failed> {
    let (mut programs, mut numbers) = (Vec::new(), Vec::new());
    let mut before = Vec::new();
    for (number, settings) in settings.steps().into_iter().enumerate() {
        // What is said about an abstraction is nobody's business, and what it is made from has been told already.
        let (entry, proof, stages) = (job.entry.clone(), job.proof.clone(), job.stages);
        let (made, _) = job.apart(|job| make(job, input, request, claims, settings, &before));
        (job.entry, job.proof, job.stages) = (entry, proof, stages);
        if let Some((text, program)) = made? {
            before = text;
            programs.push(program);
            numbers.push(number);
        }
    }
    Ok((programs, numbers))
}

/// An abstraction as a text and as a program; none if the text is one that has been made before.
fn make(
    job: &mut Job,
    input: &Input,
    request: &CheckRequest,
    claims: PropertySet,
    settings: ArraysSettings,
    before: &[u8],
) -> Result<Option<(Vec<u8>, Program)>, Failed> {
    let transformed = transform_arrays(job, input, ArraysRequest { settings })?;
    if transformed.report.arrays.iter().all(|(_, _, kept)| kept.is_some()) {
        return Err(Failed::BadInput);
    }
    if transformed.text == before {
        return Ok(None);
    }
    let name = format!("{} (abstracted)", input.name());
    let text = Input::Text { name, text: transformed.text.clone() };
    let mut program = load(job, &[text], request)?;
    make_claims(job, &mut program, claims)?;
    Ok(Some((transformed.text, program)))
}

/// The lines of the source that instructions of a program stand on.
fn add_lines(map: &SourceMap, program: &Program, lines: &mut BTreeMap<Span, u32>) {
    for function in program.functions.values() {
        for instr in function.body.iter().flatten() {
            lines.entry(instr.span).or_insert_with(|| map.presumed(instr.span.lo).line);
        }
    }
}
