//! Contracts of recursive functions, and the program without recursion whose safety proves them.
//!
//! **Idea.** A [`Contract`] says what holds whenever a function is called (*requires*) and what holds when it returns
//! (*ensures*). The *modular program* of some contracts chooses: it runs the program as it is, or the body of one recursive
//! function from any state in which its contract allows a call. In both cases calls of recursive functions do not run
//! bodies: they claim what the contract requires, change whatever the function may change to any value, and go on where
//! what it ensures holds. Where a body returns, it is claimed that this is so.
//!
//! **Source.** Hoare, "Procedures and parameters: An axiomatic approach", 1971, doi 10.1007/BFb0059696; as a program that
//! any verifier can decide: Barnett, Chang, DeLine, Jacobs, Leino, "Boogie: A Modular Reusable Verifier for Object-Oriented
//! Programs", FMCO 2005, doi 10.1007/11804192_17.
//!
//! **Soundness.** If no claim of the modular program can be violated, none of the program can. Consider the first claim or
//! contract that an execution of the program violates, and the recursive activation, or the outermost code, in which that
//! happens. Calls in it that have returned before kept their contracts, so the modular program has the same choices
//! from its beginning on: the state that it was called in satisfied what the contract requires, or that call would have
//! been first. The argument is by the finite time that has passed; nothing is said about executions that do not end. It
//! needs that what is said to be any value covers what a call may change, and what a body may see:
//! [`Frame`] refuses functions of which that cannot be said. A violation in the modular program is none of the program.
//!
//! **Claims of clauses** are made where a choice says so, each for itself, so that a clause is not looked at only in
//! executions that satisfy those before it: who looks for contracts sees all clauses that are wrong.

mod frame;

pub use frame::Frame;

use crate::manager::{Verify, run_passes};
use crate::{Options, PassId};
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId};
use vergo_goto::program::{
    Callee, Claim, Exit, Function, FunctionId, InstrKind, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// The precondition and the postcondition of a recursive function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub function: FunctionId,
    /// The conditions that hold when it is called.
    pub requires: Vec<Formula>,
    /// The conditions that hold when it returns.
    pub ensures: Vec<Formula>,
}

/// A formula of a contract, or a word in one.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Formula {
    /// The value that a parameter has at the call.
    Param(usize),
    /// The value that a static variable has: where the contract is looked at, at the call or at the return.
    Static(SymbolId),
    /// The value that a static variable had at the call, seen from the return.
    Old(SymbolId),
    /// The value that is returned.
    Result,
    /// An integer: whether it is signed, its width and its value.
    Int(bool, u32, i128),
    /// An operation: arithmetic of integers of one type, a comparison of such, or a connective.
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
}

/// A clause of a contract, as the claims of the modular program name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct ClauseId {
    /// The function.
    pub function: FunctionId,
    /// True if it belongs to the postcondition.
    pub ensures: bool,
    /// Its position.
    pub index: usize,
}

const REQUIRES: &str = "contract.requires";
const ENSURES: &str = "contract.ensures";

impl ClauseId {
    /// The clause that a claim of the modular program is of; `None` for the claims of the program itself.
    pub fn of(claim: &Claim) -> Option<ClauseId> {
        let ensures = match claim.property.as_str() {
            REQUIRES => false,
            ENSURES => true,
            _ => return None,
        };
        let (function, index) = claim.description.split_once(' ')?;
        let function = FunctionId::from_u32(function.parse().ok()?);
        Some(ClauseId { function, ensures, index: index.parse().ok()? })
    }

    fn claim(self) -> Claim {
        let property = if self.ensures { ENSURES } else { REQUIRES };
        Claim::new(property, format!("{} {}", self.function.as_u32(), self.index))
    }
}

/// A program with recursive functions that can have contracts.
#[derive(Debug)]
pub struct Recursion {
    /// The program, without calls through pointers and without what control cannot reach.
    pub program: Program,
    /// The recursive functions with what they may see and change, in order.
    pub frames: Vec<Frame>,
}

impl Recursion {
    /// The recursion of a program, if it has any.
    ///
    /// # Errors
    /// If a function can have no contract here: the reason.
    pub fn of(program: &Program) -> Result<Option<Recursion>, String> {
        let mut program = program.clone();
        let passes = [PassId::FunctionPointers, PassId::Unreachable];
        run_passes(&mut program, &passes, &Options::default(), Verify::InDebug, &mut |_| {})
            .map_err(|broken| format!("internal: {broken}"))?;
        let frames = frame::frames(&program)?;
        Ok((!frames.is_empty()).then_some(Recursion { program, frames }))
    }

