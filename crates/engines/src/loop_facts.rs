//! Facts about the loops of a program whose proof does not speak of them.
//!
//! A program that is unrolled to its end, or executed, needs no invariant, and a property that is inductive as it stands needs
//! none either. Those who read a witness want to know what holds at its loops all the same. The facts are those that
//! engines begin with: bounds, equations and a few relations that are inductive together.

use crate::{Environment, on_system};
use vergo_evidence::{LoopInvariant, check_loop_facts};
use vergo_goto::program::Program;
use vergo_smt::Budget;
use vergo_term::TermStore;

/// Facts about the loops of a program, which evidence has checked; none if the program has no transition system or the
/// budget ends.
pub fn loop_facts(program: &Program, budget: &Budget) -> Vec<LoopInvariant> {
    let env = Environment { budget: budget.clone(), progress: &|_| {} };
    let mut store = TermStore::new();
    let Some(facts) = on_system::known_facts(program, &env, &mut store) else { return Vec::new() };
    check_loop_facts(program, &store, facts, budget).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn facts(body: &str) -> Vec<Option<String>> {
        let text = format!(
            "entry main; sites 1; function main: fn() -> void labels 2 {{
                 local i: i32 align 4; decl i; {body} end 0i32; }}"
        );
        let program = vergo_goto::text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let budget = Budget::within(Duration::from_secs(60));
        loop_facts(&program, &budget).into_iter().map(|at| at.text).collect()
    }

    #[test]
    fn bounds_of_counters_are_known() {
        let found = facts("i := 0i32; L0: if i >= 10i32 goto L1; i := i + 1i32; goto L0; L1:");
        assert_eq!(found, [Some("i >= 0 && i <= 10".to_owned())]);
        let found =
            facts("i := #nondet<i32>(0); L0: if i == 3i32 goto L1; i := i + 1i32; goto L0; L1:");
        assert_eq!(found, [None]);
        assert!(facts("i := 0i32;").is_empty());
    }
}
