//! Construction: well-typed expressions from [`Program`], instructions from [`FunctionBuilder`].
//!
//! The functions infer the type of what they make, so that what is built from well-typed parts in the documented way
//! verifies. They fold what folds at a glance: operations on constants (by [`fold`](mod@crate::fold)), identities of
//! truth values, casts to the same type, `*&x` and `&*p`. A pass that wants more rewrites more.
//!
//! **Invariant.** Folding never hides an operation that could go wrong, so that property checks can be inserted into
//! what was built: `INT_MAX + 1` and `1 / 0` stay, and an operand that would be evaluated is dropped only if it is a
//! constant or a variable.

use crate::expr::{BinaryOp, ExprId, ExprKind, ExprTable, MemoryOp, UnaryOp};
use crate::fold::{self, Const, ConstType};
use crate::program::{
    Callee, Claim, Exit, Function, FunctionId, Instr, InstrKind, Intrinsic, LabelId, Program,
    Region, Symbol, SymbolId,
};
use crate::types::{Machine, StructId, StructType, Type, TypeId, TypeTable};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::collections::BTreeMap;
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_source::Span;

/// Programs and their parts.
impl Program {
    /// A program without anything in it.
    pub fn new(machine: Machine) -> Program {
        Program {
            machine,
            types: TypeTable::new(),
            exprs: ExprTable::new(),
            symbols: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            entry: None,
            nondet_sites: 0,
            copies: BTreeMap::new(),
        }
    }

    /// A new structure or union.
    pub fn add_struct(&mut self, structure: StructType) -> StructId {
        self.types.structs.push(structure)
    }

    /// A new variable.
    pub fn add_symbol(&mut self, symbol: Symbol) -> SymbolId {
        self.symbols.push(symbol)
    }

    /// A new function.
    pub fn add_function(&mut self, function: Function) -> FunctionId {
        self.functions.push(function)
    }

    /// The function of a name. Linear: for tests and entry points.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The unsigned integer type of pointer width.
    pub fn size_type(&mut self) -> TypeId {
        let width = self.machine.pointer_width;
        self.types.int(false, width)
    }

    /// The signed integer type of pointer width.
    pub fn offset_type(&mut self) -> TypeId {
        let width = self.machine.pointer_width;
        self.types.int(true, width)
    }

    /// Size in bytes of an object of the type, see [`TypeTable::size_of`].
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        self.types.size_of(ty, &self.machine)
    }

    /// Returns the type of an expression.
    pub fn type_of(&self, expr: ExprId) -> &Type {
        self.types.get(self.exprs.ty(expr))
    }

    /// The variable that a place is part of, if it is part of one.
    pub fn root_variable(&self, mut place: ExprId) -> Option<SymbolId> {
        loop {
            match *self.exprs.kind(place) {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
                ExprKind::Symbol(symbol) => return Some(symbol),
                _ => return None,
            }
        }
    }

    /// The pointed-to type, if the type is a pointer.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::Ptr(to) => Some(*to),
            _ => None,
        }
    }

    /// Returns whether an expression denotes part of an object: a place all the way to its base.
    pub fn is_place(&self, mut expr: ExprId) -> bool {
        loop {
            match self.exprs.kind(expr) {
                ExprKind::Symbol(_) | ExprKind::Deref(_) => return true,
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => expr = *base,
                _ => return false,
            }
        }
    }

    /// The constant scalar that an expression is, if it is one and no pointer.
    pub fn const_of(&self, expr: ExprId) -> Option<Const> {
        let ty = self.const_type(self.exprs.ty(expr))?;
        match (self.exprs.kind(expr), ty) {
            (ExprKind::Bool(x), _) => Some(Const::Bool(*x)),
            (ExprKind::Int(x), ConstType::Int(signed, _)) => Some(Const::Int(signed, x.clone())),
            (ExprKind::Float(x), _) => Some(Const::Float(x.clone())),
            (ExprKind::Zero, ConstType::Bool) => Some(Const::Bool(false)),
            (ExprKind::Zero, ConstType::Int(signed, width)) => {
                Some(Const::Int(signed, BitVec::zero(width)))
            }
            (ExprKind::Zero, ConstType::Float(format)) => {
                Some(Const::Float(Float::zero(format, false)))
            }
            _ => None,
        }
    }

    /// The type as that of a constant, if it is `bool`, an integer or a float.
    pub fn const_type(&self, ty: TypeId) -> Option<ConstType> {
        match self.types.get(ty) {
            Type::Bool => Some(ConstType::Bool),
            Type::Int { signed, width } => Some(ConstType::Int(*signed, *width)),
            Type::Float(format) => Some(ConstType::Float(*format)),
            _ => None,
        }
    }

    /// A constant as an expression.
    pub fn constant(&mut self, value: Const) -> ExprId {
        match value {
            Const::Bool(x) => self.bool(x),
            Const::Int(signed, x) => {
                let ty = self.types.int(signed, x.width());
                self.exprs.intern(ExprKind::Int(x), ty)
            }
            Const::Float(x) => self.float(x),
        }
    }
}

