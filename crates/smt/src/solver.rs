//! The incremental solver: terms in, answers with models, cores, proofs and interpolants out.
//!
//! Assertions are blasted when a check needs them, so that a deadline also covers that work.  A scope
//! (`push`) has an activation literal that guards its assertions and is assumed by every check
//! until the scope is left.  With unsat cores on, each assertion has such a literal of its own.
//!
//! A check runs the SAT solver; if it finds a model, the array theory compares it with the reads and
//! either accepts it or returns lemmas, and the loop goes on.

use crate::arrays::{ArrayId, Lemma, Table};
use crate::blast::{BlastError, BlastOptions, Blaster};
use crate::definitions;
use crate::lucky;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};
use vergo_sat::{
    Budget, Cadical, CadicalOptions, CnfEncoder, CnfLit, CnfOptions, Label, Lit, SatSolver,
    SolverStats, StopReason, Trace,
};
use vergo_term::{Assignment, Evaluator, TermId, TermStore};

mod refine;

use refine::{Free, Question, Refined};

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// No answer, and why.
    Unknown(Reason),
}

/// The reason why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The budget ended.
    Stopped(StopReason),
    /// Something that this solver cannot decide.
    Unsupported(String),
    /// An external solver said so, or failed.
    Other(String),
}

impl Reason {
    /// A short phrase for reports.
    pub fn text(&self) -> String {
        match self {
            Reason::Stopped(reason) => reason.name().to_owned(),
            Reason::Unsupported(what) => format!("unsupported: {what}"),
            Reason::Other(text) => text.clone(),
        }
    }
}

/// Options of a [`Solver`].
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    /// Record proofs, so that refutations can be checked and interpolated.
    pub proofs: bool,
    /// With proofs: they are replayed and never interpolated, so that nobody asks which assertion a clause is of. Then
    /// variables may be defined, and lemmas about products and tables be leaves of a proof, as those about arrays are.
    pub only_replayed: bool,
    /// Track which assertions a refutation uses.
    pub cores: bool,
    /// Which arrays become words, and which products free bits. With proofs no product does,
    /// and choices are circuits.
    pub blast: BlastOptions,
    /// The demand on products and results of floats that are free bits.
    pub products: Exactness,
    /// The translation of gates to clauses.
    pub cnf: CnfOptions,
    /// Seed of the SAT solver.
    pub seed: u32,
    /// Further options of CaDiCaL.
    pub sat_options: Vec<(&'static str, i32)>,
}

/// The meaning of `Sat` where there are products of wide words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exactness {
    /// There is a model.
    #[default]
    Exact,
    /// Nothing was found that speaks against it, but products may be wrong: there may be no model, and
    /// [`Solver::truths`] says what the solver has in mind. `Unsat` is as ever.
    Algebraic,
}

impl SolverOptions {
    /// For checkers: refutations that [`Solver::check_proof`] replays.
    pub fn replayed() -> SolverOptions {
        SolverOptions { proofs: true, only_replayed: true, ..SolverOptions::default() }
    }

    /// For interpolation: proofs on, and arrays as words as far as it is affordable.
    pub fn interpolating() -> SolverOptions {
        SolverOptions {
            proofs: true,
            blast: BlastOptions { array_bits: 1 << 13, ..BlastOptions::default() },
            ..SolverOptions::default()
        }
    }
}

vergo_sat::counters! {
    /// Counters of a solver over its whole life.
    pub struct Stats {
        /// Terms blasted.
        sum terms: u64,
        /// Gates of the graph.
        sum gates: u64,
        /// Bytes of the graph.
        sum gate_bytes: u64,
        /// Lemmas about arrays, constant tables and floats.
        sum lemmas: u64,
        /// Checks.
        sum checks: u64,
        /// Rounds of the array loop.
        sum rounds: u64,
        /// The SAT solver's own counters.
        sum sat: SolverStats,
        /// Time to read and simplify terms, where the solver's user tells it.
        sum read_time: Duration,
        /// Time to blast terms and make clauses.
        sum blast_time: Duration,
        /// Time in the theories of arrays and of constant tables.
        sum array_time: Duration,
        /// Time to compute interpolants.
        sum interpolation_time: Duration,
    }
}

/// Work per node of a circuit, per new term, and per node of a model; see [`Budget::spend`].
const NODE_WORK: u64 = 200;
const TERM_WORK: u64 = 500;
const VALUE_WORK: u64 = 2;

