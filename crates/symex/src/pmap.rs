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
    root: Option<Tree<T>>,
    /// Keys below `16^height` fit.
    height: u32,
}

/// A tree in which all values are at the same depth: 16 trees, or 16 values, which may be larger.
#[derive(Clone, Debug)]
enum Tree<T> {
    Trees(Rc<[Option<Tree<T>>; FAN_OUT]>),
    Values(Rc<[Option<T>; FAN_OUT]>),
}

impl<T> Tree<T> {
    /// A tree without values with so many levels below.
    fn new(level: u32) -> Tree<T> {
        match level {
            0 => Tree::Values(Rc::new([const { None }; FAN_OUT])),
            _ => Tree::Trees(Rc::new([const { None }; FAN_OUT])),
        }
    }

    /// A tree with one level more.
    fn lift(self) -> Tree<T> {
        let mut trees = [const { None }; FAN_OUT];
        trees[0] = Some(self);
        Tree::Trees(Rc::new(trees))
    }

    /// Checks whether both are the same tree unchanged.
    fn is_same(&self, other: &Tree<T>) -> bool {
        match (self, other) {
            (Tree::Trees(a), Tree::Trees(b)) => Rc::ptr_eq(a, b),
            (Tree::Values(a), Tree::Values(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
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
        let mut tree = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            level -= 1;
            match tree {
                Tree::Trees(trees) => tree = trees[digit(key, level)].as_ref()?,
                Tree::Values(values) => return values[digit(key, level)].as_ref(),
            }
        }
    }

    /// The value of a key, to be changed; what is shared with other maps is copied first.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        self.get(key)?;
        self.slot(key).as_mut()
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: u64, value: T) {
        while !fits(key, self.height) {
            self.root = self.root.take().map(Tree::lift);
            self.height += 1;
        }
        *self.slot(key) = Some(value);
    }

    /// Removes a key.
    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_some() {
            *self.slot(key) = None;
        }
    }

    /// Where the value of a key that fits belongs, in trees that are not shared.
    fn slot(&mut self, key: u64) -> &mut Option<T> {
        let mut level = self.height - 1;
        let mut tree = self.root.get_or_insert_with(|| Tree::new(level));
        loop {
            match tree {
                Tree::Trees(trees) => {
                    let slot = &mut Rc::make_mut(trees)[digit(key, level)];
                    level -= 1;
                    tree = slot.get_or_insert_with(|| Tree::new(level));
                }
                Tree::Values(values) => return &mut Rc::make_mut(values)[digit(key, level)],
            }
        }
    }

    /// Entries in order of key.
    pub fn iter(&self) -> Iter<'_, T> {
        let mut stack = Vec::new();
        if let Some(root) = &self.root {
            stack.push((root, 0, 0));
        }
        Iter { stack }
    }

    /// Entries with keys in `low..high`, in order of key.
    pub fn range(&self, low: u64, high: u64) -> impl Iterator<Item = (u64, &T)> {
        let mut stack = Vec::new();
        let mut next = self.root.as_ref().filter(|_| fits(low, self.height));
        let (mut level, mut prefix) = (self.height, 0);
        // Down to the first key that is not below `low`, leaving on the stack what comes after it.
        while let Some(tree) = next {
            level -= 1;
            let first = digit(low, level);
            next = match tree {
                Tree::Trees(trees) => {
                    stack.push((tree, first + 1, prefix));
                    trees[first].as_ref()
                }
                Tree::Values(_) => {
                    stack.push((tree, first, prefix));
                    None
                }
            };
            prefix = prefix << BITS | first as u64;
        }
        Iter { stack }.take_while(move |(key, _)| *key < high)
    }

    /// Checks whether both are the same map unchanged (a quick test: may say no for equal maps).
    pub fn is_same(&self, other: &PMap<T>) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => self.height == other.height && a.is_same(b),
            _ => false,
        }
    }

    /// Takes in `other`: what only one side has is kept, and where both have different values `f` answers with the one
    /// to keep. Costs what both have and do not share. Trees that come out as they are in `other` are shared with it
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
    fn lifted(&self, height: u32) -> Option<Tree<T>> {
        let mut root = self.root.clone();
        for _ in self.height..height {
            root = root.map(Tree::lift);
        }
        root
    }

    /// Calls `f` with each key at which the maps differ. Costs what is not shared.
    pub fn for_each_difference(
        &self,
        other: &PMap<T>,
        f: &mut impl FnMut(u64, Option<&T>, Option<&T>),
    ) {
        self.differences(other, &mut |key, a, b| {
            f(key, a, b);
            true
        });
    }

    /// Calls `f` with the keys at which the maps differ until it says no; gives whether it never did.
    pub fn differences(
        &self,
        other: &PMap<T>,
        f: &mut impl FnMut(u64, Option<&T>, Option<&T>) -> bool,
    ) -> bool {
        if self.height == other.height {
            return differences(self.root.as_ref(), other.root.as_ref(), 0, f);
        }
        let height = self.height.max(other.height);
        let (a, b) = (self.lifted(height), other.lifted(height));
        differences(a.as_ref(), b.as_ref(), 0, f)
    }
}