    /// The modular program of contracts. A function without one may be called in any state and may do anything within
    /// its frame.
    ///
    /// # Errors
    /// If a contract is not one of the program's functions: what is wrong with it.
    pub fn modular(&self, contracts: &[Contract]) -> Result<Program, String> {
        let mut modular = Modular { program: self.program.clone(), ids: BTreeMap::new() };
        let mut by_function = BTreeMap::new();
        for contract in contracts {
            let known = self.frames.iter().any(|frame| frame.function == contract.function);
            if !known || by_function.insert(contract.function, contract).is_some() {
                return Err("a contract is not that of one recursive function".to_owned());
            }
        }
        let none = |function| Contract { function, requires: Vec::new(), ensures: Vec::new() };
        let mut subjects = Vec::new();
        for frame in &self.frames {
            let contract = by_function.get(&frame.function).copied().cloned();
            subjects.push((frame, contract.unwrap_or_else(|| none(frame.function))));
        }
        for (frame, contract) in &subjects {
            modular.add_summary(frame, contract)?;
        }
        modular.redirect();
        modular.add_entry(&subjects)?;
        Ok(modular.program)
    }

    /// A contract as a user would write it down.
    pub fn describe(&self, contract: &Contract) -> String {
        let mut program = self.program.clone();
        let function = program.functions[contract.function].clone();
        let params = function.params.clone();
        let frame = self.frames.iter().find(|frame| frame.function == contract.function);
        let sees = frame.map(|frame| frame.sees.clone()).unwrap_or_default();
        let mut words = Words { params, sees, ..Words::default() };
        let named = |program: &mut Program, display: String, ty: TypeId| {
            let symbol = variable(program, contract.function, ty);
            program.symbols[symbol].display = display;
            symbol
        };
        words.result = result_type(&program, contract.function)
            .map(|ty| named(&mut program, "result".to_owned(), ty));
        for symbol in words.sees.clone() {
            let old = format!("old({})", program.symbols[symbol].display);
            let ty = program.symbols[symbol].ty;
            words.old.insert(symbol, named(&mut program, old, ty));
        }
        let mut text = function.display;
        for (what, clauses) in [("requires", &contract.requires), ("ensures", &contract.ensures)] {
            let clauses =
                clauses.iter().filter_map(|clause| words.lower(&mut program, clause).ok());
            let clauses: Vec<ExprId> = clauses.collect();
            if !clauses.is_empty() {
                let clauses: Vec<String> = clauses.iter().map(|&c| program.describe(c)).collect();
                text += &format!(" {what} {}", clauses.join(", "));
            }
        }
        text
    }
}

impl Contract {
    /// Returns whether it has no conditions.
    pub fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.ensures.is_empty()
    }
}

impl Formula {
    /// An operation on two words or formulas.
    pub fn binary(op: BinaryOp, left: Formula, right: Formula) -> Formula {
        Formula::Binary(op, Box::new(left), Box::new(right))
    }
}

/// Returns the type of a function's result, if it has one.
pub fn result_type(program: &Program, function: FunctionId) -> Option<TypeId> {
    match *program.types.get(program.functions[function].ty) {
        Type::Func(result, _) if *program.types.get(result) != Type::Void => Some(result),
        _ => None,
    }
}

/// A new variable of a function.
fn variable(program: &mut Program, function: FunctionId, ty: TypeId) -> SymbolId {
    let name = format!("contract@{}", program.symbols.len());
    let align = program.types.align_of(ty, &program.machine);
    let (kind, span) = (SymbolKind::Local(function), Span::DUMMY);
    program.add_symbol(Symbol {
        name,
        display: String::new(),
        ty,
        kind,
        span,
        align,
        writable: true,
    })
}

/// The variables that stand for the words of a contract.
#[derive(Default)]
struct Words {
    params: Vec<SymbolId>,
    /// The static variables that a contract may speak of. Of others a body knows nothing, not even that they vary.
    sees: BTreeSet<SymbolId>,
    /// The values of variables at the call; empty where the contract is about the call itself.
    old: BTreeMap<SymbolId, SymbolId>,
    result: Option<SymbolId>,
}

