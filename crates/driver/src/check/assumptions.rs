//! The assumptions of a verdict besides the program: everything that was fixed where C or the world leave it open.
//!
//! An assumption is benign if the meaning that Vergo documents for C includes it, or if it lets a program do more than it
//! can: a verdict is then one about that meaning. While another one remains, and nobody allows it, `true` is withheld.
//!
//! Where an approximation is made, its diagnostic carries the assumption ([`vergo_source::Assumed`]); the others, about the machine
//! and the library, are added here. One that is not benign, such as that assembly changes nothing but its outputs, counts only if its
//! function is left in the program: a statement that is never reached is not relied on. A function without a body is not here: nothing is
//! assumed of it, since a call of it is a claim that fails or an obstacle to every proof.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use vergo_goto::expr::{BinaryOp, ExprKind, UnaryOp};
use vergo_goto::program::{Instr, InstrKind, MemoryOrder, Program, Region};
use vergo_goto::types::Type;
use vergo_passes::properties::PropertyId;
use vergo_passes::properties::unchecked::if_unchecked;
use vergo_source::{Assumed, Span};

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
    /// True if the documented meaning of C includes it.
    pub benign: bool,
    /// True if a verdict may rest on it all the same.
    pub allowed: bool,
}

impl Assumption {
    fn benign(id: &'static str, text: String) -> Assumption {
        Assumption { id, text, benign: true, allowed: false }
    }

    /// Checks whether `true` is withheld because of it.
    pub(crate) fn withholds(&self) -> bool {
        !self.benign && !self.allowed
    }
}

/// Returns the assumptions about a program; `unchecked` are the properties about undefined behaviour that it may
/// violate and that are not checked.
pub(super) fn of(
    job: &Job,
    program: &Program,
    request: &CheckRequest,
    unchecked: &[PropertyId],
) -> Vec<Assumption> {
    let mut found = Vec::new();
    let mut benign = |id, text: String| found.push(Assumption::benign(id, text));
    let width = program.machine.pointer_width;
    let model = if width == 32 { "ILP32" } else { "LP64" };
    benign("data-model", format!("the data model is {model}, little-endian, as gcc has it on x86"));
    if !request.malloc_may_fail && allocates(program, Region::Heap) {
        benign("malloc-succeeds", "`malloc` and its like never fail".to_owned());
    }
    if allocates(program, Region::Stack) {
        let text =
            "the stack has room for every variable-length array below half the address space";
        benign("stack-suffices", text.to_owned());
    }
    if program.orders().any(|order| order < MemoryOrder::Sequential) {
        let text = "memory is sequentially consistent, whatever order atomic operations ask for";
        benign("sequential-consistency", text.to_owned());
    }
    let has_floats = (0..program.exprs.len())
        .any(|i| matches!(program.type_of(cranelift_entity::EntityRef::new(i)), Type::Float(_)));
    if has_floats {
        let text =
            "floating operations round to nearest, ties to even, in the format of their type";
        benign("rounding", text.to_owned());
    }
    let is_mathematical = |kind: &ExprKind| {
        matches!(
            kind,
            ExprKind::Unary(UnaryOp::Library(_), _) | ExprKind::Binary(BinaryOp::Library(_), ..)
        )
    };
    if program.exprs.iter().any(|(_, expr)| is_mathematical(&expr.kind)) {
        let text = "functions of `<math.h>` whose arguments are known give the exact result, rounded once; a library may be off by \
                    the last digit";
        benign("correct-rounding", text.to_owned());
    }
    // The same words at many places are one assumption.
    let mut known = BTreeSet::new();
    let left = LazyCell::new(|| extents(program));
    for (diagnostic, Assumed { id, what, is_documented }) in job.diagnostics.assuming() {
        let text = format!("{}: {what}", diagnostic.message);
        let counts = is_documented || is_left(&left, diagnostic.primary);
        if counts && known.insert((id, text.clone())) {
            found.push(Assumption { id, text, benign: is_documented, allowed: false });
        }
    }
    let mut benign = |id, text: String| found.push(Assumption::benign(id, text));
    if let Specification::Claims(properties) = &request.specification
        && properties.text.is_none()
        && !properties.set().contains(PropertyId::MemoryUninitialized)
    {
        let text =
            "reading an uninitialised variable gives any value (`memory.uninitialized` forbids it)";
        benign("uninitialized", text.to_owned());
    }
    for &property in unchecked {
        if let Some(what) = if_unchecked(property) {
            benign(property.info().id, format!("{what} (`{property}` is not checked)"));
        }
    }
    for assumption in &mut found {
        assumption.allowed = request.allow.iter().any(|id| id == assumption.id);
    }
    found
}

/// The extent of each function that is left in the program.
fn extents(program: &Program) -> Vec<Span> {
    let bodies = program.functions.values().filter_map(|function| function.body.as_deref());
    let extent = |body: &[Instr]| {
        let spans = body.iter().map(|instr| instr.span).filter(|span| *span != Span::DUMMY);
        spans.reduce(|all, span| Span::new(all.lo.min(span.lo), all.hi.max(span.hi)))
    };
    bodies.filter_map(extent).collect()
}

/// Returns whether the function that a place of the source is in is left. A statement need not leave an instruction.
fn is_left(extents: &[Span], span: Span) -> bool {
    extents.iter().any(|extent| extent.lo <= span.lo && span.lo <= extent.hi)
}

fn allocates(program: &Program, wanted: Region) -> bool {
    let bodies = program.functions.values().filter_map(|function| function.body.as_deref());
    bodies
        .flatten()
        .any(|instr| matches!(instr.kind, InstrKind::Alloc { region, .. } if region == wanted))
}
