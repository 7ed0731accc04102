//! Operations on floats by lemmas on demand.
//!
//! **Idea.** The circuits of products, quotients and roots of floats are what makes formulas of programs with floats hard, and
//! most questions about such programs need no exact digits: a polynomial stays in its range because its terms do. So the result
//! of such an operation is free at first. When the solver proposes values for all bits and a result is not what its operands
//! say, one box is enough to refute it: rounding is monotone, so operands below bounds give a result that is not above the
//! result at the bounds. The bounds are taken as far away as the refutation allows, and at round numbers, so that lemmas
//! speak of few different bounds, the search splits ranges where it has to, and conflicts do the rest.
//!
//! **Source.** Intervals inside of conflict-driven search: Haller, Griggio, Brain, Kroening, "Deciding floating-point logic
//! with systematic abstraction", FMCAD 2012; Brain, D'Silva, Griggio, Haller, Kroening, "Deciding floating-point logic with
//! abstract conflict driven clause learning", FMSD 45, 2014, doi 10.1007/s10703-013-0203-7. There intervals are the states of the
//! search; here they are clauses that a solver of bits learns, as in [`crate::products`].
//!
//! **Ends.** The inputs of a proposed model may satisfy the formula although the results in it are wrong: then they are the model
//! ([`Solver`](crate::solver::Solver) tries). What is still wrong after many rounds gets its circuit, for the rest of the question.
//!
//! **Soundness.** Signs, NaNs, and what infinities and zeros give are exact from the beginning. A lemma is a property of rounding
//! to nearest, which is monotone: if `|x| < a` and `|y| < b` then `|x y|` is at most the product of the largest floats below `a`
//! and `b`, as rounded. Tests compare lemmas with the operation on all values of small formats.
//!
//! **Tried and dropped.** Sums in the same way, ordered with their signs, and products with a constant: their circuits are small,
//! and proofs about filters and limiters took ten times as long with lemmas.

use crate::arrays::Lemma;
use crate::blast::float::Unpacked;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_sat::{Aig, Lit};
use vergo_term::TermId;

/// The rounding mode of results: the only one in which they are free.
pub(crate) const MODE: RoundingMode = RoundingMode::NearestEven;

/// An operation whose result may be free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Product,
    Quotient,
    Root,
}

impl Kind {
    /// The result for values.
    fn apply(self, operands: &[Float]) -> Float {
        match self {
            Kind::Product => operands[0].mul(MODE, &operands[1]),
            Kind::Quotient => operands[0].div(MODE, &operands[1]),
            Kind::Root => operands[0].sqrt(MODE),
        }
    }

    /// Returns whether the result grows with an operand.
    fn grows_with(self, operand: usize) -> bool {
        self != Kind::Quotient || operand == 0
    }
}

/// An operation whose result is free.
pub(crate) struct Operation {
    term: TermId,
    kind: Kind,
    operands: Vec<Unpacked>,
    result: Unpacked,
}

/// All operations whose results are free.
#[derive(Default)]
pub(crate) struct Operations {
    all: Vec<Operation>,
    /// The lemmas about new ones.
    pending: Vec<Lemma>,
    n_lemmas: u64,
}

impl Operations {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The lemmas that were needed.
    pub(crate) fn n_lemmas(&self) -> u64 {
        self.n_lemmas
    }

    /// Returns the lemmas about the operations that were added since the last call.
    pub(crate) fn take_pending(&mut self) -> Vec<Lemma> {
        std::mem::take(&mut self.pending)
    }

    /// Adds an operation. The exponent and the significand of its result are free bits, as are those of its flags that are
    /// not decided by those of the operands.
    pub(crate) fn add(
        &mut self,
        aig: &mut Aig,
        term: TermId,
        kind: Kind,
        operands: Vec<Unpacked>,
        free: Unpacked,
    ) -> Unpacked {
        let result = with_flags(aig, kind, &operands, free);
        let mut facts = representable(aig, &result);
        facts.extend(specials(aig, kind, &operands, &result));
        facts.extend(comparisons(aig, kind, &operands, &result));
        self.pending.extend(facts.into_iter().map(fact));
        self.all.push(Operation { term, kind, operands, result: result.clone() });
        result
    }

