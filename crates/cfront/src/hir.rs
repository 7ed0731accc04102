//! The typed tree: what a translation unit, or several linked ones, means.
//!
//! Names are resolved to variables, functions, members and labels; every expression has its type; every conversion is
//! a [`ExprKind::Cast`] with its kind, reading an lvalue included; `break`, `continue` and `case` know their statement;
//! initialisers are trees over the members they set; constants are folded to values. What C evaluates in an
//! unspecified order is left as written here; `vergo-lower` fixes an order.
//!
//! **Invariants.** The type of an rvalue is unqualified. An lvalue (a [`ExprKind::is_place`] kind) becomes a value only
//! through [`CastKind::Load`], [`CastKind::ArrayDecay`] or [`CastKind::FunctionDecay`]. Both operands of an arithmetic
//! [`ExprKind::Binary`] have the type of the operation (shifts: each its own promoted type; comparisons: a common type,
//! the result is `int`). The value of an assignment is an rvalue of the target's unqualified type. A unit without error
//! diagnostics contains no [`TypeKind::Error`](crate::types::TypeKind::Error) and no [`ExprKind::Error`].

use crate::builtins::Builtin;
use crate::floating::Floating;
use crate::intern::{Interner, Symbol};
use crate::pool::{List, Pool};
use crate::target::Target;
use crate::types::{QualType, RecordId, TypeTable};
use cranelift_entity::{EntitySet, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use vergo_num::{BitVec, MemoryOrder};
use vergo_source::Span;

/// A variable: global, static, automatic or parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(u32);
entity_impl!(FuncId, "fn");

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);
entity_impl!(ExprId, "e");

/// A statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(u32);
entity_impl!(StmtId, "s");

/// An initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InitId(u32);
entity_impl!(InitId, "init");

/// A label of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(u32);
entity_impl!(LabelId, "label");

/// A string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StringId(u32);
entity_impl!(StringId, "str");

/// A constant too wide or too rare to stand in the expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FloatId(u32);
entity_impl!(FloatId, "float");

/// An inline assembly statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AsmId(u32);
entity_impl!(AsmId, "asm");

/// A typed translation unit, or several linked into one.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Sizes and alignments.
    pub target: Target,
    /// Identifiers.
    pub names: Interner,
    /// Types.
    pub types: TypeTable,
    /// Variables.
    pub vars: PrimaryMap<VarId, Var>,
    /// Functions, declared or defined.
    pub functions: PrimaryMap<FuncId, Function>,
    /// Expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// Statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// Initialisers.
    pub inits: PrimaryMap<InitId, Init>,
    /// Labels.
    pub labels: PrimaryMap<LabelId, Label>,
    /// String literals.
    pub strings: PrimaryMap<StringId, StringLit>,
    /// Floating constants.
    pub floats: PrimaryMap<FloatId, Floating>,
    /// Integer constants wider than 64 bits.
    pub wide_ints: Vec<BitVec>,
    /// Inline assembly.
    pub asms: PrimaryMap<AsmId, Asm>,
    /// Storage of lists of expressions.
    pub expr_lists: Pool<ExprId>,
    /// Storage of lists of statements.
    pub stmt_lists: Pool<StmtId>,
    /// Storage of lists of variables.
    pub var_lists: Pool<VarId>,
    /// Storage of the cases of `switch` statements.
    pub case_lists: Pool<Case>,
    /// Storage of initialiser entries.
    pub init_lists: Pool<InitEntry>,
    /// Variables with static storage and functions, in order of first declaration. Nested functions stand in the
    /// function around them.
    pub items: Vec<Item>,
    /// Orders of memory that atomic operations ask for, if these may be less than sequential consistency, by their first
    /// operand: the least and the most that holds.
    pub orders: FxHashMap<ExprId, [MemoryOrder; 2]>,
    /// Automatic variables that a nested function uses, the hidden lengths of their types included.
    pub captured: EntitySet<VarId>,
}

impl Unit {
    /// Returns whether a conversion was not written in the source: it spans no more text than its operand.
    pub fn is_implicit(&self, conversion: ExprId, operand: ExprId) -> bool {
        self.exprs[conversion].span == self.exprs[operand].span
    }

    /// The float that an implicit conversion makes an integer.
    pub fn converted_float(&self, expr: ExprId) -> Option<ExprId> {
        match self.exprs[expr].kind {
            ExprKind::Cast(CastKind::FloatToInt, float) if self.is_implicit(expr, float) => {
                Some(float)
            }
            _ => None,
        }
    }
}

