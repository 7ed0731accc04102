//! Builtins and library functions whose value for constant operands is known.

use super::{Address, Base, Evaluator, NEAREST, Result, Value};
use crate::builtins::Builtin;
use crate::floating::Floating;
use crate::hir::{ExprId, FuncId, StringUnits};
use std::cmp::Ordering;
use vergo_num::BitVec;

impl Evaluator<'_> {
    pub(super) fn builtin(
        &mut self,
        expr: ExprId,
        builtin: Builtin,
        args: &[ExprId],
    ) -> Result<Value> {
        let Some(&first) = args.first() else { return self.runtime(expr) };
        match builtin {
            Builtin::Expect | Builtin::AssumeAligned => {
                let value = self.eval(first)?;
                self.convert(expr, value, self.unit.exprs[first].ty, self.unit.exprs[expr].ty)
            }
            Builtin::Clz
            | Builtin::Ctz
            | Builtin::Popcount
            | Builtin::Parity
            | Builtin::Ffs
            | Builtin::Clrsb => {
                let value = self.eval_int(first)?;
                let count = match builtin {
                    Builtin::Clz | Builtin::Ctz if value.is_zero() => return self.runtime(expr),
                    Builtin::Clz => value.leading_zeros(),
                    Builtin::Ctz => value.trailing_zeros(),
                    Builtin::Popcount => value.count_ones(),
                    Builtin::Parity => value.count_ones() % 2,
                    Builtin::Ffs if value.is_zero() => 0,
                    Builtin::Ffs => value.trailing_zeros() + 1,
                    _ if value.sign_bit() => value.not().leading_zeros() - 1,
                    _ => value.leading_zeros() - 1,
                };
                Ok(Value::Int(BitVec::from_u64(32, u64::from(count))))
            }
            Builtin::Bswap => {
                let value = self.eval_int(first)?;
                let mut bytes = value.to_le_bytes();
                bytes.reverse();
                Ok(Value::Int(BitVec::from_le_bytes(value.width(), &bytes)))
            }
            Builtin::IsNan
            | Builtin::IsInf
            | Builtin::IsInfSign
            | Builtin::IsFinite
            | Builtin::IsNormal
            | Builtin::SignBit => {
                let Value::Float(value) = self.eval(first)? else { return self.runtime(expr) };
                let truth = match builtin {
                    Builtin::IsNan => value.is_nan(),
                    Builtin::IsInf => value.is_infinite(),
                    Builtin::IsInfSign if value.is_infinite() && value.is_sign_negative() => {
                        return Ok(Value::Int(BitVec::from_i64(32, -1)));
                    }
                    Builtin::IsInfSign => value.is_infinite(),
                    Builtin::IsFinite => value.is_finite(),
                    Builtin::IsNormal => value.is_normal(),
                    _ => value.is_sign_negative(),
                };
                Ok(self.bool_value(truth))
            }
            Builtin::FpClassify => {
                let Some((&operand, classes)) = args.split_last() else {
                    return self.runtime(expr);
                };
                let Value::Float(value) = self.eval(operand)? else { return self.runtime(expr) };
                let class = if value.is_nan() {
                    0
                } else if value.is_infinite() {
                    1
                } else if value.is_normal() {
                    2
                } else if value.is_subnormal() {
                    3
                } else {
                    4
                };
                match classes.get(class) {
                    Some(&class) => self.eval(class),
                    None => self.runtime(expr),
                }
            }
            Builtin::IsGreater
            | Builtin::IsGreaterEqual
            | Builtin::IsLess
            | Builtin::IsLessEqual
            | Builtin::IsLessGreater
            | Builtin::IsUnordered => {
                let Some(&second) = args.get(1) else { return self.runtime(expr) };
                let (Value::Float(a), Value::Float(b)) = (self.eval(first)?, self.eval(second)?)
                else {
                    return self.runtime(expr);
                };
                if a.format() != b.format() {
                    return self.runtime(expr);
                }
                let order = a.compare(&b);
                let truth = match builtin {
                    Builtin::IsGreater => order == Some(Ordering::Greater),
                    Builtin::IsGreaterEqual => {
                        matches!(order, Some(Ordering::Greater | Ordering::Equal))
                    }
                    Builtin::IsLess => order == Some(Ordering::Less),
                    Builtin::IsLessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                    Builtin::IsLessGreater => {
                        matches!(order, Some(Ordering::Less | Ordering::Greater))
                    }
                    _ => order.is_none(),
                };
                Ok(self.bool_value(truth))
            }
            Builtin::AddOverflowP | Builtin::SubOverflowP | Builtin::MulOverflowP => {
                let [a, b, like] = args else { return self.runtime(expr) };
                let wide = |this: &mut Self, e: ExprId| -> Result<BitVec> {
                    let signed =
                        this.shape(this.unit.exprs[e].ty).is_some_and(|shape| shape.signed);
                    let value = this.eval_int(e)?;
                    if value.width() > 128 {
                        return this.runtime(e);
                    }
                    Ok(if signed { value.resize_signed(512) } else { value.resize_unsigned(512) })
                };
                let (x, y) = (wide(self, *a)?, wide(self, *b)?);
                let Some(shape) = self.shape(self.unit.exprs[*like].ty) else {
                    return self.runtime(expr);
                };
                if shape.width > 128 {
                    return self.runtime(expr);
                }
                let exact = match builtin {
                    Builtin::AddOverflowP => x.add(&y),
                    Builtin::SubOverflowP => x.sub(&y),
                    _ => x.mul(&y),
                };
                let cut = exact.truncate(shape.width);
                let back = if shape.signed { cut.sign_extend(512) } else { cut.zero_extend(512) };
                Ok(Value::Int(BitVec::from_bool(back != exact)))
            }
            Builtin::Complex => {
                let Some(&second) = args.get(1) else { return self.runtime(expr) };
                match (self.eval(first)?, self.eval(second)?) {
                    (Value::Float(re), Value::Float(im)) => {
                        Ok(Value::Complex(re.number().clone(), im.number().clone()))
                    }
                    (Value::Int(re), Value::Int(im)) => Ok(Value::ComplexInt(re, im)),
                    _ => self.runtime(expr),
                }
            }
            _ => self.runtime(expr),
        }
    }

    /// Library functions that gcc folds for constant arguments and that are exact.
    pub(super) fn library_call(
        &mut self,
        expr: ExprId,
        function: FuncId,
        args: &[ExprId],
    ) -> Result<Value> {
        let unit = self.unit;
        let function = &unit.functions[function];
        if function.linkage != crate::hir::Linkage::External || function.body.is_some() {
            return self.runtime(expr);
        }
        let name = unit.names.name(function.name);
        match (name, args) {
            ("strlen", &[text]) => {
                let Value::Address(Address { base: Base::String(string), offset }) =
                    self.eval(text)?
                else {
                    return self.runtime(expr);
                };
                let StringUnits::Bytes(bytes) = &unit.strings[string].units else {
                    return self.runtime(expr);
                };
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                match (
                    rest.and_then(|rest| rest.iter().position(|&b| b == 0)),
                    self.shape(unit.exprs[expr].ty),
                ) {
                    (Some(length), Some(shape)) => {
                        Ok(Value::Int(BitVec::from_u64(shape.width, length as u64)))
                    }
                    _ => self.runtime(expr),
                }
            }
            ("abs" | "labs" | "llabs", &[operand]) => {
                let value = self.eval_int(operand)?;
                if value.neg_overflow() {
                    self.overflowed(expr);
                }
                Ok(Value::Int(value.abs_wrapping()))
            }
            ("fabs" | "fabsf" | "fabsl" | "sqrt" | "sqrtf" | "sqrtl", &[operand]) => {
                let Value::Float(value) = self.eval(operand)? else { return self.runtime(expr) };
                if name.starts_with("fabs") {
                    return Ok(Value::Float(value.abs()));
                }
                if value.is_sign_negative() && !value.is_zero() {
                    // The call sets errno.
                    return self.runtime(expr);
                }
                Ok(Value::Float(Floating::of_operation(value.sqrt(NEAREST), &value, &value, false)))
            }
            ("copysign" | "copysignf" | "copysignl", &[a, b]) => {
                match (self.eval(a)?, self.eval(b)?) {
                    (Value::Float(a), Value::Float(b)) => Ok(Value::Float(a.copy_sign(&b))),
                    _ => self.runtime(expr),
                }
            }
            _ => self.runtime(expr),
        }
    }
}
