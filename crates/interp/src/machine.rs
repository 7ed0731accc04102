//! The machine: a program, its memory and threads, and the loop that runs them.

mod execute;
mod explore;
mod leap;
mod races;
mod schedule;
mod words;

use crate::code::Code;
use crate::compile::{Environment, compile};
use crate::inputs::{Addresses, Birth, FreshBytes, Inputs};
use crate::memory::{Big, Fault, Handle, Memory, Origin};
use crate::outcome::{Activation, Limit, Outcome, Position, Violation};
use crate::trace::Tracer;
use crate::world::World;
use races::Races;
use rustc_hash::FxHashMap;
use schedule::Scheduler;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::program::{
    Claim, FunctionId, InitPart, InstrKind, OUTSIDE_SIZE, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_source::Span;

pub(crate) use execute::{norm_s, norm_u};
pub(crate) use explore::Digest;
pub use explore::{Explored, explore};
pub use races::RacingAccess;
pub use schedule::{Guide, Schedule, Turns};

/// The limits of an execution.
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
            threads: 50_000,
        }
    }
}

/// The options of an execution.
pub struct Options<'a> {
    /// Its limits.
    pub limits: Limits,
    /// Where nondeterministic values come from.
    pub inputs: Box<dyn Inputs + 'a>,
    /// The world that its reads and writes reach.
    pub world: Box<dyn World + 'a>,
    /// The observer.
    pub trace: Option<Box<dyn Tracer + 'a>>,
    /// The schedule of threads.
    pub schedule: Schedule,
    /// The content of uninitialised bytes; zero if there is none.
    pub fresh: Option<FreshBytes<'a>>,
    /// Where objects lie, if that matters.
    pub addresses: Addresses,
    /// True if reading an uninitialised scalar is a fault.
    pub check_uninitialized: bool,
    /// True if an execution stops where the result depends on the addresses of objects: where an address becomes a number or is
    /// read as one, and where pointers to different objects are compared in a way that is not the same everywhere.
    pub opaque_pointers: bool,
    /// True if every round of every loop is executed, including those that could be made at once.
    pub step_by_step: bool,
    /// Told now and then how many steps were made since; stops the execution when it gives true.
    pub stop: Option<Box<dyn FnMut(u64) -> bool + 'a>>,
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
            fresh: None,
            addresses: Addresses::default(),
            check_uninitialized: false,
            opaque_pointers: false,
            step_by_step: false,
            stop: None,
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
    /// Static variables by their objects, as far as somebody has asked.
    pub(crate) statics_by_handle: RefCell<FxHashMap<Handle, SymbolId>>,
    thread_locals: Vec<SymbolId>,
    /// Steps that were left when somebody was told.
    told_left: u64,
    /// Calls since then.
    n_calls: Cell<u64>,
    /// Steps left of all.
    steps_left: u64,
    /// The state of a thread that runs alone.
    pub(crate) alone: Alone,
    deadline: Option<Instant>,
    scheduler: Scheduler,
    /// The thread that continues after a point at which the current one does not.
    next: Option<usize>,
    /// True if the current thread has stopped at a point.
    at_point: bool,
    /// The accesses that races are looked for among, if somebody asks.
    pub(crate) races: Option<Box<Races>>,
    /// The accesses of one step, if these are looked for instead.
    touched: Option<Vec<explore::Touched>>,
    pub(crate) clock: i64,
    /// The number of objects of each kind that were created, if somebody chooses addresses.
    births: BTreeMap<Birth, u64>,
    /// The results that library functions have given where they may choose.
    pub(crate) chosen: FxHashMap<[i64; 3], i64>,
    /// Bytes read from the input and not yet consumed by `scan`.
    pub(crate) pushed_back: Vec<u8>,
}

