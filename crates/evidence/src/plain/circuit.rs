//! Circuits by the book: bits that are constants or variables of a SAT solver, gates as clauses, words as lists of bits.
//!
//! Sums are carried from bit to bit, products are sums of shifted rows, quotients are found by the long division of
//! school. A gate with a constant input is that input, its negation or a constant; nothing else is simplified. The
//! same gate on the same bits is made once.
//!
//! Whatever the solver refutes is replayed by the checker of clause proofs before it is believed.

use std::collections::BTreeMap;
use vergo_sat::{
    Answer, Budget, Cadical, CadicalOptions, CnfLit, Label, SatSolver, StopReason, Trace, lrat,
};

/// A truth value that is known, or depends on what is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bit {
    Const(bool),
    Lit(CnfLit),
}

pub(super) const ZERO: Bit = Bit::Const(false);
pub(super) const ONE: Bit = Bit::Const(true);

/// A word, the lowest bit first.
pub(super) type Word = Vec<Bit>;

impl std::ops::Not for Bit {
    type Output = Bit;
    fn not(self) -> Bit {
        match self {
            Bit::Const(value) => Bit::Const(!value),
            Bit::Lit(lit) => Bit::Lit(!lit),
        }
    }
}

/// Bits, gates and what is known of them.
pub(super) struct Circuits {
    solver: Cadical,
    /// Conjunctions and exclusive disjunctions by their inputs, in DIMACS numbers.
    ands: BTreeMap<(i32, i32), CnfLit>,
    xors: BTreeMap<(i32, i32), CnfLit>,
    /// Clauses and replayed steps so far.
    pub(super) clauses: u64,
    pub(super) steps: usize,
}

impl Circuits {
    pub(super) fn new() -> Circuits {
        let options = CadicalOptions { trace: Trace::Antecedents, ..CadicalOptions::default() };
        Circuits {
            solver: Cadical::new(&options),
            ands: BTreeMap::new(),
            xors: BTreeMap::new(),
            clauses: 0,
            steps: 0,
        }
    }

    /// A bit of which nothing is known.
    pub(super) fn fresh(&mut self) -> Bit {
        Bit::Lit(self.solver.new_var().lit(true))
    }

