//! Which memory threads share, and what protects it.
//!
//! Static variables are divided into *cells*: scalars, and arrays and unions as a whole. A cell is *protected* by a lock if whoever
//! accesses it holds the lock, or is the first thread while no other that accesses it runs. Other cells that several threads access are
//! protected by atomicity: each access that does not stand in an atomic section is one of its own. Cells that are written
//! only while nobody else can access them, or that belong to one thread, are as in a program without threads.
//!
//! Memory on the heap or the stack that several threads reach is of two kinds only: written by nobody else, or
//! *any*: what is read there is any value. So are parts of locks, which the library writes.

use super::effects::{Effect, effect};
use crate::race_freedom::contents::{Object, Target};
use crate::race_freedom::flow::{ClassId, Flow, Lock, Node, State};
use crate::race_freedom::library::Library;
use crate::race_freedom::{Proof as Facts, escaped, parent};
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Access, Callee, FunctionId, InstrKind, Intrinsic, Program, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};

/// The number of a cell.
pub type CellId = usize;
/// The number of a group.
pub type GroupId = usize;

/// A part of a static variable that is protected as a whole.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The variable.
    pub symbol: SymbolId,
    /// The members that lead to it.
    pub path: Vec<u32>,
    /// Its type.
    pub ty: TypeId,
    first: u64,
    end: u64,
    /// The group that it is in, if several threads share it.
    pub group: Option<GroupId>,
    /// True if what is read there is any value.
    pub(super) any: bool,
}

/// The protection of the cells of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guard {
    /// A lock: its object and offset.
    Lock(Object, u64),
    /// Atomic sections, and single accesses.
    Atomic,
}

/// Cells that the same protects.
#[derive(Clone, Debug)]
pub struct Group {
    /// Their protection.
    pub guard: Guard,
    /// The cells.
    pub cells: Vec<CellId>,
    /// The classes whose threads access them.
    pub accessors: BTreeSet<ClassId>,
}

/// An access of shared memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Touch {
    pub(super) what: Touched,
    pub(super) writes: bool,
    /// True if it happens at the end of the instruction: a call has returned, a thread has been started.
    pub(super) late: bool,
}

/// The memory that an access touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Touched {
    Cell(CellId),
    /// An object that is not static and that other threads can reach.
    Foreign(Object),
}

/// Shared memory, and what protects it.
pub struct Layout {
    /// All cells.
    pub cells: Vec<Cell>,
    /// All groups.
    pub groups: Vec<Group>,
    /// For each class, how many threads it has at most, if that is known.
    pub most_threads: Vec<Option<u64>>,
    pub(super) touches: BTreeMap<Node, BTreeSet<Touch>>,
    /// Objects in which what is read is any value.
    pub(super) any: BTreeSet<Object>,
    of_symbol: BTreeMap<SymbolId, Vec<CellId>>,
}

/// With more parts than this a variable is one cell.
const MAX_PARTS: usize = 64;
/// The bytes behind the address of a lock, or of its like, that the library writes.
const OPAQUE: u64 = 24;
/// The bytes of the number of a thread, and of a pointer, at most.
const WORD: u64 = 8;

/// Calls a function with each place that an expression reads.
fn reads(program: &Program, expr: ExprId, f: &mut dyn FnMut(ExprId)) {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        if program.is_place(expr) {
            f(expr);
            inner_reads(program, expr, f);
            return;
        }
        match *program.exprs.kind(expr) {
            ExprKind::AddressOf(place) => inner_reads(program, place, f),
            ref kind => {
                let mut children = Vec::new();
                kind.for_each_child(|child| children.push(child));
                children.into_iter().for_each(|child| reads(program, child, f));
            }
        }
    });
}

/// Calls a function with each place that is read to find another.
fn inner_reads(program: &Program, place: ExprId, f: &mut dyn FnMut(ExprId)) {
    match *program.exprs.kind(place) {
        ExprKind::Symbol(_) => {}
        ExprKind::Deref(pointer) => reads(program, pointer, f),
        ExprKind::Member(base, _) => inner_reads(program, base, f),
        ExprKind::Index(base, index) => {
            inner_reads(program, base, f);
            reads(program, index, f);
        }
        _ => reads(program, place, f),
    }
}