/// Constants and aggregates.
impl Program {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> ExprId {
        let ty = self.types.bool();
        self.exprs.intern(ExprKind::Bool(value), ty)
    }

    /// An integer constant, cut to the width of its type; at a pointer type, an address without an object. At `bool`,
    /// whether it is not zero; at a float type, the nearest float.
    pub fn int(&mut self, ty: TypeId, value: i128) -> ExprId {
        match *self.types.get(ty) {
            Type::Bool => self.bool(value != 0),
            Type::Float(format) => {
                let word = BitVec::from_i128(128, value);
                self.float(Float::from_signed(format, RoundingMode::NearestEven, &word))
            }
            Type::Int { width, .. } => {
                self.exprs.intern(ExprKind::Int(BitVec::from_i128(width, value)), ty)
            }
            _ => {
                let width = self.machine.pointer_width;
                self.exprs.intern(ExprKind::Int(BitVec::from_i128(width, value)), ty)
            }
        }
    }

    /// An integer or pointer constant from its bits.
    pub fn int_bits(&mut self, ty: TypeId, bits: BitVec) -> ExprId {
        self.exprs.intern(ExprKind::Int(bits), ty)
    }

    /// An integer of the unsigned type of pointer width.
    pub fn size(&mut self, value: u64) -> ExprId {
        let ty = self.size_type();
        self.int(ty, value.into())
    }

    /// A floating constant.
    pub fn float(&mut self, value: Float) -> ExprId {
        let ty = self.types.float(value.format());
        self.exprs.intern(ExprKind::Float(value), ty)
    }

    /// Zero of a type: the constant of a scalar type, [`ExprKind::Zero`] of an aggregate.
    pub fn zero(&mut self, ty: TypeId) -> ExprId {
        match *self.types.get(ty) {
            Type::Bool | Type::Int { .. } | Type::Ptr(_) => self.int(ty, 0),
            Type::Float(format) => self.float(Float::zero(format, false)),
            _ => self.exprs.intern(ExprKind::Zero, ty),
        }
    }

    /// The null pointer of a pointer type.
    pub fn null(&mut self, ty: TypeId) -> ExprId {
        self.int(ty, 0)
    }

    /// The address of a function.
    pub fn function(&mut self, function: FunctionId) -> ExprId {
        let ty = self.types.ptr(self.functions[function].ty);
        self.exprs.intern(ExprKind::Function(function), ty)
    }

    /// A new nondeterministic site.
    pub fn nondet(&mut self, ty: TypeId) -> ExprId {
        let site = self.nondet_sites;
        self.nondet_sites += 1;
        self.exprs.intern(ExprKind::Nondet(site), ty)
    }

    /// A structure from its members.
    pub fn structure(&mut self, ty: TypeId, members: impl Into<Box<[ExprId]>>) -> ExprId {
        self.exprs.intern(ExprKind::Struct(members.into()), ty)
    }

    /// A union from one member.
    pub fn union(&mut self, ty: TypeId, member: u32, value: ExprId) -> ExprId {
        self.exprs.intern(ExprKind::Union(member, value), ty)
    }

    /// An array from its elements.
    pub fn array(&mut self, ty: TypeId, elements: impl Into<Box<[ExprId]>>) -> ExprId {
        self.exprs.intern(ExprKind::Array(elements.into()), ty)
    }

    /// An array whose elements are all equal.
    pub fn array_of(&mut self, ty: TypeId, element: ExprId) -> ExprId {
        self.exprs.intern(ExprKind::ArrayOf(element), ty)
    }
}

