//! States whose graphs are the same become one, with ranges for numbers that differ.

use std::collections::BTreeMap;
use vergo_analysis::interval::Word;
use vergo_analysis::number::Number;
use vergo_evidence::shapes::graph::{Class, Known, ObjectId, State, Value};
use vergo_goto::program::Program;

/// A state that has both as cases, if they have the same graph. Numbers that differ grow at once to where they can be expected to
/// stay, so that joining again and again ends.
pub(super) fn join(program: &Program, old: &State, new: &State) -> Option<State> {
    if old.objects.len() != new.objects.len() || old.frames.len() != new.frames.len() {
        return None;
    }
    let mut pairs: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
    let mut pending = Vec::new();
    let roots = |state: &State| -> Vec<ObjectId> { state.roots().collect() };
    for (a, b) in roots(old).into_iter().zip(roots(new)) {
        pairs.insert(a, b);
        pending.push((a, b));
    }
    if pairs.iter().any(|(&a, &b)| differ((old, a), (new, b))) {
        return None;
    }
    let mut joined = old.clone();
    joined.lost |= new.lost;
    let mut values: Vec<((Value, Value), Value)> = Vec::new();
    while let Some((a, b)) = pending.pop() {
        let (x, y) = (old.object(a), new.objects.get(&b)?);
        let (kind, other) = (
            (x.size, x.origin, x.writable, x.zero, x.maybe),
            (y.size, y.origin, y.writable, y.zero, y.maybe),
        );
        if kind != other || x.of.map(|of| pairs.get(&of).copied()) != y.of.map(Some) {
            return None;
        }
        match (x.chain, y.chain) {
            (None, None) => {}
            (Some(p), Some(q)) if p.is_like(&q) => {
                let least = p.least.min(q.least);
                joined.object_mut(a).chain.as_mut()?.least = least;
            }
            _ => return None,
        }
        if x.zero && !x.cells.keys().eq(y.cells.keys()) {
            return None;
        }
        for (at, cell) in &x.cells {
            let Some(value) = y.scalar(*at, cell.size, cell.class) else {
                if cell.value.target().is_some() {
                    return None;
                }
                joined.object_mut(a).cells.remove(at);
                continue;
            };
            if let (Some(p), Some(q)) = (cell.value.target(), value.target()) {
                match pairs.get(&p.object) {
                    Some(other) if *other != q.object => return None,
                    Some(_) => {}
                    None => {
                        pairs.insert(p.object, q.object);
                        pending.push((p.object, q.object));
                    }
                }
                let are_same = matches!((cell.value, value), (Value::Ptr(p), Value::Ptr(q))
                    if (p.end, p.offset) == (q.end, q.offset));
                if !are_same {
                    let key = (cell.value, value);
                    let known = values.iter().find(|(other, _)| *other == key).map(|known| known.1);
                    let value = match known {
                        Some(value) => value,
                        None => moving(program, &mut joined, (old, key.0), (new, key.1))?,
                    };
                    values.push((key, value));
                    joined.object_mut(a).cells.get_mut(at)?.value = value;
                }
                continue;
            }
            match (cell.value, value) {
                (p, q) if p.target().is_some() || q.target().is_some() => return None,
                (p, q) if p == q && matches!(p, Value::Word(_) | Value::Function(_)) => {}
                (p, q) if cell.class == Class::Ptr && matches!((p, q), (Value::Word(_), _) | (_, Value::Word(_))) => {
                    return None;
                }
                (p, q) => {
                    let key = (p, q);
                    let is_each = matches!(p, Value::Each(_)) || matches!(q, Value::Each(_));
                    let known = values.iter().find(|(other, _)| *other == key && !is_each);
                    let value = match known {
                        Some((_, value)) => *value,
                        None => {
                            let range = widened(program, cell.class, (old, p), (new, q));
                            let value = if is_each {
                                Value::Each(range)
                            } else {
                                joined.unknown(Known { class: cell.class, range })
                            };
                            values.push((key, value));
                            value
                        }
                    };
                    joined.object_mut(a).cells.get_mut(at)?.value = value;
                }
            }
        }
    }
    (pairs.len() == old.objects.len()).then_some(joined)
}

/// Returns whether only one of two variables holds a pointer to an object: most states differ in that.
fn differ((old, a): (&State, ObjectId), (new, b): (&State, ObjectId)) -> bool {
    let (x, y) = (old.object(a), new.object(b));
    x.cells.iter().any(|(&at, cell)| {
        let other = y.scalar(at, cell.size, cell.class);
        cell.value.target().is_some() != other.and_then(Value::target).is_some()
    })
}

/// A pointer that moves through an object without pointers, such as an array.
fn moving(
    program: &Program,
    joined: &mut State,
    (old, p): (&State, Value),
    (new, q): (&State, Value),
) -> Option<Value> {
    let ((id, x), (_, y)) = (old.offsets(program, p)?, new.offsets(program, q)?);
    let object = old.object(id);
    let size = i128::from(object.size);
    if object.of.is_some() || object.targets().next().is_some() {
        return None;
    }
    let word = Word { signed: true, width: program.machine.pointer_width };
    // Who moves through an object comes to its ends.
    let offsets = x.widen(x.join(y), &[-1, 0, size], word.all());
    Some(joined.inside(program, id, offsets))
}

/// A range that has both, and room for more.
fn widened(
    program: &Program,
    class: Class,
    (old, p): (&State, Value),
    (new, q): (&State, Value),
) -> Option<vergo_analysis::wrapped::Wrapped> {
    let word = class.word(program)?;
    let (x, y) = (old.range(program, class, p)?, new.range(program, class, q)?);
    if y.is_within(word, x) {
        return Some(x);
    }
    // Read with a sign, as numbers that grow are.
    let word = Word { signed: class != Class::Ptr && word.width > 1, ..word };
    Some(x.widen(word, y, &[0]))
}
