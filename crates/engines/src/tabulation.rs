//! The values of variables of a program without memory, by tables with summaries of functions.
//!
//! **Idea.** A state at a place is a range of words for each variable. From the beginning of the entry function all states
//! that can be reached are found one by one; they are not joined, so that what two variables have to do with each other
//! is not lost. A function that is called with one state of its parameters and of the static variables that matter to it is
//! looked at once; what it can return is what all such calls can return. So the cost grows with the number of functions
//! and of states that they are called in, not with the number of paths of calls.
//!
//! **Source.** Reps, Horwitz, Sagiv, "Precise interprocedural dataflow analysis via graph reachability", POPL 1995,
//! doi 10.1145/199448.199462; for programs with few variables: Ball, Rajamani, "Bebop: a symbolic model checker for Boolean
//! programs", SPIN 2000, doi 10.1007/10722468_7. Changed: ranges of words, as Beyer and Löwe, "Explicit-state software
//! model checking based on CEGAR and interpolation", FASE 2013, doi 10.1007/978-3-642-37057-1_11, have words. A variable
//! with many values is given up.
//!
//! **Soundness.** The table is checked by [`vergo_evidence::tabulated`]. A violation is one of ranges, and shows nothing;
//! but the way to it is a guess at how the program can be led there.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use vergo_analysis::callgraph::CallGraph;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::liveness::Liveness;
use vergo_analysis::number::Number;
use vergo_analysis::numeric::Values;
use vergo_analysis::wrapped::Wrapped;
use vergo_evidence::tabulated::{Context, Ranges, Table};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_smt::Budget;

/// The result of the search.
pub(crate) enum Tabulated {
    /// No claim fails, by this table.
    Safe(Table),
    /// A claim fails in a state, and this is a way there.
    Violated(Vec<Step>),
    /// There is too much to see, or something that is not followed.
    GivenUp,
}

/// A place on a way through a program: a branch, or a call of a function.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) function: FunctionId,
    /// The position, where a block begins.
    pub(crate) at: usize,
    /// True if the step before could have led elsewhere.
    pub(crate) is_guess: bool,
    /// The facts here, and at the call of the function.
    pub(crate) state: Ranges,
    pub(crate) entry: Ranges,
}

/// More states than this are too many.
const MAX_STATES: usize = 400_000;
/// A variable with more values than this is given up.
const MAX_VALUES: usize = 40;
/// Among so many states at a place it is looked for one that says less.
const FEW_STATES: usize = 48;
/// After so many states the budget is looked at.
const STATES_BETWEEN_LOOKS: usize = 256;
/// The work of a state.
const STATE_WORK: u64 = 4_000;

/// Branches and calls that are not followed: the function, the position of the next block, and whether it is a call.
#[derive(Default)]
pub(crate) struct Blocked {
    everywhere: FxHashSet<(FunctionId, usize, usize)>,
    /// Only where something holds at the beginning of the block before, and held at the beginning of the function.
    somewhere: FxHashSet<(FunctionId, usize, usize, Ranges, Ranges)>,
    counts: FxHashMap<(FunctionId, usize, usize), u32>,
}

/// A place that is blocked in so many states is blocked in all.
const MANY_STATES: u32 = 6;

impl Blocked {
    /// Blocks the way from one step to another block, or into a call; false if it was blocked before.
    pub(crate) fn block(&mut self, step: &Step, to: usize) -> bool {
        let key = (step.function, step.at, to);
        let count = self.counts.entry(key).or_insert(0);
        *count += 1;
        if *count >= MANY_STATES {
            return self.everywhere.insert(key);
        }
        let (state, entry) = (Rc::clone(&step.state), Rc::clone(&step.entry));
        self.somewhere.insert((step.function, step.at, to, state, entry))
    }

    fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    fn blocks(&self, function: FunctionId, node: &Node, entry: &Ranges, to: usize) -> bool {
        if self.is_empty() {
            return false;
        }
        let (state, entry) = (Rc::clone(&node.state), Rc::clone(entry));
        self.everywhere.contains(&(function, node.at, to))
            || self.somewhere.contains(&(function, node.at, to, state, entry))
    }
}

