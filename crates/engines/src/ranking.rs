//! Termination by lexicographic measures over the words of the state.
//!
//! **Idea.** The steps of the program's transition system are taken apart. Whatever can still be repeated lies in a
//! *region*: a set of states and a relation of steps in it. A measure that no step of the region increases is
//! appended to the lexicographic measure, and the steps that decrease it are done with: the region goes on with those that
//! leave it as it is. Control splits a region into its strongly connected parts, and so does a condition that once it
//! holds always holds. When no region has a step left, the measure decreases on every step. Nothing is lost by
//! choosing greedily: removing steps never makes another measure increase.
//!
//! Measures come from the program: its variables, up and down, signed and unsigned; sums and differences of them in
//! enough bits not to wrap; both sides of its comparisons. Steps that refute a measure are kept, so that most others are
//! refuted without a question to the solver.
//!
//! **Source.** Bradley, Manna, Sipma, "Linear Ranking with Reachability", CAV 2005, doi 10.1007/11513988_48, for
//! lexicographic measures; Cook, Kroening, Rümmer, Wintersteiger, "Ranking Function Synthesis for Bit-Vector Relations",
//! TACAS 2010, doi 10.1007/978-3-642-12002-2_19, for measures on words. The greedy construction is that of Alias, Darte,
//! Feautrier, Gonnord, "Multi-dimensional Rankings, Program Termination, and Complexity Bounds of Flowchart Programs",
//! SAS 2010, doi 10.1007/978-3-642-15769-1_8, with candidates in place of linear programs.
//!
//! **Soundness.** The measure and the invariant that helped to find it are checked by `evidence` against a system of its
//! own ([`vergo_ts::ranked()`]); nothing here needs to be right.
//!
//! **Completeness.** None: programs may need other measures, or invariants that are not found.

mod candidates;
mod supporting;

use crate::{Environment, Goal, Recurrence, Task};
use crate::auxiliary::{no_consequences, strengthened};
use crate::on_system::prepare_for_termination;
use candidates::{Candidates, Effort, Word};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use supporting::supporting;
use vergo_analysis::callgraph::all_components;
use vergo_evidence::induction::ProofFlaw;
use vergo_evidence::{Certificate, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{Assignment, Evaluator, TermId, TermStore};
use vergo_ts::{Encoded, Functional, Proof};

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let Goal::Recurrence(Recurrence { original, .. }) = task.goal else {
        return Verdict::Unknown(Reason::Withdrawn("measures are for questions about termination"));
    };
    prove_termination(original, env).map_or_else(Verdict::Unknown, Verdict::True)
}

/// Proves that every execution of a program ends. Its claims must hold in passing: a program without claims is
/// what one should ask about.
///
/// # Errors
/// The reason why no proof was found.
pub fn prove_termination(program: &Program, env: &Environment<'_>) -> Result<Certificate, Reason> {
    let mut store = TermStore::new();
    let (encoded, auxiliary) = prepare_for_termination(program, env, &mut store)?;
    let (measure, invariant) = match auxiliary {
        Some(auxiliary) => synthesize(&mut store, &encoded, auxiliary, &env.budget)?,
        // The only step is that to the end, if there is any.
        None => (Vec::new(), store.true_term()),
    };
    let proof = Proof::inductive(invariant);
    let check = || Certificate::termination(program, &store, &measure, &proof, &env.budget);
    env.budget.at_the_end(check).map_err(|flaw| match flaw {
        ProofFlaw::Unknown(reason) => Reason::Unchecked(Box::new(reason)),
        // What the encoding does not cover may be reachable.
        flaw => Reason::incomplete(format!("a measure was rejected: {flaw}")),
    })
}

/// A measure, and an invariant under which it decreases. More invariants are looked for only where those that are
/// there do not suffice.
fn synthesize(
    store: &mut TermStore,
    encoded: &Encoded,
    auxiliary: TermId,
    budget: &Budget,
) -> Result<(Vec<TermId>, TermId), Reason> {
    let candidates = Candidates::of(store, encoded);
    let first = Synthesis::new(store, encoded, auxiliary, &candidates, Effort::Pairs, budget).run();
    if let Ok(measure) = first {
        return Ok((measure, auxiliary));
    }
    let invariant = supporting(store, encoded, auxiliary, &candidates.conditions, budget);
    let measure =
        Synthesis::new(store, encoded, invariant, &candidates, Effort::Triples, budget).run()?;
    Ok((measure, invariant))
}

