//! Removes what no claim depends on: the slicer of GOTO programs.
//!
//! **Source.** Algorithm 6 and section 4.2.2 of the thesis, which keeps assumptions, assertions and branches and removes
//! assignments to variables that none of them depends on. Changed: dependence goes through pointers (cells of
//! [points-to analysis](vergo_analysis::points_to)), calls (parameters, results and who calls) and control
//! ([`vergo_analysis::control`], after Weiser's slices), so that branches, calls and whole loops go too; and it is found by
//! marking backward from the claims, in time linear in the dependences, instead of by sets of variables at each place.
//!
//! **What stays.** Claims (assertions, unsupported instructions, and intrinsics that only runs execute), assumptions, ends of
//! the program and loops without an exit; and from these on, again and again: the branches that decide whether something
//! that stays is executed, the calls of a function in which something stays, whatever can write what is read, and what
//! makes or ends the life of an object that is read. What cannot lead to a claim any more is replaced by the end of the
//! program.
//!
//! **Base case and forward condition.** In the base case every loop stays that claims come behind, because an execution that stays in it does not
//! get to them. For the forward condition (example 4.5) a loop in which nothing stays is removed: an execution of the slice
//! may go on where the program's does not. See [`crate::slice_base`] for the former; this pass is the latter.
//!
//! **Soundness.** For every execution of the program that comes to a claim there is one of the slice that comes to it with
//! the same values in everything that the claim reads, so that what is proved of the slice holds of the program. The
//! converse holds in the base case up to faults (section 6 of `ir.md`); a violation in the slice is therefore replayed in
//! the program before it is believed. Claims about memory inside of code that would be removed are claims, and stay with
//! what they read. `#heap_reachable` and threads make everything relevant, and so do pointers from outside where addresses are given
//! away ([`outside`]): such programs are left alone.
//!
//! **Sites.** Choices that stay keep their numbers, so that an execution of the slice says what to choose in the program.

use crate::Options;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_analysis::callgraph::CallGraph;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::control::Control;
use vergo_analysis::points_to::{CellId, ObjectId, Origin, PointsTo};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Access, Callee, Exit, FunctionId, InstrKind, LabelId, Program,
};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

mod outside;
mod reach;

use reach::Reach;

/// The pass: a slice for the forward condition.
pub fn run(program: &mut Program, _: &Options) {
    slice(program, Mode::Forward);
}

/// The treatment of loops from which everything was removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// They stay.
    Base,
    /// They are removed.
    Forward,
}

/// The size of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Instructions of functions that can be called, before.
    pub before: usize,
    /// Those that stay, without labels and jumps that are always taken.
    pub after: usize,
}

/// Slices a program; nothing happens where everything is relevant.
pub fn slice(program: &mut Program, mode: Mode) -> Size {
    let whole = |program: &Program| {
        let before = program.functions.values().map(n_instrs).sum();
        Size { before, after: before }
    };
    if program.entry.is_none() || depends_on_everything(program) {
        return whole(program);
    }
    let points_to = PointsTo::of(program);
    let graph = CallGraph::resolved(program, &points_to);
    if outside::meets_addresses(program, &points_to, &graph) {
        return whole(program);
    }
    let marks = {
        let mut slicer = Slicer::new(program, &points_to, &graph);
        slicer.begin(mode);
        slicer.work();
        slicer.into_marks()
    };
    let mut size = Size::default();
    for &function in graph.bottom_up().iter().flatten() {
        size.before += n_instrs(&program.functions[function]);
        rewrite(program, function, &marks);
        size.after += n_instrs(&program.functions[function]);
    }
    size
}

fn n_instrs(function: &vergo_goto::program::Function) -> usize {
    let counts = |kind: &InstrKind| {
        !matches!(kind, InstrKind::Skip | InstrKind::Label(_) | InstrKind::Goto(None, _))
    };
    function.body.iter().flatten().filter(|instr| counts(&instr.kind)).count()
}

