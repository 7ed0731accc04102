//! Functions that no arithmetic operation gives: exponentials, logarithms, angles.
//!
//! Every result is the exact one, rounded once to nearest even. That is more than C asks for, and what good libraries
//! give but for rare last digits. The way there is Ziv's: the function is computed by its series with more digits than
//! needed and a bound on the error; if all numbers within the bound round alike, that is the result, else there are twice
//! the digits. Results that are exact, or lie half-way, never decide; by a theorem of transcendence (or plain algebra for
//! powers and roots) these are short numbers, so after a few rounds the approximation is rounded to the short number that
//! it stands for.
//!
//! Numbers on the way are [`Big`]: a sign, a natural number and a power of two, cut to the working precision after each
//! operation. Each operation is off by less than one unit in the last place, and no function makes a thousand of them in
//! a row or loses more than a few digits by cancellation; `SLACK` digits cover both. Where a function could lose more (the
//! reduction of angles, `1 - erf`), it works with as many digits more.

use super::round::{Exact, Unpacked, round};
use super::{Float, FloatFormat};
use crate::format::RoundingMode;
use crate::natural::Natural;
use std::cmp::Ordering;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// Digits that errors may take.
const SLACK: usize = 32;

macro_rules! functions {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are C's")]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its name in C.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
        }
    };
}

functions! {
    /// Functions of one number.
    Function {
        Acos "acos",
        Acosh "acosh",
        Asin "asin",
        Asinh "asinh",
        Atan "atan",
        Atanh "atanh",
        Cbrt "cbrt",
        Cos "cos",
        Cosh "cosh",
        Erf "erf",
        Erfc "erfc",
        Exp "exp",
        Exp10 "exp10",
        Exp2 "exp2",
        Expm1 "expm1",
        Log "log",
        Log10 "log10",
        Log1p "log1p",
        Log2 "log2",
        Sin "sin",
        Sinh "sinh",
        Tan "tan",
        Tanh "tanh",
    }
}

functions! {
    /// Functions of two numbers.
    Function2 {
        Atan2 "atan2",
        Hypot "hypot",
        Pow "pow",
    }
}

