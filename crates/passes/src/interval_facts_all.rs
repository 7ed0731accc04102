//! Facts about numbers as assumptions, in front of all instructions: see [`crate::interval_facts`].

use crate::Options;
use crate::interval_facts::{Level, add};
use vergo_goto::program::Program;

/// The pass.
pub fn run(program: &mut Program, options: &Options) {
    add(program, options, Level::All);
}
