//! Objections to a model of the SAT solver: arrays, tables, products and results of floats are free bits until a model
//! gets them wrong.
//!
//! Each part answers with lemmas, the cheapest parts first. Where lemmas do not help, the circuit of what is wrong is
//! switched on, for the check that needs it and no other.

use super::{Assumed, Exactness, Group, Solver, TERM_WORK};
use crate::blast::Blaster;
use crate::lookups::Refinement;
use crate::products;
use rustc_hash::FxHashSet;
use std::time::Instant;
use vergo_sat::{Budget, CnfLit, Label, Lit, SatSolver};
use vergo_term::{Assignment, Evaluator, TermId, TermStore, Value};

/// Models of one check whose products are looked at, before all that are wrong get their circuits.
const MAX_PRODUCT_ROUNDS: u32 = 60;

/// Models of one check whose operations on floats are looked at, before all that are wrong get their circuits, and the lemmas
/// for one model.
const MAX_FLOAT_ROUNDS: u32 = 1000;
const MAX_FLOAT_LEMMAS: usize = 24;

/// A result that is free until its circuit is switched on, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Free {
    /// A product of words.
    Product(usize),
    /// The result of an operation on floats.
    Operation(usize),
}

/// The formulas of a check, and all terms in them.
pub(super) struct Question {
    roots: Vec<TermId>,
    terms: FxHashSet<TermId>,
}

/// The outcome for a model that may be wrong.
pub(super) enum Refined {
    /// Something was added that speaks against it.
    Yes,
    /// Nothing speaks against it.
    No,
    /// It is none, but the values of its variables satisfy the formula.
    ByInputs(Assignment),
}
impl Solver {
    /// Adds what speaks against the reads from tables in the model; false if nothing does.
    pub(super) fn refine_lookups(&mut self, budget: &Budget) -> bool {
        if self.blaster.lookups.is_empty() {
            return false;
        }
        let start = Instant::now();
        let values = &self.values;
        let value = |lit: Lit| values[lit.node() as usize] ^ lit.is_complement();
        let active = self.active.as_ref();
        let Blaster { lookups, aig, .. } = &mut self.blaster;
        let Refinement { lemmas, preferred, is_cut_short } =
            lookups.check(aig, &value, active, budget);
        let is_refined = !lemmas.is_empty() || is_cut_short;
        lemmas.into_iter().for_each(|lemma| self.add_lemma(lemma));
        for lit in preferred {
            if let Some(var) = self.cnf.var_of(lit.node()) {
                self.sat.prefer(var.lit(!lit.is_complement()));
            }
        }
        self.stats.array_time += start.elapsed();
        is_refined
    }

    /// Adds what speaks against the arrays of the model; false if there is nothing to add, and they have tables.
    pub(super) fn refine_arrays(&mut self, budget: &Budget) -> bool {
        self.tables.clear();
        if self.blaster.arrays.is_empty() {
            return false;
        }
        let start = Instant::now();
        let values = &self.values;
        let value = |lit: Lit| values[lit.node() as usize] ^ lit.is_complement();
        let active = self.active.as_ref();
        let result = self.blaster.arrays.check(&mut self.blaster.aig, &value, active, budget);
        self.stats.array_time += start.elapsed();
        match result {
            Ok(tables) => {
                self.tables = tables;
                false
            }
            Err(lemmas) => {
                lemmas.into_iter().for_each(|lemma| self.add_lemma(lemma));
                true
            }
        }
    }

    /// Returns the question under assumptions.
    pub(super) fn question(&self, store: &TermStore, assumed: &[TermId]) -> Question {
        let roots: Vec<TermId> = self.assertions().chain(assumed.iter().copied()).collect();
        let terms = store.reachable(&roots).into_iter().collect();
        Question { roots, terms }
    }

