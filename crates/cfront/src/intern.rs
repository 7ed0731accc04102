//! Interned identifiers: equal names are equal numbers.

use rustc_hash::FxHashMap;
use std::fmt;

/// An identifier, interned in an [`Interner`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The number of the symbol: interners number from zero in order of first appearance.
    pub fn index(self) -> usize {
        self.0 as usize
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
    map: FxHashMap<Box<str>, Symbol>,
    names: Vec<Box<str>>,
}

impl Interner {
    /// An interner without names.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// The symbol of `name`, made if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.map.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.into());
        self.map.insert(name.into(), symbol);
        symbol
    }

    /// The symbol of `name` if it has been interned.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.map.get(name).copied()
    }

    /// The text of a symbol of this interner.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no name has been interned.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
