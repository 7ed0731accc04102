//! Golden files: inputs that say how they are tested and what must come out.
//!
//! A golden file opens with one or more lines `//@ test <command> [options]` (`;@` and `#@` do as
//! well, for languages with other comments). Each command is a function from the [`Case`] to
//! text. The text is compared with the expectation:
//!
//! - inline, if the file has one test and ends with a line `//@ expect` and lines `//> text`;
//! - else in the sibling file `<name>.golden`, in sections `=== <command line>` if there are
//!   several tests.
//!
//! With `VERGO_BLESS=1` (or `cargo xtask bless`) expectations are rewritten instead; a file
//! without any gets a sibling. A test target is one call:
//!
//! ```no_run
//! use vergo_testkit::golden::{self, Case};
//!
//! fn length(case: &Case) -> Result<String, String> {
//!     Ok(format!("{} bytes\n", case.text.len()))
//! }
//!
//! golden::main("tests/golden".as_ref(), &[("length", length)]);
//! ```

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::environment;

/// One test of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// Its text, with the header.
    pub text: String,
    /// The command's name.
    pub command: String,
    /// The command's options, as they were written.
    pub options: Vec<String>,
}

/// The computation of a command: the text to compare, or the reason why there is none.
pub type Command = fn(&Case) -> Result<String, String>;

/// Runs all golden files below a folder; the `main` of a test target without a harness.
pub fn main(folder: &Path, commands: &[(&'static str, Command)]) -> ! {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for path in files(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        match read(&path, commands) {
            Ok(file) => trials.push(Trial::test(name, move || {
                file.check(environment::bless()).map_err(Failed::from)
            })),
            Err(message) => trials.push(Trial::test(name, move || Err(Failed::from(message)))),
        }
    }
    libtest_mimic::run(&arguments, trials).exit()
}

/// All files below a folder that are inputs, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|extension| extension != "golden") {
                found.push(path);
            }
        }
    }
    found.sort();
    // Headers and other companions have no test line.
    found.retain(|path| {
        std::fs::read_to_string(path).is_ok_and(|text| !test_lines(&text).is_empty())
    });
    found
}

/// The comment marks that a header line may begin with.
const MARKS: &[&str] = &["//", ";", "#"];

/// Returns the text after the mark and `@` on a header line.
fn header(line: &str) -> Option<&str> {
    MARKS.iter().find_map(|mark| line.strip_prefix(mark)?.strip_prefix('@')).map(str::trim)
}

/// The command lines of a file.
fn test_lines(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| header(line)?.strip_prefix("test ")).map(str::trim).collect()
}

/// A file with its tests.
struct GoldenFile {
    path: PathBuf,
    text: String,
    cases: Vec<(String, Case, Command)>,
}

