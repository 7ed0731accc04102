//! Orders: whether steps can come one after the other so that each read sees the last write before it.
//!
//! **Idea.** Steps are nodes of a graph, and some come before others in any case. An access is part of a step and reads or writes a place; a
//! step happens at once. Given are *facts*: a read reads from a write, a write happens, a write comes before another. What they
//! force is derived: if `r` reads from `w`, and another write `x` of the place happens, then `x` before `r` forces `x` before
//! `w`, and `w` before `x` forces `r` before `x`. A cycle is a conflict, and the facts that it was derived from are a *lemma*:
//! they do not hold together. Where nothing is in conflict and two writes of a place have no order yet, one is tried; if that
//! leads to a conflict, whoever asks must decide ([`Outcome::Open`]). When all writes of each place that happen are in order and
//! there is no cycle, any order of the steps that respects what was derived is an execution.
//!
//! **Source.** Ordering consistency as a theory: F. He, Z. Sun, H. Fan, "Satisfiability modulo ordering consistency theory for
//! multi-threaded program verification", PLDI 2021, doi 10.1145/3453483.3454108.
//!
//! **Soundness.** A lemma follows from its facts by the two rules and the given order alone; nothing that was tried is in it.
//! Checkers derive it again from the graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps in a given order and their accesses.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// For each step, steps that come before it; their numbers are less than its own.
    pub before: Vec<Vec<u32>>,
    /// Reads and writes.
    pub accesses: Vec<Access>,
}

/// A read or write of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The step.
    pub node: u32,
    /// The place.
    pub place: u32,
    /// True if the step writes.
    pub is_write: bool,
}

/// Something that is so in an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// A read reads from a write.
    Reads {
        /// The access that reads.
        read: u32,
        /// The access that writes.
        write: u32,
    },
    /// A write happens.
    Happens(u32),
    /// A write comes before another.
    Before(u32, u32),
}

/// The answer whether facts are possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// An order of all steps.
    Order(Vec<u32>),
    /// Sets of facts that do not hold together.
    Conflicts(Vec<Vec<Fact>>),
    /// It depends on which of these writes comes first.
    Open(u32, u32),
}

/// Conflicts that are found at a time.
const MAX_CONFLICTS: usize = 64;

impl Graph {
    /// Decides whether the facts can hold in some order. What a step reads from itself, and writes of a step that others of
    /// the same step hide, are no matter of order: whoever asks sees to it that they are right.
    pub fn solve(&self, facts: &[Fact]) -> Outcome {
        let mut search = Search::new(self);
        for &fact in facts {
            match fact {
                Fact::Reads { read, write } => search.reads.push((read, write)),
                Fact::Happens(write) => {
                    let place = self.accesses[write as usize].place;
                    let n_places = search.writes.len().max(place as usize + 1);
                    search.writes.resize(n_places, Vec::new());
                    search.writes[place as usize].push(write);
                }
                Fact::Before(..) => {}
            }
        }
        for &fact in facts {
            if let Fact::Reads { read: b, write: a } | Fact::Before(a, b) = fact {
                let [a, b] = [a, b].map(|access| self.accesses[access as usize].node);
                if a != b {
                    search.add(a, b, vec![fact]);
                }
            }
        }
        if !search.saturate() {
            return search.conflicts();
        }
        search.complete()
    }
}

