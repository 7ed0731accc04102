//! Property-directed reachability (IC3) over the bits of the state.
//!
//! **Idea.** Frames `F_0 = I, F_1, ..., F_N` are sets of clauses over the state, each a superset of the states
//! within so many steps, none with a violation before the last. A state of the last frame that violates is
//! an obligation: it is refuted by finding that it has no predecessor in the frame before, or its
//! predecessor becomes an obligation in turn, down to the initial states, where it is a violation. A
//! refuted state is generalised to a clause as short as possible. When every clause of a frame also
//! holds in the next, the frame is an invariant.
//!
//! **Source.** Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011,
//! doi 10.1007/978-3-642-18275-4_7; Eén, Mishchenko, Brayton, "Efficient Implementation of Property Directed
//! Reachability", FMCAD 2011 (delta-encoded frames, obligations that are pushed on).
//!
//! **Deviations.** Predecessors are widened by an unsatisfiable core in place of ternary simulation: the
//! literals needed to show that under the same inputs the step still exists and still leads there. Where the
//! relation is no function, next-state variables without a definition count as inputs.
//!
//! **Soundness.** Whatever the heuristics do, the invariant is checked by `evidence`, and a violation is a model
//! of an unrolling along the chain of obligations.

use crate::safety::{Conclusion, Search, inductive};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use vergo_evidence::Reason;
use vergo_smt::Solver;
use vergo_term::{Assignment, Evaluator, Sort, TermId, TermStore};
use vergo_ts::Functional;

/// The most bits of state that are searched bit by bit.
const MAX_BITS: usize = 1 << 14;
/// The number of consecutive literals that may resist before generalisation leaves the rest.
const MAX_RESISTANCE: usize = 8;
/// Questions after which the solver is made anew, without the leftovers of old questions.
const REBUILD_AFTER: u64 = 3000;

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    if let Some(violation) = search.initial_violation()? {
        return Ok(violation);
    }
    let mut pdr = Pdr::new(search)?;
    loop {
        search.at_bound(pdr.frontier() as u32)?;
        pdr.rebuild(search);
        while let Some(state) = pdr.bad_state(search)? {
            if let Some(violation) = pdr.block(search, state)? {
                return Ok(violation);
            }
        }
        if let Some(invariant) = pdr.propagate(search)? {
            search.stats.convergence = pdr.frontier() as u32;
            return Ok(inductive(invariant));
        }
    }
}

/// A bit of the state with a value; even numbers are true.
type Literal = u32;
/// A conjunction of literals, ascending.
type Cube = Vec<Literal>;

struct Pdr {
    /// The bits, as formulas over the current state and over the next.
    bits: Vec<TermId>,
    next_bits: Vec<TermId>,
    /// The next bits with definitions put in.
    stepped_bits: Vec<TermId>,
    /// The constraint on a step, with definitions substituted.
    constraint: TermId,
    /// Inputs, and next-state variables without definition.
    choices: Vec<TermId>,
    /// `frames[i]` has the cubes that frames up to `i`, but no later one, exclude; the first stands for `I`.
    frames: Vec<Vec<Cube>>,
    /// A variable per frame that puts its clauses into force.
    switches: Vec<TermId>,
    /// Holds the steps and the clauses.
    solver: Solver,
    /// Questions to `solver`.
    n_questions: u64,
    /// Holds the violations and the clauses of the frontier. It does not hold a step: a violation needs no
    /// successor.
    ends: Solver,
    /// Has no assertions: decides whether cubes are initial, and widens.
    free: Solver,
}

/// A cube that must not be reachable within some steps.
struct Obligation {
    level: usize,
    /// Distance from a violation.
    depth: usize,
    cube: Cube,
    /// The obligation that it leads to.
    parent: Option<usize>,
}

impl Pdr {
    fn new(search: &mut Search<'_>) -> Result<Pdr, Reason> {
        let (store, system) = (&mut *search.store, search.system);
        let bits = state_bits(store, &system.current().collect::<Vec<_>>())?;
        let to_next: FxHashMap<TermId, TermId> = system.current().zip(system.next()).collect();
        let next_bits = store.substitute_all(&bits, &to_next);
        // Widening is about the plain step: auxiliary invariants hold of what is reachable anyway.
        let functional = Functional::of(store, search.plain);
        let updates = functional.substitution(system);
        let stepped_bits = store.substitute_all(&next_bits, &updates);
        let constraint = store.and_all(&functional.constraints);
        let constraint = store.substitute(constraint, &updates);
        let undefined = system.next().filter(|next| !updates.contains_key(next));
        let choices = system.inputs.iter().copied().chain(undefined).collect();
        let switches = vec![store.fresh_var("frame", Sort::Bool)];
        Ok(Pdr {
            bits,
            next_bits,
            stepped_bits,
            constraint,
            choices,
            frames: vec![Vec::new(); 2],
            switches,
            solver: Solver::default(),
            n_questions: 0,
            ends: Solver::default(),
            free: Solver::default(),
        })
    }

