//! Abstract numbers: what an analysis of integers computes with instead of values.
//!
//! A [`Number`] stands for a set of words of one type. Everything that the analysis of variables
//! ([`crate::numeric`]) needs is here; a further kind of numbers is a file that implements it, and a row of
//! [`crate::numeric::KINDS`]. Each operation must cover every result of `goto::fold`, which a test shows by exhaustion at
//! small widths, for both signednesses.

use crate::interval::{Interval, Truth, Word};
use std::fmt;
use vergo_goto::expr::{BinaryOp, UnaryOp};

/// A set of values of a word.
pub trait Number: Copy + PartialEq + fmt::Debug + fmt::Display {
    /// All values.
    fn all(word: Word) -> Self;

    /// One value.
    fn constant(word: Word, value: i128) -> Self;

    /// Returns whether a value is an element.
    fn contains(self, word: Word, value: i128) -> bool;

    /// The least interval around it, as the word reads values.
    fn hull(self, word: Word) -> Interval;

    /// Returns a number with the elements of both.
    fn join(self, word: Word, other: Self) -> Self;

    /// Returns a number with the common elements; `None` if there are none.
    fn meet(self, word: Word, other: Self) -> Option<Self>;

    /// Returns a number with the elements of both, such that repeated growth ends; the constants of the program are
    /// good places to stop.
    fn widen(self, word: Word, newer: Self, thresholds: &[i128]) -> Self;

    /// All results of an operation whose operand and result are of one type.
    fn unary(op: UnaryOp, word: Word, x: Self) -> Self;

    /// All results of an operation. `right` is the type of the second operand, which differs for shifts.
    fn binary(op: BinaryOp, result: Word, left: Word, right: Word, x: Self, y: Self) -> Self;

    /// All values after a conversion.
    fn convert(self, from: Word, to: Word) -> Self;

    /// Restricts the operands of a comparison to its outcome; `None` if they cannot have it. (A contractor.)
    fn compared(op: BinaryOp, outcome: bool, word: Word, x: Self, y: Self) -> Option<(Self, Self)>;

    /// Restricts the operands of an operation of one type to its result; `None` if there is no such result.
    fn backward(op: BinaryOp, word: Word, result: Self, x: Self, y: Self) -> Option<(Self, Self)> {
        let _ = (op, word, result);
        Some((x, y))
    }

    /// The truth value, of a set of truth values.
    fn truth(self) -> Truth {
        Truth::of(self.hull(Word::BOOL))
    }

    /// The only element.
    fn single(self, word: Word) -> Option<i128> {
        let hull = self.hull(word);
        (hull.low == hull.high).then_some(hull.low)
    }

    /// Truth values as a set.
    fn of_truth(truth: Truth) -> Self {
        match truth {
            Truth::True => Self::constant(Word::BOOL, 1),
            Truth::False => Self::constant(Word::BOOL, 0),
            Truth::Maybe => Self::all(Word::BOOL),
        }
    }
}

impl Number for Interval {
    fn all(word: Word) -> Interval {
        word.all()
    }

    fn constant(_: Word, value: i128) -> Interval {
        Interval::constant(value)
    }

    fn contains(self, _: Word, value: i128) -> bool {
        Interval::contains(self, value)
    }

    fn hull(self, _: Word) -> Interval {
        self
    }

    fn join(self, _: Word, other: Interval) -> Interval {
        Interval::join(self, other)
    }

    fn meet(self, _: Word, other: Interval) -> Option<Interval> {
        Interval::meet(self, other)
    }

    fn widen(self, word: Word, newer: Interval, thresholds: &[i128]) -> Interval {
        Interval::widen(self, Interval::join(self, newer), thresholds, word.all())
    }

    fn unary(op: UnaryOp, word: Word, x: Interval) -> Interval {
        match op {
            UnaryOp::Neg => word.wrap(Interval::constant(0).sub(x)),
            // `-x - 1`, which wraps to the complement in either reading.
            UnaryOp::BitNot => word.wrap(Interval::constant(-1).sub(x)),
            UnaryOp::Not => Truth::of(x).negated().interval(),
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::PopCount => {
                word.wrap(Interval::new(0, word.width.into()))
            }
            _ => word.all(),
        }
    }

