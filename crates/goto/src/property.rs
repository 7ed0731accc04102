//! The facts about each property that a program can be claimed to have: one row each, and nowhere else.
//!
//! A row gives the dotted id that users see, a title, the CWE number, whether it is checked when nobody asks, and how a
//! compiled test shows a violation. The passes that make claims have a file for each row (`vergo_passes::properties`).

use crate::program::Claim;
use std::fmt;

/// The condition under which a property is checked when the user names none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ByDefault {
    On,
    Off,
}

/// The way in which a test that is compiled and run shows a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The program ends or says so by itself.
    Itself,
    /// These sanitizers of the compiler report it.
    Sanitizer(&'static str),
    /// The test counts allocations.
    CountedMemory,
    /// The test defines the error functions.
    ErrorFunction,
}

/// Everything that is known of a property.
pub struct PropertyInfo {
    /// The dotted id.
    pub id: &'static str,
    /// A short name of the mistake that violates it.
    pub title: &'static str,
    /// The CWE number.
    pub cwe: Option<u32>,
    /// The condition under which it is checked by default.
    pub by_default: ByDefault,
    /// The way in which a compiled test shows a violation.
    pub shown: Shown,
}

/// Hands the rows of all properties, sorted by id, to a macro.
#[macro_export]
macro_rules! for_each_property {
    ($act:ident) => {
        $act! {
            ArithConversion = arith_conversion, "arith.conversion":
                "conversion changes the value", cwe Some(681), Off, shown by Itself;
            ArithDivisionByZero = arith_division_by_zero, "arith.division-by-zero":
                "division by zero", cwe Some(369), On, shown by Sanitizer("integer-divide-by-zero");
            ArithFloatConversion = arith_float_conversion, "arith.float-conversion":
                "floating number does not fit the integer type", cwe Some(681), On, shown by Itself;
            ArithShift = arith_shift, "arith.shift":
                "shift amount out of range", cwe Some(1335), On, shown by Sanitizer("shift");
            ArithSignedOverflow = arith_signed_overflow, "arith.signed-overflow":
                "signed arithmetic overflow", cwe Some(190), On, shown by Sanitizer("signed-integer-overflow,shift,integer-divide-by-zero");
            ArithUnsignedOverflow = arith_unsigned_overflow, "arith.unsigned-overflow":
                "unsigned arithmetic wraps around", cwe Some(190), Off, shown by Itself;
            ArithZeroCount = arith_zero_count, "arith.zero-count":
                "leading or trailing zeros of zero", cwe Some(758), On, shown by Itself;
            CallArgument = call_argument, "call.argument":
                "argument that the library does not allow", cwe Some(628), On, shown by Itself;
            CallNoBody = call_no_body, "call.no-body":
                "call of a function without a body", cwe None, On, shown by Itself;
            CallNoValue = call_no_value, "call.no-value":
                "use of a value that the function did not return", cwe Some(394), On, shown by Itself;
            CallNonnull = call_nonnull, "call.nonnull":
                "null where it is declared to be impossible", cwe Some(476), On, shown by Itself;
            CallNoreturn = call_noreturn, "call.noreturn":
                "function that is declared not to return returns", cwe Some(758), On, shown by Itself;
            CallType = call_type, "call.type":
                "call through a pointer of the wrong type", cwe Some(843), On, shown by Itself;
            FloatNan = float_nan, "float.nan":
                "floating operation yields NaN", cwe None, Off, shown by Itself;
            FloatOverflow = float_overflow, "float.overflow":
                "floating operation overflows to infinity", cwe None, Off, shown by Itself;
            MemoryAlignment = memory_alignment, "memory.alignment":
                "access at a misaligned address", cwe Some(704), On, shown by Sanitizer("alignment");
            MemoryBounds = memory_bounds, "memory.bounds":
                "access outside of the object", cwe Some(119), On, shown by Sanitizer("address");
            MemoryCleanup = memory_cleanup, "memory.cleanup":
                "memory is not freed when the program ends", cwe Some(401), Off, shown by CountedMemory;
            MemoryDoubleFree = memory_double_free, "memory.double-free":
                "memory is freed twice", cwe Some(415), On, shown by Sanitizer("address");
            MemoryIndex = memory_index, "memory.index":
                "array index out of range", cwe Some(129), On, shown by Sanitizer("address,bounds");
            MemoryInvalidFree = memory_invalid_free, "memory.invalid-free":
                "free of a pointer that was not allocated", cwe Some(590), On, shown by Sanitizer("address");
            MemoryLeak = memory_leak, "memory.leak":
                "allocated memory can no longer be reached", cwe Some(401), On, shown by Sanitizer("address");
            MemoryLifetime = memory_lifetime, "memory.lifetime":
                "access of an object whose life has ended", cwe Some(416), On, shown by Sanitizer("address");
            MemoryNull = memory_null, "memory.null":
                "null pointer dereference", cwe Some(476), On, shown by Sanitizer("address");
            MemoryReadOnly = memory_read_only, "memory.read-only":
                "write to a constant object", cwe Some(758), On, shown by Sanitizer("address");
            MemoryUninitialized = memory_uninitialized, "memory.uninitialized":
                "use of an uninitialized value", cwe Some(457), Off, shown by Sanitizer("address");
            MemoryVlaLength = memory_vla_length, "memory.vla-length":
                "variable-length array without elements", cwe Some(1284), On, shown by Sanitizer("address");
            PointerUnrelated = pointer_unrelated, "pointer.unrelated":
                "pointers to different objects ordered or subtracted", cwe Some(469), Off, shown by Itself;
            Race = race, "race":
                "data race", cwe Some(362), Off, shown by Itself;
            ReachError = reach_error, "reach.error":
                "error call is reachable", cwe None, On, shown by ErrorFunction;
            ReachUnreachable = reach_unreachable, "reach.unreachable":
                "code declared unreachable is reached", cwe Some(758), On, shown by Itself;
            SequenceUnsequenced = sequence_unsequenced, "sequence.unsequenced":
                "effects without an order", cwe Some(758), On, shown by Itself;
            ThreadDeadlock = thread_deadlock, "thread.deadlock":
                "threads wait for ever", cwe Some(833), Off, shown by Itself;
            ThreadDestroyLocked = thread_destroy_locked, "thread.destroy-locked":
                "lock is destroyed while it is in use", cwe Some(667), On, shown by Itself;
            ThreadJoinTwice = thread_join_twice, "thread.join-twice":
                "thread is joined or detached twice", cwe Some(675), On, shown by Itself;
            ThreadUnlockNotHeld = thread_unlock_not_held, "thread.unlock-not-held":
                "unlock of a lock that the thread does not hold", cwe Some(832), On, shown by Itself;
            UserAssert = user_assert, "user.assert":
                "assertion fails", cwe Some(617), On, shown by Itself;
        }
    };
}

