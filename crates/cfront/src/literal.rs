//! Literals: the text of numbers, character constants and strings to their values.
//!
//! Values here know no data model: an integer keeps its base and suffix, from which the analysis finds its type. The
//! lexer has reported every malformed literal, so that whoever meets an error here later need not do so again.

use crate::ast::FloatName;
use crate::codes;
use crate::lex::splice;
use std::borrow::Cow;
use std::ops::Range;
use vergo_source::{Code, Severity};

/// The mistake in a literal.
#[derive(Clone, Debug)]
pub struct LiteralError {
    /// The code of the diagnostic.
    pub code: Code,
    /// Warnings are about literals that still have a value.
    pub severity: Severity,
    /// The mistake.
    pub message: String,
    /// Which bytes of the literal are.
    pub range: Range<usize>,
    /// A way to mend it.
    pub help: Option<String>,
}

impl LiteralError {
    fn new(code: Code, range: Range<usize>, message: impl Into<String>) -> LiteralError {
        LiteralError { code, severity: Severity::Error, message: message.into(), range, help: None }
    }

    fn help(mut self, text: impl Into<String>) -> LiteralError {
        self.help = Some(text.into());
        self
    }
}

/// A number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// An integer constant.
    Int(IntLiteral),
    /// A floating constant.
    Float(FloatLiteral),
}

/// An integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    /// The value; if `overflow`, its low 128 bits.
    pub value: u128,
    /// True if the value has more than 128 bits.
    pub overflow: bool,
    /// True if it is written in base ten, so that it becomes unsigned only by its suffix.
    pub decimal: bool,
    /// True if `u` was written.
    pub unsigned: bool,
    /// The suffix `l`, `ll` or `wb`.
    pub length: IntLength,
    /// True if the GNU suffix of imaginary numbers was written.
    pub imaginary: bool,
}

/// The length suffixes of integer constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntLength {
    /// None.
    Int,
    /// `l`
    Long,
    /// `ll`
    LongLong,
    /// `wb` (C23): the narrowest `_BitInt`.
    BitPrecise,
}

/// A floating constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatLiteral {
    /// The digits as `vergo_num::Float::parse` reads them: without separators and suffix.
    pub digits: String,
    /// The type that the suffix names.
    pub ty: FloatName,
    /// True if the suffix of imaginary numbers was written.
    pub imaginary: bool,
}

