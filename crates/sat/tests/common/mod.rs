//! Random formulas and a truth-table solver shared by the tests.
#![allow(dead_code, reason = "each test binary uses a part")]

use vergo_sat::{CnfLit, Var};

/// A small deterministic generator.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.next() & 64 == 0
    }
}

pub(crate) fn random_clause(
    rng: &mut Rng,
    vars: std::ops::Range<usize>,
    max_len: usize,
) -> Vec<CnfLit> {
    let len = 1 + rng.below(max_len);
    (0..len).map(|_| Var::new(vars.start + rng.below(vars.len())).lit(rng.flip())).collect()
}

/// Whether the clauses have a model, by trying all assignments.
pub(crate) fn naive_sat(n_vars: usize, clauses: &[Vec<CnfLit>]) -> bool {
    (0..1u32 << n_vars).any(|assignment| {
        clauses.iter().all(|clause| {
            clause.iter().any(|l| (assignment >> l.var().index() & 1 == 1) == l.is_positive())
        })
    })
}

/// Whether the slow tier was asked for; says so when it was not.
#[allow(clippy::print_stderr, reason = "a skipped test must say so")]
pub(crate) fn slow(what: &str) -> bool {
    let slow = std::env::var_os("VERGO_SLOW").is_some();
    if !slow {
        eprintln!("skipped without VERGO_SLOW=1: {what}");
    }
    slow
}
