//! Sorts of terms.

use cranelift_entity::entity_impl;
use vergo_num::FloatFormat;

/// An interned pair of index and element sort; [`TermStore::array_parts`](crate::TermStore::array_parts)
/// reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySortId(u32);
entity_impl!(ArraySortId, "array");

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Words of a width of at least one.
    BitVec(u32),
    /// Floating-point numbers of an IEEE format (see [`Sort::float`]).
    Float(FloatFormat),
    /// The five rounding modes.
    RoundingMode,
    /// Total functions from an index sort (not an array) to an element sort.
    Array(ArraySortId),
}

impl Sort {
    /// The sort of numbers of `format`. Terms know IEEE formats only: the x87 format has the numbers
    /// of the IEEE format with the same exponent and precision, and differs in its encoding alone.
    pub fn float(format: FloatFormat) -> Sort {
        Sort::Float(FloatFormat::ieee(format.exponent_bits(), format.significand_bits()))
    }

    /// The width of a word sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// The format of a float sort.
    pub fn format(self) -> Option<FloatFormat> {
        match self {
            Sort::Float(format) => Some(format),
            _ => None,
        }
    }
}
