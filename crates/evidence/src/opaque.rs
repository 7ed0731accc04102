//! Constants that the compiler cannot see through.
//!
//! A compiler computes with the constants of an expression before its sanitizers look at it: of `65536 * 32768` they see
//! the product, and of `(x - 1) + 23` the sum `x + 22`, which may be fine. So in the statement that is to fail, each
//! integer constant becomes a read of a volatile object of the same type and value.

/// The text of a C program in which the integer constants of the statement around an offset are opaque; none if there
/// are none that can be.
pub fn with_opaque_constants(text: &str, offset: usize) -> Option<String> {
    let (start, end) = statement(text, offset)?;
    let old = &text[start..end];
    // What these words stand in front of has to be constant.
    if words(old)
        .any(|word| matches!(word, "static" | "enum" | "_Static_assert" | "asm" | "__asm__"))
    {
        return None;
    }
    let new = opaque(old);
    (new != old).then(|| format!("{}{new}{}", &text[..start], &text[end..]))
}

/// From behind the last to the next of `;`, `{` and `}`.
fn statement(text: &str, offset: usize) -> Option<(usize, usize)> {
    let ends = [';', '{', '}'];
    let (before, after) = text.split_at_checked(offset)?;
    let start = before.rfind(ends).map_or(0, |at| at + 1);
    let end = after.find(ends).map_or(text.len(), |at| offset + at);
    Some((start, end))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Makes the integer constants of a statement opaque, but for those of labels, array sizes and indices.
fn opaque(statement: &str) -> String {
    let mut out = String::new();
    let (mut rest, mut depth, mut in_label) = (statement, 0u32, false);
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, out.is_empty() || out.ends_with('\n'));
        let (token, after) = rest.split_at(length);
        match first {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ':' => in_label = false,
            _ => in_label |= token == "case",
        }
        if first.is_ascii_digit() && depth == 0 && !in_label && is_integer(token) {
            let ty = format!("__typeof__({token})");
            out.push_str(&format!("(*(volatile {ty} *)&({ty}){{{token}}})"));
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    out
}

/// Returns the length of the first token of a text, or of the part that is skipped like one.
fn token_length(text: &str, at_line_start: bool) -> usize {
    let first = text.chars().next().unwrap_or(' ');
    let up_to = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    match first {
        '#' if at_line_start => text.find('\n').unwrap_or(text.len()),
        '/' if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
        '/' if text.starts_with("/*") => up_to("*/"),
        '"' | '\'' => {
            let mut escaped = false;
            let end = text.char_indices().skip(1).find(|&(_, c)| {
                let ends = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(text.len(), |(at, _)| at + 1)
        }
        '0'..='9' => {
            let mut last = ' ';
            let end = text.find(|c| {
                let exponent = matches!(last, 'e' | 'E' | 'p' | 'P') && matches!(c, '+' | '-');
                last = c;
                !(is_word(c) || c == '.' || exponent)
            });
            end.unwrap_or(text.len())
        }
        _ if is_word(first) => text.find(|c| !is_word(c)).unwrap_or(text.len()),
        _ => first.len_utf8(),
    }
}

fn is_integer(number: &str) -> bool {
    let digits = number.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => digits.chars().all(|c| c.is_ascii_hexdigit()),
        None => digits.chars().all(|c| c.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str) -> Option<String> {
        let offset = text.find('@')?;
        let result = with_opaque_constants(&text.replace('@', ""), offset)?;
        Some(result.replace("(*(volatile __typeof__(", "<").replace("){", "=").replace("})", ">"))
    }

    #[test]
    fn integers_of_the_statement_become_reads() {
        let text = "int f(void) { int x = 1; int y = @x + 0x7fL; return 3; }";
        let opaque = "int f(void) { int x = 1; int y = x + \
                      (*(volatile __typeof__(0x7fL) *)&(__typeof__(0x7fL)){0x7fL}); return 3; }";
        let offset = text.find('@').unwrap();
        assert_eq!(with_opaque_constants(&text.replace('@', ""), offset).as_deref(), Some(opaque));
    }

    #[test]
    fn what_has_to_be_constant_stays() {
        for text in [
            "{ static int x = @65536 * 32768; }",
            "{ int a[10], b[2 + 3]@; }",
            "{ x = @y * 1.5e+3 + x1; }",
            "{ f(@\"a 1 \\\" 2\", '3', z); /* 4 */ }",
            "switch (x) { case 5 + 6: @x++; }",
            "{ x =\n# 12 \"a.c\"\n@y; }",
            "@",
        ] {
            assert_eq!(changed(text), None, "{text}");
        }
        assert!(changed("switch (x) { case 5: @x += 6; }").is_some());
    }
}