    /// The operations in some terms whose results a model has wrong.
    pub(crate) fn wrong(
        &self,
        value: &dyn Fn(Lit) -> bool,
        terms: &FxHashSet<TermId>,
    ) -> Vec<usize> {
        let is_wrong = |operation: &Operation| {
            let operands: Vec<Float> = operation.operands.iter().map(|x| x.value(value)).collect();
            !is_same(&operation.result.value(value), &operation.kind.apply(&operands))
        };
        let counts = |operation: &Operation| terms.contains(&operation.term) && is_wrong(operation);
        (0..self.all.len()).filter(|&i| counts(&self.all[i])).collect()
    }

    /// A valid clause that a model violates which has an operation wrong.
    pub(crate) fn lemma(
        &mut self,
        aig: &mut Aig,
        number: usize,
        value: &dyn Fn(Lit) -> bool,
    ) -> Option<Lemma> {
        let Operation { kind, operands, result, .. } = &self.all[number];
        let values: Vec<Float> = operands.iter().map(|x| x.value(value).abs()).collect();
        let proposed = result.value(value).abs();
        let bounds = refutation(*kind, &values, &proposed)?;
        let mut clause = vec![result.nan];
        for (bound, operand) in bounds.operands.iter().zip(operands) {
            clause.extend(bound.as_ref().map(|bound| !bound.literal(aig, &operand.abs())));
        }
        clause.push(bounds.result.literal(aig, &result.abs()));
        self.n_lemmas += 1;
        Some(Lemma { clause, terms: Vec::new() })
    }

    /// An operation, for who makes its circuit: its kind, its operands and its result.
    pub(crate) fn parts(&self, number: usize) -> (Kind, Vec<Unpacked>, Unpacked) {
        let Operation { kind, operands, result, .. } = &self.all[number];
        (*kind, operands.clone(), result.clone())
    }
}

fn fact(holds: Lit) -> Lemma {
    Lemma { clause: vec![holds], terms: Vec::new() }
}

/// Returns whether two floats are the same value, all NaNs being one.
fn is_same(a: &Float, b: &Float) -> bool {
    a.is_nan() && b.is_nan() || a.bits() == b.bits()
}

/// The flags of a result that those of the operands decide, in place of free ones.
fn with_flags(aig: &mut Aig, kind: Kind, operands: &[Unpacked], free: Unpacked) -> Unpacked {
    let x = &operands[0];
    let y = operands.get(1).unwrap_or(x);
    let (nan, sign) = match kind {
        Kind::Product | Kind::Quotient => {
            let invalid = if kind == Kind::Product {
                let (one, other) = (aig.and(x.zero, y.infinite), aig.and(x.infinite, y.zero));
                aig.or(one, other)
            } else {
                let (one, other) = (aig.and(x.zero, y.zero), aig.and(x.infinite, y.infinite));
                aig.or(one, other)
            };
            (aig.or_all(&[x.nan, y.nan, invalid]), aig.xor(x.sign, y.sign))
        }
        Kind::Root => {
            let negative = aig.and(x.sign, !x.zero);
            (aig.or(x.nan, negative), x.sign)
        }
    };
    Unpacked { nan, sign, ..free }
}

/// Builds the conditions that the fields of a result are those of a float.
fn representable(aig: &mut Aig, result: &Unpacked) -> Vec<Lit> {
    let twice = [
        aig.and(result.nan, result.infinite),
        aig.and(result.nan, result.zero),
        aig.and(result.infinite, result.zero),
    ];
    let mut facts: Vec<Lit> = twice.iter().map(|&lit| !lit).collect();
    let ordinary = result.ordinary(aig);
    let fits = result.fits(aig);
    facts.push(!aig.and(ordinary, !fits));
    facts
}

/// Builds the results of infinite operands and zeros.
fn specials(aig: &mut Aig, kind: Kind, operands: &[Unpacked], result: &Unpacked) -> Vec<Lit> {
    let x = &operands[0];
    let y = operands.get(1).unwrap_or(x);
    let mut facts = Vec::new();
    let mut implies = |aig: &mut Aig, when: Lit, then: Lit| {
        facts.push(!aig.and_all(&[when, !result.nan, !then]));
    };
    match kind {
        Kind::Product => {
            for operand in [x, y] {
                implies(aig, operand.infinite, result.infinite);
                implies(aig, operand.zero, result.zero);
            }
        }
        Kind::Quotient => {
            implies(aig, x.infinite, result.infinite);
            implies(aig, y.zero, result.infinite);
            implies(aig, x.zero, result.zero);
            implies(aig, y.infinite, result.zero);
        }
        Kind::Root => {
            let (infinite, zero) =
                (aig.iff(x.infinite, result.infinite), aig.iff(x.zero, result.zero));
            implies(aig, Lit::TRUE, infinite);
            implies(aig, Lit::TRUE, zero);
        }
    }
    facts
}

