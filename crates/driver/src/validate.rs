//! The validate request: a program and a verification witness of any tool in; what becomes of the witness out.
//!
//! **Idea.** Nothing is believed of a witness; it is a hint where to look. The text of the program gets what the witness
//! says woven in (`weave`), and the engines decide the result. For a correctness witness (`invariants`) each invariant is
//! an assertion at its place, beside the claims of the property: an engine by induction then uses the invariants to prove
//! the property and proves them on the way. For a violation witness (`way`) a counter goes on as the waypoints are passed,
//! and claims count only where it has come to the target: what is found is replayed on the program as it was given.
//!
//! **Soundness.** `true` needs a certificate for all invariants and the property together; `false` a replay on the
//! original program. A witness whose invariants do not hold, or that no violation follows, is rejected, which says
//! nothing about the program.

mod invariants;
mod way;
mod weave;

use vergo_engines::Progress;
use vergo_evidence::sha256::sha256_hex;
use vergo_evidence::witness::{Content, Witness, read};
use vergo_source::{Diagnostic, Span};

use crate::check::{
    Answer, CheckReport, CheckRequest, Properties, Specification, load, source_file,
};
use crate::codes::{WITNESS_MALFORMED, WITNESS_OF_ANOTHER_PROGRAM};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::landmarks::base_name;

/// A request to validate a witness.
#[derive(Clone, Debug)]
pub struct ValidateRequest {
    /// The options of the program's check; its specification counts only if `own_specification` is set.
    pub check: CheckRequest,
    /// True if the request's specification counts, and not the one that the witness names.
    pub own_specification: bool,
    /// True if the job's data model counts, and not the one that the witness names.
    pub own_model: bool,
}

/// The outcome for a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Its content is true, and the verdict follows.
    Confirmed,
    /// Its content is not true; the reason.
    Rejected(String),
    /// Nothing is known; why.
    Undecided(String),
}

/// The result of validation.
#[derive(Debug)]
pub struct Validation {
    /// The outcome for the witness.
    pub fate: Fate,
    /// The verdict on the program, as far as the witness led to one.
    pub report: CheckReport,
}

/// Validates a witness.
///
/// # Errors
/// If the program is no program or the witness no witness of it; the job's diagnostics say why.
pub fn validate(
    job: &mut Job,
    inputs: &[Input],
    witness: &Input,
    request: &ValidateRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Validation, Failed> {
    job.need_c(inputs, "witnesses")?;
    let text = job.read(witness)?;
    let text = String::from_utf8_lossy(&text);
    let read = read(&text).map_err(|flaw| {
        let message = format!("`{}`: {flaw}", witness.name());
        job.fail(Diagnostic::error(WITNESS_MALFORMED, Span::DUMMY, message))
    })?;
    let mut check = request.check.clone();
    if !request.own_specification {
        let text = &read.metadata.specification;
        check.specification = Specification::from_witness(text).ok_or_else(|| {
            let message = format!("`{}`: there is no property `{text}`", witness.name());
            let diagnostic = Diagnostic::error(WITNESS_MALFORMED, Span::DUMMY, message);
            job.fail(diagnostic.help("name the property with --property"))
        })?;
    }
    if !request.own_model {
        job.model = match read.metadata.data_model.as_str() {
            "ILP32" => vergo_cfront::target::DataModel::Ilp32,
            _ => vergo_cfront::target::DataModel::Lp64,
        };
    }
    compare_files(job, inputs, &read)?;
    let Specification::Claims(properties) = check.specification.clone() else {
        return undecidable(job, inputs, &check);
    };
    match &read.content {
        Content::Correctness(invariants) => {
            invariants::validate(job, inputs, invariants, &properties, &check, progress)
        }
        Content::Violation(segments) => {
            way::validate(job, inputs, segments, &properties, &check, progress)
        }
    }
}

/// Warns of files whose hash is another than the witness says.
fn compare_files(job: &mut Job, inputs: &[Input], witness: &Witness) -> Result<(), Failed> {
    for input in inputs {
        let hash = sha256_hex(&job.read(input)?);
        let name = input.name();
        let known = &witness.metadata.files;
        let is_same = |file: &(String, String)| base_name(&file.0) == base_name(&name);
        let said = known.iter().find(|file| is_same(file));
        let message = match said {
            Some((_, said)) if *said == hash => continue,
            // A file that was renamed is still the same file.
            None if known.iter().any(|(_, said)| *said == hash) => continue,
            Some((_, said)) => {
                format!("`{name}` has the hash {hash}, but the witness is about one with {said}")
            }
            None => format!("the witness does not mention `{name}`"),
        };
        job.diagnostics.push(Diagnostic::warning(WITNESS_OF_ANOTHER_PROGRAM, Span::DUMMY, message));
    }
    Ok(())
}

/// The answer where the property is none of claims.
fn undecidable(
    job: &mut Job,
    inputs: &[Input],
    check: &CheckRequest,
) -> Result<Validation, Failed> {
    let Specification::Other(name) = &check.specification else { return Err(Failed::Internal) };
    let reason = format!("witnesses of {name} are not validated yet");
    let program = load(job, inputs, check)?;
    let files = inputs.iter().map(|input| source_file(job, input)).collect::<Result<_, _>>()?;
    let properties = Properties { names: Vec::new(), text: None };
    let answer = Answer::unknown(reason.clone());
    let report = CheckReport::new(answer, program, properties, files, Vec::new(), job.model);
    Ok(Validation { fate: Fate::Undecided(reason), report })
}
