//! Random formulas and a truth-table solver shared by the tests.
#![allow(dead_code, reason = "each test binary uses a part")]

use vergo_sat::{CnfLit, Var};

pub(crate) use vergo_testkit::Rng;

pub(crate) fn random_clause(
    rng: &mut Rng,
    vars: std::ops::Range<usize>,
    max_len: usize,
) -> Vec<CnfLit> {
    let len = 1 + rng.below(max_len);
    (0..len).map(|_| Var::new(vars.start + rng.below(vars.len())).lit(rng.one_in(2))).collect()
}

/// Returns whether the clauses have a model, by trying all assignments.
pub(crate) fn naive_sat(n_vars: usize, clauses: &[Vec<CnfLit>]) -> bool {
    (0..1u32 << n_vars).any(|assignment| {
        clauses.iter().all(|clause| {
            clause.iter().any(|l| (assignment >> l.var().index() & 1 == 1) == l.is_positive())
        })
    })
}

/// Returns whether the slow tier was asked for; prints a note if it was not.
#[allow(clippy::print_stderr, reason = "a skipped test must say so")]
pub(crate) fn slow(what: &str) -> bool {
    let slow = std::env::var_os("VERGO_SLOW").is_some();
    if !slow {
        eprintln!("skipped without VERGO_SLOW=1: {what}");
    }
    slow
}
