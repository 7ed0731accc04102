//! Makes the program without threads: see [`super`].

mod calls;
mod sections;

use super::cells::{CellId, GroupId, Guard, Layout, Touch, Touched};
use super::effects::{Effect, effect};
use super::{Fact, Share};
use crate::race_freedom::Proof as Facts;
use crate::race_freedom::flow::{ClassId, ContextId, Flow, Node};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Exit, Function, FunctionId, Instr, InstrKind, LabelId, Program, StaticInit, Symbol,
    SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_passes::renaming::Renaming;
use vergo_source::Span;

/// The purpose of a program without threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Its safety proves that of the program with threads.
    Check,
    /// Its executions are some of those of the program with threads: whoever starts a thread waits for its end, or
    /// the thread does not begin. What they show is a guess.
    Observe,
}

/// The value that an assignment of an observed program shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Observed {
    /// The value of a cell when it is given back.
    Value(CellId),
    /// The amount by which a thread of a class has changed a cell so far.
    Running(ClassId, CellId),
    /// The amount by which it has changed the cell when it ends.
    Ended(ClassId, CellId),
}

/// A program without threads.
pub struct Built {
    /// The program.
    pub program: Program,
    /// The variables that show something.
    pub observed: BTreeMap<SymbolId, Observed>,
}

/// Counters of threads stop here, and say nothing then.
const MANY_THREADS: i128 = 1 << 16;

/// The property of claims that are part of a proof.
pub const PROPERTY: &str = "thread.modular";

/// The rights of a thread at a place: for each group, whether it owns the group, and whether it is alone with it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Status {
    owns: Vec<bool>,
    alone: Vec<bool>,
}

/// The target of a pointer that threads share.
enum Pointed {
    Static(SymbolId, u64),
    Code(FunctionId),
}

/// Variables beside a cell, all of them signed integers as wide as it.
#[derive(Clone, Copy)]
struct Ghosts {
    /// Its value when threads were started that share it.
    base: SymbolId,
    /// Its value when the thread took it.
    mark: SymbolId,
    /// The amount by which the thread has changed it.
    change: SymbolId,
}

struct Builder<'a> {
    source: &'a Program,
    facts: &'a Facts,
    flow: &'a Flow<'a>,
    layout: &'a Layout,
    invariants: &'a [Fact],
    shares: BTreeMap<(CellId, ClassId), &'a Share>,
    purpose: Purpose,
    program: Program,
    /// Contexts that have a function of their own.
    copies: BTreeMap<ContextId, FunctionId>,
    ghosts: BTreeMap<CellId, Ghosts>,
    /// The number of threads of a class that have been started since the first thread was alone with a group.
    counters: BTreeMap<(GroupId, ClassId), SymbolId>,
    observed: BTreeMap<SymbolId, Observed>,
    observers: BTreeMap<Observed, SymbolId>,
    exits: BTreeMap<ContextId, Status>,
}

/// Makes the program.
///
/// # Errors
/// Returns the construct that cannot be followed.
pub(super) fn build(
    source: &Program,
    facts: &Facts,
    flow: &Flow<'_>,
    layout: &Layout,
    (invariants, shares): (&[Fact], &[Share]),
    purpose: Purpose,
) -> Result<Built, String> {
    let mut builder = Builder {
        source,
        facts,
        flow,
        layout,
        invariants,
        shares: shares.iter().map(|share| ((share.cell, share.class), share)).collect(),
        purpose,
        program: source.clone(),
        copies: BTreeMap::new(),
        ghosts: BTreeMap::new(),
        counters: BTreeMap::new(),
        observed: BTreeMap::new(),
        observers: BTreeMap::new(),
        exits: BTreeMap::new(),
    };
    for group in &layout.groups {
        for &cell in &group.cells {
            let has_pointers = source.types.has_pointers(layout.cells[cell].ty);
            if has_pointers && builder.targets(cell).is_none() {
                return Err("pointers that threads give each other".into());
            }
        }
    }
    builder.declare();
    builder.find_exits();
    builder.choose_copies()?;
    let contexts: Vec<ContextId> = builder.copies.keys().copied().collect();
    for context in contexts {
        builder.context(context)?;
    }
    builder.forget_originals();
    builder.program.entry = builder.copies.get(&0).copied();
    Ok(Built { program: builder.program, observed: builder.observed })
}

