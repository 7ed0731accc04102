//! The witness index: loops over large arrays made free of loops and of arrays, from C to C.
//!
//! **Idea.** What holds for an arbitrary element of an array holds for all. An index is chosen once, nondeterministically,
//! before the program begins; the element there is kept, what is written elsewhere is forgotten, what is read elsewhere
//! is arbitrary; and of a loop only those iterations are kept that can access the chosen element. The result has neither
//! the array nor the loop, and any verifier can take it. If an assertion of the program can fail, so it can in the result.
//!
//! **Source.** Jana, Khedker, Datar, Venkatesh, Niyas: Scaling Bounded Model Checking By Transforming Programs With
//! Arrays. *Deviations*: several witness indices, as many as an assertion reads elements; they are shared by all arrays,
//! where the paper gives arrays of one length a common one; an assertion is looked at only when it reads witnesses
//! ([`plan`] says why that loses nothing), which takes the place of `fullarrayaccess` for loops with assertions; a loop is
//! several iterations where one is not enough ([`rules`]).
//!
//! **Soundness** is with respect to executions without undefined behaviour: an index outside of its array is no witness,
//! and a signed counter does not overflow. `docs/arrays.md` has the argument rule by rule. What the rules do not cover
//! stays as it is ([`places`], [`plan`]), which is always sound, and the report says so.
//!
//! **Invariant.** C text in, C text out: nothing here knows GOTO or an engine.

pub mod codes;
mod effects;
mod induction;
mod loop_rules;
mod nondet;
mod places;
mod plan;
mod refine;
mod regions;
mod report;
mod rewrite;
mod rules;

pub use nondet::Dialect;
pub use report::Report;

use effects::Functions;
use nondet::Nondet;
use rewrite::{Rewrites, to_bytes};
use rules::Rules;
use std::fmt;
use vergo_cfront::hir::{ExprKind, Storage, Unit};
use vergo_cfront::types::{ArrayLen, TypeKind};
use vergo_cfront::{Options, analyze, parse};
use vergo_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// The options of the transformation.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whose functions give arbitrary values.
    pub dialect: Dialect,
    /// The most witness indices.
    pub most_witnesses: usize,
    /// How much is kept beyond what assertions need ([`refine`]).
    pub refinement: Refinement,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { dialect: Dialect::Svcomp, most_witnesses: 3, refinement: Refinement::None }
    }
}

impl Settings {
    /// The same with each refinement, from the coarsest result to the finest.
    pub fn steps(self) -> Vec<Settings> {
        let mut steps = vec![Refinement::None];
        steps.extend((2..=self.most_witnesses).map(Refinement::Witnesses));
        steps.push(Refinement::Ends);
        steps.into_iter().map(|refinement| Settings { refinement, ..self }).collect()
    }
}

/// How much is kept of a program beyond what its assertions need. An alarm of a result may be none of the next finer one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// What costs nothing.
    None,
    /// Elements that are accessed outside of loops, or set flags, as long as there are so many witnesses in all at most.
    Witnesses(usize),
    /// That with as many as are allowed, and the first and the last iteration of each loop.
    Ends,
}

impl fmt::Display for Refinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refinement::None => write!(f, "none"),
            Refinement::Witnesses(most) => write!(f, "up to {most} witnesses"),
            Refinement::Ends => write!(f, "first and last iterations"),
        }
    }
}

/// A transformed program.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// Its text.
    pub text: Vec<u8>,
    /// The report on the transformation and its precision.
    pub report: Report,
}

/// Transforms a program. `None` if it cannot be; `diags` has the reasons.
pub fn transform(
    map: &mut SourceMap,
    file: FileId,
    options: &Options,
    settings: Settings,
    diags: &mut Diagnostics,
) -> Option<Transformed> {
    let errors = diags.error_count();
    let ast = parse(map, file, options, diags);
    let unit = analyze(ast, map, options, diags);
    if diags.error_count() > errors {
        return None;
    }
    let transformed = rewrite(&unit, map, file, settings, diags)?;
    check_text(map, file, &transformed, options, diags)?;
    Some(transformed)
}

