//! Truth values, branches and the operators whose operands are not always evaluated.
//!
//! An operand without effects stays inside of the expression; one with effects is put behind a branch.

use crate::expr::{MORE_STACK, RED_ZONE};
use crate::function::Fx;
use vergo_cfront::hir::{Expr, ExprId as HirExpr, ExprKind, UnaryOp};
use vergo_cfront::types::TypeKind;
use vergo_goto::expr::{self, ExprId};
use vergo_goto::program::{Instr, InstrKind, LabelId};
use vergo_goto::property::PropertyId;
use vergo_goto::types::Type;

impl Fx<'_, '_> {
    /// The truth value of a scalar expression.
    pub(crate) fn cond(&mut self, expr: HirExpr) -> ExprId {
        let value = self.value(expr);
        self.truth(value)
    }

    /// Builds the condition that a value is not zero.
    pub(crate) fn truth(&mut self, value: ExprId) -> ExprId {
        let mut inner = value;
        while let expr::ExprKind::Cast(_, operand) = *self.cx.p.exprs.kind(inner) {
            if matches!(self.cx.p.type_of(operand), Type::Bool) {
                return operand;
            }
            let (Type::Int { width: to, .. }, Type::Int { width: from, .. }) =
                (self.cx.p.type_of(inner), self.cx.p.type_of(operand))
            else {
                break;
            };
            if to < from {
                break;
            }
            inner = operand;
        }
        if let Type::Struct(_) = self.cx.p.type_of(value) {
            let re = self.complex_part(value, false);
            let im = self.complex_part(value, true);
            let (a, b) = (self.truth(re), self.truth(im));
            return self.cx.p.or(a, b);
        }
        if !self.is_scalar(self.cx.p.exprs.ty(value)) {
            return self.cx.p.bool(true);
        }
        let ty = self.cx.p.exprs.ty(value);
        if matches!(self.cx.p.types.get(ty), Type::Bool) {
            return value;
        }
        let zero = self.cx.p.zero(ty);
        self.cx.p.ne(value, zero)
    }