/// Declares the properties.
macro_rules! declare {
    ($($variant:ident = $module:ident, $id:literal: $title:literal, cwe $cwe:expr, $default:ident,
        shown by $shown:ident $(($how:literal))?;)*) => {
        /// A property.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum PropertyId {
            $(#[doc = $title] $variant,)*
        }

        impl PropertyId {
            /// All properties in order of id.
            pub const ALL: &'static [PropertyId] = &[$(PropertyId::$variant),*];

            /// Returns the property's row in the table.
            pub fn info(self) -> &'static PropertyInfo {
                match self {
                    $(PropertyId::$variant => &PropertyInfo {
                        id: $id,
                        title: $title,
                        cwe: $cwe,
                        by_default: ByDefault::$default,
                        shown: Shown::$shown $(($how))?,
                    },)*
                }
            }
        }
    };
}

for_each_property!(declare);

/// Limits that a run can meet, with their CWE numbers. They are named like properties, but nobody asks for them.
const LIMITS: &[(&str, u32)] = &[("memory.limit", 400), ("memory.stack", 674)];

impl Claim {
    /// A claim of a property by its id; what does not belong to any has no CWE number.
    pub fn new(property: &str, description: impl Into<String>) -> Claim {
        let limit = LIMITS.iter().find(|(id, _)| *id == property).map(|(_, cwe)| *cwe);
        let cwe = PropertyId::from_id(property).and_then(|id| id.info().cwe).or(limit);
        Claim { property: property.to_owned(), description: description.into(), cwe }
    }
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

    /// Returns whether a property is in the set.
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

/// The access that a claim about races describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessText<'a> {
    /// True if the access writes.
    pub writes: bool,
    /// The accessed place, in the user's words.
    pub what: &'a str,
}

impl AccessText<'_> {
    const BEFORE: &'static str = "a thread ";
    const AFTER: &'static str = " while another accesses it";

    fn does(self) -> &'static str {
        if self.writes { "writes" } else { "reads" }
    }

    /// The claim's description.
    pub fn claim(self) -> String {
        format!("{}{self}{}", AccessText::BEFORE, AccessText::AFTER)
    }

    /// Parses the description of a claim about races; `None` if the claim is about something else.
    pub fn of_claim(description: &str) -> Option<AccessText<'_>> {
        let access = description.strip_prefix(AccessText::BEFORE)?;
        let (does, what) = access.strip_suffix(AccessText::AFTER)?.split_once(' ')?;
        let both = [true, false].map(|writes| AccessText { writes, what });
        both.into_iter().find(|access| access.does() == does)
    }
}

impl fmt::Display for AccessText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.does(), self.what)
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
    fn claims_about_races_say_what_is_accessed() {
        let access = AccessText { writes: true, what: "p->next while another" };
        let claim = access.claim();
        assert_eq!(AccessText::of_claim(&claim), Some(access));
        assert_eq!(AccessText::of_claim("a thread starts x while another accesses it"), None);
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
