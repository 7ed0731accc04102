//! Execution of instructions on states, from cut to cut.
//!
//! Cuts are the heads of loops, in each of the calls that are active. Calls are followed into the function; recursion is not.

use super::chains::materialise;
use super::eval::{Content, Offsets, Place, Stop, give_up};
use super::graph::{
    Cell, Class, End, Frame, Object, ObjectId, Origin, Pointer, State, UnknownId, Value, class_of,
};
use super::linear::Linear;
use super::sums::is_older;
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, Intrinsic, Program, Region, StaticInit, SymbolId,
    SymbolKind,
};
use vergo_smt::Budget;

/// More instructions than this from one cut to the next are not followed.
const MOST_STEPS: usize = 30_000;

/// After so many instructions the budget is looked at.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// The cost of an instruction, in units of the budget.
const STEP_WORK: u64 = 4000;

/// A chain is taken apart at most so often for one instruction.
const MOST_LOOKS: usize = 64;

/// So many cases of one instruction are looked at.
const MOST_TRIES: usize = 4096;

/// Objects that are larger are not followed.
const LARGEST: u64 = 1 << 30;

/// Executes the instructions of a program.
pub struct Executor<'a> {
    pub(super) program: &'a Program,
    cfgs: SecondaryMap<FunctionId, Option<Flow>>,
}

#[derive(Clone)]
struct Flow {
    cfg: Rc<Cfg>,
    heads: Rc<BTreeSet<usize>>,
}

