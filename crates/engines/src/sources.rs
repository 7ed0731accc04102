//! Sources of facts: what may be known of the words of a state before any engine begins.
//!
//! **Idea.** Each source looks at a system, its places and some executions, and proposes candidates for each place. None of
//! them has to be right: [`Gathered`](crate::gathered::Gathered) keeps those that are inductive. A further source is a row of
//! [`SOURCES`], whose order is the order in which they are tried: later facts rest on earlier ones.

use crate::auxiliary::{
    Place, candidates, candidates_for_choices, candidates_for_phases, candidates_near_comparisons,
    conditions, constants,
};
use crate::executions::Executions;
use crate::{affine, algebraic, inequalities};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_smt::Budget;
use vergo_term::{TermId, TermStore};
use vergo_ts::{Encoded, TransitionSystem};

/// The part of a budget for executions, and for equations with products.
pub(crate) const SAMPLING_SHARE: u32 = 4;

/// Terms of systems that are so small that candidates of special kinds cost little, and the expensive ones not too much.
const SMALL: usize = 3000;
const VERY_SMALL: usize = 1200;

/// A list of candidates for each place.
pub(crate) type Candidates = Vec<Vec<TermId>>;

/// The cost of deciding which candidates of a source hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// Little.
    Cheap,
    /// Much for some of them, which are given up.
    Limited,
    /// More than they are worth: they are tried if the others do not suffice.
    Expensive,
}

/// A source of facts.
struct Source {
    cost: Cost,
    /// The terms of the largest system that it is asked about.
    largest: usize,
    /// Proposes candidates, in groups that are tried one after the other.
    propose: fn(&mut Sight<'_>) -> Vec<Candidates>,
}

/// All sources.
const SOURCES: [Source; 6] = [
    Source { cost: Cost::Cheap, largest: usize::MAX, propose: bounds },
    Source { cost: Cost::Cheap, largest: usize::MAX, propose: equations },
    Source { cost: Cost::Cheap, largest: usize::MAX, propose: relations },
    Source { cost: Cost::Limited, largest: SMALL, propose: phases },
    Source { cost: Cost::Expensive, largest: VERY_SMALL, propose: equations_under_conditions },
    Source { cost: Cost::Expensive, largest: VERY_SMALL, propose: sums_in_order },
];

/// The view of a source on the program and the system.
struct Sight<'a> {
    store: &'a mut TermStore,
    encoded: &'a Encoded,
    /// The system that the facts are of, which may be a reduction of the encoded one.
    system: &'a TransitionSystem,
    places: &'a [Place],
    executions: &'a Executions,
    budget: &'a Budget,
    /// The candidates of `equations`.
    equations: Candidates,
    /// See [`Proposals::in_all_phases`].
    in_all_phases: FxHashMap<TermId, TermId>,
}

/// Candidates about the words of a state.
pub(crate) struct Proposals {
    groups: Vec<(Cost, Candidates)>,
    /// For facts about one phase of a loop those that hold in all: what these say need not be said of each phase.
    pub(crate) in_all_phases: FxHashMap<TermId, TermId>,
}

impl Proposals {
    /// Collects the proposals of all sources about a program whose words take part in a system.
    pub(crate) fn new(
        store: &mut TermStore,
        encoded: &Encoded,
        system: &TransitionSystem,
        places: &[Place],
        executions: &Executions,
        budget: &Budget,
    ) -> Proposals {
        let n_terms = store.reachable(&[system.init, system.trans, system.bad]).len();
        let (equations, in_all_phases) = (Vec::new(), FxHashMap::default());
        let mut sight =
            Sight { store, encoded, system, places, executions, budget, equations, in_all_phases };
        let mut groups = Vec::new();
        for source in SOURCES.iter().filter(|source| n_terms <= source.largest) {
            let proposed = (source.propose)(&mut sight);
            groups.extend(proposed.into_iter().map(|candidates| (source.cost, candidates)));
        }
        Proposals { groups, in_all_phases: sight.in_all_phases }
    }

    /// The groups of candidates, in the order in which to try them.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (Cost, &Candidates)> {
        self.groups.iter().map(|(cost, candidates)| (*cost, candidates))
    }

    /// The same without those that are not among some facts.
    pub(crate) fn only(&self, facts: &FxHashSet<TermId>) -> Proposals {
        let kept =
            |list: &Vec<TermId>| list.iter().filter(|x| facts.contains(x)).copied().collect();
        let of_group =
            |(cost, lists): &(Cost, Candidates)| (*cost, lists.iter().map(kept).collect());
        Proposals {
            groups: self.groups.iter().map(of_group).collect(),
            in_all_phases: FxHashMap::default(),
        }
    }
}

/// Proposes the facts of interval analysis.
fn bounds(sight: &mut Sight<'_>) -> Vec<Candidates> {
    let mut bounds = Vec::new();
    let intervals = sight.encoded.interval_invariants(sight.store);
    for (place, interval) in sight.places.iter().zip(intervals) {
        let facts = sight.store.conjuncts(interval).into_iter();
        bounds.push(facts.map(|fact| sight.store.implies(place.here, fact)).collect());
    }
    vec![bounds]
}

/// Equations that executions keep, with products where the program multiplies.
fn equations(sight: &mut Sight<'_>) -> Vec<Candidates> {
    let (of, places, executions) = (&sight.encoded.system, sight.places, sight.executions);
    let mut equations = affine::candidates(sight.store, of, places, executions);
    if algebraic::multiplies(sight.store, sight.system) {
        let budget = sight.budget.part(SAMPLING_SHARE);
        let products = algebraic::candidates(sight.store, of, places, executions, &budget);
        for (equations, products) in equations.iter_mut().zip(products) {
            equations.extend(products);
        }
    }
    sight.equations.clone_from(&equations);
    vec![equations]
}

/// Relations by templates. An equation may hold with one of these only, so equations are tried again with them.
fn relations(sight: &mut Sight<'_>) -> Vec<Candidates> {
    let mut relations = candidates(sight.store, sight.system, sight.places);
    for (relations, equations) in relations.iter_mut().zip(&sight.equations) {
        relations.extend(equations);
    }
    vec![relations]
}

/// Proposes facts that loops keep which continue while something is less, and facts in phases of loops and after choices. What
/// is even in one phase of a loop may bound a word, so these are tried together.
fn phases(sight: &mut Sight<'_>) -> Vec<Candidates> {
    let mut all = candidates_near_comparisons(sight.store, sight.system, sight.places);
    let conditions = conditions(sight.store, sight.system, sight.places);
    let phases = candidates_for_phases(sight.store, sight.places, &conditions);
    let choices = candidates_for_choices(sight.store, sight.places, &conditions);
    for ((all, phases), choices) in all.iter_mut().zip(phases).zip(choices) {
        all.extend(choices);
        all.extend(phases.iter().map(|(phase, _)| phase));
        sight.in_all_phases.extend(phases);
    }
    vec![all]
}

/// Equations that executions keep where a condition of the program holds.
fn equations_under_conditions(sight: &mut Sight<'_>) -> Vec<Candidates> {
    let conditions = conditions(sight.store, sight.system, sight.places);
    vec![affine::candidates_under_conditions(
        sight.store,
        sight.system,
        sight.places,
        sight.executions,
        &conditions,
    )]
}

/// Inequalities between sums that executions keep.
fn sums_in_order(sight: &mut Sight<'_>) -> Vec<Candidates> {
    let constants = constants(sight.store, sight.system);
    let (system, places, executions) = (sight.system, sight.places, sight.executions);
    inequalities::candidates(sight.store, system, places, executions, &constants).into()
}
