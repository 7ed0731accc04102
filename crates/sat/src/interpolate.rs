//! Craig interpolants and interpolation sequences from recorded refutations.
//!
//! **Idea.**  A refutation of `F_0 & ... & F_n` is a sequence of resolutions from the clauses of
//! the parts to the empty clause.  For a cut after part `i`, every clause of the proof gets a
//! partial interpolant, by a rule for leaves and one for resolution that depend only on which
//! side of the cut variables and clauses occur; that of the empty clause is an interpolant between
//! `F_0 & ... & F_i` and the rest.  Doing this for every cut on one and the same proof gives an
//! inductive sequence: `I_{i-1} & F_i` implies `I_i`.
//!
//! **Sources.**  McMillan, "Interpolation and SAT-Based Model Checking" (CAV 2003); Pudlák, "Lower
//! bounds for resolution and cutting plane proofs and monotone computations" (JSL 1997); D'Silva,
//! Kroening, Purandare and Weissenbacher, "Interpolant Strength" (VMCAI 2010) for McMillan's dual
//! system and the order between the three; Rollini, Sery and Sharygina, "Leveraging Interpolant
//! Strength in Model Checking" (CAV 2012) for the sequence property.
//!
//! **Deviations.**  (1) Partial interpolants are computed for the core of the refutation only, after
//! the fact, by replaying each antecedent chain (see [`crate::resolve`]), so that inprocessing may
//! stay on and queries that end satisfiable cost nothing.  (2) Where a variable occurs is read
//! off the clauses of the core, which can only make fewer variables shared.  (3) Gate
//! definitions belong to no part.  Substituting gates by their functions turns every definition
//! into a tautology, so a definition may be put on either side of any cut; it is put where the gate
//! itself occurs, from the outer gates inwards, and the interpolant names the gate by its node of
//! the graph, that is, by its function over the inputs.  A gate on both sides of a cut is in the cones of
//! formulas on both sides, hence so are its inputs, and the interpolant stays within the common
//! inputs.  See `Homes` for gates that no formula of the query has.
//!
//! **Assumptions** are unit clauses of the part that the caller names for them.

use crate::aig::{Aig, Lit, Node};
use crate::budget::{Budget, StopReason};
use crate::proof::{Conclusion, Proof, StepId, StepKind};
use crate::resolve::{Order, Replayer};
use crate::solver::{CnfLit, Label, Var};
use rustc_hash::FxHashMap;
use std::fmt;

/// An interpolation system, from the strongest interpolants to the weakest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum System {
    /// McMillan's: shared pivots conjoin.
    #[default]
    McMillan,
    /// Pudlák's symmetric system: shared pivots choose.
    Pudlak,
    /// The dual of McMillan's: shared pivots disjoin.
    McMillanDual,
}

impl System {
    /// All systems.
    pub const ALL: [System; 3] = [System::McMillan, System::Pudlak, System::McMillanDual];
}

/// The reason why there is no interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterpolationError {
    /// The refutation uses a clause of a group that the query does not place.
    UnplacedGroup(u32),
    /// The refutation uses an assumption that the query does not place.
    UnplacedAssumption(CnfLit),
    /// A shared variable has no literal of the graph.
    UnnamedVariable(Var),
    /// The refutation has a step that is not a resolution.
    NotResolution,
    /// The budget ended.
    Stopped(StopReason),
}

impl fmt::Display for InterpolationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpolationError::UnplacedGroup(group) => {
                write!(f, "the refutation uses group {group}, which is on neither side")
            }
            InterpolationError::UnplacedAssumption(lit) => {
                write!(f, "the refutation uses assumption {lit:?}, which is on neither side")
            }
            InterpolationError::UnnamedVariable(var) => {
                write!(f, "shared variable {var:?} has no name")
            }
            InterpolationError::NotResolution => write!(f, "the refutation is not by resolution"),
            InterpolationError::Stopped(reason) => write!(f, "{}", reason.name()),
        }
    }
}

impl std::error::Error for InterpolationError {}

