//! Objects that could be lists become lists of any length, where lengths do not matter.
//!
//! A list of one node and one of many are then the same: with several lists at once, of which each may have no node, one or more,
//! this is what keeps the number of states small. Only objects that look like nodes of lists that have been seen are changed.

use super::merge::belongings;
use std::collections::BTreeMap;
use vergo_evidence::shapes::graph::{
    Cell, Chain, Class, End, ObjectId, Origin, Pointer, State, UnknownId, Value,
};
use vergo_goto::types::TypeId;

/// The appearance of the nodes of a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Kind {
    pub(super) size: u64,
    pub(super) seen_as: Option<TypeId>,
    pub(super) chain: Chain,
}

/// The state in which objects of some kinds are lists of at least one node.
pub(super) fn loosened(mut state: State, kinds: &[Kind]) -> State {
    let ids: Vec<ObjectId> = state.objects.keys().copied().collect();
    for id in ids {
        let object = state.object(id);
        if object.origin != Origin::Heap || object.of.is_some() || object.chain.is_some() {
            continue;
        }
        // Links in both directions say more than links in one.
        let looks = (object.size, object.seen_as);
        let like = kinds.iter().filter(|kind| (kind.size, kind.seen_as) == looks);
        let (both, one): (Vec<&Kind>, Vec<&Kind>) = like.partition(|kind| kind.chain.prev.is_some());
        for kind in both.into_iter().chain(one) {
            if let Some(wider) = node(&state, id, kind.chain) {
                state = wider;
                break;
            }
        }
    }
    state
}

/// The state in which an object is a list of at least one node.
fn node(state: &State, id: ObjectId, chain: Chain) -> Option<State> {
    let links: Vec<u64> = [Some(chain.next), chain.prev].into_iter().flatten().collect();
    let object = state.object(id);
    let is_link = |at: &u64| {
        object.cells.get(at).is_some_and(|cell| {
            cell.class == Class::Ptr
                && !matches!(cell.value, Value::Each(_))
                && cell.value.target().is_none_or(|to| to.object != id)
        })
    };
    if !links.iter().all(is_link) || chain.head >= object.size {
        return None;
    }
    let own = belongings(state, id, &links);
    if own.iter().chain([&id]).any(|&part| state.object(part).length.is_some()) {
        return None;
    }
    let mut ends: Vec<(ObjectId, u64, End)> = Vec::new();
    for (&holder, object) in &state.objects {
        for (&at, cell) in &object.cells {
            if cell.value.target().is_none_or(|to| to.object != id) {
                continue;
            }
            let is_head = matches!(cell.value, Value::Ptr(to)
                if u64::try_from(to.offset) == Ok(chain.head));
            if !is_head && !own.contains(&holder) || holder == id {
                return None;
            }
            let end = match own.contains(&holder) {
                true => End::First,
                false => end(state, id, &chain, holder, at)?,
            };
            ends.push((holder, at, end));
        }
    }
    // Who holds a second pointer to a node goes on from there: it is one node, and others follow.
    for end in [End::First, End::Last] {
        let outer = ends.iter().filter(|(holder, _, to)| !own.contains(holder) && *to == end);
        if outer.count() > 1 {
            return None;
        }
    }
    let mut after = state.clone();
    let uses = uses(state);
    for &part in own.iter().chain([&id]) {
        let but = if part == id { &links[..] } else { &[] };
        let object = after.object_mut(part);
        object.marks.clear();
        let inner: Vec<u64> = object
            .chain
            .iter()
            .flat_map(|chain| [Some(chain.next), chain.prev].into_iter().flatten())
            .collect();
        if part != id && object.of.is_none() {
            object.of = Some(id);
        }
        let cells: Vec<(u64, Cell)> = object.cells.iter().map(|(&at, &cell)| (at, cell)).collect();
        for (at, cell) in cells {
            if let Value::Unknown(unknown) = cell.value
                && uses.get(&unknown) == Some(&1)
                && !but.contains(&at)
                && !inner.contains(&at)
            {
                let range = state.unknowns.get(&unknown).and_then(|known| known.range);
                let value = Value::Each(range);
                after.object_mut(part).cells.insert(at, Cell { value, ..cell });
            }
        }
    }
    after.object_mut(id).chain = Some(Chain { least: 1, ..chain });
    for (holder, at, end) in ends {
        if let Some(cell) = after.object_mut(holder).cells.get_mut(&at)
            && let Value::Ptr(pointer) = cell.value
        {
            cell.value = Value::Ptr(Pointer { end, ..pointer });
        }
    }
    Some(after)
}

/// Which end of a list a pointer to its only node is meant for; `None` if nobody can say.
fn end(state: &State, id: ObjectId, chain: &Chain, holder: ObjectId, at: u64) -> Option<End> {
    let Some(prev) = chain.prev else { return Some(End::First) };
    let object = state.object(id);
    // A neighbour has its links where nodes have them, seen from where links lead to.
    let is_from = |link: u64, back: u64| match object.cells.get(&link).map(|cell| cell.value) {
        Some(Value::Ptr(to)) => {
            let by = back as i64 - chain.head as i64;
            to.object == holder && i64::try_from(at) == Ok(to.offset + by)
        }
        _ => false,
    };
    let is_null =
        |link: u64| object.cells.get(&link).is_some_and(|cell| cell.value == Value::Word(0));
    if is_from(prev, chain.next) {
        return Some(End::First);
    }
    if is_from(chain.next, prev) {
        return Some(End::Last);
    }
    match (is_null(prev), is_null(chain.next)) {
        (true, false) => Some(End::First),
        (false, true) => Some(End::Last),
        _ => None,
    }
}

/// Counts the uses of each unknown value.
fn uses(state: &State) -> BTreeMap<UnknownId, usize> {
    let mut uses = BTreeMap::new();
    for cell in state.objects.values().flat_map(|object| object.cells.values()) {
        if let Value::Unknown(id) | Value::Inside(_, id) = cell.value {
            *uses.entry(id).or_insert(0) += 1;
        }
    }
    uses
}
