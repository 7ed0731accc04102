//! Calls: executed in place, recursion up to a bound.
//!
//! An activation is undecided if its guard differs from that of the activation of the same function around it: something
//! was tested in between that has not a constant outcome. Only these are bounded, so recursion with a constant depth
//! ends by itself.

use crate::content::Content;
use crate::eval::Value;
use crate::execute::{Executor, NO_SITE, Site};
use crate::execution::Frame;
use crate::initial::Initial;
use crate::memory::{ObjectId, Origin};
use crate::state::{ObjectState, State};
use crate::trace::ObligationKind;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, FunctionId, Instr, InstrKind, Program};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;
use vergo_term::TermId;

/// Calls deeper than this are beyond what any machine's stack would hold.
const MAX_DEPTH: usize = 100_000;

/// The reason for calls that are not followed.
const FOREIGN_CALL: &str = "a call of a function through a pointer of another type";

impl Executor<'_> {
    /// Executes a call; gives the state after it (if it returns) and the object that holds the result.
    pub(crate) fn call(
        &mut self,
        state: State,
        function: FunctionId,
        args: &[Value],
        is_guided: bool,
        span: Span,
    ) -> Option<(State, Option<ObjectId>)> {
        let undecided = match self.execution.activations[function].last() {
            Some(&(undecided, guard)) if guard == state.guard => undecided,
            Some(&(undecided, _)) => undecided + 1,
            None => 0,
        };
        if undecided > self.options.recursion
            || self.execution.activations[function].len() as u64 >= self.options.decided
        {
            self.oblige(ObligationKind::Recursion, state.guard, span);
            return None;
        }
        let is_undecided =
            self.execution.activations[function].last().is_some_and(|&(n, _)| n < undecided);
        let site = Site::Recursion(function, undecided);
        if is_undecided && !(self.options.feasible)(self.eval.store, site, state.guard) {
            return None;
        }
        if self.execution.frames.len() >= MAX_DEPTH {
            self.cut_short("calls are nested too deeply");
            return None;
        }
        let body = self.program.functions[function].body.as_deref()?;
        self.execution.activations[function].push((undecided, state.guard));
        let state = self.enter(state, function, args);
        self.frame().is_guided = is_guided;
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.body(Some(state), body, 0));
        self.leave()
    }

    /// Begins an activation of a function.
    fn enter(&mut self, mut state: State, function: FunctionId, args: &[Value]) -> State {
        let info = &self.program.functions[function];
        self.execution.frames.push(Frame::new(function));
        self.eval.depth = self.execution.frames.len();
        self.eval.next_instruction();
        for (&param, value) in info.params.iter().zip(args) {
            self.declare_parameter(&mut state, param, value);
        }
        if let &Type::Func(ret, _) = self.program.types.get(info.ty)
            && let Some(bytes) = self.eval.size_of(ret)
        {
            let size = self.eval.size(bytes);
            let origin = Origin::Local { writable: true };
            let object = self.eval.objects.add(origin, Some(ret), size, 16);
            let truth = self.eval.store.true_term();
            // A function that falls off its end returns any value.
            let fresh = self.eval.objects.new_fresh("result");
            let content = Content::new(Initial::Fresh(fresh), Some(bytes));
            let made = state.guard;
            state.set_object(object, ObjectState { content, live: truth, made });
            self.frame().result = Some(object);
        }
        state
    }

    /// Ends the activation that is under way; gives what `call` gives.
    fn leave(&mut self) -> Option<(State, Option<ObjectId>)> {
        let frame = self.execution.frames.pop().expect("a call is under way");
        self.execution.activations[frame.function].pop();
        self.eval.depth = self.execution.frames.len();
        self.eval.next_instruction();
        let mut state = frame.returned?;
        for object in frame.objects {
            let truth = self.eval.store.true_term();
            self.note_end(&state, object, truth);
            self.eval.objects.died(object, state.guard);
            state.remove_object(object);
        }
        Some((state, frame.result))
    }

    pub(crate) fn call_instruction(
        &mut self,
        mut state: State,
        dest: Option<ExprId>,
        callee: &Callee,
        args: &[ExprId],
        span: Span,
    ) -> Option<State> {
        let values: Vec<Value> = args.iter().map(|&arg| self.eval.value(&mut state, arg)).collect();
        let (candidates, rest) = match callee {
            Callee::Direct(function) => {
                (vec![(self.eval.store.true_term(), *function)], self.eval.store.false_term())
            }
            Callee::Indirect(pointer) => {
                let wanted = dest.map(|dest| self.program.exprs.ty(dest));
                let types: Vec<TypeId> =
                    args.iter().map(|&arg| self.program.exprs.ty(arg)).collect();
                let pointer = self.eval.term(&mut state, *pointer);
                self.callees(&state, pointer, &types, wanted)
            }
        };
        self.settle(state.guard, span);
        let guided = self.turn_at_call();
        let (candidates, rest) = match guided {
            Some(wanted) => {
                let is_wanted = |candidate: &(TermId, FunctionId)| candidate.1 == wanted;
                let candidates: Vec<_> = candidates.into_iter().filter(is_wanted).collect();
                let goes_on: Vec<TermId> = candidates.iter().map(|candidate| candidate.0).collect();
                let goes_on = self.eval.store.or_all(&goes_on);
                let goes_on = self.eval.store.and(state.guard, goes_on);
                self.note_turn(state.guard, goes_on);
                (candidates, self.eval.store.false_term())
            }
            None => (candidates, rest),
        };
        let mut after: Option<State> = None;
        let never = self.eval.store.false_term();
        let taken = self.eval.store.and(state.guard, rest);
        if taken != never {
            // A pointer to no function that can be called so: any value is returned, and nothing else changes.
            let mut here = state.under(taken);
            if let Some(dest) = dest {
                let any = self.any(self.program.exprs.ty(dest));
                let place = self.eval.place(&mut here, dest);
                self.eval.store_to(&mut here, &place, &any);
                self.settle(taken, span);
            }
            after = Some(here);
        }
        for (guard, function) in candidates {
            let taken = self.eval.store.and(state.guard, guard);
            if taken == never {
                continue;
            }
            let is_guided = guided.is_some();
            let here = state.under(taken);
            let returned = self.call_one(here, dest, function, &values, is_guided, span);
            after = match (after, returned) {
                (Some(mut a), Some(mut b)) => {
                    self.align(&mut a, &mut b);
                    a.merge(&mut self.eval.ctx(), &b);
                    Some(a)
                }
                (a, b) => a.or(b),
            };
        }
        after
    }

    /// Any value of a type.
    fn any(&mut self, ty: TypeId) -> Value {
        match self.eval.scalar(ty) {
            Some(_) => Value::Term(self.eval.fresh("any", ty)),
            None => {
                let size = self.program.size_of(ty).unwrap_or(0);
                Value::Block(Box::new(self.eval.any_block(size)))
            }
        }
    }

    /// The functions that a pointer can call with arguments of some types, and when it calls none.
    pub(crate) fn callees(
        &mut self,
        state: &State,
        pointer: TermId,
        args: &[TypeId],
        dest: Option<TypeId>,
    ) -> (Vec<(TermId, FunctionId)>, TermId) {
        let (targets, mut rest) = self.eval.targets(state, pointer);
        let mut candidates = Vec::new();
        for target in targets {
            let zero = self.eval.size(0);
            let at_base = self.eval.store.eq(target.offset, zero);
            let guard = self.eval.store.and(target.guard, at_base);
            match self.eval.objects.get(target.object).origin {
                Origin::Function(function) if callable(self.program, function, args, dest) => {
                    candidates.push((guard, function));
                    let inside = self.eval.store.not(at_base);
                    let inside = self.eval.store.and(target.guard, inside);
                    rest = self.eval.store.or(rest, inside);
                }
                // What the function would do, and claim, is not followed.
                Origin::Function(_) => {
                    self.eval.fault(guard, "call.type");
                    self.eval.objects.leave_out(guard, FOREIGN_CALL);
                    let inside = self.eval.store.not(at_base);
                    let inside = self.eval.store.and(target.guard, inside);
                    rest = self.eval.store.or(rest, inside);
                }
                _ => rest = self.eval.store.or(rest, target.guard),
            }
        }
        self.eval.fault(rest, "call.type");
        (candidates, rest)
    }

    fn call_one(
        &mut self,
        mut state: State,
        dest: Option<ExprId>,
        function: FunctionId,
        args: &[Value],
        is_guided: bool,
        span: Span,
    ) -> Option<State> {
        if self.program.functions[function].body.is_none() {
            // Any value is returned, and nothing else changes.
            if let Some(dest) = dest {
                let value = self.input(&state, NO_SITE, self.program.exprs.ty(dest), span);
                self.give(&mut state, dest, &value, span);
            }
            return Some(state);
        }
        if self.block_operation(&mut state, dest, function, args, span).is_some() {
            return Some(state);
        }
        let returned = self.call(state, function, args, is_guided, span);
        self.hand_over(returned, dest, span)
    }

    /// Gives what a call has returned to where it was called.
    fn hand_over(
        &mut self,
        returned: Option<(State, Option<ObjectId>)>,
        dest: Option<ExprId>,
        span: Span,
    ) -> Option<State> {
        let (mut state, result) = returned?;
        let Some(result) = result else { return Some(state) };
        if let Some(dest) = dest {
            let ty = self.program.exprs.ty(dest);
            let content = state.object(result).map(|object| object.content.clone())?;
            let value = match self.eval.scalar(ty) {
                Some(scalar) => Value::Term(content.read(&mut self.eval.ctx(), 0, scalar)),
                None => Value::Block(Box::new(content)),
            };
            self.give(&mut state, dest, &value, span);
        }
        state.remove_object(result);
        Some(state)
    }

    /// Goes on with calls that were under way when an execution was paused, each at a direct call of the next, the last
    /// at a position.
    pub(crate) fn resume_calls(&mut self, at: usize) {
        let (mut state, mut from) = (None, at);
        while let Some(frame) = self.execution.frames.last() {
            let body = self.program.functions[frame.function].body.as_deref().unwrap_or_default();
            self.body(state, body, from);
            let returned = self.leave();
            let Some(caller) = self.execution.frames.last() else { return };
            let Some((instr, dest)) = direct_call(self.program, caller) else { return };
            from = caller.at + 1;
            state = self.hand_over(returned, dest, instr.span);
        }
    }

    /// Checks whether each call under way is a direct one.
    pub(crate) fn has_direct_calls(&self) -> bool {
        let mut callers = self.execution.frames.iter().rev().skip(1);
        callers.all(|caller| direct_call(self.program, caller).is_some())
    }

    /// Writes a result to where the caller wants it.
    pub(crate) fn give(&mut self, state: &mut State, dest: ExprId, value: &Value, span: Span) {
        let place = self.eval.place(state, dest);
        self.eval.store_to(state, &place, value);
        self.settle(state.guard, span);
    }
}

/// The direct call that a frame is at, and where its result goes.
fn direct_call<'a>(program: &'a Program, caller: &Frame) -> Option<(&'a Instr, Option<ExprId>)> {
    let instr = program.functions[caller.function].body.as_deref()?.get(caller.at)?;
    match instr.kind {
        InstrKind::Call { dest, callee: Callee::Direct(_), .. } => Some((instr, dest)),
        _ => None,
    }
}

/// Checks whether a function can be called through a pointer with arguments and result of some types.
fn callable(
    program: &Program,
    function: FunctionId,
    args: &[TypeId],
    dest: Option<TypeId>,
) -> bool {
    let info = &program.functions[function];
    let Type::Func(ret, params) = program.types.get(info.ty) else { return false };
    params.len() == args.len()
        && params.iter().zip(args).all(|(&param, &arg)| program.is_passed_alike(param, arg))
        && dest.is_none_or(|dest| program.is_passed_alike(dest, *ret))
}
