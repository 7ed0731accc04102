//! The memory that a recursive function may read and change besides its own variables.
//!
//! **Closed functions.** A contract stands for a call if all that the call can see are its parameters and static variables
//! that are named in the function or in those it calls, and if all that it can change are such variables. That is so if
//! the pointers that it uses are to those and to its own variables: no pointer comes in (through a parameter, a result, a
//! variable whose value is a pointer) and none is made of a number. Then no activation knows variables of another one.
//! Nothing may be allocated or freed, for objects are not said to be any object; and no question may be asked whose
//! answer depends on all of memory, or on who has written a byte.

use crate::recursion::{direct_callees, reached_from};
use std::collections::BTreeSet;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Callee, FunctionId, Instr, InstrKind, Intrinsic, Program, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};

/// The memory that a recursive function may read and change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The static variables that can have different values and that it can see, itself or in functions that it calls.
    pub sees: BTreeSet<SymbolId>,
    /// Those that it can change.
    pub changes: BTreeSet<SymbolId>,
}

/// The recursive functions of a program without calls through pointers.
pub(super) fn frames(program: &Program) -> Result<Vec<Frame>, String> {
    let callees: Vec<Vec<FunctionId>> = program.functions.values().map(direct_callees).collect();
    let variable = variable_statics(program);
    let mut frames = Vec::new();
    for function in program.functions.keys() {
        let reached = reached_from(&callees, function);
        if reached.contains(&function) {
            let mut frame = frame(program, function, &reached)?;
            frame.sees.retain(|symbol| variable.contains(symbol));
            frames.push(frame);
        }
    }
    if frames.is_empty() {
        return Ok(frames);
    }
    let bodies = program.functions.values().flat_map(|function| function.body.iter().flatten());
    for instr in bodies {
        if matches!(instr.kind, InstrKind::Spawn { .. } | InstrKind::Join { .. }) {
            return Err("recursion in a program with threads".to_owned());
        }
        if asks(program, instr, &[MemoryOp::IsInitialized]) {
            return Err("recursion where it is asked whether values are initialised".to_owned());
        }
    }
    Ok(frames)
}

fn frame(
    program: &Program,
    function: FunctionId,
    reached: &BTreeSet<FunctionId>,
) -> Result<Frame, String> {
    let refuse = |what: &str| {
        Err(format!("the recursive function `{}` {what}", program.functions[function].display))
    };
    let Type::Func(result, params) = program.types.get(program.functions[function].ty) else {
        return refuse("has no type");
    };
    let returns = |ty: TypeId| is_number(program, ty) || *program.types.get(ty) == Type::Void;
    if !params.iter().all(|&ty| is_number(program, ty)) || !returns(*result) {
        return refuse("has parameters or a result that are no numbers");
    }
    let mut frame = Frame { function, sees: BTreeSet::new(), changes: BTreeSet::new() };
    for &callee in reached {
        let Some(body) = &program.functions[callee].body else {
            return refuse("calls a function without a body");
        };
        for instr in body {
            if let Err(what) = frame.add(program, instr) {
                return refuse(what);
            }
        }
    }
    Ok(frame)
}

