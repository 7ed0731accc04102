//! The proofs of a project file.
//!
//! ```toml
//! [prove]                                  # what all proofs have in common
//! include-dirs = ["include"]
//! timeout = 60
//!
//! [proofs.put]                             # one proof: a harness and the files that it needs
//! function = "put_harness"
//! sources = ["src/table.c", "proofs/put.c"]
//!
//! [proofs.small]                           # a proof for each folder that the pattern matches
//! each = "proofs/small/*"
//! function = "{name}_harness"
//! sources = ["src/*.c", "{folder}/{name}_harness.c"]
//! ```
//!
//! Keys are the long options of `vergo check`. Lists of a proof come after those of `[prove]`; everything else takes their place.
//! `{name}` and `{folder}` are the last part and the whole of the path of the folder. Nothing here names a program to be run, and
//! paths stay below the folder of the project file, links included.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Reader, files_below, is_std, matches_path};
use crate::check::Specification;

/// The kind of a key's value.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Files, by patterns.
    Sources,
    /// Folders.
    Folders,
    /// Macros.
    Macros,
    /// Properties by name.
    Properties,
    /// Names of functions, or bounds of loops.
    Names,
    /// One name.
    Name,
    /// One of some words.
    Word(fn(&str) -> bool),
    Number,
    Flag,
}

/// The keys of a proof, sorted.
const KEYS: &[(&str, Kind)] = &[
    ("allow", Kind::Names),
    ("apply-loop-contracts", Kind::Flag),
    ("data-model", Kind::Word(|word| matches!(word, "LP64" | "ILP32"))),
    ("define", Kind::Macros),
    ("enforce-contract", Kind::Names),
    ("function", Kind::Name),
    ("include-dirs", Kind::Folders),
    ("malloc-may-fail", Kind::Flag),
    ("memory", Kind::Number),
    ("nondet-static", Kind::Flag),
    ("pointers", Kind::Word(is_pointers)),
    ("property", Kind::Properties),
    ("remove-function-body", Kind::Names),
    ("replace-call-with-contract", Kind::Names),
    ("sources", Kind::Sources),
    ("std", Kind::Word(is_std)),
    ("timeout", Kind::Number),
    ("unwind", Kind::Number),
    ("unwindset", Kind::Names),
];

fn is_pointers(word: &str) -> bool {
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit());
    matches!(word, "any" | "null" | "valid") || word.strip_prefix("valid:").is_some_and(is_number)
}

impl Kind {
    /// Returns whether a proof adds to the values of all proofs.
    fn is_list(self) -> bool {
        matches!(self, Kind::Sources | Kind::Folders | Kind::Macros | Kind::Names)
    }
}

/// Values by keys.
type Settings = BTreeMap<&'static str, Vec<String>>;

/// A table of proofs as it is written.
#[derive(Clone, Debug, Default)]
struct Written {
    name: String,
    each: Option<String>,
    settings: Settings,
}

/// The proofs of a project file as they are written.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    common: Settings,
    written: Vec<Written>,
}

/// A proof: a name, and the options of `vergo check` by which it is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Its name.
    pub name: String,
    settings: Settings,
}

impl Proof {
    /// The values of a key.
    pub fn values(&self, key: &str) -> &[String] {
        self.settings.get(key).map_or(&[], Vec::as_slice)
    }

