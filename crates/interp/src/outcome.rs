//! The end of an execution.

use std::fmt;
use vergo_goto::program::Claim;
use vergo_source::Span;

/// The end of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The program ended with a status (its low eight bits).
    Exited(u8),
    /// The program ended itself abnormally.
    Aborted(Position),
    /// A claim was false, or an access that no claim covers was a fault.
    Violation(Box<Violation>),
    /// An assumption was false (and no other thread could go on), so this execution does not count.
    AssumptionFailed(Position),
    /// An instruction that Vergo does not handle was reached.
    Unsupported {
        /// A description of it.
        what: String,
        /// Where.
        position: Position,
    },
    /// A limit of the options was reached.
    LimitReached {
        /// Which.
        limit: Limit,
        /// Where.
        position: Position,
    },
    /// Every thread waits for another.
    Deadlock(Position),
    /// The source of nondeterministic values had none.
    NoInput {
        /// Why.
        reason: String,
        /// Where a value was wanted.
        position: Position,
    },
    /// The program is not executable: it has no entry, or it is not well formed.
    NotExecutable(String),
}

/// A limit that ends an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Number of elementary steps.
    Steps,
    /// Time.
    Time,
    /// Memory of the interpreted program.
    Memory,
    /// Depth of calls.
    CallDepth,
    /// Size of the interpreted program's stack.
    Stack,
    /// Number of threads.
    Threads,
    /// The one who asked for the execution wants it to stop.
    Cancelled,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Steps => "step limit",
            Limit::Time => "time limit",
            Limit::Memory => "memory limit",
            Limit::CallDepth => "call depth limit (stack overflow)",
            Limit::Stack => "stack limit (stack overflow)",
            Limit::Threads => "thread limit",
            Limit::Cancelled => "cancellation",
        })
    }
}

/// Where an execution stands: the active calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// The span of the instruction.
    pub span: Span,
    /// The active calls, innermost first.
    pub stack: Vec<Activation>,
    /// The number of further calls around these.
    pub omitted: usize,
}

/// An active call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Activation {
    /// The function's name in the user's words.
    pub function: String,
    /// True if it is part of a library model.
    pub library: bool,
    /// The instruction that runs in it.
    pub span: Span,
}

/// A false claim or a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The claim, or the property that the fault violates.
    pub claim: Claim,
    /// True if no assertion made the claim.
    pub fault: bool,
    /// Where.
    pub position: Position,
}
