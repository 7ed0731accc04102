//! The events of an execution, for observers.

use vergo_goto::expr::ExprId;
use vergo_goto::program::{FunctionId, InstrKind, SymbolId};
use vergo_source::Span;

/// A step of an execution.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// The thread.
    pub thread: usize,
    /// The number of active calls in it.
    pub depth: usize,
    /// The function.
    pub function: FunctionId,
    /// The index of the instruction in its body.
    pub instr: usize,
    /// The instruction.
    pub kind: &'a InstrKind,
    /// Its span.
    pub span: Span,
    /// The event.
    pub what: What,
}

/// The event of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A value was written to a place.
    Assigned {
        /// The place.
        place: ExprId,
        /// The value as text.
        value: String,
    },
    /// A conditional jump was taken or not.
    Branched(bool),
    /// A function was called with these values.
    Called {
        /// Who.
        callee: FunctionId,
        /// The arguments as text.
        args: Vec<String>,
    },
    /// The function returned.
    Returned,
    /// Memory was freed: the pointer as text.
    Freed(String),
}

/// A read or write of memory that an instruction makes. Variables count as memory too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The thread.
    pub thread: usize,
    /// The number of active calls in it.
    pub depth: usize,
    /// The function.
    pub function: FunctionId,
    /// The index of the instruction in its body.
    pub instr: usize,
    /// The kind of access.
    pub kind: AccessKind,
    /// The first byte.
    pub address: u64,
    /// The number of bytes.
    pub size: u64,
    /// The variable that a write changes, if it is one and variables are of interest.
    pub variable: Option<Variable>,
}

/// A variable, or the part of one that begins at an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Which.
    pub symbol: SymbolId,
    /// Whose, if it is no static one: the thread, and how many calls are active in it with that of the variable.
    pub call: Option<(usize, usize)>,
    /// The offset in bytes.
    pub offset: u64,
}

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum AccessKind {
    Read,
    Write,
}

/// Someone who watches.
pub trait Tracer {
    /// Is told of each step, in order.
    fn event(&mut self, event: &Event<'_>);

    /// Returns whether the observer wants accesses of memory. Watching them is slow, and puts every variable into
    /// memory.
    fn wants_accesses(&self) -> bool {
        false
    }

    /// Returns whether the observer wants to know which variables are written.
    fn wants_variables(&self) -> bool {
        false
    }

    /// Is told of each access before the step that makes it.
    fn access(&mut self, _access: &Access) {}

    /// Is told of each access that is claimed to be in no race, by number, where accesses are of interest.
    fn claimed(&mut self, _number: u64) {}
}

impl<F: FnMut(&Event<'_>)> Tracer for F {
    fn event(&mut self, event: &Event<'_>) {
        self(event);
    }
}
