//! Proofs of other tools as proofs of a project file.
//!
//! Projects that verify with CBMC describe each proof by a makefile in a folder of its own, which sets variables and includes a common
//! one (the "starter kit"). [`import_cbmc`] reads those variables, runs nothing, and writes `[proofs.NAME]` tables. Bounds of loops
//! are left out, since no proof here needs them. What cannot be carried over is named, in the file and to the caller.

mod makefile;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use makefile::Makefile;
use vergo_passes::properties::exempt::cbmc_check;

use crate::compile_commands::{normal, shell_words};
use crate::project::files_below;

/// A project file, and what it does not say.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of the project file.
    pub text: String,
    /// The number of its proofs.
    pub n_proofs: usize,
    /// The options that are not carried over, each with the number of proofs that it is about.
    pub remarks: BTreeMap<String, usize>,
}

/// The properties that are always checked: CBMC's standard checks and assertions.
const STANDARD: &[&str] = &[
    "user.assert",
    "reach.error",
    "reach.unreachable",
    "call.type",
    "memory.double-free",
    "memory.invalid-free",
    "memory.read-only",
];
const STANDARD_CHECKS: &[&str] =
    &["bounds", "div-by-zero", "pointer", "signed-overflow", "undefined-shift"];

/// Flags that choose how CBMC works, and not what is proved; those with a value.
const HOW: &[&str] = &[
    "--flush",
    "--slice-formula",
    "--smt2",
    "--z3",
    "--bitwuzla",
    "--cvc5",
    "--refine",
    "--refine-arithmetic",
    "--arrays-uf-always",
    "--no-array-field-sensitivity",
    "--trace",
    "--unwinding-assertions",
    "--pointer-primitive-check",
    "--pointer-overflow-check",
    "--malloc-may-fail",
    "--malloc-fail-null",
    "--no-propagation",
    "--paths",
];
const HOW_WITH_VALUE: &[&str] = &[
    "--object-bits",
    "--unwind",
    "--unwindset",
    "--external-sat-solver",
    "--external-smt2-solver",
    "--verbosity",
    "--max-field-sensitivity-array-size",
];

/// Makes a project file of the proofs for CBMC below a folder.
///
/// # Errors
/// If there is none; the message says so.
pub fn import_cbmc(folder: &Path) -> Result<Imported, String> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let root = here.canonicalize().map_err(|error| format!("`{}`: {error}", here.display()))?;
    let mut proofs: Vec<Record> = Vec::new();
    let mut remarks: BTreeMap<String, usize> = BTreeMap::new();
    for path in files_below(&root) {
        let is_makefile = path.file_name().is_some_and(|name| name == "Makefile");
        let text = is_makefile.then(|| std::fs::read(&path).ok()).flatten().unwrap_or_default();
        if !String::from_utf8_lossy(&text).contains("HARNESS_ENTRY") {
            continue;
        }
        let mut record = Record::read(&path, &root);
        for remark in std::mem::take(&mut record.remarks) {
            *remarks.entry(remark).or_default() += 1;
        }
        if !record.lists.get("sources").is_none_or(Vec::is_empty) {
            proofs.push(record);
        }
    }
    if proofs.is_empty() {
        return Err(format!(
            "there is no proof for CBMC below `{}`: no Makefile sets HARNESS_ENTRY",
            here.display()
        ));
    }
    name(&mut proofs);
    proofs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Imported { text: print(&proofs, &remarks), n_proofs: proofs.len(), remarks })
}

/// A proof as its makefile has it.
#[derive(Clone, Debug, Default)]
struct Record {
    name: String,
    /// The folder, as seen from that of the project file.
    folder: PathBuf,
    function: String,
    lists: BTreeMap<&'static str, Vec<String>>,
    flags: BTreeSet<&'static str>,
    remarks: BTreeSet<String>,
}

