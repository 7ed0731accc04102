//! The well-formedness of states: the facts that execution relies on without looking.

use super::chains::{inside, is_head};
use super::correspondence;
use super::graph::{Class, End, Known, Object, ObjectId, Origin, Pointer, State, Value};
use std::collections::BTreeSet;
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::program::Program;

/// Checks the form of a state.
///
/// # Errors
/// Returns the flaw in it.
pub(super) fn check(program: &Program, state: &State) -> Result<(), String> {
    if !state.is_between() {
        return Err("a state in the middle of an instruction".to_owned());
    }
    let roots: Vec<ObjectId> = state.roots().collect();
    let stacks = state.frames.iter().flat_map(|frame| &frame.stack).copied();
    for id in roots.iter().copied().chain(stacks) {
        let plain = |object: &Object| object.chain.is_none() && object.of.is_none();
        if !state.objects.get(&id).is_some_and(|object| plain(object)) {
            return Err("a variable is not an object of its own".to_owned());
        }
    }
    if state.frames.iter().any(|frame| program.functions.get(frame.function).is_none()) {
        return Err("there is no such function".to_owned());
    }
    if state.objects.keys().any(|id| id.0 >= state.fresh)
        || state.unknowns.keys().any(|id| id.0 >= state.fresh)
    {
        return Err("new objects would not be new".to_owned());
    }
    for known in state.unknowns.values() {
        range(program, known.class, known.range)?;
    }
    correspondence::check(state, program.machine.pointer_width)?;
    for (&id, object) in &state.objects {
        owner(state, id, object)?;
    }
    for (&id, object) in &state.objects {
        cells(program, state, id, object)?;
        chain(program, state, id, object)?;
        let is_leaf = || {
            let outer =
                |to: Pointer| Some(to.object) == object.of || state.object(to.object).of.is_none();
            object.of.is_some() && object.chain.is_none() && object.targets().all(outer)
        };
        if object.maybe && !is_leaf() {
            return Err("more than an object may be there".to_owned());
        }
    }
    ends(state)
}

fn range(program: &Program, class: Class, range: Option<Wrapped>) -> Result<(), String> {
    let Some(range) = range else { return Ok(()) };
    match class.word(program) {
        Some(word) if (1..=64).contains(&word.width) && range.convert(word, word) == range => {
            Ok(())
        }
        _ => Err("a range is not one of its class".to_owned()),
    }
}

fn cells(program: &Program, state: &State, id: ObjectId, object: &Object) -> Result<(), String> {
    let mut end = 0;
    for (&at, cell) in &object.cells {
        if at < end || cell.size == 0 || at.checked_add(cell.size).is_none_or(|to| to > object.size)
        {
            return Err("cells overlap".to_owned());
        }
        end = at + cell.size;
        match cell.value {
            Value::Word(bits) => {
                let word = cell.class.word(program);
                let too_wide = word.is_some_and(|word| word.width < 64 && bits >> word.width != 0);
                if too_wide || cell.class == Class::Other {
                    return Err("a word is too wide".to_owned());
                }
            }
            Value::Ptr(pointer) => target(state, id, pointer)?,
            Value::Inside(object, at) => {
                target(state, id, Pointer { object, end: End::First, offset: 0 })?;
                let is_plain = |object: &Object| object.chain.is_none() && object.of.is_none();
                let width = program.machine.pointer_width;
                let is_offset = |known: &Known| known.class == Class::Int(width);
                if !is_plain(state.object(object))
                    || !state.unknowns.get(&at).is_some_and(is_offset)
                {
                    return Err("a pointer somewhere into a list".to_owned());
                }
            }
            Value::Function(_) => {}
            Value::Unknown(id) => {
                if state.unknowns.get(&id).is_none_or(|known| known.class != cell.class) {
                    return Err("nothing is known of an unknown".to_owned());
                }
            }
            Value::Each(each) => range(program, cell.class, each)?,
        }
        if matches!(cell.value, Value::Ptr(_) | Value::Inside(..) | Value::Function(_))
            && cell.class != Class::Ptr
        {
            return Err("a pointer is none".to_owned());
        }
    }
    Ok(())
}

