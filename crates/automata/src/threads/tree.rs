//! New nodes of the typed tree.

use super::Sequencer;
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{
    BinaryOp, CastKind, Definition, Expr, ExprId, ExprKind, FuncId, Label, LabelId, Linkage, Stmt,
    StmtId, StmtKind, Storage, UnaryOp, Var, VarId,
};
use vergo_cfront::types::{ArrayLen, IntKind, QualType, TypeKind};
use vergo_source::Span;

impl Sequencer<'_> {
    pub(super) fn int(&mut self) -> QualType {
        self.unit.types.int(IntKind::Int).into()
    }

    pub(super) fn expr(&mut self, kind: ExprKind, ty: QualType) -> ExprId {
        let span = self.span;
        self.unit.exprs.push(Expr { span, ty, kind })
    }

    pub(super) fn stmt_of(&mut self, kind: StmtKind) -> StmtId {
        let span = self.span;
        self.unit.stmts.push(Stmt { span, kind })
    }

    pub(super) fn number(&mut self, value: u64) -> ExprId {
        let ty = self.int();
        self.expr(ExprKind::Int(value), ty)
    }

    pub(super) fn block_of(&mut self, stmts: Vec<StmtId>) -> StmtId {
        let list = self.unit.stmt_lists.push(stmts);
        self.stmt_of(StmtKind::Compound(list))
    }

    /// The value of a place.
    pub(super) fn load(&mut self, place: ExprId) -> ExprId {
        let ty = self.unit.exprs[place].ty.unqualified();
        self.expr(ExprKind::Cast(CastKind::Load, place), ty)
    }

    pub(super) fn assign(&mut self, place: ExprId, value: ExprId, out: &mut Vec<StmtId>) {
        let ty = self.unit.exprs[place].ty.unqualified();
        let assigned = self.expr(ExprKind::Assign(place, value), ty);
        out.push(self.stmt_of(StmtKind::Expr(assigned)));
    }

    pub(super) fn not(&mut self, value: ExprId) -> ExprId {
        let ty = self.int();
        self.expr(ExprKind::Unary(UnaryOp::Not, value), ty)
    }

    pub(super) fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.int();
        self.expr(ExprKind::Binary(BinaryOp::Eq, a, b), ty)
    }

    /// A variable at file scope.
    pub(super) fn static_variable(&mut self, name: &str, ty: QualType) -> VarId {
        let name = Some(self.unit.names.intern(name));
        let storage = Storage::Static {
            linkage: Linkage::Internal,
            definition: Definition::Tentative,
            thread_local: false,
            function: None,
        };
        self.unit.vars.push(Var {
            name,
            ty,
            span: self.place,
            storage,
            init: None,
            explicit_align: None,
            cleanup: None,
            asm_name: None,
            alias: None,
            weak: false,
        })
    }

    /// A variable that each thread has its own of.
    pub(super) fn per_thread(&mut self, name: &str, ty: QualType) -> VarId {
        let ty = QualType::new(ty.ty(), ty.quals().without(Quals::CONST));
        let len = ArrayLen::Fixed(self.n_threads);
        let array = self.unit.types.intern(TypeKind::Array(ty, len));
        let var = self.static_variable(name, array.into());
        self.variables.push(var);
        var
    }

    /// A thread's own element of such a variable.
    pub(super) fn element(&mut self, var: VarId, index: ExprId) -> ExprId {
        let ty = self.unit.vars[var].ty;
        let TypeKind::Array(element, _) = *self.unit.types.kind(ty) else {
            return self.expr(ExprKind::Var(var), ty);
        };
        let pointer = self.unit.types.pointer(element).into();
        let array = self.expr(ExprKind::Var(var), ty);
        let decayed = self.expr(ExprKind::Cast(CastKind::ArrayDecay, array), pointer);
        self.expr(ExprKind::Index(decayed, index), element)
    }

    /// The current thread's element.
    pub(super) fn own(&mut self, var: VarId) -> ExprId {
        let index = self.value_of(self.runtime_variables.current);
        self.element(var, index)
    }

    /// The value of a variable at file scope.
    pub(super) fn value_of(&mut self, var: VarId) -> ExprId {
        let place = self.expr(ExprKind::Var(var), self.unit.vars[var].ty);
        self.load(place)
    }

    /// A place for a value, which stays while others run.
    pub(super) fn temporary(&mut self, ty: QualType) -> ExprId {
        self.n_temporaries += 1;
        let name = format!("{}_value_{}", self.frame.name, self.n_temporaries);
        let var = self.per_thread(&name, ty.unqualified());
        self.temporaries.insert(var);
        self.own(var)
    }

    /// A call of a function by its name.
    pub(super) fn call_of(&mut self, function: FuncId, args: Vec<ExprId>) -> ExprId {
        let ty = self.unit.functions[function].ty;
        let ret = self.unit.types.function(ty).map_or(ty, |function| function.ret);
        let pointer = self.unit.types.pointer(ty).into();
        let callee = self.expr(ExprKind::Function(function), ty);
        let callee = self.expr(ExprKind::Cast(CastKind::FunctionDecay, callee), pointer);
        let args = self.unit.expr_lists.push(args);
        self.expr(ExprKind::Call(callee, args), ret)
    }

    /// A label with a number, at which the function goes on after others have run.
    pub(super) fn resumption(&mut self) -> (u64, LabelId) {
        self.frame.n_points += 1;
        let number = self.frame.n_points;
        let name = self.unit.names.intern(&format!("point_{number}"));
        let label = Label { name, span: Span::DUMMY, address_taken: false };
        let label = self.unit.labels.push(label);
        self.frame.points.push((number, label));
        (number, label)
    }

    /// Lets others run: the function is left, and goes on at a label.
    pub(super) fn leave(&mut self, number: u64) -> Vec<StmtId> {
        let mut out = Vec::new();
        let place = self.own(self.frame.at);
        let value = self.number(number);
        self.assign(place, value, &mut out);
        let unfinished = self.number(0);
        out.push(self.stmt_of(StmtKind::Return(Some(unfinished))));
        out
    }
}
