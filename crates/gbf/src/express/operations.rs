//! Operations: arithmetic, comparisons, conversions, questions about memory.

use super::{Expressed, Expresser};
use crate::irep::IrepId;
use vergo_goto::expr::{BinaryOp, ExprId, MemoryOp, UnaryOp};
use vergo_goto::types::{Type, TypeId};
use vergo_num::RoundingMode;

impl Expresser<'_> {
    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: ExprId,
        ty: TypeId,
        expr: ExprId,
    ) -> Expressed<IrepId> {
        let x = self.value(operand)?;
        let id = match op {
            UnaryOp::Neg => "unary-",
            UnaryOp::BitNot => "bitnot",
            UnaryOp::Not => "not",
            UnaryOp::Abs => "abs",
            UnaryOp::IsNan => "isnan",
            UnaryOp::IsInf => "isinf",
            UnaryOp::IsNormal => "isnormal",
            UnaryOp::SignBit => "sign",
            UnaryOp::LeadingZeros => "count_leading_zeros",
            UnaryOp::TrailingZeros => "count_trailing_zeros",
            UnaryOp::PopCount => "popcount",
            UnaryOp::ByteSwap => {
                let (ty, eight) = (self.ty(ty)?, self.b.leaf("8"));
                return Ok(self.b.irep("bswap", &[x], &[("type", ty), ("bits_per_byte", eight)]));
            }
            UnaryOp::RoundToIntegral(mode) => {
                let mode = self.rounding(mode);
                return self.operation("floatbv_round_to_integral", &[x, mode], ty, expr);
            }
            UnaryOp::IsSubnormal => {
                // None of the other classes.
                let bool_type = self.b.leaf("bool");
                let zero = self.zero(self.p.exprs.ty(operand))?;
                let mut parts = vec![self.typed("ieee_float_notequal", &[x, zero], bool_type)];
                for class in ["isnan", "isinf", "isnormal"] {
                    let is = self.typed(class, &[x], bool_type);
                    parts.push(self.typed("not", &[is], bool_type));
                }
                return Ok(self.typed("and", &parts, bool_type));
            }
            UnaryOp::Sqrt => return Err("a square root as an operation".to_owned()),
            UnaryOp::Library(f) => return Err(format!("the function `{f:?}` as an operation")),
        };
        self.operation(id, &[x], ty, expr)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
        expr: ExprId,
    ) -> Expressed<IrepId> {
        let float = matches!(self.p.type_of(left), Type::Float(_));
        let signed = matches!(self.p.type_of(left), Type::Int { signed: true, .. });
        let operands = [self.value(left)?, self.value(right)?];
        let id = match op {
            BinaryOp::Add | BinaryOp::PtrAdd => "+",
            BinaryOp::Sub | BinaryOp::PtrDiff => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem if float => "floatbv_mod",
            BinaryOp::Rem => "mod",
            BinaryOp::IeeeRem => "floatbv_rem",
            BinaryOp::BitAnd => "bitand",
            BinaryOp::BitOr => "bitor",
            BinaryOp::BitXor => "bitxor",
            BinaryOp::Shl => "shl",
            BinaryOp::Shr if signed => "ashr",
            BinaryOp::Shr => "lshr",
            BinaryOp::Eq if float => "ieee_float_equal",
            BinaryOp::Ne if float => "ieee_float_notequal",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "notequal",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Implies => "=>",
            BinaryOp::AddOverflows => "overflow-+",
            BinaryOp::SubOverflows => "overflow--",
            BinaryOp::MulOverflows => "overflow-*",
            BinaryOp::ShlOverflows => "overflow-shl",
            BinaryOp::Min | BinaryOp::Max => {
                return self.extreme(op == BinaryOp::Min, operands, ty);
            }
            BinaryOp::Library(f) => return Err(format!("the function `{f:?}` as an operation")),
        };
        self.operation(id, &operands, ty, expr)
    }

    /// C's `fmin` and `fmax` as a choice: the number rather than the NaN, and the zeros by their sign.
    fn extreme(&mut self, least: bool, [x, y]: [IrepId; 2], ty: TypeId) -> Expressed<IrepId> {
        let ty = self.ty(ty)?;
        let bool_type = self.b.leaf("bool");
        let (less, more) = if least { (x, y) } else { (y, x) };
        let negative = self.typed("sign", &[x], bool_type);
        let (first, second) = if least { (x, y) } else { (y, x) };
        let equal = self.typed("if", &[negative, first, second], ty);
        let before = self.typed("<", &[less, more], bool_type);
        let behind = self.typed("<", &[more, less], bool_type);
        let ordered = self.typed("if", &[behind, y, equal], ty);
        let ordered = self.typed("if", &[before, x, ordered], ty);
        let nan = self.typed("isnan", &[y], bool_type);
        let second = self.typed("if", &[nan, x, ordered], ty);
        let nan = self.typed("isnan", &[x], bool_type);
        Ok(self.typed("if", &[nan, y, second], ty))
    }

    pub(super) fn cast(
        &mut self,
        mode: RoundingMode,
        operand: ExprId,
        ty: TypeId,
        expr: ExprId,
    ) -> Expressed<IrepId> {
        let p = self.p;
        let from = p.type_of(operand);
        let x = self.value(operand)?;
        match (from, p.types.get(ty)) {
            (Type::Bool, Type::Bool) => Ok(x),
            (_, Type::Bool) => {
                let zero = self.zero(p.exprs.ty(operand))?;
                let float = matches!(from, Type::Float(_));
                let id = if float { "ieee_float_notequal" } else { "notequal" };
                self.operation(id, &[x, zero], ty, expr)
            }
            (Type::Float(_), Type::Int { .. }) if mode != RoundingMode::TowardZero => {
                let mode = self.rounding(mode);
                self.operation("floatbv_typecast", &[x, mode], ty, expr)
            }
            (Type::Float(_), Type::Int { .. }) => self.operation("typecast", &[x], ty, expr),
            (Type::Float(_) | Type::Int { .. } | Type::Bool, Type::Float(_))
                if mode != RoundingMode::NearestEven =>
            {
                let mode = self.rounding(mode);
                self.operation("floatbv_typecast", &[x, mode], ty, expr)
            }
            _ => self.operation("typecast", &[x], ty, expr),
        }
    }

    pub(super) fn question(
        &mut self,
        op: MemoryOp,
        operands: &[ExprId],
        ty: TypeId,
    ) -> Expressed<IrepId> {
        let id = match op {
            MemoryOp::IsLive => "live_object",
            MemoryOp::ObjectSize => "object_size",
            MemoryOp::Offset => "pointer_offset",
            MemoryOp::IsHeap => "is_dynamic_object",
            MemoryOp::IsWritable => "writeable_object",
            MemoryOp::SameObject => {
                let word = self.int_type(false, self.p.machine.pointer_width);
                let mut objects = Vec::new();
                for &pointer in operands {
                    let pointer = self.value(pointer)?;
                    objects.push(self.typed("pointer_object", &[pointer], word));
                }
                let ty = self.ty(ty)?;
                return Ok(self.typed("=", &objects, ty));
            }
            MemoryOp::HasObject
            | MemoryOp::IsFunction
            | MemoryOp::IsInitialized
            | MemoryOp::TextSize
            | MemoryOp::TextEnds
            | MemoryOp::HeapEmpty
            | MemoryOp::HeapReachable
            | MemoryOp::UnracedRead
            | MemoryOp::UnracedWrite
            | MemoryOp::OthersGoOn => return Err(format!("the question `{op:?}` about memory")),
        };
        let mut list = Vec::new();
        for &operand in operands {
            list.push(self.value(operand)?);
        }
        let ty = self.ty(ty)?;
        Ok(self.typed(id, &list, ty))
    }
}
