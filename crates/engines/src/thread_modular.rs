//! Safety of programs with any number of threads, by what holds of shared memory whenever nobody owns it.
//!
//! **Idea.** `vergo_evidence::thread_modular` makes a program without threads of facts about what locks protect. Here the
//! facts are guessed and thrown away. What some executions show when locks are given back is the first guess: bounds of
//! variables, at what was seen and at the constants of the program beyond, and equal sums and differences. What each thread has added to a variable by its end is the guess
//! for its share. Then bounded model checking looks for executions in which a thread breaks a fact, and whatever is broken
//! is thrown away, until nothing is; then provers are asked for the rest. This is done with facts alone and with shares.
//!
//! **Source.** C. Flanagan, K. R. M. Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001, doi
//! 10.1007/3-540-45251-6_29, for throwing away.
//!
//! **Soundness.** The checker makes the program without threads again, and wants a certificate of it. A violation of that
//! program shows nothing.

use crate::features::Features;
use crate::portfolio::{Entrant, entrant, race};
use crate::races::facts;
use crate::sampling::Source;
use crate::{EngineId, Environment, Finding, Goal, OnViolation, Task, Unrolling};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_evidence::thread_modular::build::{Built, Observed, PROPERTY, Purpose, largest_change};
use vergo_evidence::thread_modular::cells::{CellId, Layout};
use vergo_evidence::thread_modular::{Fact, Linear, Proof, Share, build, layout};
use vergo_evidence::{Certificate, Certify, Reason, Verdict};
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{Claim, Program};
use vergo_interp::{Event, Limits, Machine, Options, What};

/// The engines that look at the program without threads.
static ENTRANTS: &[Entrant] = &[
    entrant(EngineId::BmcIncremental, 0),
    entrant(EngineId::Kind, 0),
    entrant(EngineId::Pdr, 500),
];

/// Executions that are observed, and the elementary steps of each.
const EXECUTIONS: u64 = 12;
const STEPS: u64 = 300_000;
/// The bound at which broken facts are looked for first.
const UNWIND: u32 = 2;
/// The number of constants beyond the observed ones that are tried as bounds.
const FURTHER: usize = 3;
/// Cells that are compared with each other.
const MAX_COMPARED: usize = 8;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("threads have no proof for others to check"));
    }
    if !matches!(task.goal, Goal::Safety) {
        return Verdict::Unknown(Reason::Withdrawn("this is about infinite executions"));
    }
    if !Features::of(task.program).threads {
        return Verdict::Unknown(Reason::Withdrawn("the program has no threads"));
    }
    match prove(task, env) {
        Ok((certificate, _)) => Verdict::True(certificate),
        Err(reason) => Verdict::Unknown(reason),
    }
}

fn prove(task: &Task<'_>, env: &Environment<'_>) -> Result<(Certificate, Proof), Reason> {
    let program = task.program;
    let facts = facts(program, env)?;
    let layout = layout(program, &facts).map_err(Reason::Incomplete)?;
    let mut proof = Proof { facts, invariants: Vec::new(), shares: Vec::new() };
    let seen = observe(program, &proof, env).map_err(Reason::Incomplete)?;
    proof.invariants = guesses(program, &layout, &seen);
    let shares = shares(program, &layout, &seen);
    let mut last = Reason::incomplete("what holds of shared memory is not known");
    // If each thread adds the same by its end, the claim is likely to be about the sum.
    let is_sum = |share: &Share| share.ended.0 == share.ended.1 && share.ended.0 != 0;
    let shares_first = shares.iter().any(is_sum);
    let mut budget = env.budget.part(2);
    for with_shares in [shares_first, !shares_first] {
        if with_shares && shares.is_empty() {
            continue;
        }
        let shares = if with_shares { shares.clone() } else { Vec::new() };
        let mut proof = Proof { shares, ..proof.clone() };
        let part = Environment { budget, progress: env.progress };
        match refine(task, &part, &mut proof)? {
            Refined::Proved(certificate) => return Ok((certificate, proof)),
            Refined::Failed(reason) => last = reason,
        }
        budget = env.budget.clone();
    }
    Err(last)
}

