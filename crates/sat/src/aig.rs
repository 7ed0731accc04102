//! And-inverter graphs with structural hashing and local two-level simplification.
//!
//! A graph is a growing list of nodes: node 0 is the constant, an input is a free bit, and every
//! other node is the conjunction of two literals that point to smaller nodes, so the list is always
//! in topological order and every algorithm over it is a loop.  A [`Lit`] is a node number with a
//! complement bit.
//!
//! The constructor [`Aig::and`] applies the rules of Brummayer and Biere ("Local Two-Level
//! And-Inverter Graph Minimization without Blowup", MEMICS 2006) up to their third optimisation
//! level: contradiction, subsumption, idempotence, substitution and resolution looking one level
//! into both operands.  None of them creates more than the one node that was asked for, hence the
//! graph never grows because of a rule.  Their fourth level is left out: it may pick an
//! operand order that destroys sharing.
//!
//! Memory: 8 bytes per node plus a 4-byte slot in a hash table that is between a quarter and half
//! full, thus 16 to 24 bytes per gate.

use crate::budget::{Budget, StopReason};
use std::fmt;
use std::ops::Not;

/// A node of an [`Aig`] or its complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The constant false.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// The literal of `node`, complemented when asked.
    pub fn new(node: u32, complement: bool) -> Lit {
        Lit(node << 1 | u32::from(complement))
    }

    /// The constant of the given truth value.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The node that this literal points to.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Returns whether the literal is the complement of its node.
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same node without complement.
    pub fn regular(self) -> Lit {
        Lit(self.0 & !1)
    }

    /// The literal, complemented when `complement` holds.
    pub fn complement_if(self, complement: bool) -> Lit {
        Lit(self.0 ^ u32::from(complement))
    }

    /// The truth value if the literal is one of the two constants.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// The literal as a number: twice the node plus the complement bit.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(value) => write!(f, "{value}"),
            None if self.is_complement() => write!(f, "!n{}", self.node()),
            None => write!(f, "n{}", self.node()),
        }
    }
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The constant false (node 0 only).
    False,
    /// A free bit, with its position among the inputs.
    Input(u32),
    /// The conjunction of two literals.
    And(Lit, Lit),
}

/// Marks an input in the first half of a node's record.
const INPUT: Lit = Lit(u32::MAX);

/// An and-inverter graph.
#[derive(Clone)]
pub struct Aig {
    /// For a gate its two operands, the smaller first; for an input `INPUT` and its position.
    nodes: Vec<[Lit; 2]>,
    inputs: Vec<u32>,
    /// Open-addressing table of gate numbers (0 is a free slot); its length is a power of two.
    table: Vec<u32>,
    /// The budget that is watched while gates are made.
    watched: Option<Budget>,
    /// The reason why no more gates are made.
    stopped: Option<StopReason>,
}

