//! GOTO expressions: pure, total, typed, shared.
//!
//! An expression is a number in an [`ExprTable`]; equal expressions are equal ids, so a program of a million
//! instructions keeps each subexpression once. Some expressions are *places* ([`ExprKind::is_place`]): they denote part
//! of an object. A place that stands where a value is wanted is read.

use crate::program::{FunctionId, SymbolId};
use crate::types::TypeId;
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use vergo_num::{BitVec, Float, Function, Function2, RoundingMode};

/// An expression in an [`ExprTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);
entity_impl!(ExprId, "e");

/// An expression: what it computes and the type of its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// The computation.
    pub kind: ExprKind,
    /// The type of the value.
    pub ty: TypeId,
}

/// The computation of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    // Values.
    /// `true` or `false`, of type `bool`.
    Bool(bool),
    /// An integer constant of the expression's type; also a pointer with this address and no object (zero is null).
    Int(BitVec),
    /// A floating constant of the expression's type.
    Float(Float),
    /// All bytes zero (null, +0.0, false), at any object type.
    Zero,
    /// The address of a function.
    Function(FunctionId),
    /// A value that nothing is known of. Only the whole right side of an `assign`; the number names the site, unique in
    /// the program, and each execution makes a new choice.
    Nondet(u32),
    /// A structure from its members.
    Struct(Box<[ExprId]>),
    /// A union whose member of this number has the value; the other bytes are zero.
    Union(u32, ExprId),
    /// An array from its elements.
    Array(Box<[ExprId]>),
    /// An array with every element equal.
    ArrayOf(ExprId),

    // Places.
    /// A variable.
    Symbol(SymbolId),
    /// The object of the expression's type at an address.
    Deref(ExprId),
    /// A member of a structure or union place (or value).
    Member(ExprId, u32),
    /// An element of an array place (or value); the index is an integer of any type, read with its sign.
    Index(ExprId, ExprId),

    // Operations.
    /// The address of a place.
    AddressOf(ExprId),
    /// An operation on one value.
    Unary(UnaryOp, ExprId),
    /// An operation on two values.
    Binary(BinaryOp, ExprId, ExprId),
    /// `fma(a, b, c)`: the exact product and sum, rounded once to nearest even.
    Fma(ExprId, ExprId, ExprId),
    /// A conversion by value to the expression's type, see [`mod@crate::expr`] and `docs/ir.md`: integers wrap, floats
    /// round in the given mode, floats to integers round in the given mode (C: toward zero) and give the least signed
    /// value (x86's answer) where the result does not fit, pointers and integers go through addresses. To `bool`: is
    /// not zero.
    Cast(RoundingMode, ExprId),
    /// The same bits at a type of the same size.
    Bits(ExprId),
    /// `if c then a else b`; both are values of the expression's type.
    Ite(ExprId, ExprId, ExprId),
    /// A question about memory; the operands are pointers (and sizes).
    Memory(MemoryOp, Box<[ExprId]>),
}

impl ExprKind {
    /// Returns whether this kind denotes part of an object (members and elements only if their base does).
    pub fn is_place(&self) -> bool {
        matches!(
            self,
            ExprKind::Symbol(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..)
        )
    }
}

/// Operations on one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UnaryOp {
    /// Negation of integers (wrapping) and floats.
    Neg,
    /// Complement of each bit.
    BitNot,
    /// Negation of a truth value.
    Not,
    /// Absolute value of floats.
    Abs,
    /// Square root, rounded to nearest even.
    Sqrt,
    /// Nearest integral value in a rounding mode.
    RoundToIntegral(RoundingMode),
    /// Is not a number.
    IsNan,
    /// Is infinite.
    IsInf,
    /// Is normal.
    IsNormal,
    /// Is subnormal.
    IsSubnormal,
    /// The sign bit of a float.
    SignBit,
    /// Number of leading zero bits (the width for zero), as an integer of the operand's type.
    LeadingZeros,
    /// Number of trailing zero bits (the width for zero).
    TrailingZeros,
    /// Number of ones.
    PopCount,
    /// Bytes in reverse order.
    ByteSwap,
    /// A function of the library whose last digits no standard fixes: the exact value, rounded to nearest even.
    /// Verification does not compute it, but for constants.
    Library(Function),
}