    /// A key whose value is a number.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.values(key).first().and_then(|value| value.parse().ok())
    }

    /// The arguments of `vergo check`, but for the limits of time and memory, to be run in the folder of the project file. No
    /// value can be taken for an option.
    ///
    /// # Errors
    /// If there is no such file, or one that is not below the folder; the message says which.
    pub fn arguments(&self, folder: &Path) -> Result<Vec<String>, String> {
        let mut arguments = self.c_options(folder)?;
        arguments.extend(self.check_options());
        arguments.push("--".to_owned());
        arguments.extend(self.files(folder)?);
        Ok(arguments)
    }

    /// The options by which files are preprocessed, which [`Proof::check_options`] repeats as far as they say more.
    ///
    /// # Errors
    /// If there is no such folder, or one that is not below the folder of the project file; the message says which.
    pub(crate) fn c_options(&self, folder: &Path) -> Result<Vec<String>, String> {
        let mut options = Vec::new();
        for &(key, kind) in KEYS {
            let values = self.values(key);
            match kind {
                Kind::Folders => {
                    for value in values {
                        contained(folder, value)?;
                        options.push(format!("-I{value}"));
                    }
                }
                Kind::Macros => options.extend(values.iter().map(|value| format!("-D{value}"))),
                _ if matches!(key, "data-model" | "std") => {
                    options.extend(values.iter().map(|value| format!("--{key}={value}")));
                }
                _ => {}
            }
        }
        Ok(options)
    }

    /// The options of a check of files that are preprocessed, but for the limits of time and memory.
    pub(crate) fn check_options(&self) -> Vec<String> {
        let mut options = Vec::new();
        for &(key, kind) in KEYS {
            let values = self.values(key);
            match kind {
                Kind::Sources | Kind::Folders | Kind::Macros => {}
                Kind::Properties | Kind::Names if matches!(key, "property" | "unwindset") => {
                    if !values.is_empty() {
                        options.push(format!("--{key}={}", values.join(",")));
                    }
                }
                Kind::Flag => {
                    if values.first().is_some_and(|value| value == "true") {
                        options.push(format!("--{key}"));
                    }
                }
                _ if matches!(key, "timeout" | "memory" | "std") => {}
                _ => options.extend(values.iter().map(|value| format!("--{key}={value}"))),
            }
        }
        options
    }

    /// The files in order, each once, as seen from the folder.
    pub(crate) fn files(&self, folder: &Path) -> Result<Vec<String>, String> {
        let mut files: Vec<String> = Vec::new();
        let mut all = None;
        for pattern in self.values("sources") {
            let found: Vec<String> = if pattern.contains(['*', '?']) {
                let all: &Vec<PathBuf> = all.get_or_insert_with(|| below(folder));
                let matching = all.iter().filter(|path| matches_path(pattern, path));
                matching.map(|path| path.to_string_lossy().into_owned()).collect()
            } else {
                vec![pattern.clone()]
            };
            if found.is_empty() {
                return Err(format!("`{pattern}` of `sources` matches no file"));
            }
            for file in found {
                contained(folder, &file)?;
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        if files.is_empty() {
            return Err("`sources` names no file".to_owned());
        }
        Ok(files)
    }
}

/// Returns whether an argument is an option that a proof can have, or one of the cache.
pub(crate) fn is_proof_option(argument: &str) -> bool {
    let Some(option) = argument.strip_prefix("--") else { return false };
    let key = option.split('=').next().unwrap_or(option);
    matches!(key, "cache" | "trust-cache")
        || KEYS.iter().any(|(known, kind)| {
            *known == key && !matches!(kind, Kind::Sources | Kind::Folders | Kind::Macros)
        })
}

/// The files below a folder, as seen from there.
fn below(folder: &Path) -> Vec<PathBuf> {
    let files = files_below(folder).into_iter();
    files.filter_map(|path| path.strip_prefix(folder).ok().map(Path::to_owned)).collect()
}

/// Checks that a path is there, and below a folder when links are followed.
fn contained(folder: &Path, path: &str) -> Result<(), String> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = here.join(path).canonicalize().map_err(|error| format!("`{path}`: {error}"))?;
    match here.canonicalize() {
        Ok(here) if real.starts_with(&here) => Ok(()),
        _ => Err(format!("`{path}` leads out of the folder of the project file")),
    }
}

impl Proofs {
    /// Checks whether there is none.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// The proofs in order of name, with patterns followed.
    ///
    /// # Errors
    /// If a pattern matches no folder, or two proofs have one name; the message says which.
    pub fn all(&self, folder: &Path) -> Result<Vec<Proof>, String> {
        let mut proofs: Vec<Proof> = Vec::new();
        let mut folders: Option<Vec<String>> = None;
        for written in &self.written {
            let Some(each) = &written.each else {
                proofs.push(self.proof(written.name.clone(), &written.settings, &[]));
                continue;
            };
            let folders = folders.get_or_insert_with(|| folders_below(folder));
            let n_before = proofs.len();
            for path in folders.iter().filter(|path| matches_path(each, Path::new(path))) {
                let name = path.rsplit('/').next().unwrap_or(path);
                if is_name(name) {
                    let words = [("{name}", name), ("{folder}", path.as_str())];
                    proofs.push(self.proof(name.to_owned(), &written.settings, &words));
                }
            }
            if proofs.len() == n_before {
                return Err(format!("`{each}` of the proofs `{}` matches no folder", written.name));
            }
        }
        proofs.sort_by(|a, b| a.name.cmp(&b.name));
        match proofs.windows(2).find(|two| two[0].name == two[1].name) {
            Some(two) => Err(format!("there are two proofs `{}`", two[0].name)),
            None => Ok(proofs),
        }
    }

    /// A proof with what all have, and with words in the place of others.
    fn proof(&self, name: String, own: &Settings, words: &[(&str, &str)]) -> Proof {
        let mut settings = self.common.clone();
        for &(key, kind) in KEYS {
            let Some(values) = own.get(key) else { continue };
            let replaced = values.iter().map(|value| {
                words.iter().fold(value.clone(), |value, (word, by)| value.replace(word, by))
            });
            let into = settings.entry(key).or_default();
            if !kind.is_list() {
                into.clear();
            }
            into.extend(replaced);
        }
        Proof { name, settings }
    }
}

