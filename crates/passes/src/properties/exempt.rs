//! Parts of the source in which properties are not claimed because their author says so, and CBMC's names of checks.

use super::PropertyId::{self, *};
use super::PropertySet;
use vergo_source::Span;

/// Where which properties are not claimed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exempt {
    parts: Vec<(Span, PropertySet)>,
}

impl Exempt {
    /// From now on, properties are not claimed of a part of the source.
    pub fn add(&mut self, part: Span, properties: PropertySet) {
        if properties != PropertySet::EMPTY {
            self.parts.push((part, properties));
        }
    }

    /// Returns whether a property is exempt at a place: the place begins in a part of the source that is exempt from
    /// it.
    pub fn covers(&self, property: PropertyId, place: Span) -> bool {
        place != Span::DUMMY
            && self.parts.iter().any(|(part, properties)| {
                properties.contains(property) && part.lo <= place.lo && place.lo < part.hi
            })
    }

    /// The properties that are not claimed somewhere.
    pub fn properties(&self) -> PropertySet {
        self.parts.iter().fold(PropertySet::EMPTY, |all, (_, some)| all.and(*some))
    }
}

/// CBMC's checks by the names of its options, sorted, each with the properties that it is about here. What no property of ours
/// looks at has none.
pub const CBMC_CHECKS: &[(&str, &[PropertyId])] = &[
    ("bounds", &[MemoryIndex]),
    ("conversion", &[ArithConversion, ArithFloatConversion]),
    ("div-by-zero", &[ArithDivisionByZero]),
    ("enum-range", &[]),
    ("float-div-by-zero", &[]),
    ("float-overflow", &[FloatOverflow]),
    ("memory-cleanup", &[MemoryCleanup]),
    ("memory-leak", &[MemoryCleanup]),
    ("nan", &[FloatNan]),
    ("pointer", &[MemoryBounds, MemoryLifetime, MemoryNull]),
    ("pointer-overflow", &[]),
    ("pointer-primitive", &[]),
    ("signed-overflow", &[ArithSignedOverflow]),
    ("undefined-shift", &[ArithShift]),
    ("unsigned-overflow", &[ArithUnsignedOverflow]),
];

/// The properties of a check of CBMC's.
pub fn cbmc_check(name: &str) -> Option<PropertySet> {
    let at = CBMC_CHECKS.binary_search_by_key(&name, |row| row.0).ok()?;
    Some(CBMC_CHECKS[at].1.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_sorted() {
        assert!(CBMC_CHECKS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(cbmc_check("undefined-shift"), Some(PropertySet::EMPTY.with(ArithShift)));
        assert_eq!(cbmc_check("pointers"), None);
    }

    #[test]
    fn parts_are_half_open() {
        let mut exempt = Exempt::default();
        exempt.add(Span::new(10, 20), PropertySet::EMPTY.with(MemoryNull));
        let covers = |lo| exempt.covers(MemoryNull, Span::new(lo, lo + 1));
        assert_eq!([9, 10, 19, 20].map(covers), [false, true, true, false]);
        assert!(!exempt.covers(MemoryBounds, Span::new(12, 13)));
    }
}
