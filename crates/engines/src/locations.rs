//! The locations of a system: the values of its program counter, and which can follow which.
//!
//! Lazy abstraction unfolds a program along its control flow. In a transition system the control flow is the values
//! of one state variable; a system without such a variable has a single location. Engines that unfold share the
//! paths through locations here, and the interpolants of those that lead nowhere.

use crate::safety::{Conclusion, Search};
use vergo_evidence::Reason;
use vergo_smt::{Answer, Solver, SolverOptions};
use vergo_term::{Evaluator, TermId};
use vergo_ts::{Start, Unrolling};

/// More locations than this are not unfolded one by one.
const MAX_LOCATIONS: usize = 2000;

/// A location, by its position in [`Locations::all`].
pub(crate) type LocationIndex = usize;

/// A location.
pub(crate) struct Location {
    /// The condition that the program is here, over the current state.
    pub(crate) here: TermId,
    /// The locations that one step can lead to from some state here.
    pub(crate) successors: Vec<LocationIndex>,
}

/// All locations that control flow alone can reach.
pub(crate) struct Locations<'a> {
    pub(crate) all: Vec<Location>,
    /// The first of them are initial.
    pub(crate) n_initial: usize,
    /// Paths, and the solver that refutes them.
    unrolling: Unrolling<'a>,
}

/// The outcome for a path with a violation at its end.
pub(crate) enum Explored {
    /// It is an execution.
    Violation(Conclusion),
    /// It is not; for each location on it a formula that executions along the path satisfy there.
    Refuted(Vec<TermId>),
}

