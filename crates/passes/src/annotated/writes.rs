//! The writes in the rounds of a loop: places that can be named before the loop, and objects of pointers.
//!
//! A place is followed to its root: a variable, or the pointer that it is reached through. Pointers are followed through
//! casts, sums, addresses of places, and variables that the round itself assigns, to values that are there before the
//! loop. Calls are followed into their bodies, parameters to arguments.

use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_analysis::cfg::Cfg;
use vergo_analysis::liveness::Liveness;
use vergo_goto::contract;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Access, Callee, FunctionId, InstrKind, Program, Region, SymbolId, SymbolKind,
};
use vergo_goto::types::Type;

/// Something that is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Target {
    /// A place of the function with the loop.
    Place(ExprId),
    /// The object of a pointer.
    Object(ExprId),
}

/// The places that the rounds of a loop write.
#[derive(Default, Debug)]
pub(super) struct Writes {
    /// Memory first, then variables: the way to memory leads through variables.
    pub(super) targets: Vec<Target>,
    /// Pointers to be read before anything gets another value.
    pub(super) pointers: Vec<ExprId>,
    /// Writes, by their positions, that are claimed to stay in the object of one of these pointers.
    pub(super) checks: FxHashMap<usize, Vec<ExprId>>,
}

/// The effect of the rounds on a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Change {
    /// Nothing: it points to the same place in every round.
    Fixed,
    /// They move it, within its object.
    Moved,
    /// They may let it point to another object: it is in memory, or gets another value.
    Any,
}

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Root {
    /// This pointer of the function with the loop, as it is before the loop.
    Before(ExprId, Change),
    /// A variable of the function with the loop, or a static one.
    Variable(SymbolId),
    /// An object that the round makes.
    New,
}

/// The greatest depth to which calls are followed.
const MAX_DEPTH: usize = 24;

struct Context<'a> {
    function: FunctionId,
    /// Variables that can be written through pointers.
    addressed: &'a EntitySet<SymbolId>,
    /// Arguments of the call, and the context of the caller.
    call: Option<(&'a [ExprId], &'a Context<'a>)>,
    depth: usize,
    /// The values that the code under analysis assigns to variables of the function.
    assigned: FxHashMap<SymbolId, Vec<Option<ExprId>>>,
    /// Variables that come to life in that part.
    declared: FxHashSet<SymbolId>,
    /// Which variables a round may read as the round before left them.
    carried: Carried,
}

/// The variables that are live where a round begins, as far as that is known.
#[derive(Default)]
struct Carried(Option<(Liveness, usize)>);

impl Carried {
    fn of(program: &Program, function: FunctionId, round: &[usize]) -> Carried {
        let body = program.functions[function].body.as_deref().unwrap_or(&[]);
        // The marker of a round's beginning follows the label that the round begins with.
        let Some(&head) = round.first() else { return Carried::default() };
        let Some(label) = head.checked_sub(1) else { return Carried::default() };
        let is_head =
            super::loops::marker(program, &body[head]).is_some_and(|m| m.0 == contract::LOOP_HEAD);
        if !is_head || !matches!(body[label].kind, InstrKind::Label(_)) {
            return Carried::default();
        }
        let cfg = Cfg::of(&program.functions[function]);
        Carried(Some((Liveness::of(program, function, &cfg), label)))
    }

    fn may_contain(&self, symbol: SymbolId) -> bool {
        self.0.as_ref().is_none_or(|(liveness, at)| liveness.is_live(*at, symbol))
    }
}

impl Writes {
    /// Finds the places that the instructions of a round write, or the reason why they are not known.
    pub(super) fn of_round(
        program: &mut Program,
        function: FunctionId,
        round: &[usize],
    ) -> Result<Writes, String> {
        let mut writes = Writes::default();
        let found = Written::in_round(program, function, round)?;
        let mut memory = Vec::new();
        let mut variables = Vec::new();
        for written in found {
            match written.root {
                Root::New => {}
                Root::Variable(symbol) => {
                    let whole = program.symbol(symbol);
                    let place = match written.place {
                        Some(place) if program.root_variable(place) == Some(symbol) => {
                            nameable(program, place)
                        }
                        _ => whole,
                    };
                    variables.push(Target::Place(place));
                }
                Root::Before(pointer, change) => {
                    let mut target = Target::Object(pointer);
                    if let (Some(place), Change::Fixed) = (written.place, change) {
                        let place = nameable(program, place);
                        if deref_of(program, place) == Some(pointer) {
                            target = Target::Place(place);
                        }
                    }
                    if !writes.pointers.contains(&pointer) {
                        writes.pointers.push(pointer);
                    }
                    if change == Change::Any {
                        // Claims can be made where the round itself writes.
                        if written.in_call {
                            return Err("a call writes through a pointer in memory".to_owned());
                        }
                        writes.checks.entry(written.at).or_default().push(pointer);
                    }
                    memory.push(target);
                }
            }
        }
        for target in memory.into_iter().chain(variables) {
            if !writes.targets.contains(&target) {
                writes.targets.push(target);
            }
        }
        Ok(writes)
    }
}