impl Record {
    fn read(path: &Path, root: &Path) -> Record {
        let mut make = Makefile::read(path, root);
        let mut record = Record {
            folder: path
                .parent()
                .and_then(|folder| folder.strip_prefix(root).ok())
                .unwrap_or(Path::new(""))
                .to_owned(),
            function: make.value("HARNESS_ENTRY"),
            ..Record::default()
        };
        let mut sources = shell_words(&make.value("PROJECT_SOURCES"));
        // The proof's own files begin with that of the harness.
        let folder = root.join(&record.folder);
        let mut own = shell_words(&make.value("PROOF_SOURCES"));
        own.sort_by_key(|path| !normal(&folder.join(path)).starts_with(&folder));
        sources.extend(own);
        record.paths("sources", sources, root);
        let include = shell_words(&make.value("INCLUDES"));
        let include = include.iter().filter_map(|word| word.strip_prefix("-I").map(str::to_owned));
        record.paths("include-dirs", include.collect(), root);
        let inside = format!("{}/", root.display());
        for word in shell_words(&make.value("DEFINES")) {
            match word.strip_prefix("-D") {
                // A path below the folder is found from there.
                Some(define) if define.contains(&inside) => {
                    record.add("define", define.replace(&inside, ""));
                    record.add("include-dirs", ".".to_owned());
                }
                Some(define) => record.add("define", define.to_owned()),
                None => record.remark(format!("`{word}` of DEFINES")),
            }
        }
        for (key, variable) in [
            ("remove-function-body", "REMOVE_FUNCTION_BODY"),
            ("enforce-contract", "CHECK_FUNCTION_CONTRACTS"),
            ("replace-call-with-contract", "USE_FUNCTION_CONTRACTS"),
        ] {
            for name in make.value(variable).split_whitespace() {
                record.add(key, name.to_owned());
            }
        }
        if !make.value("APPLY_LOOP_CONTRACTS").is_empty() {
            record.flags.insert("apply-loop-contracts");
        }
        let nondet_static = make.value("NONDET_STATIC");
        if nondet_static.contains("--nondet-static") {
            record.flags.insert("nondet-static");
        }
        if nondet_static.contains("exclude") {
            record.remark("exceptions from NONDET_STATIC".to_owned());
        }
        if !make.value("CBMC_FLAG_MALLOC_MAY_FAIL").contains("--no-malloc-may-fail") {
            record.flags.insert("malloc-may-fail");
        }
        for variable in ["CHECK_FUNCTION_CONTRACTS_REC", "STRING_ABSTRACTION", "REWRITTEN_SOURCES"]
        {
            if !make.value(variable).is_empty() {
                record.remark(format!("{variable} of the makefile"));
            }
        }
        let flags = make.value("CHECKFLAGS") + " " + &make.value("CBMCFLAGS");
        record.checks(&shell_words(&flags));
        for remark in std::mem::take(&mut make.remarks) {
            record.remark(remark);
        }
        record
    }

    fn add(&mut self, key: &'static str, value: String) {
        let list = self.lists.entry(key).or_default();
        if !list.contains(&value) {
            list.push(value);
        }
    }

    fn remark(&mut self, remark: String) {
        self.remarks.insert(remark);
    }

    /// Paths as seen from the folder of the project file, as far as they are below.
    fn paths(&mut self, key: &'static str, paths: Vec<String>, root: &Path) {
        for path in paths {
            let whole = normal(&root.join(&self.folder).join(&path));
            match whole.strip_prefix(root) {
                Ok(inside) if inside.as_os_str().is_empty() => self.add(key, ".".to_owned()),
                Ok(inside) => self.add(key, inside.to_string_lossy().into_owned()),
                Err(_) => self.remark(format!("`{path}`, which is not below the folder")),
            }
        }
    }

    /// Sets the properties that are checked, by CBMC's flags.
    fn checks(&mut self, words: &[String]) {
        let mut checks: BTreeSet<&str> = STANDARD_CHECKS.iter().copied().collect();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").and_then(|name| name.strip_suffix("-check"));
            if HOW.contains(&word.as_str()) {
            } else if HOW_WITH_VALUE.contains(&word.as_str()) {
                words.next();
            } else if let Some(name) = name.and_then(|name| name.strip_prefix("no-")) {
                checks.remove(name);
            } else if let Some(name) = name.filter(|name| cbmc_check(name).is_some()) {
                checks.insert(name);
            } else {
                self.remark(format!("CBMC's option `{word}`"));
            }
        }
        let named = checks.iter().filter_map(|check| cbmc_check(check));
        let properties =
            named.flat_map(|set| set.iter().map(|property| property.info().id).collect::<Vec<_>>());
        let all: BTreeSet<&str> = STANDARD.iter().copied().chain(properties).collect();
        for property in all {
            self.add("property", property.to_owned());
        }
    }
}

