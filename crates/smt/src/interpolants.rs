//! Interpolants between terms: from the bit-level refutation back to terms over shared symbols.
//!
//! The refutation's parts are sets of asserted or assumed terms, in order; the propositional layer
//! (see [`vergo_sat::interpolate`]) gives one circuit per cut, sweeping makes it small, and
//! [`crate::lift`] reads it as a term.
//!
//! **Array lemmas** are valid, so they may count to any part; which one decides only over which bits
//! the interpolant is.  A lemma counts to a part that contains everything it is about, else to one
//! that has all its variables (a read at a shared index is a shared term, whoever reads), else to
//! the one that contains most of it.  **Limit**: an interpolant that would have to mention a local
//! index, as when two parts read a shared array each at an index of its own, does not exist without
//! quantifiers in general; such a refutation is reported as [`InterpolantError::MixedLemma`].  Arrays
//! of up to [`SolverOptions::interpolating`](crate::SolverOptions::interpolating)'s size are words
//! and have no such limit.
//!
//! [`check_interpolants`] decides with fresh solvers, on terms, what makes them interpolants.

use crate::blast::Origin;
use crate::lift::Lifter;
use crate::range;
use crate::solver::{Answer, Group, Reason, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::time::Instant;
use vergo_sat::sweep::{SweepOptions, sweep};
use vergo_sat::{Budget, CnfLit, Interpolation, InterpolationError, Lit, System, Var};
use vergo_term::{TermId, TermStore};

/// The reason why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterpolantError {
    /// The last check was not unsatisfiable, or proofs are off.
    NoRefutation,
    /// The refutation uses a term that is in no part.
    Unplaced(TermId),
    /// The refutation uses an axiom about arrays of different parts.
    MixedLemma,
    /// The refutation is not a resolution proof over named variables.
    Internal(String),
    /// The budget ended.
    Stopped(Reason),
}

impl fmt::Display for InterpolantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpolantError::NoRefutation => write!(f, "there is no recorded refutation"),
            InterpolantError::Unplaced(_) => {
                write!(f, "the refutation uses an assertion that is in no part")
            }
            InterpolantError::MixedLemma => {
                write!(f, "the refutation relates arrays of different parts")
            }
            InterpolantError::Internal(text) => write!(f, "{text}"),
            InterpolantError::Stopped(reason) => write!(f, "{}", reason.text()),
        }
    }
}

impl std::error::Error for InterpolantError {}

impl Solver {
    /// After `Unsat` with proofs on: for parts that together cover what was refuted, the terms `I_i`
    /// between part `i` and part `i + 1`, such that `I_{i-1}` and part `i` imply `I_i`.
    pub fn interpolants(
        &mut self,
        store: &mut TermStore,
        parts: &[Vec<TermId>],
        system: System,
        budget: &Budget,
    ) -> Result<Vec<TermId>, InterpolantError> {
        let start = Instant::now();
        let result = self.interpolants_untimed(store, parts, system, budget);
        self.stats.interpolation_time += start.elapsed();
        result
    }