impl Words {
    /// A clause as an expression.
    fn condition(&self, program: &mut Program, clause: &Formula) -> Result<ExprId, String> {
        let condition = self.lower(program, clause)?;
        match program.type_of(condition) {
            Type::Bool => Ok(condition),
            _ => Err("a clause of a contract is no formula".to_owned()),
        }
    }

    fn lower(&self, program: &mut Program, formula: &Formula) -> Result<ExprId, String> {
        let missing = || "a contract speaks of what there is not".to_owned();
        let symbol = match formula {
            Formula::Int(signed, width, value) => {
                if *width == 0 {
                    return Err(missing());
                }
                let ty = program.types.int(*signed, *width);
                return Ok(program.int(ty, *value));
            }
            Formula::Binary(op, left, right) => {
                let left = self.lower(program, left)?;
                let right = self.lower(program, right)?;
                return operation(program, *op, left, right);
            }
            Formula::Param(index) => *self.params.get(*index).ok_or_else(missing)?,
            Formula::Static(symbol) => *self.sees.get(symbol).ok_or_else(missing)?,
            Formula::Old(symbol) => *self.old.get(symbol).ok_or_else(missing)?,
            Formula::Result => self.result.ok_or_else(missing)?,
        };
        Ok(program.symbol(symbol))
    }
}

/// An operation of a formula, if its operands fit.
fn operation(
    program: &mut Program,
    op: BinaryOp,
    left: ExprId,
    right: ExprId,
) -> Result<ExprId, String> {
    let same = program.exprs.ty(left) == program.exprs.ty(right);
    let is_int = matches!(program.type_of(left), Type::Int { .. });
    let is_bool = matches!(program.type_of(left), Type::Bool);
    let fits = match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Rem | BinaryOp::Shl => is_int,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => is_int,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => is_bool,
        _ => false,
    };
    if !fits || !same {
        return Err("the operands of a contract do not fit".to_owned());
    }
    Ok(program.binary(op, left, right))
}

/// The modular program while it is made.
struct Modular {
    program: Program,
    /// For each recursive function the one that does what its contract says.
    ids: BTreeMap<FunctionId, FunctionId>,
}

impl Modular {
    /// Adds the function that does what a contract says of another.
    fn add_summary(&mut self, frame: &Frame, contract: &Contract) -> Result<(), String> {
        let program = &mut self.program;
        let function = program.functions[frame.function].clone();
        let name = format!("{}@contract", function.name);
        let id = program.add_function(Function {
            span: function.span,
            library: function.library,
            ..Function::declaration(name, function.display, function.ty)
        });
        let mut params = Vec::new();
        for &param in &function.params {
            params.push(program.copy_symbol(param, SymbolKind::Param(id)));
        }
        program.functions[id].params.clone_from(&params);
        let mut out = FunctionBuilder::new();
        out.set_span(function.span);
        let mut words = Words { params, sees: frame.sees.clone(), ..Words::default() };
        let clause = |index| ClauseId { function: frame.function, ensures: false, index };
        claim_each(program, &mut out, id, &words, &contract.requires, clause)?;
        // Whoever calls goes on only where the contract holds: a clause that does not is claimed above.
        for formula in &contract.requires {
            let condition = words.condition(program, formula)?;
            out.assume(condition);
        }
        for &symbol in &frame.sees {
            let ty = program.symbols[symbol].ty;
            let old = variable(program, id, ty);
            out.decl(old);
            let (place, value) = (program.symbol(old), program.symbol(symbol));
            out.assign(place, value);
            words.old.insert(symbol, old);
        }
        for &symbol in &frame.changes {
            choose(program, &mut out, symbol);
        }
        words.result = result_type(program, frame.function).map(|ty| {
            let result = variable(program, id, ty);
            out.decl(result);
            choose(program, &mut out, result);
            result
        });
        for formula in &contract.ensures {
            let condition = words.condition(program, formula)?;
            out.assume(condition);
        }
        let value = words.result.map(|result| program.symbol(result));
        out.ret(value);
        out.finish(program, id);
        self.ids.insert(frame.function, id);
        Ok(())
    }

    /// Makes all calls of recursive functions calls of what their contracts say.
    fn redirect(&mut self) {
        for function in self.program.functions.values_mut() {
            for instr in function.body.iter_mut().flatten() {
                if let InstrKind::Call { callee: Callee::Direct(callee), .. } = &mut instr.kind
                    && let Some(&summary) = self.ids.get(callee)
                {
                    *callee = summary;
                }
            }
        }
    }