/// Returns whether threads, or questions about the whole heap, make everything relevant.
fn depends_on_everything(program: &Program) -> bool {
    let is_everything = |kind: &ExprKind| {
        matches!(
            kind,
            ExprKind::Memory(
                MemoryOp::HeapReachable | MemoryOp::UnracedRead | MemoryOp::UnracedWrite,
                _
            )
        )
    };
    // Parts of an expression come before it.
    let mut asks: EntitySet<ExprId> = EntitySet::new();
    for (id, expr) in program.exprs.iter() {
        let mut is_asked = is_everything(&expr.kind);
        expr.kind.for_each_child(|child| is_asked |= asks.contains(child));
        if is_asked {
            asks.insert(id);
        }
    }
    let mut bodies = program.functions.values().flat_map(|function| function.body.iter().flatten());
    bodies.any(|instr| {
        let mut is_asked = matches!(instr.kind, InstrKind::Spawn { .. } | InstrKind::Join { .. });
        instr.kind.for_each_expr(|expr, _| is_asked |= asks.contains(expr));
        is_asked
    })
}

/// Returns whether an instruction is a claim.
fn is_claim(program: &Program, kind: &InstrKind) -> bool {
    match kind {
        InstrKind::Assert(cond, _) => *program.exprs.kind(*cond) != ExprKind::Bool(true),
        InstrKind::Unsupported(_) => true,
        InstrKind::Intrinsic { op, .. } => op.is_for_runs(),
        _ => false,
    }
}

/// A function under analysis.
#[derive(Clone)]
struct Shape {
    control: Control,
    /// Positions that can lead to a claim.
    leads: Vec<bool>,
    kept: Vec<bool>,
    /// Blocks whose controllers stay.
    blocks: Vec<bool>,
}

/// The instructions and variables that stay.
struct Marks {
    shapes: SecondaryMap<FunctionId, Option<Shape>>,
    results: EntitySet<FunctionId>,
    /// Calls whose result matters.
    dests: FxHashSet<(FunctionId, usize)>,
    /// Arguments that matter.
    args: FxHashSet<(FunctionId, usize, usize)>,
}

/// An item of the work list.
enum Task {
    Instr(FunctionId, usize),
    Cell(CellId),
    Life(ObjectId),
    Result(FunctionId),
}

/// Something that writes.
#[derive(Clone, Copy)]
enum Writer {
    /// An instruction by what it is there for.
    Instr(FunctionId, usize),
    /// The result of a call.
    Dest(FunctionId, usize),
    /// A parameter, by whoever calls.
    Param(FunctionId, usize),
}

struct Slicer<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    marks: Marks,
    /// By the number of the cell.
    writers: Vec<Vec<Writer>>,
    /// By the number of the object.
    lives: Vec<Vec<Writer>>,
    /// The callers of a function: where, and whether through a pointer.
    callers: SecondaryMap<FunctionId, Vec<(FunctionId, usize)>>,
    returns: SecondaryMap<FunctionId, Vec<usize>>,
    wanted_cells: Vec<bool>,
    /// Cells that somebody reads what was written to.
    written_cells: Vec<bool>,
    wanted_lives: Vec<bool>,
    in_functions: EntitySet<FunctionId>,
    read: EntitySet<ExprId>,
    outside: Option<ObjectId>,
    tasks: Vec<Task>,
}

