//! Data races of an execution: conflicting accesses of different threads that nothing orders.
//!
//! **Idea.** Each thread has a vector clock (C. Fidge, F. Mattern; for races as in C. Flanagan, S. Freund, *FastTrack*, PLDI
//! 2009). What orders steps of different threads is the start of a thread, its join, and atomic sections: a section comes after every
//! earlier one that it conflicts with, because it has written what the other accesses or the other way round. Mutexes,
//! conditions and the like are such sections of the library's models, so that nothing needs to be said about them here.
//!
//! **Why it is right.** In an execution without a race before, all conflicting accesses are ordered by these clocks. If a new
//! access is not ordered after an earlier one with which it conflicts, let all steps happen that are before one of the two:
//! they do what they did, since whatever they depend on happens as well, and then both accesses are the next steps of their threads.
//! So the first race that is reported is a state in which both can be made at once. (An execution can miss
//! races that another has.)
//!
//! Accesses are recorded when a claim asks about them. An access outside of atomic sections is in a race with every
//! unordered one that it conflicts with; one in a section only with those outside. Accesses in sections of the library are
//! what synchronisation is made of: they order, and are in no race.

use super::explore::Touched;
use super::{Frame, Machine, Thread};
use crate::memory::{Handle, Origin, origin};
use rustc_hash::FxHashMap;
use vergo_goto::expr::MemoryOp;
use vergo_goto::program::{FunctionId, InstrKind, Intrinsic, Program};
use vergo_num::MemoryOrder;

/// An access of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RacingAccess {
    /// The thread, by number.
    pub thread: usize,
    /// True if the access writes.
    pub writes: bool,
    /// True if it is in an atomic section of the program.
    pub in_section: bool,
    /// The function and the instruction that claims that it is in no race.
    pub claim: (FunctionId, usize),
    /// The same in the innermost call of the user's own functions.
    pub own: (FunctionId, usize),
    /// The number of earlier accesses that were claimed to be in no race.
    pub number: u64,
}

/// The section that an access stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Plain,
    /// An atomic section of the program.
    Atomic,
    /// One of the library.
    Synchronisation,
}

/// For each thread, the time of its last known step.
#[derive(Clone, Default, Debug)]
struct Clock(Vec<u32>);

impl Clock {
    fn of(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(theirs);
        }
    }

    fn tick(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }
}

/// An access of a byte: when its thread made it, and the access itself.
type Accessed = (u32, RacingAccess);

/// The last accesses of a byte by each thread, in order of threads: reads and writes, outside of sections and inside.
#[derive(Default, Debug)]
struct Byte {
    plain: [Vec<Accessed>; 2],
    atomic: [Vec<Accessed>; 2],
    /// The clocks that a thread receives after a section that has read or written it.
    sections: [Clock; 2],
}

/// The accesses of an execution so far.
#[derive(Default, Debug)]
pub(crate) struct Races {
    threads: Vec<Clock>,
    bytes: FxHashMap<(Handle, u64), Byte>,
    /// The bytes that the open section of the thread has accessed, and whether it has written them.
    section: Vec<((Handle, u64), bool)>,
    /// The order that the open section asks for.
    order: Order,
    /// Fences may order what atomic sections do not: then all of these are taken to. Looked up when it first matters.
    has_fences: Option<bool>,
    /// Accesses that were looked at.
    n_accesses: u64,
    /// The first race: the earlier access and the later.
    found: Option<[RacingAccess; 2]>,
}

/// The order that an atomic section creates: after what others have released before it, and before what others acquire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Order {
    acquires: bool,
    releases: bool,
}

impl Default for Order {
    fn default() -> Order {
        Order { acquires: true, releases: true }
    }
}

/// Bytes of one access that are looked at.
const MOST_BYTES: u64 = 1 << 12;

