//! Complex numbers: structures of two floats or, in GNU C, integers.
//!
//! Sums work on the parts. Products and quotients of two complex numbers follow Annex G, with its recovery of
//! infinities, in functions of the library models. An operand that is real stays real, as in gcc: `2.0 * z` is two
//! products, so that no NaN arises from the zero imaginary part that the number two does not have.

use crate::function::Fx;
use crate::models::Real;
use vergo_cfront::hir::{BinaryOp, CastKind, ExprId as HirExpr, ExprKind, UnaryOp};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::program::{Callee, InstrKind};
use vergo_goto::types::{Type, TypeId};
use vergo_num::FloatFormat;

impl Fx<'_, '_> {
    /// A part of a complex place or value; a real value is its own real part.
    pub(crate) fn complex_part(&mut self, value: ExprId, imaginary: bool) -> ExprId {
        if let expr::ExprKind::Struct(parts) = self.cx.p.exprs.kind(value) {
            return parts[usize::from(imaginary)];
        }
        match self.cx.p.type_of(value) {
            vergo_goto::types::Type::Struct(_) => self.cx.p.member(value, u32::from(imaginary)),
            _ if imaginary => {
                let ty = self.cx.p.exprs.ty(value);
                self.cx.p.zero(ty)
            }
            _ => value,
        }
    }

    fn both_parts(&mut self, value: ExprId) -> (ExprId, ExprId) {
        (self.complex_part(value, false), self.complex_part(value, true))
    }

    /// `-z`, `~z` (the conjugate), `!z`
    pub(crate) fn complex_unary(&mut self, op: UnaryOp, value: ExprId, ty: TypeId) -> ExprId {
        let (re, im) = self.both_parts(value);
        match op {
            UnaryOp::Neg => {
                let (re, im) = (self.cx.p.neg(re), self.cx.p.neg(im));
                self.cx.p.structure(ty, [re, im])
            }
            UnaryOp::BitNot => {
                let im = self.cx.p.neg(im);
                self.cx.p.structure(ty, [re, im])
            }
            UnaryOp::Not => {
                let truth = self.truth(value);
                let not = self.cx.p.not(truth);
                self.coerce(not, ty)
            }
        }
    }

    /// The real number behind a conversion to complex.
    fn real_operand(&self, expr: HirExpr) -> Option<HirExpr> {
        match self.unit.exprs[expr].kind {
            ExprKind::Cast(CastKind::RealToComplex, inner) => Some(inner),
            _ => None,
        }
    }

    /// An operation on operands of a complex type, of which one may be a converted real number.
    pub(crate) fn complex_binary(
        &mut self,
        op: BinaryOp,
        left: HirExpr,
        right: HirExpr,
        real: TypeId,
        ty: TypeId,
    ) -> ExprId {
        let (real_left, real_right) = (self.real_operand(left), self.real_operand(right));
        let arithmetic =
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
        match (real_left, real_right) {
            (Some(l), None) if arithmetic && op != BinaryOp::Div => {
                let (a, z) = self.operands(l, right, false);
                let a = self.cx.p.cast(real, a);
                let (re, im) = self.both_parts(z);
                let (re, im) = match op {
                    BinaryOp::Add => (self.cx.p.add(a, re), im),
                    BinaryOp::Sub => (self.cx.p.sub(a, re), self.cx.p.neg(im)),
                    _ => (self.cx.p.mul(a, re), self.cx.p.mul(a, im)),
                };
                self.cx.p.structure(ty, [re, im])
            }
            (None, Some(r)) if arithmetic => {
                let (z, b) = self.operands(left, r, false);
                let b = self.cx.p.cast(real, b);
                let (re, im) = self.both_parts(z);
                let (re, im) = match op {
                    BinaryOp::Add => (self.cx.p.add(re, b), im),
                    BinaryOp::Sub => (self.cx.p.sub(re, b), im),
                    BinaryOp::Mul => (self.cx.p.mul(re, b), self.cx.p.mul(im, b)),
                    _ => (self.cx.p.div(re, b), self.cx.p.div(im, b)),
                };
                self.cx.p.structure(ty, [re, im])
            }
            _ => {
                let (a, b) = self.operands(left, right, false);
                self.complex_operation(op, a, b, real, ty)
            }
        }
    }

