//! Tests of the machine.

mod leaps;
mod operators;
mod programs;
mod threads;
mod world;

use crate::{AtEnd, Buffers, ListInputs, Machine, Options, Outcome};
use vergo_goto::program::Program;

/// A program from text, verified.
fn parse(text: &str) -> Program {
    let program = vergo_goto::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    vergo_goto::verify::assert_well_formed(&program, text);
    program
}

/// Outcome and output of a program, with inputs as in a file.
fn run_with(
    program: &Program,
    inputs: &str,
    change: impl FnOnce(&mut Options<'_>),
) -> (Outcome, Vec<u8>) {
    let buffers = Buffers::default();
    let mut options = Options {
        inputs: Box::new(ListInputs::new(inputs, AtEnd::Zero)),
        world: Box::new(buffers.clone()),
        ..Options::default()
    };
    change(&mut options);
    let outcome = Machine::new(program, options).run();
    (outcome, buffers.output())
}

/// Outcome of a program without inputs.
fn run(text: &str) -> Outcome {
    run_with(&parse(text), "", |_| {}).0
}

/// The status of the entry function's code.
fn status(locals: &str, code: &str) -> Outcome {
    run(&format!("entry main; function main: fn() -> void labels 8 {{ {locals} {code} }}"))
}

/// The property that an outcome violates.
fn violated(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Violation(violation) => &violation.claim.property,
        other => panic!("{other:?}"),
    }
}
