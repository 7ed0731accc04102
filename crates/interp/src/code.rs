//! The compiled form of functions: operations on the registers of an activation.
//!
//! A register is a 64-bit word. Values of up to 64 bits take one: truth values as 0 or 1, integers extended to 64 bits by
//! the sign of their type, single and double floats as their bits. Wider integers up to 128 bits, other floats up to
//! 128 bits, and pointers (address, then handle) take two. Everything larger is a [`Big`](crate::memory::Big) in a second
//! bank of registers. Constants are registers that are filled when a function is entered, so operations take only
//! registers.
//!
//! Operations are small and have no heap parts; what is rare or wide stands in the function's table of [`Slow`]
//! operations.

use crate::inputs::InputType;
use crate::trace::AccessKind;
use vergo_goto::expr::{BinaryOp, ExprId, MemoryOp, UnaryOp};
use vergo_goto::program::{FunctionId, Intrinsic, Region, SymbolId};
use vergo_num::{FloatFormat, RoundingMode};

/// A register, relative to the activation's first.
pub(crate) type Reg = u32;

/// The representation of a type's values in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rep {
    /// One word, 0 or 1.
    Bool,
    /// One word up to 64 bits, two up to 128: signed, width.
    Int(bool, u32),
    /// One word.
    Single,
    /// One word.
    Double,
    /// Two words: another format of at most 128 bits.
    Soft(FloatFormat),
    /// Two words: address and handle.
    Pointer,
    /// A big register with this many bytes: a wider integer.
    BigInt(bool, u32),
    /// A big register: a wider float.
    BigFloat(FloatFormat),
    /// A big register: an aggregate of this many bytes.
    Bytes(u64),
}

impl Rep {
    /// Returns the number of words of a value; zero for those in big registers.
    pub(crate) fn words(self) -> u32 {
        match self {
            Rep::Bool | Rep::Single | Rep::Double => 1,
            Rep::Int(_, width) => 1 + u32::from(width > 64),
            Rep::Soft(_) | Rep::Pointer => 2,
            Rep::BigInt(..) | Rep::BigFloat(_) | Rep::Bytes(_) => 0,
        }
    }

    /// Returns whether a value of one representation can serve as one of the other, apart from the sign of integers.
    pub(crate) fn is_compatible(self, other: Rep) -> bool {
        match (self, other) {
            (Rep::Int(_, a), Rep::Int(_, b)) => a == b && (a <= 64 || a == 128),
            _ => self == other,
        }
    }

    pub(crate) fn is_big(self) -> bool {
        self.words() == 0
    }
}

/// The representation of a scalar in memory, for the accesses that are fast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    Word,
    Single,
    Double,
    Pointer,
}

/// Where a value goes or comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loc {
    /// The first register: of words, or the big one.
    pub(crate) reg: Reg,
    pub(crate) rep: Rep,
}

