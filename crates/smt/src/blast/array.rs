//! Arrays as words and as nodes of the array theory.
//!
//! A small array is the word of all its elements: reading is a tree of choices, writing a choice per
//! element.  A large one is a node that the theory of [`crate::arrays`] reasons about.  If such
//! an array is itself an element, the outer array holds a name of it: some bits such that two names
//! are equal exactly if the arrays are.

use super::word::{self, Word};
use super::{BlastError, Blaster, NAME_BITS, Origin};
use crate::arrays::{ArrayId, ArrayNode, Base, Index};
use vergo_num::BitVec;
use vergo_sat::Lit;
use vergo_term::{Op, Sort, TermId, TermStore};

impl Blaster {
    /// The name of an array that is an element of another one. It differs from the names of
    /// different arrays, and only from those: each pair of named arrays is related by an equality
    /// that is no term.
    pub(super) fn name(&mut self, store: &TermStore, sort: Sort, array: ArrayId) -> Word {
        if let Some(name) = self.names.get(&array) {
            return name.clone();
        }
        let term = self.arrays.term(array);
        let name = self.fresh(NAME_BITS, |_| Origin::Witness(term));
        self.names.insert(array, name.clone());
        let others = self.named.entry(sort).or_default();
        others.push(array);
        let others = others[..others.len() - 1].to_vec();
        for other in others {
            let equal = self.aig.equal_words(&name, &self.names[&other]);
            self.relate(store, term, sort, [array, other], equal);
        }
        name
    }

    /// The array that a name stands for, if `value` says what the bits of names are.
    pub fn named_array(
        &self,
        sort: Sort,
        name: &BitVec,
        value: &dyn Fn(Lit) -> bool,
    ) -> Option<ArrayId> {
        let is_it = |array: &&ArrayId| {
            let bits = &self.names[*array];
            bits.iter().enumerate().all(|(i, &lit)| value(lit) == name.bit(i as u32))
        };
        self.named.get(&sort)?.iter().find(is_it).copied()
    }

    /// Makes a literal say whether two arrays are equal: if they are not, they differ somewhere.
    pub(super) fn relate(
        &mut self,
        store: &TermStore,
        term: TermId,
        sort: Sort,
        sides: [ArrayId; 2],
        equal: Lit,
    ) {
        let Sort::Array(id) = sort else { unreachable!("only arrays are related") };
        let (index, element) = store.array_parts(id);
        let at = self.arrays.n_equalities();
        let index = self.witness(store, term, index);
        let index = Index::plain(Base::Witness(at), index);
        let here = self.witness(store, term, element);
        let there = self.witness(store, term, element);
        let same = self.aig.equal_words(&here, &there);
        self.arrays.add_equality(term, sides, equal, same, index, [here, there]);
    }

    /// An unknown index or element that belongs to a term.
    pub(super) fn witness(&mut self, store: &TermStore, term: TermId, sort: Sort) -> Word {
        match self.encoded_width(store, sort) {
            Some(width) => {
                let raw = self.fresh(width as usize, |_| Origin::Witness(term));
                self.canonical(store, sort, &raw)
            }
            None => {
                let array = self.add_array(store, term, sort, ArrayNode::Free);
                // Elements of elements nest at most as deeply as the sort.
                self.name(store, sort, array)
            }
        }
    }

    fn add_array(
        &mut self,
        store: &TermStore,
        term: TermId,
        sort: Sort,
        node: ArrayNode,
    ) -> ArrayId {
        let Sort::Array(id) = sort else {
            unreachable!("only arrays are nodes of the array theory");
        };
        let (index, element) = store.array_parts(id);
        let width = self.element_width(store, element);
        self.arrays.add_node(term, node, index, width)
    }

