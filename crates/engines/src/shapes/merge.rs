//! Two neighbours become one chain, with what belongs to each of them.
//!
//! Objects that only one node leads to (its data, a list of its own) are merged with those of its neighbour, and the result
//! exists once for each node. Lists of different lengths become one that may be as short as the shorter one.

use super::Degree;
use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::number::Number;
use vergo_evidence::shapes::graph::{
    Cell, Chain, Class, End, Object, ObjectId, Origin, Pointer, State, Value,
};
use vergo_goto::program::Program;

/// Two neighbours that can be one.
pub(super) struct Neighbours {
    pub(super) first: ObjectId,
    pub(super) second: ObjectId,
    pub(super) chain: Chain,
}

/// The state in which two neighbours are one chain.
pub(super) fn merged(
    program: &Program,
    degree: &Degree,
    state: &State,
    neighbours: &Neighbours,
) -> Option<State> {
    let &Neighbours { first, second, chain } = neighbours;
    let links: Vec<u64> = [Some(chain.next), chain.prev].into_iter().flatten().collect();
    let belongings = [first, second].map(|id| belongings(state, id, &links));
    let mut after = state.clone();
    let new = after.add(Object { chain: Some(chain), ..state.object(first).clone() });
    let mut merger = Merger {
        program,
        degree,
        state,
        nodes: [first, second],
        belongings: &belongings,
        new,
        pairs: BTreeMap::new(),
        after,
    };
    let mut object = merger.cells(state.object(first), state.object(second), &links, new)?;
    object.chain = Some(chain);
    object.of = None;
    object.cells.insert(chain.next, *state.object(second).cells.get(&chain.next)?);
    if let Some(prev) = chain.prev {
        object.cells.insert(prev, *state.object(first).cells.get(&prev)?);
    }
    let mut state = merger.after;
    *state.object_mut(new) = object;
    for id in belongings.iter().flatten().chain([&first, &second]) {
        state.objects.remove(id);
    }
    state.map_values(|value| match value {
        Value::Ptr(to) if to.object == first => {
            Value::Ptr(Pointer { object: new, end: End::First, ..to })
        }
        Value::Ptr(to) if to.object == second => {
            Value::Ptr(Pointer { object: new, end: End::Last, ..to })
        }
        value => value,
    });
    Some(state)
}

/// The objects that only a node leads to, but for its links.
pub(super) fn belongings(state: &State, node: ObjectId, links: &[u64]) -> BTreeSet<ObjectId> {
    let own = |id: &ObjectId| state.object(*id).origin == Origin::Heap && *id != node;
    let cells = state.object(node).cells.iter().filter(|(at, _)| !links.contains(at));
    let targets = cells.filter_map(|(_, cell)| cell.value.target()).map(|to| to.object);
    let mut pending: Vec<ObjectId> = targets.filter(own).collect();
    let mut found: BTreeSet<ObjectId> = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            let targets = state.object(id).targets().map(|to| to.object);
            pending.extend(targets.filter(own));
            let inner = state.objects.iter().filter(|(_, object)| object.of == Some(id));
            pending.extend(inner.map(|(&id, _)| id));
        }
    }
    // What somebody else leads to belongs to nobody, and neither does what that leads to.
    loop {
        let is_shared = |id: &ObjectId| {
            state.objects.iter().any(|(holder, object)| {
                let links_there = |(at, cell): (&u64, &Cell)| {
                    let is_link = *holder == node && links.contains(at);
                    let somewhere = matches!(cell.value, Value::Inside(..));
                    cell.value.target().is_some_and(|to| to.object == *id)
                        && (somewhere || is_link || *holder != node && !found.contains(holder))
                };
                object.cells.iter().any(links_there)
            })
        };
        let shared: Vec<ObjectId> = found.iter().copied().filter(is_shared).collect();
        if shared.is_empty() {
            return found;
        }
        shared.iter().for_each(|id| {
            found.remove(id);
        });
    }
}

/// An object, and what there is once for each of its nodes, and of their nodes.
fn with_inner(state: &State, id: ObjectId) -> Vec<ObjectId> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&owner) = found.get(next) {
        next += 1;
        let inner = state.objects.iter().filter(|(_, object)| object.of == Some(owner));
        found.extend(inner.map(|(&id, _)| id));
    }
    found
}