/// Tabulates a program. What is blocked is as if it were not there, and then nothing is safe.
pub(crate) fn tabulate(program: &Program, blocked: &Blocked, budget: &Budget) -> Tabulated {
    let Some(entry) = program.entry else { return Tabulated::GivenUp };
    let mut tabulation = Tabulation::new(program, blocked);
    let mut first = Ranges::default();
    for &symbol in &tabulation.functions[&entry].mattering {
        let value = tabulation.values.first(symbol);
        tabulation.values.set(&mut first, symbol, value);
    }
    tabulation.enter(entry, first);
    while let Some(node) = tabulation.pending.pop_front() {
        let n = tabulation.nodes.len();
        let looks = node.is_multiple_of(STATES_BETWEEN_LOOKS)
            && budget.stops_after(STATE_WORK * STATES_BETWEEN_LOOKS as u64);
        if n > MAX_STATES || looks {
            return Tabulated::GivenUp;
        }
        match tabulation.expand(node) {
            Ok(()) => {}
            Err(End::Violation) => return Tabulated::Violated(tabulation.way_to(node)),
            Err(End::NotFollowed) => return Tabulated::GivenUp,
        }
    }
    match blocked.is_empty() {
        true => Tabulated::Safe(tabulation.into_table()),
        false => Tabulated::GivenUp,
    }
}

enum End {
    Violation,
    NotFollowed,
}

/// The facts about a function before it is looked at.
#[derive(Clone, Default)]
struct Info {
    /// Static variables that it, or whoever it calls, reads or changes.
    mattering: BTreeSet<SymbolId>,
    /// Those that are changed.
    changed: BTreeSet<SymbolId>,
    flow: Option<Rc<Flow>>,
}

/// The control flow of a function.
struct Flow {
    cfg: Cfg,
    liveness: Liveness,
    /// Where states are kept: at the beginnings of blocks, and before and behind calls.
    stops: FxHashSet<usize>,
}

/// A state at a place of a context.
struct Node {
    context: usize,
    at: usize,
    state: Ranges,
    from: From,
}

/// Where a state comes from.
#[derive(Clone, Copy)]
enum From {
    /// The call of its function.
    Entry,
    Step(usize),
    /// The same, where another step was possible.
    Guess(usize),
    /// The state before a call, and the state in the callee before its end.
    Call(usize, usize),
}

/// An end of a function: what holds, its result, and the state before it.
type Ending = (Ranges, Option<Wrapped>, usize);

/// A function with what holds when it is called.
struct Calls {
    function: FunctionId,
    entry: Ranges,
    at: BTreeMap<usize, Vec<usize>>,
    seen: FxHashSet<(usize, Ranges)>,
    ends: Vec<Ending>,
    /// States before calls of it.
    callers: Vec<usize>,
}

struct Tabulation<'a> {
    program: &'a Program,
    blocked: &'a Blocked,
    values: Values<'a, Wrapped>,
    functions: FxHashMap<FunctionId, Info>,
    nodes: Vec<Node>,
    contexts: Vec<Calls>,
    context_of: FxHashMap<(FunctionId, Ranges), usize>,
    pending: VecDeque<usize>,
    /// The constants that each variable was seen to hold; none if they were too many.
    constants: FxHashMap<SymbolId, Option<FxHashSet<Wrapped>>>,
}

