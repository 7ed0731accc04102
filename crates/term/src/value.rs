//! Concrete values of every sort.

use crate::persistent::PersistentMap;
use std::sync::Arc;
use vergo_num::{BitVec, Float, RoundingMode};

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A word.
    BitVec(BitVec),
    /// A number of an IEEE format.
    Float(Float),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// An array.
    Array(Arc<ArrayValue>),
}

/// An array: a default element and the elements that differ from it. Indices are kept by their
/// encoding ([`Value::index_bits`]), so that all scalar sorts can be one. Cloning is cheap and a
/// store costs logarithmic time, whatever the number of entries.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    default: Value,
    /// Never maps to the default.
    entries: PersistentMap<BitVec, Value>,
    /// The number of indices, if it fits.
    n_indices: Option<u128>,
}

impl Value {
    /// The truth value. Panics on another sort, as the other accessors do: sorts are checked when
    /// terms are built.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            _ => panic!("{self:?} is not a truth value"),
        }
    }

    /// The word.
    pub fn as_bv(&self) -> &BitVec {
        match self {
            Value::BitVec(value) => value,
            _ => panic!("{self:?} is not a word"),
        }
    }

    /// The number.
    pub fn as_float(&self) -> &Float {
        match self {
            Value::Float(value) => value,
            _ => panic!("{self:?} is not a float"),
        }
    }

    /// The rounding mode.
    pub fn as_mode(&self) -> RoundingMode {
        match self {
            Value::RoundingMode(value) => *value,
            _ => panic!("{self:?} is not a rounding mode"),
        }
    }

    /// The array.
    pub fn as_array(&self) -> &ArrayValue {
        match self {
            Value::Array(value) => value,
            _ => panic!("{self:?} is not an array"),
        }
    }

    /// A word that identifies the value among those of its scalar sort: the word itself, a bit for a
    /// truth value, the encoding of a float, the position of a rounding mode in three bits.
    pub fn index_bits(&self) -> BitVec {
        match self {
            Value::Bool(value) => BitVec::from_bool(*value),
            Value::BitVec(value) => value.clone(),
            Value::Float(value) => value.bits().clone(),
            Value::RoundingMode(mode) => BitVec::from_u64(3, mode_number(*mode)),
            Value::Array(_) => panic!("arrays are not indices"),
        }
    }
}

/// The position of the mode in [`RoundingMode::ALL`].
pub(crate) fn mode_number(mode: RoundingMode) -> u64 {
    match mode {
        RoundingMode::NearestEven => 0,
        RoundingMode::NearestAway => 1,
        RoundingMode::TowardPositive => 2,
        RoundingMode::TowardNegative => 3,
        RoundingMode::TowardZero => 4,
    }
}

impl ArrayValue {
    /// The array of `n_indices` indices (`None` for more than 2^127) with one element everywhere.
    pub fn constant(default: Value, n_indices: Option<u128>) -> ArrayValue {
        ArrayValue { default, entries: PersistentMap::default(), n_indices }
    }

    /// The element at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.at(&index.index_bits())
    }

    /// The element at the index with the given encoding.
    fn at(&self, index: &BitVec) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at an index.
    pub fn store(&mut self, index: &Value, element: Value) {
        self.store_at(index.index_bits(), element);
    }

    /// Replaces the element at the index with the given encoding.
    pub fn store_at(&mut self, index: BitVec, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    /// The element of all indices without an entry.
    pub fn default_element(&self) -> &Value {
        &self.default
    }

    /// The indices, by encoding and in order, whose elements differ from the default.
    pub fn entries(&self) -> impl Iterator<Item = (&BitVec, &Value)> {
        self.entries.iter()
    }
}

/// Equality of the functions: arrays with different defaults are equal if entries cover all indices.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let same = |(index, element): (&BitVec, &Value)| other.at(index) == element;
        if self.default == other.default {
            return self.entries.len() == other.entries.len() && self.entries.iter().all(same);
        }
        let is_new = |index: &BitVec| self.entries.get(index).is_none();
        let n_new = other.entries().filter(|(index, _)| is_new(index)).count();
        Some((self.entries.len() + n_new) as u128) == self.n_indices
            && self.entries.iter().all(same)
            && other.entries().all(|(index, element)| self.at(index) == element)
    }
}

impl Eq for ArrayValue {}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<BitVec> for Value {
    fn from(value: BitVec) -> Value {
        Value::BitVec(value)
    }
}

impl From<Float> for Value {
    fn from(value: Float) -> Value {
        Value::Float(value)
    }
}

impl From<RoundingMode> for Value {
    fn from(value: RoundingMode) -> Value {
        Value::RoundingMode(value)
    }
}

impl From<ArrayValue> for Value {
    fn from(value: ArrayValue) -> Value {
        Value::Array(Arc::new(value))
    }
}
