//! C to GOTO, with the C library's operational models (written in C, embedded).
//!
//! [`lower`] takes a typed unit, or several linked into one, and gives a GOTO program that begins in `__vergo_start`.
//! Behaviour that C leaves open is fixed as `docs/semantics.md` says. Property checks are not inserted here but by a
//! pass, from the types of the operations: so the program's own arithmetic has its C types, and arithmetic that lowering
//! introduces is unsigned. Only claims that no later pass could find are made here: failed assertions, `reach_error`,
//! calls of functions without a body, `__builtin_unreachable`.
//!
//! | file | concept |
//! |---|---|
//! | `link` | units, names, what is lowered |
//! | `types`, `statics` | types, objects with static storage duration |
//! | `function`, `scope`, `stmt` | bodies, lifetimes and jumps, statements |
//! | `expr`, `condition`, `place`, `convert`, `assign`, `init` | expressions |
//! | `complex`, `vector`, `atomics`, `builtin`, `asm` | GNU C |
//! | `call`, `nested`, `unwind`, `varargs`, `known`, `verifier`, `memory`, `models` | calls and the library |
//! | `start` | the entry function |

mod arguments;
mod asm;
mod assign;
mod atomics;
mod builtin;
mod call;
pub mod codes;
mod complex;
mod condition;
mod convert;
mod expr;
mod float_to_int;
mod format;
mod function;
mod init;
mod known;
mod link;
mod memory;
pub mod models;
mod nested;
mod order;
pub mod outside;
mod place;
mod scope;
mod sequence;
pub mod standing;
mod start;
mod statics;
mod stmt;
mod types;
mod uninterpreted;
mod unwind;
mod values;
mod varargs;
mod vector;
mod verifier;
mod vla;

use vergo_cfront::hir::{Item, Linkage, Unit};
use vergo_goto::program::Program;
use vergo_goto::property::PropertySet;
use vergo_source::{Diagnostics, SourceMap};

/// The options of lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function in which the program begins.
    pub entry: String,
    /// The arguments of the program.
    pub arguments: Arguments,
    /// True if `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// True if functions that the program does not define are taken from the library models. If not, they stay functions
    /// without a body, also those that lowering knows.
    pub models: bool,
    /// Functions that are checked against their contracts, or replaced by them.
    pub contracts: Contracts,
    /// True if static variables of the program that are not constant begin with any value.
    pub nondet_static: bool,
    /// The pointers that an entry function other than `main` gets.
    pub pointers: Pointers,
    /// True if functions that are called without a declaration are called as they are defined.
    pub undeclared_as_defined: bool,
    /// Functions whose bodies were removed: calls of them return any value and change nothing.
    pub removed_bodies: Vec<String>,
    /// The treatment of pointers from outside, which may point to variables that other files can name.
    pub outside_pointers: OutsidePointers,
    /// The properties that will be claimed: what the library does for no other reason is left out.
    pub properties: PropertySet,
}

/// The treatment of pointers from outside, which may point to variables that other files can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OutsidePointers {
    /// Nothing: the program is run or shown.
    #[default]
    Ignored,
    /// They are assumed not to, which is reported.
    Assumed,
    /// They may, unless there are too many choices.
    Followed,
}

/// Pointers that a function gets of which nobody has said more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pointers {
    /// Any pointer.
    #[default]
    Any,
    /// The null pointer.
    Null,
    /// A pointer to a new object with room for so many values.
    Valid(u64),
}

/// Functions by their names, and what is done with their contracts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// Checked against their contracts: their preconditions are assumed, their postconditions claimed.
    pub enforced: Vec<String>,
    /// Replaced by their contracts: their preconditions are claimed, their postconditions assumed.
    pub replaced: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            entry: "main".to_string(),
            arguments: Arguments::Any,
            malloc_may_fail: false,
            models: true,
            contracts: Contracts::default(),
            nondet_static: false,
            pointers: Pointers::Any,
            undeclared_as_defined: false,
            removed_bodies: Vec::new(),
            outside_pointers: OutsidePointers::Ignored,
            properties: PropertySet::all(),
        }
    }
}

/// The arguments with which `main` is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// Any arguments: for verification.
    Any,
    /// These, the program's name first.
    Given(Vec<Vec<u8>>),
}

/// Lowers a unit to a GOTO program.
///
/// All functions with external linkage are lowered, and whatever they need; models that are needed are added to
/// `sources`. A program without the entry function has no entry, which is reported.
pub fn lower(
    unit: &Unit,
    sources: &mut SourceMap,
    options: &Options,
    diags: &mut Diagnostics,
) -> Program {
    let mut cx = link::Cx::new(unit, sources, options, diags);
    cx.check_contracts();
    cx.find_nests();
    cx.find_jumps();
    cx.make_fini();
    for item in &unit.items {
        match *item {
            Item::Function(func) => {
                let function = &unit.functions[func];
                let kept = function.linkage == Linkage::External && !function.inline
                    || function.constructor.is_some()
                    || function.destructor.is_some();
                if function.body.is_some() && kept {
                    cx.resolve(0, func);
                }
            }
            Item::Var(var) => {
                if matches!(
                    unit.vars[var].storage,
                    vergo_cfront::hir::Storage::Static {
                        linkage: Linkage::External,
                        definition: vergo_cfront::hir::Definition::Defined
                            | vergo_cfront::hir::Definition::Tentative,
                        ..
                    }
                ) {
                    cx.static_symbol(0, var);
                }
            }
            Item::Asm(_) => {}
        }
    }
    cx.make_start();
    cx.drain();
    cx.expose_variables();
    cx.p
}
