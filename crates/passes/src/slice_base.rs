//! The slice for the base case: as [`crate::slice`], but loops and recursion that claims come behind stay, so that an
//! execution of the slice that violates a claim is one of the program (section 4.2.2 of the thesis).

use crate::Options;
use crate::slice::{Mode, slice};
use vergo_goto::program::Program;

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    slice(program, Mode::Base);
}
