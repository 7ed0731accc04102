//! Recognising C++ where C is expected, so that the user is told instead of puzzled.

use std::ops::Range;
use std::path::Path;

/// Extensions of C++ files.
const EXTENSIONS: &[&str] =
    &["cc", "cp", "cpp", "cxx", "c++", "C", "CPP", "hh", "hpp", "hxx", "h++", "ii", "ixx", "cppm"];

/// Headers that only C++ has; they have no extension.
const HEADERS: &[&str] = &[
    "algorithm",
    "array",
    "atomic",
    "bitset",
    "cassert",
    "cctype",
    "cerrno",
    "cfloat",
    "chrono",
    "climits",
    "cmath",
    "complex",
    "concepts",
    "condition_variable",
    "cstdarg",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "deque",
    "exception",
    "filesystem",
    "format",
    "forward_list",
    "fstream",
    "functional",
    "future",
    "initializer_list",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "istream",
    "iterator",
    "limits",
    "list",
    "map",
    "memory",
    "mutex",
    "new",
    "numeric",
    "optional",
    "ostream",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "set",
    "span",
    "sstream",
    "stack",
    "stdexcept",
    "streambuf",
    "string",
    "string_view",
    "thread",
    "tuple",
    "type_traits",
    "typeindex",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
];

/// Checks whether a file's name says that it is C++.
pub(crate) fn is_cpp_path(path: &Path) -> bool {
    path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e == *known))
}

/// Checks whether a header's name is one of C++.
pub(crate) fn is_cpp_header(name: &str) -> bool {
    HEADERS.contains(&name)
}

/// The first piece of text that valid C cannot contain and C++ often does.
///
/// This is asked only after errors were found, so that it never rejects C; a name such as
/// `class` alone is not enough, since C programs use it as an identifier.
pub(crate) fn first_cpp_construct(text: &[u8]) -> Option<Range<usize>> {
    let mut words: Vec<(Range<usize>, &[u8])> = Vec::with_capacity(4);
    let mut at = 0;
    while at < text.len() {
        let end = token_end(text, at);
        let token = &text[at..end];
        let range = at..end;
        at = end;
        if token[0].is_ascii_whitespace() || token.starts_with(b"/*") || token.starts_with(b"//") {
            continue;
        }
        words.push((range, token));
        if words.len() > 3 {
            words.remove(0);
        }
        if let Some(start) = is_construct(&words) {
            let first = words[start].0.start;
            return Some(first..end);
        }
    }
    None
}

/// Checks whether the last tokens are a construct of C++; the answer is the index of its first token.
fn is_construct(words: &[(Range<usize>, &[u8])]) -> Option<usize> {
    let n = words.len();
    let word = |back: usize| n.checked_sub(back + 1).map_or(&b""[..], |i| words[i].1);
    let is_name = |t: &[u8]| t.first().is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_');
    let (last, before, third) = (word(0), word(1), word(2));
    match (third, before, last) {
        (_, b"using", b"namespace") | (_, b"template", b"<") | (_, b"virtual", b"~") => Some(n - 2),
        (b"class" | b"namespace", name, b"{" | b":") if is_name(name) => Some(n - 3),
        (_, b"public" | b"private" | b"protected", b":") => Some(n - 2),
        (_, b"operator", b"+" | b"-" | b"<" | b"=" | b"[" | b"(") => Some(n - 2),
        (b"static_cast" | b"reinterpret_cast" | b"const_cast" | b"dynamic_cast", b"<", _) => {
            Some(n - 3)
        }
        // A scope operator: `std::`, but not the two colons of an `asm` without outputs.
        (name, b"::", right) if is_name(name) && is_name(right) => Some(n - 3),
        _ => None,
    }
}

/// The end of a rough token: comments, strings, words, runs of blanks, `::`, single characters.
fn token_end(text: &[u8], start: usize) -> usize {
    let rest = &text[start..];
    let find = |needle: &[u8]| rest.windows(needle.len()).skip(2).position(|w| w == needle);
    let length = match rest {
        [b'/', b'*', ..] => find(b"*/").map_or(rest.len(), |at| at + 4),
        [b'/', b'/', ..] => rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
        [b':', b':', ..] => 2,
        [quote @ (b'"' | b'\''), ..] => {
            let mut at = 1;
            while at < rest.len() && rest[at] != *quote && rest[at] != b'\n' {
                at += if rest[at] == b'\\' { 2 } else { 1 };
            }
            (at + 1).min(rest.len())
        }
        [first, ..] => {
            let class = |b: u8| {
                if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 {
                    1
                } else if b.is_ascii_whitespace() {
                    2
                } else {
                    0
                }
            };
            let kind = class(*first);
            if kind == 0 { 1 } else { rest.iter().take_while(|&&b| class(b) == kind).count() }
        }
        [] => 0,
    };
    start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn construct(text: &str) -> Option<&str> {
        first_cpp_construct(text.as_bytes()).map(|range| &text[range])
    }

    #[test]
    fn names() {
        assert!(is_cpp_path("a.cpp".as_ref()));
        assert!(is_cpp_path("a.C".as_ref()));
        assert!(!is_cpp_path("a.c".as_ref()));
        assert!(!is_cpp_path("cpp".as_ref()));
        assert!(is_cpp_header("iostream"));
        assert!(!is_cpp_header("stdio.h"));
    }

    #[test]
    fn constructs() {
        assert_eq!(construct("int x; using namespace std;"), Some("using namespace"));
        assert_eq!(construct("class A { public: int x; };"), Some("class A {"));
        assert_eq!(construct("x = std :: max(1, 2);"), Some("std :: max"));
        assert_eq!(construct("template <class T> T f(T);"), Some("template <"));
        assert_eq!(construct("p = static_cast<int*>(q);"), Some("static_cast<int"));
        assert_eq!(construct("int class = 1; int public; // class A {\n\"a::b\" 'x"), None);
        assert_eq!(construct("asm(\"nop\" :: \"r\"(x)); a ? b : c; /* std::x */"), None);
        assert_eq!(construct("asm(\"nop\" ::: \"memory\"); l: ;"), None);
        assert_eq!(construct("/* open"), None);
        assert_eq!(construct("\"open\\"), None);
    }
}
