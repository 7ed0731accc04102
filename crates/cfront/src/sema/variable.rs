//! Variables: storage, linkage, redeclaration, tentative definitions.

use super::decl::Declared;
use super::scope::Entity;
use super::{Linked, Sema, codes};
use crate::ast::{self};
use crate::hir::{Definition, FuncId, Item, Linkage, StmtId, StmtKind, Storage, Var, VarId};
use crate::layout;
use crate::types::{ArrayLen, TypeKind};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn declare_variable(
        &mut self,
        declared: Declared<'_>,
        init: Option<ast::InitId>,
        out: &mut Vec<StmtId>,
    ) {
        let span = declared.span;
        let storage = declared.specs.storage;
        let in_block = self.function.is_some();
        let mut init = init;
        let mut declared = declared;
        if self.unit.types.is_void(declared.ty)
            && storage.has(ast::Storage::EXTERN)
            && init.is_none()
        {
            // A name for an address, as linkers give them: nothing is known of what is there.
            declared.ty = self.array_of(self.basics.char, ArrayLen::Incomplete);
        }
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

    pub(super) fn incomplete_variable(&mut self, var: VarId) {
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

    pub(super) fn emit_decl(&mut self, var: VarId, span: Span, out: &mut Vec<StmtId>) {
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
    pub(super) fn declare_variable_here(
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

    pub(super) fn new_variable(
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

    pub(super) fn cleanup_function(&mut self, declared: &Declared<'_>) -> Option<FuncId> {
        let (name, span) = declared.attrs.cleanup?;
        match self.scopes.get(name).map(|binding| binding.entity) {
            Some(Entity::Function(function)) => Some(function),
            _ => {
                let message = format!("`{}` in `cleanup` is not a function", self.name(name));
                self.error(codes::BAD_ATTRIBUTE, span, message);
                None
            }
        }
    }

    pub(super) fn merge_variable(
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
}
