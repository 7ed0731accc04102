//! Expressions: names, literals, access paths, `sizeof` and the other forms without arithmetic.

use super::convert::Target;
use super::{Sema, codes};
use crate::ast::{self, ExprKind as Ast, KeywordConst};
use crate::hir::{CastKind, Definition, ExprId, ExprKind, Item, Linkage, Storage, Var};
use crate::intern::Symbol;
use crate::layout;
use crate::types::{ArrayLen, QualType, TypeKind};
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    /// Analyses an expression; the result may be an lvalue or a function designator.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        let node = self.ast.exprs[id];
        match node.kind {
            // Leaves need no more stack than there is.
            Ast::Name(symbol) => self.name_expr(symbol, node.span),
            Ast::Number => self.number(node.span),
            Ast::Error => self.error_expr(node.span),
            _ => stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.expr_node(id)),
        }
    }

    /// Analyses an expression for its value.
    pub(super) fn rvalue(&mut self, id: ast::ExprId) -> ExprId {
        let expr = self.expr(id);
        self.decay(expr)
    }

    /// Analyses an operand that is not evaluated.
    pub(super) fn unevaluated_expr(&mut self, id: ast::ExprId) -> ExprId {
        self.unevaluated += 1;
        let mark = self.vla_lengths.len();
        let expr = self.expr(id);
        self.vla_lengths.truncate(mark);
        self.unevaluated -= 1;
        expr
    }

    /// Puts the lengths of variable-length arrays, met since the mark, before an expression.
    pub(super) fn with_lengths(&mut self, mark: usize, expr: ExprId) -> ExprId {
        let mut expr = expr;
        while self.vla_lengths.len() > mark {
            let Some(length) = self.vla_lengths.pop() else { break };
            let (span, ty) = (self.span(expr), self.ty(expr));
            expr = self.push(span, ty, ExprKind::Comma(length, expr));
        }
        expr
    }

    pub(super) fn expr_node(&mut self, id: ast::ExprId) -> ExprId {
        let ast::Expr { span, kind } = self.ast.exprs[id];
        match kind {
            Ast::Error => self.error_expr(span),
            Ast::Name(symbol) => self.name_expr(symbol, span),
            Ast::Number => self.number(span),
            Ast::Char => self.character(span),
            Ast::String(pieces) => {
                let pieces: Vec<Span> = self.ast.span_lists.get(pieces).to_vec();
                self.string(&pieces, span)
            }
            Ast::Keyword(KeywordConst::True) => self.int_expr(span, self.basics.bool_, 1),
            Ast::Keyword(KeywordConst::False) => self.int_expr(span, self.basics.bool_, 0),
            Ast::Keyword(KeywordConst::Nullptr) => {
                let ty = self.intern(TypeKind::Nullptr);
                self.int_expr(span, ty, 0)
            }
            Ast::Paren(inner) | Ast::Unary(ast::UnaryOp::Extension, inner) => self.expr(inner),
            Ast::Index(base, index) => self.index(base, index, span),
            Ast::Call(callee, args) => self.call(callee, args, span),
            Ast::Member(base, name) => self.member(base, name, span),
            Ast::Arrow(base, name) => self.arrow(base, name, span),
            Ast::Unary(op, operand) => self.unary(op, operand, span),
            Ast::Binary(op, left, right) => self.binary(op, left, right, span),
            Ast::Assign(op, place, value) => self.assign(op, place, value, span),
            Ast::Cond(cond, then, other) => self.conditional(cond, then, other, span),
            Ast::Cast(ty, operand) => {
                let mark = self.vla_lengths.len();
                let to = self.type_name(ty);
                let value = self.rvalue(operand);
                let cast = self.explicit_cast(value, to, span);
                self.with_lengths(mark, cast)
            }
            Ast::CompoundLiteral(ty, init) => self.compound_literal(ty, init, span),
            Ast::SizeofExpr(operand) => self.sizeof_expr(operand, span),
            Ast::SizeofType(ty) => {
                let mark = self.vla_lengths.len();
                let ty = self.type_name(ty);
                let size = self.sizeof(ty, span);
                if self.unit.types.is_vla(ty) {
                    self.with_lengths(mark, size)
                } else {
                    self.vla_lengths.truncate(mark);
                    size
                }
            }
            Ast::AlignofExpr(operand) => self.alignof_expr(operand, span),
            Ast::AlignofType(ty) => {
                let mark = self.vla_lengths.len();
                let ty = self.type_name(ty);
                self.vla_lengths.truncate(mark);
                self.alignof_type(ty, span)
            }
            Ast::StmtExpr(body) => self.stmt_expr(body, span),
            Ast::LabelAddr(name) => self.label_address(name, span),
            Ast::Generic(control, list) => self.generic(control, list, span),
            Ast::VaArg(list, ty) => self.va_arg(list, ty, span),
            Ast::Offsetof(ty, designators) => self.offsetof(ty, designators, span),
            Ast::TypesCompatible(a, b) => {
                let mark = self.vla_lengths.len();
                let (a, b) = (self.type_name(a), self.type_name(b));
                self.vla_lengths.truncate(mark);
                // Distinct enumerations, and an enumeration and its integer type, count as different.
                let is_enum = |this: &Self, ty| matches!(this.kind(ty), TypeKind::Enum(_));
                let same = if is_enum(self, a) || is_enum(self, b) {
                    self.canonical(a) == self.canonical(b)
                } else {
                    self.compatible_unqualified(a, b) && {
                        let (qa, qb) =
                            (self.unit.types.qualifiers(a), self.unit.types.qualifiers(b));
                        !self.unit.types.is_array(a) || qa == qb || a.ty() != b.ty()
                    }
                };
                self.int_expr(span, self.basics.int, u64::from(same))
            }
            Ast::ChooseExpr(args) => self.choose_expr(args, span),
            Ast::ConvertVector(operand, ty) => self.convert_vector(operand, ty, span),
        }
    }

    // Access.

    pub(super) fn index(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> ExprId {
        let base = self.expr(base);
        let base_ty = self.ty(base);
        if let TypeKind::Vector(element, _) = *self.kind(base_ty) {
            let index = self.rvalue(index);
            if !self.unit.types.is_integer(self.ty(index)) {
                return self.bad_subscript(base, index, span);
            }
            let index = self.promote(index);
            let ty = QualType::new(element, base_ty.quals());
            return self.push(span, ty, ExprKind::VectorElement(base, index));
        }
        let base = self.decay(base);
        let index = self.rvalue(index);
        let (base_ty, index_ty) = (self.ty(base), self.ty(index));
        if self.is_error(base_ty) || self.is_error(index_ty) {
            return self.error_expr(span);
        }
        let (pointer, index) = match (self.kind(base_ty), self.kind(index_ty)) {
            (TypeKind::Pointer(_), _) if self.unit.types.is_integer(index_ty) => (base, index),
            (_, TypeKind::Pointer(_)) if self.unit.types.is_integer(base_ty) => (index, base),
            _ => return self.bad_subscript(base, index, span),
        };
        let Some(element) = self.unit.types.pointee(self.ty(pointer)) else {
            return self.error_expr(span);
        };
        if self.unit.types.is_function(element) {
            self.error(codes::BAD_SUBSCRIPT, span, "a pointer to a function has no elements");
            return self.error_expr(span);
        }
        if !self.unit.types.is_void(element) && !self.unit.types.is_complete(element) {
            let shown = self.show(element);
            self.error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("the elements have the incomplete type {shown}"),
            );
            return self.error_expr(span);
        }
        let index = self.promote(index);
        self.push(span, element, ExprKind::Index(pointer, index))
    }

    pub(super) fn bad_subscript(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        let (a, b) = (self.ty(base), self.ty(index));
        if !self.is_error(a) && !self.is_error(b) {
            let message = if matches!(self.kind(a), TypeKind::Pointer(_) | TypeKind::Vector(..)) {
                format!("the subscript is not an integer but has type {}", self.show(b))
            } else {
                format!("{} is neither an array nor a pointer", self.show(a))
            };
            self.error(codes::BAD_SUBSCRIPT, span, message);
        }
        self.error_expr(span)
    }

    pub(super) fn member(&mut self, base: ast::ExprId, name: Symbol, span: Span) -> ExprId {
        let base = self.expr(base);
        self.member_of(base, name, span, false)
    }

    pub(super) fn arrow(&mut self, base: ast::ExprId, name: Symbol, span: Span) -> ExprId {
        let pointer = self.rvalue(base);
        let ty = self.ty(pointer);
        if self.is_error(ty) {
            return pointer;
        }
        let Some(to) = self.unit.types.pointee(ty) else {
            let shown = self.show(ty);
            let mut diagnostic = Diagnostic::error(
                codes::NOT_A_RECORD,
                span,
                format!("`->` needs a pointer to a structure, not {shown}"),
            );
            if self.unit.types.record(ty).is_some() {
                diagnostic = diagnostic.help("use `.` to access a member of a structure");
            }
            self.report(diagnostic);
            return self.error_expr(span);
        };
        let pointer_span = self.span(pointer);
        let base = self.push(pointer_span, to, ExprKind::Deref(pointer));
        self.member_of(base, name, span, true)
    }

    pub(super) fn member_of(
        &mut self,
        base: ExprId,
        name: Symbol,
        span: Span,
        arrow: bool,
    ) -> ExprId {
        let ty = self.ty(base);
        let record = match *self.kind(ty) {
            TypeKind::Error => return base,
            TypeKind::Record(record) => record,
            _ => {
                let shown = self.show(ty);
                let message = format!(
                    "`{}` is accessed in {shown}, which is not a structure or union",
                    self.name(name)
                );
                let mut diagnostic = Diagnostic::error(codes::NOT_A_RECORD, span, message);
                if !arrow
                    && let Some(to) = self.unit.types.pointee(ty)
                    && self.unit.types.record(to).is_some()
                {
                    diagnostic = diagnostic.help("use `->` to access a member through a pointer");
                }
                self.report(diagnostic);
                return self.error_expr(span);
            }
        };
        if self.unit.types.records[record].fields.is_none() {
            let shown = self.show(ty.unqualified());
            let declared = self.unit.types.records[record].span;
            let mut diagnostic = Diagnostic::error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("member of the incomplete type {shown} is accessed"),
            );
            if !declared.is_dummy() {
                diagnostic = diagnostic.label(declared, "declared here, but not defined");
            }
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let Some(path) = self.find_member(record, name) else {
            let shown = self.show(ty.unqualified());
            let message = format!("{shown} has no member `{}`", self.name(name));
            let mut diagnostic = Diagnostic::error(codes::NO_SUCH_MEMBER, span, message);
            let candidates: Vec<Symbol> = self.unit.types.records[record]
                .fields
                .iter()
                .flatten()
                .filter_map(|field| field.name)
                .collect();
            if let Some(similar) = self.similar_name(name, candidates.into_iter()) {
                diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
            }
            self.report(diagnostic);
            return self.error_expr(span);
        };
        let mut expr = base;
        for (record, index) in path {
            expr = self.field_access(expr, record, index, span);
        }
        expr
    }

    /// `base.field` for a member by its number.
    pub(super) fn field_access(
        &mut self,
        base: ExprId,
        record: crate::types::RecordId,
        index: u32,
        span: Span,
    ) -> ExprId {
        let quals = self.member_quals(self.ty(base));
        let field_ty = match &self.unit.types.records[record].fields {
            Some(fields) => fields[index as usize].ty,
            None => self.basics.error,
        };
        if self.is_error(field_ty) {
            return self.error_expr(span);
        }
        let mut ty = self.unit.types.qualify(field_ty, quals);
        if !self.is_lvalue(base) && !self.unit.types.is_array(ty) {
            ty = self.value_type(ty);
        }
        self.push(span, ty, ExprKind::Member(base, record, index))
    }

    // Sizes.

    pub(super) fn sizeof_expr(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        let mark = self.vla_lengths.len();
        self.unevaluated += 1;
        let operand = self.expr(operand);
        self.unevaluated -= 1;
        let ty = self.ty(operand);
        if self.is_error(ty) {
            self.vla_lengths.truncate(mark);
            return self.error_expr(span);
        }
        if self.bit_field(operand).is_some() {
            self.error(codes::BAD_SIZEOF, span, "`sizeof` applied to a bit-field");
            return self.error_expr(span);
        }
        let size = match self.assigned_bit_field(operand) {
            // As with gcc, what was assigned has the type of the field.
            Some(width) => {
                let bytes = u64::from(width).div_ceil(8).next_power_of_two();
                self.int_expr(span, self.basics.size, bytes)
            }
            None => self.sizeof(ty, span),
        };
        if !self.unit.types.is_vla(ty) {
            self.vla_lengths.truncate(mark);
            return size;
        }
        let size = self.with_lengths(mark, size);
        if matches!(self.unit.exprs[operand].kind, ExprKind::Var(_))
            || !self.unit.types.is_array(ty)
        {
            return size;
        }
        // The operand of variable length is evaluated.
        let operand = self.decay(operand);
        let operand = self.convert_to_void(operand);
        let ty = self.ty(size);
        self.push(span, ty, ExprKind::Comma(operand, size))
    }

    /// The width of the bit-field to which an expression assigns its value.
    fn assigned_bit_field(&self, mut expr: ExprId) -> Option<u32> {
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Comma(_, value) => expr = value,
                ExprKind::Assign(place, _)
                | ExprKind::CompoundAssign { place, .. }
                | ExprKind::IncDec(_, place) => return Some(self.bit_field(place)?.width),
                _ => return None,
            }
        }
    }

    pub(super) fn sizeof(&mut self, ty: QualType, span: Span) -> ExprId {
        let size_ty = self.basics.size;
        if self.is_error(ty) {
            return self.error_expr(span);
        }
        if self.unit.types.is_vla(ty) {
            return self.push(span, size_ty, ExprKind::SizeofVla(ty.unqualified()));
        }
        match self.size_of(ty) {
            Some(size) => self.int_expr(span, size_ty, size),
            None => {
                let shown = self.show(ty);
                self.error(
                    codes::BAD_SIZEOF,
                    span,
                    format!("the size of the incomplete type {shown} is not known"),
                );
                self.error_expr(span)
            }
        }
    }

    pub(super) fn alignof_type(&mut self, ty: QualType, span: Span) -> ExprId {
        if self.is_error(ty) {
            return self.error_expr(span);
        }
        let (types, target) = (&self.unit.types, &self.unit.target);
        // `__alignof__` tells the alignment of variables, `_Alignof` that of members.
        let align = if self.text(span).starts_with(b"__") {
            layout::align_of(types, target, ty)
        } else {
            layout::member_align(types, target, ty)
        };
        if !types.is_complete(types.innermost_element(ty))
            && !types.is_void(ty)
            && !types.is_function(ty)
        {
            let shown = self.show(ty);
            self.error(
                codes::BAD_SIZEOF,
                span,
                format!("the alignment of the incomplete type {shown} is not known"),
            );
            return self.error_expr(span);
        }
        self.int_expr(span, self.basics.size, align)
    }

    pub(super) fn alignof_expr(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        let operand = self.unevaluated_expr(operand);
        let ty = self.ty(operand);
        if self.bit_field(operand).is_some() {
            self.error(codes::BAD_SIZEOF, span, "a bit-field has no alignment");
            return self.error_expr(span);
        }
        let explicit = match self.unit.exprs[operand].kind {
            ExprKind::Var(var) => self.unit.vars[var].explicit_align,
            ExprKind::Function(function) => self.unit.functions[function].explicit_align,
            ExprKind::Member(_, record, index) => self.unit.types.records[record]
                .fields
                .as_ref()
                .and_then(|fields| fields[index as usize].explicit_align),
            _ => None,
        };
        let base = self.alignof_type(ty, span);
        match (explicit, self.unit.exprs[base].kind) {
            (Some(explicit), ExprKind::Int(natural)) => {
                let size = self.basics.size;
                self.int_expr(span, size, explicit.max(natural))
            }
            _ => base,
        }
    }

    // Compound literals.

    pub(super) fn compound_literal(
        &mut self,
        ty: ast::TypeNameId,
        init: ast::InitId,
        span: Span,
    ) -> ExprId {
        let mark = self.vla_lengths.len();
        let ty = self.type_name(ty);
        if self.vla_lengths.len() > mark {
            self.vla_lengths.truncate(mark);
            self.error(
                codes::UNSUPPORTED,
                span,
                "a compound literal with a length that is known only at run time",
            );
            return self.error_expr(span);
        }
        if self.is_error(ty) {
            return self.error_expr(span);
        }
        let is_flexible_array = matches!(self.kind(ty), TypeKind::Array(_, ArrayLen::Incomplete));
        if self.unit.types.is_function(ty)
            || (!self.unit.types.is_complete(ty) && !is_flexible_array)
        {
            let shown = self.show(ty);
            self.error(
                codes::INCOMPLETE_TYPE,
                span,
                format!("a compound literal cannot have type {shown}"),
            );
            return self.error_expr(span);
        }
        let is_static = self.function.is_none();
        let (init, completed) = self.initialiser(ty, init, is_static);
        let storage = if is_static {
            Storage::Static {
                linkage: Linkage::None,
                definition: Definition::Defined,
                thread_local: false,
                function: None,
            }
        } else {
            Storage::Literal
        };
        let var = self.unit.vars.push(Var {
            name: None,
            ty: completed,
            span,
            storage,
            init: Some(init),
            explicit_align: None,
            cleanup: None,
            asm_name: None,
            alias: None,
            weak: false,
        });
        if is_static && self.unevaluated == 0 {
            self.unit.items.push(Item::Var(var));
        }
        self.push(span, completed, ExprKind::CompoundLiteral(var))
    }

    // Selection by type.

    pub(super) fn generic(
        &mut self,
        control: ast::ExprId,
        list: crate::pool::List<ast::GenericAssoc>,
        span: Span,
    ) -> ExprId {
        let control = self.unevaluated_expr(control);
        let control = self.decay(control);
        let control_ty = self.ty(control);
        let ast = self.ast;
        let mut chosen: Option<ast::ExprId> = None;
        let mut default = None;
        let mut seen: Vec<(QualType, Span)> = Vec::new();
        for association in ast.generic_lists.get(list) {
            let Some(ty) = association.ty else {
                if default.is_some() {
                    self.error(
                        codes::BAD_GENERIC,
                        ast.exprs[association.expr].span,
                        "a second `default`",
                    );
                }
                default = Some(association.expr);
                continue;
            };
            let ty_span = ast.type_names[ty].span;
            let mark = self.vla_lengths.len();
            let ty = self.type_name(ty);
            self.vla_lengths.truncate(mark);
            if self.is_error(ty) {
                continue;
            }
            if !self.unit.types.is_complete(ty) || self.unit.types.is_variably_modified(ty) {
                let shown = self.show(ty);
                self.error(
                    codes::BAD_GENERIC,
                    ty_span,
                    format!("{shown} is not a complete object type"),
                );
                continue;
            }
            if let Some(&(_, first)) = seen.iter().find(|&&(other, _)| self.compatible(other, ty)) {
                self.report(
                    Diagnostic::error(
                        codes::BAD_GENERIC,
                        ty_span,
                        "two associations with compatible types",
                    )
                    .label(first, "the first one"),
                );
            }
            seen.push((ty, ty_span));
            if chosen.is_none() && !self.is_error(control_ty) && self.compatible(control_ty, ty) {
                chosen = Some(association.expr);
            }
        }
        if self.is_error(control_ty) {
            return self.error_expr(span);
        }
        match chosen.or(default) {
            Some(expr) => self.expr(expr),
            None => {
                let shown = self.show(control_ty);
                self.error(
                    codes::BAD_GENERIC,
                    span,
                    format!("no association fits the type {shown}"),
                );
                self.error_expr(span)
            }
        }
    }

    pub(super) fn choose_expr(
        &mut self,
        args: crate::pool::List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let ast = self.ast;
        let &[cond, then, other] = ast.expr_lists.get(args) else {
            self.error(
                codes::BAD_BUILTIN_CALL,
                span,
                "`__builtin_choose_expr` takes three arguments",
            );
            return self.error_expr(span);
        };
        let cond = self.rvalue(cond);
        match self.constant_int(cond, "the first argument of `__builtin_choose_expr`") {
            Some(value) => {
                let chosen = if value.is_zero() { other } else { then };
                self.expr(chosen)
            }
            None => self.error_expr(span),
        }
    }

    // Labels as values, variable arguments, offsets.

    pub(super) fn label_address(&mut self, name: Symbol, span: Span) -> ExprId {
        if self.function.is_none() {
            self.error(
                codes::UNDEFINED_LABEL,
                span,
                "the address of a label is taken outside of a function",
            );
            return self.error_expr(span);
        }
        let label = match self.outer_label(name, span) {
            Some((label, _)) => label,
            None => self.label(name, span),
        };
        self.unit.labels[label].address_taken = true;
        self.push(span, self.basics.void_ptr, ExprKind::LabelAddr(label))
    }

    pub(super) fn offsetof(
        &mut self,
        ty: ast::TypeNameId,
        designators: crate::pool::List<ast::Designator>,
        span: Span,
    ) -> ExprId {
        let ty = self.type_name(ty);
        let ast = self.ast;
        let size_ty = self.basics.size;
        let mut ty = ty;
        let mut offset: u64 = 0;
        let mut dynamic: Option<ExprId> = None;
        for designator in ast.designator_lists.get(designators) {
            if self.is_error(ty) {
                return self.error_expr(span);
            }
            match *designator {
                ast::Designator::Field(name, name_span) => {
                    let Some(record) = self.unit.types.record(ty) else {
                        let shown = self.show(ty);
                        self.error(
                            codes::NOT_A_RECORD,
                            name_span,
                            format!("{shown} has no members"),
                        );
                        return self.error_expr(span);
                    };
                    let Some(path) = self.find_member(record, name) else {
                        let shown = self.show(ty);
                        let message = format!("{shown} has no member `{}`", self.name(name));
                        self.error(codes::NO_SUCH_MEMBER, name_span, message);
                        return self.error_expr(span);
                    };
                    for (record, index) in path {
                        let Some(fields) = &self.unit.types.records[record].fields else {
                            return self.error_expr(span);
                        };
                        let field = &fields[index as usize];
                        if self.unit.types.records[record].variable {
                            self.error(
                                codes::UNSUPPORTED,
                                name_span,
                                "the offset of a member that is known only at run time",
                            );
                            return self.error_expr(span);
                        }
                        if field.bits.is_some() {
                            self.error(
                                codes::BAD_BIT_FIELD,
                                name_span,
                                "a bit-field has no offset in bytes",
                            );
                            return self.error_expr(span);
                        }
                        offset = offset.wrapping_add(field.offset);
                        ty = field.ty;
                    }
                }
                ast::Designator::Index(index) | ast::Designator::Range(index, _) => {
                    let index = self.rvalue(index);
                    let TypeKind::Array(element, _) = *self.kind(ty) else {
                        let shown = self.show(ty);
                        self.error(codes::BAD_SUBSCRIPT, span, format!("{shown} is not an array"));
                        return self.error_expr(span);
                    };
                    let index = self.assign_convert(index, size_ty, Target::Initialise);
                    let size = self.size_of(element).unwrap_or(1);
                    match self.try_fold(index) {
                        Some(crate::consteval::Value::Int(value)) => {
                            let value = value.to_u64().unwrap_or(0);
                            offset = offset.wrapping_add(value.wrapping_mul(size));
                        }
                        _ => {
                            let size = self.int_expr(span, size_ty, size);
                            let scaled = self.push(
                                span,
                                size_ty,
                                ExprKind::Binary(crate::hir::BinaryOp::Mul, index, size),
                            );
                            dynamic = Some(match dynamic {
                                Some(sum) => self.push(
                                    span,
                                    size_ty,
                                    ExprKind::Binary(crate::hir::BinaryOp::Add, sum, scaled),
                                ),
                                None => scaled,
                            });
                        }
                    }
                    ty = element;
                }
            }
        }
        let width = self.unit.target.word as u32 * 8;
        let offset = self.int_expr(span, size_ty, super::convert::mask(offset, width));
        match dynamic {
            Some(sum) => {
                self.push(span, size_ty, ExprKind::Binary(crate::hir::BinaryOp::Add, sum, offset))
            }
            None => offset,
        }
    }

    pub(super) fn convert_vector(
        &mut self,
        operand: ast::ExprId,
        ty: ast::TypeNameId,
        span: Span,
    ) -> ExprId {
        let value = self.rvalue(operand);
        let ty = self.type_name(ty);
        let from = self.ty(value);
        if self.is_error(from) || self.is_error(ty) {
            return self.error_expr(span);
        }
        match (self.kind(from), self.kind(ty)) {
            (TypeKind::Vector(_, n), TypeKind::Vector(_, m)) if n == m => {
                let ty = self.value_type(ty);
                self.push(span, ty, ExprKind::Cast(CastKind::VectorConvert, value))
            }
            _ => {
                self.error(
                    codes::BAD_BUILTIN_CALL,
                    span,
                    "`__builtin_convertvector` converts between vectors of the same number of elements",
                );
                self.error_expr(span)
            }
        }
    }
}