/// New gates between two looks at the budget, a power of two.
const GATES_PER_LOOK: u32 = 1 << 15;

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    /// A graph that holds only the constants.
    pub fn new() -> Aig {
        Aig {
            nodes: vec![[Lit::FALSE; 2]],
            inputs: Vec::new(),
            table: vec![0; 1 << 10],
            watched: None,
            stopped: None,
        }
    }

    /// Watches a budget until [`Aig::unwatch`]: once it has ended no more gates are made, so that a
    /// large circuit comes to its end quickly but as nonsense.
    pub fn watch(&mut self, budget: &Budget) {
        self.watched = Some(budget.clone());
        self.stopped = None;
    }

    /// Returns whether the watched budget has ended, so that the rest of a circuit is not needed.
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Stops watching. If a budget ended meanwhile, why: literals of gates that were asked for since
    /// are meaningless and must be thrown away; the graph itself is as good as before.
    pub fn unwatch(&mut self) -> Option<StopReason> {
        self.watched = None;
        self.stopped.take()
    }

    /// The number of nodes, the constant and the inputs included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of conjunctions.
    pub fn n_gates(&self) -> usize {
        self.nodes.len() - 1 - self.inputs.len()
    }

    /// The number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The bytes that the graph occupies.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * 8 + self.table.len() * 4 + self.inputs.capacity() * 4
    }

    /// Adds a free bit.
    pub fn input(&mut self) -> Lit {
        let node = self.push([INPUT, Lit(self.inputs.len() as u32)]);
        self.inputs.push(node);
        Lit::new(node, false)
    }

    /// Returns the node with this number.
    pub fn node(&self, node: u32) -> Node {
        let [a, b] = self.nodes[node as usize];
        if node == 0 {
            Node::False
        } else if a == INPUT {
            Node::Input(b.0)
        } else {
            Node::And(a, b)
        }
    }

    /// The operands of `node` if it is a conjunction.
    pub fn operands(&self, node: u32) -> Option<(Lit, Lit)> {
        let [a, b] = self.nodes[node as usize];
        (node != 0 && a != INPUT).then_some((a, b))
    }

    /// The literal of the input at `position`.
    pub fn input_at(&self, position: u32) -> Lit {
        Lit::new(self.inputs[position as usize], false)
    }

    /// The conjunction of two literals, simplified.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if self.stopped.is_some() {
            return Lit::FALSE;
        }
        let (mut a, mut b) = (a, b);
        // Every round either returns or replaces an operand by one of smaller structure.
        loop {
            if a == b {
                return a;
            }
            if a == !b || a == Lit::FALSE || b == Lit::FALSE {
                return Lit::FALSE;
            }
            if a == Lit::TRUE {
                return b;
            }
            if b == Lit::TRUE {
                return a;
            }
            match self.simplify_pair(a, b) {
                Step::Done(result) => return result,
                Step::Again(x, y) => (a, b) = (x, y),
                Step::Keep => break,
            }
        }
        let key = if a < b { [a, b] } else { [b, a] };
        self.hash_cons(key)
    }

    /// One application of the two-level rules to a pair of distinct non-constant literals.
    fn simplify_pair(&self, a: Lit, b: Lit) -> Step {
        let left = self.operands(a.node());
        let right = self.operands(b.node());
        if let Some((x, y)) = left
            && let Some(step) = asymmetric(a, x, y, b)
        {
            return step;
        }
        if let Some((x, y)) = right
            && let Some(step) = asymmetric(b, x, y, a)
        {
            return step;
        }
        let (Some((a0, a1)), Some((b0, b1))) = (left, right) else {
            return Step::Keep;
        };
        match (a.is_complement(), b.is_complement()) {
            (false, false) => {
                if a0 == !b0 || a0 == !b1 || a1 == !b0 || a1 == !b1 {
                    return Step::Done(Lit::FALSE);
                }
                // Idempotence: the operand that both share is needed once.
                if a0 == b0 || a1 == b0 {
                    return Step::Again(a, b1);
                }
                if a0 == b1 || a1 == b1 {
                    return Step::Again(a, b0);
                }
                Step::Keep
            }
            (false, true) => positive_with_negative(a, a0, a1, b0, b1),
            (true, false) => positive_with_negative(b, b0, b1, a0, a1),
            (true, true) => {
                // Resolution: !(x & y) & !(x & !y) is !x.
                if (a0 == b0 && a1 == !b1) || (a0 == b1 && a1 == !b0) {
                    return Step::Done(!a0);
                }
                if (a1 == b1 && a0 == !b0) || (a1 == b0 && a0 == !b1) {
                    return Step::Done(!a1);
                }
                Step::Keep
            }
        }
    }

    fn hash_cons(&mut self, key: [Lit; 2]) -> Lit {
        if self.n_gates() * 2 >= self.table.len() {
            self.grow_table();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(key) as usize & mask;
        loop {
            let node = self.table[slot];
            if node == 0 {
                break;
            }
            if self.nodes[node as usize] == key {
                return Lit::new(node, false);
            }
            slot = (slot + 1) & mask;
        }
        let node = self.push(key);
        self.table[slot] = node;
        if node.is_multiple_of(GATES_PER_LOOK) {
            self.stopped = self.watched.as_ref().and_then(Budget::exhausted);
        }
        Lit::new(node, false)
    }

    fn grow_table(&mut self) {
        let size = self.table.len() * 2;
        let mask = size - 1;
        let mut table = vec![0u32; size];
        for (node, key) in self.nodes.iter().enumerate().skip(1) {
            if key[0] == INPUT {
                continue;
            }
            let mut slot = hash(*key) as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = node as u32;
        }
        self.table = table;
    }

    fn push(&mut self, record: [Lit; 2]) -> u32 {
        let node = self.nodes.len();
        assert!(node < (1 << 31) - 1, "an and-inverter graph holds at most 2^31 nodes");
        self.nodes.push(record);
        node as u32
    }

    /// The nodes that the roots depend on, children before parents, the constant left out.
    pub fn cone(&self, roots: &[Lit]) -> Vec<u32> {
        // Nodes are in topological order already, so marking from above is one sweep downwards.
        let Some(top) = roots.iter().map(|l| l.node()).max() else {
            return Vec::new();
        };
        let mut marked = vec![false; top as usize + 1];
        for root in roots {
            marked[root.node() as usize] = true;
        }
        marked[0] = false;
        for node in (1..=top).rev() {
            if marked[node as usize]
                && let Some((a, b)) = self.operands(node)
            {
                marked[a.node() as usize] = true;
                marked[b.node() as usize] = true;
            }
        }
        (1..=top).filter(|&n| marked[n as usize]).collect()
    }

    /// The nodes of the cone of `roots`, found by search so that the cost is that of the cone and
    /// not of the whole graph; ascending, hence children first.
    pub fn small_cone(&self, roots: &[Lit]) -> Vec<u32> {
        let mut seen: rustc_hash::FxHashSet<u32> = rustc_hash::FxHashSet::default();
        let mut stack: Vec<u32> = roots.iter().map(|l| l.node()).filter(|&n| n != 0).collect();
        let mut nodes = Vec::new();
        while let Some(node) = stack.pop() {
            if node == 0 || !seen.insert(node) {
                continue;
            }
            nodes.push(node);
            if let Some((a, b)) = self.operands(node) {
                stack.push(a.node());
                stack.push(b.node());
            }
        }
        nodes.sort_unstable();
        nodes
    }

    /// The inputs (as positions, ascending) that the roots depend on.
    pub fn support(&self, roots: &[Lit]) -> Vec<u32> {
        let mut inputs: Vec<u32> = self
            .small_cone(roots)
            .into_iter()
            .filter_map(|n| match self.node(n) {
                Node::Input(position) => Some(position),
                _ => None,
            })
            .collect();
        inputs.sort_unstable();
        inputs
    }

    /// The truth values of the roots when the input at position `i` has the value `input(i)`.
    pub fn eval(&self, roots: &[Lit], mut input: impl FnMut(u32) -> bool) -> Vec<bool> {
        let words = self.simulate(roots, |i| if input(i) { u64::MAX } else { 0 });
        words.into_iter().map(|w| w & 1 == 1).collect()
    }

    /// Evaluates the roots under 64 assignments at once, one per bit of the input words.
    pub fn simulate(&self, roots: &[Lit], mut input: impl FnMut(u32) -> u64) -> Vec<u64> {
        let cone = self.cone(roots);
        let top = cone.last().map_or(0, |&n| n as usize);
        let mut value = vec![0u64; top + 1];
        let read = |value: &[u64], l: Lit| {
            let word = value[l.node() as usize];
            if l.is_complement() { !word } else { word }
        };
        for node in cone {
            value[node as usize] = match self.node(node) {
                Node::False => 0,
                Node::Input(position) => input(position),
                Node::And(a, b) => read(&value, a) & read(&value, b),
            };
        }
        roots.iter().map(|&r| read(&value, r)).collect()
    }

    /// The value of every node when the input at position `i` has the value `input(i)`.
    pub fn values(&self, mut input: impl FnMut(u32) -> bool) -> Vec<bool> {
        let mut value = vec![false; self.nodes.len()];
        for node in 1..self.nodes.len() {
            let [a, b] = self.nodes[node];
            value[node] = if a == INPUT {
                input(b.0)
            } else {
                (value[a.node() as usize] ^ a.is_complement())
                    && (value[b.node() as usize] ^ b.is_complement())
            };
        }
        value
    }

    /// Rebuilds the roots with inputs replaced: `replace` gives the literal (of this graph) that
    /// stands for the input at a position.
    pub fn substitute(&mut self, roots: &[Lit], mut replace: impl FnMut(u32) -> Lit) -> Vec<Lit> {
        let cone = self.small_cone(roots);
        let mut image: rustc_hash::FxHashMap<u32, Lit> = rustc_hash::FxHashMap::default();
        let read = |image: &rustc_hash::FxHashMap<u32, Lit>, l: Lit| {
            let lit = if l.node() == 0 { Lit::FALSE } else { image[&l.node()] };
            lit.complement_if(l.is_complement())
        };
        for node in cone {
            let lit = match self.node(node) {
                Node::False => Lit::FALSE,
                Node::Input(position) => replace(position),
                Node::And(a, b) => {
                    let (a, b) = (read(&image, a), read(&image, b));
                    self.and(a, b)
                }
            };
            image.insert(node, lit);
        }
        roots.iter().map(|&r| read(&image, r)).collect()
    }
}

