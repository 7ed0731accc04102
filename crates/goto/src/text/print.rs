//! Prints programs.

use super::names;
use super::print_expr::{ExprPrinter, print_type};
use crate::expr::ExprId;
use crate::program::{
    Callee, Exit, Function, FunctionId, InitPart, Instr, InstrKind, Program, Region, StaticInit,
    Symbol, SymbolId, SymbolKind,
};
use crate::types::TypeId;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use vergo_source::Span;

/// The parts of the text besides the program itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct PrintOptions {
    /// Spans, as positions in the source map.
    pub spans: bool,
}

/// The text of a program, without spans.
pub fn print(program: &Program) -> String {
    print_with(program, PrintOptions::default())
}

/// The text of a program.
pub fn print_with(program: &Program, options: PrintOptions) -> String {
    let lets = shared_expressions(program);
    let numbers: FxHashMap<ExprId, usize> = lets.iter().enumerate().map(|(i, &e)| (e, i)).collect();
    let exprs = ExprPrinter { program, lets: &numbers };
    let mut printer = Printer { program, exprs, options, out: String::new() };
    printer.program(&lets);
    printer.out
}

/// Expressions below this size are written out wherever they stand.
const LET_SIZE: u32 = 64;

/// The expressions that get a name: those used more than once whose text would be long. In order of their numbers, so
/// that each is made of earlier ones.
fn shared_expressions(program: &Program) -> Vec<ExprId> {
    let n = program.exprs.len();
    let mut uses: SecondaryMap<ExprId, u32> = SecondaryMap::with_capacity(n);
    let mut count = |e: ExprId| uses[e] = uses[e].saturating_add(1);
    for symbol in program.symbols.values() {
        if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &symbol.kind {
            for part in parts {
                if let InitPart::Value { value, .. } = part {
                    count(*value);
                }
            }
        }
    }
    for function in program.functions.values() {
        for instr in function.body.iter().flatten() {
            instr.kind.for_each_expr(|e, _| count(e));
        }
    }
    for i in (0..n).rev() {
        let e = ExprId::new(i);
        if uses[e] > 0 {
            program
                .exprs
                .kind(e)
                .for_each_child(|child| uses[child] = uses[child].saturating_add(1));
        }
    }
    // Sizes of the text, with those that have names counted as one.
    let mut sizes: SecondaryMap<ExprId, u32> = SecondaryMap::with_capacity(n);
    let mut lets = Vec::new();
    for i in 0..n {
        let e = ExprId::new(i);
        if uses[e] == 0 {
            continue;
        }
        let mut size = 1u32;
        program.exprs.kind(e).for_each_child(|child| size = size.saturating_add(sizes[child]));
        if size > LET_SIZE && uses[e] > 1 {
            lets.push(e);
            size = 1;
        }
        sizes[e] = size;
    }
    lets
}

struct Printer<'a> {
    program: &'a Program,
    exprs: ExprPrinter<'a>,
    options: PrintOptions,
    out: String,
}

