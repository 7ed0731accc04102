//! The preprocessor's messages as diagnostics.
//!
//! GCC and Clang write `file:line:column: error: text`, after lines that say which file included
//! which; other preprocessors leave the column out. Everything else they print (source lines,
//! carets, summaries) is repetition.

use std::collections::BTreeMap;
use std::process::Output;

use vergo_source::{Diagnostic, FileId, Span};

use crate::codes::{CPP_SOURCE, MISSING_HEADER, PREPROCESSOR_ERROR, PREPROCESSOR_WARNING};
use crate::cpp_dialect::is_cpp_header;
use crate::input::Input;
use crate::job::Job;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Error,
    Warning,
}

/// A message with its place.
#[derive(PartialEq, Eq, Debug)]
struct Message<'a> {
    kind: Kind,
    /// The file, or the program for messages about no file.
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    text: &'a str,
    included_from: Vec<&'a str>,
}

/// Headers of the C standard; if one is missing, the C library's headers are not installed.
const STANDARD_HEADERS: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// Headers of libraries in wide use, by what their names begin with, and Debian's package with them.
const PACKAGES: &[(&str, &str)] = &[
    // tidy: sorted
    ("SDL2/", "libsdl2-dev"),
    ("X11/", "libx11-dev"),
    ("bzlib.h", "libbz2-dev"),
    ("curl/", "libcurl4-openssl-dev"),
    ("curses.h", "libncurses-dev"),
    ("event2/", "libevent-dev"),
    ("expat.h", "libexpat1-dev"),
    ("ffi.h", "libffi-dev"),
    ("gio/", "libglib2.0-dev"),
    ("glib.h", "libglib2.0-dev"),
    ("gmp.h", "libgmp-dev"),
    ("jpeglib.h", "libjpeg-dev"),
    ("libxml/", "libxml2-dev"),
    ("linux/", "linux-libc-dev"),
    ("lzma.h", "liblzma-dev"),
    ("ncurses.h", "libncurses-dev"),
    ("openssl/", "libssl-dev"),
    ("pcap", "libpcap-dev"),
    ("png.h", "libpng-dev"),
    ("readline/", "libreadline-dev"),
    ("sqlite3.h", "libsqlite3-dev"),
    ("uuid/", "uuid-dev"),
    ("uv.h", "libuv1-dev"),
    ("zlib.h", "zlib1g-dev"),
    ("zstd.h", "libzstd-dev"),
    // tidy: end
];

/// Turns messages into diagnostics; true if one of them is an error.
pub(super) fn report(job: &mut Job, input: &Input, text: &[u8], stderr: &[u8]) -> bool {
    let stderr = String::from_utf8_lossy(stderr);
    let mut files = BTreeMap::new();
    let mut rejected = false;
    for message in messages(&stderr) {
        rejected |= message.kind == Kind::Error;
        let span = place(job, input, text, &message, &mut files);
        let mut diagnostic = diagnostic(&message, span);
        for from in &message.included_from {
            diagnostic = diagnostic.note(format!("included from {from}"));
        }
        job.diagnostics.push(diagnostic);
    }
    rejected
}

/// Reports a failure without a message that could be understood.
pub(super) fn report_failure(job: &mut Job, input: &Input, output: &Output) {
    let message = format!("the preprocessor failed on `{}` ({})", input.name(), output.status);
    let mut diagnostic = Diagnostic::error(PREPROCESSOR_ERROR, Span::DUMMY, message);
    let stderr = String::from_utf8_lossy(&output.stderr);
    for line in stderr.lines().filter(|line| !line.trim().is_empty()).take(10) {
        diagnostic = diagnostic.note(line);
    }
    job.diagnostics.push(diagnostic);
}