    /// Adds the beginning: the program as it is, or one of the bodies.
    fn add_entry(&mut self, subjects: &[(&Frame, Contract)]) -> Result<(), String> {
        let program = &mut self.program;
        let Some(whole) = program.entry else { return Err("there is no entry".to_owned()) };
        let entry = program.add_function(Function {
            name: "@contracts".to_owned(),
            display: String::new(),
            ..program.functions[whole].clone()
        });
        program.entry = Some(entry);
        let int = program.types.int(true, 32);
        let status = program.int(int, 0);
        let mut out = FunctionBuilder::new();
        for (frame, contract) in subjects {
            let next = out.new_label();
            let chosen = choice(program, &mut out, entry);
            let other = program.not(chosen);
            out.goto_if(other, next);
            add_body(program, &mut out, entry, frame, contract)?;
            out.end(Exit::Status(status));
            out.label(next);
        }
        out.call(None, whole, []);
        out.end(Exit::Status(status));
        out.finish(program, entry);
        Ok(())
    }
}

/// A call of a function itself from any state that its contract allows, and the claim that it does what that says.
fn add_body(
    program: &mut Program,
    out: &mut FunctionBuilder,
    entry: FunctionId,
    frame: &Frame,
    contract: &Contract,
) -> Result<(), String> {
    let mut words = Words { sees: frame.sees.clone(), ..Words::default() };
    for param in program.functions[frame.function].params.clone() {
        let ty = program.symbols[param].ty;
        let value = variable(program, entry, ty);
        out.decl(value);
        choose(program, out, value);
        words.params.push(value);
    }
    for &symbol in &frame.sees {
        choose(program, out, symbol);
    }
    for formula in &contract.requires {
        let condition = words.condition(program, formula)?;
        out.assume(condition);
    }
    for &symbol in &frame.sees {
        let ty = program.symbols[symbol].ty;
        let old = variable(program, entry, ty);
        out.decl(old);
        let (place, value) = (program.symbol(old), program.symbol(symbol));
        out.assign(place, value);
        words.old.insert(symbol, old);
    }
    words.result = result_type(program, frame.function).map(|ty| {
        let result = variable(program, entry, ty);
        out.decl(result);
        result
    });
    let args: Vec<ExprId> = words.params.iter().map(|&param| program.symbol(param)).collect();
    let dest = words.result.map(|result| program.symbol(result));
    out.call(dest, frame.function, args);
    let clause = |index| ClauseId { function: frame.function, ensures: true, index };
    claim_each(program, out, entry, &words, &contract.ensures, clause)
}

/// Claims one of some clauses, whichever a choice says, or none.
fn claim_each(
    program: &mut Program,
    out: &mut FunctionBuilder,
    function: FunctionId,
    words: &Words,
    clauses: &[Formula],
    clause: impl Fn(usize) -> ClauseId,
) -> Result<(), String> {
    for (index, formula) in clauses.iter().enumerate() {
        let condition = words.condition(program, formula)?;
        let chosen = choice(program, out, function);
        let other = program.not(chosen);
        let next = out.new_label();
        out.goto_if(other, next);
        out.assert(condition, clause(index).claim());
        out.label(next);
    }
    Ok(())
}

/// A new truth value that is chosen.
fn choice(program: &mut Program, out: &mut FunctionBuilder, function: FunctionId) -> ExprId {
    let ty = program.types.bool();
    let symbol = variable(program, function, ty);
    out.decl(symbol);
    choose(program, out, symbol);
    program.symbol(symbol)
}

