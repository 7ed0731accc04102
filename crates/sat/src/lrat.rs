//! LRAT: clausal proofs with hints, checked, written and read.
//!
//! Two checkers share the propagation of [`crate::resolve`].  [`check_conclusion`] checks a recorded
//! [`Proof`] in memory, only the steps that the conclusion depends on: each must follow
//! from its antecedents, and the leaves are the clauses as they were given to the solver.
//! [`check_text`] is a checker for LRAT files (Cruz-Filipe, Heule, Hunt, Kaufmann and
//! Schneider-Kamp, "Efficient Certified RAT Verification", CADE 2017), deletions and RAT steps
//! included, for a formula in DIMACS.
//!
//! [`export`] writes a conclusion as such a pair of files; assumptions become unit clauses of
//! the formula, so that what is refuted is exactly the query.

use crate::proof::{Conclusion, Proof, StepId, StepKind};
use crate::resolve::{ChainError, Order, Replayer};
use crate::solver::CnfLit;
use rustc_hash::FxHashMap;
use std::fmt;
use std::fmt::Write as _;

/// The reason why a proof was rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LratError {
    /// There is no conclusion, or it is not about the assumptions that were made.
    NoConclusion,
    /// A recorded step does not follow from its antecedents.
    Step(StepId),
    /// A text does not parse, with the line (counted from 1).
    Syntax(usize),
    /// A line of a text does not follow (or names a clause that is not there).
    Line(usize),
    /// A text does not derive the empty clause.
    NotRefuted,
}

impl fmt::Display for LratError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LratError::NoConclusion => write!(f, "there is no refutation"),
            LratError::Step(step) => write!(f, "step {} does not follow", step.index()),
            LratError::Syntax(line) => write!(f, "line {line} is not a proof line"),
            LratError::Line(line) => write!(f, "line {line} does not follow"),
            LratError::NotRefuted => write!(f, "the empty clause is not derived"),
        }
    }
}

impl std::error::Error for LratError {}

/// Checks that a recorded conclusion follows from the original clauses and the given assumptions;
/// returns how many derived steps were checked.
pub fn check_conclusion(
    proof: &Proof,
    conclusion: &Conclusion,
    assumptions: &[CnfLit],
) -> Result<usize, LratError> {
    if conclusion.assumptions.iter().any(|a| !assumptions.contains(a)) {
        return Err(LratError::NoConclusion);
    }
    let Some(last) = conclusion.step else {
        // Without a final clause the assumptions themselves have to clash.
        return match conclusion.assumptions[..] {
            [a, b] if a == !b => Ok(0),
            _ => Err(LratError::NoConclusion),
        };
    };
    let negated = |l: &CnfLit| conclusion.assumptions.contains(&!*l);
    if !proof.clause(last).iter().all(negated) {
        return Err(LratError::NoConclusion);
    }
    let mut replayer = Replayer::new();
    let mut chain = Vec::new();
    let mut checked = 0;
    for step in proof.core(conclusion) {
        match proof.kind(step) {
            StepKind::Original(_) => continue,
            StepKind::Extension => return Err(LratError::Step(step)),
            StepKind::Derived => {}
        }
        chain.clear();
        chain.extend(proof.antecedents(step));
        if chain.iter().any(|&antecedent| antecedent >= step) {
            return Err(LratError::Step(step));
        }
        replayer
            .replay(proof.clause(step), chain.len(), |i| proof.clause(chain[i]), Order::Any)
            .map_err(|_| LratError::Step(step))?;
        checked += 1;
    }
    Ok(checked)
}

