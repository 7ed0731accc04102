//! Declarators: the derivations around a name, and parameter lists.

use super::attributes::Attrs;
use super::scope::{Binding, Entity, Tag};
use super::{Sema, codes};
use crate::ast::{self, ArraySize, Chunk, Params, Quals, TypeSpec};
use crate::consteval::Evaluator;
use crate::hir::{ExprId, StmtId, Storage, Var, VarId};
use crate::intern::Symbol;
use crate::layout;
use crate::types::{ArrayLen, FunctionType, QualType, TypeKind};
use rustc_hash::FxHashMap;
use vergo_source::{Diagnostic, Span};

/// The context of a declarator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A variable, function, typedef, member or type name.
    Plain,
    /// A parameter: the outermost array or function becomes a pointer.
    Parameter,
    /// The declarator of a function definition.
    Definition,
}

/// The parameters of a function definition, with what is to be visible in its body.
#[derive(Debug, Default)]
pub(super) struct DefinitionParams {
    pub(super) vars: Vec<VarId>,
    pub(super) names: Vec<Binding<Entity>>,
    pub(super) tags: Vec<Binding<Tag>>,
    /// Declarations of hidden variables.
    pub(super) hidden: Vec<StmtId>,
    /// Assignments of lengths.
    pub(super) lengths: Vec<ExprId>,
    /// K&R parameters, to be declared.
    pub(super) kr_names: Vec<(Symbol, Span)>,
}

