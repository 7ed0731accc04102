//! The generalised Büchi automaton of a formula, by tableau.
//!
//! **Idea.** A state is a set of formulas that have to hold from the next position on. What they demand of a position is
//! found by expanding them: `a U b` holds if `b` does, or if `a` does and `a U b` holds from the next position on; `a R b`
//! holds if `b` does, and `a` does or `a R b` holds from the next position on. Each way to choose is a transition: the
//! literals that the position has to satisfy, and the formulas that remain. A run that postpones the `b` of an `a U b`
//! for ever is no model; so each `U` has a set of transitions, those that do not postpone it, and a run is accepting if
//! it takes transitions of every set infinitely often.
//!
//! **Source.** Gerth, Peled, Vardi, Wolper: Simple On-the-fly Automatic Verification of Linear Temporal Logic (1995),
//! with acceptance on transitions as in Couvreur: On-the-fly Verification of Linear Temporal Logic (1999).
//!
//! **Simplification.** A transition is left out if another one demands less, leads to fewer obligations and postpones
//! less: every run through the first has one through the second, step by step, since fewer obligations have an
//! expansion for each expansion of more. States without an accepting run are left out, and so is an accepting set that
//! no longer has a transition outside of it. States with the same transitions are one state.

use super::formula::AtomId;
use super::normal::{Normal, NormalId, Normals};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);
entity_impl!(StateId, "q");

/// More transitions than this are not made: nobody wants to read, or to verify, such a monitor.
const MAX_TRANSITIONS: usize = 4096;

/// More sets than this are not counted: those that were seen are the bits of an `int`.
const MAX_SETS: usize = 31;

/// More ways to expand a state than this are not looked at.
const MAX_EXPANSIONS: usize = 4096;

/// Literals that a position has to satisfy: atoms with their values, sorted.
pub type Cube = Vec<(AtomId, bool)>;

/// A transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The condition on the position.
    pub cube: Cube,
    /// The state that is entered.
    pub to: StateId,
    /// The accepting sets that the transition belongs to, as bits.
    pub accepting: u32,
}

/// A generalised Büchi automaton with acceptance on transitions.
#[derive(Clone, Debug)]
pub struct Buchi {
    /// The transitions that leave each state.
    pub states: PrimaryMap<StateId, Vec<Edge>>,
    /// The obligations from the next position on in each state: a conjunction of formulas.
    pub obligations: SecondaryMap<StateId, Vec<NormalId>>,
    /// The state at the beginning.
    pub start: StateId,
    /// The states in which accepting runs stay in the end.
    pub recurring: Vec<StateId>,
    /// The number of accepting sets; a run is accepting if it stays in recurring states in the end, and takes
    /// transitions of each set infinitely often.
    pub n_sets: u32,
}

/// One way to satisfy obligations.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Expansion {
    cube: BTreeSet<(AtomId, bool)>,
    next: BTreeSet<NormalId>,
    postponed: BTreeSet<NormalId>,
    done: BTreeSet<NormalId>,
}

impl Expansion {
    /// Returns whether this one demands no more, now and later.
    fn subsumes(&self, other: &Expansion) -> bool {
        self.cube.is_subset(&other.cube)
            && self.next.is_subset(&other.next)
            && self.postponed.is_subset(&other.postponed)
    }
}

/// All ways to satisfy obligations, without those that demand more than another one; `None` if there are too many.
fn expand(normals: &Normals, obligations: &[NormalId]) -> Option<Vec<Expansion>> {
    let mut found: Vec<Expansion> = Vec::new();
    let mut work = vec![(obligations.to_vec(), Expansion::default())];
    let mut steps = 0;
    while let Some((mut todo, mut here)) = work.pop() {
        steps += 1;
        if steps > MAX_EXPANSIONS {
            return None;
        }
        let mut possible = true;
        while let Some(id) = todo.pop() {
            if !here.done.insert(id) {
                continue;
            }
            match normals.node(id) {
                Normal::Constant(value) => possible &= value,
                Normal::Literal(atom, positive) => {
                    possible &= !here.cube.contains(&(*atom, !positive));
                    here.cube.insert((*atom, *positive));
                }
                Normal::And(parts) => todo.extend(parts),
                Normal::Or(parts) => {
                    for &part in &parts[1..] {
                        let mut todo = todo.clone();
                        todo.push(part);
                        work.push((todo, here.clone()));
                    }
                    todo.push(parts[0]);
                }
                Normal::Next(a) => {
                    here.next.insert(*a);
                }
                Normal::Until(a, b) => {
                    let (mut later, mut rest) = (here.clone(), todo.clone());
                    later.next.insert(id);
                    later.postponed.insert(id);
                    rest.push(*a);
                    work.push((rest, later));
                    todo.push(*b);
                }
                Normal::Release(a, b) => {
                    let (mut later, mut rest) = (here.clone(), todo.clone());
                    later.next.insert(id);
                    rest.push(*b);
                    work.push((rest, later));
                    todo.extend([*a, *b]);
                }
            }
            if !possible {
                break;
            }
        }
        if possible && !found.iter().any(|other| other.subsumes(&here)) {
            found.retain(|other| !here.subsumes(other));
            found.push(here);
        }
    }
    Some(found)
}

