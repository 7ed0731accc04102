//! Where macros are defined. The preprocessor leaves no trace of them, so their definitions are looked for in the texts.

use std::path::{Path, PathBuf};

use gen_lsp_types::Range;

use crate::reading::Texts;
use crate::text::Text;

/// Lines of a definition that are shown.
const SHOWN: usize = 12;

/// A definition of a macro.
pub(crate) struct Definition {
    pub(crate) path: PathBuf,
    /// Where its name stands.
    pub(crate) range: Range,
    /// The directive as it was written.
    pub(crate) text: String,
}

/// The definition of a macro that a line of a file sees: the last one before it, or one of the files that are included.
pub(crate) fn definition<'a>(
    name: &str,
    (path, line): (&Path, u32),
    included: impl Iterator<Item = &'a PathBuf>,
    texts: &mut Texts,
) -> Option<Definition> {
    let own = texts.get(path);
    let before = last_before(&own, name, line).map(|line| (path.to_owned(), line));
    let (path, line) = before.or_else(|| {
        let mut others = included.filter(|other| *other != path);
        others.find_map(|other| {
            let line = last_before(&texts.get(other), name, u32::MAX)?;
            Some((other.clone(), line))
        })
    })?;
    let text = texts.get(&path);
    let directive = text.line(line);
    let column = defined(directive)?.1 + 1;
    let number = u32::try_from(line).ok()?.checked_add(1)?;
    let to = column + name.chars().count();
    let at = |column: usize| text.position(number, u32::try_from(column).unwrap_or(u32::MAX));
    let range = Range { start: at(column), end: at(to) };
    // A line that ends with a backslash goes on.
    let mut shown = vec![directive];
    while shown.len() < SHOWN && shown.last().is_some_and(|line| line.ends_with('\\')) {
        shown.push(text.line(line + shown.len()));
    }
    let text = shown.join("\n");
    Some(Definition { path, range, text })
}

/// The last line before another one that defines a macro, both from 0.
fn last_before(text: &Text, name: &str, line: u32) -> Option<usize> {
    // Most texts do not have the word at all.
    if !text.as_str().contains(name) {
        return None;
    }
    let lines = text.as_str().lines().enumerate().take(line as usize);
    let of = |line: &str| defined(line).is_some_and(|(defined, _)| defined == name);
    lines.filter(|(_, line)| of(line)).last().map(|(at, _)| at)
}

/// The macro that a line defines, and the characters before its name.
fn defined(line: &str) -> Option<(&str, usize)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let name = rest.trim_start();
    let is_separate = name.len() < rest.len();
    let end = name.find(|c: char| !is_letter(c)).unwrap_or(name.len());
    let column = line[..line.len() - name.len()].chars().count();
    (is_separate && end > 0).then(|| (&name[..end], column))
}

/// Checks whether a letter can be part of a name.
fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_recognised() {
        assert_eq!(defined("#define N 4"), Some(("N", 8)));
        assert_eq!(defined("  #  define CALL(f, x) f(x)"), Some(("CALL", 12)));
        for other in ["#undef N", "#defineN", "define N", "#define", "#define (x)", ""] {
            assert_eq!(defined(other), None, "{other}");
        }
        let text = Text::new("#define N 1\n#define NN 2\n#define N 3\n".to_owned());
        assert_eq!(last_before(&text, "N", 2), Some(0));
        assert_eq!(last_before(&text, "N", 3), Some(2));
        assert_eq!(last_before(&text, "N", 0), None);
        assert_eq!(last_before(&text, "M", 3), None);
    }
}