    fn interpolants_untimed(
        &mut self,
        store: &mut TermStore,
        parts: &[Vec<TermId>],
        system: System,
        budget: &Budget,
    ) -> Result<Vec<TermId>, InterpolantError> {
        if self.answer() != Some(&Answer::Unsat) {
            return Err(InterpolantError::NoRefutation);
        }
        let conclusion = self.sat.conclusion().ok_or(InterpolantError::NoRefutation)?;
        let contents: Vec<FxHashSet<TermId>> =
            parts.iter().map(|part| store.reachable(part).into_iter().collect()).collect();
        let circuits = {
            let proof = self.sat.proof().ok_or(InterpolantError::NoRefutation)?;
            let part_of_term = |term: TermId| parts.iter().position(|part| part.contains(&term));
            let part_of_group = |group: u32| match &self.groups[group as usize] {
                Group::Assertion(term) => part_of_term(*term),
                Group::Lemma(terms) => part_of_lemma(store, &contents, terms),
            };
            let part_of_assumption = |lit: CnfLit| {
                if self.switches.contains_key(&lit.var().index()) {
                    return Some(0);
                }
                let terms = self.assumed.iter().filter(|a| a.lit == lit).filter_map(|a| a.term);
                terms.filter_map(part_of_term).next()
            };
            // Switches are true in the query, so they are read as true.
            let literal_of = |var: Var| {
                if self.switches.contains_key(&var.index()) {
                    Some(Lit::TRUE)
                } else {
                    self.cnf.lit_of(var)
                }
            };
            let roots: Vec<Vec<Lit>> = parts
                .iter()
                .map(|part| {
                    let words = part.iter().filter_map(|&term| self.blaster.known_word(term));
                    words.flatten().copied().collect()
                })
                .collect();
            let request = Interpolation {
                proof: &proof,
                conclusion: &conclusion,
                part_of_group: &part_of_group,
                part_of_assumption: &part_of_assumption,
                literal_of: &literal_of,
                roots: &roots,
                system,
            };
            request
                .sequence(&mut self.blaster.aig, parts.len(), budget)
                .map_err(|error| self.explain(error))?
        };
        let options = SweepOptions { budget: budget.clone(), ..SweepOptions::default() };
        // One by one: a node of another circuit may compute the same from symbols that are not shared here.
        let aig = &mut self.blaster.aig;
        let circuits: Vec<Lit> =
            circuits.iter().map(|&circuit| sweep(aig, &[circuit], &options)[0]).collect();
        self.check_symbols(store, &contents, &circuits)?;
        let mut terms = Vec::new();
        for (cut, &circuit) in circuits.iter().enumerate() {
            if let Some(term) = range::recognise(&mut self.blaster, store, circuit, budget) {
                terms.push(term);
                continue;
            }
            let shared = shared_symbols(store, &parts[..=cut], &parts[cut + 1..]);
            terms.push(Lifter::new(&self.blaster, &shared).lift(store, circuit));
        }
        Ok(terms)
    }

    fn explain(&self, error: InterpolationError) -> InterpolantError {
        match error {
            InterpolationError::UnplacedGroup(group) => match &self.groups[group as usize] {
                Group::Assertion(term) => InterpolantError::Unplaced(*term),
                Group::Lemma(_) => InterpolantError::MixedLemma,
            },
            InterpolationError::UnplacedAssumption(lit) => {
                let term = self.assumed.iter().find(|a| a.lit == lit).and_then(|a| a.term);
                term.map_or(InterpolantError::NoRefutation, InterpolantError::Unplaced)
            }
            InterpolationError::Stopped(reason) => {
                InterpolantError::Stopped(Reason::Stopped(reason))
            }
            other => InterpolantError::Internal(other.to_string()),
        }
    }

    /// Every free bit must belong to a term on both sides of the cut.
    fn check_symbols(
        &self,
        store: &TermStore,
        contents: &[FxHashSet<TermId>],
        circuits: &[Lit],
    ) -> Result<(), InterpolantError> {
        let variables = |term: TermId| store.free_vars(&[term]);
        let mut usable: FxHashMap<(usize, TermId), bool> = FxHashMap::default();
        for (cut, &circuit) in circuits.iter().enumerate() {
            for position in self.blaster.aig.support(&[circuit]) {
                let term = match self.blaster.origin(position) {
                    Origin::Bit(term, _) | Origin::ArrayEquality(term) => term,
                    Origin::Witness(_) => return Err(InterpolantError::MixedLemma),
                };
                let is_usable = *usable.entry((cut, term)).or_insert_with(|| {
                    variables(term).into_iter().all(|var| {
                        let var = store.var_info(var).term;
                        contents[..=cut].iter().any(|part| part.contains(&var))
                            && contents[cut + 1..].iter().any(|part| part.contains(&var))
                    })
                });
                if !is_usable {
                    return Err(match self.blaster.arrays.is_empty() {
                        true => InterpolantError::Internal("a local symbol is left".to_owned()),
                        false => InterpolantError::MixedLemma,
                    });
                }
            }
        }
        Ok(())
    }
}

