//! Products by lemmas on demand.
//!
//! **Idea.** The circuit of a multiplier is what a SAT solver is worst at; that `x (y + 1) = x y + x` takes it forever
//! at thirty-two bits. So the product of two words is free bits at first. When the solver proposes values
//! for all bits and some product is not what its factors say, the model is read as a set of equations between polynomials
//! modulo two to the width: equations that are true in it, and choices as it makes them. If an equation that is
//! false in the model follows from those, by the laws of rings, the clause that says so is added, and the search goes
//! on. Where nothing follows, the products that are wrong get their circuits after all, for the rest of this question: a
//! circuit constrains only while its switch is assumed, since most refutations need none, and a solver that has one in the
//! way loses itself in it.
//!
//! **Source.** Lemmas on demand are as in [`crate::arrays`]; products as unknowns that are refined:
//! Cimatti, Griggio, Irfan, Roveri, Sebastiani, "Incremental Linearization for Satisfiability and Verification Modulo
//! Nonlinear Arithmetic and Transcendental Functions", ACM TOCL 19, 2018, doi 10.1145/3230639. The reasoning is
//! algebraic instead ([`ideal`]), since programs compute with equations.
//!
//! **What counts.** Of the equations in a formula only those matter that make it true: of a disjunction one part, of
//! a choice one branch. Reading those alone keeps accidents of the model out of the lemmas. Only if
//! nothing follows from them, all others are taken too.
//!
//! **Soundness.** A lemma says that an equation, or the equality of two words, is true where the literals are that its
//! reading depends on (see [`reading`]): that is valid. With proofs the solver does without lemmas, for the clauses
//! would be in nobody's part of an interpolation.

pub(crate) mod ideal;
pub(crate) mod reading;

use crate::arrays::Lemma;
use crate::blast::Blaster;
use crate::blast::word::Word;
use crate::polynomial::Polynomial;
use ideal::Ideal;
use reading::{Atom, Reader, Reading, union};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use vergo_num::BitVec;
use vergo_sat::{Budget, Lit};
use vergo_term::{Op, Sort, TermId, TermStore};

/// Products of wider words are circuits.
const MAX_WIDTH: usize = 128;
/// Equations of one kind that are looked at for one model.
const MAX_EQUATIONS: usize = 300;
/// Goals that are looked at for one model, those with products first.
const MAX_GOALS: usize = 60;
/// Bounds that are taken for equations.
const MAX_TIGHT: usize = 20;
/// Lemmas for one model.
const MAX_LEMMAS: usize = 12;

/// A product that is free bits.
pub(crate) struct Product {
    /// The terms that it is the value of, or part of the value.
    pub(crate) terms: Vec<TermId>,
    pub(crate) factors: [Word; 2],
    pub(crate) result: Word,
}

/// All products that are free bits.
#[derive(Default)]
pub(crate) struct Products {
    pub(crate) all: Vec<Product>,
    by_factors: FxHashMap<[Word; 2], usize>,
}

impl Products {
    /// The product of two words that is known already.
    pub(crate) fn get(&mut self, term: TermId, x: &[Lit], y: &[Lit]) -> Option<Word> {
        let &number = self.by_factors.get(&key(x, y))?;
        self.all[number].terms.push(term);
        Some(self.all[number].result.clone())
    }

    /// Adds a product.
    pub(crate) fn add(&mut self, term: TermId, x: Word, y: Word, result: Word) {
        self.by_factors.insert(key(&x, &y), self.all.len());
        self.all.push(Product { terms: vec![term], factors: [x, y], result });
    }

    /// The products in some terms that a model, which has a value for every literal, has wrong.
    pub(crate) fn wrong(
        &self,
        value: impl Fn(Lit) -> bool,
        active: &FxHashSet<TermId>,
    ) -> Vec<usize> {
        let number = |word: &[Lit]| {
            let mut limbs = vec![0u64; word.len().div_ceil(64)];
            for (i, &lit) in word.iter().enumerate() {
                limbs[i / 64] |= u64::from(value(lit)) << (i % 64);
            }
            BitVec::from_limbs(word.len() as u32, limbs)
        };
        let is_wrong = |product: &Product| {
            product.terms.iter().any(|term| active.contains(term))
                && number(&product.factors[0]).mul(&number(&product.factors[1]))
                    != number(&product.result)
        };
        (0..self.all.len()).filter(|&i| is_wrong(&self.all[i])).collect()
    }
}