impl<'a> Slicer<'a> {
    fn new(program: &'a Program, points_to: &'a PointsTo, graph: &CallGraph) -> Slicer<'a> {
        let mut shapes: SecondaryMap<FunctionId, Option<Shape>> = SecondaryMap::new();
        let outside = points_to.objects().find(|&o| points_to.origin(o) == Origin::Outside);
        let reach = Reach::of(program, points_to, graph);
        let mut slicer_callers: SecondaryMap<FunctionId, Vec<(FunctionId, usize)>> = SecondaryMap::new();
        let mut returns: SecondaryMap<FunctionId, Vec<usize>> = SecondaryMap::new();
        let mut writers: Vec<Vec<Writer>> = vec![Vec::new(); points_to.n_cells()];
        let mut lives: Vec<Vec<Writer>> = vec![Vec::new(); points_to.n_objects()];
        for &function in graph.bottom_up().iter().flatten() {
            let info = &program.functions[function];
            let Some(body) = &info.body else { continue };
            let cfg = Cfg::of(info);
            let mut write_cells = |cells: &[CellId], writer: Writer| {
                cells.iter().for_each(|&cell| writers[points_to.number(cell)].push(writer));
            };
            for (at, instr) in body.iter().enumerate().filter(|&(at, _)| cfg.is_reachable(at)) {
                let this = Writer::Instr(function, at);
                match &instr.kind {
                    InstrKind::Assign(place, _) => write_cells(points_to.cells(*place), this),
                    InstrKind::Alloc { dest, .. } => {
                        write_cells(points_to.cells(*dest), this);
                        if let Some(object) = points_to.allocation(function, at) {
                            lives[points_to.object_number(object)].push(this);
                        }
                    }
                    InstrKind::Call { dest, callee, .. } => {
                        dest.iter().for_each(|&dest| write_cells(points_to.cells(dest), Writer::Dest(function, at)));
                        for callee in callees(points_to, *callee) {
                            slicer_callers[callee].push((function, at));
                        }
                    }
                    InstrKind::Intrinsic { op, dest, args } => {
                        dest.iter().for_each(|&dest| write_cells(points_to.cells(dest), this));
                        for block in op.blocks().iter().filter(|b| b.access == Access::Write) {
                            if let Some(&pointer) = args.get(block.pointer) {
                                write_cells(points_to.block(pointer), this);
                            }
                        }
                    }
                    InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                        if let Some(object) = points_to.variable(*symbol) {
                            lives[points_to.object_number(object)].push(this);
                        }
                    }
                    InstrKind::Free(pointer, _) => {
                        for object in points_to.targets(*pointer) {
                            lives[points_to.object_number(object)].push(this);
                        }
                    }
                    InstrKind::Return(Some(_)) => returns[function].push(at),
                    _ => {}
                }
            }
            for (i, &param) in info.params.iter().enumerate() {
                let Some(object) = points_to.variable(param) else { continue };
                for &cell in points_to.cells_of(object) {
                    writers[points_to.number(cell)].push(Writer::Param(function, i));
                }
            }
            let leads = reach.of_function(function, &cfg);
            let control = Control::of(&cfg);
            let (kept, blocks) = (vec![false; body.len()], vec![false; body.len()]);
            shapes[function] = Some(Shape { control, leads, kept, blocks });
        }
        Slicer {
            program,
            points_to,
            marks: Marks {
                shapes,
                results: EntitySet::new(),
                dests: FxHashSet::default(),
                args: FxHashSet::default(),
            },
            writers,
            lives,
            callers: slicer_callers,
            returns,
            wanted_cells: vec![false; points_to.n_cells()],
            written_cells: vec![false; points_to.n_cells()],
            wanted_lives: vec![false; points_to.n_objects()],
            in_functions: EntitySet::new(),
            read: EntitySet::new(),
            outside,
            tasks: Vec::new(),
        }
    }

    /// Marks what stays in any case.
    fn begin(&mut self, mode: Mode) {
        let functions: Vec<FunctionId> =
            self.program.functions.keys().filter(|&f| self.marks.shapes[f].is_some()).collect();
        for function in functions {
            let body = self.program.functions[function].body.as_deref().unwrap_or_default();
            let Some(shape) = &self.marks.shapes[function] else { continue };
            for (at, instr) in body.iter().enumerate().filter(|&(at, _)| shape.leads[at]) {
                let stays = match instr.kind {
                    InstrKind::Assume(_) | InstrKind::End(_) => true,
                    ref kind => is_claim(self.program, kind),
                };
                if stays {
                    self.tasks.push(Task::Instr(function, at));
                }
            }
            let loops = match mode {
                Mode::Base => shape.control.back(),
                Mode::Forward => shape.control.endless(),
            };
            for &block in loops {
                let last = shape.control.last(block);
                if shape.leads[last] {
                    self.tasks.push(Task::Instr(function, last));
                }
            }
        }
        // Recursion is a loop, too.
        if mode == Mode::Base {
            let graph = CallGraph::resolved(self.program, self.points_to);
            for function in self.program.functions.keys().filter(|&f| graph.is_recursive(f)) {
                for &(caller, at) in &self.callers[function] {
                    self.tasks.push(Task::Instr(caller, at));
                }
            }
        }
    }

    fn work(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Instr(function, at) => self.keep(function, at),
                Task::Cell(cell) => self.want(cell),
                Task::Life(object) => self.live(object),
                Task::Result(function) => {
                    if self.marks.results.insert(function) {
                        for at in self.returns[function].clone() {
                            self.tasks.push(Task::Instr(function, at));
                        }
                    }
                }
            }
        }
    }

    fn into_marks(self) -> Marks {
        self.marks
    }

    /// An instruction stays, if it can lead to a claim: with what it reads, what decides whether it is executed, and
    /// whoever calls its function.
    fn keep(&mut self, function: FunctionId, at: usize) {
        let Some(shape) = &mut self.marks.shapes[function] else { return };
        if !shape.leads[at] || std::mem::replace(&mut shape.kept[at], true) {
            return;
        }
        let block = shape.control.block_of(at);
        if !std::mem::replace(&mut shape.blocks[block], true) {
            for &controller in shape.control.controllers(block) {
                self.tasks.push(Task::Instr(function, shape.control.last(controller)));
            }
        }
        if self.in_functions.insert(function) {
            for &(caller, at) in &self.callers[function] {
                self.tasks.push(Task::Instr(caller, at));
            }
        }
        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
        match &body[at].kind {
            // Arguments and where the result goes are marked on their own.
            InstrKind::Call { callee, .. } => {
                callee.pointer().into_iter().for_each(|pointer| self.reads(pointer));
            }
            // No claim depends on the status.
            InstrKind::Decl(_) | InstrKind::Dead(_) | InstrKind::End(_) => {}
            kind => {
                let mut written = None;
                let mut read = Vec::new();
                kind.for_each_expr(|expr, role| match role {
                    vergo_goto::rewrite::Role::Read => read.push(expr),
                    vergo_goto::rewrite::Role::Write => written = Some(expr),
                });
                read.into_iter().for_each(|expr| self.reads(expr));
                written.into_iter().for_each(|place| self.finds(place));
                if let InstrKind::Intrinsic { op, args, .. } = kind {
                    for block in op.blocks().iter().filter(|block| block.access != Access::Write) {
                        let cells = args.get(block.pointer).map_or(&[][..], |&p| self.points_to.block(p));
                        self.tasks.extend(cells.iter().map(|&cell| Task::Cell(cell)));
                    }
                }
            }
        }
    }

    /// Marks a cell as relevant: every instruction that writes a byte of it stays.
    fn want(&mut self, cell: CellId) {
        let points_to = self.points_to;
        if std::mem::replace(&mut self.wanted_cells[points_to.number(cell)], true) {
            return;
        }
        self.tasks.push(Task::Life(points_to.object(cell)));
        for &other in points_to.overlapping(cell) {
            let number = points_to.number(other);
            if std::mem::replace(&mut self.written_cells[number], true) {
                continue;
            }
            // A write into a dead object has no effect.
            self.tasks.push(Task::Life(points_to.object(other)));
            for writer in std::mem::take(&mut self.writers[number]) {
                self.written(writer);
            }
        }
    }

    fn written(&mut self, writer: Writer) {
        match writer {
            Writer::Instr(function, at) => self.tasks.push(Task::Instr(function, at)),
            Writer::Dest(function, at) => {
                if self.marks.dests.insert((function, at)) {
                    self.tasks.push(Task::Instr(function, at));
                    let body = self.program.functions[function].body.as_deref().unwrap_or_default();
                    if let InstrKind::Call { dest: Some(dest), callee, .. } = body[at].kind {
                        self.finds(dest);
                        let called = callees(self.points_to, callee);
                        self.tasks.extend(called.into_iter().map(Task::Result));
                    }
                }
            }
            Writer::Param(callee, index) => {
                for (function, at) in self.callers[callee].clone() {
                    if self.marks.args.insert((function, at, index)) {
                        self.tasks.push(Task::Instr(function, at));
                        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
                        if let InstrKind::Call { args, .. } = &body[at].kind
                            && let Some(&arg) = args.get(index)
                        {
                            self.reads(arg);
                        }
                    }
                }
            }
        }
    }

    /// Marks the lifetime of an object as relevant.
    fn live(&mut self, object: ObjectId) {
        let number = self.points_to.object_number(object);
        if std::mem::replace(&mut self.wanted_lives[number], true) {
            return;
        }
        for writer in std::mem::take(&mut self.lives[number]) {
            self.written(writer);
        }
        // What numbers lead to can be any of the exposed objects, and the other way round.
        if Some(object) == self.outside {
            let exposed = self.points_to.objects().filter(|&o| self.points_to.is_exposed(o));
            self.tasks.extend(exposed.map(Task::Life));
        } else if self.points_to.is_exposed(object) {
            self.tasks.extend(self.outside.map(Task::Life));
        }
    }

    /// An expression is read: each part once.
    fn reads(&mut self, expr: ExprId) {
        let program = self.program;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if !self.read.insert(expr) {
                continue;
            }
            let is_pointer = |expr: ExprId| matches!(program.type_of(expr), Type::Ptr(_));
            match program.exprs.kind(expr) {
                ExprKind::AddressOf(place) => self.finders(*place, &mut pending),
                kind if kind.is_place() && program.is_place(expr) => {
                    self.tasks.extend(self.points_to.cells(expr).iter().map(|&cell| Task::Cell(cell)));
                    self.finders(expr, &mut pending);
                }
                kind => {
                    match kind {
                        ExprKind::Memory(op, operands) => self.asks(*op, operands),
                        ExprKind::Binary(op, a, b)
                            if is_pointer(*a) && *op != BinaryOp::PtrAdd =>
                        {
                            self.lives_of(*a);
                            self.lives_of(*b);
                        }
                        ExprKind::Cast(_, operand) | ExprKind::Bits(operand)
                            if is_pointer(*operand) && !is_pointer(expr) =>
                        {
                            self.lives_of(*operand);
                        }
                        _ => {}
                    }
                    kind.for_each_child(|child| pending.push(child));
                }
            }
        }
    }

    /// A place has to be found, though it is not read.
    fn finds(&mut self, place: ExprId) {
        let mut pending = Vec::new();
        self.finders(place, &mut pending);
        pending.into_iter().for_each(|expr| self.reads(expr));
    }

    /// The pointers and indices that it takes to find a place, and the life of the variable in which it is.
    fn finders(&mut self, mut place: ExprId, out: &mut Vec<ExprId>) {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    out.push(index);
                    place = base;
                }
                ExprKind::Deref(pointer) => return out.push(pointer),
                ExprKind::Symbol(symbol) => {
                    return self.tasks.extend(self.points_to.variable(symbol).map(Task::Life));
                }
                _ => return out.push(place),
            }
        }
    }

    fn lives_of(&mut self, pointer: ExprId) {
        self.tasks.extend(self.points_to.targets(pointer).into_iter().map(Task::Life));
    }

    /// A question about memory.
    fn asks(&mut self, op: MemoryOp, operands: &[ExprId]) {
        let points_to = self.points_to;
        for &operand in operands {
            if matches!(self.program.type_of(operand), Type::Ptr(_)) {
                self.lives_of(operand);
                if matches!(op, MemoryOp::TextSize | MemoryOp::IsInitialized) {
                    for object in points_to.targets(operand) {
                        let cells = points_to.cells_of(object).iter();
                        self.tasks.extend(cells.map(|&cell| Task::Cell(cell)));
                    }
                }
            }
        }
        if op == MemoryOp::HeapEmpty {
            let is_heap = |&object: &ObjectId| {
                matches!(points_to.origin(object), Origin::Allocation(..) | Origin::Outside)
            };
            self.tasks.extend(points_to.objects().filter(is_heap).map(Task::Life));
        }
    }
}

