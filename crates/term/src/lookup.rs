//! Constant tables that are read at indices which are not constant.
//!
//! As a term of array sort, a table of a million elements would be a million stores. Here it is its bytes, which the terms
//! that read from it have in common, and a read is an operator of its own, from words to words.

use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::sync::Arc;
use vergo_num::BitVec;

/// A table of a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LookupTableId(u32);
entity_impl!(LookupTableId, "table");

/// Words at equal distances in constant bytes, little-endian; behind their end there are zeros.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookupTable {
    bytes: Arc<[u8]>,
    first: usize,
    stride: usize,
    size: usize,
}

impl LookupTable {
    /// The words of `size` bytes at `first`, `first + stride` and so on; `None` if they are not of one to eight bytes.
    pub fn new(bytes: &Arc<[u8]>, first: usize, stride: usize, size: usize) -> Option<LookupTable> {
        let is_word = (1..=8).contains(&size) && stride > 0;
        is_word.then(|| LookupTable { bytes: bytes.clone(), first, stride, size })
    }

    /// Returns the number of words that begin before the end of the bytes.
    pub fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.first).div_ceil(self.stride)
    }

    /// Returns whether all words are behind the end.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width of the words.
    pub fn width(&self) -> u32 {
        self.size as u32 * 8
    }

    /// The word at an index.
    pub fn get(&self, index: usize) -> u64 {
        let start = index.checked_mul(self.stride).and_then(|at| at.checked_add(self.first));
        let rest = start.and_then(|start| self.bytes.get(start..)).unwrap_or_default();
        let n_bytes = rest.len().min(self.size);
        let mut word = [0; 8];
        word[..n_bytes].copy_from_slice(&rest[..n_bytes]);
        u64::from_le_bytes(word)
    }

    /// The word at an index of any width.
    pub fn at(&self, index: &BitVec) -> BitVec {
        let index = index.to_u64().and_then(|index| usize::try_from(index).ok());
        BitVec::from_u64(self.width(), index.map_or(0, |index| self.get(index)))
    }

    fn is_same(&self, other: &LookupTable) -> bool {
        (self.first, self.stride, self.size) == (other.first, other.stride, other.size)
            && (Arc::ptr_eq(&self.bytes, &other.bytes) || self.bytes == other.bytes)
    }
}

/// The tables of a store.
pub(crate) type LookupTables = PrimaryMap<LookupTableId, LookupTable>;

impl TermStore {
    /// The word of a table at an index, which is a word of up to 64 bits.
    pub fn lookup(&mut self, table: &LookupTable, index: TermId) -> TermId {
        let known = self.lookup_tables.iter().find(|(_, other)| other.is_same(table));
        let id = match known {
            Some((id, _)) => id,
            None => self.lookup_tables.push(table.clone()),
        };
        // Next time, the same bytes are seen to be the same without a look at them.
        self.lookup_tables[id].bytes = table.bytes.clone();
        assert!(self.width(index) <= 64, "{index} is too wide for an index of a table");
        self.app(Op::Lookup(id), Sort::BitVec(table.width()), &[index])
    }

    /// A table that a term reads from.
    pub fn lookup_table(&self, id: LookupTableId) -> &LookupTable {
        &self.lookup_tables[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::print_term;

    #[test]
    fn words_behind_the_end_are_zero() {
        let bytes: Arc<[u8]> = (1..=7).collect();
        let table = LookupTable::new(&bytes, 1, 3, 2).unwrap();
        assert_eq!((table.len(), table.get(0), table.get(1), table.get(2)), (2, 0x0302, 0x0605, 0));
        assert_eq!(table.get(usize::MAX), 0);
        assert!(LookupTable::new(&bytes, 0, 1, 9).is_none());
        let past = LookupTable::new(&bytes, 6, 2, 2).unwrap();
        assert_eq!((past.len(), past.get(0)), (1, 7));
    }

    #[test]
    fn equal_tables_are_one() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::BitVec(8));
        let [a, b]: [Arc<[u8]>; 2] = [Arc::from([1, 2, 3]), Arc::from([1, 2, 3])];
        let [a, b] = [a, b].map(|bytes| LookupTable::new(&bytes, 0, 1, 1).unwrap());
        assert_eq!(store.lookup(&a, x), store.lookup(&b, x));
        let two = store.bv_u64(8, 2);
        assert_eq!(store.lookup(&a, two), store.bv_u64(8, 3));
        let mut other = TermStore::new();
        let read = store.lookup(&a, x);
        let imported = other.import(&store, &[read])[0];
        assert_eq!(print_term(&other, imported), print_term(&store, read));
    }

    #[test]
    fn they_are_printed_as_arrays_and_mean_the_same() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::BitVec(2));
        let bytes: Arc<[u8]> = Arc::from([5, 6, 7]);
        let table = LookupTable::new(&bytes, 0, 1, 1).unwrap();
        let read = store.lookup(&table, x);
        let array = "(Array (_ BitVec 2) (_ BitVec 8))";
        let expected = format!(
            "(select (store (store (store ((as const {array}) #x00) #b00 #x05) #b01 #x06) #b10 #x07) x)"
        );
        assert_eq!(print_term(&store, read), expected);
    }
}
