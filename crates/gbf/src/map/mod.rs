//! From a goto binary to a typed GOTO program.
//!
//! The idea: names of the file stay names of the program; what the file leaves implicit is made explicit. A result is
//! set and not returned, so each function has a variable for it. Variables whose size is not constant become pointers to
//! memory of the stack. The function that initialises static objects becomes first values where these are constant, and
//! stays code where they are not. A function without a body is listed, for the caller to give it one.
//!
//! A construct that is not handled becomes an `unsupported` instruction that names it, at its place: a verdict that
//! does not depend on it is not affected. Only a file of which nothing can be made is an error.
//!
//! A binary has no checks in it, since its tool adds them when it reads it; neither have we: passes insert them.

mod calls;
mod conversions;
mod functions;
mod instructions;
mod missing;
mod operations;
mod positions;
mod quantifiers;
mod statics;
mod threads;
mod types;
mod values;
mod varargs;
mod variable;

use crate::binary::Binary;
use crate::irep::{IrepId, TextId};
use crate::view::{FunctionView, SymbolView, plain_name};
pub use positions::PLACES;
use positions::Positions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    Function, FunctionId, InitPart, Program, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Machine, StructId, TypeId};
use vergo_source::{SourceMap, Span};

/// A program, and what it lacks.
#[derive(Debug)]
pub struct Mapped {
    /// The program, without an entry.
    pub program: Program,
    /// Functions that are used and have no body.
    pub missing: Vec<Missing>,
    /// The way in which it starts.
    pub start: Option<Start>,
    /// Constructs that are not handled, each once, with where it first stands.
    pub unsupported: Vec<(String, Span)>,
    /// The classes that the file gives its claims, by where they are and what they say.
    pub classes: FxHashMap<(FunctionId, Span, String), String>,
    /// Variables that are declared and defined nowhere.
    pub undefined: Vec<String>,
    /// Methods of another language that have no body: they return any value and change nothing.
    pub opaque: Vec<String>,
}

/// A function without a body.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The function.
    pub function: FunctionId,
    /// The name by which the library knows it.
    pub name: String,
    /// Its type in C: the result, then the parameters; `None` if C has no words for it here.
    pub signature: Option<Vec<String>>,
    /// True if it takes variable arguments, which its last parameter points to.
    pub variadic: bool,
    /// True if the file declares its parameters; else they are those of a call.
    pub prototype: bool,
    /// The parameters whose argument is a constant zero in every call: what the library takes for a pointer is null there.
    pub zeros: Vec<usize>,
}

/// An argument of a call of a function without declared parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Given {
    ty: TypeId,
    /// True for an integer constant zero, which is null where a pointer is taken.
    zero: bool,
}

/// The way in which a program starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Static objects are initialised, then a function is called.
    Call {
        /// The function that initialises static objects.
        initialize: Option<FunctionId>,
        /// The function that is called.
        function: FunctionId,
        /// True if the function is C's `main`.
        is_main: bool,
        /// For each of its first two parameters, whether it looks at it.
        looks_at: [bool; 2],
    },
    /// A function does everything.
    Whole(FunctionId),
}

/// The options of the mapping.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function in which the program begins, by the name that the user wrote.
    pub entry: String,
    /// True if functions of the other tool's library are left out, so that the caller gives them bodies.
    pub own_library: bool,
    /// Returns whether a class of claims is a property of ours. Claims of other classes are assertions.
    pub is_property: fn(&str) -> bool,
    /// True if the goals of the file are claimed to be unreachable; otherwise they are left out.
    pub goals: bool,
    /// True if `malloc` may fail, so that every call of it is the library's.
    pub malloc_may_fail: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entry: "main".to_owned(),
            own_library: true,
            is_property: |_| false,
            goals: false,
            malloc_may_fail: false,
        }
    }
}