/// The outcome of a guess.
enum Refined {
    Proved(Certificate),
    Failed(Reason),
}

/// Throws away what is broken until the rest is proved, or a claim of the program is violated without it.
fn refine(task: &Task<'_>, env: &Environment<'_>, proof: &mut Proof) -> Result<Refined, Reason> {
    let quiet = |budget| Environment { budget, progress: &|_| {} };
    loop {
        if let Some(end) = env.budget.exhausted() {
            return Ok(Refined::Failed(end.into()));
        }
        let violated = violated(task, &quiet(env.budget.part(3)), proof)?;
        let broken: Vec<&Claim> = violated.iter().filter(|c| c.property == PROPERTY).collect();
        if !broken.is_empty() {
            drop_broken(proof, &broken);
            continue;
        }
        if let Some(claim) = violated.first() {
            return Ok(Refined::Failed(not_excluded(claim)));
        }
        let trimmed = strongest(proof);
        let answer: RefCell<Option<Verdict>> = RefCell::new(None);
        let safety = |built: &Program| {
            let unrolling = Unrolling::default();
            let on_violation = OnViolation::Stop;
            let task = Task { program: built, unrolling: &unrolling, on_violation, ..*task };
            match race(&task, &quiet(env.budget.clone()), ENTRANTS) {
                Verdict::True(certificate) => Some(certificate),
                other => {
                    answer.replace(Some(other));
                    None
                }
            }
        };
        match Certificate::thread_modular(task.program, &trimmed, safety) {
            Ok(Some(certificate)) => {
                *proof = trimmed;
                return Ok(Refined::Proved(certificate));
            }
            Ok(None) => {}
            Err(what) => return Err(Reason::Fault(what)),
        }
        match answer.take() {
            Some(Verdict::False(found)) if found.claim().property == PROPERTY => {
                let mut left = trimmed.clone();
                drop_broken(&mut left, &[found.claim()]);
                let is_kept = |fact: &Fact| !trimmed.invariants.contains(fact) || left.invariants.contains(fact);
                proof.invariants.retain(is_kept);
                proof.shares = left.shares;
            }
            Some(Verdict::False(found)) => return Ok(Refined::Failed(not_excluded(found.claim()))),
            Some(Verdict::Unknown(reason)) => return Ok(Refined::Failed(reason)),
            _ => return Ok(Refined::Failed(Reason::incomplete("nobody has an answer"))),
        }
    }
}

/// The claims of the program without threads that short executions violate.
fn violated(
    task: &Task<'_>,
    env: &Environment<'_>,
    proof: &Proof,
) -> Result<Vec<Claim>, Reason> {
    let built = build(task.program, proof, Purpose::Check).map_err(Reason::Incomplete)?;
    let unrolling = Unrolling { unwind: Some(UNWIND), ..Unrolling::default() };
    let on_violation = OnViolation::GoOn;
    let task = Task { program: &built.program, unrolling: &unrolling, on_violation, ..*task };
    let outcome = EngineId::Bmc.run(&task, env);
    let mut violated = Vec::new();
    for finding in outcome.findings {
        if let Finding::Violated(found) = finding {
            violated.push(found.claim().clone());
        }
    }
    if let Verdict::False(found) = outcome.verdict {
        violated.push(found.claim().clone());
    }
    Ok(violated)
}

fn not_excluded(claim: &Claim) -> Reason {
    let what = &claim.description;
    Reason::Incomplete(format!("it cannot be excluded for one thread at a time: {what}"))
}

