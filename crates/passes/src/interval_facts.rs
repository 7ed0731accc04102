//! Writes what is known of numbers into the program, as assumptions.
//!
//! **Source.** Section 4.3.3 of the thesis (*instrument*), at its three levels: in front of all instructions, of those in loops
//! (here: at the heads of loops), or of guards only. This pass is the second, which is what induction needs;
//! [`crate::interval_facts_all`] and [`crate::interval_facts_guards`] are the others.
//!
//! **Changed.** Numbers are plain intervals, wrapped ones or congruences ([`Numbers`]), with arithmetic
//! or without, by the options. Only variables that the instruction's function can name are spoken of.
//!
//! **Soundness.** Every added assumption holds in every execution, so that none is lost. A check does not believe that: there
//! each assumption is a claim first ([`Standing::Claimed`]), which the certificate covers like those of the user, so that a wrong
//! interval cannot make a wrong verdict. Engines that work on transition systems have the same facts from their own sources.

use crate::Options;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::congruence::Congruence;
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::numeric::{self, Calls, Walk, walk_blocks};
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Claim, FunctionId, InstrKind, Program, SymbolId, SymbolKind};
use vergo_goto::types::Type;

/// The domain of the facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbers {
    /// Intervals of integers.
    #[default]
    Intervals,
    /// Intervals on the circle of machine words.
    Wrapped,
    /// Congruences modulo powers of two.
    Congruences,
}

/// The standing of facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// They are believed.
    #[default]
    Assumed,
    /// They are claimed before they are assumed ([`Claim::fact`]).
    Claimed,
}

/// Where facts are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// In front of every instruction that reads something.
    All,
    /// At the heads of loops.
    Loops,
    /// In front of branches, assumptions and assertions.
    Guards,
}

/// The pass: facts at the heads of loops.
pub fn run(program: &mut Program, options: &Options) {
    add(program, options, Level::Loops);
}

/// Adds facts at a level.
pub(crate) fn add(program: &mut Program, options: &Options, level: Level) {
    match options.numbers {
        Numbers::Intervals => write::<Interval>(program, level, options),
        Numbers::Wrapped => write::<Wrapped>(program, level, options),
        Numbers::Congruences => write::<Congruence>(program, level, options),
    }
}

fn write<N: Number>(program: &mut Program, level: Level, options: &Options) {
    let arithmetic = options.arithmetic;
    let before = program.clone();
    let calls: Calls<N> = Calls::of(&before, arithmetic);
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        let info = &before.functions[function];
        let Some(body) = &info.body else { continue };
        let cfg = Cfg::of(info);
        let heads = cfg.loop_heads();
        let numbers = numeric::Numbers::with(&before, function, &cfg, arithmetic, Some(&calls));
        let mut walk = Walk::new(&before, function, arithmetic, Some(&calls));
        // By position, the facts in front of it.
        let mut facts: Vec<Vec<ExprId>> = vec![Vec::new(); body.len()];
        walk_blocks(&cfg, |leader, end| {
            walk.enter(&numbers, leader);
            for at in leader..end {
                let wanted = match level {
                    Level::All => !matches!(
                        body[at].kind,
                        InstrKind::Label(_) | InstrKind::Skip | InstrKind::Goto(None, _)
                    ),
                    // Behind the label that is the head.
                    Level::Loops => {
                        at > 0 && heads.contains(&(at - 1)) && matches!(body[at - 1].kind, InstrKind::Label(_))
                    }
                    Level::Guards => matches!(
                        body[at].kind,
                        InstrKind::Goto(Some(_), _) | InstrKind::Assume(_) | InstrKind::Assert(..)
                    ),
                };
                if wanted && walk.is_reachable() {
                    let known: Vec<(SymbolId, N)> = walk.known().collect();
                    for (symbol, number) in known {
                        facts[at].extend(fact(program, function, symbol, number));
                    }
                }
                walk.step(&body[at].kind);
            }
        });
        let mut out = FunctionBuilder::continuing(info.n_labels, body.len());
        for (instr, facts) in body.iter().zip(facts) {
            out.set_span(instr.span);
            for fact in facts {
                if options.facts == Standing::Claimed {
                    out.assert(fact, Claim::fact());
                }
                out.assume(fact);
            }
            out.push_instr(instr.clone());
        }
        out.finish(program, function);
    }
}

/// Builds the condition that a variable has one of the values of an abstract number, if that can be expressed here.
fn fact<N: Number>(program: &mut Program, function: FunctionId, symbol: SymbolId, number: N) -> Option<ExprId> {
    let info = &program.symbols[symbol];
    let ty = info.ty;
    match info.kind {
        SymbolKind::Static { .. } => {}
        SymbolKind::Local(of) | SymbolKind::Param(of) if of == function => {}
        _ => return None,
    }
    let word = numeric::word(program, ty)?;
    let place = program.symbol(symbol);
    if matches!(program.types.get(ty), Type::Bool) {
        let value = number.single(word)?;
        return Some(if value == 0 { program.not(place) } else { place });
    }
    between(program, place, number.hull(word), word)
}

fn between(program: &mut Program, place: ExprId, hull: Interval, word: Word) -> Option<ExprId> {
    let (all, ty) = (word.all(), program.exprs.ty(place));
    let mut parts = Vec::new();
    if hull.low > all.low {
        let low = program.int(ty, hull.low);
        parts.push(program.le(low, place));
    }
    if hull.high < all.high {
        let high = program.int(ty, hull.high);
        parts.push(program.le(place, high));
    }
    (!parts.is_empty()).then(|| program.all(parts))
}
