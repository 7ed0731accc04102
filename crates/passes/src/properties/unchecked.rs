//! The assumptions behind a verdict where a property about undefined behaviour is not checked.
//!
//! GOTO gives every operation a meaning, so a program goes on where C says nothing any more, often without the effect that
//! a machine would show: a write outside of every object changes nothing. A proof about what comes after is then one about
//! executions in which that does not happen. The report says so for each such property that has a place in the program
//! which is not harmless at a glance.

use super::PropertyId::{self, *};
use super::{Exempt, PropertySet};
use crate::Options;
use crate::manager::{Verify, run_passes};
use crate::pipelines::CHECK;
use std::collections::BTreeSet;
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{InstrKind, Program};

/// The assumption or the fixed behaviour for each property that is not checked; sorted by property.
const UNCHECKED: &[(PropertyId, &str)] = &[
    (ArithDivisionByZero, "no division by zero"),
    (
        ArithFloatConversion,
        "a floating number that an integer type cannot hold is converted as on the machine",
    ),
    (ArithShift, "no shift by less than zero or by the width and more"),
    (ArithSignedOverflow, "signed arithmetic wraps around"),
    (ArithZeroCount, "the zeros of zero are as many as the type has bits"),
    (CallArgument, "library functions get arguments that they allow"),
    (CallNoValue, "a function that ends without a value returns any value"),
    (CallNonnull, "what is declared not to be null may be null"),
    (CallNoreturn, "a function that is declared not to return may return"),
    (
        CallType,
        "calls through pointers go to functions whose addresses the program takes; one to a function of another type goes as on \
         the machine",
    ),
    (MemoryAlignment, "accesses need no alignment"),
    (MemoryBounds, "no access outside of an object"),
    (MemoryDoubleFree, "no memory is freed twice"),
    (MemoryIndex, "an index that leaves its array stays in the object around it"),
    (MemoryInvalidFree, "only allocated memory is freed"),
    (MemoryLifetime, "no access to an object whose life has ended"),
    (MemoryNull, "no access through a null pointer"),
    (MemoryReadOnly, "no write to a constant object"),
    (MemoryVlaLength, "a variable-length array has at least one element"),
    (ReachUnreachable, "code that is declared unreachable is not reached"),
    (SequenceUnsequenced, "effects without an order happen in gcc's"),
    (ThreadDestroyLocked, "locks are destroyed when nobody uses them"),
    (ThreadJoinTwice, "threads are joined or detached once"),
    (ThreadUnlockNotHeld, "locks are unlocked by who holds them"),
];

/// Returns the assumption where a property is not checked; `None` if its violation is not undefined behaviour.
pub fn if_unchecked(property: PropertyId) -> Option<&'static str> {
    let at = UNCHECKED.binary_search_by_key(&property, |&(property, _)| property).ok()?;
    Some(UNCHECKED[at].1)
}

/// The properties about undefined behaviour that are not selected, or not everywhere, and could be violated there by a program
/// (as it is lowered, without claims of passes), in order of id.
pub fn unchecked(program: &Program, selected: PropertySet, exempt: &Exempt) -> Vec<PropertyId> {
    let open = UNCHECKED.iter().map(|&(property, _)| property);
    let is_open = |property: &PropertyId| {
        !selected.contains(*property) || exempt.properties().contains(*property)
    };
    let properties: PropertySet = open.filter(is_open).collect();
    if properties == PropertySet::EMPTY {
        return Vec::new();
    }
    let mut program = program.clone();
    let options = Options { properties, ..Options::default() };
    let done = run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {});
    if done.is_err() {
        return properties.iter().collect();
    }
    let mut found = BTreeSet::new();
    for function in program.functions.values() {
        for instr in function.body.iter().flatten() {
            if let InstrKind::Assert(condition, claim) = &instr.kind
                && *program.exprs.kind(*condition) != ExprKind::Bool(true)
                && let Some(property) = PropertyId::from_id(&claim.property)
                && (!selected.contains(property) || exempt.covers(property, instr.span))
            {
                found.insert(property);
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted() {
        assert!(UNCHECKED.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!(if_unchecked(MemoryNull), Some("no access through a null pointer"));
        assert_eq!(if_unchecked(UserAssert), None);
    }
}
