//! The property registry: one file and one row for each thing that can go wrong.
//!
//! A property says where it applies (operations, accesses of memory, or instructions) and builds the claim. Its row gives
//! the dotted id that users see, a title, the CWE number, and whether it is checked by default. [`groups`] collects
//! properties into those of SV-COMP.

pub mod exempt;
pub mod groups;
pub mod unchecked;

pub use exempt::Exempt;

use crate::instrument::{Access, Checker, Target};
use std::fmt;
use vergo_goto::expr::ExprId;
use vergo_goto::program::InstrKind;

/// Where a property applies, and what builds its claims there.
pub enum Sites {
    /// At each operation that is evaluated.
    Operation(fn(&mut Checker<'_>, ExprId)),
    /// At each read or write of a place or block, behind the claims of what the property presumes.
    Access(Presumes, fn(&mut Checker<'_>, Target, Access)),
    /// At each instruction.
    Instruction(fn(&mut Checker<'_>, &InstrKind)),
    /// Where the source says so: the claim comes with the lowering of C.
    Source,
}

/// What holds of the pointer through which a place is accessed where a property's own question makes sense. Claims about
/// one access stand in this order, so that the first to fail says what is wrong: a null pointer is null before it is out
/// of bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Presumes {
    /// Nothing.
    Nothing,
    /// It is not null.
    NotNull,
    /// Its object is alive.
    Alive,
    /// The place lies in the object.
    Inside,
}

/// Whether a property is checked when the user names none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ByDefault {
    On,
    Off,
}

/// Everything that the registry knows of a property.
pub struct PropertyInfo {
    /// The dotted id.
    pub id: &'static str,
    /// What is wrong when it is violated, in a few words.
    pub title: &'static str,
    /// The CWE number.
    pub cwe: Option<u32>,
    /// Whether it is checked by default.
    pub by_default: ByDefault,
    /// Where it applies.
    pub sites: Sites,
}

/// Declares the properties, sorted by id.
macro_rules! properties {
    ($($variant:ident = $module:ident, $id:literal: $title:literal, cwe $cwe:expr, $default:ident;)*) => {
        $(mod $module;)*

        /// A property of the registry.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum PropertyId {
            $(#[doc = $title] $variant,)*
        }

        impl PropertyId {
            /// All properties in order of id.
            pub const ALL: &'static [PropertyId] = &[$(PropertyId::$variant),*];

            /// What the registry knows of the property.
            pub fn info(self) -> &'static PropertyInfo {
                match self {
                    $(PropertyId::$variant => &PropertyInfo {
                        id: $id,
                        title: $title,
                        cwe: $cwe,
                        by_default: ByDefault::$default,
                        sites: $module::SITES,
                    },)*
                }
            }
        }
    };
}

properties! {
    ArithConversion = arith_conversion, "arith.conversion":
        "conversion changes the value", cwe Some(681), Off;
    ArithDivisionByZero = arith_division_by_zero, "arith.division-by-zero":
        "division by zero", cwe Some(369), On;
    ArithFloatConversion = arith_float_conversion, "arith.float-conversion":
        "floating number does not fit the integer type", cwe Some(681), On;
    ArithShift = arith_shift, "arith.shift":
        "shift amount out of range", cwe Some(1335), On;
    ArithSignedOverflow = arith_signed_overflow, "arith.signed-overflow":
        "signed arithmetic overflow", cwe Some(190), On;
    ArithUnsignedOverflow = arith_unsigned_overflow, "arith.unsigned-overflow":
        "unsigned arithmetic wraps around", cwe Some(190), Off;
    ArithZeroCount = arith_zero_count, "arith.zero-count":
        "leading or trailing zeros of zero", cwe Some(758), On;
    CallArgument = call_argument, "call.argument":
        "argument that the library does not allow", cwe Some(628), On;
    CallNoBody = call_no_body, "call.no-body":
        "call of a function without a body", cwe None, On;
    CallNoValue = call_no_value, "call.no-value":
        "use of a value that the function did not return", cwe Some(394), On;
    CallNonnull = call_nonnull, "call.nonnull":
        "null where it is declared to be impossible", cwe Some(476), On;
    CallNoreturn = call_noreturn, "call.noreturn":
        "function that is declared not to return returns", cwe Some(758), On;
    CallType = call_type, "call.type":
        "call through a pointer of the wrong type", cwe Some(843), On;
    FloatNan = float_nan, "float.nan":
        "floating operation yields NaN", cwe None, Off;
    FloatOverflow = float_overflow, "float.overflow":
        "floating operation overflows to infinity", cwe None, Off;
    MemoryAlignment = memory_alignment, "memory.alignment":
        "access at a misaligned address", cwe Some(704), On;
    MemoryBounds = memory_bounds, "memory.bounds":
        "access outside of the object", cwe Some(119), On;
    MemoryCleanup = memory_cleanup, "memory.cleanup":
        "memory is not freed when the program ends", cwe Some(401), Off;
    MemoryDoubleFree = memory_double_free, "memory.double-free":
        "memory is freed twice", cwe Some(415), On;
    MemoryIndex = memory_index, "memory.index":
        "array index out of range", cwe Some(129), On;
    MemoryInvalidFree = memory_invalid_free, "memory.invalid-free":
        "free of a pointer that was not allocated", cwe Some(590), On;
    MemoryLeak = memory_leak, "memory.leak":
        "allocated memory can no longer be reached", cwe Some(401), On;
    MemoryLifetime = memory_lifetime, "memory.lifetime":
        "access of an object whose life has ended", cwe Some(416), On;
    MemoryNull = memory_null, "memory.null":
        "null pointer dereference", cwe Some(476), On;
    MemoryReadOnly = memory_read_only, "memory.read-only":
        "write to a constant object", cwe Some(758), On;
    MemoryUninitialized = memory_uninitialized, "memory.uninitialized":
        "use of an uninitialized value", cwe Some(457), Off;
    MemoryVlaLength = memory_vla_length, "memory.vla-length":
        "variable-length array without elements", cwe Some(1284), On;
    PointerUnrelated = pointer_unrelated, "pointer.unrelated":
        "pointers to different objects ordered or subtracted", cwe Some(469), Off;
    Race = race, "race":
        "data race", cwe Some(362), Off;
    ReachError = reach_error, "reach.error":
        "error call is reachable", cwe None, On;
    ReachUnreachable = reach_unreachable, "reach.unreachable":
        "code declared unreachable is reached", cwe Some(561), On;
    SequenceUnsequenced = sequence_unsequenced, "sequence.unsequenced":
        "effects without an order", cwe Some(758), On;
    UserAssert = user_assert, "user.assert":
        "assertion fails", cwe Some(617), On;
}

impl PropertyId {
    /// The property of a dotted id.
    pub fn from_id(id: &str) -> Option<PropertyId> {
        PropertyId::ALL
            .binary_search_by(|property| property.info().id.cmp(id))
            .ok()
            .map(|i| PropertyId::ALL[i])
    }
}

impl fmt::Display for PropertyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().id)
    }
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PropertySet(u64);

impl PropertySet {
    /// No property.
    pub const EMPTY: PropertySet = PropertySet(0);

