//! Nested functions, an extension of GNU C: functions that are defined in a block and see its names.
//!
//! A nested function has no linkage and a body of its own; [`Function::nested`](crate::hir::Function::nested) names the
//! function around it. The automatic variables of functions around it that it uses are collected in
//! [`Unit::captured`](crate::hir::Unit::captured). A `goto` may leave it for a label that `__label__` declares further
//! out.

use super::decl::Declared;
use super::scope::Entity;
use super::{Sema, codes};
use crate::ast::{self, FunctionDef};
use crate::hir::{FuncId, LabelId, Linkage, StmtId, StmtKind, Storage, VarId};
use crate::intern::Symbol;
use crate::types::{ArrayLen, QualType, TypeKind};
use vergo_source::Span;

impl Sema<'_> {
    /// Analyses a function definition in a block.
    pub(super) fn nested_definition(&mut self, definition: &FunctionDef, out: &mut Vec<StmtId>) {
        let outer_depth = self.scopes.depth();
        let saved_depth = std::mem::replace(&mut self.outer_depth, outer_depth);
        let saved_unevaluated = std::mem::take(&mut self.unevaluated);
        let function = self.function_definition(definition);
        self.outer_depth = saved_depth;
        self.unevaluated = saved_unevaluated;
        if let Some(function) = function {
            let stmt = self.push_stmt(definition.span, StmtKind::Nested(function));
            out.push(stmt);
        }
    }

    /// Declares a nested function: by its definition, or before it by `auto`.
    pub(super) fn declare_nested(&mut self, declared: &Declared<'_>) -> FuncId {
        let storage = declared.specs.storage;
        let around = self.function.as_ref().map(|function| function.id);
        let forbidden = ast::Storage::STATIC.0
            | ast::Storage::EXTERN.0
            | ast::Storage::REGISTER.0
            | ast::Storage::THREAD_LOCAL.0;
        if storage.0 & forbidden != 0 {
            self.error(codes::BAD_STORAGE, declared.span, "a nested function is only `auto`");
        }
        let noreturn = declared.attrs.noreturn || storage.has(ast::Storage::NORETURN);
        match self.scopes.get_here(declared.name).map(|binding| (binding.entity, binding.span)) {
            Some((Entity::Function(id), _)) if self.unit.functions[id].nested == around => {
                self.merge_function(id, declared, false, true);
                self.unit.functions[id].noreturn |= noreturn;
                return id;
            }
            Some((Entity::Error, _)) | None => {}
            Some((_, previous)) => self.different_kind(declared.name, declared.span, previous),
        }
        let id = self.new_function(declared, Linkage::None, noreturn);
        self.unit.functions[id].nested = around;
        self.unit.functions[id].inline_only = false;
        self.scopes.insert(declared.name, Entity::Function(id), declared.span);
        id
    }

    /// Notes that a nested function uses a variable of a function around it.
    pub(super) fn capture(&mut self, var: VarId) {
        if matches!(self.unit.vars[var].storage, Storage::Static { .. }) {
            return;
        }
        self.unit.captured.insert(var);
        self.capture_lengths(self.unit.vars[var].ty);
    }

    /// Notes that a nested function uses the variable lengths of a type.
    pub(super) fn capture_lengths(&mut self, mut ty: QualType) {
        loop {
            match *self.unit.types.kind(ty) {
                TypeKind::Array(element, length) => {
                    if let ArrayLen::Variable(var) = length {
                        self.unit.captured.insert(var);
                    }
                    ty = element;
                }
                TypeKind::Pointer(to) => ty = to,
                _ => return,
            }
        }
    }

    /// A `goto`: to a label of the function itself, or to a declared one of a function around it.
    pub(super) fn goto_stmt(&mut self, name: Symbol, span: Span) -> StmtId {
        if let Some((label, function)) = self.outer_label(name, span) {
            return self.push_stmt(span, StmtKind::GotoOuter(label, function));
        }
        let label = self.label(name, span);
        if let Some(function) = &mut self.function {
            let guard = function.guard;
            function.gotos.push((label, span, guard));
        }
        self.push_stmt(span, StmtKind::Goto(label))
    }

    /// The label that `__label__` declares in a function around, unless the name is a label of the function itself.
    pub(super) fn outer_label(&mut self, name: Symbol, span: Span) -> Option<(LabelId, FuncId)> {
        let function = self.function.as_mut()?;
        if function.labels.contains_key(&name) {
            return None;
        }
        let mut context = function.outer.as_deref_mut();
        while let Some(outer) = context {
            if let Some(entry) = outer.labels.get(&name).filter(|entry| entry.local) {
                let label = entry.id;
                outer.gotos.push((label, span, outer.guard));
                return Some((label, outer.id));
            }
            context = outer.outer.as_deref_mut();
        }
        None
    }
}