/// A write that was found.
pub(super) struct Written {
    pub(super) root: Root,
    /// The place, if it is one of the function with the loop.
    pub(super) place: Option<ExprId>,
    /// The position of the instruction of the round.
    pub(super) at: usize,
    /// True if it is a call.
    pub(super) in_call: bool,
}

impl Written {
    /// Finds the places that each instruction of a round writes, or the reason why they are not known.
    pub(super) fn in_round(
        program: &Program,
        function: FunctionId,
        round: &[usize],
    ) -> Result<Vec<Written>, String> {
        let addressed = super::addressed(program);
        let body = program.functions[function].body.as_deref().unwrap_or(&[]);
        let part = round.iter().copied();
        let mut context = Context::new(program, function, &addressed, None, part);
        context.carried = Carried::of(program, function, round);
        let mut found = Vec::new();
        for &at in round {
            let from = found.len();
            context.instruction(program, &body[at].kind, &mut found)?;
            let in_call = matches!(body[at].kind, InstrKind::Call { .. });
            for written in &mut found[from..] {
                (written.at, written.in_call) = (at, in_call);
            }
        }
        Ok(found)
    }

    fn new(root: Root, place: Option<ExprId>) -> Written {
        Written { root, place, at: 0, in_call: false }
    }
}

/// The part of a place that has no index that could change.
fn nameable(program: &Program, place: ExprId) -> ExprId {
    let mut best = place;
    let mut at = place;
    loop {
        match *program.exprs.kind(at) {
            ExprKind::Member(base, _) => {
                // A bit-field has no name of its own for a pointer, but it has one as a place.
                at = base;
            }
            ExprKind::Index(base, index) => {
                if !matches!(program.exprs.kind(index), ExprKind::Int(_)) {
                    best = base;
                }
                at = base;
            }
            _ => return best,
        }
    }
}

/// The pointer that a place is reached through.
fn deref_of(program: &Program, mut place: ExprId) -> Option<ExprId> {
    loop {
        match *program.exprs.kind(place) {
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
            ExprKind::Deref(pointer) => return Some(pointer),
            _ => return None,
        }
    }
}

/// A place, reached through what stands for its pointer.
pub(super) fn through(
    program: &mut Program,
    place: ExprId,
    symbols: &FxHashMap<ExprId, ExprId>,
) -> ExprId {
    let Some(pointer) = deref_of(program, place) else { return place };
    let Some(&kept) = symbols.get(&pointer) else { return place };
    rebuild(program, place, kept)
}

fn rebuild(program: &mut Program, place: ExprId, pointer: ExprId) -> ExprId {
    match *program.exprs.kind(place) {
        ExprKind::Member(base, member) => {
            let base = rebuild(program, base, pointer);
            program.member(base, member)
        }
        ExprKind::Index(base, index) => {
            let base = rebuild(program, base, pointer);
            program.index(base, index)
        }
        _ => program.deref(pointer),
    }
}

