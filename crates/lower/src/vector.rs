//! GNU vectors: arrays, operated on lane by lane.

use crate::function::Fx;
use vergo_cfront::hir::{BinaryOp, UnaryOp};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::types::{Type, TypeId};

impl Fx<'_, '_> {
    /// The lanes of a vector.
    pub(crate) fn lanes(&mut self, vector: ExprId) -> Vec<ExprId> {
        let Type::Array(_, n) = *self.cx.p.type_of(vector) else { return vec![vector] };
        match self.cx.p.exprs.kind(vector) {
            expr::ExprKind::Array(items) => items.to_vec(),
            expr::ExprKind::ArrayOf(item) => vec![*item; n as usize],
            _ => (0..n)
                .map(|i| {
                    let index = self.cx.p.size(i);
                    self.cx.p.index(vector, index)
                })
                .collect(),
        }
    }

    fn lane_type(&self, ty: TypeId) -> TypeId {
        match *self.cx.p.types.get(ty) {
            Type::Array(element, _) => element,
            _ => ty,
        }
    }

    /// A truth value as a lane: all bits set or none.
    fn lane_mask(&mut self, truth: ExprId, lane: TypeId) -> ExprId {
        let (ones, zero) = (self.cx.p.int(lane, -1), self.cx.p.int(lane, 0));
        self.cx.p.ite(truth, ones, zero)
    }

    /// An operation on each lane.
    pub(crate) fn vector_unary(&mut self, op: UnaryOp, value: ExprId, ty: TypeId) -> ExprId {
        let lane = self.lane_type(ty);
        let lanes = self.lanes(value);
        let lanes: Vec<ExprId> = lanes
            .into_iter()
            .map(|x| match op {
                UnaryOp::Neg => self.cx.p.neg(x),
                UnaryOp::BitNot => self.cx.p.bit_not(x),
                UnaryOp::Not => {
                    let truth = self.truth(x);
                    let not = self.cx.p.not(truth);
                    self.lane_mask(not, lane)
                }
            })
            .collect();
        self.cx.p.array(ty, lanes)
    }

    /// An operation on each pair of lanes; comparisons give lanes of ones or zeros.
    pub(crate) fn vector_binary(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        ty: TypeId,
    ) -> ExprId {
        let lane = self.lane_type(ty);
        let a = self.lanes(a);
        let mut b = self.lanes(b);
        // A scalar operand goes into every lane.
        if b.len() < a.len() {
            b = vec![b[0]; a.len()];
        }
        let lanes: Vec<ExprId> = a
            .into_iter()
            .zip(b)
            .map(|(x, y)| {
                let value = self.arith(op, x, y);
                if matches!(self.cx.p.type_of(value), Type::Bool) {
                    self.lane_mask(value, lane)
                } else {
                    self.coerce(value, lane)
                }
            })
            .collect();
        self.cx.p.array(ty, lanes)
    }

    /// `mask ? a : b` lane by lane.
    pub(crate) fn vector_select(
        &mut self,
        mask: ExprId,
        a: ExprId,
        b: ExprId,
        ty: TypeId,
    ) -> ExprId {
        let (mask, a, b) = (self.lanes(mask), self.lanes(a), self.lanes(b));
        let lanes: Vec<ExprId> = (0..mask.len())
            .map(|i| {
                let truth = self.truth(mask[i]);
                let (x, y) = (a[i.min(a.len() - 1)], b[i.min(b.len() - 1)]);
                self.cx.p.ite(truth, x, y)
            })
            .collect();
        self.cx.p.array(ty, lanes)
    }

    /// Lanes chosen by the lanes of a mask, modulo the number of lanes of all vectors.
    pub(crate) fn vector_shuffle(
        &mut self,
        vectors: &[ExprId],
        mask: ExprId,
        ty: TypeId,
    ) -> ExprId {
        let vectors: Vec<ExprId> = vectors.iter().map(|&v| self.freeze_vector(v)).collect();
        let n = self.lanes(vectors[0]).len();
        let mask = self.lanes(mask);
        let lanes: Vec<ExprId> = mask
            .into_iter()
            .map(|lane| {
                let size = self.cx.p.size_type();
                let index = self.cx.p.cast(size, lane);
                let all = self.cx.p.size((n * vectors.len() - 1) as u64);
                let index = self.cx.p.bit_and(index, all);
                if vectors.len() == 1 {
                    return self.cx.p.index(vectors[0], index);
                }
                let one = self.cx.p.size((n - 1) as u64);
                let within = self.cx.p.bit_and(index, one);
                let bound = self.cx.p.size(n as u64);
                let first = self.cx.p.lt(index, bound);
                let a = self.cx.p.index(vectors[0], within);
                let b = self.cx.p.index(vectors[1], within);
                self.cx.p.ite(first, a, b)
            })
            .collect();
        self.cx.p.array(ty, lanes)
    }

    /// A vector as a place, so that it can be indexed by a value.
    fn freeze_vector(&mut self, vector: ExprId) -> ExprId {
        if self.cx.p.is_place(vector) { vector } else { self.save(vector) }
    }
}
