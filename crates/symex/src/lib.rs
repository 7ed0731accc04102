//! GOTO to traces to terms: bounded symbolic execution, memory model, path merging, trace slicing.
//!
//! [`execute`] runs an instrumented program from its entry with every nondeterministic value a variable. Paths split at
//! branches and merge at joins; loops and recursion are unwound up to bounds. What comes out is a [`Trace`]: for each
//! claim the condition under which it fails, for each loop that was cut the condition under which it would have gone
//! on, and the steps from which a counterexample is read off a model.
//!
//! **Soundness.** Where something is beyond what is tracked (an access at an unknown offset of a huge object of mixed
//! types, the result of an output function), the value is a new variable. That admits more behaviours than there are, so
//! a proof stays a proof, and each counterexample is replayed before it is believed. The trace names each such place.
//! A construct that is not followed at all is an obligation: it must be shown that no execution gets there.
//!
//! **Exactness.** Everything else agrees with the interpreter, also bytes that nobody has written: they are variables, and
//! a counterexample says what they hold. An access that the interpreter stops at is a *fault*; the trace says under which
//! condition, and which violations come before any.

pub mod execute;
pub mod pmap;
pub mod segment;
pub mod slice;
pub mod threads;
pub mod trace;

mod address;
mod block_arrays;
mod blocks;
mod calls;
mod content;
mod dispatch;
mod eval;
mod execution;
mod guide;
mod initial;
mod linear;
mod lives;
mod loops;
mod memory;
mod nan;
mod operators;
mod outside;
mod parts;
mod place;
mod pointer;
mod printed;
mod questions;
mod region;
mod scalar;
mod spacing;
mod state;
mod text;
mod world;

pub use execute::{Options, Site, WORK_BETWEEN_LOOKS, execute, execute_on};
pub use execution::Paused;
pub use guide::Turn;
pub use initial::FreshId;
pub use loops::{Loop, LoopBounds, loops, parse_loop_bounds};
pub use memory::ObjectId;
pub use parts::Part;
pub use region::Element;
pub use scalar::Scalar;
pub use segment::{Aspect, Cutter, Home, Location, PointsTo, Segment, Snapshot};
pub use slice::{relevant_constraints, without_unrelated_assumptions};
pub use spacing::Spacing;
pub use trace::{
    Fault, Fixture, Fresh, FreshArray, Obligation, ObligationKind, Step, StepKind, Trace,
};