/// Operations on two values. Arithmetic has operands and result of one type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BinaryOp {
    /// Sum: wrapping; floats round to nearest even (all float operations here do).
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, toward zero for integers. By zero: all ones if unsigned or the dividend is not negative, else one
    /// (SMT-LIB); the least signed value by -1 is itself.
    Div,
    /// Remainder with the dividend's sign; by zero it is the dividend. Floats: C's `fmod`.
    Rem,
    /// IEEE remainder of floats.
    IeeeRem,
    /// Lesser of two floats, C's `fmin`.
    Min,
    /// Greater of two floats, C's `fmax`.
    Max,
    /// Each bit: and.
    BitAnd,
    /// Each bit: or.
    BitOr,
    /// Each bit: exclusive or.
    BitXor,
    /// Left shift; the right operand is an integer of any type, read as unsigned; zero when it is the width or more.
    Shl,
    /// Right shift, by the left operand's signedness; all sign bits when the amount is the width or more.
    Shr,
    /// Equal (floats: IEEE; pointers: by address). Yields `bool`.
    Eq,
    /// Not equal: the negation of `Eq`.
    Ne,
    /// Less, by signedness; pointers by address.
    Lt,
    /// Less or equal.
    Le,
    /// Both truth values.
    And,
    /// Either truth value.
    Or,
    /// The first truth value implies the second.
    Implies,
    /// Pointer plus integer (of any type, read with its sign), in units of the pointed-to type's size (one for `void`
    /// and functions). Never leaves its object: an offset out of bounds stays attached to it.
    PtrAdd,
    /// Difference of two pointers' addresses in units of the pointed-to size, toward zero, as a signed integer of
    /// pointer width.
    PtrDiff,
    /// True if the exact sum of two integers does not fit their type.
    AddOverflows,
    /// True if the exact difference does not fit.
    SubOverflows,
    /// True if the exact product does not fit.
    MulOverflows,
    /// True if the left shift of a signed value loses bits or changes sign (C17 6.5.7p4), or the amount is too large.
    ShlOverflows,
    /// A function of the library, as [`UnaryOp::Library`].
    Library(Function2),
}

impl BinaryOp {
    /// Returns the sign between the operands; `None` if the operation is written as a call.
    pub fn sign(self) -> Option<&'static str> {
        Some(match self {
            BinaryOp::Add | BinaryOp::PtrAdd => "+",
            BinaryOp::Sub | BinaryOp::PtrDiff => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Implies => "==>",
            BinaryOp::IeeeRem
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::AddOverflows
            | BinaryOp::SubOverflows
            | BinaryOp::MulOverflows
            | BinaryOp::ShlOverflows
            | BinaryOp::Library(_) => return None,
        })
    }
}

/// Questions about the state of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum MemoryOp {
    /// True if the pointer is attached to an object (alive or dead) or function.
    HasObject,
    /// True if the object of a pointer is alive.
    IsLive,
    /// Size in bytes of the object, as an unsigned integer of pointer width; zero without an object.
    ObjectSize,
    /// Offset of a pointer in its object in bytes, as a signed integer of pointer width; the address without an object.
    Offset,
    /// True if two pointers are attached to the same object.
    SameObject,
    /// True if the object was allocated on the heap.
    IsHeap,
    /// True if the object may be written (string literals, constants and functions may not).
    IsWritable,
    /// True if the pointer is that of a function whose type is the pointed-to type.
    IsFunction,
    /// True if all bytes that the pointed-to object of this pointer and size covers are initialised. With three operands:
    /// whether so many bits (the third) are from a bit on (the second), counted from the pointer.
    IsInitialized,
    /// `(pointer, limit)`: how many bytes reading a text touches that ends with a zero byte or after `limit` characters,
    /// as an unsigned integer of pointer width. Where the object ends first, one more than it has from there on; without a
    /// live object there, one (zero if the limit is).
    TextSize,
    /// True if a text ends: a byte of the object from this one on is zero. It does where there is no live object.
    TextEnds,
    /// True if no heap object is alive. No operands.
    HeapEmpty,
    /// True if every live heap object can be reached from variables by following pointers. No operands.
    HeapReachable,
    /// True if a read of so many bytes at the pointer races with no access that was asked about before.
    UnracedRead,
    /// True if a write of so many bytes at the pointer races with no such access.
    UnracedWrite,
    /// True if another thread can make a step; with an operand, the number of a thread, also if that thread has ended.
    OthersGoOn,
}

/// All expressions of a program.
#[derive(Clone, Debug, Default)]
pub struct ExprTable {
    exprs: PrimaryMap<ExprId, Expr>,
    map: FxHashMap<Expr, ExprId>,
}

impl ExprTable {
    /// A table without expressions.
    pub fn new() -> ExprTable {
        ExprTable::default()
    }

    /// The id of an expression, made if it is new. Types are checked by the verifier, not here.
    pub fn intern(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        let expr = Expr { kind, ty };
        if let Some(&id) = self.map.get(&expr) {
            return id;
        }
        let id = self.exprs.push(expr.clone());
        self.map.insert(expr, id);
        id
    }

    /// The expression of an id.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    /// Returns the computation of an expression.
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.exprs[id].kind
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> TypeId {
        self.exprs[id].ty
    }

    /// The expressions, operands before what uses them.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.exprs.iter()
    }

    /// Returns the number of expressions.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Returns whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }
}
