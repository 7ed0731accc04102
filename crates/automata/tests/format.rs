//! Automata that are wrong, and what is said about them.

mod support;

use expect_test::{Expect, expect};
use support::transform;

fn check(automaton: &str, expected: Expect) {
    let result = transform(automaton, "int main(void) { int x = 1; return x + 1; }\n");
    assert!(result.program.is_none(), "accepted");
    expected.assert_eq(&result.messages);
}

#[test]
fn mistakes_have_places() {
    check(
        "automaton a {\n  state q0;\n  q0 -> q1 on any { }\n}\n",
        expect![[r#"
        error[A0002]: there is no state `q1`
         --> spec.ia:3:9
          |
        3 |   q0 -> q1 on any { }
          |         ^^

    "#]],
    );
    check(
        "automaton a {\n  state q0: everywhere;\n}\n",
        expect![[r#"
        error[A0001]: expected `true`, `loop_head`, `init`, `end` or `function`, found `everywhere`
         --> spec.ia:2:13
          |
        2 |   state q0: everywhere;
          |             ^^^^^^^^^^

    "#]],
    );
    check(
        "automaton a {\n  state q0;\n  q0 -> q0 on $x ? $y { }\n}\n",
        expect![[r#"
        error[A0001]: expected an operator or `=`, found `?`
         --> spec.ia:3:18
          |
        3 |   q0 -> q0 on $x ? $y { }
          |                  ^

    "#]],
    );
    check(
        "automaton a {\n  state q0;\n  q0 -> q0 on $x + $y : signed 1-3 { }\n}\n",
        expect![[r#"
        error[A0001]: `1` is not a range of widths
         --> spec.ia:3:32
          |
        3 |   q0 -> q0 on $x + $y : signed 1-3 { }
          |                                ^
          |
          = help: write it as in `signed 1..32` or `signed 33..`

    "#]],
    );
    check(
        "automaton a {\n  state q0;\n  q0 -> q0 on f($x before { }\n}\n",
        expect![[r#"
        error[A0001]: expected `)`, found `before`
         --> spec.ia:3:20
          |
        3 |   q0 -> q0 on f($x before { }
          |                    ^^^^^^

    "#]],
    );
    check(
        "automaton a {\n  state q0;\n  q0 -> q0 on f() { x = 1; \n}\n",
        expect![[r#"
            error[A0001]: expected `var`, `reads`, `prop`, `state`, `start`, a transition or `}`, found the end of the file
             --> spec.ia:5:1
              |
            5 |
              | ^

        "#]],
    );
    check(
        "automaton a {\n  state q0; state q0;\n}\n",
        expect![[r#"
        error[A0003]: state `q0` is declared twice
         --> spec.ia:2:19
          |
        2 |   state q0; state q0;
          |                   ^^

    "#]],
    );
    check(
        "automaton a { }\n",
        expect![[r#"
        error[A0008]: automaton `a` has no state
         --> spec.ia:1:15
          |
        1 | automaton a { }
          |               ^

    "#]],
    );
    check(
        "",
        expect![[r#"
        error[A0001]: expected `automaton` or `monitor`, found the end of the file
         --> spec.ia:1:1
          |
        1 |
          | ^

    "#]],
    );
    check(
        "automaton a { state q0; var int; }\n",
        expect![[r#"
        error[A0001]: expected a type and the name of a variable, found `int`
         --> spec.ia:1:29
          |
        1 | automaton a { state q0; var int; }
          |                             ^^^

    "#]],
    );
}

#[test]
fn operations_leave_the_program_alone() {
    let operation = |text: &str| {
        format!(
            "automaton a {{\n  var int v;\n  var int *p;\n  reads x;\n  state q0;\n  q0 -> q0 on $a + $b {{\n    {text}\n  }}\n}}\n"
        )
    };
    check(
        &operation("x = 1;"),
        expect![[r#"
        error[A0005]: the operation writes `x`
         --> spec.ia:7:5
          |
        7 |     x = 1;
          |     ^

    "#]],
    );
    check(
        &operation("v = $a++;"),
        expect![[r#"
        error[A0005]: the operation writes `$a`
         --> spec.ia:7:9
          |
        7 |     v = $a++;
          |         ^^

    "#]],
    );
    check(
        &operation("*p = 1;"),
        expect![[r#"
        error[A0005]: the operation writes through a pointer
         --> spec.ia:7:5
          |
        7 |     *p = 1;
          |     ^^

    "#]],
    );
    check(
        &operation("p[0] = 1;"),
        expect![[r#"
        error[A0005]: the operation writes `p`
         --> spec.ia:7:5
          |
        7 |     p[0] = 1;
          |     ^^^^

    "#]],
    );
    check(
        &operation("puts(\"x\");"),
        expect![[r#"
        error[A0006]: the operation calls `puts`
         --> spec.ia:7:5
          |
        7 |     puts("x");
          |     ^^^^

    "#]],
    );
    check(
        &operation("v = y + $c;"),
        expect![[r#"
        error[A0007]: `y` is neither a variable of the automaton nor one that it `reads`
         --> spec.ia:7:9
          |
        7 |     v = y + $c;
          |         ^

        error[A0007]: the pattern does not bind `$c`
         --> spec.ia:7:13
          |
        7 |     v = y + $c;
          |             ^^

    "#]],
    );
    check(
        &operation("v = 1 +;"),
        expect![[r#"
        error[C0113]: expected an expression, found `;`
         --> spec.ia:7:12
          |
        7 |     v = 1 +;
          |            ^

    "#]],
    );
    check(
        &operation("return;"),
        expect![[r#"
        error[A0001]: an operation consists of declarations, expressions, `if` and loops
         --> spec.ia:7:5
          |
        7 |     return;
          |     ^^^^^^^

    "#]],
    );
    check(
        &operation("} void g(void) {"),
        expect![[r#"
        error[A0001]: expected `-`, found `g`
         --> spec.ia:7:12
          |
        7 |     } void g(void) {
          |            ^

    "#]],
    );
    check(
        &operation("if ($same) v = 1;"),
        expect![[r#"
        error[A0007]: `$same` belongs to a `loop_head` state of an automaton `per loop`
         --> spec.ia:7:9
          |
        7 |     if ($same) v = 1;
          |         ^^^^^

    "#]],
    );
    check(
        &operation("v = assert($a);"),
        expect![[r#"
        error[A0001]: `assert` has to be a statement of its own
         --> spec.ia:7:9
          |
        7 |     v = assert($a);
          |         ^^^^^^^^^^

    "#]],
    );
}

#[test]
fn patterns_fit_their_states() {
    check(
        "automaton a {\n  state q0;\n  q0 -> q0 on any { }\n}\n",
        expect![[r#"
        error[A0004]: `any` needs an annotated state, and the state is annotated `true`
         --> spec.ia:3:15
          |
        3 |   q0 -> q0 on any { }
          |               ^^^

    "#]],
    );
    check(
        "automaton a {\n  state q0: end;\n  q0 -> q0 on $x + $y { }\n}\n",
        expect![[r#"
        error[A0004]: the pattern has to be `any`, and the state is annotated `end`
         --> spec.ia:3:15
          |
        3 |   q0 -> q0 on $x + $y { }
          |               ^^^^^^^

    "#]],
    );
    check(
        "automaton a {\n  state q0: loop_head;\n  q0 -> q0 on cond before { }\n}\n",
        expect![[r#"
        error[A0004]: operations come after the condition of a loop, and the state is annotated `loop_head`
         --> spec.ia:3:15
          |
        3 |   q0 -> q0 on cond before { }
          |               ^^^^

    "#]],
    );
}

#[test]
fn names_that_are_read_have_to_be_visible() {
    check(
        "automaton a {\n  reads z;\n  state q0;\n  q0 -> q0 on $a + $b { assert(z); }\n}\n",
        expect![[r#"
        error[A0021]: no variable `z` is visible here
         --> program.c:1:36
          |
        1 | int main(void) { int x = 1; return x + 1; }
          |                                    ^^^^^
          |
         ::: spec.ia:2:9
          |
        2 |   reads z;
          |         - the automaton reads it

    "#]],
    );
}

#[test]
fn no_text_makes_the_parser_panic() {
    let whole = support::builtin("memsafety");
    for cut in 0..whole.len() {
        if whole.is_char_boundary(cut) {
            transform(&whole[..cut], "int main(void) { return 0; }\n");
        }
    }
}