fn width(program: &Program, layout: &Layout, cell: CellId) -> u32 {
    match *program.types.get(layout.cells[cell].ty) {
        Type::Int { width, .. } => width,
        _ => 0,
    }
}

/// Changes of a cell by a thread that are larger than this have no share.
pub fn largest_change(program: &Program, layout: &Layout, cell: CellId) -> i128 {
    match width(program, layout, cell) {
        0 | 1 => 0,
        width => 1 << (width - 2),
    }
}

/// Checks whether a cell is a number.
pub(super) fn is_number(program: &Program, layout: &Layout, cell: CellId) -> bool {
    matches!(*program.types.get(layout.cells[cell].ty), Type::Int { width, .. } if width <= 64)
}

impl Builder<'_> {
    /// Declares the variables that programs with threads do not have.
    fn declare(&mut self) {
        for (number, group) in self.layout.groups.iter().enumerate() {
            for &cell in &group.cells {
                let is_counted = match self.purpose {
                    Purpose::Check => self.shares.contains_key(&(cell, 0)),
                    Purpose::Observe => true,
                };
                if !is_number(self.source, self.layout, cell) || !is_counted {
                    continue;
                }
                let ty = self.signed(cell);
                let [base, mark, change] =
                    ["base", "mark", "change"].map(|what| self.variable(what, ty));
                self.ghosts.insert(cell, Ghosts { base, mark, change });
                if self.purpose == Purpose::Observe {
                    let mut all = vec![Observed::Value(cell)];
                    for &class in &group.accessors {
                        all.extend([Observed::Running(class, cell), Observed::Ended(class, cell)]);
                    }
                    for what in all {
                        let symbol = self.variable("observed", ty);
                        self.observed.insert(symbol, what);
                        self.observers.insert(what, symbol);
                    }
                }
            }
            let word = self.program.types.int(true, 32);
            for &class in group.accessors.iter().filter(|&&class| class != 0) {
                let symbol = self.variable("threads", word);
                self.counters.insert((number, class), symbol);
            }
        }
    }

    /// The signed integers as wide as a cell. Values and changes are added up in these, and wrap around as the cell does: the sum of
    /// all changes is right but for a multiple of what wraps, and bounds are so close that there is one such number between.
    fn signed(&mut self, cell: CellId) -> TypeId {
        let width = width(self.source, self.layout, cell);
        self.program.types.int(true, width)
    }

    fn variable(&mut self, what: &str, ty: TypeId) -> SymbolId {
        let name = format!("{what}@{}", self.program.symbols.len());
        self.program.add_symbol(Symbol {
            name,
            display: String::new(),
            ty,
            kind: SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false },
            span: Span::DUMMY,
            align: 16,
            writable: true,
        })
    }

    fn local(&mut self, function: FunctionId, ty: TypeId) -> SymbolId {
        let name = format!("result@{}", self.program.symbols.len());
        self.program.add_symbol(Symbol {
            name,
            display: String::new(),
            ty,
            kind: SymbolKind::Local(function),
            span: Span::DUMMY,
            align: 16,
            writable: true,
        })
    }

    fn status(&self, node: Node) -> Option<Status> {
        let state = self.facts.states.get(&node)?;
        let groups = 0..self.layout.groups.len();
        let owns = groups.map(|group| self.layout.owns(self.facts, node, state, group)).collect();
        let groups = self.layout.groups.iter();
        let alone = groups
            .map(|group| Layout::is_alone(self.facts, node, state, &group.accessors))
            .collect();
        Some(Status { owns, alone })
    }

    /// Returns the status of a thread that begins or ends.
    fn nothing(&self) -> Status {
        let none = vec![false; self.layout.groups.len()];
        Status { owns: none.clone(), alone: none }
    }

    fn body(&self, context: ContextId) -> &[Instr] {
        let (_, function) = self.facts.shape.contexts[context as usize];
        self.source.functions[function].body.as_deref().unwrap_or_default()
    }

    /// Finds the groups that are owned wherever a context returns.
    fn find_exits(&mut self) {
        for context in 0..self.facts.shape.contexts.len() as ContextId {
            let body = self.body(context);
            let is_exit = |i: &usize| matches!(body[*i].kind, InstrKind::Return(_));
            let exits = (0..body.len()).filter(is_exit);
            let found: Vec<Status> =
                exits.filter_map(|i| self.status((context, i as u32))).collect();
            let common = found.into_iter().reduce(|a, b| {
                let both =
                    |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
                Status { owns: both(&a.owns, &b.owns), alone: both(&a.alone, &b.alone) }
            });
            if let Some(common) = common {
                self.exits.insert(context, common);
            }
        }
    }

    /// Finds the contexts that do something with threads or shared memory; others are called as they are.
    fn choose_copies(&mut self) -> Result<(), String> {
        let shape = &self.facts.shape;
        let mut own: BTreeSet<ContextId> = shape.classes.iter().copied().collect();
        let mut first: BTreeMap<ContextId, Status> = BTreeMap::new();
        for &node in self.facts.states.keys() {
            let Some(status) = self.status(node) else { continue };
            let same = first.entry(node.0).or_insert_with(|| status.clone());
            let touches = self.layout.touches.get(&node).into_iter().flatten();
            let is_shared = touches.into_iter().any(|touch| match touch.what {
                Touched::Cell(cell) => {
                    self.layout.cells[cell].group.is_some() || self.layout.cells[cell].any
                }
                Touched::Foreign(object) => self.layout.any.contains(&object),
            });
            let acts = match self.flow.instr(node) {
                Some(InstrKind::Spawn { .. } | InstrKind::Join { .. }) => true,
                Some(InstrKind::Call { callee, .. }) => {
                    let mut acts = false;
                    for called in self.flow.reader.callees(*callee)? {
                        let effect = effect(self.source, called)?;
                        acts |= !matches!(effect, Effect::Body | Effect::Apart);
                    }
                    acts
                }
                _ => false,
            };
            if *same != status || is_shared || acts {
                own.insert(node.0);
            }
        }
        loop {
            let callers: Vec<ContextId> = shape
                .calls
                .iter()
                .filter(|((from, ..), to)| own.contains(to) && !own.contains(from))
                .map(|((from, ..), _)| *from)
                .collect();
            if callers.is_empty() {
                break;
            }
            own.extend(callers);
        }
        for context in own {
            let (_, function) = shape.contexts[context as usize];
            let original = &self.source.functions[function];
            let copy = Function {
                name: format!("{}@{context}", original.name),
                body: None,
                params: Vec::new(),
                ..original.clone()
            };
            let id = self.program.add_function(copy);
            self.copies.insert(context, id);
        }
        Ok(())
    }

    /// Takes the bodies of functions away that are not called any more.
    fn forget_originals(&mut self) {
        let n_originals = self.source.functions.len();
        let mut pending: Vec<FunctionId> = self.copies.values().copied().collect();
        let mut called = BTreeSet::new();
        while let Some(function) = pending.pop() {
            if !called.insert(function) {
                continue;
            }
            for instr in self.program.functions[function].body.iter().flatten() {
                match instr.kind {
                    InstrKind::Call { callee: Callee::Direct(to), .. } => pending.push(to),
                    // Only what is as it was calls through pointers.
                    InstrKind::Call { callee: Callee::Indirect(_), .. } => {
                        pending.extend(self.source.functions.keys());
                    }
                    _ => {}
                }
            }
        }
        for function in self.program.functions.keys().take(n_originals) {
            if !called.contains(&function) {
                self.program.functions[function].body = None;
            }
        }
    }

    /// Makes the function of a context.
    fn context(&mut self, context: ContextId) -> Result<(), String> {
        let (_, function) = self.facts.shape.contexts[context as usize];
        let copy = self.copies[&context];
        let mut symbols = FxHashMap::default();
        for (symbol, info) in &self.source.symbols {
            let kind = match info.kind {
                SymbolKind::Local(of) if of == function => SymbolKind::Local(copy),
                SymbolKind::Param(of) if of == function => SymbolKind::Param(copy),
                _ => continue,
            };
            let new = self.program.copy_symbol(symbol, kind);
            symbols.insert(symbol, new);
        }
        let params = &self.source.functions[function].params;
        self.program.functions[copy].params = params.iter().map(|param| symbols[param]).collect();
        let body = self.body(context).to_vec();
        let positions: FxHashMap<LabelId, u32> = body
            .iter()
            .enumerate()
            .filter_map(|(i, instr)| match instr.kind {
                InstrKind::Label(label) => Some((label, i as u32)),
                _ => None,
            })
            .collect();
        let mut writer = Writer {
            out: FunctionBuilder::new(),
            renaming: Renaming::of(symbols),
            context,
            copy,
            positions,
            threads: BTreeMap::new(),
        };
        for (i, instr) in body.into_iter().enumerate() {
            writer.out.set_span(instr.span);
            self.instr(&mut writer, (context, i as u32), instr)?;
        }
        let threads = std::mem::take(&mut writer.threads);
        for (class, (label, argument)) in threads {
            writer.out.label(label);
            let argument = self.program.symbol(argument);
            self.run_thread(&mut writer, class, argument);
            self.stop(&mut writer);
            writer.out.end(Exit::Abort);
        }
        if !writer.out.is_terminated() {
            writer.out.end(Exit::Abort);
        }
        writer.out.finish(&mut self.program, copy);
        Ok(())
    }

    /// Nothing comes here.
    fn stop(&mut self, writer: &mut Writer) {
        let no = self.program.bool(false);
        writer.out.assume(no);
    }

    fn class(&self, context: ContextId) -> ClassId {
        self.facts.shape.contexts[context as usize].0
    }

    /// Goes from one place to another: what is owned changes.
    fn edge(&mut self, writer: &mut Writer, from: &Status, to: &Status) {
        let class = self.class(writer.context);
        for group in 0..self.layout.groups.len() {
            if from.alone[group] && !to.alone[group] {
                self.begin(writer, group);
            }
            match (from.owns[group], to.owns[group]) {
                (true, false) => {
                    let cells: BTreeSet<CellId> =
                        self.layout.groups[group].cells.iter().copied().collect();
                    self.release(writer, class, &cells, &cells);
                }
                (false, true) => {
                    let cells = self.layout.groups[group].cells.iter().copied().collect();
                    self.acquire(writer, class, group, &cells, to.alone[group]);
                }
                _ => {}
            }
        }
    }

    /// Goes from an instruction to another one of its function.
    fn go(&mut self, writer: &mut Writer, from: Node, to: Node) {
        match (self.status(from), self.status(to)) {
            (Some(from), Some(to)) => self.edge(writer, &from, &to),
            _ => self.stop(writer),
        }
    }

    fn instr(&mut self, writer: &mut Writer, node: Node, instr: Instr) -> Result<(), String> {
        let next = (node.0, node.1 + 1);
        if self.status(node).is_none() {
            if matches!(instr.kind, InstrKind::Label(_)) {
                writer.copy(&mut self.program, instr);
            }
            self.stop(writer);
            return Ok(());
        }
        let reads_any = self.reads_any(node);
        if reads_any && !self.is_simple(&instr.kind) {
            return Err("what other threads change is read in an unusual way".into());
        }
        match instr.kind {
            InstrKind::Goto(condition, label) => {
                let (pre, _) = self.around(node, false)?;
                self.take(writer, node, &pre);
                let target = (node.0, writer.positions[&label]);
                let label = writer.label(label);
                let condition = condition.map(|c| writer.renaming.expr(&mut self.program, c));
                let skip = condition.map(|condition| {
                    let skip = writer.out.new_label();
                    let not = self.program.not(condition);
                    writer.out.goto_if(not, skip);
                    skip
                });
                self.go(writer, node, target);
                writer.out.goto(label);
                if let Some(skip) = skip {
                    writer.out.label(skip);
                    self.go(writer, node, next);
                }
            }
            InstrKind::Return(_) => {
                let (pre, _) = self.around(node, false)?;
                self.take(writer, node, &pre);
                if let (Some(status), Some(exit)) =
                    (self.status(node), self.exits.get(&node.0).cloned())
                {
                    self.edge(writer, &status, &exit);
                }
                writer.copy(&mut self.program, instr);
            }
            InstrKind::AtomicBegin | InstrKind::AtomicEnd => self.go(writer, node, next),
            InstrKind::End(_) | InstrKind::Unsupported(_) => {
                let (pre, _) = self.around(node, false)?;
                self.take(writer, node, &pre);
                writer.copy(&mut self.program, instr);
            }
            InstrKind::Call { dest, callee, args } => {
                self.call(writer, node, dest, callee, &args)?;
            }
            InstrKind::Spawn { dest, arg, .. } => {
                let (pre, _) = self.around(node, false)?;
                self.take(writer, node, &pre);
                let arg = writer.renaming.expr(&mut self.program, arg);
                self.go(writer, node, next);
                for started in self.flow.leads(node)?.starts {
                    self.start(writer, node, started, arg)?;
                }
                self.give_any(writer, node, dest)?;
            }
            InstrKind::Join { dest, .. } => {
                let (pre, _) = self.around(node, false)?;
                self.take(writer, node, &pre);
                self.go(writer, node, next);
                self.give_any(writer, node, dest)?;
            }
            _ => {
                let (taken, written) = self.around(node, false)?;
                self.take(writer, node, &taken);
                match instr.kind {
                    InstrKind::Assign(place, _) if reads_any => {
                        let place = writer.renaming.expr(&mut self.program, place);
                        let any = self.any(self.program.exprs.ty(place))?;
                        writer.out.assign(place, any);
                    }
                    _ => writer.copy(&mut self.program, instr),
                }
                self.give(writer, node, &taken, &written);
                self.go(writer, node, next);
            }
        }
        Ok(())
    }

    /// Checks whether an instruction only gives a variable a value.
    fn is_simple(&self, kind: &InstrKind) -> bool {
        matches!(*kind, InstrKind::Assign(place, _) if matches!(self.source.exprs.kind(place), ExprKind::Symbol(_)))
    }

    fn touches(&self, node: Node) -> impl Iterator<Item = &Touch> {
        self.layout.touches.get(&node).into_iter().flatten()
    }

    /// Checks whether an instruction reads what may have any value.
    fn reads_any(&self, node: Node) -> bool {
        self.touches(node).any(|touch| {
            let any = match touch.what {
                Touched::Cell(cell) => self.layout.cells[cell].any,
                Touched::Foreign(object) => self.layout.any.contains(&object),
            };
            any && !touch.writes
        })
    }

    /// The cells that an instruction accesses without owning them, with those that facts connect with them; and those
    /// that it writes. They are of the group of atomic accesses, since whoever accesses others owns them.
    fn around(
        &self,
        node: Node,
        late: bool,
    ) -> Result<(BTreeSet<CellId>, BTreeSet<CellId>), String> {
        let at = if late { (node.0, node.1 + 1) } else { node };
        let (mut taken, mut written) = (BTreeSet::new(), BTreeSet::new());
        let Some(status) = self.status(at) else { return Ok((taken, written)) };
        for touch in self.touches(node).filter(|touch| touch.late == late) {
            let Touched::Cell(cell) = touch.what else { continue };
            let Some(group) = self.layout.cells[cell].group else { continue };
            if status.owns[group] {
                continue;
            }
            if self.layout.groups[group].guard != Guard::Atomic {
                return Err("a cell is accessed without its lock".into());
            }
            taken.insert(cell);
            if touch.writes {
                written.insert(cell);
            }
        }
        loop {
            let before = taken.len();
            for fact in self.invariants {
                if fact.cells().any(|cell| taken.contains(&cell)) {
                    taken.extend(fact.cells());
                }
            }
            if taken.len() == before {
                return Ok((taken, written));
            }
        }
    }

    fn take(&mut self, writer: &mut Writer, node: Node, cells: &BTreeSet<CellId>) {
        let group = cells.first().and_then(|&cell| self.layout.cells[cell].group);
        if let Some(group) = group {
            self.acquire(writer, self.class(node.0), group, cells, false);
        }
    }

    fn give(
        &mut self,
        writer: &mut Writer,
        node: Node,
        taken: &BTreeSet<CellId>,
        written: &BTreeSet<CellId>,
    ) {
        if !written.is_empty() {
            self.release(writer, self.class(node.0), taken, written);
        }
    }

    /// Writes a place at the end of an instruction.
    fn write(
        &mut self,
        writer: &mut Writer,
        node: Node,
        place: ExprId,
        value: ExprId,
    ) -> Result<(), String> {
        let (taken, written) = self.around(node, true)?;
        self.take(writer, node, &taken);
        writer.out.assign(place, value);
        self.give(writer, node, &taken, &written);
        Ok(())
    }
}

/// A function that is being written.
struct Writer {
    out: FunctionBuilder,
    renaming: Renaming,
    context: ContextId,
    copy: FunctionId,
    positions: FxHashMap<LabelId, u32>,
    /// Where the execution goes on as a thread of a class, and the variable with its argument.
    threads: BTreeMap<ClassId, (LabelId, SymbolId)>,
}

impl Writer {
    fn copy(&mut self, program: &mut Program, mut instr: Instr) {
        self.renaming.instr(program, &mut self.out, &mut instr);
        self.out.push_instr(instr);
    }

    fn label(&mut self, label: LabelId) -> LabelId {
        let out = &mut self.out;
        *self.renaming.labels.entry(label).or_insert_with(|| out.new_label())
    }
}
