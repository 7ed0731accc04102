//! Natural numbers of any size: the exact integers behind wide words and correctly rounded floats.
//!
//! Limbs are little-endian and normalised (the last one is never zero), so that structural equality
//! is numeric equality. Multiplication is schoolbook and division is Knuth's algorithm D (The Art of
//! Computer Programming, vol. 2, 4.3.1): operands here are a few limbs long.

use std::cmp::Ordering;

/// A natural number of unbounded size.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Natural {
    /// Little-endian, without leading zero limbs.
    limbs: Vec<u64>,
}

impl Natural {
    /// The number zero.
    pub const ZERO: Natural = Natural { limbs: Vec::new() };

    /// The number with the given little-endian limbs.
    pub fn from_limbs(mut limbs: Vec<u64>) -> Natural {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Natural { limbs }
    }

    /// The little-endian limbs, without leading zeros.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The number `2^exponent`.
    pub fn power_of_two(exponent: usize) -> Natural {
        Natural::from(1u64).shl(exponent)
    }

    /// The number `base^exponent`.
    pub fn power(base: u64, mut exponent: u64) -> Natural {
        let mut square = Natural::from(base);
        let mut acc = Natural::from(1u64);
        while exponent > 0 {
            if exponent & 1 == 1 {
                acc = acc.mul(&square);
            }
            exponent >>= 1;
            if exponent > 0 {
                square = square.mul(&square);
            }
        }
        acc
    }

    /// Returns whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Returns whether the number is odd.
    pub fn is_odd(&self) -> bool {
        self.limbs.first().is_some_and(|low| low & 1 == 1)
    }

    /// The number of bits up to and including the highest one; zero for zero.
    pub fn bit_len(&self) -> usize {
        match self.limbs.last() {
            None => 0,
            Some(top) => self.limbs.len() * 64 - top.leading_zeros() as usize,
        }
    }

    /// The bit at position `i`.
    pub fn bit(&self, i: usize) -> bool {
        self.limbs.get(i / 64).is_some_and(|limb| limb >> (i % 64) & 1 == 1)
    }

    /// The number of zero bits below the lowest one bit; zero for zero.
    pub fn trailing_zeros(&self) -> usize {
        match self.limbs.iter().position(|&limb| limb != 0) {
            None => 0,
            Some(i) => i * 64 + self.limbs[i].trailing_zeros() as usize,
        }
    }

    /// Returns whether any of the `n` lowest bits is set.
    pub fn any_low_bit(&self, n: usize) -> bool {
        !self.is_zero() && self.trailing_zeros() < n
    }