/// A pointer, held by an object, has a target that it can have.
fn target(state: &State, holder: ObjectId, pointer: Pointer) -> Result<(), String> {
    let Some(object) = state.objects.get(&pointer.object) else {
        return Err("a pointer leads nowhere".to_owned());
    };
    let holder_of = state.object(holder).of;
    // Which node of a chain further out is meant nobody could say.
    let mut outer = holder_of.and_then(|owner| state.objects.get(&owner)?.of);
    let mut is_further_out = false;
    while let Some(owner) = outer {
        is_further_out |= owner == pointer.object;
        outer = state.objects.get(&owner).and_then(|owner| owner.of).filter(|next| *next != owner);
    }
    let visible = match object.of {
        _ if is_further_out => false,
        None => true,
        Some(owner) => holder == owner || holder_of == Some(owner),
    };
    if !visible {
        return Err("an object of one node is seen from outside".to_owned());
    }
    let one_way = match object.chain {
        None => pointer.end == End::Last,
        Some(chain) => chain.prev.is_none() && pointer.end == End::Last,
    };
    if one_way {
        return Err("a pointer to an end that is none".to_owned());
    }
    let is_own = holder_of == Some(pointer.object);
    let may_be_empty = object.chain.filter(|chain| chain.least == 0);
    if !is_own && may_be_empty.is_some_and(|chain| !is_head(pointer, chain)) {
        return Err("a pointer into a node that may not be there".to_owned());
    }
    Ok(())
}

fn chain(program: &Program, state: &State, id: ObjectId, object: &Object) -> Result<(), String> {
    let Some(chain) = object.chain else { return Ok(()) };
    let size = u64::from(program.machine.pointer_width) / 8;
    let owned = inside(state, id);
    let is_link = |at: u64| {
        object.cells.get(&at).is_some_and(|cell| {
            let into_node = |p: Pointer| owned.contains(&p.object);
            cell.size == size
                && cell.class == Class::Ptr
                && !matches!(cell.value, Value::Each(_))
                && !matches!(cell.value, Value::Ptr(p) if into_node(p))
        })
    };
    let has_links =
        is_link(chain.next) && chain.prev.is_none_or(|prev| prev != chain.next && is_link(prev));
    if !has_links || chain.head >= object.size || object.origin != Origin::Heap {
        return Err("a chain is not linked".to_owned());
    }
    Ok(())
}

fn owner(state: &State, id: ObjectId, object: &Object) -> Result<(), String> {
    let mut seen = BTreeSet::from([id]);
    let mut of = object.of;
    while let Some(owner) = of {
        let Some(chain) = state.objects.get(&owner).filter(|owner| owner.chain.is_some()) else {
            return Err("an object of a node without a chain".to_owned());
        };
        if !seen.insert(owner) || object.origin != Origin::Heap {
            return Err("an object is its own owner".to_owned());
        }
        of = chain.of;
    }
    Ok(())
}

/// Who follows pointers through chains that are empty comes to an end.
fn ends(state: &State) -> Result<(), String> {
    for &id in state.objects.keys() {
        for end in [End::First, End::Last] {
            let (mut at, mut n_steps) = ((id, end), 0);
            while let Some(next) = beyond(state, at) {
                at = next;
                n_steps += 1;
                if n_steps > 2 * state.objects.len() {
                    return Err("chains that are empty lead to each other".to_owned());
                }
            }
        }
    }
    Ok(())
}

/// The end of a chain that an end of a chain is, if that is empty.
fn beyond(state: &State, (id, end): (ObjectId, End)) -> Option<(ObjectId, End)> {
    let object = state.object(id);
    let chain = object.chain.filter(|chain| chain.least == 0)?;
    match object.cells.get(&chain.onward(end)?)?.value {
        Value::Ptr(pointer) => Some((pointer.object, pointer.end)),
        _ => None,
    }
}
