//! Proofs that a program with any number of threads has no data race, and their check.
//!
//! **Idea.** Two accesses are in no race if they cannot touch the same bytes, if neither writes, if both are atomic, if both
//! threads hold the same lock, or if one always comes before the other, because its thread has not been started yet or has been waited
//! for. All of these are facts about one thread at a time: which addresses there are ([`contents`]), which locks are held,
//! which threads have been started and joined ([`flow`]). A [`Proof`] gives such facts for every instruction, and the check
//! looks at each instruction alone: what the proof says before it must imply what the proof says after it, whatever other
//! threads do, since no fact depends on them. Then every pair of accesses is looked at.
//!
//! **Source.** The analysis is that of Goblint (V. Vojdani et al., *Static race detection for device drivers: the Goblint
//! approach*, ASE 2016), as far as thread classes, must-locksets, joins and escape go; that facts are checked and not computed
//! here is our own.
//!
//! **Soundness.** What must hold of the program besides: accesses are inside of their objects (an index stays in its array), a
//! lock is given back by the thread that holds it, and is not made anew while it is held. A lock for which the last two cannot
//! be seen protects nothing here.

pub mod contents;
pub(crate) mod counted;
pub mod flow;
pub(crate) mod library;
mod models;

use contents::{Contents, Object, Target, Targets, requirements};
use flow::{ClassId, Flow, Lock, Node, Shape, State};
use library::{Library, library};
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{InstrKind, Intrinsic, Program, SymbolKind};

/// The reason why a program has no race.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The contents of objects.
    pub contents: Contents,
    /// Which classes of threads and which contexts there are.
    pub shape: Shape,
    /// The state before each instruction that is reached.
    pub states: BTreeMap<Node, State>,
}

/// The size of a proof, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Classes of threads.
    pub classes: usize,
    /// Accesses that are different to the proof.
    pub accesses: usize,
}

/// Checks a proof.
///
/// # Errors
/// Returns the access that the proof does not cover, and why.
pub(crate) fn check(program: &Program, proof: &Proof) -> Result<Extent, String> {
    if !claims_nothing_else(program) {
        return Err("the program makes other claims".into());
    }
    let flow = check_facts(program, proof)?;
    Pairs::new(program, proof, flow)?.check()
}

/// Checks the facts about threads that a proof gives, whatever they are for.
///
/// # Errors
/// Returns the flaw in them.
pub(crate) fn check_facts<'a>(program: &'a Program, proof: &'a Proof) -> Result<Flow<'a>, String> {
    let mut missing = false;
    requirements(program, &proof.contents, &mut |object, target| {
        missing |= !proof.contents.get(&object).is_some_and(|held| held.contains(&target));
    })?;
    if missing {
        return Err("an object holds an address that the proof does not know".into());
    }
    let flow = Flow::new(program, &proof.contents, &proof.shape);
    let entry = program.entry.ok_or("the program has no beginning")?;
    let covered = |node: &Node, state: &State| {
        proof.states.get(node).is_some_and(|known| known.covers(state))
    };
    if proof.shape.contexts.first() != Some(&(0, entry))
        || proof.shape.classes.first() != Some(&0)
        || !covered(&(0, 0), &State::default())
    {
        return Err("the beginning of the program is not in the proof".into());
    }
    for (&node, state) in &proof.states {
        if flow.breaks_its_end(node, state) {
            return Err("a thread ends before another that it should wait for".into());
        }
        for (next, after) in flow.step(node, state)? {
            if !covered(&next, &after) {
                return Err("a state does not follow from the one before it".into());
            }
        }
    }
    Ok(flow)
}

/// Checks whether all claims of a program are that there is no race.
pub(crate) fn claims_nothing_else(program: &Program) -> bool {
    let mut instrs = program.functions.values().flat_map(|function| function.body.iter().flatten());
    instrs.all(|instr| match instr.kind {
        InstrKind::Assert(condition, _) => claimed(program, condition).is_some(),
        _ => true,
    })
}

