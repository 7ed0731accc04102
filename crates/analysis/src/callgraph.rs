//! The call graph, and the groups of functions that call each other.
//!
//! Groups of functions that call each other come in an order in which callees stand before callers (Tarjan, "Depth-first
//! search and linear graph algorithms", 1972, doi 10.1137/0201010). Both are linear in the size of the program.

use crate::points_to::PointsTo;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program};

/// The calls of a program, of all functions that can be called from its entry.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: SecondaryMap<FunctionId, Vec<FunctionId>>,
    groups: Vec<Vec<FunctionId>>,
    recursive: EntitySet<FunctionId>,
}

impl CallGraph {
    /// The calls of a program; through a pointer goes a call to every function whose address somebody takes.
    pub fn of(program: &Program) -> CallGraph {
        let taken = address_taken(program);
        CallGraph::with(program, |_| taken.clone())
    }

    /// The same, where points-to analysis says what a pointer can call.
    pub fn resolved(program: &Program, points_to: &PointsTo) -> CallGraph {
        CallGraph::with(program, |pointer| points_to.callees(pointer))
    }

    fn with(program: &Program, targets: impl Fn(ExprId) -> Vec<FunctionId>) -> CallGraph {
        let mut callees: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        let mut reached: EntitySet<FunctionId> = EntitySet::new();
        let mut pending: Vec<FunctionId> = program.entry.into_iter().collect();
        while let Some(function) = pending.pop() {
            if !reached.insert(function) {
                continue;
            }
            let mut called = Vec::new();
            for instr in program.functions[function].body.iter().flatten() {
                if let InstrKind::Call { callee, .. } | InstrKind::Spawn { callee, .. } = instr.kind
                {
                    match callee {
                        Callee::Direct(callee) => called.push(callee),
                        Callee::Indirect(pointer) => called.extend(targets(pointer)),
                    }
                }
            }
            called.sort_unstable();
            called.dedup();
            pending.extend(&called);
            callees[function] = called;
        }
        let roots: Vec<usize> = program.entry.iter().map(|entry| entry.index()).collect();
        let successors = |vertex: usize| callees[FunctionId::new(vertex)].iter().map(|f| f.index());
        let mut recursive = EntitySet::new();
        let mut groups = Vec::new();
        for group in components(program.functions.len(), &roots, successors) {
            let group: Vec<FunctionId> = group.into_iter().map(FunctionId::new).collect();
            if group.len() > 1 || callees[group[0]].contains(&group[0]) {
                recursive.extend(group.iter().copied());
            }
            groups.push(group);
        }
        CallGraph { callees, groups, recursive }
    }

    /// The functions that one can call directly, in order of their ids.
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        &self.callees[function]
    }

    /// The functions that can be called, in groups that call each other: callees come before callers.
    pub fn bottom_up(&self) -> &[Vec<FunctionId>] {
        &self.groups
    }

    /// Returns whether a function can call itself, directly or through others.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(function)
    }

    /// Returns whether any function can call itself.
    pub fn has_recursion(&self) -> bool {
        !self.recursive.is_empty()
    }
}

/// The functions whose address is taken by any expression, in order of their ids.
pub fn address_taken(program: &Program) -> Vec<FunctionId> {
    let mut taken: Vec<FunctionId> = program
        .exprs
        .iter()
        .filter_map(|(_, expr)| match expr.kind {
            ExprKind::Function(function) => Some(function),
            _ => None,
        })
        .collect();
    taken.sort_unstable();
    taken.dedup();
    taken
}

