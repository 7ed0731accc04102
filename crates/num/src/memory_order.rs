//! Orders of memory (C17 7.17.3), with the numbers that gcc gives them: those of `__ATOMIC_RELAXED` and its like.

/// An order of memory that an atomic operation or a fence asks for, from the weakest to the strongest number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryOrder {
    /// Orders nothing.
    Relaxed,
    /// Orders what depends on the value that is read; taken for [`MemoryOrder::Acquire`].
    Consume,
    /// Comes after what the write that is read has released.
    Acquire,
    /// Comes, with everything before it, before those who acquire it.
    Release,
    /// Both.
    AcquireRelease,
    /// Both, and one order of all such operations.
    Sequential,
}

impl MemoryOrder {
    /// All orders, by their numbers.
    pub const ALL: [MemoryOrder; 6] = [
        MemoryOrder::Relaxed,
        MemoryOrder::Consume,
        MemoryOrder::Acquire,
        MemoryOrder::Release,
        MemoryOrder::AcquireRelease,
        MemoryOrder::Sequential,
    ];

    /// Returns gcc's number for the order.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the order with a number of gcc's; `None` if there is no such.
    #[must_use]
    pub fn from_number(number: u64) -> Option<MemoryOrder> {
        MemoryOrder::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns whether an operation with this order comes after what others have released.
    #[must_use]
    pub fn acquires(self) -> bool {
        !matches!(self, MemoryOrder::Relaxed | MemoryOrder::Release)
    }

    /// Returns whether an operation with this order comes before what others do who acquire it.
    #[must_use]
    pub fn releases(self) -> bool {
        self >= MemoryOrder::Release
    }

    /// Returns the weakest order that is at least as strong as both.
    #[must_use]
    pub fn join(self, other: MemoryOrder) -> MemoryOrder {
        let strongest = self.max(other);
        let acquires = self.acquires() || other.acquires();
        if acquires && !strongest.acquires() { MemoryOrder::AcquireRelease } else { strongest }
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryOrder::{self, *};

    #[test]
    fn numbers_are_those_of_gcc() {
        for (number, order) in (0..).zip(MemoryOrder::ALL) {
            assert_eq!(u64::from(order.number()), number);
            assert_eq!(MemoryOrder::from_number(number), Some(order));
        }
        assert_eq!(MemoryOrder::from_number(6), None);
    }

    #[test]
    fn a_join_is_as_strong_as_both_and_no_stronger() {
        let implies = |strong: MemoryOrder, weak: MemoryOrder| {
            (strong.acquires() || !weak.acquires())
                && (strong.releases() || !weak.releases())
                && (strong == Sequential || weak != Sequential)
        };
        for a in MemoryOrder::ALL {
            for b in MemoryOrder::ALL {
                let join = a.join(b);
                assert!(implies(join, a) && implies(join, b), "{a:?} {b:?}");
                let weaker =
                    MemoryOrder::ALL.into_iter().filter(|&c| implies(c, a) && implies(c, b));
                assert!(weaker.into_iter().all(|c| implies(c, join)), "{a:?} {b:?}");
            }
        }
        assert_eq!(Acquire.join(Release), AcquireRelease);
    }
}
