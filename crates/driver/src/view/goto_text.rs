//! GOTO text as editors look at it.

use vergo_goto::program::{FunctionId, Program, Symbol, SymbolKind};
use vergo_goto::text::{NamePlace, Named, type_to_text};
use vergo_goto::types::{StructId, TypeId};
use vergo_source::{SourceMap, Span};

use super::{FunctionView, NameView};
use crate::front_ends::read_text;
use crate::input::Input;
use crate::job::Job;

/// A program in GOTO text.
#[derive(Debug)]
pub(super) struct GotoView {
    program: Program,
    names: Vec<NamePlace>,
}

impl GotoView {
    /// Reads a file.
    pub(super) fn read(job: &mut Job, input: &Input) -> Option<GotoView> {
        let (program, names) = read_text(job, input).ok()?;
        Some(GotoView { program, names })
    }

    /// The functions in which the program can begin: those without parameters.
    pub(super) fn functions(&self) -> Vec<FunctionView> {
        let functions = self.program.functions.values();
        let can_begin =
            functions.filter(|function| function.body.is_some() && function.params.is_empty());
        let mut functions: Vec<FunctionView> = can_begin
            .map(|function| FunctionView {
                name: function.name.clone(),
                span: function.span,
                definition: function.span,
            })
            .collect();
        functions.sort_by_key(|function| function.span.lo);
        functions
    }

    pub(super) fn name_at(&self, map: &SourceMap, line: u32, column: u32) -> Option<NameView> {
        let place = self.names.iter().find(|place| {
            let (from, to) = (map.presumed(place.span.lo), map.presumed(place.span.hi));
            from.line == line && (from.column..=to.column).contains(&column)
        })?;
        let is_it = |other: &&NamePlace| other.declares && other.named == place.named;
        let declared = self.names.iter().find(is_it).map_or(Span::DUMMY, |place| place.span);
        let mut view = NameView {
            span: place.span,
            declared,
            declaration: String::new(),
            notes: Vec::new(),
            contract: Vec::new(),
            function: None,
        };
        match place.named {
            Named::Struct(id) => self.structure(id, &mut view),
            Named::Field(id, index) => self.field(id, index as usize, &mut view),
            Named::Symbol(id) => self.symbol(&self.program.symbols[id], &mut view),
            Named::Function(id) => self.function(id, &mut view),
            Named::Label(function, label) => {
                let function = &self.program.functions[function].name;
                view.declaration = format!("L{} of {function}", label.as_u32());
            }
        }
        Some(view)
    }

    fn structure(&self, id: StructId, view: &mut NameView) {
        let structure = &self.program.types.structs[id];
        let word = if structure.union { "union" } else { "struct" };
        view.declaration = format!("{word} {}", structure.name);
        if !structure.complete {
            return view.notes.push("incomplete".to_owned());
        }
        view.notes.push(size(structure.size, structure.align));
        for field in &structure.fields {
            let ty = type_to_text(&self.program, field.ty);
            view.notes.push(format!("{}: {}: {ty}", field.offset, field.name));
        }
    }

    fn field(&self, id: StructId, index: usize, view: &mut NameView) {
        let Some(field) = self.program.types.structs[id].fields.get(index) else { return };
        view.declaration = format!("{}: {}", field.name, type_to_text(&self.program, field.ty));
        view.notes.push(match field.first_bit {
            None => format!("at offset {}", field.offset),
            Some(bit) => format!("from bit {bit} of offset {}", field.offset),
        });
        view.notes.extend(self.size(field.ty));
    }

    fn symbol(&self, symbol: &Symbol, view: &mut NameView) {
        let word = match symbol.kind {
            SymbolKind::Static { .. } => "static",
            SymbolKind::Param(_) => "param",
            SymbolKind::Local(_) => "local",
        };
        let ty = type_to_text(&self.program, symbol.ty);
        view.declaration = format!("{word} {}: {ty}", symbol.name);
        view.notes.extend(self.size(symbol.ty));
    }

    fn function(&self, id: FunctionId, view: &mut NameView) {
        let function = &self.program.functions[id];
        let ty = type_to_text(&self.program, function.ty);
        view.declaration = format!("function {}: {ty}", function.name);
        view.function = Some(function.display.clone());
        if let Some(body) = &function.body {
            view.notes.push(format!("{} instructions", body.len()));
        }
    }

    fn size(&self, ty: TypeId) -> Option<String> {
        let bytes = self.program.size_of(ty)?;
        Some(size(bytes, self.program.types.align_of(ty, &self.program.machine)))
    }
}

fn size(bytes: u64, align: u64) -> String {
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    format!("{bytes} {unit}, aligned to {align}")
}