/// A request for interpolants from a refutation.
pub struct Interpolation<'a> {
    /// The recorded proof.
    pub proof: &'a Proof,
    /// The conclusion of the query to interpolate.
    pub conclusion: &'a Conclusion,
    /// The part (counted from 0) that a group belongs to.
    pub part_of_group: &'a dyn Fn(u32) -> Option<usize>,
    /// The part that an assumption belongs to.
    pub part_of_assumption: &'a dyn Fn(CnfLit) -> Option<usize>,
    /// The literal of the graph that stands for a variable.
    pub literal_of: &'a dyn Fn(Var) -> Option<Lit>,
    /// The formulas of each part. They say where gates belong that occur nowhere but in their own definition:
    /// in another part, the definition would bring operands to where they are not known.
    pub roots: &'a [Vec<Lit>],
    /// The interpolation system.
    pub system: System,
}

/// The first and the last part that a variable occurs in.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    last: u32,
}

const NOWHERE: Span = Span { first: u32::MAX, last: 0 };

impl Span {
    fn include(&mut self, part: u32) {
        self.first = self.first.min(part);
        self.last = self.last.max(part);
    }
}

/// Cuts handled in one pass over the proof, which bounds the memory for partial interpolants.
const CUTS_PER_PASS: usize = 32;

/// Work per step of a proof and cut; see [`Budget::spend`].
const STEP_WORK: u64 = 300;

