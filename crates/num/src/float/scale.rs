//! Exponents and neighbours: what C calls `scalbn`, `ilogb`, `frexp` and `nextafter`.

use super::Float;
use super::round::{Exact, Unpacked, exact, round};
use crate::format::RoundingMode;

impl Float {
    /// `self * 2^n`, rounded once.
    pub fn scale(&self, mode: RoundingMode, n: i64) -> Float {
        // Beyond this, every number of every format has long become infinite or zero.
        const LIMIT: i64 = 1 << 40;
        match self.unpack() {
            Unpacked::Finite(number) => {
                let exp = number.exp + n.clamp(-LIMIT, LIMIT);
                round(self.format, mode, Exact { exp, ..number }, false)
            }
            _ => self.clone(),
        }
    }

    /// The `e` with `2^e <= |self| < 2^(e+1)`; `None` for zeros, infinities and NaN.
    pub fn exponent(&self) -> Option<i64> {
        match self.unpack() {
            Unpacked::Finite(number) => Some(number.exp + number.sig.bit_len() as i64 - 1),
            _ => None,
        }
    }

    /// `(f, e)` with `self = f * 2^e` and `1/2 <= |f| < 1`; zeros, infinities and NaN come with an
    /// exponent of zero.
    pub fn split_exponent(&self) -> (Float, i64) {
        match self.unpack() {
            Unpacked::Finite(Exact { negative, sig, .. }) => {
                let exponent = self.exponent().unwrap_or(0) + 1;
                let len = sig.bit_len() as i64;
                (exact(self.format, negative, sig, -len), exponent)
            }
            _ => (self.clone(), 0),
        }
    }

    /// The least value above this one; infinity and NaN stay, and minus the least number gives minus
    /// zero.
    pub fn next_up(&self) -> Float {
        let smallest = Float::smallest(self.format, false);
        match self.unpack() {
            Unpacked::Infinite(true) => Float::largest(self.format, true),
            Unpacked::Nan | Unpacked::Infinite(false) => self.clone(),
            Unpacked::Finite(_) if *self == smallest.neg() => Float::zero(self.format, true),
            Unpacked::Zero(_) => smallest,
            Unpacked::Finite(_) => self.add(RoundingMode::TowardPositive, &smallest),
        }
    }

    /// The greatest value below this one; minus infinity and NaN stay, and the least number gives
    /// plus zero.
    pub fn next_down(&self) -> Float {
        self.neg().next_up().neg()
    }
}
