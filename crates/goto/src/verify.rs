//! Well-formedness: the verifier, and the rules that it checks.
//!
//! This page is the specification. A program is *well formed* if all of the following hold; every other component may
//! rely on it, and every pass has to keep it. `docs/ir.md` says what well-formed programs mean. "Sized" is a type that
//! [`TypeTable::size_of`](crate::types::TypeTable::size_of) gives a size below 2^63.
//!
//! # Types
//! - Integers are 1 to 65536 bits wide.
//! - Elements of arrays are sized. Results and parameters of functions are sized or `bool`; a result may be `void`.
//! - A complete structure has sized members inside its size, with distinct names; its alignment is a power of two. It
//!   does not contain itself. An incomplete one has no members.
//! - A bit-field has an integer type, begins at a bit below 8 of its byte, and its bits lie inside the structure.
//!
//! # Symbols
//! - Names are distinct among symbols and among functions. Types are sized or `bool`; alignments are powers of two.
//! - The parts of a static initialiser are in ascending order, do not overlap, lie inside the object, and are sized
//!   constant expressions: no variable is read, and addresses are of statics that are not thread-local.
//! - A parameter of a function with a body stands exactly once in its function's list.
//!
//! # Functions
//! - The type is a function type. With a body there is one parameter symbol per parameter of the type, of its type.
//! - A body is not empty, and control cannot fall off its end.
//! - Each label below `n_labels` stands at most once; every jump goes to a label that stands in its function.
//! - The entry function has a body, no parameters and no result.
//!
//! # Expressions
//! - Children have smaller numbers than their parents, so there are no cycles.
//! - Each operator has operands of the types that `docs/ir.md` gives, and yields the type given there. Types agree by
//!   identity: there are no implicit conversions.
//! - The operand of address-of is a place and not a bit-field, and its type is sized. The operand of a dereference
//!   points to a sized type.
//! - Local variables and parameters stand only in instructions of their own function.
//! - A nondeterministic choice is the whole right side of an assignment; its number is below `nondet_sites`.
//!
//! # Instructions
//! - Written expressions are places of the type of the value written.
//! - Conditions are of type `bool`.
//! - Calls have an argument per parameter, of its type, and a destination only if there is a result, of its type.
//! - `return` has a value of the result's type exactly if the result is not `void`.
//! - `decl` and `dead` name local variables of the function.
//! - `alloc`, `free`, `spawn`, `join` and intrinsics have operands as `docs/ir.md` says.
//! - An intrinsic has its blocks among its operands: a pointer and an integer for each piece of memory that it touches. So
//!   there is none of which claims could not be made before it. Those that touch more are for runs.
//!
//! The verifier takes time linear in the program: it marks the expressions that instructions and initialisers reach,
//! checks each of them once in the order of their numbers, and looks at each instruction once.

mod exprs;
mod instrs;
mod types;

use crate::expr::ExprId;
use crate::program::{FunctionId, InitPart, Program, StaticInit, SymbolKind};
use std::fmt;

/// The reason why a program is not well formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function's name, if the error is in one.
    pub function: Option<String>,
    /// The index of the instruction in its body.
    pub instr: Option<usize>,
    /// The mistake.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.function, self.instr) {
            (Some(function), Some(instr)) => {
                write!(f, "{function}: instruction {instr}: {}", self.message)
            }
            (Some(function), None) => write!(f, "{function}: {}", self.message),
            (None, _) => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for VerifyError {}

/// The greatest number of errors that are reported.
const MAX_ERRORS: usize = 50;

/// Checks that a program is well formed.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors { list: Vec::new() };
    let sizes = types::check(program, &mut errors);
    if !errors.list.is_empty() {
        // The rest relies on types that have sizes.
        return Err(errors.list);
    }
    let facts = exprs::check(program, &sizes, &mut errors);
    instrs::check(program, &sizes, &facts, &mut errors);
    if errors.list.is_empty() { Ok(()) } else { Err(errors.list) }
}

struct Errors {
    list: Vec<VerifyError>,
}

impl Errors {
    fn program(&mut self, message: impl Into<String>) {
        self.push(VerifyError { function: None, instr: None, message: message.into() });
    }

    fn function(&mut self, program: &Program, function: FunctionId, message: impl Into<String>) {
        let function = Some(program.functions[function].name.clone());
        self.push(VerifyError { function, instr: None, message: message.into() });
    }

    fn instr(
        &mut self,
        program: &Program,
        function: FunctionId,
        instr: usize,
        message: impl Into<String>,
    ) {
        let function = Some(program.functions[function].name.clone());
        self.push(VerifyError { function, instr: Some(instr), message: message.into() });
    }

    fn push(&mut self, error: VerifyError) {
        if self.list.len() < MAX_ERRORS {
            self.list.push(error);
        }
    }

    fn is_full(&self) -> bool {
        self.list.len() >= MAX_ERRORS
    }
}

/// Calls a function with every expression that an instruction or initialiser holds, and where.
fn for_each_root(program: &Program, mut f: impl FnMut(ExprId, Option<(FunctionId, usize)>)) {
    for (_, symbol) in &program.symbols {
        if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &symbol.kind {
            for part in parts {
                if let InitPart::Value { value, .. } = part {
                    f(*value, None);
                }
            }
        }
    }
    for (id, function) in &program.functions {
        for (i, instr) in function.body.iter().flatten().enumerate() {
            instr.kind.for_each_expr(|e, _| f(e, Some((id, i))));
            for (e, _) in &instr.parts {
                f(*e, Some((id, i)));
            }
        }
    }
}

/// Panics with the errors and the context if the program is not well formed: for tests and debug builds.
pub fn assert_well_formed(program: &Program, context: &str) {
    if let Err(errors) = verify(program) {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{context}: the program is not well formed:\n{}", list.join("\n"));
    }
}
