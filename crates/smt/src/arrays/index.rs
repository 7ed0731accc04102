//! Indices of arrays and whether they are equal.

use super::{Arrays, Lemma};
use crate::blast::arith;
use crate::blast::word::{self, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_num::BitVec;
use vergo_sat::{Aig, Lit};
use vergo_term::TermId;

/// The part of an index besides a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// Nothing.
    Zero,
    /// A term.
    Term(TermId),
    /// The index at which the arrays of an equality differ: its number.
    Witness(u32),
}

/// An index as a base plus a constant. Comparing two of them takes the difference of the bases, once
/// for all offsets, and a comparison with a constant, so that different offsets from one base are
/// different at sight.
#[derive(Clone, Debug)]
pub struct Index {
    /// The base.
    pub base: Base,
    /// The bits of the base.
    pub base_word: Word,
    /// The constant that is added to it.
    pub offset: BitVec,
    /// The bits of the sum.
    pub word: Word,
}

impl Index {
    /// A constant index.
    pub fn constant(value: BitVec) -> Index {
        let word = word::constant(&value);
        let base_word = vec![Lit::FALSE; word.len()];
        Index { base: Base::Zero, base_word, offset: value, word }
    }

    /// An index without a visible offset.
    pub fn plain(base: Base, word: Word) -> Index {
        let offset = BitVec::zero(word.len() as u32);
        Index { base, base_word: word.clone(), offset, word }
    }
}

/// Equality of indices as a transitive relation. One index that is compared with many others, which
/// the formula compares with each other, is equal to few of them; on the level of bits
/// that takes a search per pair, as a clause per triangle it is plain.
#[derive(Default)]
pub(super) struct Triangles {
    /// Pairs of terms, the smaller first, that the formula compares.
    compared: FxHashSet<(TermId, TermId)>,
    /// For each base, the indices that have been compared here, and the comparisons.
    met: FxHashMap<Base, Vec<(Index, Lit)>>,
    seen: FxHashSet<(Base, Base)>,
    /// Clauses that have not been handed out.
    pub(super) pending: Vec<Lemma>,
}

/// Comparisons that a further comparison of the same index makes triangles with.
const MAX_TRIANGLES: usize = 128;

impl Arrays {
    /// Notes that the formula compares two words.
    pub(crate) fn note_comparison(&mut self, a: TermId, b: TermId) {
        self.triangles.get_mut().compared.insert((a.min(b), a.max(b)));
    }

    /// Builds the condition that two indices are equal.
    pub(super) fn same_index(&self, aig: &mut Aig, a: &Index, b: &Index) -> Lit {
        let same = self.compare(aig, a, b);
        if same.as_constant().is_none() && a.offset.is_zero() && b.offset.is_zero() {
            self.note_triangles(aig, a, b, same);
            self.note_triangles(aig, b, a, same);
        }
        same
    }

    /// Relates a comparison to earlier ones of its first index.
    fn note_triangles(&self, aig: &mut Aig, a: &Index, b: &Index, same: Lit) {
        let mut triangles = self.triangles.borrow_mut();
        let Triangles { compared, met, seen, pending } = &mut *triangles;
        if compared.is_empty() || !seen.insert((a.base, b.base)) {
            return;
        }
        let earlier = met.entry(a.base).or_default();
        for (c, other) in earlier.iter().rev().take(MAX_TRIANGLES) {
            if let (Base::Term(x), Base::Term(y)) = (b.base, c.base)
                && compared.contains(&(x.min(y), x.max(y)))
            {
                let third = aig.equal_words(&b.word, &c.word);
                let clause = vec![!same, !*other, third];
                pending.push(Lemma { clause, terms: vec![x, y] });
            }
        }
        earlier.push((b.clone(), same));
    }

    fn compare(&self, aig: &mut Aig, a: &Index, b: &Index) -> Lit {
        if a.base == b.base {
            return Lit::constant(a.offset == b.offset);
        }
        let (a, b) = if a.base < b.base { (b, a) } else { (a, b) };
        let distance = word::constant(&b.offset.sub(&a.offset));
        if b.base == Base::Zero {
            return aig.equal_words(&a.base_word, &distance);
        }
        if a.offset.is_zero() && b.offset.is_zero() {
            return aig.equal_words(&a.base_word, &b.base_word);
        }
        let mut differences = self.differences.borrow_mut();
        let difference = differences
            .entry((a.base, b.base))
            .or_insert_with(|| arith::sub(aig, &a.base_word, &b.base_word))
            .clone();
        aig.equal_words(&difference, &distance)
    }
}