impl<'a> Context<'a> {
    fn new(
        program: &Program,
        function: FunctionId,
        addressed: &'a EntitySet<SymbolId>,
        call: Option<(&'a [ExprId], &'a Context<'a>)>,
        part: impl Iterator<Item = usize>,
    ) -> Context<'a> {
        let depth = call.map_or(0, |(_, caller)| caller.depth + 1);
        let body = program.functions[function].body.as_deref().unwrap_or(&[]);
        let mut assigned: FxHashMap<SymbolId, Vec<Option<ExprId>>> = FxHashMap::default();
        let mut declared = FxHashSet::default();
        for i in part {
            let (place, value) = match &body[i].kind {
                InstrKind::Decl(symbol) => {
                    declared.insert(*symbol);
                    continue;
                }
                InstrKind::Assign(place, value) => (Some(*place), Some(*value)),
                InstrKind::Alloc { dest, .. } => (Some(*dest), Some(*dest)),
                InstrKind::Call { dest, .. }
                | InstrKind::Intrinsic { dest, .. }
                | InstrKind::Spawn { dest, .. }
                | InstrKind::Join { dest, .. } => (*dest, None),
                _ => continue,
            };
            let Some(place) = place else { continue };
            match *program.exprs.kind(place) {
                ExprKind::Symbol(symbol) => {
                    // Of an allocation, the value is the place itself: something new.
                    assigned.entry(symbol).or_default().push(value);
                }
                _ => {
                    if let Some(symbol) = program.root_variable(place) {
                        assigned.entry(symbol).or_default().push(None);
                    }
                }
            }
        }
        let carried = Carried::default();
        Context { function, addressed, call, depth, assigned, declared, carried }
    }

    fn is_loops(&self) -> bool {
        self.call.is_none()
    }

