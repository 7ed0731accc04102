//! Nodes come out of chains: what a chain can be where somebody looks at one of its ends.

use super::graph::{Chain, End, Known, Object, ObjectId, Pointer, State, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The states in which the node at an end of a chain is an object of its own, and the one in which there is no node.
/// Together they are all that the state is.
pub(super) fn materialise(state: &State, id: ObjectId, end: End) -> Vec<State> {
    let mut states = Vec::new();
    let Some(chain) = state.object(id).chain else { return states };
    if chain.least == 0 {
        states.push(without(state.clone(), id, chain));
    }
    let (mut state, node) = with_node(state.clone(), id, chain, end);
    let rest = Chain { least: chain.least.saturating_sub(1), ..chain };
    state.object_mut(id).chain = Some(rest);
    // Of a list that may be empty nobody points into the nodes.
    let inner =
        |value: Value| matches!(value, Value::Ptr(p) if p.object == id && !is_head(p, chain));
    let owned = inside(&state, id);
    let has_inner = state.objects.iter().any(|(other, object)| {
        !owned.contains(other) && object.cells.values().any(|cell| inner(cell.value))
    });
    if rest.least > 0 || !has_inner {
        states.push(state);
        return states.into_iter().flat_map(decided).collect();
    }
    let mut only = state.clone();
    only.map_values(|value| match value {
        Value::Ptr(pointer) if inner(value) => {
            Value::Ptr(Pointer { object: node, end: End::First, ..pointer })
        }
        value => value,
    });
    states.push(without(only, id, rest));
    state.object_mut(id).chain = Some(Chain { least: 1, ..rest });
    states.push(state);
    states.into_iter().flat_map(decided).collect()
}

/// The states in which what a node may have is there, or not.
fn decided(state: State) -> Vec<State> {
    let (mut pending, mut states) = (vec![state], Vec::new());
    while let Some(mut state) = pending.pop() {
        let mut open =
            state.objects.iter().filter(|(_, object)| object.maybe && object.of.is_none());
        let Some(id) = open.next().map(|(&id, _)| id) else {
            states.push(state);
            continue;
        };
        let mut absent = state.clone();
        absent.objects.remove(&id);
        absent.map_values(|value| match value {
            Value::Ptr(pointer) if pointer.object == id => Value::Word(0),
            value => value,
        });
        pending.push(absent);
        state.object_mut(id).maybe = false;
        pending.push(state);
    }
    states
}

/// Returns whether a pointer to a chain is one that an empty chain can have.
pub(super) fn is_head(pointer: Pointer, chain: Chain) -> bool {
    u64::try_from(pointer.offset) == Ok(chain.head)
}

/// A list without nodes.
fn without(mut state: State, id: ObjectId, chain: Chain) -> State {
    let object = state.objects.remove(&id).expect("it is looked at");
    let beyond = |end: End| {
        let cell = chain.onward(end).and_then(|offset| object.cells.get(&offset));
        cell.map(|cell| cell.value)
    };
    // Who points to the first node points to what comes behind the last one, if need be by way of the other end.
    let ends = [End::First, End::Last].map(|end| match beyond(end) {
        Some(Value::Ptr(pointer)) if pointer.object == id => beyond(pointer.end),
        value => value,
    });
    for of in inside(&state, id) {
        state.objects.remove(&of);
    }
    state.map_values(|value| match value {
        Value::Ptr(pointer) if pointer.object == id => {
            ends[usize::from(pointer.end == End::Last)].unwrap_or(value)
        }
        value => value,
    });
    state
}

/// The objects that are there once for each node of a chain, and for each node of chains among these.
pub(super) fn inside(state: &State, id: ObjectId) -> Vec<ObjectId> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&owner) = found.get(next) {
        next += 1;
        let of = state.objects.iter().filter(|(_, object)| object.of == Some(owner));
        found.extend(of.map(|(&id, _)| id));
    }
    found.split_off(1)
}

/// A list with at least one node, and that node.
fn with_node(mut state: State, id: ObjectId, chain: Chain, end: End) -> (State, ObjectId) {
    let whole = Rc::clone(&state.objects[&id]);
    let node = state.add(Object { chain: None, ..(*whole).clone() });
    let owned = inside(&state, id);
    // Who points to this end points to the node; what there is once for each node speaks of its own.
    let change = |value: Value| match value {
        Value::Ptr(pointer) if pointer.object == id && pointer.end == end => {
            Value::Ptr(Pointer { object: node, end: End::First, ..pointer })
        }
        value => value,
    };
    for (other, object) in &mut state.objects {
        let changes = object.cells.values().any(|cell| change(cell.value) != cell.value);
        if changes && !owned.contains(other) {
            Rc::make_mut(object).map_values(change);
        }
    }
    let mut copies: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
    for &of in &owned {
        let object = (*state.objects[&of]).clone();
        copies.insert(of, state.add(object));
    }
    let own = |value: Value| match value {
        Value::Ptr(pointer) => match copies.get(&pointer.object) {
            Some(&object) => Value::Ptr(Pointer { object, ..pointer }),
            None => value,
        },
        value => value,
    };
    let of_node = |value: Value| match value {
        Value::Ptr(pointer) if pointer.object == id => {
            Value::Ptr(Pointer { object: node, end: End::First, ..pointer })
        }
        value => own(value),
    };
    for &copy in copies.values() {
        let object = state.object_mut(copy);
        object.map_values(of_node);
        object.of = match object.of {
            Some(owner) if owner == id => whole.of,
            Some(owner) => copies.get(&owner).copied(),
            None => None,
        };
        settle(&mut state, copy);
    }
    state.object_mut(node).map_values(own);
    settle(&mut state, node);
    // The node is tied in between what is outside and the rest of the list.
    let link = |object, end| Value::Ptr(Pointer { object, end, offset: chain.head as i64 });
    let to_rest = link(id, end);
    if let Some(cell) = chain.onward(end).and_then(|at| state.object_mut(node).cells.get_mut(&at)) {
        cell.value = to_rest;
    }
    let back = chain.onward(end.other());
    if let Some(cell) = back.and_then(|at| state.object_mut(id).cells.get_mut(&at)) {
        cell.value = link(node, End::First);
    }
    (state, node)
}

/// Gives values of their own to an object that is one of many.
fn settle(state: &mut State, id: ObjectId) {
    if state.object(id).chain.is_some() {
        return;
    }
    let cells: Vec<_> = state.object(id).cells.iter().map(|(&at, &cell)| (at, cell)).collect();
    for (at, mut cell) in cells {
        if let Value::Each(range) = cell.value {
            cell.value = state.unknown(Known::new(cell.class, range));
            state.object_mut(id).cells.insert(at, cell);
        }
    }
}
