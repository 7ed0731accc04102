//! The executor: instructions in order, paths merged where they meet, loops up to bounds.
//!
//! A function is executed in the order of its instructions. A forward jump leaves the state of the executions that take
//! it at its target, where it is merged with those that come another way. A backward jump goes round: the executions
//! that do not take it wait behind it. The number of rounds in which something was undecided is bounded; a round in
//! which every test had a constant outcome does not count, so loops with a constant number of rounds end by themselves.
//! A decided round in which nothing was written would go on for ever and is left out: nothing can be violated there.
//! Calls are executed in place. This is algorithms 2 and 3 of the thesis with merging instead of path enumeration.

use crate::dispatch::Dispatch;
use crate::eval::{Evaluator, Value};
use crate::initial::Initial;
use crate::loops::{LoopBounds, Shape};
use crate::memory::ObjectId;
use crate::pointer::OBJECT_BITS;
use crate::scalar::Scalar;
use crate::state::State;
use crate::trace::{Fault, Obligation, ObligationKind, Step, StepKind, Trace};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Exit, FunctionId, Instr, InstrKind, Program, SymbolId};
use vergo_goto::types::TypeId;
use vergo_source::Span;
use vergo_term::{Sort, TermId, TermStore};

/// How far to go.
pub struct Options<'a> {
    /// Undecided rounds of each loop, each time it is entered.
    pub unwind: u32,
    /// Other bounds for some loops.
    pub loop_bounds: &'a LoopBounds,
    /// Undecided activations of one function at a time.
    pub recursion: u32,
    /// All rounds of each loop, and all activations of one function at a time, also the decided ones: a limit for what
    /// never ends.
    pub decided: u64,
    /// How many instructions may be executed.
    pub max_steps: u64,
    /// Asked now and then; execution ends early when it says so.
    pub stop: &'a dyn Fn() -> bool,
    /// Asked before another undecided round or activation: whether any execution satisfies its condition. If it says no,
    /// nobody goes there.
    pub feasible: &'a dyn Fn(&TermStore, Site, TermId) -> bool,
}

/// Where the question comes up whether executions can get on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Site {
    /// Another round of the loop with its head at a position of a function.
    Loop(FunctionId, usize),
    /// Another activation of a function, with how many undecided ones there are.
    Recursion(FunctionId, u32),
}

/// After how many instructions it is asked whether to stop.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// The site of choices that no instruction of the program makes.
pub(crate) const NO_SITE: u32 = u32::MAX;

impl Options<'_> {
    /// One bound for everything, and no other limit.
    pub fn bounded(unwind: u32, recursion: u32) -> Options<'static> {
        static NO_LOOPS: LoopBounds = LoopBounds::new();
        Options {
            unwind,
            loop_bounds: &NO_LOOPS,
            recursion,
            decided: u64::MAX,
            max_steps: u64::MAX,
            stop: &|| false,
            feasible: &|_, _, _| true,
        }
    }
}

/// Executes a program from its entry.
pub fn execute(program: &Program, store: &mut TermStore, options: &Options<'_>) -> Trace {
    let mut executor = Executor::new(program, store, options);
    if let Some(entry) = program.entry {
        let state = executor.initial_state();
        executor.call(state, entry, &[], Span::DUMMY);
    }
    let mut trace = executor.trace;
    trace.constraints.append(&mut executor.eval.objects.constraints);
    trace.fresh = PrimaryMap::from_iter(executor.eval.objects.fresh);
    trace
}

pub(crate) struct Executor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) eval: Evaluator<'a>,
    pub(crate) options: &'a Options<'a>,
    pub(crate) trace: Trace,
    pub(crate) frames: Vec<Frame>,
    /// For each function, its active calls: how many of them were undecided, and the guard of the last.
    pub(crate) activations: SecondaryMap<FunctionId, Vec<(u32, TermId)>>,
    shapes: SecondaryMap<FunctionId, Option<Rc<Shape>>>,
    dispatch: Dispatch,
    /// Satisfied by the executions that have met no fault so far.
    fine: TermId,
    n_steps: u64,
    n_inputs: BTreeMap<u32, u32>,
    /// Claims that were found to hold without a question.
    held: FxHashSet<(FunctionId, usize)>,
    /// Variables to which there can be pointers: while an older object of theirs may be pointed to, a declaration makes
    /// a new one.
    pub(crate) addressed: FxHashSet<SymbolId>,
    /// What execution in segments has besides; without cuts, execution goes on to the end.
    pub(crate) cuts: Cuts,
}

