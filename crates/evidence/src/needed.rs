//! The part of an invariant that a proof needs.
//!
//! **Idea.** An invariant is a set of facts, each at a cut point. Which of them a step needs to exclude a violation, and then
//! which it needs to keep those, the solver's cores tell: all that is reached from the violations in this way is an inductive
//! set on its own. Cores are not minimal, so each fact of the rest is tried once more, the one that is hardest to read
//! first: if the others are inductive and exclude the violations without it, it goes.
//!
//! **Two notions.** A checker may assume that there was no violation before, and so does ours. To people that makes an
//! invariant strange: in `while (i < n) { assert(i < 1000); i++; }` nothing need be said of `i`. Where the facts exclude all
//! violations and keep each other without that assumption, those are chosen that do; otherwise those that do with it.
//!
//! **Source.** Ghassabani, Gacek, Whalen, "Efficient Generation of Inductive Validity Cores for Safety Properties", FSE 2016,
//! doi 10.1145/2950290.2950346.
//!
//! **Soundness.** The checker has accepted the whole invariant before; whatever is left of it holds.

use std::collections::BTreeSet;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_term::{TermId, TermStore};
use vergo_ts::{Start, TransitionSystem, Unrolling};

/// Longer inductions are not looked at: each fact is there at each time.
const LONGEST: u32 = 20;

/// Conflicts after which a fact is believed to be needed.
const TRIED: u64 = 1000;

/// A proof by induction over facts.
pub(crate) struct Induction<'a> {
    /// The system.
    pub(crate) system: &'a TransitionSystem,
    /// The number of consecutive states that are assumed.
    pub(crate) k: u32,
    /// True if only paths without repeated states count.
    pub(crate) simple_paths: bool,
}

impl Induction<'_> {
    /// The facts, by their places in the list, that are needed. Each is a formula over the state with a cost of reading: what
    /// has more goes first. `None` if the budget ends before anything is known.
    pub(crate) fn needed(
        &self,
        store: &mut TermStore,
        facts: &[(TermId, usize)],
        budget: &Budget,
    ) -> Option<BTreeSet<usize>> {
        if self.k > LONGEST {
            return None;
        }
        let alone = (self.k == 1).then(|| {
            Steps::new(self, store, facts, Hypothesis::Facts, budget).needed(store, facts)
        });
        alone.flatten().or_else(|| {
            let hypothesis = Hypothesis::FactsAndNoViolation;
            Steps::new(self, store, facts, hypothesis, budget).needed(store, facts)
        })
    }
}

/// The assumptions before a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hypothesis {
    /// Facts, which must exclude violations where they hold.
    Facts,
    /// Facts and that there is no violation; violations must be excluded one step later.
    FactsAndNoViolation,
}

/// `k` steps from anywhere.
struct Steps<'a> {
    unrolling: Unrolling<'a>,
    /// Each fact in the states that are assumed.
    assumed: Vec<Vec<TermId>>,
    /// For each fact, the condition that it does not hold in the last state.
    violated: Vec<TermId>,
    /// A violation: in the first state if that is asked of `safety`, else in the last one.
    bad: TermId,
    /// One state without a step, if facts must exclude violations where they hold.
    safety: Option<Solver>,
    budget: Budget,
}

