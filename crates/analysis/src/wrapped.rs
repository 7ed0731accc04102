//! Wrapped intervals: intervals on the circle of machine words, which have no largest element to fall off.
//!
//! **Source.** Gange, Navas, Schachte, Søndergaard and Stuckey, "Interval analysis and machine arithmetic", TOPLAS 2015, doi
//! 10.1145/2651360; the wrapped domain of section 4.3 of the thesis.
//!
//! An element goes from a first word upward, with wrap-around, to a last one; signs are read only where an operation asks. Sums
//! and differences are exact. Whatever depends on the sign is done on the one or two plain [`Interval`]s that an element is
//! in that reading, and the results are joined by the shorter way round.

use crate::interval::{Interval, Truth, Word};
use crate::number::Number;
use std::fmt;
use vergo_goto::expr::{BinaryOp, UnaryOp};

/// The words from a first one, upward with wrap-around, so many of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wrapped {
    /// The first word, without sign.
    first: u64,
    /// The number of further elements: all words, if this is the greatest word.
    more: u64,
}

fn mask(word: Word) -> u64 {
    u64::MAX >> (64 - word.width)
}

impl Wrapped {
    fn new(word: Word, first: u64, more: u64) -> Wrapped {
        let mask = mask(word);
        if more >= mask {
            Wrapped { first: 0, more: mask }
        } else {
            Wrapped { first: first & mask, more }
        }
    }

    /// The elements of a plain interval of the word.
    pub fn of(word: Word, plain: Interval) -> Wrapped {
        let more = u64::try_from(plain.high - plain.low).unwrap_or(u64::MAX);
        Wrapped::new(word, plain.low as u64, more)
    }

    fn has(self, word: Word, bits: u64) -> bool {
        bits.wrapping_sub(self.first) & mask(word) <= self.more
    }

    /// Returns whether all elements are elements of another.
    pub fn is_within(self, word: Word, other: Wrapped) -> bool {
        let start = self.first.wrapping_sub(other.first) & mask(word);
        other.more == mask(word) || start <= other.more && self.more <= other.more - start
    }

    /// The plain intervals that it is, as the word reads values: one or two.
    fn pieces(self, word: Word) -> impl Iterator<Item = Interval> {
        let all = word.all();
        let value = |bits: u64| {
            let bits = i128::from(bits);
            if bits > all.high { bits - (1 << word.width) } else { bits }
        };
        let (low, more) = (value(self.first), i128::from(self.more));
        let [first, second] = match low + more > all.high {
            _ if self.more == mask(word) => [Some(all), None],
            false => [Some(Interval { low, high: low + more }), None],
            true => [
                Some(Interval { low, high: all.high }),
                Some(Interval { low: all.low, high: low + more - (1 << word.width) }),
            ],
        };
        first.into_iter().chain(second)
    }

    /// The shorter of the two ways to have both.
    fn hull_of(self, word: Word, other: Wrapped) -> Wrapped {
        if self.is_within(word, other) {
            return other;
        }
        if other.is_within(word, self) {
            return self;
        }
        let mask = mask(word);
        let last = |x: Wrapped| x.first.wrapping_add(x.more) & mask;
        let length = |from: Wrapped, to: Wrapped| last(to).wrapping_sub(from.first) & mask;
        let (a, b) = (length(self, other), length(other, self));
        // Each way has to have both all round; where the other begins inside, the way goes round once.
        let whole = |from: Wrapped, to: Wrapped, more: u64| {
            let way = Wrapped::new(word, from.first, more);
            from.is_within(word, way) && to.is_within(word, way)
        };
        match (whole(self, other, a), whole(other, self, b)) {
            (true, true) if a <= b => Wrapped::new(word, self.first, a),
            (_, true) => Wrapped::new(word, other.first, b),
            (true, false) => Wrapped::new(word, self.first, a),
            (false, false) => Wrapped::all(word),
        }
    }

    fn joined(word: Word, pieces: impl Iterator<Item = Interval>) -> Option<Wrapped> {
        let pieces = pieces.map(|piece| Wrapped::of(word, piece));
        pieces.reduce(|a, b| a.hull_of(word, b))
    }
}

impl Number for Wrapped {
    fn all(word: Word) -> Wrapped {
        Wrapped { first: 0, more: mask(word) }
    }

    fn constant(word: Word, value: i128) -> Wrapped {
        Wrapped { first: value as u64 & mask(word), more: 0 }
    }

    fn contains(self, word: Word, value: i128) -> bool {
        self.has(word, value as u64)
    }

    fn hull(self, word: Word) -> Interval {
        self.pieces(word).reduce(Interval::join).unwrap_or(word.all())
    }

    fn join(self, word: Word, other: Wrapped) -> Wrapped {
        self.hull_of(word, other)
    }

    fn meet(self, word: Word, other: Wrapped) -> Option<Wrapped> {
        if self.is_within(word, other) {
            return Some(self);
        }
        if other.is_within(word, self) {
            return Some(other);
        }
        let mask = mask(word);
        let (a, b) = (self.has(word, other.first), other.has(word, self.first));
        match (a, b) {
            (false, false) => None,
            // They meet at both ends: the shorter one has all that is common.
            (true, true) => Some(if self.more <= other.more { self } else { other }),
            (true, false) => {
                let more = self.more - (other.first.wrapping_sub(self.first) & mask);
                Some(Wrapped::new(word, other.first, more))
            }
            (false, true) => {
                let more = other.more - (self.first.wrapping_sub(other.first) & mask);
                Some(Wrapped::new(word, self.first, more))
            }
        }
    }

