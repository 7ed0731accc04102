//! Replaying an antecedent chain as unit propagation and as a sequence of resolutions.
//!
//! A chain justifies a clause when assuming the clause false and visiting the antecedents in order
//! makes each of them unit until one is falsified.  Read backwards from the falsified antecedent,
//! the reasons that took part form a linear resolution derivation of the clause or of a part of
//! it; antecedents that propagated something which the conflict did not need are skipped.

use crate::solver::CnfLit;

/// The order that a chain must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Every antecedent must be unit or falsified when its turn comes, as LRAT demands.
    Strict,
    /// Antecedents that are not unit yet are visited again later.
    Any,
}

/// A linear resolution derivation over positions in a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// The position of the antecedent to start from.
    pub start: usize,
    /// Resolve with the antecedent at the position, which contains the literal; the clause so far
    /// contains its negation.
    pub resolutions: Vec<(CnfLit, usize)>,
}

/// The reason why a chain does not justify its clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainError {
    /// The antecedent at the position neither propagates nor conflicts.
    NotUnit(usize),
    /// Propagation ended without a conflict.
    NoConflict,
}

/// Working memory for replaying many chains.
#[derive(Clone, Debug, Default)]
pub struct Replayer {
    /// The literal assigned to each variable: 0, or its sign.
    value: Vec<i8>,
    /// For each variable, whether the resolvent contains its (false) literal.
    seen: Vec<bool>,
    /// Propagated literals with the position of their reason.
    trail: Vec<(CnfLit, usize)>,
    assumed: Vec<CnfLit>,
}

impl Replayer {
    /// Fresh working memory.
    pub fn new() -> Replayer {
        Replayer::default()
    }

    /// Checks that `clause` follows from the chain of the clauses that `antecedent(0..n)` gives,
    /// and returns the derivation; none if the clause is a tautology.
    pub fn replay<'a>(
        &mut self,
        clause: &[CnfLit],
        n: usize,
        antecedent: impl Fn(usize) -> &'a [CnfLit],
        order: Order,
    ) -> Result<Option<Derivation>, ChainError> {
        let mut tautology = false;
        for &lit in clause {
            match self.value(lit) {
                0 => {
                    self.set(!lit);
                    self.assumed.push(!lit);
                }
                1 => tautology = true,
                _ => {}
            }
        }
        let outcome = if tautology {
            Ok(None)
        } else {
            self.propagate(n, &antecedent, order)
                .map(|conflict| Some(self.derive(conflict, &antecedent)))
        };
        for i in 0..self.assumed.len() {
            self.unset(self.assumed[i]);
        }
        for i in 0..self.trail.len() {
            self.unset(self.trail[i].0);
        }
        self.assumed.clear();
        self.trail.clear();
        outcome
    }

    /// Visits the antecedents until one is falsified and returns its position.
    fn propagate<'a>(
        &mut self,
        n: usize,
        antecedent: &impl Fn(usize) -> &'a [CnfLit],
        order: Order,
    ) -> Result<usize, ChainError> {
        loop {
            let before = self.trail.len();
            for position in 0..n {
                match self.unit(antecedent(position)) {
                    Unit::Conflict => return Ok(position),
                    Unit::Propagates(lit) => {
                        self.set(lit);
                        self.trail.push((lit, position));
                    }
                    Unit::No if order == Order::Strict => {
                        return Err(ChainError::NotUnit(position));
                    }
                    Unit::No => {}
                }
            }
            if order == Order::Strict || self.trail.len() == before {
                return Err(ChainError::NoConflict);
            }
        }
    }

    fn unit(&mut self, clause: &[CnfLit]) -> Unit {
        let mut open = None;
        for &lit in clause {
            match self.value(lit) {
                -1 => {}
                1 => return Unit::No,
                _ if open.is_some_and(|o| o != lit) => return Unit::No,
                _ => open = Some(lit),
            }
        }
        open.map_or(Unit::Conflict, Unit::Propagates)
    }

    fn derive<'a>(
        &mut self,
        conflict: usize,
        antecedent: &impl Fn(usize) -> &'a [CnfLit],
    ) -> Derivation {
        let mut resolutions = Vec::new();
        let mut marked = Vec::new();
        let mut mark = |seen: &mut Vec<bool>, clause: &[CnfLit]| {
            for lit in clause {
                let slot = lit.var().index();
                if !seen[slot] {
                    seen[slot] = true;
                    marked.push(slot);
                }
            }
        };
        mark(&mut self.seen, antecedent(conflict));
        for &(lit, position) in self.trail.iter().rev() {
            if self.seen[lit.var().index()] {
                resolutions.push((lit, position));
                mark(&mut self.seen, antecedent(position));
            }
        }
        for slot in marked {
            self.seen[slot] = false;
        }
        Derivation { start: conflict, resolutions }
    }

    /// 1 if the literal is true, -1 if false, 0 if open.
    fn value(&mut self, lit: CnfLit) -> i8 {
        let slot = lit.var().index();
        if slot >= self.value.len() {
            let n = (slot + 1).next_power_of_two();
            self.value.resize(n, 0);
            self.seen.resize(n, false);
        }
        if lit.is_positive() { self.value[slot] } else { -self.value[slot] }
    }

    /// Assigns a literal whose variable `value` has been asked for before.
    fn set(&mut self, lit: CnfLit) {
        self.value[lit.var().index()] = if lit.is_positive() { 1 } else { -1 };
    }

    fn unset(&mut self, lit: CnfLit) {
        self.value[lit.var().index()] = 0;
    }
}

enum Unit {
    Conflict,
    Propagates(CnfLit),
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(numbers: &[i32]) -> Vec<CnfLit> {
        numbers.iter().map(|&n| CnfLit::from_dimacs(n)).collect()
    }

    #[test]
    fn a_chain_becomes_resolutions() {
        let chain = [clause(&[1, 2]), clause(&[-2, 3]), clause(&[4, 5, 1]), clause(&[-3, -2])];
        let mut replayer = Replayer::new();
        let got = replayer.replay(&clause(&[1, 4]), 4, |i| &chain[i], Order::Strict);
        let want = Derivation {
            start: 3,
            resolutions: vec![(CnfLit::from_dimacs(3), 1), (CnfLit::from_dimacs(2), 0)],
        };
        assert_eq!(got, Ok(Some(want)));
        // The state is clean again: another clause fails as it should.
        let got = replayer.replay(&clause(&[4]), 4, |i| &chain[i], Order::Strict);
        assert_eq!(got, Err(ChainError::NotUnit(0)));
        let got = replayer.replay(&clause(&[4]), 4, |i| &chain[i], Order::Any);
        assert_eq!(got, Err(ChainError::NoConflict));
        let got = replayer.replay(&clause(&[4, -4]), 4, |i| &chain[i], Order::Strict);
        assert_eq!(got, Ok(None));
    }
}
