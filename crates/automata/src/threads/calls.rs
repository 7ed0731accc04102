//! Calls: of functions in which others may run, of functions about threads, and all others.

use super::Sequencer;
use super::library::Becomes;
use super::visible::{direct, thread_call};
use vergo_cfront::hir::{CastKind, ExprId, ExprKind, FuncId, StmtId, StmtKind};
use vergo_cfront::types::{QualType, TypeKind};

impl Sequencer<'_> {
    /// A call; its value, if it is wanted.
    pub(super) fn call(&mut self, expr: ExprId, want: bool, out: &mut Vec<StmtId>) -> ExprId {
        let node = self.unit.exprs[expr];
        let ExprKind::Call(callee, args) = node.kind else { return expr };
        let args: Vec<ExprId> = self.unit.expr_lists.get(args).to_vec();
        if let Some(becomes) = thread_call(&self.unit, expr) {
            return self.thread_call(expr, becomes, &args, out);
        }
        let function = direct(&self.unit, callee);
        if let Some(function) = function.filter(|f| self.visible.stepped.contains(f)) {
            return self.stepped_call(function, &args, (expr, want), out);
        }
        let callee = match function {
            Some(_) => self.copy(callee),
            None => self.value(callee, out),
        };
        let args: Vec<ExprId> = args.into_iter().map(|arg| self.value(arg, out)).collect();
        self.point(out);
        let args = self.unit.expr_lists.push(args);
        let call = self.expr(ExprKind::Call(callee, args), node.ty);
        self.result(call, want, out)
    }

    fn result(&mut self, call: ExprId, want: bool, out: &mut Vec<StmtId>) -> ExprId {
        let ty = self.unit.exprs[call].ty;
        if !want || self.unit.types.is_void(ty) {
            out.push(self.stmt_of(StmtKind::Expr(call)));
            return call;
        }
        let place = self.temporary(ty);
        self.assign(place, call, out);
        self.load(place)
    }

    /// A call of a function in which others may run: it is called until it has ended.
    fn stepped_call(
        &mut self,
        function: FuncId,
        args: &[ExprId],
        (expr, want): (ExprId, bool),
        out: &mut Vec<StmtId>,
    ) -> ExprId {
        let stepped = self.functions[&function].clone();
        let span = self.unit.exprs[expr].span;
        if args.len() != stepped.params.len() {
            self.refuse(span, "a call with other arguments than the function has parameters");
            return expr;
        }
        let args: Vec<ExprId> = args.iter().map(|&arg| self.value(arg, out)).collect();
        for (&param, arg) in stepped.params.iter().zip(args) {
            let place = self.own(param);
            self.assign(place, arg, out);
        }
        let call = self.call_of(stepped.step, Vec::new());
        self.repeat(call, out);
        match stepped.result {
            Some(result) if want => {
                let place = self.own(result);
                let value = self.load(place);
                self.result(value, true, out)
            }
            _ => self.number(0),
        }
    }

    /// Calls something again, after others have run, until it is not zero.
    fn repeat(&mut self, call: ExprId, out: &mut Vec<StmtId>) {
        let (number, label) = self.resumption();
        let mut left = Vec::new();
        let blocks = self.call_of(self.runtime("seq_blocks"), Vec::new());
        left.push(self.stmt_of(StmtKind::Expr(blocks)));
        left.extend(self.leave(number));
        let left = self.block_of(left);
        let not = self.not(call);
        let attempt = self.stmt_of(StmtKind::If(not, left, None));
        out.push(self.stmt_of(StmtKind::Label(label, attempt)));
    }

    fn thread_call(
        &mut self,
        expr: ExprId,
        becomes: Becomes,
        args: &[ExprId],
        out: &mut Vec<StmtId>,
    ) -> ExprId {
        let span = self.unit.exprs[expr].span;
        if self.quiet {
            self.refuse(span, "a call about threads in the middle of an expression");
            return expr;
        }
        let mut values = |this: &mut Self, n: usize| -> Vec<ExprId> {
            args.iter().take(n).map(|&arg| this.value(arg, out)).collect()
        };
        match becomes {
            Becomes::Nothing => {
                for &arg in args {
                    if self.steps(arg) > 0 {
                        self.effect(arg, out);
                    }
                }
            }
            Becomes::CallIfNull(_, _, at)
                if !args.get(at).is_some_and(|&arg| is_null(&self.unit, arg)) =>
            {
                self.refuse(span, "a lock with attributes");
            }
            Becomes::Call(name, n) | Becomes::CallIfNull(name, n, _) => {
                let values = values(self, n);
                let call = self.converted_call(name, values, span);
                self.point(out);
                return self.result(call, true, out);
            }
            Becomes::Wait(name, n) => {
                let values = values(self, n);
                let call = self.converted_call(name, values, span);
                self.point(out);
                self.repeat(call, out);
            }
            Becomes::WaitForCondition => {
                let Some(&lock) = args.get(1) else { return self.number(0) };
                let lock = self.value(lock, out);
                let clear = self.converted_call("seq_clear", vec![lock], span);
                self.point(out);
                out.push(self.stmt_of(StmtKind::Expr(clear)));
                self.point(out);
                let again = self.converted_call("seq_lock", vec![lock], span);
                self.repeat(again, out);
            }
            Becomes::Create => self.create(expr, args, out),
            Becomes::Join => {
                let [thread, result] = *args else { return self.number(0) };
                let thread = self.value(thread, out);
                let thread = self.stable(thread, out);
                let result = self.value(result, out);
                let result = self.stable(result, out);
                let joins = self.converted_call("seq_joins", vec![thread], span);
                self.point(out);
                self.repeat(joins, out);
                let give = self.converted_call("seq_give", vec![thread, result], span);
                out.push(self.stmt_of(StmtKind::Expr(give)));
            }
            Becomes::Exit => self.exit(span, args, out),
            Becomes::AtomicBegin => {
                self.point(out);
                let begin = self.call_of(self.runtime("seq_atomic_begin"), Vec::new());
                out.push(self.stmt_of(StmtKind::Expr(begin)));
            }
            Becomes::AtomicEnd => {
                let end = self.call_of(self.runtime("seq_atomic_end"), Vec::new());
                out.push(self.stmt_of(StmtKind::Expr(end)));
            }
            Becomes::Refused => {
                self.refuse(span, "a function about threads that has no counterpart")
            }
        }
        self.number(0)
    }

    /// A value that is used more than once.
    fn stable(&mut self, value: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        match self.is_fixed(value) {
            true => value,
            false => self.result(value, true, out),
        }
    }

    /// Returns whether a new expression has the same value whenever it is evaluated: a constant, an address, or a value that
    /// is kept.
    fn is_fixed(&self, value: ExprId) -> bool {
        let element_of = |place: ExprId| match self.unit.exprs[place].kind {
            ExprKind::Var(var) => Some(var),
            ExprKind::Index(base, _) => match self.unit.exprs[base].kind {
                ExprKind::Cast(CastKind::ArrayDecay, array) => match self.unit.exprs[array].kind {
                    ExprKind::Var(var) => Some(var),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match self.unit.exprs[value].kind {
            ExprKind::Int(_) => true,
            ExprKind::Cast(CastKind::Load, place) => {
                element_of(place).is_some_and(|var| self.temporaries.contains(&var))
            }
            ExprKind::Cast(
                CastKind::IntToPtr | CastKind::Ptr | CastKind::NoOp | CastKind::Int,
                inner,
            ) => self.is_fixed(inner),
            ExprKind::AddrOf(place) => {
                element_of(place).is_some_and(|var| self.variables.contains(&var))
                    || matches!(self.unit.exprs[place].kind, ExprKind::Var(_))
            }
            _ => false,
        }
    }

    /// A call of the runtime with arguments of whatever pointer and integer types.
    fn converted_call(
        &mut self,
        name: &'static str,
        args: Vec<ExprId>,
        span: vergo_source::Span,
    ) -> ExprId {
        let function = self.runtime(name);
        let ty = self.unit.functions[function].ty;
        let params = self.unit.types.function(ty).map(|f| f.params.clone()).unwrap_or_default();
        if params.len() != args.len() {
            self.refuse(span, "a call with too few arguments");
        }
        let args = args.into_iter().zip(params).map(|(arg, to)| self.convert(arg, to)).collect();
        self.call_of(function, args)
    }

    pub(super) fn convert(&mut self, value: ExprId, to: QualType) -> ExprId {
        let from = self.unit.exprs[value].ty;
        let is_pointer = |ty| matches!(self.unit.types.kind(ty), TypeKind::Pointer(_));
        let kind = match (is_pointer(from), is_pointer(to)) {
            _ if from == to => return value,
            (true, true) => CastKind::Ptr,
            (true, false) => CastKind::PtrToInt,
            (false, true) => CastKind::IntToPtr,
            (false, false) => CastKind::Int,
        };
        self.expr(ExprKind::Cast(kind, value), to)
    }

    /// Starts a thread: a number, what it starts with, and its argument.
    fn create(&mut self, expr: ExprId, args: &[ExprId], out: &mut Vec<StmtId>) {
        let span = self.unit.exprs[expr].span;
        let [thread, _, start, argument] = *args else { return };
        let stepped = direct(&self.unit, start).and_then(|f| self.functions.get(&f).cloned());
        let Some(stepped) = stepped.filter(|stepped| stepped.params.len() <= 1) else {
            return self
                .refuse(span, "a thread that does not start with a function given by its name");
        };
        let thread = self.value(thread, out);
        let thread = self.stable(thread, out);
        let argument = self.value(argument, out);
        let argument = self.stable(argument, out);
        self.point(out);
        let number = self.call_of(self.runtime("seq_create"), Vec::new());
        let number = self.result(number, true, out);
        let place = self.element(self.runtime_variables.start, number);
        let which = self.number(stepped.number.unwrap_or(0));
        self.assign(place, which, out);
        if let Some(&param) = stepped.params.first() {
            let place = self.element(param, number);
            let ty = self.unit.exprs[place].ty.unqualified();
            let argument = self.convert(argument, ty);
            self.assign(place, argument, out);
        }
        let target = self.unit.types.pointee(self.unit.exprs[thread].ty);
        let Some(target) = target.filter(|&ty| self.unit.types.is_integer(ty)) else {
            return self.refuse(span, "a place for the number of a thread that is not an integer");
        };
        self.point(out);
        let place = self.expr(ExprKind::Deref(thread), target);
        let number = self.convert(number, target.unqualified());
        self.assign(place, number, out);
    }

    /// `pthread_exit`: the end of what a thread starts with.
    fn exit(&mut self, span: vergo_source::Span, args: &[ExprId], out: &mut Vec<StmtId>) {
        let Some(number) = self.frame.number.filter(|_| !self.frame.is_called) else {
            return self.refuse(span, "the end of a thread in a function that it calls");
        };
        if number == 0 {
            let place = self.expr_of_variable(self.runtime_variables.left);
            let one = self.number(1);
            self.assign(place, one, out);
        } else if let (Some(&value), Some(result)) = (args.first(), self.frame.result) {
            let value = self.value(value, out);
            let place = self.own(result);
            let ty = self.unit.exprs[place].ty.unqualified();
            let value = self.convert(value, ty);
            self.assign(place, value, out);
        }
        self.finish(out);
    }
}

/// Returns whether an expression is a constant null pointer.
fn is_null(unit: &vergo_cfront::hir::Unit, mut expr: ExprId) -> bool {
    loop {
        match unit.exprs[expr].kind {
            ExprKind::Int(0) => return true,
            ExprKind::Cast(CastKind::IntToPtr | CastKind::Ptr | CastKind::NoOp, inner) => {
                expr = inner;
            }
            _ => return false,
        }
    }
}
