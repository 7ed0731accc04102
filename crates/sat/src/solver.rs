//! The SAT solver behind a small trait, and CaDiCaL as its implementation.
//!
//! Every clause carries a [`Label`]: the group (partition) it belongs to, or that it is one half of
//! the definition of a gate variable.  Labels cost nothing unless proofs are recorded; then they
//! are what interpolation partitions the proof by.
//!
//! CaDiCaL runs with its inprocessing on.  Its `factor` technique (bounded variable addition) stays
//! off, as it is by default: extension variables are neither literals of the
//! input nor derivable by resolution, so proofs with them cannot be interpolated.

use crate::budget::{Budget, StopReason, resident_bytes};
use crate::proof::{Conclusion, Proof, Recorder};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::{Cell, Ref, RefCell};
use std::fmt;
use std::ops::Not;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A propositional variable of a solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// The variable with the given position, counted from 0.
    pub fn new(index: usize) -> Var {
        assert!(index < i32::MAX as usize - 1, "a solver has at most 2^31 variables");
        Var(index as u32)
    }

    /// The position of the variable, counted from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal of this variable.
    pub fn lit(self, positive: bool) -> CnfLit {
        let number = self.0 as i32 + 1;
        CnfLit(if positive { number } else { -number })
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0 + 1)
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CnfLit(i32);

impl CnfLit {
    /// The literal that DIMACS writes as `number`, which is not 0 or `i32::MIN`.
    pub fn from_dimacs(number: i32) -> CnfLit {
        assert!(number != 0 && number != i32::MIN, "a literal is a non-zero number");
        CnfLit(number)
    }

    /// The number that stands for this literal in DIMACS.
    pub fn dimacs(self) -> i32 {
        self.0
    }

    /// The variable.
    pub fn var(self) -> Var {
        Var(self.0.unsigned_abs() - 1)
    }

    /// Returns whether the literal is its variable itself.
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }
}

impl Not for CnfLit {
    type Output = CnfLit;
    fn not(self) -> CnfLit {
        CnfLit(-self.0)
    }
}

impl fmt::Debug for CnfLit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Where a clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Label {
    /// Part of the formula of a group; interpolation puts groups on one side of a cut.
    Group(u32),
    /// Part of the definition of a gate variable.  It says nothing about the formula, so it may
    /// be placed wherever the gate occurs.
    Definition(Var),
}

/// The answer of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none under the assumptions.
    Unsat,
    /// The search was stopped.
    Unknown(StopReason),
}

crate::counters! {
    /// Counters of a solver over its whole life.
    pub struct SolverStats {
        /// Variables.
        sum vars: u64,
        /// Clauses added.
        sum clauses: u64,
        /// Literals in the clauses added.
        sum literals: u64,
        /// Calls of [`SatSolver::solve`].
        sum solves: u64,
        /// Conflicts.
        sum conflicts: u64,
        /// Decisions.
        sum decisions: u64,
        /// Propagations.
        sum propagations: u64,
        /// Time inside [`SatSolver::solve`].
        sum time: Duration,
        /// Time in which the solver took in clauses: it simplifies, stores and watches them.
        sum intake: Duration,
    }
}

/// An incremental SAT solver.
pub trait SatSolver {
    /// Adds a variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause; the empty clause makes the formula unsatisfiable.
    fn add_clause(&mut self, clause: &[CnfLit], label: Label);

    /// Decides the clauses under assumptions that hold for this call only.
    fn solve(&mut self, assumptions: &[CnfLit], budget: &Budget) -> Answer;

    /// The value of a literal in the model, after [`Answer::Sat`] and before the next change.
    fn value(&mut self, lit: CnfLit) -> Option<bool>;

    /// Returns whether the assumption `lit` was used to refute, after [`Answer::Unsat`].
    fn failed(&mut self, lit: CnfLit) -> bool;

    /// Makes the solver try this literal first when it decides its variable.
    fn prefer(&mut self, lit: CnfLit);

    /// Counters so far.
    fn stats(&self) -> SolverStats;
}

/// The record that a solver keeps of its reasoning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trace {
    /// Nothing.
    #[default]
    Off,
    /// Every derivation with its antecedents, in memory, so that refutations can be checked,
    /// written and interpolated.
    Antecedents,
}

