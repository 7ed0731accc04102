//! Invariants from interval analysis, as terms over the state.
//!
//! They hold of every reachable state, so engines may add them to the current state of any step. A variable has its
//! program's value at a cut point only if every step that leads there sets it; others are left alone.

use crate::encode::Encoded;
use crate::origin::{Origin, What};
use crate::single_loop::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_analysis::cfg::Cfg;
use vergo_analysis::numeric::{Intervals, word};
use vergo_analysis::wto::weak_topological_order;
use vergo_num::BitVec;
use vergo_symex::Home;
use vergo_term::{Sort, TermId, TermStore};

impl Encoded {
    /// Returns the facts of interval analysis about the state variables at each cut point, in the order of the points.
    pub fn interval_invariants(&self, store: &mut TermStore) -> Vec<TermId> {
        let Some(entry) = self.program.entry else { return Vec::new() };
        let cfg = Cfg::of(&self.program.functions[entry]);
        let intervals = Intervals::of(&self.program, entry, &cfg);
        let mut variables = FxHashMap::default();
        for (var, origin) in self.system.state.iter().zip(&self.origins) {
            if let Origin::Object {
                home: Home::Variable(symbol),
                what: What::Scalar { offset: 0, ty: Some(ty) },
            } = origin
            {
                variables.insert(*symbol, (var.current, *ty));
            }
        }
        let mut invariants = Vec::new();
        for (number, point) in self.points.iter().enumerate() {
            let mut facts = Vec::new();
            if let Some(at) = point.position {
                let set = self.set_at(number);
                for (symbol, interval) in intervals.at(at) {
                    let Some(&(var, ty)) = variables.get(&symbol) else { continue };
                    let Some(domain) = word(&self.program, ty) else { continue };
                    if !set.contains(&var) {
                        continue;
                    }
                    let Sort::BitVec(width) = store.sort(var) else {
                        match (interval.low, interval.high) {
                            (1, 1) => facts.push(var),
                            (0, 0) => facts.push(store.not(var)),
                            _ => {}
                        }
                        continue;
                    };
                    let all = domain.all();
                    let mut bound = |value, is_low: bool| {
                        let value = store.bv_const(BitVec::from_i128(width, value));
                        let (a, b) = if is_low { (value, var) } else { (var, value) };
                        facts.push(match domain.signed {
                            true => store.bv_sle(a, b),
                            false => store.bv_ule(a, b),
                        });
                    };
                    if interval.low > all.low {
                        bound(interval.low, true);
                    }
                    if interval.high < all.high {
                        bound(interval.high, false);
                    }
                }
            }
            invariants.push(store.and_all(&facts));
        }
        invariants
    }

    /// The same as one formula over the state.
    pub fn interval_invariant(&self, store: &mut TermStore) -> TermId {
        let parts = self.interval_invariants(store);
        self.at_points(store, &parts)
    }

    /// The formula that says of each cut point, in order, what holds there.
    pub fn at_points(&self, store: &mut TermStore, parts: &[TermId]) -> TermId {
        let mut all = store.true_term();
        for (number, &part) in parts.iter().enumerate() {
            let here = self.is_at(store, number);
            let part = store.implies(here, part);
            all = store.and(all, part);
        }
        all
    }

    /// Builds the condition that the state is at a cut point.
    pub fn is_at(&self, store: &mut TermStore, point: usize) -> TermId {
        match self.counter {
            Some(counter) => {
                let number = store.bv_u64(store.width(counter), point as u64);
                store.eq(counter, number)
            }
            None => store.true_term(),
        }
    }

    /// The variables that every step to a cut point sets.
    pub fn set_at(&self, point: usize) -> FxHashSet<TermId> {
        let mut set: Option<FxHashSet<TermId>> = None;
        for block in self.history.beginning.iter().chain(&self.history.blocks) {
            for (_, to, values) in &block.exits {
                if *to == point {
                    let here: FxHashSet<TermId> = values.iter().map(|(var, _)| *var).collect();
                    set = Some(match set {
                        Some(set) => set.intersection(&here).copied().collect(),
                        None => here,
                    });
                }
            }
        }
        set.unwrap_or_default()
    }

    /// The cut points in groups, in the order in which executions come to them: from a group no way leads back to one
    /// before it.
    pub fn nests(&self) -> Vec<Vec<usize>> {
        let targets = |block: &Block| block.exits.iter().map(|&(_, to, _)| to + 1).collect();
        // Vertex zero is where everything begins; the others are the points.
        let first = self.history.beginning.as_ref().map_or_else(|| vec![1], targets);
        let mut successors: Vec<Vec<usize>> = vec![first];
        successors.extend(self.history.blocks.iter().map(targets));
        let order = weak_topological_order(&successors);
        let nests = order.iter().map(|element| {
            let vertices = element.vertices();
            vertices.into_iter().filter(|&vertex| vertex > 0).map(|vertex| vertex - 1).collect()
        });
        nests.filter(|nest: &Vec<usize>| !nest.is_empty()).collect()
    }
}
