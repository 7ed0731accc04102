//! Bounded model checking with growing bounds: the shortest counterexamples first, a proof as soon as the bound covers
//! every execution.
//!
//! **Idea.** [`bmc`](crate::bmc) at bounds 1, 2, 3, 4, 6, 9, 13, ... until one decides. Terms and the solver's clauses
//! stay: an input has the same variable at each bound, so what two bounds share is built once. Symbolic execution goes
//! on from where the last bound first ended something: until there it would be the same.
//!
//! **Why this sequence.** The cost of a bound is at least linear in it; growing by half keeps the sum of all costs
//! within a constant factor of the last.

use crate::bmc::{Bounded, Session};
use crate::{Environment, Task};
use std::mem::ManuallyDrop;
use vergo_evidence::{Reason, Verdict};

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    // Where time is up, it is not taken apart: that takes longer than whoever waits for the answer has left.
    let mut session = ManuallyDrop::new(Session::new(task));
    let verdict = run_in(&mut session, task, env);
    if env.budget.interrupted().is_none() {
        drop(ManuallyDrop::into_inner(session));
    }
    verdict
}

fn run_in(session: &mut Session, task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let mut unwind = 1;
    loop {
        if let Bounded::Decided(verdict) = session.at_bound(task, env, unwind) {
            return verdict;
        }
        if let Some(reason) = env.budget.exhausted() {
            return Verdict::Unknown(reason.into());
        }
        if task.unrolling.unwind.is_some_and(|limit| unwind >= limit) {
            return Verdict::Unknown(Reason::bound());
        }
        unwind = next_bound(unwind);
        if let Some(limit) = task.unrolling.unwind {
            unwind = unwind.min(limit);
        }
    }
}

fn next_bound(unwind: u32) -> u32 {
    unwind.saturating_add((unwind / 2).max(1))
}

#[cfg(test)]
mod tests {
    use super::next_bound;

    #[test]
    fn bounds_grow_by_about_half() {
        let mut bounds = vec![1];
        while bounds.len() < 9 {
            bounds.push(next_bound(bounds[bounds.len() - 1]));
        }
        assert_eq!(bounds, [1, 2, 3, 4, 6, 9, 13, 19, 28]);
    }
}

#[cfg(test)]
mod verdicts {
    use crate::{Environment, Goal, OnViolation, Task, Unrolling};
    use vergo_evidence::{Certify, Verdict};
    use vergo_goto::text;
    use vergo_smt::Budget;

    /// The verdict on a program whose `main` has these variables and instructions: a word, with the reason of an unknown.
    fn verdict(locals: &str, body: &str) -> String {
        let source = format!(
            "machine 32 x87 12 wide 4; sites 9; entry main;
             struct node size 8 align 4 {{ value: i32 @0; next: struct node* @4; }}
             static table: i32[100] align 4 = {{}};
             function main: fn() -> void labels 9 {{ {locals} {body} }}"
        );
        let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let task = Task {
            program: &program,
            unrolling: &Unrolling::default(),
            on_violation: OnViolation::Stop,
            certify: Certify::Off,
            goal: Goal::Safety,
            abstraction: None,
        };
        let env = Environment { budget: Budget::default(), progress: &|_| {} };
        match crate::bmc_incremental::run(&task, &env) {
            Verdict::True(_) => "true".to_owned(),
            Verdict::False(_) => "false".to_owned(),
            Verdict::Unknown(reason) => format!("unknown: {reason}"),
        }
    }

    #[test]
    fn unwritten_variables_and_memory_are_replayed() {
        let locals = "local x: i32 align 4; local p: i32* align 4;";
        let wanted = "decl x; decl p; assert x != 12345i32 \"p\" \"x\"; return;";
        assert_eq!(verdict(locals, wanted), "false");
        let heap = "decl x; decl p; p := alloc(8u32) align 16 heap; x := *(p + 1i32);
                    assert x != 77i32 || *p != 3i32 \"p\" \"heap\"; return;";
        assert_eq!(verdict(locals, heap), "false");
        let same = "decl x; decl p; p := &x; assert *p == x \"p\" \"same\"; return;";
        assert_eq!(verdict(locals, same), "true");
    }

    #[test]
    fn arrays_that_nobody_has_written_are_replayed() {
        let locals = "local a: i32[50] align 4; local i: u32 align 4;";
        let body = "decl a; decl i; i := #nondet<u32>(0); assume i < 50u32;
                    assert a[i] != 9i32 || i != 41u32 \"p\" \"element\"; return;";
        assert_eq!(verdict(locals, body), "false");
    }

    #[test]
    fn what_only_undefined_behaviour_violates_is_unknown() {
        let locals = "local x: i32 align 4; local i: u32 align 4;";
        let body = "decl x; decl i; i := #nondet<u32>(0); x := table[i]; assert x == 0i32 \"p\" \"zero\"; return;";
        let found = verdict(locals, body);
        assert_eq!(found, "unknown: undefined behaviour that is not asked about: memory.bounds");
        // With the claim that it does not happen, its violation is found.
        let body = "decl x; decl i; i := #nondet<u32>(0); assert i < 100u32 \"bounds\" \"inside\"; x := table[i];
                    assert x == 0i32 \"p\" \"zero\"; return;";
        assert_eq!(verdict(locals, body), "false");
    }

    #[test]
    fn pointers_from_nowhere_lead_nowhere() {
        let locals = "local p: struct node* align 4; local a: i32 align 4; local i: i32 align 4;";
        let body = "decl p; decl a; decl i; a := 1i32; i := #nondet<i32>(0); p := #null<struct node*>;
                    if i == 0i32 goto L0; p := alloc(8u32) align 16 heap; p->next := p; p->value := 4i32; L0:
                    if i == 0i32 goto L1; p := p->next; p->value := 5i32; L1:
                    assert a == 1i32 \"p\" \"untouched\"; return;";
        assert_eq!(verdict(locals, body), "true");
    }

    #[test]
    fn loops_without_end_do_not_keep_others_from_being_seen() {
        let locals = "local x: i32 align 4; local i: i32 align 4;";
        let body = "decl x; decl i; i := #nondet<i32>(0); x := 0i32;
                    L0: if i == 0i32 goto L1; x := x + 1i32; if x < 3i32 goto L2; x := 0i32; L2: goto L0;
                    L1: assert x != 0i32 \"p\" \"after\"; return;";
        assert_eq!(verdict(locals, body), "false");
    }
}
