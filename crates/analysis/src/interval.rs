//! Intervals of integers, read as their type reads them: the abstract values of the interval analysis.
//!
//! A bound is a mathematical integer. Arithmetic is exact on bounds and then wrapped into the type: an interval that lies
//! in one period of the type is moved, one that does not becomes the whole type. Integers of more than 64 bits are not
//! followed; every bound and every sum of two fits 128 bits.

use std::fmt;

/// A nonempty interval with both ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// The least element.
    pub low: i128,
    /// The greatest element.
    pub high: i128,
}

/// The integers of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Word {
    /// True if they are read with a sign.
    pub signed: bool,
    /// Width in bits, from 1 to 64.
    pub width: u32,
}

/// An answer to a question about elements of intervals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Always.
    True,
    /// Never.
    False,
    /// It depends on the elements.
    Maybe,
}

impl Word {
    /// The truth values, as zero and one.
    pub const BOOL: Word = Word { signed: false, width: 1 };

    /// All values of the type.
    pub fn all(self) -> Interval {
        let period = self.period();
        if self.signed {
            Interval { low: -period / 2, high: period / 2 - 1 }
        } else {
            Interval { low: 0, high: period - 1 }
        }
    }

    fn period(self) -> i128 {
        1 << self.width
    }

    /// The values to which exact results wrap around; `None` stands for results that were too large to say.
    pub fn wrap(self, exact: Option<Interval>) -> Interval {
        let all = self.all();
        let Some(exact) = exact else { return all };
        let (period, first) = (self.period(), all.low);
        let rounds = |x: i128| (x - first).div_euclid(period);
        if exact.low < i128::MIN / 2 || exact.high > i128::MAX / 2 {
            return all;
        }
        if rounds(exact.low) != rounds(exact.high) {
            return all;
        }
        let shift = rounds(exact.low) * period;
        Interval { low: exact.low - shift, high: exact.high - shift }
    }
}

#[allow(
    clippy::should_implement_trait,
    reason = "results can be too large to say, which operators cannot express"
)]
impl Interval {
    /// The interval of one element.
    pub fn constant(value: i128) -> Interval {
        Interval { low: value, high: value }
    }

    /// The interval of all elements between two bounds; `None` if there are none.
    pub fn new(low: i128, high: i128) -> Option<Interval> {
        (low <= high).then_some(Interval { low, high })
    }

    /// Returns whether an integer is an element.
    pub fn contains(self, value: i128) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns whether all elements are elements of another.
    pub fn is_within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The least interval that has the elements of both.
    pub fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The common elements.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    /// A value above both such that growing again and again ends: a bound that has grown goes to the next of the sorted
    /// thresholds, and behind the last to the end of the domain.
    pub fn widen(self, newer: Interval, thresholds: &[i128], all: Interval) -> Interval {
        let low = if newer.low < self.low {
            let below = thresholds.partition_point(|&threshold| threshold <= newer.low);
            below.checked_sub(1).map_or(all.low, |i| thresholds[i].max(all.low))
        } else {
            self.low
        };
        let high = if newer.high > self.high {
            let above = thresholds.partition_point(|&threshold| threshold < newer.high);
            thresholds.get(above).map_or(all.high, |&threshold| threshold.min(all.high))
        } else {
            self.high
        };
        Interval { low, high }
    }

    /// All sums.
    pub fn add(self, other: Interval) -> Option<Interval> {
        Some(Interval {
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
        })
    }

    /// All differences.
    pub fn sub(self, other: Interval) -> Option<Interval> {
        Some(Interval {
            low: self.low.checked_sub(other.high)?,
            high: self.high.checked_sub(other.low)?,
        })
    }

    /// All products lie in this.
    pub fn mul(self, other: Interval) -> Option<Interval> {
        self.corners(other, i128::checked_mul)
    }

