//! What symbolic execution yields: obligations to check and the steps that a counterexample is made of.

use vergo_goto::program::Claim;
use vergo_goto::types::TypeId;
use vergo_source::Span;
use vergo_term::TermId;

/// The result of a bounded symbolic execution.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// What has to be shown unsatisfiable, in order of execution.
    pub obligations: Vec<Obligation>,
    /// What holds of all variables (addresses of objects, ranges of inputs).
    pub constraints: Vec<TermId>,
    /// What happened, in order of execution.
    pub steps: Vec<Step>,
    /// Where inputs or results of the outside world were given up, with the reason, once each.
    pub approximations: Vec<(Span, String)>,
    /// Whether the step limit or the deadline ended execution early; then nothing can be proved from the trace.
    pub cut_short: Option<String>,
}

/// A condition that is violated if it can be satisfied together with the constraints.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it is.
    pub kind: ObligationKind,
    /// Satisfied by the executions that violate it.
    pub violation: TermId,
    /// Where.
    pub span: Span,
}

/// What an obligation is.
#[derive(Clone, Debug)]
pub enum ObligationKind {
    /// A claim of a property.
    Claim(Box<Claim>),
    /// A loop was cut: no execution may want another round.
    Unwinding,
    /// A recursive call was cut.
    Recursion,
    /// Something unsupported: no execution may get there.
    Unsupported(String),
}

/// A step of the execution.
#[derive(Clone, Debug)]
pub struct Step {
    /// Satisfied by the executions that take the step.
    pub guard: TermId,
    /// Where.
    pub span: Span,
    /// What happened.
    pub kind: StepKind,
}

/// What happened in a step.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A nondeterministic choice: the site, the value and its type.
    Input {
        /// The number of the site.
        site: u32,
        /// The variable.
        value: TermId,
        /// The GOTO type.
        ty: TypeId,
    },
}