/// Something with linkage or static storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A variable with static storage duration (static locals included).
    Var(VarId),
    /// A function.
    Function(FuncId),
    /// `asm` at file scope.
    Asm(AsmId),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; hidden variables have none.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QualType,
    /// Where it is declared (the declarator's name).
    pub span: Span,
    /// Where it lives.
    pub storage: Storage,
    /// The initialiser.
    pub init: Option<InitId>,
    /// Alignment that `_Alignas` or an attribute demands.
    pub explicit_align: Option<u64>,
    /// The function of `__attribute__((cleanup(f)))`.
    pub cleanup: Option<FuncId>,
    /// The name that `asm("name")` gives it.
    pub asm_name: Option<Symbol>,
    /// The target of `__attribute__((alias("name")))`.
    pub alias: Option<Symbol>,
    /// True if it is weak.
    pub weak: bool,
}

/// Where a variable lives and who can name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Automatic, in a block.
    Auto,
    /// `register` automatic.
    Register,
    /// A parameter.
    Param,
    /// A compound literal in a block: automatic, lives as long as the block.
    Literal,
    /// Static storage duration.
    Static {
        /// Linkage.
        linkage: Linkage,
        /// Declared only, tentative or defined.
        definition: Definition,
        /// True if each thread has its own.
        thread_local: bool,
        /// The function of a static local or of a literal in a function's static initialiser.
        function: Option<FuncId>,
    },
}

/// Linkage (C17 6.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the linkage of its name")]
pub enum Linkage {
    None,
    Internal,
    External,
}

/// The amount that a declaration defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// Declared only: it is defined in another unit, or nowhere.
    Declared,
    /// Tentatively defined: zero unless another unit defines it.
    Tentative,
    /// Defined.
    Defined,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its type, a [`TypeKind::Function`](crate::types::TypeKind::Function).
    pub ty: QualType,
    /// Where it is declared (the declarator's name).
    pub span: Span,
    /// Linkage.
    pub linkage: Linkage,
    /// True if `inline` was written.
    pub inline: bool,
    /// True if the definition serves inlining alone and another unit provides the function: all declarations are
    /// `inline` without `extern` (C17 6.7.4p7), or it is GNU's `extern inline`.
    pub inline_only: bool,
    /// True if it never returns, by keyword or attribute.
    pub noreturn: bool,
    /// The arguments and the result that attributes say are never null.
    pub nonnull: NonNull,
    /// The body's parameters, in order; empty when not defined.
    pub params: Vec<VarId>,
    /// The body: a [`StmtKind::Compound`].
    pub body: Option<StmtId>,
    /// The whole definition in the source.
    pub definition_span: Option<Span>,
    /// True if the declaration is implicit (a call of an undeclared name).
    pub implicit: bool,
    /// Priority of `__attribute__((constructor))`.
    pub constructor: Option<u32>,
    /// Priority of `__attribute__((destructor))`.
    pub destructor: Option<u32>,
    /// The name that `asm("name")` gives it.
    pub asm_name: Option<Symbol>,
    /// The target of `__attribute__((alias("name")))`.
    pub alias: Option<Symbol>,
    /// True if it is weak.
    pub weak: bool,
    /// The function around a nested function, which has no linkage.
    pub nested: Option<FuncId>,
    /// Alignment that an attribute demands.
    pub explicit_align: Option<u64>,
}

/// The arguments and the result that are never null, by `__attribute__((nonnull))` and `returns_nonnull`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NonNull {
    /// A bit for each of the first 64 parameters.
    pub params: u64,
    /// True if the result is not null.
    pub result: bool,
}

impl NonNull {
    /// Both together.
    #[must_use]
    pub fn and(self, other: NonNull) -> NonNull {
        NonNull { params: self.params | other.params, result: self.result || other.result }
    }
}

/// A label.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its name.
    pub name: Symbol,
    /// Where it is defined, or first used when that is missing.
    pub span: Span,
    /// True if its address is taken with `&&`.
    pub address_taken: bool,
}

/// A string literal, with its terminating zero.
#[derive(Clone, Debug)]
pub struct StringLit {
    /// Code units, the terminator included.
    pub units: StringUnits,
    /// The array type.
    pub ty: QualType,
    /// Where it is.
    pub span: Span,
}

