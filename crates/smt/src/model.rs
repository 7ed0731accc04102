//! Models: the values of variables after `Sat`, and the check that they satisfy what was asserted.

use crate::arrays::{ArrayId, ArrayNode, Table};
use crate::blast::Origin;
use crate::solver::{Answer, Solver};
use rustc_hash::FxHashMap;
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_sat::Lit;
use vergo_term::{
    ArrayValue, Assignment, Evaluator, Sort, TermId, TermStore, Value, default_value,
};

impl Solver {
    /// After `Sat`: a value for every variable that a check has seen. Variables that no check has seen
    /// have none, and may have any.
    pub fn model(&self, store: &TermStore) -> Assignment {
        if self.answer() != Some(&Answer::Sat) {
            return Assignment::new();
        }
        match &self.guessed {
            Some(guessed) => guessed.clone(),
            None => self.proposed(store),
        }
    }

    /// The variables in what the SAT solver proposes, which need not be a model.
    pub(crate) fn proposed(&self, store: &TermStore) -> Assignment {
        let mut assignment = Assignment::new();
        let mut raw: FxHashMap<TermId, Vec<bool>> = FxHashMap::default();
        for position in 0..self.blaster.aig.n_inputs() as u32 {
            if let Origin::Bit(term, bit) = self.blaster.origin(position)
                && store.as_var(term).is_some()
            {
                let bits = raw.entry(term).or_default();
                if bits.len() <= bit as usize {
                    bits.resize(bit as usize + 1, false);
                }
                bits[bit as usize] = self.input_value(position);
            }
        }
        let mut known = FxHashMap::default();
        for (var, info) in store.vars() {
            if let Some(bits) = raw.get_mut(&info.term) {
                // Bounded words have bits of their own only as far as they need them.
                if let Sort::BitVec(width) = info.sort {
                    bits.resize(width as usize, false);
                }
                assignment.set(var, decode(store, info.sort, bits));
            } else if let Some(array) = self.blaster.array_node(info.term) {
                assignment.set(var, self.array_value(store, info.sort, array, &mut known));
            } else if let Some(word) = self.blaster.known_word(info.term) {
                // The same as some term.
                let bits: Vec<bool> = word.iter().map(|&lit| self.literal_value(lit)).collect();
                assignment.set(var, decode(store, info.sort, &bits));
            }
        }
        assignment
    }

    /// The value of an array that is no word: its table if it is free, otherwise what it is made of.
    fn array_value(
        &self,
        store: &TermStore,
        sort: Sort,
        array: ArrayId,
        known: &mut FxHashMap<ArrayId, ArrayValue>,
    ) -> ArrayValue {
        // Down to an array that is known or free, and back again through the stores.
        let mut path = vec![array];
        loop {
            let at = path[path.len() - 1];
            if known.contains_key(&at) {
                break;
            }
            match self.blaster.arrays.node(at) {
                ArrayNode::Store { base, .. } => path.push(*base),
                ArrayNode::Choice { condition, then, other } => {
                    path.push(if self.literal_value(*condition) { *then } else { *other });
                }
                ArrayNode::Constant { element } => {
                    let element = self.word_value(element);
                    let table = Table { entries: Vec::new(), default: element };
                    let value = self.table_value(store, sort, &table, known);
                    known.insert(at, value);
                }
                ArrayNode::Free => {
                    let value = match self.table(at) {
                        Some(table) => self.table_value(store, sort, table, known),
                        None => default_value(store, sort).as_array().clone(),
                    };
                    known.insert(at, value);
                }
            }
        }
        let mut value = path.pop().and_then(|at| known.get(&at)).cloned().expect("made above");
        while let Some(at) = path.pop() {
            if let ArrayNode::Store { index, element, .. } = self.blaster.arrays.node(at) {
                let element = self.word_value(element);
                let element = self.element_value(store, sort, &element, known);
                value.store_at(self.word_value(&index.word), element);
            }
            known.insert(at, value.clone());
        }
        value
    }