    /// All quotients, toward zero; the divisor must not contain zero.
    pub fn div(self, other: Interval) -> Option<Interval> {
        if other.contains(0) {
            return None;
        }
        self.corners(other, i128::checked_div)
    }

    /// All remainders, with the dividend's sign; the divisor must not contain zero.
    pub fn rem(self, other: Interval) -> Option<Interval> {
        if other.contains(0) {
            return None;
        }
        let (small, large) =
            (other.low.abs().min(other.high.abs()), other.low.abs().max(other.high.abs()));
        if self.low > -small && self.high < small {
            return Some(self);
        }
        let low = if self.low < 0 { self.low.max(1 - large) } else { 0 };
        let high = if self.high > 0 { self.high.min(large - 1) } else { 0 };
        Some(Interval { low, high })
    }

    /// The results at the ends, for operations that are monotone in each operand.
    fn corners(self, other: Interval, op: impl Fn(i128, i128) -> Option<i128>) -> Option<Interval> {
        let mut hull: Option<Interval> = None;
        for a in [self.low, self.high] {
            for b in [other.low, other.high] {
                let value = Interval::constant(op(a, b)?);
                hull = Some(hull.map_or(value, |hull| hull.join(value)));
            }
        }
        hull
    }

    /// All values shifted right, rounding down, by 0 to 127.
    pub fn shr(self, by: Interval) -> Option<Interval> {
        let by = by.meet(Interval { low: 0, high: 127 })?;
        self.corners(by, |x, by| Some(x >> by))
    }

    /// All values shifted left.
    pub fn shl(self, by: Interval) -> Option<Interval> {
        if by.low < 0 || by.high > 63 {
            return None;
        }
        self.corners(by, |x, by| x.checked_mul(1i128 << by))
    }

    /// All bitwise conjunctions lie in this, for operands in two's complement.
    pub fn and(self, other: Interval) -> Interval {
        match (self.low >= 0, other.low >= 0) {
            (true, true) => Interval { low: 0, high: self.high.min(other.high) },
            (true, false) => Interval { low: 0, high: self.high },
            (false, true) => Interval { low: 0, high: other.high },
            (false, false) => {
                // Clearing bits of the lesser can go down to the sign bits in front of it.
                let low = -power_above(-(self.low.min(other.low)) - 1);
                Interval { low, high: self.high.max(other.high).max(-1) }
            }
        }
    }

    /// All bitwise disjunctions lie in this.
    pub fn or(self, other: Interval) -> Interval {
        if self.low >= 0 && other.low >= 0 {
            let high = power_above(self.high.max(other.high)) - 1;
            return Interval { low: self.low.max(other.low), high };
        }
        let low = self.low.min(other.low);
        let high = if self.high < 0 || other.high < 0 {
            -1
        } else {
            power_above(self.high.max(other.high)) - 1
        };
        Interval { low, high }
    }

    /// All exclusive disjunctions lie in this.
    pub fn xor(self, other: Interval) -> Interval {
        let magnitude = [self.low, self.high, other.low, other.high]
            .map(|bound| if bound < 0 { -bound - 1 } else { bound })
            .into_iter()
            .fold(0, i128::max);
        let bound = power_above(magnitude);
        let low = if self.low >= 0 && other.low >= 0 { 0 } else { -bound };
        Interval { low, high: bound - 1 }
    }

    /// An interval without one element, as far as an interval can say so.
    pub fn without(self, value: i128) -> Option<Interval> {
        let low = if self.low == value { self.low + 1 } else { self.low };
        let high = if self.high == value { self.high - 1 } else { self.high };
        Interval::new(low, high)
    }

    /// Compares elements for equality.
    pub fn equal(self, other: Interval) -> Truth {
        if self.meet(other).is_none() {
            Truth::False
        } else if self.low == self.high && self == other {
            Truth::True
        } else {
            Truth::Maybe
        }
    }

