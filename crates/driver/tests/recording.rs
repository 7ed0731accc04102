//! Recorded executions say what traces say.

use std::time::Duration;

use vergo_driver::{Change, CheckRequest, ClaimStatus, EngineId, Input, Job, TraceDetail, check};

const PROGRAMS: &[&str] = &[
    "int nondet_int(void); struct s { int a; int b[3]; };
     static int f(struct s *p, int n) { p->a = n; p->b[n] = n + 1; return p->b[n]; }
     int main(void) { struct s x = { 0 }; int n = nondet_int(); if (n < 0 || n > 3) return 0;
       int i; for (i = 0; i < n; i++) x.a += i; return f(&x, n); }",
    "unsigned nondet_uint(void); int g;
     static void bump(void) { g++; }
     int main(void) { unsigned k = nondet_uint(); if (k > 40) return 0; for (unsigned i = 0; i < k; i++) bump();
       int d = 30 - g; return 100 / d; }",
    "int nondet_int(void); static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
     int main(void) { int n = nondet_int(); if (n < 0 || n > 20) return 0; return fact(n); }",
];

#[test]
fn values_are_those_of_the_trace() {
    let mut n_compared = 0;
    for text in PROGRAMS {
        let mut job = Job::default();
        let inputs = [Input::Text { name: "p.c".to_owned(), text: text.as_bytes().to_vec() }];
        let request = CheckRequest {
            engine: EngineId::BmcIncremental,
            trace: TraceDetail::Full,
            timeout: Some(Duration::from_secs(60)),
            ..CheckRequest::default()
        };
        let report = check(&mut job, &inputs, &request, &|_| {}).unwrap();
        let claims = report.claims.iter();
        let violated: Vec<_> = claims
            .filter_map(|claim| match &claim.status {
                ClaimStatus::Violated(violation) => Some((claim, violation)),
                _ => None,
            })
            .collect();
        assert!(!violated.is_empty(), "{text}");
        for (claim, violation) in violated {
            let recording = report.recording(violation, Duration::from_secs(20));
            assert!(recording.violated && !recording.is_cut);
            assert!(recording.end.contains(&claim.site.claim.property), "{}", recording.end);
            assert_eq!(recording.steps.last().map(|step| step.span), Some(violation.span()));
            let mut steps = recording.steps.iter();
            for line in report.trace_lines(violation, TraceDetail::Full) {
                if !matches!(line.kind, "assign" | "input") || !line.text.contains(" = ") {
                    continue;
                }
                // The next step of that place that writes.
                let wrote = steps.find_map(|step| match &step.change {
                    Change::Wrote(value) if step.span == line.span => Some(value),
                    _ => None,
                });
                let Some(value) = wrote else {
                    panic!("`{}` is not in the recording of {text}", line.text)
                };
                assert!(
                    line.text.contains(&format!(" = {}", value.value)),
                    "{} but {value:?}",
                    line.text
                );
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 50, "{n_compared}");
}
