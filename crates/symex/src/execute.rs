//! The executor: instructions in order, paths merged where they meet, loops and recursion up to bounds.
//!
//! A function is executed in the order of its instructions. A forward jump leaves the state of the executions that take
//! it at its target, where it is merged with those that come another way. A backward jump goes round: the executions
//! that do not take it wait behind it. The number of rounds in which something was undecided is bounded; a round in
//! which every test had a constant outcome does not count, so loops with a constant number of rounds end by themselves.
//! Calls are executed in place. This is algorithms 2 and 3 of the thesis with merging instead of path enumeration.

use crate::content::{Content, Default};
use crate::eval::{Evaluator, Value};
use crate::memory::{ObjectId, Origin};
use crate::pointer;
use crate::state::{ObjectState, State};
use crate::trace::{Obligation, ObligationKind, Step, StepKind, Trace};
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Exit, FunctionId, InitPart, Instr, InstrKind, Intrinsic, Program, Region, StaticInit,
    SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;
use vergo_term::{TermId, TermStore};

/// How far to go.
pub struct Options<'a> {
    /// Undecided rounds of each loop, each time it is entered.
    pub unwind: u32,
    /// Activations of one function at a time.
    pub recursion: u32,
    /// How many instructions may be executed.
    pub max_steps: u64,
    /// Asked now and then; execution ends early when it says so.
    pub stop: &'a dyn Fn() -> bool,
}

/// Executes a program from its entry.
pub fn execute(program: &Program, store: &mut TermStore, options: &Options<'_>) -> Trace {
    let mut executor = Executor::new(program, store, options);
    executor.run();
    let mut trace = executor.trace;
    trace.constraints.append(&mut executor.eval.objects.constraints);
    trace
}

pub(crate) struct Executor<'a> {
    program: &'a Program,
    pub(crate) eval: Evaluator<'a>,
    options: &'a Options<'a>,
    trace: Trace,
    frames: Vec<Frame>,
    /// For each function, the position of each label.
    labels: Vec<Option<Rc<[usize]>>>,
    n_steps: u64,
    n_inputs: BTreeMap<u32, u32>,
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
    pub(crate) allocations: FxHashMap<usize, ObjectId>,
    /// Variables to which there can be pointers: while an older object of theirs may be pointed to, a declaration makes
    /// a new one.
    pub(crate) addressed: FxHashSet<SymbolId>,
}

/// An activation of a function.
struct Frame {
    function: FunctionId,
    /// The position of the instruction that is executed.
    at: usize,
    /// Objects that die with it.
    objects: Vec<ObjectId>,
    /// States that wait at an instruction, all behind the present one.
    waiting: BTreeMap<usize, State>,
    /// Undecided rounds of each loop by its backward jump, and the guard with which the round began.
    rounds: BTreeMap<usize, (u32, TermId)>,
    /// What has returned so far.
    returned: Option<State>,
    /// Where the result is kept: an object of the return type.
    result: Option<ObjectId>,
}

