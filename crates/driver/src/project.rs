//! The project file `vergo.toml`: which files make up a program, how they are read, and what is checked of them.
//!
//! ```toml
//! [project]
//! sources = ["src/*.c"]             # patterns: `*` and `?` within a name, `**` for any folders
//! include-dirs = ["include"]
//! define = ["N=4"]
//! std = "gnu17"
//! data-model = "LP64"
//! compile-commands = "build/compile_commands.json"
//!
//! [check]
//! function = "main"
//! property = ["memory", "arith"]
//! timeout = 60
//! unwind = 20
//! ```
//!
//! `[prove]` and `[proofs.NAME]` are the proofs that `vergo prove` runs ([`proofs`]).
//!
//! Keys are the long options of `vergo check`. A project file names nothing outside of its own folder and no program to be
//! run, so that the one of a stranger does no harm.

mod proofs;

pub(crate) use proofs::is_proof_option;
pub use proofs::{Proof, Proofs};

use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use vergo_cfront::target::DataModel;
use vergo_source::{Diagnostic, FileId};

use crate::check::Specification;
use crate::codes::BAD_PROJECT;
use crate::compile_commands::CompileCommands;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::preprocess::CppFlag;

/// The name of the project file.
pub const PROJECT_FILE: &str = "vergo.toml";

/// The content of a project file.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The folder of the project file; everything that it names lies below.
    pub folder: PathBuf,
    /// Patterns of the program's files.
    pub sources: Vec<String>,
    /// Folders with headers.
    pub include_dirs: Vec<PathBuf>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The standard that the preprocessor follows.
    pub std: Option<String>,
    /// The data model.
    pub data_model: Option<DataModel>,
    /// The file with the build's commands, from which further flags of each file are taken.
    pub compile_commands: Option<PathBuf>,
    /// The function in which the program begins.
    pub function: Option<String>,
    /// Names of properties.
    pub property: Vec<String>,
    /// The time limit of a check.
    pub timeout: Option<Duration>,
    /// A bound on the rounds of loops.
    pub unwind: Option<u32>,
    /// The proofs.
    pub proofs: Proofs,
}

