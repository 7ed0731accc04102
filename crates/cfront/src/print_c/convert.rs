//! Which conversions a C compiler inserts by itself, so that the text need not say them.
//!
//! The tree has every conversion as a node. Those that were written span more text than their operand and are always
//! printed; the others are left out where the context converts the operand to the same type. The contexts are operands
//! of arithmetic (integer promotions and the usual arithmetic conversions, C17 6.3.1.8), conversion as if by assignment
//! (6.5.16.1), default argument promotions (6.5.2.2) and conditions.

use super::Printer;
use crate::hir::{CastKind, ExprId, ExprKind};
use crate::types::{ArrayLen, FloatKind, IntKind, QualType, TypeId, TypeKind};

/// An arithmetic type as the conversion rules see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arith {
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
}

impl Printer<'_> {
    /// The expression's type.
    pub(super) fn ty(&self, e: ExprId) -> QualType {
        self.unit.exprs[e].ty
    }

    /// The type as it is printed: an enumeration is its integer type.
    pub(super) fn shown_kind(&self, ty: QualType) -> &TypeKind {
        let mut kind = self.unit.types.kind(ty);
        while let TypeKind::Enum(id) = kind {
            kind = self.unit.types.kind(self.unit.types.enums[*id].underlying);
        }
        kind
    }

    pub(super) fn arith(&self, ty: QualType) -> Option<Arith> {
        Some(match self.shown_kind(ty) {
            TypeKind::Bool => Arith::Bool,
            TypeKind::Int(kind) => Arith::Int(*kind),
            TypeKind::Float(kind) => Arith::Float(*kind),
            TypeKind::Complex(kind) => Arith::Complex(*kind),
            _ => return None,
        })
    }

    /// Returns whether two types are printed alike, qualifiers of the types themselves aside.
    pub(super) fn same_type(&self, a: QualType, b: QualType) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            if self.unit.types.canonical(a.ty()) == self.unit.types.canonical(b.ty()) {
                return true;
            }
            match (self.shown_kind(a), self.shown_kind(b)) {
                (TypeKind::Pointer(x), TypeKind::Pointer(y)) if x.quals() == y.quals() => {
                    (a, b) = (*x, *y)
                }
                (TypeKind::Array(x, n), TypeKind::Array(y, m))
                    if x.quals() == y.quals() && n == m =>
                {
                    (a, b) = (*x, *y);
                }
                (TypeKind::Pointer(_), _) | (TypeKind::Array(..), _) => return false,
                (x, y) => return x == y,
            }
        }
    }

    /// The integer promotions.
    pub(super) fn promote(&self, ty: Arith) -> Arith {
        match ty {
            Arith::Bool => Arith::Int(IntKind::Int),
            Arith::Int(IntKind::BitInt(_) | IntKind::UBitInt(_)) => ty,
            Arith::Int(kind) if kind.width(&self.unit.target) < 32 => Arith::Int(IntKind::Int),
            _ => ty,
        }
    }

    /// The usual arithmetic conversions of promoted types; `None` where the rules are not those of the standard types.
    pub(super) fn usual(&self, a: Arith, b: Arith) -> Option<Arith> {
        if a == b {
            return Some(a);
        }
        let real = |ty| match ty {
            Arith::Float(kind) | Arith::Complex(kind) => Some(kind),
            _ => None,
        };
        let float = match (real(a), real(b)) {
            (None, None) => return self.usual_int(a, b),
            (Some(kind), None) | (None, Some(kind)) => kind,
            (Some(x), Some(y)) if x == y => x,
            (Some(x), Some(y)) => {
                let rank = |kind| match kind {
                    FloatKind::Float => Some(0),
                    FloatKind::Double => Some(1),
                    FloatKind::LongDouble => Some(2),
                    _ => None,
                };
                if rank(x)? > rank(y)? { x } else { y }
            }
        };
        let complex = matches!(a, Arith::Complex(_)) || matches!(b, Arith::Complex(_));
        Some(if complex { Arith::Complex(float) } else { Arith::Float(float) })
    }

    fn usual_int(&self, a: Arith, b: Arith) -> Option<Arith> {
        let (Arith::Int(a), Arith::Int(b)) = (self.promote(a), self.promote(b)) else {
            return None;
        };
        let target = &self.unit.target;
        let (high, low) = if a.rank(target) >= b.rank(target) { (a, b) } else { (b, a) };
        let holds_both = high.is_signed() == low.is_signed()
            || !high.is_signed()
            || high.width(target) > low.width(target);
        Some(Arith::Int(if holds_both { high } else { high.with_sign(false) }))
    }

    /// Returns the width of the bit-field that the expression reads or yields, if it does.
    fn bit_field_width(&self, e: ExprId) -> Option<u32> {
        let place = match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::Load, place)
            | ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::IncDec(_, place) => place,
            ExprKind::Comma(_, last) => return self.bit_field_width(last),
            _ => e,
        };
        match self.unit.exprs[place].kind {
            ExprKind::Member(_, record, field) => {
                let fields = self.unit.types.records[record].fields.as_ref()?;
                Some(fields.get(field as usize)?.bits?.width)
            }
            _ => None,
        }
    }

    /// The type of just the width of a bit-field whose value an expression is.
    fn field_type(&self, e: ExprId) -> Option<Arith> {
        let width = self.bit_field_width(e)?;
        match self.arith(self.ty(e))? {
            Arith::Int(kind) => {
                Some(Arith::Int(IntKind::BitInt(width).with_sign(kind.is_signed())))
            }
            _ => None,
        }
    }

    /// The type that an operand has after the integer promotions. A bit-field promotes by its width; one that is wider
    /// than `int` has a type of just its width.
    fn operand(&self, e: ExprId) -> Option<Arith> {
        let ty = self.arith(self.ty(e))?;
        Some(match (self.bit_field_width(e), ty) {
            (Some(width), Arith::Int(kind)) if width < 32 || (width == 32 && kind.is_signed()) => {
                Arith::Int(IntKind::Int)
            }
            (Some(32), Arith::Int(_)) => Arith::Int(IntKind::UInt),
            (Some(width), Arith::Int(kind)) if width < kind.width(&self.unit.target) => {
                Arith::Int(IntKind::BitInt(width).with_sign(kind.is_signed()))
            }
            _ => self.promote(ty),
        })
    }

    /// Returns whether every value of the first type is one of the second.
    fn preserves(&self, from: Arith, to: Arith) -> bool {
        let target = &self.unit.target;
        match (from, to) {
            (Arith::Bool, Arith::Int(_)) => true,
            (Arith::Int(a), Arith::Int(b)) => {
                let (wide, narrow) = (b.width(target), a.width(target));
                match (a.is_signed(), b.is_signed()) {
                    (true, true) | (false, false) => wide >= narrow,
                    (false, true) => wide > narrow,
                    (true, false) => false,
                }
            }
            (Arith::Float(a), Arith::Float(b)) => matches!(
                (a, b),
                (FloatKind::Float, FloatKind::Double | FloatKind::LongDouble)
                    | (FloatKind::Double, FloatKind::LongDouble)
            ),
            _ => from == to,
        }
    }

    /// Beneath another conversion: the operand without implicit conversions that keep every value.
    pub(super) fn beneath(&self, e: ExprId) -> ExprId {
        let mut e = e;
        while let ExprKind::Cast(CastKind::Int | CastKind::Float | CastKind::NoOp, x) =
            self.unit.exprs[e].kind
        {
            let from = self.field_type(x).or_else(|| self.arith(self.ty(x)));
            let (Some(from), Some(to)) = (from, self.arith(self.ty(e))) else { break };
            if !self.unit.is_implicit(e, x) || !self.preserves(from, to) {
                break;
            }
            e = x;
        }
        e
    }

    /// The operand of an implicit arithmetic conversion, or the expression itself.
    fn peel(&self, e: ExprId) -> ExprId {
        match self.unit.exprs[e].kind {
            ExprKind::Cast(
                CastKind::Int
                | CastKind::IntToFloat
                | CastKind::Float
                | CastKind::RealToComplex
                | CastKind::Complex
                | CastKind::NoOp
                | CastKind::VectorSplat,
                x,
            ) if self.unit.is_implicit(e, x) => self.beneath(x),
            _ => e,
        }
    }

    /// The operands of an arithmetic operator computed at type `ty`, without the conversions that it implies.
    pub(super) fn arith_operands(&self, l: ExprId, r: ExprId, ty: QualType) -> (ExprId, ExprId) {
        if let TypeKind::Vector(..) = self.shown_kind(ty) {
            return self.vector_operands(l, r);
        }
        let Some(want) = self.arith(ty) else { return (l, r) };
        let (pl, pr) = (self.peel(l), self.peel(r));
        for (a, b) in [(pl, pr), (pl, r), (l, pr)] {
            if let (Some(x), Some(y)) = (self.operand(a), self.operand(b))
                && self.usual(x, y) == Some(want)
            {
                return (a, b);
            }
        }
        (l, r)
    }

    /// The second operand of an operator whose first is printed as it is.
    pub(super) fn second_operand(&self, first: ExprId, second: ExprId, ty: QualType) -> ExprId {
        let peeled = self.peel(second);
        match (self.operand(first), self.operand(peeled), self.arith(ty)) {
            (Some(x), Some(y), Some(want)) if self.usual(x, y) == Some(want) => peeled,
            _ => second,
        }
    }

    /// A scalar operand next to a vector is spread by the operator itself.
    fn vector_operands(&self, l: ExprId, r: ExprId) -> (ExprId, ExprId) {
        let splat = |e: ExprId| match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::VectorSplat, x) => Some(x),
            _ => None,
        };
        match (splat(l), splat(r)) {
            (Some(x), None) => (x, r),
            (None, Some(y)) => (l, y),
            _ => (l, r),
        }
    }

    /// The operand of a unary or shift operator, without the promotion that it implies.
    pub(super) fn promoted_operand(&self, e: ExprId) -> ExprId {
        let peeled = self.peel(e);
        match (self.operand(peeled), self.arith(self.ty(e))) {
            (Some(have), Some(want)) if have == want => peeled,
            _ => e,
        }
    }

    /// An argument for `...` or a function without prototype, without the default promotions.
    pub(super) fn promoted_argument(&self, e: ExprId) -> ExprId {
        let peeled = self.peel(e);
        let have = match self.operand(peeled) {
            Some(Arith::Float(FloatKind::Float)) => Some(Arith::Float(FloatKind::Double)),
            have => have,
        };
        match (have, self.arith(self.ty(e))) {
            (Some(have), Some(want)) if have == want => peeled,
            _ => e,
        }
    }

    /// The right operand of `place op= value` computed at type `compute`.
    pub(super) fn compound_operand(
        &self,
        place: ExprId,
        value: ExprId,
        compute: QualType,
    ) -> ExprId {
        if let ExprKind::Cast(CastKind::VectorSplat, x) = self.unit.exprs[value].kind {
            return x;
        }
        self.second_operand(place, value, compute)
    }

    /// An index or offset, whose width does not matter as long as nothing is cut.
    pub(super) fn offset_operand(&self, e: ExprId) -> ExprId {
        let peeled = self.peel(e);
        let target = &self.unit.target;
        match (self.operand(peeled), self.arith(self.ty(e))) {
            (Some(Arith::Int(from)), Some(Arith::Int(to)))
                if to.width(target) == target.word as u32 * 8
                    && from.width(target) <= to.width(target) =>
            {
                peeled
            }
            _ => e,
        }
    }

    /// A value converted as if by assignment to its own type, without that conversion.
    pub(super) fn assigned_operand(&self, e: ExprId) -> ExprId {
        let ExprKind::Cast(kind, x) = self.unit.exprs[e].kind else { return e };
        if !self.unit.is_implicit(e, x) {
            return e;
        }
        match kind {
            CastKind::Int
            | CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::Float
            | CastKind::RealToComplex
            | CastKind::ComplexToReal
            | CastKind::Complex => self.beneath(x),
            CastKind::ToBool if self.arith(self.ty(x)).is_some() => self.beneath(x),
            CastKind::NoOp if self.arith(self.ty(e)).is_some() => self.beneath(x),
            CastKind::Ptr | CastKind::NoOp if self.pointer_assigns(self.ty(x), self.ty(e)) => x,
            CastKind::IntToPtr if self.is_zero_constant(x) => x,
            _ => e,
        }
    }

    /// A pointer without implicit conversions, for operands that may be any pointer.
    pub(super) fn uncast_pointer(&self, e: ExprId) -> ExprId {
        let mut e = e;
        while let ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, x) = self.unit.exprs[e].kind
            && self.unit.is_implicit(e, x)
            && matches!(self.shown_kind(self.ty(x)), TypeKind::Pointer(_))
        {
            e = x;
        }
        e
    }

    /// Returns whether two types are compatible as far as the lengths of arrays go: one that is not constant fits any.
    fn compatible(&self, a: QualType, b: QualType) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            if self.same_type(a, b) {
                return true;
            }
            match (self.shown_kind(a), self.shown_kind(b)) {
                (TypeKind::Pointer(x), TypeKind::Pointer(y)) if x.quals() == y.quals() => {
                    (a, b) = (*x, *y)
                }
                (TypeKind::Array(x, n), TypeKind::Array(y, m)) if x.quals() == y.quals() => {
                    let constant = |len: &ArrayLen| matches!(len, ArrayLen::Fixed(_));
                    if n != m && constant(n) && constant(m) {
                        return false;
                    }
                    (a, b) = (*x, *y);
                }
                _ => return false,
            }
        }
    }

    /// Returns whether a pointer converts as if by assignment: to the same type with more qualifiers, or from or to
    /// `void *`.
    fn pointer_assigns(&self, from: QualType, to: QualType) -> bool {
        let (TypeKind::Pointer(from), TypeKind::Pointer(to)) =
            (self.shown_kind(from), self.shown_kind(to))
        else {
            return false;
        };
        if !to.quals().has(from.quals()) {
            return false;
        }
        let void = |ty: QualType| matches!(self.shown_kind(ty), TypeKind::Void);
        let function = |ty: QualType| matches!(self.shown_kind(ty), TypeKind::Function(_));
        self.compatible(*from, *to)
            || (void(*from) && !function(*to))
            || (void(*to) && !function(*from))
    }

    /// The operands of a comparison of pointers.
    pub(super) fn compared_pointers(
        &self,
        l: ExprId,
        r: ExprId,
        equality: bool,
    ) -> (ExprId, ExprId) {
        let pointer = |e: ExprId| match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, x)
                if self.unit.is_implicit(e, x)
                    && matches!(self.shown_kind(self.ty(x)), TypeKind::Pointer(_)) =>
            {
                x
            }
            _ => e,
        };
        let zero = |e: ExprId| match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::IntToPtr, x)
                if equality && self.unit.is_implicit(e, x) && self.is_zero_constant(x) =>
            {
                Some(x)
            }
            _ => None,
        };
        match (zero(l), zero(r)) {
            (None, Some(zero)) => return (pointer(l), zero),
            (Some(zero), None) => return (zero, pointer(r)),
            _ => {}
        }
        let (x, y) = (pointer(l), pointer(r));
        let pointee = |e: ExprId| match self.shown_kind(self.ty(e)) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        };
        match (pointee(x), pointee(y)) {
            (Some(a), Some(b)) if self.compatible(a, b) => (x, y),
            _ => (l, r),
        }
    }

    /// Returns whether the expression is an integer constant with the value zero, as a null pointer constant is.
    pub(super) fn is_zero_constant(&self, e: ExprId) -> bool {
        matches!(self.unit.exprs[e].kind, ExprKind::Int(0)) && self.arith(self.ty(e)).is_some()
    }

    /// A condition without the comparison with zero that it implies.
    pub(super) fn condition_operand(&self, e: ExprId) -> ExprId {
        match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::ToBool, x) if self.unit.is_implicit(e, x) => self.beneath(x),
            _ => e,
        }
    }

    /// The node whose text stands for the expression: conversions that C never writes are skipped.
    pub(super) fn shown(&self, e: ExprId) -> ExprId {
        let mut e = e;
        loop {
            match self.unit.exprs[e].kind {
                ExprKind::Cast(
                    CastKind::Load | CastKind::ArrayDecay | CastKind::FunctionDecay,
                    x,
                ) => e = x,
                ExprKind::Cast(CastKind::NoOp | CastKind::Int | CastKind::Ptr, x) => {
                    let never_cast = matches!(
                        self.shown_kind(self.ty(e)),
                        TypeKind::Record(_)
                            | TypeKind::VaList
                            | TypeKind::Array(..)
                            | TypeKind::Function(_)
                    );
                    let unchanged =
                        self.unit.is_implicit(e, x) && self.same_type(self.ty(e), self.ty(x));
                    if !never_cast && !unchanged {
                        return e;
                    }
                    e = x;
                }
                ExprKind::Comma(first, last) if self.lengths.is_dropped(self.unit, first) => {
                    e = last
                }
                _ => return e,
            }
        }
    }

    /// The typedef that stands for a type, if it needs one.
    pub(super) fn needs_typedef(&self, ty: TypeId) -> bool {
        self.large.contains(ty)
            || matches!(
                self.unit.types.kind_with_alignment(ty),
                TypeKind::Aligned(..) | TypeKind::Vector(..)
            )
    }
}