    pub(super) fn new_array(
        &mut self,
        store: &TermStore,
        term: TermId,
        node: ArrayNode,
    ) -> Result<(), BlastError> {
        let sort = store.sort(term);
        if let Sort::Array(id) = sort
            && matches!(store.array_parts(id).0, Sort::Array(_))
        {
            return Err(BlastError::Unsupported("arrays indexed by arrays"));
        }
        let array = self.add_array(store, term, sort, node);
        self.array_nodes.insert(term, array);
        Ok(())
    }

    pub(super) fn array_step(
        &mut self,
        store: &TermStore,
        term: TermId,
        op: Op,
        sort: Sort,
    ) -> Result<(), BlastError> {
        let args = store.args(term);
        let array_sort = if op == Op::Select { store.sort(args[0]) } else { sort };
        let as_word = self.is_word_array(store, array_sort);
        if op == Op::ConstArray {
            let element = self.element(store, args[0]);
            if !as_word {
                return self.new_array(store, term, ArrayNode::Constant { element });
            }
            let width = self.encoded_width(store, sort).unwrap_or(1) as usize;
            let word: Word = element.iter().copied().cycle().take(width).collect();
            self.set_word(store, term, &word);
            return Ok(());
        }
        let index = self.index(store, args[1])?;
        match (op, as_word) {
            (Op::Select, true) => {
                let word = self.word(args[0]);
                let element = self.read_word(&word, &index.word);
                // Elements of a canonical word are canonical.
                match store.sort(term) {
                    Sort::Float(_) => self.set_decoded(store, term, store.sort(term), &element),
                    _ => self.set_word(store, term, &element),
                }
            }
            (Op::Select, false) => {
                let node = self.array_nodes[&args[0]];
                self.set_unknown(store, term)?;
                let element = self.element(store, term);
                self.arrays.add_read(term, node, index, element);
            }
            (_, true) => {
                let word = self.word(args[0]);
                let element = self.element(store, args[2]);
                let result = self.write_word(&word, &index.word, &element);
                self.set_word(store, term, &result);
            }
            (_, false) => {
                let base = self.array_nodes[&args[0]];
                let element = self.element(store, args[2]);
                return self.new_array(store, term, ArrayNode::Store { base, index, element });
            }
        }
        Ok(())
    }

    /// The encoding of a blasted term that is an element.
    fn element(&mut self, store: &TermStore, term: TermId) -> Word {
        self.encoding(store, term).expect("elements are blasted before their arrays")
    }

    /// A blasted term as an index: a constant, a term plus a constant, or just a term.
    fn index(&mut self, store: &TermStore, term: TermId) -> Result<Index, BlastError> {
        if matches!(store.sort(term), Sort::Array(_)) {
            return Err(BlastError::Unsupported("arrays indexed by arrays"));
        }
        let word = self.element(store, term);
        if let Some(value) = word::as_constant(&word) {
            return Ok(Index::constant(value));
        }
        if store.op(term) == Op::BvAdd
            && let Some(offset) = store.bv_value(store.arg(term, 1))
        {
            let base = store.arg(term, 0);
            let base_word = self.word(base);
            return Ok(Index { base: Base::Term(base), base_word, offset: offset.clone(), word });
        }
        Ok(Index::plain(Base::Term(term), word))
    }

    /// The element at an index of an array that is a word.
    fn read_word(&mut self, word: &[Lit], index: &[Lit]) -> Word {
        let mut parts = word.to_vec();
        // The highest bit of the index halves what remains.
        for &bit in index.iter().rev() {
            let half = parts.len() / 2;
            parts = self.aig.mux_words(bit, &parts[half..], &parts[..half]);
        }
        parts
    }

    fn write_word(&mut self, word: &[Lit], index: &[Lit], element: &[Lit]) -> Word {
        let mut result = Vec::with_capacity(word.len());
        for (i, part) in word.chunks(element.len()).enumerate() {
            let here = word::small(index.len(), i as u64);
            let hit = self.aig.equal_words(index, &here);
            result.extend(self.aig.mux_words(hit, element, part));
        }
        result
    }
}