/// The folders that have a file, as seen from a folder.
fn folders_below(folder: &Path) -> Vec<String> {
    let files = below(folder);
    let parents = files.iter().filter_map(|file| file.parent());
    let mut folders: Vec<String> =
        parents.map(|parent| parent.to_string_lossy().into_owned()).collect();
    folders.sort();
    folders.dedup();
    folders
}

/// Returns whether a text can be the name of a proof: it becomes that of a file.
fn is_name(name: &str) -> bool {
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+');
    !name.is_empty()
        && name.len() < 200
        && !name.starts_with(['.', '-'])
        && name.bytes().all(is_part)
}

/// Returns whether a text can be a macro with its value, as after `-D`.
fn is_macro(text: &str) -> bool {
    let name = text.split(['=', '(']).next().unwrap_or(text);
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !text.contains(['\n', '\0'])
}

impl Reader {
    /// Takes a key of `[prove]`; false if there is no such key.
    pub(super) fn prove_key(
        &mut self,
        into: &mut Proofs,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> bool {
        self.setting(&mut into.common, key, value)
    }

    /// Takes a table of `[proofs]`.
    pub(super) fn proofs_key(
        &mut self,
        into: &mut Proofs,
        name: &str,
        value: &Spanned<DeValue<'_>>,
    ) {
        let mut written = Written { name: name.to_owned(), ..Written::default() };
        if !is_name(name) {
            let message = "the name of a proof has letters, digits and `_`, `-`, `.`, `+`";
            self.wrong(value.span(), message);
        }
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value.span(), format!("`proofs.{name}` is not a table"));
            return;
        };
        let table: &DeTable<'_> = table;
        for (key, value) in table {
            if &**key.get_ref() == "each" {
                written.each = self.text(value);
                if let Some(each) = written.each.clone() {
                    self.inside(value, &each);
                }
            } else if !self.setting(&mut written.settings, key.get_ref(), value) {
                self.wrong(key.span(), format!("`proofs.{name}` has no key `{}`", key.get_ref()));
            }
        }
        into.written.push(written);
    }

    /// Takes a key of a proof; false if there is no such key.
    fn setting(&mut self, into: &mut Settings, key: &str, value: &Spanned<DeValue<'_>>) -> bool {
        let Ok(at) = KEYS.binary_search_by_key(&key, |row| row.0) else { return false };
        let (key, kind) = KEYS[at];
        let values = match kind {
            Kind::Number => {
                let number = self.number(value);
                if number.is_some_and(|number| number.fract() != 0.0) && key != "timeout" {
                    self.wrong(value.span(), "a whole number is needed");
                }
                number.map(|number| number.to_string()).into_iter().collect()
            }
            Kind::Flag => {
                let flag = value.get_ref().as_bool();
                if flag.is_none() {
                    self.wrong(value.span(), "true or false is needed");
                }
                flag.map(|flag| flag.to_string()).into_iter().collect()
            }
            Kind::Name | Kind::Word(_) => self.text(value).into_iter().collect(),
            _ => self.texts(value),
        };
        for one in &values {
            match kind {
                Kind::Sources | Kind::Folders => {
                    // A folder that a pattern stands for has no `..` either.
                    self.inside(value, one);
                }
                Kind::Macros if !is_macro(one) => {
                    self.wrong(
                        value.span(),
                        format!("`{one}` is not a macro; write `NAME` or `NAME=VALUE`"),
                    );
                }
                Kind::Properties if Specification::from_name(one).is_none() => {
                    self.wrong(value.span(), format!("there is no property `{one}`"));
                }
                Kind::Word(fits) if !fits(one) => {
                    self.wrong(value.span(), format!("`{one}` is not a value of `{key}`"));
                }
                Kind::Names | Kind::Name if one.is_empty() || one.contains(['\n', '\0']) => {
                    self.wrong(value.span(), "a name is needed");
                }
                _ => {}
            }
        }
        into.insert(key, values);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted() {
        assert!(KEYS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn names_and_macros() {
        assert!(is_name("put_2.x") && !is_name("../x") && !is_name(".x") && !is_name("-x"));
        assert!(is_macro("A") && is_macro("_B=1") && is_macro("F(x)=x") && is_macro("N=\"a b\""));
        assert!(!is_macro("A -fplugin=x") && !is_macro("=1") && !is_macro("1A"));
        assert!(is_pointers("valid:3") && !is_pointers("valid:") && !is_pointers("some"));
    }
}
