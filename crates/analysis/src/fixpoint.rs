//! Abstract interpretation: what a domain has to offer, and the one engine that computes with it.
//!
//! **Source.** Section 4.2.3 and algorithm 7 of the thesis: a work list of statements with an initial state, a transfer and a
//! join. Changed: the engine goes by basic blocks and not by statements (which the thesis names as the weakness of its
//! own), in a weak topological order (Bourdoncle, 1993) instead of a work list, with widening at loop heads and rounds of
//! narrowing behind it, so that domains without a bound on their height are domains too.
//!
//! **Soundness.** If the transfer of a domain covers each instruction, and its join both operands, then the state at a block
//! covers every state in which an execution comes to it. A violated assertion does not end an execution here.

use crate::cfg::Cfg;
use crate::wto::{Element, weak_topological_order};
use std::collections::BTreeMap;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Instr, InstrKind};

/// Rounds at a loop head before widening.
const PATIENCE: u32 = 2;
/// Rounds of narrowing.
const NARROWINGS: u32 = 2;

/// An abstract domain.
pub trait Domain {
    /// An abstract state: it describes states of executions.
    type State: Clone + PartialEq;

    /// At the beginning of the function.
    fn initial(&mut self) -> Self::State;

    /// After an instruction that is no branch; `None` if no execution goes on.
    fn transfer(&mut self, state: Self::State, instr: &InstrKind) -> Option<Self::State>;

    /// Where a condition has an outcome; `None` if it cannot have it.
    fn assume(&mut self, state: Self::State, cond: ExprId, outcome: bool) -> Option<Self::State> {
        let _ = (cond, outcome);
        Some(state)
    }

    /// Returns a state that covers both.
    fn join(&mut self, a: &Self::State, b: &Self::State) -> Self::State;

    /// Returns a state that covers both, such that repeated growth ends. The join, in a domain in which that ends
    /// anyway.
    fn widen(&mut self, old: &Self::State, new: &Self::State) -> Self::State {
        self.join(old, new)
    }

    /// Returns a state that covers what both cover, or the first: the second is the first after one more round.
    fn narrow(&mut self, old: &Self::State, new: &Self::State) -> Self::State {
        let _ = new;
        old.clone()
    }
}

/// The states at the beginnings of the blocks of a function.
#[derive(Clone, Debug)]
pub struct Fixpoint<S> {
    at: BTreeMap<usize, Option<S>>,
}

impl<S> Fixpoint<S> {
    /// Returns whether control can reach a block.
    pub fn is_reachable(&self, leader: usize) -> bool {
        self.at.get(&leader).is_some_and(Option::is_some)
    }

    /// The state at the beginning of a block; none if control does not get there.
    pub fn at(&self, leader: usize) -> Option<&S> {
        self.at.get(&leader).and_then(Option::as_ref)
    }

    /// All blocks, with their states.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Option<&S>)> {
        self.at.iter().map(|(&leader, state)| (leader, state.as_ref()))
    }
}

/// Computes what a domain knows at each block of a body.
pub fn fixpoint<D: Domain>(domain: &mut D, body: &[Instr], cfg: &Cfg) -> Fixpoint<D::State> {
    let leaders = if cfg.is_empty() { Vec::new() } else { cfg.leaders() };
    let mut blocks = vec![usize::MAX; cfg.len() + 1];
    leaders.iter().enumerate().for_each(|(block, &leader)| blocks[leader] = block);
    let n = leaders.len();
    let mut engine = Engine {
        domain,
        body,
        cfg,
        states: (0..n).map(|_| None).collect(),
        outs: (0..n).map(|_| Vec::new()).collect(),
        predecessors: vec![Vec::new(); n],
        ends: (0..n).map(|block| cfg.block_end(&leaders, block)).collect(),
        leaders,
        blocks,
    };
    let successors: Vec<Vec<usize>> =
        (0..n).map(|block| engine.successors(block).collect()).collect();
    for (block, to) in successors.iter().enumerate() {
        to.iter().for_each(|&to| engine.predecessors[to].push(block));
    }
    engine.visit_all(&weak_topological_order(&successors));
    Fixpoint { at: engine.leaders.into_iter().zip(engine.states).collect() }
}

