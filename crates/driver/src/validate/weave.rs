//! The text of a program with what a witness says woven in.
//!
//! All edits are insertions on the line of their place, so that lines stay what they are. Expressions of the witness stand
//! between marks, by which everything that comes from them is known again after lowering: a check that the evaluation of an
//! invariant does not overflow is no claim about the program.

use std::collections::BTreeMap;

use vergo_cfront::edit::Edits;
use vergo_evidence::witness::Place;
use vergo_source::{Diagnostic, FileId, SourceMap, Span};

use crate::codes::{WITNESS_EXPRESSION, WITNESS_PLACE};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::landmarks::{Landmarks, Statement, at_place, base_name, effect};

/// The marks at the beginning and the end of an expression of the witness.
const BEGIN: &str = "/*@vergo ";
const END: &str = "/*vergo@*/";

/// A program that is being woven.
pub(super) struct Weaver {
    pub(super) files: Vec<WovenFile>,
    /// The expressions of the witness, by their numbers in the marks.
    expressions: Vec<(String, Place)>,
    /// The declarations before everything else in the text.
    prologue: Vec<String>,
}

/// A file that is being woven.
pub(super) struct WovenFile {
    name: String,
    pub(super) file: FileId,
    pub(super) landmarks: Landmarks,
    pub(super) edits: Edits,
}

impl Weaver {
    /// The files as they are.
    pub(super) fn new(job: &mut Job, inputs: &[Input]) -> Result<Weaver, Failed> {
        let mut files = Vec::new();
        for input in inputs {
            let file = job.load_c(input)?;
            // The lexer tells the map of line markers; what is wrong with the program is said later.
            job.apart(|job| job.parse(file));
            let landmarks = Landmarks::of(job, file);
            let edits = Edits::new(job.map.file_span(file));
            files.push(WovenFile { name: input.name(), file, landmarks, edits });
        }
        Ok(Weaver { files, expressions: Vec::new(), prologue: Vec::new() })
    }

    /// Declares something before everything else, unless the program mentions it.
    pub(super) fn declare(&mut self, job: &Job, name: &str, declaration: &str) {
        let mentions = |file: &WovenFile| {
            let text = job.map.text(file.file);
            text.windows(name.len()).any(|window| window == name.as_bytes())
        };
        if !self.files.iter().any(mentions) {
            self.prologue.push(declaration.to_owned());
        }
    }

    /// An expression of the witness for the text, with its marks.
    pub(super) fn expression(
        &mut self,
        job: &mut Job,
        value: &str,
        place: &Place,
    ) -> Result<String, Failed> {
        if let Some(flaw) = form_flaw(value) {
            return Err(bad_expression(job, value, place, flaw));
        }
        let number = self.expressions.len();
        self.expressions.push((value.to_owned(), place.clone()));
        // A line more would move all that follows.
        let value = value.replace(['\n', '\r'], " ");
        Ok(format!("({BEGIN}{number}*/{value}{END})"))
    }

    /// The candidate at a place, with the number of its file.
    pub(super) fn find<T: Copy>(
        &self,
        job: &mut Job,
        place: &Place,
        what: &str,
        candidates: impl Fn(&Landmarks) -> Vec<(u32, T)>,
    ) -> Result<(usize, T), Failed> {
        let found = self.files.iter().enumerate().find_map(|(number, file)| {
            Some((number, at_place(job, place, candidates(&file.landmarks).into_iter())?))
        });
        found.ok_or_else(|| no_place(job, place, what))
    }

    /// The smallest statement around a place, with the number of its file.
    pub(super) fn enclosing(&self, job: &Job, place: &Place) -> Option<(usize, Statement)> {
        let starts = |landmarks: &Landmarks| {
            landmarks.statements.iter().map(|of| (of.span.lo, *of)).collect::<Vec<_>>()
        };
        for (number, file) in self.files.iter().enumerate() {
            if let Some(found) = at_place(job, place, starts(&file.landmarks).into_iter()) {
                return Some((number, found));
            }
            let column = if place.column == 0 { u32::MAX } else { place.column };
            let around = file.landmarks.statements.iter().filter(|of| {
                let (from, to) = (job.given_location(of.span.lo), job.given_location(of.span.hi));
                base_name(&from.file) == base_name(&place.file)
                    && (from.line, from.column) <= (place.line, column)
                    && (place.line, place.column) <= (to.line, to.column)
            });
            if let Some(found) = around.min_by_key(|of| of.span.len()) {
                return Some((number, *found));
            }
        }
        None
    }

    /// Puts statements before a statement.
    pub(super) fn before(&mut self, file: usize, statement: Statement, text: &str) {
        let edits = &mut self.files[file].edits;
        match statement.in_block {
            true => edits.insert_before(statement.inner, format!("{text} ")),
            false => edits.wrap(statement.inner, format!("{{ {text} "), " }"),
        }
    }

    /// The woven program; every expression of the witness is one.
    pub(super) fn finish(mut self, job: &mut Job) -> Result<Vec<Input>, Failed> {
        let mut inputs = Vec::new();
        let mut first = true;
        for file in &mut self.files {
            if std::mem::take(&mut first)
                && !self.prologue.is_empty()
                && let Some(at) = file.landmarks.first_item
            {
                file.edits.insert_at(at, format!("{} ", self.prologue.join(" ")));
            }
            let text = file.edits.apply(job.map.text(file.file)).map_err(|_| Failed::Internal)?;
            inputs.push(Input::Text { name: file.name.clone(), text });
        }
        // The front end has said about the original what it says about the result, and is asked again by the check.
        match job
            .apart(|job| inputs.iter().try_for_each(|input| self.check_expressions(job, input)))
        {
            (Ok(()), _) => Ok(inputs),
            (Err(Some(diagnostic)), _) => Err(job.fail(*diagnostic)),
            (Err(None), new) => {
                job.diagnostics.extend(new);
                Err(Failed::BadInput)
            }
        }
    }