/// Whether a preprocessor failed because it lacks the option for the data model or headers for
/// it.
pub(super) fn rejects_width(stderr: &[u8], option: &str) -> bool {
    /// Headers that exist once per data model.
    const PER_MODEL: &[&str] =
        &["gnu/stubs-32.h", "gnu/stubs-64.h", "gnu/stubs-x32.h", "bits/", "sys/cdefs.h", "asm/"];
    let stderr = String::from_utf8_lossy(stderr);
    stderr.lines().any(|line| line.contains(option))
        || messages(&stderr).iter().any(|message| {
            missing_header(message.text)
                .is_some_and(|header| PER_MODEL.iter().any(|prefix| header.starts_with(prefix)))
        })
}

fn diagnostic(message: &Message<'_>, span: Span) -> Diagnostic {
    if let Some(header) = missing_header(message.text) {
        if is_cpp_header(header) {
            let text = format!("`{header}` is a header of C++");
            return Diagnostic::error(CPP_SOURCE, span, text)
                .note("Vergo verifies C; the file seems to be C++");
        }
        let text = format!("the header `{header}` was not found");
        let diagnostic = Diagnostic::error(MISSING_HEADER, span, text);
        if let Some((_, package)) = PACKAGES.iter().find(|(prefix, _)| header.starts_with(prefix)) {
            return diagnostic.help(format!(
                "install the library's headers (Debian: `apt install {package}`), or add their folder with `-I DIR`"
            ));
        }
        return if STANDARD_HEADERS.contains(&header) || header.starts_with("sys/") {
            diagnostic.help(
                "install the C library's headers (such as `libc6-dev`, and `gcc-multilib` for \
                 ILP32), or give a file that was preprocessed where they are installed",
            )
        } else {
            diagnostic.help("add the folder that contains it with `-I DIR`")
        };
    }
    match message.kind {
        Kind::Error => Diagnostic::error(PREPROCESSOR_ERROR, span, message.text),
        Kind::Warning => Diagnostic::warning(PREPROCESSOR_WARNING, span, message.text),
    }
}

/// The header that a message calls missing.
fn missing_header(text: &str) -> Option<&str> {
    text.strip_suffix(": No such file or directory")
        .or_else(|| text.strip_suffix("' file not found")?.strip_prefix('\''))
        .or_else(|| text.strip_suffix("' not found")?.strip_prefix("include file '"))
        .map(str::trim)
}

/// The place of a message in the source map; the file that it names is added if need be.
fn place(
    job: &mut Job,
    input: &Input,
    text: &[u8],
    message: &Message<'_>,
    files: &mut BTreeMap<String, Option<FileId>>,
) -> Span {
    let Some(line) = message.line else { return Span::DUMMY };
    let file = match files.get(message.file) {
        Some(file) => *file,
        None => {
            let is_input = message.file == input.name()
                || (input.path().is_none() && message.file == "<stdin>");
            let text =
                if is_input { Some(text.to_vec()) } else { std::fs::read(message.file).ok() };
            let name = if is_input { input.name() } else { message.file.to_owned() };
            let file = text.and_then(|text| job.map.add(&name, text).ok());
            files.insert(message.file.to_owned(), file);
            file
        }
    };
    let Some(file) = file else { return Span::DUMMY };
    let text = job.map.text(file);
    let start = line_start(text, line);
    let rest = &text[start..];
    let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    // Without a column, the whole line is meant.
    let lo = message.column.map_or(0, |column| column.saturating_sub(1) as usize).min(length);
    let hi = match message.column {
        Some(_) => lo + token_length(&rest[lo..length]),
        None => length,
    };
    let to_u32 = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    job.map.span(file, to_u32(start + lo), to_u32(start + hi))
}

fn line_start(text: &[u8], line: u32) -> usize {
    let newlines = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(newlines).nth(line.saturating_sub(1) as usize).unwrap_or(text.len())
}

/// The length of what begins here: a header's name, a word or one character.
fn token_length(text: &[u8]) -> usize {
    let close = match text.first() {
        Some(b'"') => b'"',
        Some(b'<') => b'>',
        _ => {
            let word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
            return text.iter().take_while(word).count().max(usize::from(!text.is_empty()));
        }
    };
    text.iter().skip(1).position(|&b| b == close).map_or(1, |at| at + 2)
}

