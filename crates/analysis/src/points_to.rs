//! Points-to analysis: which objects, and where in them, a pointer can point to.
//!
//! **Idea.** Inclusion constraints between sets of pointers, for the whole program at once, without regard to the order of
//! instructions and to who calls. Variables, allocations and functions are objects; a pointer is an object and an offset, or
//! all offsets that are a number of steps apart ([`Spot`]). The parts of an object that are accessed are its cells; two
//! cells overlap if accesses of them can touch the same byte, and what is stored in one can be loaded from the other. So
//! members of structures are told apart, elements of arrays are not, and casts between types of any kind need no rule of
//! their own.
//!
//! **Source.** Andersen, "Program analysis and specialization for the C programming language", 1994; offsets as in Pearce,
//! Kelly and Hankin, "Efficient field-sensitive pointer analysis of C", TOPLAS 2007, doi 10.1145/1290520.1290524, with steps
//! for arrays.
//!
//! **Numbers that are pointers.** An address that was seen as a number (cast, read from its bytes, compared with a pointer
//! that came from a number) is *exposed*; a pointer made of a number, a choice, or memory that nobody has written can
//! point to every exposed object. These pointers share one object, `OUTSIDE`, whose only cell overlaps all of the
//! exposed ones.
//!
//! **Soundness.** In every execution every pointer that is dereferenced is attached to one of its targets, within a spot of
//! it. That an unwritten variable may hold anything is kept even for local pointers, but for those that are always assigned
//! first ([`unwritten`]).
//!
//! **Effort.** A set keeps at most four spots of an object, an object at most 96 cells, so that spots and cells do not
//! multiply; what remains is the cubic worst case of inclusion, which programs do not come near: pointers from outside, the
//! one source of large sets, are one target and not all exposed ones.

mod solver;
mod spot;
mod unwritten;
mod values;

pub use solver::{CellId, ObjectId};
pub use spot::Spot;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Access, EMPTY, EXPOSED, Flow, LOOSE, Node, OUTSIDE, Solver};
use std::collections::BTreeSet;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, Intrinsic, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};

/// Something that pointers point into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Whatever a number can be the address of: exposed objects, and memory of the world outside.
    Outside,
    /// A variable.
    Variable(SymbolId),
    /// The object that the instruction at a position of a function allocates.
    Allocation(FunctionId, usize),
    /// A function.
    Function(FunctionId),
}

/// The pointers of a program.
#[derive(Clone, Debug)]
pub struct PointsTo {
    solver: Solver,
    origins: Vec<Origin>,
    variables: FxHashMap<SymbolId, ObjectId>,
    allocations: FxHashMap<(FunctionId, usize), ObjectId>,
    places: FxHashMap<ExprId, Place>,
    values: FxHashMap<ExprId, Node>,
    blocks: FxHashMap<ExprId, Access>,
    called: FxHashMap<ExprId, Vec<FunctionId>>,
}

/// Where a place is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A cell of a variable.
    Cell(CellId),
    /// Behind a pointer.
    Behind(Access),
    /// Part of a value.
    Value(Node),
}

impl PointsTo {
    /// Analyses a program: all functions that have a body.
    pub fn of(program: &Program) -> PointsTo {
        let mut maker = Maker::new(program);
        maker.statics();
        for (function, info) in program.functions.iter() {
            for (at, instr) in info.body.iter().flatten().enumerate() {
                maker.instruction(function, at, &instr.kind);
            }
        }
        maker.solve();
        let mut result = maker.result;
        let called: Vec<(ExprId, Vec<FunctionId>)> = maker
            .calls
            .iter()
            .filter_map(|call| Some((call.pointer?, result.functions_of(call.node))))
            .collect();
        result.called.extend(called);
        result
    }

    /// Returns the origin of an object.
    pub fn origin(&self, object: ObjectId) -> Origin {
        self.origins[object.0 as usize]
    }

    /// The object of a variable, if anything accesses it.
    pub fn variable(&self, symbol: SymbolId) -> Option<ObjectId> {
        self.variables.get(&symbol).copied()
    }

    /// The object of an allocation.
    pub fn allocation(&self, function: FunctionId, at: usize) -> Option<ObjectId> {
        self.allocations.get(&(function, at)).copied()
    }

