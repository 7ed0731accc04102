//! The syntax tree: what was written, with the span of every node, before names and types mean anything.
//!
//! Nodes live in arenas and refer to each other by id, so that a tree of any depth is built and dropped without
//! recursion and a node stays small. Literals are spans: their text is read again by the analysis, which knows the
//! data model.

use crate::intern::{Interner, Symbol};
use crate::pool::{List, Pool};
use crate::types::IntKind;
use cranelift_entity::{PrimaryMap, entity_impl};
use vergo_source::Span;

/// An expression of the syntax tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);
entity_impl!(ExprId, "e");

/// A statement of the syntax tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(u32);
entity_impl!(StmtId, "s");

/// A declaration: specifiers with any number of declarators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(u32);
entity_impl!(DeclId, "d");

/// Declaration specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpecsId(u32);
entity_impl!(SpecsId, "specs");

/// A declarator, named or abstract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclaratorId(u32);
entity_impl!(DeclaratorId, "dtor");

/// A type name: specifiers with an abstract declarator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeNameId(u32);
entity_impl!(TypeNameId, "type");

/// An initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InitId(u32);
entity_impl!(InitId, "init");

/// An inline assembly statement or file-scope `asm`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AsmId(u32);
entity_impl!(AsmId, "asm");

/// The syntax tree of one translation unit.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// Identifiers.
    pub names: Interner,
    /// Expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// Statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// Declarations.
    pub decls: PrimaryMap<DeclId, Decl>,
    /// Declaration specifiers.
    pub specs: PrimaryMap<SpecsId, Specs>,
    /// Declarators.
    pub declarators: PrimaryMap<DeclaratorId, Declarator>,
    /// Type names.
    pub type_names: PrimaryMap<TypeNameId, TypeName>,
    /// Initialisers.
    pub inits: PrimaryMap<InitId, Init>,
    /// Inline assembly.
    pub asms: PrimaryMap<AsmId, Asm>,
    /// Storage of lists of expressions.
    pub expr_lists: Pool<ExprId>,
    /// Storage of lists of statements.
    pub stmt_lists: Pool<StmtId>,
    /// Storage of lists of spans (string literal pieces).
    pub span_lists: Pool<Span>,
    /// Storage of lists of attributes.
    pub attr_lists: Pool<Attr>,
    /// Storage of the derivations of declarators.
    pub chunk_lists: Pool<Chunk>,
    /// Storage of parameter lists.
    pub param_lists: Pool<Param>,
    /// Storage of member declarations.
    pub member_lists: Pool<Member>,
    /// Storage of enumerators.
    pub enumerator_lists: Pool<Enumerator>,
    /// Storage of the declarators of declarations.
    pub init_declarator_lists: Pool<InitDeclarator>,
    /// Storage of initialiser list entries.
    pub init_entry_lists: Pool<InitEntry>,
    /// Storage of designators.
    pub designator_lists: Pool<Designator>,
    /// Storage of the associations of `_Generic`.
    pub generic_lists: Pool<GenericAssoc>,
    /// Storage of identifiers (K&R parameters, local labels).
    pub name_lists: Pool<(Symbol, Span)>,
    /// Storage of declaration lists (K&R parameter declarations).
    pub decl_lists: Pool<DeclId>,
    /// The external declarations in order.
    pub items: Vec<Item>,
    /// The `#pragma` lines and `_Pragma` operators in order; some, such as `pack`, change what follows.
    pub pragmas: Vec<Pragma>,
}

/// A pragma, wherever it stood.
#[derive(Clone, Copy, Debug)]
pub struct Pragma {
    /// The text after `#pragma`, or the string literal of `_Pragma`.
    pub span: Span,
    /// True if the span is the string literal of `_Pragma`.
    pub operator: bool,
}

/// An external declaration.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// A declaration.
    Decl(DeclId),
    /// A function definition.
    Function(FunctionDef),
    /// `asm("...");` at file scope.
    Asm(AsmId),
}

/// A function definition, at file scope or (GNU) nested in a block.
#[derive(Clone, Copy, Debug)]
pub struct FunctionDef {
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// Specifiers; absent types mean implicit `int`.
    pub specs: SpecsId,
    /// The declarator; its outermost derivation nearest the name is a function.
    pub declarator: DeclaratorId,
    /// Declarations of K&R parameters between declarator and body.
    pub kr_decls: List<DeclId>,
    /// The body: a compound statement.
    pub body: StmtId,
}

/// A declaration.
#[derive(Clone, Copy, Debug)]
pub struct Decl {
    /// From the first token to the semicolon.
    pub span: Span,
    /// The declared entity.
    pub kind: DeclKind,
}

