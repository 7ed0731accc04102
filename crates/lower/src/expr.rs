//! Expressions: values, conditions and effects.
//!
//! [`Fx::value`] gives the GOTO expression of a C rvalue, after writing what has an effect; [`Fx::effect`] lowers an
//! expression whose value is not used; [`Fx::jump`] lowers a condition to branches. An operand that is not always
//! evaluated stays inside of `ite`, `and`, `or` if it has no effect, and is put behind a branch if it has.

use crate::function::Fx;
use vergo_cfront::builtins::Builtin;
use vergo_cfront::hir::{
    BinaryOp, CastKind, Expr, ExprId as HirExpr, ExprKind, PtrOffsetOp, StmtId, StmtKind, Storage,
    UnaryOp,
};
use vergo_cfront::types::{ArrayLen, QualType, TypeKind};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::program::{InstrKind, Intrinsic};
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;

/// Stack kept free for a level of recursion, and how much is added when it is not.
pub(crate) const RED_ZONE: usize = 128 * 1024;
pub(crate) const MORE_STACK: usize = 1024 * 1024;

impl Fx<'_, '_> {
    /// Returns whether lowering the expression writes instructions.
    pub(crate) fn has_effects(&mut self, expr: HirExpr) -> bool {
        match self.unit.exprs[expr].kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::WideInt(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofVla(_) => return false,
            ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::IncDec(..)
            | ExprKind::Call(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(_) => return true,
            // It is a step of its own.
            ExprKind::Cast(CastKind::Load, inner)
                if self.is_atomic(inner) || self.is_main_argument(inner) =>
            {
                return true;
            }
            ExprKind::CompoundLiteral(var) => {
                return !matches!(self.unit.vars[var].storage, Storage::Static { .. });
            }
            _ => {}
        }
        if let Some(&known) = self.effects.get(&expr) {
            return known;
        }
        let answer = stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.find_effects(expr));
        self.effects.insert(expr, answer);
        answer
    }

    fn find_effects(&mut self, expr: HirExpr) -> bool {
        let node = self.unit.exprs[expr];
        match node.kind {
            ExprKind::Deref(x)
            | ExprKind::Member(x, ..)
            | ExprKind::AddrOf(x)
            | ExprKind::Unary(_, x)
            | ExprKind::ComplexPart(x, _) => self.has_effects(x),
            ExprKind::Cast(kind, x) => {
                self.has_effects(x)
                    || kind == CastKind::FloatToInt && self.claims_conversion(x)
                    || self.converts_parts(kind)
                    || kind == CastKind::ArrayDecay && !self.is_lvalue(x)
                    || kind == CastKind::ToVoid
            }
            ExprKind::Binary(op, x, y) => {
                self.has_effects(x)
                    || self.has_effects(y)
                    || matches!(op, BinaryOp::Mul | BinaryOp::Div)
                        && matches!(
                            self.unit.types.kind(node.ty),
                            TypeKind::Complex(_) | TypeKind::ComplexInt(_)
                        )
            }
            ExprKind::Index(x, y)
            | ExprKind::PtrOffset(_, x, y)
            | ExprKind::PtrDiff(x, y)
            | ExprKind::LogAnd(x, y)
            | ExprKind::LogOr(x, y)
            | ExprKind::CondOmitted(x, y)
            | ExprKind::Comma(x, y)
            | ExprKind::VectorElement(x, y) => self.has_effects(x) || self.has_effects(y),
            ExprKind::Cond(x, y, z) => {
                self.has_effects(x) || self.has_effects(y) || self.has_effects(z)
            }
            ExprKind::Builtin(builtin, args) => {
                let pure = matches!(
                    builtin,
                    Builtin::Expect
                        | Builtin::AssumeAligned
                        | Builtin::AddOverflowP
                        | Builtin::SubOverflowP
                        | Builtin::MulOverflowP
                        | Builtin::Popcount
                        | Builtin::Parity
                        | Builtin::Ffs
                        | Builtin::Clrsb
                        | Builtin::Bswap
                        | Builtin::IsNan
                        | Builtin::IsInf
                        | Builtin::IsInfSign
                        | Builtin::IsFinite
                        | Builtin::IsNormal
                        | Builtin::SignBit
                        | Builtin::FpClassify
                        | Builtin::IsGreater
                        | Builtin::IsGreaterEqual
                        | Builtin::IsLess
                        | Builtin::IsLessEqual
                        | Builtin::IsLessGreater
                        | Builtin::IsUnordered
                        | Builtin::Complex
                );
                // The claim that the operand is not zero is an instruction.
                let pure = pure
                    || matches!(builtin, Builtin::Clz | Builtin::Ctz)
                        && self.cx.units[self.u].library;
                !pure
                    || (0..args.len()).any(|i| {
                        let arg = self.unit.expr_lists.get(args)[i];
                        self.has_effects(arg)
                    })
            }
            _ => true,
        }
    }

