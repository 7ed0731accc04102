//! The second look: what it confirms, what it does not follow, and that it says so.

use vergo_driver::{Answer, CheckReport, CheckRequest, EngineId, Input, Job, check};

fn checked(text: &str) -> CheckReport {
    let mut job = Job::default();
    let input = Input::Text { name: "a.c".to_owned(), text: text.as_bytes().to_vec() };
    let request = CheckRequest { paranoid: true, ..CheckRequest::default() };
    check(&mut job, &[input], &request, &|_| {}).expect("the text is a program")
}

/// Each with a claim that holds and one that does not.
const PROGRAMS: [(&str, &str, &str); 7] = [
    ("int x = nondet_int(); if (x < 0 || x > 9) return 0; int y = x * x;", "y <= 81", "y <= 80"),
    (
        "int a[5], i, n = nondet_int(); if (n < 0 || n > 5) return 0;
         for (i = 0; i < n; i++) a[i] = 2 * i;",
        "n < 5 || a[4] == 8",
        "n < 5 || a[4] == 7",
    ),
    (
        "struct pair { char c; int n; unsigned b : 3; } p = { 1, 2, 3 }, *q = &p, r;
         q->n = nondet_int(); q->b = 9; r = *q;",
        "r.b == 1 && r.c == 1 && p.n == r.n",
        "r.n == 2",
    ),
    (
        "int *p = malloc(sizeof(int)); *p = nondet_int(); int v = *p; free(p); ",
        "v / 2 * 2 + v % 2 == v",
        "v % 2 == 0",
    ),
    ("int s = 0; for (int i = 0; i < 200; i++) s += i;", "s == 19900", "s == 19901"),
    (
        "unsigned char k = nondet_int(); int ones = 0; while (k) { ones += k & 1; k >>= 1; }",
        "ones <= 8",
        "ones <= 7",
    ),
    ("int x = nondet_int(); int (*f)(int) = pick; int y = f(x > 3);", "y == (x > 3)", "y == 1"),
];

#[test]
fn verdicts_are_confirmed() {
    for (body, holds, fails) in PROGRAMS {
        let text = |claim: &str| {
            format!(
                "int nondet_int(void); void *malloc(unsigned long); void free(void *);
                 void __VERIFIER_assert(int); static int pick(int n) {{ return n; }}
                 int main(void) {{ {body} __VERIFIER_assert({claim}); return 0; }}"
            )
        };
        let report = checked(&text(holds));
        assert_eq!(report.answer, Answer::True, "{body} {holds}");
        assert!(report.second_look.is_some(), "{body} {holds}");
        let certificate = report.certificate.as_ref().expect("true has one");
        assert!(!certificate.checked().how.is_empty());
        let report = checked(&text(fails));
        assert_eq!(report.answer, Answer::False("user.assert".to_owned()), "{body} {fails}");
        assert_eq!(report.second_look.as_deref(), Some("replayed step by step"));
    }
}

#[test]
fn what_is_not_followed_a_second_time_is_not_known() {
    for (body, why) in [
        ("double d = nondet_int(); __VERIFIER_assert(d == d);", "floating numbers"),
        (
            "unsigned i = 0, n = nondet_int(); while (i < n) i++; __VERIFIER_assert(i == n);",
            "more than",
        ),
    ] {
        let text = format!(
            "int nondet_int(void); void __VERIFIER_assert(int);
             int main(void) {{ {body} return 0; }}"
        );
        let Answer::Unknown(reason) = checked(&text).answer else { panic!("{body} is known") };
        let reason = reason.to_string();
        assert!(reason.starts_with("paranoid: ") && reason.contains(why), "{reason}");
    }
}

/// Loops that are executed many rounds at once are executed round by round.
#[test]
fn leaps_are_made_step_by_step() {
    let text = "void __VERIFIER_assert(int); int main(void) { unsigned s = 0;
        for (unsigned i = 0; i < 100000; i++) s += 3; __VERIFIER_assert(s == 300000); return 0; }";
    let mut job = Job::default();
    let input = Input::Text { name: "a.c".to_owned(), text: text.as_bytes().to_vec() };
    let engine = EngineId::Sampling;
    let request = CheckRequest { paranoid: true, engine, ..CheckRequest::default() };
    let report = check(&mut job, &[input], &request, &|_| {}).expect("the text is a program");
    assert_eq!(report.answer, Answer::True);
    assert_eq!(report.second_look.as_deref(), Some("executed again step by step"));
}
