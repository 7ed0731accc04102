//! An invariant of a transition system as facts about the loops of the source, for people and for witnesses.
//!
//! A proof is a formula over the state of a system and says many things twice: engines find bounds, relations and bits
//! that follow from each other. What follows is put in plain words where there are some ([`plain_facts`]), and what is
//! shown of a loop is a part of it that is inductive with what is shown of the others ([`Induction`]), chosen so that what
//! is hard to read goes first. Where inlining has made several copies of a loop, one of the copies' facts holds.
//! Everything shown holds whenever the loop's head is reached; it need not be all that the proof needs, since
//! temporaries and the targets of pointers have no name in C.

use crate::certificate::not_encoded;
use crate::induction::{ProofFlaw, check_proof};
use crate::needed::Induction;
use crate::plain_facts::plain_facts;
use std::collections::BTreeSet;
use vergo_goto::program::Program;
use vergo_smt::{Answer, Budget, Solver};
use vergo_source::Span;
use vergo_symex::WORK_BETWEEN_LOOKS;
use vergo_term::{Op, TermId, TermStore};
use vergo_ts::{CNames, CText, Encoded, Proof};

/// An invariant at a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The loop.
    pub span: Span,
    /// The function that the loop is in.
    pub function: Option<String>,
    /// A C expression over the variables in scope there; `None` if C cannot say it in reasonable length.
    pub text: Option<String>,
}

/// Work that it may take to find plain words for what is said at all loops together.
const SPEAKING_WORK: u64 = 200_000_000;
/// Work to find what the proof needs of that.
const CHOOSING_WORK: u64 = 300_000_000;
/// Work to leave out what follows from the rest.
const SHORTENING_WORK: u64 = 200_000_000;
/// Facts of a loop that are compared with each other; more are not readable anyway.
const MOST_FACTS: usize = 200;
/// Facts of all points among which those are sought that are needed.
const MOST_NEEDED: usize = 2000;
/// The longest text that is shown.
const LONGEST: usize = 2000;
/// Where copies of a loop need a text longer than this, only what they have in common is shown.
const LONGEST_ALTERNATIVES: usize = 200;

/// Something that an invariant says at a cut point.
struct Fact {
    point: usize,
    term: TermId,
    /// `None` if C cannot say it.
    text: Option<CText>,
    reading_cost: usize,
}

impl Fact {
    fn new(store: &TermStore, names: &CNames, point: usize, term: TermId) -> Fact {
        let text = names.print(store, term);
        let reading_cost = text.as_ref().map_or(usize::MAX, |text| reading_cost(text.text()));
        Fact { point, term, text, reading_cost }
    }
}

/// Expresses a formula over the state at each loop of the program; with an induction that proves it, only the part that
/// the induction needs.
pub(crate) fn loop_invariants(
    program: &Program,
    store: &mut TermStore,
    encoded: &Encoded,
    formula: TermId,
    induction: Option<&Induction<'_>>,
    budget: &Budget,
) -> Vec<LoopInvariant> {
    let loops = encoded.source_loops();
    if loops.is_empty() {
        return Vec::new();
    }
    let speaking = budget.at_most(SPEAKING_WORK);
    let mut facts = Vec::new();
    let names: Vec<CNames> =
        (0..encoded.points.len()).map(|point| encoded.c_names(point)).collect();
    for (point, names) in names.iter().enumerate() {
        facts.extend(facts_at(store, encoded, names, formula, point, &speaking));
    }
    let needed = induction.filter(|_| facts.len() <= MOST_NEEDED).and_then(|induction| {
        let mut guarded = Vec::new();
        for fact in &facts {
            let here = encoded.is_at(store, fact.point);
            guarded.push((store.implies(here, fact.term), fact.reading_cost));
        }
        induction.needed(store, &guarded, &budget.at_most(CHOOSING_WORK))
    });
    let shortening = budget.at_most(SHORTENING_WORK);
    let mut found = Vec::new();
    for source_loop in loops {
        let mut copies: Vec<Copy<'_>> = Vec::new();
        for &point in &source_loop.points {
            let here = || facts.iter().enumerate().filter(move |(_, fact)| fact.point == point);
            let said = |fact: &Fact| Some((fact.term, fact.text.clone()?));
            let is_needed = |i: usize| needed.as_ref().is_none_or(|needed| needed.contains(&i));
            let mut shown: Vec<(TermId, CText)> =
                here().filter(|(i, _)| is_needed(*i)).filter_map(|(_, fact)| said(fact)).collect();
            // Where the proof needs nothing, or nothing that C can say, it is of use to know what else is known.
            if shown.is_empty() {
                shown = here().filter_map(|(_, fact)| said(fact)).collect();
            }
            copies.push(Copy { names: &names[point], facts: essential(store, shown, &shortening) });
        }
        let text = together(store, encoded, &mut copies, &shortening);
        let text = text.map(|text| text.text().to_owned()).filter(|text| text.len() <= LONGEST);
        let function = source_loop.function.map(|id| program.functions[id].name.clone());
        found.push(LoopInvariant { span: source_loop.span, function, text });
    }
    found
}

