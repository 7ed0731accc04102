//! The functional part of a transition relation: which next-state variables are functions of the current
//! state and the inputs, and what else a step has to satisfy.
//!
//! `trans` is equivalent to the conjunction of the definitions and the constraints. A definition has no
//! next-state variables, constraints may have any. A next-state variable without a definition acts
//! like a further input.

use crate::system::TransitionSystem;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_term::{Op, TermId, TermStore};

/// A transition relation as definitions and constraints.
#[derive(Clone, Debug)]
pub struct Functional {
    /// For each state variable the term that its next value equals, if there is one.
    pub updates: Vec<Option<TermId>>,
    /// Further constraints on a step.
    pub constraints: Vec<TermId>,
}

impl Functional {
    /// Splits a system's transition relation.
    pub fn of(store: &TermStore, system: &TransitionSystem) -> Functional {
        let next: FxHashMap<TermId, usize> =
            system.next().enumerate().map(|(index, var)| (var, index)).collect();
        let conjuncts = store.conjuncts(system.trans);
        let with_next = terms_with(store, &conjuncts, &next);
        let mut updates = vec![None; system.state.len()];
        let mut constraints = Vec::new();
        for conjunct in conjuncts {
            let definition = match store.op(conjunct) {
                Op::Eq => {
                    let (a, b) = (store.arg(conjunct, 0), store.arg(conjunct, 1));
                    let define = |x: TermId, value: TermId| {
                        next.get(&x).filter(|_| !with_next.contains(&value)).map(|&i| (i, value))
                    };
                    define(a, b).or_else(|| define(b, a))
                }
                Op::Not => next.get(&store.arg(conjunct, 0)).map(|&i| (i, store.false_term())),
                _ => next.get(&conjunct).map(|&i| (i, store.true_term())),
            };
            match definition {
                Some((index, value)) if updates[index].is_none() => updates[index] = Some(value),
                _ => constraints.push(conjunct),
            }
        }
        Functional { updates, constraints }
    }

    /// Returns the definitions that replace the defined next-state variables.
    pub fn substitution(&self, system: &TransitionSystem) -> FxHashMap<TermId, TermId> {
        let updates = self.updates.iter().zip(system.next());
        updates.filter_map(|(update, next)| update.map(|update| (next, update))).collect()
    }
}

/// The terms below `roots` that contain one of the variables.
fn terms_with(
    store: &TermStore,
    roots: &[TermId],
    vars: &FxHashMap<TermId, usize>,
) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    for term in store.reachable(roots) {
        if vars.contains_key(&term) || store.args(term).iter().any(|arg| found.contains(arg)) {
            found.insert(term);
        }
    }
    found
}
