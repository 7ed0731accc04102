//! The words of C text: as much of its lexical structure as is needed to find names and operators in it.
//!
//! Used for the text of operations, in which names are replaced, and for the gaps between operands, in which the
//! operator is found. Comments, strings, characters and lines that begin with `#` hold neither.

use crate::hir::Unit;
use std::ops::Range;

/// A piece of C text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// An identifier or keyword; a dollar may be part of it.
    Name,
    /// A number.
    Number,
    /// A string or character literal.
    Literal,
    /// A punctuator: one byte.
    Punctuator,
    /// Blanks, comments, directives.
    Blank,
}

/// A prefix with which no name of the program begins.
pub fn fresh_prefix(unit: &Unit) -> String {
    let taken = |prefix: &str| unit.names.iter().any(|(_, name)| name.starts_with(prefix));
    let mut prefix = "vergo_".to_owned();
    let mut number = 1;
    while taken(&prefix) {
        number += 1;
        prefix = format!("vergo{number}_");
    }
    prefix
}

/// Splits C text into pieces; every byte belongs to one.
pub fn pieces(text: &[u8]) -> Vec<(Piece, Range<usize>)> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < text.len() {
        let start = at;
        let piece = match text[at] {
            b'\n' => {
                at += 1;
                line_start = true;
                out.push((Piece::Blank, start..at));
                continue;
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                out.push((Piece::Blank, start..at));
                continue;
            }
            b'\\' if matches!(text.get(at + 1), Some(b'\n')) => {
                at += 2;
                Piece::Blank
            }
            b'#' if line_start => {
                at += text[at..].iter().take_while(|&&b| b != b'\n').count();
                Piece::Blank
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                at = find(text, at + 2, b"*/").map_or(text.len(), |end| end + 2);
                Piece::Blank
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                at += text[at..].iter().take_while(|&&b| b != b'\n').count();
                Piece::Blank
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < text.len() && text[at] != quote && text[at] != b'\n' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(text.len());
                Piece::Literal
            }
            b if b.is_ascii_digit() => {
                at += 1;
                while at < text.len() && (is_word(text[at]) || text[at] == b'.') {
                    let exponent = matches!(text[at], b'e' | b'E' | b'p' | b'P');
                    at += 1;
                    if exponent && matches!(text.get(at), Some(b'+' | b'-')) {
                        at += 1;
                    }
                }
                Piece::Number
            }
            b if is_word(b) => {
                at += text[at..].iter().take_while(|&&b| is_word(b)).count();
                Piece::Name
            }
            _ => {
                at += 1;
                Piece::Punctuator
            }
        };
        line_start = false;
        out.push((piece, start..at));
    }
    out
}

/// Returns whether a byte is part of a name.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn find(text: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.windows(what.len()).position(|window| window == what).map(|at| from + at)
}

/// Replaces the names in C text by what `replace` says; names that are members (after `.` or `->`) stay.
pub fn replace_names(text: &str, mut replace: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut member = false;
    let mut before = 0;
    for (piece, range) in pieces(text.as_bytes()) {
        let word = text.get(range.clone()).unwrap_or_default();
        match piece {
            Piece::Name if !member => match replace(word) {
                Some(with) => out.push_str(&with),
                None => out.push_str(word),
            },
            _ => out.push_str(word),
        }
        if piece != Piece::Blank {
            let arrow = word == ">" && before == b'-';
            member = word == "." || arrow;
            before = word.bytes().next_back().unwrap_or(0);
        }
    }
    out
}

/// The text with runs of blanks and newlines as one space and without comments, so that it fits on a line.
pub fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (piece, range) in pieces(text.as_bytes()) {
        if piece == Piece::Blank {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push_str(text.get(range).unwrap_or_default());
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_and_members_are_not() {
        let text = "if ($x > a.x /* x */ && \"x\"[0] != p->x) x = 0x1f + x;";
        let out = replace_names(text, |name| match name {
            "x" => Some("y".to_owned()),
            "$x" => Some("z".to_owned()),
            _ => None,
        });
        assert_eq!(out, "if (z > a.x /* x */ && \"x\"[0] != p->x) y = 0x1f + y;");
    }

    #[test]
    fn one_line_has_no_comments() {
        assert_eq!(on_one_line("  a = 1; // x\n\n  b /* y */ = 2;\n"), "a = 1; b = 2;");
    }

    #[test]
    fn pieces_cover_the_text() {
        for text in ["", "a", "\"\\", "'", "/* x", "a\\\nb", "# 1 \"x\"\ny + 1.5e-3 $z"] {
            let mut at = 0;
            for (_, range) in pieces(text.as_bytes()) {
                assert_eq!(range.start, at);
                at = range.end;
            }
            assert_eq!(at, text.len(), "{text:?}");
        }
    }
}
