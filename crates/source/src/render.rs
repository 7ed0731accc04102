//! Rendering diagnostics for people, in rustc's manner.
//!
//! The renderer hands `annotate-snippets` only the lines that it needs, cut to a window around
//! the marked text, so that its cost does not depend on the size of the file or of the line.

use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Snippet, Title};

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

/// Lines between two marks of a file; a mark that is further down is not shown.
const FURTHEST_LINES: u32 = 20_000;

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
        let (elements, claimed) = places(map, diagnostic);
        let mut group = Group::with_title(title).elements(elements);
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
        let text = self.inner.render(&[group]);
        let at = map.presumed(diagnostic.primary.lo);
        if at.line == 0 || claimed == at.column as usize {
            text
        } else {
            correct(text, &at, claimed)
        }
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
    span: Span,
    line: ShownLine<'a>,
    label: Option<&'a str>,
    primary: bool,
}

/// The snippets of a diagnostic, and the column that the first of them will claim to be at.
fn places<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> (Vec<Element<'a>>, usize) {
    let mut marks: Vec<Mark<'a>> = Vec::new();
    let mut mark = |span: Span, label: Option<&'a str>, primary: bool| {
        if let Some(line) = map.shown_line(span) {
            marks.push(Mark { span, line, label, primary });
        }
    };
    let labels = &diagnostic.labels[..diagnostic.labels.len().min(MOST_LABELS)];
    if !labels.iter().any(|(span, _)| *span == diagnostic.primary) {
        mark(diagnostic.primary, None, true);
    }
    for (span, label) in labels {
        mark(*span, Some(label), *span == diagnostic.primary);
    }
    // Files in the order of their first mention, the primary one first.
    marks.sort_by_key(|m| !m.primary);
    let mut files: Vec<Arc<str>> = Vec::new();
    for mark in &marks {
        if !files.contains(&mark.line.location.file) {
            files.push(mark.line.location.file.clone());
        }
    }
    let mut elements = Vec::new();
    let mut claimed = 0;
    for file in files {
        let mut of_file: Vec<&Mark<'a>> =
            marks.iter().filter(|m| m.line.location.file == file).collect();
        of_file.sort_by_key(|m| m.line.location.line);
        let (snippet, column) = file_snippet(map, &of_file);
        if elements.is_empty() {
            claimed = column;
        }
        elements.push(snippet.path(printable(file.as_bytes())).into());
    }
    (elements, claimed)
}

/// The lines of one file with their marks, which come in the order of their lines, and the
/// column of the first primary mark in the text that is shown.
fn file_snippet<'a>(
    map: &'a SourceMap,
    marks: &[&Mark<'a>],
) -> (Snippet<'a, Annotation<'a>>, usize) {
    let first = marks[0].line.location.line;
    let mut source = String::new();
    let mut annotations = Vec::new();
    let mut column = 0;
    let mut next = first;
    for line in marks.chunk_by(|a, b| a.line.location.line == b.line.location.line) {
        let number = line[0].line.location.line;
        // Lines in between are folded away, but for a single one, which is shown.
        let between = number - next;
        if between > FURTHEST_LINES {
            break;
        }
        for missing in 0..between {
            let text = (between == 1).then(|| map.line_before(line[0].span)).flatten();
            let text = text.filter(|_| missing == 0).unwrap_or_default();
            source.push_str(&printable(&text[window(text, &(0..0))]).replace('\n', " "));
            source.push('\n');
        }
        let start = source.len();
        for (range, mark) in push_line(&mut source, line).into_iter().zip(line) {
            if mark.primary && column == 0 {
                column = source[start..range.start].chars().count() + 1;
            }
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let mut annotation = kind.span(range);
            if let Some(label) = mark.label.filter(|label| !label.is_empty()) {
                annotation =
                    annotation.label(printable(label.as_bytes()).replace(['\t', '\n'], " "));
            }
            annotations.push(annotation);
        }
        source.push('\n');
        next = number.saturating_add(1);
    }
    let snippet = Snippet::source(source).line_start(first as usize).annotations(annotations);
    (snippet, column)
}

/// Appends a line to the text and returns where its marks are in it.
fn push_line(source: &mut String, marks: &[&Mark<'_>]) -> Vec<Range<usize>> {
    let anchor = marks.iter().find(|m| m.primary).unwrap_or(&marks[0]);
    let text = anchor.line.text;
    let shown = window(text, &anchor.line.range);
    if shown.start > 0 {
        source.push_str("...");
    }
    // Each byte's place in the printable text, so that marks stay on their characters.
    let mut places = Vec::with_capacity(shown.len() + 1);
    for (piece, length) in characters(&text[shown.clone()]) {
        places.extend(std::iter::repeat_n(source.len(), length));
        source.push(piece);
    }
    places.push(source.len());
    if shown.end < text.len() {
        source.push_str("...");
    }
    let place = |offset: usize| places[offset.clamp(shown.start, shown.end) - shown.start];
    // Two marks of one line can have different texts only if a line marker repeats a number;
    // then the second is placed as well as it can be.
    marks.iter().map(|mark| place(mark.line.range.start)..place(mark.line.range.end)).collect()
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

/// Puts the true column into the place line of a line that was cut at its start.
fn correct(text: String, at: &Location, claimed: usize) -> String {
    let place = format!("{}:{}:", printable(at.file.as_bytes()), at.line);
    let arrow = text.find("--> ").unwrap_or(0);
    let wrong = format!("{place}{claimed}");
    match text[arrow..].find(&wrong) {
        None => text,
        Some(found) => {
            let (head, tail) = text.split_at(arrow + found);
            format!("{head}{place}{}{}", at.column, &tail[wrong.len()..])
        }
    }
}

/// The text with everything replaced that a terminal could misunderstand.
fn printable(text: &[u8]) -> String {
    characters(text).map(|(piece, _)| piece).collect()
}

/// The characters of a text in printable form, each with the number of bytes it stands for.
fn characters(text: &[u8]) -> impl Iterator<Item = (char, usize)> + '_ {
    text.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(|c| (printable_char(c), c.len_utf8()));
        let invalid = chunk.invalid().len();
        valid.chain((invalid > 0).then_some((char::REPLACEMENT_CHARACTER, invalid)))
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
