//! Nested functions: what they capture, and what is wrong with some.

use crate::{analysed, unit_of};
use expect_test::{Expect, expect};
use vergo_cfront::hir::StmtKind;
use vergo_cfront::target::DataModel;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&analysed(DataModel::Lp64, text.as_bytes()).messages());
}

/// The names of the variables that are captured.
fn captured(text: &str) -> Vec<String> {
    let unit = unit_of(DataModel::Lp64, text);
    let mut names: Vec<String> = unit
        .captured
        .iter()
        .map(|var| unit.vars[var].name.map_or("(length)", |name| unit.names.name(name)).to_string())
        .collect();
    names.sort();
    names
}

#[test]
fn variables_of_functions_around_are_captured() {
    let text = "int global; int f(int a, int b) { int c = 1; static int d; int g(int x) { int y = x; \
                return a + c + d + y + global; } { int c = 2; c++; } return g(b); }";
    assert_eq!(captured(text), ["a", "c"]);
    let text = "int f(int n) { int a[n]; int g(int x) { int h(void) { return a[x] + n; } return h(); } \
                return g(0); }";
    assert_eq!(captured(text), ["(length)", "a", "n", "x"]);
    let text = "int f(int n) { typedef int T[n]; int g(void) { return sizeof(T); } return g(); }";
    assert_eq!(captured(text), ["(length)"]);
    let text = "int f(int n) { int g(int a[n]) { return a[0]; } int b[n]; return g(b); }";
    assert_eq!(captured(text), ["n"]);
}

#[test]
fn jumps_out_name_their_function() {
    let unit = unit_of(
        DataModel::Lp64,
        "int f(void) { __label__ out; void g(void) { in: if (0) goto in; goto out; } g(); out: return 1; }",
    );
    let targets: Vec<&str> = unit
        .stmts
        .values()
        .filter_map(|stmt| match stmt.kind {
            StmtKind::GotoOuter(_, function) => {
                Some(unit.names.name(unit.functions[function].name))
            }
            _ => None,
        })
        .collect();
    assert_eq!(targets, ["f"]);
}

#[test]
fn mistakes_are_reported() {
    check(
        "int f(void) { int g(void) { return 1; } static int (*p)(void) = g; return p(); }",
        expect![[r#"
            error[C0222]: the initialiser of a static variable is not constant
             --> a.c:1:65
              |
            1 | int f(void) { int g(void) { return 1; } static int (*p)(void) = g; return p(); }
              |                                                                 ^
        "#]],
    );
    check(
        "int f(void) { static int g(void) { return 1; } return g(); }",
        expect![[r#"
        error[C0230]: a nested function is only `auto`
         --> a.c:1:26
          |
        1 | int f(void) { static int g(void) { return 1; } return g(); }
          |                          ^
    "#]],
    );
    check(
        "int f(void) { void g(void) { goto out; } g(); out: return 1; }",
        expect![[r#"
            error[C0235]: the label `out` is used but not defined
             --> a.c:1:30
              |
            1 | int f(void) { void g(void) { goto out; } g(); out: return 1; }
              |                              ^^^^^^^^^
        "#]],
    );
    check(
        "int f(void) { int g(void) { return x; } int x = 1; return g(); }",
        expect![[r#"
        error[C0201]: `x` is not declared
         --> a.c:1:36
          |
        1 | int f(void) { int g(void) { return x; } int x = 1; return g(); }
          |                                    ^
    "#]],
    );
    check(
        "int f(void) { int g; int g(void) { return 1; } return g(); }",
        expect![[r#"
            error[C0202]: `g` redeclared as a different kind of name
             --> a.c:1:26
              |
            1 | int f(void) { int g; int g(void) { return 1; } return g(); }
              |                   -      ^
              |                   |
              |                   first declared here
        "#]],
    );
}