/// Gives each proof the name of its folder, with those around it as far as it takes to tell them apart.
fn name(proofs: &mut [Record]) {
    let parts = |record: &Record, n: usize| {
        let all: Vec<String> =
            record.folder.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        all[all.len().saturating_sub(n)..].join("-")
    };
    for n in 1..8 {
        for record in proofs.iter_mut() {
            record.name = parts(record, n);
        }
        let names: BTreeSet<&String> = proofs.iter().map(|record| &record.name).collect();
        if names.len() == proofs.len() {
            return;
        }
    }
}

/// The project file.
fn print(proofs: &[Record], remarks: &BTreeMap<String, usize>) -> String {
    let mut text = String::from(
        "# The proofs of this project, which `vergo prove` runs. Made by `vergo import cbmc` of the makefiles for CBMC; bounds of\n\
         # loops are left out, since proofs need none. Keys are explained in docs/proofs.md.\n",
    );
    for (remark, n) in remarks {
        let _ = writeln!(text, "# Not carried over ({n}): {}", remark.replace(['\n', '\r'], " "));
    }
    let mut common = Record::default();
    let first = &proofs[0];
    for (&key, list) in &first.lists {
        // The order of macros and of functions does not matter.
        if matches!(key, "define" | "remove-function-body") {
            let is_common = |value: &&String| {
                proofs
                    .iter()
                    .all(|proof| proof.lists.get(key).is_some_and(|list| list.contains(value)))
            };
            common.lists.insert(key, list.iter().filter(is_common).cloned().collect());
            continue;
        }
        // What all lists begin with; of properties, all of them or none.
        let n_same = (0..list.len()).take_while(|&i| {
            proofs
                .iter()
                .all(|proof| proof.lists.get(key).and_then(|list| list.get(i)) == Some(&list[i]))
        });
        let n_same = n_same.count();
        let is_whole =
            key != "property" || proofs.iter().all(|proof| proof.lists.get(key) == Some(list));
        if is_whole {
            common.lists.insert(key, list[..n_same].to_vec());
        }
    }
    common.flags = proofs.iter().fold(first.flags.clone(), |all, one| &all & &one.flags);
    if proofs.iter().all(|proof| proof.function == first.function) {
        common.function.clone_from(&first.function);
    }
    text.push_str("\n[prove]\n");
    common.print(&mut text, &Record::default());
    for proof in proofs {
        let _ = writeln!(text, "\n[proofs.{}]", key_text(&proof.name));
        proof.print(&mut text, &common);
    }
    text
}

impl Record {
    /// The keys, without what all proofs have in common.
    fn print(&self, text: &mut String, common: &Record) {
        if !self.function.is_empty() && self.function != common.function {
            let _ = writeln!(text, "function = {}", quoted(&self.function));
        }
        for (key, list) in &self.lists {
            let shared = common.lists.get(key).map_or(&[][..], Vec::as_slice);
            let own = list.iter().filter(|value| !shared.contains(value));
            let own: Vec<String> = own.map(|value| quoted(value)).collect();
            match own.len() {
                0 => {}
                1 | 2 => {
                    let _ = writeln!(text, "{key} = [{}]", own.join(", "));
                }
                _ => {
                    let _ = writeln!(text, "{key} = [\n    {},\n]", own.join(",\n    "));
                }
            }
        }
        for flag in self.flags.difference(&common.flags) {
            let _ = writeln!(text, "{flag} = true");
        }
    }
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            letter if (letter as u32) < 0x20 || letter == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", letter as u32);
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// A key of TOML.
fn key_text(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match !name.is_empty() && name.bytes().all(is_bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}