/// Where executions of the entry function stop, and the objects that variables and allocations there have in every
/// segment.
#[derive(Default)]
pub(crate) struct Cuts {
    /// Positions in the entry function.
    pub(crate) at: BTreeSet<usize>,
    /// The states that have come to each.
    pub(crate) arrived: BTreeMap<usize, State>,
    pub(crate) locals: BTreeMap<SymbolId, ObjectId>,
    /// An allocation in a loop without a cut has an object per round.
    pub(crate) allocations: BTreeMap<usize, Vec<ObjectId>>,
    /// How many rounds a loop without a cut may make in a segment, all of them decided.
    pub(crate) max_rounds: u32,
    /// The rounds that such loops have made.
    pub(crate) n_rounds: BTreeMap<usize, u32>,
    /// The heads of those that made more, or undecided ones.
    pub(crate) undecided: BTreeSet<usize>,
}

/// An activation of a function.
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    /// The position of the instruction that is executed.
    pub(crate) at: usize,
    /// Objects that die with it.
    pub(crate) objects: Vec<ObjectId>,
    /// The objects of variables to which there can be no pointers.
    pub(crate) homes: FxHashMap<SymbolId, ObjectId>,
    /// States that wait at an instruction, all behind the present one.
    waiting: BTreeMap<usize, State>,
    /// The rounds under way of each loop, by its head.
    rounds: BTreeMap<usize, Rounds>,
    /// What has returned so far.
    pub(crate) returned: Option<State>,
    /// Where the result is kept: an object of the return type.
    pub(crate) result: Option<ObjectId>,
}

/// Rounds of a loop.
struct Rounds {
    /// How many there were.
    all: u64,
    /// How many were undecided.
    undecided: u32,
    /// The state with which the present one began.
    began: State,
}

impl Frame {
    pub(crate) fn new(function: FunctionId) -> Frame {
        Frame {
            function,
            at: 0,
            objects: Vec::new(),
            homes: FxHashMap::default(),
            waiting: BTreeMap::new(),
            rounds: BTreeMap::new(),
            returned: None,
            result: None,
        }
    }
}