    /// Returns the number of objects.
    pub fn n_objects(&self) -> usize {
        self.origins.len()
    }

    /// Returns the number of cells.
    pub fn n_cells(&self) -> usize {
        self.solver.cells.len()
    }

    /// The number of a cell, below [`PointsTo::n_cells`].
    pub fn number(&self, cell: CellId) -> usize {
        cell.0 as usize
    }

    /// The number of an object, below [`PointsTo::n_objects`].
    pub fn object_number(&self, object: ObjectId) -> usize {
        object.0 as usize
    }

    /// All objects, in order of their numbers.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.origins.len() as u32).map(ObjectId)
    }

    /// The object of a cell.
    pub fn object(&self, cell: CellId) -> ObjectId {
        self.solver.cells[cell.0 as usize].object
    }

    /// The cells of an object.
    pub fn cells_of(&self, object: ObjectId) -> &[CellId] {
        &self.solver.objects[object.0 as usize].cells
    }

    /// The cells that share a byte with one, itself included.
    pub fn overlapping(&self, cell: CellId) -> &[CellId] {
        &self.solver.cells[cell.0 as usize].overlaps
    }

    /// The cells that an access of a place of the program can touch.
    pub fn cells(&self, place: ExprId) -> &[CellId] {
        match self.places.get(&place) {
            Some(Place::Cell(cell)) => std::slice::from_ref(cell),
            Some(Place::Behind(access)) => &self.solver.accesses[access.0 as usize].cells,
            Some(Place::Value(_)) | None => &[],
        }
    }

    /// Returns whether a place is one cell of a variable that a write replaces as a whole.
    pub fn is_direct(&self, place: ExprId) -> bool {
        matches!(self.places.get(&place), Some(Place::Cell(_)))
    }

    /// The cells of the memory that an intrinsic touches at a pointer.
    pub fn block(&self, pointer: ExprId) -> &[CellId] {
        self.blocks
            .get(&pointer)
            .map_or(&[], |access| &self.solver.accesses[access.0 as usize].cells)
    }

    /// The objects that a pointer of the program can point to, in order. Exposed ones are not listed for pointers from
    /// outside, which point to [`Origin::Outside`]. A pointer that the program does not use as one may point to any object.
    pub fn targets(&self, pointer: ExprId) -> Vec<ObjectId> {
        let Some(&node) = self.values.get(&pointer) else { return self.objects().collect() };
        let mut objects: Vec<ObjectId> =
            self.solver.targets(node).map(|(object, _)| object).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Returns whether pointers made from numbers can lead to an object.
    pub fn is_exposed(&self, object: ObjectId) -> bool {
        self.solver.is_exposed(object)
    }

    /// The functions that a call through a pointer can reach, in order.
    pub fn callees(&self, pointer: ExprId) -> Vec<FunctionId> {
        self.called.get(&pointer).cloned().unwrap_or_default()
    }

    /// The functions that a set of pointers has.
    fn functions_of(&self, node: Node) -> Vec<FunctionId> {
        let own = self.solver.targets(node);
        let is_loose = self.solver.targets(node).any(|(object, _)| object == OUTSIDE);
        let exposed = self.solver.targets(EXPOSED).filter(|_| is_loose);
        let mut functions: Vec<FunctionId> = own
            .chain(exposed)
            .filter_map(|(object, _)| match self.origin(object) {
                Origin::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }
}

/// A call under analysis.
struct Call {
    node: Node,
    /// The pointer of the program; none of the call that a thread is.
    pointer: Option<ExprId>,
    dest: Option<(ExprId, FunctionId)>,
    args: Vec<Node>,
}

struct Maker<'a> {
    program: &'a Program,
    result: PointsTo,
    functions: FxHashMap<FunctionId, ObjectId>,
    /// The results of functions.
    returns: FxHashMap<FunctionId, Node>,
    addressed: FxHashSet<SymbolId>,
    assigned: FxHashSet<SymbolId>,
    /// Expressions whose parts have been looked at.
    visited: FxHashSet<ExprId>,
    calls: Vec<Call>,
    watched: FxHashMap<Node, Vec<usize>>,
    bound: FxHashSet<(usize, FunctionId)>,
}

impl<'a> Maker<'a> {
    fn new(program: &'a Program) -> Maker<'a> {
        let mut addressed = FxHashSet::default();
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::AddressOf(place) = expr.kind {
                addressed.extend(program.root_variable(place));
            }
        }
        let functions = program.functions.values();
        let assigned = functions
            .flat_map(|function| unwritten::assigned_first(program, function, &addressed))
            .collect();
        Maker {
            program,
            result: PointsTo {
                solver: Solver::new(),
                origins: vec![Origin::Outside],
                variables: FxHashMap::default(),
                allocations: FxHashMap::default(),
                places: FxHashMap::default(),
                values: FxHashMap::default(),
                blocks: FxHashMap::default(),
                called: FxHashMap::default(),
            },
            functions: FxHashMap::default(),
            returns: FxHashMap::default(),
            addressed,
            assigned,
            visited: FxHashSet::default(),
            calls: Vec::new(),
            watched: FxHashMap::default(),
            bound: FxHashSet::default(),
        }
    }

    fn solver(&mut self) -> &mut Solver {
        &mut self.result.solver
    }

    fn object(&mut self, origin: Origin, unwritten: bool) -> ObjectId {
        self.result.origins.push(origin);
        self.solver().object(unwritten)
    }

    fn variable(&mut self, symbol: SymbolId) -> ObjectId {
        if let Some(&known) = self.result.variables.get(&symbol) {
            return known;
        }
        let unwritten = match &self.program.symbols[symbol].kind {
            SymbolKind::Static { init, .. } => matches!(init, StaticInit::Nondet),
            SymbolKind::Local(_) => !self.assigned.contains(&symbol),
            SymbolKind::Param(_) => false,
        };
        let object = self.object(Origin::Variable(symbol), unwritten);
        self.result.variables.insert(symbol, object);
        object
    }

    fn function(&mut self, function: FunctionId) -> ObjectId {
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        let object = self.object(Origin::Function(function), false);
        self.functions.insert(function, object);
        object
    }

    fn returned(&mut self, function: FunctionId) -> Node {
        if let Some(&known) = self.returns.get(&function) {
            return known;
        }
        // A function without a body returns any value.
        let node = match self.program.functions[function].body {
            Some(_) => self.solver().node(),
            None => LOOSE,
        };
        self.returns.insert(function, node);
        node
    }

    fn len(&self, ty: TypeId) -> u64 {
        self.program.size_of(ty).unwrap_or(1).max(1)
    }

    fn statics(&mut self) {
        for (symbol, info) in self.program.symbols.iter() {
            let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind else {
                continue;
            };
            for part in parts {
                let InitPart::Value { offset, value } = part else {
                    // Bytes that are no zeros may be read as an address.
                    if matches!(part, InitPart::Bytes { bytes, .. } if bytes.iter().any(|&b| b != 0))
                        && self.program.types.has_pointers(info.ty)
                    {
                        let object = self.variable(symbol);
                        let any = self.solver().any_cell(object);
                        let store = self.result.solver.cells[any.0 as usize].store;
                        self.solver().flow(LOOSE, store, Flow::Copy);
                    }
                    continue;
                };
                self.visit(*value);
                let node = self.value(*value);
                if node == EMPTY {
                    continue;
                }
                let object = self.variable(symbol);
                let len = self.len(self.program.exprs.ty(*value));
                let offset = i64::try_from(*offset).map_or(Spot::ANY, |at| Spot::new(at, 0));
                let cell = self.solver().cell(object, offset, len);
                let store = self.result.solver.cells[cell.0 as usize].store;
                self.solver().flow(node, store, Flow::Copy);
            }
        }
    }

    fn instruction(&mut self, function: FunctionId, at: usize, instr: &InstrKind) {
        instr.for_each_expr(|expr, role| match role {
            Role::Read => self.visit(expr),
            Role::Write => self.visit_written(expr),
        });
        match instr {
            InstrKind::Assign(place, value) => {
                let value = self.value(*value);
                self.store(*place, value);
            }
            InstrKind::Alloc { dest, zeroed, .. } => {
                let object = self.object(Origin::Allocation(function, at), !zeroed);
                self.result.allocations.insert((function, at), object);
                let node = self.solver().node();
                self.solver().add(node, object, Spot::START);
                self.store(*dest, node);
            }
            InstrKind::Free(pointer, _) => {
                self.value(*pointer);
            }
            InstrKind::Return(Some(value)) => {
                let (value, returned) = (self.value(*value), self.returned(function));
                self.solver().flow(value, returned, Flow::Copy);
            }
            InstrKind::Call { dest, callee, args } => {
                let args: Vec<Node> = args.iter().map(|&arg| self.value(arg)).collect();
                self.call(*callee, *dest, args, function);
            }
            InstrKind::Spawn { dest, callee, arg } => {
                let arg = self.value(*arg);
                self.call(*callee, None, vec![arg], function);
                dest.iter().for_each(|&dest| self.store(dest, LOOSE));
            }
            // What a thread returned: it was stored in no place that is followed.
            InstrKind::Join { dest, .. } => {
                dest.iter().for_each(|&dest| self.store(dest, LOOSE));
                let returned: Vec<Node> =
                    self.program.functions.keys().map(|function| self.returned(function)).collect();
                for node in returned.into_iter().filter(|_| dest.is_some()) {
                    self.solver().flow(node, EXPOSED, Flow::Copy);
                }
            }
            InstrKind::Intrinsic { op, dest, args } => {
                let op: Intrinsic = *op;
                if op.is_for_runs() {
                    // Unsupported to everybody who asks.
                    return;
                }
                for block in op.blocks() {
                    let Some(&pointer) = args.get(block.pointer) else { continue };
                    let node = self.value(pointer);
                    let access = self.solver().access(node, Spot::ANY, 1);
                    self.result.blocks.insert(pointer, access);
                    if block.access == vergo_goto::program::Access::Write {
                        self.solver().store(access, LOOSE);
                    }
                }
                dest.iter().for_each(|&dest| self.store(dest, LOOSE));
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: Callee, dest: Option<ExprId>, args: Vec<Node>, caller: FunctionId) {
        match callee {
            Callee::Direct(callee) => self.bind(callee, &args, dest),
            Callee::Indirect(pointer) => {
                let node = self.value(pointer);
                let dest = dest.map(|dest| (dest, caller));
                let number = self.calls.len();
                self.calls.push(Call { node, pointer: Some(pointer), dest, args });
                self.watched.entry(node).or_default().push(number);
                // Who calls nobody that is known gets any value.
                if let Some((dest, _)) = dest {
                    self.store(dest, LOOSE);
                }
            }
        }
    }

    /// A function is called.
    fn bind(&mut self, callee: FunctionId, args: &[Node], dest: Option<ExprId>) {
        let params = &self.program.functions[callee].params;
        if self.program.functions[callee].body.is_some() {
            for (i, &param) in params.iter().enumerate() {
                let value = args.get(i).copied().unwrap_or(LOOSE);
                let object = self.variable(param);
                let len = self.len(self.program.symbols[param].ty);
                let cell = self.solver().cell(object, Spot::START, len);
                let store = self.result.solver.cells[cell.0 as usize].store;
                self.solver().flow(value, store, Flow::Copy);
            }
        }
        let returned = self.returned(callee);
        dest.iter().for_each(|&dest| self.store(dest, returned));
    }

    fn solve(&mut self) {
        loop {
            let mut watched: FxHashSet<Node> = self.watched.keys().copied().collect();
            watched.insert(EXPOSED);
            let seen = self.solver().solve(&watched);
            let mut changed = false;
            let mut work: Vec<(usize, FunctionId)> = Vec::new();
            let seen: BTreeSet<Node> = seen.into_iter().map(|(node, _)| node).collect();
            for node in seen {
                let numbers: Vec<usize> = match node {
                    // Loose pointers call what is exposed.
                    EXPOSED => (0..self.calls.len()).collect(),
                    _ => self.watched.get(&node).cloned().unwrap_or_default(),
                };
                for number in numbers {
                    let functions = self.result.functions_of(self.calls[number].node);
                    work.extend(functions.into_iter().map(|function| (number, function)));
                }
            }
            work.sort_unstable();
            work.dedup();
            for (number, function) in work {
                if self.bound.insert((number, function)) {
                    changed = true;
                    let args = self.calls[number].args.clone();
                    let dest = self.calls[number].dest.map(|(dest, _)| dest);
                    self.bind(function, &args, dest);
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// A place is written.
    fn store(&mut self, place: ExprId, value: Node) {
        match self.place(place) {
            Place::Cell(cell) => {
                let store = self.result.solver.cells[cell.0 as usize].store;
                self.solver().flow(value, store, Flow::Copy);
            }
            Place::Behind(access) => self.solver().store(access, value),
            Place::Value(_) => {}
        }
    }

    /// Looks at what an expression reads: each part once.
    fn visit(&mut self, expr: ExprId) {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if !self.visited.insert(expr) {
                continue;
            }
            self.seen(expr);
            match *self.program.exprs.kind(expr) {
                // The place is not read, only what it takes to find it.
                ExprKind::AddressOf(place) => {
                    self.place(place);
                    self.for_each_finder(place, &mut pending);
                }
                ref kind if kind.is_place() && self.program.is_place(expr) => {
                    self.for_each_finder(expr, &mut pending);
                }
                ref kind => kind.for_each_child(|child| pending.push(child)),
            }
        }
    }

    /// The same of a place that is written.
    fn visit_written(&mut self, place: ExprId) {
        self.place(place);
        let mut pending = Vec::new();
        self.for_each_finder(place, &mut pending);
        pending.into_iter().for_each(|expr| self.visit(expr));
    }

    /// The pointers and indices that it takes to find a place.
    fn for_each_finder(&self, mut place: ExprId, out: &mut Vec<ExprId>) {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    out.push(index);
                    place = base;
                }
                ExprKind::Deref(pointer) => return out.push(pointer),
                ExprKind::Symbol(_) => return,
                _ => return out.push(place),
            }
        }
    }

    /// Records the addresses that the evaluation of an expression exposes.
    fn seen(&mut self, expr: ExprId) {
        let program = self.program;
        let is_pointer = |expr: ExprId| matches!(program.type_of(expr), Type::Ptr(_));
        match *program.exprs.kind(expr) {
            ExprKind::Cast(_, operand) => {
                self.value(operand);
                if is_pointer(operand)
                    && matches!(program.type_of(expr), Type::Int { .. } | Type::Float(_))
                {
                    let value = self.value(operand);
                    self.solver().flow(value, EXPOSED, Flow::Copy);
                }
            }
            ExprKind::Bits(operand) => {
                let value = self.value(operand);
                self.solver().flow(value, EXPOSED, Flow::Copy);
            }
            ExprKind::Binary(op, a, b)
                if is_pointer(a)
                    && matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le) =>
            {
                let (a, b) = (self.value(a), self.value(b));
                self.solver().compare(a, b);
            }
            // With the distance of two objects one comes from an address to the other.
            ExprKind::Binary(BinaryOp::PtrDiff, a, b) => {
                for operand in [a, b] {
                    let value = self.value(operand);
                    self.solver().flow(value, EXPOSED, Flow::Copy);
                }
            }
            ExprKind::Memory(_, ref operands) => {
                for &operand in operands.iter().filter(|&&operand| is_pointer(operand)) {
                    self.value(operand);
                }
            }
            ref kind if kind.is_place() => {
                let place = self.place(expr);
                // A number that is read may be part of a pointer.
                let is_number =
                    matches!(program.type_of(expr), Type::Int { .. } | Type::Float(_) | Type::Bool);
                if !is_number {
                    return;
                }
                match place {
                    Place::Cell(cell) => {
                        let symbol = program.root_variable(expr);
                        let is_plain = matches!(kind, ExprKind::Symbol(_))
                            && symbol.is_some_and(|symbol| !self.addressed.contains(&symbol));
                        if !is_plain {
                            let load = self.result.solver.cells[cell.0 as usize].load;
                            self.solver().flow(load, EXPOSED, Flow::Copy);
                        }
                    }
                    Place::Behind(access) => {
                        let load = self.solver().loaded(access);
                        self.solver().flow(load, EXPOSED, Flow::Copy);
                    }
                    Place::Value(node) => self.solver().flow(node, EXPOSED, Flow::Copy),
                }
            }
            _ => {}
        }
    }
}