impl Float {
    /// The value of a function; not a number where it has none, an infinity at its poles.
    pub fn apply(&self, function: Function) -> Float {
        use Function as F;
        let format = self.format;
        let (nan, one) = (Float::nan(format), Float::one(format));
        let infinity = |negative| Float::infinity(format, negative);
        let x = match self.unpack() {
            Unpacked::Nan => return nan,
            Unpacked::Infinite(negative) => {
                return match function {
                    F::Acos | F::Asin | F::Atanh | F::Cos | F::Sin | F::Tan => nan,
                    F::Acosh | F::Log | F::Log10 | F::Log1p | F::Log2 if negative => nan,
                    F::Acosh | F::Log | F::Log10 | F::Log1p | F::Log2 => infinity(false),
                    F::Asinh | F::Cbrt | F::Sinh => infinity(negative),
                    F::Atan => rounded(format, |p| pi(p).scaled(-1).with_sign(negative)),
                    F::Cosh => infinity(false),
                    F::Erf | F::Tanh => one.copy_sign(self),
                    F::Erfc if negative => one.add(NEAREST, &one),
                    F::Exp | F::Exp10 | F::Exp2 if !negative => infinity(false),
                    F::Erfc | F::Exp | F::Exp10 | F::Exp2 => Float::zero(format, false),
                    F::Expm1 if negative => one.neg(),
                    F::Expm1 => infinity(false),
                };
            }
            Unpacked::Zero(_) => {
                return match function {
                    F::Cos | F::Cosh | F::Erfc | F::Exp | F::Exp10 | F::Exp2 => one,
                    F::Acos => rounded(format, |p| pi(p).scaled(-1)),
                    F::Acosh => nan,
                    F::Log | F::Log10 | F::Log2 => infinity(true),
                    _ => self.clone(),
                };
            }
            Unpacked::Finite(exact) => Big::of(exact),
        };
        let order = x.abs().compare(&Big::from(1));
        match (function, order) {
            (F::Acos | F::Asin | F::Atanh, Ordering::Greater) => return nan,
            (F::Atanh, Ordering::Equal) => return infinity(x.negative),
            (F::Acos, Ordering::Equal) if !x.negative => return Float::zero(format, false),
            (F::Acosh, Ordering::Less) => return nan,
            (F::Acosh, _) if x.negative => return nan,
            (F::Acosh | F::Log | F::Log10 | F::Log2, Ordering::Equal) if !x.negative => {
                return Float::zero(format, false);
            }
            (F::Log | F::Log10 | F::Log2, _) if x.negative => return nan,
            (F::Log1p, Ordering::Greater) if x.negative => return nan,
            (F::Log1p, Ordering::Equal) if x.negative => return infinity(true),
            _ => {}
        }
        // Near zero many of them are their argument, but for a bit far behind.
        let digits = format.significand_bits() as usize;
        if x.magnitude() < -(2 * digits as i64 + 8) {
            let towards_zero = match function {
                F::Asin | F::Atanh | F::Sinh | F::Tan => Some(false),
                F::Asinh | F::Atan | F::Sin | F::Tanh => Some(true),
                F::Expm1 => Some(x.negative),
                F::Log1p => Some(!x.negative),
                _ => None,
            };
            if let Some(towards_zero) = towards_zero {
                return rounded(format, |p| x.nudged(p, towards_zero));
            }
            if matches!(function, F::Cos | F::Cosh | F::Exp | F::Exp10 | F::Exp2 | F::Erfc) {
                let below = match function {
                    F::Cos => true,
                    F::Cosh => false,
                    F::Erfc => !x.negative,
                    _ => x.negative,
                };
                return rounded(format, |p| Big::from(1).nudged(p, below));
            }
        }
        rounded(format, |p| match function {
            F::Acos => acos(&x, p),
            F::Acosh => {
                let above = x.sub(&Big::from(1), p);
                let root = above.mul(&x.add(&Big::from(1), p), p).sqrt(p);
                log1p(&above.add(&root, p), p)
            }
            F::Asin => asin(&x, p),
            F::Asinh => {
                let a = x.abs();
                let square = a.mul(&a, p);
                let root = square.add(&Big::from(1), p).sqrt(p).add(&Big::from(1), p);
                log1p(&a.add(&square.div(&root, p), p), p).with_sign(x.negative)
            }
            F::Atan => atan(&x, p),
            F::Atanh => {
                let one = Big::from(1);
                log1p(&x.scaled(1).div(&one.sub(&x, p + digits), p), p).scaled(-1)
            }
            F::Cbrt => exp(&log(&x.abs(), p).div(&Big::from(3), p), p).with_sign(x.negative),
            F::Cos => sine(&x, p, digits, 1),
            F::Cosh => {
                let e = exp(&x, p);
                e.add(&Big::from(1).div(&e, p), p).scaled(-1)
            }
            F::Erf => erf(&x, p),
            F::Erfc => erfc(&x, p),
            F::Exp => exp(&x, p),
            F::Exp10 => match x.to_small() {
                Some(n) if (0..400).contains(&n) => Big::natural(Natural::power(10, n as u64)),
                _ => exp(&x.mul(&log(&Big::from(10), p), p), p),
            },
            F::Exp2 => match x.to_small() {
                Some(n) => Big::from(1).scaled(n),
                None => exp(&x.mul(&ln2(p), p), p),
            },
            F::Expm1 => expm1(&x, p),
            F::Log => log(&x, p),
            F::Log10 => log(&x, p).div(&log(&Big::from(10), p), p),
            F::Log1p => log1p(&x, p),
            F::Log2 => log(&x, p).div(&ln2(p), p),
            F::Sin => sine(&x, p, digits, 0),
            F::Sinh => {
                let m = expm1(&x.abs(), p);
                let other = m.div(&m.add(&Big::from(1), p), p);
                m.add(&other, p).scaled(-1).with_sign(x.negative)
            }
            F::Tan => sine(&x, p, digits, 0).div(&sine(&x, p, digits, 1), p),
            F::Tanh => {
                let m = expm1(&x.abs().scaled(1), p);
                m.div(&m.add(&Big::from(2), p), p).with_sign(x.negative)
            }
        })
    }

    /// The value of a function of this number and another of the same format.
    pub fn apply2(&self, function: Function2, other: &Float) -> Float {
        match function {
            Function2::Atan2 => atan2(self, other),
            Function2::Hypot => hypot(self, other),
            Function2::Pow => pow(self, other),
        }
    }
}