    /// An operation on two complex numbers.
    pub(crate) fn complex_operation(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        real: TypeId,
        ty: TypeId,
    ) -> ExprId {
        let ((a_re, a_im), (b_re, b_im)) = (self.both_parts(a), self.both_parts(b));
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let re = self.arith(op, a_re, b_re);
                let im = self.arith(op, a_im, b_im);
                self.cx.p.structure(ty, [re, im])
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let re = self.arith(op, a_re, b_re);
                let im = self.arith(op, a_im, b_im);
                let value =
                    if op == BinaryOp::Eq { self.cx.p.and(re, im) } else { self.cx.p.or(re, im) };
                self.coerce(value, ty)
            }
            BinaryOp::Mul | BinaryOp::Div
                if matches!(self.cx.p.types.get(real), Type::Int { .. }) =>
            {
                let (re, im) = if op == BinaryOp::Mul {
                    self.integer_product([a_re, a_im], [b_re, b_im])
                } else {
                    self.integer_quotient([a_re, a_im], [b_re, b_im])
                };
                self.cx.p.structure(ty, [re, im])
            }
            BinaryOp::Mul | BinaryOp::Div => {
                let Type::Float(format) = *self.cx.p.types.get(real) else {
                    return self.cx.p.zero(ty);
                };
                let real = match format {
                    FloatFormat::SINGLE => Some(Real::Float),
                    FloatFormat::DOUBLE => Some(Real::Double),
                    FloatFormat::X87_EXTENDED => Some(Real::LongDouble),
                    FloatFormat::QUAD => Some(Real::Quad),
                    _ => None,
                };
                let stem = if op == BinaryOp::Mul { "product" } else { "quotient" };
                let suffix = real.map_or("h", Real::suffix);
                let name = format!("__vergo_{stem}{suffix}");
                let Some(callee) = self.cx.model_function(&name) else {
                    self.b.unsupported(format!(
                        "complex arithmetic without the library function `{name}`"
                    ));
                    return self.cx.p.zero(ty);
                };
                let args = [a_re, a_im, b_re, b_im].into();
                let temp = self.temp(ty);
                let dest = self.cx.p.symbol(temp);
                self.emit(InstrKind::Call {
                    dest: Some(dest),
                    callee: Callee::Direct(callee),
                    args,
                });
                dest
            }
            _ => self.cx.p.zero(ty),
        }
    }

    fn integer_product(&mut self, a: [ExprId; 2], b: [ExprId; 2]) -> (ExprId, ExprId) {
        let mut term = |x, y| self.cx.p.mul(x, y);
        let [rr, ii, ri, ir] =
            [term(a[0], b[0]), term(a[1], b[1]), term(a[0], b[1]), term(a[1], b[0])];
        (self.cx.p.sub(rr, ii), self.cx.p.add(ri, ir))
    }

    /// Smith's quotient with truncating divisions, as gcc computes it: the larger part of the divisor is divided by.
    fn integer_quotient(&mut self, a: [ExprId; 2], b: [ExprId; 2]) -> (ExprId, ExprId) {
        let [a_re, a_im, b_re, b_im] = [a[0], a[1], b[0], b[1]].map(|part| self.freeze(part));
        let ty = self.cx.p.exprs.ty(a_re);
        let (re, im) = (self.temp(ty), self.temp(ty));
        let (re, im) = (self.cx.p.symbol(re), self.cx.p.symbol(im));
        let signed = matches!(self.cx.p.types.get(ty), Type::Int { signed: true, .. });
        let mut size = |part| {
            let zero = self.cx.p.zero(ty);
            let negative = self.cx.p.lt(part, zero);
            let negated = self.cx.p.neg(part);
            if signed { self.cx.p.ite(negative, negated, part) } else { part }
        };
        let (size_re, size_im) = (size(b_re), size(b_im));
        let steep = self.cx.p.lt(size_re, size_im);
        let (other, after) = (self.b.new_label(), self.b.new_label());
        self.emit(InstrKind::Goto(Some(steep), other));
        let quotient = self.cx.p.div(b_im, b_re);
        let ratio = self.save(quotient);
        let scaled = self.cx.p.mul(b_im, ratio);
        let divisor = self.cx.p.add(scaled, b_re);
        let scaled = self.cx.p.mul(a_im, ratio);
        let dividend = self.cx.p.add(scaled, a_re);
        let value = self.cx.p.div(dividend, divisor);
        self.assign(re, value);
        let scaled = self.cx.p.mul(a_re, ratio);
        let dividend = self.cx.p.sub(a_im, scaled);
        let value = self.cx.p.div(dividend, divisor);
        self.assign(im, value);
        self.b.goto(after);
        self.b.label(other);
        let quotient = self.cx.p.div(b_re, b_im);
        let ratio = self.save(quotient);
        let scaled = self.cx.p.mul(b_re, ratio);
        let divisor = self.cx.p.add(scaled, b_im);
        let scaled = self.cx.p.mul(a_re, ratio);
        let dividend = self.cx.p.add(scaled, a_im);
        let value = self.cx.p.div(dividend, divisor);
        self.assign(re, value);
        let scaled = self.cx.p.mul(a_im, ratio);
        let dividend = self.cx.p.sub(scaled, a_re);
        let value = self.cx.p.div(dividend, divisor);
        self.assign(im, value);
        self.b.label(after);
        (re, im)
    }
}
