//! Transition systems: `Init`, `Trans` and `Bad` over words, and what engines do with them.
//!
//! [`TransitionSystem`] is what every unbounded engine works on, whatever it was made from.

pub mod export;
pub mod functional;
pub mod path;
pub mod proof;
pub mod system;
pub mod unroll;

pub use functional::Functional;
pub use path::Path;
pub use proof::Proof;
pub use system::{Flaw, StateVar, TransitionSystem};
pub use unroll::{Start, Unroller, Unrolling};
