//! An abstraction of a program with large arrays, for engines to find out where to look (`engines/src/witness_index.rs`).

use std::collections::BTreeMap;

use vergo_engines::{Abstraction, EngineId, has_large_arrays};
use vergo_goto::program::Program;
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_source::{SourceMap, Span};

use super::{CheckRequest, load, make_claims};
use crate::front_ends::FrontEnd;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transform::{ArraysRequest, transform_arrays};

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
    let assertions = [PropertyId::ReachError, PropertyId::UserAssert];
    let [input] = inputs else { return None };
    if !wanted
        || !FrontEnd::of(inputs).has_c
        || !request.proof.is_empty()
        || !claims.iter().all(|claim| assertions.contains(&claim))
    {
        return None;
    }
    // What is said about the abstraction is nobody's business, and what it is made from has been told already.
    let (entry, proof, stages) = (job.entry.clone(), job.proof.clone(), job.stages);
    let (made, _) = job.apart(|job| make(job, input, request, claims));
    (job.entry, job.proof, job.stages) = (entry, proof, stages);
    let abstraction = made.ok()?;
    let mut lines = BTreeMap::new();
    add_lines(&job.map, program, &mut lines);
    add_lines(&job.map, &abstraction, &mut lines);
    Some(Abstraction { program: abstraction, lines })
}

/// Files beyond this size are not transformed unless it is asked for: most of what they do has nothing to do with arrays.
const LONGEST: usize = 256 << 10;

fn is_short(job: &mut Job, inputs: &[Input]) -> bool {
    inputs.iter().all(|input| job.read(input).is_ok_and(|text| text.len() <= LONGEST))
}

fn make(
    job: &mut Job,
    input: &Input,
    request: &CheckRequest,
    claims: PropertySet,
) -> Result<Program, Failed> {
    let transformed = transform_arrays(job, input, ArraysRequest::default())?;
    if transformed.report.arrays.iter().all(|(_, _, kept)| kept.is_some()) {
        return Err(Failed::BadInput);
    }
    let name = format!("{} (abstracted)", input.name());
    let text = Input::Text { name, text: transformed.text };
    let mut program = load(job, &[text], request)?;
    make_claims(job, &mut program, claims)?;
    Ok(program)
}

/// The lines of the source that instructions of a program stand on.
fn add_lines(map: &SourceMap, program: &Program, lines: &mut BTreeMap<Span, u32>) {
    for function in program.functions.values() {
        for instr in function.body.iter().flatten() {
            lines.entry(instr.span).or_insert_with(|| map.presumed(instr.span.lo).line);
        }
    }
}