impl<'a> Tabulation<'a> {
    fn new(program: &'a Program, blocked: &'a Blocked) -> Tabulation<'a> {
        Tabulation {
            program,
            blocked,
            values: Values::of(program),
            functions: footprints(program),
            nodes: Vec::new(),
            contexts: Vec::new(),
            context_of: FxHashMap::default(),
            pending: VecDeque::new(),
            constants: FxHashMap::default(),
        }
    }

    fn flow(&mut self, function: FunctionId) -> Rc<Flow> {
        if let Some(flow) = &self.functions[&function].flow {
            return Rc::clone(flow);
        }
        let info = &self.program.functions[function];
        let cfg = Cfg::of(info);
        let liveness = Liveness::of(self.program, function, &cfg);
        let mut stops: FxHashSet<usize> = cfg.leaders().into_iter().collect();
        for (at, instr) in info.body.iter().flatten().enumerate() {
            if matches!(instr.kind, InstrKind::Call { .. }) {
                stops.extend([at, at + 1]);
            }
        }
        let flow = Rc::new(Flow { cfg, liveness, stops });
        self.functions.entry(function).or_default().flow = Some(Rc::clone(&flow));
        flow
    }

    /// The context of a function that is called in a state of parameters and static variables.
    fn enter(&mut self, function: FunctionId, entry: Ranges) -> usize {
        if let Some(&context) = self.context_of.get(&(function, Rc::clone(&entry))) {
            return context;
        }
        let context = self.contexts.len();
        self.context_of.insert((function, Rc::clone(&entry)), context);
        self.contexts.push(Calls {
            function,
            entry: Rc::clone(&entry),
            at: BTreeMap::new(),
            seen: FxHashSet::default(),
            ends: Vec::new(),
            callers: Vec::new(),
        });
        self.add(context, 0, entry, From::Entry);
        context
    }

    /// A state is reached.
    fn add(&mut self, context: usize, at: usize, mut state: Ranges, from: From) {
        let function = self.contexts[context].function;
        let flow = self.flow(function);
        self.forget(&flow, at, &mut state);
        let calls = &mut self.contexts[context];
        if !calls.seen.insert((at, Rc::clone(&state))) {
            return;
        }
        let here = calls.at.entry(at).or_default();
        if here.len() <= FEW_STATES {
            let values = &self.values;
            let says_less = |&node: &usize| implies(values, &state, &self.nodes[node].state);
            if here.iter().any(says_less) {
                return;
            }
        }
        let node = self.nodes.len();
        here.push(node);
        self.nodes.push(Node { context, at, state, from });
        self.pending.push_back(node);
    }

    /// Forgets what nobody reads from a position on, and what has too many values.
    fn forget(&mut self, flow: &Flow, at: usize, state: &mut Ranges) {
        let program = self.program;
        let is_inside = at < flow.cfg.len();
        let mut gone = Vec::new();
        for (&symbol, &range) in state.iter() {
            let is_static = matches!(program.symbols[symbol].kind, SymbolKind::Static { .. });
            if is_inside && !is_static && !flow.liveness.is_live(at, symbol) {
                gone.push(symbol);
                continue;
            }
            let known = self.constants.entry(symbol).or_insert_with(|| Some(FxHashSet::default()));
            if let Some(values) = known {
                values.insert(range);
                if values.len() > MAX_VALUES {
                    *known = None;
                }
            }
            if known.is_none() {
                gone.push(symbol);
            }
        }
        gone.into_iter().for_each(|symbol| self.values.set(state, symbol, None));
    }

    /// Follows a state to the next places where states are kept.
    fn expand(&mut self, node: usize) -> Result<(), End> {
        let program = self.program;
        let Node { context, at, ref state, .. } = self.nodes[node];
        let (mut at, mut state) = (at, Rc::clone(state));
        let function = self.contexts[context].function;
        let flow = self.flow(function);
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        loop {
            let Some(instr) = body.get(at) else {
                self.end(context, node, &state, None);
                return Ok(());
            };
            match &instr.kind {
                InstrKind::Goto(None, _) => {
                    for to in flow.cfg.successors(at) {
                        self.add(context, to, Rc::clone(&state), From::Step(node));
                    }
                    return Ok(());
                }
                InstrKind::Goto(Some(cond), _) => {
                    let mut next = Vec::with_capacity(2);
                    for (to, outcome) in flow.cfg.successors(at).zip([false, true]) {
                        let there = self.values.assume(Rc::clone(&state), *cond, outcome);
                        next.extend(there.map(|there| (to, there)));
                    }
                    let from = if next.len() > 1 { From::Guess(node) } else { From::Step(node) };
                    for (to, there) in next {
                        let entry = &self.contexts[context].entry;
                        if !self.blocked.blocks(function, &self.nodes[node], entry, to) {
                            self.add(context, to, there, from);
                        }
                    }
                    return Ok(());
                }
                InstrKind::Assume(cond) => match self.values.assume(state, *cond, true) {
                    Some(there) => state = there,
                    None => return Ok(()),
                },
                InstrKind::Assert(cond, _) => {
                    if self.values.assume(Rc::clone(&state), *cond, false).is_some() {
                        return Err(End::Violation);
                    }
                }
                InstrKind::Assign(place, value) => {
                    let value = self.values.value(&state, *value);
                    self.write(&mut state, *place, value);
                }
                InstrKind::Call { dest, callee: Callee::Direct(callee), args } => {
                    if program.functions[*callee].body.is_some() {
                        let entry = &self.contexts[context].entry;
                        if self.blocked.blocks(function, &self.nodes[node], entry, usize::MAX) {
                            return Ok(());
                        }
                        // The state of the node is that before the call, which begins a part of its own.
                        self.call(node, &state, *callee, args);
                        return Ok(());
                    }
                    dest.iter().for_each(|&dest| self.write(&mut state, dest, None));
                }
                InstrKind::Return(value) => {
                    let value = value.and_then(|value| self.values.value(&state, value));
                    self.end(context, node, &state, value);
                    return Ok(());
                }
                InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                    self.values.set(&mut state, *symbol, None);
                }
                InstrKind::Skip | InstrKind::Label(_) => {}
                InstrKind::End(_) => return Ok(()),
                InstrKind::Unsupported(_) => return Err(End::Violation),
                _ => return Err(End::NotFollowed),
            }
            at += 1;
            if flow.stops.contains(&at) {
                self.add(context, at, state, From::Step(node));
                return Ok(());
            }
        }
    }

    fn write(&self, state: &mut Ranges, place: ExprId, value: Option<Wrapped>) {
        if let ExprKind::Symbol(symbol) = *self.program.exprs.kind(place) {
            self.values.set(state, symbol, value);
        }
    }

    /// A function is called in the state of a node.
    fn call(&mut self, node: usize, state: &Ranges, callee: FunctionId, args: &[ExprId]) {
        let program = self.program;
        let mut entry = self.only(state, &self.functions[&callee].mattering);
        for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
            let value = self.values.value(state, arg);
            let same = program.symbols[param].ty == program.exprs.ty(arg);
            self.values.set(&mut entry, param, value.filter(|_| same));
        }
        // What is not read is not told apart.
        let flow = self.flow(callee);
        self.forget(&flow, 0, &mut entry);
        let called = self.enter(callee, entry);
        self.contexts[called].callers.push(node);
        for i in 0..self.contexts[called].ends.len() {
            self.go_on(node, called, i);
        }
    }

    /// Restricts a state to some variables.
    fn only(&self, state: &Ranges, some: &BTreeSet<SymbolId>) -> Ranges {
        Rc::new(state.iter().filter(|(s, _)| some.contains(s)).map(|(&s, &r)| (s, r)).collect())
    }

    /// A function ends.
    fn end(&mut self, context: usize, node: usize, state: &Ranges, value: Option<Wrapped>) {
        let function = self.contexts[context].function;
        let end = self.only(state, &self.functions[&function].changed);
        let value = value.filter(|&value| {
            let result = result_type(self.program, function);
            let word = result.and_then(|result| self.values.word(result));
            word.is_some_and(|word| value != Wrapped::all(word))
        });
        let ends = &mut self.contexts[context].ends;
        if ends.iter().any(|(other, result, _)| *other == end && *result == value) {
            return;
        }
        ends.push((end, value, node));
        let i = ends.len() - 1;
        for caller in self.contexts[context].callers.clone() {
            self.go_on(caller, context, i);
        }
    }

    /// Goes on behind a call with one of the ends of the callee.
    fn go_on(&mut self, caller: usize, called: usize, end: usize) {
        let program = self.program;
        let Node { context, at, ref state, .. } = self.nodes[caller];
        let mut after = Rc::clone(state);
        let (end, result, last) = self.contexts[called].ends[end].clone();
        let callee = self.contexts[called].function;
        for &symbol in &self.functions[&callee].changed {
            self.values.set(&mut after, symbol, end.get(&symbol).copied());
        }
        let body = program.functions[self.contexts[context].function].body.as_deref();
        if let InstrKind::Call { dest: Some(dest), .. } = body.unwrap_or_default()[at].kind {
            let same = result_type(program, callee) == Some(program.exprs.ty(dest));
            self.write(&mut after, dest, result.filter(|_| same));
        }
        self.add(context, at + 1, after, From::Call(caller, last));
    }

    /// The places on a way to a state, in those activations of which the way says something: in functions with loops in which
    /// something that matters happens, and those that call them.
    fn way_to(&self, node: usize) -> Vec<Step> {
        let is_led = led_functions(self.program);
        // Activations that have not ended, from the innermost on, each with its steps from the last to the first.
        let mut activations = Vec::new();
        let mut innermost = Some(node);
        while let Some(node) = innermost {
            let mut steps = Vec::new();
            let mut pending = vec![node];
            while let Some(node) = pending.pop() {
                let Node { context, at, from, ref state, .. } = self.nodes[node];
                let Calls { function, ref entry, .. } = self.contexts[context];
                let (state, entry) = (Rc::clone(state), Rc::clone(entry));
                let is_guess = matches!(from, From::Guess(_));
                steps.push(Step { function, at, is_guess, state, entry });
                match from {
                    From::Step(before) | From::Guess(before) => pending.push(before),
                    From::Call(before, last) => {
                        pending.push(before);
                        let called = self.contexts[self.nodes[last].context].function;
                        pending.extend(is_led.contains(&called).then_some(last));
                    }
                    From::Entry => {}
                }
            }
            let Calls { function, ref callers, .. } = self.contexts[self.nodes[node].context];
            activations.push((function, steps));
            innermost = callers.first().copied();
        }
        let outermost = activations.into_iter().rev();
        let led = outermost.take_while(|(function, _)| is_led.contains(function));
        led.flat_map(|(_, steps)| steps.into_iter().rev()).collect()
    }

    fn into_table(self) -> Table {
        let Tabulation { nodes, contexts, .. } = self;
        let state = |node: usize| Rc::clone(&nodes[node].state);
        let contexts = contexts.into_iter().map(|calls| Context {
            function: calls.function,
            entry: calls.entry,
            at: calls
                .at
                .into_iter()
                .map(|(at, here)| (at, here.into_iter().map(state).collect()))
                .collect(),
            ends: calls.ends.into_iter().map(|(end, value, _)| (end, value)).collect(),
        });
        Table { contexts: contexts.collect() }
    }
}