impl Project {
    /// The project file of a folder, or of the nearest folder around it that has one.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().map(|folder| folder.join(PROJECT_FILE)).find(|path| path.is_file())
    }

    /// Reads a project file.
    ///
    /// # Errors
    /// If it cannot be read or says something that is not understood; the job's diagnostics say where and why.
    pub fn read(job: &mut Job, path: &Path) -> Result<Project, Failed> {
        let bytes = job.read(&Input::File(path.to_owned()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let file = job.add(&path.to_string_lossy(), text.clone().into_bytes())?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut reader = Reader { mistakes: Vec::new(), folder };
        let project = match DeTable::parse(&text) {
            Ok(table) => reader.project(table.get_ref()),
            Err(error) => {
                reader.wrong(error.span().unwrap_or(0..0), error.message().to_owned());
                Project::default()
            }
        };
        if reader.mistakes.is_empty() {
            return Ok(project);
        }
        for (place, message) in reader.mistakes {
            let diagnostic = diagnostic(job, file, place, message);
            job.diagnostics.push(diagnostic);
        }
        Err(Failed::BadInput)
    }

    /// The program's files in order, each once.
    ///
    /// # Errors
    /// If a pattern matches none; the message says which.
    pub fn files(&self) -> Result<Vec<PathBuf>, String> {
        let mut all = None;
        let mut files: Vec<PathBuf> = Vec::new();
        for pattern in &self.sources {
            let found = if pattern.contains(['*', '?']) {
                let all = all.get_or_insert_with(|| files_below(&self.folder));
                let matching = all.iter().filter(|path| {
                    path.strip_prefix(&self.folder).is_ok_and(|path| matches_path(pattern, path))
                });
                matching.cloned().collect()
            } else {
                vec![self.folder.join(pattern)]
            };
            if found.is_empty() {
                return Err(format!("`{pattern}` of `sources` matches no file"));
            }
            files.extend(found);
        }
        if files.is_empty() {
            return Err("`sources` names no file".to_owned());
        }
        let mut seen = std::collections::BTreeSet::new();
        files.retain(|file| seen.insert(file.clone()));
        Ok(files)
    }

    /// Tells a job how this project's files are read.
    ///
    /// # Errors
    /// If the build's commands cannot be read; the message says why.
    pub fn configure(&self, job: &mut Job) -> Result<(), String> {
        let include_dirs = self.include_dirs.iter().cloned().map(CppFlag::IncludeDir);
        let defines = self.define.iter().cloned().map(CppFlag::Define);
        // What was given by hand comes later and so has the last word.
        job.cpp.flags.splice(0..0, include_dirs.chain(defines));
        if job.cpp.std.is_none() {
            job.cpp.std.clone_from(&self.std);
        }
        if let Some(model) = self.data_model {
            job.model = model;
        }
        if let Some(path) = &self.compile_commands {
            let commands = CompileCommands::read(path)?;
            job.cpp.per_file.extend(commands.flags);
        }
        Ok(())
    }

    /// Returns the specification: the properties that are named, or those of the default.
    pub fn specification(&self) -> Specification {
        let mut named = self.property.iter().filter_map(|name| Specification::from_name(name));
        named
            .next()
            .map_or_else(Specification::standard, |first| named.fold(first, Specification::and))
    }
}

/// A mistake of the project file as a diagnostic.
fn diagnostic(job: &Job, file: FileId, place: Range<usize>, message: String) -> Diagnostic {
    let to_u32 = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let span = job.map.span(file, to_u32(place.start), to_u32(place.end));
    Diagnostic::error(BAD_PROJECT, span, message)
}

/// Reads a project file and collects its mistakes.
struct Reader {
    mistakes: Vec<(Range<usize>, String)>,
    folder: PathBuf,
}

impl Reader {
    fn wrong(&mut self, place: Range<usize>, message: impl Into<String>) {
        self.mistakes.push((place, message.into()));
    }

    fn project(&mut self, root: &DeTable<'_>) -> Project {
        let mut project = Project { folder: self.folder.clone(), ..Project::default() };
        for (name, value) in root {
            let Some(table) = value.get_ref().as_table() else {
                self.wrong(value.span(), format!("`{}` is not a table", name.get_ref()));
                continue;
            };
            for (key, value) in table {
                let known = match &**name.get_ref() {
                    "project" => self.project_key(&mut project, key.get_ref(), value),
                    "check" => self.check_key(&mut project, key.get_ref(), value),
                    "prove" => self.prove_key(&mut project.proofs, key.get_ref(), value),
                    "proofs" => {
                        self.proofs_key(&mut project.proofs, key.get_ref(), value);
                        true
                    }
                    _ => break,
                };
                if !known {
                    let message = format!("`{}` has no key `{}`", name.get_ref(), key.get_ref());
                    self.wrong(key.span(), message);
                }
            }
            if !matches!(&**name.get_ref(), "project" | "check" | "prove" | "proofs") {
                self.wrong(name.span(), format!("there is no table `{}`", name.get_ref()));
            }
        }
        project
    }

    /// Takes a key of `[project]`; false if there is no such key.
    fn project_key(&mut self, into: &mut Project, key: &str, value: &Spanned<DeValue<'_>>) -> bool {
        match key {
            "sources" => {
                into.sources = self.texts(value);
                for source in into.sources.clone() {
                    self.inside(value, &source);
                }
            }
            "include-dirs" => {
                let names = self.texts(value);
                into.include_dirs =
                    names.iter().filter_map(|name| self.inside(value, name)).collect();
            }
            "define" => into.define = self.texts(value),
            "std" => into.std = self.text(value).filter(|std| self.is_std(value, std)),
            "data-model" => {
                into.data_model = match self.text(value).as_deref() {
                    Some("LP64") => Some(DataModel::Lp64),
                    Some("ILP32") => Some(DataModel::Ilp32),
                    Some(_) => {
                        self.wrong(value.span(), "the data models are \"LP64\" and \"ILP32\"");
                        None
                    }
                    None => None,
                }
            }
            "compile-commands" => {
                let name = self.text(value);
                into.compile_commands = name.and_then(|name| self.inside(value, &name));
            }
            _ => return false,
        }
        true
    }

    /// Takes a key of `[check]`; false if there is no such key.
    fn check_key(&mut self, into: &mut Project, key: &str, value: &Spanned<DeValue<'_>>) -> bool {
        match key {
            "function" => into.function = self.text(value),
            "property" => {
                into.property = self.texts(value);
                for name in &into.property {
                    if Specification::from_name(name).is_none() {
                        let message = format!("there is no property `{name}`");
                        self.mistakes.push((value.span(), message));
                    }
                }
            }
            "timeout" => {
                into.timeout = self.number(value).and_then(|s| Duration::try_from_secs_f64(s).ok());
            }
            "unwind" => into.unwind = self.number(value).map(|number| number as u32),
            _ => return false,
        }
        true
    }

    fn text(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(value.span(), "a text in quotes is needed");
        }
        text
    }

    /// A text, or a list of texts.
    fn texts(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        match value.get_ref() {
            DeValue::Array(values) => values.iter().filter_map(|value| self.text(value)).collect(),
            _ => self.text(value).into_iter().collect(),
        }
    }

    fn number(&mut self, value: &Spanned<DeValue<'_>>) -> Option<f64> {
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
            DeValue::Float(number) => Some(number.as_str()),
            _ => None,
        };
        let number = text.and_then(|text| text.parse::<f64>().ok());
        let number = number.filter(|number| *number >= 0.0 && number.is_finite());
        if number.is_none() {
            self.wrong(value.span(), "a number that is not negative is needed");
        }
        number
    }

    /// A path below the folder of the project file.
    fn inside(&mut self, value: &Spanned<DeValue<'_>>, name: &str) -> Option<PathBuf> {
        let is_inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_inside {
            let message = format!("`{name}` is not below the folder of the project file");
            self.wrong(value.span(), message);
            return None;
        }
        Some(self.folder.join(name))
    }

    /// Checks whether a text is the name of a standard; it becomes part of a command line.
    fn is_std(&mut self, value: &Spanned<DeValue<'_>>, std: &str) -> bool {
        let is_name = is_std(std);
        if !is_name {
            self.wrong(value.span(), "the name of a standard is needed, such as \"gnu17\"");
        }
        is_name
    }
}

