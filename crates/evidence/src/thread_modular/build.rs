//! Makes the program without threads: see [`super`].

use super::cells::{CellId, Effect, GroupId, Guard, Layout, Touch, Touched, effect};
use super::results::results;
use super::{Fact, Linear, Share};
use crate::race_freedom::Proof as Facts;
use crate::race_freedom::contents::Object;
use crate::race_freedom::flow::{ClassId, ContextId, Flow, Node};
use crate::race_freedom::library::Library;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Claim, Function, FunctionId, Instr, InstrKind, LabelId, Program, StaticInit, Symbol,
    SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_passes::renaming::Renaming;
use vergo_source::Span;

/// What a program without threads is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Its safety proves that of the program with threads.
    Check,
    /// Its executions are some of those of the program with threads: whoever starts a thread waits for its end, or
    /// the thread does not begin. What they show is a guess.
    Observe,
}

/// What an assignment of an observed program shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Observed {
    /// The value of a cell when it is given back.
    Value(CellId),
    /// How much a thread of a class has changed a cell so far.
    Running(ClassId, CellId),
    /// How much it has when it ends.
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

/// What a thread may do at a place: for each group, whether it owns it, and whether it is alone with it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Status {
    owns: Vec<bool>,
    alone: Vec<bool>,
}

/// What a pointer that threads share points to.
enum Pointed {
    Static(SymbolId, u64),
    Code(FunctionId),
}

/// Variables beside a cell, all of them integers that are wide enough.
#[derive(Clone, Copy)]
struct Ghosts {
    /// Its value when threads were started that share it.
    base: SymbolId,
    /// Its value when the thread took it.
    mark: SymbolId,
    /// How much the thread has changed it.
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
    /// How many threads of a class have been started since the first thread was alone with a group.
    counters: BTreeMap<(GroupId, ClassId), SymbolId>,
    observed: BTreeMap<SymbolId, Observed>,
    observers: BTreeMap<Observed, SymbolId>,
    exits: BTreeMap<ContextId, Status>,
}

