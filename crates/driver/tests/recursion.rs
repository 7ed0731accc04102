//! Contracts on C programs: what recursive functions do without a bound is proved, and nothing is that is not so.

use std::fmt::Write as _;
use std::time::Duration;
use vergo_driver::{
    Answer, CheckReport, CheckRequest, EngineId, Input, Job, OnViolation, Specification, check,
};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;

const LONG: Duration = Duration::from_secs(60);
/// The time limit: a proof that is not found soon will not be found.
const SHORT: Duration = Duration::from_secs(4);

const DECLARATIONS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void exit(int);
extern void *malloc(unsigned long);
void check(int holds) { if (!holds) reach_error(); }
";

fn checked(engine: EngineId, property: &str, text: &str, timeout: Duration) -> CheckReport {
    let text = format!("{DECLARATIONS}{text}\n");
    let input = Input::Text { name: "a.c".to_owned(), text: text.into_bytes() };
    let specification = Specification::from_name(property).expect("a property");
    let request = CheckRequest {
        engine,
        specification,
        on_violation: OnViolation::Stop,
        timeout: Some(timeout),
        ..CheckRequest::default()
    };
    check(&mut Job::default(), &[input], &request, &|_| {}).expect("the text is a program")
}

fn answer(engine: EngineId, property: &str, text: &str) -> Answer {
    checked(engine, property, text, LONG).answer
}

/// A program with a place for a condition: one under which it is safe, and one under which it is not.
const TWINS: &[(&str, &str, &str, &str)] = &[
    (
        "unreach-call",
        "int id(int n) { if (n == 0) return 0; return 1 + id(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); check(CONDITION); }",
        "id(n) == n",
        "id(n) != 7",
    ),
    (
        "unreach-call",
        "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
         int main(void) {
             int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0; check(CONDITION); }",
        "2 * sum(n) == n * n + n",
        "2 * sum(n) == n * n + 2 * n - (n > 4)",
    ),
    (
        "unreach-call",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int n = __VERIFIER_nondet_int(), r = f(n); check(CONDITION); }",
        "n > 101 || r == 91",
        "n > 102 || r == 91",
    ),
    (
        "unreach-call",
        "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
         int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int main(void) {
             int n = __VERIFIER_nondet_int(); if (n < 0) return 0; check(CONDITION); }",
        "even(n) != odd(n)",
        "even(n) == (n < 3 ? 1 - n % 2 : n % 2)",
    ),
    (
        // What a function leaves in static variables.
        "unreach-call",
        "unsigned count; void f(unsigned n) { if (n == 0) return; count++; f(n - 1); }
         int main(void) {
             unsigned n = __VERIFIER_nondet_uint(); count = 5; f(n); check(CONDITION); }",
        "count == n + 5",
        "count != 8",
    ),
    (
        // A loop around the calls, and one in the body.
        "unreach-call",
        "int f(int n) { int r = 0; if (n <= 0) return 0; for (int i = 0; i < 3; i++) r = f(n - 1); return r; }
         int main(void) {
             int s = 0; while (__VERIFIER_nondet_int()) { s = f(__VERIFIER_nondet_int()); check(CONDITION); } }",
        "s == 0",
        "s != 0",
    ),
    (
        "no-overflow",
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + (CONDITION); }
         int main(void) { f(__VERIFIER_nondet_int()); }",
        "0",
        "n + 2147483647",
    ),
    (
        "no-overflow",
        "int f(int n, int low) { if (n <= low) return low; return f(n - 1, low); }
         int main(void) { int n = __VERIFIER_nondet_int(); f(n, CONDITION); }",
        "-5",
        "n > 2147483647 - 3 ? n + 3 : n",
    ),
];

#[test]
fn twins_are_told_apart() {
    for (property, program, safe, violated) in TWINS {
        let report =
            checked(EngineId::Contracts, property, &program.replace("CONDITION", safe), LONG);
        assert_eq!(report.answer, Answer::True, "{program}\n{safe}");
        let certificate = report.certificate.expect("a certificate");
        assert_eq!(certificate.kind(), "contracts");
        let twin = program.replace("CONDITION", violated);
        let contracts = answer(EngineId::Contracts, property, &twin);
        assert!(matches!(contracts, Answer::Unknown(_)), "{twin}\n{contracts:?}");
        let bounded = answer(EngineId::BmcIncremental, property, &twin);
        assert!(matches!(bounded, Answer::False(_)), "{twin}\n{bounded:?}");
    }
}

#[test]
fn contracts_are_shown_in_c() {
    let (property, program, safe, _) = TWINS[0];
    let report = checked(EngineId::Contracts, property, &program.replace("CONDITION", safe), LONG);
    let text = report.certificate.expect("a certificate").to_string();
    assert_eq!(text, "contracts of recursive functions: id ensures result == n");
}

