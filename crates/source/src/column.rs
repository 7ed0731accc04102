//! Columns through the preprocessor: where a token of its output stands in the original line.
//!
//! The preprocessor squeezes blanks, drops comments and expands macros, so that a column of its
//! output is not one of the file that the user wrote. Three attempts are made, from certain to
//! likely: the text before the token agrees with the original (blanks and comments aside); the
//! text from the token on agrees with the end of the original; the token's own text occurs in
//! the original, counted by its occurrences. A token that came out of a macro has none of these
//! and is shown where the two lines begin to differ, which is the line's first macro.

use std::ops::Range;

/// Lines longer than this are not compared; the cost would be felt and the gain would not.
const LONGEST_LINE: usize = 64 * 1024;

/// The bytes of `original` that stand for `range` of the preprocessed line.
pub(crate) fn original_offset(line: &[u8], range: Range<usize>, original: &[u8]) -> Range<usize> {
    if line == original {
        return range;
    }
    // A mark on blanks alone is of a line whose text nobody had: its columns are those of the original.
    let blank = !range.is_empty() && line.iter().all(|&byte| byte == b' ');
    if blank && range.start < original.len() {
        let start = range.start;
        return start..range.end.min(original.len());
    }
    if line.len() > LONGEST_LINE || original.len() > LONGEST_LINE {
        let first = original.iter().take_while(|b| b.is_ascii_whitespace()).count();
        return first..first;
    }
    // A place without extent is that of the token which begins there.
    let empty = range.is_empty();
    let range =
        if empty { range.start..range.start + token_length(&line[range.start..]) } else { range };
    let skipped = continued_from(line, original);
    let mapped = map_token(line, range, &original[skipped..]);
    let start = skipped + mapped.start;
    if empty { start..start } else { start..skipped + mapped.end }
}

/// From where on the original can be in a line. Around a macro of a system header the preprocessor breaks the line, and
/// goes on below about as many blanks as there are characters before, never more.
fn continued_from(line: &[u8], original: &[u8]) -> usize {
    let indent = line.iter().take_while(|&&byte| byte == b' ').count();
    let is_continued = indent < line.len()
        && original.get(..indent).is_some_and(|before| !before.trim_ascii().is_empty());
    if is_continued { indent } else { 0 }
}

/// The length of the word or the character that begins here.
fn token_length(text: &[u8]) -> usize {
    let word = text.iter().take_while(|&&b| is_word(b)).count();
    let other = text.first().is_some_and(|b| !b.is_ascii_whitespace());
    word.max(usize::from(other))
}

