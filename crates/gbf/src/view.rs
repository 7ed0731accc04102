//! One view of both dialects: symbols, functions and instructions by what they mean.
//!
//! The dialects differ in where things stand (children or a child named `operands`, fields or an irep), not in what
//! they are. Everything above this file asks through it.

use crate::binary::{Binary, BodyEntry, Dialect, InstructionEntry, SymbolEntry};
use crate::irep::{IrepId, Key, TextId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use vergo_goto::program::Intrinsic;

/// A symbol.
#[derive(Clone, Debug)]
pub struct SymbolView<'a> {
    /// The unique name.
    pub name: Cow<'a, str>,
    /// The name that the user wrote.
    pub base_name: Cow<'a, str>,
    /// Its type.
    pub ty: IrepId,
    /// Its value, if it has one.
    pub value: Option<IrepId>,
    /// Where it is declared.
    pub location: Option<IrepId>,
    /// The name for people.
    pub pretty_name: Cow<'a, str>,
    /// The language that it comes from, as its tool names it.
    pub mode: Cow<'a, str>,
    /// True if it names a type.
    pub is_type: bool,
    /// True if it exists from the beginning to the end of the program.
    pub static_lifetime: bool,
    /// True if each thread has its own.
    pub thread_local: bool,
    /// True if another file defines it.
    pub is_extern: bool,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct FunctionView<'a> {
    /// The name of its symbol.
    pub name: Cow<'a, str>,
    body: &'a BodyEntry,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct InstructionView {
    /// Its kind.
    pub kind: Kind,
    /// The statement.
    pub code: IrepId,
    /// The condition, if there is one besides `true`.
    pub guard: Option<IrepId>,
    /// Where it comes from.
    pub location: Option<IrepId>,
    /// The positions in the function that it jumps to; `None` for a target that does not exist.
    pub targets: Vec<Option<usize>>,
    /// Its labels.
    pub labels: Vec<TextId>,
}

macro_rules! kinds {
    ($($number:literal $name:ident $text:literal,)*) => {
        /// The types of instructions.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "the names are those of the format")]
        pub enum Kind { $($name = $number,)* }

        impl Kind {
            /// The type of a number.
            #[must_use]
            pub fn from_number(number: u32) -> Option<Kind> {
                match number { $($number => Some(Kind::$name),)* _ => None }
            }

            /// The name in the format's documents.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Kind::$name => $text,)* }
            }
        }
    };
}

kinds! {
    0 None "NO_INSTRUCTION_TYPE",
    1 Goto "GOTO",
    2 Assume "ASSUME",
    3 Assert "ASSERT",
    4 Other "OTHER",
    5 Skip "SKIP",
    6 StartThread "START_THREAD",
    7 EndThread "END_THREAD",
    8 Location "LOCATION",
    9 EndFunction "END_FUNCTION",
    10 AtomicBegin "ATOMIC_BEGIN",
    11 AtomicEnd "ATOMIC_END",
    12 Return "SET_RETURN_VALUE",
    13 Assign "ASSIGN",
    14 Decl "DECL",
    15 Dead "DEAD",
    16 Call "FUNCTION_CALL",
    17 Throw "THROW",
    18 Catch "CATCH",
    19 IncompleteGoto "INCOMPLETE_GOTO",
    20 ThrowDecl "THROW_DECL",
    21 LoopInvariant "LOOP_INVARIANT",
}

/// The class of claims that stand for what a compiler does not handle.
pub const UNSUPPORTED: &str = "unsupported_construct";

/// Classes of claims that are none: their violation says that something can be reached or can be.
pub const GOALS: &[&str] = &["cover", "reachability_check", "code_coverage"];

/// The comment of a statement that says that memory is accessed, in the words of [`access_name`].
pub const ACCESS: &str = "#vergo_access";

/// The comment of a statement that says which order of memory is asked for.
pub const ORDER: &str = "#vergo_order";

/// Returns the comment for an intrinsic that only states which memory is accessed.
#[must_use]
pub fn access_name(op: Intrinsic) -> &'static str {
    match op {
        Intrinsic::Reads => "reads",
        Intrinsic::Writes => "writes",
        _ => "copies",
    }
}

/// The bits of a symbol's flags.
pub mod flag {
    /// Names a type.
    pub const TYPE: u32 = 1 << 15;
    /// Is a macro or a type's name.
    pub const MACRO: u32 = 1 << 13;
    /// Is a parameter.
    pub const PARAMETER: u32 = 1 << 8;
    /// Is part of the state.
    pub const STATE: u32 = 1 << 9;
    /// Can be assigned.
    pub const LVALUE: u32 = 1 << 5;
    /// Lives from beginning to end.
    pub const STATIC: u32 = 1 << 4;
    /// Each thread has its own.
    pub const THREAD_LOCAL: u32 = 1 << 3;
    /// Only this file knows it.
    pub const FILE_LOCAL: u32 = 1 << 2;
    /// Defined elsewhere.
    pub const EXTERN: u32 = 1 << 1;
}

