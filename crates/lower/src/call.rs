//! Calls.
//!
//! The function is evaluated first, then the arguments from the last to the first, as gcc does on x86 (C17 6.5.2.2p10
//! leaves the order open). A call of a known function takes the types of its definition; a call through a pointer takes
//! those of the pointer's type or, without a prototype, those of the promoted arguments.

use crate::function::Fx;
use crate::link::Resolved;
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr, ExprKind, FuncId, Linkage, VarId};
use vergo_cfront::pool::List;
use vergo_cfront::types::{FunctionType, TypeKind};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, FunctionId, InstrKind};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

impl Fx<'_, '_> {
    /// A call. The result is in `dest` if that was given and has the right type; else it is a temporary, or nothing.
    pub(crate) fn call(
        &mut self,
        node: Expr,
        callee: HirExpr,
        args: List<HirExpr>,
        dest: Option<ExprId>,
        want: bool,
    ) -> Option<ExprId> {
        let hir_args = self.unit.expr_lists.get(args).to_vec();
        let ty = self.ty(node.ty);
        let direct = self.direct_callee(callee);
        let signature = self.signature(callee);
        if let Some(func) = direct {
            if self.is_reserved_absolute(func)
                && let [value] = self.arguments(&hir_args)[..]
            {
                return want.then(|| self.absolute(value, node.span));
            }
            match self.cx.resolve(self.u, func) {
                Resolved::Known(known) => {
                    return self.known_call(node, known, func, &hir_args, dest, want);
                }
                Resolved::Function(id) => {
                    if let Some(result) = self.print_call(id, &hir_args, want) {
                        return result.map(|value| self.coerce(value, ty));
                    }
                    let mut args = self.arguments(&hir_args);
                    if let Some(chain) = self.chain_of(func) {
                        args.insert(0, chain);
                    }
                    let function = self.cx.p.functions[id].ty;
                    let variadic = self.cx.variadic.contains(&id);
                    let args = self.pass(function, variadic, args);
                    return self.emit_call(Callee::Direct(id), function, args, ty, dest, want);
                }
                Resolved::Missing => {
                    self.arguments(&hir_args);
                    let unit = self.unit.clone();
                    let name = unit.names.name(unit.functions[func].name);
                    self.cx.report_missing(name, node.span);
                    self.claim_no_body(name);
                    if !want || matches!(self.cx.p.types.get(ty), Type::Void) {
                        return None;
                    }
                    return Some(self.nondet(ty));
                }
            }
        }
        let mut pointer = self.value(callee);
        let mut any_effects = false;
        for &arg in &hir_args {
            any_effects |= self.has_effects(arg);
        }
        if any_effects {
            pointer = self.freeze(pointer);
        }
        let mut args = self.arguments(&hir_args);
        let variadic = signature.as_ref().is_some_and(|s| s.variadic);
        let prototype = signature.as_ref().is_none_or(|s| s.prototype);
        let function = if prototype {
            let declared = self.cx.p.pointee(self.cx.p.exprs.ty(pointer));
            let declared = declared.filter(|&f| matches!(self.cx.p.types.get(f), Type::Func(..)));
            declared.unwrap_or_else(|| self.type_of_arguments(ty, &args))
        } else {
            for arg in &mut args {
                let promoted = self.cx.promoted(self.cx.p.exprs.ty(*arg));
                *arg = self.coerce(*arg, promoted);
            }
            self.type_of_arguments(ty, &args)
        };
        let wanted = self.cx.p.types.ptr(function);
        let pointer = self.coerce(pointer, wanted);
        self.note(pointer, self.unit.exprs[callee].span);
        let args = self.pass(function, variadic, args);
        self.emit_call(Callee::Indirect(pointer), function, args, ty, dest, want)
    }

    /// A call of a function with these arguments.
    pub(crate) fn call_function(
        &mut self,
        id: FunctionId,
        args: Vec<ExprId>,
        ty: TypeId,
        want: bool,
    ) -> Option<ExprId> {
        let function = self.cx.p.functions[id].ty;
        let variadic = self.cx.variadic.contains(&id);
        let args = self.pass(function, variadic, args);
        self.emit_call(Callee::Direct(id), function, args, ty, None, want)
    }

    fn type_of_arguments(&mut self, ret: TypeId, args: &[ExprId]) -> TypeId {
        let params: Vec<TypeId> = args.iter().map(|&arg| self.cx.p.exprs.ty(arg)).collect();
        self.cx.p.types.func(ret, params)
    }