/// A thread.
#[derive(Clone, Default)]
pub(crate) struct Thread {
    pub(crate) regs: Vec<u64>,
    pub(crate) bigs: Vec<Big>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) stack: usize,
    /// The number of open atomic sections, and where the outermost began: frame and operation.
    pub(crate) atomic: u32,
    pub(crate) atomic_start: (usize, u32),
    /// True if the outermost is one of the library's.
    pub(crate) atomic_library: bool,
    /// Where it waits for an assumption: whether that is claimed not to be for ever.
    pub(crate) awaits: bool,
    pub(crate) state: State,
    pub(crate) result: (u64, Handle),
    /// Objects of thread-locals, made when they are first used.
    pub(crate) locals: Vec<Handle>,
}

/// The state of a thread: whether it can continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum State {
    #[default]
    Ready,
    /// Waits for a thread, by number; for ever if there is none.
    Joining(Option<usize>),
    /// Waits for an assumption to become true, which it was not after so many steps of threads.
    Excluded(u64),
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

/// The reason why the loop stopped.
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
    /// A library model that may give more than its function does.
    Approximate(String),
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

/// Steps between looks at the clock.
const CLOCK: u64 = 1 << 20;
/// Steps of a turn after a leap: the loop around the one that was leapt over soon comes to it again.
const CLOCK_AFTER_LEAP: u64 = 1 << 12;

/// The state of a thread that runs alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alone {
    /// The steps of a turn.
    pub(crate) turn: u64,
    /// True if it may make many rounds of a loop at once when its turn is over.
    pub(crate) leaps: bool,
    /// True if it did so the last time.
    has_leapt: bool,
}