impl Frame {
    fn new(function: FunctionId) -> Frame {
        Frame {
            function,
            at: 0,
            objects: Vec::new(),
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
        Executor {
            eval: Evaluator::new(program, store),
            program,
            options,
            trace: Trace::default(),
            frames: Vec::new(),
            labels: vec![None; program.functions.len()],
            n_steps: 0,
            n_inputs: BTreeMap::new(),
            cuts: Cuts::default(),
        }
    }

    fn run(&mut self) {
        let Some(entry) = self.program.entry else { return };
        let state = self.initial_state();
        self.call(state, entry, &[], None);
    }

    /// Executes the entry function from a position up to the cuts; gives what happened on the way. The states that
    /// arrive are in `cuts`.
    pub(crate) fn run_segment(&mut self, from: usize, state: State) -> Trace {
        self.trace = Trace::default();
        self.n_steps = 0;
        self.n_inputs.clear();
        self.cuts.arrived.clear();
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
        for (symbol, info) in self.program.symbols.iter() {
            if let SymbolKind::Static { init, writable, .. } = &info.kind {
                self.make_static(&mut state, symbol, init, *writable);
            }
        }
        // Constant addresses in initial values need all objects to be there.
        for (symbol, info) in self.program.symbols.iter() {
            if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind {
                self.fill_static(&mut state, symbol, parts);
            }
        }
        state
    }

    fn make_static(
        &mut self,
        state: &mut State,
        symbol: SymbolId,
        init: &StaticInit,
        writable: bool,
    ) {
        let info = &self.program.symbols[symbol];
        let size = self.eval.size_of(info.ty).unwrap_or(0);
        let size = self.eval.size(size);
        let origin = Origin::Static { writable };
        let object = self.eval.objects.add(origin, Some(info.ty), size, info.align);
        self.eval.objects.set_static(symbol, object);
        let default = match init {
            StaticInit::Nondet => Default::Unknown(info.name.as_str().into()),
            StaticInit::Data(_) => Default::Zero,
        };
        let live = self.eval.store.true_term();
        state.set_object(object, ObjectState { content: Content::new(default), live });
    }

    fn fill_static(&mut self, state: &mut State, symbol: SymbolId, parts: &[InitPart]) {
        let Some(object) = self.eval.objects.static_object(symbol) else { return };
        let Some(mut filled) = state.object(object).cloned() else { return };
        let byte = crate::content::Scalar::Int(8);
        let truth = self.eval.store.true_term();
        for part in parts {
            match part {
                InitPart::Value { offset, value } => {
                    self.eval.next_instruction();
                    let ty = self.program.exprs.ty(*value);
                    let value = self.eval.value(state, *value);
                    self.eval.put(&mut filled.content, *offset, None, ty, value);
                }
                InitPart::Bytes { offset, bytes } => {
                    for (i, &value) in bytes.iter().enumerate() {
                        let value = self.eval.store.bv_u64(8, value.into());
                        filled.content.write(
                            &mut self.eval.ctx(),
                            offset + i as u64,
                            byte,
                            value,
                            truth,
                        );
                    }
                }
            }
        }
        state.set_object(object, filled);
    }

    /// Executes a call; gives the state after it (if it returns) and the object that holds the result.
    fn call(
        &mut self,
        mut state: State,
        function: FunctionId,
        args: &[Value],
        span: Option<Span>,
    ) -> Option<(State, Option<ObjectId>)> {
        let active = self.frames.iter().filter(|frame| frame.function == function).count() as u32;
        if active > self.options.recursion {
            self.oblige(ObligationKind::Recursion, state.guard, span.unwrap_or(Span::DUMMY));
            return None;
        }
        let info = &self.program.functions[function];
        let body = info.body.as_deref()?;
        let outer_depth = self.eval.depth;
        self.frames.push(Frame::new(function));
        self.eval.depth = self.frames.len();
        self.eval.next_instruction();
        for (&param, value) in info.params.iter().zip(args) {
            self.declare(&mut state, param);
            self.assign_symbol(&mut state, param, value);
        }
        if let &Type::Func(ret, _) = self.program.types.get(info.ty)
            && let Some(size) = self.eval.size_of(ret)
        {
            let size = self.eval.size(size);
            let object = self.eval.objects.add(Origin::Local, Some(ret), size, 16);
            let content = self.unknown(&info.display);
            let live = self.eval.store.true_term();
            state.set_object(object, ObjectState { content, live });
            self.frame().result = Some(object);
        }
        self.body(state, body, 0);
        let frame = self.frames.pop().expect("the call's own frame");
        self.eval.depth = outer_depth;
        self.eval.next_instruction();
        let mut state = frame.returned?;
        let dead = self.eval.store.false_term();
        for object in frame.objects {
            state.set_object(
                object,
                ObjectState { content: Content::new(Default::Zero), live: dead },
            );
        }
        Some((state, frame.result))
    }

    /// An unknown content under a name that says where it comes from.
    fn unknown(&mut self, name: &str) -> Content {
        let mut content = Content::new(Default::Unknown(name.into()));
        content.forget(&mut self.eval.ctx());
        content
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is under way")
    }

    /// Executes a body from a position. That it is a cut counts for those who come back to it.
    fn body(&mut self, state: State, body: &[Instr], from: usize) {
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
                    let target = self.position(label.index(), body);
                    let (next, next_at) = self.jump(state, instr, cond, at, target);
                    current = next;
                    at = next_at;
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
            self.trace.cut_short = Some("too many instructions".to_owned());
        } else if self.n_steps.is_multiple_of(256) && (self.options.stop)() {
            self.trace.cut_short = Some("out of time".to_owned());
        }
    }

