//! The random numbers of all tests: small, seeded, the same on every machine.

/// A generator of pseudo-random numbers (SplitMix64, Steele, Lea and Flood, OOPSLA 2014).
///
/// Every seed gives a full-period sequence, so that seeds 0, 1, 2, … are as good as any.
#[derive(Clone, Default, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The bias of the high product is below one in 2^32 for the sizes that tests use.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there is none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_fixed() {
        let mut rng = Rng::new(1);
        assert_eq!(rng.bits(), 0x910a_2dec_8902_5cc1);
        assert_eq!(Rng::new(7).below(0), 0);
        let mut seen = [false; 5];
        for _ in 0..100 {
            seen[rng.between(3, 7) - 3] = true;
        }
        assert_eq!(seen, [true; 5]);
        let mut items = [1, 2, 3, 4, 5, 6];
        rng.shuffle(&mut items);
        items.sort_unstable();
        assert_eq!(items, [1, 2, 3, 4, 5, 6]);
    }
}
