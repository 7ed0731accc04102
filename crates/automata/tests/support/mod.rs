//! The parts that the tests of this crate share: automata applied to programs, and programs run.
#![allow(dead_code, reason = "each test file uses a part of it")]

use vergo_automata::builtin::BUILTINS;
use vergo_automata::cfa::build;
use vergo_automata::sequentialize::sequentialize;
use vergo_automata::{Automaton, Syntax, check, instrument, parse};
use vergo_cfront::hir::Unit;
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze};
use vergo_source::{Diagnostics, Renderer, SourceMap};

/// The text of a built-in automaton.
pub(crate) fn builtin(name: &str) -> &'static str {
    BUILTINS.iter().find(|builtin| builtin.name == name).expect("a built-in automaton").text
}

/// A program with an automaton in it, and what was said about it; the program is missing if there are errors.
pub(crate) struct Transformed {
    pub(crate) program: Option<String>,
    pub(crate) messages: String,
}

pub(crate) fn load(
    map: &mut SourceMap,
    diags: &mut Diagnostics,
    automaton: &str,
) -> Option<Automaton> {
    let file = map.add("spec.ia", automaton).expect("a small file");
    let automaton = parse(map, file, diags)?;
    check(&automaton, map, diags).then_some(automaton)
}

pub(crate) fn unit(
    map: &mut SourceMap,
    diags: &mut Diagnostics,
    model: DataModel,
    program: &str,
) -> (Unit, Syntax, vergo_source::FileId) {
    let file = map.add("program.c", program).expect("a small file");
    let options = Options { model, ..Options::default() };
    let ast = vergo_cfront::parse(map, file, &options, diags);
    let syntax = Syntax::new(&ast);
    (analyze(ast, map, &options, diags), syntax, file)
}

pub(crate) fn transform_for(model: DataModel, automaton: &str, program: &str) -> Transformed {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let program = load(&mut map, &mut diags, automaton).and_then(|automaton| {
        let (unit, syntax, file) = unit(&mut map, &mut diags, model, program);
        if diags.has_errors() {
            return None;
        }
        instrument(&automaton, &unit, &syntax, &map, file, &mut diags)
    });
    let program = program.map(|text| String::from_utf8(text.text).expect("text"));
    Transformed { program, messages: Renderer::plain().render_all(&map, &diags) }
}

pub(crate) fn transform(automaton: &str, program: &str) -> Transformed {
    transform_for(DataModel::Lp64, automaton, program)
}

/// The program, which must be there.
pub(crate) fn transformed(automaton: &str, program: &str) -> String {
    let result = transform(automaton, program);
    result.program.unwrap_or_else(|| panic!("not transformed:\n{}", result.messages))
}

/// Returns the program's own text, which follows the added declarations.
pub(crate) fn body(program: &str) -> &str {
    let marker = "# 1 \"program.c\"\n";
    program.find(marker).map_or(program, |at| &program[at + marker.len()..])
}

/// The program by way of control-flow automata and the sequentialization operator.
pub(crate) fn sequentialized(automaton: &str, program: &str) -> String {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let automaton = load(&mut map, &mut diags, automaton).expect("an automaton");
    let (unit, ..) = unit(&mut map, &mut diags, DataModel::Lp64, program);
    let cfa = build(&unit).unwrap_or_else(|uncovered| panic!("{uncovered:?}"));
    let (cfa, declarations) = sequentialize(&cfa, &automaton, &unit);
    cfa.to_c(&declarations)
}
