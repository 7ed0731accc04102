//! From the typed tree back to C.
//!
//! **Idea.** Each node is printed so that a C compiler gives the text exactly the type that the node has in the typed
//! tree. A conversion is then written only where the compiler would not insert the same one by itself; [`convert`] holds
//! the rules (integer promotion, usual arithmetic conversions, conversion as if by assignment) and errs on the side of
//! an explicit cast, which is always right.
//!
//! **Order.** Items are printed in the order of their definition. Before an item stands what it needs and what
//! has not been declared yet: types in the order of their dependence, then declarations of variables and functions. So
//! nothing of a header that the program does not use is repeated.
//!
//! **Names.** Types live at file scope in the output, whatever their scope was, and static locals at the top of their
//! function (the labels that their initialisers may name are visible there). Everything else keeps its block. A name
//! changes only when it would otherwise be captured by another declaration; [`names`] decides that by walking the scopes
//! as they will be printed.
//!
//! **What is not kept.** Typedef names and enumerators: types and constants stand for themselves (an enumeration is
//! printed as the integer type that represents it). Attributes that do not change what a program computes, `may_alias`
//! among them: code that relies on it needs `-fno-strict-aliasing` once printed. Comments and macros: see [`crate::edit`] for changes that leave the
//! rest of a text alone.
//!
//! **Deviations.** The lengths of variable-length arrays are hidden variables in the typed tree. They are printed inside
//! the declarator when that is their only use, and as constants of their own otherwise ([`lengths`]).
//!
//! Printing is linear in the tree, needs stack for nothing but what `stacker` adds on demand, and is a function of the
//! tree alone. Printing what was parsed from printed text gives the same text again.

mod builtins;
mod constants;
mod convert;
mod exprs;
mod inits;
mod items;
mod lengths;
mod names;
mod stmts;
mod types;
mod walk;

use crate::hir::{ExprId, FuncId, LabelId, StmtId, Unit, VarId};
use crate::types::{QualType, RecordId, TypeId};
use cranelift_entity::{EntitySet, SecondaryMap};
use lengths::Lengths;
use names::Names;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use vergo_source::Precedence;
use vergo_source::{SourceMap, Span};

/// Choices for the printer.
#[derive(Clone, Copy, Default)]
pub struct PrintOptions<'a> {
    /// With a map, `#line` directives tell where each statement was written, so that other tools report positions of the
    /// original source.
    pub line_directives: Option<&'a SourceMap>,
}

/// The unit as C text.
pub fn print_c(unit: &Unit) -> String {
    print_c_with(unit, PrintOptions::default())
}

/// The unit as C text, with options.
pub fn print_c_with(unit: &Unit, options: PrintOptions<'_>) -> String {
    let mut printer = Printer::new(unit, options);
    printer.unit();
    printer.out
}

/// A function definition or declaration as C text, without what it refers to. Names are those that the source uses.
pub fn print_function(unit: &Unit, function: FuncId) -> String {
    let mut printer = Printer::new(unit, PrintOptions::default());
    printer.standalone = true;
    printer.function(function);
    printer.out
}

/// A statement as C text, without what it refers to. Names are those that the source uses.
pub fn print_stmt(unit: &Unit, stmt: StmtId) -> String {
    let mut printer = Printer::new(unit, PrintOptions::default());
    printer.standalone = true;
    printer.stmt(stmt, false);
    printer.out
}

/// An expression as C text. Names are those that the source uses.
pub fn print_expr(unit: &Unit, expr: ExprId) -> String {
    let mut printer = Printer::new(unit, PrintOptions::default());
    printer.standalone = true;
    printer.expr(expr, Precedence::Comma);
    printer.out
}

/// A declaration of `name` with the type, without a semicolon; the type's name if `name` is empty. Structures without a
/// tag have none here either: this is for reading. Inside a whole unit they are given one.
pub fn print_type(unit: &Unit, ty: QualType, name: &str) -> String {
    let mut printer = Printer::new(unit, PrintOptions::default());
    printer.standalone = true;
    printer.declaration(ty, name)
}