fn map_token(line: &[u8], range: Range<usize>, original: &[u8]) -> Range<usize> {
    let token = &line[range.clone()];
    let start = after_same_text(&line[..range.start], original)
        .filter(|&start| token.is_empty() || original[start..].first() == token.first())
        .or_else(|| before_same_text(&line[range.start..], original))
        .or_else(|| same_occurrence(line, range.clone(), original));
    let Some(start) = start else {
        let start = first_difference(line, original);
        let word = original[start..].iter().take_while(|&&b| is_word(b)).count();
        return start..start + word;
    };
    // The end is exact if the token's text follows, else the token's first word is marked.
    if original[start..].starts_with(token) {
        start..start + token.len()
    } else {
        let same = original[start..].iter().zip(token).take_while(|(a, b)| a == b).count();
        start..start + same
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Skips blanks and comments from `at`.
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    loop {
        match &text[at..] {
            [b, ..] if b.is_ascii_whitespace() => at += 1,
            [b'/', b'*', rest @ ..] => match rest.windows(2).position(|w| w == b"*/") {
                Some(length) => at += length + 4,
                None => return text.len(),
            },
            [b'/', b'/', ..] => return text.len(),
            _ => return at,
        }
    }
}

/// The offset in `original` after text that agrees with `prefix`, blanks and comments aside.
fn after_same_text(prefix: &[u8], original: &[u8]) -> Option<usize> {
    let (at, other) = agreement(prefix, original);
    (at == prefix.len()).then_some(other)
}

/// The offsets in both texts up to which they agree, blanks and comments aside.
fn agreement(text: &[u8], original: &[u8]) -> (usize, usize) {
    let mut at = 0;
    let mut other = 0;
    loop {
        at = skip_blanks(text, at);
        other = skip_blanks(original, other);
        match (text.get(at), original.get(other)) {
            (Some(a), Some(b)) if a == b => {}
            _ => return (at, other),
        }
        at += 1;
        other += 1;
    }
}

/// The start of the word of `original` in which the lines begin to differ; the first non-blank
/// if they do not.
fn first_difference(line: &[u8], original: &[u8]) -> usize {
    let (_, other) = agreement(line, original);
    if other == original.len() {
        return original.iter().take_while(|b| b.is_ascii_whitespace()).count();
    }
    let word = original[..other].iter().rev().take_while(|&&b| is_word(b)).count();
    other - if is_word(original[other]) { word } else { 0 }
}

/// The offset in `original` from which text agrees with `suffix` up to the end, blanks aside.
/// Comments are not skipped: read backwards, they cannot be told from other text.
fn before_same_text(suffix: &[u8], original: &[u8]) -> Option<usize> {
    let mut a = suffix.iter().rev().filter(|b| !b.is_ascii_whitespace());
    let mut b = original.iter().enumerate().rev().filter(|(_, b)| !b.is_ascii_whitespace());
    let mut start = None;
    loop {
        match (a.next(), b.next()) {
            (None, _) => return start,
            (Some(x), Some((index, y))) if x == y => start = Some(index),
            _ => return None,
        }
    }
}

/// The occurrence of the token's text in `original` that has the number of the token's own
/// occurrence in `line`, or the last one.
fn same_occurrence(line: &[u8], range: Range<usize>, original: &[u8]) -> Option<usize> {
    let word = line[range.clone()].iter().take_while(|&&b| is_word(b)).count();
    let token =
        if word > 0 { &line[range.start..range.start + word] } else { &line[range.clone()] };
    if token.is_empty() {
        return None;
    }
    let number = occurrences(line, token).take_while(|&at| at < range.start).count();
    let mut last = None;
    for (index, at) in occurrences(original, token).enumerate() {
        last = Some(at);
        if index == number {
            break;
        }
    }
    last
}

/// The offsets at which a token occurs in a text, as a whole word if it is one.
fn occurrences<'a>(text: &'a [u8], token: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let word = token.first().is_some_and(|&b| is_word(b));
    text.windows(token.len()).enumerate().filter_map(move |(at, window)| {
        let part = (at > 0 && is_word(text[at - 1]))
            || text.get(at + token.len()).is_some_and(|&b| is_word(b));
        (window == token && !(word && part)).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks in `original` what the text between `[` and `]` of `line` maps to.
    fn check(line: &str, original: &str, expected: &str) {
        let start = line.find('[').expect("a start mark");
        let end = line.find(']').expect("an end mark") - 1;
        let text = line.replace(['[', ']'], "");
        let range = original_offset(text.as_bytes(), start..end, original.as_bytes());
        let (a, b, c) =
            (&original[..range.start], &original[range.clone()], &original[range.end..]);
        assert_eq!(format!("{a}[{b}]{c}"), expected);
    }

    #[test]
    fn blanks_are_columns() {
        check("    [ ]", "x = y + z;", "x = [y] + z;");
        check("  []      ", "  while (x) y = z;", "  []while (x) y = z;");
    }

    #[test]
    fn same_line() {
        check("int [x];", "int x;", "int [x];");
    }

    #[test]
    fn blanks_and_comments() {
        check(
            "int x = [y];",
            "int  x /* the x */ =\ty; // end",
            "int  x /* the x */ =\t[y]; // end",
        );
    }

    #[test]
    fn after_a_macro() {
        check("int a = 4; f([q]);", "int a = N; f(q);", "int a = N; f([q]);");
        check("x = 3 + 4 + [y] * 2;", "x = SUM + y * 2;", "x = SUM + [y] * 2;");
        check("x = 3 + z + [z] /z;", "x = SUM(z) + z / Q;", "x = SUM(z) + [z] / Q;");
    }

    #[test]
    fn in_a_line_broken_around_a_macro() {
        let original = "int x = f(y); assert(x != y); return x;";
        let expected = "int x = f(y); assert([x] != y); return x;";
        check("             [x] != y", original, expected);
        let expected = "int x = f(y); [assert](x != y); return x;";
        check("             ) ; else [__assert_fail] (", original, expected);
        let expected = "int x = f(y); assert(x != y); return [x];";
        check("                           ; return [x];", original, expected);
    }

    #[test]
    fn inside_a_macro() {
        check("  ((void*)[0]) + x", "  NULL + y", "  [NULL] + y");
        check("p = ((void*)[0]) + x", "p  = NULL + y", "p  = [NULL] + y");
        check("[]", "  NULL", "  []NULL");
        check("x = (2 * ([]nothing)); }", "x = TWICE(nothing); }", "x = TWICE([]nothing); }");
        check("[a]", "", "[]");
    }
}