    fn instruction(
        &self,
        program: &Program,
        kind: &InstrKind,
        out: &mut Vec<Written>,
    ) -> Result<(), String> {
        match kind {
            InstrKind::Assign(place, _) => self.place(program, *place, out),
            InstrKind::Alloc { dest, .. } => self.place(program, *dest, out),
            InstrKind::Free(_, Region::Heap) => Err("memory is freed in it".to_owned()),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => {
                Err("threads are started in it".to_owned())
            }
            InstrKind::Intrinsic { op, dest, args } => {
                for block in op.blocks().iter().filter(|block| block.access == Access::Write) {
                    self.pointer(program, args[block.pointer], None, out)?;
                }
                dest.map_or(Ok(()), |dest| self.place(program, dest, out))
            }
            InstrKind::Call { dest, callee, args } => {
                if let Some(dest) = dest {
                    self.place(program, *dest, out)?;
                }
                let Callee::Direct(callee) = *callee else {
                    return Err("it calls through a pointer".to_owned());
                };
                let Some(body) = &program.functions[callee].body else { return Ok(()) };
                if self.depth >= MAX_DEPTH {
                    return Err("its calls are too deep".to_owned());
                }
                let call = Some((&args[..], self));
                let inner = Context::new(program, callee, self.addressed, call, 0..body.len());
                for instr in body {
                    inner.instruction(program, &instr.kind, out)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A write of a place.
    fn place(
        &self,
        program: &Program,
        place: ExprId,
        out: &mut Vec<Written>,
    ) -> Result<(), String> {
        if let Some(symbol) = program.root_variable(place) {
            let info = &program.symbols[symbol];
            if contract::is_ghost(&info.name) {
                return Ok(());
            }
            if self.is_variable_before(program, symbol) {
                let place = Some(place).filter(|_| self.is_loops());
                out.push(Written::new(Root::Variable(symbol), place));
            }
            return Ok(());
        }
        match deref_of(program, place) {
            Some(pointer) => self.pointer(program, pointer, Some(place), out),
            None => Err("it writes to something that is no place".to_owned()),
        }
    }

    /// A write through a pointer.
    fn pointer(
        &self,
        program: &Program,
        pointer: ExprId,
        place: Option<ExprId>,
        out: &mut Vec<Written>,
    ) -> Result<(), String> {
        let mut roots = Vec::new();
        self.roots(program, pointer, &mut FxHashSet::default(), &mut roots)?;
        let place = place.filter(|_| self.is_loops());
        out.extend(roots.into_iter().map(|root| Written::new(root, place)));
        Ok(())
    }

    /// Where a pointer comes from.
    fn roots(
        &self,
        program: &Program,
        pointer: ExprId,
        seen: &mut FxHashSet<SymbolId>,
        out: &mut Vec<Root>,
    ) -> Result<(), String> {
        if !matches!(program.type_of(pointer), Type::Ptr(_)) {
            return Err("it writes through a number".to_owned());
        }
        match *program.exprs.kind(pointer) {
            ExprKind::Cast(_, inner) => self.roots(program, inner, seen, out),
            ExprKind::Binary(BinaryOp::PtrAdd, base, _) => self.roots(program, base, seen, out),
            ExprKind::Ite(_, a, b) => {
                self.roots(program, a, seen, out)?;
                self.roots(program, b, seen, out)
            }
            ExprKind::Int(_) | ExprKind::Zero => Ok(()),
            ExprKind::AddressOf(place) => match program.root_variable(place) {
                Some(symbol) => {
                    let is_before = self.is_variable_before(program, symbol);
                    out.push(if is_before { Root::Variable(symbol) } else { Root::New });
                    Ok(())
                }
                None => match deref_of(program, place) {
                    Some(inner) => self.roots(program, inner, seen, out),
                    None => Err("it writes through the address of a value".to_owned()),
                },
            },
            ExprKind::Symbol(symbol) => self.variable(program, pointer, symbol, seen, out),
            ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                // A pointer in memory, or in a part of a variable.
                if !self.is_loops() || !self.is_readable_before(program, pointer) {
                    return Err("it writes through a pointer in memory that it changes".to_owned());
                }
                out.push(Root::Before(pointer, Change::Any));
                Ok(())
            }
            _ => Err("it writes through a pointer of unknown origin".to_owned()),
        }
    }

    fn variable(
        &self,
        program: &Program,
        pointer: ExprId,
        symbol: SymbolId,
        seen: &mut FxHashSet<SymbolId>,
        out: &mut Vec<Root>,
    ) -> Result<(), String> {
        if !seen.insert(symbol) {
            // Moved from its own value: the same object.
            return Ok(());
        }
        let assigned = self.assigned.get(&symbol).map_or(&[][..], Vec::as_slice);
        let from = out.len();
        for value in assigned {
            match *value {
                Some(value) if value == pointer => out.push(Root::New),
                Some(value) => self.roots(program, value, seen, out)?,
                None => return Err("it writes through a pointer that a call gave".to_owned()),
            }
        }
        let has_address = self.addressed.contains(symbol);
        match program.symbols[symbol].kind {
            SymbolKind::Static { .. } if self.is_loops() => {
                out.push(Root::Before(pointer, Change::Any));
                Ok(())
            }
            SymbolKind::Static { .. } => Err("a call writes through a static pointer".to_owned()),
            _ if has_address && !self.is_variable_before(program, symbol) => {
                Err("it writes through a variable that has an address".to_owned())
            }
            SymbolKind::Param(_) if !self.is_loops() => {
                let Some((args, caller)) = self.call else { return Ok(()) };
                let params = &program.functions[self.function].params;
                let index = params.iter().position(|&one| one == symbol);
                match index.and_then(|index| args.get(index)) {
                    Some(&arg) => caller.roots(program, arg, &mut FxHashSet::default(), out),
                    None => Err("it writes through a parameter without a value".to_owned()),
                }
            }
            _ if !self.is_variable_before(program, symbol) => Ok(()),
            _ => {
                let change = match (has_address, assigned) {
                    (false, []) => Change::Fixed,
                    // Whatever it gets comes from itself.
                    (false, _) if out.len() == from => Change::Moved,
                    _ => Change::Any,
                };
                // What it gets may have been changed by rounds before: a claim says that the object is one that is known.
                if change == Change::Any {
                    for root in &mut out[from..] {
                        if let Root::Before(_, change) = root {
                            *change = Change::Any;
                        }
                    }
                }
                // What it held before the loop does not matter if each round begins by giving it a value.
                if has_address || assigned.is_empty() || self.carried.may_contain(symbol) {
                    out.push(Root::Before(pointer, change));
                }
                Ok(())
            }
        }
    }

    /// Returns whether a variable exists before the loop.
    fn is_variable_before(&self, program: &Program, symbol: SymbolId) -> bool {
        match program.symbols[symbol].kind {
            SymbolKind::Static { .. } => true,
            SymbolKind::Local(_) => self.is_loops() && !self.declared.contains(&symbol),
            SymbolKind::Param(_) => self.is_loops(),
        }
    }

    /// Returns whether an expression can be evaluated before the loop: it mentions nothing that is created in a round.
    fn is_readable_before(&self, program: &Program, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if let ExprKind::Symbol(symbol) = *program.exprs.kind(expr)
                && (self.declared.contains(&symbol) || self.assigned.contains_key(&symbol))
            {
                return false;
            }
            program.exprs.kind(expr).for_each_child(|child| pending.push(child));
        }
        true
    }
}
