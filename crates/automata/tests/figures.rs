//! The figures of the paper: the program of figure 1, the automaton of figure 3, and the result of figure 4; what figures
//! 5 to 8 show is in the built-in automata.

mod support;

use expect_test::expect;
use support::{body, builtin, sequentialized, transform, transformed};

/// Figure 1.
const PROGRAM: &str = "\
extern unsigned int nondet(void);
extern void check(int);

int main(void) {
  unsigned int x = nondet();
  x = x * x;
  int y = 1;
  check(x >= 0);

  while (x < 127) {
    x = x + y;
    y = y + 1;
  }
}
";

/// Figure 3a: if the loop goes at least one round, x is at most 136 behind it.
const AUTOMATON: &str = include_str!("../../../examples/figure3.ia");

#[test]
fn figure_4_is_figure_1_with_the_automaton_of_figure_3() {
    expect![[r#"
        extern unsigned int nondet(void);
        extern void check(int);

        int main(void) { vergo_looped = 0;
          unsigned int x = nondet();
          x = x * x;
          int y = 1;
          check(x >= 0);

          { while (x < 127) { vergo_looped = 1;
            x = x + y;
            y = y + 1;
          } if (!(x <= 136 || vergo_looped == 0)) reach_error(); }
        }
    "#]]
    .assert_eq(body(&transformed(AUTOMATON, PROGRAM)));
}

#[test]
fn added_declarations_come_first_and_lines_stay() {
    let text = transformed(AUTOMATON, PROGRAM);
    expect![[r#"
        /* instrumented for figure-3 */
        extern void abort(void);
        void reach_error(void) { abort(); }
        static int vergo_looped = 0;
        # 1 "program.c"
    "#]]
    .assert_eq(&text[..text.len() - body(&text).len()]);
    assert_eq!(body(&text).lines().count(), PROGRAM.lines().count());
}

/// Figure 3b has one operation on each edge; the automaton of the paper's own formulation.
#[test]
fn figure_3b_is_the_control_flow_automaton_of_the_result() {
    let program = PROGRAM.replace("x * x", "x").replace("check(x >= 0);\n", "\n");
    let automaton = AUTOMATON.replace("reads x;", "").replace("x <= 136 || ", "");
    expect![[r#"
        extern void abort(void);
        void reach_error(void) { abort(); }
        static int vergo_looped = 0;
        unsigned int nondet(void);
        void check(int);
        int main(void);
        int main(void) {
          unsigned int v0;
          unsigned int t1;
          unsigned int t2;
          unsigned int t3;
          int v1;
          unsigned int t5;
          int t6;
          unsigned int t7;
          int t8;
          unsigned int t9;
          unsigned int t10;
          unsigned int t11;
          int t12;
          int t13;
          int t14;
        l0:;
          vergo_looped = 0; goto l25;
        l1:;
          v0 = t1; goto l2;
        l2:;
          t2 = v0; goto l3;
        l3:;
          v0 = t2; goto l4;
        l4:;
          t3 = v0; goto l5;
        l5:;
          v1 = 1; goto l6;
        l6:;
          goto l7;
        l7:;
          goto l11;
        l8:;
          t7 = v0; goto l14;
        l9:;
          goto l7;
        l10:;
          return 0;
        l11:;
          t5 = v0; goto l12;
        l12:;
          t6 = t5 < 127u; goto l13;
        l13:;
          if (t6) goto l26;
          if (!(t6)) goto l27;
        l14:;
          t8 = v1; goto l15;
        l15:;
          t9 = (unsigned int)t8; goto l16;
        l16:;
          t10 = t7 + t9; goto l17;
        l17:;
          v0 = t10; goto l18;
        l18:;
          t11 = v0; goto l19;
        l19:;
          t12 = v1; goto l20;
        l20:;
          t13 = t12 + 1; goto l21;
        l21:;
          v1 = t13; goto l22;
        l22:;
          t14 = v1; goto l23;
        l23:;
          goto l9;
        l25:;
          t1 = nondet(); goto l1;
        l26:;
          vergo_looped = 1; goto l8;
        l27:;
          if (!(vergo_looped == 0)) reach_error(); goto l10;
        }
    "#]]
    .assert_eq(&sequentialized(&automaton, &program));
}

/// Figure 5: the condition of the addition comes before it.
#[test]
fn figure_5_puts_a_check_before_each_operation() {
    let text = transformed(builtin("no-overflow"), "int f(int a, int b) { return a + b; }\n");
    expect![[r#"
        /* instrumented for no-overflow */
        extern void abort(void);
        void reach_error(void) { abort(); }
        static int vergo_no_overflow_add_int(int x, int y) { if (!(y >= 0 ? x <= 2147483647 - y : x >= (-2147483647 - 1) - y)) reach_error(); return x + y; }
        # 1 "program.c"
        int f(int a, int b) { return vergo_no_overflow_add_int(a , b); }
    "#]]
    .assert_eq(&text);
}

/// Figure 6: the state of a loop is saved once and compared from then on.
#[test]
fn figure_6_saves_and_compares_the_state_of_a_loop() {
    let program = "\
int main(void) {
  int x = 1;
  while (x > 0)
    x = x ^ 2;
}
";
    expect![[r#"
        int main(void) {
          int x = 1;
          { int vergo_saved_1 = 0; int vergo_copy1_1; while (x > 0)
            { if (vergo_saved_1) { if (!(!(x == vergo_copy1_1))) reach_error(); } else if (!vergo_busy && __VERIFIER_nondet_int()) { vergo_saved_1 = 1; vergo_busy = 1; { vergo_copy1_1 = x; }; } x = x ^ 2; } }
        }
    "#]]
    .assert_eq(body(&transformed(builtin("termination"), program)));
}

/// Figure 7: one allocation is followed to the end of the program.
#[test]
fn figure_7_follows_one_allocation() {
    let program = "\
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  void *p = malloc(3);
  free(p);
  return 0;
}
";
    expect![[r#"
        extern void *malloc(unsigned long);
        extern void free(void *);
        static void *vergo_memcleanup_malloc(unsigned long vergo_a0) { void *vergo_r = malloc(vergo_a0); if (vergo_r != 0 && vergo_tracked == 0 && __VERIFIER_nondet_int()) vergo_tracked = vergo_r; return vergo_r; } static void vergo_memcleanup_free(void *vergo_a0) { if (vergo_tracked != 0 && vergo_a0 == vergo_tracked) vergo_tracked = 0; free(vergo_a0); } int main(void) {
          void *p = vergo_memcleanup_malloc(3);
          vergo_memcleanup_free(p);
          return vergo_memcleanup_return((0));
        }
    "#]]
    .assert_eq(body(&transformed(builtin("memcleanup"), program)));
}

/// Figure 8: a flag for each assertion, and the state of the loop.
#[test]
fn figure_8_has_a_flag_for_each_liveness_assertion() {
    let program = "\
extern void assert_live(int);
int main(void) {
  int x = 0;
  for (;;) {
    x = !x;
    assert_live(x);
    assert_live(x == 2);
  }
}
";
    let result = transform(builtin("liveness"), program);
    let text = result.program.expect("a program");
    assert!(text.contains("static unsigned char vergo_live[2];"), "{text}");
    assert!(text.contains("vergo_live[0] = 1;") && text.contains("vergo_live[1] = 1;"), "{text}");
    assert!(text.contains("vergo_copy1_1 = x;"), "{text}");
}
