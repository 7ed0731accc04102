//! Facts about a state in the words that people use, where they follow from a proof.
//!
//! Engines speak of bits, of words without sign and of several bounds at once. Candidates are made of the names and
//! constants that a proof mentions: `x == c`, `x >= c`, `x <= c`, `x % 4 == 2`, that two flags are equal, and sums in a wider type where
//! the proof's wrap around. Those that follow from the proof are kept; what then follows from them need not be shown.

use std::collections::BTreeSet;
use vergo_num::BitVec;
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{Op, Sort, TermId, TermStore};
use vergo_ts::CNames;

/// Variables of which something is said at most.
const MOST_VARIABLES: usize = 24;
/// Constants that a variable is compared with at most.
const MOST_CONSTANTS: usize = 24;
/// The size of comparisons whose sums are made wider.
const LONGEST_SUM: u64 = 100;
/// Low bits that are looked at.
const MOST_BITS: u32 = 3;

/// Facts that follow from the given ones; fewer of them if the budget ends.
pub(crate) fn plain_facts(
    store: &mut TermStore,
    names: &CNames,
    facts: &[TermId],
    budget: &Budget,
) -> Vec<TermId> {
    let mut solver = Solver::default();
    for &fact in facts {
        solver.assert(fact);
    }
    let mut search = Search { store, names, solver, budget, found: Vec::new() };
    let variables = search.variables(facts);
    let mut flags = Vec::new();
    for &(var, signed) in &variables {
        if search.is_over() {
            break;
        }
        if search.bounds(facts, var, signed) {
            flags.push((var, signed));
        }
        search.low_bits(facts, var);
    }
    search.relations(facts, &variables, &flags);
    for &fact in facts {
        search.widened(fact);
    }
    search.found
}

