//! The transformations of chapter 4 of the thesis, shown on its examples and their twins: the program before and after.
//! `behaviour.rs` tests that they change no behaviour.

use vergo_goto::program::Program;
use vergo_goto::text;
use vergo_passes::interval_facts::Numbers;
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::{Options, PassId};

const HEADER: &str = "machine 64 x87 16 wide 8; sites 9; entry main;
    static a: i32[3] align 4; static p: i32* align 8; static q: i32* align 8; static x: i32 align 4; static y: i32 align 4;";

fn parse(locals: &str, main: &str) -> Program {
    let source =
        format!("{HEADER} function main: fn() -> void labels 9 {{ {locals} {main} return; }}");
    text::parse(&source).unwrap_or_else(|error| panic!("{error}"))
}

/// The instructions of `main` after a pass, as text, without labels and jumps that are always taken.
fn after(pass: PassId, options: &Options, locals: &str, main: &str) -> Vec<String> {
    let mut program = parse(locals, main);
    run_passes(&mut program, &[pass], options, Verify::Always, &mut |_| {})
        .unwrap_or_else(|broken| panic!("{broken}"));
    let printed = text::print(&program);
    let main = printed.split("function main").nth(1).expect("there is a main");
    let is_shown = |line: &&str| {
        !line.is_empty()
            && !line.ends_with([':', '{', '}'])
            && !["goto", "local", "decl"].iter().any(|word| line.starts_with(word))
    };
    main.lines().map(str::trim).filter(is_shown).map(str::to_owned).collect()
}

fn unwound(locals: &str, main: &str) -> Vec<String> {
    after(PassId::Unwind, &Options::default(), locals, main)
}

const I: &str = "local i: i32 align 4; local u: u8 align 1; local j: i32 align 4;";

fn count(lines: &[String], line: &str) -> usize {
    lines.iter().filter(|other| *other == line).count()
}

#[test]
fn example_4_2_a_loop_is_unfolded_with_its_rounds() {
    let main = "decl i; i := 0i32; L0: if !(i < 3i32) goto L1; a[i] := i; i := i + 1i32; goto L0; L1: skip;";
    let lines = unwound(I, main);
    assert_eq!(
        lines,
        [
            "i := 0i32;",
            "a[i] := i;",
            "i := i + 1i32;",
            "a[i] := i;",
            "i := i + 1i32;",
            "a[i] := i;",
            "i := i + 1i32;",
            "if !(i < 3i32) goto L1;",
            "a[i] := i;",
            "i := i + 1i32;",
            "skip;",
            "return;"
        ]
    );
}

#[test]
fn rounds_are_counted_as_the_machine_does() {
    let rounds = |start: &str, cond: &str, step: &str| {
        let main = format!(
            "decl i; decl u; i := 0i32; u := 0u8; {start} L0: if !({cond}) goto L1; x := x + 1i32; {step} goto L0; L1: skip;"
        );
        count(&unwound(I, &main), "x := x + 1i32;") - 1
    };
    assert_eq!(rounds("", "i < 10i32", "i := i + 3i32;"), 4);
    assert_eq!(rounds("", "i != 6i32", "i := i + 2i32;"), 3);
    assert_eq!(rounds("i := 5i32;", "i >= 0i32", "i := i - 1i32;"), 6);
    assert_eq!(rounds("u := 250u8;", "u != 4u8", "u := u + 1u8;"), 10);
    // One that does not end by its condition, and one with too many rounds, stay.
    assert_eq!(rounds("", "i != 5i32", "i := i + 2i32;"), 0);
    assert_eq!(rounds("", "i < 1000i32", "i := i + 1i32;"), 0);
}

#[test]
fn break_and_continue_are_copied() {
    let main = "decl i; i := 0i32; L0: if !(i < 2i32) goto L1; if x == 7i32 goto L1; if y == 1i32 goto L2; x := x + 1i32;
        L2: i := i + 1i32; goto L0; L1: skip;";
    let lines = unwound(I, main);
    assert_eq!(count(&lines, "x := x + 1i32;"), 3, "{lines:?}");
    assert_eq!(count(&lines, "if x == 7i32 goto L1;"), 3, "{lines:?}");
}

#[test]
fn inner_loops_come_first() {
    let main = "decl i; decl j; i := 0i32; L0: if !(i < 2i32) goto L1; j := 0i32;
        L2: if !(j < 2i32) goto L3; x := x + 1i32; j := j + 1i32; goto L2; L3: i := i + 1i32; goto L0; L1: skip;";
    let lines = unwound(I, main);
    // Two rounds of two, and the loops that stay behind: one in each round of the outer, and the whole again.
    assert!(count(&lines, "x := x + 1i32;") >= 6, "{lines:?}");
}

