//! Analysis of integer variables: for each variable an abstract number that has all its values at a place.
//!
//! **Idea.** Abstract interpretation ([`crate::fixpoint`]) of one function over maps from variables to [`Number`]s: plain
//! intervals, wrapped ones, congruences. Widening stops at constants of the program; conditions narrow what they compare
//! (contractors, section 4.3 of the thesis), through sums and conversions.
//!
//! **Source.** Cousot and Cousot, "Abstract interpretation", POPL 1977, doi 10.1145/512950.512973.
//!
//! **What is followed.** Variables of truth value and of integers of at most 64 bits. A write through a pointer, a call and
//! whatever else writes memory can change exactly those whose address is taken (and, if it runs other code, statics);
//! reads through pointers, members, elements, floats and pointers have any value of their type. With [`Calls`], a call
//! changes only what points-to analysis says that it can, and results and parameters have the values of all calls. With
//! threads, statics and variables with addresses have any value always.
//!
//! **Soundness.** Every state of every execution that comes to a block has each variable in its number there. An
//! assertion is no assumption: the numbers hold of executions that go on after a violation as well.

use crate::cfg::Cfg;
use crate::fixpoint::{self, Fixpoint, fixpoint};
use crate::interval::{Interval, Truth, Word};
use crate::number::Number;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{
    FunctionId, InitPart, InstrKind, Intrinsic, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;

mod calls;
mod eval;

pub use calls::{Calls, walk_blocks};

/// Parts of a condition that are looked at.
const FUEL: u32 = 256;

/// The amount of arithmetic that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arithmetic {
    /// Operations have results.
    #[default]
    Followed,
    /// Only constants, variables and conditions are followed; the result of an operation is any value.
    Ignored,
}

/// The numbers at the blocks of a function.
#[derive(Debug)]
pub struct Numbers<N> {
    states: Fixpoint<State<N>>,
}

/// Plain intervals.
pub type Intervals = Numbers<Interval>;

/// Variables that are not just any value of their type.
pub type State<N> = Rc<BTreeMap<SymbolId, N>>;

impl<N: Number> Numbers<N> {
    /// Analyses a function. If it is the program's entry, static variables begin with their first values.
    pub fn of(program: &Program, function: FunctionId, cfg: &Cfg) -> Numbers<N> {
        Numbers::with(program, function, cfg, Arithmetic::Followed, None)
    }

    /// The same, with a say in how much of arithmetic is followed, and with what is known of calls.
    pub fn with(
        program: &Program,
        function: FunctionId,
        cfg: &Cfg,
        arithmetic: Arithmetic,
        calls: Option<&Calls<N>>,
    ) -> Numbers<N> {
        let mut analysis: Analysis<'_, N> = Analysis::new(program, function, arithmetic, calls);
        analysis.run(cfg)
    }

    /// Returns whether control can reach a block.
    pub fn is_reachable(&self, leader: usize) -> bool {
        self.states.is_reachable(leader)
    }

    /// The variables that have not just any value of their type at the beginning of a block.
    pub fn at(&self, leader: usize) -> impl Iterator<Item = (SymbolId, N)> {
        let state = self.states.at(leader);
        state.into_iter().flat_map(|state| state.iter().map(|(&symbol, &number)| (symbol, number)))
    }
}

/// Follows the instructions of a block with what is known at its beginning.
pub struct Walk<'a, N: Number> {
    analysis: Analysis<'a, N>,
    state: Option<State<N>>,
}

impl<'a, N: Number> Walk<'a, N> {
    /// Begins at a block of a function that was analysed.
    pub fn new(
        program: &'a Program,
        function: FunctionId,
        arithmetic: Arithmetic,
        calls: Option<&'a Calls<N>>,
    ) -> Walk<'a, N> {
        Walk { analysis: Analysis::new(program, function, arithmetic, calls), state: None }
    }

    /// Goes to the beginning of a block.
    pub fn enter(&mut self, numbers: &Numbers<N>, leader: usize) {
        self.state = numbers.states.at(leader).cloned();
    }

    /// Executes an instruction that is no branch.
    pub fn step(&mut self, instr: &InstrKind) {
        if let Some(state) = self.state.take() {
            self.state = fixpoint::Domain::transfer(&mut self.analysis, state, instr);
        }
    }

    /// Returns whether control can be here.
    pub fn is_reachable(&self) -> bool {
        self.state.is_some()
    }

    /// The values of an expression here; none if its type is not followed or control does not get here.
    pub fn value(&mut self, expr: ExprId) -> Option<N> {
        let state = self.state.clone()?;
        self.analysis.memo.clear();
        self.analysis.eval(&state, expr)
    }

    /// The variables that have not just any value of their type here.
    pub fn known(&self) -> impl Iterator<Item = (SymbolId, N)> {
        let state = self.state.iter();
        state.flat_map(|state| state.iter().map(|(&symbol, &number)| (symbol, number)))
    }
}

