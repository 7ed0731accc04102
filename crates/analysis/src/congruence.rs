//! Congruences modulo powers of two: how many of the low bits of a word are known, and what they are.
//!
//! **Source.** Granger, "Static analysis of arithmetical congruences", 1989, doi 10.1080/00207168908803778, restricted to the
//! moduli that survive wrap-around. Alignments, parities and constants are such facts. The domain is of finite height, so
//! that widening is the join.

use crate::interval::{Interval, Truth, Word};
use crate::number::Number;
use std::fmt;
use vergo_goto::expr::{BinaryOp, UnaryOp};

/// The words whose low bits are given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Congruence {
    /// The number of low bits that are known.
    known: u32,
    /// They.
    bits: u64,
}

fn low(bits: u64, count: u32) -> u64 {
    if count >= 64 { bits } else { bits & ((1 << count) - 1) }
}

impl Congruence {
    fn new(word: Word, known: u32, bits: u64) -> Congruence {
        let known = known.min(word.width);
        Congruence { known, bits: low(bits, known) }
    }

    /// Returns the number of low bits that are surely zero.
    fn zeros(self) -> u32 {
        if self.bits == 0 { self.known } else { self.bits.trailing_zeros() }
    }
}

impl Number for Congruence {
    fn all(_: Word) -> Congruence {
        Congruence { known: 0, bits: 0 }
    }

    fn constant(word: Word, value: i128) -> Congruence {
        Congruence::new(word, word.width, value as u64)
    }

    fn contains(self, _: Word, value: i128) -> bool {
        low(value as u64, self.known) == self.bits
    }

    fn hull(self, word: Word) -> Interval {
        let all = word.all();
        let value = |bits: u64| {
            let bits = i128::from(bits);
            if bits > all.high { bits - (1 << word.width) } else { bits }
        };
        if self.known == word.width {
            return Interval::constant(value(self.bits));
        }
        // The unknown high bits are those of the least and of the greatest value.
        let free = low(u64::MAX, word.width) & !low(u64::MAX, self.known);
        let sign = 1 << (word.width - 1);
        let (least, greatest) = if word.signed {
            (self.bits | sign, self.bits | (free & !sign))
        } else {
            (self.bits, self.bits | free)
        };
        Interval { low: value(least), high: value(greatest) }
    }

    fn join(self, word: Word, other: Congruence) -> Congruence {
        let same = (self.bits ^ other.bits).trailing_zeros();
        Congruence::new(word, self.known.min(other.known).min(same), self.bits)
    }

    fn meet(self, _: Word, other: Congruence) -> Option<Congruence> {
        let (more, less) = if self.known >= other.known { (self, other) } else { (other, self) };
        (low(more.bits, less.known) == less.bits).then_some(more)
    }

    fn widen(self, word: Word, newer: Congruence, _: &[i128]) -> Congruence {
        self.join(word, newer)
    }

    fn unary(op: UnaryOp, word: Word, x: Congruence) -> Congruence {
        match op {
            UnaryOp::Neg => Congruence::new(word, x.known, x.bits.wrapping_neg()),
            UnaryOp::BitNot => Congruence::new(word, x.known, !x.bits),
            UnaryOp::Not => Congruence::of_truth(x.truth().negated()),
            _ => Congruence::all(word),
        }
    }

    fn binary(
        op: BinaryOp,
        word: Word,
        left: Word,
        right: Word,
        x: Congruence,
        y: Congruence,
    ) -> Congruence {
        let known = x.known.min(y.known);
        let decide = |truth: Truth| Congruence::of_truth(truth);
        let constants = (x.single(left), y.single(right));
        if let (Some(a), Some(b)) = constants {
            let plain = Interval::binary(
                op,
                word,
                left,
                right,
                Interval::constant(a),
                Interval::constant(b),
            );
            if plain.low == plain.high {
                return Congruence::constant(word, plain.low);
            }
        }
        match op {
            BinaryOp::Add => Congruence::new(word, known, x.bits.wrapping_add(y.bits)),
            BinaryOp::Sub => Congruence::new(word, known, x.bits.wrapping_sub(y.bits)),
            BinaryOp::Mul => {
                // The low bits of a product are those of the factors, and its zeros are theirs together.
                let known = (x.known + y.zeros()).min(y.known + x.zeros());
                Congruence::new(word, known, x.bits.wrapping_mul(y.bits))
            }
            BinaryOp::BitAnd => {
                // A known zero of one side is a zero of the result.
                let zeros = |c: Congruence| if c.bits == 0 { c.known } else { 0 };
                let known = known.max(zeros(x)).max(zeros(y));
                Congruence::new(word, known, x.bits & y.bits)
            }
            BinaryOp::BitOr => Congruence::new(word, known, x.bits | y.bits),
            BinaryOp::BitXor => Congruence::new(word, known, x.bits ^ y.bits),
            BinaryOp::Shl => match y.single(Word { signed: false, ..right }) {
                Some(by) if by >= i128::from(word.width) => Congruence::constant(word, 0),
                Some(by) => Congruence::new(word, x.known + by as u32, x.bits << by),
                None => Congruence::new(word, x.zeros(), 0),
            },
            BinaryOp::Eq | BinaryOp::Ne if x.meet(left, y).is_none() => {
                decide(if op == BinaryOp::Eq { Truth::False } else { Truth::True })
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let plain = |c: Congruence| c.truth().interval();
                decide(Truth::of(Interval::binary(op, word, left, right, plain(x), plain(y))))
            }
            _ => Congruence::all(word),
        }
    }

    fn convert(self, from: Word, to: Word) -> Congruence {
        match self.single(from) {
            Some(value) => Congruence::constant(to, value),
            None => Congruence::new(to, self.known, self.bits),
        }
    }

    fn compared(
        op: BinaryOp,
        outcome: bool,
        word: Word,
        x: Congruence,
        y: Congruence,
    ) -> Option<(Congruence, Congruence)> {
        match (op, outcome) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                let both = x.meet(word, y)?;
                Some((both, both))
            }
            _ => {
                let truth = Congruence::binary(op, Word::BOOL, word, word, x, y).truth();
                let other = if outcome { Truth::False } else { Truth::True };
                (truth != other).then_some((x, y))
            }
        }
    }

    fn backward(
        op: BinaryOp,
        word: Word,
        result: Congruence,
        x: Congruence,
        y: Congruence,
    ) -> Option<(Congruence, Congruence)> {
        let undone = |op, a, b| Congruence::binary(op, word, word, word, a, b);
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

impl fmt::Display for Congruence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} modulo 2^{}", self.bits, self.known)
    }
}
