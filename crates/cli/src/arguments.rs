//! Arguments that several commands share, and the spellings that compilers taught people.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use vergo_driver::preprocess::{CppFlag, CppOptions};
use vergo_driver::{DataModel, Input, Job, PROJECT_FILE, PropertyId, Specification};

use crate::output;

/// Options of commands that read C.
#[derive(Args, Debug)]
pub(crate) struct CArgs {
    /// C files, preprocessed or not; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Sizes of the basic types: 32-bit or 64-bit `long` and pointers.
    #[arg(
        long,
        value_enum,
        default_value = "LP64",
        ignore_case = true,
        value_name = "MODEL",
        help_heading = "Reading C"
    )]
    data_model: ModelArg,
    /// The C preprocessor with its arguments; by default `$CC -E`, or the host's compiler.
    #[arg(long, value_name = "CMD", help_heading = "Reading C")]
    cpp: Option<String>,
    /// The standard that the preprocessor follows, as in `-std=gnu17`.
    #[arg(long, value_name = "STD", help_heading = "Reading C")]
    std: Option<String>,
    /// Adds a folder with headers.
    #[arg(short = 'I', value_name = "DIR", id = "include_dir", help_heading = "Reading C")]
    include_dirs: Vec<PathBuf>,
    /// Defines a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", id = "define", help_heading = "Reading C")]
    defines: Vec<String>,
    /// Undefines a macro.
    #[arg(short = 'U', value_name = "NAME", id = "undefine", help_heading = "Reading C")]
    undefines: Vec<String>,
    /// Reads a file before the others, as in `-include FILE`.
    #[arg(long = "include", value_name = "FILE", id = "include", help_heading = "Reading C")]
    includes: Vec<PathBuf>,
}

/// The data models.
#[derive(Clone, Copy, ValueEnum, Debug)]
#[value(rename_all = "UPPER")]
enum ModelArg {
    /// 32-bit `long` and pointers.
    Ilp32,
    /// 64-bit `long` and pointers.
    Lp64,
}

impl CArgs {
    /// The job that these options describe. `matches` are those of the sub-command, from
    /// which the order of `-D` and `-U` is taken.
    pub(crate) fn job(&self, matches: &ArgMatches) -> Job {
        let model = match self.data_model {
            ModelArg::Ilp32 => DataModel::Ilp32,
            ModelArg::Lp64 => DataModel::Lp64,
        };
        let command = match (&self.cpp, std::env::var("CC")) {
            (Some(command), _) => words(command),
            (None, Ok(compiler)) if !compiler.trim().is_empty() => {
                let mut command = words(&compiler);
                command.push("-E".to_owned());
                command
            }
            _ => Vec::new(),
        };
        let flags = self.flags(matches);
        Job::new(
            model,
            CppOptions { command, std: self.std.clone(), flags, ..CppOptions::default() },
        )
    }

    /// Returns whether the data model was named on the command line.
    pub(crate) fn names_model(&self, matches: &ArgMatches) -> bool {
        matches.value_source("data_model") == Some(ValueSource::CommandLine)
    }

    /// The preprocessor's flags in the order in which they were given.
    fn flags(&self, matches: &ArgMatches) -> Vec<CppFlag> {
        let include_dirs = self.include_dirs.iter().cloned().map(CppFlag::IncludeDir);
        let defines = self.defines.iter().cloned().map(CppFlag::Define);
        let undefines = self.undefines.iter().cloned().map(CppFlag::Undefine);
        let includes = self.includes.iter().cloned().map(CppFlag::Include);
        let indices = |id: &str| matches.indices_of(id).into_iter().flatten();
        let mut flags: Vec<(usize, CppFlag)> = indices("include_dir").zip(include_dirs).collect();
        flags.extend(indices("define").zip(defines));
        flags.extend(indices("undefine").zip(undefines));
        flags.extend(indices("include").zip(includes));
        flags.sort_by_key(|(index, _)| *index);
        flags.into_iter().map(|(_, flag)| flag).collect()
    }

    /// Returns whether a file was named.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The inputs; standard input is read now.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        self.files.iter().map(|path| input(path.clone())).collect()
    }
}

