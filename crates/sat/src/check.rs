//! An independent check of interpolants: a fresh solver decides what makes them interpolants.

use crate::aig::{Aig, Lit};
use crate::budget::{Budget, StopReason};
use crate::cnf::{CnfEncoder, CnfOptions};
use crate::solver::{Answer, Cadical, CnfLit, Label, SatSolver, Var};
use std::fmt;

/// The flaw in a claimed interpolation sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The number of interpolants is not one less than the number of parts.
    Length,
    /// The interpolant before the part and the part do not imply the interpolant after it.
    NotImplied(usize),
    /// The interpolant at this cut depends on an input that is not on both sides.
    NotShared(usize),
    /// The check did not finish.
    Stopped(StopReason),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Length => write!(f, "there must be one interpolant per cut"),
            Flaw::NotImplied(part) => write!(f, "part {part} does not preserve the interpolants"),
            Flaw::NotShared(cut) => write!(f, "interpolant {cut} has a symbol of one side only"),
            Flaw::Stopped(reason) => write!(f, "check stopped: {}", reason.name()),
        }
    }
}

impl std::error::Error for Flaw {}

/// Checks an interpolation sequence for the conjunction of `parts`: with true before the first
/// part and false after the last one, each part must carry one interpolant to the next, and each
/// interpolant may only depend on inputs that occur on both sides of its cut.
pub fn check_sequence(
    aig: &Aig,
    parts: &[Lit],
    interpolants: &[Lit],
    budget: &Budget,
) -> Result<(), Flaw> {
    check_implications(aig, parts, interpolants, budget)?;
    let symbols: Vec<Vec<u32>> = parts.iter().map(|&part| aig.support(&[part])).collect();
    check_symbols(aig, &symbols, interpolants)
}

/// Checks that each part, with the interpolant before it, implies the one after it.
pub fn check_implications(
    aig: &Aig,
    parts: &[Lit],
    interpolants: &[Lit],
    budget: &Budget,
) -> Result<(), Flaw> {
    if interpolants.len() + 1 != parts.len() {
        return Err(Flaw::Length);
    }
    for part in 0..parts.len() {
        let before = if part == 0 { Lit::TRUE } else { interpolants[part - 1] };
        let after = interpolants.get(part).copied().unwrap_or(Lit::FALSE);
        let mut solver = Cadical::default();
        let mut cnf = CnfEncoder::new(CnfOptions::default());
        for lit in [before, parts[part], !after] {
            cnf.assert(aig, &mut solver, lit, &[], Label::Group(0));
        }
        match solver.solve(&[], budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Flaw::NotImplied(part)),
            Answer::Unknown(reason) => return Err(Flaw::Stopped(reason)),
        }
    }
    Ok(())
}

/// Checks that each interpolant depends only on inputs that occur on both sides of its cut, where
/// `symbols` names the inputs of each part.
pub fn check_symbols(aig: &Aig, symbols: &[Vec<u32>], interpolants: &[Lit]) -> Result<(), Flaw> {
    for (cut, &interpolant) in interpolants.iter().enumerate() {
        let occurs = |parts: &[Vec<u32>], input: u32| parts.iter().any(|p| p.contains(&input));
        let shared =
            |&input: &u32| occurs(&symbols[..=cut], input) && occurs(&symbols[cut + 1..], input);
        if !aig.support(&[interpolant]).iter().all(shared) {
            return Err(Flaw::NotShared(cut));
        }
    }
    Ok(())
}

/// Checks a single interpolant between `a` and `b`.
pub fn check_interpolant(
    aig: &Aig,
    a: Lit,
    b: Lit,
    interpolant: Lit,
    budget: &Budget,
) -> Result<(), Flaw> {
    check_sequence(aig, &[a, b], &[interpolant], budget)
}

/// The conjunction of some clauses as a literal of the graph.
pub fn clauses_as_circuit(
    aig: &mut Aig,
    clauses: &[Vec<CnfLit>],
    literal_of: impl Fn(Var) -> Lit,
) -> Lit {
    let mut conjuncts = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let lits: Vec<Lit> =
            clause.iter().map(|l| literal_of(l.var()).complement_if(!l.is_positive())).collect();
        conjuncts.push(aig.or_all(&lits));
    }
    aig.and_all(&conjuncts)
}
