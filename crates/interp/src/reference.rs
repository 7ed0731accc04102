//! The core GOTO language as an executable specification.
//!
//! **Source.** R. S. Menezes, thesis on the GOTO language (2025), chapter 3 and appendix A.2: definitions 3.1 to 3.18 and
//! algorithms 1 to 3, over naturals and arrays of naturals. Each item names the definition that it implements. Nothing
//! here is fast or typed: the production interpreter and symbolic execution refine it and are tested against it.
//!
//! **Numbering.** The thesis numbers instructions from 1 in its listings and from 0 in its algorithms and in the
//! appendix. Here they count from 0, so a target of a listing is one less.
//!
//! **Deviations.** The definitions up to 3.15 are taken as they stand. The symbolic execution of algorithms 2 and 3 and
//! of appendix A.2.4 is not right as printed; [`symex`] says what is wrong and how it is fixed, and its tests show each
//! fix. [`appendix`] keeps the appendix's version word for word, so that its examples can be run and its mistakes be
//! seen. Concrete execution, [`program::run`], is not in the thesis: it is the oracle which shows that the fixed
//! version is right, for random programs, bounds and environments.
//!
//! **Errata found while transcribing** (each has a test):
//!
//! - Definition 3.7 takes the second argument of `Constant` as a modulus; the text and example 3.10 call it a width in
//!   bits. The definition wins: pass `2^w`.
//! - Example 3.5 expands `And` with `= 0` where definition 3.9 has `≠ 0`.
//! - Algorithm 1 reads one instruction beyond the last.
//! - Examples 3.13 and 3.15 select the versions of `a0` the wrong way round.
//! - Example 3.18 jumps on the negated condition of example 3.17, and its instrumented form keeps targets that no
//!   longer fit.
//! - Appendix A.2.2 stores only the first value of an assigned array, against definition 3.14.

pub mod appendix;
pub mod expr;
pub mod memory;
pub mod program;
pub mod symex;
pub mod trace;
pub mod value;

#[cfg(test)]
mod tests;

pub use expr::{Expr, eval_expr};
pub use memory::Memory;
pub use program::{Instr, Loop, Outcome, extract_loops, run};
pub use symex::{SymexError, eval_program, symex_k};
pub use trace::{TraceStmt, eval_trace};
pub use value::{Array, Env, Nat, Symbol};
