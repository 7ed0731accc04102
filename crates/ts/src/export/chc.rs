//! Constrained Horn clauses in SMT-LIB's logic HORN.
//!
//! One unknown predicate, the invariant, and three clauses: initial states are in it, steps stay in it,
//! violations are outside. The script is satisfiable if and only if no violation is reachable.

use crate::system::TransitionSystem;
use std::fmt::Write as _;
use vergo_term::smtlib::{print_sort, print_symbol, print_term, standard_terms};
use vergo_term::{TermId, TermStore};

/// The system as a script.
pub fn print_chc(store: &mut TermStore, system: &TransitionSystem) -> String {
    let formulas = standard_terms(store, &[system.init, system.trans, system.bad]);
    let current: Vec<TermId> = system.current().collect();
    let next: Vec<TermId> = system.next().collect();
    let inputs = &system.inputs;

    let sorts: Vec<String> = current.iter().map(|&x| print_sort(store, store.sort(x))).collect();
    let mut out = String::from("(set-logic HORN)\n");
    let _ = writeln!(out, "(declare-fun invariant ({}) Bool)", sorts.join(" "));
    let member = |state: &[TermId]| {
        if state.is_empty() {
            return "invariant".to_owned();
        }
        let names: Vec<String> = state.iter().map(|&x| name(store, x)).collect();
        format!("(invariant {})", names.join(" "))
    };
    let mut clause = |vars: &[&[TermId]], premises: &[String], conclusion: &str| {
        let bound: Vec<String> = vars
            .iter()
            .flat_map(|vars| vars.iter())
            .map(|&x| format!("({} {})", name(store, x), print_sort(store, store.sort(x))))
            .collect();
        let premise = match premises {
            [one] => one.clone(),
            more => format!("(and {})", more.join(" ")),
        };
        let body = format!("(=> {premise} {conclusion})");
        if bound.is_empty() {
            let _ = writeln!(out, "(assert {body})");
        } else {
            let _ = writeln!(out, "(assert (forall ({}) {body}))", bound.join(" "));
        }
    };
    let [init, trans, bad] = [0, 1, 2].map(|i| print_term(store, formulas[i]));
    clause(&[&current], &[init], &member(&current));
    clause(&[&current, inputs, &next], &[member(&current), trans], &member(&next));
    clause(&[&current, inputs], &[member(&current), bad], "false");
    out.push_str("(check-sat)\n");
    out
}

fn name(store: &TermStore, var: TermId) -> String {
    store.as_var(var).map_or_else(String::new, |var| print_symbol(&store.var_info(var).name))
}