    fn binary(
        op: BinaryOp,
        word: Word,
        left: Word,
        right: Word,
        x: Interval,
        y: Interval,
    ) -> Interval {
        let fits = |exact: Option<Interval>| match exact {
            Some(exact) if exact.is_within(left.all()) => Truth::True,
            Some(exact) if Interval::meet(exact, left.all()).is_none() => Truth::False,
            _ => Truth::Maybe,
        };
        // Amounts of shifts are read without sign; what is the width or more shifts everything out.
        let amount = || match right.signed && y.low < 0 {
            true => None,
            false => Some(y),
        };
        let width = i128::from(left.width);
        match op {
            BinaryOp::Add => word.wrap(x.add(y)),
            BinaryOp::Sub => word.wrap(x.sub(y)),
            BinaryOp::Mul => word.wrap(x.mul(y)),
            BinaryOp::Div if !y.contains(0) => word.wrap(x.div(y)),
            BinaryOp::Rem if !y.contains(0) => x.rem(y).unwrap_or(word.all()),
            BinaryOp::BitAnd => x.and(y),
            BinaryOp::BitOr => word.wrap(Some(x.or(y))),
            BinaryOp::BitXor => word.wrap(Some(x.xor(y))),
            BinaryOp::Shl => match amount() {
                Some(by) if by.low >= width => Interval::constant(0),
                Some(by) if by.high < width => word.wrap(x.shl(by)),
                _ => word.all(),
            },
            BinaryOp::Shr => match amount() {
                Some(by) => {
                    // Beyond the width, the sign remains, as it does at 127.
                    let cut = |at: i128| if at >= width { 127 } else { at };
                    x.shr(Interval { low: cut(by.low), high: cut(by.high) }).unwrap_or(word.all())
                }
                None => word.all(),
            },
            BinaryOp::Eq => x.equal(y).interval(),
            BinaryOp::Ne => x.equal(y).negated().interval(),
            BinaryOp::Lt => x.less(y).interval(),
            BinaryOp::Le => y.less(x).negated().interval(),
            BinaryOp::And => Interval { low: x.low.min(y.low), high: x.high.min(y.high) },
            BinaryOp::Or => Interval { low: x.low.max(y.low), high: x.high.max(y.high) },
            BinaryOp::Implies => {
                let not_x = Truth::of(x).negated().interval();
                Interval { low: not_x.low.max(y.low), high: not_x.high.max(y.high) }
            }
            BinaryOp::AddOverflows => fits(x.add(y)).negated().interval(),
            BinaryOp::SubOverflows => fits(x.sub(y)).negated().interval(),
            BinaryOp::MulOverflows => fits(x.mul(y)).negated().interval(),
            _ => word.all(),
        }
    }

    fn convert(self, _: Word, to: Word) -> Interval {
        to.wrap(Some(self))
    }

    fn compared(
        op: BinaryOp,
        outcome: bool,
        _: Word,
        x: Interval,
        y: Interval,
    ) -> Option<(Interval, Interval)> {
        match (op, outcome) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                let both = Interval::meet(x, y)?;
                Some((both, both))
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
                let left = if y.low == y.high { x.without(y.low)? } else { x };
                let right = if x.low == x.high { y.without(x.low)? } else { y };
                Some((left, right))
            }
            (BinaryOp::Lt, true) => below(x, y, 1),
            (BinaryOp::Le, true) => below(x, y, 0),
            (BinaryOp::Lt, false) => below(y, x, 0).map(|(y, x)| (x, y)),
            (BinaryOp::Le, false) => below(y, x, 1).map(|(y, x)| (x, y)),
            _ => Some((x, y)),
        }
    }

    fn backward(
        op: BinaryOp,
        word: Word,
        result: Interval,
        x: Interval,
        y: Interval,
    ) -> Option<(Interval, Interval)> {
        let exact = match op {
            BinaryOp::Add => x.add(y),
            BinaryOp::Sub => x.sub(y),
            BinaryOp::Mul => x.mul(y),
            _ => return Some((x, y)),
        };
        // Without wrap-around the operands follow from the result.
        let Some(exact) = exact.filter(|exact| exact.is_within(word.all())) else {
            return Some((x, y));
        };
        let result = Interval::meet(exact, result)?;
        let (left, right) = match op {
            BinaryOp::Add => (result.sub(y), result.sub(x)),
            BinaryOp::Sub => (result.add(y), x.sub(result)),
            _ => (factor(result, y), factor(result, x)),
        };
        let met = |value: Interval, with: Option<Interval>| match with {
            Some(with) => Interval::meet(value, with),
            None => Some(value),
        };
        Some((met(x, left)?, met(y, right)?))
    }
}

/// Returns the numbers whose product with an element of `other` can be in an interval; `None` unless that interval has no
/// negative number and `other` is above zero.
fn factor(product: Interval, other: Interval) -> Option<Interval> {
    (product.low >= 0 && other.low > 0).then(|| Interval {
        low: product.low.div_euclid(other.high)
            + i128::from(product.low.rem_euclid(other.high) != 0),
        high: product.high.div_euclid(other.low),
    })
}

/// Elements with at least this distance between them.
fn below(x: Interval, y: Interval, distance: i128) -> Option<(Interval, Interval)> {
    Some((
        Interval::new(x.low, x.high.min(y.high - distance))?,
        Interval::new(y.low.max(x.low + distance), y.high)?,
    ))
}
