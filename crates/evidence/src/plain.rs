//! A second, plain way from a program to its verdict: path by path, bit by bit, by the text of `docs/ir.md`.
//!
//! **Idea.** Engines and the checkers of their certificates share symbolic execution, the encoding of transition systems
//! and the translation of terms to clauses; a mistake there could deceive both. Here the program is read once more by
//! code that shares nothing with those: instructions are executed one path at a time, every value is a list of bits,
//! every operator the circuit that a textbook has for it, and memory is bytes. Where a test can go both ways, both are
//! followed, each with its condition; where an assertion can fail, the program is not safe. No loop has a bound: either all
//! paths end, and everything about the program is known, or the exploration says that it came to no end.
//!
//! **What it shares** with the rest: the data structure of programs, the SAT solver, whose refutations are replayed one
//! by one, and the checker that replays them.
//!
//! **Soundness.** A path is given up only where its condition is refuted. Where the meaning of an access is open
//! ([`docs/ir.md`, section 3]) or a construct is not followed (floating numbers, threads, the world outside, pointers made
//! of numbers, large objects), the exploration ends without an answer, if any path comes there at all. Addresses are
//! constrained less than the language does, which admits more executions, not fewer.
//!
//! **What it is for.** Small programs: in tests, where it is compared with the engines, and on request
//! (`vergo check --paranoid`). It costs a solver's answer for each undecided test on each path.

mod circuit;
mod eval;
mod memory;

#[cfg(test)]
mod tests;

use crate::claims::ClaimKey;
use crate::unrolling::ClosedClaims;
use circuit::{Bit, Circuits, ONE, ZERO, known};
use memory::{Byte, Object, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, LabelId, Program, Region, StaticInit, SymbolId,
    SymbolKind,
};
use vergo_smt::Budget;

/// The greatest numbers of paths and instructions that are followed.
const MAX_PATHS: usize = 5_000;
const MAX_STEPS: u64 = 3_000_000;
/// And how many undecided tests on one path.
const MAX_CONDITIONS: usize = 256;
const MAX_FRAMES: usize = 1_000;

/// The extent of a complete exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// Paths from the beginning to the end.
    pub paths: usize,
    /// Instructions on them.
    pub steps: u64,
    /// Clauses of all circuits.
    pub clauses: u64,
    /// Steps of refutations, each replayed.
    pub proof_steps: usize,
}

/// The reason why a program is not confirmed to be safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Objection {
    /// A claim can fail: its property and description.
    Failure(String, String),
    /// The exploration did not come to an end, and why.
    NoEnd(String),
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::Failure(property, what) => write!(f, "{property} can fail: {what}"),
            Objection::NoEnd(why) => f.write_str(why),
        }
    }
}

/// Follows all paths of a program; no claim but closed ones fails on any.
///
/// # Errors
/// If a claim can fail, or not all paths were followed to their ends.
pub fn explore(
    program: &Program,
    closed: &ClosedClaims,
    budget: &Budget,
) -> Result<Explored, Objection> {
    let mut plain = Plain {
        program,
        closed,
        budget,
        circuits: Circuits::new(),
        labels: BTreeMap::new(),
        depth: 0,
        explored: Explored::default(),
    };
    match plain.run() {
        Ok(()) => Ok(Explored {
            clauses: plain.circuits.clauses,
            proof_steps: plain.circuits.steps,
            ..plain.explored
        }),
        Err(Stop(objection)) => Err(objection),
    }
}

/// The reason why the exploration ends early.
struct Stop(Objection);

impl Stop {
    fn unsupported(what: &str) -> Stop {
        Stop(Objection::NoEnd(format!("{what}: not followed bit by bit")))
    }
}

struct Plain<'a> {
    program: &'a Program,
    closed: &'a ClosedClaims,
    budget: &'a Budget,
    circuits: Circuits,
    /// Where labels are.
    labels: BTreeMap<(FunctionId, LabelId), usize>,
    /// The depth of the expression under evaluation.
    depth: u32,
    explored: Explored,
}

/// A path, and the state at its end.
#[derive(Clone)]
struct Path {
    /// All of them hold.
    conditions: Vec<Bit>,
    frames: Vec<Frame>,
    /// Numbered from one on.
    objects: Vec<Rc<Object>>,
    statics: BTreeMap<SymbolId, usize>,
}

