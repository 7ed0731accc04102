//! The changes that proofs make to the units of a program before they are linked.
//!
//! **File-local names.** A proof gets at a static function `f` of `dir/some-file.c` as
//! `__CPROVER_file_local_some_file_c_f`. A static function whose name of this kind is declared, defined or named anywhere
//! becomes external under it. One that stands in a header is in many units: all are the same, so the first counts.
//!
//! **Removed bodies.** A proof replaces functions of the project by its own. The files before the one with the harness are
//! the project's; from the harness on they are the proof's, and keep their bodies. If the harness comes first, all files
//! are the project's. Stubs may also come before the harness: files that lie below a folder with the harness, but not with
//! the first file, are the proof's (`src/a.c proofs/stubs/s.c proofs/a/harness.c`). Of several definitions of one function
//! the proof's counts, and else the first one.

use crate::hir::{Linkage, Unit};
use rustc_hash::FxHashSet;
use vergo_source::{SourceMap, Span};

/// The prefix of names of static functions.
const FILE_LOCAL: &str = "__CPROVER_file_local_";

/// The changes that a proof wants in its units.
#[derive(Clone, Copy, Debug)]
pub struct Wishes<'a> {
    /// The function in which the proof begins.
    pub entry: &'a str,
    /// True if there is a proof at all: a harness around functions of a project.
    pub is_proof: bool,
    /// Functions of the project whose bodies are removed.
    pub removed: &'a [String],
    /// Further names that the proof uses.
    pub named: &'a [String],
}

/// Prepares units to be linked; gives the definitions of the project that the proof replaces without saying so.
pub fn prepare(units: &mut [Unit], sources: &SourceMap, wishes: Wishes<'_>) -> Vec<(String, Span)> {
    let mut used: FxHashSet<String> = FxHashSet::default();
    for name in wishes.removed.iter().chain(wishes.named) {
        if name.starts_with(FILE_LOCAL) {
            used.insert(name.clone());
        }
    }
    for unit in &*units {
        for function in unit.functions.values() {
            let name = unit.names.name(function.name);
            if function.linkage == Linkage::External && name.starts_with(FILE_LOCAL) {
                used.insert(name.to_owned());
            }
        }
    }
    let is_harness = |unit: &Unit| {
        unit.functions.values().any(|f| f.body.is_some() && unit.names.name(f.name) == wishes.entry)
    };
    let (of_project, of_proof): (Vec<usize>, Vec<usize>) = match units.iter().position(is_harness) {
        None | Some(0) => ((0..units.len()).collect(), Vec::new()),
        Some(harness) => {
            let places: Vec<_> = units.iter().map(|unit| place(unit, sources)).collect();
            let own = own_folder(&places[harness], &places[0]);
            let is_own = |place: &str| own.as_ref().is_some_and(|own| place.starts_with(own));
            (0..units.len()).partition(|&index| index < harness && !is_own(&places[index]))
        }
    };
    let mut defined: FxHashSet<String> = FxHashSet::default();
    let mut replaced = Vec::new();
    let proof_first = of_proof.iter().map(|&index| (index, false));
    for (index, is_project) in proof_first.chain(of_project.iter().map(|&index| (index, true))) {
        let unit = &mut units[index];
        let ids: Vec<_> = unit.functions.keys().collect();
        for id in ids {
            let function = &unit.functions[id];
            let name = unit.names.name(function.name).to_owned();
            let mut exported = None;
            if function.linkage == Linkage::Internal && !used.is_empty() {
                let at = function.definition_span.unwrap_or(function.span);
                let location = sources.presumed(at.lo);
                let mangled = file_local_name(&location.file, &name);
                if used.contains(&mangled) {
                    exported = Some(mangled);
                }
            }
            if let Some(mangled) = &exported {
                let symbol = unit.names.intern(mangled);
                let function = &mut unit.functions[id];
                function.asm_name = Some(symbol);
                function.linkage = Linkage::External;
                function.inline = false;
                // Of many equal ones from a header, the first counts.
                function.weak = true;
                function.inline_only = false;
            }
            let removed = wishes
                .removed
                .iter()
                .find(|&removed| *removed == name || exported.as_ref() == Some(removed));
            let function = &unit.functions[id];
            if function.body.is_none() {
                continue;
            }
            let is_removed = removed.is_some() && is_project;
            let counts = wishes.is_proof
                && !is_removed
                && function.linkage == Linkage::External
                && !function.inline_only;
            let linked = exported.as_ref().unwrap_or(&name);
            let is_replaced = counts && !defined.insert(linked.clone());
            if is_replaced && exported.is_none() {
                replaced.push((linked.clone(), function.span));
            }
            if is_replaced || is_removed {
                let function = &mut unit.functions[id];
                function.body = None;
                function.definition_span = None;
                function.params = Vec::new();
            }
        }
    }
    replaced
}

/// The file that a unit is made of, by its first function that other units see; empty if it has none.
fn place(unit: &Unit, sources: &SourceMap) -> String {
    let mut functions = unit.functions.values();
    let first = functions.find(|f| {
        f.body.is_some() && f.linkage == Linkage::External && !f.inline_only && !f.inline
    });
    first.map_or(String::new(), |f| {
        sources.presumed(f.definition_span.unwrap_or(f.span).lo).file.to_string()
    })
}

/// The outermost folder in which the harness lies and the first file of the project does not.
fn own_folder(harness: &str, project: &str) -> Option<String> {
    if project.is_empty() {
        return None;
    }
    let mut own = String::new();
    let mut beside = project.split('/');
    let (folders, _) = harness.rsplit_once('/')?;
    for folder in folders.split('/') {
        own.push_str(folder);
        own.push('/');
        if beside.next() != Some(folder) {
            return Some(own);
        }
    }
    None
}

/// The name by which proofs know a static function.
fn file_local_name(path: &str, function: &str) -> String {
    let base = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let mut name = FILE_LOCAL.to_owned();
    for c in base.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Runs of the replacement are one.
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    if !name.ends_with('_') {
        name.push('_');
    }
    name + function
}

#[cfg(test)]
mod tests {
    use super::{file_local_name, own_folder};

    #[test]
    fn the_proof_has_a_folder_of_its_own_or_none() {
        let own = |harness, project| own_folder(harness, project);
        assert_eq!(own("proofs/cbmc/a/h.c", "src/a.c").as_deref(), Some("proofs/"));
        assert_eq!(own("/x/src/proofs/h.c", "/x/src/a.c").as_deref(), Some("/x/src/proofs/"));
        for (harness, project) in
            [("src/h.c", "src/a.c"), ("src/h.c", "src/b/a.c"), ("h.c", "src/a.c")]
        {
            assert_eq!(own(harness, project), None);
        }
        assert_eq!(own("proofs/h.c", ""), None);
    }

    #[test]
    fn names_follow_the_file() {
        let name = file_local_name("a/b/core_mqtt.c", "f");
        assert_eq!(name, "__CPROVER_file_local_core_mqtt_c_f");
        assert_eq!(file_local_name("x--y.inl", "g"), "__CPROVER_file_local_x_y_inl_g");
    }
}
