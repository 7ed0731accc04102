//! Directives that survive preprocessing: line markers and pragmas.

use super::Lexer;
use crate::ast::Pragma;
use crate::codes;
use vergo_source::{Diagnostic, MarkerFlags};

impl Lexer<'_> {
    /// A directive whose `#` is at `lo`; the text after it begins at `from`.
    pub(super) fn directive(&mut self, lo: usize, from: usize) {
        let end = directive_end(self.text, from);
        // The newline is left, so that the next line begins as every line does.
        self.pos = end;
        let mut at = skip_blanks(self.text, from, end);
        let word_end =
            at + self.text[at..end].iter().take_while(|&&b| super::is_word_byte(b)).count();
        match &self.text[at..word_end] {
            b"" if at == end
                || self.text[at..end].starts_with(b"//")
                || self.text[at..end].starts_with(b"/*") => {}
            b"pragma" => {
                at = skip_blanks(self.text, word_end, end);
                let mut last = end;
                while last > at && self.text[last - 1].is_ascii_whitespace() {
                    last -= 1;
                }
                let span = self.span(at, last);
                self.out.pragmas.push(Pragma { span, operator: false });
            }
            b"ident" | b"sccs" => {}
            b"line" => self.line_marker(lo, word_end, end, false),
            [b'0'..=b'9', ..] => self.line_marker(lo, at, end, true),
            _ => self.needs_preprocessing(lo, word_end),
        }
    }

    /// `# 12 "file" 1 3` or `#line 12 "file"`; the number begins after blanks at `from`.
    fn line_marker(&mut self, lo: usize, from: usize, end: usize, with_flags: bool) {
        let text = self.text;
        let mut at = skip_blanks(text, from, end);
        let Some(line) = read_number(text, &mut at, end) else {
            return self.needs_preprocessing(lo, end.min(from));
        };
        at = skip_blanks(text, at, end);
        let mut name = None;
        if at < end && text[at] == b'"' {
            let mut bytes = Vec::new();
            at += 1;
            while at < end && text[at] != b'"' {
                if text[at] == b'\\' && at + 1 < end {
                    at += 1;
                    // gcc writes bytes that are not printable as three octal digits.
                    if let [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7'] =
                        text[at..end.min(at + 3)]
                    {
                        bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                        at += 3;
                        continue;
                    }
                }
                bytes.push(text[at]);
                at += 1;
            }
            at += 1;
            name = Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        let mut numbers = [0; 4];
        let mut n_numbers = 0;
        while n_numbers < numbers.len() {
            at = skip_blanks(text, at.min(end), end);
            let Some(number) = read_number(text, &mut at, end) else { break };
            numbers[n_numbers] = number;
            n_numbers += 1;
        }
        let flags = with_flags.then(|| MarkerFlags::from_numbers(&numbers[..n_numbers]));
        let next = (end + 1).min(text.len());
        let next = self.joined.map_or(next as u32, |joined| joined.original(next));
        self.sources.add_line_marker(self.file, next, line, name.as_deref(), flags);
    }

    fn needs_preprocessing(&mut self, lo: usize, hi: usize) {
        if self.out.needs_preprocessing {
            return;
        }
        self.out.needs_preprocessing = true;
        let directive = String::from_utf8_lossy(&self.text[lo..hi]).into_owned();
        let span = self.span(lo, hi);
        self.report(
            Diagnostic::error(
                codes::NOT_PREPROCESSED,
                span,
                format!("the file needs preprocessing: `{}` is left in it", directive.trim()),
            )
            .primary_label("only a preprocessor can carry this out")
            .help("preprocess the file first, as `gcc -E FILE.c -o FILE.i` does"),
        );
    }
}

/// Where the line of a directive ends: at the newline, but for one in a comment.
fn directive_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = text.get(at) {
        match (byte, text.get(at + 1)) {
            (b'\n', _) => return at,
            (b'/', Some(b'*')) => {
                let Some(close) = text[at + 2..].windows(2).position(|pair| pair == b"*/") else {
                    // Reported when the comment is met again as one.
                    return at;
                };
                at += close + 4;
            }
            (b'/', Some(b'/')) => {
                return text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| at + n);
            }
            (b'"', _) => {
                at += 1;
                while !matches!(text.get(at), None | Some(b'"' | b'\n')) {
                    at += if text[at] == b'\\' && text.get(at + 1) != Some(&b'\n') { 2 } else { 1 };
                }
                if text.get(at) == Some(&b'"') {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn skip_blanks(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && matches!(text[at], b' ' | b'\t' | b'\r' | 0x0b | 0x0c) {
        at += 1;
    }
    at
}

/// A decimal number that saturates; `None` without digits.
fn read_number(text: &[u8], at: &mut usize, end: usize) -> Option<u32> {
    let start = *at;
    let mut value = 0u32;
    while *at < end && text[*at].is_ascii_digit() {
        value = value.saturating_mul(10).saturating_add(u32::from(text[*at] - b'0'));
        *at += 1;
    }
    (*at > start).then_some(value)
}
