//! Transition systems: `Init`, `Trans` and `Bad` over words, and what engines do with them.
//!
//! [`TransitionSystem`] is what every unbounded engine works on, whatever it was made from.

pub mod system;

pub use system::{Flaw, StateVar, TransitionSystem};