impl Binary {
    /// The operands of an expression or statement.
    #[must_use]
    pub fn operands(&self, irep: IrepId) -> &[IrepId] {
        match (self.ireps.ordered_list(irep), self.dialect) {
            ([], Dialect::Esbmc) => {
                let operands = self.ireps.get(irep, "operands");
                operands.map_or(&[], |operands| self.ireps.ordered_list(operands))
            }
            (ordered, _) => ordered,
        }
    }

    /// The type inside of a pointer, array and so on.
    #[must_use]
    pub fn subtype(&self, irep: IrepId) -> Option<IrepId> {
        let subtype =
            self.ireps.get(irep, "subtype").or_else(|| self.ireps.ordered(irep).next())?;
        // Some writers put a list of one around it.
        match (self.ireps.id_bytes(subtype), self.ireps.ordered(subtype).next()) {
            (b"", Some(only)) => Some(only),
            _ => Some(subtype),
        }
    }

    /// An irep that is there and not `nil`.
    #[must_use]
    pub fn present(&self, irep: Option<IrepId>) -> Option<IrepId> {
        irep.filter(|&irep| self.ireps.id_bytes(irep) != b"nil")
    }

    /// The text of a named child.
    fn child_text(&self, irep: IrepId, key: &str) -> Cow<'_, str> {
        let child = self.ireps.get(irep, key);
        child.map_or(Cow::Borrowed(""), |c| String::from_utf8_lossy(self.ireps.id_bytes(c)))
    }

    /// The symbols.
    #[must_use]
    pub fn symbol_views(&self) -> Vec<SymbolView<'_>> {
        self.symbols.iter().filter_map(|symbol| self.symbol_view(symbol)).collect()
    }

    fn symbol_view(&self, symbol: &SymbolEntry) -> Option<SymbolView<'_>> {
        let text = |text: TextId| String::from_utf8_lossy(self.ireps.text(text));
        match symbol {
            SymbolEntry::Fields(fields) => {
                let has = |bit: u32| fields.flags & bit != 0;
                let compiled = self.ireps.id_bytes(fields.value) == b"compiled";
                Some(SymbolView {
                    name: text(fields.texts[0]),
                    base_name: text(fields.texts[2]),
                    pretty_name: text(fields.texts[4]),
                    mode: text(fields.texts[3]),
                    ty: fields.ty,
                    value: self.present(Some(fields.value)).filter(|_| !compiled),
                    location: self.present(Some(fields.location)),
                    is_type: has(flag::TYPE),
                    static_lifetime: has(flag::STATIC),
                    thread_local: has(flag::THREAD_LOCAL),
                    is_extern: has(flag::EXTERN),
                })
            }
            SymbolEntry::Irep(irep) => {
                let has = |key: &str| self.ireps.get_id(*irep, key) == "1";
                Some(SymbolView {
                    name: self.child_text(*irep, "name"),
                    base_name: self.child_text(*irep, "base_name"),
                    pretty_name: Cow::Borrowed(""),
                    mode: self.child_text(*irep, "mode"),
                    ty: self.ireps.get(*irep, "type")?,
                    value: self.present(self.ireps.get(*irep, "symvalue")),
                    location: self.present(self.ireps.get(*irep, "location")),
                    is_type: has("is_type"),
                    static_lifetime: has("static_lifetime"),
                    thread_local: has("is_thread_local"),
                    is_extern: has("is_extern"),
                })
            }
        }
    }

    /// The functions with a body.
    #[must_use]
    pub fn function_views(&self) -> Vec<FunctionView<'_>> {
        let views = self.functions.iter().map(|function| FunctionView {
            name: String::from_utf8_lossy(&function.name),
            body: &function.body,
        });
        views.collect()
    }

    /// The type, statement and location of each instruction of a function, as they are written.
    fn outlines<'a>(
        &'a self,
        body: &'a BodyEntry,
    ) -> impl Iterator<Item = (Option<Kind>, IrepId, Option<IrepId>)> + 'a {
        let (list, ireps) = match body {
            BodyEntry::Instructions(list) => (&list[..], None),
            BodyEntry::Irep(irep) => (&[][..], Some(*irep)),
        };
        let entries = list.iter().map(|entry| {
            let location = self.present(Some(entry.location));
            (Kind::from_number(entry.kind), entry.code, location)
        });
        let ireps = ireps.into_iter().flat_map(|irep| self.ireps.ordered(irep)).map(|entry| {
            let number = self.ireps.get_id(entry, "typeid").parse().ok();
            let code = self.ireps.get(entry, "code").unwrap_or(entry);
            let location = self.present(self.ireps.get(entry, "location"));
            (number.and_then(Kind::from_number), code, location)
        });
        entries.chain(ireps)
    }

    /// The locations of all instructions.
    pub fn instruction_locations(&self) -> impl Iterator<Item = IrepId> + '_ {
        self.functions.iter().flat_map(|f| self.outlines(&f.body)).filter_map(|(_, _, at)| at)
    }

    /// The names by which functions are called.
    pub fn called_names(&self) -> impl Iterator<Item = &str> {
        let all = self.functions.iter().flat_map(|f| self.outlines(&f.body));
        let calls = all.filter(|&(kind, ..)| kind == Some(Kind::Call));
        let callees = calls.filter_map(|(_, code, _)| self.operands(code).get(1).copied());
        callees.map(|callee| self.ireps.get_id(callee, "identifier"))
    }

    /// Where the first instruction of a function stands that stands somewhere.
    #[must_use]
    pub fn first_location(&self, function: &FunctionView<'_>) -> Option<IrepId> {
        self.outlines(function.body).find_map(|(_, _, location)| location)
    }

    /// The variables that a function declares.
    pub fn declared<'a>(
        &'a self,
        function: &FunctionView<'a>,
    ) -> impl Iterator<Item = IrepId> + 'a {
        let outlines = self.outlines(function.body);
        let declarations = outlines.filter(|&(kind, ..)| kind == Some(Kind::Decl));
        declarations.filter_map(|(_, code, _)| self.operands(code).first().copied())
    }

    /// The instructions of a function.
    ///
    /// # Errors
    /// A sentence about an instruction that is none.
    pub fn instructions(
        &self,
        function: &FunctionView<'_>,
    ) -> Result<Vec<InstructionView>, String> {
        let name = &function.name;
        match function.body {
            BodyEntry::Instructions(list) => {
                let targets = list.iter().enumerate().filter(|(_, e)| e.number != u32::MAX);
                let numbers: FxHashMap<u32, usize> = targets.map(|(i, e)| (e.number, i)).collect();
                let view = |entry: &InstructionEntry| {
                    let kind = self.kind(name, entry.kind)?;
                    Ok(InstructionView {
                        kind,
                        code: entry.code,
                        guard: Some(entry.guard).filter(|&g| !self.is_true(g)),
                        location: self.present(Some(entry.location)),
                        targets: entry.targets.iter().map(|t| numbers.get(t).copied()).collect(),
                        labels: entry.labels.to_vec(),
                    })
                };
                list.iter().map(view).collect()
            }
            BodyEntry::Irep(irep) => {
                let n = self.ireps.ordered(*irep).len();
                let entries = self.ireps.ordered(*irep);
                entries.map(|entry| self.esbmc_instruction(name, entry, n)).collect()
            }
        }
    }

    /// Functions without parameters that nothing in the file mentions, by the names of their symbols: where a program may
    /// begin.
    #[must_use]
    pub fn roots(&self) -> Vec<SymbolView<'_>> {
        let bodies: FxHashSet<&[u8]> = self.functions.iter().map(|f| &f.name[..]).collect();
        let mut mentioned: FxHashSet<&[u8]> = FxHashSet::default();
        for irep in self.ireps.all() {
            if self.ireps.id_bytes(irep) == b"symbol"
                && let Some(name) = self.ireps.get(irep, "identifier")
            {
                mentioned.insert(self.ireps.id_bytes(name));
            }
        }
        let symbols = self.symbol_views().into_iter().filter(|symbol| {
            let name = symbol.name.as_bytes();
            bodies.contains(name) && !mentioned.contains(name)
        });
        symbols.filter(|symbol| self.parameters(symbol.ty).is_empty()).collect()
    }

    /// Returns whether a function is part of the library that ESBMC puts into its files; CBMC leaves its own out.
    #[must_use]
    pub fn is_library(&self, function: &FunctionView<'_>, symbol: Option<&SymbolView<'_>>) -> bool {
        if self.dialect != Dialect::Esbmc || function.name == "__ESBMC_main" {
            return false;
        }
        let first = || self.first_location(function);
        let location = symbol.and_then(|s| s.location).or_else(first);
        is_library_file(location.map_or("", |l| self.ireps.get_id(l, "file")))
    }

    /// Returns, for each function, whether it belongs to the program: it is no part of a library, or a function of the
    /// program mentions it.
    #[must_use]
    pub fn own_functions(&self, functions: &[FunctionView<'_>]) -> Vec<bool> {
        let symbols = self.symbol_views();
        let symbols: FxHashMap<&str, &SymbolView<'_>> =
            symbols.iter().map(|symbol| (&symbol.name[..], symbol)).collect();
        let numbers: FxHashMap<&str, usize> =
            functions.iter().enumerate().map(|(i, f)| (&f.name[..], i)).collect();
        let mut own: Vec<bool> = functions
            .iter()
            .map(|f| !self.is_library(f, symbols.get(&f.name[..]).copied()))
            .collect();
        let mut work: Vec<usize> = (0..functions.len()).filter(|&i| own[i]).collect();
        let mut seen: FxHashSet<IrepId> = FxHashSet::default();
        while let Some(i) = work.pop() {
            let mut ireps: Vec<IrepId> = match functions[i].body {
                BodyEntry::Irep(irep) => vec![*irep],
                BodyEntry::Instructions(list) => {
                    list.iter().flat_map(|e| [e.code, e.guard]).collect()
                }
            };
            while let Some(irep) = ireps.pop() {
                if !seen.insert(irep) {
                    continue;
                }
                if self.ireps.id_bytes(irep) == b"symbol"
                    && let Some(&named) = numbers.get(self.ireps.get_id(irep, "identifier"))
                    && !std::mem::replace(&mut own[named], true)
                {
                    work.push(named);
                }
                ireps.extend(self.ireps.ordered(irep));
                ireps.extend(self.ireps.named(irep).map(|(_, child)| child));
            }
        }
        own
    }

    fn kind(&self, function: &str, number: u32) -> Result<Kind, String> {
        Kind::from_number(number)
            .ok_or_else(|| format!("`{function}` has an instruction of the unknown type {number}"))
    }

    fn esbmc_instruction(
        &self,
        function: &str,
        entry: IrepId,
        n: usize,
    ) -> Result<InstructionView, String> {
        let number = self.ireps.get_id(entry, "typeid");
        let number =
            number.parse().map_err(|_| format!("`{function}`: `{number}` is not a type"))?;
        let kind = self.kind(function, number)?;
        let list = |key: &str| {
            self.ireps.get(entry, key).into_iter().flat_map(|list| self.ireps.ordered(list))
        };
        let targets = list("targets")
            .map(|target| self.ireps.id(target).parse().ok().filter(|&t: &usize| t < n))
            .collect();
        let labels = list("labels").map(|label| self.ireps.id_text(label)).collect();
        let code = self.ireps.get(entry, "code").unwrap_or(entry);
        Ok(InstructionView {
            kind,
            code,
            guard: self.present(self.ireps.get(entry, "guard")).filter(|&g| !self.is_true(g)),
            location: self.present(self.ireps.get(entry, "location")),
            targets,
            labels,
        })
    }

    fn is_true(&self, irep: IrepId) -> bool {
        self.ireps.id(irep) == "constant"
            && self.ireps.child(irep, Key::Value).is_some_and(|v| self.ireps.id(v) == "true")
    }

    /// The statement of a `code` irep.
    #[must_use]
    pub fn statement(&self, code: IrepId) -> &str {
        self.ireps.child(code, Key::Statement).map_or("", |child| self.ireps.id(child))
    }

    /// The parameters of a function's type.
    #[must_use]
    pub fn parameters(&self, code: IrepId) -> Vec<IrepId> {
        let key = if self.dialect == Dialect::Esbmc { "arguments" } else { "parameters" };
        let list = self.ireps.get(code, key);
        list.map_or(Vec::new(), |list| self.ireps.ordered(list).collect())
    }

    /// Returns whether a function's type takes variable arguments. One without any other is a function without a
    /// prototype.
    #[must_use]
    pub fn is_variadic(&self, code: IrepId) -> bool {
        if self.parameters(code).is_empty() {
            return false;
        }
        let key = if self.dialect == Dialect::Esbmc { "arguments" } else { "parameters" };
        self.ireps.get(code, key).is_some_and(|l| self.ireps.get_id(l, "ellipsis") == "1")
    }
}

/// Returns whether a file is part of a tool's own library.
#[must_use]
pub fn is_library_file(file: &str) -> bool {
    file.contains("/esbmc-vfs/")
        || file == "esbmc_intrinsics.h"
        || file.starts_with("<built-in")
        || file.starts_with("<builtin-library")
        || file.starts_with("<stub")
}

/// A name without what compilers put before it.
#[must_use]
pub fn plain_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("c:") else { return name };
    rest.rsplit('@').next().unwrap_or(rest)
}
