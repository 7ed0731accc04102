//! Dual approximated reachability.
//!
//! **Idea.** Two sequences: `F_i` is a superset of the states after `i` steps from an initial state and has no
//! violation, `B_i` is a superset of the states from which a violation is `i` steps away and has no initial
//! state. One step that cannot lead from `F_i` to `B_{n-i}`, for any `i`, shows that there is no violation
//! after `n + 1` steps, and interpolants of that single step, taken forwards and backwards, strengthen and
//! extend both sequences (*local strengthening*). Only where no such step exists is the system unrolled,
//! from the initial states and no further than to the first `B` that cannot be reached (*global
//! strengthening*). A fixed point of either sequence is a proof.
//!
//! **Source.** Vizel, Grumberg, Shoham, "Intertwined Forward-Backward Reachability Analysis Using Interpolants",
//! TACAS 2013, doi 10.1007/978-3-642-36742-7_22; algorithms 2-4 of the comparison that [`imc`](crate::imc)
//! cites, whose line numbers are given.
//!
//! **Deviations.** `bad` may depend on inputs, so `B_0` is a set of states only after projection, which we do
//! not compute: it is used where it is a premise, with inputs of its own, and left out of the backward
//! union. The proof is none the worse: a state whose successors are outside of `B_1` has no bad successor.
//!
//! **Soundness.** An empty sequence is no fixed point: the union starts with `F_0` or `B_1`, and only a later
//! image can be contained in it.

use crate::ismc::partition;
use crate::safety::{Conclusion, Search, fixed_point, inductive};
use vergo_evidence::Reason;
use vergo_smt::{Solver, SolverOptions};
use vergo_term::TermId;
use vergo_ts::{Start, Unroller, Unrolling};

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    // Lines 6-7.
    if let Some(violation) = search.initial_violation()? {
        return Ok(violation);
    }
    let mut dar = Dar::new(search);
    let mut unrolling = None;
    loop {
        // Lines 12 and 30.
        if let Some(proof) = dar.converged(search)? {
            return Ok(proof);
        }
        let n = dar.forward.len() as u32;
        search.at_bound(1)?;
        // Lines 13-28.
        let index = match dar.smallest_unsat_index(search)? {
            Some(index) => index,
            None => {
                search.stats.global_iterations += 1;
                match dar.global_strengthening(search, &mut unrolling, n)? {
                    Ok(index) => index,
                    Err(violation) => return Ok(violation),
                }
            }
        };
        // Line 29.
        dar.iterative_strengthen(search, index)?;
    }
}

/// The sequences, and a solver with one step from time 0 to time 1.
struct Dar<'a> {
    forward: Vec<TermId>,
    backward: Vec<TermId>,
    step: Unroller<'a>,
    solver: Solver,
}

