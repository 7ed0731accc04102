//! Termination as safety: a system whose violations are the steps on which a measure does not decrease.
//!
//! **Idea.** A measure is a sequence of words over the state, compared lexicographically, each as an unsigned number. If it
//! decreases on every step that a reachable state can make, no execution has infinitely many steps: words of a fixed
//! width have finitely many values, so that nothing need be known about bounds. In the ranked system a state is bad if it
//! has a step on which the measure does not decrease; that none is reachable is proved and checked like every other
//! safety property.
//!
//! **Soundness.** A step goes from one cut point of the program to the next, and every loop has one; what happens in
//! between is finite. Hence an execution of the program that does not end makes infinitely many steps. What the encoding
//! does not cover is bad in the system itself, and stays so.

use crate::system::TransitionSystem;
use rustc_hash::FxHashMap;
use vergo_term::{Sort, TermId, TermStore};

/// The system that has a violation exactly if the given one has, or can make a step on which the measure does not
/// decrease. `None` if the measure is not made of words.
pub fn ranked(
    store: &mut TermStore,
    system: &TransitionSystem,
    measure: &[TermId],
) -> Option<TransitionSystem> {
    if !measure.iter().all(|&word| matches!(store.sort(word), Sort::BitVec(_))) {
        return None;
    }
    // The state after the step is an input of it: whatever can follow counts.
    let mut inputs = system.inputs.clone();
    let mut after: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut later: FxHashMap<TermId, TermId> = FxHashMap::default();
    for var in &system.state {
        let sort = store.sort(var.current);
        let input = store.fresh_var(&format!("{}+", var.name), sort);
        inputs.push(input);
        after.insert(var.next, input);
        later.insert(var.current, input);
    }
    let step = store.substitute(system.trans, &after);
    let then = store.substitute_all(measure, &later);
    let decreases = decreases(store, measure, &then);
    let stays = store.not(decreases);
    let stuck = store.and(step, stays);
    let bad = store.or(system.bad, stuck);
    Some(TransitionSystem { inputs, bad, ..system.clone() })
}

/// Builds the condition that words are lexicographically smaller afterwards.
fn decreases(store: &mut TermStore, before: &[TermId], after: &[TermId]) -> TermId {
    let mut decreases = store.false_term();
    for (&before, &after) in before.iter().zip(after).rev() {
        let less = store.bv_ult(after, before);
        let same = store.eq(after, before);
        let rest = store.and(same, decreases);
        decreases = store.or(less, rest);
    }
    decreases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::StateVar;
    use vergo_term::Evaluator;

    #[test]
    fn decrease_is_lexicographic() {
        let mut store = TermStore::new();
        let sort = Sort::BitVec(2);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.var(name, sort));
        let less = decreases(&mut store, &[a, b], &[c, d]);
        for n in 0..256_u64 {
            let parts = [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3];
            let mut values = vergo_term::Assignment::new();
            for (var, value) in [a, b, c, d].into_iter().zip(parts) {
                let var = store.as_var(var).expect("it is a variable");
                values.set(var, vergo_num::BitVec::from_u64(2, value));
            }
            let expected = (parts[2], parts[3]) < (parts[0], parts[1]);
            assert_eq!(Evaluator::new(&store, &values).value(less).as_bool(), expected, "{n}");
        }
    }

    #[test]
    fn ranked_systems_are_well_formed() {
        let mut store = TermStore::new();
        let sort = Sort::BitVec(4);
        let (x, next) = (store.var("x", sort), store.var("x'", sort));
        let one = store.bv_u64(4, 1);
        let less = store.bv_sub(x, one);
        let system = TransitionSystem {
            state: vec![StateVar { current: x, next, name: "x".to_owned() }],
            inputs: vec![],
            init: store.true_term(),
            trans: store.eq(next, less),
            bad: store.false_term(),
        };
        let with_measure = ranked(&mut store, &system, &[x]).expect("a word");
        assert_eq!(with_measure.verify(&store), Ok(()));
        // A measure over the next state is not one.
        let sum = store.bv_add(x, next);
        let wrong = ranked(&mut store, &system, &[sum]).expect("a word");
        assert!(wrong.verify(&store).is_err());
        let flag = store.true_term();
        assert!(ranked(&mut store, &system, &[flag]).is_none());
    }
}
