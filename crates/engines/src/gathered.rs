//! Facts about a system, gathered from several sources one after the other.
//!
//! **Idea.** What is proposed ([`Proposals`]: bounds of intervals, equations that executions show, templates) is tried from
//! the cheap to the expensive, each on the system with what is known by then, so that later facts rest on earlier ones. Loops
//! that follow each other are looked at in their order: a fact of one needs no fact of the next.
//!
//! **Soundness.** What [`Gathered::all`] says is inductive, given the consequences that its user vouches for; it is part
//! of the invariant of every proof that relies on it and checked with it.

use crate::auxiliary::{
    Consequences, Place, candidates, candidates_for_phases, candidates_near_comparisons,
    conditions, constants, inductive_subset, strengthened,
};
use crate::executions::Executions;
use crate::{affine, algebraic, inequalities};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{TermId, TermStore};
use vergo_ts::{Encoded, TransitionSystem};

/// The part of the time for executions, and for equations with products.
pub(crate) const SAMPLING_SHARE: u32 = 4;

/// Terms of systems that are so small that candidates of special kinds cost little, and the expensive ones not too much.
const SMALL: usize = 3000;
const VERY_SMALL: usize = 1200;

/// The part of the time for each source that may be expensive, and the conflicts of one question.
const EXPENSIVE_SHARE: u32 = 2;
const DEAR_CONFLICTS: u64 = 2000;

/// Candidates about the words of a state: for each source a list for each place.
pub(crate) struct Proposals {
    sources: Vec<Vec<Vec<TermId>>>,
    /// What loops keep that go on while something is less, and what holds in phases of them.
    special: Vec<Vec<TermId>>,
    /// Those that may cost more than they are worth.
    dear_sources: Vec<Vec<Vec<TermId>>>,
    /// For facts about one phase of a loop those that hold in all: what these say need not be said of each phase.
    in_all_phases: FxHashMap<TermId, TermId>,
}

impl Proposals {
    /// What is proposed of a program whose words take part in a system.
    pub(crate) fn new(
        store: &mut TermStore,
        encoded: &Encoded,
        system: &TransitionSystem,
        places: &[Place],
        executions: &Executions,
        budget: &Budget,
    ) -> Proposals {
        let mut bounds = Vec::new();
        for (place, interval) in places.iter().zip(encoded.interval_invariants(store)) {
            let facts = store.conjuncts(interval).into_iter();
            bounds.push(facts.map(|fact| store.implies(place.here, fact)).collect());
        }
        let mut equations = affine::candidates(store, &encoded.system, places, executions);
        if algebraic::multiplies(store, system) {
            let budget = budget.part(SAMPLING_SHARE);
            let products =
                algebraic::candidates(store, &encoded.system, places, executions, &budget);
            for (equations, products) in equations.iter_mut().zip(products) {
                equations.extend(products);
            }
        }
        let mut others = candidates(store, system, places);
        for (others, equations) in others.iter_mut().zip(&equations) {
            others.extend(equations);
        }
        let (mut special, mut in_all_phases) = (Vec::new(), FxHashMap::default());
        let mut dear_sources = Vec::new();
        let n_terms = store.reachable(&[system.init, system.trans, system.bad]).len();
        if n_terms <= SMALL {
            // What is even in one phase of a loop may bound a word, so these are tried together.
            special = candidates_near_comparisons(store, system, places);
            let conditions = conditions(store, system, places);
            let phases = candidates_for_phases(store, places, &conditions);
            for (special, phases) in special.iter_mut().zip(phases) {
                special.extend(phases.iter().map(|(phase, _)| phase));
                in_all_phases.extend(phases);
            }
            if n_terms <= VERY_SMALL {
                dear_sources.push(affine::candidates_under_conditions(
                    store,
                    system,
                    places,
                    executions,
                    &conditions,
                ));
                let constants = constants(store, system);
                let inequalities =
                    inequalities::candidates(store, system, places, executions, &constants);
                dear_sources.extend(inequalities);
            }
        }
        // Bounds alone are found in any case, then equations; other relations if there is time.
        let sources = vec![bounds, equations, others];
        Proposals { sources, special, dear_sources, in_all_phases }
    }