    /// The value, if it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match self.limbs[..] {
            [] => Some(0),
            [low] => Some(low),
            _ => None,
        }
    }

    /// The value, if it fits 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        match self.limbs[..] {
            [] => Some(0),
            [low] => Some(low.into()),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        }
    }

    /// `self + other`.
    pub fn add(&self, other: &Natural) -> Natural {
        let (long, short) =
            if self.limbs.len() >= other.limbs.len() { (self, other) } else { (other, self) };
        let mut limbs = Vec::with_capacity(long.limbs.len() + 1);
        let mut carry = false;
        for (i, &a) in long.limbs.iter().enumerate() {
            let (sum, c1) = a.overflowing_add(short.limbs.get(i).copied().unwrap_or(0));
            let (sum, c2) = sum.overflowing_add(carry.into());
            limbs.push(sum);
            carry = c1 || c2;
        }
        if carry {
            limbs.push(1);
        }
        Natural { limbs }
    }

    /// `self - other`. Panics if `other` is the larger: callers order their operands.
    pub fn sub(&self, other: &Natural) -> Natural {
        assert!(*self >= *other, "the difference of naturals must not be negative");
        let mut limbs = Vec::with_capacity(self.limbs.len());
        let mut borrow = false;
        for (i, &a) in self.limbs.iter().enumerate() {
            let (diff, b1) = a.overflowing_sub(other.limbs.get(i).copied().unwrap_or(0));
            let (diff, b2) = diff.overflowing_sub(borrow.into());
            limbs.push(diff);
            borrow = b1 || b2;
        }
        Natural::from_limbs(limbs)
    }

    /// `self * other`.
    pub fn mul(&self, other: &Natural) -> Natural {
        if self.is_zero() || other.is_zero() {
            return Natural::ZERO;
        }
        let mut limbs = vec![0u64; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.limbs.iter().enumerate() {
                let t = u128::from(a) * u128::from(b) + u128::from(limbs[i + j]) + carry;
                limbs[i + j] = t as u64;
                carry = t >> 64;
            }
            limbs[i + other.limbs.len()] = carry as u64;
        }
        Natural::from_limbs(limbs)
    }

    /// `self * factor + addend`, in place.
    pub fn mul_add_small(&mut self, factor: u64, addend: u64) {
        let mut carry = u128::from(addend);
        for limb in &mut self.limbs {
            let t = u128::from(*limb) * u128::from(factor) + carry;
            *limb = t as u64;
            carry = t >> 64;
        }
        if carry != 0 {
            self.limbs.push(carry as u64);
        }
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    /// Divides in place by `divisor` (not zero) and returns the remainder.
    pub fn div_rem_small(&mut self, divisor: u64) -> u64 {
        let mut rem = 0u128;
        for limb in self.limbs.iter_mut().rev() {
            let t = rem << 64 | u128::from(*limb);
            *limb = (t / u128::from(divisor)) as u64;
            rem = t % u128::from(divisor);
        }
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        rem as u64
    }

    /// Quotient and remainder of the division by `divisor`, which must not be zero.
    pub fn div_rem(&self, divisor: &Natural) -> (Natural, Natural) {
        assert!(!divisor.is_zero(), "callers exclude division by zero");
        if self < divisor {
            return (Natural::ZERO, self.clone());
        }
        if let (Some(a), Some(b)) = (self.to_u128(), divisor.to_u128()) {
            return (Natural::from(a / b), Natural::from(a % b));
        }
        if let [small] = divisor.limbs[..] {
            let mut quotient = self.clone();
            let rem = quotient.div_rem_small(small);
            return (quotient, Natural::from(rem));
        }
        // Knuth D: normalise so that the divisor's top bit is set; each quotient limb guessed from
        // the top two limbs is then at most two too large.
        let n = divisor.limbs.len();
        let shift = divisor.limbs[n - 1].leading_zeros() as usize;
        let v = divisor.shl(shift).limbs;
        let mut u = self.shl(shift).limbs;
        u.resize(self.limbs.len() + 1, 0);
        let m = u.len() - n;
        let mut quotient = vec![0u64; m];
        for j in (0..m).rev() {
            let top = u128::from(u[j + n]) << 64 | u128::from(u[j + n - 1]);
            let mut guess = top / u128::from(v[n - 1]);
            let mut rest = top % u128::from(v[n - 1]);
            while guess >> 64 != 0
                || guess * u128::from(v[n - 2]) > (rest << 64 | u128::from(u[j + n - 2]))
            {
                guess -= 1;
                rest += u128::from(v[n - 1]);
                if rest >> 64 != 0 {
                    break;
                }
            }
            let mut borrow = 0i128;
            let mut carry = 0u128;
            for i in 0..n {
                let product = guess * u128::from(v[i]) + carry;
                carry = product >> 64;
                let t = i128::from(u[i + j]) - borrow - i128::from(product as u64);
                u[i + j] = t as u64;
                borrow = i128::from(t < 0);
            }
            let t = i128::from(u[j + n]) - borrow - carry as i128;
            u[j + n] = t as u64;
            if t < 0 {
                guess -= 1;
                let mut carry = false;
                for i in 0..n {
                    let (sum, c1) = u[i + j].overflowing_add(v[i]);
                    let (sum, c2) = sum.overflowing_add(carry.into());
                    u[i + j] = sum;
                    carry = c1 || c2;
                }
                u[j + n] = u[j + n].wrapping_add(carry.into());
            }
            quotient[j] = guess as u64;
        }
        u.truncate(n);
        (Natural::from_limbs(quotient), Natural::from_limbs(u).shr(shift))
    }

    /// `self * 2^n`.
    pub fn shl(&self, n: usize) -> Natural {
        if self.is_zero() {
            return Natural::ZERO;
        }
        let (whole, part) = (n / 64, n % 64);
        let mut limbs = vec![0; whole];
        limbs.reserve(self.limbs.len() + 1);
        if part == 0 {
            limbs.extend_from_slice(&self.limbs);
        } else {
            let mut carry = 0;
            for &limb in &self.limbs {
                limbs.push(limb << part | carry);
                carry = limb >> (64 - part);
            }
            limbs.push(carry);
        }
        Natural::from_limbs(limbs)
    }

    /// `self / 2^n`, rounded down.
    pub fn shr(&self, n: usize) -> Natural {
        let (whole, part) = (n / 64, n % 64);
        if whole >= self.limbs.len() {
            return Natural::ZERO;
        }
        let kept = &self.limbs[whole..];
        if part == 0 {
            return Natural::from_limbs(kept.to_vec());
        }
        let limbs = (0..kept.len())
            .map(|i| kept[i] >> part | kept.get(i + 1).map_or(0, |next| next << (64 - part)))
            .collect();
        Natural::from_limbs(limbs)
    }

    /// The largest `r` with `r * r <= self`, and whether `r * r < self`.
    pub fn sqrt(&self) -> (Natural, bool) {
        if self.is_zero() {
            return (Natural::ZERO, false);
        }
        // Newton's iteration from above decreases strictly until it reaches the root.
        let mut root = Natural::power_of_two(self.bit_len().div_ceil(2));
        loop {
            let next = root.add(&self.div_rem(&root).0).shr(1);
            if next >= root {
                break;
            }
            root = next;
        }
        let inexact = root.mul(&root) != *self;
        (root, inexact)
    }

    /// `base * 2^exponent mod self`, for a modulus other than zero and an exponent of any size.
    pub fn mul_pow2_mod(&self, base: &Natural, mut exponent: u64) -> Natural {
        let mut square = Natural::from(2u64).div_rem(self).1;
        let mut acc = base.div_rem(self).1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                acc = acc.mul(&square).div_rem(self).1;
            }
            square = square.mul(&square).div_rem(self).1;
            exponent >>= 1;
        }
        acc
    }

    /// The number written by `digits` in base `radix` (2 to 36), or `None` if one is not a digit or
    /// there is none.
    pub fn parse(digits: &str, radix: u32) -> Option<Natural> {
        if digits.is_empty() {
            return None;
        }
        let mut acc = Natural::ZERO;
        let (mut chunk, mut scale) = (0u64, 1u64);
        for c in digits.chars() {
            let digit = c.to_digit(radix)?;
            chunk = chunk * u64::from(radix) + u64::from(digit);
            scale *= u64::from(radix);
            if scale > u64::MAX / 1296 {
                acc.mul_add_small(scale, chunk);
                (chunk, scale) = (0, 1);
            }
        }
        acc.mul_add_small(scale, chunk);
        Some(acc)
    }

    /// The decimal digits, without leading zeros.
    pub fn to_decimal(&self) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        const CHUNK: u64 = 10_000_000_000_000_000_000;
        let mut rest = self.clone();
        let mut chunks = Vec::new();
        while !rest.is_zero() {
            chunks.push(rest.div_rem_small(CHUNK));
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            text.push_str(&format!("{chunk:019}"));
        }
        text
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Natural {
        Natural::from_limbs(vec![value])
    }
}

impl From<u128> for Natural {
    fn from(value: u128) -> Natural {
        Natural::from_limbs(vec![value as u64, (value >> 64) as u64])
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        self.limbs
            .len()
            .cmp(&other.limbs.len())
            .then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
