//! The registry of models says what the models define, and every model is well-formed C under both data models.

use crate::{check, lower};
use std::collections::BTreeSet;
use vergo_cfront::hir::{Definition, Linkage, Storage};
use vergo_cfront::target::DataModel;
use vergo_lower::Options;
use vergo_lower::models::{MODELS, Model, Real};
use vergo_source::{Diagnostics, Renderer, SourceMap};

fn instances() -> impl Iterator<Item = (&'static Model, Option<Real>)> {
    MODELS.iter().flat_map(|row| row.instances().map(move |real| (row, real)))
}

#[test]
fn rows_name_what_files_define() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        for (row, real) in instances() {
            let mut sources = SourceMap::new();
            let mut diags = Diagnostics::new();
            let file = sources.add(row.path, row.text(real)).expect("models are small");
            let options = vergo_cfront::Options { model, ..vergo_cfront::Options::default() };
            let ast = vergo_cfront::parse(&mut sources, file, &options, &mut diags);
            let unit = vergo_cfront::analyze(ast, &sources, &options, &mut diags);
            let errors: Vec<String> =
                diags.iter().map(|d| Renderer::plain().render(&sources, d)).collect();
            assert!(!diags.has_errors(), "{}", errors.join("\n"));
            let functions: BTreeSet<String> = unit
                .functions
                .values()
                .filter(|f| f.body.is_some() && f.linkage == Linkage::External)
                .map(|f| unit.names.name(f.name).to_string())
                .collect();
            let rows: BTreeSet<String> = row.functions(real).collect();
            assert_eq!(rows, functions, "functions of {}", row.path);
            let variables: BTreeSet<&str> = unit
                .vars
                .values()
                .filter(|v| {
                    matches!(v.storage, Storage::Static { linkage: Linkage::External, definition, .. }
                        if definition != Definition::Declared)
                })
                .filter_map(|v| Some(unit.names.name(v.name?)))
                .collect();
            let rows: BTreeSet<&str> = row.variables.iter().copied().collect();
            assert_eq!(rows, variables, "variables of {}", row.path);
        }
    }
}

#[test]
fn no_name_is_modelled_twice() {
    let mut seen = BTreeSet::new();
    for (row, real) in instances() {
        for name in row.functions(real).chain(row.variables.iter().map(|name| name.to_string())) {
            assert!(seen.insert(name.clone()), "`{name}` is defined by two models");
        }
    }
}

#[test]
fn every_model_lowers() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        for (row, real) in instances() {
            let text = row.text(real);
            let program = lower(row.path, text.as_bytes(), model, &Options::default());
            let program = program.unwrap_or_else(|error| panic!("{}: {error}", row.path));
            check(&program).unwrap_or_else(|error| panic!("{}: {error}", row.path));
        }
    }
}

#[test]
fn only_what_is_called_is_linked() {
    let text =
        "unsigned long strlen(const char *); int main(void) { return (int)strlen(\"abc\"); }";
    let program =
        lower("small.c", text.as_bytes(), DataModel::Lp64, &Options::default()).expect("it lowers");
    let mut names: Vec<&str> = program.functions.values().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["__vergo_start", "main", "strlen"]);
}