/// Places.
impl Program {
    /// A variable.
    pub fn symbol(&mut self, symbol: SymbolId) -> ExprId {
        let ty = self.symbols[symbol].ty;
        self.exprs.intern(ExprKind::Symbol(symbol), ty)
    }

    /// The object that a pointer points to; the expression must have a pointer type.
    pub fn deref(&mut self, pointer: ExprId) -> ExprId {
        let ty = self.pointee(self.exprs.ty(pointer)).expect("only pointers are dereferenced");
        if let ExprKind::AddressOf(place) = *self.exprs.kind(pointer)
            && self.exprs.ty(place) == ty
        {
            return place;
        }
        self.exprs.intern(ExprKind::Deref(pointer), ty)
    }

    /// A member of a structure or union, by its number.
    pub fn member(&mut self, base: ExprId, member: u32) -> ExprId {
        let Type::Struct(id) = *self.type_of(base) else { panic!("only structures have members") };
        let ty = self.types.structs[id].fields[member as usize].ty;
        self.exprs.intern(ExprKind::Member(base, member), ty)
    }

    /// A member of a structure or union, by its name.
    pub fn member_named(&mut self, base: ExprId, name: &str) -> Option<ExprId> {
        let Type::Struct(id) = *self.type_of(base) else { return None };
        let member = self.types.structs[id].fields.iter().position(|f| f.name == name)?;
        Some(self.member(base, member as u32))
    }

    /// An element of an array.
    pub fn index(&mut self, base: ExprId, index: ExprId) -> ExprId {
        let Type::Array(ty, _) = *self.type_of(base) else { panic!("only arrays have elements") };
        self.exprs.intern(ExprKind::Index(base, index), ty)
    }

    /// The address of a place, of type pointer to its type. (Bit-fields have none: the verifier rejects it.)
    pub fn address_of(&mut self, place: ExprId) -> ExprId {
        let ty = self.types.ptr(self.exprs.ty(place));
        if let ExprKind::Deref(pointer) = *self.exprs.kind(place)
            && self.exprs.ty(pointer) == ty
        {
            return pointer;
        }
        self.exprs.intern(ExprKind::AddressOf(place), ty)
    }
}