    fn position(&mut self, label: usize, body: &[Instr]) -> usize {
        let function = self.frame().function;
        let n_labels = self.program.functions[function].n_labels as usize;
        let positions = self.labels[function.index()].get_or_insert_with(|| {
            let mut positions = vec![body.len(); n_labels];
            for (i, instr) in body.iter().enumerate() {
                if let InstrKind::Label(label) = instr.kind {
                    positions[label.index()] = i;
                }
            }
            positions.into()
        });
        positions[label]
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
        let negated = self.eval.store.not(cond);
        let taken = self.eval.store.and(state.guard, cond);
        let not_taken = self.eval.store.and(state.guard, negated);
        let never = self.eval.store.false_term();
        if taken == never {
            return (Some(state), at + 1);
        }
        let stays = (not_taken != never).then(|| state.under(not_taken));
        let goes = state.under(taken);
        if target > at {
            self.wait(target, goes);
            return (stays, at + 1);
        }
        if self.is_cut(target) {
            self.arrive(target, goes);
            return (stays, at + 1);
        }
        // A backward jump: another round.
        let (rounds, began) = self.frame().rounds.get(&target).copied().unwrap_or((0, never));
        let decided = began == taken;
        let rounds = if decided { rounds } else { rounds + 1 };
        if let Some(stays) = stays {
            self.wait(at + 1, stays);
        }
        if rounds > self.options.unwind {
            self.oblige(ObligationKind::Unwinding, taken, instr.span);
            self.frame().rounds.remove(&target);
            return (None, at + 1);
        }
        // Loops inside begin anew.
        let inner: Vec<usize> =
            self.frame().rounds.range(target + 1..=at).map(|(&head, _)| head).collect();
        for head in inner {
            self.frame().rounds.remove(&head);
        }
        self.frame().rounds.insert(target, (rounds, taken));
        (Some(goes), target)
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

    fn oblige(&mut self, kind: ObligationKind, violation: TermId, span: Span) {
        if violation != self.eval.store.false_term() || matches!(kind, ObligationKind::Claim(_)) {
            self.trace.obligations.push(Obligation { kind, violation, span });
        }
    }

    /// Any instruction but a jump: gives the state after it, if there is one.
    fn instruction(&mut self, mut state: State, instr: &Instr) -> Option<State> {
        match &instr.kind {
            InstrKind::Skip
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::Goto(..) => {}
            InstrKind::Label(_) => {}
            InstrKind::Assign(place, value) => self.assign(&mut state, *place, *value, instr.span),
            InstrKind::Assume(cond) => {
                let cond = self.eval.term(&mut state, *cond);
                let guard = self.eval.store.and(state.guard, cond);
                if guard == self.eval.store.false_term() {
                    return None;
                }
                // An assumption is not a choice: the rounds under way are as decided as they were.
                let rounds = self.frames.iter_mut().flat_map(|frame| frame.rounds.values_mut());
                rounds
                    .filter(|(_, began)| *began == state.guard)
                    .for_each(|(_, began)| *began = guard);
                state.guard = guard;
            }
            InstrKind::Assert(cond, claim) => {
                let cond = self.eval.term(&mut state, *cond);
                let fails = self.eval.store.not(cond);
                let violation = self.eval.store.and(state.guard, fails);
                self.oblige(ObligationKind::Claim(claim.clone()), violation, instr.span);
            }
            InstrKind::Call { dest, callee, args } => {
                return self.call_instruction(state, *dest, callee, args, instr.span);
            }
            InstrKind::Return(value) => {
                if let (Some(value), Some(result)) = (value, self.frame().result) {
                    let ty = self.program.exprs.ty(*value);
                    let value = self.eval.value(&mut state, *value);
                    if let Some(mut object) = state.object(result).cloned() {
                        self.eval.put(&mut object.content, 0, None, ty, value);
                        state.set_object(result, object);
                    }
                }
                self.give_back(state);
                return None;
            }
            InstrKind::Decl(symbol) => self.declare(&mut state, *symbol),
            InstrKind::Dead(symbol) => self.bury(&mut state, *symbol),
            InstrKind::Alloc { dest, size, align, region, zeroed } => {
                self.allocate(&mut state, *dest, *size, *align, *region, *zeroed);
            }
            InstrKind::Free(pointer, region) => self.free(&mut state, *pointer, *region),
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => {
                return self.unsupported(state, "threads", instr.span);
            }
            InstrKind::Intrinsic { op, dest, args } => {
                return self.intrinsic(state, *op, *dest, args, instr.span);
            }
            InstrKind::End(Exit::Status(_) | Exit::Abort) => return None,
            InstrKind::Unsupported(what) => return self.unsupported(state, what, instr.span),
        }
        Some(state)
    }

    fn unsupported(&mut self, state: State, what: &str, span: Span) -> Option<State> {
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
    fn input(&mut self, state: &State, site: u32, ty: TypeId, span: Span) -> Value {
        let count = self.n_inputs.entry(site).or_insert(0);
        *count += 1;
        let name = format!("input!{site}!{count}");
        let scalar = self.eval.ctx().scalar(ty);
        match scalar {
            Some(scalar) => {
                let sort = self.eval.ctx().sort(scalar);
                let value = self.eval.store.var(&name, sort);
                self.trace.steps.push(Step {
                    guard: state.guard,
                    span,
                    kind: StepKind::Input { site, value, ty },
                });
                Value::Term(value)
            }
            None => {
                self.approximate(span, "a nondeterministic structure");
                Value::Block(Box::new(self.unknown(&name)))
            }
        }
    }

    fn approximate(&mut self, span: Span, what: &str) {
        if !self.trace.approximations.iter().any(|(other, text)| *other == span && text == what) {
            self.trace.approximations.push((span, what.to_owned()));
        }
    }

    fn declare(&mut self, state: &mut State, symbol: SymbolId) {
        let info = &self.program.symbols[symbol];
        let size = self.eval.size_of(info.ty).unwrap_or(0);
        let size = self.eval.size(size);
        let name = if info.display.is_empty() { &info.name } else { &info.display };
        let object = match self.home(state, symbol) {
            Some(home) => home,
            None => self.eval.objects.add(Origin::Local, Some(info.ty), size, info.align),
        };
        let content = self.unknown(name);
        let live = self.eval.store.true_term();
        state.set_object(object, ObjectState { content, live });
        let zero = self.eval.size(0);
        let pointer = pointer::make(self.eval.store, object, zero);
        let depth = self.eval.depth;
        state.bind(depth, symbol, pointer);
        self.frame().objects.push(object);
    }

    /// The object that a variable has in every segment, unless there may be pointers to an earlier life of it.
    fn home(&self, state: &State, symbol: SymbolId) -> Option<ObjectId> {
        let home = *self.cuts.locals.get(&symbol).filter(|_| self.frames.len() == 1)?;
        let safe = state.object(home).is_none() || !self.cuts.addressed.contains(&symbol);
        safe.then_some(home)
    }

    fn bury(&mut self, state: &mut State, symbol: SymbolId) {
        let Some(pointer) = state.binding(self.eval.depth, symbol) else { return };
        let targets = pointer::targets(self.eval.store, pointer);
        for target in targets.known {
            if let Some(mut object) = state.object(target.object).cloned() {
                let others = self.eval.store.not(target.guard);
                object.live = self.eval.store.and(object.live, others);
                state.set_object(target.object, object);
            }
        }
    }

    fn assign_symbol(&mut self, state: &mut State, symbol: SymbolId, value: &Value) {
        let depth = self.eval.depth;
        let Some(pointer) = state.binding(depth, symbol) else { return };
        let ty = self.program.symbols[symbol].ty;
        for target in pointer::targets(self.eval.store, pointer).known {
            if let Some(mut object) = state.object(target.object).cloned() {
                self.eval.put(&mut object.content, 0, None, ty, value.clone());
                state.set_object(target.object, object);
            }
        }
    }

    fn call_instruction(
        &mut self,
        mut state: State,
        dest: Option<ExprId>,
        callee: &Callee,
        args: &[ExprId],
        span: Span,
    ) -> Option<State> {
        let args: Vec<Value> = args.iter().map(|&arg| self.eval.value(&mut state, arg)).collect();
        let candidates = match callee {
            Callee::Direct(function) => vec![(self.eval.store.true_term(), *function)],
            Callee::Indirect(pointer) => {
                let pointer_ty = self.program.exprs.ty(*pointer);
                let called = self.program.pointee(pointer_ty);
                let pointer = self.eval.term(&mut state, *pointer);
                let targets = pointer::targets(self.eval.store, pointer);
                let mut rest = state.guard;
                let mut candidates = Vec::new();
                for target in targets.known {
                    if target.object == ObjectId::NONE {
                        continue;
                    }
                    if let Origin::Function(function) = self.eval.objects.get(target.object).origin
                        && Some(self.program.functions[function].ty) == called
                    {
                        candidates.push((target.guard, function));
                        let others = self.eval.store.not(target.guard);
                        rest = self.eval.store.and(rest, others);
                    }
                }
                self.oblige(
                    ObligationKind::Unsupported(
                        "call through a pointer to no known function".to_owned(),
                    ),
                    rest,
                    span,
                );
                candidates
            }
        };
        let mut after: Option<State> = None;
        for (guard, function) in candidates {
            let taken = self.eval.store.and(state.guard, guard);
            if taken == self.eval.store.false_term() {
                continue;
            }
            let before = state.under(taken);
            let returned = self.call_one(before, dest, function, &args, span);
            after = match (after, returned) {
                (Some(mut a), Some(b)) => {
                    a.merge(&mut self.eval.ctx(), &b);
                    Some(a)
                }
                (a, b) => a.or(b),
            };
        }
        after
    }

    fn call_one(
        &mut self,
        state: State,
        dest: Option<ExprId>,
        function: FunctionId,
        args: &[Value],
        span: Span,
    ) -> Option<State> {
        if self.program.functions[function].body.is_none() {
            let name = &self.program.functions[function].display;
            return self.unsupported(state, &format!("call of {name}, which has no body"), span);
        }
        let (mut state, result) = self.call(state, function, args, Some(span))?;
        if let (Some(dest), Some(result)) = (dest, result) {
            let ty = self.program.exprs.ty(dest);
            let content = state.object(result).map(|object| object.content.clone())?;
            let value = match self.eval.ctx().scalar(ty) {
                Some(scalar) => Value::Term(content.read(&mut self.eval.ctx(), 0, scalar)),
                None => Value::Block(Box::new(content)),
            };
            let place = self.eval.place(&mut state, dest);
            self.eval.store_to(&mut state, &place, &value);
        }
        if let Some(result) = result {
            let live = self.eval.store.false_term();
            state.set_object(result, ObjectState { content: Content::new(Default::Zero), live });
        }
        Some(state)
    }

    #[allow(clippy::too_many_arguments, reason = "the instruction has that many parts")]
    fn allocate(
        &mut self,
        state: &mut State,
        dest: ExprId,
        size: ExprId,
        align: u64,
        region: Region,
        zeroed: bool,
    ) {
        let size_ty = self.program.exprs.ty(size);
        let size = self.eval.term(state, size);
        let size = self.eval.resized(size_ty, size);
        let origin = match region {
            Region::Heap => Origin::Heap,
            Region::Stack => Origin::Stack,
        };
        let home = match self.frames[..] {
            [ref entry] => self.cuts.allocations.get(&entry.at).copied(),
            _ => None,
        };
        let object = match home.filter(|&home| state.object(home).is_none()) {
            Some(home) => {
                self.eval.objects.set_size(home, size);
                home
            }
            None => self.eval.objects.add(origin, None, size, align),
        };
        let content = if zeroed { Content::new(Default::Zero) } else { self.unknown("allocated") };
        let live = self.eval.store.true_term();
        state.set_object(object, ObjectState { content, live });
        if region == Region::Stack {
            self.frame().objects.push(object);
        }
        let zero = self.eval.size(0);
        let pointer = pointer::make(self.eval.store, object, zero);
        let place = self.eval.place(state, dest);
        self.eval.store_to(state, &place, &Value::Term(pointer));
    }

    fn free(&mut self, state: &mut State, pointer: ExprId, region: Region) {
        let pointer = self.eval.term(state, pointer);
        let wanted = match region {
            Region::Heap => Origin::Heap,
            Region::Stack => Origin::Stack,
        };
        for target in self.eval.targets(state, pointer) {
            let Some(mut object) = state.object(target.object).cloned() else { continue };
            if self.eval.objects.get(target.object).origin != wanted {
                continue;
            }
            let zero = self.eval.size(0);
            let at_start = self.eval.store.eq(target.offset, zero);
            let dies = self.eval.store.and(target.guard, at_start);
            let lives = self.eval.store.not(dies);
            object.live = self.eval.store.and(object.live, lives);
            state.set_object(target.object, object);
        }
    }

    /// The world outside: what it writes into memory is not followed, so only output goes on.
    fn intrinsic(
        &mut self,
        mut state: State,
        op: Intrinsic,
        dest: Option<ExprId>,
        args: &[ExprId],
        span: Span,
    ) -> Option<State> {
        for &arg in args {
            self.eval.value(&mut state, arg);
        }
        match op {
            Intrinsic::Write | Intrinsic::Print | Intrinsic::Time => {}
            Intrinsic::Read | Intrinsic::PrintTo | Intrinsic::Scan | Intrinsic::ScanFrom => {
                return self.unsupported(state, "input into memory", span);
            }
        }
        if let Some(dest) = dest {
            let ty = self.program.exprs.ty(dest);
            let value = self.eval.fresh("world", ty);
            self.approximate(span, "the result of an output function");
            let place = self.eval.place(&mut state, dest);
            self.eval.store_to(&mut state, &place, &Value::Term(value));
        }
        Some(state)
    }
}
