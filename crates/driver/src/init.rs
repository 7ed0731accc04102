//! A first project file for a folder: what is found there, with comments on what can be said besides.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::compile_commands::{COMPILE_COMMANDS, CompileCommands};
use crate::project::files_below;

/// The text of a project file for a folder.
///
/// # Errors
/// If there is no C file; the message says so.
pub fn init(folder: &Path) -> Result<String, String> {
    let files = files_below(folder);
    let has = |path: &Path, extension: &str| path.extension().is_some_and(|e| e == extension);
    let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
    let sources: Vec<&PathBuf> = files.iter().filter(|path| has(path, "c")).collect();
    if sources.is_empty() {
        return Err("there is no C file here or in a folder below".to_owned());
    }
    // A program begins once: the other files with a `main` are other programs.
    let programs: Vec<&PathBuf> = sources
        .iter()
        .copied()
        .filter(|path| std::fs::read(path).is_ok_and(|text| defines_main(&text)))
        .collect();
    let first = programs.first().copied();
    let others: BTreeSet<&PathBuf> = programs.iter().skip(1).copied().collect();
    let used: Vec<PathBuf> =
        sources.iter().filter(|path| !others.contains(**path)).map(|path| below(path)).collect();
    let all: Vec<PathBuf> = sources.iter().map(|path| below(path)).collect();
    let commands = [PathBuf::new(), PathBuf::from("build")]
        .into_iter()
        .map(|place| place.join(COMPILE_COMMANDS))
        .find(|place| CompileCommands::read(&folder.join(place)).is_ok());

    let mut text = String::from(
        "# What Vergo checks here: `vergo check` without a file reads this. Paths are below this folder.\n\n[project]\n\
         # The files that make up one program; `*` and `**` are understood.\n",
    );
    let _ = writeln!(text, "sources = [{}]", quoted(&patterns(&used, &all)));
    for other in others {
        let _ = writeln!(
            text,
            "# Another program, with a `main` of its own: {}",
            toml_text(&below(other))
        );
    }
    let include_dirs =
        include_dirs(&files.iter().map(|path| below(path)).collect::<Vec<_>>(), &used);
    text.push_str("# Folders with headers, as after -I.\n");
    match include_dirs.is_empty() {
        true => text.push_str("# include-dirs = [\"include\"]\n"),
        false => {
            let _ = writeln!(text, "include-dirs = [{}]", quoted(&include_dirs));
        }
    }
    text.push_str("# The flags of each file as the build has them; the compiler that is named there is not run.\n");
    match commands {
        Some(path) => {
            let _ = writeln!(text, "compile-commands = {}", toml_text(&path));
        }
        None => text.push_str("# compile-commands = \"build/compile_commands.json\"\n"),
    }
    text.push_str(
        "# Macros, as after -D, and the standard, as after -std=.\n\
         # define = [\"NDEBUG\", \"SIZE=16\"]\n# std = \"gnu17\"\n\
         # Sizes of types: \"LP64\" for 64-bit machines, \"ILP32\" for 32-bit ones.\n\
         data-model = \"LP64\"\n\n[check]\n\
         # Where the program begins. A function with parameters is checked for all of their values.\n",
    );
    match first {
        Some(path) => {
            let _ = writeln!(text, "function = \"main\"  # in {}", below(path).display());
        }
        None => text.push_str(
            "# There is no `main` here: name a function of the library.\nfunction = \"main\"\n",
        ),
    }
    text.push_str(
        "# What is checked: everything that C leaves undefined and assertions, unless named otherwise\n\
         # (docs/reference/properties.md).\n\
         # property = [\"memory.bounds\", \"memory.null\", \"arith\", \"user\"]\n\
         # Seconds after which the answer is unknown.\n\
         timeout = 60\n\
         # Rounds of loops that are looked at, if not as many as there are.\n\
         # unwind = 20\n",
    );
    Ok(text)
}

/// Checks whether a text seems to define `main`: the word, parentheses, and a brace after them.
fn defines_main(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("main").any(|(at, _)| {
        if text[..at].ends_with(is_word) {
            return false;
        }
        let Some(rest) = text[at + 4..].trim_start().strip_prefix('(') else { return false };
        let Some(close) = rest.find(')') else { return false };
        rest[close + 1..].trim_start().starts_with('{')
    })
}

/// Few patterns for some files among all: a folder of which all C files are used needs one.
fn patterns(used: &[PathBuf], all: &[PathBuf]) -> Vec<PathBuf> {
    let by_folder = |files: &[PathBuf]| {
        let mut folders: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for file in files {
            let folder = file.parent().unwrap_or(Path::new("")).to_owned();
            folders.entry(folder).or_default().push(file.clone());
        }
        folders
    };
    let all = by_folder(all);
    let mut patterns = Vec::new();
    for (folder, files) in by_folder(used) {
        match files.len() > 2 && all.get(&folder).is_some_and(|all| all.len() == files.len()) {
            true => patterns.push(folder.join("*.c")),
            false => patterns.extend(files),
        }
    }
    patterns
}

/// Folders with headers, but for those in which the program's files are: these are searched anyway.
fn include_dirs(files: &[PathBuf], used: &[PathBuf]) -> Vec<PathBuf> {
    let folder = |file: &PathBuf| file.parent().unwrap_or(Path::new("")).to_owned();
    let with_sources: BTreeSet<PathBuf> = used.iter().map(folder).collect();
    let headers = files.iter().filter(|path| path.extension().is_some_and(|e| e == "h"));
    let found: BTreeSet<PathBuf> =
        headers.map(folder).filter(|at| !with_sources.contains(at)).collect();
    // `include/name/x.h` is included as `name/x.h`.
    let outermost = found.iter().filter(|at| !at.ancestors().skip(1).any(|up| found.contains(up)));
    outermost
        .map(|at| if at.as_os_str().is_empty() { PathBuf::from(".") } else { at.clone() })
        .collect()
}

fn quoted(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| toml_text(path)).collect::<Vec<_>>().join(", ")
}

fn toml_text(path: &Path) -> String {
    format!("\"{}\"", path.display().to_string().replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognised() {
        assert!(defines_main(b"int main(void)\n{ return 0; }"));
        assert!(defines_main(b"int\nmain (int argc, char **argv) {"));
        assert!(!defines_main(b"int main(void); int domain(void) { } int main_loop(void) { }"));
    }

    #[test]
    fn folders_become_patterns() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let all = paths(&["a/1.c", "a/2.c", "a/3.c", "m.c", "t.c"]);
        assert_eq!(
            patterns(&paths(&["a/1.c", "a/2.c", "a/3.c", "m.c"]), &all),
            paths(&["m.c", "a/*.c"])
        );
        let files = paths(&["m.c", "m.h", "inc/x.h", "inc/y/z.h"]);
        assert_eq!(include_dirs(&files, &paths(&["m.c"])), paths(&["inc"]));
    }
}
