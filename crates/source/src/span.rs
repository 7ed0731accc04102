//! Spans: half-open ranges of positions in the address space that all files share.

use std::fmt;

/// A half-open range `lo..hi` of positions in a [`SourceMap`](crate::SourceMap).
///
/// Position 0 belongs to no file, so [`Span::DUMMY`] can never be mistaken for source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first position.
    pub lo: u32,
    /// One past the last position.
    pub hi: u32,
}

impl Span {
    /// The span of things that no source text stands for.
    pub const DUMMY: Span = Span { lo: 0, hi: 0 };

    /// The span `lo..hi`; the ends are swapped if they come in the wrong order.
    #[must_use]
    pub const fn new(lo: u32, hi: u32) -> Span {
        if lo <= hi { Span { lo, hi } } else { Span { lo: hi, hi: lo } }
    }

    /// The empty span at a position.
    #[must_use]
    pub const fn at(pos: u32) -> Span {
        Span { lo: pos, hi: pos }
    }

    /// Returns whether no source text stands behind this span.
    #[must_use]
    pub const fn is_dummy(self) -> bool {
        self.lo == 0
    }

    /// The number of bytes covered.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.hi.saturating_sub(self.lo)
    }

    /// Returns whether no byte is covered.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The smallest span that covers both; a dummy span adds nothing.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.is_dummy() {
            other
        } else if other.is_dummy() {
            self
        } else {
            Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
        }
    }

    /// The text from the end of this span to the start of the other.
    #[must_use]
    pub fn between(self, other: Span) -> Span {
        Span::new(self.hi, other.lo)
    }

    /// From the start of this span to the start of the other.
    #[must_use]
    pub fn until(self, other: Span) -> Span {
        Span::new(self.lo, other.lo)
    }

    /// The empty span at the start.
    #[must_use]
    pub const fn shrink_to_lo(self) -> Span {
        Span::at(self.lo)
    }

    /// The empty span at the end.
    #[must_use]
    pub const fn shrink_to_hi(self) -> Span {
        Span::at(self.hi)
    }

    /// Returns whether the other span lies inside this one.
    #[must_use]
    pub const fn contains(self, other: Span) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }
}

impl Default for Span {
    fn default() -> Self {
        Span::DUMMY
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_small_and_join() {
        assert_eq!(size_of::<Span>(), 8);
        let a = Span::new(3, 5);
        let b = Span::new(9, 7);
        assert_eq!(a.to(b), Span { lo: 3, hi: 9 });
        assert_eq!(a.to(Span::DUMMY), a);
        assert_eq!(Span::DUMMY.to(a), a);
        assert_eq!(a.between(b), Span { lo: 5, hi: 7 });
        assert_eq!(a.until(b), Span { lo: 3, hi: 7 });
        assert!(a.to(b).contains(b));
        assert!(a.shrink_to_hi().is_empty());
        assert_eq!(Span::default(), Span::DUMMY);
    }
}