/// Maps a binary to a program. Positions go into the source map.
///
/// # Errors
/// A sentence about what makes the whole file unusable.
pub fn map(binary: &Binary, sources: &mut SourceMap, options: &Options) -> Result<Mapped, String> {
    let symbols = binary.symbol_views();
    let functions = binary.function_views();
    let positions = Positions::new(binary, &symbols, sources);
    let mut symbol_by_name = FxHashMap::default();
    for (i, symbol) in symbols.iter().enumerate() {
        symbol_by_name.insert(symbol.name.clone(), i);
    }
    let mut mapper = Mapper {
        b: binary,
        p: Program::new(Machine::LP64),
        positions,
        is_property: options.is_property,
        goals: options.goals,
        malloc_may_fail: options.malloc_may_fail,
        malloc: None,
        unprototyped: FxHashMap::default(),
        symbols,
        symbol_by_name,
        types: FxHashMap::default(),
        variable: FxHashMap::default(),
        tags: FxHashMap::default(),
        open_tags: Vec::new(),
        written: FxHashMap::default(),
        complexes: FxHashMap::default(),
        struct_names: FxHashMap::default(),
        places: FxHashMap::default(),
        objects: FxHashMap::default(),
        taken: FxHashSet::default(),
        named: FxHashMap::default(),
        owners: FxHashMap::default(),
        bodies: FxHashSet::default(),
        threads: Vec::new(),
        called: None,
        packs: FxHashMap::default(),
        values: FxHashMap::default(),
        strings: FxHashMap::default(),
        labels: FxHashMap::default(),
        class_names: FxHashMap::default(),
        bound: FxHashMap::default(),
        builder: FunctionBuilder::new(),
        current: None,
        effects: 0,
        conditional: 0,
        guards: Vec::new(),
        conversions: false,
        claims_conversions: false,
        n_temps: 0,
        instances: 0,
        unsupported: Vec::new(),
        reported: FxHashSet::default(),
        classes: FxHashMap::default(),
        undefined: Vec::new(),
        opaque: Vec::new(),
    };
    mapper.p.machine = mapper.machine()?;
    mapper.conversions = !mapper.has_own_conversion_claims();
    mapper.run(&functions, options)
}

/// A construct that is not handled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(pub(crate) String);

pub(crate) type Mapping<T> = Result<T, Unsupported>;

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Mapping<T> {
    Err(Unsupported(what.into()))
}

/// The object that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Object {
    Variable(SymbolId),
    /// A variable whose size is not constant: the pointer to its memory.
    Dynamic(SymbolId),
    Function(FunctionId),
}

pub(crate) type WrittenStruct = (String, bool, Vec<(String, TypeId)>);