/// The functions in which it matters what is done how often: those with loops in which claims or calls are, and those that
/// call such functions; and the entry.
pub(crate) fn led_functions(program: &Program) -> FxHashSet<FunctionId> {
    let mut led: FxHashSet<FunctionId> = program.entry.into_iter().collect();
    for &function in CallGraph::of(program).bottom_up().iter().flatten() {
        let info = &program.functions[function];
        let body = info.body.as_deref().unwrap_or_default();
        let cfg = Cfg::of(info);
        let matters =
            |at: &usize| matches!(body[*at].kind, InstrKind::Call { .. } | InstrKind::Assert(..));
        let mut back = (0..cfg.len())
            .filter(|&at| cfg.is_reachable(at))
            .flat_map(|at| cfg.successors(at).filter(move |&to| to <= at).map(move |to| (to, at)));
        let loops = back.any(|(head, last)| (head..=last).any(|at| matters(&at)));
        let calls = body.iter().any(|instr| match instr.kind {
            InstrKind::Call { callee: Callee::Direct(callee), .. } => led.contains(&callee),
            _ => false,
        });
        if loops || calls {
            led.insert(function);
        }
    }
    led
}

/// Returns whether one state implies another.
fn implies(values: &Values<'_, Wrapped>, holds: &Ranges, said: &Ranges) -> bool {
    said.iter().all(|(symbol, &range)| {
        let word = values.word_of(*symbol);
        holds.get(symbol).zip(word).is_some_and(|(held, word)| held.is_within(word, range))
    })
}

