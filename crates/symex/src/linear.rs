//! Offsets as sums of scaled words: how an index into an array of structures is read off a byte offset.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use vergo_num::BitVec;
use vergo_term::{Op, TermId, TermStore};

/// A sum of scaled words: `constant + term * scale + ...`, modulo the width of the words.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(TermId, i64)>,
}

impl Linear {
    /// Reads a word as a sum of scaled words. Any word is one, at least trivially.
    pub(crate) fn of(store: &mut TermStore, word: TermId) -> Linear {
        let width = store.width(word);
        let mut sum = Linear { constant: 0, terms: Vec::new() };
        let mut stack = vec![(word, 1i64)];
        while let Some((term, scale)) = stack.pop() {
            let value = |store: &TermStore, term| store.bv_value(term).and_then(BitVec::to_i64);
            if let Some(value) = value(store, term) {
                sum.constant = sum.constant.wrapping_add(value.wrapping_mul(scale));
                continue;
            }
            match store.op(term) {
                Op::BvAdd => stack.extend(store.args(term).iter().map(|&arg| (arg, scale))),
                Op::BvMul => {
                    let [a, b] = [store.arg(term, 0), store.arg(term, 1)];
                    match (value(store, a), value(store, b)) {
                        (Some(factor), _) => stack.push((b, scale.wrapping_mul(factor))),
                        (_, Some(factor)) => stack.push((a, scale.wrapping_mul(factor))),
                        _ => sum.terms.push((term, scale)),
                    }
                }
                // A word above a constant: the word at the whole width again (its top bits do not matter), shifted.
                Op::BvConcat
                    if store.bv_value(store.arg(term, 1)).and_then(BitVec::to_u64).is_some() =>
                {
                    let (high, low) = (store.arg(term, 0), store.arg(term, 1));
                    let low_width = store.width(low);
                    let low = store.bv_zero_extend(width.max(low_width + 1), low);
                    stack.push((low, scale));
                    let whole = match store.op(high) {
                        Op::BvExtract(0) if store.width(store.arg(high, 0)) == width => {
                            store.arg(high, 0)
                        }
                        Op::BvSignExtend => store.bv_sign_extend(width, store.arg(high, 0)),
                        _ => store.bv_zero_extend(width, high),
                    };
                    stack.push((whole, scale.wrapping_shl(low_width)));
                }
                _ => sum.terms.push((term, scale)),
            }
        }
        if width < 64 {
            sum.constant = sum.constant << (64 - width) >> (64 - width);
        }
        sum
    }

    /// A constant offset.
    pub(crate) fn constant(offset: u64) -> Linear {
        Linear { constant: offset as i64, terms: Vec::new() }
    }

    pub(crate) fn plus(&self, constant: u64) -> Linear {
        Linear { constant: self.constant.wrapping_add(constant as i64), terms: self.terms.clone() }
    }

    pub(crate) fn minus(&self, constant: u64) -> Linear {
        Linear { constant: self.constant.wrapping_sub(constant as i64), terms: self.terms.clone() }
    }

    /// The word.
    pub(crate) fn word(&self, store: &mut TermStore, width: u32) -> TermId {
        let mut sum = store.bv_const(BitVec::from_i64(width, self.constant));
        for &(term, scale) in &self.terms {
            let scale = store.bv_const(BitVec::from_i64(width, scale));
            let scaled = store.bv_mul(term, scale);
            sum = store.bv_add(sum, scaled);
        }
        sum
    }

    /// The part whose scales are multiples of `stride`, divided by it, and the rest, whose constant is not negative.
    pub(crate) fn divide(&self, stride: u64) -> (Linear, Linear) {
        let stride = stride as i64;
        let mut quotient = Linear { constant: self.constant.div_euclid(stride), terms: Vec::new() };
        let mut rest = Linear { constant: self.constant.rem_euclid(stride), terms: Vec::new() };
        for &(term, scale) in &self.terms {
            if scale % stride == 0 {
                quotient.terms.push((term, scale / stride));
            } else {
                rest.terms.push((term, scale));
            }
        }
        (quotient, rest)
    }

