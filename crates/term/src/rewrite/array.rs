//! Rules for arrays.

use super::Rule;
use crate::op::{Op, TermId};
use crate::store::TermStore;
use vergo_num::BitVec;

/// The greatest number of stores that a read looks through. Reads of long histories stay cheap; what
/// is left is for the solver.
const READ_DEPTH: usize = 1024;

/// The greatest number of parts of two indices that are compared to tell them apart.
const INDEX_PARTS: usize = 16;

impl TermStore {
    pub(super) fn simplify_array(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        match (op, args) {
            (Op::Select, &[array, index]) => self.simplify_select(array, index),
            (Op::Store, &[array, index, element]) => self.simplify_store(array, index, element),
            _ => None,
        }
    }

    fn simplify_select(&mut self, array: TermId, index: TermId) -> Option<TermId> {
        if let Some(element) = self.under(array, Op::ConstArray) {
            return self.fired(Rule::SelectConstArray, element);
        }
        let mut below = array;
        for _ in 0..READ_DEPTH {
            if self.op(below) != Op::Store {
                break;
            }
            let (written, element) = (self.arg(below, 1), self.arg(below, 2));
            if written == index {
                return self.fired(Rule::SelectStoreSame, element);
            }
            if !self.surely_differ(written, index) {
                break;
            }
            below = self.arg(below, 0);
        }
        if below == array {
            return None;
        }
        let term = self.select(below, index);
        self.fired(Rule::SelectStoreOther, term)
    }

    fn simplify_store(&mut self, array: TermId, index: TermId, element: TermId) -> Option<TermId> {
        if let Some((from, at)) = self.pair(element, Op::Select)
            && from == array
            && at == index
        {
            return self.fired(Rule::StoreSelect, array);
        }
        if self.under(array, Op::ConstArray) == Some(element) {
            return self.fired(Rule::StoreConstArray, array);
        }
        if self.op(array) == Op::Store && self.arg(array, 1) == index {
            let below = self.arg(array, 0);
            let term = self.store(below, index, element);
            return self.fired(Rule::StoreStoreSame, term);
        }
        None
    }

    /// Returns whether two terms have different values for all values of the variables: different
    /// constants, a term and its complement, the same word plus different constants, or
    /// concatenations of which a part surely differs.
    fn surely_differ(&self, a: TermId, b: TermId) -> bool {
        let mut pairs = vec![(a, b)];
        for _ in 0..INDEX_PARTS {
            let Some((a, b)) = pairs.pop() else { break };
            if self.is_value(a) && self.is_value(b) {
                if a != b {
                    return true;
                }
                continue;
            }
            if self.complementary(Op::BvNot, a, b) || self.complementary(Op::Not, a, b) {
                return true;
            }
            if let (Some((a_high, a_low)), Some((b_high, b_low))) =
                (self.pair(a, Op::BvConcat), self.pair(b, Op::BvConcat))
                && self.width(a_low) == self.width(b_low)
            {
                pairs.extend([(a_high, b_high), (a_low, b_low)]);
                continue;
            }
            let offset = |term: TermId| match self.with_constant(term, Op::BvAdd) {
                Some((base, offset)) => (base, Some(offset)),
                None => (term, None),
            };
            let ((a_base, a_offset), (b_base, b_offset)) = (offset(a), offset(b));
            // A missing offset is zero.
            let value = |offset: Option<BitVec>| offset.filter(|value| !value.is_zero());
            if a_base == b_base && value(a_offset) != value(b_offset) {
                return true;
            }
        }
        false
    }
}