pub(crate) struct Assertion {
    pub(crate) term: TermId,
    pub(crate) group: u32,
    /// The literal that switches the assertion on, with cores.
    tracker: Option<CnfLit>,
}

struct Scope {
    /// The literal that is assumed while the scope is open; none at the bottom.
    activation: Option<CnfLit>,
    /// The number of assertions when the scope was opened.
    start: usize,
}

/// The kind of a group of clauses.
pub(crate) enum Group {
    /// The assertion of a term.
    Assertion(TermId),
    /// An array lemma about some terms.
    Lemma(Vec<TermId>),
}

/// An assumption of the last check.
#[derive(Clone, Copy)]
pub(crate) struct Assumed {
    pub(crate) lit: CnfLit,
    /// The term whose truth is assumed; none for scopes.
    pub(crate) term: Option<TermId>,
}

/// The bit-blasting solver.
pub struct Solver {
    pub(crate) blaster: Blaster,
    pub(crate) cnf: CnfEncoder,
    pub(crate) sat: Cadical,
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) groups: Vec<Group>,
    pub(crate) assumed: Vec<Assumed>,
    /// Activation literals of scopes and assertions, true in every query that uses them.
    pub(crate) switches: FxHashMap<usize, ()>,
    pub(crate) options: SolverOptions,
    scopes: Vec<Scope>,
    n_blasted: usize,
    /// Terms of the store that have been counted as work.
    n_terms: Option<usize>,
    /// True if assertions have been dropped, so that not everything blasted is in force.
    has_popped: bool,
    /// The terms in force, if they are not all that were blasted and it matters.
    active: Option<FxHashSet<TermId>>,
    answer: Option<Answer>,
    /// After `Sat`: the value of every node.
    values: Vec<bool>,
    tables: FxHashMap<ArrayId, Table>,
    /// The literals that switch circuits on.
    circuits: FxHashMap<Free, CnfLit>,
    /// After `Sat`: the model, if it was found without search.
    pub(crate) guessed: Option<Assignment>,
    pub(crate) stats: Stats,
}

/// The purpose of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Answer,
    Model,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new(SolverOptions::default())
    }
}

impl Solver {
    /// A solver without assertions.
    pub fn new(mut options: SolverOptions) -> Solver {
        if options.proofs && !options.only_replayed {
            options.blast.product_bits = usize::MAX;
            options.blast.float_bits = u32::MAX;
            options.blast.chain_len = usize::MAX;
        }
        let trace = if options.proofs { Trace::Antecedents } else { Trace::Off };
        let sat = Cadical::new(&CadicalOptions {
            trace,
            seed: options.seed,
            options: options.sat_options.clone(),
        });
        Solver {
            blaster: Blaster::new(options.blast),
            cnf: CnfEncoder::new(options.cnf),
            sat,
            assertions: Vec::new(),
            groups: Vec::new(),
            assumed: Vec::new(),
            switches: FxHashMap::default(),
            options,
            scopes: vec![Scope { activation: None, start: 0 }],
            n_blasted: 0,
            n_terms: None,
            has_popped: false,
            active: None,
            answer: None,
            values: Vec::new(),
            tables: FxHashMap::default(),
            circuits: FxHashMap::default(),
            guessed: None,
            stats: Stats::default(),
        }
    }

    /// Asserts a Bool term in the current scope.
    pub fn assert(&mut self, term: TermId) {
        self.answer = None;
        let group = self.new_group(Group::Assertion(term));
        self.assertions.push(Assertion { term, group, tracker: None });
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.answer = None;
        let activation = Some(self.new_switch());
        self.scopes.push(Scope { activation, start: self.assertions.len() });
    }

    /// Leaves the innermost scope and drops its assertions; false if there is none.
    pub fn pop(&mut self) -> bool {
        if self.scopes.len() < 2 {
            return false;
        }
        self.answer = None;
        if let Some(scope) = self.scopes.pop() {
            self.has_popped |= self.assertions.len() > scope.start;
            self.assertions.truncate(scope.start);
            self.n_blasted = self.n_blasted.min(scope.start);
            if let Some(activation) = scope.activation {
                // Lets the SAT solver throw the scope's clauses away.
                let group = self.new_group(Group::Lemma(Vec::new()));
                self.sat.add_clause(&[!activation], Label::Group(group));
            }
        }
        true
    }

