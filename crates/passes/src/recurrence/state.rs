//! The state of a loop: what its rounds read, of what its rounds change.
//!
//! Memory that the rounds of a loop do not change is the same in each of them, and memory that they do not read does not
//! matter to them. Both are asked of variables and allocations as a whole, with the functions that are called and by
//! points-to analysis. A variable that can be named at the head is compared as it is. Of memory that has no name there,
//! only what is read by places that mean the same in every round (`*p`, where nobody changes `p`) can be compared.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;
use vergo_analysis::callgraph::CallGraph;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::liveness::Liveness;
use vergo_analysis::points_to::{CellId, ObjectId, Origin, PointsTo};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Access, Callee, FunctionId, InstrKind, Program, SymbolId, SymbolKind};
use vergo_goto::rewrite::Role;

use super::compare::is_comparable;
use super::idle::idle;
use crate::split_accesses::addressed;

/// A part of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// A variable.
    Variable(SymbolId),
    /// A place behind a pointer, and the pointer where it is not certain that it can be read.
    Behind { place: ExprId, guarded: Option<ExprId> },
}

/// Something that is read or changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Object {
    Variable(SymbolId),
    Allocation(FunctionId, usize),
    Outside,
}

/// A read of memory: the place, if it is one, and the objects that it can touch.
#[derive(Clone, Debug)]
struct Read {
    place: Option<ExprId>,
    objects: Vec<Object>,
    /// True if it is read whenever the instruction is executed.
    certain: bool,
}

/// The effect of an instruction.
#[derive(Clone, Debug, Default)]
struct Effect {
    reads: Vec<Read>,
    writes: Vec<Object>,
    frees: Vec<Object>,
    calls: Vec<FunctionId>,
    declares: Option<SymbolId>,
    /// The reason why states cannot be compared where this is executed.
    trouble: Option<&'static str>,
}

/// A loop whose state is looked for.
#[derive(Clone, Copy)]
struct Subject<'a> {
    program: &'a Program,
    function: FunctionId,
    nodes: &'a BTreeSet<usize>,
    head: Option<usize>,
    /// All functions that it calls.
    called: &'a BTreeSet<FunctionId>,
    /// The objects that its rounds change.
    changed: &'a BTreeSet<Object>,
}

/// The effects of the instructions of a program.
pub(super) struct Effects {
    calls: CallGraph,
    of: BTreeMap<FunctionId, Vec<Effect>>,
    /// The variables that can be accessed through pointers.
    addressed: EntitySet<SymbolId>,
}

impl Effects {
    pub(super) fn of(program: &Program) -> Effects {
        let points_to = PointsTo::of(program);
        let calls = CallGraph::resolved(program, &points_to);
        let mut of = BTreeMap::new();
        for &function in calls.bottom_up().iter().flatten() {
            let body = program.functions[function].body.as_deref().unwrap_or_default();
            let look = Look { program, points_to: &points_to };
            of.insert(function, body.iter().map(|instr| look.effect(&instr.kind)).collect());
        }
        Effects { calls, of, addressed: addressed(program) }
    }

    /// The functions that can be called.
    pub(super) fn functions(&self) -> Vec<FunctionId> {
        self.of.keys().copied().collect()
    }

    pub(super) fn is_recursive(&self, function: FunctionId) -> bool {
        self.calls.is_recursive(function)
    }

    /// All functions that some call, with those that they call.
    fn called(&self, first: impl Iterator<Item = FunctionId>) -> BTreeSet<FunctionId> {
        let mut found = BTreeSet::new();
        let mut work: Vec<FunctionId> = first.collect();
        while let Some(function) = work.pop() {
            if found.insert(function) {
                work.extend(self.calls.callees(function));
            }
        }
        found
    }