impl Sema<'_> {
    /// The type of an abstract declarator with its attributes.
    pub(super) fn abstract_declarator(
        &mut self,
        base: QualType,
        id: ast::DeclaratorId,
    ) -> (QualType, Attrs) {
        let mut attrs = Attrs::default();
        self.attributes(self.ast.declarators[id].attrs, &mut attrs);
        let ty = self.declarator(base, id, Role::Plain);
        let ty = self.attributed_type(ty, &attrs);
        (ty, attrs)
    }

    /// The type and the attributes of what specifiers and a declarator declare.
    pub(super) fn declared_type(
        &mut self,
        specs: &super::specs::Specifiers,
        id: ast::DeclaratorId,
        role: Role,
    ) -> (QualType, Attrs) {
        let list = self.ast.declarators[id].attrs;
        let ty = self.declarator(specs.ty, id, role);
        if list.is_empty() {
            return (ty, specs.attrs.clone());
        }
        let mut own = Attrs::default();
        self.attributes(list, &mut own);
        let ty = self.attributed_type(ty, &own);
        (ty, specs.attrs.merged(&own))
    }

    /// The type that a declarator gives its name.
    pub(super) fn declarator(
        &mut self,
        base: QualType,
        id: ast::DeclaratorId,
        role: Role,
    ) -> QualType {
        let ast = self.ast;
        let declarator = ast.declarators[id];
        let chunks = ast.chunk_lists.get(declarator.chunks);
        let mut ty = base;
        for (index, chunk) in chunks.iter().enumerate().rev() {
            ty = match *chunk {
                Chunk::Pointer { quals, .. } => {
                    let pointer = self.unit.types.pointer(ty);
                    QualType::new(pointer, quals)
                }
                Chunk::Array { size, quals, is_static: _, span } => {
                    if role == Role::Parameter && index == 0 {
                        self.array_parameter(ty, size, quals, span)
                    } else {
                        self.array_type(ty, size, span)
                    }
                }
                Chunk::Function { params, span } => {
                    let is_definition = role == Role::Definition && index == 0;
                    stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                        self.function_type(ty, params, span, is_definition)
                    })
                }
            };
            if self.is_error(ty) {
                // The rest of a definition is still needed for its parameters.
                if role != Role::Definition {
                    return self.basics.error;
                }
                ty = self.basics.int;
            }
        }
        if role == Role::Parameter { self.adjusted_parameter(ty) } else { ty }
    }

    /// A parameter that a typedef makes an array or function.
    fn adjusted_parameter(&mut self, ty: QualType) -> QualType {
        match *self.kind(ty) {
            TypeKind::Array(element, _) => self.pointer_to(element),
            TypeKind::Function(_) => self.pointer_to(ty.unqualified()),
            _ => ty,
        }
    }

    fn array_parameter(
        &mut self,
        element: QualType,
        size: ArraySize,
        quals: Quals,
        span: Span,
    ) -> QualType {
        if !self.check_element(element, span) {
            return self.basics.error;
        }
        if let ArraySize::Expr(expr) = size {
            // The length is evaluated on entry but holds for nothing; its side effects are kept.
            let length = self.rvalue(expr);
            if self.prototype_depth == 0
                && self.try_fold(length).is_none()
                && !self.is_error(self.ty(length))
            {
                let void = self.convert_to_void(length);
                self.vla_lengths.push(void);
            }
        }
        QualType::new(self.unit.types.pointer(element), quals)
    }

    fn check_element(&mut self, element: QualType, span: Span) -> bool {
        if self.is_error(element) {
            return false;
        }
        let what = match self.kind(element) {
            TypeKind::Function(_) => "functions",
            TypeKind::Void => "`void`",
            TypeKind::Array(_, ArrayLen::Incomplete) => {
                self.error(
                    codes::BAD_TYPE,
                    span,
                    "only the first length of an array of arrays may be missing",
                );
                return false;
            }
            _ if !self.unit.types.is_complete(element) => {
                let shown = self.show(element);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    span,
                    format!("the elements of an array have the incomplete type {shown}"),
                );
                return false;
            }
            _ => return true,
        };
        self.error(codes::BAD_TYPE, span, format!("there are no arrays of {what}"));
        false
    }

    fn array_type(&mut self, element: QualType, size: ArraySize, span: Span) -> QualType {
        if !self.check_element(element, span) {
            if let ArraySize::Expr(expr) = size {
                self.rvalue(expr);
            }
            return self.basics.error;
        }
        let len = match size {
            ArraySize::None => ArrayLen::Incomplete,
            ArraySize::Star => {
                if self.prototype_depth == 0 {
                    self.error(codes::BAD_ARRAY_SIZE, span, "`[*]` is for prototypes only");
                    return self.basics.error;
                }
                ArrayLen::Star
            }
            ArraySize::Expr(expr) => match self.array_length(expr, element) {
                Some(len) => len,
                None => return self.basics.error,
            },
        };
        self.array_of(element, len)
    }

    fn array_length(&mut self, expr: ast::ExprId, element: QualType) -> Option<ArrayLen> {
        let length = self.rvalue(expr);
        let ty = self.ty(length);
        let span = self.span(length);
        if self.is_error(ty) {
            return None;
        }
        if !self.unit.types.is_integer(ty) {
            let shown = self.show(ty);
            self.error(
                codes::BAD_ARRAY_SIZE,
                span,
                format!("the length of an array is an integer, not {shown}"),
            );
            return None;
        }
        let signed =
            self.unit.types.int_shape(ty, &self.unit.target).is_some_and(|shape| shape.signed);
        let mut evaluator = Evaluator::new(&self.unit);
        match evaluator.eval_int(length) {
            Ok(value) => {
                if signed && value.sign_bit() {
                    self.error(codes::BAD_ARRAY_SIZE, span, "the length of an array is negative");
                    return None;
                }
                let largest = layout::largest_object(&self.unit.target);
                let size = self.size_of(element).unwrap_or(1);
                match value
                    .to_u64()
                    .filter(|&n| n.checked_mul(size).is_some_and(|bytes| bytes <= largest))
                {
                    Some(len) => Some(ArrayLen::Fixed(len)),
                    None => {
                        self.error(
                            codes::TOO_LARGE,
                            span,
                            "the array is too large for the address space",
                        );
                        None
                    }
                }
            }
            Err(reason) if reason.reason == crate::consteval::Reason::Error => None,
            Err(reason) => {
                if self.prototype_depth > 0 {
                    return Some(ArrayLen::Star);
                }
                if self.function.is_none() && !self.in_definition_params {
                    self.not_constant(reason, "the length of an array outside of functions", span);
                    return None;
                }
                Some(ArrayLen::Variable(self.length_variable(length)))
            }
        }
    }

    fn function_type(
        &mut self,
        ret: QualType,
        params: Params,
        span: Span,
        is_definition: bool,
    ) -> QualType {
        let mut ret = ret;
        if matches!(self.kind(ret), TypeKind::Array(..) | TypeKind::Function(_)) {
            let shown = self.show(ret);
            self.error(codes::BAD_TYPE, span, format!("a function cannot return {shown}"));
            ret = self.basics.int;
        }
        // Qualifiers of the result change nothing (C17 6.7.6.3p5).
        let ret = if self.unit.types.is_void(ret) { ret } else { ret.unqualified() };
        let mut function =
            FunctionType { ret, params: Vec::new(), variadic: false, prototype: false };
        match params {
            Params::Empty => {
                if is_definition {
                    self.definition_params = DefinitionParams::default();
                }
            }
            Params::Names(names) => {
                let names = self.ast.name_lists.get(names).to_vec();
                if is_definition {
                    self.definition_params =
                        DefinitionParams { kr_names: names, ..DefinitionParams::default() };
                } else {
                    self.warning(
                        codes::BAD_PARAMETER,
                        span,
                        "names of parameters without types in a declaration",
                    );
                }
            }
            Params::Prototype { params, variadic } => {
                function.prototype = true;
                function.variadic = variadic;
                self.parameters(params, &mut function, is_definition);
            }
        }
        self.intern(TypeKind::Function(Box::new(function)))
    }

    /// Returns whether a parameter list can refer to its own names.
    fn refers_to_parameters(&self, params: &[ast::Param]) -> bool {
        params.iter().any(|param| {
            let specs = &self.ast.specs[param.specs];
            let chunks = self.ast.chunk_lists.get(self.ast.declarators[param.declarator].chunks);
            matches!(
                specs.ty,
                TypeSpec::TypeofExpr { .. } | TypeSpec::TypeofType { .. } | TypeSpec::Atomic(_)
            ) || chunks.iter().any(|chunk| match chunk {
                Chunk::Array { size, .. } => matches!(size, ArraySize::Expr(_)),
                Chunk::Function { .. } => true,
                Chunk::Pointer { .. } => false,
            })
        })
    }

    fn parameters(
        &mut self,
        list: crate::pool::List<ast::Param>,
        function: &mut FunctionType,
        is_definition: bool,
    ) {
        let ast = self.ast;
        let params = ast.param_lists.get(list);
        let declare = is_definition || self.refers_to_parameters(params);
        self.scopes.push();
        self.tags.push();
        let saved_lengths = std::mem::take(&mut self.vla_lengths);
        let saved_definition = std::mem::replace(&mut self.in_definition_params, is_definition);
        let saved_function = if is_definition { self.function.take() } else { None };
        let saved_hidden = std::mem::take(&mut self.definition_hidden);
        // A parameter's own parameter lists are prototypes even in a definition.
        let saved_depth = self.prototype_depth;
        self.prototype_depth = if is_definition { 0 } else { saved_depth + 1 };
        let mut vars = Vec::new();
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for param in params {
            let specs = self.specifiers(param.specs, false);
            let declarator = ast.declarators[param.declarator];
            let storage = specs.storage;
            if storage.0 & !(ast::Storage::REGISTER.0 | ast::Storage::AUTO.0) != 0 {
                self.error(codes::BAD_STORAGE, param.span, "a parameter can only be `register`");
            }
            if specs.implicit {
                self.warn_implicit_int(param.span, "this parameter");
            }
            let (mut ty, attrs) = self.declared_type(&specs, param.declarator, Role::Parameter);
            if specs.auto {
                self.error(codes::BAD_TYPE, param.span, "`__auto_type` needs an initialiser");
            }
            if self.unit.types.is_void(ty) {
                if params.len() == 1 && declarator.name.is_none() && !function.variadic {
                    // A typedef of `void` alone.
                    break;
                }
                let message = "a parameter cannot have type `void`";
                if is_definition {
                    self.error(codes::BAD_PARAMETER, param.span, message);
                } else {
                    self.warning(codes::BAD_PARAMETER, param.span, message);
                    continue;
                }
                ty = self.basics.error;
            }
            if is_definition && !self.is_error(ty) && !self.unit.types.is_complete(ty) {
                let shown = self.show(ty);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    param.span,
                    format!("the parameter has the incomplete type {shown}"),
                );
                ty = self.basics.error;
            }
            function.params.push(self.value_type_of_parameter(ty));
            if let Some((name, span)) = declarator.name
                && (declare || params.len() > 1)
            {
                if let Some(&first) = seen.get(&name) {
                    let message = format!("two parameters have the name `{}`", self.name(name));
                    self.report(
                        Diagnostic::error(codes::BAD_PARAMETER, span, message)
                            .label(first, "the first one"),
                    );
                } else {
                    seen.insert(name, span);
                }
            }
            if declare {
                let (name, span) = match declarator.name {
                    Some((name, span)) => (Some(name), span),
                    None => (None, param.span),
                };
                let var = self.unit.vars.push(Var {
                    name,
                    ty,
                    span,
                    storage: Storage::Param,
                    init: None,
                    explicit_align: attrs.aligned,
                    cleanup: None,
                    asm_name: None,
                    alias: None,
                    weak: false,
                });
                if storage.has(ast::Storage::REGISTER) {
                    self.register_params.insert(var, ());
                }
                if let Some(name) = name {
                    self.scopes.insert(name, Entity::Var(var), span);
                }
                vars.push(var);
            }
        }
        self.prototype_depth = saved_depth;
        self.in_definition_params = saved_definition;
        let lengths = std::mem::replace(&mut self.vla_lengths, saved_lengths);
        let hidden = std::mem::replace(&mut self.definition_hidden, saved_hidden);
        let names = self.scopes.pop();
        let tags = self.tags.pop();
        if is_definition {
            self.function = saved_function;
            self.definition_params =
                DefinitionParams { vars, names, tags, hidden, lengths, kr_names: Vec::new() };
        }
    }

    /// Parameters are unqualified in the type of their function.
    fn value_type_of_parameter(&self, ty: QualType) -> QualType {
        ty.unqualified()
    }
}