#[test]
fn what_the_body_changes_is_not_counted() {
    let loops = |body: &str| {
        let main = format!(
            "decl i; i := 0i32; p := &x; q := &i; L0: if !(i < 3i32) goto L1; {body} i := i + 1i32; goto L0; L1: skip;"
        );
        count(&unwound(I, &main), "i := i + 1i32;")
    };
    assert_eq!(loops("*p := 1i32;"), 4, "another variable is written");
    assert_eq!(loops("*q := 1i32;"), 1, "the variable is written through a pointer");
    assert_eq!(loops("if x == 0i32 goto L0;"), 1, "a round without the step");
}

#[test]
fn figure_4_4_a_load_is_done_once() {
    let main = "x := *(p + 1i32) + 1i32; y := *(p + 1i32) * 2i32;";
    let lines = after(PassId::Gcse, &Options::default(), "", main);
    assert_eq!(lines.iter().filter(|line| line.contains("*(")).count(), 0, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("p + 1i32")).count(), 1, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains(":= *`common@")).count(), 1, "{lines:?}");
}

#[test]
fn a_write_that_may_hit_it_ends_it() {
    // The program of section 4.4.2: the store can change `x`, so that the sum is made again.
    let sums = |pointer: &str| {
        let main =
            format!("p := {pointer}; y := x + 42i32; *p := 0i32; y := x + 42i32; y := x + 42i32;");
        let lines = after(PassId::Gcse, &Options::default(), "", &main);
        lines.iter().filter(|line| line.contains("x + 42i32")).count()
    };
    assert_eq!(sums("&x"), 2);
    assert_eq!(sums("&a[0i32]"), 1);
}

#[test]
fn figure_4_3_what_is_decided_is_replaced() {
    let main = "x := 5i32; y := #nondet<i32>(0); if y < 0i32 goto L0; if y > 10i32 goto L0; if x + y < 5i32 goto L1;
        assert x + y <= 15i32 \"p\" \"t\"; y := x * 2i32; L0: skip; L1: skip;";
    let lines = after(PassId::Intervals, &Options::default(), "", main);
    assert!(lines.contains(&"y := 10i32;".to_owned()), "{lines:?}");
    assert!(lines.contains(&"assert true \"p\" \"t\";".to_owned()), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("if ")).count(), 2, "{lines:?}");
    // The twin: a claim that can fail stays as it is.
    let twin = after(PassId::Intervals, &Options::default(), "", &main.replace("15i32", "14i32"));
    assert!(twin.iter().any(|line| line.starts_with("assert") && line.contains('y')), "{twin:?}");
}

#[test]
fn facts_are_written_at_three_levels() {
    let main =
        "decl i; i := 0i32; L0: if !(i < 9i32) goto L1; x := i; i := i + 1i32; goto L0; L1: skip;";
    let facts = |pass| {
        let lines = after(pass, &Options::default(), I, main);
        lines.iter().filter(|line| line.starts_with("assume") && line.contains('i')).count()
    };
    let (loops, guards, all) = (
        facts(PassId::IntervalFacts),
        facts(PassId::IntervalFactsGuards),
        facts(PassId::IntervalFactsAll),
    );
    assert!(loops >= 1 && guards >= 1, "{loops} {guards}");
    assert!(all > loops && all > guards, "{all} {loops} {guards}");
    let lines = after(PassId::IntervalFacts, &Options::default(), I, main);
    assert!(lines.contains(&"assume 0i32 <= i && i <= 9i32;".to_owned()), "{lines:?}");
}

#[test]
fn wrapped_intervals_know_what_plain_ones_do_not() {
    // From 250 upward across the end of the type.
    let main = "decl u; x := #nondet<i32>(0); assume 0i32 <= x && x <= 9i32; u := (u8)x + 250u8; if u < 4u8 goto L0; L0: u := u + 6u8; if u == 20u8 goto L1; L1: skip;";
    let facts = |numbers| {
        let options = Options { numbers, ..Options::default() };
        after(PassId::IntervalFactsGuards, &options, I, main)
    };
    let last = |lines: &[String]| {
        lines.iter().filter(|line| line.starts_with("assume") && line.contains("u <= 9u8")).count()
    };
    assert_eq!(last(&facts(Numbers::Wrapped)), 1, "{:?}", facts(Numbers::Wrapped));
    assert_eq!(last(&facts(Numbers::Intervals)), 0);
}