/// The project file of the working folder or of the nearest folder around it, as seen from here.
pub(crate) fn project_file() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut seen = PathBuf::new();
    for folder in here.ancestors() {
        if folder.join(PROJECT_FILE).is_file() {
            return Some(seen.join(PROJECT_FILE));
        }
        seen.push("..");
    }
    None
}

/// The input that a file argument names; `-` is standard input, which is read now.
pub(crate) fn input(path: PathBuf) -> Input {
    if path.as_os_str() != "-" {
        return Input::File(path);
    }
    let mut text = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut text) {
        output::warn(&format!("standard input ends early: {error}"));
    }
    Input::Text { name: "<stdin>".to_owned(), text }
}

/// The specification that an argument names.
pub(crate) fn specification(argument: &str) -> Result<Specification, String> {
    if Path::new(argument).extension().is_some_and(|extension| extension == "prp") {
        let text = std::fs::read_to_string(argument)
            .map_err(|error| format!("cannot read `{argument}`: {error}"))?;
        return Specification::from_property_file(&text)
            .ok_or_else(|| format!("`{argument}` holds no property that Vergo knows"));
    }
    Specification::from_name(argument).ok_or_else(|| {
        let known = vergo_driver::GROUPS.iter().map(|group| group.name);
        let known = known.chain(PropertyId::ALL.iter().map(|property| property.info().id));
        let known = known.chain(["termination", "liveness", "default", "memory", "arith"]);
        let hint = match closest(argument, known) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "give an SV-COMP property such as unreach-call, a .prp file, or ids such as memory.bounds \
                     (docs/reference/properties.md)"
                .to_owned(),
        };
        format!("there is no property `{argument}`; {hint}")
    })
}

/// The name that is most like a word, if one is.
pub(crate) fn closest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = word.chars().count() / 3;
    let near = names.map(|name| (distance(word, name), name)).filter(|(far, _)| *far <= limit);
    near.min_by_key(|(far, _)| *far).map(|(_, name)| name)
}

/// Returns the number of letters that have to be added, removed or changed to get from one word to another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut left_above = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = left_above + usize::from(x != *y);
            left_above = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(left_above + 1);
        }
    }
    row[b.len()]
}

/// Splits a command into words; quotes keep blanks together.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_with(String::new);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

/// Turns options as compilers spell them into ours: `-include`, `-std=`, `-m32` and `-m64`.
pub(crate) fn compiler_spellings(
    arguments: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut is_option = true;
    arguments.into_iter().map(move |argument| {
        // What follows `--` belongs to the program under test.
        is_option &= argument != "--";
        let Some(text) = argument.to_str().filter(|_| is_option) else { return argument };
        match text {
            "-include" => "--include".into(),
            "-m32" => "--data-model=ILP32".into(),
            "-m64" => "--data-model=LP64".into(),
            _ if text.starts_with("-std=") => format!("-{text}").into(),
            _ => argument,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_found() {
        let names = || ["no-overflow", "memory.bounds", "unreach-call"].into_iter();
        assert_eq!(closest("no-overfow", names()), Some("no-overflow"));
        assert_eq!(closest("memory.bound", names()), Some("memory.bounds"));
        assert_eq!(closest("nonsense", names()), None);
        assert_eq!((distance("", "ab"), distance("kitten", "sitting")), (2, 3));
    }

    #[test]
    fn commands_are_split_into_words() {
        assert_eq!(words("gcc -E"), ["gcc", "-E"]);
        assert_eq!(words("  'my cc'  -D\"a b\" '' "), ["my cc", "-Da b", ""]);
        assert!(words(" ").is_empty());
    }

    #[test]
    fn spellings_of_compilers() {
        let given = ["vergo", "dump", "-m32", "-std=c99", "-include", "a.h", "--", "-m64"];
        let ours: Vec<_> = compiler_spellings(given.map(OsString::from)).collect();
        let expected =
            ["vergo", "dump", "--data-model=ILP32", "--std=c99", "--include", "a.h", "--", "-m64"];
        assert_eq!(ours, expected);
    }
}
