//! Interned identifiers: equal names are equal numbers.
//!
//! The texts stand one after the other in a single string, and an open-addressing table of symbol numbers finds them,
//! so that interning allocates nothing per name.

use rustc_hash::FxHasher;
use std::fmt;
use std::hash::Hasher;

/// An identifier, interned in an [`Interner`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The number of the symbol: interners number from zero in order of first appearance.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The symbol of a number that an interner has given out.
    pub(crate) fn from_index(index: u32) -> Symbol {
        Symbol(index)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sym{}", self.0)
    }
}

/// The table of identifiers of one translation unit or linked program.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    /// All names, one after the other.
    text: String,
    /// For each symbol where its name ends and the hash of the name.
    entries: Vec<Entry>,
    /// Symbol numbers plus one at the places of their hashes, zero where free; a power of two in size, at most half
    /// full.
    table: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    end: u32,
    hash: u32,
}

impl Interner {
    /// An interner without names.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// The symbol of `name`, made if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if self.table.len() < 2 * (self.entries.len() + 1) {
            self.grow();
        }
        let hash = hash(name);
        match self.find(name, hash) {
            Ok(symbol) => symbol,
            Err(slot) => {
                let symbol = Symbol(self.entries.len() as u32);
                self.text.push_str(name);
                // All source text together is below four gibibytes, and so are the names in it.
                self.entries.push(Entry { end: self.text.len() as u32, hash });
                self.table[slot] = symbol.0 + 1;
                symbol
            }
        }
    }

    /// The symbol of `name` if it has been interned.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        if self.table.is_empty() {
            return None;
        }
        self.find(name, hash(name)).ok()
    }

    /// The text of a symbol of this interner.
    pub fn name(&self, symbol: Symbol) -> &str {
        let index = symbol.index();
        let start = index.checked_sub(1).map_or(0, |before| self.entries[before].end as usize);
        &self.text[start..self.entries[index].end as usize]
    }

    /// All symbols in order.
    pub fn symbols(&self) -> impl ExactSizeIterator<Item = Symbol> + use<> {
        (0..self.entries.len()).map(|index| Symbol(index as u32))
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether no name has been interned.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All symbols with their names, in order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        (0..self.entries.len() as u32).map(|index| (Symbol(index), self.name(Symbol(index))))
    }

    /// The symbol of a name, or the free slot where it belongs.
    fn find(&self, name: &str, hash: u32) -> Result<Symbol, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Some(index) = self.table[slot].checked_sub(1) else { return Err(slot) };
            if self.entries[index as usize].hash == hash && self.name(Symbol(index)) == name {
                return Ok(Symbol(index));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(512);
        self.table.clear();
        self.table.resize(size, 0);
        for (index, entry) in self.entries.iter().enumerate() {
            let mut slot = entry.hash as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }
}

fn hash(name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    (hasher.finish() >> 7) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_in_order_and_found_again() {
        let mut names = Interner::new();
        assert!(names.lookup("x0").is_none());
        let symbols: Vec<Symbol> = (0..5000).map(|i| names.intern(&format!("x{i}"))).collect();
        for (i, &symbol) in symbols.iter().enumerate() {
            assert_eq!(symbol.index(), i);
            assert_eq!(names.name(symbol), format!("x{i}"));
            assert_eq!(names.intern(&format!("x{i}")), symbol);
            assert_eq!(names.lookup(&format!("x{i}")), Some(symbol));
        }
        assert_eq!(names.len(), 5000);
        assert!(names.lookup("y").is_none());
        assert_eq!(names.intern("").index(), 5000);
        assert_eq!(names.name(Symbol(5000)), "");
    }
}