    pub(super) fn fresh_word(&mut self, width: u32) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }

    fn clause(&mut self, lits: &[CnfLit]) {
        self.clauses += 1;
        self.solver.add_clause(lits, Label::Group(0));
    }

    /// Checks whether the bits can all be true at once. A refutation is replayed.
    ///
    /// # Errors
    /// If the budget ends, or the refutation is wrong.
    pub(super) fn possible(&mut self, bits: &[Bit], budget: &Budget) -> Result<bool, String> {
        let mut assumptions = Vec::new();
        for &bit in bits {
            match bit {
                Bit::Const(true) => {}
                Bit::Const(false) => return Ok(false),
                Bit::Lit(lit) => assumptions.push(lit),
            }
        }
        match self.solver.solve(&assumptions, budget) {
            Answer::Sat => Ok(true),
            Answer::Unknown(reason) => Err(StopReason::name(reason).to_owned()),
            Answer::Unsat => {
                let wrong = || "a clause proof is wrong".to_owned();
                let conclusion = self.solver.conclusion().ok_or_else(wrong)?;
                let proof = self.solver.proof().ok_or_else(wrong)?;
                let steps = lrat::check_conclusion(&proof, &conclusion, &assumptions);
                let steps = steps.map_err(|_| wrong())?;
                drop(proof);
                self.steps += steps;
                Ok(false)
            }
        }
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = match (a, b) {
            (Bit::Const(false), _) | (_, Bit::Const(false)) => return ZERO,
            (Bit::Const(true), other) | (other, Bit::Const(true)) => return other,
            (Bit::Lit(a), Bit::Lit(b)) if a == b => return Bit::Lit(a),
            (Bit::Lit(a), Bit::Lit(b)) if a == !b => return ZERO,
            (Bit::Lit(a), Bit::Lit(b)) => (a, b),
        };
        let key = (a.dimacs().min(b.dimacs()), a.dimacs().max(b.dimacs()));
        if let Some(&gate) = self.ands.get(&key) {
            return Bit::Lit(gate);
        }
        let gate = self.solver.new_var().lit(true);
        self.clause(&[!gate, a]);
        self.clause(&[!gate, b]);
        self.clause(&[gate, !a, !b]);
        self.ands.insert(key, gate);
        Bit::Lit(gate)
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = match (a, b) {
            (Bit::Const(false), other) | (other, Bit::Const(false)) => return other,
            (Bit::Const(true), other) | (other, Bit::Const(true)) => return !other,
            (Bit::Lit(a), Bit::Lit(b)) if a == b => return ZERO,
            (Bit::Lit(a), Bit::Lit(b)) if a == !b => return ONE,
            (Bit::Lit(a), Bit::Lit(b)) => (a, b),
        };
        let key = (a.dimacs().min(b.dimacs()), a.dimacs().max(b.dimacs()));
        if let Some(&gate) = self.xors.get(&key) {
            return Bit::Lit(gate);
        }
        let gate = self.solver.new_var().lit(true);
        self.clause(&[!gate, a, b]);
        self.clause(&[!gate, !a, !b]);
        self.clause(&[gate, !a, b]);
        self.clause(&[gate, a, !b]);
        self.xors.insert(key, gate);
        Bit::Lit(gate)
    }

    /// `if c then a else b`.
    pub(super) fn ite(&mut self, c: Bit, a: Bit, b: Bit) -> Bit {
        if a == b {
            return a;
        }
        let (then, other) = (self.and(c, a), self.and(!c, b));
        self.or(then, other)
    }

    pub(super) fn ite_word(&mut self, c: Bit, a: &[Bit], b: &[Bit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.ite(c, a, b)).collect()
    }

    pub(super) fn any(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(ZERO, |acc, &bit| self.or(acc, bit))
    }

    pub(super) fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut all = ONE;
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            all = self.and(all, !differ);
        }
        all
    }

    /// The sum with a carry in, and the carry out.
    fn add_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            let (both, one) = (self.and(a, b), self.and(half, carry));
            carry = self.or(both, one);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_carry(a, b, ZERO).0
    }

    pub(super) fn sub(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_carry(a, &complement(b), ONE).0
    }

    pub(super) fn negate(&mut self, a: &[Bit]) -> Word {
        self.sub(&constant(a.len(), 0), a)
    }

    /// Unsigned: no carry comes out of `a - b`.
    pub(super) fn less(&mut self, a: &[Bit], b: &[Bit], signed: bool) -> Bit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if signed {
            // Signed numbers are ordered as unsigned ones with the sign bit flipped.
            for word in [&mut a, &mut b] {
                if let Some(sign) = word.last_mut() {
                    *sign = !*sign;
                }
            }
        }
        !self.add_carry(&a, &complement(&b), ONE).1
    }

    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let width = a.len();
        let mut sum = constant(width, 0);
        for (i, &bit) in b.iter().enumerate() {
            let mut row = constant(width, 0);
            for j in i..width {
                row[j] = self.and(a[j - i], bit);
            }
            sum = self.add(&sum, &row);
        }
        sum
    }

    /// Unsigned quotient and remainder; by zero, all ones and the dividend, as subtraction of nothing gives.
    fn divide_unsigned(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let width = a.len();
        let divisor = extend(b, width + 1, false);
        let mut rest = constant(width + 1, 0);
        let mut quotient = constant(width, 0);
        for i in (0..width).rev() {
            rest.insert(0, a[i]);
            rest.truncate(width + 1);
            let fits = !self.less(&rest, &divisor, false);
            let less = self.sub(&rest, &divisor);
            rest = self.ite_word(fits, &less, &rest);
            quotient[i] = fits;
        }
        rest.truncate(width);
        (quotient, rest)
    }

    /// Quotient toward zero and remainder with the dividend's sign.
    pub(super) fn divide(&mut self, a: &[Bit], b: &[Bit], signed: bool) -> (Word, Word) {
        let sign = |word: &[Bit]| word.last().copied().unwrap_or(ZERO);
        if !signed {
            return self.divide_unsigned(a, b);
        }
        let (negative_a, negative_b) = (sign(a), sign(b));
        let (minus_a, minus_b) = (self.negate(a), self.negate(b));
        let size_a = self.ite_word(negative_a, &minus_a, a);
        let size_b = self.ite_word(negative_b, &minus_b, b);
        let (quotient, rest) = self.divide_unsigned(&size_a, &size_b);
        let (minus_q, minus_r) = (self.negate(&quotient), self.negate(&rest));
        let differ = self.xor(negative_a, negative_b);
        let quotient = self.ite_word(differ, &minus_q, &quotient);
        (quotient, self.ite_word(negative_a, &minus_r, &rest))
    }

    /// A shift by an amount that is read unsigned; `fill` comes in, and is all there is if the amount is too large.
    pub(super) fn shift(&mut self, a: &[Bit], amount: &[Bit], left: bool, fill: Bit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        for (i, &bit) in amount.iter().enumerate() {
            let by = if i < 32 { 1usize << i } else { usize::MAX };
            let moved: Word = (0..width)
                .map(|at| {
                    let from = if left { at.checked_sub(by) } else { at.checked_add(by) };
                    from.and_then(|from| word.get(from)).copied().unwrap_or(fill)
                })
                .collect();
            word = self.ite_word(bit, &moved, &word);
        }
        word
    }
}