/// An operation. `d` is the destination; `sh` is 64 minus the width of an integer type.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum Op {
    Mov {
        d: Reg,
        a: Reg,
    },
    Mov2 {
        d: Reg,
        a: Reg,
    },
    Const {
        d: Reg,
        v: u64,
    },
    Jump {
        t: u32,
    },
    JumpIf {
        a: Reg,
        t: u32,
    },
    JumpIfNot {
        a: Reg,
        t: u32,
    },
    JumpEq {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpNe {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpLtS {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpLtU {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpLeS {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpLeU {
        a: Reg,
        b: Reg,
        t: u32,
    },
    /// Jumps if the exact sum of signed words is one of `64 - sh` bits.
    JumpAddFits {
        sh: u8,
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpSubFits {
        sh: u8,
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpMulFits {
        sh: u8,
        a: Reg,
        b: Reg,
        t: u32,
    },
    AddS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    RemS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    RemU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShlS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShlU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShrS {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShrU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NormS {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    NormU {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    NegS {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    NegU {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    NotS {
        d: Reg,
        a: Reg,
    },
    NotU {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    NotB {
        d: Reg,
        a: Reg,
    },
    IsSet {
        d: Reg,
        a: Reg,
    },
    Eq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LtS {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LtU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LeS {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LeU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddOverS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddOverU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubOverS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubOverU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulOverS {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulOverU {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DAdd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DSub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DMul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DDiv {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DNeg {
        d: Reg,
        a: Reg,
    },
    DEq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DNe {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DLt {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DLe {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FAdd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FSub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FMul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FDiv {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FNeg {
        d: Reg,
        a: Reg,
    },
    FEq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FNe {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FLt {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    FLe {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Signed word to double, to nearest even.
    SToD {
        d: Reg,
        a: Reg,
    },
    UToD {
        d: Reg,
        a: Reg,
    },
    SToF {
        d: Reg,
        a: Reg,
    },
    UToF {
        d: Reg,
        a: Reg,
    },
    DToF {
        d: Reg,
        a: Reg,
    },
    FToD {
        d: Reg,
        a: Reg,
    },
    /// Double to an integer of `64 - sh` bits, toward zero.
    DToS {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    DToU {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    FToS {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    FToU {
        sh: u8,
        d: Reg,
        a: Reg,
    },
    /// Pointer plus a word shifted left.
    PtrAdd {
        sh: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Difference of addresses in bytes, as a signed word of pointer width.
    PtrSub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// The object that an address is attached to.
    Attach {
        d: Reg,
        a: Reg,
    },
    /// The address of a local variable's object, plus an offset.
    AddrLocal {
        d: Reg,
        slot: u32,
        off: u32,
    },
    LoadPtr {
        s: Scalar,
        d: Reg,
        p: Reg,
        off: i32,
    },
    StorePtr {
        s: Scalar,
        a: Reg,
        p: Reg,
        off: i32,
    },
    LoadLocal {
        s: Scalar,
        d: Reg,
        slot: u32,
        off: u32,
    },
    StoreLocal {
        s: Scalar,
        a: Reg,
        slot: u32,
        off: u32,
    },
    LoadStatic {
        s: Scalar,
        d: Reg,
        object: u32,
        off: u32,
    },
    StoreStatic {
        s: Scalar,
        a: Reg,
        object: u32,
        off: u32,
    },
    /// A question about the object of a pointer; `n` is a number of bytes.
    Ask {
        op: MemoryOp,
        d: Reg,
        p: Reg,
        n: u32,
    },
    /// Asks whether bytes of a local variable are initialised.
    InitLocal {
        n: u8,
        d: Reg,
        slot: u32,
        off: u32,
    },
    Decl {
        slot: u32,
    },
    Dead {
        slot: u32,
    },
    /// The claim of an assertion is false.
    Refuted,
    /// An assumption is false.
    Excluded,
    Call {
        call: u32,
    },
    Ret {
        a: Reg,
        words: u32,
    },
    RetBig {
        a: Reg,
    },
    Slow {
        slow: u32,
    },
    /// A conditional jump is watched: whether the condition holds.
    TraceBranch {
        a: Reg,
    },
}

impl Op {
    /// Where a jump goes.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Jump { t }
            | Op::JumpIf { t, .. }
            | Op::JumpIfNot { t, .. }
            | Op::JumpEq { t, .. }
            | Op::JumpNe { t, .. }
            | Op::JumpLtS { t, .. }
            | Op::JumpLtU { t, .. }
            | Op::JumpLeS { t, .. }
            | Op::JumpLeU { t, .. }
            | Op::JumpAddFits { t, .. }
            | Op::JumpSubFits { t, .. }
            | Op::JumpMulFits { t, .. } => Some(t),
            _ => None,
        }
    }

    /// A conditional jump the other way round: to a target if it is not taken. With it, where it goes if it is.
    pub(crate) fn inverted(self, t: u32) -> Option<(Op, u32)> {
        Some(match self {
            Op::JumpIf { a, t: taken } => (Op::JumpIfNot { a, t }, taken),
            Op::JumpIfNot { a, t: taken } => (Op::JumpIf { a, t }, taken),
            Op::JumpEq { a, b, t: taken } => (Op::JumpNe { a, b, t }, taken),
            Op::JumpNe { a, b, t: taken } => (Op::JumpEq { a, b, t }, taken),
            Op::JumpLtS { a, b, t: taken } => (Op::JumpLeS { a: b, b: a, t }, taken),
            Op::JumpLtU { a, b, t: taken } => (Op::JumpLeU { a: b, b: a, t }, taken),
            Op::JumpLeS { a, b, t: taken } => (Op::JumpLtS { a: b, b: a, t }, taken),
            Op::JumpLeU { a, b, t: taken } => (Op::JumpLtU { a: b, b: a, t }, taken),
            _ => return None,
        })
    }
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Target,
    pub(crate) args: Box<[Loc]>,
    /// Where the result goes; its representation is the function's.
    pub(crate) dest: Option<Loc>,
    /// Representations of the parameters and the result, for calls through pointers.
    pub(crate) ret: Option<Rep>,
}

/// The callee.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Direct(FunctionId),
    /// Through the pointer in these registers.
    Indirect(Reg),
}

/// The bits of a bit-field, from an address on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitField {
    pub(crate) first: u32,
    pub(crate) width: u32,
}

/// A part of an aggregate that is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) offset: u64,
    pub(crate) bits: Option<BitField>,
    pub(crate) value: Loc,
}

/// Operations that are rare or wide.
#[derive(Clone, Debug)]
pub(crate) enum Slow {
    Unary {
        op: UnaryOp,
        d: Loc,
        a: Loc,
    },
    Binary {
        op: BinaryOp,
        d: Loc,
        a: Loc,
        b: Loc,
    },
    Fma {
        d: Loc,
        a: Loc,
        b: Loc,
        c: Loc,
    },
    Cast {
        mode: RoundingMode,
        d: Loc,
        a: Loc,
    },
    /// Stops if what comes depends on where objects lie: the conversion of a pointer from or to a number.
    HiddenNumber {
        pointer: Reg,
    },
    /// The same of a comparison of two pointers.
    HiddenOrder {
        a: Reg,
        b: Reg,
        only_equality: bool,
    },
    /// The same bits at another type, by way of memory.
    Bits {
        d: Loc,
        a: Loc,
    },
    /// Copies a big register.
    MoveBig {
        d: Reg,
        a: Reg,
    },
    /// A constant in a big register.
    ConstBig {
        d: Reg,
        bytes: Box<[u8]>,
    },
    /// A choice between values that are both there: `c ? a : b`.
    Choose {
        d: Loc,
        c: Reg,
        a: Loc,
        b: Loc,
    },
    /// A value from memory; if it may be missing, zero instead of a fault.
    Load {
        d: Loc,
        p: Reg,
        missing: bool,
    },
    Store {
        a: Loc,
        p: Reg,
    },
    LoadBits {
        d: Loc,
        p: Reg,
        field: BitField,
        missing: bool,
    },
    StoreBits {
        a: Loc,
        p: Reg,
        field: BitField,
    },
    Copy {
        to: Reg,
        from: Reg,
        size: u64,
    },
    /// An aggregate from its parts, zero elsewhere.
    Make {
        d: Reg,
        size: u64,
        parts: Box<[Part]>,
    },
    Fill {
        d: Reg,
        a: Loc,
        stride: u64,
        count: u64,
    },
    /// A part of an aggregate value.
    Select {
        d: Loc,
        a: Reg,
        offset: u64,
        bits: Option<BitField>,
    },
    /// An element of an array value.
    SelectIndex {
        d: Loc,
        a: Reg,
        index: Loc,
        stride: u64,
        count: u64,
    },
    Zero {
        d: Reg,
        size: u64,
    },
    Memory {
        op: MemoryOp,
        d: Reg,
        args: Box<[Loc]>,
        function_ty: Option<u32>,
    },
    Tls {
        d: Reg,
        number: u32,
    },
    Nondet {
        d: Loc,
        site: u32,
        ty: InputType,
    },
    Alloc {
        d: Reg,
        size: Loc,
        align: u64,
        region: Region,
        zeroed: bool,
    },
    Free {
        p: Reg,
        region: Region,
    },
    Spawn {
        callee: Target,
        arg: Reg,
        d: Option<Loc>,
    },
    Join {
        thread: Loc,
        d: Option<Reg>,
    },
    AtomicBegin,
    AtomicEnd,
    /// Another thread may go on here.
    Point,
    Intrinsic {
        op: Intrinsic,
        args: Box<[Loc]>,
        d: Option<Loc>,
    },
    End {
        a: Loc,
    },
    Abort,
    Unsupported,
    /// A parameter goes from registers to its object.
    Param {
        slot: u32,
        a: Loc,
    },
    TraceAssign {
        place: ExprId,
        value: Loc,
    },
    TraceAccess {
        kind: AccessKind,
        p: Reg,
        size: u64,
    },
}

/// A local variable that lives in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotInfo {
    pub(crate) symbol: SymbolId,
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) writable: bool,
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The instruction that each operation belongs to.
    pub(crate) instr_of: Vec<u32>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) calls: Vec<Call>,
    /// Constants, which fill the registers from `first_const` on.
    pub(crate) consts: Vec<u64>,
    pub(crate) first_const: u32,
    /// The registers behind all constants, in which instructions compute.
    pub(crate) first_temp: u32,
    /// Registers of variables come first; pointers among them are followed when the heap is searched.
    pub(crate) n_vars: u32,
    pub(crate) n_regs: u32,
    pub(crate) n_bigs: u32,
    pub(crate) slots: Vec<SlotInfo>,
    /// Representations of parameters and result.
    pub(crate) params: Vec<Loc>,
    pub(crate) ret: Option<Rep>,
    pub(crate) is_extern: bool,
}
