//! Evaluates operations on constants, and branches and assumptions that are constant.
//!
//! Unlike the builder this folds operations that go wrong too (their claims stand before them by now). Claims stay even
//! if they are true: they are part of the answer.
//!
//! Pointers that are compared as numbers are compared as pointers, which is the same question; but to answer it, nobody has to
//! know where objects lie.

use crate::Options;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::fold;
use vergo_goto::program::{InstrKind, Program};
use vergo_goto::rewrite::ExprMap;
use vergo_goto::types::{Type, TypeId};

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    let mut map = ExprMap::new();
    for function in program.functions.keys() {
        program.rewrite_body(function, |program, out, mut instr| {
            instr.kind.map_exprs(|expr, _| map.map(program, expr, &mut simplify));
            let truth = |expr: ExprId| match program.exprs.kind(expr) {
                ExprKind::Bool(value) => Some(*value),
                _ => None,
            };
            instr.kind = match instr.kind {
                InstrKind::Goto(Some(cond), label) => match truth(cond) {
                    Some(true) => InstrKind::Goto(None, label),
                    Some(false) => InstrKind::Skip,
                    None => InstrKind::Goto(Some(cond), label),
                },
                InstrKind::Assume(cond) if truth(cond) == Some(true) => InstrKind::Skip,
                kind => kind,
            };
            // The spans of parts belong to expressions that may be gone; claims have taken them already.
            instr.parts = Box::default();
            out.push_instr(instr);
        });
    }
}

/// Folds one operation whose operands are folded.
fn simplify(program: &mut Program, expr: ExprId) -> ExprId {
    let ty = program.exprs.ty(expr);
    match *program.exprs.kind(expr) {
        ExprKind::Unary(op, operand) => {
            if let Some(x) = program.const_of(operand)
                && let Some(value) = fold::unary(op, &x)
                && !fold::loses_nan(op == UnaryOp::SignBit, &[&x], Some(&value))
            {
                return program.constant(value);
            }
        }
        ExprKind::Binary(op, left, right) => {
            if let (Some(a), Some(b)) = (program.const_of(left), program.const_of(right))
                && let Some(value) = fold::binary(op, &a, &b)
                && !fold::loses_nan(false, &[], Some(&value))
            {
                return program.constant(value);
            }
            if let (BinaryOp::Eq | BinaryOp::Ne, Some((left, right))) =
                (op, compared_pointers(program, left, right))
            {
                return program.binary(op, left, right);
            }
            if op.yields_bool() {
                return program.binary(op, left, right);
            }
        }
        ExprKind::Cast(mode, operand) => return program.cast_rounding(mode, ty, operand),
        ExprKind::Ite(cond, then, other) => return program.ite(cond, then, other),
        _ => {}
    }
    expr
}

/// The pointers whose addresses two numbers are, one of which may be zero, at one type.
fn compared_pointers(
    program: &mut Program,
    left: ExprId,
    right: ExprId,
) -> Option<(ExprId, ExprId)> {
    let width = program.machine.pointer_width;
    let pointer = |program: &Program, number: ExprId| match (
        program.exprs.kind(number),
        program.type_of(number),
    ) {
        (&ExprKind::Cast(_, pointer), Type::Int { width: as_wide, .. }) if *as_wide == width => {
            matches!(program.type_of(pointer), Type::Ptr(_)).then_some(pointer)
        }
        _ => None,
    };
    let null = |program: &mut Program, number: ExprId, ty: TypeId| {
        let is_zero = match program.exprs.kind(number) {
            ExprKind::Int(bits) => bits.is_zero() && bits.width() == width,
            _ => false,
        };
        is_zero.then(|| program.null(ty))
    };
    match (pointer(program, left), pointer(program, right)) {
        (Some(left), Some(right)) => {
            let ty = program.exprs.ty(left);
            Some((left, program.cast(ty, right)))
        }
        (Some(left), None) => {
            let ty = program.exprs.ty(left);
            Some((left, null(program, right, ty)?))
        }
        (None, Some(right)) => {
            let ty = program.exprs.ty(right);
            Some((null(program, left, ty)?, right))
        }
        (None, None) => None,
    }
}