pub(super) fn complement(a: &[Bit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

pub(super) fn constant(width: usize, value: u64) -> Word {
    (0..width).map(|i| Bit::Const(i < 64 && value >> i & 1 == 1)).collect()
}

/// The word cut, or extended by its sign or by zeros.
pub(super) fn extend(a: &[Bit], width: usize, signed: bool) -> Word {
    let fill = if signed { a.last().copied().unwrap_or(ZERO) } else { ZERO };
    (0..width).map(|i| a.get(i).copied().unwrap_or(fill)).collect()
}

/// The number that a word is, if it is known and not too large.
pub(super) fn known(a: &[Bit]) -> Option<u64> {
    let mut value = 0;
    for (i, &bit) in a.iter().enumerate() {
        match bit {
            Bit::Const(false) => {}
            Bit::Const(true) if i < 64 => value |= 1 << i,
            _ => return None,
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operator at three bits, on constants and on variables that are forced to them.
    #[test]
    fn circuits_compute() {
        const WIDTH: usize = 3;
        let mut circuits = Circuits::new();
        let budget = Budget::unlimited();
        let (x, y) = (circuits.fresh_word(3), circuits.fresh_word(3));
        let build = |circuits: &mut Circuits, a: &[Bit], b: &[Bit]| -> Vec<Word> {
            let (uq, ur) = circuits.divide(a, b, false);
            let (sq, sr) = circuits.divide(a, b, true);
            let orders = [false, true].map(|signed| circuits.less(a, b, signed));
            vec![
                circuits.add(a, b),
                circuits.sub(a, b),
                circuits.multiply(a, b),
                uq,
                ur,
                sq,
                sr,
                circuits.shift(a, b, true, ZERO),
                circuits.shift(a, b, false, a[WIDTH - 1]),
                vec![orders[0]],
                vec![orders[1]],
                vec![circuits.equal(a, b)],
            ]
        };
        let symbolic = build(&mut circuits, &x, &y);
        let signed = |n: u64| (n as i64) - if n >= 4 { 8 } else { 0 };
        for (a, b) in (0..64u64).map(|i| (i / 8, i % 8)) {
            let (ca, cb) = (constant(WIDTH, a), constant(WIDTH, b));
            let concrete = build(&mut circuits, &ca, &cb);
            let (sa, sb) = (signed(a), signed(b));
            let wrap = |n: i64| (n & 7) as u64;
            let quotient = match sb {
                0 => {
                    if sa < 0 {
                        1
                    } else {
                        -1
                    }
                }
                _ => sa / sb,
            };
            let expected = [
                wrap(sa + sb),
                wrap(sa - sb),
                wrap(sa * sb),
                a.checked_div(b).unwrap_or(7),
                a.checked_rem(b).unwrap_or(a),
                wrap(quotient),
                wrap(sa.checked_rem(sb).unwrap_or(sa)),
                if b < 3 { wrap((a << b) as i64) } else { 0 },
                wrap(sa >> b.min(3)),
                u64::from(a < b),
                u64::from(sa < sb),
                u64::from(a == b),
            ];
            let (is_a, is_b) = (circuits.equal(&x, &ca), circuits.equal(&y, &cb));
            for (i, &value) in expected.iter().enumerate() {
                assert_eq!(known(&concrete[i]), Some(value), "operator {i} on {a} and {b}");
                let wanted = constant(concrete[i].len(), value);
                let right = circuits.equal(&symbolic[i], &wanted);
                assert_eq!(circuits.possible(&[is_a, is_b, !right], &budget), Ok(false));
                assert_eq!(circuits.possible(&[is_a, is_b, right], &budget), Ok(true));
            }
        }
        assert!(circuits.steps > 0);
    }
}