/// The automaton of a formula, which accepts the words that satisfy it; `None` if it is too large.
pub fn buchi(normals: &mut Normals, formula: NormalId) -> Option<Buchi> {
    let mut numbers: FxHashMap<Vec<NormalId>, StateId> = FxHashMap::default();
    let mut untils: Vec<NormalId> = Vec::new();
    let mut states: PrimaryMap<StateId, Vec<(Cube, StateId, Vec<NormalId>)>> = PrimaryMap::new();
    let mut obligations: SecondaryMap<StateId, Vec<NormalId>> = SecondaryMap::new();
    let first = obligation_set(normals, [formula]);
    let start = states.push(Vec::new());
    obligations[start].clone_from(&first);
    numbers.insert(first, start);
    let mut work = vec![start];
    let mut n_edges = 0;
    while let Some(state) = work.pop() {
        let mut edges = Vec::new();
        for expansion in expand(normals, &obligations[state])? {
            let next = obligation_set(normals, expansion.next);
            let to = *numbers.entry(next.clone()).or_insert_with(|| {
                let to = states.push(Vec::new());
                obligations[to] = next;
                work.push(to);
                to
            });
            for &until in &expansion.postponed {
                if !untils.contains(&until) {
                    untils.push(until);
                }
            }
            let postponed = expansion.postponed.into_iter().collect();
            edges.push((expansion.cube.into_iter().collect(), to, postponed));
        }
        n_edges += edges.len();
        if n_edges > MAX_TRANSITIONS || untils.len() > MAX_SETS {
            return None;
        }
        states[state] = edges;
    }
    let n_sets = untils.len() as u32;
    let bits = |postponed: &[NormalId]| {
        let outside = untils.iter().enumerate().filter(|(_, until)| !postponed.contains(until));
        outside.fold(0, |bits, (number, _)| bits | 1u32 << number)
    };
    let mut automaton = Buchi {
        states: states
            .values()
            .map(|edges| {
                let edge = |(cube, to, postponed): &(Cube, StateId, Vec<NormalId>)| Edge {
                    cube: cube.clone(),
                    to: *to,
                    accepting: bits(postponed),
                };
                edges.iter().map(edge).collect()
            })
            .collect(),
        obligations,
        start,
        recurring: Vec::new(),
        n_sets,
    };
    automaton.simplify();
    Some(automaton)
}

