//! Reductions: a system made of another one whose proofs of safety are proofs about that one, too.
//!
//! **Idea.** Some systems are easier to prove safe after a change that loses no violation: with arrays watched at an index
//! ([`Watch`]), or with sums over arrays in the state ([`Sums`](crate::sums::Sums)). Each such change is a value that says how it is
//! made, what has to hold for it, and how a formula about the result reads as one about the system. A proof carries the
//! reductions that it rests on; whoever checks it makes them again.
//!
//! **A further one** is a type with this trait beside these two: neither engines nor the checker know which there are.

use crate::system::{StateVar, TransitionSystem};
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;
use vergo_term::smtlib::print_term;
use vergo_term::{TermId, TermStore};

/// A change of a system that loses no violation.
pub trait Reduction: fmt::Debug + Send + Sync {
    /// Checks the form of a reduction of a system.
    ///
    /// # Errors
    /// Returns the flaw in it.
    fn verify(&self, store: &TermStore, system: &TransitionSystem) -> Result<(), &'static str>;

    /// The reduced system.
    fn apply(&self, store: &mut TermStore, system: &TransitionSystem) -> TransitionSystem;

    /// A formula over one state and inputs of the system that no values satisfy, if the reduction loses nothing.
    fn lost(&self, _: &mut TermStore, _: &TransitionSystem) -> Option<TermId> {
        None
    }

    /// Returns a further consequence of an invariant of the reduced system, over current state and inputs, so that steps may
    /// rely on it. A reduction with such consequences is the last one: others might change what they mean.
    fn consequence(&self, _: &mut TermStore, _invariant: TermId) -> Option<TermId> {
        None
    }

    /// A formula of the reduced system, in SMT-LIB, as one of the system.
    fn reading(&self, _: &TermStore, formula: String) -> String {
        formula
    }

    /// The reduction in another store.
    fn import(&self, into: &mut TermStore, from: &TermStore) -> Arc<dyn Reduction>;
}

/// A system is *watched* if its state has further variables, which have any values in the beginning and keep them, and only
/// those violations count that are `bad` with them. If each violation counts for some values, and none that counts is
/// reachable, then none is reachable at all.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The further variables.
    pub indices: Vec<StateVar>,
    /// The violations that count, over current state, further variables and inputs.
    pub bad: TermId,
    /// Terms over current state and inputs, in the order of the variables: each violation counts for one of these.
    pub instances: Vec<Vec<TermId>>,
    /// Terms over current state, further variables and inputs, in the order of the variables. What holds whatever the
    /// variables are holds for these too, so that a step may rely on it.
    pub helps: Vec<Vec<TermId>>,
}

impl Watch {
    /// Instantiates a formula that holds for all values of the further variables.
    fn instance(&self, store: &mut TermStore, said: TermId, terms: &[TermId]) -> TermId {
        let map = self.indices.iter().map(|index| index.current).zip(terms.iter().copied());
        store.substitute(said, &map.collect())
    }
}

impl Reduction for Watch {
    /// Instances are like violations: terms over the current state and the inputs. Helps may use the indices besides.
    fn verify(&self, store: &TermStore, system: &TransitionSystem) -> Result<(), &'static str> {
        let mut allowed: BTreeSet<TermId> =
            system.current().chain(system.inputs.iter().copied()).collect();
        let fits = |terms: &[TermId], allowed: &BTreeSet<TermId>| {
            let free = store.free_vars(terms);
            terms.len() == self.indices.len()
                && free.iter().all(|&var| allowed.contains(&store.var_info(var).term))
                && terms
                    .iter()
                    .zip(&self.indices)
                    .all(|(&a, b)| store.sort(a) == store.sort(b.current))
        };
        if !self.instances.iter().all(|terms| fits(terms, &allowed)) {
            return Err("an instance is not over state and inputs");
        }
        allowed.extend(self.indices.iter().map(|index| index.current));
        if !self.helps.iter().all(|terms| fits(terms, &allowed)) {
            return Err("a help is not over state, indices and inputs");
        }
        Ok(())
    }

    fn apply(&self, store: &mut TermStore, system: &TransitionSystem) -> TransitionSystem {
        let mut state = system.state.clone();
        state.extend(self.indices.iter().cloned());
        let mut trans = system.trans;
        for index in &self.indices {
            let same = store.eq(index.next, index.current);
            trans = store.and(trans, same);
        }
        TransitionSystem { state, trans, bad: self.bad, ..system.clone() }
    }

    /// A violation that counts for none of the instances.
    fn lost(&self, store: &mut TermStore, system: &TransitionSystem) -> Option<TermId> {
        let mut lost = system.bad;
        for terms in &self.instances {
            let counted = self.instance(store, self.bad, terms);
            let other = store.not(counted);
            lost = store.and(lost, other);
        }
        Some(lost)
    }

    /// Returns the instances of the invariant for the helps.
    fn consequence(&self, store: &mut TermStore, invariant: TermId) -> Option<TermId> {
        let mut said = store.true_term();
        for terms in &self.helps {
            let instance = self.instance(store, invariant, terms);
            said = store.and(said, instance);
        }
        Some(said)
    }

    /// The formula for all values of the indices.
    fn reading(&self, store: &TermStore, formula: String) -> String {
        let mut bound = String::new();
        for index in &self.indices {
            let (name, width) = (print_term(store, index.current), store.width(index.current));
            let _ = write!(bound, "({name} (_ BitVec {width}))");
        }
        format!("(forall ({bound}) {formula})")
    }

    fn import(&self, into: &mut TermStore, from: &TermStore) -> Arc<dyn Reduction> {
        let indices = self.indices.iter().map(|index| index.import(into, from)).collect();
        let bad = into.import(from, &[self.bad])[0];
        let mut terms = |lists: &[Vec<TermId>]| -> Vec<Vec<TermId>> {
            lists.iter().map(|terms| into.import(from, terms)).collect()
        };
        let (instances, helps) = (terms(&self.instances), terms(&self.helps));
        Arc::new(Watch { indices, bad, instances, helps })
    }
}
