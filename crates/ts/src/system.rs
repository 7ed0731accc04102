//! Symbolic transition systems.
//!
//! A state is a value for each state variable. An execution is a sequence of states `s_0, s_1, …` and
//! inputs `i_0, i_1, …` with `init(s_0)` and `trans(s_j, i_j, s_{j+1})`; it is a *violation* of length
//! `k` if `bad(s_k, i_k)`. The inputs of a step are thus shared by `bad` at a state and `trans` out of
//! it. The transition relation need not be total, and need not be a function: a state without
//! successors is where all executions end (a false assumption, the end of the program).
//!
//! # Well-formedness
//!
//! [`TransitionSystem::verify`] checks:
//!
//! - `current` and `next` of each state variable, and each input, are variables, all different;
//! - `current` and `next` have the same sort;
//! - `init`, `trans` and `bad` are of sort Bool;
//! - `init` has current-state variables only; `bad` has those and inputs; `trans` has those and
//!   next-state variables.

use rustc_hash::FxHashSet;
use std::fmt;
use vergo_term::{Sort, TermId, TermStore};

/// A part of the state.
#[derive(Clone, Debug)]
pub struct StateVar {
    /// Its value in a state: a variable.
    pub current: TermId,
    /// Its value in the following state: another variable.
    pub next: TermId,
    /// The name for people, from whatever the system was made of.
    pub name: String,
}

impl StateVar {
    /// The variable in another store.
    pub fn import(&self, into: &mut TermStore, from: &TermStore) -> StateVar {
        let terms = into.import(from, &[self.current, self.next]);
        StateVar { current: terms[0], next: terms[1], name: self.name.clone() }
    }
}

/// A transition system whose terms live in one store, the caller's.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The state variables.
    pub state: Vec<StateVar>,
    /// Variables whose value each step chooses.
    pub inputs: Vec<TermId>,
    /// Initial states, over the current state.
    pub init: TermId,
    /// Steps, over current state, inputs and next state.
    pub trans: TermId,
    /// Violations, over current state and inputs.
    pub bad: TermId,
}

/// A violation of well-formedness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// A state variable or input is not a variable.
    NotAVariable(TermId),
    /// A variable is used twice.
    Repeated(TermId),
    /// Current and next state differ in sort.
    SortsDiffer(TermId, TermId),
    /// A formula is not of sort Bool.
    NotAFormula(&'static str),
    /// A formula has a variable that it may not have.
    Foreign(&'static str, TermId),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NotAVariable(term) => write!(f, "{term} is not a variable"),
            Flaw::Repeated(term) => write!(f, "variable {term} has two roles"),
            Flaw::SortsDiffer(a, b) => write!(f, "{a} and {b} have different sorts"),
            Flaw::NotAFormula(what) => write!(f, "{what} is not a formula"),
            Flaw::Foreign(what, var) => write!(f, "{what} must not have variable {var}"),
        }
    }
}

impl std::error::Error for Flaw {}

impl TransitionSystem {
    /// The current-state variables.
    pub fn current(&self) -> impl Iterator<Item = TermId> + '_ {
        self.state.iter().map(|var| var.current)
    }

    /// The next-state variables.
    pub fn next(&self) -> impl Iterator<Item = TermId> + '_ {
        self.state.iter().map(|var| var.next)
    }

    /// Checks well-formedness.
    ///
    /// # Errors
    /// The first flaw.
    pub fn verify(&self, store: &TermStore) -> Result<(), Flaw> {
        let mut seen = FxHashSet::default();
        for var in self.current().chain(self.next()).chain(self.inputs.iter().copied()) {
            if store.as_var(var).is_none() {
                return Err(Flaw::NotAVariable(var));
            }
            if !seen.insert(var) {
                return Err(Flaw::Repeated(var));
            }
        }
        for var in &self.state {
            if store.sort(var.current) != store.sort(var.next) {
                return Err(Flaw::SortsDiffer(var.current, var.next));
            }
        }
        let inputs = || self.inputs.iter().copied();
        self.verify_formula(store, "init", self.init, self.current().collect())?;
        self.verify_formula(store, "bad", self.bad, self.current().chain(inputs()).collect())?;
        self.verify_formula(store, "trans", self.trans, seen)
    }

    fn verify_formula(
        &self,
        store: &TermStore,
        what: &'static str,
        formula: TermId,
        allowed: FxHashSet<TermId>,
    ) -> Result<(), Flaw> {
        if store.sort(formula) != Sort::Bool {
            return Err(Flaw::NotAFormula(what));
        }
        for var in store.free_vars(&[formula]) {
            let var = store.var_info(var).term;
            if !allowed.contains(&var) {
                return Err(Flaw::Foreign(what, var));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(store: &mut TermStore) -> TransitionSystem {
        let x = store.var("x", Sort::BitVec(4));
        let next = store.var("x'", Sort::BitVec(4));
        let input = store.var("i", Sort::Bool);
        let (zero, one, nine) = (store.bv_u64(4, 0), store.bv_u64(4, 1), store.bv_u64(4, 9));
        let step = store.bv_add(x, one);
        let value = store.ite(input, step, zero);
        TransitionSystem {
            state: vec![StateVar { current: x, next, name: "x".to_owned() }],
            inputs: vec![input],
            init: store.eq(x, zero),
            trans: store.eq(next, value),
            bad: store.eq(x, nine),
        }
    }

    #[test]
    fn flaws_are_found() {
        let mut store = TermStore::new();
        let good = counter(&mut store);
        assert_eq!(good.verify(&store), Ok(()));
        let (current, next) = (good.state[0].current, good.state[0].next);
        let check = |change: &dyn Fn(&mut TransitionSystem)| {
            let mut system = good.clone();
            change(&mut system);
            system.verify(&store)
        };
        assert_eq!(check(&|s| s.init = s.trans), Err(Flaw::Foreign("init", next)));
        assert_eq!(check(&|s| s.bad = current), Err(Flaw::NotAFormula("bad")));
        assert_eq!(check(&|s| s.inputs.push(current)), Err(Flaw::Repeated(current)));
        let init = good.init;
        assert_eq!(check(&|s| s.inputs.push(init)), Err(Flaw::NotAVariable(init)));
        let input = good.inputs[0];
        assert_eq!(
            check(&|s| {
                s.state[0].next = input;
                s.inputs.clear();
            }),
            Err(Flaw::SortsDiffer(current, input))
        );
    }
}