/// Checks whether a text can be the name of a language standard, as in `-std=gnu17`.
pub(crate) fn is_std(std: &str) -> bool {
    !std.is_empty() && std.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':')
}

/// The files below a folder in the order of their names; hidden folders and links are left out.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    /// A project has fewer files than this; what has more is a whole disk.
    const MOST: usize = 200_000;
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // The folder without a name is the one in which we are.
        let is_here = folder.as_os_str().is_empty();
        let listed = std::fs::read_dir(if is_here { Path::new(".") } else { &folder });
        for entry in listed.into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => folders.push(folder.join(name)),
                Ok(kind) if kind.is_file() => files.push(folder.join(name)),
                _ => {}
            }
        }
        if files.len() > MOST {
            break;
        }
    }
    files.sort();
    files
}

/// Checks whether a pattern matches a name: `*` stands for any letters, `?` for one.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    let (part, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    matches_list(&part, &name, &|c| *c == '*', &|p, c| *p == '?' || p == c)
}

/// Checks whether a pattern matches a path: `*` and `?` within a name, `**` for any number of folders.
fn matches_path(pattern: &str, path: &Path) -> bool {
    let pattern: Vec<&str> = pattern.split('/').filter(|part| *part != ".").collect();
    let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    matches_list(&pattern, &names, &|part| *part == "**", &|part, name| matches_name(part, name))
}

/// Checks whether a list matches a pattern in which some elements stand for any number of elements.
fn matches_list<T, U>(
    pattern: &[T],
    list: &[U],
    is_any: &dyn Fn(&T) -> bool,
    fits: &dyn Fn(&T, &U) -> bool,
) -> bool {
    // Where the last element that stands for any number was met: if the rest fails, it takes one more.
    let (mut at, mut pos) = (0, 0);
    let mut last = None;
    while pos < list.len() {
        if at < pattern.len() && is_any(&pattern[at]) {
            last = Some((at, pos));
            at += 1;
        } else if at < pattern.len() && fits(&pattern[at], &list[pos]) {
            (at, pos) = (at + 1, pos + 1);
        } else if let Some((star, taken)) = last {
            last = Some((star, taken + 1));
            (at, pos) = (star + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let fits = |pattern: &str, path: &str| matches_path(pattern, Path::new(path));
        assert!(fits("*.c", "a.c") && fits("src/*.c", "src/a.c") && fits("./a?.c", "ab.c"));
        assert!(!fits("*.c", "src/a.c") && !fits("src/*.c", "src/a.h") && !fits("a?.c", "a.c"));
        assert!(fits("**/*.c", "a.c") && fits("**/*.c", "x/y/a.c") && fits("x/**/a.c", "x/a.c"));
        assert!(!fits("x/**/a.c", "y/a.c") && fits("*a*b*c*", "xaybzc") && !fits("*a*b", "ba"));
    }

    fn read(text: &str) -> Result<Project, Vec<(String, String)>> {
        let mut reader = Reader { mistakes: Vec::new(), folder: PathBuf::from("p") };
        let table = DeTable::parse(text).expect("well-formed TOML");
        let project = reader.project(table.get_ref());
        if reader.mistakes.is_empty() {
            return Ok(project);
        }
        let at = |(place, message): (Range<usize>, String)| (text[place].to_owned(), message);
        Err(reader.mistakes.into_iter().map(at).collect())
    }

    #[test]
    fn keys() {
        let text = "[project]\nsources = ['a.c', 'src/*.c']\ninclude-dirs = 'inc'\ndefine = ['N=4']\nstd = 'gnu17'\n\
                    data-model = 'ILP32'\n[check]\nfunction = 'f'\nproperty = ['memory', 'arith']\ntimeout = 1.5\nunwind = 3";
        let project = read(text).unwrap();
        assert_eq!(project.sources, ["a.c", "src/*.c"]);
        assert_eq!(project.include_dirs, [PathBuf::from("p/inc")]);
        assert_eq!(project.data_model, Some(DataModel::Ilp32));
        assert_eq!((project.timeout, project.unwind), (Some(Duration::from_millis(1500)), Some(3)));
        let Specification::Claims(properties) = project.specification() else { panic!("claims") };
        let ids: Vec<&str> = properties.names.iter().map(|(id, _)| id.info().id).collect();
        assert!(ids.contains(&"memory.bounds") && ids.contains(&"arith.shift"));
    }

    #[test]
    fn mistakes_have_places() {
        let mistakes = read(
            "[project]\nsources = ['../a.c']\nstd = '-x'\ncolour = 1\n[check]\ntimeout = 'x'\nproperty = 'y'\n[z]\n",
        );
        let places: Vec<String> = mistakes.unwrap_err().into_iter().map(|(at, _)| at).collect();
        assert_eq!(places, ["'y'", "'x'", "colour", "['../a.c']", "'-x'", "z"]);
    }
}
