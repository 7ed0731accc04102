//! Lazy abstraction with interpolants (Impact).
//!
//! **Idea.** The program is unfolded into a tree of locations. A vertex has a label, a superset of the states in
//! which executions along its path can be there. When a violation is possible in a label, the path to it is
//! refuted and the labels on the path are strengthened by the interpolants of the refutation; nothing else is
//! computed, no image and no abstraction. A vertex whose label implies that of an older one at the same
//! location is covered, and is not unfolded. When all leaves are covered, the labels are an invariant.
//!
//! **Source.** McMillan, "Lazy Abstraction with Interpolants", CAV 2006, doi 10.1007/11817963_14.
//!
//! **Deviations.** Locations are loop heads and a step is a large block, so that paths are short. Vertices are
//! unfolded breadth first, for shortest violations. There is no forced covering.
//!
//! **Soundness.** A label is only ever strengthened by inductive sequences, so a step from a label leads into
//! the label of a child; labels of covered vertices imply those that cover them.

use crate::locations::{Explored, LocationIndex, Locations};
use crate::safety::{Conclusion, Search, inductive};
use vergo_evidence::Reason;

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    let mut tree = Tree { locations: Locations::of(search)?, vertices: Vec::new() };
    for location in 0..tree.locations.n_initial {
        tree.add(search, None, location);
    }
    let mut depth = 0;
    while let Some(leaf) = tree.uncovered_leaf() {
        if tree.vertices[leaf].depth >= depth {
            depth = tree.vertices[leaf].depth + 1;
            search.at_bound(depth - 1)?;
        }
        search.go_on()?;
        if let Some(violation) = tree.refine(search, leaf)? {
            return Ok(violation);
        }
        tree.cover_path(search, leaf)?;
        if !tree.is_covered(leaf) {
            tree.expand(search, leaf);
        }
    }
    search.stats.convergence = depth;
    Ok(inductive(tree.union(search)))
}

struct Vertex {
    parent: Option<usize>,
    depth: u32,
    location: LocationIndex,
    /// Over the current state.
    label: vergo_term::TermId,
    covered_by: Option<usize>,
    is_expanded: bool,
}

struct Tree<'a> {
    locations: Locations<'a>,
    vertices: Vec<Vertex>,
}

impl Tree<'_> {
    fn add(&mut self, search: &Search<'_>, parent: Option<usize>, location: LocationIndex) {
        let depth = parent.map_or(0, |parent| self.vertices[parent].depth + 1);
        let label = search.store.true_term();
        self.vertices.push(Vertex {
            parent,
            depth,
            location,
            label,
            covered_by: None,
            is_expanded: false,
        });
    }

    /// The path from a root to a vertex.
    fn path(&self, vertex: usize) -> Vec<usize> {
        let mut path = vec![vertex];
        while let Some(parent) = self.vertices[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// Checks whether a vertex or one above it is covered.
    fn is_covered(&self, vertex: usize) -> bool {
        self.path(vertex).iter().any(|&v| self.vertices[v].covered_by.is_some())
    }

    /// The oldest leaf that has yet to be dealt with.
    fn uncovered_leaf(&self) -> Option<usize> {
        (0..self.vertices.len()).find(|&v| !self.vertices[v].is_expanded && !self.is_covered(v))
    }

    /// Strengthens labels until a vertex has no violation; or a violation.
    fn refine(
        &mut self,
        search: &mut Search<'_>,
        vertex: usize,
    ) -> Result<Option<Conclusion>, Reason> {
        let Vertex { location, label, .. } = self.vertices[vertex];
        if !self.locations.may_be_bad(search, location, label)? {
            return Ok(None);
        }
        let path = self.path(vertex);
        let locations: Vec<LocationIndex> =
            path.iter().map(|&v| self.vertices[v].location).collect();
        match self.locations.explore(search, &locations)? {
            Explored::Violation(violation) => Ok(Some(violation)),
            Explored::Refuted(formulas) => {
                for (&v, formula) in path.iter().zip(formulas) {
                    let label = self.vertices[v].label;
                    if search.implies(label, formula)? {
                        continue;
                    }
                    self.vertices[v].label = search.store.and(label, formula);
                    self.uncover(&|covering| covering == v);
                }
                Ok(None)
            }
        }
    }

    /// Undoes covers by some vertices.
    fn uncover(&mut self, by: &dyn Fn(usize) -> bool) {
        for vertex in &mut self.vertices {
            if vertex.covered_by.is_some_and(by) {
                vertex.covered_by = None;
            }
        }
    }

    /// Covers the first vertex on a path that can be.
    fn cover_path(&mut self, search: &mut Search<'_>, vertex: usize) -> Result<(), Reason> {
        for candidate in self.path(vertex) {
            if self.vertices[candidate].covered_by.is_some() {
                return Ok(());
            }
            for older in 0..candidate {
                if self.vertices[older].location != self.vertices[candidate].location
                    || !self.vertices[older].is_expanded
                    || self.is_covered(older)
                {
                    continue;
                }
                let here = self.locations.all[self.vertices[candidate].location].here;
                let states = search.store.and(here, self.vertices[candidate].label);
                if search.implies(states, self.vertices[older].label)? {
                    self.vertices[candidate].covered_by = Some(older);
                    // What is below a covered vertex covers nothing.
                    let below: Vec<bool> =
                        (0..self.vertices.len()).map(|v| self.path(v).contains(&candidate)).collect();
                    self.uncover(&|covering| below[covering]);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn expand(&mut self, search: &Search<'_>, vertex: usize) {
        self.vertices[vertex].is_expanded = true;
        for location in self.locations.all[self.vertices[vertex].location].successors.clone() {
            self.add(search, Some(vertex), location);
        }
    }

    /// The labels of vertices that are not covered.
    fn union(&self, search: &mut Search<'_>) -> vergo_term::TermId {
        let mut union = search.store.false_term();
        for vertex in 0..self.vertices.len() {
            if !self.is_covered(vertex) {
                let here = self.locations.all[self.vertices[vertex].location].here;
                let states = search.store.and(here, self.vertices[vertex].label);
                union = search.store.or(union, states);
            }
        }
        union
    }
}