pub(crate) struct Mapper<'a> {
    pub(crate) b: &'a Binary,
    pub(crate) p: Program,
    positions: Positions,
    is_property: fn(&str) -> bool,
    goals: bool,
    malloc_may_fail: bool,
    /// The function that allocates, where the file has a word for it and no function.
    malloc: Option<FunctionId>,
    /// Functions without a body and without declared parameters, by the arguments of calls.
    unprototyped: FxHashMap<(FunctionId, Vec<Given>), FunctionId>,
    symbols: Vec<SymbolView<'a>>,
    symbol_by_name: FxHashMap<Cow<'a, str>, usize>,
    types: FxHashMap<IrepId, TypeId>,
    /// For each type, whether its size is known only at run time.
    variable: FxHashMap<IrepId, bool>,
    tags: FxHashMap<String, StructId>,
    open_tags: Vec<IrepId>,
    written: FxHashMap<WrittenStruct, StructId>,
    /// The structures that are complex numbers, by the type of their parts.
    complexes: FxHashMap<TypeId, StructId>,
    struct_names: FxHashMap<String, u32>,
    /// For each structure, the member that each component became.
    places: FxHashMap<StructId, Vec<Option<u32>>>,
    objects: FxHashMap<String, Object>,
    /// The names that variables of the program have.
    taken: FxHashSet<String>,
    /// The same by the texts of names that have been met; forgotten where names change their meaning.
    named: FxHashMap<TextId, Object>,
    /// The functions in which variables are declared.
    owners: FxHashMap<String, FunctionId>,
    /// The functions that get a body from the file.
    bodies: FxHashSet<FunctionId>,
    /// The threads that instructions start.
    threads: Vec<threads::Thread>,
    /// The names of functions that are called by their names, once somebody has asked.
    called: Option<FxHashSet<&'a str>>,
    /// The structures in which variable arguments are passed to our library, by the arguments' types.
    packs: FxHashMap<Vec<TypeId>, StructId>,
    values: FxHashMap<IrepId, ExprId>,
    strings: FxHashMap<(TypeId, Vec<u8>), SymbolId>,
    labels: FxHashMap<String, i128>,
    class_names: FxHashMap<String, i128>,
    /// The values of variables that quantifiers bind.
    bound: FxHashMap<String, ExprId>,
    builder: FunctionBuilder,
    current: Option<FunctionId>,
    /// The number of emitted effects: an expression that had one is not shared.
    effects: u64,
    /// The depth of conditional evaluation.
    conditional: u32,
    /// The conditions under which what we look at is evaluated, each with the truth value that it has.
    guards: Vec<(ExprId, bool)>,
    /// True if conversions of floats to integers are claimed to fit, in the program and in the current function.
    conversions: bool,
    claims_conversions: bool,
    n_temps: u32,
    /// The number of quantifiers' instances that have been written out.
    instances: i128,
    unsupported: Vec<(String, Span)>,
    reported: FxHashSet<String>,
    classes: FxHashMap<(FunctionId, Span, String), String>,
    undefined: Vec<String>,
    opaque: Vec<String>,
}

