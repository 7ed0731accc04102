//! Pointers as words: the object's number on top of the offset in bytes.
//!
//! Object number zero is no object: a pointer with it has the offset as address, so the null pointer is the zero word.
//! Which objects a pointer can point to is read off its own term: selections (`ite`) with known object numbers at the
//! leaves. A leaf that was read from an array of pointers can point to what was stored there; any other leaf, to any
//! object.

use crate::memory::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_term::{Op, Sort, TermId, TermStore};

/// Bits of an object's number.
pub(crate) const OBJECT_BITS: u32 = 32;

/// With more new selections than this, the objects of a pointer are found from the top down.
const FEW_SELECTIONS: usize = 4;

/// One object that a pointer can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The condition under which it does.
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
#[derive(Clone, Default)]
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
        let new = self.new_selections(store, pointer);
        if new.len() > FEW_SELECTIONS {
            let targets = Rc::new(self.along_paths(store, pointer, &new));
            self.targets.insert(pointer, targets.clone());
            return targets;
        }
        for &term in &new {
            let [cond, then, other] = [0, 1, 2].map(|i| store.arg(term, i));
            let [then, other] = [then, other].map(|side| self.known_or_leaf(store, side));
            let targets = choose(store, cond, &then, &other);
            self.targets.insert(term, Rc::new(targets));
        }
        self.known_or_leaf(store, pointer)
    }

    /// The selections below a pointer whose objects are not known yet, each behind those that it selects from.
    fn new_selections(&self, store: &TermStore, pointer: TermId) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(pointer, false)];
        while let Some((term, is_done)) = stack.pop() {
            if is_done {
                order.push(term);
            } else if store.op(term) == Op::Ite
                && !self.targets.contains_key(&term)
                && seen.insert(term)
            {
                stack.push((term, true));
                stack.extend([(store.arg(term, 2), false), (store.arg(term, 1), false)]);
            }
        }
        order
    }

    fn known_or_leaf(&mut self, store: &mut TermStore, term: TermId) -> Rc<Targets> {
        let targets = self.targets.entry(term).or_insert_with(|| Rc::new(leaf(store, term)));
        targets.clone()
    }

    /// The objects of a pointer with many new selections, such as the rounds of a loop leave behind: from the top down
    /// with the conditions of the paths, so that it costs as much as there are selections. What the selections in
    /// between point to is not found out.
    fn along_paths(&mut self, store: &mut TermStore, pointer: TermId, new: &[TermId]) -> Targets {
        let mut paths: FxHashMap<TermId, TermId> = FxHashMap::default();
        paths.insert(pointer, store.true_term());
        // Where objects are known, or nothing is selected, in the order in which paths come there.
        let mut ends = Vec::new();
        for &term in new.iter().rev() {
            // All paths to it are there: whoever selects from it comes before it.
            let path = paths[&term];
            let cond = store.arg(term, 0);
            let negated = store.not(cond);
            for (side, cond) in [(1, cond), (2, negated)] {
                let side = store.arg(term, side);
                let mut here = store.and(path, cond);
                match paths.get(&side) {
                    Some(&other) => here = store.or(other, here),
                    None if store.op(side) == Op::Ite && !self.targets.contains_key(&side) => {}
                    None => ends.push(side),
                }
                paths.insert(side, here);
            }
        }
        let mut known: BTreeMap<ObjectId, Target> = BTreeMap::new();
        let mut unknown: Vec<(TermId, TermId)> = Vec::new();
        for end in ends {
            let targets = self.known_or_leaf(store, end);
            for &Target { guard, object, offset } in &targets.known {
                let guard = store.and(paths[&end], guard);
                let target = match known.get(&object) {
                    Some(other) => Target {
                        guard: store.or(other.guard, guard),
                        object,
                        offset: store.ite(guard, offset, other.offset),
                    },
                    None => Target { guard, object, offset },
                };
                known.insert(object, target);
            }
            for &(guard, pointer) in &targets.unknown {
                let guard = store.and(paths[&end], guard);
                add_unknown(store, &mut unknown, guard, pointer);
            }
        }
        Targets { known: known.into_values().collect(), unknown }
    }
}

/// Notes another condition under which a pointer is meant.
fn add_unknown(
    store: &mut TermStore,
    unknown: &mut Vec<(TermId, TermId)>,
    guard: TermId,
    pointer: TermId,
) {
    match unknown.iter_mut().find(|(_, other)| *other == pointer) {
        Some((old, _)) => *old = store.or(*old, guard),
        None => unknown.push((guard, pointer)),
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
            add_unknown(store, &mut unknown, guard, pointer);
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

/// Returns the possible targets of a pointer of unknown origin: objects (or none) and offsets; `None` if it can be
/// anything.
pub(crate) fn leaves(store: &mut TermStore, pointer: TermId) -> Option<Vec<(ObjectId, TermId)>> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![pointer];
    let width = store.width(pointer);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::Ite => stack.extend([store.arg(term, 1), store.arg(term, 2)]),
            Op::Select => stack.push(store.arg(term, 0)),
            Op::Store => stack.extend([store.arg(term, 0), store.arg(term, 2)]),
            Op::ConstArray => stack.push(store.arg(term, 0)),
            _ if store.sort(term) == Sort::BitVec(width) => {
                let number = store.bv_extract(width - 1, width - OBJECT_BITS, term);
                let number = store.bv_value(number)?.to_u64()?;
                let offset = store.bv_extract(width - OBJECT_BITS - 1, 0, term);
                found.push((ObjectId::from_number(number), offset));
            }
            _ => return None,
        }
    }
    Some(found)
}
