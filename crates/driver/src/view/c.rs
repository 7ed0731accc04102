//! C files as editors look at them.

use std::fmt::Write;
use std::sync::OnceLock;

use vergo_cfront::hir::{ExprKind, FuncId, Unit, VarId};
use vergo_cfront::layout::{align_of, size_of};
use vergo_cfront::print_c::print_type;
use vergo_cfront::types::{QualType, RecordId};
use vergo_cfront::{analyze, parse};
use vergo_source::{Location, SourceMap, Span};

use super::{FunctionView, NameView};
use crate::input::Input;
use crate::job::Job;

/// An analysed C file.
#[derive(Debug)]
pub(super) struct CView {
    unit: Unit,
    /// Uses and declarations of names in the file itself, by place.
    names: OnceLock<Vec<Name>>,
}

/// The possible meanings of a name.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Var(VarId),
    Function(FuncId),
    Member(RecordId, u32),
}

#[derive(Clone, Debug)]
struct Name {
    line: u32,
    column: u32,
    end: u32,
    span: Span,
    meaning: Meaning,
}

impl CView {
    /// Reads and analyses a file.
    pub(super) fn read(job: &mut Job, input: &Input) -> Option<CView> {
        let file = job.load_c(input).ok()?;
        let options = job.c_options();
        let ast = parse(&mut job.map, file, &options, &mut job.diagnostics);
        let unit = analyze(ast, &job.map, &options, &mut job.diagnostics);
        Some(CView { unit, names: OnceLock::new() })
    }

    /// The functions that a file defines, in order.
    pub(super) fn functions(&self, map: &SourceMap, file: &str) -> Vec<FunctionView> {
        let unit = &self.unit;
        let defined = unit.functions.values().filter_map(|function| {
            let definition = function.definition_span?;
            function.body?;
            // A span of a declaration in a header is no place of the definition.
            let inside = definition.lo <= function.span.lo && function.span.hi <= definition.hi;
            let span = if inside { function.span } else { definition };
            let name = unit.names.name(function.name).to_owned();
            (&*map.presumed(definition.lo).file == file).then_some(FunctionView {
                name,
                span,
                definition,
            })
        });
        let mut functions: Vec<FunctionView> = defined.collect();
        functions.sort_by_key(|function| function.definition.lo);
        functions
    }

    /// The name at a line and column of a file, both from 1, and what it means.
    pub(super) fn name_at(
        &self,
        map: &SourceMap,
        file: &str,
        line: u32,
        column: u32,
    ) -> Option<NameView> {
        let names = self.names.get_or_init(|| self.collect(map, file));
        let after = names.partition_point(|name| (name.line, name.column) <= (line, column));
        let on_line = names[..after].iter().rev().take_while(|name| name.line == line);
        let name = on_line.into_iter().find(|name| column <= name.end)?;
        let mut view = self.describe(name);
        if let Meaning::Function(function) = name.meaning {
            view.function = Some(self.name_of(name.meaning).to_owned());
            view.contract = clauses(map, self.unit.functions[function].span);
        }
        Some(view)
    }

    /// All names of the file itself.
    fn collect(&self, map: &SourceMap, file: &str) -> Vec<Name> {
        let unit = &self.unit;
        let mut names = Vec::new();
        let mut add = |span: Span, meaning: Meaning| {
            let at = map.presumed(span.lo);
            if &*at.file != file || at.line == 0 {
                return;
            }
            let Location { line, column, .. } = at;
            let length = u32::try_from(self.name_of(meaning).chars().count()).unwrap_or(0);
            names.push(Name { line, column, end: column + length, span, meaning });
        };
        for expr in unit.exprs.values() {
            match expr.kind {
                ExprKind::Var(var) => add(expr.span, Meaning::Var(var)),
                ExprKind::Function(function) => add(expr.span, Meaning::Function(function)),
                ExprKind::Member(_, record, field) => {
                    let meaning = Meaning::Member(record, field);
                    // The member's name is the end of the expression.
                    let length = u32::try_from(self.name_of(meaning).len()).unwrap_or(0);
                    let lo = expr.span.hi.saturating_sub(length).max(expr.span.lo);
                    add(Span { lo, ..expr.span }, meaning);
                }
                _ => {}
            }
        }
        for (id, var) in unit.vars.iter().filter(|(_, var)| var.name.is_some()) {
            add(var.span, Meaning::Var(id));
        }
        for (id, function) in unit.functions.iter().filter(|(_, function)| !function.implicit) {
            add(function.span, Meaning::Function(id));
        }
        for (id, record) in &unit.types.records {
            for (index, field) in record.fields.iter().flatten().enumerate() {
                if field.name.is_some() {
                    add(field.span, Meaning::Member(id, u32::try_from(index).unwrap_or(u32::MAX)));
                }
            }
        }
        names.sort_by_key(|name| (name.line, name.column, name.span.lo));
        names
    }

