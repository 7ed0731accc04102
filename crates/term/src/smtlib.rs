//! SMT-LIB 2 text: a reader of scripts and a writer of terms and scripts.
//!
//! The reader turns text into [`Command`]s whose terms live in a store. It accepts the logic
//! QF_AUFBVFP (core, bit-vectors, arrays, floats, uninterpreted functions) in version 2.6 and what 2.7 adds to the overflow
//! predicates, plus a few names that solvers share (`define-const`, `bvredor`, `fp.to_ieee_bv`,
//! `get-interpolants`). Errors carry a line and a column; what the language has but we do not is an
//! error of kind [`SmtErrorKind::Unsupported`]. Neither reading nor writing recurses over terms, so
//! depth is no limit.

mod command;
mod elaborate;
mod function;
mod operators;
mod reader;
mod sexpr;
mod writer;

pub use command::{Command, Located};
pub use function::print_function;
pub use reader::{Reader, Symbols, parse_term, read_script};
pub use sexpr::Position;
pub use writer::{
    ScriptWriter, print_command, print_script, print_sort, print_symbol, print_term, print_value,
    standard_terms,
};

use std::fmt;

/// The widest word that the reader accepts; it keeps malformed text from exhausting memory.
const MAX_WIDTH: u32 = 1 << 24;

/// An error in SMT-LIB text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtError {
    /// Where.
    pub position: Position,
    /// Which kind.
    pub kind: SmtErrorKind,
    /// The mistake.
    pub message: String,
}

/// The kinds of [`SmtError`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SmtErrorKind {
    /// The text is not a sequence of well-formed commands.
    Syntax,
    /// A symbol or sort is not declared, or is declared twice.
    Symbol,
    /// An operator is applied to operands it does not take.
    Sort,
    /// Part of SMT-LIB that is not supported.
    Unsupported,
}

impl fmt::Display for SmtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message)
    }
}

impl std::error::Error for SmtError {}