/// The same proof without bounds of which a closer one is there.
fn strongest(proof: &Proof) -> Proof {
    let mut strongest: BTreeMap<&[(i32, CellId)], i128> = BTreeMap::new();
    for Linear { terms, at_least } in proof.invariants.iter().flat_map(|fact| &fact.any_of) {
        let bound = strongest.entry(terms).or_insert(*at_least);
        *bound = (*bound).max(*at_least);
    }
    let is_needed = |fact: &&Fact| match &fact.any_of[..] {
        [linear] => strongest[&linear.terms[..]] == linear.at_least,
        _ => true,
    };
    let invariants = proof.invariants.iter().filter(is_needed).cloned().collect();
    Proof { invariants, ..proof.clone() }
}

/// Throws away what these claims of a proof were about.
fn drop_broken(proof: &mut Proof, broken: &[&Claim]) {
    let numbers = |what: &str| -> BTreeSet<usize> {
        let texts = broken.iter().filter_map(|claim| claim.description.strip_prefix(what));
        texts.filter_map(|text| text.trim().parse().ok()).collect()
    };
    let (facts, cells) = (numbers("fact"), numbers("share"));
    let mut number = 0;
    proof.invariants.retain(|_| {
        number += 1;
        !facts.contains(&(number - 1))
    });
    proof.shares.retain(|share| !cells.contains(&share.cell));
}

/// The values that executions show.
#[derive(Default)]
struct Seen {
    /// The values of cells when they are given back.
    values: BTreeMap<CellId, BTreeSet<i128>>,
    /// The values of all cells that are given back together.
    rows: BTreeSet<BTreeMap<CellId, i128>>,
    /// Least and greatest changes by threads.
    running: BTreeMap<(u32, CellId), (i128, i128)>,
    ended: BTreeMap<(u32, CellId), (i128, i128)>,
}

impl Seen {
    fn note(ranges: &mut BTreeMap<(u32, CellId), (i128, i128)>, of: (u32, CellId), value: i128) {
        let range = ranges.entry(of).or_insert((value, value));
        *range = (range.0.min(value), range.1.max(value));
    }
}

/// Executes the program without threads, with simple inputs.
fn observe(program: &Program, proof: &Proof, env: &Environment<'_>) -> Result<Seen, String> {
    let Built { program, observed } = build(program, proof, Purpose::Observe)?;
    let seen = RefCell::new(Seen::default());
    for number in 0..EXECUTIONS {
        let source = match number {
            0 => Source::Steps { first: 0, step: 0 },
            1 => Source::Steps { first: 1, step: 0 },
            2 => Source::Steps { first: 1, step: 1 },
            _ => Source::Small { seed: number },
        };
        let row: RefCell<BTreeMap<CellId, i128>> = RefCell::default();
        let watch = |event: &Event<'_>| {
            let What::Assigned { place, value } = &event.what else { return };
            let ExprKind::Symbol(symbol) = program.exprs.kind(*place) else { return };
            let Some(&what) = observed.get(symbol) else { return };
            let Ok(value) = value.parse::<i128>() else { return };
            let mut seen = seen.borrow_mut();
            match what {
                Observed::Value(cell) => {
                    seen.values.entry(cell).or_default().insert(value);
                    let mut row = row.borrow_mut();
                    // Cells are given back in their order, so one that is not greater begins a new row.
                    if row.last_key_value().is_some_and(|(&last, _)| last >= cell) {
                        row.clear();
                    }
                    row.insert(cell, value);
                    if row.len() > 1 {
                        seen.rows.insert(row.clone());
                    }
                }
                Observed::Running(class, cell) => Seen::note(&mut seen.running, (class, cell), value),
                Observed::Ended(class, cell) => Seen::note(&mut seen.ended, (class, cell), value),
            }
        };
        let options = Options {
            limits: Limits { steps: STEPS, ..Limits::default() },
            inputs: Box::new(source.stream(Rc::default())),
            trace: Some(Box::new(watch)),
            stop: Some(Box::new(|_| env.budget.exhausted().is_some())),
            ..Options::default()
        };
        Machine::new(&program, options).run();
    }
    Ok(seen.into_inner())
}

