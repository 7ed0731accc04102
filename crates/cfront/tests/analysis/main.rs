//! Tests of the analysis: types, conversions, constants, layout, initialisers, diagnostics, linking.

mod acceptance;
mod constants;
mod invariants;
mod layout;
mod linking;
mod messages;
mod nested;
mod robust;
mod scale;
mod typing;

use vergo_cfront::hir::{ExprId, InitKind, Unit, VarId};
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze, parse};
use vergo_source::{Diagnostics, Renderer, SourceMap};

/// An analysed text.
struct Analysed {
    sources: SourceMap,
    unit: Unit,
    diags: Diagnostics,
}

fn analysed(model: DataModel, text: &[u8]) -> Analysed {
    let mut sources = SourceMap::new();
    let file = sources.add("a.c", text).expect("tests are small");
    let mut diags = Diagnostics::new();
    let options = Options { model, ..Options::default() };
    let ast = parse(&mut sources, file, &options, &mut diags);
    let unit = analyze(ast, &sources, &options, &mut diags);
    Analysed { sources, unit, diags }
}

impl Analysed {
    /// All messages as a user sees them.
    fn messages(&self) -> String {
        let renderer = Renderer::plain();
        self.diags
            .sorted()
            .into_iter()
            .map(|diagnostic| renderer.render(&self.sources, diagnostic) + "\n")
            .collect()
    }
}

/// The unit of a text without errors; warnings are allowed.
fn unit_of(model: DataModel, text: &str) -> Unit {
    let analysed = analysed(model, text.as_bytes());
    assert!(!analysed.diags.has_errors(), "{text}\n{}", analysed.messages());
    analysed.unit
}

/// A global variable by name.
fn variable(unit: &Unit, name: &str) -> VarId {
    unit.vars
        .iter()
        .find(|(_, var)| var.name.is_some_and(|symbol| unit.names.name(symbol) == name))
        .map(|(id, _)| id)
        .unwrap_or_else(|| panic!("no variable `{name}`"))
}

/// The initialising expressions of a global array, in order of their indices.
fn array_values(unit: &Unit, name: &str) -> Vec<ExprId> {
    let init = unit.vars[variable(unit, name)].init.expect("an initialiser");
    let InitKind::List(list) = unit.inits[init].kind else { panic!("a list") };
    unit.init_lists
        .get(list)
        .iter()
        .map(|entry| match unit.inits[entry.init].kind {
            InitKind::Expr(expr) => expr,
            _ => panic!("a scalar"),
        })
        .collect()
}
