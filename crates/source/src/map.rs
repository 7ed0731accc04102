//! The source map: every file of a run, and what a position means to the user.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::column::original_offset;
use crate::lines::line_starts;
use crate::marker::{MarkerFlags, Markers};
use crate::span::Span;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(u32);

/// An interned file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NameId(u32);

/// A position as a user knows it. Lines and columns count from 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The file's name as the compiler saw it.
    pub file: Arc<str>,
    /// The line, from 1; 0 if the position belongs to no file.
    pub line: u32,
    /// The column in characters, from 1; 0 if the position belongs to no file.
    pub column: u32,
    /// True if line markers say that this is a system header.
    pub in_system_header: bool,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}", self.file)
        } else {
            write!(f, "{}:{}:{}", self.file, self.line, self.column)
        }
    }
}

/// The reason why a file could not be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceError {
    /// All text together would exceed the four gibibytes that a position can address.
    TooLarge {
        /// The file that did not fit.
        file: String,
    },
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::TooLarge { file } => {
                write!(f, "{file}: the source text of one run may not exceed 4 GiB in total")
            }
        }
    }
}

impl std::error::Error for SourceError {}

#[derive(Debug)]
struct SourceFile {
    name: NameId,
    text: Arc<[u8]>,
    /// The position of the first byte. The position of the file's end is its own too, so that
    /// the next file begins one later and "at the end of a.c" is not "at the start of b.c".
    start: u32,
    lines: OnceLock<Box<[u32]>>,
    markers: Markers,
}

impl SourceFile {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| line_starts(&self.text))
    }

    /// The index, from 0, of the physical line that an offset lies on.
    fn line_index(&self, offset: u32) -> usize {
        self.lines().partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The offsets of a physical line without its line end.
    fn line_range(&self, index: usize) -> Range<usize> {
        line_range(&self.text, self.lines(), index)
    }
}

/// The text of a file that line markers name.
#[derive(Debug)]
struct Original {
    text: Arc<[u8]>,
    lines: OnceLock<Box<[u32]>>,
}

/// The range of a line without `\n` or `\r\n`; empty past the last line.
fn line_range(text: &[u8], starts: &[u32], index: usize) -> Range<usize> {
    let Some(&start) = starts.get(index) else { return text.len()..text.len() };
    let start = start as usize;
    let mut end = starts.get(index + 1).map_or(text.len(), |&next| next as usize - 1);
    if end > start && text[end - 1] == b'\r' {
        end -= 1;
    }
    start..end
}

/// A line as it is shown to the user, with the bytes of it that a span covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownLine<'a> {
    pub(crate) location: Location,
    /// The line without its end, from the original file where its text is known.
    pub(crate) text: &'a [u8],
    /// The part of the line that the span covers.
    pub(crate) range: Range<usize>,
}

/// All files of a run in one address space of `u32` positions, in the order of their addition.
///
/// Text is bytes: nothing here requires UTF-8, and columns of malformed text are still defined.
#[derive(Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    names: Vec<Arc<str>>,
    name_ids: BTreeMap<Arc<str>, NameId>,
    originals: BTreeMap<Arc<str>, Original>,
    /// The position at which the next file begins.
    next: u32,
    unknown: Arc<str>,
}

impl Default for SourceMap {
    fn default() -> Self {
        SourceMap::new()
    }
}