/// Facts that hold in what was seen.
fn guesses(program: &Program, layout: &Layout, seen: &Seen) -> Vec<Fact> {
    let constants = constants(program);
    let mut facts = BTreeSet::new();
    let mut add = |terms: Vec<(i32, CellId)>, at_least: i128| {
        facts.insert(Fact { any_of: vec![Linear { terms, at_least }] });
    };
    for (&cell, values) in &seen.values {
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else { continue };
        let below = constants.range(..least).rev().take(FURTHER).copied();
        below.chain([least]).for_each(|bound| add(vec![(1, cell)], bound));
        let above = constants.range(most + 1..).take(FURTHER).copied();
        above.chain([most]).for_each(|bound| add(vec![(-1, cell)], -bound));
    }
    for group in &layout.groups {
        let cells: Vec<CellId> = group
            .cells
            .iter()
            .copied()
            .filter(|cell| seen.values.contains_key(cell))
            .take(MAX_COMPARED)
            .collect();
        for (i, &a) in cells.iter().enumerate() {
            for &b in &cells[i + 1..] {
                let rows = seen.rows.iter().filter_map(|row| Some((*row.get(&a)?, *row.get(&b)?)));
                let rows: Vec<(i128, i128)> = rows.collect();
                for (p, q) in [(1, 1), (1, -1)] {
                    let sums: BTreeSet<i128> = rows
                        .iter()
                        .map(|(x, y)| i128::from(p) * x + i128::from(q) * y)
                        .collect();
                    let (Some(&least), Some(&most)) = (sums.first(), sums.last()) else { continue };
                    if least == most && rows.len() > 1 {
                        add(vec![(p, a), (q, b)], least);
                        add(vec![(-p, a), (-q, b)], -most);
                    }
                    // Order.
                    if q == -1 && most < 0 {
                        add(vec![(-1, a), (1, b)], 0);
                    }
                    if q == -1 && least > 0 {
                        add(vec![(1, a), (-1, b)], 0);
                    }
                }
            }
        }
    }
    facts.into_iter().collect()
}

/// The constants that the program mentions, and their neighbours.
fn constants(program: &Program) -> BTreeSet<i128> {
    let mut constants = BTreeSet::new();
    for function in program.functions.values().filter(|function| !function.library) {
        for instr in function.body.iter().flatten() {
            instr.kind.for_each_expr(|expr, _| {
                program.for_each_subexpr(expr, |part| {
                    let ExprKind::Int(bits) = program.exprs.kind(part) else { return };
                    let value = bits.to_i64().map(i128::from);
                    constants.extend(value.into_iter().flat_map(|v| [v - 1, v, v + 1]));
                });
            });
        }
    }
    constants
}

/// By how much threads change cells, as far as that was seen.
fn shares(program: &Program, layout: &Layout, seen: &Seen) -> Vec<Share> {
    let mut shares = Vec::new();
    for group in &layout.groups {
        for &cell in group.cells.iter().filter(|cell| seen.values.contains_key(cell)) {
            let classes: BTreeSet<u32> = group.accessors.iter().copied().chain([0]).collect();
            let of_class = |class: u32| {
                let (least, most) = seen.running.get(&(class, cell)).copied().unwrap_or((0, 0));
                let ended = seen.ended.get(&(class, cell)).copied();
                let running = (least.min(0), most.max(0));
                Share { cell, class, running, ended: ended.unwrap_or(running) }
            };
            let all: Vec<Share> = classes.into_iter().map(of_class).collect();
            let is_small = |share: &Share| {
                let limit = largest_change(program, layout, cell);
                let (least, most) = share.running;
                -limit < least && most < limit
            };
            if all.iter().all(is_small) {
                shares.extend(all);
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests;
