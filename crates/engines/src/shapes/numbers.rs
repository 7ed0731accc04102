//! What relates the numbers of two states that become one.
//!
//! Equations that hold in both are found by elimination (Karr, "Affine relationships among variables of a program", Acta
//! Informatica 1976, doi 10.1007/BF00268497), multiples by common divisors. Inequalities are guessed: those that the older state
//! has, and that one number is smaller than another, not greater, or greater by one at most. What both states say is kept.

use vergo_evidence::shapes::graph::{Class, Known, State, UnknownId, Value};
use vergo_evidence::shapes::linear::{Linear, gcd};

/// Of more numbers than this not all pairs are compared.
const MOST_COMPARED: usize = 14;

/// An unknown of the joined state, and what it is in both.
pub(super) struct Pair {
    pub(super) id: UnknownId,
    pub(super) before: Linear,
    pub(super) after: Linear,
}

/// Adds what relates numbers to the joined state.
pub(super) fn relate(joined: &mut State, (old, new): (&State, &State), pairs: &[Pair]) {
    if pairs.len() < 2 && pairs.iter().all(|pair| step(pair) < 2) {
        return;
    }
    let mut facts = Vec::new();
    let mut free = Vec::new();
    let mut order: Vec<&Pair> = pairs.iter().collect();
    // Sums of many, and multiples, are said by others.
    order.sort_by_key(|pair| {
        let terms = pair.before.terms().iter().chain(pair.after.terms());
        (terms.map(|term| term.1.abs()).max().unwrap_or(0), pair.id)
    });
    let mut rows = Rows::default();
    for pair in order {
        match rows.add(pair) {
            Some((form, 1)) => {
                facts.extend(joined.bound_facts(pair.id));
                joined.set_form(pair.id, &form);
            }
            Some((form, factor)) => {
                let rest = Linear::unknown(pair.id).times(factor).and_then(|sum| sum.plus(&form, -1));
                facts.extend(rest.as_ref().and_then(|rest| rest.times(-1)));
                facts.extend(rest);
            }
            None => free.push(base(joined, &mut facts, pair)),
        }
    }
    let free: Vec<Pair> = free.into_iter().flatten().collect();
    // Those of the newer state would change again and again.
    for fact in &old.relations.facts {
        if let Some(fact) = rewritten(fact, &free)
            && image(&fact, &free).is_some_and(|image| new.entails(&image))
        {
            facts.push(fact);
        }
    }
    for (i, x) in free.iter().enumerate().take(MOST_COMPARED) {
        for y in free[..i].iter() {
            for (x, y) in [(x, y), (y, x)] {
                facts.extend(compared((old, new), x, y));
            }
        }
    }
    joined.set_facts(facts);
}

/// The greatest number of which a number and its changes are multiples, but for a constant.
fn step(pair: &Pair) -> i128 {
    let both = gcd(pair.before.divisor(), pair.after.divisor());
    gcd(both, pair.before.offset() - pair.after.offset())
}

/// A number that others are said by: itself, or what it is a multiple of.
fn base(joined: &mut State, facts: &mut Vec<Linear>, pair: &Pair) -> Option<Pair> {
    let step = step(pair);
    if step < 2 {
        let (before, after) = (pair.before.clone(), pair.after.clone());
        return Some(Pair { id: pair.id, before, after });
    }
    let rest = pair.before.offset().rem_euclid(step);
    let part = |sum: &Linear| sum.more(-rest)?.divided(step);
    let (before, after) = (part(&pair.before)?, part(&pair.after)?);
    let known = Known { class: Class::Other, range: None, signed: true };
    let Value::Unknown(id) = joined.unknown(known) else { return None };
    let whole = Linear::unknown(id).times(step)?.more(rest)?;
    facts.extend(joined.bound_facts(pair.id));
    joined.set_form(pair.id, &whole);
    Some(Pair { id, before, after })
}

/// The strongest order of two numbers that both states have.
fn compared((old, new): (&State, &State), x: &Pair, y: &Pair) -> Option<Linear> {
    let before = y.before.plus(&x.before, -1)?;
    let after = y.after.plus(&x.after, -1)?;
    [-1, 0, 1].into_iter().find_map(|by| {
        let holds = old.entails(&before.more(by)?) && new.entails(&after.more(by)?);
        let fact = Linear::unknown(y.id).plus(&Linear::unknown(x.id), -1)?.more(by)?;
        holds.then_some(fact)
    })
}

