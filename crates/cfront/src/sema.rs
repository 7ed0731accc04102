//! The analysis: from the syntax tree to the typed tree.
//!
//! One pass over the external declarations in order, as C demands: a name means what is declared before it. Every
//! function of this module takes a node of the syntax tree and builds the typed node for it, reporting what is wrong;
//! a node that is wrong becomes an error node, on which everything else is silent.
//!
//! The parts: [`scope`] (names); `specs`, `declarator`, `attributes`, `record` (types); `decl`, `variable`, `function`, `nested`
//! (declarations and linkage); `expr`, `primary`, `operators`, `assign`, `conditional`, `vector`, `call`, `builtin`,
//! `atomic`, `library` (expressions); `convert` (conversions); `init`, `slots` (initialisers); `stmt` (statements).
//!
//! Constructs that gcc accepts with a warning are accepted with a warning; those that it rejects are errors.

mod aggregates;
mod assign;
mod atomic;
mod attributes;
mod builtin;
mod call;
pub mod codes;
mod conditional;
mod convert;
mod decl;
mod declarator;
mod expr;
mod function;
mod init;
mod library;
mod nested;
mod operators;
mod pack;
mod primary;
mod record;
mod scope;
mod slots;
mod specs;
mod stmt;
mod variable;
mod variadic;
mod vector;
mod verifier;

use crate::ast::{self, Ast};
use crate::consteval::{Evaluator, NotConstant, Reason, Value};
use crate::hir::{self, Expr, ExprId, ExprKind, FuncId, Item, Stmt, StmtId, StmtKind, Unit, VarId};
use crate::intern::{Interner, Symbol};
use crate::layout;
use crate::options::Options;
use crate::pool::Pool;
use crate::target::{DataModel, Target};
use crate::typename;
use crate::types::{ArrayLen, FloatKind, IntKind, QualType, RecordId, TypeId, TypeKind, TypeTable};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use scope::{Entity, NameSpace, Tag};
use vergo_num::BitVec;
use vergo_source::{Code, Diagnostic, Diagnostics, Severity, SourceMap, Span};

/// Analyses a translation unit. The result is complete if no error was reported.
pub fn analyze(
    mut ast: Ast,
    sources: &SourceMap,
    options: &Options,
    diags: &mut Diagnostics,
) -> Unit {
    let names = std::mem::take(&mut ast.names);
    let mut sema = Sema::new(&ast, names, sources, options, diags);
    for index in 0..ast.items.len() {
        if options
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed))
        {
            break;
        }
        sema.item(ast.items[index]);
    }
    sema.finish()
}

/// Types that the analysis needs all the time.
#[derive(Clone, Copy, Debug)]
struct Basics {
    error: QualType,
    void: QualType,
    bool_: QualType,
    char: QualType,
    int: QualType,
    uint: QualType,
    long: QualType,
    ulong: QualType,
    llong: QualType,
    ullong: QualType,
    double: QualType,
    size: QualType,
    ptrdiff: QualType,
    void_ptr: QualType,
    char_ptr: QualType,
    va_list: QualType,
}

/// Something with external or internal linkage, visible or not.
#[derive(Clone, Copy, Debug)]
enum Linked {
    Var(VarId),
    Function(FuncId),
}

/// The function whose body is being analysed.
#[derive(Debug)]
struct FunctionContext {
    id: FuncId,
    ret: QualType,
    /// Labels that are visible, by name.
    labels: FxHashMap<Symbol, LabelEntry>,
    /// Jumps to check at the end.
    gotos: Vec<(hir::LabelId, Span, u32)>,
    /// Statements that `break` and `continue` can refer to, innermost last.
    targets: Vec<JumpTarget>,
    switches: Vec<SwitchContext>,
    /// By label: where it is defined, and in which guarded scope.
    defined: FxHashMap<hir::LabelId, (Span, u32)>,
    /// The innermost guarded scope (one that cannot be jumped into); 0 is the function.
    guard: u32,
    /// The parents of guarded scopes.
    guards: Vec<u32>,
    /// Declarations of hidden variables to emit before the statement in work.
    hidden: Vec<StmtId>,
    /// The first builtin of the processor in the body that Vergo does not know, and where it is called.
    unknown_builtin: Option<(Symbol, Span)>,
    /// `__func__`, once used.
    name_var: Option<VarId>,
    /// The function around a nested one.
    outer: Option<Box<FunctionContext>>,
}

