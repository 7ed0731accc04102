//! Identifiers beyond ASCII: UTF-8 text and universal character names.

use super::{Lexer, is_word_byte};

/// The ranges of characters that C11 (Annex D.1) allows in identifiers.
const ALLOWED: &[(u32, u32)] = &[
    (0xA8, 0xA8),
    (0xAA, 0xAA),
    (0xAD, 0xAD),
    (0xAF, 0xAF),
    (0xB2, 0xB5),
    (0xB7, 0xBA),
    (0xBC, 0xBE),
    (0xC0, 0xD6),
    (0xD8, 0xF6),
    (0xF8, 0xFF),
    (0x100, 0x167F),
    (0x1681, 0x180D),
    (0x180F, 0x1FFF),
    (0x200B, 0x200D),
    (0x202A, 0x202E),
    (0x203F, 0x2040),
    (0x2054, 0x2054),
    (0x2060, 0x206F),
    (0x2070, 0x218F),
    (0x2460, 0x24FF),
    (0x2776, 0x2793),
    (0x2C00, 0x2DFF),
    (0x2E80, 0x2FFF),
    (0x3004, 0x3007),
    (0x3021, 0x302F),
    (0x3031, 0x303F),
    (0x3040, 0xD7FF),
    (0xF900, 0xFD3D),
    (0xFD40, 0xFDCF),
    (0xFDF0, 0xFE44),
    (0xFE47, 0xFFFD),
    (0x10000, 0x1FFFD),
    (0x20000, 0x2FFFD),
    (0x30000, 0x3FFFD),
    (0x40000, 0x4FFFD),
    (0x50000, 0x5FFFD),
    (0x60000, 0x6FFFD),
    (0x70000, 0x7FFFD),
    (0x80000, 0x8FFFD),
    (0x90000, 0x9FFFD),
    (0xA0000, 0xAFFFD),
    (0xB0000, 0xBFFFD),
    (0xC0000, 0xCFFFD),
    (0xD0000, 0xDFFFD),
    (0xE0000, 0xEFFFD),
];

/// The ranges that may not begin an identifier (Annex D.2): combining marks.
const NOT_FIRST: &[(u32, u32)] =
    &[(0x300, 0x36F), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)];

fn contains(ranges: &[(u32, u32)], c: char) -> bool {
    let c = c as u32;
    let index = ranges.partition_point(|range| range.0 <= c);
    index.checked_sub(1).is_some_and(|i| c <= ranges[i].1)
}

/// Returns whether a character beyond ASCII may stand in an identifier.
pub(super) fn continues(c: char) -> bool {
    contains(ALLOWED, c)
}

fn begins(c: char) -> bool {
    contains(ALLOWED, c) && !contains(NOT_FIRST, c)
}

/// The character at an offset and where it ends; `None` and one byte if it is no UTF-8.
pub(super) fn decode(text: &[u8], at: usize) -> (Option<char>, usize) {
    let window = &text[at..text.len().min(at + 4)];
    let valid = match std::str::from_utf8(window) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&window[..error.valid_up_to()]).unwrap_or(""),
    };
    match valid.chars().next() {
        Some(c) => (Some(c), at + c.len_utf8()),
        None => (None, at + 1),
    }
}

/// Returns the ASCII text that a typographic character most likely stands for.
pub(super) fn ascii_relative(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{ab}' | '\u{bb}' => "`\"`",
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{b4}' => "`'`",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "`-`",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => "a blank",
        '\u{d7}' => "`*`",
        '\u{2026}' => "`...`",
        '\u{2260}' => "`!=`",
        '\u{2264}' => "`<=`",
        '\u{2265}' => "`>=`",
        _ => return None,
    })
}

impl Lexer<'_> {
    /// An identifier with characters that are not ASCII or are spelled as universal character names; the name holds
    /// the characters themselves, so that both spellings are equal.
    pub(super) fn word_beyond_ascii(&mut self, lo: usize) {
        let mut name = String::new();
        let mut hi = lo;
        while hi < self.text.len() {
            let byte = self.text[hi];
            let (c, end) = if is_word_byte(byte) {
                (byte as char, hi + 1)
            } else if byte == b'\\' {
                match self.universal(hi) {
                    Some(found) => found,
                    None => break,
                }
            } else if byte >= 0x80 {
                match decode(self.text, hi) {
                    (Some(c), end) => (c, end),
                    (None, _) => break,
                }
            } else {
                break;
            };
            if !c.is_ascii() && !(if name.is_empty() { begins(c) } else { continues(c) }) {
                break;
            }
            name.push(c);
            hi = end;
        }
        if name.is_empty() {
            return self.stray(lo);
        }
        let symbol = self.names.intern(&name);
        self.push_word(lo, hi, symbol);
    }

    /// The character that `\uXXXX` or `\UXXXXXXXX` spells and where it ends.
    fn universal(&self, at: usize) -> Option<(char, usize)> {
        let digits = match self.at(at + 1) {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let text = self.text.get(at + 2..at + 2 + digits)?;
        let mut value = 0u32;
        for &byte in text {
            value = (value << 4) | (byte as char).to_digit(16)?;
        }
        let c = char::from_u32(value)?;
        (!c.is_ascii() || c == '$').then_some((c, at + 2 + digits))
    }
}