/// Operations.
impl Program {
    /// An operation on one value.
    pub fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        if let Some(x) = self.const_of(operand)
            && !fold::unary_goes_wrong(op, &x)
            && let Some(value) = fold::unary(op, &x)
        {
            return self.constant(value);
        }
        if op == UnaryOp::Not
            && let ExprKind::Unary(UnaryOp::Not, inner) = *self.exprs.kind(operand)
        {
            return inner;
        }
        let ty = if op.yields_bool() { self.types.bool() } else { self.exprs.ty(operand) };
        self.exprs.intern(ExprKind::Unary(op, operand), ty)
    }

    /// Returns whether evaluating the expression is no operation at all.
    fn is_plain(&self, expr: ExprId) -> bool {
        matches!(self.exprs.kind(expr), ExprKind::Symbol(_)) || self.const_of(expr).is_some()
    }

    /// An operation on two values.
    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let (a, b) = (self.const_of(left), self.const_of(right));
        if let (Some(a), Some(b)) = (&a, &b)
            && !fold::binary_goes_wrong(op, a, b)
            && let Some(value) = fold::binary(op, a, b)
        {
            return self.constant(value);
        }
        match (op, a, b) {
            (BinaryOp::And, Some(Const::Bool(true)), _)
            | (BinaryOp::Or, Some(Const::Bool(false)), _) => {
                return right;
            }
            (BinaryOp::And, _, Some(Const::Bool(true)))
            | (BinaryOp::Or, _, Some(Const::Bool(false))) => {
                return left;
            }
            (BinaryOp::And, Some(Const::Bool(false)), _) => return self.bool(false),
            (BinaryOp::And, _, Some(Const::Bool(false))) if self.is_plain(left) => {
                return self.bool(false);
            }
            (BinaryOp::Or, Some(Const::Bool(true)), _)
            | (BinaryOp::Implies, Some(Const::Bool(false)), _) => return self.bool(true),
            (BinaryOp::Or | BinaryOp::Implies, _, Some(Const::Bool(true)))
                if self.is_plain(left) =>
            {
                return self.bool(true);
            }
            (BinaryOp::Implies, Some(Const::Bool(true)), _) => return right,
            (BinaryOp::PtrAdd, _, Some(Const::Int(_, n))) if n.is_zero() => return left,
            _ => {}
        }
        let ty = if op.yields_bool() {
            self.types.bool()
        } else if op == BinaryOp::PtrDiff {
            self.offset_type()
        } else {
            self.exprs.ty(left)
        };
        self.exprs.intern(ExprKind::Binary(op, left, right), ty)
    }

    /// `fma(a, b, c)`
    pub fn fma(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        if let (Some(x), Some(y), Some(z)) = (self.const_of(a), self.const_of(b), self.const_of(c))
            && let Some(value) = fold::fma(&x, &y, &z)
            && !fold::loses_nan(false, &[], Some(&value))
        {
            return self.constant(value);
        }
        let ty = self.exprs.ty(a);
        self.exprs.intern(ExprKind::Fma(a, b, c), ty)
    }

    /// A conversion by value as C's: floats to integers toward zero, everything else to nearest even.
    pub fn cast(&mut self, ty: TypeId, operand: ExprId) -> ExprId {
        let to_integer = matches!(self.type_of(operand), Type::Float(_))
            && !matches!(self.types.get(ty), Type::Float(_));
        let mode = if to_integer { RoundingMode::TowardZero } else { RoundingMode::NearestEven };
        self.cast_rounding(mode, ty, operand)
    }

    /// A conversion by value in a rounding mode.
    pub fn cast_rounding(&mut self, mode: RoundingMode, ty: TypeId, operand: ExprId) -> ExprId {
        if self.exprs.ty(operand) == ty {
            return operand;
        }
        if let (Some(value), Some(to)) = (self.const_of(operand), self.const_type(ty)) {
            let value = fold::cast(mode, &value, to);
            if !fold::loses_nan(false, &[], Some(&value)) {
                return self.constant(value);
            }
        }
        // A truth value that was made a number and is made a truth value again.
        if *self.types.get(ty) == Type::Bool
            && let ExprKind::Cast(_, inner) = *self.exprs.kind(operand)
            && *self.type_of(inner) == Type::Bool
            && matches!(self.type_of(operand), Type::Int { .. })
        {
            return inner;
        }
        if let (ExprKind::Int(bits), Type::Ptr(_), Type::Ptr(_)) =
            (self.exprs.kind(operand), self.type_of(operand), self.types.get(ty))
        {
            let bits = bits.clone();
            return self.exprs.intern(ExprKind::Int(bits), ty);
        }
        self.exprs.intern(ExprKind::Cast(mode, operand), ty)
    }

    /// The same bits at a type of the same size.
    pub fn bits(&mut self, ty: TypeId, operand: ExprId) -> ExprId {
        if self.exprs.ty(operand) == ty {
            return operand;
        }
        self.exprs.intern(ExprKind::Bits(operand), ty)
    }

    /// `if c then a else b`
    pub fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.const_of(condition) {
            Some(Const::Bool(true)) => return then,
            Some(Const::Bool(false)) => return otherwise,
            _ if then == otherwise && self.is_plain(condition) => return then,
            _ => {}
        }
        let ty = self.exprs.ty(then);
        self.exprs.intern(ExprKind::Ite(condition, then, otherwise), ty)
    }

    /// A question about memory.
    pub fn memory(&mut self, op: MemoryOp, operands: impl Into<Box<[ExprId]>>) -> ExprId {
        let ty = match op {
            MemoryOp::ObjectSize | MemoryOp::TextSize => self.size_type(),
            MemoryOp::Offset => self.offset_type(),
            _ => self.types.bool(),
        };
        self.exprs.intern(ExprKind::Memory(op, operands.into()), ty)
    }

    /// Builds the truth value of a scalar: true unless it is zero.
    pub fn truth(&mut self, operand: ExprId) -> ExprId {
        let ty = self.types.bool();
        self.cast(ty, operand)
    }

    /// `!a`
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnaryOp::Not, a)
    }

    /// `-a`
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.unary(UnaryOp::Neg, a)
    }

    /// `~a`
    pub fn bit_not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnaryOp::BitNot, a)
    }

    /// The conjunction of any number of truth values.
    pub fn all(&mut self, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let yes = self.bool(true);
        operands.into_iter().fold(yes, |acc, x| self.and(acc, x))
    }

    /// The disjunction of any number of truth values.
    pub fn any(&mut self, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let no = self.bool(false);
        operands.into_iter().fold(no, |acc, x| self.or(acc, x))
    }

    /// `a > b`, as `b < a`.
    pub fn gt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.lt(b, a)
    }

    /// `a >= b`, as `b <= a`.
    pub fn ge(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.le(b, a)
    }
}

