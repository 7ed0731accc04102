//! Rows of objects become chains.

use super::Degree;
use super::loosen::{Kind, loosened};
use super::merge::{Neighbours, belongings, merged};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::cfg::Cfg;
use vergo_analysis::liveness::Liveness;
use vergo_evidence::shapes::graph::{
    Cell, Chain, Class, End, ObjectId, Origin, Pointer, State, Value,
};
use vergo_evidence::shapes::marks::Mark;
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::program::{FunctionId, InstrKind, Program, SymbolId};

/// Makes states less.
pub(super) struct Folder<'a> {
    program: &'a Program,
    degree: &'a Degree,
    /// Variables whose address somebody takes.
    addressed: BTreeSet<SymbolId>,
    liveness: BTreeMap<FunctionId, Liveness>,
    /// Lists that have been seen.
    kinds: RefCell<BTreeSet<Kind>>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(program: &'a Program, degree: &'a Degree) -> Folder<'a> {
        let mut addressed = BTreeSet::new();
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::AddressOf(place) = expr.kind {
                addressed.extend(program.root_variable(place));
            }
        }
        let plain = without_leaks(program);
        let bodies = plain.functions.iter().filter(|(_, function)| function.body.is_some());
        let liveness = bodies
            .map(|(id, function)| (id, Liveness::of(&plain, id, &Cfg::of(function))))
            .collect();
        Folder { program, degree, addressed, liveness, kinds: RefCell::default() }
    }

    /// A state that says less, in which rows of objects are chains.
    pub(super) fn fold(&self, mut state: State) -> State {
        self.forget(&mut state);
        let is_end = |mark: &Mark| matches!(mark.cell.value, Value::Word(_));
        let marked = state.objects.iter().filter(|(_, object)| !object.marks.iter().all(is_end));
        for id in marked.map(|(&id, _)| id).collect::<Vec<ObjectId>>() {
            state.object_mut(id).marks.retain(is_end);
        }
        state.sweep();
        if self.degree.single {
            let kinds: Vec<Kind> = self.kinds.borrow().iter().copied().collect();
            state = loosened(state, &kinds);
        }
        while let Some(neighbours) = self.neighbours(&state) {
            let Some(folded) = merged(self.program, self.degree, &state, &neighbours) else { break };
            let chain = Chain { least: 1, ..neighbours.chain };
            let first = state.object(neighbours.first);
            let kind = Kind { size: first.size, seen_as: first.seen_as, chain };
            self.kinds.borrow_mut().insert(kind);
            state = folded;
        }
        state.sweep();
        state
    }

    /// Forgets what variables hold that nobody reads any more, unless something can be reached through them alone.
    fn forget(&self, state: &mut State) {
        let Some(frame) = state.frames.last() else { return };
        let Some(liveness) = self.liveness.get(&frame.function) else { return };
        let dead = |symbol: &SymbolId| {
            !self.addressed.contains(symbol) && !liveness.is_live(frame.at, *symbol)
        };
        let locals = frame.locals.iter().filter(|(symbol, _)| dead(symbol));
        let objects: Vec<ObjectId> = locals.map(|(_, &object)| object).collect();
        for id in objects {
            if state.object(id).cells.is_empty() {
                continue;
            }
            let mut without = state.clone();
            without.object_mut(id).cells.clear();
            without.object_mut(id).zero = false;
            let (before, after) = (state.reachable(), without.reachable());
            if before == after {
                *state = without;
            }
        }
    }

    /// The first two neighbours that can be one.
    fn neighbours(&self, state: &State) -> Option<Neighbours> {
        for (&first, object) in &state.objects {
            if object.origin != Origin::Heap || object.of.is_some() {
                continue;
            }
            for (&next, cell) in &object.cells {
                let Value::Ptr(to) = cell.value else { continue };
                let Some(chain) = self.linked(state, first, next, to) else { continue };
                let neighbours = Neighbours { first, second: to.object, chain };
                if self.row(state, &neighbours) >= self.degree.row
                    && merged(self.program, self.degree, state, &neighbours).is_some()
                {
                    return Some(neighbours);
                }
            }
        }
        None
    }

    /// The chain that two objects could be, of which the first points to the second.
    fn linked(&self, state: &State, first: ObjectId, next: u64, to: Pointer) -> Option<Chain> {
        let (a, b) = (state.object(first), state.objects.get(&to.object)?);
        let head = u64::try_from(to.offset).ok()?;
        let alike = first != to.object
            && to.end == End::First
            && b.origin == Origin::Heap
            && b.of.is_none()
            && (a.size, a.writable) == (b.size, b.writable)
            && (a.seen_as == b.seen_as || a.seen_as.is_none() || b.seen_as.is_none())
            && head < a.size
            && a.length.is_none()
            && b.length.is_none();
        if !alike {
            return None;
        }
        let to_first = Value::Ptr(Pointer {
            object: first,
            end: if a.chain.is_some() { End::Last } else { End::First },
            offset: to.offset,
        });
        let back = |(&at, cell): (&u64, &Cell)| (at != next && cell.value == to_first).then_some(at);
        let prev = b.cells.iter().find_map(back);
        b.cells.get(&next).filter(|cell| cell.class == Class::Ptr)?;
        let least = [a, b].map(|object| object.chain.map_or(1, |chain| chain.least));
        let chain = Chain { next, prev, head, least: (least[0] + least[1]).min(self.degree.least) };
        // Two ways back, or a node without one, is another kind of list.
        for object in [a, b] {
            if let Some(other) = object.chain
                && !chain.is_like(&other)
            {
                return None;
            }
        }
        let is_pointer = |at: u64| a.cells.get(&at).is_some_and(|cell| cell.class == Class::Ptr);
        if prev.is_some_and(|prev| !is_pointer(prev)) {
            return None;
        }
        self.is_hidden(state, first, to.object, &chain).then_some(chain)
    }

    /// Returns whether no other pointer leads between the two.
    fn is_hidden(&self, state: &State, first: ObjectId, second: ObjectId, chain: &Chain) -> bool {
        let links: Vec<u64> = [Some(chain.next), chain.prev].into_iter().flatten().collect();
        let [of_first, of_second] = [first, second].map(|id| belongings(state, id, &links));
        for (&holder, object) in &state.objects {
            for (&at, cell) in &object.cells {
                let Some(to) = cell.value.target() else { continue };
                if matches!(cell.value, Value::Inside(..)) && [first, second].contains(&to.object) {
                    return false;
                }
                let is_next = holder == first && at == chain.next;
                let is_prev = holder == second && chain.prev == Some(at);
                // What belongs to a node may lead back to it.
                let is_own = of_first.contains(&holder) && to.object == first
                    || of_second.contains(&holder) && to.object == second;
                if is_own || object.of == Some(to.object) {
                    continue;
                }
                let into_second = to.object == second
                    && !is_next
                    && (chain.prev.is_none()
                        || state.object(second).chain.is_some() && to.end == End::First);
                let into_first = to.object == first
                    && !is_prev
                    && state.object(first).chain.is_some()
                    && to.end == End::Last;
                // What the nodes say of each other besides their links is not kept.
                let among = (holder == first || holder == second)
                    && (to.object == first || to.object == second)
                    && at != chain.next
                    && chain.prev != Some(at);
                if into_second || into_first || among {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the number of objects in the row of two neighbours; a chain counts as many.
    fn row(&self, state: &State, neighbours: &Neighbours) -> usize {
        let many = |id: ObjectId| state.object(id).chain.is_some();
        if many(neighbours.first) || many(neighbours.second) {
            return usize::MAX;
        }
        let (mut at, mut count) = (neighbours.second, 2);
        while count < self.degree.row {
            let cell = state.object(at).cells.get(&neighbours.chain.next);
            let Some(Value::Ptr(to)) = cell.map(|cell| cell.value) else { break };
            let linked = self.linked(state, at, neighbours.chain.next, to);
            if linked.is_none_or(|chain| !chain.is_like(&neighbours.chain)) {
                break;
            }
            (at, count) = (to.object, count + 1);
        }
        count
    }
}

/// The program without the claims that nothing is lost: to these every variable matters, but what can be reached through a
/// variable alone is not forgotten anyway.
fn without_leaks(program: &Program) -> Program {
    let mut plain = program.clone();
    let exprs = &program.exprs;
    for function in plain.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(cond, _) = instr.kind
                && matches!(exprs.kind(cond), ExprKind::Memory(MemoryOp::HeapReachable, _))
            {
                instr.kind = InstrKind::Skip;
            }
        }
    }
    plain
}
