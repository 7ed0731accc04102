//! Rendering diagnostics for people, in rustc's manner.
//!
//! The renderer hands `annotate-snippets` only the lines that it needs, cut to a window around
//! the marked text, so that its cost does not depend on the size of the file or of the line.

use std::ops::Range;

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Snippet, Title};

use crate::diagnostic::{Diagnostic, Severity};
use crate::map::{Location, ShownLine, SourceMap};
use crate::sink::Diagnostics;
use crate::span::Span;

/// Bytes of a line that are shown on either side of the marked text.
const WINDOW: usize = 240;

/// Bytes of marked text that are shown at most.
const LONGEST_MARK: usize = 400;

/// Labels shown at most; a diagnostic with more is a flood of its own.
const MOST_LABELS: usize = 20;

/// Renders diagnostics as text.
#[derive(Clone, Debug)]
pub struct Renderer {
    inner: annotate_snippets::Renderer,
}

impl Renderer {
    /// Text without colours.
    #[must_use]
    pub fn plain() -> Renderer {
        Renderer { inner: annotate_snippets::Renderer::plain() }
    }

    /// Text with the colours of a terminal.
    #[must_use]
    pub fn coloured() -> Renderer {
        Renderer { inner: annotate_snippets::Renderer::styled() }
    }

    /// Sets the width of the terminal.
    #[must_use]
    pub fn width(self, columns: usize) -> Renderer {
        let columns = if columns == 0 { DEFAULT_TERM_WIDTH } else { columns.clamp(40, 400) };
        Renderer { inner: self.inner.term_width(columns) }
    }

    /// One diagnostic, without a newline at the end.
    #[must_use]
    pub fn render(&self, map: &SourceMap, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title =
            level.primary_title(printable(diagnostic.message.as_bytes())).id(diagnostic.code.id());
        let mut group = Group::with_title(title);
        for element in places(map, diagnostic) {
            group = group.element(element);
        }
        for from in map.included_from(diagnostic.primary.lo).iter().take(MOST_LABELS) {
            let text = format!("included from {}:{}", from.file, from.line);
            group = group.element(Level::NOTE.message(printable(text.as_bytes())));
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(printable(note.as_bytes())));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(printable(help.as_bytes())));
        }
        self.inner.render(&[group])
    }

    /// All diagnostics of a sink in the order of their places, each followed by an empty line,
    /// and a last line if some were not kept.
    #[must_use]
    pub fn render_all(&self, map: &SourceMap, diagnostics: &Diagnostics) -> String {
        let mut text = String::new();
        for diagnostic in diagnostics.sorted() {
            text.push_str(&self.render(map, diagnostic));
            text.push_str("\n\n");
        }
        if diagnostics.dropped_count() > 0 {
            let title: Title<'_> = Level::NOTE.primary_title(format!(
                "{} more diagnostics are not shown",
                diagnostics.dropped_count()
            ));
            text.push_str(&self.inner.render(&[Group::with_title(title)]));
            text.push_str("\n\n");
        }
        text
    }
}

/// A marked piece of a line.
struct Mark<'a> {
    line: ShownLine<'a>,
    label: Option<&'a str>,
    primary: bool,
}

/// The snippets of a diagnostic: one per line of source, those of the primary file first.
fn places<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Vec<Element<'a>> {
    let mut marks: Vec<Mark<'a>> = Vec::new();
    let mut mark = |span: Span, label: Option<&'a str>, primary: bool| {
        if let Some(line) = map.shown_line(span) {
            marks.push(Mark { line, label, primary });
        }
    };
    let labels = &diagnostic.labels[..diagnostic.labels.len().min(MOST_LABELS)];
    if !labels.iter().any(|(span, _)| *span == diagnostic.primary) {
        mark(diagnostic.primary, None, true);
    }
    for (span, label) in labels {
        mark(*span, Some(label), *span == diagnostic.primary);
    }
    let Some(first) = marks.iter().find(|m| m.primary).map(|m| m.line.location.clone()) else {
        return secondary_only(&marks);
    };
    // Files in the order of their first mention, the primary one first.
    let mut files = vec![first.file.clone()];
    for mark in &marks {
        if !files.contains(&mark.line.location.file) {
            files.push(mark.line.location.file.clone());
        }
    }
    let mut elements = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut of_file: Vec<&Mark<'a>> =
            marks.iter().filter(|m| m.line.location.file == *file).collect();
        of_file.sort_by_key(|m| m.line.location.line);
        let at = if index == 0 { first.clone() } else { of_file[0].line.location.clone() };
        elements.extend(file_elements(&of_file, &at));
    }
    elements
}

