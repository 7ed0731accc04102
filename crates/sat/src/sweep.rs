//! SAT sweeping: merging nodes of a cone that compute the same function.
//!
//! Random simulation groups nodes that may be equal (up to complement); a solver with a small
//! conflict limit confirms or refutes each candidate pair, from the inputs upwards, so that every query is
//! about a graph whose lower part is merged already (Kuehlmann and Krohm, "Equivalence Checking
//! Using Cuts and Heaps", DAC 1997; Mishchenko et al., "FRAIGs", 2005).  Interpolants from long
//! proofs shrink by an order of magnitude under it.

use crate::aig::{Aig, Lit, Node};
use crate::budget::Budget;
use crate::cnf::{CnfEncoder, CnfOptions};
use crate::solver::{Answer, Cadical, Label, SatSolver};
use rustc_hash::FxHashMap;

/// Words of 64 random assignments that nodes are compared by.
const WORDS: usize = 4;
/// Representatives with equal simulation that a node is compared with.
const TRIES: usize = 3;

/// The limits of a sweep.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// Conflicts per query.
    pub conflicts: u64,
    /// Cones with more nodes are returned unchanged.
    pub max_nodes: usize,
    /// When to stop merging; what is merged until then is kept.
    pub budget: Budget,
}

impl Default for SweepOptions {
    fn default() -> Self {
        SweepOptions { conflicts: 100, max_nodes: 100_000, budget: Budget::unlimited() }
    }
}

/// Literals equivalent to the roots whose cone has no (found) equivalent nodes.
pub fn sweep(aig: &mut Aig, roots: &[Lit], options: &SweepOptions) -> Vec<Lit> {
    let cone = aig.small_cone(roots);
    if cone.len() > options.max_nodes {
        return roots.to_vec();
    }
    let mut sweeper = Sweeper {
        solver: Cadical::default(),
        cnf: CnfEncoder::new(CnfOptions::default()),
        budget: Budget { conflicts: Some(options.conflicts), ..options.budget.clone() },
        classes: FxHashMap::default(),
    };
    let mut image: FxHashMap<u32, (Lit, [u64; WORDS])> = FxHashMap::default();
    image.insert(0, (Lit::FALSE, [0; WORDS]));
    sweeper.classes.insert([0; WORDS], vec![Lit::FALSE]);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut live = true;
    for node in cone {
        live = live && sweeper.budget.interrupted().is_none();
        let (lit, signature) = match aig.node(node) {
            Node::False => (Lit::FALSE, [0; WORDS]),
            Node::Input(_) => {
                (Lit::new(node, false), std::array::from_fn(|_| next_random(&mut random)))
            }
            Node::And(a, b) => {
                let (a, sa) = read(&image, a);
                let (b, sb) = read(&image, b);
                (aig.and(a, b), std::array::from_fn(|i| sa[i] & sb[i]))
            }
        };
        let merged = if live { sweeper.merge(aig, lit, signature) } else { lit };
        image.insert(node, (merged, signature));
    }
    roots.iter().map(|&root| read(&image, root).0).collect()
}

struct Sweeper {
    solver: Cadical,
    cnf: CnfEncoder,
    budget: Budget,
    /// Representatives by simulation, normalised so that the first assignment gives false.
    classes: FxHashMap<[u64; WORDS], Vec<Lit>>,
}

impl Sweeper {
    /// A literal equivalent to `lit`: an older representative, or itself as a new one.
    fn merge(&mut self, aig: &Aig, lit: Lit, signature: [u64; WORDS]) -> Lit {
        let flip = signature[0] & 1 == 1;
        let key = if flip { signature.map(|w| !w) } else { signature };
        let lit = lit.complement_if(flip);
        let candidates = self.classes.get(&key).cloned().unwrap_or_default();
        for &candidate in &candidates {
            if candidate == lit || self.equivalent(aig, candidate, lit) {
                return candidate.complement_if(flip);
            }
        }
        if candidates.len() < TRIES {
            self.classes.entry(key).or_default().push(lit);
        }
        lit.complement_if(flip)
    }

    fn equivalent(&mut self, aig: &Aig, a: Lit, b: Lit) -> bool {
        if let Some(value) = a.as_constant() {
            return self.implied(aig, &[b.complement_if(value)]);
        }
        self.implied(aig, &[a, !b]) && self.implied(aig, &[!a, b])
    }

    /// Returns whether the conjunction of the literals is impossible.
    fn implied(&mut self, aig: &Aig, lits: &[Lit]) -> bool {
        let assumptions: Vec<_> =
            lits.iter().map(|&l| self.cnf.literal(aig, &mut self.solver, l)).collect();
        let refuted = self.solver.solve(&assumptions, &self.budget) == Answer::Unsat;
        if refuted {
            // What was proved helps the queries above.
            let clause: Vec<_> = assumptions.iter().map(|&l| !l).collect();
            self.solver.add_clause(&clause, Label::Group(0));
        }
        refuted
    }
}

fn read(image: &FxHashMap<u32, (Lit, [u64; WORDS])>, lit: Lit) -> (Lit, [u64; WORDS]) {
    let (image, signature) = image[&lit.node()];
    if lit.is_complement() { (!image, signature.map(|w| !w)) } else { (image, signature) }
}

fn next_random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_adders_become_one() {
        let mut aig = Aig::new();
        let a: Vec<Lit> = (0..6).map(|_| aig.input()).collect();
        let b: Vec<Lit> = (0..6).map(|_| aig.input()).collect();
        let (sum, _) = aig.add_words(&a, &b, Lit::FALSE);
        // a - ~b - 1 by borrow, bit by bit with other gates.
        let mut other = Vec::new();
        let mut carry = Lit::FALSE;
        for (&x, &y) in a.iter().zip(&b) {
            let t = aig.mux(x, !y, y);
            let s = aig.mux(t, !carry, carry);
            let (xy, xc) = (aig.and(x, y), aig.and(x, carry));
            let yc = aig.and(y, carry);
            carry = aig.or_all(&[xy, xc, yc]);
            other.push(s);
        }
        let equal = aig.equal_words(&sum, &other);
        assert_ne!(equal, Lit::TRUE);
        assert_eq!(sweep(&mut aig, &[equal], &SweepOptions::default()), vec![Lit::TRUE]);
    }
}