fn result_type(program: &Program, function: FunctionId) -> Option<TypeId> {
    match *program.types.get(program.functions[function].ty) {
        Type::Func(result, _) => Some(result),
        _ => None,
    }
}

/// The static variables that functions read and change, with those of whoever they call.
fn footprints(program: &Program) -> FxHashMap<FunctionId, Info> {
    let graph = CallGraph::of(program);
    let mut infos: FxHashMap<FunctionId, Info> = FxHashMap::default();
    let is_static =
        |symbol: SymbolId| matches!(program.symbols[symbol].kind, SymbolKind::Static { .. });
    for group in graph.bottom_up() {
        let mut of_group = Info::default();
        for &function in group {
            for instr in program.functions[function].body.iter().flatten() {
                instr.kind.for_each_expr(|expr, _| {
                    program.for_each_subexpr(expr, |sub| {
                        if let ExprKind::Symbol(symbol) = *program.exprs.kind(sub)
                            && is_static(symbol)
                        {
                            of_group.mattering.insert(symbol);
                        }
                    });
                });
                let place = match &instr.kind {
                    InstrKind::Assign(place, _) => Some(*place),
                    InstrKind::Call { dest, callee, .. } => {
                        if let Callee::Direct(callee) = callee
                            && let Some(callee) = infos.get(callee)
                        {
                            of_group.mattering.extend(&callee.mattering);
                            of_group.changed.extend(&callee.changed);
                        }
                        *dest
                    }
                    _ => None,
                };
                if let Some(place) = place
                    && let ExprKind::Symbol(symbol) = *program.exprs.kind(place)
                    && is_static(symbol)
                {
                    of_group.changed.insert(symbol);
                }
            }
        }
        for &function in group {
            infos.insert(function, of_group.clone());
        }
    }
    infos
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_evidence::{Certificate, Counterexample};
    use vergo_goto::{sample, text};
    use vergo_interp::{Schedule, SeedInputs};
    use vergo_passes::localise::Localiser;

    /// A lock that is taken and given back in a loop, unless taking it fails, by functions that are called twice.
    const LOCK: &str = "entry main; sites 9;
        static held: i32 align 4; static count: i32 align 4;
        function lock: fn() -> i32 labels 1 {
            local ok: i32 align 4; decl ok; ok := #nondet<i32>(0);
            if ok == 0i32 goto L0;
            assert held == 0i32 \"reach.error\" \"locked twice\"; held := 1i32; return 0i32;
            L0: return -5i32; }
        function unlock: fn() -> void labels 0 {
            assert held == 1i32 \"reach.error\" \"not locked\"; held := 0i32; return; }
        function main: fn() -> void labels 3 {
            local r: i32 align 4; decl r;
            L0: r := call lock(); if r < 0i32 goto L1; count := count + 1i32; call unlock();
            r := call lock(); if r != 0i32 goto L1; call unlock(); goto L0;
            L1: if held == 0i32 goto L2; assert false \"reach.error\" \"still locked\";
            L2: end 0i32; }";

    fn parse(source: &str) -> Program {
        text::parse(source).unwrap_or_else(|error| panic!("{error}"))
    }

    fn table(program: &Program) -> Table {
        match tabulate(program, &Blocked::default(), &Budget::default()) {
            Tabulated::Safe(table) => table,
            Tabulated::Violated(way) => panic!("violated: {way:?}"),
            Tabulated::GivenUp => panic!("given up"),
        }
    }

    fn is_accepted(program: &Program, table: &Table) -> bool {
        Certificate::tabulated(program, table, &Budget::default()).is_ok()
    }

    #[test]
    fn a_table_is_accepted_and_no_less() {
        let program = parse(LOCK);
        assert!(is_accepted(&program, &table(&program)));
        let contexts = table(&program).contexts.len();
        for i in 0..contexts {
            let mut less = table(&program);
            less.contexts.remove(i);
            assert!(!is_accepted(&program, &less), "without context {i}");
            // One of several entries may say what another says.
            let mut less = table(&program);
            if !std::mem::take(&mut less.contexts[i].ends).is_empty() {
                assert!(!is_accepted(&program, &less), "context {i} without ends");
            }
            for at in table(&program).contexts[i].at.keys() {
                let mut less = table(&program);
                less.contexts[i].at.insert(*at, Vec::new());
                assert!(!is_accepted(&program, &less), "context {i} at {at}");
            }
        }
        assert!(contexts >= 3);
    }

    #[test]
    fn what_does_not_hold_is_refused() {
        let program = parse(LOCK);
        let named = |name: &str| {
            let found = program.symbols.iter().find(|(_, info)| info.name == name);
            found.unwrap_or_else(|| panic!("no {name}")).0
        };
        let values: Values<'_, Wrapped> = Values::of(&program);
        let word = values.word_of(named("held")).unwrap_or_else(|| panic!("no word"));
        // Somewhere one more thing is said, of either variable.
        for (name, value) in [("held", 1), ("held", 5), ("count", 3)] {
            let range = Some(Wrapped::constant(word, value));
            for i in 0..table(&program).contexts.len() {
                let mut more = table(&program);
                let is_new = |entry: &Ranges| entry.get(&named(name)) != range.as_ref();
                let entry = &mut more.contexts[i].entry;
                if is_new(entry) {
                    values.set(entry, named(name), range);
                    assert!(!is_accepted(&program, &more), "{name} at the call of {i}");
                }
            }
        }
        // A claim that fails, and one that is not followed.
        let wrong = LOCK.replace("held := 0i32; return;", "return;");
        assert!(!is_accepted(&parse(&wrong), &table(&program)));
        assert!(matches!(
            tabulate(&parse(&wrong), &Blocked::default(), &Budget::default()),
            Tabulated::Violated(_)
        ));
    }

    #[test]
    fn nothing_is_said_of_variables_with_addresses() {
        let program = parse(
            "entry main; static x: i32 align 4; static p: i32* align 8;
             function main: fn() -> void labels 0 {
                 p := &x; *p := 1i32; assert x == 0i32 \"reach.error\" \"zero\"; end 0i32; }",
        );
        if let Tabulated::Safe(table) = tabulate(&program, &Blocked::default(), &Budget::default())
        {
            assert!(!is_accepted(&program, &table));
        }
    }

    #[test]
    fn tables_of_random_programs_are_accepted_and_right() {
        let (mut n_safe, mut n_violated) = (0, 0);
        for seed in 0..120 {
            let program = sample::program(seed);
            let Some(localiser) = Localiser::new(&program) else { continue };
            for kept in localiser.choices() {
                let weaker = localiser.localise(&kept);
                match tabulate(&weaker, &Blocked::default(), &Budget::default()) {
                    Tabulated::Safe(table) => {
                        let accepted = Certificate::tabulated(&weaker, &table, &Budget::default());
                        assert!(accepted.is_ok(), "seed {seed}: {accepted:?}");
                        n_safe += 1;
                        for inputs in 0..20 {
                            let found = Counterexample::search(
                                &weaker,
                                SeedInputs::new(inputs),
                                Schedule::RoundRobin,
                                20_000,
                                &Budget::default(),
                            );
                            assert!(found.is_err(), "seed {seed}, inputs {inputs}");
                        }
                    }
                    Tabulated::Violated(_) => n_violated += 1,
                    Tabulated::GivenUp => {}
                }
            }
        }
        assert!(n_safe > 5 && n_violated > 5, "{n_safe} {n_violated}");
    }
}