fn callees(points_to: &PointsTo, callee: Callee) -> Vec<FunctionId> {
    match callee {
        Callee::Direct(function) => vec![function],
        Callee::Indirect(pointer) => points_to.callees(pointer),
    }
}

/// Writes a function with what stays of it.
fn rewrite(program: &mut Program, function: FunctionId, marks: &Marks) {
    let Some(shape) = &marks.shapes[function] else { return };
    let Some(body) = program.functions[function].body.take() else { return };
    let result = match *program.types.get(program.functions[function].ty) {
        Type::Func(result, _) => result,
        _ => program.types.void(),
    };
    let mut out = FunctionBuilder::continuing(program.functions[function].n_labels, body.len());
    // Labels at positions that branches now lead to.
    let mut labels: FxHashMap<usize, LabelId> = FxHashMap::default();
    let mut end = None;
    for (at, instr) in body.iter().enumerate() {
        if let Some(to) = replaced_branch(shape, at, &instr.kind) {
            match to {
                Some(to) => drop(labels.entry(to).or_insert_with(|| out.new_label())),
                None => end = end.or_else(|| Some(out.new_label())),
            }
        }
    }
    let mut in_dead_end = false;
    for (at, mut instr) in body.into_iter().enumerate() {
        out.set_span(instr.span);
        if let Some(&label) = labels.get(&at) {
            out.label(label);
            in_dead_end = false;
        }
        let is_label = matches!(instr.kind, InstrKind::Label(_));
        if is_label {
            out.push_instr(instr);
            in_dead_end = false;
            if !shape.leads[at] {
                out.end(Exit::Abort);
                in_dead_end = true;
            }
            continue;
        }
        if !shape.leads[at] {
            if !std::mem::replace(&mut in_dead_end, true) {
                out.end(Exit::Abort);
            }
            continue;
        }
        in_dead_end = false;
        if let Some(to) = replaced_branch(shape, at, &instr.kind) {
            let label = to.map_or(end, |to| labels.get(&to).copied());
            label.into_iter().for_each(|label| out.goto(label));
            continue;
        }
        match &mut instr.kind {
            InstrKind::Goto(None, _) => {}
            InstrKind::Return(value) if !shape.kept[at] || !marks.results.contains(function) => {
                *value = value.map(|_| program.zero(result));
            }
            InstrKind::Return(_) => {}
            _ if !shape.kept[at] => continue,
            InstrKind::End(exit) => *exit = Exit::Abort,
            InstrKind::Call { dest, args, .. } => {
                if !marks.dests.contains(&(function, at)) {
                    *dest = None;
                }
                for (index, arg) in args.iter_mut().enumerate() {
                    if !marks.args.contains(&(function, at, index)) {
                        *arg = some_value(program, *arg);
                    }
                }
            }
            _ => {}
        }
        out.push_instr(instr);
    }
    if let Some(end) = end {
        out.set_span(Span::DUMMY);
        out.label(end);
        let value = returned(program, result);
        out.ret(value);
    }
    out.finish(program, function);
}

fn returned(program: &mut Program, result: TypeId) -> Option<ExprId> {
    (!matches!(program.types.get(result), Type::Void)).then(|| program.zero(result))
}

/// A value that stands for one that nobody reads.
fn some_value(program: &mut Program, old: ExprId) -> ExprId {
    let ty = program.exprs.ty(old);
    program.zero(ty)
}

/// Where a branch that does not stay leads: to a position, or (`Some(None)`) to the end of the function.
fn replaced_branch(shape: &Shape, at: usize, kind: &InstrKind) -> Option<Option<usize>> {
    let goes = matches!(kind, InstrKind::Goto(Some(_), _)) && shape.leads[at] && !shape.kept[at];
    goes.then(|| shape.control.next_common(shape.control.block_of(at)))
}