fn rewrite(
    unit: &Unit,
    map: &SourceMap,
    file: FileId,
    settings: Settings,
    diags: &mut Diagnostics,
) -> Option<Transformed> {
    let whole = map.file_span(file);
    let is_main = |f: &&vergo_cfront::hir::Function| unit.names.name(f.name) == "main";
    let Some(main) = unit.functions.values().find(is_main).and_then(|f| f.body) else {
        let message = "the program has no function `main`";
        diags.push(Diagnostic::error(codes::NO_MAIN, whole.shrink_to_lo(), message));
        return None;
    };
    if let Some((span, message)) = stranger(unit) {
        diags.push(Diagnostic::error(codes::UNSUPPORTED, span, message));
        return None;
    }
    let mut nondet = Nondet::new(unit, map, settings.dialect);
    let count = |var| rules::brackets(map, unit.vars[var].span).map_or(0, |(count, _)| count);
    let places = places::find(unit, &mut nondet, &count);
    if places.all.is_empty() {
        let message = "no array of the program is abstracted; it stays as it is";
        diags.push(Diagnostic::warning(codes::NO_ARRAY, whole.shrink_to_lo(), message));
    }
    let functions = Functions::new(unit, &places);
    let plans = plan::make(unit, &places, &functions, &mut nondet, settings);
    nondet.witnesses = plans.witnesses;
    let mut rules = Rules {
        unit,
        map,
        places: &places,
        plans: &plans,
        nondet,
        text: Rewrites::new(whole, map.text(file)),
        lengths: lengths(unit, &places),
        sites: 0,
        start: String::new(),
    };
    for function in unit.functions.values() {
        if let Some(body) = function.body {
            rules.stmt(body);
        }
    }
    for &var in places.all.keys() {
        let is_static = matches!(unit.vars[var].storage, Storage::Static { .. });
        if is_static && unit.types.is_array(unit.vars[var].ty) {
            rules.declare(var);
        }
    }
    if places.all.is_empty() {
        let report = report::make(&rules, settings.refinement);
        return Some(Transformed { text: map.text(file).to_vec(), report });
    }
    rules.rule_3_p(main);
    let report = report::make(&rules, settings.refinement);
    let mut lines = vec!["/* arrays abstracted to elements at witness indices */".to_owned()];
    let (top, later) = rules.nondet.helpers(&rules.text.render(whole));
    match rules.nondet.externs() {
        Ok(externs) => lines.extend(externs),
        Err(span) => {
            let message = "the program declares this function in another way than the dialect does";
            diags.push(Diagnostic::error(codes::UNSUPPORTED, span, message));
            return None;
        }
    }
    for number in 0..rules.nondet.witnesses {
        for dimension in 0..rules.lengths.len() {
            lines.push(format!("static long long {};", rules.nondet.witness(number, dimension)));
        }
    }
    if !plans.pins.is_empty() {
        lines.push(rules.nondet.pin_helper());
    }
    lines.extend(top);
    for (position, texts) in later {
        rules.text.insert(position, &format!(" {}", texts.join(" ")));
    }
    let name = map.name(file).replace('\\', "\\\\").replace('"', "\\\"");
    lines.push(format!("# 1 \"{name}\""));
    let text = format!("{}\n{}", lines.join("\n"), rules.text.render(whole));
    Some(Transformed { text: to_bytes(&text), report })
}

/// Finds a construct that makes omitted iterations visible elsewhere, or that happens before the choice of witnesses.
fn stranger(unit: &Unit) -> Option<(Span, String)> {
    for function in unit.functions.values() {
        if function.body.is_some() && function.constructor.is_some() {
            let message = "a constructor runs before the witness indices are chosen";
            return Some((function.span, message.to_owned()));
        }
    }
    unit.exprs.values().find_map(|expr| {
        let ExprKind::Function(function) = expr.kind else { return None };
        let name = unit.names.name(unit.functions[function].name);
        let why = match name {
            "pthread_create" | "thrd_create" => "other threads see the iterations of a loop",
            "signal" | "sigaction" => "signal handlers see the iterations of a loop",
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp"
            | "siglongjmp" => "a jump out of functions may lead back into a loop",
            "fork" | "vfork" => "the witness indices of two processes would be the same",
            "main" => "`main` is called again, where the witness indices are chosen",
            _ => return None,
        };
        Some((expr.span, format!("programs that use `{name}` are not transformed: {why}")))
    })
}

/// The greatest length in each dimension, where all lengths are known.
fn lengths(unit: &Unit, places: &places::Places) -> Vec<Option<u64>> {
    let most = places.all.values().map(|&(_, dimensions)| dimensions).max().unwrap_or(1);
    let mut lengths = vec![Some(0); most];
    if !places.allocations.is_empty() {
        lengths[0] = None;
    }
    for &var in places.all.keys() {
        let mut ty = unit.vars[var].ty;
        let mut dimension = 0;
        while let TypeKind::Array(element, length) = *unit.types.kind(ty) {
            match length {
                ArrayLen::Fixed(length) => {
                    lengths[dimension] = lengths[dimension].map(|most: u64| most.max(length));
                }
                _ => lengths[dimension] = None,
            }
            (ty, dimension) = (element, dimension + 1);
        }
    }
    lengths
}

/// Checks that the output is C by reading it again.
fn check_text(
    map: &mut SourceMap,
    file: FileId,
    transformed: &Transformed,
    options: &Options,
    diags: &mut Diagnostics,
) -> Option<()> {
    let name = format!("{} (transformed)", map.name(file));
    let start = map.file_span(file).shrink_to_lo();
    let mut said = Diagnostics::new();
    if let Ok(again) = map.add(&name, transformed.text.clone()) {
        let ast = parse(map, again, options, &mut said);
        analyze(ast, map, options, &mut said);
        let Some(first) = said.iter().find(|d| d.severity == vergo_source::Severity::Error) else {
            return Some(());
        };
        let message = format!("the transformed program would not be C: {}", first.message);
        let at = map.presumed(first.primary.lo);
        let mut diagnostic = Diagnostic::error(codes::UNSUPPORTED, start, message);
        diagnostic = diagnostic.note(format!("at {}:{}", at.file, at.line));
        diags.push(diagnostic);
        return None;
    }
    diags.push(Diagnostic::error(codes::UNSUPPORTED, start, "the program is too large"));
    None
}