/// The value of a number token.
///
/// # Errors
/// If the text is no number of C.
pub fn number(text: &[u8]) -> Result<Number, LiteralError> {
    if (1..20).contains(&text.len())
        && text.iter().all(u8::is_ascii_digit)
        && (text[0] != b'0' || text.len() == 1)
    {
        let value = text.iter().fold(0u64, |value, &digit| value * 10 + u64::from(digit - b'0'));
        return Ok(Number::Int(IntLiteral {
            value: u128::from(value),
            overflow: false,
            decimal: text[0] != b'0',
            unsigned: false,
            length: IntLength::Int,
            imaginary: false,
        }));
    }
    let text = unspliced(text);
    let mut base = 10;
    let mut at = 0;
    if text.first() == Some(&b'0') {
        match text.get(1) {
            Some(b'x' | b'X') => (base, at) = (16, 2),
            Some(b'b' | b'B') => (base, at) = (2, 2),
            _ => base = 8,
        }
    }
    let digits_start = at;
    let mut is_float = false;
    let mut n_digits = 0;
    let mut exponent = None;
    while at < text.len() {
        match text[at] {
            b'.' if is_float => {
                return Err(LiteralError::new(
                    codes::BAD_NUMBER,
                    at..at + 1,
                    "this number has two decimal points",
                ));
            }
            b'.' => is_float = true,
            b'\'' => {}
            b'e' | b'E' if base != 16 => {
                exponent = Some(at);
                break;
            }
            b'p' | b'P' if base == 16 => {
                exponent = Some(at);
                break;
            }
            byte if (byte as char).is_digit(if base == 16 { 16 } else { 10 }) => n_digits += 1,
            _ => break,
        }
        at += 1;
    }
    if n_digits == 0 {
        let name = match base {
            16 => "hexadecimal ",
            2 => "binary ",
            _ => "",
        };
        return Err(LiteralError::new(
            codes::BAD_NUMBER,
            0..text.len(),
            format!("this {name}number has no digits"),
        ));
    }
    if let Some(start) = exponent {
        is_float = true;
        at = start + 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        let first = at;
        while at < text.len() && (text[at].is_ascii_digit() || (text[at] == b'\'' && at > first)) {
            at += 1;
        }
        if at == first {
            let error = LiteralError::new(
                codes::BAD_NUMBER,
                start..at,
                "the exponent of this number has no digits",
            );
            return Err(error.help("an exponent is a decimal integer, such as `e10` or `e-10`"));
        }
    } else if is_float && base == 16 {
        return Err(LiteralError::new(
            codes::BAD_NUMBER,
            0..at,
            "a hexadecimal floating constant needs an exponent",
        )
        .help("write `p0` after the digits"));
    }
    if is_float {
        if base == 2 {
            return Err(LiteralError::new(
                codes::BAD_NUMBER,
                0..at,
                "a binary number may not be a floating constant",
            ));
        }
        let digits = text[..at].iter().filter(|&&b| b != b'\'').map(|&b| b as char).collect();
        let (ty, imaginary) = float_suffix(&text, at)?;
        return Ok(Number::Float(FloatLiteral { digits, ty, imaginary }));
    }
    let mut value = 0u128;
    let mut overflow = false;
    for (i, &byte) in text[digits_start..at].iter().enumerate() {
        if byte == b'\'' {
            continue;
        }
        let digit = (byte as char).to_digit(16).unwrap_or(0);
        if digit >= base {
            let i = digits_start + i;
            let name = if base == 8 { "an octal" } else { "a binary" };
            let error = LiteralError::new(
                codes::BAD_NUMBER,
                i..i + 1,
                format!("`{}` is not a digit of {name} number", byte as char),
            );
            return Err(if base == 8 {
                error.help("a number that begins with `0` is octal")
            } else {
                error
            });
        }
        overflow |= value > u128::MAX / u128::from(base);
        value = value.wrapping_mul(u128::from(base));
        let (sum, carry) = value.overflowing_add(u128::from(digit));
        value = sum;
        overflow |= carry;
    }
    let (unsigned, length, imaginary) = int_suffix(&text, at)?;
    Ok(Number::Int(IntLiteral {
        value,
        overflow,
        decimal: base == 10,
        unsigned,
        length,
        imaginary,
    }))
}

fn bad_suffix(text: &[u8], at: usize, what: &str) -> LiteralError {
    let suffix = String::from_utf8_lossy(&text[at..]).into_owned();
    let error = LiteralError::new(
        codes::BAD_NUMBER,
        at..text.len(),
        format!("`{suffix}` is not a suffix of {what}"),
    );
    if text[..at].last().is_some_and(|b| matches!(b, b'e' | b'E'))
        && matches!(text.get(at), Some(b'+' | b'-'))
    {
        let sign = text[at] as char;
        return error.help(format!(
            "write a blank before `{sign}`: `e{sign}` continues a number, even a hexadecimal one"
        ));
    }
    error
}

fn int_suffix(text: &[u8], at: usize) -> Result<(bool, IntLength, bool), LiteralError> {
    let mut rest = &text[at..];
    let (mut unsigned, mut length, mut imaginary) = (false, IntLength::Int, false);
    while let Some(&first) = rest.first() {
        let taken = match first {
            b'u' | b'U' if !unsigned => {
                unsigned = true;
                1
            }
            b'i' | b'I' | b'j' | b'J' if !imaginary => {
                imaginary = true;
                1
            }
            b'l' | b'L' if length == IntLength::Int => {
                if rest.get(1) == Some(&first) {
                    length = IntLength::LongLong;
                    2
                } else {
                    length = IntLength::Long;
                    1
                }
            }
            b'w' if length == IntLength::Int && rest.get(1) == Some(&b'b') => {
                length = IntLength::BitPrecise;
                2
            }
            b'W' if length == IntLength::Int && rest.get(1) == Some(&b'B') => {
                length = IntLength::BitPrecise;
                2
            }
            _ => return Err(bad_suffix(text, at, "an integer")),
        };
        rest = &rest[taken..];
    }
    Ok((unsigned, length, imaginary))
}