struct Merger<'a> {
    program: &'a Program,
    degree: &'a Degree,
    state: &'a State,
    nodes: [ObjectId; 2],
    belongings: &'a [BTreeSet<ObjectId>; 2],
    new: ObjectId,
    /// The results of pairs of objects; chains that only one state has are paired with nothing.
    pairs: BTreeMap<(Option<ObjectId>, Option<ObjectId>), ObjectId>,
    after: State,
}

impl Merger<'_> {
    /// An object with what two have in common, but for some cells. `owner` is whose nodes have one each.
    fn cells(&mut self, a: &Object, b: &Object, but: &[u64], owner: ObjectId) -> Option<Object> {
        let alike = (a.size, a.origin, a.writable) == (b.size, b.origin, b.writable);
        let mut object = Object { zero: a.zero && b.zero, chain: None, of: Some(owner), ..a.clone() };
        object.cells.clear();
        object.marks.clear();
        if a.length.is_some() || b.length.is_some() {
            return None;
        }
        let offsets: BTreeSet<u64> = a.cells.keys().chain(b.cells.keys()).copied().collect();
        for at in offsets.into_iter().filter(|at| !but.contains(at)) {
            let cell = *a.cells.get(&at).or_else(|| b.cells.get(&at))?;
            let [x, y] = [a, b].map(|object| object.scalar(at, cell.size, cell.class));
            match (x, y) {
                (Some(x), Some(y)) => {
                    let value = self.value(cell.class, x, y, owner)?;
                    object.cells.insert(at, Cell { value, ..cell });
                }
                // What only one of them knows is forgotten.
                (Some(value), None) | (None, Some(value)) if self.is_heap(value) => return None,
                _ if object.zero => return None,
                _ => {}
            }
        }
        alike.then_some(object)
    }

    fn is_heap(&self, value: Value) -> bool {
        value.target().is_some_and(|to| self.state.object(to.object).origin == Origin::Heap)
    }

    /// Generalises two values at the same place.
    fn value(&mut self, class: Class, x: Value, y: Value, owner: ObjectId) -> Option<Value> {
        if let (Value::Ptr(p), Value::Ptr(q)) = (x, y) {
            let own = |i: usize, to: Pointer| to.object == self.nodes[i];
            if own(0, p) && own(1, q) {
                // Of its own node, from what belongs to it.
                let same = p.offset == q.offset && owner == self.new;
                let pointer = Pointer { object: self.new, end: End::First, offset: p.offset };
                return same.then_some(Value::Ptr(pointer));
            }
        }
        let belongs = |i: usize, value: Value| {
            matches!(value, Value::Ptr(to) if self.belongings[i].contains(&to.object))
        };
        if belongs(0, x) || belongs(1, y) {
            return self.belonging(x, y, owner);
        }
        if x == y {
            return Some(x);
        }
        if class == Class::Ptr {
            return (!self.is_heap(x) && !self.is_heap(y)).then_some(Value::Each(None));
        }
        let are_words = matches!((x, y), (Value::Word(_), Value::Word(_)));
        if self.degree.apart && are_words {
            return None;
        }
        let word = class.word(self.program);
        let ranges = [x, y].map(|value| self.state.range(self.program, class, value));
        Some(match (word, ranges) {
            (Some(word), [Some(x), Some(y)]) => Value::Each(Some(x.join(word, y))),
            _ => Value::Each(None),
        })
    }

    /// Generalises two pointers of which one leads to an object that belongs to its node.
    fn belonging(&mut self, x: Value, y: Value, owner: ObjectId) -> Option<Value> {
        let state = self.state;
        let target = |value: Value| match value {
            Value::Ptr(to) => Some((to, state.object(to.object))),
            _ => None,
        };
        // What somebody else leads to as well cannot be there once for each node.
        let is_own = |i: usize, to: Option<(Pointer, &Object)>| {
            to.is_none_or(|(to, _)| self.belongings[i].contains(&to.object))
        };
        if !is_own(0, target(x)) || !is_own(1, target(y)) {
            return None;
        }
        match (target(x), target(y)) {
            (Some((p, a)), Some((q, b))) => {
                if p.offset != q.offset {
                    return None;
                }
                let key = (Some(p.object), Some(q.object));
                let ends = match (a.chain, b.chain) {
                    (Some(_), Some(_)) if p.end != q.end => return None,
                    (Some(_), _) => p.end,
                    _ => q.end,
                };
                let offset = p.offset;
                if let Some(&object) = self.pairs.get(&key) {
                    return Some(Value::Ptr(Pointer { object, end: ends, offset }));
                }
                let taken = |id: ObjectId, i: usize| {
                    self.pairs.keys().any(|pair| [pair.0, pair.1][i] == Some(id))
                };
                if taken(p.object, 0) || taken(q.object, 1) {
                    return None;
                }
                let object = self.pair(key, a, b, owner)?;
                Some(Value::Ptr(Pointer { object, end: ends, offset }))
            }
            (Some((p, a)), None) => self.maybe((Some(p.object), None), p, a, y, owner),
            (None, Some((q, b))) => self.maybe((None, Some(q.object)), q, b, x, owner),
            (None, None) => None,
        }
    }

    /// Two objects, or chains, become one for each node.
    fn pair(
        &mut self,
        key: (Option<ObjectId>, Option<ObjectId>),
        a: &Object,
        b: &Object,
        owner: ObjectId,
    ) -> Option<ObjectId> {
        let chain = match (a.chain, b.chain) {
            (None, None) => None,
            (Some(p), Some(q)) if !p.is_like(&q) => return None,
            (Some(p), Some(q)) => Some(Chain { least: p.least.min(q.least), ..p }),
            (Some(p), None) | (None, Some(p)) => Some(Chain { least: p.least.min(1), ..p }),
        };
        let id = self.after.add(Object { of: Some(owner), ..a.clone() });
        self.pairs.insert(key, id);
        let mut links = Vec::new();
        let mut linked = Vec::new();
        if let Some(chain) = chain {
            links = [Some(chain.next), chain.prev].into_iter().flatten().collect();
            for &at in &links {
                let (x, y) = (a.cells.get(&at)?, b.cells.get(&at)?);
                let value = self.value(Class::Ptr, x.value, y.value, owner)?;
                linked.push((at, Cell { value, ..*x }));
            }
        }
        // What belongs to nodes of an inner list is there once for each of these.
        let inner = if chain.is_some() { id } else { owner };
        let mut object = self.cells(a, b, &links, inner)?;
        object.of = Some(owner);
        object.cells.extend(linked);
        object.chain = chain;
        object.maybe = a.maybe || b.maybe;
        *self.after.object_mut(id) = object;
        Some(id)
    }

    /// A chain or an object that only one of two nodes has: the other has a chain that is empty, or null.
    fn maybe(
        &mut self,
        key: (Option<ObjectId>, Option<ObjectId>),
        to: Pointer,
        object: &Object,
        other: Value,
        owner: ObjectId,
    ) -> Option<Value> {
        if other != Value::Word(0) {
            return None;
        }
        if let Some(chain) = object.chain {
            let beyond = object.cells.get(&chain.onward(to.end)?)?.value;
            if beyond != other || chain.head as i64 != to.offset {
                return None;
            }
        }
        if let Some(&id) = self.pairs.get(&key) {
            return Some(Value::Ptr(Pointer { object: id, ..to }));
        }
        let taken = self.pairs.keys().any(|pair| {
            key.0.is_some() && pair.0 == key.0 || key.1.is_some() && pair.1 == key.1
        });
        // It comes with all that there is once for each of its nodes, and with nothing else.
        let whole = with_inner(self.state, to.object);
        let simple = whole.iter().all(|&id| {
            self.state.object(id).targets().all(|target| {
                whole.contains(&target.object)
                    || self.state.object(target.object).origin != Origin::Heap
            })
        });
        let is_long = whole.iter().any(|&id| self.state.object(id).length.is_some());
        if taken || is_long || !simple || object.chain.is_none() && whole.len() > 1 {
            return None;
        }
        let mut copies: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
        for &part in &whole {
            copies.insert(part, self.after.add(self.state.object(part).clone()));
        }
        for (&part, &copy) in &copies {
            let made = self.after.object_mut(copy);
            made.marks.clear();
            for cell in made.cells.values_mut() {
                if let Value::Ptr(pointer) = &mut cell.value
                    && let Some(&object) = copies.get(&pointer.object)
                {
                    pointer.object = object;
                }
            }
            made.of = match made.of {
                Some(of) if part != to.object => copies.get(&of).copied(),
                _ => Some(owner),
            };
        }
        let id = *copies.get(&to.object)?;
        self.pairs.insert(key, id);
        let made = self.after.object_mut(id);
        match &mut made.chain {
            Some(chain) => chain.least = 0,
            None => made.maybe = true,
        }
        Some(Value::Ptr(Pointer { object: id, ..to }))
    }
}