/// Facts about the loops of a program, if a formula over its state is inductive. The system that it is checked against is
/// made here, from the program; only the formula is somebody else's.
///
/// # Errors
/// If the formula is not inductive, or if that does not come out.
pub fn check_loop_facts(
    program: &Program,
    store: &TermStore,
    formula: TermId,
    budget: &Budget,
) -> Result<Vec<LoopInvariant>, ProofFlaw> {
    let mut own = TermStore::new();
    let stop = || budget.stops_after(WORK_BETWEEN_LOOKS);
    let options = vergo_ts::Options { stop: &stop, ..vergo_ts::Options::default() };
    let mut encoded = vergo_ts::encode(program, &mut own, &options)
        .map_err(|unsupported| not_encoded(&unsupported, budget))?;
    let invariant = own.import(store, &[formula])[0];
    // Nothing is claimed here of violations.
    encoded.system.bad = own.false_term();
    let proof = Proof::inductive(invariant);
    check_proof(&own, &encoded.system, &proof, budget)?;
    Ok(loop_invariants(program, &mut own, &encoded, invariant, None, budget))
}

/// Expresses a formula at a point, in its own words and in plain ones.
fn facts_at(
    store: &mut TermStore,
    encoded: &Encoded,
    names: &CNames,
    formula: TermId,
    point: usize,
    budget: &Budget,
) -> Vec<Fact> {
    let parts = encoded.conjuncts_at(store, formula, point);
    if parts.len() > MOST_FACTS {
        return parts.into_iter().map(|part| Fact::new(store, names, point, part)).collect();
    }
    // A fact that C cannot say may make others follow that are then not shown.
    let (said, unsaid): (Vec<TermId>, Vec<TermId>) =
        parts.into_iter().partition(|&part| names.print(store, part).is_some());
    let mut all = simplified(store, said, budget);
    all.extend(unsaid);
    let mut plain = plain_facts(store, names, &all, budget);
    plain.extend(all);
    let mut seen = BTreeSet::new();
    plain.retain(|&fact| !store.is_value(fact) && seen.insert(fact));
    plain.into_iter().map(|fact| Fact::new(store, names, point, fact)).collect()
}

/// The facts about one copy of a loop.
struct Copy<'a> {
    names: &'a CNames,
    facts: Vec<(TermId, CText)>,
}

/// Returns a condition that holds at every copy of a loop: a common one, or the disjunction of theirs.
fn together(
    store: &mut TermStore,
    encoded: &Encoded,
    copies: &mut Vec<Copy<'_>>,
    budget: &Budget,
) -> Option<CText> {
    // Of a copy without facts nothing is known.
    if copies.iter().any(|copy| copy.facts.is_empty()) {
        return None;
    }
    if let [one] = &mut copies[..] {
        return Some(joined(store, encoded, std::mem::take(&mut one.facts)));
    }
    if let Some(facts) = common(store, copies, budget) {
        return Some(joined(store, encoded, facts));
    }
    let mut texts: Vec<CText> = Vec::new();
    for copy in copies {
        let text = joined(store, encoded, std::mem::take(&mut copy.facts));
        if texts.iter().all(|other| other.text() != text.text()) {
            texts.push(text);
        }
    }
    CText::any(&texts)
}

