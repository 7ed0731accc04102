//! The machine: a program, its memory and threads, and the loop that runs them.

use crate::code::{Code, Op, Scalar};
use crate::compile::{Environment, compile};
use crate::inputs::Inputs;
use crate::memory::{Big, Fault, Handle, Memory, Origin};
use crate::outcome::{Activation, Limit, Outcome, Position, Violation};
use crate::trace::Tracer;
use crate::values;
use crate::world::World;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::program::{
    Claim, FunctionId, InitPart, InstrKind, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_source::Span;

/// What an execution may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Elementary steps: about one per operator and instruction.
    pub steps: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Bytes of the interpreted program's objects, as they are backed on the host.
    pub memory: u64,
    /// Active calls of a thread.
    pub call_depth: usize,
    /// Bytes of the address space that the objects on a thread's stack may take.
    pub stack: u64,
    /// Threads over the whole execution.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            time: None,
            memory: 1 << 30,
            call_depth: 200_000,
            stack: 256 << 20,
            threads: 1000,
        }
    }
}

/// How threads take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// In order, each for a fixed number of steps.
    RoundRobin,
    /// By a seed: who goes on, and for how long.
    Seed(u64),
}

/// How a program is executed.
pub struct Options<'a> {
    /// What it may use.
    pub limits: Limits,
    /// Where nondeterministic values come from.
    pub inputs: Box<dyn Inputs + 'a>,
    /// What its reads and writes reach.
    pub world: Box<dyn World + 'a>,
    /// Who watches.
    pub trace: Option<Box<dyn Tracer + 'a>>,
    /// How threads take turns.
    pub schedule: Schedule,
    /// Whether reading an uninitialised scalar is a fault.
    pub check_uninitialized: bool,
    /// Stops the execution when it becomes true.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for Options<'_> {
    /// Without limits worth mentioning; all inputs are zero, and nothing goes in or out.
    fn default() -> Self {
        Options {
            limits: Limits::default(),
            inputs: Box::new(crate::ListInputs::new("", crate::AtEnd::Zero)),
            world: Box::new(crate::Buffers::default()),
            trace: None,
            schedule: Schedule::RoundRobin,
            check_uninitialized: false,
            cancelled: None,
        }
    }
}

/// The execution of one program.
pub struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: Options<'a>,
    pub(crate) environment: Environment,
    pub(crate) memory: Memory,
    codes: Vec<Option<Rc<Code>>>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) current: usize,
    thread_locals: Vec<SymbolId>,
    /// Steps left of all.
    steps_left: u64,
    deadline: Option<Instant>,
    random: u64,
    pub(crate) clock: i64,
    /// Bytes read from the input and not yet consumed by `scan`.
    pub(crate) pushed_back: Vec<u8>,
}

/// A thread.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) regs: Vec<u64>,
    pub(crate) bigs: Vec<Big>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) stack: usize,
    /// How many atomic sections are open, and where the outermost began: frame and operation.
    pub(crate) atomic: u32,
    pub(crate) atomic_start: (usize, u32),
    pub(crate) state: State,
    pub(crate) result: (u64, Handle),
    /// Objects of thread-locals, made when they are first used.
    pub(crate) locals: Vec<Handle>,
}

/// Whether a thread can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum State {
    #[default]
    Ready,
    /// Waits for a thread, by number; for ever if there is none.
    Joining(Option<usize>),
    /// Waits for an assumption to become true.
    Excluded,
    Ended,
}

/// A local variable's object.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pub(crate) handle: Handle,
    /// Its place in the stack's list, plus one.
    pub(crate) place: u32,
}

/// An active call.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) code: Rc<Code>,
    pub(crate) pc: u32,
    pub(crate) fp: usize,
    pub(crate) big_fp: usize,
    pub(crate) slot_base: usize,
    stack_height: usize,
    stack_top: u64,
}

/// Why the loop stopped.
pub(crate) enum Stop {
    /// The thread's turn is over, or it waits.
    Turn,
    /// The execution is over.
    Done(Outcome),
    /// The instruction is a fault.
    Fault(Fault),
    Limit(Limit),
    Refuted,
    Excluded,
    Aborted,
    Unsupported,
    NoInput(String),
    Bad(String),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        match fault {
            Fault::OutOfMemory => Stop::Limit(Limit::Memory),
            Fault::StackOverflow => Stop::Limit(Limit::Stack),
            fault => Stop::Fault(fault),
        }
    }
}

pub(crate) type Step<T> = Result<T, Stop>;

/// Steps of a turn.
const TURN: u64 = 1000;
/// Steps between looks at the clock.
const CLOCK: u64 = 1 << 20;