enum Step {
    Done(Lit),
    Again(Lit, Lit),
    Keep,
}

/// Rules for the literal `a` of a gate `x & y` beside any literal `b`.
fn asymmetric(a: Lit, x: Lit, y: Lit, b: Lit) -> Option<Step> {
    if a.is_complement() {
        // Subsumption: b already excludes the gate.
        if x == !b || y == !b {
            return Some(Step::Done(b));
        }
        // Substitution: b is true, so the gate equals its other operand.
        if x == b {
            return Some(Step::Again(!y, b));
        }
        if y == b {
            return Some(Step::Again(!x, b));
        }
    } else {
        if x == !b || y == !b {
            return Some(Step::Done(Lit::FALSE));
        }
        if x == b || y == b {
            return Some(Step::Done(a));
        }
    }
    None
}

/// Rules for `a = a0 & a1` beside `!(b0 & b1)`.
fn positive_with_negative(a: Lit, a0: Lit, a1: Lit, b0: Lit, b1: Lit) -> Step {
    if a0 == !b0 || a0 == !b1 || a1 == !b0 || a1 == !b1 {
        return Step::Done(a);
    }
    if a0 == b0 || a1 == b0 {
        return Step::Again(a, !b1);
    }
    if a0 == b1 || a1 == b1 {
        return Step::Again(a, !b0);
    }
    Step::Keep
}