/// Violated, each by something that a contract could forget.
const VIOLATED: &[(&str, &str)] = &[
    // A static variable that is changed, by name and by address, here and in what is called.
    (
        "unreach-call",
        "int g; void f(int n) { if (n > 0) { g = n; f(n - 1); } } int main(void) { f(3); check(g == 0); }",
    ),
    (
        "unreach-call",
        "int g; void f(int n) { int *p = &g; if (n > 0) { *p = n; f(n - 1); } } int main(void) { f(3); check(g == 0); }",
    ),
    (
        "unreach-call",
        "int g; void set(int *p) { *p = 1; } void f(int n) { if (n > 0) { set(&g); f(n - 1); } } int main(void) { f(3); check(g == 0); }",
    ),
    (
        "unreach-call",
        "int g; int *where(void) { return &g; } void f(int n) { if (n > 0) { *where() = 3; f(n - 1); } } int main(void) { f(3); check(g == 0); }",
    ),
    (
        "unreach-call",
        "int a[9]; void f(int i) { if (i >= 9) return; a[i] = i; f(i + 1); } int main(void) { f(0); check(a[3] == 0); }",
    ),
    (
        "unreach-call",
        "struct s { int x, y; } g; void f(int i) { if (i >= 9) return; g.y = i; f(i + 1); } int main(void) { f(0); check(g.y == 0); }",
    ),
    (
        "unreach-call",
        "int f(int n) { static int c; c++; if (n <= 0) return c; return f(n - 1); } int main(void) { check(f(3) == 1); }",
    ),
    // Static variables that only others change.
    (
        "unreach-call",
        "int g; int f(int n) { if (n <= 0) return 0; return f(n - 1); } int main(void) { g = __VERIFIER_nondet_int(); f(3); check(g == 0); }",
    ),
    (
        "unreach-call",
        "int g; int f(int n) { if (n <= 0) return g; return f(n - 1); } int main(void) { g = 5; check(f(2) == 0); }",
    ),
    (
        "unreach-call",
        "int g; int f(int n) { if (n <= 0) return g; return f(n - 1); } int main(void) { int *p = &g; *p = 5; check(f(2) == 0); }",
    ),
    (
        "unreach-call",
        "int g; void (*later)(void); void set(void) { g = 1; } int f(int n) { if (n <= 0) return g; return f(n - 1); } int main(void) { later = set; later(); check(f(2) == 0); }",
    ),
    // The variables of a caller.
    (
        "unreach-call",
        "void f(int *p, int n) { if (n > 0) f(p, n - 1); else *p = 7; } int main(void) { int x = 0; f(&x, 2); check(x == 0); }",
    ),
    (
        "unreach-call",
        "void f(int n, int *p) { int x = 0; if (p) *p = 1; if (n > 0) { f(n - 1, &x); check(x == 0); } } int main(void) { f(3, 0); }",
    ),
    (
        "unreach-call",
        "int *last; void f(int n) { int x = 0; if (last) *last = 1; last = &x; if (n > 0) { f(n - 1); check(x == 0); } last = 0; } int main(void) { f(3); }",
    ),
    (
        "unreach-call",
        "void f(long a, int n) { if (n > 0) f(a, n - 1); else *(int *)a = 7; } int main(void) { int x = 0; f((long)&x, 2); check(x == 0); }",
    ),
    (
        "unreach-call",
        "union u { long a; int *p; }; void f(long a, int n) { union u u; u.a = a; if (n > 0) f(a, n - 1); else *u.p = 7; } int main(void) { int x = 0; f((long)&x, 2); check(x == 0); }",
    ),
    (
        "unreach-call",
        "void f(long a, int n) { if (n > 0) f(a, n - 1); else **(int **)&a = 7; } int main(void) { int x = 0; f((long)&x, 2); check(x == 0); }",
    ),
    (
        "unreach-call",
        "struct s { int *p; }; void f(struct s s, int n) { if (n > 0) f(s, n - 1); else *s.p = 7; } int main(void) { int x = 0; struct s s = { &x }; f(s, 2); check(x == 0); }",
    ),
    // Deep, rare or indirect calls.
    (
        "unreach-call",
        "void f(int n) { check(n != 5); if (n < 10) f(n + 1); } int main(void) { f(0); }",
    ),
    (
        "unreach-call",
        "int g(int n); int f(int n) { check(n >= 0); return n ? g(n - 1) : 0; } int g(int n) { return f(n - 1); } int main(void) { f(3); }",
    ),
    (
        "unreach-call",
        "int f(int n) { check(n >= 0); if (n <= 0) return 0; return f(n - 1); } int main(void) { f(4); if (__VERIFIER_nondet_int() == 77) f(-1); }",
    ),
    (
        "unreach-call",
        "int f(int n); int (*p)(int) = f; int f(int n) { check(n != 2); if (n <= 0) return 0; return p(n - 1); } int main(void) { f(4); }",
    ),
    (
        "unreach-call",
        "int depth; int main(void) { check(depth != 3); depth++; if (depth < 9) main(); return 0; }",
    ),
    (
        "unreach-call",
        "int f(int n) { if (n <= 0) return __VERIFIER_nondet_int(); return f(n - 1); } int main(void) { check(f(2) != 9); }",
    ),
    (
        "unreach-call",
        "int f(int n) { int x; if (n <= 0) return x; return f(n - 1); } int main(void) { check(f(2) != 9); }",
    ),
    (
        "unreach-call",
        "void f(int n) { if (n == 0) return; if (n == 7) exit(0); f(n - 1); } int main(void) { f(3); check(0); }",
    ),
    (
        "unreach-call",
        "_Bool f(_Bool b, int n) { if (n <= 0) return !b; return f(!b, n - 1); } int main(void) { check(f(1, 2)); }",
    ),
    (
        "unreach-call",
        "signed char f(signed char c, int n) { if (n <= 0) return c; return f(c + 100, n - 1); } int main(void) { check(f(0, 2) >= 0); }",
    ),
    (
        "unreach-call",
        "double f(double x, int n) { if (n <= 0) return x; return f(x / 2, n - 1); } int main(void) { check(f(4, 3) >= 1); }",
    ),
    // Arithmetic in a body, for arguments that come late.
    (
        "no-overflow",
        "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); } int main(void) { f(__VERIFIER_nondet_int()); }",
    ),
    (
        "no-overflow",
        "int f(int n, int s) { if (n <= 0) return s; return f(n - 1, s + 1000000000); } int main(void) { f(3, 0); }",
    ),
    // Memory that is not given back.
    (
        "valid-memsafety",
        "void f(int n) { if (n > 0) { malloc(4); f(n - 1); } } int main(void) { f(2); }",
    ),
    (
        "valid-memsafety",
        "void f(int n) { if (n > 0) f(n - 1); else exit(0); } int main(void) { void *p = malloc(4); p = 0; f(2); }",
    ),
    (
        "valid-memsafety",
        "int a[4]; void f(int n) { if (n < 5) { a[n] = 1; f(n + 1); } } int main(void) { f(0); }",
    ),
];