    /// The frame in which violations are looked for.
    fn frontier(&self) -> usize {
        self.frames.len() - 1
    }

    /// New solvers with the steps and the clauses in force.
    fn rebuild(&mut self, search: &mut Search<'_>) {
        self.solver = Solver::default();
        self.ends = Solver::default();
        self.ends.assert(search.system.bad);
        self.free = Solver::default();
        self.n_questions = 0;
        self.solver.assert(search.system.trans);
        while self.switches.len() <= self.frames.len() {
            self.switches.push(search.store.fresh_var("frame", Sort::Bool));
        }
        let init = search.store.implies(self.switches[0], search.system.init);
        self.solver.assert(init);
        for level in 1..self.frames.len() {
            for cube in self.frames[level].clone() {
                self.assert_clause(search, level, &cube);
            }
        }
    }

    fn assert_clause(&mut self, search: &mut Search<'_>, level: usize, cube: &Cube) {
        let cube = self.conjunction(search.store, cube);
        let clause = search.store.not(cube);
        if level == self.frontier() {
            self.ends.assert(clause);
        }
        let clause = search.store.implies(self.switches[level], clause);
        self.solver.assert(clause);
    }

    /// Satisfiability within a frame.
    fn sat_in(
        &mut self,
        search: &mut Search<'_>,
        level: usize,
        more: &[TermId],
    ) -> Result<bool, Reason> {
        self.n_questions += 1;
        if self.n_questions > REBUILD_AFTER {
            self.rebuild(search);
        }
        let last = if level == 0 { 1 } else { self.frames.len() };
        let mut assumptions = self.switches[level..last].to_vec();
        assumptions.extend_from_slice(more);
        search.sat(&mut self.solver, &assumptions)
    }

    /// A widened state of the frontier with a violation.
    fn bad_state(&mut self, search: &mut Search<'_>) -> Result<Option<Cube>, Reason> {
        if !search.sat(&mut self.ends, &[])? {
            return Ok(None);
        }
        let model = self.ends.model(search.store);
        let goal = search.plain.bad;
        self.widen(search, &model, goal).map(Some)
    }

    /// The part of a model's state from which a goal, a formula over state and choices, is reached under the
    /// model's choices.
    fn widen(
        &mut self,
        search: &mut Search<'_>,
        model: &Assignment,
        goal: TermId,
    ) -> Result<Cube, Reason> {
        let mut evaluator = Evaluator::new(search.store, model);
        let cube: Cube = (0..self.bits.len())
            .map(|bit| literal(bit, evaluator.value(self.bits[bit]).as_bool()))
            .collect();
        let values: Vec<_> =
            self.choices.iter().map(|&choice| evaluator.value(choice).clone()).collect();
        let mut query = Vec::new();
        for (&choice, value) in self.choices.iter().zip(&values) {
            let value = search.store.value_term(search.store.sort(choice), value);
            query.push(search.store.eq(choice, value));
        }
        query.push(search.store.not(goal));
        let literals: Vec<TermId> = self.literals(search.store, &self.bits, &cube);
        query.extend_from_slice(&literals);
        if search.sat(&mut self.free, &query)? {
            return Err(Reason::Fault("a state lost its violation".to_owned()));
        }
        let core = self.free.core();
        Ok(keep(&cube, &literals, &core))
    }

    /// Refutes a cube of the frontier, or finds the violation that it is part of.
    fn block(&mut self, search: &mut Search<'_>, cube: Cube) -> Result<Option<Conclusion>, Reason> {
        let mut obligations =
            vec![Obligation { level: self.frontier(), depth: 0, cube, parent: None }];
        // The lowest level first, and there the obligation that is farthest from the violation.
        let mut queue = BinaryHeap::new();
        queue.push((std::cmp::Reverse(self.frontier()), 0usize, 0usize));
        while let Some((_, _, index)) = queue.pop() {
            search.go_on()?;
            let (level, depth) = (obligations[index].level, obligations[index].depth);
            let cube = obligations[index].cube.clone();
            if level == 0 || self.is_initial(search, &cube)?.is_none() {
                return self.violation(search, &obligations, index).map(Some);
            }
            if self.is_excluded(level, &cube) {
                continue;
            }
            match self.predecessor(search, level, &cube)? {
                Some(before) => {
                    let parent = Some(index);
                    let entry =
                        Obligation { level: level - 1, depth: depth + 1, cube: before, parent };
                    queue.push((std::cmp::Reverse(level), depth, index));
                    queue.push((std::cmp::Reverse(level - 1), depth + 1, obligations.len()));
                    obligations.push(entry);
                }
                None => {
                    let core = self.refuted_part(search, &cube)?;
                    let cube = self.generalise(search, level, core)?;
                    let mut reached = level;
                    while reached < self.frontier()
                        && self.refute(search, reached + 1, &cube)?.is_some()
                    {
                        reached += 1;
                    }
                    self.add(search, reached, cube);
                    if reached < self.frontier() {
                        obligations[index].level = reached + 1;
                        queue.push((std::cmp::Reverse(reached + 1), depth, index));
                    }
                }
            }
        }
        Ok(None)
    }