/// The result of a function, given its approximations with so many digits that are right but for the slack.
fn rounded(format: FloatFormat, mut approximate: impl FnMut(usize) -> Big) -> Float {
    let digits = format.significand_bits() as usize;
    let result = |number: &Big| {
        let Big { negative, sig, exp } = number.clone();
        round(format, NEAREST, Exact { negative, sig, exp }, false)
    };
    let mut precision = digits + 2 * SLACK;
    loop {
        let number = approximate(precision + SLACK);
        if number.sig.is_zero() {
            return Float::zero(format, number.negative);
        }
        // Beyond these no number of the format is near, however the last digits are.
        if number.magnitude().abs() > 1 << 24 {
            return result(&number);
        }
        let error = Big::natural(Natural::from(1u64)).scaled(number.magnitude() - precision as i64);
        let (low, high) = (number.sub(&error, usize::MAX), number.add(&error, usize::MAX));
        let (low, high) = (result(&low), result(&high));
        if low == high {
            return low;
        }
        if precision > 12 * digits + 256 {
            return result(&number.nearest(precision / 2));
        }
        precision *= 2;
    }
}

/// A number: `sig * 2^exp`, negated if `negative`.
#[derive(Clone, Debug)]
struct Big {
    negative: bool,
    sig: Natural,
    exp: i64,
}

impl From<u64> for Big {
    fn from(value: u64) -> Big {
        Big::natural(Natural::from(value))
    }
}

impl Big {
    fn natural(sig: Natural) -> Big {
        Big { negative: false, sig, exp: 0 }
    }

    fn of(Exact { negative, sig, exp }: Exact) -> Big {
        Big { negative, sig, exp }
    }

    /// One more than the exponent of the leading bit.
    fn magnitude(&self) -> i64 {
        self.exp.saturating_add(self.sig.bit_len() as i64)
    }

    fn abs(&self) -> Big {
        Big { negative: false, ..self.clone() }
    }

    fn with_sign(self, negative: bool) -> Big {
        Big { negative, ..self }
    }

    fn neg(&self) -> Big {
        Big { negative: !self.negative, ..self.clone() }
    }

    /// Times a power of two.
    fn scaled(&self, n: i64) -> Big {
        Big { exp: self.exp.saturating_add(n), ..self.clone() }
    }

    /// Cut to so many digits.
    fn cut(self, p: usize) -> Big {
        let surplus = self.sig.bit_len().saturating_sub(p);
        if surplus == 0 {
            return self;
        }
        Big { negative: self.negative, sig: self.sig.shr(surplus), exp: self.exp + surplus as i64 }
    }

    /// The nearest number of so many digits.
    fn nearest(&self, p: usize) -> Big {
        let surplus = self.sig.bit_len().saturating_sub(p);
        if surplus == 0 {
            return self.clone();
        }
        let half = Natural::power_of_two(surplus - 1);
        let sig = self.sig.add(&half).shr(surplus);
        Big { negative: self.negative, sig, exp: self.exp + surplus as i64 }
    }

    /// A number that is a little nearer to zero, or farther from it, than this one.
    fn nudged(&self, p: usize, towards_zero: bool) -> Big {
        let little = Big::from(1).scaled(self.magnitude() - p as i64 + SLACK as i64 / 2);
        let magnitude = self.abs();
        let moved = if towards_zero {
            magnitude.sub(&little, usize::MAX)
        } else {
            magnitude.add(&little, usize::MAX)
        };
        moved.with_sign(self.negative)
    }

    /// An integer of few digits, if it is one.
    fn to_small(&self) -> Option<i64> {
        if self.magnitude() > 32 {
            return None;
        }
        let magnitude = if self.exp >= 0 {
            self.sig.shl(self.exp as usize)
        } else {
            let n = usize::try_from(-self.exp).ok()?;
            if n > self.sig.bit_len() || self.sig.any_low_bit(n) {
                return None;
            }
            self.sig.shr(n)
        };
        let value = i64::try_from(magnitude.to_u64()?).ok()?;
        Some(if self.negative { -value } else { value })
    }

    /// The nearest integer, if it has few digits.
    fn to_nearest_integer(&self) -> Option<i64> {
        if self.magnitude() < 0 {
            return Some(0);
        }
        if self.magnitude() > 62 {
            return None;
        }
        let doubled = self.scaled(1);
        let sig = if doubled.exp >= 0 {
            doubled.sig.shl(doubled.exp as usize)
        } else {
            doubled.sig.shr(usize::try_from(-doubled.exp).ok()?)
        };
        let value = (i64::try_from(sig.to_u64()?).ok()? + 1) / 2;
        Some(if self.negative { -value } else { value })
    }