fn key(x: &[Lit], y: &[Lit]) -> [Word; 2] {
    let (x, y) = if x <= y { (x, y) } else { (y, x) };
    [x.to_vec(), y.to_vec()]
}

/// Returns whether the product of two words is better left as free bits: both have many unknown bits, and are as wide
/// as words of programs are.
pub(crate) fn is_hard(x: &[Lit], y: &[Lit], n_bits: usize) -> bool {
    if x.len() > MAX_WIDTH {
        return false;
    }
    let has_many = |word: &[Lit]| {
        let unknown = word.iter().filter(|lit| lit.as_constant().is_none());
        unknown.map(|lit| lit.node()).collect::<BTreeSet<u32>>().len() >= n_bits
    };
    has_many(x) && has_many(y)
}

/// Valid clauses that a model of some formulas violates. `values` is the model, by node of the graph.
pub(crate) fn lemmas(
    store: &TermStore,
    blaster: &mut Blaster,
    values: &[bool],
    roots: &[TermId],
    wrong: &[usize],
    budget: &Budget,
) -> Vec<Lemma> {
    let products = &blaster.products.all;
    let widths: BTreeSet<u32> = wrong.iter().map(|&i| products[i].result.len() as u32).collect();
    let wrong: Vec<TermId> = wrong.iter().flat_map(|&i| products[i].terms.clone()).collect();
    let reader = Reader::new(store, blaster, values);
    let equations = BTreeMap::new();
    let mut theory = Theory { store, reader, equations, orders: Vec::new(), budget };
    theory.justify(roots);
    let lemmas = theory.lemmas(&widths, &wrong);
    if !lemmas.is_empty() {
        return lemmas;
    }
    theory.take_all(roots);
    theory.lemmas(&widths, &wrong)
}

/// The monomials of a polynomial but for the constant, with their coefficients in digits.
type Shape = Vec<(Vec<Atom>, String)>;

/// The equations and comparisons of words that a model decides.
struct Theory<'a> {
    store: &'a TermStore,
    reader: Reader<'a>,
    /// With what they are in the model.
    equations: BTreeMap<TermId, bool>,
    orders: Vec<TermId>,
    budget: &'a Budget,
}

