//! `cargo xtask tidy`: the rules of the repository that no compiler checks.
//!
//! Each rule is a function from the tree to problems. The rules run on any root, so that the
//! tests can run them on a bad tree and see each of them complain.

mod house;
mod layers;
mod licences;
mod links;
mod sorted;
mod text;
mod trust;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::shell;

/// A file of the repository that is text.
pub(crate) struct TextFile {
    /// The path from the root, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A complaint of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    pub(crate) path: String,
    /// The line, from 1; 0 for the file as a whole.
    pub(crate) line: usize,
    pub(crate) rule: &'static str,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(
        path: &str,
        line: usize,
        rule: &'static str,
        message: impl Into<String>,
    ) -> Problem {
        Problem { path: path.to_owned(), line, rule, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { path, line, rule, message } = self;
        match line {
            0 => write!(f, "{path}: {message} [{rule}]"),
            _ => write!(f, "{path}:{line}: {message} [{rule}]"),
        }
    }
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(arguments.is_empty(), "takes no arguments");
    let root = shell::root();
    let files = read_tree(&root)?;
    let mut problems = check(&root, &files)?;
    problems.extend(licences::check(&root)?);
    if problems.is_empty() {
        return Ok(());
    }
    problems.sort();
    for problem in &problems {
        eprintln!("{problem}");
    }
    anyhow::bail!("{} problems", problems.len())
}

/// All rules that need nothing but the tree.
fn check(root: &Path, files: &[TextFile]) -> anyhow::Result<Vec<Problem>> {
    let mut problems = layers::check(files)?;
    problems.extend(layers::litter(root, files)?);
    problems.extend(links::check(root, files));
    problems.extend(trust::check(files));
    problems.extend(text::check(files));
    problems.extend(sorted::check(files));
    problems.extend(house::check(files));
    problems.sort();
    Ok(problems)
}