/// The kinds of declarations.
#[derive(Clone, Copy, Debug)]
pub enum DeclKind {
    /// Specifiers with declarators.
    Vars {
        /// The specifiers.
        specs: SpecsId,
        /// The declarators with their initialisers; empty for `struct s { ... };`.
        declarators: List<InitDeclarator>,
    },
    /// `_Static_assert(cond, "message")`.
    StaticAssert {
        /// The condition.
        cond: ExprId,
        /// The pieces of the message, empty without one.
        message: List<Span>,
    },
    /// A nested function (GNU); the analysis names it unsupported.
    Function(FunctionDef),
    /// A lone semicolon, or `__extension__;`, or a standing attribute.
    Empty,
}

/// One declarator of a declaration.
#[derive(Clone, Copy, Debug)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: DeclaratorId,
    /// The initialiser after `=`.
    pub init: Option<InitId>,
}

/// Declaration specifiers and qualifiers.
#[derive(Clone, Copy, Debug)]
pub struct Specs {
    /// From the first to the last specifier; empty before the declarator when there is none.
    pub span: Span,
    /// Storage classes and function specifiers.
    pub storage: Storage,
    /// Qualifiers.
    pub quals: Quals,
    /// The type.
    pub ty: TypeSpec,
    /// GNU and C23 attributes, and `_Alignas` as an attribute of its own kind.
    pub attrs: List<Attr>,
}

/// A set of storage classes and function specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Storage(pub u16);

impl Storage {
    /// No storage class.
    pub const NONE: Storage = Storage(0);
    /// `typedef`
    pub const TYPEDEF: Storage = Storage(1);
    /// `extern`
    pub const EXTERN: Storage = Storage(2);
    /// `static`
    pub const STATIC: Storage = Storage(4);
    /// `auto`
    pub const AUTO: Storage = Storage(8);
    /// `register`
    pub const REGISTER: Storage = Storage(16);
    /// `_Thread_local`, `__thread`
    pub const THREAD_LOCAL: Storage = Storage(32);
    /// `inline`
    pub const INLINE: Storage = Storage(64);
    /// `_Noreturn`
    pub const NORETURN: Storage = Storage(128);
    /// `constexpr` (C23)
    pub const CONSTEXPR: Storage = Storage(256);

    /// Returns whether all of `other` is in the set.
    pub fn has(self, other: Storage) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union of two sets.
    #[must_use]
    pub fn with(self, other: Storage) -> Storage {
        Storage(self.0 | other.0)
    }
}