/// Makes the value of a variable any of its type.
fn choose(program: &mut Program, out: &mut FunctionBuilder, symbol: SymbolId) {
    let (ty, place) = (program.symbols[symbol].ty, program.symbol(symbol));
    let any = program.nondet(ty);
    out.assign(place, any);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recursion::{direct_callees, reached_from};
    use vergo_goto::verify::verify;

    fn parsed(text: &str) -> Program {
        vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A program whose recursive function has this parameter and this body.
    fn recursive(param: &str, body: &str) -> Program {
        parsed(&format!(
            "entry start; sites 1; static g: i32 align 4 = {{}}; static h: i32 align 4 = {{}};
             static where: i32* align 8 = {{}};
             function start: fn() -> void labels 0 {{ local y: {param} align 8; decl y;
                 h := 1i32; call f(y); end 0i32; }}
             function f: fn({param}) -> void labels 1 {{ param n: {param} align 8;
                 local x: i32 align 4; local p: i32* align 8; {body} call f(n); return; }}"
        ))
    }

    fn int(value: i128) -> Formula {
        Formula::Int(true, 32, value)
    }

    #[test]
    fn the_modular_program_has_no_recursion() {
        let program = recursive("i32", "decl x; x := g; g := n + x;");
        let recursion = Recursion::of(&program).unwrap_or_else(|reason| panic!("{reason}"));
        let recursion = recursion.expect("it is recursive");
        let frame = &recursion.frames[0];
        let g = program.symbols.iter().find(|(_, s)| s.name == "g").map(|(id, _)| id).expect("g");
        assert_eq!(frame.sees, BTreeSet::from([g]));
        assert_eq!(frame.changes, BTreeSet::from([g]));
        let requires = vec![Formula::binary(BinaryOp::Le, int(0), Formula::Param(0))];
        let ensures = vec![Formula::binary(BinaryOp::Eq, Formula::Static(g), Formula::Old(g))];
        let contract = Contract { function: frame.function, requires, ensures };
        assert_eq!(recursion.describe(&contract), "f requires n >= 0 ensures g == old(g)");
        let modular = recursion.modular(&[contract]).unwrap_or_else(|reason| panic!("{reason}"));
        verify(&modular).unwrap_or_else(|errors| panic!("{errors:?}"));
        let callees: Vec<_> = modular.functions.values().map(direct_callees).collect();
        assert!(!modular.functions.keys().any(|f| reached_from(&callees, f).contains(&f)));
        let instrs = modular.functions.values().flat_map(|function| function.body.iter().flatten());
        let claims = instrs.filter_map(|instr| match &instr.kind {
            InstrKind::Assert(_, claim) => ClauseId::of(claim),
            _ => None,
        });
        let function = frame.function;
        let clause = |ensures| ClauseId { function, ensures, index: 0 };
        assert_eq!(claims.collect::<BTreeSet<_>>(), BTreeSet::from([clause(false), clause(true)]));
    }

    #[test]
    fn contracts_speak_of_what_a_function_sees() {
        let program = recursive("i32", "decl x; x := g; g := n + x;");
        let recursion = Recursion::of(&program).unwrap_or_else(|reason| panic!("{reason}"));
        let recursion = recursion.expect("it is recursive");
        let function = recursion.frames[0].function;
        let h = program.symbols.iter().find(|(_, s)| s.name == "h").map(|(id, _)| id).expect("h");
        let zero = |word: Formula| Formula::binary(BinaryOp::Eq, word, int(0));
        // A body begins with the first value of what it does not see, which others may have changed.
        for wrong in [
            zero(Formula::Static(h)),
            zero(Formula::Old(h)),
            zero(Formula::Param(1)),
            zero(Formula::Result),
            zero(Formula::Int(true, 64, 0)),
            Formula::Param(0),
        ] {
            let ensures = vec![wrong.clone()];
            let contract = Contract { function, requires: Vec::new(), ensures };
            assert!(recursion.modular(&[contract]).is_err(), "{wrong:?}");
        }
        let nothing = Contract { function, requires: Vec::new(), ensures: Vec::new() };
        assert!(recursion.modular(&[nothing.clone(), nothing.clone()]).is_err());
        let other = Contract { function: FunctionId::from_u32(0), ..nothing };
        assert!(recursion.modular(&[other]).is_err());
    }

    #[test]
    fn functions_that_are_not_closed_have_no_contracts() {
        for (param, body, reason) in [
            ("i32*", "", "no numbers"),
            ("i32", "decl p; p := where;", "pointers in it"),
            ("u64", "decl p; p := (i32*)n;", "of numbers"),
            ("i32", "decl p; p := &x; p := *(i32**)p;", "pointers in memory"),
            ("i32", "decl p; p := alloc(4u64) align 4 heap;", "allocates"),
        ] {
            let refused = Recursion::of(&recursive(param, body)).map(|_| ()).unwrap_err();
            assert!(refused.contains(reason), "{body}: {refused}");
        }
        let plain = parsed("entry start; sites 0; function start: fn() -> void { end 0i32; }");
        assert!(Recursion::of(&plain).is_ok_and(|recursion| recursion.is_none()));
    }
}