    /// A violation along the chain of obligations.
    fn violation(
        &mut self,
        search: &mut Search<'_>,
        obligations: &[Obligation],
        index: usize,
    ) -> Result<Conclusion, Reason> {
        let mut along = Vec::new();
        let mut at = Some(index);
        while let Some(index) = at {
            along.push(self.conjunction(search.store, &obligations[index].cube));
            at = obligations[index].parent;
        }
        let steps = along.len() as u32 - 1;
        search
            .violation_along(steps, &along)?
            .ok_or_else(|| Reason::Fault("a chain of obligations is no execution".to_owned()))
    }

    /// Checks whether a frame's clauses exclude all of a cube already.
    fn is_excluded(&self, level: usize, cube: &Cube) -> bool {
        self.frames[level..].iter().flatten().any(|known| is_subset(known, cube))
    }

    /// A widened predecessor of a cube in the frame below `level`; none if the cube is inductive relative to it.
    fn predecessor(
        &mut self,
        search: &mut Search<'_>,
        level: usize,
        cube: &Cube,
    ) -> Result<Option<Cube>, Reason> {
        if !self.has_predecessor(search, level, cube)? {
            return Ok(None);
        }
        let model = self.solver.model(search.store);
        let stepped = self.literals(search.store, &self.stepped_bits, cube);
        let stepped = search.store.and_all(&stepped);
        let goal = search.store.and(self.constraint, stepped);
        self.widen(search, &model, goal).map(Some)
    }

    /// Checks whether a step leads into a cube from outside of it in the frame below `level`.
    fn has_predecessor(
        &mut self,
        search: &mut Search<'_>,
        level: usize,
        cube: &Cube,
    ) -> Result<bool, Reason> {
        let inside = self.conjunction(search.store, cube);
        let mut query = vec![search.store.not(inside)];
        query.extend(self.literals(search.store, &self.next_bits, cube));
        self.sat_in(search, level - 1, &query)
    }

    /// After a cube was found to have no predecessor: a part of it that has none either and is not initial.
    fn refuted_part(&mut self, search: &mut Search<'_>, cube: &Cube) -> Result<Cube, Reason> {
        let literals = self.literals(search.store, &self.next_bits, cube);
        let core = self.solver.core();
        let mut part = keep(cube, &literals, &core);
        if self.is_initial(search, &part)?.is_none()
            && let Some(separating) = self.is_initial(search, cube)?
        {
            part.extend(separating);
            part.sort_unstable();
            part.dedup();
        }
        Ok(part)
    }

    /// The literals of a cube that initial states contradict; none if the cube has an initial state.
    fn is_initial(&mut self, search: &mut Search<'_>, cube: &Cube) -> Result<Option<Cube>, Reason> {
        let literals = self.literals(search.store, &self.bits, cube);
        let mut query = vec![search.system.init];
        query.extend_from_slice(&literals);
        if search.sat(&mut self.free, &query)? {
            return Ok(None);
        }
        let core = self.free.core();
        Ok(Some(keep(cube, &literals, &core)))
    }

    /// The part of a cube that is refuted at a level, if it is.
    fn refute(
        &mut self,
        search: &mut Search<'_>,
        level: usize,
        cube: &Cube,
    ) -> Result<Option<Cube>, Reason> {
        if self.has_predecessor(search, level, cube)? {
            return Ok(None);
        }
        self.refuted_part(search, cube).map(Some)
    }