    /// The state of a loop at its head, or of a function that calls itself where it begins. What cannot be compared is the
    /// error.
    pub(super) fn state(
        &self,
        program: &Program,
        function: FunctionId,
        cfg: &Cfg,
        nodes: &BTreeSet<usize>,
        head: Option<usize>,
    ) -> Result<Vec<Part>, String> {
        let own: Vec<&Effect> = nodes.iter().map(|&at| &self.of[&function][at]).collect();
        let called = self.called(own.iter().flat_map(|effect| effect.calls.iter().copied()));
        let foreign = called.iter().filter_map(|callee| self.of.get(callee)).flatten();
        let all: Vec<&Effect> = own.iter().copied().chain(foreign).collect();
        if let Some(trouble) = all.iter().find_map(|effect| effect.trouble) {
            return Err(trouble.to_owned());
        }
        let is_made_inside = |object: &Object| match *object {
            Object::Allocation(of, at) => {
                called.contains(&of) || of == function && nodes.contains(&at)
            }
            _ => false,
        };
        if !all.iter().flat_map(|effect| &effect.frees).all(is_made_inside) {
            return Err("it frees memory".to_owned());
        }
        let mut changed: BTreeSet<Object> =
            all.iter().flat_map(|effect| effect.writes.iter().copied()).collect();
        // Arguments are given anew to each call.
        if head.is_none() {
            let params = program.functions[function].params.iter();
            changed.extend(params.map(|&param| Object::Variable(param)));
        }
        let declared: BTreeSet<SymbolId> =
            own.iter().filter_map(|effect| effect.declares).collect();
        let liveness = Liveness::of(program, function, cfg);
        let is_live = |symbol: SymbolId| liveness.is_live(head.unwrap_or(0), symbol);
        let reads = || all.iter().flat_map(|effect| &effect.reads);
        let read: BTreeSet<Object> =
            reads().flat_map(|read| read.objects.iter().copied()).collect();
        let mut parts = BTreeSet::new();
        let subject =
            Subject { program, function, nodes, head, called: &called, changed: &changed };
        let behind = |object, parts: &mut BTreeSet<Part>| self.behind(&subject, object, parts);
        let body = |of: FunctionId| program.functions[of].body.as_deref().unwrap_or_default();
        let own_instrs = nodes.iter().map(|&at| &body(function)[at].kind);
        let foreign_instrs = called.iter().flat_map(|&of| body(of)).map(|instr| &instr.kind);
        let idle = idle(program, own_instrs.chain(foreign_instrs), &self.addressed);
        for object in read.intersection(&changed) {
            if matches!(object, Object::Variable(symbol) if idle.contains(symbol)) {
                continue;
            }
            let Object::Variable(symbol) = *object else {
                if is_made_inside(object) {
                    return Err("it uses memory that it allocates".to_owned());
                }
                behind(*object, &mut parts)?;
                continue;
            };
            let is_addressed = self.addressed.contains(symbol);
            match program.symbols[symbol].kind {
                SymbolKind::Static { .. } => {
                    parts.insert(Part::Variable(symbol));
                }
                SymbolKind::Local(of) | SymbolKind::Param(of) if of == function => {
                    let is_new = match head {
                        Some(_) => declared.contains(&symbol),
                        None => matches!(program.symbols[symbol].kind, SymbolKind::Local(_)),
                    };
                    // Of a function that calls itself there may be several, of which one has the name.
                    if is_addressed && self.is_recursive(function) {
                        behind(*object, &mut parts)?;
                    } else if is_new && is_addressed && self.outlives_round(&subject, cfg, symbol) {
                        return Err(unnamed(program, symbol));
                    } else if is_live(symbol) && (head.is_some() || !is_new)
                        || is_addressed && !is_new
                    {
                        parts.insert(Part::Variable(symbol));
                    }
                }
                SymbolKind::Local(of) | SymbolKind::Param(of) => {
                    let is_callee = called.contains(&of);
                    let may_be_caller = self.called([of].into_iter()).contains(&function);
                    match (is_callee, may_be_caller && is_addressed) {
                        // It lives within a round.
                        (true, false) => {}
                        (true, true) => return Err(unnamed(program, symbol)),
                        (false, _) => behind(*object, &mut parts)?,
                    }
                }
            }
        }
        for part in &parts {
            if let Part::Variable(symbol) = *part
                && !is_comparable(program, program.symbols[symbol].ty, 0)
            {
                return Err(format!("values of `{}` cannot be compared", name(program, symbol)));
            }
        }
        Ok(parts.into_iter().collect())
    }

