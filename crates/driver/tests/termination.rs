//! Measures on C programs: loops that need not end have none, whatever is tried. States of these loops do not recur soon,
//! so that nothing else would contradict a wrong proof.

use std::time::Duration;
use vergo_driver::{Input, Job, Reason};
use vergo_engines::{Environment, prove_termination};
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_passes::properties::PropertySet;
use vergo_smt::Budget;

/// The measure in words, or why there is none.
fn measure(statements: &str) -> Result<String, Reason> {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
         extern long __VERIFIER_nondet_long(void);\nextern void *malloc(unsigned long);\n{statements}\n"
    );
    let mut job = Job::default();
    let input = Input::Text { name: "t.c".to_owned(), text: text.into_bytes() };
    let mut program = job.load_program(&[input], None).expect("a program");
    let options = vergo_passes::Options {
        properties: PropertySet::EMPTY,
        ..vergo_passes::Options::default()
    };
    run_passes(&mut program, CHECK.passes, &options, Verify::Always, &mut |_| {}).expect("passes");
    let budget = Budget::within(Duration::from_secs(60));
    let environment = Environment { budget, progress: &|_| {} };
    let certificate = prove_termination(&program, &environment)?;
    assert_eq!(certificate.kind(), "ranking");
    Ok(certificate.to_string())
}

#[test]
fn loops_that_need_not_end_have_no_measure() {
    for program in [
        // Unsigned numbers are never negative.
        "int main(void) { for (unsigned i = __VERIFIER_nondet_uint(); i >= 0; i--) ; }",
        // The step may jump over the end, and the wrapped value is below it again.
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x < 4294967295u) x += 2; }",
        "int main(void) { unsigned char i = 0; while (i < 256) i++; }",
        // A short that wraps before the bound.
        "int main(void) { for (short i = 0; i < 40000; i++) ; }",
        // The inner loop undoes the outer step now and then.
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) { i++; while (i > 5 && __VERIFIER_nondet_int()) i--; } }",
        // The bound runs away.
        "int main(void) { long i = 0, n = __VERIFIER_nondet_int(); while (i < n) { i++; if (__VERIFIER_nondet_int()) n++; if (n > 1000000) { i = 0; n = 10; } } }",
        // The pointer walks over an array without an end.
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; char *s = malloc(n); s[0] = 1; while (*s) { if (__VERIFIER_nondet_int()) s++; } }",
        // Each call may make another one of the same size.
        "int f(int n) { if (n < 0) return 0; return f(n - 1) + f(n); } int main(void) { return f(__VERIFIER_nondet_int()); }",
        "int g(int n); int f(int n) { return n > 0 ? g(n + 1) : 0; } int g(int n) { return n > 0 ? f(n - 1) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
        // What a call leaves behind is what the next one counts.
        "int left = 5; void f(void) { if (left <= 0) { left = 9; return; } left--; f(); f(); } int main(void) { f(); }",
        // A recursive function that counts its caller's variable, by address.
        "void f(int *n) { if (*n > 0) { int m = *n; f(&m); } } int main(void) { int n = __VERIFIER_nondet_int(); f(&n); }",
        // Floats that stop changing.
        "int main(void) { float x = 0; while (x < 1e9f) x += 1.0f; }",
        "int main(void) { double x = 1; while (x > 0) x = x / 2 + 1e-300; }",
        // The condition has an effect that undoes the step.
        "int main(void) { int x = __VERIFIER_nondet_int(); while (x++ > 0) x--; }",
        // Jumps that avoid the step.
        "int main(void) { unsigned i = __VERIFIER_nondet_uint(); a: if (i == 0) return 0; if (__VERIFIER_nondet_int() > 3) goto a; i--; goto a; }",
        // Another object is changed in one of the rounds.
        "int main(void) { int x = __VERIFIER_nondet_int(), y, *p = &x; while (x > 0) { --*p; if (__VERIFIER_nondet_int()) p = &y; } }",
    ] {
        let found = measure(program);
        assert!(found.is_err(), "{program}\n{found:?}");
    }
}

#[test]
fn loops_that_end_have_one() {
    for program in [
        "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x--; }",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x < 4294967294u) x += 2; }",
        // It becomes negative, but is compared as unsigned: the last value is -1.
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); for (short i = 0; i < n; i++) ; }",
        "int main(void) { long n = __VERIFIER_nondet_long(); for (long i = n; i < n + 10 && i > 0; i++) ; }",
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x != y) { if (x > y) y++; else x++; } }",
        "int f(int n) { return n > 0 ? f(n - 1) + f(n - 2) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
        "int g(int n); int f(int n) { return n > 0 ? g(n) : 0; } int g(int n) { return n > 0 ? f(n - 1) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; char *s = malloc(n); s[n - 1] = 0; while (*s) s++; }",
    ] {
        let found = measure(program);
        assert!(found.is_ok(), "{program}\n{found:?}");
    }
}

#[test]
fn programs_without_loops_end() {
    assert!(measure("int main(void) { return __VERIFIER_nondet_int() > 3; }").is_ok());
}
