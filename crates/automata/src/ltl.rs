//! Linear temporal logic over conditions of a C program, as instrumentation automata.
//!
//! A formula such as `G(x == 1 -> F y == 1)` says what has to hold of every execution. It becomes an automaton of this
//! crate, so that `vergo transform` makes a program of it, and `vergo check` a verdict, as of every other automaton.
//!
//! - [`mod@parse`]: from text to a [`Formula`], with positions in every complaint;
//! - [`formula`]: the formula as it was written; [`normal`]: its negation normal form;
//! - [`buchi`]: the generalised Büchi automaton of a formula, by tableau;
//! - [`monitor`]: the deterministic automaton of a formula that is violated at some point or never;
//! - [`encode`]: both as an instrumentation automaton.
//!
//! **What a trace is.** The positions of a trace are the values of the conditions when `main` begins, and anew after
//! each assignment to a variable that a condition reads; after the end, the last values hold for ever. Where nothing
//! changes, nothing happens: only formulas that do not count positions mean something, so that `X` is rejected.

pub mod buchi;
pub mod encode;
pub mod formula;
pub mod monitor;
pub mod normal;
pub mod parse;

pub use encode::{Part, encode};
pub use formula::Formula;
pub use parse::parse;