    /// Returns whether an expression denotes an object.
    pub(crate) fn is_lvalue(&self, mut expr: HirExpr) -> bool {
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Var(_)
                | ExprKind::String(_)
                | ExprKind::Deref(_)
                | ExprKind::Index(..)
                | ExprKind::CompoundLiteral(_) => return true,
                ExprKind::Member(base, ..)
                | ExprKind::ComplexPart(base, _)
                | ExprKind::VectorElement(base, _)
                | ExprKind::Cast(CastKind::NoOp, base) => expr = base,
                _ => return false,
            }
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: HirExpr) -> ExprId {
        let node = self.unit.exprs[expr];
        match node.kind {
            ExprKind::Int(bits) => {
                let ty = self.ty(node.ty);
                self.int_constant(ty, BitVec::from_u64(64, bits))
            }
            ExprKind::Cast(CastKind::Load, inner)
                if self.is_main_argument(inner)
                    && let Some(argument) = self.main_argument(inner) =>
            {
                let ty = self.ty(node.ty);
                self.coerce(argument, ty)
            }
            ExprKind::Cast(CastKind::Load, inner) if self.is_atomic(inner) => {
                let place = self.place(inner);
                let ty = self.ty(node.ty);
                self.b.push(InstrKind::AtomicBegin);
                let value = self.coerce(place, ty);
                let value = self.save(value);
                self.b.push(InstrKind::AtomicEnd);
                value
            }
            ExprKind::Cast(CastKind::Load, inner)
                if matches!(self.unit.exprs[inner].kind, ExprKind::Var(_)) =>
            {
                let place = self.place(inner);
                self.note_load(place, node.span);
                self.loaded(node.ty, place)
            }
            _ => stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.value_node(expr, node)),
        }
    }

    /// A constant of a scalar type from zero-extended bits.
    fn int_constant(&mut self, ty: TypeId, bits: BitVec) -> ExprId {
        match *self.cx.p.types.get(ty) {
            Type::Int { width, .. } => self.cx.p.int_bits(ty, bits.resize_unsigned(width)),
            Type::Ptr(_) => {
                let width = self.cx.p.machine.pointer_width;
                self.cx.p.int_bits(ty, bits.resize_unsigned(width))
            }
            _ => self.cx.p.zero(ty),
        }
    }

    fn value_node(&mut self, expr: HirExpr, node: Expr) -> ExprId {
        if !matches!(node.kind, ExprKind::Index(..)) {
            self.claim_sequenced(expr);
        }
        match node.kind {
            ExprKind::Error => {
                self.b.unsupported("an expression with an error");
                let ty = self.ty(node.ty);
                self.dummy(ty)
            }
            ExprKind::Int(bits) => {
                let ty = self.ty(node.ty);
                self.int_constant(ty, BitVec::from_u64(64, bits))
            }
            ExprKind::WideInt(index) => {
                let ty = self.ty(node.ty);
                let bits = self.unit.wide_ints[index as usize].clone();
                self.int_constant(ty, bits)
            }
            ExprKind::Float(id) => {
                let value = self.unit.floats[id].clone();
                self.cx.float(&value)
            }
            ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Deref(_)
            | ExprKind::Index(..)
            | ExprKind::CompoundLiteral(_) => {
                if let ExprKind::Deref(pointer) = node.kind
                    && self.unit.types.is_function(node.ty)
                {
                    return self.value(pointer);
                }
                self.place(expr)
            }
            ExprKind::Member(base, record, field) => {
                let place = if self.is_lvalue(base) { self.place(base) } else { self.value(base) };
                let member = self.member(place, record, field);
                let ty = self.ty(node.ty);
                self.coerce(member, ty)
            }
            ExprKind::ComplexPart(base, imaginary) => {
                let value = if self.is_lvalue(base) { self.place(base) } else { self.value(base) };
                self.complex_part(value, imaginary)
            }
            ExprKind::VectorElement(base, index) => {
                let vector = if self.is_lvalue(base) { self.place(base) } else { self.value(base) };
                let vector = if self.has_effects(index) { self.freeze(vector) } else { vector };
                let index = self.value(index);
                self.cx.p.index(vector, index)
            }
            ExprKind::Function(func) => self.function_value(func),
            ExprKind::AddrOf(inner) => {
                let ty = self.ty(node.ty);
                let address = self.address(inner);
                self.coerce(address, ty)
            }
            ExprKind::LabelAddr(label) => {
                let address = self.cx.label_address(self.u, label);
                let ty = self.ty(node.ty);
                self.cx.p.int(ty, i128::from(address))
            }
            ExprKind::Unary(op, operand) => self.unary(node, op, operand),
            ExprKind::Binary(op, left, right) => self.binary(node, op, left, right),
            ExprKind::PtrOffset(op, pointer, index) => {
                let element = self.unit.types.pointee(self.unit.exprs[pointer].ty);
                let (pointer, index) = self.operands(pointer, index, op == PtrOffsetOp::Add);
                let value = self.pointer_offset(op, pointer, index, element);
                self.note(value, node.span);
                let ty = self.ty(node.ty);
                self.coerce(value, ty)
            }
            ExprKind::PtrDiff(left, right) => {
                let element = self.unit.types.pointee(self.unit.exprs[left].ty);
                let (left, right) = self.operands(left, right, false);
                let right_ty = self.cx.p.exprs.ty(left);
                let right = self.coerce(right, right_ty);
                let mut value = self.cx.p.ptr_diff(left, right);
                self.note(value, node.span);
                if let Some(element) = element
                    && self.unit.types.is_vla(element)
                {
                    let count = self.vla_count(element);
                    let ty = self.cx.p.exprs.ty(value);
                    let count = self.cx.p.cast(ty, count);
                    value = self.cx.p.div(value, count);
                }
                let ty = self.ty(node.ty);
                self.coerce(value, ty)
            }
            ExprKind::LogAnd(left, right) | ExprKind::LogOr(left, right) => {
                let is_and = matches!(node.kind, ExprKind::LogAnd(..));
                let truth = if self.has_effects(right) {
                    self.short_circuit(expr)
                } else {
                    let a = self.cond(left);
                    let b = self.cond(right);
                    if is_and { self.cx.p.and(a, b) } else { self.cx.p.or(a, b) }
                };
                let ty = self.ty(node.ty);
                self.coerce(truth, ty)
            }
            ExprKind::Cond(cond, then, otherwise) => self.conditional(node, cond, then, otherwise),
            ExprKind::CondOmitted(cond, otherwise) => {
                self.conditional_omitted(node, cond, otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            ExprKind::Assign(place, value) => self.assignment(node, place, value, true),
            ExprKind::CompoundAssign { op, compute, place, value } => {
                self.compound_assignment(node, op, compute, place, value, true)
            }
            ExprKind::IncDec(op, place) => self.increment(node, op, place, true),
            ExprKind::Call(callee, args) => {
                let result = self.call(node, callee, args, None, true);
                self.or_dummy(result, node.ty)
            }
            ExprKind::Builtin(builtin, args) => {
                let args = self.unit.expr_lists.get(args).to_vec();
                let result = self.builtin(node, builtin, &args);
                self.or_dummy(result, node.ty)
            }
            ExprKind::Cast(CastKind::FloatToInt, operand) => {
                if self.claims_conversion(operand) {
                    let value = self.value(operand);
                    let value = self.freeze(value);
                    let ty = self.ty(node.ty);
                    self.claim_converts(value, ty);
                    let converted = self.coerce(value, ty);
                    return self.folded_overflow(expr, converted);
                }
                let converted = self.cast(node, CastKind::FloatToInt, operand);
                self.folded_overflow(expr, converted)
            }
            ExprKind::Cast(kind, operand) => self.cast(node, kind, operand),
            ExprKind::StmtExpr(stmt) => {
                let result = self.stmt_expr(stmt, true);
                let result = self.or_dummy(result, node.ty);
                let ty = self.ty(node.ty);
                if matches!(self.cx.p.types.get(ty), Type::Void) {
                    result
                } else {
                    self.coerce(result, ty)
                }
            }
            ExprKind::VaArg(list) => self.va_arg(node, list),
            ExprKind::SizeofVla(ty) => {
                self.claim_lengths(ty);
                let size = self.vla_size(ty);
                let ty = self.ty(node.ty);
                self.coerce(size, ty)
            }
        }
    }

    /// A value that is never looked at.
    pub(crate) fn dummy(&mut self, ty: TypeId) -> ExprId {
        match self.cx.p.types.get(ty) {
            Type::Void | Type::Func(..) => self.cx.p.bool(false),
            _ => self.cx.p.zero(ty),
        }
    }

    fn or_dummy(&mut self, value: Option<ExprId>, ty: QualType) -> ExprId {
        match value {
            Some(value) => value,
            None => {
                let ty = self.ty(ty);
                self.dummy(ty)
            }
        }
    }

    /// The address of a place or function.
    pub(crate) fn address(&mut self, expr: HirExpr) -> ExprId {
        let node = self.unit.exprs[expr];
        match node.kind {
            ExprKind::Function(func) => self.function_value(func),
            // `&*p` is `p` (C17 6.5.3.2p3).
            ExprKind::Deref(pointer) => self.value(pointer),
            // `&a[i]` is `a + i`.
            ExprKind::Index(base, index) => {
                let element = self.unit.types.pointee(self.unit.exprs[base].ty);
                if let ExprKind::Cast(CastKind::ArrayDecay, array) = self.unit.exprs[base].kind
                    && let ExprKind::Int(i) = self.unit.exprs[index].kind
                    && let TypeKind::Array(_, ArrayLen::Fixed(len)) =
                        *self.unit.types.kind(self.unit.exprs[array].ty)
                    && i < len
                    && !self.unit.types.is_vla(self.unit.exprs[array].ty)
                {
                    let place = self.place(expr);
                    return self.cx.p.address_of(place);
                }
                let (base, index) = self.operands(base, index, false);
                let value = self.pointer_offset(PtrOffsetOp::Add, base, index, element);
                self.note(value, node.span)
            }
            _ => {
                let place = self.place(expr);
                let place = if self.cx.p.is_place(place) { place } else { self.save(place) };
                self.cx.p.address_of(place)
            }
        }
    }

    /// Two operands in order. Like gcc, an operand that is just a variable is read last where the operation allows to
    /// exchange the operands.
    pub(crate) fn operands(
        &mut self,
        left: HirExpr,
        right: HirExpr,
        commutes: bool,
    ) -> (ExprId, ExprId) {
        if !self.has_effects(right) {
            if self.has_effects(left) && self.order_matters(&[left, right]) {
                let values = self.in_either_order(&[left, right], false);
                return (values[0], values[1]);
            }
            let a = self.value(left);
            let b = self.value(right);
            return (a, b);
        }
        let is_variable = matches!(self.unit.exprs[left].kind, ExprKind::Cast(CastKind::Load, inner)
            if matches!(self.unit.exprs[inner].kind, ExprKind::Var(_)));
        let backwards = commutes && is_variable;
        if self.order_matters(&[left, right]) {
            let values = self.in_either_order(&[left, right], backwards);
            return (values[0], values[1]);
        }
        if backwards {
            let b = self.value(right);
            let a = self.value(left);
            return (a, b);
        }
        let a = self.value(left);
        let a = self.freeze(a);
        let b = self.value(right);
        (a, b)
    }

    /// Pointer arithmetic in units of the element's size.
    pub(crate) fn pointer_offset(
        &mut self,
        op: PtrOffsetOp,
        pointer: ExprId,
        index: ExprId,
        element: Option<QualType>,
    ) -> ExprId {
        let size = self.cx.p.size_type();
        let signed = self.cx.p.offset_type();
        let mut index = index;
        if let Some(element) = element
            && self.unit.types.is_vla(element)
        {
            let count = self.vla_count(element);
            let unsigned = self.cx.p.cast(size, index);
            let product = self.cx.p.mul(unsigned, count);
            index = self.cx.p.cast(signed, product);
        }
        if op == PtrOffsetOp::Sub {
            let unsigned = self.cx.p.cast(size, index);
            let negated = self.cx.p.neg(unsigned);
            index = self.cx.p.cast(signed, negated);
        }
        self.cx.p.ptr_add(pointer, index)
    }

    /// Returns the number of elements of constant size in a variable-length array.
    fn vla_count(&mut self, ty: QualType) -> ExprId {
        let unit = self.unit.clone();
        let size = self.cx.p.size_type();
        match unit.types.kind(ty) {
            TypeKind::Array(element, len) if unit.types.is_vla(ty) => {
                let inner = self.vla_count(*element);
                let len = match len {
                    ArrayLen::Variable(var) => {
                        let place = self.var_place(*var);
                        self.cx.p.cast(size, place)
                    }
                    ArrayLen::Fixed(len) => self.cx.p.int(size, i128::from(*len)),
                    ArrayLen::Incomplete | ArrayLen::Star => self.cx.p.int(size, 0),
                };
                let one = self.cx.p.int(size, 1);
                if inner == one { len } else { self.cx.p.mul(len, inner) }
            }
            // A structure whose size is known only at run time is as many bytes.
            TypeKind::Record(record) if unit.types.records[*record].variable => self.vla_size(ty),
            _ => self.cx.p.int(size, 1),
        }
    }

    fn unary(&mut self, node: Expr, op: UnaryOp, operand: HirExpr) -> ExprId {
        let ty = self.ty(node.ty);
        match self.unit.types.kind(self.unit.exprs[operand].ty) {
            TypeKind::Complex(_) | TypeKind::ComplexInt(_) => {
                let value = self.value(operand);
                return self.complex_unary(op, value, ty);
            }
            TypeKind::Vector(..) => {
                let value = self.value(operand);
                return self.vector_unary(op, value, ty);
            }
            _ => {}
        }
        match op {
            UnaryOp::Not => {
                let truth = self.cond(operand);
                let not = self.negate(truth);
                self.coerce(not, ty)
            }
            UnaryOp::Neg => {
                let value = self.value(operand);
                let value = self.coerce(value, ty);
                let value = self.cx.p.neg(value);
                self.note(value, node.span)
            }
            UnaryOp::BitNot => {
                let value = self.value(operand);
                let value = self.coerce(value, ty);
                self.cx.p.bit_not(value)
            }
        }
    }

    fn binary(&mut self, node: Expr, op: BinaryOp, left: HirExpr, right: HirExpr) -> ExprId {
        let ty = self.ty(node.ty);
        let unit = self.unit.clone();
        if let TypeKind::Complex(_) | TypeKind::ComplexInt(_) = unit.types.kind(unit.exprs[left].ty)
        {
            let complex = self.ty(unit.exprs[left].ty);
            if let Type::Struct(id) = *self.cx.p.types.get(complex) {
                let real = self.cx.p.types.structs[id].fields[0].ty;
                return self.complex_binary(op, left, right, real, ty);
            }
        }
        if let BinaryOp::Eq | BinaryOp::Ne = op
            && let Some(same) = self.compare_objects(left, right)
        {
            let value = if op == BinaryOp::Eq { same } else { self.cx.p.not(same) };
            return self.coerce(value, ty);
        }
        let commutes = !matches!(
            op,
            BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr
        );
        let (a, b) = self.operands(left, right, commutes);
        if matches!(unit.types.kind(unit.exprs[left].ty), TypeKind::Vector(..)) {
            return self.vector_binary(op, a, b, ty);
        }
        let value = self.arith(op, a, b);
        self.note(value, node.span);
        self.coerce(value, ty)
    }

    /// An arithmetic operation or comparison on scalars.
    pub(crate) fn arith(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.cx.p.exprs.ty(a);
        let b = match op {
            BinaryOp::Shl | BinaryOp::Shr => b,
            _ => self.coerce(b, ty),
        };
        let p = &mut self.cx.p;
        match op {
            BinaryOp::Mul => p.mul(a, b),
            BinaryOp::Div => p.div(a, b),
            BinaryOp::Rem => p.rem(a, b),
            BinaryOp::Add => p.add(a, b),
            BinaryOp::Sub => p.sub(a, b),
            BinaryOp::Shl => p.shl(a, b),
            BinaryOp::Shr => p.shr(a, b),
            BinaryOp::Lt => p.lt(a, b),
            BinaryOp::Gt => p.gt(a, b),
            BinaryOp::Le => p.le(a, b),
            BinaryOp::Ge => p.ge(a, b),
            BinaryOp::Eq => p.eq(a, b),
            BinaryOp::Ne => p.ne(a, b),
            BinaryOp::BitAnd => p.bit_and(a, b),
            BinaryOp::BitXor => p.bit_xor(a, b),
            BinaryOp::BitOr => p.bit_or(a, b),
        }
    }

    /// Lowers an expression whose value is not used.
    pub(crate) fn effect(&mut self, expr: HirExpr) {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.effect_node(expr));
    }

    fn effect_node(&mut self, expr: HirExpr) {
        let node = self.unit.exprs[expr];
        let is_own = matches!(
            node.kind,
            ExprKind::Assign(..) | ExprKind::CompoundAssign { .. } | ExprKind::IncDec(..)
        );
        if is_own {
            self.claim_sequenced(expr);
        }
        match node.kind {
            ExprKind::Assign(place, value) => {
                self.assignment(node, place, value, false);
            }
            ExprKind::CompoundAssign { op, compute, place, value } => {
                self.compound_assignment(node, op, compute, place, value, false);
            }
            ExprKind::IncDec(op, place) => {
                self.increment(node, op, place, false);
            }
            ExprKind::Call(callee, args) => {
                self.call(node, callee, args, None, false);
            }
            ExprKind::Builtin(builtin, args) => {
                let args = self.unit.expr_lists.get(args).to_vec();
                if let Some(value) = self.builtin(node, builtin, &args) {
                    self.discard(value);
                }
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Cond(cond, then, otherwise)
                if (self.has_effects(then) || self.has_effects(otherwise))
                    && !matches!(
                        self.unit.types.kind(self.unit.exprs[cond].ty),
                        TypeKind::Vector(..)
                    ) =>
            {
                self.conditional_effect(cond, then, otherwise);
            }
            ExprKind::LogAnd(_, right) | ExprKind::LogOr(_, right) if self.has_effects(right) => {
                let end = self.b.new_label();
                self.condition_expression(|fx| fx.jump(expr, end, false));
                self.b.label(end);
            }
            ExprKind::Cast(CastKind::ToVoid | CastKind::NoOp, inner)
            | ExprKind::Cast(CastKind::Load, inner)
                if !matches!(node.kind, ExprKind::Cast(CastKind::Load, _))
                    || !self.is_lvalue(inner) =>
            {
                self.effect(inner);
            }
            ExprKind::StmtExpr(stmt) => {
                self.stmt_expr(stmt, false);
            }
            _ => {
                let value = self.value(expr);
                self.discard(value);
            }
        }
    }

    /// A value that is not used: what can go wrong must be seen.
    pub(crate) fn discard(&mut self, value: ExprId) {
        let ty = self.cx.p.exprs.ty(value);
        let plain = match *self.cx.p.exprs.kind(value) {
            expr::ExprKind::Symbol(_) | expr::ExprKind::Function(_) => true,
            expr::ExprKind::AddressOf(place) => self.is_fixed_place(place),
            expr::ExprKind::Cast(_, of) => {
                matches!(self.cx.p.exprs.kind(of), expr::ExprKind::Symbol(_))
            }
            _ => !self.is_scalar(ty) || self.is_constant(value),
        };
        if !plain && !matches!(self.cx.p.types.get(ty), Type::Bool) {
            self.save(value);
        } else if !self.is_scalar(ty) {
            self.discard_aggregate(value);
        }
    }

    /// Returns whether a place is a variable or a part of one whose address needs no computation.
    fn is_fixed_place(&self, mut place: ExprId) -> bool {
        loop {
            place = match *self.cx.p.exprs.kind(place) {
                expr::ExprKind::Symbol(_) => return true,
                expr::ExprKind::Member(of, _) => of,
                expr::ExprKind::Index(of, index) if self.is_constant(index) => of,
                _ => return false,
            };
        }
    }

    /// An aggregate that is read for nothing is read all the same.
    fn discard_aggregate(&mut self, value: ExprId) {
        let ty = self.cx.p.exprs.ty(value);
        if matches!(self.cx.p.exprs.kind(value), expr::ExprKind::Symbol(_) | expr::ExprKind::Zero) {
            return;
        }
        if !self.cx.p.is_place(value) {
            if self.cx.p.size_of(ty).is_some() {
                self.save(value);
            }
            return;
        }
        if let Some(size) = self.cx.p.size_of(ty) {
            let address = self.cx.p.address_of(value);
            let span = self.b.span();
            self.note(address, span);
            let size = self.cx.p.size(size);
            self.access_block(Intrinsic::Copies, address, size);
        }
    }

    pub(crate) fn is_constant(&self, value: ExprId) -> bool {
        matches!(
            self.cx.p.exprs.kind(value),
            expr::ExprKind::Bool(_)
                | expr::ExprKind::Int(_)
                | expr::ExprKind::Float(_)
                | expr::ExprKind::Zero
        )
    }

    /// Returns whether a value is the address of a local variable, or of a part of one.
    fn is_address(&self, mut value: ExprId) -> bool {
        while let expr::ExprKind::Cast(_, inner) = *self.cx.p.exprs.kind(value) {
            value = inner;
        }
        matches!(self.cx.p.exprs.kind(value), expr::ExprKind::AddressOf(_))
    }

    /// `({ ... })`
    fn stmt_expr(&mut self, stmt: StmtId, want: bool) -> Option<ExprId> {
        let StmtKind::Compound(list) = self.unit.stmts[stmt].kind else {
            self.stmt(stmt);
            return None;
        };
        if !self.block_of.contains_key(&stmt) {
            self.scan(stmt, self.block, None);
        }
        let span = self.b.span();
        let outer = self.enter(stmt);
        let n = list.len();
        let mut result = None;
        for i in 0..n {
            let child = self.unit.stmt_lists.get(list)[i];
            if i + 1 < n || !want {
                self.stmt(child);
                continue;
            }
            // The last statement gives the value; labels may stand before it.
            let mut last = child;
            loop {
                match self.unit.stmts[last].kind {
                    StmtKind::Label(label, inner) => {
                        let position = self.position(label);
                        self.b.label(position.label);
                        last = inner;
                    }
                    StmtKind::Expr(expr) => {
                        self.b.set_span(self.unit.stmts[last].span);
                        if self.unit.types.is_void(self.unit.exprs[expr].ty) {
                            self.effect(expr);
                        } else {
                            let value = self.value(expr);
                            // An address must not become the variable again, whose life ends here.
                            let frozen = match self.cx.p.type_of(value) {
                                Type::Ptr(_) if self.is_address(value) => self.save(value),
                                _ => self.freeze(value),
                            };
                            result = Some(frozen);
                        }
                        break;
                    }
                    _ => {
                        self.stmt(last);
                        break;
                    }
                }
            }
        }
        self.leave(outer);
        self.b.set_span(span);
        result
    }
}