impl<'a> Machine<'a> {
    /// A machine at the start of a well-formed program.
    pub fn new(program: &'a Program, options: Options<'a>) -> Machine<'a> {
        let mentions_init = (0..program.exprs.len()).any(|i| {
            let kind = program.exprs.kind(cranelift_entity::EntityRef::new(i));
            matches!(kind, ExprKind::Memory(MemoryOp::IsInitialized, _))
        });
        let check = options.check_uninitialized;
        let accesses = options.trace.as_ref().is_some_and(|tracer| tracer.wants_accesses());
        let all_in_memory = check || options.fresh.is_some();
        let is_watched = options.trace.is_some();
        let leaps = !is_watched && !options.step_by_step;
        let mut environment = Environment::new(program, all_in_memory, is_watched, accesses);
        environment.opaque = options.opaque_pointers;
        let limits = &options.limits;
        let chosen: Vec<u64> = options.addresses.iter().map(|(_, _, address)| address).collect();
        let mut memory = Memory::new(
            program.machine.pointer_width,
            limits.memory,
            limits.stack,
            &chosen,
            mentions_init,
            check,
        );
        if options.opaque_pointers {
            memory.make_pointers_opaque();
        }
        for (birth, _, address) in options.addresses.iter() {
            if let Birth::Function(function) = birth {
                memory.place_function(function.as_u32(), address);
            }
        }
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let steps_left = limits.steps;
        let scheduler = Scheduler::new(&options.schedule);
        Machine {
            program,
            options,
            environment,
            memory,
            codes: vec![None; program.functions.len()],
            threads: Vec::new(),
            current: 0,
            statics_by_handle: RefCell::default(),
            thread_locals: Vec::new(),
            told_left: steps_left,
            n_calls: Cell::new(0),
            steps_left,
            alone: Alone { turn: CLOCK, leaps, has_leapt: false },
            deadline,
            scheduler,
            next: None,
            at_point: false,
            races: program.asks_for_races().then(Box::default),
            touched: None,
            clock: 1_700_000_000,
            births: BTreeMap::new(),
            chosen: FxHashMap::default(),
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
                self.tell();
                return outcome;
            }
        }
    }

    /// The schedule of the execution so far; none if it is too long to be remembered.
    pub fn schedule(&self) -> Option<Turns> {
        self.scheduler.recorded()
    }

    /// Returns the number of elementary steps.
    pub fn steps(&self) -> u64 {
        self.options.limits.steps - self.steps_left
    }

    fn start(&mut self, entry: FunctionId) -> Step<()> {
        self.memory.n_functions = self.program.functions.len() as u64;
        for (id, symbol) in &self.program.symbols {
            let SymbolKind::Static { thread_local, .. } = symbol.kind else { continue };
            if thread_local {
                self.thread_locals.push(id);
                self.environment.thread_locals[id] = self.thread_locals.len() as u32;
                continue;
            }
            // A truth value has no object that a program could see; here it takes a byte.
            let size = self.program.size_of(symbol.ty).unwrap_or(1);
            let handle = self.memory.add_static(size, symbol.align, symbol.writable)?;
            self.place(Birth::Static(id), handle);
            self.environment.statics[id] = handle;
        }
        let is_outside = |(birth, ..): &(Birth, u64, u64)| *birth == Birth::Outside;
        for _ in 0..self.options.addresses.iter().filter(is_outside).count() {
            let handle = self.memory.add_static(OUTSIDE_SIZE, 16, true)?;
            self.place(Birth::Outside, handle);
            self.fill_fresh(Birth::Outside, handle);
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
            let handle = self.memory.add_static(size, info.align, info.writable)?;
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
        self.n_calls.set(self.n_calls.get() + 1);
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
        if !info.writable {
            self.memory.protect(handle);
        }
        *slot = Slot { handle, place: place as u32 + 1 };
        self.place(Birth::Variable(info.symbol), handle);
        self.fill_fresh(Birth::Variable(info.symbol), handle);
        Ok(())
    }

    /// Puts a new object where somebody says that it lies.
    pub(crate) fn place(&mut self, birth: Birth, handle: Handle) {
        if self.options.addresses.is_empty() {
            return;
        }
        let count = self.births.entry(birth).or_insert(0);
        let chosen = self.options.addresses.of(birth, *count);
        *count += 1;
        if let Some(address) = chosen {
            self.memory.place(handle, address);
        }
    }

    /// Gives a new object's bytes what somebody says they hold.
    pub(crate) fn fill_fresh(&mut self, birth: Birth, handle: Handle) {
        if let Some(fresh) = &mut self.options.fresh {
            fresh(birth, self.memory.flat_bytes(handle));
        }
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
            Stop::Approximate(what) => Outcome::Unsupported { what, position },
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
        /// Calls that a position names at most, the innermost.
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
        let omitted = t.frames.len() - stack.len();
        Position { span, stack, omitted }
    }

    pub(crate) fn span_of(&self, frame: &Frame) -> Span {
        let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
        let op = (frame.pc as usize).saturating_sub(1);
        let instr = frame.code.instr_of.get(op).copied().unwrap_or(0);
        body.get(instr as usize).map_or(Span::DUMMY, |instr| instr.span)
    }
}

/// Returns the claim that a fault violates.
fn fault_claim(fault: Fault) -> Claim {
    let (property, description) = match fault {
        Fault::Null => ("memory.null", "access through a null pointer"),
        Fault::Unattached => ("memory.bounds", "access through a pointer that points to no object"),
        Fault::Dead => ("memory.lifetime", "access to an object that is no longer alive"),
        Fault::Bounds => ("memory.bounds", "access outside of an object"),
        Fault::ReadOnly => ("memory.read-only", "write to an object that cannot be written"),
        Fault::Uninitialized => ("memory.uninitialized", "use of a value that was never written"),
        Fault::InvalidFree => ("memory.invalid-free", "free of a pointer that was not allocated"),
        Fault::DoubleFree => ("memory.double-free", "free of an object that was freed before"),
        Fault::CallType => {
            ("call.type", "call through a pointer that is not to a function of this type")
        }
        Fault::OutOfMemory => ("memory.limit", "out of memory"),
        Fault::StackOverflow => ("memory.stack", "stack overflow"),
    };
    Claim::new(property, description)
}
