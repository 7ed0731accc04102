//! The GOTO interpreter: the executable semantics and the oracle of every test.
//!
//! [`Machine`] executes a well-formed program with the meaning that `docs/ir.md` gives it, and says in an [`Outcome`] how
//! the execution ended. It is deterministic: the same program, options and inputs give the same outcome and output.
//! [`mod@reference`] is something else: the definitions of the thesis, literally, over naturals and arrays.
//!
//! ```
//! use vergo_interp::{Machine, Options, Outcome};
//!
//! let program = vergo_goto::text::parse(
//!     "entry main; function main: fn() -> void { local x: i32 align 4; decl x; x := 6i32 * 7i32; end x; }",
//! )
//! .unwrap();
//! let outcome = Machine::new(&program, Options::default()).run();
//! assert_eq!(outcome, Outcome::Exited(42));
//! ```

mod calls;
mod code;
mod compile;
mod describe;
mod format;
mod inputs;
mod inspect;
mod intrinsics;
mod machine;
mod memory;
mod outcome;
pub mod reference;
mod scan;
mod slow;
#[cfg(test)]
mod tests;
mod trace;
mod values;
mod world;

pub use inputs::{
    Addresses, AtEnd, Birth, FreshBytes, InputType, InputValue, Inputs, ListInputs, Request,
    SeedInputs, parse_value,
};
pub use inspect::HeapObject;
pub use machine::{
    Explored, Guide, Limits, Machine, Options, RacingAccess, Schedule, Turns, explore,
};
pub use outcome::{Activation, Limit, Outcome, Position, Violation};
pub use trace::{Access, AccessKind, Event, Tracer, Variable, What};
pub use world::{Buffers, World};
