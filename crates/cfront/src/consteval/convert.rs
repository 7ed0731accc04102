//! Conversions of constants.

use super::{Address, Base, Evaluator, NEAREST, Result, Value};
use crate::floating::Floating;
use crate::hir::ExprId;
use crate::types::{IntShape, QualType, TypeKind};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};

impl Evaluator<'_> {
    /// Converts a value between scalar types.
    pub(super) fn convert(
        &mut self,
        expr: ExprId,
        value: Value,
        from: QualType,
        to: QualType,
    ) -> Result<Value> {
        let unit = self.unit;
        let types = &unit.types;
        // The real part alone counts, unless both parts are wanted.
        let (value, from) = match (value, types.kind(to)) {
            (value, TypeKind::Bool | TypeKind::Complex(_) | TypeKind::ComplexInt(_)) => {
                (value, from)
            }
            (Value::ComplexInt(re, _), _) => (Value::Int(re), self.part_type(from)),
            (value, _) => (value, from),
        };
        if matches!(types.kind(to), TypeKind::Bool) {
            return match self.value_truth(&value) {
                Some(truth) => Ok(Value::Int(BitVec::from_bool(truth))),
                None => self.runtime(expr),
            };
        }
        if let Some(shape) = self.shape(to) {
            let converted = match value {
                Value::Int(value) => {
                    let signed = self.shape(from).is_some_and(|shape| shape.signed);
                    let resize =
                        if signed { BitVec::resize_signed } else { BitVec::resize_unsigned };
                    resize(&value, shape.width)
                }
                Value::Float(value) => self.float_to_int(expr, &value, shape),
                Value::Complex(value, _) => self.float_to_int(expr, &value, shape),
                Value::ComplexInt(..) => return self.runtime(expr),
                Value::Address(Address { base: Base::Absolute, offset }) => {
                    BitVec::from_u64(64, offset).resize_unsigned(shape.width)
                }
                Value::Address(address) => {
                    return if shape.width == unit.target.word as u32 * 8 {
                        Ok(Value::Address(address))
                    } else {
                        self.runtime(expr)
                    };
                }
            };
            return Ok(Value::Int(converted));
        }
        match types.kind(to) {
            TypeKind::Float(kind) => match self.to_float(&value, from, kind.format()) {
                Some(value) => Ok(Value::Float(value)),
                None => self.runtime(expr),
            },
            TypeKind::Complex(kind) => {
                let format = kind.format();
                if let Value::Complex(re, im) = &value {
                    return Ok(Value::Complex(
                        re.convert(format, NEAREST),
                        im.convert(format, NEAREST),
                    ));
                }
                if let Value::ComplexInt(re, im) = value {
                    let part = self.part_type(from);
                    let (re, im) = (Value::Int(re), Value::Int(im));
                    let parts =
                        (self.to_float(&re, part, format), self.to_float(&im, part, format));
                    return match parts {
                        (Some(re), Some(im)) => Ok(Value::Complex(re.into(), im.into())),
                        _ => self.runtime(expr),
                    };
                }
                match self.to_float(&value, from, format) {
                    Some(re) => Ok(Value::Complex(re.into(), Float::zero(format, false))),
                    None => self.runtime(expr),
                }
            }
            &TypeKind::ComplexInt(kind) => {
                let width = kind.width(&unit.target);
                let shape = IntShape { width, signed: kind.is_signed() };
                let from = self.part_type(from);
                let signed = self.shape(from).is_some_and(|shape| shape.signed);
                let mut part = |value: Value| match value {
                    Value::Int(value) if signed => Some(value.resize_signed(width)),
                    Value::Int(value) => Some(value.resize_unsigned(width)),
                    Value::Float(value) => Some(self.float_to_int(expr, &value, shape)),
                    _ => None,
                };
                let parts = match value {
                    Value::Complex(re, im) => {
                        (part(Value::Float(re.into())), part(Value::Float(im.into())))
                    }
                    Value::ComplexInt(re, im) => (part(Value::Int(re)), part(Value::Int(im))),
                    value => (part(value), Some(BitVec::zero(width))),
                };
                match parts {
                    (Some(re), Some(im)) => Ok(Value::ComplexInt(re, im)),
                    _ => self.runtime(expr),
                }
            }
            TypeKind::Pointer(_) | TypeKind::Nullptr => match value {
                Value::Int(value) => {
                    let signed = self.shape(from).is_some_and(|shape| shape.signed);
                    let wide =
                        if signed { value.resize_signed(64) } else { value.resize_unsigned(64) };
                    let offset = wide.limbs()[0] & self.word_mask();
                    Ok(Value::Address(Address { base: Base::Absolute, offset }))
                }
                Value::Address(address) => Ok(Value::Address(address)),
                _ => self.runtime(expr),
            },
            _ => self.runtime(expr),
        }
    }

    pub(super) fn to_float(
        &self,
        value: &Value,
        from: QualType,
        format: FloatFormat,
    ) -> Option<Floating> {
        match value {
            Value::Int(value) => {
                let signed = self.shape(from)?.signed;
                let convert = if signed { Float::from_signed } else { Float::from_unsigned };
                Some(convert(format, NEAREST, value).into())
            }
            Value::Float(value) => Some(value.convert(format, NEAREST)),
            Value::Complex(value, _) => Some(value.convert(format, NEAREST).into()),
            Value::Address(_) | Value::ComplexInt(..) => None,
        }
    }

    /// The type of the parts of a complex type of integers; other types are their own.
    pub(super) fn part_type(&self, ty: QualType) -> QualType {
        let part = match *self.unit.types.kind(ty) {
            TypeKind::ComplexInt(kind) => self.unit.types.find(&TypeKind::Int(kind)),
            _ => None,
        };
        part.map_or(ty, QualType::from)
    }

    /// Truncation; a value that does not fit is undefined and folds to the nearest bound, as in gcc.
    pub(super) fn float_to_int(&mut self, expr: ExprId, value: &Float, shape: IntShape) -> BitVec {
        let mode = RoundingMode::TowardZero;
        let exact = if shape.signed {
            value.to_signed(mode, shape.width)
        } else {
            value.to_unsigned(mode, shape.width)
        };
        if let Some(exact) = exact {
            return exact;
        }
        self.overflowed(expr);
        match (value.is_nan(), value.is_sign_negative(), shape.signed) {
            (true, ..) | (_, true, false) => BitVec::zero(shape.width),
            (_, true, true) => BitVec::min_signed(shape.width),
            (_, false, true) => BitVec::max_signed(shape.width),
            (_, false, false) => BitVec::ones(shape.width),
        }
    }
}