impl Interpolation<'_> {
    /// The interpolants at the `n_parts - 1` cuts between parts, in order.
    pub fn sequence(
        &self,
        aig: &mut Aig,
        n_parts: usize,
        budget: &Budget,
    ) -> Result<Vec<Lit>, InterpolationError> {
        let core = self.proof.core(self.conclusion);
        let layout = self.place(aig, &core)?;
        let mut result = Vec::new();
        let n_cuts = n_parts.saturating_sub(1);
        let mut first = 0;
        while first < n_cuts {
            let last = n_cuts.min(first + CUTS_PER_PASS);
            let cuts: Vec<u32> = (first as u32..last as u32).collect();
            result.extend(self.pass(aig, &core, &layout, &cuts, budget)?);
            first = last;
        }
        Ok(result)
    }

    /// Decides to which part each original clause of the core belongs and where variables occur.
    fn place(&self, aig: &Aig, core: &[StepId]) -> Result<Layout, InterpolationError> {
        let mut n_vars = 0;
        for &step in core {
            for lit in self.proof.clause(step) {
                n_vars = n_vars.max(lit.var().index() + 1);
            }
        }
        for lit in &self.conclusion.assumptions {
            n_vars = n_vars.max(lit.var().index() + 1);
        }
        let mut layout = Layout {
            spans: vec![NOWHERE; n_vars],
            parts: vec![u32::MAX; core.len()],
            assumptions: Vec::new(),
        };
        for &lit in &self.conclusion.assumptions {
            let part = (self.part_of_assumption)(lit)
                .ok_or(InterpolationError::UnplacedAssumption(lit))? as u32;
            layout.assumptions.push((lit, part));
            layout.spans[lit.var().index()].include(part);
        }
        let mut definitions: Vec<(u32, Var, usize)> = Vec::new();
        for (position, &step) in core.iter().enumerate() {
            match self.proof.kind(step) {
                StepKind::Derived => {}
                StepKind::Extension => return Err(InterpolationError::NotResolution),
                StepKind::Original(Label::Group(group)) => {
                    let part = (self.part_of_group)(group)
                        .ok_or(InterpolationError::UnplacedGroup(group))?
                        as u32;
                    layout.put(self.proof, position, step, part);
                }
                StepKind::Original(Label::Definition(var)) => {
                    let lit =
                        (self.literal_of)(var).ok_or(InterpolationError::UnnamedVariable(var))?;
                    definitions.push((lit.node(), var, position));
                }
            }
        }
        // Outer gates first: their operands then know where they are needed.
        definitions
            .sort_unstable_by_key(|&(node, _, position)| (std::cmp::Reverse(node), position));
        let mut homes: Option<Homes> = None;
        for (node, var, position) in definitions {
            let step = core[position];
            let own = layout.spans[var.index()].first;
            let part = match own {
                u32::MAX => homes.get_or_insert_with(|| Homes::new(aig, self.roots)).of(aig, node),
                own => own,
            };
            layout.put(self.proof, position, step, part);
        }
        Ok(layout)
    }

    /// The interpolants for some cuts, by one pass over the core.
    fn pass(
        &self,
        aig: &mut Aig,
        core: &[StepId],
        layout: &Layout,
        cuts: &[u32],
        budget: &Budget,
    ) -> Result<Vec<Lit>, InterpolationError> {
        let n = cuts.len();
        let mut position_of = vec![u32::MAX; core.last().map_or(0, |s| s.index() + 1)];
        let mut partial: Vec<Lit> = Vec::with_capacity(core.len() * n);
        let mut replayer = Replayer::new();
        let mut chain: Vec<StepId> = Vec::new();
        for (position, &step) in core.iter().enumerate() {
            position_of[step.index()] = position as u32;
            if position % 1024 == 0 {
                budget.spend(1024 * STEP_WORK * n as u64);
                if let Some(reason) = budget.exhausted() {
                    return Err(InterpolationError::Stopped(reason));
                }
            }
            let clause = self.proof.clause(step);
            if self.proof.kind(step) != StepKind::Derived {
                for &cut in cuts {
                    let leaf = self.leaf(aig, layout, clause, layout.parts[position], cut)?;
                    partial.push(leaf);
                }
                continue;
            }
            chain.clear();
            chain.extend(self.proof.antecedents(step));
            let derivation = replayer
                .replay(clause, chain.len(), |i| self.proof.clause(chain[i]), Order::Any)
                .ok()
                .flatten()
                .ok_or(InterpolationError::NotResolution)?;
            let slot = |i: usize| position_of[chain[i].index()] as usize * n;
            let start = slot(derivation.start);
            for (k, &cut) in cuts.iter().enumerate() {
                let mut current = partial[start + k];
                for &(pivot, reason) in &derivation.resolutions {
                    let side = partial[slot(reason) + k];
                    current = self.resolve(aig, layout, pivot, side, current, cut)?;
                }
                partial.push(current);
            }
        }
        let mut result = Vec::with_capacity(n);
        for (k, &cut) in cuts.iter().enumerate() {
            let mut pending = layout.assumptions.iter();
            let mut current = match self.conclusion.step {
                Some(step) => partial[position_of[step.index()] as usize * n + k],
                // Two contradictory assumptions: the first one is the clause to start from.
                None => match pending.next() {
                    Some(&(lit, part)) => self.leaf(aig, layout, &[lit], part, cut)?,
                    None => return Err(InterpolationError::NotResolution),
                },
            };
            for &(lit, part) in pending {
                let unit = self.leaf(aig, layout, &[lit], part, cut)?;
                current = self.resolve(aig, layout, lit, unit, current, cut)?;
            }
            result.push(current);
        }
        Ok(result)
    }

    /// The partial interpolant of an original clause.
    fn leaf(
        &self,
        aig: &mut Aig,
        layout: &Layout,
        clause: &[CnfLit],
        part: u32,
        cut: u32,
    ) -> Result<Lit, InterpolationError> {
        let before = part <= cut;
        match (self.system, before) {
            (System::McMillan, true) => {
                let mut lits = Vec::new();
                for &lit in clause {
                    if layout.spans[lit.var().index()].last > cut {
                        lits.push(self.literal(lit)?);
                    }
                }
                Ok(aig.or_all(&lits))
            }
            (System::McMillanDual, false) => {
                let mut lits = Vec::new();
                for &lit in clause {
                    if layout.spans[lit.var().index()].first <= cut {
                        lits.push(!self.literal(lit)?);
                    }
                }
                Ok(aig.and_all(&lits))
            }
            (System::Pudlak | System::McMillanDual, true) => Ok(Lit::FALSE),
            (System::Pudlak | System::McMillan, false) => Ok(Lit::TRUE),
        }
    }

    /// The partial interpolant of a resolvent: `with` belongs to the clause that contains the
    /// pivot, `without` to the one that contains its negation.
    fn resolve(
        &self,
        aig: &mut Aig,
        layout: &Layout,
        pivot: CnfLit,
        with: Lit,
        without: Lit,
        cut: u32,
    ) -> Result<Lit, InterpolationError> {
        let span = layout.spans[pivot.var().index()];
        if span.last <= cut {
            return Ok(aig.or(with, without));
        }
        if span.first > cut {
            return Ok(aig.and(with, without));
        }
        Ok(match self.system {
            System::McMillan => aig.and(with, without),
            System::McMillanDual => aig.or(with, without),
            System::Pudlak if with == without => with,
            System::Pudlak => {
                let pivot = self.literal(pivot)?;
                aig.mux(pivot, without, with)
            }
        })
    }

    fn literal(&self, lit: CnfLit) -> Result<Lit, InterpolationError> {
        let var = lit.var();
        let named = (self.literal_of)(var).ok_or(InterpolationError::UnnamedVariable(var))?;
        Ok(named.complement_if(!lit.is_positive()))
    }
}

