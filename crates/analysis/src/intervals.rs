//! Interval analysis: for each variable an interval that has all its values at a place.
//!
//! **Idea.** Abstract interpretation of one function over the non-relational domain of [`Interval`]s, by a weak
//! topological order ([`crate::wto`]) of its blocks, with widening to constants of the program at loop heads and two
//! rounds of narrowing.
//!
//! **Source.** Cousot and Cousot, "Abstract interpretation", POPL 1977, doi 10.1145/512950.512973; iteration as Bourdoncle.
//!
//! **What is followed.** Variables of truth value and of integers of at most 64 bits. A write through a pointer, a call and
//! whatever else writes memory can change exactly those whose address is taken (and, if it runs other code, statics);
//! reads through pointers, members, elements, floats and pointers have any value of their type. With threads, statics
//! and variables with addresses have any value always.
//!
//! **Soundness.** Every state of every execution that comes to a block has each variable in its interval there. An
//! assertion is no assumption: the intervals hold of executions that go on after a violation as well.

use crate::cfg::Cfg;
use crate::interval::{Domain, Interval, Truth};
use crate::wto::{Element, weak_topological_order};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{
    FunctionId, InitPart, InstrKind, Intrinsic, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;

mod eval;

/// Rounds at a loop head before widening.
const PATIENCE: u32 = 2;
/// Rounds of narrowing.
const NARROWINGS: u32 = 2;
/// Parts of a condition that are looked at.
const FUEL: u32 = 256;

/// The intervals at the blocks of a function.
#[derive(Debug)]
pub struct Intervals {
    at: BTreeMap<usize, Option<State>>,
}

/// Variables that are not just any value of their type.
type State = Rc<BTreeMap<SymbolId, Interval>>;

impl Intervals {
    /// Analyses a function. If it is the program's entry, static variables begin with their first values.
    pub fn of(program: &Program, function: FunctionId, cfg: &Cfg) -> Intervals {
        let mut analysis = Analysis::new(program, function, cfg);
        analysis.iterate();
        let mut states = std::mem::take(&mut analysis.states);
        for state in states.iter_mut().flatten() {
            Rc::make_mut(state).retain(|&symbol, interval| {
                analysis.domain_of(symbol).is_some_and(|domain| *interval != domain.all())
            });
        }
        Intervals { at: analysis.leaders.into_iter().zip(states).collect() }
    }

    /// Whether control can get to a block.
    pub fn is_reachable(&self, leader: usize) -> bool {
        self.at.get(&leader).is_some_and(Option::is_some)
    }

    /// The variables that have not just any value of their type at the beginning of a block.
    pub fn at(&self, leader: usize) -> impl Iterator<Item = (SymbolId, Interval)> {
        let state = self.at.get(&leader).and_then(Option::as_ref);
        state
            .into_iter()
            .flat_map(|state| state.iter().map(|(&symbol, &interval)| (symbol, interval)))
    }
}

/// The integers that a type has, if they are followed.
pub fn domain(program: &Program, ty: TypeId) -> Option<Domain> {
    match *program.types.get(ty) {
        Type::Bool => Some(Domain::BOOL),
        Type::Int { signed, width } if width <= 64 => Some(Domain { signed, width }),
        _ => None,
    }
}

/// A word as the integer that its type reads.
pub fn integer(domain: Domain, bits: &BitVec) -> Option<i128> {
    if domain.signed { bits.to_i128() } else { i128::try_from(bits.to_u128()?).ok() }
}

struct Analysis<'a> {
    program: &'a Program,
    function: FunctionId,
    cfg: &'a Cfg,
    leaders: Vec<usize>,
    blocks: FxHashMap<usize, usize>,
    states: Vec<Option<State>>,
    /// For each block what goes to each successor.
    outs: Vec<Vec<(usize, Option<State>)>>,
    predecessors: Vec<Vec<usize>>,
    /// Variables that pointers can lead to.
    addressed: FxHashSet<SymbolId>,
    threads: bool,
    thresholds: Vec<i128>,
    /// Values of expressions in the state that was asked about last.
    memo: FxHashMap<ExprId, Option<Interval>>,
    fuel: u32,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, function: FunctionId, cfg: &'a Cfg) -> Analysis<'a> {
        let leaders = cfg.leaders();
        let blocks: FxHashMap<usize, usize> =
            leaders.iter().enumerate().map(|(i, &leader)| (leader, i)).collect();
        let mut predecessors = vec![Vec::new(); leaders.len()];
        for (i, _) in leaders.iter().enumerate() {
            for to in cfg.successors(end_of(&leaders, i, cfg) - 1) {
                if let Some(&to) = blocks.get(&to) {
                    predecessors[to].push(i);
                }
            }
        }
        let bodies = program.functions.values().filter_map(|function| function.body.as_deref());
        let threads = bodies.flatten().any(|instr| matches!(instr.kind, InstrKind::Spawn { .. }));
        let mut addressed = FxHashSet::default();
        let mut thresholds = vec![0];
        for (_, expr) in program.exprs.iter() {
            match &expr.kind {
                ExprKind::AddressOf(place) => addressed.extend(program.root_variable(*place)),
                ExprKind::Int(bits) => {
                    let value = domain(program, expr.ty).and_then(|domain| integer(domain, bits));
                    thresholds
                        .extend(value.into_iter().flat_map(|value| [value - 1, value, value + 1]));
                }
                _ => {}
            }
        }
        thresholds.sort_unstable();
        thresholds.dedup();
        let n_blocks = leaders.len();
        Analysis {
            program,
            function,
            cfg,
            leaders,
            blocks,
            states: vec![None; n_blocks],
            outs: vec![Vec::new(); n_blocks],
            predecessors,
            addressed,
            threads,
            thresholds,
            memo: FxHashMap::default(),
            fuel: 0,
        }
    }

    fn iterate(&mut self) {
        let successors: Vec<Vec<usize>> = (0..self.leaders.len())
            .map(|block| {
                let last = end_of(&self.leaders, block, self.cfg) - 1;
                self.cfg.successors(last).filter_map(|to| self.blocks.get(&to).copied()).collect()
            })
            .collect();
        let order = weak_topological_order(&successors);
        self.visit_all(&order);
    }

    fn visit_all(&mut self, order: &[Element]) {
        for element in order {
            match element {
                Element::Vertex(block) => {
                    self.states[*block] = self.incoming(*block);
                    self.execute(*block);
                }
                Element::Loop(head, inner) => {
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.visit_loop(*head, inner));
                }
            }
        }
    }

    fn visit_loop(&mut self, head: usize, inner: &[Element]) {
        // What an outer round left inside is no part of this one.
        let members = members(head, inner);
        for &member in &members {
            self.states[member] = None;
            self.outs[member].clear();
        }
        let mut round = 0;
        loop {
            let new = self.incoming(head);
            let old = self.states[head].take();
            let next = match (&old, new) {
                (Some(old), Some(new)) if round >= PATIENCE => Some(self.widen(old, &new)),
                (Some(old), Some(new)) => Some(join(old, &new)),
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
                (Some(old), Some(new)) => Some(meet(old, &new)),
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

    fn widen(&self, old: &State, new: &State) -> State {
        let mut widened = BTreeMap::new();
        for (&symbol, &before) in old.iter() {
            let Some(all) = self.domain_of(symbol).map(Domain::all) else { continue };
            let Some(&after) = new.get(&symbol) else { continue };
            let value = before.widen(before.join(after), &self.thresholds, all);
            if value != all {
                widened.insert(symbol, value);
            }
        }
        Rc::new(widened)
    }

    /// What comes to a block from its predecessors, and from the beginning to the first.
    fn incoming(&self, block: usize) -> Option<State> {
        let mut all = (block == 0).then(|| self.initial());
        for &from in &self.predecessors[block] {
            for (to, state) in &self.outs[from] {
                if let (true, Some(state)) = (*to == block, state) {
                    all = Some(match all {
                        Some(all) => join(&all, state),
                        None => Rc::clone(state),
                    });
                }
            }
        }
        all
    }

    fn initial(&self) -> State {
        let mut state = BTreeMap::new();
        if self.program.entry == Some(self.function) {
            for (symbol, info) in self.program.symbols.iter() {
                let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind else {
                    continue;
                };
                if let Some(domain) = self.domain_of(symbol)
                    && let Some(value) = self.first_value(domain, parts)
                {
                    state.insert(symbol, value);
                }
            }
        }
        Rc::new(state)
    }

    fn first_value(&self, domain: Domain, parts: &[InitPart]) -> Option<Interval> {
        match parts {
            [] => Some(Interval::constant(0)),
            [InitPart::Value { offset: 0, value }] => match self.program.exprs.kind(*value) {
                ExprKind::Int(bits) => Some(Interval::constant(integer(domain, bits)?)),
                ExprKind::Bool(value) => Some(Interval::constant((*value).into())),
                ExprKind::Zero => Some(Interval::constant(0)),
                _ => None,
            },
            [InitPart::Bytes { offset: 0, bytes }] => {
                let mut bytes = bytes.to_vec();
                bytes.resize(16, 0);
                let bits = BitVec::from_le_bytes(128, &bytes).truncate(domain.width);
                Some(Interval::constant(integer(domain, &bits)?))
            }
            _ => None,
        }
    }

    /// The integers that a variable can have, if it is followed.
    fn domain_of(&self, symbol: SymbolId) -> Option<Domain> {
        let info = &self.program.symbols[symbol];
        let shared =
            matches!(info.kind, SymbolKind::Static { .. }) || self.addressed.contains(&symbol);
        if self.threads && shared {
            return None;
        }
        domain(self.program, info.ty)
    }

    /// Executes a block on its state and keeps what goes to each successor.
    fn execute(&mut self, block: usize) {
        let (start, end) = (self.leaders[block], end_of(&self.leaders, block, self.cfg));
        let body = self.program.functions[self.function].body.as_deref().unwrap_or_default();
        let mut state = self.states[block].clone();
        for instr in &body[start..end] {
            let Some(before) = state.take() else { break };
            self.memo.clear();
            state = self.instruction(before, &instr.kind);
        }
        let mut outs = Vec::new();
        if let InstrKind::Goto(Some(cond), _) = body[end - 1].kind {
            // The first successor is the next instruction, the second the target.
            for (to, taken) in self.cfg.successors(end - 1).zip([false, true]) {
                let out = state.clone().and_then(|state| self.assuming(state, cond, taken));
                outs.extend(self.blocks.get(&to).map(|&to| (to, out)));
            }
        } else {
            let successors = self.cfg.successors(end - 1);
            outs.extend(successors.filter_map(|to| Some((*self.blocks.get(&to)?, state.clone()))));
        }
        self.outs[block] = outs;
    }

    fn assuming(&mut self, state: State, cond: ExprId, outcome: bool) -> Option<State> {
        self.fuel = FUEL;
        self.refined(state, cond, outcome)
    }

    fn instruction(&mut self, mut state: State, instr: &InstrKind) -> Option<State> {
        match instr {
            InstrKind::Assign(place, value) => {
                let value = self.eval(&state, *value);
                self.write(&mut state, *place, value);
            }
            InstrKind::Assume(cond) => return self.assuming(state, *cond, true),
            InstrKind::Call { dest, .. } => {
                self.forget_shared(&mut state);
                dest.iter().for_each(|&dest| self.write(&mut state, dest, None));
            }
            InstrKind::Spawn { dest, .. } | InstrKind::Join { dest, .. } => {
                self.forget_shared(&mut state);
                dest.iter().for_each(|&dest| self.write(&mut state, dest, None));
            }
            InstrKind::Intrinsic { op, dest, .. } => {
                match op {
                    Intrinsic::Write | Intrinsic::Print | Intrinsic::Time => {}
                    _ if op.is_obligation() => {}
                    _ => self.forget_addressed(&mut state),
                }
                dest.iter().for_each(|&dest| self.write(&mut state, dest, None));
            }
            InstrKind::Alloc { dest, .. } => self.write(&mut state, *dest, None),
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                self.set(&mut state, *symbol, None);
            }
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(..)
            | InstrKind::Assert(..)
            | InstrKind::Free(..)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd => {}
            InstrKind::Return(_) | InstrKind::End(_) | InstrKind::Unsupported(_) => return None,
        }
        Some(state)
    }

    fn write(&mut self, state: &mut State, place: ExprId, value: Option<Interval>) {
        match *self.program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => self.set(state, symbol, value),
            // Part of a variable that is no integer, or something behind a pointer.
            _ if self.program.root_variable(place).is_some() => {}
            _ => self.forget_addressed(state),
        }
    }

    fn set(&self, state: &mut State, symbol: SymbolId, value: Option<Interval>) {
        let all = self.domain_of(symbol).map(Domain::all);
        match value.filter(|value| all.is_some_and(|all| *value != all)) {
            Some(value) => {
                Rc::make_mut(state).insert(symbol, value);
            }
            None if state.contains_key(&symbol) => {
                Rc::make_mut(state).remove(&symbol);
            }
            None => {}
        }
    }

    fn forget_addressed(&self, state: &mut State) {
        Rc::make_mut(state).retain(|symbol, _| !self.addressed.contains(symbol));
    }

    fn forget_shared(&self, state: &mut State) {
        let is_static = |symbol: &SymbolId| {
            matches!(self.program.symbols[*symbol].kind, SymbolKind::Static { .. })
        };
        Rc::make_mut(state)
            .retain(|symbol, _| !self.addressed.contains(symbol) && !is_static(symbol));
    }
}

fn end_of(leaders: &[usize], block: usize, cfg: &Cfg) -> usize {
    leaders.get(block + 1).copied().unwrap_or(cfg.len())
}

/// All blocks of a loop.
fn members(head: usize, inner: &[Element]) -> Vec<usize> {
    let mut members = vec![head];
    let mut pending: Vec<&Element> = inner.iter().collect();
    while let Some(element) = pending.pop() {
        match element {
            Element::Vertex(block) => members.push(*block),
            Element::Loop(head, inner) => {
                members.push(*head);
                pending.extend(inner);
            }
        }
    }
    members
}

fn join(a: &State, b: &State) -> State {
    if Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    let both = a.iter().filter_map(|(&symbol, &x)| Some((symbol, x.join(*b.get(&symbol)?))));
    Rc::new(both.collect())
}

/// What both states say; where they contradict each other, what the first says.
fn meet(a: &State, b: &State) -> State {
    let mut all = (**a).clone();
    for (&symbol, &y) in b.iter() {
        let met = all.get(&symbol).map_or(Some(y), |x| x.meet(y));
        if let Some(met) = met {
            all.insert(symbol, met);
        }
    }
    Rc::new(all)
}