impl Theory<'_> {
    /// Collects atoms that suffice to make formulas true, and the conditions of the choices in them.
    fn justify(&mut self, roots: &[TermId]) {
        let mut seen = FxHashSet::default();
        let mut pending: Vec<TermId> = roots.to_vec();
        let mut n_conditions = 0;
        loop {
            while let Some(term) = pending.pop() {
                if !seen.insert(term) {
                    continue;
                }
                let Some((_, value)) = self.reader.truth(term) else { continue };
                let args = self.store.args(term);
                match self.store.op(term) {
                    Op::And if value => pending.extend(args),
                    Op::And => {
                        let is_false =
                            |arg: &&TermId| self.reader.truth(**arg).is_some_and(|(_, v)| !v);
                        let known = args.iter().filter(is_false).find(|arg| seen.contains(*arg));
                        if known.is_none() {
                            pending.extend(args.iter().find(is_false));
                        }
                    }
                    Op::Ite => {
                        let taken = self.reader.truth(args[0]).is_none_or(|(_, v)| v);
                        pending.extend([args[0], if taken { args[1] } else { args[2] }]);
                    }
                    Op::Not => pending.push(args[0]),
                    Op::Eq if self.store.sort(args[0]) == Sort::Bool => pending.extend(args),
                    _ => self.take(term, value),
                }
                // What is a word is read, to find the choices in it.
                if matches!(self.store.op(term), Op::Eq | Op::BvUlt | Op::BvSlt) {
                    for &arg in args {
                        if self.reader.is_word(arg) {
                            let _ = self.reader.read(arg);
                        }
                    }
                }
            }
            pending.extend_from_slice(&self.reader.conditions[n_conditions..]);
            n_conditions = self.reader.conditions.len();
            if pending.is_empty() {
                break;
            }
        }
    }

    /// Collects all atoms of formulas.
    fn take_all(&mut self, roots: &[TermId]) {
        for term in self.store.reachable(roots) {
            if let Some((_, value)) = self.reader.truth_of_bool(term) {
                self.take(term, value);
            }
        }
    }

    fn take(&mut self, term: TermId, value: bool) {
        match self.store.op(term) {
            Op::Eq if self.reader.is_word(self.store.arg(term, 0)) => {
                self.equations.insert(term, value);
            }
            Op::BvUlt | Op::BvSlt => self.orders.push(term),
            _ => {}
        }
    }

    fn lemmas(&mut self, widths: &BTreeSet<u32>, wrong: &[TermId]) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        for &width in widths {
            self.lemmas_of_width(width, wrong, &mut lemmas);
        }
        lemmas.truncate(MAX_LEMMAS);
        lemmas
    }

    fn lemmas_of_width(&mut self, width: u32, wrong: &[TermId], lemmas: &mut Vec<Lemma>) {
        let (mut facts, goals) = self.facts_and_goals(width);
        let ideal = Ideal::of(facts.clone());
        lemmas.extend(self.refuted(&ideal, &goals));
        if lemmas.is_empty() {
            self.equal_words(width, &ideal, wrong, lemmas);
        }
        if lemmas.is_empty() {
            let tight = self.tight(width);
            if !tight.is_empty() {
                facts.extend(tight);
                lemmas.extend(self.refuted(&Ideal::of(facts), &goals));
            }
        }
    }

    /// Lemmas against a model in which facts are true and goals false.
    fn refuted(&self, ideal: &Ideal, goals: &[(Reading, Lit)]) -> Vec<Lemma> {
        if let Some(because) = &ideal.contradiction {
            return vec![clause(because, None)];
        }
        let lemma = |(goal, lit): &(Reading, Lit)| {
            if self.budget.interrupted().is_some() {
                return None;
            }
            let reduced = ideal.reduced(goal)?;
            reduced.polynomial.is_zero().then(|| clause(&reduced.because, Some(*lit)))
        };
        goals.iter().filter_map(lemma).collect()
    }

    /// Equations between words that bounds from both sides allow: `y < x` and `x <= y + 1` say that `x = y + 1`, without an
    /// equation anywhere. What the difference is in the model is a fact that depends on its own literal.
    fn tight(&mut self, width: u32) -> Vec<Reading> {
        // By their difference without the constant, up to its sign.
        let mut bounds: BTreeMap<Shape, Vec<(TermId, TermId)>> = BTreeMap::new();
        for order in self.orders.clone() {
            let (a, b) = (self.store.arg(order, 0), self.store.arg(order, 1));
            if self.store.width(a) != width {
                continue;
            }
            let (Some(x), Some(y)) = (self.reader.read(a), self.reader.read(b)) else { continue };
            let Some(difference) = x.polynomial.sub(&y.polynomial) else { continue };
            let key = |p: &Polynomial<Atom>| -> Shape {
                let terms = p.terms().iter().filter(|(monomial, _)| !monomial.is_empty());
                terms.map(|(monomial, c)| (monomial.clone(), c.to_hex())).collect()
            };
            let key = key(&difference).min(key(&difference.negated()));
            let pairs = bounds.entry(key).or_default();
            if !pairs.contains(&(a, b)) {
                pairs.push((a, b));
            }
        }
        let several = bounds.into_values().filter(|pairs| pairs.len() > 1);
        several.flatten().take(MAX_TIGHT).filter_map(|(a, b)| self.tight_pair(a, b)).collect()
    }

    /// Returns the equation that two words differ as they do in the model, if the difference is tiny.
    fn tight_pair(&mut self, a: TermId, b: TermId) -> Option<Reading> {
        let ((x, its_value), (y, other_value)) = (self.reader.word(a)?, self.reader.word(b)?);
        let distance = its_value.sub(&other_value);
        if !(distance.is_zero() || distance.is_one() || distance.is_ones()) {
            return None;
        }
        let is_so = self.reader.differ_by(&x, &y, &distance);
        let (a, b) = (self.reader.read(a)?, self.reader.read(b)?);
        let difference = Reading::difference(&a, &b)?;
        let polynomial = difference.polynomial.sub(&Polynomial::constant(distance))?;
        let because = union(&difference.because, &[is_so]);
        (!polynomial.is_zero()).then_some(Reading { polynomial, because })
    }

    /// The differences of the sides of equations: those that are true in the model with what they depend on, then those that
    /// are false, with their literals.
    fn facts_and_goals(&mut self, width: u32) -> (Vec<Reading>, Vec<(Reading, Lit)>) {
        let (mut facts, mut goals) = (Vec::new(), Vec::new());
        for (&equation, &is_true) in &self.equations {
            let (a, b) = (self.store.arg(equation, 0), self.store.arg(equation, 1));
            if self.store.width(a) != width {
                continue;
            }
            let Some((lit, _)) = self.reader.truth(equation) else { continue };
            let (Some(x), Some(y)) = (self.reader.read(a), self.reader.read(b)) else { continue };
            let Some(mut difference) = Reading::difference(&x, &y) else { continue };
            if is_true && facts.len() < MAX_EQUATIONS {
                difference.because = union(&difference.because, &[lit]);
                facts.push(difference);
            } else if !is_true && goals.len() < MAX_EQUATIONS {
                goals.push((difference, !lit));
            }
        }
        facts.extend(self.reader.axioms(width));
        facts.retain(|fact| !fact.polynomial.is_zero());
        goals.sort_by_key(|(goal, _)| goal.polynomial.degree() < 2);
        goals.truncate(MAX_GOALS);
        (facts, goals)
    }

    /// Lemmas that words are equal which the model has different: products, and what is compared.
    fn equal_words(
        &mut self,
        width: u32,
        ideal: &Ideal,
        wrong: &[TermId],
        lemmas: &mut Vec<Lemma>,
    ) {
        let mut terms: BTreeSet<TermId> = wrong.iter().copied().collect();
        let orders: BTreeSet<TermId> = self.orders.iter().copied().collect();
        terms.extend(orders.iter().flat_map(|&order| self.store.args(order)));
        terms.retain(|&term| self.store.width(term) == width);
        let mut classes: Vec<(TermId, Reading)> = Vec::new();
        for term in terms.into_iter().take(MAX_EQUATIONS) {
            if self.budget.interrupted().is_some() {
                return;
            }
            let Some(reading) = self.reader.read(term) else { continue };
            let Some(reading) = ideal.reduced(&reading) else { continue };
            let Some((word, value)) = self.reader.word(term) else { continue };
            if let Some(constant) = reading.polynomial.as_constant() {
                if constant != value {
                    let constant = crate::blast::word::constant(&constant);
                    let equal = self.reader.equal(&word, &constant);
                    lemmas.push(clause(&reading.because, Some(equal)));
                }
                continue;
            }
            let same = |(_, other): &&(TermId, Reading)| other.polynomial == reading.polynomial;
            match classes.iter().find(same) {
                Some((other, why)) => {
                    let because = union(&reading.because, &why.because);
                    if let Some((other, its_value)) = self.reader.word(*other)
                        && its_value != value
                    {
                        let equal = self.reader.equal(&word, &other);
                        lemmas.push(clause(&because, Some(equal)));
                    }
                }
                None => classes.push((term, reading)),
            }
        }
    }
}

/// The clause that something is true where literals are.
fn clause(because: &[Lit], then: Option<Lit>) -> Lemma {
    let clause = because.iter().map(|&lit| !lit).chain(then).collect();
    Lemma { clause, terms: Vec::new() }
}
