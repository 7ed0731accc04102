//! Watched loops: what is added, and that a state recurs exactly where it does.

use vergo_goto::expr::ExprKind;
use vergo_goto::program::Program;
use vergo_goto::verify::verify;
use vergo_goto::{sample, text};
use vergo_interp::{Buffers, Limits, Machine, Options, Outcome, SeedInputs};
use vergo_passes::recurrence::{PROPERTY, watch};
use vergo_testkit::environment;

fn parse(text: &str) -> Program {
    text::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether a state recurs in the execution with the choices of a seed; `None` if the execution is too long.
fn recurs(program: &Program, seed: u64) -> Option<bool> {
    let options = Options {
        inputs: Box::new(SeedInputs::new(seed)),
        world: Box::new(Buffers::default()),
        limits: Limits { steps: 200_000, ..Limits::default() },
        ..Options::default()
    };
    match Machine::new(program, options).run() {
        Outcome::Violation(violation) if violation.claim.property == PROPERTY => Some(true),
        Outcome::Violation(_) | Outcome::Exited(_) | Outcome::Aborted(_) => Some(false),
        _ => None,
    }
}

#[test]
fn a_loop_has_a_claim_at_its_head() {
    let mut program = parse(
        "entry main; function main: fn() -> void labels 2 {
           local x \"x\": i32 align 4; decl x; x := 9i32;
           L0: if x <= 0i32 goto L1; x := x - 1i32; goto L0;
           L1: dead x; end 0i32; }",
    );
    let watched = watch(&mut program);
    assert_eq!((watched.heads.len(), watched.unwatched.len()), (1, 0));
    verify(&program).unwrap_or_else(|errors| panic!("{errors:?}"));
    let printed = text::print(&program);
    let claims: Vec<&str> = printed.lines().filter(|line| line.contains("assert ")).collect();
    assert_eq!(claims.len(), 1, "{printed}");
    assert!(claims[0].contains("\"termination\" \"no state of the loop recurs\""), "{printed}");
    // What was saved is forgotten where the loop is entered, and not where a round begins.
    let resets = printed.matches("recurrence::saved").count();
    assert!(resets >= 4, "{printed}");
}

/// Twins of loops: those of the first kind end, of the second do not, and random choices find that.
#[test]
fn states_recur_where_loops_do_not_end() {
    let programs: &[(&str, &str, &str)] = &[
        // A variable of the function.
        (
            "x - 1i32",
            "5i32 - x",
            "entry main; function main: fn() -> void labels 2 {
               local x \"x\": i32 align 4; decl x; x := 4i32;
               L0: if x <= 0i32 goto L1; x := STEP; goto L0; L1: dead x; end 0i32; }",
        ),
        // A variable of the caller, behind a pointer, beside one that comes again in any case.
        (
            "*p - 1i32",
            "5i32 - *p",
            "entry main; function f: fn(i32*) -> void labels 2 {
               param p \"p\": i32* align 8; local t \"t\": i32 align 4; decl t; t := 0i32;
               L0: if *p <= 0i32 goto L1; t := 1i32 - t; *p := STEP; goto L0; L1: dead t; return; }
             function main: fn() -> void labels 0 {
               local x \"x\": i32 align 4; decl x; x := 4i32; call f(&x); dead x; end 0i32; }",
        ),
        // A loop that is entered in its middle, again and again in the same state.
        (
            "n - 1i32",
            "5i32 - n",
            "entry main; function main: fn() -> void labels 4 {
               local n \"n\": i32 align 4; local i \"i\": i32 align 4; decl n; n := 4i32; decl i;
               L0: if n <= 0i32 goto L3; i := 2i32; goto L2;
               L1: i := i - 1i32; L2: if 0i32 < i goto L1; n := STEP; goto L0;
               L3: dead i; dead n; end 0i32; }",
        ),
    ];
    for &(ends, goes_on, program) in programs {
        for (step, expected) in [(ends, false), (goes_on, true)] {
            let mut program = parse(&program.replace("STEP", step));
            let watched = watch(&mut program);
            assert_eq!(watched.unwatched, []);
            verify(&program).unwrap_or_else(|errors| panic!("{errors:?}"));
            let found = (0..40).any(|seed| recurs(&program, seed) == Some(true));
            assert_eq!(found, expected, "{step}: {}", text::print(&program));
        }
    }
}

/// A program without choices has one execution. If that ends, no state of a loop recurs, whenever it is saved.
#[test]
fn nothing_recurs_in_random_programs_that_end() {
    let n_seeds = if environment::slow() { 5000 } else { 300 };
    let mut n_watched = 0;
    for seed in 0..n_seeds {
        let mut program = sample::program(seed);
        let has_choices = program.exprs.iter().any(|(_, e)| matches!(e.kind, ExprKind::Nondet(_)));
        let ends = recurs(&program, seed) == Some(false);
        let watched = watch(&mut program);
        verify(&program).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        if watched.heads.is_empty() || has_choices || !ends {
            continue;
        }
        n_watched += 1;
        for choices in 0..8 {
            assert_ne!(recurs(&program, choices), Some(true), "seed {seed}, choices {choices}");
        }
    }
    assert!(n_watched * 40 >= n_seeds, "only {n_watched} of {n_seeds} have loops that are watched");
}