/// The progress in printing a structure or union.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Progress {
    #[default]
    Unknown,
    Declared,
    /// Its definition is being prepared: what it needs is printed first.
    Started,
    Defined,
}

/// The state of printing a unit.
struct Printer<'u> {
    unit: &'u Unit,
    out: String,
    depth: usize,
    /// A fragment is printed: no type can be defined before it.
    standalone: bool,
    names: Names<'u>,
    records: SecondaryMap<RecordId, Progress>,
    /// Names of the types that are written as a typedef: over-aligned types, vectors and large types.
    typedefs: FxHashMap<TypeId, String>,
    /// Types whose text is so long that it must not be repeated.
    large: EntitySet<TypeId>,
    /// Types all of whose parts have been asked for already.
    settled: EntitySet<TypeId>,
    declared_vars: EntitySet<VarId>,
    declared_functions: EntitySet<FuncId>,
    /// The static locals of each function.
    statics: FxHashMap<FuncId, Vec<VarId>>,
    /// The labels of each function to which nested functions jump.
    outer_labels: FxHashMap<FuncId, Vec<LabelId>>,
    lengths: Lengths,
    /// The function whose body is being printed.
    current: Option<FuncId>,
    /// The values of the `case` labels of the `switch` statements being printed.
    cases: FxHashMap<StmtId, Vec<stmts::CaseLabel>>,
    markers: Option<Markers<'u>>,
}

/// Where `#line` directives have left the reader.
struct Markers<'u> {
    map: &'u SourceMap,
    file: Arc<str>,
    line: u32,
}

/// Levels of indentation that are shown; deeper nesting stays at this column, so that the text is linear in the tree.
const DEEPEST_INDENT: usize = 40;

impl<'u> Printer<'u> {
    fn new(unit: &'u Unit, options: PrintOptions<'u>) -> Printer<'u> {
        Printer {
            unit,
            out: String::new(),
            depth: 0,
            standalone: false,
            names: Names::default(),
            records: SecondaryMap::new(),
            typedefs: FxHashMap::default(),
            large: EntitySet::new(),
            settled: EntitySet::new(),
            declared_vars: EntitySet::new(),
            declared_functions: EntitySet::new(),
            statics: FxHashMap::default(),
            outer_labels: walk::outer_labels(unit),
            lengths: Lengths::default(),
            current: None,
            cases: FxHashMap::default(),
            markers: options.line_directives.map(|map| Markers {
                map,
                file: Arc::from(""),
                line: 0,
            }),
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Ends the line. The only place that writes a line feed, so that `#line` can be kept right.
    fn newline(&mut self) {
        self.out.push('\n');
        if let Some(markers) = &mut self.markers {
            markers.line = markers.line.saturating_add(1);
        }
    }

    /// An empty line between items, but not at the start.
    fn blank_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.newline();
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.depth.min(DEEPEST_INDENT) {
            self.out.push_str("    ");
        }
    }

    /// At the start of a line: says where the next one comes from, if that is asked for and not what a reader would
    /// assume anyway.
    fn mark(&mut self, span: Span) {
        let Some(markers) = &mut self.markers else { return };
        if span.is_dummy() || !(self.out.is_empty() || self.out.ends_with('\n')) {
            return;
        }
        let location = markers.map.presumed(span.lo);
        if location.line == 0 || (location.line == markers.line && location.file == markers.file) {
            return;
        }
        let quoted = constants::quote_bytes(location.file.as_bytes());
        self.out.push_str(&format!("#line {} {quoted}\n", location.line));
        markers.line = location.line;
        markers.file = location.file;
    }

    /// Returns the output of `print` as a string of its own.
    fn capture(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let saved = std::mem::take(&mut self.out);
        print(self);
        std::mem::replace(&mut self.out, saved)
    }
}

/// Runs something that recurses over the tree with enough stack, whatever its depth.
fn with_stack<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, run)
}