impl<'a> Executor<'a> {
    /// For a program.
    pub fn new(program: &'a Program) -> Executor<'a> {
        let mut cfgs = SecondaryMap::new();
        for (id, function) in program.functions.iter() {
            let cfg = Rc::new(Cfg::of(function));
            let heads = Rc::new(cfg.loop_heads());
            cfgs[id] = Some(Flow { cfg, heads });
        }
        Executor { program, cfgs }
    }

    /// The state in which the program begins.
    ///
    /// # Errors
    /// Returns the construct that is not followed.
    pub fn first(&self) -> Result<State, String> {
        let program = self.program;
        let entry = program.entry.ok_or("there is no beginning")?;
        let mut state = State::default();
        let mut statics = BTreeMap::new();
        for (symbol, info) in program.symbols.iter() {
            if let SymbolKind::Static { init, .. } = &info.kind {
                let size = program.types.size_of(info.ty, &program.machine).unwrap_or(0);
                let object = Object {
                    writable: info.writable,
                    zero: *init != StaticInit::Nondet,
                    ..Object::new(size, Origin::Variable)
                };
                statics.insert(symbol, state.add(object));
            }
        }
        state.statics = Rc::new(statics);
        let (locals, stack) = (BTreeMap::new(), BTreeSet::new());
        state.frames.push(Frame { function: entry, at: 0, locals, stack });
        for (symbol, info) in program.symbols.iter() {
            if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind {
                let object = state.statics[&symbol];
                for part in parts {
                    self.initialise(&mut state, object, part).map_err(explained)?;
                }
            }
        }
        state.results.clear();
        Ok(state)
    }

    fn initialise(&self, state: &mut State, object: ObjectId, part: &InitPart) -> Result<(), Stop> {
        match part {
            InitPart::Value { offset, value } => {
                let content = self.content(state, *value)?;
                let size = self
                    .program
                    .types
                    .size_of(self.program.exprs.ty(*value), &self.program.machine);
                let place = Place::At(object, *offset as i64);
                self.write(state, place, size.unwrap_or(0), content)
            }
            InitPart::Bytes { offset, bytes } => {
                state.object_mut(object).forget(*offset, bytes.len() as u64);
                Ok(())
            }
        }
    }

    /// Returns whether a state is at a cut: the beginning of a round of a loop.
    pub fn is_cut(&self, state: &State) -> bool {
        state.frames.last().is_some_and(|frame| {
            let flow = self.cfgs[frame.function].as_ref();
            flow.is_some_and(|flow| flow.heads.contains(&frame.at))
        })
    }

    /// All states at the next cuts.
    ///
    /// # Errors
    /// Returns the construct that is not followed, or the claim that can fail.
    pub fn run(&self, state: &State, budget: &Budget) -> Result<Vec<State>, String> {
        let (mut pending, mut cuts) = (vec![state.clone()], Vec::new());
        let mut n_steps = 0;
        while let Some(state) = pending.pop() {
            n_steps += 1;
            if n_steps > MOST_STEPS {
                return Err("too many ways from loop to loop".to_owned());
            }
            if n_steps % STEPS_BETWEEN_LOOKS == 0
                && budget.stops_after(STEP_WORK * STEPS_BETWEEN_LOOKS as u64)
            {
                return Err("out of time".to_owned());
            }
            for next in self.step(state)? {
                if self.is_cut(&next) {
                    cuts.push(next);
                } else {
                    pending.push(next);
                }
            }
        }
        for state in &mut cuts {
            state.sweep();
        }
        Ok(cuts)
    }

    /// The states after the next instruction.
    fn step(&self, state: State) -> Result<Vec<State>, String> {
        let (mut pending, mut after) = (vec![(state, 0)], Vec::new());
        let mut n_tries = 0;
        while let Some((state, n_looks)) = pending.pop() {
            n_tries += 1;
            if n_looks > MOST_LOOKS || n_tries > MOST_TRIES {
                return Err("a list is taken apart again and again".to_owned());
            }
            let mut done = self.instruction(state.clone());
            if let Err(Stop::Cases(expr)) = done {
                match self.cases(state.clone(), expr) {
                    Ok(cases) => {
                        pending.extend(cases.into_iter().map(|case| (case, n_looks + 1)));
                        continue;
                    }
                    Err(stop) => done = Err(stop),
                }
            }
            match done {
                Ok(states) => after.extend(states),
                Err(Stop::Distance(distance, size)) => {
                    let mut state = state;
                    let cases = if is_older(&distance, state.fresh) {
                        state.by_distance(&distance, size)
                    } else {
                        state.take_whole();
                        vec![state]
                    };
                    pending.extend(cases.into_iter().map(|case| (case, n_looks + 1)));
                }
                Err(Stop::Look(id, end)) => {
                    let cases = materialise(&state, id, end).into_iter();
                    pending.extend(cases.map(|case| (case, n_looks + 1)));
                }
                Err(stop) => return Err(explained(stop)),
            }
        }
        after.iter_mut().for_each(State::next_moment);
        Ok(after)
    }

    fn instruction(&self, mut state: State) -> Result<Vec<State>, Stop> {
        let program = self.program;
        let Some(frame) = state.frames.last_mut() else { return Ok(Vec::new()) };
        let (function, at) = (frame.function, frame.at);
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        let Some(instr) = body.get(at) else { return self.leave(state, None) };
        frame.at = at + 1;
        match &instr.kind {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd => {}
            InstrKind::Assign(place, value) => self.assign(&mut state, *place, *value)?,
            InstrKind::Assume(cond) => return self.assume(state, *cond, true),
            InstrKind::Assert(cond, claim) => {
                if !self.assume(state.clone(), *cond, false)?.is_empty() {
                    return give_up(format!(
                        "{} is not shown: {}",
                        claim.property, claim.description
                    ));
                }
            }
            InstrKind::Goto(cond, _) => return self.jump(state, function, at, *cond),
            InstrKind::Call { dest, callee, args } => {
                let callee = match *callee {
                    Callee::Direct(callee) => callee,
                    Callee::Indirect(pointer) => self.callee(&mut state, pointer)?,
                };
                return self.call(state, at, callee, args, *dest);
            }
            InstrKind::Return(value) => {
                let content = match value {
                    Some(value) => Some(self.content(&mut state, *value)?),
                    None => None,
                };
                return self.leave(state, content);
            }
            InstrKind::Decl(symbol) => {
                self.end_life(&mut state, *symbol);
                self.declare(&mut state, *symbol)?;
            }
            InstrKind::Dead(symbol) => self.end_life(&mut state, *symbol),
            InstrKind::Alloc { dest, size, region, zeroed, .. } => {
                self.allocate(&mut state, *dest, *size, *region, *zeroed)?;
            }
            InstrKind::Free(pointer, region) => self.free(&mut state, *pointer, *region)?,
            InstrKind::Intrinsic { op, dest, .. } => self.intrinsic(&mut state, *op, *dest)?,
            InstrKind::End(_) => return Ok(Vec::new()),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => return give_up("threads"),
            InstrKind::Unsupported(what) => return give_up(&**what),
        }
        Ok(vec![state])
    }

    fn jump(
        &self,
        state: State,
        function: FunctionId,
        at: usize,
        cond: Option<ExprId>,
    ) -> Result<Vec<State>, Stop> {
        let Some(flow) = &self.cfgs[function] else { return give_up("a function without a body") };
        let go = |mut state: State, to: usize| {
            if let Some(frame) = state.frames.last_mut() {
                frame.at = to;
            }
            state
        };
        let Some(cond) = cond else {
            return Ok(flow.cfg.successors(at).map(|to| go(state.clone(), to)).collect());
        };
        let mut after = Vec::new();
        // To the next instruction where it is false, then to the target.
        for (to, outcome) in flow.cfg.successors(at).zip([false, true]) {
            let there = self.assume(state.clone(), cond, outcome)?;
            after.extend(there.into_iter().map(|state| go(state, to)));
        }
        Ok(after)
    }

    fn assign(&self, state: &mut State, place: ExprId, value: ExprId) -> Result<(), Stop> {
        if let ExprKind::Nondet(_) = self.program.exprs.kind(value) {
            return self.write_any(state, place);
        }
        let content = self.content(state, value)?;
        let size = self.size(place);
        let place = self.place(state, place)?;
        self.write(state, place, size, content)
    }

    pub(super) fn size(&self, expr: ExprId) -> u64 {
        let ty = self.program.exprs.ty(expr);
        let size = self.program.types.size_of(ty, &self.program.machine);
        size.or_else(|| class_of(self.program, ty).map(|(_, size)| size)).unwrap_or(0)
    }

    /// Writes a value of so many bytes.
    pub(super) fn write(
        &self,
        state: &mut State,
        place: Place,
        size: u64,
        content: Content,
    ) -> Result<(), Stop> {
        let width = Linear::constant(size.into());
        let (id, at) = match place {
            Place::At(id, at) => (id, at),
            Place::Within(id, offsets) => {
                self.write_within(state, id, offsets, size, content);
                return Ok(());
            }
            Place::Bits(id, at, size) => {
                let first = u64::try_from(at).unwrap_or(0);
                state.unmark(id, None, &width);
                state.object_mut(id).forget(first, size);
                return Ok(());
            }
            Place::Address(_) | Place::Nowhere => {
                return give_up("a pointer that is not known is written through");
            }
        };
        let sum = Linear::constant(at.into());
        state.unmark(id, Some(&sum), &width);
        if state.object(id).length.is_some() && state.object(id).has(at, size).is_none() {
            match u64::try_from(at).ok().and_then(|at| at.checked_add(size)) {
                // These bytes surely exist, too.
                Some(end) if state.is_inside(id, &sum, &width) => state.object_mut(id).size = end,
                _ => {
                    state.object_mut(id).zero = false;
                    return Ok(());
                }
            }
        }
        let Some(at) = state.object(id).has(at, size) else {
            return give_up("a write outside of an object");
        };
        let object = state.object_mut(id);
        match content {
            Content::Cells(cells) => {
                object.forget(at, size);
                for (offset, cell) in cells {
                    object.write(at + offset, cell);
                }
            }
            Content::Zero => {
                object.forget(at, size);
                if at == 0 && size == object.size {
                    object.cells.clear();
                    object.zero = true;
                }
            }
        }
        Ok(())
    }

    /// Writes a value somewhere into an object.
    fn write_within(
        &self,
        state: &mut State,
        id: ObjectId,
        offsets: Option<Offsets>,
        size: u64,
        content: Content,
    ) {
        // Whatever is outside of the object is not written.
        let (range, sum) = match offsets {
            Some(Offsets { range, sum }) => (Some(range), sum),
            None => (None, None),
        };
        state.unmark(id, sum.as_ref(), &Linear::constant(size.into()));
        let object = state.object_mut(id);
        let all = object.size;
        let in_object = |at: i128| at.clamp(0, all.into()) as u64;
        let (first, end) = range.map_or((0, all), |range| {
            (in_object(range.low), in_object(range.high + i128::from(size)))
        });
        object.forget(first, end.saturating_sub(first));
        if object.length.is_some() {
            object.zero = false;
        }
        if let (Some(sum), Content::Cells(cells)) = (sum, content)
            && let [(0, cell)] = cells[..]
            && cell.size == size
        {
            state.mark(id, &sum, cell, self.program.machine.pointer_width);
        }
    }

    fn declare(&self, state: &mut State, symbol: SymbolId) -> Result<ObjectId, Stop> {
        let info = &self.program.symbols[symbol];
        let size = self.program.types.size_of(info.ty, &self.program.machine);
        let size = size.or_else(|| class_of(self.program, info.ty).map(|(_, size)| size));
        let Some(size) = size else { return give_up("a variable without a size") };
        let object = Object { writable: info.writable, ..Object::new(size, Origin::Variable) };
        let object = state.add(object);
        let Some(frame) = state.frames.last_mut() else { return give_up("there is no call") };
        frame.locals.insert(symbol, object);
        Ok(object)
    }

    fn end_life(&self, state: &mut State, symbol: SymbolId) {
        let frame = state.frames.last_mut();
        if let Some(object) = frame.and_then(|frame| frame.locals.remove(&symbol)) {
            state.kill(self.program, object);
        }
    }

    fn allocate(
        &self,
        state: &mut State,
        dest: ExprId,
        size: ExprId,
        region: Region,
        zero: bool,
    ) -> Result<(), Stop> {
        let value = self.scalar(state, size)?;
        let word = Word { signed: false, width: self.program.machine.pointer_width };
        let (size, length) = match value {
            Value::Word(size) => (size, None),
            value => self.unknown_length(state, value, word)?,
        };
        if size > LARGEST {
            return give_up("a large allocation");
        }
        let origin = match region {
            Region::Heap => Origin::Heap,
            Region::Stack => Origin::Stack,
        };
        let object = state.add(Object { zero, length, ..Object::new(size, origin) });
        if let Some(length) = length.filter(|_| zero) {
            // The last byte is zero, as long as nobody writes it.
            let value = Value::Word(0);
            let cell = Cell { size: 1, class: Class::Int(8), value };
            if let Some(last) = state.sum(length).more(-1) {
                state.mark(object, &last, cell, word.width);
            }
        }
        if region == Region::Stack
            && let Some(frame) = state.frames.last_mut()
        {
            frame.stack.insert(object);
        }
        let value = Value::Ptr(Pointer { object, end: End::First, offset: 0 });
        let size = self.size(dest);
        let cell = Cell { size, class: Class::Ptr, value };
        let place = self.place(state, dest)?;
        self.write(state, place, size, Content::Cells(vec![(0, cell)]))
    }

    /// The length of an object that is a value, and the number of bytes that surely exist.
    fn unknown_length(
        &self,
        state: &mut State,
        value: Value,
        word: Word,
    ) -> Result<(u64, Option<UnknownId>), Stop> {
        let sum = state.form(value, word);
        let signed = Word { signed: true, ..word };
        let Some(sum) = sum.filter(|sum| state.entails(sum) && state.fits(sum, signed)) else {
            return give_up("an allocation of unknown size");
        };
        Ok(match state.of_sum(word, &sum, Wrapped::all(word)) {
            Value::Unknown(id) => {
                // It is what a signed word can be, too.
                let all = Wrapped::of(word, Interval { low: 0, high: signed.all().high });
                if !state.limit(id, word, all) {
                    return give_up("an allocation of no size");
                }
                let range = state.unknowns.get(&id).and_then(|known| known.range);
                let least = range.map_or(0, |range| range.hull(word).low);
                (least.clamp(0, LARGEST.into()) as u64, Some(id))
            }
            Value::Word(size) => (size, None),
            _ => return give_up("an allocation of unknown size"),
        })
    }

    fn free(&self, state: &mut State, pointer: ExprId, region: Region) -> Result<(), Stop> {
        let pointer = match self.scalar(state, pointer)? {
            Value::Word(0) => return Ok(()),
            Value::Ptr(pointer) => pointer,
            _ => return give_up("a pointer that is not known is freed"),
        };
        let object = state.object(pointer.object);
        if object.chain.is_some() {
            return Err(Stop::Look(pointer.object, pointer.end));
        }
        let origin = match region {
            Region::Heap => Origin::Heap,
            Region::Stack => Origin::Stack,
        };
        if object.origin != origin || pointer.offset != 0 {
            return give_up("what was not allocated is freed");
        }
        for frame in &mut state.frames {
            frame.stack.remove(&pointer.object);
        }
        state.kill(self.program, pointer.object);
        Ok(())
    }

    /// Executes an effect of the world outside, as far as it leaves memory alone.
    fn intrinsic(
        &self,
        state: &mut State,
        op: Intrinsic,
        dest: Option<ExprId>,
    ) -> Result<(), Stop> {
        match op {
            Intrinsic::Reads | Intrinsic::Copies | Intrinsic::Writes | Intrinsic::Approximation => {
            }
            Intrinsic::Write
            | Intrinsic::Time
            | Intrinsic::Thread
            | Intrinsic::Choose
            | Intrinsic::Order => {}
            Intrinsic::Read
            | Intrinsic::PrintFloat
            | Intrinsic::Print
            | Intrinsic::PrintTo
            | Intrinsic::Scan
            | Intrinsic::ScanFrom => return give_up("input and output"),
        }
        match dest {
            Some(dest) => self.write_any(state, dest),
            None => Ok(()),
        }
    }

    /// A place gets any value.
    fn write_any(&self, state: &mut State, dest: ExprId) -> Result<(), Stop> {
        let content = match class_of(self.program, self.program.exprs.ty(dest)) {
            Some((class, size)) => {
                let value = self.any(state, self.program.exprs.ty(dest));
                Content::Cells(vec![(0, Cell { size, class, value })])
            }
            None => Content::Cells(Vec::new()),
        };
        let size = self.size(dest);
        let place = self.place(state, dest)?;
        self.write(state, place, size, content)
    }

    /// The function that a pointer points to.
    fn callee(&self, state: &mut State, pointer: ExprId) -> Result<FunctionId, Stop> {
        let Value::Function(function) = self.scalar(state, pointer)? else {
            return give_up("a call through a pointer that is not known");
        };
        let ty = self.program.pointee(self.program.exprs.ty(pointer));
        if ty != Some(self.program.functions[function].ty) {
            return give_up("a call through a pointer of another type");
        }
        Ok(function)
    }

    fn call(
        &self,
        mut state: State,
        at: usize,
        callee: FunctionId,
        args: &[ExprId],
        dest: Option<ExprId>,
    ) -> Result<Vec<State>, Stop> {
        let info = &self.program.functions[callee];
        if info.body.is_none() {
            // Any value is returned, and nothing else changes.
            if let Some(dest) = dest {
                self.write_any(&mut state, dest)?;
            }
            return Ok(vec![state]);
        }
        if state.frames.iter().any(|frame| frame.function == callee) {
            return give_up(format!("recursion of {}", info.display));
        }
        if self.block_operation(&mut state, callee, args, dest)? {
            return Ok(vec![state]);
        }
        let mut contents = Vec::new();
        for &arg in args {
            contents.push(self.content(&mut state, arg)?);
        }
        if contents.len() != info.params.len() {
            return give_up("a call with another number of arguments");
        }
        if let Some(frame) = state.frames.last_mut() {
            // It stays here until the return.
            frame.at = at;
        }
        let (locals, stack) = (BTreeMap::new(), BTreeSet::new());
        state.frames.push(Frame { function: callee, at: 0, locals, stack });
        for ((&param, content), &arg) in info.params.iter().zip(contents).zip(args) {
            let object = self.declare(&mut state, param)?;
            let size = self.size(arg).min(state.object(object).size);
            self.write(&mut state, Place::At(object, 0), size, content)?;
        }
        Ok(vec![state])
    }

    /// A function returns.
    fn leave(&self, mut state: State, value: Option<Content>) -> Result<Vec<State>, Stop> {
        let Some(left) = state.frames.pop() else { return Ok(Vec::new()) };
        let Some(caller) = state.frames.last_mut() else {
            // The entry function returns: the program ends.
            return Ok(Vec::new());
        };
        let body = self.program.functions[caller.function].body.as_deref().unwrap_or_default();
        let instr = body.get(caller.at).map(|instr| &instr.kind);
        caller.at += 1;
        let Some(InstrKind::Call { dest, .. }) = instr else { return give_up("no call returns") };
        match (dest, value) {
            (Some(dest), Some(value)) => {
                let size = self.size(*dest);
                let place = self.place(&mut state, *dest)?;
                self.write(&mut state, place, size, value)?;
            }
            (Some(dest), None) => self.write_any(&mut state, *dest)?,
            (None, _) => {}
        }
        for object in left.locals.into_values().chain(left.stack) {
            state.kill(self.program, object);
        }
        Ok(vec![state])
    }
}

fn explained(stop: Stop) -> String {
    match stop {
        Stop::GiveUp(what) => what,
        Stop::Look(..) => "a list is taken apart again and again".to_owned(),
        Stop::Cases(_) | Stop::Distance(..) => "what it depends on is not known".to_owned(),
    }
}
