//! Concrete executions of a transition system.

use crate::system::TransitionSystem;
use vergo_term::{Assignment, Evaluator, TermId, TermStore, Value};

/// An execution with the inputs of each state: `states[j + 1]` follows `states[j]` under `inputs[j]`, and
/// the last state is bad under the last inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// A value for each state variable, state by state.
    pub states: Vec<Vec<Value>>,
    /// A value for each input, state by state.
    pub inputs: Vec<Vec<Value>>,
}

impl Path {
    /// The number of steps.
    pub fn len(&self) -> usize {
        self.states.len().saturating_sub(1)
    }

    /// Checks whether no step is made: the violation is in the initial state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks whether this is an execution of the system that ends in a violation.
    pub fn verify(&self, store: &TermStore, system: &TransitionSystem) -> bool {
        let n_states = self.states.len();
        if n_states == 0 || self.inputs.len() != n_states {
            return false;
        }
        let holds = |formula: TermId, time: usize| {
            let mut assignment = Assignment::new();
            let mut set = |var: TermId, value: &Value| {
                if let Some(var) = store.as_var(var) {
                    assignment.set(var, value.clone());
                }
            };
            for (var, value) in system.state.iter().zip(&self.states[time]) {
                set(var.current, value);
            }
            for (&var, value) in system.inputs.iter().zip(&self.inputs[time]) {
                set(var, value);
            }
            if let Some(state) = self.states.get(time + 1) {
                for (var, value) in system.state.iter().zip(state) {
                    set(var.next, value);
                }
            }
            Evaluator::new(store, &assignment).value(formula).as_bool()
        };
        holds(system.init, 0)
            && (0..n_states - 1).all(|time| holds(system.trans, time))
            && holds(system.bad, n_states - 1)
    }
}