fn float_suffix(text: &[u8], at: usize) -> Result<(FloatName, bool), LiteralError> {
    let mut suffix: Vec<u8> = text[at..].to_ascii_lowercase();
    let mut imaginary = false;
    if suffix.last().is_some_and(|b| matches!(b, b'i' | b'j')) {
        suffix.pop();
        imaginary = true;
    } else if suffix.first().is_some_and(|b| matches!(b, b'i' | b'j')) {
        suffix.remove(0);
        imaginary = true;
    }
    let ty = match &suffix[..] {
        b"" | b"d" => FloatName::Double,
        b"f" => FloatName::Float,
        b"l" | b"w" => FloatName::LongDouble,
        b"q" | b"f128" => FloatName::Float128,
        b"f16" => FloatName::Float16,
        b"bf16" => FloatName::BFloat16,
        b"f32" => FloatName::Float32,
        b"f64" => FloatName::Float64,
        b"f32x" => FloatName::Float32x,
        b"f64x" => FloatName::Float64x,
        b"df" | b"dd" | b"dl" => FloatName::Decimal,
        _ => return Err(bad_suffix(text, at, "a floating constant")),
    };
    Ok((ty, imaginary))
}

/// The encoding prefix of a character constant or string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Prefix {
    /// None: bytes of type `char`.
    None,
    /// `u8`: bytes.
    Utf8,
    /// `u`: sixteen-bit units.
    Utf16,
    /// `U`: thirty-two-bit units.
    Utf32,
    /// `L`: units of `wchar_t`, thirty-two bits wide in every data model known here.
    Wide,
}

impl Prefix {
    /// The width of a unit in bits.
    pub fn unit_bits(self) -> u32 {
        match self {
            Prefix::None | Prefix::Utf8 => 8,
            Prefix::Utf16 => 16,
            Prefix::Utf32 | Prefix::Wide => 32,
        }
    }
}

/// A character constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharLiteral {
    /// The prefix, which gives the type.
    pub prefix: Prefix,
    /// The value in that type (`int` without a prefix, where plain `char` is signed).
    pub value: i64,
    /// The number of units that were written; more than one has a value that C leaves to gcc.
    pub units: usize,
}

/// A string literal, adjacent ones joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// The prefix, which gives the element type.
    pub prefix: Prefix,
    /// The elements without the terminating null.
    pub units: Vec<u32>,
}

/// The value of a character constant.
///
/// # Errors
/// If the text is no character constant.
pub fn character(text: &[u8]) -> Result<CharLiteral, LiteralError> {
    let text = unspliced(text);
    let piece = Piece::new(&text)?;
    let mut units = Vec::new();
    piece.decode(&mut units)?;
    let value = match (piece.prefix, &units[..]) {
        (_, []) => {
            return Err(LiteralError::new(
                codes::EMPTY_CHARACTER,
                0..text.len(),
                "this character constant is empty",
            ));
        }
        (Prefix::None, [unit]) => i64::from(*unit as u8 as i8),
        // As gcc: the units are digits in base 256, of which an `int` keeps the last four.
        (Prefix::None, units) => {
            i64::from(units.iter().fold(0u32, |value, &unit| value << 8 | unit) as i32)
        }
        // As gcc: of several wide characters the last one counts.
        (Prefix::Wide, [.., unit]) => i64::from(*unit as i32),
        (_, [.., unit]) => i64::from(*unit),
    };
    Ok(CharLiteral { prefix: piece.prefix, value, units: units.len() })
}