fn read(path: &Path, commands: &[(&'static str, Command)]) -> Result<GoldenFile, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut cases = Vec::new();
    for line in test_lines(&text) {
        let mut words = line.split_whitespace().map(str::to_owned);
        let command = words.next().unwrap_or_default();
        let Some((_, run)) = commands.iter().find(|(name, _)| *name == command) else {
            let names: Vec<&str> = commands.iter().map(|(name, _)| *name).collect();
            return Err(format!("no command `{command}`; there are: {}", names.join(", ")));
        };
        let options = words.collect();
        let case = Case { path: path.to_owned(), text: text.clone(), command, options };
        cases.push((line.to_owned(), case, *run));
    }
    Ok(GoldenFile { path: path.to_owned(), text, cases })
}

impl GoldenFile {
    /// Compares what the commands print with what is expected, or makes it so if `bless` says so.
    fn check(&self, bless: bool) -> Result<(), String> {
        let mut answers = Vec::new();
        for (line, case, run) in &self.cases {
            answers.push((line.as_str(), run(case).map_err(|error| format!("{line}: {error}"))?));
        }
        let sibling = sibling(&self.path);
        if let [(_, actual)] = &answers[..]
            && let Some((head, expected)) = split_inline(&self.text)
        {
            if expected == normal(actual) {
                return Ok(());
            }
            if bless {
                return write(&self.path, &join_inline(head, actual));
            }
            return Err(difference(&expected, actual));
        }
        let actual = sections(&answers);
        let expected = std::fs::read_to_string(&sibling).unwrap_or_default();
        if expected == actual {
            return Ok(());
        }
        if bless {
            return write(&sibling, &actual);
        }
        Err(difference(&expected, &actual))
    }
}

fn sibling(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".golden");
    PathBuf::from(name)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    // Two test targets may share a folder; one at a time writes.
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock();
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The text of a sibling file.
fn sections(answers: &[(&str, String)]) -> String {
    if let [(_, answer)] = answers {
        return normal(answer);
    }
    let mut text = String::new();
    for (line, answer) in answers {
        let _ = write!(text, "=== {line}\n{}", normal(answer));
    }
    text
}

/// Text with a newline at its end, unless it is empty.
fn normal(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Splits off an inline expectation: what stands before it, the line `//@ expect` included, and
/// the expected text.
fn split_inline(text: &str) -> Option<(&str, String)> {
    let mut offset = 0;
    let mut head = None;
    let mut expected = String::new();
    for line in text.split_inclusive('\n') {
        offset += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if header(line) == Some("expect") {
            head = Some(offset);
            expected.clear();
        } else if head.is_some() {
            let rest = MARKS.iter().find_map(|mark| line.strip_prefix(mark)?.strip_prefix('>'))?;
            expected.push_str(rest.strip_prefix(' ').unwrap_or(rest));
            expected.push('\n');
        }
    }
    head.map(|head| (&text[..head], expected))
}

/// Puts an inline expectation behind the head of a file.
fn join_inline(head: &str, actual: &str) -> String {
    let last = head.lines().next_back().unwrap_or_default();
    let mark = MARKS.iter().find(|mark| last.starts_with(*mark)).unwrap_or(&MARKS[0]);
    let mut text = normal(head);
    for line in actual.lines() {
        let blank = if line.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{mark}>{blank}{line}");
    }
    text
}

/// A readable account of how two texts differ.
#[must_use]
pub fn difference(expected: &str, actual: &str) -> String {
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let show = |text: &str| {
        let mut shown = String::new();
        for line in text.lines().skip(same.saturating_sub(3)).take(12) {
            let _ = writeln!(shown, "    {line}");
        }
        shown
    };
    format!(
        "the output differs from line {} on (bless with `cargo xtask bless` if it is right)\n\
         expected:\n{}actual:\n{}",
        same + 1,
        show(expected),
        show(actual)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upper(case: &Case) -> Result<String, String> {
        if case.options == ["fail"] {
            return Err("as asked".into());
        }
        let body = case.text.lines().find(|line| header(line).is_none()).unwrap_or_default();
        Ok(body.to_uppercase())
    }

    const COMMANDS: &[(&str, Command)] = &[("upper", upper)];

    fn check(name: &str, text: &str, golden: Option<&str>) -> Result<(), String> {
        let folder = crate::host_c::Scratch::new("golden").unwrap();
        let path = folder.write(name, text).unwrap();
        if let Some(golden) = golden {
            folder.write(&format!("{name}.golden"), golden).unwrap();
        }
        assert_eq!(files(folder.folder()), std::slice::from_ref(&path));
        read(&path, COMMANDS)?.check(false)
    }

    #[test]
    fn expectations_are_compared() {
        check("a.c", "//@ test upper\nabc\n", Some("ABC\n")).unwrap();
        check("a.smt2", ";@ test upper\nabc\n;@ expect\n;> ABC\n", None).unwrap();
        check(
            "a.c",
            "//@ test upper\n//@ test upper x\nabc\n",
            Some("=== upper\nABC\n=== upper x\nABC\n"),
        )
        .unwrap();
        let error = check("a.c", "//@ test upper\nabc\n//@ expect\n//> ABD\n", None).unwrap_err();
        assert!(error.contains("differs from line 1"), "{error}");
        assert!(check("a.c", "//@ test upper\nabc\n", None).is_err());
        let error = check("a.c", "//@ test lower\nabc\n", None).unwrap_err();
        assert_eq!(error, "no command `lower`; there are: upper");
        let error = check("a.c", "//@ test upper fail\n", None).unwrap_err();
        assert_eq!(error, "upper fail: as asked");
    }

    #[test]
    fn expectations_are_rewritten() {
        let folder = crate::host_c::Scratch::new("bless").unwrap();
        for (name, text) in [
            ("inline.c", "//@ test upper\nabc\n//@ expect\n//> OLD\n"),
            ("sibling.c", "//@ test upper\nabc\n"),
        ] {
            let path = folder.write(name, text).unwrap();
            assert!(read(&path, COMMANDS).unwrap().check(false).is_err());
            read(&path, COMMANDS).unwrap().check(true).unwrap();
            read(&path, COMMANDS).unwrap().check(false).unwrap();
        }
    }

    #[test]
    fn inline_expectations_are_rewritten() {
        let text = "//@ test upper\nabc\n//@ expect\n//> OLD\n";
        let (head, expected) = split_inline(text).unwrap();
        assert_eq!(expected, "OLD\n");
        let new = join_inline(head, "A\n\n B\n");
        assert_eq!(new, "//@ test upper\nabc\n//@ expect\n//> A\n//>\n//>  B\n");
        assert_eq!(split_inline(&new).unwrap().1, "A\n\n B\n");
    }
}
