//! The no-overflow automaton against gcc's checked arithmetic: for every signed operation, at every signed type, on
//! the values at and around the borders, a violation is reported exactly if the exact result does not fit.

mod support;

use std::fmt::Write;
use std::time::Duration;
use support::{builtin, transformed};
use vergo_testkit::host_c::{HostC, Scratch};

/// A program that tries all pairs and prints what the instrumentation says; the other column is the oracle's.
fn program(ty: &str, unsigned: &str, width: u32) -> (String, String) {
    let mut operations = String::new();
    let mut tries = String::new();
    let ops: &[(&str, &str, &str)] = &[
        ("add", "return a + b;", "__builtin_add_overflow(a, b, &t)"),
        ("sub", "return a - b;", "__builtin_sub_overflow(a, b, &t)"),
        ("mul", "return a * b;", "__builtin_mul_overflow(a, b, &t)"),
        ("add_to", "a += b; return a;", "__builtin_add_overflow(a, b, &t)"),
        ("sub_from", "a -= b; return a;", "__builtin_sub_overflow(a, b, &t)"),
        ("mul_by", "a *= b; return a;", "__builtin_mul_overflow(a, b, &t)"),
        ("inc", "a++; return a;", "__builtin_add_overflow(a, (T)1, &t)"),
        ("old_inc", "return a++;", "__builtin_add_overflow(a, (T)1, &t)"),
        ("dec", "return --a;", "__builtin_sub_overflow(a, (T)1, &t)"),
        ("neg", "return -a;", "a == MIN"),
        ("div", "if (b == 0) return 0; return a / b;", "(a == MIN && b == -1)"),
        ("rem", "if (b == 0) return 0; a %= b; return a;", "(a == MIN && b == -1)"),
        ("shl", "return a << b;", "(b < 0 || b >= WIDTH || a < 0 || a > (MAX >> b))"),
    ];
    for (name, body, oracle) in ops {
        let oracle = oracle.replace("(T)", &format!("({ty})"));
        let _ = writeln!(operations, "static {ty} {name}({ty} a, {ty} b) {{ {body} }}");
        let _ = writeln!(
            tries,
            "  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {{ {ty} a = values[i], b = values[j], t; violated = 0; (void)t; {name}(a, b); if (violated != !!({oracle})) bad(\"{name}\", i, j); }}"
        );
    }
    let max = format!("(({ty})((({unsigned})1 << {}) - 1))", width - 1);
    let head = format!(
        "extern int printf(const char *, ...);\nstatic int violated;\nstatic const {ty} MAX_ = {max};\n"
    );
    // Only the operations are instrumented; the rest is put around them afterwards.
    let rest = format!(
        "#define MAX {max}\n#define MIN (-MAX - 1)\n#define WIDTH {width}\n\
         static void bad(const char *what, int i, int j) {{ printf(\"%s %d %d\\n\", what, i, j); }}\n\
         int main(void) {{\n  {ty} values[] = {{ 0, 1, -1, 2, -2, 3, 7, -7, WIDTH - 1, WIDTH, WIDTH - 2, MAX, MIN, MAX - 1, MIN + 1, MAX / 2, MIN / 2, MAX / 2 + 1, MIN / 2 - 1, MAX / 3, MIN / 3, (({ty})1 << (WIDTH / 2)), -(({ty})1 << (WIDTH / 2)), (({ty})1 << (WIDTH / 2)) - 1, (({ty})1 << (WIDTH / 2 - 1)) }};\n  enum {{ N = sizeof values / sizeof values[0] }};\n{tries}  return 0;\n}}\n"
    );
    (format!("{head}{operations}"), rest)
}

#[test]
fn int_is_checked_at_its_limits() {
    check("int", "unsigned int", 32);
}

#[test]
fn long_is_checked_at_its_limits() {
    check("long", "unsigned long", 64);
}

#[test]
fn long_long_is_checked_at_its_limits() {
    check("long long", "unsigned long long", 64);
}

#[test]
fn int128_is_checked_at_its_limits() {
    check("__int128", "unsigned __int128", 128);
}

/// The processor traps on the one quotient that overflows, so that a function returns before that is computed.
fn check(ty: &str, unsigned: &str, width: u32) {
    let host = HostC::find().expect("gcc");
    let (operations, rest) = program(ty, unsigned, width);
    let text = transformed(builtin("no-overflow"), &operations)
        .replace(
            "void reach_error(void) { abort(); }",
            "static int violated; void reach_error(void) { violated = 1; }",
        )
        .replace("reach_error(); return x / y;", "{ reach_error(); return 0; } return x / y;")
        .replace("reach_error(); return x % y;", "{ reach_error(); return 0; } return x % y;");
    let folder = Scratch::new("overflow").expect("a folder");
    let done = host
        .run_text(&folder, &format!("{text}{rest}"), &["-w", "-fwrapv"], Duration::from_secs(20))
        .expect("a run");
    assert_eq!(
        (done.code(), done.stdout_text(), done.stderr_text()),
        (Some(0), String::new(), String::new()),
        "{ty}"
    );
}

#[test]
fn narrow_types_are_computed_in_int() {
    let text = transformed(
        builtin("no-overflow"),
        "short f(short a, signed char b) { a++; b -= 2; return a * b; }\n",
    );
    assert!(
        text.contains("add_int(int x, int y)") && text.contains("mul_int(int x, int y)"),
        "{text}"
    );
    assert!(!text.contains("add_short"), "{text}");
}

#[test]
fn unsigned_arithmetic_is_left_alone() {
    let program =
        "unsigned f(unsigned a, unsigned char c) { a++; a = -a * 2 + a; return a << 3; }\n";
    let text = transformed(builtin("no-overflow"), program);
    assert_eq!(support::body(&text), program);
}
