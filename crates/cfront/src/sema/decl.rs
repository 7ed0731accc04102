//! Declarations: linkage, storage, redeclaration, function definitions, tentative definitions.

use super::attributes::Attrs;
use super::declarator::Role;
use super::scope::Entity;
use super::specs::Specifiers;
use super::{Linked, Sema, codes};
use crate::ast::{self, DeclKind, InitDeclarator, Quals, TypeSpec};
use crate::hir::{StmtId, StmtKind};
use crate::intern::Symbol;
use crate::types::QualType;
use vergo_source::{Diagnostic, Span};

/// The entity of a declarator, before it is known to be a variable or a function.
pub(super) struct Declared<'d> {
    pub(super) name: Symbol,
    pub(super) span: Span,
    pub(super) ty: QualType,
    pub(super) specs: &'d Specifiers,
    pub(super) attrs: Attrs,
    pub(super) asm_name: Option<Symbol>,
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
                self.nested_definition(&definition, out);
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

    pub(super) fn lone_specifiers(
        &mut self,
        specs: ast::SpecsId,
        specifiers: &Specifiers,
        span: Span,
    ) {
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

    pub(super) fn static_assert(
        &mut self,
        cond: ast::ExprId,
        message: crate::pool::List<Span>,
        span: Span,
    ) {
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

    pub(super) fn init_declarator(
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
            if self.function.is_some() && storage.has(ast::Storage::AUTO) {
                self.declare_nested(&declared);
            } else {
                self.declare_function(&declared, false);
            }
        } else {
            self.declare_variable(declared, item.init, out);
        }
    }

    /// The qualifiers that were written beside `__auto_type`.
    pub(super) fn ast_quals(&self, specs: &Specifiers) -> Quals {
        specs.ty.quals()
    }

    pub(super) fn auto_variable(
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

    pub(super) fn declare_typedef(&mut self, declared: &Declared<'_>) {
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

    pub(super) fn different_kind(&mut self, name: Symbol, span: Span, previous: Span) {
        let message = format!("`{}` redeclared as a different kind of name", self.name(name));
        self.report(
            Diagnostic::error(codes::REDEFINITION, span, message)
                .label(previous, "first declared here"),
        );
    }

    /// A function or variable with linkage that the name means in this file, visible or not.
    pub(super) fn linked(&self, name: Symbol) -> Option<Linked> {
        self.linked.get(&name).copied()
    }

    pub(super) fn open_scope(&mut self) {
        self.scopes.push();
        self.tags.push();
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.pop();
        self.tags.pop();
    }
}