    /// Checks whether a variable that begins in a round may still be there when the next one begins.
    fn outlives_round(&self, subject: &Subject<'_>, cfg: &Cfg, symbol: SymbolId) -> bool {
        let Some(head) = subject.head else { return true };
        let body = subject.program.functions[subject.function].body.as_deref().unwrap_or_default();
        let is_begin = |at: &usize| body[*at].kind == InstrKind::Decl(symbol);
        let mut seen = BTreeSet::new();
        let mut work: Vec<usize> = subject.nodes.iter().copied().filter(is_begin).collect();
        while let Some(at) = work.pop() {
            for to in cfg.successors(at).filter(|to| subject.nodes.contains(to)) {
                if to == head {
                    return true;
                }
                let is_end = body[to].kind == InstrKind::Dead(symbol) || is_begin(&to);
                if !is_end && seen.insert(to) {
                    work.push(to);
                }
            }
        }
        false
    }

    /// Adds what a loop reads of an object that has no name at its head.
    fn behind(
        &self,
        subject: &Subject<'_>,
        object: Object,
        parts: &mut BTreeSet<Part>,
    ) -> Result<(), String> {
        let Subject { program, function, nodes, head, called, changed } = *subject;
        let what = || match object {
            Object::Variable(symbol) => unnamed(program, symbol),
            Object::Allocation(..) => "it uses allocated memory".to_owned(),
            Object::Outside => "it uses memory from outside".to_owned(),
        };
        let Some(head) = head else { return Err(what()) };
        let effects = &self.of[&function];
        let foreign = called.iter().filter_map(|callee| self.of.get(callee)).flatten();
        if foreign.flat_map(|effect| &effect.reads).any(|read| read.objects.contains(&object)) {
            return Err(what());
        }
        let certain = certain_reads(program, function, effects, head);
        let declared: BTreeSet<SymbolId> =
            nodes.iter().filter_map(|&at| effects[at].declares).collect();
        let own = || nodes.iter().flat_map(|&at| &effects[at].reads);
        for read in own() {
            if !read.objects.contains(&object) {
                continue;
            }
            let place = read.place.ok_or_else(what)?;
            let lasts = |part: ExprId| match *program.exprs.kind(part) {
                ExprKind::Symbol(symbol) => {
                    let is_named = match program.symbols[symbol].kind {
                        SymbolKind::Static { .. } => true,
                        SymbolKind::Local(of) | SymbolKind::Param(of) => of == function,
                    };
                    let is_changed = changed.contains(&Object::Variable(symbol));
                    is_named && !is_changed && !declared.contains(&symbol)
                }
                // A pointer behind a pointer, where that can be read.
                ExprKind::Deref(_) => {
                    let mut objects = own().filter(|read| read.place == Some(part)).peekable();
                    certain.contains(&part)
                        && objects.peek().is_some()
                        && objects.flat_map(|read| &read.objects).all(|o| !changed.contains(o))
                }
                ExprKind::Memory(..) | ExprKind::Nondet(_) => false,
                _ => true,
            };
            let pointer = lasting_pointer(program, place, lasts).ok_or_else(what)?;
            if !is_comparable(program, program.exprs.ty(place), 0) {
                return Err(what());
            }
            let guarded = (!certain.contains(&place)).then_some(pointer);
            parts.insert(Part::Behind { place, guarded });
        }
        Ok(())
    }
}

fn name(program: &Program, symbol: SymbolId) -> &str {
    let symbol = &program.symbols[symbol];
    if symbol.display.is_empty() { &symbol.name } else { &symbol.display }
}

