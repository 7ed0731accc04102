//! Rows of objects become chains.

use super::Degree;
use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::cfg::Cfg;
use vergo_analysis::liveness::Liveness;
use vergo_analysis::number::Number;
use vergo_evidence::shapes::graph::{
    Cell, Chain, Class, End, Object, ObjectId, Origin, Pointer, State, Value,
};
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{FunctionId, Program, SymbolId};

/// A chain is said to have at most so many nodes at least.
const MOST_LEAST: u32 = 3;

/// Makes states less.
pub(super) struct Folder<'a> {
    program: &'a Program,
    degree: &'a Degree,
    /// Variables whose address somebody takes.
    addressed: BTreeSet<SymbolId>,
    liveness: BTreeMap<FunctionId, Liveness>,
}

/// Two neighbours that can be one.
struct Neighbours {
    first: ObjectId,
    second: ObjectId,
    chain: Chain,
}

impl<'a> Folder<'a> {
    pub(super) fn new(program: &'a Program, degree: &'a Degree) -> Folder<'a> {
        let mut addressed = BTreeSet::new();
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::AddressOf(place) = expr.kind {
                addressed.extend(program.root_variable(place));
            }
        }
        let bodies = program.functions.iter().filter(|(_, function)| function.body.is_some());
        let liveness = bodies
            .map(|(id, function)| (id, Liveness::of(program, id, &Cfg::of(function))))
            .collect();
        Folder { program, degree, addressed, liveness }
    }

    /// A state that says less, in which rows of objects are chains.
    pub(super) fn fold(&self, mut state: State) -> State {
        self.forget(&mut state);
        state.sweep();
        while let Some(neighbours) = self.neighbours(&state) {
            let Some(folded) = self.merged(&state, &neighbours) else { break };
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
                    && self.merged(state, &neighbours).is_some()
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
            && head < a.size;
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
        let chain = Chain { next, prev, head, least: (least[0] + least[1]).min(MOST_LEAST) };
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

    /// Whether nobody else points between the two.
    fn is_hidden(&self, state: &State, first: ObjectId, second: ObjectId, chain: &Chain) -> bool {
        let link = |at: u64| Some(at);
        for (&holder, object) in &state.objects {
            for (&at, cell) in &object.cells {
                let Value::Ptr(to) = cell.value else { continue };
                let is_next = holder == first && link(at) == Some(chain.next);
                let is_prev = holder == second && chain.prev == Some(at);
                if object.of == Some(to.object) {
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

    /// How many objects there are in the row that two neighbours are in; a chain is as good as many.
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

    /// The state in which two neighbours are one chain.
    fn merged(&self, state: &State, neighbours: &Neighbours) -> Option<State> {
        let &Neighbours { first, second, chain } = neighbours;
        let (a, b) = (state.object(first), state.object(second));
        let mut object = Object { zero: a.zero && b.zero, chain: Some(chain), ..a.clone() };
        object.cells.clear();
        let offsets: BTreeSet<u64> = a.cells.keys().chain(b.cells.keys()).copied().collect();
        for at in offsets {
            let cell = *a.cells.get(&at).or_else(|| b.cells.get(&at))?;
            if at == chain.next {
                object.cells.insert(at, *b.cells.get(&at)?);
                continue;
            }
            if chain.prev == Some(at) {
                object.cells.insert(at, *a.cells.get(&at)?);
                continue;
            }
            let [x, y] = [a, b].map(|object| object.scalar(at, cell.size, cell.class));
            match (x, y) {
                (Some(x), Some(y)) => {
                    let value = self.either(state, cell.class, x, y)?;
                    object.cells.insert(at, Cell { value, ..cell });
                }
                // What only one of them knows is forgotten.
                (Some(Value::Ptr(to)), None) | (None, Some(Value::Ptr(to)))
                    if state.object(to.object).origin == Origin::Heap =>
                {
                    return None;
                }
                _ if object.zero => return None,
                _ => {}
            }
        }
        let mut state = state.clone();
        let new = state.add(object);
        state.map_values(|value| match value {
            Value::Ptr(to) if to.object == first => {
                Value::Ptr(Pointer { object: new, end: End::First, ..to })
            }
            Value::Ptr(to) if to.object == second => {
                Value::Ptr(Pointer { object: new, end: End::Last, ..to })
            }
            value => value,
        });
        state.objects.remove(&first);
        state.objects.remove(&second);
        Some(state)
    }

    /// What two values have in common that stand at the same place in nodes of a list.
    fn either(&self, state: &State, class: Class, x: Value, y: Value) -> Option<Value> {
        if x == y {
            return Some(x);
        }
        if class == Class::Ptr {
            let is_heap = |value| matches!(value, Value::Ptr(to) if state.object(to.object).origin == Origin::Heap);
            return (!is_heap(x) && !is_heap(y)).then_some(Value::Each(None));
        }
        let are_words = matches!((x, y), (Value::Word(_), Value::Word(_)));
        if self.degree.apart && are_words {
            return None;
        }
        let word = class.word(self.program);
        let ranges = [x, y].map(|value| state.range(self.program, class, value));
        Some(match (word, ranges) {
            (Some(word), [Some(x), Some(y)]) => Value::Each(Some(x.join(word, y))),
            _ => Value::Each(None),
        })
    }
}
