//! Splits GOTO text into tokens.

use super::names::is_name_start;
use super::parse::ParseError;

/// A token: its kind and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A word: a name or a reserved word.
    Word,
    /// A name between backquotes.
    QuotedName,
    /// Digits, perhaps with point and exponent, then perhaps the word of a type.
    Number,
    /// Text between double quotes.
    String,
    /// `#` and a word or number, without a space.
    Hash,
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Signs, longer ones before their prefixes.
const SIGNS: &[&str] = &[
    "==>", ":=", "->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "..", "(", ")", "[", "]",
    "{", "}", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", ":", ";", ",", ".",
    "=", "@",
];

pub(super) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    if text.len() >= u32::MAX as usize {
        return Err(ParseError::at(text, 0, "the text is longer than 4 GiB"));
    }
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut i = 0;
    loop {
        while bytes.get(i).is_some_and(u8::is_ascii_whitespace) {
            i += 1;
        }
        let start = i;
        let Some(&byte) = bytes.get(i) else {
            tokens.push(Token { kind: TokenKind::End, start: i as u32, end: i as u32 });
            return Ok(tokens);
        };
        let kind = if bytes[i..].starts_with(b"//") {
            while bytes.get(i).is_some_and(|&b| b != b'\n') {
                i += 1;
            }
            continue;
        } else if is_name_start(byte) {
            i = word_end(bytes, i);
            TokenKind::Word
        } else if byte.is_ascii_digit() {
            i = number_end(bytes, i);
            TokenKind::Number
        } else if byte == b'"' || byte == b'`' {
            i += 1;
            loop {
                match bytes.get(i) {
                    None => return Err(ParseError::at(text, start, "the quotes are not closed")),
                    Some(b'\\') => i += 2,
                    Some(&b) if b == byte => break,
                    Some(_) => i += 1,
                }
            }
            i += 1;
            if byte == b'"' { TokenKind::String } else { TokenKind::QuotedName }
        } else if byte == b'#'
            && bytes.get(i + 1).is_some_and(|&b| is_name_start(b) || b.is_ascii_digit())
        {
            i = word_end(bytes, i + 1);
            TokenKind::Hash
        } else if let Some(sign) = SIGNS.iter().find(|sign| bytes[i..].starts_with(sign.as_bytes()))
        {
            i += sign.len();
            TokenKind::Sign(sign)
        } else {
            return Err(ParseError::at(text, start, "this character means nothing here"));
        };
        tokens.push(Token { kind, start: start as u32, end: i as u32 });
    }
}

/// The end of a word: name bytes, and `::` with a name byte behind.
fn word_end(bytes: &[u8], mut i: usize) -> usize {
    let is_name = |b: Option<&u8>| b.is_some_and(|&b| is_name_start(b) || b.is_ascii_digit());
    loop {
        if is_name(bytes.get(i)) {
            i += 1;
        } else if bytes[i..].starts_with(b"::") && is_name(bytes.get(i + 2)) {
            i += 2;
        } else {
            return i;
        }
    }
}

/// The end of a number: digits, a fraction, an exponent, and the word of a type.
fn number_end(bytes: &[u8], mut i: usize) -> usize {
    let is_digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let digits = |mut i: usize| {
        while is_digit(i) {
            i += 1;
        }
        i
    };
    i = digits(i);
    if bytes.get(i) == Some(&b'.') && is_digit(i + 1) {
        i = digits(i + 1);
    }
    if bytes.get(i) == Some(&b'e') {
        let sign = usize::from(matches!(bytes.get(i + 1), Some(b'+' | b'-')));
        if is_digit(i + 1 + sign) {
            i = digits(i + 1 + sign);
        }
    }
    while bytes.get(i).is_some_and(u8::is_ascii_alphanumeric) {
        i += 1;
    }
    i
}

/// Returns the bytes that a quoted token spells; `None` if an escape is malformed.
pub(super) fn unquote(quoted: &str) -> Option<Vec<u8>> {
    let inner = quoted.get(1..quoted.len().checked_sub(1)?)?.as_bytes();
    let mut out = Vec::with_capacity(inner.len());
    let mut i = 0;
    while i < inner.len() {
        if inner[i] != b'\\' {
            out.push(inner[i]);
            i += 1;
            continue;
        }
        let next = *inner.get(i + 1)?;
        if matches!(next, b'\\' | b'"' | b'`') {
            out.push(next);
            i += 2;
        } else {
            let digit = |b: u8| char::from(b).to_digit(16);
            let value = digit(next)? * 16 + digit(*inner.get(i + 2)?)?;
            out.push(u8::try_from(value).ok()?);
            i += 3;
        }
    }
    Some(out)
}
