//! GOTO to traces to terms: bounded symbolic execution, memory model, path merging, trace slicing.
//!
//! [`execute`] runs an instrumented program from its entry with every nondeterministic value a variable. Paths split at
//! branches and merge at joins; loops and recursion are unwound up to bounds. What comes out is a [`Trace`]: for each
//! claim the condition under which it fails, for each loop that was cut the condition under which it would have gone
//! on, and the steps from which a counterexample is read off a model.
//!
//! **Soundness.** Where an access is beyond what the memory model tracks (a byte-wise access at an unknown offset of a
//! large typed array, say), the value read is a new variable and the object written loses its value. That admits more
//! behaviours than there are, so a proof stays a proof, and each counterexample is replayed before it is believed. The
//! trace names the inputs and results of the outside world that were given up so; accesses are not named yet.

pub mod execute;
pub mod pmap;
pub mod segment;
pub mod trace;

mod content;
mod eval;
mod memory;
mod pointer;
mod state;

pub use content::{Part, Scalar};
pub use execute::{Options, execute};
pub use memory::ObjectId;
pub use segment::{Aspect, Cutter, Home, Location, PointsTo, Segment, Snapshot};
pub use trace::{Obligation, ObligationKind, Step, StepKind, Trace};
