//! A persistent map from small numbers: a clone is one reference count, and two maps that came from one differ only
//! where they were changed.
//!
//! Symbolic execution splits its state at every branch and merges it at every join. Both must cost what changed since
//! the split, not what the state holds. The map is a radix tree with 16 children a node; nodes are shared until they are
//! written, and [`PMap::merge`] passes over what both sides still share.

use std::rc::Rc;

const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// A persistent map from `u64` to `T`.
#[derive(Clone, Debug)]
pub struct PMap<T> {
    root: Option<Rc<Node<T>>>,
    /// Keys below `16^height` fit.
    height: u32,
}

#[derive(Clone, Debug)]
enum Slot<T> {
    Empty,
    Leaf(T),
    Node(Rc<Node<T>>),
}

#[derive(Clone, Debug)]
struct Node<T> {
    slots: [Slot<T>; FAN_OUT],
}

impl<T> Node<T> {
    fn new() -> Node<T> {
        Node { slots: [const { Slot::Empty }; FAN_OUT] }
    }
}

impl<T> Default for PMap<T> {
    fn default() -> Self {
        PMap { root: None, height: 1 }
    }
}

impl<T: Clone + PartialEq> PMap<T> {
    /// A map without entries.
    pub fn new() -> PMap<T> {
        PMap::default()
    }

    /// The value of a key.
    pub fn get(&self, key: u64) -> Option<&T> {
        if !fits(key, self.height) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            level -= 1;
            match &node.slots[digit(key, level)] {
                Slot::Empty => return None,
                Slot::Leaf(value) => return Some(value),
                Slot::Node(child) => node = child,
            }
        }
    }

    /// The value of a key, to be changed; what is shared with other maps is copied first.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        self.get(key)?;
        let mut node = Rc::make_mut(self.root.as_mut()?);
        for level in (1..self.height).rev() {
            let Slot::Node(child) = &mut node.slots[digit(key, level)] else { return None };
            node = Rc::make_mut(child);
        }
        match &mut node.slots[digit(key, 0)] {
            Slot::Leaf(value) => Some(value),
            _ => None,
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: u64, value: T) {
        while !fits(key, self.height) {
            if let Some(root) = self.root.take() {
                let mut node = Node::new();
                node.slots[0] = Slot::Node(root);
                self.root = Some(Rc::new(node));
            }
            self.height += 1;
        }
        let mut node = Rc::make_mut(self.root.get_or_insert_with(|| Rc::new(Node::new())));
        for level in (1..self.height).rev() {
            let slot = &mut node.slots[digit(key, level)];
            if !matches!(slot, Slot::Node(_)) {
                *slot = Slot::Node(Rc::new(Node::new()));
            }
            let Slot::Node(child) = slot else { unreachable!("it was made a node") };
            node = Rc::make_mut(child);
        }
        node.slots[digit(key, 0)] = Slot::Leaf(value);
    }

    /// Removes a key.
    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        let Some(root) = &mut self.root else { return };
        let mut node = Rc::make_mut(root);
        for level in (1..self.height).rev() {
            let Slot::Node(child) = &mut node.slots[digit(key, level)] else { return };
            node = Rc::make_mut(child);
        }
        node.slots[digit(key, 0)] = Slot::Empty;
    }

    /// Entries in order of key.
    pub fn iter(&self) -> Iter<'_, T> {
        let mut stack = Vec::new();
        if let Some(root) = &self.root {
            stack.push((root.as_ref(), 0, 0));
        }
        Iter { stack }
    }

    /// Entries with keys in `low..high`, in order of key.
    pub fn range(&self, low: u64, high: u64) -> impl Iterator<Item = (u64, &T)> {
        let mut stack = Vec::new();
        let mut node = self.root.as_deref();
        let (mut level, mut prefix) = (self.height, 0);
        // Down to the first key that is not below `low`, leaving on the stack what comes after it.
        while let Some(here) = node.filter(|_| fits(low, self.height)) {
            level -= 1;
            let first = digit(low, level);
            node = match &here.slots[first] {
                Slot::Node(child) if level > 0 => {
                    stack.push((here, first + 1, prefix));
                    Some(child)
                }
                _ => {
                    stack.push((here, first, prefix));
                    None
                }
            };
            prefix = prefix << BITS | first as u64;
        }
        Iter { stack }.take_while(move |(key, _)| *key < high)
    }

    /// Whether both are the same map unchanged (a quick test: may say no for equal maps).
    pub fn is_same(&self, other: &PMap<T>) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => self.height == other.height && Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Takes in `other`: what only one side has is kept, and where both have different values `f` answers with the one
    /// to keep. Costs what both have and do not share. Nodes that come out as they are in `other` are shared with it
    /// afterwards, so that a map which takes in one version of another after the next pays for the changes between them.
    pub fn merge(&mut self, other: &PMap<T>, f: &mut impl FnMut(u64, &T, &T) -> T) {
        let height = self.height.max(other.height);
        let (a, b) = (self.lifted(height), other.lifted(height));
        self.root = match (a, b) {
            (Some(a), Some(b)) => Some(merged(&a, &b, 0, f)),
            (a, b) => a.or(b),
        };
        self.height = height;
    }

    /// The root of the same map with a greater height.
    fn lifted(&self, height: u32) -> Option<Rc<Node<T>>> {
        let mut root = self.root.clone();
        for _ in self.height..height {
            root = root.map(|root| {
                let mut node = Node::new();
                node.slots[0] = Slot::Node(root);
                Rc::new(node)
            });
        }
        root
    }

    /// Calls `f` with each key at which the maps differ. Costs what is not shared.
    pub fn for_each_difference(
        &self,
        other: &PMap<T>,
        f: &mut impl FnMut(u64, Option<&T>, Option<&T>),
    ) {
        let height = self.height.max(other.height);
        let (a, b) = (self.lifted(height), other.lifted(height));
        difference(a.as_deref(), b.as_deref(), 0, f);
    }
}