    /// Jumps to the label if the condition is `when`, else goes on.
    pub(crate) fn jump(&mut self, expr: HirExpr, label: LabelId, when: bool) {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.jump_node(expr, label, when));
    }

    fn jump_node(&mut self, expr: HirExpr, label: LabelId, when: bool) {
        let kind = self.unit.exprs[expr].kind;
        match kind {
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if self.has_effects(b) => {
                let is_and = matches!(kind, ExprKind::LogAnd(..));
                if is_and == when {
                    let skip = self.b.new_label();
                    self.jump(a, skip, !when);
                    self.jump(b, label, when);
                    self.b.label(skip);
                } else {
                    self.jump(a, label, when);
                    self.jump(b, label, when);
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner)
                if self.unit.types.is_scalar(self.unit.exprs[inner].ty) =>
            {
                self.jump(inner, label, !when);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.jump(second, label, when);
            }
            _ => {
                let cond = self.cond(expr);
                match self.constant_truth(cond) {
                    Some(value) if value == when => self.b.goto(label),
                    Some(_) => {}
                    None => {
                        let cond = if when { cond } else { self.negate(cond) };
                        self.emit(InstrKind::Goto(Some(cond), label));
                    }
                }
            }
        }
    }

    /// The negation of a truth value, inside of a comparison where that says the same.
    pub(crate) fn negate(&mut self, cond: ExprId) -> ExprId {
        use expr::BinaryOp;
        if let expr::ExprKind::Binary(op, a, b) = *self.cx.p.exprs.kind(cond) {
            let is_float = matches!(self.cx.p.type_of(a), Type::Float(_));
            match op {
                BinaryOp::Eq => return self.cx.p.ne(a, b),
                BinaryOp::Ne => return self.cx.p.eq(a, b),
                BinaryOp::Lt if !is_float => return self.cx.p.le(b, a),
                BinaryOp::Le if !is_float => return self.cx.p.lt(b, a),
                _ => {}
            }
        }
        self.cx.p.not(cond)
    }

    /// `&&` or `||` whose right operand has effects, as an `int` in a temporary.
    pub(crate) fn short_circuit(&mut self, expr: HirExpr) -> ExprId {
        let int = self.cx.int_type();
        let result = self.temp(int);
        let place = self.cx.p.symbol(result);
        let (no, end) = (self.b.new_label(), self.b.new_label());
        self.condition_expression(|fx| fx.jump(expr, no, false));
        let one = self.cx.p.int(int, 1);
        self.emit(InstrKind::Assign(place, one));
        self.b.goto(end);
        self.b.label(no);
        let zero = self.cx.p.int(int, 0);
        self.emit(InstrKind::Assign(place, zero));
        self.b.label(end);
        place
    }

    pub(crate) fn conditional(
        &mut self,
        node: Expr,
        cond: HirExpr,
        then: HirExpr,
        otherwise: HirExpr,
    ) -> ExprId {
        let ty = self.ty(node.ty);
        if matches!(self.unit.types.kind(self.unit.exprs[cond].ty), TypeKind::Vector(..)) {
            let mask = self.value(cond);
            let mask = self.freeze(mask);
            let (a, b) = self.operands(then, otherwise, false);
            return self.vector_select(mask, a, b, ty);
        }
        if matches!(self.cx.p.types.get(ty), Type::Void) {
            self.conditional_effect(cond, then, otherwise);
            return self.dummy(ty);
        }
        if !self.has_effects(then) && !self.has_effects(otherwise) {
            let cond = self.cond(cond);
            match self.constant_truth(cond) {
                Some(true) => {
                    let value = self.value(then);
                    return self.coerce(value, ty);
                }
                Some(false) => {
                    let value = self.value(otherwise);
                    return self.coerce(value, ty);
                }
                None => {}
            }
            let a = self.value(then);
            let a = self.coerce(a, ty);
            let b = self.value(otherwise);
            let b = self.coerce(b, ty);
            return self.cx.p.ite(cond, a, b);
        }
        let result = self.temp(ty);
        let place = self.cx.p.symbol(result);
        let (no, end) = (self.b.new_label(), self.b.new_label());
        self.condition_expression(|fx| fx.jump(cond, no, false));
        self.branch_value(place, then);
        self.b.goto(end);
        self.b.label(no);
        self.branch_value(place, otherwise);
        self.b.label(end);
        place
    }

    /// Evaluates one branch of a conditional operator into a place.
    fn branch_value(&mut self, place: ExprId, expr: HirExpr) {
        self.full_expression(|fx| {
            if fx.unit.types.is_void(fx.unit.exprs[expr].ty) {
                fx.effect(expr);
            } else {
                let value = fx.value(expr);
                fx.assign(place, value);
            }
        });
    }

    pub(crate) fn conditional_effect(&mut self, cond: HirExpr, then: HirExpr, otherwise: HirExpr) {
        let (no, end) = (self.b.new_label(), self.b.new_label());
        let start = self.b.len();
        self.condition_expression(|fx| fx.jump(cond, no, false));
        let is_certain = self.goes_on(start);
        self.full_expression(|fx| fx.effect(then));
        self.b.goto(end);
        self.b.label(no);
        let never = self.b.len();
        self.full_expression(|fx| fx.effect(otherwise));
        self.b.label(end);
        if is_certain {
            self.claim_certain(never);
        }
    }

    /// Returns whether a condition, lowered from a position on, is constant: nothing leads elsewhere.
    pub(crate) fn goes_on(&self, start: usize) -> bool {
        let mut instrs = self.b.instrs()[start..].iter();
        instrs.all(|instr| instr.kind.falls_through() && !matches!(instr.kind, InstrKind::Goto(..)))
    }

    /// Claims an assertion that was lowered from a position on, to which nothing leads since its condition is constant: it holds.
    pub(crate) fn claim_certain(&mut self, never: usize) {
        let mut instrs = self.b.instrs()[never..].iter();
        let first = instrs.find(|instr| !matches!(instr.kind, InstrKind::Label(_)));
        if let Some(instr) = first
            && let InstrKind::Assert(_, claim) = &instr.kind
            && claim.property == PropertyId::UserAssert.info().id
        {
            let (claim, span) = (claim.clone(), instr.span);
            let yes = self.cx.p.bool(true);
            let parts = Box::default();
            self.b.push_instr(Instr { kind: InstrKind::Assert(yes, claim), span, parts });
        }
    }

    pub(crate) fn conditional_omitted(
        &mut self,
        node: Expr,
        cond: HirExpr,
        otherwise: HirExpr,
    ) -> ExprId {
        let ty = self.ty(node.ty);
        let from = self.unit.exprs[cond].ty;
        let value = self.value(cond);
        let effects = self.has_effects(otherwise);
        let value = if effects { self.freeze(value) } else { value };
        let truth = self.truth(value);
        let converted = self.convert(value, from, node.ty);
        if !effects {
            let other = self.value(otherwise);
            let other = self.coerce(other, ty);
            return self.cx.p.ite(truth, converted, other);
        }
        let result = self.temp(ty);
        let place = self.cx.p.symbol(result);
        let end = self.b.new_label();
        self.assign(place, converted);
        self.emit(InstrKind::Goto(Some(truth), end));
        self.branch_value(place, otherwise);
        self.b.label(end);
        place
    }
}
