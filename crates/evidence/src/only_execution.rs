//! Programs that make no choices: their only execution shows all there is.
//!
//! **Idea.** If nothing that an execution does depends on a choice, the program has one execution, and the interpreter can
//! look at all of it, however many rounds its loops make.
//!
//! **Soundness.** Choices are refused while the execution goes on: nondeterministic values, input, and scalars that nobody
//! has written end it without an answer. What the interpreter decides on its own are addresses and what the outside
//! does; a program is executed only if it can be seen not to depend on them ([`Independence`]), and it starts no thread.

use crate::counterexample::watched;
use crate::independence::Independence;
use vergo_goto::program::{InstrKind, Program};
use vergo_interp::{InputValue, Machine, Options, Outcome, Request};
use vergo_smt::Budget;

/// The pace at which loops of the only execution are executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Many rounds at once where that is possible.
    Leaps,
    /// Round by round.
    Steps,
}

/// Executes a program that makes no choices; whether it ends without a violation. `None` if it makes choices, if it
/// cannot be seen that it makes none, or if it does not end within the limits.
pub(crate) fn is_safe(program: &Program, budget: &Budget, pace: Pace) -> Option<bool> {
    let independence = Independence::of(program)?;
    if independence.any(|kind| matches!(kind, InstrKind::Spawn { .. } | InstrKind::Join { .. })) {
        return None;
    }
    let refuse = |_: &Request<'_>| Err::<InputValue, _>("the program makes a choice".to_owned());
    let options = Options {
        inputs: Box::new(refuse),
        check_uninitialized: true,
        opaque_pointers: true,
        step_by_step: pace == Pace::Steps,
        stop: Some(watched(budget)),
        ..Options::default()
    };
    match Machine::new(program, options).run() {
        Outcome::Exited(_) | Outcome::Aborted(_) | Outcome::AssumptionFailed(_) => Some(true),
        Outcome::Violation(violation) if !violation.fault => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(locals: &str, body: &str) -> Option<bool> {
        let source = format!(
            "machine 32 x87 12 wide 4; sites 1; entry main;
             static table: i32[100] align 4 = {{}};
             function main: fn() -> void labels 1 {{ {locals} {body} }}"
        );
        let program = vergo_goto::text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let answers = [Pace::Leaps, Pace::Steps]
            .map(|pace| is_safe(&program, &Budget::unlimited().at_most(1_000_000), pace));
        assert_eq!(answers[0], answers[1], "{body}");
        answers[0]
    }

    #[test]
    fn executions_without_choice_are_looked_at() {
        let locals = "local i: i32 align 4;";
        let count = |limit: i32| {
            format!(
                "decl i; i := 0i32; L0: table[i] := i; i := i + 1i32; if i < 100i32 goto L0;
                 assert table[99i32] == {limit}i32 \"p\" \"last\"; end 0i32;"
            )
        };
        assert_eq!(verdict(locals, &count(99)), Some(true));
        assert_eq!(verdict(locals, &count(98)), Some(false));
        assert_eq!(verdict(locals, "decl i; i := 0i32; L0: goto L0;"), None);
    }

    #[test]
    fn whatever_could_be_otherwise_is_refused() {
        let locals = "local i: i32 align 4; local p: i32* align 4; local n: u32 align 4;";
        let refused = [
            "decl i; i := #nondet<i32>(0); end 0i32;",
            "decl i; assert i == 0i32 \"p\" \"unwritten\"; end 0i32;",
            "decl p; decl n; p := &table[0i32]; n := (u32) p; assert n != 16u32 \"p\" \"address\"; end 0i32;",
            "decl i; i := 0i32; table[i - 1i32] := 3i32; end 0i32;",
        ];
        for body in refused {
            assert_eq!(verdict(locals, body), None, "{body}");
        }
        let fine = "decl p; p := &table[0i32]; assert p != #null<i32*> \"p\" \"null\"; end 0i32;";
        assert_eq!(verdict(locals, fine), Some(true));
    }
}