impl SourceMap {
    /// A map without files.
    #[must_use]
    pub fn new() -> SourceMap {
        SourceMap {
            files: Vec::new(),
            names: Vec::new(),
            name_ids: BTreeMap::new(),
            originals: BTreeMap::new(),
            next: 1,
            unknown: Arc::from("<unknown>"),
        }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// If all text together would no longer fit into the address space.
    pub fn add(&mut self, name: &str, text: impl Into<Vec<u8>>) -> Result<FileId, SourceError> {
        let text: Vec<u8> = text.into();
        // The end position of the file and the start of the next one must be representable.
        let next = u32::try_from(text.len())
            .ok()
            .and_then(|len| self.next.checked_add(len))
            .and_then(|end| end.checked_add(1))
            .ok_or_else(|| SourceError::TooLarge { file: name.to_owned() })?;
        let id = FileId(u32::try_from(self.files.len()).expect("each file takes a position"));
        let name = self.intern(name);
        self.files.push(SourceFile {
            name,
            text: Arc::from(text),
            start: self.next,
            lines: OnceLock::new(),
            markers: Markers::default(),
        });
        self.next = next;
        Ok(id)
    }

    /// Registers the text of a file that line markers name, so that diagnostics can show its
    /// lines instead of those of the preprocessor's output.
    pub fn add_original(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        let text: Vec<u8> = text.into();
        // Offsets are 32 bits wide; an original beyond that is simply not shown.
        if u32::try_from(text.len()).is_ok() {
            let original = Original { text: Arc::from(text), lines: OnceLock::new() };
            self.originals.insert(Arc::from(name), original);
        }
    }

    /// Records a line marker: the line that begins at byte `next_line` of the file is line
    /// `line` of the file `name` (or of the file presumed so far, if the marker names none).
    ///
    /// `flags` are those of `# 12 "foo.c" 1 3`; a `#line` directive has `None`.
    pub fn add_line_marker(
        &mut self,
        file: FileId,
        next_line: u32,
        line: u32,
        name: Option<&str>,
        flags: Option<MarkerFlags>,
    ) {
        let name = name.map(|name| self.intern(name));
        let Some(file) = self.files.get_mut(file.0 as usize) else { return };
        let file_name = file.name;
        file.markers.add(next_line, line, name, flags, file_name);
    }

    /// All files, in the order of their addition.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.files.len()).map(|i| FileId(i as u32))
    }

    /// The name a file was added by.
    #[must_use]
    pub fn name(&self, file: FileId) -> &Arc<str> {
        self.files.get(file.0 as usize).map_or(&self.unknown, |f| &self.names[f.name.0 as usize])
    }

    /// All names of files: those that were added, and those that line markers name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The text of a file; clone the `Arc` to keep it while the map changes.
    ///
    /// # Panics
    /// If the id comes from another map.
    #[must_use]
    pub fn text(&self, file: FileId) -> &Arc<[u8]> {
        &self.files[file.0 as usize].text
    }

    /// The text of a file by the name that users know it by: the original where line markers name one.
    #[must_use]
    pub fn shown_text(&self, name: &str) -> Option<&[u8]> {
        if let Some(original) = self.originals.get(name) {
            return Some(&original.text);
        }
        let file = self.files.iter().find(|file| *self.names[file.name.0 as usize] == *name)?;
        Some(&file.text)
    }

    /// The span of a whole file.
    #[must_use]
    pub fn file_span(&self, file: FileId) -> Span {
        self.files
            .get(file.0 as usize)
            .map_or(Span::DUMMY, |f| Span { lo: f.start, hi: f.start + f.text.len() as u32 })
    }

    /// The span of the bytes `lo..hi` of a file, clamped to its text.
    #[must_use]
    pub fn span(&self, file: FileId, lo: u32, hi: u32) -> Span {
        let all = self.file_span(file);
        Span::new(all.lo.saturating_add(lo).min(all.hi), all.lo.saturating_add(hi).min(all.hi))
    }

    /// The file that a position belongs to, and the offset in it.
    #[must_use]
    pub fn lookup(&self, pos: u32) -> Option<(FileId, u32)> {
        let index = self.files.partition_point(|f| f.start <= pos).checked_sub(1)?;
        let file = &self.files[index];
        let offset = pos - file.start;
        (offset as usize <= file.text.len()).then_some((FileId(index as u32), offset))
    }

    /// The text of a span, cut at the end of the file in which it starts.
    #[must_use]
    pub fn span_text(&self, span: Span) -> &[u8] {
        let Some((file, offset)) = self.lookup(span.lo) else { return &[] };
        let text = &self.files[file.0 as usize].text;
        let start = offset as usize;
        let end = start.saturating_add(span.len() as usize).min(text.len());
        &text[start..end]
    }

    /// The file, line and column of a position in the text that was added, markers disregarded.
    #[must_use]
    pub fn physical(&self, pos: u32) -> Location {
        let Some((file, offset)) = self.lookup(pos) else { return self.nowhere() };
        let file = &self.files[file.0 as usize];
        let index = file.line_index(offset);
        let range = file.line_range(index);
        Location {
            file: self.names[file.name.0 as usize].clone(),
            line: to_u32(index + 1),
            column: column(&file.text[range.clone()], offset as usize - range.start),
            in_system_header: false,
        }
    }

