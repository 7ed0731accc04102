//! The accesses of library functions that the proof does not look into, according to their models.
//!
//! A model claims of each access that it is in no race, as the program does. Its parameters hold what the arguments of the call
//! do, its variables what it assigns to them, and what it calls is followed in the same way. Accesses in its atomic sections are
//! synchronisation and in no race.

use super::claimed;
use super::contents::{Contents, Object, Reader, Target, Targets};
use std::collections::BTreeMap;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program, SymbolId};

/// Calls within calls that are followed.
const MAX_DEPTH: usize = 8;

/// An access that a model makes.
pub(super) struct Access {
    pub(super) at: Target,
    pub(super) size: u64,
    pub(super) writes: bool,
}

/// Returns the accesses of a function's call outside of atomic sections.
///
/// # Errors
/// Returns the instruction that cannot be followed.
pub(super) fn accesses(
    reader: Reader<'_>,
    called: FunctionId,
    args: &[ExprId],
) -> Result<Vec<Access>, String> {
    let mut found = Vec::new();
    Frame::new(reader, called, args, &BTreeMap::new()).follow(0, &mut found)?;
    Ok(found)
}

/// One activation of a model.
struct Frame<'a> {
    program: &'a Program,
    /// The contents of the program's objects.
    below: &'a Contents,
    function: FunctionId,
    /// The contents of the model's own variables.
    held: Contents,
    /// Its parameters that are constants.
    constants: BTreeMap<SymbolId, u64>,
}

impl<'a> Frame<'a> {
    /// The activation by a call whose arguments are read in the activation that makes it.
    fn new(
        reader: Reader<'a>,
        function: FunctionId,
        args: &[ExprId],
        constants: &BTreeMap<SymbolId, u64>,
    ) -> Frame<'a> {
        let program = reader.program;
        let params = program.functions[function].params.iter().zip(args);
        let mut frame = Frame {
            program,
            below: reader.contents,
            function,
            held: Contents::new(),
            constants: BTreeMap::new(),
        };
        for (&param, &arg) in params {
            frame.held.insert(Object::Variable(param), reader.values(arg));
            if let Some(constant) = constant(program, arg, constants) {
                frame.constants.insert(param, constant);
            }
        }
        frame
    }

    fn reader(&self) -> Reader<'_> {
        Reader { program: self.program, contents: self.below, frame: Some(&self.held) }
    }

    fn follow(mut self, depth: usize, found: &mut Vec<Access>) -> Result<(), String> {
        let body = self.program.functions[self.function].body.as_deref().unwrap_or_default();
        if depth > MAX_DEPTH {
            return Err("functions of the library call each other too deeply".into());
        }
        while self.assign() {}
        let mut in_atomic = 0_usize;
        for instr in body {
            match &instr.kind {
                InstrKind::AtomicBegin => in_atomic += 1,
                InstrKind::AtomicEnd => in_atomic = in_atomic.saturating_sub(1),
                InstrKind::Assert(condition, _) if in_atomic == 0 => {
                    self.claim(*condition, found)?
                }
                InstrKind::Call { callee: Callee::Direct(called), args, .. } if in_atomic == 0 => {
                    Frame::new(self.reader(), *called, args, &self.constants)
                        .follow(depth + 1, found)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lets variables of the model hold what is assigned to them; gives whether something is new.
    fn assign(&mut self) -> bool {
        let body = self.program.functions[self.function].body.iter().flatten();
        let mut is_new = false;
        for instr in body {
            let InstrKind::Assign(place, value) = instr.kind else { continue };
            let &ExprKind::Symbol(symbol) = self.program.exprs.kind(place) else { continue };
            let values = self.reader().values(value);
            let held = self.held.entry(Object::Variable(symbol)).or_default();
            let before = held.len();
            held.extend(values);
            is_new |= held.len() > before;
        }
        is_new
    }

    fn claim(&self, condition: ExprId, found: &mut Vec<Access>) -> Result<(), String> {
        let Some((op, address, size)) = claimed(self.program, condition) else { return Ok(()) };
        let targets: Targets = self.reader().values(address);
        let mut is_null = true;
        self.program.for_each_subexpr(address, |part| {
            if let ExprKind::Symbol(symbol) = self.program.exprs.kind(part) {
                is_null &= self.constants.contains_key(symbol);
            }
        });
        if targets.is_empty() && !is_null {
            return Err("a pointer is given to the library that was never set".into());
        }
        let size = constant(self.program, size, &self.constants).unwrap_or(u64::MAX);
        let writes = op == MemoryOp::UnracedWrite;
        found.extend(targets.into_iter().map(|at| Access { at, size, writes }));
        Ok(())
    }
}

/// The value of an expression that is a constant, or a parameter that is one.
pub(super) fn constant(
    program: &Program,
    expr: ExprId,
    known: &BTreeMap<SymbolId, u64>,
) -> Option<u64> {
    match program.exprs.kind(expr) {
        ExprKind::Int(bits) => bits.to_u64(),
        ExprKind::Zero => Some(0),
        ExprKind::Symbol(symbol) => known.get(symbol).copied(),
        ExprKind::Cast(_, from) => constant(program, *from, known),
        _ => None,
    }
}
