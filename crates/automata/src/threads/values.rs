//! Expressions that take several steps: each access of what others can reach becomes a statement of its own.

use super::Sequencer;
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{CastKind, ExprId, ExprKind, IncDec, StmtId, StmtKind};
use vergo_cfront::types::QualType;

impl Sequencer<'_> {
    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, expr: ExprId, out: &mut Vec<StmtId>) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.effect_inner(expr, out));
    }

    fn effect_inner(&mut self, expr: ExprId, out: &mut Vec<StmtId>) {
        let steps = self.steps(expr);
        if steps <= 1 {
            if steps == 1 {
                self.point(out);
            }
            let copy = self.copy(expr);
            out.push(self.stmt_of(StmtKind::Expr(copy)));
            return;
        }
        match self.unit.exprs[expr].kind {
            ExprKind::Comma(a, b) => {
                self.effect(a, out);
                self.effect(b, out);
            }
            ExprKind::Cast(CastKind::ToVoid | CastKind::NoOp, a) => self.effect(a, out),
            ExprKind::Cond(cond, then, other) => {
                let cond = self.condition(cond, out);
                let then = self.block(|this, out| this.effect(then, out));
                let other = self.block(|this, out| this.effect(other, out));
                out.push(self.stmt_of(StmtKind::If(cond, then, Some(other))));
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let mut cond = self.condition(a, out);
                if matches!(self.unit.exprs[expr].kind, ExprKind::LogOr(..)) {
                    cond = self.not(cond);
                }
                let then = self.block(|this, out| this.effect(b, out));
                out.push(self.stmt_of(StmtKind::If(cond, then, None)));
            }
            ExprKind::Assign(place, value) => {
                let value = self.value(value, out);
                let target = self.place(place, out);
                if self.is_shared(place) {
                    self.point(out);
                }
                self.assign(target, value, out);
            }
            ExprKind::StmtExpr(body) => self.stmt(body, out),
            ExprKind::CompoundAssign { .. } | ExprKind::IncDec(..) => {
                self.update(expr, false, out);
            }
            ExprKind::Call(..) => {
                self.call(expr, false, out);
            }
            _ => {
                self.value(expr, out);
            }
        }
    }

    /// A condition, of which only the truth matters.
    pub(super) fn condition(&mut self, expr: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        self.value(expr, out)
    }

    /// A value that other threads cannot change any more: their accesses are made before it is used.
    pub(super) fn value(&mut self, expr: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.value_inner(expr, out))
    }

    fn value_inner(&mut self, expr: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        let node = self.unit.exprs[expr];
        if self.steps(expr) == 0 {
            return self.copy(expr);
        }
        let ty = node.ty;
        let kind = match node.kind {
            ExprKind::Cast(CastKind::Load, place) => {
                let from = self.place(place, out);
                let value = self.load(from);
                if !self.is_shared(place) {
                    return value;
                }
                self.point(out);
                return self.keep(ty, value, out);
            }
            ExprKind::Cast(cast @ CastKind::ArrayDecay, place) => {
                ExprKind::Cast(cast, self.place(place, out))
            }
            ExprKind::AddrOf(place) => ExprKind::AddrOf(self.place(place, out)),
            ExprKind::Cast(cast, a) => ExprKind::Cast(cast, self.value(a, out)),
            ExprKind::Unary(op, a) => ExprKind::Unary(op, self.value(a, out)),
            ExprKind::Binary(op, a, b) => {
                let a = self.value(a, out);
                ExprKind::Binary(op, a, self.value(b, out))
            }
            ExprKind::PtrOffset(op, a, b) => {
                let a = self.value(a, out);
                ExprKind::PtrOffset(op, a, self.value(b, out))
            }
            ExprKind::PtrDiff(a, b) => {
                let a = self.value(a, out);
                ExprKind::PtrDiff(a, self.value(b, out))
            }
            ExprKind::Comma(a, b) => {
                self.effect(a, out);
                return self.value(b, out);
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::Cond(..) => {
                return self.choice(expr, out);
            }
            ExprKind::Assign(place, value) => {
                let value = self.value(value, out);
                let target = self.place(place, out);
                let value = self.keep(ty, value, out);
                if self.is_shared(place) {
                    self.point(out);
                }
                self.assign(target, value, out);
                return value;
            }
            ExprKind::CompoundAssign { .. } | ExprKind::IncDec(..) => {
                return self.update(expr, true, out);
            }
            ExprKind::Call(..) => return self.call(expr, true, out),
            ExprKind::Builtin(builtin, args) => {
                let args: Vec<ExprId> = self.unit.expr_lists.get(args).to_vec();
                let args: Vec<ExprId> = args.into_iter().map(|arg| self.value(arg, out)).collect();
                self.point(out);
                let args = self.unit.expr_lists.push(args);
                let value = self.expr(ExprKind::Builtin(builtin, args), ty);
                return self.keep(ty, value, out);
            }
            ExprKind::StmtExpr(body) => return self.body_value(body, out),
            kind if kind.is_place() => return self.place(expr, out),
            _ => {
                self.refuse(node.span, "an expression of this kind over what threads share");
                node.kind
            }
        };
        self.expr(kind, ty)
    }

    /// Puts a value where it stays while others run.
    fn keep(&mut self, ty: QualType, value: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        if self.unit.types.is_void(ty) {
            out.push(self.stmt_of(StmtKind::Expr(value)));
            return value;
        }
        let place = self.temporary(ty);
        self.assign(place, value, out);
        self.load(place)
    }

    /// The object that an expression denotes.
    pub(super) fn place(&mut self, expr: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        let node = self.unit.exprs[expr];
        if self.steps(expr) == 0 {
            return self.copy(expr);
        }
        let kind = match node.kind {
            ExprKind::Deref(a) => ExprKind::Deref(self.value(a, out)),
            ExprKind::Index(a, b) => {
                let a = self.value(a, out);
                ExprKind::Index(a, self.value(b, out))
            }
            ExprKind::Member(base, record, member) => {
                ExprKind::Member(self.place(base, out), record, member)
            }
            kind if !kind.is_place() => return self.value(expr, out),
            kind => {
                self.refuse(node.span, "a place of this kind among what threads share");
                kind
            }
        };
        self.expr(kind, node.ty)
    }

    /// `&&`, `||` and `?:` with steps in them.
    fn choice(&mut self, expr: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        let node = self.unit.exprs[expr];
        let place = self.temporary(node.ty);
        let truth = |this: &mut Self, of: Option<ExprId>, constant: u64, out: &mut Vec<StmtId>| {
            let value = match of {
                Some(of) => {
                    let value = this.condition(of, out);
                    let no = this.not(value);
                    this.not(no)
                }
                None => this.number(constant),
            };
            this.assign(place, value, out);
        };
        let (cond, then, other) = match node.kind {
            ExprKind::LogAnd(a, b) => {
                let cond = self.condition(a, out);
                let then = self.block(|this, out| truth(this, Some(b), 0, out));
                (cond, then, self.block(|this, out| truth(this, None, 0, out)))
            }
            ExprKind::LogOr(a, b) => {
                let cond = self.condition(a, out);
                let then = self.block(|this, out| truth(this, None, 1, out));
                (cond, then, self.block(|this, out| truth(this, Some(b), 0, out)))
            }
            ExprKind::Cond(cond, then, other) => {
                let cond = self.condition(cond, out);
                let [then, other] = [then, other].map(|side| {
                    self.block(|this, out| {
                        let value = this.value(side, out);
                        this.assign(place, value, out);
                    })
                });
                (cond, then, other)
            }
            _ => return expr,
        };
        out.push(self.stmt_of(StmtKind::If(cond, then, Some(other))));
        self.load(place)
    }

    /// `op=`, `++` and `--`: a read, a computation and a write; the value, if it is wanted.
    fn update(&mut self, expr: ExprId, want: bool, out: &mut Vec<StmtId>) -> ExprId {
        let node = self.unit.exprs[expr];
        let (place, operand) = match node.kind {
            ExprKind::CompoundAssign { place, value, .. } => (place, Some(value)),
            ExprKind::IncDec(_, place) => (place, None),
            _ => return expr,
        };
        let operand = operand.map(|operand| self.value(operand, out));
        let shared = self.is_shared(place);
        let mut target = self.place(place, out);
        let change = |target: ExprId| match node.kind {
            ExprKind::CompoundAssign { op, compute, value, .. } => ExprKind::CompoundAssign {
                op,
                compute,
                place: target,
                value: operand.unwrap_or(value),
            },
            ExprKind::IncDec(op, _) => ExprKind::IncDec(op, target),
            kind => kind,
        };
        let place_ty = self.unit.exprs[place].ty;
        if !shared || place_ty.quals().has(Quals::ATOMIC) {
            if shared {
                self.point(out);
            }
            let changed = self.expr(change(target), node.ty);
            if want {
                return self.keep(node.ty, changed, out);
            }
            out.push(self.stmt_of(StmtKind::Expr(changed)));
            return changed;
        }
        // Where it lies is found out once.
        if !matches!(self.unit.exprs[place].kind, ExprKind::Var(_)) && !self.is_bit_field(place) {
            let pointer = self.unit.types.pointer(place_ty).into();
            let address = self.expr(ExprKind::AddrOf(target), pointer);
            let address = self.keep(pointer, address, out);
            target = self.expr(ExprKind::Deref(address), place_ty);
        }
        self.point(out);
        let own = self.temporary(place_ty);
        let old = self.load(target);
        self.assign(own, old, out);
        let is_old_wanted =
            matches!(node.kind, ExprKind::IncDec(IncDec::PostInc | IncDec::PostDec, _));
        let mut result = self.load(own);
        if want && is_old_wanted {
            result = self.keep(node.ty, result, out);
        }
        let changed = self.expr(change(own), node.ty);
        out.push(self.stmt_of(StmtKind::Expr(changed)));
        self.point(out);
        let new = self.load(own);
        self.assign(target, new, out);
        result
    }

    fn is_bit_field(&self, place: ExprId) -> bool {
        match self.unit.exprs[place].kind {
            ExprKind::Member(_, record, member) => self.unit.types.records[record]
                .fields
                .as_ref()
                .and_then(|fields| fields.get(member as usize))
                .is_some_and(|field| field.bits.is_some()),
            _ => false,
        }
    }

    /// The value of a statement expression: that of its last statement.
    fn body_value(&mut self, body: StmtId, out: &mut Vec<StmtId>) -> ExprId {
        let StmtKind::Compound(list) = self.unit.stmts[body].kind else {
            self.stmt(body, out);
            return self.number(0);
        };
        let stmts: Vec<StmtId> = self.unit.stmt_lists.get(list).to_vec();
        let Some((&last, before)) = stmts.split_last() else { return self.number(0) };
        for &stmt in before {
            self.stmt(stmt, out);
        }
        match self.unit.stmts[last].kind {
            StmtKind::Expr(expr) if !self.unit.types.is_void(self.unit.exprs[expr].ty) => {
                self.value(expr, out)
            }
            _ => {
                self.stmt(last, out);
                self.number(0)
            }
        }
    }
}