    /// Drops literals from a refuted cube while it stays refuted.
    fn generalise(
        &mut self,
        search: &mut Search<'_>,
        level: usize,
        mut cube: Cube,
    ) -> Result<Cube, Reason> {
        let mut resistance = 0;
        let mut tried = 0;
        // From the highest bits on: those of a word are equal more often than not.
        while tried < cube.len() && resistance < MAX_RESISTANCE {
            let position = cube.len() - 1 - tried;
            let mut smaller = cube.clone();
            smaller.remove(position);
            let refuted = if smaller.is_empty() || self.is_initial(search, &smaller)?.is_none() {
                None
            } else {
                self.refute(search, level, &smaller)?
            };
            match refuted {
                Some(part) => {
                    // What was tried and resisted is at the end and is still needed, if it is still there.
                    tried = part.iter().filter(|l| cube[position + 1..].contains(l)).count();
                    cube = part;
                    resistance = 0;
                }
                None => {
                    tried += 1;
                    resistance += 1;
                }
            }
        }
        Ok(cube)
    }

    /// Excludes a cube from the frames up to a level.
    fn add(&mut self, search: &mut Search<'_>, level: usize, cube: Cube) {
        search.stats.lemmas += 1;
        for frame in &mut self.frames[1..=level] {
            frame.retain(|known| !is_subset(&cube, known));
        }
        self.assert_clause(search, level, &cube);
        self.frames[level].push(cube);
    }

    /// Appends a frame and moves clauses to the frames where they hold; the invariant, if a frame equals the next.
    fn propagate(&mut self, search: &mut Search<'_>) -> Result<Option<TermId>, Reason> {
        self.frames.push(Vec::new());
        self.rebuild(search);
        for level in 1..self.frames.len() - 1 {
            for cube in self.frames[level].clone() {
                search.go_on()?;
                let next = self.literals(search.store, &self.next_bits, &cube);
                if !self.sat_in(search, level, &next)? {
                    self.frames[level].retain(|known| *known != cube);
                    self.assert_clause(search, level + 1, &cube);
                    self.frames[level + 1].push(cube);
                }
            }
            if self.frames[level].is_empty() {
                let cubes: Vec<Cube> = self.frames[level + 1..].iter().flatten().cloned().collect();
                let mut clauses = Vec::new();
                for cube in &cubes {
                    let cube = self.conjunction(search.store, cube);
                    clauses.push(search.store.not(cube));
                }
                return Ok(Some(search.store.and_all(&clauses)));
            }
        }
        Ok(None)
    }

    fn literals(&self, store: &mut TermStore, bits: &[TermId], cube: &Cube) -> Vec<TermId> {
        let term = |&literal: &Literal| {
            let bit = bits[(literal >> 1) as usize];
            if literal & 1 == 0 { bit } else { store.not(bit) }
        };
        cube.iter().map(term).collect()
    }

    fn conjunction(&self, store: &mut TermStore, cube: &Cube) -> TermId {
        let literals = self.literals(store, &self.bits, cube);
        store.and_all(&literals)
    }
}

fn literal(bit: usize, value: bool) -> Literal {
    (bit as u32) << 1 | u32::from(!value)
}

/// The literals of a cube whose terms are in a core.
fn keep(cube: &Cube, literals: &[TermId], core: &[TermId]) -> Cube {
    let kept = cube.iter().zip(literals).filter(|(_, term)| core.contains(term));
    kept.map(|(&literal, _)| literal).collect()
}

/// Checks whether a sorted cube's literals are all in another's.
fn is_subset(small: &Cube, large: &Cube) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|literal| rest.any(|other| other == literal))
}

/// Formulas that together determine the values of variables.
fn state_bits(store: &mut TermStore, vars: &[TermId]) -> Result<Vec<TermId>, Reason> {
    let mut bits = Vec::new();
    let mut pending: Vec<TermId> = vars.iter().rev().copied().collect();
    while let Some(term) = pending.pop() {
        match store.sort(term) {
            Sort::Bool => bits.push(term),
            Sort::BitVec(width) => {
                for position in 0..width {
                    bits.push(store.bv_bit(position, term));
                }
            }
            Sort::Float(format) => pending.push(store.fp_to_bits(format, term)),
            Sort::RoundingMode => {
                return Err(Reason::Unsupported("a rounding mode in the state".to_owned()));
            }
            Sort::Array(sort) => {
                let (index, _) = store.array_parts(sort);
                let n_indices = store.n_values(index).filter(|&n| n <= MAX_BITS as u128);
                let (Some(n_indices), Some(width)) = (n_indices, index.width()) else {
                    return Err(Reason::Unsupported("a large array in the state".to_owned()));
                };
                for position in (0..n_indices as u64).rev() {
                    let position = store.bv_u64(width, position);
                    pending.push(store.select(term, position));
                }
            }
        }
        if bits.len() + pending.len() > MAX_BITS {
            return Err(Reason::Unsupported("a large array in the state".to_owned()));
        }
    }
    Ok(bits)
}
