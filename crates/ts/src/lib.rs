//! Transition systems: `Init`, `Trans` and `Bad` over words, and what engines do with them.
//!
//! [`TransitionSystem`] is what every unbounded engine works on, whatever it was made from. [`encode()`] makes one of a
//! program, with the way back: from paths to the program's choices, from invariants to its variables.

pub mod encode;
pub mod export;
pub mod functional;
pub mod origin;
pub mod path;
pub mod proof;
pub mod system;
pub mod unroll;

mod blocks;
mod c_text;
mod choices;
mod invariants;
mod single_loop;

pub use choices::{Choice, End};
pub use encode::{Encoded, Options, Unsupported, encode};
pub use functional::Functional;
pub use origin::{Origin, What};
pub use path::Path;
pub use proof::Proof;
pub use system::{Flaw, StateVar, TransitionSystem};
pub use unroll::{Start, Unroller, Unrolling};
