//! Recorded refutations: every clause that the solver was given or derived, with antecedents.
//!
//! CaDiCaL's tracer reports each original clause, each derived clause with the chain of clauses it
//! follows from by unit propagation, and, when a query ends, the clause that concludes it: the
//! empty clause, or the negation of the failed assumptions.  A [`Proof`] keeps these as steps in
//! one arena.  Deletions are noted but deleted steps are kept as long as a live step was derived
//! from them; [`Proof::collect_garbage`] drops the others when they outnumber what is alive.
//! Clauses that variable elimination removes may come back later under their old name, so they
//! count as live.
//!
//! Original clauses are stored as *we* gave them to the solver, not as it echoes them, so that a
//! checked proof is one of the formula that was meant.

use crate::solver::{CnfLit, Label};
use cadical_sys::ProofTracer;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// A position in [`Proof`]'s list of steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub(crate) u32);

impl StepId {
    /// The position as a number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The justification of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A clause of the input.
    Original(Label),
    /// Follows from its antecedents.
    Derived,
    /// Claimed with a witness literal rather than by resolution.
    Extension,
}

#[derive(Clone, Debug)]
struct Step {
    id: u64,
    lits: (u64, u32),
    antecedents: (u64, u32),
    kind: StepKind,
    live: bool,
    /// Removed for now, but it may be restored.
    weakened: bool,
}

/// The steps that refuted a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclusion {
    /// The step of the final clause; none when two assumptions contradict each other.
    pub step: Option<StepId>,
    /// The assumptions whose negations make up the final clause.
    pub assumptions: Vec<CnfLit>,
}

/// A recorded proof.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    lits: Vec<CnfLit>,
    antecedents: Vec<u64>,
    steps: Vec<Step>,
    /// The step of each clause id; `u32::MAX` where there is none any more.
    by_id: Vec<u32>,
    pending: Option<(Vec<CnfLit>, Label)>,
    empty: Option<u64>,
    conclusion: Option<(Vec<u64>, bool)>,
    clash: Option<CnfLit>,
    n_dead: usize,
}

impl Proof {
    pub(crate) fn new() -> Proof {
        Proof::default()
    }

    /// The number of steps kept.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The steps in the order of derivation: antecedents come before what they justify.
    pub fn steps(&self) -> impl Iterator<Item = StepId> + use<> {
        (0..self.steps.len() as u32).map(StepId)
    }

    /// The literals of a step.
    pub fn clause(&self, step: StepId) -> &[CnfLit] {
        &self.lits[range(self.steps[step.index()].lits)]
    }

    /// The steps that a step follows from, in the order in which they propagate.
    pub fn antecedents(
        &self,
        step: StepId,
    ) -> impl DoubleEndedIterator<Item = StepId> + Clone + '_ {
        self.antecedents[range(self.steps[step.index()].antecedents)].iter().map(move |&id| {
            // Antecedents of kept steps are kept; a missing one would be a bug of the recorder,
            // and points to the step itself so that every consumer rejects it.
            self.step_of(id).unwrap_or(step)
        })
    }

    /// Returns the justification of a step.
    pub fn kind(&self, step: StepId) -> StepKind {
        self.steps[step.index()].kind
    }

    /// Returns the conclusion of the last refuted query.
    pub fn conclusion(&self) -> Option<Conclusion> {
        if let Some(lit) = self.clash {
            return Some(Conclusion { step: None, assumptions: vec![lit, !lit] });
        }
        let (ids, conflict) = self.conclusion.as_ref()?;
        let id = if *conflict { self.empty? } else { *ids.last()? };
        let step = self.step_of(id)?;
        let assumptions = self.clause(step).iter().map(|&l| !l).collect();
        Some(Conclusion { step: Some(step), assumptions })
    }

    /// The steps that a conclusion depends on, in the order of derivation.
    pub fn core(&self, conclusion: &Conclusion) -> Vec<StepId> {
        let Some(last) = conclusion.step else {
            return Vec::new();
        };
        let mut used = vec![false; self.steps.len()];
        used[last.index()] = true;
        for index in (0..=last.index()).rev() {
            if used[index] {
                for antecedent in self.antecedents(StepId(index as u32)) {
                    used[antecedent.index()] = true;
                }
            }
        }
        (0..self.steps.len()).filter(|&i| used[i]).map(|i| StepId(i as u32)).collect()
    }

    /// Says which clause is about to be given to the solver.
    pub(crate) fn announce(&mut self, clause: &[CnfLit], label: Label) {
        self.pending = Some((clause.to_vec(), label));
    }

    pub(crate) fn forget_conclusion(&mut self) {
        self.conclusion = None;
        self.clash = None;
    }

    /// Drops steps that no live step depends on, once they are the majority.
    pub(crate) fn collect_garbage(&mut self) {
        const WORTHWHILE: usize = 1 << 16;
        if self.n_dead < WORTHWHILE || self.n_dead * 2 < self.steps.len() {
            return;
        }
        let mut keep: Vec<bool> =
            self.steps.iter().map(|s| s.live || Some(s.id) == self.empty).collect();
        for index in (0..self.steps.len()).rev() {
            if keep[index] {
                let antecedents = range(self.steps[index].antecedents);
                for &id in &self.antecedents[antecedents] {
                    if let Some(step) = self.step_of(id) {
                        keep[step.index()] = true;
                    }
                }
            }
        }
        let old = std::mem::take(&mut self.steps);
        let (lits, antecedents) =
            (std::mem::take(&mut self.lits), std::mem::take(&mut self.antecedents));
        self.n_dead = 0;
        for (step, keep) in old.into_iter().zip(keep) {
            if !keep {
                self.by_id[step.id as usize] = u32::MAX;
                continue;
            }
            if !step.live {
                self.n_dead += 1;
            }
            let from = (self.lits.len() as u64, step.lits.1);
            self.lits.extend_from_slice(&lits[range(step.lits)]);
            let chain = (self.antecedents.len() as u64, step.antecedents.1);
            self.antecedents.extend_from_slice(&antecedents[range(step.antecedents)]);
            self.by_id[step.id as usize] = self.steps.len() as u32;
            self.steps.push(Step { lits: from, antecedents: chain, ..step });
        }
        // Dead steps that had to stay would trigger the next collection at once.
        self.n_dead = 0;
    }

    fn step_of(&self, id: u64) -> Option<StepId> {
        match self.by_id.get(usize::try_from(id).ok()?) {
            Some(&step) if step != u32::MAX => Some(StepId(step)),
            _ => None,
        }
    }

    fn push(&mut self, id: u64, clause: &[CnfLit], antecedents: &[i64], kind: StepKind) {
        let lits = (self.lits.len() as u64, clause.len() as u32);
        self.lits.extend_from_slice(clause);
        let chain = (self.antecedents.len() as u64, antecedents.len() as u32);
        self.antecedents.extend(antecedents.iter().map(|a| a.unsigned_abs()));
        let slot = id as usize;
        if self.by_id.len() <= slot {
            self.by_id.resize(slot + 1, u32::MAX);
        }
        self.by_id[slot] = self.steps.len() as u32;
        if clause.is_empty() && self.empty.is_none() {
            self.empty = Some(id);
        }
        self.steps.push(Step { id, lits, antecedents: chain, kind, live: true, weakened: false });
    }

    fn weakened(&self, step: StepId) -> bool {
        self.steps[step.index()].weakened
    }

    fn weaken(&mut self, id: u64) {
        if let Some(step) = self.step_of(id) {
            self.steps[step.index()].weakened = true;
        }
    }

    fn set_live(&mut self, id: u64, live: bool) {
        if let Some(step) = self.step_of(id) {
            let step = &mut self.steps[step.index()];
            if step.live && !live {
                self.n_dead += 1;
            }
            step.live = live;
        }
    }
}

