//! Lines and columns of nodes, in constant time each even where a line is as long as the file.

use vergo_source::SourceMap;

/// Finds lines and columns of positions that mostly ascend.
///
/// A column is a number of characters from the beginning of the line. On a line of ordinary length the source map
/// counts them; on a longer one, which only generated text has, counting goes on from the last position asked for.
pub(super) struct Places<'a> {
    sources: &'a SourceMap,
    long_line: Option<LongLine>,
}

struct LongLine {
    start: u32,
    end: u32,
    number: u32,
    /// The position last asked for and its column.
    last: (u32, u32),
}

/// Lines up to this length are left to the source map.
const ORDINARY: usize = 4096;

impl<'a> Places<'a> {
    pub(super) fn new(sources: &'a SourceMap) -> Places<'a> {
        Places { sources, long_line: None }
    }

    /// `line:column` of a position.
    pub(super) fn text(&mut self, pos: u32) -> String {
        let known =
            self.long_line.as_ref().is_some_and(|line| (line.start..=line.end).contains(&pos));
        if !known {
            self.long_line = self.find_long_line(pos);
        }
        let Some(line) = &mut self.long_line else {
            let location = self.sources.presumed(pos);
            return format!("{}:{}", location.line, location.column);
        };
        let (last, column) = line.last;
        let between = |lo: u32, hi: u32| {
            let text = self.sources.span_text(vergo_source::Span { lo, hi });
            // Bytes that continue a UTF-8 sequence are no characters of their own.
            text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32
        };
        let column = if pos >= last {
            column + between(last, pos)
        } else {
            column.saturating_sub(between(pos, last)).max(1)
        };
        line.last = (pos, column);
        format!("{}:{column}", line.number)
    }

    /// The line of a position if it is longer than ordinary ones.
    fn find_long_line(&self, pos: u32) -> Option<LongLine> {
        let (file, offset) = self.sources.lookup(pos)?;
        let text = self.sources.text(file);
        let offset = offset as usize;
        let newline = |byte: &u8| *byte == b'\n';
        let near = &text[offset.saturating_sub(ORDINARY)..text.len().min(offset + ORDINARY)];
        let before = &text[offset.saturating_sub(ORDINARY)..offset];
        let after = &text[offset..text.len().min(offset + ORDINARY)];
        let begins_near = before.iter().any(newline) || offset <= ORDINARY;
        let ends_near = after.iter().any(newline) || offset + ORDINARY >= text.len();
        if near.len() < ORDINARY || (begins_near && ends_near) {
            return None;
        }
        let start = text[..offset].iter().rposition(newline).map_or(0, |index| index + 1);
        let end =
            text[offset..].iter().position(newline).map_or(text.len(), |index| offset + index);
        let base = pos - offset as u32;
        let start = base + start as u32;
        let number = self.sources.presumed(start).line;
        Some(LongLine { start, end: base + end as u32, number, last: (start, 1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_have_the_columns_of_the_source_map() {
        let mut sources = SourceMap::new();
        let text = format!(
            "# 7 \"b.c\"\nint x;\n{}\nlast\n{}",
            "\u{e9}t\u{e9} + ".repeat(2000),
            "a".repeat(9000)
        );
        let file = sources.add("a.c", text.clone()).expect("a small file");
        sources.add_line_marker(file, 10, 7, Some("b.c"), None);
        let base = sources.file_span(file).lo;
        let mut places = Places::new(&sources);
        let ascending = 0..text.len();
        let jumping = (0..text.len()).map(|i| i * 7919 % text.len()).take(500);
        for offset in ascending.chain(jumping).filter(|&offset| text.is_char_boundary(offset)) {
            let location = sources.presumed(base + offset as u32);
            let expected = format!("{}:{}", location.line, location.column);
            assert_eq!(places.text(base + offset as u32), expected, "{offset}");
        }
    }
}
