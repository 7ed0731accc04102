//! From a typed GOTO program to a goto binary of CBMC's, version 6.
//!
//! The idea: the inverse of [`crate::map`], construct by construct. What GOTO makes explicit stays explicit (layout as
//! padding members, conversions as casts, variable arguments of the program's own functions as a pointer to a structure),
//! so that a reader needs no rule of C to understand the file. Functions without a body are declared, as C compilers do,
//! and whoever reads the file links a library of theirs.
//!
//! Strict: what the format has no words for is an [`Inexpressible`] that names it and where it stands; nothing is left
//! out and nothing is approximated. ESBMC's dialect is made of CBMC's by [`crate::transcode`].
//!
//! **Invariant.** Mapping what is made here gives a program with the same executions, up to the functions without a body.

mod instructions;
mod operations;
mod statics;
mod symbols;
mod threads;
mod types;
mod values;

use crate::binary::{Binary, Dialect, FunctionEntry, SymbolEntry};
use crate::irep::{IrepBuilder, IrepId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::{StructId, TypeId};
use vergo_source::{SourceMap, Span};

/// The greatest number of inexpressible constructs that are listed.
const MOST_ERRORS: usize = 20;

/// Something that the format has no words for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexpressible {
    /// The construct.
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Inexpressible {}

/// Writes a program as a binary of CBMC's. Execution begins with `start`, after static objects have their first values;
/// the program's own entry is left out unless it is that function.
///
/// # Errors
/// Returns the constructs that cannot be expressed.
pub fn express(
    program: &Program,
    sources: &SourceMap,
    start: FunctionId,
) -> Result<Binary, Vec<Inexpressible>> {
    let mut e = Expresser {
        p: program,
        sources,
        b: IrepBuilder::new(Dialect::Cbmc),
        types: FxHashMap::default(),
        values: FxHashMap::default(),
        locations: FxHashMap::default(),
        names: FxHashMap::default(),
        variables: FxHashMap::default(),
        structs: Vec::new(),
        seen_structs: FxHashSet::default(),
        externs: FxHashSet::default(),
        parts: FxHashMap::default(),
        module: String::new(),
        symbols: Vec::new(),
        functions: Vec::new(),
        errors: Vec::new(),
    };
    e.program(start);
    if !e.errors.is_empty() {
        return Err(e.errors);
    }
    Ok(Binary {
        dialect: Dialect::Cbmc,
        version: 6,
        ireps: e.b.finish(),
        symbols: e.symbols,
        functions: e.functions,
        trailing: Box::new([]),
    })
}

/// Either the ireps, or what has none.
type Expressed<T> = Result<T, String>;

struct Expresser<'a> {
    p: &'a Program,
    sources: &'a SourceMap,
    b: IrepBuilder,
    types: FxHashMap<TypeId, IrepId>,
    values: FxHashMap<ExprId, IrepId>,
    locations: FxHashMap<(u32, String), IrepId>,
    /// The names of variables in the file.
    names: FxHashMap<SymbolId, String>,
    /// The variables of functions.
    variables: FxHashMap<FunctionId, Vec<SymbolId>>,
    /// Structures that are used and have no symbol yet.
    structs: Vec<StructId>,
    seen_structs: FxHashSet<StructId>,
    /// Functions that the format needs beside those of the program.
    externs: FxHashSet<&'static str>,
    /// Where expressions of the current instruction stand, if that is not where the instruction stands.
    parts: FxHashMap<ExprId, IrepId>,
    module: String,
    symbols: Vec<SymbolEntry>,
    functions: Vec<FunctionEntry>,
    errors: Vec<Inexpressible>,
}