struct Engine<'a, D: Domain> {
    domain: &'a mut D,
    body: &'a [Instr],
    cfg: &'a Cfg,
    leaders: Vec<usize>,
    /// Behind the last instruction of each block.
    ends: Vec<usize>,
    blocks: Vec<usize>,
    states: Vec<Option<D::State>>,
    /// For each block what goes to each successor.
    outs: Vec<Vec<(usize, Option<D::State>)>>,
    predecessors: Vec<Vec<usize>>,
}

impl<D: Domain> Engine<'_, D> {
    fn successors(&self, block: usize) -> impl Iterator<Item = usize> {
        let to = self.cfg.successors(self.ends[block] - 1);
        to.map(|to| self.blocks[to]).filter(|&to| to != usize::MAX)
    }

    fn visit_all(&mut self, order: &[Element]) {
        for element in order {
            match element {
                Element::Vertex(block) => {
                    self.states[*block] = self.incoming(*block);
                    self.execute(*block);
                }
                Element::Loop(head, inner) => {
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                        self.visit_loop(element, *head, inner);
                    });
                }
            }
        }
    }

    fn visit_loop(&mut self, element: &Element, head: usize, inner: &[Element]) {
        // What an outer round left inside is no part of this one.
        for member in element.vertices() {
            self.states[member] = None;
            self.outs[member].clear();
        }
        let mut round = 0;
        loop {
            let new = self.incoming(head);
            let old = self.states[head].take();
            let next = match (&old, new) {
                (Some(old), Some(new)) if round >= PATIENCE => Some(self.domain.widen(old, &new)),
                (Some(old), Some(new)) => Some(self.domain.join(old, &new)),
                (old, new) => new.or_else(|| old.clone()),
            };
            let stable = round > 0 && next == old;
            self.states[head] = next;
            if stable {
                break;
            }
            self.execute(head);
            self.visit_all(inner);
            round += 1;
        }
        for _ in 0..NARROWINGS {
            // All executions that come to the head are in what the present over-approximation leads to.
            let new = self.incoming(head);
            let narrowed = match (&self.states[head], new) {
                (Some(old), Some(new)) => Some(self.domain.narrow(old, &new)),
                (old, _) => old.clone(),
            };
            if narrowed == self.states[head] {
                break;
            }
            self.states[head] = narrowed;
            self.execute(head);
            self.visit_all(inner);
        }
    }

    /// Joins the states that come to a block from its predecessors; the first block also gets the initial one.
    fn incoming(&mut self, block: usize) -> Option<D::State> {
        let mut all = (block == 0).then(|| self.domain.initial());
        for from in 0..self.predecessors[block].len() {
            let from = self.predecessors[block][from];
            for (to, state) in &self.outs[from] {
                if let (true, Some(state)) = (*to == block, state) {
                    all = Some(match all {
                        Some(all) => self.domain.join(&all, state),
                        None => state.clone(),
                    });
                }
            }
        }
        all
    }

    /// Executes a block on its state and keeps what goes to each successor.
    fn execute(&mut self, block: usize) {
        let (start, end) = (self.leaders[block], self.ends[block]);
        let mut state = self.states[block].clone();
        for instr in &self.body[start..end] {
            let Some(before) = state.take() else { break };
            state = self.domain.transfer(before, &instr.kind);
        }
        let mut outs = Vec::new();
        if let InstrKind::Goto(Some(cond), _) = self.body[end - 1].kind {
            // The first successor is the next instruction, the second the target.
            for (to, taken) in self.cfg.successors(end - 1).zip([false, true]) {
                let out = state.clone().and_then(|state| self.domain.assume(state, cond, taken));
                if self.blocks[to] != usize::MAX {
                    outs.push((self.blocks[to], out));
                }
            }
        } else {
            let to: Vec<usize> = self.successors(block).collect();
            outs.extend(to.into_iter().map(|to| (to, state.clone())));
        }
        self.outs[block] = outs;
    }
}
