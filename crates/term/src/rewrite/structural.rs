//! The few rules that execution itself cannot do without, for checkers.
//!
//! Symbolic execution reads constants, pointers and conditions off terms, so that nothing could be executed in a store
//! that simplifies nothing at all. These rules are what is left when everything that only makes formulas smaller is taken
//! away: constants are computed (by `vergo_num`), choices between equal things are none, parts of words that were
//! put together are those parts, what was just stored is read back, and conditions that say a thing twice say it once.
//! They are written down a second time here, on purpose: nothing of the other rules is called, so that a mistake in one
//! of those does not come back in the check of what it helped to prove.

use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;

impl TermStore {
    /// The simpler term equal to the operator on the arguments, if one of the few rules knows one. Of arguments that can
    /// be exchanged, a constant is the second.
    pub(crate) fn simplify_structurally(
        &mut self,
        op: Op,
        sort: Sort,
        args: &[TermId],
    ) -> Option<TermId> {
        if let Some(constant) = self.fold(op, sort, args) {
            return Some(constant);
        }
        if let Some(choice) = self.choice_of_constants(op, sort, args) {
            return Some(choice);
        }
        match (op, args) {
            (Op::Not, &[a]) => self.under_op(a, Op::Not),
            (Op::And, &[a, b]) => {
                self.and_structurally(a, b).or_else(|| self.and_structurally(b, a))
            }
            (Op::Ite, &[c, a, b]) => self.ite_structurally(sort, c, a, b),
            (Op::Eq, &[a, b]) => self.eq_structurally(a, b),
            (Op::BvExtract(low), &[a]) => self.extract_structurally(low, sort, a),
            (Op::BvConcat, &[a, b]) => self.concat_structurally(sort, a, b),
            (Op::BvSignExtend, &[a]) => (self.sort(a) == sort).then_some(a),
            (Op::BvNeg, &[a]) => self.under_op(a, Op::BvNeg),
            (Op::BvNot, &[a]) => self.under_op(a, Op::BvNot),
            (Op::BvAdd, &[a, b]) => self.add_structurally(sort, a, b),
            (Op::BvMul, &[a, b]) => {
                let factor = self.bv_value(b)?;
                if factor.is_zero() { Some(b) } else { factor.is_one().then_some(a) }
            }
            (Op::BvAnd, &[a, b]) => {
                let mask = self.bv_value(b)?;
                if mask.is_zero() { Some(b) } else { mask.not().is_zero().then_some(a) }
            }
            (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, b]) => {
                self.bv_value(b)?.is_zero().then_some(a)
            }
            (Op::BvUlt | Op::BvSlt, &[a, b]) => (a == b).then(|| self.false_term()),
            (Op::Select, &[array, index]) => self.select_structurally(sort, array, index),
            _ => None,
        }
    }

    /// An operator on constants and on choices between constants by one condition.
    fn choice_of_constants(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        if matches!(op, Op::Ite | Op::Select | Op::Store | Op::ConstArray) {
            return None;
        }
        let mut condition = None;
        let mut sides = [[args[0]; 4]; 2];
        for (i, &arg) in args.iter().enumerate() {
            let (a, b) = if self.is_value(arg) {
                (arg, arg)
            } else {
                let &[c, a, b] = self.args_of(arg, Op::Ite)? else { return None };
                if !self.is_value(a) || !self.is_value(b) || *condition.get_or_insert(c) != c {
                    return None;
                }
                (a, b)
            };
            (sides[0][i], sides[1][i]) = (a, b);
        }
        let [a, b] = sides.map(|side| self.fold(op, sort, &side[..args.len()]));
        let (condition, a, b) = (condition?, a?, b?);
        Some(self.ite(condition, a, b))
    }

    /// A conjunction, seen from one of its sides.
    fn and_structurally(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.bool_value(b) {
            Some(true) => return Some(a),
            Some(false) => return Some(b),
            None if a == b => return Some(a),
            None if self.negates(a, b) => return Some(self.false_term()),
            None => {}
        }
        // The other side is a conjunction, or the negation of one.
        if let Some(&[x, y]) = self.args_of(b, Op::And) {
            if x == a || y == a {
                return Some(b);
            }
            return (self.negates(x, a) || self.negates(y, a)).then(|| self.false_term());
        }
        let inner = self.under_op(b, Op::Not)?;
        let &[x, y] = self.args_of(inner, Op::And)? else { return None };
        if self.negates(x, a) || self.negates(y, a) {
            return Some(a);
        }
        let other = if x == a { y } else { (y == a).then_some(x)? };
        let negated = self.not(other);
        Some(self.and(a, negated))
    }

    fn ite_structurally(&mut self, sort: Sort, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(truth) = self.bool_value(c) {
            return Some(if truth { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        // A choice below a choice by the same condition is made already.
        if let Some(&[d, x, _]) = self.args_of(a, Op::Ite)
            && d == c
        {
            return Some(self.ite(c, x, b));
        }
        if let Some(&[d, _, y]) = self.args_of(b, Op::Ite)
            && d == c
        {
            return Some(self.ite(c, a, y));
        }
        if sort != Sort::Bool {
            return None;
        }
        match (self.bool_value(a), self.bool_value(b)) {
            (Some(true), _) => Some(self.or(c, b)),
            (Some(false), _) => {
                let not = self.not(c);
                Some(self.and(not, b))
            }
            (_, Some(true)) => Some(self.implies(c, a)),
            (_, Some(false)) => Some(self.and(c, a)),
            (None, None) => None,
        }
    }

    fn eq_structurally(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.true_term());
        }
        match self.bool_value(b) {
            Some(true) => return Some(a),
            Some(false) => return Some(self.not(a)),
            None => {}
        }
        // Words of the same parts: pointers to known objects, numbers with leading zeros.
        let ([high_a, low_a], [high_b, low_b]) = (self.parts(a, b)?, self.parts(b, a)?);
        let (high, low) = (self.eq(high_a, high_b), self.eq(low_a, low_b));
        Some(self.and(high, low))
    }

    /// The two parts of a concatenation, or of a constant next to one.
    fn parts(&mut self, word: TermId, other: TermId) -> Option<[TermId; 2]> {
        let split = |store: &TermStore, term: TermId| match store.args_of(term, Op::BvConcat) {
            Some(&[high, low]) => Some([high, low]),
            _ => None,
        };
        let theirs = split(self, other);
        match (split(self, word), theirs) {
            (Some(own), None) => Some(own),
            (Some(own), Some(theirs)) => {
                (self.width(own[1]) == self.width(theirs[1])).then_some(own)
            }
            (None, Some([_, low])) => {
                let value = self.bv_value(word)?.clone();
                let cut = self.width(low);
                let high = self.bv_const(value.extract(value.width() - 1, cut));
                let low = self.bv_const(value.extract(cut - 1, 0));
                Some([high, low])
            }
            (None, None) => None,
        }
    }

    fn extract_structurally(&mut self, low: u32, sort: Sort, a: TermId) -> Option<TermId> {
        if self.sort(a) == sort {
            return Some(a);
        }
        let Sort::BitVec(width) = sort else { return None };
        match (self.op(a), self.args(a)) {
            (Op::BvExtract(below), &[inner]) => {
                Some(self.app(Op::BvExtract(low + below), sort, &[inner]))
            }
            (Op::BvConcat, &[high_part, low_part]) => {
                let cut = self.width(low_part);
                if low >= cut {
                    Some(self.app(Op::BvExtract(low - cut), sort, &[high_part]))
                } else {
                    (low + width <= cut).then(|| self.app(Op::BvExtract(low), sort, &[low_part]))
                }
            }
            (Op::BvSignExtend, &[inner]) => (low + width <= self.width(inner))
                .then(|| self.app(Op::BvExtract(low), sort, &[inner])),
            _ => None,
        }
    }

    /// Neighbouring parts of one word are a part of it.
    fn concat_structurally(&mut self, sort: Sort, a: TermId, b: TermId) -> Option<TermId> {
        let (Op::BvExtract(high), Op::BvExtract(low)) = (self.op(a), self.op(b)) else {
            return None;
        };
        let word = self.arg(a, 0);
        let meet = self.arg(b, 0) == word && low + self.width(b) == high;
        meet.then(|| self.app(Op::BvExtract(low), sort, &[word]))
    }

    fn add_structurally(&mut self, sort: Sort, a: TermId, b: TermId) -> Option<TermId> {
        if self.bv_value(b).is_some_and(|value| value.is_zero()) {
            return Some(a);
        }
        if self.under_op(a, Op::BvNeg) == Some(b) || self.under_op(b, Op::BvNeg) == Some(a) {
            let Sort::BitVec(width) = sort else { return None };
            return Some(self.bv_u64(width, 0));
        }
        if self.is_value(b) {
            let &[x, c] = self.args_of(a, Op::BvAdd)? else { return None };
            if self.is_value(c) {
                let sum = self.bv_add(c, b);
                return Some(self.bv_add(x, sum));
            }
        }
        None
    }

    fn select_structurally(&mut self, sort: Sort, array: TermId, index: TermId) -> Option<TermId> {
        match (self.op(array), self.args(array)) {
            (Op::ConstArray, &[element]) => Some(element),
            (Op::Store, &[_, at, element]) if at == index => Some(element),
            (Op::Store, &[before, at, _]) => (self.is_value(at) && self.is_value(index))
                .then(|| self.app(Op::Select, sort, &[before, index])),
            _ => None,
        }
    }

    /// Returns whether one of two truth values is the negation of the other.
    fn negates(&self, a: TermId, b: TermId) -> bool {
        self.under_op(a, Op::Not) == Some(b) || self.under_op(b, Op::Not) == Some(a)
    }

    /// The argument of a term of a unary operator.
    fn under_op(&self, term: TermId, op: Op) -> Option<TermId> {
        self.args_of(term, op).map(|args| args[0])
    }

    /// The arguments of a term of an operator.
    fn args_of(&self, term: TermId, op: Op) -> Option<&[TermId]> {
        (self.op(term) == op).then(|| self.args(term))
    }
}
