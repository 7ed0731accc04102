//! Conditions that all failures have in common: whoever looks for one of the failures may assume them.
//!
//! **Idea.** An assumption of a program is a conjunct of everything that can fail behind it. As long as it is only that, a
//! solver finds it out again in every part of its search. Asserted, it fixes variables and bits for good: `length <= 2`
//! makes a small product of one of two wide words. So failures that have conjuncts in common are asked about together, and
//! what they have in common is asserted.
//!
//! **How.** Conditions of paths grow: what is assumed early is implied by nearly all failures, what is tested late by few. Where
//! paths have met, a condition is a disjunction, which implies what its parts have in common. The most frequent facts are
//! taken one after another as long as more than half of the failures imply them all; those failures are a group. The
//! others are divided in the same way, so that there are few groups.
//!
//! **Soundness.** Each failure implies the facts of its group. If no failure of any group is possible together with the facts of
//! its group, none is possible.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_term::{Op, TermId, TermStore};

/// Failures are divided at most so often; the rest is a group without facts.
const MAX_GROUPS: usize = 4;

/// Facts that are known of one term.
const MAX_FACTS: usize = 200;

/// Terms that are looked into.
const MAX_TERMS: usize = 20_000;

/// Failures that have facts in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// The conditions that each of the failures implies.
    pub(crate) facts: Vec<TermId>,
    pub(crate) failures: Vec<TermId>,
}

/// A term, and whether it holds or does not.
type Literal = (TermId, bool);
type Facts = BTreeSet<Literal>;

/// Divides failures into groups. What cannot happen is in none.
pub(crate) fn groups(store: &mut TermStore, failures: &[TermId]) -> Vec<Group> {
    let never = store.false_term();
    let mut implied = Implied { store, known: FxHashMap::default() };
    let possible = failures.iter().filter(|&&failure| failure != never);
    let mut all: Vec<(TermId, Rc<Facts>)> =
        possible.map(|&failure| (failure, implied.of((failure, true)))).collect();
    let mut groups = Vec::new();
    while !all.is_empty() {
        let facts = if groups.len() < MAX_GROUPS { common(&all) } else { Facts::new() };
        let (with, without): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(_, implied)| facts.is_subset(implied));
        let as_term = |(term, holds)| if holds { term } else { store.not(term) };
        let facts = facts.into_iter().map(as_term).collect();
        groups.push(Group {
            facts,
            failures: with.into_iter().map(|(failure, _)| failure).collect(),
        });
        all = without;
    }
    groups
}

/// Facts that more than half of the failures imply, all of them together.
fn common(failures: &[(TermId, Rc<Facts>)]) -> Facts {
    let mut count: BTreeMap<Literal, usize> = BTreeMap::new();
    for &fact in failures.iter().flat_map(|(_, implied)| implied.iter()) {
        *count.entry(fact).or_default() += 1;
    }
    let enough = failures.len() / 2 + 1;
    let mut frequent: Vec<(Literal, usize)> =
        count.into_iter().filter(|&(_, n)| n >= enough).collect();
    frequent.sort_by_key(|&(_, n)| Reverse(n));
    let mut facts = Facts::new();
    let mut members: Vec<&Facts> = failures.iter().map(|(_, implied)| &**implied).collect();
    for (fact, _) in frequent {
        let n_left = members.iter().filter(|implied| implied.contains(&fact)).count();
        if n_left >= enough {
            facts.insert(fact);
            members.retain(|implied| implied.contains(&fact));
        }
    }
    facts
}

/// The consequences of terms.
struct Implied<'a> {
    store: &'a TermStore,
    known: FxHashMap<Literal, Rc<Facts>>,
}

impl Implied<'_> {
    /// The facts that a literal implies: those of both parts of a conjunction, those that both parts of a disjunction have in
    /// common. Not all where there are many.
    fn of(&mut self, literal: Literal) -> Rc<Facts> {
        if let Some(known) = self.known.get(&literal) {
            return Rc::clone(known);
        }
        let itself = || Rc::new(Facts::from([literal]));
        if self.known.len() >= MAX_TERMS {
            return itself();
        }
        let (term, holds) = literal;
        let found = match (self.store.op(term), self.store.args(term)) {
            (Op::Not, &[inner]) => return self.grown((inner, !holds)),
            (Op::And, &[a, b]) if holds => {
                let (a, b) = (self.grown((a, true)), self.grown((b, true)));
                let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
                let mut all = Facts::clone(&many);
                let room = MAX_FACTS.saturating_sub(all.len());
                all.extend(few.difference(&many).take(room));
                Rc::new(all)
            }
            (Op::And, &[a, b]) | (Op::Ite, &[_, a, b]) => {
                let (a, b) = (self.grown((a, holds)), self.grown((b, holds)));
                let mut both: Facts = a.intersection(&b).copied().collect();
                both.insert(literal);
                Rc::new(both)
            }
            _ => itself(),
        };
        self.known.insert(literal, Rc::clone(&found));
        found
    }

    fn grown(&mut self, literal: Literal) -> Rc<Facts> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.of(literal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::Sort;

    #[test]
    fn what_most_failures_have_in_common_is_a_fact() {
        let mut s = TermStore::new();
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| s.var(name, Sort::Bool));
        let ab = s.and(a, b);
        let late: Vec<TermId> = [c, d, e].into_iter().map(|last| s.and(ab, last)).collect();
        let early = s.and(a, c);
        let mut failures = vec![early, e];
        failures.extend(&late);
        let found = groups(&mut s, &failures);
        let sorted = |mut terms: Vec<TermId>| {
            terms.sort_unstable();
            terms
        };
        assert_eq!(found[0], Group { facts: sorted(vec![a, b]), failures: late });
        // Every failure is in one group.
        let members: Vec<TermId> = found.iter().flat_map(|group| group.failures.clone()).collect();
        assert_eq!(sorted(members), sorted(failures));
    }

    #[test]
    fn disjunctions_imply_what_their_parts_have_in_common() {
        let mut s = TermStore::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| s.var(name, Sort::Bool));
        let not_b = s.not(b);
        let (first, second) = (s.and(a, not_b), s.and(a, c));
        let (first, second) = (s.and(first, d), s.and(second, not_b));
        let either = s.or(first, second);
        let never = s.false_term();
        let found = groups(&mut s, &[never, either]);
        assert_eq!(found.len(), 1);
        assert!(found[0].facts.contains(&a) && found[0].facts.contains(&not_b), "{found:?}");
        assert!(!found[0].facts.contains(&c) && !found[0].facts.contains(&d), "{found:?}");
        assert_eq!(found[0].failures, [either]);
    }

    #[test]
    fn failures_without_anything_in_common_stay_together() {
        let mut s = TermStore::new();
        let vars = ["a", "b", "c"].map(|name| s.var(name, Sort::Bool));
        assert_eq!(groups(&mut s, &vars), [Group { facts: Vec::new(), failures: vars.to_vec() }]);
        assert!(groups(&mut s, &[]).is_empty());
    }
}
