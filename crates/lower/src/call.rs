//! Calls.
//!
//! The function is evaluated first, then the arguments from the last to the first, as gcc does on x86 (C17 6.5.2.2p10
//! leaves the order open). A call takes the types of the declaration that it sees or, without a prototype, those of the
//! promoted arguments. Where a known function's definition has others, the call is one through a pointer of another type.

use crate::codes;
use crate::function::Fx;
use crate::link::Resolved;
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr, ExprKind, FuncId, Linkage, VarId};
use vergo_cfront::pool::List;
use vergo_cfront::types::{FunctionType, TypeKind};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, FunctionId, InstrKind};
use vergo_goto::types::{Type, TypeId};
use vergo_source::{Diagnostic, Span};

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
        self.claim_sequenced_arguments(callee, &hir_args);
        let ty = self.ty(node.ty);
        let direct = self.direct_callee(callee);
        if let Some(func) = direct {
            let func = self.contracted(func);
            if self.is_reserved_absolute(func)
                && let [value] = self.arguments(&hir_args)[..]
            {
                let value = self.absolute(value, node.span);
                return if want {
                    Some(value)
                } else {
                    self.discard(value);
                    None
                };
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
                    let function = self.cx.p.functions[id].ty;
                    if let Some(chain) = self.chain_of(func) {
                        args.insert(0, chain);
                    } else if !self.cx.p.functions[id].library {
                        let called = self.called_type(callee, ty, &mut args);
                        if !self.cx.p.is_called_alike(called, function)
                            && !self.as_defined(callee, func, function, &mut args)
                        {
                            let pointer = self.cx.p.function(id);
                            return self.call_as(pointer, callee, called, args, ty, dest, want);
                        }
                    }
                    if !self.cx.p.functions[id].library {
                        self.claim_nonnull_arguments(func, &mut args);
                    }
                    let variadic = self.cx.variadic.contains(&id);
                    let args = self.pass(function, variadic, args);
                    let result = self.emit_call(Callee::Direct(id), function, args, ty, dest, want);
                    if result.is_some() {
                        self.claim_value(func);
                    }
                    return result;
                }
                Resolved::Missing => {
                    self.arguments(&hir_args).into_iter().for_each(|arg| self.discard(arg));
                    let unit = self.unit.clone();
                    let name = unit.names.name(unit.functions[func].name);
                    if self.is_removed(func) {
                        let message = format!("the body of `{name}` is removed");
                        let remark = Diagnostic::remark(codes::REMOVED_BODY, node.span, message);
                        self.cx.report(
                            remark.assuming(
                                "removed-body",
                                "it returns any value and changes nothing",
                            ),
                        );
                    } else {
                        self.cx.report_missing(name, node.span);
                        self.claim_no_body(name);
                    }
                    if !want || matches!(self.cx.p.types.get(ty), Type::Void) {
                        return None;
                    }
                    return Some(self.nondet(ty));
                }
            }
        }
        let (pointer, mut args) = self.pointer_and_arguments(callee, &hir_args);
        let function = self.called_type(callee, ty, &mut args);
        self.call_as(pointer, callee, function, args, ty, dest, want)
    }

    /// The pointer that is called through, and the values of the arguments. There is no order between these, either.
    fn pointer_and_arguments(
        &mut self,
        callee: HirExpr,
        args: &[HirExpr],
    ) -> (ExprId, Vec<ExprId>) {
        // Like gcc, backwards: the pointer, then the last argument.
        let operands: Vec<HirExpr> = args.iter().copied().chain([callee]).collect();
        if !args.is_empty() && self.order_matters(&operands) {
            let mut values = self.in_either_order(&operands, true);
            if let Some(pointer) = values.pop() {
                return (pointer, values);
            }
        }
        let mut pointer = self.value(callee);
        let mut any_effects = false;
        for &arg in args {
            any_effects |= self.has_effects(arg);
        }
        if any_effects {
            pointer = self.freeze(pointer);
        }
        (pointer, self.arguments(args))
    }

    /// Claims that arguments are not null where attributes of the function say so.
    fn claim_nonnull_arguments(&mut self, func: FuncId, args: &mut [ExprId]) {
        let nonnull = self.unit.functions[func].nonnull.params;
        for (i, arg) in args.iter_mut().enumerate().take(64).filter(|(i, _)| nonnull >> i & 1 != 0)
        {
            if !matches!(self.cx.p.type_of(*arg), Type::Ptr(_)) {
                continue;
            }
            *arg = self.freeze(*arg);
            let null = self.cx.p.null(self.cx.p.exprs.ty(*arg));
            let holds = self.cx.p.ne(*arg, null);
            let unit = self.unit.clone();
            let name = unit.names.name(unit.functions[func].name);
            let description =
                format!("argument {} of `{name}` is null, which was declared not to be", i + 1);
            self.claim(holds, "call.nonnull", description);
        }
    }

    /// The type of the function that a call means: that of the declaration or, without a prototype, that of the promoted
    /// arguments.
    fn called_type(&mut self, callee: HirExpr, ret: TypeId, args: &mut [ExprId]) -> TypeId {
        let mut ty = self.unit.exprs[callee].ty;
        if let TypeKind::Pointer(to) = self.unit.types.kind(ty) {
            ty = *to;
        }
        if self.unit.types.function(ty).is_some_and(|signature| signature.prototype) {
            return self.ty(ty);
        }
        for arg in &mut *args {
            let promoted = self.cx.promoted(self.cx.p.exprs.ty(*arg));
            *arg = self.coerce(*arg, promoted);
        }
        let params: Vec<TypeId> = args.iter().map(|&arg| self.cx.p.exprs.ty(arg)).collect();
        self.cx.p.types.func(ret, params)
    }

    /// Returns whether the user has removed the body of a function, under its own name or that of the linker.
    fn is_removed(&self, func: FuncId) -> bool {
        let function = &self.unit.functions[func];
        let names = [Some(function.name), function.asm_name];
        let mut names = names.into_iter().flatten().map(|name| self.unit.names.name(name));
        names.any(|name| self.cx.options.removed_bodies.iter().any(|removed| removed == name))
    }

    /// In a proof, a function that is called without a declaration is called as it is defined, as CBMC does: arguments are
    /// converted to the types of the parameters. Says whether that is so.
    fn as_defined(
        &mut self,
        callee: HirExpr,
        func: FuncId,
        function: TypeId,
        args: &mut [ExprId],
    ) -> bool {
        let is_declared = self.signature(callee).is_none_or(|signature| signature.prototype);
        if is_declared || !self.cx.options.undeclared_as_defined {
            return false;
        }
        let Type::Func(ret, params) = self.cx.p.types.get(function).clone() else { return false };
        let is_scalar = |this: &Self, ty| {
            matches!(this.cx.p.types.get(ty), Type::Int { .. } | Type::Ptr(_) | Type::Bool)
        };
        let returns = is_scalar(self, ret) || matches!(self.cx.p.types.get(ret), Type::Void);
        let given: Vec<TypeId> = args.iter().map(|&arg| self.cx.p.exprs.ty(arg)).collect();
        let fits = returns
            && params.len() == args.len()
            && params.iter().chain(&given).all(|&ty| is_scalar(self, ty));
        if !fits {
            return false;
        }
        for (arg, &param) in args.iter_mut().zip(&params) {
            *arg = self.coerce(*arg, param);
        }
        let unit = self.unit.clone();
        let name = unit.names.name(unit.functions[func].name);
        let message = format!("`{name}` is called without a declaration");
        let span = self.unit.exprs[callee].span;
        let remark = Diagnostic::remark(codes::UNDECLARED, span, message);
        self.cx.report(remark.assuming("undeclared", "it is called as it is defined"));
        true
    }

    /// A call through a pointer at a function type.
    #[allow(clippy::too_many_arguments, reason = "a call has that many parts")]
    fn call_as(
        &mut self,
        pointer: ExprId,
        callee: HirExpr,
        function: TypeId,
        args: Vec<ExprId>,
        ty: TypeId,
        dest: Option<ExprId>,
        want: bool,
    ) -> Option<ExprId> {
        let wanted = self.cx.p.types.ptr(function);
        let pointer = self.coerce(pointer, wanted);
        self.note(pointer, self.unit.exprs[callee].span);
        let variadic = self.signature(callee).is_some_and(|signature| signature.variadic);
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

    /// Returns whether a function of the program has a name that is reserved for an absolute value of the library (C17
    /// 7.1.3). gcc computes such a call itself, whatever the program's function does, and so does lowering.
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
        if args.len() > 1 && self.order_matters(args) {
            return self.in_either_order(args, true);
        }
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

    /// Arguments of which not all are used in every execution: each is evaluated before.
    pub(crate) fn frozen_arguments(&mut self, args: &[HirExpr]) -> Vec<ExprId> {
        let saved =
            |fx: &mut Self, value| if fx.is_constant(value) { value } else { fx.save(value) };
        self.arguments(args).into_iter().map(|value| saved(self, value)).collect()
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
        let rest = args.get(fixed..).unwrap_or(&[]);
        if variadic {
            passed.push(self.pack(rest));
        } else {
            rest.iter().for_each(|&surplus| self.discard(surplus));
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