/// Builds the comparisons of a result with an operand, by whether the other operand is above or below one.
fn comparisons(aig: &mut Aig, kind: Kind, operands: &[Unpacked], result: &Unpacked) -> Vec<Lit> {
    let one = Unpacked::constant(&Float::one(result.format));
    let magnitudes: Vec<Unpacked> = operands.iter().map(Unpacked::abs).collect();
    let magnitude = result.abs();
    // Which operand is compared with one, which one with the result, and whether the result grows with the first.
    let pairs: &[(usize, usize, bool)] = match kind {
        Kind::Product => &[(0, 1, true), (1, 0, true)],
        Kind::Quotient => &[(1, 0, false)],
        Kind::Root => &[(0, 0, false)],
    };
    let mut facts = Vec::new();
    for &(other, same, grows) in pairs {
        let above = Unpacked::less(aig, &one, &magnitudes[other]);
        let below = Unpacked::less(aig, &magnitudes[other], &one);
        let more = Unpacked::less(aig, &magnitudes[same], &magnitude);
        let less = Unpacked::less(aig, &magnitude, &magnitudes[same]);
        let (if_more, if_less) = if grows { (above, below) } else { (below, above) };
        // Neither is more without cause nor less.
        facts.push(!aig.and_all(&[more, !if_more, !result.nan]));
        facts.push(!aig.and_all(&[less, !if_less, !result.nan]));
    }
    facts
}

/// A bound of a magnitude.
#[derive(Clone, PartialEq, Debug)]
enum Bound {
    Below(Float),
    NotBelow(Float),
}

impl Bound {
    /// Builds the condition that a value is within the bound; NaN is not within a bound from above.
    fn literal(&self, aig: &mut Aig, value: &Unpacked) -> Lit {
        let (Bound::Below(bound) | Bound::NotBelow(bound)) = self;
        let below = Unpacked::less(aig, value, &Unpacked::constant(bound));
        match self {
            Bound::Below(_) => below,
            Bound::NotBelow(_) => !below,
        }
    }
}

/// Bounds of operands that give one of the result; no bound if any value will do.
#[derive(Debug)]
struct Region {
    operands: Vec<Option<Bound>>,
    result: Bound,
}

/// A box around operands in which the proposed result is wrong, as large as can be found quickly. All values are magnitudes.
fn refutation(kind: Kind, operands: &[Float], proposed: &Float) -> Option<Region> {
    let right = kind.apply(operands);
    if operands.iter().any(Float::is_nan) || right.is_nan() || proposed.is_nan() {
        return None;
    }
    let too_large = match proposed.compare(&right)? {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => return None,
    };
    let width = proposed.format().width();
    let sides: Vec<Side> = operands
        .iter()
        .enumerate()
        .map(|(i, value)| Side { at: key(value), goes_up: too_large == kind.grows_with(i) })
        .collect();
    let range = Range::of(proposed.format());
    // What the result is at the farthest corner of a box, if that still contradicts what is proposed.
    let corner = |distances: &[u32]| -> Option<Float> {
        let ends: Vec<Float> = sides
            .iter()
            .zip(distances)
            .map(|(side, &distance)| range.float(side.end(distance, &range)))
            .collect();
        let result = kind.apply(&ends);
        let refutes = match proposed.compare(&result)? {
            Ordering::Greater => too_large,
            Ordering::Less => !too_large,
            Ordering::Equal => false,
        };
        refutes.then_some(result)
    };
    let mut distances = vec![0; sides.len()];
    let farthest = |try_at: &mut dyn FnMut(u32) -> bool, from: u32| {
        // The largest that still refutes: larger boxes refute less.
        let (mut low, mut high) = (from, width);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if try_at(middle) { low = middle } else { high = middle - 1 }
        }
        low
    };
    let n_sides = sides.len();
    let all = farthest(&mut |d| corner(&vec![d; n_sides]).is_some(), 0);
    distances.fill(all);
    for i in 0..n_sides {
        let mut trial = distances.clone();
        distances[i] = farthest(
            &mut |d| {
                trial[i] = d;
                corner(&trial).is_some()
            },
            all,
        );
    }
    let result = corner(&distances)?;
    let bounds = sides.iter().zip(&distances).map(|(side, &d)| side.bound(d, &range)).collect();
    let (proposed, result) = (key(proposed), key(&result));
    let result = if too_large {
        Bound::Below(range.float(roundest(result + 1, proposed)))
    } else {
        Bound::NotBelow(range.float(roundest(proposed + 1, result)))
    };
    Some(Region { operands: bounds, result })
}