/// The strongly connected components of what can be reached from the roots, those before others that lead to them.
pub fn components<I: Iterator<Item = usize>>(
    n_vertices: usize,
    roots: &[usize],
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    const NEW: usize = 0;
    const DONE: usize = usize::MAX;
    let mut number = vec![NEW; n_vertices];
    let mut least = vec![0; n_vertices];
    let mut count = 0;
    let mut open = Vec::new();
    let mut components = Vec::new();
    // Frames of the search: a vertex and what is left of its successors.
    let mut frames: Vec<(usize, I)> = Vec::new();
    for &root in roots {
        if number[root] != NEW {
            continue;
        }
        let mut next = Some(root);
        loop {
            if let Some(vertex) = next.take() {
                count += 1;
                number[vertex] = count;
                least[vertex] = count;
                open.push(vertex);
                frames.push((vertex, successors(vertex)));
            }
            let Some((vertex, rest)) = frames.last_mut() else { break };
            let vertex = *vertex;
            match rest.next() {
                Some(to) if number[to] == NEW => next = Some(to),
                Some(to) if number[to] != DONE => least[vertex] = least[vertex].min(number[to]),
                Some(_) => {}
                None => {
                    frames.pop();
                    if let Some(&(above, _)) = frames.last() {
                        least[above] = least[above].min(least[vertex]);
                    }
                    if least[vertex] == number[vertex] {
                        let start = open.iter().rposition(|&other| other == vertex).unwrap_or(0);
                        let mut component = open.split_off(start);
                        component.iter().for_each(|&member| number[member] = DONE);
                        component.sort_unstable();
                        components.push(component);
                    }
                }
            }
        }
    }
    components
}

/// The strongly connected components of a whole graph, those before others that lead to them.
pub fn all_components<I: Iterator<Item = usize>>(
    n_vertices: usize,
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    components(n_vertices, &(0..n_vertices).collect::<Vec<_>>(), successors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_testkit::Rng;

    #[test]
    fn components_are_those_of_reachability() {
        let mut rng = Rng::new(7);
        for round in 0..300 {
            let n = 1 + round % 9;
            let mut edges = vec![Vec::new(); n];
            for _ in 0..round % 17 {
                let (from, to) = (rng.below(n), rng.below(n));
                edges[from].push(to);
            }
            let reach = |from: usize| {
                let mut seen = vec![false; n];
                let mut pending = vec![from];
                while let Some(at) = pending.pop() {
                    if !std::mem::replace(&mut seen[at], true) {
                        pending.extend(&edges[at]);
                    }
                }
                seen
            };
            let reached: Vec<Vec<bool>> = (0..n).map(reach).collect();
            let components = components(n, &[0], |v| edges[v].clone().into_iter());
            let mut place = vec![None; n];
            for (i, component) in components.iter().enumerate() {
                component.iter().for_each(|&vertex| assert_eq!(place[vertex].replace(i), None));
            }
            for a in 0..n {
                assert_eq!(place[a].is_some(), reached[0][a]);
                for b in (0..n).filter(|&b| reached[0][a] && reached[0][b]) {
                    assert_eq!(place[a] == place[b], reached[a][b] && reached[b][a]);
                    assert!(!reached[a][b] || place[b] <= place[a], "callees come first");
                }
            }
        }
    }

    #[test]
    fn recursion_goes_through_others_and_through_pointers() {
        let text = "machine 64 x87 16 wide 8; entry main;
            static p: [fn() -> void]* align 8 = { @0: @f; };
            function main: fn() -> void { call g(); return; }
            function f: fn() -> void { call g(); return; }
            function g: fn() -> void { call *(p)(); return; }
            function alone: fn() -> void { call alone(); return; }";
        let program = vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let named = |name: &str| program.function_named(name).expect("it is there");
        let points_to = PointsTo::of(&program);
        for graph in [CallGraph::of(&program), CallGraph::resolved(&program, &points_to)] {
            assert!(graph.is_recursive(named("f")) && graph.is_recursive(named("g")));
            assert!(!graph.is_recursive(named("main")));
            assert!(!graph.is_recursive(named("alone")), "nobody calls it");
            assert_eq!(graph.bottom_up().last(), Some(&vec![named("main")]));
            assert_eq!(graph.callees(named("g")), [named("f")]);
        }
    }
}
