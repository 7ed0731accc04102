//! Simplification while building.
//!
//! Each rule is a row of the table in `rewrite/table.rs`: a name, and examples of what it matches
//! and what it gives, in SMT-LIB. The rows are the rules' documentation and their proof obligation:
//! a test builds every example with and without rewriting, demands that the rule fires, and compares
//! the two under all values of the variables.
//!
//! Rules are local: a right-hand side has at most a few terms more than the left-hand side, made by
//! constructors that simplify again. Each outermost construction has [`FUEL`] for the constructions
//! it causes, which bounds work and recursion (the stack grows on the heap where it must); terms made
//! after that are left as they are, which is always sound.

use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::{Rewriting, TermStore};
use vergo_num::BitVec;

mod array;
mod core;
mod equality;
mod float;
mod order;
mod structural;
mod table;
mod word;

pub use table::Rule;
pub(crate) use table::RuleCounts;

/// The greatest number of terms that rules may make for one construction.
pub(crate) const FUEL: u32 = 1024;

/// A rule's example: the terms before and after.
///
/// Letters stand for terms: `x y z` are words of three bits, `u v` of two, `b s` of one, `w` of
/// five; `c d` are constants of three bits, `k l` of two; `p q r` truth values; `a n` arrays from
/// two bits to one, with `i j` as indices; `f g h` floats with two bits of exponent and three of
/// significand; `m` a rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleExample {
    /// The term that the rule matches.
    pub pattern: &'static str,
    /// The term that it gives.
    pub result: &'static str,
}

impl TermStore {
    /// The simpler term equal to the operator on the arguments, if a rule knows one.
    pub(crate) fn simplify(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        if self.rewriting == Rewriting::Structural {
            return self.simplify_structurally(op, sort, args);
        }
        #[cfg(debug_assertions)]
        if let Some(term) = crate::planted::apply(self, op, args) {
            return Some(term);
        }
        if let Some(term) = self.fold(op, sort, args) {
            return Some(term);
        }
        if let Some(term) = self.lift_ite(op, sort, args) {
            return Some(term);
        }
        match (op, args) {
            (Op::Not, &[a]) => self.simplify_not(a),
            (Op::And, &[a, b]) => self.simplify_and(a, b),
            (Op::Eq, &[a, b]) => self.simplify_eq(a, b),
            (Op::Ite, &[c, a, b]) => self.simplify_ite(sort, c, a, b),
            (Op::Select | Op::Store | Op::ConstArray, _) => self.simplify_array(op, args),
            (Op::BvUlt, &[a, b]) => self.simplify_ult(a, b),
            (Op::BvSlt, &[a, b]) => self.simplify_slt(a, b),
            (Op::BvUmulo, &[a, b]) => self.simplify_umulo(a, b),
            (Op::BvSmulo, &[a, b]) => self.simplify_smulo(a, b),
            (Op::BvNot | Op::BvNeg | Op::BvExtract(_) | Op::BvSignExtend, &[a]) => {
                self.simplify_unary_word(op, sort, a)
            }
            (
                Op::BvAnd
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr
                | Op::BvConcat,
                &[a, b],
            ) => self.simplify_binary_word(op, sort, a, b),
            _ => self.simplify_float(op, sort, args),
        }
    }

    /// Counts the firing of a rule and passes its result on.
    pub(crate) fn fired(&mut self, rule: Rule, term: TermId) -> Option<TermId> {
        self.rule_counts.count(rule);
        Some(term)
    }

    /// Returns whether one of the terms is the other under `not`.
    fn complementary(&self, not: Op, a: TermId, b: TermId) -> bool {
        self.under(a, not) == Some(b) || self.under(b, not) == Some(a)
    }

    /// The argument of a term whose operator is the given unary one.
    fn under(&self, term: TermId, op: Op) -> Option<TermId> {
        (self.op(term) == op).then(|| self.arg(term, 0))
    }

    /// The arguments of a term whose operator is the given binary one.
    fn pair(&self, term: TermId, op: Op) -> Option<(TermId, TermId)> {
        (self.op(term) == op).then(|| (self.arg(term, 0), self.arg(term, 1)))
    }

    /// The first argument and the constant second one of a term whose operator is the given one.
    fn with_constant(&self, term: TermId, op: Op) -> Option<(TermId, BitVec)> {
        let (a, b) = self.pair(term, op)?;
        Some((a, self.bv_value(b)?.clone()))
    }

    /// The arguments of an `ite`.
    fn choice(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        match (self.op(term), self.args(term)) {
            (Op::Ite, &[c, a, b]) => Some((c, a, b)),
            _ => None,
        }
    }

    /// The condition and branches of an `ite` whose branches are constants.
    fn constant_choice(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        self.choice(term).filter(|&(_, a, b)| self.is_value(a) && self.is_value(b))
    }

    /// Splits a word into the part above the `low` lowest bits and those, if that makes no terms
    /// other than constants.
    fn split(&mut self, term: TermId, low: u32) -> Option<(TermId, TermId)> {
        if let Some((high_part, low_part)) = self.pair(term, Op::BvConcat) {
            return (self.width(low_part) == low).then_some((high_part, low_part));
        }
        let value = self.bv_value(term)?.clone();
        let width = value.width();
        if low == 0 || low >= width {
            return None;
        }
        let high_part = self.bv_const(value.extract(width - 1, low));
        let low_part = self.bv_const(value.extract(low - 1, 0));
        Some((high_part, low_part))
    }

    /// Splits two words at the place where one of them is a concatenation.
    fn split_both(&mut self, a: TermId, b: TermId) -> Option<((TermId, TermId), (TermId, TermId))> {
        let concat = [a, b].into_iter().find_map(|term| self.pair(term, Op::BvConcat))?;
        let low = self.width(concat.1);
        Some((self.split(a, low)?, self.split(b, low)?))
    }

    /// Moves an operator into an `ite` of constants if it meets only constants there.
    fn lift_ite(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        if matches!(op, Op::Ite | Op::Select | Op::Store | Op::ConstArray) {
            return None;
        }
        let mut condition = None;
        let mut n_choices = 0;
        let (mut then, mut otherwise) = ([args[0]; 4], [args[0]; 4]);
        for (i, &arg) in args.iter().enumerate() {
            if self.is_value(arg) {
                (then[i], otherwise[i]) = (arg, arg);
            } else {
                let (c, a, b) = self.constant_choice(arg)?;
                if condition.is_some_and(|other| other != c) {
                    return None;
                }
                condition = Some(c);
                n_choices += 1;
                (then[i], otherwise[i]) = (a, b);
            }
        }
        let condition = condition?;
        let then = self.app(op, sort, &then[..args.len()]);
        let otherwise = self.app(op, sort, &otherwise[..args.len()]);
        let term = self.ite(condition, then, otherwise);
        self.fired(if n_choices == 1 { Rule::LiftIte } else { Rule::LiftIteSameCondition }, term)
    }
}