/// The question of a claim that an access is in no race.
fn claimed(program: &Program, condition: ExprId) -> Option<(MemoryOp, ExprId, ExprId)> {
    match program.exprs.kind(condition) {
        ExprKind::Binary(BinaryOp::Implies, _, question) => claimed(program, *question),
        ExprKind::Memory(op @ (MemoryOp::UnracedRead | MemoryOp::UnracedWrite), operands) => {
            match operands[..] {
                [address, size] => Some((*op, address, size)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An access, as far as it matters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Access {
    class: ClassId,
    first: u64,
    /// One past the last byte.
    end: u64,
    writes: bool,
    /// True if it names a variable of its own function.
    direct: bool,
    atomic: bool,
    locks: BTreeSet<Lock>,
    started: BTreeSet<ClassId>,
    joined: BTreeSet<ClassId>,
}

/// All accesses, and what is known of pairs of them.
struct Pairs<'a> {
    program: &'a Program,
    proof: &'a Proof,
    flow: Flow<'a>,
    /// By object, each with one of the places where it is made.
    accesses: BTreeMap<Object, BTreeMap<Access, Node>>,
    /// Locks at these addresses protect nothing.
    unreliable: Targets,
    unique: Vec<bool>,
    parents: Vec<Option<ClassId>>,
}

/// The bytes of a lock that must not be written.
const LOCK_SIZE: u64 = 4;

impl<'a> Pairs<'a> {
    fn new(program: &'a Program, proof: &'a Proof, flow: Flow<'a>) -> Result<Pairs<'a>, String> {
        let n_classes = proof.shape.classes.len() as ClassId;
        let unique = (0..n_classes).map(|class| flow.is_unique(class)).collect();
        let parents = (0..n_classes).map(|class| parent(&proof.shape, class)).collect();
        let mut pairs = Pairs {
            program,
            proof,
            flow,
            accesses: BTreeMap::new(),
            unreliable: Targets::new(),
            unique,
            parents,
        };
        for (&node, state) in &proof.states {
            pairs.node(node, state)?;
        }
        Ok(pairs)
    }

    /// Gathers the accesses of an instruction, and what it does to locks.
    fn node(&mut self, node: Node, state: &State) -> Result<(), String> {
        let Some(instr) = self.flow.instr(node) else { return Ok(()) };
        let reader = self.flow.reader;
        match instr {
            InstrKind::Assert(condition, _) => {
                let Some((op, address, size)) = claimed(self.program, *condition) else {
                    return Ok(());
                };
                let size = match self.program.exprs.kind(size) {
                    ExprKind::Int(bits) => bits.to_u64().unwrap_or(u64::MAX),
                    _ => u64::MAX,
                };
                let direct = match *self.program.exprs.kind(address) {
                    ExprKind::AddressOf(place) => self.program.root_variable(place).is_some(),
                    _ => false,
                };
                let writes = op == MemoryOp::UnracedWrite;
                let targets = reader.values(address);
                if targets.is_empty() {
                    return Err("a pointer is followed that was never set".into());
                }
                for at in targets {
                    self.access(node, state, at, size, writes, direct)?;
                }
            }
            InstrKind::Intrinsic { op, args, .. } => {
                let behind = |i: usize| args.get(i).map_or(Targets::new(), |&p| reader.values(p));
                // The arguments are packed: what they point to is what the pack holds.
                let packed = |i: usize| {
                    let packs = behind(i).into_iter();
                    packs.flat_map(|at| reader.held(at.object)).collect()
                };
                let (mut read, mut written) = (Targets::new(), Targets::new());
                match op {
                    Intrinsic::Print => read = packed(2),
                    Intrinsic::PrintTo => (read, written) = (packed(3), behind(0)),
                    Intrinsic::Scan => written = packed(2),
                    Intrinsic::ScanFrom => (read, written) = (behind(0), packed(2)),
                    // Claims are made of what the others access.
                    _ => {}
                }
                for (targets, writes) in [(read, false), (written, true)] {
                    for at in targets {
                        let at = Target { first: 0, last: u64::MAX, ..at };
                        if matches!(at.object, Object::Variable(_) | Object::Allocated(..)) {
                            self.access(node, state, at, u64::MAX, writes, false)?;
                        }
                    }
                }
            }
            InstrKind::Call { callee, args, .. } => {
                let alone = node.0 == 0 || self.proof.shape.contexts[node.0 as usize].0 == 0;
                let alone = alone && state.started.is_empty();
                for called in reader.callees(*callee)? {
                    let at = args.first().map_or(Targets::new(), |&arg| reader.values(arg));
                    let what = library(&self.program.functions[called]);
                    if !matches!(what, Library::Unknown | Library::Allocate | Library::Leave) {
                        for access in models::accesses(reader, called, args)? {
                            let models::Access { at, size, writes } = access;
                            self.access(node, state, at, size, writes, false)?;
                        }
                    }
                    match what {
                        Library::Unlock => {
                            let lock = self.flow.lock(&at, true);
                            let held = |lock: Lock| {
                                let other = Lock { alone: !lock.alone, ..lock };
                                state.locks.contains(&lock) || state.locks.contains(&other)
                            };
                            if !lock.is_some_and(held) {
                                self.unreliable.extend(at);
                            }
                        }
                        Library::Renew if !alone => self.unreliable.extend(at),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn access(
        &mut self,
        node: Node,
        state: &State,
        at: Target,
        size: u64,
        writes: bool,
        direct: bool,
    ) -> Result<(), String> {
        match at.object {
            Object::Unknown => {
                return Err("memory is accessed through a pointer of unknown origin".into());
            }
            Object::Variable(symbol) => {
                let info = &self.program.symbols[symbol];
                if !info.writable && matches!(info.kind, SymbolKind::Static { .. }) {
                    return Ok(());
                }
            }
            Object::Allocated(..) => {}
            _ => return Ok(()),
        }
        let (class, _) = self.proof.shape.contexts[node.0 as usize];
        let access = Access {
            class,
            first: at.first,
            end: at.last.saturating_add(size),
            writes,
            direct,
            atomic: state.atomic > 0,
            locks: state.locks.clone(),
            started: state.started.clone(),
            joined: state.joined.clone(),
        };
        if writes && (class != 0 || !state.started.is_empty()) {
            self.unreliable.insert(Target {
                object: at.object,
                first: at.first.saturating_sub(LOCK_SIZE - 1),
                last: access.end.saturating_sub(1),
            });
        }
        self.accesses.entry(at.object).or_default().entry(access).or_insert(node);
        Ok(())
    }

    fn check(self) -> Result<Extent, String> {
        let escaped = escaped(&self.flow)?;
        let mut n_accesses = 0;
        for (&object, accesses) in &self.accesses {
            let own = self.is_of_one_thread(object);
            let shared = escaped.contains(&object);
            n_accesses += accesses.len();
            let all: Vec<(&Access, &Node)> = accesses.iter().collect();
            for (i, (a, _)) in all.iter().enumerate() {
                for (b, node) in &all[i..] {
                    let conflict = (a.writes || b.writes) && a.first < b.end && b.first < a.end;
                    let same_thread = own && (!shared || a.direct && b.direct);
                    let both_atomic = a.atomic && b.atomic;
                    let apart = same_thread || both_atomic || self.have_lock(a, b);
                    if conflict && !apart && self.may_be_parallel(a, b) {
                        return Err(self.describe(**node));
                    }
                }
            }
        }
        Ok(Extent { classes: self.proof.shape.classes.len(), accesses: n_accesses })
    }

    /// Describes the access that may be in a race.
    fn describe(&self, node: Node) -> String {
        match self.flow.instr(node) {
            Some(InstrKind::Assert(_, claim)) => {
                format!("it cannot be excluded that {}", claim.description)
            }
            _ => "a function of the library may access what another thread does".to_owned(),
        }
    }

    /// Checks whether each activation, thread or allocation has an object of its own, so that only its address leads others to it.
    fn is_of_one_thread(&self, object: Object) -> bool {
        match object {
            Object::Variable(symbol) => !matches!(
                self.program.symbols[symbol].kind,
                SymbolKind::Static { thread_local: false, .. }
            ),
            _ => true,
        }
    }

    /// Checks whether both threads hold a lock that only one can hold.
    fn have_lock(&self, a: &Access, b: &Access) -> bool {
        let reliable = |lock: &Lock| {
            !self.unreliable.iter().any(|at| {
                at.object == Object::Unknown
                    || at.object == lock.object && (at.first..=at.last).contains(&lock.offset)
            })
        };
        a.locks.iter().any(|lock| {
            let same = |other: &&Lock| (other.object, other.offset) == (lock.object, lock.offset);
            b.locks.iter().filter(same).any(|other| lock.alone || other.alone) && reliable(lock)
        })
    }

    /// Checks whether two accesses can be the next steps of different threads.
    fn may_be_parallel(&self, a: &Access, b: &Access) -> bool {
        if a.class == b.class {
            return !self.unique[a.class as usize];
        }
        !self.is_ordered(a, b) && !self.is_ordered(b, a)
    }

    /// Checks whether the threads of two classes cannot both be where these accesses are made, one being too early or too late.
    fn is_ordered(&self, a: &Access, b: &Access) -> bool {
        // It was waited for.
        if a.joined.contains(&b.class) {
            return true;
        }
        if !self.unique[a.class as usize] {
            return false;
        }
        let mut child = b.class;
        while let Some(parent) = self.parents[child as usize] {
            if parent == a.class {
                // It, or the thread that it comes from, has not been started yet.
                return !a.started.contains(&child);
            }
            // A sibling that was waited for before the other was started.
            if self.parents[a.class as usize] == Some(parent)
                && self.unique[parent as usize]
                && self.is_joined_before(a.class, child)
            {
                return true;
            }
            child = parent;
        }
        false
    }

    /// Checks whether a thread has been waited for whenever a thread of another class is started.
    fn is_joined_before(&self, first: ClassId, second: ClassId) -> bool {
        let mut starts = self.proof.shape.starts.iter().filter(|(_, class)| **class == second);
        starts.all(|(&(context, instr, _), _)| {
            let state = self.proof.states.get(&(context, instr));
            state.is_none_or(|state| state.joined.contains(&first))
        })
    }
}

/// The objects whose address can get to another thread: by way of static variables, of what a thread is started with,
/// or of what it returns.
pub(crate) fn escaped(flow: &Flow<'_>) -> Result<BTreeSet<Object>, String> {
    let reader = flow.reader;
    let mut pending: Vec<Object> = Vec::new();
    for (symbol, info) in &reader.program.symbols {
        if matches!(info.kind, SymbolKind::Static { thread_local: false, .. }) {
            pending.push(Object::Variable(symbol));
        }
    }
    for (_, _, started, argument) in reader.starts()? {
        pending.extend(started.into_iter().map(Object::Returned));
        let values = argument.map_or(Targets::new(), |argument| reader.values(argument));
        pending.extend(values.into_iter().map(|at| at.object));
    }
    let mut escaped = BTreeSet::new();
    while let Some(object) = pending.pop() {
        if escaped.insert(object) {
            pending.extend(reader.held(object).map(|at| at.object));
        }
    }
    Ok(escaped)
}

/// The class whose threads start those of another, if there is only one.
pub(crate) fn parent(shape: &Shape, class: ClassId) -> Option<ClassId> {
    let starts = shape.starts.iter().filter(|(_, other)| **other == class);
    let parents: BTreeSet<ClassId> =
        starts.map(|(&(context, ..), _)| shape.contexts[context as usize].0).collect();
    match parents.len() {
        1 => parents.first().copied().filter(|&parent| parent != class),
        _ => None,
    }
}
