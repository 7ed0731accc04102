//! Core: truth values, equality and choice.

use crate::op::{Op, TermId};
use crate::rewrite::Rule;
use crate::sort::Sort;
use crate::store::{Rewriting, TermStore};

impl TermStore {
    /// `(not a)`.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.expect_bool(a);
        self.app(Op::Not, Sort::Bool, &[a])
    }

    /// `(and a b)`.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(a);
        self.expect_bool(b);
        // Most conditions of symbolic execution are constants: what `app` would find is found at once.
        if self.rewriting != Rewriting::Off {
            for (a, b) in [(a, b), (b, a)] {
                if b == self.true_term() {
                    self.rule_counts.count(Rule::AndTrue);
                    return a;
                }
                if b == self.false_term() {
                    self.rule_counts.count(Rule::AndFalse);
                    return b;
                }
            }
        }
        self.app(Op::And, Sort::Bool, &[a, b])
    }

    /// `(or a b)`.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// `(xor a b)`.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(a);
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `(=> a b)`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.not(b);
        let broken = self.and(a, b);
        self.not(broken)
    }

    /// The conjunction of any number of terms, as a balanced tree; true if there is none.
    pub fn and_all(&mut self, terms: &[TermId]) -> TermId {
        let unit = self.true_term();
        self.balanced(terms, unit, TermStore::and)
    }

    /// The disjunction of any number of terms, as a balanced tree; false if there is none.
    pub fn or_all(&mut self, terms: &[TermId]) -> TermId {
        let unit = self.false_term();
        self.balanced(terms, unit, TermStore::or)
    }

    /// Joins neighbours until one term is left.
    pub(crate) fn balanced(
        &mut self,
        terms: &[TermId],
        unit: TermId,
        join: fn(&mut TermStore, TermId, TermId) -> TermId,
    ) -> TermId {
        let mut level = terms.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { join(self, a, b) } else { pair[0] })
                .collect();
        }
        level.first().copied().unwrap_or(unit)
    }

    /// `(= a b)`, of any one sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_same_sort(a, b);
        self.app(Op::Eq, Sort::Bool, &[a, b])
    }

    /// `(distinct terms…)`: pairwise different.
    pub fn distinct(&mut self, terms: &[TermId]) -> TermId {
        let mut pairs = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[i + 1..] {
                let same = self.eq(a, b);
                pairs.push(self.not(same));
            }
        }
        self.and_all(&pairs)
    }

    /// `(not (= a b))`.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `(ite condition a b)`, of any one sort.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.expect_bool(condition);
        let sort = self.expect_same_sort(a, b);
        self.app(Op::Ite, sort, &[condition, a, b])
    }

    fn expect_bool(&self, term: TermId) {
        assert!(self.sort(term) == Sort::Bool, "{term} is not a truth value");
    }

    pub(crate) fn expect_same_sort(&self, a: TermId, b: TermId) -> Sort {
        let (sort, other) = (self.sort(a), self.sort(b));
        assert!(sort == other, "{a} and {b} have sorts {sort:?} and {other:?}");
        sort
    }
}