    fn name_of(&self, meaning: Meaning) -> &str {
        let unit = &self.unit;
        let symbol = match meaning {
            Meaning::Var(var) => unit.vars[var].name,
            Meaning::Function(function) => Some(unit.functions[function].name),
            Meaning::Member(record, field) => {
                self.field(record, field).and_then(|field| field.name)
            }
        };
        symbol.map_or("", |symbol| unit.names.name(symbol))
    }

    fn field(&self, record: RecordId, field: u32) -> Option<&vergo_cfront::types::Field> {
        self.unit.types.records[record].fields.as_ref()?.get(field as usize)
    }

    fn describe(&self, name: &Name) -> NameView {
        let unit = &self.unit;
        let mut notes = Vec::new();
        let (declared, ty) = match name.meaning {
            Meaning::Var(var) => (unit.vars[var].span, unit.vars[var].ty),
            Meaning::Function(function) => {
                let function = &unit.functions[function];
                let definition =
                    function.definition_span.filter(|span| !contains(*span, function.span));
                (definition.unwrap_or(function.span), function.ty)
            }
            Meaning::Member(record, index) => {
                let Some(field) = self.field(record, index) else {
                    let declaration = String::new();
                    return NameView {
                        span: name.span,
                        declared: name.span,
                        declaration,
                        notes,
                        contract: Vec::new(),
                        function: None,
                    };
                };
                let place = match field.bits {
                    None => format!("at offset {}", field.offset),
                    Some(bits) => {
                        format!(
                            "bits {} to {} from offset {}",
                            bits.first_bit,
                            (bits.first_bit + bits.width).saturating_sub(1),
                            field.offset
                        )
                    }
                };
                notes.push(place);
                (field.span, field.ty)
            }
        };
        if !unit.types.is_function(ty) {
            notes.extend(self.size(ty));
            notes.extend(unit.types.record(ty).into_iter().flat_map(|record| self.layout(record)));
            let pointee = unit.types.pointee(ty).and_then(|to| Some((to, unit.types.record(to)?)));
            if let Some((_, record)) = pointee {
                notes.extend(self.layout(record));
            }
        }
        let declaration = print_type(unit, ty, self.name_of(name.meaning));
        NameView {
            span: name.span,
            declared,
            declaration,
            notes,
            contract: Vec::new(),
            function: None,
        }
    }

    fn size(&self, ty: QualType) -> Option<String> {
        let unit = &self.unit;
        let size = size_of(&unit.types, &unit.target, ty)?;
        let bytes = if size == 1 { "byte" } else { "bytes" };
        Some(format!("{size} {bytes}, aligned to {}", align_of(&unit.types, &unit.target, ty)))
    }

    /// The members of a record with their offsets.
    fn layout(&self, record: RecordId) -> Vec<String> {
        /// Longer ones are not read in a box.
        const MOST: usize = 24;
        let unit = &self.unit;
        let mut lines = Vec::new();
        let fields = unit.types.records[record].fields.as_deref().unwrap_or_default();
        for field in fields.iter().take(MOST) {
            let name = field.name.map_or("", |name| unit.names.name(name));
            let mut line = format!("{}: {}", field.offset, print_type(unit, field.ty, name));
            if let Some(bits) = field.bits {
                let _ = write!(line, " : {}", bits.width);
            }
            lines.push(line);
        }
        if fields.len() > MOST {
            lines.push(format!("and {} more members", fields.len() - MOST));
        }
        lines
    }
}

/// The clauses of a contract behind the name of a function that is declared: until its body or the end of the declaration.
fn clauses(map: &SourceMap, name: Span) -> Vec<String> {
    /// No declaration is longer.
    const FARTHEST: usize = 1 << 14;
    let Some((file, offset)) = map.lookup(name.hi) else { return Vec::new() };
    let text = map.text(file).get(offset as usize..).unwrap_or_default();
    let (mut clauses, mut depth, mut start) = (Vec::new(), 0_u32, 0);
    for (at, &byte) in text.iter().take(FARTHEST).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let clause = String::from_utf8_lossy(&text[start..=at]);
                    let words: Vec<&str> = clause.split_whitespace().collect();
                    clauses.push(words.join(" "));
                    start = at + 1;
                }
            }
            b'{' | b';' if depth == 0 => break,
            _ => {}
        }
    }
    clauses.retain(|clause| clause.starts_with("__CPROVER_"));
    clauses
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}
