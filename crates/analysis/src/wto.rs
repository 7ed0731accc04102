//! Weak topological orders: the order in which fixpoint iteration visits a graph with loops.
//!
//! **Idea.** A sequence of vertices and components; a component is a head followed by such a sequence, and every edge that
//! does not go forward goes to the head of a component that contains its source. Iterating each component until its head
//! is stable, inner ones first, and widening at heads only, reaches a fixpoint.
//!
//! **Source.** Bourdoncle, "Efficient chaotic iteration strategies with widenings", FMPA 1993,
//! doi 10.1007/BFb0039704, figure 4: Tarjan's algorithm, applied again inside each component without its head.

/// A part of a weak topological order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// A vertex outside of loops, relative to what it stands in.
    Vertex(usize),
    /// A loop: its head and what else is in it.
    Loop(usize, Vec<Element>),
}

impl Element {
    /// All vertices in it.
    pub fn vertices(&self) -> Vec<usize> {
        let mut vertices = Vec::new();
        let mut stack = vec![self];
        while let Some(element) = stack.pop() {
            match element {
                Element::Vertex(vertex) => vertices.push(*vertex),
                Element::Loop(head, inner) => {
                    vertices.push(*head);
                    stack.extend(inner.iter().rev());
                }
            }
        }
        vertices
    }
}

/// A weak topological order of the vertices that can be reached from vertex zero.
pub fn weak_topological_order(successors: &[Vec<usize>]) -> Vec<Element> {
    let mut order = Vec::new();
    if !successors.is_empty() {
        let mut visitor =
            Visitor { successors, number: vec![0; successors.len()], count: 0, stack: Vec::new() };
        visitor.visit(0, &mut order);
        order.reverse();
    }
    order
}

/// Number of a vertex that is done with.
const DONE: usize = usize::MAX;

struct Visitor<'a> {
    successors: &'a [Vec<usize>],
    /// Order of discovery; zero before.
    number: Vec<usize>,
    count: usize,
    stack: Vec<usize>,
}

impl Visitor<'_> {
    /// Visits what can be reached from a vertex; elements are appended last first. Gives the least number on the stack
    /// that can be reached.
    fn visit(&mut self, vertex: usize, order: &mut Vec<Element>) -> usize {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.visit_here(vertex, order))
    }

    fn visit_here(&mut self, vertex: usize, order: &mut Vec<Element>) -> usize {
        self.stack.push(vertex);
        self.count += 1;
        self.number[vertex] = self.count;
        let mut least = self.count;
        let mut is_head = false;
        for &next in &self.successors[vertex] {
            let reached = match self.number[next] {
                0 => self.visit(next, order),
                number => number,
            };
            if reached <= least {
                least = reached;
                is_head = true;
            }
        }
        if least == self.number[vertex] {
            self.number[vertex] = DONE;
            let mut member = self.stack.pop();
            if is_head {
                while let Some(other) = member.filter(|&other| other != vertex) {
                    self.number[other] = 0;
                    member = self.stack.pop();
                }
                let inner = self.component(vertex);
                order.push(Element::Loop(vertex, inner));
            } else {
                order.push(Element::Vertex(vertex));
            }
        }
        least
    }

    /// The order of a component without its head.
    fn component(&mut self, head: usize) -> Vec<Element> {
        let mut order = Vec::new();
        for &next in &self.successors[head] {
            if self.number[next] == 0 {
                self.visit(next, &mut order);
            }
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use super::Element::{Loop, Vertex};
    use super::*;
    use std::collections::BTreeSet;
    use vergo_testkit::Rng;

    #[test]
    fn bourdoncles_example() {
        // Figure 2 of the paper, vertices numbered from zero: 1 2 (3 4 (5 6) 7) 8.
        let edges = [
            (0, 1),
            (1, 2),
            (1, 7),
            (2, 3),
            (3, 4),
            (4, 5),
            (5, 4),
            (3, 6),
            (5, 6),
            (6, 2),
            (6, 7),
        ];
        let mut successors = vec![Vec::new(); 8];
        edges.iter().for_each(|&(from, to)| successors[from].push(to));
        let wanted = [
            Vertex(0),
            Vertex(1),
            Loop(2, vec![Vertex(3), Loop(4, vec![Vertex(5)]), Vertex(6)]),
            Vertex(7),
        ];
        assert_eq!(weak_topological_order(&successors), wanted);
    }

    #[test]
    fn edges_go_forward_or_to_a_head_around() {
        let mut rng = Rng::new(12345);
        for _ in 0..500 {
            let n = 12;
            let mut successors = vec![Vec::new(); n];
            for _ in 0..18 {
                let (from, to) = (rng.below(n), rng.below(n));
                successors[from].push(to);
            }
            let order = weak_topological_order(&successors);
            let mut positions = vec![None; n];
            let mut heads: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
            let mut stack: Vec<(&Element, BTreeSet<usize>)> =
                order.iter().rev().map(|element| (element, BTreeSet::new())).collect();
            let mut count = 0;
            while let Some((element, around)) = stack.pop() {
                let (vertex, mut around) = (
                    match element {
                        Vertex(vertex) | Loop(vertex, _) => *vertex,
                    },
                    around,
                );
                count += 1;
                assert_eq!(positions[vertex].replace(count), None, "each vertex once");
                if let Loop(head, inner) = element {
                    around.insert(*head);
                    stack.extend(inner.iter().rev().map(|element| (element, around.clone())));
                }
                heads[vertex] = around;
            }
            for from in 0..n {
                for &to in successors[from].iter().filter(|_| positions[from].is_some()) {
                    let forward = positions[from] < positions[to];
                    assert!(forward || heads[from].contains(&to), "{from} to {to} in {order:?}");
                }
            }
        }
    }
}
