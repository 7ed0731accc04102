//! Pointers as words: the object's number on top of the offset in bytes.
//!
//! Object number zero is no object: a pointer with it has the offset as address, so the null pointer is the zero word.
//! Which objects a pointer can point to is read off its own term: selections (`ite`) with known object numbers at the
//! leaves. A leaf whose object is not known can point to any object.

use crate::memory::ObjectId;
use rustc_hash::FxHashMap;
use vergo_term::{Op, TermId, TermStore};

/// Bits of an object's number.
pub(crate) const OBJECT_BITS: u32 = 32;

/// One object that a pointer can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// When it does.
    pub(crate) guard: TermId,
    /// The object.
    pub(crate) object: ObjectId,
    /// At which offset.
    pub(crate) offset: TermId,
}

/// The objects of a pointer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// Known objects, each once, in order of first appearance.
    pub(crate) known: Vec<Target>,
    /// When the pointer is one of unknown origin, and that pointer; `None` if it never is.
    pub(crate) unknown: Option<(TermId, TermId)>,
}

/// The pointer to an offset in an object.
pub(crate) fn make(store: &mut TermStore, object: ObjectId, offset: TermId) -> TermId {
    let number = store.bv_u64(OBJECT_BITS, object.number());
    store.bv_concat(number, offset)
}

/// The offset part of a pointer.
pub(crate) fn offset(store: &mut TermStore, pointer: TermId) -> TermId {
    let width = store.width(pointer) - OBJECT_BITS;
    map_leaves(store, pointer, &mut |store, leaf| store.bv_extract(width - 1, 0, leaf))
}

/// The object part of a pointer.
pub(crate) fn object(store: &mut TermStore, pointer: TermId) -> TermId {
    let width = store.width(pointer);
    map_leaves(store, pointer, &mut |store, leaf| {
        store.bv_extract(width - 1, width - OBJECT_BITS, leaf)
    })
}

/// Applies a function below the selections of a term.
fn map_leaves(
    store: &mut TermStore,
    root: TermId,
    f: &mut impl FnMut(&mut TermStore, TermId) -> TermId,
) -> TermId {
    let mut memo: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if memo.contains_key(&term) {
            stack.pop();
        } else if store.op(term) == Op::Ite {
            let [cond, then, other] = [0, 1, 2].map(|i| store.arg(term, i));
            match (memo.get(&then).copied(), memo.get(&other).copied()) {
                (Some(a), Some(b)) => {
                    let mapped = store.ite(cond, a, b);
                    memo.insert(term, mapped);
                    stack.pop();
                }
                (None, _) => stack.push(then),
                _ => stack.push(other),
            }
        } else {
            let mapped = f(store, term);
            memo.insert(term, mapped);
            stack.pop();
        }
    }
    memo[&root]
}

/// The objects that a pointer can point to.
pub(crate) fn targets(store: &mut TermStore, pointer: TermId) -> Targets {
    // Conditions under which each selection and leaf is what the pointer is, from the root down. A parent has a greater
    // number than its arguments, so descending numbers visit each term after all that lead to it.
    let mut conditions: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut order = std::collections::BinaryHeap::new();
    conditions.insert(pointer, store.true_term());
    order.push(pointer);
    let mut leaves = Vec::new();
    while let Some(term) = order.pop() {
        let condition = conditions[&term];
        if store.op(term) != Op::Ite {
            leaves.push((term, condition));
            continue;
        }
        let [cond, then, other] = [0, 1, 2].map(|i| store.arg(term, i));
        let negated = store.not(cond);
        for (child, branch) in [(then, cond), (other, negated)] {
            let new = store.and(condition, branch);
            let merged = match conditions.get(&child) {
                Some(&old) => store.or(old, new),
                None => {
                    order.push(child);
                    new
                }
            };
            conditions.insert(child, merged);
        }
    }
    let width = store.width(pointer);
    let mut result = Targets::default();
    for (leaf, guard) in leaves {
        let number = store.bv_extract(width - 1, width - OBJECT_BITS, leaf);
        let Some(number) = store.bv_value(number).and_then(vergo_num::BitVec::to_u64) else {
            result.unknown = Some(match result.unknown {
                Some((others, pointer)) => {
                    let pointer = store.ite(guard, leaf, pointer);
                    (store.or(others, guard), pointer)
                }
                None => (guard, leaf),
            });
            continue;
        };
        let offset = store.bv_extract(width - OBJECT_BITS - 1, 0, leaf);
        let object = ObjectId::from_number(number);
        match result.known.iter_mut().find(|target| target.object == object) {
            Some(target) => {
                target.offset = store.ite(guard, offset, target.offset);
                target.guard = store.or(target.guard, guard);
            }
            None => result.known.push(Target { guard, object, offset }),
        }
    }
    result
}