impl<'a> Dar<'a> {
    fn new(search: &mut Search<'a>) -> Dar<'a> {
        let system = search.system;
        let mut step = Unroller::new(system);
        let mut solver = Solver::new(SolverOptions::interpolating());
        solver.assert(step.trans(search.store, 0));
        Dar { forward: vec![system.init], backward: vec![system.bad], step, solver }
    }

    /// Algorithm 2 for both sequences.
    fn converged(&mut self, search: &mut Search<'_>) -> Result<Option<Conclusion>, Reason> {
        if let Some((union, length)) = fixed_point(search, &self.forward)? {
            search.stats.convergence = length;
            return Ok(Some(inductive(union)));
        }
        if self.backward.len() > 1
            && let Some((union, length)) = fixed_point(search, &self.backward[1..])?
        {
            search.stats.convergence = length;
            return Ok(Some(inductive(search.store.not(union))));
        }
        Ok(None)
    }

    /// The smallest `i` such that no step leads from `F_i` to `B_{n-1-i}`.
    fn smallest_unsat_index(&mut self, search: &mut Search<'_>) -> Result<Option<usize>, Reason> {
        for index in 0..self.forward.len() {
            if self.refuted(search, index)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Checks whether no step leads from `F_i` to its counterpart.
    fn refuted(&mut self, search: &mut Search<'_>, index: usize) -> Result<bool, Reason> {
        let (from, to) = self.ends(search, index, self.forward.len().min(self.backward.len()));
        Ok(!search.sat(&mut self.solver, &[from, to])?)
    }

    /// `F_j(s)` and `B_{n-1-j}(s')`.
    fn ends(&mut self, search: &mut Search<'_>, j: usize, n: usize) -> (TermId, TermId) {
        let from = self.step.at(search.store, self.forward[j], 0);
        let to = self.step.at(search.store, self.backward[n - 1 - j], 1);
        (from, to)
    }

    /// Lines 15-28: the index at which local strengthening can go on, or a violation.
    fn global_strengthening(
        &mut self,
        search: &mut Search<'a>,
        unrolling: &mut Option<Unrolling<'a>>,
        n: u32,
    ) -> Result<Result<usize, Conclusion>, Reason> {
        let system = search.system;
        let store = &mut *search.store;
        let unrolling = unrolling.get_or_insert_with(|| {
            Unrolling::new(store, system, Start::Initial, SolverOptions::interpolating())
        });
        for i in 1..=n {
            search.stats.bound = search.stats.bound.max(i);
            let target = self.backward[(n - i) as usize];
            let target = unrolling.unroller.at(search.store, target, i);
            // Steps are assumed, so that those of longer queries take no part in shorter ones: where a state
            // has no successor, they would refute them.
            let steps = (0..i).map(|time| unrolling.unroller.trans(search.store, time));
            let query: Vec<TermId> = steps.chain([target]).collect();
            if search.sat(&mut unrolling.solver, &query)? {
                if i == n {
                    return Ok(Err(Conclusion::Unsafe(unrolling.path(search.store, n))));
                }
                continue;
            }
            let parts = partition(search, unrolling, i, target);
            let sequence = search.interpolate(&mut unrolling.solver, &parts)?;
            for (time, interpolant) in (1..=i.min(n - 1)).zip(sequence) {
                let state = unrolling.unroller.to_current(search.store, interpolant, time);
                let image = &mut self.forward[time as usize];
                *image = search.store.and(*image, state);
            }
            return Ok(Ok(i as usize - 1));
        }
        Err(Reason::incomplete("there is nothing to strengthen"))
    }

    /// Algorithm 4.
    fn iterative_strengthen(&mut self, search: &mut Search<'_>, i: usize) -> Result<(), Reason> {
        let n = self.forward.len();
        let step = self.step.trans(search.store, 0);
        self.forward.push(search.store.true_term());
        for j in i..n {
            let (from, to) = self.ends(search, j, n);
            let interpolant = self.separate(search, vec![from, step], vec![to])?;
            let state = self.step.to_current(search.store, interpolant, 1);
            self.forward[j + 1] = search.store.and(self.forward[j + 1], state);
        }
        self.backward.push(search.store.true_term());
        for j in n - 1 - i..n {
            let (from, to) = self.ends(search, n - 1 - j, n);
            let interpolant = self.separate(search, vec![to, step], vec![from])?;
            let state = self.step.to_current(search.store, interpolant, 0);
            self.backward[j + 1] = search.store.and(self.backward[j + 1], state);
        }
        Ok(())
    }

    /// An interpolant between two sets of formulas that together say a step that does not exist.
    fn separate(
        &mut self,
        search: &mut Search<'_>,
        a: Vec<TermId>,
        b: Vec<TermId>,
    ) -> Result<TermId, Reason> {
        if search.sat(&mut self.solver, &[a[0], b[0]])? {
            return Err(Reason::Fault("strengthening lost a refutation".to_owned()));
        }
        Ok(search.interpolate(&mut self.solver, &[a, b])?[0])
    }
}
