//! What annotations of the source ask of a program, once it is lowered: loops with contracts lose their rounds, and writes
//! of a function that is checked against its contract are claims.
//!
//! These are no passes: a pass leaves what a program does, and these change it. Names are agreed in
//! [`vergo_goto::contract`].

mod frames;
mod loops;
mod writes;

use vergo_goto::program::Program;

/// Does what the annotations of a program ask for. Without annotations nothing changes.
pub fn apply(program: &mut Program) {
    // Frames first: what loops get any value of is more than what they write.
    frames::apply(program);
    loops::apply(program);
}
