//! Safety of transition systems: what the unbounded engines are given, what they answer, what they count.
//!
//! An engine here is a function from a [`Search`] to an [`Outcome`]. It may claim what it likes: proofs are
//! checked by `evidence` and paths by evaluation before anybody believes them.

use rustc_hash::FxHashSet;
use vergo_smt::{Answer, Budget, Solver, SolverOptions, System};
use vergo_term::{Op, Sort, TermId, TermStore};
use vergo_ts::{Path, Proof, Start, TransitionSystem, Unrolling};

/// An engine on transition systems. `Err` is a reason for not knowing.
pub type Prover = fn(&mut Search<'_>) -> Result<Outcome, String>;

/// What an engine found out.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No violation is reachable, and why.
    Safe(Proof),
    /// A violation.
    Unsafe(Path),
}

/// What engines count; these are the figures that the literature compares them by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The longest unrolling, in steps.
    pub bound: u32,
    /// The number of images whose union is the fixed point.
    pub convergence: u32,
    /// Interpolants computed.
    pub interpolants: u64,
    /// Atoms in all interpolants together.
    pub interpolant_atoms: u64,
    /// Rounds of the outermost loop.
    pub iterations: u32,
    /// Those of them that needed an unrolling (DAR's global strengthening).
    pub global_iterations: u32,
    /// Questions to the solver.
    pub queries: u64,
    /// Lemmas learned (PDR).
    pub lemmas: u64,
}

impl Statistics {
    /// The figures of two searches together: lengths are the greatest, the rest are sums.
    #[must_use]
    pub fn with(&self, other: &Statistics) -> Statistics {
        Statistics {
            bound: self.bound.max(other.bound),
            convergence: self.convergence.max(other.convergence),
            interpolants: self.interpolants + other.interpolants,
            interpolant_atoms: self.interpolant_atoms + other.interpolant_atoms,
            iterations: self.iterations + other.iterations,
            global_iterations: self.global_iterations + other.global_iterations,
            queries: self.queries + other.queries,
            lemmas: self.lemmas + other.lemmas,
        }
    }
}

/// A system to be decided, and what deciding it needs.
pub struct Search<'a> {
    /// The owner of the system's terms.
    pub store: &'a mut TermStore,
    /// The system, with auxiliary invariants put in.
    pub system: &'a TransitionSystem,
    /// The system as it was made: the same, but steps and violations of unreachable states may be there.
    pub plain: &'a TransitionSystem,
    /// The state variable that is a program counter, if there is one; engines that unfold control flow use it.
    pub control: Option<TermId>,
    /// Time, memory, cancellation.
    pub budget: &'a Budget,
    /// Who hears that a new bound or frame has begun.
    pub progress: &'a dyn Fn(u32),
    /// Counters.
    pub stats: Statistics,
    /// Decides implications between formulas over the current state.
    implications: Solver,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        store: &'a mut TermStore,
        system: &'a TransitionSystem,
        budget: &'a Budget,
        progress: &'a dyn Fn(u32),
    ) -> Search<'a> {
        let stats = Statistics::default();
        let implications = Solver::default();
        Search {
            store,
            system,
            plain: system,
            control: None,
            budget,
            progress,
            stats,
            implications,
        }
    }

    /// Announces a bound.
    pub(crate) fn at_bound(&mut self, bound: u32) -> Result<(), String> {
        self.stats.bound = self.stats.bound.max(bound);
        self.stats.iterations += 1;
        (self.progress)(bound);
        self.go_on()
    }

    /// Fails when the budget is spent.
    pub(crate) fn go_on(&self) -> Result<(), String> {
        self.budget.exhausted().map_or(Ok(()), |reason| Err(reason.name().to_owned()))
    }

    /// Whether a solver's assertions are satisfiable together with assumptions.
    pub(crate) fn sat(
        &mut self,
        solver: &mut Solver,
        assumptions: &[TermId],
    ) -> Result<bool, String> {
        self.stats.queries += 1;
        match solver.check(self.store, assumptions, self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason.text()),
        }
    }

    /// The interpolants of the last refutation.
    pub(crate) fn interpolate(
        &mut self,
        solver: &mut Solver,
        parts: &[Vec<TermId>],
    ) -> Result<Vec<TermId>, String> {
        let interpolants = solver
            .interpolants(self.store, parts, System::McMillan, self.budget)
            .map_err(|error| error.to_string())?;
        for &interpolant in &interpolants {
            self.stats.interpolants += 1;
            self.stats.interpolant_atoms += atoms(self.store, interpolant).len() as u64;
        }
        Ok(interpolants)
    }

    /// Whether a formula over the current state implies another.
    pub(crate) fn implies(&mut self, a: TermId, b: TermId) -> Result<bool, String> {
        let not_b = self.store.not(b);
        self.stats.queries += 1;
        match self.implications.check(self.store, &[a, not_b], self.budget) {
            Answer::Sat => Ok(false),
            Answer::Unsat => Ok(true),
            Answer::Unknown(reason) => Err(reason.text()),
        }
    }

    /// The violation in an initial state, if there is one.
    pub(crate) fn initial_violation(&mut self) -> Result<Option<Outcome>, String> {
        self.violation_along(0, &[])
    }

    /// The violation after exactly so many steps, if there is one; each given formula over the current state
    /// holds at the time of its position.
    pub(crate) fn violation_along(
        &mut self,
        steps: u32,
        along: &[TermId],
    ) -> Result<Option<Outcome>, String> {
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(self.store, self.system, Start::Initial, options);
        for (time, &formula) in along.iter().enumerate() {
            let here = unrolling.unroller.at(self.store, formula, time as u32);
            unrolling.solver.assert(here);
        }
        self.stats.queries += 1;
        match unrolling.violation(self.store, steps, self.budget) {
            Answer::Sat => Ok(Some(Outcome::Unsafe(unrolling.path(self.store, steps)))),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason.text()),
        }
    }
}

/// An inductive invariant.
pub(crate) fn inductive(invariant: TermId) -> Outcome {
    Outcome::Safe(Proof::Inductive { invariant, k: 1, simple_paths: false })
}

/// Algorithm 2 of the comparison that [`imc`](crate::imc) cites: whether an image is within the union of
/// those before it. The answer is that union and the number of its images.
///
/// The first image counts for the union, not as a fixed point, however small it is.
pub(crate) fn fixed_point(
    search: &mut Search<'_>,
    images: &[TermId],
) -> Result<Option<(TermId, u32)>, String> {
    let mut union = images[0];
    for (length, &image) in images.iter().enumerate().skip(1) {
        if search.implies(image, union)? {
            return Ok(Some((union, length as u32)));
        }
        union = search.store.or(union, image);
    }
    Ok(None)
}

/// The different atoms: Bool terms that are not made by connectives from others.
pub(crate) fn atoms(store: &TermStore, formula: TermId) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut pending = vec![formula];
    let mut atoms = Vec::new();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = store.args(term);
        let is_connective = match store.op(term) {
            Op::Not | Op::And | Op::Ite => true,
            Op::Eq => store.sort(args[0]) == Sort::Bool,
            _ => false,
        };
        if is_connective {
            pending.extend_from_slice(args);
        } else if !store.is_value(term) {
            atoms.push(term);
        }
    }
    atoms.sort_unstable();
    atoms
}
