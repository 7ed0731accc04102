//! Lists kept in one vector: a node refers to its children by a start and a length, eight bytes in all.

use std::marker::PhantomData;

/// A list of `T` inside a [`Pool<T>`].
pub struct List<T> {
    start: u32,
    len: u32,
    item: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// The list without elements, valid in every pool.
    pub const EMPTY: List<T> = List { start: 0, len: 0, item: PhantomData };

    /// Returns the number of elements.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Returns whether the list has no elements.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::EMPTY
    }
}

impl<T> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}; {}]", self.start, self.len)
    }
}

/// The storage of lists of `T`.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    items: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { items: Vec::new() }
    }
}

impl<T> Pool<T> {
    /// Stores the elements as one list.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) -> List<T> {
        let start = self.items.len();
        self.items.extend(items);
        List { start: start as u32, len: (self.items.len() - start) as u32, item: PhantomData }
    }

    /// The elements of a list.
    pub fn get(&self, list: List<T>) -> &[T] {
        &self.items[list.start as usize..][..list.len as usize]
    }

    /// The elements of a list, to change in place.
    pub fn get_mut(&mut self, list: List<T>) -> &mut [T] {
        &mut self.items[list.start as usize..][..list.len as usize]
    }
}
