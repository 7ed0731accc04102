//! The result of symbolic execution: obligations to check and the steps that a counterexample is made of.

use crate::initial::FreshId;
use crate::memory::ObjectId;
use crate::spacing::Spacing;
use cranelift_entity::PrimaryMap;
use std::collections::BTreeMap;
use vergo_goto::program::{Claim, FunctionId, SymbolId};
use vergo_goto::types::TypeId;
use vergo_num::{BitVec, FloatFormat, RoundingMode};
use vergo_source::Span;
use vergo_term::{Evaluator, TermId, Value};

/// The result of a bounded symbolic execution.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The obligations to be shown unsatisfiable, in order of execution.
    pub obligations: Vec<Obligation>,
    /// The constraints on all variables (addresses of objects, ranges of inputs).
    pub constraints: Vec<TermId>,
    /// The steps, in order of execution.
    pub steps: Vec<Step>,
    /// The bytes that objects were made with and nobody has written.
    pub fresh: PrimaryMap<FreshId, Fresh>,
    /// The sizes of objects that are not constant.
    pub sizes: Vec<TermId>,
    /// The addresses of the objects at which somebody has looked.
    pub addresses: BTreeMap<ObjectId, TermId>,
    /// Those of variables and functions that are there from the beginning.
    pub fixtures: Vec<(Fixture, TermId)>,
    /// Memory of the outside that somebody has looked at: addresses and what is there.
    pub outside: Vec<(u64, FreshId)>,
    /// For each turn of the way that was made, when an execution without a fault comes there, and when it goes on as the way
    /// says.
    pub turns: Vec<(TermId, TermId)>,
    /// Where more behaviours were admitted than there are, with the reason, once each.
    pub approximations: Vec<(Span, String)>,
    /// The choices that are functions of operands: these, and the variable.
    pub choices: Vec<([TermId; 3], TermId)>,
    /// Accesses that the interpreter would stop at, in order of execution.
    pub faults: Vec<Fault>,
    /// The number of executed instructions.
    pub n_steps: u64,
    /// Says whether the step limit or the deadline ended execution early; then nothing can be proved from the trace.
    pub cut_short: Option<String>,
}

/// A condition that is violated if it can be satisfied together with the constraints.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The kind.
    pub kind: ObligationKind,
    /// Satisfied by the executions that violate it.
    pub violation: TermId,
    /// Satisfied by those of them that meet no fault before: only these can be replayed.
    pub replayable: TermId,
    /// The violation, whether the place is reached or not: the negation of a claim's condition, true for a place that
    /// must not be reached.
    pub fails: TermId,
    /// Where.
    pub span: Span,
}

/// An access that has no meaning in C, and any result in GOTO: to an object that is dead, outside of its bounds.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Satisfied by the executions that do it.
    pub condition: TermId,
    /// Where.
    pub span: Span,
    /// What.
    pub what: &'static str,
}

/// The kind of an obligation.
#[derive(Clone, Debug)]
pub enum ObligationKind {
    /// A claim of a property.
    Claim(Box<Claim>),
    /// A loop was cut: no execution may want another round.
    Unwinding,
    /// A loop was cut at a bound of its own.
    OwnBound,
    /// A recursive call was cut.
    Recursion,
    /// Something unsupported: no execution may get there.
    Unsupported(String),
}

impl ObligationKind {
    /// Checks whether a bound ended something there.
    pub fn is_bound(&self) -> bool {
        matches!(self, Self::Unwinding | Self::OwnBound | Self::Recursion)
    }
}

/// A step of the execution.
#[derive(Clone, Debug)]
pub struct Step {
    /// Satisfied by the executions that take the step.
    pub guard: TermId,
    /// Where.
    pub span: Span,
    /// The event.
    pub kind: StepKind,
}

/// Something that has one address from the beginning to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fixture {
    /// A static variable.
    Static(SymbolId),
    /// A function.
    Function(FunctionId),
}

/// The event of a step.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A nondeterministic choice: the site, the value and its type.
    Input {
        /// The number of the site.
        site: u32,
        /// The variable.
        value: TermId,
        /// The GOTO type.
        ty: TypeId,
    },
    /// A nondeterministic structure or array: its bytes.
    Bytes {
        /// The number of the site.
        site: u32,
        /// The bytes.
        value: FreshId,
        /// The number of bytes.
        size: u64,
    },
    /// An object comes to life.
    New {
        /// The variable; none for an allocation.
        symbol: Option<SymbolId>,
        /// Its bytes, if nobody has written them.
        value: Option<FreshId>,
        /// Its number among all objects.
        object: ObjectId,
    },
    /// Bytes come from outside: how many (signed; negative for an error), and which.
    Read {
        /// The number of bytes.
        count: TermId,
        /// The bytes.
        value: FreshId,
    },
}

/// Bytes that hold anything, as variables: those that were read.
#[derive(Clone, Debug)]
pub struct Fresh {
    /// A name that says what they are.
    pub name: String,
    /// Words that were read: offset, size in bytes, variable; disjoint, by ascending offset.
    pub words: Vec<(u64, u64, TermId)>,
    /// Arrays that were read at unknown indices.
    pub arrays: Vec<FreshArray>,
}

/// Scalars of an array that were read at unknown indices.
#[derive(Clone, Debug)]
pub struct FreshArray {
    /// The offset of the first.
    pub first: u64,
    /// Where the others are.
    pub spacing: Spacing,
    /// The variable, of array sort.
    pub term: TermId,
    /// The number of bytes of a scalar.
    pub size: u64,
}

impl Fresh {
    /// The bytes that a model gives, each with its offset; those not mentioned do not matter.
    pub fn bytes(&self, evaluator: &mut Evaluator<'_>) -> Vec<(u64, u8)> {
        let mut bytes = Vec::new();
        for array in &self.arrays {
            let Value::Array(value) = evaluator.value(array.term) else { continue };
            let elements: Vec<(u64, BitVec)> = value
                .entries()
                .filter_map(|(index, element)| Some((index.to_u64()?, scalar_bits(element)?)))
                .collect();
            for (index, bits) in elements {
                let Some(start) = array.spacing.offset(index) else { continue };
                let Some(start) = start.checked_add(array.first) else { continue };
                push_bytes(&mut bytes, start, &bits, array.size);
            }
        }
        for &(offset, size, term) in &self.words {
            push_bytes(&mut bytes, offset, &evaluator.value(term).as_bv().clone(), size);
        }
        bytes
    }
}

fn scalar_bits(value: &Value) -> Option<BitVec> {
    match value {
        Value::Bool(value) => Some(BitVec::from_u64(8, (*value).into())),
        Value::BitVec(bits) => Some(bits.clone()),
        Value::Float(float) => {
            let format = float.format();
            // Terms know IEEE formats only; the one that is not encoded so is told by its precision.
            let x87 = format.exponent_bits() == FloatFormat::X87_EXTENDED.exponent_bits()
                && format.significand_bits() == FloatFormat::X87_EXTENDED.significand_bits();
            let float = if x87 {
                float.convert(FloatFormat::X87_EXTENDED, RoundingMode::NearestEven)
            } else {
                float.clone()
            };
            Some(float.bits().clone())
        }
        _ => None,
    }
}

fn push_bytes(bytes: &mut Vec<(u64, u8)>, start: u64, bits: &BitVec, size: u64) {
    for (i, byte) in bits.to_le_bytes().into_iter().take(size as usize).enumerate() {
        bytes.push((start + i as u64, byte));
    }
}