/// Options of [`Cadical`].
#[derive(Clone, Debug, Default)]
pub struct CadicalOptions {
    /// The record that is kept.
    pub trace: Trace,
    /// Seed of CaDiCaL's pseudo-random choices.
    pub seed: u32,
    /// Further CaDiCaL options by name; unknown names are ignored.
    pub options: Vec<(&'static str, i32)>,
}

/// CaDiCaL.
pub struct Cadical {
    inner: CaDiCal,
    stop: Rc<StopState>,
    proof: Option<Rc<RefCell<Proof>>>,
    n_vars: usize,
    last: Option<Answer>,
    /// Of the last call, sorted.
    assumptions: Vec<CnfLit>,
    buffer: Vec<i32>,
    stats: SolverStats,
    /// Literals of clauses that have been counted as work.
    n_counted: u64,
}

/// The data that the termination call-back looks at, shared with the solver object.
#[derive(Default)]
struct StopState {
    budget: RefCell<Budget>,
    reason: Cell<Option<StopReason>>,
    calls: Cell<u32>,
    /// Work of the current call of `solve` that has been counted already.
    counted: Cell<u64>,
}

/// Work between two looks at the budget during search, at least; see [`Budget::spend`].
const CALL_WORK: u64 = 2_000;
/// Work per tick of CaDiCaL, which is about a cache line.
const TICK_WORK: u64 = 50;
/// Work of a call of `solve` that has nothing to do.
const SOLVE_WORK: u64 = 5_000;
/// Work per literal of a clause that is added.
const LITERAL_WORK: u64 = 40;

struct StopWatch(Rc<StopState>);

impl Terminator for StopWatch {
    fn terminated(&mut self) -> bool {
        let state = &self.0;
        let budget = state.budget.borrow();
        budget.spend(CALL_WORK);
        state.counted.set(state.counted.get() + CALL_WORK);
        let mut reason = budget.interrupted();
        let calls = state.calls.get().wrapping_add(1);
        state.calls.set(calls);
        if reason.is_none()
            && calls.is_multiple_of(256)
            && let Some(limit) = budget.memory
            && resident_bytes().is_some_and(|used| used > limit)
        {
            reason = Some(StopReason::Memory);
        }
        if reason.is_some() {
            state.reason.set(reason);
        }
        reason.is_some()
    }
}

impl Cadical {
    /// A solver without clauses.
    pub fn new(options: &CadicalOptions) -> Cadical {
        let mut inner = CaDiCal::new();
        inner.set("quiet", 1);
        inner.set("factor", 0);
        inner.set("seed", i32::try_from(options.seed).unwrap_or(i32::MAX));
        for &(name, value) in &options.options {
            inner.set(name, value);
        }
        let proof = match options.trace {
            Trace::Off => None,
            Trace::Antecedents => {
                let proof = Rc::new(RefCell::new(Proof::new()));
                inner.connect_proof_tracer1(Recorder::new(proof.clone()), true, false);
                Some(proof)
            }
        };
        let stop = Rc::new(StopState::default());
        inner.connect_terminator(StopWatch(stop.clone()));
        Cadical {
            inner,
            stop,
            proof,
            n_vars: 0,
            last: None,
            assumptions: Vec::new(),
            buffer: Vec::new(),
            stats: SolverStats::default(),
            n_counted: 0,
        }
    }

    /// The name and version of the solver.
    pub fn signature() -> String {
        CaDiCal::signature()
    }

    /// The proof so far, if it is recorded.
    pub fn proof(&self) -> Option<Ref<'_, Proof>> {
        self.proof.as_ref().map(|p| p.borrow())
    }

    /// Returns the conclusion of the last call of `solve`: after [`Answer::Unsat`] with a recorded proof.
    pub fn conclusion(&self) -> Option<Conclusion> {
        match self.last {
            Some(Answer::Unsat) => self.proof.as_ref()?.borrow().conclusion(),
            _ => None,
        }
    }

    /// Returns the value of `lit` in every model, if it is known: true, or false if its negation holds.
    pub fn fixed(&self, lit: CnfLit) -> Option<bool> {
        if lit.var().index() >= self.n_vars {
            return None;
        }
        match self.inner.fixed(lit.dimacs()) {
            0 => None,
            sign => Some(sign > 0),
        }
    }