    /// The order of two numbers.
    fn compare(&self, other: &Big) -> Ordering {
        let difference = self.sub(other, usize::MAX);
        match (difference.sig.is_zero(), difference.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    fn add(&self, other: &Big, p: usize) -> Big {
        if self.sig.is_zero() {
            return other.clone().cut(p);
        }
        if other.sig.is_zero() {
            return self.clone().cut(p);
        }
        // What is far below the last digit does not matter.
        if p != usize::MAX {
            let far = p as i64 + 4;
            if self.magnitude() - other.magnitude() > far {
                return self.clone().cut(p);
            }
            if other.magnitude() - self.magnitude() > far {
                return other.clone().cut(p);
            }
        }
        let exp = self.exp.min(other.exp);
        let a = self.sig.shl((self.exp - exp) as usize);
        let b = other.sig.shl((other.exp - exp) as usize);
        let sum = if self.negative == other.negative {
            Big { negative: self.negative, sig: a.add(&b), exp }
        } else if a >= b {
            Big { negative: self.negative, sig: a.sub(&b), exp }
        } else {
            Big { negative: other.negative, sig: b.sub(&a), exp }
        };
        sum.cut(p)
    }

    fn sub(&self, other: &Big, p: usize) -> Big {
        self.add(&other.neg(), p)
    }

    fn mul(&self, other: &Big, p: usize) -> Big {
        let sig = self.sig.mul(&other.sig);
        let exp = self.exp + other.exp;
        Big { negative: self.negative != other.negative, sig, exp }.cut(p)
    }

    fn div(&self, other: &Big, p: usize) -> Big {
        let shift = (p + other.sig.bit_len() + 1).saturating_sub(self.sig.bit_len());
        let (sig, _) = self.sig.shl(shift).div_rem(&other.sig);
        let exp = self.exp - other.exp - shift as i64;
        Big { negative: self.negative != other.negative, sig, exp }.cut(p)
    }

    fn div_small(&self, divisor: u64, p: usize) -> Big {
        let shift = (p + 65).saturating_sub(self.sig.bit_len());
        let mut sig = self.sig.shl(shift);
        sig.div_rem_small(divisor);
        Big { negative: self.negative, sig, exp: self.exp - shift as i64 }.cut(p)
    }

    /// The root of the magnitude.
    fn sqrt(&self, p: usize) -> Big {
        let mut shift = (2 * p + 2).saturating_sub(self.sig.bit_len()) as i64;
        if (self.exp - shift) % 2 != 0 {
            shift += 1;
        }
        let (sig, _) = self.sig.shl(shift as usize).sqrt();
        Big { negative: false, sig, exp: (self.exp - shift) / 2 }.cut(p)
    }
}

/// The sum of `term`, `step(term, 1)`, `step(step(term, 1), 2)` and so on, until they are too small to count.
fn series(first: Big, p: usize, mut step: impl FnMut(&Big, u64) -> (Big, Big)) -> Big {
    let mut sum = first.clone();
    let mut term = first;
    for n in 1.. {
        let (next, counted) = step(&term, n);
        if counted.sig.is_zero() || counted.magnitude() < sum.magnitude() - p as i64 - 2 {
            break;
        }
        sum = sum.add(&counted, p + 8);
        term = next;
    }
    sum.cut(p)
}

/// The inverse hyperbolic tangent, or the inverse tangent, of a small number by its series.
fn inverse_tangent(x: &Big, p: usize, alternating: bool) -> Big {
    if x.sig.is_zero() {
        return x.clone();
    }
    let square = x.mul(x, p);
    let square = if alternating { square.neg() } else { square };
    series(x.clone(), p, |power, n| {
        let power = power.mul(&square, p);
        let counted = power.div_small(2 * n + 1, p);
        (power, counted)
    })
}

fn reciprocal(n: u64, p: usize) -> Big {
    Big::from(1).div(&Big::from(n), p)
}

/// The natural logarithm of two.
fn ln2(p: usize) -> Big {
    let part = |factor: u64, n: u64| {
        inverse_tangent(&reciprocal(n, p + 8), p + 8, false).mul(&Big::from(factor), p + 8)
    };
    part(18, 26).sub(&part(2, 4801), p + 8).add(&part(8, 8749), p)
}

fn pi(p: usize) -> Big {
    let part = |factor: u64, n: u64| {
        inverse_tangent(&reciprocal(n, p + 8), p + 8, true).mul(&Big::from(factor), p + 8)
    };
    part(16, 5).sub(&part(4, 239), p)
}

/// A number that is beyond every format, or below.
fn extreme(large: bool) -> Big {
    Big::from(1).scaled(if large { 1 << 40 } else { -(1 << 40) })
}

fn exp(x: &Big, p: usize) -> Big {
    if x.sig.is_zero() {
        return Big::from(1);
    }
    if x.magnitude() > 22 {
        return extreme(!x.negative);
    }
    let p = p + 40;
    let ln2 = ln2(p);
    let n = x.div(&ln2, 64).to_nearest_integer().unwrap_or(0);
    let multiple = ln2.mul(&Big::from(n.unsigned_abs()), p).with_sign(n < 0);
    let halvings = 8;
    let rest = x.sub(&multiple, p).scaled(-halvings);
    let mut power = exp_series(&rest, p);
    for _ in 0..halvings {
        power = power.mul(&power, p);
    }
    power.scaled(n).cut(p)
}

fn exp_series(x: &Big, p: usize) -> Big {
    series(Big::from(1), p, |term, n| {
        let next = term.mul(x, p).div_small(n, p);
        (next.clone(), next)
    })
}

fn expm1(x: &Big, p: usize) -> Big {
    if x.magnitude() >= 0 {
        return exp(x, p).sub(&Big::from(1), p);
    }
    series(x.clone(), p, |term, n| {
        let next = term.mul(x, p).div_small(n + 1, p);
        (next.clone(), next)
    })
}

/// The logarithm of a positive number.
fn log(x: &Big, p: usize) -> Big {
    // x = m * 2^e with m between 0.7 and 1.5.
    let mut e = x.magnitude();
    let mut m = x.scaled(-e);
    if m.compare(&Big::from(3).scaled(-2)) == Ordering::Less {
        m = m.scaled(1);
        e -= 1;
    }
    let one = Big::from(1);
    let s = m.sub(&one, usize::MAX).div(&m.add(&one, usize::MAX), p + 8);
    let fraction = inverse_tangent(&s, p + 8, false).scaled(1);
    let whole = ln2(p + 40).mul(&Big::from(e.unsigned_abs()), p + 40).with_sign(e < 0);
    whole.add(&fraction, p)
}

fn log1p(x: &Big, p: usize) -> Big {
    if x.magnitude() > -2 {
        return log(&x.add(&Big::from(1), p + 2 * SLACK + x.sig.bit_len()), p);
    }
    let s = x.div(&x.add(&Big::from(2), p + 8), p + 8);
    inverse_tangent(&s, p, false).scaled(1)
}

fn atan(x: &Big, p: usize) -> Big {
    let one = Big::from(1);
    let a = x.abs();
    if a.compare(&one) == Ordering::Greater {
        let rest = atan(&one.div(&a, p + 8), p + 8);
        return pi(p + 8).scaled(-1).sub(&rest, p).with_sign(x.negative);
    }
    let p = p + 16;
    let mut y = a;
    let halvings = 3;
    for _ in 0..halvings {
        let root = y.mul(&y, p).add(&one, p).sqrt(p);
        y = y.div(&root.add(&one, p), p);
    }
    inverse_tangent(&y, p, true).scaled(halvings).with_sign(x.negative)
}

fn asin(x: &Big, p: usize) -> Big {
    let one = Big::from(1);
    let rest = one.sub(&x.abs(), usize::MAX);
    if rest.sig.is_zero() {
        return pi(p).scaled(-1).with_sign(x.negative);
    }
    let root = rest.mul(&one.add(&x.abs(), usize::MAX), p + 8).sqrt(p + 8);
    atan(&x.div(&root, p + 8), p)
}

fn acos(x: &Big, p: usize) -> Big {
    let one = Big::from(1);
    let above = one.add(x, usize::MAX);
    if above.sig.is_zero() {
        return pi(p);
    }
    let below = one.sub(x, usize::MAX);
    atan(&below.div(&above, 2 * p).sqrt(p + 8), p).scaled(1)
}

/// The sine of a number and of a number of right angles.
fn sine(x: &Big, p: usize, digits: usize, turns: i64) -> Big {
    // The rest of the division by a right angle can be as small as about one unit in the last place of the number.
    let wide = p + 2 * digits + 64 + x.magnitude().max(0) as usize;
    let right = pi(wide).scaled(-1);
    let quotient = x.div(&right, x.magnitude().max(0) as usize + 64);
    let n = nearest_natural(&quotient);
    let multiple = right.mul(&Big::natural(n.clone()), wide + 64).with_sign(x.negative);
    let rest = x.sub(&multiple, wide);
    let low = n.limbs().first().map_or(0, |limb| (limb & 3) as i64);
    let quadrant = ((if x.negative { -low } else { low }) + turns).rem_euclid(4);
    let rest = rest.cut(p + 16);
    let value =
        if quadrant % 2 == 0 { sine_series(&rest, p + 8) } else { cosine_series(&rest, p + 8) };
    if quadrant >= 2 { value.neg() } else { value }
}

/// The natural number next to a magnitude.
fn nearest_natural(x: &Big) -> Natural {
    let doubled = x.scaled(1);
    let whole = if doubled.exp >= 0 {
        doubled.sig.shl(doubled.exp as usize)
    } else {
        doubled.sig.shr(usize::try_from(-doubled.exp).unwrap_or(usize::MAX).min(1 << 20))
    };
    whole.add(&Natural::from(1u64)).shr(1)
}

fn sine_series(x: &Big, p: usize) -> Big {
    let square = x.mul(x, p).neg();
    series(x.clone(), p, |term, n| {
        let next = term.mul(&square, p).div_small(2 * n * (2 * n + 1), p);
        (next.clone(), next)
    })
}

fn cosine_series(x: &Big, p: usize) -> Big {
    let square = x.mul(x, p).neg();
    series(Big::from(1), p, |term, n| {
        let next = term.mul(&square, p).div_small(2 * n * (2 * n - 1), p);
        (next.clone(), next)
    })
}

/// The error function: a series of positive terms times `exp(-x^2)`.
fn erf(x: &Big, p: usize) -> Big {
    if x.magnitude() > 12 {
        return Big::from(1).nudged(p, true).with_sign(x.negative);
    }
    let p = p + 16;
    let square = x.mul(x, usize::MAX);
    let doubled = square.scaled(1).cut(p + 32);
    let sum = series(x.abs().cut(p), p, |term, n| {
        let next = term.mul(&doubled, p).div_small(2 * n + 1, p);
        (next.clone(), next)
    });
    let factor = exp(&square.neg(), p).scaled(1).div(&pi(p).sqrt(p), p);
    let value = sum.mul(&factor, p);
    // Where it cannot be told from one any more, it is below.
    let one = Big::from(1);
    let value = if value.compare(&one) == Ordering::Less { value } else { one.nudged(p, true) };
    value.with_sign(x.negative)
}

fn erfc(x: &Big, p: usize) -> Big {
    let one = Big::from(1);
    if x.negative {
        return one.add(&erf(&x.abs(), p), p);
    }
    if x.magnitude() > 8 {
        return extreme(false);
    }
    // The difference loses as many digits as exp(-x^2) is below one.
    let lost =
        x.mul(x, 64).mul(&Big::from(2), 64).to_nearest_integer().unwrap_or(0).max(0) as usize;
    one.sub(&erf(x, p + lost + 16), p + lost + 16).cut(p)
}

fn atan2(y: &Float, x: &Float) -> Float {
    let format = y.format;
    if x.is_nan() || y.is_nan() {
        return Float::nan(format);
    }
    let negative = y.is_sign_negative();
    let turned = x.is_sign_negative();
    // A multiple of an eighth of a turn.
    let eighths = |n: u64| {
        rounded(format, move |p| pi(p).mul(&Big::from(n), p).scaled(-2).with_sign(negative))
    };
    match (y.unpack(), x.unpack()) {
        (Unpacked::Infinite(_), Unpacked::Infinite(_)) => eighths(if turned { 3 } else { 1 }),
        (Unpacked::Infinite(_), _) => eighths(2),
        (_, Unpacked::Infinite(_)) | (Unpacked::Zero(_), _) => {
            if turned {
                eighths(4)
            } else {
                Float::zero(format, negative)
            }
        }
        (_, Unpacked::Zero(_)) => eighths(2),
        (Unpacked::Finite(y), Unpacked::Finite(x)) => {
            let (y, x) = (Big::of(y).abs(), Big::of(x).abs());
            rounded(format, |p| {
                let quotient = y.div(&x, p + 8);
                let angle = if quotient.magnitude() < -(p as i64) {
                    quotient.nudged(p, true)
                } else {
                    atan(&quotient, p)
                };
                let angle = if turned { pi(p).sub(&angle, p) } else { angle };
                angle.with_sign(negative)
            })
        }
        _ => Float::nan(format),
    }
}

fn hypot(x: &Float, y: &Float) -> Float {
    let format = x.format;
    match (x.unpack(), y.unpack()) {
        (Unpacked::Infinite(_), _) | (_, Unpacked::Infinite(_)) => Float::infinity(format, false),
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => Float::nan(format),
        (Unpacked::Zero(_), _) => y.abs(),
        (_, Unpacked::Zero(_)) => x.abs(),
        (Unpacked::Finite(a), Unpacked::Finite(b)) => {
            let (a, b) = (Big::of(a), Big::of(b));
            let digits = i64::from(format.significand_bits());
            if (a.magnitude() - b.magnitude()).abs() > 2 * digits + 8 {
                let larger = if a.magnitude() > b.magnitude() { a } else { b };
                return rounded(format, |p| larger.abs().nudged(p, false));
            }
            let sum = a.mul(&a, usize::MAX).add(&b.mul(&b, usize::MAX), usize::MAX);
            rounded(format, |p| sum.sqrt(p))
        }
    }
}

/// Returns whether a number is an odd integer rather than an even one; `None` if it is no integer.
fn parity(y: &Big) -> Option<bool> {
    if y.exp > 0 {
        return Some(false);
    }
    let n = usize::try_from(-y.exp).ok()?;
    if n >= y.sig.bit_len() || y.sig.any_low_bit(n) {
        return None;
    }
    Some(y.sig.bit(n))
}

fn pow(x: &Float, y: &Float) -> Float {
    let format = x.format;
    let one = Float::one(format);
    if y.is_zero() || *x == one {
        return one;
    }
    let (a, b) = match (x.unpack(), y.unpack()) {
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => return Float::nan(format),
        (_, Unpacked::Infinite(negative)) => {
            return match x.abs().compare(&one) {
                Some(Ordering::Equal) => one,
                order if (order == Some(Ordering::Greater)) != negative => {
                    Float::infinity(format, false)
                }
                _ => Float::zero(format, false),
            };
        }
        (base @ (Unpacked::Zero(_) | Unpacked::Infinite(_)), Unpacked::Finite(b)) => {
            let b = Big::of(b);
            let negative = x.is_sign_negative() && parity(&b) == Some(true);
            return if matches!(base, Unpacked::Zero(_)) == b.negative {
                Float::infinity(format, negative)
            } else {
                Float::zero(format, negative)
            };
        }
        (Unpacked::Finite(a), Unpacked::Finite(b)) => (Big::of(a), Big::of(b)),
        // The exponent is not zero.
        (_, Unpacked::Zero(_)) => return one,
    };
    let parity = parity(&b);
    if a.negative && parity.is_none() {
        return Float::nan(format);
    }
    let negative = a.negative && parity == Some(true);
    let a = a.abs();
    if a.compare(&Big::from(1)) == Ordering::Equal {
        return if negative { one.neg() } else { one };
    }
    if let Some(n) = b.to_small()
        && n.unsigned_abs() <= 64
    {
        let mut product = Big::from(1);
        for _ in 0..n.unsigned_abs() {
            product = product.mul(&a, usize::MAX);
        }
        return rounded(format, |p| {
            let power = if n < 0 { Big::from(1).div(&product, p) } else { product.clone() };
            power.with_sign(negative)
        });
    }
    rounded(format, |p| {
        let logarithm = log(&a, p + 40);
        let exponent = b.mul(&logarithm, p + 40);
        if exponent.magnitude() < -(p as i64) {
            return Big::from(1).nudged(p, exponent.negative).with_sign(negative);
        }
        exp(&exponent, p).with_sign(negative)
    })
}

#[cfg(test)]
mod tests;