/// Values of expressions in states that somebody else keeps, of pointers too: these are the words of their addresses. Of
/// a program without threads, and of variables whose address nobody takes.
pub struct Values<'a, N> {
    analysis: Analysis<'a, N>,
}

impl<'a, N: Number> Values<'a, N> {
    /// For expressions of a program.
    pub fn of(program: &'a Program) -> Values<'a, N> {
        let function = FunctionId::from_u32(0);
        let arithmetic = Arithmetic::Followed;
        let (addressed, thresholds) = Default::default();
        let (calls, memo) = (None, FxHashMap::default());
        let (threads, pointers, fuel) = (false, true, 0);
        Values {
            analysis: Analysis {
                program,
                function,
                arithmetic,
                calls,
                addressed,
                threads,
                pointers,
                thresholds,
                memo,
                fuel,
            },
        }
    }

    /// The first value of a static variable, if it is known.
    pub fn first(&self, symbol: SymbolId) -> Option<N> {
        match &self.analysis.program.symbols[symbol].kind {
            SymbolKind::Static { init: StaticInit::Data(parts), .. } => {
                self.analysis.first_value(self.analysis.word_of(symbol)?, parts)
            }
            _ => None,
        }
    }

    /// The values of an expression; none if its type is not followed.
    pub fn value(&mut self, state: &State<N>, expr: ExprId) -> Option<N> {
        self.analysis.memo.clear();
        self.analysis.eval(state, expr)
    }

    /// The state in which a condition has an outcome; none if it cannot have it.
    pub fn assume(&mut self, state: State<N>, cond: ExprId, outcome: bool) -> Option<State<N>> {
        self.analysis.assuming(state, cond, outcome)
    }

    /// Gives a variable a value: any, if nothing is said.
    pub fn set(&self, state: &mut State<N>, symbol: SymbolId, value: Option<N>) {
        self.analysis.set(state, symbol, value);
    }

    /// The words of a type, if they are followed.
    pub fn word(&self, ty: TypeId) -> Option<Word> {
        self.analysis.word(ty)
    }

    /// The words of a variable, if it is followed.
    pub fn word_of(&self, symbol: SymbolId) -> Option<Word> {
        self.analysis.word_of(symbol)
    }
}

/// The integers that a type has, if they are followed.
pub fn word(program: &Program, ty: TypeId) -> Option<Word> {
    match *program.types.get(ty) {
        Type::Bool => Some(Word::BOOL),
        Type::Int { signed, width } if width <= 64 => Some(Word { signed, width }),
        _ => None,
    }
}

/// A word as the integer that its type reads.
pub fn integer(word: Word, bits: &BitVec) -> Option<i128> {
    if word.signed { bits.to_i128() } else { i128::try_from(bits.to_u128()?).ok() }
}

struct Analysis<'a, N> {
    program: &'a Program,
    function: FunctionId,
    arithmetic: Arithmetic,
    calls: Option<&'a Calls<N>>,
    /// Variables that pointers can lead to.
    addressed: Rc<FxHashSet<SymbolId>>,
    threads: bool,
    /// True if pointers are followed, as words.
    pointers: bool,
    thresholds: Rc<Vec<i128>>,
    /// Values of expressions in the state that was asked about last.
    memo: FxHashMap<ExprId, Option<N>>,
    fuel: u32,
}