/// The code units of a string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StringUnits {
    /// `"..."` and `u8"..."`
    Bytes(Vec<u8>),
    /// `u"..."`
    Units16(Vec<u16>),
    /// `U"..."` and `L"..."`
    Units32(Vec<u32>),
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// Where it is written. Conversions have the span of their operand.
    pub span: Span,
    /// Its type; for lvalues with qualifiers.
    pub ty: QualType,
    /// Its kind.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// Something that has been reported.
    Error,
    /// An integer constant of at most 64 bits (or a constant pointer value), zero-extended. Enumerators, characters,
    /// `sizeof` and folded builtins become these.
    Int(u64),
    /// A wider integer constant: an index into [`Unit::wide_ints`].
    WideInt(u32),
    /// A floating constant.
    Float(FloatId),
    /// A string literal: an lvalue of array type.
    String(StringId),
    /// A variable: an lvalue.
    Var(VarId),
    /// A function designator.
    Function(FuncId),
    /// `*e` (and `a[i]` as `*(a + i)` is [`ExprKind::Index`]): an lvalue, or a function designator.
    Deref(ExprId),
    /// `base[index]`: the first is a pointer rvalue, the second an integer rvalue: an lvalue. `i[a]` is normalised.
    Index(ExprId, ExprId),
    /// `base.field`: an lvalue if the base is one. Paths through anonymous members are explicit, one step each.
    Member(ExprId, RecordId, u32),
    /// `&e` of an lvalue or function designator.
    AddrOf(ExprId),
    /// `&&label`
    LabelAddr(LabelId),
    /// Arithmetic `-e`, `~e`, `!e` on promoted operands (`!` yields `int`).
    Unary(UnaryOp, ExprId),
    /// Arithmetic, comparison and shift.
    Binary(BinaryOp, ExprId, ExprId),
    /// `pointer + integer` or `pointer - integer`, the pointer first.
    PtrOffset(PtrOffsetOp, ExprId, ExprId),
    /// `pointer - pointer`
    PtrDiff(ExprId, ExprId),
    /// `a && b`: operands are scalars.
    LogAnd(ExprId, ExprId),
    /// `a || b`: operands are scalars.
    LogOr(ExprId, ExprId),
    /// `c ? a : b`
    Cond(ExprId, ExprId, ExprId),
    /// `c ?: b`: the first, if not zero, converted to the type, else the second. The condition is evaluated once.
    CondOmitted(ExprId, ExprId),
    /// `a, b`
    Comma(ExprId, ExprId),
    /// `place = value`
    Assign(ExprId, ExprId),
    /// `place op= value`: the place is read, converted to the type `compute`, combined, converted back.
    CompoundAssign {
        /// The operation; [`CompoundOp::PtrAdd`] and `PtrSub` for pointers.
        op: CompoundOp,
        /// The type in which it is computed.
        compute: QualType,
        /// The place.
        place: ExprId,
        /// The right operand, already converted (to `compute`, except for shifts and pointers).
        value: ExprId,
    },
    /// `++` and `--` in both positions, on any scalar.
    IncDec(IncDec, ExprId),
    /// A call: the callee is a pointer to function rvalue or a function designator; arguments are converted.
    Call(ExprId, List<ExprId>),
    /// A builtin that is not an ordinary function.
    Builtin(Builtin, List<ExprId>),
    /// A conversion.
    Cast(CastKind, ExprId),
    /// `(type){...}`: an lvalue. The variable's initialiser is evaluated (again) here when it is automatic.
    CompoundLiteral(VarId),
    /// `({ ... })`: the last expression statement is the value, unless the type is `void`.
    StmtExpr(StmtId),
    /// `va_arg(list, type)`: the type is the expression's.
    VaArg(ExprId),
    /// `sizeof` of a variable-length array: the size in bytes of the type, from its hidden length variables.
    SizeofVla(QualType),
    /// `__real__ e` (false) or `__imag__ e` (true) of a complex: an lvalue if the operand is one.
    ComplexPart(ExprId, bool),
    /// `v[i]` on a GNU vector lvalue: an lvalue.
    VectorElement(ExprId, ExprId),
}

impl ExprKind {
    /// Returns whether this kind can denote an object (members only if their base does).
    pub fn is_place(&self) -> bool {
        matches!(
            self,
            ExprKind::String(_)
                | ExprKind::Var(_)
                | ExprKind::Deref(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::CompoundLiteral(_)
                | ExprKind::ComplexPart(..)
                | ExprKind::VectorElement(..)
        )
    }
}

/// Unary arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~` (conjugation on complex)
    BitNot,
    /// `!`
    Not,
}

/// Binary arithmetic operators and comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C operator of its name")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
}

impl BinaryOp {
    /// The sign of the operator in C.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
        }
    }
}

/// The direction of pointer arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C operator of its name")]
pub enum PtrOffsetOp {
    Add,
    Sub,
}

/// The operation of a compound assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CompoundOp {
    /// An arithmetic operation.
    Arith(BinaryOp),
    /// Pointer arithmetic.
    Ptr(PtrOffsetOp),
}

