//! Rules for truth values and choice.

use super::Rule;
use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use vergo_num::BitVec;

/// The rules of a conjunction that hold for truth values and words alike.
pub(super) struct ConjunctionRules {
    pub(super) and: Op,
    pub(super) not: Op,
    pub(super) same: Rule,
    pub(super) complement: Rule,
    pub(super) absorb: Rule,
    pub(super) conflict: Rule,
    pub(super) absorb_or: Rule,
    pub(super) resolve: Rule,
}

const BOOL_CONJUNCTION: ConjunctionRules = ConjunctionRules {
    and: Op::And,
    not: Op::Not,
    same: Rule::AndSame,
    complement: Rule::AndComplement,
    absorb: Rule::AndAbsorb,
    conflict: Rule::AndConflict,
    absorb_or: Rule::AndAbsorbOr,
    resolve: Rule::AndResolve,
};

impl TermStore {
    pub(super) fn simplify_not(&mut self, a: TermId) -> Option<TermId> {
        let inner = self.under(a, Op::Not)?;
        self.fired(Rule::NotNot, inner)
    }

    pub(super) fn simplify_and(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.bool_value(b) {
            Some(true) => return self.fired(Rule::AndTrue, a),
            Some(false) => return self.fired(Rule::AndFalse, b),
            None => {}
        }
        let bottom = self.false_term();
        if let Some(term) = self.simplify_conjunction(&BOOL_CONJUNCTION, Sort::Bool, bottom, a, b) {
            return Some(term);
        }
        for (a, b) in [(a, b), (b, a)] {
            let Some((x, k)) = self.pair(a, Op::Eq) else { continue };
            if !self.is_value(k) {
                continue;
            }
            let negated = self.under(b, Op::Not);
            let other = self.pair(negated.unwrap_or(b), Op::Eq);
            if let Some((y, l)) = other
                && x == y
                && k != l
                && self.is_value(l)
            {
                return match negated {
                    Some(_) => self.fired(Rule::AndEqNotEq, a),
                    None => self.fired(Rule::AndEqEq, bottom),
                };
            }
        }
        for op in [Op::BvUlt, Op::BvSlt, Op::FpLt] {
            if let (Some((x, y)), Some((u, v))) = (self.pair(a, op), self.pair(b, op))
                && x == v
                && y == u
            {
                return self.fired(Rule::AndOrderConflict, bottom);
            }
        }
        None
    }

    pub(super) fn simplify_conjunction(
        &mut self,
        rules: &ConjunctionRules,
        sort: Sort,
        bottom: TermId,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        let (and, not) = (rules.and, rules.not);
        if a == b {
            return self.fired(rules.same, a);
        }
        if self.complementary(not, a, b) {
            return self.fired(rules.complement, bottom);
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.pair(b, and) {
                if x == a || y == a {
                    return self.fired(rules.absorb, b);
                }
                if self.complementary(not, x, a) || self.complementary(not, y, a) {
                    return self.fired(rules.conflict, bottom);
                }
            }
            if let Some((x, y)) = self.under(b, not).and_then(|inner| self.pair(inner, and)) {
                if self.complementary(not, x, a) || self.complementary(not, y, a) {
                    return self.fired(rules.absorb_or, a);
                }
                if x == a || y == a {
                    let other = if x == a { y } else { x };
                    let negated = self.app(not, sort, &[other]);
                    let term = self.app(and, sort, &[a, negated]);
                    return self.fired(rules.resolve, term);
                }
            }
        }
        None
    }

    pub(super) fn simplify_ite(
        &mut self,
        sort: Sort,
        c: TermId,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        if let Some(value) = self.bool_value(c) {
            return self.fired(Rule::IteConstant, if value { a } else { b });
        }
        if a == b {
            return self.fired(Rule::IteSame, a);
        }
        if let Some(inner) = self.under(c, Op::Not) {
            let term = self.ite(inner, b, a);
            return self.fired(Rule::IteNot, term);
        }
        if let Some((x, y)) = self.pair(c, Op::Eq)
            && ((x == a && y == b) || (x == b && y == a))
        {
            return self.fired(Rule::IteEq, b);
        }
        if let Some((d, then, otherwise)) = self.choice(a) {
            if d == c {
                let term = self.ite(c, then, b);
                return self.fired(Rule::IteNestedThen, term);
            }
            if otherwise == b {
                let both = self.and(c, d);
                let term = self.ite(both, then, b);
                return self.fired(Rule::IteMergeThen, term);
            }
            if then == b {
                let not_d = self.not(d);
                let both = self.and(c, not_d);
                let term = self.ite(both, otherwise, b);
                return self.fired(Rule::IteMergeThenNot, term);
            }
        }
        if let Some((d, then, otherwise)) = self.choice(b) {
            if d == c {
                let term = self.ite(c, a, otherwise);
                return self.fired(Rule::IteNestedElse, term);
            }
            if then == a {
                let either = self.or(c, d);
                let term = self.ite(either, a, otherwise);
                return self.fired(Rule::IteMergeElse, term);
            }
            if otherwise == a {
                let not_d = self.not(d);
                let either = self.or(c, not_d);
                let term = self.ite(either, a, then);
                return self.fired(Rule::IteMergeElseNot, term);
            }
        }
        match sort {
            Sort::Bool => self.simplify_bool_ite(c, a, b),
            Sort::BitVec(1) => self.simplify_bit_ite(c, a, b),
            Sort::BitVec(width) => self.simplify_word_ite(width, c, a, b),
            Sort::Array(_) => self.simplify_array_ite(c, a, b),
            Sort::Float(_) | Sort::RoundingMode => None,
        }
    }