    /// The function that a callee names.
    pub(crate) fn direct_callee(&self, mut callee: HirExpr) -> Option<FuncId> {
        loop {
            match self.unit.exprs[callee].kind {
                ExprKind::Function(func) => return Some(func),
                ExprKind::Cast(CastKind::FunctionDecay | CastKind::NoOp, inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Deref(inner) => callee = inner,
                _ => return None,
            }
        }
    }

    /// Whether a function of the program has a name that is reserved for an absolute value of the library (C17 7.1.3). gcc
    /// computes such a call itself, whatever the program's function does, and so does lowering.
    fn is_reserved_absolute(&self, func: FuncId) -> bool {
        let function = &self.unit.functions[func];
        let target = &self.cx.target;
        let width = match self.unit.names.name(function.name) {
            "abs" => 32,
            "labs" => target.word as u32 * 8,
            "llabs" | "imaxabs" => 64,
            _ => return false,
        };
        let TypeKind::Function(signature) = self.unit.types.kind(function.ty) else { return false };
        let is_known = |ty| match self.unit.types.int_kind(ty) {
            Some(kind) => kind.is_signed() && kind.width(target) == width,
            None => false,
        };
        function.body.is_some()
            && function.linkage == Linkage::External
            && !self.cx.units[self.u].library
            && is_known(signature.ret)
            && matches!(signature.params[..], [param] if is_known(param))
    }

    fn absolute(&mut self, value: ExprId, span: Span) -> ExprId {
        let value = self.freeze(value);
        let zero = self.cx.p.zero(self.cx.p.exprs.ty(value));
        let negative = self.cx.p.lt(value, zero);
        let negated = self.cx.p.neg(value);
        self.note(negated, span);
        self.cx.p.ite(negative, negated, value)
    }

    fn signature(&self, callee: HirExpr) -> Option<FunctionType> {
        let mut ty = self.unit.exprs[callee].ty;
        if let TypeKind::Pointer(to) = self.unit.types.kind(ty) {
            ty = *to;
        }
        self.unit.types.function(ty).cloned()
    }

    /// The values of arguments, evaluated from the last to the first.
    pub(crate) fn arguments(&mut self, args: &[HirExpr]) -> Vec<ExprId> {
        let mut earlier = Vec::with_capacity(args.len());
        let mut any = false;
        for &arg in args {
            earlier.push(any);
            any |= self.has_effects(arg);
        }
        let mut values = Vec::with_capacity(args.len());
        for (&arg, effects) in args.iter().zip(earlier).rev() {
            let value = self.value(arg);
            values.push(if effects { self.freeze(value) } else { value });
        }
        values.reverse();
        values
    }

    /// Arguments as the function takes them: converted, with the variable ones packed.
    fn pass(&mut self, function: TypeId, variadic: bool, args: Vec<ExprId>) -> Vec<ExprId> {
        let Type::Func(_, params) = self.cx.p.types.get(function).clone() else { return args };
        let fixed = if variadic { params.len().saturating_sub(1) } else { params.len() };
        let mut passed = Vec::with_capacity(params.len());
        for (i, &param) in params.iter().take(fixed).enumerate() {
            passed.push(match args.get(i) {
                Some(&arg) => self.coerce(arg, param),
                // Too few arguments, which only a call without a prototype can have: any value.
                None => self.nondet(param),
            });
        }
        if variadic {
            let rest = args.get(fixed..).unwrap_or(&[]);
            passed.push(self.pack(rest));
        }
        passed
    }

    fn emit_call(
        &mut self,
        callee: Callee,
        function: TypeId,
        args: Vec<ExprId>,
        ty: TypeId,
        dest: Option<ExprId>,
        want: bool,
    ) -> Option<ExprId> {
        let Type::Func(ret, _) = *self.cx.p.types.get(function) else { return None };
        let is_void = |fx: &Self, ty| matches!(fx.cx.p.types.get(ty), Type::Void);
        if !want || is_void(self, ret) {
            self.emit_callee(callee, function, args, None);
            // A function without a result whose declaration promises one.
            return (want && !is_void(self, ty)).then(|| self.nondet(ty));
        }
        if let Some(dest) = dest
            && ret == ty
            && self.cx.p.exprs.ty(dest) == ret
        {
            self.emit_callee(callee, function, args, Some(dest));
            return Some(dest);
        }
        let temp = self.temp(ret);
        let place = self.cx.p.symbol(temp);
        self.emit_callee(callee, function, args, Some(place));
        if is_void(self, ty) {
            return None;
        }
        Some(self.coerce(place, ty))
    }

    fn emit_callee(
        &mut self,
        callee: Callee,
        function: TypeId,
        args: Vec<ExprId>,
        dest: Option<ExprId>,
    ) {
        match callee {
            Callee::Indirect(pointer) => self.call_pointer(pointer, function, args, dest),
            Callee::Direct(_) => {
                self.emit(InstrKind::Call { dest, callee, args: args.into_boxed_slice() });
                self.after_call();
            }
        }
    }

    /// Calls the cleanup function of a variable with its address.
    pub(crate) fn call_cleanup(&mut self, var: VarId, func: FuncId) {
        let place = self.var_place(var);
        let address = self.cx.p.address_of(place);
        match self.cx.resolve(self.u, func) {
            Resolved::Function(id) => {
                let function = self.cx.p.functions[id].ty;
                let mut args = vec![address];
                if let Some(chain) = self.chain_of(func) {
                    args.insert(0, chain);
                }
                let args = self.pass(function, false, args);
                let void = self.cx.p.types.void();
                self.emit_call(Callee::Direct(id), function, args, void, None, false);
            }
            Resolved::Known(_) | Resolved::Missing => {
                let unit = self.unit.clone();
                let name = unit.names.name(unit.functions[func].name);
                self.cx.report_missing(name, unit.vars[var].span);
                self.claim_no_body(name);
            }
        }
    }
}