/// The merge of two nodes; one of them if it comes out so, rather the second.
fn merged<T: Clone + PartialEq>(
    a: &Rc<Node<T>>,
    b: &Rc<Node<T>>,
    prefix: u64,
    f: &mut impl FnMut(u64, &T, &T) -> T,
) -> Rc<Node<T>> {
    if Rc::ptr_eq(a, b) {
        return b.clone();
    }
    let mut node = Node::new();
    let (mut is_a, mut is_b) = (true, true);
    for (i, slot) in node.slots.iter_mut().enumerate() {
        let key = prefix << BITS | i as u64;
        *slot = match (&a.slots[i], &b.slots[i]) {
            (Slot::Empty, Slot::Empty) => Slot::Empty,
            (Slot::Empty, theirs) => {
                is_a = false;
                theirs.clone()
            }
            (ours, Slot::Empty) => {
                is_b = false;
                ours.clone()
            }
            (Slot::Node(ours), Slot::Node(theirs)) => {
                // The recursion is as deep as the tree: at most 16 levels.
                let child = merged(ours, theirs, key, f);
                is_a &= Rc::ptr_eq(&child, ours);
                is_b &= Rc::ptr_eq(&child, theirs);
                Slot::Node(child)
            }
            (Slot::Leaf(ours), Slot::Leaf(theirs)) if ours == theirs => Slot::Leaf(theirs.clone()),
            (Slot::Leaf(ours), Slot::Leaf(theirs)) => {
                let value = f(key, ours, theirs);
                is_a &= value == *ours;
                is_b &= value == *theirs;
                Slot::Leaf(value)
            }
            (Slot::Leaf(_), Slot::Node(_)) | (Slot::Node(_), Slot::Leaf(_)) => {
                unreachable!("all leaves are at the same depth")
            }
        };
    }
    match (is_a, is_b) {
        (_, true) => b.clone(),
        (true, false) => a.clone(),
        _ => Rc::new(node),
    }
}

fn difference<T: PartialEq>(
    a: Option<&Node<T>>,
    b: Option<&Node<T>>,
    prefix: u64,
    f: &mut impl FnMut(u64, Option<&T>, Option<&T>),
) {
    if let (Some(a), Some(b)) = (a, b)
        && std::ptr::eq(a, b)
    {
        return;
    }
    // The recursion is as deep as the tree: at most 16 levels.
    for i in 0..FAN_OUT {
        let key = prefix << BITS | i as u64;
        let (slot_a, slot_b) = (a.map(|node| &node.slots[i]), b.map(|node| &node.slots[i]));
        let child = |slot: Option<&Slot<T>>| matches!(slot, Some(Slot::Node(_)));
        if child(slot_a) || child(slot_b) {
            difference(as_node(slot_a), as_node(slot_b), key, f);
        } else {
            let (leaf_a, leaf_b) = (as_leaf(slot_a), as_leaf(slot_b));
            if leaf_a != leaf_b {
                f(key, leaf_a, leaf_b);
            }
        }
    }
}

fn as_node<T>(slot: Option<&Slot<T>>) -> Option<&Node<T>> {
    match slot {
        Some(Slot::Node(node)) => Some(node),
        _ => None,
    }
}

