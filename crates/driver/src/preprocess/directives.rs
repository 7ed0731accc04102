//! Search for directives in a text: a scan that knows comments, strings and spliced lines.

/// The parts of a text that matter to the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// A directive that only a preprocessor understands.
    pub(super) directive: bool,
    /// A line marker, which a preprocessor has left.
    pub(super) marker: bool,
    /// A name that looks like a predefined macro, such as `__LINE__` or `__INT_MAX__`.
    pub(super) predefined_macro: bool,
}

/// Names in the form of predefined macros that are none.
const NOT_MACROS: &[&[u8]] = &[b"__FUNCTION__", b"__PRETTY_FUNCTION__"];

/// Predefined macros that name the machine and the system.
const MACHINE: &[&[u8]] = &[
    b"__amd64",
    b"__amd64__",
    b"__gnu_linux__",
    b"__i386",
    b"__i386__",
    b"__linux",
    b"__linux__",
    b"__pic__",
    b"__pie__",
    b"__unix",
    b"__unix__",
    b"__x86_64",
    b"__x86_64__",
];

/// Directives that a compiler proper understands.
const HARMLESS: &[&[u8]] = &[b"", b"line", b"pragma", b"ident", b"sccs"];

pub(super) fn scan(text: &[u8]) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    // Whether nothing but blanks and comments has been seen on this line.
    let mut fresh = true;
    while at < text.len() {
        match &text[at..] {
            [b'\n', ..] => {
                fresh = true;
                at += 1;
            }
            [b'\\', b'\n', ..] => at += 2,
            [b'\\', b'\r', b'\n', ..] => at += 3,
            [b'/', b'*', rest @ ..] => {
                let length = rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 2);
                at += 2 + length;
            }
            [b'/', b'/', ..] => at = logical_line_end(text, at),
            [quote @ (b'"' | b'\''), ..] => {
                fresh = false;
                at = literal_end(text, at + 1, *quote);
            }
            [b'#', rest @ ..] | [b'%', b':', rest @ ..] if fresh => {
                fresh = false;
                at = directive(text, text.len() - rest.len(), &mut found);
            }
            [byte, ..] if byte.is_ascii_alphabetic() || *byte == b'_' => {
                let word = word(text, at);
                found.predefined_macro |= is_predefined(word);
                fresh = false;
                at += word.len();
            }
            [byte, ..] => {
                fresh &= byte.is_ascii_whitespace();
                at += 1;
            }
            [] => break,
        }
    }
    found
}

/// Classifies the directive after its `#` and returns where its line ends.
fn directive(text: &[u8], start: usize, found: &mut Found) -> usize {
    let mut at = start;
    // Blanks, splices and comments may stand before the name.
    loop {
        match &text[at..] {
            [b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r', ..] => at += 1,
            [b'\\', b'\n', ..] => at += 2,
            [b'\\', b'\r', b'\n', ..] => at += 3,
            [b'/', b'*', rest @ ..] => match rest.windows(2).position(|w| w == b"*/") {
                Some(length) => at += length + 4,
                None => return text.len(),
            },
            _ => break,
        }
    }
    let name = word(text, at);
    if name.first().is_some_and(u8::is_ascii_digit) {
        found.marker = true;
    } else if !HARMLESS.contains(&name) {
        found.directive = true;
    }
    // The rest of the line is scanned for comments, since one may go on after the line.
    at + name.len()
}

/// The word that begins here; empty if none does.
fn word(text: &[u8], at: usize) -> &[u8] {
    let length = text[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    &text[at..at + length]
}

/// The end of a line that may be continued by backslashes.
fn logical_line_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(length) = text[at..].iter().position(|&b| b == b'\n') {
        let end = at + length;
        let line = text[start..end].strip_suffix(b"\r").unwrap_or(&text[start..end]);
        if !line.ends_with(b"\\") {
            return end;
        }
        at = end + 1;
    }
    text.len()
}

/// The end of a string or character; an open one ends with its line.
fn literal_end(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(text.len())
}

/// Checks whether a name has the form of the macros that compilers predefine.
fn is_predefined(word: &[u8]) -> bool {
    word.starts_with(b"__ATOMIC_")
        || MACHINE.contains(&word)
        || word.len() > 4
            && word.starts_with(b"__")
            && word.ends_with(b"__")
            && word[2].is_ascii_uppercase()
            && word.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
            && !NOT_MACROS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, directive: bool, marker: bool, predefined_macro: bool) {
        let expected = Found { directive, marker, predefined_macro };
        assert_eq!(scan(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn directives_are_found() {
        check("#include <stdio.h>\n", true, false, false);
        check("int x;\n  # /* c */ define A\n", true, false, false);
        check("/* c\n */ #if 1\n#endif", true, false, false);
        check("%:define X", true, false, false);
        check("#\\\ninclude <x>\n", true, false, false);
        check("# 1 \"a.c\"\n#error x\n", true, true, false);
    }

    #[test]
    fn other_text_is_none() {
        check("", false, false, false);
        check("int x;\n", false, false, false);
        check("/*\n#include <x>\n*/\n", false, false, false);
        check("// \\\n#include <x>\nint y;", false, false, false);
        check("char *s = \"\\\"\\\n#include\";\n", false, false, false);
        check("char c = '#'; x = a # b;\n", false, false, false);
        check("#\n#pragma x\n#ident \"y\"\n#line 3 \"x\"\n", false, false, false);
        check("# 1 \"a.c\" 1 3\nint x;\n", false, true, false);
        check("#", false, false, false);
        // The comment is a blank, so that all of this is the pragma's line.
        check("#pragma once /*\n*/ #define X\n", false, false, false);
        check("/* open", false, false, false);
        check("\"open\\", false, false, false);
        check("#/*", false, false, false);
    }

    #[test]
    fn predefined_macros_are_found() {
        check("int x = __LINE__;", false, false, true);
        check("long x = __INT64_C(1) + __CHAR_BIT__;", false, false, true);
        check(
            "f(__FUNCTION__, __func__, __PRETTY_FUNCTION__, __extension__);",
            false,
            false,
            false,
        );
        check("\"__LINE__\" /* __FILE__ */ ____ __x__", false, false, false);
    }
}
