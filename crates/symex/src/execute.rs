//! The executor: instructions in order, paths merged where they meet, loops up to bounds.
//!
//! A function is executed in the order of its instructions. A forward jump leaves the state of the executions that take
//! it at its target, where it is merged with those that come another way. Those that jump backward stay until the last
//! jump back to the same place, so that a loop makes one round for all of them, however many ways there are to continue
//! it; then they go round, and those that do not wait behind. The number of rounds in which something was undecided is
//! bounded; a round that all who began it have gone to its end does not count, so loops with a constant number of rounds
//! end by themselves. (Unless there is no way out of the loop, and other things were undecided on the way.)
//! A decided round in which nothing was written would go on for ever and is left out: nothing can be violated there.
//! Calls are executed in place. This is algorithms 2 and 3 of the thesis with merging instead of path enumeration.

use crate::eval::{Evaluator, Value};
use crate::execution::{Execution, Frame, Paused, Rounds};
use crate::guide::{Progress, Turn};
use crate::initial::Initial;
use crate::loops::{LoopBounds, RANGE_ROUNDS, Shape, is_over_range};
use crate::memory::ObjectId;
use crate::pointer::OBJECT_BITS;
use crate::scalar::Scalar;
use crate::state::State;
use crate::trace::{Fault, Obligation, ObligationKind, Step, StepKind, Trace};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Exit, FunctionId, Instr, InstrKind, Program, SymbolId};
use vergo_goto::types::TypeId;
use vergo_source::Span;
use vergo_term::{Sort, TermId, TermStore};

/// The bounds of execution.
pub struct Options<'a> {
    /// Undecided rounds of each loop, each time it is entered.
    pub unwind: u32,
    /// Other bounds for some loops.
    pub loop_bounds: &'a LoopBounds,
    /// Undecided activations of one function at a time.
    pub recursion: u32,
    /// All rounds of each loop (those with choices inside count more), and all activations of one function at a time,
    /// also the decided ones: a limit for what never ends.
    pub decided: u64,
    /// The way to go, of which the first activation is a part; empty for all ways.
    pub way: &'a [Turn],
    /// True if pointers from outside can point to memory of which the program knows nothing else.
    pub outside: bool,
    /// The greatest number of instructions.
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
    /// A byte that is not there of the block that a function reads or writes.
    Block(FunctionId),
}

/// After how many instructions it is asked whether to stop.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// About how many nanoseconds of work there are between two calls of [`Options::stop`].
pub const WORK_BETWEEN_LOOKS: u64 = STEPS_BETWEEN_LOOKS * 2_000;

/// As many rounds does one count in which tests had no constant outcome: it makes formulas larger and harder.
const ROUND_WITH_CHOICES: u64 = 64;

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
            way: &[],
            outside: false,
            max_steps: u64::MAX,
            stop: &|| false,
            feasible: &|_, _, _| true,
        }
    }
}

/// Executes a program from its entry.
pub fn execute(program: &Program, store: &mut TermStore, options: &Options<'_>) -> Trace {
    execute_on(program, store, options, None).0
}

/// Executes a program from where an earlier execution of it with smaller bounds was paused, or else from its entry. Gives
/// also where this one can go on with larger bounds, if that is not at the entry again.
pub fn execute_on(
    program: &Program,
    store: &mut TermStore,
    options: &Options<'_>,
    paused: Option<Paused>,
) -> (Trace, Option<Paused>) {
    let mut executor = Executor::new(program, store, options);
    match (paused, program.entry) {
        (_, None) => {}
        (Some(paused), Some(_)) => executor.resume(paused),
        (None, Some(entry)) => {
            let state = executor.initial_state();
            let is_guided = !options.way.is_empty();
            executor.call(state, entry, &[], is_guided, Span::DUMMY);
        }
    }
    let mut trace = executor.execution.trace;
    trace.n_steps = executor.execution.n_steps;
    trace.constraints.append(&mut executor.eval.objects.constraints);
    trace.sizes = executor.eval.objects.unknown_sizes(executor.eval.store);
    trace.addresses = executor.eval.objects.addresses();
    trace.fixtures = executor.eval.objects.fixtures();
    trace.outside = executor.eval.objects.followed_outside();
    trace.fresh = PrimaryMap::from_iter(executor.eval.objects.fresh);
    (trace, executor.paused)
}