/// Facts that hold at every copy, if they say as much as that one copy's facts hold, or if that is too long to say.
fn common(
    store: &mut TermStore,
    copies: &[Copy<'_>],
    budget: &Budget,
) -> Option<Vec<(TermId, CText)>> {
    let names = copies.first()?.names;
    let mut conjunctions = Vec::new();
    let mut candidates: Vec<TermId> = Vec::new();
    for copy in copies {
        let map = names.like(copy.names);
        let terms: Vec<TermId> = copy.facts.iter().map(|(term, _)| *term).collect();
        let free = store.free_vars(&terms);
        if !free.iter().all(|&var| map.contains_key(&store.var_info(var).term)) {
            return None;
        }
        let terms = store.substitute_all(&terms, &map);
        conjunctions.push(store.and_all(&terms));
        candidates.extend(terms);
    }
    let mut solver = Solver::default();
    let mut implies = |store: &mut TermStore, a: TermId, b: TermId| {
        let opposite = store.not(b);
        solver.check(store, &[a, opposite], budget) == Answer::Unsat
    };
    let mut seen = BTreeSet::new();
    candidates.retain(|&fact| seen.insert(fact));
    let anywhere = store.or_all(&conjunctions);
    candidates.retain(|&fact| implies(store, anywhere, fact));
    let all = store.and_all(&candidates);
    let length: usize =
        copies.iter().flat_map(|copy| &copy.facts).map(|(_, text)| text.text().len() + 4).sum();
    if candidates.is_empty() || length <= LONGEST_ALTERNATIVES && !implies(store, all, anywhere) {
        return None;
    }
    let said = candidates.into_iter().map(|fact| Some((fact, names.print(store, fact)?)));
    let said: Vec<(TermId, CText)> = said.collect::<Option<_>>()?;
    Some(essential(store, said, budget))
}

/// Facts in the order in which people say them: what each variable is, from below and from above, then relations.
fn joined(store: &TermStore, encoded: &Encoded, mut facts: Vec<(TermId, CText)>) -> CText {
    facts.sort_by_key(|(fact, text)| {
        let free = store.free_vars(&[*fact]);
        let position = |var: TermId| encoded.system.current().position(|other| other == var);
        let first = free.iter().filter_map(|&var| position(store.var_info(var).term)).min();
        let text = text.text();
        let order = ["||", "==", ">", "<"].iter().position(|part| text.contains(part));
        // A text with alternatives comes last.
        (free.len() > 1, first, order.map_or(9, |n| if n == 0 { 8 } else { n }))
    });
    let texts: Vec<CText> = facts.into_iter().map(|(_, text)| text).collect();
    CText::all(&texts).unwrap_or_else(CText::nothing)
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
fn essential(
    store: &mut TermStore,
    facts: Vec<(TermId, CText)>,
    budget: &Budget,
) -> Vec<(TermId, CText)> {
    let mut order: Vec<usize> = (0..facts.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(reading_cost(facts[i].1.text())), i));
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
    facts.into_iter().zip(kept).filter_map(|(fact, kept)| kept.then_some(fact)).collect()
}

/// Returns the cost of reading a text: its length, and more for casts and operators on bits.
fn reading_cost(text: &str) -> usize {
    let hard =
        ["(unsigned", "(int)", "(short)", "(signed", "(long", " & ", " ^ ", ">>", "<<", "~", "?"];
    let n_hard: usize = hard.iter().map(|part| text.matches(part).count()).sum();
    // A relation tells more than the bounds that follow from it; an equation is the best of all.
    let is_equation = text.contains("==") && !text.contains("||");
    text.len() + 40 * n_hard - if is_equation { text.len().min(12) } else { 0 }
}