/// A fact of the older state, said of joined numbers.
fn rewritten(fact: &Linear, free: &[Pair]) -> Option<Linear> {
    let mut sum = Linear::constant(fact.offset());
    for &(id, factor) in fact.terms() {
        let found = free.iter().find_map(|pair| match *pair.before.terms() {
            [(other, sign)] if other == id && sign.abs() == 1 => {
                // `pair = sign * id + rest`, so `id = sign * (pair - rest)`.
                Linear::unknown(pair.id).more(-pair.before.offset())?.times(sign)
            }
            _ => None,
        });
        sum = sum.plus(&found?, factor)?;
    }
    Some(sum)
}

/// A sum of joined numbers, in the newer state.
fn image(sum: &Linear, free: &[Pair]) -> Option<Linear> {
    let mut image = Linear::constant(sum.offset());
    for &(id, factor) in sum.terms() {
        let pair = free.iter().find(|pair| pair.id == id)?;
        image = image.plus(&pair.after, factor)?;
    }
    Some(image)
}

/// Numbers that are no sums of each other, with their coefficients in both states.
#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
}

/// A combination of numbers, and what it is in both states.
#[derive(Clone)]
struct Row {
    of: Linear,
    /// A multiple of the combination; each of the two sums is of unknowns of its own state.
    values: [Linear; 2],
    /// Where it is not zero: the state, and the unknown or the constant.
    pivot: (usize, Option<UnknownId>),
}

impl Row {
    fn at(&self, (state, id): (usize, Option<UnknownId>)) -> i128 {
        match id {
            Some(id) => self.values[state].coefficient(id),
            None => self.values[state].offset(),
        }
    }

    /// This combination times a number, minus another one times a number, in lowest terms.
    fn minus(&self, times: i128, other: &Row, factor: i128) -> Option<Row> {
        let combine = |x: &Linear, y: &Linear| x.times(times)?.plus(y, -factor);
        let of = combine(&self.of, &other.of)?;
        let values = [0, 1].map(|i| combine(&self.values[i], &other.values[i]));
        let [Some(before), Some(after)] = values else { return None };
        let all = [&of, &before, &after];
        let divisor = all.into_iter().fold(0, |d, sum| gcd(gcd(d, sum.divisor()), sum.offset()));
        let lowest = |sum: &Linear| sum.divided(divisor.max(1));
        Some(Row {
            of: lowest(&of)?,
            values: [lowest(&before)?, lowest(&after)?],
            pivot: self.pivot,
        })
    }
}

impl Rows {
    /// Adds a number. If it is a sum of earlier ones, returns that sum and the factor with which it is meant.
    fn add(&mut self, pair: &Pair) -> Option<(Linear, i128)> {
        if self.rows.is_empty() {
            // The constant.
            let one = Linear::constant(1);
            let (of, values) = (one.clone(), [one.clone(), one]);
            self.rows.push(Row { of, values, pivot: (0, None) });
        }
        let values = [pair.before.clone(), pair.after.clone()];
        let mut row = Row { of: Linear::unknown(pair.id), values, pivot: (0, None) };
        for other in &self.rows {
            let factor = row.at(other.pivot);
            if factor != 0 {
                row = row.minus(other.at(other.pivot), other, factor)?;
            }
        }
        let pivot = [0, 1].into_iter().find_map(|state| {
            let sum = &row.values[state];
            let unknown = sum.terms().first().map(|term| (state, Some(term.0)));
            unknown.or((sum.offset() != 0).then_some((state, None)))
        });
        match pivot {
            Some(pivot) => {
                self.rows.push(Row { pivot, ..row });
                None
            }
            None => {
                // `factor * number + rest` is zero.
                let factor = row.of.coefficient(pair.id);
                let rest = row.of.plus(&Linear::unknown(pair.id), -factor)?;
                let sign = if factor < 0 { 1 } else { -1 };
                Some((rest.times(sign)?, factor.abs()))
            }
        }
    }
}