    /// The properties that are checked by default.
    pub fn default_on() -> PropertySet {
        PropertyId::ALL
            .iter()
            .copied()
            .filter(|property| property.info().by_default == ByDefault::On)
            .collect()
    }

    /// Every property.
    pub fn all() -> PropertySet {
        PropertyId::ALL.iter().copied().collect()
    }

    /// Whether a property is in the set.
    pub fn contains(self, property: PropertyId) -> bool {
        self.0 & 1 << property as u32 != 0
    }

    /// The set with a property.
    #[must_use]
    pub fn with(self, property: PropertyId) -> PropertySet {
        PropertySet(self.0 | 1 << property as u32)
    }

    /// The set without a property.
    #[must_use]
    pub fn without(self, property: PropertyId) -> PropertySet {
        PropertySet(self.0 & !(1 << property as u32))
    }

    /// The members of both sets.
    #[must_use]
    pub fn and(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 | other.0)
    }

    /// The members in the order in which their claims about one place stand.
    pub(crate) fn in_order_of_claims(self) -> Vec<PropertyId> {
        let mut members: Vec<PropertyId> = self.iter().collect();
        members.sort_by_key(|property| match property.info().sites {
            Sites::Access(presumes, _) => presumes,
            _ => Presumes::Nothing,
        });
        members
    }

    /// The members in order of id.
    pub fn iter(self) -> impl Iterator<Item = PropertyId> {
        PropertyId::ALL.iter().copied().filter(move |property| self.contains(*property))
    }
}

impl FromIterator<PropertyId> for PropertySet {
    fn from_iter<I: IntoIterator<Item = PropertyId>>(properties: I) -> PropertySet {
        properties.into_iter().fold(PropertySet::EMPTY, PropertySet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_is_sorted_and_ids_are_found() {
        assert!(PropertyId::ALL.windows(2).all(|w| w[0].info().id < w[1].info().id));
        for &property in PropertyId::ALL {
            assert_eq!(PropertyId::from_id(property.info().id), Some(property));
        }
        assert_eq!(PropertyId::from_id("memory"), None);
        assert!(PropertyId::ALL.len() <= 64);
    }

    #[test]
    fn sets() {
        let set = PropertySet::EMPTY.with(PropertyId::MemoryNull).with(PropertyId::UserAssert);
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [PropertyId::MemoryNull, PropertyId::UserAssert]
        );
        assert!(!set.without(PropertyId::MemoryNull).contains(PropertyId::MemoryNull));
        assert!(!PropertySet::default_on().contains(PropertyId::ArithUnsignedOverflow));
    }
}