#[test]
fn nothing_is_forgotten() {
    for (property, program) in VIOLATED {
        let contracts = answer(EngineId::Contracts, property, program);
        assert!(matches!(contracts, Answer::Unknown(_)), "{program}\n{contracts:?}");
    }
}

/// A number of a random program.
fn small(rng: &mut Rng) -> i64 {
    rng.below(7) as i64 - 2
}

/// A random recursive program whose recursion is not deep.
fn random_program(rng: &mut Rng) -> String {
    let names = ["f", "g"];
    let n_functions = 1 + rng.below(2);
    let word = |rng: &mut Rng| match rng.below(5) {
        0 => "n".to_owned(),
        1 => "a".to_owned(),
        2 => "state".to_owned(),
        _ => small(rng).to_string(),
    };
    let mut text = format!("int state = {};\nint g(int n, int a);\n", small(rng));
    for name in &names[..n_functions] {
        let _ = writeln!(text, "int {name}(int n, int a) {{\n  int r = {};", word(rng));
        let _ = writeln!(
            text,
            "  if (n <= {}) {{ state = {}; return {}; }}",
            rng.below(2),
            word(rng),
            word(rng)
        );
        if rng.below(2) == 0 {
            let _ = writeln!(text, "  if (a < {}) state = state + {};", small(rng), small(rng));
        }
        for _ in 0..=rng.below(2) {
            let callee = names[rng.below(n_functions)];
            let arg = match rng.below(3) {
                0 => format!("a + {}", small(rng)),
                1 => "r".to_owned(),
                _ => word(rng),
            };
            let _ = writeln!(text, "  r = {callee}(n - {}, {arg});", 1 + rng.below(2));
        }
        if rng.below(3) == 0 {
            let _ = writeln!(text, "  check(r != {});", 3 + small(rng));
        }
        let _ = writeln!(
            text,
            "  return {};\n}}",
            match rng.below(4) {
                0 => "r".to_owned(),
                1 => format!("r + {}", small(rng)),
                2 => format!("r + {}", word(rng)),
                _ => word(rng),
            }
        );
    }
    let relation = ["==", "!=", "<=", ">="][rng.below(4)];
    let (left, right) = (["r", "state"][rng.below(2)], word(rng));
    let _ = writeln!(
        text,
        "int main(void) {{\n  int n = __VERIFIER_nondet_int(), a = __VERIFIER_nondet_int();\n  \
         if (n < {} || n > 4) return 0;\n  if (a < -2 || a > 3) return 0;\n  int r = f(n, a);\n  \
         check({left} {relation} {right});\n  return 0;\n}}",
        rng.below(3) as i64 - 1
    );
    text
}

#[test]
fn random_programs_are_not_proved_wrongly() {
    let n_programs = if slow() { 600 } else { 20 };
    let mut rng = Rng::new(20);
    let mut n_proved = 0;
    for _ in 0..n_programs {
        let program = random_program(&mut rng);
        match checked(EngineId::Contracts, "unreach-call", &program, SHORT).answer {
            Answer::True => {}
            Answer::False(_) => panic!("contracts never say false\n{program}"),
            Answer::Unknown(_) => continue,
        }
        n_proved += 1;
        let bounded = answer(EngineId::BmcIncremental, "unreach-call", &program);
        assert!(!matches!(bounded, Answer::False(_)), "{program}");
    }
    assert!(n_proved > n_programs / 20, "{n_proved} of {n_programs}");
}
