//! The meanings of names, as far as the grammar needs them: types or not.
//!
//! One byte for each symbol says what it is here and now; entering a declaration notes the old value, and leaving a
//! scope puts the noted values back. Members, tags and labels have name spaces of their own and do not appear.

use crate::intern::Symbol;
use crate::token::{KEYWORDS, SOFT_KEYWORDS, TokenKind};

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// Not declared.
    Unknown,
    /// A variable, function, parameter or enumerator.
    Object,
    /// A type.
    Typedef,
    /// Reported as an unknown type, and taken for one from then on.
    Poison,
    /// A keyword that a declaration may hide.
    Soft,
}

pub(super) struct Scopes {
    meanings: Vec<Meaning>,
    /// The meanings to restore when scopes end.
    log: Vec<(Symbol, Meaning)>,
    /// The length of the log at the beginning of each open scope.
    marks: Vec<usize>,
}

impl Scopes {
    pub(super) fn new(n_names: usize) -> Scopes {
        let mut meanings = vec![Meaning::Unknown; n_names];
        meanings[KEYWORDS.len()..][..SOFT_KEYWORDS.len()].fill(Meaning::Soft);
        Scopes { meanings, log: Vec::new(), marks: Vec::new() }
    }

    #[inline]
    pub(super) fn meaning(&self, symbol: Symbol) -> Meaning {
        self.meanings.get(symbol.index()).copied().unwrap_or(Meaning::Unknown)
    }

    /// The keyword that an identifier is, unless a declaration hides it.
    pub(super) fn soft_keyword(&self, symbol: Symbol) -> Option<TokenKind> {
        (self.meaning(symbol) == Meaning::Soft)
            .then(|| {
                SOFT_KEYWORDS
                    .get(symbol.index().wrapping_sub(KEYWORDS.len()))
                    .map(|keyword| keyword.1)
            })
            .flatten()
    }

    pub(super) fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        let Some(slot) = self.meanings.get_mut(symbol.index()) else { return };
        if *slot != meaning {
            if !self.marks.is_empty() {
                self.log.push((symbol, *slot));
            }
            *slot = meaning;
        }
    }

    /// Takes an unknown name for a type until the end of the file.
    pub(super) fn poison(&mut self, symbol: Symbol) {
        if let Some(slot) = self.meanings.get_mut(symbol.index()) {
            *slot = Meaning::Poison;
        }
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.log.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.log.len() > mark {
            let Some((symbol, meaning)) = self.log.pop() else { break };
            self.meanings[symbol.index()] = meaning;
        }
    }

    /// All names that are types here.
    pub(super) fn types(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.meanings
            .iter()
            .enumerate()
            .filter(|(_, meaning)| **meaning == Meaning::Typedef)
            .map(|(index, _)| Symbol::from_index(index as u32))
    }
}