pub(crate) struct Executor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) eval: Evaluator<'a>,
    pub(crate) options: &'a Options<'a>,
    pub(crate) execution: Execution,
    shapes: SecondaryMap<FunctionId, Option<Rc<Shape>>>,
    /// Variables to which there can be pointers: while an older object of theirs may be pointed to, a declaration makes
    /// a new one.
    pub(crate) addressed: FxHashSet<SymbolId>,
    /// The cuts of execution in segments; without cuts, execution goes on to the end.
    pub(crate) cuts: Cuts,
    /// True if a bound has ended something so far; and if that was a loop, how things were then.
    is_bounded: bool,
    paused: Option<Paused>,
    pub(crate) guide_progress: Progress,
    /// True if the program claims that even pointers to blocks of no bytes are valid; found out when it first matters.
    pub(crate) claims_blocks: std::cell::OnceCell<bool>,
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
    /// The greatest number of rounds of a loop without a cut in a segment, all of them decided.
    pub(crate) max_rounds: u32,
    /// The rounds that such loops have made.
    pub(crate) n_rounds: BTreeMap<usize, u32>,
    /// The heads of those that made more, or undecided ones.
    pub(crate) undecided: BTreeSet<usize>,
}

impl<'a> Executor<'a> {
    pub(crate) fn new(
        program: &'a Program,
        store: &'a mut TermStore,
        options: &'a Options<'a>,
    ) -> Executor<'a> {
        let execution = Execution::new(store.true_term());
        Executor {
            eval: Evaluator::new(program, store),
            program,
            options,
            execution,
            shapes: SecondaryMap::new(),
            addressed: addressed_in(program),
            cuts: Cuts::default(),
            is_bounded: false,
            paused: None,
            guide_progress: Progress::default(),
            claims_blocks: std::cell::OnceCell::new(),
        }
    }

    /// Takes note of how things are before a bound ends the rounds of a loop whose next would begin with a state, if it
    /// is the first such end of all.
    fn pause(&mut self, at: usize, state: &State) {
        if self.is_bounded || self.has_cuts() || !self.has_direct_calls() {
            return;
        }
        self.frame().returning.insert(at, state.clone());
        let (execution, objects) = (self.execution.clone(), self.eval.objects.clone());
        self.frame().returning.remove(&at);
        self.paused = Some(Paused { at, execution, objects });
    }

    /// Goes on from where an execution was paused.
    fn resume(&mut self, paused: Paused) {
        self.execution = paused.execution;
        self.eval.objects = paused.objects;
        self.eval.depth = self.execution.frames.len();
        self.resume_calls(paused.at);
    }

    /// Executes the entry function from a position up to the cuts; gives what happened on the way. The states that
    /// arrive are in `cuts`.
    pub(crate) fn run_segment(&mut self, from: usize, state: State) -> Trace {
        self.execution = Execution::new(self.eval.store.true_term());
        self.eval.objects.library_calls.clear();
        self.cuts.arrived.clear();
        self.cuts.n_rounds.clear();
        let Some(entry) = self.program.entry else { return Trace::default() };
        if let Some(body) = self.program.functions[entry].body.as_deref() {
            self.execution.frames.push(Frame::new(entry));
            self.eval.depth = self.execution.frames.len();
            self.eval.next_instruction();
            self.body(Some(state), body, from);
            self.execution.frames.pop();
        }
        std::mem::take(&mut self.execution.trace)
    }

    /// The state in which static variables have their first values.
    pub(crate) fn initial_state(&mut self) -> State {
        let mut state = State::new(self.eval.store.true_term());
        if self.options.outside {
            self.make_outside(&mut state);
        }
        self.make_statics(&mut state);
        state
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.execution.frames.last_mut().expect("a call is under way")
    }

    /// Executes a function's instructions from a position; what returns is left in the frame. That the position is a cut
    /// counts for those who come back to it.
    pub(crate) fn body(&mut self, state: Option<State>, body: &[Instr], from: usize) {
        let mut current = state;
        let mut at = from;
        let mut begins = true;
        loop {
            if let Some(waiting) = self.frame().waiting.remove(&at) {
                current = Some(self.merged(current.take(), waiting));
            }
            if self.execution.trace.cut_short.is_some() {
                return;
            }
            if !std::mem::take(&mut begins)
                && self.is_cut(at)
                && let Some(state) = current.take()
            {
                self.arrive(at, state);
            }
            if let Some(state) = current.take() {
                current = self.step(state, body, at);
            }
            if let Some(returning) = self.frame().returning.remove(&at) {
                if let Some(stays) = current.take() {
                    self.wait(at + 1, stays);
                }
                if let Some((state, head)) = self.go_round(returning, &body[at], at) {
                    (current, at) = (Some(state), head);
                    continue;
                }
            }
            if current.is_some() {
                at += 1;
                continue;
            }
            // Nobody is here: on to where somebody is.
            match self.frame().next_stop() {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    /// Executes the instruction at a position; gives the state that goes on behind it.
    fn step(&mut self, state: State, body: &[Instr], at: usize) -> Option<State> {
        let Some(instr) = body.get(at) else {
            // Falling off the end returns.
            self.give_back(state);
            return None;
        };
        self.count_step();
        self.eval.next_instruction();
        self.frame().at = at;
        self.note_place();
        match instr.kind {
            InstrKind::Goto(cond, label) => {
                let target = self.shape().labels[label.index()];
                self.jump(state, instr, cond, at, target)
            }
            _ => self.instruction(state, instr),
        }
    }

    pub(crate) fn n_steps(&self) -> u64 {
        self.execution.n_steps
    }

    fn count_step(&mut self) {
        self.execution.n_steps += 1;
        if self.execution.n_steps > self.options.max_steps {
            self.cut_short("too many instructions");
        } else if self.execution.n_steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
            && (self.options.stop)()
        {
            self.cut_short("out of time");
        }
    }

    /// Ends the execution early.
    pub(crate) fn cut_short(&mut self, why: &str) {
        self.execution.trace.cut_short.get_or_insert_with(|| why.to_owned());
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

    /// Returns the greatest number of undecided rounds of a loop, and the kind of obligation if it needs more.
    fn bound(&mut self, head: usize) -> (u32, ObligationKind) {
        if !self.options.loop_bounds.is_empty() {
            let number = self.shape().number(head);
            let key = (self.frame().function, number);
            if let Some(&bound) = self.options.loop_bounds.get(&key) {
                return (bound, ObligationKind::OwnBound);
            }
        }
        let factor = if self.is_over_range(head) { RANGE_ROUNDS } else { 1 };
        (self.options.unwind.saturating_mul(factor), ObligationKind::Unwinding)
    }

    fn is_over_range(&mut self, head: usize) -> bool {
        is_over_range(self.program, self.frame().function, head)
    }

    /// A jump: gives the state of those that do not take it.
    fn jump(
        &mut self,
        mut state: State,
        instr: &Instr,
        cond: Option<ExprId>,
        at: usize,
        target: usize,
    ) -> Option<State> {
        let cond = match cond {
            Some(cond) => self.eval.term(&mut state, cond),
            None => self.eval.store.true_term(),
        };
        self.settle(state.guard, instr.span);
        let (mut taken, mut not_taken) =
            self.execution.dispatch.split(self.eval.store, state.guard, cond);
        let never = self.eval.store.false_term();
        if let InstrKind::Goto(Some(_), _) = instr.kind {
            let turn = self.turn_at_branch(at);
            if let Some(is_taken) = turn {
                let goes_on = if is_taken { taken } else { not_taken };
                self.note_turn(state.guard, goes_on);
                match is_taken {
                    _ if goes_on == never => return None,
                    true => not_taken = never,
                    false => (taken, state.guard) = (never, not_taken),
                }
            }
        }
        if taken == never {
            return Some(state);
        }
        let stays = (not_taken != never).then(|| state.under(not_taken));
        self.execution.n_choices += u64::from(stays.is_some());
        state.guard = taken;
        if target > at {
            self.wait(target, state);
        } else if self.is_cut(target) {
            self.arrive(target, state);
        } else {
            let last = self.shape().loop_at(target).last;
            let earlier = self.frame().returning.remove(&last);
            let merged = self.merged(earlier, state);
            self.frame().returning.insert(last, merged);
        }
        stays
    }

    /// Another round of the loop to whose head the jump at a position leads back, if there may be one: gives the state
    /// and the head.
    fn go_round(&mut self, state: State, jump: &Instr, at: usize) -> Option<(State, usize)> {
        let InstrKind::Goto(_, label) = jump.kind else { return None };
        let shape = self.shape();
        let head = shape.labels[label.index()];
        let is_endless = shape.loop_at(head).is_endless;
        if !self.options.way.is_empty() && self.is_at_end_of_way() {
            return None;
        }
        let n_choices = self.execution.n_choices;
        let is_over_range = self.is_over_range(head);
        let (all, undecided) = match self.frame().rounds.get(&head) {
            Some(rounds) => {
                let has_choices = n_choices > rounds.n_choices;
                let is_decided = rounds.began.guard == state.guard && !(is_endless && has_choices);
                if is_decided && rounds.began.is_same(&state) {
                    return None;
                }
                let cost = if has_choices && !is_over_range { ROUND_WITH_CHOICES } else { 1 };
                (rounds.all + cost, rounds.undecided + u32::from(!is_decided))
            }
            None => (1, 1),
        };
        if self.has_cuts() {
            let n_rounds = self.cuts.n_rounds.entry(head).or_insert(0);
            *n_rounds += 1;
            if undecided > 1 || *n_rounds > self.cuts.max_rounds {
                self.cuts.undecided.insert(head);
                self.execution.trace.cut_short = Some("a loop needs a cut".to_owned());
                return None;
            }
        }
        let (bound, kind) = match self.is_guided() && !self.is_at_end_of_way() {
            true => (u32::MAX, ObligationKind::Unwinding),
            false => self.bound(head),
        };
        if undecided > bound || all > self.options.decided {
            self.pause(at, &state);
            self.oblige(kind, state.guard, jump.span);
            return None;
        }
        let is_undecided = self.frame().rounds.get(&head).is_none_or(|r| r.undecided < undecided);
        if is_undecided && !self.has_cuts() {
            let site = Site::Loop(self.frame().function, head);
            if !(self.options.feasible)(self.eval.store, site, state.guard) {
                return None;
            }
        }
        // Loops inside begin anew; those that only overlap do not, or two could go on for ever.
        let frame = self.frame();
        frame.rounds.retain(|&other, _| other < head || shape.loop_at(other).last > at);
        frame.rounds.insert(head, Rounds { all, undecided, began: state.clone(), n_choices });
        Some((state, head))
    }

    /// Checks whether the present function is the one with cuts.
    fn has_cuts(&self) -> bool {
        self.execution.frames.len() == 1 && self.cuts.max_rounds > 0
    }

    /// Checks whether executions stop at a position of the present function.
    fn is_cut(&self, at: usize) -> bool {
        self.execution.frames.len() == 1 && self.cuts.at.contains(&at)
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
                let mut state = state;
                self.align(&mut earlier, &mut state);
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
        self.is_bounded |= kind.is_bound();
        let violation = self.eval.store.and(guard, fails);
        if violation != self.eval.store.false_term() || matches!(kind, ObligationKind::Claim(_)) {
            let replayable = self.eval.store.and(violation, self.execution.fine);
            self.execution.trace.obligations.push(Obligation {
                kind,
                violation,
                replayable,
                fails,
                span,
            });
        }
    }

    /// Takes note of what evaluation under a guard has found: faults, approximations, things left out.
    pub(crate) fn settle(&mut self, guard: TermId, span: Span) {
        for (condition, what) in std::mem::take(&mut self.eval.faults) {
            let condition = self.eval.store.and(guard, condition);
            if condition != self.eval.store.false_term() {
                let not = self.eval.store.not(condition);
                self.execution.fine = self.eval.store.and(self.execution.fine, not);
                self.execution.trace.faults.push(Fault { condition, span, what });
            }
        }
        for (condition, what) in std::mem::take(&mut self.eval.objects.left_out) {
            let condition = self.eval.store.and(guard, condition);
            self.oblige(ObligationKind::Unsupported(what.to_owned()), condition, span);
        }
        for what in std::mem::take(&mut self.eval.objects.approximations) {
            self.approximate(span, &what);
        }
        self.execution.trace.constraints.append(&mut self.eval.objects.library_facts);
    }

    pub(crate) fn approximate(&mut self, span: Span, what: &str) {
        if !self
            .execution
            .trace
            .approximations
            .iter()
            .any(|(other, text)| *other == span && text == what)
        {
            self.execution.trace.approximations.push((span, what.to_owned()));
        }
    }

    /// Any instruction but a jump: gives the state after it, if there is one.
    fn instruction(&mut self, mut state: State, instr: &Instr) -> Option<State> {
        let span = instr.span;
        match &instr.kind {
            InstrKind::Skip | InstrKind::Label(_) | InstrKind::Goto(..) => {}
            InstrKind::AtomicBegin => self.section(&mut state, true),
            InstrKind::AtomicEnd => self.section(&mut state, false),
            InstrKind::Assign(place, value) => self.assign(&mut state, *place, *value, span),
            InstrKind::Assume(cond) => {
                let cond = self.eval.term(&mut state, *cond);
                self.settle(state.guard, span);
                let guard = self.eval.store.and(state.guard, cond);
                if guard == self.eval.store.false_term() {
                    return None;
                }
                // An assumption is not a choice: what is under way is as decided as it was.
                let rounds =
                    self.execution.frames.iter_mut().flat_map(|frame| frame.rounds.values_mut());
                rounds
                    .filter(|rounds| rounds.began.guard == state.guard)
                    .for_each(|rounds| rounds.began.guard = guard);
                for frame in &self.execution.frames {
                    for (_, began) in &mut self.execution.activations[frame.function] {
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
                if !holds || self.execution.held.insert(here) {
                    self.oblige_not(ObligationKind::Claim(claim.clone()), state.guard, fails, span);
                }
                if !self.options.way.is_empty() && self.is_at_end_of_way() {
                    return None;
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
            InstrKind::Dead(symbol) => self.end_lifetime(&mut state, *symbol),
            InstrKind::Alloc { dest, size, align, region, zeroed } => {
                self.allocate(&mut state, *dest, *size, *align, *region, *zeroed, span);
            }
            InstrKind::Free(pointer, region) => self.free(&mut state, *pointer, *region),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } if self.eval.recorder.is_none() => {
                return self.unsupported(state, "threads", span);
            }
            InstrKind::Spawn { dest, callee, arg } => {
                return self.spawn(state, *dest, callee, *arg, span);
            }
            InstrKind::Join { thread, dest } => return self.join(state, *thread, *dest, span),
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
        let count = self.execution.n_inputs.entry(site).or_insert(0);
        *count += 1;
        let name = format!("input!{site}!{count}");
        let guard = state.guard;
        let Some(scalar) = self.eval.scalar(ty) else {
            let size = self.program.size_of(ty).unwrap_or(0);
            let value = self.eval.objects.new_fresh(&name);
            self.execution.trace.steps.push(Step {
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
                self.eval.objects.comes_from_outside(address);
                let none = store.bv_u64(OBJECT_BITS, 0);
                (address, store.bv_concat(none, address))
            }
            _ => {
                let sort = self.eval.ctx().sort(scalar);
                let value = self.eval.store.var(&name, sort);
                (value, value)
            }
        };
        self.execution.trace.steps.push(Step {
            guard,
            span,
            kind: StepKind::Input { site, value, ty },
        });
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