/// Finds accesses.
struct Finder<'a> {
    program: &'a Program,
    facts: &'a Facts,
    flow: &'a Flow<'a>,
    escaped: BTreeSet<Object>,
    layout: Layout,
    /// The memory that the library writes.
    opaque: Vec<Target>,
    /// Locks at these addresses protect nothing.
    unreliable: Vec<Target>,
}

impl Layout {
    /// Finds the memory that threads share.
    ///
    /// # Errors
    /// Returns the construct that cannot be followed.
    pub(super) fn of(program: &Program, facts: &Facts, flow: &Flow<'_>) -> Result<Layout, String> {
        let n_classes = facts.shape.classes.len() as ClassId;
        let mut cells = Vec::new();
        let mut of_symbol: BTreeMap<SymbolId, Vec<CellId>> = BTreeMap::new();
        for (symbol, info) in &program.symbols {
            let is_shared = matches!(info.kind, SymbolKind::Static { thread_local: false, .. });
            if !is_shared || !info.writable {
                continue;
            }
            let mut parts = Vec::new();
            divide(program, symbol, info.ty, &mut Vec::new(), 0, &mut parts);
            if parts.len() > MAX_PARTS {
                parts = vec![whole(program, symbol, info.ty, Vec::new(), 0)];
            }
            of_symbol.insert(symbol, (cells.len()..cells.len() + parts.len()).collect());
            cells.extend(parts);
        }
        let layout = Layout {
            cells,
            groups: Vec::new(),
            most_threads: (0..n_classes).map(|class| flow.most_threads(class)).collect(),
            touches: BTreeMap::new(),
            any: BTreeSet::new(),
            of_symbol,
        };
        let escaped = escaped(flow)?;
        let (opaque, unreliable) = (Vec::new(), Vec::new());
        let mut finder = Finder { program, facts, flow, escaped, layout, opaque, unreliable };
        for (&node, state) in &facts.states {
            finder.node(node, state)?;
        }
        finder.protect();
        Ok(finder.layout)
    }

    /// The place of a cell.
    pub(super) fn place(&self, program: &mut Program, cell: CellId) -> ExprId {
        let Cell { symbol, path, .. } = &self.cells[cell];
        let variable = program.symbol(*symbol);
        path.iter().fold(variable, |base, &member| program.member(base, member))
    }

    /// The name of a cell, as a user would write it.
    pub(super) fn name(&self, program: &Program, cell: CellId) -> String {
        let Cell { symbol, path, .. } = &self.cells[cell];
        let mut name = program.symbols[*symbol].display.clone();
        let mut ty = program.symbols[*symbol].ty;
        for &member in path {
            let Type::Struct(id) = *program.types.get(ty) else { break };
            let field = &program.types.structs[id].fields[member as usize];
            name = format!("{name}.{}", field.name);
            ty = field.ty;
        }
        name
    }

    /// Checks whether the first thread is alone with the cells that some classes access.
    pub(super) fn is_alone(
        facts: &Facts,
        (context, _): Node,
        state: &State,
        accessors: &BTreeSet<ClassId>,
    ) -> bool {
        facts.shape.contexts[context as usize].0 == 0
            && accessors.iter().all(|&class| class == 0 || cannot_run(facts, state, class))
    }

    /// Checks whether the thread at a node may access the cells of a group, and nobody else writes them.
    pub(super) fn owns(&self, facts: &Facts, node: Node, state: &State, group: GroupId) -> bool {
        let Group { guard, accessors, .. } = &self.groups[group];
        let holds = match *guard {
            Guard::Lock(object, offset) => {
                state.locks.iter().any(|lock| (lock.object, lock.offset) == (object, offset))
            }
            Guard::Atomic => state.atomic > 0,
        };
        holds || Layout::is_alone(facts, node, state, accessors)
    }
}

/// Checks whether no thread of a class runs while the first thread is in a state: it has not been started, or was waited for.
fn cannot_run(facts: &Facts, state: &State, class: ClassId) -> bool {
    if state.joined.contains(&class) {
        return true;
    }
    let mut child = class;
    for _ in 0..=facts.shape.classes.len() {
        match parent(&facts.shape, child) {
            Some(0) => return !state.started.contains(&child),
            Some(parent) => child = parent,
            None => return false,
        }
    }
    false
}

