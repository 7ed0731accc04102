//! Pointers as words: the object's number on top of the offset in bytes.
//!
//! Object number zero is no object: a pointer with it has the offset as address, so the null pointer is the zero word.
//! Which objects a pointer can point to is read off its own term: selections (`ite`) with known object numbers at the
//! leaves. A leaf that was read from an array of pointers can point to what was stored there; any other leaf, to any
//! object.

use crate::memory::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use vergo_term::{Op, Sort, TermId, TermStore};

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

/// The objects of a pointer. The guards exclude each other, and one of them holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// Known objects, each once, in ascending order.
    pub(crate) known: Vec<Target>,
    /// Pointers that were read from arrays or put together from parts, each with the condition under which it is the
    /// pointer.
    pub(crate) unknown: Vec<(TermId, TermId)>,
}

/// The objects of pointers that were asked about. What a selection points to is computed once from its two sides, so
/// that a pointer that walks along a list costs what is new in each step.
#[derive(Default)]
pub(crate) struct TargetTable {
    targets: FxHashMap<TermId, Rc<Targets>>,
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
pub(crate) fn map_leaves(
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

impl TargetTable {
    /// Takes note of the objects of a pointer that was put together from them.
    pub(crate) fn set(&mut self, pointer: TermId, targets: Targets) {
        self.targets.entry(pointer).or_insert_with(|| Rc::new(targets));
    }

    /// The objects that a pointer can point to.
    pub(crate) fn of(&mut self, store: &mut TermStore, pointer: TermId) -> Rc<Targets> {
        let mut stack = vec![pointer];
        while let Some(&term) = stack.last() {
            if self.targets.contains_key(&term) {
                stack.pop();
            } else if store.op(term) == Op::Ite {
                let [cond, then, other] = [0, 1, 2].map(|i| store.arg(term, i));
                match (self.targets.get(&then).cloned(), self.targets.get(&other).cloned()) {
                    (Some(a), Some(b)) => {
                        let targets = choose(store, cond, &a, &b);
                        self.targets.insert(term, Rc::new(targets));
                        stack.pop();
                    }
                    (None, _) => stack.push(then),
                    _ => stack.push(other),
                }
            } else {
                let targets = leaf(store, term);
                self.targets.insert(term, Rc::new(targets));
                stack.pop();
            }
        }
        self.targets[&pointer].clone()
    }
}

fn leaf(store: &mut TermStore, pointer: TermId) -> Targets {
    let width = store.width(pointer);
    let guard = store.true_term();
    let number = store.bv_extract(width - 1, width - OBJECT_BITS, pointer);
    match store.bv_value(number).and_then(vergo_num::BitVec::to_u64) {
        Some(number) => {
            let offset = store.bv_extract(width - OBJECT_BITS - 1, 0, pointer);
            let object = ObjectId::from_number(number);
            Targets { known: vec![Target { guard, object, offset }], unknown: Vec::new() }
        }
        None => Targets { known: Vec::new(), unknown: vec![(guard, pointer)] },
    }
}

/// The objects of a selection.
fn choose(store: &mut TermStore, cond: TermId, then: &Targets, other: &Targets) -> Targets {
    let never = store.false_term();
    let mut known = Vec::with_capacity(then.known.len().max(other.known.len()));
    let (mut a, mut b) = (then.known.iter().peekable(), other.known.iter().peekable());
    loop {
        let object = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.object.min(y.object),
            (Some(x), None) => x.object,
            (None, Some(y)) => y.object,
            (None, None) => break,
        };
        let x = a.next_if(|target| target.object == object);
        let y = b.next_if(|target| target.object == object);
        let guard = store.ite(cond, x.map_or(never, |x| x.guard), y.map_or(never, |y| y.guard));
        let offset = match (x, y) {
            (Some(x), Some(y)) => store.ite(cond, x.offset, y.offset),
            (Some(target), None) | (None, Some(target)) => target.offset,
            (None, None) => break,
        };
        known.push(Target { guard, object, offset });
    }
    let mut unknown: Vec<(TermId, TermId)> = Vec::new();
    for (side, negated, targets) in [(cond, false, then), (cond, true, other)] {
        let side = if negated { store.not(side) } else { side };
        for &(guard, pointer) in &targets.unknown {
            let guard = store.and(side, guard);
            match unknown.iter_mut().find(|(_, other)| *other == pointer) {
                Some((old, _)) => *old = store.or(*old, guard),
                None => unknown.push((guard, pointer)),
            }
        }
    }
    Targets { known, unknown }
}

/// The objects that a pointer of unknown origin can point to, in ascending order; `None` for any.
pub(crate) fn candidates(store: &TermStore, pointer: TermId) -> Option<Vec<ObjectId>> {
    let mut objects = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![pointer];
    let top = store.width(pointer) - OBJECT_BITS;
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::Ite => stack.extend([store.arg(term, 1), store.arg(term, 2)]),
            Op::Select => stack.push(store.arg(term, 0)),
            Op::Store => stack.extend([store.arg(term, 0), store.arg(term, 2)]),
            Op::ConstArray => stack.push(store.arg(term, 0)),
            // What an array held in the beginning points to no object.
            Op::Var(_) if matches!(store.sort(term), Sort::Array(_)) => {}
            Op::BvConcat if store.width(store.arg(term, 0)) == OBJECT_BITS => {
                stack.push(store.arg(term, 0));
            }
            // The object's number of another pointer.
            Op::BvExtract(low) if low == top && store.width(term) == OBJECT_BITS => {
                stack.push(store.arg(term, 0));
            }
            _ => {
                let value = store.bv_value(term)?;
                let number = match value.width() {
                    OBJECT_BITS => value.to_u64()?,
                    width => value.extract(width - 1, width - OBJECT_BITS).to_u64()?,
                };
                if number != 0 {
                    objects.insert(ObjectId::from_number(number));
                }
            }
        }
    }
    Some(objects.into_iter().collect())
}