impl Races {
    fn clock(&mut self, thread: usize) -> &mut Clock {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Clock::default);
        }
        let clock = &mut self.threads[thread];
        if clock.of(thread) == 0 {
            clock.tick(thread);
        }
        clock
    }

    /// The open section of a program asks for an order, by its number in gcc.
    pub(crate) fn ask_for(&mut self, program: &Program, order: i64) {
        if !*self.has_fences.get_or_insert_with(|| has_fences(program)) {
            let order = u64::try_from(order).ok().and_then(MemoryOrder::from_number);
            self.order = order.map_or_else(Order::default, |order| Order {
                acquires: order.acquires(),
                releases: order.releases(),
            });
        }
    }

    /// A thread starts another.
    pub(crate) fn spawn(&mut self, parent: usize, child: usize) {
        let known = self.clock(parent).clone();
        self.clock(child).join(&known);
        self.clock(parent).tick(parent);
    }

    /// A thread has waited for the end of another.
    pub(crate) fn join(&mut self, thread: usize, ended: usize) {
        let known = self.clock(ended).clone();
        self.clock(thread).join(&known);
    }

    /// The outermost section of a thread ends: whoever conflicts with it later comes after it.
    pub(crate) fn end_section(&mut self, thread: usize) {
        let section = std::mem::take(&mut self.section);
        self.order = Order::default();
        if section.is_empty() {
            return;
        }
        let known = self.clock(thread).clone();
        for (byte, writes) in section {
            self.bytes.entry(byte).or_default().sections[usize::from(writes)].join(&known);
        }
        self.clock(thread).tick(thread);
    }

    /// The open section begins again, as if it had not been there.
    pub(crate) fn abandon_section(&mut self, _: usize) {
        self.section.clear();
        self.order = Order::default();
    }

    /// Records an access; whether it is in no race.
    fn access(
        &mut self,
        access: RacingAccess,
        (handle, start): (Handle, u64),
        len: u64,
        mode: Mode,
    ) -> bool {
        let RacingAccess { thread, writes, .. } = access;
        let mut raced = None;
        let mut clock = std::mem::take(self.clock(thread));
        for offset in start..start.saturating_add(len.min(MOST_BYTES)) {
            let key = (handle, offset);
            let byte = self.bytes.entry(key).or_default();
            if mode != Mode::Plain {
                if self.order.acquires {
                    clock.join(&byte.sections[1]);
                    if writes {
                        clock.join(&byte.sections[0]);
                    }
                }
                if self.order.releases {
                    self.section.push((key, writes));
                }
            }
            if mode == Mode::Synchronisation {
                continue;
            }
            let conflicting = |kind: &[Vec<Accessed>; 2]| {
                let unordered =
                    |&&(at, by): &&Accessed| by.thread != thread && at > clock.of(by.thread);
                let write = kind[1].iter().find(unordered);
                let found = write.or_else(|| kind[0].iter().filter(|_| writes).find(unordered));
                found.map(|&(_, by)| by)
            };
            raced = raced.or_else(|| conflicting(&byte.plain));
            let own = match mode {
                Mode::Plain => {
                    raced = raced.or_else(|| conflicting(&byte.atomic));
                    &mut byte.plain
                }
                _ => &mut byte.atomic,
            };
            let now = (clock.of(thread), access);
            let own = &mut own[usize::from(writes)];
            match own.iter_mut().find(|(_, by)| by.thread == thread) {
                Some(last) => *last = now,
                None => own.push(now),
            }
        }
        *self.clock(thread) = clock;
        if let Some(earlier) = raced {
            self.found.get_or_insert([earlier, access]);
        }
        raced.is_none()
    }
}

/// Checks whether a program has fences: orders that are asked for outside of atomic sections.
fn has_fences(program: &Program) -> bool {
    program.functions.values().any(|function| {
        let mut depth = 0_usize;
        function.body.iter().flatten().any(|instr| {
            match instr.kind {
                InstrKind::AtomicBegin => depth += 1,
                InstrKind::AtomicEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(instr.kind, InstrKind::Intrinsic { op: Intrinsic::Order, .. })
        })
    })
}

impl Machine<'_> {
    /// Records an access that a claim asks about; whether it is in no race.
    pub(crate) fn is_unraced(
        &mut self,
        t: &Thread,
        op: MemoryOp,
        (address, handle): (u64, Handle),
        len: u64,
    ) -> bool {
        // What happens before there is a second thread comes before everything that others do.
        if self.threads.len() == 1 || handle == 0 || origin(handle) == Some(Origin::Function) {
            return true;
        }
        let mode = match (t.atomic, t.atomic_library) {
            (0, _) => Mode::Plain,
            (_, true) => Mode::Synchronisation,
            (_, false) => Mode::Atomic,
        };
        let offset = address.wrapping_sub(self.memory.base(handle).unwrap_or(0));
        let writes = op == MemoryOp::UnracedWrite;
        if let Some(touched) = &mut self.touched {
            if mode != Mode::Synchronisation {
                touched.push(Touched { address, len, writes, in_section: mode == Mode::Atomic });
            }
            return true;
        }
        let Some(races) = &mut self.races else { return true };
        let site = |frame: &Frame| {
            let op = (frame.pc as usize).saturating_sub(1);
            (frame.function, frame.code.instr_of.get(op).map_or(0, |&instr| instr as usize))
        };
        let Some(innermost) = t.frames.last() else { return true };
        let is_own = |frame: &&Frame| !self.program.functions[frame.function].library;
        let access = RacingAccess {
            thread: self.current,
            writes,
            in_section: mode == Mode::Atomic,
            claim: site(innermost),
            own: site(t.frames.iter().rev().find(is_own).unwrap_or(innermost)),
            number: races.n_accesses,
        };
        races.n_accesses += 1;
        if let Some(tracer) = self.options.trace.as_mut().filter(|tracer| tracer.wants_accesses()) {
            tracer.claimed(access.number);
        }
        races.access(access, (handle, offset), len, mode)
    }

    /// The two accesses of the race that the execution has met, the earlier first.
    pub fn race(&self) -> Option<[RacingAccess; 2]> {
        self.races.as_ref()?.found
    }
}