/// The messages in a preprocessor's output.
fn messages(stderr: &str) -> Vec<Message<'_>> {
    /// The words that tell a message from other lines, longest first.
    const WORDS: &[(&str, Kind)] = &[
        (": fatal error: ", Kind::Error),
        (": error: ", Kind::Error),
        (": warning: ", Kind::Warning),
    ];
    let mut messages = Vec::new();
    let mut included_from = Vec::new();
    for line in stderr.lines() {
        let from = line.strip_prefix("In file included from ").or_else(|| {
            let rest = line.trim_start();
            rest.strip_prefix("from ").filter(|_| !included_from.is_empty())
        });
        if let Some(from) = from {
            included_from.push(from.trim_end_matches([':', ',']));
            continue;
        }
        // The first word on the line decides; the text may contain others.
        let found = WORDS
            .iter()
            .filter_map(|(word, kind)| Some((line.find(word)?, word.len(), *kind)))
            .min_by_key(|(at, ..)| *at);
        if let Some((at, length, kind)) = found {
            let (file, line_number, column) = split_place(&line[..at]);
            messages.push(Message {
                kind,
                file,
                line: line_number,
                column,
                text: line[at + length..].trim(),
                included_from: std::mem::take(&mut included_from),
            });
        }
    }
    messages
}

/// Splits `file:line:column` or `file:line`.
fn split_place(place: &str) -> (&str, Option<u32>, Option<u32>) {
    let split = |text: &'_ str| -> Option<(usize, u32)> {
        let at = text.rfind(':')?;
        Some((at, text[at + 1..].parse().ok()?))
    };
    match split(place) {
        None => (place, None, None),
        Some((at, last)) => match split(&place[..at]) {
            Some((before, line)) => (&place[..before], Some(line), Some(last)),
            None => (&place[..at], Some(last), None),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_gcc() {
        let text = "\
In file included from d.c:1,
                 from e.c:3:
c.h:2:10: fatal error: nope.h: No such file or directory
    2 | #include \"nope.h\"
      |          ^~~~~~~~
compilation terminated.
a:b.c:5:9: warning: missing terminating \" character
gcc: error: unrecognized command-line option '-m99'
x.c:7: error: include file 'y.h' not found
";
        let found = messages(text);
        assert_eq!(found.len(), 4);
        assert_eq!(found[0].included_from, ["d.c:1", "e.c:3"]);
        assert_eq!((found[0].file, found[0].line, found[0].column), ("c.h", Some(2), Some(10)));
        assert_eq!(missing_header(found[0].text), Some("nope.h"));
        assert_eq!((found[1].file, found[1].kind), ("a:b.c", Kind::Warning));
        assert_eq!((found[2].file, found[2].line), ("gcc", None));
        assert_eq!((found[3].file, found[3].line, found[3].column), ("x.c", Some(7), None));
        assert_eq!(missing_header(found[3].text), Some("y.h"));
        assert_eq!(missing_header("'z.h' file not found"), Some("z.h"));
        assert_eq!(missing_header("'"), None);
        assert!(rejects_width(text.as_bytes(), "-m99"));
        assert!(!rejects_width(text.as_bytes(), "-m32"));
    }

    #[test]
    fn lengths() {
        assert_eq!(token_length(b"\"a.h\" x"), 5);
        assert_eq!(token_length(b"<a.h> x"), 5);
        assert_eq!(token_length(b"error x"), 5);
        assert_eq!(token_length(b"\"a"), 1);
        assert_eq!(token_length(b"("), 1);
        assert_eq!(token_length(b""), 0);
        assert_eq!(line_start(b"a\nb\nc", 3), 4);
        assert_eq!(line_start(b"a\n", 9), 2);
        assert_eq!(line_start(b"a\n", 0), 0);
    }
}
