//! Conversions, compatibility and composite types (C17 6.3, 6.2.7).

use super::{Sema, codes};
use crate::ast::Quals;
use crate::compat;
use crate::hir::{CastKind, ExprId, ExprKind, FuncId};
use crate::types::{ArrayLen, BitField, FunctionType, IntKind, QualType, RecordKind, TypeKind};
use vergo_source::{Code, Diagnostic, Severity, Span};

/// Where a value is converted as if by assignment: decides the words of diagnostics.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Assign,
    Initialise,
    Return,
    /// The argument with this number, from zero, of a function if it is known.
    Argument(usize, Option<FuncId>),
}

impl Sema<'_> {
    // Lvalues.

    /// Returns whether an expression denotes an object.
    pub(super) fn is_lvalue(&self, expr: ExprId) -> bool {
        let mut expr = expr;
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Var(_)
                | ExprKind::String(_)
                | ExprKind::Index(..)
                | ExprKind::CompoundLiteral(_) => {
                    return true;
                }
                ExprKind::Deref(_) => {
                    return !self.unit.types.is_function(self.unit.exprs[expr].ty);
                }
                ExprKind::Member(base, ..)
                | ExprKind::ComplexPart(base, _)
                | ExprKind::VectorElement(base, _) => {
                    expr = base;
                }
                _ => return false,
            }
        }
    }

    /// The bit-field that an lvalue denotes.
    pub(super) fn bit_field(&self, expr: ExprId) -> Option<BitField> {
        match self.unit.exprs[expr].kind {
            ExprKind::Member(_, record, index) => {
                self.unit.types.records[record].fields.as_ref()?.get(index as usize)?.bits
            }
            _ => None,
        }
    }

    /// The bit-field whose value an rvalue is.
    fn loaded_bit_field(&self, expr: ExprId) -> Option<BitField> {
        match self.unit.exprs[expr].kind {
            ExprKind::Cast(CastKind::Load, place) => self.bit_field(place),
            ExprKind::Member(..) => self.bit_field(expr),
            ExprKind::Assign(place, _) | ExprKind::IncDec(_, place) => self.bit_field(place),
            ExprKind::CompoundAssign { place, .. } => self.bit_field(place),
            ExprKind::Comma(_, last) => self.loaded_bit_field(last),
            _ => None,
        }
    }

    /// The value of an expression: arrays and functions become pointers, objects are read (C17 6.3.2.1).
    pub(super) fn decay(&mut self, expr: ExprId) -> ExprId {
        let node = self.unit.exprs[expr];
        match self.unit.types.kind(node.ty) {
            TypeKind::Error => expr,
            &TypeKind::Array(element, _) => {
                let ty = self.pointer_to(element);
                self.push(node.span, ty, ExprKind::Cast(CastKind::ArrayDecay, expr))
            }
            TypeKind::Function(_) => {
                let ty = self.pointer_to(node.ty.unqualified());
                self.push(node.span, ty, ExprKind::Cast(CastKind::FunctionDecay, expr))
            }
            TypeKind::Void => {
                if self.is_lvalue(expr) {
                    self.push(node.span, self.basics.void, ExprKind::Cast(CastKind::ToVoid, expr))
                } else {
                    expr
                }
            }
            _ if self.is_lvalue(expr) => {
                if !self.unit.types.is_complete(node.ty) {
                    let shown = self.show(node.ty);
                    self.error(
                        codes::INCOMPLETE_TYPE,
                        node.span,
                        format!("a value of the incomplete type {shown} is used"),
                    );
                    return self.error_expr(node.span);
                }
                if self.unit.types.is_vla(node.ty) {
                    let message =
                        "a structure whose size is known only at run time cannot be copied";
                    self.error(codes::UNSUPPORTED, node.span, message);
                    return self.error_expr(node.span);
                }
                let ty = self.value_type(node.ty);
                self.push(node.span, ty, ExprKind::Cast(CastKind::Load, expr))
            }
            _ => expr,
        }
    }

    // Conversions of values.

    /// Converts a value to a type; the caller has made sure that the conversion exists.
    pub(super) fn convert(&mut self, expr: ExprId, to: QualType) -> ExprId {
        let node = self.unit.exprs[expr];
        let to = self.value_type(to);
        if node.ty == to || self.is_error(node.ty) {
            return expr;
        }
        if self.is_error(to) {
            return self.error_expr(node.span);
        }
        // A literal that keeps its value just changes its type. There are none of the types of wide bit-fields in C.
        let is_bits =
            matches!(self.unit.types.int_kind(to), Some(IntKind::BitInt(_) | IntKind::UBitInt(_)));
        if let ExprKind::Int(value) = node.kind
            && !is_bits
            && let Some(from_shape) = self.unit.types.int_shape(node.ty, &self.unit.target)
            && let Some(to_shape) = self.unit.types.int_shape(to, &self.unit.target)
            && !matches!(self.unit.types.kind(to), TypeKind::Bool | TypeKind::Enum(_))
            && to_shape.width <= 64
        {
            let signed = sign_extend(value, from_shape.width, from_shape.signed);
            let low = mask(signed as u64, to_shape.width);
            if sign_extend(low, to_shape.width, to_shape.signed) == signed {
                self.unit.exprs[expr].ty = to;
                self.unit.exprs[expr].kind = ExprKind::Int(low);
                return expr;
            }
        }
        match self.cast_kind(node.ty, to) {
            Some(kind) => self.push(node.span, to, ExprKind::Cast(kind, expr)),
            None => {
                let (from, to) = (self.show(node.ty), self.show(to));
                self.error(
                    codes::INCOMPATIBLE_TYPES,
                    node.span,
                    format!("{from} cannot be converted to {to}"),
                );
                self.error_expr(node.span)
            }
        }
    }

    pub(super) fn convert_to_void(&mut self, expr: ExprId) -> ExprId {
        let node = self.unit.exprs[expr];
        if self.unit.types.is_void(node.ty) {
            return expr;
        }
        self.push(node.span, self.basics.void, ExprKind::Cast(CastKind::ToVoid, expr))
    }

    /// The kind of the conversion between two value types, if there is one.
    pub(super) fn cast_kind(&self, from: QualType, to: QualType) -> Option<CastKind> {
        let types = &self.unit.types;
        let (a, b) = (types.kind(from), types.kind(to));
        if matches!(b, TypeKind::Void) {
            return Some(CastKind::ToVoid);
        }
        let is_pointer = |kind: &TypeKind| matches!(kind, TypeKind::Pointer(_) | TypeKind::Nullptr);
        let is_integer =
            |kind: &TypeKind| matches!(kind, TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_));
        Some(match (a, b) {
            (_, TypeKind::Bool) if matches!(a, TypeKind::Bool) => CastKind::NoOp,
            (_, TypeKind::Bool) if self.unit.types.is_scalar(from) => CastKind::ToBool,
            _ if is_integer(a) && is_integer(b) => CastKind::Int,
            _ if is_integer(a) && is_pointer(b) => CastKind::IntToPtr,
            _ if is_pointer(a) && is_integer(b) => CastKind::PtrToInt,
            _ if is_pointer(a) && is_pointer(b) => CastKind::Ptr,
            (_, TypeKind::Float(_)) if is_integer(a) => CastKind::IntToFloat,
            (TypeKind::Float(_), _) if is_integer(b) => CastKind::FloatToInt,
            (TypeKind::Float(_), TypeKind::Float(_)) => CastKind::Float,
            (_, TypeKind::Complex(_) | TypeKind::ComplexInt(_))
                if is_integer(a) || matches!(a, TypeKind::Float(_)) =>
            {
                CastKind::RealToComplex
            }
            (TypeKind::Complex(_) | TypeKind::ComplexInt(_), _)
                if is_integer(b) || matches!(b, TypeKind::Float(_)) =>
            {
                CastKind::ComplexToReal
            }
            (
                TypeKind::Complex(_) | TypeKind::ComplexInt(_),
                TypeKind::Complex(_) | TypeKind::ComplexInt(_),
            ) => CastKind::Complex,
            (TypeKind::Vector(..), TypeKind::Vector(..) | TypeKind::Int(_))
            | (TypeKind::Int(_), TypeKind::Vector(..))
                if self.size_of(from) == self.size_of(to) =>
            {
                CastKind::VectorBits
            }
            _ if self.compatible(from.unqualified(), to.unqualified()) => CastKind::NoOp,
            _ => return None,
        })
    }

    /// The integer promotions (C17 6.3.1.1), bit-fields by their width.
    pub(super) fn promote(&mut self, expr: ExprId) -> ExprId {
        let ty = self.ty(expr);
        let promoted = match self.loaded_bit_field(expr) {
            Some(bits) => self.promoted_bit_field(ty, bits),
            None => self.promoted_type(ty),
        };
        self.convert(expr, promoted)
    }

    /// The type of a bit-field's value after promotion. C leaves to the implementation what one wider than `int` is
    /// (C17 6.7.2.1p5); as in gcc it has exactly the field's width, and operations on it wrap around there.
    fn promoted_bit_field(&mut self, ty: QualType, bits: BitField) -> QualType {
        let Some(shape) = self.unit.types.int_shape(ty, &self.unit.target) else { return ty };
        if matches!(self.unit.types.int_kind(ty), Some(IntKind::BitInt(_) | IntKind::UBitInt(_))) {
            return ty;
        }
        if bits.width < 32 || (bits.width == 32 && shape.signed) {
            self.basics.int
        } else if bits.width == 32 {
            self.basics.uint
        } else if bits.width < shape.width {
            let kind = IntKind::BitInt(bits.width).with_sign(shape.signed);
            self.intern(TypeKind::Int(kind))
        } else {
            self.promoted_type(ty)
        }
    }

    /// The type that an integer type is promoted to; other types stay.
    pub(super) fn promoted_type(&self, ty: QualType) -> QualType {
        match self.unit.types.kind(ty) {
            TypeKind::Bool => self.basics.int,
            TypeKind::Enum(id) => self.promoted_type(self.unit.types.enums[*id].underlying.into()),
            TypeKind::Int(
                IntKind::Char | IntKind::SChar | IntKind::UChar | IntKind::Short | IntKind::UShort,
            ) => self.basics.int,
            _ => self.value_type(ty),
        }
    }

    /// The type that an argument without a prototype has: promoted, `float` as `double`.
    fn default_promoted_type(&self, ty: QualType) -> QualType {
        match self.unit.types.kind(ty) {
            TypeKind::Float(crate::types::FloatKind::Float) => self.basics.double,
            _ => self.promoted_type(ty),
        }
    }

    /// The type in which a K&R parameter is passed.
    pub(super) fn promoted_parameter(&self, ty: QualType) -> QualType {
        self.default_promoted_type(ty)
    }

    /// The default argument promotions (C17 6.5.2.2p6).
    pub(super) fn default_promote(&mut self, expr: ExprId) -> ExprId {
        let ty = self.ty(expr);
        if let TypeKind::Float(crate::types::FloatKind::Float) = self.kind(ty) {
            return self.convert(expr, self.basics.double);
        }
        let promoted = self.promote(expr);
        // A value of a bit-field's width is passed as the word that holds it, whatever `va_arg` calls that.
        match self.unit.types.int_kind(self.ty(promoted)) {
            Some(IntKind::BitInt(width)) if width <= 64 => {
                self.convert(promoted, self.basics.llong)
            }
            Some(IntKind::UBitInt(width)) if width <= 64 => {
                self.convert(promoted, self.basics.ullong)
            }
            _ => promoted,
        }
    }

    /// The usual arithmetic conversions (C17 6.3.1.8): both operands in their common type.
    pub(super) fn usual_conversions(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId, QualType) {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let common = if self.unit.types.is_integer(ta) && self.unit.types.is_integer(tb) {
            let a = self.promote(a);
            let b = self.promote(b);
            let common = self.common_integer(self.ty(a), self.ty(b));
            return (self.convert(a, common), self.convert(b, common), common);
        } else {
            self.common_arithmetic(ta, tb)
        };
        (self.convert(a, common), self.convert(b, common), common)
    }

    /// The type of the parts of a complex type; other types are their own.
    pub(super) fn complex_part_type(&mut self, ty: QualType) -> QualType {
        match *self.kind(ty) {
            TypeKind::Complex(kind) => self.intern(TypeKind::Float(kind)),
            TypeKind::ComplexInt(kind) => self.intern(TypeKind::Int(kind)),
            _ => ty.unqualified(),
        }
    }

    /// The common type of two arithmetic types.
    fn common_arithmetic(&mut self, a: QualType, b: QualType) -> QualType {
        let part = |kind: &TypeKind| match kind {
            TypeKind::Float(kind) | TypeKind::Complex(kind) => Some(*kind),
            _ => None,
        };
        let (ka, kb) = (self.kind(a), self.kind(b));
        let complex = matches!(ka, TypeKind::Complex(_) | TypeKind::ComplexInt(_))
            || matches!(kb, TypeKind::Complex(_) | TypeKind::ComplexInt(_));
        let real = match (part(ka), part(kb)) {
            (Some(x), Some(y)) => {
                if x.rank() >= y.rank() {
                    x
                } else {
                    y
                }
            }
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => {
                // The parts of complex integers are not promoted; a real operand is.
                let mut integer = |ty: QualType| match *self.kind(ty) {
                    TypeKind::ComplexInt(_) => self.complex_part_type(ty),
                    _ => self.promoted_type(ty),
                };
                let (x, y) = (integer(a), integer(b));
                let common = self.common_integer(x, y);
                return match self.unit.types.int_kind(common) {
                    Some(kind) if complex => self.intern(TypeKind::ComplexInt(kind)),
                    _ => common,
                };
            }
        };
        self.intern(if complex { TypeKind::Complex(real) } else { TypeKind::Float(real) })
    }

    /// The common type of two promoted integer types.
    pub(super) fn common_integer(&mut self, a: QualType, b: QualType) -> QualType {
        if a == b {
            return a;
        }
        let (Some(x), Some(y)) = (self.unit.types.int_kind(a), self.unit.types.int_kind(b)) else {
            return a;
        };
        let target = &self.unit.target;
        let (rx, ry) = (x.rank(target), y.rank(target));
        let kind = if x.is_signed() == y.is_signed() {
            if rx >= ry { x } else { y }
        } else {
            let (unsigned, signed, ru, rs) =
                if x.is_signed() { (y, x, ry, rx) } else { (x, y, rx, ry) };
            if ru >= rs {
                unsigned
            } else if signed.width(target) > unsigned.width(target) {
                signed
            } else {
                signed.with_sign(false)
            }
        };
        self.intern(TypeKind::Int(kind))
    }

    // Compatibility.

    /// Returns whether two types are compatible (C17 6.2.7).
    pub(super) fn compatible(&self, a: QualType, b: QualType) -> bool {
        compat::compatible(&self.unit.types, a, b)
    }

    /// Returns whether two types are compatible, their own qualifiers aside.
    pub(super) fn compatible_unqualified(&self, a: QualType, b: QualType) -> bool {
        compat::compatible_unqualified(&self.unit.types, a, b)
    }

    /// The composite of two compatible types, or `None`.
    pub(super) fn composite(&mut self, a: QualType, b: QualType) -> Option<QualType> {
        if a == b {
            return Some(a);
        }
        if !self.compatible(a, b) {
            return None;
        }
        Some(self.composite_of_compatible(a, b))
    }

    fn composite_of_compatible(&mut self, a: QualType, b: QualType) -> QualType {
        if a == b {
            return a;
        }
        let quals = a.quals();
        let (ka, kb) = (self.kind(a).clone(), self.kind(b).clone());
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match (ka, kb) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let to = self.composite_of_compatible(x, y);
                QualType::new(self.unit.types.pointer(to), quals)
            }
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let element = self.composite_of_compatible(x, y);
                let len = match (n, m) {
                    (ArrayLen::Fixed(_), _) => n,
                    (_, ArrayLen::Fixed(_)) => m,
                    (ArrayLen::Variable(_), _) => n,
                    (_, ArrayLen::Variable(_)) => m,
                    (ArrayLen::Star, _) => n,
                    _ => m,
                };
                self.array_of(element, len)
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => {
                let ret = self.composite_of_compatible(f.ret, g.ret);
                let mut function = match (f.prototype, g.prototype) {
                    (true, true) => {
                        let params = f
                            .params
                            .iter()
                            .zip(&g.params)
                            .map(|(&x, &y)| {
                                if self.unit.types.record(x).is_some() {
                                    x
                                } else if self.unit.types.record(y).is_some() {
                                    y
                                } else {
                                    self.composite_of_compatible(x, y)
                                }
                            })
                            .collect();
                        FunctionType { ret, params, variadic: f.variadic, prototype: true }
                    }
                    (true, false) => *f,
                    (false, true) => *g,
                    (false, false) if g.params.is_empty() => *f,
                    (false, false) => *g,
                };
                function.ret = ret;
                QualType::new(self.intern(TypeKind::Function(Box::new(function))).ty(), quals)
            }
            // An enumeration beside its integer type: what was declared first stays.
            _ => a,
        })
    }

    // Conversion as if by assignment.

    /// Converts a value as an assignment would (C17 6.5.16.1), with gcc's warnings.
    pub(super) fn assign_convert(&mut self, expr: ExprId, to: QualType, target: Target) -> ExprId {
        let from = self.ty(expr);
        let span = self.span(expr);
        if self.is_error(from) {
            return expr;
        }
        if self.is_error(to) {
            return self.error_expr(span);
        }
        let to_value = self.value_type(to);
        if from == to_value {
            return expr;
        }
        if self.unit.types.is_void(from) {
            self.error(codes::VOID_VALUE, span, "a `void` value is used");
            return self.error_expr(span);
        }
        let types = &self.unit.types;
        if types.is_arithmetic(from) && types.is_arithmetic(to) {
            return self.convert(expr, to_value);
        }
        match (types.kind(to), types.kind(from)) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let (x, y) = (*x, *y);
                self.assign_pointer(expr, to_value, x, y, target);
                self.convert(expr, to_value)
            }
            (TypeKind::Pointer(_) | TypeKind::Nullptr, TypeKind::Nullptr) => {
                self.convert(expr, to_value)
            }
            (TypeKind::Pointer(_), _) if types.is_integer(from) => {
                if !self.is_null_constant(expr) {
                    self.conversion_warning(
                        codes::INT_CONVERSION,
                        expr,
                        to,
                        target,
                        "makes a pointer from an integer without a cast",
                    );
                }
                self.convert(expr, to_value)
            }
            (TypeKind::Bool, TypeKind::Pointer(_) | TypeKind::Nullptr) => {
                self.convert(expr, to_value)
            }
            (_, TypeKind::Pointer(_)) if types.is_integer(to) => {
                self.conversion_warning(
                    codes::INT_CONVERSION,
                    expr,
                    to,
                    target,
                    "makes an integer from a pointer without a cast",
                );
                self.convert(expr, to_value)
            }
            (TypeKind::Vector(..), TypeKind::Vector(..))
                if self.size_of(from) == self.size_of(to) && self.lax_vectors(from, to) =>
            {
                self.convert(expr, to_value)
            }
            _ if self.compatible_unqualified(from, to_value) => self.convert(expr, to_value),
            (TypeKind::VaList, TypeKind::Pointer(_)) => match self.va_list_behind(expr) {
                Some(list) => self.decay(list),
                None => {
                    self.conversion_error(expr, to, target);
                    self.error_expr(span)
                }
            },
            (TypeKind::Record(record), _)
                if types.records[*record].transparent && matches!(target, Target::Argument(..)) =>
            {
                let record = *record;
                self.as_transparent_union(expr, to_value, record, target)
            }
            _ => {
                self.conversion_error(expr, to, target);
                self.error_expr(span)
            }
        }
    }

    /// Returns whether gcc lets one vector type stand for the other: same lanes, elements that differ in sign only.
    fn lax_vectors(&self, a: QualType, b: QualType) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Vector(x, n), TypeKind::Vector(y, m)) => {
                n == m && self.unit.types.is_integer(*x) == self.unit.types.is_integer(*y)
            }
            _ => false,
        }
    }

    fn as_transparent_union(
        &mut self,
        expr: ExprId,
        to: QualType,
        record: crate::types::RecordId,
        target: Target,
    ) -> ExprId {
        let from = self.ty(expr);
        let span = self.span(expr);
        let fields: Vec<QualType> = self.unit.types.records[record]
            .fields
            .as_ref()
            .map(|fields| fields.iter().map(|field| field.ty).collect())
            .unwrap_or_default();
        let exact = fields.iter().copied().find(|&ty| self.compatible_unqualified(ty, from));
        let loose = exact.or_else(|| {
            fields.iter().copied().find(|&ty| match (self.kind(ty), self.kind(from)) {
                (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                    self.unit.types.is_void(*x)
                        || self.unit.types.is_void(*y)
                        || self.compatible_unqualified(*x, *y)
                }
                (TypeKind::Pointer(_), _) => self.is_null_constant(expr),
                _ => false,
            })
        });
        match loose {
            Some(ty) => {
                let member = self.convert(expr, ty);
                self.push(span, to, ExprKind::Cast(CastKind::ToUnion, member))
            }
            None => {
                self.conversion_error(expr, to, target);
                self.error_expr(span)
            }
        }
    }

    fn assign_pointer(
        &mut self,
        expr: ExprId,
        to: QualType,
        x: QualType,
        y: QualType,
        target: Target,
    ) {
        let types = &self.unit.types;
        let void = types.is_void(x) || types.is_void(y);
        // Pointers to functions and to `void` mix with a pedantic warning only.
        let fits = void || self.compatible_unqualified(x, y) || self.same_but_sign(x, y);
        if !fits {
            // Qualifiers below the first level, or of arrays.
            let same = self.compatible_ignoring_quals(x, y);
            if !(same && self.is_null_constant(expr)) {
                self.conversion_warning(
                    codes::INCOMPATIBLE_POINTERS,
                    expr,
                    to,
                    target,
                    "has an incompatible pointer type",
                );
            }
            return;
        }
        if self.is_null_constant(expr) {
            return;
        }
        let (qx, qy) = (self.unit.types.qualifiers(x), self.unit.types.qualifiers(y));
        let lost = qy.without(qx).without(Quals::ATOMIC).without(Quals::RESTRICT);
        if lost != Quals::NONE && !self.unit.types.is_function(y) {
            let words = crate::typename::qualifiers(lost);
            let message = format!("discards the qualifier `{words}`");
            self.conversion_warning(codes::DISCARDED_QUALIFIERS, expr, to, target, &message);
        }
    }

    /// Returns whether two integer types differ in signedness only: gcc warns about such pointers only when asked.
    fn same_but_sign(&self, x: QualType, y: QualType) -> bool {
        match (self.unit.types.int_kind(x), self.unit.types.int_kind(y)) {
            (Some(x), Some(y)) => x.with_sign(true) == y.with_sign(true),
            _ => false,
        }
    }

    fn compatible_ignoring_quals(&self, x: QualType, y: QualType) -> bool {
        let (x, y) = (self.unit.types.innermost_element(x), self.unit.types.innermost_element(y));
        self.compatible_unqualified(x, y)
    }

    fn target_text(&self, target: Target) -> String {
        match target {
            Target::Assign => "this assignment".to_owned(),
            Target::Initialise => "this initialisation".to_owned(),
            Target::Return => "this `return`".to_owned(),
            Target::Argument(index, Some(function)) => {
                format!(
                    "argument {} of `{}`",
                    index + 1,
                    self.name(self.unit.functions[function].name)
                )
            }
            Target::Argument(index, None) => format!("argument {} of this call", index + 1),
        }
    }

    fn conversion_warning(
        &mut self,
        code: Code,
        expr: ExprId,
        to: QualType,
        target: Target,
        what: &str,
    ) {
        let message = format!("{} {what}", self.target_text(target));
        self.conversion_report(Severity::Warning, code, expr, to, target, message);
    }

    fn conversion_error(&mut self, expr: ExprId, to: QualType, target: Target) {
        let message = format!("{} has an incompatible type", self.target_text(target));
        self.conversion_report(
            Severity::Error,
            codes::INCOMPATIBLE_TYPES,
            expr,
            to,
            target,
            message,
        );
    }

    fn conversion_report(
        &mut self,
        severity: Severity,
        code: Code,
        expr: ExprId,
        to: QualType,
        target: Target,
        message: String,
    ) {
        let span = self.span(expr);
        if severity == Severity::Warning && self.sources.in_system_header(span.lo) {
            return;
        }
        let (from, to) = (self.show(self.ty(expr)), self.show(to.unqualified()));
        let mut diagnostic = Diagnostic::new(severity, code, span, message)
            .primary_label(format!("expected {to}, found {from}"));
        if let Target::Argument(_, Some(function)) = target {
            let function = &self.unit.functions[function];
            if !function.span.is_dummy()
                && !function.implicit
                && !self.sources.in_system_header(function.span.lo)
            {
                diagnostic = diagnostic.label(function.span, "the function is declared here");
            }
        }
        self.report(diagnostic);
    }

    // Explicit casts.

    /// `(type) value`
    pub(super) fn explicit_cast(&mut self, expr: ExprId, to: QualType, span: Span) -> ExprId {
        let from = self.ty(expr);
        if self.is_error(from) || self.is_error(to) {
            return self.error_expr(span);
        }
        let to = self.value_type(to);
        if self.unit.types.is_void(to) {
            return self.push(span, to, ExprKind::Cast(CastKind::ToVoid, expr));
        }
        if let TypeKind::Record(record) = *self.kind(to) {
            if self.compatible_unqualified(from, to) {
                return self.push(span, to, ExprKind::Cast(CastKind::NoOp, expr));
            }
            let record = &self.unit.types.records[record];
            if record.kind == RecordKind::Union
                && let Some(fields) = &record.fields
                && fields.iter().any(|field| self.compatible_unqualified(field.ty, from))
            {
                return self.push(span, to, ExprKind::Cast(CastKind::ToUnion, expr));
            }
            let shown = self.show(to);
            self.error(codes::BAD_CAST, span, format!("a value cannot be cast to {shown}"));
            return self.error_expr(span);
        }
        let wrong = match (self.kind(from), self.kind(to)) {
            (_, TypeKind::Array(..)) => Some("an array type"),
            (_, TypeKind::Function(_)) => Some("a function type"),
            (TypeKind::Void, _) => {
                self.error(codes::VOID_VALUE, span, "a `void` value is used");
                return self.error_expr(span);
            }
            _ => None,
        };
        if let Some(what) = wrong {
            self.error(codes::BAD_CAST, span, format!("a value cannot be cast to {what}"));
            return self.error_expr(span);
        }
        if self.canonical(from) == to.ty() {
            return self.push(span, to, ExprKind::Cast(CastKind::NoOp, expr));
        }
        let allowed = match (self.kind(from), self.kind(to)) {
            (
                TypeKind::Pointer(_),
                TypeKind::Float(_) | TypeKind::Complex(_) | TypeKind::ComplexInt(_),
            )
            | (
                TypeKind::Float(_) | TypeKind::Complex(_) | TypeKind::ComplexInt(_),
                TypeKind::Pointer(_),
            ) => None,
            _ => self.cast_kind(from, to),
        };
        match allowed {
            Some(kind) => self.push(span, to, ExprKind::Cast(kind, expr)),
            None => {
                let (from, to) = (self.show(from), self.show(to));
                self.error(codes::BAD_CAST, span, format!("{from} cannot be cast to {to}"));
                self.error_expr(span)
            }
        }
    }
}

/// The value of the low `width` bits as a signed number.
pub(super) fn sign_extend(value: u64, width: u32, signed: bool) -> i128 {
    let value = mask(value, width);
    if signed && width > 0 && value >> (width - 1) & 1 == 1 {
        i128::from(value) - (1i128 << width)
    } else {
        i128::from(value)
    }
}

/// The low `width` bits.
pub(super) fn mask(value: u64, width: u32) -> u64 {
    if width >= 64 { value } else { value & ((1u64 << width) - 1) }
}