fn unnamed(program: &Program, symbol: SymbolId) -> String {
    format!("it uses the variable `{}` of another scope by its address", name(program, symbol))
}

/// The places that are read whenever control comes to a head, before anything that could go another way.
fn certain_reads(
    program: &Program,
    function: FunctionId,
    effects: &[Effect],
    head: usize,
) -> BTreeSet<ExprId> {
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let mut found = BTreeSet::new();
    for (instr, effect) in body.iter().zip(effects).skip(head) {
        let certain = effect.reads.iter().filter(|read| read.certain);
        found.extend(certain.filter_map(|read| read.place));
        let goes_on = matches!(
            instr.kind,
            InstrKind::Label(_) | InstrKind::Skip | InstrKind::Assign(..) | InstrKind::Decl(_)
        );
        if !goes_on {
            break;
        }
    }
    found
}

/// The pointer of a place that is the same place as long as all parts of the pointer last.
fn lasting_pointer(
    program: &Program,
    place: ExprId,
    lasts: impl Fn(ExprId) -> bool,
) -> Option<ExprId> {
    let mut base = place;
    let pointer = loop {
        match *program.exprs.kind(base) {
            ExprKind::Member(inner, _) => base = inner,
            ExprKind::Index(inner, index) => {
                program.const_of(index)?;
                base = inner;
            }
            ExprKind::Deref(pointer) => break pointer,
            _ => return None,
        }
    };
    let mut is_lasting = true;
    program.for_each_subexpr(pointer, |part| is_lasting &= lasts(part));
    is_lasting.then_some(pointer)
}

/// Expressions of an instruction that have been looked at, and whether they are certainly evaluated.
type Seen = FxHashSet<(ExprId, bool)>;

/// Looks at instructions.
struct Look<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
}