/// Without a primary place, labels still have theirs.
fn secondary_only<'a>(marks: &[Mark<'a>]) -> Vec<Element<'a>> {
    marks.iter().flat_map(|mark| file_elements(&[mark], &mark.line.location)).collect()
}

/// The place line and the lines of one file, given the marks in the order of their lines.
fn file_elements<'a>(marks: &[&Mark<'a>], at: &Location) -> Vec<Element<'a>> {
    let origin =
        Origin::path(at.file.to_string()).line(at.line as usize).char_column(at.column as usize);
    let mut elements: Vec<Element<'a>> = vec![origin.into()];
    for line in marks.chunk_by(|a, b| a.line.location.line == b.line.location.line) {
        elements.push(line_snippet(line).into());
    }
    elements
}

/// One line of source with its marks.
fn line_snippet<'a>(marks: &[&Mark<'a>]) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let anchor = marks.iter().find(|m| m.primary).unwrap_or(&marks[0]);
    let text = anchor.line.text;
    let shown = window(text, &anchor.line.range);
    let mut source = String::new();
    if shown.start > 0 {
        source.push_str("...");
    }
    // Each byte's place in the printable text, so that marks stay on their characters.
    let mut places = Vec::with_capacity(shown.len() + 1);
    for (piece, length) in characters(&text[shown.clone()]) {
        places.extend(std::iter::repeat_n(source.len(), length));
        source.push_str(&piece);
    }
    places.push(source.len());
    if shown.end < text.len() {
        source.push_str("...");
    }
    let place = |offset: usize| places[offset.clamp(shown.start, shown.end) - shown.start];
    let mut snippet =
        Snippet::source(source.clone()).line_start(anchor.line.location.line as usize);
    for mark in marks {
        // Two places of one line can have different texts only if a marker repeats a line
        // number; then the label is placed as well as it can be.
        let range = place(mark.line.range.start)..place(mark.line.range.end);
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let mut annotation = kind.span(range);
        if let Some(label) = mark.label.filter(|label| !label.is_empty()) {
            annotation = annotation.label(printable(label.as_bytes()));
        }
        snippet = snippet.annotation(annotation);
    }
    snippet
}

/// The part of a line to show: all of it, or a window around the mark, cut between characters.
fn window(text: &[u8], mark: &Range<usize>) -> Range<usize> {
    let end = mark.end.min(mark.start + LONGEST_MARK);
    let mut start = mark.start.saturating_sub(WINDOW);
    let mut end = end.saturating_add(WINDOW).min(text.len());
    while start > 0 && text[start] & 0xc0 == 0x80 && mark.start - start < WINDOW + 4 {
        start -= 1;
    }
    while end < text.len()
        && text[end] & 0xc0 == 0x80
        && end - mark.start < LONGEST_MARK + WINDOW + 4
    {
        end += 1;
    }
    start..end
}

/// The text with everything replaced that a terminal could misunderstand.
fn printable(text: &[u8]) -> String {
    characters(text).map(|(piece, _)| piece).collect()
}

/// The characters of a text in printable form, each with the number of bytes it stands for.
fn characters(text: &[u8]) -> impl Iterator<Item = (String, usize)> + '_ {
    text.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(|c| (printable_char(c).to_string(), c.len_utf8()));
        let invalid = chunk.invalid().len();
        valid.chain((invalid > 0).then(|| (char::REPLACEMENT_CHARACTER.to_string(), invalid)))
    })
}

/// Control characters and those that reorder text are shown as the replacement character.
fn printable_char(c: char) -> char {
    match c {
        '\t' | '\n' => c,
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        _ if c.is_control() => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}
