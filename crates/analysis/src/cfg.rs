//! Control flow of a function: which instruction follows which.
//!
//! A position is the index of an instruction in its body. Labels are instructions, so that a jump goes to a position.
//! Falling off the end leaves the function.

use cranelift_entity::EntityRef;
use std::collections::BTreeSet;
use vergo_goto::program::{Function, InstrKind};

/// The control flow of a function.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// For each position, where a jump there goes; the next instruction if it is none.
    targets: Vec<Flow>,
    /// For each position, whether control can reach it.
    reachable: Vec<bool>,
}

/// The successors of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    /// On to the next.
    Next,
    /// To a position, always.
    Jump(usize),
    /// To a position or to the next.
    Branch(usize),
    /// Nowhere in this function.
    Stop,
}

impl Cfg {
    /// The control flow of a function; without a body there are no positions.
    pub fn of(function: &Function) -> Cfg {
        let body = function.body.as_deref().unwrap_or_default();
        let mut labels = vec![body.len(); function.n_labels as usize];
        for (at, instr) in body.iter().enumerate() {
            if let InstrKind::Label(label) = instr.kind {
                labels[label.index()] = at;
            }
        }
        let targets = body.iter().map(|instr| match instr.kind {
            InstrKind::Goto(None, label) => Flow::Jump(labels[label.index()]),
            InstrKind::Goto(Some(_), label) => Flow::Branch(labels[label.index()]),
            InstrKind::Return(_) | InstrKind::End(_) | InstrKind::Unsupported(_) => Flow::Stop,
            _ => Flow::Next,
        });
        let mut cfg = Cfg { targets: targets.collect(), reachable: vec![false; body.len()] };
        let mut pending = vec![0];
        while let Some(at) = pending.pop() {
            if at < cfg.len() && !std::mem::replace(&mut cfg.reachable[at], true) {
                pending.extend(cfg.successors(at));
            }
        }
        cfg
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Where control can go after an instruction; [`len`](Cfg::len) is the end of the function.
    pub fn successors(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (next, jump) = match self.targets[at] {
            Flow::Next => (Some(at + 1), None),
            Flow::Jump(to) => (None, Some(to)),
            Flow::Branch(to) => (Some(at + 1), Some(to)),
            Flow::Stop => (None, None),
        };
        next.into_iter().chain(jump)
    }

    /// Returns whether control can reach a position.
    pub fn is_reachable(&self, at: usize) -> bool {
        self.reachable[at]
    }

    /// The targets of jumps that do not go forward, in order. Every cycle has one: for reducible loops whose head comes
    /// first these are the heads, and irreducible ones are cut as well.
    pub fn loop_heads(&self) -> BTreeSet<usize> {
        let reachable = (0..self.len()).filter(|&at| self.reachable[at]);
        reachable.flat_map(|at| self.successors(at).filter(move |&to| to <= at)).collect()
    }

    /// The positions at which blocks begin, in order: the first, targets of jumps, and what follows a jump.
    pub fn leaders(&self) -> Vec<usize> {
        let mut leaders = BTreeSet::from([0]);
        for at in (0..self.len()).filter(|&at| self.reachable[at]) {
            if self.targets[at] != Flow::Next {
                leaders.extend(self.successors(at));
            }
        }
        leaders.retain(|&at| at < self.len());
        leaders.into_iter().collect()
    }

    /// The position behind the last instruction of a block, given by its number among the leaders: what nobody reaches
    /// behind a jump is no part of it.
    pub fn block_end(&self, leaders: &[usize], block: usize) -> usize {
        let end = leaders.get(block + 1).copied().unwrap_or(self.len());
        let leader = leaders[block];
        (leader + 1..end).find(|&at| !self.reachable[at]).unwrap_or(end)
    }
}