/// The order that is forced, and why.
struct Search<'g> {
    graph: &'g Graph,
    reads: Vec<(u32, u32)>,
    /// The writes of each place that happen.
    writes: Vec<Vec<u32>>,
    /// For each step those after it, as bits.
    after: Vec<Vec<u64>>,
    /// The edges that are known, with the facts behind them.
    edges: Vec<Vec<(u32, Vec<Fact>)>>,
    found: Vec<Vec<Fact>>,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph) -> Search<'g> {
        let n = graph.before.len();
        let mut search = Search {
            graph,
            reads: Vec::new(),
            writes: Vec::new(),
            after: vec![vec![0; n.div_ceil(64)]; n],
            edges: vec![Vec::new(); n],
            found: Vec::new(),
        };
        for (node, before) in graph.before.iter().enumerate().rev() {
            // Those after it are known: their numbers are greater.
            for &other in before {
                search.edges[other as usize].push((node as u32, Vec::new()));
                let [row, own] = search.rows(other as usize, node);
                row.iter_mut().zip(own.iter()).for_each(|(a, b)| *a |= b);
                set(row, node);
            }
        }
        search
    }

    /// The rows of two different steps.
    fn rows(&mut self, a: usize, b: usize) -> [&mut Vec<u64>; 2] {
        let (low, high) = self.after.split_at_mut(a.max(b));
        if a < b { [&mut low[a], &mut high[0]] } else { [&mut high[0], &mut low[b]] }
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.after[a as usize][b as usize / 64] >> (b % 64) & 1 == 1
    }

    /// Puts one step before another for some facts; false if it is a conflict, which is noted.
    fn add(&mut self, a: u32, b: u32, facts: Vec<Fact>) -> bool {
        if self.is_before(b, a) {
            let mut conflict = facts;
            conflict.extend(self.path(b, a));
            conflict.sort_unstable();
            conflict.dedup();
            if !self.found.contains(&conflict) {
                self.found.push(conflict);
            }
            return false;
        }
        if self.is_before(a, b) {
            return true;
        }
        self.edges[a as usize].push((b, facts));
        let mut those = self.after[b as usize].clone();
        set(&mut those, b as usize);
        for node in 0..self.after.len() {
            if node == a as usize || self.is_before(node as u32, a) {
                self.after[node].iter_mut().zip(&those).for_each(|(x, y)| *x |= y);
            }
        }
        true
    }

    /// The facts of a way from one step to another, as few as possible.
    fn path(&self, from: u32, to: u32) -> Vec<Fact> {
        let mut came: Vec<Option<(u32, usize)>> = vec![None; self.edges.len()];
        let mut costs = vec![usize::MAX; self.edges.len()];
        costs[from as usize] = 0;
        let mut queue = BinaryHeap::from([Reverse((0, from))]);
        while let Some(Reverse((cost, node))) = queue.pop() {
            if node == to {
                break;
            }
            if cost > costs[node as usize] {
                continue;
            }
            for (i, (next, facts)) in self.edges[node as usize].iter().enumerate() {
                let cost = cost + facts.len();
                let leads_there = *next == to || self.is_before(*next, to);
                if leads_there && cost < costs[*next as usize] {
                    costs[*next as usize] = cost;
                    came[*next as usize] = Some((node, i));
                    queue.push(Reverse((cost, *next)));
                }
            }
        }
        let mut facts = Vec::new();
        let mut at = to;
        while let Some((before, i)) = came[at as usize].filter(|_| at != from) {
            facts.extend(self.edges[before as usize][i].1.iter().copied());
            at = before;
        }
        facts
    }

    /// Derives what is forced; false if there are conflicts.
    fn saturate(&mut self) -> bool {
        let graph = self.graph;
        let node = |access: u32| graph.accesses[access as usize].node;
        loop {
            let mut changed = false;
            for i in 0..self.reads.len() {
                let (read, write) = self.reads[i];
                let (r, w) = (node(read), node(write));
                if r == w {
                    continue;
                }
                let place = graph.accesses[read as usize].place as usize;
                let n_writes = self.writes.get(place).map_or(0, Vec::len);
                for j in 0..n_writes {
                    let other = self.writes[place][j];
                    let x = node(other);
                    if other == write || x == r && w == r || x == w {
                        continue;
                    }
                    let because = [Fact::Reads { read, write }, Fact::Happens(other)];
                    if x != r && self.is_before(x, r) && !self.is_before(x, w) {
                        let mut facts = self.path(x, r);
                        facts.extend(because);
                        changed |= self.add(x, w, normal(facts));
                    }
                    if x != r && self.is_before(w, x) && !self.is_before(r, x) {
                        let mut facts = self.path(w, x);
                        facts.extend(because);
                        changed |= self.add(r, x, normal(facts));
                    }
                    if self.found.len() >= MAX_CONFLICTS {
                        return false;
                    }
                }
            }
            if !self.found.is_empty() {
                return false;
            }
            if !changed {
                return true;
            }
        }
    }

    fn conflicts(mut self) -> Outcome {
        // Short ones exclude more.
        self.found.sort_by_key(Vec::len);
        Outcome::Conflicts(self.found)
    }

    /// Puts all writes that happen in order.
    fn complete(mut self) -> Outcome {
        let places = std::mem::take(&mut self.writes);
        self.writes.clone_from(&places);
        for writes in &places {
            for (i, &a) in writes.iter().enumerate() {
                for &b in &writes[..i] {
                    let [x, y] = [a, b].map(|access| self.graph.accesses[access as usize].node);
                    if x == y || self.is_before(x, y) || self.is_before(y, x) {
                        continue;
                    }
                    self.add(y, x, vec![Fact::Before(b, a)]);
                    if !self.saturate() {
                        return Outcome::Open(b, a);
                    }
                }
            }
        }
        Outcome::Order(self.order())
    }

    /// An order of all steps in which what is known holds.
    fn order(&self) -> Vec<u32> {
        // Who has more after it comes first.
        let count = |row: &Vec<u64>| row.iter().map(|word| word.count_ones()).sum::<u32>();
        let mut order: Vec<u32> = (0..self.after.len() as u32).collect();
        order.sort_by_key(|&node| (Reverse(count(&self.after[node as usize])), node));
        order
    }
}