/// The magnitudes of a format as numbers in their order.
struct Range {
    format: FloatFormat,
    infinity: i128,
}

impl Range {
    fn of(format: FloatFormat) -> Range {
        Range { format, infinity: key(&Float::infinity(format, false)) }
    }

    /// The float that a number stands for.
    fn float(&self, key: i128) -> Float {
        Float::from_bits(self.format, BitVec::from_u128(self.format.width(), key.unsigned_abs()))
    }
}

/// The number of a magnitude: its encoding.
fn key(magnitude: &Float) -> i128 {
    magnitude.bits().to_u128().unwrap_or(0) as i128
}

/// A side of a box: where it is at least, and where it may be moved to.
struct Side {
    at: i128,
    goes_up: bool,
}

impl Side {
    /// The bound as a number, if there is one: a box goes to just below it, or begins there.
    fn moved(&self, distance: u32, range: &Range) -> Option<i128> {
        let far = 1i128 << distance.min(120);
        if self.goes_up {
            let most = self.at + far;
            (most <= range.infinity).then(|| roundest(self.at + 1, most))
        } else {
            let least = self.at - (far - 1);
            (least > 0).then(|| roundest(least, self.at))
        }
    }

    /// The last value of the box.
    fn end(&self, distance: u32, range: &Range) -> i128 {
        match self.moved(distance, range) {
            Some(bound) if self.goes_up => bound - 1,
            Some(bound) => bound,
            None if self.goes_up => range.infinity,
            None => 0,
        }
    }

    fn bound(&self, distance: u32, range: &Range) -> Option<Bound> {
        let bound = range.float(self.moved(distance, range)?);
        Some(if self.goes_up { Bound::Below(bound) } else { Bound::NotBelow(bound) })
    }
}

