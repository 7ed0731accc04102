//! An invariant of a transition system as facts about the loops of the source, for people and for witnesses.
//!
//! A proof is a formula over the state of a system and says many things twice: engines find bounds, relations and bits
//! that follow from each other. What is shown of a loop is a part of it from which the rest follows, chosen so that what
//! is hard to read goes first. Where inlining has made several copies of a loop, one of the copies' facts holds.
//! Everything shown holds whenever the loop's head is reached; it need not be all that the proof needs, since
//! temporaries and the targets of pointers have no name in C.

use std::time::{Duration, Instant};
use vergo_goto::program::Program;
use vergo_smt::{Answer, Budget, Solver};
use vergo_source::Span;
use vergo_term::{Op, TermId, TermStore};
use vergo_ts::{CText, Encoded};

/// What an invariant says at a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The loop.
    pub span: Span,
    /// The function that the loop is in.
    pub function: Option<String>,
    /// A C expression over the variables in scope there; `None` if C cannot say it in reasonable length.
    pub text: Option<String>,
}

/// How long the search for what follows from what may take, for all loops together.
const TIME: Duration = Duration::from_millis(500);
/// Facts of a loop that are compared with each other; more are not readable anyway.
const MOST_FACTS: usize = 200;
/// The longest text that is shown.
const LONGEST: usize = 2000;

/// What a formula over the state says at each loop of the program.
pub(crate) fn loop_invariants(
    program: &Program,
    store: &mut TermStore,
    encoded: &Encoded,
    formula: TermId,
    budget: &Budget,
) -> Vec<LoopInvariant> {
    let end = Instant::now() + TIME;
    let deadline = budget.deadline.map_or(end, |deadline| deadline.min(end));
    let budget = Budget { deadline: Some(deadline), ..budget.clone() };
    let mut found = Vec::new();
    for source_loop in encoded.source_loops() {
        let mut copies: Vec<CText> = Vec::new();
        let mut complete = true;
        for &point in &source_loop.points {
            let facts = encoded.conjuncts_at(store, formula, point);
            let facts = if facts.len() <= MOST_FACTS { facts } else { Vec::new() };
            let names = encoded.c_names(point);
            // A fact that C cannot say may make others follow that are then not shown.
            let facts =
                facts.into_iter().filter(|&fact| names.print(store, fact).is_some()).collect();
            let facts = simplified(store, facts, &budget);
            let facts =
                facts.into_iter().filter_map(|fact| Some((fact, names.print(store, fact)?)));
            let facts: Vec<(TermId, CText)> = facts.collect();
            match CText::all(&essential(store, facts, &budget)) {
                Some(text) => {
                    if copies.iter().all(|copy| copy.text() != text.text()) {
                        copies.push(text);
                    }
                }
                // Of this copy nothing is known.
                None => complete = false,
            }
        }
        let text = CText::any(&copies).filter(|_| complete).map(|text| text.text().to_owned());
        let text = text.filter(|text| text.len() <= LONGEST);
        let function = source_loop.function.map(|id| program.functions[id].name.clone());
        found.push(LoopInvariant { span: source_loop.span, function, text });
    }
    found
}

/// Facts that say together what the given ones do, where alternatives do not repeat what holds in any case: engines that
/// collect images say everything of each.
fn simplified(store: &mut TermStore, mut facts: Vec<TermId>, budget: &Budget) -> Vec<TermId> {
    let mut solver = Solver::default();
    for i in 0..facts.len() {
        let Some(alternatives) = alternatives(store, facts[i]) else { continue };
        let others: Vec<TermId> = (0..facts.len()).filter(|&j| j != i).map(|j| facts[j]).collect();
        let mut kept = Vec::new();
        for alternative in alternatives {
            let mut parts = store.conjuncts(alternative);
            let mut n = 0;
            while n < parts.len() {
                let mut query = others.clone();
                query.extend(
                    parts.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, &part)| part),
                );
                query.push(store.not(parts[n]));
                match solver.check(store, &query, budget) {
                    Answer::Unsat => {
                        parts.remove(n);
                    }
                    Answer::Sat => n += 1,
                    Answer::Unknown(_) => return facts,
                }
            }
            kept.push(store.and_all(&parts));
        }
        facts[i] = store.or_all(&kept);
    }
    facts
}

/// The alternatives of a disjunction.
fn alternatives(store: &mut TermStore, fact: TermId) -> Option<Vec<TermId>> {
    if store.op(fact) != Op::Not || store.op(store.arg(fact, 0)) != Op::And {
        return None;
    }
    let opposites = store.conjuncts(store.arg(fact, 0));
    Some(opposites.into_iter().map(|opposite| store.not(opposite)).collect())
}

/// Facts from which all given ones follow, in their order.
fn essential(store: &mut TermStore, facts: Vec<(TermId, CText)>, budget: &Budget) -> Vec<CText> {
    let mut order: Vec<usize> = (0..facts.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(burden(facts[i].1.text())), i));
    let mut kept = vec![true; facts.len()];
    let mut solver = Solver::default();
    for i in order {
        let others = (0..facts.len()).filter(|&j| j != i && kept[j]);
        let mut query: Vec<TermId> = others.map(|j| facts[j].0).collect();
        query.push(store.not(facts[i].0));
        match solver.check(store, &query, budget) {
            Answer::Unsat => kept[i] = false,
            Answer::Sat => {}
            Answer::Unknown(_) => break,
        }
    }
    facts.into_iter().zip(kept).filter_map(|((_, text), kept)| kept.then_some(text)).collect()
}

/// How hard a text is to read: its length, and more for casts and operators on bits.
fn burden(text: &str) -> usize {
    let hard =
        ["(unsigned", "(int)", "(short)", "(signed", "(long", " & ", " ^ ", ">>", "<<", "~", "?"];
    let n_hard: usize = hard.iter().map(|part| text.matches(part).count()).sum();
    // A relation tells more than the bounds that follow from it; an equation is the best of all.
    let is_equation = text.contains("==") && !text.contains("||");
    text.len() + 40 * n_hard - if is_equation { text.len().min(12) } else { 0 }
}
