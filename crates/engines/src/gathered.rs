//! Facts about a system, gathered from several sources one after the other.
//!
//! **Idea.** What is proposed ([`sources`](crate::sources): bounds of intervals, equations that executions show, templates) is tried from
//! the cheap to the expensive, each on the system with what is known by then, so that later facts rest on earlier ones. Loops
//! that follow each other are looked at in their order: a fact of one needs no fact of the next.
//!
//! **Soundness.** What [`Gathered::all`] says is inductive, given the consequences that its user vouches for; it is part
//! of the invariant of every proof that relies on it and checked with it.

use crate::auxiliary::{Consequences, inductive_subset, strengthened};
use crate::essential::essential;
use crate::sources::{Candidates, Cost, Proposals};
use rustc_hash::FxHashSet;
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{TermId, TermStore};
use vergo_ts::{Encoded, TransitionSystem};

/// The part of a budget for each group of candidates that may be expensive.
const EXPENSIVE_SHARE: u32 = 2;
/// The conflicts of one question about a candidate that may be too hard.
const LIMITED_CONFLICTS: u64 = 2000;
/// The same where nothing easier suffices: that a sum stays the same while one word gains what another loses takes a
/// solver of bits some ten thousand.
const MORE_CONFLICTS: u64 = 50_000;

/// The facts about a system.
pub(crate) struct Gathered<'a> {
    /// All of it.
    pub(crate) all: TermId,
    /// Further formulas that steps may rely on.
    consequences: Consequences<'a>,
    /// The system without it, and with it.
    plain: TransitionSystem,
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
        let (plain, facts) = (system.clone(), FxHashSet::default());
        Gathered { all, consequences, system: plain.clone(), plain, nests, facts }
    }

    /// The same, where steps may rely on more.
    pub(crate) fn relying_on<'b>(self, consequences: Consequences<'b>) -> Gathered<'b> {
        Gathered { consequences, ..self }
    }

    /// Adds what holds of some candidates, of which there is a list for each place.
    pub(crate) fn gather(&mut self, store: &mut TermStore, proposed: &Candidates, budget: &Budget) {
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

    /// Adds what holds of words, but for what may be expensive to find out.
    pub(crate) fn about_words(
        &mut self,
        store: &mut TermStore,
        proposals: &Proposals,
        budget: &Budget,
    ) {
        for (cost, candidates) in proposals.groups() {
            match cost {
                Cost::Cheap => self.gather(store, candidates, budget),
                Cost::Limited => {
                    let candidates = self.unsaid(candidates, proposals);
                    self.gather(store, &candidates, &limited(budget.clone(), LIMITED_CONFLICTS));
                }
                Cost::Expensive => {}
            }
        }
    }

    /// The candidates about one phase of a loop that are not known of all phases.
    fn unsaid(&self, candidates: &Candidates, proposals: &Proposals) -> Candidates {
        let is_new = |fact: &&TermId| {
            let always = proposals.in_all_phases.get(fact);
            !always.is_some_and(|always| self.facts.contains(always))
        };
        let of_place = |facts: &Vec<TermId>| facts.iter().filter(is_new).copied().collect();
        candidates.iter().map(of_place).collect()
    }

    /// Adds what holds of words and may be expensive to find out, until there is enough: first what is found out with little
    /// effort, then the rest. Each group has a part of the budget.
    pub(crate) fn more_about_words(
        &mut self,
        store: &mut TermStore,
        proposals: &Proposals,
        budget: &Budget,
    ) {
        for conflicts in [LIMITED_CONFLICTS, MORE_CONFLICTS] {
            let expensive = proposals.groups().filter(|&(cost, _)| cost == Cost::Expensive);
            for (_, candidates) in expensive {
                if candidates.iter().all(Vec::is_empty) {
                    continue;
                }
                if self.suffices(store, budget) {
                    return;
                }
                let part = limited(budget.part(EXPENSIVE_SHARE), conflicts);
                self.gather(store, candidates, &part);
            }
        }
    }

    /// The part of it that excludes violations, which it is known to do; all of it if that part is not found.
    pub(crate) fn essential(&self, store: &mut TermStore, budget: &Budget) -> TermId {
        let mut facts: Vec<TermId> = self.facts.iter().copied().collect();
        facts.sort_unstable();
        let budget = limited(budget.clone(), MORE_CONFLICTS);
        match essential(store, &self.plain, &facts, self.consequences, &budget) {
            Some(needed) => store.and_all(&needed),
            None => self.all,
        }
    }

    /// Checks whether that excludes violations: more is of no use then.
    pub(crate) fn suffices(&self, store: &TermStore, budget: &Budget) -> bool {
        Solver::default().check(store, &[self.system.bad], budget) == Answer::Unsat
    }
}

/// A budget for questions that may be too hard.
fn limited(budget: Budget, conflicts: u64) -> Budget {
    Budget { conflicts: Some(conflicts), ..budget }
}