/// The four increments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C operator of its name")]
pub enum IncDec {
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

/// The kinds of conversions. Source and target types tell the details.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CastKind {
    /// Reading an lvalue: the value of the object.
    Load,
    /// An array lvalue to a pointer to its first element.
    ArrayDecay,
    /// A function designator to a pointer.
    FunctionDecay,
    /// Integer (enumeration, `_Bool` source included) to integer.
    Int,
    /// Integer to floating.
    IntToFloat,
    /// Floating to integer: truncation.
    FloatToInt,
    /// Floating to floating.
    Float,
    /// Any scalar to `_Bool`: compare with zero.
    ToBool,
    /// Pointer to integer.
    PtrToInt,
    /// Integer to pointer (null pointer constants included).
    IntToPtr,
    /// Pointer to pointer.
    Ptr,
    /// Anything to `void`.
    ToVoid,
    /// No change of value (compatible types, qualifiers).
    NoOp,
    /// Real to complex.
    RealToComplex,
    /// Complex to real.
    ComplexToReal,
    /// Complex to complex.
    Complex,
    /// Same bits at another vector (or integer of that size) type.
    VectorBits,
    /// A scalar in every lane.
    VectorSplat,
    /// Lane by lane (`__builtin_convertvector`).
    VectorConvert,
    /// A value to the union that has a member of its type (GNU cast to union).
    ToUnion,
}

/// An initialiser, normalised: designators resolved, braces completed, strings spread where they fill an array.
#[derive(Clone, Copy, Debug)]
pub struct Init {
    /// Where it is written.
    pub span: Span,
    /// The type it initialises.
    pub ty: QualType,
    /// Its kind.
    pub kind: InitKind,
}

/// The kinds of initialisers.
#[derive(Clone, Copy, Debug)]
pub enum InitKind {
    /// A value of the type (also a whole structure).
    Expr(ExprId),
    /// A string literal that fills a character array, cut or padded with zeros.
    String(StringId),
    /// Elements or members; what no entry mentions is zero. Entries are in the order in which they were written; a
    /// later entry for the same place has replaced the earlier.
    List(List<InitEntry>),
}

/// One entry of a list.
#[derive(Clone, Copy, Debug)]
pub struct InitEntry {
    /// First index (arrays, vectors) or the member's number (structures, unions).
    pub first: u64,
    /// Last index; the same as the first but for GNU ranges (the expression is evaluated once).
    pub last: u64,
    /// The value.
    pub init: InitId,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// Where it is written.
    pub span: Span,
    /// Its kind.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `e;`
    Expr(ExprId),
    /// A declaration of one automatic variable, initialised here. (Statics are items; types leave nothing. Lengths of
    /// variable-length arrays are assigned by expression statements before.)
    Decl(VarId),
    /// `{ ... }`: a scope.
    Compound(List<StmtId>),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `switch`: the controlling expression is promoted.
    Switch {
        /// The value that is compared.
        cond: ExprId,
        /// The statement that contains the labels.
        body: StmtId,
        /// The cases in order of appearance.
        cases: List<Case>,
        /// The statement labelled `default`.
        default: Option<StmtId>,
    },
    /// `while`
    While(ExprId, StmtId),
    /// `do ... while`
    DoWhile(StmtId, ExprId),
    /// `for`: a scope of its own.
    For {
        /// The part that runs first: declarations, an expression, or nothing.
        init: List<StmtId>,
        /// The condition.
        cond: Option<ExprId>,
        /// The step.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `goto label;`
    Goto(LabelId),
    /// `goto label;` out of a nested function, to a label of this function around it.
    GotoOuter(LabelId, FuncId),
    /// `goto *e;`
    GotoIndirect(ExprId),
    /// `label: statement`
    Label(LabelId, StmtId),
    /// `case ...: statement`: which values lead here is in the `switch`.
    Case(StmtId),
    /// `default: statement`
    Default(StmtId),
    /// `break;` out of this `switch` or loop statement.
    Break(StmtId),
    /// `continue;` of this loop statement.
    Continue(StmtId),
    /// `return e;`
    Return(Option<ExprId>),
    /// Inline assembly.
    Asm(AsmId),
    /// The definition of a nested function.
    Nested(FuncId),
}

/// A case of a `switch`: values of the promoted controlling type, as bits zero-extended to 64 (128-bit ones are rejected).
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Least value.
    pub low: u64,
    /// Greatest value: the same but for GNU ranges.
    pub high: u64,
    /// The [`StmtKind::Case`] statement.
    pub stmt: StmtId,
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The whole statement.
    pub span: Span,
    /// True if it is volatile.
    pub volatile: bool,
    /// The template.
    pub template: String,
    /// Outputs: places.
    pub outputs: Vec<AsmOperand>,
    /// Inputs: values, or places for memory constraints.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<String>,
    /// Labels of `asm goto`.
    pub labels: Vec<LabelId>,
}

/// An operand of inline assembly.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The constraint.
    pub constraint: String,
    /// The operand.
    pub expr: ExprId,
}