fn hash(key: [Lit; 2]) -> u64 {
    let word = u64::from(key[0].0) << 32 | u64::from(key[1].0);
    let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds every gate of two levels over three inputs and compares with the truth table.
    #[test]
    fn two_level_rules_keep_the_function() {
        let mut aig = Aig::new();
        let inputs = [aig.input(), aig.input(), aig.input()];
        let patterns = [0xaau64, 0xcc, 0xf0];
        let mut layer: Vec<(Lit, u64)> = vec![(Lit::TRUE, u64::MAX)];
        for (lit, word) in inputs.iter().zip(patterns) {
            layer.push((*lit, word));
        }
        for _ in 0..2 {
            let mut next = layer.clone();
            for &(a, wa) in &layer {
                for &(b, wb) in &layer {
                    for sign in 0..4 {
                        let (na, nb) = (sign & 1 == 1, sign & 2 == 2);
                        let lit = aig.and(a.complement_if(na), b.complement_if(nb));
                        let word = (if na { !wa } else { wa }) & (if nb { !wb } else { wb });
                        next.push((lit, word));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            layer = next;
            layer.truncate(400);
        }
        let roots: Vec<Lit> = layer.iter().map(|x| x.0).collect();
        let got = aig.simulate(&roots, |i| patterns[i as usize]);
        for ((_, want), got) in layer.iter().zip(got) {
            assert_eq!(want & 0xff, got & 0xff);
        }
    }

    #[test]
    fn equal_structure_is_one_node() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(), aig.input());
        assert_eq!(aig.and(a, b), aig.and(b, a));
        assert_eq!(aig.n_gates(), 1);
    }

    #[test]
    fn a_deep_graph_needs_no_stack() {
        let mut aig = Aig::new();
        let mut acc = aig.input();
        for _ in 0..1_000_000 {
            let x = aig.input();
            acc = !aig.and(!acc, x);
        }
        assert_eq!(aig.n_gates(), 1_000_000);
        assert_eq!(aig.eval(&[acc], |_| false), vec![true]);
        assert_eq!(aig.support(&[acc]).len(), 1_000_001);
    }
}