impl<'a> Steps<'a> {
    fn new(
        induction: &Induction<'a>,
        store: &mut TermStore,
        facts: &[(TermId, usize)],
        hypothesis: Hypothesis,
        budget: &Budget,
    ) -> Steps<'a> {
        let k = induction.k;
        let options = SolverOptions::default();
        let mut unrolling = Unrolling::new(store, induction.system, Start::Anywhere, options);
        unrolling.extend_to(store, k);
        let is_alone = hypothesis == Hypothesis::Facts;
        for time in 0..k {
            let bad = unrolling.unroller.bad(store, time);
            let good = store.not(bad);
            if !is_alone {
                unrolling.solver.assert(good);
            }
        }
        if induction.simple_paths {
            for later in 1..=k {
                for earlier in 0..later {
                    let differ = unrolling.unroller.differ(store, earlier, later);
                    unrolling.solver.assert(differ);
                }
            }
        }
        let bad = unrolling.unroller.bad(store, if is_alone { 0 } else { k });
        let mut assumed = Vec::new();
        let mut violated = Vec::new();
        for &(fact, _) in facts {
            assumed.push((0..k).map(|time| unrolling.unroller.at(store, fact, time)).collect());
            let after = unrolling.unroller.at(store, fact, k);
            violated.push(store.not(after));
        }
        let safety = is_alone.then(Solver::default);
        Steps { unrolling, assumed, violated, bad, safety, budget: budget.clone() }
    }

    fn needed(
        &mut self,
        store: &mut TermStore,
        facts: &[(TermId, usize)],
    ) -> Option<BTreeSet<usize>> {
        let mut needed = BTreeSet::new();
        let mut pending: Vec<usize> = Vec::new();
        let everything: Vec<usize> = (0..facts.len()).collect();
        for fact in self.why_safe(store, &everything)? {
            needed.insert(fact);
            pending.push(fact);
        }
        while let Some(fact) = pending.pop() {
            let violated = self.violated[fact];
            for other in self.why_not(store, &everything, violated)? {
                if needed.insert(other) {
                    pending.push(other);
                }
            }
        }
        let mut order: Vec<usize> = needed.iter().copied().collect();
        order.sort_by_key(|&fact| std::cmp::Reverse((facts[fact].1, fact)));
        // One fact that is hard to do without must not take the time of all others.
        self.budget.conflicts = Some(TRIED);
        for fact in order {
            let rest: Vec<usize> = needed.iter().copied().filter(|&other| other != fact).collect();
            let violations: Vec<TermId> = rest.iter().map(|&other| self.violated[other]).collect();
            let violated = store.or_all(&violations);
            if self.budget.exhausted().is_some() {
                break;
            }
            if self.why_safe(store, &rest).is_some()
                && self.why_not(store, &rest, violated).is_some()
            {
                needed.remove(&fact);
            }
        }
        Some(needed)
    }

    /// The facts among the given ones that exclude violations; `None` if they do not, or if that is not known.
    fn why_safe(&mut self, store: &TermStore, facts: &[usize]) -> Option<Vec<usize>> {
        let bad = self.bad;
        match &mut self.safety {
            Some(solver) => core(store, solver, &self.assumed, facts, bad, &self.budget),
            None => self.why_not(store, facts, bad),
        }
    }

    /// The facts among the given ones because of which something cannot be after the steps; `None` if it can, or if
    /// that is not known.
    fn why_not(&mut self, store: &TermStore, facts: &[usize], what: TermId) -> Option<Vec<usize>> {
        let solver = &mut self.unrolling.solver;
        core(store, solver, &self.assumed, facts, what, &self.budget)
    }
}

/// The facts that a refutation of something uses.
fn core(
    store: &TermStore,
    solver: &mut Solver,
    assumed: &[Vec<TermId>],
    facts: &[usize],
    what: TermId,
    budget: &Budget,
) -> Option<Vec<usize>> {
    let terms = facts.iter().flat_map(|&fact| assumed[fact].iter().copied());
    let query: Vec<TermId> = terms.chain([what]).collect();
    if solver.check(store, &query, budget) != Answer::Unsat {
        return None;
    }
    let core: BTreeSet<TermId> = solver.core().into_iter().collect();
    let used = |fact: &usize| assumed[*fact].iter().any(|term| core.contains(term));
    Some(facts.iter().copied().filter(used).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::Sort;
    use vergo_ts::StateVar;

    #[test]
    fn what_others_do_without_goes() {
        let mut store = TermStore::new();
        let sort = Sort::BitVec(8);
        let mut var = |name: &str| StateVar {
            current: store.var(name, sort),
            next: store.var(&format!("{name}'"), sort),
            name: name.to_owned(),
        };
        let (x, y) = (var("x"), var("y"));
        // x goes up by two to ten, and y by one; eleven is bad.
        let [zero, one, two, ten, eleven] = [0, 1, 2, 10, 11].map(|n| store.bv_u64(8, n));
        let below = store.bv_ult(x.current, ten);
        let more = store.bv_add(x.current, two);
        let value = store.ite(below, more, x.current);
        let moves = store.eq(x.next, value);
        let more = store.bv_add(y.current, one);
        let others = store.eq(y.next, more);
        let trans = store.and(moves, others);
        let starts = [store.eq(x.current, zero), store.eq(y.current, zero)];
        let (at_x, init) = (x.current, store.and_all(&starts));
        let bad = store.eq(at_x, eleven);
        let system = TransitionSystem { state: vec![x, y], inputs: vec![], init, trans, bad };
        let odd = store.bv_bit(0, at_x);
        let even = store.not(odd);
        let small = store.bv_ule(at_x, ten);
        let at_most_twelve = store.bv_u64(8, 12);
        let smaller = store.bv_ule(at_x, at_most_twelve);
        let facts = [(smaller, 9), (small, 5), (even, 1)];
        let budget = Budget::unlimited();
        let induction = Induction { system: &system, k: 1, simple_paths: false };
        let needed = induction.needed(&mut store, &facts, &budget);
        // That x is even is enough, and keeps itself.
        assert_eq!(needed, Some(BTreeSet::from([2])));
        // Without it, eleven is not excluded.
        assert_eq!(induction.needed(&mut store, &[(smaller, 0)], &budget), None);
        // What is bad in the end is not assumed not to be, unless there is no other way.
        let other = TransitionSystem { bad: store.bv_ult(ten, at_x), ..system };
        let induction = Induction { system: &other, k: 1, simple_paths: false };
        let facts = [(small, 1), (even, 2)];
        assert_eq!(induction.needed(&mut store, &facts, &budget), Some(BTreeSet::from([0, 1])));
        assert_eq!(induction.needed(&mut store, &facts[1..], &budget), Some(BTreeSet::from([0])));
    }
}
