//! Safety of transition systems: what the unbounded engines are given, what they answer, what they count.
//!
//! An engine here is a function from a [`Search`] to an [`Conclusion`]. It may claim what it likes: proofs are
//! checked by `evidence` and paths by evaluation before anybody believes them.

use rustc_hash::FxHashSet;
use vergo_evidence::Reason;
use vergo_smt::{Answer, Budget, Solver, SolverOptions, System};
use vergo_term::{Op, Sort, TermId, TermStore};
use vergo_ts::{Path, Proof, Start, TransitionSystem, Unrolling};

/// An engine on transition systems. `Err` is a reason for not knowing.
pub type Prover = fn(&mut Search<'_>) -> Result<Conclusion, Reason>;

/// The conclusion of an engine.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// No violation is reachable, and why.
    Safe(Proof),
    /// A violation.
    Unsafe(Path),
}

vergo_smt::counters! {
    /// The counters of engines; these are the figures by which the literature compares them.
    pub struct Statistics {
        /// The longest unrolling, in steps.
        max bound: u32,
        /// The number of images whose union is the fixed point.
        max convergence: u32,
        /// Interpolants computed.
        sum interpolants: u64,
        /// Atoms in all interpolants together.
        sum interpolant_atoms: u64,
        /// Rounds of the outermost loop.
        sum iterations: u32,
        /// Those of them that needed an unrolling (DAR's global strengthening).
        sum global_iterations: u32,
        /// Questions to the solver.
        sum queries: u64,
        /// Lemmas learned (PDR).
        sum lemmas: u64,
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
    /// The listener that is told when a new bound or frame begins.
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
    pub(crate) fn at_bound(&mut self, bound: u32) -> Result<(), Reason> {
        self.stats.bound = self.stats.bound.max(bound);
        self.stats.iterations += 1;
        (self.progress)(bound);
        self.go_on()
    }

    /// Fails when the budget is spent.
    pub(crate) fn go_on(&self) -> Result<(), Reason> {
        self.budget.exhausted().map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// Checks whether a solver's assertions are satisfiable together with assumptions.
    pub(crate) fn sat(
        &mut self,
        solver: &mut Solver,
        assumptions: &[TermId],
    ) -> Result<bool, Reason> {
        self.stats.queries += 1;
        match solver.check(self.store, assumptions, self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The interpolants of the last refutation.
    pub(crate) fn interpolate(
        &mut self,
        solver: &mut Solver,
        parts: &[Vec<TermId>],
    ) -> Result<Vec<TermId>, Reason> {
        let interpolants = solver
            .interpolants(self.store, parts, System::McMillan, self.budget)
            .map_err(Reason::from)?;
        for &interpolant in &interpolants {
            self.stats.interpolants += 1;
            self.stats.interpolant_atoms += atoms(self.store, interpolant).len() as u64;
        }
        Ok(interpolants)
    }

    /// Checks whether a formula over the current state implies another.
    pub(crate) fn implies(&mut self, a: TermId, b: TermId) -> Result<bool, Reason> {
        let not_b = self.store.not(b);
        self.stats.queries += 1;
        match self.implications.check(self.store, &[a, not_b], self.budget) {
            Answer::Sat => Ok(false),
            Answer::Unsat => Ok(true),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The violation in an initial state, if there is one.
    pub(crate) fn initial_violation(&mut self) -> Result<Option<Conclusion>, Reason> {
        self.violation_along(0, &[])
    }

    /// The violation after exactly so many steps, if there is one; each given formula over the current state
    /// holds at the time of its position.
    pub(crate) fn violation_along(
        &mut self,
        steps: u32,
        along: &[TermId],
    ) -> Result<Option<Conclusion>, Reason> {
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(self.store, self.system, Start::Initial, options);
        for (time, &formula) in along.iter().enumerate() {
            let here = unrolling.unroller.at(self.store, formula, time as u32);
            unrolling.solver.assert(here);
        }
        self.stats.queries += 1;
        match unrolling.violation(self.store, steps, self.budget) {
            Answer::Sat => Ok(Some(Conclusion::Unsafe(unrolling.path(self.store, steps)))),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}

/// An inductive invariant.
pub(crate) fn inductive(invariant: TermId) -> Conclusion {
    Conclusion::Safe(Proof::inductive(invariant))
}

/// Algorithm 2 of the comparison that [`imc`](crate::imc) cites: whether an image is within the union of
/// those before it. The answer is that union and the number of its images.
///
/// The first image counts for the union, not as a fixed point, however small it is.
pub(crate) fn fixed_point(
    search: &mut Search<'_>,
    images: &[TermId],
) -> Result<Option<(TermId, u32)>, Reason> {
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