struct Search<'a> {
    store: &'a mut TermStore,
    names: &'a CNames,
    solver: Solver,
    budget: &'a Budget,
    found: Vec<TermId>,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.budget.exhausted().is_some()
    }

    /// The integers with a name that facts are about, and whether they have a sign.
    fn variables(&self, facts: &[TermId]) -> Vec<(TermId, bool)> {
        let free = self.store.free_vars(facts).into_iter().map(|var| self.store.var_info(var).term);
        let words = free.filter(|&var| matches!(self.store.sort(var), Sort::BitVec(8..=64)));
        let named = words.filter_map(|var| Some((var, self.names.integer(var)?)));
        named.take(MOST_VARIABLES).collect()
    }

    fn follows(&mut self, fact: TermId) -> bool {
        let opposite = self.store.not(fact);
        self.solver.check(self.store, &[opposite], self.budget) == Answer::Unsat
    }

    fn keep_if_follows(&mut self, fact: TermId) -> bool {
        let follows = !self.store.is_value(fact) && self.follows(fact);
        if follows {
            self.found.push(fact);
        }
        follows
    }

    /// The closest bounds of a variable among the constants that are near it, and whether it is zero or one.
    fn bounds(&mut self, facts: &[TermId], var: TermId, signed: bool) -> bool {
        let constants = self.constants(facts, var, signed);
        let at_least = |search: &mut Self, i: usize| {
            let constant = search.store.bv_const(constants[i].clone());
            match signed {
                true => search.store.bv_sle(constant, var),
                false => search.store.bv_ule(constant, var),
            }
        };
        let at_most = |search: &mut Self, i: usize| {
            let constant = search.store.bv_const(constants[i].clone());
            match signed {
                true => search.store.bv_sle(var, constant),
                false => search.store.bv_ule(var, constant),
            }
        };
        // The greatest constant that is a lower bound, and the least that is an upper one.
        let (mut low, mut high) = (0, constants.len());
        while low < high && !self.is_over() {
            let middle = low.midpoint(high);
            let fact = at_least(self, middle);
            if self.follows(fact) { low = middle + 1 } else { high = middle }
        }
        let least = low.checked_sub(1);
        let (mut low, mut high) = (0, constants.len());
        while low < high && !self.is_over() {
            let middle = low.midpoint(high);
            let fact = at_most(self, middle);
            if self.follows(fact) { high = middle } else { low = middle + 1 }
        }
        let greatest = (high < constants.len()).then_some(high);
        if self.is_over() {
            return false;
        }
        if let (Some(least), Some(greatest)) = (least, greatest)
            && least == greatest
        {
            let constant = self.store.bv_const(constants[least].clone());
            let fact = self.store.eq(var, constant);
            self.keep_if_follows(fact);
            return false;
        }
        if let Some(least) = least {
            let fact = at_least(self, least);
            self.keep_if_follows(fact);
        }
        if let Some(greatest) = greatest {
            let fact = at_most(self, greatest);
            self.keep_if_follows(fact);
        }
        least.is_some_and(|least| constants[least].is_zero())
            && greatest.is_some_and(|greatest| constants[greatest].is_one())
    }

    /// Constants of a variable's width in facts about it, those next to them, and zero, in order.
    fn constants(&self, facts: &[TermId], var: TermId, signed: bool) -> Vec<BitVec> {
        let width = self.store.width(var);
        let one = BitVec::one(width);
        let mut found =
            BTreeSet::from([BitVec::zero(width), one.clone()].map(|bits| order(&bits, signed)));
        let mut add = |bits: &BitVec| {
            for near in [bits.sub(&one), bits.clone(), bits.add(&one)] {
                found.insert(order(&near, signed));
            }
        };
        let mut n_found = 0;
        for &fact in facts {
            let terms = self.store.reachable(&[fact]);
            if !terms.contains(&var) {
                continue;
            }
            for bits in terms.iter().filter_map(|&term| self.store.bv_value(term)) {
                if bits.width() == width && n_found < MOST_CONSTANTS {
                    add(bits);
                    n_found += 1;
                }
            }
        }
        found.into_iter().map(|(_, bits)| bits).collect()
    }

    /// Adds the values of the lowest bits of a variable, if a fact speaks of its bits.
    fn low_bits(&mut self, facts: &[TermId], var: TermId) {
        let store = &*self.store;
        let is_part = |&term: &TermId| {
            let on_bits = matches!(
                store.op(term),
                Op::BvExtract(_) | Op::BvAnd | Op::BvXor | Op::BvUrem | Op::BvConcat
            );
            on_bits && store.args(term).contains(&var)
        };
        if !store.reachable(facts).iter().any(is_part) {
            return;
        }
        let mut n_bits = 0;
        let mut value = 0u64;
        while n_bits < MOST_BITS && n_bits + 1 < self.store.width(var) && !self.is_over() {
            let set = self.store.bv_bit(n_bits, var);
            let clear = self.store.not(set);
            if self.follows(set) {
                value |= 1 << n_bits;
            } else if !self.follows(clear) {
                break;
            }
            n_bits += 1;
        }
        if n_bits > 0 {
            let bits = self.store.bv_extract(n_bits - 1, 0, var);
            let value = self.store.bv_u64(n_bits, value);
            let fact = self.store.eq(bits, value);
            self.keep_if_follows(fact);
        }
    }

    /// Relations between flags, and equalities and orders between variables that a fact has together.
    fn relations(
        &mut self,
        facts: &[TermId],
        variables: &[(TermId, bool)],
        flags: &[(TermId, bool)],
    ) {
        let together: Vec<Vec<TermId>> = facts
            .iter()
            .map(|&fact| {
                let free = self.store.free_vars(&[fact]);
                free.into_iter().map(|var| self.store.var_info(var).term).collect()
            })
            .collect();
        for (i, &(x, signed)) in variables.iter().enumerate() {
            for &(y, other_signed) in &variables[i + 1..] {
                if self.is_over() {
                    return;
                }
                let meet = |vars: &Vec<TermId>| vars.contains(&x) && vars.contains(&y);
                if !together.iter().any(meet) {
                    continue;
                }
                let both_flags = flags.contains(&(x, signed)) && flags.contains(&(y, other_signed));
                let (x, y, signed) = match both_flags {
                    true => {
                        let width = 32.max(self.store.width(x)).max(self.store.width(y));
                        let store = &mut *self.store;
                        let x = extend(store, width, x, signed);
                        (x, extend(store, width, y, other_signed), true)
                    }
                    false if self.store.sort(x) == self.store.sort(y) && signed == other_signed => {
                        (x, y, signed)
                    }
                    false => continue,
                };
                let equal = self.store.eq(x, y);
                if self.keep_if_follows(equal) {
                    continue;
                }
                let different = self.store.not(equal);
                if both_flags && self.keep_if_follows(different) {
                    continue;
                }
                for (x, y) in [(x, y), (y, x)] {
                    let fact = match signed {
                        true => self.store.bv_sle(x, y),
                        false => self.store.bv_ule(x, y),
                    };
                    self.keep_if_follows(fact);
                }
            }
        }
    }

    /// A comparison of sums that wrap around, as one of sums that do not.
    fn widened(&mut self, fact: TermId) {
        let (atom, is_negated) = match self.store.op(fact) {
            Op::Not => (self.store.arg(fact, 0), true),
            _ => (fact, false),
        };
        let op = self.store.op(atom);
        // Longer ones are not readable in any type.
        if !matches!(op, Op::Eq | Op::BvSlt | Op::BvUlt)
            || self.store.size(atom).tree > LONGEST_SUM
            || self.is_over()
        {
            return;
        }
        let (a, b) = (self.store.arg(atom, 0), self.store.arg(atom, 1));
        if !matches!(self.store.sort(a), Sort::BitVec(8..=32)) {
            return;
        }
        let is_sum = |store: &TermStore, term| {
            matches!(store.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvConcat)
        };
        let free = self.store.free_vars(&[atom]);
        let mut free = free.into_iter().map(|var| self.store.var_info(var).term);
        // Where there is no sign, wrapping around is what C does.
        if !(is_sum(self.store, a) || is_sum(self.store, b))
            || free.all(|var| self.names.integer(var) != Some(true))
        {
            return;
        }
        let (Some(a), Some(b)) = (self.wide(a), self.wide(b)) else { return };
        let fact = match op {
            Op::Eq => self.store.eq(a, b),
            _ => self.store.bv_slt(a, b),
        };
        let fact = if is_negated { self.store.not(fact) } else { fact };
        self.keep_if_follows(fact);
    }

    /// A sum in 64 bits.
    fn wide(&mut self, term: TermId) -> Option<TermId> {
        let arg = |search: &Self, i| search.store.arg(term, i);
        Some(match self.store.op(term) {
            Op::Const(_) => self.store.bv_sign_extend(64, term),
            Op::Var(_) => {
                let signed = self.names.integer(term)?;
                extend(self.store, 64, term, signed)
            }
            Op::BvAdd => {
                let (a, b) = (self.wide(arg(self, 0))?, self.wide(arg(self, 1))?);
                self.store.bv_add(a, b)
            }
            Op::BvMul => {
                let (a, b) = (arg(self, 0), arg(self, 1));
                if !self.store.is_value(a) && !self.store.is_value(b) {
                    return None;
                }
                let (a, b) = (self.wide(a)?, self.wide(b)?);
                self.store.bv_mul(a, b)
            }
            Op::BvNeg => {
                let a = self.wide(arg(self, 0))?;
                self.store.bv_neg(a)
            }
            // Zeros below all but the top of a word: a product with a power of two.
            Op::BvConcat => {
                let (top, zeros) = (arg(self, 0), arg(self, 1));
                let is_shift = self.store.op(top) == Op::BvExtract(0)
                    && self.store.bv_value(zeros).is_some_and(BitVec::is_zero);
                if !is_shift || self.store.width(self.store.arg(top, 0)) != self.store.width(term) {
                    return None;
                }
                let factor = BitVec::one(64).shl_by(self.store.width(zeros));
                let (word, factor) = (self.store.arg(top, 0), self.store.bv_const(factor));
                let word = self.wide(word)?;
                self.store.bv_mul(word, factor)
            }
            _ => return None,
        })
    }
}

fn extend(store: &mut TermStore, width: u32, term: TermId, signed: bool) -> TermId {
    match signed {
        _ if store.width(term) == width => term,
        true => store.bv_sign_extend(width, term),
        false => store.bv_zero_extend(width, term),
    }
}

/// A value with what it is sorted by in a reading.
fn order(bits: &BitVec, signed: bool) -> (i128, BitVec) {
    let value = bits.to_u64().unwrap_or(0);
    let width = bits.width().min(64);
    let number = match signed && bits.sign_bit() {
        true => i128::from(value) - (1i128 << width),
        false => i128::from(value),
    };
    (number, bits.clone())
}

#[cfg(test)]
mod tests;