fn whole(program: &Program, symbol: SymbolId, ty: TypeId, path: Vec<u32>, first: u64) -> Cell {
    let end = program.size_of(ty).map_or(u64::MAX, |size| first.saturating_add(size));
    Cell { symbol, path, ty, first, end, group: None, any: false }
}

/// The parts of a variable.
fn divide(
    program: &Program,
    symbol: SymbolId,
    ty: TypeId,
    path: &mut Vec<u32>,
    first: u64,
    out: &mut Vec<Cell>,
) {
    if let Type::Struct(id) = *program.types.get(ty) {
        let structure = &program.types.structs[id];
        let is_plain = structure.fields.iter().all(|field| field.first_bit.is_none());
        if !structure.union && is_plain && out.len() <= MAX_PARTS {
            for (i, field) in structure.fields.iter().enumerate() {
                path.push(i as u32);
                divide(program, symbol, field.ty, path, first + field.offset, out);
                path.pop();
            }
            return;
        }
    }
    out.push(whole(program, symbol, ty, path.clone(), first));
}

impl Finder<'_> {
    /// Finds the accesses of an instruction.
    fn node(&mut self, node: Node, state: &State) -> Result<(), String> {
        let (context, _) = node;
        let (class, function) = self.facts.shape.contexts[context as usize];
        let Some(instr) = self.flow.instr(node) else {
            return self.leave(node, function);
        };
        let mut questions = Vec::new();
        let mut places = Vec::new();
        let program = self.program;
        instr.for_each_expr(|expr, role| {
            match role {
                Role::Read => reads(program, expr, &mut |place| places.push((place, false))),
                Role::Write => {
                    places.push((expr, true));
                    inner_reads(program, expr, &mut |place| places.push((place, false)));
                }
            }
            program.for_each_subexpr(expr, |part| {
                if let ExprKind::Memory(op, operands) = program.exprs.kind(part) {
                    questions.push((*op, operands.first().copied()));
                }
            });
        });
        let is_call = matches!(
            instr,
            InstrKind::Call { .. } | InstrKind::Spawn { .. } | InstrKind::Join { .. }
        );
        for (place, writes) in places {
            let size = self.program.size_of(self.program.exprs.ty(place)).unwrap_or(u64::MAX);
            for at in self.flow.reader.places(place) {
                self.touch(node, at, size, writes, writes && is_call)?;
            }
        }
        for (op, pointer) in questions {
            self.question(node, op, pointer)?;
        }
        match *instr {
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                self.touch(node, start(Object::Variable(symbol)), u64::MAX, true, false)?;
            }
            InstrKind::Return(_) => self.leave(node, function)?,
            InstrKind::Free(pointer, _) => self.pointed(node, pointer, true, false)?,
            InstrKind::Intrinsic { op, ref args, .. } => {
                if op == Intrinsic::Thread {
                    return Err("the number of a thread is asked for".into());
                }
                let blocks = if op.is_obligation() { &[] } else { op.blocks() };
                for block in blocks {
                    let writes = block.access == Access::Write;
                    self.pointed(node, args[block.pointer], writes, false)?;
                }
            }
            InstrKind::Call { callee, ref args, .. } => {
                for called in self.flow.reader.callees(callee)? {
                    self.call(node, state, called, args)?;
                }
            }
            _ => {}
        }
        let is_own = |symbol: &SymbolId| {
            matches!(
                self.program.symbols[*symbol].kind,
                SymbolKind::Static { thread_local: true, .. }
            )
        };
        let mut own = false;
        instr.for_each_expr(|expr, _| {
            program.for_each_subexpr(expr, |part| {
                own |= matches!(program.exprs.kind(part), ExprKind::Symbol(s) if is_own(s));
            });
        });
        if own && class != 0 {
            return Err("variables that each thread has for itself".into());
        }
        Ok(())
    }

    /// A question about memory. What static variables and unshared objects are alive is the same with and without threads.
    fn question(
        &mut self,
        node: Node,
        op: MemoryOp,
        pointer: Option<ExprId>,
    ) -> Result<(), String> {
        let refused = || Err("a question about memory that threads share".to_owned());
        match op {
            MemoryOp::HeapEmpty
            | MemoryOp::HeapReachable
            | MemoryOp::UnracedRead
            | MemoryOp::UnracedWrite
            | MemoryOp::OthersGoOn => return refused(),
            _ => {}
        }
        let Some(pointer) = pointer else { return refused() };
        for at in self.flow.reader.values(pointer) {
            if at.object == Object::Unknown || self.is_foreign(at.object) {
                return refused();
            }
        }
        match op {
            MemoryOp::IsInitialized | MemoryOp::TextSize | MemoryOp::TextEnds => {
                self.pointed(node, pointer, false, false)
            }
            _ => Ok(()),
        }
    }

    fn is_foreign(&self, object: Object) -> bool {
        let is_local = match object {
            Object::Variable(symbol) => {
                !matches!(self.program.symbols[symbol].kind, SymbolKind::Static { .. })
            }
            Object::Allocated(..) => true,
            _ => false,
        };
        is_local && self.escaped.contains(&object)
    }

    /// A function is left: its variables end.
    fn leave(&mut self, node: Node, function: FunctionId) -> Result<(), String> {
        let ending: Vec<Object> = self
            .escaped
            .iter()
            .copied()
            .filter(|object| match *object {
                Object::Variable(symbol) => matches!(
                    self.program.symbols[symbol].kind,
                    SymbolKind::Local(of) | SymbolKind::Param(of) if of == function
                ),
                // It may be on the stack.
                Object::Allocated(of, _) => of == function && self.is_on_stack(object),
                _ => false,
            })
            .collect();
        for object in ending {
            self.touch(node, start(object), u64::MAX, true, false)?;
        }
        Ok(())
    }

    fn is_on_stack(&self, object: &Object) -> bool {
        let Object::Allocated(function, number) = *object else { return false };
        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
        matches!(body.get(number as usize).map(|i| &i.kind), Some(InstrKind::Alloc { .. }))
    }

    fn call(
        &mut self,
        node: Node,
        state: &State,
        called: FunctionId,
        args: &[ExprId],
    ) -> Result<(), String> {
        let function = &self.program.functions[called];
        if matches!(function.name.as_str(), "atexit" | "on_exit" | "at_quick_exit")
            && function.library
        {
            return Err("functions that are called at the end".into());
        }
        let (class, _) = self.facts.shape.contexts[node.0 as usize];
        let behind = |i: usize| match args.get(i) {
            Some(&arg) => self.flow.reader.values(arg).into_iter().collect(),
            None => Vec::new(),
        };
        let effect = effect(self.program, called)?;
        if !matches!(effect, Effect::Body | Effect::Apart) && claims(self.program, called) {
            return Err("claims inside of the library".into());
        }
        match effect {
            Effect::Body => {
                for &param in &function.params {
                    self.touch(node, start(Object::Variable(param)), u64::MAX, true, false)?;
                }
            }
            Effect::Apart => {
                if function.display == "free" {
                    let is_foreign = |at: &Target| self.is_foreign(at.object);
                    if claims(self.program, called) && behind(0).iter().any(is_foreign) {
                        return Err("a claim about memory that threads share".into());
                    }
                    args.iter().try_for_each(|&arg| self.pointed(node, arg, true, false))?;
                }
            }
            Effect::Silent => {
                // Some of these take the number of a thread.
                let first = args.first().map(|&arg| self.program.type_of(arg));
                if matches!(first, Some(Type::Ptr(_))) {
                    self.opaque.extend(behind(0));
                }
            }
            Effect::Waits => {
                let lock = behind(1);
                let held = self.held(state, &lock);
                self.opaque.extend(behind(0));
                self.opaque.extend(&lock);
                if !held || state.atomic > 0 {
                    self.unreliable.extend(lock);
                }
            }
            Effect::Of(Library::Create) => {
                for at in behind(0) {
                    self.touch(node, at, WORD, true, true)?;
                }
            }
            Effect::Of(Library::Join) => {
                for at in behind(1) {
                    self.touch(node, at, WORD, true, true)?;
                }
            }
            Effect::Of(Library::Lock { .. } | Library::TryLock { .. }) => {
                self.opaque.extend(behind(0));
            }
            Effect::Of(Library::Unlock) => {
                let lock = behind(0);
                self.opaque.extend(&lock);
                if !self.held(state, &lock) {
                    self.unreliable.extend(lock);
                }
            }
            Effect::Of(Library::Renew) => {
                let lock = behind(0);
                self.opaque.extend(&lock);
                if class != 0 || !state.started.is_empty() {
                    self.unreliable.extend(lock);
                }
            }
            Effect::Of(Library::Once) => self.opaque.extend(behind(0)),
            Effect::Of(_) => {}
        }
        Ok(())
    }

    /// Checks whether a thread certainly holds the lock at an address.
    fn held(&self, state: &State, at: &[Target]) -> bool {
        let lock = self.flow.lock(&at.iter().copied().collect(), true);
        lock.is_some_and(|lock| {
            let same = |other: &Lock| (other.object, other.offset) == (lock.object, lock.offset);
            state.locks.iter().any(same)
        })
    }

    /// An access of unknown extent behind a pointer.
    fn pointed(
        &mut self,
        node: Node,
        pointer: ExprId,
        writes: bool,
        late: bool,
    ) -> Result<(), String> {
        for at in self.flow.reader.values(pointer) {
            let at = Target { first: 0, last: u64::MAX, ..at };
            self.touch(node, at, u64::MAX, writes, late)?;
        }
        Ok(())
    }

    fn touch(
        &mut self,
        node: Node,
        at: Target,
        size: u64,
        writes: bool,
        late: bool,
    ) -> Result<(), String> {
        // What is not at one place may be anywhere in its object.
        let (first, end) = match at.first == at.last {
            true => (at.first, at.first.saturating_add(size)),
            false => (0, u64::MAX),
        };
        let touched: Vec<Touched> = match at.object {
            Object::Unknown => {
                return Err("memory is accessed through a pointer of unknown origin".into());
            }
            Object::Variable(symbol) if self.layout.of_symbol.contains_key(&symbol) => {
                let cells = self.layout.of_symbol[&symbol].iter().copied();
                let overlaps = |&cell: &CellId| {
                    let Cell { first: from, end: to, .. } = self.layout.cells[cell];
                    from < end && first < to
                };
                cells.filter(overlaps).map(Touched::Cell).collect()
            }
            object if self.is_foreign(object) => vec![Touched::Foreign(object)],
            _ => Vec::new(),
        };
        for what in touched {
            self.layout.touches.entry(node).or_default().insert(Touch { what, writes, late });
        }
        Ok(())
    }

    /// The state in which an access happens, if it does.
    fn state_at(&self, node: Node, late: bool) -> Option<&State> {
        let at = if late { (node.0, node.1 + 1) } else { node };
        self.facts.states.get(&at)
    }

    /// Decides what protects what.
    fn protect(&mut self) {
        let mut accesses: BTreeMap<Touched, Vec<(Node, bool, State)>> = BTreeMap::new();
        for (&node, touches) in &self.layout.touches {
            for touch in touches {
                if let Some(state) = self.state_at(node, touch.late) {
                    let access = (node, touch.writes, state.clone());
                    accesses.entry(touch.what).or_default().push(access);
                }
            }
        }
        let class_of = |node: Node| self.facts.shape.contexts[node.0 as usize].0;
        let mut chosen: BTreeMap<CellId, Guard> = BTreeMap::new();
        let mut accessors: BTreeMap<CellId, BTreeSet<ClassId>> = BTreeMap::new();
        for (&what, all) in &accesses {
            let classes: BTreeSet<ClassId> = all.iter().map(|(node, ..)| class_of(*node)).collect();
            let shared: Vec<&(Node, bool, State)> = all
                .iter()
                .filter(|(node, _, state)| !Layout::is_alone(self.facts, *node, state, &classes))
                .collect();
            let is_stable = !shared.iter().any(|(_, writes, _)| *writes);
            let is_own = classes.len() == 1
                && classes.first().is_some_and(|&class| self.flow.is_unique(class));
            match what {
                Touched::Cell(cell) if self.is_opaque(cell) => self.layout.cells[cell].any = true,
                _ if is_stable || is_own => {}
                Touched::Foreign(object) => drop(self.layout.any.insert(object)),
                Touched::Cell(cell) => {
                    let lock = self.common_lock(&shared);
                    let guard = lock.map_or(Guard::Atomic, |(o, offset)| Guard::Lock(o, offset));
                    chosen.insert(cell, guard);
                    accessors.insert(cell, classes);
                }
            }
        }
        loop {
            self.layout.groups = groups(&chosen, &accessors);
            let mut weaker = None;
            for (number, group) in self.layout.groups.iter().enumerate() {
                if group.guard == Guard::Atomic {
                    continue;
                }
                weaker = weaker.or_else(|| {
                    group.cells.iter().copied().find(|cell| {
                        let all = &accesses[&Touched::Cell(*cell)];
                        !all.iter().all(|(node, _, state)| {
                            self.layout.owns(self.facts, *node, state, number)
                        })
                    })
                });
            }
            match weaker {
                Some(cell) => drop(chosen.insert(cell, Guard::Atomic)),
                None => break,
            }
        }
        for (number, group) in self.layout.groups.iter().enumerate() {
            for &cell in &group.cells {
                self.layout.cells[cell].group = Some(number);
            }
        }
    }

    /// Checks whether the library writes a cell.
    fn is_opaque(&self, cell: CellId) -> bool {
        let Cell { symbol, first, end, .. } = self.layout.cells[cell];
        self.opaque.iter().any(|at| {
            at.object == Object::Unknown
                || at.object == Object::Variable(symbol)
                    && at.first < end
                    && first < at.last.saturating_add(OPAQUE)
        })
    }

    /// A lock that is held at each of these accesses, alone where something is written.
    fn common_lock(&self, accesses: &[&(Node, bool, State)]) -> Option<(Object, u64)> {
        let held = |(_, writes, state): &(Node, bool, State)| -> BTreeSet<(Object, u64)> {
            let locks = state.locks.iter().filter(|lock| lock.alone || !writes);
            locks.map(|lock| (lock.object, lock.offset)).collect()
        };
        let mut all = accesses.iter().map(|access| held(access));
        let first = all.next()?;
        let common = all.fold(first, |common, held| common.intersection(&held).copied().collect());
        let is_reliable = |&(object, offset): &(Object, u64)| {
            !self.unreliable.iter().any(|at| {
                at.object == Object::Unknown
                    || at.object == object && (at.first..=at.last).contains(&offset)
            })
        };
        // The program itself must not write the lock.
        let is_left_alone = |&(object, offset): &(Object, u64)| match object {
            Object::Variable(symbol) => {
                let cells = self.layout.of_symbol.get(&symbol).into_iter().flatten();
                let mut hit = cells.filter(|&&cell| {
                    let Cell { first, end, .. } = self.layout.cells[cell];
                    first < offset.saturating_add(OPAQUE) && offset < end
                });
                let is_written = |cell: &CellId| {
                    let touch = |late| Touch { what: Touched::Cell(*cell), writes: true, late };
                    let mut touches = self.layout.touches.values();
                    touches.any(|all| all.contains(&touch(false)) || all.contains(&touch(true)))
                };
                !hit.any(is_written)
            }
            _ => false,
        };
        // Of two that are taken one inside of the other, more holds of what the outer one protects.
        let length = |&(object, offset): &(Object, u64)| {
            let holds = |state: &&State| {
                state.locks.iter().any(|lock| (lock.object, lock.offset) == (object, offset))
            };
            self.facts.states.values().filter(holds).count()
        };
        let usable = common.into_iter().filter(|lock| is_reliable(lock) && is_left_alone(lock));
        usable.max_by_key(length)
    }
}

fn groups(
    chosen: &BTreeMap<CellId, Guard>,
    accessors: &BTreeMap<CellId, BTreeSet<ClassId>>,
) -> Vec<Group> {
    let mut groups: BTreeMap<Guard, Group> = BTreeMap::new();
    for (&cell, &guard) in chosen {
        let empty = || Group { guard, cells: Vec::new(), accessors: BTreeSet::new() };
        let group = groups.entry(guard).or_insert_with(empty);
        group.cells.push(cell);
        group.accessors.extend(&accessors[&cell]);
    }
    groups.into_values().collect()
}

fn start(object: Object) -> Target {
    Target { object, first: 0, last: 0 }
}

/// Checks whether a function, or one that it calls, makes a claim or is not followed.
fn claims(program: &Program, function: FunctionId) -> bool {
    let mut pending = vec![function];
    let mut seen = BTreeSet::new();
    while let Some(function) = pending.pop() {
        if !seen.insert(function) {
            continue;
        }
        for instr in program.functions[function].body.iter().flatten() {
            match instr.kind {
                InstrKind::Assert(..) => return true,
                InstrKind::Call { callee: Callee::Direct(callee), .. } => pending.push(callee),
                _ => {}
            }
        }
    }
    false
}