    fn widen(self, word: Word, newer: Wrapped, thresholds: &[i128]) -> Wrapped {
        let both = self.hull_of(word, newer);
        if both == self {
            return self;
        }
        let mut old = self.pieces(word);
        let mut new = both.pieces(word);
        match (old.next(), old.next(), new.next(), new.next()) {
            (Some(old), None, Some(new), None) => {
                Wrapped::of(word, old.widen(new, thresholds, word.all()))
            }
            _ => Wrapped::all(word),
        }
    }

    fn unary(op: UnaryOp, word: Word, x: Wrapped) -> Wrapped {
        let last = x.first.wrapping_add(x.more);
        match op {
            UnaryOp::Neg => Wrapped::new(word, last.wrapping_neg(), x.more),
            UnaryOp::BitNot => Wrapped::new(word, !last, x.more),
            UnaryOp::Not => Wrapped::of_truth(x.truth().negated()),
            _ => {
                let results = x.pieces(word).map(|piece| Interval::unary(op, word, piece));
                Wrapped::joined(word, results).unwrap_or(Wrapped::all(word))
            }
        }
    }

    fn binary(
        op: BinaryOp,
        word: Word,
        left: Word,
        right: Word,
        x: Wrapped,
        y: Wrapped,
    ) -> Wrapped {
        let more = x.more.saturating_add(y.more);
        match op {
            BinaryOp::Add => Wrapped::new(word, x.first.wrapping_add(y.first), more),
            BinaryOp::Sub => {
                let last = y.first.wrapping_add(y.more);
                Wrapped::new(word, x.first.wrapping_sub(last), more)
            }
            BinaryOp::Eq | BinaryOp::Ne if x.meet(left, y).is_none() => {
                Wrapped::of_truth(if op == BinaryOp::Eq { Truth::False } else { Truth::True })
            }
            _ => {
                let ys: Vec<Interval> = y.pieces(right).collect();
                let results = x.pieces(left).flat_map(|x| {
                    let ys = ys.clone();
                    ys.into_iter().map(move |y| Interval::binary(op, word, left, right, x, y))
                });
                Wrapped::joined(word, results).unwrap_or(Wrapped::all(word))
            }
        }
    }

    fn convert(self, from: Word, to: Word) -> Wrapped {
        if to.width <= from.width {
            // The words in between are those in between, until they go all the way round.
            return Wrapped::new(to, self.first, self.more);
        }
        Wrapped::joined(to, self.pieces(from)).unwrap_or(Wrapped::all(to))
    }

    fn compared(
        op: BinaryOp,
        outcome: bool,
        word: Word,
        x: Wrapped,
        y: Wrapped,
    ) -> Option<(Wrapped, Wrapped)> {
        match (op, outcome) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                let both = x.meet(word, y)?;
                Some((both, both))
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
                let without = |x: Wrapped, bits: u64| match x {
                    Wrapped { first, more: 0 } if first == bits => None,
                    Wrapped { first, more } if first == bits && more < mask(word) => {
                        Some(Wrapped::new(word, first.wrapping_add(1), more - 1))
                    }
                    Wrapped { first, more }
                        if more < mask(word) && first.wrapping_add(more) & mask(word) == bits =>
                    {
                        Some(Wrapped { first, more: more - 1 })
                    }
                    Wrapped { more, .. } if more == mask(word) => {
                        Some(Wrapped::new(word, bits.wrapping_add(1), more - 1))
                    }
                    _ => Some(x),
                };
                let left = if y.more == 0 { without(x, y.first)? } else { x };
                let right = if x.more == 0 { without(y, x.first)? } else { y };
                Some((left, right))
            }
            _ => {
                let mut pairs = Vec::new();
                for a in x.pieces(word) {
                    for b in y.pieces(word) {
                        pairs.extend(Interval::compared(op, outcome, word, a, b));
                    }
                }
                let left = Wrapped::joined(word, pairs.iter().map(|pair| pair.0))?;
                let right = Wrapped::joined(word, pairs.iter().map(|pair| pair.1))?;
                Some((left.meet(word, x)?, right.meet(word, y)?))
            }
        }
    }

    fn backward(
        op: BinaryOp,
        word: Word,
        result: Wrapped,
        x: Wrapped,
        y: Wrapped,
    ) -> Option<(Wrapped, Wrapped)> {
        // On the circle sums can be undone.
        let undone = |op, a, b| Wrapped::binary(op, word, word, word, a, b);
        match op {
            BinaryOp::Add => Some((
                x.meet(word, undone(BinaryOp::Sub, result, y))?,
                y.meet(word, undone(BinaryOp::Sub, result, x))?,
            )),
            BinaryOp::Sub => Some((
                x.meet(word, undone(BinaryOp::Add, result, y))?,
                y.meet(word, undone(BinaryOp::Sub, x, result))?,
            )),
            _ => Some((x, y)),
        }
    }
}

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {} more", self.first, self.more)
    }
}
