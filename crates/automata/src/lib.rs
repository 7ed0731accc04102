//! Instrumentation automata: specifications reduced to reachability, from C to C.
//!
//! A specification is an automaton in a text file ([`mod@parse`] has the grammar). Applied to a program, it yields a
//! program that calls `reach_error` exactly when the specification is violated and otherwise does what the original
//! does, for any verifier, fuzzer or test run to check.
//!
//! - [`automaton`], [`mod@parse`], [`mod@check`]: what an automaton is, how it is written, when it makes sense;
//! - `site`, [`Syntax`]: where in a program an automaton can have something to do;
//! - [`mod@instrument`]: the instrumentation operator, on the text of the program;
//! - [`builtin`]: the automata that come with Vergo;
//! - [`ltl`]: automata of formulas of linear temporal logic.
//!
//! **Invariant.** C text in, C text out: nothing here knows GOTO or an engine.

pub mod automaton;
pub mod builtin;
pub mod cfa;
pub mod check;
pub mod codes;
pub mod ctype;
pub mod instrument;
mod live;
pub mod ltl;
mod operation;
pub mod parse;
mod print;
mod propositions;
pub mod sequentialize;
mod site;
mod syntax;
pub mod threads;
mod uses;

pub use automaton::Automaton;
pub use check::check;
pub use instrument::{Instrumented, LoopInfo, instrument, weave};
pub use parse::parse;
pub use syntax::Syntax;
