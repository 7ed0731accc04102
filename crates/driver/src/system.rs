//! The system request: a program's transition system in a format that others' tools take.
//!
//! The system is the one that the unbounded engines of `check` decide, with the same claims: states are at loop heads, a step
//! goes from one to the next, and what is bad is a violated claim or something that the encoding does not cover.

use vergo_source::{Diagnostic, Span};
use vergo_term::TermStore;
use vergo_ts::export::btor2::print_btor2;
use vergo_ts::export::chc::print_chc;

use crate::check::{CheckRequest, Specification, load, make_claims};
use crate::codes::NO_SYSTEM;
use crate::input::Input;
use crate::job::{Failed, Job};

/// A format of transition systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SystemFormat {
    /// Constrained Horn clauses in SMT-LIB.
    Chc,
    /// BTOR2.
    Btor2,
}

/// The transition system of a program with the claims of a specification.
///
/// # Errors
/// If the input is not a program, or has no such system; the job's diagnostics say why.
pub fn transition_system(
    job: &mut Job,
    inputs: &[Input],
    specification: Specification,
    entry: Option<String>,
    format: SystemFormat,
) -> Result<String, Failed> {
    let request = CheckRequest { specification, entry, ..CheckRequest::default() };
    let mut program = load(job, inputs, &request)?;
    let fail = |job: &mut Job, span: Span, reason: &str| {
        let message = format!("the program has no transition system: {reason}");
        job.fail(Diagnostic::error(NO_SYSTEM, span, message))
    };
    let Specification::Claims(properties) = &request.specification else {
        return Err(fail(job, Span::DUMMY, "the property is not about what can be reached"));
    };
    make_claims(job, &mut program, properties.set())?;
    let mut store = TermStore::new();
    let encoded = vergo_ts::encode(&program, &mut store, &vergo_ts::Options::default());
    let encoded = encoded.map_err(|unsupported| {
        fail(job, unsupported.span.unwrap_or(Span::DUMMY), &unsupported.reason)
    })?;
    match format {
        SystemFormat::Chc => Ok(print_chc(&mut store, &encoded.system)),
        SystemFormat::Btor2 => {
            print_btor2(&store, &encoded.system).map_err(|reason| fail(job, Span::DUMMY, &reason))
        }
    }
}