    /// The same without those that are not among some facts.
    pub(crate) fn only(&self, facts: &FxHashSet<TermId>) -> Proposals {
        let kept =
            |list: &Vec<TermId>| list.iter().filter(|x| facts.contains(x)).copied().collect();
        let of_source = |lists: &Vec<Vec<TermId>>| lists.iter().map(kept).collect();
        Proposals {
            sources: self.sources.iter().map(of_source).collect(),
            special: of_source(&self.special),
            dear_sources: self.dear_sources.iter().map(of_source).collect(),
            in_all_phases: FxHashMap::default(),
        }
    }
}

/// What is known of a system.
pub(crate) struct Gathered<'a> {
    /// All of it.
    pub(crate) all: TermId,
    /// What steps may rely on besides.
    consequences: Consequences<'a>,
    /// The system with it.
    system: TransitionSystem,
    /// The places of each nest of loops, in order.
    nests: Vec<Vec<usize>>,
    /// The facts one by one.
    pub(crate) facts: FxHashSet<TermId>,
}

impl<'a> Gathered<'a> {
    /// Nothing yet.
    pub(crate) fn new(
        store: &TermStore,
        encoded: &Encoded,
        system: &TransitionSystem,
        consequences: Consequences<'a>,
    ) -> Gathered<'a> {
        let (all, nests) = (store.true_term(), encoded.nests());
        let (system, facts) = (system.clone(), FxHashSet::default());
        Gathered { all, consequences, system, nests, facts }
    }

    /// The same, where steps may rely on more.
    pub(crate) fn relying_on<'b>(self, consequences: Consequences<'b>) -> Gathered<'b> {
        Gathered { consequences, ..self }
    }

    /// Adds what holds of some candidates, of which there is a list for each place.
    pub(crate) fn gather(
        &mut self,
        store: &mut TermStore,
        proposed: &[Vec<TermId>],
        budget: &Budget,
    ) {
        let of_nest = |nest: &Vec<usize>| {
            let proposed = nest.iter().filter_map(|&place| proposed.get(place)).flatten();
            proposed.copied().filter(|fact| !self.facts.contains(fact)).collect()
        };
        let groups = self.nests.iter().map(of_nest).collect();
        let found = inductive_subset(store, &self.system, groups, self.consequences, budget);
        self.facts.extend(&found);
        let found = store.and_all(&found);
        self.system = strengthened(store, &self.system, found, self.consequences);
        self.all = store.and(self.all, found);
    }

    /// Adds what holds of words.
    pub(crate) fn about_words(
        &mut self,
        store: &mut TermStore,
        proposals: &Proposals,
        budget: &Budget,
    ) {
        for source in &proposals.sources {
            self.gather(store, source, budget);
        }
        // What is said of all phases need not be said of each.
        let is_new = |fact: &&TermId| {
            let always = proposals.in_all_phases.get(fact);
            !always.is_some_and(|always| self.facts.contains(always))
        };
        let of_place = |facts: &Vec<TermId>| facts.iter().filter(is_new).copied().collect();
        let special: Vec<Vec<TermId>> = proposals.special.iter().map(of_place).collect();
        self.gather(store, &special, &expensive(budget.clone()));
    }

    /// Adds what holds of words and may be expensive to find out, until there is enough. Each source has a part of the budget.
    pub(crate) fn more_about_words(
        &mut self,
        store: &mut TermStore,
        proposals: &Proposals,
        budget: &Budget,
    ) {
        for source in &proposals.dear_sources {
            if source.iter().all(Vec::is_empty) {
                continue;
            }
            if self.suffices(store, budget) {
                return;
            }
            self.gather(store, source, &expensive(budget.part(EXPENSIVE_SHARE)));
        }
    }

    /// Checks whether that excludes violations: more is of no use then.
    pub(crate) fn suffices(&self, store: &TermStore, budget: &Budget) -> bool {
        Solver::default().check(store, &[self.system.bad], budget) == Answer::Unsat
    }
}

/// A budget for questions that may be too hard.
fn expensive(budget: Budget) -> Budget {
    Budget { conflicts: Some(DEAR_CONFLICTS), ..budget }
}
