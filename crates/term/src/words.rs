//! Which term a constant word is.
//!
//! Loops count, and addresses of neighbours are neighbours: programs ask for constants near those that they asked for
//! before. So words of up to 64 bits are kept in pages of neighbours, which share a line of the cache and an entry of the
//! table. A table of single words would be looked up in another place of memory each time.

use crate::op::TermId;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use vergo_num::BitVec;

const PAGE_BITS: u32 = 4;
const PAGE_SIZE: usize = 1 << PAGE_BITS;

type Page = [PackedOption<TermId>; PAGE_SIZE];

/// The terms of constant words.
#[derive(Clone, Default)]
pub(crate) struct Words {
    /// By width and the number without its lowest bits.
    page_ids: FxHashMap<(u32, u64), u32>,
    pages: Vec<Page>,
    /// Words of more than 64 bits.
    wide: FxHashMap<BitVec, TermId>,
}

impl Words {
    /// The term of a word, if it has one.
    pub(crate) fn get(&self, word: &BitVec) -> Option<TermId> {
        let Some((page, slot)) = place(word) else { return self.wide.get(word).copied() };
        self.pages[*self.page_ids.get(&page)? as usize][slot].expand()
    }

    /// Gives a word a term.
    pub(crate) fn insert(&mut self, word: BitVec, term: TermId) {
        let Some((page, slot)) = place(&word) else {
            self.wide.insert(word, term);
            return;
        };
        let pages = &mut self.pages;
        let id = *self.page_ids.entry(page).or_insert_with(|| {
            pages.push([PackedOption::default(); PAGE_SIZE]);
            u32::try_from(pages.len() - 1).expect("fewer than 2^32 pages")
        });
        self.pages[id as usize][slot] = term.into();
    }
}

/// The page of a word, and where in it.
fn place(word: &BitVec) -> Option<((u32, u64), usize)> {
    let width = word.width();
    if width > u64::BITS {
        return None;
    }
    let value = word.to_u64()?;
    Some(((width, value >> PAGE_BITS), value as usize & (PAGE_SIZE - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_by_width_and_value() {
        let mut words = Words::default();
        let of = |width: u32, value: u64| BitVec::from_u64(width, value);
        let mut all = Vec::new();
        for width in [1, 7, 32, 63, 64, 65, 128, 200] {
            for value in [0, 1, 15, 16, 17, 255, 1 << 31, u64::MAX] {
                let word = of(width, value);
                if !all.contains(&word) {
                    all.push(word);
                }
            }
        }
        for (i, word) in all.iter().enumerate() {
            assert_eq!(words.get(word), None);
            words.insert(word.clone(), TermId::from_u32(i as u32));
        }
        for (i, word) in all.iter().enumerate() {
            assert_eq!(words.get(word), Some(TermId::from_u32(i as u32)), "{word:?}");
        }
        assert_eq!(words.get(&of(32, 18)), None);
    }
}
