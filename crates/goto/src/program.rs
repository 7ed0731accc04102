//! Programs: symbols, functions, instructions.

use crate::expr::{ExprId, ExprKind, ExprTable, MemoryOp};
use crate::types::{Machine, TypeId, TypeTable};
use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::BTreeMap;
pub use vergo_num::MemoryOrder;
use vergo_source::Span;

/// A variable: global, static, local, parameter or temporary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(u32);
entity_impl!(SymbolId, "s");

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "f");

/// A label of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(u32);
entity_impl!(LabelId, "L");

/// A GOTO program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Pointer width and the like.
    pub machine: Machine,
    /// Types.
    pub types: TypeTable,
    /// Expressions.
    pub exprs: ExprTable,
    /// Variables of every kind.
    pub symbols: PrimaryMap<SymbolId, Symbol>,
    /// Functions.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Where execution begins: a function without parameters that initialises, calls `main` and ends.
    pub entry: Option<FunctionId>,
    /// The number of nondeterministic sites: numbers below this are taken.
    pub nondet_sites: u32,
    /// Which variables passes have copied from which others; no part of the program's text.
    pub copies: BTreeMap<SymbolId, SymbolId>,
}

impl Program {
    /// Makes a copy of a variable, of another kind.
    pub fn copy_symbol(&mut self, symbol: SymbolId, kind: SymbolKind) -> SymbolId {
        let original = &self.symbols[symbol];
        let name = format!("{}@{}", original.name, self.symbols.len());
        let copy = self.symbols.push(Symbol { name, kind, ..original.clone() });
        self.copies.insert(copy, symbol);
        copy
    }

    /// Checks whether it claims that accesses are in no race.
    pub fn asks_for_races(&self) -> bool {
        self.exprs.iter().any(|(_, expr)| {
            matches!(expr.kind, ExprKind::Memory(MemoryOp::UnracedRead | MemoryOp::UnracedWrite, _))
        })
    }

    /// The orders of memory that it asks for; one that is not known may be relaxed.
    pub fn orders(&self) -> impl Iterator<Item = MemoryOrder> {
        let instrs = self.functions.values().flat_map(|function| function.body.iter().flatten());
        instrs.filter_map(|instr| match &instr.kind {
            InstrKind::Intrinsic { op: Intrinsic::Order, args, .. } => {
                let number = match args.first().map(|&order| self.exprs.kind(order)) {
                    Some(ExprKind::Int(order)) => order.to_u64(),
                    _ => None,
                };
                Some(number.and_then(MemoryOrder::from_number).unwrap_or(MemoryOrder::Relaxed))
            }
            _ => None,
        })
    }

    /// The variable that a copy of a copy of it was made from; others themselves.
    pub fn original(&self, mut symbol: SymbolId) -> SymbolId {
        while let Some(&from) = self.copies.get(&symbol) {
            symbol = from;
        }
        symbol
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name, unique in the program.
    pub name: String,
    /// The name that the user wrote, empty for temporaries.
    pub display: String,
    /// Its type.
    pub ty: TypeId,
    /// Its kind.
    pub kind: SymbolKind,
    /// Where it is declared.
    pub span: Span,
    /// Alignment in bytes of its object.
    pub align: u64,
    /// True if the program may write it through pointers (string literals and `const` objects may not be written). An
    /// automatic object gets its value by assignments to the variable, which are no such writes.
    pub writable: bool,
}

/// Where a variable lives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// Alive from beginning to end.
    Static {
        /// Its first value.
        init: StaticInit,
        /// True if each thread has its own.
        thread_local: bool,
    },
    /// Alive from `decl` to `dead` in this function.
    Local(FunctionId),
    /// A parameter: alive while the call runs.
    Param(FunctionId),
}

/// The first value of a static variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StaticInit {
    /// Nothing is known of it (declared here, defined nowhere).
    Nondet,
    /// Zero but for these parts.
    Data(Vec<InitPart>),
}

/// A part of a static variable's first value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitPart {
    /// A constant expression (numbers, addresses of statics and functions with offsets) at an offset in bytes.
    Value {
        /// The offset; bit-fields are given as whole bytes by [`InitPart::Bytes`].
        offset: u64,
        /// The value.
        value: ExprId,
    },
    /// Bytes at an offset.
    Bytes {
        /// The offset.
        offset: u64,
        /// The bytes.
        bytes: Box<[u8]>,
    },
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, unique in the program.
    pub name: String,
    /// The name that the user wrote; `argv[]` for one that makes the elements of `argv`.
    pub display: String,
    /// Its type, a [`Type::Func`](crate::types::Type::Func).
    pub ty: TypeId,
    /// Its parameters, in order; as many as the type has, when there is a body.
    pub params: Vec<SymbolId>,
    /// The instructions; `None` without a body.
    pub body: Option<Vec<Instr>>,
    /// The number of labels: ids below this are taken.
    pub n_labels: u32,
    /// Where it is declared.
    pub span: Span,
    /// True if it is part of a library model rather than of the user's program.
    pub library: bool,
}

