//! Words as polynomials under a proposed model.
//!
//! Sums and products are multiplied out, variables stand for their definitions, and a choice is the branch that the
//! model takes. What the model decided is noted: a [`Reading`] is right wherever the literals it depends on are true.
//! Other operators make unknowns, the same one for the same operator on equal polynomials.

use crate::blast::Blaster;
use crate::blast::{arith, word};
use crate::polynomial::Polynomial;
use rustc_hash::FxHashMap;
use vergo_num::BitVec;
use vergo_sat::Lit;
use vergo_term::{Op, Sort, TermId, TermStore};

/// Terms nested more deeply are not followed; what is below is an unknown.
const MAX_DEPTH: usize = 100;
/// Terms that are read for one model.
const MAX_TERMS: usize = 20_000;
/// Divisors whose remainders are told apart.
const MAX_DIVISOR: u64 = 16;

/// An unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Atom(u32);

/// The meaning of an unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Meaning {
    /// A term.
    Term(TermId),
    /// An operator, with a result of some width, on words.
    Apply(Op, u32, Vec<Polynomial<Atom>>),
}

/// A polynomial that a word is, or that is zero, where some literals are true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    pub(crate) polynomial: Polynomial<Atom>,
    /// True in the model; in order.
    pub(crate) because: Vec<Lit>,
}

impl Reading {
    fn always(polynomial: Polynomial<Atom>) -> Reading {
        Reading { polynomial, because: Vec::new() }
    }

    /// A polynomial that depends on what two readings depend on.
    pub(crate) fn of_both(x: &Reading, y: &Reading, polynomial: Polynomial<Atom>) -> Reading {
        Reading { polynomial, because: union(&x.because, &y.because) }
    }

    /// The difference of two readings.
    pub(crate) fn difference(x: &Reading, y: &Reading) -> Option<Reading> {
        Some(Reading::of_both(x, y, x.polynomial.sub(&y.polynomial)?))
    }
}

/// Words whose sum, some of them negated, is a word; where some literals are true.
struct Parts {
    terms: Vec<(TermId, bool)>,
    because: Vec<Lit>,
}

/// Literals that are not constant, in order.
fn literals(signs: &[(Lit, bool)]) -> Vec<Lit> {
    let all = signs.iter().map(|(lit, _)| *lit).filter(|lit| lit.as_constant().is_none());
    let all: Vec<Lit> = all.collect();
    union(&all, &[])
}