impl Look<'_> {
    fn effect(&self, instr: &InstrKind) -> Effect {
        let mut effect = Effect::default();
        let mut seen = FxHashSet::default();
        instr.for_each_expr(|expr, role| match role {
            Role::Read => self.value(expr, true, &mut seen, &mut effect),
            Role::Write => {
                self.address(expr, true, &mut seen, &mut effect);
                effect.writes.extend(self.objects(expr));
            }
        });
        match instr {
            InstrKind::Call { callee, .. } => match callee {
                Callee::Direct(callee) => effect.calls.push(*callee),
                Callee::Indirect(pointer) => effect.calls = self.points_to.callees(*pointer),
            },
            InstrKind::Decl(symbol) => effect.declares = Some(*symbol),
            InstrKind::Free(pointer, _) => effect.frees = self.behind(*pointer),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => {
                effect.trouble = Some("other threads may change its state");
            }
            InstrKind::Intrinsic { op, args, .. } => {
                for block in op.blocks() {
                    let pointer = args[block.pointer];
                    let objects = match self.points_to.block(pointer) {
                        [] => self.behind(pointer),
                        cells => self.of_cells(cells),
                    };
                    match block.access {
                        Access::Write => effect.writes.extend(objects),
                        Access::Read | Access::Copy => {
                            effect.reads.push(Read { place: None, objects, certain: false });
                        }
                    }
                }
            }
            _ => {}
        }
        effect
    }

    /// An expression that is evaluated for its value, always or on a condition.
    fn value(&self, expr: ExprId, certain: bool, seen: &mut Seen, effect: &mut Effect) {
        if seen.insert((expr, certain)) {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                self.value_unseen(expr, certain, seen, effect);
            });
        }
    }

    fn value_unseen(&self, expr: ExprId, certain: bool, seen: &mut Seen, effect: &mut Effect) {
        let program = self.program;
        if program.is_place(expr) {
            self.address(expr, certain, seen, effect);
            effect.reads.push(Read { place: Some(expr), objects: self.objects(expr), certain });
            return;
        }
        match program.exprs.kind(expr) {
            ExprKind::AddressOf(place) => self.address(*place, certain, seen, effect),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, right) => {
                self.value(*left, certain, seen, effect);
                self.value(*right, false, seen, effect);
            }
            ExprKind::Ite(condition, then, otherwise) => {
                self.value(*condition, certain, seen, effect);
                self.value(*then, false, seen, effect);
                self.value(*otherwise, false, seen, effect);
            }
            ExprKind::Memory(op, operands) => {
                operands.iter().for_each(|&operand| self.value(operand, certain, seen, effect));
                match op {
                    MemoryOp::TextSize | MemoryOp::TextEnds => {
                        let objects = self.behind(operands[0]);
                        effect.reads.push(Read { place: None, objects, certain: false });
                    }
                    MemoryOp::HasObject
                    | MemoryOp::IsLive
                    | MemoryOp::ObjectSize
                    | MemoryOp::Offset
                    | MemoryOp::SameObject
                    | MemoryOp::IsHeap
                    | MemoryOp::IsWritable
                    | MemoryOp::IsFunction => {}
                    MemoryOp::IsInitialized
                    | MemoryOp::HeapEmpty
                    | MemoryOp::HeapReachable
                    | MemoryOp::UnracedRead
                    | MemoryOp::UnracedWrite
                    | MemoryOp::OthersGoOn => {
                        effect.trouble = Some("it asks about the state of memory");
                    }
                }
            }
            kind => kind.for_each_child(|child| self.value(child, certain, seen, effect)),
        }
    }

    /// Adds the reads that find the address of a place.
    fn address(&self, place: ExprId, certain: bool, seen: &mut Seen, effect: &mut Effect) {
        match *self.program.exprs.kind(place) {
            ExprKind::Deref(pointer) => self.value(pointer, certain, seen, effect),
            ExprKind::Member(base, _) => self.address(base, certain, seen, effect),
            ExprKind::Index(base, index) => {
                self.address(base, certain, seen, effect);
                self.value(index, certain, seen, effect);
            }
            ExprKind::Symbol(_) => {}
            _ => self.value(place, certain, seen, effect),
        }
    }

    /// The objects that an access of a place can touch.
    fn objects(&self, place: ExprId) -> Vec<Object> {
        if let Some(symbol) = self.program.root_variable(place) {
            return vec![Object::Variable(symbol)];
        }
        match self.points_to.cells(place) {
            [] => {
                let mut base = place;
                loop {
                    match *self.program.exprs.kind(base) {
                        ExprKind::Member(inner, _) | ExprKind::Index(inner, _) => base = inner,
                        ExprKind::Deref(pointer) => return self.behind(pointer),
                        _ => return Vec::new(),
                    }
                }
            }
            cells => self.of_cells(cells),
        }
    }

    fn of_cells(&self, cells: &[CellId]) -> Vec<Object> {
        let overlapping = cells.iter().flat_map(|&cell| self.points_to.overlapping(cell));
        let objects = overlapping.map(|&cell| self.points_to.object(cell));
        let own = cells.iter().map(|&cell| self.points_to.object(cell));
        self.named(objects.chain(own))
    }

    /// The objects that a pointer can point to; from outside it may be to all whose address is known there.
    fn behind(&self, pointer: ExprId) -> Vec<Object> {
        let mut objects = self.points_to.targets(pointer);
        if objects.iter().any(|&object| self.points_to.origin(object) == Origin::Outside) {
            objects.extend(self.points_to.objects().filter(|&o| self.points_to.is_exposed(o)));
        }
        self.named(objects.into_iter())
    }

    fn named(&self, objects: impl Iterator<Item = ObjectId>) -> Vec<Object> {
        let named = objects.filter_map(|object| match self.points_to.origin(object) {
            Origin::Variable(symbol) => Some(Object::Variable(symbol)),
            Origin::Allocation(function, at) => Some(Object::Allocation(function, at)),
            Origin::Outside => Some(Object::Outside),
            Origin::Function(_) => None,
        });
        let mut named: Vec<Object> = named.collect();
        named.sort_unstable();
        named.dedup();
        named
    }
}