/// A conclusion as a DIMACS formula and an LRAT proof of its unsatisfiability.
pub fn export(proof: &Proof, conclusion: &Conclusion) -> Result<(String, String), LratError> {
    let core = proof.core(conclusion);
    let mut names: FxHashMap<StepId, usize> = FxHashMap::default();
    let mut formula = String::new();
    let mut n_clauses = 0;
    let mut n_vars = 0;
    let mut write_clause = |text: &mut String, clause: &[CnfLit]| {
        for lit in clause {
            n_vars = n_vars.max(lit.var().index() + 1);
            let _ = write!(text, "{} ", lit.dimacs());
        }
        text.push('0');
    };
    for &step in &core {
        if matches!(proof.kind(step), StepKind::Original(_)) {
            n_clauses += 1;
            names.insert(step, n_clauses);
            write_clause(&mut formula, proof.clause(step));
            formula.push('\n');
        }
    }
    let first_unit = n_clauses + 1;
    for &assumption in &conclusion.assumptions {
        n_clauses += 1;
        write_clause(&mut formula, &[assumption]);
        formula.push('\n');
    }
    let mut steps = String::new();
    let mut next = n_clauses;
    let mut replayer = Replayer::new();
    for &step in &core {
        if names.contains_key(&step) {
            continue;
        }
        next += 1;
        names.insert(step, next);
        // Write the hints in an order that a strict checker accepts: reasons as they are needed.
        let chain: Vec<StepId> = proof.antecedents(step).collect();
        let derivation = replayer
            .replay(proof.clause(step), chain.len(), |i| proof.clause(chain[i]), Order::Any)
            .map_err(|_| LratError::Step(step))?
            .ok_or(LratError::Step(step))?;
        let _ = write!(steps, "{next} ");
        write_clause(&mut steps, proof.clause(step));
        for &(_, position) in derivation.resolutions.iter().rev() {
            let _ = write!(steps, " {}", names[&chain[position]]);
        }
        let _ = writeln!(steps, " {} 0", names[&chain[derivation.start]]);
    }
    if !conclusion.assumptions.is_empty() {
        let mut hints = String::new();
        for unit in first_unit..first_unit + conclusion.assumptions.len() {
            let _ = write!(hints, "{unit} ");
        }
        if let Some(last) = conclusion.step {
            let _ = write!(hints, "{} ", names[&last]);
        }
        let _ = writeln!(steps, "{} 0 {hints}0", next + 1);
    }
    Ok((format!("p cnf {n_vars} {n_clauses}\n{formula}"), steps))
}

/// Checks an LRAT text against a DIMACS text.
pub fn check_text(formula: &str, proof: &str) -> Result<(), LratError> {
    let mut clauses: std::collections::BTreeMap<u64, Vec<CnfLit>> =
        std::collections::BTreeMap::new();
    for clause in parse_dimacs(formula)? {
        clauses.insert(clauses.len() as u64 + 1, clause);
    }
    if clauses.values().any(Vec::is_empty) {
        return Ok(());
    }
    let mut replayer = Replayer::new();
    for (index, text) in proof.lines().enumerate() {
        let line = index + 1;
        let mut words = text.split_ascii_whitespace().peekable();
        if words.peek().is_none() || words.peek() == Some(&"c") {
            continue;
        }
        let id: u64 = number(words.next(), line)?;
        if words.peek() == Some(&"d") {
            words.next();
            loop {
                match number::<u64>(words.next(), line)? {
                    0 => break,
                    victim => {
                        clauses.remove(&victim);
                    }
                }
            }
            continue;
        }
        let mut clause = Vec::new();
        loop {
            match number::<i32>(words.next(), line)? {
                0 => break,
                i32::MIN => return Err(LratError::Syntax(line)),
                lit => clause.push(CnfLit::from_dimacs(lit)),
            }
        }
        let mut hints: Vec<i64> = Vec::new();
        loop {
            match number::<i64>(words.next(), line)? {
                0 => break,
                hint => hints.push(hint),
            }
        }
        if !step_follows(&clauses, &mut replayer, &clause, &hints) {
            return Err(LratError::Line(line));
        }
        if clause.is_empty() {
            return Ok(());
        }
        if clauses.insert(id, clause).is_some() {
            return Err(LratError::Line(line));
        }
    }
    Err(LratError::NotRefuted)
}

