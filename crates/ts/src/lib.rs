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
pub mod ranked;
pub mod reduction;
pub mod sums;
pub mod system;
pub mod unroll;
pub mod watch;

mod blocks;
mod c_text;
mod choices;
mod invariants;
mod scope;
mod single_loop;

pub use c_text::{CNames, CText};
pub use choices::{Choice, Chosen, End};
pub use encode::{Encoded, Options, RecursiveCalls, Unsupported, encode};
pub use functional::Functional;
pub use origin::{Origin, What};
pub use path::Path;
pub use proof::{Claim, Proof};
pub use ranked::ranked;
pub use reduction::{Reduction, Watch};
pub use scope::SourceLoop;
pub use sums::{Combination, Series, Sums};
pub use system::{Flaw, StateVar, TransitionSystem};
pub use unroll::{Start, Unroller, Unrolling};
pub use watch::{Watched, alternatives};