/// Computes the facts that all functions of a program share: variables that pointers can lead to, constants, and whether it
/// has threads.
fn common(program: &Program) -> (FxHashSet<SymbolId>, Vec<i128>, bool) {
    let bodies = program.functions.values().filter_map(|function| function.body.as_deref());
    let threads = bodies.flatten().any(|instr| matches!(instr.kind, InstrKind::Spawn { .. }));
    let mut addressed = FxHashSet::default();
    let mut thresholds = vec![0];
    for (_, expr) in program.exprs.iter() {
        match &expr.kind {
            ExprKind::AddressOf(place) => addressed.extend(program.root_variable(*place)),
            ExprKind::Int(bits) => {
                let value = word(program, expr.ty).and_then(|word| integer(word, bits));
                thresholds
                    .extend(value.into_iter().flat_map(|value| [value - 1, value, value + 1]));
            }
            _ => {}
        }
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    (addressed, thresholds, threads)
}

impl<'a, N: Number> Analysis<'a, N> {
    fn new(
        program: &'a Program,
        function: FunctionId,
        arithmetic: Arithmetic,
        calls: Option<&'a Calls<N>>,
    ) -> Analysis<'a, N> {
        let (addressed, thresholds, threads) = match calls {
            Some(calls) => calls.common(),
            None => {
                let (addressed, thresholds, threads) = common(program);
                (Rc::new(addressed), Rc::new(thresholds), threads)
            }
        };
        Analysis {
            program,
            function,
            arithmetic,
            calls,
            addressed,
            threads,
            pointers: false,
            thresholds,
            memo: FxHashMap::default(),
            fuel: 0,
        }
    }

    fn run(&mut self, cfg: &Cfg) -> Numbers<N> {
        let body = self.program.functions[self.function].body.as_deref().unwrap_or_default();
        Numbers { states: fixpoint(self, body, cfg) }
    }

    fn first_value(&self, word: Word, parts: &[InitPart]) -> Option<N> {
        let value = match parts {
            [] => Some(0),
            [InitPart::Value { offset: 0, value }] => match self.program.exprs.kind(*value) {
                ExprKind::Int(bits) => integer(word, bits),
                ExprKind::Bool(value) => Some((*value).into()),
                ExprKind::Zero => Some(0),
                _ => None,
            },
            [InitPart::Bytes { offset: 0, bytes }] => {
                let mut bytes = bytes.to_vec();
                bytes.resize(16, 0);
                let bits = BitVec::from_le_bytes(128, &bytes).truncate(word.width);
                integer(word, &bits)
            }
            _ => None,
        };
        value.map(|value| N::constant(word, value))
    }

    /// The integers that a variable can have, if it is followed.
    fn word_of(&self, symbol: SymbolId) -> Option<Word> {
        let info = &self.program.symbols[symbol];
        let shared =
            matches!(info.kind, SymbolKind::Static { .. }) || self.addressed.contains(&symbol);
        if self.threads && shared {
            return None;
        }
        self.word(info.ty)
    }

    /// The words of a type, if they are followed.
    fn word(&self, ty: TypeId) -> Option<Word> {
        match self.program.types.get(ty) {
            Type::Ptr(_) if self.pointers && self.program.machine.pointer_width <= 64 => {
                Some(Word { signed: false, width: self.program.machine.pointer_width })
            }
            _ => word(self.program, ty),
        }
    }

    /// The words of an expression's values, if they are followed.
    fn word_at(&self, expr: ExprId) -> Option<Word> {
        self.word(self.program.exprs.ty(expr))
    }

    fn assuming(&mut self, state: State<N>, cond: ExprId, outcome: bool) -> Option<State<N>> {
        self.fuel = FUEL;
        self.refined(state, cond, outcome)
    }

    fn write(&mut self, state: &mut State<N>, place: ExprId, value: Option<N>) {
        match *self.program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => self.set(state, symbol, value),
            // Part of a variable that is no integer, or something behind a pointer.
            _ if self.program.root_variable(place).is_some() => {}
            _ => match self.calls {
                Some(calls) => {
                    let written = calls.variables_at(place);
                    self.forget(state, |symbol| written.contains(symbol));
                }
                None => self.forget_addressed(state),
            },
        }
    }

    fn set(&self, state: &mut State<N>, symbol: SymbolId, value: Option<N>) {
        let all = self.word_of(symbol).map(N::all);
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

    fn forget(&self, state: &mut State<N>, which: impl Fn(&SymbolId) -> bool) {
        if state.keys().any(&which) {
            Rc::make_mut(state).retain(|symbol, _| !which(symbol));
        }
    }

    fn forget_addressed(&self, state: &mut State<N>) {
        self.forget(state, |symbol| self.addressed.contains(symbol));
    }

    fn forget_shared(&self, state: &mut State<N>) {
        let is_static = |symbol: &SymbolId| {
            matches!(self.program.symbols[*symbol].kind, SymbolKind::Static { .. })
        };
        self.forget(state, |symbol| self.addressed.contains(symbol) || is_static(symbol));
    }
}

