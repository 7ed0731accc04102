//! An instrumentation automaton: `(Q, q0, Var, δ, α)`, instantiated once for a program or once for each loop.
//!
//! A state is annotated with the places at which its transitions are looked at (α). A transition has a pattern over C
//! operations, an operation in C that reads what the pattern matched, and a place relative to what was matched.
//!
//! [`Mode::Static`] is the automaton of Beyer, Jankola, Lingsch-Rosenfeld, Xia and Zheng: states say where operations
//! are put, and what has to be remembered at run time is remembered in variables. In [`Mode::Monitor`] the state itself
//! is remembered at run time, so that a transition is taken only in its state.

use std::fmt;
use vergo_source::Span;

/// An automaton as it was written.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// A description of what it says about a program, if there is one.
    pub description: String,
    /// The choice whether states exist at run time.
    pub mode: Mode,
    /// The number of its instances.
    pub instances: Instances,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Variables of the program that operations read by name.
    pub reads: Vec<(String, Span)>,
    /// Conditions over variables of the program at file scope.
    pub propositions: Vec<Proposition>,
    /// Its states; the index is the state's number.
    pub states: Vec<State>,
    /// The start states.
    pub start: Vec<usize>,
    /// Its transitions, in the order in which they were written.
    pub transitions: Vec<Transition>,
}

/// The choice whether states exist at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// States say where operations are put.
    Static,
    /// The state is a variable of the instrumented program.
    Monitor,
}

/// The number of an automaton's instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instances {
    /// Once.
    Program,
    /// Once for each loop: those of statements, of backward jumps and of recursion.
    Loop,
}

/// A variable of an automaton.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in operations.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// The C text before the name: `int`, `void *`.
    pub before: String,
    /// The C text after the name, initialiser included: `[3]`, `= 0`.
    pub after: String,
    /// True if all instances share it.
    pub shared: bool,
}

/// A condition in C over variables of the program at file scope, which operations read by its name.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// The condition.
    pub text: String,
    /// Where the condition is.
    pub text_span: Span,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where the name is declared.
    pub span: Span,
    /// Where its transitions are looked at.
    pub annotation: Annotation,
}

/// The annotation of a state: at which locations its transitions are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Annotation {
    /// Everywhere.
    True,
    /// At the heads of loops.
    LoopHead,
    /// Where the program begins.
    Init,
    /// Where the program ends, in whatever way.
    End,
    /// At the entry of the function of this name, or of every function.
    Function(Option<String>),
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Annotation::True => write!(f, "true"),
            Annotation::LoopHead => write!(f, "loop_head"),
            Annotation::Init => write!(f, "init"),
            Annotation::End => write!(f, "end"),
            Annotation::Function(None) => write!(f, "function"),
            Annotation::Function(Some(name)) => write!(f, "function {name}"),
        }
    }
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it is written.
    pub span: Span,
    /// The state that it leaves.
    pub from: usize,
    /// The state that it enters.
    pub to: usize,
    /// The pattern that it matches.
    pub pattern: Pattern,
    /// Where the pattern is written.
    pub pattern_span: Span,
    /// Where the operation is put.
    pub place: Place,
    /// The operation that it performs.
    pub operation: Operation,
}

/// Where an operation is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Before what was matched.
    Before,
    /// After it.
    After,
    /// In its place: the operation is an expression, whose value is that of the matched one.
    Replace,
}

/// The operation of a transition: C text between braces, with placeholders `$x`.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The text without the braces.
    pub text: String,
    /// Where it is, without the braces.
    pub span: Span,
}

/// A pattern over C operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// `any`: every edge.
    Any,
    /// `cond`: a condition that holds.
    Cond,
    /// `!cond`: a condition that does not hold.
    NotCond,
    /// `change`: where the program begins, and where a proposition may have changed.
    Change,
    /// `$x + $y : class`, `-$x : class`: an arithmetic operation whose result has a type of the class.
    Arithmetic {
        /// The operator.
        op: ArithmeticOp,
        /// The names of the operands, without the dollar; one for negation.
        operands: Vec<String>,
        /// The types of the result.
        class: TypeClass,
    },
    /// `$r = f($x, _, ...)`: a call.
    Call {
        /// The name of the result.
        result: Option<String>,
        /// The function.
        function: String,
        /// True if only functions count that the program does not define.
        external: bool,
        /// The arguments; `None` is `_`.
        arguments: Vec<Option<String>>,
        /// True if `...` ends them: more arguments may follow.
        open: bool,
    },
    /// `*$p`: an access through a pointer, by `*`, `[]` or `->`.
    Access {
        /// The name of the pointer.
        pointer: String,
    },
}

/// Arithmetic operators in patterns. Increments and compound assignments are the operation that they perform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is the C operator of its name")]
pub enum ArithmeticOp {
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
}

impl ArithmeticOp {
    /// The operator in C.
    pub fn symbol(self) -> &'static str {
        match self {
            ArithmeticOp::Neg | ArithmeticOp::Sub => "-",
            ArithmeticOp::Add => "+",
            ArithmeticOp::Mul => "*",
            ArithmeticOp::Div => "/",
            ArithmeticOp::Rem => "%",
            ArithmeticOp::Shl => "<<",
            ArithmeticOp::Shr => ">>",
        }
    }

    /// The operator in names of functions.
    pub fn word(self) -> &'static str {
        match self {
            ArithmeticOp::Neg => "neg",
            ArithmeticOp::Add => "add",
            ArithmeticOp::Sub => "sub",
            ArithmeticOp::Mul => "mul",
            ArithmeticOp::Div => "div",
            ArithmeticOp::Rem => "rem",
            ArithmeticOp::Shl => "shl",
            ArithmeticOp::Shr => "shr",
        }
    }
}

/// A class of arithmetic types: `signed`, `unsigned 33..`, `float`, or none, which is all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeClass {
    /// The kind of the type.
    pub kind: ClassKind,
    /// The least width of integers in bits.
    pub least: u32,
    /// The greatest width of integers in bits.
    pub greatest: u32,
}

/// The kinds of arithmetic types in patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the class of its name")]
pub enum ClassKind {
    Arithmetic,
    Integer,
    Signed,
    Unsigned,
    Float,
}

impl Pattern {
    /// The placeholders that the pattern binds.
    pub fn placeholders(&self) -> Vec<&str> {
        match self {
            Pattern::Any | Pattern::Cond | Pattern::NotCond | Pattern::Change => Vec::new(),
            Pattern::Arithmetic { operands, .. } => operands.iter().map(String::as_str).collect(),
            Pattern::Call { result, arguments, .. } => {
                result.iter().chain(arguments.iter().flatten()).map(String::as_str).collect()
            }
            Pattern::Access { pointer } => vec![pointer],
        }
    }
}

impl Automaton {
    /// The transitions that leave a state, with their numbers.
    pub fn leaving(&self, state: usize) -> impl Iterator<Item = (usize, &Transition)> {
        self.transitions.iter().enumerate().filter(move |(_, t)| t.from == state)
    }
}
