//! Conversions.

use crate::function::Fx;
use vergo_cfront::consteval::{Evaluator, Value};
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr};
use vergo_cfront::types::{QualType, TypeKind};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::types::{Type, TypeId};

impl Fx<'_, '_> {
    /// Reads a place at a type of C: a `_Bool` is 0 or 1, whatever its byte is.
    pub(crate) fn loaded(&mut self, ty: QualType, place: ExprId) -> ExprId {
        let is_bool = matches!(self.unit.types.kind(ty), TypeKind::Bool);
        let ty = self.ty(ty);
        let value = self.coerce(place, ty);
        if !is_bool || !matches!(*self.cx.p.types.get(ty), Type::Int { width: 8, .. }) {
            return value;
        }
        let truth = self.cx.p.types.bool();
        let truth = self.cx.p.cast(truth, value);
        self.cx.p.cast(ty, truth)
    }

    /// The value of a conversion.
    pub(crate) fn cast(&mut self, node: Expr, kind: CastKind, operand: HirExpr) -> ExprId {
        let ty = self.ty(node.ty);
        let source = self.unit.exprs[operand];
        match kind {
            CastKind::Load => {
                let place =
                    if self.is_lvalue(operand) { self.place(operand) } else { self.value(operand) };
                self.note_load(place, node.span);
                self.loaded(node.ty, place)
            }
            CastKind::ArrayDecay => {
                let pointer = self.decay(operand);
                self.coerce(pointer, ty)
            }
            CastKind::FunctionDecay => {
                let pointer = self.value(operand);
                self.coerce(pointer, ty)
            }
            CastKind::ToVoid => {
                self.effect(operand);
                self.cx.p.bool(false)
            }
            CastKind::NoOp => {
                let value = self.value(operand);
                if matches!(self.cx.p.types.get(ty), Type::Void | Type::Func(..)) {
                    return value;
                }
                self.coerce(value, ty)
            }
            CastKind::VectorBits => {
                let value = self.value(operand);
                if self.cx.p.exprs.ty(value) == ty { value } else { self.cx.p.bits(ty, value) }
            }
            CastKind::VectorSplat => {
                let value = self.value(operand);
                let Type::Array(element, _) = *self.cx.p.types.get(ty) else { return value };
                let value = self.coerce(value, element);
                self.cx.p.array_of(ty, value)
            }
            CastKind::VectorConvert => {
                let value = self.value(operand);
                let Type::Array(element, _) = *self.cx.p.types.get(ty) else { return value };
                let lanes = self.lanes(value);
                let lanes: Vec<ExprId> =
                    lanes.into_iter().map(|lane| self.convert_part(lane, element)).collect();
                self.cx.p.array(ty, lanes)
            }
            CastKind::ToUnion => {
                let value = self.value(operand);
                let from = self.cx.p.exprs.ty(value);
                let Type::Struct(id) = *self.cx.p.types.get(ty) else { return value };
                let fields = &self.cx.p.types.structs[id].fields;
                let member =
                    fields.iter().position(|field| field.ty == from && field.first_bit.is_none());
                match member {
                    Some(member) => self.cx.p.union(ty, member as u32, value),
                    None => self.coerce(value, ty),
                }
            }
            CastKind::Int
            | CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::Float
            | CastKind::ToBool
            | CastKind::PtrToInt
            | CastKind::IntToPtr
            | CastKind::Ptr
            | CastKind::RealToComplex
            | CastKind::ComplexToReal
            | CastKind::Complex => {
                let value = self.value(operand);
                let converted = self.convert(value, source.ty, node.ty);
                if kind == CastKind::FloatToInt {
                    // What claims say of each step is said of the conversion.
                    let mut step = converted;
                    self.note(step, node.span);
                    while let ExprKind::Cast(_, operand) = *self.cx.p.exprs.kind(step)
                        && operand != value
                    {
                        self.note(operand, node.span);
                        step = operand;
                    }
                }
                converted
            }
        }
    }

    /// The value of a conversion to an integer type that cannot represent it, where it is constant: what gcc folds it to.
    /// The conversion itself stays as an operation, so that it can be claimed to be harmless.
    pub(crate) fn folded_overflow(&mut self, expr: HirExpr, converted: ExprId) -> ExprId {
        let unit = self.unit.clone();
        let mut evaluator = Evaluator::new(&unit);
        match evaluator.eval(expr) {
            Ok(Value::Int(value)) if evaluator.overflow.is_some() => {
                let ty = self.cx.p.exprs.ty(converted);
                self.save(converted);
                self.cx.p.int_bits(ty, value)
            }
            _ => converted,
        }
    }

    /// A value of one C type converted to another.
    pub(crate) fn convert(&mut self, value: ExprId, from: QualType, to: QualType) -> ExprId {
        let ty = self.ty(to);
        let unit = self.unit.clone();
        match (unit.types.kind(from), unit.types.kind(to)) {
            (_, TypeKind::Void) => value,
            (TypeKind::Bool, TypeKind::Bool) => value,
            (_, TypeKind::Bool) => {
                let truth = self.truth(value);
                self.coerce(truth, ty)
            }
            (
                TypeKind::Complex(_) | TypeKind::ComplexInt(_),
                TypeKind::Complex(_) | TypeKind::ComplexInt(_),
            ) => {
                if self.cx.p.exprs.ty(value) == ty {
                    return value;
                }
                let Type::Struct(id) = *self.cx.p.types.get(ty) else { return value };
                let part = self.cx.p.types.structs[id].fields[0].ty;
                let re = self.complex_part(value, false);
                let im = self.complex_part(value, true);
                let (re, im) = (self.convert_part(re, part), self.convert_part(im, part));
                self.cx.p.structure(ty, [re, im])
            }
            (_, TypeKind::Complex(_) | TypeKind::ComplexInt(_)) => {
                let Type::Struct(id) = *self.cx.p.types.get(ty) else { return value };
                let part = self.cx.p.types.structs[id].fields[0].ty;
                let re = self.convert_part(value, part);
                let im = self.cx.p.zero(part);
                self.cx.p.structure(ty, [re, im])
            }
            (TypeKind::Complex(_) | TypeKind::ComplexInt(_), _) => {
                let re = self.complex_part(value, false);
                self.convert_part(re, ty)
            }
            _ => self.coerce(value, ty),
        }
    }

    /// Returns whether a conversion works on the parts of a complex number or a vector.
    pub(crate) fn converts_parts(&self, kind: CastKind) -> bool {
        use CastKind::{Complex, ComplexToReal, RealToComplex, VectorConvert};
        matches!(kind, Complex | ComplexToReal | RealToComplex | VectorConvert)
            && !self.cx.units[self.u].library
    }

    /// A part of a complex number or a vector, converted; a float that does not fit an integer type is claimed not to be there.
    fn convert_part(&mut self, mut part: ExprId, ty: TypeId) -> ExprId {
        if !self.cx.units[self.u].library
            && matches!(self.cx.p.type_of(part), Type::Float(_))
            && matches!(self.cx.p.types.get(ty), Type::Int { .. })
        {
            part = self.freeze(part);
            self.claim_converts(part, ty);
        }
        self.coerce(part, ty)
    }
}