impl Expresser<'_> {
    fn program(&mut self, start: FunctionId) {
        let p = self.p;
        let file = self.sources.presumed(p.functions[start].span.lo).file;
        let file = file.rsplit('/').next().unwrap_or_default();
        file.split('.').next().unwrap_or_default().clone_into(&mut self.module);
        self.name_variables();
        self.architecture();
        let written = self.written_functions(start);
        self.check_entry(start);
        for &id in &written {
            self.function(id);
        }
        self.initialize(&written);
        self.start(start);
        self.structures();
    }

    /// The functions of the program, and those of its library that they mention.
    fn written_functions(&self, start: FunctionId) -> Vec<FunctionId> {
        let p = self.p;
        let mut written: FxHashSet<FunctionId> = FxHashSet::default();
        let own = p.functions.iter().filter(|(id, f)| !f.library && p.entry != Some(*id));
        let mut work: Vec<FunctionId> = own.map(|(id, _)| id).chain([start]).collect();
        work.retain(|&id| written.insert(id));
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut statics: FxHashSet<SymbolId> = FxHashSet::default();
        while let Some(id) = work.pop() {
            let mut exprs: Vec<ExprId> = Vec::new();
            let mut mentioned: Vec<FunctionId> = Vec::new();
            for instr in p.functions[id].body.iter().flatten() {
                instr.kind.for_each_expr(|e, _| exprs.push(e));
                if let InstrKind::Call { callee: Callee::Direct(f), .. }
                | InstrKind::Spawn { callee: Callee::Direct(f), .. } = instr.kind
                {
                    mentioned.push(f);
                }
            }
            while let Some(expr) = exprs.pop() {
                let mut more: Vec<SymbolId> = Vec::new();
                p.for_each_subexpr(expr, |e| match *p.exprs.kind(e) {
                    _ if !seen.insert(e) => {}
                    ExprKind::Function(f) => mentioned.push(f),
                    ExprKind::Symbol(symbol) if statics.insert(symbol) => more.push(symbol),
                    _ => {}
                });
                for symbol in more {
                    exprs.extend(first_values(p, symbol));
                }
            }
            mentioned.retain(|&id| written.insert(id));
            work.extend(mentioned);
        }
        let mut list: Vec<FunctionId> = written.into_iter().collect();
        list.sort();
        list
    }

    /// Checks that the program's entry does nothing but call `start`, since the rest would be lost.
    fn check_entry(&mut self, start: FunctionId) {
        let Some(entry) = self.p.entry.filter(|&entry| entry != start) else { return };
        for instr in self.p.functions[entry].body.iter().flatten() {
            if let InstrKind::Call { callee: Callee::Direct(f), .. } = instr.kind
                && f != start
                && !self.p.functions[f].library
            {
                let function = &self.p.functions[f];
                let what = format!("`{}`, which runs before or after `main`", function.display);
                self.fail(what, function.span);
            }
        }
    }

    fn fail(&mut self, what: String, span: Span) {
        if self.errors.len() < MOST_ERRORS && !self.errors.iter().any(|e| e.what == what) {
            self.errors.push(Inexpressible { what, span });
        }
    }

    /// The irep of a position, `nil` if there is none.
    fn location(&mut self, span: Span, function: &str) -> IrepId {
        if span == Span::DUMMY {
            return self.b.leaf("nil");
        }
        let key = (span.lo, function.to_owned());
        if let Some(&irep) = self.locations.get(&key) {
            return irep;
        }
        let named = self.position(span, function);
        let named: Vec<(&str, IrepId)> = named.iter().map(|(k, v)| (&k[..], *v)).collect();
        let irep = if named.is_empty() { self.b.leaf("nil") } else { self.b.irep("", &[], &named) };
        self.locations.insert(key, irep);
        irep
    }

    /// Returns the attributes of a position.
    fn position(&mut self, span: Span, function: &str) -> Vec<(&'static str, IrepId)> {
        let location = self.sources.presumed(span.lo);
        if span == Span::DUMMY || location.line == 0 {
            return Vec::new();
        }
        let file = self.b.leaf(location.file.as_bytes());
        let line = self.b.leaf(location.line.to_string());
        let column = self.b.leaf(location.column.to_string());
        let function = self.b.leaf(function);
        vec![("file", file), ("line", line), ("column", column), ("function", function)]
    }

    /// Returns whether a variable is a string literal, which is written where it is used.
    fn is_string(&self, symbol: SymbolId) -> bool {
        self.string_bytes(symbol).is_some()
    }

    /// Returns whether a function is declared and has no body in the program.
    fn is_declared(&self, function: FunctionId) -> bool {
        self.p.functions[function].body.is_none()
    }

    /// Returns whether a function without a body takes variable arguments. Those of the others are a plain pointer.
    fn is_variadic(&self, function: FunctionId) -> bool {
        let ty = self.p.types.get(self.p.functions[function].ty);
        let vergo_goto::types::Type::Func(_, params) = ty else { return false };
        let last = params.last().is_some_and(|&ty| self.p.is_variable_arguments(ty));
        last && self.is_declared(function)
    }

    /// The function that an expression names, through casts of its address.
    fn named_function(&self, mut expr: ExprId) -> Option<FunctionId> {
        loop {
            match *self.p.exprs.kind(expr) {
                ExprKind::Cast(_, inner) => expr = inner,
                ExprKind::Function(f) => return Some(f),
                _ => return None,
            }
        }
    }
}

/// The expressions in the first value of a variable.
fn first_values(p: &Program, symbol: SymbolId) -> impl Iterator<Item = ExprId> + '_ {
    let parts = match &p.symbols[symbol].kind {
        SymbolKind::Static { init: StaticInit::Data(parts), .. } => &parts[..],
        _ => &[],
    };
    parts.iter().filter_map(|part| match part {
        InitPart::Value { value, .. } => Some(*value),
        InitPart::Bytes { .. } => None,
    })
}