#[derive(Clone)]
struct Frame {
    function: FunctionId,
    at: usize,
    variables: BTreeMap<SymbolId, usize>,
    /// The objects whose lifetime ends with it.
    objects: Vec<usize>,
    /// Where its result goes.
    dest: Option<ExprId>,
}

/// Says whether a path goes on.
enum Next {
    On,
    Ended,
}

impl Plain<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let Some(entry) = self.program.entry else {
            return Err(Stop::unsupported("a program without beginning"));
        };
        for (function, of) in &self.program.functions {
            for (at, instr) in of.body.iter().flatten().enumerate() {
                if let InstrKind::Label(label) = instr.kind {
                    self.labels.insert((function, label), at);
                }
            }
        }
        let nobody = Object { live: false, ..Object::new(Vec::new(), 1) };
        let mut first = Path {
            conditions: Vec::new(),
            frames: Vec::new(),
            objects: vec![Rc::new(nobody)],
            statics: BTreeMap::new(),
        };
        self.enter(&mut first, entry, Vec::new(), None)?;
        let mut paths = vec![first];
        while let Some(mut path) = paths.pop() {
            while let Next::On = self.step(&mut path, &mut paths)? {
                if self.explored.paths + paths.len() > MAX_PATHS {
                    return Err(Stop(Objection::NoEnd(format!("more than {MAX_PATHS} paths"))));
                }
                if path.conditions.len() > MAX_CONDITIONS {
                    let why = format!("more than {MAX_CONDITIONS} conditions on a path");
                    return Err(Stop(Objection::NoEnd(why)));
                }
            }
            self.explored.paths += 1;
        }
        Ok(())
    }

    /// Checks whether a path can go on with a condition.
    fn possible(&mut self, path: &Path, condition: Bit) -> Result<bool, Stop> {
        if condition == ZERO {
            return Ok(false);
        }
        // The path itself is possible.
        if condition == ONE {
            return Ok(true);
        }
        let mut conditions = path.conditions.clone();
        conditions.push(condition);
        let answer = self.circuits.possible(&conditions, self.budget);
        answer.map_err(|why| Stop(Objection::NoEnd(why)))
    }

    /// Executes an instruction. A path on which a test goes the other way is added to `others`.
    fn step(&mut self, path: &mut Path, others: &mut Vec<Path>) -> Result<Next, Stop> {
        self.explored.steps += 1;
        if self.explored.steps > MAX_STEPS {
            return Err(Stop(Objection::NoEnd(format!("more than {MAX_STEPS} instructions"))));
        }
        if self.explored.steps.is_multiple_of(256)
            && let Some(reason) = self.budget.exhausted()
        {
            return Err(Stop(Objection::NoEnd(reason.name().to_owned())));
        }
        let program = self.program;
        let Some(frame) = path.frames.last_mut() else { return Ok(Next::Ended) };
        let function = frame.function;
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        let Some(instr) = body.get(frame.at) else { return self.leave(path, None) };
        frame.at += 1;
        match &instr.kind {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd => {}
            InstrKind::Assign(place, value) => {
                let value = self.eval(path, *value)?;
                let place = self.place(path, *place)?;
                self.store(path, &place, &value)?;
            }
            InstrKind::Assume(condition) => {
                let condition = self.eval_bool(path, *condition)?;
                return self.assume(path, condition);
            }
            InstrKind::Assert(condition, claim) => {
                let condition = self.eval_bool(path, *condition)?;
                let key = ClaimKey::new(claim, instr.span);
                if self.closed.given_up.contains(&key) {
                    return Ok(Next::On);
                }
                let is_open = !self.closed.violated.contains(&key);
                if is_open && self.possible(path, !condition)? {
                    let (property, what) = (claim.property.clone(), claim.description.clone());
                    return Err(Stop(Objection::Failure(property, what)));
                }
                return self.assume(path, condition);
            }
            InstrKind::Goto(condition, label) => {
                let condition = match condition {
                    Some(condition) => self.eval_bool(path, *condition)?,
                    None => ONE,
                };
                let target = self.labels[&(function, *label)];
                return self.jump(path, others, condition, target);
            }
            InstrKind::Call { dest, callee, args } => {
                let mut values = Vec::new();
                for &arg in args {
                    values.push(self.eval(path, arg)?);
                }
                let callee = match *callee {
                    Callee::Direct(callee) => callee,
                    Callee::Indirect(pointer) => self.callee(path, pointer)?,
                };
                return self.enter(path, callee, values, *dest).map(|()| Next::On);
            }
            InstrKind::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.eval(path, *value)?),
                    None => None,
                };
                return self.leave(path, value);
            }
            InstrKind::Decl(symbol) => {
                self.kill_variable(path, *symbol);
                self.declare(path, *symbol)?;
            }
            InstrKind::Dead(symbol) => self.kill_variable(path, *symbol),
            InstrKind::Alloc { dest, size, align, region, zeroed } => {
                let Value::Word(size) = self.eval(path, *size)? else {
                    return Err(Stop::unsupported("a size that is no number"));
                };
                let bytes = match known(&size) {
                    Some(size) if size <= 1 << 14 => {
                        let byte = |_| match zeroed {
                            true => Byte::known(0),
                            false => Byte::any(&mut self.circuits, ZERO),
                        };
                        (0..size).map(byte).collect()
                    }
                    _ => return Err(Stop::unsupported("an object of unknown or large size")),
                };
                let heap = *region == Region::Heap;
                let object = Object { heap, ..Object::new(bytes, *align) };
                let number = self.add_object(path, object)?;
                if let (false, Some(frame)) = (heap, path.frames.last_mut()) {
                    frame.objects.push(number);
                }
                let place = self.place(path, *dest)?;
                let pointer = Value::Pointer(self.pointer_to(number));
                self.store(path, &place, &pointer)?;
            }
            InstrKind::Free(pointer, region) => {
                let pointer = self.eval_pointer(path, *pointer)?;
                self.free(path, &pointer, *region == Region::Heap)?;
            }
            InstrKind::End(_) => return Ok(Next::Ended),
            InstrKind::Unsupported(what) => return Err(Stop::unsupported(what)),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => {
                return Err(Stop::unsupported("threads"));
            }
            InstrKind::Intrinsic { .. } => return Err(Stop::unsupported("the world outside")),
        }
        Ok(Next::On)
    }

    fn assume(&mut self, path: &mut Path, condition: Bit) -> Result<Next, Stop> {
        if !self.possible(path, condition)? {
            return Ok(Next::Ended);
        }
        if condition != ONE {
            path.conditions.push(condition);
        }
        Ok(Next::On)
    }

    fn jump(
        &mut self,
        path: &mut Path,
        others: &mut Vec<Path>,
        condition: Bit,
        target: usize,
    ) -> Result<Next, Stop> {
        let (there, on) = (self.possible(path, condition)?, self.possible(path, !condition)?);
        if there && on {
            let mut other = path.clone();
            other.conditions.push(!condition);
            others.push(other);
        }
        if there {
            path.conditions.extend((condition != ONE).then_some(condition));
            if let Some(frame) = path.frames.last_mut() {
                frame.at = target;
            }
        } else {
            path.conditions.extend((condition != ZERO).then_some(!condition));
        }
        Ok(Next::On)
    }

    /// The function that a pointer points to.
    fn callee(&mut self, path: &mut Path, pointer: ExprId) -> Result<FunctionId, Stop> {
        let ty = self.program.exprs.ty(pointer);
        let pointer = self.eval_pointer(path, pointer)?;
        let object = known(&pointer.object).zip(known(&pointer.offset));
        let function = match object {
            Some((number, 0)) => path.objects[number as usize].function,
            _ => None,
        };
        let function = function.ok_or_else(|| Stop::unsupported("a call of unknown functions"))?;
        // Whether other types agree with the machine's registers is not for here to say.
        match *self.program.types.get(ty) {
            vergo_goto::types::Type::Ptr(to) if to == self.program.functions[function].ty => {
                Ok(function)
            }
            _ => Err(Stop::unsupported("a call at another type")),
        }
    }

    fn enter(
        &mut self,
        path: &mut Path,
        function: FunctionId,
        args: Vec<Value>,
        dest: Option<ExprId>,
    ) -> Result<(), Stop> {
        let of = &self.program.functions[function];
        if of.body.is_none() {
            // Any value is returned, and nothing else changes.
            if let Some(dest) = dest {
                let value = self.any_value(self.program.exprs.ty(dest))?;
                let place = self.place(path, dest)?;
                self.store(path, &place, &value)?;
            }
            return Ok(());
        }
        if path.frames.len() >= MAX_FRAMES {
            return Err(Stop(Objection::NoEnd(format!("more than {MAX_FRAMES} calls at a time"))));
        }
        let (variables, objects) = (BTreeMap::new(), Vec::new());
        path.frames.push(Frame { function, at: 0, variables, objects, dest });
        for (&param, value) in of.params.iter().zip(args) {
            let number = self.declare(path, param)?;
            let ty = self.program.symbols[param].ty;
            let bytes = self.encode(path, &value, ty)?;
            Rc::make_mut(&mut path.objects[number]).bytes = bytes;
        }
        Ok(())
    }

    fn leave(&mut self, path: &mut Path, value: Option<Value>) -> Result<Next, Stop> {
        let Some(frame) = path.frames.pop() else { return Ok(Next::Ended) };
        for number in frame.objects {
            Rc::make_mut(&mut path.objects[number]).live = false;
        }
        if path.frames.is_empty() {
            return Ok(Next::Ended);
        }
        if let Some(dest) = frame.dest {
            let value = match value {
                Some(value) => value,
                None => self.any_value(self.program.exprs.ty(dest))?,
            };
            let place = self.place(path, dest)?;
            self.store(path, &place, &value)?;
        }
        Ok(Next::On)
    }

    /// A new object for a variable of the present call.
    fn declare(&mut self, path: &mut Path, symbol: SymbolId) -> Result<usize, Stop> {
        let (ty, align) = (self.program.symbols[symbol].ty, self.program.symbols[symbol].align);
        let size = self.size(ty)?;
        let bytes = (0..size).map(|_| Byte::any(&mut self.circuits, ZERO)).collect();
        let protected = !self.program.symbols[symbol].writable;
        let number = self.add_object(path, Object { protected, ..Object::new(bytes, align) })?;
        if let Some(frame) = path.frames.last_mut() {
            frame.variables.insert(symbol, number);
            frame.objects.push(number);
        }
        Ok(number)
    }

    fn kill_variable(&mut self, path: &mut Path, symbol: SymbolId) {
        let number = path.frames.last().and_then(|frame| frame.variables.get(&symbol)).copied();
        if let Some(number) = number {
            Rc::make_mut(&mut path.objects[number]).live = false;
        }
    }

    /// The object of a variable; a dead one if it is not alive.
    fn variable(&mut self, path: &mut Path, symbol: SymbolId) -> Result<usize, Stop> {
        let of = &self.program.symbols[symbol];
        let init = match &of.kind {
            SymbolKind::Local(_) | SymbolKind::Param(_) => {
                let frame = path.frames.last();
                let number = frame.and_then(|frame| frame.variables.get(&symbol)).copied();
                return Ok(number.unwrap_or(0));
            }
            SymbolKind::Static { init, .. } => init,
        };
        if let Some(&number) = path.statics.get(&symbol) {
            return Ok(number);
        }
        let size = self.size(of.ty)?;
        let bytes = match init {
            StaticInit::Data(_) => vec![Byte::known(0); size],
            StaticInit::Nondet => (0..size).map(|_| Byte::any(&mut self.circuits, ONE)).collect(),
        };
        let number = self
            .add_object(path, Object { writable: of.writable, ..Object::new(bytes, of.align) })?;
        path.statics.insert(symbol, number);
        if let StaticInit::Data(parts) = init {
            for part in parts {
                let (offset, bytes) = match part {
                    InitPart::Bytes { offset, bytes } => {
                        (*offset, bytes.iter().map(|&byte| Byte::known(byte)).collect())
                    }
                    InitPart::Value { offset, value } => {
                        let ty = self.program.exprs.ty(*value);
                        let value = self.eval(path, *value)?;
                        (*offset, self.encode(path, &value, ty)?)
                    }
                };
                let bytes: Vec<Byte> = bytes;
                let offset = offset as usize;
                let target = Rc::make_mut(&mut path.objects[number]);
                target.bytes.splice(offset..offset + bytes.len(), bytes);
            }
        }
        Ok(number)
    }

    fn free(&mut self, path: &mut Path, pointer: &memory::Pointer, heap: bool) -> Result<(), Stop> {
        let (Some(number), Some(offset)) = (known(&pointer.object), known(&pointer.offset)) else {
            return Err(Stop::unsupported("the end of one of several objects"));
        };
        let number = number as usize;
        match (number, offset) {
            (0, 0) => return Ok(()),
            (0, _) => {}
            (_, 0) if path.objects[number].live && path.objects[number].heap == heap => {
                Rc::make_mut(&mut path.objects[number]).live = false;
                return Ok(());
            }
            _ => {}
        }
        Err(Stop::unsupported("undefined behaviour that is not asked about"))
    }
}
