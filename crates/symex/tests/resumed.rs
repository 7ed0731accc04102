//! An execution that goes on from where one with smaller bounds was paused gives what one from the beginning gives.

use vergo_goto::program::Program;
use vergo_goto::{sample, text};
use vergo_symex::{Options, execute, execute_on};
use vergo_term::TermStore;
use vergo_testkit::environment;

const BOUNDS: [u32; 5] = [0, 1, 2, 4, 7];

/// Compares the executions at each bound; gives how many were resumed.
fn compare(program: &Program, what: &str) -> usize {
    let mut store = TermStore::new();
    let (mut paused, mut n_resumed) = (None, 0);
    for bound in BOUNDS {
        let options = Options { max_steps: 20_000, ..Options::bounded(bound, bound) };
        n_resumed += usize::from(paused.is_some());
        let resumed;
        (resumed, paused) = execute_on(program, &mut store, &options, paused);
        let whole = execute(program, &mut store, &options);
        assert_eq!(format!("{resumed:?}"), format!("{whole:?}"), "{what} at {bound}");
        if whole.cut_short.is_some() {
            break;
        }
    }
    n_resumed
}

#[test]
fn resumed_executions_are_whole_ones() {
    let n_seeds = if environment::slow() { 2000 } else { 60 };
    let n_resumed: usize =
        (0..n_seeds).map(|seed| compare(&sample::program(seed), &format!("seed {seed}"))).sum();
    assert!(n_resumed > n_seeds as usize / 4, "only {n_resumed} executions were resumed");
}

#[test]
fn calls_that_are_under_way_return() {
    let source = "machine 64 x87 16 wide 8; sites 9; entry main;
        static total: i32 align 4 = {};
        function round: fn(i32) -> i32 labels 2 { param n: i32 align 4; local i: i32 align 4; decl i; i := 0i32;
          L0: if !(i < n) goto L1; i := i + 1i32; total := total + i; goto L0; L1: return i; }
        function work: fn(i32) -> i32 labels 2 { param m: i32 align 4; local r: i32 align 4; decl r; r := 0i32;
          r := call round(m); r := r + 1i32; return r; }
        function main: fn() -> void labels 3 { local x: i32 align 4; local y: i32 align 4; decl x; decl y;
          x := #nondet<i32>(0); y := call work(x); L0: if !(y < x) goto L1; y := y + 2i32; goto L0; L1:
          assert y != 9i32 || total != 3i32 \"p\" \"claim\"; return; }";
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compare(&program, "calls"), BOUNDS.len() - 1);
}

#[test]
fn tests_that_have_failed_are_remembered() {
    // The last test of a round and the first of the next are of the same word.
    let source = "machine 64 x87 16 wide 8; sites 9; entry main;
        function main: fn() -> void labels 3 { local x: i32 align 4; local y: i32 align 4; decl x; decl y;
          x := #nondet<i32>(0); y := 0i32;
          L0: if x == 4i32 goto L1; y := y + x; if y == 7i32 goto L1; if x != 3i32 goto L0;
          L1: assert y != 9i32 \"p\" \"claim\"; return; }";
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compare(&program, "tests"), BOUNDS.len() - 1);
}