macro_rules! binary_functions {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {
        /// Operations on two values, by name.
        impl Program {
            $($(#[$doc])*
            pub fn $name(&mut self, a: ExprId, b: ExprId) -> ExprId {
                self.binary(BinaryOp::$op, a, b)
            })*
        }
    };
}

binary_functions! {
    /// `a + b`
    add = Add;
    /// `a - b`
    sub = Sub;
    /// `a * b`
    mul = Mul;
    /// `a / b`
    div = Div;
    /// `a % b`
    rem = Rem;
    /// `a & b`
    bit_and = BitAnd;
    /// `a | b`
    bit_or = BitOr;
    /// `a ^ b`
    bit_xor = BitXor;
    /// `a << b`
    shl = Shl;
    /// `a >> b`
    shr = Shr;
    /// `a == b`
    eq = Eq;
    /// `a != b`
    ne = Ne;
    /// `a < b`
    lt = Lt;
    /// `a <= b`
    le = Le;
    /// `a && b`
    and = And;
    /// `a || b`
    or = Or;
    /// `a ==> b`
    implies = Implies;
    /// Pointer plus integer.
    ptr_add = PtrAdd;
    /// Pointer minus pointer.
    ptr_diff = PtrDiff;
}

impl UnaryOp {
    /// Returns whether the result is a truth value.
    pub fn yields_bool(self) -> bool {
        matches!(
            self,
            UnaryOp::Not
                | UnaryOp::IsNan
                | UnaryOp::IsInf
                | UnaryOp::IsNormal
                | UnaryOp::IsSubnormal
                | UnaryOp::SignBit
        )
    }
}

impl BinaryOp {
    /// Returns whether the result is a truth value.
    pub fn yields_bool(self) -> bool {
        use BinaryOp::{
            AddOverflows, And, Eq, Implies, Le, Lt, MulOverflows, Ne, Or, ShlOverflows,
            SubOverflows,
        };
        matches!(
            self,
            Eq | Ne
                | Lt
                | Le
                | And
                | Or
                | Implies
                | AddOverflows
                | SubOverflows
                | MulOverflows
                | ShlOverflows
        )
    }
}

/// The body of a function while it is written, instruction after instruction.
///
/// It borrows nothing, so expressions are built with the program beside it; [`FunctionBuilder::finish`] puts the body
/// into the function. All instructions get the span that was set last.
#[derive(Clone, Debug, Default)]
pub struct FunctionBuilder {
    instrs: Vec<Instr>,
    n_labels: u32,
    span: Span,
    parts: Vec<(ExprId, Span)>,
}

impl FunctionBuilder {
    /// A body without instructions.
    pub fn new() -> FunctionBuilder {
        FunctionBuilder::default()
    }

    /// An empty body for a function in which labels below `n_labels` are taken, with room for instructions.
    pub fn continuing(n_labels: u32, capacity: usize) -> FunctionBuilder {
        FunctionBuilder {
            instrs: Vec::with_capacity(capacity),
            n_labels,
            ..FunctionBuilder::default()
        }
    }

    /// Sets the span of the following instructions and returns the one before.
    pub fn set_span(&mut self, span: Span) -> Span {
        std::mem::replace(&mut self.span, span)
    }

    /// The span of the following instructions.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Notes the span of a subexpression of the next instruction.
    pub fn note_part(&mut self, expr: ExprId, span: Span) {
        self.parts.push((expr, span));
    }

    /// Returns the number of instructions.
    pub fn len(&self) -> usize {
        self.instrs.len()
    }

    /// Returns whether there is no instruction.
    pub fn is_empty(&self) -> bool {
        self.instrs.is_empty()
    }

    /// The instructions so far.
    pub fn instrs(&self) -> &[Instr] {
        &self.instrs
    }

    /// The instructions so far, to change.
    pub fn instrs_mut(&mut self) -> &mut Vec<Instr> {
        &mut self.instrs
    }

    /// Returns whether control cannot reach the next instruction from the last one.
    pub fn is_terminated(&self) -> bool {
        self.instrs.last().is_some_and(|i| !i.kind.falls_through())
    }

    /// Appends an instruction.
    pub fn push(&mut self, kind: InstrKind) {
        let parts = std::mem::take(&mut self.parts).into_boxed_slice();
        self.instrs.push(Instr { kind, span: self.span, parts });
    }

    /// Appends an instruction as it is, with its own span.
    pub fn push_instr(&mut self, instr: Instr) {
        self.instrs.push(instr);
    }

    /// A new label, yet to be placed.
    pub fn new_label(&mut self) -> LabelId {
        let label = LabelId::new(self.n_labels as usize);
        self.n_labels += 1;
        label
    }

    /// Places a label here.
    pub fn label(&mut self, label: LabelId) {
        self.push(InstrKind::Label(label));
    }

    /// Places a new label here.
    pub fn label_here(&mut self) -> LabelId {
        let label = self.new_label();
        self.label(label);
        label
    }

    /// `place := value`
    pub fn assign(&mut self, place: ExprId, value: ExprId) {
        self.push(InstrKind::Assign(place, value));
    }

    /// `assume condition`
    pub fn assume(&mut self, condition: ExprId) {
        self.push(InstrKind::Assume(condition));
    }

    /// `assert condition`
    pub fn assert(&mut self, condition: ExprId, claim: Claim) {
        self.push(InstrKind::Assert(condition, Box::new(claim)));
    }

    /// `goto label`
    pub fn goto(&mut self, label: LabelId) {
        self.push(InstrKind::Goto(None, label));
    }

    /// `if condition goto label`
    pub fn goto_if(&mut self, condition: ExprId, label: LabelId) {
        self.push(InstrKind::Goto(Some(condition), label));
    }

    /// A call of a known function.
    pub fn call(
        &mut self,
        dest: Option<ExprId>,
        callee: FunctionId,
        args: impl Into<Box<[ExprId]>>,
    ) {
        self.push(InstrKind::Call { dest, callee: Callee::Direct(callee), args: args.into() });
    }

    /// A call through a pointer.
    pub fn call_indirect(
        &mut self,
        dest: Option<ExprId>,
        callee: ExprId,
        args: impl Into<Box<[ExprId]>>,
    ) {
        self.push(InstrKind::Call { dest, callee: Callee::Indirect(callee), args: args.into() });
    }

    /// `return`
    pub fn ret(&mut self, value: Option<ExprId>) {
        self.push(InstrKind::Return(value));
    }

    /// `decl`
    pub fn decl(&mut self, symbol: SymbolId) {
        self.push(InstrKind::Decl(symbol));
    }

    /// `dead`
    pub fn dead(&mut self, symbol: SymbolId) {
        self.push(InstrKind::Dead(symbol));
    }

    /// A new object.
    pub fn alloc(&mut self, dest: ExprId, size: ExprId, align: u64, region: Region, zeroed: bool) {
        self.push(InstrKind::Alloc { dest, size, align, region, zeroed });
    }

    /// The object of a pointer dies.
    pub fn free(&mut self, pointer: ExprId, region: Region) {
        self.push(InstrKind::Free(pointer, region));
    }

    /// Something that the world outside does.
    pub fn intrinsic(
        &mut self,
        op: Intrinsic,
        dest: Option<ExprId>,
        args: impl Into<Box<[ExprId]>>,
    ) {
        self.push(InstrKind::Intrinsic { op, dest, args: args.into() });
    }

    /// The program ends.
    pub fn end(&mut self, exit: Exit) {
        self.push(InstrKind::End(exit));
    }

    /// Something that Vergo does not handle.
    pub fn unsupported(&mut self, what: impl Into<Box<str>>) {
        self.push(InstrKind::Unsupported(what.into()));
    }

    /// Puts the body into its function.
    pub fn finish(self, program: &mut Program, function: FunctionId) {
        let function = &mut program.functions[function];
        function.body = Some(self.instrs);
        function.n_labels = self.n_labels;
    }
}

impl InstrKind {
    /// Returns whether control can go from this instruction to the next one.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            InstrKind::Goto(None, _)
                | InstrKind::Return(_)
                | InstrKind::End(_)
                | InstrKind::Unsupported(_)
        )
    }
}