impl Mapper<'_> {
    /// The machine that the file is for.
    fn machine(&self) -> Result<Machine, String> {
        let value = |name: &str| {
            let symbol = &self.symbols[*self.symbol_by_name.get(name)?];
            self.constant_size(symbol.value?)
        };
        if value("__CPROVER_architecture_endianness").is_some_and(|endianness| endianness == 2) {
            return Err("the program is for a big-endian machine".to_owned());
        }
        match value("__CPROVER_architecture_pointer_width") {
            Some(32) => Ok(Machine::ILP32),
            Some(64) => Ok(Machine::LP64),
            Some(other) => Err(format!("the program is for a machine with {other}-bit pointers")),
            // Without the symbols, the types say it.
            None => {
                let width = self.symbols.iter().find_map(|symbol| {
                    (self.b.ireps.id(symbol.ty) == "pointer")
                        .then(|| self.b.ireps.get_id(symbol.ty, "width").parse::<u32>().ok())?
                });
                Ok(if width == Some(32) { Machine::ILP32 } else { Machine::LP64 })
            }
        }
    }

    fn run(mut self, functions: &[FunctionView<'_>], options: &Options) -> Result<Mapped, String> {
        let mut names = FxHashSet::default();
        let kept: Vec<&FunctionView<'_>> = functions
            .iter()
            .filter(|f| {
                let symbol = self.symbol_by_name.get(&f.name).map(|&i| &self.symbols[i]);
                !(options.own_library && self.b.is_library(f, symbol))
            })
            .filter(|f| names.insert(&f.name))
            .collect();
        let start = self.find_start(&kept, options);
        // What prepares and calls `main` is replaced.
        let replaced = |f: &FunctionView<'_>| {
            matches!(start, Some(Entry::Call { .. }))
                && matches!(&f.name[..], "__CPROVER__start" | "_start" | "__ESBMC_main")
        };
        let kept: Vec<&FunctionView<'_>> = kept.into_iter().filter(|f| !replaced(f)).collect();
        self.declare_functions(&kept);
        kept.iter().for_each(|function| self.body(function));
        self.opaque_bodies();
        let initialize = self.initialize(functions, &start);
        let start = start.and_then(|start| self.start(start, initialize));
        let missing = self.missing();
        Ok(Mapped {
            program: self.p,
            missing,
            start,
            unsupported: self.unsupported,
            classes: self.classes,
            undefined: self.undefined,
            opaque: self.opaque,
        })
    }

    fn find_start(&self, functions: &[&FunctionView<'_>], options: &Options) -> Option<Entry> {
        let named = |name: &str| {
            let exact = functions.iter().find(|f| f.name == name);
            let exact = exact.or_else(|| functions.iter().find(|f| plain_name(&f.name) == name));
            exact.map(|f| f.name.to_string())
        };
        if let Some(function) = named(&options.entry) {
            return Some(Entry::Call { is_main: options.entry == "main", function });
        }
        if options.entry != "main" {
            // A longer name, as Rust's and Java's are, can be given by its end.
            let mut ends = functions.iter().filter(|f| f.name.ends_with(&options.entry));
            return match (ends.next(), ends.next()) {
                (Some(f), None) => {
                    Some(Entry::Call { is_main: false, function: f.name.to_string() })
                }
                _ => None,
            };
        }
        ["__CPROVER__start", "_start", "__ESBMC_main"]
            .iter()
            .find_map(|n| named(n))
            .map(Entry::Whole)
    }

    fn start(&mut self, entry: Entry, initialize: Option<FunctionId>) -> Option<Start> {
        let function = |m: &Self, name: &str| match m.objects.get(name) {
            Some(Object::Function(function)) => Some(*function),
            _ => None,
        };
        match entry {
            Entry::Whole(name) => Some(Start::Whole(function(self, &name)?)),
            Entry::Call { function: name, is_main } => {
                let id = function(self, &name)?;
                let looks_at = [0, 1].map(|i| {
                    let Some(&param) = self.p.functions[id].params.get(i) else { return false };
                    let place = self.p.symbol(param);
                    let body = self.p.functions[id].body.as_deref().unwrap_or_default();
                    let mut used = false;
                    for instr in body {
                        instr.kind.for_each_expr(|e, _| {
                            self.p.for_each_subexpr(e, |x| used |= x == place);
                        });
                    }
                    used
                });
                Some(Start::Call { initialize, function: id, is_main, looks_at })
            }
        }
    }

    /// Notes something that is not handled.
    fn report(&mut self, what: &str, span: Span) {
        if self.reported.insert(what.to_owned()) {
            self.unsupported.push((what.to_owned(), span));
        }
    }

    /// Returns the object that a name stands for; a variable that is not declared in the file has the type of its use.
    fn object(&mut self, name: &str, used_at: Option<IrepId>) -> Mapping<Object> {
        if let Some(&object) = self.objects.get(name) {
            return Ok(object);
        }
        let symbol = self.symbol_by_name.get(name).map(|&i| self.symbols[i].clone());
        let ty_irep = match (&symbol, used_at) {
            (Some(symbol), _) => symbol.ty,
            (None, Some(ty)) => ty,
            (None, None) => return unsupported(format!("the unknown name `{name}`")),
        };
        let location = symbol.as_ref().and_then(|s| s.location);
        let span = self.positions.span(location);
        let base_name = symbol.as_ref().map_or(name, |s| &s.base_name[..]).to_owned();
        if self.b.ireps.id(ty_irep) == "code" {
            let ty = self.function_type(ty_irep)?;
            let display =
                if base_name.is_empty() { plain_name(name).to_owned() } else { base_name };
            let function =
                self.p.add_function(Function { span, ..Function::declaration(name, display, ty) });
            let object = Object::Function(function);
            self.objects.insert(name.to_owned(), object);
            return Ok(object);
        }
        let owner = self.owners.get(name).copied();
        let is_static = symbol.as_ref().is_none_or(|s| s.static_lifetime);
        let b = self.b;
        if self.is_variable(ty_irep) {
            let Some(owner) = owner else {
                return unsupported(format!("the variable `{name}`, whose size is not constant"));
            };
            let unit = self.unit(ty_irep)?;
            if self.p.size_of(unit).is_none() {
                return unsupported(format!("the variable `{name}`, whose elements have no size"));
            }
            let ty = self.p.types.ptr(unit);
            let symbol = self.add_variable(name, &base_name, ty, SymbolKind::Local(owner), span);
            let object = Object::Dynamic(symbol);
            self.objects.insert(name.to_owned(), object);
            return Ok(object);
        }
        let ty = self.ty(ty_irep)?;
        if self.p.size_of(ty).is_none() {
            return unsupported(format!("the variable `{name}`, which has no size"));
        }
        let kind = match owner {
            Some(owner) => SymbolKind::Local(owner),
            // What no function declares is there all the time, and has any value until it is assigned.
            None => SymbolKind::Static {
                init: StaticInit::Nondet,
                thread_local: is_static && symbol.as_ref().is_some_and(|s| s.thread_local),
            },
        };
        let is_constant = owner.is_some() && self.is_constant_object(name, ty_irep);
        let symbol = self.add_variable(name, &base_name, ty, kind, span);
        self.p.symbols[symbol].writable = !is_constant;
        if let Some(align) = b.ireps.get(ty_irep, "#alignment").and_then(|a| self.constant_size(a))
            && align.is_power_of_two()
        {
            let natural = &mut self.p.symbols[symbol].align;
            *natural = align.max(*natural);
        }
        let object = Object::Variable(symbol);
        self.objects.insert(name.to_owned(), object);
        Ok(object)
    }

    fn add_variable(
        &mut self,
        name: &str,
        display: &str,
        ty: TypeId,
        kind: SymbolKind,
        span: Span,
    ) -> SymbolId {
        let align = self.p.types.align_of(ty, &self.p.machine);
        let display = if name.contains("$tmp::") || name.contains("return_value$") {
            String::new()
        } else {
            display.to_owned()
        };
        // Names that we make may be names of the file.
        let (mut name, writable) = (name.to_owned(), true);
        while !self.taken.insert(name.clone()) {
            name.push('$');
        }
        self.p.add_symbol(Symbol { name, display, ty, kind, span, align, writable })
    }

    /// A new variable of the current function.
    fn temp(&mut self, ty: TypeId) -> Mapping<ExprId> {
        let Some(current) = self.current else {
            return unsupported("an effect outside of functions");
        };
        if self.p.size_of(ty).is_none() {
            return unsupported("a value without a size");
        }
        let name = format!("{}::$vergo::{}", self.p.functions[current].name, self.n_temps);
        self.n_temps += 1;
        let symbol = self.add_variable(&name, "", ty, SymbolKind::Local(current), Span::DUMMY);
        self.p.symbols[symbol].display.clear();
        self.builder.decl(symbol);
        Ok(self.p.symbol(symbol))
    }

    /// A string literal's object.
    fn string_object(&mut self, ty: TypeId, bytes: Vec<u8>) -> ExprId {
        let key = (ty, bytes);
        if let Some(&symbol) = self.strings.get(&key) {
            return self.p.symbol(symbol);
        }
        let name = format!("$string::{}", self.strings.len());
        let part = InitPart::Bytes { offset: 0, bytes: key.1.clone().into_boxed_slice() };
        let parts = if key.1.is_empty() { Vec::new() } else { vec![part] };
        let kind = SymbolKind::Static { init: StaticInit::Data(parts), thread_local: false };
        let symbol = self.add_variable(&name, "", ty, kind, Span::DUMMY);
        self.p.symbols[symbol].display.clear();
        self.p.symbols[symbol].writable = false;
        self.strings.insert(key, symbol);
        self.p.symbol(symbol)
    }
}

/// Where a program begins, by name.
pub(crate) enum Entry {
    Call { function: String, is_main: bool },
    Whole(String),
}