impl<'a> Locations<'a> {
    /// Finds the locations of a system.
    pub(crate) fn of(search: &mut Search<'a>) -> Result<Locations<'a>, Reason> {
        let system = search.system;
        let options = SolverOptions::interpolating();
        let unrolling = Unrolling::new(search.store, system, Start::Anywhere, options);
        let mut locations = Locations { all: Vec::new(), n_initial: 0, unrolling };
        let position = search.control.and_then(|var| system.current().position(|x| x == var));
        let Some(position) = position else {
            let here = search.store.true_term();
            locations.all.push(Location { here, successors: vec![0] });
            locations.n_initial = 1;
            return Ok(locations);
        };
        let (counter, next) = (system.state[position].current, system.state[position].next);
        locations.successors(search, counter, &[system.init])?;
        locations.n_initial = locations.all.len();
        let mut at = 0;
        while at < locations.all.len() {
            let here = locations.all[at].here;
            let values = locations.values(search, next, &[system.trans, here])?;
            let mut successors = Vec::new();
            for value in values {
                successors.push(locations.index(search, counter, value));
            }
            locations.all[at].successors = successors;
            if locations.all.len() > MAX_LOCATIONS {
                return Err(Reason::incomplete("too many locations"));
            }
            at += 1;
        }
        Ok(locations)
    }

    fn successors(
        &mut self,
        search: &mut Search<'_>,
        counter: TermId,
        formulas: &[TermId],
    ) -> Result<(), Reason> {
        for value in self.values(search, counter, formulas)? {
            self.index(search, counter, value);
        }
        Ok(())
    }

    /// The location of a value of the counter.
    fn index(&mut self, search: &mut Search<'_>, counter: TermId, value: TermId) -> LocationIndex {
        let here = search.store.eq(counter, value);
        let known = self.all.iter().position(|location| location.here == here);
        known.unwrap_or_else(|| {
            self.all.push(Location { here, successors: Vec::new() });
            self.all.len() - 1
        })
    }

    /// The values that a variable can have.
    fn values(
        &self,
        search: &mut Search<'_>,
        var: TermId,
        formulas: &[TermId],
    ) -> Result<Vec<TermId>, Reason> {
        let mut solver = Solver::default();
        for &formula in formulas {
            solver.assert(formula);
        }
        let mut values = Vec::new();
        while search.sat(&mut solver, &[])? {
            let value = solver.value(search.store, var);
            let value = search.store.value_term(search.store.sort(var), &value);
            values.push(value);
            let other = search.store.ne(var, value);
            solver.assert(other);
            if values.len() > MAX_LOCATIONS {
                return Err(Reason::incomplete("too many locations"));
            }
        }
        values.sort();
        Ok(values)
    }

    /// Checks whether a violation is at the end of a path through locations.
    pub(crate) fn explore(
        &mut self,
        search: &mut Search<'_>,
        path: &[LocationIndex],
    ) -> Result<Explored, Reason> {
        let last = path.len() as u32 - 1;
        search.stats.bound = search.stats.bound.max(last);
        let unroller = &mut self.unrolling.unroller;
        let mut parts: Vec<Vec<TermId>> = Vec::new();
        for (time, &location) in (0..).zip(path) {
            let here = unroller.at(search.store, self.all[location].here, time);
            let before = match time {
                0 => unroller.init(search.store),
                _ => unroller.trans(search.store, time - 1),
            };
            parts.push(vec![before, here]);
        }
        parts.push(vec![unroller.bad(search.store, last)]);
        let query: Vec<TermId> = parts.iter().flatten().copied().collect();
        if search.sat(&mut self.unrolling.solver, &query)? {
            let path = self.unrolling.path(search.store, last);
            return Ok(Explored::Violation(Conclusion::Unsafe(path)));
        }
        let sequence = search.interpolate(&mut self.unrolling.solver, &parts)?;
        let unroller = &mut self.unrolling.unroller;
        let current = (0..)
            .zip(sequence)
            .map(|(time, formula)| unroller.to_current(search.store, formula, time))
            .collect();
        Ok(Explored::Refuted(current))
    }

    /// Checks whether a violation is possible in a set of states at a location.
    pub(crate) fn may_be_bad(
        &mut self,
        search: &mut Search<'_>,
        location: LocationIndex,
        states: TermId,
    ) -> Result<bool, Reason> {
        let query = [self.all[location].here, states, search.system.bad];
        search.sat(&mut self.unrolling.solver, &query)
    }

    /// The strongest combination of predicates that holds after a step from a set of states at a location to
    /// another; without a first location, of the initial states there. `None` if there is no such step.
    pub(crate) fn abstract_post(
        &mut self,
        search: &mut Search<'_>,
        from: Option<(LocationIndex, TermId)>,
        to: LocationIndex,
        predicates: &[TermId],
    ) -> Result<Option<TermId>, Reason> {
        let unroller = &mut self.unrolling.unroller;
        let time = u32::from(from.is_some());
        let mut solver = Solver::default();
        match from {
            None => solver.assert(unroller.init(search.store)),
            Some((location, states)) => {
                solver.assert(unroller.at(search.store, self.all[location].here, 0));
                solver.assert(unroller.at(search.store, states, 0));
                solver.assert(unroller.trans(search.store, 0));
            }
        }
        solver.assert(unroller.at(search.store, self.all[to].here, time));
        let there: Vec<TermId> =
            predicates.iter().map(|&p| unroller.at(search.store, p, time)).collect();
        let mut cubes = Vec::new();
        loop {
            search.stats.queries += 1;
            match solver.check(search.store, &[], search.budget) {
                Answer::Unsat => break,
                Answer::Unknown(reason) => return Err(reason.into()),
                Answer::Sat => {}
            }
            let model = solver.model(search.store);
            let mut evaluator = Evaluator::new(search.store, &model);
            let values: Vec<bool> = there.iter().map(|&p| evaluator.value(p).as_bool()).collect();
            let mut cube = |predicates: &[TermId]| {
                let signed = predicates.iter().zip(&values);
                let literals: Vec<TermId> = signed
                    .map(|(&p, &value)| if value { p } else { search.store.not(p) })
                    .collect();
                search.store.and_all(&literals)
            };
            cubes.push(cube(predicates));
            let seen = cube(&there);
            let other = search.store.not(seen);
            solver.assert(other);
        }
        if cubes.is_empty() {
            return Ok(None);
        }
        Ok(Some(search.store.or_all(&cubes)))
    }
}
