//! Declarations: linkage, storage, redeclaration, function definitions, tentative definitions.

use super::attributes::Attrs;
use super::declarator::{DefinitionParams, Role};
use super::scope::Entity;
use super::specs::Specifiers;
use super::{FunctionContext, Linked, Sema, codes};
use crate::ast::{self, DeclKind, FunctionDef, InitDeclarator, Quals, TypeSpec};
use crate::hir::{
    Definition, FuncId, Function, Item, Linkage, StmtId, StmtKind, Storage, Var, VarId,
};
use crate::intern::Symbol;
use crate::layout;
use crate::types::{ArrayLen, FunctionType, QualType, TypeKind};
use rustc_hash::FxHashMap;
use vergo_source::{Diagnostic, Span};

/// What a declarator declares, before it is known to be a variable or a function.
struct Declared<'d> {
    name: Symbol,
    span: Span,
    ty: QualType,
    specs: &'d Specifiers,
    attrs: Attrs,
    asm_name: Option<Symbol>,
}

impl Sema<'_> {
    /// Analyses a declaration; statements that it leaves in a block go to `out`.
    pub(super) fn declaration(&mut self, id: ast::DeclId, out: &mut Vec<StmtId>) {
        let ast = self.ast;
        let decl = &ast.decls[id];
        match decl.kind {
            DeclKind::Empty => {}
            DeclKind::StaticAssert { cond, message } => {
                self.static_assert(cond, message, decl.span)
            }
            DeclKind::Function(definition) => {
                let span = ast.declarators[definition.declarator].span;
                self.error(codes::UNSUPPORTED, span, "nested functions are not supported");
            }
            DeclKind::Vars { specs, declarators } => {
                let list = ast.init_declarator_lists.get(declarators);
                let specifiers = self.specifiers(specs, list.is_empty());
                if list.is_empty() {
                    self.lone_specifiers(specs, &specifiers, decl.span);
                    self.flush_lengths(out);
                    return;
                }
                if specifiers.implicit {
                    let span = ast.declarators[list[0].declarator].span;
                    self.warn_implicit_int(span, "this declaration");
                }
                for declarator in list {
                    self.init_declarator(&specifiers, declarator, out);
                }
            }
        }
    }

    /// Emits the assignments of the lengths of variable-length arrays that were met.
    pub(super) fn flush_lengths(&mut self, out: &mut Vec<StmtId>) {
        for length in std::mem::take(&mut self.vla_lengths) {
            let span = self.span(length);
            let stmt = self.push_stmt(span, StmtKind::Expr(length));
            out.push(stmt);
        }
    }

    fn lone_specifiers(&mut self, specs: ast::SpecsId, specifiers: &Specifiers, span: Span) {
        match self.ast.specs[specs].ty {
            TypeSpec::Record { tag, members, .. } => {
                if tag.is_none() && members.is_some() || tag.is_none() && members.is_none() {
                    self.warning(
                        codes::EMPTY_DECLARATION,
                        span,
                        "an unnamed structure or union without a variable",
                    );
                }
            }
            TypeSpec::Enum { .. } | TypeSpec::Error => {}
            _ => {
                if !self.is_error(specifiers.ty) {
                    self.warning(codes::EMPTY_DECLARATION, span, "this declares nothing");
                }
            }
        }
    }

    fn static_assert(&mut self, cond: ast::ExprId, message: crate::pool::List<Span>, span: Span) {
        let expr = self.rvalue(cond);
        let cond_span = self.span(expr);
        let Some(value) = self.constant_int(expr, "the condition of a static assertion") else {
            return;
        };
        if !value.is_zero() {
            return;
        }
        let pieces: Vec<Span> = self.ast.span_lists.get(message).to_vec();
        let text =
            self.pieces_bytes(&pieces).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let message = match text {
            Some(text) if !text.is_empty() => format!("static assertion failed: {text}"),
            _ => "static assertion failed".to_owned(),
        };
        let at = if cond_span.is_dummy() { span } else { cond_span };
        self.error(codes::STATIC_ASSERTION, at, message);
    }

    fn init_declarator(
        &mut self,
        specs: &Specifiers,
        item: &InitDeclarator,
        out: &mut Vec<StmtId>,
    ) {
        let declarator = self.ast.declarators[item.declarator];
        let Some((name, span)) = declarator.name else {
            return;
        };
        let (mut ty, attrs) = if specs.auto {
            (self.basics.error, specs.attrs.clone())
        } else {
            self.declared_type(specs, item.declarator, Role::Plain)
        };
        self.flush_lengths(out);
        let asm_pieces: Vec<Span> = self.ast.span_lists.get(declarator.asm_name).to_vec();
        let asm_name = if asm_pieces.is_empty() { None } else { self.pieces_symbol(&asm_pieces) };
        if specs.auto {
            match item.init.map(|init| self.ast.inits[init].kind) {
                Some(ast::InitKind::Expr(expr)) => {
                    // The type comes from the initialiser, which does not see the name.
                    let value = self.rvalue(expr);
                    let mut value_ty = self.ty(value);
                    if self.unit.types.is_void(value_ty) {
                        self.error(
                            codes::VOID_VALUE,
                            span,
                            "a variable cannot have the type `void` of its initialiser",
                        );
                        value_ty = self.basics.error;
                    }
                    let value_ty = self.unit.types.qualify(value_ty, self.ast_quals(specs));
                    let declared = Declared { name, span, ty: value_ty, specs, attrs, asm_name };
                    self.auto_variable(declared, value, out);
                    return;
                }
                _ => {
                    self.error(
                        codes::BAD_INITIALISER,
                        span,
                        "`__auto_type` needs an expression as initialiser",
                    );
                    ty = self.basics.error;
                }
            }
        }
        let storage = specs.storage;
        let declared = Declared { name, span, ty, specs, attrs, asm_name };
        if storage.has(ast::Storage::TYPEDEF) {
            if item.init.is_some() {
                self.error(codes::BAD_INITIALISER, span, "a typedef has no initialiser");
            }
            self.declare_typedef(&declared);
        } else if self.unit.types.is_function(ty) {
            if item.init.is_some() {
                let message =
                    format!("the function `{}` is initialised like a variable", self.name(name));
                self.error(codes::BAD_INITIALISER, span, message);
            }
            self.declare_function(&declared, false);
        } else {
            self.declare_variable(declared, item.init, out);
        }
    }

    /// The qualifiers that were written beside `__auto_type`.
    fn ast_quals(&self, specs: &Specifiers) -> Quals {
        specs.ty.quals()
    }

    fn auto_variable(
        &mut self,
        declared: Declared<'_>,
        value: crate::hir::ExprId,
        out: &mut Vec<StmtId>,
    ) {
        let is_static = self.function.is_none() || declared.specs.storage.has(ast::Storage::STATIC);
        let span = self.span(value);
        let ty = declared.ty;
        let (name, at) = (declared.name, declared.span);
        let Some(var) = self.declare_variable_here(declared, true, out) else { return };
        let _ = (name, at);
        let mut init = crate::hir::Init {
            span,
            ty: ty.unqualified(),
            kind: crate::hir::InitKind::Expr(value),
        };
        if is_static {
            let folded = self.static_value(value);
            init.kind = crate::hir::InitKind::Expr(folded);
        }
        let init = self.unit.inits.push(init);
        self.unit.vars[var].init = Some(init);
        self.emit_decl(var, at, out);
    }

    fn declare_typedef(&mut self, declared: &Declared<'_>) {
        let ty = self.aligned_type(declared.ty, declared.attrs.aligned);
        if let Some(binding) = self.scopes.get_here(declared.name) {
            let previous = binding.span;
            match binding.entity {
                Entity::Typedef(old) if self.same_type(old, ty) || self.compatible(old, ty) => {
                    if !self.unit.types.is_complete(old) && self.unit.types.is_complete(ty) {
                        self.scopes.insert(declared.name, Entity::Typedef(ty), declared.span);
                    }
                    return;
                }
                Entity::Typedef(old) if self.is_error(old) || self.is_error(ty) => return,
                Entity::Error => return,
                Entity::Typedef(old) => {
                    let message = format!("conflicting types for `{}`", self.name(declared.name));
                    let (now, before) = (self.show(ty), self.show(old));
                    self.report(
                        Diagnostic::error(codes::CONFLICTING_TYPES, declared.span, message)
                            .label(declared.span, format!("now {now}"))
                            .label(previous, format!("before {before}")),
                    );
                    return;
                }
                _ => {
                    self.different_kind(declared.name, declared.span, previous);
                    return;
                }
            }
        }
        // A transparent union may be declared by its typedef.
        if declared.attrs.transparent
            && let Some(record) = self.unit.types.record(ty)
            && self.unit.types.records[record].kind == crate::types::RecordKind::Union
        {
            self.unit.types.records[record].transparent = true;
        }
        self.scopes.insert(declared.name, Entity::Typedef(ty), declared.span);
    }

    fn different_kind(&mut self, name: Symbol, span: Span, previous: Span) {
        let message = format!("`{}` redeclared as a different kind of name", self.name(name));
        self.report(
            Diagnostic::error(codes::REDEFINITION, span, message)
                .label(previous, "first declared here"),
        );
    }

    /// A function or variable with linkage that the name means in this file, visible or not.
    fn linked(&self, name: Symbol) -> Option<Linked> {
        self.linked.get(&name).copied()
    }

    // Functions.

    fn declare_function(&mut self, declared: &Declared<'_>, defines: bool) -> FuncId {
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

    fn new_function(
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
            params: Vec::new(),
            body: None,
            definition_span: None,
            implicit: false,
            constructor: None,
            destructor: None,
            asm_name: None,
            alias: None,
            weak: false,
        });
        self.add_function_attributes(id, declared);
        id
    }

    fn add_function_attributes(&mut self, id: FuncId, declared: &Declared<'_>) {
        let attrs = &declared.attrs;
        let function = &mut self.unit.functions[id];
        function.constructor = attrs.constructor.or(function.constructor);
        function.destructor = attrs.destructor.or(function.destructor);
        function.alias = attrs.alias.or(function.alias);
        function.weak |= attrs.weak;
        function.asm_name = declared.asm_name.or(function.asm_name);
    }

    fn merge_function(
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
                let diagnostic = if implicit {
                    Diagnostic::warning(codes::CONFLICTING_TYPES, declared.span, message)
                        .label(old_span, format!("implicitly declared here as {before}"))
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
                if implicit && !tolerated {
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

    /// Analyses a function definition.
    pub(super) fn function_definition(&mut self, definition: &FunctionDef) {
        let ast = self.ast;
        let specs = self.specifiers(definition.specs, false);
        let declarator = ast.declarators[definition.declarator];
        let Some((name, span)) = declarator.name else { return };
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
                self.error(codes::BAD_TYPE, span, "this is defined like a function but is none");
            }
            return;
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
        let id = self.declare_function(&declared, true);
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
        if self.name(name) == "main" {
            self.check_main(&function_ty, span);
        }
        self.unit.functions[id].params = params.vars.clone();
        self.unit.functions[id].definition_span = Some(definition.span);
        self.unit.functions[id].span = span;
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
            name_var: None,
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
        self.function = None;
        self.unit.functions[id].body = Some(body);
    }

    /// Declares K&R parameters, in the order of the identifier list.
    fn kr_parameters(&mut self, params: &mut DefinitionParams, definition: &FunctionDef) {
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

    fn check_main(&mut self, function: &FunctionType, span: Span) {
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

    // Variables.

    pub(super) fn open_scope(&mut self) {
        self.scopes.push();
        self.tags.push();
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.pop();
        self.tags.pop();
    }

    fn declare_variable(
        &mut self,
        declared: Declared<'_>,
        init: Option<ast::InitId>,
        out: &mut Vec<StmtId>,
    ) {
        let span = declared.span;
        let storage = declared.specs.storage;
        let in_block = self.function.is_some();
        let mut init = init;
        if self.unit.types.is_void(declared.ty) {
            let message = format!("the variable `{}` has type `void`", self.name(declared.name));
            self.error(codes::INCOMPLETE_TYPE, span, message);
            self.scopes.insert(declared.name, Entity::Error, span);
            return;
        }
        if storage.has(ast::Storage::INLINE) || storage.has(ast::Storage::NORETURN) {
            self.warning(
                codes::IGNORED_QUALIFIER,
                span,
                "a variable is neither `inline` nor `_Noreturn`",
            );
        }
        if in_block && storage.has(ast::Storage::EXTERN) && init.is_some() {
            let message = format!(
                "`{}` is both `extern` and initialised in a block",
                self.name(declared.name)
            );
            self.error(codes::BAD_INITIALISER, span, message);
            init = None;
        }
        let is_static = !in_block
            || storage.has(ast::Storage::STATIC)
            || storage.has(ast::Storage::EXTERN)
            || storage.has(ast::Storage::THREAD_LOCAL);
        if is_static && self.unit.types.is_variably_modified(declared.ty) {
            if storage.has(ast::Storage::EXTERN) || self.unit.types.is_vla(declared.ty) {
                let message = format!(
                    "`{}` has static storage but a length that is known only at run time",
                    self.name(declared.name)
                );
                self.error(codes::BAD_ARRAY_SIZE, span, message);
            }
        } else if init.is_some() && self.unit.types.is_vla(declared.ty) {
            // Only an empty list may follow (C23).
            if let Some(ast::InitKind::List(list)) = init.map(|init| self.ast.inits[init].kind)
                && list.is_empty()
            {
                self.error(
                    codes::UNSUPPORTED,
                    span,
                    "the empty initialiser of a variable-length array is not supported",
                );
            } else {
                self.error(
                    codes::BAD_INITIALISER,
                    span,
                    "a variable-length array cannot be initialised",
                );
            }
            init = None;
        }
        let ty = declared.ty;
        let Some(var) = self.declare_variable_here(declared, init.is_some(), out) else {
            if let Some(init) = init
                && !self.is_error(ty)
            {
                // For its diagnostics.
                self.initialiser(ty, init, is_static);
            }
            return;
        };
        if let Some(init) = init {
            let ty = self.unit.vars[var].ty;
            if self.is_error(ty) {
                if let ast::InitKind::Expr(expr) = self.ast.inits[init].kind {
                    self.rvalue(expr);
                }
            } else {
                let (init, completed) = self.initialiser(ty, init, is_static);
                self.unit.vars[var].init = Some(init);
                self.unit.vars[var].ty = completed;
            }
        }
        let ty = self.unit.vars[var].ty;
        let must_be_complete = match self.unit.vars[var].storage {
            Storage::Static { definition, linkage, .. } => {
                definition == Definition::Defined
                    || (definition == Definition::Tentative && linkage == Linkage::None)
            }
            _ => true,
        };
        if must_be_complete && !self.is_error(ty) && !self.unit.types.is_complete(ty) {
            self.incomplete_variable(var);
        }
        if self.size_of(ty).is_some_and(|size| size > layout::largest_object(&self.unit.target)) {
            let message =
                format!("the object is larger than the address space allows: {}", self.show(ty));
            self.error(codes::TOO_LARGE, span, message);
        }
        self.emit_decl(var, span, out);
    }

    fn incomplete_variable(&mut self, var: VarId) {
        let (ty, span, name) = {
            let var = &self.unit.vars[var];
            (var.ty, var.span, var.name)
        };
        let shown = self.show(ty);
        let name = name.map_or("", |name| self.name(name)).to_owned();
        self.error(
            codes::INCOMPLETE_TYPE,
            span,
            format!("the size of `{name}` is not known: it has type {shown}"),
        );
        self.unit.vars[var].ty = self.basics.error;
    }

    fn emit_decl(&mut self, var: VarId, span: Span, out: &mut Vec<StmtId>) {
        if self.function.is_some()
            && matches!(self.unit.vars[var].storage, Storage::Auto | Storage::Register)
        {
            let stmt = self.push_stmt(span, StmtKind::Decl(var));
            out.push(stmt);
            let ty = self.unit.vars[var].ty;
            if self.unit.types.is_variably_modified(ty) {
                self.enter_guard();
            }
        }
    }

    /// Declares a variable in the innermost scope; `None` if that is impossible.
    fn declare_variable_here(
        &mut self,
        declared: Declared<'_>,
        initialised: bool,
        _out: &mut Vec<StmtId>,
    ) -> Option<VarId> {
        let storage = declared.specs.storage;
        let name = declared.name;
        let span = declared.span;
        let in_block = self.function.is_some();
        let is_extern = storage.has(ast::Storage::EXTERN);
        let is_static = storage.has(ast::Storage::STATIC);
        let thread_local = storage.has(ast::Storage::THREAD_LOCAL);
        if !in_block && (storage.has(ast::Storage::AUTO) || storage.has(ast::Storage::REGISTER)) {
            // A register variable at file scope is GNU's if it names its register.
            if !(storage.has(ast::Storage::REGISTER) && declared.asm_name.is_some()) {
                self.error(
                    codes::BAD_STORAGE,
                    span,
                    "a variable outside of functions is neither `auto` nor `register`",
                );
            }
        }
        if in_block && thread_local && !is_extern && !is_static {
            self.error(
                codes::BAD_STORAGE,
                span,
                "a thread-local variable in a block must be `static` or `extern`",
            );
        }
        if in_block && !is_extern {
            if let Some(binding) = self.scopes.get_here(name) {
                let previous = binding.span;
                if !matches!(binding.entity, Entity::Error) {
                    let message = format!("redeclaration of `{}`", self.name(name));
                    self.report(
                        Diagnostic::error(codes::REDEFINITION, span, message)
                            .label(previous, "first declared here"),
                    );
                }
            }
            let kind = if is_static || thread_local {
                Storage::Static {
                    linkage: Linkage::None,
                    definition: Definition::Defined,
                    thread_local,
                    function: self.function.as_ref().map(|function| function.id),
                }
            } else if storage.has(ast::Storage::REGISTER) {
                Storage::Register
            } else {
                Storage::Auto
            };
            let cleanup = self.cleanup_function(&declared);
            let var = self.new_variable(&declared, kind, cleanup);
            if matches!(kind, Storage::Static { .. }) {
                self.unit.items.push(Item::Var(var));
            }
            self.scopes.insert(name, Entity::Var(var), span);
            return Some(var);
        }
        // A variable with linkage.
        if let Some(binding) = self.scopes.get_here(name) {
            let previous = binding.span;
            match binding.entity {
                Entity::Var(old) if matches!(self.unit.vars[old].storage, Storage::Static { linkage, .. } if linkage != Linkage::None) =>
                    {}
                Entity::Error => {}
                Entity::Var(_) => {
                    let message =
                        format!("redeclaration of `{}`, which has no linkage", self.name(name));
                    self.report(
                        Diagnostic::error(codes::CONFLICTING_LINKAGE, span, message)
                            .label(previous, "first declared here"),
                    );
                    return None;
                }
                _ => {
                    self.different_kind(name, span, previous);
                    return None;
                }
            }
        }
        let definition = if in_block || (is_extern && !initialised) {
            Definition::Declared
        } else if initialised || thread_local {
            Definition::Defined
        } else {
            Definition::Tentative
        };
        let var = match self.linked(name) {
            Some(Linked::Var(var)) => {
                self.merge_variable(
                    var,
                    &declared,
                    definition,
                    initialised,
                    is_static && !in_block,
                    thread_local,
                );
                var
            }
            Some(Linked::Function(function)) => {
                let previous = self.unit.functions[function].span;
                self.different_kind(name, span, previous);
                return None;
            }
            None => {
                let linkage = if is_static { Linkage::Internal } else { Linkage::External };
                let storage = Storage::Static { linkage, definition, thread_local, function: None };
                let var = self.new_variable(&declared, storage, None);
                self.linked.insert(name, Linked::Var(var));
                self.unit.items.push(Item::Var(var));
                var
            }
        };
        match self.scopes.get_here(name).map(|binding| binding.entity) {
            Some(Entity::Var(old)) if old == var => {}
            _ => self.scopes.insert(name, Entity::Var(var), span),
        }
        Some(var)
    }

    fn new_variable(
        &mut self,
        declared: &Declared<'_>,
        storage: Storage,
        cleanup: Option<FuncId>,
    ) -> VarId {
        self.unit.vars.push(Var {
            name: Some(declared.name),
            ty: declared.ty,
            span: declared.span,
            storage,
            init: None,
            explicit_align: declared.attrs.aligned,
            cleanup,
            asm_name: declared.asm_name,
            alias: declared.attrs.alias,
            weak: declared.attrs.weak,
        })
    }

    fn cleanup_function(&mut self, declared: &Declared<'_>) -> Option<FuncId> {
        let (name, span) = declared.attrs.cleanup?;
        match self.scopes.get(name).map(|binding| binding.entity) {
            Some(Entity::Function(function)) => Some(function),
            _ => {
                let message = format!("`{}` in `cleanup` is no function", self.name(name));
                self.error(codes::BAD_ATTRIBUTE, span, message);
                None
            }
        }
    }

    fn merge_variable(
        &mut self,
        var: VarId,
        declared: &Declared<'_>,
        definition: Definition,
        initialised: bool,
        is_static: bool,
        thread_local: bool,
    ) {
        let old = &self.unit.vars[var];
        let (old_ty, old_span) = (old.ty, old.span);
        let name = declared.name;
        let span = declared.span;
        let Storage::Static {
            linkage,
            definition: old_definition,
            thread_local: old_thread,
            function,
        } = old.storage
        else {
            return;
        };
        if self.is_error(old_ty) {
            self.unit.vars[var].ty = declared.ty;
        } else if !self.is_error(declared.ty) {
            match self.composite(old_ty, declared.ty) {
                Some(ty) => self.unit.vars[var].ty = ty,
                None => {
                    let message = format!("conflicting types for `{}`", self.name(name));
                    let (now, before) = (self.show(declared.ty), self.show(old_ty));
                    self.report(
                        Diagnostic::error(codes::CONFLICTING_TYPES, span, message)
                            .label(span, format!("now {now}"))
                            .label(old_span, format!("before {before}")),
                    );
                }
            }
        }
        let in_block = self.function.is_some();
        let is_extern = declared.specs.storage.has(ast::Storage::EXTERN);
        let conflict = if is_static && linkage == Linkage::External {
            Some("static declaration of `{}` follows one that is not")
        } else if !is_static && !is_extern && !in_block && linkage == Linkage::Internal {
            Some("declaration of `{}` without `static` follows a static one")
        } else if thread_local != old_thread {
            Some("`{}` is thread-local in one declaration only")
        } else {
            None
        };
        if let Some(text) = conflict {
            let message = text.replace("{}", self.name(name));
            self.report(
                Diagnostic::error(codes::CONFLICTING_LINKAGE, span, message)
                    .label(old_span, "first declared here"),
            );
        }
        if initialised && self.unit.vars[var].init.is_some() {
            let message = format!("redefinition of `{}`", self.name(name));
            self.report(
                Diagnostic::error(codes::REDEFINITION, span, message)
                    .label(old_span, "the first definition is here"),
            );
        }
        let stronger = match (old_definition, definition) {
            (Definition::Defined, _) | (_, Definition::Defined) => Definition::Defined,
            (Definition::Tentative, _) | (_, Definition::Tentative) => Definition::Tentative,
            _ => Definition::Declared,
        };
        let updates_span =
            definition != Definition::Declared && old_definition != Definition::Defined;
        let old = &mut self.unit.vars[var];
        old.storage = Storage::Static {
            linkage,
            definition: stronger,
            thread_local: old_thread || thread_local,
            function,
        };
        old.explicit_align = old.explicit_align.max(declared.attrs.aligned);
        old.weak |= declared.attrs.weak;
        old.alias = declared.attrs.alias.or(old.alias);
        old.asm_name = declared.asm_name.or(old.asm_name);
        if updates_span {
            old.span = span;
        }
    }

    /// At the end of the unit: tentative definitions are complete (C17 6.9.2).
    pub(super) fn complete_tentative(&mut self) {
        for index in 0..self.unit.items.len() {
            let Item::Var(var) = self.unit.items[index] else { continue };
            let Storage::Static { definition: Definition::Tentative, .. } =
                self.unit.vars[var].storage
            else {
                continue;
            };
            let (ty, span) = (self.unit.vars[var].ty, self.unit.vars[var].span);
            if let TypeKind::Array(element, ArrayLen::Incomplete) = *self.kind(ty) {
                self.warning(
                    codes::INCOMPLETE_TYPE,
                    span,
                    "an array without a length is taken to have one element",
                );
                self.unit.vars[var].ty = self.array_of(element, ArrayLen::Fixed(1));
            } else if !self.is_error(ty) && !self.unit.types.is_complete(ty) {
                self.incomplete_variable(var);
            }
        }
    }

    // Functions that nobody declared.

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
            params: Vec::new(),
            body: None,
            definition_span: None,
            implicit: !builtin,
            constructor: None,
            destructor: None,
            asm_name: None,
            alias: None,
            weak: false,
        });
        if builtin {
            self.builtin_declared.insert(id, ());
        }
        self.unit.items.push(Item::Function(id));
        if !self.linked.contains_key(&name) {
            self.linked.insert(name, Linked::Function(id));
        }
        id
    }
}

/// Whether the declaration, if all are like it, makes the definition one for inlining alone.
fn is_inline_only(declared: &Declared<'_>) -> bool {
    let storage = declared.specs.storage;
    storage.has(ast::Storage::INLINE)
        && storage.has(ast::Storage::EXTERN) == declared.attrs.gnu_inline
}