    /// A power of two that divides all scales: values of the sum differ by multiples of it, also where it wraps around.
    pub(crate) fn step(&self) -> u64 {
        let bits = self.terms.iter().map(|(_, scale)| scale.trailing_zeros()).min().unwrap_or(0);
        1 << bits.min(16)
    }
}

/// The values that words choose among which are built from constants by selections; few, and ascending. What a selection
/// can be is computed once from its two sides.
#[derive(Clone, Default)]
pub(crate) struct ValueTable {
    values: FxHashMap<TermId, Option<Rc<[u64]>>>,
}

/// More values than this are not counted.
const FEW_VALUES: usize = 16;

impl ValueTable {
    /// The values of a word; `None` if they are not known, or many.
    pub(crate) fn of(&mut self, store: &TermStore, word: TermId) -> Option<Rc<[u64]>> {
        let mut stack = vec![word];
        while let Some(&term) = stack.last() {
            if self.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let constant = |term| store.bv_value(term).and_then(BitVec::to_u64);
            let values = match store.op(term) {
                Op::Ite => {
                    let (then, other) = (store.arg(term, 1), store.arg(term, 2));
                    match (self.values.get(&then), self.values.get(&other)) {
                        (Some(Some(a)), Some(Some(b))) => union(a, b),
                        (Some(None), _) | (_, Some(None)) => None,
                        (None, _) => {
                            stack.push(then);
                            continue;
                        }
                        (_, None) => {
                            stack.push(other);
                            continue;
                        }
                    }
                }
                Op::BvAdd => {
                    let [a, b] = [store.arg(term, 0), store.arg(term, 1)];
                    match (constant(a), constant(b)) {
                        (Some(plus), _) | (_, Some(plus)) => {
                            let other = if constant(a).is_some() { b } else { a };
                            match self.values.get(&other) {
                                Some(values) => {
                                    let width = store.width(term);
                                    values.as_ref().map(|values| shifted(values, plus, width))
                                }
                                None => {
                                    stack.push(other);
                                    continue;
                                }
                            }
                        }
                        _ => None,
                    }
                }
                _ => constant(term).map(|value| Rc::from([value])),
            };
            self.values.insert(term, values);
            stack.pop();
        }
        self.values[&word].clone()
    }
}

fn union(a: &Rc<[u64]>, b: &Rc<[u64]>) -> Option<Rc<[u64]>> {
    if a == b {
        return Some(a.clone());
    }
    let both: BTreeSet<u64> = a.iter().chain(b.iter()).copied().collect();
    (both.len() <= FEW_VALUES).then(|| both.into_iter().collect())
}

fn shifted(values: &[u64], plus: u64, width: u32) -> Rc<[u64]> {
    let mask = u64::MAX >> (64 - width.min(64));
    let moved: BTreeSet<u64> = values.iter().map(|value| value.wrapping_add(plus) & mask).collect();
    moved.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::{Assignment, Sort};

    #[test]
    fn sums_are_the_word_again() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::BitVec(32));
        let n = store.var("n", Sort::BitVec(8));
        let index = store.bv_sign_extend(32, n);
        let [three, twelve, four] = [3, 12, 4].map(|value| store.bv_u64(32, value));
        let scaled = store.bv_mul(index, twelve);
        let shifted = store.bv_mul(x, four);
        let sum = store.bv_add(scaled, shifted);
        let word = store.bv_add(sum, three);
        let linear = Linear::of(&mut store, word);
        assert_eq!((linear.constant, linear.step()), (3, 4));
        let again = linear.word(&mut store, 32);
        for (a, b) in [(0u64, 0u64), (7, 250), (u64::from(u32::MAX), 3)] {
            let mut model = Assignment::new();
            model.set(store.as_var(x).expect("a variable"), BitVec::from_u64(32, a));
            model.set(store.as_var(n).expect("a variable"), BitVec::from_u64(8, b));
            assert_eq!(store.eval(word, &model), store.eval(again, &model));
        }
        let (quotient, rest) = linear.divide(12);
        assert_eq!((quotient.terms.len(), rest.terms.len(), rest.constant), (1, 1, 3));
    }
}
