//! A refutation that others can check: clauses in DIMACS and their LRAT proof.
//!
//! The clauses are those that the solver was given for the question "can an execution fail?", as far as the proof uses
//! them, and the assumptions of the question as unit clauses. What the proof shows is that these clauses contradict each
//! other; that they say what the program does rests on symbolic execution and on the translation to clauses, and the
//! lemmas about arrays are among the clauses.

use vergo_smt::Solver;
use vergo_smt::lrat::{LratError, check_text};

/// Clauses and a proof that they contradict each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClauseProof {
    formula: String,
    proof: String,
}

impl ClauseProof {
    /// The proof of a solver's last refutation, if it records proofs and the checker accepts it.
    pub fn of(solver: &Solver) -> Option<ClauseProof> {
        let (formula, proof) = solver.export_proof().ok()?;
        let proof = ClauseProof { formula, proof };
        proof.check().ok()?;
        Some(proof)
    }

    /// A proof that was written before, not checked yet.
    pub fn from_texts(formula: String, proof: String) -> ClauseProof {
        ClauseProof { formula, proof }
    }

    /// Checks each step of the proof.
    ///
    /// # Errors
    /// If a step does not follow, or nothing is refuted.
    pub fn check(&self) -> Result<(), LratError> {
        check_text(&self.formula, &self.proof)
    }

    /// The clauses in DIMACS.
    pub fn formula(&self) -> &str {
        &self.formula
    }

    /// The proof in LRAT.
    pub fn proof(&self) -> &str {
        &self.proof
    }
}
