//! What a verdict rests on besides the program: everything that was fixed where C or the world leave it open.
//!
//! An assumption is benign if the meaning that Vergo documents for C includes it: a verdict is then one about that meaning.
//! While another one remains, `true` is withheld.

use vergo_goto::program::{InstrKind, Program};
use vergo_goto::types::Type;
use vergo_lower::codes::{ASM_HAVOC, NO_BODY, NO_DEFINITION, NOT_CONSTANT};
use vergo_passes::properties::PropertyId;
use vergo_source::Code;

use super::CheckRequest;
use super::specification::Specification;
use crate::job::Job;

/// Something that was assumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// A stable word for machines.
    pub id: &'static str,
    /// A sentence for people.
    pub text: String,
    /// Whether the documented meaning of C includes it.
    pub benign: bool,
}

/// Diagnostics of lowering that say what was fixed, each with a word and a sentence.
const LOWERING: &[(Code, &str, &str)] = &[
    (NO_BODY, "no-body", "its result is any value, and memory stays as it is"),
    (NO_DEFINITION, "no-definition", "its first value is any value"),
    (ASM_HAVOC, "assembly", "its outputs get any values, and nothing else changes"),
    (NOT_CONSTANT, "initialiser", "the first value is any value"),
];

pub(super) fn of(job: &Job, program: &Program, request: &CheckRequest) -> Vec<Assumption> {
    let mut found = Vec::new();
    let mut benign = |id, text: String| found.push(Assumption { id, text, benign: true });
    let width = program.machine.pointer_width;
    let model = if width == 32 { "ILP32" } else { "LP64" };
    benign("data-model", format!("the data model is {model}, little-endian, as gcc has it on x86"));
    if !request.malloc_may_fail && allocates(program) {
        benign("malloc-succeeds", "`malloc` and its like never fail".to_owned());
    }
    let has_floats = (0..program.exprs.len())
        .any(|i| matches!(program.type_of(cranelift_entity::EntityRef::new(i)), Type::Float(_)));
    if has_floats {
        let text =
            "floating operations round to nearest, ties to even, in the format of their type";
        benign("rounding", text.to_owned());
    }
    for diagnostic in &job.diagnostics {
        if let Some((_, id, what)) = LOWERING.iter().find(|(code, ..)| *code == diagnostic.code) {
            benign(id, format!("{}: {what}", diagnostic.message));
        }
    }
    if let Specification::Claims(properties) = &request.specification
        && properties.text.is_none()
        && !properties.set().contains(PropertyId::MemoryUninitialized)
    {
        let text =
            "reading an uninitialised variable gives any value (`memory.uninitialized` forbids it)";
        benign("uninitialized", text.to_owned());
    }
    found
}

fn allocates(program: &Program) -> bool {
    let bodies = program.functions.values().filter_map(|function| function.body.as_deref());
    bodies.flatten().any(|instr| {
        matches!(instr.kind, InstrKind::Alloc { region: vergo_goto::program::Region::Heap, .. })
    })
}
