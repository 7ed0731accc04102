//! Unrolling: copies of a system's formulas at points in time.
//!
//! [`Unroller`] renames: at time `t` the current state is the variables of time `t`, the next state those
//! of `t + 1`, and the inputs are those of time `t`. Copies are remembered, so that a formula asked for
//! twice is the same term. [`Unrolling`] keeps one incremental solver with the steps from a first state
//! on, and answers whether a violation is there after so many steps.

use crate::path::Path;
use crate::system::TransitionSystem;
use rustc_hash::FxHashMap;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_term::{Evaluator, TermId, TermStore};

/// Copies of a system's formulas at points in time.
pub struct Unroller<'a> {
    system: &'a TransitionSystem,
    times: Vec<Time>,
}

/// The variables of a point in time.
struct Time {
    state: Vec<TermId>,
    inputs: Vec<TermId>,
    copies: FxHashMap<TermId, TermId>,
}

impl<'a> Unroller<'a> {
    /// An unroller for a system.
    pub fn new(system: &'a TransitionSystem) -> Unroller<'a> {
        Unroller { system, times: Vec::new() }
    }

    /// The system.
    pub fn system(&self) -> &'a TransitionSystem {
        self.system
    }

    /// The state variables at a time, in the system's order.
    pub fn state(&mut self, store: &mut TermStore, time: u32) -> &[TermId] {
        self.reach(store, time);
        &self.times[time as usize].state
    }

    /// The inputs at a time, in the system's order.
    pub fn inputs(&mut self, store: &mut TermStore, time: u32) -> &[TermId] {
        self.reach(store, time);
        &self.times[time as usize].inputs
    }

    /// A formula over current state, inputs and next state, at a time.
    pub fn at(&mut self, store: &mut TermStore, formula: TermId, time: u32) -> TermId {
        self.reach(store, time + 1);
        let index = time as usize;
        if let Some(&copy) = self.times[index].copies.get(&formula) {
            return copy;
        }
        let (now, then) = (&self.times[index], &self.times[index + 1]);
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        map.extend(self.system.current().zip(now.state.iter().copied()));
        map.extend(self.system.next().zip(then.state.iter().copied()));
        map.extend(self.system.inputs.iter().copied().zip(now.inputs.iter().copied()));
        let copy = store.substitute(formula, &map);
        self.times[index].copies.insert(formula, copy);
        copy
    }

    /// Initial states at time zero.
    pub fn init(&mut self, store: &mut TermStore) -> TermId {
        self.at(store, self.system.init, 0)
    }

    /// The step from a time to the next.
    pub fn trans(&mut self, store: &mut TermStore, time: u32) -> TermId {
        self.at(store, self.system.trans, time)
    }

    /// A violation at a time.
    pub fn bad(&mut self, store: &mut TermStore, time: u32) -> TermId {
        self.at(store, self.system.bad, time)
    }

    /// A formula over the state at a time, as one over the current state.
    pub fn to_current(&mut self, store: &mut TermStore, formula: TermId, time: u32) -> TermId {
        self.reach(store, time);
        let state = &self.times[time as usize].state;
        let map = state.iter().copied().zip(self.system.current()).collect();
        store.substitute(formula, &map)
    }

    /// Builds the condition that the states at two times differ.
    pub fn differ(&mut self, store: &mut TermStore, a: u32, b: u32) -> TermId {
        self.reach(store, a.max(b));
        let (a, b) = (self.times[a as usize].state.clone(), &self.times[b as usize].state);
        let differences: Vec<TermId> = a.iter().zip(b).map(|(&x, &y)| store.ne(x, y)).collect();
        store.or_all(&differences)
    }

    fn reach(&mut self, store: &mut TermStore, time: u32) {
        while self.times.len() <= time as usize {
            let now = self.times.len();
            let state = self.system.state.iter().map(|var| {
                let sort = store.sort(var.current);
                store.fresh_var(&format!("{}@{now}", var.name), sort)
            });
            let state = state.collect();
            let inputs = self.system.inputs.iter().map(|&input| {
                let sort = store.sort(input);
                let name = store.as_var(input).map(|var| store.var_info(var).name.clone());
                store.fresh_var(&format!("{}@{now}", name.unwrap_or_default()), sort)
            });
            let inputs = inputs.collect();
            self.times.push(Time { state, inputs, copies: FxHashMap::default() });
        }
    }
}

