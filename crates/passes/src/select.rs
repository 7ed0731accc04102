//! Drops the claims of properties that are not selected.

use crate::Options;
use crate::properties::PropertyId;
use vergo_goto::program::{InstrKind, Program};

/// The pass. A claim of a property that the registry does not know (from a program in text) stays.
pub fn run(program: &mut Program, options: &Options) {
    for function in program.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(_, claim) = &instr.kind
                && PropertyId::from_id(&claim.property).is_some_and(|id| !options.properties.contains(id))
            {
                instr.kind = InstrKind::Skip;
            }
        }
    }
}
