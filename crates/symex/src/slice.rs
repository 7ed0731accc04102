//! Trace slicing: what a claim cannot depend on is dropped from the formula and from the steps.
//!
//! **Idea.** Walk back from the claims and keep what they mention, what that mentions, and so on.
//!
//! **Source.** R. S. Menezes, thesis 2025, algorithm 5 (trace slicer), and its variant that slices assumptions too.
//!
//! **Deviations.** Assignments need no walk: values are terms, so that a formula holds exactly those that lead to a claim.
//! What is left for the slicer are the choices, which are kept if their variable occurs, and the constraints on addresses
//! and the like, which are kept if they share variables with what is kept, directly or not. Assumptions are conjuncts of
//! the condition under which a claim is reached.
//!
//! **Soundness.** A sliced formula is implied by the whole one, so that its refutation is a refutation of both. A model
//! of it need not be one of the whole: with [`Slicing::Assignments`] only if the constraints left out contradict each
//! other, with [`Slicing::Assumptions`] whenever an assumption was left out. Every counterexample is replayed anyway.

use crate::trace::{StepKind, Trace};
use rustc_hash::FxHashSet;
use vergo_term::{TermId, TermStore, VarId};

/// What is sliced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slicing {
    /// What no claim and no assumption before it depends on.
    Assignments,
    /// Also assumptions and tests that share no variable with the claim.
    Assumptions,
}

/// The part of a trace that its obligations depend on.
pub fn slice(store: &mut TermStore, trace: &Trace, slicing: Slicing) -> Trace {
    let mut sliced = trace.clone();
    if slicing == Slicing::Assumptions {
        for obligation in &mut sliced.obligations {
            obligation.violation = relevant(store, obligation.violation, obligation.fails);
        }
    }
    let roots: Vec<TermId> = sliced.obligations.iter().map(|o| o.violation).collect();
    let mut kept: FxHashSet<VarId> = store.free_vars(&roots).into_iter().collect();
    sliced.constraints = connected(store, &trace.constraints, &mut kept);
    let mentioned = |term: TermId| store.as_var(term).is_none_or(|var| kept.contains(&var));
    let fresh = &trace.fresh;
    let any_word = |value| {
        let fresh: &crate::trace::Fresh = &fresh[value];
        let words = fresh.words.iter().any(|&(_, _, term)| mentioned(term));
        words || fresh.arrays.iter().any(|array| mentioned(array.term))
    };
    sliced.steps.retain(|step| match step.kind {
        StepKind::Input { value, .. } => mentioned(value),
        StepKind::Bytes { value, .. } | StepKind::New { value, .. } => any_word(value),
        StepKind::Read { count, value } => mentioned(count) || any_word(value),
    });
    sliced
}

/// The conjuncts of a violation that depend on the same variables as the claim that fails, directly or not.
fn relevant(store: &mut TermStore, violation: TermId, fails: TermId) -> TermId {
    let conjuncts = store.conjuncts(violation);
    let mut kept: FxHashSet<VarId> = store.free_vars(&[fails]).into_iter().collect();
    if kept.is_empty() {
        // It fails or holds by itself, wherever it is reached.
        return violation;
    }
    let conjuncts = connected(store, &conjuncts, &mut kept);
    store.and_all(&conjuncts)
}

/// The terms that share variables with those that are kept, and with each other; their variables are kept then.
fn connected(store: &TermStore, terms: &[TermId], kept: &mut FxHashSet<VarId>) -> Vec<TermId> {
    let mut open: Vec<(usize, Vec<VarId>)> =
        terms.iter().enumerate().map(|(i, &term)| (i, store.free_vars(&[term]))).collect();
    let mut chosen = vec![false; terms.len()];
    loop {
        let before = open.len();
        open.retain(|(i, vars)| {
            // A constant that is left is false, and may not be dropped.
            let joins = vars.is_empty() || vars.iter().any(|var| kept.contains(var));
            if joins {
                kept.extend(vars);
                chosen[*i] = true;
            }
            !joins
        });
        if open.len() == before {
            break;
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

    #[test]
    fn inputs_that_no_claim_mentions_are_dropped() {
        let mut store = TermStore::new();
        let body = "x := #nondet<i32>(0); y := #nondet<i32>(1); z := y + 1i32;
                    assert x != 3i32 \"p\" \"claim\"; return;";
        let trace = trace_of(&mut store, body);
        let sliced = slice(&mut store, &trace, Slicing::Assignments);
        let sites = |trace: &Trace| {
            let site = |step: &crate::Step| match step.kind {
                StepKind::Input { site, .. } => Some(site),
                _ => None,
            };
            trace.steps.iter().filter_map(site).collect::<Vec<u32>>()
        };
        assert_eq!((sites(&trace), sites(&sliced)), (vec![0, 1], vec![0]));
        assert_eq!(sliced.obligations[0].violation, trace.obligations[0].violation);
    }

    #[test]
    fn assumptions_about_other_things_are_dropped_on_request() {
        let mut store = TermStore::new();
        let body =
            "x := #nondet<i32>(0); y := #nondet<i32>(1); z := #nondet<i32>(2); assume y < 5i32;
                    assume z == x; assume z > 0i32; assert x != 3i32 \"p\" \"claim\"; return;";
        let trace = trace_of(&mut store, body);
        let whole = slice(&mut store, &trace, Slicing::Assignments).obligations[0].violation;
        let less = slice(&mut store, &trace, Slicing::Assumptions).obligations[0].violation;
        let names = |store: &TermStore, term| {
            let vars = store.free_vars(&[term]);
            let mut names: Vec<String> =
                vars.iter().map(|&var| store.var_info(var).name.clone()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&store, whole), ["input!0!1", "input!1!1", "input!2!1"]);
        assert_eq!(names(&store, less), ["input!0!1", "input!2!1"]);
    }
}
