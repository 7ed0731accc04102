//! Trace slicing: what a claim cannot depend on is dropped from the formula.
//!
//! **Idea.** Walk back from the claims and keep what they mention, what that mentions, and so on.
//!
//! **Source.** R. S. Menezes, thesis 2025, algorithm 5 (trace slicer), and its variant that slices assumptions too.
//!
//! **Deviations.** Assignments and choices need no walk: values are terms, so that a formula holds exactly those that lead
//! to a claim. What is left for the slicer are the constraints on addresses, counts and the like, which are kept if they
//! share variables with what is kept, directly or not ([`relevant_constraints`]), and the assumptions, which are conjuncts
//! of the condition under which a claim is reached ([`without_unrelated_assumptions`]).
//!
//! **Soundness.** A sliced formula is implied by the whole one, so that its refutation is a refutation of both. A model
//! of it need not be one of the whole: without constraints only if those left out contradict each other, as addresses
//! do of objects that do not fit in memory together; without assumptions whenever they exclude what the model does. So the variant is for
//! refutations alone, and the whole formula is asked about when it finds none.

use crate::trace::{Obligation, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_term::{TermId, TermStore, VarId};

/// The constraints of a trace that its obligations depend on.
pub fn relevant_constraints(store: &TermStore, trace: &Trace) -> Vec<TermId> {
    if trace.constraints.is_empty() {
        return Vec::new();
    }
    let terms = trace.obligations.iter().flat_map(|o| [o.violation, o.replayable]);
    let roots: Vec<TermId> = terms.collect();
    let kept = store.free_vars(&roots).into_iter().collect();
    connected(store, &trace.constraints, kept)
}

/// The condition of an obligation's violation without the assumptions and tests before it that share no variable with
/// what is violated, directly or not.
pub fn without_unrelated_assumptions(store: &mut TermStore, obligation: &Obligation) -> TermId {
    let kept: FxHashSet<VarId> = store.free_vars(&[obligation.fails]).into_iter().collect();
    if kept.is_empty() {
        // It fails or holds by itself, wherever it is reached.
        return obligation.violation;
    }
    let conjuncts = store.conjuncts(obligation.violation);
    let conjuncts = connected(store, &conjuncts, kept);
    store.and_all(&conjuncts)
}

/// The terms that share variables with those that are kept, and with each other, in order.
fn connected(store: &TermStore, terms: &[TermId], kept: FxHashSet<VarId>) -> Vec<TermId> {
    let vars: Vec<Vec<VarId>> = terms.iter().map(|&term| store.free_vars(&[term])).collect();
    let mut mentions: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    let mut chosen = vec![false; terms.len()];
    let mut pending: Vec<usize> = Vec::new();
    for (i, vars) in vars.iter().enumerate() {
        // A constant that is left is false, and may not be dropped.
        if vars.is_empty() || vars.iter().any(|var| kept.contains(var)) {
            chosen[i] = true;
            pending.push(i);
        }
        for &var in vars {
            mentions.entry(var).or_default().push(i);
        }
    }
    while let Some(i) = pending.pop() {
        for var in &vars[i] {
            // Each variable leads on once.
            for other in mentions.remove(var).unwrap_or_default() {
                if !std::mem::replace(&mut chosen[other], true) {
                    pending.push(other);
                }
            }
        }
    }
    terms.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(&term, _)| term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::{Options, execute};

    fn trace_of(store: &mut TermStore, body: &str) -> Trace {
        let source = format!(
            "machine 64 x87 16 wide 8; sites 9; entry main; function main: fn() -> void labels 9 {{
               local x: i32 align 4; local y: i32 align 4; local z: i32 align 4; decl x; decl y; decl z; {body} }}"
        );
        let program = vergo_goto::text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        execute(&program, store, &Options::bounded(1, 1))
    }

    fn names(store: &TermStore, terms: &[TermId]) -> Vec<String> {
        let vars = store.free_vars(terms);
        let mut names: Vec<String> =
            vars.iter().map(|&var| store.var_info(var).name.clone()).collect();
        names.sort();
        names
    }

    #[test]
    fn constraints_on_what_no_claim_mentions_are_dropped() {
        let mut store = TermStore::new();
        let mut trace = trace_of(
            &mut store,
            "x := #nondet<i32>(0); y := #nondet<i32>(1); z := #nondet<i32>(2);
             assert x != 3i32 \"p\" \"claim\"; return;",
        );
        let [x, y, z] = ["input!0!1", "other", "third"]
            .map(|name| store.var(name, vergo_term::Sort::BitVec(32)));
        // The second is connected with the claim through the first.
        let (xy, yy, zz) = (store.bv_ult(x, y), store.bv_ult(y, x), store.ne(z, x));
        let unrelated = store.bv_u64(32, 7);
        let unrelated = store.ne(z, unrelated);
        trace.constraints = vec![xy, yy, unrelated];
        assert_eq!(relevant_constraints(&store, &trace), [xy, yy]);
        trace.constraints.push(zz);
        assert_eq!(relevant_constraints(&store, &trace), trace.constraints);
    }

    #[test]
    fn assumptions_about_other_things_are_dropped() {
        let mut store = TermStore::new();
        let body =
            "x := #nondet<i32>(0); y := #nondet<i32>(1); z := #nondet<i32>(2); assume y < 5i32;
                    assume z == x; assume z > 0i32; assert x != 3i32 \"p\" \"claim\"; return;";
        let trace = trace_of(&mut store, body);
        let obligation = &trace.obligations[0];
        let less = without_unrelated_assumptions(&mut store, obligation);
        let whole = names(&store, &[obligation.violation]);
        assert_eq!(whole, ["input!0!1", "input!1!1", "input!2!1"]);
        assert_eq!(names(&store, &[less]), ["input!0!1", "input!2!1"]);
    }
}
