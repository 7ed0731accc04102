//! The part of what is known of a system that excludes its violations.
//!
//! **Idea.** Facts are gathered by the hundred before anyone knows which will be of use, and whoever checks a proof would have to
//! check them all. Once they exclude the violations, the solver's cores tell which of them do, then which keep those, and so on: what is
//! reached in this way is inductive on its own. It is a small part as a rule, and so is the work of the check.
//!
//! **Source.** Ghassabani, Gacek, Whalen, "Efficient Generation of Inductive Validity Cores for Safety Properties", FSE 2016,
//! doi 10.1145/2950290.2950346; without its last phase, which makes cores minimal.
//!
//! **Soundness.** The checker looks at what is left as at any other invariant.

use crate::auxiliary::{Consequences, algebraic_solver};
use rustc_hash::FxHashMap;
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{Sort, TermId, TermStore};
use vergo_ts::TransitionSystem;

/// The facts among some that exclude violations and keep each other, given formulas that steps may rely on besides; `None` if the
/// cores do not tell within the budget.
pub(crate) fn essential(
    store: &mut TermStore,
    system: &TransitionSystem,
    facts: &[TermId],
    consequences: Consequences<'_>,
    budget: &Budget,
) -> Option<Vec<TermId>> {
    let (mut safety, mut step) = (Solver::default(), algebraic_solver());
    step.assert(system.trans);
    let mut switches = Vec::new();
    let consequences = consequences(store, facts);
    for (&fact, consequence) in facts.iter().zip(consequences) {
        let switch = store.fresh_var("fact", Sort::Bool);
        let known = store.and(fact, consequence);
        for (solver, said) in [(&mut safety, fact), (&mut step, known)] {
            let on = store.implies(switch, said);
            solver.assert(on);
        }
        switches.push(switch);
    }
    let map: FxHashMap<TermId, TermId> = system.current().zip(system.next()).collect();
    let after = store.substitute_all(facts, &map);
    let mut is_needed = vec![false; facts.len()];
    let mut pending = core(store, &mut safety, &switches, system.bad, budget)?;
    while !pending.is_empty() {
        pending.iter().for_each(|&fact| is_needed[fact] = true);
        let lost: Vec<TermId> = pending.iter().map(|&fact| store.not(after[fact])).collect();
        let lost = store.or_all(&lost);
        pending = core(store, &mut step, &switches, lost, budget)?;
        pending.retain(|&fact| !is_needed[fact]);
    }
    let needed = facts.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
    Some(needed.map(|(&fact, _)| fact).collect())
}

/// The places of the switches that a refutation of something uses; `None` if it is not refuted.
fn core(
    store: &TermStore,
    solver: &mut Solver,
    switches: &[TermId],
    what: TermId,
    budget: &Budget,
) -> Option<Vec<usize>> {
    let query: Vec<TermId> = switches.iter().copied().chain([what]).collect();
    if solver.check(store, &query, budget) != Answer::Unsat {
        return None;
    }
    let core = solver.core();
    let used = switches.iter().enumerate().filter(|(_, switch)| core.contains(switch));
    Some(used.map(|(place, _)| place).collect())
}
