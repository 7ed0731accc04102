//! A persistent ordered map: changing it leaves the old version valid and shares what is the same.
//!
//! Arrays need it: a chain of stores has one value per store, each differing from the one before in
//! a single place. The map is a treap (Seidel and Aragon, "Randomized search trees", 1996): a search
//! tree by key and a heap by a priority that is a hash of the key. Its shape depends on the keys
//! alone, its depth is logarithmic with all but no probability, and a change copies one path.

use rustc_hash::FxHasher;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The map. Cloning is cheap.
#[derive(Debug)]
pub(crate) struct PersistentMap<K, V> {
    root: Link<K, V>,
    len: usize,
}

type Link<K, V> = Option<Arc<Node<K, V>>>;

#[derive(Debug)]
struct Node<K, V> {
    key: K,
    value: V,
    priority: u64,
    left: Link<K, V>,
    right: Link<K, V>,
}

impl<K, V> Clone for PersistentMap<K, V> {
    fn clone(&self) -> PersistentMap<K, V> {
        PersistentMap { root: self.root.clone(), len: self.len }
    }
}

impl<K, V> Default for PersistentMap<K, V> {
    fn default() -> PersistentMap<K, V> {
        PersistentMap { root: None, len: 0 }
    }
}

impl<K: Ord + Hash + Clone, V: Clone> PersistentMap<K, V> {
    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            match key.cmp(&node.key) {
                Ordering::Equal => return Some(&node.value),
                Ordering::Less => link = &node.left,
                Ordering::Greater => link = &node.right,
            }
        }
        None
    }

    /// Gives a key a value, in place of any it had.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.len += usize::from(self.get(&key).is_none());
        let priority = priority_of(&key);
        self.root = Some(insert(&self.root, key, value, priority));
    }

    /// Forgets a key.
    pub(crate) fn remove(&mut self, key: &K) {
        if self.get(key).is_some() {
            self.len -= 1;
            self.root = remove(&self.root, key);
        }
    }

    /// Keys and values in the order of keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut path: Vec<&Node<K, V>> = Vec::new();
        let mut link = &self.root;
        std::iter::from_fn(move || {
            while let Some(node) = link {
                path.push(node);
                link = &node.left;
            }
            let node = path.pop()?;
            link = &node.right;
            Some((&node.key, &node.value))
        })
    }
}

fn priority_of(key: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    // The hash of consecutive keys is nearly linear; mixing makes the order of priorities random.
    let mut bits = hasher.finish();
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl<K: Ord + Clone, V: Clone> Node<K, V> {
    fn with_left(&self, left: Link<K, V>) -> Node<K, V> {
        let (key, value) = (self.key.clone(), self.value.clone());
        Node { key, value, priority: self.priority, left, right: self.right.clone() }
    }

    fn with_right(&self, right: Link<K, V>) -> Node<K, V> {
        let (key, value) = (self.key.clone(), self.value.clone());
        Node { key, value, priority: self.priority, left: self.left.clone(), right }
    }
}

/// Recursion here and in the other functions is as deep as the tree: logarithmic.
fn insert<K: Ord + Clone, V: Clone>(
    link: &Link<K, V>,
    key: K,
    value: V,
    priority: u64,
) -> Arc<Node<K, V>> {
    let Some(node) = link else {
        return Arc::new(Node { key, value, priority, left: None, right: None });
    };
    match key.cmp(&node.key) {
        Ordering::Equal => {
            let (left, right) = (node.left.clone(), node.right.clone());
            Arc::new(Node { key, value, priority, left, right })
        }
        Ordering::Less => {
            let left = insert(&node.left, key, value, priority);
            if left.priority <= node.priority {
                return Arc::new(node.with_left(Some(left)));
            }
            let lower = node.with_left(left.right.clone());
            Arc::new(left.with_right(Some(Arc::new(lower))))
        }
        Ordering::Greater => {
            let right = insert(&node.right, key, value, priority);
            if right.priority <= node.priority {
                return Arc::new(node.with_right(Some(right)));
            }
            let lower = node.with_right(right.left.clone());
            Arc::new(right.with_left(Some(Arc::new(lower))))
        }
    }
}

fn remove<K: Ord + Clone, V: Clone>(link: &Link<K, V>, key: &K) -> Link<K, V> {
    let node = link.as_ref()?;
    match key.cmp(&node.key) {
        Ordering::Equal => join(&node.left, &node.right),
        Ordering::Less => Some(Arc::new(node.with_left(remove(&node.left, key)))),
        Ordering::Greater => Some(Arc::new(node.with_right(remove(&node.right, key)))),
    }
}

/// One tree of two, all keys of the first being below those of the second.
fn join<K: Ord + Clone, V: Clone>(left: &Link<K, V>, right: &Link<K, V>) -> Link<K, V> {
    match (left, right) {
        (None, other) | (other, None) => other.clone(),
        (Some(a), Some(b)) if a.priority >= b.priority => {
            Some(Arc::new(a.with_right(join(&a.right, right))))
        }
        (Some(_), Some(b)) => Some(Arc::new(b.with_left(join(left, &b.left)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn depth<K, V>(link: &Link<K, V>) -> usize {
        link.as_ref().map_or(0, |node| 1 + depth(&node.left).max(depth(&node.right)))
    }

    proptest! {
        /// Any sequence of changes gives what an ordinary map gives, in every version.
        #[test]
        fn versions_agree_with_an_ordinary_map(steps in proptest::collection::vec((any::<bool>(), 0..40u16, any::<u8>()), 0..200)) {
            let (mut map, mut model) = (PersistentMap::default(), BTreeMap::new());
            let mut versions = Vec::new();
            for (is_insert, key, value) in steps {
                if is_insert {
                    map.insert(key, value);
                    model.insert(key, value);
                } else {
                    map.remove(&key);
                    model.remove(&key);
                }
                versions.push((map.clone(), model.clone()));
            }
            for (map, model) in versions {
                prop_assert_eq!(map.len(), model.len());
                prop_assert!(map.iter().eq(model.iter()));
                prop_assert!((0..40).all(|key| map.get(&key) == model.get(&key)));
            }
        }
    }

    #[test]
    fn consecutive_keys_stay_shallow() {
        let mut map = PersistentMap::default();
        for key in 0..100_000u64 {
            map.insert(key, ());
        }
        assert!(depth(&map.root) < 80, "{}", depth(&map.root));
    }
}
