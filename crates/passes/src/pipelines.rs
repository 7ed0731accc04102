//! Named pipelines: which passes run, in which order. Data, so that a new use of the passes is a new row.

use crate::PassId::{self, *};

/// A pipeline: name, purpose, passes in order. Prerequisites of a pass that do not hold are put in by the manager.
pub struct Pipeline {
    /// The name.
    pub name: &'static str,
    /// The purpose of the pipeline.
    pub purpose: &'static str,
    /// The passes.
    pub passes: &'static [PassId],
}

/// Before a program is measured for encoding: after this, calls are direct and reach every function that is left.
pub const BEFORE_INLINING: Pipeline = Pipeline {
    name: "before-inlining",
    purpose: "before the size of a program with its calls inlined is measured: direct calls only",
    passes: &[FunctionPointers, Unreachable],
};

/// Before verification: steps of threads as small as they are in C; then claims, so that folding cannot hide an operation
/// that goes wrong; then the claims that the source makes but nobody asked for are dropped.
pub const CHECK: Pipeline = Pipeline {
    name: "check",
    purpose: "before verification: exactly the claims that are asked for, in a program without dead code",
    passes: &[SplitAccesses, Instrument, CallConventions, Select, Fold, Unreachable],
};

/// Before encoding as a transition system.
pub const ENCODE: Pipeline = Pipeline {
    name: "encode",
    purpose: "before encoding as a transition system: one function without calls",
    passes: &[Inline, Fold, Unreachable],
};

/// Before interpretation.
pub const RUN: Pipeline = Pipeline {
    name: "run",
    purpose: "before interpretation: exactly the claims that are asked for, the program as written",
    passes: &[SplitAccesses, Instrument, CallConventions, Select],
};

/// All pipelines in order of name.
pub const PIPELINES: &[Pipeline] = &[BEFORE_INLINING, CHECK, ENCODE, RUN];