impl Function {
    /// Makes a function of the user's program without a body, parameters or a place in the source.
    pub fn declaration(
        name: impl Into<String>,
        display: impl Into<String>,
        ty: TypeId,
    ) -> Function {
        Function {
            name: name.into(),
            display: display.into(),
            ty,
            params: Vec::new(),
            body: None,
            n_labels: 0,
            span: Span::DUMMY,
            library: false,
        }
    }
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instr {
    /// The operation.
    pub kind: InstrKind,
    /// The statement or full expression of the source that it comes from.
    pub span: Span,
    /// The spans of subexpressions in which something can go wrong, for messages that point at them. A place that the
    /// source reads more than once has one for each read.
    pub parts: Box<[(ExprId, Span)]>,
}

/// The operation of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InstrKind {
    /// Nothing.
    Skip,
    /// A place that jumps can go to. Each label stands once in its function.
    Label(LabelId),
    /// `place := value`
    Assign(ExprId, ExprId),
    /// Executions in which this is false are not considered.
    Assume(ExprId),
    /// A claim that a property makes.
    Assert(ExprId, Box<Claim>),
    /// Jump if true; without a condition, always.
    Goto(Option<ExprId>, LabelId),
    /// Call.
    Call {
        /// Where the result goes: a place.
        dest: Option<ExprId>,
        /// The callee.
        callee: Callee,
        /// Values of the parameters.
        args: Box<[ExprId]>,
    },
    /// Leave the function.
    Return(Option<ExprId>),
    /// A local variable comes to life, with a value that is not initialised (any value).
    Decl(SymbolId),
    /// A local variable's life ends.
    Dead(SymbolId),
    /// A new object.
    Alloc {
        /// Where the pointer goes: a place of pointer type.
        dest: ExprId,
        /// Size in bytes, an integer.
        size: ExprId,
        /// Alignment in bytes.
        align: u64,
        /// Heap or stack.
        region: Region,
        /// True if the object's bytes are zero rather than not initialised.
        zeroed: bool,
    },
    /// The object of a pointer dies. (That this is allowed is for assertions before.) Null: nothing happens. A pointer
    /// that is not the start of a live object of the region: nothing happens.
    Free(ExprId, Region),
    /// The following instructions up to `AtomicEnd` run without interleaving.
    AtomicBegin,
    /// See [`InstrKind::AtomicBegin`].
    AtomicEnd,
    /// A new thread runs a function with one pointer argument; its number goes to a place.
    Spawn {
        /// Where the thread's number goes.
        dest: Option<ExprId>,
        /// The function that is called.
        callee: Callee,
        /// The argument.
        arg: ExprId,
    },
    /// Waits for the thread of this number; its result goes to a place.
    Join {
        /// The thread's number.
        thread: ExprId,
        /// Where its result goes.
        dest: Option<ExprId>,
    },
    /// Something that the world outside does.
    Intrinsic {
        /// What.
        op: Intrinsic,
        /// Where the result goes.
        dest: Option<ExprId>,
        /// Operands.
        args: Box<[ExprId]>,
    },
    /// The program ends.
    End(Exit),
    /// Something that Vergo does not handle: reaching it makes the verdict unknown.
    Unsupported(Box<str>),
}

/// The callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function of the program.
    Direct(FunctionId),
    /// The function that a pointer points to.
    Indirect(ExprId),
}

/// Where objects are allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Region {
    /// Lives until freed.
    Heap,
    /// Lives until freed or the function returns.
    Stack,
}

/// The ways in which a program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// With a status (the low eight bits of an integer).
    Status(ExprId),
    /// Abnormally, as `abort` does.
    Abort,
}

/// The size in bytes of each object that the world outside has, if an execution is told of any.
pub const OUTSIDE_SIZE: u64 = 1 << 16;

/// The ways in which memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Access {
    Read,
    /// Read as bytes that may be without a value.
    Copy,
    Write,
}

/// A block of memory that an intrinsic accesses: the numbers of the operands that are its address and its size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// The operand that points to it.
    pub pointer: usize,
    /// The operand that is its size.
    pub size: usize,
    /// The kind of access.
    pub access: Access,
}