    fn simplify_bool_ite(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if self.bool_value(a) == Some(true) || a == c {
            let term = self.or(c, b);
            return self.fired(Rule::IteTrueThen, term);
        }
        if self.bool_value(a) == Some(false) || self.complementary(Op::Not, a, c) {
            let not_c = self.not(c);
            let term = self.and(not_c, b);
            return self.fired(Rule::IteFalseThen, term);
        }
        if self.bool_value(b) == Some(true) || self.complementary(Op::Not, b, c) {
            let not_c = self.not(c);
            let term = self.or(not_c, a);
            return self.fired(Rule::IteTrueElse, term);
        }
        if self.bool_value(b) == Some(false) || b == c {
            let term = self.and(c, a);
            return self.fired(Rule::IteFalseElse, term);
        }
        if self.complementary(Op::Not, a, b) {
            let term = self.eq(c, a);
            return self.fired(Rule::IteComplement, term);
        }
        None
    }

    /// A bit that says whether a bit is one is that bit.
    fn simplify_bit_ite(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let (x, one) = self.pair(c, Op::Eq)?;
        if !self.bv_value(one)?.is_one() || self.width(x) != 1 {
            return None;
        }
        match (self.bv_value(a)?.is_one(), self.bv_value(b)?.is_one()) {
            (true, false) => self.fired(Rule::IteBit, x),
            (false, true) => {
                let term = self.bv_not(x);
                self.fired(Rule::IteBitNot, term)
            }
            _ => None,
        }
    }

    /// Branches of one shape: the choice moves to where they differ.
    fn simplify_word_ite(&mut self, width: u32, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let offset = |store: &TermStore, term: TermId| match store.with_constant(term, Op::BvAdd) {
            Some((base, offset)) => (base, offset),
            None => (term, BitVec::zero(width)),
        };
        let ((a_base, a_offset), (b_base, b_offset)) = (offset(self, a), offset(self, b));
        if a_base == b_base && !self.is_value(a_base) {
            let (a_offset, b_offset) = (self.bv_const(a_offset), self.bv_const(b_offset));
            let offset = self.ite(c, a_offset, b_offset);
            let term = self.bv_add(a_base, offset);
            return self.fired(Rule::IteAdd, term);
        }
        if let (Some(x), Some(y)) =
            (self.under(a, Op::BvSignExtend), self.under(b, Op::BvSignExtend))
            && self.width(x) == self.width(y)
        {
            let inner = self.ite(c, x, y);
            let term = self.bv_sign_extend(width, inner);
            return self.fired(Rule::IteSignExtend, term);
        }
        let ((a_high, a_low), (b_high, b_low)) = self.split_both(a, b)?;
        if a_high == b_high {
            let low = self.ite(c, a_low, b_low);
            let term = self.bv_concat(a_high, low);
            return self.fired(Rule::IteConcatSameHigh, term);
        }
        if a_low == b_low {
            let high = self.ite(c, a_high, b_high);
            let term = self.bv_concat(high, a_low);
            return self.fired(Rule::IteConcatSameLow, term);
        }
        None
    }

    /// Stores into the same array at the same index: the choice moves to the element.
    fn simplify_array_ite(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let stored = |store: &TermStore, term: TermId| match (store.op(term), store.args(term)) {
            (Op::Store, &[array, index, element]) => Some((array, index, element)),
            _ => None,
        };
        if let (Some((array, i, x)), Some((other, j, y))) = (stored(self, a), stored(self, b))
            && array == other
            && i == j
        {
            let element = self.ite(c, x, y);
            let term = self.store(array, i, element);
            return self.fired(Rule::IteStores, term);
        }
        if let Some((array, index, x)) = stored(self, a)
            && array == b
        {
            let old = self.select(array, index);
            let element = self.ite(c, x, old);
            let term = self.store(array, index, element);
            return self.fired(Rule::IteStoreThen, term);
        }
        if let Some((array, index, x)) = stored(self, b)
            && array == a
        {
            let old = self.select(array, index);
            let element = self.ite(c, old, x);
            let term = self.store(array, index, element);
            return self.fired(Rule::IteStoreElse, term);
        }
        None
    }
}