fn set(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

fn normal(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_unstable();
    facts.dedup();
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_testkit::environment::slow_or_skip;

    /// Numbers that look random, from a seed.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % u64::from(n)) as u32
        }
    }

    /// Some threads of some steps of one or two accesses each, and a source for each read.
    fn sample(random: &mut Random) -> (Graph, Vec<Fact>) {
        let mut graph = Graph::default();
        let n_threads = 2 + random.below(2);
        for _ in 0..n_threads {
            let mut last = None;
            for _ in 0..1 + random.below(3) {
                let node = graph.before.len() as u32;
                graph.before.push(last.into_iter().collect());
                last = Some(node);
                let place = random.below(2);
                let kind = random.below(3);
                // A step that reads and then writes is one that swaps.
                for is_write in [false, true] {
                    if kind == 2 || is_write == (kind == 1) {
                        graph.accesses.push(Access { node, place, is_write });
                    }
                }
            }
        }
        let mut facts = Vec::new();
        for (i, access) in graph.accesses.iter().enumerate() {
            if access.is_write {
                facts.push(Fact::Happens(i as u32));
                continue;
            }
            let may = |(_, other): &(usize, &Access)| {
                other.is_write && other.place == access.place && other.node != access.node
            };
            let sources: Vec<u32> =
                graph.accesses.iter().enumerate().filter(may).map(|(j, _)| j as u32).collect();
            if !sources.is_empty() {
                let write = sources[random.below(sources.len() as u32) as usize];
                facts.push(Fact::Reads { read: i as u32, write });
            }
        }
        (graph, facts)
    }

    /// Returns whether some interleaving makes all facts true, by trying them all.
    fn is_possible(graph: &Graph, facts: &[Fact]) -> bool {
        fn go(
            graph: &Graph,
            facts: &[Fact],
            done: &mut Vec<bool>,
            last: &mut Vec<Option<u32>>,
        ) -> bool {
            if done.iter().all(|&done| done) {
                return true;
            }
            for node in 0..graph.before.len() {
                if done[node] || graph.before[node].iter().any(|&other| !done[other as usize]) {
                    continue;
                }
                let before = last.clone();
                let mut fine = true;
                for (i, access) in graph.accesses.iter().enumerate() {
                    if access.node as usize != node {
                        continue;
                    }
                    let place = access.place as usize;
                    if access.is_write {
                        last[place] = Some(i as u32);
                    } else {
                        let wanted = facts.iter().find_map(|fact| match *fact {
                            Fact::Reads { read, write } if read == i as u32 => Some(write),
                            _ => None,
                        });
                        fine &= wanted.is_none() || wanted == last[place];
                    }
                }
                if fine {
                    done[node] = true;
                    if go(graph, facts, done, last) {
                        return true;
                    }
                    done[node] = false;
                }
                last.clone_from(&before);
            }
            false
        }
        go(graph, facts, &mut vec![false; graph.before.len()], &mut vec![None; 4])
    }

    /// The answer with every open question tried both ways.
    fn decide(graph: &Graph, facts: &[Fact]) -> Option<Vec<u32>> {
        match graph.solve(facts) {
            Outcome::Order(order) => Some(order),
            Outcome::Conflicts(conflicts) => {
                for conflict in conflicts {
                    assert!(conflict.iter().all(|fact| facts.contains(fact)));
                    assert!(!matches!(graph.solve(&conflict), Outcome::Order(_)), "{conflict:?}");
                }
                None
            }
            Outcome::Open(a, b) => [(a, b), (b, a)].into_iter().find_map(|(a, b)| {
                let mut more = facts.to_vec();
                more.push(Fact::Before(a, b));
                decide(graph, &more)
            }),
        }
    }

    /// Compares answers with the search over interleavings; gives how many were possible.
    fn compare(seed: u64, n: u32) -> u32 {
        let mut random = Random(seed);
        let mut possible = 0;
        for _ in 0..n {
            let (graph, facts) = sample(&mut random);
            let wanted = is_possible(&graph, &facts);
            let order = decide(&graph, &facts);
            assert_eq!(order.is_some(), wanted, "{graph:?} {facts:?}");
            if let Some(order) = order {
                check_order(&graph, &facts, &order);
                possible += 1;
            }
        }
        possible
    }

    /// Each read of a fact sees its write in the order.
    fn check_order(graph: &Graph, facts: &[Fact], order: &[u32]) {
        let mut last = [None; 4];
        for &node in order {
            for (i, access) in graph.accesses.iter().enumerate().filter(|(_, a)| a.node == node) {
                let place = access.place as usize;
                if access.is_write {
                    last[place] = Some(i as u32);
                }
                for fact in facts {
                    if let Fact::Reads { read, write } = *fact
                        && read == i as u32
                    {
                        assert_eq!(last[place], Some(write), "{graph:?} {facts:?} {order:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn answers_are_those_of_a_search_over_interleavings() {
        let possible = compare(1, 600);
        assert!((50..550).contains(&possible), "{possible}");
    }

    #[test]
    fn twenty_thousand_answers_are_those_of_a_search_over_interleavings() {
        if slow_or_skip("twenty thousand sets of events") {
            compare(2, 20_000);
        }
    }

    #[test]
    fn two_swaps_do_not_read_from_one_write() {
        let accesses = vec![
            Access { node: 0, place: 0, is_write: true },
            Access { node: 1, place: 0, is_write: false },
            Access { node: 1, place: 0, is_write: true },
            Access { node: 2, place: 0, is_write: false },
            Access { node: 2, place: 0, is_write: true },
        ];
        let graph = Graph { before: vec![vec![], vec![0], vec![0]], accesses };
        let reads = |read, write| Fact::Reads { read, write };
        let both = [Fact::Happens(0), Fact::Happens(2), Fact::Happens(4), reads(1, 0), reads(3, 0)];
        assert!(matches!(graph.solve(&both), Outcome::Conflicts(_)));
        let chain =
            [Fact::Happens(0), Fact::Happens(2), Fact::Happens(4), reads(1, 0), reads(3, 2)];
        assert_eq!(graph.solve(&chain), Outcome::Order(vec![0, 1, 2]));
    }
}
