//! Texts of open documents, and the way between the protocol's positions and ours.
//!
//! The protocol counts lines from 0 and, in a line, 16-bit units of UTF-16; a [`Location`] counts lines and characters
//! from 1.

use std::path::{Path, PathBuf};

use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use vergo_source::Location;

/// A text with the starts of its lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    text: String,
    /// The offset of each line's first byte.
    lines: Vec<usize>,
}

impl Text {
    pub(crate) fn new(text: String) -> Text {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Text { text, lines }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// A line without its end; empty if there is no such line.
    pub(crate) fn line(&self, line: usize) -> &str {
        let Some(&start) = self.lines.get(line) else { return "" };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The offset of a position; one beyond a line or the text is its end.
    fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.lines.get(line) else { return self.text.len() };
        let mut units = 0;
        for (at, letter) in self.line(line).char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += letter.len_utf16();
        }
        start + self.line(line).len()
    }

    /// Makes a change.
    pub(crate) fn change(&mut self, change: TextDocumentContentChangeEvent) {
        match change {
            TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                let (start, end) = (self.offset(part.range.start), self.offset(part.range.end));
                let mut text = std::mem::take(&mut self.text);
                text.replace_range(start.min(end)..start.max(end), &part.text);
                *self = Text::new(text);
            }
            TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                *self = Text::new(whole.text);
            }
        }
    }

    /// The position of a line and a column, both from 1 and in characters.
    pub(crate) fn position(&self, line: u32, column: u32) -> Position {
        let line = line.saturating_sub(1);
        let before = self.line(line as usize).chars().take(column.saturating_sub(1) as usize);
        let units: usize = before.map(char::len_utf16).sum();
        Position { line, character: u32::try_from(units).unwrap_or(u32::MAX) }
    }

    /// The line and the column of a position, both from 1 and in characters.
    pub(crate) fn line_column(&self, position: Position) -> (u32, u32) {
        let line = self.line(position.line as usize);
        let mut units = 0;
        let before = line.chars().take_while(|letter| {
            let is_before = units < position.character as usize;
            units += letter.len_utf16();
            is_before
        });
        let column = u32::try_from(before.count()).unwrap_or(u32::MAX);
        (position.line.saturating_add(1), column.saturating_add(1))
    }

    /// The range between two places; from a place to itself it is the word that begins there.
    pub(crate) fn range(&self, start: &Location, end: &Location) -> Range {
        let from = self.position(start.line, start.column);
        let mut to = self.position(end.line, end.column);
        if end.file != start.file || (to.line, to.character) <= (from.line, from.character) {
            let rest =
                self.line(from.line as usize).chars().skip(start.column.saturating_sub(1) as usize);
            let is_word = |letter: &char| letter.is_alphanumeric() || *letter == '_';
            let word: usize = rest.take_while(is_word).map(char::len_utf16).sum();
            let length = u32::try_from(word.max(1)).unwrap_or(1);
            to = Position { line: from.line, character: from.character.saturating_add(length) };
        }
        Range { start: from, end: to }
    }

    /// The word around a position, if it is in one.
    pub(crate) fn word(&self, position: Position) -> Option<(&str, Range)> {
        let (start, line) = (*self.lines.get(position.line as usize)?, position.line);
        let text = self.line(line as usize);
        let at = self.offset(position).checked_sub(start)?;
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let from = text[..at].char_indices().rev().take_while(|(_, letter)| is_word(*letter));
        let from = from.last().map_or(at, |(from, _)| from);
        let length = text[from..].find(|letter| !is_word(letter)).unwrap_or(text.len() - from);
        let word = &text[from..from + length];
        let column = |end: usize| {
            let units: usize = text[..end].chars().map(char::len_utf16).sum();
            Position { line, character: u32::try_from(units).unwrap_or(u32::MAX) }
        };
        let range = Range { start: column(from), end: column(from + length) };
        (!word.is_empty()).then_some((word, range))
    }

    /// The blanks that a line begins with.
    pub(crate) fn indent(&self, line: u32) -> &str {
        let line = self.line(line as usize);
        &line[..line.len() - line.trim_start().len()]
    }
}

/// The path of a `file:` address.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    // A host between the slashes is this machine.
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(rest.len());
    let mut letters = rest.bytes();
    while let Some(byte) = letters.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [letters.next()?, letters.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

/// The `file:` address of a path.
pub(crate) fn uri_of(path: &Path) -> Uri {
    let mut out = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(byte as char)
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_units_of_utf16() {
        let text = Text::new("aä𝄞b\r\nx\n".to_owned());
        let b = Position { line: 0, character: 4 };
        assert_eq!(text.position(1, 4), b);
        assert_eq!(text.line_column(b), (1, 4));
        assert_eq!(&text.as_str()[text.offset(b)..=text.offset(b)], "b");
        assert_eq!(text.offset(Position { line: 0, character: 99 }), "aä𝄞b".len());
        assert_eq!(text.offset(Position { line: 9, character: 0 }), text.as_str().len());
        assert_eq!(text.position(7, 3), Position { line: 6, character: 0 });
    }

    #[test]
    fn addresses_and_paths() {
        for path in ["/a/b c/ä+%.c", "/x.c"] {
            assert_eq!(path_of(&uri_of(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of(&Uri("untitled:1".to_owned())), None);
        assert_eq!(path_of(&Uri("file:///a%4".to_owned())), None);
    }
}
