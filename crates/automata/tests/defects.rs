//! Defects of the published implementation that must not recur, each as a test of its own.

mod support;

use support::{body, builtin, transform, transformed};

fn overflow(program: &str) -> String {
    transformed(builtin("no-overflow"), program)
}

#[test]
fn the_least_long_long_is_not_off_by_one() {
    assert!(
        overflow("long long f(long long a) { return -a; }")
            .contains("(-9223372036854775807LL - 1)")
    );
}

#[test]
fn long_has_its_own_limits() {
    let text = overflow("typedef long number; number f(number a, number b) { return a - b; }");
    assert!(text.contains("9223372036854775807L") && !text.contains("2147483647"), "{text}");
}

#[test]
fn division_by_zero_is_no_overflow() {
    let text = overflow("int f(int a, int b) { return a / b + a % b; }");
    assert!(text.contains("x != (-2147483647 - 1) || y != -1"), "{text}");
    assert!(!text.contains("y != 0"), "{text}");
}

#[test]
fn a_shift_is_compared_with_the_width_and_checked_by_a_valid_shift() {
    let text = overflow("int f(int a, int b) { return a << b; }");
    assert!(text.contains("y >= 0 && y < 32 && x >= 0 && x <= (2147483647 >> y)"), "{text}");
}

#[test]
fn increments_and_compound_assignments_are_checked() {
    let text = overflow("int f(int a) { a++; --a; a *= 3; a <<= 1; return a--; }");
    for name in ["add_int", "sub_int", "mul_int", "shl_int"] {
        assert!(body(&text).contains(name), "{name}: {text}");
    }
}

#[test]
fn operands_may_be_calls() {
    let text = overflow("int g(void); int f(int a) { return g() + g() * a; }");
    assert!(body(&text).contains("add_int(g() , vergo_no_overflow_mul_int(g() , a))"), "{text}");
}

