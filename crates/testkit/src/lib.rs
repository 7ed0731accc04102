//! Golden-file harness and generators for the tests of every other crate.
//!
//! Nothing here knows C's meaning or any other crate: a test brings the function under test, and
//! gets inputs, oracles (the host's compiler, csmith) and comparison from here. Everything that
//! is random comes from a seeded [`Rng`], so that a failure can be repeated.

// Test support prints lines about skipped tests and is never part of a shipped program.
#![allow(clippy::print_stderr, reason = "skipped tests must be seen")]

pub mod array_programs;
pub mod browser;
pub mod buffer_programs;
pub mod csmith;
pub mod environment;
pub mod faulty;
pub mod golden;
pub mod host_c;
pub mod hunt;
pub mod large;
pub mod list_programs;
pub mod mutate;
pub mod pointer_programs;
pub mod process;
pub mod programs;
pub mod racing;
pub mod records;
mod rng;
pub mod sanitizer;
pub mod schema;
pub mod trials;

pub use rng::Rng;
