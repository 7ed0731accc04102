//! The way there and back: C to the typed tree to C, judged by the host's compiler.
//!
//! - `corpus`: the hand-written programs, one construct each, print the same before and after;
//! - `csmith`: so do random programs;
//! - `expressions`: random expressions over all arithmetic types have the same values;
//! - `bench`: every external verification task is accepted, and so is its print;
//! - `shape`: what the printed text looks like;
//! - `robust`: depth, size, determinism, damaged programs.
//!
//! Printing what was parsed from a print must give the same text; that is checked wherever something is printed.

mod bench;
mod corpus;
mod csmith;
mod expressions;
mod robust;
mod round_trip;
mod shape;