    /// The file, line and column that a user knows a position by: line markers are followed,
    /// and columns are those of the original line where its text is known.
    #[must_use]
    pub fn presumed(&self, pos: u32) -> Location {
        self.shown_line(Span::at(pos)).map_or_else(|| self.nowhere(), |line| line.location)
    }

    /// Returns whether markers say that a position lies in a system header.
    #[must_use]
    pub fn in_system_header(&self, pos: u32) -> bool {
        self.lookup(pos).is_some_and(|(file, offset)| {
            let markers = &self.files[file.0 as usize].markers;
            markers.at(offset).is_some_and(|marker| marker.system_header)
        })
    }

    /// The places of the `#include` directives that led to a position, innermost first.
    #[must_use]
    pub fn included_from(&self, pos: u32) -> Vec<Location> {
        let mut chain = Vec::new();
        let Some((id, offset)) = self.lookup(pos) else { return chain };
        let file = &self.files[id.0 as usize];
        let mut next = file.markers.at(offset).and_then(|marker| marker.inclusion);
        // Parents have smaller indices, so that the walk ends.
        while let Some(inclusion) = next.and_then(|index| file.markers.inclusion(index)) {
            chain.push(self.presumed(file.start + inclusion.offset));
            next = inclusion.parent;
        }
        chain
    }

    /// The line on which a span starts, as it is to be shown, and the part of it to underline.
    pub(crate) fn shown_line(&self, span: Span) -> Option<ShownLine<'_>> {
        let (id, offset) = self.lookup(span.lo)?;
        let file = &self.files[id.0 as usize];
        let index = file.line_index(offset);
        let line = file.line_range(index);
        let text = &file.text[line.clone()];
        // An offset may lie on the line end, beyond the line's text.
        let start = (offset as usize - line.start).min(text.len());
        let end = start.saturating_add(span.len() as usize).min(text.len());

        let marker = file.markers.at(offset);
        let name = marker.map_or(file.name, |m| m.name);
        let name = &self.names[name.0 as usize];
        let number = match marker {
            None => to_u32(index + 1),
            Some(m) => {
                let since = index.saturating_sub(file.line_index(m.offset));
                m.line.saturating_add(to_u32(since))
            }
        };
        let location = |column| Location {
            file: name.clone(),
            line: number,
            column,
            in_system_header: marker.is_some_and(|m| m.system_header),
        };
        if marker.is_some()
            && let Some(original) = self.original_line(name, number)
        {
            let range = original_offset(text, start..end, original);
            let location = location(column(original, range.start));
            return Some(ShownLine { location, text: original, range });
        }
        Some(ShownLine { location: location(column(text, start)), text, range: start..end })
    }

    /// The line before the one on which a span starts, where both are of one file.
    pub(crate) fn line_before(&self, span: Span) -> Option<&[u8]> {
        let (id, offset) = self.lookup(span.lo)?;
        let file = &self.files[id.0 as usize];
        let marker = file.markers.at(offset);
        let index = file.line_index(offset);
        if let Some(marker) = marker {
            let name = &self.names[marker.name.0 as usize];
            let since = index.saturating_sub(file.line_index(marker.offset));
            let number = marker.line.saturating_add(to_u32(since));
            if let Some(line) = number.checked_sub(1).and_then(|n| self.original_line(name, n)) {
                return Some(line);
            }
            if since == 0 {
                return None;
            }
        }
        Some(&file.text[file.line_range(index.checked_sub(1)?)])
    }

    fn original_line(&self, name: &str, line: u32) -> Option<&[u8]> {
        let original = self.originals.get(name)?;
        let starts = original.lines.get_or_init(|| line_starts(&original.text));
        let index = (line as usize).checked_sub(1)?;
        (index < starts.len()).then(|| &original.text[line_range(&original.text, starts, index)])
    }

    fn intern(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let id = NameId(to_u32(self.names.len()));
        let name: Arc<str> = Arc::from(name);
        self.names.push(name.clone());
        self.name_ids.insert(name, id);
        id
    }

    fn nowhere(&self) -> Location {
        Location { file: self.unknown.clone(), line: 0, column: 0, in_system_header: false }
    }
}

/// The column of a byte of a line, from 1: the number of characters up to it. Bytes that
/// continue a UTF-8 sequence do not count, so that malformed text has columns as well.
fn column(line: &[u8], offset: usize) -> u32 {
    let before = &line[..offset.min(line.len())];
    to_u32(before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1)
}

fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
