//! Calls: callee, arguments, implicit declarations (C17 6.5.2.2).

use super::convert::Target;
use super::scope::Entity;
use super::{Sema, codes};
use crate::ast;
use crate::builtins::Builtin;
use crate::hir::{CastKind, ExprId, ExprKind, FuncId, Linkage};
use crate::intern::Symbol;
use crate::pool::List;
use crate::types::{FunctionType, QualType, TypeKind};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn call(
        &mut self,
        callee: ast::ExprId,
        args: List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        if let Some((symbol, name_span)) = self.callee_name(callee) {
            match self.scopes.get(symbol).map(|binding| binding.entity) {
                None => {
                    let name = self.name(symbol);
                    if name.starts_with("__builtin_")
                        || name.starts_with("__sync_")
                        || name.starts_with("__atomic_")
                    {
                        return self.builtin_call(symbol, name_span, args, span);
                    }
                    if let Some(value) = self.verifier_call(symbol, name_span, args, span) {
                        return value;
                    }
                    let name = self.name(symbol);
                    if !matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
                        let function = self.implicit_function(symbol, name_span);
                        if self.is_alloca(function) {
                            return self.alloca(args, span);
                        }
                        let callee = self.function_expr(function, name_span);
                        return self.call_function(callee, args, span);
                    }
                }
                Some(Entity::Function(function)) if self.is_alloca(function) => {
                    return self.alloca(args, span);
                }
                _ => {}
            }
        }
        let callee = self.expr(callee);
        self.call_function(callee, args, span)
    }

    /// The identifier that is called, in parentheses or not.
    fn callee_name(&self, callee: ast::ExprId) -> Option<(Symbol, Span)> {
        let mut callee = callee;
        loop {
            let node = &self.ast.exprs[callee];
            match node.kind {
                ast::ExprKind::Name(symbol) => return Some((symbol, node.span)),
                ast::ExprKind::Paren(inner) => callee = inner,
                _ => return None,
            }
        }
    }

    fn is_alloca(&self, function: FuncId) -> bool {
        let function = &self.unit.functions[function];
        function.linkage == Linkage::External
            && function.body.is_none()
            && self.name(function.name) == "alloca"
    }

    fn alloca(&mut self, args: List<ast::ExprId>, span: Span) -> ExprId {
        let ast = self.ast;
        let &[size] = ast.expr_lists.get(args) else {
            self.error(codes::ARGUMENT_COUNT, span, "`alloca` takes one argument");
            return self.error_expr(span);
        };
        let size = self.rvalue(size);
        let size_ty = self.basics.size;
        let size = self.assign_convert(size, size_ty, Target::Argument(0, None));
        let list = self.unit.expr_lists.push([size]);
        self.push(span, self.basics.void_ptr, ExprKind::Builtin(Builtin::Alloca, list))
    }

    /// C89's implicit declaration; known functions of the library get their own type, as in gcc.
    fn implicit_function(&mut self, symbol: Symbol, span: Span) -> FuncId {
        let name = self.name(symbol).to_owned();
        let library = super::library::find(&name);
        let ty = match &library {
            Some(function) => self.signature_type(function.signature, function.float),
            None => {
                let function = FunctionType {
                    ret: self.basics.int,
                    params: Vec::new(),
                    variadic: false,
                    prototype: false,
                };
                self.intern(TypeKind::Function(Box::new(function)))
            }
        };
        let known = self.linked.contains_key(&symbol);
        if self.reported.insert(symbol, ()).is_none() {
            let mut diagnostic = Diagnostic::warning(
                codes::IMPLICIT_FUNCTION,
                span,
                format!("the function `{name}` is called but not declared"),
            );
            if let Some(function) = &library {
                diagnostic =
                    diagnostic.help(format!("`{name}` is declared in `<{}>`", function.header));
            } else if !known {
                let functions = self.scopes.visible_names().filter(|&other| {
                    matches!(
                        self.scopes.get(other).map(|binding| binding.entity),
                        Some(Entity::Function(_))
                    )
                });
                if let Some(similar) = self.similar_name(symbol, functions) {
                    diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
                }
            }
            self.report(diagnostic);
        }
        let id = self.undeclared_function(symbol, span, ty, false);
        self.scopes.insert(symbol, Entity::Function(id), span);
        id
    }

    /// A call of a designator or of a value.
    pub(super) fn call_function(
        &mut self,
        callee: ExprId,
        args: List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let mut callee = callee;
        // `f`, `&f`, `*f` and `**&f` all call `f`.
        loop {
            let is_function = self.unit.types.is_function(self.ty(callee));
            callee = match self.unit.exprs[callee].kind {
                ExprKind::Deref(pointer) if is_function => pointer,
                ExprKind::Cast(CastKind::FunctionDecay, inner) => inner,
                ExprKind::AddrOf(inner) if self.unit.types.is_function(self.ty(inner)) => inner,
                _ => break,
            };
        }
        let function = match self.unit.exprs[callee].kind {
            ExprKind::Function(function) => Some(function),
            _ => {
                callee = self.decay(callee);
                None
            }
        };
        let callee_ty = self.ty(callee);
        let function_ty = match self.unit.types.pointee(callee_ty) {
            Some(to) => to,
            None => callee_ty,
        };
        let Some(of) = self.unit.types.function(function_ty) else {
            if !self.is_error(callee_ty) {
                let (at, shown) = (self.span(callee), self.show(callee_ty));
                self.error(
                    codes::NOT_CALLABLE,
                    at,
                    format!("{shown} is called, but is not a function"),
                );
            }
            let ast = self.ast;
            for &arg in ast.expr_lists.get(args) {
                self.rvalue(arg);
            }
            return self.error_expr(span);
        };
        let (prototype, variadic, n_params) = (of.prototype, of.variadic, of.params.len());
        let ast = self.ast;
        let given = ast.expr_lists.get(args);
        if prototype && (given.len() < n_params || (given.len() > n_params && !variadic)) {
            self.wrong_count(function, callee, n_params, given.len(), variadic, span);
            for &arg in given {
                self.rvalue(arg);
            }
            return self.error_expr(span);
        }
        let values: Vec<ExprId> = given.iter().map(|&arg| self.rvalue(arg)).collect();
        self.call_with_values(callee, function, values, span)
    }

    /// A call whose arguments have been analysed and counted: they are converted to the parameters' types.
    pub(super) fn call_with_values(
        &mut self,
        callee: ExprId,
        function: Option<FuncId>,
        values: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        let callee_ty = self.ty(callee);
        let function_ty = self.unit.types.pointee(callee_ty).unwrap_or(callee_ty);
        let Some(of) = self.unit.types.function(function_ty) else { return self.error_expr(span) };
        let (ret, n_params) = (of.ret, if of.prototype { of.params.len() } else { 0 });
        let mut values = values;
        for (index, value) in values.iter_mut().enumerate() {
            *value = if index < n_params {
                let param = self.param_type(function_ty, index);
                self.assign_convert(*value, param, Target::Argument(index, function))
            } else {
                self.variadic_argument(*value)
            };
        }
        if !self.unit.types.is_void(ret) && !self.unit.types.is_complete(ret) && !self.is_error(ret)
        {
            let shown = self.show(ret);
            self.error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("the function returns the incomplete type {shown}"),
            );
            return self.error_expr(span);
        }
        if values.iter().any(|&value| self.is_error(self.ty(value))) {
            return self.error_expr(span);
        }
        let list = self.unit.expr_lists.push(values);
        let ret = self.value_type(ret);
        self.push(span, ret, ExprKind::Call(callee, list))
    }

    fn param_type(&self, function_ty: QualType, index: usize) -> QualType {
        self.unit
            .types
            .function(function_ty)
            .map_or(self.basics.error, |function| function.params[index])
    }

    /// An argument without a parameter: the default promotions.
    fn variadic_argument(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        if self.unit.types.is_void(ty) {
            let span = self.span(value);
            self.error(codes::VOID_VALUE, span, "a `void` value is used");
            return self.error_expr(span);
        }
        self.default_promote(value)
    }

    fn wrong_count(
        &mut self,
        function: Option<FuncId>,
        callee: ExprId,
        n_params: usize,
        n_given: usize,
        variadic: bool,
        span: Span,
    ) {
        let name =
            function.map(|function| format!("`{}`", self.name(self.unit.functions[function].name)));
        let name = name.unwrap_or_else(|| "the function".to_owned());
        let least = if variadic { "at least " } else { "" };
        let plural = if n_params == 1 { "" } else { "s" };
        let was = if n_given == 1 { "was" } else { "were" };
        let message =
            format!("{name} takes {least}{n_params} argument{plural}, but {n_given} {was} given");
        let at = self.span(callee);
        let mut diagnostic = Diagnostic::error(codes::ARGUMENT_COUNT, at, message);
        let _ = span;
        if let Some(function) = function {
            let declared = self.unit.functions[function].span;
            if !declared.is_dummy() {
                diagnostic = diagnostic.label(declared, "declared here");
            }
        }
        self.report(diagnostic);
    }
}
