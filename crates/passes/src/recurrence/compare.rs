//! Copies of a state, and the comparison with them.

use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, MemoryOp, UnaryOp};
use vergo_goto::program::{LabelId, Program};
use vergo_goto::types::{Type, TypeId};
use vergo_num::FloatFormat;

use super::state::Part;
use super::{STATIC, ghost};

/// Arrays of at most this many elements are compared without a loop.
const UNROLLED: u64 = 4;
/// The greatest nesting of types.
const DEPTH: u32 = 16;

/// The instructions that copy and compare the parts of a state.
pub(super) struct Comparison {
    /// The condition under which the parts exist.
    pub(super) guard: Option<ExprId>,
    /// The parts and their copies.
    copies: Vec<(ExprId, ExprId)>,
}

/// Checks whether values of a type can be compared: all but unions.
pub(super) fn is_comparable(program: &Program, ty: TypeId, depth: u32) -> bool {
    match program.types.get(ty) {
        _ if depth > DEPTH => false,
        Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_) => true,
        Type::Array(element, _) => is_comparable(program, *element, depth + 1),
        Type::Struct(id) => {
            let structure = &program.types.structs[*id];
            let mut fields = structure.fields.iter();
            structure.complete
                && !structure.union
                && fields.all(|field| is_comparable(program, field.ty, depth + 1))
        }
        Type::Void | Type::Func(..) => false,
    }
}

/// Makes the copies of a state.
pub(super) fn comparison(program: &mut Program, parts: &[Part]) -> Comparison {
    let mut guards = Vec::new();
    let mut copies = Vec::new();
    for part in parts {
        let place = match *part {
            Part::Variable(symbol) => program.symbol(symbol),
            Part::Behind { place, guarded } => {
                guards.extend(guarded.map(|pointer| is_there(program, pointer)));
                place
            }
        };
        let ty = program.exprs.ty(place);
        let copy = ghost(program, "copy", ty, STATIC);
        copies.push((place, program.symbol(copy)));
    }
    let guard = (!guards.is_empty()).then(|| program.all(guards));
    Comparison { guard, copies }
}

/// Builds the condition that the whole memory behind a pointer lies in an object that is alive.
fn is_there(program: &mut Program, pointer: ExprId) -> ExprId {
    let pointee = program.pointee(program.exprs.ty(pointer));
    let size = pointee.and_then(|ty| program.size_of(ty)).unwrap_or(1);
    let (size, sizes) = (program.size(size), program.size_type());
    let is_live = program.memory(MemoryOp::IsLive, [pointer]);
    let offset = program.memory(MemoryOp::Offset, [pointer]);
    let first = program.cast(sizes, offset);
    let all = program.memory(MemoryOp::ObjectSize, [pointer]);
    let rest = program.binary(BinaryOp::Sub, all, first);
    // A negative offset is a huge one without a sign.
    let is_inside = program.le(first, all);
    let is_enough = program.le(size, rest);
    program.all([is_live, is_inside, is_enough])
}

impl Comparison {
    /// Copies the state.
    pub(super) fn save(&self, out: &mut FunctionBuilder) {
        for &(place, copy) in &self.copies {
            out.assign(copy, place);
        }
    }

    /// Builds the condition that the state is the copied one; control goes to `differs` where it is not.
    pub(super) fn compare(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        differs: LabelId,
    ) -> ExprId {
        let mut conditions = Vec::new();
        for &(place, copy) in &self.copies {
            values(program, out, place, copy, differs, &mut conditions);
        }
        program.all(conditions)
    }
}

/// Compares two values: adds to the conditions, or jumps.
fn values(
    program: &mut Program,
    out: &mut FunctionBuilder,
    a: ExprId,
    b: ExprId,
    differs: LabelId,
    conditions: &mut Vec<ExprId>,
) {
    match program.type_of(a).clone() {
        // Zeros of both signs are equal but differ in what they do, and what is not a number equals nothing: bits tell.
        Type::Float(format) if [FloatFormat::SINGLE, FloatFormat::DOUBLE].contains(&format) => {
            let width = if format == FloatFormat::SINGLE { 32 } else { 64 };
            let word = program.types.int(false, width);
            let [a, b] = [a, b].map(|value| program.bits(word, value));
            conditions.push(program.binary(BinaryOp::Eq, a, b));
        }
        // Others have bytes that mean nothing; what is not a number is taken to differ.
        Type::Float(_) => {
            let equal = program.binary(BinaryOp::Eq, a, b);
            let signs = [a, b].map(|value| program.unary(UnaryOp::SignBit, value));
            let same_sign = program.binary(BinaryOp::Eq, signs[0], signs[1]);
            conditions.push(program.and(equal, same_sign));
        }
        Type::Array(_, n) if n <= UNROLLED => {
            for i in 0..n {
                let i = program.size(i);
                let (a, b) = (program.index(a, i), program.index(b, i));
                values(program, out, a, b, differs, conditions);
            }
        }
        Type::Array(_, n) => {
            let size = program.size_type();
            let counter = ghost(program, "i", size, STATIC);
            let counter = program.symbol(counter);
            let [zero, one, n] = [0, 1, n].map(|value| program.size(value));
            out.assign(counter, zero);
            let (head, after) = (out.label_here(), out.new_label());
            let is_over = program.le(n, counter);
            out.goto_if(is_over, after);
            let (a, b) = (program.index(a, counter), program.index(b, counter));
            let mut inner = Vec::new();
            values(program, out, a, b, differs, &mut inner);
            let same = program.all(inner);
            let other = program.not(same);
            out.goto_if(other, differs);
            let next = program.binary(BinaryOp::Add, counter, one);
            out.assign(counter, next);
            out.goto(head);
            out.label(after);
        }
        Type::Struct(id) => {
            for member in 0..program.types.structs[id].fields.len() {
                let member = u32::try_from(member).unwrap_or(u32::MAX);
                let (a, b) = (program.member(a, member), program.member(b, member));
                values(program, out, a, b, differs, conditions);
            }
        }
        _ => conditions.push(program.binary(BinaryOp::Eq, a, b)),
    }
}
