//! Copies of expressions, in which each thread has its own local variables.

use super::Sequencer;
use vergo_cfront::hir::{ExprId, ExprKind, StmtId, VarId};
use vergo_cfront::pool::List;

impl Sequencer<'_> {
    /// An expression that is one step, or none.
    pub(super) fn copy(&mut self, expr: ExprId) -> ExprId {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.copy_inner(expr))
    }

    fn copy_inner(&mut self, expr: ExprId) -> ExprId {
        let node = self.unit.exprs[expr];
        let kind = match node.kind {
            ExprKind::Var(var) => return self.variable(expr, var),
            ExprKind::Deref(a) => ExprKind::Deref(self.copy(a)),
            ExprKind::Member(a, record, member) => ExprKind::Member(self.copy(a), record, member),
            ExprKind::AddrOf(a) => ExprKind::AddrOf(self.copy(a)),
            ExprKind::Unary(op, a) => ExprKind::Unary(op, self.copy(a)),
            ExprKind::Cast(cast, a) => ExprKind::Cast(cast, self.copy(a)),
            ExprKind::IncDec(op, a) => ExprKind::IncDec(op, self.copy(a)),
            ExprKind::ComplexPart(a, part) => ExprKind::ComplexPart(self.copy(a), part),
            ExprKind::Index(a, b) => ExprKind::Index(self.copy(a), self.copy(b)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.copy(a), self.copy(b)),
            ExprKind::PtrOffset(op, a, b) => ExprKind::PtrOffset(op, self.copy(a), self.copy(b)),
            ExprKind::PtrDiff(a, b) => ExprKind::PtrDiff(self.copy(a), self.copy(b)),
            ExprKind::LogAnd(a, b) => ExprKind::LogAnd(self.copy(a), self.copy(b)),
            ExprKind::LogOr(a, b) => ExprKind::LogOr(self.copy(a), self.copy(b)),
            ExprKind::Cond(a, b, c) => ExprKind::Cond(self.copy(a), self.copy(b), self.copy(c)),
            ExprKind::CondOmitted(a, b) => ExprKind::CondOmitted(self.copy(a), self.copy(b)),
            ExprKind::Comma(a, b) => ExprKind::Comma(self.copy(a), self.copy(b)),
            ExprKind::Assign(a, b) => ExprKind::Assign(self.copy(a), self.copy(b)),
            ExprKind::VectorElement(a, b) => ExprKind::VectorElement(self.copy(a), self.copy(b)),
            ExprKind::CompoundAssign { op, compute, place, value } => {
                let (place, value) = (self.copy(place), self.copy(value));
                ExprKind::CompoundAssign { op, compute, place, value }
            }
            ExprKind::Call(callee, args) => {
                let callee = self.copy(callee);
                ExprKind::Call(callee, self.copy_list(args))
            }
            ExprKind::Builtin(builtin, args) => ExprKind::Builtin(builtin, self.copy_list(args)),
            ExprKind::StmtExpr(body) => ExprKind::StmtExpr(self.copy_body(body)),
            ExprKind::CompoundLiteral(_) | ExprKind::VaArg(_) | ExprKind::SizeofVla(_) => {
                self.refuse(
                    node.span,
                    "an object of its own in an expression, or a list of arguments",
                );
                node.kind
            }
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::WideInt(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Function(_) => return expr,
            ExprKind::LabelAddr(_) => {
                self.refuse(node.span, "the address of a label");
                node.kind
            }
        };
        let span = std::mem::replace(&mut self.span, node.span);
        let copy = self.expr(kind, node.ty);
        self.span = span;
        copy
    }

    fn copy_list(&mut self, list: List<ExprId>) -> List<ExprId> {
        let old: Vec<ExprId> = self.unit.expr_lists.get(list).to_vec();
        let new: Vec<ExprId> = old.into_iter().map(|expr| self.copy(expr)).collect();
        self.unit.expr_lists.push(new)
    }

    /// A statement expression in which nobody interrupts.
    fn copy_body(&mut self, body: StmtId) -> StmtId {
        let mut out = Vec::new();
        let quiet = std::mem::replace(&mut self.quiet, true);
        self.stmt(body, &mut out);
        self.quiet = quiet;
        self.block_of(out)
    }

    /// A variable: a thread's own, if each has its own.
    fn variable(&mut self, expr: ExprId, var: VarId) -> ExprId {
        match self.owned.get(&var) {
            Some(&array) => self.own(array),
            None => expr,
        }
    }
}