/// An effect of the world outside. In verification its results are any values that the description allows.
///
/// All memory that an intrinsic touches is in its [blocks](Intrinsic::blocks), of which claims are made before it. Those
/// whose operands alone do not say what they touch are [for runs](Intrinsic::is_for_runs): only the interpreter, which
/// checks every access itself, executes them; to everybody else they are unsupported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Intrinsic {
    /// `(descriptor, pointer, length) -> count`: bytes go out.
    Write,
    /// `(descriptor, pointer, length) -> count`: bytes come in.
    Read,
    /// `(pointer, size)`: nothing happens; says that these bytes are read.
    Reads,
    /// `(pointer, size)`: nothing happens; says that these bytes are copied or thrown away, whether they have values or not.
    Copies,
    /// `(pointer, size)`: nothing happens; says that these bytes are written.
    Writes,
    /// `(buffer, capacity, conversion, precision, number) -> length`: a floating-point number as `snprintf` prints it. The
    /// conversion is its letter (another one than `a`, `e`, `f`, `g` and their capitals is `f`) and 256 for the flag `+`,
    /// 512 for the space, 1024 for `#`; a negative precision is the one that holds if none is given.
    PrintFloat,
    /// `(descriptor, format, arguments) -> count`: formatted output as `vfprintf`'s; arguments as a pointer to the
    /// packed variable arguments. For runs.
    Print,
    /// `(buffer, capacity, format, arguments) -> length`: as `vsnprintf`'s. For runs.
    PrintTo,
    /// `(descriptor, format, arguments) -> count`: as `vfscanf`'s. For runs.
    Scan,
    /// `(string, format, arguments) -> count`: as `vsscanf`'s. For runs.
    ScanFrom,
    /// `() -> seconds`: the time of day.
    Time,
    /// `() -> number`: of the thread that executes it, as the one that started it got it; the first is zero.
    Thread,
    /// `(function, argument, argument) -> value`: what a function of the library gives where the standard leaves it open:
    /// any value, and the same for the same operands.
    Choose,
    /// `(order)`: nothing happens; says that the atomic section around it asks for less than sequential consistency, by the
    /// number that gcc has for the order (zero: relaxed), or, outside of sections, that it is a fence.
    Order,
    /// `(name)`: a library model admits results from here on that the named function may not have, so that an execution
    /// that comes here shows nothing.
    Approximation,
}

impl Intrinsic {
    /// The memory that it accesses.
    pub fn blocks(self) -> &'static [Block] {
        const fn block(pointer: usize, size: usize, access: Access) -> Block {
            Block { pointer, size, access }
        }
        match self {
            Intrinsic::Write => const { &[block(1, 2, Access::Read)] },
            Intrinsic::Read => const { &[block(1, 2, Access::Write)] },
            Intrinsic::Reads => const { &[block(0, 1, Access::Read)] },
            Intrinsic::Copies => const { &[block(0, 1, Access::Copy)] },
            Intrinsic::Writes => const { &[block(0, 1, Access::Write)] },
            Intrinsic::PrintFloat => const { &[block(0, 1, Access::Write)] },
            Intrinsic::Print
            | Intrinsic::PrintTo
            | Intrinsic::Scan
            | Intrinsic::ScanFrom
            | Intrinsic::Time
            | Intrinsic::Thread
            | Intrinsic::Choose
            | Intrinsic::Order
            | Intrinsic::Approximation => &[],
        }
    }

    /// Returns whether only concrete runs execute it, since the memory that it touches depends on a format in memory.
    pub fn is_for_runs(self) -> bool {
        matches!(
            self,
            Intrinsic::Print | Intrinsic::PrintTo | Intrinsic::Scan | Intrinsic::ScanFrom
        )
    }

    /// Returns whether it only states which memory is accessed.
    pub fn is_obligation(self) -> bool {
        matches!(self, Intrinsic::Reads | Intrinsic::Copies | Intrinsic::Writes)
    }
}

/// The claim of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The property's dotted id (`memory.bounds`).
    pub property: String,
    /// In the user's words.
    pub description: String,
    /// The CWE number, where one applies.
    pub cwe: Option<u32>,
}

impl Claim {
    /// The claim that an analysis is right where a pass relies on it: something to be proved, but nobody's question.
    pub fn fact() -> Claim {
        let description = "what an analysis found out holds".to_owned();
        Claim { property: FACT.to_owned(), description, cwe: None }
    }
}

/// The property of [`Claim::fact`], which users cannot ask for.
pub const FACT: &str = "analysis.fact";