/// A statement that `break` or `continue` can refer to.
#[derive(Clone, Copy, Debug)]
struct JumpTarget {
    stmt: StmtId,
    is_loop: bool,
}

#[derive(Clone, Copy, Debug)]
struct LabelEntry {
    id: hir::LabelId,
    first_use: Span,
    /// True if `__label__` declares it, so that nested functions see it.
    local: bool,
}

#[derive(Debug)]
struct SwitchContext {
    ty: QualType,
    cases: Vec<hir::Case>,
    default: Option<StmtId>,
    guard: u32,
}

/// The state of the analysis.
struct Sema<'a> {
    ast: &'a Ast,
    sources: &'a SourceMap,
    diags: &'a mut Diagnostics,
    unit: Unit,
    basics: Basics,
    /// True if different types of one function are accepted.
    lenient: bool,
    scopes: NameSpace<Entity>,
    tags: NameSpace<Tag>,
    /// Values and types of enumerators.
    enumerators: Vec<(BitVec, QualType)>,
    /// Functions and variables with linkage, by name.
    linked: FxHashMap<Symbol, Linked>,
    function: Option<FunctionContext>,
    /// The depth of the scopes around the nested function in work, or 0.
    outer_depth: u32,
    /// Assignments of the lengths of variable-length arrays, pending until the place of their evaluation.
    vla_lengths: Vec<ExprId>,
    /// The number of enclosing unevaluated operands (`sizeof`, `typeof`, `_Generic`).
    unevaluated: u32,
    packs: pack::Packs,
    /// Names that were reported as undeclared, to say it once.
    reported: FxHashMap<Symbol, ()>,
    /// Static functions that were used before a definition.
    used_internal: Vec<(FuncId, Span)>,
    /// Definitions that a later one may replace (GNU `extern inline`).
    replaceable: FxHashMap<FuncId, ()>,
    /// The number of enclosing prototypes that are not those of a definition.
    prototype_depth: u32,
    /// True if the parameters of a function definition are being analysed.
    in_definition_params: bool,
    /// Declarations of hidden variables in the parameters of a definition.
    definition_hidden: Vec<StmtId>,
    definition_params: declarator::DefinitionParams,
    /// The names in function definitions.
    defined_at: FxHashMap<FuncId, Span>,
    /// Parameters that were declared `register`.
    register_params: FxHashMap<VarId, ()>,
    /// Functions that only the compiler has declared so far.
    builtin_declared: FxHashMap<FuncId, ()>,
    /// Structures and unions whose members are being read.
    defining: Vec<RecordId>,
    /// For each structure and union: the number of the direct member that is, or anonymously contains, a name.
    members: FxHashMap<(RecordId, Symbol), u32>,
    wchar: QualType,
    char16: QualType,
    char32: QualType,
}

