//! The GOTO language: types, expressions, instructions, functions, program; builder, text format, well-formedness
//! verifier.
//!
//! GOTO is the language of chapter 3 of the thesis that Vergo starts from, typed, with memory (its section 3.5.1) and
//! the other extensions made precise. `docs/ir.md` gives the semantics of each construct; [`mod@verify`] states what a
//! well-formed program is.
//!
//! **Invariant.** GOTO has no undefined behaviour. Every expression has a value in every state; what C leaves undefined
//! is an `assert` that a pass inserts before the instruction, and the value is the documented one.

pub mod build;
pub mod contract;
pub mod convention;
mod conversion;
pub mod describe;
pub mod expr;
pub mod fold;
pub mod merge;
mod part;
pub mod program;
pub mod property;
pub mod rewrite;
pub mod sample;
pub mod text;
pub mod types;
pub mod verify;
