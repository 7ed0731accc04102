//! Where the scalars of an array are: those of one member of all elements, of which each may have an array of them.

/// The distances of scalars that are counted through: of elements, of arrays inside them, and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spacing {
    /// The distance between the outermost elements.
    outer: u64,
    /// From outside to inside: how far apart the elements of an inner array are, and how many it has.
    inner: Vec<(u64, u64)>,
}

impl Spacing {
    /// Scalars at equal distances.
    pub(crate) fn even(stride: u64) -> Spacing {
        Spacing { outer: stride, inner: Vec::new() }
    }

    /// Each of the scalars is an array of others.
    pub(crate) fn nest(&mut self, stride: u64, len: u64) {
        let innermost = match self.inner.last_mut() {
            Some((stride, _)) => stride,
            None => &mut self.outer,
        };
        // An array without a gap behind it counts on with the next one.
        if *innermost == stride.saturating_mul(len) {
            *innermost = stride;
            if let Some((_, outer_len)) = self.inner.last_mut() {
                *outer_len = outer_len.saturating_mul(len);
            }
        } else {
            self.inner.push((stride, len));
        }
    }

    /// The distance of all scalars from the next, if it is the same.
    pub(crate) fn stride(&self) -> Option<u64> {
        self.inner.is_empty().then_some(self.outer)
    }

    /// Returns the distance of the scalar at an index from the first.
    pub fn offset(&self, mut index: u64) -> Option<u64> {
        let mut offset = 0u64;
        for &(stride, len) in self.inner.iter().rev() {
            offset = offset.checked_add(stride.checked_mul(index.checked_rem(len)?)?)?;
            index /= len;
        }
        offset.checked_add(self.outer.checked_mul(index)?)
    }
}

impl std::fmt::Display for Spacing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.outer)?;
        self.inner.iter().try_for_each(|(stride, len)| write!(f, "({stride}*{len})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_without_gaps_count_on() {
        let mut spacing = Spacing::even(24);
        spacing.nest(12, 2);
        spacing.nest(4, 3);
        assert_eq!(spacing.stride(), Some(4));
        assert_eq!(spacing.offset(7), Some(28));
    }

    #[test]
    fn arrays_with_gaps_do_not() {
        // struct { struct { int a[4]; int b; } s[3]; int c; } t[];
        let mut spacing = Spacing::even(64);
        spacing.nest(20, 3);
        spacing.nest(4, 4);
        assert_eq!(spacing.stride(), None);
        assert_eq!(spacing.offset(3), Some(12));
        assert_eq!(spacing.offset(4), Some(20));
        assert_eq!(spacing.offset(12), Some(64));
        assert_eq!(spacing.offset(12 + 4 + 1), Some(64 + 20 + 4));
        assert_eq!(spacing.offset(u64::MAX), None);
    }
}
