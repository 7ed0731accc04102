//! Models: the values of variables after `Sat`, and the check that they satisfy what was asserted.

use crate::blast::Origin;
use crate::solver::{Answer, Solver};
use rustc_hash::FxHashMap;
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_term::{ArrayValue, Assignment, Evaluator, Sort, TermId, TermStore, Value};

impl Solver {
    /// After `Sat`: a value for every variable that a check has seen. Variables that no check has seen
    /// have none, and may have any.
    pub fn model(&self, store: &TermStore) -> Assignment {
        let mut assignment = Assignment::new();
        if self.answer() != Some(&Answer::Sat) {
            return assignment;
        }
        if let Some(guessed) = &self.guessed {
            return guessed.clone();
        }
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
        for (var, info) in store.vars() {
            if let Some(bits) = raw.get(&info.term) {
                assignment.set(var, decode(store, info.sort, bits));
            } else if let Some(array) = self.blaster.array_node(info.term)
                && let Some(table) = self.table(array)
                && let Sort::Array(sort) = info.sort
            {
                let (index, element) = store.array_parts(sort);
                let default = decode_word(store, element, &table.default);
                let mut value = ArrayValue::constant(default, store.n_values(index));
                for (at, element_bits) in &table.entries {
                    value.store_at(at.clone(), decode_word(store, element, element_bits));
                }
                assignment.set(var, value);
            }
        }
        assignment
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
            let mut value = ArrayValue::constant(parts[0].clone(), n_indices);
            let index_width = count.trailing_zeros().max(1);
            for (i, part) in parts.into_iter().enumerate() {
                value.store_at(BitVec::from_u64(index_width, i as u64), part);
            }
            value.into()
        }
    }
}