/// The part that an array lemma counts to.
fn part_of_lemma(
    store: &TermStore,
    contents: &[FxHashSet<TermId>],
    terms: &[TermId],
) -> Option<usize> {
    let whole = contents.iter().position(|part| terms.iter().all(|term| part.contains(term)));
    let over = || {
        let variables = store.free_vars(terms);
        let variables: Vec<TermId> =
            variables.into_iter().map(|var| store.var_info(var).term).collect();
        contents.iter().position(|part| variables.iter().all(|var| part.contains(var)))
    };
    let most = || {
        let n_contained =
            |part: &FxHashSet<TermId>| terms.iter().filter(|&term| part.contains(term)).count();
        (0..contents.len()).rev().max_by_key(|&part| n_contained(&contents[part]))
    };
    whole.or_else(over).or_else(most)
}

/// The variables that occur on both sides.
fn shared_symbols(
    store: &TermStore,
    before: &[Vec<TermId>],
    after: &[Vec<TermId>],
) -> FxHashSet<TermId> {
    let symbols = |parts: &[Vec<TermId>]| -> FxHashSet<TermId> {
        let roots: Vec<TermId> = parts.iter().flatten().copied().collect();
        store.free_vars(&roots).into_iter().map(|v| store.var_info(v).term).collect()
    };
    let (a, b) = (symbols(before), symbols(after));
    a.intersection(&b).copied().collect()
}

/// The flaw in claimed interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterpolantFlaw {
    /// Not one fewer than parts.
    Length,
    /// A part does not preserve them.
    NotImplied(usize),
    /// A symbol of one side only.
    NotShared(usize),
    /// The check did not finish.
    Unknown(Reason),
}

impl fmt::Display for InterpolantFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpolantFlaw::Length => write!(f, "there must be one interpolant per cut"),
            InterpolantFlaw::NotImplied(part) => {
                write!(f, "part {part} does not preserve the interpolants")
            }
            InterpolantFlaw::NotShared(cut) => {
                write!(f, "interpolant {cut} has a symbol of one side only")
            }
            InterpolantFlaw::Unknown(reason) => write!(f, "check stopped: {}", reason.text()),
        }
    }
}

impl std::error::Error for InterpolantFlaw {}

/// Checks a sequence of interpolants with fresh solvers: with true before the first part and false
/// after the last, each part carries one to the next; and each has shared symbols only.
pub fn check_interpolants(
    store: &mut TermStore,
    parts: &[Vec<TermId>],
    interpolants: &[TermId],
    budget: &Budget,
) -> Result<(), InterpolantFlaw> {
    if interpolants.len() + 1 != parts.len() {
        return Err(InterpolantFlaw::Length);
    }
    for (number, part) in parts.iter().enumerate() {
        let mut solver = Solver::default();
        if number > 0 {
            solver.assert(interpolants[number - 1]);
        }
        for &term in part {
            solver.assert(term);
        }
        if let Some(&after) = interpolants.get(number) {
            let negated = store.not(after);
            solver.assert(negated);
        }
        match solver.check(store, &[], budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err(InterpolantFlaw::NotImplied(number)),
            Answer::Unknown(reason) => return Err(InterpolantFlaw::Unknown(reason)),
        }
    }
    for (cut, &interpolant) in interpolants.iter().enumerate() {
        let shared = shared_symbols(store, &parts[..=cut], &parts[cut + 1..]);
        let used = store.free_vars(&[interpolant]);
        if !used.iter().all(|&v| shared.contains(&store.var_info(v).term)) {
            return Err(InterpolantFlaw::NotShared(cut));
        }
    }
    Ok(())
}
