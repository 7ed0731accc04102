//! Products of words, and equations in which they occur.
//!
//! A product is a circuit where that is easy and free bits where it is not; see [`crate::products`] for what constrains
//! those. Equations that polynomials decide, or that are odd multiples of each other, need no circuit of their own.

use super::word::Word;
use super::{Blaster, Origin, arith, polynomial};
use crate::products::is_hard;
use vergo_sat::Lit;
use vergo_term::{Op, Sort, TermId, TermStore};

impl Blaster {
    /// The product; that of a choice whose branches are multiplied by the same word anyway is the
    /// choice between those products.
    pub(super) fn product(
        &mut self,
        store: &TermStore,
        term: TermId,
        a: TermId,
        b: TermId,
    ) -> Word {
        for (choice, factor) in [(a, b), (b, a)] {
            if let (Op::Ite, &[condition, x, y]) = (store.op(choice), store.args(choice))
                && [x, y].iter().all(|&branch| {
                    let pair = (branch.min(factor), branch.max(factor));
                    self.wanted_products.contains(&pair)
                })
            {
                let (condition, factor) = (self.lit(condition), self.word(factor));
                let [x, y] = [x, y].map(|branch| {
                    let branch = self.word(branch);
                    self.multiply(term, branch, factor.clone())
                });
                return self.aig.mux_words(condition, &x, &y);
            }
        }
        let (x, y) = (self.word(a), self.word(b));
        self.multiply(term, x, y)
    }

    /// The product of two words: free bits where a circuit would be hard.
    fn multiply(&mut self, term: TermId, x: Word, y: Word) -> Word {
        if !is_hard(&x, &y, self.options.product_bits) {
            return arith::mul(&mut self.aig, &x, &y);
        }
        if let Some(known) = self.products.get(term, &x, &y) {
            return known;
        }
        let result = self.fresh(x.len(), |bit| Origin::Bit(term, bit));
        self.products.add(term, x, y, result.clone());
        result
    }

    /// Builds the condition that a product of free bits is the product of its factors.
    pub(crate) fn product_is_right(&mut self, number: usize) -> Lit {
        let product = &self.products.all[number];
        let ([x, y], result) = (product.factors.clone(), product.result.clone());
        let exact = arith::mul(&mut self.aig, &x, &y);
        self.aig.equal_words(&result, &exact)
    }

    /// The literal of an equation of words with products, if algebra decides it or it is an equation that has been blasted
    /// written in another way.
    pub(super) fn known_equation(&mut self, store: &TermStore, term: TermId) -> Option<Lit> {
        if store.op(term) != Op::Eq
            || !matches!(store.sort(store.arg(term, 0)), Sort::BitVec(_))
            || self.differences.contains_key(&term)
        {
            return None;
        }
        let difference = polynomial::difference(store, &self.definitions, term)?;
        if let Some(constant) = difference.as_constant() {
            return Some(Lit::constant(constant.is_zero()));
        }
        // Where products are circuits, so that proofs are made, equations stay as they are.
        if self.options.product_bits == usize::MAX {
            return None;
        }
        let difference = difference.normalised();
        let known = self.equations.get(&difference).copied();
        if known.is_none() {
            self.differences.insert(term, difference);
        }
        known
    }
}