/// The value of adjacent string literals.
///
/// # Errors
/// If a piece is no string literal, or if the prefixes of two pieces do not agree.
pub fn string<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Result<StringLiteral, LiteralError> {
    let texts: Vec<&[u8]> = pieces.into_iter().collect();
    let mut prefix = Prefix::None;
    for text in &texts {
        let next = split_prefix(text).0;
        if next != Prefix::None {
            if prefix != Prefix::None && prefix != next {
                return Err(LiteralError::new(
                    codes::MIXED_STRINGS,
                    0..text.len(),
                    "adjacent string literals have different prefixes",
                ));
            }
            prefix = next;
        }
    }
    let mut units = Vec::new();
    for text in texts {
        let raw = split_prefix(text).1;
        let text = if raw { Cow::Borrowed(text) } else { unspliced(text) };
        let mut piece = Piece::new(&text)?;
        piece.prefix = prefix;
        piece.decode(&mut units)?;
    }
    Ok(StringLiteral { prefix, units })
}

/// Everything that is wrong or doubtful with a quoted literal that has its closing quote.
pub(crate) fn problems(text: &[u8]) -> Vec<LiteralError> {
    let mut problems = Vec::new();
    match Piece::new(text) {
        Err(error) => problems.push(error),
        Ok(piece) if !piece.raw => {
            let mut units = Vec::new();
            if let Err(error) = piece.walk(&mut units, &mut |warning| problems.push(warning)) {
                problems.push(error);
            }
        }
        Ok(_) => {}
    }
    problems
}

/// The text without line splices.
fn unspliced(text: &[u8]) -> Cow<'_, [u8]> {
    match splice::join(text) {
        None => Cow::Borrowed(text),
        Some(joined) => Cow::Owned(joined.text),
    }
}

/// The prefix, whether the literal is raw, and the length of both.
fn split_prefix(text: &[u8]) -> (Prefix, bool, usize) {
    let quote = text.iter().take(4).position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
    let word = &text[..quote];
    let raw = word.last() == Some(&b'R');
    let prefix = match if raw { &word[..word.len() - 1] } else { word } {
        b"u8" => Prefix::Utf8,
        b"u" => Prefix::Utf16,
        b"U" => Prefix::Utf32,
        b"L" => Prefix::Wide,
        _ => Prefix::None,
    };
    (prefix, raw, quote)
}

/// One literal token, taken apart.
struct Piece<'a> {
    prefix: Prefix,
    raw: bool,
    text: &'a [u8],
    /// The text between the quotes.
    body: Range<usize>,
}