    fn ticks(&self) -> u64 {
        u64::try_from(self.inner.get_statistic_value("ticks")).unwrap_or(0)
    }

    fn has_var(&mut self, var: Var) -> bool {
        i32::try_from(var.index()).is_ok_and(|i| i < self.inner.vars())
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Cadical::new(&CadicalOptions::default())
    }
}

impl SatSolver for Cadical {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.n_vars);
        self.n_vars += 1;
        self.stats.vars += 1;
        var
    }

    fn add_clause(&mut self, clause: &[CnfLit], label: Label) {
        self.last = None;
        self.stats.clauses += 1;
        self.stats.literals += clause.len() as u64;
        if let Some(proof) = &self.proof {
            proof.borrow_mut().announce(clause, label);
        }
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|l| l.dimacs()));
        for lit in clause {
            debug_assert!(
                lit.var().index() < self.n_vars,
                "{lit:?} is not a variable of the solver"
            );
        }
        let start = Instant::now();
        if self.buffer.is_empty() {
            self.inner.add(0);
        } else {
            self.inner.clause6(&self.buffer);
        }
        self.stats.intake += start.elapsed();
    }

    fn solve(&mut self, assumptions: &[CnfLit], budget: &Budget) -> Answer {
        let start = Instant::now();
        self.stats.solves += 1;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.assumptions.sort_unstable();
        if let Some(reason) = budget.exhausted() {
            self.last = Some(Answer::Unknown(reason));
            return Answer::Unknown(reason);
        }
        if let Some(proof) = &self.proof {
            let mut proof = proof.borrow_mut();
            proof.collect_garbage();
            proof.forget_conclusion();
        }
        budget.spend(SOLVE_WORK + (self.stats.literals - self.n_counted) * LITERAL_WORK);
        self.n_counted = self.stats.literals;
        *self.stop.budget.borrow_mut() = budget.clone();
        self.stop.reason.set(None);
        self.stop.counted.set(0);
        let before = self.ticks();
        let ticks = budget.left().map(|left| left / TICK_WORK);
        if let Some(ticks) = ticks {
            self.inner.limit("ticks", i32::try_from(ticks).unwrap_or(i32::MAX));
        }
        if let Some(limit) = budget.conflicts {
            self.inner.limit("conflicts", i32::try_from(limit).unwrap_or(i32::MAX));
        }
        for lit in assumptions {
            self.inner.assume(lit.dimacs());
        }
        let answer = match self.inner.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => {
                if self.proof.is_some() {
                    self.inner.conclude();
                }
                Answer::Unsat
            }
            Status::UNKNOWN => {
                let is_spent = ticks.is_some_and(|most| self.ticks() - before >= most);
                let limit = if is_spent { StopReason::Effort } else { StopReason::Conflicts };
                Answer::Unknown(self.stop.reason.get().unwrap_or(limit))
            }
        };
        let work = (self.ticks() - before) * TICK_WORK;
        budget.spend(work.saturating_sub(self.stop.counted.get()));
        // The token inside may be shared with others: it must not outlive the call.
        *self.stop.budget.borrow_mut() = Budget::unlimited();
        self.last = Some(answer);
        self.stats.time += start.elapsed();
        answer
    }

    fn value(&mut self, lit: CnfLit) -> Option<bool> {
        if self.last != Some(Answer::Sat) {
            return None;
        }
        if !self.has_var(lit.var()) {
            // No clause mentions the variable: any value is part of a model.
            return Some(!lit.is_positive());
        }
        Some(self.inner.val(lit.dimacs()) == lit.dimacs())
    }

    fn failed(&mut self, lit: CnfLit) -> bool {
        self.last == Some(Answer::Unsat)
            && self.assumptions.binary_search(&lit).is_ok()
            && self.inner.failed(lit.dimacs())
    }

    fn prefer(&mut self, lit: CnfLit) {
        self.inner.phase(lit.dimacs());
    }

    fn stats(&self) -> SolverStats {
        let read = |name| u64::try_from(self.inner.get_statistic_value(name)).unwrap_or(0);
        SolverStats {
            conflicts: read("conflicts"),
            decisions: read("decisions"),
            propagations: read("propagations"),
            ..self.stats
        }
    }
}