    /// The number of open scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len() - 1
    }

    /// The assertions in force.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.assertions.iter().map(|a| a.term)
    }

    /// Decides the assertions under assumptions that hold for this check only.
    pub fn check(&mut self, store: &TermStore, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.check_for(store, assumptions, budget, Wanted::Model)
    }

    /// The answer of [`check`](Solver::check) for those who do not ask for a model, which takes time to be read where
    /// the formula is large. After `Sat` there is none.
    pub fn decide(&mut self, store: &TermStore, assumptions: &[TermId], budget: &Budget) -> Answer {
        let answer = self.check_for(store, assumptions, budget, Wanted::Answer);
        if answer == Answer::Sat {
            self.answer = None;
        }
        answer
    }

    fn check_for(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
        wanted: Wanted,
    ) -> Answer {
        self.stats.checks += 1;
        self.guessed = None;
        let mut new: Vec<TermId> =
            self.assertions[self.n_blasted..].iter().map(|a| a.term).collect();
        new.extend(assumptions);
        if lucky::is_worthwhile(store, &new, |term| self.blaster.is_done(term)) {
            let mut all: Vec<TermId> = self.assertions().collect();
            all.extend(assumptions);
            self.guessed = lucky::guess(store, &all, budget);
            if self.guessed.is_some() {
                self.assumed.clear();
                self.answer = Some(Answer::Sat);
                return Answer::Sat;
            }
        }
        let answer = match self.prepare(store, assumptions, budget) {
            Err(BlastError::Stopped(reason)) => Answer::Unknown(Reason::Stopped(reason)),
            Err(BlastError::Unsupported(what)) => {
                Answer::Unknown(Reason::Unsupported(what.to_owned()))
            }
            Ok(()) => self.search(store, assumptions, budget, wanted),
        };
        self.answer = Some(answer.clone());
        answer
    }

    /// Blasts what is new and collects the assumptions of a check.
    fn prepare(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(), BlastError> {
        let start = Instant::now();
        let (n_nodes, n_terms) = (self.blaster.aig.n_nodes(), store.len());
        let result = self.prepare_untimed(store, assumptions, budget);
        self.stats.blast_time += start.elapsed();
        let new_nodes = self.blaster.aig.n_nodes().saturating_sub(n_nodes) as u64;
        // What there was before the first question was made for others, too.
        let new_terms = self.n_terms.map_or(0, |before| n_terms.saturating_sub(before)) as u64;
        self.n_terms = Some(n_terms);
        budget.spend(new_nodes * NODE_WORK + new_terms * TERM_WORK);
        result
    }

    fn prepare_untimed(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(), BlastError> {
        self.cnf.set_budget(budget);
        self.cnf.resume(&self.blaster.aig, &mut self.sat);
        self.define_variables(store, budget)?;
        while self.n_blasted < self.assertions.len() {
            self.encoded(budget)?;
            let index = self.n_blasted;
            let Assertion { term, group, .. } = self.assertions[index];
            let lit = self.blaster.blast_bool(store, term, budget)?;
            let mut guard: Vec<CnfLit> = Vec::new();
            let scope = self.scopes.iter().rposition(|s| s.start <= index).unwrap_or(0);
            guard.extend(self.scopes[scope].activation.map(|l| !l));
            if self.options.cores {
                let tracker = self.new_switch();
                self.assertions[index].tracker = Some(tracker);
                guard.push(!tracker);
            }
            self.cnf.assert(&self.blaster.aig, &mut self.sat, lit, &guard, Label::Group(group));
            self.encoded(budget)?;
            self.n_blasted += 1;
        }
        self.assumed.clear();
        for scope in &self.scopes {
            self.assumed.extend(scope.activation.map(|lit| Assumed { lit, term: None }));
        }
        for assertion in &self.assertions {
            let term = Some(assertion.term);
            self.assumed.extend(assertion.tracker.map(|lit| Assumed { lit, term }));
        }
        for &term in assumptions {
            let lit = self.blaster.blast_bool(store, term, budget)?;
            let lit = self.cnf.literal(&self.blaster.aig, &mut self.sat, lit);
            self.assumed.push(Assumed { lit, term: Some(term) });
        }
        let mut pending = self.blaster.arrays.take_pending();
        pending.extend(self.blaster.operations.take_pending());
        pending.into_iter().for_each(|lemma| self.add_lemma(lemma));
        self.active = None;
        let has_theory = !self.blaster.arrays.is_empty() || !self.blaster.lookups.is_empty();
        if self.has_popped && has_theory {
            let mut roots: Vec<TermId> = self.assertions().collect();
            roots.extend(assumptions);
            self.active = Some(store.reachable(&roots).into_iter().collect());
        }
        self.encoded(budget)
    }

    /// Makes variables that new permanent assertions equate with terms the same as those terms, so
    /// that they need no bits of their own and equal circuits meet, and lets bounded ones have as few bits as they need.  Nothing that depends on which
    /// assertion says so may be asked for later: not with cores, nor with proofs to interpolate.
    fn define_variables(&mut self, store: &TermStore, budget: &Budget) -> Result<(), BlastError> {
        if self.options.cores || self.options.proofs && !self.options.only_replayed {
            return Ok(());
        }
        let end = self.scopes.get(1).map_or(self.assertions.len(), |scope| scope.start);
        let terms = self.assertions.get(self.n_blasted..end).unwrap_or_default();
        let terms: Vec<TermId> = terms.iter().map(|a| a.term).collect();
        let blaster = &self.blaster;
        let found = definitions::find(store, &terms, |var| blaster.is_done(var));
        let defined: FxHashSet<TermId> = found.iter().map(|(var, _)| *var).collect();
        let known = |var| defined.contains(&var) || blaster.is_done(var);
        for (var, width) in definitions::narrow(store, &terms, known) {
            self.blaster.set_narrow(store, var, width);
        }
        for (var, term) in found {
            self.blaster.define(store, var, term, budget)?;
        }
        Ok(())
    }

    /// Fails if the budget ended while clauses were made.
    fn encoded(&self, budget: &Budget) -> Result<(), BlastError> {
        if self.cnf.is_complete() {
            return Ok(());
        }
        Err(BlastError::Stopped(budget.exhausted().unwrap_or(StopReason::Deadline)))
    }

    fn search(
        &mut self,
        store: &TermStore,
        assumed: &[TermId],
        budget: &Budget,
        wanted: Wanted,
    ) -> Answer {
        let (mut n_product_rounds, mut n_float_rounds) = (0, 0);
        let mut question: Option<Question> = None;
        loop {
            self.stats.rounds += 1;
            // Circuits may have been switched on.
            let assumptions: Vec<CnfLit> = self.assumed.iter().map(|a| a.lit).collect();
            match self.sat.solve(&assumptions, budget) {
                vergo_sat::Answer::Unsat => return Answer::Unsat,
                vergo_sat::Answer::Unknown(reason) => {
                    return Answer::Unknown(Reason::Stopped(reason));
                }
                vergo_sat::Answer::Sat => {}
            }
            let has_products = !self.blaster.products.all.is_empty();
            let has_operations = !self.blaster.operations.is_empty();
            // Arrays, tables, products and floats may need lemmas before there is a model.
            let is_plain = self.blaster.arrays.is_empty() && self.blaster.lookups.is_empty();
            if wanted == Wanted::Answer && is_plain && !has_products && !has_operations {
                return Answer::Sat;
            }
            self.read_values();
            budget.spend(self.values.len() as u64 * VALUE_WORK);
            // Arrays and tables come first: what they have to say is cheaper.
            let mut is_refined = self.refine_lookups(budget) || self.refine_arrays(budget);
            if !is_refined && has_products {
                n_product_rounds += 1;
                let question = question.get_or_insert_with(|| self.question(store, assumed));
                is_refined = self.refine_products(store, question, n_product_rounds, budget);
            }
            if !is_refined && has_operations {
                n_float_rounds += 1;
                let question = question.get_or_insert_with(|| self.question(store, assumed));
                match self.refine_operations(store, question, n_float_rounds, budget) {
                    Refined::Yes => is_refined = true,
                    Refined::No => {}
                    Refined::ByInputs(model) => {
                        self.guessed = Some(model);
                        return Answer::Sat;
                    }
                }
            }
            if !is_refined {
                return Answer::Sat;
            }
            if let Err(BlastError::Stopped(reason)) = self.encoded(budget) {
                return Answer::Unknown(Reason::Stopped(reason));
            }
            if let Some(reason) = budget.exhausted() {
                return Answer::Unknown(Reason::Stopped(reason));
            }
        }
    }

    /// After `Sat`: which Bool terms are true in what the solver has in mind; none if the budget ends. With exact
    /// products that is the model.
    pub fn truths(&mut self, store: &TermStore, terms: &[TermId], budget: &Budget) -> Vec<bool> {
        if let Some(guessed) = &self.guessed {
            let mut evaluator = Evaluator::new(store, guessed);
            return terms.iter().map(|&term| evaluator.value(term).as_bool()).collect();
        }
        let mut lits = Vec::new();
        for &term in terms {
            match self.blaster.blast_bool(store, term, budget) {
                Ok(lit) => lits.push(lit),
                Err(_) => return Vec::new(),
            }
        }
        // What has become part of the graph just now has values that follow from the others'.
        if self.values.len() < self.blaster.aig.n_nodes() {
            self.read_values();
        }
        lits.into_iter().map(|lit| self.literal_value(lit)).collect()
    }

    fn add_lemma(&mut self, lemma: Lemma) {
        let group = self.new_group(Group::Lemma(lemma.terms));
        self.cnf.clause(&self.blaster.aig, &mut self.sat, &lemma.clause, &[], Label::Group(group));
    }

    /// Evaluates the whole graph under the SAT solver's values of the inputs.
    fn read_values(&mut self) {
        let (aig, cnf, sat) = (&self.blaster.aig, &self.cnf, &mut self.sat);
        self.values = aig.values(|position| {
            let node = aig.input_at(position).node();
            // An input that no clause mentions may have any value.
            cnf.var_of(node).and_then(|var| sat.value(var.lit(true))).unwrap_or(false)
        });
    }

    /// The value of a literal after `Sat`.
    pub(crate) fn literal_value(&self, lit: Lit) -> bool {
        self.values.get(lit.node() as usize).copied().unwrap_or(false) ^ lit.is_complement()
    }

    /// The value of an input after `Sat`.
    pub(crate) fn input_value(&self, position: u32) -> bool {
        let node = self.blaster.aig.input_at(position).node() as usize;
        self.values.get(node).copied().unwrap_or(false)
    }

    pub(crate) fn table(&self, array: ArrayId) -> Option<&Table> {
        self.tables.get(&array)
    }

    /// The last answer, unless something was changed since.
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_ref()
    }

    /// After `Unsat`: the assumed terms that the refutation used, and with cores on the assertions.
    pub fn core(&mut self) -> Vec<TermId> {
        if self.answer != Some(Answer::Unsat) {
            return Vec::new();
        }
        let mut core = Vec::new();
        let mut seen = FxHashSet::default();
        for Assumed { lit, term } in self.assumed.clone() {
            if let Some(term) = term
                && self.sat.failed(lit)
                && seen.insert(term)
            {
                core.push(term);
            }
        }
        core
    }

    /// After `Unsat` with proofs on: replays the refutation clause by clause; returns the number of
    /// steps checked, or what is wrong.
    pub fn check_proof(&self) -> Result<usize, vergo_sat::lrat::LratError> {
        let missing = vergo_sat::lrat::LratError::NoConclusion;
        let conclusion = self.sat.conclusion().ok_or(missing.clone())?;
        let proof = self.sat.proof().ok_or(missing)?;
        let assumptions: Vec<CnfLit> = self.assumed.iter().map(|a| a.lit).collect();
        vergo_sat::lrat::check_conclusion(&proof, &conclusion, &assumptions)
    }

    /// After `Unsat` with proofs on: the refutation as a DIMACS formula and an LRAT proof; the
    /// assumptions of the check are unit clauses of the formula.
    pub fn export_proof(&self) -> Result<(String, String), vergo_sat::lrat::LratError> {
        let missing = vergo_sat::lrat::LratError::NoConclusion;
        let conclusion = self.sat.conclusion().ok_or(missing.clone())?;
        let proof = self.sat.proof().ok_or(missing)?;
        vergo_sat::lrat::export(&proof, &conclusion)
    }

    /// Counters so far.
    pub fn stats(&self) -> Stats {
        Stats {
            terms: self.blaster.n_terms(),
            gates: self.blaster.aig.n_gates() as u64,
            gate_bytes: self.blaster.aig.memory() as u64,
            lemmas: self.blaster.arrays.n_lemmas()
                + self.blaster.lookups.n_lemmas()
                + self.blaster.operations.n_lemmas(),
            sat: self.sat.stats(),
            ..self.stats
        }
    }

    fn new_group(&mut self, group: Group) -> u32 {
        self.groups.push(group);
        self.groups.len() as u32 - 1
    }

    fn new_switch(&mut self) -> CnfLit {
        let var = self.sat.new_var();
        self.switches.insert(var.index(), ());
        var.lit(true)
    }

    /// The literals of a term that has been blasted, lowest bit first.
    pub fn bits(&self, term: TermId) -> Option<Vec<Lit>> {
        self.blaster.known_word(term).map(<[Lit]>::to_vec)
    }
}
