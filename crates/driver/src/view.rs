//! A file as editors look at it: its functions, and what the names in it mean.

mod c;
mod goto_text;

use vergo_source::{SourceMap, Span};

use crate::binary::is_binary;
use crate::front_ends::FrontEnd;
use crate::input::Input;
use crate::job::Job;
use c::CView;
use goto_text::GotoView;

/// An analysed file.
#[derive(Debug)]
pub struct View(Form);

#[derive(Debug)]
enum Form {
    C(Box<CView>),
    Goto(Box<GotoView>),
}

/// A function that a file defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionView {
    /// Its name.
    pub name: String,
    /// The name where it is defined.
    pub span: Span,
    /// The whole definition.
    pub definition: Span,
}

/// The meaning of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameView {
    /// The name as it was pointed at.
    pub span: Span,
    /// The name where it is declared.
    pub declared: Span,
    /// Its declaration as C.
    pub declaration: String,
    /// Its size and layout as far as they are known, a line each.
    pub notes: Vec<String>,
    /// The clauses of a function's contract as they stand in the source.
    pub contract: Vec<String>,
    /// The function that it names, if it names one.
    pub function: Option<String>,
}

impl Job {
    /// Reads and analyses a file with C or GOTO text; what is wrong with it is in the job's diagnostics, and what could be
    /// understood in spite of that is in the view. None if there is no text.
    pub fn view(&mut self, input: &Input) -> Option<View> {
        if is_binary(input) {
            return None;
        }
        let has_c = FrontEnd::of(std::slice::from_ref(input)).has_c;
        Some(View(match has_c {
            true => Form::C(Box::new(CView::read(self, input)?)),
            false => Form::Goto(Box::new(GotoView::read(self, input)?)),
        }))
    }
}

impl View {
    /// The functions that a file defines and in which a program can begin, in order.
    pub fn functions(&self, map: &SourceMap, file: &str) -> Vec<FunctionView> {
        match &self.0 {
            Form::C(view) => view.functions(map, file),
            Form::Goto(view) => view.functions(),
        }
    }

    /// The name at a line and column of a file, both from 1, and what it means.
    pub fn name_at(&self, map: &SourceMap, file: &str, line: u32, column: u32) -> Option<NameView> {
        match &self.0 {
            Form::C(view) => view.name_at(map, file, line, column),
            Form::Goto(view) => view.name_at(map, line, column),
        }
    }
}