/// Returns whether a clause is justified by hints: positive ones by propagation, then for each
/// clause with the negation of its first literal a negative hint and the propagation for that
/// resolvent.
fn step_follows(
    clauses: &std::collections::BTreeMap<u64, Vec<CnfLit>>,
    replayer: &mut Replayer,
    clause: &[CnfLit],
    hints: &[i64],
) -> bool {
    let split = hints.iter().position(|&h| h < 0).unwrap_or(hints.len());
    let (units, groups) = hints.split_at(split);
    let Some(units) = look_up(clauses, units) else {
        return false;
    };
    match replayer.replay(clause, units.len(), |i| units[i], Order::Strict) {
        Ok(_) => return true,
        Err(ChainError::NotUnit(_)) => return false,
        Err(ChainError::NoConflict) => {}
    }
    let Some(&pivot) = clause.first() else {
        return false;
    };
    let mut by_candidate: FxHashMap<u64, &[i64]> = FxHashMap::default();
    let mut rest = groups;
    while let Some((&head, tail)) = rest.split_first() {
        let end = tail.iter().position(|&h| h < 0).unwrap_or(tail.len());
        by_candidate.insert(head.unsigned_abs(), &tail[..end]);
        rest = &tail[end..];
    }
    for (id, candidate) in clauses {
        if !candidate.contains(&!pivot) {
            continue;
        }
        let mut resolvent = clause.to_vec();
        resolvent.extend(candidate.iter().filter(|&&l| l != !pivot));
        let hints = by_candidate.get(id).copied().unwrap_or(&[]);
        let Some(group) = look_up(clauses, hints) else {
            return false;
        };
        let chain: Vec<&[CnfLit]> = units.iter().chain(&group).copied().collect();
        if replayer.replay(&resolvent, chain.len(), |i| chain[i], Order::Any).is_err() {
            return false;
        }
    }
    true
}

fn look_up<'a>(
    clauses: &'a std::collections::BTreeMap<u64, Vec<CnfLit>>,
    hints: &[i64],
) -> Option<Vec<&'a [CnfLit]>> {
    hints.iter().map(|&h| clauses.get(&h.unsigned_abs()).map(Vec::as_slice)).collect()
}

fn number<T: std::str::FromStr>(word: Option<&str>, line: usize) -> Result<T, LratError> {
    word.and_then(|w| w.parse().ok()).ok_or(LratError::Syntax(line))
}

/// The clauses of a DIMACS text.
pub fn parse_dimacs(text: &str) -> Result<Vec<Vec<CnfLit>>, LratError> {
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.starts_with('c') || line.starts_with('p') {
            continue;
        }
        for word in line.split_ascii_whitespace() {
            match word.parse::<i32>() {
                Ok(0) => clauses.push(std::mem::take(&mut clause)),
                Ok(lit) if lit != i32::MIN => clause.push(CnfLit::from_dimacs(lit)),
                _ => return Err(LratError::Syntax(index + 1)),
            }
        }
    }
    Ok(clauses)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMULA: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";

    #[test]
    fn a_hand_written_proof_is_accepted() {
        assert_eq!(check_text(FORMULA, "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"), Ok(()));
    }

    #[test]
    fn wrong_proofs_are_rejected() {
        assert_eq!(check_text(FORMULA, "5 2 0 1 3 0\n"), Err(LratError::Line(1)));
        assert_eq!(check_text(FORMULA, "5 2 0 1 2 0\n"), Err(LratError::NotRefuted));
        assert_eq!(check_text(FORMULA, "5 2 0 1 2\n"), Err(LratError::Syntax(1)));
        assert_eq!(check_text(FORMULA, "1 d 1 0\n5 2 0 1 2 0\n"), Err(LratError::Line(2)));
        assert_eq!(check_text("x", ""), Err(LratError::Syntax(1)));
    }

    #[test]
    fn a_definition_is_a_rat_step() {
        // 3 is new: (3 or -1) has no resolvents on 3 and is accepted with no hints; then (-3 or 1)
        // resolves with it to a tautology.
        assert_eq!(
            check_text("1 2 0\n", "2 3 -1 0 0\n3 -3 1 0 -2 0\n4 0 1 0\n"),
            Err(LratError::Line(3))
        );
    }
}
