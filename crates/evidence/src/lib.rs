//! Verdicts, counterexamples, certificates; replay and independent checking.
//!
//! **No verdict without evidence.** [`Verdict::False`] can only be made from a [`Counterexample`], and that only by a
//! replay in the interpreter that met the violation; [`Verdict::True`] only from a [`Certificate`], and that only by a
//! check that found nothing left to show. Everything else is [`Verdict::Unknown`] with a reason.

pub mod certificate;
pub mod choices;
pub mod claims;
pub mod clause_proof;
mod control;
pub mod counterexample;
pub mod execution;
pub mod explain;
mod exploration;
mod facts;
pub mod forced;
pub mod harness;
mod independence;
pub mod induction;
pub mod interleavings;
mod localised;
mod loop_invariants;
mod needed;
pub mod one_by_one;
mod only_execution;
pub mod opaque;
pub mod plain;
mod plain_facts;
pub mod pruning;
pub mod race;
pub mod race_freedom;
mod reason;
pub mod sha256;
pub mod shapes;
pub mod tabulated;
pub mod thread_modular;
pub mod unrolling;
pub mod witness;
pub mod yaml;

pub use certificate::{Bounds, Certificate, Certify, Checked};
pub use choices::Choices;
pub use claims::{ClaimId, ClaimKey, ClaimTable};
pub use clause_proof::ClauseProof;
pub use counterexample::{Counterexample, Input, Mismatch};
pub use loop_invariants::{LoopInvariant, check_loop_facts};
pub use reason::Reason;

/// The answer to a task.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No claim can be violated.
    True(Certificate),
    /// A claim is violated by the execution that this describes.
    False(Box<Counterexample>),
    /// Nothing is known, and why.
    Unknown(Reason),
}