    /// Checks whether every expression of the witness is one at its place; an error is about the first that is not, or about
    /// something else that the job's diagnostics say.
    fn check_expressions(
        &self,
        job: &mut Job,
        input: &Input,
    ) -> Result<(), Option<Box<Diagnostic>>> {
        let file = job.load_c(input).map_err(|_| None)?;
        let ast = job.parse(file);
        for (region, number) in regions(&job.map, file) {
            if let Some(what) = effect(&ast, region)
                && let Some((value, place)) = self.expressions.get(number)
            {
                return Err(Some(Box::new(expression_flaw(
                    value,
                    place,
                    &format!("it has {what}"),
                ))));
            }
        }
        let options = job.c_options();
        let n_errors = job.diagnostics.error_count();
        vergo_cfront::analyze(ast, &job.map, &options, &mut job.diagnostics);
        if job.diagnostics.error_count() == n_errors {
            return Ok(());
        }
        let all = regions(&job.map, file);
        let errors: Vec<&Diagnostic> = job.diagnostics.iter().collect();
        for diagnostic in errors {
            let inside = |(region, _): &&(Span, usize)| {
                region.lo <= diagnostic.primary.lo && diagnostic.primary.lo <= region.hi
            };
            if let Some((_, number)) = all.iter().find(inside)
                && let Some((value, place)) = self.expressions.get(*number)
            {
                return Err(Some(Box::new(expression_flaw(value, place, &diagnostic.message))));
            }
        }
        Err(None)
    }
}

/// The expressions of a witness in a woven file: where they stand, and their numbers.
fn regions(map: &SourceMap, file: FileId) -> Vec<(Span, usize)> {
    let text = map.text(file);
    let base = map.file_span(file).lo;
    let find = |what: &str, from: usize| {
        let what = what.as_bytes();
        text[from..].windows(what.len()).position(|window| window == what).map(|at| from + at)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = find(BEGIN, at) {
        let Some(close) = find("*/", begin) else { break };
        let number = String::from_utf8_lossy(&text[begin + BEGIN.len()..close]).parse();
        let Some(end) = find(END, close) else { break };
        if let Ok(number) = number {
            found.push((Span::new(base + close as u32 + 2, base + end as u32), number));
        }
        at = end;
    }
    found
}

/// Finds expressions of the witness in woven programs.
#[derive(Default)]
pub(super) struct Expressions {
    regions: BTreeMap<FileId, Vec<(Span, usize)>>,
}

impl Expressions {
    /// The number of the expression that a position is in.
    pub(super) fn at(&mut self, map: &SourceMap, position: u32) -> Option<usize> {
        let (file, _) = map.lookup(position)?;
        let regions = self.regions.entry(file).or_insert_with(|| regions(map, file));
        let inside = |(region, _): &&(Span, usize)| region.lo <= position && position < region.hi;
        regions.iter().find(inside).map(|&(_, number)| number)
    }
}

/// Returns the reason why a text is not one expression, whatever its names mean.
fn form_flaw(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let mut depth = 0u32;
    let mut at = 0;
    let mut is_empty = true;
    while at < bytes.len() {
        let byte = bytes[at];
        is_empty &= byte.is_ascii_whitespace();
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some("a bracket is closed that was not opened"),
            },
            b';' | b'{' | b'}' | b'#' => return Some("it is more than an expression"),
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                return Some("it has a comment");
            }
            b'"' | b'\'' => {
                at += 1;
                while bytes.get(at).is_some_and(|&next| next != byte) {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                if at >= bytes.len() {
                    return Some("a literal has no end");
                }
            }
            b'\\' => return Some("it is not C"),
            _ => {}
        }
        at += 1;
    }
    match (is_empty, depth) {
        (true, _) => Some("it is empty"),
        (_, 0) => None,
        _ => Some("a bracket is not closed"),
    }
}

fn bad_expression(job: &mut Job, value: &str, place: &Place, flaw: &str) -> Failed {
    let diagnostic = expression_flaw(value, place, flaw);
    job.fail(diagnostic)
}

fn expression_flaw(value: &str, place: &Place, flaw: &str) -> Diagnostic {
    let message = format!("`{value}` is not an expression at {}: {flaw}", place_text(place));
    Diagnostic::error(WITNESS_EXPRESSION, Span::DUMMY, message)
}

pub(super) fn no_place(job: &mut Job, place: &Place, what: &str) -> Failed {
    let message =
        format!("the witness names a {what} at {}, where there is none", place_text(place));
    job.fail(Diagnostic::error(WITNESS_PLACE, Span::DUMMY, message))
}

/// A place for people.
pub(super) fn place_text(place: &Place) -> String {
    match place.column {
        0 => format!("{}:{}", place.file, place.line),
        column => format!("{}:{}:{column}", place.file, place.line),
    }
}

#[cfg(test)]
mod tests {
    use super::form_flaw;

    #[test]
    fn only_expressions_are_woven_in() {
        for good in ["x < 3", "a[i] == ')' && (b)", "s[0] == \"}\"[0]", "(x)"] {
            assert_eq!(form_flaw(good), None, "{good}");
        }
        for bad in ["", " ", "1); f(", "x; y", "{1}", "x /* */", "'", "(x", "\\result"] {
            assert!(form_flaw(bad).is_some(), "{bad}");
        }
    }
}