/// The literals of two lists.
pub(crate) fn union(x: &[Lit], y: &[Lit]) -> Vec<Lit> {
    let mut all = [x, y].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Reads words under one model.
pub(crate) struct Reader<'a> {
    store: &'a TermStore,
    blaster: &'a mut Blaster,
    /// By node of the graph.
    values: &'a [bool],
    atoms: Vec<(Meaning, u32)>,
    numbers: FxHashMap<Meaning, Atom>,
    memo: FxHashMap<TermId, Reading>,
    /// The conditions of the choices that were read, in order.
    pub(crate) conditions: Vec<TermId>,
    /// The values of remainders in the model.
    remainders: Vec<Reading>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        store: &'a TermStore,
        blaster: &'a mut Blaster,
        values: &'a [bool],
    ) -> Reader<'a> {
        Reader {
            store,
            blaster,
            values,
            atoms: Vec::new(),
            numbers: FxHashMap::default(),
            memo: FxHashMap::default(),
            conditions: Vec::new(),
            remainders: Vec::new(),
        }
    }

    /// The value of a literal that the model knows.
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.values.get(lit.node() as usize).map(|&value| value ^ lit.is_complement())
    }

    /// The literal of a Bool term that is true in the model: its own or the opposite. Also whether the term is true.
    pub(crate) fn truth(&self, term: TermId) -> Option<(Lit, bool)> {
        let lit = self.blaster.literal(term)?;
        let value = self.value(lit)?;
        Some((lit.complement_if(!value), value))
    }

    /// The same of a term that need not be Bool.
    pub(crate) fn truth_of_bool(&self, term: TermId) -> Option<(Lit, bool)> {
        (self.store.sort(term) == Sort::Bool).then(|| self.truth(term))?
    }

    /// The literal of the equation between two words of the graph.
    pub(crate) fn equal(&mut self, x: &[Lit], y: &[Lit]) -> Lit {
        self.blaster.aig.equal_words(x, y)
    }

    /// The literal of that a word is the sum of another and a number.
    pub(crate) fn differ_by(&mut self, x: &[Lit], y: &[Lit], distance: &BitVec) -> Lit {
        let sum = arith::add(&mut self.blaster.aig, y, &word::constant(distance));
        self.equal(x, &sum)
    }

    /// The literals and the value of a term that has been blasted.
    pub(crate) fn word(&self, term: TermId) -> Option<(Vec<Lit>, BitVec)> {
        let word = self.blaster.known_word(term)?.to_vec();
        let value = self.word_value(&word)?;
        Some((word, value))
    }

    fn word_value(&self, word: &[Lit]) -> Option<BitVec> {
        let mut value = BitVec::zero(word.len() as u32);
        for (i, &lit) in word.iter().enumerate() {
            if self.value(lit)? {
                value = value.or(&BitVec::one(value.width()).shl_by(i as u32));
            }
        }
        Some(value)
    }

    /// A word as a polynomial; none if it grows too large.
    pub(crate) fn read(&mut self, term: TermId) -> Option<Reading> {
        self.read_at(term, MAX_DEPTH)
    }

    fn read_at(&mut self, term: TermId, depth: usize) -> Option<Reading> {
        if let Some(known) = self.memo.get(&term) {
            return Some(known.clone());
        }
        if self.memo.len() > MAX_TERMS {
            return None;
        }
        let result = if depth == 0 {
            self.unknown(Meaning::Term(term), self.store.width(term))
        } else {
            self.step(term, depth - 1)?
        };
        self.memo.insert(term, result.clone());
        Some(result)
    }

    fn unknown(&mut self, meaning: Meaning, width: u32) -> Reading {
        Reading::always(Polynomial::unknown(width, self.atom(meaning, width)))
    }

    fn atom(&mut self, meaning: Meaning, width: u32) -> Atom {
        if let Some(&known) = self.numbers.get(&meaning) {
            return known;
        }
        let atom = Atom(self.atoms.len() as u32);
        self.atoms.push((meaning.clone(), width));
        self.numbers.insert(meaning, atom);
        atom
    }

    /// An operator on words of which nothing more is known.
    fn apply(&mut self, op: Op, width: u32, args: Vec<Reading>) -> Reading {
        let because = args.iter().fold(Vec::new(), |all, arg| union(&all, &arg.because));
        let args = args.into_iter().map(|arg| arg.polynomial).collect();
        let polynomial = self.unknown(Meaning::Apply(op, width, args), width).polynomial;
        Reading { polynomial, because }
    }

    fn step(&mut self, term: TermId, depth: usize) -> Option<Reading> {
        let store = self.store;
        let width = store.width(term);
        if let Some(value) = store.bv_value(term) {
            return Some(Reading::always(Polynomial::constant(value.clone())));
        }
        let args = store.args(term);
        match store.op(term) {
            Op::Var(_) => match self.blaster.definition(term) {
                Some(definition) => self.read_at(definition, depth),
                None => Some(self.unknown(Meaning::Term(term), width)),
            },
            Op::BvAdd | Op::BvMul => {
                let (x, y) = (self.read_at(args[0], depth)?, self.read_at(args[1], depth)?);
                let result = match store.op(term) {
                    Op::BvAdd => x.polynomial.add(&y.polynomial),
                    _ => x.polynomial.mul(&y.polynomial),
                };
                Some(Reading::of_both(&x, &y, result?))
            }
            Op::BvNeg => {
                let x = self.read_at(args[0], depth)?;
                Some(Reading { polynomial: x.polynomial.negated(), ..x })
            }
            Op::BvNot => {
                // The complement is minus the word minus one.
                let x = self.read_at(args[0], depth)?;
                let minus_one = Polynomial::constant(BitVec::ones(width));
                Some(Reading { polynomial: x.polynomial.negated().add(&minus_one)?, ..x })
            }
            Op::BvShl if store.is_value(args[1]) => {
                let x = self.read_at(args[0], depth)?;
                let factor = BitVec::one(width).shl(store.bv_value(args[1])?);
                Some(Reading { polynomial: x.polynomial.scale(&factor), ..x })
            }
            Op::Ite => {
                let Some((lit, taken)) = self.truth(args[0]) else {
                    return Some(self.unknown(Meaning::Term(term), width));
                };
                self.conditions.push(args[0]);
                let x = self.read_at(if taken { args[1] } else { args[2] }, depth)?;
                Some(Reading { because: union(&x.because, &[lit]), ..x })
            }
            Op::BvConcat => {
                let low = self.zero_extended(args[1], width, depth)?;
                let high = self.read_at(args[0], depth)?;
                let factor = BitVec::one(width).shl_by(store.width(args[1]));
                // The bits of the upper part beyond its width are shifted out.
                let upper = self.lifted(&high.polynomial, width)?.scale(&factor);
                let sum = upper.add(&low.polynomial)?;
                Some(Reading::of_both(&high, &low, sum))
            }
            Op::BvExtract(0) => {
                let whole = self.read_at(args[0], depth)?;
                let polynomial = self.truncated(&whole.polynomial, width)?;
                Some(Reading { polynomial, ..whole })
            }
            Op::BvSignExtend => self.sign_extended(args[0], width, depth),
            Op::BvUdiv | Op::BvUrem => {
                let divisor = store.bv_value(args[1]).and_then(BitVec::to_u64);
                if divisor.is_some_and(|divisor| (2..=MAX_DIVISOR).contains(&divisor))
                    && let Some((_, rest)) = self.blaster.known_division(args[0], args[1])
                {
                    self.note_remainder(args[0], args[1], rest, depth)?;
                }
                self.operator(term, depth)
            }
            op => match op {
                Op::BvAnd | Op::BvXor | Op::BvShl | Op::BvLshr | Op::BvAshr | Op::BvExtract(_) => {
                    self.operator(term, depth)
                }
                _ => Some(self.unknown(Meaning::Term(term), width)),
            },
        }
    }

    fn operator(&mut self, term: TermId, depth: usize) -> Option<Reading> {
        let (op, width) = (self.store.op(term), self.store.width(term));
        let mut args = Vec::new();
        for &arg in self.store.args(term) {
            args.push(self.read_at(arg, depth)?);
        }
        Some(self.apply(op, width, args))
    }

    /// A polynomial of a greater width whose lowest bits are another.
    fn lifted(&mut self, x: &Polynomial<Atom>, width: u32) -> Option<Polynomial<Atom>> {
        let mut total = Polynomial::zero(width);
        for (monomial, coefficient) in x.terms() {
            let mut part = Polynomial::constant(coefficient.zero_extend(width));
            for &atom in monomial {
                part = part.mul(&self.lifted_atom(atom, width))?;
            }
            total = total.add(&part)?;
        }
        Some(total)
    }

    fn lifted_atom(&mut self, atom: Atom, width: u32) -> Polynomial<Atom> {
        let (meaning, narrow) = self.atoms[atom.0 as usize].clone();
        if let Meaning::Apply(op, _, args) = &meaning
            && let [x] = &args[..]
        {
            match op {
                // What was cut off comes back.
                Op::BvExtract(0) if x.width() == width => return x.clone(),
                Op::BvSignExtend | Op::BvConcat => {
                    let meaning = Meaning::Apply(*op, width, args.clone());
                    return self.unknown(meaning, width).polynomial;
                }
                _ => {}
            }
        }
        let atom = vec![Polynomial::unknown(narrow, atom)];
        self.unknown(Meaning::Apply(Op::BvConcat, width, atom), width).polynomial
    }

    /// A term with zeros on top.
    fn zero_extended(&mut self, term: TermId, width: u32, depth: usize) -> Option<Reading> {
        let store = self.store;
        if let Some(value) = store.bv_value(term) {
            return Some(Reading::always(Polynomial::constant(value.zero_extend(width))));
        }
        if let Op::BvExtract(low) = store.op(term) {
            let whole = store.arg(term, 0);
            if store.width(whole) == width {
                let n_bits = store.width(term);
                // The upper part of a word is a quotient, its lower part a remainder.
                let (op, shift) = match low {
                    0 => (Op::BvUrem, n_bits),
                    _ if low + n_bits == width => (Op::BvUdiv, low),
                    _ => return self.padded(term, width, depth),
                };
                let by = BitVec::one(width).shl_by(shift);
                if by.to_u64().is_some_and(|by| by <= MAX_DIVISOR) {
                    self.note_low_bits(whole, &by, shift, depth)?;
                }
                let x = self.read_at(whole, depth)?;
                let by = Reading::always(Polynomial::constant(by));
                return Some(self.apply(op, width, vec![x, by]));
            }
        }
        self.padded(term, width, depth)
    }

    fn padded(&mut self, term: TermId, width: u32, depth: usize) -> Option<Reading> {
        let x = self.read_at(term, depth)?;
        Some(self.extended(x, width, false))
    }

    fn sign_extended(&mut self, term: TermId, width: u32, depth: usize) -> Option<Reading> {
        let store = self.store;
        if let Op::BvExtract(low) = store.op(term) {
            let whole = store.arg(term, 0);
            if store.width(whole) == width && low + store.width(term) == width {
                let by = BitVec::one(width).shl_by(low);
                if by.to_u64().is_some_and(|by| by <= MAX_DIVISOR) {
                    self.note_low_bits(whole, &by, low, depth)?;
                }
                let x = self.read_at(whole, depth)?;
                let by = BitVec::from_u64(width, low.into());
                let by = Reading::always(Polynomial::constant(by));
                return Some(self.apply(Op::BvAshr, width, vec![x, by]));
            }
        }
        if let Some(parts) = self.sum_in_range(term) {
            let mut sum = Reading::always(Polynomial::zero(width));
            for (part, is_negated) in parts.terms {
                let mut x = self.sign_extended(part, width, depth.checked_sub(1)?)?;
                if is_negated {
                    x.polynomial = x.polynomial.negated();
                }
                sum = Reading::of_both(&sum, &x, sum.polynomial.add(&x.polynomial)?);
            }
            return Some(Reading { because: union(&sum.because, &parts.because), ..sum });
        }
        let x = self.read_at(term, depth)?;
        Some(self.extended(x, width, true))
    }

    /// The parts of a sum or an opposite that is the same with signs as without in the model: its signs say so.
    fn sum_in_range(&self, term: TermId) -> Option<Parts> {
        let args = self.store.args(term);
        let result = self.sign(term)?;
        match self.store.op(term) {
            Op::BvAdd => {
                let (a, b) = (self.sign(args[0])?, self.sign(args[1])?);
                let terms = vec![(args[0], false), (args[1], false)];
                if a.1 != b.1 {
                    // Numbers of different signs have a sum between them.
                    return Some(Parts { terms, because: literals(&[a, b]) });
                }
                let because = literals(&[a, b, result]);
                (a.1 == result.1).then_some(Parts { terms, because })
            }
            Op::BvNeg => {
                let a = self.sign(args[0])?;
                // Only the least number is negative and its own opposite.
                let because = if a.1 { literals(&[a, result]) } else { literals(&[a]) };
                let terms = vec![(args[0], true)];
                (!(a.1 && result.1)).then_some(Parts { terms, because })
            }
            _ => None,
        }
    }

    /// The sign of a word that has been blasted: the literal that is true in the model, and whether it is negative.
    fn sign(&self, term: TermId) -> Option<(Lit, bool)> {
        let sign = *self.blaster.known_word(term)?.last()?;
        let value = self.value(sign)?;
        Some((sign.complement_if(!value), value))
    }

    /// A word with zeros or copies of its sign on top.
    fn extended(&mut self, x: Reading, width: u32, is_signed: bool) -> Reading {
        if let Some(value) = x.polynomial.as_constant() {
            let value = if is_signed { value.sign_extend(width) } else { value.zero_extend(width) };
            return Reading { polynomial: Polynomial::constant(value), ..x };
        }
        let op = if is_signed { Op::BvSignExtend } else { Op::BvConcat };
        if let Some(sum) = self.extended_sum(&x.polynomial, width, is_signed) {
            return Reading { polynomial: sum, ..x };
        }
        self.apply(op, width, vec![x])
    }

    /// The extension of a sum as the sum of extensions, if the sum is small enough not to wrap around: its unknowns are
    /// extensions themselves.
    fn extended_sum(
        &mut self,
        x: &Polynomial<Atom>,
        width: u32,
        is_signed: bool,
    ) -> Option<Polynomial<Atom>> {
        let narrow = x.width();
        if narrow > 64 {
            return None;
        }
        let (mut least, mut greatest) = (0i128, 0i128);
        let mut sum = Polynomial::zero(width);
        for (monomial, coefficient) in x.terms() {
            let factor = coefficient.to_i128()?;
            let (low, high, part) = match monomial[..] {
                [] => (1, 1, Polynomial::constant(BitVec::one(width))),
                [atom] => {
                    let (Meaning::Apply(op, _, args), _) = &self.atoms[atom.0 as usize] else {
                        return None;
                    };
                    let (op, args) = (*op, args.clone());
                    let n_bits = args.first()?.width();
                    let (low, high) = match op {
                        Op::BvSignExtend => (-(1i128 << (n_bits - 1)), (1i128 << (n_bits - 1)) - 1),
                        // With zeros on top.
                        Op::BvConcat => (0, (1i128 << n_bits) - 1),
                        _ => return None,
                    };
                    let atom = self.atom(Meaning::Apply(op, width, args), width);
                    (low, high, Polynomial::unknown(width, atom))
                }
                _ => return None,
            };
            let ends = [factor.checked_mul(low)?, factor.checked_mul(high)?];
            least = least.checked_add(ends[0].min(ends[1]))?;
            greatest = greatest.checked_add(ends[0].max(ends[1]))?;
            sum = sum.add(&part.scale(&BitVec::from_i128(width, factor)))?;
        }
        let fits = if is_signed {
            least >= -(1i128 << (narrow - 1)) && greatest < 1i128 << (narrow - 1)
        } else {
            least >= 0 && greatest < 1i128 << narrow
        };
        fits.then_some(sum)
    }

    /// The lowest bits of a polynomial: the polynomial of the lowest bits.
    fn truncated(&mut self, x: &Polynomial<Atom>, width: u32) -> Option<Polynomial<Atom>> {
        let mut total = Polynomial::zero(width);
        for (monomial, coefficient) in x.terms() {
            let mut part = Polynomial::constant(coefficient.truncate(width));
            for &atom in monomial {
                part = part.mul(&self.truncated_atom(atom, width))?;
            }
            total = total.add(&part)?;
        }
        Some(total)
    }

    fn truncated_atom(&mut self, atom: Atom, width: u32) -> Polynomial<Atom> {
        let (meaning, whole) = self.atoms[atom.0 as usize].clone();
        if let Meaning::Apply(op @ (Op::BvSignExtend | Op::BvConcat), _, args) = &meaning
            && let [x] = &args[..]
        {
            if x.width() == width {
                return x.clone();
            }
            if x.width() < width {
                return self.unknown(Meaning::Apply(*op, width, args.clone()), width).polynomial;
            }
        }
        let atom = vec![Polynomial::unknown(whole, atom)];
        self.unknown(Meaning::Apply(Op::BvExtract(0), width, atom), width).polynomial
    }

    /// Notes what a remainder is in the model, given its word.
    fn note_remainder(
        &mut self,
        dividend: TermId,
        divisor: TermId,
        rest: Vec<Lit>,
        depth: usize,
    ) -> Option<()> {
        let by = self.store.bv_value(divisor)?.clone();
        let x = self.read_at(dividend, depth)?;
        let Some(value) = self.word_value(&rest) else { return Some(()) };
        let constant = word::constant(&value);
        let is_so = self.equal(&rest, &constant);
        self.remainder_is(x, by, value, &[is_so])
    }

    /// Notes what the lowest bits of a term are in the model.
    fn note_low_bits(
        &mut self,
        term: TermId,
        by: &BitVec,
        n_bits: u32,
        depth: usize,
    ) -> Option<()> {
        let x = self.read_at(term, depth)?;
        let Some((word, value)) = self.word(term) else { return Some(()) };
        let lowest = &word[..n_bits as usize];
        let because: Vec<Lit> = lowest
            .iter()
            .filter(|lit| lit.as_constant().is_none())
            .map(|&lit| lit.complement_if(self.value(lit) == Some(false)))
            .collect();
        let value = value.urem(by);
        self.remainder_is(x, by.clone(), value, &because)
    }

    fn remainder_is(&mut self, x: Reading, by: BitVec, value: BitVec, is_so: &[Lit]) -> Option<()> {
        let width = by.width();
        let by = Reading::always(Polynomial::constant(by));
        let remainder = self.apply(Op::BvUrem, width, vec![x, by]);
        let polynomial = remainder.polynomial.sub(&Polynomial::constant(value))?;
        let mut because: Vec<Lit> = is_so.to_vec();
        because.sort_unstable();
        let because = union(&remainder.because, &because);
        let fact = Reading { polynomial, because };
        if !self.remainders.contains(&fact) {
            self.remainders.push(fact);
        }
        Some(())
    }

    /// Returns the facts about the unknowns of a width: a word is the quotient times the divisor plus the remainder,
    /// and remainders have their values of the model. Polynomials that are zero.
    pub(crate) fn axioms(&mut self, width: u32) -> Vec<Reading> {
        let mut axioms = self.remainders.clone();
        for number in 0..self.atoms.len() {
            let (Meaning::Apply(op, _, args), _) = self.atoms[number].clone() else { continue };
            let (x, by) = match (op, &args[..]) {
                (Op::BvUdiv | Op::BvAshr, [x, by]) => (x, by),
                _ => continue,
            };
            let Some(by) = by.as_constant().filter(|by| !by.is_zero()) else { continue };
            let by = match op {
                Op::BvUdiv => by,
                _ => match by.to_u64() {
                    Some(amount) if amount < u64::from(width) => {
                        BitVec::one(by.width()).shl_by(amount as u32)
                    }
                    _ => continue,
                },
            };
            let quotient = Polynomial::unknown(x.width(), Atom(number as u32));
            let rest = vec![x.clone(), Polynomial::constant(by.clone())];
            let rest = self.unknown(Meaning::Apply(Op::BvUrem, x.width(), rest), x.width());
            let all = quotient.scale(&by).add(&rest.polynomial).and_then(|sum| sum.sub(x));
            axioms.extend(all.map(Reading::always));
        }
        axioms.retain(|axiom| axiom.polynomial.width() == width);
        axioms
    }

    /// The sort of a term is that of words.
    pub(crate) fn is_word(&self, term: TermId) -> bool {
        matches!(self.store.sort(term), Sort::BitVec(_))
    }
}