impl<N: Number> fixpoint::Domain for Analysis<'_, N> {
    type State = State<N>;

    fn initial(&mut self) -> State<N> {
        let mut state = BTreeMap::new();
        if self.program.entry == Some(self.function) {
            for (symbol, info) in self.program.symbols.iter() {
                let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind else {
                    continue;
                };
                if let Some(word) = self.word_of(symbol)
                    && let Some(value) = self.first_value(word, parts)
                {
                    state.insert(symbol, value);
                }
            }
        }
        if let Some(calls) = self.calls {
            state.extend(calls.parameters(self.program, self.function));
        }
        Rc::new(state)
    }

    fn transfer(&mut self, mut state: State<N>, instr: &InstrKind) -> Option<State<N>> {
        self.memo.clear();
        match instr {
            InstrKind::Assign(place, value) => {
                let value = self.eval(&state, *value);
                self.write(&mut state, *place, value);
            }
            InstrKind::Assume(cond) => return self.assuming(state, *cond, true),
            InstrKind::Call { dest, callee, .. } => {
                let mut result = None;
                match self.calls {
                    Some(calls) => {
                        calls.change(*callee, |written| {
                            self.forget(&mut state, |symbol| written.contains(symbol));
                        });
                        result = dest.and_then(|dest| {
                            let word = word(self.program, self.program.exprs.ty(dest))?;
                            calls.result(word, *callee)
                        });
                    }
                    None => self.forget_shared(&mut state),
                }
                dest.iter().for_each(|&dest| self.write(&mut state, dest, result));
            }
            InstrKind::Spawn { dest, .. } | InstrKind::Join { dest, .. } => {
                self.forget_shared(&mut state);
                dest.iter().for_each(|&dest| self.write(&mut state, dest, None));
            }
            InstrKind::Intrinsic { op, dest, .. } => {
                match op {
                    Intrinsic::Write
                    | Intrinsic::Print
                    | Intrinsic::Time
                    | Intrinsic::Thread
                    | Intrinsic::Choose
                    | Intrinsic::Order
                    | Intrinsic::Approximation => {}
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

    fn assume(&mut self, state: State<N>, cond: ExprId, outcome: bool) -> Option<State<N>> {
        self.assuming(state, cond, outcome)
    }

    fn join(&mut self, a: &State<N>, b: &State<N>) -> State<N> {
        if Rc::ptr_eq(a, b) {
            return Rc::clone(a);
        }
        let both = a.iter().filter_map(|(&symbol, &x)| {
            let word = self.word(self.program.symbols[symbol].ty)?;
            let joined = x.join(word, *b.get(&symbol)?);
            (joined != N::all(word)).then_some((symbol, joined))
        });
        Rc::new(both.collect())
    }

    fn widen(&mut self, old: &State<N>, new: &State<N>) -> State<N> {
        let widened = old.iter().filter_map(|(&symbol, &before)| {
            let word = self.word_of(symbol)?;
            let value = before.widen(word, *new.get(&symbol)?, &self.thresholds);
            (value != N::all(word)).then_some((symbol, value))
        });
        Rc::new(widened.collect())
    }

    /// Returns the facts of both states; where they contradict each other, those of the first.
    fn narrow(&mut self, a: &State<N>, b: &State<N>) -> State<N> {
        let mut all = (**a).clone();
        for (&symbol, &y) in b.iter() {
            let Some(word) = self.word_of(symbol) else { continue };
            let met = all.get(&symbol).map_or(Some(y), |x| x.meet(word, y));
            if let Some(met) = met {
                all.insert(symbol, met);
            }
        }
        Rc::new(all)
    }
}