impl Printer<'_> {
    fn program(&mut self, lets: &[ExprId]) {
        let program = self.program;
        let machine = &program.machine;
        let _ = writeln!(
            self.out,
            "machine {} x87 {} wide {};",
            machine.pointer_width, machine.x87_size, machine.wide_align
        );
        if program.nondet_sites > 0 {
            let _ = writeln!(self.out, "sites {};", program.nondet_sites);
        }
        if let Some(entry) = program.entry {
            self.out.push_str("entry ");
            self.name(&program.functions[entry].name);
            self.out.push_str(";\n");
        }
        for structure in program.types.structs.values() {
            self.out.push_str(if structure.union { "union " } else { "struct " });
            self.name(&structure.name);
            if !structure.complete {
                let _ = writeln!(self.out, " align {};", structure.align);
                continue;
            }
            let _ = writeln!(self.out, " size {} align {} {{", structure.size, structure.align);
            for field in &structure.fields {
                self.out.push_str("    ");
                self.name(&field.name);
                self.out.push_str(": ");
                self.ty(field.ty);
                let _ = write!(self.out, " @{}", field.offset);
                if let Some(bit) = field.first_bit {
                    let _ = write!(self.out, ":{bit}");
                }
                self.out.push_str(";\n");
            }
            self.out.push_str("}\n");
        }
        for (number, &e) in lets.iter().enumerate() {
            let _ = write!(self.out, "let #{number} = ");
            self.exprs.definition(&mut self.out, e);
            self.out.push_str(";\n");
        }
        let mut locals: SecondaryMap<FunctionId, Vec<SymbolId>> = SecondaryMap::new();
        for (id, symbol) in &program.symbols {
            match &symbol.kind {
                SymbolKind::Static { init, thread_local } => {
                    self.out.push_str("static ");
                    self.constancy(symbol);
                    if *thread_local {
                        self.out.push_str("thread_local ");
                    }
                    self.symbol(symbol);
                    self.init(init);
                }
                SymbolKind::Local(function) => locals[*function].push(id),
                // Parameters that stand in no list are not printed; the verifier rejects them.
                SymbolKind::Param(_) => {}
            }
        }
        for (id, function) in &program.functions {
            self.function(function, &locals[id]);
        }
    }

    fn name(&mut self, name: &str) {
        names::quote_name(&mut self.out, name);
    }

    fn string(&mut self, text: &str) {
        names::quote(&mut self.out, text.as_bytes(), '"');
    }

    fn ty(&mut self, ty: TypeId) {
        print_type(self.program, &mut self.out, ty);
    }

    fn expr(&mut self, e: ExprId) {
        self.exprs.print(&mut self.out, e);
    }

    fn span(&mut self, span: Span) {
        if self.options.spans && span != Span::DUMMY {
            let _ = write!(self.out, " @{}..{}", span.lo, span.hi);
        }
    }

    /// Name, display name, type, alignment and span.
    fn constancy(&mut self, symbol: &Symbol) {
        if !symbol.writable {
            self.out.push_str("const ");
        }
    }

    fn symbol(&mut self, symbol: &Symbol) {
        self.name(&symbol.name);
        if symbol.display != symbol.name {
            self.out.push(' ');
            self.string(&symbol.display);
        }
        self.out.push_str(": ");
        self.ty(symbol.ty);
        let _ = write!(self.out, " align {}", symbol.align);
        self.span(symbol.span);
    }

    fn init(&mut self, init: &StaticInit) {
        match init {
            StaticInit::Nondet => self.out.push_str(" = nondet;\n"),
            StaticInit::Data(parts) if parts.is_empty() => self.out.push_str(";\n"),
            StaticInit::Data(parts) => {
                self.out.push_str(" = {");
                for part in parts {
                    match part {
                        InitPart::Value { offset, value } => {
                            let _ = write!(self.out, " @{offset}: ");
                            self.expr(*value);
                        }
                        InitPart::Bytes { offset, bytes } => {
                            let _ = write!(self.out, " @{offset}: bytes ");
                            names::quote(&mut self.out, bytes, '"');
                        }
                    }
                    self.out.push(';');
                }
                self.out.push_str(" };\n");
            }
        }
    }

    fn function(&mut self, function: &Function, locals: &[SymbolId]) {
        self.out.push('\n');
        if function.body.is_none() {
            self.out.push_str("extern ");
        }
        self.out.push_str("function ");
        self.name(&function.name);
        if function.display != function.name {
            self.out.push(' ');
            self.string(&function.display);
        }
        self.out.push_str(": ");
        self.ty(function.ty);
        if function.library {
            self.out.push_str(" library");
        }
        if function.n_labels > 0 {
            let _ = write!(self.out, " labels {}", function.n_labels);
        }
        self.span(function.span);
        if function.body.is_none() && function.params.is_empty() && locals.is_empty() {
            self.out.push_str(";\n");
            return;
        }
        self.out.push_str(" {\n");
        for (word, list) in [("param", &function.params[..]), ("local", locals)] {
            for &symbol in list {
                let _ = write!(self.out, "    {word} ");
                self.constancy(&self.program.symbols[symbol]);
                self.symbol(&self.program.symbols[symbol]);
                self.out.push_str(";\n");
            }
        }
        for instr in function.body.iter().flatten() {
            self.instr(instr);
        }
        self.out.push_str("}\n");
    }

    fn instr(&mut self, instr: &Instr) {
        if let InstrKind::Label(label) = instr.kind {
            let _ = write!(self.out, "  {label}:");
            self.span(instr.span);
            if self.options.spans && instr.span != Span::DUMMY {
                self.out.push(';');
            }
            self.out.push('\n');
            return;
        }
        self.out.push_str("    ");
        self.instr_kind(&instr.kind);
        self.span(instr.span);
        if self.options.spans && !instr.parts.is_empty() {
            self.out.push_str(" {");
            for &(e, span) in &instr.parts {
                self.out.push(' ');
                self.expr(e);
                let _ = write!(self.out, " @{}..{};", span.lo, span.hi);
            }
            self.out.push_str(" }");
        }
        self.out.push_str(";\n");
    }

    fn dest(&mut self, dest: Option<ExprId>) {
        if let Some(dest) = dest {
            self.expr(dest);
            self.out.push_str(" := ");
        }
    }

    fn list(&mut self, all: &[ExprId]) {
        self.out.push('(');
        for (i, &e) in all.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(e);
        }
        self.out.push(')');
    }

    fn callee(&mut self, callee: Callee) {
        match callee {
            Callee::Direct(function) => self.name(&self.program.functions[function].name),
            Callee::Indirect(pointer) => {
                self.out.push_str("*(");
                self.expr(pointer);
                self.out.push(')');
            }
        }
    }

    fn instr_kind(&mut self, kind: &InstrKind) {
        let region = |region: &Region| match region {
            Region::Heap => "heap",
            Region::Stack => "stack",
        };
        match kind {
            InstrKind::Skip => self.out.push_str("skip"),
            // Labels are printed by `instr`.
            InstrKind::Label(_) => {}
            InstrKind::Assign(place, value) => {
                self.dest(Some(*place));
                self.expr(*value);
            }
            InstrKind::Assume(condition) => {
                self.out.push_str("assume ");
                self.expr(*condition);
            }
            InstrKind::Assert(condition, claim) => {
                self.out.push_str("assert ");
                self.expr(*condition);
                self.out.push(' ');
                self.string(&claim.property);
                self.out.push(' ');
                self.string(&claim.description);
                if let Some(cwe) = claim.cwe {
                    let _ = write!(self.out, " cwe {cwe}");
                }
            }
            InstrKind::Goto(condition, label) => {
                if let Some(condition) = condition {
                    self.out.push_str("if ");
                    self.expr(*condition);
                    self.out.push(' ');
                }
                let _ = write!(self.out, "goto {label}");
            }
            InstrKind::Call { dest, callee, args } => {
                self.dest(*dest);
                self.out.push_str("call ");
                self.callee(*callee);
                self.list(args);
            }
            InstrKind::Return(value) => {
                self.out.push_str("return");
                if let Some(value) = value {
                    self.out.push(' ');
                    self.expr(*value);
                }
            }
            InstrKind::Decl(symbol) => {
                self.out.push_str("decl ");
                self.name(&self.program.symbols[*symbol].name);
            }
            InstrKind::Dead(symbol) => {
                self.out.push_str("dead ");
                self.name(&self.program.symbols[*symbol].name);
            }
            InstrKind::Alloc { dest, size, align, region: place, zeroed } => {
                self.dest(Some(*dest));
                self.out.push_str("alloc(");
                self.expr(*size);
                let _ = write!(self.out, ") align {align} {}", region(place));
                if *zeroed {
                    self.out.push_str(" zeroed");
                }
            }
            InstrKind::Free(pointer, place) => {
                let _ = write!(self.out, "free {} ", region(place));
                self.expr(*pointer);
            }
            InstrKind::AtomicBegin => self.out.push_str("atomic_begin"),
            InstrKind::AtomicEnd => self.out.push_str("atomic_end"),
            InstrKind::Spawn { dest, callee, arg } => {
                self.dest(*dest);
                self.out.push_str("spawn ");
                self.callee(*callee);
                self.list(&[*arg]);
            }
            InstrKind::Join { thread, dest } => {
                self.dest(*dest);
                self.out.push_str("join ");
                self.expr(*thread);
            }
            InstrKind::Intrinsic { op, dest, args } => {
                self.dest(*dest);
                let _ = write!(
                    self.out,
                    "intrinsic {}",
                    names::intrinsic_word(*op).unwrap_or_default()
                );
                self.list(args);
            }
            InstrKind::End(Exit::Status(status)) => {
                self.out.push_str("end ");
                self.expr(*status);
            }
            InstrKind::End(Exit::Abort) => self.out.push_str("abort"),
            InstrKind::Unsupported(what) => {
                self.out.push_str("unsupported ");
                self.string(what);
            }
        }
    }
}