impl<'a> Piece<'a> {
    fn new(text: &'a [u8]) -> Result<Piece<'a>, LiteralError> {
        let (prefix, raw, quote) = split_prefix(text);
        let open =
            || LiteralError::new(codes::OPEN_STRING, 0..text.len(), "this literal has no end");
        let mut body = quote + 1..text.len().saturating_sub(1);
        if body.start > body.end || text[body.end] != text[quote] {
            return Err(open());
        }
        if raw {
            let paren = text[body.clone()].iter().position(|&b| b == b'(').ok_or_else(open)?;
            body = body.start + paren + 1..body.end.saturating_sub(paren + 1);
            if body.start > body.end {
                return Err(open());
            }
        }
        Ok(Piece { prefix, raw, text, body })
    }

    fn decode(&self, units: &mut Vec<u32>) -> Result<(), LiteralError> {
        self.walk(units, &mut |_| {})
    }

    fn push(&self, units: &mut Vec<u32>, c: char) {
        match self.prefix {
            Prefix::None | Prefix::Utf8 => {
                units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            Prefix::Utf16 => {
                units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)))
            }
            Prefix::Utf32 | Prefix::Wide => units.push(c as u32),
        }
    }

    fn walk(
        &self,
        units: &mut Vec<u32>,
        warn: &mut dyn FnMut(LiteralError),
    ) -> Result<(), LiteralError> {
        let narrow = self.prefix.unit_bits() == 8;
        let mut at = self.body.start;
        while at < self.body.end {
            let byte = self.text[at];
            if byte == b'\\' && !self.raw {
                at = self.escape(at, units, warn)?;
            } else if byte < 0x80 || narrow {
                // The source is taken to be in the execution character set, whatever that is.
                units.push(u32::from(byte));
                at += 1;
            } else {
                let rest = &self.text[at..self.body.end.min(at + 4)];
                let valid = match std::str::from_utf8(rest) {
                    Ok(valid) => valid,
                    Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or(""),
                };
                let Some(c) = valid.chars().next() else {
                    return Err(LiteralError::new(
                        codes::STRAY_CHARACTER,
                        at..at + 1,
                        format!("byte 0x{byte:02x} in a wide literal is not UTF-8 text"),
                    ));
                };
                self.push(units, c);
                at += c.len_utf8();
            }
        }
        Ok(())
    }

    /// Decodes the escape sequence whose backslash is at `at`; yields where it ends.
    fn escape(
        &self,
        at: usize,
        units: &mut Vec<u32>,
        warn: &mut dyn FnMut(LiteralError),
    ) -> Result<usize, LiteralError> {
        let end = self.body.end;
        let mut next = at + 2;
        let mask = u32::MAX >> (32 - self.prefix.unit_bits());
        // The piece ends with a quote that is not escaped, so that there is a character.
        let selector = self.text[at + 1];
        let simple = match selector {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'v' => 0x0b,
            b'e' | b'E' => 0x1b,
            b'\\' | b'\'' | b'"' | b'?' => selector,
            b'0'..=b'7' => {
                let mut value = u32::from(selector - b'0');
                while next < end && next < at + 4 && matches!(self.text[next], b'0'..=b'7') {
                    value = value << 3 | u32::from(self.text[next] - b'0');
                    next += 1;
                }
                if value > mask {
                    warn(self.out_of_range(at..next));
                }
                units.push(value & mask);
                return Ok(next);
            }
            b'x' => {
                let mut value = 0u32;
                let mut too_large = false;
                while next < end
                    && let Some(digit) = (self.text[next] as char).to_digit(16)
                {
                    too_large |= value > mask >> 4;
                    value = value << 4 | digit;
                    next += 1;
                }
                if next == at + 2 {
                    return Err(LiteralError::new(
                        codes::BAD_ESCAPE,
                        at..next,
                        "`\\x` needs hexadecimal digits after it",
                    ));
                }
                if too_large {
                    warn(self.out_of_range(at..next));
                }
                units.push(value & mask);
                return Ok(next);
            }
            b'u' | b'U' => {
                let n_digits = if selector == b'u' { 4 } else { 8 };
                let mut value = 0u32;
                while next < end
                    && next < at + 2 + n_digits
                    && let Some(digit) = (self.text[next] as char).to_digit(16)
                {
                    value = value << 4 | digit;
                    next += 1;
                }
                if next != at + 2 + n_digits {
                    return Err(LiteralError::new(
                        codes::BAD_ESCAPE,
                        at..next,
                        format!(
                            "`\\{}` needs {n_digits} hexadecimal digits after it",
                            selector as char
                        ),
                    ));
                }
                let Some(c) = char::from_u32(value) else {
                    return Err(LiteralError::new(
                        codes::BAD_ESCAPE,
                        at..next,
                        format!("U+{value:04X} is not a character"),
                    ));
                };
                self.push(units, c);
                return Ok(next);
            }
            other => {
                let mut warning = LiteralError::new(
                    codes::BAD_ESCAPE,
                    at..next,
                    format!("unknown escape sequence `\\{}`", other.escape_ascii()),
                )
                .help("write `\\\\` for a backslash");
                warning.severity = Severity::Warning;
                warn(warning);
                // The character stands for itself; it may be the first byte of several.
                return Ok(at + 1);
            }
        };
        units.push(u32::from(simple));
        Ok(next)
    }

    fn out_of_range(&self, range: Range<usize>) -> LiteralError {
        let bits = self.prefix.unit_bits();
        let mut warning = LiteralError::new(
            codes::BAD_ESCAPE,
            range,
            format!("the value of this escape sequence does not fit into {bits} bits"),
        );
        warning.severity = Severity::Warning;
        warning
    }
}

#[cfg(test)]
mod tests;