impl<'a> Machine<'a> {
    /// A machine at the start of a well-formed program.
    pub fn new(program: &'a Program, options: Options<'a>) -> Machine<'a> {
        let mentions_init = (0..program.exprs.len()).any(|i| {
            let kind = program.exprs.kind(cranelift_entity::EntityRef::new(i));
            matches!(kind, ExprKind::Memory(MemoryOp::IsInitialized, _))
        });
        let check = options.check_uninitialized;
        let environment = Environment::new(program, check, options.trace.is_some());
        let limits = &options.limits;
        let memory = Memory::new(
            program.machine.pointer_width,
            limits.memory,
            limits.stack,
            mentions_init,
            check,
        );
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let steps_left = limits.steps;
        let random = match options.schedule {
            Schedule::RoundRobin => 0,
            Schedule::Seed(seed) => seed | 1 << 63,
        };
        Machine {
            program,
            options,
            environment,
            memory,
            codes: vec![None; program.functions.len()],
            threads: Vec::new(),
            current: 0,
            thread_locals: Vec::new(),
            steps_left,
            deadline,
            random,
            clock: 1_700_000_000,
            pushed_back: Vec::new(),
        }
    }

    /// Runs the program to its end.
    pub fn run(&mut self) -> Outcome {
        let Some(entry) = self.program.entry else {
            return Outcome::NotExecutable("the program has no entry function".into());
        };
        match self.start(entry) {
            Ok(()) => {}
            Err(stop) => return self.outcome(stop),
        }
        loop {
            if let Some(outcome) = self.turn() {
                return outcome;
            }
        }
    }

    /// How many elementary steps were made.
    pub fn steps(&self) -> u64 {
        self.options.limits.steps - self.steps_left
    }

    fn start(&mut self, entry: FunctionId) -> Step<()> {
        self.memory.n_functions = self.program.functions.len() as u64;
        for (id, symbol) in &self.program.symbols {
            let SymbolKind::Static { writable, thread_local, .. } = symbol.kind else { continue };
            if thread_local {
                self.thread_locals.push(id);
                self.environment.thread_locals[id] = self.thread_locals.len() as u32;
                continue;
            }
            // A truth value has no object that a program could see; here it takes a byte.
            let size = self.program.size_of(symbol.ty).unwrap_or(1);
            let handle = self.memory.add_static(size, symbol.align, writable)?;
            self.environment.statics[id] = handle;
        }
        let statics: Vec<SymbolId> =
            self.program.symbols.keys().filter(|&id| self.environment.statics[id] != 0).collect();
        self.add_thread(entry, None)?;
        for id in statics {
            self.initialize(id, self.environment.statics[id])?;
        }
        Ok(())
    }

    /// Writes a static's first value to its object.
    fn initialize(&mut self, symbol: SymbolId, handle: Handle) -> Step<()> {
        let program = self.program;
        let SymbolKind::Static { init, .. } = &program.symbols[symbol].kind else { return Ok(()) };
        let object = crate::memory::index(handle);
        match init {
            StaticInit::Nondet => {
                let value = self.choose_bytes(program.symbols[symbol].ty)?;
                self.memory.write_object(object, 0, &value)?;
            }
            StaticInit::Data(parts) => {
                for part in parts {
                    match part {
                        InitPart::Bytes { offset, bytes } => {
                            self.memory.write_object(object, *offset, bytes)?
                        }
                        InitPart::Value { offset, value } => {
                            let big = self.constant_bytes(*value)?;
                            self.memory.write_object(object, *offset, &big.bytes)?;
                            for &(at, address, attached) in &big.notes {
                                self.memory.note(object, offset + at, address, attached);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The object of a thread-local of the current thread.
    pub(crate) fn thread_local(&mut self, t: &mut Thread, number: u32) -> Step<Handle> {
        let number = number as usize;
        if t.locals.len() <= number {
            t.locals.resize(number + 1, 0);
        }
        if t.locals[number] == 0 {
            let symbol = self.thread_locals[number];
            let info = &self.program.symbols[symbol];
            let size = self.program.size_of(info.ty).unwrap_or(1);
            let handle = self.memory.add_static(size, info.align, true)?;
            self.initialize(symbol, handle)?;
            t.locals[number] = handle;
        }
        Ok(t.locals[number])
    }

    /// A new thread that runs a function; its number.
    pub(crate) fn add_thread(
        &mut self,
        function: FunctionId,
        arg: Option<(u64, Handle)>,
    ) -> Step<usize> {
        if self.threads.len() >= self.options.limits.threads {
            return Err(Stop::Limit(Limit::Threads));
        }
        let stack = self.memory.add_stack().ok_or(Stop::Limit(Limit::Threads))?;
        let mut thread = Thread { stack, ..Thread::default() };
        let code = self.code(function)?;
        self.push_frame(&mut thread, function, code.clone(), 0, 0);
        if let (Some((address, handle)), Some(param)) = (arg, code.params.first()) {
            thread.regs[param.reg as usize] = address;
            thread.regs[param.reg as usize + 1] = handle;
        }
        self.threads.push(thread);
        Ok(self.threads.len() - 1)
    }

    /// The compiled form of a function.
    pub(crate) fn code(&mut self, function: FunctionId) -> Step<Rc<Code>> {
        let i = function.as_u32() as usize;
        if let Some(Some(code)) = self.codes.get(i) {
            return Ok(code.clone());
        }
        let code =
            compile(self.program, &self.environment, &self.memory, function).map_err(Stop::Bad)?;
        let code = Rc::new(code);
        self.codes[i] = Some(code.clone());
        Ok(code)
    }

    /// Runs the code of a constant expression to its end.
    pub(crate) fn run_constant(&mut self, t: &mut Thread) -> Stop {
        self.execute(t, u64::MAX).1
    }

    /// Makes room for a call and fills its constants. The frame's first registers stand behind those of the caller.
    pub(crate) fn push_frame(
        &self,
        t: &mut Thread,
        function: FunctionId,
        code: Rc<Code>,
        fp: usize,
        big_fp: usize,
    ) {
        let end = fp + code.n_regs as usize;
        if t.regs.len() < end {
            t.regs.resize(end.next_power_of_two().max(1 << 10), 0);
        }
        let first = fp + code.first_const as usize;
        t.regs[first..first + code.consts.len()].copy_from_slice(&code.consts);
        let bigs = big_fp + code.n_bigs as usize;
        if t.bigs.len() < bigs {
            t.bigs.resize(bigs, Big::default());
        }
        let slot_base = t.slots.len();
        t.slots.resize(slot_base + code.slots.len(), Slot::default());
        let stack = &self.memory.stacks[t.stack];
        t.frames.push(Frame {
            function,
            code,
            pc: 0,
            fp,
            big_fp,
            slot_base,
            stack_height: stack.objects.len(),
            stack_top: stack.top,
        });
    }

    /// Ends the innermost call of a thread: its objects die.
    pub(crate) fn pop_frame(&mut self, t: &mut Thread) {
        if let Some(frame) = t.frames.pop() {
            if self.memory.stacks[t.stack].objects.len() > frame.stack_height {
                self.memory.pop_stack(t.stack, frame.stack_height, frame.stack_top);
            }
            t.slots.truncate(frame.slot_base);
        }
    }

    /// A local variable comes to life.
    pub(crate) fn declare(&mut self, t: &mut Thread, slot: u32) -> Step<()> {
        let frame = t.frames.last().ok_or_else(|| Stop::Bad("no call is active".into()))?;
        let info = frame.code.slots[slot as usize];
        let slot = &mut t.slots[frame.slot_base + slot as usize];
        let place = (slot.place > 0).then(|| slot.place as usize - 1);
        let (place, _, handle) =
            self.memory.push_stack(t.stack, place, info.size, info.align, Origin::Local, false)?;
        *slot = Slot { handle, place: place as u32 + 1 };
        Ok(())
    }

    /// Lets one thread go on for a turn.
    fn turn(&mut self) -> Option<Outcome> {
        let current = self.current;
        let mut t = std::mem::take(&mut self.threads[current]);
        // A thread that waits alone, or runs alone, has longer turns.
        let alone = self.threads.len() == 1 || t.atomic > 0;
        let length = if alone { CLOCK } else { self.turn_length() };
        let fuel = length.min(self.steps_left);
        let (used, stop) = self.execute(&mut t, fuel);
        self.steps_left -= used.min(self.steps_left);
        self.threads[current] = t;
        let outcome = match stop {
            Stop::Turn => self.between_turns(),
            Stop::Excluded => self.excluded(),
            stop => Some(self.outcome(stop)),
        };
        if outcome.is_none() {
            self.switch();
            if self.threads[self.current].state != State::Ready {
                return Some(self.stuck());
            }
        }
        outcome
    }

    fn between_turns(&mut self) -> Option<Outcome> {
        if self.steps_left == 0 {
            return Some(self.outcome(Stop::Limit(Limit::Steps)));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(self.outcome(Stop::Limit(Limit::Time)));
        }
        if self.options.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(self.outcome(Stop::Limit(Limit::Cancelled)));
        }
        None
    }

    /// An assumption is false: if other threads can go on, it waits; the atomic section that it stands in begins again
    /// if nothing has happened in it.
    fn excluded(&mut self) -> Option<Outcome> {
        if !self.threads.iter().enumerate().any(|(i, t)| i != self.current && self.can_go_on(t)) {
            return Some(Outcome::AssumptionFailed(self.position()));
        }
        let t = &mut self.threads[self.current];
        let depth = t.frames.len();
        let frame = t.frames.last_mut()?;
        let instr = frame.code.instr_of[frame.pc as usize - 1];
        let mut first = frame.code.instr_of.partition_point(|&i| i < instr) as u32;
        if t.atomic > 0 {
            let (start_depth, start) = t.atomic_start;
            let from = frame.code.instr_of[start as usize];
            let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
            let quiet = |kind: &InstrKind| {
                matches!(
                    kind,
                    InstrKind::Skip
                        | InstrKind::Label(_)
                        | InstrKind::Assume(_)
                        | InstrKind::Assert(..)
                        | InstrKind::Goto(..)
                )
            };
            let between = body.get(from as usize + 1..=instr as usize);
            if start_depth != depth
                || !between.is_some_and(|all| all.iter().all(|i| quiet(&i.kind)))
            {
                return Some(Outcome::AssumptionFailed(self.position()));
            }
            first = start;
            t.atomic = 0;
        }
        frame.pc = first;
        t.state = State::Excluded;
        None
    }

    /// Whether a thread could make a step now.
    fn can_go_on(&self, t: &Thread) -> bool {
        match t.state {
            State::Ready => true,
            State::Joining(other) => other.is_some_and(|i| self.threads[i].state == State::Ended),
            State::Excluded | State::Ended => false,
        }
    }

    /// The next thread's turn.
    fn switch(&mut self) {
        if self.threads[self.current].atomic > 0 && self.threads[self.current].state == State::Ready
        {
            return;
        }
        let n = self.threads.len();
        if n == 1 {
            return;
        }
        let mut start = self.current + 1;
        if self.random != 0 {
            start = (self.next_random() as usize) % n;
        }
        // Those that waited for an assumption try again after another has run.
        for i in 0..n {
            let i = (start + i) % n;
            let retry = self.threads[i].state == State::Excluded && i != self.current;
            let joined = matches!(self.threads[i].state, State::Joining(_))
                && self.can_go_on(&self.threads[i]);
            if retry || joined || self.threads[i].state == State::Ready {
                self.threads[i].state = State::Ready;
                self.current = i;
                return;
            }
        }
    }

    /// No thread can go on.
    fn stuck(&self) -> Outcome {
        if self.threads.iter().any(|t| t.state == State::Excluded) {
            return Outcome::AssumptionFailed(self.position());
        }
        Outcome::Deadlock(self.position())
    }

    fn turn_length(&mut self) -> u64 {
        if self.random == 0 { TURN } else { 1 + self.next_random() % (2 * TURN) }
    }

    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn outcome(&self, stop: Stop) -> Outcome {
        let position = self.position();
        match stop {
            Stop::Done(outcome) => outcome,
            Stop::Fault(fault) => {
                let claim = fault_claim(fault);
                Outcome::Violation(Box::new(Violation { claim, fault: true, position }))
            }
            Stop::Limit(limit) => Outcome::LimitReached { limit, position },
            Stop::Refuted => match self.instruction() {
                Some(InstrKind::Assert(_, claim)) => {
                    let claim = (**claim).clone();
                    Outcome::Violation(Box::new(Violation { claim, fault: false, position }))
                }
                _ => Outcome::NotExecutable("no assertion stands here".into()),
            },
            Stop::Excluded | Stop::Turn => Outcome::AssumptionFailed(position),
            Stop::Aborted => Outcome::Aborted(position),
            Stop::Unsupported => {
                let what = match self.instruction() {
                    Some(InstrKind::Unsupported(what)) => what.to_string(),
                    _ => String::new(),
                };
                Outcome::Unsupported { what, position }
            }
            Stop::NoInput(reason) => Outcome::NoInput { reason, position },
            Stop::Bad(why) => Outcome::NotExecutable(why),
        }
    }

    /// The instruction at which the current thread stands.
    fn instruction(&self) -> Option<&'a InstrKind> {
        let frame = self.threads.get(self.current)?.frames.last()?;
        let instr = *frame.code.instr_of.get((frame.pc as usize).checked_sub(1)?)?;
        let body = self.program.functions[frame.function].body.as_deref()?;
        body.get(instr as usize).map(|instr| &instr.kind)
    }

    /// Where the current thread stands.
    pub(crate) fn position(&self) -> Position {
        match self.threads.get(self.current) {
            Some(t) => self.position_of(t),
            None => Position::default(),
        }
    }

    pub(crate) fn position_of(&self, t: &Thread) -> Position {
        /// Calls that a position names at most: the innermost and the outermost.
        const SHOWN: usize = 64;
        let mut stack = Vec::new();
        for frame in t.frames.iter().rev().take(SHOWN) {
            let function = &self.program.functions[frame.function];
            stack.push(Activation {
                function: function.display.clone(),
                library: function.library,
                span: self.span_of(frame),
            });
        }
        let span = stack.first().map_or(Span::DUMMY, |a| a.span);
        Position { span, stack }
    }

    pub(crate) fn span_of(&self, frame: &Frame) -> Span {
        let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
        let op = (frame.pc as usize).saturating_sub(1);
        let instr = frame.code.instr_of.get(op).copied().unwrap_or(0);
        body.get(instr as usize).map_or(Span::DUMMY, |instr| instr.span)
    }
}

/// What a fault violates.
fn fault_claim(fault: Fault) -> Claim {
    let (property, description, cwe) = match fault {
        Fault::Null => ("memory.null", "access through a null pointer", 476),
        Fault::Unattached => {
            ("memory.bounds", "access through a pointer that points to no object", 119)
        }
        Fault::Dead => ("memory.lifetime", "access to an object that is no longer alive", 416),
        Fault::Bounds => ("memory.bounds", "access outside of an object", 119),
        Fault::ReadOnly => ("memory.read-only", "write to an object that cannot be written", 119),
        Fault::Uninitialized => {
            ("memory.uninitialized", "use of a value that was never written", 457)
        }
        Fault::InvalidFree => {
            ("memory.invalid-free", "free of a pointer that was not allocated", 590)
        }
        Fault::DoubleFree => ("memory.double-free", "free of an object that was freed before", 415),
        Fault::CallType => {
            ("call.type", "call through a pointer that is not to a function of this type", 686)
        }
        Fault::OutOfMemory => ("memory.limit", "out of memory", 400),
        Fault::StackOverflow => ("memory.stack", "stack overflow", 674),
    };
    Claim { property: property.into(), description: description.into(), cwe: Some(cwe) }
}

/// Extends the low bits of a word by their sign.
#[inline(always)]
pub(crate) fn norm_s(value: u64, sh: u8) -> u64 {
    ((value << sh) as i64 >> sh) as u64
}

/// Clears the high bits of a word.
#[inline(always)]
pub(crate) fn norm_u(value: u64, sh: u8) -> u64 {
    value << sh >> sh
}

impl Machine<'_> {
    /// Runs a thread until its fuel is used up or something stops it. Turns end between instructions.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    fn execute(&mut self, t: &mut Thread, fuel: u64) -> (u64, Stop) {
        let mut left = fuel;
        let Some(frame) = t.frames.last() else {
            return (0, Stop::Bad("a thread without a call".into()));
        };
        let mut code = frame.code.clone();
        let mut pc = frame.pc as usize;
        let mut fp = frame.fp;
        let mut slot_base = frame.slot_base;
        let mask = self.memory.mask;
        macro_rules! r {
            ($i:expr) => {
                t.regs[fp + $i as usize]
            };
        }
        macro_rules! stop {
            ($stop:expr) => {{
                if let Some(frame) = t.frames.last_mut() {
                    frame.pc = pc as u32;
                }
                return (fuel - left, $stop);
            }};
        }
        macro_rules! try_access {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(fault) => stop!(Stop::from(fault)),
                }
            };
        }
        macro_rules! s {
            ($i:expr) => {
                r!($i) as i64
            };
        }
        macro_rules! f64 {
            ($i:expr) => {
                f64::from_bits(r!($i))
            };
        }
        macro_rules! f32 {
            ($i:expr) => {
                f32::from_bits(r!($i) as u32)
            };
        }
        macro_rules! set_f64 {
            ($d:expr, $v:expr) => {{
                let value: f64 = $v;
                r!($d) = values::double_bits(value);
            }};
        }
        macro_rules! set_f32 {
            ($d:expr, $v:expr) => {{
                let value: f32 = $v;
                r!($d) = values::single_bits(value);
            }};
        }
        macro_rules! jump_if {
            ($c:expr, $t:expr) => {
                if $c {
                    pc = $t as usize;
                }
            };
        }
        loop {
            if left == 0 {
                // Instructions are not interrupted; the next operation is the first of one, or the turn is longer.
                let starts = pc == 0 || code.instr_of.get(pc) != code.instr_of.get(pc - 1);
                if starts || fuel >= self.steps_left {
                    stop!(Stop::Turn);
                }
                left += 1;
                self.steps_left = self.steps_left.saturating_sub(1);
            }
            left -= 1;
            let op = code.ops[pc];
            pc += 1;
            match op {
                Op::Mov { d, a } => r!(d) = r!(a),
                Op::Mov2 { d, a } => {
                    let (low, high) = (r!(a), r!(a + 1));
                    r!(d) = low;
                    r!(d + 1) = high;
                }
                Op::Const { d, v } => r!(d) = v,
                Op::Jump { t: target } => pc = target as usize,
                Op::JumpIf { a, t: target } => jump_if!(r!(a) != 0, target),
                Op::JumpIfNot { a, t: target } => jump_if!(r!(a) == 0, target),
                Op::JumpEq { a, b, t: target } => jump_if!(r!(a) == r!(b), target),
                Op::JumpNe { a, b, t: target } => jump_if!(r!(a) != r!(b), target),
                Op::JumpLtS { a, b, t: target } => jump_if!(s!(a) < s!(b), target),
                Op::JumpLtU { a, b, t: target } => jump_if!(r!(a) < r!(b), target),
                Op::JumpLeS { a, b, t: target } => jump_if!(s!(a) <= s!(b), target),
                Op::JumpLeU { a, b, t: target } => jump_if!(r!(a) <= r!(b), target),
                Op::AddS { sh, d, a, b } => r!(d) = norm_s(r!(a).wrapping_add(r!(b)), sh),
                Op::AddU { sh, d, a, b } => r!(d) = norm_u(r!(a).wrapping_add(r!(b)), sh),
                Op::SubS { sh, d, a, b } => r!(d) = norm_s(r!(a).wrapping_sub(r!(b)), sh),
                Op::SubU { sh, d, a, b } => r!(d) = norm_u(r!(a).wrapping_sub(r!(b)), sh),
                Op::MulS { sh, d, a, b } => r!(d) = norm_s(r!(a).wrapping_mul(r!(b)), sh),
                Op::MulU { sh, d, a, b } => r!(d) = norm_u(r!(a).wrapping_mul(r!(b)), sh),
                Op::DivS { sh, d, a, b } => {
                    let (x, y) = (s!(a), s!(b));
                    let quotient = match y {
                        0 if x < 0 => 1,
                        0 => -1,
                        y => x.wrapping_div(y),
                    };
                    r!(d) = norm_s(quotient as u64, sh);
                }
                Op::DivU { sh, d, a, b } => {
                    r!(d) = r!(a).checked_div(r!(b)).unwrap_or_else(|| norm_u(u64::MAX, sh));
                }
                Op::RemS { sh, d, a, b } => {
                    let (x, y) = (s!(a), s!(b));
                    r!(d) = if y == 0 { x as u64 } else { norm_s(x.wrapping_rem(y) as u64, sh) };
                }
                Op::RemU { d, a, b } => r!(d) = r!(a).checked_rem(r!(b)).unwrap_or(r!(a)),
                Op::And { d, a, b } => r!(d) = r!(a) & r!(b),
                Op::Or { d, a, b } => r!(d) = r!(a) | r!(b),
                Op::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
                Op::ShlS { sh, d, a, b } => {
                    let n = r!(b);
                    r!(d) = if n >= 64 { 0 } else { norm_s(r!(a) << n, sh) };
                }
                Op::ShlU { sh, d, a, b } => {
                    let n = r!(b);
                    r!(d) = if n >= 64 { 0 } else { norm_u(r!(a) << n, sh) };
                }
                Op::ShrS { d, a, b } => r!(d) = (s!(a) >> r!(b).min(63)) as u64,
                Op::ShrU { d, a, b } => {
                    let n = r!(b);
                    r!(d) = if n >= 64 { 0 } else { r!(a) >> n };
                }
                Op::NormS { sh, d, a } => r!(d) = norm_s(r!(a), sh),
                Op::NormU { sh, d, a } => r!(d) = norm_u(r!(a), sh),
                Op::NegS { sh, d, a } => r!(d) = norm_s(r!(a).wrapping_neg(), sh),
                Op::NegU { sh, d, a } => r!(d) = norm_u(r!(a).wrapping_neg(), sh),
                Op::NotS { d, a } => r!(d) = !r!(a),
                Op::NotU { sh, d, a } => r!(d) = norm_u(!r!(a), sh),
                Op::NotB { d, a } => r!(d) = r!(a) ^ 1,
                Op::IsSet { d, a } => r!(d) = u64::from(r!(a) != 0),
                Op::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
                Op::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
                Op::LtS { d, a, b } => r!(d) = u64::from(s!(a) < s!(b)),
                Op::LtU { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
                Op::LeS { d, a, b } => r!(d) = u64::from(s!(a) <= s!(b)),
                Op::LeU { d, a, b } => r!(d) = u64::from(r!(a) <= r!(b)),
                Op::AddOverS { sh, d, a, b } => {
                    r!(d) = u64::from(
                        s!(a).checked_add(s!(b)).is_none_or(|v| norm_s(v as u64, sh) != v as u64),
                    );
                }
                Op::AddOverU { sh, d, a, b } => {
                    r!(d) = u64::from(r!(a).checked_add(r!(b)).is_none_or(|v| norm_u(v, sh) != v));
                }
                Op::SubOverS { sh, d, a, b } => {
                    r!(d) = u64::from(
                        s!(a).checked_sub(s!(b)).is_none_or(|v| norm_s(v as u64, sh) != v as u64),
                    );
                }
                Op::SubOverU { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
                Op::MulOverS { sh, d, a, b } => {
                    r!(d) = u64::from(
                        s!(a).checked_mul(s!(b)).is_none_or(|v| norm_s(v as u64, sh) != v as u64),
                    );
                }
                Op::MulOverU { sh, d, a, b } => {
                    r!(d) = u64::from(r!(a).checked_mul(r!(b)).is_none_or(|v| norm_u(v, sh) != v));
                }
                Op::DAdd { d, a, b } => set_f64!(d, f64!(a) + f64!(b)),
                Op::DSub { d, a, b } => set_f64!(d, f64!(a) - f64!(b)),
                Op::DMul { d, a, b } => set_f64!(d, f64!(a) * f64!(b)),
                Op::DDiv { d, a, b } => set_f64!(d, f64!(a) / f64!(b)),
                Op::DNeg { d, a } => set_f64!(d, -f64!(a)),
                Op::DEq { d, a, b } => r!(d) = u64::from(f64!(a) == f64!(b)),
                Op::DNe { d, a, b } => r!(d) = u64::from(f64!(a) != f64!(b)),
                Op::DLt { d, a, b } => r!(d) = u64::from(f64!(a) < f64!(b)),
                Op::DLe { d, a, b } => r!(d) = u64::from(f64!(a) <= f64!(b)),
                Op::FAdd { d, a, b } => set_f32!(d, f32!(a) + f32!(b)),
                Op::FSub { d, a, b } => set_f32!(d, f32!(a) - f32!(b)),
                Op::FMul { d, a, b } => set_f32!(d, f32!(a) * f32!(b)),
                Op::FDiv { d, a, b } => set_f32!(d, f32!(a) / f32!(b)),
                Op::FNeg { d, a } => set_f32!(d, -f32!(a)),
                Op::FEq { d, a, b } => r!(d) = u64::from(f32!(a) == f32!(b)),
                Op::FNe { d, a, b } => r!(d) = u64::from(f32!(a) != f32!(b)),
                Op::FLt { d, a, b } => r!(d) = u64::from(f32!(a) < f32!(b)),
                Op::FLe { d, a, b } => r!(d) = u64::from(f32!(a) <= f32!(b)),
                Op::SToD { d, a } => r!(d) = (s!(a) as f64).to_bits(),
                Op::UToD { d, a } => r!(d) = (r!(a) as f64).to_bits(),
                Op::SToF { d, a } => r!(d) = (s!(a) as f32).to_bits().into(),
                Op::UToF { d, a } => r!(d) = (r!(a) as f32).to_bits().into(),
                Op::DToF { d, a } => set_f32!(d, f64!(a) as f32),
                Op::FToD { d, a } => set_f64!(d, f64::from(f32!(a))),
                Op::DToS { sh, d, a } => r!(d) = values::to_signed(f64!(a), sh),
                Op::DToU { sh, d, a } => r!(d) = values::to_unsigned(f64!(a), sh),
                Op::FToS { sh, d, a } => r!(d) = values::to_signed(f32!(a).into(), sh),
                Op::FToU { sh, d, a } => r!(d) = values::to_unsigned(f32!(a).into(), sh),
                Op::PtrAdd { sh, d, a, b } => {
                    let (address, handle) = (r!(a), r!(a + 1));
                    let by = if sh < 64 { r!(b) << sh } else { 0 };
                    r!(d) = address.wrapping_add(by) & mask;
                    r!(d + 1) = handle;
                }
                Op::PtrSub { d, a, b } => {
                    let sh = mask.leading_zeros() as u8;
                    r!(d) = norm_s(r!(a).wrapping_sub(r!(b)), sh);
                }
                Op::Attach { d, a } => {
                    let address = r!(a) & mask;
                    r!(d) = address;
                    r!(d + 1) = self.memory.attach(address);
                }
                Op::AddrLocal { d, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    let base = self.memory.objects[crate::memory::index(handle)].base;
                    r!(d) = base.wrapping_add(off.into()) & mask;
                    r!(d + 1) = handle;
                }
                Op::LoadPtr { s, d, p, off } => {
                    let address = r!(p).wrapping_add(off as i64 as u64) & mask;
                    let handle = r!(p + 1);
                    let (low, high) = try_access!(values::load(&self.memory, s, address, handle));
                    r!(d) = low;
                    if s == Scalar::Pointer {
                        r!(d + 1) = high;
                    }
                }
                Op::StorePtr { s, a, p, off } => {
                    let address = r!(p).wrapping_add(off as i64 as u64) & mask;
                    let handle = r!(p + 1);
                    let high = if s == Scalar::Pointer { r!(a + 1) } else { 0 };
                    let low = r!(a);
                    try_access!(values::store(&mut self.memory, s, address, handle, low, high));
                }
                Op::LoadLocal { s, d, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    let (low, high) = try_access!(values::load_in(&self.memory, s, handle, off));
                    r!(d) = low;
                    if s == Scalar::Pointer {
                        r!(d + 1) = high;
                    }
                }
                Op::StoreLocal { s, a, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    let high = if s == Scalar::Pointer { r!(a + 1) } else { 0 };
                    let low = r!(a);
                    try_access!(values::store_in(&mut self.memory, s, handle, off, low, high));
                }
                Op::LoadStatic { s, d, object, off } => {
                    let handle = self.memory.objects[object as usize].handle();
                    let (low, high) = try_access!(values::load_in(&self.memory, s, handle, off));
                    r!(d) = low;
                    if s == Scalar::Pointer {
                        r!(d + 1) = high;
                    }
                }
                Op::StoreStatic { s, a, object, off } => {
                    let handle = self.memory.objects[object as usize].handle();
                    let high = if s == Scalar::Pointer { r!(a + 1) } else { 0 };
                    let low = r!(a);
                    try_access!(values::store_in(&mut self.memory, s, handle, off, low, high));
                }
                Op::InitLocal { n, d, slot, off } => {
                    let handle = t.slots[slot_base + slot as usize].handle;
                    r!(d) = self.memory.is_initialized_in(handle, off.into(), n.into()).into();
                }
                Op::Ask { op, d, p, n } => r!(d) = self.memory.ask(op, r!(p), r!(p + 1), n.into()),
                Op::Decl { slot } => {
                    if let Err(stop) = self.declare(t, slot) {
                        stop!(stop);
                    }
                }
                Op::Dead { slot } => {
                    self.memory.kill_handle(t.slots[slot_base + slot as usize].handle)
                }
                Op::Refuted => stop!(Stop::Refuted),
                Op::Excluded => stop!(Stop::Excluded),
                Op::TraceBranch { a } => {
                    let taken = r!(a) != 0;
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    self.trace(t, crate::trace::What::Branched(taken));
                }
                Op::Call { call } => {
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    if let Err(stop) = self.call(t, &code, call, fp) {
                        stop!(stop);
                    }
                    if let Some(frame) = t.frames.last() {
                        code = frame.code.clone();
                        pc = frame.pc as usize;
                        fp = frame.fp;
                        slot_base = frame.slot_base;
                    }
                }
                Op::Ret { .. } | Op::RetBig { .. } => {
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    if self.environment.trace {
                        self.trace(t, crate::trace::What::Returned);
                    }
                    if let Err(stop) = self.give_back(t, op, fp) {
                        stop!(stop);
                    }
                    match t.frames.last() {
                        Some(frame) => {
                            code = frame.code.clone();
                            pc = frame.pc as usize;
                            fp = frame.fp;
                            slot_base = frame.slot_base;
                        }
                        None => return (fuel - left, Stop::Turn),
                    }
                }
                Op::Slow { slow } => {
                    if let Some(frame) = t.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    match self.slow(t, &code.slow[slow as usize], fp) {
                        Ok(true) => {}
                        Ok(false) => return (fuel - left, Stop::Turn),
                        Err(stop) => return (fuel - left, stop),
                    }
                }
            }
        }
    }
}
