//! Drops the claims of properties that are not selected, or not at their place.
//!
//! A call of a function without a body cannot be passed over: nothing is known of what the function does. Where that is
//! not claimed to be wrong, it is unsupported.

use crate::Options;
use crate::properties::PropertyId;
use vergo_goto::program::{InstrKind, Program};

/// The pass. A claim of a property that the registry does not know (from a program in text) stays.
pub fn run(program: &mut Program, options: &Options) {
    for function in program.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(_, claim) = &instr.kind
                && PropertyId::from_id(&claim.property).is_some_and(|id| {
                    !options.properties.contains(id) || options.exempt.covers(id, instr.span)
                })
            {
                instr.kind = match PropertyId::from_id(&claim.property) {
                    Some(PropertyId::CallNoBody) => InstrKind::Unsupported(claim.description.as_str().into()),
                    _ => InstrKind::Skip,
                };
            }
        }
    }
}
