//! Functions: declarations, definitions, K&R parameters, functions that nobody declared.

use super::decl::Declared;
use super::declarator::{DefinitionParams, Role};
use super::scope::Entity;
use super::{FunctionContext, Linked, Sema, codes};
use crate::ast::{self, DeclKind, FunctionDef};
use crate::hir::{FuncId, Function, Item, Linkage, NonNull, StmtId, StmtKind, Storage, Var};
use crate::intern::Symbol;
use crate::types::{FunctionType, QualType, TypeKind};
use rustc_hash::FxHashMap;
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn declare_function(&mut self, declared: &Declared<'_>, defines: bool) -> FuncId {
        let storage = declared.specs.storage;
        let in_block = self.function.is_some();
        let name = declared.name;
        let span = declared.span;
        if storage.0
            & (ast::Storage::AUTO.0 | ast::Storage::REGISTER.0 | ast::Storage::THREAD_LOCAL.0)
            != 0
        {
            self.error(codes::BAD_STORAGE, span, "a function is only `extern` or `static`");
        }
        if in_block && storage.has(ast::Storage::STATIC) {
            self.error(
                codes::BAD_STORAGE,
                span,
                "a function that is declared in a block cannot be `static`",
            );
        }
        let is_static = storage.has(ast::Storage::STATIC) && !in_block;
        let noreturn = declared.attrs.noreturn || storage.has(ast::Storage::NORETURN);
        if let Some(binding) = self.scopes.get_here(name)
            && !matches!(binding.entity, Entity::Function(_) | Entity::Error)
        {
            let previous = binding.span;
            self.different_kind(name, span, previous);
            return self.new_function(declared, Linkage::Internal, noreturn);
        }
        let id = match self.linked(name) {
            Some(Linked::Function(id)) => {
                self.merge_function(id, declared, is_static, defines);
                // Once GNU's `extern inline` is seen, plain declarations do not change it; a definition does.
                let keeps = self.replaceable.contains_key(&id) && !defines;
                let function = &mut self.unit.functions[id];
                if defines && declared.attrs.gnu_inline {
                    function.inline_only = is_inline_only(declared);
                } else if !in_block && !keeps {
                    function.inline_only &= is_inline_only(declared);
                }
                function.noreturn |= noreturn;
                function.inline |= storage.has(ast::Storage::INLINE);
                function.implicit = false;
                self.add_function_attributes(id, declared);
                id
            }
            Some(Linked::Var(var)) => {
                let previous = self.unit.vars[var].span;
                self.different_kind(name, span, previous);
                return self.new_function(declared, Linkage::Internal, noreturn);
            }
            None => {
                let linkage = if is_static { Linkage::Internal } else { Linkage::External };
                let id = self.new_function(declared, linkage, noreturn);
                self.linked.insert(name, Linked::Function(id));
                self.unit.items.push(Item::Function(id));
                id
            }
        };
        match self.scopes.get_here(name).map(|binding| binding.entity) {
            Some(Entity::Function(old)) if old == id => {}
            _ => self.scopes.insert(name, Entity::Function(id), span),
        }
        id
    }

    pub(super) fn new_function(
        &mut self,
        declared: &Declared<'_>,
        linkage: Linkage,
        noreturn: bool,
    ) -> FuncId {
        let id = self.unit.functions.push(Function {
            name: declared.name,
            ty: declared.ty.unqualified(),
            span: declared.span,
            linkage,
            inline: declared.specs.storage.has(ast::Storage::INLINE),
            inline_only: is_inline_only(declared),
            noreturn,
            nonnull: NonNull::default(),
            params: Vec::new(),
            body: None,
            definition_span: None,
            implicit: false,
            constructor: None,
            destructor: None,
            asm_name: None,
            alias: None,
            weak: false,
            nested: None,
            explicit_align: None,
        });
        self.add_function_attributes(id, declared);
        id
    }

    pub(super) fn add_function_attributes(&mut self, id: FuncId, declared: &Declared<'_>) {
        let attrs = &declared.attrs;
        let function = &mut self.unit.functions[id];
        function.constructor = attrs.constructor.or(function.constructor);
        function.destructor = attrs.destructor.or(function.destructor);
        function.alias = attrs.alias.or(function.alias);
        function.weak |= attrs.weak;
        function.nonnull = function.nonnull.and(attrs.nonnull);
        function.explicit_align = attrs.aligned.or(function.explicit_align);
        function.asm_name = declared.asm_name.or(function.asm_name);
    }

    pub(super) fn merge_function(
        &mut self,
        id: FuncId,
        declared: &Declared<'_>,
        is_static: bool,
        defines: bool,
    ) {
        let old = &self.unit.functions[id];
        let (old_ty, old_span, linkage, implicit) = (old.ty, old.span, old.linkage, old.implicit);
        if self.is_error(declared.ty) {
            return;
        }
        match self.composite(old_ty, declared.ty) {
            Some(ty) => self.unit.functions[id].ty = ty.unqualified(),
            None if self.builtin_declared.contains_key(&id) => {
                // A declaration by the user goes before what the compiler knows.
                self.unit.functions[id].ty = declared.ty.unqualified();
            }
            None => {
                let name = self.name(declared.name);
                let message = format!("conflicting types for `{name}`");
                let (now, before) = (self.show(declared.ty), self.show(old_ty));
                // The names of verifiers have their meaning whatever a proof declares.
                let accepted = self.lenient || name.starts_with("__CPROVER_") && !defines;
                let diagnostic = if implicit || accepted {
                    Diagnostic::warning(codes::CONFLICTING_TYPES, declared.span, message)
                        .label(old_span, format!("declared here as {before}"))
                } else {
                    Diagnostic::error(codes::CONFLICTING_TYPES, declared.span, message)
                        .label(old_span, format!("before {before}"))
                };
                // gcc accepts a later `void` declaration of an implicitly declared function with a warning.
                let tolerated = implicit
                    && self
                        .unit
                        .types
                        .function(declared.ty)
                        .is_some_and(|function| self.unit.types.is_void(function.ret));
                let mut diagnostic = diagnostic.label(declared.span, format!("now {now}"));
                if implicit && !tolerated && !accepted {
                    diagnostic.severity = vergo_source::Severity::Error;
                }
                self.report(diagnostic);
                self.unit.functions[id].ty = declared.ty.unqualified();
            }
        }
        if self.builtin_declared.remove(&id).is_some() {
            // Known to the compiler only, until now.
            self.unit.functions[id].span = declared.span;
            if is_static {
                self.unit.functions[id].linkage = Linkage::Internal;
            }
        } else if is_static && linkage == Linkage::External {
            let message = format!(
                "static declaration of `{}` follows a declaration that is not",
                self.name(declared.name)
            );
            self.report(
                Diagnostic::error(codes::CONFLICTING_LINKAGE, declared.span, message)
                    .label(old_span, "first declared here"),
            );
        }
        if defines || self.unit.functions[id].body.is_none() {
            self.unit.functions[id].span = declared.span;
        }
    }

    /// Analyses a function definition, at file scope or in a block; gives the function.
    pub(super) fn function_definition(&mut self, definition: &FunctionDef) -> Option<FuncId> {
        let ast = self.ast;
        let specs = self.specifiers(definition.specs, false);
        let declarator = ast.declarators[definition.declarator];
        let (name, span) = declarator.name?;
        if specs.implicit {
            self.warn_implicit_int(span, "the result of this function");
        }
        if specs.storage.has(ast::Storage::TYPEDEF) || specs.auto {
            self.error(codes::BAD_STORAGE, span, "a function definition cannot be a typedef");
        }
        self.definition_params = DefinitionParams::default();
        let (ty, attrs) = self.declared_type(&specs, definition.declarator, Role::Definition);
        let mut params = std::mem::take(&mut self.definition_params);
        self.vla_lengths.clear();
        let Some(function_ty) = self.unit.types.function(ty).cloned() else {
            if !self.is_error(ty) {
                self.error(codes::BAD_TYPE, span, "this is defined like a function but is not one");
            }
            return None;
        };
        let mut function_ty = function_ty;
        // Without a prototype, a definition still fixes the number of its parameters.
        self.open_scope();
        self.scopes.restore(std::mem::take(&mut params.names));
        self.tags.restore(std::mem::take(&mut params.tags));
        if !params.kr_names.is_empty() || !definition.kr_decls.is_empty() {
            self.kr_parameters(&mut params, definition);
            function_ty.params = params
                .vars
                .iter()
                .map(|&var| self.promoted_parameter(self.unit.vars[var].ty))
                .collect();
        }
        let kr_scope = (self.scopes.pop(), self.tags.pop());
        let ty = self.intern(TypeKind::Function(Box::new(function_ty.clone())));
        let asm_pieces: Vec<Span> = ast.span_lists.get(declarator.asm_name).to_vec();
        let asm_name = if asm_pieces.is_empty() { None } else { self.pieces_symbol(&asm_pieces) };
        let gnu_inline = attrs.gnu_inline;
        let declared = Declared { name, span, ty, specs: &specs, attrs, asm_name };
        let is_nested = self.function.is_some();
        let id = if is_nested {
            self.declare_nested(&declared)
        } else {
            self.declare_function(&declared, true)
        };
        if let Some(previous) = self.defined_at.insert(id, span)
            && self.replaceable.remove(&id).is_none()
        {
            let message = format!("redefinition of `{}`", self.name(name));
            self.report(
                Diagnostic::error(codes::REDEFINITION, span, message)
                    .label(previous, "the first definition is here"),
            );
            // The second body is still analysed, for its diagnostics; the first one stays.
        }
        if gnu_inline
            && specs.storage.has(ast::Storage::EXTERN)
            && specs.storage.has(ast::Storage::INLINE)
        {
            self.replaceable.insert(id, ());
        }
        if !self.is_error(function_ty.ret)
            && !self.unit.types.is_void(function_ty.ret)
            && !self.unit.types.is_complete(function_ty.ret)
        {
            let shown = self.show(function_ty.ret);
            self.error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("the function returns the incomplete type {shown}"),
            );
        }
        if self.name(name) == "main" && !is_nested {
            self.check_main(&function_ty, span);
        }
        self.unit.functions[id].params = params.vars.clone();
        self.unit.functions[id].definition_span = Some(definition.span);
        self.unit.functions[id].span = span;
        let outer = self.function.take().map(Box::new);
        self.function = Some(FunctionContext {
            id,
            ret: function_ty.ret,
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            targets: Vec::new(),
            switches: Vec::new(),
            defined: FxHashMap::default(),
            guard: 0,
            guards: vec![0],
            hidden: Vec::new(),
            unknown_builtin: None,
            name_var: None,
            outer,
        });
        self.open_scope();
        self.scopes.restore(kr_scope.0);
        self.tags.restore(kr_scope.1);
        let mut first = std::mem::take(&mut params.hidden);
        for length in std::mem::take(&mut params.lengths) {
            let span = self.span(length);
            let stmt = self.push_stmt(span, StmtKind::Expr(length));
            first.push(stmt);
        }
        let body = self.function_body(definition.body, first);
        self.close_scope();
        self.finish_labels();
        let context = self.function.take();
        let unknown_builtin = context.as_ref().and_then(|context| context.unknown_builtin);
        self.function = context.and_then(|context| context.outer).map(|outer| *outer);
        let body = match unknown_builtin {
            Some((name, span)) => self.call_of_unknown(name, span),
            None => body,
        };
        self.unit.functions[id].body = Some(body);
        Some(id)
    }

    /// The body of a function that uses a builtin which is not known: headers of intrinsics define many, of which most
    /// programs call few. Its type is not known either, so all that is left is that the builtin is called.
    fn call_of_unknown(&mut self, name: Symbol, span: Span) -> StmtId {
        let ret = self.basics.void;
        let params = Vec::new();
        let ty = FunctionType { ret, params, variadic: false, prototype: true };
        let ty = self.intern(TypeKind::Function(Box::new(ty)));
        let function = self.undeclared_function(name, span, ty, true);
        let callee = self.function_expr(function, span);
        let call = self.call_with_values(callee, Some(function), Vec::new(), span);
        let call = self.push_stmt(span, StmtKind::Expr(call));
        let list = self.unit.stmt_lists.push(vec![call]);
        self.push_stmt(span, StmtKind::Compound(list))
    }

    /// Declares K&R parameters, in the order of the identifier list.
    pub(super) fn kr_parameters(
        &mut self,
        params: &mut DefinitionParams,
        definition: &FunctionDef,
    ) {
        let ast = self.ast;
        let mut declared: FxHashMap<Symbol, (QualType, Span, Option<u64>)> = FxHashMap::default();
        for &decl in ast.decl_lists.get(definition.kr_decls) {
            let DeclKind::Vars { specs, declarators } = ast.decls[decl].kind else { continue };
            let list = ast.init_declarator_lists.get(declarators);
            let specifiers = self.specifiers(specs, list.is_empty());
            let allowed = ast::Storage::REGISTER.0;
            if specifiers.storage.0 & !allowed != 0 {
                self.error(
                    codes::BAD_STORAGE,
                    ast.decls[decl].span,
                    "a parameter can only be `register`",
                );
            }
            for item in list {
                let Some((name, span)) = ast.declarators[item.declarator].name else { continue };
                let saved = std::mem::replace(&mut self.in_definition_params, true);
                let (ty, attrs) = self.declared_type(&specifiers, item.declarator, Role::Parameter);
                self.in_definition_params = saved;
                if item.init.is_some() {
                    self.error(codes::BAD_INITIALISER, span, "a parameter has no initialiser");
                }
                if !params.kr_names.iter().any(|&(param, _)| param == name) {
                    let message =
                        format!("`{}` is not a parameter of the function", self.name(name));
                    self.error(codes::BAD_PARAMETER, span, message);
                } else if declared.insert(name, (ty, span, attrs.aligned)).is_some() {
                    let message = format!("the parameter `{}` is declared twice", self.name(name));
                    self.error(codes::BAD_PARAMETER, span, message);
                }
            }
        }
        params.lengths.append(&mut self.vla_lengths);
        params.hidden.append(&mut self.definition_hidden);
        for (name, span) in std::mem::take(&mut params.kr_names) {
            let (mut ty, span, align) =
                declared.get(&name).copied().unwrap_or((self.basics.int, span, None));
            if !self.is_error(ty) && !self.unit.types.is_complete(ty) {
                let shown = self.show(ty);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    span,
                    format!("the parameter has the incomplete type {shown}"),
                );
                ty = self.basics.error;
            }
            let var = self.unit.vars.push(Var {
                name: Some(name),
                ty,
                span,
                storage: Storage::Param,
                init: None,
                explicit_align: align,
                cleanup: None,
                asm_name: None,
                alias: None,
                weak: false,
            });
            if self.scopes.get_here(name).is_some() {
                let message = format!("two parameters have the name `{}`", self.name(name));
                self.error(codes::BAD_PARAMETER, span, message);
            }
            self.scopes.insert(name, Entity::Var(var), span);
            params.vars.push(var);
        }
    }

    pub(super) fn check_main(&mut self, function: &FunctionType, span: Span) {
        if self.canonical(function.ret) != self.basics.int.ty() {
            self.warning(codes::BAD_MAIN, span, "`main` does not return `int`");
        }
        if function.prototype && !matches!(function.params.len(), 0 | 2 | 3) {
            self.warning(codes::BAD_MAIN, span, "`main` takes no or two parameters");
        } else if let Some(&first) = function.params.first()
            && function.prototype
            && self.canonical(first) != self.basics.int.ty()
        {
            self.warning(codes::BAD_MAIN, span, "the first parameter of `main` is not an `int`");
        }
    }

    /// The function of a name that is called without a declaration, or that a builtin stands for.
    pub(super) fn undeclared_function(
        &mut self,
        name: Symbol,
        span: Span,
        ty: QualType,
        builtin: bool,
    ) -> FuncId {
        if let Some(Linked::Function(id)) = self.linked(name) {
            return id;
        }
        let id = self.unit.functions.push(Function {
            name,
            ty,
            span,
            linkage: Linkage::External,
            inline: false,
            // What the compiler declares by itself says nothing about the definition.
            inline_only: builtin,
            noreturn: false,
            nonnull: NonNull::default(),
            params: Vec::new(),
            body: None,
            definition_span: None,
            implicit: !builtin,
            constructor: None,
            destructor: None,
            asm_name: None,
            alias: None,
            weak: false,
            nested: None,
            explicit_align: None,
        });
        if builtin {
            self.builtin_declared.insert(id, ());
        }
        self.unit.items.push(Item::Function(id));
        self.linked.entry(name).or_insert(Linked::Function(id));
        id
    }
}

/// Returns whether the definition serves inlining alone if all declarations are like this one.
fn is_inline_only(declared: &Declared<'_>) -> bool {
    let storage = declared.specs.storage;
    storage.has(ast::Storage::INLINE)
        && storage.has(ast::Storage::EXTERN) == declared.attrs.gnu_inline
}
