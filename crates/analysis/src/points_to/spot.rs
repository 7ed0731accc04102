//! Offsets in objects: one, or all that are a number of steps away from each other.

/// Where in an object something can be: at `offset`, or at `offset + n * step` for any integer `n`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// The offset in bytes; below `step`, if there is one.
    pub offset: i64,
    /// The distance of the possible offsets; zero for one offset.
    pub step: u64,
}

impl Spot {
    /// The beginning.
    pub const START: Spot = Spot { offset: 0, step: 0 };
    /// Any place.
    pub const ANY: Spot = Spot { offset: 0, step: 1 };

    /// The spot of an offset and a step.
    pub fn new(offset: i64, step: u64) -> Spot {
        match i64::try_from(step) {
            Ok(0) => Spot { offset, step: 0 },
            Ok(modulus) => Spot { offset: offset.rem_euclid(modulus), step },
            Err(_) => Spot::ANY,
        }
    }

    /// A spot this far away.
    #[must_use]
    pub fn moved(self, distance: Spot) -> Spot {
        match self.offset.checked_add(distance.offset) {
            Some(offset) => Spot::new(offset, gcd(self.step, distance.step)),
            None => Spot::ANY,
        }
    }

    /// The same in any number of steps of a size.
    #[must_use]
    pub fn stepped(self, step: u64) -> Spot {
        Spot::new(self.offset, gcd(self.step, step))
    }

    /// A spot that has both.
    #[must_use]
    pub fn join(self, other: Spot) -> Spot {
        let distance = self.offset.abs_diff(other.offset);
        Spot::new(self.offset, gcd(gcd(self.step, other.step), distance))
    }

    /// Returns whether every offset of the other is one of this.
    pub fn contains(self, other: Spot) -> bool {
        self.join(other) == self
    }

    /// Returns whether an access of so many bytes here can touch one of so many bytes there.
    pub fn overlaps(self, len: u64, other: Spot, other_len: u64) -> bool {
        let step = gcd(self.step, other.step);
        if step == 0 {
            let (a, b) = (i128::from(self.offset), i128::from(other.offset));
            return a < b + i128::from(other_len) && b < a + i128::from(len);
        }
        let distance = (i128::from(self.offset) - i128::from(other.offset)).rem_euclid(step.into());
        distance < i128::from(other_len) || i128::from(step) - distance < i128::from(len)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets of a spot within a window.
    fn offsets(spot: Spot) -> Vec<i64> {
        (-40..40)
            .filter(|&at| match spot.step {
                0 => at == spot.offset,
                step => (at - spot.offset).rem_euclid(step as i64) == 0,
            })
            .collect()
    }

    fn spots() -> Vec<Spot> {
        (0..7).flat_map(|step| (-3..9).map(move |offset| Spot::new(offset, step))).collect()
    }

    #[test]
    fn spots_are_sets_of_offsets() {
        for a in spots() {
            for b in spots() {
                let joined = offsets(a.join(b));
                assert!(offsets(a).iter().chain(&offsets(b)).all(|at| joined.contains(at)));
                let within = offsets(b).iter().all(|at| offsets(a).contains(at));
                assert_eq!(a.contains(b), within, "{a:?} {b:?}");
                let sums = offsets(a.moved(b));
                for x in offsets(a).into_iter().filter(|x| x.abs() < 20) {
                    for y in offsets(b).into_iter().filter(|y| y.abs() < 20) {
                        assert!(sums.contains(&(x + y)));
                    }
                }
                for (len, other) in [(1, 1), (4, 1), (1, 4), (2, 3)] {
                    let touch = offsets(a).iter().any(|&x| {
                        offsets(b).iter().any(|&y| x < y + other as i64 && y < x + len as i64)
                    });
                    assert_eq!(a.overlaps(len, b, other), touch, "{a:?} {b:?} {len} {other}");
                }
            }
        }
    }
}