impl<'a> Sema<'a> {
    fn new(
        ast: &'a Ast,
        names: Interner,
        sources: &'a SourceMap,
        options: &Options,
        diags: &'a mut Diagnostics,
    ) -> Sema<'a> {
        let target = Target::new(options.model);
        let mut types = TypeTable::new();
        let mut q = |kind| QualType::from(types.intern(kind));
        let error = q(TypeKind::Error);
        let void = q(TypeKind::Void);
        let char = q(TypeKind::Int(IntKind::Char));
        let (size, ptrdiff, wchar) = match target.model {
            DataModel::Ilp32 => (IntKind::UInt, IntKind::Int, IntKind::Long),
            DataModel::Lp64 => (IntKind::ULong, IntKind::Long, IntKind::Int),
        };
        let basics = Basics {
            error,
            void,
            bool_: q(TypeKind::Bool),
            char,
            int: q(TypeKind::Int(IntKind::Int)),
            uint: q(TypeKind::Int(IntKind::UInt)),
            long: q(TypeKind::Int(IntKind::Long)),
            ulong: q(TypeKind::Int(IntKind::ULong)),
            llong: q(TypeKind::Int(IntKind::LongLong)),
            ullong: q(TypeKind::Int(IntKind::ULongLong)),
            double: q(TypeKind::Float(FloatKind::Double)),
            size: q(TypeKind::Int(size)),
            ptrdiff: q(TypeKind::Int(ptrdiff)),
            void_ptr: q(TypeKind::Pointer(void)),
            char_ptr: q(TypeKind::Pointer(char)),
            va_list: q(TypeKind::VaList),
        };
        let wchar = q(TypeKind::Int(wchar));
        let char16 = q(TypeKind::Int(IntKind::UShort));
        let char32 = q(TypeKind::Int(IntKind::UInt));
        // A typed tree has about two nodes for each of the syntax tree.
        let unit = Unit {
            target,
            names,
            types,
            vars: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            exprs: PrimaryMap::with_capacity(ast.exprs.len() * 3 / 2),
            stmts: PrimaryMap::with_capacity(ast.stmts.len()),
            inits: PrimaryMap::with_capacity(ast.inits.len()),
            labels: PrimaryMap::new(),
            strings: PrimaryMap::new(),
            floats: PrimaryMap::new(),
            wide_ints: Vec::new(),
            asms: PrimaryMap::new(),
            expr_lists: Pool::default(),
            stmt_lists: Pool::default(),
            var_lists: Pool::default(),
            case_lists: Pool::default(),
            init_lists: Pool::default(),
            items: Vec::new(),
            orders: FxHashMap::default(),
            captured: cranelift_entity::EntitySet::new(),
        };
        Sema {
            ast,
            sources,
            diags,
            unit,
            basics,
            lenient: options.lenient,
            scopes: NameSpace::new(),
            tags: NameSpace::new(),
            enumerators: Vec::new(),
            linked: FxHashMap::default(),
            function: None,
            outer_depth: 0,
            vla_lengths: Vec::new(),
            unevaluated: 0,
            packs: pack::Packs::read(ast, sources),
            reported: FxHashMap::default(),
            used_internal: Vec::new(),
            replaceable: FxHashMap::default(),
            prototype_depth: 0,
            in_definition_params: false,
            definition_hidden: Vec::new(),
            definition_params: declarator::DefinitionParams::default(),
            defined_at: FxHashMap::default(),
            register_params: FxHashMap::default(),
            builtin_declared: FxHashMap::default(),
            defining: Vec::new(),
            members: FxHashMap::default(),
            wchar,
            char16,
            char32,
        }
    }

    // Diagnostics.

    fn report(&mut self, diagnostic: Diagnostic) {
        // Warnings about system headers are of no use to anybody.
        if diagnostic.severity != Severity::Error
            && self.sources.in_system_header(diagnostic.primary.lo)
        {
            return;
        }
        self.diags.push(diagnostic);
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    /// The type in backquotes.
    fn show(&self, ty: QualType) -> String {
        format!("`{}`", typename::type_name(&self.unit.types, &self.unit.names, ty))
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.unit.names.name(symbol)
    }

    // Types.

    fn ty(&self, expr: ExprId) -> QualType {
        self.unit.exprs[expr].ty
    }

    fn span(&self, expr: ExprId) -> Span {
        self.unit.exprs[expr].span
    }

    fn kind(&self, ty: QualType) -> &TypeKind {
        self.unit.types.kind(ty)
    }

    fn is_error(&self, ty: QualType) -> bool {
        matches!(self.unit.types.kind(ty), TypeKind::Error)
    }

    /// The type of a value: no qualifiers, no alignment.
    fn value_type(&self, ty: QualType) -> QualType {
        self.unit.types.canonical(ty.ty()).into()
    }

    fn pointer_to(&mut self, ty: QualType) -> QualType {
        self.unit.types.pointer(ty).into()
    }

    fn array_of(&mut self, element: QualType, len: ArrayLen) -> QualType {
        self.unit.types.intern(TypeKind::Array(element, len)).into()
    }

    fn intern(&mut self, kind: TypeKind) -> QualType {
        self.unit.types.intern(kind).into()
    }

    fn size_of(&self, ty: QualType) -> Option<u64> {
        layout::size_of(&self.unit.types, &self.unit.target, ty)
    }

    fn same_type(&self, a: QualType, b: QualType) -> bool {
        a == b || (a.quals() == b.quals() && self.canonical(a) == self.canonical(b))
    }

    fn canonical(&self, ty: QualType) -> TypeId {
        self.unit.types.canonical(ty.ty())
    }

    // Nodes.

    fn push(&mut self, span: Span, ty: QualType, kind: ExprKind) -> ExprId {
        self.unit.exprs.push(Expr { span, ty, kind })
    }

    fn error_expr(&mut self, span: Span) -> ExprId {
        self.push(span, self.basics.error, ExprKind::Error)
    }

    fn int_expr(&mut self, span: Span, ty: QualType, value: u64) -> ExprId {
        self.push(span, ty, ExprKind::Int(value))
    }

    /// A constant of an integer type of any width.
    fn word_expr(&mut self, span: Span, ty: QualType, value: &BitVec) -> ExprId {
        match value.to_u64() {
            Some(small) if value.width() <= 64 => self.push(span, ty, ExprKind::Int(small)),
            _ => {
                let index = self.unit.wide_ints.len() as u32;
                self.unit.wide_ints.push(value.clone());
                self.push(span, ty, ExprKind::WideInt(index))
            }
        }
    }

    fn push_stmt(&mut self, span: Span, kind: StmtKind) -> StmtId {
        self.unit.stmts.push(Stmt { span, kind })
    }

    // Constants.

    /// Evaluates an integer constant expression that the grammar demands; reports what is wrong with it.
    fn constant_int(&mut self, expr: ExprId, what: &str) -> Option<BitVec> {
        let ty = self.ty(expr);
        if self.is_error(ty) {
            return None;
        }
        let span = self.span(expr);
        if !self.unit.types.is_integer(ty) {
            let shown = self.show(ty);
            self.error(
                codes::NOT_CONSTANT,
                span,
                format!("{what} is not an integer but has type {shown}"),
            );
            return None;
        }
        let mut evaluator = Evaluator::new(&self.unit);
        let value = evaluator.eval_int(expr);
        let overflow = evaluator.overflow;
        match value {
            Ok(value) => {
                if let Some(span) = overflow {
                    self.warning(
                        codes::CONSTANT_OVERFLOW,
                        span,
                        "overflow in a constant expression",
                    );
                }
                Some(value)
            }
            Err(reason) => {
                self.not_constant(reason, what, span);
                None
            }
        }
    }

    fn not_constant(&mut self, reason: NotConstant, what: &str, whole: Span) {
        match reason.reason {
            Reason::Error => {}
            Reason::DivisionByZero => {
                self.error(
                    codes::DIVISION_BY_ZERO,
                    reason.span,
                    format!("division by zero in {what}"),
                );
            }
            Reason::Runtime => {
                let diagnostic = Diagnostic::error(
                    codes::NOT_CONSTANT,
                    whole,
                    format!("{what} is not constant"),
                );
                let diagnostic = if reason.span == whole {
                    diagnostic
                } else {
                    diagnostic.label(reason.span, "this is known only at run time")
                };
                self.report(diagnostic);
            }
        }
    }

    /// The value of an expression if it folds; nothing is reported.
    fn try_fold(&self, expr: ExprId) -> Option<Value> {
        Evaluator::new(&self.unit).eval(expr).ok()
    }

    /// A literal zero, or an expression that folds to zero without reading anything: a null pointer constant.
    fn is_null_constant(&self, expr: ExprId) -> bool {
        let node = self.unit.exprs[expr];
        match node.kind {
            ExprKind::Int(value) if self.unit.types.is_integer(node.ty) => value == 0,
            ExprKind::Cast(
                hir::CastKind::IntToPtr | hir::CastKind::NoOp | hir::CastKind::Ptr,
                inner,
            ) if self.canonical(node.ty) == self.basics.void_ptr.ty() => {
                self.is_null_constant(inner)
            }
            _ if matches!(self.kind(node.ty), TypeKind::Nullptr) => true,
            ExprKind::Cast(hir::CastKind::Int, _)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cond(..)
                if self.unit.types.is_integer(node.ty) =>
            {
                matches!(Evaluator::new(&self.unit).eval(expr), Ok(Value::Int(value)) if value.is_zero())
            }
            _ => false,
        }
    }

    /// The typed node for a folded value.
    fn value_expr(&mut self, span: Span, ty: QualType, value: &Value) -> Option<ExprId> {
        match value {
            Value::Int(word) => Some(self.word_expr(span, ty, word)),
            Value::Float(value) => {
                let id = self.unit.floats.push(value.clone());
                Some(self.push(span, ty, ExprKind::Float(id)))
            }
            Value::Address(address) if address.base == crate::consteval::Base::Absolute => {
                Some(self.push(span, ty, ExprKind::Int(address.offset)))
            }
            Value::Complex(..) | Value::ComplexInt(..) | Value::Address(_) => None,
        }
    }

    // Text.

    fn text(&self, span: Span) -> &'a [u8] {
        self.sources.span_text(span)
    }

    // Items.

    fn item(&mut self, item: ast::Item) {
        match item {
            ast::Item::Decl(decl) => {
                self.declaration(decl, &mut Vec::new());
            }
            ast::Item::Function(definition) => {
                self.function_definition(&definition);
            }
            ast::Item::Asm(asm) => {
                let asm = self.asm(asm);
                self.unit.items.push(Item::Asm(asm));
            }
        }
        // Lengths of arrays at file scope have been reported.
        self.vla_lengths.clear();
    }

    fn finish(mut self) -> Unit {
        self.complete_tentative();
        let mut seen: FxHashMap<FuncId, ()> = FxHashMap::default();
        for (function, span) in std::mem::take(&mut self.used_internal) {
            if seen.insert(function, ()).is_some() {
                continue;
            }
            let of = &self.unit.functions[function];
            if of.body.is_none() && of.linkage == hir::Linkage::Internal && of.alias.is_none() {
                let message =
                    format!("`{}` is static and used but never defined", self.name(of.name));
                let declared = of.span;
                self.report(
                    Diagnostic::warning(codes::UNDEFINED_INTERNAL, declared, message)
                        .label(span, "used here"),
                );
            }
        }
        self.unit
    }

    /// A similar visible name, for "did you mean".
    fn similar_name(
        &self,
        symbol: Symbol,
        candidates: impl Iterator<Item = Symbol>,
    ) -> Option<String> {
        let wanted = self.name(symbol);
        let limit = (wanted.len() / 3).min(3);
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates.take(20_000) {
            let name = self.name(candidate);
            if candidate == symbol || name.len().abs_diff(wanted.len()) > limit {
                continue;
            }
            let distance = edit_distance(wanted.as_bytes(), name.as_bytes(), limit);
            if distance <= limit && best.is_none_or(|(other, _)| distance < other) {
                best = Some((distance, name));
            }
        }
        best.map(|(_, name)| name.to_owned())
    }
}

/// The number of insertions, deletions, replacements and swaps that lead from one word to another, or more than the
/// limit.
fn edit_distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    if a.len() > 64 || b.len() > 64 {
        return limit + 1;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before_last[j - 2] + 1);
            }
            row.push(cost);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