    /// Adds what speaks against the products of the model, if they are wrong; false if there is nothing to add.
    pub(super) fn refine_products(
        &mut self,
        store: &TermStore,
        Question { roots, terms }: &Question,
        round: u32,
        budget: &Budget,
    ) -> bool {
        let wrong = self.blaster.products.wrong(|lit| self.literal_value(lit), terms);
        if wrong.is_empty() {
            return false;
        }
        if round <= MAX_PRODUCT_ROUNDS && self.is_new(&wrong, Free::Product) {
            let values = std::mem::take(&mut self.values);
            let lemmas = products::lemmas(store, &mut self.blaster, &values, roots, &wrong, budget);
            self.values = values;
            if !lemmas.is_empty() {
                lemmas.into_iter().for_each(|lemma| self.add_lemma(lemma));
                return true;
            }
        }
        if self.options.products == Exactness::Algebraic {
            return false;
        }
        self.switch_on(&wrong, Free::Product, budget);
        true
    }

    /// Returns whether some of the wrong results have no circuit yet. Where lemmas did not help before, they are not
    /// asked for again.
    fn is_new(&self, wrong: &[usize], free: fn(usize) -> Free) -> bool {
        wrong.iter().any(|&number| !self.circuits.contains_key(&free(number)))
    }

    /// Switches the circuits of what is wrong on, for the rest of this check.
    fn switch_on(&mut self, wrong: &[usize], free: fn(usize) -> Free, budget: &Budget) {
        for &number in wrong {
            if budget.interrupted().is_some() {
                return;
            }
            let lit = self.circuit(free(number));
            self.assumed.push(Assumed { lit, term: None });
        }
    }

    /// The literal that switches a circuit on.
    fn circuit(&mut self, free: Free) -> CnfLit {
        if let Some(&switch) = self.circuits.get(&free) {
            return switch;
        }
        let switch = self.new_switch();
        let is_right = match free {
            Free::Product(number) => self.blaster.product_is_right(number),
            Free::Operation(number) => self.blaster.operation_is_right(number),
        };
        let group = self.new_group(Group::Lemma(Vec::new()));
        let label = Label::Group(group);
        self.cnf.assert(&self.blaster.aig, &mut self.sat, is_right, &[!switch], label);
        self.circuits.insert(free, switch);
        switch
    }

    /// Adds what speaks against the results of operations on floats in the model, if they are wrong.
    pub(super) fn refine_operations(
        &mut self,
        store: &TermStore,
        Question { roots, terms }: &Question,
        round: u32,
        budget: &Budget,
    ) -> Refined {
        let values = std::mem::take(&mut self.values);
        let value = |lit: Lit| values[lit.node() as usize] ^ lit.is_complement();
        let wrong = self.blaster.operations.wrong(&value, terms);
        let mut lemmas = Vec::new();
        if round <= MAX_FLOAT_ROUNDS && self.is_new(&wrong, Free::Operation) {
            let Blaster { operations, aig, .. } = &mut self.blaster;
            let wrong = wrong.iter().take(MAX_FLOAT_LEMMAS);
            lemmas.extend(wrong.filter_map(|&number| operations.lemma(aig, number, &value)));
        }
        self.values = values;
        if wrong.is_empty() {
            return Refined::No;
        }
        budget.spend(terms.len() as u64 * TERM_WORK);
        // What the inputs make of the formula may be right although what the solver made of it is not.
        let model = self.proposed(store);
        let mut evaluator = Evaluator::new(store, &model);
        let mut stop = || budget.interrupted().is_some();
        let holds =
            |root: &TermId| evaluator.value_unless(*root, &mut stop) == Some(&Value::Bool(true));
        if roots.iter().all(holds) {
            return Refined::ByInputs(model);
        }
        if lemmas.is_empty() {
            if self.options.products == Exactness::Algebraic {
                return Refined::No;
            }
            self.switch_on(&wrong, Free::Operation, budget);
        }
        lemmas.into_iter().for_each(|lemma| self.add_lemma(lemma));
        Refined::Yes
    }
}