#[test]
fn every_way_to_end_the_program_is_seen() {
    let program = "\
extern void *malloc(unsigned long);
extern void exit(int), _exit(int), quick_exit(int), abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void __VERIFIER_error(void);
extern void reach_error(void);
int status(void);
int main(int n, char **v) {
  if (n == 1) return n;
  if (n == 2) exit(n);
  if (n == 3) _exit(0);
  if (n == 4) quick_exit(1);
  if (n == 5) abort();
  if (n == 6) __assert_fail(\"\", \"\", 1, \"\");
  if (n == 7) __VERIFIER_error();
  if (n == 8) exit(status());
  if (n == 9) return 0;
}
";
    let text = transformed(builtin("memcleanup"), program);
    let lines: Vec<&str> = body(&text).lines().collect();
    let line = |n: usize| {
        lines.iter().find(|line| line.contains(&format!("n == {n}"))).copied().unwrap_or_default()
    };
    assert!(line(1).contains("return vergo_memcleanup_return((n));"), "{text}");
    for n in [2, 3, 4, 5, 6] {
        assert!(line(n).contains("(vergo_memcleanup_end(), "), "{n}: {text}");
    }
    assert!(line(7).contains("vergo_original___VERIFIER_error()"), "{text}");
    assert!(
        text.contains("vergo_original___VERIFIER_error(void) { vergo_memcleanup_end(); abort(); }"),
        "{text}"
    );
    assert!(line(8).contains("vergo_memcleanup_exit(status())"), "{text}");
    assert!(line(9).contains("return vergo_memcleanup_return((0));"), "{text}");
    assert!(text.contains("vergo_memcleanup_end(); }\n"), "falling off the end: {text}");
}

#[test]
fn functions_that_run_at_exit_come_before_the_end() {
    let program = "\
extern int atexit(void (*)(void));
extern void *malloc(unsigned long);
extern void free(void *);
void *p;
void clean(void) { free(p); }
int main(void) { p = malloc(1); atexit(clean); return 0; }
";
    let text = transformed(builtin("memcleanup"), program);
    assert!(text.contains("int main(void) { atexit(vergo_memcleanup_end);"), "{text}");
    assert!(text.contains("return 0; }"), "{text}");
}

#[test]
fn realloc_of_null_allocates_and_to_null_keeps() {
    let text = builtin("memcleanup");
    assert!(text.contains("if ($r != 0 || $n == 0) tracked = $r;"));
    assert!(text.contains("else if ($p == 0 && $r != 0"));
}

#[test]
fn allocation_through_a_pointer_is_seen() {
    let program = "\
extern void *malloc(unsigned long);
void *(*allocate)(unsigned long);
int main(void) { allocate = malloc; return allocate(3) == 0; }
";
    let text = transformed(builtin("memcleanup"), program);
    assert!(body(&text).contains("allocate = vergo_memcleanup_malloc;"), "{text}");
}

#[test]
fn recursion_is_a_loop() {
    let program = "int f(int n) { if (n == 5) return 1; return f(n) + 1; }\nint main(void) { return f(3); }\n";
    let text = transformed(builtin("termination"), program);
    assert!(text.contains("static int vergo_copy1_1;"), "{text}");
    assert!(text.contains("n == vergo_copy1_1"), "{text}");
    assert!(text.contains("{ int vergo_result = f(n) + 1;"), "{text}");
}

#[test]
fn loops_from_jumps_are_loops() {
    let program = "int main(void) { int i = 0; again: i ^= 1; if (i < 5) goto again; return i; }\n";
    let text = transformed(builtin("termination"), program);
    assert!(text.contains("again: { if (vergo_saved_1)"), "{text}");
}

#[test]
fn structures_arrays_and_globals_of_callees_are_state() {
    let program = "\
int global;
struct pair { int a; double b; char c[3]; } pair;
int step(void) { return global--; }
int main(void) {
  int many[20] = {0};
  while (step()) { pair.a = many[3]; many[4]++; }
}
";
    let text = transformed(builtin("termination"), program);
    for part in [
        "global == ",
        "pair.a == ",
        "pair.c[2] == ",
        "many[vergo_i0] == ",
        "if (vergo_copied_1) { for",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_is_not_compared_is_said() {
    let program = "\
extern void *malloc(unsigned long);
struct list { struct list *next; };
int main(void) {
  struct list *l = malloc(sizeof *l);
  while (l) { struct list *n = malloc(sizeof *n); n->next = l; l = n->next; }
}
";
    let result = transform(builtin("termination"), program);
    assert!(result.program.is_some());
    assert!(result.messages.contains("warning[A0023]"), "{}", result.messages);
    assert!(result.messages.contains("warning[A0024]"), "{}", result.messages);
}

#[test]
fn an_inner_loop_starts_anew_each_time() {
    let program = "int main(void) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) ; }\n";
    let text = transformed(builtin("termination"), program);
    let inner = text.find("int vergo_saved_1 = 0;").expect("the inner loop");
    let outer_body = text.find("vergo_saved_2 = 1").expect("the outer loop");
    assert!(outer_body < inner, "the inner instance is declared inside of the outer loop: {text}");
}

#[test]
fn what_cannot_be_instrumented_is_named_with_its_place() {
    let program = "struct s { int b : 3; } *g(void);\nint f(void) { return g()->b++; }\n";
    let result = transform(builtin("no-overflow"), program);
    assert!(result.program.is_none());
    assert!(
        result.messages.contains("error[A0020]") && result.messages.contains("program.c:2:22"),
        "{}",
        result.messages
    );
}

#[test]
fn the_absolute_value_of_the_least_value_is_an_overflow() {
    let program = "extern int abs(int);\nint f(int a) { return abs(a); }\n";
    let text = overflow(program);
    assert!(body(&text).contains("return vergo_no_overflow_abs(a);"), "{text}");
    // What the program defines itself is looked into instead.
    let text =
        overflow("int abs(int a) { return a < 0 ? -a : a; }\nint f(int a) { return abs(a); }\n");
    assert!(body(&text).contains("return abs(a);"), "{text}");
}

#[test]
fn what_every_round_writes_before_it_reads_is_no_state() {
    let program = "\
extern int next(void);
int main(void) {
  int a, b, c = 0, d, e;
  while (next()) {
    a = next();
    if (a) b = 1; else b = 2;
    if (next()) continue;
    d = a + b;
    c = c + d;
    switch (c) { case 1: e = 2; break; default: c = e; }
  }
}
";
    let text = transformed(builtin("termination"), program);
    let compared = text.split("reach_error();").next().unwrap_or_default();
    let compared = compared.rsplit("if (!(!(").next().unwrap_or_default();
    for (name, live) in [("a", false), ("b", false), ("c", true), ("d", false), ("e", true)] {
        assert_eq!(compared.contains(&format!("{name} == ")), live, "{name}: {compared}");
    }
}