fn as_leaf<T>(slot: Option<&Slot<T>>) -> Option<&T> {
    match slot {
        Some(Slot::Leaf(value)) => Some(value),
        _ => None,
    }
}

fn fits(key: u64, height: u32) -> bool {
    height * BITS >= u64::BITS || key >> (height * BITS) == 0
}

fn digit(key: u64, level: u32) -> usize {
    (key >> (level * BITS)) as usize & (FAN_OUT - 1)
}

/// Entries of a [`PMap`] in order of key.
pub struct Iter<'a, T> {
    /// Nodes on the way down with the next slot to look at and the key's digits so far.
    stack: Vec<(&'a Node<T>, usize, u64)>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = (u64, &'a T);

    fn next(&mut self) -> Option<(u64, &'a T)> {
        while let Some((node, slot, prefix)) = self.stack.last_mut() {
            if *slot == FAN_OUT {
                self.stack.pop();
                continue;
            }
            let key = *prefix << BITS | *slot as u64;
            let node: &'a Node<T> = node;
            let here = &node.slots[*slot];
            *slot += 1;
            match here {
                Slot::Empty => {}
                Slot::Leaf(value) => return Some((key, value)),
                Slot::Node(child) => self.stack.push((child, 0, key)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A small generator, so that the test is the same each time.
    fn numbers(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 33
        }
    }

    #[test]
    fn behaves_as_a_map() {
        let mut next = numbers(1);
        let mut map = PMap::new();
        let mut model = BTreeMap::new();
        for _ in 0..2000 {
            let key = match next() % 3 {
                0 => next() % 64,
                1 => next() % 100_000,
                _ => next() << 20,
            };
            if next().is_multiple_of(4) {
                map.remove(key);
                model.remove(&key);
            } else {
                let value = next();
                map.insert(key, value);
                model.insert(key, value);
            }
            assert_eq!(map.get(key), model.get(&key));
            let (low, high) = (next() % 100_000, next() % 200_000);
            if low < high {
                let range: Vec<u64> = map.range(low, high).map(|(key, _)| key).collect();
                assert_eq!(range, model.range(low..high).map(|(key, _)| *key).collect::<Vec<_>>());
            }
        }
        assert_eq!(
            map.iter().map(|(k, v)| (k, *v)).collect::<Vec<_>>(),
            model.into_iter().collect::<Vec<_>>()
        );
    }

    #[test]
    fn changes_in_place_stay_in_one_map() {
        let mut ours = PMap::new();
        for key in [0, 17, 300] {
            ours.insert(key, key);
        }
        let theirs = ours.clone();
        *ours.get_mut(17).unwrap() = 5;
        assert_eq!((ours.get(17), theirs.get(17)), (Some(&5), Some(&17)));
        assert_eq!((ours.get_mut(18), ours.get_mut(1 << 30)), (None, None));
    }

    #[test]
    fn differences_are_exact_and_cost_what_changed() {
        let mut base = PMap::new();
        for key in 0..100_000 {
            base.insert(key, key);
        }
        let (mut a, mut b) = (base.clone(), base.clone());
        a.insert(5, 0);
        a.insert(1 << 40, 1);
        b.insert(70_000, 2);
        b.remove(9);
        let mut seen = Vec::new();
        a.for_each_difference(&b, &mut |key, x, y| seen.push((key, x.copied(), y.copied())));
        assert_eq!(
            seen,
            [
                (5, Some(0), Some(5)),
                (9, Some(9), None),
                (70_000, Some(70_000), Some(2)),
                (1 << 40, Some(1), None)
            ]
        );
        let mut asked = Vec::new();
        a.merge(&b, &mut |key, x, _| {
            asked.push(key);
            *x
        });
        assert_eq!(asked, [5, 70_000]);
        assert_eq!((a.get(5), a.get(9), a.get(70_000)), (Some(&0), Some(&9), Some(&70_000)));
        assert!(base.is_same(&base.clone()));
    }

    #[test]
    fn merges_share_what_comes_out_the_same() {
        let mut ours = PMap::new();
        let mut theirs = PMap::new();
        for round in 0..500 {
            theirs.insert(round, round);
            theirs.insert(1000, round);
            let mut asked = 0;
            ours.merge(&theirs, &mut |_, _, y| {
                asked += 1;
                *y
            });
            // All that was taken over before is shared, and nobody asks about it again.
            assert!(asked <= 1, "round {round}: {asked}");
            assert!(ours.is_same(&theirs));
        }
        let mut sparse = PMap::new();
        sparse.insert(7, 7);
        theirs.merge(&sparse, &mut |_, x, _| *x);
        assert!(ours.is_same(&theirs));
    }
}
