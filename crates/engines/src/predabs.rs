//! Predicate abstraction with refinement by interpolants.
//!
//! **Idea.** States are told apart by predicates only. Starting with none, the abstract states that a program can
//! reach are unfolded location by location, each the strongest combination of the location's predicates that
//! holds after the step. If a violation is possible in an abstract state, the path to it is either an execution,
//! or it is refuted, and the atoms of the interpolants of the refutation become predicates of the locations
//! on the path; then the unfolding starts again. When no abstract state is new, all of them together are an
//! invariant.
//!
//! **Source.** Graf, Saïdi, "Construction of Abstract State Graphs with PVS", CAV 1997; Henzinger, Jhala, Majumdar,
//! McMillan, "Abstractions from Proofs", POPL 2004, doi 10.1145/964001.964021 (predicates per location, from
//! interpolants); Beyer, Keremoglu, Wendler, "Predicate Abstraction with Adjustable-Block Encoding", FMCAD 2010
//! (large blocks, Boolean abstraction).
//!
//! **Deviations.** A new abstract state is compared with the union of all others at its location.
//!
//! **Progress.** The interpolants of a refuted path are combinations of the predicates that it adds, so the same
//! path is not found again.

use crate::locations::{Explored, LocationIndex, Locations};
use crate::safety::{Conclusion, Search, atoms, inductive};
use std::collections::VecDeque;
use vergo_evidence::Reason;
use vergo_term::TermId;

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    let mut locations = Locations::of(search)?;
    let mut precision: Vec<Vec<TermId>> = vec![Vec::new(); locations.all.len()];
    for round in 0.. {
        search.at_bound(round)?;
        let path = match unfold(search, &mut locations, &precision)? {
            Unfolded::Closed(union) => return Ok(inductive(union)),
            Unfolded::Violation(path) => path,
        };
        let formulas = match locations.explore(search, &path)? {
            Explored::Violation(violation) => return Ok(violation),
            Explored::Refuted(formulas) => formulas,
        };
        let mut is_new = false;
        for (&location, formula) in path.iter().zip(formulas) {
            for atom in atoms(search.store, formula) {
                if !precision[location].contains(&atom) {
                    precision[location].push(atom);
                    is_new = true;
                }
            }
        }
        if !is_new {
            return Err(Reason::Fault("a refuted path has no new predicates".to_owned()));
        }
    }
    Err(Reason::bound())
}

/// The outcome of an unfolding.
enum Unfolded {
    /// An invariant without violations.
    Closed(TermId),
    /// The locations on the way to a violation of an abstract state.
    Violation(Vec<LocationIndex>),
}

/// An abstract state.
struct Node {
    parent: Option<usize>,
    location: LocationIndex,
    states: TermId,
}

/// Unfolds the abstract states that a precision tells apart.
fn unfold(
    search: &mut Search<'_>,
    locations: &mut Locations<'_>,
    precision: &[Vec<TermId>],
) -> Result<Unfolded, Reason> {
    let nothing = search.store.false_term();
    let mut reached: Vec<TermId> = vec![nothing; locations.all.len()];
    let mut nodes: Vec<Node> = Vec::new();
    let mut waiting = VecDeque::new();
    let initial: Vec<(usize, &Vec<TermId>)> =
        precision.iter().enumerate().take(locations.n_initial).collect();
    for (location, predicates) in initial {
        let states = locations.abstract_post(search, None, location, predicates)?;
        if let Some(states) = states {
            waiting.push_back(nodes.len());
            nodes.push(Node { parent: None, location, states });
        }
    }
    while let Some(index) = waiting.pop_front() {
        search.go_on()?;
        let (location, states) = (nodes[index].location, nodes[index].states);
        if locations.may_be_bad(search, location, states)? {
            let mut path = vec![location];
            let mut at = nodes[index].parent;
            while let Some(parent) = at {
                path.push(nodes[parent].location);
                at = nodes[parent].parent;
            }
            path.reverse();
            return Ok(Unfolded::Violation(path));
        }
        if search.implies(states, reached[location])? {
            continue;
        }
        reached[location] = search.store.or(reached[location], states);
        for successor in locations.all[location].successors.clone() {
            let from = Some((location, states));
            let after =
                locations.abstract_post(search, from, successor, &precision[successor])?;
            if let Some(states) = after {
                waiting.push_back(nodes.len());
                nodes.push(Node { parent: Some(index), location: successor, states });
            }
        }
    }
    search.stats.convergence = nodes.len() as u32;
    let mut union = search.store.false_term();
    for (location, states) in locations.all.iter().zip(reached) {
        let part = search.store.and(location.here, states);
        union = search.store.or(union, part);
    }
    Ok(Unfolded::Closed(union))
}