/// Makes the program.
///
/// # Errors
/// What cannot be followed.
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
                let wide = self.wide(cell);
                let [base, mark, change] =
                    ["base", "mark", "change"].map(|what| self.variable(what, wide));
                self.ghosts.insert(cell, Ghosts { base, mark, change });
                if self.purpose == Purpose::Observe {
                    let mut all = vec![Observed::Value(cell)];
                    for &class in &group.accessors {
                        all.extend([Observed::Running(class, cell), Observed::Ended(class, cell)]);
                    }
                    for what in all {
                        let symbol = self.variable("observed", wide);
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

    /// A type that has room for sums of what threads add to a cell.
    fn wide(&mut self, cell: CellId) -> TypeId {
        let width = match *self.source.types.get(self.layout.cells[cell].ty) {
            Type::Int { width, .. } if width <= 32 => 64,
            _ => 128,
        };
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

    /// What a thread owns that begins or ends.
    fn nothing(&self) -> Status {
        let none = vec![false; self.layout.groups.len()];
        Status { owns: none.clone(), alone: none }
    }

    fn body(&self, context: ContextId) -> &[Instr] {
        let (_, function) = self.facts.shape.contexts[context as usize];
        self.source.functions[function].body.as_deref().unwrap_or_default()
    }

    /// What is owned wherever a context returns.
    fn find_exits(&mut self) {
        for context in 0..self.facts.shape.contexts.len() as ContextId {
            let body = self.body(context);
            let is_exit = |i: &usize| match body.get(*i) {
                Some(instr) => matches!(instr.kind, InstrKind::Return(_)),
                None => true,
            };
            let exits = (0..=body.len()).filter(is_exit);
            let found: Vec<Status> =
                exits.filter_map(|i| self.status((context, i as u32))).collect();
            let common = found.into_iter().reduce(|a, b| {
                let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
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
        let end = (context, self.body(context).len() as u32);
        match self.status(end) {
            Some(status) => {
                let exit = self.exits[&context].clone();
                self.edge(&mut writer, &status, &exit);
            }
            None if !writer.out.is_terminated() => self.stop(&mut writer),
            None => {}
        }
        let threads = std::mem::take(&mut writer.threads);
        if !threads.is_empty() {
            let end = writer.out.new_label();
            writer.out.goto(end);
            for (class, (label, argument)) in threads {
                writer.out.label(label);
                let argument = self.program.symbol(argument);
                self.run_thread(&mut writer, class, argument);
                self.stop(&mut writer);
            }
            writer.out.label(end);
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

    /// The first thread is not alone with a group any more.
    fn begin(&mut self, writer: &mut Writer, group: GroupId) {
        for &cell in &self.layout.groups[group].cells {
            let Some(&Ghosts { base, mark, change }) = self.ghosts.get(&cell) else { continue };
            let value = self.number(cell);
            let wide = self.wide(cell);
            let zero = self.program.int(wide, 0);
            for (symbol, value) in [(base, value), (mark, value), (change, zero)] {
                let place = self.program.symbol(symbol);
                writer.out.assign(place, value);
            }
        }
        let counters: Vec<SymbolId> = self
            .counters
            .iter()
            .filter(|((of, _), _)| *of == group)
            .map(|(_, &counter)| counter)
            .collect();
        for counter in counters {
            let place = self.program.symbol(counter);
            let zero = self.program.zero(self.program.symbols[counter].ty);
            writer.out.assign(place, zero);
        }
    }

    /// The value of a cell as a wide integer.
    fn number(&mut self, cell: CellId) -> ExprId {
        let wide = self.wide(cell);
        let place = self.layout.place(&mut self.program, cell);
        self.program.cast(wide, place)
    }

    /// A thread takes cells: others may have changed them, but keep to what the proof says.
    fn acquire(
        &mut self,
        writer: &mut Writer,
        class: ClassId,
        group: GroupId,
        cells: &BTreeSet<CellId>,
        alone: bool,
    ) {
        if self.purpose == Purpose::Check {
            for &cell in cells {
                self.change(writer, cell);
            }
            for fact in self.invariants {
                if fact.cells().all(|cell| cells.contains(&cell)) {
                    let holds = self.fact(fact);
                    writer.out.assume(holds);
                }
            }
        }
        for &cell in cells {
            let Some(&Ghosts { mark, .. }) = self.ghosts.get(&cell) else { continue };
            if self.purpose == Purpose::Check
                && let Some(known) = self.known_sum(class, group, cell, alone)
            {
                writer.out.assume(known);
            }
            let value = self.number(cell);
            let place = self.program.symbol(mark);
            writer.out.assign(place, value);
        }
    }

    /// Gives a cell any value that it can have. A pointer points to what some instruction stores in the variable, or nowhere:
    /// one of unknown origin would not be one to what the program has.
    fn change(&mut self, writer: &mut Writer, cell: CellId) {
        let place = self.layout.place(&mut self.program, cell);
        let ty = self.layout.cells[cell].ty;
        if !self.source.types.has_pointers(ty) {
            let any = self.program.nondet(ty);
            writer.out.assign(place, any);
            return;
        }
        let null = self.program.null(ty);
        writer.out.assign(place, null);
        let done = writer.out.new_label();
        for target in self.targets(cell).unwrap_or_default() {
            let address = match target {
                Pointed::Static(symbol, offset) => {
                    let variable = self.program.symbol(symbol);
                    let address = self.program.address_of(variable);
                    let bytes = self.program.types.int(false, 8);
                    let bytes = self.program.types.ptr(bytes);
                    let start = self.program.cast(bytes, address);
                    let offset = self.program.size(offset);
                    self.program.binary(BinaryOp::PtrAdd, start, offset)
                }
                Pointed::Code(function) => self.program.function(function),
            };
            let address = self.program.cast(ty, address);
            let choice = self.any_truth(writer);
            let other = writer.out.new_label();
            writer.out.goto_if(choice, other);
            writer.out.assign(place, address);
            writer.out.goto(done);
            writer.out.label(other);
        }
        writer.out.label(done);
    }

    /// Where a pointer in a cell can point to; none if it cannot be said.
    fn targets(&self, cell: CellId) -> Option<Vec<Pointed>> {
        const MOST: usize = 8;
        let of = &self.layout.cells[cell];
        if !matches!(self.source.types.get(of.ty), Type::Ptr(_)) {
            return None;
        }
        let held = self.facts.contents.get(&Object::Variable(of.symbol)).into_iter().flatten();
        let targets: Option<Vec<Pointed>> = held
            .map(|at| match at.object {
                Object::Variable(symbol)
                    if at.first == at.last
                        && matches!(
                            self.source.symbols[symbol].kind,
                            SymbolKind::Static { thread_local: false, .. }
                        ) =>
                {
                    Some(Pointed::Static(symbol, at.first))
                }
                Object::Code(function) => Some(Pointed::Code(function)),
                _ => None,
            })
            .collect();
        targets.filter(|targets| targets.len() <= MOST)
    }

    /// Any value of a type, for what is not a cell.
    fn any(&mut self, ty: TypeId) -> Result<ExprId, String> {
        match self.source.types.has_pointers(ty) {
            true => Err("pointers that threads give each other".into()),
            false => Ok(self.program.nondet(ty)),
        }
    }

    /// What is known of the value of a cell from what each thread has changed it by.
    fn known_sum(
        &mut self,
        class: ClassId,
        group: GroupId,
        cell: CellId,
        alone: bool,
    ) -> Option<ExprId> {
        let wide = self.wide(cell);
        let Ghosts { base, change, .. } = self.ghosts[&cell];
        let mut least = self.program.int(wide, 0);
        let mut most = least;
        let mut is_counted = self.program.bool(true);
        let accessors = self.layout.groups[group].accessors.clone();
        for &other in &accessors {
            let share = *self.shares.get(&(cell, other))?;
            let ((lo, hi), number) = if other == 0 {
                // The own change is counted as it is.
                let number = if class == 0 { 0 } else { 1 };
                (share.running, self.program.int(wide, number))
            } else if class == 0 && self.is_started_by_first(other) {
                let range = if alone { share.ended } else { share.running };
                let counter = self.program.symbol(self.counters[&(group, other)]);
                let limit = self.program.int(self.program.exprs.ty(counter), MANY_THREADS);
                let few = self.program.lt(counter, limit);
                is_counted = self.program.and(is_counted, few);
                (range, self.program.cast(wide, counter))
            } else {
                let number = match self.layout.most_threads[other as usize] {
                    Some(most) => i128::from(most) - i128::from(other == class),
                    None if share.running == (0, 0) => 0,
                    None => return None,
                };
                if number >= MANY_THREADS {
                    return None;
                }
                (share.running, self.program.int(wide, number.max(0)))
            };
            for (sum, bound) in [(&mut least, lo), (&mut most, hi)] {
                let bound = self.program.int(wide, bound);
                let all = self.program.mul(number, bound);
                *sum = self.program.add(*sum, all);
            }
        }
        let (base, change) = (self.program.symbol(base), self.program.symbol(change));
        let value = self.number(cell);
        let own = self.program.add(base, change);
        let others = self.program.sub(value, own);
        let above = self.program.le(least, others);
        let below = self.program.le(others, most);
        let within = self.program.and(above, below);
        Some(self.program.implies(is_counted, within))
    }

    /// Checks whether only the first thread starts threads of a class.
    fn is_started_by_first(&self, class: ClassId) -> bool {
        let mut starts = self.facts.shape.starts.iter().filter(|(_, c)| **c == class);
        starts.all(|(&(context, ..), _)| self.class(context) == 0)
    }

    /// A thread gives cells back.
    fn release(
        &mut self,
        writer: &mut Writer,
        class: ClassId,
        cells: &BTreeSet<CellId>,
        written: &BTreeSet<CellId>,
    ) {
        if self.purpose == Purpose::Check {
            for (number, fact) in self.invariants.iter().enumerate() {
                if fact.cells().all(|cell| cells.contains(&cell))
                    && fact.cells().any(|cell| written.contains(&cell))
                {
                    let holds = self.fact(fact);
                    self.claim(writer, holds, format!("fact {number}"));
                }
            }
        }
        for &cell in written {
            let Some(&Ghosts { mark, change, .. }) = self.ghosts.get(&cell) else { continue };
            let value = self.number(cell);
            let (mark, change) = (self.program.symbol(mark), self.program.symbol(change));
            let step = self.program.sub(value, mark);
            let sum = self.program.add(change, step);
            writer.out.assign(change, sum);
            writer.out.assign(mark, value);
            match self.purpose {
                Purpose::Check => self.claim_share(writer, class, cell, false),
                Purpose::Observe => {
                    self.observe(writer, Observed::Running(class, cell), change);
                    self.observe(writer, Observed::Value(cell), value);
                }
            }
        }
    }

    fn observe(&mut self, writer: &mut Writer, what: Observed, value: ExprId) {
        if let Some(&symbol) = self.observers.get(&what) {
            let place = self.program.symbol(symbol);
            writer.out.assign(place, value);
        }
    }

    /// Claims that a thread has changed a cell by no more than the proof says.
    fn claim_share(&mut self, writer: &mut Writer, class: ClassId, cell: CellId, ended: bool) {
        let Some(&share) = self.shares.get(&(cell, class)) else { return };
        let wide = self.wide(cell);
        let change = self.program.symbol(self.ghosts[&cell].change);
        let (lo, hi) = if ended { share.ended } else { share.running };
        let (lo, hi) = (self.program.int(wide, lo), self.program.int(wide, hi));
        let above = self.program.le(lo, change);
        let below = self.program.le(change, hi);
        let within = self.program.and(above, below);
        self.claim(writer, within, format!("share {cell}"));
    }

    /// A claim of the proof: the same wherever it is made.
    fn claim(&mut self, writer: &mut Writer, holds: ExprId, what: String) {
        let span = writer.out.set_span(Span::DUMMY);
        writer.out.assert(holds, Claim::new(PROPERTY, what));
        writer.out.set_span(span);
    }

    fn fact(&mut self, fact: &Fact) -> ExprId {
        // Sums of narrow numbers have room in fewer bits.
        let is_small = fact.any_of.iter().all(|linear| {
            linear.at_least.abs() <= 1 << 40
                && linear.terms.iter().all(|&(coefficient, cell)| {
                    let size = self.source.size_of(self.layout.cells[cell].ty);
                    coefficient.abs() <= 1 << 10 && size.is_some_and(|size| size <= 4)
                })
        });
        let wide = self.program.types.int(true, if is_small { 64 } else { 128 });
        let mut any = self.program.bool(false);
        for Linear { terms, at_least } in &fact.any_of {
            let mut sum = self.program.int(wide, 0);
            for &(coefficient, cell) in terms {
                let place = self.layout.place(&mut self.program, cell);
                let value = self.program.cast(wide, place);
                let coefficient = self.program.int(wide, coefficient.into());
                let product = self.program.mul(coefficient, value);
                sum = self.program.add(sum, product);
            }
            let bound = self.program.int(wide, *at_least);
            let holds = self.program.le(bound, sum);
            any = self.program.or(any, holds);
        }
        any
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

    /// Gives a place, if there is one, any value.
    fn give_any(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
    ) -> Result<(), String> {
        let Some(dest) = dest else { return Ok(()) };
        let dest = writer.renaming.expr(&mut self.program, dest);
        let any = self.any(self.program.exprs.ty(dest))?;
        self.write(writer, node, dest, any)
    }

    fn call(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
        callee: Callee,
        args: &[ExprId],
    ) -> Result<(), String> {
        let (taken, _) = self.around(node, false)?;
        self.take(writer, node, &taken);
        let callees = self.flow.reader.callees(callee)?;
        let pointer = match callee {
            Callee::Direct(called) => return self.call_one(writer, node, dest, called, args),
            Callee::Indirect(pointer) => writer.renaming.expr(&mut self.program, pointer),
        };
        let done = writer.out.new_label();
        for called in callees {
            let function = self.program.function(called);
            let function = self.program.cast(self.program.exprs.ty(pointer), function);
            let other = writer.out.new_label();
            let differs = self.program.ne(pointer, function);
            writer.out.goto_if(differs, other);
            self.call_one(writer, node, dest, called, args)?;
            writer.out.goto(done);
            writer.out.label(other);
        }
        writer.out.unsupported("a call through a pointer to nothing");
        writer.out.label(done);
        Ok(())
    }

    fn call_one(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
        called: FunctionId,
        args: &[ExprId],
    ) -> Result<(), String> {
        let next = (node.0, node.1 + 1);
        let args: Box<[ExprId]> =
            args.iter().map(|&arg| writer.renaming.expr(&mut self.program, arg)).collect();
        let what = effect(self.source, called)?;
        match what {
            Effect::Body | Effect::Apart => {
                let context = match what {
                    Effect::Body => {
                        let key = (node.0, node.1, called);
                        Some(*self.facts.shape.calls.get(&key).ok_or("a call leads nowhere")?)
                    }
                    _ => None,
                };
                let own = context.and_then(|context| self.copies.get(&context).copied());
                let (Some(before), after) = (self.status(node), self.status(next)) else {
                    return Ok(());
                };
                let entered = match (own, context) {
                    (Some(_), Some(context)) => {
                        let entry = self.status((context, 0)).ok_or("a call leads nowhere")?;
                        self.edge(writer, &before, &entry);
                        self.exits.get(&context).cloned()
                    }
                    _ => Some(before),
                };
                let result = match dest {
                    Some(dest) => {
                        let dest = writer.renaming.expr(&mut self.program, dest);
                        let result = self.local(writer.copy, self.program.exprs.ty(dest));
                        writer.out.decl(result);
                        Some((dest, result))
                    }
                    None => None,
                };
                let place = result.map(|(_, result)| self.program.symbol(result));
                writer.out.call(place, own.unwrap_or(called), args);
                match (entered, after) {
                    (Some(from), Some(to)) => self.edge(writer, &from, &to),
                    _ => self.stop(writer),
                }
                if let (Some((dest, result)), Some(place)) = (result, place) {
                    self.write(writer, node, dest, place)?;
                    writer.out.dead(result);
                }
            }
            Effect::Of(Library::Leave) => self.stop(writer),
            Effect::Of(Library::Once) => return Err("`pthread_once`".into()),
            Effect::Of(Library::Create) => {
                self.go(writer, node, next);
                let fails = self.result_of(called).is_none();
                let argument = *args.last().ok_or("a thread without an argument")?;
                let done = writer.out.new_label();
                let value = self.result(writer, called, dest)?;
                if fails {
                    let failed = match value {
                        Some(value) => self.program.truth(value),
                        None => self.any_truth(writer),
                    };
                    writer.out.goto_if(failed, done);
                }
                for started in self.flow.leads(node)?.starts {
                    self.start(writer, node, started, argument)?;
                }
                // The number of the thread.
                let pointer = *args.first().ok_or("a thread without a number")?;
                self.write_any(writer, node, pointer)?;
                writer.out.label(done);
                self.store_result(writer, node, dest, value)?;
            }
            Effect::Of(Library::Join) => {
                self.go(writer, node, next);
                if let Some(&pointer) = args.get(1)
                    && !self.is_null(pointer)
                {
                    self.write_any(writer, node, pointer)?;
                }
                let value = self.result(writer, called, dest)?;
                self.store_result(writer, node, dest, value)?;
            }
            Effect::Waits => {
                self.wait(writer, node)?;
                self.go(writer, node, next);
                let value = self.result(writer, called, dest)?;
                self.store_result(writer, node, dest, value)?;
            }
            Effect::Silent | Effect::Of(_) => {
                self.go(writer, node, next);
                let value = self.result(writer, called, dest)?;
                self.store_result(writer, node, dest, value)?;
            }
        }
        Ok(())
    }

    fn is_null(&self, mut pointer: ExprId) -> bool {
        while let ExprKind::Cast(_, from) = *self.program.exprs.kind(pointer) {
            pointer = from;
        }
        match self.program.exprs.kind(pointer) {
            ExprKind::Int(bits) => bits.is_zero(),
            kind => matches!(kind, ExprKind::Zero),
        }
    }

    /// Any value is written where a pointer points to, if it is not null.
    fn write_any(
        &mut self,
        writer: &mut Writer,
        node: Node,
        pointer: ExprId,
    ) -> Result<(), String> {
        let place = self.program.deref(pointer);
        let ty = self.program.exprs.ty(place);
        if self.program.size_of(ty).is_none() || matches!(self.program.types.get(ty), Type::Void) {
            return Err("a result of unknown type".into());
        }
        let null = self.program.null(self.program.exprs.ty(pointer));
        let is_null = self.program.eq(pointer, null);
        let done = writer.out.new_label();
        writer.out.goto_if(is_null, done);
        let any = self.any_or_null(ty)?;
        self.write(writer, node, place, any)?;
        writer.out.label(done);
        Ok(())
    }

    /// Any number, or the pointer that threads return if they return none to anything.
    fn any_or_null(&mut self, ty: TypeId) -> Result<ExprId, String> {
        let is_pointer = matches!(self.source.types.get(ty), Type::Ptr(_));
        match is_pointer && self.flow.reader.results()?.is_empty() {
            true => Ok(self.program.null(ty)),
            false => self.any(ty),
        }
    }

    /// A thread waits for a condition: meanwhile others have the lock.
    fn wait(&mut self, writer: &mut Writer, node: Node) -> Result<(), String> {
        let Some(InstrKind::Call { args, .. }) = self.flow.instr(node) else { return Ok(()) };
        let lock = *args.get(1).ok_or("a wait without a lock")?;
        let at = self.flow.reader.values(lock);
        let Some(status) = self.status(node) else { return Ok(()) };
        let class = self.class(node.0);
        for group in 0..self.layout.groups.len() {
            let Guard::Lock(object, offset) = self.layout.groups[group].guard else { continue };
            let is_it = at.iter().any(|at| {
                at.object == object && (at.first..=at.last).contains(&offset)
            });
            if is_it && !status.alone[group] {
                let cells: BTreeSet<CellId> =
                    self.layout.groups[group].cells.iter().copied().collect();
                self.release(writer, class, &cells, &cells);
                self.acquire(writer, class, group, &cells, false);
            }
        }
        Ok(())
    }

    /// The number that a function of the library always returns, if there is one.
    fn result_of(&mut self, called: FunctionId) -> Option<ExprId> {
        let all = results(self.source, called)?;
        match &all[..] {
            [only] => Some(self.program.constant(only.clone())),
            _ => None,
        }
    }

    /// What a function of the library returns, in a variable if it is not always the same.
    fn result(
        &mut self,
        writer: &mut Writer,
        called: FunctionId,
        dest: Option<ExprId>,
    ) -> Result<Option<ExprId>, String> {
        let Some(dest) = dest else { return Ok(None) };
        let ty = self.source.exprs.ty(dest);
        if let Some(known) = self.result_of(called)
            && self.program.exprs.ty(known) == ty
        {
            return Ok(Some(known));
        }
        let result = self.local(writer.copy, ty);
        writer.out.decl(result);
        let place = self.program.symbol(result);
        let any = self.any(ty)?;
        writer.out.assign(place, any);
        Ok(Some(place))
    }

    fn store_result(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
        value: Option<ExprId>,
    ) -> Result<(), String> {
        let (Some(dest), Some(value)) = (dest, value) else { return Ok(()) };
        let dest = writer.renaming.expr(&mut self.program, dest);
        self.write(writer, node, dest, value)
    }

    /// A truth value that is chosen.
    fn any_truth(&mut self, writer: &mut Writer) -> ExprId {
        let ty = self.program.types.bool();
        let choice = self.local(writer.copy, ty);
        let place = self.program.symbol(choice);
        writer.out.decl(choice);
        let any = self.program.nondet(ty);
        writer.out.assign(place, any);
        place
    }

    /// Starts a thread: the execution goes on with the new thread, or with the one that starts it.
    fn start(
        &mut self,
        writer: &mut Writer,
        node: Node,
        started: FunctionId,
        argument: ExprId,
    ) -> Result<(), String> {
        let class = self.facts.shape.starts.get(&(node.0, node.1, started));
        let class = *class.ok_or("a thread has no class")?;
        let takes: Vec<TypeId> = match self.source.types.get(self.source.functions[started].ty) {
            Type::Func(_, params) => params.to_vec(),
            _ => Vec::new(),
        };
        if takes != [self.program.exprs.ty(argument)] {
            return Err("a thread begins with a function of another type".into());
        }
        if self.class(node.0) == 0 {
            let counters: Vec<SymbolId> = self
                .counters
                .iter()
                .filter(|((_, of), _)| *of == class)
                .map(|(_, &counter)| counter)
                .collect();
            for counter in counters {
                let place = self.program.symbol(counter);
                let ty = self.program.exprs.ty(place);
                let (one, limit) = (self.program.int(ty, 1), self.program.int(ty, MANY_THREADS));
                let more = self.program.add(place, one);
                let few = self.program.lt(place, limit);
                let counted = self.program.ite(few, more, place);
                writer.out.assign(place, counted);
            }
        }
        if self.purpose == Purpose::Check {
            // All starts of a function lead to one place, so that the thread is looked at once.
            let ty = self.program.exprs.ty(argument);
            let (label, place) = match writer.threads.get(&class) {
                Some(&known) => known,
                None => {
                    let new = (writer.out.new_label(), self.variable("argument", ty));
                    writer.threads.insert(class, new);
                    new
                }
            };
            let place = self.program.symbol(place);
            writer.out.assign(place, argument);
            let choice = self.any_truth(writer);
            writer.out.goto_if(choice, label);
            return Ok(());
        }
        let goes_on = writer.out.new_label();
        let choice = self.any_truth(writer);
        writer.out.goto_if(choice, goes_on);
        let mut saved = Vec::new();
        let ghosts: Vec<(CellId, Ghosts)> =
            self.ghosts.iter().map(|(&cell, &ghosts)| (cell, ghosts)).collect();
        for (cell, Ghosts { mark, change, .. }) in ghosts {
            let wide = self.wide(cell);
            for symbol in [mark, change] {
                let copy = self.local(writer.copy, wide);
                writer.out.decl(copy);
                let (to, from) = (self.program.symbol(copy), self.program.symbol(symbol));
                writer.out.assign(to, from);
                saved.push((from, to));
            }
        }
        self.run_thread(writer, class, argument);
        saved.into_iter().for_each(|(to, from)| writer.out.assign(to, from));
        writer.out.label(goes_on);
        Ok(())
    }

    /// Executes a thread from its beginning to its end.
    fn run_thread(&mut self, writer: &mut Writer, class: ClassId, argument: ExprId) {
        let root = self.facts.shape.classes[class as usize];
        let ghosts: Vec<(CellId, Ghosts)> =
            self.ghosts.iter().map(|(&cell, &ghosts)| (cell, ghosts)).collect();
        for &(cell, Ghosts { change, .. }) in &ghosts {
            let place = self.program.symbol(change);
            let wide = self.wide(cell);
            let zero = self.program.int(wide, 0);
            writer.out.assign(place, zero);
        }
        writer.out.call(None, self.copies[&root], [argument]);
        let Some(exit) = self.exits.get(&root).cloned() else { return };
        let nothing = self.nothing();
        let context = std::mem::replace(&mut writer.context, root);
        self.edge(writer, &exit, &nothing);
        writer.context = context;
        for (cell, Ghosts { change, .. }) in ghosts {
            match self.purpose {
                Purpose::Check => self.claim_share(writer, class, cell, true),
                Purpose::Observe => {
                    let change = self.program.symbol(change);
                    self.observe(writer, Observed::Ended(class, cell), change);
                }
            }
        }
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
