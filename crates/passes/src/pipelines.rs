//! Named pipelines: which passes run, in which order. Data, so that a new use of the passes is a new row.

use crate::PassId::{self, *};

/// A pipeline: name, purpose, passes in order. Prerequisites of a pass that do not hold are put in by the manager.
pub struct Pipeline {
    /// The name.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// The passes.
    pub passes: &'static [PassId],
}

/// The pipelines.
pub const PIPELINES: &[Pipeline] = &[
    Pipeline {
        name: "check",
        purpose: "before verification: claims first, so that folding cannot hide an operation that goes wrong",
        passes: &[Instrument, Fold, Unreachable],
    },
    Pipeline {
        name: "run",
        purpose: "before interpretation: claims only, the program as written",
        passes: &[Instrument],
    },
];

/// The pipeline of a name.
pub fn pipeline(name: &str) -> Option<&'static Pipeline> {
    PIPELINES.iter().find(|pipeline| pipeline.name == name)
}