/// The merge of two trees; one of them if it comes out so, rather the second.
fn merged<T: Clone + PartialEq>(
    a: &Tree<T>,
    b: &Tree<T>,
    prefix: u64,
    f: &mut impl FnMut(u64, &T, &T) -> T,
) -> Tree<T> {
    let key = |i: usize| prefix << BITS | i as u64;
    let (tree, is_a, is_b) = match (a, b) {
        (Tree::Trees(x), Tree::Trees(y)) if !Rc::ptr_eq(x, y) => {
            // The recursion is as deep as the tree: at most 16 levels.
            let join = |i, x: &Tree<T>, y: &Tree<T>| merged(x, y, key(i), f);
            let (trees, is_a, is_b) = merged_slots(x, y, join, Tree::is_same);
            (Tree::Trees(Rc::new(trees)), is_a, is_b)
        }
        (Tree::Values(x), Tree::Values(y)) if !Rc::ptr_eq(x, y) => {
            let join = |i, x: &T, y: &T| if x == y { y.clone() } else { f(key(i), x, y) };
            let (values, is_a, is_b) = merged_slots(x, y, join, T::eq);
            (Tree::Values(Rc::new(values)), is_a, is_b)
        }
        // All values are at the same depth, so that both are the same.
        _ => return b.clone(),
    };
    match (is_a, is_b) {
        (_, true) => b.clone(),
        (true, false) => a.clone(),
        _ => tree,
    }
}

/// The merge of the slots of two trees, and whether it came out as the one or the other.
fn merged_slots<S: Clone>(
    a: &[Option<S>; FAN_OUT],
    b: &[Option<S>; FAN_OUT],
    mut join: impl FnMut(usize, &S, &S) -> S,
    is_same: impl Fn(&S, &S) -> bool,
) -> ([Option<S>; FAN_OUT], bool, bool) {
    let mut slots = [const { None }; FAN_OUT];
    let (mut is_a, mut is_b) = (true, true);
    for (i, slot) in slots.iter_mut().enumerate() {
        *slot = match (&a[i], &b[i]) {
            (None, None) => None,
            (None, theirs) => {
                is_a = false;
                theirs.clone()
            }
            (ours, None) => {
                is_b = false;
                ours.clone()
            }
            (Some(ours), Some(theirs)) => {
                let both = join(i, ours, theirs);
                is_a &= is_same(&both, ours);
                is_b &= is_same(&both, theirs);
                Some(both)
            }
        };
    }
    (slots, is_a, is_b)
}

fn differences<T: PartialEq>(
    a: Option<&Tree<T>>,
    b: Option<&Tree<T>>,
    prefix: u64,
    f: &mut impl FnMut(u64, Option<&T>, Option<&T>) -> bool,
) -> bool {
    if let (Some(a), Some(b)) = (a, b)
        && a.is_same(b)
    {
        return true;
    }
    let Some(either) = a.or(b) else { return true };
    // The recursion is as deep as the tree: at most 16 levels.
    (0..FAN_OUT).all(|i| {
        let key = prefix << BITS | i as u64;
        match either {
            Tree::Trees(_) => differences(below(a, i), below(b, i), key, f),
            Tree::Values(_) => {
                let (a, b) = (value(a, i), value(b, i));
                a == b || f(key, a, b)
            }
        }
    })
}

fn below<T>(tree: Option<&Tree<T>>, i: usize) -> Option<&Tree<T>> {
    match tree {
        Some(Tree::Trees(trees)) => trees[i].as_ref(),
        _ => None,
    }
}

fn value<T>(tree: Option<&Tree<T>>, i: usize) -> Option<&T> {
    match tree {
        Some(Tree::Values(values)) => values[i].as_ref(),
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
    /// Trees on the way down with the next slot to look at and the key's digits so far.
    stack: Vec<(&'a Tree<T>, usize, u64)>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = (u64, &'a T);

    fn next(&mut self) -> Option<(u64, &'a T)> {
        while let Some((tree, slot, prefix)) = self.stack.last_mut() {
            let tree: &'a Tree<T> = tree;
            if *slot == FAN_OUT {
                self.stack.pop();
                continue;
            }
            let (at, key) = (*slot, *prefix << BITS | *slot as u64);
            *slot += 1;
            match tree {
                Tree::Trees(trees) => {
                    self.stack.extend(trees[at].as_ref().map(|tree| (tree, 0, key)));
                }
                Tree::Values(values) => {
                    if let Some(value) = &values[at] {
                        return Some((key, value));
                    }
                }
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
        assert_eq!(ours.get_mut(18), None);
        assert_eq!(ours.get_mut(1 << 30), None);
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
        let mut n_seen = 0;
        let all = b.differences(&a, &mut |_, _, _| {
            n_seen += 1;
            n_seen < 2
        });
        assert_eq!((all, n_seen), (false, 2));
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