impl<'a> Executor<'a> {
    pub(crate) fn new(
        program: &'a Program,
        store: &'a mut TermStore,
        options: &'a Options<'a>,
    ) -> Executor<'a> {
        let fine = store.true_term();
        Executor {
            eval: Evaluator::new(program, store),
            program,
            options,
            trace: Trace::default(),
            frames: Vec::new(),
            activations: SecondaryMap::new(),
            shapes: SecondaryMap::new(),
            dispatch: Dispatch::default(),
            fine,
            n_steps: 0,
            n_inputs: BTreeMap::new(),
            held: FxHashSet::default(),
            addressed: addressed_in(program),
            cuts: Cuts::default(),
        }
    }

    /// Executes the entry function from a position up to the cuts; gives what happened on the way. The states that
    /// arrive are in `cuts`.
    pub(crate) fn run_segment(&mut self, from: usize, state: State) -> Trace {
        self.trace = Trace::default();
        self.fine = self.eval.store.true_term();
        self.n_steps = 0;
        self.n_inputs.clear();
        self.held.clear();
        self.cuts.arrived.clear();
        self.cuts.n_rounds.clear();
        let Some(entry) = self.program.entry else { return Trace::default() };
        if let Some(body) = self.program.functions[entry].body.as_deref() {
            self.frames.push(Frame::new(entry));
            self.eval.depth = self.frames.len();
            self.eval.next_instruction();
            self.body(state, body, from);
            self.frames.pop();
        }
        std::mem::take(&mut self.trace)
    }

    /// The state in which static variables have their first values.
    pub(crate) fn initial_state(&mut self) -> State {
        let mut state = State::new(self.eval.store.true_term());
        self.make_statics(&mut state);
        state
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is under way")
    }

    /// Executes a function's instructions from a position; what returns is left in the frame. That the position is a cut
    /// counts for those who come back to it.
    pub(crate) fn body(&mut self, state: State, body: &[Instr], from: usize) {
        let mut current = Some(state);
        let mut at = from;
        let mut begins = true;
        loop {
            if let Some(waiting) = self.frame().waiting.remove(&at) {
                current = Some(match current.take() {
                    Some(mut state) => {
                        state.merge(&mut self.eval.ctx(), &waiting);
                        state
                    }
                    None => waiting,
                });
            }
            if self.trace.cut_short.is_some() {
                return;
            }
            if !std::mem::take(&mut begins)
                && self.is_cut(at)
                && let Some(state) = current.take()
            {
                self.arrive(at, state);
            }
            let Some(state) = current.take() else {
                // Nobody is here: on to where somebody waits.
                match self.frame().waiting.keys().next() {
                    Some(&next) => at = next,
                    None => return,
                }
                continue;
            };
            let Some(instr) = body.get(at) else {
                // Falling off the end returns.
                self.give_back(state);
                match self.frame().waiting.keys().next() {
                    Some(&next) if next < body.len() => at = next,
                    _ => return,
                }
                continue;
            };
            self.count_step();
            self.eval.next_instruction();
            self.frame().at = at;
            match instr.kind {
                InstrKind::Goto(cond, label) => {
                    let target = self.shape().labels[label.index()];
                    (current, at) = self.jump(state, instr, cond, at, target);
                }
                _ => {
                    current = self.instruction(state, instr);
                    at += 1;
                }
            }
        }
    }

    fn count_step(&mut self) {
        self.n_steps += 1;
        if self.n_steps > self.options.max_steps {
            self.cut_short("too many instructions");
        } else if self.n_steps.is_multiple_of(STEPS_BETWEEN_LOOKS) && (self.options.stop)() {
            self.cut_short("out of time");
        }
    }

    /// Ends the execution early.
    pub(crate) fn cut_short(&mut self, why: &str) {
        self.trace.cut_short.get_or_insert_with(|| why.to_owned());
    }

    fn shape(&mut self) -> Rc<Shape> {
        let function = self.frame().function;
        if let Some(shape) = &self.shapes[function] {
            return shape.clone();
        }
        let shape = Rc::new(Shape::of(&self.program.functions[function]));
        self.shapes[function] = Some(shape.clone());
        shape
    }

    /// How many undecided rounds a loop may make, and what it is if it wants more.
    fn bound(&mut self, head: usize) -> (u32, ObligationKind) {
        if !self.options.loop_bounds.is_empty() {
            let number = self.shape().heads.partition_point(|&other| other < head);
            let key = (self.frame().function, number);
            if let Some(&bound) = self.options.loop_bounds.get(&key) {
                return (bound, ObligationKind::OwnBound);
            }
        }
        (self.options.unwind, ObligationKind::Unwinding)
    }

    /// A jump: gives the state to go on with, and where.
    fn jump(
        &mut self,
        mut state: State,
        instr: &Instr,
        cond: Option<ExprId>,
        at: usize,
        target: usize,
    ) -> (Option<State>, usize) {
        let cond = match cond {
            Some(cond) => self.eval.term(&mut state, cond),
            None => self.eval.store.true_term(),
        };
        self.settle(state.guard, instr.span);
        let (taken, not_taken) = self.dispatch.split(self.eval.store, state.guard, cond);
        let never = self.eval.store.false_term();
        if taken == never {
            return (Some(state), at + 1);
        }
        let stays = (not_taken != never).then(|| state.under(not_taken));
        state.guard = taken;
        if target > at {
            self.wait(target, state);
            return (stays, at + 1);
        }
        if self.is_cut(target) {
            self.arrive(target, state);
            return (stays, at + 1);
        }
        // A backward jump: another round.
        if let Some(stays) = stays {
            self.wait(at + 1, stays);
        }
        let (all, undecided) = match self.frame().rounds.get(&target) {
            Some(rounds) if rounds.began.guard == taken => {
                if rounds.began.is_same(&state) {
                    return (None, at + 1);
                }
                (rounds.all + 1, rounds.undecided)
            }
            Some(rounds) => (rounds.all + 1, rounds.undecided + 1),
            None => (1, 1),
        };
        if self.has_cuts() {
            let n_rounds = self.cuts.n_rounds.entry(target).or_insert(0);
            *n_rounds += 1;
            if undecided > 1 || *n_rounds > self.cuts.max_rounds {
                self.cuts.undecided.insert(target);
                self.trace.cut_short = Some("a loop needs a cut".to_owned());
                return (None, at + 1);
            }
        }
        let (bound, kind) = self.bound(target);
        if undecided > bound || all > self.options.decided {
            self.oblige(kind, taken, instr.span);
            self.frame().rounds.remove(&target);
            return (None, at + 1);
        }
        let is_undecided = self.frame().rounds.get(&target).is_none_or(|r| r.undecided < undecided);
        if is_undecided && !self.has_cuts() {
            let site = Site::Loop(self.frame().function, target);
            if !(self.options.feasible)(self.eval.store, site, taken) {
                self.frame().rounds.remove(&target);
                return (None, at + 1);
            }
        }
        // Loops inside begin anew.
        let frame = self.frame();
        while let Some((&inner, _)) = frame.rounds.range(target + 1..=at).next() {
            frame.rounds.remove(&inner);
        }
        frame.rounds.insert(target, Rounds { all, undecided, began: state.clone() });
        (Some(state), target)
    }

    /// Whether the present function is the one with cuts.
    fn has_cuts(&self) -> bool {
        self.frames.len() == 1 && self.cuts.max_rounds > 0
    }

    /// Whether executions stop at a position of the present function.
    fn is_cut(&self, at: usize) -> bool {
        self.frames.len() == 1 && self.cuts.at.contains(&at)
    }

    fn arrive(&mut self, at: usize, state: State) {
        let earlier = self.cuts.arrived.remove(&at);
        let merged = self.merged(earlier, state);
        self.cuts.arrived.insert(at, merged);
    }

    fn wait(&mut self, at: usize, state: State) {
        let earlier = self.frame().waiting.remove(&at);
        let merged = self.merged(earlier, state);
        self.frame().waiting.insert(at, merged);
    }

    fn give_back(&mut self, state: State) {
        let earlier = self.frame().returned.take();
        let merged = self.merged(earlier, state);
        self.frame().returned = Some(merged);
    }

    /// A state together with those that came earlier to the same place.
    fn merged(&mut self, earlier: Option<State>, state: State) -> State {
        match earlier {
            Some(mut earlier) => {
                earlier.merge(&mut self.eval.ctx(), &state);
                earlier
            }
            None => state,
        }
    }

    /// Something must not be reached.
    pub(crate) fn oblige(&mut self, kind: ObligationKind, guard: TermId, span: Span) {
        let truth = self.eval.store.true_term();
        self.oblige_not(kind, guard, truth, span);
    }

    /// Something must not be reached while a condition holds.
    fn oblige_not(&mut self, kind: ObligationKind, guard: TermId, fails: TermId, span: Span) {
        let violation = self.eval.store.and(guard, fails);
        if violation != self.eval.store.false_term() || matches!(kind, ObligationKind::Claim(_)) {
            let replayable = self.eval.store.and(violation, self.fine);
            self.trace.obligations.push(Obligation { kind, violation, replayable, fails, span });
        }
    }

    /// Takes note of what evaluation under a guard has found: faults, approximations, things left out.
    pub(crate) fn settle(&mut self, guard: TermId, span: Span) {
        for (condition, what) in std::mem::take(&mut self.eval.faults) {
            let condition = self.eval.store.and(guard, condition);
            if condition != self.eval.store.false_term() {
                let not = self.eval.store.not(condition);
                self.fine = self.eval.store.and(self.fine, not);
                self.trace.faults.push(Fault { condition, span, what });
            }
        }
        for (condition, what) in std::mem::take(&mut self.eval.objects.left_out) {
            let condition = self.eval.store.and(guard, condition);
            self.oblige(ObligationKind::Unsupported(what.to_owned()), condition, span);
        }
        for what in std::mem::take(&mut self.eval.objects.approximations) {
            self.approximate(span, what);
        }
    }

    pub(crate) fn approximate(&mut self, span: Span, what: &str) {
        if !self.trace.approximations.iter().any(|(other, text)| *other == span && text == what) {
            self.trace.approximations.push((span, what.to_owned()));
        }
    }

    /// Any instruction but a jump: gives the state after it, if there is one.
    fn instruction(&mut self, mut state: State, instr: &Instr) -> Option<State> {
        let span = instr.span;
        match &instr.kind {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::Goto(..) => {}
            InstrKind::Assign(place, value) => self.assign(&mut state, *place, *value, span),
            InstrKind::Assume(cond) => {
                let cond = self.eval.term(&mut state, *cond);
                self.settle(state.guard, span);
                let guard = self.eval.store.and(state.guard, cond);
                if guard == self.eval.store.false_term() {
                    return None;
                }
                // An assumption is not a choice: what is under way is as decided as it was.
                let rounds = self.frames.iter_mut().flat_map(|frame| frame.rounds.values_mut());
                rounds
                    .filter(|rounds| rounds.began.guard == state.guard)
                    .for_each(|rounds| rounds.began.guard = guard);
                for frame in &self.frames {
                    for (_, began) in &mut self.activations[frame.function] {
                        if *began == state.guard {
                            *began = guard;
                        }
                    }
                }
                state.guard = guard;
            }
            InstrKind::Assert(cond, claim) => {
                let cond = self.eval.term(&mut state, *cond);
                self.settle(state.guard, span);
                let fails = self.eval.store.not(cond);
                // Where a claim holds without a question, it is mentioned once.
                let holds = self.eval.store.and(state.guard, fails) == self.eval.store.false_term();
                let here = (self.frame().function, self.frame().at);
                if !holds || self.held.insert(here) {
                    self.oblige_not(ObligationKind::Claim(claim.clone()), state.guard, fails, span);
                }
            }
            InstrKind::Call { dest, callee, args } => {
                return self.call_instruction(state, *dest, callee, args, span);
            }
            InstrKind::Return(value) => {
                if let (Some(value), Some(result)) = (value, self.frame().result) {
                    let ty = self.program.exprs.ty(*value);
                    let value = self.eval.value(&mut state, *value);
                    self.settle(state.guard, span);
                    if let Some(object) = state.object_mut(result) {
                        self.eval.put(&mut object.content, 0, None, ty, value);
                    }
                }
                self.give_back(state);
                return None;
            }
            InstrKind::Decl(symbol) => self.declare(&mut state, *symbol, span),
            InstrKind::Dead(symbol) => self.bury(&mut state, *symbol),
            InstrKind::Alloc { dest, size, align, region, zeroed } => {
                self.allocate(&mut state, *dest, *size, *align, *region, *zeroed, span);
            }
            InstrKind::Free(pointer, region) => self.free(&mut state, *pointer, *region),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => {
                return self.unsupported(state, "threads", span);
            }
            InstrKind::Intrinsic { op, dest, args } => {
                return self.intrinsic(state, *op, *dest, args, span);
            }
            InstrKind::End(Exit::Status(_) | Exit::Abort) => return None,
            InstrKind::Unsupported(what) => return self.unsupported(state, what, span),
        }
        self.settle(state.guard, span);
        Some(state)
    }

    pub(crate) fn unsupported(&mut self, state: State, what: &str, span: Span) -> Option<State> {
        self.oblige(ObligationKind::Unsupported(what.to_owned()), state.guard, span);
        None
    }

    fn assign(&mut self, state: &mut State, place: ExprId, value: ExprId, span: Span) {
        let value = match *self.program.exprs.kind(value) {
            ExprKind::Nondet(site) => self.input(state, site, self.program.exprs.ty(value), span),
            _ => self.eval.value(state, value),
        };
        let place = self.eval.place(state, place);
        self.eval.store_to(state, &place, &value);
    }

    /// A nondeterministic choice. Its variable is named by site and count, so that it is the same in the next execution
    /// with a larger bound.
    pub(crate) fn input(&mut self, state: &State, site: u32, ty: TypeId, span: Span) -> Value {
        let count = self.n_inputs.entry(site).or_insert(0);
        *count += 1;
        let name = format!("input!{site}!{count}");
        let guard = state.guard;
        let Some(scalar) = self.eval.scalar(ty) else {
            let size = self.program.size_of(ty).unwrap_or(0);
            let value = self.eval.objects.new_fresh(&name);
            self.trace.steps.push(Step {
                guard,
                span,
                kind: StepKind::Bytes { site, value, size },
            });
            let content = crate::content::Content::new(Initial::Fresh(value), Some(size));
            return Value::Block(Box::new(content));
        };
        let store = &mut *self.eval.store;
        let (value, term) = match scalar {
            // Any address, attached to nothing.
            Scalar::Pointer => {
                let address = store.var(&name, Sort::BitVec(self.eval.objects.width()));
                let none = store.bv_u64(OBJECT_BITS, 0);
                (address, store.bv_concat(none, address))
            }
            _ => {
                let sort = self.eval.ctx().sort(scalar);
                let value = self.eval.store.var(&name, sort);
                (value, value)
            }
        };
        self.trace.steps.push(Step { guard, span, kind: StepKind::Input { site, value, ty } });
        Value::Term(term)
    }
}

/// The variables whose address is taken somewhere.
fn addressed_in(program: &Program) -> FxHashSet<SymbolId> {
    let address_of = |kind: &ExprKind| match *kind {
        ExprKind::AddressOf(place) => program.root_variable(place),
        _ => None,
    };
    program.exprs.iter().filter_map(|(_, expr)| address_of(&expr.kind)).collect()
}