/// All text files below a root, in the order of their paths; build output is left out.
fn read_tree(root: &Path) -> anyhow::Result<Vec<TextFile>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            // In a work tree `.git` is a file.
            if is_output(root, &path) {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && let Ok(bytes) = std::fs::read(&path)
                && let Ok(text) = String::from_utf8(bytes)
            {
                files.push(TextFile { path: relative(root, &path), text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn is_output(root: &Path, path: &Path) -> bool {
    matches!(
        relative(root, path).as_str(),
        ".git"
            | "target"
            | "editors/vscode/node_modules"
            | "editors/vscode/out"
            | "fuzz/target"
            | "fuzz/corpus"
            | "fuzz/artifacts"
    )
}

fn relative(root: &Path, path: &Path) -> String {
    let path: PathBuf = path.strip_prefix(root).unwrap_or(path).to_owned();
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_is_tidy() {
        let root = shell::root();
        let files = read_tree(&root).unwrap();
        let mut problems = check(&root, &files).unwrap();
        problems.extend(licences::check(&root).unwrap());
        let text: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert!(text.is_empty(), "{}", text.join("\n"));
    }

    /// Writes a tree into a fresh folder, checks it and removes it again.
    fn problems_of(name: &str, tree: &[(&str, &str)]) -> Vec<String> {
        let root = std::env::temp_dir().join(format!("vergo-tidy-{}-{name}", std::process::id()));
        for (path, text) in tree {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let files = read_tree(&root).unwrap();
        let problems = check(&root, &files).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        problems.iter().map(Problem::to_string).collect()
    }

    const LAYERS: &str = "\
[crates.high]
layer = 1
uses = [\"low\"]
tests = []

[crates.low]
layer = 0
uses = []
tests = [\"high\"]

[third-party]
known = \"a reason\"

[licences]
allow = []

[root]
allow = [\"crates\", \"layers.toml\"]
";

    fn manifest(name: &str, dependencies: &str) -> String {
        format!("[package]\nname = \"vergo-{name}\"\n\n[dependencies]\n{dependencies}")
    }

    #[test]
    fn a_good_tree_is_tidy() {
        let low = format!(
            "{}\n[dev-dependencies]\nvergo-high.workspace = true\n",
            manifest("low", "known = \"1\"\n")
        );
        let high = manifest("high", "vergo-low.workspace = true\n");
        let problems = problems_of(
            "good",
            &[
                ("layers.toml", LAYERS),
                ("crates/low/Cargo.toml", &low),
                ("crates/low/src/lib.rs", "//! Low.\n"),
                ("crates/high/Cargo.toml", &high),
                ("crates/high/src/lib.rs", "//! High.\n"),
            ],
        );
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn each_rule_complains_about_a_bad_tree() {
        let low = manifest("low", "vergo-high.workspace = true\nunknown = \"1\"\n");
        let stray = manifest("stray", "");
        let unsorted = "//! X.\n// tidy: sorted\nb,\na,\n// tidy: end\n// tidy: sorted\n";
        // Assembled here so that this file does not break the rules that it tests.
        let text = ["fn f() {} \n\tlet x;\r\n// TO", "DO later\n\"/", "home/me/x\"\n#[", "ignore]"]
            .concat();
        let problems = problems_of(
            "bad",
            &[
                ("layers.toml", &LAYERS.replace("uses = []", "uses = [\"high\"]")),
                ("notes.txt", "x\n"),
                ("crates/low/Cargo.toml", &low),
                ("crates/low/src/lib.rs", &text),
                ("crates/low/src/utils.rs", "//! X.\n"),
                ("crates/low/src/table.rs", unsorted),
                ("crates/stray/Cargo.toml", &stray),
                (
                    "crates/x.md",
                    "[a](low/src/lib.rs) [b](../layers.toml#x) [c](https://x.org)\n[d](y.md) [e](../../z)\n",
                ),
            ],
        );
        let expected = [
            "crates/low/Cargo.toml: there is no reason for `unknown` in layers.toml [third-party]",
            "crates/low/src/lib.rs: the file does not end with a newline [newline]",
            "crates/low/src/lib.rs:1: there are blanks at the end of the line [blanks]",
            "crates/low/src/lib.rs:1: a Rust file begins with a `//!` line [module-doc]",
            "crates/low/src/lib.rs:2: the line has a carriage return [blanks]",
            "crates/low/src/lib.rs:2: there is a tab in a Rust file [tab]",
            "crates/low/src/lib.rs:3: a note for later needs a reference in parentheses [to-do]",
            "crates/low/src/lib.rs:4: a path of one machine has no place here [machine-path]",
            "crates/low/src/lib.rs:5: a test that is not run tests nothing [ignored-test]",
            "crates/low/src/table.rs:4: `a,` should come before `b,` [sorted]",
            "crates/low/src/table.rs:6: the sorted lines have no end [sorted]",
            "crates/low/src/utils.rs: name the file after the concept in it [file-name]",
            "crates/stray/Cargo.toml: the crate has no section in layers.toml [layers]",
            "crates/x.md:2: there is no `../../z` [link]",
            "crates/x.md:2: there is no `y.md` [link]",
            "layers.toml: `low` uses `high`, which is not of a lower layer [layers]",
            "layers.toml: there is no crate `high` [layers]",
            "notes.txt: not in the list of root files in layers.toml [litter]",
        ];
        assert_eq!(problems, expected, "{problems:#?}");
    }

    #[test]
    fn an_edge_that_is_not_listed_is_a_problem() {
        let low = manifest("low", "vergo-high.workspace = true\n");
        let problems = problems_of(
            "edge",
            &[
                ("layers.toml", LAYERS),
                ("crates/low/Cargo.toml", &low),
                ("crates/high/Cargo.toml", &manifest("high", "")),
            ],
        );
        assert_eq!(problems, ["crates/low/Cargo.toml: may not use `high` [layers]"]);
    }
}