/// A set of type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals(pub u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`
    pub const CONST: Quals = Quals(1);
    /// `volatile`
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic` as a qualifier
    pub const ATOMIC: Quals = Quals(8);

    /// Returns whether all of `other` is in the set.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union of two sets.
    #[must_use]
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    /// The set without the members of `other`.
    #[must_use]
    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
}

/// The type part of specifiers.
#[derive(Clone, Copy, Debug)]
pub enum TypeSpec {
    /// None written: implicit `int` (or a C23 `auto`).
    None,
    /// A valid combination of basic type keywords.
    Basic(Basic),
    /// `struct` or `union`.
    Record {
        /// Which of the two.
        kind: RecordKind,
        /// The tag.
        tag: Option<(Symbol, Span)>,
        /// The members, when this is a definition.
        members: Option<List<Member>>,
        /// Attributes between the keyword and the tag and after the closing brace.
        attrs: List<Attr>,
    },
    /// `enum`
    Enum {
        /// The tag.
        tag: Option<(Symbol, Span)>,
        /// The underlying type (C23).
        underlying: Option<TypeNameId>,
        /// The enumerators, when this is a definition.
        enumerators: Option<List<Enumerator>>,
        /// Attributes between the keyword and the tag and after the closing brace.
        attrs: List<Attr>,
    },
    /// A typedef name in scope.
    Typedef(Symbol),
    /// `typeof (expr)`; `unqual` for C23's `typeof_unqual`.
    TypeofExpr {
        /// The operand.
        expr: ExprId,
        /// True if qualifiers are dropped.
        unqual: bool,
    },
    /// `typeof (type)`
    TypeofType {
        /// The operand.
        ty: TypeNameId,
        /// True if qualifiers are dropped.
        unqual: bool,
    },
    /// `__auto_type`
    Auto,
    /// `_Atomic (type)`
    Atomic(TypeNameId),
    /// `_BitInt (n)`
    BitInt {
        /// The width.
        width: ExprId,
        /// True if `unsigned` was written.
        unsigned: bool,
    },
    /// Something that has been reported.
    Error,
}

/// The basic types that keywords spell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C type of its name")]
pub enum Basic {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// A floating type.
    Float(FloatName),
    /// `_Complex` with a floating type.
    Complex(FloatName),
    /// GNU `_Complex int` and its like: `_Complex` with an integer type.
    ComplexInt(IntKind),
    /// `__builtin_va_list`
    VaList,
}

/// The floating types that keywords spell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C type of its name")]
pub enum FloatName {
    Float,
    Double,
    LongDouble,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Float128,
    Float32x,
    Float64x,
    /// `_Decimal32/64/128`: unsupported by the analysis, named there.
    Decimal,
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C keyword of its name")]
pub enum RecordKind {
    Struct,
    Union,
}

/// A member declarator, or an anonymous member, or a static assertion among members.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// One declarator of a member declaration.
    Field {
        /// The specifiers, shared by the declarators of one declaration.
        specs: SpecsId,
        /// The declarator; `None` for anonymous members and unnamed bit-fields.
        declarator: Option<DeclaratorId>,
        /// The width of a bit-field.
        width: Option<ExprId>,
        /// From the specifiers to the end of the declarator.
        span: Span,
    },
    /// `_Static_assert` among the members.
    StaticAssert(DeclId),
}

/// An enumerator.
#[derive(Clone, Copy, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// The span of the name.
    pub span: Span,
    /// The value after `=`.
    pub value: Option<ExprId>,
}

/// A declarator: a name with what is derived around it.
#[derive(Clone, Copy, Debug)]
pub struct Declarator {
    /// The whole declarator.
    pub span: Span,
    /// The name, absent in abstract declarators.
    pub name: Option<(Symbol, Span)>,
    /// The derivations, nearest the name first: `int *a[3]` is array then pointer.
    pub chunks: List<Chunk>,
    /// Attributes after the declarator.
    pub attrs: List<Attr>,
    /// The pieces of `asm("name")` after the declarator, empty without it.
    pub asm_name: List<Span>,
}

/// One derivation of a declarator.
#[derive(Clone, Copy, Debug)]
pub enum Chunk {
    /// `* quals`
    Pointer {
        /// Qualifiers of the pointer.
        quals: Quals,
        /// Attributes after the star.
        attrs: List<Attr>,
    },
    /// `[size]`
    Array {
        /// The size.
        size: ArraySize,
        /// Qualifiers inside the brackets (parameters).
        quals: Quals,
        /// True if `static` was written inside the brackets.
        is_static: bool,
        /// The brackets.
        span: Span,
    },
    /// `(params)`
    Function {
        /// The parameters.
        params: Params,
        /// The parentheses.
        span: Span,
    },
}

/// The text between the brackets of an array declarator.
#[derive(Clone, Copy, Debug)]
pub enum ArraySize {
    /// Nothing.
    None,
    /// `*`
    Star,
    /// An expression.
    Expr(ExprId),
}

/// The text between the parentheses of a function declarator.
#[derive(Clone, Copy, Debug)]
pub enum Params {
    /// Nothing: no prototype before C23.
    Empty,
    /// A prototype.
    Prototype {
        /// The parameters; `(void)` is the empty list.
        params: List<Param>,
        /// True if `...` ends it.
        variadic: bool,
    },
    /// K&R identifiers.
    Names(List<(Symbol, Span)>),
}

/// A parameter of a prototype.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The whole parameter.
    pub span: Span,
    /// Its specifiers.
    pub specs: SpecsId,
    /// Its declarator, named or abstract (possibly empty).
    pub declarator: DeclaratorId,
}

/// A type name.
#[derive(Clone, Copy, Debug)]
pub struct TypeName {
    /// The whole type name.
    pub span: Span,
    /// Its specifiers and qualifiers.
    pub specs: SpecsId,
    /// Its abstract declarator (possibly empty).
    pub declarator: DeclaratorId,
}

/// An attribute: GNU `__attribute__((name(args)))`, C23 `[[name(args)]]`, or `_Alignas`.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    /// The attribute itself.
    pub span: Span,
    /// The name with surrounding double underscores removed; `_Alignas` for alignment specifiers.
    pub name: Symbol,
    /// The arguments that are expressions; identifiers are [`ExprKind::Name`].
    pub args: List<ExprId>,
    /// The argument when it is a type name (`_Alignas(type)`, `vector_size` never, `mode` never).
    pub ty: Option<TypeNameId>,
}

/// An initialiser.
#[derive(Clone, Copy, Debug)]
pub struct Init {
    /// The whole initialiser.
    pub span: Span,
    /// Its kind.
    pub kind: InitKind,
}

/// The kinds of initialisers.
#[derive(Clone, Copy, Debug)]
pub enum InitKind {
    /// An expression.
    Expr(ExprId),
    /// `{ entries }`
    List(List<InitEntry>),
}

/// An entry of an initialiser list.
#[derive(Clone, Copy, Debug)]
pub struct InitEntry {
    /// The designators before `=`.
    pub designators: List<Designator>,
    /// The value.
    pub init: InitId,
}

/// A designator.
#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `.name` (or the old `name:`)
    Field(Symbol, Span),
    /// `[index]`
    Index(ExprId),
    /// `[low ... high]`
    Range(ExprId, ExprId),
}

/// An association of `_Generic`.
#[derive(Clone, Copy, Debug)]
pub struct GenericAssoc {
    /// The type; `None` is `default`.
    pub ty: Option<TypeNameId>,
    /// The expression.
    pub expr: ExprId,
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// The whole expression.
    pub span: Span,
    /// Its kind.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// Something that has been reported.
    Error,
    /// An identifier.
    Name(Symbol),
    /// An integer or floating literal; the text is at the span.
    Number,
    /// A character literal; the text is at the span.
    Char,
    /// Adjacent string literals; each piece is a span.
    String(List<Span>),
    /// `true`, `false` or `nullptr` of C23.
    Keyword(KeywordConst),
    /// `(e)`
    Paren(ExprId),
    /// `base[index]`
    Index(ExprId, ExprId),
    /// `callee(args)`
    Call(ExprId, List<ExprId>),
    /// `base.name`; the span is that of the name's symbol in the text.
    Member(ExprId, Symbol),
    /// `base->name`
    Arrow(ExprId, Symbol),
    /// A prefix or postfix operator.
    Unary(UnaryOp, ExprId),
    /// A binary operator, the comma included.
    Binary(BinaryOp, ExprId, ExprId),
    /// `target = value` or `target op= value`
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `cond ? then : other`; `then` is absent in GNU's `cond ?: other`.
    Cond(ExprId, Option<ExprId>, ExprId),
    /// `(type) e`
    Cast(TypeNameId, ExprId),
    /// `(type) { ... }`
    CompoundLiteral(TypeNameId, InitId),
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof (type)`
    SizeofType(TypeNameId),
    /// `_Alignof e` (GNU)
    AlignofExpr(ExprId),
    /// `_Alignof (type)`
    AlignofType(TypeNameId),
    /// `({ ... })`: a compound statement.
    StmtExpr(StmtId),
    /// `&&label`
    LabelAddr(Symbol),
    /// `_Generic(e, associations)`
    Generic(ExprId, List<GenericAssoc>),
    /// `__builtin_va_arg(list, type)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_offsetof(type, .a[i].b)`
    Offsetof(TypeNameId, List<Designator>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(c, a, b)`: the arguments.
    ChooseExpr(List<ExprId>),
    /// `__builtin_convertvector(e, type)`
    ConvertVector(ExprId, TypeNameId),
}

/// C23's constant keywords.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the C keyword of its name")]
pub enum KeywordConst {
    True,
    False,
    Nullptr,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the C operator of its name")]
pub enum UnaryOp {
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    AddrOf,
    Deref,
    Plus,
    Neg,
    BitNot,
    Not,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
    /// `__extension__`
    Extension,
}

/// Binary operators.
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
    LogAnd,
    LogOr,
    Comma,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// The whole statement.
    pub span: Span,
    /// Its kind.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// Something that has been reported.
    Error,
    /// `;`
    Empty,
    /// `e;`
    Expr(ExprId),
    /// A declaration in a block.
    Decl(DeclId),
    /// `{ ... }`
    Compound(List<StmtId>),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `switch`
    Switch(ExprId, StmtId),
    /// `while`
    While(ExprId, StmtId),
    /// `do ... while`
    DoWhile(StmtId, ExprId),
    /// `for`
    For {
        /// A declaration, an expression statement, or nothing.
        init: Option<StmtId>,
        /// The condition.
        cond: Option<ExprId>,
        /// The step.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `goto label;`
    Goto(Symbol),
    /// `goto *e;`
    GotoIndirect(ExprId),
    /// `label: statement`
    Label(Symbol, StmtId),
    /// `case low ... high: statement`
    Case {
        /// The value, or the low end of the range.
        low: ExprId,
        /// The high end of a GNU range.
        high: Option<ExprId>,
        /// The statement.
        body: StmtId,
    },
    /// `default: statement`
    Default(StmtId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `__label__ a, b;`
    LocalLabels(List<(Symbol, Span)>),
    /// Inline assembly.
    Asm(AsmId),
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The whole statement.
    pub span: Span,
    /// True if `volatile` (or `__volatile__`) was written.
    pub volatile: bool,
    /// True if `goto` was written.
    pub goto: bool,
    /// The pieces of the template.
    pub template: List<Span>,
    /// Output operands.
    pub outputs: Vec<AsmOperand>,
    /// Input operands.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers: each the pieces of a string.
    pub clobbers: Vec<List<Span>>,
    /// Labels of `asm goto`.
    pub labels: List<(Symbol, Span)>,
}

/// An operand of inline assembly.
#[derive(Clone, Copy, Debug)]
pub struct AsmOperand {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The pieces of the constraint.
    pub constraint: List<Span>,
    /// The expression in parentheses.
    pub expr: ExprId,
}