    fn table_value(
        &self,
        store: &TermStore,
        sort: Sort,
        table: &Table,
        known: &mut FxHashMap<ArrayId, ArrayValue>,
    ) -> ArrayValue {
        let n_indices = match sort {
            Sort::Array(id) => store.n_values(store.array_parts(id).0),
            _ => None,
        };
        let default = self.element_value(store, sort, &table.default, known);
        let mut value = ArrayValue::constant(default, n_indices);
        for (at, bits) in &table.entries {
            value.store_at(at.clone(), self.element_value(store, sort, bits, known));
        }
        value
    }

    /// The element of an array of the given sort. Elements that are arrays but no words are found by
    /// their names; sorts nest no deeper than the reader allows.
    fn element_value(
        &self,
        store: &TermStore,
        array: Sort,
        bits: &BitVec,
        known: &mut FxHashMap<ArrayId, ArrayValue>,
    ) -> Value {
        let Sort::Array(id) = array else { unreachable!("only arrays have elements") };
        let sort = store.array_parts(id).1;
        if self.blaster.encoded_width(store, sort).is_some() {
            return decode_word(store, sort, bits);
        }
        let value = |lit| self.literal_value(lit);
        match self.blaster.named_array(sort, bits, &value) {
            Some(inner) => self.array_value(store, sort, inner, known).into(),
            None => default_value(store, sort),
        }
    }

    fn word_value(&self, word: &[Lit]) -> BitVec {
        let mut limbs = vec![0u64; word.len().div_ceil(64)];
        for (i, &lit) in word.iter().enumerate() {
            limbs[i / 64] |= u64::from(self.literal_value(lit)) << (i % 64);
        }
        BitVec::from_limbs(word.len() as u32, limbs)
    }

    /// After `Sat`: the value of a term in the model.
    pub fn value(&self, store: &TermStore, term: TermId) -> Value {
        store.eval(term, &self.model(store))
    }

    /// After `Sat`: evaluates all assertions and assumptions of the last check under the model and
    /// returns the ones that are not true. None are, unless the solver is wrong.
    pub fn false_under_model(&self, store: &TermStore) -> Vec<TermId> {
        let assignment = self.model(store);
        let mut evaluator = Evaluator::new(store, &assignment);
        let asserted = self.assertions.iter().map(|a| a.term);
        let assumed = self.assumed.iter().filter_map(|a| a.term);
        let mut wrong: Vec<TermId> =
            asserted.chain(assumed).filter(|&t| *evaluator.value(t) != Value::Bool(true)).collect();
        wrong.dedup();
        wrong
    }
}

fn decode_word(store: &TermStore, sort: Sort, word: &BitVec) -> Value {
    let bits: Vec<bool> = (0..word.width()).map(|i| word.bit(i)).collect();
    decode(store, sort, &bits)
}

/// The value that raw bits of a sort's encoding stand for.
fn decode(store: &TermStore, sort: Sort, bits: &[bool]) -> Value {
    let word = || {
        let mut limbs = vec![0u64; bits.len().div_ceil(64)];
        for (i, &bit) in bits.iter().enumerate() {
            limbs[i / 64] |= u64::from(bit) << (i % 64);
        }
        BitVec::from_limbs(bits.len() as u32, limbs)
    };
    match sort {
        Sort::Bool => Value::Bool(bits[0]),
        Sort::BitVec(_) => Value::BitVec(word()),
        Sort::Float(format) => Value::Float(Float::from_bits(format, word())),
        Sort::RoundingMode => {
            let number = word().to_u64().unwrap_or(0).min(4) as usize;
            Value::RoundingMode(RoundingMode::ALL[number])
        }
        Sort::Array(id) => {
            let (index, element) = store.array_parts(id);
            let n_indices = store.n_values(index);
            let count = n_indices.and_then(|n| usize::try_from(n).ok()).unwrap_or(1).max(1);
            let width = bits.len() / count;
            let parts: Vec<Value> =
                bits.chunks(width.max(1)).map(|part| decode(store, element, part)).collect();
            // Bits that nothing constrains are zero, so this makes for few entries.
            let mut value = ArrayValue::constant(default_value(store, element), n_indices);
            let index_width = count.trailing_zeros().max(1);
            for (i, part) in parts.into_iter().enumerate() {
                value.store_at(BitVec::from_u64(index_width, i as u64), part);
            }
            value.into()
        }
    }
}