/// Where gates belong that no clause of the core but their own definition names.
///
/// A gate of a part's formulas belongs there. An incremental solver also has gates of formulas of earlier queries, which
/// its clauses may still use. They belong where all their inputs may be: at a part such that each input occurs there or
/// both before and after it. An input of no part at all must be in one place only, or it would seem to be shared.
struct Homes {
    /// The first part whose formulas contain a node.
    first: FxHashMap<u32, u32>,
    /// Where an input occurs in the formulas.
    inputs: FxHashMap<u32, Span>,
}

impl Homes {
    fn new(aig: &Aig, roots: &[Vec<Lit>]) -> Homes {
        let mut homes = Homes { first: FxHashMap::default(), inputs: FxHashMap::default() };
        for (part, roots) in roots.iter().enumerate() {
            for node in aig.small_cone(roots) {
                homes.first.entry(node).or_insert(part as u32);
                if matches!(aig.node(node), Node::Input(_)) {
                    homes.inputs.entry(node).or_insert(NOWHERE).include(part as u32);
                }
            }
        }
        homes
    }

    fn of(&mut self, aig: &Aig, node: u32) -> u32 {
        if let Some(&home) = self.first.get(&node) {
            return home;
        }
        let cone = aig.small_cone(&[Lit::new(node, false)]);
        let inputs = cone.into_iter().filter(|&node| matches!(aig.node(node), Node::Input(_)));
        let inputs: Vec<u32> = inputs.collect();
        let spans = inputs.iter().filter_map(|input| self.inputs.get(input));
        // If there is no such part, no interpolant comes out that names shared inputs only.
        let part = spans.map(|span| span.first).max().unwrap_or(0);
        for input in inputs {
            self.inputs.entry(input).or_insert(Span { first: part, last: part });
        }
        part
    }
}

/// Where the clauses of a core and its variables are.
struct Layout {
    spans: Vec<Span>,
    /// The part of each original clause, by position in the core.
    parts: Vec<u32>,
    assumptions: Vec<(CnfLit, u32)>,
}

impl Layout {
    fn put(&mut self, proof: &Proof, position: usize, step: StepId, part: u32) {
        self.parts[position] = part;
        for lit in proof.clause(step) {
            self.spans[lit.var().index()].include(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gates of formulas that the query does not have bring no input to a side where it is not known.
    #[test]
    fn gates_of_other_queries_are_where_their_inputs_are() {
        let mut aig = Aig::new();
        let [shared, early, late, unknown] = [(); 4].map(|()| aig.input());
        let roots = [vec![aig.and(shared, early)], vec![aig.and(!shared, late)]];
        let mut homes = Homes::new(&aig, &roots);
        assert_eq!(homes.of(&aig, roots[0][0].node()), 0);
        assert_eq!(homes.of(&aig, roots[1][0].node()), 1);
        // It is no gate of the second part, but one of its inputs is known there only.
        let other = aig.and(shared, late);
        assert_eq!(homes.of(&aig, other.node()), 1);
        // What nobody knows stays with the first gate that has it.
        let foreign = aig.and(late, unknown);
        assert_eq!(homes.of(&aig, foreign.node()), 1);
        let again = aig.and(shared, !unknown);
        assert_eq!(homes.of(&aig, again.node()), 1);
    }
}
