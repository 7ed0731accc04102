//! `compile_commands.json`, in which build systems write down how each file is compiled.
//!
//! Only what says how a file is read is taken: folders with headers, macros, files that are included first. The compiler
//! that is named there is not run, and options that could make ours run something are not passed on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::preprocess::CppFlag;

/// The usual name of the file.
pub const COMPILE_COMMANDS: &str = "compile_commands.json";

/// The compiler's options for each file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompileCommands {
    /// The flags of each C file, by absolute path.
    pub flags: BTreeMap<PathBuf, Vec<CppFlag>>,
}

impl CompileCommands {
    /// The file of a folder or of a folder around it, where build systems put it.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().find_map(|folder| {
            let places =
                [folder.join(COMPILE_COMMANDS), folder.join("build").join(COMPILE_COMMANDS)];
            places.into_iter().find(|path| path.is_file())
        })
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read or is something else; the message says why.
    pub fn read(path: &Path) -> Result<CompileCommands, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        CompileCommands::parse(&text, path.parent().unwrap_or(Path::new("")))
            .map_err(|message| format!("`{}`: {message}", path.display()))
    }

    /// Reads its text; relative folders are relative to `folder`.
    ///
    /// # Errors
    /// If it is something else; the message says why.
    pub fn parse(text: &str, folder: &Path) -> Result<CompileCommands, String> {
        let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let entries = document.as_array().ok_or("a list of commands is needed")?;
        let mut commands = CompileCommands::default();
        for entry in entries {
            let text = |key: &str| entry.get(key).and_then(Value::as_str);
            let file = text("file").ok_or("an entry has no `file`")?;
            let directory = folder.join(text("directory").unwrap_or(""));
            let path = normal(&directory.join(file));
            if path.extension().is_none_or(|extension| extension != "c" && extension != "i") {
                continue;
            }
            let words: Vec<String> = match entry.get("arguments").and_then(Value::as_array) {
                Some(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                None => shell_words(text("command").unwrap_or("")),
            };
            // A file that is compiled several times is read as the first time.
            commands.flags.entry(path).or_insert_with(|| flags(&words, &directory));
        }
        Ok(commands)
    }
}

/// The flags of a command that say how C is read.
fn flags(words: &[String], directory: &Path) -> Vec<CppFlag> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let mut value = |option: &str| {
            let rest = word.strip_prefix(option)?;
            if rest.is_empty() { words.next().cloned() } else { Some(rest.to_owned()) }
        };
        let folder = |name: String| CppFlag::IncludeDir(normal(&directory.join(name)));
        if word == "-include" {
            flags.extend(value("-include").map(|name| CppFlag::Include(directory.join(name))));
        } else if word.starts_with("-isystem") {
            flags.extend(value("-isystem").map(folder));
        } else if word.starts_with("-iquote") {
            flags.extend(value("-iquote").map(folder));
        } else if word.starts_with("-I") {
            flags.extend(value("-I").map(folder));
        } else if word.starts_with("-D") {
            flags.extend(value("-D").map(CppFlag::Define));
        } else if word.starts_with("-U") {
            flags.extend(value("-U").map(CppFlag::Undefine));
        }
    }
    flags
}

/// A path without `.` and, where that is safe, without `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// A command's words as a shell splits them.
pub(crate) fn shell_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_taken_and_nothing_else() {
        let text = r#"[
            { "directory": "/p/build", "file": "../src/a.c",
              "command": "evil -fplugin=x.so -I../include -DS=\\\"t\\\" -D 'A B' -UX -o a.o -c ../src/a.c -wrapper rm" },
            { "directory": "/p", "file": "b.c", "arguments": ["cc", "-isystem", "sys", "-include", "pre.h", "b.c"] },
            { "directory": "/p", "file": "c.cc", "command": "c++ c.cc" }
        ]"#;
        let commands = CompileCommands::parse(text, Path::new("/p")).unwrap();
        let dir = |name: &str| CppFlag::IncludeDir(name.into());
        let define = |text: &str| CppFlag::Define(text.into());
        let expected = [
            ("/p/b.c", vec![dir("/p/sys"), CppFlag::Include("/p/pre.h".into())]),
            (
                "/p/src/a.c",
                vec![
                    dir("/p/include"),
                    define("S=\"t\""),
                    define("A B"),
                    CppFlag::Undefine("X".into()),
                ],
            ),
        ];
        let expected = expected.map(|(file, flags)| (PathBuf::from(file), flags));
        assert_eq!(commands.flags, BTreeMap::from(expected));
    }

    #[test]
    fn other_files_are_rejected() {
        assert!(CompileCommands::parse("{}", Path::new("")).is_err());
        assert!(CompileCommands::parse("[{}]", Path::new("")).is_err());
        assert!(CompileCommands::parse("[", Path::new("")).is_err());
    }
}