/// Conjunctions taken apart: the same obligations are one state.
fn obligation_set(normals: &Normals, parts: impl IntoIterator<Item = NormalId>) -> Vec<NormalId> {
    let mut all = Vec::new();
    let mut work: Vec<NormalId> = parts.into_iter().collect();
    while let Some(id) = work.pop() {
        match normals.node(id) {
            Normal::And(parts) => work.extend(parts),
            Normal::Constant(true) => {}
            _ => all.push(id),
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

impl Buchi {
    /// All accepting sets.
    pub fn all_sets(&self) -> u32 {
        u32::MAX.checked_shr(u32::BITS - self.n_sets).unwrap_or(0)
    }

    /// Returns whether every word is accepted from a state: there is nothing left to satisfy.
    pub fn accepts_all(&self, state: StateId) -> bool {
        self.obligations[state].is_empty()
    }

    fn simplify(&mut self) {
        loop {
            let size: usize = self.states.values().map(Vec::len).sum();
            let n_states = self.states.len();
            self.remove_dead();
            self.merge_equal();
            let now: usize = self.states.values().map(Vec::len).sum();
            if now == size && self.states.len() == n_states {
                break;
            }
        }
        self.remove_trivial_sets();
    }

    /// Removes transitions to states without an accepting run, and states that cannot be reached.
    fn remove_dead(&mut self) {
        let alive = self.alive();
        for edges in self.states.values_mut() {
            edges.retain(|edge| alive[edge.to]);
        }
        self.keep_reachable();
    }

    /// The states that have an accepting run: those that lead to a component in which every accepting set has a
    /// transition.
    fn alive(&self) -> SecondaryMap<StateId, bool> {
        let (component, sets) = self.component_sets();
        let all = self.all_sets();
        let mut alive: SecondaryMap<StateId, bool> = SecondaryMap::new();
        for state in self.states.keys() {
            // A component without a transition inside of it has no entry.
            alive[state] = sets.get(&component[state]).is_some_and(|sets| sets & all == all);
        }
        loop {
            let mut changed = false;
            for (state, edges) in self.states.iter() {
                if !alive[state] && edges.iter().any(|edge| alive[edge.to]) {
                    alive[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return alive;
            }
        }
    }

    /// The component of each state, and the accepting sets of the transitions inside of each component that has some.
    fn component_sets(&self) -> (SecondaryMap<StateId, u32>, FxHashMap<u32, u32>) {
        let component = self.components();
        let mut sets: FxHashMap<u32, u32> = FxHashMap::default();
        for (state, edges) in self.states.iter() {
            for edge in edges.iter().filter(|edge| component[edge.to] == component[state]) {
                *sets.entry(component[state]).or_default() |= edge.accepting;
            }
        }
        (component, sets)
    }

    /// The number of the strongly connected component of each state, by Tarjan's algorithm without recursion.
    fn components(&self) -> SecondaryMap<StateId, u32> {
        let mut index: SecondaryMap<StateId, u32> = SecondaryMap::with_default(u32::MAX);
        let mut low: SecondaryMap<StateId, u32> = SecondaryMap::new();
        let mut component: SecondaryMap<StateId, u32> = SecondaryMap::with_default(u32::MAX);
        let (mut stack, mut n_seen, mut n_components) = (Vec::new(), 0, 0);
        for root in self.states.keys() {
            if index[root] != u32::MAX {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((state, at)) = path.pop() {
                if at == 0 {
                    index[state] = n_seen;
                    low[state] = n_seen;
                    n_seen += 1;
                    stack.push(state);
                }
                match self.states[state].get(at) {
                    Some(edge) => {
                        path.push((state, at + 1));
                        if index[edge.to] == u32::MAX {
                            path.push((edge.to, 0));
                        } else if component[edge.to] == u32::MAX {
                            low[state] = low[state].min(index[edge.to]);
                        }
                    }
                    None => {
                        if low[state] == index[state] {
                            while let Some(member) = stack.pop() {
                                component[member] = n_components;
                                if member == state {
                                    break;
                                }
                            }
                            n_components += 1;
                        }
                        if let Some((parent, _)) = path.last() {
                            low[*parent] = low[*parent].min(low[state]);
                        }
                    }
                }
            }
        }
        component
    }

    /// Makes one state of those that have the same transitions.
    fn merge_equal(&mut self) {
        let mut first: FxHashMap<(Vec<Edge>, bool), StateId> = FxHashMap::default();
        let mut same: SecondaryMap<StateId, StateId> = SecondaryMap::with_default(self.start);
        for (state, edges) in self.states.iter() {
            let mut key = edges.clone();
            key.sort_unstable();
            key.dedup();
            // The state without obligations is known by that.
            same[state] = *first.entry((key, self.accepts_all(state))).or_insert(state);
        }
        for edges in self.states.values_mut() {
            for edge in edges.iter_mut() {
                edge.to = same[edge.to];
            }
            // Of equal transitions one remains, with the order kept.
            let mut seen = Vec::new();
            edges.retain(|edge| {
                let is_new = !seen.contains(edge);
                if is_new {
                    seen.push(edge.clone());
                }
                is_new
            });
        }
        self.start = same[self.start];
        self.keep_reachable();
    }

    /// Numbers the states that can be reached anew, in the order in which they are found.
    fn keep_reachable(&mut self) {
        let mut number: FxHashMap<StateId, StateId> = FxHashMap::default();
        let mut order = vec![self.start];
        number.insert(self.start, StateId::from_u32(0));
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            for edge in &self.states[state] {
                let next = StateId::from_u32(order.len() as u32);
                number.entry(edge.to).or_insert_with(|| {
                    order.push(edge.to);
                    next
                });
            }
        }
        let mut states = PrimaryMap::new();
        let mut obligations = SecondaryMap::new();
        for &old in &order {
            let edges = self.states[old].iter();
            let new = states
                .push(edges.map(|edge| Edge { to: number[&edge.to], ..edge.clone() }).collect());
            obligations[new] = std::mem::take(&mut self.obligations[old]);
        }
        (self.states, self.obligations) = (states, obligations);
        self.start = StateId::from_u32(0);
    }

    /// Removes accepting sets that every transition belongs to that an accepting run can take infinitely often, and the
    /// other transitions from the sets.
    fn remove_trivial_sets(&mut self) {
        let (component, sets) = self.component_sets();
        let all = self.all_sets();
        let recurs =
            |of: u32, to: u32| of == to && sets.get(&of).is_some_and(|sets| sets & all == all);
        let mut kept = Vec::new();
        for set in 0..self.n_sets {
            let needed = self.states.iter().any(|(state, edges)| {
                let inside = |edge: &&Edge| recurs(component[state], component[edge.to]);
                edges.iter().filter(inside).any(|edge| edge.accepting & 1 << set == 0)
            });
            if needed {
                kept.push(set);
            }
        }
        for (state, edges) in self.states.iter_mut() {
            for edge in edges.iter_mut() {
                if !recurs(component[state], component[edge.to]) {
                    edge.accepting = 0;
                }
            }
        }
        let states = self.states.keys();
        self.recurring =
            states.filter(|&state| recurs(component[state], component[state])).collect();
        for edges in self.states.values_mut() {
            for edge in edges.iter_mut() {
                let bit = |(new, old): (usize, &u32)| (edge.accepting >> old & 1) << new;
                edge.accepting = kept.iter().enumerate().map(bit).sum();
            }
        }
        self.n_sets = kept.len() as u32;
    }
}