/// States, and steps between them that may still be repeated for ever.
#[derive(Clone)]
struct Region {
    /// The cut points that the states are at.
    points: Vec<usize>,
    /// The states, as a formula over the current state.
    states: TermId,
    /// Further conditions on the steps.
    steps: Vec<TermId>,
    /// State variables that no step changes.
    unchanged: BTreeSet<TermId>,
    /// True if control has been looked at since steps were removed.
    connected: bool,
}

struct Synthesis<'a> {
    store: &'a mut TermStore,
    encoded: &'a Encoded,
    budget: &'a Budget,
    /// Holds the steps of the system, with the invariant.
    solver: Solver,
    /// The next values of state variables that are functions of state and inputs.
    updates: FxHashMap<TermId, TermId>,
    candidates: &'a Candidates,
    /// The most that is tried.
    effort: Effort,
    /// Steps that were found.
    samples: Vec<Sample>,
    measure: Vec<TermId>,
}

/// A step, and what it does to each candidate.
struct Sample {
    values: Assignment,
    changes: Vec<Ordering>,
}

impl<'a> Synthesis<'a> {
    fn new(
        store: &'a mut TermStore,
        encoded: &'a Encoded,
        invariant: TermId,
        candidates: &'a Candidates,
        effort: Effort,
        budget: &'a Budget,
    ) -> Synthesis<'a> {
        let mut solver = Solver::default();
        solver.assert(strengthened(store, &encoded.system, invariant, &no_consequences).trans);
        let updates = Functional::of(store, &encoded.system).substitution(&encoded.system);
        let (samples, measure) = (Vec::new(), Vec::new());
        Synthesis { store, encoded, budget, solver, updates, candidates, effort, samples, measure }
    }

    /// The measure that decreases on every step.
    fn run(mut self) -> Result<Vec<TermId>, Reason> {
        let all = Region {
            points: (0..self.encoded.points.len()).collect(),
            states: self.store.true_term(),
            steps: Vec::new(),
            unchanged: BTreeSet::new(),
            connected: false,
        };
        let mut pending = vec![all];
        while let Some(region) = pending.pop() {
            self.progress_on(region, &mut pending)?;
        }
        Ok(self.measure)
    }

    /// Takes a region apart; what is left of it is pending.
    fn progress_on(&mut self, mut region: Region, pending: &mut Vec<Region>) -> Result<(), Reason> {
        if !self.sat(&region.steps)? {
            return Ok(());
        }
        if !region.connected {
            region.connected = true;
            if region.points.len() > 1 {
                return self.split_by_control(region, pending);
            }
        }
        let updates = self.updates(&region);
        let most = self.effort;
        for &effort in Effort::ALL.iter().take_while(|&&effort| effort <= most) {
            let progress = match effort {
                Effort::Conditions => self.split_by_condition(&region, &updates, pending)?,
                _ => self.decrease_a_word(&region, &updates, effort, pending)?,
            };
            if progress {
                return Ok(());
            }
        }
        Err(Reason::incomplete("no measure was found that decreases in every loop"))
    }

    /// The strongly connected parts of a region; steps between them go down.
    fn split_by_control(
        &mut self,
        region: Region,
        pending: &mut Vec<Region>,
    ) -> Result<(), Reason> {
        let points = region.points.clone();
        let edges = self.edges(&region)?;
        let components = all_components(edges.len(), |node| edges[node].iter().copied());
        if let [_] = &components[..] {
            pending.push(region);
            return Ok(());
        }
        // Components come in the order in which nothing leads from an earlier one to a later one.
        let mut number = self.store.bv_u64(32, 0);
        let mut parts = Vec::new();
        for (rank, component) in components.iter().enumerate() {
            let here: Vec<TermId> =
                component.iter().map(|&i| self.encoded.is_at(self.store, points[i])).collect();
            let here = self.store.or_all(&here);
            let rank = self.store.bv_u64(32, rank as u64);
            number = self.store.ite(here, rank, number);
            let repeats = component.len() > 1 || edges[component[0]].contains(&component[0]);
            if repeats {
                let mut steps = region.steps.clone();
                steps.extend([here, self.afterwards(here)]);
                parts.push(Region {
                    points: component.iter().map(|&i| points[i]).collect(),
                    states: self.store.and(region.states, here),
                    steps,
                    unchanged: region.unchanged.clone(),
                    connected: true,
                });
            }
        }
        self.append(region.states, number);
        pending.extend(parts);
        Ok(())
    }

    /// To which points of a region its steps lead from each of them, as positions in its list.
    fn edges(&mut self, region: &Region) -> Result<Vec<Vec<usize>>, Reason> {
        let Some(counter) = self.encoded.counter else { return Ok(vec![vec![0]]) };
        let next = self.afterwards(counter);
        let mut edges = Vec::new();
        for &from in &region.points {
            let here = self.encoded.is_at(self.store, from);
            let (mut query, mut found) = (region.steps.clone(), Vec::new());
            query.push(here);
            while self.sat(&query)? {
                let to = self.solver.value(self.store, next);
                let Some(index) = region
                    .points
                    .iter()
                    .position(|&point| to.as_bv().to_u64() == Some(point as u64))
                else {
                    return Err(Reason::Fault("control leaves its region".to_owned()));
                };
                found.push(index);
                let to = self.encoded.is_at(self.store, region.points[index]);
                let to = self.afterwards(to);
                query.push(self.store.not(to));
            }
            edges.push(found);
        }
        Ok(edges)
    }

    /// The next values of state variables in a region, as far as they are functions.
    fn updates(&mut self, region: &Region) -> FxHashMap<TermId, TermId> {
        let mut here = FxHashMap::default();
        if let (Some(counter), &[point]) = (self.encoded.counter, &region.points[..]) {
            let number = self.store.bv_u64(self.store.width(counter), point as u64);
            here.insert(counter, number);
        }
        let system = &self.encoded.system;
        let (current, next): (Vec<TermId>, Vec<TermId>) =
            (system.current().collect(), system.next().collect());
        let values: Vec<TermId> =
            next.iter().map(|next| *self.updates.get(next).unwrap_or(next)).collect();
        let values = self.store.substitute_all(&values, &here);
        let update = |(current, value): (TermId, TermId)| match region.unchanged.contains(&current)
        {
            true => (current, current),
            false => (current, value),
        };
        current.into_iter().zip(values).map(update).collect()
    }

    /// Appends a word that some steps decrease and none increases, and goes on with the steps that leave it as it is.
    fn decrease_a_word(
        &mut self,
        region: &Region,
        updates: &FxHashMap<TermId, TermId>,
        effort: Effort,
        pending: &mut Vec<Region>,
    ) -> Result<bool, Reason> {
        let mut inside: Vec<bool> =
            (0..self.samples.len()).map(|sample| self.is_in(sample, region)).collect();
        for index in 0..self.candidates.words.len() {
            let Word { before, variable, .. } = self.candidates.words[index];
            let refuted = |(sample, inside): (&Sample, &bool)| {
                *inside && sample.changes[index] == Ordering::Greater
            };
            if self.candidates.words[index].effort != effort
                || self.samples.iter().zip(&inside).any(refuted)
            {
                continue;
            }
            let after = self.store.substitute(before, updates);
            if after == before {
                continue;
            }
            let grows = self.store.bv_ult(before, after);
            if self.find_step(region, grows)? {
                inside.push(true);
                continue;
            }
            let shrinks = self.store.bv_ult(after, before);
            let seen = self
                .samples
                .iter()
                .zip(&inside)
                .any(|(sample, inside)| *inside && sample.changes[index] == Ordering::Less);
            if !seen && !self.find_step(region, shrinks)? {
                continue;
            }
            self.append(region.states, before);
            let mut rest = region.clone();
            rest.steps.push(self.store.eq(before, after));
            rest.unchanged.extend(variable);
            rest.connected = false;
            pending.push(rest);
            return Ok(true);
        }
        Ok(false)
    }

    /// Splits a region by a condition that no step ends, or none begins.
    fn split_by_condition(
        &mut self,
        region: &Region,
        updates: &FxHashMap<TermId, TermId>,
        pending: &mut Vec<Region>,
    ) -> Result<bool, Reason> {
        for index in 0..self.candidates.conditions.len() {
            let before = self.candidates.conditions[index];
            let after = self.store.substitute(before, updates);
            let (no_longer, not_yet) = (self.store.not(after), self.store.not(before));
            let mut both = true;
            for [a, b] in [[before, after], [not_yet, no_longer]] {
                both = both && self.is_possible(region, &[a, b])?;
            }
            if !both {
                continue;
            }
            let ends = self.is_possible(region, &[before, no_longer])?;
            if ends && self.is_possible(region, &[not_yet, after])? {
                continue;
            }
            // The side that is left for ever is the greater one.
            let word = if ends { before } else { not_yet };
            let word = self.store.bool_to_bv(word);
            self.append(region.states, word);
            for [a, b] in [[before, after], [not_yet, no_longer]] {
                let mut part = region.clone();
                part.states = self.store.and(region.states, a);
                part.steps.extend([a, b]);
                part.connected = false;
                pending.push(part);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Appends a word of the states of a region to the measure; other states have zero in its place.
    fn append(&mut self, states: TermId, word: TermId) {
        let zero = self.store.bv_u64(self.store.width(word), 0);
        let word = self.store.ite(states, word, zero);
        self.measure.push(word);
    }

    /// A formula over the current state, said of the next one.
    fn afterwards(&mut self, formula: TermId) -> TermId {
        let system = &self.encoded.system;
        let map = system.current().zip(system.next()).collect();
        self.store.substitute(formula, &map)
    }

    fn is_possible(&mut self, region: &Region, more: &[TermId]) -> Result<bool, Reason> {
        let mut query = region.steps.clone();
        query.extend_from_slice(more);
        self.sat(&query)
    }

    /// Checks whether a region has such a step; it becomes a sample.
    fn find_step(&mut self, region: &Region, such: TermId) -> Result<bool, Reason> {
        if !self.is_possible(region, &[such])? {
            return Ok(false);
        }
        let values = self.solver.model(self.store);
        let mut evaluator = Evaluator::new(self.store, &values);
        let mut changes = Vec::with_capacity(self.candidates.words.len());
        for word in &self.candidates.words {
            let before = evaluator.value(word.before).as_bv().clone();
            changes.push(evaluator.value(word.after).as_bv().cmp(&before));
        }
        drop(evaluator);
        self.samples.push(Sample { values, changes });
        Ok(true)
    }

    /// Checks whether a sample is a step of a region.
    fn is_in(&self, sample: usize, region: &Region) -> bool {
        let mut evaluator = Evaluator::new(self.store, &self.samples[sample].values);
        region.steps.iter().all(|&condition| evaluator.value(condition).as_bool())
    }

    fn sat(&mut self, assumptions: &[TermId]) -> Result<bool, Reason> {
        match self.solver.check(self.store, assumptions, self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prove(body: &str) -> Result<Certificate, Reason> {
        let text = format!(
            "entry main; sites 1; function main: fn() -> void labels 3 {{
                 local x: i32 align 4; local y: i32 align 4; decl x; decl y;
                 x := #nondet<i32>(0); {body} end 0i32; }}"
        );
        let program = vergo_goto::text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let budget = Budget::within(std::time::Duration::from_secs(60));
        let environment = Environment { budget, progress: &|_| {} };
        prove_termination(&program, &environment)
    }

    #[test]
    fn measures_decrease_lexicographically() {
        // For each x there are up to 100 values of y.
        let certificate = prove(
            "L0: if x <= 0i32 goto L2; x := x - 1i32; y := 0i32;
             L1: if y >= 100i32 goto L0; y := y + 1i32; goto L1; L2:",
        );
        let certificate = certificate.unwrap_or_else(|reason| panic!("{reason}"));
        let ranking = certificate.ranking().unwrap_or_else(|| panic!("{certificate}"));
        assert_eq!(ranking.measure.len(), 3, "{ranking:?}");
    }

    #[test]
    fn steps_that_wrap_around_are_seen() {
        assert!(prove("L0: if x == 7i32 goto L1; x := x - 2i32; goto L0; L1:").is_err());
        assert!(prove("L0: if x <= 7i32 goto L1; x := x - 2i32; goto L0; L1:").is_ok());
    }

    #[test]
    fn components_come_in_the_order_of_edges() {
        // 0 <-> 1 -> 2 -> 3 <-> 4, and 2 <- 5.
        let edges = [vec![1], vec![0, 2], vec![3], vec![4], vec![3], vec![2]];
        let found = all_components(edges.len(), |node| edges[node].iter().copied());
        let place = |node: usize| found.iter().position(|part| part.contains(&node));
        assert_eq!(place(0), place(1));
        assert_eq!(place(3), place(4));
        for (from, edges) in edges.iter().enumerate() {
            for &to in edges {
                assert!(place(to) <= place(from), "{found:?}");
            }
        }
        assert_eq!(found.len(), 4);
    }
}