fn range((start, len): (u64, u32)) -> Range<usize> {
    start as usize..start as usize + len as usize
}

/// The call-back object that fills a [`Proof`].
pub(crate) struct Recorder {
    proof: Rc<RefCell<Proof>>,
    buffer: Vec<CnfLit>,
}

impl Recorder {
    pub(crate) fn new(proof: Rc<RefCell<Proof>>) -> Recorder {
        Recorder { proof, buffer: Vec::new() }
    }

    fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64], kind: StepKind) {
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|&l| CnfLit::from_dimacs(l)));
        self.proof.borrow_mut().push(id.unsigned_abs(), &self.buffer, antecedents, kind);
    }
}

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        let mut proof = self.proof.borrow_mut();
        let id = id.unsigned_abs();
        if restored && proof.step_of(id).is_some() {
            proof.set_live(id, true);
            return;
        }
        match proof.pending.take() {
            Some((clause, label)) => proof.push(id, &clause, &[], StepKind::Original(label)),
            None => {
                // Nothing of ours: it can only be kept as an unjustified step.
                drop(proof);
                self.derived(id as i64, clause, &[], StepKind::Extension);
            }
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        let kind = if witness == 0 { StepKind::Derived } else { StepKind::Extension };
        self.derived(id, clause, antecedents, kind);
    }

    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        let mut proof = self.proof.borrow_mut();
        let id = id.unsigned_abs();
        let weakened = proof.step_of(id).is_some_and(|s| proof.weakened(s));
        if !weakened {
            proof.set_live(id, false);
        }
    }

    fn weaken_minus(&mut self, id: i64, _: &[i32]) {
        self.proof.borrow_mut().weaken(id.unsigned_abs());
    }

    fn strengthen(&mut self, _: i64) {}

    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}

    fn add_assumption(&mut self, _: i32) {}

    fn add_constraint(&mut self, _: &[i32]) {}

    fn reset_assumptions(&mut self) {}

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        if let [a, b] = *clause
            && a == -b
        {
            self.proof.borrow_mut().clash = Some(CnfLit::from_dimacs(a));
            return;
        }
        self.derived(id, clause, antecedents, StepKind::Derived);
        // The clause concludes one query and is never used by the solver again.
        self.proof.borrow_mut().set_live(id.unsigned_abs(), false);
    }

    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}

    fn conclude_unsat(&mut self, conclusion_type: i32, clause_ids: &[i64]) {
        const CONFLICT: i32 = 1;
        let ids = clause_ids.iter().map(|id| id.unsigned_abs()).collect();
        self.proof.borrow_mut().conclusion = Some((ids, conclusion_type == CONFLICT));
    }

    fn conclude_unknown(&mut self, _: &[i32]) {}
}