/// Where an unrolling starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// In an initial state.
    Initial,
    /// In any state.
    Anywhere,
}

/// Executions of growing length in one incremental solver.
pub struct Unrolling<'a> {
    /// The copies.
    pub unroller: Unroller<'a>,
    /// The solver, which holds the start and the steps so far.
    pub solver: Solver,
    n_steps: u32,
}

impl<'a> Unrolling<'a> {
    /// Executions of no step.
    pub fn new(
        store: &mut TermStore,
        system: &'a TransitionSystem,
        start: Start,
        options: SolverOptions,
    ) -> Unrolling<'a> {
        let mut unrolling =
            Unrolling { unroller: Unroller::new(system), solver: Solver::new(options), n_steps: 0 };
        if start == Start::Initial {
            let init = unrolling.unroller.init(store);
            unrolling.solver.assert(init);
        }
        unrolling
    }

    /// The number of steps asserted so far.
    pub fn n_steps(&self) -> u32 {
        self.n_steps
    }

    /// Makes executions at least so many steps long.
    pub fn extend_to(&mut self, store: &mut TermStore, steps: u32) {
        while self.n_steps < steps {
            let trans = self.unroller.trans(store, self.n_steps);
            self.solver.assert(trans);
            self.n_steps += 1;
        }
    }

    /// Checks whether there is a violation after exactly so many steps, no fewer than before.
    pub fn violation(&mut self, store: &mut TermStore, steps: u32, budget: &Budget) -> Answer {
        self.extend_to(store, steps);
        let bad = self.unroller.bad(store, steps);
        self.solver.check(store, &[bad], budget)
    }

    /// After `Sat`: the execution of the model, with so many steps.
    pub fn path(&mut self, store: &mut TermStore, steps: u32) -> Path {
        self.unroller.reach(store, steps);
        let model = self.solver.model(store);
        let mut evaluator = Evaluator::new(store, &model);
        let mut path = Path { states: Vec::new(), inputs: Vec::new() };
        for time in &self.unroller.times[..=steps as usize] {
            path.states.push(time.state.iter().map(|&x| evaluator.value(x).clone()).collect());
            path.inputs.push(time.inputs.iter().map(|&x| evaluator.value(x).clone()).collect());
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::StateVar;
    use vergo_term::Sort;

    /// Counts up by the input (one or two) and is bad at the limit.
    fn counter(store: &mut TermStore, limit: u64) -> TransitionSystem {
        let x = store.var("x", Sort::BitVec(8));
        let next = store.var("x'", Sort::BitVec(8));
        let twice = store.var("twice", Sort::Bool);
        let [zero, one, two, limit] = [0, 1, 2, limit].map(|n| store.bv_u64(8, n));
        let step = store.ite(twice, two, one);
        let sum = store.bv_add(x, step);
        TransitionSystem {
            state: vec![StateVar { current: x, next, name: "x".to_owned() }],
            inputs: vec![twice],
            init: store.eq(x, zero),
            trans: store.eq(next, sum),
            bad: store.eq(x, limit),
        }
    }

    #[test]
    fn violations_are_where_they_are_and_paths_are_executions() {
        let mut store = TermStore::new();
        let system = counter(&mut store, 7);
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(&mut store, &system, Start::Initial, options);
        for steps in 0..10 {
            let answer = unrolling.violation(&mut store, steps, &Budget::unlimited());
            let expected = if (4..=7).contains(&steps) { Answer::Sat } else { Answer::Unsat };
            assert_eq!(answer, expected, "{steps} steps");
            if answer == Answer::Sat {
                let path = unrolling.path(&mut store, steps);
                assert_eq!(path.len(), steps as usize);
                assert!(path.verify(&store, &system));
                let mut wrong = path;
                wrong.states.remove(0);
                wrong.inputs.remove(0);
                assert!(!wrong.verify(&store, &system));
            }
        }
    }

    #[test]
    fn copies_are_remembered_and_renamed_back() {
        let mut store = TermStore::new();
        let system = counter(&mut store, 7);
        let mut unroller = Unroller::new(&system);
        let first = unroller.bad(&mut store, 3);
        assert_eq!(unroller.bad(&mut store, 3), first);
        assert_ne!(first, system.bad);
        assert_eq!(unroller.to_current(&mut store, first, 3), system.bad);
    }
}