impl Frame {
    /// Adds what an instruction sees and changes.
    fn add(&mut self, program: &Program, instr: &Instr) -> Result<(), &'static str> {
        match &instr.kind {
            InstrKind::Alloc { .. } | InstrKind::Free(..) => {
                return Err("allocates or frees memory");
            }
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => return Err("has threads"),
            InstrKind::Call { callee: Callee::Indirect(_), .. } => {
                return Err("calls through a pointer");
            }
            InstrKind::Intrinsic { op, .. }
                if !matches!(
                    op,
                    Intrinsic::Write
                        | Intrinsic::Print
                        | Intrinsic::Time
                        | Intrinsic::Thread
                        | Intrinsic::Choose
                        | Intrinsic::Order
                        | Intrinsic::Approximation
                ) =>
            {
                return Err("reads from outside");
            }
            _ => {}
        }
        let contents =
            [MemoryOp::HeapEmpty, MemoryOp::HeapReachable, MemoryOp::TextSize, MemoryOp::TextEnds];
        if asks(program, instr, &contents) {
            return Err("asks for what is in memory");
        }
        let mut result = Ok(());
        instr.kind.for_each_expr(|expr, role| {
            if role == Role::Write
                && let Some(symbol) = program.root_variable(expr)
                && is_writable(program, symbol)
            {
                self.changes.insert(symbol);
            }
            program.for_each_subexpr(expr, |expr| {
                if result.is_ok() {
                    result = self.add_expr(program, expr);
                }
            });
        });
        result
    }

    fn add_expr(&mut self, program: &Program, expr: ExprId) -> Result<(), &'static str> {
        let is_pointer = matches!(program.type_of(expr), Type::Ptr(_));
        match program.exprs.kind(expr) {
            &ExprKind::Symbol(symbol) => {
                if !matches!(program.symbols[symbol].kind, SymbolKind::Static { .. }) {
                    return Ok(());
                }
                if !is_data(program, program.symbols[symbol].ty) {
                    return Err("uses a static variable with pointers in it");
                }
                if is_writable(program, symbol) {
                    self.sees.insert(symbol);
                }
            }
            &ExprKind::AddressOf(place) => {
                let Some(symbol) = program.root_variable(place) else { return Ok(()) };
                if !is_data(program, program.symbols[symbol].ty) {
                    return Err("takes the address of a variable with pointers in it");
                }
                // Who has the address may write.
                if is_writable(program, symbol) {
                    self.changes.insert(symbol);
                }
            }
            ExprKind::Function(_)
            | ExprKind::Int(_)
            | ExprKind::Zero
            | ExprKind::Ite(..)
            | ExprKind::Binary(BinaryOp::PtrAdd, ..) => {}
            // A pointer of a pointer.
            &ExprKind::Cast(_, operand) if matches!(program.type_of(operand), Type::Ptr(_)) => {}
            ExprKind::Cast(..) if is_pointer => return Err("makes pointers of numbers"),
            _ if is_pointer => return Err("has pointers in memory"),
            _ => {}
        }
        Ok(())
    }
}

/// Returns whether a variable is a static one that may be written.
fn is_writable(program: &Program, symbol: SymbolId) -> bool {
    let info = &program.symbols[symbol];
    info.writable && matches!(info.kind, SymbolKind::Static { .. })
}

/// The static variables that can have different values in an execution: those that are written somewhere by name, and
/// those whose address is taken somewhere, whoever writes there.
fn variable_statics(program: &Program) -> BTreeSet<SymbolId> {
    let mut variable = BTreeSet::new();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind {
            variable.extend(program.root_variable(place));
        }
    }
    let bodies = program.functions.values().flat_map(|function| function.body.iter().flatten());
    for instr in bodies {
        instr.kind.for_each_expr(|expr, role| {
            if role == Role::Write {
                variable.extend(program.root_variable(expr));
            }
        });
    }
    variable
}

/// Returns whether an instruction asks one of these questions about memory.
fn asks(program: &Program, instr: &Instr, questions: &[MemoryOp]) -> bool {
    let mut found = false;
    instr.kind.for_each_expr(|expr, _| {
        program.for_each_subexpr(expr, |expr| {
            if let ExprKind::Memory(op, _) = program.exprs.kind(expr) {
                found |= questions.contains(op);
            }
        });
    });
    found
}

/// Returns whether every value of a type is a choice of bits.
fn is_number(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Bool | Type::Int { .. } | Type::Float(_))
}

/// Returns whether values of a type consist of numbers.
fn is_data(program: &Program, ty: TypeId) -> bool {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match program.types.get(ty) {
            Type::Array(element, _) => pending.push(*element),
            Type::Struct(id) => {
                pending.extend(program.types.structs[*id].fields.iter().map(|field| field.ty));
            }
            _ if is_number(program, ty) => {}
            _ => return false,
        }
    }
    true
}