/// The number between two, both included, that has the most zeros at its end.
fn roundest(low: i128, high: i128) -> i128 {
    let mut best = high;
    for zeros in 1..126 {
        let rounded = high >> zeros << zeros;
        if rounded < low {
            break;
        }
        best = rounded;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Solver, SolverOptions};
    use vergo_term::{Op, Sort, TermStore};

    const KINDS: [Kind; 3] = [Kind::Product, Kind::Quotient, Kind::Root];

    fn formats() -> [FloatFormat; 2] {
        [FloatFormat::ieee(2, 3), FloatFormat::ieee(3, 3)]
    }

    fn values(format: FloatFormat) -> Vec<Float> {
        let bits = (0..1u128 << format.width()).map(|n| BitVec::from_u128(format.width(), n));
        let mut values: Vec<Float> = bits.map(|bits| Float::from_bits(format, bits)).collect();
        values.dedup_by(|a, b| a.is_nan() && b.is_nan());
        values
    }

    fn operands(kind: Kind, all: &[Float]) -> Vec<Vec<Float>> {
        match kind {
            Kind::Root => all.iter().map(|x| vec![x.clone()]).collect(),
            _ => all.iter().flat_map(|x| all.iter().map(|y| vec![x.clone(), y.clone()])).collect(),
        }
    }

    fn within(bound: &Bound, value: i128) -> bool {
        match bound {
            Bound::Below(bound) => value < key(bound),
            Bound::NotBelow(bound) => value >= key(bound),
        }
    }

    #[test]
    fn what_holds_from_the_beginning_holds() {
        for format in formats() {
            let all = values(format);
            for kind in KINDS {
                for operands in operands(kind, &all) {
                    let right = kind.apply(&operands);
                    let mut aig = Aig::new();
                    let constants: Vec<Unpacked> =
                        operands.iter().map(Unpacked::constant).collect();
                    let free = Unpacked { nan: Lit::FALSE, ..Unpacked::constant(&right) };
                    let result = with_flags(&mut aig, kind, &constants, free);
                    assert_eq!(result.nan, Lit::constant(right.is_nan()), "{kind:?} {operands:?}");
                    if !right.is_nan() {
                        let sign = Lit::constant(right.is_sign_negative());
                        assert_eq!(result.sign, sign, "{kind:?} {operands:?}");
                    }
                    let mut facts = representable(&mut aig, &result);
                    facts.extend(specials(&mut aig, kind, &constants, &result));
                    facts.extend(comparisons(&mut aig, kind, &constants, &result));
                    assert!(facts.iter().all(|&fact| fact == Lit::TRUE), "{kind:?} {operands:?}");
                }
            }
        }
    }

    /// Every lemma excludes the model that it is against, and holds for all operands.
    #[test]
    fn lemmas_hold() {
        for format in formats() {
            let all = values(format);
            for kind in KINDS {
                let keys_of = |values: &[Float]| -> Vec<i128> {
                    values.iter().map(|value| key(&value.abs())).collect()
                };
                // Operands that give a number, and the number.
                let mut known = Vec::new();
                for operands in operands(kind, &all) {
                    let result = kind.apply(&operands);
                    if !result.is_nan() {
                        known.push((keys_of(&operands), keys_of(&[result])[0], operands));
                    }
                }
                // All of them take minutes; different ones of each kind do.
                let some = known.iter().step_by(known.len() / 40 + 1);
                for ((keys, _, at), proposed) in
                    some.flat_map(|at| all.iter().map(move |proposed| (at, proposed)))
                {
                    let at: Vec<Float> = at.iter().map(|value| value.abs()).collect();
                    let proposed = proposed.abs();
                    let Some(region) = refutation(kind, &at, &proposed) else { continue };
                    let contains = |keys: &[i128]| {
                        let mut sides = region.operands.iter().zip(keys);
                        sides.all(|(bound, &key)| bound.as_ref().is_none_or(|b| within(b, key)))
                    };
                    assert!(contains(keys), "{kind:?} {at:?} {region:?}");
                    assert!(!within(&region.result, key(&proposed)), "{kind:?} {at:?} {region:?}");
                    for (keys, result, _) in &known {
                        let holds = !contains(keys) || within(&region.result, *result);
                        assert!(holds, "{kind:?} {at:?} {proposed:?} {region:?} {keys:?}");
                    }
                }
            }
        }
    }

    /// `op(x, y) = c` has a solution with free results exactly if it has one, and with proofs that are replayed.
    #[test]
    fn equations_have_the_solutions_that_they_have() {
        let format = FloatFormat::ieee(3, 3);
        let (all, limit) = (values(format), Float::from_f64(3.0).convert(format, MODE));
        for (op, kind) in
            [(Op::FpMul, Kind::Product), (Op::FpDiv, Kind::Quotient), (Op::FpSqrt, Kind::Root)]
        {
            for (number, constant) in all.iter().enumerate().filter(|(_, c)| !c.is_nan()) {
                let mut store = TermStore::new();
                let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Float(format)));
                let mode = store.rm_const(MODE);
                let limit_term = store.fp_const(limit.clone());
                let constant_term = store.fp_const(constant.clone());
                let below = store.fp_lt(y, limit_term);
                let result = match kind {
                    Kind::Root => store.app(op, Sort::Float(format), &[mode, x]),
                    _ => store.app(op, Sort::Float(format), &[mode, x, y]),
                };
                let equal = store.eq(result, constant_term);
                let mut options = if number % 2 == 0 {
                    SolverOptions::replayed()
                } else {
                    SolverOptions::default()
                };
                options.blast.float_bits = 1;
                let mut solver = Solver::new(options);
                solver.assert(below);
                solver.assert(equal);
                let expected = operands(kind, &all).iter().any(|operands| {
                    let is_below = operands.get(1).is_none_or(|y| y.lt(&limit));
                    is_below && is_same(&kind.apply(operands), constant)
                });
                let answer = solver.check(&store, &[], &vergo_sat::Budget::unlimited());
                let wanted = if expected { Answer::Sat } else { Answer::Unsat };
                assert_eq!(answer, wanted, "{kind:?} {constant:?}");
                if expected {
                    assert!(solver.false_under_model(&store).is_empty());
                } else if number % 2 == 0 {
                    assert!(solver.check_proof().is_ok());
                }
            }
        }
    }
}