    /// Compares elements: is an element of the first less than one of the second?
    pub fn less(self, other: Interval) -> Truth {
        if self.high < other.low {
            Truth::True
        } else if self.low >= other.high {
            Truth::False
        } else {
            Truth::Maybe
        }
    }
}

/// The least power of two above a number that is not negative.
fn power_above(x: i128) -> i128 {
    1 << (128 - x.leading_zeros())
}

impl Truth {
    /// The answer as an interval of truth values.
    pub fn interval(self) -> Interval {
        match self {
            Truth::True => Interval::constant(1),
            Truth::False => Interval::constant(0),
            Truth::Maybe => Interval { low: 0, high: 1 },
        }
    }

    /// The answer that an interval of truth values is.
    pub fn of(interval: Interval) -> Truth {
        match (interval.low, interval.high) {
            (0, 0) => Truth::False,
            (1, 1) => Truth::True,
            _ => Truth::Maybe,
        }
    }

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Maybe => Truth::Maybe,
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All intervals of integers from -9 to 9.
    fn intervals() -> Vec<Interval> {
        (-9..=9).flat_map(|low| (low..=9).map(move |high| Interval { low, high })).collect()
    }

    fn sound(
        name: &str,
        abstract_op: impl Fn(Interval, Interval) -> Option<Interval>,
        op: impl Fn(i128, i128) -> Option<i128>,
    ) {
        for a in intervals() {
            for b in intervals() {
                let Some(result) = abstract_op(a, b) else { continue };
                for x in a.low..=a.high {
                    for y in b.low..=b.high {
                        if let Some(value) = op(x, y) {
                            assert!(
                                result.contains(value),
                                "{x} {name} {y} in {a} {name} {b} = {result}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn operations_cover_all_results() {
        sound("+", Interval::add, i128::checked_add);
        sound("-", Interval::sub, i128::checked_sub);
        sound("*", Interval::mul, i128::checked_mul);
        sound("/", Interval::div, i128::checked_div);
        sound("%", Interval::rem, i128::checked_rem);
        sound(">>", Interval::shr, |x, y| (y >= 0).then(|| x >> y));
        sound("<<", Interval::shl, |x, y| (y >= 0).then(|| x << y));
        sound("&", |a, b| Some(a.and(b)), |x, y| Some(x & y));
        sound("|", |a, b| Some(a.or(b)), |x, y| Some(x | y));
        sound("^", |a, b| Some(a.xor(b)), |x, y| Some(x ^ y));
        sound("==", |a, b| Some(a.equal(b).interval()), |x, y| Some((x == y).into()));
        sound("<", |a, b| Some(a.less(b).interval()), |x, y| Some((x < y).into()));
        sound("join", |a, b| Some(a.join(b)), |x, _| Some(x));
        sound(
            "widen",
            |a, b| Some(a.widen(b, &[-3, 0, 4], Interval { low: -9, high: 9 })),
            |_, y| Some(y),
        );
    }

    #[test]
    fn wrapping_covers_all_values() {
        for signed in [false, true] {
            for width in 1..=3 {
                let domain = Word { signed, width };
                for exact in intervals() {
                    let wrapped = domain.wrap(Some(exact));
                    assert!(wrapped.is_within(domain.all()));
                    for x in exact.low..=exact.high {
                        let low = x.rem_euclid(1 << width);
                        let negative = signed && low >= 1 << (width - 1);
                        let value = if negative { low - (1 << width) } else { low };
                        assert!(wrapped.contains(value), "{x} of {exact} in {domain:?}: {wrapped}");
                    }
                }
            }
        }
    }

    #[test]
    fn widening_ends() {
        let all = Interval { low: -100, high: 100 };
        let mut value = Interval::constant(0);
        let mut rounds = 0;
        while value.high < 100 {
            let grown = Interval { low: value.low, high: value.high + 1 };
            value = value.widen(grown, &[10, 20], all);
            rounds += 1;
        }
        assert_eq!((value, rounds), (Interval { low: 0, high: 100 }, 3));
    }
}
